//! A hydrodynamic torque converter with an optional lock-up clutch.
//!
//! ```text
//! T_p = C(ν) ω_p²,    C = 1/K(ν)²,    T_t = μ(ν) T_p,    ν = ω_t/ω_p
//! row 1   s = ω_p − μ ω_t,  secant damper of T_p              power lost T_p s ≥ 0 because μν ≤ 1
//! row 2   ω_p − ω_t = 0,  |λ| ≤ T_lock                        lock-up
//! ```
//!
//! Spins are relative to the housing, which therefore gets T_t − T_p. Beyond ν = 1 the turbine drives the pump: μ = 1 and
//! C(2 − ν). A table that ends with C(1) > 0 makes the row dry friction there. Memory: `slip` is ω_p − μ ω_t, `total` the
//! heat; `torque` are those of pump and lock-up.

use super::{ComponentRows, Memory, Now, RowWriter, friction_row, heat, secant_row};
use crate::table::Table;

/// A torque converter.
#[derive(Clone, Debug, PartialEq)]
pub struct Converter {
    /// Shaft of the pump, on the side of the engine.
    pub pump: usize,
    /// Shaft of the turbine.
    pub turbine: usize,
    /// Capacity factor K over the speed ratio [rad/s/√(N·m)].
    pub capacity: Table,
    /// Torque ratio μ over the speed ratio.
    pub ratio: Table,
    /// Lock-up clutch.
    pub lock_up: Option<LockUp>,
}

/// Lock-up clutch of a torque converter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LockUp {
    /// Largest torque [N·m].
    pub torque: f64,
    /// Speed ratio from which on it closes.
    pub ratio: f64,
    /// Least speed of the turbine at which it is closed [rad/s]: above idle, which would drive the vehicle through it.
    pub speed: f64,
}

impl LockUp {
    fn is_closed(&self, pump: f64, turbine: f64) -> bool {
        pump > 0.0 && turbine > self.ratio * pump && turbine > self.speed
    }
}

impl Converter {
    /// Torque ratio and torque of the pump [N·m].
    pub(super) fn law(&self, pump: f64, turbine: f64) -> (f64, f64) {
        if pump == 0.0 {
            // a turning turbine drives a resting pump as a coupling
            let k = self.capacity.at(0.0);
            return (1.0, turbine * turbine / (k * k));
        }
        let nu = turbine / pump;
        let (nu, ratio) =
            if nu > 1.0 { ((2.0 - nu).max(0.0), 1.0) } else { (nu.max(0.0), self.ratio.at(nu)) };
        let k = self.capacity.at(nu);
        (ratio, pump * pump / (k * k))
    }

    /// What is wrong with its tables, and the remedy.
    pub(super) fn problem(&self) -> Option<String> {
        if let Some((nu, k)) = self.capacity.points().iter().find(|(_, k)| !(*k > 0.0)) {
            return Some(format!(
                "its capacity factor at the speed ratio {nu} is {k}: give a positive number"
            ));
        }
        // beyond a ratio of 1 it is a coupling
        let active = |nu: &f64| *nu <= 1.0 && self.ratio.at(*nu) * nu > 1.0 + 1e-9;
        let nu = self.ratio.points().iter().map(|(nu, _)| *nu).find(active)?;
        let efficiency = 100.0 * self.ratio.at(nu) * nu;
        Some(format!(
            "its efficiency at the speed ratio {nu} is {efficiency:.1} %: give a smaller torque ratio"
        ))
    }

    pub(super) fn rows(&self, now: &Now<'_>, out: &mut RowWriter<'_, '_>) {
        let (pump, turbine) = (now.speed(self.pump), now.speed(self.turbine));
        let (ratio, torque) = self.law(pump, turbine);
        out.row(&[(self.pump, 1.0), (self.turbine, -ratio)], secant_row(torque, pump - ratio * turbine));
        let closed = self.lock_up.filter(|lock| lock.is_closed(pump, turbine));
        let row = friction_row(closed.map_or(0.0, |lock| lock.torque));
        out.row(&[(self.pump, 1.0), (self.turbine, -1.0)], row);
    }

    pub(super) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        let (pump, turbine) = (now.speed(self.pump), now.speed(self.turbine));
        let (ratio, _) = self.law(pump, turbine);
        memory.total += heat(now, pump - ratio * turbine, solved, 0) + heat(now, pump - turbine, solved, 1);
        memory.slip = solved.rate(0);
    }
}
