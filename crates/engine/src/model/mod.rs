//! Model: what edits change. Bodies, joints, forces and settings; constant during a step.
//!
//! Written by `Edit::apply` only.

pub mod cable;
pub mod input;
pub mod snapshot;
pub mod state;

use crate::body::frame::{Anchor, Frame};
use crate::body::{Body, frame_of};
use crate::contact::surface::Surfaces;
use crate::joint::rope::Anchors;
use crate::joint::{Joint, JointKind};
use crate::load::{Bodies, Force};
use crate::settings::{Integrator, Settings};
use crate::slots::{BodyId, CableId, InputId, JointId, Slots, tag};
use crate::subsystem::{Kinds, Subsystem, View};
use cable::Cable;
use glam::DVec3;
use input::{Binding, Command, Input};
use state::State;

/// The model of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub(crate) bodies: Slots<Body, tag::Body>,
    pub(crate) joints: Slots<Joint, tag::Joint>,
    pub(crate) forces: Slots<Force, tag::Force>,
    pub(crate) cables: Slots<Cable, tag::Cable>,
    pub(crate) subsystems: Kinds,
    pub(crate) inputs: Slots<Input, tag::Input>,
    pub(crate) surfaces: Surfaces,
    pub(crate) settings: Settings,
    /// Counts edits that change more than parameters of drives and inputs, so that derived data are known to be
    /// outdated.
    pub(crate) revision: u64,
}

impl Model {
    /// The bodies.
    pub fn bodies(&self) -> &Slots<Body, tag::Body> {
        &self.bodies
    }

    /// The joints.
    pub fn joints(&self) -> &Slots<Joint, tag::Joint> {
        &self.joints
    }

    /// The forces.
    pub fn forces(&self) -> &Slots<Force, tag::Force> {
        &self.forces
    }

    /// The cables.
    pub fn cables(&self) -> &Slots<Cable, tag::Cable> {
        &self.cables
    }

    /// A subsystem by type, if present.
    pub fn subsystem<S: Subsystem>(&self) -> Option<&S> {
        self.subsystems.get::<S>()
    }

    /// The inputs.
    pub fn inputs(&self) -> &Slots<Input, tag::Input> {
        &self.inputs
    }

    /// The surfaces and their contact parameters.
    pub fn surfaces(&self) -> &Surfaces {
        &self.surfaces
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The first body of a name.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().find(|(_, b)| b.name == name).and_then(|(i, _)| self.bodies.id(i))
    }

    /// The first joint of a name.
    pub fn joint(&self, name: &str) -> Option<JointId> {
        self.joints.iter().find(|(_, j)| j.name == name).and_then(|(i, _)| self.joints.id(i))
    }

    /// The first cable of a name.
    pub fn cable(&self, name: &str) -> Option<CableId> {
        self.cables.iter().find(|(_, c)| c.name == name).and_then(|(i, _)| self.cables.id(i))
    }

    /// Sets kinematic bodies to their prescribed poses at the state's time, catenaries to their equilibrium, and static
    /// bodies to rest.
    pub(crate) fn prescribe(&self, state: &mut State) {
        for (place, _) in self.bodies.iter().filter(|(_, b)| !b.is_dynamic()) {
            self.prescribe_one(place, state);
        }
        self.hang_and_swing(state);
    }

    /// The same for one body.
    pub(crate) fn prescribe_one(&self, place: usize, state: &mut State) {
        let Some(body) = self.bodies.at(place).filter(|b| !b.is_dynamic()) else { return };
        let b = &mut state.bodies[place];
        (b.velocity, b.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
        if let Some(carried) = body.carried(state.time) {
            (b.position, b.orientation) = (carried.position, carried.orientation);
            (b.velocity, b.angular_velocity) = (carried.twist.velocity, carried.twist.angular_velocity);
        }
    }

    /// The present anchors of a joint, if they differ from those it was added with: a rope that feeds a cable moves by
    /// elements.
    pub(crate) fn moved_grips(&self, state: &State, place: usize, joint: &Joint) -> Option<Anchors<Anchor>> {
        let JointKind::Rope(rope) = &joint.kind else { return None };
        let (feed, window) = (rope.feed?, rope.window(&state.joints.get(place)?.history)?);
        let cable = self.cables.get(feed.cable)?;
        let mut anchors = Anchors::from_slice(&rope.anchors);
        if feed.sides[0] {
            *anchors.first_mut()? = cable.tip(window[0].checked_sub(1)?, true)?;
        }
        if feed.sides[1] {
            *anchors.last_mut()? = cable.tip(window[1], false)?;
        }
        Some(anchors)
    }

    /// The present frames of a joint.
    pub(crate) fn frames(&self, state: &State, place: usize, joint: &Joint) -> Anchors<Frame> {
        let moved = self.moved_grips(state, place, joint);
        let anchors = moved.as_deref().unwrap_or(joint.constraint().anchors());
        anchors.iter().map(|a| self.frame(state, a)).collect()
    }

    /// Length of rope paid out by inputs [m].
    pub(crate) fn paid(&self, state: &State, rope: JointId) -> f64 {
        let pays = |b: &&Binding| b.command == Command::PaidOut && b.joint == rope;
        let paid = |(place, input): (usize, &Input)| {
            let factor: f64 = input.bindings.iter().filter(pays).map(|b| b.factor).sum();
            factor * state.inputs[place].actual
        };
        self.inputs.iter().map(paid).sum()
    }

    /// The first input of a name.
    pub fn input(&self, name: &str) -> Option<InputId> {
        self.inputs.iter().find(|(_, i)| i.name == name).and_then(|(place, _)| self.inputs.id(place))
    }

    /// The dynamic bodies that are present, by index.
    pub(crate) fn free_bodies<'a>(
        &'a self,
        state: &'a State,
    ) -> impl Iterator<Item = (usize, &'a Body)> + 'a {
        self.bodies.iter().filter(|(place, body)| body.is_dynamic() && !state.bodies[*place].inactive)
    }

    /// κ: the time for which forces of the next velocity-level step act [s]. Velocities trail positions by `lag` and
    /// are advanced to half a step beyond the present.
    #[inline]
    pub fn kick(&self, state: &State) -> f64 {
        state.velocity_lag + 0.5 * self.dt(state)
    }

    /// h: length of the next step [s]. Under `spook` a whole step, or a half, a quarter, … of one
    /// (`integrate/substeps.rs`).
    #[inline]
    pub fn dt(&self, state: &State) -> f64 {
        let (whole, most) = (self.settings.dt, f64::from(self.settings.max_substeps));
        let next = state.next_internal_step;
        if self.settings.integrator != Integrator::Spook || next <= 0.0 {
            return whole;
        }
        let mut h = whole;
        while h > next && h * most >= 2.0 * whole {
            h *= 0.5;
        }
        h
    }

    /// The bodies at a state, as input of force laws.
    pub fn bodies_at<'a>(&'a self, state: &'a State) -> Bodies<'a> {
        Bodies { list: &self.bodies, states: &state.bodies, time: state.time }
    }

    /// Input of subsystems at a state.
    pub(crate) fn view<'a>(&'a self, state: &'a State) -> View<'a> {
        View {
            bodies: self.bodies_at(state),
            surfaces: &self.surfaces,
            settings: &self.settings,
            dt: self.dt(state),
            kick: if self.settings.integrator == Integrator::Spook { self.kick(state) } else { 0.0 },
        }
    }

    /// An anchor in world coordinates. Its body must exist.
    ///
    /// Always inlined: a frame that is returned and then copied into a list stalls on its own stores.
    #[inline(always)]
    pub fn frame(&self, state: &State, anchor: &Anchor) -> Frame {
        frame_of(&self.bodies, &state.bodies, anchor, self.settings.dt)
    }
}

/// A model at a state: for queries about the present configuration.
#[derive(Clone, Copy, Debug)]
pub struct Configuration<'a> {
    /// The model.
    pub model: &'a Model,
    /// The state.
    pub state: &'a State,
}
