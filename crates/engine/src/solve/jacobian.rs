//! Products with the Jacobian of a row: its rate J v and its mobility J M⁻¹ Jᵀ.

use crate::force::free::Free;
use crate::world::frame::Block;
use crate::world::twist::Twist;
use glam::DMat3;

/// J v of a row for any velocities.
pub fn rate(blocks: &[Block], twist: impl Fn(usize) -> Twist) -> f64 {
    blocks.iter().fold(0.0, |sum, b| {
        let t = twist(b.body as usize);
        sum + b.linear.dot(t.velocity) + b.angular.dot(t.spin)
    })
}

/// J M⁻¹ Jᵀ of a row.
pub fn mobility(blocks: &[Block], free: &Free, inertia: &[DMat3]) -> f64 {
    let mut sum = 0.0;
    for (i, b) in blocks.iter().enumerate().filter(|(_, b)| free.inertial[b.body as usize].free) {
        // a body may stand in a row twice
        let place = b.body as usize;
        let all = blocks.iter().filter(|c| c.body == b.body);
        if blocks[..i].iter().any(|c| c.body == b.body) {
            continue;
        }
        let (linear, angular) =
            all.fold((glam::DVec3::ZERO, glam::DVec3::ZERO), |(l, a), c| (l + c.linear, a + c.angular));
        sum += linear.length_squared() / free.inertial[place].mass;
        if angular != glam::DVec3::ZERO {
            sum += angular.dot(inertia[place].inverse() * angular);
        }
    }
    sum
}
