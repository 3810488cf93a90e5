//! Brakes: dry friction of a shaft, and retarders, whose torque increases with the square of the speed.
//!
//! ```text
//! brake      ω = −θ/h,  |λ| ≤ max(x_b T_service, x_p T_parking) + T_drag    x_b follows the pedal with a lag
//!            ω = ω* and no torque below it, with anti-lock control (`traction.rs`)
//! retarder   secant damper of x T_max min(1, (ω/ω_0)²)
//! ```
//!
//! θ is the angle turned since the brake holds (`held.rs`). A disc has the temperature T above that of the air:
//!
//! ```text
//! m c Ṫ = P − m c T/τ        T⁺ = T e^(−h/τ) + P τ/(m c) (1 − e^(−h/τ)),    P: mean power of the step
//! ```
//!
//! Memory of a brake: `setting` the pedal, `wanted` θ, `slip` the speed, `total` the heat, `timer` T.

use super::{AntiLock, ComponentRows, Memory, Now, RowWriter, friction_row, heat, secant_row, speed_row};
use crate::held;
use crate::signal::Signal;
use windlass_engine::prelude::{Role, Row};

/// A friction brake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brake {
    /// Its shaft.
    pub shaft: usize,
    /// Torque at full service brake [N·m].
    pub torque: f64,
    /// Torque of the parking brake [N·m].
    pub parking: f64,
    /// Torque without any command, such as that of a bearing or a load [N·m].
    pub drag: f64,
    /// Time constant [s].
    pub lag: f64,
    /// Anti-lock control of a wheel's brake.
    pub anti_lock: Option<AntiLock>,
    /// The disc or drum that it heats.
    pub disc: Option<Disc>,
}

/// A disc or drum of a brake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its heat capacity [J/K].
    pub capacity: f64,
    /// Time constant with which it cools [s].
    pub cooling: f64,
}

impl Disc {
    /// Its temperature above that of the air after a step h with a heat [K].
    fn heated(&self, before: f64, heat: f64, h: f64) -> f64 {
        let z = h / self.cooling;
        // mean of the decay over the step
        let mean = if z > 1e-12 { -libm::expm1(-z) / z } else { 1.0 };
        before * libm::exp(-z) + heat / self.capacity * mean
    }
}

impl Brake {
    fn pedal(&self, now: &Now<'_>, memory: &Memory) -> f64 {
        now.follow(memory.setting, now.signal(Signal::Brake).clamp(0.0, 1.0), self.lag)
    }

    pub(super) fn rows(&self, now: &Now<'_>, memory: &Memory, out: &mut RowWriter<'_, '_>) {
        let parking = now.signal(Signal::Parking).clamp(0.0, 1.0) * self.parking;
        let (service, speed) = (self.pedal(now, memory) * self.torque, now.speed(self.shaft));
        let mut torque = service.max(parking) + self.drag;
        let target = match &self.anti_lock {
            Some(anti_lock) if service > parking => anti_lock.target(now, speed),
            _ => Some(0.0),
        };
        if target.is_none() {
            torque = parking + self.drag;
        }
        let row = match target.unwrap_or(0.0) {
            0.0 => Row { speed: -memory.wanted / now.h, ..friction_row(torque) },
            // brakes only
            target if target > 0.0 => speed_row(target, 0.0, [-torque, 0.0], Role::Resist(0)),
            target => speed_row(target, 0.0, [0.0, torque], Role::Resist(0)),
        };
        out.row(&[(self.shaft, 1.0)], row);
    }

    pub(super) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        memory.setting = self.pedal(now, memory);
        let heat = heat(now, now.speed(self.shaft), solved, 0);
        memory.total += heat;
        memory.timer = self.disc.map_or(0.0, |disc| disc.heated(memory.timer, heat, now.h));
        memory.slip = solved.rate(0);
        memory.wanted = held::given(memory.wanted, now.h, solved.mode(0), memory.slip);
    }
}

/// A retarder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retarder {
    /// Its shaft.
    pub shaft: usize,
    /// Largest torque [N·m].
    pub torque: f64,
    /// Speed from which on it has it [rad/s].
    pub speed: f64,
}

impl Retarder {
    pub(super) fn rows(&self, now: &Now<'_>, out: &mut RowWriter<'_, '_>) {
        let speed = now.speed(self.shaft);
        let part = (speed / self.speed).abs().min(1.0);
        let torque = now.signal(Signal::Retarder).clamp(0.0, 1.0) * self.torque * part * part;
        out.row(&[(self.shaft, 1.0)], secant_row(torque, speed));
    }

    pub(super) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        memory.total += heat(now, now.speed(self.shaft), solved, 0);
        memory.slip = solved.rate(0);
    }
}
