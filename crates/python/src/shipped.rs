//! Scenes that come with the package, for its tasks and examples.

use pyo3::prelude::*;

/// Names and texts of the scenes.
#[pyfunction]
pub fn shipped_scenes() -> Vec<(&'static str, &'static str)> {
    vec![
        ("learn/antisway.toml", include_str!("../../../scenes/learn/antisway.toml")),
        ("learn/antisway_cable.toml", include_str!("../../../scenes/learn/antisway_cable.toml")),
        ("learn/truck_dock.toml", include_str!("../../../scenes/learn/truck_dock.toml")),
        ("learn/swell_pickup.toml", include_str!("../../../scenes/learn/swell_pickup.toml")),
        ("learn/blind_lift.toml", include_str!("../../../scenes/learn/blind_lift.toml")),
        ("learn/cable_routing.toml", include_str!("../../../scenes/learn/cable_routing.toml")),
        ("learn/dig.toml", include_str!("../../../scenes/learn/dig.toml")),
        ("crane/operated.toml", include_str!("../../../scenes/crane/operated.toml")),
        ("mechanism/pendulum.toml", include_str!("../../../scenes/mechanism/pendulum.toml")),
    ]
}
