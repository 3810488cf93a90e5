//! The joints. Each is one short file: its frames, its equations, its coordinates.
//!
//! Frame a (first anchor) is the base, frame b the follower; relative means b relative to a. Rotation axes and
//! sliding directions are along z.

pub mod axis;
pub mod constraint;
pub mod spring_curve;
pub mod wrap;

mod ball;
mod car_wheel;
mod constant_velocity;
mod cylinder;
mod distance;
mod hinge;
mod linear_coupling;
pub mod link;
mod planar;
mod point_on;
pub mod rope;
pub(crate) mod rope_history;
pub mod rope_rows;
mod screw;
mod six_dof;
mod slider;
mod tether;
mod universal;
mod weld;
pub mod winding;
mod wound;

pub use ball::Ball;
pub use car_wheel::CarWheel;
pub use constant_velocity::ConstantVelocity;
pub use cylinder::Cylinder;
pub use distance::Distance;
pub use hinge::Hinge;
pub use linear_coupling::{LinearCoupling, Measure};
pub use link::Link;
pub use planar::Planar;
pub use point_on::{PointOnLine, PointOnPlane};
pub use rope::Rope;
pub use screw::Screw;
pub use six_dof::SixDof;
pub use slider::Slider;
pub use tether::Tether;
pub use universal::Universal;
pub use weld::Weld;

use crate::body::mass::Mass;
use crate::row::Compliance;
use axis::Axis;
use constraint::{Constraint, ConstraintView};
use std::slice;
use std::sync::Arc;

/// Type of a joint. Boxed: otherwise a ball joint would be as large as a planar one, and a long chain of balls would
/// fill the caches.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is documented at its type")]
pub enum JointKind {
    Ball(Box<Ball>),
    Hinge(Box<Hinge>),
    Slider(Box<Slider>),
    Cylinder(Box<Cylinder>),
    Universal(Box<Universal>),
    ConstantVelocity(Box<ConstantVelocity>),
    Weld(Box<Weld>),
    Distance(Box<Distance>),
    Tether(Box<Tether>),
    PointOnLine(Box<PointOnLine>),
    PointOnPlane(Box<PointOnPlane>),
    Planar(Box<Planar>),
    Screw(Box<Screw>),
    LinearCoupling(Box<LinearCoupling>),
    SixDof(Box<SixDof>),
    CarWheel(Box<CarWheel>),
    Link(Box<Link>),
    Rope(Box<Rope>),
    /// A user-defined constraint from outside the crate.
    Custom(Arc<dyn Constraint>),
}

impl JointKind {
    /// Whether it constrains orientations rigidly, and not only points.
    pub fn constrains_orientation(&self) -> bool {
        !matches!(
            self,
            JointKind::Ball(_)
                | JointKind::Distance(_)
                | JointKind::PointOnLine(_)
                | JointKind::PointOnPlane(_)
                | JointKind::Tether(_)
                | JointKind::Link(_)
                | JointKind::Rope(_)
        )
    }
}

/// Largest reaction that a joint bears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// [N]
    pub force: f64,
    /// [N·m]
    pub torque: f64,
}

/// A joint of the model.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name in reports and scenes.
    pub name: String,
    /// Its type.
    pub kind: JointKind,
    /// Compliance of its rigid rows.
    pub compliance: Compliance,
    /// The load at which it breaks, if any.
    pub strength: Option<Strength>,
}

impl Joint {
    /// A rigid, unbreakable joint.
    pub fn new(name: impl Into<String>, kind: impl Into<JointKind>) -> Joint {
        Joint { name: name.into(), kind: kind.into(), compliance: Compliance::default(), strength: None }
    }

    /// The constraint of its type; the only `match` over types.
    pub fn constraint(&self) -> &dyn Constraint {
        match &self.kind {
            JointKind::Ball(j) => j.as_ref(),
            JointKind::Hinge(j) => j.as_ref(),
            JointKind::Slider(j) => j.as_ref(),
            JointKind::Cylinder(j) => j.as_ref(),
            JointKind::Universal(j) => j.as_ref(),
            JointKind::ConstantVelocity(j) => j.as_ref(),
            JointKind::Weld(j) => j.as_ref(),
            JointKind::Distance(j) => j.as_ref(),
            JointKind::Tether(j) => j.as_ref(),
            JointKind::PointOnLine(j) => j.as_ref(),
            JointKind::PointOnPlane(j) => j.as_ref(),
            JointKind::Planar(j) => j.as_ref(),
            JointKind::Screw(j) => j.as_ref(),
            JointKind::LinearCoupling(j) => j.as_ref(),
            JointKind::SixDof(j) => j.as_ref(),
            JointKind::CarWheel(j) => j.as_ref(),
            JointKind::Link(j) => j.as_ref(),
            JointKind::Rope(j) => j.as_ref(),
            JointKind::Custom(j) => j.as_ref(),
        }
    }

    /// Whether the bodies it joins may collide: a body that is dragged must not pass through its ground, and a load can
    /// be set down on the body that its rope hangs from.
    pub fn allows_contact(&self) -> bool {
        matches!(self.kind, JointKind::Tether(_) | JointKind::Rope(_))
    }

    /// The axes of its coordinates, for edits.
    pub(crate) fn axes_mut(&mut self) -> &mut [Axis] {
        match &mut self.kind {
            JointKind::Hinge(j) => slice::from_mut(&mut j.axis),
            JointKind::Slider(j) => slice::from_mut(&mut j.axis),
            JointKind::Distance(j) => slice::from_mut(&mut j.axis),
            JointKind::PointOnLine(j) => slice::from_mut(&mut j.axis),
            JointKind::Screw(j) => slice::from_mut(&mut j.axis),
            JointKind::Cylinder(j) => &mut j.axes,
            JointKind::Universal(j) => &mut j.axes,
            JointKind::Planar(j) => &mut j.axes,
            JointKind::SixDof(j) => &mut j.axes,
            JointKind::CarWheel(j) => &mut j.axes,
            JointKind::Ball(_)
            | JointKind::ConstantVelocity(_)
            | JointKind::Weld(_)
            | JointKind::Tether(_) => &mut [],
            JointKind::Link(_) | JointKind::Rope(_) => &mut [],
            JointKind::PointOnPlane(_) | JointKind::LinearCoupling(_) | JointKind::Custom(_) => &mut [],
        }
    }

    /// Sets unspecified parameters: the phase of couplings and screws from the present pose, the springs of a tether
    /// from the mass of the body at its second anchor.
    pub(crate) fn settle(&mut self, held: Option<&Mass>, view: &ConstraintView<'_>) {
        match &mut self.kind {
            JointKind::LinearCoupling(j) => j.settle(view),
            JointKind::Screw(j) => j.settle(view),
            JointKind::Rope(j) => j.settle(view),
            JointKind::Tether(j) => {
                if let Some(mass) = held {
                    j.settle(mass);
                }
            }
            _ => {}
        }
    }
}

/// Converts each joint type into a `JointKind` by `into()`.
macro_rules! kinds {
    ($($name:ident),*) => {$(
        impl From<$name> for JointKind {
            fn from(joint: $name) -> JointKind {
                JointKind::$name(Box::new(joint))
            }
        }
    )*};
}
kinds!(Ball, Hinge, Slider, Cylinder, Universal, ConstantVelocity, Weld, Distance, Tether);
kinds!(PointOnLine, PointOnPlane, Planar, Screw, LinearCoupling, SixDof, CarWheel, Link, Rope);
