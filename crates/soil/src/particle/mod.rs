//! Loose soil as particles: spheres with rotation, friction, rolling friction and adhesion.
//!
//! ```text
//!  particles ─▶ cells, pairs, walls near ─▶ 8 substeps:  warm start, soft sweep, motion, relaxation ─▶ particles
//!                                                                     └──▶ impulses on the owners of walls
//! ```
//!
//! A particle is a parcel of soil with its voids, not a grain. Walls have prescribed motion; the impulses
//! on every wall's owner are reported. Results are bitwise reproducible for any number of threads.

mod batches;
mod carriers;
mod contact;
mod friction;
mod gather;
mod grid;
mod heights;
mod hull;
mod lanes;
mod laws;
mod merge;
mod mesh;
mod quad;
mod state;
mod step;
mod surroundings;
mod sweep;
mod triangle;
mod wall;
mod wall_contact;
mod walls_near;

pub use carriers::{Carrier, Carriers};
pub use friction::friction_for;
pub use heights::Heights;
pub use hull::Hull;
pub use laws::LooseSoil;
pub use mesh::{Mesh, MeshError};
pub use state::{Particle, Particles, Touches};
pub use step::Work;
pub use surroundings::{Fault, Outcome, Surroundings};
pub use wall::{Wall, WallImpulse, WallShape};
