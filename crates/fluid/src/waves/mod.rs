//! Waves: the height of the water surface, and velocity, acceleration and pressure below it.
//!
//! A sea is a sum of components with phase θ = k·x − ωt + ε. With C, S the hyperbolic cosine and sine of k(z + d):
//!
//! ```text
//! η  = a cos θ                          ω² = g k tanh kd
//! u  = b C/sinh kd cos θ k̂              b = a ω
//! w  = b S/sinh kd sin θ                u̇ = ω b C/sinh kd sin θ k̂        ẇ = −ω b S/sinh kd cos θ
//! p  = −ρ g z + ρ g a C/cosh kd cos θ
//! ```
//!
//! Below the actual surface these are evaluated at Wheeler's stretched height
//!
//! ```text
//! z′ = (z − η) d/(d + η)        deep water: z − η
//! ```
//!
//! so that p = 0 on z = η and short components on the crest of a long one stay bounded. U̇ is the closed form above at
//! z′, as is usual; the time derivative of z′ itself, of second order in the amplitude, is left out. Points above the
//! surface have z′ = 0, points below the sea bed z′ = −d.
//!
//! All amplitudes are multiplied by r(t), which grows from 0 to 1 by a smooth step: η r, U r, p r and U̇ r + U ṙ.
//!
//! | file | content |
//! |---|---|
//! | `dispersion.rs` | wave number from frequency and depth |
//! | `spectrum.rs` | spectra, their division into components, directions |
//! | `build.rs`, `problem.rs` | regular waves and seas from their parameters, and why not |
//! | `rows.rs` | components as the sums need them |
//! | `evaluate.rs` | sums over components, for one point and for many |

mod build;
mod dispersion;
mod evaluate;
mod problem;
mod rows;
mod spectrum;
#[cfg(test)]
mod tests;

use glam::{DVec2, DVec3};

use crate::schedule::smooth_step;
pub use dispersion::wavenumber;
pub use problem::WaveProblem;
use rows::Rows;

/// One component: elevation a cos(k·x − ωt + ε).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Amplitude a [m].
    pub amplitude: f64,
    /// Angular frequency ω [rad/s].
    pub frequency: f64,
    /// Wave number k [rad/m].
    pub wavenumber: f64,
    /// Unit vector of the direction of propagation.
    pub direction: DVec2,
    /// Phase ε [rad].
    pub phase: f64,
}

/// The water that waves propagate in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// Depth below the mean level [m]; infinite for deep water.
    pub depth: f64,
    /// Gravity [m/s²].
    pub gravity: f64,
}

/// Order of the theory of a regular wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// First order: linear wave of Airy.
    Airy,
    /// Second order: wave of Stokes, with sharper crests and flatter troughs.
    Stokes,
}

/// Parameters of a regular wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegularWave {
    /// Height from trough to crest [m].
    pub height: f64,
    /// Period [s].
    pub period: f64,
    /// Direction of propagation, counter-clockwise from x [rad].
    pub direction: f64,
    /// Phase ε [rad]; with 0, a crest is at the origin at t = 0.
    pub phase: f64,
    /// Order of the theory.
    pub order: Order,
}

/// Distribution of the energy of a sea over frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spectrum {
    /// JONSWAP, for seas that grow under wind.
    Jonswap {
        /// Peak enhancement γ; without it exp(5.75 − 1.15 T_p/√H_s) between 1 and 5 (DNV-RP-C205).
        gamma: Option<f64>,
    },
    /// Pierson and Moskowitz, for fully developed seas; JONSWAP with γ = 1.
    PiersonMoskowitz,
}

/// Amplitudes of the components of a sea.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amplitudes {
    /// All equal, so that the significant height is that given, for every seed.
    Equal,
    /// Rayleigh-distributed, for statistics of extremes; the significant height varies with the seed.
    Rayleigh,
}

/// Parameters of an irregular sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sea {
    /// Spectrum.
    pub spectrum: Spectrum,
    /// Significant height H_s [m].
    pub height: f64,
    /// Peak period T_p [s].
    pub period: f64,
    /// Mean direction of propagation β₀, counter-clockwise from x [rad].
    pub direction: f64,
    /// Exponent s of the spreading cos²ˢ((β − β₀)/2); without it the sea is long-crested.
    pub spreading: Option<f64>,
    /// Number of components, 1 to 10 000.
    pub components: usize,
    /// Seed of phases, frequencies, directions and Rayleigh amplitudes.
    pub seed: u64,
    /// Amplitudes of the components.
    pub amplitudes: Amplitudes,
}

/// Elevation above a point, and the motion and pressure of the water there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kinematics {
    /// Elevation η of the surface [m].
    pub elevation: f64,
    /// Orbital velocity U [m/s].
    pub velocity: DVec3,
    /// Local acceleration ∂U/∂t [m/s²].
    pub acceleration: DVec3,
    /// Dynamic pressure as a head p/(ρg) [m]; the head of the total pressure is this less z.
    pub head: f64,
}

/// Points of a rectangular grid; x changes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// First point [m].
    pub origin: DVec2,
    /// Distances between neighbours [m].
    pub spacing: DVec2,
    /// Number of points along x and along y.
    pub size: [usize; 2],
}

/// A regular wave or a sea.
#[derive(Clone, Debug, PartialEq)]
pub struct Waves {
    components: Vec<Component>,
    rows: Rows,
    water: Water,
    length: f64,
    ramp: f64,
}

impl Waves {
    /// The same waves, growing from calm water at t = 0 for a time [s].
    pub fn with_ramp(self, duration: f64) -> Result<Waves, WaveProblem> {
        if !(0.0..f64::INFINITY).contains(&duration) {
            return Err(WaveProblem::Ramp(duration));
        }
        Ok(Waves { ramp: duration, ..self })
    }

    /// The components at full amplitude, by increasing wave number; a Stokes wave has its second harmonic as well.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Depth and gravity.
    pub fn water(&self) -> Water {
        self.water
    }

    /// Time over which they grow from calm water [s].
    pub fn ramp(&self) -> f64 {
        self.ramp
    }

    /// Factor r of all amplitudes at a time [s], and its time derivative [1/s].
    pub fn ramp_factor(&self, t: f64) -> (f64, f64) {
        smooth_step(t, self.ramp)
    }

    /// Significant height 4√m₀ of the components at full amplitude [m]; that of a regular wave is about H/√2.
    pub fn significant_height(&self) -> f64 {
        4.0 * (0.5 * self.components.iter().map(|c| c.amplitude * c.amplitude).sum::<f64>()).sqrt()
    }

    /// Length of a regular wave, or of a component at the peak of the spectrum [m].
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Sum of all amplitudes at full ramp: no crest is higher and no trough deeper [m].
    pub fn greatest_elevation(&self) -> f64 {
        self.components.iter().map(|c| c.amplitude).sum()
    }
}
