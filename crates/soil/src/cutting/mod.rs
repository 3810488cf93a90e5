//! Forces of soil on tools that cut it, as functions of geometry and soil.
//!
//! ```text
//!            ╲ face, rake α          surface
//!  ───────────╲────────────────────────────────╱──
//!        P ────▶╲        wedge            ╱            P  force of the blade on the soil, δ off the normal of the face
//!                ╲                  ╱                  R  reaction of the ground, φ off the normal of the plane
//!                 ╲           ╱   R                    β  angle of the failure plane with the least P
//!             edge ╲ ╱ β
//! ```
//!
//! | file | content |
//! |---|---|
//! | `soil.rs` | strength of soil and of its contact with steel, layers, the ground as tools see it |
//! | `wedge.rs` | trial wedges on level ground: factors of the fundamental earthmoving equation |
//! | `search.rs` | the failure plane of the least force |
//! | `ray.rs`, `trial.rs` | section of any ground before a face, and trial wedges in it |
//! | `narrow.rs` | narrow tools and teeth: side crescents |
//! | `bearing.rs` | bearing capacity under an edge, friction on buried plates |
//! | `tool.rs`, `slice.rs`, `group.rs` | a tool on a ground: slices over its edge, grouped for constraint equations |
//!
//! Nothing here knows bodies or solvers. Degenerate input gives no wedge, never a value that is not finite.

pub mod bearing;
pub mod group;
pub mod narrow;
mod ray;
mod search;
pub mod slice;
pub mod soil;
pub mod tool;
mod trial;
pub mod wedge;

pub use group::{EndPlate, Group, MAX_GROUPS, Work};
pub use slice::Slice;
pub use soil::{CuttingSoil, Strata, Surface};
pub use tool::{Pose, Teeth, Tool, ToolError};
