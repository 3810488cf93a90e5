//! Flat polygons → the order in which to paint them, far ones first.
//!
//! The plane of any polygon divides the others into those on the side of the eye, which the rest cannot hide, and
//! those beyond; polygons across the plane are cut in two. Repeating this on each side (a binary space
//! partition, traversed without being stored) gives an order that is correct for any arrangement, also where solids
//! intersect, unlike sorting by distance.

use super::Eyepiece;
use super::polygon::{Polygon, cut};
use glam::DVec3;

/// Planes tried at each division; the one that cuts fewest polygons is used.
const TRIED: usize = 12;
/// Cost of a cut, in polygons of imbalance between the two sides.
const CUT: usize = 8;
/// Largest number of polygons for this method; more are sorted by distance.
const MOST: usize = 60_000;

enum Work {
    Part(Vec<Polygon>),
    Paint(Vec<Polygon>),
}

/// The polygons in the order of painting, cut where need be. Points closer to a plane than `near` [m] lie
/// in it.
pub fn far_to_near(polygons: Vec<Polygon>, eye: &Eyepiece, near: f64) -> Vec<Polygon> {
    let mut painted = Vec::new();
    let mut waiting = vec![Work::Part(polygons)];
    let mut pieces = 0;
    while let Some(work) = waiting.pop() {
        match work {
            Work::Paint(polygons) => painted.extend(polygons),
            Work::Part(polygons) if polygons.len() < 2 => painted.extend(polygons),
            Work::Part(mut polygons) if pieces + polygons.len() > MOST => {
                let far = |p: &Polygon| p.corners.iter().map(|c| eye.depth(*c)).fold(0.0, f64::max);
                polygons.sort_by(|a, b| far(b).total_cmp(&far(a)));
                painted.extend(polygons);
            }
            Work::Part(polygons) => {
                let chosen = knife(&polygons, near);
                let (knife, before) = (polygons[chosen].clone(), polygons.len());
                let [beyond, within, ahead] = parted(polygons, chosen, near);
                pieces += beyond.len() + within.len() + ahead.len() - before;
                let (far, close) = if eye.faces(&knife) { (beyond, ahead) } else { (ahead, beyond) };
                waiting.extend([Work::Part(close), Work::Paint(within), Work::Part(far)]);
            }
        }
    }
    painted
}

/// Which of three sides of a plane: −1 behind, 0 in it, 1 in front.
fn side(polygon: &Polygon, point: DVec3, near: f64) -> i8 {
    let height = (point - polygon.corners[0]).dot(polygon.normal);
    i8::from(height > near) - i8::from(height < -near)
}

/// Index of the polygon whose plane is best to part the others.
fn knife(polygons: &[Polygon], near: f64) -> usize {
    let step = polygons.len().div_ceil(TRIED);
    let cost = |knife: &Polygon| {
        let (mut ahead, mut behind) = (0usize, 0usize);
        for polygon in polygons {
            let on = |wanted: i8| polygon.corners.iter().any(|c| side(knife, *c, near) == wanted);
            ahead += usize::from(on(1));
            behind += usize::from(on(-1));
        }
        CUT * (ahead + behind).saturating_sub(polygons.len()) + ahead.abs_diff(behind)
    };
    (0..polygons.len()).step_by(step).min_by_key(|at| cost(&polygons[*at])).unwrap_or(0)
}

/// Polygons behind the plane of one of them, in it and in front of it. That one is in it, although corners of a thin piece
/// may be off the plane by more than `near`: otherwise a division would not come to its end.
fn parted(polygons: Vec<Polygon>, chosen: usize, near: f64) -> [Vec<Polygon>; 3] {
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    let knife = &polygons[chosen].clone();
    for (at, polygon) in polygons.into_iter().enumerate() {
        if at == chosen {
            parts[1].push(polygon);
            continue;
        }
        let (mut ahead, mut behind) = (false, false);
        for corner in &polygon.corners {
            match side(knife, *corner, near) {
                1 => ahead = true,
                -1 => behind = true,
                _ => {}
            }
        }
        match (behind, ahead) {
            (true, true) => {
                let height = |p: DVec3| (p - knife.corners[0]).dot(knife.normal);
                parts[0].extend(cut(&polygon, |p| -height(p)));
                parts[2].extend(cut(&polygon, height));
            }
            (true, false) => parts[0].push(polygon),
            (false, true) => parts[2].push(polygon),
            (false, false) => parts[1].push(polygon),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Camera;
    use crate::svg::Projection;
    use glam::dvec3;

    fn square(at: DVec3, u: DVec3, v: DVec3, paint: usize) -> Polygon {
        let corners = vec![at - u - v, at + u - v, at + u + v, at - u + v];
        Polygon { corners, drawn: vec![true; 4], normal: u.cross(v).normalize(), paint }
    }

    #[test]
    fn crossing_squares_are_cut_and_painted_from_far_to_near() {
        let camera = Camera { position: dvec3(0.0, -10.0, 0.1), target: DVec3::ZERO, ..Camera::default() };
        let eye = Eyepiece::new(&camera.view(&[]), &camera, Projection::Perspective, [640.0, 480.0]);
        // both run through the z axis: of each, one half is nearer than the other's
        let squares = vec![
            square(DVec3::ZERO, dvec3(1.0, 1.0, 0.0), DVec3::Z, 0),
            square(DVec3::ZERO, dvec3(1.0, -1.0, 0.0), DVec3::Z, 1),
        ];
        let painted = far_to_near(squares, &eye, 1e-9);
        assert_eq!(painted.len(), 3);
        let middle = |p: &Polygon| p.corners.iter().sum::<DVec3>() / p.corners.len() as f64;
        assert!(middle(&painted[0]).y > 0.4 && middle(&painted[2]).y < -0.4);
        // sides made by a cut are not drawn
        assert_eq!(painted[0].drawn.iter().filter(|d| !**d).count(), 1);
    }

    #[test]
    fn a_long_beam_beside_a_near_block_is_painted_right() {
        // by the distance of middles the beam, which reaches far behind, would come first or last wrongly
        let camera = Camera { position: dvec3(0.0, -10.0, 5.0), target: DVec3::ZERO, ..Camera::default() };
        let eye = Eyepiece::new(&camera.view(&[]), &camera, Projection::Perspective, [640.0, 480.0]);
        let beam = square(dvec3(0.0, 40.0, 0.0), DVec3::X * 3.0, DVec3::Y * 49.0, 0);
        let block = square(dvec3(0.0, 20.0, 1.0), DVec3::X, DVec3::Y, 1);
        for polygons in [vec![beam.clone(), block.clone()], vec![block, beam]] {
            let order: Vec<usize> = far_to_near(polygons, &eye, 1e-9).iter().map(|p| p.paint).collect();
            assert_eq!(order.last(), Some(&1), "{order:?}");
        }
    }

    #[test]
    fn pieces_off_their_own_plane_are_painted() {
        let camera = Camera { position: dvec3(0.0, -10.0, 0.1), target: DVec3::ZERO, ..Camera::default() };
        let eye = Eyepiece::new(&camera.view(&[]), &camera, Projection::Perspective, [640.0, 480.0]);
        let bent = |paint: usize| {
            let mut square = square(DVec3::ZERO, DVec3::X, DVec3::Z, paint);
            square.corners[2].y += 1e-3;
            square
        };
        assert_eq!(far_to_near(vec![bent(0), bent(1)], &eye, 1e-9).len(), 2);
    }

    #[test]
    fn a_cut_keeps_the_part_above() {
        let whole = square(DVec3::ZERO, DVec3::X, DVec3::Y, 0);
        let half = cut(&whole, |p| p.x).unwrap();
        let (low, high) =
            (half.corners.iter().map(|c| c.x)).fold((9.0f64, -9.0f64), |(l, h), x| (l.min(x), h.max(x)));
        assert_eq!((low, high, half.corners.len()), (0.0, 1.0, 4));
        assert!(cut(&whole, |p| p.x - 2.0).is_none());
    }
}
