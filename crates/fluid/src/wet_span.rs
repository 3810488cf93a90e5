//! The part of a thin straight cylinder that is under a surface.
//!
//! ζ is the height of the axis above the surface, linear between the ends s = 0 and s = 1. A slice of the cylinder counts
//! as if its axis were level, so that the force on a slice depends on ζ alone and has a potential. With k = ζ/r, θ = acos k
//! and σ = √(1 − k²):
//!
//! ```text
//!  fraction of a slice  φ = (θ − kσ)/π             1 for k < −1, 0 for k > 1
//!  its potential        e = −r (kθ − σ + ⅓σ³)/π    −ζ for k < −1, 0 for k > 1       de/dζ = −φ
//!  f = ∫ φ ds      m = ∫ φ s ds      E = ∫ e ds
//! ```
//!
//! The wet span is the interval of length f about m/f: as φ ≤ 1 it always lies between the ends. Where |k| < 1 the
//! integrals are those of a Gauss rule with eight points, elsewhere they are exact.

use crate::primitive::gauss;
use std::f64::consts::PI;

/// Least radius over which a slice becomes wet [m].
const THINNEST: f64 = 1e-6;

/// Integrals over the wet part of a cylinder of unit length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct WetSpan {
    /// f: the fraction that is wet.
    pub fraction: f64,
    /// m: its first moment about the end s = 0.
    pub moment: f64,
    /// E: potential of its buoyancy over ρ g times its volume [m].
    pub potential: f64,
}

impl WetSpan {
    /// Below a surface, from the heights of both ends of the axis above it and the radius [m].
    pub fn below(ends: [f64; 2], radius: f64) -> WetSpan {
        let radius = radius.max(THINNEST);
        let [low, high] = if ends[0] <= ends[1] { ends } else { [ends[1], ends[0]] };
        if high <= -radius {
            return WetSpan { fraction: 1.0, moment: 0.5, potential: -0.5 * (low + high) };
        }
        if !(low < radius) {
            return WetSpan::default();
        }
        let slope = high - low;
        let [from, to] = [-radius, radius].map(|edge| ((edge - low) / slope).clamp(0.0, 1.0));
        let mut sum = WetSpan {
            fraction: from,
            moment: 0.5 * from * from,
            potential: -from * (low + 0.5 * slope * from),
        };
        for (x, weight) in gauss() {
            let (s, weight) = (from + x * (to - from), weight * (to - from));
            let k = ((low + slope * s) / radius).clamp(-1.0, 1.0);
            let (theta, sigma) = (libm::acos(k), ((1.0 - k) * (1.0 + k)).max(0.0).sqrt());
            let wet = weight * (theta - k * sigma) / PI;
            sum.fraction += wet;
            sum.moment += wet * s;
            sum.potential -= weight * radius * (k * theta - sigma + sigma * sigma * sigma / 3.0) / PI;
        }
        if ends[0] > ends[1] {
            sum.moment = sum.fraction - sum.moment;
        }
        sum
    }

    /// All of it, at heights of its ends above the level to which the potential refers [m].
    pub fn whole(ends: [f64; 2]) -> WetSpan {
        WetSpan { fraction: 1.0, moment: 0.5, potential: -0.5 * (ends[0] + ends[1]) }
    }

    /// Its ends, 0 to 1; none if it is empty. `below` is the span under a lower surface, which does not count.
    pub fn ends(&self, below: &WetSpan) -> Option<[f64; 2]> {
        let fraction = self.fraction - below.fraction;
        if !(fraction > 1e-12) {
            return None;
        }
        let middle = (self.moment - below.moment) / fraction;
        Some([middle - 0.5 * fraction, middle + 0.5 * fraction])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By a fine midpoint rule.
    fn summed(ends: [f64; 2], radius: f64) -> WetSpan {
        let n = 100_000;
        let mut sum = WetSpan::default();
        for i in 0..n {
            let s = (f64::from(i) + 0.5) / f64::from(n);
            let one = WetSpan::below([ends[0] + (ends[1] - ends[0]) * s; 2], radius);
            sum.fraction += one.fraction / f64::from(n);
            sum.moment += s * one.fraction / f64::from(n);
            sum.potential += one.potential / f64::from(n);
        }
        sum
    }

    #[test]
    fn integrals_agree_with_sums() {
        for ends in [[-0.5, 0.3], [0.3, -0.5], [0.02, 0.03], [-0.05, 0.01], [-1.0, -0.2], [0.06, 2.0]] {
            let (a, b) = (WetSpan::below(ends, 0.05), summed(ends, 0.05));
            assert!((a.fraction - b.fraction).abs() < 2e-5, "{ends:?} {a:?} {b:?}");
            assert!((a.moment - b.moment).abs() < 2e-5, "{ends:?} {a:?} {b:?}");
            assert!((a.potential - b.potential).abs() < 2e-6, "{ends:?} {a:?} {b:?}");
        }
        // half of a level cylinder at the surface
        assert!((WetSpan::below([0.0; 2], 0.1).fraction - 0.5).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn spans_lie_between_the_ends(a in -1.0..1.0, b in -1.0..1.0, radius in 1e-4..0.5) {
            let span = WetSpan::below([a, b], radius);
            if let Some([from, to]) = span.ends(&WetSpan::default()) {
                prop_assert!(from > -1e-9 && to < 1.0 + 1e-9 && from <= to, "{from} {to}");
            }
            prop_assert!(span.potential >= -1e-12);
        }

        #[test]
        fn the_force_is_the_slope_of_the_potential(a in -1.0..1.0, b in -1.0..1.0, radius in 0.01..0.5) {
            let (d, at) = (1e-6, |da: f64, db: f64| WetSpan::below([a + da, b + db], radius));
            let span = at(0.0, 0.0);
            let slope = |da: f64, db: f64| (at(da, db).potential - at(-da, -db).potential) / (2.0 * d);
            prop_assert!((slope(d, d) + span.fraction).abs() < 1e-4, "{} {}", slope(d, d), span.fraction);
            prop_assert!((slope(0.0, d) + span.moment).abs() < 1e-4, "{} {}", slope(0.0, d), span.moment);
        }
    }
}
