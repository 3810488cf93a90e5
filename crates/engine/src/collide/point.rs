//! Contact points of the narrow phase, and the two sides between which it finds them.

use super::bounds::Pose;
use super::geometry::Form;
use glam::DVec3;

/// A contact point in the frame of the first collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Raw {
    /// Halfway between the surfaces.
    pub at: DVec3,
    /// From the first to the second.
    pub normal: DVec3,
    pub gap: f64,
    /// Derived from the features in contact.
    pub name: u64,
}

/// One side of a pair: a form, its pose in the frame of the first collider, and an identifying number.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub form: &'a Form,
    pub pose: Pose,
    pub number: u64,
}

/// Hashes a number into another with few collisions (the finaliser of splitmix64).
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = (a ^ b.rotate_left(31)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
