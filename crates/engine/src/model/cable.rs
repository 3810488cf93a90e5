//! The bodies and joints of a cable: its ends, elements and links, elements of several lengths, catenary segments.

use super::state::State;
use crate::body::frame::Anchor;
use crate::section::Section;
use crate::slots::{BodyId, JointId};
use glam::DVec3;
use std::ops::Range;

/// End condition of a cable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum End {
    /// Free.
    #[default]
    Free,
    /// Attached to a point of a body, free to rotate.
    Ball(Anchor),
    /// Clamped to a body in its initial direction.
    Fast(Anchor),
    /// Clamped along the z axis of a frame of a body, which points from the cable's start to its end.
    Clamp(Anchor),
}

impl End {
    /// The anchor on the body, if attached.
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
    /// Its cross-section and material.
    pub section: Section,
    /// Start and end.
    pub ends: [End; 2],
    /// Unstretched length of an element [m]; that of the finest if the resolution is variable.
    pub element: f64,
    /// The finest elements from start to end.
    pub elements: Vec<BodyId>,
    /// The links of these from start to end: one before each element but the first, and one at each attached end.
    pub links: Vec<JointId>,
    /// Elements and links of all lengths, if the resolution is variable.
    pub pool: Option<Pool>,
    /// Catenary segments, if it is a catenary: it then has no links.
    pub hang: Option<Hang>,
}

impl Cable {
    /// Unstretched length [m].
    pub fn length(&self) -> f64 {
        self.element * self.elements.len() as f64
    }

    /// Inactive elements that are represented by ropes (`Rope::feed`): from the first to before the second, in order.
    pub fn gaps(&self, state: &State) -> Vec<Range<usize>> {
        let mut gaps: Vec<Range<usize>> = Vec::new();
        // where elements are merged, inactive ones lie within others
        let fed = self.elements.iter().enumerate().filter(|_| self.pool.is_none());
        for (k, _) in fed.filter(|(_, id)| state.bodies[id.index()].inactive) {
            match gaps.last_mut() {
                Some(gap) if gap.end == k => gap.end += 1,
                _ => gaps.push(k..k + 1),
            }
        }
        gaps
    }

    /// The index of the element after a link.
    pub fn after(&self, link: usize) -> usize {
        link + usize::from(self.ends[0] == End::Free)
    }

    /// The link before an element; none before the first of a cable with a free start.
    pub(crate) fn link_before(&self, element: usize) -> Option<JointId> {
        self.links.get(element.checked_sub(usize::from(self.ends[0] == End::Free))?).copied()
    }

    /// The start of an element, or its end.
    pub(crate) fn tip(&self, element: usize, end: bool) -> Option<Anchor> {
        let half = 0.5 * self.element;
        self.elements.get(element).map(|id| Anchor::point(*id, DVec3::Z * if end { half } else { -half }))
    }
}

/// Criteria by which elements of a cable are merged and split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// How often elements may be merged in pairs: the longest are 2^levels of the finest.
    pub levels: u32,
    /// Minimum number of elements.
    pub fewest: usize,
    /// Maximum number of elements present at once: the budget. When it is used up, the least bent pair is merged to
    /// make room for the most bent element.
    pub most: usize,
    /// Bend of a link [rad] above which its elements are split; they are merged where the bend would stay below half of
    /// it.
    pub bend: f64,
    /// Look-ahead time by which bends are extrapolated at their present rates [s]: a fast motion that will bend is not
    /// at rest.
    pub ahead: f64,
}

impl Default for Resolution {
    /// An arc of 0.05 rad is 1e-4 longer than its chord (θ²/24), well within the uncertainty of cable data. With a
    /// look-ahead of 0.1 s a swing of up to 10 rad/s is detected by its amplitude at any phase, without a timer in the
    /// state.
    fn default() -> Resolution {
        Resolution { levels: 3, fewest: 1, most: 100_000, bend: 0.05, ahead: 0.1 }
    }
}

/// Maximum number of levels: elements of a kilometre next to elements of a metre.
const DEEPEST: u32 = 10;

impl Resolution {
    /// Describes an invalid parameter for a cable of so many elements, if any.
    pub(crate) fn problem(&self, elements: usize) -> Option<String> {
        if !(1..=DEEPEST).contains(&self.levels) {
            return Some(format!("{} levels of resolution: give 1 to {DEEPEST}", self.levels));
        }
        let coarsest = 1 << self.levels;
        if !elements.is_multiple_of(coarsest) {
            return Some(format!(
                "{elements} elements cannot be merged {} times in pairs: give a multiple of {coarsest}",
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
            return Some(format!("its look-ahead is {} s: give a time above 0", self.ahead));
        }
        None
    }

    /// The initial level of a cable of so many elements: the finest within the budget.
    pub(crate) fn initial_level(&self, elements: usize) -> usize {
        (0..self.levels as usize).find(|j| elements >> j <= self.most).unwrap_or(self.levels as usize)
    }
}

/// A link between elements of two levels at a boundary; at an end of the cable both are the level of its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolLink {
    /// Levels of the elements before and after.
    pub levels: [u32; 2],
    /// The joint.
    pub link: JointId,
}

/// All elements and links of a cable of variable resolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Criteria of merging and splitting.
    pub rule: Resolution,
    /// Elements by level, the finest first, each from start to end.
    pub elements: Vec<Vec<BodyId>>,
    /// Links by boundary, from start to end.
    pub ties: Vec<Vec<PoolLink>>,
}

/// Properties of a catenary cable.
#[derive(Clone, Debug, PartialEq)]
pub struct Hang {
    /// Its segments from start to end.
    pub pieces: Vec<Piece>,
    /// Height of the floor it may lie on, measured against gravity from the world's origin [m].
    pub floor: Option<f64>,
}

/// A homogeneous segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Unstretched length [m].
    pub length: f64,
    /// Weight per length less buoyancy [N/m]; negative if buoyant.
    pub weight: f64,
    /// Axial compliance 1/EA [1/N]; 0 if inextensible.
    pub give: f64,
}
