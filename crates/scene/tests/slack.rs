//! Cables that go slack and snap taut: a rope never pushes more than its buckling load, and no snap gains energy.

use windlass_scene::{Built, parse};

fn build(text: &str) -> Built {
    parse(text, "slack").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// What a run showed.
#[derive(Debug)]
struct Outcome {
    /// The largest energy of motion and height over that of the start, in parts of what the fall gives.
    gain: f64,
    /// Largest and smallest tension of any link [N].
    tension: [f64; 2],
    /// How high the load came after its first turn [m].
    rebound: f64,
}

/// Runs a scene whose second body is the load.
fn run(built: &mut Built, steps: usize, fall: f64) -> Outcome {
    let load = built.bodies[1].index();
    let (mut start, mut highest) = (f64::NAN, f64::NEG_INFINITY);
    let mut out =
        Outcome { gain: 0.0, tension: [f64::NEG_INFINITY, f64::INFINITY], rebound: f64::NEG_INFINITY };
    let (mut before, mut turns) = (f64::INFINITY, 0);
    for k in 0..steps {
        let energy = built.world.inspect().energy();
        let energy = energy.kinetic + energy.potential;
        start = if k == 0 { energy } else { start };
        highest = highest.max(energy);
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        for reading in built.cables[0].id.readings(&built.world) {
            out.tension = [out.tension[0].max(reading.tension), out.tension[1].min(reading.tension)];
        }
        let height = built.world.state().bodies[load].position.z;
        // up after the first turn, down after the second
        turns += usize::from((height > before) == (turns % 2 == 0));
        if turns == 1 {
            out.rebound = out.rebound.max(height);
        }
        before = height;
    }
    out.gain = (highest - start) / fall;
    out
}

/// A load on 10 m of rope of 50 elements below a jib.
fn load_on_rope(
    (step, gravity): (usize, f64),
    (mass, inertia): (f64, f64),
    (position, speed): ([f64; 3], f64),
    section: &str,
) -> Built {
    build(&format!(
        r#"
        windlass = 2
        [settings]
        dt = "1/{step} s"
        gravity = [0, 0, {gravity:?}]
        [bodies.jib]
        type = "static"
        [bodies.load]
        position = {position:?}
        velocity = [0, 0, {speed:?}]
        mass = {mass:?}
        inertia = {inertia:?}
        [cables.rope]
        section = {{ {section} }}
        start = {{ body = "jib", at = [0, 0, 0] }}
        end = {{ body = "load", at = {position:?} }}
        length = 10
        elements = 50
        collide = false
        "#,
        inertia = [inertia; 3]
    ))
}

/// Elements of 1 kg without bending stiffness; EA is 333 times the weight of all.
fn hoist(ratio: f64, position: [f64; 3], speed: f64, step: usize) -> Built {
    let stiffness = 3330.0 * (ratio + 50.0);
    let section = format!(
        "diameter = 0.02, mass_per_length = 5, axial_stiffness = {stiffness:?}, bending_stiffness = 0, torsional_stiffness = 0"
    );
    load_on_rope((step, -10.0), (ratio, 0.025 * ratio), (position, speed), &section)
}

/// A fall of 1 m and of 5 m, to the side, swings from 30°, 90° and 150°, thrown up at 8 m/s; with the height that gives energy.
const SCENES: [(&str, [f64; 3], f64, f64); 7] = [
    ("1 m", [0.0, 0.0, -9.0], 0.0, 1.0),
    ("5 m", [0.0, 0.0, -5.0], 0.0, 5.0),
    ("aside", [5.0, 0.0, -5.0], 0.0, 5.0),
    ("30°", [5.0, 0.0, -8.660254037844387], 0.0, 1.34),
    ("90°", [10.0, 0.0, 0.0], 0.0, 10.0),
    ("150°", [5.0, 0.0, 8.660254037844387], 0.0, 18.66),
    ("thrown", [0.0, 0.0, -10.0], 8.0, 3.2),
];

/// Loads of 1 to 10⁹ elements, in all scenes at one step.
fn ladder(step: usize) {
    let mut failures = Vec::new();
    for ratio in [1.0, 1e2, 1e4, 1e6, 1e9] {
        for (name, position, speed, height) in SCENES {
            let weight = 10.0 * (ratio + 50.0);
            let out = run(&mut hoist(ratio, position, speed, step), 4 * step, weight * height);
            // what pushes is the rope itself where it is folded over and its elements meet their stops: 50 kg of it
            let push = -out.tension[1] / weight;
            let most = if ratio < 1e4 { 5.0 } else { 5e3 / ratio };
            if out.gain > 1e-9 || push > most {
                failures.push(format!("{ratio:e}, {name}, 1/{step} s: {out:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn no_snap_gains_energy_at_a_thirtieth() {
    ladder(30);
}

#[test]
fn no_snap_gains_energy_at_a_sixtieth() {
    ladder(60);
}

#[test]
fn no_snap_gains_energy_at_a_hundred_and_twentieth() {
    ladder(120);
}

#[test]
fn no_snap_gains_energy_at_a_two_hundred_and_fortieth() {
    ladder(240);
}

/// 5 t fall 1 m into wire rope of 20 mm, plumb or from beside it.
fn wire_rope(x: f64, step: usize) -> Built {
    let section = r#"construction = "6x36 IWRC", diameter = "20 mm", breaking_load = "1e12 N""#;
    load_on_rope((step, -9.81), (5000.0, 1500.0), ([x, 0.0, -9.0], 0.0), section)
}

/// A wire rope bears in compression no more than π² EI/(2l)² of two of its elements, which is 0.25 % of the weight.
#[test]
fn a_wire_rope_does_not_push_its_load_down() {
    for x in [0.0, 0.5] {
        for step in [30, 60, 120, 1000] {
            let mut built = wire_rope(x, step);
            let section = built.world.model().cables().iter().next().unwrap().1.section;
            let euler = section.bend * (std::f64::consts::PI / (2.0 * 0.2)).powi(2);
            let out = run(&mut built, 4 * step, 5000.0 * 9.81);
            assert!(out.tension[1] > -1.001 * euler && euler < 130.0, "{x} m, 1/{step} s: {out:?} {euler}");
            assert!(out.gain < 1e-6, "{x} m, 1/{step} s: {out:?}");
        }
    }
}

/// The first peak of the tension of a load that falls into its rope is W + √(W² + 2 W h k), and it comes back to where it began: a
/// point mass on a massless spring that only pulls.
fn bounce(step: usize, peak: f64, rebound: f64) {
    for ratio in [1e6, 1e9] {
        for (fall, height) in [(1.0, -9.0), (5.0, -5.0)] {
            let (weight, stiffness) = (10.0 * ratio, 333.0 * (ratio + 50.0));
            let want = weight + f64::sqrt(weight * weight + 2.0 * weight * fall * stiffness);
            let out = run(&mut hoist(ratio, [0.0, 0.0, height], 0.0, step), 3 * step, weight * fall);
            let off = (out.tension[0] / want - 1.0).abs();
            assert!(off < peak, "{ratio:e}, {fall} m, 1/{step} s: peak off by {off}, {out:?}");
            let off = (out.rebound - height).abs() / fall;
            assert!(off < rebound, "{ratio:e}, {fall} m, 1/{step} s: rebound off by {off}, {out:?}");
        }
    }
}

#[test]
fn a_bounce_is_that_of_the_spring() {
    bounce(1000, 0.01, 0.01);
    bounce(240, 0.01, 0.02);
    bounce(60, 0.08, 0.15);
}
