//! Winches that cannot hold the initial tension of their ropes.
//!
//! ```text
//!  |Σ ± T r| > M + M_friction        M: torque of the brake, or of the motor where there is none
//! ```
//!
//! T is the tension of a rope at the drum at the start, r the radius of the layer from which it leaves. Ropes of the
//! opposite direction count negative. A drum that gears or other couplings hold as well is not judged.

use super::Built;
use crate::suggestion::digits;
use schemars::JsonSchema;
use serde::Serialize;
use std::f64::consts::TAU;
use windlass_engine::prelude::{BodyId, Drive, Hinge, JointKind, RopeReading, RoutePoint};

/// A warning about a winch.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct WinchWarning {
    /// The winch, or the hinge of a body used as a drum.
    pub name: String,
    /// Torque with which it holds its drum [N*m].
    pub holds: f64,
    /// Torque of the initial tension of its ropes [N*m].
    pub needed: f64,
    /// The problem and its remedy.
    pub warning: String,
}

/// Round-off of a torque that is exactly held.
const ROUND_OFF: f64 = 1e-9;

impl Built {
    /// The winches that cannot hold the initial tension of their ropes; for a world at its start.
    pub fn winch_warnings(&self) -> Vec<WinchWarning> {
        let model = self.world.model();
        let hinges = model.joints().iter().filter_map(|(_, joint)| match &joint.kind {
            JointKind::Hinge(hinge) => Some((joint.name.as_str(), hinge)),
            _ => None,
        });
        hinges.filter_map(|(name, hinge)| self.slips(name, hinge)).collect()
    }

    fn slips(&self, name: &str, hinge: &Hinge) -> Option<WinchWarning> {
        let Drive::Speed { force, brake, .. } = hinge.axis.drive else { return None };
        let holds = brake.unwrap_or(force) + hinge.axis.friction;
        let (needed, ropes) = self.torque_of_ropes(hinge)?;
        let needed = needed.abs();
        if !(needed > holds * (1.0 + ROUND_OFF)) {
            return None;
        }
        let (what, remedy) = match brake {
            Some(_) => ("brake", "give a stronger `brake`"),
            None => ("motor, which has no brake,", "give the `motor` more `torque`, or a `brake`"),
        };
        let ropes = ropes.join("\", \"");
        let warning = format!(
            "its {what} holds {} N*m, but the initial tension of cable \"{ropes}\" needs {} N*m, so that the drum slips: \
             {remedy}, or correct the tension",
            digits(holds),
            digits(needed)
        );
        Some(WinchWarning { name: name.to_string(), holds, needed, warning })
    }

    /// The torque of all ropes on the drum of a hinge about its axis, and their names; none for a drum without ropes or
    /// with other couplings.
    fn torque_of_ropes(&self, hinge: &Hinge) -> Option<(f64, Vec<&str>)> {
        let (model, state) = (self.world.model(), self.world.state());
        let drum = hinge.anchors[1].body;
        let is_on = |k: &JointKind| matches!(k, JointKind::LinearCoupling(c) if c.anchors.iter().any(|a| a.body == drum));
        if model.joints().iter().any(|(_, joint)| is_on(&joint.kind)) {
            return None;
        }
        let axis = model.frame(state, &hinge.anchors[1]).z();
        let (mut torque, mut names) = (0.0, Vec::new());
        for own in &self.ropes {
            for (id, sense) in [(own.ropes.first(), 1.0), (own.ropes.last(), -1.0)] {
                let (Some(joint), Some(reading)) =
                    (id.and_then(|id| model.joints().get(*id)), id.and_then(|id| self.world.rope(*id)))
                else {
                    continue;
                };
                let JointKind::Rope(rope) = &joint.kind else { continue };
                let (run, k) =
                    if sense > 0.0 { (0, 0) } else { (reading.lengths.len() - 1, rope.vias.len() - 1) };
                let (via, anchor) = (&rope.vias[k], &rope.anchors[k]);
                if !is_drum(drum, anchor.body, via) {
                    continue;
                }
                // along the rope from its start the drum is pulled forward at the start, backward at the end
                let turn = sense * via.side * axis.dot(model.frame(state, anchor).z()).signum();
                let radius = via.winding.map_or(via.radius, |winding| {
                    via.radius_at((reading.wound[usize::from(k > 0)] - winding.wound) * TAU)
                });
                torque += turn * radius * tension(&reading, run, rope.stiffness);
                names.push(own.name.as_str());
            }
        }
        (!names.is_empty()).then_some((torque, names))
    }
}

fn is_drum(drum: BodyId, body: BodyId, via: &RoutePoint) -> bool {
    body == drum && via.radius > 0.0
}

/// The tension of a run by its stretch [N].
fn tension(reading: &RopeReading, run: usize, stiffness: f64) -> f64 {
    let (way, slack) = (reading.lengths[run], reading.slack[run]);
    (-slack * stiffness / (way + slack)).max(0.0)
}
