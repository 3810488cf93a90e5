//! Plastic bending: a joint whose moment exceeds its yield moment keeps a part of its bend.
//!
//! With w = κ − ρ the elastic part of the bend, m the moment and γ the accumulated plastic angle (linear hardening):
//!
//! ```text
//! m = k |w|                        while it is below Y = M_y + H γ
//! m = Y + k_t (|w| − Y/k)          beyond,  k_t = k H/(k + H)
//! after the step:  Δγ = (k |w| − Y)/(k + H),   ρ += Δγ w/|w|,   γ += Δγ
//! ```
//!
//! Within a step the moment is thus that of the bend at its end, and afterwards the spring is as elastic as before,
//! about another rest bend. ρ is a vector in world axes, perpendicular to the cable, and is transported by two
//! rotations. The first is a rotation R: that of the clamp of the cable, between two clamps an interpolation of both,
//! and without clamps the one that best fits the motion of all points. The second is the shortest rotation from there
//! to the new direction of the joint (parallel transport). Bends thus follow a cable that moves as a whole, however it
//! tumbles, and a rotated plug rotates the cable that hangs on it. Twist within the cable is not modelled: it costs no
//! energy.

use glam::{DMat3, DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::math::outer;
use windlass_engine::section::Yield;

/// The rotation that best maps points to others, weighted by mass: ω from (Σ m (r² − r rᵀ)) ω = Σ m r × d, d the
/// remaining difference, iterated twice. About an axis on which all points lie there is no rotation.
pub(super) fn turn(from: &[DVec3], to: &[DVec3], mass: impl Fn(usize) -> f64) -> DQuat {
    let total: f64 = (0..from.len()).map(&mass).sum();
    let center = |x: &[DVec3]| x.iter().enumerate().map(|(i, x)| *x * mass(i)).sum::<DVec3>() / total;
    let (old, new) = (center(from), center(to));
    let mut turn = DQuat::IDENTITY;
    for _ in 0..2 {
        let (mut inertia, mut moment) = (DMat3::ZERO, DVec3::ZERO);
        for i in 0..from.len() {
            let (r, there) = (turn * (from[i] - old), to[i] - new);
            inertia += (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r, r)) * mass(i);
            moment += r.cross(there - r) * mass(i);
        }
        // the rotation of a cable about its axis is undefined if it is straight to a thousandth of its length
        let least = 1e-6 * (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z);
        inertia += DMat3::from_diagonal(DVec3::splat(least));
        turn = math::renewed(math::exp(inertia.inverse() * moment) * turn);
    }
    turn
}

/// The rotation R of each joint from those of clamps, given as clamped segments and their rotations [rad], in the order
/// of the cable. False if there are no clamps.
pub(super) fn turns_of_clamps(clamps: &[(usize, DVec3)], joints: usize, out: &mut Vec<DQuat>) -> bool {
    out.clear();
    let (Some(first), Some(last)) = (clamps.first(), clamps.last()) else { return false };
    for joint in 0..joints {
        // the middle of segment s lies half a segment before point s + 1, which is joint s
        let at = joint as f64 + 0.5;
        let beyond = clamps.iter().position(|(segment, _)| *segment as f64 > at);
        let turn = match beyond {
            Some(0) => first.1,
            None => last.1,
            Some(k) => {
                let [(from, a), (to, b)] = [clamps[k - 1], clamps[k]];
                a.lerp(b, (at - from as f64) / (to - from) as f64)
            }
        };
        out.push(math::exp(turn));
    }
    true
}

/// Plastic state of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlasticBend {
    /// The stress-free bend ρ, world axes [rad].
    pub rest: DVec3,
    /// The accumulated plastic angle γ [rad].
    pub spent: f64,
}

/// Moment of a joint as a function of the elastic part of its bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Law {
    /// k [N·m/rad].
    stiffness: f64,
    /// Y [N·m].
    limit: f64,
    /// H and k_t [N·m/rad].
    harder: f64,
    beyond: f64,
}

/// E as a function of Q = ½ |w|²: E, E′ and E″.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stored {
    pub energy: f64,
    pub first: f64,
    pub second: f64,
}

impl Law {
    /// The law of a joint of stiffness k in a cable of bending stiffness EI.
    pub fn of(stiffness: f64, bend: f64, yields: Option<Yield>, set: &PlasticBend) -> Law {
        let none = Law { stiffness, limit: f64::INFINITY, harder: 0.0, beyond: stiffness };
        yields.filter(|_| stiffness > 0.0).map_or(none, |y| {
            // per angle, as the stiffness is
            let harder = y.hardening * stiffness / bend;
            let beyond = stiffness * harder / (stiffness + harder);
            Law { stiffness, limit: y.moment + harder * set.spent, harder, beyond }
        })
    }

    /// The energy at a strain Q.
    pub fn stored(&self, q: f64) -> Stored {
        let (k, w) = (self.stiffness, (2.0 * q).sqrt());
        if !(k * w > self.limit) {
            return Stored { energy: k * q, first: k, second: 0.0 };
        }
        let end = self.limit / k;
        let over = w - end;
        let moment = self.limit + self.beyond * over;
        let energy = 0.5 * self.limit * end + (self.limit + 0.5 * self.beyond * over) * over;
        Stored { energy, first: moment / w, second: (self.beyond - moment / w) / (w * w) }
    }

    /// Updates the plastic state after a step that ends with a bend κ.
    pub fn keep(&self, bend: DVec3, set: &mut PlasticBend) {
        let strain = bend - set.rest;
        let over = self.stiffness * strain.length() - self.limit;
        if over > 0.0 {
            let spent = over / (self.stiffness + self.harder);
            set.rest += strain.normalize_or_zero() * spent;
            set.spent += spent;
        }
    }
}
