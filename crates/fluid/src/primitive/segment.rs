//! Integrals over segments of the unit circle.
//!
//! A chord at the distance k of the centre cuts off the segment beyond it, with θ = acos k and σ = √(1 − k²):
//!
//! ```text
//! area S = θ − kσ      ∫ S dk = kθ − σ + ⅓σ³      ∫ k S dk = ½k²θ − ⅛θ − ⅛kσ(1 + 2k²)      ∫ θ dk = kθ − σ
//! ∫ σ dk = ½(kσ − θ)    ∫ kσ dk = −⅓σ³    ∫ k²σ dk = ⅛(kσ(2k² − 1) − θ)    ∫ σ³ dk = ⅛(kσ(5 − 2k²) − 3θ)
//! ```

use std::f64::consts::PI;

/// Nodes in (0, 1) and weights of the Gauss–Legendre rule with eight points, its first half; the rest is symmetric.
const HALF_RULE: [(f64, f64); 4] = [
    (0.019_855_071_751_231_884, 0.050_614_268_145_188_13),
    (0.101_666_761_293_186_63, 0.111_190_517_226_687_24),
    (0.237_233_795_041_835_5, 0.156_853_322_938_943_64),
    (0.408_282_678_752_175_1, 0.181_341_891_689_180_98),
];

/// Nodes and weights of the Gauss–Legendre rule with eight points on (0, 1).
pub(crate) fn gauss() -> impl Iterator<Item = (f64, f64)> {
    HALF_RULE.into_iter().chain(HALF_RULE.into_iter().rev().map(|(x, w)| (1.0 - x, w)))
}

/// Antiderivatives at k; differences of two are integrals.
#[derive(Clone, Copy)]
pub(super) struct Antiderivatives {
    /// Of the area S.
    pub area: f64,
    /// Of k S.
    pub area_moment: f64,
    /// Of θ, half of the arc.
    pub arc: f64,
    /// Of σ, half of the chord.
    pub chord: f64,
    /// Of k σ.
    pub chord_moment: f64,
    /// Of k² σ.
    pub chord_second: f64,
    /// Of σ³.
    pub chord_cubed: f64,
}

impl Antiderivatives {
    /// At k, −1 to 1.
    pub fn at(k: f64) -> Self {
        let theta = libm::acos(k);
        let sigma = ((1.0 - k) * (1.0 + k)).max(0.0).sqrt();
        let (kk, ks, cube) = (k * k, k * sigma, sigma * sigma * sigma);
        Self {
            area: k * theta - sigma + cube / 3.0,
            area_moment: 0.5 * kk * theta - 0.125 * (theta + ks * (1.0 + 2.0 * kk)),
            arc: k * theta - sigma,
            chord: 0.5 * (ks - theta),
            chord_moment: -cube / 3.0,
            chord_second: 0.125 * (ks * (2.0 * kk - 1.0) - theta),
            chord_cubed: 0.125 * (ks * (5.0 - 2.0 * kk) - 3.0 * theta),
        }
    }

    /// Integrals from `a` to `self`.
    pub fn minus(&self, a: &Self) -> Self {
        Self {
            area: self.area - a.area,
            area_moment: self.area_moment - a.area_moment,
            arc: self.arc - a.arc,
            chord: self.chord - a.chord,
            chord_moment: self.chord_moment - a.chord_moment,
            chord_second: self.chord_second - a.chord_second,
            chord_cubed: self.chord_cubed - a.chord_cubed,
        }
    }
}

/// Area of the segment beyond k; π below −1 and 0 above 1.
pub(super) fn area(k: f64) -> f64 {
    if k >= 1.0 {
        0.0
    } else if k <= -1.0 {
        PI
    } else {
        libm::acos(k) - k * ((1.0 - k) * (1.0 + k)).sqrt()
    }
}

/// Half of the arc and area of the segment beyond k = 1 − q², accurate for small q too.
pub(super) fn arc_and_area(q: f64) -> (f64, f64) {
    let theta = 2.0 * libm::asin((q * std::f64::consts::FRAC_1_SQRT_2).min(1.0));
    let area = if theta < 0.3 {
        // ½ (x − sin x) at x = 2θ
        let x = 2.0 * theta;
        let xx = x * x;
        let series = 1.0 - xx / 110.0 * (1.0 - xx / 156.0);
        x * xx / 12.0 * (1.0 - xx / 20.0 * (1.0 - xx / 42.0 * (1.0 - xx / 72.0 * series)))
    } else {
        theta - (1.0 - q * q) * q * (2.0 - q * q).max(0.0).sqrt()
    };
    (theta, area)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ f from a to b by the midpoint rule.
    fn integral(a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 {
        let n = 20_000;
        let h = (b - a) / f64::from(n);
        (0..n).map(|i| f(a + (f64::from(i) + 0.5) * h) * h).sum()
    }

    #[test]
    fn antiderivatives_have_the_right_slopes() {
        let sigma = |k: f64| (1.0 - k * k).sqrt();
        for (a, b) in [(-0.9, -0.2), (-0.5, 0.6), (0.3, 0.95), (-0.99, 0.99)] {
            let d = Antiderivatives::at(b).minus(&Antiderivatives::at(a));
            let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-7, "{x} {y}");
            near(d.area, integral(a, b, area));
            near(d.area_moment, integral(a, b, |k| k * area(k)));
            near(d.arc, integral(a, b, libm::acos));
            near(d.chord, integral(a, b, sigma));
            near(d.chord_moment, integral(a, b, |k| k * sigma(k)));
            near(d.chord_second, integral(a, b, |k| k * k * sigma(k)));
            near(d.chord_cubed, integral(a, b, |k| sigma(k).powi(3)));
        }
    }

    #[test]
    fn small_segments_keep_their_digits() {
        for i in 1..100 {
            let q = 1.2 * f64::from(i) / 100.0;
            let (theta, s) = arc_and_area(q);
            let (t, a) = (libm::acos(1.0 - q * q), area(1.0 - q * q));
            assert!(
                (theta / t - 1.0).abs() < 1e-12 && (s / a - 1.0).abs() < 1e-10,
                "{q} {theta} {t} {s} {a}"
            );
        }
        let (_, tiny) = arc_and_area(1e-6);
        let leading = 4.0 * 2f64.sqrt() / 3.0 * 1e-18; // ⅔ θ³ with θ = √2 q
        assert!((tiny / leading - 1.0).abs() < 1e-11);
    }

    #[test]
    fn gauss_integrates_polynomials() {
        for n in 0..16 {
            let sum: f64 = gauss().map(|(x, w)| w * x.powi(n)).sum();
            assert!((sum * f64::from(n + 1) - 1.0).abs() < 1e-14, "{n} {sum}");
        }
    }
}
