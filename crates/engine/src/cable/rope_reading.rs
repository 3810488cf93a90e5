//! Readings of a rope: tension per span, geometry and slack; and its events.
//!
//! Forces are those of the last step, the geometry is the present one. Events are found by comparing two successive
//! readings (`RopeWatch`) after each step; the step itself does not compute them.

use crate::body::frame::Frame;
use crate::joint::JointKind;
use crate::joint::rope::{Anchors, Rope, RopeGeometry, RoutePoint};
use crate::math;
use crate::model::Configuration;
use crate::slots::{CableId, JointId};
use glam::DVec3;

/// State of a rope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RopeReading {
    /// Tension of each span [N].
    pub tensions: Vec<f64>,
    /// Wrap angle by route point [rad]. Below 0 the rope has left its pulley.
    pub wraps: Vec<f64>,
    /// Geometric length of each run, from attachment to attachment [m].
    pub lengths: Vec<f64>,
    /// Length on sheaves without slip between its runs [m].
    pub on_sheaves: f64,
    /// Slack of each run: rope length less geometric length [m]; below 0 it is stretched.
    pub slack: Vec<f64>,
    /// Tension at its start and end [N].
    pub ends: [f64; 2],
    /// Turns on the drums at its start and end; 0 where there is none.
    pub wound: [f64; 2],
    /// Present elements with mass; 0 for a massless rope.
    pub elements: usize,
    /// Length by which the rope that was wound onto its drums and sheaves is stretched [m].
    pub wound_stretch: f64,
    /// Whether it is broken.
    pub broken: bool,
}

impl RopeReading {
    /// Its total geometric length off the drums [m].
    pub fn length(&self) -> f64 {
        self.lengths.iter().sum::<f64>() + self.on_sheaves
    }

    /// Whether it has left the pulley at a point.
    pub fn has_left(&self, point: usize) -> bool {
        self.wraps.get(point).is_some_and(|wrap| *wrap < -OFF)
    }
}

/// Angle between the points of a drawn arc of rope [rad].
const CORNER: f64 = 0.1;

impl<'a> Configuration<'a> {
    /// All ropes, in order of their indices.
    pub fn ropes(self) -> impl Iterator<Item = JointId> + 'a {
        let joints = &self.model.joints;
        let ropes = joints.iter().filter(|(_, joint)| matches!(joint.kind, JointKind::Rope(_)));
        ropes.filter_map(|(place, _)| joints.id(place))
    }

    /// State of a rope; none for a removed joint or one that is no rope.
    pub fn rope(&self, id: JointId) -> Option<RopeReading> {
        let (rope, geometry, _) = self.geometry(id)?;
        let memory = &self.state.joints[id.index()];
        let runs = 0..geometry.runs.len();
        let paid = self.model.paid(self.state, id);
        let row = |run| rope.gap(run, &geometry, self.state.time) + if run == 0 { paid } else { 0.0 };
        let tensions = rope.tensions(&memory.forces).to_vec();
        Some(RopeReading {
            ends: [tensions.first(), tensions.last()].map(|pull| pull.copied().unwrap_or(0.0)),
            elements: 0,
            tensions,
            slack: runs.map(row).collect(),
            wound: [0, rope.vias.len() - 1]
                .map(|k| rope.vias[k].wound(rope.winding_angle(k, &memory.coordinates))),
            on_sheaves: rope.on_sheaves(&geometry),
            wound_stretch: geometry.wound.stretch(),
            wraps: geometry.wraps.to_vec(),
            lengths: geometry.free.to_vec(),
            broken: memory.broken,
        })
    }

    /// The ropes that feed a cable (`Rope::feed`), from its start to its end.
    pub fn feeders(&self, cable: CableId) -> Vec<JointId> {
        let mut ropes: Vec<(usize, JointId)> = Vec::new();
        for (place, joint) in self.model.joints.iter() {
            let JointKind::Rope(rope) = &joint.kind else { continue };
            let window = rope.window(&self.state.joints[place].history);
            let own = rope.feed.filter(|feed| feed.cable == cable).and(window);
            ropes.extend(own.zip(self.model.joints.id(place)).map(|(window, id)| (window[0], id)));
        }
        ropes.sort_by_key(|(first, _)| *first);
        ropes.into_iter().map(|(_, id)| id).collect()
    }

    /// State of a cable with mass on its route over drums and pulleys, as a rope: its tensions are those of the
    /// segments, where each leaves its route point; its one run is the whole cable. None for a cable that no rope
    /// feeds.
    pub fn route(&self, id: CableId) -> Option<RopeReading> {
        let cable = self.model.cables.get(id)?;
        let ropes = self.feeders(id);
        let (first, last) = (ropes.first()?, ropes.last()?);
        let links = self.cable_readings(id);
        let ends = [links.first(), links.last()].map(|link| link.map_or(0.0, |link| link.tension));
        let clamped = cable.ends.map(|end| end.anchor().is_some());
        let mut all = RopeReading { ends, ..RopeReading::default() };
        if clamped[0] {
            all.wraps.push(0.0);
            all.tensions.push(ends[0]);
        }
        let (mut way, mut slack) = (0.0, 0.0);
        for (id, (rope, own)) in
            ropes.iter().filter_map(|id| Some((*id, (self.as_rope(*id)?, self.rope(*id)?))))
        {
            let sides = rope.feed.map_or([false; 2], |feed| feed.sides);
            let points = usize::from(sides[0])..rope.vias.len() - usize::from(sides[1]);
            all.wraps.extend(&own.wraps[points.clone()]);
            all.tensions.extend(points.filter_map(|k| own.tensions.get(k)));
            way += own.length();
            slack += own.slack.iter().sum::<f64>();
            all.wound_stretch += own.wound_stretch;
            all.broken |= own.broken;
            if id == *first && !clamped[0] {
                (all.ends[0], all.wound[0]) = (own.ends[0], own.wound[0]);
            }
            if id == *last && !clamped[1] {
                (all.ends[1], all.wound[1]) = (own.ends[1], own.wound[1]);
            }
        }
        if clamped[1] {
            all.wraps.push(0.0);
        }
        let gone: usize = cable.gaps(self.state).iter().map(|gap| gap.len()).sum();
        all.elements = cable.elements.len() - gone;
        all.broken |= links.iter().any(|link| link.broken);
        let stretch: f64 = cable.links_now(self.state).iter().map(|(_, link)| self.stretch_of(*link)).sum();
        all.lengths = vec![way + all.elements as f64 * cable.element + stretch];
        all.slack = vec![slack - stretch];
        Some(all)
    }

    /// Elongation of a link under load [m].
    fn stretch_of(&self, id: JointId) -> f64 {
        let Some(JointKind::Link(link)) = self.model.joints.get(id).map(|joint| &joint.kind) else {
            return 0.0;
        };
        let frames = link.anchors.map(|anchor| self.model.frame(self.state, &anchor));
        let along: DVec3 = (0..2).filter(|k| link.elements[*k]).map(|k| frames[k].z()).sum();
        (frames[1].at - frames[0].at).dot(along.normalize_or_zero())
    }

    /// The line of a rope from end to end, with arcs on pulleys; empty for a removed or broken one or another joint.
    pub fn rope_line(&self, id: JointId) -> Vec<DVec3> {
        self.rope_path(id).into_iter().map(|(point, _)| point).collect()
    }

    /// The same, each point with the number of its span; the arc on a pulley belongs to the span before it.
    pub fn rope_path(&self, id: JointId) -> Vec<(DVec3, usize)> {
        if self.state.joints.get(id.index()).is_none_or(|memory| memory.broken) {
            return Vec::new();
        }
        self.drawn(id, |_, turn| (turn / CORNER).abs().ceil() as usize)
    }

    /// The line of a rope with a constant number of points, for meshes that are created once and then deformed: each
    /// arc on a pulley has this many parts per revolution. A broken rope has its last position.
    pub fn rope_points(&self, id: JointId, parts: usize) -> Vec<DVec3> {
        let drawn = self.drawn(id, |via, _| parts * (1 + via.turns as usize));
        drawn.into_iter().map(|(point, _)| point).collect()
    }

    /// The line of a rope, each point with the number of its span; `parts` maps a wrap angle to a number of parts.
    fn drawn(&self, id: JointId, parts: impl Fn(&RoutePoint, f64) -> usize) -> Vec<(DVec3, usize)> {
        let Some((rope, geometry, frames)) = self.geometry(id) else { return Vec::new() };
        let mut path = Vec::new();
        for (k, (via, frame)) in rope.vias.iter().zip(&frames).enumerate() {
            let before = k.checked_sub(1).map(|k| (geometry.spans[k], k));
            path.extend(before.map(|(span, number)| (span.ends[1], number)));
            // a rope that has left its pulley passes it
            let turn = geometry.wraps[k].max(0.0);
            if let Some((before, number)) = before.filter(|_| via.radius > 0.0 && k + 1 < frames.len()) {
                let parts = parts(via, turn);
                path.extend((1..parts).map(|i| {
                    let angle = via.side * turn * i as f64 / parts as f64;
                    (frame.at + math::turn(frame.z(), angle) * before.normals[1] * via.radius, number)
                }));
            }
            path.extend(geometry.spans.get(k).map(|span| (span.ends[0], k)));
        }
        path
    }

    fn as_rope(&self, id: JointId) -> Option<&Rope> {
        match &self.model.joints.get(id)?.kind {
            JointKind::Rope(rope) => Some(rope),
            _ => None,
        }
    }

    fn geometry(&self, id: JointId) -> Option<(&Rope, RopeGeometry, Anchors<Frame>)> {
        let (joint, rope) = (self.model.joints.get(id)?, self.as_rope(id)?);
        let frames = self.model.frames(self.state, id.index(), joint);
        let geometry = rope.geometry(&self.state.joints[id.index()].view(&frames, self.state.time));
        Some((rope, geometry, frames))
    }
}

/// An event of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RopeChange {
    /// A run of it, by number, lost its tension.
    Slack(usize),
    /// A run of it, by number, became taut.
    Taut(usize),
    /// It left the pulley at a point, by number.
    Left(usize),
    /// It made contact again with the pulley at a point, by number.
    Met(usize),
    /// It broke.
    Broke,
}

/// An event and its rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RopeEvent {
    /// The rope.
    pub rope: JointId,
    /// The event.
    pub change: RopeChange,
}

/// Reads ropes and reports their events since the previous reading.
#[derive(Clone, Debug, Default)]
pub struct RopeWatch {
    known: Vec<(JointId, Seen)>,
}

/// Previous state of a rope.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    /// By run.
    slack: Vec<bool>,
    /// By point.
    off: Vec<bool>,
    broken: bool,
}

/// Slack from which a run counts as slack [m]: well above the round-off of a taut one.
const SLACK: f64 = 1e-6;
/// A wrap angle above minus this does not count as lift-off [rad].
const OFF: f64 = 1e-6;

impl Seen {
    /// The present state. A slack run stays so until its slack is almost zero.
    fn of(reading: &RopeReading, before: Option<&Seen>) -> Seen {
        let run = |(k, gap): (usize, &f64)| {
            let was = before.and_then(|b| b.slack.get(k)).is_some_and(|slack| *slack);
            *gap > if was { 0.1 * SLACK } else { SLACK }
        };
        Seen {
            slack: reading.slack.iter().enumerate().map(run).collect(),
            off: (0..reading.wraps.len()).map(|point| reading.has_left(point)).collect(),
            broken: reading.broken,
        }
    }

    /// Differences from the previous state.
    fn changes(&self, before: &Seen) -> Vec<RopeChange> {
        if self.broken {
            return if before.broken { Vec::new() } else { vec![RopeChange::Broke] };
        }
        let differ = |was: &[bool], is: &[bool]| {
            let pairs = was.iter().zip(is).enumerate();
            pairs.filter(|(_, (was, is))| was != is).map(|(k, (_, is))| (k, *is)).collect::<Vec<_>>()
        };
        let runs = differ(&before.slack, &self.slack).into_iter();
        let points = differ(&before.off, &self.off).into_iter();
        let runs = runs.map(|(k, slack)| if slack { RopeChange::Slack(k) } else { RopeChange::Taut(k) });
        runs.chain(points.map(|(k, off)| if off { RopeChange::Left(k) } else { RopeChange::Met(k) }))
            .collect()
    }
}

impl RopeWatch {
    /// Reads all ropes of a world; the first reading of a rope yields no events.
    pub fn look(&mut self, at: Configuration<'_>) -> Vec<RopeEvent> {
        let mut events = Vec::new();
        let mut now = Vec::new();
        for rope in at.ropes() {
            let Some(reading) = at.rope(rope) else { continue };
            let before = self.known.iter().find(|(id, _)| *id == rope).map(|(_, seen)| seen);
            let seen = Seen::of(&reading, before);
            let changes = before.map_or_else(Vec::new, |before| seen.changes(before));
            events.extend(changes.into_iter().map(|change| RopeEvent { rope, change }));
            now.push((rope, seen));
        }
        self.known = now;
        events
    }
}
