//! The common model of URDF and MJCF: a tree of links, each with the coordinates by which it moves relative to its
//! parent, and constraints across the tree.
//!
//! ```text
//!  URDF ──urdf::read──┐
//!                     ├──▶ Machine ──merge──▶ Machine ──chain──▶ Draft ──write──▶ TOML
//!  MJCF ──mjcf::read──┘
//! ```
//!
//! With the poses X of the links, the fixed pose L of a link in its parent and the motions M of its coordinates in
//! order, X = X_parent · L · M₁(q₁) · M₂(q₂) … ; axes and points of a coordinate are in the link's axes.

use crate::error::Place;
use glam::{DQuat, DVec3};
use std::f64::consts::PI;
use std::ops::Mul;
use windlass_engine::math;
use windlass_engine::prelude::{Mass, Shape};

/// A position and an orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position [m].
    pub at: DVec3,
    /// Orientation.
    pub turn: DQuat,
}

impl Pose {
    /// The identity.
    pub const ZERO: Pose = Pose { at: DVec3::ZERO, turn: DQuat::IDENTITY };

    /// A pose; the orientation is normalised.
    pub fn new(at: DVec3, turn: DQuat) -> Pose {
        Pose { at, turn: math::unit(turn) }
    }

    /// The inverse.
    pub fn inverse(self) -> Pose {
        let turn = self.turn.inverse();
        Pose { at: turn * -self.at, turn }
    }

    /// Transforms a point from the inner to the outer axes.
    pub fn point(self, p: DVec3) -> DVec3 {
        self.at + self.turn * p
    }
}

impl Mul for Pose {
    type Output = Pose;
    /// Composes with the pose `inner`, given in the axes of this one.
    fn mul(self, inner: Pose) -> Pose {
        Pose::new(self.point(inner.at), self.turn * inner.turn)
    }
}

/// A machine as specified in the file.
#[derive(Debug, Default)]
pub struct Machine {
    /// Its name; may be empty.
    pub name: String,
    /// Step [s].
    pub dt: Option<f64>,
    /// Gravity [m/s²].
    pub gravity: Option<DVec3>,
    /// A link comes after its parent.
    pub links: Vec<Link>,
    /// Constraints across the tree.
    pub ties: Vec<LoopConstraint>,
    /// Pairs of links that do not collide with each other.
    pub excludes: Vec<[String; 2]>,
    /// Whether no two links collide with each other.
    pub apart: bool,
}

/// A link: a rigid body.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name.
    pub name: String,
    /// Its position in the file.
    pub place: Place,
    /// Its parent link; none for a root.
    pub parent: Option<usize>,
    /// A static root.
    pub fixed: bool,
    /// Its pose in the axes of its parent (of the world, if a root) with all coordinates at 0.
    pub pose: Pose,
    /// Its mass; none if it has none.
    pub mass: Option<Mass>,
    /// Whether the mass is that of its solids, to round-off.
    pub mass_of_solids: bool,
    /// Its shapes.
    pub solids: Vec<Solid>,
    /// Its motion relative to the parent, from the parent outward; welded to it if empty.
    pub coordinates: Vec<Coordinate>,
    /// Whether gravity acts on it.
    pub gravity: bool,
}

/// A shape on a link.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Its position in the file.
    pub place: Place,
    /// Its geometry.
    pub form: Form,
    /// Its pose in the link's axes.
    pub pose: Pose,
    /// Its mass [kg], if the link's mass is that of its solids; 0 for visuals.
    pub mass: f64,
    /// Red, green and blue, 0 to 1.
    pub color: Option<[f64; 3]>,
    /// Whether the file shows it; else it is drawn only where nothing else is.
    pub shown: bool,
    /// Its contact properties, if it collides.
    pub touch: Option<ContactProperties>,
    /// Whether it is only for collision: neither visible nor with mass.
    pub is_skin: bool,
}

/// Contact properties of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactProperties {
    /// Coefficients of sliding, torsional and rolling friction [1, m, m], and the contact dimension (`condim`):
    /// 1, 3, 4 or 6.
    pub rub: ([f64; 3], u8),
    /// Bits of its types.
    pub contype: u32,
    /// Bits of the types with which it collides.
    pub conaffinity: u32,
    /// The link it is on, if that is excluded from collision with another.
    pub body: Option<String>,
}

impl ContactProperties {
    /// Defaults of the file format.
    pub const PLAIN: ContactProperties =
        ContactProperties { rub: ([1.0, 0.005, 1e-4], 3), contype: 1, conaffinity: 1, body: None };
}

/// Geometry of a shape. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Full edge lengths.
    Box(DVec3),
    /// Radius.
    Sphere(f64),
    /// Radius and length, axis z.
    Cylinder(f64, f64),
    /// Radius and length of the straight part, axis z.
    Capsule(f64, f64),
    /// Semi-axes.
    Ellipsoid(DVec3),
    /// A file of triangles, by its path relative to the scene, and its scale.
    Mesh {
        /// Path relative to the scene.
        file: String,
        /// Metres per unit of the file.
        scale: f64,
        /// Whether it is closed; else it is replaced by its convex hull.
        closed: bool,
    },
    /// An unbounded plane, and the extent to which it is drawn along x and y.
    Plane(Option<[f64; 2]>),
    /// Terrain of given heights, row by row, and its total length along x and y.
    Terrain {
        /// Rows of heights; the first has the lowest y.
        rows: Vec<Vec<f64>>,
        /// Lengths.
        size: [f64; 2],
    },
}

/// Rings of points between the poles of the hull that replaces an ellipsoid.
const RINGS: usize = 8;

impl Form {
    /// The solid of a scene; none for a mesh, which is in its file. An ellipsoid is the hull of points on it.
    pub fn shape(&self) -> Option<Shape> {
        Some(match *self {
            Form::Box(size) => Shape::Box { half: size / 2.0 },
            Form::Sphere(radius) => Shape::Sphere { radius },
            Form::Cylinder(radius, length) => Shape::Cylinder { radius, half_length: length / 2.0 },
            Form::Capsule(radius, length) => Shape::Capsule { radius, half_length: length / 2.0 },
            Form::Ellipsoid(half) => Shape::Convex { points: ellipsoid(half) },
            Form::Mesh { .. } | Form::Plane(_) | Form::Terrain { .. } => return None,
        })
    }

    /// Whether a scene accepts it: it has an extent, and its aspect ratio is below a million.
    pub fn is_solid(&self) -> bool {
        let Some(shape) = self.shape() else { return true };
        shape.check().is_ok() && Mass::of(&shape, 1.0).is_ok_and(|mass| mass.check().is_ok())
    }
}

/// Points of an ellipsoid: its poles, and rings between them.
pub fn ellipsoid(half: DVec3) -> Vec<DVec3> {
    let mut points = vec![DVec3::Z * half.z, DVec3::NEG_Z * half.z];
    for ring in 1..RINGS {
        let (across, up) = libm::sincos(PI * ring as f64 / RINGS as f64);
        for corner in 0..2 * RINGS {
            let (sin, cos) = libm::sincos(PI * corner as f64 / RINGS as f64);
            points.push(DVec3::new(across * cos, across * sin, up) * half);
        }
    }
    points
}

/// A motion of a link relative to its parent.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Its name.
    pub name: String,
    /// Its position in the file.
    pub place: Place,
    /// Its kind.
    pub motion: Motion,
    /// Direction, of length 1, in the link's axes.
    pub axis: DVec3,
    /// A point of the axis in the link's axes [m].
    pub at: DVec3,
    /// Value at the reference pose of the model: a scene counts from there.
    pub zero: f64,
    /// Initial value, less `zero` [m or rad].
    pub start: f64,
    /// Drive, spring, limits and friction. Values are less `zero`.
    pub acts: Acts,
}

impl Link {
    /// A link without mass, shapes or coordinates.
    pub fn new(name: String, place: &Place, parent: Option<usize>, pose: Pose) -> Link {
        Link {
            name,
            place: place.clone(),
            parent,
            fixed: false,
            pose,
            mass: None,
            mass_of_solids: false,
            solids: Vec::new(),
            coordinates: Vec::new(),
            gravity: true,
        }
    }
}

/// The kind of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// Rotation about the axis.
    Hinge,
    /// Translation along the axis.
    Slide,
    /// Any rotation about the point; with this initial value.
    Ball(DQuat),
    /// Any motion; with this initial value.
    Free(Pose),
}

/// Drive, spring, limits and friction of a coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Acts {
    /// Lower limit [m or rad].
    pub low: Option<f64>,
    /// Upper limit [m or rad].
    pub high: Option<f64>,
    /// Stiffness and rest value of a spring.
    pub spring: Option<(f64, f64)>,
    /// Viscous damping: force per velocity.
    pub viscosity: f64,
    /// Maximum force of dry friction.
    pub friction: f64,
    /// Its drive.
    pub drive: Option<Drive>,
    /// Inertia of a rotor that rotates with it [kg or kg·m²].
    pub armature: f64,
}

/// The drive of a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// Locked at a value.
    Lock(f64),
    /// A spring-damper to a target position.
    Servo {
        /// Target position.
        target: f64,
        /// Force per displacement.
        stiffness: f64,
        /// Force per velocity.
        damping: f64,
        /// Maximum force.
        force: Option<f64>,
    },
    /// A target speed.
    Motor {
        /// Target speed.
        speed: f64,
        /// Speed droop per force.
        loss: f64,
        /// Maximum force.
        force: Option<f64>,
    },
}

/// A constraint across the tree.
#[derive(Clone, Debug)]
pub struct LoopConstraint {
    /// Its name.
    pub name: String,
    /// Its position in the file.
    pub place: Place,
    /// Its kind.
    pub kind: LoopKind,
}

/// A frame on a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkFrame {
    /// The link.
    pub link: usize,
    /// In the link's axes.
    pub pose: Pose,
}

/// The kind of a constraint.
#[derive(Clone, Debug)]
pub enum LoopKind {
    /// Two points coincide.
    Ball([LinkFrame; 2]),
    /// Two frames coincide.
    Weld([LinkFrame; 2]),
    /// The coordinate of the first name moves `ratio` times as fast as that of the second.
    Gear {
        /// Names of coordinates.
        names: [String; 2],
        /// Rate of the first per rate of the second.
        ratio: f64,
    },
    /// The distance of two points.
    Distance {
        /// The points.
        ends: [LinkFrame; 2],
        /// Minimum distance [m].
        low: Option<f64>,
        /// Maximum distance [m].
        high: Option<f64>,
        /// Stiffness, damping and rest length; without one, the initial distance.
        spring: Option<(f64, f64, Option<f64>)>,
        /// Dry friction [N].
        friction: f64,
    },
}

impl Coordinate {
    /// The motion from zero to the start, in the link's axes.
    pub fn started(&self) -> Pose {
        let about = |turn: DQuat| Pose::new(self.at - turn * self.at, turn);
        match self.motion {
            Motion::Hinge => about(math::turn(self.axis, self.start)),
            Motion::Slide => Pose { at: self.axis * self.start, turn: DQuat::IDENTITY },
            Motion::Ball(turn) => about(turn),
            Motion::Free(pose) => pose,
        }
    }

    /// Whether its initial value is not zero.
    pub fn is_started(&self) -> bool {
        self.started() != Pose::ZERO
    }

    /// The same coordinate in the axes of a link whose pose in the present one is `pose`.
    pub fn seen_from(mut self, pose: Pose) -> Coordinate {
        let back = pose.inverse();
        self.axis = back.turn * self.axis;
        self.at = back.point(self.at);
        self.motion = match self.motion {
            Motion::Ball(turn) => Motion::Ball(back.turn * turn * pose.turn),
            Motion::Free(start) => Motion::Free(back * start * pose),
            other => other,
        };
        self
    }

    /// Its number of degrees of freedom.
    pub fn freedoms(&self) -> usize {
        match self.motion {
            Motion::Hinge | Motion::Slide => 1,
            Motion::Ball(_) => 3,
            Motion::Free(_) => 6,
        }
    }
}

impl Acts {
    /// The same with the sign of the coordinate reversed.
    pub fn reversed(&self) -> Acts {
        let drive = self.drive.clone().map(|drive| match drive {
            Drive::Lock(value) => Drive::Lock(-value),
            Drive::Servo { target, stiffness, damping, force } => {
                Drive::Servo { target: -target, stiffness, damping, force }
            }
            Drive::Motor { speed, loss, force } => Drive::Motor { speed: -speed, loss, force },
        });
        Acts {
            low: self.high.map(|x| -x),
            high: self.low.map(|x| -x),
            spring: self.spring.map(|(k, rest)| (k, -rest)),
            drive,
            ..self.clone()
        }
    }
}

impl Machine {
    /// Poses of all links in the world with all coordinates at 0.
    pub fn at_zero(&self) -> Vec<Pose> {
        self.poses(|_| Pose::ZERO)
    }

    /// Poses of all links in the world at the start.
    pub fn at_start(&self) -> Vec<Pose> {
        self.poses(Coordinate::started)
    }

    fn poses(&self, motion: impl Fn(&Coordinate) -> Pose) -> Vec<Pose> {
        let mut poses: Vec<Pose> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let base = link.parent.map_or(Pose::ZERO, |p| poses[p]);
            poses.push(link.coordinates.iter().fold(base * link.pose, |pose, c| pose * motion(c)));
        }
        poses
    }
}
