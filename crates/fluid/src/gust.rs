//! Gusts: the fluctuation of the wind speed as a function of time, with its time derivative.
//!
//! ```text
//! discrete   u = ½ ΔU (1 − cos 2π(t − t₀)/T)   while t₀ < t < t₀ + T
//! spectrum   u = Σ aᵢ cos(2π fᵢ t + εᵢ)         aᵢ²/2 = ∫ S df over bin i
//! Frøya      S = 320 (U₀/10)² (z/10)^0.45 (1 + f̃ⁿ)^(−5/3n)    f̃ = 172 f (z/10)^⅔ (U₀/10)^−¾,  n = 0.468
//! Kaimal     S = σ² 4 L/U (1 + 6 f L/U)^(−5/3)
//! ```
//!
//! Bins have equal widths in ln f. The frequency of a component is at a hashed position of its bin, so that the gust
//! does not repeat. Frøya's band is 1/2400…0.5 Hz, and the energy is that of the band. Kaimal's band is 0.005…20 U/L,
//! which holds 94 % of the energy; amplitudes are scaled to σ. The fluctuation is along the mean wind and the same
//! everywhere, as for bodies smaller than U/f.

use std::f64::consts::TAU;

use thiserror::Error;

use crate::hash::{Purpose, uniform};
use crate::lanes;

/// Lowest and highest frequency of Frøya's gusts [Hz].
const FROYA_BAND: [f64; 2] = [1.0 / 2400.0, 0.5];

/// Lowest and highest reduced frequency f L/U of Kaimal's gusts.
const KAIMAL_BAND: [f64; 2] = [0.005, 20.0];

/// Largest number of components.
const MOST_COMPONENTS: usize = 10_000;

/// Intervals of Simpson's rule per bin.
const INTERVALS: usize = 16;

/// Parameters of gusts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gusts {
    /// Steady wind.
    None,
    /// One gust.
    Discrete {
        /// Rise ΔU of the speed at its middle [m/s].
        rise: f64,
        /// Start [s].
        start: f64,
        /// Duration T [s].
        duration: f64,
    },
    /// Frøya's spectrum, for neutral conditions over open sea (NORSOK N-003, DNV-RP-C205).
    Froya {
        /// Number of components, 1 to 10 000.
        components: usize,
        /// Seed of phases and frequencies.
        seed: u64,
    },
    /// Kaimal's spectrum.
    Kaimal {
        /// Standard deviation σ [m/s].
        deviation: f64,
        /// Length scale L, 340 m in IEC 61400-1 above 60 m [m].
        length: f64,
        /// Number of components, 1 to 10 000.
        components: usize,
        /// Seed of phases and frequencies.
        seed: u64,
    },
}

/// The mean wind in which gusts occur.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanWind {
    /// Reference height [m].
    pub height: f64,
    /// Mean speed at the reference height [m/s].
    pub speed: f64,
    /// Mean speed at 10 m, which Frøya's spectrum refers to [m/s].
    pub speed_at_10_m: f64,
}

/// The fluctuation of the wind speed.
#[derive(Clone, Debug, PartialEq)]
pub enum Gust {
    /// None.
    Calm,
    /// One gust.
    Discrete {
        /// Rise ΔU of the speed at its middle [m/s].
        rise: f64,
        /// Start [s].
        start: f64,
        /// Duration T [s].
        duration: f64,
    },
    /// A sum of components.
    Sum(GustComponents),
}

/// Components of a gust.
#[derive(Clone, Debug, PartialEq)]
pub struct GustComponents {
    /// Amplitude [m/s], angular frequency [rad/s] and phase [rad].
    list: Vec<[f64; 3]>,
}

/// Why gusts cannot be built, and how to correct it.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum GustProblem {
    /// The rise or the start of a discrete gust is not finite.
    #[error("the {what} of the gust is {value}; give a finite number")]
    NotFinite {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The duration is not positive and finite [s].
    #[error("the gust lasts {0} s; give a positive duration")]
    Duration(f64),
    /// The standard deviation is negative or not finite [m/s].
    #[error("the standard deviation of the gusts is {0} m/s; give 0 or more")]
    Deviation(f64),
    /// The length scale is not positive and finite [m].
    #[error("the length scale of the gusts is {0} m; give a positive length (340 m in IEC 61400-1)")]
    Length(f64),
    /// No components or too many.
    #[error("the gusts have {0} components; give 1 to 10000 (200 is usual)")]
    Components(usize),
    /// A spectrum without mean wind [m/s].
    #[error("the mean wind is {0} m/s; spectra of gusts need a positive mean speed")]
    Speed(f64),
}

impl Gust {
    /// The fluctuation of given parameters in a mean wind.
    pub fn new(gusts: &Gusts, wind: MeanWind) -> Result<Gust, GustProblem> {
        match *gusts {
            Gusts::None => Ok(Gust::Calm),
            Gusts::Discrete { rise, start, duration } => {
                for (what, value) in [("rise", rise), ("start", start)] {
                    if !value.is_finite() {
                        return Err(GustProblem::NotFinite { what, value });
                    }
                }
                positive(duration).ok_or(GustProblem::Duration(duration))?;
                Ok(Gust::Discrete { rise, start, duration })
            }
            Gusts::Froya { components, seed } => {
                positive(wind.speed_at_10_m).ok_or(GustProblem::Speed(wind.speed_at_10_m))?;
                check(components)?;
                let density = |f| froya(f, wind.height, wind.speed_at_10_m);
                let bin = |low: f64, high: f64| simpson(&density, low, high);
                Ok(Gust::Sum(GustComponents::new(FROYA_BAND, components, seed, bin)))
            }
            Gusts::Kaimal { deviation, length, components, seed } => {
                if !(0.0..f64::INFINITY).contains(&deviation) {
                    return Err(GustProblem::Deviation(deviation));
                }
                positive(length).ok_or(GustProblem::Length(length))?;
                let speed = positive(wind.speed).ok_or(GustProblem::Speed(wind.speed))?;
                check(components)?;
                // share of the energy above a frequency
                let above = |f: f64| libm::pow(1.0 + 6.0 * f * length / speed, -2.0 / 3.0);
                let band = KAIMAL_BAND.map(|x| x * speed / length);
                let factor = deviation * deviation / (above(band[0]) - above(band[1]));
                let bin = |low: f64, high: f64| factor * (above(low) - above(high));
                Ok(Gust::Sum(GustComponents::new(band, components, seed, bin)))
            }
        }
    }

    /// Fluctuation of the wind speed [m/s] and its time derivative [m/s²] at a time [s].
    pub fn at(&self, t: f64) -> (f64, f64) {
        match self {
            Gust::Calm => (0.0, 0.0),
            Gust::Discrete { rise, start, duration } => {
                let s = (t - start) / duration;
                if !(s > 0.0 && s < 1.0) {
                    return (0.0, 0.0);
                }
                let (sin, cos) = libm::sincos(TAU * s);
                (0.5 * rise * (1.0 - cos), 0.5 * rise * TAU / duration * sin)
            }
            Gust::Sum(components) => components.at(t),
        }
    }

    /// Standard deviation of the fluctuation over a long time [m/s]; 0 for a discrete gust.
    pub fn deviation(&self) -> f64 {
        match self {
            Gust::Calm | Gust::Discrete { .. } => 0.0,
            Gust::Sum(components) => components.deviation(),
        }
    }
}

impl GustComponents {
    /// Components in bins of equal width in ln f; `energy` is the integral of the spectrum from one frequency to another.
    fn new(
        [first, last]: [f64; 2],
        count: usize,
        seed: u64,
        energy: impl Fn(f64, f64) -> f64,
    ) -> GustComponents {
        let frequency = |place: f64| first * libm::pow(last / first, place / count as f64);
        let one = |i: usize| {
            let amplitude = (2.0 * energy(frequency(i as f64), frequency((i + 1) as f64))).sqrt();
            let place = i as f64 + uniform(seed, i, Purpose::GustFrequency);
            [amplitude, TAU * frequency(place), TAU * uniform(seed, i, Purpose::GustPhase)]
        };
        GustComponents { list: (0..count).map(one).collect() }
    }

    fn at(&self, t: f64) -> (f64, f64) {
        let (mut value, mut rate) = (0.0, 0.0);
        for &[amplitude, frequency, phase] in &self.list {
            let (sin, cos) = lanes::sin_cos(frequency * t + phase);
            value += amplitude * cos;
            rate -= amplitude * frequency * sin;
        }
        (value, rate)
    }

    fn deviation(&self) -> f64 {
        (0.5 * self.list.iter().map(|[a, ..]| a * a).sum::<f64>()).sqrt()
    }
}

/// Frøya's spectral density at a frequency [Hz] and a height [m] for a mean speed at 10 m [m/s], in (m/s)²/Hz.
fn froya(f: f64, height: f64, speed: f64) -> f64 {
    let (z, u, n) = (height / 10.0, speed / 10.0, 0.468);
    let reduced = 172.0 * f * libm::pow(z, 2.0 / 3.0) * libm::pow(u, -0.75);
    320.0 * u * u * libm::pow(z, 0.45) * libm::pow(1.0 + libm::pow(reduced, n), -5.0 / (3.0 * n))
}

/// The integral of a density by Simpson's rule in ln f.
fn simpson(density: &impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let step = libm::log(high / low) / INTERVALS as f64;
    let value = |i: usize| {
        let f = low * libm::exp(step * i as f64);
        let weight = if i == 0 || i == INTERVALS { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
        weight * f * density(f)
    };
    (0..=INTERVALS).map(value).sum::<f64>() * step / 3.0
}

fn positive(value: f64) -> Option<f64> {
    (value > 0.0 && value.is_finite()).then_some(value)
}

fn check(components: usize) -> Result<(), GustProblem> {
    if (1..=MOST_COMPONENTS).contains(&components) {
        Ok(())
    } else {
        Err(GustProblem::Components(components))
    }
}
