//! Names → numbers read off the state and the last report, without a solve: cheap enough for every frame of a live
//! plot.
//!
//! ```text
//!  energy.(kinetic | potential | elastic | total)            those given, of the same state
//!  inputs.NAME, inputs.NAME.actual
//!  joints.NAME.K.value                                       K counts from 1
//!  bodies.NAME.position.(x | y | z), .velocity.(x | y | z), .speed, .angular_velocity.(x | y | z)
//! ```
//!
//! The names are those of the probes. Velocities are those of the state: under `spook` they lag by half a step.

use super::coordinate::is_rotation;
use super::parse::quoted;
use super::source::{CoordinateQuantity, input_unit};
use crate::pose::pose;
use windlass_engine::prelude::{BodyId, Energy, InputId, JointId};
use windlass_scene::Built;

/// One of the energies.
type OfEnergy = fn(&Energy) -> f64;

/// Where a number comes from.
#[derive(Clone, Debug)]
enum Source {
    Energy(OfEnergy),
    Position(BodyId, usize),
    Velocity(BodyId, usize),
    Speed(BodyId),
    AngularVelocity(BodyId, usize),
    Coordinate(JointId, usize),
    Target(InputId),
    Actual(InputId),
}

/// A number of the state.
#[derive(Clone, Debug)]
pub struct StateProbe {
    /// Its name.
    pub name: String,
    /// In ASCII, as scene files have it: "m/s".
    pub unit: &'static str,
    source: Source,
}

impl StateProbe {
    /// The energies and the inputs of a scene.
    pub fn of_whole(built: &Built) -> Vec<StateProbe> {
        let mut list = Vec::new();
        let mut add = |name: String, unit, source| list.push(StateProbe { name, unit, source });
        let energies: [(&str, OfEnergy); 4] = [
            ("kinetic", |e| e.kinetic),
            ("potential", |e| e.potential),
            ("elastic", |e| e.elastic),
            ("total", Energy::total),
        ];
        for (word, energy) in energies {
            add(format!("energy.{word}"), "J", Source::Energy(energy));
        }
        for control in &built.controls {
            if let Some(id) = control.id {
                let (name, unit) = (quoted(&control.name), input_unit(&built.world, id));
                add(format!("inputs.{name}"), unit, Source::Target(id));
                add(format!("inputs.{name}.actual"), unit, Source::Actual(id));
            }
        }
        list
    }

    /// The coordinates of the joints and the motion of the dynamic bodies of a scene.
    pub fn of_parts(built: &Built) -> Vec<StateProbe> {
        let model = built.world.model();
        let mut list = Vec::new();
        let mut add = |name: String, unit, source| list.push(StateProbe { name, unit, source });
        for id in &built.joints {
            let Some(joint) = model.joints().get(*id) else { continue };
            let name = quoted(&joint.name);
            for k in 0..joint.constraint().axes().len() {
                let unit = CoordinateQuantity::Value.unit(is_rotation(&joint.kind, k));
                add(format!("joints.{name}.{}.value", k + 1), unit, Source::Coordinate(*id, k));
            }
        }
        let bodies = built.bodies.iter().filter_map(|id| Some((*id, model.bodies().get(*id)?)));
        for (id, body) in bodies.filter(|(_, body)| body.is_dynamic()) {
            let name = quoted(&body.name);
            for (k, axis) in ["x", "y", "z"].iter().enumerate() {
                add(format!("bodies.{name}.position.{axis}"), "m", Source::Position(id, k));
                add(format!("bodies.{name}.velocity.{axis}"), "m/s", Source::Velocity(id, k));
                add(
                    format!("bodies.{name}.angular_velocity.{axis}"),
                    "rad/s",
                    Source::AngularVelocity(id, k),
                );
            }
            add(format!("bodies.{name}.speed"), "m/s", Source::Speed(id));
        }
        list
    }

    /// Its present number; none if it no longer exists.
    pub fn read(&self, built: &Built, energy: &Energy) -> Option<f64> {
        let world = &built.world;
        let body = |id: BodyId| world.state().bodies.get(id.index());
        match &self.source {
            Source::Energy(of) => Some(of(energy)),
            Source::Position(id, k) => Some(pose(built, *id).0[*k]),
            Source::Velocity(id, k) => body(*id).map(|b| b.velocity[*k]),
            Source::Speed(id) => body(*id).map(|b| b.velocity.length()),
            Source::AngularVelocity(id, k) => body(*id).map(|b| b.angular_velocity[*k]),
            Source::Coordinate(id, k) => {
                world.state().joints.get(id.index()).and_then(|j| j.coordinates.get(*k)).copied()
            }
            Source::Target(id) => world.input(*id).map(|i| i.target),
            Source::Actual(id) => world.input(*id).map(|i| i.actual),
        }
    }
}
