//! `windlass replay`: contents of a recording, its verification, its tables, and branches of it.

use crate::console::{self, Console};
use crate::interrupt::Interrupt;
use crate::load::{columns, frequency, instant, time};
use crate::log::{Log, Sampling};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::show;
use crate::table::Destination;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use windlass_engine::prelude::InputId;
use windlass_host::record::RecordObserver;
use windlass_host::replay::{self, SceneStage, input_changes};
use windlass_host::run::{run, step_count};
use windlass_host::text::{count, digits};
use windlass_host::{Observer, Plan, Step};
use windlass_record::{Error, Player, Recorder, Recording, Stage, Verify};
use windlass_scene::Override;

const EXAMPLES: &str = "\
Examples:
  windlass run crane.toml --record crane.wlr
  windlass replay crane.wlr                       # what is in it
  windlass replay crane.wlr --verify              # simulates it again and compares every bit
  windlass replay crane.wlr --log crane.csv --probe joints.hoist.tension
  windlass replay crane.wlr --inputs drive.csv    # what was done with its levers
  windlass replay crane.wlr --branch gust.wlr --at \"4 s\" --set \"bodies.load.mass=3 t\" --seconds 5";

/// Look into a recording, verify it, make tables of it, go on from any of its frames
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The recording
    file: PathBuf,
    /// Simulate it again and compare every state, bit by bit
    #[arg(long, conflicts_with_all = ["log", "branch"])]
    verify: bool,
    /// Start anew at every exact state, so that a late difference is found beside an early one
    #[arg(long, requires = "verify")]
    from_keys: bool,
    /// Write a table of its frames, CSV or Parquet by its ending
    #[arg(long, value_name = "FILE", value_parser = Destination::parse, conflicts_with = "branch")]
    log: Option<Destination>,
    /// Log this instead of the scene's probes, or of everything if it has none: "bodies.load.position.z"
    #[arg(long, value_name = "PROBE", requires = "log")]
    probe: Vec<String>,
    /// Log so many instants of simulated time a second ("100 Hz"), at most one a frame
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency, requires = "log")]
    rate: Option<f64>,
    /// Write a table of what its inputs were wanted to be, to be run again by `windlass run SCENE --inputs`
    #[arg(long, value_name = "FILE", value_parser = Destination::parse, conflicts_with_all = ["verify", "log", "branch", "json"])]
    inputs: Option<Destination>,
    /// Go on from a frame into a recording of its own
    #[arg(long, value_name = "FILE.wlr")]
    branch: Option<PathBuf>,
    /// Where the branch begins; at the end unless given
    #[arg(long, value_name = "TIME", value_parser = instant, requires = "branch")]
    at: Option<f64>,
    /// What is to be otherwise in the branch: "joints.hoist.distance.motor.speed=0.5 m/s"
    #[arg(long, value_name = "KEY=VALUE", value_parser = str::parse::<Override>, requires = "branch")]
    set: Vec<Override>,
    /// How long to go on
    #[arg(long, value_name = "TIME", value_parser = time, requires = "branch", default_value = "10")]
    seconds: f64,
    /// Print what is in it as one JSON object instead of a table
    #[arg(long, conflicts_with_all = ["verify", "log", "branch"])]
    json: bool,
}

/// What is in a recording.
#[derive(Debug, Serialize)]
struct Contents {
    recording: String,
    build: String,
    scene: Option<String>,
    overrides: Vec<(String, String)>,
    /// First and last step.
    steps: Option<(u64, u64)>,
    /// First and last time [s].
    time: Option<(f64, f64)>,
    /// [s]
    dt: f64,
    bodies: usize,
    joints: usize,
    exact_states: usize,
    /// Step, key, value.
    edits: Vec<(u64, String, String)>,
    /// How often each input was moved.
    moves: BTreeMap<String, usize>,
    marks: Vec<(u64, String)>,
    /// File and step of the recording this is a branch of.
    parent: Option<(String, u64)>,
    /// Whether it was ended in good order.
    finished: bool,
    /// The first damage, and whether it is at the end: all before it is good.
    damage: Option<String>,
    damaged_inside: bool,
    bytes: u64,
}

/// Replays.
pub fn replay(arguments: &Arguments) -> Outcome {
    if let Some(to) = &arguments.inputs {
        return inputs(&arguments.file, to).unwrap_or_else(|e| told(&e));
    }
    let done = match (&arguments.branch, &arguments.log, arguments.verify) {
        (Some(to), _, _) => branch(arguments, to),
        (None, Some(to), _) => log(&arguments.file, to, &arguments.probe, arguments.rate),
        (None, None, true) => verify(arguments),
        (None, None, false) => contents(arguments),
    };
    done.unwrap_or_else(|e| told(&e))
}

/// Tells what is wrong with a recording.
pub fn told(e: &Error) -> Outcome {
    show::tell(&format!("error: {e}"));
    match e {
        Error::File { .. } | Error::Exists(_) | Error::Busy(_) | Error::NotAFile(_) => Outcome::File,
        _ => Outcome::Input,
    }
}

/// Refuses an instant after the end of a recording.
pub fn beyond(at: f64, end: f64) -> Outcome {
    show::refuse(&format!("--at {at} s is beyond the recording, which ends at {end} s"))
}

/// The player of a recording; damage is told.
pub fn player(path: &Path) -> Result<Player<SceneStage>, Error> {
    let recording = Recording::open(path)?;
    if let Some(damage) = recording.damage() {
        show::tell(&format!("note: {}: {damage}; what is before that is used", path.display()));
    }
    replay::player(recording)
}

/// Tells what is in a recording. Every byte of it is looked at: opening by the index would miss what was damaged since.
fn contents(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut recording = Recording::open(&arguments.file)?;
    // a file without its end was read from the front already, and may still be growing
    let inside = if recording.is_finished() { recording.check()? } else { None };
    let steps = recording.steps();
    let time = match &steps {
        // a first or last frame in a damaged block has no time; the damage is reported below
        Some(steps) => match (recording.time(*steps.start()), recording.time(*steps.end())) {
            (Ok(first), Ok(last)) => Some((first, last)),
            (Err(Error::Damaged { .. }), _) | (_, Err(Error::Damaged { .. })) => None,
            (Err(e), _) | (_, Err(e)) => return Err(e),
        },
        None => None,
    };
    let mut moves = BTreeMap::new();
    for input in recording.edits().iter().filter_map(|e| e.command()) {
        *moves.entry(input.to_string()).or_default() += 1;
    }
    let edits = recording.edits().iter().filter(|e| !e.is_command());
    let header = recording.header();
    let contents = Contents {
        recording: arguments.file.display().to_string(),
        build: header.build.clone(),
        scene: header.sources.first().map(|s| s.name.clone()),
        overrides: header.overrides.clone(),
        steps: steps.map(|s| (*s.start(), *s.end())),
        time,
        dt: header.dt,
        bodies: header.names.bodies.len(),
        joints: header.names.joints.len(),
        exact_states: recording.keys().len(),
        edits: edits.map(|e| (e.step, e.key.clone(), e.value.clone())).collect(),
        moves,
        marks: recording.marks().iter().map(|m| (m.step, m.name.clone())).collect(),
        parent: header.parent.as_ref().map(|p| (p.file.clone(), p.step)),
        finished: recording.is_finished(),
        damage: inside.as_ref().or(recording.damage()).map(ToString::to_string),
        damaged_inside: inside.is_some(),
        bytes: std::fs::metadata(&arguments.file).map_or(0, |m| m.len()),
    };
    let shown = if arguments.json { show::print_json(&contents) } else { show::print(&contents.table()) };
    Ok(shown.max(if inside.is_some() { Outcome::Input } else { Outcome::Well }))
}

impl Contents {
    fn table(&self) -> String {
        let mut out = String::new();
        let mut line = |name: &str, text: String| out += &format!("{name:<12}{text}\n");
        line("recording", format!("{}, {} kB", self.recording, digits(self.bytes as f64 / 1000.0)));
        line("scene", self.scene.clone().unwrap_or_else(|| "none".to_string()));
        for (key, value) in &self.overrides {
            line("with", format!("{key} = {value}"));
        }
        line("made by", self.build.clone());
        if let Some((file, step)) = &self.parent {
            line("branch of", format!("{file}, step {step}"));
        }
        match (self.steps, self.time) {
            (Some((first, last)), Some((from, to))) => {
                line("steps", format!("{first} to {last}, t = {} s to {} s", digits(from), digits(to)));
            }
            (Some((first, last)), None) => line("steps", format!("{first} to {last}")),
            (None, _) => line("steps", "none".to_string()),
        }
        let (bodies, joints) = (count(self.bodies, "body"), count(self.joints, "joint"));
        line("holds", format!("{bodies}, {joints}, {}", count(self.exact_states, "exact state")));
        for (step, key, value) in &self.edits {
            line("edit", format!("step {step}: {key} = {value}"));
        }
        for (input, times) in &self.moves {
            line("input", format!("{input}, moved {}", count(*times, "time")));
        }
        for (step, name) in &self.marks {
            line("mark", format!("step {step}: {name}"));
        }
        if let (Some(damage), true) = (&self.damage, self.damaged_inside) {
            let rest = "frames of that block are lost, others play: take a copy from before the damage if there is one";
            line("damage", format!("{damage}; {rest}"));
        }
        let end = match (&self.damage, self.finished) {
            (Some(damage), _) if !self.damaged_inside => format!("{damage}; all before it is good"),
            (_, true) => "in good order".to_string(),
            (_, false) => "was not ended: all whole chunks are good".to_string(),
        };
        line("end", end);
        out
    }
}

fn verify(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut player = player(&arguments.file)?;
    let interrupt = Interrupt::listen();
    let manner = if arguments.from_keys { Verify::FromKeys } else { Verify::Through };
    let verdict = player.verify(manner, |_| match interrupt.came() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })?;
    if interrupt.came() {
        return Ok(Outcome::Interrupted);
    }
    if verdict.is_good() {
        let frames = count(verdict.frames as usize, "frame");
        return Ok(show::print(&format!("{frames} repeated, every bit the same\n")));
    }
    for d in &verdict.differences {
        let fault = d.fault.as_ref().map_or_else(String::new, |f| format!(": {f}"));
        show::tell(&format!("step {} differs, simulated from step {}{fault}", d.step, d.from));
    }
    Ok(Outcome::Fault)
}

/// Writes a table of a recording's frames.
pub fn log(file: &Path, to: &Destination, texts: &[String], rate: Option<f64>) -> Result<Outcome, Error> {
    let mut player = player(file)?;
    let Some(steps) = player.recording().steps() else {
        return Ok(show::refuse("the recording has no frames"));
    };
    // the edits of the first frame are what a branch is about: the columns are those of the world after them
    player.make_edits()?;
    let (dt, built) = (player.world().model().settings().dt, &player.stage().built);
    let sampling = match rate.map(|hertz| Sampling::rate(hertz, dt)) {
        None => Sampling::Every(1),
        Some(Ok(sampling)) => sampling,
        Some(Err(e)) => return Ok(show::refuse(&e)),
    };
    let outputs = match columns(texts, built, player.world()) {
        Ok(outputs) => outputs,
        Err(outcome) => return Ok(outcome),
    };
    let unwritten = |source| Error::File { name: to.path.display().to_string(), source };
    let mut log = Log::create(to, outputs, sampling).map_err(unwritten)?;
    log.start(player.world_mut()).map_err(unwritten)?;
    let interrupt = Interrupt::listen();
    for (number, _) in (*steps.start()..*steps.end()).enumerate() {
        if interrupt.came() {
            log.end(player.world_mut()).map_err(unwritten)?;
            return Ok(Outcome::Interrupted);
        }
        let report = player.advance()?;
        let step =
            Step { number: number as u64 + 1, report: &report, wall: Duration::ZERO, clock: Duration::ZERO };
        log.step(player.world_mut(), &step).map_err(unwritten)?;
    }
    log.end(player.world_mut()).map_err(unwritten)?;
    Ok(Outcome::Well)
}

/// Writes the wanted values of a recording's inputs, a line wherever one changed: a table that moves them again, in another
/// scene too.
fn inputs(file: &Path, to: &Destination) -> Result<Outcome, Error> {
    let mut player = player(file)?;
    let Some(steps) = player.recording().steps() else {
        return Ok(show::refuse("the recording has no frames"));
    };
    player.make_edits()?;
    let controls = &player.stage().built.controls;
    if controls.is_empty() {
        return Ok(show::refuse("the scene of the recording has no inputs"));
    }
    let unwritten = |source| Error::File { name: to.path.display().to_string(), source };
    let mut table = to.create().map_err(unwritten)?;
    let heads = controls.iter().map(|c| format!("{} [{}]", c.name, ascii(&c.unit)));
    table.head(&["time [s]".to_string()].into_iter().chain(heads).collect::<Vec<_>>()).map_err(unwritten)?;
    let ids: Vec<Option<InputId>> = controls.iter().map(|c| c.id).collect();
    input_changes(&mut player, &steps, &ids, &mut |line| table.row(line).map_err(unwritten))?;
    table.finish().map_err(unwritten)?;
    Ok(Outcome::Well)
}

/// A unit as tables have it.
fn ascii(unit: &str) -> String {
    unit.replace('·', "*").replace('²', "^2")
}

fn branch(arguments: &Arguments, to: &Path) -> Result<Outcome, Error> {
    let mut player = player(&arguments.file)?;
    let Some(steps) = player.recording().steps() else {
        return Ok(show::refuse("the recording has no frames"));
    };
    let mut step = *steps.end();
    if let Some(at) = arguments.at {
        let end = player.recording().time(step)?;
        if at > end + 1e-9 {
            return Ok(beyond(at, end));
        }
        // the last frame at or before the time
        let (mut low, mut high) = (*steps.start(), *steps.end());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match player.recording().time(middle)? <= at + 1e-9 {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        step = low;
    }
    player.seek(step)?;
    let (recording, world) = player.parts();
    let mut recorder = Recorder::branch(to, recording, world)?;
    let (_, mut stage, mut world) = player.into_parts();
    for Override { key, value } in &arguments.set {
        let edited = recorder.edit(&world, key, value).map_err(|e| e.to_string());
        let edited = edited.and_then(|()| stage.apply(&mut world, key, value).map_err(|e| e.to_string()));
        if let Err(e) = edited {
            drop(recorder);
            // a branch whose edits are refused is no branch
            let _ = std::fs::remove_file(to);
            return Ok(show::refuse(&e));
        }
    }
    let steps = step_count(arguments.seconds, world.model().settings().dt);
    let mut recording = RecordObserver::of(to, recorder).on_event(console::record_events());
    let mut progress = Progress::new(steps, arguments.json);
    let mut console = Console::listen();
    let result = run(&mut world, Plan::steps(steps), &mut console, &mut [&mut recording, &mut progress]);
    let told = format!(
        "{}: from step {step} to step {}, hash {:016x}\n",
        to.display(),
        world.state().step,
        world.state().hash()
    );
    Ok(show::print(&told).max(console::outcome(&result)))
}
