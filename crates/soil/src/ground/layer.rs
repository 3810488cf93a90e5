//! A layer of a column.
//!
//! ```text
//!  thickness  t = m (1 + e)/(ρ_s A)
//!  joined     m = m₁ + m₂, e so that the thickness stays, p_c the linear function nearest to both in the mean square
//! ```

use super::quanta::Mass;

/// Layers that differ by less in their void ratio are alike.
pub(crate) const ALIKE: f64 = 0.02;

/// A layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Layer {
    /// Dry mass of the grains.
    pub mass: Mass,
    /// Void ratio e.
    pub void_ratio: f64,
    /// Preconsolidation stress at its top and at its bottom [Pa]; soil has borne its own weight in any case.
    pub preconsolidation: [f64; 2],
    /// Index of its soil.
    pub soil: u8,
    /// Whether it has failed or was dumped, and not been compacted since.
    pub remoulded: bool,
}

impl Layer {
    /// Dumped soil.
    pub fn dumped(mass: Mass, void_ratio: f64, soil: u8) -> Layer {
        Layer { mass, void_ratio, preconsolidation: [0.0; 2], soil, remoulded: true }
    }

    /// Whether it may be joined with another without a loss.
    #[inline]
    pub(crate) fn is_like(&self, other: &Layer) -> bool {
        let alike = (self.void_ratio - other.void_ratio).abs() <= ALIKE;
        self.soil == other.soil && self.remoulded == other.remoulded && alike
    }

    /// How different it is from another: differences of kind count more than any of void ratio.
    pub(crate) fn distance(&self, other: &Layer) -> f64 {
        let kind = if self.soil == other.soil { 0.0 } else { 100.0 };
        let state = if self.remoulded == other.remoulded { 0.0 } else { 10.0 };
        kind + state + (self.void_ratio - other.void_ratio).abs()
    }

    /// The preconsolidation stress at a part of its depth (0 at the top, 1 at the bottom) [Pa].
    pub(crate) fn borne_at(&self, part: f64) -> f64 {
        self.preconsolidation[0] + part * (self.preconsolidation[1] - self.preconsolidation[0])
    }

    /// Divides it: the upper part has a mass.
    pub(crate) fn divided(&self, upper: Mass) -> [Layer; 2] {
        let at = self.borne_at(upper.0 as f64 / self.mass.0.max(1) as f64);
        let above = Layer { mass: upper, preconsolidation: [self.preconsolidation[0], at], ..*self };
        let below =
            Layer { mass: self.mass - upper, preconsolidation: [at, self.preconsolidation[1]], ..*self };
        [above, below]
    }

    /// Joins an upper layer and a lower one; the heavier decides on the kind. Densities of grains [kg/m³] keep the
    /// thickness.
    pub(crate) fn joined(upper: &Layer, lower: &Layer, grains: impl Fn(u8) -> f64) -> Layer {
        let mass = upper.mass + lower.mass;
        let same = (upper.void_ratio, upper.preconsolidation, upper.soil)
            == (lower.void_ratio, lower.preconsolidation, lower.soil);
        if mass == Mass::ZERO || same {
            return Layer { mass, ..*lower };
        }
        let heavier = if upper.mass > lower.mass { upper } else { lower };
        let part = upper.mass.0 as f64 / mass.0 as f64;
        let void_ratio = if upper.soil == lower.soil {
            lower.void_ratio + part * (upper.void_ratio - lower.void_ratio)
        } else {
            let volume = |layer: &Layer, part: f64| part * (1.0 + layer.void_ratio) / grains(layer.soil);
            grains(heavier.soil) * (volume(upper, part) + volume(lower, 1.0 - part)) - 1.0
        };
        Layer {
            mass,
            void_ratio,
            preconsolidation: joined_preconsolidation(part, upper.preconsolidation, lower.preconsolidation),
            ..*heavier
        }
    }
}

/// The linear function with the mean and the first moment of two that follow each other; `part` is that of the upper.
fn joined_preconsolidation(part: f64, upper: [f64; 2], lower: [f64; 2]) -> [f64; 2] {
    let rest = 1.0 - part;
    let mid = |line: [f64; 2]| 0.5 * (line[0] + line[1]);
    let mean = part * mid(upper) + rest * mid(lower);
    // twelve times the first moment about the middle: over each part, value × arm and slope × length²/12
    let arms = part * mid(upper) * (0.5 * part - 0.5) + rest * mid(lower) * (0.5 * part);
    let slopes = part * part * (upper[1] - upper[0]) + rest * rest * (lower[1] - lower[0]);
    let rise = 12.0 * arms + slopes;
    let all = [upper[0], upper[1], lower[0], lower[1]];
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(0.0, f64::max);
    [(mean - 0.5 * rise).clamp(low, high), (mean + 0.5 * rise).clamp(low, high)]
}
