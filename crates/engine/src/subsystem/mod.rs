//! Subsystems: kinds of things beside bodies and joints, such as mass-point cables, that live in crates of their own.
//!
//! ```text
//!  Model  the subsystem itself          edited by `apply` alone
//!  State  its `State`                   advanced with the bodies, in snapshots and hashes
//!  Work   its `Work`                    buffers; never saved, never read across steps
//!
//!  force → loads                        explicit forces on bodies
//!  commit → advance, fault              its next state, once bodies are where the step brings them
//!  inspect → energy, quantities, read, drawings
//! ```
//!
//! There is one object per kind in a world, so that a step makes a few virtual calls per kind and none per item. Authors write the
//! typed trait [`Subsystem`]; model, state and stages hold its erased twin (`erased.rs`). A kind is in the model from its first
//! edit on; kinds are run in the order of their keys, after what the engine does itself and before hooks, so that results do not
//! depend on the order in which they were added.
//!
//! A subsystem sees bodies, surfaces and settings ([`View`]), no joints, no other kind and no solver.

mod erased;

pub(crate) use erased::{Kind, Kinds, SubsystemWork};
pub use erased::{Part, SubsystemEdit};

use crate::body::BodyState;
use crate::body::collider::{Collider, ColliderRef};
use crate::body::inertia::BodyInertia;
use crate::contact::surface::Surfaces;
use crate::energy::Energy;
use crate::load::{Bodies, Loads};
use crate::settings::Settings;
use crate::slots::BodyId;
use crate::words::{SnapshotError, WordReader, WordWriter};
use glam::DVec3;
use std::fmt;
use thiserror::Error;

/// One kind of things in a world. The value itself is its part of the model.
pub trait Subsystem: Clone + fmt::Debug + Default + Send + Sync + 'static {
    /// Names it in states, recordings and probes; 16 bytes at most.
    const KEY: &'static str;
    /// The version of the words of its state.
    const VERSION: u32;
    /// What steps change of it.
    type State: StatePart;
    /// Its buffers.
    type Work: Default + fmt::Debug + Send + Sync + 'static;
    /// A change of it.
    type Edit: Clone + fmt::Debug + Send + Sync + 'static;

    /// Adds its forces on bodies at the state. Called at every evaluation of the acceleration-level integrators.
    fn loads(&self, _view: &View<'_>, _state: &Self::State, _work: &mut Self::Work, _out: &mut Loads) {}

    /// Advances the second state, a copy of the first, from the start of the step to its end. Returns its energies at both.
    /// `view` is that of the start.
    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        now_and_next: (&Self::State, &mut Self::State),
        work: &mut Self::Work,
    ) -> [Energy; 2];

    /// What of a state is not finite or beyond 1e10, if anything: the step is then not taken.
    fn fault(&self, _next: &Self::State) -> Option<PartFault> {
        None
    }

    /// Its energies at a state.
    fn energy(&self, _view: &View<'_>, _state: &Self::State) -> Energy {
        Energy::default()
    }

    /// Whether a state that was read or kept is one of this model.
    fn accepts(&self, view: &View<'_>, state: &Self::State) -> Result<(), Misfit>;

    /// Applies an edit; returns the one that undoes it. A refused edit changes nothing.
    fn apply(
        &mut self,
        edit: Self::Edit,
        state: &mut Self::State,
        view: &View<'_>,
    ) -> Result<Self::Edit, Refusal>;

    /// The bodies it holds: they are not merged into coarser elements.
    fn bodies(&self) -> Vec<BodyId> {
        Vec::new()
    }

    /// Lets go of a body that is removed; returns the edits that take it back.
    fn body_removed(&mut self, _body: BodyId, _state: &mut Self::State) -> Vec<Self::Edit> {
        Vec::new()
    }

    /// What can be read of it, in a fixed order.
    fn quantities(&self) -> Vec<Quantity> {
        Vec::new()
    }

    /// The value of a quantity, by its number in `quantities`.
    fn read(&self, _view: &View<'_>, _state: &Self::State, _number: usize) -> f64 {
        f64::NAN
    }

    /// What is seen of it. How many tubes there are, with how many points, depends on the model alone.
    fn drawings(&self, _view: &View<'_>, _state: &Self::State) -> Vec<Drawing> {
        Vec::new()
    }
}

/// What steps change of a subsystem: plain data that can be copied, compared, written and read back to the bit.
pub trait StatePart: Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Writes it, for bytes and hash alike.
    fn write(&self, out: &mut WordWriter<'_>);

    /// Reads what `write` wrote.
    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError>;
}

/// What a subsystem sees of the world.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The bodies, where they are, and the time.
    pub bodies: Bodies<'a>,
    /// The surfaces and how they touch.
    pub surfaces: &'a Surfaces,
    /// The settings.
    pub settings: &'a Settings,
    /// How long the step is [s]: `settings.dt`, or a part of it.
    pub dt: f64,
}

/// The end of a step, as `advance` sees it.
pub struct Advance<'a> {
    /// The bodies when the step ends. Impulses may be given to those that are free.
    pub bodies: &'a mut [BodyState],
    /// How bodies resist, by place.
    pub inertia: &'a [BodyInertia],
    /// Which bodies joints hold, by place.
    pub jointed: &'a [bool],
    /// The colliders.
    pub proximity: &'a mut dyn Proximity,
}

/// Where a capsule is near to a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The collider.
    pub part: ColliderRef,
    /// Halfway between the surfaces, world [m].
    pub point: DVec3,
    /// From the collider to the capsule.
    pub normal: DVec3,
    /// Distance of the surfaces, below 0 where they overlap [m].
    pub gap: f64,
}

/// The colliders of a world, for what moves beside the bodies.
pub trait Proximity {
    /// Takes the colliders that may come within reach of some points in a time h, with bodies as given.
    /// Returns how fast the fastest of them can be [m/s]; none if there are none.
    fn look(
        &mut self,
        bodies: &[BodyState],
        points: &[DVec3],
        reach_and_h: (f64, f64),
        wanted: &dyn Fn(&Collider) -> bool,
    ) -> Option<f64>;

    /// Shows where a capsule is within reach of what was taken, but for the bodies that hold it and for what is joined to those: it
    /// begins within them, and what pushed it out would push for ever.
    fn touch(
        &mut self,
        ends: [DVec3; 2],
        radius_and_reach: (f64, f64),
        holders: &[u32],
        each: &mut dyn FnMut(Near),
    );
}

/// What of a subsystem's state is no longer usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartFault {
    /// What it is, such as `point 3 of cable "hose"`.
    pub what: String,
    /// Whether its numbers are finite, but too large.
    pub finite: bool,
}

/// Why a state is not one of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It has other things, or other numbers of them.
    OtherModel,
    /// It holds numbers that are not finite, or too large.
    Unsound,
}

/// Why an edit of a subsystem was refused.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{what}: {problem}")]
pub struct Refusal {
    /// What was to be changed.
    pub what: String,
    /// What is wrong, and what to do.
    pub problem: String,
}

/// Something that can be read of a subsystem: `KEY.item.name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Of which of its things.
    pub item: String,
    /// What.
    pub name: &'static str,
    /// SI unit, empty for a pure number.
    pub unit: &'static str,
    /// In a sentence.
    pub doc: &'static str,
}

/// Something seen: a tube along a line of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Its name.
    pub name: String,
    /// Its centre line in the world [m]; two points or more.
    pub points: Vec<DVec3>,
    /// Its radius [m].
    pub radius: f64,
    /// Red, green and blue, 0 to 1.
    pub color: [f64; 3],
}
