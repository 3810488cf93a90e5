//! Vehicles for displays: what they consist of, and their numbers at a state.
//!
//! The contact point of a tyre is where the line from the wheel's centre, in the plane of the wheel and square to the
//! road's line in it, meets the road. A ray along the wheel finds the plane of the road:
//!
//! ```text
//! e = n − (n·a) a, normalised     P = c − e (n·(c − hit))/(n·e)       a: spin axis, c: centre, n: normal of the road
//! ```

use glam::DVec3;
use serde::Serialize;
use windlass_engine::inspect::query::QueryView;
use windlass_engine::prelude::{BodyId, Geometry, Shape, World};
use windlass_vehicle::driveline::{Component, Memory};
use windlass_vehicle::{Signal, Vehicle, VehicleState, Vehicles, Wheel, WheelState};

/// What a vehicle consists of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VehicleLook {
    /// Its name.
    pub name: String,
    /// Index of its chassis among the bodies of the scene.
    pub chassis: usize,
    /// Names of its shafts. Wheels that are driven or braked have one of their name.
    pub shafts: Vec<String>,
    /// The components of its drive train.
    pub components: Vec<ComponentLook>,
    /// Its wheels.
    pub wheels: Vec<WheelLook>,
}

/// A component of a drive train.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ComponentLook {
    /// Its name.
    pub name: String,
    /// Its kind, as in scene files.
    pub kind: &'static str,
    /// Numbers of its shafts: inputs before outputs, pumps before motors.
    pub shafts: Vec<usize>,
    /// How many of these are inputs.
    pub inputs: usize,
    /// Largest speed of an engine or motor by its own torque [rad/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_speed: Option<f64>,
    /// Largest torque of an engine or motor [N·m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_torque: Option<f64>,
    /// Whether a gearbox chooses its gear by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automatic: Option<bool>,
    /// Pressure at which the valves of a hydrostatic circuit open [Pa].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relief: Option<f64>,
}

/// A wheel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WheelLook {
    /// Its name.
    pub name: String,
    /// Index of its body among the bodies of the scene.
    pub body: usize,
    /// Its shaft, if it has one.
    pub shaft: Option<usize>,
    /// Its position ahead and to the left of the chassis at the start [m].
    pub position: [f64; 2],
    /// [m]
    pub radius: f64,
    /// [m]
    pub width: f64,
}

/// Numbers of a vehicle at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleReading {
    /// Speed ahead [m/s].
    pub speed: f64,
    /// Distance driven [m].
    pub distance: f64,
    /// Values of all commands, in the order of `Signal::ALL`; NaN without a source. Steering is after its rate limit.
    pub commands: [f64; Signal::ALL.len()],
    /// Spins of its shafts relative to their housings [rad/s].
    pub spins: Vec<f64>,
    /// Its components.
    pub components: Vec<ComponentReading>,
    /// Its wheels.
    pub wheels: Vec<WheelReading>,
}

/// Numbers of a component.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentReading {
    /// Phase of its logic: mode of an engine, phase of a gearbox.
    pub phase: f64,
    /// Throttle of an engine, pedal of a brake, gear of a gearbox.
    pub setting: f64,
    /// Fuel of an engine [kg], work of a motor or heat of others [J].
    pub total: f64,
    /// Difference of speeds [rad/s]; of a hydrostatic circuit the pressure difference [Pa].
    pub slip: f64,
    /// Torque on each of its shafts [N·m].
    pub torques: Vec<f64>,
}

/// Numbers of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelReading {
    /// Vertical load [N]; 0 in the air.
    pub load: f64,
    /// Forces on the wheel ahead and to the left [N].
    pub force: [f64; 2],
    /// Longitudinal slip.
    pub slip: f64,
    /// Slip angle [rad].
    pub slip_angle: f64,
    /// Speed at which the tyre slides, once its force is at its limit [m/s].
    pub sliding: f64,
    /// Steering angle relative to the chassis, positive to the left [rad].
    pub steer: f64,
    /// Contact point in the world [m]; the lowest point of the wheel in the air.
    pub point: DVec3,
    /// Normal of the road.
    pub normal: DVec3,
    /// Direction ahead of the wheel along the road.
    pub ahead: DVec3,
}

impl VehicleLook {
    /// The vehicles of a world, with the bodies of its scene in their order.
    pub fn all(world: &World, bodies: &[BodyId]) -> Vec<VehicleLook> {
        let list = Vehicles::of(world).map_or(&[][..], |(vehicles, _)| &vehicles.list);
        list.iter().filter_map(|vehicle| VehicleLook::of(vehicle, world, bodies)).collect()
    }

    fn of(vehicle: &Vehicle, world: &World, bodies: &[BodyId]) -> Option<VehicleLook> {
        let place = |id: BodyId| bodies.iter().position(|body| *body == id);
        let chassis = &world.state().bodies[vehicle.chassis.index()];
        let wheel = |wheel: &Wheel| {
            let at = world.state().bodies[wheel.body.index()].position - chassis.position;
            let at = chassis.orientation.inverse() * at;
            let [radius, width] = tire_size(world, wheel)?;
            Some(WheelLook {
                name: wheel.name.clone(),
                body: place(wheel.body)?,
                shaft: vehicle.shafts.iter().position(|shaft| shaft.body == wheel.body),
                position: [at.dot(vehicle.ahead), at.dot(DVec3::Z.cross(vehicle.ahead))],
                radius,
                width,
            })
        };
        Some(VehicleLook {
            name: vehicle.name.clone(),
            chassis: place(vehicle.chassis)?,
            shafts: vehicle.shafts.iter().map(|shaft| shaft.name.clone()).collect(),
            components: vehicle.components.iter().map(|(name, c)| ComponentLook::of(name, c)).collect(),
            wheels: vehicle.wheels.iter().map(wheel).collect::<Option<_>>()?,
        })
    }
}

/// Radius and width of a tyre [m].
fn tire_size(world: &World, wheel: &Wheel) -> Option<[f64; 2]> {
    let body = world.model().bodies().get(wheel.body)?;
    match &*body.colliders.get(wheel.collider as usize)?.geometry {
        Geometry::Solid(Shape::Cylinder { radius, half_length }) => Some([*radius, 2.0 * half_length]),
        _ => None,
    }
}

impl ComponentLook {
    fn of(name: &str, component: &Component) -> ComponentLook {
        let shafts = component.shafts();
        let plain = |kind, inputs| ComponentLook {
            name: name.to_string(),
            kind,
            shafts: shafts.clone(),
            inputs,
            ..ComponentLook::default()
        };
        match component {
            Component::Engine(c) => ComponentLook {
                max_speed: Some(c.governor.map_or(c.limit, |governor| governor.speed)),
                max_torque: Some(c.full.largest()),
                ..plain("engine", 0)
            },
            Component::Motor(c) => ComponentLook {
                max_speed: Some(c.limit),
                max_torque: Some(c.torque),
                ..plain("electric_motor", 0)
            },
            Component::Clutch(_) => plain("clutch", 1),
            Component::Converter(_) => plain("torque_converter", 1),
            Component::Gearbox(c) => {
                ComponentLook { automatic: Some(c.automatic.is_some()), ..plain("gearbox", 1) }
            }
            Component::Gear(_) => plain("gear", 1),
            Component::Differential(_) => plain("differential", 1),
            Component::Brake(_) => plain("brake", 1),
            Component::Retarder(_) => plain("retarder", 1),
            Component::Hydrostatic(c) => {
                ComponentLook { relief: Some(c.relief), ..plain("hydrostatic", c.pumps.len()) }
            }
        }
    }
}

impl VehicleReading {
    /// The vehicles of a world, in the order of [`VehicleLook::all`].
    pub fn all(world: &World) -> Vec<VehicleReading> {
        let Some((vehicles, states)) = Vehicles::of(world).filter(|(vehicles, _)| !vehicles.list.is_empty())
        else {
            return Vec::new();
        };
        let view = world.view();
        vehicles
            .list
            .iter()
            .zip(&states.0)
            .map(|(v, state)| VehicleReading::of(v, state, world, &view))
            .collect()
    }

    fn of(vehicle: &Vehicle, state: &VehicleState, world: &World, view: &QueryView<'_>) -> VehicleReading {
        let bodies = &world.state().bodies;
        let input = |id| world.input(id).map(|input| input.actual);
        let mut commands = Signal::ALL.map(|(signal, _)| signal.value(&vehicle.controls, input));
        if vehicle.steering.is_some() {
            commands[Signal::Steer as usize] = Some(state.steering.command);
        }
        let spins: Vec<f64> = vehicle.shafts.iter().map(|shaft| shaft.speed(bodies)).collect();
        let stroke = |number: usize| {
            let own = vehicle
                .own_controls
                .iter()
                .filter(|(owner, signal, _)| (*owner, *signal) == (number, Signal::Stroke));
            let own: Vec<_> = own.map(|(_, signal, source)| (*signal, *source)).collect();
            Signal::Stroke.value(&own, input).or(commands[Signal::Stroke as usize]).unwrap_or(0.0)
        };
        let components = vehicle.components.iter().zip(&state.components).enumerate();
        let component =
            |(number, ((_, component), memory)): (usize, (&(String, Component), &Memory))| ComponentReading {
                phase: memory.phase,
                setting: memory.setting,
                total: memory.total,
                slip: match component {
                    Component::Hydrostatic(circuit) => circuit.pressure(memory),
                    _ => memory.slip,
                },
                torques: component.torques(memory, &spins, stroke(number)),
            };
        let wheels = vehicle.wheels.iter().zip(&state.wheels);
        let wheel = |(wheel, state)| WheelReading::of(vehicle, (wheel, state), world, view);
        VehicleReading {
            speed: vehicle.velocity(bodies),
            distance: state.odometer,
            commands: commands.map(|value| value.unwrap_or(f64::NAN)),
            components: components.map(component).collect(),
            wheels: wheels.map(wheel).collect(),
            spins,
        }
    }
}

impl WheelReading {
    fn of(
        vehicle: &Vehicle,
        (wheel, state): (&Wheel, &WheelState),
        world: &World,
        view: &QueryView<'_>,
    ) -> WheelReading {
        let [body, chassis] = [wheel.body, vehicle.chassis].map(|id| &world.state().bodies[id.index()]);
        let (center, axle) = (body.position, body.orientation * wheel.axis);
        let own = chassis.orientation.inverse() * axle;
        let left = DVec3::Z.cross(vehicle.ahead);
        let up = -world.model().settings().gravity.normalize_or(-DVec3::Z);
        let upward = |n: DVec3| (n - axle * n.dot(axle)).normalize_or(DVec3::Z);
        let radius = tire_size(world, wheel).map_or(0.0, |[radius, _]| radius);
        let hits = view.cast_ray_all(center, -upward(up), 2.0 * radius, u32::MAX);
        let hit = hits.into_iter().find(|hit| state.road == Some(hit.part.body));
        let (normal, distance) = hit.map_or((up, radius), |hit| {
            let e = upward(hit.normal);
            (hit.normal, hit.normal.dot(center - hit.point) / hit.normal.dot(e).max(0.1))
        });
        WheelReading {
            load: state.load,
            force: state.force.to_array(),
            slip: state.slip.x,
            slip_angle: libm::atan(state.slip.y),
            sliding: state.sliding(),
            steer: libm::atan2(-own.dot(vehicle.ahead), own.dot(left)),
            point: center - upward(normal) * distance,
            normal,
            ahead: axle.cross(normal).normalize_or(DVec3::X),
        }
    }
}
