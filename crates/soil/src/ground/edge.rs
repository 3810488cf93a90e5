//! Slope failure of soil without cohesion: the rule of an edge between two nodes, at a distance L and Δh apart in height.
//!
//! ```text
//!  starts   Δh > L tan(φ + 0.3°)            stops   Δh ≤ L (tan φ + 0.001)
//!  speed    u⁺ = u + h g (sin a − cos a tan φ)     tan a = Δh/L
//!  volume   V = min(u⁺ t w h, (Δh − L tan φ) A / 10)
//! ```
//!
//! Eight neighbours share the outflow of a column; a tenth of the excess over each edge cannot turn a slope over in one
//! sweep. The edge rule is not for cohesion: a step of height 4c/ρg stands, so a slope of small steps would stand at
//! any height. Cohesive soil flows only once it has failed on a plane.

use super::layer::Layer;
use super::quanta::Mass;
use super::strength::StrengthLaw;
use super::terrain::Terrain;
use wide::f64x4;

/// Angle by which a slope is steeper when it starts to slip than when it stops [deg]. Without a gap, small changes beside a
/// heap keep it moving; nature has 1 to 3 degrees.
const HYSTERESIS: f64 = 0.3;

/// Slope over that of the friction angle at which a flow stops: the last excess would decay for ever.
const REST: f64 = 1e-3;

/// Neighbours and two: the part of the excess over an edge that one sweep moves, at most.
const SHARE: f64 = 10.0;

/// Width of an edge over Δx: the side of the octagon in the cell of a node, tan 22.5°.
const WIDTH: f64 = 0.414_213_562_373_095_05;

/// Depth of sliding soil over Δx, at most.
const DEPTH: f64 = 0.5;

/// Cohesion is neglected where an upright cut would fail at this part of Δx.
const NEGLIGIBLE: f64 = 0.5;

/// Steps along the grid to the neighbours, counterclockwise; the opposite one is four further.
pub(super) const STEPS: [[isize; 2]; 8] =
    [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// Distances to the neighbours over Δx.
pub(super) const LENGTHS: [f64; 8] = [
    1.0,
    std::f64::consts::SQRT_2,
    1.0,
    std::f64::consts::SQRT_2,
    1.0,
    std::f64::consts::SQRT_2,
    1.0,
    std::f64::consts::SQRT_2,
];

/// Slopes at which soil starts and stops to slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slopes {
    pub start: f64,
    pub stop: f64,
}

impl Slopes {
    fn of(friction: f64) -> Slopes {
        Slopes { start: libm::tan(friction + HYSTERESIS.to_radians()), stop: libm::tan(friction) }
    }
}

/// Slopes of the soils of a ground. Those of loose soil are kept, as most that flows is, and those that do not depend on
/// compaction.
#[derive(Debug, Default)]
pub(super) struct SlopeTable {
    soils: Vec<Entry>,
    /// The least slope at which any soil stops.
    pub least: f64,
}

#[derive(Debug)]
struct Entry {
    /// Void ratio as dumped, as it is stored, and slopes at it.
    loose: f32,
    slopes: Slopes,
    /// Quanta per volume of loose soil [1/m³].
    per_volume: f64,
    /// Whether strength is constant; whether soil in the bank flows then.
    constant: bool,
    bank_flows: bool,
}

impl SlopeTable {
    /// Computes the slopes of the soils.
    pub fn update(&mut self, terrain: &Terrain) {
        self.soils.clear();
        self.least = f64::INFINITY;
        for (k, soil) in terrain.soils().iter().enumerate() {
            let layer = |void_ratio: f64| Layer { void_ratio, soil: k as u8, ..Layer::default() };
            let loose = soil.void_ratio.loose as f32;
            self.soils.push(Entry {
                loose,
                slopes: slopes_of(terrain, &layer(f64::from(loose))),
                per_volume: soil.dry_density(f64::from(loose)) * Mass::PER_KILOGRAM,
                constant: matches!(soil.strength, StrengthLaw::Constant(_)),
                bank_flows: flows(terrain, &layer(soil.void_ratio.bank)),
            });
            self.least = self.least.min(libm::tan(soil.strength.friction_range()[0]));
        }
    }

    /// Slopes and quanta per volume [1/m³] of remoulded soil that is as loose as dumped.
    #[inline]
    pub fn loose(&self, soil: u8, void_ratio: f32) -> Option<(Slopes, f64)> {
        let entry = &self.soils[usize::from(soil)];
        (entry.loose == void_ratio).then_some((entry.slopes, entry.per_volume))
    }

    /// The slopes of a layer on the surface; none if cohesion holds it.
    #[inline]
    pub fn get(&self, terrain: &Terrain, layer: &Layer) -> Option<Slopes> {
        let entry = &self.soils[usize::from(layer.soil)];
        if entry.constant || (layer.remoulded && layer.void_ratio as f32 == entry.loose) {
            return (layer.remoulded || entry.bank_flows).then_some(entry.slopes);
        }
        flows(terrain, layer).then(|| slopes_of(terrain, layer))
    }
}

/// Normal stress in the middle of the sliding depth [Pa].
fn stress(terrain: &Terrain, layer: &Layer) -> f64 {
    0.5 * DEPTH * terrain.spacing() * terrain.unit_weight(layer)
}

fn slopes_of(terrain: &Terrain, layer: &Layer) -> Slopes {
    Slopes::of(terrain.strength(layer, stress(terrain, layer)).friction)
}

/// Whether a layer follows the edge rule: it has failed, or its cohesion is negligible.
pub(super) fn flows(terrain: &Terrain, layer: &Layer) -> bool {
    let upright = || {
        let strength = terrain.strength(layer, stress(terrain, layer));
        strength.critical_height(terrain.unit_weight(layer))
    };
    layer.remoulded || upright() < NEGLIGIBLE * terrain.spacing()
}

/// What is the same for all edges of a sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// Δx [m].
    pub spacing: f64,
    /// Time of the sweep h [s].
    pub time: f64,
    /// Acceleration of gravity [m/s²].
    pub gravity: f64,
    /// Greatest speed of flow [m/s].
    pub fastest: f64,
}

impl Sweep {
    /// The speeds of flow over the edges of a node, from those before, and the volumes that they move from columns of
    /// some areas; four edges at a time.
    #[inline]
    pub fn edges(&self, slopes: Slopes, before: &[f32], drops: &[f64; 8], areas: &[f64; 8]) -> [[f64; 8]; 2] {
        let [mut speeds, mut volumes] = [[0.0; 8]; 2];
        let splat = f64x4::splat;
        for half in [0, 4] {
            let four = |all: &[f64; 8]| f64x4::new([all[half], all[half + 1], all[half + 2], all[half + 3]]);
            let run = four(&LENGTHS) * splat(self.spacing);
            let drop = four(drops);
            let excess = drop - run * splat(slopes.stop);
            let speed = &before[half..half + 4];
            let speed = f64x4::new([speed[0], speed[1], speed[2], speed[3]].map(f64::from));
            let starts = speed.simd_gt(splat(0.0)) | drop.simd_gt(run * splat(slopes.start));
            let flows = starts & excess.simd_gt(run * splat(REST));
            if flows.to_bitmask() == 0 {
                continue;
            }
            let pull = splat(self.gravity) * excess / (run * run + drop * drop).sqrt();
            let least = |a: f64x4, b: f64x4| a.simd_gt(b).bitselect(b, a);
            let speed = least(speed + splat(self.time) * pull, splat(self.fastest));
            let [depth, width, side] = [DEPTH, WIDTH, self.spacing].map(splat);
            let flow = speed * depth * width * side * side * splat(self.time);
            let volume = least(flow, excess * four(areas) / splat(SHARE));
            let write = |all: &mut [f64; 8], values: f64x4| {
                all[half..half + 4].copy_from_slice(&flows.bitselect(values, splat(0.0)).to_array());
            };
            write(&mut speeds, speed);
            write(&mut volumes, volume);
        }
        [speeds, volumes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The equations of the module, edge by edge.
    fn edge(sweep: &Sweep, slopes: Slopes, (speed, length): (f64, f64), drop: f64, area: f64) -> [f64; 2] {
        let run = length * sweep.spacing;
        let excess = drop - run * slopes.stop;
        if (speed == 0.0 && drop <= run * slopes.start) || excess <= REST * run {
            return [0.0, 0.0];
        }
        let pull = sweep.gravity * excess / (run * run + drop * drop).sqrt();
        let speed = (speed + sweep.time * pull).min(sweep.fastest);
        let flow = speed * DEPTH * WIDTH * sweep.spacing * sweep.spacing * sweep.time;
        [speed, flow.min(excess * area / SHARE)]
    }

    /// Four edges at a time have the bits of one: standing, starting, flowing, stopping, beside a wall, at the bound.
    #[test]
    fn edges_have_the_bits_of_single_ones() {
        let sweep = Sweep { spacing: 0.2, time: 1.0 / 60.0, gravity: 9.81, fastest: 3.0 };
        let slopes = Slopes::of(33_f64.to_radians());
        let drops = [0.05, 0.2, 0.1299, 0.184, f64::NEG_INFINITY, -0.3, 5.0, 0.131];
        let before = [0.0, 0.4, 0.0, 0.2, 0.7, 0.1, 2.9, 0.0];
        let areas = [0.04, 0.04, 0.02, 0.04, 0.04, 0.01, 0.04, 0.04];
        let [speeds, volumes] = sweep.edges(slopes, &before, &drops, &areas);
        for k in 0..8 {
            let before = (f64::from(before[k]), LENGTHS[k]);
            let single = edge(&sweep, slopes, before, drops[k], areas[k]);
            assert_eq!([speeds[k], volumes[k]], single, "edge {k}");
        }
        assert!(speeds.iter().filter(|speed| **speed > 0.0).count() >= 3, "{speeds:?}");
    }
}
