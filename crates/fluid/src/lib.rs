//! Water and wind as a subsystem of Windlass worlds: buoyancy, drag, lift, added mass, waves and currents.
//!
//! ```text
//!  Layers (surfaces, densities, velocity fields)  ┐
//!  Hull, drag law, added mass of a body           ├──▶  forces, and terms of the body's equations
//!  pose and velocity of the body                  ┘
//! ```
//!
//! Fluids are functions of position and time and have no memory. Units are SI, z points up. Sums run in a fixed order,
//! random quantities are hashes, and elementary functions come from `libm` or `lanes.rs`, so results are bitwise
//! reproducible. Functions that run in each step do not allocate once their buffers have grown.
//!
//! | file | content |
//! |---|---|
//! | `fluids.rs`, `state.rs`, `immersed_body.rs` | the subsystem: fluids and bodies of a world, forces on a body |
//! | `immersed_cable.rs`, `wet_span.rs` | forces on the elements of a cable |
//! | `medium.rs` | fluids one above the other |
//! | `waves/`, `current.rs`, `wind.rs`, `gust.rs`, `schedule.rs`, `stretching.rs` | velocity fields |
//! | `hull.rs`, `mesh.rs`, `clip.rs`, `primitive.rs`, `immersion.rs` | solids and what of them is immersed |
//! | `account.rs` | work of fluids, for the account of energies |
//! | `resistance.rs` | drag and lift, linearised for the implicit step |
//! | `added_mass/`, `dense.rs` | added mass by closed forms and panels |
//! | `hydrostatics.rs` | stability and natural periods of a floating body |

mod account;
pub mod added_mass;
mod at_vertices;
pub mod clip;
pub mod current;
mod dense;
pub mod fluids;
pub mod gust;
mod hash;
pub mod hull;
pub mod hydrostatics;
pub mod immersed_body;
pub mod immersed_cable;
pub mod immersion;
mod lanes;
pub mod medium;
pub mod mesh;
pub mod primitive;
pub mod resistance;
pub mod schedule;
pub mod state;
pub mod stretching;
pub mod waves;
mod wet_span;
pub mod wind;

pub use fluids::{FluidEdit, Fluids};
pub use hull::{Hull, HullPart, HullShape};
pub use immersed_body::{Action, AddedMass, Drag, ImmersedBody};
pub use immersed_cable::ImmersedCable;
pub use medium::{Fluid, Layers, Weather};
