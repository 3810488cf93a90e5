//! A friction clutch: ω_a − ω_b = 0 with |λ| ≤ T(pedal).
//!
//! ```text
//! T = T_max (1 − x)²,    x = (pedal − p₁)/(p₂ − p₁) within 0 and 1
//! T = T_max s            of a power take-off, with its signal s
//! ```
//!
//! with p₁ and p₂ the pedal positions at which it transmits all and nothing. Memory: `slip`, and `total` the heat.

use super::{ComponentRows, Memory, Now, RowWriter, friction_row, heat};
use crate::signal::Signal;

/// A friction clutch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clutch {
    /// Its input and output shaft.
    pub shafts: [usize; 2],
    /// Largest torque that it transmits [N·m].
    pub torque: f64,
    /// What engages it.
    pub control: ClutchControl,
}

/// What engages a clutch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClutchControl {
    /// The clutch pedal, with the positions at which it transmits all and nothing.
    Pedal([f64; 2]),
    /// The signal of the power take-off: 0 open, 1 closed.
    PowerTakeOff,
}

impl Clutch {
    pub(super) fn rows(&self, now: &Now<'_>, out: &mut RowWriter<'_, '_>) {
        let torque = match self.control {
            ClutchControl::Pedal([all, nothing]) => {
                let released = ((now.signal(Signal::Clutch) - all) / (nothing - all)).clamp(0.0, 1.0);
                self.torque * (1.0 - released) * (1.0 - released)
            }
            ClutchControl::PowerTakeOff => self.torque * now.signal(Signal::PowerTakeOff).clamp(0.0, 1.0),
        };
        out.row(&[(self.shafts[0], 1.0), (self.shafts[1], -1.0)], friction_row(torque));
    }

    pub(super) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        let before = now.speed(self.shafts[0]) - now.speed(self.shafts[1]);
        memory.total += heat(now, before, solved, 0);
        memory.slip = solved.rate(0);
    }
}
