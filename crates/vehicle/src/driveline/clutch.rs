//! A friction clutch: ω_a − ω_b = 0 with |λ| ≤ T(pedal).
//!
//! ```text
//! T = T_max (1 − x)²,    x = (pedal − p₁)/(p₂ − p₁) within 0 and 1
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
    /// Pedal positions at which it transmits all and nothing.
    pub bite: [f64; 2],
}

impl Clutch {
    pub(super) fn rows(&self, now: &Now<'_>, out: &mut RowWriter<'_, '_>) {
        let [all, nothing] = self.bite;
        let released = ((now.signal(Signal::Clutch) - all) / (nothing - all)).clamp(0.0, 1.0);
        let torque = self.torque * (1.0 - released) * (1.0 - released);
        out.row(&[(self.shafts[0], 1.0), (self.shafts[1], -1.0)], friction_row(torque));
    }

    pub(super) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        let before = now.speed(self.shafts[0]) - now.speed(self.shafts[1]);
        memory.total += heat(now, before, solved, 0);
        memory.slip = solved.rate(0);
    }
}
