//! Why waves cannot be built, and how to correct their parameters.

use thiserror::Error;

/// Why waves cannot be built, and how to correct it.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum WaveProblem {
    /// The period is not positive and finite [s].
    #[error("the wave period is {0} s; give a positive period")]
    Period(f64),
    /// The height is negative or not finite [m].
    #[error("the wave height is {0} m; give a height of 0 or more")]
    Height(f64),
    /// The depth is not positive [m].
    #[error("the water depth is {0} m; give a positive depth, or leave it out for deep water")]
    Depth(f64),
    /// Gravity is not positive and finite [m/s²].
    #[error("gravity is {0} m/s²; waves need a positive gravity along −z")]
    Gravity(f64),
    /// The direction is not finite [rad].
    #[error("the wave direction is {0} rad; give a finite angle")]
    Direction(f64),
    /// The phase is not finite [rad].
    #[error("the wave phase is {0} rad; give a finite angle")]
    Phase(f64),
    /// The ramp is negative or not finite [s].
    #[error("the ramp of the waves lasts {0} s; give 0 s or more")]
    Ramp(f64),
    /// Steeper than the breaking limit of Miche.
    #[error(
        "a wave height of {height} m with a length of {length:.4} m exceeds the breaking limit of {limit:.4} m \
         (0.142 λ tanh kd); reduce the height or lengthen the period"
    )]
    Breaking {
        /// Height [m].
        height: f64,
        /// Wave length [m].
        length: f64,
        /// Greatest height [m].
        limit: f64,
    },
    /// Higher than the depth permits.
    #[error(
        "a significant height of {height} m exceeds the limit of {limit:.4} m at a depth of {depth} m (0.6 d); \
         reduce the height or increase the depth"
    )]
    DepthLimited {
        /// Significant height [m].
        height: f64,
        /// Depth [m].
        depth: f64,
        /// Greatest significant height [m].
        limit: f64,
    },
    /// No components or too many.
    #[error("the sea has {0} components; give 1 to 10000 (200 is usual)")]
    Components(usize),
    /// Peak enhancement out of range.
    #[error("the peak enhancement γ is {0}; give 1 to 10 (3.3 is the mean of JONSWAP), or leave it out")]
    Gamma(f64),
    /// Exponent of the spreading out of range.
    #[error("the spreading exponent is {0}; give 0 to 1e6, or leave it out for long-crested waves")]
    Spreading(f64),
    /// Too shallow for a Stokes wave.
    #[error(
        "a second-order Stokes wave needs kd > 1, but kd is {0:.4}; take order 1, a shorter period or a greater depth"
    )]
    StokesTooShallow(f64),
    /// Too steep for a second-order Stokes wave.
    #[error(
        "a second-order Stokes wave needs ak < 0.2, but ak is {0:.4}; reduce the height or lengthen the period"
    )]
    StokesTooSteep(f64),
}
