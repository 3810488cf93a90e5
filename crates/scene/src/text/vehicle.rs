//! Vehicles as written in the file. Each becomes a body per wheel and shaft, and their joints on the chassis.

use super::driveline::{Component, Disc, Shaft};
use super::hydraulics::Hydraulics;
use super::input::VehicleCommand;
use super::joint::{Limits, Spring};
use crate::number::{
    Angle, Angular, Decay, Inertia, Length, Linear, Load, Mass, MostTorque, Number, Numbers, Plain, Share,
    Size, Speed, Stiffness,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// A vehicle or a machine on a static chassis, such as a crane: wheels with tyres on a chassis, a drive train of shafts and
/// components, and hydraulic circuits. Its wheels and shafts are
/// bodies and joints called VEHICLE.WHEEL and VEHICLE.SHAFT. Axes of the chassis: x ahead, y to the left, z up.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Vehicle {
    /// Name of the body that is its chassis.
    #[schemars(with = "String")]
    pub chassis: Spanned<String>,
    /// Speed ahead at the start, of chassis, wheels and the shafts that turn with them [m/s]; that of the chassis unless
    /// given.
    pub speed: Option<Number<Speed>>,
    /// Axles by name. One with a `track` has the wheels AXLE_left and AXLE_right, one without it the wheel AXLE.
    #[schemars(with = "Option<BTreeMap<String, Axle>>")]
    pub axles: Option<BTreeMap<Spanned<String>, Axle>>,
    /// Wheels of bodies and joints of the scene, by name, for suspensions of other kinds.
    #[schemars(with = "Option<BTreeMap<String, Wheel>>")]
    pub wheels: Option<BTreeMap<Spanned<String>, Wheel>>,
    /// Steering of the wheels that are `steered`.
    #[schemars(with = "Option<Steering>")]
    pub steering: Option<Spanned<Steering>>,
    /// Shafts of the drive train, by name. Wheels are shafts too.
    #[schemars(with = "Option<BTreeMap<String, Shaft>>")]
    pub shafts: Option<BTreeMap<Spanned<String>, Shaft>>,
    /// Components of the drive train, by name: each connects shafts, and has exactly one kind.
    #[schemars(with = "Option<BTreeMap<String, Component>>")]
    pub components: Option<BTreeMap<Spanned<String>, Spanned<Component>>>,
    /// Hydraulic circuits, by name.
    #[schemars(with = "Option<BTreeMap<String, Hydraulics>>")]
    pub hydraulics: Option<BTreeMap<Spanned<String>, Spanned<Hydraulics>>>,
    /// Constant commands, to which those of inputs are added: { throttle = 0.3 }.
    pub commands: Option<BTreeMap<VehicleCommand, Number<Plain>>>,
}

impl Vehicle {
    /// Sets the gear at the start of a gearbox.
    pub(crate) fn start_in(&mut self, gearbox: &str, gear: i64) {
        for (name, component) in self.components.iter_mut().flatten() {
            if let (true, Component::Gearbox(found)) = (name.get_ref() == gearbox, component.get_mut()) {
                found.gear = Some(Spanned::new(0..0, gear));
            }
        }
    }
}

/// An axle with one or two wheels.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Axle {
    /// Name of the body on which it is mounted; the chassis unless given.
    #[schemars(with = "Option<String>")]
    pub on: Option<Spanned<String>>,
    /// Its middle, in the axes of this body [m].
    pub position: Numbers<Length>,
    /// Distance of its wheels [m]; a single wheel in the middle unless given.
    pub track: Option<Number<Size>>,
    /// Name of the tyre.
    #[schemars(with = "String")]
    pub tire: Spanned<String>,
    /// Mass of a wheel with its tyre and hub [kg].
    pub wheel_mass: Number<Mass>,
    /// Moment of inertia of a wheel about its axis [kg·m²]; that of a solid cylinder unless given.
    pub wheel_inertia: Option<Number<Inertia>>,
    /// Suspension of its wheels; rigid unless given.
    pub suspension: Option<Suspension>,
    /// Stiffness of the anti-roll bar: force at each wheel per difference of their travels [N/m]; none unless given.
    pub anti_roll: Option<Number<Stiffness>>,
    /// Whether its wheels are steered; false unless given.
    pub steered: Option<bool>,
    /// Brakes of its wheels; none unless given.
    pub brake: Option<WheelBrake>,
}

/// Suspension of a wheel: along an axis of the chassis by a `spring`, or by a `trailing_arm`.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Suspension {
    /// Spring and damper along the travel, which is positive for compression.
    pub spring: Option<Spring<Linear>>,
    /// Trailing arm with a torsion spring, instead of `spring`.
    pub trailing_arm: Option<TrailingArm>,
    /// Load of the wheel that the spring carries where the axle is drawn [N], not with `rest` of the spring; its share of
    /// the weight of the chassis unless given.
    pub load: Option<Number<Load>>,
    /// End stops of the travel.
    pub limits: Option<Limits<Linear>>,
    /// Height of the roll centre above the ground [m]: in compression the wheel also moves outward; 0 unless
    /// given.
    pub roll_center: Option<Number<Length>>,
    /// Inclination of the travel [rad]: in compression the wheel also moves ahead, against the dive of a braked front
    /// axle; 0 unless given.
    pub anti_dive: Option<Number<Angle>>,
    /// Inclination of the steering axis to the rear [rad]; 0 unless given.
    pub caster: Option<Number<Angle>>,
    /// Inclination of the steering axis to the middle of the vehicle [rad]; 0 unless given.
    pub kingpin: Option<Number<Angle>>,
}

/// An arm from a pivot ahead of the wheel, on which the wheel rotates.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TrailingArm {
    /// Distance of the wheel's axis from the pivot [m]; negative for a leading arm.
    pub length: Number<Length>,
    /// Angle of the arm below the horizontal where the axle is drawn [rad]; 0 unless given.
    pub angle: Option<Number<Angle>>,
    /// Mass of the arm [kg]; a tenth of that of the wheel unless given.
    pub mass: Option<Number<Mass>>,
    /// Torsion spring and damper, positive for compression.
    pub spring: Spring<Angular>,
    /// End stops of the arm's angle.
    pub limits: Option<Limits<Angular>>,
}

/// Brake of a wheel, between it and the chassis.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WheelBrake {
    /// Torque of each wheel at full `brake` [N·m].
    pub torque: Number<MostTorque>,
    /// Torque of each wheel at full `parking_brake` [N·m]; 0 unless given.
    pub parking: Option<Number<MostTorque>>,
    /// Time constant of its build-up [s]; 0 unless given.
    pub time_constant: Option<Number<crate::number::LeastTime>>,
    /// Anti-lock control: longitudinal slip up to which it brakes, such as 0.15; none unless given.
    pub anti_lock: Option<Number<Share>>,
    /// Its disc or drum, whose temperature is computed; none unless given.
    pub disc: Option<Disc>,
}

/// A wheel that is a body of the scene.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// Name of the body. Its first collision shape becomes the tyre: a cylinder about the axis.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Name of the body in which it rotates; the chassis unless given.
    #[schemars(with = "Option<String>")]
    pub housing: Option<Spanned<String>>,
    /// Name of the tyre.
    #[schemars(with = "String")]
    pub tire: Spanned<String>,
    /// Axis of rotation in the axes of the body, to the left of the vehicle; z unless given.
    pub axis: Option<Numbers<Plain>>,
    /// Whether it is on the right side of the vehicle, for tyres that are not symmetric; false unless given.
    pub right: Option<bool>,
    /// Whether it is steered; false unless given.
    pub steered: Option<bool>,
}

/// Steering: one command, −1 to 1, for all steered wheels.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Steering {
    /// Angle at full command, of a wheel in the middle of the steered axle that is farthest from the turning line [rad].
    pub max_angle: Number<Angle>,
    /// Position ahead of the turning line, which holds the centre of all turns, in the axes of the chassis [m]; the mean
    /// of the axles that are not steered, or of all axles, unless given.
    pub turning_line: Option<Number<Length>>,
    /// Geometry, unless the command `steering_mode` is given; "ackermann" unless given.
    pub mode: Option<SteeringMode>,
    /// Share of the Ackermann geometry: 1, or 0 for parallel wheels; 1 unless given.
    pub ackermann: Option<Number<Share>>,
    /// Largest torque of the steering at each wheel [N·m]; no limit unless given.
    pub torque: Option<Number<MostTorque>>,
    /// Largest rate of the command [1/s]; no limit unless given.
    pub rate: Option<Number<Decay>>,
}

/// Geometry of a steering.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SteeringMode {
    /// One turning centre on the turning line.
    Ackermann,
    /// All steered wheels at the same angle.
    Crab,
    /// Rotation about the middle of the turning line.
    Pivot,
}

/// Names of the wheels of an axle, each with the side of its wheel: 1 left, −1 right, 0 in the middle.
pub(crate) fn wheels_of(axle: &str, has_track: bool) -> Vec<(String, f64)> {
    match has_track {
        true => vec![(format!("{axle}_left"), 1.0), (format!("{axle}_right"), -1.0)],
        false => vec![(axle.to_string(), 0.0)],
    }
}
