//! Ground shaped by edits: graded to a height, or filled up. What an edit adds is booked in `Account::edited`, so that
//! the sum of all masses less that account stays the same in whole quanta.
//!
//! ```text
//!  grade    nodes in a polygon: soil above the height is taken away; below it is filled with the soil at the surface,
//!           as dense as in the bank, up to the height: the thickness is that of whole quanta
//!  fill     loose soil on the nodes within a radius, in proportion to their areas; its slopes fail in the next steps
//! ```

use super::model::GroundModel;
use super::state::GroundState;
use crate::ground::quanta::Mass;
use crate::ground::{Ground, Layer, Terrain};
use glam::DVec2;

/// A shape given to a ground by an edit.
#[derive(Clone, Debug, PartialEq)]
pub enum Shaping {
    /// Sets the heights of nodes.
    Grade {
        /// Corners of a polygon that contains them [m].
        outline: Vec<DVec2>,
        /// Their height [m].
        height: f64,
    },
    /// Adds loose soil.
    Fill {
        /// Where, the middle [m].
        at: DVec2,
        /// Radius within which it lands [m].
        radius: f64,
        /// Its dry mass [kg].
        mass: f64,
        /// Index of its soil.
        soil: u8,
    },
}

impl Shaping {
    /// The error and the remedy, if a ground cannot be given this shape.
    pub(super) fn problem(&self, model: &GroundModel) -> Option<String> {
        let terrain = &*model.terrain;
        match self {
            Shaping::Grade { outline, height } => {
                if outline.len() < 3 || !outline.iter().all(|corner| corner.is_finite()) {
                    return Some("its outline is not a polygon: give three or more points".to_string());
                }
                if !(height.abs() <= 1e6) {
                    return Some(format!("its height is {height} m: give at most 1e6 m"));
                }
                let inside = nodes(terrain, outline).next().is_none();
                inside.then(|| "its outline contains no node of the ground: enlarge or move it".to_string())
            }
            Shaping::Fill { at, radius, mass, soil } => {
                if usize::from(*soil) >= terrain.soils().len() {
                    return Some(format!("soil {soil} is not one of the ground's {}", terrain.soils().len()));
                }
                if !(*mass > 0.0 && *mass <= MOST && *radius >= 0.0 && radius.is_finite()) {
                    return Some(format!(
                        "give a mass above 0 and up to {MOST:e} kg, and a radius of 0 or more"
                    ));
                }
                let outside = terrain.nearest(at.x, at.y).is_none();
                outside.then(|| "it is beside the ground: move it".to_string())
            }
        }
    }
}

/// Most mass of a fill [kg]: a column can count 1.3e8 kg.
const MOST: f64 = 1e8;

impl GroundState {
    /// Gives it a shape; returns the mass that was added, negative if more was taken away.
    pub(super) fn shape(&mut self, model: &GroundModel, shaping: &Shaping) -> Mass {
        let before = self.terrain.mass(&model.terrain) + self.terrain.account.outside;
        match shaping {
            Shaping::Grade { outline, height } => self.grade(model, outline, *height),
            Shaping::Fill { at, radius, mass, soil } => {
                self.fill(model, (*at, *radius), Mass::from_kilograms(*mass), *soil);
            }
        }
        let added = self.terrain.mass(&model.terrain) + self.terrain.account.outside - before;
        self.terrain.account.edited += added;
        added
    }

    fn grade(&mut self, model: &GroundModel, outline: &[DVec2], height: f64) {
        let terrain = &*model.terrain;
        let mut removed = Vec::new();
        for node in nodes(terrain, outline) {
            removed.clear();
            self.terrain.take_above(terrain, node, height, &mut removed);
            let missing = height - self.terrain.height(terrain, node);
            let soil = Ground::new(terrain, &self.terrain).top(node).map_or(0, |layer| layer.soil);
            let void_ratio = terrain.soils()[usize::from(soil)].void_ratio.bank;
            let unit =
                Layer { mass: Mass(1), void_ratio, preconsolidation: [0.0; 2], soil, remoulded: false };
            let mass = Mass(libm::rint(missing / terrain.thickness(&unit, terrain.share(node))) as i64);
            if mass > Mass::ZERO {
                self.terrain.lay(terrain, node, Layer { mass, ..unit });
            }
        }
    }

    fn fill(&mut self, model: &GroundModel, (at, radius): (DVec2, f64), mass: Mass, soil: u8) {
        let terrain = &*model.terrain;
        let reach = DVec2::splat(radius);
        let within = |node: &[usize; 2]| DVec2::from(terrain.position(*node)).distance(at) <= radius;
        let mut all: Vec<[usize; 2]> = range(terrain, at - reach, at + reach).filter(within).collect();
        let Some(nearest) = terrain.nearest(at.x, at.y) else { return };
        if all.is_empty() {
            all.push(nearest);
        }
        let area: f64 = all.iter().map(|node| terrain.area(*node)).sum();
        let void_ratio = terrain.soils()[usize::from(soil)].void_ratio.loose;
        let mut left = mass;
        for node in all {
            let part = Mass((mass.0 as f64 * (terrain.area(node) / area)) as i64).min(left);
            left -= part;
            self.terrain.put(terrain, node, part, void_ratio, soil);
        }
        // what rounding has left
        self.terrain.put(terrain, nearest, left, void_ratio, soil);
    }
}

/// The nodes in a polygon, by the number of its edges between them and infinity; those on an edge may be in or out.
fn nodes<'a>(terrain: &'a Terrain, outline: &'a [DVec2]) -> impl Iterator<Item = [usize; 2]> + 'a {
    let (low, high) =
        outline.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
    let inside = move |node: &[usize; 2]| {
        let p = DVec2::from(terrain.position(*node));
        let crossed = |k: &usize| {
            let (a, b) = (outline[*k], outline[(*k + 1) % outline.len()]);
            (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
        };
        (0..outline.len()).filter(crossed).count() % 2 == 1
    };
    range(terrain, low, high).filter(inside)
}

/// The nodes in a rectangle.
fn range(terrain: &Terrain, low: DVec2, high: DVec2) -> impl Iterator<Item = [usize; 2]> + use<> {
    let spec = terrain.spec();
    let along = |k: usize| {
        let place = |x: f64| (x - spec.origin[k]) / spec.spacing;
        let last = (spec.nodes[k] - 1) as f64;
        let (from, to) =
            (libm::ceil(place(low[k]) - ON).max(0.0), libm::floor(place(high[k]) + ON).min(last));
        if from <= to { from as usize..to as usize + 1 } else { 0..0 }
    };
    let (x, y) = (along(0), along(1));
    y.flat_map(move |j| x.clone().map(move |i| [i, j]))
}

/// Distance from the rim at which a node belongs to a rectangle, in cells.
const ON: f64 = 1e-9;
