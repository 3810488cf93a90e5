//! Finds the one joint type of a scene that has all coordinates of a link, if there is one.
//!
//! ```text
//!  hinge, slide, ball, free                       hinge, slider, ball, none
//!  two hinges with perpendicular axes             universal
//!  hinge and slide along one direction            cylindrical
//!  slides and a hinge perpendicular to them       planar
//!  slides, then hinges at a point, all perpend.   six_dof, its other coordinates locked
//! ```
//!
//! Axes and points are in the link's axes at zero, where all frames of the joint coincide.

use crate::machine::{Coordinate, Motion, Pose};
use glam::{DMat3, DQuat, DVec3};
use windlass_engine::math;

/// Sine of the permitted deviation from perpendicular axes: the tolerance of a universal joint in a scene.
const SQUARE: f64 = 1e-6;
/// Permitted distance between intersecting axes, relative to their distance from the origin.
const CROSSING: f64 = 1e-7;
/// The joint for some coordinates, with its frame in the link's axes.
#[derive(Debug)]
pub struct Fit {
    /// Its key in the scene.
    pub key: &'static str,
    /// Its frame.
    pub frame: Pose,
    /// Index of the joint's coordinate, index of the link's, whether its sign is reversed.
    pub order: Vec<(usize, usize, bool)>,
}

impl Fit {
    fn new(key: &'static str, frame: Pose, order: Vec<(usize, usize, bool)>) -> Option<Fit> {
        Some(Fit { key, frame, order })
    }
}

/// Keys of a joint's coordinates.
pub fn keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "hinge" | "slider" => &[""],
        "cylindrical" => &["rotation", "slide"],
        "universal" => &["first", "second"],
        "planar" => &["x", "y", "rotation"],
        "six_dof" => &["x", "y", "z", "rx", "ry", "rz"],
        _ => &[],
    }
}

/// The joint for these coordinates; none if there is none.
pub fn fit(list: &[Coordinate]) -> Option<Fit> {
    let is_slide = |c: &&Coordinate| c.motion == Motion::Slide;
    let is_hinge = |c: &&Coordinate| c.motion == Motion::Hinge;
    match list {
        [] => None,
        [c] => match c.motion {
            Motion::Hinge => Fit::new("hinge", along(c.at, c.axis), vec![(0, 0, false)]),
            Motion::Slide => Fit::new("slider", along(DVec3::ZERO, c.axis), vec![(0, 0, false)]),
            Motion::Ball(_) => Fit::new("ball", Pose { at: c.at, turn: DQuat::IDENTITY }, vec![]),
            Motion::Free(_) => Fit::new("free", Pose::ZERO, vec![]),
        },
        [a, b] if is_hinge(&a) && is_hinge(&b) && is_square(a.axis, b.axis) => {
            let at = crossing(&[a, b])?;
            Fit::new("universal", Pose::new(at, axes(a.axis, b.axis)), vec![(0, 0, false), (1, 1, false)])
        }
        [a, b]
            if is_parallel(a.axis, b.axis)
                && (is_hinge(&a) && is_slide(&b) || is_slide(&a) && is_hinge(&b)) =>
        {
            let (turn, slide) = if is_hinge(&a) { (0, 1) } else { (1, 0) };
            let reversed = a.axis.dot(b.axis) < 0.0;
            let frame = along(list[turn].at, list[turn].axis);
            Fit::new("cylindrical", frame, vec![(0, turn, false), (1, slide, reversed)])
        }
        _ => {
            let slides = list.iter().take_while(is_slide).count();
            let turns = &list[slides..];
            let hinges = turns.iter().take_while(is_hinge).count();
            let ball = matches!(turns, [Coordinate { motion: Motion::Ball(_), .. }]);
            if slides > 3 || hinges > 3 || !(hinges == turns.len() || ball) {
                return None;
            }
            if slides > 0 && slides < 3 && turns.len() == hinges && hinges < 2 {
                return planar(list, slides).or_else(|| six(list, slides));
            }
            six(list, slides)
        }
    }
}

/// One or two perpendicular slides, and optionally a hinge perpendicular to both.
fn planar(list: &[Coordinate], slides: usize) -> Option<Fit> {
    let x = list[0].axis;
    let hinge = list.get(slides);
    let second = (slides == 2).then(|| list[1].axis);
    let normal = match (hinge, second) {
        (Some(hinge), _) => hinge.axis,
        (None, Some(y)) if is_square(x, y) => x.cross(y).normalize(),
        _ => return None,
    };
    let turn = DQuat::from_mat3(&DMat3::from_cols(x, normal.cross(x), normal));
    if !is_square(x, normal) || second.is_some_and(|y| !is_square(y, normal) || !is_square(x, y)) {
        return None;
    }
    let at = hinge.map_or(DVec3::ZERO, |c| c.at);
    let mut order = vec![(0, 0, false)];
    if let Some(y) = second {
        order.push((1, 1, normal.cross(x).dot(y) < 0.0));
    }
    if hinge.is_some() {
        order.push((2, slides, false));
    }
    Fit::new("planar", Pose::new(at, turn), order)
}

/// Slides, then hinges at one point as Cardan angles, all perpendicular; or a ball in place of the hinges.
fn six(list: &[Coordinate], slides: usize) -> Option<Fit> {
    let (ways, turns) = list.split_at(slides);
    let is_ball = turns.len() == 1 && matches!(turns[0].motion, Motion::Ball(_));
    let hinges: Vec<&Coordinate> = if is_ball { vec![] } else { turns.iter().collect() };
    let at = match (is_ball, hinges.is_empty()) {
        (true, _) => turns[0].at,
        (false, true) => DVec3::ZERO,
        (false, false) => crossing(&hinges)?,
    };
    // the frame follows the hinges, then the slides as far as it is undetermined
    let (turn, slots): (DQuat, &[usize]) = match &hinges[..] {
        [] => {
            let x = ways.first()?.axis;
            let y = ways.iter().map(|c| c.axis).find(|&y| is_square(x, y));
            (axes(x, y.unwrap_or_else(|| math::across(x).0)), &[])
        }
        [h] => {
            let x = ways.iter().map(|c| c.axis).find(|&x| is_square(x, h.axis));
            let x = x.unwrap_or_else(|| math::across(h.axis).0);
            (DQuat::from_mat3(&DMat3::from_cols(x, h.axis.cross(x), h.axis)), &[5])
        }
        [a, b] | [a, b, _] if is_square(a.axis, b.axis) => (axes(a.axis, b.axis), &[3, 4, 5]),
        _ => return None,
    };
    let frame = Pose::new(at, turn);
    let directions = [DVec3::X, DVec3::Y, DVec3::Z].map(|e| frame.turn * e);
    let mut order: Vec<(usize, usize, bool)> = Vec::new();
    for (index, way) in ways.iter().enumerate() {
        let slot = (0..3).find(|&k| is_parallel(directions[k], way.axis))?;
        if order.iter().any(|&(taken, ..)| taken == slot) {
            return None;
        }
        order.push((slot, index, directions[slot].dot(way.axis) < 0.0));
    }
    for (k, hinge) in hinges.iter().enumerate() {
        let direction = directions[slots[k] - 3];
        if !is_parallel(direction, hinge.axis) {
            return None;
        }
        order.push((slots[k], slides + k, direction.dot(hinge.axis) < 0.0));
    }
    Fit::new("six_dof", frame, order)
}

fn is_square(a: DVec3, b: DVec3) -> bool {
    a.dot(b).abs() < SQUARE
}

fn is_parallel(a: DVec3, b: DVec3) -> bool {
    a.cross(b).length() < SQUARE
}

fn along(at: DVec3, z: DVec3) -> Pose {
    Pose::new(at, math::facing(z))
}

/// The orientation with this x axis and the y axis nearest to that one.
fn axes(x: DVec3, y: DVec3) -> DQuat {
    let z = x.cross(y).normalize();
    DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
}

/// The point at which the axes of all hinges intersect.
fn crossing(hinges: &[&Coordinate]) -> Option<DVec3> {
    let (a, rest) = hinges.split_first()?;
    let on_axis =
        |c: &Coordinate, p: DVec3| (p - c.at).cross(c.axis).length() < CROSSING * (1.0 + p.length());
    // a shared anchor is used as it is
    if rest.iter().all(|c| on_axis(c, a.at)) {
        return Some(a.at);
    }
    let b = rest.first()?;
    let normal = a.axis.cross(b.axis);
    let way = (b.at - a.at).cross(b.axis).dot(normal) / normal.length_squared();
    let at = a.at + a.axis * way;
    (at.is_finite() && rest.iter().all(|c| on_axis(c, at))).then_some(at)
}
