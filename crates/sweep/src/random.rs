//! Seed, column and index of a sample → 64 random bits, and a permutation of 0..n: functions of their arguments alone,
//! so that a sample is known without those before it.
//!
//! ```text
//!  bits(s, c, i) = mix(mix(mix(s + γ) + (c + 1) γ) + (i + 1) γ),   γ = 2⁶⁴/φ, odd
//! ```
//!
//! `mix` is the output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
//! OOPSLA 2014), a bijection of 64 bits. For one seed and column the numbers are therefore those of a SplitMix64
//! generator. The permutation is a Feistel network of four rounds on the smallest square of a power of two that holds
//! n, applied until the result is below n (cycle walking: Black and Rogaway, "Ciphers with arbitrary finite domains",
//! CT-RSA 2002).

/// 2⁶⁴ divided by the golden ratio, odd: the increment of SplitMix64.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Rounds of the network; four make a pseudorandom permutation of a pseudorandom function (Luby and Rackoff 1988).
const ROUNDS: u64 = 4;

fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Random bits of a sample.
pub fn bits(seed: u64, column: u64, index: u64) -> u64 {
    let key = mix(seed.wrapping_add(GAMMA));
    let key = mix(key.wrapping_add(GAMMA.wrapping_mul(column.wrapping_add(1))));
    mix(key.wrapping_add(GAMMA.wrapping_mul(index.wrapping_add(1))))
}

/// A number above 0 and below 1: the middle of one of 2⁵² intervals.
pub fn fraction(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
}

/// Where a permutation of 0..n, selected by seed and column, takes an index below n.
pub fn permuted(seed: u64, column: u64, index: u64, n: u64) -> u64 {
    debug_assert!(index < n);
    // half the bits of the smallest square that holds n
    let mut half = 1;
    while n > 1 << (2 * half) {
        half += 1;
    }
    let mask = (1u64 << half) - 1;
    // columns of their own, so that the network shares no bits with samples
    let round = |k: u64, x: u64| bits(seed, (column + 1) << 32 | (k + 1), x) & mask;
    let mut x = index;
    loop {
        let (mut left, mut right) = (x >> half, x & mask);
        for k in 0..ROUNDS {
            (left, right) = (right, left ^ round(k, right));
        }
        x = left << half | right;
        if x < n {
            return x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The first outputs of SplitMix64 with seed 1234567 (Vigna's reference implementation).
    #[test]
    fn the_bits_are_those_of_splitmix64() {
        let mut state = 1_234_567u64;
        let known = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        for wanted in known {
            state = state.wrapping_add(GAMMA);
            assert_eq!(mix(state), wanted);
        }
    }

    proptest! {
        #[test]
        fn a_permutation_reaches_every_number_once(seed: u64, column in 0u64..50, n in 1u64..3000) {
            let mut seen = vec![false; n as usize];
            for i in 0..n {
                let to = permuted(seed, column, i, n) as usize;
                prop_assert!(!std::mem::replace(&mut seen[to], true));
            }
        }
    }

    #[test]
    fn fractions_are_uniform_and_independent_of_neighbours() {
        // standard errors: mean 1/√(12 n), variance 1/√(180 n), covariance 1/(12 √n)
        let n = 100_000u64;
        let x: Vec<f64> = (0..n).map(|i| fraction(bits(7, 0, i))).collect();
        let y: Vec<f64> = (0..n).map(|i| fraction(bits(7, 1, i))).collect();
        let mean = |f: &dyn Fn(usize) -> f64| (0..n as usize).map(f).sum::<f64>() / n as f64;
        let root = libm::sqrt(n as f64);
        assert!(libm::fabs(mean(&|i| x[i]) - 0.5) < 4.0 / libm::sqrt(12.0) / root);
        let spread = |f: f64| (f - 0.5) * (f - 0.5);
        assert!(libm::fabs(mean(&|i| spread(x[i])) - 1.0 / 12.0) < 4.0 / libm::sqrt(180.0) / root);
        assert!(libm::fabs(mean(&|i| (x[i] - 0.5) * (y[i] - 0.5))) < 4.0 / 12.0 / root);
        let next = mean(&|i| (x[i] - 0.5) * (x[(i + 1) % n as usize] - 0.5));
        assert!(libm::fabs(next) < 4.0 / 12.0 / root);
        assert!(x.iter().all(|x| (0.0..1.0).contains(x) && *x > 0.0));
    }
}
