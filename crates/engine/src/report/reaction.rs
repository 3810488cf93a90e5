//! Multipliers → the force and torque of a joint on a body.
//!
//!   F = Σ λ · linear,   T about a point p = Σ λ · angular − (p − c) × F

use crate::body::frame::Frame;
use crate::body::twist::Wrench;
use crate::row::Role;
use crate::row::rows::{Group, Rows};
use glam::DVec3;

/// Force of a joint's rows on the body of a frame, and torque about the frame's origin, in world axes.
pub fn on(frame: &Frame, rows: &Rows, forces: &[f64], group: &Group) -> Wrench {
    let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    for index in group.rows() {
        for block in rows.blocks(index).iter().filter(|b| b.body == frame.body) {
            force += block.linear * forces[index];
            torque += block.angular * forces[index];
        }
    }
    Wrench { force, torque: torque - (frame.at - frame.center).cross(force) }
}

/// The force of the drive of coordinate k [N or N·m].
pub fn drive(rows: &Rows, forces: &[f64], group: &Group, k: usize) -> f64 {
    let drives = |index: &usize| rows.rows[*index].role == Role::Drive(k as u8);
    group.rows().filter(drives).map(|index| forces[index]).sum()
}
