//! A part of the recording → a file to be fetched: pictures, models, films, tables.
//!
//! A job has a machine of its own, made of the origin, and a copy of the tape; it works in a thread of its own, one at a time, and
//! tells how far it is through the hub. Files lie in a folder that goes with the studio; a page gets one by its number and name,
//! looked up in a list.

use crate::hub::{Hub, Latest};
use crate::line::lines;
use crate::machine::{Key, Machine, Origin};
use crate::message::{Format, Sight, Told};
use crate::probe;
use crate::shelf::Item;
use crate::tape::Tape;
use glam::DVec3;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tempfile::TempDir;
use windlass_export::film::Film;
use windlass_export::{Camera, Instants, Mount, Picture, Reel, built, gltf, pov, svg};

/// Poses of all frames together: 56 bytes each.
const MOST_POSES: f64 = 5e6;
/// Numbers of a table.
const MOST_NUMBERS: f64 = 2e7;
/// Files that are kept.
const MOST_FILES: usize = 8;
/// Frames a second, unless given, and at most.
const RATE: f64 = 25.0;
const MOST_RATE: f64 = 1000.0;

/// What to make, and of what.
pub struct Job {
    /// Which kind.
    pub format: Format,
    /// The scene's place.
    pub item: Item,
    /// What its world is made of.
    pub origin: Arc<Origin>,
    /// What happened.
    pub tape: Tape,
    /// Where the tape ends.
    pub end: Arc<Key>,
    /// First and last step.
    pub steps: [u64; 2],
    /// Frames a second.
    pub rate: f64,
    /// Where it is seen from.
    pub camera: Option<Sight>,
}

/// Files that were made, and the one on its way.
#[derive(Debug)]
pub struct Exports {
    folder: TempDir,
    hub: Arc<Hub>,
    desk: Mutex<Desk>,
}

#[derive(Debug, Default)]
struct Desk {
    /// Number and name of each file, the oldest first.
    files: Vec<(u32, String)>,
    /// Number of the job that is running, and whether it should end.
    running: Option<(u32, Arc<AtomicBool>)>,
    count: u32,
}

impl Exports {
    /// None yet.
    pub fn new(hub: Arc<Hub>) -> io::Result<Exports> {
        Ok(Exports { folder: tempfile::tempdir()?, hub, desk: Mutex::default() })
    }

    fn desk(&self) -> std::sync::MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a job, or says why not.
    pub fn begin(self: &Arc<Exports>, job: Job) -> Result<(), String> {
        let mut desk = self.desk();
        if desk.running.is_some() {
            return Err("another file is on its way: wait for it, or cancel it".to_string());
        }
        desk.count += 1;
        let (id, stop) = (desk.count, Arc::new(AtomicBool::new(false)));
        desk.running = Some((id, stop.clone()));
        drop(desk);
        let exports = self.clone();
        let work = move || exports.work(id, &job, &stop);
        let begun = thread::Builder::new().name("export".to_string()).spawn(work);
        begun.map(drop).map_err(|e| {
            self.desk().running = None;
            format!("cannot start: {e}")
        })
    }

    /// Ends a job, if it is running.
    pub fn cancel(&self, id: u32) {
        if let Some((_, stop)) = self.desk().running.as_ref().filter(|(running, _)| *running == id) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// The file of a number and a name, if there is one.
    pub fn file(&self, id: &str, name: &str) -> Option<PathBuf> {
        let id: u32 = id.parse().ok()?;
        let known = self.desk().files.iter().any(|(i, n)| *i == id && n == name);
        known.then(|| self.place(id, name))
    }

    fn place(&self, id: u32, name: &str) -> PathBuf {
        self.folder.path().join(format!("{id}_{name}"))
    }

    fn work(&self, id: u32, job: &Job, stop: &AtomicBool) {
        let tell = |done: f64, file: Option<String>, error: Option<String>| {
            let told = Told::Export { id, format: job.format, done, file, error };
            self.hub.export.send_replace(Latest { epoch: id.into(), content: told.json().into() });
        };
        tell(0.0, None, None);
        let name = job.name();
        let place = self.place(id, &name);
        let step = |done: f64| {
            tell(done.clamp(0.0, 0.99), None, None);
            if stop.load(Ordering::Relaxed) { Err("given up".to_string()) } else { Ok(()) }
        };
        let made = job.make(&place, &step);
        let mut desk = self.desk();
        desk.running = None;
        match made {
            Ok(()) => {
                desk.files.push((id, name.clone()));
                while desk.files.len() > MOST_FILES {
                    let (id, name) = desk.files.remove(0);
                    // one that stays is in the way of nobody
                    let _ = fs::remove_file(self.place(id, &name));
                }
                drop(desk);
                tell(1.0, Some(format!("/export/{id}/{name}")), None);
            }
            Err(why) => {
                drop(desk);
                let _ = fs::remove_file(&place);
                tell(0.0, None, Some(why));
            }
        }
    }
}

impl Drop for Exports {
    fn drop(&mut self) {
        if let Some((_, stop)) = &self.desk().running {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Told how far a job is; an error ends it.
type Step<'a> = dyn Fn(f64) -> Result<(), String> + 'a;

/// A rate that can be had: none for one that is no rate.
pub fn rate(asked: Option<f64>) -> Option<f64> {
    Some(asked.unwrap_or(RATE)).filter(|rate| *rate > 0.0 && *rate <= MOST_RATE)
}

impl Job {
    /// "crane/operated" → operated.pov.
    fn name(&self) -> String {
        let stem = Path::new(&self.item.offer.id).file_stem().unwrap_or_default().to_string_lossy();
        let plain: String = stem.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
        let ending = match self.format {
            Format::Pov => "pov",
            Format::Png => "png",
            Format::Mp4 => "mp4",
            Format::Svg => "svg",
            Format::Glb => "glb",
            Format::Csv => "csv",
        };
        format!("{}.{ending}", if plain.is_empty() { "scene" } else { &plain })
    }

    fn make(&self, place: &Path, step: &Step) -> Result<(), String> {
        let mut machine = Machine::of(self.item.clone(), &self.origin)?;
        if self.format == Format::Csv {
            return write(place, self.table(&mut machine, step)?.as_bytes());
        }
        let mut reel = self.film(&mut machine, step)?;
        let picture = self.picture(&machine, &reel)?;
        let told = |e: windlass_export::Error| e.to_string();
        match self.format {
            Format::Pov => write(place, pov::whole(&picture, &mut reel).map_err(told)?.as_bytes()),
            Format::Glb => {
                write(place, &gltf::glb(&picture, &mut reel, &gltf::Options::default()).map_err(told)?)
            }
            Format::Svg => {
                let instant = reel.at(0).map_err(|e| e.to_string())?;
                let drawing = svg::svg(&picture, &instant, &svg::Sheet::default()).map_err(told)?;
                write(place, drawing.as_bytes())
            }
            Format::Png | Format::Mp4 => self.shoot(&picture, &mut reel, place, step),
            Format::Csv => Ok(()),
        }
    }

    /// What is seen.
    fn picture(&self, machine: &Machine, reel: &Reel) -> Result<Picture, String> {
        let mut picture = built::picture(&machine.built, &machine.built.world, reel, None)?;
        if let Some(Sight { position, target, up, angle }) = self.camera {
            let [position, target, up] = [position, target, up].map(DVec3::from);
            picture.camera = Camera { position, target, up, angle, mount: Mount::World, ..picture.camera };
        }
        Ok(picture)
    }

    /// The step of a frame.
    fn step_of(&self, frame: usize, dt: f64) -> u64 {
        let [from, to] = self.steps;
        from.saturating_add((frame as f64 / (self.rate * dt)).round() as u64).min(to)
    }

    /// How many frames there are, if that is no more than `most`.
    fn count(&self, dt: f64, most: f64) -> Result<usize, String> {
        let seconds = (self.steps[1] - self.steps[0]) as f64 * dt;
        let count = (seconds * self.rate + 1e-6).floor() + 1.0;
        let count = if matches!(self.format, Format::Svg | Format::Png) { 1.0 } else { count };
        match count <= most {
            true => Ok(count as usize),
            false => Err(format!(
                "{count} frames of this scene: at most {most:.0}; choose a lower rate or less time"
            )),
        }
    }

    fn show(&self, machine: &mut Machine, step: u64) -> Result<(), String> {
        if step == self.end.step { machine.recall(&self.end) } else { self.tape.show(machine, step) }
    }

    /// The frames, which take the first half of the work.
    fn film(&self, machine: &mut Machine, step: &Step) -> Result<Reel, String> {
        let mut roll = built::Roll::of(&machine.built);
        let bodies = machine.built.world.model().bodies().places().max(1);
        let count = self.count(machine.dt(), MOST_POSES / bodies as f64)?;
        let mut start = 0.0;
        for frame in 0..count {
            self.show(machine, self.step_of(frame, machine.dt()))?;
            start = if frame == 0 { machine.time() } else { start };
            roll.take(&machine.built.world);
            step(0.5 * frame as f64 / count as f64)?;
        }
        Ok(roll.reel(self.rate, start))
    }

    /// Images by povray, and a film of them by ffmpeg.
    fn shoot(&self, picture: &Picture, reel: &mut Reel, place: &Path, step: &Step) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|e| format!("cannot make a folder for the frames: {e}"))?;
        let mut film = Film::new(picture, folder.path());
        if self.format == Format::Png {
            let instant = reel.at(0).map_err(|e| e.to_string())?;
            return film.still(&instant, place).map_err(|e| e.to_string());
        }
        film.output = Some(place.to_path_buf());
        let made = film.make(reel, &mut |progress| {
            let done = progress.done as f64 / progress.total.max(1) as f64;
            if step(0.5 + 0.5 * done).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        made.map(drop).map_err(|e| e.to_string())
    }

    /// A table of all that can be plotted, a line a frame.
    fn table(&self, machine: &mut Machine, step: &Step) -> Result<String, String> {
        let lines = lines(&machine.built, 1.0);
        let probes = probe::catalogue(machine, &lines);
        let count = self.count(machine.dt(), MOST_NUMBERS / probes.len().max(1) as f64)?;
        let mut text = String::from("time");
        for probe in &probes {
            let _ = write!(text, ",{}", quoted(&probe.name));
        }
        text.push('\n');
        for frame in 0..count {
            self.show(machine, self.step_of(frame, machine.dt()))?;
            let energy = machine.built.world.inspect().energy();
            let _ = write!(text, "{}", machine.time());
            for probe in &probes {
                let _ = write!(text, ",{}", probe.read(machine, &lines, &energy));
            }
            text.push('\n');
            step(frame as f64 / count as f64)?;
        }
        Ok(text)
    }
}

/// A field of a table.
fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_string(),
    }
}

fn write(place: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(place, bytes).map_err(|e| format!("cannot write the file: {e}"))
}
