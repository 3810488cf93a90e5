//! Steering of wheels: one command → a servo per wheel, about the steering axis of the chassis.
//!
//! ```text
//! δ = atan2(−a·x, a·y)        a: spin axis of the wheel, x y: axes of the chassis
//! δ_target = Σ weight · angle of the mode                a: weights follow the mode at 1/s, below 2 m/s
//!            Ackermann of κ = steer · κ_max at the wheel's position (`steering.rs`)
//!            crab: steer · δ_max        pivot: angle of a rotation about the middle of the turning line
//! row  δ − δ_target = 0,  |λ| ≤ T_servo
//! ```

use crate::steering::{PlanarMotion, ackermann};
use crate::wheel::Wheel;
use glam::{DVec2, DVec3};
use windlass_engine::prelude::{Anchor, BodyId, JacobianBlock, Role, Row, View};

/// The steering of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Steering {
    /// The body relative to which wheels are steered.
    pub chassis: BodyId,
    /// Ahead and to the left in its axes.
    pub axes: [DVec3; 2],
    /// Geometry, unless the signal of the mode is given.
    pub mode: SteeringMode,
    /// Angle at full command in crab mode [rad].
    pub max_angle: f64,
    /// Curvature at full command [1/m].
    pub curvature: f64,
    /// Share of Ackermann geometry: 1, or 0 for parallel wheels.
    pub ackermann: f64,
    /// Largest torque of a wheel's servo [N·m].
    pub torque: f64,
    /// Largest rate of the command [1/s].
    pub rate: f64,
    /// The steered wheels: index, and position ahead and to the left of the middle of the turning line [m].
    pub wheels: Vec<(usize, DVec2)>,
}

/// Geometry of a steering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SteeringMode {
    /// One turning centre on the turning line.
    #[default]
    Ackermann,
    /// All wheels at the same angle: the vehicle moves sideways.
    Crab,
    /// Rotation about the middle of the turning line.
    Pivot,
}

/// Rate at which wheels move from one geometry to another [1/s].
const CHANGE: f64 = 1.0;
/// Speed above which the geometry stays [m/s].
const CHANGES_BELOW: f64 = 2.0;

/// State of a steering: its command after the rate limit, and its geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteeringState {
    /// −1 to 1.
    pub command: f64,
    /// Weights of crab and pivot; that of Ackermann is the rest.
    pub weights: [f64; 2],
}

impl Steering {
    /// At the start.
    pub fn initial(&self) -> SteeringState {
        SteeringState { command: 0.0, weights: weights_of(self.mode) }
    }

    /// After a step, for the signals of the command and the mode and a speed.
    pub(crate) fn advanced(
        &self,
        before: &SteeringState,
        (signal, mode): (f64, Option<f64>),
        speed: f64,
        h: f64,
    ) -> SteeringState {
        let mode = match mode {
            Some(mode) if mode > 1.5 => SteeringMode::Pivot,
            Some(mode) if mode > 0.5 => SteeringMode::Crab,
            Some(_) => SteeringMode::Ackermann,
            None => self.mode,
        };
        let (mut weights, wanted) = (before.weights, weights_of(mode));
        if speed.abs() < CHANGES_BELOW {
            for (weight, wanted) in weights.iter_mut().zip(wanted) {
                *weight += (wanted - *weight).clamp(-CHANGE * h, CHANGE * h);
            }
        }
        SteeringState { command: self.command(before.command, signal, h), weights }
    }

    fn command(&self, before: f64, signal: f64, h: f64) -> f64 {
        before + (signal.clamp(-1.0, 1.0) - before).clamp(-self.rate * h, self.rate * h)
    }

    /// Steering angle of a wheel at a state [rad].
    pub fn angle(&self, state: &SteeringState, position: DVec2) -> f64 {
        let SteeringState { command, weights: [crab, pivot] } = *state;
        let mut angle = ackermann(command * self.curvature, position, self.ackermann) * (1.0 - crab - pivot);
        if crab != 0.0 {
            angle += crab * command * self.max_angle;
        }
        if pivot != 0.0 {
            angle += pivot * PlanarMotion::pivot().wheel(position).angle;
        }
        angle
    }

    /// The row of a steered wheel for states at the start and the end of the step.
    pub(crate) fn row(
        &self,
        view: &View<'_>,
        (wheel, position): (&Wheel, DVec2),
        states: [&SteeringState; 2],
    ) -> (Row, [JacobianBlock; 2]) {
        let chassis = &view.bodies.states[self.chassis.index()];
        let axle = view.bodies.states[wheel.body.index()].orientation * wheel.axis;
        let [x, y] = self.axes.map(|axis| chassis.orientation * axis);
        let (s, c) = (-axle.dot(x), axle.dot(y));
        let [from, to] = states.map(|state| self.angle(state, position));
        // δ̇ = (ω_w − ω_c)·g: the gradient of the angle of a in the plane of x and y
        let square = (c * c + s * s).max(1e-12);
        let gradient = (axle.cross(-x) * c - axle.cross(y) * s) / square;
        let row = Row {
            speed: (to - from) / view.dt,
            lo: -self.torque,
            hi: self.torque,
            role: Role::Drive(0),
            ..Row::hold(libm::atan2(s, c) - from)
        };
        let [own, other] =
            [wheel.body, self.chassis].map(|id| view.bodies.frame(&Anchor::point(id, DVec3::ZERO)));
        (row, [own.spin(gradient), other.spin(-gradient)])
    }
}

/// Weights of crab and pivot in a geometry.
fn weights_of(mode: SteeringMode) -> [f64; 2] {
    [SteeringMode::Crab, SteeringMode::Pivot].map(|other| if mode == other { 1.0 } else { 0.0 })
}
