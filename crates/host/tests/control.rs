//! Controllers and rules act on machines: closed forms of controlled motion, the actions on inputs, and runs that repeat
//! bit for bit when they are restored, recorded, forked or branched.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};
use windlass_host::record::RecordObserver;
use windlass_host::replay;
use windlass_host::{Command, Ending, History, Machine, Plan, SceneSource};
use windlass_record::{Recorder, Recording, Verify};
use windlass_scene::Override;

fn set(text: &str) -> Override {
    text.parse().expect("KEY=VALUE")
}

fn open(text: &str, overrides: &[&str]) -> Machine {
    let overrides: Vec<_> = overrides.iter().map(|text| set(text)).collect();
    Machine::open(SceneSource::text(text, "test.toml"), &overrides).unwrap_or_else(|e| panic!("{e}"))
}

fn errors(text: &str) -> String {
    match Machine::open(SceneSource::text(text, "test.toml"), &[]) {
        Ok(_) => "nothing is wrong".to_string(),
        Err(errors) => errors.to_string(),
    }
}

fn scene(name: &str, overrides: &[&str]) -> Machine {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes/control").join(name);
    let overrides: Vec<_> = overrides.iter().map(|text| set(text)).collect();
    Machine::open(path.as_path(), &overrides).unwrap_or_else(|e| panic!("{e}"))
}

/// Steps to a time and returns a probe before the first step and after each.
fn trace(machine: &mut Machine, probe: &str, until: f64) -> Vec<f64> {
    let outputs = machine.outputs(&[probe]).unwrap_or_else(|e| panic!("{}", e[0]));
    let mut value = [0.0];
    machine.read(&outputs, &mut value);
    let mut all = vec![value[0]];
    while machine.time() < until - 0.5 * machine.dt() {
        machine.step().unwrap_or_else(|e| panic!("{e}"));
        machine.read(&outputs, &mut value);
        all.push(value[0]);
    }
    all
}

fn last(machine: &mut Machine, probe: &str, until: f64) -> f64 {
    *trace(machine, probe, until).last().expect("the start")
}

fn hash(machine: &Machine) -> u64 {
    machine.world().state().hash()
}

/// A block of 2 kg on a rail. A spring of 200 N/m pulls it to the value of the input.
const BLOCK: &str = r#"
    windlass = 2
    [settings]
    gravity = [0, 0, 0]
    dt = "1 ms"
    [bodies.rail]
    type = "static"
    [bodies.block]
    mass = 2
    shape = { box = { size = [0.1, 0.1, 0.1] } }
    [joints.rail.slider]
    bodies = ["rail", "block"]
    axis = [1, 0, 0]
    servo = { target = 0, stiffness = 200 }
    [inputs.pull]
    range = ["-100 m", "100 m"]
    drives = [{ joint = "rail" }]
    [inputs.other]
    range = ["-1 m", "1 m"]
    rest = "0.5 m"
    rate = "0.1 m/s"
    drives = [{ joint = "rail", factor = 1e-6 }]
"#;

fn block(more: &str, overrides: &[&str]) -> Machine {
    open(&format!("{BLOCK}{more}"), overrides)
}

/// m x'' + k kd x' + k (1 + kp) x = k kp r: the step response of a damped oscillator.
#[test]
fn a_pid_controller_has_the_step_response_of_a_second_order_system() {
    let text = "[controllers.place]\npid = { measurement = \"joints.rail.value\", setpoint = \"0.1 m\", kp = 1.5, kd = 0.05 }\n\
        outputs = [{ input = \"pull\" }]\n";
    let (mass, stiffness, kp, kd, setpoint): (f64, f64, f64, f64, f64) = (2.0, 200.0, 1.5, 0.05, 0.1);
    let omega = (stiffness * (1.0 + kp) / mass).sqrt();
    let zeta = stiffness * kd / (2.0 * mass * omega);
    let damped = omega * (1.0 - zeta * zeta).sqrt();
    let exact = |t: f64| {
        let decay = libm::exp(-zeta * omega * t);
        let swing = libm::cos(damped * t) + zeta * omega / damped * libm::sin(damped * t);
        setpoint * kp / (1.0 + kp) * (1.0 - decay * swing)
    };
    let error = |dt: f64| {
        let mut machine = block(text, &[&format!("settings.dt={dt}")]);
        let all = trace(&mut machine, "joints.rail.value", 1.0);
        all.iter().enumerate().map(|(k, x)| (x - exact(k as f64 * dt)).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(1e-3), error(5e-4));
    // the value of a controller is held over a step: a delay of half of it, of first order
    assert!(coarse < 1.5e-3 && fine < 0.6 * coarse, "{coarse:e}, {fine:e}");
}

/// A load of 100 N on the block is carried by the integral alone: without it there is an offset F/(k (1 + kp)).
#[test]
fn an_integral_removes_the_offset() {
    let text = |ki: f64| {
        format!(
            "[forces.load]\napplied = {{ body = \"block\", force = [100, 0, 0] }}\n[controllers.place]\npid = \
             {{ measurement = \"joints.rail.value\", setpoint = 0, kp = 1, ki = {ki}, kd = 0.2, derivative_filter = \"2 ms\" }}\n\
             outputs = [{{ input = \"pull\" }}]\n"
        )
    };
    let at_rest = |ki: f64| last(&mut block(&text(ki), &[]), "joints.rail.value", 8.0);
    assert!((at_rest(0.0) - 0.25).abs() < 1e-6, "{}", at_rest(0.0));
    assert!(at_rest(4.0).abs() < 1e-6, "{}", at_rest(4.0));
}

/// The setpoint is out of reach for 2 s. The integral does not grow meanwhile, so the output leaves its limit at once.
#[test]
fn an_integral_does_not_wind_up_at_a_limit() {
    let text = "[controllers.c]\npid = { measurement = 0, setpoint = \"if(time < 2 s, 1, -1)\", kp = 0.5, ki = 1, limits = [-0.6, 0.6] }\n";
    let all = trace(&mut block(text, &[]), "controllers.c.value", 2.2);
    // kp e + I reaches 0.6 after 0.1 s; after the step it is −0.5 + 0.1 less the integral since
    assert!((all[60] - 0.56).abs() < 2e-3 && (all[1900] - 0.6).abs() < 1e-12, "{} {}", all[60], all[1900]);
    let after = all[2002];
    assert!((after + 0.4).abs() < 4e-3, "{after}: with a wound-up integral it would be 0.6");
}

/// Filters of constants and ramps are exact to round-off at any step: e^(−t/T), and the critically damped response.
#[test]
fn filters_follow_their_closed_forms() {
    for dt in [1e-3, 0.05] {
        let text = "[controllers.first]\nfilter = { of = 2, time_constant = \"0.3 s\", initial = 0 }\n\
            [controllers.ramp]\nfilter = { of = \"3 * time\", time_constant = \"0.2 s\" }\n\
            [controllers.swinging]\nfilter = { of = 1, time_constant = \"0.1 s\", damping = 0.4, initial = 0 }\n\
            [controllers.critical]\nfilter = { of = 1, time_constant = \"0.1 s\", damping = 1, initial = 0 }\n\
            [controllers.slow]\nfilter = { of = 1, time_constant = \"0.1 s\", damping = 2, initial = 0 }\n";
        let exp = libm::exp;
        let swinging = |t: f64| {
            let (w, z): (f64, f64) = (10.0, 0.4);
            let d = w * (1.0 - z * z).sqrt();
            1.0 - exp(-z * w * t) * (libm::cos(d * t) + z * w / d * libm::sin(d * t))
        };
        let slow = |t: f64| {
            let (w, root): (f64, f64) = (10.0, 3.0_f64.sqrt());
            let [a, b] = [w * (2.0 - root), w * (2.0 + root)];
            1.0 - (b * exp(-a * t) - a * exp(-b * t)) / (b - a)
        };
        let exact: [(&str, &dyn Fn(f64) -> f64); 5] = [
            ("first", &|t| 2.0 * (1.0 - exp(-t / 0.3))),
            ("ramp", &|t| 3.0 * (t - 0.2 * (1.0 - exp(-t / 0.2)))),
            ("swinging", &swinging),
            ("critical", &|t| 1.0 - exp(-10.0 * t) * (1.0 + 10.0 * t)),
            ("slow", &slow),
        ];
        for (name, exact) in exact {
            let mut machine = block(text, &[&format!("settings.dt={dt}")]);
            let all = trace(&mut machine, &format!("controllers.{name}.value"), 1.0);
            // the value after a step is that of the start of the step
            for (k, value) in all.iter().enumerate().skip(1) {
                let t = (k - 1) as f64 * dt;
                assert!((value - exact(t)).abs() < 1e-12, "{name} at {t} s: {value}, not {}", exact(t));
            }
        }
    }
}

#[test]
fn expressions_and_tables_have_their_values() {
    for (expression, value) in [
        ("2 + 3 * 4 ^ 2 / 8", 8.0),
        ("-2 ^ 2", -4.0),
        ("25 mm + 1 m", 1.025),
        ("5 kN*m / 2", 2500.0),
        ("60 rpm", 2.0 * PI),
        ("1 > 2 or not (3 <= 3 and 1 == 2)", 1.0),
        ("if(2 > 1, 10, 1 / 0)", 10.0),
        ("clamp(7, -1, 3) + min(4, 2, 3) + max(1, 5)", 10.0),
        ("sign(-3) + sign(0) + abs(-2) + sqrt(9) + floor(2.7)", 6.0),
        ("sin(30 deg) + cos(pi) + atan2(1, 1) / pi", -0.25),
        ("2 > 1 and 2 * 3 s > 5", 1.0),
        ("bodies.block.position.x + inputs.other + inputs.other.actual", 1.0),
        ("`distance(bodies.rail, bodies.block)` + first", 3.0),
        ("probe_of_mine + controllers.first.value + controllers.first.enabled + rules.on.active", 5.0),
        ("curve", 15.0),
    ] {
        let text = format!(
            "[controllers.x]\nexpression = \"{expression}\"\n[controllers.first]\nexpression = 3\n[rules.on]\nwhen = true\n\
             [controllers.curve]\ntable = {{ of = \"first\", x = [0, 2, \"4 m\"], y = [-5, 10, 20] }}\n\
             [probes]\nprobe_of_mine = \"bodies.block.position.x\"\n"
        );
        let text = text.replace("when = true", "when = 1");
        let value_now = last(&mut block(&text, &[]), "controllers.x.value", 1e-3);
        assert!((value_now - value).abs() < 1e-12, "{expression} is {value_now}");
    }
}

const LIGHTS: &str = r#"
    [controllers.lights.state_machine]
    initial = "red"
    [controllers.lights.state_machine.states.red]
    value = 1
    transitions = [{ to = "green", after = "0.3 s", when = "time > 0.355 s" }]
    [controllers.lights.state_machine.states.green]
    value = "2 + time"
    transitions = [{ to = "amber", when = "inputs.other > 0.9" }, { to = "red", after = "0.5 s" }]
    [controllers.lights.state_machine.states.amber]
    [controllers.goes]
    expression = "lights == 'green'"
"#;

#[test]
fn a_state_machine_waits_for_times_and_conditions() {
    let mut machine = block(LIGHTS, &["settings.dt=0.01"]);
    let outputs =
        machine.outputs(&["controllers.lights.state", "controllers.lights.value", "controllers.goes.value"]);
    let outputs = outputs.unwrap_or_else(|e| panic!("{}", e[0]));
    let mut seen = Vec::new();
    let mut now = [0.0; 3];
    let other = machine.input("other").expect("an input");
    for step in 0..200_u32 {
        if step == 150 {
            machine.set_input(other, Some(1.0)).expect("in its range");
        }
        machine.step().expect("a step");
        machine.read(&outputs, &mut now);
        if seen.last().is_none_or(|(_, state)| *state != now[0]) {
            seen.push((step, now[0]));
        }
        assert_eq!(now[2] == 1.0, now[0] == 1.0, "green is the second of amber, green, red");
        if now[0] == 1.0 {
            assert!((now[1] - 2.0 - f64::from(step) * 0.01).abs() < 1e-9);
        }
    }
    // red, 0.36 s: green, 0.5 s later red, 0.3 s later green, red …; held down at 1.5 s in green
    let names: Vec<_> =
        seen.iter().map(|(step, state)| (*step, ["amber", "green", "red"][*state as usize])).collect();
    assert_eq!(
        names,
        [(0, "red"), (36, "green"), (86, "red"), (116, "green"), (150, "amber")],
        "steps at which states are entered"
    );
}

/// A condition that is true from 0.10 s to 0.30 s, with a delay of 0.05 s.
#[test]
fn rules_wait_latch_and_are_reset() {
    let window = "time > 0.0999 s and time < 0.2999 s";
    let active = |more: &str| {
        let text = format!("[rules.r]\nwhen = \"{window}\"\n{more}");
        let all = trace(&mut block(&text, &["settings.dt=0.01"]), "rules.r.active", 0.6);
        let on: Vec<usize> = (1..all.len()).filter(|k| all[*k] == 1.0).map(|k| k - 1).collect();
        (on.first().copied().unwrap_or(99), on.last().copied().unwrap_or(99), on.len())
    };
    assert_eq!(active(""), (10, 29, 20));
    assert_eq!(active("delay = \"50 ms\""), (15, 29, 15));
    assert_eq!(active("delay = \"250 ms\""), (99, 99, 0));
    assert_eq!(active("latched = true"), (10, 59, 50));
    assert_eq!(active("latched = true\nreset = \"time > 0.405 s\""), (10, 40, 31));
    // a reset while the condition holds has no effect
    assert_eq!(active("latched = true\nreset = \"time < 0.2 s or time > 0.505 s\""), (10, 50, 41));
    let text = format!("[rules.r]\nwhen = \"{window}\"\nmessage = \"stop\"\n");
    let mut machine = block(&text, &["settings.dt=0.01"]);
    last(&mut machine, "time", 0.5);
    let item = machine.logic_items().remove(0);
    assert_eq!((item.activations.0, item.message.as_deref(), item.active), (1, Some("stop"), false));
    assert!((item.activations.1[0] - 0.1).abs() < 1e-9);
}

/// The operator holds 0.2; controllers set, add and limit between 0.1 s and 0.2 s, and the input returns to 0.2.
#[test]
fn actions_end_with_the_value_of_the_operator() {
    let during = |action: &str| {
        let text = format!(
            "[rules.r]\nwhen = \"time > 0.0999 s and time < 0.1999 s\"\nthen = [{{ input = \"pull\", {action} }}]\n"
        );
        // soft, so that jumps of the target store little energy
        let mut machine = block(&text, &["settings.dt=0.01", "joints.rail.slider.servo.stiffness=0.1"]);
        let pull = machine.input("pull").expect("an input");
        machine.set_input(pull, Some(0.2)).expect("in its range");
        let actual = trace(&mut machine, "inputs.pull.actual", 0.3);
        let outputs = machine.outputs(&["inputs.pull"]).expect("a probe");
        let mut target = [0.0];
        machine.read(&outputs, &mut target);
        assert_eq!((actual[5], actual[25], target[0]), (0.2, 0.2, 0.2), "{action}");
        assert!(actual[11..=20].iter().all(|value| *value == actual[15]), "{action}: {actual:?}");
        actual[15]
    };
    assert_eq!(during("set = -3"), -3.0);
    assert_eq!(during("add = \"0.5 m\""), 0.7);
    assert_eq!(during("upper_limit = 0.1"), 0.1);
    assert_eq!(during("lower_limit = 0.1"), 0.2);
    assert_eq!(during("set = 5, add = 1, upper_limit = \"3 + 1\""), 4.0);
    assert_eq!(during("set = 1e6"), 100.0, "the range of the input applies");
}

/// The rate of an input applies to what a controller sets, and a rule takes precedence over a controller.
#[test]
fn rates_apply_and_rules_precede_controllers() {
    let text = "[controllers.up]\nexpression = 1\noutputs = [{ input = \"other\", factor = 0.9 }]\n\
        [rules.stop]\nwhen = \"time > 0.9999 s\"\nthen = [{ input = \"other\", set = 0.3 }]\n";
    let all = trace(&mut block(text, &["settings.dt=0.01"]), "inputs.other.actual", 4.0);
    let near = |k: usize, value: f64| assert!((all[k] - value).abs() < 1e-9, "{k}: {}", all[k]);
    near(0, 0.5);
    near(100, 0.6);
    near(200, 0.5);
    near(400, 0.3);
}

/// `period` samples a controller every n-th step; `when` and `enabled` stop it, and it starts afresh.
#[test]
fn controllers_are_sampled_and_switched() {
    let text = "[controllers.clock]\nexpression = \"time\"\nperiod = \"50 ms\"\n[controllers.sum]\n\
        pid = { measurement = 0, setpoint = 1, ki = 1 }\nwhen = \"time < 0.1999 s or time > 0.2999 s\"\noutputs = [{ input = \"pull\" }]\n";
    let mut machine = block(text, &["settings.dt=0.01"]);
    let clock = trace(&mut machine.fork(), "controllers.clock.value", 0.2);
    assert!(
        (clock[5] - 0.0).abs() < 1e-12 && (clock[6] - 0.05).abs() < 1e-12 && (clock[10] - 0.05).abs() < 1e-12
    );
    let sum = trace(&mut machine.fork(), "controllers.sum.value", 0.5);
    let pull = trace(&mut machine.fork(), "inputs.pull.actual", 0.5);
    assert!((sum[20] - 0.19).abs() < 1e-12 && (sum[30] - 0.19).abs() < 1e-12, "it keeps its value");
    assert!((sum[31] - 0.0).abs() < 1e-12 && (sum[41] - 0.1).abs() < 1e-12, "it starts afresh");
    assert!((pull[20] - 0.19).abs() < 1e-12 && pull[25] == 0.0 && (pull[41] - 0.1).abs() < 1e-12);
    let number = machine.logic_items().iter().position(|item| item.name == "sum").expect("it exists");
    machine.step().expect("a step");
    machine.apply(&Command::Switch(number, false)).expect("a controller");
    assert_eq!(last(&mut machine, "inputs.pull.actual", 0.1), 0.0);
    machine.apply(&Command::Switch(number, true)).expect("a controller");
    assert!((last(&mut machine, "controllers.sum.value", 0.15) - 0.04).abs() < 1e-12);
    assert!(machine.apply(&Command::Switch(9, true)).is_err());
}

/// A crane-like scene with memory of every kind, read with and without a solve.
const BUSY: &str = r#"
    [forces.wind]
    applied = { body = "block", force = [30, 0, 0] }
    [controllers.smooth]
    filter = { of = "joints.rail.effort", time_constant = "20 ms", damping = 0.6 }
    [controllers.place]
    pid = { measurement = "joints.rail.value", setpoint = "0.2 * sin(3 * time)", kp = 1, ki = 5, kd = 0.1, derivative_filter = "5 ms", limits = [-2, 2] }
    outputs = [{ input = "pull" }]
    [controllers.mode.state_machine]
    initial = "a"
    states = { a = { value = 0.01, transitions = [{ to = "b", after = "70 ms", when = "place > 0.1" }] }, b = { value = -0.01, transitions = [{ to = "a", after = "40 ms" }] } }
    [controllers.nudge]
    expression = "mode + 0.001 * previous(nudge) + 1e-4 * smooth"
    period = "3 ms"
    outputs = [{ input = "pull", action = "add" }]
    [rules.guard]
    when = "abs(bodies.block.velocity.x) > 0.5"
    latched = true
    reset = "abs(bodies.block.velocity.x) < 0.1"
    then = [{ input = "pull", upper_limit = 1, lower_limit = -1 }]
"#;

fn hashes(machine: &mut Machine, steps: usize) -> Vec<u64> {
    (0..steps).map(|_| machine.step().map(|_| hash(machine)).unwrap_or_else(|e| panic!("{e}"))).collect()
}

#[test]
fn controlled_runs_repeat_bit_for_bit() {
    let mut machine = block(BUSY, &[]);
    let through = hashes(&mut block(BUSY, &[]), 600);
    let first = hashes(&mut machine, 250);
    let saved = machine.save();
    let bytes = windlass_engine::prelude::State::from_bytes(&saved.to_bytes()).expect("its own bytes");
    let mut fork = machine.fork();
    let second = hashes(&mut machine, 350);
    assert_eq!([first, second.clone()].concat(), through);
    assert_eq!(hashes(&mut fork, 350), second, "a fork");
    machine.restore(&bytes).expect("its own state");
    assert_eq!(hashes(&mut machine, 350), second, "a restored run");
    // what is looked at between steps leaves no trace
    machine.restore(&saved).expect("its own state");
    let looked: Vec<u64> = (0..350)
        .map(|_| {
            machine.world_mut().inspect();
            machine.step().map(|_| hash(&machine)).expect("a step")
        })
        .collect();
    assert_eq!(looked, second);
}

/// The order of the file, and the order of sections, do not matter.
#[test]
fn the_order_of_the_file_does_not_matter() {
    let (head, rest) = BUSY.split_once("[controllers.smooth]").expect("it is there");
    let rest = format!("[controllers.smooth]{rest}");
    let mut parts: Vec<&str> = rest.split("\n    [").collect();
    parts.reverse();
    let turned = parts.iter().map(|part| format!("\n[{}", part.trim_start_matches('['))).collect::<String>();
    let turned = format!("{head}{turned}");
    assert_ne!(turned, BUSY);
    assert_eq!(hashes(&mut block(&turned, &[]), 300), hashes(&mut block(BUSY, &[]), 300));
}

#[test]
fn controlled_runs_are_the_same_on_any_number_of_threads_and_with_every_integrator() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let run = |integrator: &str| {
        let mut machine = block(BUSY, &[&format!("settings.integrator=\"{integrator}\"")]);
        hashes(&mut machine, 120)
    };
    for integrator in ["spook", "projected", "dormand-prince"] {
        let [one, two] = [1, 2].map(|threads| pool(threads).install(|| run(integrator)));
        assert_eq!(one, two, "{integrator}");
        let mut machine = block(BUSY, &[&format!("settings.integrator=\"{integrator}\"")]);
        hashes(&mut machine, 60);
        let saved = machine.save();
        machine.restore(&saved).expect("its own state");
        assert_eq!(hashes(&mut machine, 60), one[60..], "{integrator}");
    }
}

#[test]
fn recordings_verify_and_branches_use_new_gains() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.wlr");
    let mut machine = block(BUSY, &["settings.dt=0.005"]);
    let header = machine.header().expect("a header");
    let mut recording = RecordObserver::create(&path, &header, machine.world(), false).expect("a recording");
    let result = machine.run(Plan::steps(700), &mut (), &mut [&mut recording]);
    assert!(matches!(result.ending, Ending::Complete));
    let player = |path: &Path| replay::player(Recording::open(path).expect("a recording")).expect("a player");
    for how in [Verify::Through, Verify::FromKeys] {
        let verdict = player(&path).verify(how, |_| std::ops::ControlFlow::Continue(())).expect("it plays");
        assert!(verdict.is_good() && verdict.frames >= 700, "{verdict:?}");
    }
    // a branch with another gain
    let mut player_at = player(&path);
    player_at.seek(300).expect("a frame");
    let (_, mut stage, mut world) = player_at.into_parts();
    let mut plain = block(BUSY, &["settings.dt=0.005"]);
    hashes(&mut plain, 300);
    assert_eq!(world.state().hash(), hash(&plain));
    windlass_record::Stage::apply(&mut stage, &mut world, "controllers.place.pid.kp", "0.2")
        .expect("an edit");
    let branched: Vec<u64> = (0..100)
        .map(|_| {
            assert!(stage.logic.step(&mut world).fault.is_none());
            world.state().hash()
        })
        .collect();
    let mut same = block(BUSY, &["settings.dt=0.005"]);
    hashes(&mut same, 300);
    let scene = windlass_scene::parse_with(
        &format!("{BLOCK}{BUSY}"),
        "test.toml",
        std::sync::Arc::new(windlass_scene::files::NoFolder),
        &[set("settings.dt=0.005"), set("controllers.place.pid.kp=0.2")],
    );
    same.change(scene.expect("a scene")).expect("an edit");
    assert_eq!(hashes(&mut same, 100), branched, "an edited machine and an edited recording");
    assert_ne!(hashes(&mut plain, 100), branched, "the gain matters");
}

/// A switch is a command: the history repeats it, and a recording of it verifies.
#[test]
fn switches_are_repeated() {
    let text = format!("{BLOCK}{BUSY}");
    let parsed = windlass_scene::parse(&text, "test.toml").expect("a scene");
    let mut machine = Machine::interactive(parsed).expect("it can be built");
    let mut history = History::new(&machine);
    let number = machine.logic_items().iter().position(|item| item.name == "place").expect("it exists");
    let mut seen = vec![hash(&machine)];
    for step in 0..1500 {
        if let Some(on) = [(400, false), (900, true)].iter().find(|c| c.0 == step).map(|c| c.1) {
            machine.apply(&Command::Switch(number, on)).expect("a controller");
            history.log(&machine, Command::Switch(number, on));
        }
        machine.step().expect("a step");
        history.keep(&machine);
        seen.push(hash(&machine));
    }
    for step in [450, 399, 1400, 905, 0, 880] {
        history.seek(&mut machine, step).expect("it is on the history");
        assert_eq!(hash(&machine), seen[step as usize], "step {step}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("switched.wlr");
    let mut machine = block(BUSY, &[]);
    let header = machine.header().expect("a header");
    let mut recorder = Recorder::create(&path, &header, machine.world()).expect("a recording");
    for step in 0..300 {
        if step == 100 {
            recorder.command("place", "off").expect("a command");
            machine.apply(&Command::Switch(number, false)).expect("a controller");
        }
        machine.step().expect("a step");
        recorder.step(machine.world()).expect("a frame");
    }
    recorder.finish().expect("the file");
    let mut player = replay::player(Recording::open(&path).expect("a recording")).expect("a player");
    let verdict = player.verify(Verify::Through, |_| std::ops::ControlFlow::Continue(())).expect("it plays");
    assert!(verdict.is_good() && verdict.frames >= 300, "{verdict:?}");
}

/// A change of a running scene keeps memories of the same name and kind.
#[test]
fn a_change_keeps_memories() {
    let text = |setpoint: &str| {
        format!("{BLOCK}[controllers.sum]\npid = {{ measurement = 0, setpoint = {setpoint}, ki = 1 }}\n")
    };
    let mut machine = open(&text("1"), &[]);
    last(&mut machine, "time", 1.0);
    machine.change(windlass_scene::parse(&text("2"), "test.toml").expect("a scene")).expect("an edit");
    // ∫ 1 dt over 1 s, then ∫ 2 dt
    let after = last(&mut machine, "controllers.sum.value", 1.5);
    assert!((after - 2.0).abs() < 5e-3, "{after}");
    // a change with a wrong probe is rejected, and the run continues as it was
    let before = hash(&machine);
    let wrong = format!("{}[controllers.x]\nexpression = \"bodies.blok.speed\"\n", text("2"));
    let refused = machine.change(windlass_scene::parse(&wrong, "test.toml").expect("a scene"));
    assert!(refused.is_err_and(|e| e.to_string().contains("did you mean \"block\"?")));
    assert_eq!(hash(&machine), before);
    machine.step().expect("a step");
}

#[test]
fn a_value_that_is_not_finite_is_a_fault() {
    let text = "[controllers.bad]\nexpression = \"1 / (time - 0.1)\"\n";
    let mut machine = block(text, &["settings.dt=0.05"]);
    machine.step().expect("a step");
    machine.step().expect("a step");
    let before = hash(&machine);
    let fault = machine.step().expect_err("1 / 0").to_string();
    assert!(fault.starts_with("controller \"bad\" has the value inf at t = 0.1 s (step 2)"), "{fault}");
    assert_eq!(hash(&machine), before, "the state is that of the last valid step");
}

/// Errors that need the built world have positions in the text as well.
#[test]
fn probes_in_expressions_are_checked() {
    let told = |more: &str| errors(&format!("{BLOCK}{more}"));
    assert_eq!(
        told("[controllers.x]\nexpression = \"2 * bodies.blok.speed\"\n"),
        "test.toml:24:14: probe `bodies.blok.speed`: no body \"blok\" (did you mean \"block\"? the bodies are rail, block)"
    );
    assert_eq!(
        told("[rules.x]\nwhen = \"bodies.block.position > 1\"\n"),
        "test.toml:24:8: probe `bodies.block.position`: 3 numbers (name one of them: bodies.block.position.x, \
         bodies.block.position.y, bodies.block.position.z)"
    );
    assert_eq!(
        told("[rules.x]\nwhen = \"step.wall_time > 1\"\n"),
        "test.toml:24:8: probe `step.wall_time`: controllers cannot read reports of steps (a run that is restored could \
         not repeat it: read a quantity of bodies, joints or cables)"
    );
    let mut machine = block(BUSY, &[]);
    machine.step().expect("a step");
    let probe = |text: &str| match machine.outputs(&[text]) {
        Ok(outputs) => outputs.columns()[0].name.clone(),
        Err(errors) => errors[0].parts()[1..].join("; "),
    };
    assert_eq!(probe("controllers.place.value"), "controllers.place.value");
    assert_eq!(probe("rules.guard.active"), "rules.guard.active");
    assert_eq!(probe("rules.place.active"), "no rule \"place\"; the rules are guard");
    assert_eq!(probe("controllers.plac.value").split(';').next(), Some("no controller \"plac\""));
}

/// The sway after the trolley has stopped decays as e^(−ζωt); without the controller it stays.
#[test]
fn anti_sway_damps_the_load() {
    let sway = |overrides: &[&str]| {
        let mut machine = scene("anti_sway.toml", overrides);
        let load = trace(&mut machine.fork(), "bodies.load.position.x", 30.0);
        let trolley = trace(&mut machine, "bodies.trolley.position.x", 30.0);
        let apart: Vec<f64> = load.iter().zip(&trolley).map(|(a, b)| (a - b).abs()).collect();
        let most = |from: f64, to: f64| {
            apart[(from * 60.0) as usize..(to * 60.0) as usize].iter().fold(0.0_f64, |m, x| m.max(*x))
        };
        (most(1.0, 11.0), most(22.0, 30.0), *trolley.last().expect("its end"))
    };
    let (moving, rest, _) = sway(&[]);
    let (free_moving, free_rest, _) = sway(&["controllers.anti_sway.enabled=false"]);
    println!("sway {moving} {rest}, free {free_moving} {free_rest}");
    // stopped from 11 s on; e^(−0.3 · 1.107 · 11) = 0.026 of what is left then
    assert!(rest < 0.026 * moving, "{rest} of {moving}");
    assert!(free_rest > 1.0, "{free_rest}");
}

#[test]
fn a_slack_rope_stops_the_winch() {
    let slack = |overrides: &[&str]| {
        let mut machine = scene("slack_rope.toml", overrides);
        let most = trace(&mut machine, "cables.hoist.slack", 7.0).into_iter().fold(0.0, f64::max);
        let stopped = machine.logic_items()[0].active;
        let height = last(&mut machine, "bodies.load.position.z", 10.0);
        (most, stopped, height)
    };
    let (most, stopped, height) = slack(&[]);
    println!("{most} {stopped} {height}");
    assert!(stopped && most < 0.15, "{most} m of slack rope");
    assert!(height > 0.7, "hoisting is not hindered: {height}");
    let (free, _, _) = slack(&["rules.slack_rope.enabled=false"]);
    assert!(free > 1.0, "{free}");
}

#[test]
fn a_load_moment_limiter_keeps_to_the_chart() {
    let run = |overrides: &[&str]| {
        let mut machine = scene("load_moment.toml", overrides);
        let all = trace(&mut machine.fork(), "controllers.utilization.value", 65.0);
        let radius = trace(&mut machine.fork(), "controllers.radius.value", 65.0);
        let blocked = trace(&mut machine, "rules.load_moment.active", 65.0);
        let on = blocked.iter().position(|b| *b == 1.0);
        let off = blocked.iter().rposition(|b| *b == 1.0);
        let most = all.iter().skip(2).fold(0.0_f64, |m, x| m.max(*x));
        println!(
            "most {most}, on {on:?}, off {off:?}, radius {:?}",
            radius.iter().step_by(240).collect::<Vec<_>>()
        );
        (most, on, off)
    };
    let (most, on, off) = run(&[]);
    assert!((0.92..1.0).contains(&most), "{most} of the chart");
    assert!(
        on.is_some() && off.is_some_and(|off| off > 50 * 60 && off < 63 * 60),
        "luffing in ends the block: {off:?}"
    );
    let (free, ..) = run(&["rules.load_moment.enabled=false"]);
    assert!(free > 1.05, "{free}");
}

#[test]
fn cruise_control_holds_its_speed() {
    let mut machine = scene("cruise_control.toml", &[]);
    let speed = trace(&mut machine, "vehicles.car.speed", 40.0);
    let most = speed.iter().fold(0.0_f64, |m, x| m.max(*x));
    let held = &speed[25 * 60..];
    let worst = held.iter().fold(0.0_f64, |m, x| m.max((x - 20.0).abs()));
    println!("most {most}, worst {worst} from 25 s on");
    assert!(most < 20.6, "{most}");
    assert!(worst < 0.1, "{worst}");
}

/// The gears follow each other, one after the other up to the fourth and back to the first at rest; the engine never stalls, and
/// the clutch does not slip once the car drives.
#[test]
fn an_automatic_gearbox_shifts_a_manual_one() {
    let read = |probe: &str| trace(&mut scene("automatic_gearbox.toml", &[]), probe, 30.0);
    let mut gears = read("vehicles.car.gearbox.gear");
    let (speed, mode) = (read("vehicles.car.speed"), read("vehicles.car.engine.mode"));
    let slip = read("vehicles.car.clutch.slip");
    assert!(mode.iter().all(|mode| *mode == 2.0), "the engine runs");
    assert!(speed[18 * 60] > 20.0 && speed[29 * 60].abs() < 0.01);
    // between the first and the second gear
    assert!(slip[4 * 60..5 * 60].iter().all(|slip| slip.abs() < 1e-3));
    gears.dedup();
    assert!(gears.starts_with(&[1.0, 2.0, 3.0]) && gears.last() == Some(&1.0), "{gears:?}");
    assert!(gears.windows(2).all(|pair| (pair[1] - pair[0]).abs() == 1.0 || pair[1] == 1.0), "{gears:?}");
}
