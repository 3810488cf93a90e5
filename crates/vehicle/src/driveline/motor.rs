//! An electric motor: constant torque up to its rated speed, constant power beyond it, in both directions.
//!
//! ```text
//! target ±ω_limit,    |λ| ≤ |θ| min(T_max, P_max/|ω|)        θ: throttle, with a share of the steering
//! ```
//!
//! Memory: `slip` is the speed, `total` the electrical work without losses.

use super::{ComponentRows, Memory, Now, RowWriter, TractionControl, speed_row};
use crate::signal::Signal;
use windlass_engine::prelude::Role;

/// An electric motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElectricMotor {
    /// Its shaft.
    pub shaft: usize,
    /// Largest torque [N·m].
    pub torque: f64,
    /// Largest power [W].
    pub power: f64,
    /// Largest speed [rad/s].
    pub limit: f64,
    /// Share of the steering command in that of the motor, for skid steering: −1 on the left side, 1 on the right.
    pub steer: f64,
    /// Traction control.
    pub traction_control: Option<TractionControl>,
}

impl ElectricMotor {
    pub(super) fn rows(&self, now: &Now<'_>, out: &mut RowWriter<'_, '_>) {
        let command = now.signal(Signal::Throttle) + self.steer * now.skid;
        let throttle = command.clamp(-1.0, 1.0);
        let speed = now.speed(self.shaft).abs();
        let most = if speed * self.torque > self.power { self.power / speed } else { self.torque };
        let torque = throttle * most;
        let bounds = [torque.min(0.0), torque.max(0.0)];
        let allowed = self.traction_control.map_or(f64::INFINITY, |c| c.limit(now, now.speed(self.shaft)));
        let limit = self.limit.min(allowed);
        let target = if throttle < 0.0 { -limit } else { limit };
        out.row(&[(self.shaft, 1.0)], speed_row(target, 0.0, bounds, Role::Drive(0)));
    }

    pub(super) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        let mean = 0.5 * (now.speed(self.shaft) + solved.rate(0));
        memory.slip = solved.rate(0);
        memory.total += solved.torque(0) * mean * now.kick;
    }
}
