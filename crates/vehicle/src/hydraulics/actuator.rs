//! Actuators: a cylinder between two points, or a motor on a shaft → coordinate, Jacobian blocks and areas.
//!
//! ```text
//! cylinder   x = |p_b − p_a|    areas of the piston and rod sides [m²]      force = p_A A_A − p_B A_B
//! motor      x = angle          V/2π on both sides [m³/rad]                 torque = Δp V/2π
//! ```
//!
//! A cushion lets the piston approach the end of the stroke with the constant deceleration of an ideal orifice:
//! |ẋ| ≤ v √(s/s_c) for a remaining stroke s below s_c, with v the speed at rated flow. It never pushes back.

use crate::shaft::Spin;
use std::f64::consts::TAU;
use windlass_engine::prelude::{Anchor, BodyId, JacobianBlock, Row, View};

/// What a section moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Actuator {
    /// A double-acting cylinder.
    Cylinder(Cylinder),
    /// A hydraulic motor.
    Motor {
        /// Its shaft.
        shaft: usize,
        /// Displacement per revolution of this shaft [m³].
        displacement: f64,
    },
}

/// A double-acting cylinder between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Cylinder {
    /// The points: barrel and rod.
    pub anchors: [Anchor; 2],
    /// Areas of the piston side, which extends it, and of the rod side [m²].
    pub areas: [f64; 2],
    /// Smallest and largest distance of the points [m].
    pub stroke: [f64; 2],
    /// Length of the cushions at both ends [m]; 0 for a hard stop.
    pub cushion: f64,
}

impl Cylinder {
    /// Areas of a piston with a rod on one side, by their diameters [m].
    pub fn areas(bore: f64, rod: f64) -> [f64; 2] {
        [bore * bore, bore * bore - rod * rod].map(|square| square * TAU / 8.0)
    }

    /// The row of an end at a remaining stroke, in a step of length h.
    fn end(&self, left: f64, speed: f64, h: f64) -> Row {
        let limit = if left < self.cushion && left > 0.0 {
            left.min(h * speed * (left / self.cushion).sqrt())
        } else {
            left
        };
        Row::push(limit)
    }
}

/// Its coordinate [m or rad] and the Jacobian blocks of its rate. A motor has no absolute angle: its coordinate is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinate {
    pub value: f64,
    pub blocks: [JacobianBlock; 2],
}

impl Actuator {
    /// Its bodies, other than those of shafts.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        let anchors = match self {
            Actuator::Cylinder(cylinder) => Some(cylinder.anchors.map(|anchor| anchor.body)),
            Actuator::Motor { .. } => None,
        };
        anchors.into_iter().flatten()
    }

    /// Volume per displacement of sides A and B [m² or m³/rad].
    pub fn areas(&self) -> [f64; 2] {
        match self {
            Actuator::Cylinder(cylinder) => cylinder.areas,
            Actuator::Motor { displacement, .. } => [displacement / TAU; 2],
        }
    }

    /// Volume per displacement of the side that drives in a direction [m² or m³/rad].
    pub(crate) fn area(&self, direction: f64) -> f64 {
        let [a, b] = self.areas();
        if direction < 0.0 { b } else { a }
    }

    pub(crate) fn coordinate(&self, view: &View<'_>, spins: &[Spin]) -> Coordinate {
        match self {
            Actuator::Cylinder(cylinder) => {
                let [a, b] = cylinder.anchors.map(|anchor| view.bodies.frame(&anchor));
                let d = b.at - a.at;
                let value = d.length();
                // coincident points define no direction: any one separates them
                let u = if value > 1e-12 { d / value } else { glam::DVec3::Z };
                Coordinate { value, blocks: [a.push(-u), b.push(u)] }
            }
            Actuator::Motor { shaft, .. } => Coordinate { value: 0.0, blocks: spins[*shaft].blocks(1.0) },
        }
    }

    /// Rows of the ends of its stroke, with the sign of their rate; `flow` is the rated flow [m³/s].
    pub(crate) fn ends(&self, value: f64, flow: f64, h: f64) -> impl Iterator<Item = (Row, f64)> {
        let both = match self {
            Actuator::Cylinder(cylinder) => {
                let ([a, b], [low, high]) = (cylinder.areas, cylinder.stroke);
                Some([
                    (cylinder.end(value - low, flow / b, h), 1.0),
                    (cylinder.end(high - value, flow / a, h), -1.0),
                ])
            }
            Actuator::Motor { .. } => None,
        };
        both.into_iter().flatten()
    }

    /// Number of the rows of its ends.
    pub(crate) fn end_count(&self) -> usize {
        match self {
            Actuator::Cylinder(_) => 2,
            Actuator::Motor { .. } => 0,
        }
    }
}
