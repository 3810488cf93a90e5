//! Mass-point cables: deformable cables as Loock and Schömer have them, for routing and assembly.
//!
//! Such a cable is a row of mass points with linear springs between neighbours, which keep its length, and torsion springs between
//! neighbouring segments, which keep it straight, or in the shape it was given. It has no twist. Points and velocities are
//! advanced after the bodies of each step by an implicit rule whose linear system is built several times in a step:
//!
//! ```text
//! (M + κ D + κ h ∂²E/∂x²) Δv = −M (v* − v) − κ (∂E/∂x + D v*)        x* = x + h v*,  κ the time forces act for
//! ```
//!
//! | file | what |
//! |---|---|
//! | `cable.rs`, `state.rs` | what a cable is, and what steps change of it |
//! | `stretching.rs`, `bending.rs` | energy of a spring, with first and second derivatives |
//! | `plasticity.rs` | bends that stay |
//! | `from_spec.rs` | from the specification of a cable, with its ends |
//! | `tether.rs` | a point led towards a target with a limited force |
//! | `attachment.rs` | points held by bodies, and what bodies feel |
//! | `contact.rs` | what its segments touch |
//! | `system.rs` | all of these at given points: energy, forces, matrix |
//! | `band_matrix.rs`, `conjugate_gradients.rs` | the linear system and its solution |
//! | `step.rs`, `energy.rs` | the step |
//! | `subsystem.rs`, `edit.rs` | all cables of a world, and how they are changed |
//! | `reading.rs` | what is inside a cable, and how it lies |
//!
//! They are a subsystem of the engine ([`MassPointCables`]). The engine's own cables are rigid elements with rows; they carry loads and
//! run over sheaves, these do not, nor do they touch themselves or each other.

mod attachment;
pub mod band_matrix;
pub mod bending;
mod cable;
pub mod conjugate_gradients;
mod contact;
mod edit;
mod energy;
mod from_spec;
mod plasticity;
mod reading;
mod state;
mod step;
pub mod stretching;
mod subsystem;
mod system;
mod tether;

pub use cable::{
    Attachment, CableProperties, Damping, IterationLimits, MOST_POINTS, MassPointCable, MassPointCableId,
};
pub use edit::MassPointEdit;
pub use plasticity::PlasticBend;
pub use state::{BodyLoad, MassPointState, MassPointStates};
pub use step::Work;
pub use subsystem::MassPointCables;
pub use tether::PointTether;
