//! Rope in layers on a drum: effective radius and wound length follow from the number of turns.
//!
//!   n(w) layers below turn w,   r = r₀ + rise n,   L = 2π ∫ r dw

use std::f64::consts::TAU;

/// Rope in layers on a drum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Winding {
    /// Turns side by side in a layer, 1 or more.
    pub turns: f64,
    /// Radial distance of a layer from the one below [m].
    pub rise: f64,
    /// Turns on the drum when the rope is added; afterwards those at drum angle 0.
    pub wound: f64,
}

/// Bisections until an interval is as narrow as double precision resolves.
const HALVINGS: usize = 60;

impl Winding {
    /// Number of layers below a given turn. In the last turn of a layer the rope climbs to the next.
    pub fn layer(&self, wound: f64) -> f64 {
        let w = wound.max(0.0);
        let whole = (w / self.turns).floor();
        whole + (w - whole * self.turns - (self.turns - 1.0)).max(0.0)
    }

    /// Length of rope on a drum for a number of turns, 2π ∫ r dw [m].
    pub fn length(&self, radius: f64, wound: f64) -> f64 {
        TAU * (radius * wound + self.rise * self.layers(wound))
    }

    /// Number of turns that a length of rope makes on a drum: the inverse of `length`.
    pub fn turns_of(&self, radius: f64, length: f64) -> f64 {
        // outer turns are longer: the bare drum gives an upper bound of the number of turns
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
        // whole layers 0 … whole − 1, each with its climb, plus the wound part of this one
        0.5 * whole * (whole - 1.0) * n + 0.5 * whole + whole * (w - whole * n) + 0.5 * climbed * climbed
    }
}
