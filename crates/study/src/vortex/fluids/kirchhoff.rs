//! §6.4, equation (54): ellipsoids that move through water without other forces.
//!
//! ```text
//!  Kirchhoff        Ṗ = 0,   L̇ = −v × P,   (P, L) = K(R) (v, ω)      impulse and energy are constant
//!  (54) as printed  K(R) (v̇, ω̇) = (0, −ω × I ω)                      lacks K̇u and the Munk moment −v × p_F
//!  spheroid         T = (4/ω₀) K(sin ψ₀),   ω₀² = P² (1/M₁ − 1/M₂)/J     K: complete elliptic integral of the first kind
//! ```
//!
//! The spheroid swings about the orientation with its broad side to the impulse P, like a pendulum with the angle 2ψ. Motions
//! of the ellipsoid are integrated here by the classical Runge–Kutta method in steps of 1 ms.

use super::added_mass::{ellipsoid_moments, period};
use super::tank::{Immersed, Tank, WATER};
use crate::vortex::steps::{STEPS, Within, at_steps, steps_row, steps_table};
use crate::{StudyContext, Table, Trouble, number};
use glam::{DMat3, DQuat, DVec3};
use libm::{cbrt, cos, fabs, log, sin, sqrt};
use std::f64::consts::PI;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::{AddedMass, HullShape};
use windlass_plot::{Curve, Figure, Measure};

/// Half axes of the spheroid and of the ellipsoid, both of the density of water [m].
const SPHEROID: DVec3 = DVec3::new(1.0, 0.25, 0.25);
const ELLIPSOID: DVec3 = DVec3::new(0.6, 0.3, 0.2);
/// Start of the ellipsoid: rotation vector [rad], velocity [m/s], angular velocity [rad/s].
const TURN: DVec3 = DVec3::new(0.3, -0.2, 0.5);
const VELOCITY: DVec3 = DVec3::new(1.0, 0.2, -0.1);
const SPIN: DVec3 = DVec3::new(0.5, 1.0, -0.3);
/// Time of its run [s].
const TIME: f64 = 5.0;
/// Step of the reference [s].
const FINE: f64 = 1e-3;

/// Mass of an ellipsoid of the density of water [kg].
fn mass_of(axes: DVec3) -> f64 {
    WATER * 4.0 / 3.0 * PI * axes.x * axes.y * axes.z
}

fn body(axes: DVec3, pose: DQuat, velocity: DVec3, spin: DVec3) -> Immersed {
    let mass = mass_of(axes);
    let mass = Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(ellipsoid_moments(axes, mass)));
    // a sphere of its volume displaces what it displaces
    Immersed::new(mass, HullShape::Sphere(cbrt(axes.x * axes.y * axes.z))).with(|b| {
        b.added_mass = AddedMass::PerDensity(closed_form::ellipsoid(axes, 1.0));
        (b.gravity, b.orientation) = (0.0, pose);
        (b.velocity, b.angular_velocity) = (velocity, spin);
    })
}

/// Added masses of a prolate spheroid along its axis and across it [kg], and its moment about a diameter [kg·m²] (Lamb,
/// §§114 and 115).
fn prolate(axes: DVec3) -> [f64; 3] {
    let e2 = 1.0 - axes.y * axes.y / (axes.x * axes.x);
    let e = sqrt(e2);
    let half = 0.5 * log((1.0 + e) / (1.0 - e));
    let alpha = 2.0 * (1.0 - e2) / (e2 * e) * (half - e);
    let beta = 1.0 / e2 - (1.0 - e2) / (e2 * e) * half;
    let (mass, a2, b2) = (mass_of(axes), axes.x * axes.x, axes.y * axes.y);
    let turning =
        0.2 * mass * (a2 - b2) * (a2 - b2) * (beta - alpha) / (2.0 * (a2 - b2) + (a2 + b2) * (alpha - beta));
    [mass * alpha / (2.0 - alpha), mass * beta / (2.0 - beta), turning]
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean, of the modulus.
fn elliptic(modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, sqrt(1.0 - modulus * modulus));
    while fabs(a - b) > 1e-15 * a {
        (a, b) = (0.5 * (a + b), sqrt(a * b));
    }
    0.5 * PI / a
}

/// Impulse of the spheroid along x [N·s]. Its size sets the pace alone.
const IMPULSE: f64 = 300.0;

/// A spheroid at an angle from broadside, at rest but for its impulse.
fn swinging(table: &mut Table, degrees: f64, within: [f64; 2]) -> Result<(), Trouble> {
    let [along, across, turning] = prolate(SPHEROID);
    let mass = mass_of(SPHEROID);
    let [first, second] = [mass + along, mass + across];
    let moment = ellipsoid_moments(SPHEROID, mass).z + turning;
    let from = degrees.to_radians();
    let rate = IMPULSE * sqrt((1.0 / first - 1.0 / second) / moment);
    let wanted = 4.0 / rate * elliptic(sin(from));
    let angle = 0.5 * PI - from;
    let (axis, side) = (DVec3::new(cos(angle), sin(angle), 0.0), DVec3::new(-sin(angle), cos(angle), 0.0));
    let impulse = DVec3::X * IMPULSE;
    let velocity = axis * (axis.dot(impulse) / first) + side * (side.dot(impulse) / second);
    let body = body(SPHEROID, math::turn(DVec3::Z, angle), velocity, DVec3::ZERO);
    let found = at_steps(|dt| {
        let trace = body.build(dt)?.trace(3.2 * wanted, |now| (now.orientation * DVec3::X).x)?;
        Ok(period(&trace))
    })?;
    let quantity = format!("spheroid, {degrees}° from broadside: period [s]");
    steps_row(table, &quantity, found, (wanted, Within::Part(within)), "∞");
    Ok(())
}

/// Position, axes and two vectors: P and L, or v and ω.
#[derive(Clone, Copy, Debug)]
struct Phase {
    position: DVec3,
    axes: DMat3,
    first: DVec3,
    second: DVec3,
}

impl Phase {
    fn plus(self, rate: &Phase, time: f64) -> Phase {
        Phase {
            position: self.position + rate.position * time,
            axes: self.axes + rate.axes * time,
            first: self.first + rate.first * time,
            second: self.second + rate.second * time,
        }
    }
}

/// The classical Runge–Kutta method. Returns positions with their times, and the last phase.
fn integrate(start: Phase, rate: impl Fn(&Phase) -> Phase) -> (Vec<(f64, DVec3)>, Phase) {
    let steps = libm::round(TIME / FINE) as u32;
    let (mut now, mut path) = (start, vec![(0.0, start.position)]);
    for k in 1..=steps {
        let a = rate(&now);
        let b = rate(&now.plus(&a, 0.5 * FINE));
        let c = rate(&now.plus(&b, 0.5 * FINE));
        let d = rate(&now.plus(&c, FINE));
        now = [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)]
            .iter()
            .fold(now, |sum, (rate, weight)| sum.plus(rate, weight * FINE / 6.0));
        path.push((f64::from(k) * FINE, now.position));
    }
    (path, now)
}

/// Added mass of an ellipsoid by Lamb's integrals α = abc ∫₀^∞ du/((a² + u) Δ), with u = x²/(1 − x)² by Simpson's rule.
fn lamb(axes: DVec3) -> SpatialMatrix {
    let s = axes * axes;
    let count = 4000;
    let mut alpha = DVec3::ZERO;
    for k in 0..count {
        let x = f64::from(k) / f64::from(count);
        let weight = if k == 0 { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
        let root = x / (1.0 - x);
        let u = DVec3::splat(root * root) + s;
        let slope = 2.0 * x / ((1.0 - x) * (1.0 - x) * (1.0 - x));
        alpha += weight * slope / (u * sqrt(u.x * u.y * u.z));
    }
    alpha *= axes.x * axes.y * axes.z / (3.0 * f64::from(count));
    let mass = mass_of(axes);
    let turning = |b2: f64, c2: f64, beta: f64, gamma: f64| {
        0.2 * mass * (b2 - c2) * (b2 - c2) * (gamma - beta) / (2.0 * (b2 - c2) + (b2 + c2) * (beta - gamma))
    };
    let angular = DVec3::new(
        turning(s.y, s.z, alpha.y, alpha.z),
        turning(s.z, s.x, alpha.z, alpha.x),
        turning(s.x, s.y, alpha.x, alpha.y),
    );
    SpatialMatrix::from_diagonal(mass * alpha / (DVec3::splat(2.0) - alpha), angular)
}

fn twist(velocity: DVec3, angular_velocity: DVec3) -> Twist {
    Twist { velocity, angular_velocity }
}

/// Paths of the ellipsoid by Kirchhoff's equations and by (54) as printed, and the change of the energy by the latter.
fn references() -> ([Vec<(f64, DVec3)>; 2], f64) {
    let inertia = DMat3::from_diagonal(ellipsoid_moments(ELLIPSOID, mass_of(ELLIPSOID)));
    let own = SpatialMatrix::rigid(mass_of(ELLIPSOID), inertia);
    let whole = own + lamb(ELLIPSOID);
    let axes = DMat3::from_quat(math::exp(TURN));
    let spun = |w: DVec3, axes: DMat3| {
        DMat3::from_cols(w.cross(axes.x_axis), w.cross(axes.y_axis), w.cross(axes.z_axis))
    };
    let (first, second) = whole.rotated(&axes).apply(twist(VELOCITY, SPIN));
    let right = integrate(Phase { position: DVec3::ZERO, axes, first, second }, |phase| {
        let u = whole.rotated(&phase.axes).inverse_times((phase.first, phase.second));
        Phase {
            position: u.velocity,
            axes: spun(u.angular_velocity, phase.axes),
            first: DVec3::ZERO,
            second: -u.velocity.cross(phase.first),
        }
    });
    let start = Phase { position: DVec3::ZERO, axes, first: VELOCITY, second: SPIN };
    let printed = integrate(start, |phase| {
        let w = phase.second;
        let spin = phase.axes * (inertia * (phase.axes.transpose() * w));
        let u = whole.rotated(&phase.axes).inverse_times((DVec3::ZERO, -w.cross(spin)));
        Phase {
            position: phase.first,
            axes: spun(w, phase.axes),
            first: u.velocity,
            second: u.angular_velocity,
        }
    });
    let energy = |phase: &Phase| whole.rotated(&phase.axes).energy(twist(phase.first, phase.second));
    ([right.0, printed.0], energy(&printed.1) / energy(&start) - 1.0)
}

/// The ellipsoid that tumbles.
pub fn tumbling(dt: f64) -> Result<Tank, Trouble> {
    body(ELLIPSOID, math::exp(TURN), VELOCITY, SPIN).build(dt)
}

/// Motions of both.
pub fn motions(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption =
        "Ellipsoids of the density of water that move through it by their impulse (§6.4, equation (54))";
    let mut table = steps_table(caption, "closed form");
    // (ωh)²/24 with ω of the fastest part of the swing
    swinging(&mut table, 10.0, [2e-4, 1e-6])?;
    swinging(&mut table, 80.0, [2e-4, 1e-6])?;
    let ([right, printed], gained) = references();
    let end = |path: &[(f64, DVec3)]| path.last().map_or(DVec3::NAN, |(_, x)| *x);
    let mut paths = Vec::new();
    let mut energies = [0.0; 2];
    for (dt, energy) in STEPS.into_iter().zip(&mut energies) {
        let mut tank = tumbling(dt)?;
        let before = tank.world.inspect().energy().total();
        paths.push(tank.trace(TIME, |now| now.center)?);
        *energy = fabs(tank.world.inspect().energy().total() / before - 1.0);
    }
    for (axis, unit) in [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)] {
        let found = [0, 1].map(|k| end(&paths[k]).dot(unit));
        let reference = (end(&right).dot(unit), Within::Apart([1e-3, 4e-6]));
        let quantity = format!("ellipsoid that tumbles: {axis} at 5 s [m]");
        steps_row(&mut table, &quantity, found, reference, &number(end(&printed).dot(unit)));
    }
    let reference = (0.0, Within::Apart([2e-4, 1e-6]));
    steps_row(&mut table, "its energy: change in 5 s, relative", energies, reference, &number(gained));
    context.table(table);
    let plane =
        |path: &[(f64, DVec3)], every: usize| path.iter().step_by(every).map(|(t, x)| (*t, x.y)).collect();
    let curves = vec![
        Curve::line("Kirchhoff's equations", "m", plane(&right, 20)),
        Curve::dots("simulated at 1/60 s", "m", plane(&paths[0], 6)),
        Curve::line("(54) as printed", "m", plane(&printed, 20)),
    ];
    let figure =
        Figure { x: Measure::new("time", "s"), y: Some("y".to_string()), curves, ..Figure::default() };
    context.figure("Sideways motion of an ellipsoid that tumbles through water", &figure);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_agree() {
        // FL09: 21.35164 and 225.08479 kg, 33.82103 kg·m²
        let found = prolate(SPHEROID);
        for (found, wanted) in found.iter().zip([21.35164, 225.08479, 33.82103]) {
            assert!(fabs(found / wanted - 1.0) < 1e-6, "{found} {wanted}");
        }
        let (linear, angular) = lamb(SPHEROID).diagonal();
        let pairs = [(linear.x, found[0]), (linear.y, found[1]), (angular.z, found[2])];
        pairs.iter().for_each(|(a, b)| assert!(fabs(a / b - 1.0) < 1e-8, "{a} {b}"));
        // K(sin 45°) = Γ(¼)²/(4 √π)
        assert!(fabs(elliptic(sqrt(0.5)) - 1.854_074_677_301_372) < 1e-14);
    }

    #[test]
    fn reference_of_the_ellipsoid_is_that_of_the_handbook() {
        let ([right, printed], _) = references();
        let [a, b] = [right, printed].map(|path| path.last().unwrap().1);
        assert!((a - DVec3::new(4.386432, 0.66389826, -1.2919788)).length() < 1e-6, "{a}");
        assert!(fabs((a - b).length() - 1.06) < 0.01, "{b}"); // FL10
    }
}
