//! Cables that touch each other, themselves and floors: held in one point, knotted, coiled. No solver gains energy on them.

use std::fmt::Write;
use windlass_engine::prelude::{Solver, World};
use windlass_scene::{Built, parse};

fn build(text: &str) -> Built {
    parse(text, "touching").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// The largest pull in a cable [N].
fn largest_pull(built: &Built, cable: usize) -> f64 {
    let readings = built.cables[cable].id.readings(&built.world);
    readings.iter().fold(0.0, |m: f64, reading| m.max(reading.tension))
}

/// Energy of motion and height [J].
fn mechanical(world: &mut World) -> f64 {
    let energy = world.inspect().energy();
    energy.kinetic + energy.potential
}

/// Runs, and returns the largest energy of motion and height on the way and the number of steps that stalled.
fn largest_energy(built: &mut Built, steps: usize) -> (f64, usize) {
    let (mut largest, mut stalled) = (f64::NEG_INFINITY, 0);
    for _ in 0..steps {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        stalled += report.stalled;
        largest = largest.max(mechanical(&mut built.world));
    }
    (largest, stalled)
}

/// Two legs that start in one point of a hook overlap there by construction. Each bears half the load of 1000 kg over the cosine of
/// its angle, and half of the legs' weight: 5501 N at the top.
#[test]
fn legs_of_a_sling_on_one_hook_bear_half_each() {
    let mut built = build(
        r#"
        windlass = 2
        [settings]
        dt = "1/60 s"
        [bodies]
        hook = { type = "static" }
        load = { position = [0, 0, -4.25], shape = { box = { size = [4, 1, 0.5] } }, mass = 1000 }
        [cables.left]
        section = { construction = "6x36 IWRC", diameter = "20 mm" }
        start = { body = "hook", at = [0, 0, 0] }
        end = { body = "load", at = [-1.9, 0, -4] }
        [cables.right]
        section = { construction = "6x36 IWRC", diameter = "20 mm" }
        start = { body = "hook", at = [0, 0, 0] }
        end = { body = "load", at = [1.9, 0, -4] }
        "#,
    );
    let start = mechanical(&mut built.world);
    let (largest, _) = largest_energy(&mut built, 300);
    assert!(largest < start + 1.0, "{largest} J from {start} J");
    for cable in 0..2 {
        let pull = largest_pull(&built, cable);
        assert!((pull - 5501.0).abs() < 15.0, "{pull} N");
    }
}

/// A ring of cable whose two ends are held in one point of a small body, thrown on a floor.
fn ring(floor: &str) -> Built {
    let mut path = String::new();
    for k in 0..=60 {
        let angle = std::f64::consts::TAU * f64::from(k) / 60.0;
        write!(path, "[{:.9}, {:.9}, 2],", libm::cos(angle), libm::sin(angle)).unwrap();
    }
    build(&format!(
        r#"
        windlass = 2
        [settings]
        dt = "1/60 s"
        [bodies]
        knot = {{ position = [1, 0, 2], mass = 0.1, inertia = [1e-4, 1e-4, 1e-4] }}
        {floor}
        [cables.ring]
        section = {{ diameter = 0.02, mass_per_length = 1.6, axial_stiffness = 1.8e7, bending_stiffness = 2, torsional_stiffness = 1.5 }}
        path = [{path}]
        start = {{ body = "knot", at = [1, 0, 2] }}
        end = {{ body = "knot", at = [1, 0, 2] }}
        elements = 60
        "#
    ))
}

/// Falling freely it bears what its bend asks for, and nothing pushes its ends apart.
#[test]
fn both_ends_of_a_ring_in_one_knot_do_not_fight() {
    let mut built = ring("");
    // its bend is let go
    let start = built.world.inspect().energy().total();
    for _ in 0..30 {
        let (largest, _) = largest_energy(&mut built, 1);
        let pull = largest_pull(&built, 0);
        assert!(largest < start && pull < 80.0, "{largest} J from {start} J, {pull} N");
    }
}

/// On the floor it lies still, with friction at every element.
#[test]
fn a_ring_on_a_floor_comes_to_rest() {
    let mut built = ring(r#"floor = { type = "static", shape = { plane = {} } }"#);
    built.world.set(|s| s.contact.solver = Solver::Split).unwrap();
    let start = mechanical(&mut built.world);
    let (largest, stalled) = largest_energy(&mut built, 180);
    assert!(largest < 1.01 * start, "{largest} J from {start} J");
    assert_eq!(stalled, 0);
    let end = built.world.inspect().energy();
    assert!(end.kinetic < 0.01 * start, "{end:?}");
}

/// A coil of rope of some turns, dropped on a floor.
fn coil(turns: f64, elements: usize, contact: &str) -> Built {
    let mut path = String::new();
    for k in 0..=f64::ceil(12.0 * turns) as usize {
        let (angle, radius) = (std::f64::consts::TAU * k as f64 / 12.0, 0.3 + 0.0015 * k as f64);
        let height = 0.3 + 0.1 * k as f64 / 12.0;
        write!(path, "[{:.6}, {:.6}, {height:.6}],", radius * libm::cos(angle), radius * libm::sin(angle))
            .unwrap();
    }
    build(&format!(
        r#"
        windlass = 2
        [settings]
        dt = "1/60 s"
        contact = {{ {contact} }}
        [bodies.floor]
        type = "static"
        shape = {{ plane = {{}} }}
        [cables.coil]
        section = {{ construction = "polyester double braid", diameter = "20 mm" }}
        path = [{path}]
        elements = {elements}
        "#
    ))
}

#[test]
fn coils_fall_together_and_lie_still() {
    for (turns, elements) in [(1.0, 20), (3.0, 60)] {
        for solver in ["split", "iterative"] {
            let mut built = coil(turns, elements, &format!("solver = \"{solver}\""));
            let start = mechanical(&mut built.world);
            let (largest, stalled) = largest_energy(&mut built, 180);
            assert!(largest < 1.02 * start, "{elements} {solver}: {largest} J from {start} J");
            assert_eq!(stalled, 0, "{elements} {solver}");
            let end = mechanical(&mut built.world);
            assert!(end < 0.2 * start, "{elements} {solver}: {end} J of {start} J");
            assert!(built.world.inspect().energy().kinetic < 1e-3 * start, "{elements} {solver}");
        }
    }
}

/// Where pivoting with friction does not settle, joints and normals are still solved.
#[test]
fn a_coil_under_the_direct_solver_gains_nothing() {
    for solver in ["auto", "direct"] {
        let mut built = coil(1.0, 20, &format!("solver = \"{solver}\""));
        let start = mechanical(&mut built.world);
        let (largest, _) = largest_energy(&mut built, 60);
        assert!(largest < 1.02 * start, "{solver}: {largest} J from {start} J");
    }
}
