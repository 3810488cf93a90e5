//! All tiles of the grounds as they are now. Each has the version in which it changed last, so that a client that has seen a
//! version is sent what is newer, however many versions it has missed.
//!
//! ```text
//!  u32 0x31544C57 ("WLT1"), or 0x31554C57 ("WLU1") of the run shown for comparison, u32 tiles, then the tiles (`tile.rs`)
//! ```

use super::tile::Place;
use axum::body::Bytes;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Magic number of tiles.
pub const MAGIC: u32 = 0x3154_4C57;
/// Magic number of tiles of a ghost.
pub const GHOST: u32 = 0x3155_4C57;

/// A tile with the version in which it changed last.
#[derive(Clone, Debug)]
struct Stamped {
    version: u64,
    bytes: Arc<[u8]>,
}

/// The newest state of all tiles.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    /// The newest version of its tiles; 0 before the first.
    version: u64,
    /// By place, the surface of the start before the present one.
    tiles: BTreeMap<(Place, bool), Stamped>,
}

impl Tiles {
    /// Its version.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Changes some tiles, and takes others away; a version later. `true` in a key is the present surface, `false` that of
    /// the start.
    pub fn change(&mut self, next: Vec<((Place, bool), Vec<u8>)>, gone: &[Place]) {
        if next.is_empty() && gone.is_empty() {
            return;
        }
        self.version += 1;
        let version = self.version;
        for place in gone {
            self.tiles.remove(&(*place, true));
        }
        self.tiles
            .extend(next.into_iter().map(|(key, bytes)| (key, Stamped { version, bytes: bytes.into() })));
    }

    /// The message to a client that has seen a version; none if it lacks nothing.
    pub fn since(&self, magic: u32, seen: u64) -> Option<Bytes> {
        let lacks = || self.tiles.values().filter(|tile| tile.version > seen);
        let (count, bytes) = lacks().fold((0_u32, 8), |(n, all), tile| (n + 1, all + tile.bytes.len()));
        if count == 0 {
            return None;
        }
        let mut out = Vec::with_capacity(bytes);
        out.extend(magic.to_le_bytes());
        out.extend(count.to_le_bytes());
        lacks().for_each(|tile| out.extend_from_slice(&tile.bytes));
        Some(out.into())
    }
}
