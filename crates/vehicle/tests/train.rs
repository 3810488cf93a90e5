//! Drive trains on a bench: shafts on hinges in a fixed housing.

use crate::kit::Rig;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_vehicle::driveline::{Brake, Component, Engine, Fuel, Memory, Starter};
use windlass_vehicle::{Shaft, Signal, Source, Table, Vehicle, Vehicles};

/// The steps at which every case is run.
pub const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// rpm → rad/s.
pub fn rpm(speed: f64) -> f64 {
    speed * std::f64::consts::PI / 30.0
}

/// rad/s → rpm.
pub fn to_rpm(speed: f64) -> f64 {
    speed / rpm(1.0)
}

/// A bench on which shafts are mounted.
pub struct Bench {
    pub rig: Rig,
    pub vehicle: Vehicle,
    initial: Vec<f64>,
}

impl Bench {
    pub fn new(dt: f64) -> Bench {
        let rig = Rig::new(dt, Integrator::Spook);
        let vehicle = Vehicle {
            name: "bench".into(),
            chassis: rig.ground,
            ahead: DVec3::X,
            shafts: Vec::new(),
            components: Vec::new(),
            circuits: Vec::new(),
            wheels: Vec::new(),
            steering: None,
            controls: Vec::new(),
            own_controls: Vec::new(),
        };
        Bench { rig, vehicle, initial: Vec::new() }
    }

    /// Mounts a shaft with a moment of inertia [kg·m²], which spins at the start [rad/s].
    pub fn shaft(&mut self, inertia: f64, spin: f64) -> usize {
        let number = self.vehicle.shafts.len();
        let (name, at) = (format!("shaft {number}"), DVec3::X * number as f64);
        let moments = DVec3::new(0.6, 0.6, 1.0) * inertia;
        let mass = Mass::principal(inertia / 0.01, DVec3::ZERO, moments, DQuat::IDENTITY);
        let body = self.rig.body(&name, mass, at);
        self.rig.hinge([self.rig.ground, body], at, DVec3::Z);
        self.vehicle.shafts.push(Shaft { name, body, axis: DVec3::Z, housing: self.rig.ground });
        self.initial.push(spin);
        number
    }

    /// Mounts a component.
    pub fn mount(&mut self, name: &str, component: Component) {
        self.vehicle.components.push((name.into(), component));
    }

    /// A load that opposes the rotation of a shaft with a torque [N·m].
    pub fn load(&mut self, shaft: usize, torque: f64) {
        let brake =
            Brake { shaft, torque: 0.0, parking: 0.0, drag: torque, lag: 0.0, anti_lock: None, disc: None };
        self.mount(&format!("load {shaft}"), Component::Brake(brake));
    }

    /// Sets a signal.
    pub fn signal(&mut self, signal: Signal, value: f64) {
        self.vehicle.controls.retain(|(known, _)| *known != signal);
        self.vehicle.controls.push((signal, Source::Constant(value)));
    }

    /// Gives the vehicle to the world, and its shafts their spins.
    pub fn start(&mut self) {
        for (shaft, spin) in self.vehicle.shafts.iter().zip(&self.initial) {
            self.rig.world.set_velocity(shaft.body, DVec3::ZERO, DVec3::Z * *spin).unwrap();
        }
        self.apply();
    }

    /// Gives the vehicle to the world; it keeps its state.
    pub fn apply(&mut self) {
        let edit = Vehicles::set(vec![self.vehicle.clone()]);
        self.rig.world.edit_subsystem::<Vehicles>(edit).unwrap();
    }

    pub fn body(&self, shaft: usize) -> BodyId {
        self.vehicle.shafts[shaft].body
    }

    pub fn speed(&self, shaft: usize) -> f64 {
        spin(&self.rig.world, self.body(shaft))
    }

    /// Runs for a time [s]; the memory of a component and the speeds of two shafts at the start and after each step.
    pub fn watch(&mut self, seconds: f64, name: &str, shafts: [usize; 2]) -> Vec<(Memory, [f64; 2])> {
        let bodies = shafts.map(|shaft| self.body(shaft));
        let see = |world: &mut World| (memory(world, name), bodies.map(|body| spin(world, body)));
        self.rig.trace(seconds, see).into_iter().map(|(_, seen)| seen).collect()
    }
}

/// Spin of a body about z.
pub fn spin(world: &World, body: BodyId) -> f64 {
    world.state().bodies[body.index()].angular_velocity.z
}

/// Memory of a component of the first vehicle.
pub fn memory(world: &World, name: &str) -> Memory {
    let (vehicles, state) = Vehicles::of(world).unwrap();
    let at = vehicles.list[0].components.iter().position(|(known, _)| known == name).unwrap();
    state.0[0].components[at]
}

/// An engine without drag and idle control.
pub fn engine(shaft: usize, full: Table, limit: f64) -> Engine {
    Engine {
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
        fuel: Fuel { specific: 0.0, idle: 0.0 },
        traction_control: None,
        runs: true,
    }
}

/// The full-load curve of VH13 and VH16.
pub fn petrol() -> Table {
    let speeds = [1000.0, 2000.0, 3000.0, 4000.0, 5000.0, 6000.0, 6500.0].map(rpm);
    Table::new(&speeds, &[140.0, 180.0, 195.0, 200.0, 190.0, 165.0, 140.0]).unwrap()
}
