//! The file: a preamble and blocks, each with a checksum.
//!
//! All numbers are little-endian; `text` is a u32 length and UTF-8; `part` is a u32 length, a u32 compressed
//! length and that many bytes, one zstd frame (two zeros: empty). Checksums are XXH3, 64 bits, with the given
//! seed.
//!
//! ```text
//!  file      "WLRECORD", u32 version = 1, u32 0, then blocks: HEAD first, INDX (if any) last
//!  block     4 bytes kind, u32 number (0, 1, 2 … in the file), u64 length of body, body, u64 checksum
//!            over kind, number, length and body. Seed for HEAD: XXH3 (seed 0) of the file's first 16 bytes.
//!            Seed for all others: HEAD's checksum, which is the id of the recording.
//!
//!  HEAD      part { text build, f64 dt, f64 length grid [m], f64 orientation grid,
//!                   names, u32 n × text channel, u32 n × (text, text) overrides, u32 n × (text, text) notes,
//!                   u8 1 and (text file, u64 id, u64 step, u64 hash) of the parent, or u8 0 },
//!            u32 n × (text name, part bytes) sources
//!  NAME      u64 step from which it applies, names
//!  names     u32 n × text of the bodies by index (empty: no body there), u32 n × text of the joints
//!  EVNT      u32 n × (u64 step, text key, text value) edits, u32 n × (u64 step, text) marks,
//!            u32 n × (u64 step, part) keyframes (`State::to_bytes`), one for each step with edits other than
//!            commands;
//!            if the edits of a step are in two blocks, it is in the first
//!  STEP      u64 step of the first frame, u32 frames n ≥ 1, u32 bodies b, n × u64 state hash,
//!            part: keyframe of the first frame, columns: 1 + channels wide, columns: 7 b wide
//!  DELT      as STEP, but the keyframe is a zstd frame with the keyframe of the chunk before as its prefix, so that
//!            it has only what changed; at most 16 in a row
//!  INDX      part { u32 n × (u64 offset, u32 number, u64 first, u32 frames, u32 bodies) of STEP and DELT blocks,
//!                   u32 n × (u64 offset, u32 number, u64 step, text key, text value) edits and the block with
//!                   the keyframe of each,
//!                   u32 n × (u64 step, text) marks, u32 n × (u64 offset, u32 number) of NAME blocks },
//!            u64 offset of this block
//! ```
//!
//! A **frame** is the world after a step, before the edits made at it. The hash is `State::hash`. Edits of step s
//! were applied in their order to the keyframe stored for s, then step s + 1 was taken. Steps within STEP blocks
//! are consecutive and never decrease; a jump between two blocks is a gap, steps that were taken but not
//! written.
//!
//! An edit whose key begins with `>` is a **command**: it changes only the state (such as the position of a lever), so
//! that it need not be repeated before a later keyframe is loaded. If commands precede the other edits of a step, the
//! keyframe of these is the state after the commands, which may be applied to it once more.
//!
//! **Columns** hold n rows of w integers (i64, wrapping): the residuals v₀, v₁ − v₀, vₖ − 2vₖ₋₁ + vₖ₋₂, each
//! mapped to unsigned as (d << 1) ^ (d >> 63).
//!
//! ```text
//!  columns   u8 planes p ≤ 8, part { w × u8 bytes per residual, rows 0 and 1: w × LEB128 each },
//!            p parts: plane j has, for rows 2 … n − 1 and in each for the columns of more than j bytes,
//!            byte j of the residual
//! ```
//!
//! The first columns are bit patterns of f64: time [s], then the channels. The second are poses: for each
//! body x, y, z of its frame in units of the length grid, then the quaternion's w, x, y, z in units
//! of the orientation grid.
//!
//! **Opening.** The last 16 bytes are INDX's offset and its checksum: if a valid INDX block begins there and
//! ends with the file, nothing else need be read. Otherwise blocks are read from the front to the first
//! invalid one; all before it are valid. EVNT precedes the STEP whose frames it changed, so no frame is
//! ever without its edits. A block of an unknown kind is skipped if its first letter is lower case; it ends
//! the readable part if it is upper case.

use crate::bytes::{Bad, Parsed, put_u32, put_u64};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The first bytes of a recording.
pub(crate) const MAGIC: &[u8; 8] = b"WLRECORD";
/// The format this build writes, and the only one it reads.
pub(crate) const VERSION: u32 = 1;
/// Bytes before the first block.
pub(crate) const PREAMBLE: usize = 16;
/// Bytes of a block before its body.
pub(crate) const HEAD: usize = 16;
/// Bytes of a block around its body.
pub(crate) const FRAME: usize = HEAD + 8;

/// Maximum length of a text [bytes].
pub(crate) const LONGEST: usize = 1 << 20;
/// Maximum length of a body [bytes].
pub(crate) const LARGEST_BLOCK: u64 = 512 << 20;

/// The kind of a block.
pub(crate) type Kind = [u8; 4];
pub(crate) const HEADER: Kind = *b"HEAD";
pub(crate) const NAMES: Kind = *b"NAME";
pub(crate) const EVENTS: Kind = *b"EVNT";
pub(crate) const STEPS: Kind = *b"STEP";
pub(crate) const CHANGES: Kind = *b"DELT";
/// Most chunks in a row with differences only: what a reader has to unpack for a frame.
pub(crate) const LONGEST_CHAIN: usize = 16;
pub(crate) const INDEX: Kind = *b"INDX";

/// The first bytes of the file.
pub(crate) fn preamble() -> [u8; PREAMBLE] {
    let mut out = [0; PREAMBLE];
    out[..8].copy_from_slice(MAGIC);
    out[8..12].copy_from_slice(&VERSION.to_le_bytes());
    out
}

/// The seed of HEAD's checksum.
pub(crate) fn seed(preamble: &[u8]) -> u64 {
    xxh3_64(preamble)
}

/// Appends a block with its checksum, which is returned.
pub(crate) fn put_block(out: &mut Vec<u8>, kind: Kind, number: u32, seed: u64, body: &[u8]) -> u64 {
    let start = out.len();
    out.extend_from_slice(&kind);
    put_u32(out, number as usize);
    put_u64(out, body.len() as u64);
    out.extend_from_slice(body);
    let sum = xxh3_64_with_seed(&out[start..], seed);
    put_u64(out, sum);
    sum
}

/// The header of a block: kind, number, length of its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub kind: Kind,
    pub number: u32,
    pub length: u64,
}

impl Head {
    /// Reads a block header; `room` is the number of bytes of the file after it.
    pub fn parse(bytes: &[u8; HEAD], room: u64) -> Parsed<Head> {
        let [a, b, c, d, n0, n1, n2, n3, length @ ..] = *bytes;
        let head = Head {
            kind: [a, b, c, d],
            number: u32::from_le_bytes([n0, n1, n2, n3]),
            length: u64::from_le_bytes(length),
        };
        let bad = |why: String| Err(Bad { at: 0, why });
        if !head.kind.iter().all(u8::is_ascii_alphabetic) {
            return bad("no block begins here".into());
        }
        if head.length > LARGEST_BLOCK {
            return bad(format!("a block of {} bytes is declared", head.length));
        }
        if head.length + 8 > room {
            return bad(format!("a block of {} bytes is declared, {room} are present", head.length + 8));
        }
        Ok(head)
    }

    /// Checks body and checksum, which are adjacent in `rest`; returns the checksum.
    pub fn check(&self, head: &[u8; HEAD], rest: &[u8], seed: u64) -> Parsed<u64> {
        let (body, sum) = rest.split_at(rest.len() - 8);
        let sum = u64::from_le_bytes(sum.try_into().expect("8 bytes were split off"));
        let mut hasher = xxhash_rust::xxh3::Xxh3::with_seed(seed);
        hasher.update(head);
        hasher.update(body);
        if hasher.digest() == sum {
            Ok(sum)
        } else {
            Err(Bad { at: 0, why: "the checksum of the block is wrong".into() })
        }
    }

    /// Whether a reader that does not know the kind may skip it.
    pub fn may_be_skipped(&self) -> bool {
        self.kind[0].is_ascii_lowercase()
    }
}
