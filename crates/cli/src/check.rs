//! `windlass check`: all errors in scenes, and warnings about valid ones.

use crate::outcome::Outcome;
use crate::summary::Redundant;
use crate::{cable, load, rope, show};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use windlass_host::text::{count, digits};
use windlass_host::violation;
use windlass_scene::{Built, Errors, FluidWarning, Override, SoilWarning, VehicleWarning, WinchWarning};

const EXAMPLES: &str = "\
Examples:
  windlass check crane.toml
  windlass check scenes/mechanism/*.toml
  windlass check crane.toml --json";

/// Report all errors in scenes, and warnings, without running them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene files
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Override a value of the scenes: "parameters.length=3 m"
    #[arg(long, value_name = "KEY=VALUE", value_parser = str::parse::<Override>)]
    set: Vec<Override>,
    /// Print one JSON object: per scene, its problems with file, line and column, or its contents and warnings
    #[arg(long)]
    json: bool,
}

/// Results for all scenes.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Findings {
    /// Whether all scenes are valid.
    valid: bool,
    /// The scenes, in the order of the command line.
    scenes: Vec<SceneFinding>,
}

/// Result for one scene.
#[derive(Debug, Default, JsonSchema, Serialize)]
struct SceneFinding {
    /// Path of the scene.
    scene: String,
    /// Whether it is valid.
    valid: bool,
    /// Its errors.
    problems: Vec<Problem>,
    /// Contents and warnings of a valid scene.
    contents: Option<Contents>,
}

/// An error.
#[derive(Debug, JsonSchema, Serialize)]
struct Problem {
    /// The file, or the `--set` option.
    file: String,
    /// Line, from 1; 1 if the problem concerns the whole file.
    line: usize,
    /// Column in characters, from 1.
    column: usize,
    /// The problem.
    message: String,
    /// The remedy.
    help: Option<String>,
}

/// Contents and warnings of a valid scene.
#[derive(Debug, JsonSchema, Serialize)]
struct Contents {
    /// Number of bodies.
    bodies: usize,
    /// Number of joints.
    joints: usize,
    /// Degrees of freedom of all bodies together.
    degrees_of_freedom: usize,
    /// Joints with redundant constraint equations.
    redundant: Vec<Redundant>,
    /// Joints that are not closed at the start.
    open_joints: Vec<OpenJoint>,
    /// Bodies that are wholly below a plane.
    below_planes: Vec<BelowPlane>,
    /// Cables whose rotation measure is unstable at the step.
    unstable_cables: Vec<UnstableCable>,
    /// Pulleys that a rope barely touches.
    small_wraps: Vec<SmallWrap>,
    /// Winches that cannot hold the initial tension of their ropes.
    weak_winches: Vec<WinchWarning>,
    /// Prescribed motions that start with a jump.
    velocity_jumps: Vec<VelocityJump>,
    /// Warnings about fluids and bodies in them.
    fluids: Vec<FluidWarning>,
    /// Warnings about soil, tools and bodies in the ground.
    soils: Vec<SoilWarning>,
    /// Warnings about vehicles.
    vehicles: Vec<VehicleWarning>,
    /// What was left when bodies were moved to close joints at the start; none if no body was moved.
    assembled: Option<Assembled>,
}

/// A joint with a body whose prescribed initial velocity the other bodies do not have.
#[derive(Debug, JsonSchema, Serialize)]
struct VelocityJump {
    /// Name of the joint.
    joint: String,
    /// The body whose motion is prescribed.
    body: String,
    /// Difference of the velocities [m/s or rad/s].
    jump: f64,
}

/// Result of assembling a scene whose joints were open.
#[derive(Debug, JsonSchema, Serialize)]
struct Assembled {
    /// The remaining violation [m or rad].
    violation: f64,
    /// The joint that cannot be closed.
    open: Option<String>,
}

/// A cable whose model is unstable at the scene's step.
#[derive(Debug, JsonSchema, Serialize)]
struct UnstableCable {
    /// Name of the cable.
    cable: String,
    /// The problem and its remedy.
    warning: String,
}

/// A pulley with almost no wrap angle.
#[derive(Debug, JsonSchema, Serialize)]
struct SmallWrap {
    /// Name of the cable.
    cable: String,
    /// Number of the route point, from 1.
    point: usize,
    /// The problem and its remedy.
    warning: String,
}

/// A body completely below a plane with which it collides.
#[derive(Debug, JsonSchema, Serialize)]
struct BelowPlane {
    /// Name of the body.
    body: String,
    /// Name of the body that has the plane.
    plane: String,
    /// Depth of its highest point below the plane [m].
    depth: f64,
}

/// A joint that is open at the start.
#[derive(Debug, JsonSchema, Serialize)]
struct OpenJoint {
    /// Name of the joint.
    joint: String,
    /// Violation at the start [m or rad].
    violation: f64,
}

/// Violations above this are reported [m or rad].
const OPEN: f64 = 1e-6;

/// Checks.
pub fn check(arguments: &Arguments) -> Outcome {
    let mut worst = Outcome::Well;
    let mut findings = Vec::new();
    for path in &arguments.scenes {
        let scene = path.display().to_string();
        let (finding, outcome) = match load::judged(path, &arguments.set) {
            Ok(machine) => {
                let soils = SoilWarning::all(machine.scene(), machine.world());
                let contents = Some(contents(&mut machine.into_built(), soils));
                (SceneFinding { scene, valid: true, contents, ..SceneFinding::default() }, Outcome::Well)
            }
            Err(errors) if arguments.json => (
                SceneFinding { scene, problems: problems(&errors), ..SceneFinding::default() },
                show::cause(&errors),
            ),
            Err(errors) => (SceneFinding { scene, ..SceneFinding::default() }, show::problems(&errors)),
        };
        worst = worst.max(outcome);
        if !arguments.json {
            worst = worst.max(show::print(&finding.text()));
        }
        findings.push(finding);
    }
    if arguments.json {
        let valid = findings.iter().all(|f| f.valid);
        worst = worst.max(show::print_json(&Findings { valid, scenes: findings }));
    }
    worst
}

fn problems(errors: &Errors) -> Vec<Problem> {
    let problem = |p: &windlass_scene::Problem| {
        let (line, column) = errors.place(p);
        let file = errors.source(p).map_or_else(|| errors.file.clone(), |(source, _)| source.name.clone());
        Problem { file, line, column, message: p.message.clone(), help: p.help.clone() }
    };
    errors.problems.iter().map(problem).collect()
}

fn contents(built: &mut Built, soils: Vec<SoilWarning>) -> Contents {
    let buried =
        built.buried().into_iter().map(|b| BelowPlane { body: b.body, plane: b.plane, depth: b.depth });
    let buried = buried.collect();
    let unsteady =
        |facts: cable::CableProperties| Some(UnstableCable { warning: facts.warning()?, cable: facts.name });
    let unsteady = cable::facts(built).into_iter().filter_map(unsteady).collect();
    let touched = |facts: rope::RoutedCableProperties| {
        let warnings = facts.warnings().into_iter();
        warnings.map(move |(point, warning)| SmallWrap { cable: facts.name.clone(), point, warning })
    };
    let touched = rope::facts(built).into_iter().flat_map(touched).collect();
    let assembled =
        built.assembly.as_ref().map(|a| Assembled { violation: a.left.gap, open: a.open.clone() });
    let (fluids, weak_winches) = (built.fluid_warnings(), built.winch_warnings());
    let vehicles = VehicleWarning::all(&built.world);
    let world = &mut built.world;
    let degrees_of_freedom = world.degrees_of_freedom();
    let jerked = |(joint, body, by): (String, String, f64)| VelocityJump { joint, body, jump: by };
    let open =
        |(place, gap): (usize, f64)| OpenJoint { joint: violation::joint_name(world, place), violation: gap };
    Contents {
        bodies: world.model().bodies().count(),
        joints: world.model().joints().count(),
        degrees_of_freedom,
        redundant: violation::redundant(world)
            .into_iter()
            .map(|(joint, rows)| Redundant { joint, equations: rows })
            .collect(),
        open_joints: violation::gaps(world).filter(|(_, gap)| *gap > OPEN).map(open).collect(),
        below_planes: buried,
        unstable_cables: unsteady,
        small_wraps: touched,
        weak_winches,
        velocity_jumps: violation::jerks(world).into_iter().map(jerked).collect(),
        fluids,
        soils,
        vehicles,
        assembled,
    }
}

impl SceneFinding {
    /// One line for a valid scene, and one per warning; nothing for an invalid one.
    fn text(&self) -> String {
        let Some(c) = &self.contents else { return String::new() };
        let (bodies, joints) = (count(c.bodies, "body"), count(c.joints, "joint"));
        let ways = match c.degrees_of_freedom {
            1 => "1 degree of freedom".to_string(),
            n => format!("{n} degrees of freedom"),
        };
        let mut text = format!("{}: valid; {bodies}, {joints}, {ways}\n", self.scene);
        if !c.redundant.is_empty() {
            let each = |r: &Redundant| format!("{} ({})", r.joint, count(r.equations, "equation"));
            let list: Vec<_> = c.redundant.iter().map(each).collect();
            let note = "redundant constraint equations: the motion is determined, single reactions are not";
            text += &format!("  redundant: {}: {note}\n", list.join(", "));
        }
        // a joint that cannot be closed has a line of its own below
        let unclosed = c.assembled.as_ref().and_then(|a| a.open.as_ref());
        for open in c.open_joints.iter().filter(|open| unclosed.is_none_or(|joint| open.joint != *joint)) {
            let end = if unclosed.is_some() { "" } else { ": the first steps will close it" };
            text += &format!("  open: {} by {} (m or rad){end}\n", open.joint, digits(open.violation));
        }
        for b in &c.below_planes {
            let depth = digits(b.depth);
            text +=
                &format!("  below: {} is completely below the plane of {}, by {depth} m\n", b.body, b.plane);
        }
        match &c.assembled {
            Some(Assembled { open: None, .. }) => {
                text += "  assembled: joints were open; bodies were moved to close them\n";
            }
            Some(Assembled { open: Some(joint), violation }) => {
                let gap = digits(*violation);
                text += &format!("  not assembled: {joint} cannot be closed; {gap} (m or rad) remain\n");
            }
            None => {}
        }
        for VelocityJump { joint, body, jump } in &c.velocity_jumps {
            let jump = digits(*jump);
            text += &format!(
                "  velocity jump: {joint}: the prescribed velocity of {body} differs from that of the joined body by {jump} m/s or rad/s: \
                 give both the same velocity, or start the motion from rest\n"
            );
        }
        for FluidWarning { name, warning } in &c.fluids {
            text += &format!("  fluid: {name}: {warning}\n");
        }
        for SoilWarning { place, key, warning } in &c.soils {
            text += &format!("  soil: {place}: {key}: {warning}\n");
        }
        for VehicleWarning { name, warning } in &c.vehicles {
            text += &format!("  vehicle: {name}: {warning}\n");
        }
        for u in &c.unstable_cables {
            text += &format!("  unstable: {}: {}\n", u.cable, u.warning);
        }
        for t in &c.small_wraps {
            text += &format!("  wrap: {}: {}\n", t.cable, t.warning);
        }
        for WinchWarning { name, warning, .. } in &c.weak_winches {
            text += &format!("  winch: {name}: {warning}\n");
        }
        text
    }
}
