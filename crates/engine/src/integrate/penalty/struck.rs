//! The response of two bodies and their joints to an impulse at a point, and the record of impulses.
//!
//! It is computed with the factorisation of the accelerations, whose yielding rows have been released (`impulses.rs`).

use crate::body::collider::ColliderRef;
use crate::body::twist::Twist;
use crate::contact::{Contact, ContactPair};
use crate::model::state::{ContactState, State};
use crate::row::rows::Rows;
use crate::solve::IslandSolver;
use glam::DVec3;

/// Two bodies with an impact at a point, and their joints.
pub(super) struct Struck<'a> {
    /// For each dynamic one: its problem, and its number there.
    seats: [Option<(usize, usize)>; 2],
    /// Lever arms from each centre of mass to the point [m].
    arms: [DVec3; 2],
    islands: &'a mut [IslandSolver],
    rows: &'a Rows,
}

impl<'a> Struck<'a> {
    pub(super) fn new(
        state: &State,
        pair: &ContactPair,
        point: DVec3,
        islands: &'a mut [IslandSolver],
        rows: &'a Rows,
    ) -> Struck<'a> {
        let seats = seats(pair, islands);
        let arms = pair.parts.map(|part| point - state.bodies[part.body as usize].position);
        Struck { seats, arms, islands, rows }
    }

    /// The last computed change of the relative velocity of the bodies of a pair at a point.
    pub(super) fn change_at(&self, state: &State, (pair, point): (&ContactPair, DVec3)) -> DVec3 {
        let mut change = DVec3::ZERO;
        for ((seat, part), sign) in seats(pair, self.islands).into_iter().zip(pair.parts).zip([-1.0, 1.0]) {
            let Some((problem, local)) = seat.filter(|(problem, _)| self.touched().any(|p| p == *problem))
            else {
                continue;
            };
            let Twist { velocity, angular_velocity: spin } = self.islands[problem].problem.twist(local);
            change += sign * (velocity + spin.cross(point - state.bodies[part.body as usize].position));
        }
        change
    }

    /// Computes the effect of an impulse on the second body, and its opposite on the first; returns the change of
    /// their relative velocity at the point.
    pub(super) fn by(&mut self, impulse: DVec3) -> DVec3 {
        for (problem, _) in self.seats.into_iter().flatten() {
            self.islands[problem].problem.bodies.momentum.fill(0.0);
        }
        let sides = [(-1.0, 0), (1.0, 1)];
        for (sign, side) in sides {
            let Some((problem, local)) = self.seats[side] else { continue };
            let momentum = &mut self.islands[problem].problem.bodies.momentum[6 * local..6 * local + 6];
            (sign * impulse).write_to_slice(momentum);
            self.arms[side].cross(sign * impulse).write_to_slice(&mut momentum[3..]);
        }
        for problem in self.touched() {
            self.islands[problem].problem.back_solve(self.rows);
        }
        let mut change = DVec3::ZERO;
        for (sign, side) in sides {
            let Some((problem, local)) = self.seats[side] else { continue };
            let Twist { velocity, angular_velocity: spin } = self.islands[problem].problem.twist(local);
            change += sign * (velocity + spin.cross(self.arms[side]));
        }
        change
    }

    /// The problems of the two bodies: two, or one.
    fn touched(&self) -> impl Iterator<Item = usize> + use<> {
        let [a, b] = self.seats.map(|seat| seat.map(|(problem, _)| problem));
        a.into_iter().chain(b.filter(|b| Some(*b) != a))
    }

    /// Adds the last computed change to the velocities.
    pub(super) fn apply(&self, state: &mut State) {
        for problem in self.touched().map(|problem| &self.islands[problem].problem) {
            for (local, place) in problem.numbering.bodies.iter().enumerate() {
                let Twist { velocity, angular_velocity: spin } = problem.twist(local);
                let body = &mut state.bodies[*place as usize];
                body.velocity += velocity;
                body.angular_velocity += spin;
            }
        }
    }
}

/// For each dynamic body of a pair: its problem, and its number there.
fn seats(pair: &ContactPair, islands: &[IslandSolver]) -> [Option<(usize, usize)>; 2] {
    pair.parts.map(|ColliderRef { body, .. }| {
        let seat =
            |(k, i): (usize, &IslandSolver)| Some((k, i.problem.numbering.bodies.binary_search(&body).ok()?));
        islands.iter().enumerate().find_map(seat)
    })
}

/// Adds an impulse to the sorted list of the frame, in place of forces [N·s].
pub(crate) fn note(pair: &ContactPair, contact: &Contact, impulse: DVec3, out: &mut Vec<ContactState>) {
    let key = (pair.parts, contact.feature);
    match out.binary_search_by_key(&key, ContactState::key) {
        Ok(place) => out[place].force += impulse,
        Err(place) => {
            let (parts, feature, point) = (pair.parts, contact.feature, contact.point);
            let one = ContactState { parts, feature, point, force: impulse, ..ContactState::default() };
            out.insert(place, one);
        }
    }
}
