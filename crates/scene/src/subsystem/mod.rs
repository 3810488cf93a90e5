//! Scene text → subsystems. The one place that names the crates of subsystems: programs see what this module makes of them.

pub mod mass_points;
