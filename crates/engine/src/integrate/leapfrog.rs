//! The velocity-level step: positions are advanced by h with the solved velocities.
//!
//!   x⁺ = x + h u      q⁺ = exp(h ω_½) q      L⁺ = Ĩ ω_½      ω⁺ = R⁺ I⁻¹ R⁺ᵀ L⁺
//!   (slender bodies: `force/free_motion.rs`)
//!
//! Impulses of impacts within the step act from their instant on, `delay`:
//!
//!   x⁺ = x + h u − Σ t M⁻¹ Jᵀ Λ      t time of impact, Λ its impulses
//!
//! Positions of penetrating bodies are advanced with separating velocities that are not stored. Slender bodies then keep
//! the component of their angular momentum about their own axis.
//! Second order at the step's own instants: velocities lag half a step behind positions (leapfrog), which
//! `State::velocity_lag` records. Free flight follows the closed form: z(t) = v₀ t − ½ g t² to round-off at every step.

use crate::body::BodyState;
use crate::body::frame::JacobianBlock;
use crate::body::twist::Twist;
use crate::contact::Contacts;
use crate::force::free_motion::FreeMotion;
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::{Group, Rows};
use crate::row::{Role, rate};
use crate::solve::Solution;
use glam::DVec3;

/// Computes the poses after the step into `next`.
pub fn drift(
    model: &Model,
    state: &State,
    kick: f64,
    nouns: (&FreeMotion, &Solution),
    delayed: &[Delayed],
    next: &mut Vec<BodyState>,
) {
    let (free, solution) = nouns;
    let h = model.dt(state);
    next.clear();
    next.extend(state.bodies.iter().enumerate().map(|(place, body)| {
        let mut body = *body;
        let Twist { velocity, angular_velocity: spin } = solution.twists[place];
        let inertial = &free.inertial[place];
        if body.asleep || (!inertial.free && free.carried[place] == Twist::default()) {
            (body.velocity, body.angular_velocity) = (velocity, spin);
            return body;
        }
        let carried = mean(solution.carried(place), place, h, delayed);
        body.position += carried.velocity * h;
        body.velocity = velocity;
        body.angular_velocity = spin;
        if let Some(general) = free.general(place) {
            body.orientation = match general.carries_fluid() {
                true => math::renewed(math::exp(carried.angular_velocity * h) * body.orientation),
                false => inertial.turned(body.orientation, carried.angular_velocity, h),
            };
            let solved = solution.twists[place];
            let stored = general.carry(solved, h, inertial, body.orientation);
            (body.velocity, body.angular_velocity) = (stored.velocity, stored.angular_velocity);
            body.constraint_torque = general.constraint_impulse(solved).1 / kick;
            return body;
        }
        body.orientation = inertial.turned(body.orientation, carried.angular_velocity, h);
        if inertial.free {
            // carry the angular momentum, not the angular velocity, to the new orientation
            let momentum = free.inertia[place] * spin;
            if carried.angular_velocity != spin {
                let before = state.bodies[place].orientation;
                body.orientation = inertial.keeping_own(before, body.orientation, momentum);
            }
            body.constraint_torque = (momentum - free.angular[place]) / kick;
            body.angular_velocity = inertial.spin(body.orientation, momentum / inertial.growth[1]);
        }
        body
    }));
    turn_rotors(free, solution, state, next);
}

/// Turns the angular momentum of fast rotors with their axes; the reaction acts on the bodies they are mounted in.
fn turn_rotors(free: &FreeMotion, solution: &Solution, state: &State, next: &mut [BodyState]) {
    for rotor in &free.rotors {
        let (place, mount) = (rotor.place as usize, rotor.mount as usize);
        let inertial = &free.inertial[place];
        if inertial.axle == DVec3::ZERO || state.bodies[place].asleep || free.general(place).is_some() {
            continue;
        }
        let [before, after] =
            [state.bodies[place].orientation, next[place].orientation].map(|turn| turn * rotor.axle);
        let spin = before.dot(solution.twists[place].angular_velocity);
        let change = (after - before) * (rotor.moment * spin);
        next[place].angular_velocity += inertial.spin(next[place].orientation, change);
        let mounted = &free.inertial[mount];
        if mounted.free {
            next[mount].angular_velocity -= mounted.spin(next[mount].orientation, change);
        }
    }
}

/// Reduction of a body's displacement in a step because its impulses act later.
#[derive(Clone, Copy, Debug)]
pub struct Delayed {
    place: usize,
    /// Σ t M⁻¹ Jᵀ Λ [m, rad].
    motion: Twist,
}

/// The bodies whose impulses act later, by index. Bodies with other constraints or stops are excluded: their other rows
/// hold for the velocity of the whole step, with which gaps are only wider.
pub fn delay(
    h: f64,
    kick: f64,
    (free, contacts): (&FreeMotion, &Contacts),
    (rows, solution): (&Rows, &Solution),
    out: &mut Vec<Delayed>,
) {
    out.clear();
    if !contacts.pairs.iter().any(|pair| pair.meeting.is_some()) {
        return;
    }
    let delay_of = |group: &Group| group.pair().map_or(0.0, |number| contacts.pairs[number].delay());
    for group in rows.groups.iter().filter(|g| delay_of(g) > 0.0) {
        for row in group.rows().filter(|row| solution.forces[*row] != 0.0) {
            let impulse = delay_of(group) * kick * solution.forces[row];
            rows.blocks(row).iter().for_each(|block| add(free, block, impulse, out));
        }
    }
    for group in rows.groups.iter().filter(|g| delay_of(g) == 0.0) {
        let stops = |row: usize| {
            let speed = rate(rows.blocks(row), |place| mean(solution.carried(place), place, h, out));
            let row_of = &rows.rows[row];
            solution.forces[row] != 0.0 || (row_of.role == Role::Normal && row_of.gap + h * speed < 0.0)
        };
        if group.joint().is_some() || group.rows().any(stops) {
            let held = rows.frames[group.frames()].iter().map(|frame| frame.body as usize);
            held.for_each(|place| out.retain(|d| d.place != place));
        }
    }
}

/// Adds the displacement of an impulse times its delay.
fn add(free: &FreeMotion, block: &JacobianBlock, impulse: f64, out: &mut Vec<Delayed>) {
    let place = block.body as usize;
    if !free.inertial[place].free {
        return;
    }
    let k = out.binary_search_by_key(&place, |d| d.place).unwrap_or_else(|k| {
        out.insert(k, Delayed { place, motion: Twist::default() });
        k
    });
    let motion = &mut out[k].motion;
    if let Some(general) = free.general(place) {
        let moved = general.matrix.inverse_times((block.linear * impulse, block.angular * impulse));
        motion.velocity += moved.velocity;
        motion.angular_velocity += moved.angular_velocity;
        return;
    }
    motion.velocity += block.linear * (impulse / free.inertial[place].mass);
    motion.angular_velocity += free.inertia[place].inverse() * (block.angular * impulse);
}

/// The mean over the step of a body's velocity, given its final one.
fn mean(mut twist: Twist, place: usize, h: f64, delayed: &[Delayed]) -> Twist {
    if let Ok(k) = delayed.binary_search_by_key(&place, |d| d.place) {
        twist.velocity -= delayed[k].motion.velocity / h;
        twist.angular_velocity -= delayed[k].motion.angular_velocity / h;
    }
    twist
}
