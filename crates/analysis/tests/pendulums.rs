//! The discrete matrices of pendulums and of a gantry crane are those of their integrator, in closed form.
//!
//!   spook             q⁺ = q + h u, M (u − v) = −h K q      (velocities lag half a step)
//!   projected         1 + hA + (hA)²/2 + (hA)³/6 + (hA)⁴/24
//!   dormand-prince    e^(hA) up to its tolerance

use crate::kit::{exponential, linear, machine, near};
use nalgebra::{DMatrix, dmatrix};
use windlass_analysis::{ContinuousError, Method};

const G: f64 = 9.81;
const H: f64 = 0.01;

/// A nearly point-like bob of 2 kg with I = 0.002 kg·m² about y, 1.5 m below a hinge along y.
fn pendulum(settings: &str, joint: &str) -> String {
    format!(
        r#"
        windlass = 2
        [settings]
        gravity = [0, 0, -{G}]
        {settings}
        [bodies.post]
        type = "static"
        [bodies.bob]
        position = [0, 0, -1.5]
        mass = 2
        inertia = [0.002, 0.002, 0.002]
        [joints.pivot]
        hinge = {{ bodies = ["post", "bob"], at = [0, 0, 0], axis = [0, 1, 0]{joint} }}
        "#
    )
}

/// m L² + I
const MOMENT: f64 = 2.0 * 1.5 * 1.5 + 0.002;

/// ω² = m g L / (m L² + I)
const STIFFNESS: f64 = 2.0 * G * 1.5 / MOMENT;

/// The step of `spook` for M q̈ = −K q.
fn leapfrog(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>, h: f64) -> DMatrix<f64> {
    let n = mass.nrows();
    let k = mass.clone().try_inverse().unwrap() * stiffness;
    let mut a = DMatrix::identity(2 * n, 2 * n);
    a.view_mut((0, 0), (n, n)).copy_from(&(DMatrix::<f64>::identity(n, n) - &k * (h * h)));
    a.view_mut((0, n), (n, n)).copy_from(&(DMatrix::<f64>::identity(n, n) * h));
    a.view_mut((n, 0), (n, n)).copy_from(&(-k * h));
    a
}

/// The step of the classical Runge–Kutta method.
fn kutta(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>, h: f64) -> DMatrix<f64> {
    let a = first_order(mass, stiffness) * h;
    let one = DMatrix::<f64>::identity(a.nrows(), a.nrows());
    &one + &a + &a * &a / 2.0 + &a * &a * &a / 6.0 + &a * &a * &a * &a / 24.0
}

/// [0 1; −M⁻¹K 0]
fn first_order(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> DMatrix<f64> {
    let n = mass.nrows();
    let mut a = DMatrix::zeros(2 * n, 2 * n);
    a.view_mut((0, n), (n, n)).copy_from(&DMatrix::<f64>::identity(n, n));
    a.view_mut((n, 0), (n, n)).copy_from(&-(mass.clone().try_inverse().unwrap() * stiffness));
    a
}

/// The settings of every integrator, with its matrix.
fn integrators(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> [(&'static str, DMatrix<f64>); 3] {
    [
        ("dt = 0.01", leapfrog(mass, stiffness, H)),
        ("dt = 0.01\nintegrator = \"projected\"", kutta(mass, stiffness, H)),
        (
            "dt = 0.01\nintegrator = \"dormand-prince\"\ntolerance = 1e-11",
            exponential(&(first_order(mass, stiffness) * H)),
        ),
    ]
}

#[test]
fn a_pendulum_has_the_matrix_of_its_integrator() {
    for (settings, expected) in integrators(&dmatrix![MOMENT], &dmatrix![MOMENT * STIFFNESS]) {
        let found =
            linear(&pendulum(settings, ""), &[], &["joints.pivot.speed", "bodies.bob.center_of_mass.x"]);
        let states: Vec<_> = found.states().into_iter().map(|s| (s.name, s.unit)).collect();
        assert_eq!(states[0], ("joints.pivot.value".to_string(), "rad".to_string()), "{settings}");
        assert_eq!(states[1], ("joints.pivot.speed".to_string(), "rad/s".to_string()));
        assert!(found.error < 1e-8, "{settings}: {:e}", found.error);
        assert!(found.warnings.is_empty(), "{settings}: {:?}", found.warnings);
        near(&found.a, &expected, 1e-8);
        // speeds are those of the instant: half a step later under spook
        let late = if settings == "dt = 0.01" { -0.5 * H * STIFFNESS } else { 0.0 };
        near(&found.c, &dmatrix![late, 1.0; -1.5, 0.0], 1e-8);
    }
}

/// Two compound pendulums, M and K in absolute angles φ₁, φ₂; the states are φ₁ and φ₂ − φ₁.
#[test]
fn a_double_pendulum_has_the_matrix_of_its_integrator() {
    let [m1, m2, l1, l2, i1, i2, d] = [2.0, 3.0, 0.4, 0.7, 0.05, 0.08, 1.1];
    let absolute = dmatrix![m1 * l1 * l1 + i1 + m2 * d * d, m2 * d * l2; m2 * d * l2, m2 * l2 * l2 + i2];
    let gravity = dmatrix![(m1 * l1 + m2 * d) * G, 0.0; 0.0, m2 * l2 * G];
    let s = dmatrix![1.0, 0.0; 1.0, 1.0];
    let (mass, stiffness) = (s.transpose() * absolute * &s, s.transpose() * gravity * &s);
    for (settings, expected) in integrators(&mass, &stiffness) {
        let text = format!(
            r#"
            windlass = 2
            [settings]
            gravity = [0, 0, -{G}]
            {settings}
            [bodies.post]
            type = "static"
            [bodies.upper]
            position = [0, 0, -{l1}]
            mass = {m1}
            inertia = [{i1}, {i1}, {i1}]
            [bodies.lower]
            position = [0, 0, {}]
            mass = {m2}
            inertia = [{i2}, {i2}, {i2}]
            [joints.shoulder]
            hinge = {{ bodies = ["post", "upper"], at = [0, 0, 0], axis = [0, 1, 0] }}
            [joints.elbow]
            hinge = {{ bodies = ["upper", "lower"], at = [0, 0, -{d}], axis = [0, 1, 0] }}
            "#,
            -d - l2
        );
        let found = linear(&text, &[], &[]);
        assert_eq!(found.coordinates[1].name, "joints.elbow.value");
        near(&found.a, &expected, 1e-7);
    }
}

/// A trolley with a speed drive, and a load on a rod. The speed before the step is a state: it kicks the load.
///
///   u_x = U,   u_θ = v_θ − h k θ + (U − v_x)/L_e,   L_e = (m L² + I)/(m L)
fn gantry(motor: &str) -> String {
    format!(
        r#"
        windlass = 2
        [settings]
        dt = 0.01
        gravity = [0, 0, -{G}]
        [bodies.rail]
        type = "static"
        [bodies.trolley]
        mass = 800
        inertia = [100, 100, 100]
        [bodies.load]
        position = [0, 0, -8]
        mass = 2000
        inertia = [300, 300, 300]
        [joints.travel]
        slider = {{ bodies = ["rail", "trolley"], axis = [1, 0, 0]{motor} }}
        [joints.sway]
        hinge = {{ bodies = ["trolley", "load"], at = [0, 0, 0], axis = [0, 1, 0] }}
        "#
    )
}

const DRIVE: &str = r#"
    [inputs.travel]
    range = [-2, 2]
    rate = 0.5
    drives = [{ joint = "travel" }]
"#;

#[test]
fn a_gantry_crane_has_the_matrices_of_its_speed_drive() {
    let text = gantry(", motor = { speed = 0, force = 1e5 }") + DRIVE;
    let found = linear(&text, &["travel"], &["bodies.load.center_of_mass.x", "inputs.travel.actual"]);
    let moment = 2000.0 * 64.0 + 300.0;
    let (k, e) = (2000.0 * G * 8.0 / moment, 2000.0 * 8.0 / moment);
    let a = dmatrix![
        1.0, 0.0, 0.0, 0.0;
        0.0, 1.0 - H * H * k, -H * e, H;
        0.0, 0.0, 0.0, 0.0;
        0.0, -H * k, -e, 1.0];
    near(&found.a, &a, 1e-7);
    near(&found.b, &dmatrix![H; H * e; 1.0; e], 1e-7);
    near(&found.c, &dmatrix![1.0, -8.0, 0.0, 0.0; 0.0, 0.0, 0.0, 0.0], 1e-7);
    near(&found.d, &dmatrix![0.0; 1.0], 1e-7);
    assert_eq!(found.inputs[0].unit, "m/s");
    // the speed of the trolley ends within the step
    assert_eq!(found.continuous(Method::Logarithm).unwrap_err(), ContinuousError::EndsWithinStep);
}

#[test]
fn a_gantry_crane_without_drive_coasts_and_sways() {
    let found = linear(&gantry(""), &[], &[]);
    let moment = 2000.0 * 64.0 + 300.0;
    let mass = dmatrix![2800.0, -16000.0; -16000.0, moment];
    let stiffness = dmatrix![0.0, 0.0; 0.0, 2000.0 * G * 8.0];
    near(&found.a, &leapfrog(&mass, &stiffness, H), 1e-7);
}

/// The viscous friction of a joint acts on θ u + (1 − θ) v with θ = −1/expm1(−z) − 1/z for z = h c J M⁻¹ Jᵀ
/// (`regularize.rs`), where J M⁻¹ Jᵀ = 1/(m L² + I) on the hinge.
#[test]
fn a_damped_pendulum_has_the_matrix_of_its_damper() {
    let c = 0.8;
    let text = pendulum("dt = 0.01", &format!(", damping = {c}"));
    let found = linear(&text, &[], &[]);
    let z: f64 = H * c / MOMENT;
    let part = -1.0 / libm::expm1(-z) - 1.0 / z;
    let (before, after) = (1.0 - H * c / MOMENT * (1.0 - part), 1.0 + H * c / MOMENT * part);
    let (kept, fall) = (before / after, H * STIFFNESS / after);
    near(&found.a, &dmatrix![1.0 - H * fall, H * kept; -fall, kept], 1e-8);
}

/// The logarithm of the step converges to the equations of motion with the second order of the integrator, B too.
#[test]
fn the_continuous_model_converges_to_the_equations_of_motion() {
    let c = 0.8;
    let exact = dmatrix![0.0, 1.0; -STIFFNESS, -c / MOMENT];
    for method in [Method::Logarithm, Method::Bilinear] {
        let off = [0.02, 0.01].map(|h| {
            let text = pendulum(&format!("dt = {h}"), &format!(", damping = {c}"));
            let model = linear(&text, &[], &[]).continuous(method).unwrap();
            (model.a - &exact).amax()
        });
        assert!(off[0] < 2e-3, "{method:?}: {off:?}");
        let order = libm::log2(off[0] / off[1]);
        assert!((order - 2.0).abs() < 0.1, "{method:?}: order {order}, {off:?}");
    }
    // of the fourth-order integrator it is the equations of motion
    let text = pendulum("dt = 0.005\nintegrator = \"projected\"", &format!(", damping = {c}"));
    let model = linear(&text, &[], &["joints.pivot.speed"]).continuous(Method::Logarithm).unwrap();
    near(&model.a, &exact, 1e-6);
    near(&model.c, &dmatrix![0.0, 1.0], 1e-8);
}

/// A servo moves its target: u is an acceleration k/M of the joint.
#[test]
fn the_input_of_a_continuous_model_is_that_of_the_equations_of_motion() {
    let text = |h: f64| {
        pendulum(&format!("dt = {h}"), ", servo = { target = 0, stiffness = 40, damping = 2 }")
            + "[inputs.aim]\nrange = [-1, 1]\ndrives = [{ joint = \"pivot\" }]"
    };
    let exact = dmatrix![0.0; 40.0 / MOMENT];
    let off = [0.01, 0.005].map(|h| {
        let model = linear(&text(h), &["aim"], &[]).continuous(Method::Logarithm).unwrap();
        (model.b - &exact).amax()
    });
    assert!(off[1] < 1e-2 && off[0] / off[1] > 3.5, "{off:?}");
}

/// A pendulum that hangs at 0.7 rad and swings through with 0.4 rad/s: the step about a motion, against the differences
/// of the closed-form step q⁺ = q + h u, u = v − h k sin q.
#[test]
fn a_moving_pendulum_has_the_matrix_about_its_motion() {
    let mut machine = machine(&pendulum("dt = 0.01\nposition_iterations = 20", ""));
    for _ in 0..3 {
        machine.step().unwrap();
    }
    let mut state = machine.save();
    let (q, v) = (0.7, 0.4);
    let turn = windlass_engine::math::turn(glam::DVec3::Y, q);
    let bob = &mut state.bodies[1];
    (bob.orientation, bob.position) = (turn, turn * glam::DVec3::new(0.0, 0.0, -1.5));
    bob.angular_velocity = glam::DVec3::Y * v;
    bob.velocity = bob.angular_velocity.cross(bob.position);
    machine.restore(&state).unwrap();
    let found = windlass_analysis::linearize(&machine, &[], &[], &Default::default()).unwrap();
    assert!(found.warnings.iter().any(|w| w.contains("not an equilibrium")), "{:?}", found.warnings);
    let k = STIFFNESS * libm::cos(q);
    // chords and projections of the moving step differ from the closed form by (h v)² and h² k
    near(&found.a, &dmatrix![1.0 - H * H * k, H; -H * k, 1.0], 1e-3 * H * k);
}
