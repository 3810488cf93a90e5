//! Names → numbers read off the state and the last report, without a solve: cheap enough for every frame of a live plot.
//!
//! ```text
//!  energy.(kinetic | potential | elastic | total)            as the report of the last step has them
//!  inputs.NAME, inputs.NAME.actual
//!  joints.NAME.K.value                                       K counts from 1
//!  bodies.NAME.position.(x | y | z), .velocity.(x | y | z), .speed, .spin.(x | y | z)
//! ```
//!
//! The names are those of the probes. Velocities are those of the state: under `spook` they trail by half a step.

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
    Spin(BodyId, usize),
    Coordinate(JointId, usize),
    Wanted(InputId),
    Actual(InputId),
}

/// A number of the state.
#[derive(Clone, Debug)]
pub struct StateProbe {
    /// Its name.
    pub name: String,
    source: Source,
}

impl StateProbe {
    /// The energies and the inputs of a scene.
    pub fn of_whole(built: &Built) -> Vec<StateProbe> {
        let mut list = Vec::new();
        let mut add = |name: String, source| list.push(StateProbe { name, source });
        let energies: [(&str, OfEnergy); 4] = [
            ("kinetic", |e| e.kinetic),
            ("potential", |e| e.potential),
            ("elastic", |e| e.elastic),
            ("total", Energy::total),
        ];
        for (word, energy) in energies {
            add(format!("energy.{word}"), Source::Energy(energy));
        }
        for control in &built.controls {
            if let Some(id) = control.id {
                add(format!("inputs.{}", control.name), Source::Wanted(id));
                add(format!("inputs.{}.actual", control.name), Source::Actual(id));
            }
        }
        list
    }

    /// The coordinates of the joints and the motion of the free bodies of a scene.
    pub fn of_parts(built: &Built) -> Vec<StateProbe> {
        let model = built.world.model();
        let mut list = Vec::new();
        let mut add = |name: String, source| list.push(StateProbe { name, source });
        for id in &built.joints {
            let Some(joint) = model.joints().get(*id) else { continue };
            for k in 0..joint.constraint().axes().len() {
                add(format!("joints.{}.{}.value", joint.name, k + 1), Source::Coordinate(*id, k));
            }
        }
        let bodies = built.bodies.iter().filter_map(|id| Some((*id, model.bodies().get(*id)?)));
        for (id, body) in bodies.filter(|(_, body)| body.is_free()) {
            for (k, axis) in ["x", "y", "z"].iter().enumerate() {
                add(format!("bodies.{}.position.{axis}", body.name), Source::Position(id, k));
                add(format!("bodies.{}.velocity.{axis}", body.name), Source::Velocity(id, k));
                add(format!("bodies.{}.spin.{axis}", body.name), Source::Spin(id, k));
            }
            add(format!("bodies.{}.speed", body.name), Source::Speed(id));
        }
        list
    }

    /// Its number now; none if it does not exist any more.
    pub fn read(&self, built: &Built, energy: &Energy) -> Option<f64> {
        let world = &built.world;
        let body = |id: BodyId| world.state().bodies.get(id.index());
        match &self.source {
            Source::Energy(of) => Some(of(energy)),
            Source::Position(id, k) => Some(pose(built, *id).0[*k]),
            Source::Velocity(id, k) => body(*id).map(|b| b.velocity[*k]),
            Source::Speed(id) => body(*id).map(|b| b.velocity.length()),
            Source::Spin(id, k) => body(*id).map(|b| b.angular_velocity[*k]),
            Source::Coordinate(id, k) => {
                world.state().joints.get(id.index()).and_then(|j| j.coordinates.get(*k)).copied()
            }
            Source::Wanted(id) => world.input(*id).map(|i| i.wanted),
            Source::Actual(id) => world.input(*id).map(|i| i.actual),
        }
    }
}
