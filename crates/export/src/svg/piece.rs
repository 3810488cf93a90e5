//! Solids, grounds and lines of a picture → surfaces in the world, as fine as the sheet shows them.

use super::Drawing;
use crate::Error;
use crate::instant::{Instant, Pose};
use crate::material::Look;
use crate::surface::{Surface, rod};
use glam::DVec3;
use windlass_engine::body::shape::Shape;
use windlass_engine::math::facing;
use windlass_engine::prelude::Tube;

/// Error of the line of a cable [px].
const FINE: f64 = 0.25;

/// A surface in the world.
pub(super) struct Piece {
    pub(super) surface: Surface,
    pub(super) look: Look,
    /// Whether its shadow is the hull of its corners.
    pub(super) convex: bool,
    /// Half of its least width on the sheet [px].
    pub(super) width: f64,
}

impl Drawing<'_> {
    /// All solids and lines as surfaces in the world.
    pub(super) fn pieces(&self, instant: &Instant) -> Result<Vec<Piece>, Error> {
        let poses = instant.poses;
        let mut pieces = Vec::new();
        for (body, (at, turn)) in self.picture.bodies.iter().zip(poses) {
            for solid in &body.solids {
                let place = (*at + *turn * solid.at, *turn * solid.orientation);
                self.add_piece(&solid.shape, place, solid.look(), &mut pieces)?;
            }
        }
        for (terrain, relief) in self.picture.terrains.iter().zip(instant.reliefs) {
            self.terrain(terrain, relief, &mut pieces);
        }
        for line in &self.picture.lines {
            let places: Vec<DVec3> = line.places(poses).collect();
            for pair in places.windows(2) {
                let way = pair[1] - pair[0];
                let middle = 0.5 * (pair[0] + pair[1]);
                if way.length() > 1e-9 {
                    // thin lines stay visible
                    let width = (line.radius * self.eye.pixels(middle)).max(0.6);
                    let radius = width / self.eye.pixels(middle);
                    let surface = rod(radius, 0.5 * way.length(), segments(width)).moved(middle, facing(way));
                    pieces.push(Piece { surface, look: Look::painted(line.color), convex: true, width });
                }
            }
        }
        for (number, cord) in self.picture.tubes.iter().enumerate() {
            let pixels = self.eye.pixels(poses[cord.middle(&instant.ties(number))].0);
            let width = (cord.radius * pixels).max(0.6);
            let line = cord.line(number, instant, FINE / pixels);
            let tube = Tube::around(&line, width / pixels, segments(width));
            for (look, surface) in cord.painted(&tube, segments(width)) {
                pieces.push(Piece { surface, look, convex: false, width });
            }
        }
        Ok(pieces)
    }

    /// A shape with as many faces as its size on the sheet requires; compounds part by part.
    fn add_piece(
        &self,
        shape: &Shape,
        place: Pose,
        look: Look,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Error> {
        if let Shape::Compound { parts } = shape {
            for (at, turn, part) in parts {
                let place = (place.0 + place.1 * *at, place.1 * *turn);
                self.add_piece(part, place, look, pieces)?;
            }
            return Ok(());
        }
        let half = match shape {
            Shape::Sphere { radius } | Shape::Cylinder { radius, .. } => *radius,
            Shape::Capsule { radius, .. } | Shape::Cone { radius, .. } => *radius,
            Shape::Box { half } => half.min_element(),
            Shape::Convex { .. } | Shape::Mesh { .. } | Shape::Compound { .. } => f64::INFINITY,
        };
        let width = half * self.eye.pixels(place.0);
        let surface =
            Surface::of(shape, segments(width)).map_err(|e| Error::input("shape", e.to_string()))?;
        let convex = !matches!(shape, Shape::Mesh { .. });
        pieces.push(Piece { surface: surface.moved(place.0, place.1), look, convex, width });
        Ok(())
    }
}

/// Faces around something round of a half width [px].
fn segments(width: f64) -> usize {
    let fine = 4.0 * width.max(0.0).sqrt();
    2 * (fine.clamp(6.0, 48.0) / 2.0).ceil() as usize
}
