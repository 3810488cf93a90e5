//! A spectrum and a seed become frequencies and directions of components.
//!
//! ```text
//! S(ω) ∝ ω⁻⁵ exp(−1.25 (ω_p/ω)⁴) γ^exp(−½((ω − ω_p)/(σ ω_p))²)      σ = 0.07 up to ω_p, 0.09 above
//! D(β) ∝ cos²ˢ((β − β₀)/2)
//! ```
//!
//! The band ½…4 ω_p is cut into N bins of equal energy. The frequency of component i is where the cumulative energy is
//! (i + h)/N, with h a hash of (seed, i) in 0…1: irregular spacing, so that the sea does not repeat. Measuring h by
//! energy instead of by frequency leaves the expected moments of the spectrum unchanged in the wide last bin.
//! Each component has one direction, drawn from D by a hash.

use std::f64::consts::PI;

use super::{Sea, Spectrum};
use crate::hash::{Purpose, uniform};

/// Intervals of the tables of cumulative energy and direction.
const INTERVALS: usize = 16_384;

/// Lowest and highest frequency of the band as multiples of ω_p.
const BAND: [f64; 2] = [0.5, 4.0];

/// Frequencies ω of the components, increasing [rad/s].
pub(super) fn frequencies(sea: &Sea, gamma: f64) -> Vec<f64> {
    let peak = std::f64::consts::TAU / sea.period;
    let table = Cumulative::new(BAND, |ratio| density(ratio, gamma));
    let count = sea.components as f64;
    let place = |i: usize| (i as f64 + uniform(sea.seed, i, Purpose::WaveFrequency)) / count;
    (0..sea.components).map(|i| peak * table.inverse(place(i))).collect()
}

/// Directions β of the components, counter-clockwise from x [rad].
pub(super) fn directions(sea: &Sea) -> Vec<f64> {
    let Some(exponent) = sea.spreading else {
        return vec![sea.direction; sea.components];
    };
    let most = PI.min(10.0 * (2.0 / exponent).sqrt());
    let table =
        Cumulative::new([-most, most], |beta| libm::pow(libm::cos(0.5 * beta).max(0.0), 2.0 * exponent));
    let offset = |i: usize| table.inverse(uniform(sea.seed, i, Purpose::WaveDirection));
    (0..sea.components).map(|i| sea.direction + offset(i)).collect()
}

/// Peak enhancement γ of a sea.
pub(super) fn gamma(sea: &Sea) -> f64 {
    match sea.spectrum {
        Spectrum::PiersonMoskowitz => 1.0,
        Spectrum::Jonswap { gamma: Some(gamma) } => gamma,
        Spectrum::Jonswap { gamma: None } => {
            libm::exp(5.75 - 1.15 * sea.period / sea.height.sqrt()).clamp(1.0, 5.0)
        }
    }
}

/// Spectral density at a frequency ω/ω_p, up to a factor.
fn density(ratio: f64, gamma: f64) -> f64 {
    let width = if ratio <= 1.0 { 0.07 } else { 0.09 };
    let offset = (ratio - 1.0) / width;
    let inverse = 1.0 / ratio;
    let fourth = inverse * inverse * inverse * inverse;
    inverse * fourth * libm::exp(-1.25 * fourth) * libm::pow(gamma, libm::exp(-0.5 * offset * offset))
}

/// The cumulative distribution of a density over a band, by the trapezoidal rule.
struct Cumulative {
    first: f64,
    step: f64,
    sums: Vec<f64>,
}

impl Cumulative {
    fn new([first, last]: [f64; 2], density: impl Fn(f64) -> f64) -> Cumulative {
        let step = (last - first) / INTERVALS as f64;
        let (mut sum, mut before, mut sums) = (0.0, density(first), Vec::with_capacity(INTERVALS + 1));
        sums.push(0.0);
        for i in 1..=INTERVALS {
            let here = density(first + step * i as f64);
            sum += before + here;
            before = here;
            sums.push(sum);
        }
        Cumulative { first, step, sums }
    }

    /// The position up to which the part `share` in 0…1 of the density lies.
    fn inverse(&self, share: f64) -> f64 {
        let target = share * self.sums[INTERVALS];
        let after = self.sums.partition_point(|&sum| sum <= target).clamp(1, INTERVALS);
        let (low, high) = (self.sums[after - 1], self.sums[after]);
        self.first + self.step * ((after - 1) as f64 + (target - low) / (high - low))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Amplitudes, Sea, Spectrum};
    use super::{directions, frequencies, gamma};

    fn sea(components: usize, seed: u64) -> Sea {
        Sea {
            spectrum: Spectrum::Jonswap { gamma: None },
            height: 3.0,
            period: 9.0,
            direction: 0.5,
            spreading: Some(10.0),
            components,
            seed,
            amplitudes: Amplitudes::Equal,
        }
    }

    #[test]
    fn second_moment_is_that_of_the_spectrum() {
        // mean period 2π√(m₀/m₂) of γ = 3.3 over the band: FL18
        let list = frequencies(&sea(10_000, 5), 3.3);
        let second = list.iter().map(|w| w * w).sum::<f64>() / list.len() as f64;
        let period = std::f64::consts::TAU / second.sqrt();
        assert!((period / 7.211_894_9 - 1.0).abs() < 1e-4, "{period}");
        assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn spreading_has_its_standard_deviation() {
        // variance of cos²ˢ(β/2): E[cos β] = s/(s + 1)
        for exponent in [0.0, 1.0, 10.0, 1e5] {
            let list = directions(&Sea { spreading: Some(exponent), ..sea(10_000, 2) });
            let mean = list.iter().map(|b| libm::cos(b - 0.5)).sum::<f64>() / list.len() as f64;
            let difference = mean - exponent / (exponent + 1.0);
            assert!(difference.abs() < 0.02 / (1.0 + exponent / 5.0), "{exponent}: {mean}");
        }
        assert_eq!(directions(&Sea { spreading: None, ..sea(3, 2) }), vec![0.5; 3]);
    }

    #[test]
    fn default_enhancement() {
        let with = |height, period| gamma(&Sea { height, period, ..sea(1, 0) });
        assert_eq!((with(9.0, 9.0), with(1.0, 9.0), with(0.0, 9.0)), (5.0, 1.0, 1.0));
        assert!((with(4.0, 9.0) - libm::exp(5.75 - 1.15 * 4.5)).abs() < 1e-12);
    }
}
