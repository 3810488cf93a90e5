//! Poses and bounding boxes, and properties of triangles.

use glam::{DMat3, DQuat, DVec3};

/// A frame's pose: x ↦ turn·x + at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub at: DVec3,
    pub turn: DMat3,
}

impl Pose {
    pub const IDENTITY: Pose = Pose { at: DVec3::ZERO, turn: DMat3::IDENTITY };

    pub fn new(at: DVec3, turn: DQuat) -> Pose {
        Pose { at, turn: DMat3::from_quat(turn) }
    }

    /// A point of the frame in outer coordinates.
    #[inline]
    pub fn point(&self, x: DVec3) -> DVec3 {
        self.turn * x + self.at
    }

    /// A direction in outer coordinates, in the frame's.
    #[inline]
    pub fn inward(&self, d: DVec3) -> DVec3 {
        DVec3::new(self.turn.x_axis.dot(d), self.turn.y_axis.dot(d), self.turn.z_axis.dot(d))
    }

    /// The pose of another frame relative to this one.
    #[inline]
    pub fn sees(&self, other: &Pose) -> Pose {
        let t = self.turn.transpose();
        Pose { at: self.inward(other.at - self.at), turn: t * other.turn }
    }

    /// This frame composed with an outer one.
    #[inline]
    pub fn within(&self, outer: &Pose) -> Pose {
        Pose { at: outer.point(self.at), turn: outer.turn * self.turn }
    }

    /// The inverse pose.
    #[inline]
    pub fn inverse(&self) -> Pose {
        Pose { at: -self.inward(self.at), turn: self.turn.transpose() }
    }

    /// The same for parry.
    pub fn to_parry(self) -> parry3d_f64::math::Pose {
        parry3d_f64::math::Pose::from_parts(self.at, DQuat::from_mat3(&self.turn))
    }
}

/// Axis-aligned bounding boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub low: DVec3,
    pub high: DVec3,
}

impl Bounds {
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Bounds {
        let none = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        points.into_iter().fold(none, |b, p| Bounds { low: b.low.min(p), high: b.high.max(p) })
    }

    pub fn grown(&self, by: f64) -> Bounds {
        Bounds { low: self.low - by, high: self.high + by }
    }

    /// The bounding box of this one after a motion.
    #[inline]
    pub fn moved(&self, pose: &Pose) -> Bounds {
        let (middle, half) = (0.5 * (self.low + self.high), 0.5 * (self.high - self.low));
        let t = &pose.turn;
        let reach = t.x_axis.abs() * half.x + t.y_axis.abs() * half.y + t.z_axis.abs() * half.z;
        let at = pose.point(middle);
        Bounds { low: at - reach, high: at + reach }
    }

    pub fn joined(&self, other: &Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub fn meets(&self, other: &Bounds) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Largest distance of a point of the box from a given point.
    pub fn reach_from(&self, p: DVec3) -> f64 {
        (self.low - p).abs().max((self.high - p).abs()).length()
    }

    pub fn to_parry(self) -> parry3d_f64::bounding_volume::Aabb {
        parry3d_f64::bounding_volume::Aabb::new(self.low, self.high)
    }
}

pub(crate) fn sides(t: [u32; 3]) -> [(u32, u32); 3] {
    [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]
}

/// The unit normal of a triangle; zero if it has no area.
pub(crate) fn normal_of(vertices: &[DVec3], t: [u32; 3]) -> DVec3 {
    let [a, b, c] = t.map(|i| vertices[i as usize]);
    (b - a).cross(c - a).normalize_or_zero()
}
