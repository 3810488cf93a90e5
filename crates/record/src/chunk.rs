//! A chunk: frames of about one second, and a keyframe (the complete state) of the first.

use crate::bytes::{Packer, Parsed, Take, put_u32, put_u64};
use crate::columns::{self, Columns};
use crate::header::Grid;
use crate::poses::{NUMBERS, Pose, off_grid};
use xxhash_rust::xxh64::xxh64;

/// Frames to be written.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub first: u64,
    pub bodies: usize,
    key: Vec<u8>,
    hashes: Vec<u64>,
    logged: Columns,
    poses: Columns,
}

impl Draft {
    pub fn frames(&self) -> usize {
        self.hashes.len()
    }

    /// Memory the frames take, without the keyframe: a large state does not make chunks shorter.
    pub fn size(&self) -> usize {
        self.logged.size() + self.poses.size()
    }

    /// The keyframe.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Removes all frames.
    pub fn clear(&mut self) {
        self.hashes.clear();
        self.poses.restart(0);
        self.logged.restart(0);
    }

    /// Begins with a frame whose complete state is stored.
    pub fn begin(&mut self, first: u64, bodies: usize, channels: usize, state: Vec<u8>) {
        (self.first, self.bodies, self.key) = (first, bodies, state);
        self.hashes.clear();
        self.poses.restart(NUMBERS * bodies);
        self.logged.restart(1 + channels);
    }

    /// Appends a frame.
    pub fn push(&mut self, hash: u64, poses: &[i64], logged: &[i64]) {
        self.hashes.push(hash);
        self.poses.push(poses);
        self.logged.push(logged);
    }

    /// The body of a block: with the whole keyframe, or with its differences from the keyframe of the chunk before.
    pub fn write(&mut self, packer: &mut Packer, before: Option<&[u8]>) -> std::io::Result<Vec<u8>> {
        let mut out = Vec::new();
        put_u64(&mut out, self.first);
        put_u32(&mut out, self.hashes.len());
        put_u32(&mut out, self.bodies);
        self.hashes.iter().for_each(|h| put_u64(&mut out, *h));
        match before {
            Some(before) => packer.put_after(&mut out, &self.key, before)?,
            None => packer.put(&mut out, &self.key)?,
        }
        self.logged.write(&mut out, packer)?;
        self.poses.write(&mut out, packer)?;
        Ok(out)
    }
}

/// The extent of a chunk, read without decompressing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub first: u64,
    pub frames: u32,
    pub bodies: u32,
}

impl Extent {
    pub fn read(take: &mut Take<'_>) -> Parsed<Extent> {
        let extent = Extent { first: take.u64()?, frames: take.u32()?, bodies: take.u32()? };
        let end = extent.first.checked_add(u64::from(extent.frames));
        if extent.frames == 0 || end.is_none_or(|e| e > 1 << 62) {
            return take.bad(format!("{} frames from step {} are declared", extent.frames, extent.first));
        }
        Ok(extent)
    }

    pub fn put(&self, out: &mut Vec<u8>) {
        put_u64(out, self.first);
        put_u32(out, self.frames as usize);
        put_u32(out, self.bodies as usize);
    }

    /// The step after its last.
    pub fn end(&self) -> u64 {
        self.first + u64::from(self.frames)
    }

    pub fn contains(&self, step: u64) -> bool {
        (self.first..self.end()).contains(&step)
    }
}

/// A chunk read from a file.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub extent: Extent,
    pub key: Vec<u8>,
    hashes: Vec<u64>,
    logged: Vec<i64>,
    poses: Vec<i64>,
}

impl Chunk {
    /// Reads the body of a block; the keyframe of the chunk before if the block has only the differences from it.
    pub fn read(body: &[u8], channels: usize, before: Option<&[u8]>) -> Parsed<Chunk> {
        let mut take = Take::new(body);
        let extent = Extent::read(&mut take)?;
        let (frames, bodies) = (extent.frames as usize, extent.bodies as usize);
        let hashes = take.bytes(frames.saturating_mul(8))?;
        let hashes = hashes.chunks_exact(8).map(|h| u64::from_le_bytes(h.try_into().expect("8 bytes")));
        let hashes: Vec<u64> = hashes.collect();
        let part = take.part()?;
        let key = before.map_or_else(|| part.unpack(), |before| part.unpack_after(before))?;
        if xxh64(&key, 0) != hashes[0] {
            return take.bad("the keyframe does not match the first frame");
        }
        let logged = columns::read(&mut take, frames, 1 + channels)?;
        let poses = columns::read(&mut take, frames, NUMBERS.saturating_mul(bodies))?;
        take.end()?;
        Ok(Chunk { extent, key, hashes, logged, poses })
    }

    fn row(&self, step: u64) -> usize {
        (step - self.extent.first) as usize
    }

    pub fn hash(&self, step: u64) -> u64 {
        self.hashes[self.row(step)]
    }

    /// Time, then the channels.
    pub fn logged(&self, step: u64) -> impl Iterator<Item = f64> {
        let width = self.logged.len() / self.hashes.len();
        let at = width * self.row(step);
        self.logged[at..at + width].iter().map(|bits| f64::from_bits(*bits as u64))
    }

    pub fn poses(&self, step: u64, grid: &Grid) -> Vec<Pose> {
        let width = NUMBERS * self.extent.bodies as usize;
        let at = width * self.row(step);
        self.poses[at..at + width].chunks_exact(NUMBERS).map(|n| off_grid(n, grid)).collect()
    }
}
