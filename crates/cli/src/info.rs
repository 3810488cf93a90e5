//! `windlass info`: the contents of a scene or a recording.

use crate::log::{INDETERMINATE, joint_list};
use crate::outcome::Outcome;
use crate::plot::{self, Picture};
use crate::vessel;
use crate::{cable, earthwork, load, recording, rope, show};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use windlass_engine::partition::Island;
use windlass_engine::prelude::{MotionType, World};
use windlass_host::text::{count, digits};
use windlass_host::{probe, violation};
use windlass_scene::visual::joint_kind;
use windlass_scene::{Built, Control, EarthworkProperties, Override, Vessel};

const EXAMPLES: &str = "\
Examples:
  windlass info scenes/mechanism/chain.toml
  windlass info scenes/mechanism/chain.toml --json
  windlass info scenes/mechanism/chain.toml --probes
  windlass info scenes/water/swell.toml --righting-arms arms.svg
  windlass info lift.wlr";

/// Print the contents of a scene or a recording
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A scene (.toml) or a recording (.wlr)
    #[arg(value_name = "SCENE|RECORDING")]
    scene: PathBuf,
    /// Override a value of the scene: "parameters.length=3 m"
    #[arg(long, value_name = "KEY=VALUE", value_parser = str::parse::<Override>)]
    set: Vec<Override>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// List the probes that can be logged and plotted instead
    #[arg(long, conflicts_with = "json")]
    probes: bool,
    /// Draw the righting-arm curves of floating bodies: .svg, or .png in builds with that feature
    #[arg(long, value_name = "FILE", value_parser = Picture::parse)]
    righting_arms: Option<Picture>,
}

/// Largest number of pairs of surfaces in the table.
const MOST_PAIRS: usize = 10;

/// Contents of a scene.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Contents {
    /// Name of the scene.
    scene: String,
    /// Integrator: `spook`, `projected` or `dormand-prince`.
    integrator: &'static str,
    /// Step [s].
    dt: f64,
    /// Simulated time of `windlass run` [s].
    duration: f64,
    /// Numbers and masses of the bodies.
    bodies: Bodies,
    /// Materials of the visuals: density by name [kg/m³].
    materials: BTreeMap<String, f64>,
    /// Collision shapes.
    colliders: usize,
    /// Names of their surfaces; "" is the default surface.
    surfaces: Vec<String>,
    /// Friction and restitution of each pair of surfaces.
    frictions: Vec<Friction>,
    /// Number of joints by kind.
    joints: BTreeMap<&'static str, usize>,
    /// Number of entries of `forces`.
    forces: usize,
    /// Cables without a route.
    cables: Vec<cable::CableProperties>,
    /// Cables with a route.
    routed_cables: Vec<rope::RoutedCableProperties>,
    /// Operator inputs.
    inputs: Vec<Control>,
    /// Bodies that float at the surface of a liquid.
    vessels: Vec<Vessel>,
    /// Soils, grounds and tools.
    earthwork: EarthworkProperties,
    /// Degrees of freedom of all bodies together.
    degrees_of_freedom: usize,
    /// Groups of bodies connected by joints; each is solved independently.
    islands: Vec<IslandContents>,
    /// Number of constraint equations.
    equations: usize,
    /// Number of redundant constraint equations.
    redundant_equations: usize,
    /// Joints whose reactions are statically indeterminate.
    indeterminate: Vec<String>,
}

/// An island.
#[derive(Debug, JsonSchema, Serialize)]
struct IslandContents {
    /// Name of its first body.
    first: String,
    /// Number of its bodies.
    bodies: usize,
    /// Number of its joints.
    joints: usize,
    /// Number of its constraint equations.
    equations: usize,
}

/// Number of islands listed in the table, the largest first.
const LISTED: usize = 8;

#[derive(Debug, Default, JsonSchema, Serialize)]
struct Bodies {
    /// Number of dynamic bodies.
    dynamic: usize,
    /// Number of static bodies.
    r#static: usize,
    /// Number of kinematic bodies.
    kinematic: usize,
    /// Mass of all dynamic bodies [kg].
    mass: f64,
    /// Smallest mass [kg].
    lightest: Option<f64>,
    /// Largest mass [kg].
    heaviest: Option<f64>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct Friction {
    /// Names of the two surfaces.
    between: [String; 2],
    /// Coefficient of static friction.
    r#static: f64,
    /// Coefficient of kinetic friction.
    kinetic: f64,
    /// Coefficient of restitution.
    restitution: f64,
}

/// Prints the contents.
pub fn info(arguments: &Arguments) -> Outcome {
    if recording::is_recording(&arguments.scene) {
        if arguments.probes || !arguments.set.is_empty() || arguments.righting_arms.is_some() {
            return show::refuse(
                "--probes, --set and --righting-arms are for scenes: a recording keeps its own",
            );
        }
        return recording::contents::print(&arguments.scene, arguments.json);
    }
    let mut built =
        match load::machine(&arguments.scene, &arguments.set).map_err(|errors| show::problems(&errors)) {
            Ok(machine) => machine.into_built(),
            Err(outcome) => return outcome,
        };
    if arguments.probes {
        return show::print(&probes(&built));
    }
    let contents = contents(load::name(&arguments.scene), &mut built);
    if let Some(file) = &arguments.righting_arms {
        if contents.vessels.is_empty() {
            return show::refuse(
                "no body of the scene floats at the surface of a liquid: it has no righting arms",
            );
        }
        let outcome = plot::write(file, &vessel::figure(&contents.vessels).draw());
        if outcome != Outcome::Well {
            return outcome;
        }
    }
    if arguments.json {
        return show::print_json(&contents);
    }
    show::print(&table(&contents))
}

/// The materials of the visuals, with their densities.
fn materials(built: &Built) -> BTreeMap<String, f64> {
    let looks = built.looks.iter().chain(built.cables.iter().map(|cable| &cable.look));
    let names = looks.flat_map(|look| &look.solids).map(|solid| solid.material.clone());
    names.filter_map(|name| built.materials.get(&name).map(|m| (name.clone(), m.density))).collect()
}

/// Collision shapes: their number, their surfaces, and the friction of each pair of surfaces.
fn contact(world: &World) -> (usize, Vec<String>, Vec<Friction>) {
    let model = world.model();
    let colliders = || model.bodies().iter().flat_map(|(_, body)| &body.colliders);
    let used: Vec<u16> = colliders().map(|c| c.surface).collect::<BTreeSet<_>>().into_iter().collect();
    let table = model.surfaces();
    let mut frictions = Vec::new();
    for (i, a) in used.iter().enumerate() {
        for b in &used[i..] {
            let touch = table.touch(*a, *b);
            frictions.push(Friction {
                between: [*a, *b].map(|s| table.name(s).to_string()),
                r#static: touch.stick,
                kinetic: touch.slide,
                restitution: touch.restitution,
            });
        }
    }
    (colliders().count(), used.iter().map(|s| table.name(*s).to_string()).collect(), frictions)
}

fn contents(scene: String, built: &mut Built) -> Contents {
    let materials = materials(built);
    let (colliders, surfaces, frictions) = contact(&built.world);
    let (cables, ropes) = (cable::facts(built), rope::facts(built));
    let inputs = built.controls.clone();
    let vessels = Vessel::all(&built.world);
    let earthwork = EarthworkProperties::of(&built.world);
    let world = &mut built.world;
    let indeterminate = violation::indeterminate(world);
    // last, so that rows and islands below are those of the joints only
    let degrees_of_freedom = world.degrees_of_freedom();
    let redundant_rows = world.redundant().iter().map(|(_, rows)| rows).sum();
    let world = &*world;
    let (model, stages) = (world.model(), world.stages());
    let mut bodies = Bodies::default();
    for (_, body) in model.bodies().iter() {
        match body.kind {
            MotionType::Static => bodies.r#static += 1,
            MotionType::Kinematic(_) | MotionType::Catenary => bodies.kinematic += 1,
            MotionType::Dynamic => {
                let mass = body.mass.mass;
                bodies.dynamic += 1;
                bodies.mass += mass;
                bodies.lightest = Some(bodies.lightest.map_or(mass, |m: f64| m.min(mass)));
                bodies.heaviest = Some(bodies.heaviest.map_or(mass, |m: f64| m.max(mass)));
            }
        }
    }
    let mut joints = BTreeMap::new();
    for (_, joint) in model.joints().iter() {
        *joints.entry(joint_kind(&joint.kind)).or_default() += 1;
    }
    Contents {
        scene,
        integrator: load::integrator(&model.settings().integrator),
        dt: model.settings().dt,
        duration: built.seconds,
        bodies,
        materials,
        colliders,
        surfaces,
        frictions,
        joints,
        forces: model.forces().count(),
        cables,
        routed_cables: ropes,
        inputs,
        vessels,
        earthwork,
        degrees_of_freedom,
        islands: islands(world),
        equations: stages.rows.rows.len(),
        redundant_equations: redundant_rows,
        indeterminate,
    }
}

fn islands(world: &World) -> Vec<IslandContents> {
    let (model, stages) = (world.model(), world.stages());
    let each = |island: &Island| IslandContents {
        first: island
            .bodies
            .first()
            .and_then(|b| model.bodies().at(*b as usize))
            .map_or_else(String::new, |b| b.name.clone()),
        bodies: island.bodies.len(),
        joints: island.groups.iter().filter(|g| stages.rows.groups[**g as usize].joint().is_some()).count(),
        equations: island.groups.iter().map(|g| stages.rows.groups[*g as usize].rows().len()).sum(),
    };
    stages.islands.list.iter().map(each).collect()
}

/// The probes, then the names they can be used with.
fn probes(built: &Built) -> String {
    let mut out = String::from("Probes; * in a NAME matches any characters.\n\n");
    for (word, unit, about) in probe::catalogue() {
        out += &format!("  {word:<62} {unit:<14}{about}\n");
    }
    let model = built.world.model();
    let bodies: Vec<_> =
        built.bodies.iter().filter_map(|id| model.bodies().get(*id)).map(|b| b.name.as_str()).collect();
    let joints = built.joints.iter().filter_map(|id| model.joints().get(*id));
    let joints: Vec<_> = joints.map(|j| format!("{} ({})", j.name, joint_kind(&j.kind))).collect();
    out += &format!("\nbodies: {}\njoints: {}\n", bodies.join(", "), joints.join(", "));
    let inputs: Vec<_> = built.controls.iter().map(|c| format!("{} ({})", c.name, c.unit)).collect();
    if !inputs.is_empty() {
        out += &format!("inputs: {}\n", inputs.join(", "));
    }
    let length = |line| digits(probe::line_length(&built.world, line));
    let cables = probe::lines(&built.world).map(|(line, name)| format!("{name} ({} m)", length(line)));
    let way = |id| built.world.rope(id).map_or(0.0, |r| r.length());
    // routed cables with flexible segments are among the cables
    let ropes = built.ropes.iter().filter(|rope| rope.cable.is_none());
    let ropes = ropes.filter_map(|rope| Some((rope.name.as_str(), *rope.ropes.first()?)));
    let ropes = ropes.map(|(name, id)| format!("{name} ({} m)", digits(way(id))));
    let cables: Vec<_> = cables.chain(ropes).collect();
    if !cables.is_empty() {
        out += &format!("cables: {}\n", cables.join(", "));
    }
    let items = probe::of_items(&built.world);
    if !items.is_empty() {
        out += "\nProbes of its vehicles, soil, controllers and rules:\n\n";
    }
    for (word, unit, about) in items {
        out += &format!("{word:<62} {unit:<14}{about}\n");
    }
    out
}

/// "hoist (Hoist), -0.5 to 0.5 m/s, ramp 0.2 per s, returns to 0, keys Up and Down, gamepad left-y, scripted".
fn lever(c: &Control) -> String {
    let mut text = c.name.clone();
    if c.label != c.name {
        text += &format!(" ({})", c.label);
    }
    text += &format!(": {} to {} {}", digits(c.low), digits(c.high), c.unit);
    if let Some(rate) = c.rate {
        text += &format!(", rate limit {} per second", digits(rate));
    }
    if let Some(rate) = c.stop_rate.filter(|rate| c.rate != Some(*rate)) {
        text += &format!(", stops at {} per second", digits(rate));
    }
    text += &format!(", {} {}", if c.returns { "returns to" } else { "starts at" }, digits(c.rest));
    if let Some([more, less]) = &c.keys {
        text += &format!(", keys {more} and {less}");
    }
    if let Some(axis) = c.gamepad.and_then(|axis| serde_json::to_value(axis).ok()) {
        text += &format!(", gamepad {}", axis.as_str().unwrap_or_default());
    }
    text + if c.scripted { ", scripted" } else { "" }
}

fn table(c: &Contents) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: String| out += &format!("{name:<20}{text}\n");
    line("scene", c.scene.clone());
    line("settings", format!("{} s in steps of {} s, {}", digits(c.duration), digits(c.dt), c.integrator));
    let b = &c.bodies;
    line("bodies", format!("{} dynamic, {} static, {} kinematic", b.dynamic, b.r#static, b.kinematic));
    if let (Some(lightest), Some(heaviest)) = (b.lightest, b.heaviest) {
        let range = format!("{} kg to {} kg", digits(lightest), digits(heaviest));
        line("mass", format!("{} kg, bodies from {range}", digits(b.mass)));
    }
    let densities: Vec<_> =
        c.materials.iter().map(|(name, d)| format!("{name} ({} kg/m³)", digits(*d))).collect();
    line("materials", if densities.is_empty() { "none".to_string() } else { densities.join(", ") });
    let called = |name: &String| if name.is_empty() { "plain".to_string() } else { name.clone() };
    let surfaces: Vec<_> = c.surfaces.iter().map(called).collect();
    let of = if surfaces.is_empty() { String::new() } else { format!(" of {}", surfaces.join(", ")) };
    line("collision shapes", format!("{}{of}", count(c.colliders, "collider")));
    for (k, f) in c.frictions.iter().enumerate().take(MOST_PAIRS) {
        let [a, b] = f.between.each_ref().map(called);
        let [rest, sliding, bounce] = [f.r#static, f.kinetic, f.restitution].map(digits);
        let name = if k == 0 { "friction" } else { "" };
        line(name, format!("{a} on {b}: static {rest}, kinetic {sliding}; restitution {bounce}"));
    }
    if c.frictions.len() > MOST_PAIRS {
        line("", format!("… and {} more pairs (--json has all)", c.frictions.len() - MOST_PAIRS));
    }
    let kinds: Vec<_> = c.joints.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    line("joints", if kinds.is_empty() { "none".to_string() } else { kinds.join(", ") });
    line("forces", c.forces.to_string());
    let listed = c.cables.iter().take(LISTED).flat_map(|cable| cable.lines());
    for (k, text) in listed.enumerate() {
        line(if k == 0 { "cables" } else { "" }, text);
    }
    if c.cables.len() > LISTED {
        line("", format!("… and {} more cables (--json has all)", c.cables.len() - LISTED));
    }
    let listed = c.routed_cables.iter().take(LISTED).flat_map(|rope| rope.lines());
    for (k, text) in listed.enumerate() {
        line(if k == 0 { "routed cables" } else { "" }, text);
    }
    if c.routed_cables.len() > LISTED {
        line("", format!("… and {} more routed cables (--json has all)", c.routed_cables.len() - LISTED));
    }
    for (k, input) in c.inputs.iter().enumerate() {
        line(if k == 0 { "inputs" } else { "" }, lever(input));
    }
    let listed = c.vessels.iter().take(LISTED).flat_map(vessel::lines);
    for (k, text) in listed.enumerate() {
        line(if k == 0 { "vessels" } else { "" }, text);
    }
    if c.vessels.len() > LISTED {
        line("", format!("… and {} more vessels (--json has all)", c.vessels.len() - LISTED));
    }
    earthwork::lines(&c.earthwork).into_iter().for_each(|(name, text)| line(name, text));
    line("degrees of freedom", c.degrees_of_freedom.to_string());
    line("equations", format!("{}, {} redundant", c.equations, c.redundant_equations));
    if !c.indeterminate.is_empty() {
        line(
            "reactions",
            format!("{} statically indeterminate: {INDETERMINATE}", joint_list(&c.indeterminate)),
        );
    }
    line("islands", c.islands.len().to_string());
    let mut largest: Vec<_> = c.islands.iter().collect();
    largest.sort_by_key(|group| std::cmp::Reverse(group.equations));
    for group in largest.iter().take(LISTED) {
        let [bodies, joints, equations] =
            [(group.bodies, "body"), (group.joints, "joint"), (group.equations, "equation")]
                .map(|(n, noun)| count(n, noun));
        line("", format!("{bodies}, {joints}, {equations}: {} …", group.first));
    }
    if largest.len() > LISTED {
        line("", format!("and {} smaller", count(largest.len() - LISTED, "island")));
    }
    out
}
