//! Vehicles on a level road, for the cases: a chassis on wheels with or without suspension.

use crate::kit::{G, Rig};
use glam::{DMat3, DQuat, DVec2, DVec3};
use std::sync::Arc;
use windlass_engine::prelude::*;
use windlass_vehicle::driveline::{Brake, Component, Differential, ElectricMotor, Lock};
use windlass_vehicle::tire::{TireModel, VerticalSpring};
use windlass_vehicle::wheel::CARCASS_DAMPING;
use windlass_vehicle::{
    Shaft, Signal, Source, Steering, SteeringMode, Vehicle, VehicleState, Vehicles, Wheel, WheelState,
};

/// What a vehicle is built of.
pub struct Spec {
    /// Mass with wheels [kg].
    pub mass: f64,
    /// Moments of inertia of the chassis [kg·m²].
    pub inertia: DVec3,
    /// Height of the centre of mass over the road [m].
    pub height: f64,
    /// The wheels, ahead and to the left of the centre of mass [m].
    pub wheels: Vec<DVec2>,
    /// Radius [m], mass [kg] and moment of inertia about the axle [kg·m²] of a wheel.
    pub wheel: [f64; 3],
    /// Tyres, wheel by wheel, the last for the rest.
    pub tires: Vec<TireModel>,
    /// Vertical stiffness and damping of a tyre [N/m, N·s/m].
    pub vertical: [f64; 2],
    pub rolling_resistance: Option<f64>,
    /// Suspension: stiffness and damping [N/m, N·s/m].
    pub suspension: Option<[f64; 2]>,
    /// Steered wheels, curvature at full command [1/m].
    pub steered: Option<(Vec<usize>, f64)>,
    /// Tilt of the road: gravity along x and y [m/s²].
    pub gravity: DVec3,
}

impl Spec {
    /// Four wheels at the ends of a wheelbase and a track.
    pub fn four(mass: f64, front: f64, rear: f64, track: f64, tire: TireModel) -> Spec {
        let half = 0.5 * track;
        Spec {
            mass,
            inertia: DVec3::new(500.0, 2000.0, 2500.0),
            height: 0.55,
            wheels: [(front, half), (front, -half), (-rear, half), (-rear, -half)]
                .map(|(x, y)| DVec2::new(x, y))
                .to_vec(),
            wheel: [0.32, 10.0, 1.2],
            tires: vec![tire],
            vertical: [5e6, 2e4],
            rolling_resistance: Some(0.0),
            suspension: None,
            steered: None,
            gravity: DVec3::NEG_Z * G,
        }
    }
}

/// A vehicle in a world.
pub struct Car {
    pub rig: Rig,
    pub chassis: BodyId,
    pub wheels: Vec<BodyId>,
    pub vehicle: Vehicle,
}

impl Car {
    /// Builds it, at a speed ahead [m/s].
    pub fn new(dt: f64, spec: &Spec, speed: f64) -> Car {
        let mut rig = Rig::new(dt, Integrator::Spook).under(spec.gravity);
        // tyres deflect more than joints may
        rig.widest = 1e-2;
        let road = Body::fixed("road").with_collider(Collider::of(Geometry::HalfSpace));
        rig.world.add_body(road, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let (chassis, wheels) = half(&mut rig, spec, (DVec3::ZERO, speed));
        let vehicle = vehicle(spec, chassis, &wheels);
        Car { rig, chassis, wheels, vehicle }
    }

    /// Couples a second chassis with wheels at a distance from the first: its wheels become wheels of the vehicle.
    pub fn coupled(&mut self, spec: &Spec, offset: DVec3) -> BodyId {
        let speed = velocity(&self.rig.world, self.chassis).x;
        let (chassis, wheels) = half(&mut self.rig, spec, (offset, speed));
        self.vehicle.wheels.extend(vehicle(spec, chassis, &wheels).wheels);
        self.wheels.extend(wheels);
        chassis
    }

    /// Guides the chassis along the axes of the world: of its three displacements and three rotations, those given are
    /// free and the others are held.
    pub fn guide(&mut self, free: &[usize]) {
        self.guide_along(free.iter().map(|k| (*k, Axis::free())));
    }

    /// The same with axes that may be driven.
    pub fn guide_along(&mut self, axes: impl IntoIterator<Item = (usize, Axis)>) {
        let at = position(&self.rig.world, self.chassis);
        let mut guide = SixDof::held(self.rig.grips([self.rig.ground, self.chassis], at, DQuat::IDENTITY));
        axes.into_iter().for_each(|(k, axis)| guide.axes[k] = axis);
        self.rig.joint(guide);
    }

    /// Adds a motor with a torque at a wheel, at full throttle.
    pub fn motor(&mut self, wheel: usize, torque: f64) -> &mut ElectricMotor {
        let shaft = self.shaft(wheel);
        let motor = ElectricMotor {
            shaft,
            torque: torque.abs(),
            power: 1e12,
            limit: 1e6,
            steer: 0.0,
            traction_control: None,
        };
        self.signal(Signal::Throttle, 1.0);
        self.vehicle.components.push((format!("motor {wheel}"), Component::Motor(motor)));
        let Some((_, Component::Motor(motor))) = self.vehicle.components.last_mut() else { unreachable!() };
        motor
    }

    /// Adds a brake at a wheel, which acts at once.
    pub fn brake(&mut self, wheel: usize, torque: f64) {
        let shaft = self.shaft(wheel);
        let brake =
            Brake { shaft, torque: 0.0, parking: 0.0, drag: torque, lag: 0.0, anti_lock: None, disc: None };
        self.vehicle.components.push((format!("brake {wheel}"), Component::Brake(brake)));
    }

    /// Mounts a rotor of a moment of inertia [kg·m²] in the chassis, which spins at the start about the wheels' axis
    /// [rad/s]. Its mass is inertia/(0.1 m)².
    pub fn rotor(&mut self, name: &str, inertia: f64, spin: f64) -> usize {
        let (at, speed) = (position(&self.rig.world, self.chassis), velocity(&self.rig.world, self.chassis));
        let moments = DVec3::new(0.6, 1.0, 0.6) * inertia;
        let mass = Mass::principal(inertia / 0.01, DVec3::ZERO, moments, DQuat::IDENTITY);
        let body = self.rig.body(name, mass, at);
        self.rig.hinge([self.chassis, body], at, DVec3::Y);
        self.rig.moving(body, speed, DVec3::Y * spin);
        self.vehicle.shafts.push(Shaft { name: name.into(), body, axis: DVec3::Y, housing: self.chassis });
        self.vehicle.shafts.len() - 1
    }

    /// Adds an axle with a differential of a ratio between two wheels; its input is a light rotor.
    pub fn axle(&mut self, wheels: [usize; 2], ratio: f64) -> usize {
        let spin = self.rig.world.state().bodies[self.wheels[wheels[0]].index()].angular_velocity.y;
        let input = self.rotor("axle input", 1e-3, ratio * spin);
        let outputs = wheels.map(|wheel| self.shaft(wheel));
        let differential = Differential { input, outputs, ratio, split: 0.5, lock: Lock::Open };
        self.vehicle.components.push(("axle".into(), Component::Differential(differential)));
        input
    }

    /// Adds the shaft of a wheel.
    pub fn shaft(&mut self, wheel: usize) -> usize {
        let name = format!("wheel {wheel}");
        let (body, housing) = (self.wheels[wheel], self.chassis);
        self.vehicle.shafts.push(Shaft { name, body, axis: DVec3::Y, housing });
        self.vehicle.shafts.len() - 1
    }

    pub fn signal(&mut self, signal: Signal, value: f64) {
        self.vehicle.controls.retain(|(known, _)| *known != signal);
        self.vehicle.controls.push((signal, Source::Constant(value)));
    }

    /// Gives the vehicle to the world.
    pub fn start(&mut self) {
        let edit = Vehicles::set(vec![self.vehicle.clone()]);
        self.rig.world.edit_subsystem::<Vehicles>(edit).unwrap();
    }

    /// Makes the steps of a time [s], none with a fault.
    pub fn steps(&mut self, seconds: f64) {
        for _ in 0..(seconds / self.rig.world.model().settings().dt).round() as usize {
            assert!(self.rig.world.step().fault.is_none());
        }
    }
}

/// A chassis with its wheels at an offset, moving ahead at a speed [m/s].
fn half(rig: &mut Rig, spec: &Spec, (offset, speed): (DVec3, f64)) -> (BodyId, Vec<BodyId>) {
    let [radius, wheel_mass, _] = spec.wheel;
    let count = spec.wheels.len() as f64;
    let load = -spec.gravity.z * spec.mass / count;
    let axle_height = radius - load / spec.vertical[0];
    // the centre of mass of the whole is at the height given
    let mass = spec.mass - count * wheel_mass;
    let height = (spec.mass * spec.height - count * wheel_mass * radius) / mass;
    let wheels_ahead: f64 = spec.wheels.iter().map(|at| at.x * wheel_mass).sum();
    let center = offset + DVec3::new(-wheels_ahead / mass, 0.0, height);
    let mass = Mass::principal(mass, DVec3::ZERO, spec.inertia, DQuat::IDENTITY);
    let chassis = rig.body("chassis", mass, center);
    rig.moving(chassis, DVec3::X * speed, DVec3::ZERO);
    let place = |k: usize| offset + spec.wheels[k].extend(axle_height);
    let wheels = (0..spec.wheels.len()).map(|k| wheel(rig, (spec, k), chassis, place(k))).collect();
    (chassis, wheels)
}

/// Adds wheel k of a vehicle at a position; it rolls as its chassis moves.
fn wheel(rig: &mut Rig, (spec, k): (&Spec, usize), chassis: BodyId, position: DVec3) -> BodyId {
    let [radius, mass, spin_inertia] = spec.wheel;
    let moments = DVec3::new(0.6, 1.0, 0.6) * spin_inertia;
    let mass = Mass::principal(mass, DVec3::ZERO, moments, DQuat::IDENTITY);
    let cylinder = Shape::Cylinder { radius, half_length: 0.1 };
    let upright = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
    let collider = Collider { groups: 2, mask: 1, ..Collider::new(cylinder).placed(DVec3::ZERO, upright) };
    let body = Body::dynamic(format!("wheel {k}"), mass).with_collider(collider);
    let body = rig.world.add_body(body, position, DQuat::IDENTITY).unwrap();
    let velocity = velocity(&rig.world, chassis);
    rig.moving(body, velocity, DVec3::Y * (velocity.x / radius));
    mount(rig, [chassis, body], position, (spec, k));
    body
}

fn mount(rig: &mut Rig, bodies: [BodyId; 2], at: DVec3, (spec, k): (&Spec, usize)) {
    // x of the joint up, z along the axle
    let turn = DQuat::from_mat3(&DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y));
    let mut joint = SixDof::held(rig.grips(bodies, at, turn));
    joint.axes[5] = Axis::free();
    if spec.steered.as_ref().is_some_and(|(wheels, _)| wheels.contains(&k)) {
        joint.axes[3] = Axis::free();
    }
    if let Some([stiffness, damping]) = spec.suspension {
        joint.axes[0] = Axis { spring: Some((Spring::new(stiffness, damping), 0.0)), ..Axis::free() };
    }
    rig.joint(joint);
}

/// Vertical spring of a tyre with a radius [m], a stiffness and a damping [N/m, N·s/m].
pub fn vertical_spring(radius: f64, [stiffness, damping]: [f64; 2]) -> Arc<VerticalSpring> {
    Arc::new(VerticalSpring {
        radius,
        stiffness,
        damping,
        rolling_share: 0.0,
        pressure: 2e5,
        pressure_share: 0.0,
    })
}

/// Gravity along a road that rises ahead by an angle [rad].
pub fn uphill(angle: f64) -> DVec3 {
    DVec3::new(-libm::sin(angle), 0.0, -libm::cos(angle)) * G
}

fn vehicle(spec: &Spec, chassis: BodyId, bodies: &[BodyId]) -> Vehicle {
    let vertical = vertical_spring(spec.wheel[0], spec.vertical);
    let wheels = bodies.iter().enumerate().map(|(k, body)| Wheel {
        name: format!("wheel {k}"),
        body: *body,
        collider: 0,
        axis: DVec3::Y,
        tire: spec.tires[k.min(spec.tires.len() - 1)].clone(),
        vertical: vertical.clone(),
        rolling_resistance: spec.rolling_resistance,
        reference_friction: 0.0,
        pressure: None,
        carcass_damping: CARCASS_DAMPING,
    });
    let rear = spec.wheels.iter().map(|at| at.x).fold(f64::INFINITY, f64::min);
    let steering = spec.steered.as_ref().map(|(steered, curvature)| Steering {
        chassis,
        axes: [DVec3::X, DVec3::Y],
        mode: SteeringMode::Ackermann,
        max_angle: 0.6,
        curvature: *curvature,
        ackermann: 1.0,
        torque: 1e5,
        rate: 1e6,
        wheels: steered.iter().map(|k| (*k, spec.wheels[*k] - DVec2::new(rear, 0.0))).collect(),
    });
    Vehicle {
        name: "car".into(),
        chassis,
        ahead: DVec3::X,
        shafts: Vec::new(),
        components: Vec::new(),
        circuits: Vec::new(),
        wheels: wheels.collect(),
        steering,
        controls: Vec::new(),
        own_controls: Vec::new(),
    }
}

/// State of the vehicle.
pub fn state(world: &World) -> &VehicleState {
    &Vehicles::of(world).unwrap().1.0[0]
}

/// States of its wheels.
pub fn wheels(world: &World) -> &[WheelState] {
    &state(world).wheels
}

/// Position of the centre of mass of a body.
pub fn position(world: &World, body: BodyId) -> DVec3 {
    world.state().bodies[body.index()].position
}

/// Its velocity.
pub fn velocity(world: &World, body: BodyId) -> DVec3 {
    world.state().bodies[body.index()].velocity
}
