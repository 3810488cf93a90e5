//! Joints as the file has them.
//!
//! A joint is placed in world coordinates at the start of the run: a point `at` and an `axis`. Or by `frames`, one
//! in the axes of each body. The first body is the base, the second the moved part; coordinates are those of the
//! second against the first, and 0 at the start unless the joint is given by frames.

use super::body::Rotation;
use super::motion::Motion;
use crate::number::{
    Coordinate, Damping, Four, Length, List, MostForce, MostTorque, Number, Numbers, Plain, Reach, Share,
    Stiffness, Turn, TurnDamping, TurnStiffness, Way,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Names of the two bodies of a joint.
pub type Pair = [Spanned<String>; 2];

/// Names of joints in URDF, Drake and Chrono, and the kinds they stand for; `Joint` accepts both.
pub const ALIASES: [(&str, &str); 4] =
    [("revolute", "hinge"), ("prismatic", "slider"), ("spherical", "ball"), ("fixed", "weld")];

/// A joint: one kind, and what holds for all kinds. In boxes, since all but one are absent.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// A point of each body at one position; all rotation is free. Also called `spherical`.
    #[serde(alias = "spherical")]
    pub ball: Option<Box<Ball>>,
    /// Rotates about an axis. Also called `revolute`.
    #[serde(alias = "revolute")]
    pub hinge: Option<Box<Hinge>>,
    /// Slides along an axis without rotation. Also called `prismatic`.
    #[serde(alias = "prismatic")]
    pub slider: Option<Box<Slider>>,
    /// Rotates about and slides along an axis.
    pub cylindrical: Option<Box<Cylinder>>,
    /// Rotates about two crossed axes (Cardan joint).
    pub universal: Option<Box<Universal>>,
    /// Two shafts that turn at the same rate at any bend.
    pub constant_velocity: Option<Box<ConstantVelocity>>,
    /// Two bodies rigidly connected. Also called `fixed`.
    #[serde(alias = "fixed")]
    pub weld: Option<Box<Weld>>,
    /// The distance of two points: a rod, a rope, a spring, a telescope.
    pub distance: Option<Box<Distance>>,
    /// A point of the second body on a line of the first.
    pub point_on_line: Option<Box<PointOnLine>>,
    /// A point of the second body in a plane of the first.
    pub point_on_plane: Option<Box<PointOnPlane>>,
    /// A plane of the second body in a plane of the first.
    pub planar: Option<Box<Planar>>,
    /// A cylinder joint whose way is tied to its turn.
    pub screw: Option<Box<Screw>>,
    /// Ties the turns of two joints.
    pub gear: Option<Box<Gear>>,
    /// Ties the way of one joint to the turn of another.
    pub rack: Option<Box<Rack>>,
    /// Ties the turn of a joint to the mean turn of two others.
    pub differential: Option<Box<Differential>>,
    /// Ties any coordinates of joints by a sum.
    pub linear_coupling: Option<Box<Couple>>,
    /// All six coordinates, each as you like.
    pub six_dof: Option<Box<Six>>,
    /// A hand: a point of the second body is pulled to a point of the first, gently and with a bounded force.
    pub drag_spring: Option<Box<Grab>>,
    /// How far the joint gives; not at all unless given.
    pub compliance: Option<Box<Compliance>>,
    /// Largest reaction it bears, beyond which it breaks; unbreakable unless given.
    pub strength: Option<Box<Strength>>,
}

/// A frame fixed in a body, in the body's axes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Its origin [m]; 0 unless given.
    pub at: Option<Numbers<Length>>,
    /// Its attitude as a quaternion [w, x, y, z]; no turn unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Its attitude as a turn about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
}

/// How far a joint gives: spring and damper in place of rigid rows.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Compliance {
    /// Against parting.
    pub linear: Option<Give<Way>>,
    /// Against tilting.
    pub angular: Option<Give<Turn>>,
}

/// A spring and damper side by side.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Give_for_{C}")]
pub struct Give<C: Coordinate> {
    /// Stiffness [N/m or N·m/rad].
    pub stiffness: Number<C::Stiffness>,
    /// Damping [N·s/m or N·m·s/rad]; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
}

/// Largest reaction a joint bears.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// Largest force [N]; no limit unless given.
    pub force: Option<Number<MostForce>>,
    /// Largest torque [N·m]; no limit unless given.
    pub torque: Option<Number<MostTorque>>,
}

/// A motor: it wants a speed.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Motor_for_{C}")]
pub struct Motor<C: Coordinate> {
    /// Wanted speed [m/s or rad/s].
    pub speed: Number<C::Speed>,
    /// Largest force [N or N·m]; no limit unless given.
    pub force: Option<Number<C::Force>>,
    /// Largest force of the brake, which holds while a speed of 0 is commanded [N or N·m]; `force` unless given.
    pub brake: Option<Number<C::Force>>,
    /// Slip per force [(m/s)/N or (rad/s)/(N·m)]; 0 unless given.
    pub droop: Option<Number<C::Loss>>,
}

/// A servo: it wants a place.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Servo_for_{C}")]
pub struct Servo<C: Coordinate> {
    /// Wanted value [m or rad].
    pub target: Number<C::Value>,
    /// Stiffness [N/m or N·m/rad].
    pub stiffness: Number<C::Stiffness>,
    /// Damping [N·s/m or N·m·s/rad]; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
    /// Largest force [N or N·m]; no limit unless given.
    pub force: Option<Number<C::Force>>,
}

/// A spring and damper along a coordinate.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Spring_for_{C}")]
pub struct Spring<C: Coordinate> {
    /// Stiffness k₁ [N/m or N·m/rad], the force being k₁ x + k₂ x |x| + k₃ x³ at a stretch x; 0 unless given.
    pub stiffness: Option<Number<C::Stiffness>>,
    /// k₂ [N/m² or N·m/rad²]; 0 unless given.
    pub quadratic: Option<Number<C::QuadraticStiffness>>,
    /// k₃ [N/m³ or N·m/rad³]; 0 unless given.
    pub cubic: Option<Number<C::CubicStiffness>>,
    /// The force over the stretch through points, instead of k₁, k₂ and k₃.
    pub table: Option<ForceTable<C>>,
    /// Damping c₁ [N·s/m or N·m·s/rad], the force being c₁ v + c₂ v |v| at a speed v; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
    /// c₂ [N·s²/m² or N·m·s²/rad²]; 0 unless given.
    pub quadratic_damping: Option<Number<C::QuadraticDamping>>,
    /// Up to eight springs beside it that slide at a force, Jenkins elements: as it is let go it follows other forces than as it is
    /// stretched.
    #[schemars(with = "Option<Vec<Jenkins<C>>>")]
    pub hysteresis: Option<Spanned<Vec<Jenkins<C>>>>,
    /// Value without force [m or rad]; 0, of a distance the one at the start, unless given.
    pub rest: Option<Number<C::Value>>,
}

/// A spring in line with a dry slider: elastic up to a force, at which it slides.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Jenkins_for_{C}")]
pub struct Jenkins<C: Coordinate> {
    /// Stiffness before it slides [N/m or N·m/rad], above 0.
    pub stiffness: Number<C::Stiffness>,
    /// Force at which it slides [N or N·m], above 0.
    pub force: Number<C::Force>,
}

/// A force over a stretch, through points. Beyond its ends it goes on straight.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "ForceTable_for_{C}")]
pub struct ForceTable<C: Coordinate> {
    /// Increasing stretches from `rest` [m or rad], at least two.
    #[schemars(with = "List<C::Value>")]
    pub stretch: Numbers<C::Value>,
    /// The force that resists each [N or N·m], negative where it pushes outward.
    #[schemars(with = "List<C::Effort>")]
    pub force: Numbers<C::Effort>,
    /// How points are joined; "monotone" unless given.
    pub join: Option<ForceJoin>,
}

/// How a table of forces is joined between its points.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ForceJoin {
    /// Straight lines: the stiffness jumps at the points.
    Linear,
    /// Cubics without overshoot: the stiffness is continuous.
    Monotone,
}

/// Ends of travel.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Limits_for_{C}")]
pub struct Limits<C: Coordinate> {
    /// Smallest value [m or rad]; none unless given.
    pub low: Option<Number<C::Value>>,
    /// Largest value [m or rad]; none unless given.
    pub high: Option<Number<C::Value>>,
    /// Stiffness of the stops [N/m or N·m/rad]; hard unless given.
    pub stiffness: Option<Number<C::Stiffness>>,
    /// Damping of the stops [N·s/m or N·m·s/rad]; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
    /// Rebound speed per approach speed, 0 to 1; 0 unless given.
    pub restitution: Option<Number<Share>>,
}

/// What acts along one coordinate of a joint with several.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "Axis_for_{C}")]
pub struct Axis<C: Coordinate> {
    /// Holds a value [m or rad].
    pub lock: Option<Number<C::Value>>,
    /// Wants a speed.
    pub motor: Option<Motor<C>>,
    /// Wants a place.
    pub servo: Option<Servo<C>>,
    /// Follows a function of time exactly.
    pub prescribed: Option<Motion<C>>,
    /// A spring and damper.
    pub spring: Option<Spring<C>>,
    /// Ends of travel.
    pub limits: Option<Limits<C>>,
    /// Dry friction: largest force [N or N·m]; 0 unless given.
    pub friction: Option<Number<C::Force>>,
    /// Viscous friction [N·s/m or N·m·s/rad]; 0 unless given.
    pub damping: Option<Number<C::Damping>>,
}

/// Declares a joint of one coordinate, whose options stand beside its own keys.
macro_rules! joint_of_one {
    ($(#[$doc:meta])* $name:ident of $c:ident { $($(#[$note:meta])* $key:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Names of the base and of the moved part.
            #[schemars(with = "[String; 2]")]
            pub bodies: Pair,
            $($(#[$note])* pub $key: $type,)*
            /// Frames in the axes of the two bodies, instead of a placement in the world.
            #[schemars(with = "Option<[Frame; 2]>")]
            pub frames: Option<Spanned<[Frame; 2]>>,
            /// Holds a value [m or rad].
            pub lock: Option<Number<<$c as Coordinate>::Value>>,
            /// Wants a speed.
            pub motor: Option<Motor<$c>>,
            /// Wants a place.
            pub servo: Option<Servo<$c>>,
            /// Follows a function of time exactly.
            pub prescribed: Option<Motion<$c>>,
            /// A spring and damper.
            pub spring: Option<Spring<$c>>,
            /// Ends of travel.
            pub limits: Option<Limits<$c>>,
            /// Dry friction: largest force [N or N·m]; 0 unless given.
            pub friction: Option<Number<<$c as Coordinate>::Force>>,
            /// Viscous friction [N·s/m or N·m·s/rad]; 0 unless given.
            pub damping: Option<Number<<$c as Coordinate>::Damping>>,
        }

        impl $name {
            /// What acts along its coordinate.
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
    /// Turns about an axis; its coordinate is the angle [rad].
    Hinge of Turn {
        /// A point of the axis in the world [m].
        at: Option<Numbers<Length>>,
        /// The axis in the world.
        axis: Option<Numbers<Plain>>,
    }
}

joint_of_one! {
    /// Slides along an axis; its coordinate is the way [m].
    Slider of Way {
        /// A point of the axis in the world [m]; the second body's origin unless given.
        at: Option<Numbers<Length>>,
        /// The axis in the world.
        axis: Option<Numbers<Plain>>,
    }
}

joint_of_one! {
    /// A screw: its coordinate is the angle [rad], its way goes with it.
    Screw of Turn {
        /// A point of the axis in the world [m].
        at: Option<Numbers<Length>>,
        /// The axis in the world.
        axis: Option<Numbers<Plain>>,
        /// Way per turn [m]; negative for a left-hand thread.
        lead: Number<Length>,
    }
}

joint_of_one! {
    /// A point of the second body on a line of the first; its coordinate is the way along the line [m].
    PointOnLine of Way {
        /// The point in the world [m].
        at: Option<Numbers<Length>>,
        /// The line in the world.
        axis: Option<Numbers<Plain>>,
    }
}

joint_of_one! {
    /// The distance of two points; its coordinate is the distance [m]. Without options a rod.
    Distance of Way {
        /// A point on each body, in the world [m].
        points: Option<[Numbers<Length>; 2]>,
        /// The distance of a rod [m].
        length: Option<Number<Reach>>,
        /// Least distance [m].
        min: Option<Number<Reach>>,
        /// Greatest distance [m]: a rope of fixed length, which pulls and never pushes.
        max: Option<Number<Reach>>,
        /// Greatest distance as a function of time [m]: a rope on a winch.
        #[schemars(with = "Option<Motion<Way>>")]
        max_length: Option<Spanned<Motion<Way>>>,
    }
}

/// A point of each body in one place.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ball {
    /// Names of the two bodies.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// The point in the world [m].
    pub at: Option<Numbers<Length>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
}

/// Two bodies as one.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Weld {
    /// Names of the two bodies.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Where they are joined, in the world: reactions are told about it [m]; the second body's origin unless given.
    pub at: Option<Numbers<Length>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
}

/// Turns about and slides along an axis.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Names of the base and of the moved part.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// A point of the axis in the world [m].
    pub at: Option<Numbers<Length>>,
    /// The axis in the world.
    pub axis: Option<Numbers<Plain>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// What acts along the turn [rad].
    pub rotation: Option<Axis<Turn>>,
    /// What acts along the way [m].
    pub slide: Option<Axis<Way>>,
}

/// Turns about two crossed axes.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Universal {
    /// Names of the two bodies.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Where the axes cross, in the world [m].
    pub at: Option<Numbers<Length>>,
    /// The axis fixed in the first body and that fixed in the second, at right angles.
    #[schemars(with = "Option<[Numbers<Plain>; 2]>")]
    pub axes: Option<Spanned<[Numbers<Plain>; 2]>>,
    /// Frames in the axes of the two bodies (first axis x of the one, second axis y of the other), instead.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// What acts about the first axis [rad].
    pub first: Option<Axis<Turn>>,
    /// What acts about the second axis [rad].
    pub second: Option<Axis<Turn>>,
}

/// Two shafts that turn at the same rate at any bend.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantVelocity {
    /// Names of the two shafts.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Where they meet, in the world [m].
    pub at: Option<Numbers<Length>>,
    /// Directions of the first and second shaft, both along the flow of power.
    #[schemars(with = "Option<[Numbers<Plain>; 2]>")]
    pub axes: Option<Spanned<[Numbers<Plain>; 2]>>,
    /// Frames in the axes of the two bodies (shafts along z), instead.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
}

/// A point of the second body in a plane of the first.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PointOnPlane {
    /// Names of the plane's body and the point's.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// The point in the world [m].
    pub at: Option<Numbers<Length>>,
    /// The normal of the plane in the world.
    pub axis: Option<Numbers<Plain>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
}

/// A plane of the second body in a plane of the first.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Planar {
    /// Names of the base and of the moved part.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// A point of the plane in the world [m].
    pub at: Option<Numbers<Length>>,
    /// The normal of the plane in the world.
    pub axis: Option<Numbers<Plain>>,
    /// Direction of the first way in the world, made square to the normal; some direction unless given.
    pub x_axis: Option<Numbers<Plain>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// What acts along the first way [m].
    pub x: Option<Axis<Way>>,
    /// What acts along the second way [m].
    pub y: Option<Axis<Way>>,
    /// What acts along the turn [rad].
    pub rotation: Option<Axis<Turn>>,
}

/// Ties the turns of two joints: the first turns `ratio` times as fast as the second.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// Names of two hinges, cylinders or screws.
    #[schemars(with = "[String; 2]")]
    pub joints: [Spanned<String>; 2],
    /// Turns of the first per turn of the second; negative for outside teeth.
    pub ratio: Number<Plain>,
}

/// Ties the way of a slider to the turn of a hinge.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rack {
    /// Name of the pinion's hinge.
    #[schemars(with = "String")]
    pub pinion: Spanned<String>,
    /// Name of the rack's slider.
    #[schemars(with = "String")]
    pub slider: Spanned<String>,
    /// Way per radian: the pinion's pitch radius [m]; negative if the rack moves against the turn.
    pub radius: Number<Length>,
}

/// An open differential: the input turns by the mean of the outputs.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Differential {
    /// Name of the input's hinge.
    #[schemars(with = "String")]
    pub input: Spanned<String>,
    /// Names of the outputs' hinges.
    #[schemars(with = "[String; 2]")]
    pub outputs: [Spanned<String>; 2],
}

/// Ties any coordinates of joints: the sum of factor · coordinate stays as it is. Ways count in m, turns in rad.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Couple {
    /// What is summed up; two or more.
    #[schemars(with = "Vec<Term>")]
    pub terms: Spanned<Vec<Term>>,
    /// What the sum is; as it stands at the start unless given.
    pub offset: Option<Number<Plain>>,
}

/// A coordinate of a joint and its factor in a sum.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Name of the joint.
    #[schemars(with = "String")]
    pub joint: Spanned<String>,
    /// Which of its coordinates, counted from 1; 1 unless given.
    #[schemars(with = "Option<i64>")]
    pub coordinate: Option<Spanned<i64>>,
    /// What it is multiplied by; 1 unless given.
    pub factor: Option<Number<Plain>>,
}

/// All six coordinates, each free unless something is given.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Six {
    /// Names of the base and of the moved part.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// Origin of the joint in the world [m].
    pub at: Option<Numbers<Length>>,
    /// Its z axis in the world; z unless given.
    pub axis: Option<Numbers<Plain>>,
    /// Its x axis in the world, made square to the z axis; some direction unless given.
    pub x_axis: Option<Numbers<Plain>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// What acts along x [m].
    pub x: Option<Axis<Way>>,
    /// What acts along y [m].
    pub y: Option<Axis<Way>>,
    /// What acts along z [m].
    pub z: Option<Axis<Way>>,
    /// What acts about x [rad].
    pub rx: Option<Axis<Turn>>,
    /// What acts about y [rad].
    pub ry: Option<Axis<Turn>>,
    /// What acts about z [rad].
    pub rz: Option<Axis<Turn>>,
}

/// A point of the second body is pulled to a target on the first. What is left out is made for the second body's mass.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Grab {
    /// Names of the body that the target is on and of the body that is grabbed.
    #[schemars(with = "[String; 2]")]
    pub bodies: Pair,
    /// The point that is grabbed, in the world at the start [m]; the second body's origin unless given.
    pub at: Option<Numbers<Length>>,
    /// Where it is pulled to, in the world at the start [m]; where it is unless given.
    pub to: Option<Numbers<Length>>,
    /// Frames in the axes of the two bodies, instead of a placement in the world.
    #[schemars(with = "Option<[Frame; 2]>")]
    pub frames: Option<Spanned<[Frame; 2]>>,
    /// Stiffness of the pull, 0 beside a `damping` alone [N/m]; that of a swing of 3 Hz unless given.
    pub stiffness: Option<Number<Stiffness>>,
    /// Damping of the pull, 0 beside a `stiffness` alone [N·s/m]; critical unless given.
    pub damping: Option<Number<Damping>>,
    /// Largest force [N]; ten times the body's weight on earth unless given.
    pub force: Option<Number<MostForce>>,
    /// Whether its attitude against the first body is held, too; false unless given.
    pub orientation: Option<bool>,
    /// Stiffness that holds the attitude, 0 beside a `rotational_damping` alone [N·m/rad]; that of a swing of
    /// 3 Hz unless given.
    pub rotational_stiffness: Option<Number<TurnStiffness>>,
    /// Damping of the attitude, 0 beside a `rotational_stiffness` alone [N·m·s/rad]; critical unless given.
    pub rotational_damping: Option<Number<TurnDamping>>,
    /// Largest torque [N·m]; that of the largest force at the body's radius of gyration unless given.
    pub torque: Option<Number<MostTorque>>,
}
