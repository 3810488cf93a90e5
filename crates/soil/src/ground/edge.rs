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
use super::strength::StrengthLaw;
use super::terrain::Terrain;

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
                constant: matches!(soil.strength, StrengthLaw::Constant(_)),
                bank_flows: flows(terrain, &layer(soil.void_ratio.bank)),
            });
            self.least = self.least.min(libm::tan(soil.strength.friction_range()[0]));
        }
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
    /// The speed of flow over an edge, from the one before, and the volume that it moves from a column of an area.
    #[inline]
    pub fn edge(&self, slopes: Slopes, speed: f64, length: f64, drop: f64, area: f64) -> (f64, f64) {
        let run = length * self.spacing;
        let excess = drop - run * slopes.stop;
        if (speed == 0.0 && drop <= run * slopes.start) || excess <= REST * run {
            return (0.0, 0.0);
        }
        let pull = self.gravity * excess / (run * run + drop * drop).sqrt();
        let speed = (speed + self.time * pull).min(self.fastest);
        let flow = speed * DEPTH * WIDTH * self.spacing * self.spacing * self.time;
        (speed, flow.min(excess * area / SHARE))
    }
}
