//! A torsion spring between two neighbouring segments, proportional to the angle and not to the shortening of a chord.
//!
//! With a the segment after the joint, b the one before it, q and p their directions and θ the angle between them, the
//! bend is the vector κ = θ n, n = p × q / |p × q|, and ρ is the stress-free bend:
//!
//! ```text
//! Q = ½ |κ − ρ|² = φ(c) − g(c) T + ½ ρ²        c = p·q = cos θ,  T = ρ·(p × q)
//! φ = ½ θ²,   φ′ = −g,   g = θ / sin θ,   g′ = −(1 − c g)/sin² θ,   g″ = (g + 3 c g′)/sin² θ
//! ```
//!
//! and E = k Q while it is elastic. c and T are bilinear in p and q, so that all derivatives follow from those of one
//! function f = q·B p with B = 1 or B = [ρ]:
//!
//! ```text
//! ∂f/∂a = s/|a|,  s = (1 − q qᵀ) B p        ∂²f/∂a² = −(q sᵀ + s qᵀ + f (1 − q qᵀ))/|a|²
//! ∂²f/∂a∂b = (1 − q qᵀ) B (1 − p pᵀ)/(|a||b|)
//! ```
//!
//! These are the derivatives of Loock and Schömer (their equations 14 to 16, in which a factor k_B is missing and
//! arctan of a quotient is used for the angle beyond 90°), written without division by sin θ: near θ = 0 g is its
//! series in 1 − c. Near θ = π, where the direction of the bend is undefined, φ is continued linearly in c from
//! c = −1 + 10⁻⁶, i.e. for the last 1.4 mrad: energy and gradient are continuous, and at the fold itself there is no
//! force.

use glam::{DMat3, DVec3};
use windlass_engine::math::outer;

/// Below this φ is linear in c.
const FOLD: f64 = -1.0 + 1e-6;
/// Up to this 1 − c the series is used: its ratio is below 0.05, so that 14 terms are accurate to round-off.
const SERIES: f64 = 0.1;
/// Terms of the series.
const TERMS: usize = 14;

/// Q and its derivatives with respect to a and b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Q = ½ |κ − ρ|².
    pub value: f64,
    /// ∂Q/∂a and ∂Q/∂b.
    pub gradient: [DVec3; 2],
    /// ∂²Q/∂a², ∂²Q/∂a∂b, ∂²Q/∂b².
    pub hessian: [DMat3; 3],
    /// κ = θ n [rad], world axes.
    pub bend: DVec3,
    /// ∂κ/∂a and ∂κ/∂b.
    pub turns: [DMat3; 2],
}

/// φ, g, g′ and g″ of the angle between two unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle {
    /// ½ θ².
    pub half_square: f64,
    /// g, g′, g″, derivatives with respect to c.
    pub ratio: [f64; 3],
}

impl Angle {
    /// The angle between p and q.
    pub fn between(p: DVec3, q: DVec3) -> Angle {
        let c = p.dot(q);
        // 1 − c without cancellation
        let y = 0.5 * (p - q).length_squared();
        if y < SERIES {
            return Angle::series(y);
        }
        if c > FOLD {
            return Angle::closed(c, p.cross(q).length());
        }
        let edge = Angle::closed(FOLD, (1.0 - FOLD * FOLD).sqrt());
        let g = edge.ratio[0];
        Angle { half_square: edge.half_square - g * (c - FOLD), ratio: [g, 0.0, 0.0] }
    }

    /// From cos θ and sin θ.
    fn closed(c: f64, s: f64) -> Angle {
        let theta = libm::atan2(s, c);
        let g = theta / s;
        let first = -(1.0 - c * g) / (s * s);
        let second = (g + 3.0 * c * first) / (s * s);
        Angle { half_square: 0.5 * theta * theta, ratio: [g, first, second] }
    }

    /// From y = 1 − c: g = Σ gₙ yⁿ, (2n + 1) gₙ = n gₙ₋₁, which follows from (1 − c²) g′ = c g − 1.
    fn series(y: f64) -> Angle {
        let (mut half_square, mut ratio) = (0.0, [0.0; 3]);
        let (mut coefficient, mut powers) = (1.0, [0.0, 0.0, 1.0]);
        for n in 0..TERMS {
            let k = n as f64;
            // powers of y: n − 2, n − 1, n
            half_square += coefficient * powers[2] * y / (k + 1.0);
            ratio[0] += coefficient * powers[2];
            ratio[1] -= coefficient * k * powers[1];
            ratio[2] += coefficient * k * (k - 1.0) * powers[0];
            coefficient *= (k + 1.0) / (2.0 * k + 3.0);
            powers = [powers[1], powers[2], powers[2] * y];
        }
        Angle { half_square, ratio }
    }
}

/// The bend κ = θ n from the direction of b to that of a [rad]; zero if one has no length.
pub fn bend(a: DVec3, b: DVec3) -> DVec3 {
    let (Some(q), Some(p)) = (a.try_normalize(), b.try_normalize()) else { return DVec3::ZERO };
    p.cross(q) * Angle::between(p, q).ratio[0]
}

/// The direction of the cable at a joint: the bisector of its segments; that of the second if they are opposed.
pub fn tangent(a: DVec3, b: DVec3) -> DVec3 {
    let (q, p) = (a.normalize_or_zero(), b.normalize_or_zero());
    (p + q).try_normalize().unwrap_or(q)
}

/// Parallel transport of a vector perpendicular to t₀ to t₁: the shortest rotation, without spin about the tangent.
pub fn transported(v: DVec3, t0: DVec3, t1: DVec3) -> DVec3 {
    let both = 1.0 + t0.dot(t1);
    // for opposite directions the shortest rotation is undefined
    if both < 1e-9 { v } else { v - (t0 + t1) * (t1.dot(v) / both) }
}

/// A bilinear function of the directions: value, s of both sides, and its mixed derivative.
struct Bilinear {
    value: f64,
    /// With respect to a and b.
    gradient: [DVec3; 2],
    hessian: [DMat3; 3],
}

impl Bilinear {
    const ZERO: Bilinear = Bilinear { value: 0.0, gradient: [DVec3::ZERO; 2], hessian: [DMat3::ZERO; 3] };
}

/// Directions of the segments, projectors perpendicular to them, and 1/length.
struct Arms {
    q: DVec3,
    p: DVec3,
    off: [DMat3; 2],
    per: [f64; 2],
}

impl Arms {
    fn bilinear(&self, b: &DMat3) -> Bilinear {
        let value = self.q.dot(*b * self.p);
        let sides = [(self.q, *b * self.p), (self.p, b.transpose() * self.q)];
        let s = [0, 1].map(|k| sides[k].1 - sides[k].0 * value);
        let own = |k: usize| {
            let u = sides[k].0;
            let cross = outer(u, s[k]);
            (cross + cross.transpose() + self.off[k] * value) * (-self.per[k] * self.per[k])
        };
        let mixed = (self.off[0] * *b * self.off[1]) * (self.per[0] * self.per[1]);
        let gradient = [s[0] * self.per[0], s[1] * self.per[1]];
        Bilinear { value, gradient, hessian: [own(0), mixed, own(1)] }
    }
}

/// Q, κ and their analytic derivatives with ρ constant. None if a segment has no length.
pub fn measure(a: DVec3, b: DVec3, rest: DVec3) -> Option<Bend> {
    let (q, p) = (a.try_normalize()?, b.try_normalize()?);
    let off = [q, p].map(|u| DMat3::IDENTITY - outer(u, u));
    let per = [1.0 / a.length(), 1.0 / b.length()];
    let arms = Arms { q, p, off, per };
    let angle = Angle::between(p, q);
    let [g, first, second] = angle.ratio;
    let c = arms.bilinear(&DMat3::IDENTITY);
    // T = ρ·(p × q) = q·(ρ × p); most cables have no ρ
    let bent = rest != DVec3::ZERO;
    let t = if bent { arms.bilinear(&cross_matrix(rest)) } else { Bilinear::ZERO };
    let by_c = -g - first * t.value;
    let by_cc = -first - second * t.value;
    let gradient = [0, 1].map(|k| c.gradient[k] * by_c - t.gradient[k] * g);
    let sides = [(0, 0), (0, 1), (1, 1)];
    let hessian = [0, 1, 2].map(|k| {
        let (i, j) = sides[k];
        let both = outer(c.gradient[i], t.gradient[j]) + outer(t.gradient[i], c.gradient[j]);
        outer(c.gradient[i], c.gradient[j]) * by_cc - both * first + c.hessian[k] * by_c - t.hessian[k] * g
    });
    let normal = p.cross(q);
    let turns = [
        outer(normal, c.gradient[0]) * first + cross_matrix(p) * off[0] * (g * per[0]),
        outer(normal, c.gradient[1]) * first - cross_matrix(q) * off[1] * (g * per[1]),
    ];
    let value = angle.half_square - g * t.value + 0.5 * rest.length_squared();
    Some(Bend { value, gradient, hessian, bend: normal * g, turns })
}

/// The matrix of v ×.
#[inline]
pub(crate) fn cross_matrix(v: DVec3) -> DMat3 {
    let (x, y) = (DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x));
    DMat3::from_cols(x, y, DVec3::new(v.y, -v.x, 0.0))
}
