//! A machine opens with overrides, reads what a run logs, forks, saves and restores bit for bit, and returns errors as values.

use std::io;
use std::time::Duration;
use windlass_engine::prelude::World;
use windlass_host::record::RecordObserver;
use windlass_host::replay;
use windlass_host::run::{RunProblem, run, step_count};
use windlass_host::{Ending, Machine, Observer, OutputReader, Outputs, Plan, SceneSource, Step, Supervisor};
use windlass_record::Recording;
use windlass_scene::Override;

const CRANE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/crane/operated.toml");
const DOMINOES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/contact/dominoes.toml");

fn set(text: &str) -> Override {
    text.parse().expect("KEY=VALUE")
}

fn open(path: &str) -> Machine {
    Machine::open(std::path::Path::new(path), &[]).expect("a scene of the repository")
}

fn hash(machine: &Machine) -> u64 {
    machine.world().state().hash()
}

/// A ball on a string whose length is a parameter.
const PENDULUM: &str = r#"
    windlass = 2
    [parameters]
    length = "1 m"
    [bodies.post]
    type = "static"
    [bodies.bob]
    position = ["= length", 0, 0]
    mass = 2
    shape = { sphere = { radius = 0.1 } }
    [joints.pivot]
    hinge = { bodies = ["post", "bob"], at = [0, 0, 0], axis = [0, 1, 0] }
"#;

#[test]
fn a_machine_can_be_shared_between_threads() {
    fn is_sync<T: Send + Sync>() {}
    is_sync::<World>();
    is_sync::<Machine>();
    is_sync::<Outputs>();
}

/// Whoever sees a column in a full log can ask for it by its head, with or without the unit, and gets the same number.
#[test]
fn heads_of_a_full_log_are_probes() {
    for (scene, name) in [
        (CRANE, "inputs.hoist.actual [m/s]"),
        ("/scenes/crane/two_cranes.toml", "bodies.\"small.load\".position.z [m]"),
        ("/scenes/crane/block_and_tackle.toml", "joints.rails.force.z [N]"),
        ("/scenes/cable/hanging.toml", "cables.line.max_tension [N]"),
    ] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let path = if scene == CRANE { scene.to_string() } else { format!("{root}{scene}") };
        let mut machine = open(&path);
        for _ in 0..3 {
            machine.step().expect("a step");
        }
        let (bodies, joints) = (machine.built().bodies.clone(), machine.built().joints.clone());
        let all = Outputs::everything(machine.world(), &bodies, &joints);
        let heads = all.heads();
        assert!(heads.iter().any(|head| head == name), "no {name} in {heads:?}");
        let names: Vec<_> = all.columns().iter().map(|column| column.name.clone()).collect();
        let mut wanted = vec![0.0; all.len()];
        machine.read(&all, &mut wanted);
        for texts in [&heads, &names] {
            let again = Outputs::parse(texts, machine.world()).unwrap_or_else(|e| panic!("{path}: {e:?}"));
            assert_eq!(again.heads(), heads, "{path}");
            let mut read = vec![0.0; again.len()];
            machine.read(&again, &mut read);
            let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&read), bits(&wanted), "{path}");
        }
    }
    // another unit than its own is not converted
    let machine = open(CRANE);
    let errors = machine.outputs(&["bodies.load.position.z [mm]"]).expect_err("it is in m");
    assert!(errors[0].to_string().contains("is in m") && errors[0].to_string().contains("[m]"), "{errors:?}");
}

#[test]
fn overrides_replace_values_of_the_text() {
    let source = || SceneSource::text(PENDULUM, "pendulum.toml");
    let overrides = [set("bodies.bob.mass=5 kg"), set("parameters.length=300 cm"), set("settings.dt=2 ms")];
    let mut machine = Machine::open(source(), &overrides).expect("a pendulum");
    let bob = machine.world().model().body("bob").expect("a bob");
    assert_eq!(machine.world().model().bodies().get(bob).expect("it is there").mass.mass, 5.0);
    assert_eq!(machine.dt(), 0.002);
    let outputs = machine.outputs(&["bodies.bob.position.x"]).expect("a probe");
    let mut x = [f64::NAN];
    machine.read(&outputs, &mut x);
    assert_eq!(x, [3.0]);
    let header = machine.header().expect("it names no other files");
    assert_eq!(header.overrides.len(), 3, "a recording keeps them");
    // what is wrong with an override is reported with its text
    let errors = Machine::open(source(), &[set("bodies.bob.mass=heavy")]).expect_err("no mass");
    assert!(errors.to_string().contains("heavy"), "{errors}");
}

/// Keeps what a log would have.
struct Log {
    reader: OutputReader,
    lines: Vec<Vec<f64>>,
}

impl Observer for Log {
    fn name(&self) -> String {
        "the log".to_string()
    }

    fn start(&mut self, world: &mut World) -> io::Result<()> {
        self.lines.push(self.reader.read(world, None).to_vec());
        Ok(())
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        self.reader.count(world);
        self.lines.push(self.reader.read(world, Some(step)).to_vec());
        Ok(())
    }
}

fn bits(line: &[f64]) -> Vec<u64> {
    line.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn outputs_read_step_by_step_are_those_of_a_log() {
    let probes = [
        "time",
        "bodies.*.position",
        "energy.total",
        "contacts.started",
        "contacts.points",
        "solver.residual",
    ];
    for path in [CRANE, DOMINOES] {
        let mut logged = open(path);
        let outputs = Outputs::parse(&probes, logged.world()).expect("probes");
        let mut log = Log { reader: OutputReader::new(outputs.clone()), lines: Vec::new() };
        let result = logged.run(Plan::steps(90), &mut (), &mut [&mut log]);
        assert!(matches!(result.ending, Ending::Complete));
        assert_eq!(log.lines.len(), 91);

        let mut machine = open(path);
        let mut line = vec![0.0; outputs.len()];
        for (step, logged) in log.lines.iter().enumerate() {
            if step > 0 {
                machine.step().expect("a step");
            }
            machine.read(&outputs, &mut line);
            assert_eq!(bits(&line), bits(logged), "{path}, step {step}");
        }
        assert_eq!(hash(&machine), hash(&logged), "a run with observers is a run of steps");
        // after a run, too, the machine knows what the last step was
        logged.read(&outputs, &mut line);
        assert_eq!(bits(&line), bits(&log.lines[90]));
    }
}

#[test]
fn inputs_move_the_machine_and_stay_in_range() {
    let mut machine = open(CRANE);
    let slew = machine.input("slew").expect("the crane slews");
    let high = machine.inputs()[slew].high;
    machine.set_input(slew, Some(10.0 * high)).expect("it is clamped");
    let outputs = machine.outputs(&["inputs.slew"]).expect("a probe");
    machine.step().expect("a step");
    let mut wanted = [0.0];
    machine.read(&outputs, &mut wanted);
    assert_eq!(wanted, [high]);
    assert!(machine.set_input(999, Some(0.0)).is_err());
    assert!(machine.set_input(slew, Some(f64::NAN)).is_err());
}

#[test]
fn a_fork_has_the_bits_of_its_parent_and_a_life_of_its_own() {
    for path in [CRANE, DOMINOES] {
        let mut parent = open(path);
        (0..40).for_each(|_| drop(parent.step().expect("a step")));
        let mut fork = parent.fork();
        assert_eq!(hash(&fork), hash(&parent));
        // the parent goes on alone
        let before = hash(&fork);
        (0..60).for_each(|_| drop(parent.step().expect("a step")));
        assert_eq!(hash(&fork), before, "a fork does not move with its parent");
        (0..60).for_each(|_| drop(fork.step().expect("a step")));
        assert_eq!(hash(&fork), hash(&parent), "{path}");
    }
    // what is done to a fork does not reach its parent
    let mut parent = open(CRANE);
    let mut fork = parent.fork();
    let slew = fork.input("slew").expect("the crane slews");
    fork.set_input(slew, Some(fork.inputs()[slew].high)).expect("it is in range");
    (0..60).for_each(|_| drop((fork.step().expect("a step"), parent.step().expect("a step"))));
    assert_ne!(hash(&fork), hash(&parent));
    let mut fresh = open(CRANE);
    (0..60).for_each(|_| drop(fresh.step().expect("a step")));
    assert_eq!(hash(&parent), hash(&fresh));
}

#[test]
fn a_restored_machine_goes_on_bit_for_bit() {
    let mut machine = open(DOMINOES);
    (0..50).for_each(|_| drop(machine.step().expect("a step")));
    let saved = machine.save();
    let later = |machine: &mut Machine| {
        (0..50).map(|_| machine.step().map(|_| hash(machine)).expect("a step")).collect::<Vec<_>>()
    };
    let first = later(&mut machine);
    machine.restore(&saved).expect("its own state");
    assert_eq!(machine.save().to_bytes(), saved.to_bytes());
    assert_eq!(later(&mut machine), first);
    // a state of another machine is rejected and changes nothing
    let before = hash(&machine);
    assert!(machine.restore(&open(CRANE).save()).is_err());
    assert_eq!(hash(&machine), before);
}

#[test]
fn bad_probes_are_errors_all_at_once() {
    let machine = open(CRANE);
    let errors =
        machine.outputs(&["bodies.laod.position", "time", "energy.potato", ""]).expect_err("three are bad");
    assert_eq!(errors.len(), 3);
    let [text, message, help] = errors[0].parts();
    assert_eq!(text, "bodies.laod.position");
    assert!(message.contains("laod") && help.contains("did you mean \"load\""), "{message}; {help}");
    assert!(machine.outputs(&[]).expect("nothing is wrong with nothing").is_empty());
}

/// Notes what goes wrong, and stops at a step.
#[derive(Default)]
struct Keeper {
    stop: Option<u64>,
    problems: Vec<String>,
}

impl Supervisor for Keeper {
    fn before_step(&mut self, number: u64) -> std::ops::ControlFlow<()> {
        if self.stop == Some(number) {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    }

    fn problem(&mut self, problem: &RunProblem) {
        self.problems.push(match problem {
            RunProblem::Observer { name, error, at_end } => format!("{name}: {error} ({at_end})"),
            RunProblem::Input(error) => error.to_string(),
        });
    }
}

/// Fails at its third step.
struct Failing {
    steps: usize,
    ended: bool,
}

impl Observer for Failing {
    fn name(&self) -> String {
        "disk".to_string()
    }

    fn step(&mut self, _world: &mut World, _step: &Step<'_>) -> io::Result<()> {
        self.steps += 1;
        if self.steps == 3 { Err(io::Error::other("full")) } else { Ok(()) }
    }

    fn end(&mut self, _world: &mut World) -> io::Result<()> {
        self.ended = true;
        Ok(())
    }
}

#[test]
fn a_fault_ends_a_run_as_a_value() {
    // a push that no number can hold
    let text = PENDULUM.to_string()
        + "[forces.push]\napplied = { body = \"bob\", force = [1e9, 1e9, 0], from = 0.05 }\n";
    let overrides = [set("bodies.bob.mass=1e-9 kg"), set("settings.dt=0.1 s")];
    let mut machine = Machine::open(SceneSource::text(&text, "blast.toml"), &overrides).expect("a scene");
    let result = machine.run(Plan::steps(100_000), &mut (), &mut []);
    let Ending::Fault(fault) = result.ending else { panic!("{:?}", result.ending) };
    assert!(fault.to_string().contains("bob"), "{fault}");
    // the state is valid, and the same step faults again
    assert_eq!(machine.step_count(), fault.step);
    assert!(machine.world().state().bodies.iter().all(|b| b.position.is_finite()));
    assert_eq!(machine.step().expect_err("it cannot be taken").step, fault.step);
    assert!(machine.step_guarded().is_err());
}

#[test]
fn a_run_goes_on_without_an_observer_that_fails_and_stops_when_asked() {
    let mut machine = Machine::open(SceneSource::text(PENDULUM, "pendulum.toml"), &[]).expect("a pendulum");
    let mut keeper = Keeper { stop: Some(8), ..Keeper::default() };
    let mut failing = Failing { steps: 0, ended: false };
    let result = run(machine.running(), Plan::steps(20), &mut keeper, &mut [&mut failing]);
    assert!(matches!(result.ending, Ending::Interrupted));
    assert_eq!((machine.step_count(), result.failed_observers, failing.steps), (7, 1, 3));
    assert!(!failing.ended, "it is not called again");
    assert_eq!(keeper.problems, ["disk: full (false)"]);
    assert_eq!([step_count(1.0, 0.1), step_count(1.0 + 1e-9, 0.1), step_count(0.0, 0.1)], [10, 10, 1]);
}

/// 1 kg on an explicit spring at ω h = 5, which no step of the leapfrog is stable for.
const UNSTABLE: &str = r#"
windlass = 2
[settings]
gravity = [0, 0, 0]
[bodies.ground]
type = "static"
[bodies.mass]
mass = 1
inertia = [1, 1, 1]
position = [1, 0, 0]
[forces.coil.spring]
bodies = ["ground", "mass"]
points = [[0, 0, 0], [1, 0, 0]]
stiffness = "9e4 N/m"
rest = "0.9999 m"
"#;

/// The first fault of a machine that is stepped, as a run and one step after another, as the studio does.
fn first_fault(scene: SceneSource<'_>, overrides: &[&str]) -> Option<String> {
    let overrides: Vec<_> = overrides.iter().map(|text| set(text)).collect();
    let mut machine = Machine::open(scene, &overrides).expect("a scene");
    let mut stepped = machine.fork();
    let one_by_one = (0..300).find_map(|_| stepped.step().err()).map(|fault| fault.to_string());
    let at_once = match machine.run(Plan::steps(300), &mut (), &mut []).ending {
        Ending::Fault(fault) => Some(fault.to_string()),
        _ => None,
    };
    assert_eq!(one_by_one, at_once);
    at_once
}

/// The run ends with a fault long before numbers overflow, and the fault names a body and a joint.
#[test]
fn what_gains_energy_from_nothing_or_comes_apart_is_a_fault() {
    let message = first_fault(SceneSource::text(UNSTABLE, "unstable.toml"), &[]).expect("it gains energy");
    assert!(message.contains("the simulation gains energy") && message.contains("\"mass\""), "{message}");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/cookbook");
    let (chain, load) = (folder.join("chain.toml"), folder.join("heavy_load.toml"));
    // in whole steps: substeps would keep it stable
    let whole = |dt| [dt, "settings.max_substeps=1", "settings.position_iterations=0"];
    let message = first_fault((&*chain).into(), &whole("settings.dt=1/30 s")).expect("its links part");
    assert!(message.contains("joint \"pin") && message.contains("has come apart"), "{message}");
    assert_eq!(first_fault((&*chain).into(), &whole("settings.dt=1/500 s")), None);
    // a load of 2 t on links of 10 g needs 150 substeps
    let few = ["settings.dt=1/60 s", "settings.max_substeps=64"];
    let message = first_fault((&*load).into(), &few).expect("its links part");
    assert!(message.contains("has come apart"), "{message}");
    assert_eq!(first_fault((&*load).into(), &["settings.dt=1/60 s"]), None);
}

/// A clock on which every step takes long.
struct Slow(Duration);

impl Supervisor for Slow {
    fn clock(&mut self) -> Duration {
        self.0 += Duration::from_millis(100);
        self.0
    }
}

/// A run that is slower than the clock is written by the clock: whoever kills it loses the last second of waiting, not the last
/// simulated second, which may have taken hours.
#[test]
fn a_slow_run_is_recorded_by_the_clock() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slow.wlr");
    let mut machine = Machine::open(SceneSource::text(PENDULUM, "pendulum.toml"), &[set("settings.dt=1 ms")])
        .expect("a pendulum");
    let header = machine.header().expect("it names no other files");
    let mut recording = RecordObserver::create(&path, &header, machine.world(), false).expect("a new file");
    // 100 steps of 200 ms by the clock are a tenth of a simulated second
    machine.run(Plan::steps(98), &mut Slow(Duration::ZERO), &mut [&mut recording, &mut Looker(path.clone())]);
}

/// Looks into a recording while it is made.
struct Looker(std::path::PathBuf);

impl Observer for Looker {
    fn name(&self) -> String {
        "looker".to_string()
    }

    fn step(&mut self, _world: &mut World, step: &Step<'_>) -> io::Result<()> {
        let recording = Recording::open(&self.0).expect("it is good at any time");
        let held = recording.steps().map_or(0, |steps| *steps.end());
        // a second is 5 steps by this clock
        assert!(step.number <= held + 5, "step {}, but only {held} in the file", step.number);
        Ok(())
    }
}

/// An edit is an override from then on: a copy with further overrides has it, and so has a recording that starts later.
#[test]
fn edits_remain_in_what_is_made_of_a_machine() {
    let mut machine =
        Machine::open(SceneSource::text(PENDULUM, "scene.toml"), &[set("parameters.length=2 m")])
            .expect("a scene");
    machine.step().expect("a step");
    machine.edit(&[set("bodies.bob.mass=5")]).expect("an edit");
    assert!(machine.is_edited());
    machine.edit(&[set("bodies.bob.angular_damping=0.1 Hz")]).expect("an edit");
    let mass = |machine: &Machine| {
        let bodies = machine.world().model().bodies();
        bodies.iter().find(|(_, body)| body.name == "bob").map(|(_, body)| body.mass.mass)
    };
    assert_eq!(mass(&machine), Some(5.0), "the second edit leaves the first");
    assert_eq!(mass(&machine.fork()), Some(5.0));
    assert_eq!(mass(&machine.with(&[set("parameters.length=3 m")]).expect("a scene")), Some(5.0));
    machine.restart().expect("a start");
    assert!(!machine.is_edited());
    let header = machine.header().expect("a header");
    let again = replay::SceneStage::new(&header).expect("a scene");
    assert_eq!(again.built.world.state().hash(), hash(&machine));
    let rejected = machine.edit(&[set("bodies.bob.mass=-1")]);
    assert!(rejected.is_err() && machine.overrides().len() == 3);
}
