//! Search for the failure plane of the least force.
//!
//! Trial angles from steep to flat, in equal steps whose sines come from a rotation: every second one, those beside the
//! best, then parabolas through the best three, until the vertex of one is as close to the best angle as asked. The
//! force is flat there: an angle that is off by 1e-3 rad costs 1e-6 of it.

use std::f64::consts::FRAC_PI_2;

/// Trial angles, an odd number.
const TRIALS: usize = 25;
/// Most parabolas after them.
const PARABOLAS: usize = 6;
/// Steepest failure plane [rad]: 80°.
const STEEPEST: f64 = 80.0 / 90.0 * FRAC_PI_2;
/// Distance from the angle at which the force becomes infinite [rad]: 2°.
const MARGIN: f64 = 2.0 / 90.0 * FRAC_PI_2;

/// Sine and cosine of an angle β between a plane and the horizontal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub sin: f64,
    pub cos: f64,
}

impl Plane {
    pub fn new(angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Self { sin, cos }
    }

    fn rotated(self, by: Self) -> Self {
        Self { sin: self.sin * by.cos + self.cos * by.sin, cos: self.cos * by.cos - self.sin * by.sin }
    }

    pub fn cot(self) -> f64 {
        self.cos / self.sin
    }
}

/// Range of angles to search, and the precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub lowest: f64,
    /// Where forces become infinite [rad].
    pub limit: f64,
    /// [rad]
    pub close: f64,
}

/// The angle of the least force and that force; nothing if every force is infinite. Forces below zero count as zero.
pub(super) fn least(range: Range, mut force: impl FnMut(Plane) -> f64) -> Option<(f64, f64)> {
    let Range { lowest, limit, close } = range;
    let top = (limit - MARGIN).min(STEEPEST);
    if !(top > lowest) {
        return None;
    }
    let mut force =
        |plane: Plane| Some(force(plane)).filter(|f| f.is_finite()).map_or(f64::INFINITY, |f| f.max(0.0));
    let step = (top - lowest) / (TRIALS - 1) as f64;
    let angle = |i: usize| top - step * i as f64;
    let (mut plane, by) = (Plane::new(top), Plane::new(-2.0 * step));
    let mut forces = [f64::INFINITY; TRIALS];
    let mut best = 0;
    for i in (0..TRIALS).step_by(2) {
        forces[i] = force(plane);
        best = if forces[i] < forces[best] { i } else { best };
        plane = plane.rotated(by);
    }
    if !forces[best].is_finite() {
        return None;
    }
    for i in [best.wrapping_sub(1), best + 1] {
        if i < TRIALS {
            forces[i] = force(Plane::new(angle(i)));
            best = if forces[i] < forces[best] { i } else { best };
        }
    }
    let point = |i: usize| (angle(i), forces[i]);
    if best == 0 || best == TRIALS - 1 {
        return Some(point(best));
    }
    Some(parabolas([point(best + 1), point(best), point(best - 1)], close, force))
}

/// Successive parabolas through three points by rising angle, the least in the middle.
fn parabolas(mut points: [(f64, f64); 3], close: f64, mut force: impl FnMut(Plane) -> f64) -> (f64, f64) {
    for _ in 0..PARABOLAS {
        let Some(x) = vertex(&points) else { break };
        if (x - points[1].0).abs() < close {
            break;
        }
        let trial = (x, force(Plane::new(x)));
        let [low, middle, high] = points;
        points = match (trial.1 < middle.1, x < middle.0) {
            (true, true) => [low, trial, middle],
            (true, false) => [middle, trial, high],
            (false, true) => [trial, middle, high],
            (false, false) => [low, middle, trial],
        };
    }
    points[1]
}

/// Argument of the vertex of a parabola, if it lies between the outer points.
fn vertex(&[(a, fa), (b, fb), (c, fc)]: &[(f64, f64); 3]) -> Option<f64> {
    let (left, right) = ((b - a) * (fb - fc), (b - c) * (fb - fa));
    let x = b - 0.5 * ((b - a) * left - (b - c) * right) / (left - right);
    (x > a && x < c).then_some(x)
}
