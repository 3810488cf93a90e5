//! Soil as a subsystem of Windlass worlds: ground that slips, is cut, compacted and driven on; loose soil as particles.
//!
//! ```text
//!  ground: columns of layers (mass, void ratio, preconsolidation) ──▶ slips, compaction, ruts
//!     │ cut                                               ▲ deposit
//!     ▼                                                   │
//!  wedges before tools ──▶ bounded rows ──▶ swept soil becomes particles
//! ```
//!
//! Mass is counted in whole quanta, so that none is ever lost. Units are SI, z points up. Results are bitwise
//! reproducible for any number of threads.
//!
//! | folder | content |
//! |---|---|
//! | `ground/` | soils, columns of layers, tiles, slope failure, compaction |
//! | `particle/` | loose soil as spheres: contacts, friction, rolling resistance, moving walls |
//! | `cutting/` | forces on tools: wedges, narrow tools, bearing capacity, slices of a tool on a ground |
//! | `world/` | the subsystem: grounds, tools and loose soil of a world |
//! | `wheel/` | pressure and sinkage, shear, wheels and tracks on soft ground |
//! | `shared.rs` | lists whose copies share what has not changed |

pub mod cutting;
pub mod ground;
pub mod particle;
mod shared;
pub mod wheel;
pub mod world;

pub use ground::quanta::Mass;
pub use world::{BinModel, EarthEdit, Earthworks, GroundModel, ToolModel, TrackModel, WheelModel};
