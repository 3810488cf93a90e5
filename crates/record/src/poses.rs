//! Poses ⇄ integers on the grid of the recording.

use crate::header::Grid;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::World;

/// Numbers per pose.
pub(crate) const NUMBERS: usize = 7;

/// The pose of a body's frame, rounded to the grid of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Origin of its frame [m].
    pub at: DVec3,
    /// Orientation of its frame; a unit quaternion.
    pub orientation: DQuat,
}

/// Appends the poses of a world's bodies by index; an unused index is at the origin.
pub(crate) fn on_grid(world: &World, grid: &Grid, out: &mut Vec<i64>) {
    out.clear();
    out.resize(NUMBERS * world.model().bodies().places(), 0);
    let (length, orientation) = (1.0 / grid.length, 1.0 / grid.orientation);
    for (place, body) in world.model().bodies().iter() {
        let b = &world.state().bodies[place];
        let (x, q) = (b.position - b.orientation * body.mass.center, b.orientation);
        let (x, q) = (x * length, q * orientation);
        let row = [x.x, x.y, x.z, q.w, q.x, q.y, q.z].map(nearest);
        out[NUMBERS * place..NUMBERS * (place + 1)].copy_from_slice(&row);
    }
}

/// Rounded; clamped beyond 2⁵¹ (at the default grid that is twice the engine's maximum position). A number added to
/// 1.5 · 2⁵² has its integer part in its low bits: several times as fast as `f64::round` and a conversion.
fn nearest(x: f64) -> i64 {
    const MOST: f64 = (1u64 << 51) as f64;
    const SHIFT: f64 = 3.0 * MOST;
    (x.clamp(-MOST, MOST) + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()) as i64
}

/// A pose from the grid.
pub(crate) fn off_grid(n: &[i64], grid: &Grid) -> Pose {
    let x = |i: usize| n[i] as f64 * grid.length;
    let q = DQuat::from_xyzw(n[4] as f64, n[5] as f64, n[6] as f64, n[3] as f64);
    // an unused index has no orientation
    let orientation = if q.length_squared() > 0.0 { q.normalize() } else { DQuat::IDENTITY };
    Pose { at: DVec3::new(x(0), x(1), x(2)), orientation }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        for x in [0.0, 0.4, 0.6, -0.4, -0.6, 1e15 + 0.25, -1e15 - 0.75, 123456.5001, -7.0] {
            assert!((nearest(x) as f64 - x).abs() <= 0.5, "{x} became {}", nearest(x));
        }
        assert_eq!(nearest(1e300), 1 << 51);
        assert_eq!(nearest(f64::NEG_INFINITY), -(1 << 51));
    }
}
