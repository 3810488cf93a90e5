//! Springs and dampers that are not linear, against closed forms: the period of Duffing's oscillator, the stretch under a load, the
//! speed of what is braked by the square of it.

use std::f64::consts::FRAC_PI_2;
use windlass_scene::{Built, parse};

const INTEGRATORS: [&str; 3] = ["spook", "projected", "dormand-prince"];

fn build(text: &str) -> Built {
    parse(text, "springs").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// A block of 2 kg on a slider, and a wheel of 2 kg·m² on a hinge, each with the spring given.
fn pair(settings: &str, spring: &str, speed: f64) -> Built {
    build(&format!(
        "windlass = 2\n[settings]\ngravity = [0, 0, 0]\n{settings}\n[bodies]\nwall = {{ type = \"static\" }}\n\
         block = {{ mass = 2, inertia = [1, 1, 1], velocity = [{speed}, 0, 0] }}\n\
         wheel = {{ mass = 1, inertia = [2, 2, 2], angular_velocity = [0, {speed}, 0] }}\n[joints]\n\
         way = {{ slider = {{ bodies = [\"wall\", \"block\"], axis = [1, 0, 0], spring = {spring} }} }}\n\
         turn = {{ hinge = {{ bodies = [\"wall\", \"wheel\"], at = [0, 0, 0], axis = [0, 1, 0], spring = {spring} }} }}\n"
    ))
}

fn step(built: &mut Built) {
    let report = built.world.step();
    assert!(report.fault.is_none(), "{:?}", report.fault);
}

/// The coordinates of both joints.
fn coordinates(built: &Built) -> [f64; 2] {
    ["way", "turn"].map(|name| {
        let id = built.world.model().joint(name).expect("a joint");
        built.world.coordinate(id, 0).expect("a coordinate")
    })
}

/// The complete elliptic integral of the first kind of the parameter k², by the arithmetic-geometric mean.
fn elliptic(parameter: f64) -> f64 {
    let (mut a, mut b) = (1.0f64, (1.0 - parameter).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    FRAC_PI_2 / a
}

/// m ẍ + k₁ x + k₃ x³ = 0 from rest at A: T = 4 K(k²)/ω, ω² = (k₁ + k₃ A²)/m, k² = k₃ A²/2m ω². Hardening, softening, and the purely
/// cubic one, which is slow where a linear one is not.
#[test]
fn duffing_has_its_period() {
    for (k1, k3) in [(50.0f64, 900.0f64), (50.0, -120.0), (0.0, 900.0)] {
        let amplitude = 0.4;
        let square = (k1 + k3 * amplitude * amplitude) / 2.0;
        let parameter = k3 * amplitude * amplitude / (4.0 * square);
        let period = 4.0 * elliptic(parameter) / square.sqrt();
        for (stepper, dt, allowed) in [("spook", 1e-3, 5e-5), ("projected", 2e-3, 1e-8)] {
            let spring = format!("{{ stiffness = {k1}, cubic = {k3}, rest = -{amplitude} }}");
            let mut built = pair(&format!("integrator = \"{stepper}\"\ndt = {dt}"), &spring, 0.0);
            let (mut last, mut crossings) = (coordinates(&built), [Vec::new(), Vec::new()]);
            while crossings.iter().any(|c| c.len() < 9) {
                step(&mut built);
                let (now, time) = (coordinates(&built), built.world.state().time);
                for k in 0..2 {
                    let [before, after] = [last[k] + amplitude, now[k] + amplitude];
                    if before * after < 0.0 {
                        crossings[k].push(time - dt * after / (after - before));
                    }
                }
                last = now;
            }
            for times in crossings {
                let found = (times[8] - times[0]) / 4.0;
                // straight lines between steps find a crossing to second order
                let off = (found / period - 1.0).abs();
                assert!(off < allowed + 2e-7, "{stepper}, {k1} and {k3}: {found} s, not {period} s");
            }
        }
    }
}

/// A law that is linear after all is the linear spring: x = A cos ω t.
#[test]
fn a_straight_table_is_a_spring() {
    let table = "{ table = { stretch = [-1, 1], force = [-100, 100] }, rest = -0.1 }";
    for settings in ["dt = 0.01", "dt = 0.01\nintegrator = \"projected\""] {
        let mut curved = pair(settings, table, 0.0);
        let mut linear = pair(settings, "{ stiffness = 100, rest = -0.1 }", 0.0);
        for _ in 0..200 {
            step(&mut curved);
            step(&mut linear);
            for (a, b) in coordinates(&curved).into_iter().zip(coordinates(&linear)) {
                assert!((a - b).abs() < 1e-12, "{a} is not {b}");
            }
        }
    }
}

/// A load of 20 kg hangs where the table has its weight: by straight lines at 0.1 m + 96.2 N / 4 kN/m.
#[test]
fn a_load_hangs_where_the_table_says() {
    let hung = |stepper: &str, join: &str| {
        let mut built = build(&format!(
            "windlass = 2\n[settings]\nintegrator = \"{stepper}\"\ndt = 0.01\n[bodies]\nroof = {{ type = \"static\" }}\n\
             load = {{ position = [0, 0, -1], mass = 20, inertia = [1, 1, 1] }}\n[joints.way.distance]\n\
             bodies = [\"roof\", \"load\"]\npoints = [[0, 0, 0], [0, 0, -1]]\n\
             spring = {{ damping = \"300 N*s/m\", quadratic_damping = \"100 N*s^2/m^2\", table = {{ stretch = \
             [\"-10 cm\", 0, \"10 cm\", \"20 cm\"], force = [-50, 0, \"100 N\", \"0.5 kN\"]{join} }} }}\n"
        ));
        (0..2000).for_each(|_| step(&mut built));
        let id = built.world.model().joint("way").expect("a joint");
        let force = built.world.inspect().reaction(id, 1).expect("a force").force.z;
        assert!((force - 196.2).abs() < 1e-6, "{stepper}: {force} N");
        built.world.coordinate(id, 0).expect("a length") - 1.0
    };
    for stepper in INTEGRATORS {
        let linear = hung(stepper, ", join = \"linear\"");
        assert!((linear - (0.1 + 96.2 / 4000.0)).abs() < 1e-9, "{stepper}: {linear} m");
        // the cubic from 100 N to 500 N with 1600 N/m, the harmonic mean of 1 and 4 kN/m, and 4 kN/m at its ends
        let u = (hung(stepper, "") - 0.1) / 0.1;
        let force = 100.0 + u * (160.0 + u * (480.0 - u * 240.0));
        assert!((force - 196.2).abs() < 1e-5, "{stepper}: {force} N");
    }
}

/// m v̇ = −c₂ v |v|: v = v₀/(1 + c₂ v₀ t/m), exact at half steps under `spook` whatever the step.
#[test]
fn the_square_of_the_speed_brakes() {
    for dt in [0.001, 0.01, 0.2] {
        let mut built = pair(&format!("dt = {dt}"), "{ quadratic_damping = 7 }", -3.0);
        for n in 1..=50 {
            step(&mut built);
            let wanted = 3.0 / (1.0 + 7.0 * 3.0 * (f64::from(n) - 0.5) * dt / 2.0);
            let bodies = &built.world.state().bodies;
            for speed in [bodies[1].velocity.x, bodies[2].angular_velocity.y] {
                assert!((speed + wanted).abs() < 1e-8, "{speed} after {n} steps of {dt} s, not -{wanted}");
            }
        }
    }
    for stepper in ["projected", "dormand-prince"] {
        let settings = format!("dt = 0.01\nintegrator = \"{stepper}\"");
        let mut built = pair(&settings, "{ quadratic_damping = 7 }", 3.0);
        (0..100).for_each(|_| step(&mut built));
        let (speed, wanted) = (built.world.state().bodies[1].velocity.x, 3.0 / (1.0 + 7.0 * 3.0 / 2.0));
        assert!((speed - wanted).abs() < 1e-6, "{stepper}: {speed} m/s, not {wanted} m/s");
    }
}

/// The energy that is reported is ∫ F dx: what swings on a progressive table keeps it.
#[test]
fn progressive_springs_keep_energy() {
    let table =
        "{ table = { stretch = [-0.2, -0.1, 0, 0.1, 0.2], force = [-400, -30, 0, 30, 400] }, rest = -0.3 }";
    for (settings, allowed) in [("dt = 1e-3", 1e-3), ("dt = 1e-3\nintegrator = \"projected\"", 1e-4)] {
        let mut built = pair(settings, table, 0.0);
        let start = built.world.inspect().energy();
        assert!(start.kinetic == 0.0 && start.elastic > 1.0, "{start:?}");
        let mut most = 0.0f64;
        for _ in 0..3000 {
            step(&mut built);
            let now = built.world.inspect().energy();
            most = most.max((now.total() / start.total() - 1.0).abs());
        }
        assert!(most < allowed, "{settings}: {most}");
    }
}

/// A law a thousand times as stiff as the step can resolve brings no energy.
#[test]
fn stiff_laws_are_stable() {
    for spring in [
        "{ stiffness = 10, cubic = 1e12, rest = -0.01 }",
        "{ quadratic = 1e10, rest = -0.1 }",
        "{ table = { stretch = [-0.2, -0.1, 0.1, 0.2], force = [-1e9, -1, 1, 1e9], join = \"linear\" }, rest = -0.05 }",
        "{ table = { stretch = [0, 0.1], force = [0, 1e7] }, damping = 1e4, quadratic_damping = 1e9 }",
    ] {
        let mut built = pair("dt = \"1/60 s\"", spring, 4.0);
        let mut most = 0.0f64;
        for _ in 0..2000 {
            step(&mut built);
            let bodies = &built.world.state().bodies;
            let fastest = bodies[1].velocity.x.abs().max(bodies[2].angular_velocity.y.abs());
            most = most.max(fastest);
        }
        // what was stored at the start is stored no more
        let elastic = if spring.contains("rest") { f64::INFINITY } else { 4.0 };
        assert!(most <= elastic * (1.0 + 1e-9) && most < 1e5, "{spring}: {most}");
        let bodies = &built.world.state().bodies;
        assert!(bodies[1].velocity.x.abs() <= 4.0 + 1e-6, "{spring}: {}", bodies[1].velocity.x);
    }
}

#[test]
fn springs_that_are_none_are_told() {
    let told = |spring: &str| {
        let text = format!(
            "windlass = 2\n[bodies]\na = {{ type = \"static\" }}\nb = {{ mass = 1, inertia = [1, 1, 1] }}\n\
             [joints.j.slider]\nbodies = [\"a\", \"b\"]\naxis = [1, 0, 0]\nspring = {spring}\n"
        );
        parse(&text, "bad").and_then(|scene| scene.build()).expect_err(spring).to_string()
    };
    for (spring, word) in [
        ("{}", "without stiffness or damping"),
        ("{ stiffness = 0 }", "without stiffness or damping"),
        ("{ stiffness = 5, table = { stretch = [0, 1], force = [0, 1] } }", "a `table` and a stiffness"),
        ("{ table = { stretch = [0, 1], force = [0] } }", "one force per stretch"),
        ("{ table = { stretch = [0, \"1 kg\"], force = [0, 1] } }", "is a mass, not a length"),
        ("{ cubic = \"3 N/m\" }", "`cubic`"),
        ("{ quadratic_damping = -1 }", "`quadratic_damping` is -1"),
    ] {
        let text = told(spring);
        assert!(text.contains(word), "{spring}: {text}");
    }
}

/// A spring of 1 kN/m beside one of 5 kN/m that slides at 20 N, moved to and fro by 10 mm: the loop of force over way has the area
/// 4 f (A − f/k) of what slides, and the force at its ends is k₀ A + f. A second element adds its own.
#[test]
fn hysteresis_takes_the_energy_of_its_loop() {
    let elements = "[{ stiffness = 5000, force = 20 }, { stiffness = 2000, force = 12 }]";
    for stepper in INTEGRATORS {
        let mut built = build(&format!(
            "windlass = 2\n[settings]\nintegrator = \"{stepper}\"\ndt = 1e-3\ngravity = [0, 0, 0]\n[bodies]\nwall = {{ type = \"static\" }}\n\
             block = {{ mass = 1e-3, inertia = [1, 1, 1] }}\n[joints.way.slider]\nbodies = [\"wall\", \"block\"]\naxis = [1, 0, 0]\n\
             prescribed = {{ sine = {{ amplitude = 0.01, frequency = 0.5 }} }}\nspring = {{ stiffness = 1000, hysteresis = {elements} }}\n"
        ));
        let id = built.world.model().joint("way").expect("a joint");
        let look = |built: &mut Built| {
            built.world.inspect().coordinate(id, 0).map(|c| (c.value, c.effort)).expect("a way")
        };
        let (mut last, mut work, mut most) = (look(&mut built), 0.0, 0.0f64);
        for n in 1..=5000 {
            step(&mut built);
            let now = look(&mut built);
            // the first loop and a half are not counted: it begins in the middle
            if n > 3000 {
                work += 0.5 * (now.1 + last.1) * (now.0 - last.0);
                most = most.max(now.1);
            }
            last = now;
        }
        let wanted = 4.0 * 20.0 * (0.01 - 20.0 / 5000.0) + 4.0 * 12.0 * (0.01 - 12.0 / 2000.0);
        // forces of `spook` are means over a step: 1/2000 of a cycle late
        assert!((work / wanted - 1.0).abs() < 5e-3, "{stepper}: {work} J, not {wanted} J");
        assert!((most - (10.0 + 20.0 + 12.0)).abs() < 0.05, "{stepper}: {most} N");
    }
}

/// A state that is put back goes on to the bit: where sliders stand is a part of it.
#[test]
fn sliders_are_a_part_of_the_state() {
    let text = "{ stiffness = 300, hysteresis = [{ stiffness = 2000, force = 5 }] }";
    let mut built = pair("dt = 0.01", text, 2.0);
    (0..30).for_each(|_| step(&mut built));
    let kept = built.world.state().clone();
    (0..50).for_each(|_| step(&mut built));
    let ended = built.world.state().hash();
    built.world.restore(kept).expect("a state of this world");
    (0..50).for_each(|_| step(&mut built));
    assert_eq!(built.world.state().hash(), ended);
    // and friction ends the swing, off the middle
    (0..4000).for_each(|_| step(&mut built));
    let now = built.world.inspect().energy();
    assert!(now.kinetic < 0.2 && now.total() < 1.0, "{now:?}");
}

/// A damper through points: under a constant force the speed settles where the table has that force, in each direction
/// its own.
#[test]
fn dampers_through_points_differ_in_bump_and_rebound() {
    for stepper in INTEGRATORS {
        for (force, speed) in [(50.0, 0.5), (150.0, 1.25), (-150.0, -0.5)] {
            let mut built = build(&format!(
                "windlass = 2\n[settings]\ngravity = [0, 0, 0]\nintegrator = \"{stepper}\"\ndt = 0.01\n[bodies]\n\
                 wall = {{ type = \"static\" }}\nblock = {{ mass = 2, inertia = [1, 1, 1] }}\n\
                 [joints.way.slider]\nbodies = [\"wall\", \"block\"]\naxis = [1, 0, 0]\n\
                 spring.damping_table = {{ speed = [-1, 0, 1, 2], force = [-300, 0, 100, 300] }}\n\
                 [forces.push.applied]\nbody = \"block\"\nforce = [{force}, 0, 0]\n"
            ));
            (0..200).for_each(|_| step(&mut built));
            let found = built.world.state().bodies[1].velocity.x;
            assert!((found - speed).abs() < 1e-6, "{stepper}: {found} m/s under {force} N, for {speed}");
        }
    }
}

#[test]
fn a_damper_that_pushes_is_an_error() {
    for table in [
        "speed = [-1, 0, 1], force = [-3, 0, -1]",
        "speed = [-1, 1], force = [-3, 3]",
        "speed = [], force = []",
    ] {
        let text = format!(
            "windlass = 2\n[bodies]\nwall = {{ type = \"static\" }}\nblock = {{ mass = 2, inertia = [1, 1, 1] }}\n\
             [joints.way.slider]\nbodies = [\"wall\", \"block\"]\naxis = [1, 0, 0]\nspring.damping_table = {{ {table} }}\n"
        );
        let error = parse(&text, "damper").and_then(|scene| scene.build().map(drop)).unwrap_err().to_string();
        assert!(error.contains("damper") && error.contains("0 at the speed 0"), "{error}");
    }
}
