//! Ropes and winches → their numbers.
//!
//! Spans and points of a rope are counted from 1. Tensions are those of the last step; before the first there are none.

use windlass_engine::prelude::{JointId, JointKind, RopeReading, Seat, World};

/// What a rope has.
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
    Paid,
    /// At a point, from 0.
    Wrap(usize),
    /// Whether it has left any pulley.
    Off,
    /// Whether it has left the pulley at a point, from 0.
    OffAt(usize),
    Broken,
}

/// The quantities of a whole rope.
pub const WHOLE: [(&str, RopeQuantity, &str, &str); 9] = [
    ("tension", RopeQuantity::Tension, "N", "of a cable with a route: largest pull of its spans"),
    ("max_tension", RopeQuantity::Tension, "N", "the same"),
    ("tension.start", RopeQuantity::Start, "N", "pull of its first span"),
    ("tension.end", RopeQuantity::End, "N", "pull of its last span"),
    ("slack", RopeQuantity::Slack, "m", "rope beyond its way, below 0 its stretch"),
    ("length", RopeQuantity::Length, "m", "its way off the winches"),
    ("paid", RopeQuantity::Paid, "m", "rope off the winches, without load"),
    ("off", RopeQuantity::Off, "", "1 if it has left a pulley, else 0"),
    ("broken", RopeQuantity::Broken, "", "1 if it has broken, else 0"),
];

/// A quantity of the k-th span or point, from 0.
type Numbered = fn(usize) -> RopeQuantity;

/// The quantities of a span or a point.
pub const NUMBERED: [(&str, Numbered, &str, &str); 3] = [
    ("tension", RopeQuantity::Span, "N", "pull of its span k, counted from 1"),
    ("wrap", RopeQuantity::Wrap, "rad", "angle by which it lies on its point k, counted from 1"),
    ("off", RopeQuantity::OffAt, "", "1 if it has left the pulley at its point k, else 0"),
];

impl RopeQuantity {
    /// Whether a rope has it.
    pub fn is_of(self, reading: &RopeReading) -> bool {
        match self {
            RopeQuantity::Span(k) => k < reading.tensions.len(),
            RopeQuantity::Wrap(k) | RopeQuantity::OffAt(k) => k < reading.wraps.len(),
            _ => true,
        }
    }

    /// Its number; none before there are forces.
    pub fn of(self, rope: JointId, world: &World) -> Option<f64> {
        let reading = world.rope(rope)?;
        let flag = |is: bool| Some(f64::from(u8::from(is)));
        let pull = |k: usize| reading.tensions.get(k).copied().filter(|_| world.state().step > 0);
        let sum = |list: &[f64]| list.iter().sum::<f64>();
        match self {
            RopeQuantity::Tension => {
                pull(0)?;
                reading.tensions.iter().copied().reduce(f64::max)
            }
            RopeQuantity::Span(k) => pull(k),
            RopeQuantity::Start => pull(0),
            RopeQuantity::End => pull(reading.tensions.len().checked_sub(1)?),
            RopeQuantity::Slack => Some(sum(&reading.slack)),
            RopeQuantity::Length => Some(sum(&reading.lengths)),
            RopeQuantity::Paid => Some(sum(&reading.lengths) + sum(&reading.slack)),
            RopeQuantity::Wrap(k) => reading.wraps.get(k).copied(),
            RopeQuantity::Off => flag(reading.wraps.iter().any(|wrap| *wrap < 0.0)),
            RopeQuantity::OffAt(k) => flag(*reading.wraps.get(k)? < 0.0),
            RopeQuantity::Broken => flag(reading.broken),
        }
    }
}

/// A winch of a world: a drum of a name that ropes are wound on, and the hinge of that name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drum {
    pub hinge: JointId,
    /// [m]
    pub radius: f64,
}

/// What a winch has.
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
    ("load", WinchQuantity::Load, "N", "pull of all ropes on its drum"),
];

/// The winches of a world, with their names.
pub fn winches(world: &World) -> Vec<(Drum, &str)> {
    let (bodies, joints) = (world.model().bodies(), world.model().joints());
    let mut found: Vec<(Drum, &str)> = Vec::new();
    for (body, radius, _) in drums(world) {
        let Some(name) = bodies.at(body).map(|b| b.name.as_str()) else { continue };
        let is_its =
            |j: &windlass_engine::prelude::Joint| j.name == name && matches!(j.kind, JointKind::Hinge(_));
        let hinge = joints.iter().find(|(_, j)| is_its(j)).and_then(|(place, _)| joints.id(place));
        if let Some(hinge) = hinge.filter(|_| found.iter().all(|(_, known)| *known != name)) {
            found.push((Drum { hinge, radius }, name));
        }
    }
    found
}

/// The pull of all ropes on the drum of a winch [N].
pub fn load(drum: Drum, world: &World) -> Option<f64> {
    let hinge = world.model().joints().get(drum.hinge)?;
    let body = hinge.constraint().anchors().get(1)?.body.index();
    let pulls = drums(world).filter(|(own, ..)| *own == body).map(|(_, _, (rope, span))| {
        let reading = world.rope(rope);
        reading.and_then(|r| r.tensions.get(span).copied()).unwrap_or(0.0)
    });
    Some(pulls.sum::<f64>()).filter(|_| world.state().step > 0)
}

/// The ends of ropes that are on drums: the body's place, the radius, the rope and its span there.
fn drums(world: &World) -> impl Iterator<Item = (usize, f64, (JointId, usize))> + '_ {
    world.ropes().flat_map(|id| {
        let kind = world.model().joints().get(id).map(|j| &j.kind);
        let Some(JointKind::Rope(rope)) = kind else { return Vec::new() };
        let last = rope.vias.len() - 1;
        let ends = [(0, 0), (last, last - 1)].into_iter();
        let drums = ends.filter(|(k, _)| rope.vias[*k].radius > 0.0 && rope.vias[*k].seat == Seat::Fast);
        let drum =
            |(k, span): (usize, usize)| (rope.anchors[k].body.index(), rope.vias[k].radius, (id, span));
        drums.map(drum).collect()
    })
}
