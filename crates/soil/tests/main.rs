//! Tests of the soil crate.

mod allocation;
mod cases;
mod cutting;
mod ew_worlds;
mod full_bucket;
mod ground;
#[path = "../../engine/tests/kit/mod.rs"]
mod kit;
mod loose_world;
mod particles;
mod shaping;
mod soft_wheels;
mod tracks;
mod wheels;
mod world;
