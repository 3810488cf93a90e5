//! A part of the recording → a file to download: pictures, models, films, tables.
//!
//! A job has a machine of its own, built from the origin, and a copy of the history. Jobs run in a separate thread, one
//! at a time, and write their progress to a list. The list is part of the status, so that no client misses the end of a
//! job. Files are in a folder that is deleted with the studio; a page requests one by its number and name, looked up in
//! the same list.

use crate::gallery::Item;
use crate::line::lines;
use crate::message::{ExportLook, Format, Viewpoint};
use crate::probe;
use glam::DVec3;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tempfile::TempDir;
use windlass_export::film::Film;
use windlass_export::{Camera, Instants, Mount, Picture, Reel, built, gltf, pov, svg};
use windlass_host::history::HistoryError;
use windlass_host::machine::{Keyframe, Origin, StepFailure};
use windlass_host::probe::{REMARK, ReactionMarks};
use windlass_host::{History, Machine};

/// Largest number of poses of all frames together: 56 bytes each.
const MOST_POSES: f64 = 5e6;
/// Largest number of values of a table.
const MOST_NUMBERS: f64 = 2e7;
/// Largest number of entries kept, files and failures.
const MOST_FILES: usize = 8;
/// Default and largest number of frames per second.
const RATE: f64 = 25.0;
const MOST_RATE: f64 = 1000.0;

/// An export job.
pub struct Job {
    /// Which kind.
    pub format: Format,
    /// The folder of the scene.
    pub item: Item,
    /// The origin of its world.
    pub origin: Arc<Origin>,
    /// The history.
    pub history: History,
    /// The end of the history.
    pub end: Arc<Keyframe>,
    /// First and last step.
    pub steps: [u64; 2],
    /// Frames per second.
    pub rate: f64,
    /// The camera.
    pub camera: Option<Viewpoint>,
}

/// Finished exports, and the one in progress.
#[derive(Debug)]
pub struct Exports {
    folder: TempDir,
    desk: Mutex<Desk>,
}

#[derive(Debug, Default)]
struct Desk {
    /// The jobs, the oldest first; the last may be in progress.
    jobs: Vec<ExportLook>,
    /// Whether the running job should end.
    running: Option<Arc<AtomicBool>>,
    count: u32,
}

impl Exports {
    /// An empty list.
    pub fn new() -> io::Result<Exports> {
        Ok(Exports { folder: tempfile::tempdir()?, desk: Mutex::default() })
    }

    fn desk(&self) -> std::sync::MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a job, or returns the reason why not.
    pub fn begin(self: &Arc<Exports>, job: Job) -> Result<(), String> {
        let mut desk = self.desk();
        if desk.running.is_some() {
            return Err("another export is in progress: wait for it, or cancel it".to_string());
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (exports, ends) = (self.clone(), stop.clone());
        let id = desk.count + 1;
        // it waits for the lock before it writes anything
        let format = job.format;
        let work = move || exports.work(id, &job, &ends);
        thread::Builder::new()
            .name("export".to_string())
            .spawn(work)
            .map_err(|e| format!("cannot start: {e}"))?;
        (desk.count, desk.running) = (id, Some(stop));
        desk.jobs.push(ExportLook { id, format, done: 0.0, file: None, error: None });
        while desk.jobs.len() > MOST_FILES {
            let old = desk.jobs.remove(0);
            if let Some(name) = old.file.as_deref().and_then(file_name) {
                // a file that cannot be removed does no harm
                let _ = fs::remove_file(self.place(old.id, name));
            }
        }
        Ok(())
    }

    /// Ends a job, if it is running.
    pub fn cancel(&self, id: u32) {
        let desk = self.desk();
        if let Some(stop) = desk.running.as_ref().filter(|_| desk.count == id) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Progress of all jobs.
    pub fn looks(&self) -> Vec<ExportLook> {
        self.desk().jobs.clone()
    }

    /// The file of a number and a name, if there is one.
    pub fn file(&self, id: &str, name: &str) -> Option<PathBuf> {
        let id: u32 = id.parse().ok()?;
        let is_it = |job: &ExportLook| job.id == id && job.file.as_deref().and_then(file_name) == Some(name);
        self.desk().jobs.iter().any(is_it).then(|| self.place(id, name))
    }

    fn place(&self, id: u32, name: &str) -> PathBuf {
        self.folder.path().join(format!("{id}_{name}"))
    }

    fn work(&self, id: u32, job: &Job, stop: &AtomicBool) {
        let name = job.name();
        let place = self.place(id, &name);
        let step = |done: f64| {
            self.desk().note(id, |look| look.done = done.clamp(0.0, 0.99));
            if stop.load(Ordering::Relaxed) { Err("given up".to_string()) } else { Ok(()) }
        };
        let made = catch_unwind(AssertUnwindSafe(|| job.make(&place, &step)));
        let made = made.unwrap_or_else(|_| Err(StepFailure::Panic.to_string()));
        if made.is_err() {
            let _ = fs::remove_file(&place);
        }
        let mut desk = self.desk();
        desk.running = None;
        desk.note(id, |look| match made {
            Ok(()) => (look.done, look.file) = (1.0, Some(format!("/export/{id}/{name}"))),
            Err(why) => look.error = Some(why),
        });
    }
}

impl Desk {
    /// Stores the progress of a job.
    fn note(&mut self, id: u32, change: impl FnOnce(&mut ExportLook)) {
        if let Some(job) = self.jobs.iter_mut().find(|job| job.id == id) {
            change(job);
        }
    }
}

/// The last part of the address of a file.
fn file_name(address: &str) -> Option<&str> {
    address.rsplit('/').next()
}

impl Drop for Exports {
    fn drop(&mut self) {
        if let Some(stop) = &self.desk().running {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Receives the progress of a job; an error ends it.
type Step<'a> = dyn Fn(f64) -> Result<(), String> + 'a;

/// A valid rate; none for an invalid one.
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
        let mut machine = Machine::from_origin(&self.origin).map_err(|e| e.to_string())?;
        let told = |e: windlass_export::Error| e.to_string();
        let bytes = match self.format {
            Format::Csv => self.table(&mut machine, step)?.into_bytes(),
            Format::Pov => {
                let (picture, mut reel) = self.seen(&mut machine, step)?;
                pov::whole(&picture, &mut reel).map_err(told)?.into_bytes()
            }
            Format::Glb => {
                let (picture, mut reel) = self.seen(&mut machine, step)?;
                gltf::glb(&picture, &mut reel, &gltf::Options::default()).map_err(told)?
            }
            Format::Svg => {
                let (picture, mut reel) = self.seen(&mut machine, step)?;
                let instant = reel.at(0).map_err(|e| e.to_string())?;
                svg::svg(&picture, &instant, &svg::Sheet::default()).map_err(told)?.into_bytes()
            }
            Format::Png | Format::Mp4 => {
                let (picture, mut reel) = self.seen(&mut machine, step)?;
                return self.shoot(&picture, &mut reel, place, step);
            }
        };
        fs::write(place, bytes).map_err(|e| format!("cannot write the file: {e}"))
    }

    /// The built scene and its frames.
    fn seen(&self, machine: &mut Machine, step: &Step) -> Result<(Picture, Reel), String> {
        let reel = self.film(machine, step)?;
        Ok((self.picture(machine, &reel)?, reel))
    }

    /// The built scene.
    fn picture(&self, machine: &Machine, reel: &Reel) -> Result<Picture, String> {
        let mut picture = built::picture(machine.built(), machine.world(), reel, None)?;
        if let Some(Viewpoint { position, target, up, angle }) = self.camera {
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

    /// The number of frames, if it is at most `most`.
    fn count(&self, dt: f64, most: f64) -> Result<usize, String> {
        let seconds = (self.steps[1] - self.steps[0]) as f64 * dt;
        let count = (seconds * self.rate + 1e-6).floor() + 1.0;
        let count = if matches!(self.format, Format::Svg | Format::Png) { 1.0 } else { count };
        match count <= most {
            true => Ok(count as usize),
            false => Err(format!(
                "{count} frames exceed the limit of {most:.0} for this scene: choose a lower rate or a shorter time"
            )),
        }
    }

    fn show(&self, machine: &mut Machine, step: u64) -> Result<(), String> {
        let shown = match step == self.end.step {
            true => machine.recall(&self.end).map_err(HistoryError::from),
            false => self.history.seek(machine, step),
        };
        shown.map_err(|e| e.to_string())
    }

    /// The frames, which take the first half of the work.
    fn film(&self, machine: &mut Machine, step: &Step) -> Result<Reel, String> {
        let mut roll = built::Roll::of(machine.built());
        let bodies = machine.world().model().bodies().places().max(1);
        let count = self.count(machine.dt(), MOST_POSES / bodies as f64)?;
        let mut start = 0.0;
        for frame in 0..count {
            self.show(machine, self.step_of(frame, machine.dt()))?;
            start = if frame == 0 { machine.time() } else { start };
            roll.take(machine.world());
            step(0.5 * frame as f64 / count as f64)?;
        }
        Ok(roll.reel(self.rate, start))
    }

    /// Images by povray, and a film of them by ffmpeg.
    fn shoot(&self, picture: &Picture, reel: &mut Reel, place: &Path, step: &Step) -> Result<(), String> {
        let folder =
            tempfile::tempdir().map_err(|e| format!("cannot create a folder for the frames: {e}"))?;
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

    /// A table of all quantities that can be plotted, one line per frame.
    fn table(&self, machine: &mut Machine, step: &Step) -> Result<String, String> {
        let lines = lines(machine.built(), 1.0);
        let probes = probe::catalogue(machine.built(), &lines);
        let count = self.count(machine.dt(), MOST_NUMBERS / probes.len().max(1) as f64)?;
        let (mut rows, mut marks) = (String::new(), ReactionMarks::default());
        for frame in 0..count {
            self.show(machine, self.step_of(frame, machine.dt()))?;
            let time = machine.time();
            let now = machine.world_mut().inspect();
            let energy = now.energy();
            marks.follow(&now, time, |_| true);
            let solved: Vec<_> = probes.iter().map(|probe| probe.inspected(&now, &energy)).collect();
            let _ = write!(rows, "{time}");
            for (probe, solved) in probes.iter().zip(solved) {
                let _ = write!(rows, ",{}", solved.unwrap_or_else(|| probe.read(machine.built(), &lines)));
            }
            rows.push('\n');
            step(frame as f64 / count as f64)?;
        }
        let mut text = String::from("time [s]");
        for probe in &probes {
            let remark = if probe.reaction().is_some_and(|one| marks.has(one)) { REMARK } else { "" };
            let head = match probe.unit {
                "" => probe.name.clone(),
                unit => format!("{} [{unit}]{remark}", probe.name),
            };
            let _ = write!(text, ",{}", quoted(&head));
        }
        text.push('\n');
        text += &rows;
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
