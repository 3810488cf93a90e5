//! Modes against closed forms and against runs.

use crate::kit::{linear, machine};
use windlass_analysis::{Linearization, Mode, ModeKind, Options, equilibrium, linearize};

const G: f64 = 9.81;

fn oscillating(found: &Linearization) -> Vec<Mode> {
    let modes = found.modes().expect("eigenvalues");
    modes.into_iter().filter(|mode| mode.kind == ModeKind::Oscillating).collect()
}

/// A point load on a string of length L with mass ρ per length: J₂(w₀) Y₀(w_L) = Y₂(w₀) J₀(w_L), w = 2ω√(ξ/g),
/// ξ from M/ρ to M/ρ + L. The first root above a frequency [rad/s].
fn string_with_load(load: f64, density: f64, length: f64, above: f64) -> f64 {
    let value = |omega: f64| {
        let w = |xi: f64| 2.0 * omega * libm::sqrt(xi / G);
        let (low, high) = (w(load / density), w(load / density + length));
        libm::jn(2, low) * libm::y0(high) - libm::yn(2, low) * libm::j0(high)
    };
    let (mut a, step) = (above, 0.01);
    while value(a) * value(a + step) > 0.0 {
        a += step;
    }
    let mut b = a + step;
    for _ in 0..60 {
        let middle = 0.5 * (a + b);
        if value(a) * value(middle) <= 0.0 { b = middle } else { a = middle }
    }
    0.5 * (a + b)
}

fn hanging(elements: usize) -> String {
    format!(
        r#"
        windlass = 2
        [settings]
        dt = 0.001
        gravity = [0, 0, -{G}]
        collide = false
        [sections.wire]
        diameter = 0.01
        mass_per_length = 2
        axial_stiffness = 1e7
        bending_stiffness = 0
        torsional_stiffness = 0
        [bodies.hook]
        type = "static"
        [bodies.load]
        position = [0, 0, -10]
        mass = 30
        inertia = [1, 1, 1]
        [cables.wire]
        section = "wire"
        start = {{ body = "hook", at = [0, 0, 0] }}
        end = {{ body = "load", at = [0, 0, -10] }}
        elements = {elements}
        "#
    )
}

/// The first three transverse modes; the discretisation is of second order in the elements, so that two of them
/// extrapolate to the string.
#[test]
fn a_hanging_cable_has_the_modes_of_a_string_with_a_load() {
    let [coarse, fine] = [8, 16].map(|elements| {
        let mut machine = machine(&hanging(elements));
        // at the start it is unstretched
        let hangs = equilibrium(&machine, &[]).unwrap();
        assert!(hangs.converged, "{} {}", hangs.residual, hangs.iterations);
        machine.restore(&hangs.state).unwrap();
        let found = linearize(&machine, &[], &[], &Options::default()).unwrap();
        let mut list: Vec<f64> = oscillating(&found).iter().map(|m| m.frequency).collect();
        // two planes: each frequency twice
        list.dedup_by(|b, a| (*b - *a).abs() < 1e-4 * *a);
        list
    });
    let mut omega = 0.1;
    for k in 0..3 {
        omega = string_with_load(30.0, 2.0, 10.0, omega + 0.05);
        let expected = omega / (2.0 * std::f64::consts::PI);
        let found = fine[k] + (fine[k] - coarse[k]) / 3.0;
        assert!(
            (found / expected - 1.0).abs() < 1e-4,
            "mode {k}: {found} Hz, {expected} Hz ({coarse:?} {fine:?})"
        );
    }
}

const DAMPED: &str = r#"
    windlass = 2
    [settings]
    dt = 0.02
    [bodies.post]
    type = "static"
    [bodies.bob]
    position = [0, 0, -1.5]
    mass = 2
    inertia = [0.05, 0.05, 0.05]
    [joints.pivot]
    hinge = { bodies = ["post", "bob"], at = [0, 0, 0], axis = [0, 1, 0], damping = 1.5 }
"#;

/// A vibration obeys x₊ = trace x − det x₋ from step to step: both from a run by least squares.
fn recurrence(x: &[f64]) -> (f64, f64) {
    let sum = |f: &dyn Fn(&[f64]) -> f64| x[1..].windows(3).map(f).sum::<f64>();
    let (xx, xy, yy) = (sum(&|w| w[1] * w[1]), sum(&|w| w[1] * w[0]), sum(&|w| w[0] * w[0]));
    let (bx, by) = (sum(&|w| w[2] * w[1]), sum(&|w| w[2] * w[0]));
    let det = xx * yy - xy * xy;
    ((bx * yy - by * xy) / det, -(by * xx - bx * xy) / det)
}

#[test]
fn eigenvalues_are_those_of_a_measured_decay() {
    let mut machine = machine(DAMPED);
    let found = linearize(&machine, &[], &[], &Options::default()).unwrap();
    let mode = &oscillating(&found)[0];
    let mut state = machine.save();
    state.bodies[1].angular_velocity = glam::DVec3::Y * 1e-4;
    state.bodies[1].velocity = glam::DVec3::X * -1.5e-4;
    machine.restore(&state).unwrap();
    let pivot = machine.world().model().joint("pivot").unwrap();
    let swing: Vec<f64> = (0..300)
        .map(|_| {
            machine.step().unwrap();
            machine.world().coordinate(pivot, 0).unwrap()
        })
        .collect();
    let (trace, product) = recurrence(&swing);
    let [re, im] = mode.eigenvalue;
    assert!((2.0 * re - trace).abs() < 1e-7, "{} against {trace}", 2.0 * re);
    assert!((re * re + im * im - product).abs() < 1e-7, "{} against {product}", re * re + im * im);
}

/// A ball pendulum swings in two planes with one frequency and turns about its axis: shapes are independent.
#[test]
fn repeated_modes_have_independent_shapes_and_free_rotation_is_a_rigid_body_mode() {
    let found = linear(
        r#"
        windlass = 2
        [settings]
        dt = 0.01
        [bodies.post]
        type = "static"
        [bodies.bob]
        position = [0, 0, -1.5]
        mass = 2
        inertia = [0.05, 0.05, 0.05]
        [joints.pivot]
        ball = { bodies = ["post", "bob"], at = [0, 0, 0] }
        "#,
        &[],
        &[],
    );
    let all = found.modes().unwrap();
    assert_eq!(all.iter().filter(|m| m.kind == ModeKind::RigidBody).count(), 1, "{all:?}");
    let rigid = &all[0].shape[0];
    assert!((rigid.rotation[0].z.abs() - 1.0).abs() < 1e-6 && rigid.displacement[0].length() < 1e-6);
    let swings = oscillating(&found);
    assert_eq!(swings.len(), 2);
    let shape = |k: usize| swings[k].shape[0].displacement;
    let cross = shape(0)[0].cross(shape(1)[0]).length() + shape(0)[1].cross(shape(1)[1]).length();
    assert!(cross > 0.1, "{swings:?}");
    assert!((swings[0].frequency - swings[1].frequency).abs() < 1e-6);
}

/// A box that floats heaves, with the frequency of a run from 1 mm above its draft, rolls and pitches; in the plane of
/// the water nothing brings it back.
#[test]
fn a_floating_box_heaves_rolls_and_pitches() {
    let mut machine = machine(
        r#"
        windlass = 2
        [settings]
        dt = 0.01
        gravity = [0, 0, -9.81]
        [fluids.lake]
        material = "water"
        surface = 0
        [bodies.barge]
        position = [0, 0, 0.05]
        shape = { box = { size = [4, 2, 0.5] } }
        density = 500
        "#,
    );
    let floats = equilibrium(&machine, &[]).unwrap();
    assert!(floats.converged, "{floats:?}");
    assert_eq!(floats.indifferent.len(), 3, "{:?}", floats.indifferent);
    machine.restore(&floats.state).unwrap();
    let found = linearize(&machine, &[], &[], &Options::default()).unwrap();
    let modes = found.modes().unwrap();
    let count = |kind: ModeKind| modes.iter().filter(|m| m.kind == kind).count();
    assert_eq!((count(ModeKind::RigidBody), count(ModeKind::Oscillating)), (3, 3), "{modes:#?}");
    let heaves = |m: &&Mode| m.shape[0].displacement[0].z.abs() > 0.9 && m.kind == ModeKind::Oscillating;
    let heaves_at = modes.iter().find(heaves).expect("it heaves");
    let mut state = floats.state.clone();
    let draft = state.bodies[0].position.z;
    state.bodies[0].position.z += 1e-3;
    machine.restore(&state).unwrap();
    let heave: Vec<f64> = (0..400)
        .map(|_| {
            machine.step().unwrap();
            machine.world().state().bodies[0].position.z - draft
        })
        .collect();
    let zero = |(k, w): (usize, &[f64])| (w[0] * w[1] <= 0.0).then(|| k as f64 + w[0] / (w[0] - w[1]));
    let zeros: Vec<f64> = heave.windows(2).enumerate().filter_map(zero).collect();
    let [first, .., last] = zeros.as_slice() else { panic!("{zeros:?}") };
    let half_period = (last - first) / (zeros.len() - 1) as f64 * found.dt;
    let frequency = heaves_at.frequency;
    // what the fluid remembers of the last step is held in the differences: 4e-4 of the frequency
    assert!((2.0 * half_period * frequency - 1.0).abs() < 1e-3, "{frequency} Hz, {} Hz", 0.5 / half_period);
}
