//! Rope on a drum, layer upon layer: its radius and its length follow from the turns that are wound.
//!
//!   n(w) layers below turn w,   r = r₀ + rise n,   L = 2π ∫ r dw

use std::f64::consts::TAU;

/// Rope on a drum, layer upon layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Winding {
    /// Turns beside each other in a layer, 1 or more.
    pub turns: f64,
    /// By how much a layer is farther out than the one below [m].
    pub rise: f64,
    /// Turns on the drum when the rope is added; then those at the mark's angle 0.
    pub wound: f64,
}

/// Halvings of an interval until it is as narrow as a number is exact.
const HALVINGS: usize = 60;

impl Winding {
    /// How many layers lie below a turn. The last turn of a layer climbs to the next.
    pub fn layer(&self, wound: f64) -> f64 {
        let w = wound.max(0.0);
        let whole = (w / self.turns).floor();
        whole + (w - whole * self.turns - (self.turns - 1.0)).max(0.0)
    }

    /// Rope on a drum of a radius at so many turns, 2π ∫ r dw [m].
    pub fn length(&self, radius: f64, wound: f64) -> f64 {
        TAU * (radius * wound + self.rise * self.layers(wound))
    }

    /// The turns that so much rope makes on a drum of a radius: `length` the other way round.
    pub fn turns_of(&self, radius: f64, length: f64) -> f64 {
        // outer turns are longer, so that on the bare drum it would be as many turns or more
        let (mut low, mut high) = (0.0, length / (TAU * radius));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.length(radius, middle) < length { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// ∫ layer dw from 0.
    pub(super) fn layers(&self, wound: f64) -> f64 {
        let w = wound.max(0.0);
        let n = self.turns;
        let whole = (w / n).floor();
        let climbed = (w - whole * n - (n - 1.0)).max(0.0);
        // whole layers 0 … whole − 1, each with its climb, and this one as far as it is wound
        0.5 * whole * (whole - 1.0) * n + 0.5 * whole + whole * (w - whole * n) + 0.5 * climbed * climbed
    }
}
