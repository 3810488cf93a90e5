//! The cranes of `scenes/crane` as they are shipped: what a step costs, and how many times faster than real time that is.
//!
//! No rival has these scenes: ropes over winches and pulleys with their mass and friction are what the packages lack.

use crate::measure::{Samples, timed};
use crate::row;
use crate::table::{Cell, Table};
use windlass_engine::prelude::World;

/// Scenes, and the times real time they are to reach, where one was set.
const CRANES: [(&str, Option<f64>); 6] = [
    ("gantry", Some(100.0)),
    ("mobile_crane", None),
    ("mobile_crane_flexible", Some(50.0)),
    ("tower_crane", None),
    ("two_cranes", None),
    ("anchor_handling", None),
];

/// Seconds of a run, if the scene itself is not shorter.
const LONGEST: f64 = 20.0;

fn load(name: &str) -> (World, f64) {
    let path = format!("{}/../scenes/crane/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let built = windlass_scene::read(&path).and_then(|scene| scene.build());
    let built = built.unwrap_or_else(|e| panic!("{name}: {e}"));
    (built.world, built.seconds)
}

pub fn run(quick: bool) -> Vec<Table> {
    let columns = ["crane", "bodies", "step ms", "median µs", "mean µs", "times real time", "goal"];
    let mut table = Table::new("crane: one step [µs], CPU time", &columns);
    for (name, goal) in &CRANES[..if quick { 3 } else { CRANES.len() }] {
        let (mut world, seconds) = load(name);
        let dt = world.model().settings().dt;
        let steps = (seconds.min(if quick { 2.0 } else { LONGEST }) / dt).round() as usize;
        let (mut times, mut sum) = (Samples::default(), 0.0);
        for _ in 0..steps {
            let time = timed(|| assert!(world.step().fault.is_none(), "{name}"));
            times.push(time);
            sum += time;
        }
        let mean = sum / steps as f64;
        let goal = goal.map_or(Cell::Empty, Cell::from);
        let bodies = world.model().bodies().count();
        table.push(row![*name, bodies, 1e3 * dt, times.median(), mean, 1e6 * dt / mean, goal]);
    }
    table.note("Times real time by the mean, since elements that come and go make some steps dearer.");
    vec![table]
}
