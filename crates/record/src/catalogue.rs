//! The contents of a recording and their offsets: collected block by block, written at the end as the index.

use crate::bytes::LARGEST;
use crate::bytes::{Packer, Parsed, Take, put_text, put_u32, put_u64};
use crate::chunk::Extent;
use crate::events::{Edit, Mark, put_marks, take_edit, take_marks};

/// The offset of a block, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub offset: u64,
    pub number: u32,
}

/// The contents of a recording.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Catalogue {
    pub chunks: Vec<(Place, Extent)>,
    pub edits: Vec<Edit>,
    /// The block with the keyframe of each edit.
    pub origins: Vec<Place>,
    pub marks: Vec<Mark>,
    pub names: Vec<Place>,
}

impl Catalogue {
    /// The step after the last frame.
    pub fn end(&self) -> Option<u64> {
        self.chunks.last().map(|(_, extent)| extent.end())
    }

    /// The chunk with a frame.
    pub fn chunk_of(&self, step: u64) -> Option<usize> {
        let after = self.chunks.partition_point(|(_, extent)| extent.first <= step);
        (after > 0 && self.chunks[after - 1].1.contains(step)).then(|| after - 1)
    }

    /// The number of edits made before a step.
    pub fn edits_before(&self, step: u64) -> usize {
        self.edits.partition_point(|e| e.step < step)
    }

    /// Whether an edit has the keyframe of its frame: it is not a command, and none was made at the frame before it.
    pub fn has_frame(&self, edit: usize) -> bool {
        let first = self.edits_before(self.edits[edit].step);
        !self.edits[edit].is_command() && !self.edits[first].is_command()
    }

    /// The last edit before a step that has the keyframe of its frame.
    pub fn stated_before(&self, step: u64) -> Option<usize> {
        (0..self.edits_before(step)).rev().find(|edit| self.has_frame(*edit))
    }

    /// Adds the edits of one block. The keyframe of a step is stored with its first edit that is not a command.
    pub fn add_edits(&mut self, place: Place, edits: impl IntoIterator<Item = Edit>) {
        for edit in edits {
            let known = self.edits.iter().zip(&self.origins).rev();
            let known = known.take_while(|(e, _)| e.step == edit.step).filter(|(e, _)| !e.is_command());
            let origin = known.last().map_or(place, |(_, origin)| *origin);
            self.edits.push(edit);
            self.origins.push(origin);
        }
    }

    /// The body of the index at an offset; empty if it is too large to be read again.
    pub fn write(&self, packer: &mut Packer, offset: u64) -> std::io::Result<Option<Vec<u8>>> {
        let mut main = Vec::new();
        put_u32(&mut main, self.chunks.len());
        for (place, extent) in &self.chunks {
            place.put(&mut main);
            extent.put(&mut main);
        }
        put_u32(&mut main, self.edits.len());
        for (edit, origin) in self.edits.iter().zip(&self.origins) {
            origin.put(&mut main);
            put_u64(&mut main, edit.step);
            put_text(&mut main, &edit.key);
            put_text(&mut main, &edit.value);
        }
        put_marks(&mut main, &self.marks);
        put_u32(&mut main, self.names.len());
        self.names.iter().for_each(|place| place.put(&mut main));
        if main.len() > LARGEST {
            return Ok(None);
        }
        let mut out = Vec::new();
        packer.put(&mut out, &main)?;
        put_u64(&mut out, offset);
        Ok(Some(out))
    }

    /// Reads the body of an index; `size` is the length of the file before it.
    pub fn read(body: &[u8], size: u64) -> Parsed<Catalogue> {
        let mut take = Take::new(body);
        let main = take.part()?.unpack()?;
        take.u64()?;
        take.end()?;
        let mut take = Take::new(&main);
        let mut all = Catalogue::default();
        for _ in 0..take.count(28)? {
            all.chunks.push((Place::read(&mut take, size)?, Extent::read(&mut take)?));
        }
        for _ in 0..take.count(28)? {
            all.origins.push(Place::read(&mut take, size)?);
            all.edits.push(take_edit(&mut take)?);
        }
        all.marks = take_marks(&mut take)?;
        all.names = (0..take.count(12)?).map(|_| Place::read(&mut take, size)).collect::<Parsed<_>>()?;
        take.end()?;
        let ordered = all.chunks.windows(2).all(|c| c[0].1.end() <= c[1].1.first);
        if ordered && all.edits.is_sorted_by_key(|e| e.step) {
            Ok(all)
        } else {
            take.bad("the index is out of order")
        }
    }
}

impl Place {
    fn put(&self, out: &mut Vec<u8>) {
        put_u64(out, self.offset);
        put_u32(out, self.number as usize);
    }

    fn read(take: &mut Take<'_>, size: u64) -> Parsed<Place> {
        let place = Place { offset: take.u64()?, number: take.u32()? };
        if place.offset < size { Ok(place) } else { take.bad("the index points beyond the blocks") }
    }
}
