//! The eye: points in space ⇄ points on the sheet.

use super::Projection;
use super::polygon::{Polygon, cut};
use crate::picture::Camera;
use crate::view::View;
use glam::{DVec2, DVec3};

/// From points in space to points on the sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eyepiece {
    pub(super) view: View,
    pub(super) projection: Projection,
    /// Middle of the sheet [px].
    pub(super) middle: DVec2,
    /// Pixels per radian at the axis; in parallel projection, pixels per metre.
    pub(super) scale: f64,
    /// Nothing nearer than this is drawn [m].
    pub(super) near: f64,
}

impl Eyepiece {
    pub fn new(view: &View, camera: &Camera, projection: Projection, [width, height]: [f64; 2]) -> Eyepiece {
        let distance = (camera.target - camera.position).length();
        let focal = 0.5 * height / view.tangent;
        let (scale, near) = match projection {
            Projection::Perspective => (focal, 1e-3 * distance),
            Projection::Orthographic => (focal / distance, 0.0),
        };
        Eyepiece { view: *view, projection, middle: DVec2::new(width, height) / 2.0, scale, near }
    }

    pub fn depth(&self, point: DVec3) -> f64 {
        self.view.depth(point)
    }

    /// Where a point that is not nearer than `near` comes to lie [px], y downward.
    pub(super) fn place(&self, point: DVec3) -> DVec2 {
        let d = point - self.view.eye;
        let depth = match self.projection {
            Projection::Perspective => d.dot(self.view.forward),
            Projection::Orthographic => 1.0,
        };
        self.middle + DVec2::new(d.dot(self.view.right), -d.dot(self.view.up)) * (self.scale / depth)
    }

    /// The direction from a point to the eye.
    pub(super) fn toward(&self, point: DVec3) -> DVec3 {
        match self.projection {
            Projection::Perspective => (self.view.eye - point).normalize_or_zero(),
            Projection::Orthographic => -self.view.forward,
        }
    }

    /// Whether the eye is on the front side of a polygon's plane.
    pub fn faces(&self, polygon: &Polygon) -> bool {
        self.toward(polygon.corners[0]).dot(polygon.normal) > 0.0
    }

    /// The part of a polygon in front of the eye and on the sheet, with a margin.
    pub(super) fn sight(&self, polygon: &Polygon) -> Option<Polygon> {
        let reach = self.middle + 4.0;
        let View { eye, forward, right, up, .. } = self.view;
        let depth = |p: DVec3| match self.projection {
            Projection::Perspective => (p - eye).dot(forward),
            Projection::Orthographic => 1.0,
        };
        // on the sheet means |d·r| scale ≤ reach × depth
        let within = |p: DVec3, axis: DVec3, reach: f64| reach * depth(p) - (p - eye).dot(axis) * self.scale;
        let mut seen = cut(polygon, |p| depth(p) - self.near)?;
        for (axis, reach) in [(right, reach.x), (-right, reach.x), (up, reach.y), (-up, reach.y)] {
            seen = cut(&seen, |p| within(p, axis, reach))?;
        }
        Some(seen)
    }

    /// Pixels per metre at a point.
    pub(super) fn pixels(&self, point: DVec3) -> f64 {
        match self.projection {
            Projection::Perspective => self.scale / self.depth(point).max(self.near),
            Projection::Orthographic => self.scale,
        }
    }
}
