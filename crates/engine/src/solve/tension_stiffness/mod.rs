//! Geometric (tension) stiffness of cables: tension → rotational stiffness of their elements.
//!
//! A link pulls an element of length l with T at both ends; if the element rotates out of line by ϑ, the tension
//! restores it with κ ϑ, κ = Σ F·r = T l. This vibration, ω² = κ/I = 12 T/(m l), makes integrators unstable that take
//! the direction of T from the start of the step, however accurately they solve their joints: light elements under
//! heavy loads have ω h ≫ 2. The rotation within the step is therefore taken into account, on the velocity level:
//!
//!   (I + κ h² P) ω⁺ = L + κ h² P ω̄ + …,      P = 1 − u uᵀ, u the element's axis
//!
//! This is stable while κ does not more than double within a step; where it grows by more than a fifth, the step is
//! solved again with the new tension. Statics are unchanged: everything added multiplies velocities.
//! Under compression κ < 0 and the element buckles. Taken from the start of the step, that multiplies its rotation by
//! |κ| h²/I, which may be a million. With |κ| instead of κ it grows by a factor of about two per step: a slack cable
//! stays well-behaved until it snaps taut.
//!
//! ω̄ is the mean angular velocity of the cable (`reach.rs`), so that only rotation of elements relative to their
//! neighbourhood is damped. It is the rigid rotation that best fits the transverse rotation of the elements within a
//! reach. (For a straight run it is that of its chord.) With damping relative to the ground, the swing of a load would
//! lose 18 % in 20 s. The reach is half the length of a wave whose phase advances by a third of a radian per step:
//! longer waves are resolved and not affected; in a cable under a heavy load the whole run moves as one. Bends are
//! additionally damped by d = h T ℓ, which removes zigzag modes.
//!
//! All of this is blended in only as the step gets too long to resolve the vibration: for κ h²/I from ¼ to 1 (the
//! explicit limit is 4, which leaves room for tension to grow). Below that, a cable has only the damping of its
//! material.
//!
//! Bodies to which a cable is attached (a light hook above a heavy load) have the same term, from all their joints, with
//! the part of their own angular velocity that the cable has as ω̄ (`reach.rs`). So have bodies held by ropes: their ω̄ is
//! the angular velocity of the spans, from the history of the ropes. The
//! transverse force of a rope itself is a separate row (`RowLaw::Transverse`), which uses the tension of the last
//! solve.
//!
//! `bounce.rs` removes the axial damping from the bounce of a load on its cable.

mod bounce;
mod members;
mod reach;

use super::problem::BodyBlocks;
use super::regularize::{ONSET, RegularizedRow, StepTimes, blend, regularize};
use crate::force::free_motion::FreeMotion;
use crate::force::free_motion::mobility;
use crate::joint::rope_history;
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::partition::Island;
use crate::row::rows::Rows;
use crate::row::{Row, RowLaw};
use bounce::{LineRate, StretchRate};
use glam::{DMat3, DVec3};
use members::{HeldBodies, LinkForce, RopeSpan};
use reach::mean_rotation;
use std::iter::Peekable;
use std::slice::Iter;

/// Range of the elastic rotation of a link [rad] in which its moment is blended in like a tension. Moments rotate with
/// their links as tensions do. For links with little bend or twist the effect is small; in links that a step has
/// scattered it tears a slack rope apart: h²M/I of 7 at 1 rad was enough.
const SHARP: [f64; 2] = [0.5, 1.5];

/// A step is solved again if κ has grown by more than this and the term matters.
const GROWTH: f64 = 1.2;

/// Maximum number of repetitions of a step. A cable that snaps taut takes two or three, and more the lighter its
/// elements are: a bow that should straighten within the step overshoots to its other side while κ is that of a small
/// tension, which grows by a factor of two to five per repetition. With one repetition, loads of 1e7 elements fail;
/// with four, loads of 1e9 fall some decimetres too far before their cable is taut.
pub(super) const AGAIN: u32 = 16;

/// Geometric stiffness of an island's cables and ropes.
#[derive(Debug, Default)]
pub struct GeometricStiffness {
    found: HeldBodies,
    /// Forces by local row [N, N·m].
    forces: Vec<f64>,
    /// κ by member, of the last solve.
    fresh: Vec<f64>,
    /// Sums of l P and l P ω up to each element.
    sums: Vec<(DMat3, DVec3)>,
    /// Of each stretch of cable in lines between two bodies.
    stretches: Vec<StretchRate>,
    /// Strain rate of each line, by the number of its first run.
    rates: Vec<LineRate>,
}

impl GeometricStiffness {
    /// Finds the cables among the links of an island.
    pub(super) fn new(model: &Model, rows: &Rows, island: &Island) -> GeometricStiffness {
        let found = HeldBodies::among(model, rows, island);
        let (members, rows) =
            if found.is_empty() { (0, 0) } else { (found.members.len(), rows_of(rows, island)) };
        GeometricStiffness {
            fresh: vec![0.0; members],
            forces: vec![0.0; rows],
            sums: Vec::new(),
            stretches: Vec::new(),
            rates: Vec::new(),
            found,
        }
    }

    /// Whether there are neither cables nor ropes.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The bodies of the island that it stiffens.
    pub(super) fn held(&self, island: &Island) -> Vec<bool> {
        let mut held = vec![false; island.bodies.len()];
        self.found.members.iter().for_each(|m| held[m.body as usize] = true);
        held
    }

    /// Loads the forces of the last step.
    pub(super) fn recall(&mut self, rows: &Rows, state: &State, groups: &[u32]) {
        if self.is_empty() {
            return;
        }
        let mut local = 0;
        for group in groups.iter().map(|g| &rows.groups[*g as usize]) {
            let own = &mut self.forces[local..local + group.rows().len()];
            local += own.len();
            let Some(place) = group.joint() else {
                own.fill(0.0);
                continue;
            };
            match state.joints[place].forces.len() == own.len() {
                true => own.copy_from_slice(&state.joints[place].forces),
                false => own.fill(0.0),
            }
        }
    }

    /// Loads the impulses of a solve; returns whether tensions have grown so much that it should be repeated.
    pub(super) fn has_grown(
        &mut self,
        rows: &Rows,
        lambda: &[f64],
        times: &StepTimes,
        bodies: &BodyBlocks,
    ) -> bool {
        if self.is_empty() {
            return false;
        }
        let StepTimes { kick, drift: h, .. } = *times;
        self.forces.iter_mut().zip(lambda).for_each(|(force, l)| *force = l / kick);
        // κ grows only where the tension of a link or a span grows
        let pulls_harder = |link: &LinkForce| {
            let force = DVec3::from_slice(&self.forces[link.local..]).length_squared();
            force > GROWTH * GROWTH * link.tension * link.tension
        };
        let hauls_harder = |span_of: &RopeSpan| {
            let tension: f64 = self.forces[span_of.rows.clone()].iter().sum();
            tension > GROWTH * span_of.tension
        };
        if !self.found.links.iter().any(pulls_harder) && !self.found.spans.iter().any(hauls_harder) {
            return false;
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        self.sum_pulls(rows, &mut fresh);
        let grown = self.found.members.iter().zip(&fresh).any(|(m, kappa)| {
            let across = across(&bodies.rigid()[m.body as usize].inertia, m.axis) - m.weight;
            *kappa > GROWTH * m.kappa && kick * h * kappa > ONSET[1] * across
        });
        self.fresh = fresh;
        grown
    }

    /// κ of every member from the present forces; also the tensions of links and spans, and the axes of bodies to which
    /// cables are attached.
    fn sum_pulls(&mut self, rows: &Rows, kappa: &mut [f64]) {
        kappa.fill(0.0);
        let mut sharp = false;
        for link in &mut self.found.links {
            let forces = &self.forces[link.local..link.local + 3];
            let group = &rows.groups[link.group as usize];
            let frames = &rows.frames[group.frames()];
            // on the second body, whose blocks have the axes of the rows
            let first = group.rows().start;
            let force = (0..3).map(|k| rows.blocks(first + k)[1].linear * forces[k]).sum::<DVec3>();
            link.tension = force.length();
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let Some(member) = link.ends[side].map(|m| m as usize) else { continue };
                let arm = frames[side].at - frames[side].center;
                kappa[member] += sign * force.dot(arm);
                // a body to which a cable is attached is held along the arm of the tension
                if self.found.members[member].length == 0.0 {
                    self.found.members[member].axis = arm.normalize_or_zero();
                }
            }
            let own = group.rows().start + 3..group.rows().end;
            let turn = rows.rows[own].iter().map(|row| row.gap * row.gap).sum::<f64>();
            // few links are bent that much
            link.moment = 0.0;
            if turn > SHARP[0] * SHARP[0] {
                let squares = self.forces[link.moments.clone()].iter().map(|m| m * m).sum::<f64>();
                link.moment = blend(turn.sqrt(), SHARP) * squares.sqrt();
                sharp = true;
            }
        }
        kappa.iter_mut().for_each(|k| *k = k.abs());
        for link in self.found.links.iter().filter(|_| sharp) {
            link.ends.iter().flatten().for_each(|member| kappa[*member as usize] += link.moment);
        }
        for other in &self.found.others {
            let group = &rows.groups[other.group as usize];
            let place = self.found.members[other.member as usize].place;
            let Some(frame) = rows.frames[group.frames()].iter().find(|f| f.body == place) else {
                continue;
            };
            let mut force = DVec3::ZERO;
            for (k, row) in group.rows().enumerate() {
                let own = rows.blocks(row).iter().filter(|b| b.body == place);
                force += own.map(|b| b.linear).sum::<DVec3>() * self.forces[other.local + k];
            }
            kappa[other.member as usize] += force.dot(frame.at - frame.center).abs();
        }
        for span_of in &mut self.found.spans {
            span_of.tension = self.forces[span_of.rows.clone()].iter().sum();
            let (frames, along) = span_of.line(rows);
            for (end, frame) in span_of.ends.iter().zip(frames) {
                if let Some(member) = end {
                    kappa[*member as usize] += span_of.tension * along.dot(frame.at - frame.center).abs();
                }
            }
        }
    }

    /// Finds axis, κ and ω̄ of every member from the present forces.
    pub(super) fn update(&mut self, rows: &Rows, state: &State, free: &FreeMotion, times: &StepTimes) {
        let mut fresh = std::mem::take(&mut self.fresh);
        self.sum_pulls(rows, &mut fresh);
        self.update_hung(rows, state);
        for (m, kappa) in self.found.members.iter_mut().zip(&fresh) {
            m.kappa = *kappa;
            if m.length > 0.0 {
                m.axis = state.bodies[m.place as usize].orientation * DVec3::Z;
            }
            let whole = times.kick * times.drift * m.kappa;
            let place = m.place as usize;
            let inertia = free.general(place).map_or(free.inertia[place], |g| g.mass_matrix().angular);
            let ratio = whole / across(&inertia, m.axis);
            m.part = blend(ratio, ONSET);
            m.weight = m.part * whole;
        }
        self.fresh = fresh;
        mean_rotation(&mut self.found, &mut self.sums, (state, free), times.drift);
    }

    /// Axis and ω̄ of bodies held by ropes only: along their tensions, and the angular velocity of their spans.
    fn update_hung(&mut self, rows: &Rows, state: &State) {
        for (k, m) in self.found.members.iter_mut().enumerate().filter(|(k, m)| m.is_hung(*k)) {
            let (mut all, mut turning, mut spans) = (1e-300, DVec3::ZERO, DMat3::ZERO);
            for span_of in self.found.spans.iter().filter(|span_of| span_of.holds(k)) {
                let (_, along) = span_of.line(rows);
                all += span_of.tension;
                spans += math::outer(along * span_of.tension, along);
                turning += along
                    .cross(rope_history::turning(&state.joints[span_of.joint].history, span_of.span))
                    * span_of.tension;
            }
            (m.axis, m.mean_spin) = (principal(spans * (1.0 / all)), turning / all);
        }
    }

    /// Adds the stiffness to the bodies: I + κh²P, L + κh²P ω̄.
    pub(super) fn stiffen(&self, bodies: &mut BodyBlocks) {
        for m in self.found.members.iter().filter(|m| m.weight > 0.0) {
            let along = m.axis * m.weight;
            let inertia = DMat3::from_diagonal(DVec3::splat(m.weight)) - math::outer(along, m.axis);
            let turning = m.mean_spin * m.weight - along * m.axis.dot(m.mean_spin);
            bodies.add_angular(m.body as usize, inertia, turning);
        }
    }

    /// The torque of the stiffness on each body in the last solve, by index, −κ h² P (ω⁺ − ω̄) over the kick [N·m].
    pub(super) fn torques(
        &self,
        spin: impl Fn(usize) -> DVec3,
        kick: f64,
    ) -> impl Iterator<Item = (usize, DVec3)> {
        self.found.members.iter().filter(|m| m.weight > 0.0).map(move |m| {
            let excess = spin(m.body as usize) - m.mean_spin;
            (m.place as usize, (m.axis * m.axis.dot(excess) - excess) * (m.weight / kick))
        })
    }

    /// Regularises the transverse rows of ropes again where tensions have grown since they were written.
    pub(super) fn update_rope_rows(
        &self,
        (rows, free): (&Rows, &FreeMotion),
        numbers: &[usize],
        times: &StepTimes,
        regularized: &mut [RegularizedRow],
    ) {
        for span_of in &self.found.spans {
            for local in span_of.across..span_of.across + 2 {
                let row = &rows.rows[numbers[local]];
                let (frames, _) = span_of.line(rows);
                let stiffness = span_of.tension / frames[0].at.distance(frames[1].at).max(1e-3);
                if matches!(row.law, RowLaw::Transverse { stiffness: known } if stiffness > GROWTH * known) {
                    let row = Row { law: RowLaw::Transverse { stiffness }, ..*row };
                    let mobility = || mobility(rows.blocks(numbers[local]), free, &free.inertia);
                    regularized[local].sigma =
                        regularize(&row, times, || 0.0, || 0.0, mobility, |free, _| free).sigma;
                }
            }
        }
    }

    /// Its links, in the order of their groups.
    pub(super) fn links(&self) -> Peekable<Iter<'_, LinkForce>> {
        self.found.links.iter().peekable()
    }

    /// Damps the bends of a link by its tension.
    pub(super) fn damp_bends(
        &self,
        link: &LinkForce,
        rows: &Rows,
        times: &StepTimes,
        regularized: &mut [RegularizedRow],
    ) {
        let parts = link.ends.iter().flatten().map(|m| self.found.members[*m as usize].part);
        let more = parts.fold(0.0, f64::max) * times.drift * link.tension * link.length;
        let first = rows.groups[link.group as usize].rows().start;
        for local in link.bends.clone().filter(|_| more > 0.0) {
            let row = &rows.rows[first + local - link.local];
            let RowLaw::Spring(spring) = row.law else { continue };
            let after = times.drift * spring.stiffness + spring.damping + more;
            let (s, sigma) = (&mut regularized[local], 1.0 / (times.kick * after));
            // r = w − k g κΣ: only the last term changes
            s.rhs += spring.stiffness * row.gap * times.kick * (s.sigma - sigma);
            s.sigma = sigma;
        }
    }
}

/// Number of rows of an island.
fn rows_of(rows: &Rows, island: &Island) -> usize {
    island.groups.iter().map(|g| rows.groups[*g as usize].rows().len()).sum()
}

/// The principal axis u of Σ T u uᵀ / Σ T, scaled by the square root of its eigenvalue: 1 − u uᵀ then stiffens a body
/// pulled from all sides about every axis, and one that hangs in line not about its own.
fn principal(spans: DMat3) -> DVec3 {
    let columns = [spans.x_axis, spans.y_axis, spans.z_axis];
    let longest = columns
        .into_iter()
        .fold(DVec3::ZERO, |a, b| if b.length_squared() > a.length_squared() { b } else { a });
    // squared eight times, the largest eigenvalue dominates to 1e-3 where it leads by 3 %; if none leads any axis will
    // do
    let mut power = spans;
    for _ in 0..8 {
        let size = power.x_axis.x + power.y_axis.y + power.z_axis.z;
        power = power * power * (1.0 / (size * size).max(1e-300));
    }
    let axis = (power * longest).normalize_or_zero();
    axis * axis.dot(spans * axis).max(0.0).sqrt()
}

/// Mean moment of inertia, or mass, perpendicular to an axis.
fn across(inertia: &DMat3, axis: DVec3) -> f64 {
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    0.5 * (trace - axis.dot(*inertia * axis))
}
