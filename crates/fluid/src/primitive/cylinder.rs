//! Slices of a cylinder → volume, moments, wet side and water plane.
//!
//! The slice at s along the axis t is a disc of radius r. In it the axis passes c(s) = (z + s t_z)/n above the water
//! line, with n = √(1 − t_z²). A slice with c ≤ −r is wet, one with c ≥ r is dry, and between them the segment below the
//! chord at c = k r is wet. From s_a to s_b, where slices are cut,
//!
//! ```text
//! V = ∫ r² S(k) ds      ∫ s dV = ∫ s r² S ds      ∫ y dV = −∫ ⅔ r³ σ³ ds      side = ∫ 2 r θ ds
//! A_w = ∫ 2 r σ ds/n    X = (s + z t_z)/n = (c − z n)/t_z    ∫ X² dA = ∫ X² 2 r σ ds/n    ∫ w² dA = ∫ ⅔ r³ σ³ ds/n
//! ```
//!
//! with y upward in the slice, X along the water plane and w across it. As ds = r n/t_z dk, these are closed forms. They
//! are 0/0 where the axis is level and lose digits where little is wet, so for k_b − k_a < ¼ they are replaced by
//! Gauss' rule in q = √(1 ∓ k), in which the integrands are analytic; both agree to about 1e-13.

use glam::DVec3;

use super::segment::{Antiderivatives, arc_and_area, area, gauss};
use super::{PlaneMoments, Sums, Tilt};
use std::f64::consts::PI;

/// Range of k above which closed forms are used.
const CLOSED_FORM_ABOVE: f64 = 0.25;

/// The slices between s_a and s_b, which the surface cuts at k_a to k_b.
struct Zone {
    s: [f64; 2],
    k: [f64; 2],
    /// Position of the first chord along the water plane.
    x: f64,
}

/// Integrals over the cut slices: of area, s · area, σ³ and θ over s, and the water plane.
#[derive(Default)]
struct CutSlices {
    volume: f64,
    along: f64,
    across: f64,
    side: f64,
    plane: PlaneMoments,
}

/// Adds the volume between the flat ends, with its wet side and water plane.
pub(super) fn add_side(tilt: &Tilt, r: f64, l: f64, sums: &mut Sums) {
    let (n, rise, z) = (tilt.level, tilt.rise, tilt.height);
    let k = |s: f64| (z + s * rise) / (n * r);
    let (low, high) = (k(-l), k(l));
    if !(l > 0.0) || low >= 1.0 {
        return;
    }
    // an axis that crosses the surface is not level, so that rise is not 0 where it divides
    let start = if high <= -1.0 {
        l
    } else if low < -1.0 {
        ((-r * n - z) / rise).clamp(-l, l)
    } else {
        -l
    };
    let full = start + l;
    sums.volume += PI * r * r * full;
    sums.moment += PI * r * r * full * 0.5 * (start - l) * tilt.axis;
    sums.wet_area += 2.0 * PI * r * full;
    if high <= -1.0 {
        return;
    }

    let end = if high > 1.0 { ((r * n - z) / rise).clamp(start, l) } else { l };
    let k = [low.max(-1.0), high.min(1.0)];
    let x = if rise > n { (k[0] * r - z * n) / rise } else { (start + z * rise) / n };
    let zone = Zone { s: [start, end], k, x };
    let cut =
        if k[1] - k[0] >= CLOSED_FORM_ABOVE { zone.closed_form(tilt, r) } else { zone.quadrature(tilt, r) };
    let up = n * DVec3::Z - rise * tilt.forward;
    sums.volume += cut.volume;
    sums.moment += cut.along * tilt.axis + cut.across * up;
    sums.wet_area += cut.side;
    sums.plane.add(&cut.plane, 0.0);
}

/// Adds the wet parts of the flat ends to the wet area.
pub(super) fn add_ends(tilt: &Tilt, r: f64, l: f64, sums: &mut Sums) {
    for s in [-l, l] {
        sums.wet_area += r * r * area((tilt.height + s * tilt.rise) / (tilt.level * r));
    }
}

impl Zone {
    fn closed_form(&self, tilt: &Tilt, r: f64) -> CutSlices {
        let (n, rise) = (tilt.level, tilt.rise);
        let [a, b] = self.k.map(Antiderivatives::at);
        let d = b.minus(&a);
        let k = self.k[0];
        let step = r * n / rise; // ds/dk
        let volume = step * r * r * d.area;
        // chords at X = x + reach (k − k_a)
        let reach = r / rise;
        let chords = 2.0 * r * reach;
        let first = d.chord_moment - k * d.chord;
        let second = d.chord_second - k * (2.0 * d.chord_moment - k * d.chord);
        let from_first = PlaneMoments {
            area: chords * d.chord,
            along: chords * reach * first,
            along_along: chords * reach * reach * second,
            across_across: r * r * chords * d.chord_cubed / 3.0,
        };
        let mut plane = PlaneMoments::default();
        plane.add(&from_first, self.x);
        CutSlices {
            volume,
            along: self.s[0] * volume + step * step * r * r * (d.area_moment - k * d.area),
            across: -2.0 / 3.0 * r * r * r * step * d.chord_cubed,
            side: 2.0 * r * step * d.arc,
            plane,
        }
    }

    fn quadrature(&self, tilt: &Tilt, r: f64) -> CutSlices {
        let (n, rise) = (tilt.level, tilt.rise);
        let mut sum = CutSlices::default();
        // q² = 1 − k near the dry end, 1 + k near the wet one
        let near_dry = self.k[0] + self.k[1] >= 0.0;
        let [qa, qb] = self.k.map(|k| (if near_dry { 1.0 - k } else { 1.0 + k }).max(0.0).sqrt());
        if !(qa + qb > 0.0) {
            return sum;
        }
        let length = self.s[1] - self.s[0];
        let reach = if rise > n { r * (self.k[1] - self.k[0]) / rise } else { length / n };
        for (node, weight) in gauss() {
            let q = qa + (qb - qa) * node;
            let part = node * (qa + q) / (qa + qb); // s is quadratic in q
            let weight = weight * 2.0 * q / (qa + qb);
            let (arc, segment) = arc_and_area(q);
            let (arc, segment) = if near_dry { (arc, segment) } else { (PI - arc, PI - segment) };
            let sigma = q * (2.0 - q * q).sqrt();
            let (s, x) = (self.s[0] + length * part, self.x + reach * part);
            let cubed = 2.0 / 3.0 * r * r * r * sigma * sigma * sigma;
            sum.volume += weight * length * r * r * segment;
            sum.along += weight * length * r * r * segment * s;
            sum.across -= weight * length * cubed;
            sum.side += weight * length * 2.0 * r * arc;
            let chord = weight * reach * 2.0 * r * sigma;
            sum.plane.area += chord;
            sum.plane.along += chord * x;
            sum.plane.along_along += chord * x * x;
            sum.plane.across_across += weight * reach * cubed;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(c: &CutSlices) -> [f64; 8] {
        let p = &c.plane;
        [c.volume, c.along, c.across, c.side, p.area, p.along, p.along_along, p.across_across]
    }

    proptest! {
        #[test]
        fn closed_form_and_quadrature_agree(middle in -1.0..1.0f64, range in 0.15..0.4f64, rise in 0.02..0.9999f64) {
            let k = [(middle - 0.5 * range).max(-1.0), (middle + 0.5 * range).min(1.0)];
            prop_assume!(k[1] - k[0] > 0.15);
            let (r, n) = (0.3, (1.0 - rise * rise).sqrt());
            let step = r * n / rise;
            let s0 = -0.4 * step * range;
            let height = r * n * k[0] - s0 * rise;
            let tilt = Tilt { axis: DVec3::Z, forward: DVec3::X, rise, level: n, height };
            let zone = Zone { s: [s0, s0 + step * (k[1] - k[0])], k, x: (s0 + height * rise) / n };
            let (a, b) = (list(&zone.closed_form(&tilt, r)), list(&zone.quadrature(&tilt, r)));
            let (l, x) = (step, r / rise);
            let scale = [r * r * l, r * r * l * l, r * r * r * l, r * l, r * x, r * x * x, r * x * x * x, r * r * r * x];
            for i in 0..8 {
                prop_assert!((a[i] - b[i]).abs() < 2e-12 * scale[i], "{i} {} {}", a[i], b[i]);
            }
        }
    }
}
