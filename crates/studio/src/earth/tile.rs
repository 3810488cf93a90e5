//! A tile of a ground as bytes: 32 × 32 nodes, x fastest. Little-endian:
//!
//! ```text
//!  u8 ground, u8 level, u8 flags, u8 quantum      the tile has every 2^level-th node; heights are in 2^quantum mm
//!  u16 i, u16 j                                   numbers of the tile along x and y, in tiles of its level
//!  i32 lowest height                              in these units
//!  u16 height above it [1024]                     unless flag 1 is set: then all have the lowest
//!  u8 soil [1024]                                 bit 7 is set if it is loose; one for all if flag 2 is set; 255 is rock
//!  u8 compaction [1024]                           relative density, 255 is 1; one for all if flag 4 is set
//! ```
//!
//! With flag 8 it is the surface of the start, and ends after its heights. Heights of all tiles of a quantum lie on one
//! lattice, and nodes belong to one tile each: the page draws the cells between tiles with the nodes of both, so that there
//! are no cracks. Nodes past the border of the ground have the height of the border.

use windlass_scene::{GROUND_TILE as SIDE, GroundSurface, SurfaceSoil};

/// Nodes of a tile.
pub const NODES: usize = SIDE * SIDE;
/// Most tiles of a ground that are sent from the start in full; of more, several are one of a higher level.
const MOST: usize = 400;
/// Highest level.
const HIGHEST: u32 = 12;

const EVEN: u8 = 1;
const ONE_SOIL: u8 = 2;
const ONE_COMPACTION: u8 = 4;
const START: u8 = 8;
/// Bit of a soil that is loose, and what stands for no soil.
const LOOSE: u8 = 0x80;
const ROCK: u8 = 0xff;

/// Level of the untouched tiles of a ground of so many nodes.
pub fn level_of(nodes: [usize; 2]) -> u32 {
    let tiles = |level: u32| nodes.map(|n| n.div_ceil(SIDE << level)).iter().product::<usize>();
    (0..HIGHEST).find(|level| tiles(*level) <= MOST).unwrap_or(HIGHEST)
}

/// Where a tile is: the number of its ground, its level, and its numbers along x and y.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub ground: u8,
    pub level: u32,
    pub at: [usize; 2],
}

impl Place {
    /// Its nodes in their order; past the border the nearest on it.
    fn nodes(self, [nx, ny]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
        let node = move |k: usize| {
            let [i, j] = [self.at[0] * SIDE + k % SIDE, self.at[1] * SIDE + k / SIDE];
            [(i << self.level).min(nx - 1), (j << self.level).min(ny - 1)]
        };
        (0..NODES).map(node)
    }
}

/// The present tile. With `untouched`, that of the start.
pub fn encode(surface: &GroundSurface<'_>, place: Place, untouched: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(12 + 4 * NODES);
    let height = |node: [usize; 2]| if untouched { surface.start(node) } else { surface.height(node) };
    heights(&mut out, place, 0, place.nodes(surface.nodes).map(height));
    let first = surface.first_soil();
    let soil = |node: [usize; 2]| if untouched { first } else { surface.soil(node) };
    let (mut kinds, mut densities) = (Vec::with_capacity(NODES), Vec::with_capacity(NODES));
    for soil in place.nodes(surface.nodes).map(soil) {
        kinds.push(soil.map_or(ROCK, kind));
        densities.push(soil.map_or(255, |soil| (255.0 * soil.compaction).round() as u8));
    }
    plane(&mut out, &kinds, ONE_SOIL);
    plane(&mut out, &densities, ONE_COMPACTION);
    out
}

/// The heights of the start of a tile.
pub fn encode_start(surface: &GroundSurface<'_>, place: Place) -> Vec<u8> {
    let mut out = Vec::with_capacity(12 + 2 * NODES);
    heights(&mut out, place, START, place.nodes(surface.nodes).map(|node| surface.start(node)));
    out
}

fn kind(soil: SurfaceSoil) -> u8 {
    soil.soil & !LOOSE | if soil.loose { LOOSE } else { 0 }
}

/// The head and the heights.
fn heights(out: &mut Vec<u8>, place: Place, flags: u8, heights: impl Iterator<Item = f64>) {
    let heights: Vec<f64> = heights.collect();
    let (low, high) =
        heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), h| (a.min(*h), b.max(*h)));
    // millimetres, unless the tile is higher than 65 m
    let fits = |q: u32| (high - low) * 1e3 / f64::from(1_u32 << q) < f64::from(u16::MAX) - 1.0;
    let quantum = (0..24).find(|q| fits(*q)).unwrap_or(24);
    let unit = 1e-3 * f64::from(1_u32 << quantum);
    let counts: Vec<i32> = heights.iter().map(|h| (h / unit).round() as i32).collect();
    let lowest = counts.iter().copied().min().unwrap_or(0);
    let even = counts.iter().all(|n| *n == lowest);
    out.extend([place.ground, place.level as u8, flags | if even { EVEN } else { 0 }, quantum as u8]);
    place.at.iter().for_each(|n| out.extend((*n as u16).to_le_bytes()));
    out.extend(lowest.to_le_bytes());
    if !even {
        counts.iter().for_each(|n| out.extend(((n - lowest) as u16).to_le_bytes()));
    }
}

/// A byte per node, or one for all.
fn plane(out: &mut Vec<u8>, bytes: &[u8], one: u8) {
    if bytes.iter().all(|byte| *byte == bytes[0]) {
        out[2] |= one;
        out.push(bytes[0]);
    } else {
        out.extend(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_grounds_have_tiles_of_a_higher_level() {
        assert_eq!(level_of([161, 161]), 0);
        assert_eq!(level_of([640, 640]), 0);
        assert_eq!(level_of([641, 640]), 1);
        assert_eq!(level_of([5001, 5001]), 3, "a square kilometre at 0.2 m");
    }

    #[test]
    fn heights_are_on_a_lattice_of_millimetres() {
        let place = Place { ground: 1, level: 0, at: [2, 3] };
        let mut out = Vec::new();
        heights(&mut out, place, 0, (0..NODES).map(|k| -1.2344 + 0.001 * k as f64));
        assert_eq!(out[..12], [1, 0, 0, 0, 2, 0, 3, 0, 0x2e, 0xfb, 0xff, 0xff], "−1234 mm");
        assert_eq!(out.len(), 12 + 2 * NODES);
        assert_eq!(&out[out.len() - 2..], &1023_u16.to_le_bytes());
        out.clear();
        heights(&mut out, place, START, std::iter::repeat_n(2.0, NODES));
        assert_eq!((out.len(), out[2]), (12, EVEN | START));
        // a mountain has coarser heights, and they still fit
        out.clear();
        heights(&mut out, place, 0, (0..NODES).map(|k| 2.0 * k as f64));
        assert_eq!(out[3], 5, "32 mm");
        let last = u16::from_le_bytes([out[out.len() - 2], out[out.len() - 1]]);
        assert!((f64::from(last) * 0.032 - 2046.0).abs() < 0.017);
    }
}
