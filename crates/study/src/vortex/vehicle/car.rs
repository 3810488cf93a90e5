//! A chassis on wheels with tyres on a level road → a world.

use super::GRAVITY;
use super::bench::rotor;
use crate::Trouble;
use crate::lab::{add, at, step};
use glam::{DMat3, DQuat, DVec2, DVec3};
use std::sync::Arc;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_vehicle::driveline::{Brake, Component, Differential, ElectricMotor, Lock};
use windlass_vehicle::tire::{Friction, Linear, TireModel, VerticalSpring};
use windlass_vehicle::wheel::CARCASS_DAMPING;
use windlass_vehicle::{Shaft, Signal, Source, Steering, SteeringMode, Vehicle, Vehicles, Wheel, WheelState};

/// What a vehicle is built of.
pub struct Plan {
    /// Mass with wheels [kg], moments of inertia of the chassis [kg·m²], height of the centre of mass [m].
    pub mass: f64,
    pub inertia: DVec3,
    pub height: f64,
    /// The wheels, ahead and to the left of the centre of mass [m].
    pub wheels: Vec<DVec2>,
    /// Radius [m], mass [kg], moment of inertia about the axle [kg·m²] of a wheel.
    pub wheel: [f64; 3],
    pub tire: TireModel,
    /// Vertical stiffness and damping of a tyre [N/m, N·s/m].
    pub vertical: [f64; 2],
    pub rolling_resistance: f64,
    /// Suspension: stiffness and damping [N/m, N·s/m].
    pub suspension: Option<[f64; 2]>,
    /// Steered wheels and their positions from the middle of the turning line [m]; curvature at full command [1/m].
    pub steered: Vec<(usize, DVec2)>,
    pub curvature: f64,
    /// Slope of the road ahead [rad].
    pub slope: f64,
}

impl Plan {
    /// A mass on wheels at given positions.
    pub fn new(mass: f64, wheels: &[DVec2], tire: TireModel) -> Plan {
        Plan {
            mass,
            inertia: DVec3::new(500.0, 2000.0, 2500.0),
            height: 0.55,
            wheels: wheels.to_vec(),
            wheel: [0.32, 10.0, 1.2],
            tire,
            vertical: [5e6, 2e4],
            rolling_resistance: 0.0,
            suspension: None,
            steered: Vec::new(),
            curvature: 0.0,
            slope: 0.0,
        }
    }
}

/// Positions of four wheels at distances of the axles ahead and behind, and at a track [m].
pub fn four(ahead: f64, behind: f64, track: f64) -> [DVec2; 4] {
    let half = 0.5 * track;
    [(ahead, half), (ahead, -half), (-behind, half), (-behind, -half)].map(|(x, y)| DVec2::new(x, y))
}

/// A linear tyre with the same stiffness in both directions [N].
pub fn linear(stiffness: f64, friction: Option<f64>, relaxation: f64) -> TireModel {
    TireModel::Linear(Linear {
        stiffness: DVec2::splat(stiffness),
        friction: friction.map(Friction::constant),
        relaxation: DVec2::splat(relaxation),
    })
}

/// A vehicle in a world.
pub struct Car {
    pub world: World,
    pub road: BodyId,
    pub chassis: BodyId,
    pub wheels: Vec<BodyId>,
    pub vehicle: Vehicle,
}

impl Car {
    /// Builds it, at a speed ahead [m/s].
    pub fn new(dt: f64, plan: &Plan, speed: f64) -> Result<Car, Trouble> {
        let mut world = World::default();
        let (s, c) = libm::sincos(plan.slope);
        let gravity = DVec3::new(-s, 0.0, -c) * GRAVITY;
        world.set(|s| (s.dt, s.gravity) = (dt, gravity)).map_err(Trouble::from)?;
        let road = Body::fixed("road").with_collider(Collider::of(Geometry::HalfSpace));
        let road = add(&mut world, road, DVec3::ZERO)?;
        let [radius, wheel_mass, spin_inertia] = plan.wheel;
        let count = plan.wheels.len() as f64;
        let axle_height = radius - plan.mass * c * GRAVITY / count / plan.vertical[0];
        // the centre of mass of the whole is at the origin, at the height given
        let mass = plan.mass - count * wheel_mass;
        let height = (plan.mass * plan.height - count * wheel_mass * radius) / mass;
        let offset: DVec2 = plan.wheels.iter().map(|at| *at * wheel_mass / mass).sum();
        let body =
            Body::dynamic("chassis", Mass::principal(mass, DVec3::ZERO, plan.inertia, DQuat::IDENTITY));
        let chassis = add(&mut world, body, (-offset).extend(height))?;
        world.set_velocity(chassis, DVec3::X * speed, DVec3::ZERO).map_err(Trouble::from)?;
        let mut wheels = Vec::new();
        for (k, place) in plan.wheels.iter().enumerate() {
            let cylinder = Shape::Cylinder { radius, half_length: 0.1 };
            let upright = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
            let tire =
                Collider { groups: 2, mask: 1, ..Collider::new(cylinder).placed(DVec3::ZERO, upright) };
            let mass = Mass { mass: wheel_mass, ..rotor(spin_inertia, DVec3::Y) };
            let body = Body::dynamic(format!("wheel {k}"), mass).with_collider(tire);
            let body = add(&mut world, body, place.extend(axle_height))?;
            let spin = DVec3::Y * (speed / radius);
            world.set_velocity(body, DVec3::X * speed, spin).map_err(Trouble::from)?;
            mount(&mut world, [chassis, body], (plan, k))?;
            wheels.push(body);
        }
        let vehicle = vehicle(plan, chassis, &wheels);
        Ok(Car { world, road, chassis, wheels, vehicle })
    }

    /// Guides the chassis along the axes of the world: of its three displacements and three rotations, those given are
    /// as given and the others are held.
    pub fn guide(&mut self, axes: impl IntoIterator<Item = (usize, Axis)>) -> Result<(), Trouble> {
        let anchors = [
            Anchor::point(self.road, at(&self.world, self.chassis).position),
            Anchor::point(self.chassis, DVec3::ZERO),
        ];
        let mut guide = SixDof::held(anchors);
        axes.into_iter().for_each(|(k, axis)| guide.axes[k] = axis);
        self.world.add_joint(Joint::new("guide", guide)).map(drop).map_err(Trouble::from)
    }

    /// Adds a component.
    pub fn mount(&mut self, name: impl Into<String>, component: Component) {
        self.vehicle.components.push((name.into(), component));
    }

    /// Adds a motor that drives a shaft up to a speed [rad/s] with a torque [N·m], at full throttle.
    pub fn motor(&mut self, shaft: usize, torque: f64, limit: f64) {
        self.mount(
            "motor",
            Component::Motor(ElectricMotor {
                shaft,
                torque,
                power: 1e12,
                limit,
                steer: 0.0,
                traction_control: None,
            }),
        );
        self.signal(Signal::Throttle, 1.0);
    }

    /// Adds a brake that acts at once.
    pub fn brake(&mut self, shaft: usize, torque: f64) {
        let brake =
            Brake { shaft, torque: 0.0, parking: 0.0, drag: torque, lag: 0.0, anti_lock: None, disc: None };
        self.mount(format!("brake {shaft}"), Component::Brake(brake));
    }

    /// The shaft of a wheel.
    pub fn shaft(&mut self, wheel: usize) -> usize {
        let (name, body) = (format!("wheel {wheel}"), self.wheels[wheel]);
        self.vehicle.shafts.push(Shaft { name, body, axis: DVec3::Y, housing: self.chassis });
        self.vehicle.shafts.len() - 1
    }

    /// Mounts a rotor of a moment of inertia [kg·m²] in the chassis that spins about the wheels' axis [rad/s].
    pub fn rotor(&mut self, name: &str, inertia: f64, spin: f64) -> Result<usize, Trouble> {
        let chassis = *at(&self.world, self.chassis);
        let body = Body::dynamic(name, rotor(inertia, DVec3::Y));
        let body = add(&mut self.world, body, chassis.position)?;
        let turn = math::facing(DVec3::Y);
        let anchors = [self.chassis, body].map(|body| Anchor::frame(body, DVec3::ZERO, turn));
        let hinge = Joint::new(name, Hinge { anchors, axis: Axis::free() });
        self.world.add_joint(hinge).map_err(Trouble::from)?;
        self.world.set_velocity(body, chassis.velocity, DVec3::Y * spin).map_err(Trouble::from)?;
        self.vehicle.shafts.push(Shaft { name: name.into(), body, axis: DVec3::Y, housing: self.chassis });
        Ok(self.vehicle.shafts.len() - 1)
    }

    /// Adds an axle with a differential of a ratio between two wheels; its input is a light rotor.
    pub fn axle(&mut self, wheels: [usize; 2], ratio: f64) -> Result<usize, Trouble> {
        let spin = ratio * at(&self.world, self.wheels[wheels[0]]).angular_velocity.y;
        let input = self.rotor("axle input", 1e-3, spin)?;
        let outputs = wheels.map(|wheel| self.shaft(wheel));
        let differential = Differential { input, outputs, ratio, split: 0.5, lock: Lock::Open };
        self.mount("axle", Component::Differential(differential));
        Ok(input)
    }

    pub fn signal(&mut self, signal: Signal, value: f64) {
        self.vehicle.controls.retain(|(known, _)| *known != signal);
        self.vehicle.controls.push((signal, Source::Constant(value)));
    }

    /// Gives the vehicle to the world; it keeps its state.
    pub fn start(&mut self) -> Result<(), Trouble> {
        let edit = Vehicles::set(vec![self.vehicle.clone()]);
        self.world.edit_subsystem::<Vehicles>(edit).map(drop).map_err(Trouble::from)
    }

    /// Runs for a time [s].
    pub fn run(&mut self, seconds: f64) -> Result<(), Trouble> {
        let steps = libm::round(seconds / self.world.model().settings().dt) as usize;
        (0..steps).try_for_each(|_| step(&mut self.world).map(drop))
    }

    /// Speed of a shaft relative to the chassis, about its axis [rad/s].
    pub fn spin(&self, shaft: usize) -> f64 {
        let Shaft { body, housing, axis, .. } = &self.vehicle.shafts[shaft];
        let [body, housing] = [body, housing].map(|id| at(&self.world, *id));
        (body.orientation * *axis).dot(body.angular_velocity - housing.angular_velocity)
    }

    /// States of the wheels.
    pub fn tires(&self) -> Vec<WheelState> {
        Vehicles::of(&self.world).map(|(_, state)| state.0[0].wheels.clone()).unwrap_or_default()
    }
}

fn mount(world: &mut World, [chassis, wheel]: [BodyId; 2], (plan, k): (&Plan, usize)) -> Result<(), Trouble> {
    // x of the joint up, z along the axle
    let turn = DQuat::from_mat3(&DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y));
    let place = at(world, wheel).position - at(world, chassis).position;
    let anchors = [Anchor::frame(chassis, place, turn), Anchor::frame(wheel, DVec3::ZERO, turn)];
    let mut joint = SixDof::held(anchors);
    joint.axes[5] = Axis::free();
    if plan.steered.iter().any(|(wheel, _)| *wheel == k) {
        joint.axes[3] = Axis::free();
    }
    if let Some([stiffness, damping]) = plan.suspension {
        joint.axes[0] = Axis::with_spring(stiffness, damping, 0.0);
    }
    world.add_joint(Joint::new(format!("suspension {k}"), joint)).map(drop).map_err(Trouble::from)
}

fn vehicle(plan: &Plan, chassis: BodyId, bodies: &[BodyId]) -> Vehicle {
    let vertical = Arc::new(VerticalSpring {
        radius: plan.wheel[0],
        stiffness: plan.vertical[0],
        damping: plan.vertical[1],
        rolling_share: 0.0,
        pressure: 2e5,
        pressure_share: 0.0,
    });
    let wheels = bodies.iter().enumerate().map(|(k, body)| Wheel {
        name: format!("wheel {k}"),
        body: *body,
        collider: 0,
        axis: DVec3::Y,
        tire: plan.tire.clone(),
        vertical: vertical.clone(),
        rolling_resistance: Some(plan.rolling_resistance),
        reference_friction: 0.0,
        pressure: None,
        carcass_damping: CARCASS_DAMPING,
    });
    let steering = Steering {
        chassis,
        axes: [DVec3::X, DVec3::Y],
        mode: SteeringMode::Ackermann,
        max_angle: 0.5,
        curvature: plan.curvature,
        ackermann: 1.0,
        torque: 1e5,
        rate: 0.5,
        wheels: plan.steered.clone(),
    };
    Vehicle {
        name: "car".to_string(),
        chassis,
        ahead: DVec3::X,
        shafts: Vec::new(),
        components: Vec::new(),
        circuits: Vec::new(),
        wheels: wheels.collect(),
        steering: Some(steering).filter(|steering| !steering.wheels.is_empty()),
        controls: Vec::new(),
        own_controls: Vec::new(),
    }
}
