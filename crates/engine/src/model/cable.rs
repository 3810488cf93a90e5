//! Which bodies and joints are a cable: its ends, elements and links, elements of several lengths, pieces of a catenary.

use super::state::State;
use crate::body::frame::Anchor;
use crate::section::Section;
use crate::slots::{BodyId, JointId};
use glam::DVec3;
use std::ops::Range;

/// How a cable ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum End {
    /// Loose.
    #[default]
    Free,
    /// On a point of a body, turning freely.
    Ball(Anchor),
    /// Held fast in the direction in which it lies.
    Fast(Anchor),
    /// Clamped along the z axis of a frame of a body, which points from the cable's start to its end.
    Clamp(Anchor),
}

impl End {
    /// Where it grips a body.
    pub fn anchor(&self) -> Option<&Anchor> {
        match self {
            End::Free => None,
            End::Ball(anchor) | End::Fast(anchor) | End::Clamp(anchor) => Some(anchor),
        }
    }
}

/// A cable of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Cable {
    /// Its name.
    pub name: String,
    /// What it is made of.
    pub section: Section,
    /// Start and end.
    pub ends: [End; 2],
    /// Unstretched length of an element [m]; of the finest, if its resolution changes.
    pub element: f64,
    /// The elements from start to end, the finest.
    pub elements: Vec<BodyId>,
    /// The links of these from start to end: one before each element but the first, and one at each end that is held.
    pub links: Vec<JointId>,
    /// Elements and links of all lengths, if its resolution changes.
    pub pool: Option<Pool>,
    /// How it hangs, if it is a catenary: it has no links then.
    pub hang: Option<Hang>,
}

impl Cable {
    /// Unstretched length [m].
    pub fn length(&self) -> f64 {
        self.element * self.elements.len() as f64
    }

    /// Elements that are not there, since ropes stand for them (`Rope::feed`): from the first to before the second, in order.
    pub fn gaps(&self, state: &State) -> Vec<Range<usize>> {
        let mut gaps: Vec<Range<usize>> = Vec::new();
        // where elements are merged, those that are not there lie within others
        let fed = self.elements.iter().enumerate().filter(|_| self.pool.is_none());
        for (k, _) in fed.filter(|(_, id)| state.bodies[id.index()].inactive) {
            match gaps.last_mut() {
                Some(gap) if gap.end == k => gap.end += 1,
                _ => gaps.push(k..k + 1),
            }
        }
        gaps
    }

    /// The number of the element after a link.
    pub fn after(&self, link: usize) -> usize {
        link + usize::from(self.ends[0] == End::Free)
    }

    /// The link before an element; none before the first of a cable that starts free.
    pub(crate) fn link_before(&self, element: usize) -> Option<JointId> {
        self.links.get(element.checked_sub(usize::from(self.ends[0] == End::Free))?).copied()
    }

    /// The start of an element, or its end.
    pub(crate) fn tip(&self, element: usize, end: bool) -> Option<Anchor> {
        let half = 0.5 * self.element;
        self.elements.get(element).map(|id| Anchor::point(*id, DVec3::Z * if end { half } else { -half }))
    }
}

/// When elements of a cable are merged and split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// How often elements may be merged two by two: the longest are 2^levels of the finest.
    pub levels: u32,
    /// Elements that remain at least.
    pub fewest: usize,
    /// Elements that are there at once at most: the budget. Where it is used up, the least bent pair makes room for the
    /// most bent element.
    pub most: usize,
    /// Bend of a link [rad] from which its elements are split; they are merged where half of it would not be reached.
    pub bend: f64,
    /// How far ahead bends are looked at, at their present rates [s]: what moves so fast that it will bend is not at rest.
    pub ahead: f64,
}

impl Default for Resolution {
    /// An arc that turns by 0.05 rad is 1e-4 longer than its chord (θ²/24), well within what cables are known to. Ahead by
    /// 0.1 s a swing of up to 10 rad/s is seen by its amplitude whatever its phase, without a clock of its own in the state.
    fn default() -> Resolution {
        Resolution { levels: 3, fewest: 1, most: 100_000, bend: 0.05, ahead: 0.1 }
    }
}

/// Levels at most: elements of a kilometre next to such of a metre.
const DEEPEST: u32 = 10;

impl Resolution {
    /// What is wrong with it for a cable of so many elements, if anything.
    pub(crate) fn problem(&self, elements: usize) -> Option<String> {
        if !(1..=DEEPEST).contains(&self.levels) {
            return Some(format!("{} levels of resolution: give 1 to {DEEPEST}", self.levels));
        }
        let coarsest = 1 << self.levels;
        if !elements.is_multiple_of(coarsest) {
            return Some(format!(
                "{elements} elements cannot be merged {} times two by two: give a multiple of {coarsest}",
                self.levels
            ));
        }
        if self.most < elements / coarsest || self.most < self.fewest {
            let least = (elements / coarsest).max(self.fewest);
            return Some(format!("at most {} elements: it cannot have fewer than {least}", self.most));
        }
        if !(self.bend > 0.0 && self.bend < 1.0) {
            return Some(format!("its bend tolerance is {}: give radians between 0 and 1", self.bend));
        }
        if !(self.ahead > 0.0 && self.ahead.is_finite()) {
            return Some(format!("bends are looked at {} s ahead: give a time above 0", self.ahead));
        }
        None
    }

    /// The level at which a cable of so many elements is laid: the finest within the budget.
    pub(crate) fn initial_level(&self, elements: usize) -> usize {
        (0..self.levels as usize).find(|j| elements >> j <= self.most).unwrap_or(self.levels as usize)
    }
}

/// A link for two levels that meet at a boundary; at an end of the cable both are the level of its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolLink {
    /// Levels of the elements before and after.
    pub levels: [u32; 2],
    /// The joint.
    pub link: JointId,
}

/// All elements and links of a cable whose resolution changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// When they are merged and split.
    pub rule: Resolution,
    /// Elements by level, the finest first, each from start to end.
    pub elements: Vec<Vec<BodyId>>,
    /// Links by boundary, from start to end.
    pub ties: Vec<Vec<PoolLink>>,
}

/// How a cable hangs that is a catenary.
#[derive(Clone, Debug, PartialEq)]
pub struct Hang {
    /// Its pieces from start to end.
    pub pieces: Vec<Piece>,
    /// Height of the floor it may lie on, against gravity from the world's origin [m].
    pub floor: Option<f64>,
}

/// A piece of line that is the same all along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Unstretched length [m].
    pub length: f64,
    /// Weight of a metre less its buoyancy [N/m]; negative lifts.
    pub weight: f64,
    /// Strain per force, 1/EA [1/N]; 0 does not stretch.
    pub give: f64,
}
