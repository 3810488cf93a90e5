//! A velocity-level solve → velocities and accelerations at the instant of the positions it started from.
//!
//! Velocities trail positions by `lag`; the solve advances them to half a step beyond. Forces act over κ = lag + h/2
//! about the instant, so that all quantities at the instant follow from the multipliers of the step, to second order:
//!
//!   v(t) = v₋ + (lag/κ) (u − v₋)      a = (u − v₋)/κ
//!   I ω(t) = L₋ + (lag/κ) (L⁺ − L₋)   α = I⁻¹ ((L⁺ − L₋)/κ − ω × I ω)      L₋ = I ω₋,  L⁺ = Ĩ u
//!
//! In the first step lag is 0: velocities are those of the state, forces those of the half step that begins.
//!
//! When a stop or a surface is hit within the step, the jump of velocity is later than the instant. Velocities of such
//! an island are therefore advanced with the loads of the instant and the multipliers of the step before,
//!
//!   v(t) = v₋ + lag M⁻¹ (f + Jᵀ λ₋)
//!
//! and elements of cables keep v₋, since the step does not resolve their motion between two instants.

use crate::body::BodyState;
use crate::body::inertia::BodyInertia;
use crate::body::twist::{Twist, Wrench};
use crate::force::free_motion::FreeMotion;
use crate::model::Model;
use crate::model::state::State;
use crate::partition::{Island, Islands};
use crate::row::rows::{Group, Rows};
use crate::row::{Role, RowLaw, rate};
use crate::solve::Solution;
use glam::DVec3;

/// Input and result of a velocity-level solve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved<'a> {
    pub free: &'a FreeMotion,
    pub rows: &'a Rows,
    pub islands: &'a Islands,
    pub solution: &'a Solution,
}

/// Velocities and accelerations of all bodies at the instant of the state that was solved from.
pub(crate) fn motion(model: &Model, state: &State, solved: Solved<'_>) -> (Vec<Twist>, Vec<Twist>) {
    let (kick, part) = (model.kick(state), state.velocity_lag / model.kick(state));
    let (mut velocities, mut accelerations) = (Vec::new(), Vec::new());
    for (place, body) in state.bodies.iter().enumerate() {
        let (before, after) = (state.twist(place), solved.solution.twists[place]);
        let inertial = &solved.free.inertial[place];
        let prescribed = model.bodies.at(place).and_then(|b| b.carried(state.time));
        let (velocity, acceleration) = if let Some(carried) = prescribed {
            (carried.twist, carried.rate)
        } else if body.asleep {
            (Twist::default(), Twist::default())
        } else if let Some(term) = solved.free.solved_term(place) {
            (term.instant, term.acceleration)
        } else {
            let linear = (after.velocity - before.velocity) / kick;
            let velocity = before.velocity + (after.velocity - before.velocity) * part;
            let (spin, angular) = match inertial.free {
                true => {
                    let momentum = solved.free.inertia[place] * after.angular_velocity / inertial.growth[1];
                    turning(body, inertial, momentum, (kick, part))
                }
                false => (
                    before.angular_velocity + (after.angular_velocity - before.angular_velocity) * part,
                    (after.angular_velocity - before.angular_velocity) / kick,
                ),
            };
            (
                Twist { velocity, angular_velocity: spin },
                Twist { velocity: linear, angular_velocity: angular },
            )
        };
        velocities.push(velocity);
        accelerations.push(acceleration);
    }
    if state.velocity_lag > 0.0 {
        for island in solved.islands.list.iter().filter(|island| is_struck(model, state, island, &solved)) {
            before_impact(state, island, &solved, (&mut velocities, &mut accelerations));
        }
    }
    (velocities, accelerations)
}

/// Angular velocity and acceleration at the instant, from the angular momentum after the solve.
fn turning(b: &BodyState, inertial: &BodyInertia, after: DVec3, (kick, part): (f64, f64)) -> (DVec3, DVec3) {
    let inertia = inertial.inertia(b.orientation);
    let before = inertia * b.angular_velocity;
    let spin = inertial.spin(b.orientation, before + (after - before) * part);
    let torque = (after - before) / kick - spin.cross(inertia * spin);
    (spin, inertial.spin(b.orientation, torque))
}

/// Whether a rigid one-sided row of an island stops an approach faster than the threshold of restitution.
fn is_struck(model: &Model, state: &State, island: &Island, solved: &Solved<'_>) -> bool {
    let slow = model.settings.bounce_speed;
    let stops = |index: usize| {
        let row = &solved.rows.rows[index];
        let one_sided = matches!(row.law, RowLaw::Rigid) && (row.lo == 0.0 || row.role == Role::Normal);
        one_sided
            && solved.solution.forces[index] > 0.0
            && row.speed - rate(solved.rows.blocks(index), |place| state.twist(place)) > slow
    };
    let groups = island.groups.iter().map(|g| &solved.rows.groups[*g as usize]);
    !state.bodies[island.bodies[0] as usize].asleep && groups.flat_map(Group::rows).any(stops)
}

/// Advances the velocities of an island to the instant without the impact that follows. Torques are unchanged; angular
/// accelerations are recomputed at the new angular velocity.
fn before_impact(
    state: &State,
    island: &Island,
    solved: &Solved<'_>,
    (velocities, accelerations): (&mut [Twist], &mut [Twist]),
) {
    let mut loads: Vec<Wrench> =
        island.bodies.iter().map(|place| solved.free.load(*place as usize).unwrap_or_default()).collect();
    let mut add = |body: u32, force: DVec3, torque: DVec3| {
        if let Ok(local) = island.bodies.binary_search(&body) {
            loads[local].force += force;
            loads[local].torque += torque;
        }
    };
    for group in island.groups.iter().map(|g| &solved.rows.groups[*g as usize]) {
        let Some(memory) = group.joint().map(|place| &state.joints[place]) else { break };
        for (row, force) in
            group.rows().zip(&memory.forces).filter(|_| memory.forces.len() == group.rows().len())
        {
            for block in solved.rows.blocks(row) {
                add(block.body, block.linear * *force, block.angular * *force);
            }
        }
    }
    for contact in &state.contacts {
        let force = contact.force * (1.0 - contact.blow);
        for (part, sign) in contact.parts.iter().zip([-1.0, 1.0]) {
            let arm = contact.point - state.bodies[part.body as usize].position;
            let torque = contact.torque * (1.0 - contact.blow) + arm.cross(force);
            add(part.body, sign * force, sign * torque);
        }
    }
    for (place, load) in island.bodies.iter().map(|place| *place as usize).zip(&loads) {
        let (b, inertial) = (&state.bodies[place], &solved.free.inertial[place]);
        if inertial.free {
            let is_element = solved.free.elements.binary_search(&(place as u32)).is_ok();
            let time = if is_element { 0.0 } else { state.velocity_lag };
            let inertia = inertial.inertia(b.orientation);
            let gyroscopic = |spin: DVec3| spin.cross(inertia * spin);
            let spin = inertial.spin(b.orientation, inertia * b.angular_velocity + load.torque * time);
            let differs = gyroscopic(velocities[place].angular_velocity) - gyroscopic(spin);
            accelerations[place].angular_velocity += inertial.spin(b.orientation, differs);
            velocities[place] = Twist {
                velocity: b.velocity + load.force * (time / inertial.own_mass()),
                angular_velocity: spin,
            };
        }
    }
}
