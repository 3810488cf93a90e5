//! Scene text → subsystems. Only this module names the crates of subsystems; programs use its types.

pub(crate) mod bin;
pub mod controllers;
pub mod fluids;
pub(crate) mod loose;
pub mod mass_points;
pub(crate) mod soft_wheel;
pub mod soil;
pub mod tracks;
pub mod vehicles;
