//! Records a running world to a file that only grows.
//!
//! Frames are collected in memory. About once per simulated second, and whenever [`Recorder::flush`] is called, they
//! are compressed and appended by one write. There is no clock here: a caller whose run is slower than real time calls
//! `flush`. However the process ends, the file is valid up to the last complete chunk. A write that fails (a full disk)
//! is truncated, reported once, and stops the recorder, not the run: further steps are counted as lost, edits are kept,
//! and [`Recorder::resume`] continues with a new keyframe.
//!
//! An existing file is not overwritten: [`Recorder::create`] returns an error. [`Recorder::replace`] removes an old
//! recording first. There is no temporary name, because a recording is usable from its first chunk on, under its
//! own name.

use crate::bytes::LARGEST;
use crate::bytes::Packer;
use crate::catalogue::{Catalogue, Place};
use crate::chunk::{Draft, Extent};
use crate::error::Error;
use crate::events::{Edit, Events, Mark};
use crate::format::{self, CHANGES, EVENTS, HEADER, INDEX, Kind, LONGEST, LONGEST_CHAIN, NAMES, STEPS};
use crate::header::{Header, MOST_BODIES, Names, Parent, limit};
use crate::medium::Medium;
use crate::poses;
use crate::recording::Recording;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::Path;
use windlass_engine::prelude::World;

/// Size of a state from which on keyframes have only what changed since the one before [bytes]: ground and loose soil.
const LARGE: usize = 64 << 10;

/// How often frames are written to the disk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Simulated time of a chunk [s]: the loss in a crash, and the distance between keyframes.
    pub seconds: f64,
    /// Maximum number of frames of a chunk, for short steps.
    pub frames: usize,
    /// Maximum memory of a chunk [bytes], for large worlds.
    pub bytes: usize,
    /// Whether each chunk is synchronised to the disk, against power failure. A crash of the process does not
    /// require it.
    pub sync: bool,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { seconds: 1.0, frames: 4096, bytes: 16 << 20, sync: false }
    }
}

/// Amounts recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Length of the file.
    pub bytes: u64,
    /// Frames in it.
    pub frames: u64,
    /// Frames that were given but will never be in it.
    pub lost: u64,
}

/// Records a world.
///
/// ```
/// # use windlass_engine::prelude::*;
/// # use windlass_record::{Header, Recorder, Recording};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("fall.wlr");
/// let mut world = World::default();
/// let stone = Mass::of(&Shape::Sphere { radius: 0.1 }, 2700.0)?;
/// world.add_body(Body::dynamic("stone", stone), glam::DVec3::ZERO, glam::DQuat::IDENTITY)?;
/// let mut recorder = Recorder::create(&path, &Header::default(), &world)?;
/// for _ in 0..120 {
///     world.step();
///     recorder.step(&world)?;
/// }
/// recorder.finish()?;
/// let mut recording = Recording::open(&path)?;
/// assert_eq!(recording.steps(), Some(0..=120));
/// assert!((recording.poses(120)?[0].at - world.state().bodies[0].position).length() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    output: Output,
    header: Header,
    pace: Pace,
    packer: Packer,
    draft: Draft,
    events: Events,
    catalogue: Catalogue,
    /// Names for the frames in memory; compared with the world's after edits.
    names: Names,
    edited: bool,
    /// The keyframe of the last chunk, and the number of chunks since the last one with a whole keyframe.
    base: Option<(Vec<u8>, usize)>,
    /// Whether these names are not in the file yet.
    renamed: bool,
    /// The last step recorded, and the hash of its state.
    last: u64,
    hash: u64,
    /// The last step with a keyframe for its edits.
    stated: Option<u64>,
    /// The last step with a command.
    commanded: Option<u64>,
    stopped: Option<String>,
    edits_lost: bool,
    tally: Tally,
    // work space
    row: Vec<i64>,
    logged: Vec<i64>,
}

impl Recorder {
    /// Begins a new file with the world in its present state. An existing file is an error.
    pub fn create(path: impl AsRef<Path>, header: &Header, world: &World) -> Result<Recorder, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let header = header.of(world);
        header.check()?;
        let file =
            OpenOptions::new().write(true).create_new(true).open(path).map_err(|e| match e.kind() {
                io::ErrorKind::AlreadyExists => Error::Exists(path.to_path_buf()),
                _ => Error::File { name: name.clone(), source: e },
            })?;
        claim(&file, path)?;
        // a file without a complete header is useless
        Recorder::on(Box::new(file), &name, header, world).inspect_err(|_| drop(fs::remove_file(path)))
    }

    /// The same, but an old recording of that name is removed first. Other files are rejected, and so is a recording
    /// that is still being written.
    pub fn replace(path: impl AsRef<Path>, header: &Header, world: &World) -> Result<Recorder, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let fail = |source| Error::File { name: name.clone(), source };
        match fs::metadata(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(fail(e)),
            Ok(old) if !old.is_file() => return Err(Error::NotAFile(name)),
            Ok(old) => {
                let mut file = File::open(path).map_err(fail)?;
                if old.len() > 0 && !begins_like_ours(&mut file).map_err(fail)? {
                    return Err(Error::NotARecording(name));
                }
                claim(&file, path)?;
                fs::remove_file(path).map_err(fail)?;
            }
        }
        Recorder::create(path, header, world).map_err(|e| match e {
            // it did not exist a moment ago: another run has created it
            Error::Exists(path) => Error::Busy(path),
            e => e,
        })
    }

    /// Begins a branch: a new file that continues from a frame of another recording, which is not changed.
    ///
    /// The world must be at that frame, as `Player::seek` leaves it: before the edits made at it. The branch contains
    /// the scene and all edits made before, so it can be played alone.
    pub fn branch(path: impl AsRef<Path>, parent: &mut Recording, world: &World) -> Result<Recorder, Error> {
        let (step, hash) = (world.state().step, world.state().hash());
        if parent.hash(step)? != hash {
            return Err(Error::NotAtFrame { step });
        }
        let file = Path::new(parent.name()).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let origin = Parent { file, id: parent.id(), step, hash };
        let note = parent.header().build.split_once(", ").map_or("", |(_, note)| note).to_string();
        let header = Header { build: note, parent: Some(origin), ..parent.header().clone() };
        let mut recorder = Recorder::create(path, &header, world)?;
        for i in 0..parent.edits_before(step) {
            let edit = parent.edits()[i].clone();
            if recorder.stated != Some(edit.step) && !edit.is_command() {
                if recorder.events.size() > recorder.pace.bytes {
                    recorder.write_events()?;
                }
                recorder.events.state(edit.step, parent.state_of_edit(i)?);
                recorder.stated = Some(edit.step);
            }
            recorder.events.edit(edit);
        }
        Ok(recorder)
    }

    /// Begins on any medium.
    pub fn begin(
        medium: Box<dyn Medium>,
        name: &str,
        header: &Header,
        world: &World,
    ) -> Result<Recorder, Error> {
        let header = header.of(world);
        header.check()?;
        Recorder::on(medium, name, header, world)
    }

    fn on(medium: Box<dyn Medium>, name: &str, header: Header, world: &World) -> Result<Recorder, Error> {
        let name = name.to_string();
        let fail = |source| Error::File { name: name.clone(), source };
        let mut packer = Packer::new().map_err(fail)?;
        let body = header.write(&mut packer).map_err(fail)?;
        let mut bytes = format::preamble().to_vec();
        let seed = format::seed(&bytes);
        let id = format::put_block(&mut bytes, HEADER, 0, seed, &body);
        let mut output = Output { medium, name: name.clone(), id, end: 0, number: 0, torn: false };
        output.append(Batch { bytes, seed, start: 0, number: 1 }, false).map_err(fail)?;
        let mut recorder = Recorder {
            output,
            names: header.names.clone(),
            renamed: false,
            header,
            pace: Pace::default(),
            packer,
            draft: Draft::default(),
            events: Events::default(),
            catalogue: Catalogue::default(),
            edited: false,
            base: None,
            last: world.state().step,
            hash: world.state().hash(),
            stated: None,
            commanded: None,
            stopped: None,
            edits_lost: false,
            tally: Tally::default(),
            row: Vec::new(),
            logged: Vec::new(),
        };
        recorder.take_frame(world, &[])?;
        Ok(recorder)
    }

    /// The same recorder with another pace.
    pub fn at_pace(mut self, pace: Pace) -> Recorder {
        self.pace = pace;
        self
    }

    /// Records the world after a step. Call it after every step.
    ///
    /// A step that was already recorded is ignored, so a step rejected with a fault may be passed. An error of the
    /// file is returned once; the recorder is stopped from then on, and this returns `Ok`.
    pub fn step(&mut self, world: &World) -> Result<(), Error> {
        self.step_logged(world, &[])
    }

    /// The same with the values of the header's channels. They are NaN at the start and for steps recorded without
    /// them.
    pub fn step_logged(&mut self, world: &World, channels: &[f64]) -> Result<(), Error> {
        let step = world.state().step;
        if step == self.last {
            return Ok(());
        }
        if step != self.last + 1 {
            return Err(Error::Order { last: self.last, got: step });
        }
        let expected = self.header.channels.len();
        if !channels.is_empty() && channels.len() != expected {
            return Err(Error::Channels { expected, got: channels.len() });
        }
        let before = self.follow_names(world);
        (self.last, self.hash) = (step, world.state().hash());
        if self.stopped.is_some() {
            self.tally.lost += 1;
            return before;
        }
        if let Err(e) = self.take_frame(world, channels) {
            self.stop(e.to_string());
            self.tally.lost += 1;
            return Err(e);
        }
        if self.is_full(world.model().settings().dt) { self.write_chunk() } else { Ok(()) }
    }

    /// Records an edit that is about to be made to the world at the last frame: after its step, before the
    /// next. Call it before the edit is made, so that the state before it can be stored.
    pub fn edit(&mut self, world: &World, key: &str, value: &str) -> Result<(), Error> {
        limit("the bytes of an edit's key", key.len(), LONGEST)?;
        debug_assert!(!key.starts_with('>'), "a command is recorded by `command`");
        limit("the bytes of an edit's value", value.len(), LONGEST)?;
        self.edited = true;
        if self.stated != Some(self.last) {
            self.keep_state(world)?;
        }
        // of one step, or while stopped
        if self.events.size() > 2 * LARGEST {
            self.edits_lost = true;
            return limit("the bytes of edits not yet written", self.events.size(), 2 * LARGEST);
        }
        self.events.edit(Edit { step: self.last, key: key.to_string(), value: value.to_string() });
        Ok(())
    }

    /// Records a command at the last frame: an edit that changes only the state, such as the position of a lever. No
    /// keyframe is stored for it, so there may be many.
    pub fn command(&mut self, key: &str, value: &str) -> Result<(), Error> {
        limit("the bytes of a command's key", key.len(), LONGEST - 1)?;
        limit("the bytes of a command's value", value.len(), LONGEST)?;
        if self.events.size() > 2 * LARGEST {
            self.edits_lost = true;
            return limit("the bytes of edits not yet written", self.events.size(), 2 * LARGEST);
        }
        self.commanded = Some(self.last);
        self.events.edit(Edit::of_command(self.last, key, value));
        Ok(())
    }

    /// Stores the keyframe to which edits are applied.
    fn keep_state(&mut self, world: &World) -> Result<(), Error> {
        // commands have already changed the frame's state
        let is_frame = self.commanded == Some(self.last) || world.state().hash() == self.hash;
        if world.state().step != self.last || !is_frame {
            return Err(Error::NotAtFrame { step: self.last });
        }
        if self.events.size() > LARGEST {
            self.write_events()?;
        }
        let state = world.state().to_bytes();
        limit("the bytes of the state", state.len(), LARGEST)?;
        self.events.state(self.last, state);
        self.stated = Some(self.last);
        Ok(())
    }

    /// Names the last frame.
    pub fn mark(&mut self, name: &str) -> Result<(), Error> {
        limit("the name of a mark", name.len(), LONGEST)?;
        if self.events.size() + name.len() <= LARGEST {
            self.events.mark(Mark { step: self.last, name: name.to_string() });
        }
        Ok(())
    }

    /// Writes the frames in memory now, as a chunk of their own.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.write_chunk()
    }

    /// Why the recorder is stopped, if it is.
    pub fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// Amounts recorded.
    pub fn tally(&self) -> Tally {
        Tally { bytes: self.output.end, ..self.tally }
    }

    /// Tries to continue after a stop: the next step will be recorded with a keyframe. After an error it stays stopped.
    ///
    /// Call it when there may be free space again, at any interval: each call is an attempt to write.
    pub fn resume(&mut self) -> Result<(), Error> {
        if self.stopped.is_some() && self.edits_lost {
            return Err(Error::EditsLost);
        }
        if self.stopped.take().is_some() {
            self.write_events()?;
        }
        Ok(())
    }

    /// Writes the rest and the index, which makes opening fast. The file of a stopped recorder is left as it is,
    /// valid.
    pub fn finish(mut self) -> Result<Tally, Error> {
        self.write_chunk()?;
        if self.stopped.is_none() {
            let name = self.output.name.clone();
            let fail = |source| Error::File { name: name.clone(), source };
            let body = self.catalogue.write(&mut self.packer, self.output.end).map_err(fail)?;
            if let Some(body) = body {
                let mut batch = self.output.batch();
                batch.put(INDEX, &body);
                self.output.append(batch, true).map_err(fail)?;
            }
        }
        Ok(self.tally())
    }

    /// Ends a chunk if bodies or joints were added, removed or renamed since the last frame.
    fn follow_names(&mut self, world: &World) -> Result<(), Error> {
        let model = world.model();
        let counts = (model.bodies().places(), model.joints().places());
        if !std::mem::take(&mut self.edited) && counts == (self.names.bodies.len(), self.names.joints.len()) {
            return Ok(());
        }
        let names = Names::of(model);
        if names == self.names {
            return Ok(());
        }
        let written = self.write_chunk();
        (self.names, self.renamed) = (names, true);
        written
    }

    /// Adds the frame of the world.
    fn take_frame(&mut self, world: &World, channels: &[f64]) -> Result<(), Error> {
        if self.draft.frames() == 0 {
            let (bodies, state) = (world.model().bodies().places(), world.state().to_bytes());
            limit("the number of bodies", bodies, MOST_BODIES)?;
            limit("the bytes of the state", state.len(), LARGEST)?;
            self.draft.begin(self.last, bodies, self.header.channels.len(), state);
        }
        poses::on_grid(world, &self.header.grid, &mut self.row);
        let missing = self.header.channels.len() - channels.len();
        let values = channels.iter().copied().chain(std::iter::repeat_n(f64::NAN, missing));
        self.logged.clear();
        self.logged.push(world.state().time.to_bits() as i64);
        self.logged.extend(values.map(|x| x.to_bits() as i64));
        self.draft.push(self.hash, &self.row, &self.logged);
        Ok(())
    }

    fn is_full(&self, dt: f64) -> bool {
        let frames = self.draft.frames();
        // round-off does not postpone the last frame of a second
        frames >= self.pace.frames
            || frames as f64 * dt >= self.pace.seconds * (1.0 - 1e-9)
            || self.draft.size() + self.events.size() >= self.pace.bytes.min(LARGEST / 2)
    }

    /// Writes frames and events, if there are any.
    fn write_chunk(&mut self) -> Result<(), Error> {
        self.write(true)
    }

    /// Writes events, if there are any.
    fn write_events(&mut self) -> Result<(), Error> {
        self.write(false)
    }

    /// Writes; stops on failure.
    fn write(&mut self, with_frames: bool) -> Result<(), Error> {
        if self.stopped.is_some() {
            return Ok(());
        }
        self.try_to_write(with_frames).map_err(|source| {
            self.stop(source.to_string());
            Error::File { name: self.output.name.clone(), source }
        })
    }

    fn try_to_write(&mut self, with_frames: bool) -> io::Result<()> {
        let mut batch = self.output.batch();
        let frames = if with_frames { self.draft.frames() } else { 0 };
        let names = (frames > 0 && self.renamed).then(|| {
            let mut body = self.draft.first.to_le_bytes().to_vec();
            self.names.put(&mut body);
            batch.put(NAMES, &body)
        });
        let events = if self.events.is_empty() {
            None
        } else {
            Some(batch.put(EVENTS, &self.events.write(&mut self.packer)?))
        };
        let base = self.base.take().filter(|(_, count)| *count < LONGEST_CHAIN);
        let chunk = match (&base, frames) {
            (_, 0) => None,
            (None, _) => Some(batch.put(STEPS, &self.draft.write(&mut self.packer, None)?)),
            (Some((before, _)), _) => {
                Some(batch.put(CHANGES, &self.draft.write(&mut self.packer, Some(before))?))
            }
        };
        self.output.append(batch, self.pace.sync)?;
        // it is in the file: record that
        if let Some(place) = names {
            self.catalogue.names.push(place);
            self.renamed = false;
        }
        if let Some(place) = events {
            let Events { edits, marks, .. } = std::mem::take(&mut self.events);
            self.catalogue.add_edits(place, edits);
            self.catalogue.marks.extend(marks);
        }
        if let Some(place) = chunk {
            let (first, bodies) = (self.draft.first, self.draft.bodies as u32);
            self.catalogue.chunks.push((place, Extent { first, frames: frames as u32, bodies }));
            self.tally.frames += frames as u64;
            if self.draft.key().len() >= LARGE {
                self.base = Some((self.draft.key().to_vec(), base.map_or(0, |(_, count)| count + 1)));
            }
        } else {
            self.base = base;
        }
        if chunk.is_some() {
            self.draft.clear();
        }
        Ok(())
    }

    /// Discards the frames in memory; events are kept.
    fn stop(&mut self, why: String) {
        self.stopped = Some(why);
        self.tally.lost += self.draft.frames() as u64;
        self.draft.clear();
    }
}

impl Drop for Recorder {
    /// Writes what is in memory if possible; nobody can receive an error.
    fn drop(&mut self) {
        let _ = self.write_chunk();
    }
}

/// The file and the length of its valid part.
struct Output {
    medium: Box<dyn Medium>,
    name: String,
    id: u64,
    end: u64,
    number: u32,
    /// Bytes beyond `end` may exist, left by a write that failed.
    torn: bool,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").field("name", &self.name).field("end", &self.end).finish_non_exhaustive()
    }
}

/// Blocks that are written together.
struct Batch {
    bytes: Vec<u8>,
    seed: u64,
    start: u64,
    number: u32,
}

impl Batch {
    /// Adds a block; returns its future offset.
    fn put(&mut self, kind: Kind, body: &[u8]) -> Place {
        let place = Place { offset: self.start + self.bytes.len() as u64, number: self.number };
        format::put_block(&mut self.bytes, kind, self.number, self.seed, body);
        self.number += 1;
        place
    }
}

impl Output {
    fn batch(&self) -> Batch {
        Batch { bytes: Vec::new(), seed: self.id, start: self.end, number: self.number }
    }

    /// Appends all or nothing.
    fn append(&mut self, batch: Batch, sync: bool) -> io::Result<()> {
        if self.torn {
            self.medium.cut(self.end)?;
            self.torn = false;
        }
        let written = self.medium.write_at(self.end, &batch.bytes);
        let written = written.and_then(|()| if sync { self.medium.sync() } else { Ok(()) });
        if let Err(e) = written {
            // readers ignore an incomplete tail, but a clean end is better
            self.torn = self.medium.cut(self.end).is_err();
            return Err(e);
        }
        self.end += batch.bytes.len() as u64;
        self.number = batch.number;
        Ok(())
    }
}

/// Whether a file begins like a recording.
fn begins_like_ours(file: &mut File) -> io::Result<bool> {
    let mut first = [0; 8];
    match file.read_exact(&mut first) {
        Ok(()) => Ok(&first == format::MAGIC),
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(e) => Err(e),
    }
}

/// Locks a file while it is open for recording, so that another run cannot replace it.
fn claim(file: &File, path: &Path) -> Result<(), Error> {
    // a lock would exclude readers there, which may view a recording while it grows
    if cfg!(windows) {
        return Ok(());
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::Busy(path.to_path_buf())),
        // file systems without locks are used without
        _ => Ok(()),
    }
}
