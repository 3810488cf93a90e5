//! Names → numbers of the present state, for plots. The names are those of `windlass run --log`, as far as they need no solve:
//!
//! ```text
//!  energy.(kinetic | potential | elastic | total)            as the last step has them
//!  bodies.NAME.position.(x | y | z), .velocity.(x | y | z), .speed, .spin.(x | y | z)
//!  joints.NAME.K.value                                       K counts from 1
//!  cables.NAME.tension                                       the largest along it; also of ropes and rods
//!  inputs.NAME, inputs.NAME.actual
//! ```
//!
//! Velocities are those of the state: under `spook` half a step old.

use crate::line::Line;
use crate::machine::{Machine, pose};
use windlass_engine::prelude::{BodyId, Energy, InputId, JointId};

/// Names that are offered at most.
const MOST_NAMES: usize = 20_000;
/// Probes that one client may have.
pub const MOST: usize = 64;

/// Where a number comes from.
#[derive(Clone, Debug)]
enum Source {
    Energy(fn(&Energy) -> f64),
    Position(BodyId, usize),
    Velocity(BodyId, usize),
    Speed(BodyId),
    Spin(BodyId, usize),
    Coordinate(JointId, usize),
    Tension(u32),
    Wanted(InputId),
    Actual(InputId),
}

/// A number that can be asked for.
#[derive(Clone, Debug)]
pub struct Probe {
    /// What it is called.
    pub name: String,
    source: Source,
}

/// All that can be asked of a machine.
pub fn catalogue(machine: &Machine, lines: &[Line]) -> Vec<Probe> {
    let model = machine.built.world.model();
    let mut list = Vec::new();
    let mut add = |name: String, source| list.push(Probe { name, source });
    let energies: [(&str, fn(&Energy) -> f64); 4] = [
        ("kinetic", |e| e.kinetic),
        ("potential", |e| e.potential),
        ("elastic", |e| e.elastic),
        ("total", Energy::total),
    ];
    for (word, energy) in energies {
        add(format!("energy.{word}"), Source::Energy(energy));
    }
    for control in &machine.built.controls {
        if let Some(id) = control.id {
            add(format!("inputs.{}", control.name), Source::Wanted(id));
            add(format!("inputs.{}.actual", control.name), Source::Actual(id));
        }
    }
    for line in lines {
        add(format!("cables.{}.tension", line.look.name), Source::Tension(line.look.id));
    }
    for id in &machine.built.joints {
        let Some(joint) = model.joints().get(*id) else { continue };
        for k in 0..joint.constraint().axes().len() {
            add(format!("joints.{}.{}.value", joint.name, k + 1), Source::Coordinate(*id, k));
        }
    }
    let moving = machine.built.bodies.iter().filter_map(|id| Some((*id, model.bodies().get(*id)?)));
    for (id, body) in moving.filter(|(_, body)| body.is_free()) {
        for (k, axis) in ["x", "y", "z"].iter().enumerate() {
            add(format!("bodies.{}.position.{axis}", body.name), Source::Position(id, k));
            add(format!("bodies.{}.velocity.{axis}", body.name), Source::Velocity(id, k));
            add(format!("bodies.{}.spin.{axis}", body.name), Source::Spin(id, k));
        }
        add(format!("bodies.{}.speed", body.name), Source::Speed(id));
    }
    list.truncate(MOST_NAMES);
    list
}

impl Probe {
    /// Its number now; NaN if it has none.
    pub fn read(&self, machine: &Machine, lines: &[Line], energy: &Energy) -> f64 {
        let world = &machine.built.world;
        let body = |id: BodyId| world.state().bodies.get(id.index());
        let input = |id: InputId| world.input(id);
        let read = match &self.source {
            Source::Energy(of) => Some(of(energy)),
            Source::Position(id, k) => Some(pose(&machine.built, *id).0[*k]),
            Source::Velocity(id, k) => body(*id).map(|b| b.velocity[*k]),
            Source::Speed(id) => body(*id).map(|b| b.velocity.length()),
            Source::Spin(id, k) => body(*id).map(|b| b.spin[*k]),
            Source::Coordinate(id, k) => {
                world.state().joints.get(id.index()).and_then(|j| j.coordinates.get(*k)).copied()
            }
            Source::Tension(id) => lines.get(*id as usize).and_then(|line| {
                let tensions = line.pieces(world).into_iter().flatten().map(|p| p.1);
                tensions.reduce(f64::max)
            }),
            Source::Wanted(id) => input(*id).map(|i| i.wanted),
            Source::Actual(id) => input(*id).map(|i| i.actual),
        };
        read.unwrap_or(f64::NAN)
    }
}
