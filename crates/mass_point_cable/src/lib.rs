//! Mass-point cables: deformable cables after Loock and Schömer, for routing and assembly.
//!
//! Such a cable is a chain of mass points with linear springs between neighbours, which keep its length, and torsion
//! springs between neighbouring segments, which keep it straight or in its natural shape. It has no twist. Points and
//! velocities are advanced after the bodies in each step by an implicit scheme whose linear system is built several
//! times per step:
//!
//! ```text
//! (M + κ D + κ h ∂²E/∂x²) Δv = −M (v* − v) − κ (∂E/∂x + D v*)        x* = x + h v*,  κ the time for which forces act
//! ```
//!
//! | file | content |
//! |---|---|
//! | `cable.rs`, `state.rs` | model and state of a cable |
//! | `stretching.rs`, `bending.rs` | energy of a spring, with first and second derivatives |
//! | `plasticity.rs` | plastic bending |
//! | `from_spec.rs` | construction from the specification of a cable, with its ends |
//! | `tether.rs` | a point pulled towards a target with a limited force |
//! | `attachment.rs` | points attached to bodies, and the reaction on bodies |
//! | `contact.rs` | contacts of its segments |
//! | `system.rs` | all of these at given points: energy, forces, matrix |
//! | `band_matrix.rs`, `conjugate_gradients.rs` | the linear system and its solution |
//! | `step.rs`, `energy.rs` | the step |
//! | `subsystem.rs`, `edit.rs` | all cables of a world, and their edits |
//! | `reading.rs` | internal forces and geometry of a cable |
//!
//! They are a subsystem of the engine ([`MassPointCables`]). The engine's own cables are rigid elements with
//! constraints; they carry loads and run over sheaves. Mass-point cables do not, nor do they collide with themselves or
//! each other.

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
