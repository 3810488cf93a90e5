//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

mod allocation;
mod contact;
#[path = "../../engine/tests/kit/mod.rs"]
mod kit;
mod plasticity;
mod springs;
mod statics;
mod world;
