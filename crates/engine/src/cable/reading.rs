//! What is inside a cable, along it: tension, moments, curvature, twist, wear; one reading per link that is there.
//!
//!   κ = |β|/ℓ,   τ' = τ/ℓ       forces and moments those of the last step
//!
//! Catenaries have no links: theirs are read off the closed form at the ends of the elements.
//! A link's number of rows says which of them it has: three of force, then twist, then bends.

use super::catenary::{CatenaryState, PlanarPoint};
use super::catenary_bodies::Hanging;
use crate::joint::link::{DamageState, Turning};
use crate::joint::{JointKind, Link};
use crate::model::Configuration;
use crate::model::cable::Cable;
use crate::slots::{CableId, JointId};
use glam::{DVec2, DVec3};

/// What is inside a cable at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Where, along the unstretched cable from its start [m].
    pub at: f64,
    /// Where, in the world [m].
    pub point: DVec3,
    /// Pull along the cable [N]; negative under compression.
    pub tension: f64,
    /// Bending moments about the element's two side axes [N·m]; with the paper's angles the first alone.
    pub moment: DVec2,
    /// Torque about the cable [N·m].
    pub torque: f64,
    /// [1/m]
    pub curvature: f64,
    /// Twist per length [rad/m].
    pub twist: f64,
    /// Whether it is cut or broken there.
    pub broken: bool,
    /// Used-up part of its life, if load cycles are counted.
    pub damage: f64,
    /// The bend it keeps [rad].
    pub set: DVec2,
}

/// A catenary as it hangs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catenary {
    /// Its pull, and what of it lies on the floor.
    pub hung: CatenaryState,
    /// Its start and its end, each with tension and angle.
    pub ends: [PlanarPoint; 2],
}

impl Configuration<'_> {
    /// How a catenary hangs; nothing for a cable that is gone or is none.
    pub fn catenary(&self, cable: CableId) -> Option<Catenary> {
        let cable = self.model.cables.get(cable)?;
        let hanging = self.model.hanging(self.state, cable, 0.0)?;
        Some(Catenary { hung: hanging.hung, ends: [0.0, 1.0].map(|part| hanging.at(part).0) })
    }

    /// What is inside a cable at each of its links, from start to end; nothing for a cable that is gone.
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

/// A catenary at the ends of its elements: its curvature is w H/T².
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
