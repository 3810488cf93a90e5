//! Poses ⇄ integers on the grid of the recording.

use crate::header::Grid;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::World;

/// Numbers of a pose.
pub(crate) const NUMBERS: usize = 7;

/// Where a body's frame is, to the grid of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Origin of its frame [m].
    pub at: DVec3,
    /// Attitude of its frame; a unit quaternion.
    pub attitude: DQuat,
}

/// Appends the poses of a world's bodies, by place; an empty place is at the origin.
pub(crate) fn on_grid(world: &World, grid: &Grid, out: &mut Vec<i64>) {
    out.clear();
    out.resize(NUMBERS * world.model().bodies().places(), 0);
    let (length, attitude) = (1.0 / grid.length, 1.0 / grid.attitude);
    for (place, body) in world.model().bodies().iter() {
        let b = &world.state().bodies[place];
        let (x, q) = (b.position - b.attitude * body.mass.center, b.attitude);
        let row = &mut out[NUMBERS * place..NUMBERS * (place + 1)];
        let numbers = [x.x, x.y, x.z].map(|v| v * length).into_iter();
        let numbers = numbers.chain([q.w, q.x, q.y, q.z].map(|v| v * attitude));
        row.iter_mut().zip(numbers).for_each(|(place, v)| *place = nearest(v));
    }
}

/// Rounded; without a call into the platform's library, which `f64::round` is on plain x86-64.
fn nearest(x: f64) -> i64 {
    (x + 0.5f64.copysign(x)) as i64
}

/// A pose from the grid.
pub(crate) fn off_grid(n: &[i64], grid: &Grid) -> Pose {
    let x = |i: usize| n[i] as f64 * grid.length;
    let q = DQuat::from_xyzw(n[4] as f64, n[5] as f64, n[6] as f64, n[3] as f64);
    // an empty place has no attitude
    let attitude = if q.length_squared() > 0.0 { q.normalize() } else { DQuat::IDENTITY };
    Pose { at: DVec3::new(x(0), x(1), x(2)), attitude }
}
