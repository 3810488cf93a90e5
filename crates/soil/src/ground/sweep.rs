//! One sweep over the active nodes: all outflows from the heights before it, then all columns at once.
//!
//! 1. Each tile computes the outflow of its active nodes; it reads the heights of its neighbours.
//! 2. Each tile takes what leaves its columns off them, and lays on what arrives from the neighbours.
//! 3. Nodes stay active that have changed, have a changed neighbour, or have an edge that flows.
//!
//! Masses are integers and tiles write only to themselves, so the result does not depend on the number of threads.

use super::bits::{self, NODES, Rows, SIDE};
use super::edge::{LENGTHS, STEPS, SlopeTable, Slopes, Sweep};
use super::layer::Layer;
use super::quanta::Mass;
use super::terrain::{SHARES, Terrain};
use super::tile::{NEIGHBOURS, Tile, node};

/// A tile with the nodes around it, along a side.
const FRAME: usize = SIDE + 2;

/// No tile.
pub(super) const NONE: u32 = u32::MAX;

/// Soil that leaves a column.
#[derive(Clone, Copy, Debug, Default)]
struct Parcel {
    /// Quanta over each edge.
    mass: [u32; NEIGHBOURS],
    void_ratio: f32,
    soil: u8,
}

/// What leaves the columns of a tile.
#[derive(Debug, Default)]
pub(super) struct Outflow {
    pub slot: usize,
    pub key: u32,
    /// The nine tiles around, by their index in the batch.
    pub around: [u32; 9],
    /// Speeds of flow.
    pub flow: Vec<f32>,
    /// Columns that soil leaves, and those with an edge that flows.
    pub donors: Rows,
    pub moving: Rows,
    /// What leaves each column, by soil; columns in which a second soil leaves below the first.
    parcels: [Vec<Parcel>; 2],
    second: Rows,
    heights: Vec<f64>,
    /// Greatest speed [m/s].
    pub fastest: f64,
    /// Mass that leaves.
    pub moved: Mass,
    /// Columns that have changed.
    pub changed: Rows,
}

/// What a sweep reads.
pub(super) struct Context<'a> {
    pub terrain: &'a Terrain,
    pub slopes: &'a SlopeTable,
    pub sweep: Sweep,
    /// Nodes that are walls.
    pub held: &'a [[usize; 2]],
}

impl Outflow {
    /// Starts on a tile.
    pub fn begin(&mut self, slot: usize, key: u32) {
        (self.slot, self.key, self.around) = (slot, key, [NONE; 9]);
        (self.donors, self.second, self.moving, self.changed) = ([0; SIDE], [0; SIDE], [0; SIDE], [0; SIDE]);
        (self.fastest, self.moved) = (0.0, Mass::ZERO);
    }

    /// Computes what leaves the active columns of a tile; the tiles around it are given by their index of nine.
    pub fn compute(&mut self, context: &Context<'_>, tile: &Tile, around: [Option<&Tile>; 9]) {
        self.parcels.iter_mut().for_each(|all| all.resize(NODES, Parcel::default()));
        self.frame(context.terrain, around);
        let held = self.raise(context);
        for at in bits::nodes(&tile.active) {
            if bits::has(&held, at) {
                self.flow[NEIGHBOURS * at..NEIGHBOURS * (at + 1)].fill(0.0);
            } else {
                self.column(context, tile, at);
            }
        }
    }

    /// Makes walls of the nodes that are held; returns those of the tile.
    fn raise(&mut self, context: &Context<'_>) -> Rows {
        let mut held = [0; SIDE];
        let first = node(context.terrain, self.key, 0);
        for node in context.held {
            // counted from one before the first
            let [x, y] = [0, 1].map(|k| (node[k] + 1).wrapping_sub(first[k]));
            if x < FRAME && y < FRAME {
                self.heights[y * FRAME + x] = f64::INFINITY;
                if (1..=SIDE).contains(&x) && (1..=SIDE).contains(&y) {
                    bits::insert(&mut held, (y - 1) * SIDE + x - 1);
                }
            }
        }
        held
    }

    /// Heights of the tile and around it; infinite outside the ground, which is a wall.
    fn frame(&mut self, terrain: &Terrain, around: [Option<&Tile>; 9]) {
        self.heights.resize(FRAME * FRAME, 0.0);
        let [i0, j0] = node(terrain, self.key, 0);
        let [nx, ny] = terrain.nodes();
        let band = |k: usize| usize::from(k > 0) + usize::from(k > SIDE);
        let general = |i: usize, j: usize| {
            // counted from one before the first
            let (x, y) = (i0 + i, j0 + j);
            let from = (j + SIDE - 1) % SIDE * SIDE + (i + SIDE - 1) % SIDE;
            match around[3 * band(j) + band(i)] {
                _ if x == 0 || y == 0 || x > nx || y > ny => f64::INFINITY,
                Some(tile) => tile.height(from),
                None => terrain.base([x - 1, y - 1]),
            }
        };
        let whole = i0 + SIDE <= nx && j0 + SIDE <= ny;
        for j in 0..FRAME {
            let row = &mut self.heights[j * FRAME..(j + 1) * FRAME];
            match around[4] {
                Some(tile) if whole && (1..=SIDE).contains(&j) => {
                    let heights = &tile.height[(j - 1) * SIDE..j * SIDE];
                    row[1..=SIDE].iter_mut().zip(heights).for_each(|(a, b)| *a = tile.datum + f64::from(*b));
                    (row[0], row[SIDE + 1]) = (general(0, j), general(SIDE + 1, j));
                }
                _ => row.iter_mut().enumerate().for_each(|(i, height)| *height = general(i, j)),
            }
        }
    }

    fn column(&mut self, context: &Context<'_>, tile: &Tile, at: usize) {
        let middle = (at / SIDE + 1) * FRAME + at % SIDE + 1;
        let height = self.heights[middle];
        let spacing = context.sweep.spacing;
        let drops: [f64; NEIGHBOURS] = std::array::from_fn(|k| {
            let [i, j] = STEPS[k];
            height - self.heights[middle.wrapping_add_signed(j * FRAME as isize + i)]
        });
        let speeds = &mut self.flow[NEIGHBOURS * at..NEIGHBOURS * (at + 1)];
        let steepest = (0..NEIGHBOURS).map(|k| drops[k] - LENGTHS[k] * spacing * context.slopes.least);
        let steep = steepest.fold(f64::NEG_INFINITY, f64::max) > 0.0;
        let Some(top) = steep.then(|| Top::of(context, tile, at)).flatten() else {
            speeds.fill(0.0);
            return;
        };
        let Top { slopes, per_volume, .. } = top;
        let place = node(context.terrain, tile.key, at);
        let inside = (0..2).all(|k| place[k] > 1 && place[k] + 2 < context.terrain.nodes()[k]);
        let mut areas = [spacing * spacing; NEIGHBOURS];
        if !inside {
            for (k, area) in areas.iter_mut().enumerate() {
                *area = smaller_area(context.terrain, place, k) * spacing * spacing;
            }
        }
        let [flows, volumes] = context.sweep.edges(slopes, speeds, &drops, &areas);
        let (mut quanta, mut total) = ([0_u32; NEIGHBOURS], 0_u64);
        for k in 0..NEIGHBOURS {
            speeds[k] = flows[k] as f32;
            if flows[k] > 0.0 {
                // casting clamps: a sweep moves 4096 kg over an edge at most
                quanta[k] = ((volumes[k] * per_volume) as u32).max(1);
                total += u64::from(quanta[k]);
                self.fastest = self.fastest.max(flows[k]);
            }
        }
        if total > 0 {
            bits::insert(&mut self.moving, at);
            bits::insert(&mut self.donors, at);
            if total <= top.mass.0 as u64 {
                self.record(at, 0, quanta, (top.soil, top.dumped));
            } else {
                self.give(context, tile, at, quanta, total);
            }
        }
    }

    /// The soils that leave a column.
    fn parcels(&self, at: usize) -> impl Iterator<Item = &Parcel> {
        let count = 1 + usize::from(bits::has(&self.second, at));
        self.parcels[..count].iter().map(move |all| &all[at])
    }

    /// Mass that leaves a column.
    fn leaving(&self, at: usize) -> Mass {
        Mass(self.parcels(at).flat_map(|parcel| parcel.mass).map(i64::from).sum())
    }

    /// Records what leaves a column: of its uppermost soil and of the one below, at most all that flows of them.
    fn give(&mut self, context: &Context<'_>, tile: &Tile, at: usize, quanta: [u32; 8], total: u64) {
        let terrain = context.terrain;
        let (mut left, mut cut) = (total, tile.cut.get(at));
        let share = terrain.share(node(terrain, tile.key, at));
        let strata = std::iter::from_fn(|| {
            let layer = terrain.uppermost(share, cut)?;
            cut += layer.mass;
            Some(layer)
        });
        let (mut held, mut kinds, mut number) = ([0; 2], [Layer::default(); 2], 0);
        for layer in tile.layers(at).rev().chain(strata) {
            if number > 0 && kinds[number - 1].soil != layer.soil {
                number += 1;
            }
            number = number.max(1);
            if left == 0 || number > 2 || context.slopes.get(terrain, &layer).is_none() {
                break;
            }
            let mass = left.min(layer.mass.0 as u64);
            held[number - 1] += mass;
            kinds[number - 1] = layer;
            left -= mass;
        }
        let first = shared(&quanta, total, held[0]);
        self.record(at, 0, first, dumped(terrain, &kinds[0]));
        if held[1] > 0 {
            let rest = std::array::from_fn(|k| quanta[k] - first[k]);
            self.record(at, 1, shared(&rest, total - held[0], held[1]), dumped(terrain, &kinds[1]));
            bits::insert(&mut self.second, at);
        }
    }

    fn record(&mut self, at: usize, number: usize, mass: [u32; NEIGHBOURS], (soil, void_ratio): (u8, f32)) {
        self.parcels[number][at] = Parcel { mass, void_ratio, soil };
        self.moved += Mass(mass.iter().map(|mass| i64::from(*mass)).sum());
    }
}

/// Soil of a layer and its void ratio where it arrives.
fn dumped(terrain: &Terrain, layer: &Layer) -> (u8, f32) {
    (layer.soil, layer.void_ratio.max(terrain.soil(layer).void_ratio.loose) as f32)
}

/// The uppermost layer of a column, if it flows.
struct Top {
    slopes: Slopes,
    /// Quanta per volume [1/m³].
    per_volume: f64,
    mass: Mass,
    soil: u8,
    /// Void ratio where it arrives.
    dumped: f32,
}

impl Top {
    #[inline]
    fn of(context: &Context<'_>, tile: &Tile, at: usize) -> Option<Top> {
        // most that flows is loose
        if let Some((soil, void_ratio, mass)) = tile.loose_top(at)
            && let Some((slopes, per_volume)) = context.slopes.loose(soil, void_ratio)
        {
            let dumped =
                f64::from(void_ratio).max(context.terrain.soils()[usize::from(soil)].void_ratio.loose);
            return Some(Top { slopes, per_volume, mass, soil, dumped: dumped as f32 });
        }
        let layer = tile.top(context.terrain, at)?;
        let slopes = context.slopes.get(context.terrain, &layer)?;
        let per_volume = context.terrain.soil(&layer).dry_density(layer.void_ratio) * Mass::PER_KILOGRAM;
        let (soil, dumped) = dumped(context.terrain, &layer);
        Some(Top { slopes, per_volume, mass: layer.mass, soil, dumped })
    }
}

/// Divides a mass in proportion to demands of which it is a part; whole quanta, and all of it.
fn shared(demands: &[u32; NEIGHBOURS], total: u64, mass: u64) -> [u32; NEIGHBOURS] {
    if mass >= total {
        return *demands;
    }
    let (mut sum, mut given) = (0, 0);
    demands.map(|demand| {
        sum += u128::from(demand);
        let upto = (sum * u128::from(mass) / u128::from(total)) as u64;
        let part = upto - given;
        given = upto;
        part as u32
    })
}

/// The smaller area of the columns of two neighbours, over Δx².
fn smaller_area(terrain: &Terrain, [i, j]: [usize; 2], k: usize) -> f64 {
    let own = SHARES[terrain.share([i, j])];
    let other = [i.wrapping_add_signed(STEPS[k][0]), j.wrapping_add_signed(STEPS[k][1])];
    let [nx, ny] = terrain.nodes();
    if other[0] < nx && other[1] < ny { own.min(SHARES[terrain.share(other)]) } else { own }
}

/// Takes off a tile what leaves its columns and lays on what arrives; returns the columns that have changed.
pub(super) fn apply(terrain: &Terrain, batch: &[Outflow], own: usize, tile: &mut Tile) -> Rows {
    let around = batch[own].around;
    let donors = |k: usize| batch.get(around[k] as usize).map(|outflow| &outflow.donors);
    let mut changed = [0; SIDE];
    let donors = bits::framed(donors);
    for at in bits::nodes(&bits::dilated(&donors)) {
        let gone = bits::has(&batch[own].donors, at);
        if gone {
            tile.take_through(terrain, at, batch[own].leaving(at));
        }
        let arrived = arrive(terrain, batch, (&around, &donors), tile, at);
        if gone || arrived {
            tile.refresh(terrain, at);
            bits::insert(&mut changed, at);
        }
    }
    changed
}

/// Lays on a column what arrives from its neighbours.
fn arrive(
    terrain: &Terrain,
    batch: &[Outflow],
    (around, donors): (&[u32; 9], &bits::Framed),
    tile: &mut Tile,
    at: usize,
) -> bool {
    let (i, j) = (at % SIDE, at / SIDE);
    // soil of one kind is laid on at once
    let (mut sum, mut kind, mut arrived) = (Mass::ZERO, (0, 0.0), false);
    for (k, [di, dj]) in STEPS.iter().enumerate() {
        if donors[(j + 1).wrapping_add_signed(*dj)] >> (i + 1).wrapping_add_signed(*di) & 1 == 0 {
            continue;
        }
        // counted from one tile before
        let (x, y) = ((i + SIDE).wrapping_add_signed(*di), (j + SIDE).wrapping_add_signed(*dj));
        let Some(outflow) = batch.get(around[3 * (y / SIDE) + x / SIDE] as usize) else { continue };
        let from = y % SIDE * SIDE + x % SIDE;
        let count = 1 + usize::from(bits::has(&outflow.second, from));
        for parcels in &outflow.parcels[..count] {
            let parcel = &parcels[from];
            let mass = Mass(i64::from(parcel.mass[(k + NEIGHBOURS / 2) % NEIGHBOURS]));
            if mass == Mass::ZERO {
                continue;
            }
            let next = (parcel.soil, parcel.void_ratio);
            if sum > Mass::ZERO && next != kind {
                tile.put_loose(terrain, at, (kind.0, kind.1, sum));
                sum = Mass::ZERO;
            }
            (sum, kind, arrived) = (sum + mass, next, true);
        }
    }
    if sum > Mass::ZERO {
        tile.put_loose(terrain, at, (kind.0, kind.1, sum));
    }
    arrived
}
