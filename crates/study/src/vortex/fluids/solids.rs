//! Solids under the plane z = 0 → volume and centre of the immersed part, in closed form.
//!
//! ```text
//!  box        n·x ≤ d, x from the lowest corner, n ≥ 0:  V  = Σ ± (d − n·a)₊³ / 6 n₁n₂n₃        over the corners a
//!                                                  ∫xᵢ dV = Σ ± (aᵢ (d − n·a)₊³ / 6 + (d − n·a)₊⁴ / 24 nᵢ) / n₁n₂n₃
//!  sphere     V = ⅓ π h² (3r − h),   z_B = z − ¾ (2r − h)²/(3r − h)                 h: immersed height
//!  cylinder   V = √(1 − t²)/t (G(c₁) − G(c₀)),   c(s) = (z + s t)/√(1 − t²)         t: vertical part of its axis
//!             S(c) = r² acos(c/r) − c √(r² − c²),   dG/dc = S
//! ```
//!
//! The sign of a corner is that of the number of edges between it and the lowest one. Moments of the cylinder are
//! integrated over its slices S by Simpson's rule.

use glam::{DMat3, DVec3};
use libm::{acos, sqrt};
use std::f64::consts::PI;

/// Slices of a cylinder for its moments.
const SLICES: u32 = 20_000;

/// Immersed part of a solid.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// [m³]
    pub volume: f64,
    /// From the centre of the solid, world axes [m].
    pub center: DVec3,
}

/// A box with edges along the columns of `axes`, its centre at a height [m].
pub fn cuboid(size: DVec3, axes: &DMat3, height: f64) -> Part {
    let up = axes.transpose() * DVec3::Z;
    // mirrored so that the corner with the lowest coordinates is the lowest one
    let n = up.abs();
    let d = 0.5 * n.dot(size) - height;
    let (mut volume, mut moment) = (0.0, DVec3::ZERO);
    for corner in 0..8u32 {
        let bit = |k: u32| f64::from((corner >> k) & 1);
        let a = DVec3::new(bit(0), bit(1), bit(2)) * size;
        let sign = if corner.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
        let depth = (d - n.dot(a)).max(0.0);
        let cube = depth * depth * depth;
        volume += sign * cube / 6.0;
        moment += sign * (a * (cube / 6.0) + cube * depth / 24.0 / n);
    }
    let product = n.x * n.y * n.z;
    let center = (moment / volume - 0.5 * size) * up.signum();
    Part { volume: volume / product, center: axes * center }
}

/// A sphere with its centre at a height [m].
pub fn sphere(radius: f64, height: f64) -> Part {
    let h = (radius - height).clamp(0.0, 2.0 * radius);
    let rest = 2.0 * radius - h;
    let volume = PI * h * h * (3.0 * radius - h) / 3.0;
    Part { volume, center: DVec3::NEG_Z * (0.75 * rest * rest / (3.0 * radius - h)) }
}

/// A cylinder whose axis leans from the vertical towards x by an angle with this sine and cosine, both positive.
pub fn cylinder((radius, half): (f64, f64), (sine, cosine): (f64, f64), height: f64) -> Part {
    let r = radius;
    let across = |s: f64| (height + s * cosine) / sine;
    let segment = |c: f64| {
        let c = c.clamp(-r, r);
        r * r * acos(c / r) - c * sqrt((r * r - c * c).max(0.0))
    };
    let integral = |c: f64| {
        let inside = c.clamp(-r, r);
        let rest = (r * r - inside * inside).max(0.0);
        let g = inside * r * r * acos(inside / r) - r * r * sqrt(rest) + rest * sqrt(rest) / 3.0;
        if c < -r { PI * r * r * c } else { g }
    };
    let volume = sine / cosine * (integral(across(half)) - integral(across(-half)));
    // along the axis, and towards the lower side of each slice
    let moments = |s: f64| {
        let c = across(s).clamp(-r, r);
        let rest = (r * r - c * c).max(0.0);
        (s * segment(c), 2.0 / 3.0 * rest * sqrt(rest))
    };
    let (along, aside) = simpson(-half, half, moments);
    let (axis, low) = (DVec3::new(sine, 0.0, cosine), DVec3::new(cosine, 0.0, -sine));
    Part { volume, center: (axis * along + low * aside) / volume }
}

/// Simpson's rule for a pair.
fn simpson(from: f64, to: f64, value: impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    let width = (to - from) / f64::from(SLICES);
    let (mut first, mut second) = (0.0, 0.0);
    for k in 0..=SLICES {
        let weight = match k {
            0 | SLICES => 1.0,
            k if k % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let (a, b) = value(from + f64::from(k) * width);
        (first, second) = (first + weight * a, second + weight * b);
    }
    (first * width / 3.0, second * width / 3.0)
}

/// The angle [rad] at which a log of square section floats, by its density over that of the water, up to ½.
///
/// ```text
///  s ≤ ½ − √(1/12)      0                        GM = s/2 + 1/(12 s) − ½ ≥ 0
///  s ≤ ¼                tan² φ = −2 GM/BM        wall-sided, BM = 1/(12 s)
///  s ≤ 9/32             tan φ = b/a              one corner immersed: a b = 2 s,  a + b = 3/2
///  s ≤ ½                45°                      a = b
/// ```
pub fn log_angle(s: f64) -> f64 {
    let bm = 1.0 / (12.0 * s);
    let gm = 0.5 * s + bm - 0.5;
    if gm >= 0.0 {
        return 0.0;
    }
    if s <= 0.25 {
        return libm::atan(sqrt(-2.0 * gm / bm));
    }
    let spread = sqrt((2.25 - 8.0 * s).max(0.0));
    libm::atan2(1.5 - spread, 1.5 + spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use libm::fabs;
    use windlass_engine::math;

    #[test]
    fn closed_forms_agree_with_counted_points() {
        let axes = DMat3::from_quat(math::exp(DVec3::new(0.4, -0.3, 0.7)));
        let size = DVec3::new(2.0, 1.0, 0.5);
        let part = cuboid(size, &axes, 0.05);
        let (n, mut count, mut sum) = (120, 0.0, DVec3::ZERO);
        for k in 0..n * n * n {
            let place = |k: i32| (f64::from(k % n) + 0.5) / f64::from(n) - 0.5;
            let x = axes * (DVec3::new(place(k), place(k / n), place(k / n / n)) * size);
            if x.z < -0.05 {
                count += 1.0;
                sum += x;
            }
        }
        let all = f64::from(n * n * n);
        assert!(fabs(part.volume / (count / all) - 1.0) < 1e-3, "{part:?}");
        assert!((part.center - sum / count).length() < 1e-3, "{part:?}");
    }

    #[test]
    fn validation_cases_of_round_solids() {
        let (sine, cosine) = (0.5, 0.75_f64.sqrt());
        // FL02
        assert!(fabs(cylinder((0.3, 1.0), (sine, cosine), 0.2).volume - 0.21744656) < 1e-8);
        assert!(fabs(sphere(0.5, 0.1).volume - 0.18430677) < 1e-8);
    }

    #[test]
    fn angles_of_logs_join() {
        for s in [0.5 - sqrt(1.0 / 12.0), 0.25, 9.0 / 32.0] {
            let [below, above] = [s - 1e-12, s + 1e-12].map(log_angle);
            assert!(fabs(above - below) < 1e-5, "{s}: {below} {above}");
        }
        assert!(fabs(log_angle(0.23).to_degrees() - 19.485619) < 1e-6); // FL06
    }
}
