//! Reads frames, keyframes, edits and marks of a file, in any order.
//!
//! Opening reads the index, or else every block from the front up to the first invalid one. All blocks before it are
//! used, and [`Recording::damage`] returns its position. Blocks are checked whenever they are read, so nothing that is
//! returned was damaged since it was written. No count is trusted before the bytes have been read.

use crate::bytes::{Bad, Parsed, Take};
use crate::catalogue::{Catalogue, Place};
use crate::chunk::{Chunk, Extent};
use crate::error::{Damage, Error};
use crate::events::{Edit, Mark, ReadEvents};
use crate::format::{
    self, CHANGES, EVENTS, FRAME, HEAD, HEADER, Head, INDEX, Kind, LONGEST_CHAIN, NAMES, PREAMBLE, STEPS,
    VERSION,
};
use crate::header::{Header, Names, this_build};
use crate::poses::Pose;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;
use windlass_engine::prelude::State;

/// Chunks kept decompressed: the current one and its neighbour.
const KEPT: usize = 2;

/// The source of a recording.
pub trait Origin: Read + Seek + Send + Sync {}
impl<T: Read + Seek + Send + Sync> Origin for T {}

/// A recording, open for reading. The file may still be growing: see [`Recording::refresh`].
pub struct Recording {
    origin: Box<dyn Origin>,
    name: String,
    header: Header,
    id: u64,
    catalogue: Catalogue,
    /// Names and the step from which they apply, the header's first.
    names: Vec<(u64, Names)>,
    /// The offset of the next block, and its number.
    next: Place,
    finished: bool,
    damage: Option<Damage>,
    kept: Vec<(usize, Arc<Chunk>)>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording")
            .field("name", &self.name)
            .field("damage", &self.damage)
            .finish_non_exhaustive()
    }
}

/// Why a block could not be read: an error of the system, or of the file.
enum Trouble {
    System(io::Error),
    File(Bad),
}

impl From<io::Error> for Trouble {
    fn from(e: io::Error) -> Trouble {
        Trouble::System(e)
    }
}

impl From<Bad> for Trouble {
    fn from(bad: Bad) -> Trouble {
        Trouble::File(bad)
    }
}

impl Recording {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Recording, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let fail = |source| Error::File { name: name.clone(), source };
        // checked before opening: opening a pipe would block
        if !fs::metadata(path).map_err(fail)?.is_file() {
            return Err(Error::NotAFile(name));
        }
        let file = File::open(path).map_err(fail)?;
        Recording::read(Box::new(file), &name)
    }

    /// Opens any source.
    pub fn read(mut origin: Box<dyn Origin>, name: &str) -> Result<Recording, Error> {
        let name = name.to_string();
        let fail = |source| Error::File { name: name.clone(), source };
        let size = origin.seek(SeekFrom::End(0)).map_err(fail)?;
        let mut start = [0; PREAMBLE];
        origin.rewind().map_err(fail)?;
        let short = (size as usize) < PREAMBLE;
        if !short {
            origin.read_exact(&mut start).map_err(fail)?;
        }
        if short || &start[..8] != format::MAGIC {
            return Err(Error::NotARecording(name));
        }
        let version = u32::from_le_bytes(start[8..12].try_into().expect("4 bytes"));
        if version != VERSION {
            return Err(Error::Newer { name, version, known: VERSION });
        }
        let first = Place { offset: PREAMBLE as u64, number: 0 };
        let header = block(&mut *origin, first, size, format::seed(&start)).and_then(|block| {
            if block.kind != HEADER {
                return Err(Bad { at: 0, why: "the first block is not a header".into() }.into());
            }
            Ok((Header::read(&block.body)?, block))
        });
        let (header, block) = header.map_err(|trouble| told(&name, first.offset, trouble))?;
        let mut recording = Recording {
            origin,
            id: block.sum,
            catalogue: Catalogue::default(),
            names: vec![(0, header.names.clone())],
            header,
            next: block.next,
            finished: false,
            damage: None,
            kept: Vec::new(),
            name,
        };
        if !recording.read_index(size)? {
            recording.scan(size)?;
        }
        Ok(recording)
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// A hash of the whole header, by which a branch identifies its parent.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The name under which it was opened.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where reading had to end, if it did. A file that is being written may appear truncated until it is
    /// complete.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Whether the recorder closed it.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Reads what was appended since; returns whether there was more.
    pub fn refresh(&mut self) -> Result<bool, Error> {
        let before = self.next;
        let size = self.origin.seek(SeekFrom::End(0)).map_err(|e| self.failed(e))?;
        self.scan(size)?;
        Ok(self.next != before)
    }

    /// Reads every byte and returns the first damage. Opening by the index checks little.
    pub fn check(&mut self) -> Result<Option<Damage>, Error> {
        let size = self.origin.seek(SeekFrom::End(0)).map_err(|e| self.failed(e))?;
        let mut at = Place { offset: PREAMBLE as u64, number: 0 };
        let mut seed = format::seed(&format::preamble());
        while at.offset < size {
            match block(&mut *self.origin, at, size, seed) {
                Ok(block) => (at, seed) = (block.next, self.id),
                Err(Trouble::System(e)) => return Err(self.failed(e)),
                Err(Trouble::File(bad)) => return Ok(Some(damage(at.offset, bad))),
            }
        }
        for chunk in 0..self.catalogue.chunks.len() {
            if let Err(Error::Damaged { damage, .. }) = self.chunk(chunk) {
                return Ok(Some(damage));
            }
        }
        Ok(None)
    }

    /// First and last frame.
    pub fn steps(&self) -> Option<RangeInclusive<u64>> {
        Some(self.catalogue.chunks.first()?.1.first..=self.catalogue.end()? - 1)
    }

    /// The recorded frames, without the gaps.
    pub fn spans(&self) -> Vec<Range<u64>> {
        let mut spans: Vec<Range<u64>> = Vec::new();
        for (_, extent) in &self.catalogue.chunks {
            match spans.last_mut() {
                Some(last) if last.end == extent.first => last.end = extent.end(),
                _ => spans.push(extent.first..extent.end()),
            }
        }
        spans
    }

    /// Whether a step has a frame.
    pub fn contains(&self, step: u64) -> bool {
        self.catalogue.chunk_of(step).is_some()
    }

    /// All edits in their order, including those that a branch inherited.
    pub fn edits(&self) -> &[Edit] {
        &self.catalogue.edits
    }

    /// The number of edits made before a step.
    pub fn edits_before(&self, step: u64) -> usize {
        self.catalogue.edits_before(step)
    }

    /// All marks, in their order.
    pub fn marks(&self) -> &[Mark] {
        &self.catalogue.marks
    }

    /// Names of the bodies and joints at a frame.
    pub fn names(&self, step: u64) -> &Names {
        let after = self.names.partition_point(|(from, _)| *from <= step);
        &self.names[after.max(1) - 1].1
    }

    /// Hash of the state at a frame.
    pub fn hash(&mut self, step: u64) -> Result<u64, Error> {
        Ok(self.chunk_of(step)?.hash(step))
    }

    /// Time of a frame [s].
    pub fn time(&mut self, step: u64) -> Result<f64, Error> {
        Ok(self.chunk_of(step)?.logged(step).next().unwrap_or(f64::NAN))
    }

    /// Poses of all bodies at a frame, by index, rounded to the grid of the header.
    pub fn poses(&mut self, step: u64) -> Result<Vec<Pose>, Error> {
        Ok(self.chunk_of(step)?.poses(step, &self.header.grid))
    }

    /// Values of the header's channels at a frame; NaN where none was given.
    pub fn channels(&mut self, step: u64) -> Result<Vec<f64>, Error> {
        Ok(self.chunk_of(step)?.logged(step).skip(1).collect())
    }

    /// Steps of all keyframes from the first frame to the last, in order: where chunks begin, and where
    /// edits were made.
    pub fn keys(&self) -> Vec<u64> {
        let chunks = self.catalogue.chunks.iter().map(|(_, extent)| extent.first);
        let steps = self.steps().unwrap_or(RangeInclusive::new(1, 0));
        let edits = (0..self.catalogue.edits.len()).filter(|edit| self.catalogue.has_frame(*edit));
        let edits = edits.map(|edit| self.catalogue.edits[edit].step);
        let edits = edits.filter(|step| steps.contains(step));
        let mut keys: Vec<u64> = chunks.chain(edits).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The last keyframe at or before a step.
    pub fn key_at_or_before(&mut self, step: u64) -> Result<(u64, State), Error> {
        let chunk = self.catalogue.chunks.partition_point(|(_, extent)| extent.first <= step);
        let chunk = chunk.checked_sub(1).map(|i| (self.catalogue.chunks[i].1.first, i));
        let edit = self.catalogue.stated_before(step.saturating_add(1));
        let edit = edit.map(|i| (self.catalogue.edits[i].step, i));
        let (at, bytes) = match (chunk, edit) {
            (None, None) => return Err(self.no_such(step)),
            (Some((at, i)), edit) if edit.is_none_or(|(e, _)| e <= at) => (at, self.chunk(i)?.key.clone()),
            (_, Some((at, i))) => (at, self.state_of_edit(i)?),
            (Some(_), None) => unreachable!("the second arm takes it"),
        };
        Ok((at, self.state(at, &bytes)?))
    }

    /// The keyframe to which an edit was applied, as bytes.
    pub(crate) fn state_of_edit(&mut self, edit: usize) -> Result<Vec<u8>, Error> {
        let (step, place) = (self.catalogue.edits[edit].step, self.catalogue.origins[edit]);
        let body = self.body(place, EVENTS)?;
        let state = ReadEvents::read(&body).and_then(|events| {
            match events.states.iter().find(|(at, _)| *at == step) {
                Some((_, part)) => part.unpack(),
                None => {
                    Err(Bad { at: 0, why: format!("the keyframe of the edits at step {step} is missing") })
                }
            }
        });
        state.map_err(|bad| self.damaged(place.offset + HEAD as u64, bad))
    }

    /// A state from undamaged bytes; one of another version is reported as such.
    pub(crate) fn state(&self, step: u64, bytes: &[u8]) -> Result<State, Error> {
        match State::from_bytes(bytes) {
            Ok(state) if state.step == step => Ok(state),
            _ => {
                let format = bytes[..bytes.len().min(8)].escape_ascii().to_string();
                Err(Error::OtherState { step, format, build: self.header.build.clone(), this: this_build() })
            }
        }
    }

    fn chunk_of(&mut self, step: u64) -> Result<Arc<Chunk>, Error> {
        match self.catalogue.chunk_of(step) {
            Some(i) => self.chunk(i),
            None => Err(self.no_such(step)),
        }
    }

    /// A chunk, from memory if it was used recently.
    fn chunk(&mut self, i: usize) -> Result<Arc<Chunk>, Error> {
        if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == i) {
            self.kept[..=at].rotate_right(1);
            return Ok(self.kept[0].1.clone());
        }
        // back to a chunk that is known or has a whole keyframe, then forward
        let mut waiting = Vec::new();
        let mut at = i;
        let mut before = loop {
            if let Some((_, chunk)) = self.kept.iter().find(|(kept, _)| *kept == at) {
                break Some(chunk.clone());
            }
            let place = self.catalogue.chunks[at].0;
            let (kind, body) = self.block_of(place)?;
            waiting.push((at, body));
            match kind {
                STEPS => break None,
                CHANGES if at > 0 && waiting.len() <= LONGEST_CHAIN => at -= 1,
                CHANGES => {
                    let why = "there is no whole keyframe before this block".to_string();
                    return Err(self.damaged(place.offset, Bad { at: 0, why }));
                }
                _ => return Err(self.other_kind(place)),
            }
        };
        while let Some((at, body)) = waiting.pop() {
            let (place, extent) = self.catalogue.chunks[at];
            let key = before.as_ref().map(|chunk| &chunk.key[..]);
            let chunk = match Chunk::read(&body, self.header.channels.len(), key) {
                Ok(chunk) if chunk.extent == extent => Arc::new(chunk),
                Ok(_) => {
                    let why = "the index declares another chunk here".to_string();
                    return Err(self.damaged(place.offset, Bad { at: 0, why }));
                }
                Err(bad) => return Err(self.damaged(place.offset + HEAD as u64, bad)),
            };
            self.kept.truncate(KEPT - 1);
            self.kept.insert(0, (at, chunk.clone()));
            before = Some(chunk);
        }
        Ok(self.kept[0].1.clone())
    }

    /// A block of the catalogue, which is of another kind than the index declares.
    fn other_kind(&self, place: Place) -> Error {
        let why = "the index declares a block of another kind here".to_string();
        self.damaged(place.offset, Bad { at: 0, why })
    }

    /// The kind and the body of a block.
    fn block_of(&mut self, place: Place) -> Result<(Kind, Vec<u8>), Error> {
        let size = self.origin.seek(SeekFrom::End(0)).map_err(|e| self.failed(e))?;
        let block = block(&mut *self.origin, place, size, self.id);
        let block = block.map_err(|trouble| told(&self.name, place.offset, trouble))?;
        Ok((block.kind, block.body))
    }

    /// The body of a block of a kind.
    fn body(&mut self, place: Place, kind: Kind) -> Result<Vec<u8>, Error> {
        let (found, body) = self.block_of(place)?;
        if found == kind { Ok(body) } else { Err(self.other_kind(place)) }
    }

    /// Opens by the index; false if there is no valid one.
    fn read_index(&mut self, size: u64) -> Result<bool, Error> {
        let mut tail = [0; 16];
        if size < self.next.offset + (FRAME + 16) as u64 {
            return Ok(false);
        }
        let read =
            self.origin.seek(SeekFrom::Start(size - 16)).and_then(|_| self.origin.read_exact(&mut tail));
        read.map_err(|e| self.failed(e))?;
        let offset = u64::from_le_bytes(tail[..8].try_into().expect("8 bytes"));
        if offset < self.next.offset || offset > size - FRAME as u64 {
            return Ok(false);
        }
        let block = match block_of_any_number(&mut *self.origin, offset, size, self.id) {
            Ok(block) if block.kind == INDEX && block.next.offset == size => block,
            Err(Trouble::System(e)) => return Err(self.failed(e)),
            _ => return Ok(false),
        };
        let Ok(catalogue) = Catalogue::read(&block.body, offset) else { return Ok(false) };
        self.catalogue = catalogue;
        for place in self.catalogue.names.clone() {
            let names = self.body(place, NAMES).ok().and_then(|body| take_names(&body).ok());
            let Some(names) = names else {
                // a scan reports where the damage is
                self.catalogue = Catalogue::default();
                self.names.truncate(1);
                return Ok(false);
            };
            self.names.push(names);
        }
        (self.next, self.finished) = (block.next, true);
        Ok(true)
    }

    /// Reads blocks until the end of the file or the first invalid one.
    fn scan(&mut self, size: u64) -> Result<(), Error> {
        self.damage = None;
        while self.next.offset < size {
            let at = self.next;
            let taken = match block(&mut *self.origin, at, size, self.id) {
                Ok(block) => self.take(at, &block).map_err(|bad| Bad { at: bad.at + HEAD, ..bad }),
                Err(Trouble::File(bad)) => Err(bad),
                Err(Trouble::System(e)) => return Err(self.failed(e)),
            };
            if let Err(bad) = taken {
                self.damage = Some(damage(at.offset, bad));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Records the contents of a valid block.
    fn take(&mut self, at: Place, block: &Block) -> Parsed<()> {
        let bad = |why: &str| Err(Bad { at: 0, why: why.into() });
        match block.kind {
            STEPS | CHANGES => {
                let extent = Extent::read(&mut Take::new(&block.body))?;
                if self.catalogue.end().is_some_and(|end| extent.first < end) {
                    return bad("steps decrease");
                }
                self.catalogue.chunks.push((at, extent));
            }
            EVENTS => {
                let events = ReadEvents::read(&block.body)?;
                let last = self.catalogue.edits.last().map(|e| e.step);
                if events.edits.first().is_some_and(|e| Some(e.step) < last) {
                    return bad("edits are out of order");
                }
                let of_last = self.catalogue.edits.iter().rev().take_while(|e| Some(e.step) == last);
                let stated = last.filter(|_| of_last.into_iter().any(|e| !e.is_command()));
                if let Some(step) = events.without_state(stated) {
                    return bad(&format!("there is no keyframe for the edits at step {step}"));
                }
                self.catalogue.add_edits(at, events.edits);
                self.catalogue.marks.extend(events.marks);
            }
            NAMES => self.names.push(take_names(&block.body)?),
            INDEX => self.finished = true,
            _ if block.head.may_be_skipped() => {}
            kind => {
                let kind = kind.escape_ascii();
                return bad(&format!("a block has the unknown kind {kind}: use a newer Windlass"));
            }
        }
        self.next = block.next;
        Ok(())
    }

    fn no_such(&self, step: u64) -> Error {
        let spans: Vec<String> =
            self.spans().iter().map(|s| format!("{} to {}", s.start, s.end - 1)).collect();
        let held =
            if spans.is_empty() { "it has no frames".into() } else { format!("it has {}", spans.join(", ")) };
        Error::NoSuchStep { step, held }
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::File { name: self.name.clone(), source }
    }

    fn damaged(&self, offset: u64, bad: Bad) -> Error {
        Error::Damaged { name: self.name.clone(), damage: damage(offset, bad) }
    }
}

fn take_names(body: &[u8]) -> Parsed<(u64, Names)> {
    let mut take = Take::new(body);
    let names = (take.u64()?, Names::take(&mut take)?);
    take.end()?;
    Ok(names)
}

fn damage(offset: u64, bad: Bad) -> Damage {
    Damage { offset: offset + bad.at as u64, why: bad.why }
}

fn told(name: &str, offset: u64, trouble: Trouble) -> Error {
    let name = name.to_string();
    match trouble {
        Trouble::System(source) => Error::File { name, source },
        Trouble::File(bad) => Error::Damaged { name, damage: damage(offset, bad) },
    }
}

/// A valid block.
struct Block {
    head: Head,
    kind: Kind,
    body: Vec<u8>,
    sum: u64,
    /// The offset of the next one, and its number.
    next: Place,
}

/// Reads and checks a block.
fn block(origin: &mut dyn Origin, at: Place, size: u64, seed: u64) -> Result<Block, Trouble> {
    let block = block_of_any_number(origin, at.offset, size, seed)?;
    if block.head.number != at.number {
        let why = format!("found block {} instead of block {}", block.head.number, at.number);
        return Err(Bad { at: 4, why }.into());
    }
    Ok(block)
}

fn block_of_any_number(origin: &mut dyn Origin, offset: u64, size: u64, seed: u64) -> Result<Block, Trouble> {
    let room = size.saturating_sub(offset);
    if room < FRAME as u64 {
        return Err(
            Bad { at: 0, why: format!("a block begins {room} bytes before the end of the file") }.into()
        );
    }
    let mut bytes = [0; HEAD];
    origin.seek(SeekFrom::Start(offset))?;
    origin.read_exact(&mut bytes)?;
    let head = Head::parse(&bytes, room - HEAD as u64)?;
    // the bytes exist: the length can be trusted
    let mut body = vec![0; head.length as usize + 8];
    origin.read_exact(&mut body)?;
    let sum = head.check(&bytes, &body, seed)?;
    body.truncate(head.length as usize);
    let next = Place { offset: offset + head.length + FRAME as u64, number: head.number.wrapping_add(1) };
    Ok(Block { kind: head.kind, head, body, sum, next })
}
