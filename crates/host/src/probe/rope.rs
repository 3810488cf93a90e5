//! Quantities of ropes and winches.
//!
//! Spans and points of a rope are counted from 1. Tensions are those of the last step; before the first there are none.

use std::f64::consts::TAU;
use windlass_engine::prelude::{
    CableId, JointId, JointKind, RopeAttachment, RopeReading, RoutePoint, Winding, World,
};

/// A cable with a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strung {
    /// Without mass.
    Rope(JointId),
    /// With flexible segments.
    Route(CableId),
}

impl Strung {
    /// Its present state; none if it no longer exists.
    pub fn reading(self, world: &World) -> Option<RopeReading> {
        match self {
            Strung::Rope(id) => world.rope(id),
            Strung::Route(id) => world.route(id),
        }
    }
}

/// All cables with a route, with their names.
pub fn strung(world: &World) -> impl Iterator<Item = (Strung, &str)> {
    let (joints, cables) = (world.model().joints(), world.model().cables());
    let rope = |id: JointId| {
        let joint = joints.get(id)?;
        // ropes that feed a cable are part of its route
        let JointKind::Rope(rope) = &joint.kind else { return None };
        rope.feed.is_none().then_some((Strung::Rope(id), joint.name.as_str()))
    };
    let routes = cables.iter().filter_map(|(place, cable)| Some((cables.id(place)?, cable.name.as_str())));
    let routes = routes.filter(|(id, _)| !world.feeders(*id).is_empty());
    world.ropes().filter_map(rope).chain(routes.map(|(id, name)| (Strung::Route(id), name)))
}

/// Quantities of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RopeQuantity {
    /// Largest of all spans.
    Tension,
    /// Of a span, from 0.
    Span(usize),
    Start,
    End,
    Slack,
    Length,
    PaidOut,
    /// At a point, from 0.
    Wrap(usize),
    /// Whether it has left any pulley.
    Derailed,
    /// Whether it has left the pulley at a point, from 0.
    DerailedAt(usize),
    Broken,
    Elements,
}

/// The quantities of a whole rope.
pub const WHOLE: [(&str, RopeQuantity, &str, &str); 10] = [
    ("tension", RopeQuantity::Tension, "N", "of a cable with a route: largest tension of its spans"),
    ("max_tension", RopeQuantity::Tension, "N", "the same"),
    ("tension.start", RopeQuantity::Start, "N", "tension of its first span"),
    ("tension.end", RopeQuantity::End, "N", "tension of its last span"),
    ("slack", RopeQuantity::Slack, "m", "unloaded length minus path length; negative: its stretch"),
    ("length", RopeQuantity::Length, "m", "path length between winches or ends"),
    ("paid_out", RopeQuantity::PaidOut, "m", "unloaded length off the winches"),
    ("derailed", RopeQuantity::Derailed, "", "1 if it has left a pulley, else 0"),
    ("broken", RopeQuantity::Broken, "", "1 if it has broken, else 0"),
    ("elements", RopeQuantity::Elements, "", "present number of elements of its flexible segments"),
];

/// A quantity of the k-th span or point, from 0.
type Numbered = fn(usize) -> RopeQuantity;

/// The quantities of a span or a point.
pub const NUMBERED: [(&str, Numbered, &str, &str); 3] = [
    ("tension", RopeQuantity::Span, "N", "tension of its span k, counted from 1"),
    ("wrap", RopeQuantity::Wrap, "rad", "wrap angle at its point k, counted from 1"),
    ("derailed", RopeQuantity::DerailedAt, "", "1 if it has left the pulley at its point k, else 0"),
];

impl RopeQuantity {
    /// Whether it exists for a rope.
    pub fn is_of(self, reading: &RopeReading) -> bool {
        match self {
            RopeQuantity::Span(k) => k < reading.tensions.len(),
            RopeQuantity::Wrap(k) | RopeQuantity::DerailedAt(k) => k < reading.wraps.len(),
            _ => true,
        }
    }

    /// Its number; none before there are forces.
    pub fn of(self, rope: Strung, world: &World) -> Option<f64> {
        let reading = rope.reading(world)?;
        let flag = |is: bool| Some(f64::from(u8::from(is)));
        let pull = |k: usize| reading.tensions.get(k).copied().filter(|_| world.state().step > 0);
        let sum = |list: &[f64]| list.iter().sum::<f64>();
        match self {
            RopeQuantity::Tension => {
                pull(0)?;
                reading.tensions.iter().chain(&reading.ends).copied().reduce(f64::max)
            }
            RopeQuantity::Span(k) => pull(k),
            RopeQuantity::Start => pull(0).map(|_| reading.ends[0]),
            RopeQuantity::End => pull(0).map(|_| reading.ends[1]),
            RopeQuantity::Elements => Some(reading.elements as f64),
            RopeQuantity::Slack => Some(sum(&reading.slack)),
            RopeQuantity::Length => Some(reading.length()),
            RopeQuantity::PaidOut => Some(reading.length() + sum(&reading.slack)),
            RopeQuantity::Wrap(k) => reading.wraps.get(k).copied(),
            RopeQuantity::Derailed => flag((0..reading.wraps.len()).any(|k| reading.has_left(k))),
            RopeQuantity::DerailedAt(k) => flag(reading.has_left(k)),
            RopeQuantity::Broken => flag(reading.broken),
        }
    }
}

/// A winch of a world: a drum of a name that ropes are wound on, and the hinge of that name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drum {
    pub hinge: JointId,
    /// Of its first layer [m].
    pub radius: f64,
    /// Layers of rope, and the number of turns on the drum when the hinge is at 0.
    pub layers: Option<(Winding, f64)>,
}

impl Drum {
    /// Radius at which rope runs onto the drum at an angle of its hinge [m].
    pub fn radius_at(&self, turn: f64) -> f64 {
        self.radius + self.layers.map_or(0.0, |(w, first)| w.rise * w.layer(first + turn / TAU))
    }

    /// Length of rope wound in at an angle of its hinge [m].
    pub fn wound(&self, turn: f64) -> f64 {
        match self.layers {
            Some((w, first)) => w.length(self.radius, first + turn / TAU) - w.length(self.radius, first),
            None => self.radius * turn,
        }
    }
}

/// Quantities of a winch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinchQuantity {
    Speed,
    Wound,
    Load,
}

/// The quantities of winches.
pub const WINCH: [(&str, WinchQuantity, &str, &str); 3] = [
    ("speed", WinchQuantity::Speed, "m/s", "speed at which it winds in"),
    ("wound", WinchQuantity::Wound, "m", "rope wound in since the start"),
    ("load", WinchQuantity::Load, "N", "sum of the rope tensions on its drum"),
];

/// The winches of a world, with their names.
pub fn winches(world: &World) -> Vec<(Drum, &str)> {
    let (bodies, joints) = (world.model().bodies(), world.model().joints());
    let mut found: Vec<(Drum, &str)> = Vec::new();
    for (body, via, (rope, span)) in drums(world) {
        let Some(name) = bodies.at(body).map(|b| b.name.as_str()) else { continue };
        let is_its =
            |j: &windlass_engine::prelude::Joint| j.name == name && matches!(j.kind, JointKind::Hinge(_));
        let hinge = joints.iter().find(|(_, j)| is_its(j)).and_then(|(place, _)| joints.id(place));
        if let Some(hinge) = hinge.filter(|_| found.iter().all(|(_, known)| *known != name)) {
            let wound = world.rope(rope).map_or(0.0, |reading| reading.wound[usize::from(span > 0)]);
            let turned = world.coordinate(hinge, 0).unwrap_or(0.0) / TAU;
            let layers = via.winding.map(|winding| (winding, wound - turned));
            found.push((Drum { hinge, radius: via.radius, layers }, name));
        }
    }
    found
}

/// The sum of the rope tensions on the drum of a winch [N].
pub fn load(drum: Drum, world: &World) -> Option<f64> {
    let hinge = world.model().joints().get(drum.hinge)?;
    let body = hinge.constraint().anchors().get(1)?.body.index();
    let pulls = drums(world).filter(|(own, ..)| *own == body).map(|(_, _, (rope, span))| {
        let reading = world.rope(rope);
        reading.and_then(|r| r.tensions.get(span).copied()).unwrap_or(0.0)
    });
    Some(pulls.sum::<f64>()).filter(|_| world.state().step > 0)
}

/// The rope ends that are on drums: index of the body, winding, the rope and its span there.
fn drums(world: &World) -> impl Iterator<Item = (usize, RoutePoint, (JointId, usize))> + '_ {
    world.ropes().flat_map(|id| {
        let kind = world.model().joints().get(id).map(|j| &j.kind);
        let Some(JointKind::Rope(rope)) = kind else { return Vec::new() };
        let last = rope.vias.len() - 1;
        let ends = [(0, 0), (last, last - 1)].into_iter();
        let drums = ends
            .filter(|(k, _)| rope.vias[*k].radius > 0.0 && rope.vias[*k].attachment == RopeAttachment::Fixed);
        let drum = |(k, span): (usize, usize)| (rope.anchors[k].body.index(), rope.vias[k], (id, span));
        drums.map(drum).collect()
    })
}
