//! Names → numbers read off the state without a solve: cheap enough for every frame of a live plot.
//!
//! ```text
//!  energy.(kinetic | potential | elastic | total)            from energies of the same state, which are given
//!  inputs.NAME, inputs.NAME.actual
//!  joints.NAME.K.(value | speed | effort)                    K counts from 1
//!  joints.NAME.(force | torque).(x | y | z)                  the reaction on its second body
//!  bodies.NAME.(position | velocity | angular_velocity | contact_force | contact_torque).(x | y | z), .speed
//!  cables.NAME.(length | max_curvature), of those with a route .(length | slack | paid_out)
//! ```
//!
//! The names are those of the probes. Velocities are those of the state: under `spook` they lag by half a step. Forces
//! are those of the last step; before the first there are none.

use super::cable::{CableQuantity, lines};
use super::coordinate::is_rotation;
use super::parse::quoted;
use super::rope::{RopeQuantity, Strung, strung};
use super::source::{CoordinateQuantity, input_unit};
use crate::pose::pose;
use windlass_engine::prelude::{BodyId, Energy, InputId, JointId};
use windlass_scene::{Built, CableRef};

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
    ContactForce(BodyId, usize),
    ContactTorque(BodyId, usize),
    Coordinate(JointId, usize, CoordinateQuantity),
    Force(JointId, usize),
    Torque(JointId, usize),
    Cable(CableRef, CableQuantity),
    Rope(Strung, RopeQuantity),
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

    /// The joints, dynamic bodies and cables of a scene.
    pub fn of_parts(built: &Built) -> Vec<StateProbe> {
        let mut list = of_joints(built);
        list.extend(of_bodies(built));
        list.extend(of_cables(built));
        list
    }

    /// Its present number; none if it no longer exists.
    pub fn read(&self, built: &Built, energy: &Energy) -> Option<f64> {
        let world = &built.world;
        let body = |id: BodyId| world.state().bodies.get(id.index());
        let contact = |id: BodyId| (world.state().step > 0).then(|| world.contact_load(id));
        match &self.source {
            Source::Energy(of) => Some(of(energy)),
            Source::Position(id, k) => Some(pose(built, *id).0[*k]),
            Source::Velocity(id, k) => body(*id).map(|b| b.velocity[*k]),
            Source::Speed(id) => body(*id).map(|b| b.velocity.length()),
            Source::AngularVelocity(id, k) => body(*id).map(|b| b.angular_velocity[*k]),
            Source::ContactForce(id, k) => contact(*id).map(|load| load.force[*k]),
            Source::ContactTorque(id, k) => contact(*id).map(|load| load.torque[*k]),
            Source::Coordinate(id, k, CoordinateQuantity::Value) => {
                world.state().joints.get(id.index()).and_then(|j| j.coordinates.get(*k)).copied()
            }
            Source::Coordinate(id, k, CoordinateQuantity::Speed) => world.coordinate_speed(*id, *k),
            Source::Coordinate(id, k, CoordinateQuantity::Effort) => world.last_effort(*id, *k),
            Source::Force(id, k) => world.last_reaction(*id, 1).map(|wrench| wrench.force[*k]),
            Source::Torque(id, k) => world.last_reaction(*id, 1).map(|wrench| wrench.torque[*k]),
            Source::Cable(cable, quantity) => quantity.of(*cable, world),
            Source::Rope(rope, quantity) => quantity.of(*rope, world),
            Source::Target(id) => world.input(*id).map(|i| i.target),
            Source::Actual(id) => world.input(*id).map(|i| i.actual),
        }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Coordinates with their rates and efforts, and reactions.
fn of_joints(built: &Built) -> Vec<StateProbe> {
    let mut list = Vec::new();
    let mut add = |name: String, unit, source| list.push(StateProbe { name, unit, source });
    for id in &built.joints {
        let Some(joint) = built.world.model().joints().get(*id) else { continue };
        let name = quoted(&joint.name);
        for k in 0..joint.constraint().axes().len() {
            use CoordinateQuantity::{Effort, Speed, Value};
            for (word, quantity) in [("value", Value), ("speed", Speed), ("effort", Effort)] {
                let unit = quantity.unit(is_rotation(&joint.kind, k));
                add(format!("joints.{name}.{}.{word}", k + 1), unit, Source::Coordinate(*id, k, quantity));
            }
        }
        for (k, axis) in AXES.iter().enumerate() {
            add(format!("joints.{name}.force.{axis}"), "N", Source::Force(*id, k));
            add(format!("joints.{name}.torque.{axis}"), "N*m", Source::Torque(*id, k));
        }
    }
    list
}

/// Motion and contact loads of the dynamic bodies.
fn of_bodies(built: &Built) -> Vec<StateProbe> {
    let mut list = Vec::new();
    let mut add = |name: String, unit, source| list.push(StateProbe { name, unit, source });
    let bodies = built.bodies.iter().filter_map(|id| Some((*id, built.world.model().bodies().get(*id)?)));
    for (id, body) in bodies.filter(|(_, body)| body.is_dynamic()) {
        let name = quoted(&body.name);
        for (k, axis) in AXES.iter().enumerate() {
            add(format!("bodies.{name}.position.{axis}"), "m", Source::Position(id, k));
            add(format!("bodies.{name}.velocity.{axis}"), "m/s", Source::Velocity(id, k));
            add(format!("bodies.{name}.angular_velocity.{axis}"), "rad/s", Source::AngularVelocity(id, k));
            add(format!("bodies.{name}.contact_force.{axis}"), "N", Source::ContactForce(id, k));
            add(format!("bodies.{name}.contact_torque.{axis}"), "N*m", Source::ContactTorque(id, k));
        }
        add(format!("bodies.{name}.speed"), "m/s", Source::Speed(id));
    }
    list
}

/// Lengths of cables and ropes.
fn of_cables(built: &Built) -> Vec<StateProbe> {
    let mut list = Vec::new();
    let mut add = |name: String, unit, source| list.push(StateProbe { name, unit, source });
    let routes: Vec<(Strung, &str)> = strung(&built.world).collect();
    for (cable, name) in lines(&built.world) {
        let curvature = Source::Cable(cable, CableQuantity::LargestCurvature);
        add(format!("cables.{}.max_curvature", quoted(name)), "1/m", curvature);
        // a cable with a route has the length of the route
        if routes.iter().all(|(_, routed)| *routed != name) {
            let length = Source::Cable(cable, CableQuantity::Length);
            add(format!("cables.{}.length", quoted(name)), "m", length);
        }
    }
    for (rope, name) in routes {
        for (word, quantity) in [
            ("length", RopeQuantity::Length),
            ("slack", RopeQuantity::Slack),
            ("paid_out", RopeQuantity::PaidOut),
        ] {
            add(format!("cables.{}.{word}", quoted(name)), "m", Source::Rope(rope, quantity));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "windlass = 2\n[settings]\ngravity = [0, 0, -10]\n\
        [bodies.ground]\ntype = \"static\"\nshape = { plane = {} }\n\
        [bodies.stone]\nposition = [0, 0, 0.5]\nmass = 3\nshape = { box = { size = [1, 1, 1] } }\n\
        [bodies.bob]\nposition = [5, 0, 3]\nmass = 2\nshape = { sphere = { radius = 0.1 } }\n\
        [joints.pin]\nhinge = { bodies = [\"ground\", \"bob\"], at = [5, 0, 4], axis = [0, 1, 0] }\n\
        [cables.line]\nsection = { diameter = 0.02, mass_per_length = 0.5, axial_stiffness = 1e6, bending_stiffness = 1 }\n\
        elements = 4\npath = [[0, 5, 3], [2, 5, 3]]\n";

    #[test]
    fn forces_and_lengths_of_a_scene_at_rest_are_those_of_statics() {
        let mut built =
            windlass_scene::parse(SCENE, "test").and_then(|scene| scene.build()).expect("a scene");
        let probes = StateProbe::of_parts(&built);
        let read = |built: &Built, name: &str| {
            let probe = probes.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no {name}"));
            probe.read(built, &Energy::default())
        };
        assert_eq!(read(&built, "joints.pin.force.z"), None, "there are no forces before the first step");
        for _ in 0..200 {
            assert!(built.world.step().fault.is_none());
        }
        let near = |name: &str, expected: f64, within: f64| {
            let got = read(&built, name).unwrap_or(f64::NAN);
            assert!((got - expected).abs() < within, "{name}: {got}, expected {expected}");
        };
        near("joints.pin.force.z", 20.0, 1e-6);
        near("joints.pin.1.effort", 0.0, 1e-9);
        near("joints.pin.1.speed", 0.0, 1e-9);
        // the contact settles within a few steps
        near("bodies.stone.contact_force.z", 30.0, 1e-3);
        near("bodies.stone.contact_torque.x", 0.0, 1e-3);
        near("cables.line.length", 2.0, 1e-3);
        let unit = |name: &str| probes.iter().find(|p| p.name == name).map(|p| p.unit);
        assert_eq!(unit("joints.pin.1.effort"), Some("N*m"));
        assert_eq!(unit("joints.pin.1.speed"), Some("rad/s"));
    }
}
