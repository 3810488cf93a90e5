//! Currents: a velocity profile over the depth, times a factor that depends on time.
//!
//! With z′ the height stretched to the elevation η of waves:
//!
//! ```text
//! uniform       U = U₀
//! table         U piecewise linear through (depth, velocity), constant beyond the first and the last
//! power law     U = U₀ ((d + z′)/d)^α          α = 1/7 for tidal currents
//! wind-driven   U = U₀ max(0, 1 + z′/50 m)      DNV-RP-C205
//!
//! U(z, η, d, t) = f(t) U(z′)        U̇ = ḟ(t) U(z′)        z′ = (z − η) d/(d + η)
//! ```
//!
//! U̇ leaves out the time derivative of the stretched height.

use glam::DVec3;
use thiserror::Error;

use crate::schedule::{TimeFactor, TimeFactorProblem};
use crate::stretching::stretched;

/// Exponent of the power law for tidal currents.
pub const TIDAL_EXPONENT: f64 = 1.0 / 7.0;

/// Depth to which a wind-driven current reaches (DNV-RP-C205) [m].
pub const WIND_DRIVEN_REACH: f64 = 50.0;

/// Velocity of a current over the depth.
#[derive(Clone, Debug, PartialEq)]
pub enum CurrentProfile {
    /// The same velocity at all depths [m/s].
    Uniform(DVec3),
    /// Points (depth [m], velocity [m/s]) with increasing depths, joined by straight lines.
    Table(Vec<(f64, DVec3)>),
    /// Power law of the height above the sea bed; uniform in infinitely deep water.
    Power {
        /// Velocity at the surface [m/s].
        surface: DVec3,
        /// Exponent α, usually 1/7.
        exponent: f64,
    },
    /// Linear decrease from the surface to nothing at a depth.
    WindDriven {
        /// Velocity at the surface [m/s].
        surface: DVec3,
        /// Depth at which the velocity becomes 0, usually 50 m [m].
        reach: f64,
    },
}

/// A current.
#[derive(Clone, Debug, PartialEq)]
pub struct Current {
    profile: CurrentProfile,
    factor: TimeFactor,
}

/// Why a current cannot be built, and how to correct it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CurrentProblem {
    /// A velocity is not finite [m/s].
    #[error("a velocity of the current is {0} m/s; give finite components")]
    Velocity(DVec3),
    /// A table without points.
    #[error("the table of the current has no points; give at least one (depth, velocity)")]
    EmptyTable,
    /// A depth of a table is negative or not finite [m].
    #[error("a depth in the table of the current is {0} m; depths count downwards from 0 m")]
    Depth(f64),
    /// Depths of a table do not increase.
    #[error("depth {depth} m in the table of the current follows {before} m; sort the points by depth")]
    Unsorted {
        /// Depth of the point [m].
        depth: f64,
        /// Depth of the point before it [m].
        before: f64,
    },
    /// The exponent of a power law is out of range.
    #[error("the exponent of the current profile is {0}; give 0 to 1 (1/7 for tidal currents)")]
    Exponent(f64),
    /// The reach of a wind-driven current is not positive and finite [m].
    #[error("the wind-driven current reaches a depth of {0} m; give a positive depth (50 m is usual)")]
    Reach(f64),
    /// The factor is not a function of time.
    #[error(transparent)]
    Factor(#[from] TimeFactorProblem),
}

impl Current {
    /// A current from its profile and a factor that depends on time.
    pub fn new(profile: CurrentProfile, factor: TimeFactor) -> Result<Current, CurrentProblem> {
        factor.check()?;
        match &profile {
            CurrentProfile::Uniform(velocity) => finite(*velocity)?,
            CurrentProfile::Table(points) => check_table(points)?,
            CurrentProfile::Power { surface, exponent } => {
                finite(*surface)?;
                if !(0.0..=1.0).contains(exponent) {
                    return Err(CurrentProblem::Exponent(*exponent));
                }
            }
            CurrentProfile::WindDriven { surface, reach } => {
                finite(*surface)?;
                if !(*reach > 0.0 && reach.is_finite()) {
                    return Err(CurrentProblem::Reach(*reach));
                }
            }
        }
        Ok(Current { profile, factor })
    }

    /// Velocity [m/s] and local acceleration [m/s²] at a height z below an elevation η, in water of a depth, which may
    /// be infinite [m], at a time [s].
    pub fn velocity(&self, z: f64, eta: f64, depth: f64, t: f64) -> (DVec3, DVec3) {
        let velocity = self.profile.at(-stretched(z, eta, depth), depth);
        let (factor, rate) = self.factor.at(t);
        (velocity * factor, velocity * rate)
    }

    /// Whether it is the same at all depths.
    pub fn is_uniform(&self) -> bool {
        matches!(self.profile, CurrentProfile::Uniform(_))
    }

    /// Profile over the depth, before the factor.
    pub fn profile(&self) -> &CurrentProfile {
        &self.profile
    }

    /// Factor that depends on time.
    pub fn factor(&self) -> &TimeFactor {
        &self.factor
    }
}

impl CurrentProfile {
    /// The velocity [m/s] at a depth s below the surface in water of a depth [m].
    fn at(&self, s: f64, depth: f64) -> DVec3 {
        match self {
            CurrentProfile::Uniform(velocity) => *velocity,
            CurrentProfile::Table(points) => interpolated(points, s),
            CurrentProfile::Power { surface, exponent } => {
                if depth.is_finite() {
                    *surface * libm::pow(1.0 - s / depth, *exponent)
                } else {
                    *surface
                }
            }
            CurrentProfile::WindDriven { surface, reach } => *surface * (1.0 - s / reach).max(0.0),
        }
    }
}

fn interpolated(points: &[(f64, DVec3)], s: f64) -> DVec3 {
    let after = points.partition_point(|&(depth, _)| depth <= s);
    if after == 0 || after == points.len() {
        return points[after.saturating_sub(1)].1;
    }
    let ((s0, u0), (s1, u1)) = (points[after - 1], points[after]);
    u0 + (u1 - u0) * ((s - s0) / (s1 - s0))
}

fn check_table(points: &[(f64, DVec3)]) -> Result<(), CurrentProblem> {
    if points.is_empty() {
        return Err(CurrentProblem::EmptyTable);
    }
    for &(depth, velocity) in points {
        if !(0.0..f64::INFINITY).contains(&depth) {
            return Err(CurrentProblem::Depth(depth));
        }
        finite(velocity)?;
    }
    match points.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
        Some(pair) => Err(CurrentProblem::Unsorted { depth: pair[1].0, before: pair[0].0 }),
        None => Ok(()),
    }
}

fn finite(velocity: DVec3) -> Result<(), CurrentProblem> {
    if velocity.is_finite() { Ok(()) } else { Err(CurrentProblem::Velocity(velocity)) }
}

#[cfg(test)]
mod tests {
    use super::{Current, CurrentProblem, CurrentProfile, TIDAL_EXPONENT, WIND_DRIVEN_REACH};
    use crate::schedule::TimeFactor;
    use glam::DVec3;

    const SURFACE: DVec3 = DVec3::new(0.8, -0.3, 0.0);

    fn steady(profile: CurrentProfile) -> Current {
        Current::new(profile, TimeFactor::Constant(1.0)).unwrap()
    }

    fn profiles() -> [CurrentProfile; 4] {
        [
            CurrentProfile::Uniform(SURFACE),
            CurrentProfile::Table(vec![(0.0, SURFACE), (10.0, DVec3::X), (60.0, DVec3::ZERO)]),
            CurrentProfile::Power { surface: SURFACE, exponent: TIDAL_EXPONENT },
            CurrentProfile::WindDriven { surface: SURFACE, reach: WIND_DRIVEN_REACH },
        ]
    }

    #[test]
    fn profiles_have_their_closed_forms() {
        let [_, table, power, wind] = profiles().map(steady);
        let at = |current: &Current, z| current.velocity(z, 0.0, 60.0, 3.0).0;
        assert!(at(&table, -35.0).distance(DVec3::X * 0.5) < 1e-15);
        assert_eq!((at(&table, 0.0), at(&table, -70.0)), (SURFACE, DVec3::ZERO));
        assert!(at(&power, -30.0).distance(SURFACE * libm::pow(0.5, 1.0 / 7.0)) < 1e-15);
        assert_eq!((at(&power, -60.0), at(&power, -61.0)), (DVec3::ZERO, DVec3::ZERO));
        assert!(at(&wind, -20.0).distance(SURFACE * 0.6) < 1e-15);
        assert_eq!(at(&wind, -55.0), DVec3::ZERO);
    }

    #[test]
    fn surface_velocity_is_found_on_the_elevated_surface() {
        for current in profiles().map(steady) {
            for eta in [-70.0, -4.0, 0.0, 3.0] {
                for depth in [60.0, f64::INFINITY] {
                    assert_eq!(current.velocity(eta, eta, depth, 0.0).0, SURFACE);
                    assert_eq!(current.velocity(eta + 5.0, eta, depth, 0.0).0, SURFACE);
                    assert!(current.velocity(-1e6, eta, depth, 0.0).0.is_finite());
                }
            }
        }
        // half of the column stays half of the column
        let [_, _, power, _] = profiles().map(steady);
        let (crest, calm) =
            (power.velocity(-28.5, 3.0, 60.0, 0.0).0, power.velocity(-30.0, 0.0, 60.0, 0.0).0);
        assert!(crest.distance(calm) < 1e-15);
    }

    #[test]
    fn acceleration_is_the_derivative_of_velocity() {
        let factors = [
            TimeFactor::Ramp { from: 0.0, to: 1.0, start: 0.0, end: 20.0 },
            TimeFactor::Sine { mean: 0.2, amplitude: 1.0, frequency: 0.1, phase: 0.4 },
            TimeFactor::Table(vec![(0.0, 0.0), (12.0, 1.0), (30.0, 0.5)]),
        ];
        let h = 1e-5;
        for (profile, factor) in profiles().into_iter().flat_map(|p| factors.clone().map(|f| (p.clone(), f)))
        {
            let current = Current::new(profile, factor).unwrap();
            for t in [1.0, 7.3, 18.0, 40.0] {
                let at = |t| current.velocity(-7.0, 0.5, 60.0, t);
                let difference = (at(t + h).0 - at(t - h).0) / (2.0 * h);
                assert!(at(t).1.distance(difference) < 1e-7);
            }
        }
    }

    #[test]
    fn problems_are_reported() {
        let new = |profile| Current::new(profile, TimeFactor::Constant(1.0)).unwrap_err();
        let table = CurrentProfile::Table(vec![(5.0, DVec3::X), (2.0, DVec3::X)]);
        assert_eq!(new(table), CurrentProblem::Unsorted { depth: 2.0, before: 5.0 });
        assert_eq!(new(CurrentProfile::Table(vec![])), CurrentProblem::EmptyTable);
        assert_eq!(new(CurrentProfile::Table(vec![(-5.0, DVec3::X)])), CurrentProblem::Depth(-5.0));
        let power = CurrentProfile::Power { surface: DVec3::X, exponent: -1.0 };
        assert!(new(power).to_string().contains("-1"));
        assert_eq!(
            new(CurrentProfile::WindDriven { surface: DVec3::X, reach: 0.0 }),
            CurrentProblem::Reach(0.0)
        );
        assert!(matches!(new(CurrentProfile::Uniform(DVec3::NAN)), CurrentProblem::Velocity(_)));
        let factor = Current::new(CurrentProfile::Uniform(DVec3::X), TimeFactor::Table(vec![]));
        assert!(matches!(factor, Err(CurrentProblem::Factor(_))));
    }
}
