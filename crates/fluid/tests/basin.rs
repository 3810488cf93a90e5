//! Bodies in water, for the cases.

use crate::kit::Rig;
use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::{
    AddedMass, Drag, Fluid, Fluids, Hull, HullPart, HullShape, ImmersedBody, ImmersedCable, Layers,
};

/// Densities of the catalogue [kg/m³].
pub const FRESH: f64 = 1000.0;
pub const SEA: f64 = 1025.0;
pub const AIR: f64 = 1.225;

/// The steps at which every case is run.
pub const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// Fluids that are being filled with bodies.
pub struct Basin {
    pub fluids: Vec<Fluid>,
    pub bodies: Vec<ImmersedBody>,
    pub cables: Vec<ImmersedCable>,
}

/// Fluids that fill all space, or up to a level.
pub fn water(density: f64, level: Option<f64>) -> Basin {
    Basin { fluids: vec![Fluid::still("water", density, level)], bodies: Vec::new(), cables: Vec::new() }
}

/// The shape of a box.
pub fn cuboid(size: DVec3) -> HullShape {
    HullShape::Cuboid(size)
}

impl Basin {
    /// Adds a body with one part about its centre of mass, without drag and added mass.
    pub fn with(mut self, body: BodyId, shape: HullShape) -> Basin {
        let part = HullPart { position: DVec3::ZERO, orientation: DQuat::IDENTITY, shape };
        let hull = Hull::new(vec![part]).unwrap();
        let (drag, added_mass, damping) = (Drag::None, AddedMass::None, SpatialMatrix::ZERO);
        self.bodies.push(ImmersedBody { body, hull, drag, added_mass, damping, buoyancy: true });
        self
    }

    /// Moves the part of the body added last from its centre of mass.
    pub fn at(mut self, position: DVec3) -> Basin {
        let last = self.bodies.last_mut().unwrap();
        let part = HullPart { position, ..last.hull.parts()[0].clone() };
        last.hull = Hull::new(vec![part]).unwrap();
        self
    }

    /// Changes the body added last.
    pub fn set(mut self, change: impl FnOnce(&mut ImmersedBody)) -> Basin {
        change(self.bodies.last_mut().unwrap());
        self
    }

    /// Drag of the body added last: C A [m²].
    pub fn drag(self, area: f64) -> Basin {
        self.set(|body| body.drag = Drag::Quadratic { area })
    }

    /// Added mass of the body added last [kg, kg·m²], complete when it is half as deep as `fraction`.
    pub fn added(self, linear: DVec3, angular: DVec3, fraction: f64) -> Basin {
        let matrix = SpatialMatrix::from_diagonal(linear, angular);
        self.set(|body| body.added_mass = AddedMass::Given(matrix, fraction))
    }

    /// Gives them to a world.
    pub fn fill(mut self, rig: &mut Rig) {
        self.bodies.sort_by_key(|body| body.body.index());
        let fluids =
            Fluids { layers: Layers::new(self.fluids).unwrap(), bodies: self.bodies, cables: self.cables };
        rig.world.edit_subsystem::<Fluids>(fluids.set()).unwrap();
    }
}

/// Mass of a solid by its density.
pub fn solid(shape: &Shape, density: f64) -> Mass {
    Mass::of(shape, density).unwrap()
}

/// A guide along which a body slides without rotation.
pub fn guide(rig: &mut Rig, body: BodyId, at: DVec3, axis: DVec3) -> JointId {
    let anchors = rig.grips([rig.ground, body], at, math::facing(axis));
    rig.joint(Slider { anchors, axis: Axis::free() })
}

/// A body that may move in all directions but not rotate.
pub fn upright(rig: &mut Rig, body: BodyId, at: DVec3) -> JointId {
    let mut joint = SixDof::free(rig.grips([rig.ground, body], at, DQuat::IDENTITY));
    joint.axes[3..].iter_mut().for_each(|axis| *axis = Axis::driven(Drive::Lock(0.0)));
    rig.joint(joint)
}
