//! The header of a recording, before the first frame.

use crate::bytes::LARGEST;
use crate::bytes::{Packer, Parsed, Take, put_text, put_u32, put_u64};
use crate::error::Error;
use crate::format::LONGEST;
use std::collections::BTreeMap;
use windlass_engine::prelude::{Model, World};

/// Maximum number of bodies of a recorded world: a chunk of one frame fits into the limit of a reader.
pub(crate) const MOST_BODIES: usize = LARGEST / 256;
/// Maximum number of channels.
const MOST_CHANNELS: usize = 10_000;

/// A file the scene was built from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Its name, as given by the scene or the user.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Resolution of the poses for viewing. Keyframes are stored in addition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// For positions [m].
    pub length: f64,
    /// For the components of the quaternion; half of it is the maximum error, about the angle in rad.
    pub orientation: f64,
}

impl Default for Grid {
    /// 10 µm: a mechanism of 20 mm on a screen of 2000 pixels shows no steps; the maximum error is half of it. The same
    /// for orientations: the tip of a boom of 50 m is off by at most 0.5 mm, a tenth of a pixel when the boom fills the
    /// screen.
    fn default() -> Grid {
        Grid { length: 1e-5, orientation: 1e-5 }
    }
}

/// The origin of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// Name of the parent's file when the branch was made.
    pub file: String,
    /// The parent's id.
    pub id: u64,
    /// The frame it starts from.
    pub step: u64,
    /// The hash of that frame.
    pub hash: u64,
}

/// Names by index; empty where there is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Names of the bodies.
    pub bodies: Vec<String>,
    /// Names of the joints.
    pub joints: Vec<String>,
}

impl Names {
    /// The names in a model.
    pub fn of(model: &Model) -> Names {
        let mut names = Names {
            bodies: vec![String::new(); model.bodies().places()],
            joints: vec![String::new(); model.joints().places()],
        };
        model.bodies().iter().for_each(|(i, b)| names.bodies[i] = given(&b.name, i));
        model.joints().iter().for_each(|(i, j)| names.joints[i] = given(&j.name, i));
        names
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        for list in [&self.bodies, &self.joints] {
            put_u32(out, list.len());
            list.iter().for_each(|name| put_text(out, name));
        }
    }

    pub(crate) fn take(take: &mut Take<'_>) -> Parsed<Names> {
        Ok(Names { bodies: texts(take)?, joints: texts(take)? })
    }
}

/// A name that is not empty, so that an empty one means an unused index.
fn given(name: &str, place: usize) -> String {
    if name.is_empty() { format!("#{place}") } else { name.to_string() }
}

/// The header of a recording.
///
/// `Recorder::create` fills in `build`, `dt` and `names` from the world; leave them as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The engine's version, and a note of the caller after it.
    pub build: String,
    /// The files of the scene, the main one first.
    pub sources: Vec<Source>,
    /// Overrides of the scene: options of the command line.
    pub overrides: Vec<(String, String)>,
    /// Other notes.
    pub notes: BTreeMap<String, String>,
    /// Names of the values logged at every step.
    pub channels: Vec<String>,
    /// Resolution of the poses.
    pub grid: Grid,
    /// Time step of the world at the start of the recording [s].
    pub dt: f64,
    /// Bodies and joints at the start of the recording.
    pub names: Names,
    /// The origin of a branch.
    pub parent: Option<Parent>,
}

/// The version of the engine in this build.
pub fn this_build() -> String {
    format!("windlass {}", env!("CARGO_PKG_VERSION"))
}

impl Header {
    /// Completed with the data of the world.
    pub(crate) fn of(&self, world: &World) -> Header {
        let note = if self.build.is_empty() { String::new() } else { format!(", {}", self.build) };
        let settings = world.model().settings();
        let names = Names::of(world.model());
        Header { build: this_build() + &note, dt: settings.dt, names, ..self.clone() }
    }

    /// Checks whether it may be written.
    pub(crate) fn check(&self) -> Result<(), Error> {
        // a grid finer than 1e-8 m would overflow at the engine's largest position, 1e10 m
        for grid in [self.grid.length, self.grid.orientation] {
            if !(1e-8..=1.0).contains(&grid) {
                return Err(Error::Grid(grid));
            }
        }
        let total: usize = self.sources.iter().map(|s| s.bytes.len()).sum();
        limit("the bytes of the scene's files", total, LARGEST)?;
        limit("the number of bodies", self.names.bodies.len(), MOST_BODIES)?;
        limit("the number of channels", self.channels.len(), MOST_CHANNELS)?;
        let mut all = 0;
        for text in self.texts() {
            limit("the bytes of a text in the header", text.len(), LONGEST)?;
            all += text.len() + 4;
        }
        limit("the bytes of the texts in the header", all, LARGEST - 1024)
    }

    /// All texts in it.
    fn texts(&self) -> impl Iterator<Item = &String> {
        let overrides = self.overrides.iter().flat_map(|(key, value)| [key, value]);
        let notes = self.notes.iter().flat_map(|(key, value)| [key, value]);
        let files = self.sources.iter().map(|source| &source.name);
        let names = self.names.bodies.iter().chain(&self.names.joints);
        overrides.chain(notes).chain(files).chain(names).chain(&self.channels).chain([&self.build])
    }

    pub(crate) fn write(&self, packer: &mut Packer) -> std::io::Result<Vec<u8>> {
        let mut main = Vec::new();
        put_text(&mut main, &self.build);
        [self.dt, self.grid.length, self.grid.orientation]
            .iter()
            .for_each(|x| put_u64(&mut main, x.to_bits()));
        self.names.put(&mut main);
        put_u32(&mut main, self.channels.len());
        self.channels.iter().for_each(|c| put_text(&mut main, c));
        put_pairs(&mut main, self.overrides.len(), self.overrides.iter().map(|(k, v)| (k, v)));
        put_pairs(&mut main, self.notes.len(), self.notes.iter());
        main.push(self.parent.is_some() as u8);
        if let Some(parent) = &self.parent {
            put_text(&mut main, &parent.file);
            [parent.id, parent.step, parent.hash].iter().for_each(|n| put_u64(&mut main, *n));
        }
        let mut out = Vec::new();
        packer.put(&mut out, &main)?;
        put_u32(&mut out, self.sources.len());
        for source in &self.sources {
            put_text(&mut out, &source.name);
            packer.put(&mut out, &source.bytes)?;
        }
        Ok(out)
    }

    pub(crate) fn read(body: &[u8]) -> Parsed<Header> {
        let mut take = Take::new(body);
        let main = take.part()?.unpack()?;
        let mut header = Header::take_main(&mut Take::new(&main))?;
        let mut room = LARGEST;
        for _ in 0..take.count(12)? {
            let name = take.text()?;
            let part = take.part()?;
            if part.len() > room {
                return take.bad("the files of the scene are too large");
            }
            room -= part.len();
            header.sources.push(Source { name, bytes: part.unpack()? });
        }
        take.end()?;
        Ok(header)
    }

    fn take_main(take: &mut Take<'_>) -> Parsed<Header> {
        let mut header = Header { build: take.text()?, dt: take.f64()?, ..Header::default() };
        header.grid = Grid { length: take.f64()?, orientation: take.f64()? };
        let sound = |x: f64| x > 0.0 && x.is_finite();
        if !sound(header.dt) || !sound(header.grid.length) || !sound(header.grid.orientation) {
            return take.bad("the step or the grid is not a positive number");
        }
        header.names = Names::take(take)?;
        header.channels = texts(take)?;
        header.overrides = pairs(take)?;
        header.notes = pairs(take)?.into_iter().collect();
        header.parent = match take.u8()? {
            0 => None,
            1 => Some(Parent { file: take.text()?, id: take.u64()?, step: take.u64()?, hash: take.u64()? }),
            other => return take.bad(format!("a flag is {other}")),
        };
        take.end()?;
        Ok(header)
    }
}

pub(crate) fn limit(what: &str, size: usize, most: usize) -> Result<(), Error> {
    if size <= most {
        return Ok(());
    }
    Err(Error::Limit { what: what.to_string(), size: size as u64, most: most as u64 })
}

fn put_pairs<'a>(out: &mut Vec<u8>, count: usize, pairs: impl Iterator<Item = (&'a String, &'a String)>) {
    put_u32(out, count);
    for (key, value) in pairs {
        put_text(out, key);
        put_text(out, value);
    }
}

fn texts(take: &mut Take<'_>) -> Parsed<Vec<String>> {
    (0..take.count(4)?).map(|_| take.text()).collect()
}

fn pairs(take: &mut Take<'_>) -> Parsed<Vec<(String, String)>> {
    (0..take.count(8)?).map(|_| Ok((take.text()?, take.text()?))).collect()
}
