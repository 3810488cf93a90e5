//! Soil for the page: what grounds, tools and cylinders are, their numbers behind each frame, and surfaces in tiles.
//!
//! | file | content |
//! |---|---|
//! | `looks.rs` | grounds, tools and cylinders of `scene` |
//! | `block.rs` | particles, tools and pressures behind a frame |
//! | `tile.rs` | a tile as bytes |
//! | `tiles.rs` | all tiles with their versions; what a client lacks |
//! | `watch.rs` | which tiles have changed |

pub mod block;
pub mod looks;
pub mod tile;
pub mod tiles;
pub mod watch;
