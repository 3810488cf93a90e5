//! Wind: a mean speed that depends on the height, plus a gust that depends on time.
//!
//! ```text
//! uniform       U = U_r
//! power law     U = U_r (z/z_r)^α                       α = 0.11…0.14 at sea, 0.16 on land
//! logarithmic   U = U_r ln(z/z₀)/ln(z_r/z₀)             z₀ roughness length
//! Frøya         U = U₀ (1 + C ln(z/10 m))               C = 0.0573 √(1 + 0.15 U₀/(m/s)), one-hour mean
//!
//! U(z, t) = (U(z) + u(t)) n,        U̇ = u̇(t) n
//! ```
//!
//! U_r is the mean speed at the reference height z_r. Frøya's U₀, the speed at 10 m, is found from it. Heights below
//! 0.1 m, or below z₀, have the speed of that height, so there is no singularity at the surface.

use glam::{DVec2, DVec3};
use thiserror::Error;

use crate::gust::{Gust, GustProblem, Gusts, MeanWind};

/// Height below which the mean speed is that of this height [m].
pub const LEAST_HEIGHT: f64 = 0.1;

/// Largest mean speed at 10 m that Frøya's profile is solved for [m/s].
const MOST_SPEED: f64 = 150.0;

/// Least reference height of Frøya's profile; far below, its speed at 10 m is not unique [m].
const LEAST_FROYA_HEIGHT: f64 = 1.0;

/// Mean speed over the height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindProfile {
    /// The same speed at all heights.
    Uniform,
    /// Power law.
    Power {
        /// Exponent α.
        exponent: f64,
    },
    /// Logarithmic law.
    Logarithmic {
        /// Roughness length z₀ [m].
        roughness: f64,
    },
    /// Frøya's profile of one-hour means over open sea.
    Froya,
}

/// Parameters of a wind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindSpec {
    /// Mean speed at the reference height [m/s].
    pub speed: f64,
    /// Reference height, usually 10 m [m].
    pub height: f64,
    /// Direction in which the wind blows, counter-clockwise from x [rad].
    pub direction: f64,
    /// Mean speed over the height.
    pub profile: WindProfile,
    /// Gusts.
    pub gusts: Gusts,
}

/// A wind.
#[derive(Clone, Debug, PartialEq)]
pub struct Wind {
    spec: WindSpec,
    direction: DVec2,
    mean: MeanWind,
    gust: Gust,
}

/// Why a wind cannot be built, and how to correct it.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum WindProblem {
    /// The mean speed is negative, not finite or too large [m/s].
    #[error("the mean wind speed is {0} m/s; give 0 to 150 m/s; for the opposite wind, change its direction")]
    Speed(f64),
    /// The reference height is out of range [m].
    #[error("the reference height of the wind is {height} m; give {least} m or more (10 m is usual)")]
    Height {
        /// Reference height [m].
        height: f64,
        /// Least reference height of the profile [m].
        least: f64,
    },
    /// No profile of Frøya has this speed at this height.
    #[error(
        "no Frøya profile has a mean speed of {speed} m/s at a height of {height} m; give the speed at 10 m"
    )]
    NoFroya {
        /// Mean speed [m/s].
        speed: f64,
        /// Reference height [m].
        height: f64,
    },
    /// The direction is not finite [rad].
    #[error("the wind direction is {0} rad; give a finite angle")]
    Direction(f64),
    /// The exponent of a power law is out of range.
    #[error("the exponent of the wind profile is {0}; give 0 to 1 (0.12 at sea, 0.16 on land)")]
    Exponent(f64),
    /// The roughness length is out of range [m].
    #[error(
        "the roughness length is {roughness} m; give more than 0 m and less than the reference height {height} m"
    )]
    Roughness {
        /// Roughness length [m].
        roughness: f64,
        /// Reference height [m].
        height: f64,
    },
    /// The gusts are not valid.
    #[error(transparent)]
    Gust(#[from] GustProblem),
}

impl Wind {
    /// A wind from its parameters.
    pub fn new(spec: &WindSpec) -> Result<Wind, WindProblem> {
        check(spec)?;
        let (sin, cos) = libm::sincos(spec.direction);
        let speed_at_10_m = match spec.profile {
            WindProfile::Froya => froya_speed(spec.speed, spec.height)?,
            _ => profile_speed(spec, spec.speed, 10.0),
        };
        let mean = MeanWind { height: spec.height, speed: spec.speed, speed_at_10_m };
        let gust = Gust::new(&spec.gusts, mean)?;
        Ok(Wind { spec: *spec, direction: DVec2::new(cos, sin), mean, gust })
    }

    /// Velocity [m/s] and local acceleration [m/s²] at a height above the surface [m] and a time [s].
    pub fn velocity(&self, z: f64, t: f64) -> (DVec3, DVec3) {
        self.velocity_in(z, self.gust.at(t))
    }

    /// As [`Wind::velocity`] with the gust of the time, which is summed once for many heights: value and derivative.
    pub fn velocity_in(&self, z: f64, (value, rate): (f64, f64)) -> (DVec3, DVec3) {
        let direction = self.direction.extend(0.0);
        (direction * (self.mean_speed(z) + value), direction * rate)
    }

    /// Mean speed at a height above the surface [m], in m/s.
    pub fn mean_speed(&self, z: f64) -> f64 {
        profile_speed(&self.spec, self.mean.speed_at_10_m, z)
    }

    /// Whether it is the same at all heights.
    pub fn is_uniform(&self) -> bool {
        self.spec.profile == WindProfile::Uniform
    }

    /// The fluctuation of the speed, the same at all heights.
    pub fn gust(&self) -> &Gust {
        &self.gust
    }

    /// Unit vector in which the wind blows.
    pub fn direction(&self) -> DVec2 {
        self.direction
    }
}

/// Mean speed [m/s] at a height [m]; Frøya's profile has the speed `base` at 10 m.
fn profile_speed(spec: &WindSpec, base: f64, z: f64) -> f64 {
    let z = z.max(LEAST_HEIGHT);
    match spec.profile {
        WindProfile::Uniform => spec.speed,
        WindProfile::Power { exponent } => spec.speed * libm::pow(z / spec.height, exponent),
        WindProfile::Logarithmic { roughness } => {
            spec.speed * libm::log(z.max(roughness) / roughness) / libm::log(spec.height / roughness)
        }
        WindProfile::Froya => froya(base, z).max(0.0),
    }
}

fn froya(base: f64, z: f64) -> f64 {
    base * (1.0 + 0.0573 * (1.0 + 0.15 * base).sqrt() * libm::log(z / 10.0))
}

/// The speed at 10 m for which Frøya's profile has a given speed at a height, by bisection.
fn froya_speed(speed: f64, height: f64) -> Result<f64, WindProblem> {
    if height == 10.0 {
        return Ok(speed);
    }
    let (mut low, mut high) = (0.0, MOST_SPEED);
    if froya(high, height) < speed {
        return Err(WindProblem::NoFroya { speed, height });
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if froya(middle, height) < speed {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

fn check(spec: &WindSpec) -> Result<(), WindProblem> {
    let (height, froya) = (spec.height, spec.profile == WindProfile::Froya);
    if !(0.0..=MOST_SPEED).contains(&spec.speed) {
        return Err(WindProblem::Speed(spec.speed));
    }
    let least = if froya { LEAST_FROYA_HEIGHT } else { LEAST_HEIGHT };
    if !(least..f64::INFINITY).contains(&height) {
        return Err(WindProblem::Height { height, least });
    }
    if !spec.direction.is_finite() {
        return Err(WindProblem::Direction(spec.direction));
    }
    match spec.profile {
        WindProfile::Power { exponent } if !(0.0..=1.0).contains(&exponent) => {
            Err(WindProblem::Exponent(exponent))
        }
        WindProfile::Logarithmic { roughness } if !(roughness > 0.0 && roughness < height) => {
            Err(WindProblem::Roughness { roughness, height })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Wind, WindProblem, WindProfile, WindSpec};
    use crate::gust::{GustProblem, Gusts};

    const PROFILES: [WindProfile; 4] = [
        WindProfile::Uniform,
        WindProfile::Power { exponent: 0.14 },
        WindProfile::Logarithmic { roughness: 0.003 },
        WindProfile::Froya,
    ];

    fn spec(profile: WindProfile, gusts: Gusts) -> WindSpec {
        WindSpec { speed: 20.0, height: 10.0, direction: 0.6, profile, gusts }
    }

    fn record(wind: &Wind, duration: f64) -> f64 {
        let values: Vec<f64> =
            (0..(2.0 * duration) as usize).map(|i| wind.gust().at(0.5 * i as f64).0).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (values.iter().map(|u| (u - mean) * (u - mean)).sum::<f64>() / values.len() as f64).sqrt()
    }

    #[test]
    fn fl33_froya() {
        for seed in 1..6 {
            let wind = Wind::new(&spec(WindProfile::Froya, Gusts::Froya { components: 200, seed })).unwrap();
            let closed = 20.0 * (1.0 + 0.0573 * 2.0 * libm::log(4.0));
            assert!((wind.mean_speed(40.0) / closed - 1.0).abs() < 1e-9);
            assert!((closed / 23.177_387 - 1.0).abs() < 3e-8);
            let deviation = record(&wind, 10_800.0);
            println!("σ of 3 h, seed {seed}: {deviation}");
            assert!((deviation / 2.402_130_9 - 1.0).abs() < 0.05, "{seed}: {deviation}");
            assert!(
                (wind.gust().deviation() / 2.402_130_9 - 1.0).abs() < 1e-6,
                "{}",
                wind.gust().deviation()
            );
        }
    }

    #[test]
    fn kaimal_has_its_standard_deviation() {
        for seed in 1..4 {
            let gusts = Gusts::Kaimal { deviation: 2.5, length: 340.0, components: 300, seed };
            let wind = Wind::new(&spec(WindProfile::Uniform, gusts)).unwrap();
            assert!((wind.gust().deviation() - 2.5).abs() < 1e-12);
            let deviation = record(&wind, 20_000.0);
            assert!((deviation / 2.5 - 1.0).abs() < 0.05, "{seed}: {deviation}");
        }
    }

    #[test]
    fn profiles_have_the_speed_at_the_reference_height() {
        for profile in PROFILES {
            for height in [1.0, 10.0, 35.0] {
                let wind = Wind::new(&WindSpec { height, ..spec(profile, Gusts::None) }).unwrap();
                assert!((wind.mean_speed(height) - 20.0).abs() < 1e-12, "{profile:?} at {height}");
                assert!(wind.mean_speed(2.0 * height) >= 20.0);
            }
        }
    }

    #[test]
    fn there_is_no_singularity_at_the_surface() {
        for profile in PROFILES {
            for speed in [0.0, 5.0, 150.0] {
                let wind = Wind::new(&WindSpec { speed, ..spec(profile, Gusts::None) }).unwrap();
                for z in [-100.0, -0.0, 0.0, 1e-300, 0.05] {
                    let (velocity, acceleration) = wind.velocity(z, 0.0);
                    assert_eq!(velocity.length(), wind.mean_speed(0.1).abs() * wind.direction().length());
                    assert!(velocity.is_finite() && acceleration.length() == 0.0);
                }
            }
        }
    }

    #[test]
    fn acceleration_is_the_derivative_of_velocity() {
        let all = [
            Gusts::Discrete { rise: 8.0, start: 2.0, duration: 10.0 },
            Gusts::Froya { components: 50, seed: 4 },
            Gusts::Kaimal { deviation: 2.0, length: 170.0, components: 50, seed: 4 },
        ];
        let h = 1e-5;
        for gusts in all {
            let wind = Wind::new(&spec(WindProfile::Froya, gusts)).unwrap();
            for t in [0.0, 3.0, 7.7, 11.0, 400.0] {
                let difference = (wind.velocity(12.0, t + h).0 - wind.velocity(12.0, t - h).0) / (2.0 * h);
                assert!(wind.velocity(12.0, t).1.distance(difference) < 1e-7, "{gusts:?} at {t}");
            }
        }
    }

    #[test]
    fn discrete_gust_rises_and_falls() {
        let gusts = Gusts::Discrete { rise: 8.0, start: 2.0, duration: 10.0 };
        let wind = Wind::new(&spec(WindProfile::Uniform, gusts)).unwrap();
        let speed = |t: f64| wind.velocity(5.0, t).0.length();
        assert!((speed(7.0) - 28.0).abs() < 1e-12 && (speed(4.5) - 24.0).abs() < 1e-12);
        assert!((speed(1.0) - 20.0).abs() < 1e-12 && (speed(13.0) - 20.0).abs() < 1e-12);
    }

    #[test]
    fn seeds_decide() {
        let with = |seed| {
            Wind::new(&spec(WindProfile::Froya, Gusts::Froya { components: 100, seed }))
                .unwrap()
                .velocity(10.0, 77.0)
        };
        assert_eq!(with(1), with(1));
        assert_ne!(with(1), with(2));
    }

    #[test]
    fn problems_are_reported() {
        let problem = |spec: WindSpec| Wind::new(&spec).unwrap_err();
        let calm = spec(WindProfile::Uniform, Gusts::None);
        assert_eq!(problem(WindSpec { speed: -3.0, ..calm }), WindProblem::Speed(-3.0));
        assert!(problem(WindSpec { height: 0.0, ..calm }).to_string().contains("is 0 m"));
        assert!(matches!(problem(WindSpec { direction: f64::NAN, ..calm }), WindProblem::Direction(_)));
        let power = WindProfile::Power { exponent: 2.0 };
        assert_eq!(problem(WindSpec { profile: power, ..calm }), WindProblem::Exponent(2.0));
        let rough = WindProfile::Logarithmic { roughness: 10.0 };
        let expected = WindProblem::Roughness { roughness: 10.0, height: 10.0 };
        assert_eq!(problem(WindSpec { profile: rough, ..calm }), expected);
        let fast = WindSpec { speed: 120.0, height: 1.0, profile: WindProfile::Froya, ..calm };
        assert_eq!(problem(fast), WindProblem::NoFroya { speed: 120.0, height: 1.0 });
        let gust = |gusts| problem(WindSpec { gusts, ..calm });
        let expected = WindProblem::Gust(GustProblem::Components(0));
        assert_eq!(gust(Gusts::Froya { components: 0, seed: 1 }), expected);
        let short = Gusts::Discrete { rise: 1.0, start: 0.0, duration: 0.0 };
        assert_eq!(gust(short), WindProblem::Gust(GustProblem::Duration(0.0)));
        let still = WindSpec { speed: 0.0, gusts: Gusts::Froya { components: 9, seed: 1 }, ..calm };
        assert_eq!(problem(still), WindProblem::Gust(GustProblem::Speed(0.0)));
    }
}
