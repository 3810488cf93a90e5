//! A hydrostatic circuit: pumps and motors that share a flow.
//!
//! ```text
//! Σ x V ω/2π over pumps − Σ y V ω/2π over motors = C_l Δp,    |Δp| ≤ p_relief
//! ```
//!
//! The row is multiplied by 2π/V₀, with V₀ the largest displacement, so that its factors are near 1. Its multiplier is
//! −Δp V₀/2π; each unit has the torque Δp x V/2π. Motors in parallel share the pressure like the outputs of a
//! differential. A pump without stroke holds its motors. Memory: `torque[0]` is the multiplier.

use super::{Memory, Now, RowWriter, speed_row};
use crate::signal::Signal;
use std::f64::consts::TAU;
use windlass_engine::prelude::Role;

/// A hydrostatic circuit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hydrostatic {
    /// Its pumps, whose stroke is that of the stroke signal and a share of the steering, times their own.
    pub pumps: Vec<HydrostaticUnit>,
    /// Its motors.
    pub motors: Vec<HydrostaticUnit>,
    /// Pressure at which the relief valves open [Pa].
    pub relief: f64,
    /// Leakage C_l [m³/s/Pa].
    pub leakage: f64,
    /// Share of the steering command in that of the stroke, for skid steering: −1 on the left side, 1 on the right.
    pub steer: f64,
}

/// A pump or motor of a circuit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HydrostaticUnit {
    /// Its shaft.
    pub shaft: usize,
    /// Displacement per revolution [m³].
    pub displacement: f64,
    /// Stroke, −1 to 1.
    pub stroke: f64,
}

impl Hydrostatic {
    /// Pumps and motors.
    pub(super) fn units(&self) -> impl Iterator<Item = &HydrostaticUnit> {
        self.pumps.iter().chain(&self.motors)
    }

    fn largest(&self) -> f64 {
        self.units().fold(0.0, |most: f64, unit| most.max(unit.displacement))
    }

    /// Pressure difference of the last step [Pa].
    pub fn pressure(&self, memory: &Memory) -> f64 {
        -memory.torque[0] * TAU / self.largest()
    }

    /// The shafts of its units, each with its factor in the row.
    pub(super) fn factors(&self, stroke: f64) -> impl Iterator<Item = (usize, f64)> {
        let (largest, stroke) = (self.largest(), stroke.clamp(-1.0, 1.0));
        let factor = move |unit: &HydrostaticUnit| unit.stroke * unit.displacement / largest;
        let pumps = self.pumps.iter().map(move |unit| (unit.shaft, stroke * factor(unit)));
        pumps.chain(self.motors.iter().map(move |unit| (unit.shaft, -factor(unit))))
    }

    pub(super) fn rows(&self, now: &Now<'_>, out: &mut RowWriter<'_, '_>) {
        let largest = self.largest();
        let stroke = now.signal(Signal::Stroke) + self.steer * now.skid;
        let most = self.relief * largest / TAU;
        let loss = self.leakage * (TAU / largest) * (TAU / largest);
        out.sum_row(self.factors(stroke), speed_row(0.0, loss, [-most, most], Role::Resist(0)));
    }
}
