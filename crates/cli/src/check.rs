//! `windlass check`: everything wrong with scenes, and what is odd about the sound ones.

use crate::outcome::Outcome;
use crate::summary::Redundant;
use crate::{cable, load, rope, show};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use windlass_host::text::{count, digits};
use windlass_host::{Machine, violation};
use windlass_scene::{Built, Errors, Override};

const EXAMPLES: &str = "\
Examples:
  windlass check crane.toml
  windlass check scenes/mechanism/*.toml
  windlass check crane.toml --json";

/// Look for everything wrong with scenes, without running them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The scene files
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Put a value in place of the scenes': "parameters.length=3 m"
    #[arg(long, value_name = "KEY=VALUE", value_parser = str::parse::<Override>)]
    set: Vec<Override>,
    /// Print one JSON object: of each scene its problems with file, line and column, or what it has
    #[arg(long)]
    json: bool,
}

/// What was found in all scenes.
#[derive(Debug, Serialize)]
struct Findings {
    sound: bool,
    scenes: Vec<Finding>,
}

/// What was found in one scene.
#[derive(Debug, Default, Serialize)]
struct Finding {
    scene: String,
    sound: bool,
    problems: Vec<Problem>,
    /// Of a sound scene.
    contents: Option<Contents>,
}

/// Something wrong.
#[derive(Debug, Serialize)]
struct Problem {
    file: String,
    /// From 1; 1 and 1 if it is about the whole file.
    line: usize,
    /// From 1, in characters.
    column: usize,
    message: String,
    help: Option<String>,
}

/// What a sound scene has.
#[derive(Debug, Serialize)]
struct Contents {
    bodies: usize,
    joints: usize,
    degrees_of_freedom: usize,
    redundant: Vec<Redundant>,
    open: Vec<Open>,
    buried: Vec<Buried>,
    unsteady: Vec<Unsteady>,
    touched: Vec<Touched>,
    jerked: Vec<Jerked>,
    assembled: Option<Assembled>,
}

/// A joint one of whose bodies has a prescribed velocity at the start that the others do not have.
#[derive(Debug, Serialize)]
struct Jerked {
    joint: String,
    body: String,
    /// [m/s or rad/s]
    by: f64,
}

/// A scene whose joints stood open.
#[derive(Debug, Serialize)]
struct Assembled {
    /// The gap that is left [m or rad].
    gap: f64,
    /// The joint that cannot be closed.
    open: Option<String>,
}

/// A cable whose model cannot hold at the scene's step.
#[derive(Debug, Serialize)]
struct Unsteady {
    cable: String,
    warning: String,
}

/// A pulley that a rope only touches.
#[derive(Debug, Serialize)]
struct Touched {
    cable: String,
    /// From 1.
    point: usize,
    warning: String,
}

/// A body wholly below a plane that would push it out.
#[derive(Debug, Serialize)]
struct Buried {
    body: String,
    plane: String,
    /// [m]
    depth: f64,
}

/// A joint that stands open at the start.
#[derive(Debug, Serialize)]
struct Open {
    joint: String,
    /// [m or rad]
    gap: f64,
}

/// Gaps above this are told [m or rad].
const OPEN: f64 = 1e-6;

/// Checks.
pub fn check(arguments: &Arguments) -> Outcome {
    let mut worst = Outcome::Well;
    let mut findings = Vec::new();
    for path in &arguments.scenes {
        let scene = path.display().to_string();
        let (finding, outcome) = match built(path, &arguments.set) {
            Ok(mut built) => {
                let contents = Some(contents(&mut built));
                (Finding { scene, sound: true, contents, ..Finding::default() }, Outcome::Well)
            }
            Err(errors) if arguments.json => {
                (Finding { scene, problems: problems(&errors), ..Finding::default() }, show::cause(&errors))
            }
            Err(errors) => (Finding { scene, ..Finding::default() }, show::problems(&errors)),
        };
        worst = worst.max(outcome);
        if !arguments.json {
            worst = worst.max(show::print(&finding.text()));
        }
        findings.push(finding);
    }
    if arguments.json {
        let sound = findings.iter().all(|f| f.sound);
        worst = worst.max(show::print_json(&Findings { sound, scenes: findings }));
    }
    worst
}

/// A scene that was built, its own probes among it.
fn built(path: &Path, set: &[Override]) -> Result<Built, Errors> {
    load::judged(path, set).map(Machine::into_built)
}

fn problems(errors: &Errors) -> Vec<Problem> {
    let problem = |p: &windlass_scene::Problem| {
        let (line, column) = errors.place(p);
        let file = errors.source(p).map_or_else(|| errors.file.clone(), |(source, _)| source.name.clone());
        Problem { file, line, column, message: p.message.clone(), help: p.help.clone() }
    };
    errors.problems.iter().map(problem).collect()
}

fn contents(built: &mut Built) -> Contents {
    let buried = built.buried().into_iter().map(|b| Buried { body: b.body, plane: b.plane, depth: b.depth });
    let buried = buried.collect();
    let unsteady = |facts: cable::Facts| Some(Unsteady { warning: facts.warning()?, cable: facts.name });
    let unsteady = cable::facts(built).into_iter().filter_map(unsteady).collect();
    let touched = |facts: rope::Facts| {
        let warnings = facts.warnings().into_iter();
        warnings.map(move |(point, warning)| Touched { cable: facts.name.clone(), point, warning })
    };
    let touched = rope::facts(built).into_iter().flat_map(touched).collect();
    let assembled = built.assembly.as_ref().map(|a| Assembled { gap: a.left.gap, open: a.open.clone() });
    let world = &mut built.world;
    let degrees_of_freedom = world.degrees_of_freedom();
    let jerked = |(joint, body, by): (String, String, f64)| Jerked { joint, body, by };
    let open = |(place, gap): (usize, f64)| Open { joint: violation::joint_name(world, place), gap };
    Contents {
        bodies: world.model().bodies().count(),
        joints: world.model().joints().count(),
        degrees_of_freedom,
        redundant: violation::redundant(world)
            .into_iter()
            .map(|(joint, rows)| Redundant { joint, rows })
            .collect(),
        open: violation::gaps(world).filter(|(_, gap)| *gap > OPEN).map(open).collect(),
        buried,
        unsteady,
        touched,
        jerked: violation::jerks(world).into_iter().map(jerked).collect(),
        assembled,
    }
}

impl Finding {
    /// One line that says it is sound, and one for each oddity; nothing if it is not.
    fn text(&self) -> String {
        let Some(c) = &self.contents else { return String::new() };
        let (bodies, joints) = (count(c.bodies, "body"), count(c.joints, "joint"));
        let ways = match c.degrees_of_freedom {
            1 => "1 degree of freedom".to_string(),
            n => format!("{n} degrees of freedom"),
        };
        let mut text = format!("{}: sound; {bodies}, {joints}, {ways}\n", self.scene);
        if !c.redundant.is_empty() {
            let each = |r: &Redundant| format!("{} ({})", r.joint, count(r.rows, "row"));
            let list: Vec<_> = c.redundant.iter().map(each).collect();
            let note = "their equations repeat others; motion is right, single reactions are not unique";
            text += &format!("  redundant: {}: {note}\n", list.join(", "));
        }
        for open in &c.open {
            text += &format!(
                "  open: {} by {} (m or rad): the first steps will pull it together\n",
                open.joint,
                digits(open.gap)
            );
        }
        for b in &c.buried {
            let depth = digits(b.depth);
            text +=
                &format!("  below: {} stands wholly below the plane of {}, by {depth} m\n", b.body, b.plane);
        }
        match &c.assembled {
            Some(Assembled { open: None, .. }) => {
                text += "  assembled: joints stood open; bodies were moved until they were closed\n";
            }
            Some(Assembled { open: Some(joint), gap }) => {
                let gap = digits(*gap);
                text += &format!(
                    "  not assembled: {joint} stays open by {gap} (m or rad) wherever the bodies are moved\n"
                );
            }
            None => {}
        }
        for Jerked { joint, body, by } in &c.jerked {
            let by = digits(*by);
            text += &format!(
                "  jerked: {joint}: {body} starts with a speed that what it pulls does not have, by {by} m/s or rad/s: give that \
                 the same velocity, or let the path start from rest\n"
            );
        }
        for u in &c.unsteady {
            text += &format!("  unsteady: {}: {}\n", u.cable, u.warning);
        }
        for t in &c.touched {
            text += &format!("  wrap: {}: {}\n", t.cable, t.warning);
        }
        text
    }
}
