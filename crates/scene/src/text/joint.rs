//! Joints as written in the file.
//!
//! A joint is placed in world coordinates at the start of the run, by a point `at` and an `axis`, or by `frames`, one
//! in the axes of each body. The first body is the base, the second the moved body. Coordinates are those of the second
//! relative to the first. They start at 0 unless the joint is placed by frames.

mod axis;
mod coupling;

pub use axis::{Axis, DamperTable, ForceJoin, ForceTable, Jenkins, Limits, Motor, Servo, Spring};
pub use coupling::{Differential, Gear, LinearCoupling, Rack, Term};

use super::body::Rotation;
use super::look::Color;
use super::motion::Motion;
use crate::number::{
    Angular, AngularDamping, AngularStiffness, Coordinate, Damping, Four, Length, Linear, MostForce,
    MostTorque, Number, Numbers, Plain, Reach, Size, Stiffness,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Names of the two bodies of a joint.
pub type Pair = [Spanned<String>; 2];

/// Names of joints in URDF, Drake and Chrono, and our names of the same kinds; `Joint` accepts both.
pub const ALIASES: [(&str, &str); 4] =
    [("revolute", "hinge"), ("prismatic", "slider"), ("spherical", "ball"), ("fixed", "weld")];

/// A joint: exactly one kind, and the keys that all kinds share.
// the kinds are boxed: all but one are absent
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// Spherical joint: a point of each body coincides, and all rotations are free. Also called `spherical`.
    #[serde(alias = "spherical")]
    pub ball: Option<Box<Ball>>,
    /// Revolute joint: rotation about an axis. Also called `revolute`.
    #[serde(alias = "revolute")]
    pub hinge: Option<Box<Hinge>>,
    /// Prismatic joint: displacement along an axis without rotation. Also called `prismatic`.
    #[serde(alias = "prismatic")]
    pub slider: Option<Box<Slider>>,
    /// Rotation about and displacement along an axis.
    pub cylindrical: Option<Box<Cylinder>>,
    /// Cardan joint: rotation about two perpendicular axes.
    pub universal: Option<Box<Universal>>,
    /// Two shafts that rotate at the same rate at any angle between them.
    pub constant_velocity: Option<Box<ConstantVelocity>>,
    /// Rigid connection of two bodies. Also called `fixed`.
    #[serde(alias = "fixed")]
    pub weld: Option<Box<Weld>>,
    /// Distance between two points: a rod, a rope, a spring, or a telescope such as a hydraulic cylinder.
    pub distance: Option<Box<Distance>>,
    /// A point of the second body on a line of the first.
    pub point_on_line: Option<Box<PointOnLine>>,
    /// A point of the second body in a plane of the first.
    pub point_on_plane: Option<Box<PointOnPlane>>,
    /// A plane of the second body in a plane of the first.
    pub planar: Option<Box<Planar>>,
    /// Screw: a cylindrical joint whose displacement is proportional to its angle.
    pub screw: Option<Box<Screw>>,
    /// Couples the angles of two joints by a ratio.
    pub gear: Option<Box<Gear>>,
    /// Rack and pinion: couples the displacement of one joint to the angle of another.
    pub rack: Option<Box<Rack>>,
    /// Couples the angle of a joint to the mean of the angles of two others.
    pub differential: Option<Box<Differential>>,
    /// Linear relation between coordinates of joints.
    pub linear_coupling: Option<Box<LinearCoupling>>,
    /// Six coordinates, each free or with its own options; a bushing, for example.
    pub six_dof: Option<Box<SixDof>>,
    /// A wheel on a chassis: travel of the suspension, steering, rotation.
    pub car_wheel: Option<Box<CarWheel>>,
    /// Pulls a point of the second body to a point of the first by a spring and damper with a bounded force.
    pub drag_spring: Option<Box<DragSpring>>,
    /// Compliance of the joint; rigid unless given.
    pub compliance: Option<Box<Compliance>>,
    /// Largest reaction, beyond which the joint breaks; unbreakable unless given.
    pub strength: Option<Box<Strength>>,
}

/// A frame fixed in a body, in the body's axes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Origin of the frame [m]; 0 unless given.
    pub at: Option<Numbers<Length>>,
    /// Orientation as a quaternion [w, x, y, z] of any non-zero length; identity unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Orientation as a rotation about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
}

/// Compliance of a joint: springs and dampers instead of rigid constraint equations.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Compliance {
    /// Compliance against separation; rigid unless given.
    pub linear: Option<SpringDamper<Linear>>,
    /// Compliance against tilting; rigid unless given.
    pub angular: Option<SpringDamper<Angular>>,
}

/// A spring and damper in parallel.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Give_for_{C}")]
pub struct SpringDamper<C: Coordinate> {
    /// Stiffness [N/m or N·m/rad].
    pub stiffness: Number<C::Stiffness>,
    /// Damping [N·s/m or N·m·s/rad]; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
}

/// Largest reaction on the second body, beyond which a joint breaks.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// Largest force [N]; no limit unless given.
    pub force: Option<Number<MostForce>>,
    /// Largest torque [N·m]; no limit unless given.
    pub torque: Option<Number<MostTorque>>,
}

/// Declares a joint with one coordinate, whose options are written beside its own keys.
macro_rules! joint_of_one {
    ($(#[$doc:meta])* $name:ident of $c:ident { $($(#[$note:meta])* $key:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Names of the base and of the moved body.
            #[schemars(with = "[String; 2]")]
            pub bodies: Pair,
            $($(#[$note])* pub $key: $type,)*
            /// Frames in the axes of the two bodies, instead of a placement in the world.
            #[schemars(with = "Option<[Frame; 2]>")]
            pub frames: Option<Spanned<[Frame; 2]>>,
            /// Holds the coordinate at this value [m or rad].
            pub lock: Option<Number<<$c as Coordinate>::Value>>,
            /// Velocity drive: a target speed with a force limit.
            pub motor: Option<Motor<$c>>,
            /// Position drive: a spring and damper to a target value, with a force limit.
            pub servo: Option<Servo<$c>>,
            /// Prescribed motion: the coordinate follows a function of time, to round-off.
            pub prescribed: Option<Motion<$c>>,
            /// Spring and damper.
            pub spring: Option<Spring<$c>>,
            /// End stops.
            pub limits: Option<Limits<$c>>,
            /// Dry friction: largest force, independent of the load of the joint [N or N·m]; 0 unless given.
            pub friction: Option<Number<<$c as Coordinate>::Force>>,
            /// Viscous friction: force per speed [N·s/m or N·m·s/rad]; 0 unless given.
            pub damping: Option<Number<<$c as Coordinate>::Damping>>,
        }

        impl $name {
            /// The options of its coordinate.
            pub fn axis_options(&self) -> Axis<$c> {
                Axis {
                    lock: self.lock.clone(),
                    motor: self.motor.clone(),
                    servo: self.servo.clone(),
                    prescribed: self.prescribed.clone(),
                    spring: self.spring.clone(),
                    limits: self.limits.clone(),
                    friction: self.friction.clone(),
                    damping: self.damping.clone(),
                }
            }
        }
    };
}

joint_of_one! {
    /// Revolute joint: rotation about an axis. Its coordinate is the angle [rad].
    Hinge of Angular {
        /// A point on the axis, in the world at the start [m].
        at: Option<Numbers<Length>>,
        /// Direction of the axis, in the world at the start.
        axis: Option<Numbers<Plain>>,
    }
}

joint_of_one! {
    /// Prismatic joint: displacement along an axis without rotation. Its coordinate is the displacement [m].
    Slider of Linear {
        /// A point on the axis, in the world at the start [m]; the origin of the second body unless given.
        at: Option<Numbers<Length>>,
        /// Direction of the axis, in the world at the start.
        axis: Option<Numbers<Plain>>,
    }
}

joint_of_one! {
    /// Screw joint: its coordinate is the angle [rad]. The displacement along the axis is proportional to it.
    Screw of Angular {
        /// A point on the axis, in the world at the start [m].
        at: Option<Numbers<Length>>,
        /// Direction of the axis, in the world at the start.
        axis: Option<Numbers<Plain>>,
        /// Displacement per turn [m]; negative for a left-hand thread.
        lead: Number<Length>,
    }
}

joint_of_one! {
    /// A point of the second body on a line of the first. Its coordinate is the displacement along the line [m].
    PointOnLine of Linear {
        /// The point, in the world at the start [m].
        at: Option<Numbers<Length>>,
        /// Direction of the line, in the world at the start.
        axis: Option<Numbers<Plain>>,
    }
}

joint_of_one! {
    /// Distance between two points. Its coordinate is the distance [m]. Without options it is a rod.
    Distance of Linear {
        /// A point on each body, in the world at the start [m].
        points: Option<[Numbers<Length>; 2]>,
        /// Length of a rod [m]; the initial distance unless given.
        length: Option<Number<Reach>>,
        /// Smallest distance [m].
        min: Option<Number<Reach>>,
        /// Largest distance [m]: a rope of constant length, which acts in tension only.
        max: Option<Number<Reach>>,
        /// Largest distance as a function of time [m]: a rope on a winch, which acts in tension only.
        #[schemars(with = "Option<Motion<Linear>>")]
        max_length: Option<Spanned<Motion<Linear>>>,
        /// Draws it as a hydraulic cylinder. This does not influence the motion.
        cylinder: Option<CylinderLook>,
    }
}

/// A hydraulic cylinder between two points, as it is drawn: a barrel on the first point and a rod to the second.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HydraulicCylinder")]
pub struct CylinderLook {
    /// Outer diameter of the barrel [m].
    pub diameter: Number<Size>,
    /// Diameter of the rod [m]; half the diameter of the barrel unless given.
    pub rod: Option<Number<Size>>,
    /// Length of the barrel [m]; 0.6 times the initial distance unless given.
    pub barrel: Option<Number<Size>>,
    /// Colour of the barrel, "#rrggbb" or [r, g, b] from 0 to 1; dark grey unless given.
    pub color: Option<Color>,
}

/// Spherical joint: a point of each body coincides, and all rotations are free.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ball {
    /// Names of the two bodies.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// The point, in the world at the start [m].
    pub at: Option<Numbers<Length>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
}

/// Rigid connection of two bodies.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Weld {
    /// Names of the two bodies.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Point about which reactions are reported, in the world at the start [m]; the origin of the second body unless
    /// given.
    pub at: Option<Numbers<Length>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
}

/// Rotation about and displacement along an axis.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Names of the base and of the moved body.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// A point on the axis, in the world at the start [m].
    pub at: Option<Numbers<Length>>,
    /// Direction of the axis, in the world at the start.
    pub axis: Option<Numbers<Plain>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// Options of the angle [rad].
    pub rotation: Option<Axis<Angular>>,
    /// Options of the displacement [m].
    pub slide: Option<Axis<Linear>>,
}

/// Cardan joint: rotation about two perpendicular axes.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Universal {
    /// Names of the two bodies.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Intersection of the axes, in the world at the start [m].
    pub at: Option<Numbers<Length>>,
    /// Axis fixed in the first body and axis fixed in the second, perpendicular, in the world at the start.
    #[schemars(with = "Option<[Numbers<Plain>; 2]>")]
    pub axes: Option<Spanned<[Numbers<Plain>; 2]>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world. The first axis is x of the first
    /// frame, the second is y of the second.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// Options of the angle about the first axis [rad].
    pub first: Option<Axis<Angular>>,
    /// Options of the angle about the second axis [rad].
    pub second: Option<Axis<Angular>>,
}

/// Two shafts that rotate at the same rate at any angle between them.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantVelocity {
    /// Names of the two shafts.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Point where they meet, in the world at the start [m].
    pub at: Option<Numbers<Length>>,
    /// Directions of the first and second shaft, both along the flow of power, in the world at the start.
    #[schemars(with = "Option<[Numbers<Plain>; 2]>")]
    pub axes: Option<Spanned<[Numbers<Plain>; 2]>>,
    /// Frames in the axes of the two bodies, with the shafts along z, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
}

/// A point of the second body in a plane of the first.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PointOnPlane {
    /// Names of the body with the plane and of the body with the point.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// The point, in the world at the start [m].
    pub at: Option<Numbers<Length>>,
    /// Normal of the plane, in the world at the start.
    pub axis: Option<Numbers<Plain>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
}

/// A plane of the second body in a plane of the first.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Planar {
    /// Names of the base and of the moved body.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// A point in the plane, in the world at the start [m].
    pub at: Option<Numbers<Length>>,
    /// Normal of the plane, in the world at the start.
    pub axis: Option<Numbers<Plain>>,
    /// Direction of x, in the world at the start, made perpendicular to the normal; an arbitrary direction unless
    /// given.
    pub x_axis: Option<Numbers<Plain>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// Options of the displacement along x [m].
    pub x: Option<Axis<Linear>>,
    /// Options of the displacement along y = axis × x [m].
    pub y: Option<Axis<Linear>>,
    /// Options of the angle [rad].
    pub rotation: Option<Axis<Angular>>,
}

/// Six coordinates, each free unless it has options. The rotations are Cardan angles: about x of the base, then y, then
/// z of the moved body. They are singular at `ry` = ±90°.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SixDof {
    /// Names of the base and of the moved body.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Origin of the joint, in the world at the start [m].
    pub at: Option<Numbers<Length>>,
    /// Direction of its z axis, in the world at the start; z unless given.
    pub axis: Option<Numbers<Plain>>,
    /// Direction of its x axis, in the world at the start, made perpendicular to the z axis; an arbitrary direction
    /// unless given.
    pub x_axis: Option<Numbers<Plain>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// Options of the displacement along x [m].
    pub x: Option<Axis<Linear>>,
    /// Options of the displacement along y [m].
    pub y: Option<Axis<Linear>>,
    /// Options of the displacement along z [m].
    pub z: Option<Axis<Linear>>,
    /// Options of the angle about x [rad].
    pub rx: Option<Axis<Angular>>,
    /// Options of the angle about y [rad].
    pub ry: Option<Axis<Angular>>,
    /// Options of the angle about z [rad].
    pub rz: Option<Axis<Angular>>,
}

/// Car wheel: the second body travels along an axis of the first, is steered about another one and rotates about its
/// own. Inclined axes give caster, kingpin inclination, the roll centre and anti-dive.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CarWheel {
    /// Names of the chassis and of the wheel.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Centre of the wheel, in the world at the start [m]; the origin of the wheel's body unless given.
    pub at: Option<Numbers<Length>>,
    /// Axis of the wheel, in the world at the start; y unless given.
    pub axis: Option<Numbers<Plain>>,
    /// Steering axis, in the world at the start; z unless given.
    pub steering_axis: Option<Numbers<Plain>>,
    /// Direction of the travel, in the world at the start, positive in compression; z unless given.
    pub travel_axis: Option<Numbers<Plain>>,
    /// Options of the travel [m]; free unless given.
    pub travel: Option<Axis<Linear>>,
    /// Options of the steering angle [rad]; locked unless given.
    pub steering: Option<Axis<Angular>>,
    /// Options of the rotation [rad]; free unless given.
    pub rotation: Option<Axis<Angular>>,
}

/// Drag spring: pulls a point of the second body to a target on the first by a spring and damper with a bounded force.
/// Defaults are derived from the mass of the second body.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DragSpring {
    /// Names of the body with the target and of the body that is pulled.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Point of the second body, in the world at the start [m]; its origin unless given.
    pub at: Option<Numbers<Length>>,
    /// Target, in the world at the start [m]; the initial position of the point unless given.
    pub to: Option<Numbers<Length>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// Stiffness, 0 if only `damping` is given [N/m]; a natural frequency of 3 Hz unless given.
    pub stiffness: Option<Number<Stiffness>>,
    /// Damping, 0 if only `stiffness` is given [N·s/m]; critical unless given.
    pub damping: Option<Number<Damping>>,
    /// Largest force [N]; ten times the weight of the second body on earth unless given.
    pub force: Option<Number<MostForce>>,
    /// Whether the orientation relative to the first body is held as well; false unless given.
    pub orientation: Option<bool>,
    /// Rotational stiffness, 0 if only `rotational_damping` is given [N·m/rad]; a natural frequency of 3 Hz unless
    /// given.
    pub rotational_stiffness: Option<Number<AngularStiffness>>,
    /// Rotational damping, 0 if only `rotational_stiffness` is given [N·m·s/rad]; critical unless given.
    pub rotational_damping: Option<Number<AngularDamping>>,
    /// Largest torque [N·m]; `force` times the radius of gyration of the second body unless given.
    pub torque: Option<Number<MostTorque>>,
}
