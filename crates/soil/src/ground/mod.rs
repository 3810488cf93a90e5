//! Ground at rest: columns of layers on the nodes of a grid, slope failure and compaction.
//!
//! The surface is the triangulation between the nodes. A column has the area that the hat function of its node integrates
//! to, so that the volume below the surface is Σ hᵢ Aᵢ. `Terrain` is the model, `TerrainState` what differs from it.
//!
//! | file | content |
//! |---|---|
//! | `soil.rs`, `soils.rs`, `strength.rs`, `compaction.rs` | parameters of soils, named soils, laws of strength and compression |
//! | `terrain.rs`, `base.rs` | the model: grid, base heights, strata |
//! | `layer.rs`, `column.rs` | layers, and columns of them |
//! | `values.rs`, `tile.rs` | values of 32 × 32 nodes, stored once where they are equal; a tile of them |
//! | `directory.rs`, `state.rs`, `words.rs` | the lookup of tiles, the state, its serialisation |
//! | `lookup.rs`, `edit.rs`, `press.rs` | heights and soils at points; digging, dumping and compacting |
//! | `edge.rs`, `sweep.rs`, `slip.rs`, `plane.rs`, `start.rs` | failure of slopes without and with cohesion |
//! | `quanta.rs`, `bits.rs` | whole quanta of mass; sets of nodes |

mod base;
mod bits;
mod column;
pub mod compaction;
mod directory;
mod edge;
mod edit;
pub mod layer;
pub mod lookup;
mod plane;
mod press;
pub mod quanta;
pub mod slip;
pub mod soil;
mod soils;
mod start;
pub mod state;
pub mod strength;
mod sweep;
pub mod terrain;
mod tile;
mod values;
mod words;

pub use base::Heights;
pub use layer::Layer;
pub use lookup::{Ground, SurfacePoint};
pub use slip::{SlipReport, SlipWork};
pub use soil::Soil;
pub use state::{Account, TerrainState, Volumes};
pub use terrain::{Stratum, Terrain, TerrainSpec};
