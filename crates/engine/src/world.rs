//! The world: Model (changed by edits), State (changed by steps), Workspace (rebuilt by each step).

use crate::body::BodyState;
use crate::cable::CableSpec;
use crate::edit::{Edit, EditError};
use crate::integrate::dormand_prince::Dense;
use crate::model::Model;
use crate::model::input::{Input, InputState};
use crate::model::state::{ContactState, State};
use crate::report::Report;
use crate::slots::{BodyId, CableId, ForceId, InputId, JointId};
use crate::stages::{Hook, Stages};
use crate::step;
use crate::workspace::Workspace;

use crate::body::Body;
use crate::cable::route::{self, Route, Routed};
use crate::joint::{Joint, Rope};
use crate::load::{Force, SolvedTerm};
use crate::model::Configuration;
use crate::settings::{Integrator, Settings};
use crate::subsystem::{Misfit, Subsystem, SubsystemEdit, View};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A simulated world.
///
/// ```
/// use glam::{DQuat, DVec3};
/// use windlass_engine::prelude::*;
///
/// let mut world = World::default();
/// let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY)?;
/// let bob = world.add_body(Body::dynamic("bob", Mass::of(&Shape::Sphere { radius: 0.1 }, 7850.0)?), DVec3::X, DQuat::IDENTITY)?;
/// let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(bob, -DVec3::X)];
/// world.add_joint(Joint::new("pivot", Ball { anchors }))?;
/// for _ in 0..60 {
///     let report = world.step();
///     assert!(report.fault.is_none());
/// }
/// assert!((world.state().bodies[bob.index()].position.length() - 1.0).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct World {
    pub(crate) model: Arc<Model>,
    pub(crate) state: State,
    pub(crate) workspace: Workspace,
}

impl World {
    /// Its model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Its state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The model at the present state, for queries.
    pub fn configuration(&self) -> Configuration<'_> {
        Configuration { model: &self.model, state: &self.state }
    }

    /// The data of the last solve, read-only.
    pub fn stages(&self) -> &Stages {
        &self.workspace.stages
    }

    /// The last internal step of `dormand-prince`, for dense output.
    pub fn dense(&self) -> &Dense {
        &self.workspace.frame.dense
    }

    /// A subsystem with its state, if present.
    pub fn subsystem<S: Subsystem>(&self) -> Option<(&S, &S::State)> {
        Some((self.model.subsystem::<S>()?, self.state.part::<S>()?))
    }

    /// What subsystems see of the world at the present state.
    pub fn subsystem_view(&self) -> View<'_> {
        self.model.view(&self.state)
    }

    /// The terms of a body after the solve of the present instant; under `spook` none unless it was inspected. Under the
    /// acceleration-level integrators they are those of the last evaluation. None for a body without terms.
    pub fn solved_term(&self, body: BodyId) -> Option<&SolvedTerm> {
        let term = self.workspace.stages.free.solved_term(body.index())?;
        let is_known = self.workspace.solved || self.model.settings.integrator != Integrator::Spook;
        is_known.then_some(term)
    }

    /// The buffers of a subsystem after the last step.
    pub fn subsystem_work<S: Subsystem>(&self) -> Option<&S::Work> {
        self.workspace.stages.subsystems.get::<S>()
    }

    /// Advances the world by one step of `settings.dt`. A step whose result would not be finite, or beyond 1e10, is
    /// rejected: the state is unchanged and a fault is reported.
    pub fn step(&mut self) -> Report {
        step::step(&self.model, &mut self.state, &mut self.workspace)
    }

    /// A world that shares this one's model until either is edited, with a copy of its state. Hooks are not copied, and
    /// there are no events or reactions before its first step. Its next step is bitwise identical to that of this
    /// world.
    pub fn fork(&self) -> World {
        World { model: Arc::clone(&self.model), state: self.state.clone(), workspace: Workspace::default() }
    }

    /// Sets a state of this model, usually an earlier one. Rejected without change if it does not fit.
    pub fn restore(&mut self, mut state: State) -> Result<(), EditError> {
        let (bodies, joints) = (self.model.bodies.places(), self.model.joints.places());
        if state.bodies.len() != bodies || state.joints.len() != joints {
            return Err(EditError::StateDoesNotFit {
                bodies,
                joints,
                got_bodies: state.bodies.len(),
                got_joints: state.joints.len(),
            });
        }
        let parts = self.model.subsystems.iter().count();
        if state.parts.len() != parts {
            return Err(EditError::PartsDoNotFit { parts, got: state.parts.len() });
        }
        for part in &mut state.parts {
            part.resolve(&self.model.subsystems)?;
        }
        let view = self.model.view(&state);
        for (kind, part) in self.model.subsystems.iter().zip(&state.parts) {
            kind.accepts(&view, part).map_err(|misfit| match misfit {
                Misfit::OtherModel => EditError::PartDoesNotFit { key: kind.key() },
                Misfit::Unsound => EditError::StateUnsound,
            })?;
        }
        let inputs = self.model.inputs.places();
        if state.inputs.len() != inputs {
            return Err(EditError::InputsDoNotFit { inputs, got: state.inputs.len() });
        }
        if !state.inputs.iter().all(InputState::is_finite) {
            return Err(EditError::StateUnsound);
        }
        // velocities trail by half a step at most, whatever its length was
        let lag = (0.0..=0.1).contains(&state.velocity_lag);
        let finite = state.time.is_finite() && state.next_internal_step.is_finite();
        let there = |c: &ContactState| c.parts.iter().all(|p| (p.body as usize) < bodies);
        let sorted = state.contacts.is_sorted_by(|a, b| a.key() < b.key());
        if !sorted || !state.contacts.iter().all(there) || !self.model.is_covered(&state) {
            return Err(EditError::StateUnsound);
        }
        if !lag || !finite || !state.bodies.iter().all(BodyState::is_finite) {
            return Err(EditError::StateUnsound);
        }
        self.workspace.solved = false;
        self.state = state;
        if self.model.settings.sleep.is_none() {
            self.state.bodies.iter_mut().for_each(|b| (b.asleep, b.rest_time) = (false, 0.0));
        }
        Ok(())
    }

    /// Applies an edit and returns the edit that undoes it. Rejected edits change nothing.
    pub fn edit(&mut self, edit: Edit) -> Result<Edit, EditError> {
        self.workspace.solved = false;
        edit.apply(Arc::make_mut(&mut self.model), &mut self.state)
    }

    /// Adds a body at rest, with the pose of its frame.
    pub fn add_body(&mut self, body: Body, at: DVec3, orientation: DQuat) -> Result<BodyId, EditError> {
        match self.edit(Edit::AddBody { body: Box::new(body), at, orientation })? {
            Edit::RemoveBody(id) => Ok(id),
            _ => unreachable!("adding a body is undone by removing it"),
        }
    }

    /// Adds a joint.
    pub fn add_joint(&mut self, joint: Joint) -> Result<JointId, EditError> {
        match self.edit(Edit::AddJoint(Box::new(joint)))? {
            Edit::RemoveJoint(id) => Ok(id),
            _ => unreachable!("adding a joint is undone by removing it"),
        }
    }

    /// Adds a cable.
    pub fn add_cable(&mut self, laying: CableSpec) -> Result<CableId, EditError> {
        match self.edit(Edit::AddCable(Box::new(laying)))? {
            Edit::RemoveCable(id) => Ok(id),
            _ => unreachable!("laying a cable is undone by removing it"),
        }
    }

    /// Adds a cable along a route.
    pub fn add_route(&mut self, route: &Route) -> Result<Routed, EditError> {
        let mut undo = Vec::new();
        let laid = self.add_route_by(route, &mut |world, edit| {
            let back = world.edit(edit)?;
            undo.push(back.clone());
            Ok(back)
        });
        if laid.is_err() {
            while let Some(back) = undo.pop() {
                self.edit(back)?;
            }
        }
        laid
    }

    /// The same, with each edit applied by a function that returns its inverse; edits before a rejected one remain.
    pub fn add_route_by(
        &mut self,
        route: &Route,
        edit: &mut dyn FnMut(&mut World, Edit) -> Result<Edit, EditError>,
    ) -> Result<Routed, EditError> {
        let refused = |problem: String| EditError::Cable { name: route.name.clone(), problem };
        let add_rope =
            |world: &mut World,
             number: usize,
             rope: Rope,
             edit: &mut dyn FnMut(&mut World, Edit) -> Result<Edit, EditError>| {
                let joint = route.joint(number, world.configuration().pulled(route, rope));
                match edit(world, Edit::AddJoint(Box::new(joint)))? {
                    Edit::RemoveJoint(id) => Ok::<_, EditError>(id),
                    _ => unreachable!("adding a joint is undone by removing it"),
                }
            };
        if let Some(problem) = route.problem() {
            return Err(refused(problem));
        }
        let whole = self.configuration().settled(route).map_err(refused)?;
        if !route.flexible.contains(&true) {
            return Ok(Routed { ropes: vec![add_rope(self, 0, whole, edit)?], cable: None });
        }
        let lay = self.configuration().lay(route, &whole).map_err(refused)?;
        let cable = match edit(self, Edit::AddCable(Box::new(route::laying(route, &lay))))? {
            Edit::RemoveCable(id) => id,
            _ => unreachable!("laying a cable is undone by removing it"),
        };
        let mut ropes = Vec::new();
        for (number, stretch) in route.stretches().iter().enumerate() {
            let rope = self.configuration().feeding(route, (&whole, &lay), cable, stretch);
            ropes.push(add_rope(self, number, rope, edit)?);
        }
        Ok(Routed { ropes, cable: Some(cable) })
    }

    /// Adds a force.
    pub fn add_force(&mut self, force: Force) -> Result<ForceId, EditError> {
        match self.edit(Edit::AddForce(Box::new(force)))? {
            Edit::RemoveForce(id) => Ok(id),
            _ => unreachable!("adding a force is undone by removing it"),
        }
    }

    /// Changes a subsystem; returns the edit that undoes it.
    pub fn edit_subsystem<S: Subsystem>(&mut self, edit: S::Edit) -> Result<S::Edit, EditError> {
        match self.edit(Edit::Subsystem(SubsystemEdit::of::<S>(edit)))? {
            Edit::Subsystem(undo) => Ok(undo.get::<S>().expect("it is undone by its own kind").clone()),
            _ => unreachable!("a change of a subsystem is undone by another"),
        }
    }

    /// Adds an input, at rest.
    pub fn add_input(&mut self, input: Input) -> Result<InputId, EditError> {
        match self.edit(Edit::AddInput(Box::new(input)))? {
            Edit::RemoveInput(id) => Ok(id),
            _ => unreachable!("adding an input is undone by removing it"),
        }
    }

    /// Takes control of an input and sets its target, clamped to its range; none releases it. NaN and removed inputs
    /// are rejected.
    pub fn set_input(&mut self, input: InputId, value: Option<f64>) -> Result<(), EditError> {
        let range = self.model.inputs.get(input).map(|i| (i.low, i.high));
        // NaN is left for the edit to reject
        let kept = |v: f64| match range {
            Some((low, high)) if v.is_finite() => v.clamp(low, high),
            _ => v,
        };
        let value = value.map(kept);
        self.edit(Edit::SetInputValue { input, value }).map(drop)
    }

    /// The state of an input.
    pub fn input(&self, input: InputId) -> Option<&InputState> {
        self.model.inputs.get(input)?;
        self.state.inputs.get(input.index())
    }

    /// Lets a subsystem act on inputs between two steps: `act` changes its state and the actions on inputs, which are by
    /// index, and returns whether an action changed. The model is not changed, and nothing is allocated.
    pub fn control<S: Subsystem>(&mut self, act: impl FnOnce(&S, &mut S::State, &mut [InputState]) -> bool) {
        let Some(subsystem) = self.model.subsystem::<S>() else { return };
        let State { parts, inputs, .. } = &mut self.state;
        if let Some(part) = parts.iter_mut().find_map(|part| part.get_mut::<S>()) {
            // a solve of this instant remains valid, unless it started from a copy of the state
            let acted = act(subsystem, part, inputs);
            self.workspace.solved &= !acted && !self.workspace.start.is_copy();
        }
    }

    /// Sets velocity and angular velocity of a body [m/s, rad/s], in world axes.
    pub fn set_velocity(&mut self, body: BodyId, velocity: DVec3, spin: DVec3) -> Result<(), EditError> {
        self.edit(Edit::SetVelocity { body, velocity, angular_velocity: spin }).map(drop)
    }

    /// Changes the settings.
    pub fn set(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), EditError> {
        let mut settings = self.model.settings;
        change(&mut settings);
        self.edit(Edit::SetSettings(settings)).map(drop)
    }

    /// Adds a hook; hooks are called in the order in which they were added.
    pub fn add_hook(&mut self, hook: impl Hook + 'static) {
        self.workspace.solved = false;
        self.workspace.stages.hooks.push(Box::new(hook));
    }
}
