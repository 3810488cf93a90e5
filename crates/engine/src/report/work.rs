//! Solution of a step → the work that was done on bodies in it from outside of the account of energies.
//!
//!   W = κ Σ F·½(v + u)                  explicit loads, gravity among them
//!     + Σ max(0, Λ J u)                 drives
//!     + Σ max(0, Λ (w − J_c v_c))       other rows: moving targets w, bodies with prescribed velocities v_c
//!
//! What rows take out is not subtracted, since brakes and dampers do the same: W bounds what kinetic energy can come from.

use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::row::{Role, rate};
use crate::solve::Solution;

/// The work of a step of length h whose forces act for `kick` [J].
pub(crate) fn supplied(
    state: &State,
    (h, kick): (f64, f64),
    (free, rows, solution): (&FreeMotion, &Rows, &Solution),
) -> f64 {
    let mut work = 0.0;
    for place in free.movable.iter().chain(&free.elements).map(|place| *place as usize) {
        let (before, after) = (state.twist(place), solution.twists[place]);
        let load = free.load(place).unwrap_or_default();
        let twice = load.force.dot(before.velocity + after.velocity)
            + load.torque.dot(before.angular_velocity + after.angular_velocity);
        work += 0.5 * kick * twice;
    }
    let moved =
        |place: usize| if free.inertial[place].free { solution.twists[place] } else { Twist::default() };
    let carried =
        |place: usize| if free.inertial[place].free { Twist::default() } else { free.carried[place] };
    for (index, row) in rows.rows.iter().enumerate() {
        let driven = matches!(row.role, Role::Drive(_));
        if !(driven || free.carrying || row.speed != 0.0 || row.acceleration != 0.0) {
            continue;
        }
        let speed = match driven {
            true => rate(rows.blocks(index), moved),
            false if free.carrying => row.wanted(h) - rate(rows.blocks(index), carried),
            false => row.wanted(h),
        };
        work += f64::max(0.0, kick * solution.forces[index] * speed);
    }
    work
}
