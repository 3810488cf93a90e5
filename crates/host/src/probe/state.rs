//! Names → numbers of the present state for live plots, which share one solve of the instant per frame.
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
//! Names and numbers are those of the probes: velocities, efforts and reactions of the instant, loads of contacts of the
//! last step.

use super::cable::{CableQuantity, lines};
use super::coordinate::is_rotation;
use super::indeterminate::Reaction;
use super::parse::quoted;
use super::rope::{RopeQuantity, Strung, strung};
use super::source::{CoordinateQuantity, input_unit};
use crate::pose::pose;
use windlass_engine::inspect::instant::Inspection;
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

/// A number of the present state.
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

    /// The reaction of which it is a part, if any.
    pub fn reaction(&self) -> Option<Reaction> {
        match self.source {
            Source::Force(joint, _) | Source::Torque(joint, _) => Some((joint, None)),
            Source::Coordinate(joint, k, CoordinateQuantity::Effort) => Some((joint, Some(k))),
            _ => None,
        }
    }

    /// Its number in the solve of an instant, whose energies are given; none if it no longer exists or does not need
    /// the solve.
    pub fn inspected(&self, now: &Inspection<'_>, energy: &Energy) -> Option<f64> {
        match &self.source {
            Source::Energy(of) => Some(of(energy)),
            Source::Velocity(id, k) => now.body(*id).map(|body| body.twist.velocity[*k]),
            Source::Speed(id) => now.body(*id).map(|body| body.twist.velocity.length()),
            Source::AngularVelocity(id, k) => now.body(*id).map(|body| body.twist.angular_velocity[*k]),
            Source::Coordinate(id, k, quantity) => now.coordinate(*id, *k).map(|c| match quantity {
                CoordinateQuantity::Value => c.value,
                CoordinateQuantity::Speed => c.speed,
                CoordinateQuantity::Effort => c.effort,
            }),
            Source::Force(id, k) => now.reaction(*id, 1).map(|wrench| wrench.force[*k]),
            Source::Torque(id, k) => now.reaction(*id, 1).map(|wrench| wrench.torque[*k]),
            _ => None,
        }
    }

    /// Its number in the state, if it needs no solve.
    pub fn read(&self, built: &Built) -> Option<f64> {
        let world = &built.world;
        let contact = |id: BodyId| (world.state().step > 0).then(|| world.contact_load(id));
        match &self.source {
            Source::Position(id, k) => Some(pose(built, *id).0[*k]),
            Source::ContactForce(id, k) => contact(*id).map(|load| load.force[*k]),
            Source::ContactTorque(id, k) => contact(*id).map(|load| load.torque[*k]),
            Source::Cable(cable, quantity) => quantity.of(*cable, world),
            Source::Rope(rope, quantity) => quantity.of(*rope, world),
            Source::Target(id) => world.input(*id).map(|i| i.target),
            Source::Actual(id) => world.input(*id).map(|i| i.actual),
            _ => None,
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
    use crate::probe::Outputs;

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
        let read = |built: &mut Built, name: &str| {
            let probe = probes.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no {name}"));
            let solved = probe.inspected(&built.world.inspect(), &Energy::default());
            solved.or_else(|| probe.read(built)).unwrap_or(f64::NAN)
        };
        assert!(read(&mut built, "bodies.stone.contact_force.z").is_nan(), "no step was taken");
        for _ in 0..200 {
            assert!(built.world.step().fault.is_none());
        }
        let mut near = |name: &str, expected: f64, within: f64| {
            let got = read(&mut built, name);
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

    /// A pendulum in motion: what a live plot shows is what a log has, bit for bit.
    #[test]
    fn numbers_are_those_of_a_log() {
        let scene = SCENE.replace("axis = [0, 1, 0]", "axis = [1, 0, 0]").replace("[5, 0, 3]", "[5, 1, 4]");
        let mut built =
            windlass_scene::parse(&scene, "test").and_then(|scene| scene.build()).expect("a scene");
        let probes = StateProbe::of_parts(&built);
        let mut compared = 0;
        for step in 0..50 {
            for probe in probes.iter().filter(|probe| probe.name.starts_with("joints.pin")) {
                let outputs = Outputs::parse(&[&probe.name], &built.world).expect("a probe of the same name");
                let mut logged = [f64::NAN];
                outputs.read(&mut built.world, None, 0, &mut logged);
                let shown = probe.inspected(&built.world.inspect(), &Energy::default());
                assert_eq!(shown.map(f64::to_bits), Some(logged[0].to_bits()), "{}, step {step}", probe.name);
                compared += usize::from(logged[0] != 0.0);
            }
            assert!(built.world.step().fault.is_none());
        }
        assert!(compared > 100, "{compared} numbers other than 0");
    }
}
