//! All forces of a cable at given points and velocities: their energy, their sum, and the matrix of the step.
//!
//! ```text
//! G(v) = ½ (v − v₀)ᵀ M (v − v₀) + κ/h E(x₀ + h v) + ½ κ vᵀ D v        is minimal at the end of the step
//! A = M + κ D + κ h ∂²E/∂x²                                            is its second derivative
//! ```
//!
//! D, the damping along segments and of bending, is evaluated at the initial points of the step: c u uᵀ, and c ∇θ ∇θᵀ,
//! since the only bend of three points is the angle between them; where it is too small to have a direction both are
//! damped. ∂²E/∂x² is the analytic Hessian. If A is not positive definite (compressed springs, sharp bends) it is built
//! again from positive parts only: springs without the transverse term, joints with ∂κᵀ∂κ, the term that remains where
//! the moment is zero.

use crate::attachment::AttachmentState;
use crate::band_matrix::Band;
use crate::bending as bend;
use crate::cable::MassPointCable;
use crate::contact::Contact;
use crate::plasticity::{Law, PlasticBend};
use crate::stretching::Stretch;
use glam::{DMat3, DQuat, DVec3};
use windlass_engine::math::outer;

/// A bend below this angle has no direction [rad].
const STRAIGHT: f64 = 1e-6;

/// Quantities that are constant within a part of a step.
pub(super) struct System<'a> {
    pub cable: &'a MassPointCable,
    pub gravity: DVec3,
    /// Length of the part, and time for which forces act in it [s].
    pub h: f64,
    pub kick: f64,
    /// Points and velocities at its beginning.
    pub start: &'a [DVec3],
    pub before: &'a [DVec3],
    pub bends: &'a [PlasticBend],
    /// Stiffness of each joint, if cached [N·m/rad].
    pub stiff: &'a [f64],
    /// Rotation of the cable as a whole since then, for each joint; empty for a cable without bends to transport.
    pub turns: &'a [DQuat],
    pub held: &'a [AttachmentState],
    pub contacts: &'a [Contact],
    pub damping: &'a Band,
}

impl System<'_> {
    fn spring(&self) -> Stretch {
        spring(self.cable)
    }

    /// Law of the joint at an inner point, its segments, and ρ there.
    fn joint(&self, x: &[DVec3], i: usize) -> (Law, DVec3, DVec3, DVec3) {
        let (a, b, set) = (x[i + 1] - x[i], x[i] - x[i - 1], &self.bends[i - 1]);
        let stiffness = self.stiff.get(i - 1).copied().unwrap_or_else(|| self.cable.bending(i));
        let law = Law::of(stiffness, self.cable.properties.bend, self.cable.yields, set);
        (law, a, b, self.carried(x, i))
    }

    /// ρ of the joint at an inner point, transported from the start to the present points.
    pub fn carried(&self, x: &[DVec3], i: usize) -> DVec3 {
        let rest = self.bends[i - 1].rest;
        if rest == DVec3::ZERO {
            return rest;
        }
        let tangent = |x: &[DVec3]| bend::tangent(x[i + 1] - x[i], x[i] - x[i - 1]);
        let turn = self.turns.get(i - 1).copied().unwrap_or(DQuat::IDENTITY);
        bend::transported(turn * rest, turn * tangent(self.start), tangent(x))
    }

    fn bends(&self) -> std::ops::Range<usize> {
        if self.cable.properties.bend > 0.0 { 1..self.cable.segments() } else { 1..1 }
    }

    /// Energy of the springs and of gravity [J].
    pub fn stored(&self, x: &[DVec3]) -> (f64, f64) {
        let spring = self.spring();
        let mut elastic: f64 = x.windows(2).map(|w| spring.energy(w[1] - w[0])).sum();
        for i in self.bends() {
            let (law, a, b, rest) = self.joint(x, i);
            elastic += law.stored(0.5 * (bend::bend(a, b) - rest).length_squared()).energy;
        }
        let weight = |(i, x): (usize, &DVec3)| -self.cable.mass(i) * self.gravity.dot(*x);
        (elastic, x.iter().enumerate().map(weight).sum())
    }

    /// G [J]. `image` is workspace.
    pub fn merit(&self, x: &[DVec3], v: &[DVec3], image: &mut [DVec3]) -> f64 {
        let (elastic, weight) = self.stored(x);
        let hands: f64 = self.cable.tethers.iter().map(|l| l.energy(x[l.point])).sum();
        let touches: f64 = self.contacts.iter().map(|c| c.energy(x)).sum();
        self.damping.times(v, image);
        let mut sum = self.kick / self.h * (elastic + weight + hands + touches);
        for (i, v) in v.iter().enumerate() {
            let d = *v - self.before[i];
            sum += 0.5 * (self.cable.mass(i) * d.length_squared() + self.kick * v.dot(image[i]));
        }
        for held in self.held {
            if let Some([_, resists]) = held.mass {
                let d = v[held.point] - held.carried;
                sum += 0.5 * d.dot(resists * d) + self.kick * held.force.dot(v[held.point]);
            }
        }
        sum
    }

    /// Forces at points and velocities, times κ, less the change of momentum: −∂G/∂v [N·s]. Rigidly attached points are
    /// included: their entries are the reactions on their bodies.
    pub fn rest(&self, x: &[DVec3], v: &[DVec3], out: &mut [DVec3]) {
        self.damping.times(v, out);
        for (i, o) in out.iter_mut().enumerate() {
            *o = self.gravity * self.cable.mass(i) - *o;
        }
        let spring = self.spring();
        for i in 0..x.len() - 1 {
            let pull = spring.gradient(x[i + 1] - x[i]);
            out[i] += pull;
            out[i + 1] -= pull;
        }
        for i in self.bends() {
            let (law, a, b, rest) = self.joint(x, i);
            let Some(bend) = bend::measure(a, b, rest) else { continue };
            let first = law.stored(bend.value).first;
            let [by_a, by_b] = bend.gradient.map(|g| g * first);
            out[i - 1] += by_b;
            out[i] += by_a - by_b;
            out[i + 1] -= by_a;
        }
        for lead in &self.cable.tethers {
            out[lead.point] += lead.pull(x[lead.point]);
        }
        for c in self.contacts {
            let force = c.push(x).0;
            out[c.segment] += force * c.share[0];
            out[c.segment + 1] += force * c.share[1];
        }
        for (i, o) in out.iter_mut().enumerate() {
            *o = *o * self.kick - (v[i] - self.before[i]) * self.cable.mass(i);
        }
        for held in self.held {
            if let Some([_, resists]) = held.mass {
                out[held.point] -= resists * (v[held.point] - held.carried) + held.force * self.kick;
            }
        }
    }

    /// A, and −κ ∂²E/∂x² (x₀ + h v − x) added to `right` for points that are not yet where their velocities bring them.
    pub fn build(
        &self,
        x: &[DVec3],
        v: &[DVec3],
        positive: bool,
        a: &mut Band,
        right: Option<(&mut [DVec3], &mut [DVec3])>,
    ) {
        a.clear(x.len());
        let spring = self.spring();
        for i in 0..x.len() - 1 {
            let block = spring.hessian(x[i + 1] - x[i], positive);
            a.add(i, i, block);
            a.add(i + 1, i + 1, block);
            a.add(i + 1, i, -block);
        }
        for i in self.bends() {
            self.build_joint(x, i, positive, a);
        }
        for lead in &self.cable.tethers {
            a.add(lead.point, lead.point, lead.hessian(x[lead.point]));
        }
        for c in self.contacts {
            let (block, [s, t]) = (c.push(x).1, c.share);
            a.add(c.segment, c.segment, block * (s * s));
            a.add(c.segment + 1, c.segment, block * (s * t));
            a.add(c.segment + 1, c.segment + 1, block * (t * t));
        }
        if let Some((right, ahead)) = right {
            for i in 0..x.len() {
                ahead[i] = self.start[i] + v[i] * self.h - x[i];
            }
            let (ahead, image) = ahead.split_at_mut(x.len());
            a.times(ahead, image);
            right.iter_mut().zip(image).for_each(|(r, i)| *r -= *i * self.kick);
        }
        self.finish(a);
    }

    /// Turns ∂²E/∂x² into A.
    fn finish(&self, a: &mut Band) {
        let (stiff, damp) = (self.kick * self.h, self.kick);
        let mix = |to: &mut Vec<DMat3>, from: &[DMat3]| {
            to.iter_mut().zip(from).for_each(|(t, f)| *t = *t * stiff + *f * damp);
        };
        mix(&mut a.diagonal, &self.damping.diagonal);
        mix(&mut a.below[0], &self.damping.below[0]);
        mix(&mut a.below[1], &self.damping.below[1]);
        for i in 0..a.diagonal.len() {
            a.diagonal[i] += DMat3::from_diagonal(DVec3::splat(self.cable.mass(i)));
        }
        for held in self.held {
            match held.mass {
                Some([_, resists]) => a.diagonal[held.point] += resists,
                None => a.hold(held.point),
            }
        }
    }

    fn build_joint(&self, x: &[DVec3], i: usize, positive: bool, out: &mut Band) {
        let (law, a, b, rest) = self.joint(x, i);
        let Some(bend) = bend::measure(a, b, rest) else { return };
        let stored = law.stored(bend.value);
        let sides = [(0, 0), (0, 1), (1, 1)];
        let blocks = [0, 1, 2].map(|k| {
            let (p, q) = sides[k];
            let shape = if positive { bend.turns[p].transpose() * bend.turns[q] } else { bend.hessian[k] };
            shape * stored.first + outer(bend.gradient[p], bend.gradient[q]) * stored.second
        });
        spread(out, i, &blocks);
    }
}

/// Adds the blocks (a, a), (a, b) and (b, b) of the joint at point i, where a = xᵢ₊₁ − xᵢ and b = xᵢ − xᵢ₋₁.
fn spread(out: &mut Band, i: usize, [aa, ab, bb]: &[DMat3; 3]) {
    out.add(i - 1, i - 1, *bb);
    out.add(i, i, *aa - *ab - ab.transpose() + *bb);
    out.add(i + 1, i + 1, *aa);
    out.add(i, i - 1, *ab - *bb);
    out.add(i + 1, i, *ab - *aa);
    out.add(i + 1, i - 1, -*ab);
}

fn spring(cable: &MassPointCable) -> Stretch {
    let rest = cable.pitch();
    Stretch { stiffness: cable.properties.stretch / rest, rest }
}

/// D of a cable at given points.
pub(super) fn damping(cable: &MassPointCable, x: &[DVec3], out: &mut Band) {
    out.clear(x.len());
    let (spring, damping) = (spring(cable), &cable.damping);
    let air = damping.air / cable.properties.mass;
    for i in 0..x.len() {
        out.add(i, i, DMat3::from_diagonal(DVec3::splat(air * cable.mass(i))));
    }
    for i in 0..x.len() - 1 {
        let u = (x[i + 1] - x[i]).normalize_or_zero();
        let block = outer(u, u) * (damping.stretch * spring.stiffness);
        out.add(i, i, block);
        out.add(i + 1, i + 1, block);
        out.add(i + 1, i, -block);
    }
    if damping.bend == 0.0 {
        return;
    }
    for i in 1..cable.segments() {
        let Some(bend) = bend::measure(x[i + 1] - x[i], x[i] - x[i - 1], DVec3::ZERO) else { continue };
        let (angle, c) = (bend.bend.length(), damping.bend * cable.bending(i));
        // ∇Q = θ ∇θ; for θ → 0 ∂κᵀ∂κ has both directions
        let blocks = if angle > STRAIGHT {
            let [by_a, by_b] = bend.gradient.map(|g| g / angle);
            [outer(by_a, by_a), outer(by_a, by_b), outer(by_b, by_b)]
        } else {
            let [a, b] = bend.turns;
            [a.transpose() * a, a.transpose() * b, b.transpose() * b]
        };
        spread(out, i, &blocks.map(|block| block * c));
    }
}
