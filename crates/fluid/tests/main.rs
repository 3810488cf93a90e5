//! The integration tests of the crate, in one binary.

mod account;
mod basin;
mod cable_hoists;
mod cable_water;
mod fl_cables;
mod fl_float;
mod fl_flow;
mod fl_hull;
mod fl_motion;
mod fl_vessel;
mod fv_water;
#[path = "../../engine/tests/kit/mod.rs"]
mod kit;
mod streams;
mod stress;
mod wet_worlds;
