//! Slope failure of cohesive soil: planes through the toe of a slope, after Culmann.
//!
//! ```text
//!  holds   Σ (c ΔL + ΔW cos a tan φ) ≥ Σ ΔW sin a      for planes at angles a from φ + 2° to 80°, in 8 directions
//!  upright cut   H = (4c/ρg) tan(45° + φ/2)            slope at i   H = (4c/ρg) sin i cos φ/(1 − cos(i − φ))
//! ```
//!
//! The sums run over the columns above the plane, so the height that stands does not depend on Δx. Soil above a failing
//! plane is remoulded and then follows the edge rule. Slip circles stand a little less: 3.83 c/ρg instead of 4 c/ρg for
//! an upright cut at φ = 0, and less on flat slopes.
//!
//! Toes are looked for in tiles near changes, a few tiles per step, and in all of a ground at its start (`start.rs`).

use super::bits::{NODES, SIDE};
use super::edge::{STEPS, flows};
use super::layer::Layer;
use super::lookup::Ground;
use super::state::TerrainState;
use super::terrain::Terrain;
use super::tile::{NEIGHBOURS, Tile, node, place};

/// Trial angles: their number, the first above φ [deg], and the last [deg].
const ANGLES: usize = 12;
const FIRST: f64 = 2.0;
const LAST: f64 = 80.0;

/// Distance from a change within which toes are checked, and length of the planes, over the height of the highest upright
/// cut that stands. Slopes flatter than about 50° stand higher than planes of this length reach.
const REACH: f64 = 2.0;
const LENGTH: f64 = 8.0;

/// No tower below this part of that height fails: the unconfined strength carries 2c/(ρg) tan(45° + φ/2).
const SAFE: f64 = 0.5;

/// Where the layer at the foot of a slope is looked up, over its height: heights are rounded to 1e-7 of it.
const ABOVE_FOOT: f64 = 1.0 - 1e-5;

/// Distance of the face of the first column from the toe, in columns.
const FOOT: f64 = 0.5;

/// Columns of a plane, at most.
const COLUMNS: f64 = 512.0;

/// Tiles checked in a step, at most.
const TILES: usize = 8;

/// A failing plane: it rises from the foot of the first column beside its toe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Failure {
    pub toe: [usize; 2],
    /// Index of the direction in `STEPS`.
    pub direction: usize,
    /// Number of columns above it.
    pub columns: usize,
    /// Height at its toe [m], and rise per column [m].
    pub height: f64,
    pub rise: f64,
}

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct PlaneWork {
    pub failures: Vec<Failure>,
    /// Whether a failure of the tile is to be looked at again.
    postponed: bool,
    /// Slots of the tiles to check.
    tiles: Vec<u32>,
    heights: Vec<f64>,
    bands: Vec<Band>,
    /// Where the bands of each column end.
    ends: Vec<usize>,
}

/// A layer of a column, as far as a plane through it matters.
#[derive(Clone, Copy, Debug)]
struct Band {
    /// Height of its bottom [m].
    bottom: f64,
    /// Unit weight [N/m³], and the weight above its bottom [Pa].
    unit: f64,
    weight: f64,
    cohesion: f64,
    /// tan φ.
    slope: f64,
    /// Whether it, or a layer above it, is held by cohesion.
    holds: bool,
}

/// Heights of upright cuts of the cohesive soils of a ground: the least and the greatest [m].
fn cuts(terrain: &Terrain) -> Option<[f64; 2]> {
    let all = terrain.soils().iter().enumerate().filter_map(|(k, soil)| {
        let layer = |void_ratio| Layer { void_ratio, soil: k as u8, ..Layer::default() };
        let [bank, dense] = [soil.void_ratio.bank, soil.void_ratio.least].map(layer);
        let height = |layer: &Layer| terrain.strength(layer, 0.0).critical_height(terrain.unit_weight(layer));
        (!flows(terrain, &dense)).then(|| [height(&bank), height(&dense)])
    });
    all.reduce(|a, b| [a[0].min(b[0]).min(b[1]), a[1].max(b[0]).max(b[1])])
}

/// Bounds of the search in a ground with cohesive soil.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Height of the greatest upright cut that stands, and height below which nothing fails [m].
    greatest: f64,
    safe: f64,
    /// Columns of a plane, at most.
    columns: usize,
    /// Slope of the flattest plane of all soils.
    lowest: f64,
}

impl Limits {
    /// Those of a ground; none if none of its soils is cohesive.
    pub fn new(terrain: &Terrain) -> Option<Limits> {
        let [least, greatest] = cuts(terrain)?;
        let friction = terrain.soils().iter().map(|soil| soil.strength.friction_range()[0]);
        Some(Limits {
            greatest,
            safe: SAFE * least,
            columns: (LENGTH * greatest / terrain.spacing()).min(COLUMNS) as usize,
            lowest: libm::tan(friction.fold(f64::INFINITY, f64::min) + FIRST.to_radians()),
        })
    }

    /// Whether slopes with a steepest gradient and a range of heights can fail.
    pub fn may_fail(&self, steepest: f64, [low, high]: [f64; 2]) -> bool {
        steepest > FOOT * self.lowest && high - low >= self.safe
    }
}

/// The toes of a ground through which planes fail.
pub(super) fn failing_toes(terrain: &Terrain, state: &TerrainState, limits: &Limits) -> Vec<[usize; 2]> {
    let mut work = PlaneWork::default();
    let [nx, ny] = terrain.nodes();
    for toe in (0..ny).flat_map(|j| (0..nx).map(move |i| [i, j])) {
        let (_, at) = place(terrain, toe);
        let search = Search { ground: Ground::new(terrain, state), tile: None, at, toe, limits };
        (0..STEPS.len()).for_each(|direction| search.direction(direction, &mut work));
    }
    let mut toes: Vec<_> = work.failures.iter().map(|failure| failure.toe).collect();
    toes.dedup();
    toes
}

/// Looks for failing planes near what has changed.
pub(super) fn find_failures(terrain: &Terrain, state: &mut TerrainState, work: &mut PlaneWork) {
    work.failures.clear();
    if state.all_checked() {
        return;
    }
    let Some(limits) = Limits::new(terrain) else {
        state.forget_unchecked();
        return;
    };
    let reach = REACH * limits.greatest;
    state.spread_unchecked(terrain, (reach / (SIDE as f64 * terrain.spacing())).ceil().min(COLUMNS) as u32);
    state.next_unchecked(TILES, &mut work.tiles);
    for k in 0..work.tiles.len() {
        let slot = work.tiles[k] as usize;
        let key = state.tiles[slot].key;
        work.postponed = false;
        for at in 0..NODES {
            let toe = node(terrain, key, at);
            if toe[0] < terrain.nodes()[0] && toe[1] < terrain.nodes()[1] {
                let tile = Some(&state.tiles[slot]);
                let search = Search { ground: Ground::new(terrain, state), tile, at, toe, limits: &limits };
                (0..STEPS.len()).for_each(|direction| search.direction(direction, work));
            }
        }
        if work.postponed {
            state.check_again(slot);
        }
    }
}

/// The search for planes through a toe.
struct Search<'a> {
    ground: Ground<'a>,
    /// The tile of the toe if it is known to exist, and its index in it.
    tile: Option<&'a Tile>,
    at: usize,
    toe: [usize; 2],
    limits: &'a Limits,
}

impl Search<'_> {
    fn column(&self, direction: usize, k: usize) -> Option<[usize; 2]> {
        column(self.ground.terrain, self.toe, direction, k)
    }

    /// Height of the neighbour in a direction [m].
    fn beside(&self, direction: usize, node: [usize; 2]) -> f64 {
        let [i, j] = STEPS[direction];
        let (x, y) = ((self.at % SIDE).checked_add_signed(i), (self.at / SIDE).checked_add_signed(j));
        match (self.tile, x, y) {
            (Some(tile), Some(x), Some(y)) if x < SIDE && y < SIDE => tile.height(y * SIDE + x),
            _ => self.ground.height(node),
        }
    }

    /// Tries the planes of a direction, if enough ground lies above the flattest of them.
    fn direction(&self, direction: usize, work: &mut PlaneWork) {
        let terrain = self.ground.terrain;
        let spacing = terrain.spacing() * super::edge::LENGTHS[direction];
        let Some(first) = self.column(direction, 1) else { return };
        let height = self.tile.map_or_else(|| self.ground.height(self.toe), |tile| tile.height(self.at));
        let Limits { lowest, .. } = *self.limits;
        let rise = self.beside(direction, first) - height;
        if rise <= FOOT * spacing * lowest || !self.above(direction, height, spacing * lowest, work) {
            return;
        }
        // on rock, rounding may put the foot below the lowest layer
        let Some(foot) = self.ground.layer_at(first, ABOVE_FOOT * rise) else { return };
        let from = terrain.strength(&foot, 0.0).friction + FIRST.to_radians();
        self.fill_bands(direction, height, work);
        let mut worst: Option<(f64, Failure)> = None;
        for k in 0..ANGLES {
            let part = k as f64 / (ANGLES - 1) as f64;
            let angle = from + part * (LAST.to_radians() - from);
            if let Some((safety, columns)) = safety(work, height, spacing, angle)
                && safety < worst.map_or(1.0, |(least, _)| least)
            {
                let rise = spacing * libm::tan(angle);
                let failure = Failure { toe: self.toe, direction, columns, height, rise };
                worst = Some((safety, failure));
            }
        }
        let Some((_, failure)) = worst else { return };
        // soil that still flows there may yet support the slope
        let flows = |k: usize| self.column(direction, k).is_some_and(|node| self.flows(node));
        if (0..=failure.columns).any(flows) {
            work.postponed = true;
        } else {
            work.failures.push(failure);
        }
    }

    /// Whether soil flows from a column.
    fn flows(&self, node: [usize; 2]) -> bool {
        let Some((tile, at)) = self.ground.state.tile(self.ground.terrain, node) else { return false };
        let speeds = tile.flow.get(NEIGHBOURS * at..NEIGHBOURS * (at + 1));
        speeds.is_some_and(|speeds| speeds.iter().any(|speed| *speed > 0.0))
    }

    /// Collects the heights of the columns above the flattest plane, and of the one where it comes out; returns whether
    /// they are high enough to fail.
    fn above(&self, direction: usize, foot: f64, rise: f64, work: &mut PlaneWork) -> bool {
        work.heights.clear();
        let mut highest = foot;
        for k in 0..self.limits.columns {
            let Some(node) = self.column(direction, k + 1) else { break };
            let height = self.ground.height(node);
            work.heights.push(height);
            if height <= foot + (k as f64 + 0.5) * rise {
                break;
            }
            highest = highest.max(height);
        }
        highest - foot >= self.limits.safe
    }

    /// The layers of the columns along a direction.
    fn fill_bands(&self, direction: usize, foot: f64, work: &mut PlaneWork) {
        let terrain = self.ground.terrain;
        work.bands.clear();
        work.ends.clear();
        for k in 0..work.heights.len() {
            let Some(node) = self.column(direction, k + 1) else { break };
            let share = terrain.share(node);
            let (mut bottom, mut weight, mut holds) = (work.heights[k], 0.0, false);
            for layer in self.ground.layers(node) {
                if bottom < foot {
                    break;
                }
                let (thickness, unit) = (terrain.thickness(&layer, share), terrain.unit_weight(&layer));
                let strength = terrain.strength(&layer, weight);
                bottom -= thickness;
                weight += unit * thickness;
                holds |= !flows(terrain, &layer);
                let (cohesion, slope) = (strength.cohesion, libm::tan(strength.friction));
                work.bands.push(Band { bottom, unit, weight, cohesion, slope, holds });
            }
            work.ends.push(work.bands.len());
        }
    }
}

/// The k-th column along a direction, if it is on the ground.
fn column(terrain: &Terrain, toe: [usize; 2], direction: usize, k: usize) -> Option<[usize; 2]> {
    let [nx, ny] = terrain.nodes();
    let along = |axis: usize| toe[axis].checked_add_signed(STEPS[direction][axis] * k as isize);
    let node = [along(0)?, along(1)?];
    (node[0] < nx && node[1] < ny).then_some(node)
}

/// Resistance over driving force of a plane, and its number of columns; none if it meets no soil that cohesion holds.
fn safety(work: &PlaneWork, foot: f64, spacing: f64, angle: f64) -> Option<(f64, usize)> {
    let (sin, cos) = libm::sincos(angle);
    let rise = spacing * sin / cos;
    let (mut driving, mut resisting, mut holds) = (0.0, 0.0, false);
    let mut last = (0.0, [0.0; 2]);
    for (k, height) in work.heights.iter().enumerate() {
        // the face of the first column is half a cell from the toe
        let plane = foot + (k as f64 + 0.5) * rise;
        let above = height - plane;
        if above <= 0.0 {
            if k == 0 {
                return None;
            }
            // the plane comes out at a part of the way from the last column to this one
            let (before, [weight, shear]) = last;
            let part = before / (before - above);
            let shorter = [weight * 0.5 * (part - 1.0), shear * (part - 0.5)];
            driving += shorter[0] * sin;
            resisting += shorter[1];
            return (holds && driving > 0.0).then(|| (resisting / driving, k));
        }
        let bands = &work.bands[if k == 0 { 0 } else { work.ends[k - 1] }..work.ends[k]];
        // rock below the lowest layer holds
        let band = bands.iter().find(|band| band.bottom <= plane)?;
        let weight = spacing * (band.weight - band.unit * (plane - band.bottom));
        let shear = band.cohesion * spacing / cos + weight * cos * band.slope;
        driving += weight * sin;
        resisting += shear;
        holds |= band.holds;
        last = (above, [weight, shear]);
    }
    None
}

impl TerrainState {
    /// Remoulds the soil above a failing plane; returns the number of columns that it changed.
    pub(super) fn remould_above(&mut self, terrain: &Terrain, failure: &Failure) -> usize {
        let Failure { toe, direction, columns, height, rise } = *failure;
        let mut changed = 0;
        for k in 0..columns {
            let plane = height + (k as f64 + 0.5) * rise;
            if let Some(node) = column(terrain, toe, direction, k + 1) {
                changed += usize::from(self.remould(terrain, node, plane));
            }
        }
        changed
    }
}
