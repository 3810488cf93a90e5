//! Unconstrained motion: the momentum of each body before constraints act, and the inertia for its rotation.
//!
//!   p = m v + κ f        L = I ω + κ τ        Ĩ = R_½ I R_½ᵀ,  R_½ = exp(h ω_½ / 2) R,  Ĩ ω_½ = L
//!
//! Kick and drift: forces act for κ (half a step at the start, a step afterwards: leapfrog), positions move for h. The
//! angular momentum L is carried in world axes and converted to an angular velocity only at the midpoint orientation.
//! This keeps |L| to round-off and energy to 3e-4 in 30 s of tumbling at 60 Hz (MB10); an explicit −ω×Iω gains energy
//! without bound.
//!
//! Slender bodies whose orientation no joint constrains, and elements of cables, have their inertia at the present
//! orientation instead, Ĩ = R I Rᵀ: tension along their present axis then cannot rotate them about it. With an axis
//! half a step ahead it would, and they are a hundred times more easily rotated about their axis than across it: a rope
//! that snapped taut was twisted apart. They then rotate as a free symmetric top does, about L/Iₜ while about their own
//! axis a at the rate (1 − ρ) s,
//!
//!   R⁺ = exp(h (ω − (1 − ρ) s a)) exp(h (1 − ρ) s a) R,      s = a·ω,  ρ = Iₐ/Iₜ
//!
//! which keeps L·a, and with it s, to round-off. (With exp(h ω), elements of a hoist rope spun up by ½ (hω)²/ρ per step
//! until it broke; a stick that had hit the ground gained a hundredfold its energy.) Compact or flat bodies nutate too
//! fast for this at a step in which joints must hold.

use super::damping::{DampedBody, FreeBody};
use super::general_mass::{GeneralBody, Rigid};
use super::midpoint;
use super::midpoint::LANES;
use super::rotor::{self, Rotor};
use crate::body::frame::JacobianBlock;
use crate::body::inertia::BodyInertia;
use crate::body::twist::{Twist, Wrench};
use crate::body::{Body, MotionType};
use crate::load::{Loads, SolvedTerm};
use crate::math;
use crate::model::Model;
use crate::model::cable::Cable;
use crate::model::state::State;
use crate::row::rows::{Group, Rows};
use crate::row::{Row, RowLaw, rate};
use crate::slots::BodyId;
use glam::{DMat3, DQuat, DVec3};

/// Largest ratio of the axial to the transverse moment of a slender body: it nutates four times slower than it spins.
/// (This holds for cylinders 2.3 times as long as thick.)
const SLENDER: f64 = 0.25;

/// Largest relative difference of the transverse moments.
const ROUND: f64 = 1e-9;

/// Motion of bodies without constraints. Written by `force`.
#[derive(Clone, Debug, Default)]
pub struct FreeMotion {
    /// By index; rebuilt when the model changes.
    pub inertial: Vec<BodyInertia>,
    /// Indices of the dynamic bodies other than elements of cables.
    pub movable: Vec<u32>,
    /// Indices of the dynamic elements of cables.
    pub elements: Vec<u32>,
    /// Indices of the bodies whose inertia is taken half a step ahead.
    ahead: Vec<u32>,
    /// Indices of those that have it at the present orientation.
    present: Vec<u32>,
    /// Bodies of revolution on joints that let them spin, by index.
    pub(crate) rotors: Vec<Rotor>,
    /// The dynamic bodies with damping, by index: these are in neither of the two.
    pub(crate) damped: Vec<DampedBody>,
    /// Forces of dampers in the solved step, by index; bodies without any are omitted.
    resisted: Vec<(u32, Wrench)>,
    /// Sum of explicit forces, by index, and the terms of bodies.
    pub wrenches: Loads,
    /// Bodies with general mass matrices, by index.
    pub(crate) general: Vec<GeneralBody>,
    /// The same bodies after the solve.
    pub(crate) solved_terms: Vec<SolvedTerm>,
    /// m v + κ f, by index.
    pub linear: Vec<DVec3>,
    /// I ω + κ τ in world axes, by index.
    pub angular: Vec<DVec3>,
    /// Inertia in world axes at the midpoint, by index.
    pub inertia: Vec<DMat3>,
    /// Motion of non-dynamic bodies during the step, by index.
    pub carried: Vec<Twist>,
    /// Whether any of them is kinematic.
    pub carrying: bool,
    /// Principal moments and axes of the bodies that are dynamic when present, by index.
    principal: Vec<(DVec3, DQuat)>,
    /// Revision of the model to which these belong.
    revision: Option<u64>,
}

impl FreeMotion {
    /// A body with a general mass matrix; none for rigid bodies without such terms.
    #[inline]
    pub fn general(&self, place: usize) -> Option<&GeneralBody> {
        if self.general.is_empty() {
            return None;
        }
        let at = self.general.binary_search_by_key(&(place as u32), |general| general.place).ok()?;
        Some(&self.general[at])
    }

    /// The same after the solve.
    #[inline]
    pub(crate) fn solved_term(&self, place: usize) -> Option<&SolvedTerm> {
        if self.solved_terms.is_empty() {
            return None;
        }
        let at = self.solved_terms.binary_search_by_key(&(place as u32), |term| term.place).ok()?;
        Some(&self.solved_terms[at])
    }

    /// Motion of a body without constraints.
    pub fn unconstrained(&self, place: usize) -> Twist {
        let inertial = &self.inertial[place];
        if !inertial.free {
            return self.carried[place];
        }
        if let Some(general) = self.general(place) {
            return general.matrix.inverse_times(general.right_side);
        }
        let spin = self.inertia[place].inverse() * self.angular[place];
        Twist { velocity: self.linear[place] / inertial.mass, angular_velocity: spin }
    }

    /// Change of the velocities of a dynamic body by an impulse at a lever arm.
    pub(crate) fn response(
        &self,
        place: usize,
        orientation: DQuat,
        (impulse, arm): (DVec3, DVec3),
    ) -> Option<Twist> {
        let inertial = &self.inertial[place];
        let rigid = || Twist {
            velocity: impulse * (1.0 / inertial.own_mass()),
            angular_velocity: inertial.spin(orientation, arm.cross(impulse)),
        };
        let general = self.general(place);
        inertial
            .free
            .then(|| general.map_or_else(rigid, |g| g.matrix.inverse_times((impulse, arm.cross(impulse)))))
    }

    /// The velocities of a body before a step of h, at the instant to which State refers: `lag` behind its positions.
    ///
    /// State stores the angular velocity ω = I⁻¹ L of that instant's angular momentum L at the present orientation. The
    /// orientation then was another, by as much as at the midpoint on the other side: ω₋ = ω − (lag/½h)(Ĩ⁻¹ L − ω). A
    /// mean of ω itself and the angular velocity after the step is only first-order for a tumbling body.
    pub fn before(&self, state: &State, h: f64, place: usize) -> Twist {
        let (inertial, now) = (&self.inertial[place], state.twist(place));
        if !inertial.free {
            return now;
        }
        if let Some(general) = self.general(place).filter(|general| general.carries_fluid()) {
            let shift = general.term.shift;
            return Twist {
                velocity: now.velocity + shift.velocity,
                angular_velocity: now.angular_velocity + shift.angular_velocity,
            };
        }
        let momentum = inertial.inertia(state.bodies[place].orientation) * now.angular_velocity;
        let ahead = self.inertia[place].inverse() * momentum * inertial.growth[1];
        let part = 2.0 * state.velocity_lag / h;
        Twist { angular_velocity: now.angular_velocity - (ahead - now.angular_velocity) * part, ..now }
    }

    /// J v of a row before a step of h. Except for the rates of dampers and Maxwell elements, the change of orientation
    /// does not matter.
    #[inline]
    pub fn rate_before(&self, (row, blocks): (&Row, &[JacobianBlock]), state: &State, h: f64) -> f64 {
        let is_damper = match row.law {
            RowLaw::Spring(spring) => spring.damping > 0.0 && !row.is_link(),
            RowLaw::Maxwell { .. } => true,
            _ => false,
        };
        match is_damper {
            true => rate(blocks, |place| self.before(state, h, place)),
            false => rate(blocks, |place| state.twist(place)),
        }
    }

    /// Updates what depends on the model, and on which bodies are present.
    pub(crate) fn refresh(&mut self, model: &Model, state: &State) {
        if self.revision == Some(model.revision) && self.shows(model, state) {
            return;
        }
        if self.revision != Some(model.revision) {
            self.revision = Some(model.revision);
            self.principal.clear();
            self.principal.resize(model.bodies.places(), Default::default());
            for (place, body) in model.bodies.iter().filter(|(_, body)| body.is_dynamic()) {
                self.principal[place] = body.mass.principal_axes();
            }
        }
        self.inertial.clear();
        self.inertial.resize(model.bodies.places(), BodyInertia::default());
        let lists = [&mut self.movable, &mut self.elements, &mut self.ahead, &mut self.present];
        lists.into_iter().for_each(Vec::clear);
        self.damped.clear();
        let mut is_element = vec![false; model.bodies.places()];
        let elements = model.cables.iter().flat_map(|(_, cable)| cable.bodies());
        elements.for_each(|body| is_element[body.index()] = true);
        let mut is_held = vec![false; model.bodies.places()];
        for (_, joint) in model.joints.iter().filter(|(_, joint)| joint.kind.constrains_orientation()) {
            joint.constraint().anchors().iter().for_each(|anchor| is_held[anchor.body.index()] = true);
        }
        let there = |(place, body): &(usize, &Body)| body.is_dynamic() && !state.bodies[*place].inactive;
        for (place, body) in model.bodies.iter().filter(there) {
            let (moments, axes) = self.principal[place];
            let (gravity, partition, mass) = (body.gravity, body.partition, body.mass.mass);
            if is_element[place] { &mut self.elements } else { &mut self.movable }.push(place as u32);
            let present = is_element[place] || (is_slender(moments) && !is_held[place]);
            if body.damping.acts() {
                let rates = [body.damping.linear, body.damping.angular];
                let wrench = Wrench::default();
                self.damped.push(DampedBody { place: place as u32, mass, rates, present, wrench });
            } else {
                if present { &mut self.present } else { &mut self.ahead }.push(place as u32);
            }
            let (inverse, own) = (1.0 / moments, if present { own(moments) } else { 0.0 });
            let (growth, axle) = ([1.0; 2], DVec3::ZERO);
            self.inertial[place] = BodyInertia {
                free: true,
                gravity,
                partition,
                mass,
                moments,
                inverse,
                axes,
                own,
                axle,
                growth,
            };
        }
        rotor::find(model, &self.principal, &mut self.rotors);
        // damped bodies and those of cables have their own treatment
        self.rotors.retain(|rotor| self.ahead.binary_search(&rotor.place).is_ok());
        self.linear.resize(model.bodies.places(), DVec3::ZERO);
        self.angular.resize(model.bodies.places(), DVec3::ZERO);
        self.inertia.resize(model.bodies.places(), DMat3::ZERO);
        self.carried.clear();
        self.carried.resize(model.bodies.places(), Twist::default());
        self.carrying = model
            .bodies
            .iter()
            .any(|(_, b)| matches!(b.kind, MotionType::Kinematic(_) | MotionType::Catenary));
    }

    /// Stores the damping forces of a step that takes bodies to the given velocities.
    pub(crate) fn note_damping(&mut self, state: &State, kick: f64, after: &[Twist]) {
        for damped in &mut self.damped {
            let place = damped.place as usize;
            let inertia = (&self.inertial[place], &self.inertia[place]);
            damped.note(&state.bodies[place], &after[place], kick, inertia);
        }
    }

    /// Stores the results of a step for bodies with general mass matrices; damping is stored before.
    pub(crate) fn note_terms(&mut self, state: &State, kick: f64, after: &[Twist]) {
        let part = state.velocity_lag / kick;
        self.solved_terms.clear();
        for body in &self.general {
            let place = body.place as usize;
            let damped = self.damped.binary_search_by_key(&body.place, |damped| damped.place);
            let own = damped.map_or(Wrench::default(), |at| self.damped[at].wrench);
            let explicit = self.wrenches.all()[place];
            let load = Wrench { force: explicit.force + own.force, torque: explicit.torque + own.torque };
            let own = (&state.bodies[place], &self.inertial[place]);
            self.solved_terms.push(body.solved(after[place], own, &load, (kick, part)));
        }
    }

    /// Stores the forces of dampers in a step whose rows carry the given forces.
    pub(crate) fn note_dampers(&mut self, rows: &Rows, forces: &[f64]) {
        self.resisted.clear();
        for row in rows.groups.iter().filter(|group| group.is_force()).flat_map(Group::rows) {
            for block in rows.blocks(row) {
                let found = self.resisted.binary_search_by_key(&block.body, |(place, _)| *place);
                let at = found.unwrap_or_else(|at| {
                    self.resisted.insert(at, (block.body, Wrench::default()));
                    at
                });
                let sum = &mut self.resisted[at].1;
                sum.force += block.linear * forces[row];
                sum.torque += block.angular * forces[row];
            }
        }
    }

    /// Gives fast rotors the inertia at their present orientation.
    fn spin_rotors(&mut self, state: &State, h: f64, kick: f64) {
        for k in 0..self.rotors.len() {
            let Rotor { place, mount, axle, moment, least } = self.rotors[k];
            let (place, mount) = (place as usize, &self.inertial[mount as usize]);
            let body = &state.bodies[place];
            let turned = h * (body.orientation * axle).dot(body.angular_velocity).abs();
            let is_heavy = !mount.free || moment * turned < rotor::LIGHT * mount.moments.min_element();
            if !(turned > least && is_heavy) {
                self.inertial[place].axle = DVec3::ZERO;
                continue;
            }
            self.inertial[place].axle = axle;
            self.inertia[place] = self.inertial[place].inertia(body.orientation);
            let torque = self.wrenches.sums[place].torque;
            self.angular[place] = self.inertia[place] * body.angular_velocity + kick * torque;
        }
    }

    /// Gives bodies with terms their general mass matrices at the acceleration level.
    pub(crate) fn accelerate_general(&mut self, state: &State) {
        self.general.clear();
        self.solved_terms.clear();
        for term in self.wrenches.terms.iter().filter(|term| self.inertial[term.place].free) {
            let (place, load) = (term.place, &self.wrenches.sums[term.place]);
            let body = &state.bodies[place];
            let general = GeneralBody::accelerating(term, body, &self.inertial[place], load);
            (self.linear[place], self.angular[place]) = general.right_side;
            self.general.push(general);
        }
    }

    /// Stores the results of an evaluation at the acceleration level for bodies with general mass matrices.
    pub(crate) fn note_accelerations(&mut self, state: &State, accelerations: &[Twist]) {
        self.solved_terms.clear();
        for general in &self.general {
            let place = general.place as usize;
            let (body, load) = (&state.bodies[place], &self.wrenches.sums[place]);
            self.solved_terms.push(general.accelerated(accelerations[place], body, load));
        }
    }

    /// Removes damping from masses, for integrators that treat it as a force.
    pub(crate) fn leave_damping_out(&mut self) {
        self.resisted.clear();
        for damped in &mut self.damped {
            let inertial = &mut self.inertial[damped.place as usize];
            (inertial.mass, inertial.growth) = (damped.mass, [1.0; 2]);
            damped.wrench = Wrench::default();
        }
    }

    /// The fastest decay rate of a body [1/s]; 0 if none is damped.
    pub(crate) fn fastest_decay(&self) -> f64 {
        self.damped.iter().flat_map(|damped| damped.rates).fold(0.0, f64::max)
    }

    /// Load on a body other than constraints: explicit forces, and in the solved step its damping and the dampers of
    /// forces.
    pub(crate) fn load(&self, place: usize) -> Option<Wrench> {
        let Wrench { force, torque } = *self.wrenches.all().get(place)?;
        let damped = self.damped.binary_search_by_key(&(place as u32), |damped| damped.place);
        let own = damped.map_or(Wrench::default(), |at| self.damped[at].wrench);
        let resisted = self.resisted.binary_search_by_key(&(place as u32), |(place, _)| *place);
        let dampers = resisted.map_or(Wrench::default(), |at| self.resisted[at].1);
        let terms = self.solved_term(place).map_or(Wrench::default(), |term| term.wrench);
        Some(Wrench {
            force: force + own.force + dampers.force + terms.force,
            torque: torque + own.torque + dampers.torque + terms.torque,
        })
    }

    /// Whether the dynamic elements are those that are present. Determined from the state itself and not from a count
    /// of changes, so that a restored state is always handled.
    fn shows(&self, model: &Model, state: &State) -> bool {
        let moved = |(_, cable): &(usize, &Cable)| cable.hang.is_none();
        let mut bodies = model.cables.iter().filter(moved).flat_map(|(_, cable)| cable.bodies());
        let is_gone = |b: BodyId| model.bodies.get(b).is_none();
        bodies.all(|b| self.inertial[b.index()].free != state.bodies[b.index()].inactive || is_gone(b))
    }
}

/// Whether the moments of a body, in ascending order, are those of a slender one.
fn is_slender(DVec3 { x, y, z }: DVec3) -> bool {
    x <= SLENDER * y && z - y <= ROUND * z
}

/// 1 − ρ of a symmetric body.
fn own(DVec3 { x, y, z }: DVec3) -> f64 {
    if z - y <= y - x { 1.0 - x / y } else { 1.0 - z / y }
}

/// Computes momenta and midpoint inertias from the wrenches. `kick` is κ.
pub fn free(model: &Model, state: &State, kick: f64, out: &mut FreeMotion) {
    let h = model.dt(state);
    for places in out.ahead.chunks(LANES) {
        // unused lanes repeat the last body
        let lane = |i: usize| places[i.min(places.len() - 1)] as usize;
        let brings = |i: usize| {
            let (body, inertial) = (&state.bodies[lane(i)], &out.inertial[lane(i)]);
            midpoint::Body {
                orientation: body.orientation,
                axes: inertial.axes,
                moments: inertial.moments,
                spin: body.angular_velocity,
                impulse: kick * out.wrenches.sums[lane(i)].torque,
                // constraints will rotate it too, about as in the last step
                expected: kick * body.constraint_torque,
            }
        };
        let bodies: [midpoint::Body; LANES] = [brings(0), brings(1), brings(2), brings(3)];
        for (i, (angular, inertia)) in midpoint::ahead(&bodies, h).into_iter().enumerate() {
            (out.angular[lane(i)], out.inertia[lane(i)]) = (angular, inertia);
        }
        for place in places.iter().map(|place| *place as usize) {
            let force = out.wrenches.sums[place].force;
            out.linear[place] = out.inertial[place].mass * state.bodies[place].velocity + kick * force;
        }
    }
    for place in out.present.iter().map(|place| *place as usize) {
        let (body, inertial, wrench) =
            (&state.bodies[place], &out.inertial[place], &out.wrenches.sums[place]);
        out.inertia[place] = inertial.inertia(body.orientation);
        out.angular[place] = out.inertia[place] * body.angular_velocity + kick * wrench.torque;
        out.linear[place] = inertial.mass * body.velocity + kick * wrench.force;
    }
    out.spin_rotors(state, h, kick);
    for damped in &out.damped {
        let place = damped.place as usize;
        let (load, inertial) = (out.wrenches.sums[place], &mut out.inertial[place]);
        let FreeBody { linear, angular, inertia } =
            damped.free(&state.bodies[place], &load, (h, kick), inertial);
        (out.linear[place], out.angular[place], out.inertia[place]) = (linear, angular, inertia);
    }
    add_terms(state, (h, kick), out);
    for (place, body) in model.bodies.iter().filter(|_| out.carrying) {
        if let Some(ahead) = body.carried(state.time + h) {
            let now = &state.bodies[place];
            out.carried[place] = Twist {
                velocity: (ahead.position - now.position) / h,
                angular_velocity: math::log(ahead.orientation * now.orientation.inverse()) / h,
            };
        }
    }
    if out.carrying {
        model.swing(state, h, &mut out.carried);
    }
}

/// Gives bodies with terms their general mass matrices.
fn add_terms(state: &State, times: (f64, f64), out: &mut FreeMotion) {
    let mut general = std::mem::take(&mut out.general);
    general.clear();
    for term in out.wrenches.terms.iter().filter(|term| out.inertial[term.place].free) {
        let place = term.place;
        let rigid = Rigid { momentum: (out.linear[place], out.angular[place]), inertia: out.inertia[place] };
        let inertial = &out.inertial[place];
        let body = GeneralBody::new(term, &state.bodies[place], inertial, rigid, times);
        (out.linear[place], out.angular[place]) = body.right_side;
        out.inertia[place] = body.own_inertia() * inertial.growth[1];
        general.push(body);
    }
    out.general = general;
}

/// J M⁻¹ Jᵀ of a row.
pub fn mobility(blocks: &[JacobianBlock], free: &FreeMotion, inertia: &[DMat3]) -> f64 {
    let mut sum = 0.0;
    for (i, b) in blocks.iter().enumerate().filter(|(_, b)| free.inertial[b.body as usize].free) {
        // a body may occur twice in a row
        let place = b.body as usize;
        let all = blocks.iter().filter(|c| c.body == b.body);
        if blocks[..i].iter().any(|c| c.body == b.body) {
            continue;
        }
        let (linear, angular) =
            all.fold((glam::DVec3::ZERO, glam::DVec3::ZERO), |(l, a), c| (l + c.linear, a + c.angular));
        if let Some(general) = free.general(place) {
            let moved = general.matrix.inverse_times((linear, angular));
            sum += linear.dot(moved.velocity) + angular.dot(moved.angular_velocity);
            continue;
        }
        sum += linear.length_squared() / free.inertial[place].mass;
        if angular != glam::DVec3::ZERO {
            sum += angular.dot(inertia[place].inverse() * angular);
        }
    }
    sum
}
