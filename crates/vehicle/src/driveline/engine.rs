//! A combustion engine: torque curves, idle control, speed limiter or governor, starter, stall, fuel.
//!
//! Four rows for the spin ω of the crankshaft:
//!
//! ```text
//! burn     target ω_limit,  0 ≤ λ ≤ B(θ, ω)                          θ: throttle after its lag
//!          with a governor: ω + d λ = ω_set(θ),  0 ≤ λ ≤ B(1, ω)
//! idle     target ω_idle,   0 ≤ λ ≤ B(1, ω) − B(θ, ω)                without a governor
//! drag     target 0,        |λ| ≤ T_drag(ω)                          also while off: it holds a parked car in gear
//! starter  target ω_crank,  0 ≤ λ ≤ T_starter
//! ```
//!
//! B is the torque of the fuel: θ (T_full(ω) + T_drag(ω)), or T(θ, ω) + T_drag(ω) of a map over the throttle. `burn` and
//! `idle` together never exceed that of full throttle. Below the limiter `burn` is at its bound, so the torque is that of
//! the table; at the limiter the row holds the speed and cannot overshoot. The droop d of a governor is
//! (ω_none − ω_full)/T_full. Tables are read at the speed at the start of the step.
//!
//! Memory: `phase` is the [`EngineMode`], `timer` the time above the stall speed while cranking, `setting` the throttle,
//! `slip` the speed, `total` the fuel, `wanted` the fuel per time.

use super::{ComponentRows, Memory, Now, RowWriter, TractionControl, speed_row};
use crate::signal::Signal;
use crate::table::{Map, Table};
use windlass_engine::prelude::Role;

/// A combustion engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    /// Its shaft.
    pub shaft: usize,
    /// Net torque at full load over speed [N·m over rad/s].
    pub full: Table,
    /// Net torque over speed at increasing throttles [N·m over rad/s]; in proportion to the throttle unless given.
    pub map: Option<Map>,
    /// Drag torque without fuel over speed [N·m over rad/s].
    pub drag: Table,
    /// Speed that it holds without throttle [rad/s]; 0 for none.
    pub idle: f64,
    /// Speed that it does not exceed by its own torque [rad/s].
    pub limit: f64,
    /// Speed below which it stalls [rad/s]; 0 for never.
    pub stall: f64,
    /// Governor of a diesel engine, for which the throttle sets the speed.
    pub governor: Option<Governor>,
    /// Time constant of the throttle, with the lag of a turbocharger [s].
    pub throttle_lag: f64,
    /// Its starter.
    pub starter: Starter,
    /// Its consumption.
    pub fuel: Fuel,
    /// Traction control.
    pub traction_control: Option<TractionControl>,
    /// Whether it runs at the start.
    pub runs: bool,
}

/// A governor with droop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Governor {
    /// Speed without load at full throttle [rad/s].
    pub speed: f64,
    /// Decrease of the speed from no load to full torque [rad/s].
    pub droop: f64,
}

/// A starter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Starter {
    /// Largest torque at the crankshaft [N·m].
    pub torque: f64,
    /// Speed without load [rad/s].
    pub speed: f64,
}

/// Consumption of fuel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fuel {
    /// Per work [kg/J]; 250 g/kWh is 69.4e-9.
    pub specific: f64,
    /// While idling without load [kg/s].
    pub idle: f64,
}

/// What an engine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineMode {
    /// Switched off.
    Off,
    /// Turned by its starter.
    Cranking,
    /// Running.
    Running,
    /// Stopped by its load.
    Stalled,
}

/// Time above the stall speed after which a cranking engine runs [s].
const CATCHES: f64 = 0.2;

impl EngineMode {
    /// The mode in a memory.
    pub fn of(memory: &Memory) -> EngineMode {
        match memory.phase as i64 {
            1 => EngineMode::Cranking,
            2 => EngineMode::Running,
            3 => EngineMode::Stalled,
            _ => EngineMode::Off,
        }
    }
}

impl Engine {
    /// What is wrong with its speeds, and the remedy.
    pub(super) fn problem(&self) -> Option<String> {
        let Engine { starter, stall, idle, governor, .. } = self;
        if starter.torque > 0.0 && starter.speed <= *stall {
            return Some(format!(
                "its starter turns it at {:.1} rad/s, but it stalls below {stall:.1} rad/s and would never start: give the \
                 starter a higher speed, or a lower `stall`",
                starter.speed
            ));
        }
        let Governor { speed, .. } = governor.filter(|governor| governor.speed <= *idle)?;
        Some(format!(
            "its governor holds {speed:.1} rad/s at full throttle, but it idles at {idle:.1} rad/s: give the governor a \
             speed above `idle`"
        ))
    }

    pub(super) fn initial(&self) -> Memory {
        let mode = if self.runs { EngineMode::Running } else { EngineMode::Off };
        Memory { phase: mode as i64 as f64, ..Memory::default() }
    }

    fn throttle(&self, now: &Now<'_>, memory: &Memory) -> f64 {
        let pedal = now.signal(Signal::Throttle).clamp(0.0, 1.0);
        now.follow(memory.setting, pedal, self.throttle_lag)
    }

    /// Torque of the fuel at a throttle and a speed: that of the table, and the drag that it overcomes [N·m].
    fn burnt(&self, throttle: f64, speed: f64, drag: f64) -> f64 {
        let most = (self.full.at(speed) + drag).max(0.0);
        match &self.map {
            Some(map) => (map.at(speed, throttle) + drag).clamp(0.0, most),
            None => throttle * most,
        }
    }

    pub(super) fn rows(&self, now: &Now<'_>, memory: &Memory, out: &mut RowWriter<'_, '_>) {
        let (speed, mode) = (now.speed(self.shaft), EngineMode::of(memory));
        let drag = self.drag.at(speed.abs()).max(0.0);
        let runs = mode == EngineMode::Running && speed >= 0.0;
        let throttle = if runs { self.throttle(now, memory) } else { 0.0 };
        let most = if runs { self.burnt(1.0, speed, drag) } else { 0.0 };
        let part = if runs { self.burnt(throttle, speed, drag) } else { 0.0 };
        let terms = [(self.shaft, 1.0)];
        let allowed = self.traction_control.map_or(f64::INFINITY, |control| control.limit(now, speed));
        let burn = match self.governor {
            None => speed_row(self.limit.min(allowed), 0.0, [0.0, part], Role::Drive(0)),
            Some(Governor { speed, droop }) => {
                let set = self.idle + throttle * (speed - self.idle);
                speed_row(set.min(allowed), droop / self.full.largest(), [0.0, most], Role::Drive(0))
            }
        };
        out.row(&terms, burn);
        let idles = self.idle > 0.0 && self.governor.is_none();
        let idle = if idles { most - part } else { 0.0 };
        out.row(&terms, speed_row(self.idle, 0.0, [0.0, idle], Role::Drive(0)));
        out.row(&terms, speed_row(0.0, 0.0, [-drag, drag], Role::Resist(0)));
        let starts = if mode == EngineMode::Cranking { self.starter.torque } else { 0.0 };
        out.row(&terms, speed_row(self.starter.speed, 0.0, [0.0, starts], Role::Drive(0)));
    }

    pub(super) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        let (before, speed) = (now.speed(self.shaft), solved.rate(0));
        let mode = EngineMode::of(memory);
        memory.setting = self.throttle(now, memory);
        let burnt = solved.torque(0) + solved.torque(1);
        memory.torque = [burnt, burnt + solved.torque(2) + solved.torque(3)];
        memory.slip = speed;
        memory.wanted = 0.0;
        if mode == EngineMode::Running {
            let power = memory.torque[1].max(0.0) * 0.5 * (before + speed);
            let idles = if burnt > 0.0 { self.fuel.idle } else { 0.0 };
            memory.wanted = (self.fuel.specific * power).max(idles);
            memory.total += memory.wanted * now.kick;
        }
        let ignition = now.signal(Signal::Ignition);
        let next = match mode {
            _ if ignition < 0.5 => EngineMode::Off,
            EngineMode::Running if speed < self.stall => EngineMode::Stalled,
            EngineMode::Running => EngineMode::Running,
            EngineMode::Cranking if memory.timer >= CATCHES => EngineMode::Running,
            _ if ignition > 1.5 => EngineMode::Cranking,
            EngineMode::Cranking => EngineMode::Off,
            same => same,
        };
        let fires = next == EngineMode::Cranking && speed > self.stall;
        memory.timer = if fires { memory.timer + now.h } else { 0.0 };
        memory.phase = next as i64 as f64;
    }
}
