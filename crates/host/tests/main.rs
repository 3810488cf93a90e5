//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

#[path = "../examples/accumulator.rs"]
#[allow(dead_code, reason = "its `main` is not called here")]
mod accumulator;
mod control;
mod defects;
mod earth_machines;
mod fluids;
mod machine;
mod subsystem;
