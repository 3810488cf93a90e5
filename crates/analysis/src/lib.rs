//! Analysis of a machine: from its step to matrices, modes, equilibria and parameters.
//!
//! ```text
//!  Machine ──linearize──▶ Linearization: x⁺ = A x + B u, y = C x + D u
//!                           ├ continuous   ẋ = A x + B u, by the logarithm of the matrix or the bilinear transform
//!                           └ modes        frequencies, damping ratios, shapes of all bodies
//!          ──equilibrium▶ a state at rest, values of free inputs
//!  scene, data ──fit──▶ parameters with confidence intervals
//! ```
//!
//! Everything is computed from steps of forked worlds, so it holds for every joint, force and integrator. Nothing is
//! printed, there is no clock, and results do not depend on the number of threads.

pub mod base;
pub mod continuous;
pub mod coordinate;
pub mod eigen;
pub mod equilibrium;
pub mod error;
pub mod fit;
pub mod linearize;
pub mod modes;
pub mod tangent;
mod warnings;

pub use continuous::{Continuous, ContinuousError, Method};
pub use coordinate::Coordinate;
pub use equilibrium::{Equilibrium, equilibrium, equilibrium_until};
pub use error::AnalysisError;
pub use linearize::{Linearization, Named, Options, linearize, linearize_until};
pub use modes::{BodyShape, Mode, ModeKind, unresolved};
