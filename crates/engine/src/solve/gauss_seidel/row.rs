//! Rows and bodies in the form that the iterations read.

use super::lanes::Lanes;
use crate::solve::regularize::{ImpulseBounds, RegularizedRow};
use std::ops::{Add, Mul, Range, Sub};

/// The entry of one body in a row of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointEntry {
    pub(super) push: Lanes,
    /// C⁻¹ times the torque.
    pub(super) spin: Lanes,
    pub(super) body: u32,
    /// 1/mass of the body.
    pub(super) inverse_mass: f64,
}

/// A row of a contact between two bodies. All data that the iterations read are contiguous, since they are
/// memory-bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepRow {
    /// Direction of the force on the second body; that on the first is opposite.
    pub(super) push: Lanes,
    /// C⁻¹ times the torques about the two centres of mass.
    pub(super) spins: [Lanes; 2],
    /// 1 / (J M⁻¹ Jᵀ + Σ); the same for both rows of a cone, so that they change together along the slip.
    pub(super) inverse: f64,
    pub(super) regularized: RegularizedRow,
    pub(super) bounds: ImpulseBounds,
    pub(super) lambda: f64,
    /// Sum of the multipliers over the substeps so far.
    pub(super) total: f64,
}

/// Two bodies in contact, and the rows between them.
#[derive(Clone, Debug)]
pub(super) struct SweptPair {
    pub(super) bodies: [u32; 2],
    /// 1/mass of both.
    pub(super) inverse_mass: [f64; 2],
    /// Its rows among all contact rows.
    pub(super) rows: Range<usize>,
    /// Rows per point; the first is the normal.
    pub(super) each: usize,
    /// Indices of its points,
    pub(super) points: Range<usize>,
    /// and of its frictions.
    pub(super) frictions: Range<usize>,
}

/// Scaled velocities of a body. All bodies that are not dynamic share one entry, which never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub(super) struct SweptBody {
    pub(super) velocity: Lanes,
    /// Cᵀ ω.
    pub(super) spin: Lanes,
}

/// The two bodies of a pair, loaded while its rows are relaxed.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyPair {
    pub(super) a: SweptBody,
    pub(super) b: SweptBody,
    pub(super) inverse_mass: [f64; 2],
}

/// The entries of a joint's row.
#[inline(always)]
pub(super) fn entries<'a>(all: &'a [JointEntry], ends: &[u32], local: usize) -> &'a [JointEntry] {
    let start = if local == 0 { 0 } else { ends[local - 1] as usize };
    &all[start..ends[local] as usize]
}

/// J u of a joint's row.
#[inline(always)]
pub(super) fn rate_of(bodies: &[SweptBody], entries: &[JointEntry]) -> f64 {
    let mut rate = 0.0;
    for e in entries {
        let body = &bodies[e.body as usize];
        rate += (e.push * body.velocity + e.spin * body.spin).sum();
    }
    rate
}

/// u ← u + M⁻¹ Jᵀ Λ of a joint's row.
#[inline(always)]
pub(super) fn push_entries(bodies: &mut [SweptBody], entries: &[JointEntry], lambda: f64) {
    for e in entries {
        let body = &mut bodies[e.body as usize];
        body.velocity += e.push * (lambda * e.inverse_mass);
        body.spin += e.spin * lambda;
    }
}

impl JointEntry {
    /// J M⁻¹ Jᵀ with another entry of the same body in the row.
    pub(super) fn mobility(&self, other: &JointEntry) -> f64 {
        (self.push * other.push * self.inverse_mass + self.spin * other.spin).sum()
    }
}

impl Add for SweptBody {
    type Output = SweptBody;
    #[inline(always)]
    fn add(self, other: SweptBody) -> SweptBody {
        SweptBody { velocity: self.velocity + other.velocity, spin: self.spin + other.spin }
    }
}

impl Sub for SweptBody {
    type Output = SweptBody;
    #[inline(always)]
    fn sub(self, other: SweptBody) -> SweptBody {
        SweptBody { velocity: self.velocity - other.velocity, spin: self.spin - other.spin }
    }
}

impl Mul<f64> for SweptBody {
    type Output = SweptBody;
    #[inline(always)]
    fn mul(self, factor: f64) -> SweptBody {
        SweptBody { velocity: self.velocity * factor, spin: self.spin * factor }
    }
}

impl SweptPair {
    /// Loads its bodies.
    #[inline(always)]
    pub(super) fn both(&self, bodies: &[SweptBody]) -> BodyPair {
        let [a, b] = self.bodies;
        BodyPair { a: bodies[a as usize], b: bodies[b as usize], inverse_mass: self.inverse_mass }
    }

    /// Stores them.
    #[inline(always)]
    pub(super) fn put(&self, both: BodyPair, bodies: &mut [SweptBody]) {
        let [a, b] = self.bodies;
        bodies[a as usize] = both.a;
        bodies[b as usize] = both.b;
    }

    /// Its own rows.
    #[inline(always)]
    pub(super) fn own_mut<'a>(&self, contact_rows: &'a mut [SweepRow]) -> &'a mut [SweepRow] {
        &mut contact_rows[self.rows.clone()]
    }

    /// The normal row of each of its points.
    #[inline(always)]
    pub(super) fn normals(&self) -> impl Fn(usize) -> usize + use<> {
        let (first, each) = (self.rows.start, self.each);
        move |point| first + point * each
    }
}

impl SweepRow {
    /// J M⁻¹ Jᵀ with another row of the same bodies.
    pub(super) fn mobility(&self, other: &SweepRow, inverse_mass: [f64; 2]) -> f64 {
        let ([sa, sb], [ta, tb]) = (self.spins, other.spins);
        (self.push * other.push * (inverse_mass[0] + inverse_mass[1]) + (sa * ta + sb * tb)).sum()
    }

    /// J u.
    #[inline(always)]
    pub(super) fn rate(&self, BodyPair { a, b, .. }: &BodyPair) -> f64 {
        (self.push * (b.velocity - a.velocity) + (self.spins[0] * a.spin + self.spins[1] * b.spin)).sum()
    }

    /// J u + ΣΛ − r.
    pub(super) fn violation(&self, both: &BodyPair) -> f64 {
        self.rate(both) + self.regularized.sigma * self.lambda - self.regularized.rhs
    }

    /// Change of its multiplier that solves the row alone.
    #[inline(always)]
    pub(super) fn step(&self, both: &BodyPair) -> f64 {
        let s = &self.regularized;
        // the term that depends on the rate comes last
        (s.rhs - s.sigma * self.lambda) * self.inverse - self.rate(both) * self.inverse
    }

    /// Change of its multiplier that results in a given rate, within its bounds.
    #[inline(always)]
    pub(super) fn correction(&self, speed: f64, both: &BodyPair) -> f64 {
        let push = speed * self.inverse - self.rate(both) * self.inverse;
        within(push, self.bounds.lo - self.lambda, self.bounds.hi - self.lambda)
    }

    /// u ← u + M⁻¹ Jᵀ Λ.
    #[inline(always)]
    pub(super) fn push(&self, both: &mut BodyPair, lambda: f64) {
        both.a.velocity -= self.push * both.inverse_mass[0] * lambda;
        both.a.spin += self.spins[0] * lambda;
        both.b.velocity += self.push * both.inverse_mass[1] * lambda;
        both.b.spin += self.spins[1] * lambda;
    }

    /// Sets a new multiplier, given with its change.
    #[inline(always)]
    pub(super) fn change_to(&mut self, both: &mut BodyPair, lambda: f64, change: f64) {
        if change != 0.0 {
            self.lambda = lambda;
            self.push(both, change);
        }
    }

    /// Solves the row for its multiplier, within its bounds.
    #[inline(always)]
    pub(super) fn relax(&mut self, both: &mut BodyPair) {
        let (step, ImpulseBounds { lo, hi }) = (self.step(both), self.bounds);
        let lambda = within(self.lambda + step, lo, hi);
        self.change_to(both, lambda, within(step, lo - self.lambda, hi - self.lambda));
    }
}

/// Clamps a number; NaN becomes the lower bound. (Unlike `max` and `min` this is unambiguous between two zeros.)
#[inline(always)]
pub(super) fn within(x: f64, lo: f64, hi: f64) -> f64 {
    let x = if x > lo { x } else { lo };
    if x < hi { x } else { hi }
}
