//! Drive trains on a bench: shafts on hinges in a fixed housing.

use crate::Trouble;
use crate::lab::{at, step};
use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_vehicle::driveline::{Brake, Component, ElectricMotor, Engine, Fuel, Memory, Starter};
use windlass_vehicle::{Shaft, Signal, Source, Table, Vehicle, Vehicles};

/// rpm → rad/s.
pub const RPM: f64 = std::f64::consts::PI / 30.0;

/// A bench on which shafts are mounted.
pub struct Bench {
    pub world: World,
    housing: BodyId,
    vehicle: Vehicle,
}

impl Bench {
    pub fn new(dt: f64) -> Result<Bench, Trouble> {
        let mut world = World::default();
        world.set(|s| s.dt = dt).map_err(Trouble::from)?;
        let housing =
            world.add_body(Body::fixed("housing"), DVec3::ZERO, DQuat::IDENTITY).map_err(Trouble::from)?;
        let vehicle = Vehicle {
            name: "bench".to_string(),
            chassis: housing,
            ahead: DVec3::X,
            shafts: Vec::new(),
            components: Vec::new(),
            circuits: Vec::new(),
            wheels: Vec::new(),
            steering: None,
            controls: Vec::new(),
            own_controls: Vec::new(),
        };
        Ok(Bench { world, housing, vehicle })
    }

    /// Mounts a shaft with a moment of inertia [kg·m²] that spins [rad/s].
    pub fn shaft(&mut self, inertia: f64, spin: f64) -> Result<usize, Trouble> {
        let number = self.vehicle.shafts.len();
        let (name, place) = (format!("shaft {number}"), DVec3::X * number as f64);
        let body = Body::dynamic(name.clone(), rotor(inertia, DVec3::Z));
        let body = self.world.add_body(body, place, DQuat::IDENTITY).map_err(Trouble::from)?;
        let turn = math::facing(DVec3::Z);
        let anchors = [Anchor::frame(self.housing, place, turn), Anchor::frame(body, DVec3::ZERO, turn)];
        let hinge = Joint::new(name.clone(), Hinge { anchors, axis: Axis::free() });
        self.world.add_joint(hinge).map_err(Trouble::from)?;
        self.world.set_velocity(body, DVec3::ZERO, DVec3::Z * spin).map_err(Trouble::from)?;
        self.vehicle.shafts.push(Shaft { name, body, axis: DVec3::Z, housing: self.housing });
        Ok(number)
    }

    /// Mounts a component.
    pub fn mount(&mut self, name: &str, component: Component) {
        self.vehicle.components.push((name.to_string(), component));
    }

    /// A load that opposes the rotation of a shaft with a torque [N·m].
    pub fn load(&mut self, shaft: usize, torque: f64) {
        let brake =
            Brake { shaft, torque: 0.0, parking: 0.0, drag: torque, lag: 0.0, anti_lock: None, disc: None };
        self.mount(&format!("load {shaft}"), Component::Brake(brake));
    }

    /// Holds a shaft at a speed: a motor with ample torque that drives against a brake.
    pub fn hold(&mut self, shaft: usize, speed: f64) {
        let motor = ElectricMotor {
            shaft,
            torque: 1e6,
            power: 1e12,
            limit: speed,
            steer: 0.0,
            traction_control: None,
        };
        self.mount(&format!("motor {shaft}"), Component::Motor(motor));
        self.load(shaft, 1e4);
    }

    /// Sets a signal.
    pub fn signal(&mut self, signal: Signal, value: f64) {
        self.vehicle.controls.retain(|(known, _)| *known != signal);
        self.vehicle.controls.push((signal, Source::Constant(value)));
    }

    /// Gives the vehicle to the world, with full throttle.
    pub fn start(&mut self) -> Result<(), Trouble> {
        self.signal(Signal::Throttle, 1.0);
        let edit = Vehicles::set(vec![self.vehicle.clone()]);
        self.world.edit_subsystem::<Vehicles>(edit).map(drop).map_err(Trouble::from)
    }

    /// Starts it and runs for a time [s].
    pub fn run(&mut self, seconds: f64) -> Result<(), Trouble> {
        self.start()?;
        let steps = libm::round(seconds / self.world.model().settings().dt) as usize;
        (0..steps).try_for_each(|_| step(&mut self.world).map(drop))
    }

    /// Speed of a shaft [rad/s].
    pub fn speed(&self, shaft: usize) -> f64 {
        at(&self.world, self.vehicle.shafts[shaft].body).angular_velocity.z
    }

    /// Memory of a component.
    pub fn memory(&self, name: &str) -> Result<Memory, Trouble> {
        memory(&self.world, name)
    }

    /// Torque of the load of a shaft [N·m].
    pub fn load_torque(&self, shaft: usize) -> Result<f64, Trouble> {
        Ok(libm::fabs(self.memory(&format!("load {shaft}"))?.torque[0]))
    }
}

/// Memory of a component of the first vehicle.
pub fn memory(world: &World, name: &str) -> Result<Memory, Trouble> {
    let found = Vehicles::of(world).and_then(|(vehicles, state)| {
        let place = vehicles.list[0].components.iter().position(|(known, _)| known == name)?;
        Some(state.0[0].components[place])
    });
    found.ok_or_else(|| Trouble::Failed(format!("there is no component {name}")))
}

/// Mass properties of a rotor of a moment of inertia about an axis [kg·m²]: the others as of a disc, the mass of a
/// radius of gyration of 0.1 m.
pub fn rotor(inertia: f64, axis: DVec3) -> Mass {
    let moments = DVec3::splat(0.6) + 0.4 * axis;
    Mass::principal(inertia / 0.01, DVec3::ZERO, moments * inertia, DQuat::IDENTITY)
}

/// A table of torques [N·m] over speeds [rpm].
pub fn torque_table(points: &[(f64, f64)]) -> Result<Table, Trouble> {
    let (speeds, torques): (Vec<f64>, Vec<f64>) = points.iter().map(|(n, t)| (n * RPM, *t)).unzip();
    Table::new(&speeds, &torques).map_err(Trouble::from)
}

/// An engine without drag and idle control. Its fuel of 1 kg/J counts its work.
pub fn engine(shaft: usize, full: Table, limit: f64) -> Component {
    Component::Engine(Engine {
        shaft,
        full,
        map: None,
        drag: Table::constant(0.0),
        idle: 0.0,
        limit,
        stall: 0.0,
        governor: None,
        throttle_lag: 0.0,
        starter: Starter { torque: 0.0, speed: 0.0 },
        fuel: Fuel { specific: 1.0, idle: 0.0 },
        traction_control: None,
        runs: true,
    })
}
