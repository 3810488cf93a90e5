//! The integration tests of the crate, in one binary.

mod common;
mod formulas;
mod mfeval;
mod patch_rig;
mod patch_trials;
mod properties;
mod tir_reader;
mod trials;
