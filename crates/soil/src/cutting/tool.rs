//! Geometry of a tool that cuts soil, in the axes of its body, and where the body is.
//!
//! ```text
//!   face ▲    height along `face`, from the edge up; the soil is on the side edge × face
//!        │ ╲
//!        │  ╲──── edge: runs from right to left as seen in the direction of cutting
//! ```
//!
//! The face may be curved forward as an arc that starts along `face` at the edge; its rake is that of the chord over
//! the part in soil. A tool with end plates is a bucket: of width w, height H and plates of length L it holds w H L. When
//! it is full, the plane from its edge to the far corner of its end plates, H face + L side, cuts ([`Pose::fill`]).

use glam::{DMat3, DVec3};
use thiserror::Error;
use windlass_engine::prelude::Twist;

/// A bucket, blade, ripper or plough.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Cutting edge as a polyline [m].
    pub edge: Vec<DVec3>,
    /// Direction of the face at the edge, upwards.
    pub face: DVec3,
    /// Length of the face in that direction [m].
    pub height: f64,
    /// Radius of a face that curves forward [m]; infinite for a plane.
    pub radius: f64,
    /// Thickness of the edge [m].
    pub thickness: f64,
    /// Length of end plates behind the edge [m]. Without end plates, the wedge has side crescents.
    pub end_plates: Option<f64>,
    /// Teeth before the edge.
    pub teeth: Option<Teeth>,
}

/// Teeth, evenly spaced over the edge; they extend the face downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teeth {
    /// Number over the whole edge.
    pub count: u32,
    /// Width of each [m].
    pub width: f64,
    /// Length beyond the edge [m].
    pub length: f64,
    /// Thickness of the tips [m].
    pub thickness: f64,
}

/// Position and motion of a tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Origin of the tool's axes in the world [m]. Torques are about this point.
    pub position: DVec3,
    /// Axes of the tool as columns.
    pub axes: DMat3,
    /// Velocity of the origin and angular velocity, world axes.
    pub motion: Twist,
    /// Direction from the edge to the front of the fill, world axes, if soil fills the tool up to its edge. This plane
    /// of soil then cuts in place of the face, with the friction and cohesion of the soil, unless it leans too far forward
    /// for a wedge to fail.
    pub fill: Option<DVec3>,
}

/// What is wrong with a tool.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ToolError {
    /// Less than two points, or all at one place.
    #[error(
        "the edge of the tool has no length: give two or more points, from right to left in the direction of cutting"
    )]
    NoEdge,
    /// No direction, or no height.
    #[error(
        "the face of the tool has no {0}: give a direction from the edge upwards and a height above zero"
    )]
    NoFace(&'static str),
    /// The face runs along the edge everywhere.
    #[error("the face of the tool runs along its edge: give the direction from the edge up the face")]
    FaceAlongEdge,
    /// A dimension that is below zero or not a number.
    #[error("{0} of the tool is {1}: it must not be negative")]
    Negative(&'static str, f64),
}

impl Tool {
    /// A plane face without end plates or teeth.
    pub fn blade(edge: Vec<DVec3>, face: DVec3, height: f64, thickness: f64) -> Self {
        Self { edge, face, height, radius: f64::INFINITY, thickness, end_plates: None, teeth: None }
    }

    /// Checks the dimensions.
    pub fn check(&self) -> Result<(), ToolError> {
        if !(self.length() > 0.0) {
            return Err(ToolError::NoEdge);
        }
        if !(self.face.length_squared() > 0.0) {
            return Err(ToolError::NoFace("direction"));
        }
        // within about 0.06 degrees
        let across = |pair: &[DVec3]| {
            let (along, face) = (pair[1] - pair[0], self.face);
            along.cross(face).length() > 1e-3 * along.length() * face.length()
        };
        if !self.edge.windows(2).any(across) {
            return Err(ToolError::FaceAlongEdge);
        }
        if !(self.height > 0.0) {
            return Err(ToolError::NoFace("height"));
        }
        let teeth = self.teeth.map_or([0.0; 3], |teeth| [teeth.width, teeth.length, teeth.thickness]);
        let dimensions = [
            ("radius of the face", self.radius),
            ("thickness of the edge", self.thickness),
            ("length of the end plates", self.end_plates.unwrap_or(0.0)),
            ("width of the teeth", teeth[0]),
            ("length of the teeth", teeth[1]),
            ("thickness of the teeth", teeth[2]),
        ];
        let wrong = dimensions.into_iter().find(|&(_, value)| !(value >= 0.0));
        wrong.map_or(Ok(()), |(name, value)| Err(ToolError::Negative(name, value)))
    }

    /// Volume between face and end plates [m³]; none without end plates.
    pub fn capacity(&self) -> Option<f64> {
        self.end_plates.filter(|length| *length > 0.0).map(|length| self.length() * self.height * length)
    }

    /// Direction from the edge to the far corner of the end plates, in the tool's axes: a full load ends there.
    pub fn opening(&self) -> Option<DVec3> {
        let along = *self.edge.last()? - *self.edge.first()?;
        let side = along.cross(self.face).try_normalize()?;
        let length = self.end_plates.filter(|length| *length > 0.0)?;
        (self.face.normalize_or_zero() * self.height + side * length).try_normalize()
    }

    /// Length of the edge [m].
    pub fn length(&self) -> f64 {
        self.edge.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }
}

impl Pose {
    /// A point of the tool in the world.
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.position + self.axes * local
    }

    /// Velocity of a point of the tool, given in the world.
    pub fn velocity(&self, point: DVec3) -> DVec3 {
        self.motion.velocity + self.motion.angular_velocity.cross(point - self.position)
    }
}
