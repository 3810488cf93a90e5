//! A differential with an optional lock.
//!
//! ```text
//! row 1   ω_in − i (a ω₁ + (1 − a) ω₂) = 0        torques split a : 1 − a; a = ½ for an axle
//! row 2   ω₁ − ω₂ = 0,  |λ| ≤ T_L                 T₁ − T₂ = 2 λ
//! ```
//!
//! T_L is 0 for an open differential, T₀ + q |i T_in| for limited slip, (B − 1)/(B + 1) |i T_in|/2 for a torque bias ratio
//! B, and unbounded for a closed lock. T_in is that of the last step. A lock that is closed at speed is as strong as the
//! lock signal times its torque. Memory: `torque` are those of both rows.

use super::{Memory, Now, RowWriter, friction_row, speed_row};
use crate::signal::Signal;
use windlass_engine::prelude::Role;

/// A differential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differential {
    /// Its input shaft.
    pub input: usize,
    /// Its output shafts.
    pub outputs: [usize; 2],
    /// Speed of the input over the mean of the outputs.
    pub ratio: f64,
    /// Share of the torque that the first output gets.
    pub split: f64,
    /// Its lock.
    pub lock: Lock,
}

/// What keeps the outputs of a differential together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lock {
    /// Nothing.
    Open,
    /// Friction of T₀ + q times the torque of both outputs [N·m].
    LimitedSlip {
        /// T₀ [N·m].
        preload: f64,
        /// q.
        share: f64,
    },
    /// A largest ratio of the torques of the outputs.
    TorqueBias(f64),
    /// Always closed.
    Locked,
    /// Closed by the lock signal, with at most this torque [N·m].
    Switched(f64),
}

impl Differential {
    /// What is wrong with its lock or split, and the remedy.
    pub(super) fn problem(&self) -> Option<String> {
        let bias = match self.lock {
            Lock::TorqueBias(ratio) if !(ratio >= 1.0) => Some(ratio),
            _ => None,
        };
        let split = (!(0.0..=1.0).contains(&self.split)).then_some(self.split);
        bias.map(|ratio| format!("its bias ratio is {ratio}: give 1 or more"))
            .or_else(|| split.map(|split| format!("its split is {split}: give 0 to 1")))
    }

    pub(super) fn rows(&self, now: &Now<'_>, memory: &Memory, out: &mut RowWriter<'_, '_>) {
        let (i, a, [first, second]) = (self.ratio, self.split, self.outputs);
        let terms = [(self.input, 1.0), (first, -i * a), (second, -i * (1.0 - a))];
        let unbounded = [f64::NEG_INFINITY, f64::INFINITY];
        out.row(&terms, speed_row(0.0, 0.0, unbounded, Role::Hold));
        let through = (i * memory.torque[0]).abs();
        let torque = match self.lock {
            Lock::Open => 0.0,
            Lock::LimitedSlip { preload, share } => preload + share * through,
            Lock::TorqueBias(ratio) => (ratio - 1.0) / (ratio + 1.0) * 0.5 * through,
            Lock::Locked => f64::INFINITY,
            Lock::Switched(torque) => torque * now.signal(Signal::Lock).clamp(0.0, 1.0),
        };
        out.row(&[(first, 1.0), (second, -1.0)], friction_row(torque));
    }
}
