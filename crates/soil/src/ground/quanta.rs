//! Mass in whole quanta: integer addition is associative, so sums of masses do not depend on their order.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// Mass in quanta of 2⁻²⁰ kg (0.95 mg).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mass(pub i64);

impl Mass {
    /// No mass.
    pub const ZERO: Self = Self(0);
    /// Quanta per kilogram.
    pub const PER_KILOGRAM: f64 = (1_u64 << 20) as f64;

    /// The whole quanta nearest to a mass [kg].
    pub fn from_kilograms(mass: f64) -> Self {
        Self(libm::rint(mass * Self::PER_KILOGRAM) as i64)
    }

    /// The whole quanta in a mass [kg], rounded down.
    pub fn at_most(mass: f64) -> Self {
        Self(libm::floor(mass * Self::PER_KILOGRAM) as i64)
    }

    /// In kilograms.
    pub fn kilograms(self) -> f64 {
        self.0 as f64 / Self::PER_KILOGRAM
    }
}

impl Add for Mass {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Mass {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Mass {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Mass {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Mass {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Sum for Mass {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}
