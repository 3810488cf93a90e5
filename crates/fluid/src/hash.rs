//! Random numbers as a hash: SplitMix64 of (seed, component, purpose) becomes a number in 0…1.
//!
//! A component keeps its random numbers when the number of components changes, and no generator has a state.

use windlass_engine::math::split_mix_64 as mixed;

/// What a random number is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    WavePhase = 1,
    WaveFrequency = 2,
    WaveDirection = 3,
    WaveAmplitude = 4,
    GustPhase = 5,
    GustFrequency = 6,
}

/// A number in [0, 1), uniformly distributed, with 53 random bits.
pub(crate) fn uniform(seed: u64, component: usize, purpose: Purpose) -> f64 {
    let bits = mixed(mixed(mixed(seed) ^ component as u64) ^ purpose as u64);
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::{Purpose, uniform};

    #[test]
    fn numbers_are_uniform_and_uncorrelated() {
        let n = 100_000;
        let (mut mean, mut square, mut neighbours, mut purposes) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let x = uniform(7, i, Purpose::WavePhase) - 0.5;
            assert!((-0.5..0.5).contains(&x));
            mean += x / n as f64;
            square += x * x / n as f64;
            neighbours += x * (uniform(7, i + 1, Purpose::WavePhase) - 0.5) / n as f64;
            purposes += x * (uniform(7, i, Purpose::WaveFrequency) - 0.5) / n as f64;
        }
        assert!(mean.abs() < 0.003 && (square - 1.0 / 12.0).abs() < 0.001, "{mean} {square}");
        assert!(neighbours.abs() < 0.001 && purposes.abs() < 0.001, "{neighbours} {purposes}");
    }

    #[test]
    fn seeds_differ() {
        assert_ne!(uniform(1, 0, Purpose::WavePhase), uniform(2, 0, Purpose::WavePhase));
        assert_ne!(uniform(0, 1, Purpose::WavePhase), uniform(1, 0, Purpose::WavePhase));
    }
}
