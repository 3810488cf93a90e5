//! Walls: shapes with prescribed motion.
//!
//! A wall has its pose at the end of the step and the velocity of its owner over the step. Its pose at a time τ before
//! the end follows from that velocity.

use super::hull::Hull;
use super::mesh::Mesh;
use glam::{DMat3, DQuat, DVec3, dvec3};
use std::sync::Arc;

/// Shape of a wall, in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub enum WallShape {
    /// Everything below z = 0.
    Plane,
    /// A sphere about the origin with a radius [m].
    Sphere(f64),
    /// A cuboid about the origin with half of each side [m].
    Box(DVec3),
    /// A cylinder with hemispheres at its ends, axis z.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Half of the straight part [m].
        half_length: f64,
    },
    /// A cylinder, axis z.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half of the length [m].
        half_length: f64,
    },
    /// A convex hull.
    Hull(Arc<Hull>),
    /// A surface of triangles.
    Mesh(Arc<Mesh>),
}

/// A wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Its number, different from that of all other walls and below `u64::MAX`. It identifies contacts over steps.
    pub id: u64,
    /// Its shape.
    pub shape: WallShape,
    /// Origin of the shape at the end of the step [m].
    pub position: DVec3,
    /// Orientation of the shape at the end of the step.
    pub rotation: DQuat,
    /// The body that it is part of; none for a fixed wall.
    pub owner: Option<u32>,
    /// Reference point of the owner at the end of the step, for velocities and moments [m].
    pub origin: DVec3,
    /// Velocity of the reference point over the step [m/s].
    pub velocity: DVec3,
    /// Angular velocity of the owner over the step [rad/s].
    pub spin: DVec3,
    /// Coefficient of friction of soil on the wall, tan δ.
    pub friction: f64,
    /// Adhesion of soil on the wall [Pa].
    pub adhesion: f64,
    /// Whether soils have their own friction and adhesion on it, if they have any (`LooseSoil::steel`).
    pub is_steel: bool,
}

impl Wall {
    /// A fixed wall with friction.
    pub fn fixed(id: u64, shape: WallShape, (position, rotation): (DVec3, DQuat), friction: f64) -> Wall {
        Wall {
            id,
            shape,
            position,
            rotation,
            owner: None,
            origin: DVec3::ZERO,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            friction,
            adhesion: 0.0,
            is_steel: false,
        }
    }

    /// Distance of a point from its surface at the end of the step, negative inside; of a surface of triangles where the
    /// point is within `reach` of it [m].
    pub fn distance(&self, point: DVec3, reach: f64) -> f64 {
        let q = self.pose_before(0.0).local(point);
        let WallShape::Mesh(mesh) = &self.shape else { return self.shape.nearest(q, u32::MAX).1 };
        let mut least = f64::INFINITY;
        mesh.near(q, reach, |triangle| least = least.min(mesh.touch(triangle, q, reach).distance.abs()));
        least
    }

    /// Whether its numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        let vectors = [self.position, self.origin, self.velocity, self.spin];
        let numbers = self.friction >= 0.0 && self.friction.is_finite() && self.adhesion.is_finite();
        numbers && vectors.iter().all(|v| v.is_finite()) && self.rotation.is_finite()
    }

    /// Whether a ball comes near it.
    pub fn reaches(&self, centre: DVec3, radius: f64) -> bool {
        let plane = matches!(self.shape, WallShape::Plane);
        self.is_finite() && (plane || self.position.distance(centre) < radius + self.shape.radius())
    }

    /// Its pose at a time before the end of the step [s].
    pub(super) fn pose_before(&self, time: f64) -> Pose {
        let back = DQuat::from_scaled_axis(-self.spin * time);
        let origin = self.origin - self.velocity * time;
        let position = origin + back * (self.position - self.origin);
        Pose { axes: DMat3::from_quat(back * self.rotation), position, origin }
    }

    /// Greatest speed of a point of the wall [m/s]; for a plane that of its reference points.
    pub(super) fn speed(&self) -> f64 {
        let arm = (self.position - self.origin).length() + self.shape.radius();
        self.velocity.length() + self.spin.length() * arm
    }
}

/// A pose within the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    axes: DMat3,
    position: DVec3,
    pub origin: DVec3,
}

impl Pose {
    pub fn local(&self, point: DVec3) -> DVec3 {
        self.axes.transpose() * (point - self.position)
    }

    pub fn world(&self, direction: DVec3) -> DVec3 {
        self.axes * direction
    }

    /// Corners of the box along the world axes around a box of the shape.
    pub fn bounds(&self, (low, high): (DVec3, DVec3)) -> (DVec3, DVec3) {
        let (centre, half) = (self.position + self.axes * (0.5 * (low + high)), 0.5 * (high - low));
        let reach = self.axes.x_axis.abs() * half.x
            + self.axes.y_axis.abs() * half.y
            + self.axes.z_axis.abs() * half.z;
        (centre - reach, centre + reach)
    }
}

/// Impulse of all particles on the owner of walls over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WallImpulse {
    /// The owner; none for all fixed walls and the ground together.
    pub owner: Option<u32>,
    /// Impulse [N s].
    pub impulse: DVec3,
    /// Angular impulse about the owner's reference point [N m s].
    pub moment: DVec3,
}

/// The surface next to a centre: normal to the centre, signed distance of the centre, and the face.
pub(super) type Nearest = (DVec3, f64, u32);

impl WallShape {
    /// Corners of a box around it in its axes; none if it has no bounds.
    pub(super) fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let round = |radius: f64, length: f64| dvec3(radius, radius, length);
        let half = match self {
            WallShape::Plane => return None,
            WallShape::Sphere(radius) => DVec3::splat(*radius),
            WallShape::Box(half) => *half,
            WallShape::Capsule { radius, half_length } => round(*radius, radius + half_length),
            WallShape::Cylinder { radius, half_length } => round(*radius, *half_length),
            WallShape::Hull(hull) => {
                let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                return Some(hull.vertices().iter().fold(start, |(l, h), v| (l.min(*v), h.max(*v))));
            }
            WallShape::Mesh(mesh) => return Some(mesh.bounds()),
        };
        Some((-half, half))
    }

    /// Greatest distance of its points from its origin; 0 for a plane.
    fn radius(&self) -> f64 {
        self.bounds().map_or(0.0, |(low, high)| low.abs().max(high.abs()).length())
    }

    /// The surface next to a centre in the axes of the shape. A centre inside a box or hull leaves through the face
    /// `through`, if it is one. Triangle surfaces are evaluated triangle by triangle instead.
    pub(super) fn nearest(&self, q: DVec3, through: u32) -> Nearest {
        match self {
            WallShape::Plane | WallShape::Mesh(_) => (DVec3::Z, q.z, 0),
            WallShape::Sphere(radius) => round_at(q, *radius),
            WallShape::Capsule { radius, half_length } => {
                round_at(q - DVec3::Z * q.z.clamp(-half_length, *half_length), *radius)
            }
            WallShape::Box(half) => box_at(q, *half, through),
            WallShape::Cylinder { radius, half_length } => cylinder_at(q, *radius, *half_length),
            WallShape::Hull(hull) => hull.nearest(q, through),
        }
    }
}

fn round_at(away: DVec3, radius: f64) -> Nearest {
    let length = away.length();
    (if length > 1e-9 { away / length } else { DVec3::Z }, length - radius, 0)
}

fn box_at(q: DVec3, half: DVec3, through: u32) -> Nearest {
    let closest = q.clamp(-half, half);
    let away = (q - closest).length();
    if away > 1e-9 {
        let face = (0..6).find(|face| {
            q[face / 2].abs() == away + half[face / 2] && (q[face / 2] < 0.0) == (face % 2 == 1)
        });
        return ((q - closest) / away, away, face.map_or(u32::MAX, |face| face as u32));
    }
    let depth = half - q.abs();
    let shallowest =
        if depth.x <= depth.y && depth.x <= depth.z { 0 } else { 1 + u32::from(depth.z < depth.y) };
    let face = if through < 6 { through } else { 2 * shallowest + u32::from(q[shallowest as usize] < 0.0) };
    let (axis, sign) = ((face / 2) as usize, if face % 2 == 1 { -1.0 } else { 1.0 });
    (DVec3::AXES[axis] * sign, sign * q[axis] - half[axis], face)
}

fn cylinder_at(q: DVec3, radius: f64, half_length: f64) -> Nearest {
    let side = dvec3(q.x, q.y, 0.0);
    let out = side.length();
    let outward = if out > 1e-9 { side / out } else { DVec3::X };
    let end = DVec3::Z * if q.z < 0.0 { -1.0 } else { 1.0 };
    let (over_side, over_end) = (out - radius, q.z.abs() - half_length);
    if over_side > 0.0 && over_end > 0.0 {
        let away = outward * over_side + end * over_end;
        let length = away.length();
        return (away / length, length, 0);
    }
    if over_side > over_end { (outward, over_side, 0) } else { (end, over_end, 0) }
}
