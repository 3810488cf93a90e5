//! Which tiles of the grounds have changed since the last look.
//!
//! Heights of the tiles that are not as at the start are compared with those of the last look: 4 KiB each, which takes less
//! than a microsecond. Nothing needs to be told of steps, substeps, seeks, branches and restored states.

use super::tile::{Place, encode, encode_start, level_of};
use super::tiles::Tiles;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use windlass_engine::prelude::World;
use windlass_scene::{GROUND_TILE as SIDE, GroundSurface};

/// A tile in full.
#[derive(Debug, Default)]
struct Known {
    /// Its heights at the last look; none while it is as at the start.
    heights: Vec<f32>,
    /// Whether the surface of the start has been sent.
    has_start: bool,
}

/// A ground at the last look.
#[derive(Debug, Default)]
struct Watched {
    /// Level of the tiles from which nothing was taken.
    level: u32,
    /// Tiles in full, by their numbers along y and x.
    tiles: BTreeMap<[usize; 2], Known>,
}

/// The grounds at the last look.
#[derive(Debug, Default)]
pub struct Watch {
    sheet: Arc<Tiles>,
    grounds: Vec<Watched>,
}

impl Watch {
    /// The sheet of the last look.
    pub fn sheet(&self) -> Arc<Tiles> {
        self.sheet.clone()
    }

    /// Looks at the present state.
    pub fn look(&mut self, world: &World) -> Arc<Tiles> {
        let (mut next, mut gone) = (Vec::new(), Vec::new());
        for (number, surface) in GroundSurface::all(world).iter().enumerate().take(usize::from(u8::MAX)) {
            if self.grounds.len() <= number {
                self.grounds.push(Watched::new(surface, number as u8, &mut next));
            }
            self.grounds[number].look(surface, number as u8, (&mut next, &mut gone));
        }
        if !(next.is_empty() && gone.is_empty()) {
            // clients still hold the last sheet, so this copies the list, not the tiles
            Arc::make_mut(&mut self.sheet).change(next, &gone);
        }
        self.sheet()
    }
}

type Changes = Vec<((Place, bool), Vec<u8>)>;

impl Watched {
    /// The whole ground, coarsely if it is large.
    fn new(surface: &GroundSurface<'_>, ground: u8, out: &mut Changes) -> Watched {
        let level = level_of(surface.nodes);
        let [ni, nj] = surface.nodes.map(|n| n.div_ceil(SIDE << level));
        for at in (0..nj).flat_map(|j| (0..ni).map(move |i| [i, j])) {
            let place = Place { ground, level, at };
            out.push(((place, true), encode(surface, place, true)));
        }
        Watched { level, tiles: BTreeMap::new() }
    }

    fn look(
        &mut self,
        surface: &GroundSurface<'_>,
        ground: u8,
        (out, gone): (&mut Changes, &mut Vec<Place>),
    ) {
        let mut seen = BTreeSet::new();
        for ([i, j], heights) in surface.touched() {
            seen.insert([j, i]);
            if !self.tiles.contains_key(&[j, i]) {
                self.refine(surface, ground, [i, j], (out, gone));
            }
            let known = self.tiles.entry([j, i]).or_default();
            let place = Place { ground, level: 0, at: [i, j] };
            if !known.has_start {
                known.has_start = true;
                out.push(((place, false), encode_start(surface, place)));
            }
            if known.heights != heights {
                known.heights.clear();
                known.heights.extend_from_slice(heights);
                out.push(((place, true), encode(surface, place, false)));
            }
        }
        // time has run back to before they were touched
        let left =
            self.tiles.iter_mut().filter(|(at, known)| !known.heights.is_empty() && !seen.contains(*at));
        for ([j, i], known) in left {
            let place = Place { ground, level: 0, at: [*i, *j] };
            out.push(((place, true), encode(surface, place, true)));
            known.heights.clear();
        }
    }

    /// Replaces the coarse tile around a tile by those in full.
    fn refine(
        &mut self,
        surface: &GroundSurface<'_>,
        ground: u8,
        [i, j]: [usize; 2],
        (out, gone): (&mut Changes, &mut Vec<Place>),
    ) {
        if self.level == 0 {
            return;
        }
        let block = [i >> self.level, j >> self.level];
        let coarse = Place { ground, level: self.level, at: block };
        gone.push(coarse);
        out.retain(|((place, _), _)| *place != coarse);
        let [ni, nj] = surface.nodes.map(|n| n.div_ceil(SIDE));
        let range = |from: usize, end: usize| from << self.level..((from + 1) << self.level).min(end);
        for at in range(block[1], nj).flat_map(|j| range(block[0], ni).map(move |i| [i, j])) {
            self.tiles.insert([at[1], at[0]], Known::default());
            let place = Place { ground, level: 0, at };
            out.push(((place, true), encode(surface, place, true)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tile::NODES;
    use super::super::tiles::MAGIC;
    use super::*;
    use windlass_scene::Built;

    /// A blade that starts to cut level sand after half a second, on 161 by 61 nodes: twelve tiles.
    const BLADE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/earthwork/blade.toml");
    const TILES: usize = 12;

    fn built() -> Built {
        windlass_scene::read(BLADE).and_then(|scene| scene.build()).expect("a scene")
    }

    fn run(built: &mut Built, steps: usize) {
        (0..steps).for_each(|_| assert!(built.world.step().fault.is_none()));
    }

    /// Tiles of a message: numbers along x and y, flags, and the first height [mm].
    fn tiles(sheet: &Tiles, seen: u64) -> Vec<([u16; 2], u8, i32)> {
        let Some(bytes) = sheet.since(MAGIC, seen) else { return Vec::new() };
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let (mut at, mut all) = (8, Vec::new());
        while at < bytes.len() {
            let flags = bytes[at + 2];
            let low = i32::from_le_bytes([bytes[at + 8], bytes[at + 9], bytes[at + 10], bytes[at + 11]]);
            let first = if flags & 1 == 0 { i32::from(word(at + 12)) } else { 0 };
            all.push(([word(at + 4), word(at + 6)], flags, low + first));
            let heights = if flags & 1 == 0 { 2 * NODES } else { 0 };
            let plane = |one: u8| if flags & one == 0 { NODES } else { 1 };
            at += 12 + heights + if flags & 8 == 0 { plane(2) + plane(4) } else { 0 };
        }
        assert_eq!((at, all.len()), (bytes.len(), word(4) as usize));
        all
    }

    #[test]
    fn only_tiles_that_change_travel() {
        let mut built = built();
        let mut watch = Watch::default();
        let first = watch.look(&built.world).version();
        let all = tiles(&watch.sheet(), 0);
        assert_eq!(all.len(), TILES);
        assert!(all.iter().all(|(_, flags, first)| flags & 1 == 1 && *first == 0), "level: {all:?}");
        assert_eq!(watch.look(&built.world).version(), first, "nothing has happened");
        run(&mut built, 75);
        let sheet = watch.look(&built.world);
        let dirty = tiles(&sheet, first);
        let present: Vec<_> =
            dirty.iter().filter(|(_, flags, _)| flags & 8 == 0).map(|tile| tile.0).collect();
        assert!(!present.is_empty() && present.len() < TILES, "{present:?}");
        // with the surface of the start, once
        let starts = |tiles: &[([u16; 2], u8, i32)]| tiles.iter().filter(|tile| tile.1 & 8 != 0).count();
        assert_eq!(starts(&dirty), present.len());
        run(&mut built, 5);
        let next = watch.look(&built.world);
        let moved = tiles(&next, sheet.version());
        assert!(!moved.is_empty() && moved.len() < TILES, "{moved:?}");
        assert_eq!(starts(&tiles(&next, 0)), starts(&dirty) + starts(&moved), "each start once");
    }

    /// A client that joins, or that misses versions, gets the newest of all that it lacks, and nothing twice.
    #[test]
    fn a_late_client_gets_everything() {
        let mut built = built();
        let mut watch = Watch::default();
        let first = watch.look(&built.world).version();
        run(&mut built, 60);
        for _ in 0..15 {
            run(&mut built, 3);
            watch.look(&built.world);
        }
        let sheet = watch.sheet();
        assert!(sheet.version() > first + 5);
        let all = tiles(&sheet, 0);
        let mut places: Vec<_> = all.iter().map(|(at, flags, _)| (*at, flags & 8)).collect();
        assert_eq!(places.iter().filter(|(_, start)| *start == 0).count(), TILES);
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), all.len(), "each once");
        assert!(tiles(&sheet, first).len() < all.len(), "less for one that has seen the start");
        assert!(sheet.since(MAGIC, sheet.version()).is_none());
    }

    /// Time runs back: the ground is that of the time shown, also where it was not yet touched.
    #[test]
    fn the_past_is_sent_again() {
        let mut built = built();
        let start = built.world.state().clone();
        let mut watch = Watch::default();
        let original = watch.look(&built.world).since(MAGIC, 0).expect("all of it");
        run(&mut built, 90);
        let later = watch.look(&built.world).version();
        built.world.restore(start).expect("its own state");
        let sheet = watch.look(&built.world);
        assert!(!tiles(&sheet, later).is_empty());
        // without the surfaces of the start it is what a client got that joined then
        let present = |bytes: &[u8]| bytes.len();
        let starts = tiles(&sheet, 0).iter().filter(|(_, flags, _)| flags & 8 != 0).count();
        assert!(starts > 0 && present(&sheet.since(MAGIC, 0).expect("all")) > present(&original));
        let heights = |sheet: &Tiles| -> Vec<_> {
            tiles(sheet, 0).into_iter().filter(|(_, flags, _)| flags & 8 == 0).collect()
        };
        let mut fresh = Watch::default();
        assert_eq!(heights(&sheet), heights(&fresh.look(&built.world)));
    }

    /// A square kilometre is sent coarsely.
    #[test]
    fn a_large_ground_is_coarse() {
        let text = "windlass = 2\n[grounds.yard]\nsize = [1000, 1000]\nspacing = 0.5\nsoil = \"dry_sand\"\n";
        let built = windlass_scene::parse(text, "test").and_then(|scene| scene.build()).expect("a scene");
        let sheet = Watch::default().look(&built.world);
        let bytes = sheet.since(MAGIC, 0).expect("all of it");
        assert!(bytes.len() < 20_000 && tiles(&sheet, 0).len() <= 400, "{} bytes", bytes.len());
    }
}
