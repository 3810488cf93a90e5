//! The state about which a machine is analysed, and the images of states near it under one step.
//!
//!   x ──place──▶ State with these coordinates, on the constraints ──step──▶ State ──read──▶ x⁺
//!
//! Inputs are held at their actual values and controllers are off. Joints are closed to round-off before differences
//! are formed, at the base and at every displaced state, so that constraint drift does not enter. Coordinates of a
//! displaced state are those requested to round-off: assembly changes them by the square of the displacement, which is
//! corrected. What else a state remembers (multipliers, friction modes, contact points) is that of the base.
//!
//! Under `spook` velocities lag half a step behind positions. A state before its first step, whose velocities do not
//! lag yet, is brought to that form by its accelerations, v₋ = v − ½ h a, because all further steps have it.

use crate::coordinate::{Coordinate, Source};
use crate::error::AnalysisError;
use crate::tangent::{Constraints, Tangent};
use glam::DVec3;
use windlass_engine::math;
use windlass_engine::prelude::{BodyId, InputAction, Integrator, State, World};

/// Below this a velocity is zero [m/s, rad/s].
const STILL: f64 = 1e-9;

/// A state and its tangent.
#[derive(Debug)]
pub struct Base {
    world: World,
    /// The state, closed and with inputs held.
    pub state: State,
    /// The state after one step.
    pub next: State,
    /// The admissible motions.
    pub tangent: Tangent,
    /// Whether velocities or their change within a step matter to the projections.
    pub moving: bool,
}

impl Base {
    /// The base at the present state of a world.
    pub fn of(world: &World) -> Result<Base, AnalysisError> {
        let mut world = world.fork();
        let mut state = world.state().clone();
        hold_inputs(&mut state);
        state.bodies.iter_mut().for_each(|body| (body.asleep, body.rest_time) = (false, 0.0));
        world.restore(state)?;
        close(&mut world)?;
        let tangent = Tangent::at(&mut world)?;
        let mut state = world.state().clone();
        tangent.project(&mut state);
        world.restore(state)?;
        let starts =
            world.model().settings().integrator == Integrator::Spook && world.state().velocity_lag == 0.0;
        if starts {
            begin(&mut world, &tangent)?;
        }
        let state = world.state().clone();
        let next = stepped(&mut world)?;
        world.restore(state.clone())?;
        let fast = |state: &State| {
            let of = |place: &usize| {
                let body = &state.bodies[*place];
                body.velocity.length().max(body.angular_velocity.length())
            };
            tangent.places.iter().map(of).fold(0.0, f64::max)
        };
        let moving = fast(&state) > STILL || fast(&next) > STILL;
        Ok(Base { world, state, next, tangent, moving })
    }

    /// The base at rest at the present positions of a world, whose velocities do not lag. No step is taken.
    pub fn still(world: &World) -> Result<Base, AnalysisError> {
        let mut world = world.fork();
        let mut state = world.state().clone();
        hold_inputs(&mut state);
        state.velocity_lag = 0.0;
        for body in &mut state.bodies {
            (body.asleep, body.rest_time) = (false, 0.0);
            (body.velocity, body.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
        }
        world.restore(state)?;
        close(&mut world)?;
        let tangent = Tangent::at(&mut world)?;
        let state = world.state().clone();
        Ok(Base { world, next: state.clone(), state, tangent, moving: false })
    }

    /// A world for steps of its own.
    pub fn world(&self) -> World {
        self.world.fork()
    }

    /// Degrees of freedom.
    pub fn freedom(&self) -> usize {
        self.tangent.freedom()
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.tangent.coordinates
    }

    /// Brings a world to the state with coordinates changed by dq and rates changed by dv. Empty slices change nothing.
    pub fn place(&self, world: &mut World, dq: &[f64], dv: &[f64]) -> Result<(), AnalysisError> {
        world.restore(self.state.clone())?;
        if dq.iter().any(|x| *x != 0.0) {
            self.displace(world, dq)?;
        }
        if self.moving {
            return self.set_rates(world, dv);
        }
        if dv.iter().any(|x| *x != 0.0) {
            let mut state = world.state().clone();
            self.accelerate(&mut state, dv);
            world.restore(state)?;
        }
        Ok(())
    }

    /// Moves along the tangent, closes the joints and corrects the coordinates.
    fn displace(&self, world: &mut World, dq: &[f64]) -> Result<(), AnalysisError> {
        let wanted: Vec<f64> =
            self.coordinates().iter().zip(dq).map(|(c, d)| self.value_at_base(c) + d).collect();
        let mut left = dq.to_vec();
        for _ in 0..3 {
            let mut state = world.state().clone();
            for (k, place) in self.tangent.places.iter().enumerate() {
                let (moved, turned) = self.tangent.of_body(k, &left);
                let body = &mut state.bodies[*place];
                body.position += moved;
                body.orientation = math::unit(math::exp(turned) * body.orientation);
            }
            world.restore(state)?;
            if self.tangent.is_constrained() {
                close(world)?;
            }
            for ((left, coordinate), wanted) in left.iter_mut().zip(self.coordinates()).zip(&wanted) {
                *left = wanted - coordinate.value(world, &self.state);
            }
        }
        Ok(())
    }

    fn value_at_base(&self, coordinate: &Coordinate) -> f64 {
        coordinate.value(&self.world, &self.state)
    }

    /// Adds the velocities of rates.
    fn accelerate(&self, state: &mut State, dv: &[f64]) {
        for (k, place) in self.tangent.places.iter().enumerate() {
            let (velocity, spin) = self.tangent.of_body(k, dv);
            state.bodies[*place].velocity += velocity;
            state.bodies[*place].angular_velocity += spin;
        }
    }

    /// Gives a moving machine the rates of the base plus dv, at its present positions.
    fn set_rates(&self, world: &mut World, dv: &[f64]) -> Result<(), AnalysisError> {
        let none = vec![0.0; self.freedom()];
        let dv = if dv.is_empty() { &none } else { dv };
        let at_base: Vec<f64> = self.coordinates().iter().map(|c| c.rate_of(&self.world)).collect();
        let constraints = Constraints::at(world);
        let mut state = world.state().clone();
        for _ in 0..3 {
            constraints.project(&mut state);
            world.restore(state.clone())?;
            let off: Vec<f64> = self
                .coordinates()
                .iter()
                .zip(&at_base)
                .zip(dv)
                .map(|((c, base), d)| base + d - c.rate_of(world))
                .collect();
            self.accelerate(&mut state, &off);
        }
        constraints.project(&mut state);
        world.restore(state)?;
        Ok(())
    }

    /// Rates of the coordinates at the instant of the positions, from the step that is about to be taken.
    pub fn instant_rates(&self, world: &mut World) -> Vec<f64> {
        let id = |coordinate: &Coordinate| match coordinate.source {
            Source::Joint(..) => None,
            Source::Displacement(place, _) | Source::Rotation(place, _) => world.model().bodies().id(place),
        };
        let ids: Vec<_> = self.coordinates().iter().map(id).collect();
        let now = world.inspect();
        let rate = |(coordinate, id): (&Coordinate, &Option<BodyId>)| {
            let twist = id.and_then(|id| now.body(id)).map(|body| body.twist);
            match coordinate.source {
                Source::Joint(joint, k) => now.coordinate(joint, k).map(|coordinate| coordinate.speed),
                Source::Displacement(_, axis) => twist.map(|twist| twist.velocity[axis]),
                Source::Rotation(_, axis) => twist.map(|twist| twist.angular_velocity[axis]),
            }
        };
        self.coordinates().iter().zip(&ids).map(|pair| rate(pair).unwrap_or(f64::NAN)).collect()
    }

    /// Takes a step; values and rates of the coordinates after it, rotations of bodies relative to the state after the
    /// base, and the state itself.
    pub fn image(&self, world: &mut World) -> Result<(Vec<f64>, State), AnalysisError> {
        let after = stepped(world)?;
        if self.moving && self.tangent.is_constrained() {
            close(world)?;
            let constraints = Constraints::at(world);
            let mut state = world.state().clone();
            for (body, solved) in state.bodies.iter_mut().zip(&after.bodies) {
                (body.velocity, body.angular_velocity) = (solved.velocity, solved.angular_velocity);
            }
            constraints.project(&mut state);
            world.restore(state)?;
        }
        let values = self.coordinates().iter().map(|c| c.value(world, &self.next));
        let rates = self.coordinates().iter().map(|c| c.rate_of(world));
        Ok((values.chain(rates).collect(), after))
    }
}

/// Holds every input at its actual value, without actions of controllers.
fn hold_inputs(state: &mut State) {
    for input in &mut state.inputs {
        (input.target, input.held, input.action) = (input.actual, true, InputAction::default());
    }
}

/// Closes the joints at the present positions; velocities stay.
pub(crate) fn close(world: &mut World) -> Result<(), AnalysisError> {
    let before = world.state().clone();
    let assembly = world.assemble();
    if let Some(joint) = assembly.open {
        return Err(AnalysisError::Open { joint });
    }
    let mut state = before;
    for (body, closed) in state.bodies.iter_mut().zip(&world.state().bodies) {
        (body.position, body.orientation) = (closed.position, closed.orientation);
    }
    world.restore(state)?;
    Ok(())
}

/// Takes a step without controllers and returns the state after it.
fn stepped(world: &mut World) -> Result<State, AnalysisError> {
    match world.step().fault {
        Some(fault) => Err(AnalysisError::Fault(fault)),
        None => Ok(world.state().clone()),
    }
}

/// Lets the velocities of a state before its first step lag half a step, and takes multipliers and other memory from a
/// step there.
fn begin(world: &mut World, tangent: &Tangent) -> Result<(), AnalysisError> {
    let mut state = world.state().clone();
    let half = 0.5 * world.model().dt(&state);
    let ids: Vec<_> = tangent.places.iter().map(|place| world.model().bodies().id(*place)).collect();
    let now = world.inspect();
    let instants: Vec<_> = ids.iter().map(|id| id.and_then(|id| now.body(id))).collect();
    for (place, instant) in tangent.places.iter().zip(instants) {
        let Some(instant) = instant else { continue };
        let body = &mut state.bodies[*place];
        body.velocity -= instant.acceleration.velocity * half;
        // State represents the angular momentum: its rate is the torque
        let inertia = world.model().bodies().at(*place).map_or(glam::DMat3::IDENTITY, |b| b.mass.inertia);
        let own = body.orientation.inverse();
        let (spin, rate) = (own * body.angular_velocity, own * instant.acceleration.angular_velocity);
        let turned = inertia.inverse() * spin.cross(inertia * spin);
        body.angular_velocity -= body.orientation * (rate + turned) * half;
    }
    state.velocity_lag = half;
    tangent.project(&mut state);
    for _ in 0..2 {
        world.restore(state.clone())?;
        let after = stepped(world)?;
        for (joint, solved) in state.joints.iter_mut().zip(&after.joints) {
            (joint.forces, joint.modes) = (solved.forces.clone(), solved.modes.clone());
        }
        for (body, solved) in state.bodies.iter_mut().zip(&after.bodies) {
            (body.load, body.constraint_torque) = (solved.load, solved.constraint_torque);
        }
        state.contacts = after.contacts;
    }
    world.restore(state)?;
    Ok(())
}
