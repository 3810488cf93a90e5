//! Numbers, texts and compressed parts ⇄ bytes. Little-endian; a text is its length (u32) and UTF-8.
//!
//! A part is its length (u32), its compressed length (u32) and one zstd frame; an empty part is two zeros.
//! Reading checks every count against the bytes present before memory is allocated for it.

use zstd::zstd_safe::{CCtx, CParameter, DCtx, DParameter, compress_bound, get_error_name};

/// Invalid bytes: the offset in the slice, and the error.
#[derive(Debug)]
pub(crate) struct Bad {
    pub at: usize,
    pub why: String,
}

pub(crate) type Parsed<T> = Result<T, Bad>;

/// Maximum uncompressed size of a part, of a chunk's poses and of all sources: sufficient for 100 000 bodies with
/// joints, and a bound on the memory that a hostile file can make a reader allocate.
pub(crate) const LARGEST: usize = 64 << 20;
/// zstd level. For poses level 3 is 1 % smaller and takes twice as long.
const LEVEL: i32 = 1;
/// A zstd block holds at most 128 KiB and takes at least 4 bytes: no valid frame expands more.
const GROWTH: usize = 128 * 1024 / 4;
/// Logarithm of the window of parts that follow earlier bytes: both are below `LARGEST`, together at most 2²⁷ bytes.
const WINDOW: u32 = 27;

pub(crate) fn put_u32(out: &mut Vec<u8>, n: usize) {
    // writers keep all counts below LARGEST
    out.extend_from_slice(&(n as u32).to_le_bytes());
}

pub(crate) fn put_u64(out: &mut Vec<u8>, n: u64) {
    out.extend_from_slice(&n.to_le_bytes());
}

pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_u32(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Seven bits per byte, the low ones first, the high bit set on all but the last (LEB128).
pub(crate) fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Compresses parts; reuses zstd's work space.
pub(crate) struct Packer(zstd::bulk::Compressor<'static>);

impl Packer {
    pub fn new() -> std::io::Result<Packer> {
        let mut packer = zstd::bulk::Compressor::new(LEVEL)?;
        // planes have runs of zeros and otherwise noise: a search for short matches finds little and doubles
        // the time
        packer.set_parameter(CParameter::MinMatch(7))?;
        packer.set_parameter(CParameter::HashLog(10))?;
        Ok(Packer(packer))
    }

    /// Appends a part.
    pub fn put(&mut self, out: &mut Vec<u8>, raw: &[u8]) -> std::io::Result<()> {
        put_u32(out, raw.len());
        if raw.is_empty() {
            put_u32(out, 0);
            return Ok(());
        }
        let head = out.len();
        out.resize(head + 4 + zstd::zstd_safe::compress_bound(raw.len()), 0);
        let packed = self.0.compress_to_buffer(raw, &mut out[head + 4..])?;
        out.truncate(head + 4 + packed);
        out[head..head + 4].copy_from_slice(&(packed as u32).to_le_bytes());
        Ok(())
    }

    /// Appends a part of which only the differences from earlier bytes are stored.
    pub fn put_after(&mut self, out: &mut Vec<u8>, raw: &[u8], before: &[u8]) -> std::io::Result<()> {
        let fail = |code| std::io::Error::other(get_error_name(code));
        let mut context = CCtx::create();
        context.set_parameter(CParameter::CompressionLevel(LEVEL)).map_err(fail)?;
        context.set_parameter(CParameter::EnableLongDistanceMatching(true)).map_err(fail)?;
        context.set_parameter(CParameter::WindowLog(WINDOW)).map_err(fail)?;
        context.ref_prefix(before).map_err(fail)?;
        put_u32(out, raw.len());
        let head = out.len();
        out.resize(head + 4 + compress_bound(raw.len()), 0);
        let packed = context.compress2(&mut out[head + 4..], raw).map_err(fail)?;
        out.truncate(head + 4 + packed);
        out[head..head + 4].copy_from_slice(&(packed as u32).to_le_bytes());
        Ok(())
    }
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}

/// Takes bytes from the front.
#[derive(Clone, Debug)]
pub(crate) struct Take<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Take<'a> {
    pub fn new(bytes: &'a [u8]) -> Take<'a> {
        Take { bytes, at: 0 }
    }

    pub fn bad<T>(&self, why: impl Into<String>) -> Parsed<T> {
        Err(Bad { at: self.at, why: why.into() })
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn bytes(&mut self, n: usize) -> Parsed<&'a [u8]> {
        if n > self.left() {
            return self.bad(format!("{n} bytes are declared, {} are present", self.left()));
        }
        self.at += n;
        Ok(&self.bytes[self.at - n..self.at])
    }

    pub fn u8(&mut self) -> Parsed<u8> {
        Ok(self.bytes(1)?[0])
    }

    pub fn u32(&mut self) -> Parsed<u32> {
        Ok(u32::from_le_bytes(self.bytes(4)?.try_into().expect("4 bytes were taken")))
    }

    pub fn u64(&mut self) -> Parsed<u64> {
        Ok(u64::from_le_bytes(self.bytes(8)?.try_into().expect("8 bytes were taken")))
    }

    pub fn f64(&mut self) -> Parsed<f64> {
        Ok(f64::from_bits(self.u64()?))
    }

    /// A count of items of at least `size` bytes each.
    pub fn count(&mut self, size: usize) -> Parsed<usize> {
        let n = self.u32()? as usize;
        if n > self.left() / size {
            return self.bad(format!("{n} entries are declared, {} bytes are present", self.left()));
        }
        Ok(n)
    }

    pub fn text(&mut self) -> Parsed<String> {
        let n = self.count(1)?;
        let bytes = self.bytes(n)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_string()),
            Err(_) => self.bad("a text is not UTF-8"),
        }
    }

    pub fn varint(&mut self) -> Parsed<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        self.bad("a number has more than ten bytes")
    }

    /// A part, still compressed.
    pub fn part(&mut self) -> Parsed<Part<'a>> {
        let (raw, packed) = (self.u32()? as usize, self.u32()? as usize);
        let part = Part { raw, packed: self.bytes(packed)?, at: self.at };
        if raw > LARGEST || raw > packed.saturating_mul(GROWTH) || (raw == 0) != (packed == 0) {
            return self.bad(format!("{packed} compressed bytes cannot expand to {raw}"));
        }
        Ok(part)
    }

    /// Rejects remaining bytes.
    pub fn end(&self) -> Parsed<()> {
        if self.left() > 0 { self.bad("unexpected bytes at the end") } else { Ok(()) }
    }
}

/// A compressed part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    raw: usize,
    packed: &'a [u8],
    at: usize,
}

impl Part<'_> {
    /// Its uncompressed length.
    pub fn len(&self) -> usize {
        self.raw
    }

    pub fn unpack(&self) -> Parsed<Vec<u8>> {
        if self.raw == 0 {
            return Ok(Vec::new());
        }
        match zstd::bulk::decompress(self.packed, self.raw) {
            Ok(bytes) if bytes.len() == self.raw => Ok(bytes),
            Ok(bytes) => {
                Err(self.bad(format!("{} bytes were decompressed, {} are declared", bytes.len(), self.raw)))
            }
            Err(e) => Err(self.bad(format!("cannot be decompressed: {e}"))),
        }
    }

    /// Unpacks a part of `put_after`, with the same earlier bytes.
    pub fn unpack_after(&self, before: &[u8]) -> Parsed<Vec<u8>> {
        let fail = |code| self.bad(format!("cannot be decompressed: {}", get_error_name(code)));
        let mut context = DCtx::create();
        context.set_parameter(DParameter::WindowLogMax(WINDOW)).map_err(fail)?;
        context.ref_prefix(before).map_err(fail)?;
        let mut bytes = vec![0; self.raw];
        match context.decompress(&mut bytes[..], self.packed).map_err(fail)? {
            length if length == self.raw => Ok(bytes),
            length => Err(self.bad(format!("{length} bytes were decompressed, {} are declared", self.raw))),
        }
    }

    fn bad(&self, why: String) -> Bad {
        Bad { at: self.at, why }
    }
}
