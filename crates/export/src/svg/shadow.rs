//! Shadows of a drawing: of convex pieces as a whole, of others face by face, on the ground and on a floor.

use super::polygon::{Polygon, cut};
use super::{Drawing, Facet, Paint, Piece, facets, hex, sides};
use crate::material::{encoded, linear};
use glam::DVec3;
use std::fmt::Write as _;

impl Drawing<'_> {
    /// Shadows of pieces on the ground.
    pub(super) fn shadows(&mut self, pieces: &[Piece], height: f64) {
        // together, so that shadows which overlap are no darker
        self.text.push_str("<g opacity=\".36\" fill=\"#10161c\">\n");
        for piece in pieces {
            for shadow in self.fallen(piece, height) {
                if let Some(way) = self.flat(shadow) {
                    // glass casts faint shadows
                    let clear = if piece.look.clearness > 0.0 { " opacity=\".4\"" } else { "" };
                    let _ = writeln!(self.text, "<path d=\"{way}\"{clear}/>");
                }
            }
        }
        self.text.push_str("</g>\n");
    }

    /// Adds shadows to a floor, as patches that lie in it and are painted after it.
    pub(super) fn shadows_on_floor(&mut self, pieces: &[Piece], polygons: &mut Vec<Polygon>) {
        let Some((place, floor)) = floor(pieces) else { return };
        if self.eye.toward(floor.corners[0]).z <= 0.0 {
            return;
        }
        let paint = self.paints.len();
        self.paints.push(self.dark(&pieces[place], floor.corners[0]));
        let others =
            pieces.iter().enumerate().filter(|(i, piece)| *i != place && piece.look.clearness == 0.0);
        for (_, piece) in others {
            for corners in self.fallen(piece, floor.corners[0].z) {
                let drawn = vec![false; corners.len()];
                let patch = Polygon { corners, drawn, normal: DVec3::Z, paint };
                let within = sides(floor.corners.len()).try_fold(patch, |patch, (i, j)| {
                    let inward = DVec3::Z.cross(floor.corners[j] - floor.corners[i]);
                    cut(&patch, |p| (p - floor.corners[i]).dot(inward))
                });
                polygons.extend(within);
            }
        }
    }

    /// The colour of a level face from which the first light is kept.
    fn dark(&self, piece: &Piece, at: DVec3) -> Paint {
        let sky = 0.44 + 0.06 * self.eye.toward(at).z;
        let fill = hex(encoded(linear(piece.look.color).map(|c| sky * c)));
        Paint { edge: fill.clone(), fill, opacity: 1.0 }
    }

    /// The shadows of a piece on a level, of the parts that are above it.
    fn fallen(&self, Piece { surface, convex, .. }: &Piece, height: f64) -> Vec<Vec<DVec3>> {
        let Some(from) = self.picture.lights.first().map(|light| light.from.normalize()) else {
            return Vec::new();
        };
        // a light at the horizon throws shadows out of all bounds
        if from.z < 0.05 {
            return Vec::new();
        }
        let fall = |p: &DVec3| (*p - from * ((p.z - height) / from.z)).with_z(height);
        let above: Vec<Vec<DVec3>> = match convex {
            true => vec![surface.positions.clone()],
            false => (facets(surface).into_iter())
                .filter(|facet| facet.normal.dot(from) > 0.0)
                .map(|facet| facet.corners)
                .collect(),
        };
        let is_below = |corners: &Vec<DVec3>| {
            corners.iter().any(|p| p.z < height - 1e-9) && corners.iter().all(|p| p.z <= height)
        };
        let shadow = |corners: Vec<DVec3>| {
            let level: Vec<DVec3> = corners.iter().map(|p| fall(&p.with_z(p.z.max(height)))).collect();
            outline(&level)
        };
        above.into_iter().filter(|corners| !is_below(corners)).map(shadow).collect()
    }
}

/// The level face that all else stands on or over, with the place of its piece: wider than the rest together.
fn floor(pieces: &[Piece]) -> Option<(usize, Facet)> {
    let area = |points: &[DVec3]| {
        let low = points.iter().copied().reduce(DVec3::min)?;
        let high = points.iter().copied().reduce(DVec3::max)?;
        Some((high.x - low.x) * (high.y - low.y))
    };
    let level = pieces.iter().enumerate().filter(|(_, piece)| piece.convex).flat_map(|(place, piece)| {
        let up = facets(&piece.surface).into_iter().filter(|f| f.normal.z > 1.0 - 1e-9);
        up.map(move |facet| (place, facet))
    });
    let size = |facet: &Facet| area(&facet.corners).unwrap_or(0.0);
    let (place, floor) = level.max_by(|a, b| size(&a.1).total_cmp(&size(&b.1)))?;
    let rest = pieces.iter().enumerate().filter(|(i, _)| *i != place);
    let rest: Vec<DVec3> = rest.flat_map(|(_, piece)| piece.surface.positions.iter().copied()).collect();
    (area(&floor.corners) > area(&rest)).then_some((place, floor))
}

/// The convex outline of points in a level plane, counterclockwise (Andrew's chains).
fn outline(points: &[DVec3]) -> Vec<DVec3> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<DVec3> = Vec::new();
    for pass in 0..2 {
        let start = hull.len();
        for &p in &sorted {
            let is_inside = |hull: &[DVec3]| {
                let [.., a, b] = hull else { return false };
                (*b - *a).cross(p - *b).z <= 0.0
            };
            while hull.len() >= start + 2 && is_inside(&hull) {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
        if pass == 0 {
            sorted.reverse();
        }
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_of_a_scatter_is_its_hull() {
        let points = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.5), (2.0, 2.0), (0.0, 2.0), (1.0, 1.9), (1.0, 0.0)];
        let hull = outline(&points.map(|(x, y)| DVec3::new(x, y, 7.0)));
        assert_eq!(hull.len(), 4);
        assert!(hull.iter().all(|p| p.z == 7.0));
    }
}
