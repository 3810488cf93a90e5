//! A flexible cable: elements (rigid bodies) end to end, joined by links (`joint/link.rs`).
//!
//!   path → N chords of one length → N elements, N − 1 links between them and one at each end that is held
//!
//! A link represents the cable between the midpoints of its elements, a link at an end half an element. So the lengths
//! of all links of a cable attached at both ends sum to its length, and its axial, torsional and bending stiffness do
//! not depend on N. Elements and links are ordinary bodies and joints. The record of a cable lists them for queries by
//! arc length and for edits. The solver knows cables by their links alone (`solve/tension_stiffness/mod.rs`).

pub mod catenary;
pub mod catenary_bodies;
pub mod curve;
pub mod feed;
pub mod multiresolution;
pub mod reading;
pub mod remesh;
pub mod rope_reading;
pub mod route;

use crate::body::collider::Collider;
use crate::body::frame::Anchor;
use crate::body::mass::Mass;
use crate::body::shape::Shape;
use crate::body::{Body, MotionType};
use crate::joint::link::{Turning, buckling_load, springs};
use crate::joint::{Joint, Link, Strength};
use crate::math;
use crate::model::Model;
use crate::model::cable::{End, Hang, Resolution};
use crate::model::state::State;
use crate::section::{Section, UnderLoad};
use crate::settings::Solver;
use glam::{DQuat, DVec3};

/// Specification of a cable.
#[derive(Clone, Debug, PartialEq)]
pub struct CableSpec {
    /// Its name in reports and scenes; elements and links are named after it.
    pub name: String,
    /// Cross-section.
    pub section: Section,
    /// Start and end.
    pub ends: [End; 2],
    /// Vertices of the line along which it is laid, from start to end [m].
    pub path: Vec<DVec3>,
    /// Its unstretched length [m]; that of the line over 1 + `strain`, if none is given.
    pub length: Option<f64>,
    /// Initial strain along its line, if no length is given.
    pub strain: f64,
    /// Number of elements; with adaptive resolution, of the finest.
    pub elements: usize,
    /// Adaptive resolution: merges elements where the cable is straight and splits them where it bends.
    pub adaptive: Option<Resolution>,
    /// Measure of the relative rotation of elements.
    pub turning: Turning,
    /// Dependence of its stiffness and damping on tension.
    pub under_load: UnderLoad,
    /// Whether its initial shape is stress-free.
    pub shaped: bool,
    /// Surface properties; none for a cable without contact.
    pub surface: Option<u16>,
    /// Solver of its partition.
    pub solver: Option<Solver>,
    /// Number of its partition.
    pub partition: u16,
    /// Elements that ropes represent at first (`Rope::feed`), as half-open ranges. If there are any, the line must have
    /// a point at every end of an element, and the length must be given.
    pub absent: Vec<[usize; 2]>,
    /// Catenary model: the cable then has neither mass nor links, and its line is ignored.
    pub hang: Option<Hang>,
}

impl CableSpec {
    /// A cable of 24 elements along a line, with both ends free.
    pub fn new(name: impl Into<String>, section: Section, path: impl Into<Vec<DVec3>>) -> CableSpec {
        CableSpec {
            name: name.into(),
            section,
            ends: [End::Free; 2],
            path: path.into(),
            length: None,
            strain: 0.0,
            elements: 24,
            adaptive: None,
            turning: Turning::default(),
            under_load: UnderLoad::default(),
            shaped: false,
            surface: None,
            solver: None,
            partition: 0,
            absent: Vec::new(),
            hang: None,
        }
    }
}

/// Changes of the resolution of cables in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RemeshReport {
    /// Pairs of elements that became one.
    pub merged: usize,
    /// Elements that became two.
    pub split: usize,
    /// Elements that ropes absorbed.
    pub taken: usize,
    /// Elements that ropes released.
    pub given: usize,
    /// Change of the kinetic, elastic and gravitational energy of elements by this [J].
    pub energy: f64,
}

impl RemeshReport {
    /// Adds the changes of another step.
    pub(crate) fn add(&mut self, other: &RemeshReport) {
        self.merged += other.merged;
        self.split += other.split;
        self.taken += other.taken;
        self.given += other.given;
        self.energy += other.energy;
    }
}

/// Position of a link along a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Start,
    Within,
    End,
}

/// Layout of a cable: the data of its bodies and joints.
pub(crate) struct CableLayout {
    /// Unstretched length of an element [m].
    pub element: f64,
    /// Midpoints and orientations of the elements.
    pub poses: Vec<(DVec3, DQuat)>,
}

/// Elements at most: ten times the longest cable of the benchmarks.
const MOST: usize = 100_000;

impl CableSpec {
    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        if !(1..=MOST).contains(&self.elements) {
            return Some(format!("{} elements: give 1 to {MOST}", self.elements));
        }
        if self.path.len() < 2 || !self.path.iter().all(|p| p.abs().max_element() < 1e10) {
            return Some("its line needs at least two points with finite coordinates".to_string());
        }
        if self.length.is_some_and(|l| !(l > 0.0 && l < 1e10)) {
            return Some(format!("its length is {:?}: give metres above 0", self.length.unwrap_or(0.0)));
        }
        if !(self.strain >= 0.0 && self.strain.is_finite()) {
            return Some(format!("its initial strain is {}: give 0 or more", self.strain));
        }
        if let Turning::Angles { guard, .. } = self.turning
            && !(guard > 0.0 && guard < 1.0)
        {
            return Some(format!(
                "the epsilon of its angles is {guard}: give a sine between 0 and 1, such as 1e-3"
            ));
        }
        if let Some(rule) = &self.adaptive {
            if self.turning != Turning::SwingTwist {
                return Some("adaptive resolution requires rotation measured by swing and twist".to_string());
            }
            if self.under_load.stiffening.is_some() {
                return Some(
                    "adaptive resolution requires a stiffness that does not depend on the load".to_string(),
                );
            }
            if let Some(problem) = rule.problem(self.elements) {
                return Some(problem);
            }
        }
        if let Some(range) = self.absent.iter().find(|r| !(r[0] <= r[1] && r[1] <= self.elements)) {
            return Some(format!(
                "elements {} to {} are to be absent of {}",
                range[0], range[1], self.elements
            ));
        }
        if !self.absent.is_empty() && (self.path.len() != self.elements + 1 || self.length.is_none()) {
            return Some(
                "the line of a cable fed by ropes needs a point at every end of an element".to_string(),
            );
        }
        if !self.absent.is_empty() && self.adaptive.is_some() {
            return Some("the resolution of a cable fed by ropes is fixed: leave `adaptive` out".to_string());
        }
        if self.turning != Turning::SwingTwist && (self.shaped || self.section.yielding.is_some()) {
            return Some(
                "plastic bending needs a bending direction: measure rotation by swing and twist".into(),
            );
        }
        if self.under_load.damping > 0.0 && self.section.bend == 0.0 {
            return Some("damping of bending by tension needs a bending stiffness: give that too".into());
        }
        self.problem_of_hang().or(self.under_load.problem()).or(self.section.problem())
    }

    fn problem_of_hang(&self) -> Option<String> {
        let hang = self.hang.as_ref()?;
        if self.ends.iter().any(|end| end.anchor().is_none()) {
            return Some("a catenary hangs between two bodies: attach both its ends".to_string());
        }
        if self.adaptive.is_some() || !self.absent.is_empty() {
            return Some("a catenary is neither fed by ropes nor merged: leave that out".to_string());
        }
        if hang.floor.is_some_and(|f| !(f.abs() < 1e10)) {
            return Some("its floor has no finite height: give metres".to_string());
        }
        catenary::problem(&hang.pieces)
    }

    /// Lays this many elements along the line: chords of one length from start to end, untwisted.
    pub(crate) fn lay(&self, elements: usize) -> Option<CableLayout> {
        let nodes = match self.absent.is_empty() {
            true => math::chords(&self.path, elements)?,
            false => self.path.clone(),
        };
        let chord = nodes[0].distance(nodes[1]);
        let element = self.length.map_or(chord / (1.0 + self.strain), |l| l / elements as f64);
        let mut orientation = DQuat::IDENTITY;
        let poses = nodes.windows(2).map(|ends| {
            // the shortest rotation from one direction to the next carries no twist
            let along = (ends[1] - ends[0]).normalize_or(DVec3::Z);
            orientation = math::unit(DQuat::from_rotation_arc(orientation * DVec3::Z, along) * orientation);
            (0.5 * (ends[0] + ends[1]), orientation)
        });
        (element > 0.0 && element.is_finite()).then_some(CableLayout { element, poses: poses.collect() })
    }

    /// The body of an element.
    pub(crate) fn element(&self, name: String, length: f64) -> Body {
        let (mass, radius) = (self.section.mass_per_length * length, 0.5 * self.section.diameter);
        let across = mass * (length * length / 12.0 + radius * radius / 4.0);
        // Nothing prevents an element of a cable without torsional stiffness from spinning about its axis. Round-off of
        // the rotation across it leaks into that spin, amplified by the ratio of the two inertias: 1e4 and more for a
        // chain of long elements, which diverged within a minute. With an isotropic inertia there is no amplification.
        let along = if self.section.twist > 0.0 { 0.5 * mass * radius * radius } else { across };
        let moments = DVec3::new(across, across, along);
        let mass = Mass::principal(mass, DVec3::ZERO, moments, DQuat::IDENTITY);
        let mut body = match self.hang {
            None => Body::dynamic(name, mass),
            Some(_) => Body { kind: MotionType::Catenary, ..Body::fixed(name) },
        };
        (body.solver, body.partition) = (self.solver, self.partition);
        if let Some(surface) = self.surface {
            let shape = Shape::Capsule { radius, half_length: 0.5 * length };
            body.colliders.push(Collider { surface, ..Collider::new(shape) });
        }
        body
    }

    /// The link between two anchors that represents a length of cable.
    pub(crate) fn link(&self, name: String, anchors: [Anchor; 2], length: f64, side: Side) -> Joint {
        let (stretch, twist, bend) = springs(&self.section, length);
        let turns = match side {
            Side::Within => true,
            Side::Start => !matches!(self.ends[0], End::Ball(_)),
            Side::End => !matches!(self.ends[1], End::Ball(_)),
        };
        let mut link = Link {
            anchors,
            elements: [side != Side::Start, side != Side::End],
            length,
            stretch,
            buckling: 0.0,
            twist: twist.filter(|_| turns),
            bend: bend.filter(|_| turns),
            turning: self.turning,
            yielding: self.section.yielding,
            fatigue: self.section.fatigue.zip(self.section.breaking),
            under_load: self.under_load,
            breaking_strain: self.section.breaking_strain,
        };
        link.buckling = buckling_load(&self.section, link.element_length());
        let breaks = self.section.breaking.is_some() || self.section.breaking_strain.is_some();
        let force = self.section.breaking.unwrap_or(f64::INFINITY);
        let strength = breaks.then_some(Strength { force, torque: f64::INFINITY });
        Joint { strength, ..Joint::new(name, link) }
    }
}

/// Anchor of a cable end on its body for a given orientation of the cable: rotated so that the link has no twist, and,
/// if it is clamped as it lies, no bend.
pub(crate) fn end_frame(model: &Model, state: &State, end: &End, lies: DQuat) -> Option<Anchor> {
    let anchor = *end.anchor()?;
    let body = state.bodies[anchor.body.index()].orientation;
    let turn = match end {
        End::Clamp(_) => {
            let frame = model.frame(state, &anchor).orientation;
            // the twist of q = swing ∘ twist about z
            let q = frame.inverse() * lies;
            let twist = DQuat::from_xyzw(0.0, 0.0, q.z, q.w);
            anchor.turn * if twist.length() > 1e-9 { math::unit(twist) } else { DQuat::IDENTITY }
        }
        _ => body.inverse() * lies,
    };
    Some(Anchor { turn: math::unit(turn), ..anchor })
}

/// Initial line between two points for a cable longer than their distance: a parabola of that length, close to the
/// catenary, so that it settles quickly. `down` is the direction in which it sags.
pub fn sagging(from: DVec3, to: DVec3, length: f64, down: DVec3, points: usize) -> Vec<DVec3> {
    let (span, down) = (to - from, down.normalize_or(-DVec3::Z));
    // bisect the depth to match the arc length
    let line = |depth: f64| -> Vec<DVec3> {
        (0..=points.max(2))
            .map(|k| {
                let t = k as f64 / points.max(2) as f64;
                from + span * t + down * (depth * 4.0 * t * (1.0 - t))
            })
            .collect()
    };
    let arc = |depth: f64| line(depth).windows(2).map(|p| p[0].distance(p[1])).sum::<f64>();
    let (mut low, mut high) = (0.0, length);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if arc(middle) < length { low = middle } else { high = middle }
    }
    line(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::chords;

    #[test]
    fn chords_are_equal_and_end_at_the_end() {
        let path =
            [DVec3::ZERO, DVec3::new(1.0, 0.3, 0.0), DVec3::new(1.2, 2.0, 0.5), DVec3::new(-1.0, 2.0, 0.0)];
        for n in [1, 2, 7, 100] {
            let nodes = chords(&path, n).unwrap();
            assert_eq!(nodes.len(), n + 1);
            let lengths: Vec<f64> = nodes.windows(2).map(|p| p[0].distance(p[1])).collect();
            assert!(lengths.iter().all(|l| (l / lengths[0] - 1.0).abs() < 1e-9), "{lengths:?}");
            assert_eq!((nodes[0], nodes[n]), (path[0], path[3]));
        }
        assert!(chords(&[DVec3::X, DVec3::X], 3).is_none());
    }

    #[test]
    fn a_sagging_line_has_its_length() {
        let line = sagging(DVec3::ZERO, DVec3::new(10.0, 0.0, 1.0), 12.0, -DVec3::Z, 64);
        let arc: f64 = line.windows(2).map(|p| p[0].distance(p[1])).sum();
        assert!((arc - 12.0).abs() < 1e-9);
    }
}
