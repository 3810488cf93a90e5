//! Internal loads along a cable: tension, moments, curvature, twist, fatigue; one reading per active link.
//!
//!   κ = |β|/ℓ,   τ' = τ/ℓ       forces and moments are those of the last step
//!
//! Catenaries have no links: theirs are evaluated in closed form at the ends of the elements.
//! The number of rows of a link determines which it has: three of force, then twist, then bending.

use super::catenary::{CatenaryState, PlanarPoint};
use super::catenary_bodies::Hanging;
use crate::joint::link::{DamageState, Turning};
use crate::joint::{JointKind, Link};
use crate::model::Configuration;
use crate::model::cable::Cable;
use crate::slots::{CableId, JointId};
use glam::{DVec2, DVec3};

/// Internal loads of a cable at one point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Unstretched arc length from the cable's start [m].
    pub at: f64,
    /// Position in the world [m].
    pub point: DVec3,
    /// Tension [N]; negative under compression.
    pub tension: f64,
    /// Bending moments about the element's two transverse axes [N·m]; only the first with `Turning::Angles`.
    pub moment: DVec2,
    /// Torque about the cable's axis [N·m].
    pub torque: f64,
    /// [1/m]
    pub curvature: f64,
    /// Twist per length [rad/m].
    pub twist: f64,
    /// Whether it is cut or broken here.
    pub broken: bool,
    /// Accumulated damage, if load cycles are counted.
    pub damage: f64,
    /// Plastic bend [rad].
    pub set: DVec2,
}

/// Solution of a catenary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catenary {
    /// Its tension, and the part on the floor.
    pub hung: CatenaryState,
    /// Its start and its end, each with tension and angle.
    pub ends: [PlanarPoint; 2],
}

impl Configuration<'_> {
    /// The solution of a catenary; none for a removed cable or one that is no catenary.
    pub fn catenary(&self, cable: CableId) -> Option<Catenary> {
        let cable = self.model.cables.get(cable)?;
        let hanging = self.model.hanging(self.state, cable, 0.0)?;
        Some(Catenary { hung: hanging.hung, ends: [0.0, 1.0].map(|part| hanging.at(part).0) })
    }

    /// Internal loads of a cable at each of its links, from start to end; empty for a removed cable.
    pub fn cable_readings(&self, cable: CableId) -> Vec<Reading> {
        let Some(cable) = self.model.cables.get(cable) else { return Vec::new() };
        if let Some(hanging) = self.model.hanging(self.state, cable, 0.0) {
            return read_hanging(&hanging, cable);
        }
        let read = |(at, id): (f64, JointId)| {
            let joint = self.model.joints.get(id)?;
            let JointKind::Link(link) = &joint.kind else { return None };
            Some(Reading { at, ..self.read_link(link, id.index()) })
        };
        cable.links_now(self.state).into_iter().filter_map(read).collect()
    }

    fn read_link(&self, link: &Link, place: usize) -> Reading {
        let memory = &self.state.joints[place];
        let frames = link.anchors.map(|a| self.model.frame(self.state, &a));
        let wear = DamageState::of(&memory.history);
        let (damage, set) = (wear.damage, wear.set);
        let point = 0.5 * (frames[0].at + frames[1].at);
        if memory.broken {
            return Reading { point, broken: true, damage, set, ..Reading::default() };
        }
        let (twist, bend) = link.turned(&frames, memory.coordinates.as_slice());
        let mut reading = Reading { point, damage, set, ..Reading::default() };
        if link.twist.is_some() || link.bend.is_some() {
            (reading.curvature, reading.twist) = (bend.length() / link.length, twist / link.length);
        }
        // before the first step there are no forces
        if memory.forces.len() >= 3 {
            reading.tension = link.tension(&memory.forces);
            let mut rest = memory.forces[3..].iter();
            reading.torque = link.twist.and_then(|_| rest.next()).map_or(0.0, |t| -t);
            let count = if link.turning == Turning::SwingTwist { 2 } else { 1 };
            for (k, m) in rest.take(count).enumerate() {
                reading.moment[k] = -m;
            }
        }
        reading
    }
}

/// Readings of a catenary at the ends of its elements: its curvature is w H/T².
fn read_hanging(hanging: &Hanging<'_>, cable: &Cable) -> Vec<Reading> {
    let count = cable.elements.len();
    let read = |k: usize| {
        let part = k as f64 / count as f64;
        let (spot, point) = hanging.at(part);
        let square = spot.tension * spot.tension;
        let bends = square > 0.0 && square.is_finite();
        let curvature = if bends { (hanging.weight(part) * hanging.hung.pull / square).abs() } else { 0.0 };
        Reading {
            at: k as f64 * cable.element,
            point,
            tension: spot.tension,
            curvature,
            ..Reading::default()
        }
    };
    (0..=count).map(read).collect()
}
