//! Rows as sweeps read them.

use super::lanes::Lanes;
use crate::solve::regularize::{Impulses, Softened};
use std::ops::{Add, Mul, Range, Sub};

/// One body's part in a row of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) push: Lanes,
    /// C⁻¹ times the torque.
    pub(super) spin: Lanes,
    pub(super) body: u32,
    /// 1/mass of the body.
    pub(super) ease: f64,
}

/// A row of a contact: two bodies, pushed apart along one direction. All that sweeps read of it stands together, since they do
/// little but read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Along which the second is pushed, and the first the other way.
    pub(super) push: Lanes,
    /// C⁻¹ times the torques about the two centres of mass.
    pub(super) spins: [Lanes; 2],
    /// 1 / (J M⁻¹ Jᵀ + Σ); the rows of a cone have one number, so that they move together along the slip.
    pub(super) inverse: f64,
    pub(super) softened: Softened,
    pub(super) bounds: Impulses,
    pub(super) lambda: f64,
    /// Sum of the multipliers over the parts of a step that are done.
    pub(super) total: f64,
}

/// Two bodies that touch, and the lines between them.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) bodies: [u32; 2],
    /// 1/mass of both.
    pub(super) ease: [f64; 2],
    pub(super) lines: Range<usize>,
    /// Lines of a point; the first of them is the normal.
    pub(super) each: usize,
    /// The numbers of its points,
    pub(super) points: Range<usize>,
    /// and of its rubs.
    pub(super) rubs: Range<usize>,
}

/// A body while it is swept. Bodies that are not free are one that nothing moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub(super) struct Swept {
    pub(super) velocity: Lanes,
    /// Cᵀ ω.
    pub(super) spin: Lanes,
}

/// The two bodies of a pair while its lines have their turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Both {
    pub(super) a: Swept,
    pub(super) b: Swept,
    pub(super) ease: [f64; 2],
}

/// The entries of a joint's row.
#[inline(always)]
pub(super) fn entries<'a>(all: &'a [Entry], ends: &[u32], local: usize) -> &'a [Entry] {
    let start = if local == 0 { 0 } else { ends[local - 1] as usize };
    &all[start..ends[local] as usize]
}

/// J u of a joint's row.
#[inline(always)]
pub(super) fn rate_of(bodies: &[Swept], entries: &[Entry]) -> f64 {
    let mut rate = 0.0;
    for e in entries {
        let body = &bodies[e.body as usize];
        rate += (e.push * body.velocity + e.spin * body.spin).sum();
    }
    rate
}

/// u ← u + M⁻¹ Jᵀ Λ of a joint's row.
#[inline(always)]
pub(super) fn push_entries(bodies: &mut [Swept], entries: &[Entry], lambda: f64) {
    for e in entries {
        let body = &mut bodies[e.body as usize];
        body.velocity += e.push * (lambda * e.ease);
        body.spin += e.spin * lambda;
    }
}

impl Entry {
    /// J M⁻¹ Jᵀ with another part of the same body in the row.
    pub(super) fn mobility(&self, other: &Entry) -> f64 {
        (self.push * other.push * self.ease + self.spin * other.spin).sum()
    }
}

impl Add for Swept {
    type Output = Swept;
    #[inline(always)]
    fn add(self, other: Swept) -> Swept {
        Swept { velocity: self.velocity + other.velocity, spin: self.spin + other.spin }
    }
}

impl Sub for Swept {
    type Output = Swept;
    #[inline(always)]
    fn sub(self, other: Swept) -> Swept {
        Swept { velocity: self.velocity - other.velocity, spin: self.spin - other.spin }
    }
}

impl Mul<f64> for Swept {
    type Output = Swept;
    #[inline(always)]
    fn mul(self, factor: f64) -> Swept {
        Swept { velocity: self.velocity * factor, spin: self.spin * factor }
    }
}

impl Pair {
    /// Its bodies, of those that are swept or others.
    #[inline(always)]
    pub(super) fn both(&self, bodies: &[Swept]) -> Both {
        let [a, b] = self.bodies;
        Both { a: bodies[a as usize], b: bodies[b as usize], ease: self.ease }
    }

    /// Puts them back.
    #[inline(always)]
    pub(super) fn put(&self, both: Both, bodies: &mut [Swept]) {
        let [a, b] = self.bodies;
        bodies[a as usize] = both.a;
        bodies[b as usize] = both.b;
    }

    /// Its own of all lines.
    #[inline(always)]
    pub(super) fn own_mut<'a>(&self, lines: &'a mut [Line]) -> &'a mut [Line] {
        &mut lines[self.lines.clone()]
    }

    /// Tells the line of the normal of each of its points.
    #[inline(always)]
    pub(super) fn normals(&self) -> impl Fn(usize) -> usize + use<> {
        let (first, each) = (self.lines.start, self.each);
        move |point| first + point * each
    }
}

impl Line {
    /// J M⁻¹ Jᵀ with another line of the same bodies.
    pub(super) fn mobility(&self, other: &Line, ease: [f64; 2]) -> f64 {
        let ([sa, sb], [ta, tb]) = (self.spins, other.spins);
        (self.push * other.push * (ease[0] + ease[1]) + (sa * ta + sb * tb)).sum()
    }

    /// J u.
    #[inline(always)]
    pub(super) fn rate(&self, Both { a, b, .. }: &Both) -> f64 {
        (self.push * (b.velocity - a.velocity) + (self.spins[0] * a.spin + self.spins[1] * b.spin)).sum()
    }

    /// J u + ΣΛ − r.
    pub(super) fn violation(&self, both: &Both) -> f64 {
        self.rate(both) + self.softened.sigma * self.lambda - self.softened.rhs
    }

    /// By how much it would like to change its multiplier.
    #[inline(always)]
    pub(super) fn wish(&self, both: &Both) -> f64 {
        let s = &self.softened;
        // what must wait for the rate comes last
        (s.rhs - s.sigma * self.lambda) * self.inverse - self.rate(both) * self.inverse
    }

    /// By how much more it would push other velocities to have a speed, inside its bounds.
    #[inline(always)]
    pub(super) fn mending(&self, speed: f64, both: &Both) -> f64 {
        let push = speed * self.inverse - self.rate(both) * self.inverse;
        within(push, self.bounds.lo - self.lambda, self.bounds.hi - self.lambda)
    }

    /// u ← u + M⁻¹ Jᵀ Λ.
    #[inline(always)]
    pub(super) fn push(&self, both: &mut Both, lambda: f64) {
        both.a.velocity -= self.push * both.ease[0] * lambda;
        both.a.spin += self.spins[0] * lambda;
        both.b.velocity += self.push * both.ease[1] * lambda;
        both.b.spin += self.spins[1] * lambda;
    }

    /// Takes another multiplier, which is so much more.
    #[inline(always)]
    pub(super) fn give(&mut self, both: &mut Both, lambda: f64, change: f64) {
        if change != 0.0 {
            self.lambda = lambda;
            self.push(both, change);
        }
    }

    /// Changes its multiplier as it would like, inside its bounds.
    #[inline(always)]
    pub(super) fn turn(&mut self, both: &mut Both) {
        let (wish, Impulses { lo, hi }) = (self.wish(both), self.bounds);
        let lambda = within(self.lambda + wish, lo, hi);
        self.give(both, lambda, within(wish, lo - self.lambda, hi - self.lambda));
    }
}

/// The nearest number inside two bounds; no number becomes the lower. (Unlike `max` and `min` it leaves no choice between two
/// zeros.)
#[inline(always)]
pub(super) fn within(x: f64, lo: f64, hi: f64) -> f64 {
    let x = if x > lo { x } else { lo };
    if x < hi { x } else { hi }
}
