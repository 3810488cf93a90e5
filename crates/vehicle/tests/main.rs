//! The integration tests of the crate, in one binary.

mod accessories;
mod assistance;
mod common;
mod components;
mod formulas;
mod hydraulics;
#[path = "../../engine/tests/kit/mod.rs"]
mod kit;
mod mfeval;
mod patch_rig;
mod patch_trials;
mod poles;
mod properties;
mod road;
mod roads;
mod rolling;
mod tir_reader;
mod train;
mod trials;
mod user_tires;
mod vehicle_edits;
mod vh_road;
mod vh_sprint;
mod vh_steering;
mod vh_tires;
mod vh_train;
