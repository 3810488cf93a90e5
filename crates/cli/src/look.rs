//! What can be read off a world: gaps of joints, overlaps, names, masses.

use windlass_engine::prelude::{Anchor, Cable, Contact, JointId, JointKind, Link, Measure, Row, World};
use windlass_engine::row::Law;
use windlass_engine::row::rows::Group;
use windlass_scene::Line;

/// How far each joint's rigid rows are from closed in the last evaluation [m or rad], by place; broken ones are out.
///
/// Of a one-sided row only what is beyond its stop counts.
pub fn gaps(world: &World) -> impl Iterator<Item = (usize, f64)> + '_ {
    let rows = &world.scratch().rows;
    let of = |group: &Group| Some((group.joint()?, widest(&rows.rows[group.rows()])));
    rows.groups.iter().filter_map(of)
}

/// The same of one joint; none if it is broken.
pub fn gap(world: &World, joint: JointId) -> Option<f64> {
    let rows = &world.scratch().rows;
    let group = rows.groups.iter().find(|g| g.joint() == Some(joint.index()))?;
    Some(widest(&rows.rows[group.rows()]))
}

fn widest(rows: &[Row]) -> f64 {
    rows.iter().fold(0.0, |worst: f64, row| {
        let open = match row.law {
            Law::Rigid if row.lo == 0.0 => (-row.gap).max(0.0),
            Law::Rigid => row.gap.abs(),
            Law::Soft(_) | Law::Speed { .. } | Law::Turning { .. } => 0.0,
        };
        worst.max(open)
    })
}

/// All cables with their names: those of elements, then those of mass points.
pub fn lines(world: &World) -> impl Iterator<Item = (Line, &str)> {
    let (cables, strands) = (world.model().cables(), world.model().strands());
    let of_elements =
        cables.iter().filter_map(|(place, c)| Some((Line::Elements(cables.id(place)?), c.name.as_str())));
    let of_points =
        strands.iter().filter_map(|(place, s)| Some((Line::Points(strands.id(place)?), s.name.as_str())));
    of_elements.chain(of_points)
}

/// Length of a cable without load [m]; 0 if it is gone.
pub fn line_length(world: &World, line: Line) -> f64 {
    match line {
        Line::Elements(id) => world.model().cables().get(id).map_or(0.0, |c| c.length()),
        Line::Points(id) => world.model().strands().get(id).map_or(0.0, |s| {
            let [first, last] = s.bare();
            s.pitch() * (last - first) as f64
        }),
    }
}

/// Whether a coordinate, numbered from 0, is a turn [rad]; else it is a way [m].
pub fn coordinate_turns(kind: &JointKind, k: usize) -> bool {
    match kind {
        JointKind::Hinge(_) | JointKind::Universal(_) | JointKind::Screw(_) | JointKind::Link(_) => true,
        JointKind::Rope(_) => true,
        JointKind::Cylinder(_) => k == 0,
        JointKind::Planar(_) => k == 2,
        JointKind::Six(_) => k >= 3,
        JointKind::Coupling(c) => c.terms.get(k).is_some_and(|(measure, _)| *measure == Measure::Turn),
        JointKind::Slider(_) | JointKind::Distance(_) | JointKind::PointOnLine(_) => false,
        JointKind::Ball(_) | JointKind::ConstantVelocity(_) | JointKind::Weld(_) | JointKind::Grab(_) => {
            false
        }
        JointKind::PointOnPlane(_) | JointKind::Custom(_) => false,
    }
}

/// The ends of a rope without points between them. It has one coordinate, how far they are apart [m].
pub fn straight_rope(kind: &JointKind) -> Option<[Anchor; 2]> {
    let JointKind::Rope(rope) = kind else { return None };
    let is_bare = rope.vias.iter().all(|via| via.radius == 0.0);
    rope.anchors.as_slice().try_into().ok().filter(|_| is_bare)
}

/// The name of the joint at a place.
pub fn joint_name(world: &World, place: usize) -> String {
    world.model().joints().at(place).map_or_else(String::new, |j| j.name.clone())
}

/// The names of the two bodies that overlap most in the last contacts found.
pub fn deepest_pair(world: &World) -> Option<[String; 2]> {
    let contacts = &world.scratch().contacts;
    let lowest = |points: &[Contact]| points.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
    let gaps = contacts.pairs.iter().map(|pair| (lowest(&contacts.list[pair.points.clone()]), pair));
    let (_, pair) = gaps.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let name = |place: u32| world.model().bodies().at(place as usize).map(|b| b.name.clone());
    let [a, b] = pair.parts.map(|part| name(part.body).unwrap_or_default());
    Some([a, b])
}

/// The redundant joints of the last solve by name, with how many rows each.
pub fn redundant(world: &World) -> Vec<(String, usize)> {
    world.redundant().into_iter().map(|(id, rows)| (joint_name(world, id.index()), rows)).collect()
}

/// "1 joint", "2 joints".
pub fn count(n: usize, noun: &str) -> String {
    match (n, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "body") => format!("{n} bodies"),
        _ => format!("{n} {noun}s"),
    }
}

/// A link of a cable: they are alike but for the length they stand for. None of a catenary.
pub fn link<'w>(world: &'w World, cable: &Cable) -> Option<&'w Link> {
    match &world.model().joints().get(*cable.links.first()?)?.kind {
        JointKind::Link(link) => Some(link),
        _ => None,
    }
}
