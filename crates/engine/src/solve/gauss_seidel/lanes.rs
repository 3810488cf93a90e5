//! Four-lane arithmetic of Gauss–Seidel.
//!
//! Plain arithmetic per lane, which the compiler turns into one instruction where registers hold four numbers and into
//! two where they hold two. It neither fuses nor reorders, so that both are bitwise identical.

use glam::{DMat3, DVec3};
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// Four numbers; a vector in space has a zero in the last lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Lanes([f64; 4]);

impl Lanes {
    /// Sum over the lanes, always in this order.
    #[inline(always)]
    pub(super) fn sum(self) -> f64 {
        let Lanes([x, y, z, w]) = self;
        (x + y) + (z + w)
    }

    /// The first three lanes.
    #[inline(always)]
    pub(super) fn xyz(self) -> DVec3 {
        let Lanes([x, y, z, _]) = self;
        DVec3::new(x, y, z)
    }
}

/// A matrix by its columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Columns([Lanes; 3]);

impl Columns {
    /// A v.
    #[inline(always)]
    pub(super) fn times(&self, v: DVec3) -> Lanes {
        let Columns([x, y, z]) = *self;
        x * v.x + y * v.y + z * v.z
    }

    /// Aᵀ v.
    pub(super) fn transposed_times(&self, v: Lanes) -> DVec3 {
        let Columns([x, y, z]) = *self;
        DVec3::new((x * v).sum(), (y * v).sum(), (z * v).sum())
    }
}

impl From<DMat3> for Columns {
    fn from(m: DMat3) -> Columns {
        Columns([m.x_axis.into(), m.y_axis.into(), m.z_axis.into()])
    }
}

impl From<DVec3> for Lanes {
    #[inline(always)]
    fn from(v: DVec3) -> Lanes {
        Lanes([v.x, v.y, v.z, 0.0])
    }
}

impl Add for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn add(self, Lanes(b): Lanes) -> Lanes {
        let Lanes(a) = self;
        Lanes([a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]])
    }
}

impl Sub for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn sub(self, Lanes(b): Lanes) -> Lanes {
        let Lanes(a) = self;
        Lanes([a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]])
    }
}

/// Lane by lane.
impl Mul for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn mul(self, Lanes(b): Lanes) -> Lanes {
        let Lanes(a) = self;
        Lanes([a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]])
    }
}

impl Mul<f64> for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn mul(self, b: f64) -> Lanes {
        self * Lanes([b; 4])
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, b: Lanes) {
        *self = *self + b;
    }
}

impl SubAssign for Lanes {
    #[inline(always)]
    fn sub_assign(&mut self, b: Lanes) {
        *self = *self - b;
    }
}
