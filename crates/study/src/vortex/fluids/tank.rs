//! One body in still fresh water → a world in which it is free, kept from rotating, or hinged.

use crate::Trouble;
use crate::lab::step;
use glam::{DQuat, DVec3};
use windlass_engine::inspect::instant::BodyInstant;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::{
    Action, AddedMass, Drag, Fluid, Fluids, Hull, HullPart, HullShape, ImmersedBody, Layers,
};

/// Gravity [m/s²] and density of the water [kg/m³].
pub const GRAVITY: f64 = 9.81;
pub const WATER: f64 = 1000.0;

/// How a body is held.
#[derive(Clone, Copy, Debug)]
pub enum Support {
    /// Not at all.
    Free,
    /// It translates and does not rotate.
    Translating,
    /// It rotates about an axis through its centre of mass.
    Hinged(DVec3),
}

/// A body in water, at rest about the origin unless set otherwise.
#[derive(Clone, Debug)]
pub struct Immersed {
    pub mass: Mass,
    pub shape: HullShape,
    pub position: DVec3,
    pub orientation: DQuat,
    pub velocity: DVec3,
    pub angular_velocity: DVec3,
    /// Acceleration of gravity, downward [m/s²].
    pub gravity: f64,
    /// Level of the surface [m]; none for unbounded water.
    pub level: Option<f64>,
    pub drag: Drag,
    pub added_mass: AddedMass,
    pub support: Support,
}

impl Immersed {
    pub fn new(mass: Mass, shape: HullShape) -> Immersed {
        Immersed {
            mass,
            shape,
            position: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            gravity: GRAVITY,
            level: None,
            drag: Drag::None,
            added_mass: AddedMass::None,
            support: Support::Free,
        }
    }

    /// A sphere of a radius [m] and a density [kg/m³].
    pub fn sphere(radius: f64, density: f64) -> Result<Immersed, Trouble> {
        let mass = Mass::of(&Shape::Sphere { radius }, density).map_err(Trouble::from)?;
        Ok(Immersed::new(mass, HullShape::Sphere(radius)))
    }

    /// A box with these edges [m] and a density [kg/m³].
    pub fn cuboid(size: DVec3, density: f64) -> Result<Immersed, Trouble> {
        let mass = Mass::of(&Shape::Box { half: 0.5 * size }, density).map_err(Trouble::from)?;
        Ok(Immersed::new(mass, HullShape::Cuboid(size)))
    }

    /// Changes it.
    pub fn with(mut self, change: impl FnOnce(&mut Immersed)) -> Immersed {
        change(&mut self);
        self
    }

    /// The world with this body.
    pub fn build(&self, dt: f64) -> Result<Tank, Trouble> {
        let mut world = World::default();
        world.set(|s| (s.dt, s.gravity) = (dt, DVec3::NEG_Z * self.gravity)).map_err(Trouble::from)?;
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY);
        let ground = ground.map_err(Trouble::from)?;
        let body = Body::dynamic("body", self.mass);
        let body = world.add_body(body, self.position, self.orientation).map_err(Trouble::from)?;
        self.hold(&mut world, [ground, body])?;
        world.set_velocity(body, self.velocity, self.angular_velocity).map_err(Trouble::from)?;
        let part =
            HullPart { position: DVec3::ZERO, orientation: DQuat::IDENTITY, shape: self.shape.clone() };
        let hull =
            Hull::new(vec![part]).ok_or_else(|| Trouble::Failed("a hull without volume".to_string()))?;
        let immersed = ImmersedBody {
            body,
            hull,
            drag: self.drag,
            added_mass: self.added_mass.clone(),
            damping: SpatialMatrix::ZERO,
            buoyancy: true,
        };
        let layers = Layers::new(vec![Fluid::still("water", WATER, self.level)]);
        let layers = layers.map_err(|(fluid, problem)| Trouble::Failed(format!("{fluid}: {problem}")))?;
        let fluids = Fluids { layers, bodies: vec![immersed], cables: Vec::new() };
        world.edit_subsystem::<Fluids>(fluids.set()).map_err(Trouble::from)?;
        Ok(Tank { world, body })
    }

    fn hold(&self, world: &mut World, bodies: [BodyId; 2]) -> Result<(), Trouble> {
        let back = self.orientation.inverse();
        let grips = |turn: DQuat| {
            [
                Anchor::frame(bodies[0], self.position, turn),
                Anchor::frame(bodies[1], self.mass.center, back * turn),
            ]
        };
        let joint = match self.support {
            Support::Free => return Ok(()),
            Support::Translating => {
                let mut joint = SixDof::free(grips(DQuat::IDENTITY));
                joint.axes[3..].iter_mut().for_each(|axis| *axis = Axis::driven(Drive::Lock(0.0)));
                Joint::new("guide", joint)
            }
            Support::Hinged(about) => {
                Joint::new("hinge", Hinge { anchors: grips(math::facing(about)), axis: Axis::free() })
            }
        };
        world.add_joint(joint).map(drop).map_err(Trouble::from)
    }
}

/// The world of a body in water.
pub struct Tank {
    pub world: World,
    pub body: BodyId,
}

impl Tank {
    /// Runs for a time [s].
    pub fn run(&mut self, seconds: f64) -> Result<(), Trouble> {
        let steps = libm::round(seconds / self.world.model().settings().dt) as usize;
        (0..steps).try_for_each(|_| step(&mut self.world).map(drop))
    }

    /// The same; keeps a value of the start and of the end of each step, with its time.
    pub fn trace<T>(
        &mut self,
        seconds: f64,
        mut value: impl FnMut(&BodyInstant) -> T,
    ) -> Result<Vec<(f64, T)>, Trouble> {
        let dt = self.world.model().settings().dt;
        let steps = libm::round(seconds / dt) as usize;
        let mut trace = vec![(0.0, value(&self.now()?))];
        for k in 1..=steps {
            step(&mut self.world)?;
            trace.push((k as f64 * dt, value(&self.now()?)));
        }
        Ok(trace)
    }

    /// The body at the present instant.
    pub fn now(&mut self) -> Result<BodyInstant, Trouble> {
        let found = self.world.inspect().body(self.body);
        found.ok_or_else(|| Trouble::Failed("the body is gone".to_string()))
    }

    /// What the water does to the body at the present instant.
    pub fn action(&self) -> Result<Action, Trouble> {
        Fluids::action(&self.world, self.body).ok_or_else(|| Trouble::Failed("the body is dry".to_string()))
    }
}
