//! Varied keys and the index of a row → the values of the row, without those of other rows.
//!
//! ```text
//!  index = g · N + i      g counts the grid, its last key fastest;  i < N is the sample, the same at every g
//!  u     = random(seed, c, i)                                           "random"
//!        = (permutation(seed, c, i) + random(seed, c, i)) / N           "latin-hypercube": one sample per 1/N
//!        = sobol(c, i) ⊕ random(seed, c), as binary fractions           "sobol": digital shift
//!  value = quantile of the distribution of sampled key c at u
//! ```
//!
//! Every point of the grid gets the same samples, so that differences between points are those of the grid.

use crate::error::SweepError;
use crate::random::{bits, fraction, permuted};
use crate::sobol;
use crate::value::Setting;
use crate::vary::{Values, Vary};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Largest number of rows.
const MOST: u64 = 1_000_000_000;

/// How samples are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Independent samples.
    #[default]
    Random,
    /// One sample in each of N intervals of equal probability, for every key.
    LatinHypercube,
    /// The Sobol sequence; evenest for a power of two.
    Sobol,
}

impl Method {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Random => "random",
            Method::LatinHypercube => "latin-hypercube",
            Method::Sobol => "sobol",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Method, SweepError> {
        let all = [Method::Random, Method::LatinHypercube, Method::Sobol];
        all.into_iter().find(|method| method.name() == text).ok_or_else(|| {
            SweepError::within(text, "no such method", "give random, latin-hypercube or sobol")
        })
    }
}

/// All rows of a sweep, by index.
#[derive(Clone, Debug)]
pub struct Space {
    varies: Vec<Vary>,
    /// Samples at each point of the grid; 1 without sampled keys.
    samples: u64,
    method: Method,
    seed: u64,
    len: u64,
    /// Of each sampled key, for Sobol.
    directions: Vec<[u32; 32]>,
}

impl Space {
    /// The rows of varied keys. All errors are returned at once.
    pub fn new(
        varies: Vec<Vary>,
        samples: Option<u64>,
        method: Method,
        seed: u64,
    ) -> Result<Space, Vec<SweepError>> {
        let mut errors = Vec::new();
        let mut fail = |message: &str, help: &str| errors.push(SweepError::new(message, help));
        let mut keys = BTreeSet::new();
        if let Some(twice) = varies.iter().find(|vary| !keys.insert(vary.key.as_str())) {
            fail(&format!("{} is varied twice", twice.key), "put all its values into one entry");
        }
        let sampled = varies.iter().filter(|vary| vary.is_sampled()).count();
        match samples {
            None if sampled > 0 => {
                fail("a key is sampled, and no number of samples is given", "give --sample N")
            }
            Some(_) if sampled == 0 => {
                fail(
                    "a number of samples is given, and no key is sampled",
                    "write a key as KEY~uniform(a, b)",
                );
            }
            Some(n) if !(1..=MOST).contains(&n) => {
                fail(&format!("{n} samples"), &format!("give 1 to {MOST}"));
            }
            _ => {}
        }
        if method == Method::Sobol && sampled > sobol::DIMENSIONS {
            let most = sobol::DIMENSIONS;
            fail(
                &format!("{sampled} keys are sampled by sobol"),
                &format!("sample at most {most}, or use latin-hypercube"),
            );
        }
        let samples = samples.unwrap_or(1);
        let grid = varies.iter().map(|vary| match &vary.values {
            Values::Each(list) => list.len() as u64,
            Values::Sampled(_) => 1,
        });
        let len = grid.fold(samples, u64::saturating_mul);
        if len > MOST {
            fail(&format!("the sweep has {len} rows or more"), &format!("give at most {MOST}"));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let directions = match method {
            Method::Sobol => (0..sampled).map(sobol::directions).collect(),
            _ => Vec::new(),
        };
        Ok(Space { varies, samples, method, seed, len, directions })
    }

    /// Number of rows.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The varied keys.
    pub fn varies(&self) -> &[Vary] {
        &self.varies
    }

    /// The values of a row, in the order of the keys.
    pub fn settings(&self, index: u64) -> Vec<Setting> {
        let (mut grid, sample) = (index / self.samples, index % self.samples);
        let mut column = self.varies.iter().filter(|vary| vary.is_sampled()).count();
        let mut settings: Vec<Setting> = Vec::with_capacity(self.varies.len());
        // the last key first: it changes fastest
        for vary in self.varies.iter().rev() {
            settings.push(match &vary.values {
                Values::Each(list) => {
                    let place = grid % list.len() as u64;
                    grid /= list.len() as u64;
                    list[place as usize].clone()
                }
                Values::Sampled(distribution) => {
                    column -= 1;
                    distribution.at(self.probability(column, sample), &vary.unit)
                }
            });
        }
        settings.reverse();
        settings
    }

    /// The probability of a sample of a sampled key.
    fn probability(&self, column: usize, sample: u64) -> f64 {
        let c = column as u64;
        match self.method {
            Method::Random => fraction(bits(self.seed, c, sample)),
            Method::LatinHypercube => {
                let stratum = permuted(self.seed, c, sample, self.samples) as f64;
                let share = fraction(bits(self.seed, c, sample));
                // the sum rounds to the next interval only for shares within round-off of 1
                ((stratum + share) / self.samples as f64).min(1.0 - f64::EPSILON / 2.0)
            }
            Method::Sobol => {
                let point = u64::from(sobol::coordinate(&self.directions[column], sample));
                // one shift for all samples of a key, below the resolution of the points as well
                fraction((point << 32) ^ bits(self.seed, c, u64::MAX))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Cell;

    fn space(texts: &[&str], samples: Option<u64>, method: Method, seed: u64) -> Space {
        let varies = texts.iter().map(|text| Vary::parse(text).unwrap()).collect();
        Space::new(varies, samples, method, seed).unwrap_or_else(|e| panic!("{e:?}"))
    }

    fn numbers(space: &Space, index: u64) -> Vec<f64> {
        let number = |one: Setting| match one.cell {
            Cell::Number(x) => x,
            Cell::Text(text) => panic!("{text}"),
        };
        space.settings(index).into_iter().map(number).collect()
    }

    #[test]
    fn grids_cross_and_the_last_key_is_fastest() {
        let space = space(&["a=[1, 2]", "b=[10, 20, 30]"], None, Method::Random, 0);
        assert_eq!(space.len(), 6);
        let all: Vec<_> = (0..6).map(|i| numbers(&space, i)).collect();
        assert_eq!(all[0], [1.0, 10.0]);
        assert_eq!(all[1], [1.0, 20.0]);
        assert_eq!(all[3], [2.0, 10.0]);
        assert_eq!(all[5], [2.0, 30.0]);
    }

    #[test]
    fn every_point_of_the_grid_has_the_same_samples() {
        for method in [Method::Random, Method::LatinHypercube, Method::Sobol] {
            let space = space(&["x~normal(0, 1)", "a=[1, 2]", "y~uniform(0, 1)"], Some(8), method, 3);
            assert_eq!(space.len(), 16);
            for i in 0..8 {
                let (one, two) = (numbers(&space, i), numbers(&space, i + 8));
                assert_eq!((one[0], one[1], one[2]), (two[0], 1.0, two[2]));
                assert_eq!(two[1], 2.0);
            }
        }
    }

    #[test]
    fn a_latin_hypercube_has_one_sample_per_interval() {
        for n in [1, 2, 7, 64, 1000] {
            let space = space(&["a~uniform(0, 1)", "b~uniform(0, 1)"], Some(n), Method::LatinHypercube, n);
            for key in 0..2 {
                let mut cells: Vec<_> = (0..n).map(|i| (numbers(&space, i)[key] * n as f64) as u64).collect();
                cells.sort_unstable();
                assert!(cells.iter().enumerate().all(|(i, cell)| i as u64 == *cell), "{n}");
            }
        }
    }

    /// A digital shift permutes the intervals of a power of two, so each keeps its one point.
    #[test]
    fn shifted_sobol_points_stay_one_per_interval() {
        for seed in 0..5 {
            let space = space(&["a~uniform(0, 1)", "b~uniform(0, 1)"], Some(256), Method::Sobol, seed);
            let points: Vec<_> = (0..256).map(|i| numbers(&space, i)).collect();
            // elementary intervals 2^-k × 2^-(8-k) of the first two dimensions, which form a (0, 2)-sequence
            for k in 0..=8 {
                let (across, up) = (1u32 << k, 1u32 << (8 - k));
                let place =
                    |p: &Vec<f64>| (p[0] * f64::from(across)) as u32 * up + (p[1] * f64::from(up)) as u32;
                let mut cells: Vec<_> = points.iter().map(place).collect();
                cells.sort_unstable();
                assert!(cells.iter().enumerate().all(|(i, cell)| i as u32 == *cell), "{seed}, {k}");
            }
        }
    }

    /// Mean and variance of every distribution with every method, against closed forms.
    #[test]
    fn samples_have_the_moments_of_their_distribution() {
        let n = 4096u64;
        let s = 0.4f64;
        let grown = libm::exp(s * s / 2.0);
        let cases = [
            ("x~uniform(2, 6)", 4.0, 16.0 / 12.0),
            ("x~normal(3, 2)", 3.0, 4.0),
            // e^(s²/2) and (e^(s²) − 1) e^(s²) times powers of the median
            ("x~lognormal(5, 0.4)", 5.0 * grown, 25.0 * (grown * grown - 1.0) * grown * grown),
            ("x~choice(1, 2, 6)", 3.0, 14.0 / 3.0),
        ];
        for (text, mean, variance) in cases {
            for method in [Method::Random, Method::LatinHypercube, Method::Sobol] {
                let space = space(&[text], Some(n), method, 11);
                let x: Vec<_> = (0..n).map(|i| numbers(&space, i)[0]).collect();
                let got = x.iter().sum::<f64>() / n as f64;
                let spread = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
                // standard error of the mean of independent samples; the others are at least ten times as good
                let error = libm::sqrt(variance / n as f64);
                let factor = if method == Method::Random { 4.0 } else { 0.1 };
                assert!((got - mean).abs() < factor * error, "{text}, {method}: mean {got}");
                // kurtosis below 6 in all cases: the standard error of the variance is below √(5/n) of it
                let factor = if method == Method::Random { 4.0 } else { 1.0 };
                let bound = factor * variance * libm::sqrt(5.0 / n as f64);
                assert!((spread - variance).abs() < bound, "{text}, {method}: variance {spread}");
            }
        }
    }

    #[test]
    fn seeds_differ_and_repeat() {
        for method in [Method::Random, Method::LatinHypercube, Method::Sobol] {
            let of = |seed| numbers(&space(&["a~uniform(0, 1)"], Some(16), method, seed), 5);
            assert_eq!(of(1), of(1));
            assert_ne!(of(1), of(2));
        }
    }

    #[test]
    fn contradictions_are_named() {
        let errors = |texts: &[&str], samples, method| {
            let varies = texts.iter().map(|text| Vary::parse(text).unwrap()).collect();
            let errors = Space::new(varies, samples, method, 0).expect_err("wrong");
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        assert!(errors(&["a=[1]", "a=[2]"], None, Method::Random).contains("a is varied twice"));
        assert!(errors(&["a~uniform(0, 1)"], None, Method::Random).contains("give --sample N"));
        assert!(errors(&["a=[1]"], Some(3), Method::Random).contains("no key is sampled"));
        assert!(errors(&["a~uniform(0, 1)"], Some(0), Method::Random).contains("0 samples"));
        assert!(errors(&["a=0..1:1000000", "b=0..1:1000000"], None, Method::Random).contains("rows or more"));
        let many: Vec<_> = (0..33).map(|i| format!("k{i}~uniform(0, 1)")).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        assert!(errors(&many, Some(4), Method::Sobol).contains("33 keys"));
    }
}
