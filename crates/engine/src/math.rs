//! Rotations and small matrices, bitwise identical on every machine.
//!
//!   exp(θ) = (cos |θ|/2, sin(|θ|/2) θ/|θ|)      log(q) = 2 atan2(|v|, w) v/|v|
//!
//! Only `+ − × ÷ √` and the pure-Rust libm are used, so results do not depend on the platform.

use glam::{DMat3, DQuat, DVec3};
use std::ops::{Add, Mul, Sub};

/// The unit quaternion of a rotation vector θ [rad]: a rotation by |θ| about θ.
#[inline]
pub fn exp(theta: DVec3) -> DQuat {
    // half the angle, squared
    let (sinc, cos) = sinc_and_cos(0.25 * theta.length_squared());
    let v = theta * (0.5 * sinc);
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

/// sin x / x and cos x from s = x².
#[inline]
pub(crate) fn sinc_and_cos(s: f64) -> (f64, f64) {
    if s <= SERIES_UP_TO { series(s) } else { library(s) }
}

/// Largest s for which the series below is accurate to round-off.
pub(crate) const SERIES_UP_TO: f64 = 0.25;

/// sin x / x and cos x from s = x² ≤ 1/4: Taylor series to s⁷, whose next term is below 1e-18, summed in pairs for
/// speed. Works on scalars and on SIMD lanes.
#[inline(always)]
pub(crate) fn series<T>(s: T) -> (T, T)
where
    T: Copy + From<f64> + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    let (s2, s4) = (s * s, (s * s) * (s * s));
    let sum = |c: [f64; 7]| {
        let c = c.map(|c| T::from(1.0 / c));
        let low = (T::from(1.0) - c[0] * s) + (c[1] - c[2] * s) * s2;
        let high = (c[3] - c[4] * s) + (c[5] - c[6] * s) * s2;
        low + high * s4
    };
    // 3!, 5!, … and 2!, 4!, …
    let sinc = [6.0, 120.0, 5040.0, 362880.0, 39916800.0, 6227020800.0, 1307674368000.0];
    let cos = [2.0, 24.0, 720.0, 40320.0, 3628800.0, 479001600.0, 87178291200.0];
    (sum(sinc), sum(cos))
}

#[cold]
fn library(s: f64) -> (f64, f64) {
    let x = s.sqrt();
    let (sin, cos) = libm::sincos(x);
    (sin / x, cos)
}

/// The rotation vector of a unit quaternion, of length at most π.
pub fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sin = v.length();
    // below 1e-8 the quotient is 2/w to the last bit
    let factor = if sin < 1e-8 { 2.0 / q.w } else { 2.0 * libm::atan2(sin, q.w) / sin };
    v * factor
}

/// The rotation by `angle` [rad] about a unit axis.
pub fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// u vᵀ.
#[inline]
pub fn outer(u: DVec3, v: DVec3) -> DMat3 {
    DMat3::from_cols(u * v.x, u * v.y, u * v.z)
}

/// C⁻¹ of a symmetric positive definite tensor A = C Cᵀ, C lower triangular (Cholesky): A⁻¹ = C⁻ᵀ C⁻¹. Pivots at
/// round-off level, possibly negative (the moment of a thin rod about its axis), are raised to round-off.
pub(crate) fn inverse_root(a: &DMat3) -> DMat3 {
    let [x, y, z] = [a.x_axis, a.y_axis, a.z_axis];
    let i = 1.0 / x.x.sqrt();
    let (yx, zx) = (x.y * i, x.z * i);
    let left = |moment: f64, taken: f64| (moment - taken).max(f64::EPSILON * moment);
    let j = 1.0 / left(y.y, yx * yx).sqrt();
    let zy = (y.z - zx * yx) * j;
    let k = 1.0 / left(z.z, zx * zx + zy * zy).sqrt();
    let ji = -yx * i * j;
    let ki = -(zx * i + zy * ji) * k;
    DMat3::from_cols(DVec3::new(i, ji, ki), DVec3::new(0.0, j, -zy * j * k), DVec3::new(0.0, 0.0, k))
}

/// The quaternion normalised to unit length.
pub fn unit(q: DQuat) -> DQuat {
    q * (1.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt())
}

/// Normalises a quaternion that is unit up to round-off, by one Newton step for 1/√n.
#[inline]
pub fn renewed(q: DQuat) -> DQuat {
    q * (1.5 - 0.5 * (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w))
}

/// SplitMix64: a bijection in which every bit of the result depends on every bit of the counter.
pub fn split_mix_64(counter: u64) -> u64 {
    let z = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A tensor given in body axes, transformed to world axes: R A Rᵀ.
#[inline]
pub fn rotated(r: &DMat3, a: &DMat3) -> DMat3 {
    *r * *a * r.transpose()
}

/// A right-handed frame whose z axis is the unit vector `z`: returns its x and y axes.
pub fn across(z: DVec3) -> (DVec3, DVec3) {
    // start from the world axis closest to perpendicular to z
    let a = z.abs();
    let seed = if a.x <= a.y && a.x <= a.z {
        DVec3::X
    } else if a.y <= a.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let x = (seed - z * z.dot(seed)).normalize();
    (x, z.cross(x))
}

/// An orientation whose z axis is the given direction.
pub fn facing(z: DVec3) -> DQuat {
    let z = z.normalize();
    let (x, y) = across(z);
    DQuat::from_mat3(&DMat3::from_cols(x, y, z))
}

/// Points on a polyline such that n chords of equal length connect its start to its end.
pub fn chords(path: &[DVec3], n: usize) -> Option<Vec<DVec3>> {
    let total: f64 = path.windows(2).map(|p| p[0].distance(p[1])).sum();
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    // a chord is at most as long as its arc: bisect for the length at which the last chord ends at the end of the
    // polyline
    let (mut low, mut high) = (0.0, total / n as f64 * (1.0 + 1e-9));
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if walk(path, n, middle).is_some() { low = middle } else { high = middle }
    }
    let mut nodes = walk(path, n, low)?;
    *nodes.last_mut()? = *path.last()?;
    Some(nodes)
}

/// Marches n chords along a polyline; none if the polyline ends earlier.
fn walk(path: &[DVec3], n: usize, chord: f64) -> Option<Vec<DVec3>> {
    let (mut nodes, mut at, mut piece) = (vec![path[0]], path[0], 0);
    for _ in 0..n {
        at = loop {
            let [from, to] = [*path.get(piece)?, *path.get(piece + 1)?];
            if to.distance(at) >= chord {
                break leave(from, to, at, chord)?;
            }
            piece += 1;
        };
        nodes.push(at);
    }
    Some(nodes)
}

/// Where a segment leaves the sphere about `center`; its end must lie outside.
fn leave(from: DVec3, to: DVec3, center: DVec3, radius: f64) -> Option<DVec3> {
    let (way, off) = (to - from, from - center);
    // |off + t way|² = r², the larger root
    let (a, b, c) = (way.length_squared(), off.dot(way), off.length_squared() - radius * radius);
    let root = (b * b - a * c).max(0.0).sqrt();
    let t = if b > 0.0 { -c / (b + root) } else { (root - b) / a };
    t.is_finite().then(|| from + way * t.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_root_of_a_tensor_turns_it_into_one() {
        let r = DMat3::from_quat(exp(DVec3::new(0.3, -1.1, 0.7)));
        for moments in [DVec3::ONE, DVec3::new(1e-3, 0.5, 0.5), DVec3::new(2.0, 3.0, 4.0)] {
            let a = rotated(&r, &DMat3::from_diagonal(moments));
            let root = inverse_root(&a);
            assert!((root * a * root.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-12));
            let solved = root.transpose() * (root * (a * DVec3::new(1.0, -2.0, 3.0)));
            assert!(solved.abs_diff_eq(DVec3::new(1.0, -2.0, 3.0), 1e-12));
        }
        // thin rods in any direction: the third moment is round-off only
        for k in 0..100 {
            let r = DMat3::from_quat(exp(DVec3::new(0.3, -1.1, 0.7) * f64::from(k)));
            let a = rotated(&r, &DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1e-20)));
            assert!(inverse_root(&a).is_finite(), "{k}");
        }
    }

    #[test]
    fn exp_and_log_are_inverse_and_exact_at_both_branches() {
        for angle in [0.0, 1e-12, 1e-4, 0.3, 0.999, 1.001, 2.0, 3.1] {
            let theta = DVec3::new(0.36, -0.48, 0.8) * angle;
            let q = exp(theta);
            assert!((q.length() - 1.0).abs() < 1e-15);
            assert!((q.w - libm::cos(angle / 2.0)).abs() < 1e-15, "{angle}");
            assert!((log(q) - theta).length() < 1e-14, "{angle}");
        }
    }

    #[test]
    fn renewing_ten_thousand_turns_keeps_a_quaternion_unit() {
        let mut q = DQuat::IDENTITY;
        for _ in 0..10_000 {
            q = renewed(exp(DVec3::new(0.3, -0.5, 0.2)) * q);
            assert!((q.length() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn facing_puts_z_there() {
        for z in [DVec3::X, -DVec3::Y, DVec3::new(1.0, 2.0, -3.0)] {
            assert!((facing(z) * DVec3::Z - z.normalize()).length() < 1e-15);
        }
    }
}
