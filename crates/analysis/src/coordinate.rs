//! Coordinates of a machine: the position of a joint, or a displacement or rotation of a body.
//!
//!   c(q) value,   ċ = ∇c · v rate,   ∇c as blocks on bodies
//!
//! Coordinates of joints are those that probes read, so their names are probes. Displacements of bodies are those of
//! the centre of mass. Rotations of bodies are rotation vectors in world axes from a reference orientation; they have
//! a meaning for small rotations only, and are not probes.

use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::{JointId, JointKind, State, World};
use windlass_engine::row::rows::Rows;
use windlass_host::probe;

/// A coordinate of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// Name of its value: a probe, except for rotations of bodies.
    pub name: String,
    /// Name of its rate: a probe.
    pub rate: String,
    /// Unit of the value; that of the rate is the same per second.
    pub unit: &'static str,
    pub(crate) source: Source,
}

/// What a coordinate reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    /// Coordinate k of a joint.
    Joint(JointId, usize),
    /// Displacement of a body along an axis of the world.
    Displacement(usize, usize),
    /// Rotation of a body about an axis of the world.
    Rotation(usize, usize),
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// The coordinates of joints that have some: not those of cables and ropes, which describe their shape.
pub(crate) fn of_joints(world: &World) -> Vec<Coordinate> {
    let mut list = Vec::new();
    for (place, joint) in world.model().joints().iter() {
        let shape = matches!(joint.kind, JointKind::Link(_) | JointKind::Rope(_) | JointKind::Tether(_));
        let Some(id) = world.model().joints().id(place).filter(|_| !shape) else { continue };
        let name = probe::quoted(&joint.name);
        let count = world.state().joints[place].coordinates.len();
        for k in 0..count {
            let path = if k == 0 { format!("joints.{name}") } else { format!("joints.{name}.{}", k + 1) };
            let unit = if probe::is_rotation(&joint.kind, k) { "rad" } else { "m" };
            list.push(Coordinate {
                name: format!("{path}.value"),
                rate: format!("{path}.speed"),
                unit,
                source: Source::Joint(id, k),
            });
        }
    }
    list
}

/// The six coordinates of a body.
pub(crate) fn of_body(world: &World, place: usize) -> Vec<Coordinate> {
    let name = world.model().bodies().at(place).map_or_else(String::new, |body| probe::quoted(&body.name));
    let displacement = |axis: usize| Coordinate {
        name: format!("bodies.{name}.center_of_mass.{}", AXES[axis]),
        rate: format!("bodies.{name}.velocity.{}", AXES[axis]),
        unit: "m",
        source: Source::Displacement(place, axis),
    };
    let rotation = |axis: usize| Coordinate {
        name: format!("bodies.{name}.rotation.{}", AXES[axis]),
        rate: format!("bodies.{name}.angular_velocity.{}", AXES[axis]),
        unit: "rad",
        source: Source::Rotation(place, axis),
    };
    (0..3).map(displacement).chain((0..3).map(rotation)).collect()
}

impl Coordinate {
    /// Its gradient as (body, linear, angular), from the rows of a solve of the state. None for a joint without rows.
    pub(crate) fn gradient(&self, rows: &Rows) -> Option<Vec<(usize, DVec3, DVec3)>> {
        match self.source {
            Source::Displacement(place, axis) => Some(vec![(place, DVec3::AXES[axis], DVec3::ZERO)]),
            Source::Rotation(place, axis) => Some(vec![(place, DVec3::ZERO, DVec3::AXES[axis])]),
            Source::Joint(id, k) => {
                let group = rows.groups.iter().find(|group| group.joint() == Some(id.index()))?;
                let index = group.coordinates().nth(k)?;
                let blocks = rows.rates[index].iter();
                Some(blocks.map(|block| (block.body as usize, block.linear, block.angular)).collect())
            }
        }
    }

    /// Its value at the present state; rotations of bodies relative to a reference state.
    pub(crate) fn value(&self, world: &World, reference: &State) -> f64 {
        let bodies = &world.state().bodies;
        match self.source {
            Source::Joint(id, k) => world.coordinate(id, k).unwrap_or(f64::NAN),
            Source::Displacement(place, axis) => bodies[place].position[axis],
            Source::Rotation(place, axis) => {
                let from: DQuat = reference.bodies[place].orientation;
                math::log(bodies[place].orientation * from.inverse())[axis]
            }
        }
    }

    /// Its rate for the velocities of the state, with the rows of the present positions.
    pub(crate) fn rate_of(&self, world: &World) -> f64 {
        let state = world.state();
        match self.source {
            Source::Joint(id, k) => world.coordinate_speed(id, k).unwrap_or(f64::NAN),
            Source::Displacement(place, axis) => state.bodies[place].velocity[axis],
            Source::Rotation(place, axis) => state.bodies[place].angular_velocity[axis],
        }
    }
}
