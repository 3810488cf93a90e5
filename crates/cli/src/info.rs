//! `windlass info`: what is in a scene, counted.

use crate::summary::digits;
use crate::{Outcome, load, look, show};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use windlass_engine::prelude::Kind;
use windlass_scene::Built;

const EXAMPLES: &str = "\
Examples:
  windlass info scenes/mechanism/chain.toml
  windlass info scenes/mechanism/chain.toml --json";

/// Count what is in a scene
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene file
    scene: PathBuf,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// What is in a scene.
#[derive(Debug, Serialize)]
struct Contents {
    scene: String,
    stepper: &'static str,
    /// [s]
    dt: f64,
    /// [s]
    seconds: f64,
    bodies: Bodies,
    /// By kind.
    joints: BTreeMap<&'static str, usize>,
    forces: usize,
    degrees_of_freedom: usize,
    islands: usize,
    rows: usize,
    redundant_rows: usize,
}

#[derive(Debug, Default, Serialize)]
struct Bodies {
    free: usize,
    fixed: usize,
    driven: usize,
    /// Of all free bodies together [kg].
    mass: f64,
    /// [kg]
    lightest: Option<f64>,
    /// [kg]
    heaviest: Option<f64>,
}

/// Counts.
pub fn info(arguments: &Arguments) -> Outcome {
    let contents = match load::scene(&arguments.scene) {
        Ok(mut built) => contents(load::name(&arguments.scene), &mut built),
        Err(outcome) => return outcome,
    };
    if arguments.json {
        let json = serde_json::to_string_pretty(&contents).expect("contents have string keys only");
        return show::print(&(json + "\n"));
    }
    show::print(&table(&contents))
}

fn contents(scene: String, built: &mut Built) -> Contents {
    let world = &mut built.world;
    let degrees_of_freedom = world.degrees_of_freedom();
    let redundant_rows = world.redundant().iter().map(|(_, rows)| rows).sum();
    let (model, scratch) = (world.model(), world.scratch());
    let mut bodies = Bodies::default();
    for (_, body) in model.bodies().iter() {
        match body.kind {
            Kind::Fixed => bodies.fixed += 1,
            Kind::Driven(_) => bodies.driven += 1,
            Kind::Free => {
                let mass = body.mass.mass;
                bodies.free += 1;
                bodies.mass += mass;
                bodies.lightest = Some(bodies.lightest.map_or(mass, |m: f64| m.min(mass)));
                bodies.heaviest = Some(bodies.heaviest.map_or(mass, |m: f64| m.max(mass)));
            }
        }
    }
    let mut joints = BTreeMap::new();
    for (_, joint) in model.joints().iter() {
        *joints.entry(look::kind(&joint.kind)).or_default() += 1;
    }
    Contents {
        scene,
        stepper: load::stepper(&model.settings().stepper),
        dt: model.settings().dt,
        seconds: built.seconds,
        bodies,
        joints,
        forces: model.forces().count(),
        degrees_of_freedom,
        islands: scratch.islands.list.len(),
        rows: scratch.rows.rows.len(),
        redundant_rows,
    }
}

fn table(c: &Contents) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: String| out += &format!("{name:<12}{text}\n");
    line("scene", c.scene.clone());
    line("settings", format!("{} s in steps of {} s, {}", digits(c.seconds), digits(c.dt), c.stepper));
    let b = &c.bodies;
    line("bodies", format!("{} free, {} fixed, {} driven", b.free, b.fixed, b.driven));
    if let (Some(lightest), Some(heaviest)) = (b.lightest, b.heaviest) {
        let range = format!("{} kg to {} kg", digits(lightest), digits(heaviest));
        line("mass", format!("{} kg, bodies from {range}", digits(b.mass)));
    }
    let kinds: Vec<_> = c.joints.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    line("joints", if kinds.is_empty() { "none".to_string() } else { kinds.join(", ") });
    line("forces", c.forces.to_string());
    line("freedom", format!("{} degrees", c.degrees_of_freedom));
    line("equations", format!("{} rows, {} redundant", c.rows, c.redundant_rows));
    line("islands", c.islands.to_string());
    out
}
