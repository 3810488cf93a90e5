//! Scene text → subsystems. Only this module names the crates of subsystems; programs use its types.

pub mod fluids;
pub mod mass_points;
