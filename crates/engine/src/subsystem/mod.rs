//! Subsystems: kinds of objects other than bodies and joints, such as water or soil, implemented in separate
//! crates.
//!
//! ```text
//!  Model  the subsystem itself          changed by `apply` only
//!  State  its `State`                   advanced with the bodies, in snapshots and hashes
//!  Work   its `Work`                    buffers; never saved, never read across steps
//!
//!  force → loads                        forces on bodies, and terms of their equations
//!  collide → heights, contacts          has ground that changes; takes over or changes contacts of its bodies
//!  constrain → rows                     rows of its own, in groups
//!  commit → advance, fault              its next state, after the bodies have been advanced
//!  report → work_done                   work of its forces, for the account of energies
//!  inspect → energy, quantities, read, drawings
//! ```
//!
//! A world has one object per kind, so that a step makes a few virtual calls per kind and none per item. Authors
//! implement the typed trait [`Subsystem`]; model, state and stages store its type-erased form (`erased.rs`). A kind is
//! in the model from its first edit on. Kinds are run in the order of their keys, after the engine's own work and
//! before hooks, so that results do not depend on the order in which they were added.
//!
//! A subsystem has access to bodies, surfaces and settings ([`View`]), to contacts, inputs and its own rows, but not to
//! joints, other subsystems or the solver.

mod any;
mod erased;
mod rows;

pub(crate) use erased::{Kind, Kinds, SubsystemWork};
pub use erased::{Part, SubsystemEdit};
pub use rows::{Inputs, SolvedRows, SubsystemRows};

use crate::body::BodyState;
use crate::body::collider::{Collider, ColliderRef};
use crate::body::inertia::BodyInertia;
use crate::body::twist::Twist;
use crate::contact::Contacts;
use crate::contact::surface::Surfaces;
use crate::energy::Energy;
use crate::load::{Bodies, Loads, SolvedTerm};
use crate::settings::Settings;
use crate::slots::BodyId;
use crate::words::{SnapshotError, WordReader, WordWriter};
use glam::DVec3;
use std::fmt;
use thiserror::Error;

/// One kind of objects in a world. The value itself is its part of the model.
pub trait Subsystem: Clone + fmt::Debug + Default + Send + Sync + 'static {
    /// Its key in states, recordings and probes; 16 bytes at most.
    const KEY: &'static str;
    /// The version of the serialisation of its state.
    const VERSION: u32;
    /// Its state.
    type State: StatePart;
    /// Its buffers.
    type Work: Default + fmt::Debug + Send + Sync + 'static;
    /// Its edits.
    type Edit: Clone + fmt::Debug + Send + Sync + 'static;

    /// Adds its forces on bodies at the state. Called at every evaluation of the acceleration-level integrators.
    fn loads(&self, _view: &View<'_>, _state: &Self::State, _work: &mut Self::Work, _out: &mut Loads) {}

    /// Takes contacts over, by emptying the ranges of their pairs, or changes their parameters.
    fn contacts(
        &self,
        _view: &View<'_>,
        _state: &Self::State,
        _work: &mut Self::Work,
        _contacts: &mut Contacts,
    ) {
    }

    /// Appends the heights of its ground on a static body, in the body's axes [m], x running fastest. `window` is the
    /// first node along x and y, and the numbers of nodes ([`crate::body::collider::Geometry::Ground`]).
    fn heights(&self, _state: &Self::State, _body: u32, _window: [[usize; 2]; 2], _out: &mut Vec<f64>) {}

    /// Writes its rows, after those of joints and forces. Which bodies a group connects may change from step to step;
    /// an absent group is as good as one without effect. Called once per solve: position iterations are those of joints.
    fn rows(
        &self,
        _view: &View<'_>,
        _state: &Self::State,
        _inputs: Inputs<'_>,
        _work: &mut Self::Work,
        _out: &mut SubsystemRows<'_>,
    ) {
    }

    /// Whether it writes rows that hold for a step of a given length, so that only `spook` can solve them.
    fn requires_spook(&self) -> bool {
        false
    }

    /// Advances the second state, a copy of the first, from the start of the step to its end. Returns its energies at
    /// both.
    /// `view` is that at the start.
    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        now_and_next: (&Self::State, &mut Self::State),
        work: &mut Self::Work,
    ) -> [Energy; 2];

    /// Work on bodies by its forces without a potential, in an interval of a solved step [J]. `work` is that of the
    /// step's `loads`. None if it is not accounted for; the world then has no account of energies.
    fn work_done(&self, _step: &SolvedStep<'_>, _state: &Self::State, _work: &Self::Work) -> Option<f64> {
        None
    }

    /// Reports a part of a state that is not finite or beyond 1e10, if any: the step is then rejected.
    fn fault(&self, _next: &Self::State) -> Option<PartFault> {
        None
    }

    /// Its energies at a state.
    fn energy(&self, _view: &View<'_>, _state: &Self::State) -> Energy {
        Energy::default()
    }

    /// Checks whether a state that was read or stored belongs to this model.
    fn accepts(&self, view: &View<'_>, state: &Self::State) -> Result<(), Misfit>;

    /// Applies an edit; returns the one that undoes it. A rejected edit changes nothing.
    fn apply(
        &mut self,
        edit: Self::Edit,
        state: &mut Self::State,
        view: &View<'_>,
    ) -> Result<Self::Edit, Refusal>;

    /// The bodies it is attached to: they are not merged into coarser elements.
    fn bodies(&self) -> Vec<BodyId> {
        Vec::new()
    }

    /// Releases a body that is removed; returns the edits that restore it.
    fn body_removed(&mut self, _body: BodyId, _state: &mut Self::State) -> Vec<Self::Edit> {
        Vec::new()
    }

    /// Its readable quantities, in a fixed order.
    fn quantities(&self) -> Vec<Quantity> {
        Vec::new()
    }

    /// The value of a quantity, by its index in `quantities`.
    fn read(&self, _view: &View<'_>, _state: &Self::State, _number: usize) -> f64 {
        f64::NAN
    }

    /// Its visuals. The number of tubes and of their points depends on the model alone.
    fn drawings(&self, _view: &View<'_>, _state: &Self::State) -> Vec<Drawing> {
        Vec::new()
    }
}

/// State of a subsystem: plain data that can be copied, compared, written and read back without loss.
pub trait StatePart: Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Writes it, for both serialisation and hash.
    fn write(&self, out: &mut WordWriter<'_>);

    /// Reads what `write` wrote.
    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError>;
}

/// The part of the world that a subsystem has access to.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The bodies, their states, and the time.
    pub bodies: Bodies<'a>,
    /// The surfaces and their contact parameters.
    pub surfaces: &'a Surfaces,
    /// The settings.
    pub settings: &'a Settings,
    /// Length of the step [s]: `settings.dt`, or a part of it.
    pub dt: f64,
    /// κ: time for which forces act in the step [s]; 0 under the acceleration-level integrators.
    pub kick: f64,
}

/// The end of a step, as input of `advance`.
pub struct Advance<'a> {
    /// The bodies at the end of the step. Impulses may be applied to dynamic ones.
    pub bodies: &'a mut [BodyState],
    /// Inertias of the bodies, by index.
    pub inertia: &'a [BodyInertia],
    /// The bodies with terms, in the order of their indices; at the acceleration level those of the last evaluation.
    pub terms: &'a [SolvedTerm],
    /// Whether joints are attached to a body, by index.
    pub jointed: &'a [bool],
    /// The solved rows.
    pub rows: SolvedRows<'a>,
    /// The inputs over the step.
    pub inputs: Inputs<'a>,
    /// The colliders.
    pub proximity: &'a mut dyn Proximity,
}

/// An interval of a solved step, as input of `work_done`.
pub struct SolvedStep<'a> {
    /// The start of the step.
    pub view: View<'a>,
    /// The bodies with terms, in the order of their indices.
    pub terms: &'a [SolvedTerm],
    /// Velocities of a body before and after the kick, by index.
    pub velocities: &'a dyn Fn(usize) -> [Twist; 2],
    /// Position of the mean velocities of the interval between those before and after.
    pub part: f64,
    /// Length of the interval [s].
    pub time: f64,
}

impl SolvedStep<'_> {
    /// Mean velocities of a body in the interval.
    pub fn mean(&self, place: usize) -> Twist {
        let [before, after] = (self.velocities)(place);
        before.lerp(after, self.part)
    }
}

/// A point where a capsule is near a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The collider.
    pub part: ColliderRef,
    /// Midpoint between the surfaces, world [m].
    pub point: DVec3,
    /// From the collider to the capsule.
    pub normal: DVec3,
    /// Distance of the surfaces, negative where they penetrate [m].
    pub gap: f64,
}

/// Proximity queries to the colliders of a world, for objects other than bodies.
pub trait Proximity {
    /// Collects the colliders that may come within reach of some points in a time h, with bodies as given.
    /// Returns an upper bound of their speed [m/s]; none if there are none.
    fn look(
        &mut self,
        bodies: &[BodyState],
        points: &[DVec3],
        reach_and_h: (f64, f64),
        wanted: &dyn Fn(&Collider) -> bool,
    ) -> Option<f64>;

    /// Finds the points at which a capsule is within reach of the collected colliders. Excluded are the bodies it is
    /// attached to and those joined to them: it starts inside them, and contact would push for ever.
    fn touch(
        &mut self,
        ends: [DVec3; 2],
        radius_and_reach: (f64, f64),
        holders: &[u32],
        each: &mut dyn FnMut(Near),
    );
}

/// An invalid part of a subsystem's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartFault {
    /// Its description, such as `point 3 of cable "hose"`.
    pub what: String,
    /// Whether its numbers are finite but too large.
    pub finite: bool,
}

/// Why a state does not belong to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It has other objects, or another number of them.
    OtherModel,
    /// It has numbers that are not finite, or too large.
    Unsound,
}

/// Why an edit of a subsystem was rejected.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{what}: {problem}")]
pub struct Refusal {
    /// The object to be changed.
    pub what: String,
    /// The problem and its remedy.
    pub problem: String,
}

/// A readable quantity of a subsystem: `KEY.item.name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// The object it belongs to.
    pub item: String,
    /// Its name.
    pub name: &'static str,
    /// SI unit, empty if dimensionless.
    pub unit: &'static str,
    /// Its description, without a full stop.
    pub doc: &'static str,
}

/// A visual: a tube along a polyline.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Its name.
    pub name: String,
    /// Its centreline in the world [m]; two points or more.
    pub points: Vec<DVec3>,
    /// Its radius [m].
    pub radius: f64,
    /// Red, green and blue, 0 to 1.
    pub color: [f64; 3],
}
