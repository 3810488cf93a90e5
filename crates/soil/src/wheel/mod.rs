//! Pressure and shear of soft ground under wheels and tracks, as functions of sinkage, slip and load.
//!
//! | file | content |
//! |---|---|
//! | `sinkage.rs` | pressure–sinkage laws, their inverses, slopes and work |
//! | `rut.rs` | memory of the ground: unloading, reloading, what a pass leaves behind |
//! | `shear.rs` | shear stress against shear displacement |
//! | `quadrature.rs` | integrals over an arc, roots |
//! | `rigid.rs`, `elastic.rs` | wheels in steady motion: sinkage, torque, drawbar pull |
//! | `resistance.rs` | bulldozing, slip sinkage |
//! | `track.rs`, `belt.rs` | pressure and thrust of tracks, turning, the belt itself |
//! | `patch.rs` | a contact that moves over ground with memory, for constraint equations |
//! | `memory.rs`, `strip.rs` | that memory: cells under the contact |
//!
//! Sinkage is measured from the original surface, downwards.

pub mod belt;
pub mod elastic;
pub mod memory;
pub mod patch;
mod quadrature;
pub mod resistance;
pub mod rigid;
pub mod rut;
pub mod shear;
pub mod sinkage;
pub mod strip;
pub mod track;

pub use memory::{Memory, Place};
pub use patch::{Outline, Patch, Slippage};
pub use rigid::{RigidWheel, Slip, WheelForces};
pub use rut::{Rut, SoftSoil, Unloading};
pub use shear::{ShearLaw, Strength};
pub use sinkage::{Footprint, SinkageCurve, SinkageLaw};
