//! Tyre rig with prescribed slip velocities and loads: what the vehicle trials leave open, namely stiffnesses that differ
//! between the directions, elliptic bounds and loads that change during the run.
//!
//! The reference is the same scheme at 10 µs, whose residual in u̇ = v_s − p, k u + d u̇ = F_ss(p/|v_x|) is checked.

use crate::common::{sedan, uaz};
use glam::DVec2;
use windlass_vehicle::tire::{
    Brush, Carcass, Contact, Friction, PatchRows, PatchState, ShapeCurve, Slip, SlipMeasure, Tire,
};

const TAU: f64 = std::f64::consts::TAU;

/// What the rig prescribes at a time.
struct Setting {
    slip_velocity: DVec2,
    speed: f64,
    load: f64,
    camber: f64,
}

struct Sample {
    force: DVec2,
    /// Relative residual of the force law.
    residual: f64,
}

/// Forces at multiples of 1/60 s, evaluated at the ends of steps.
fn rig(
    tire: &dyn Tire,
    setting: &dyn Fn(f64) -> Setting,
    h: f64,
    time: f64,
    iterations: usize,
) -> Vec<Sample> {
    let per_sample = (1.0 / 60.0 / h).round() as usize;
    let h = 1.0 / 60.0 / per_sample as f64;
    let mut state = PatchState::default();
    let mut samples = Vec::new();
    for n in 0..(time / h).round() as usize {
        let now = setting((n + 1) as f64 * h);
        let contact =
            Contact { load: now.load, camber: now.camber, pressure: None, speed: now.speed, friction: 1.0 };
        let carcass = Carcass::of(tire, &contact, 0.05);
        let mut trial = state;
        let mut force = DVec2::ZERO;
        for _ in 0..iterations {
            let start = PatchState { sliding: trial.sliding, ..state };
            let rows = PatchRows::new(&start, &carcass, tire, &contact, h);
            assert!(
                rows.compliance.min_element() > 0.0 && rows.compliance.is_finite() && rows.rhs.is_finite()
            );
            force = rows.bounded(rows.free_force(now.slip_velocity));
            trial = rows.update(now.slip_velocity, force);
        }
        state = trial;
        if (n + 1) % per_sample == 0 {
            let speed = now.speed.abs().max(state.sliding.length() / tire.max_slip());
            let slip = state.sliding / speed;
            let steady = tire.force(Slip { kappa: slip.x, tan_alpha: -slip.y }, &contact);
            let gap = DVec2::new(steady.fx, steady.fy) - force;
            // at standstill the law of friction has a range of forces
            let residual = if now.speed > 0.0 { gap.length() / steady.peak_x.max(1.0) } else { 0.0 };
            samples.push(Sample { force, residual });
        }
    }
    samples
}

/// Root mean square difference from the reference over the root mean square force.
fn error(run: &[Sample], reference: &[Sample]) -> f64 {
    let square = |f: DVec2| f.length_squared();
    let difference: f64 = run.iter().zip(reference).map(|(a, b)| square(a.force - b.force)).sum();
    let size: f64 = reference.iter().map(|b| square(b.force)).sum();
    (difference / size).sqrt()
}

fn unlike_brush() -> Brush {
    Brush {
        friction: Friction { coefficient: 1.0, load_sensitivity: 0.1, reference_load: 4000.0 },
        sliding_ratio: 0.8,
        measure: SlipMeasure::Practical,
        ..Brush::new(DVec2::new(140e3, 60e3), 1.0, 0.1, DVec2::new(0.2, 0.5))
    }
}

fn unlike_curve() -> ShapeCurve {
    ShapeCurve {
        stiffness: DVec2::new(140e3, 60e3),
        friction: Friction::constant(1.0),
        shape: 1.6,
        curvature: 0.5,
        relaxation: DVec2::new(0.2, 0.5),
    }
}

/// Slip below and beyond the peak in both directions.
fn sweep(t: f64, load: f64) -> Setting {
    let speed = 15.0;
    let slip_velocity = DVec2::new(1.5 * libm::sin(TAU * 0.7 * t), 2.0 * libm::sin(TAU * 0.5 * t + 0.4));
    Setting { slip_velocity, speed, load, camber: 0.0 }
}

fn report(name: &str, tire: &dyn Tire, setting: &dyn Fn(f64) -> Setting, limits: [f64; 3]) {
    let reference = rig(tire, setting, 1e-5, 4.0, 1);
    let worst = reference.iter().map(|s| s.residual).fold(0.0, f64::max);
    let errors = [(1.0 / 60.0, 1), (1.0 / 60.0, 2), (1.0 / 240.0, 1), (1e-3, 1)]
        .map(|(h, iterations)| error(&rig(tire, setting, h, 4.0, iterations), &reference));
    println!(
        "{name:42} residual {worst:.1e}  1/60 {:.4} (2x {:.4})  1/240 {:.4}  1 ms {:.5}",
        errors[0], errors[1], errors[2], errors[3]
    );
    assert!(worst < limits[2], "{name}: the reference does not solve the model: {worst}");
    assert!(errors[0] < limits[0] && errors[3] < limits[1], "{name}");
}

#[test]
fn unlike_stiffnesses_and_changing_loads() {
    let (brush, curve) = (unlike_brush(), unlike_curve());
    let (sedan, uaz) = (sedan(), uaz());
    let tires: [(&str, &dyn Tire); 4] =
        [("brush", &brush), ("curve", &curve), ("sedan", &sedan), ("uaz", &uaz)];
    for (name, tire) in tires {
        report(&format!("{name}, fixed load"), tire, &|t| sweep(t, 4000.0), [0.1, 0.01, 1e-3]);
        let hop = |t: f64| 4000.0 * (1.0 + 0.6 * libm::sin(TAU * 3.0 * t));
        report(&format!("{name}, load ± 60 % at 3 Hz"), tire, &|t| sweep(t, hop(t)), [0.1, 0.01, 2e-3]);
        let lift = |t: f64| (4000.0 * (1.0 + 1.5 * libm::sin(TAU * 2.0 * t))).max(0.0);
        report(&format!("{name}, leaves the ground"), tire, &|t| sweep(t, lift(t)), [0.1, 0.01, 2e-3]);
        // coasting to a stop while the wheel is dragged. Where the curve falls faster than the damping rises, at low
        // speed, the model itself jumps between slow and fast sliding (stick-slip), and no step resolves the jumps
        let stop = |t: f64| {
            let slip_velocity = 0.2 * sweep(t, 0.0).slip_velocity;
            Setting { speed: (5.0 - 2.0 * t).max(0.0), slip_velocity, load: 4000.0, camber: 0.0 }
        };
        report(&format!("{name}, to standstill"), tire, &stop, [0.25, 0.15, f64::INFINITY]);
    }
}

#[test]
fn camber_thrust_and_ply_steer_are_steady_forces_without_creep() {
    let tire = sedan();
    for camber in [-0.1, 0.0, 0.06] {
        // rolling without slip velocity: the force is the model's at zero slip, for any step
        let rolling = |_: f64| Setting { slip_velocity: DVec2::ZERO, speed: 10.0, load: 4000.0, camber };
        let contact = Contact { camber, ..Contact::upright(4000.0, 10.0) };
        let steady = tire.force(Slip::default(), &contact);
        for h in [1.0 / 60.0, 1e-3] {
            let run = rig(&tire, &rolling, h, 3.0, 1);
            let last = run[run.len() - 1].force;
            assert!(
                (last - DVec2::new(steady.fx, steady.fy)).length() < 1e-6 * steady.peak_x,
                "{last} {steady:?}"
            );
        }
        // standing: no force from the shifts
        let standing = |_: f64| Setting { speed: 0.0, ..rolling(0.0) };
        let run = rig(&tire, &standing, 1.0 / 60.0, 1.0, 1);
        assert_eq!(run[run.len() - 1].force, DVec2::ZERO);
    }
}
