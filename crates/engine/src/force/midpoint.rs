//! Angular momentum, and the inertia half a step ahead, from orientation, angular velocity and torque; four bodies at a
//! time.
//!
//!   L = I ω + κ τ        I w = exp(−φ) ℓ =: m,  φ = h w/2        Ĩ = R_½ I R_½ᵀ,  R_½ = R exp(φ)
//!
//! All in principal axes, where the inertia is diagonal: ω and ℓ = Rᵀ(L + κ τ_held) are transformed to them, and w is
//! the angular velocity half a step ahead, the same in both orientations since a rotation about w leaves w unchanged.
//! By Newton's method,
//!
//!   [ I − (h/2) [m]× (1 − [φ]×/2) ] Δw = m − I w,
//!
//! because fixed-point iteration diverges for slender bodies: it amplifies by (h|ω|)²/8 times the ratio of the moments.
//!
//! The chain of operations is long and sequential, so that four bodies in the lanes of [`f64x4`] cost little more
//! than one. A lane stops when it has converged: the result for a body does not depend on its neighbours.

use crate::math;
use glam::{DMat3, DQuat, DVec3};
use std::ops::{Add, Mul, Sub};
use wide::f64x4;

/// Bodies processed together.
pub const LANES: usize = 4;
/// Newton steps at most: quadratic convergence needs a few; without convergence the last iterate is used.
const STEPS: usize = 12;
/// Convergence is nearly quadratic: a change of 1e-4 rad leaves an error of 1e-8.
const SMALL_TURN: f64 = 1e-4;

/// Input of one body.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Orientation of its axes.
    pub orientation: DQuat,
    /// Orientation of its principal axes in these.
    pub axes: DQuat,
    /// Principal moments, ascending [kg·m²].
    pub moments: DVec3,
    /// Angular velocity, world axes [rad/s].
    pub spin: DVec3,
    /// κ τ: angular impulse of the explicit forces, world axes [N·m·s].
    pub impulse: DVec3,
    /// The angular impulse expected from constraints.
    pub expected: DVec3,
}

/// Angular momenta and midpoint inertias in world axes, over a step of `h`.
pub fn ahead(bodies: &[Body; LANES], h: f64) -> [(DVec3, DMat3); LANES] {
    let moments = Vectors::of(|i| bodies[i].moments);
    let principal = Turns::of(|i| bodies[i].orientation) * Turns::of(|i| bodies[i].axes);
    let spin = principal.back(Vectors::of(|i| bodies[i].spin));
    let angular = principal.turn(moments.times(spin)) + Vectors::of(|i| bodies[i].impulse);
    let momentum = principal.back(angular + Vectors::of(|i| bodies[i].expected));

    let w = spins(moments, spin, momentum, h);
    let [x, y, z] = (principal * exp(w * f64x4::splat(0.5 * h))).axes();
    let (a, b, c) = (x * moments.x, y * moments.y, z * moments.z);
    let columns = [
        (a * x.x + b * y.x + c * z.x).lanes(),
        (a * x.y + b * y.y + c * z.y).lanes(),
        (a * x.z + b * y.z + c * z.z).lanes(),
    ];
    let angular = angular.lanes();
    let lane = |i: usize| {
        let round = bodies[i].moments.x == bodies[i].moments.z;
        let inertia = match round {
            true => DMat3::from_diagonal(bodies[i].moments),
            false => DMat3::from_cols(columns[0][i], columns[1][i], columns[2][i]),
        };
        (angular[i], inertia)
    };
    [lane(0), lane(1), lane(2), lane(3)]
}

/// The angular velocities half a step ahead, in principal axes.
#[inline(always)]
fn spins(moments: Vectors, spin: Vectors, momentum: Vectors, h: f64) -> Vectors {
    let half = f64x4::splat(0.5 * h);
    let small = f64x4::splat((SMALL_TURN / h) * (SMALL_TURN / h));
    let (mut w, mut going) = (spin, !f64x4::ZERO);
    for _ in 0..STEPS {
        let phi = w * half;
        let m = exp(phi).back(momentum);
        let change = step(moments, m, phi, half, m - moments.times(w));
        let size = change.dot(change);
        going &= size.is_finite();
        w = w + change.masked(going);
        going &= !size.simd_lt(small);
        if going.to_bitmask() == 0 {
            break;
        }
    }
    w
}

/// Solves [ I − (h/2) [m]× + (h/4) (φ mᵀ − (m·φ) 1) ] Δ = b by Cramer's rule; the last term is [m]×[φ]×.
#[inline(always)]
fn step(moments: Vectors, m: Vectors, phi: Vectors, half: f64x4, b: Vectors) -> Vectors {
    let (a, c) = (m * half, m * (half * f64x4::splat(0.5)));
    let dot = c.dot(phi);
    let x = phi * c.x + Vectors { x: moments.x - dot, y: -a.z, z: a.y };
    let y = phi * c.y + Vectors { x: a.z, y: moments.y - dot, z: -a.x };
    let z = phi * c.z + Vectors { x: -a.y, y: a.x, z: moments.z - dot };
    let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
    Vectors { x: b.dot(yz), y: b.dot(zx), z: b.dot(xy) } * (f64x4::splat(1.0) / x.dot(yz))
}

/// Unit quaternions of rotation vectors, as [`math::exp`].
#[inline(always)]
fn exp(theta: Vectors) -> Turns {
    let s = theta.dot(theta) * f64x4::splat(0.25);
    let (mut sinc, mut cos) = math::series(s);
    // if one lane is beyond the range of the series, all use the scalar function, which selects per value
    if f64x4::splat(math::SERIES_UP_TO).simd_lt(s).to_bitmask() != 0 {
        let far = s.to_array().map(math::sinc_and_cos);
        (sinc, cos) = (f64x4::new(far.map(|f| f.0)), f64x4::new(far.map(|f| f.1)));
    }
    let v = theta * (sinc * f64x4::splat(0.5));
    Turns { v, w: cos }
}

/// A scalar of each body. Written out: `array::map` and `from_fn` are not always inlined, and then four lanes go
/// through memory.
#[inline(always)]
fn each(number: impl Fn(usize) -> f64) -> f64x4 {
    f64x4::new([number(0), number(1), number(2), number(3)])
}

/// Four vectors.
#[derive(Clone, Copy)]
struct Vectors {
    x: f64x4,
    y: f64x4,
    z: f64x4,
}

impl Vectors {
    #[inline(always)]
    fn of(v: impl Fn(usize) -> DVec3) -> Vectors {
        Vectors { x: each(|i| v(i).x), y: each(|i| v(i).y), z: each(|i| v(i).z) }
    }

    #[inline(always)]
    fn lanes(self) -> [DVec3; LANES] {
        let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        let lane = |i: usize| DVec3::new(x[i], y[i], z[i]);
        [lane(0), lane(1), lane(2), lane(3)]
    }

    #[inline(always)]
    fn dot(self, o: Vectors) -> f64x4 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    #[inline(always)]
    fn cross(self, o: Vectors) -> Vectors {
        Vectors {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }

    /// Componentwise product.
    #[inline(always)]
    fn times(self, o: Vectors) -> Vectors {
        Vectors { x: self.x * o.x, y: self.y * o.y, z: self.z * o.z }
    }

    /// Zero where the mask is zero.
    #[inline(always)]
    fn masked(self, mask: f64x4) -> Vectors {
        Vectors { x: self.x & mask, y: self.y & mask, z: self.z & mask }
    }
}

impl Add for Vectors {
    type Output = Vectors;

    #[inline(always)]
    fn add(self, o: Vectors) -> Vectors {
        Vectors { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl Sub for Vectors {
    type Output = Vectors;

    #[inline(always)]
    fn sub(self, o: Vectors) -> Vectors {
        Vectors { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl Mul<f64x4> for Vectors {
    type Output = Vectors;

    #[inline(always)]
    fn mul(self, f: f64x4) -> Vectors {
        Vectors { x: self.x * f, y: self.y * f, z: self.z * f }
    }
}

/// Four unit quaternions.
#[derive(Clone, Copy)]
struct Turns {
    v: Vectors,
    w: f64x4,
}

impl Turns {
    #[inline(always)]
    fn of(q: impl Fn(usize) -> DQuat) -> Turns {
        Turns { v: Vectors::of(|i| q(i).xyz()), w: each(|i| q(i).w) }
    }

    /// R u = u + 2 w (v × u) + 2 v × (v × u).
    #[inline(always)]
    fn turn(self, u: Vectors) -> Vectors {
        let t = self.v.cross(u) * f64x4::splat(2.0);
        u + t * self.w + self.v.cross(t)
    }

    /// Rᵀ u.
    #[inline(always)]
    fn back(self, u: Vectors) -> Vectors {
        Turns { v: self.v, w: -self.w }.turn(u)
    }

    /// The columns of R.
    #[inline(always)]
    fn axes(self) -> [Vectors; 3] {
        let (one, two) = (f64x4::splat(1.0), f64x4::splat(2.0));
        let Vectors { x, y, z } = self.v;
        let (dx, dy, dz) = (x * two, y * two, z * two);
        let (xx, yy, zz) = (x * dx, y * dy, z * dz);
        let (xy, xz, yz) = (x * dy, x * dz, y * dz);
        let (wx, wy, wz) = (self.w * dx, self.w * dy, self.w * dz);
        [
            Vectors { x: one - (yy + zz), y: xy + wz, z: xz - wy },
            Vectors { x: xy - wz, y: one - (xx + zz), z: yz + wx },
            Vectors { x: xz + wy, y: yz - wx, z: one - (xx + yy) },
        ]
    }
}

impl Mul for Turns {
    type Output = Turns;

    #[inline(always)]
    fn mul(self, o: Turns) -> Turns {
        let v = o.v * self.w + self.v * o.w + self.v.cross(o.v);
        Turns { v, w: self.w * o.w - self.v.dot(o.v) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array::from_fn;

    fn bodies(speed: f64) -> [Body; LANES] {
        from_fn(|i| {
            let k = i as f64 + 1.0;
            Body {
                orientation: math::exp(DVec3::new(0.3 * k, -0.2, 0.7)),
                axes: math::exp(DVec3::new(0.1, 0.4 * k, -0.5)),
                moments: DVec3::new(0.02 + 0.01 * k, 0.5, 0.6 + 0.1 * k),
                spin: speed * DVec3::new(1.0, -2.0 / k, 0.5 * k),
                impulse: DVec3::new(0.01, 0.02 * k, -0.03),
                expected: DVec3::new(-0.02, 0.01, 0.005 * k),
            }
        })
    }

    /// Ĩ w = ℓ must hold at the orientation for which it was computed, for slow and for fast bodies.
    #[test]
    fn the_midpoint_is_where_its_own_spin_leads() {
        let h = 1.0 / 60.0;
        for (speed, allowed) in [(0.0, 1e-12), (1.0, 1e-9), (20.0, 1e-6)] {
            let bodies = bodies(speed);
            for (body, (angular, inertia)) in bodies.iter().zip(ahead(&bodies, h)) {
                let r = DMat3::from_quat(body.orientation * body.axes);
                let own = math::rotated(&r, &DMat3::from_diagonal(body.moments)) * body.spin;
                assert!((angular - own - body.impulse).length() < 1e-13 * (1.0 + angular.length()));
                let spin = inertia.inverse() * (angular + body.expected);
                let middle = math::exp(spin * (0.5 * h)) * body.orientation * body.axes;
                let wanted = math::rotated(&DMat3::from_quat(middle), &DMat3::from_diagonal(body.moments));
                let off =
                    (wanted - inertia).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                assert!(off < allowed, "speed {speed}: off by {off}");
            }
        }
    }

    #[test]
    fn no_body_depends_on_its_neighbours() {
        let (slow, fast) = (bodies(0.1), bodies(40.0));
        let h = 1.0 / 60.0;
        let alone = ahead(&[slow[0]; LANES], h)[0];
        assert_eq!(ahead(&[slow[0], fast[1], fast[2], fast[3]], h)[0], alone);
        let broken = Body { spin: DVec3::splat(f64::NAN), ..slow[1] };
        assert_eq!(ahead(&[broken, slow[0], broken, fast[0]], h)[1], alone);
    }
}
