//! `windlass plot`: columns of a table, or probes of a scene, → a figure.

#[cfg(feature = "png")]
mod png;
mod sweep;

use crate::console::{self, Console};
use crate::load::{self, Changes, time};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::show;
use crate::table::{self, Read, Trouble};
use clap::Args;
use std::io;
use std::path::PathBuf;
use windlass_engine::prelude::World;
use windlass_host::probe::{Column, suggestion};
use windlass_host::run::step_count;
use windlass_host::{Observer, OutputReader, Outputs, Plan, Step};
use windlass_plot::{Curve, Figure, Measure, drawable};
use windlass_scene::save::{Older, save};

const EXAMPLES: &str = "\
Examples:
  windlass plot lift.csv --y bodies.load.position.z,bodies.load.velocity.z -o lift.svg
  windlass plot swing.csv --x bob.x --y bob.z -o path.svg
  windlass plot travel.csv -o travel.svg          # the table of a sweep: measures over a varied key
  windlass plot scenes/mechanism/luffing_crane.toml -o lift.svg \\
      --probe \"height=bodies.load.position.z\" --probe \"tension=joints.hoist.tension\"

Columns of one unit share a panel. `windlass info SCENE --probes` lists what can be probed.";

/// Draw columns of a table, or probes of a scene
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A table (.csv, .parquet), or a scene (.toml), which is run
    #[arg(value_name = "TABLE|SCENE")]
    source: PathBuf,
    /// The column along the horizontal axis; default: the time, or the first varied key of a sweep
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// Columns of the table to draw, separated by commas; * matches any characters
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    y: Vec<String>,
    /// The figure to write: .svg, or .png in builds with that feature
    #[arg(long, short, value_name = "FILE", value_parser = Picture::parse)]
    output: Picture,
    /// Probe of a scene to draw: "bodies.load.position.z", or with a label "height=bodies.load.position.z"
    #[arg(long, value_name = "PROBE")]
    probe: Vec<String>,
    /// Duration of the run of a scene, instead of its own
    #[arg(long, value_name = "TIME", value_parser = time)]
    duration: Option<f64>,
    #[command(flatten)]
    changes: Changes,
    /// Angles in degrees
    #[arg(long)]
    degrees: bool,
    /// Title of the figure
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,
}

/// The column along the horizontal axis, unless another is named.
const TIME: &str = "time";
/// Largest number of drawn instants of a scene: more than the width of a figure in pixels.
const INSTANTS: u64 = 4000;
/// Largest number of columns of a table drawn if none are selected.
const UNCHOSEN: usize = 8;

/// The file of a figure.
#[derive(Clone, Debug)]
pub struct Picture {
    path: PathBuf,
    pixels: bool,
}

impl Picture {
    /// Reads the name of a file.
    pub fn parse(text: &str) -> Result<Picture, String> {
        let path = PathBuf::from(text);
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Picture { path, pixels: false }),
            Some("png") if cfg!(feature = "png") => Ok(Picture { path, pixels: true }),
            Some("png") => Err("this windlass was built without PNG: give a name ending in .svg, \
                                or build it with `--features png`"
                .to_string()),
            _ => Err("give a name ending in .svg or .png".to_string()),
        }
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let fits = |side: u32| (200..=10_000).contains(&side);
    sides
        .filter(|(w, h)| fits(*w) && fits(*h))
        .ok_or_else(|| "give two numbers of 200 to 10000, as in 800x600".to_string())
}

/// Draws.
pub fn plot(arguments: &Arguments) -> Outcome {
    let is_scene = arguments.source.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    if !is_scene && let Some(outcome) = from_sweep(arguments) {
        return outcome;
    }
    let columns = if is_scene { from_scene(arguments) } else { from_table(arguments) };
    let (mut columns, outcome) = match columns {
        Ok(columns) => columns,
        Err(outcome) => return outcome,
    };
    if arguments.degrees {
        columns.iter_mut().for_each(to_degrees);
    }
    let x = columns.remove(0);
    let drawn = |column: &Read| column.numbers.iter().any(|n| drawable(*n));
    if !drawn(&x) || !columns.iter().any(drawn) {
        return show::refuse("nothing to draw: the columns have no numbers");
    }
    let curve = |column: &Read| {
        let points = x.numbers.iter().copied().zip(column.numbers.iter().copied()).collect();
        Curve::line(&column.label(), &column.unit, points)
    };
    let figure = Figure {
        title: arguments.title.clone(),
        size: arguments.size,
        x: Measure::new(&x.label(), &x.unit),
        curves: columns.iter().map(curve).collect(),
        ..Figure::default()
    };
    outcome.max(write(&arguments.output, &figure.draw()))
}

/// Writes a drawing.
pub fn write(to: &Picture, drawing: &str) -> Outcome {
    let written = match to.pixels {
        false => save(&to.path, drawing.as_bytes(), Older::Replaced).map_err(|e| e.to_string()),
        true => write_pixels(&to.path, drawing),
    };
    match written {
        Ok(()) => Outcome::Well,
        Err(e) => {
            show::tell(&format!("error: cannot write {}: {e}", to.path.display()));
            Outcome::File
        }
    }
}

#[cfg(feature = "png")]
use png::write as write_pixels;

#[cfg(not(feature = "png"))]
fn write_pixels(_path: &std::path::Path, _drawing: &str) -> Result<(), String> {
    Err("built without PNG".to_string())
}

/// Draws the table of a sweep; none if the source is another table.
fn from_sweep(arguments: &Arguments) -> Option<Outcome> {
    // what cannot be read is reported as any other table
    let content = match table::sweep::read(&arguments.source) {
        Ok(content) => content?,
        Err(Trouble::Input(e)) if arguments.source.is_file() => return Some(show::refuse(&e)),
        Err(_) => return None,
    };
    if let Err(outcome) = only_scenes(arguments) {
        return Some(outcome);
    }
    let (mut x, mut curves) = match sweep::curves(&content, arguments.x.as_deref(), &arguments.y) {
        Ok(drawn) => drawn,
        Err(e) => return Some(show::refuse(&e)),
    };
    if arguments.degrees {
        let turned = |unit: &str| unit.strip_prefix("rad").map(|rest| format!("deg{rest}"));
        if let Some(unit) = turned(&x.unit) {
            x.unit = unit;
            curves.iter_mut().flat_map(|c| &mut c.points).for_each(|p| p.0 = p.0.to_degrees());
        }
        for curve in &mut curves {
            if let Some(unit) = turned(&curve.measure.unit) {
                curve.measure.unit = unit;
                curve.points.iter_mut().for_each(|p| p.1 = p.1.to_degrees());
            }
        }
    }
    let drawn = |curve: &Curve| curve.points.iter().any(|(x, y)| drawable(*x) && drawable(*y));
    if !curves.iter().any(drawn) {
        return Some(show::refuse("nothing to draw: no row has both numbers"));
    }
    let (title, size) = (arguments.title.clone(), arguments.size);
    let figure = Figure { title, size, x, curves, ..Figure::default() };
    Some(write(&arguments.output, &figure.draw()))
}

/// Rejects options that apply to scenes only.
fn only_scenes(arguments: &Arguments) -> Result<(), Outcome> {
    let changes = &arguments.changes;
    let changed = !changes.values.is_empty() || changes.threads.is_some();
    if arguments.probe.is_empty() && arguments.duration.is_none() && !changed {
        return Ok(());
    }
    Err(show::refuse(
        "--probe and run options apply to scenes only: select columns of a table with --y, or give a .toml file",
    ))
}

/// The columns of a table, x before the others.
fn from_table(arguments: &Arguments) -> Result<(Vec<Read>, Outcome), Outcome> {
    only_scenes(arguments)?;
    let read = |names: &[String]| {
        table::read(&arguments.source, names).map_err(|trouble| match trouble {
            Trouble::File(e) => {
                show::tell(&format!("error: {e}"));
                Outcome::File
            }
            Trouble::Input(e) => show::refuse(&e),
        })
    };
    let x = arguments.x.clone().unwrap_or_else(|| TIME.to_string());
    if arguments.y.is_empty() {
        let mut all = read(&[])?;
        let Some(place) = all.iter().position(|c| c.name == x) else {
            return read(&[x]).map(|columns| (columns, Outcome::Well));
        };
        all.swap(0, place);
        if all.len() > UNCHOSEN + 1 {
            let names = all.iter().skip(1).map(|c| c.name.as_str());
            let help = suggestion("", "columns", names);
            return Err(show::refuse(&format!("select columns with --y; {help}")));
        }
        return Ok((all, Outcome::Well));
    }
    let names: Vec<_> = std::iter::once(x).chain(arguments.y.iter().cloned()).collect();
    Ok((read(&names)?, Outcome::Well))
}

/// Probes of a scene, x before the others. After a fault the part before it is drawn.
fn from_scene(arguments: &Arguments) -> Result<(Vec<Read>, Outcome), Outcome> {
    if !arguments.y.is_empty() {
        return Err(show::refuse("a scene has no columns: use --probe instead of --y"));
    }
    if arguments.probe.is_empty() {
        let list = format!("windlass info {} --probes", arguments.source.display());
        return Err(show::refuse(&format!("select quantities with --probe; `{list}` lists them")));
    }
    let mut machine = load::changed(&arguments.source, &arguments.changes)?;
    let outputs = load::outputs(&arguments.probe, machine.world())?;
    let names: Vec<_> = outputs.columns().iter().map(|c| c.name.clone()).collect();
    let axis = arguments.x.as_deref().unwrap_or(TIME);
    let Some(x) = names.iter().position(|name| name == axis) else {
        let help = suggestion(axis, "columns", names.iter().map(String::as_str));
        return Err(show::refuse(&format!("no column \"{axis}\" for --x; {help}")));
    };
    let steps = step_count(arguments.duration.unwrap_or(machine.seconds()), machine.dt());
    let mut gather = Gather::new(outputs, steps.div_ceil(INSTANTS));
    let mut progress = Progress::new(steps, false);
    let mut console = Console::listen();
    let result = machine.run(Plan::steps(steps), &mut console, &mut [&mut gather, &mut progress]);
    // the part before a fault is drawn
    let outcome = console::outcome(&result);
    if outcome == Outcome::Interrupted {
        return Err(outcome);
    }
    let outputs = gather.outputs.outputs();
    let mut columns = gather.columns;
    for (column, read) in columns.iter_mut().zip(outputs.columns()) {
        column.is_indeterminate = outputs.is_indeterminate(read);
    }
    let along = columns.remove(x);
    // the time, if it is not the horizontal axis
    if x != 0 {
        columns.remove(0);
    }
    columns.insert(0, along);
    Ok((columns, outcome))
}

fn to_degrees(column: &mut Read) {
    if let Some(rest) = column.unit.strip_prefix("rad") {
        column.unit = format!("deg{rest}");
        column.numbers.iter_mut().for_each(|n| *n = n.to_degrees());
    }
}

/// Collects the readings.
struct Gather {
    outputs: OutputReader,
    every: u64,
    columns: Vec<Read>,
}

impl Gather {
    fn new(outputs: Outputs, every: u64) -> Gather {
        let column = |c: &Column| Read {
            name: c.name.clone(),
            unit: c.unit.to_string(),
            told: None,
            is_indeterminate: false,
            numbers: Vec::new(),
        };
        let columns = outputs.columns().iter().map(column).collect();
        Gather { outputs: OutputReader::new(outputs), every, columns }
    }

    fn keep(&mut self, world: &mut World, step: Option<&Step<'_>>) {
        let numbers = self.outputs.read(world, step);
        self.columns.iter_mut().zip(numbers).for_each(|(column, n)| column.numbers.push(*n));
    }
}

impl Observer for Gather {
    fn name(&self) -> String {
        "the figure".to_string()
    }

    fn start(&mut self, world: &mut World) -> io::Result<()> {
        self.keep(world, None);
        Ok(())
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        self.outputs.count(world);
        if step.number.is_multiple_of(self.every) {
            self.keep(world, Some(step));
        }
        Ok(())
    }

    fn end(&mut self, world: &mut World) -> io::Result<()> {
        // the curves extend to the end of the run
        let last = self.columns[0].numbers.last().copied().unwrap_or_default();
        if world.state().time > last {
            self.keep(world, None);
        }
        Ok(())
    }
}
