//! Compression in one dimension, and the stress below a loaded patch.
//!
//! ```text
//!  p ≤ p_c   e = e − κ ln(p'/p)                            reload line
//!  p > p_c   e = e − κ ln(p_c/p) − λ ln(p'/p_c), p_c ← p'  virgin line           λ = C_c / 2.303
//!  layer     Δt = t (e₀ − e₁)/(1 + e₀)
//!  2:1 method   σ(z) = q B L / ((B + z)(L + z))
//! ```
//!
//! p is the vertical effective stress, p_c the preconsolidation stress. Schofield and Wroth 1968, *Critical State Soil
//! Mechanics*. Within a layer p and p_c are linear in depth, so that the integral of ln(p/p_c) is closed.

/// Slopes of the virgin and the reload line in e over ln p.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compression {
    /// λ of the virgin line.
    pub lambda: f64,
    /// κ of the reload line.
    pub kappa: f64,
}

/// Void ratio, stress and preconsolidation stress of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Consolidation {
    /// Void ratio.
    pub void_ratio: f64,
    /// Vertical effective stress [Pa].
    pub stress: f64,
    /// Preconsolidation stress [Pa].
    pub preconsolidation: f64,
}

impl Compression {
    /// The state after the stress has changed to another [Pa], both above 0.
    pub fn load(&self, from: Consolidation, stress: f64) -> Consolidation {
        let elastic = from.preconsolidation.min(stress).max(f64::MIN_POSITIVE);
        let mut void_ratio = from.void_ratio - self.kappa * libm::log(elastic / from.stress);
        if stress > from.preconsolidation {
            void_ratio -= self.lambda * libm::log(stress / elastic);
        }
        Consolidation { void_ratio, stress, preconsolidation: from.preconsolidation.max(stress) }
    }
}

/// A load on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Vertical stress on the surface [Pa].
    pub stress: f64,
    /// Shorter side of the patch [m]; infinite for a load all over.
    pub width: f64,
    /// Longer side of the patch [m].
    pub length: f64,
}

impl Load {
    /// A load all over the ground.
    pub fn everywhere(stress: f64) -> Load {
        Load { stress, width: f64::INFINITY, length: f64::INFINITY }
    }

    /// Vertical stress at a depth below the patch [Pa], spread 2:1.
    pub fn at(&self, depth: f64) -> f64 {
        let along = |side: f64| if side.is_finite() { side / (side + depth) } else { 1.0 };
        self.stress * along(self.width) * along(self.length)
    }
}

/// A stress that is linear over the depth of a layer, by its values at the top and at the bottom [Pa].
pub(crate) type Line = [f64; 2];

/// Stress that soil at the surface has borne [Pa], added to all others: the weight of 5 mm.
const LEAST_STRESS: f64 = 70.0;

/// The mean over a layer of ln(p/c) where p > c; both lines are at least 0.
pub(crate) fn mean_log_excess(p: Line, c: Line) -> f64 {
    let [p, c] = [p, c].map(|line| line.map(|stress| stress + LEAST_STRESS));
    let over = [p[0] - c[0], p[1] - c[1]];
    if over[0] <= 0.0 && over[1] <= 0.0 {
        return 0.0;
    }
    // the part of the layer in which p > c, from its top
    let (from, to) = if over[0] > 0.0 && over[1] >= 0.0 {
        (0.0, 1.0)
    } else if over[0] > 0.0 {
        (0.0, over[0] / (over[0] - over[1]))
    } else {
        (over[0] / (over[0] - over[1]), 1.0)
    };
    let part = |line: Line| [line[0] + from * (line[1] - line[0]), line[0] + to * (line[1] - line[0])];
    (to - from) * (mean_log(part(p)) - mean_log(part(c))).max(0.0)
}

/// The mean of ln x for x from a to b: (b ln b − a ln a)/(b − a) − 1.
fn mean_log([a, b]: Line) -> f64 {
    // the difference loses its digits where a ≈ b; the midpoint errs by ((b − a)/a)²/24 there
    if (b - a).abs() < 1e-4 * a {
        return libm::log(0.5 * (a + b));
    }
    (b * libm::log(b) - a * libm::log(a)) / (b - a) - 1.0
}
