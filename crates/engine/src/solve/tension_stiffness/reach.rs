//! ω̄: mean angular velocity of the cable within the reach of an element.
//!
//!   Σ l P ω̄ = Σ l P ω over the elements within half the reach to each side,   P = 1 − u uᵀ

use super::members::HeldBodies;
use crate::force::free_motion::FreeMotion;
use crate::math;
use crate::model::state::State;
use glam::{DMat3, DVec3};

/// The reach relative to the travel of a wave in a step, h √(T/μ). A wave of half the length λ = reach has ω h =
/// π/REACH.
const REACH: f64 = 10.0;

/// ω̄ of every member.
pub(super) fn mean_rotation(
    found: &mut HeldBodies,
    sums: &mut Vec<(DMat3, DVec3)>,
    (state, free): (&State, &FreeMotion),
    h: f64,
) {
    let HeldBodies { members, runs, .. } = found;
    for run in &*runs {
        sums.clear();
        sums.push((DMat3::ZERO, DVec3::ZERO));
        let (mut across, mut spins) = (DMat3::ZERO, DVec3::ZERO);
        for m in &members[run.clone()] {
            let (along, spin) = (m.axis * m.length, state.bodies[m.place as usize].angular_velocity);
            across += DMat3::from_diagonal(DVec3::splat(m.length)) - math::outer(along, m.axis);
            spins += m.length * spin - along * m.axis.dot(spin);
            sums.push((across, spins));
        }
        let mut last = (0, 0, DVec3::ZERO);
        for (k, m) in members[run.clone()].iter_mut().enumerate() {
            // half the reach to each side; T/μ = κ/m
            let place = m.place as usize;
            let mass = free
                .general(place)
                .map_or(free.inertial[place].mass, |g| super::across(&g.mass_matrix().linear, m.axis));
            let wave = (m.kappa / mass).sqrt();
            let side = 0.5 * REACH * h * wave / m.length;
            // beyond 1e6 elements it is the whole run in any case
            let side = side.min(1e6) as usize;
            let (from, to) = (k.saturating_sub(side), (k + side + 1).min(run.len()));
            // in a taut cable the reach of every element is the whole run
            if (from, to) != (last.0, last.1) {
                let (far, neighbour) = (sums[to], sums[from]);
                last = (from, to, best_fit(far.0 - neighbour.0, far.1 - neighbour.1));
            }
            m.mean_spin = last.2;
        }
    }
    for k in 0..members.len() {
        if members[k].length == 0.0 {
            let along = members[members[k].neighbour as usize].mean_spin;
            let own = state.bodies[members[k].place as usize].angular_velocity;
            members[k].mean_spin = if members[k].is_hung(k) { along } else { shared(own, along) };
        }
    }
}

/// The part of the angular velocity of a body that its cable has as well. With all of the cable's, a body whose other joints
/// let it rotate less would be driven by it, and gain energy.
fn shared(own: DVec3, cable: DVec3) -> DVec3 {
    let squared = own.length_squared();
    if squared > 0.0 { own * (own.dot(cable) / squared).clamp(0.0, 1.0) } else { DVec3::ZERO }
}

/// ω̄ from Σ l P ω̄ = Σ l P ω. About the axis of a straight run it is undetermined, and not used.
fn best_fit(across: DMat3, spins: DVec3) -> DVec3 {
    let size = across.x_axis.x + across.y_axis.y + across.z_axis.z;
    (across + DMat3::IDENTITY * (1e-6 * size)).inverse() * spins
}
