//! Closed loops, redundant rows, ropes over pulleys, contacts, friction: coordinates, degrees of freedom, warnings.

use crate::kit::{machine, near};
use nalgebra::dmatrix;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use windlass_analysis::{
    AnalysisError, ModeKind, Options, equilibrium, equilibrium_until, linearize, linearize_until,
};
use windlass_host::Machine;

fn scene(path: &str) -> Machine {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(path);
    Machine::open(path.as_path(), &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// The four-bar linkage has one degree of freedom, whatever its redundant hinges.
#[test]
fn a_four_bar_linkage_has_one_coordinate() {
    let mut machine = scene("mechanism/four_bar.toml");
    for _ in 0..10 {
        machine.step().unwrap();
    }
    let found = linearize(&machine, &[], &[], &Options::default()).unwrap();
    assert_eq!(found.coordinates.len(), 1);
    assert_eq!(found.coordinates[0].name, "joints.motor.value");
    // its motor turns it at a speed: nothing after the step depends on the rate before it, and the rate depends on the
    // angle only because velocities of a step are projected on the constraints at its end, which is of order h
    near(&found.a.rows(0, 1).into_owned(), &dmatrix![1.0, 0.0], 1e-9);
    assert!(found.a[(1, 1)].abs() < 1e-9 && found.a[(1, 0)].abs() < 2.0 * found.dt, "{}", found.a);
}

/// Two weights on a rope over a pulley without friction: the rope stretches, and both move as one.
///
///   ω² = k (1/m₁ + 1/m₂),   coasting
const ATWOOD: &str = r#"
    windlass = 2
    [settings]
    dt = 0.001
    gravity = [0, 0, 0]
    collide = false
    [sections.wire]
    diameter = 0.01
    mass_per_length = 0.1
    axial_stiffness = 1e5
    [bodies.beam]
    type = "static"
    [bodies.left]
    position = [-0.5, 0, -5]
    mass = 20
    inertia = [1, 1, 1]
    [bodies.right]
    position = [0.5, 0, -5]
    mass = 30
    inertia = [1, 1, 1]
    [joints.left_guide]
    slider = { bodies = ["beam", "left"], axis = [0, 0, 1] }
    [joints.right_guide]
    slider = { bodies = ["beam", "right"], axis = [0, 0, 1] }
    [cables.wire]
    section = "wire"
    tension = 100
    route = [
      { attach = "left", at = [-0.5, 0, -5] },
      { ring = "beam", at = [-0.5, 0, 0] },
      { ring = "beam", at = [0.5, 0, 0] },
      { attach = "right", at = [0.5, 0, -5] },
    ]
"#;

#[test]
fn weights_on_a_rope_coast_together_and_vibrate_against_each_other() {
    let machine = machine(ATWOOD);
    let found = linearize(&machine, &[], &[], &Options::default()).unwrap();
    assert_eq!(found.coordinates.len(), 2);
    let modes = found.modes().unwrap();
    let length = 11.0;
    let k = 1e5 / length;
    let omega = libm::sqrt(k * (1.0 / 20.0 + 1.0 / 30.0));
    let vibration = modes.iter().find(|m| m.kind == ModeKind::Oscillating).expect("the rope stretches");
    let frequency = omega / (2.0 * std::f64::consts::PI);
    assert!((vibration.frequency / frequency - 1.0).abs() < 2e-3, "{} {frequency}", vibration.frequency);
}

/// A box of 2 kg at rest on the ground: it cannot fall; friction holds it.
#[test]
fn a_box_on_the_ground_keeps_its_contacts() {
    let mut machine = machine(
        r#"
        windlass = 2
        [settings]
        dt = 0.01
        [bodies.ground]
        type = "static"
        shape = { plane = {} }
        [bodies.box]
        position = [0, 0, 0.1]
        shape = { box = { size = [0.2, 0.2, 0.2] } }
        density = 250
        "#,
    );
    for _ in 0..50 {
        machine.step().unwrap();
    }
    let found = linearize(&machine, &[], &[], &Options::default()).unwrap();
    assert_eq!(found.coordinates.len(), 3, "{:?}", found.coordinates);
    assert!(found.warnings.iter().any(|w| w.contains("contacts that bear")), "{:?}", found.warnings);
}

/// A pendulum 0.9 rad from its lowest point, and a servo whose target must carry it there.
#[test]
fn equilibria_are_found_with_coordinates_and_with_inputs() {
    let text = r#"
        windlass = 2
        [settings]
        dt = 0.01
        gravity = [0, 0, -10]
        [bodies.post]
        type = "static"
        [bodies.bob]
        position = [1, 0, -1]
        mass = 2
        inertia = [0.05, 0.05, 0.05]
        [joints.pivot]
        hinge = { bodies = ["post", "bob"], at = [0, 0, 0], axis = [0, 1, 0] SERVO }
    "#;
    let found = equilibrium(&machine(&text.replace("SERVO", "")), &[]).unwrap();
    assert!(found.converged && found.residual < 1e-9, "{found:?}");
    let bob = found.state.bodies[1].position;
    assert!((bob.x).abs() < 1e-9 && (bob.z + libm::sqrt(2.0)).abs() < 1e-9, "{bob}");
    // from the horizontal it falls; from 0.05 rad beside the top it is found at the top
    for (position, z) in [("[1, 0, 0]", -1.0), ("[0.05, 0, 1]", 1.0)] {
        let text = text.replace("SERVO", "").replace("[1, 0, -1]", position);
        let found = equilibrium(&machine(&text), &[]).unwrap();
        let bob = found.state.bodies[1].position.normalize();
        assert!(found.converged && (bob.z - z).abs() < 1e-9, "{position}: {found:?}");
    }
    // k (target − q) = m g L sin(q − 45°)
    let servo = text.replace("SERVO", ", servo = { target = 0, stiffness = 100 }")
        + "[inputs.aim]\nrange = [-2, 2]\ndrives = [{ joint = \"pivot\" }]";
    let held = machine(&servo);
    let found = equilibrium(&held, &["aim"]).unwrap();
    assert!(found.converged, "{found:?}");
    let q = found.coordinates[0].1;
    let torque = 2.0 * 10.0 * libm::sqrt(2.0) * libm::sin(q - std::f64::consts::FRAC_PI_4);
    assert!((100.0 * (found.inputs[0].1 - q) - torque).abs() < 1e-6, "{found:?}");
}

/// A load on a drive at rest creeps: the row of a drive is regularized, and no displacement changes that.
#[test]
fn a_crane_whose_drives_are_at_rest_has_an_equilibrium() {
    for path in ["learn/antisway.toml", "crane/operated.toml"] {
        let found = equilibrium(&scene(path), &[]).unwrap();
        assert!(found.converged && found.residual < 1e-6, "{path}: {} {}", found.residual, found.iterations);
        let mut machine = scene(path);
        machine.restore(&found.state).unwrap();
        let before = machine.save();
        (0..60).for_each(|_| drop(machine.world_mut().step()));
        let moved = before.bodies.iter().zip(&machine.world().state().bodies);
        let most = moved.map(|(a, b)| a.position.distance(b.position)).fold(0.0, f64::max);
        assert!(most < 1e-5, "{path}: moves by {most} m in a second");
    }
}

#[test]
fn whoever_waits_can_stop() {
    let machine = scene("learn/antisway.toml");
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 3;
    let stopped = linearize_until(&machine, &[], &[], &Options::default(), &stop);
    assert!(matches!(stopped, Err(AnalysisError::Stopped)), "{stopped:?}");
    asked.store(0, Ordering::Relaxed);
    let stopped = equilibrium_until(&scene("mechanism/pendulum.toml"), &[], &stop);
    assert!(matches!(stopped, Err(AnalysisError::Stopped)), "{stopped:?}");
}

#[test]
fn errors_name_the_remedy() {
    let machine = scene("crane/operated.toml");
    let told = |inputs: &[&str], outputs: &[&str]| {
        linearize(&machine, inputs, outputs, &Options::default()).unwrap_err().to_string()
    };
    assert!(told(&["slw"], &[]).contains("slew"), "{}", told(&["slw"], &[]));
    assert!(told(&[], &["bodies.lod.speed"]).contains("bodies.lod.speed"));
    let step = Options { step: 0.0 };
    assert!(linearize(&machine, &[], &[], &step).unwrap_err().to_string().contains("1e-4"));
    let still = crate::kit::machine("windlass = 2\n[bodies.ground]\ntype = \"static\"\n");
    assert!(linearize(&still, &[], &[], &Options::default()).unwrap_err().to_string().contains("can move"));
}
