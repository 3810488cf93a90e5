//! Route of a cable through a machine: winches, pulleys, rings and clamps, with flexible or massless segments between
//! them.
//!
//! ```text
//!  winch ──massless── pulley ~~flexible~~ pulley ~~flexible~~ clamp
//!  └────────── rope ─────────┘└─ elements ─┘└─ rope ─┘└─ elements ─┘
//! ```
//!
//! All flexible segments form one cable. Where it runs over a pulley, a rope represents its elements and feeds them
//! from one side to the other (`Rope::feed`, `cable/feed.rs`). Without flexible segments the whole route is one rope.

use super::{CableSpec, catenary};
use crate::body::frame::{Anchor, Frame};
use crate::joint::constraint::ConstraintView;
use crate::joint::rope::{Feed, Rope, RopeGeometry, RoutePoint};
use crate::joint::{Joint, Strength};
use crate::math;
use crate::model::Configuration;
use crate::model::cable::{End, Piece};
use crate::section::{Section, UnderLoad};
use crate::slots::{CableId, JointId};
use glam::DVec3;
use std::ops::Range;

/// Specification of a route.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Its name; ropes and elements are named after it.
    pub name: String,
    /// Cross-section of the cable.
    pub section: Section,
    /// Its points in order.
    pub points: Vec<(Anchor, RoutePoint)>,
    /// By segment, from point to point: whether it is flexible and has mass.
    pub flexible: Vec<bool>,
    /// Target length of elements [m].
    pub element: f64,
    /// Cable on the drums at its start and end [m], available for paying out.
    pub stock: [f64; 2],
    /// Initial tension [N].
    pub tension: f64,
    /// Excess of its length over its geometric length [m]: flexible segments sag, in proportion to their lengths.
    pub slack: f64,
    /// Dependence of flexible segments on tension; their stiffness is constant, as is that of the ropes that feed them.
    pub under_load: UnderLoad,
    /// Surface properties of flexible segments; none without contact.
    pub surface: Option<u16>,
}

/// The joints and the cable of a route.
#[derive(Clone, Debug, PartialEq)]
pub struct Routed {
    /// Its ropes, from start to end.
    pub ropes: Vec<JointId>,
    /// Its elements, if any segment is flexible.
    pub cable: Option<CableId>,
}

/// Initial distance between an element and the pulley of its cable, in elements at least: above the threshold of
/// absorption.
const CLEAR: f64 = 0.5;

impl Route {
    /// A massless route.
    pub fn new(name: impl Into<String>, section: Section, points: Vec<(Anchor, RoutePoint)>) -> Route {
        let flexible = vec![false; points.len().saturating_sub(1)];
        Route {
            name: name.into(),
            section,
            points,
            flexible,
            element: 1.0,
            stock: [0.0; 2],
            tension: 0.0,
            slack: 0.0,
            under_load: UnderLoad::default(),
            surface: None,
        }
    }

    fn rope(&self, points: &[(Anchor, RoutePoint)]) -> Rope {
        let [stretch, ..] = self.section.damping;
        Rope::new(points).elastic(self.section.stretch, stretch)
    }

    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.points.len() < 2 || self.flexible.len() + 1 != self.points.len() {
            return Some(format!("it has {} points and {} segments", self.points.len(), self.flexible.len()));
        }
        if let Some(problem) = self.section.problem() {
            return Some(problem);
        }
        if self.under_load.stiffening.is_some() {
            return Some("its stiffness may not grow with the load: leave `stiffening` out".to_owned());
        }
        if !(self.tension >= 0.0 && self.tension.is_finite()) {
            return Some(format!("a tension of {} N: give 0 or more", self.tension));
        }
        if !(self.slack >= 0.0 && self.slack.is_finite()) || (self.slack > 0.0 && self.tension > 0.0) {
            let (slack, tension) = (self.slack, self.tension);
            return Some(format!("{slack} m of slack under {tension} N: give one of them, 0 or more"));
        }
        None
    }

    /// Elongation factor under its initial tension.
    fn stretched(&self) -> f64 {
        1.0 + self.tension / self.section.stretch
    }

    pub(crate) fn joint(&self, number: usize, rope: Rope) -> Joint {
        // a massless rope has no stiffness other than EA
        let bears = self.section.bears(&UnderLoad::default());
        let strength = bears.map(|force| Strength { force, torque: f64::INFINITY });
        Joint { strength, ..Joint::new(format!("{}.rope[{number}]", self.name), rope) }
    }

    /// The points of each rope: those joined by massless segments, and those between two flexible ones.
    pub(crate) fn stretches(&self) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        let mut from = 0;
        for k in 0..self.points.len() {
            if self.flexible.get(k).is_none_or(|flexible| *flexible) {
                all.push(from..k + 1);
                from = k + 1;
            }
        }
        // a clamp at an end belongs to the cable
        let clamp = |k: usize| self.points[k].1.radius == 0.0;
        let last = self.points.len() - 1;
        all.retain(|s| s.len() > 1 || !((s.start == 0 || s.start == last) && clamp(s.start)));
        all
    }
}

/// Layout of the elements of a route.
pub(crate) struct Lay {
    /// Length of an element [m].
    element: f64,
    /// The ends of the elements, one more than there are.
    nodes: Vec<DVec3>,
    /// By segment: the elements in it.
    within: Vec<Range<usize>>,
}

impl Configuration<'_> {
    /// A rope of the route with its initial tension.
    pub(crate) fn pulled(&self, route: &Route, mut rope: Rope) -> Rope {
        if route.tension > 0.0 && rope.problem().is_none() {
            let frames = self.frames_of(&rope);
            let geometry = rope.geometry(&ConstraintView {
                frames: &frames,
                last: &[],
                history: &[],
                time: self.state.time,
            });
            rope.lengths = geometry.free.iter().map(|way| Some(way / route.stretched())).collect();
        }
        rope
    }

    /// The route as one rope, its wrap sides determined.
    pub(crate) fn settled(&self, route: &Route) -> Result<Rope, String> {
        let mut rope = route.rope(&route.points);
        // anything a rope would reject
        for (k, anchor) in rope.anchors.iter().enumerate() {
            if self.model.bodies.get(anchor.body).is_none() {
                return Err(format!("the body of its point {k} was removed"));
            }
        }
        if let Some(problem) = rope.problem() {
            return Err(problem);
        }
        let frames = self.frames_of(&rope);
        rope.settle(&ConstraintView { frames: &frames, last: &[], history: &[], time: self.state.time });
        // the sides are determined here; windings are marked where they are added
        rope.vias.iter_mut().zip(&route.points).for_each(|(via, (_, given))| via.winding = given.winding);
        rope.material.clear();
        Ok(rope)
    }

    fn frames_of(&self, rope: &Rope) -> Vec<Frame> {
        rope.anchors.iter().map(|a| self.model.frame(self.state, a)).collect()
    }

    /// Elements of one length from the end of the route to its start, and on onto the drums.
    pub(crate) fn lay(&self, route: &Route, whole: &Rope) -> Result<Lay, String> {
        if !(route.element > 0.0 && route.element.is_finite()) {
            return Err(format!("elements of {} m: give a length above 0", route.element));
        }
        let frames = self.frames_of(whole);
        let geometry = whole.geometry(&ConstraintView {
            frames: &frames,
            last: &[],
            history: &[],
            time: self.state.time,
        });
        let straight = geometry.spans.iter().zip(&route.flexible).filter(|(_, flexible)| **flexible);
        let sagging = route.slack / straight.map(|(span, _)| span.length).sum::<f64>();
        let line = Line::of(whole, &geometry, &frames, |k| {
            let sags = route.flexible[k] && route.slack > 0.0;
            sags.then_some((geometry.spans[k].length * sagging, self.model.settings.gravity))
        });
        let total = line.length();
        let last = route.points.len() - 1;
        let fixed = |k: usize| route.points[k].1.radius == 0.0 && route.flexible[k.min(last - 1)];
        // fixed at both ends, it has a whole number of elements
        let whole_number = (total / route.element).round().max(1.0);
        let element =
            if fixed(0) && fixed(last) { total / whole_number } else { route.element * route.stretched() };
        let [before, after] = route.stock.map(|stock| (stock * route.stretched() / element).round());
        // the last end of an element on the line
        let end = match (fixed(0), fixed(last)) {
            (_, true) => total,
            (true, false) => element * (total / element - CLEAR).floor(),
            (false, false) => total - element,
        };
        let count = (end / element + 1e-9).floor();
        if !(count >= 1.0 && count + before + after < 1e5) {
            return Err(format!("its length of {total} m gives no element of {element} m, or too many"));
        }
        let from = end - count * element;
        let all = (count + before + after) as usize;
        let at = |k: usize| from + (k as f64 - before) * element;
        // an element on a drum has no position of its own
        let nodes = (0..=all).map(|k| line.at(at(k).clamp(0.0, total))).collect();
        let mut within = Vec::with_capacity(route.flexible.len());
        for (k, flexible) in route.flexible.iter().enumerate() {
            let clear = |end: usize| if fixed(end) && (end == 0 || end == last) { 1e-9 } else { -CLEAR };
            let span = line.spans[k].clone();
            let (low, high) = (span.start - clear(k) * element, span.end + clear(k + 1) * element);
            let number = |x: f64| ((x - from) / element + before).clamp(0.0, all as f64);
            let own = number(low).ceil() as usize..number(high).floor() as usize;
            if !flexible {
                within.push(0..0);
            } else if own.len() < 2 {
                let room = span.end - span.start;
                return Err(format!(
                    "its segment {k}, {room} m long, has no room for two elements of {element} m: make them shorter, or the segment massless"
                ));
            } else {
                within.push(own);
            }
        }
        Ok(Lay { element: element / route.stretched(), nodes, within })
    }

    /// The rope through some points, between the elements at its ends.
    pub(crate) fn feeding(
        &self,
        route: &Route,
        (whole, lay): (&Rope, &Lay),
        cable: CableId,
        stretch: &Range<usize>,
    ) -> Rope {
        let own = self.model.cables.get(cable).expect("it was added just now");
        let all = own.elements.len();
        let before = stretch.start.checked_sub(1).map(|k| lay.within[k].end);
        let after =
            lay.within.get(stretch.end - 1).filter(|_| stretch.end < route.points.len()).map(|w| w.start);
        let tip =
            |k: Option<usize>, end: bool| own.tip(k?, end).map(|anchor| (anchor, RoutePoint::attached()));
        let mut points = Vec::new();
        points.extend(tip(before.and_then(|k| k.checked_sub(1)), true));
        points.extend(stretch.clone().map(|k| (whole.anchors[k], whole.vias[k])));
        points.extend(tip(after, false));
        let window = [before.unwrap_or(0), after.unwrap_or(all)].map(|k| k as u32);
        let sides = [before.is_some(), after.is_some()];
        // with an element between the pulley and the body at which the cable ends
        let last = route.points.len() - 1;
        let begins = before.is_some() && stretch.start == 1 && route.points[0].1.is_fast();
        let stops = after.is_some() && stretch.end == last && route.points[last].1.is_fast();
        let ends = [begins.then_some(1), stops.then(|| all.saturating_sub(1) as u32)];
        let twist = route.section.twist > 0.0;
        let feed = Feed { cable, element: lay.element, sides, window, ends, twist };
        Rope { feed: Some(feed), ..route.rope(&points) }
    }
}

/// The elements of a route as a cable.
pub(crate) fn laying(route: &Route, lay: &Lay) -> CableSpec {
    let all = lay.nodes.len() - 1;
    let ends = [0, 1].map(|side| {
        let (point, segment) =
            if side == 0 { (0, 0) } else { (route.points.len() - 1, route.flexible.len() - 1) };
        let (anchor, via) = route.points[point];
        if via.radius == 0.0 && route.flexible[segment] { End::Ball(anchor) } else { End::Free }
    });
    let mut absent = Vec::new();
    let mut from = 0;
    for own in lay.within.iter().filter(|own| !own.is_empty()) {
        absent.push([from, own.start]);
        from = own.end;
    }
    absent.push([from, all]);
    CableSpec {
        ends,
        elements: all,
        length: Some(lay.element * all as f64),
        surface: route.surface,
        under_load: route.under_load,
        absent,
        ..CableSpec::new(route.name.clone(), route.section, lay.nodes.clone())
    }
}

/// A route as a polyline.
struct Line {
    /// Vertices with their arc length [m].
    corners: Vec<(f64, DVec3)>,
    /// By segment: arc lengths of its straight part [m].
    spans: Vec<Range<f64>>,
}

/// Parts of an arc, and of a sagging segment.
const PARTS: usize = 16;
const SAG_PARTS: usize = 256;

impl Line {
    /// The polyline of a rope. `sags` specifies how much longer than straight a segment is [m], and the direction of
    /// gravity.
    fn of(
        rope: &Rope,
        geometry: &RopeGeometry,
        frames: &[Frame],
        sags: impl Fn(usize) -> Option<(f64, DVec3)>,
    ) -> Line {
        let mut line = Line { corners: Vec::new(), spans: Vec::new() };
        let mut way = 0.0;
        for (k, span) in geometry.spans.iter().enumerate() {
            let (frame, via, wrap) = (&frames[k], &rope.vias[k], geometry.wraps[k]);
            if via.radius > 0.0 && k > 0 {
                let normal = geometry.spans[k - 1].normals[1];
                for part in 1..PARTS {
                    let angle = wrap * part as f64 / PARTS as f64;
                    let at = frame.at + math::turn(frame.z(), via.side * angle) * normal * via.radius;
                    line.corners.push((way + via.radius * angle, at));
                }
                way += via.radius * wrap.max(0.0);
            }
            line.corners.push((way, span.ends[0]));
            let mut length = span.length;
            if let Some((more, gravity)) = sags(k) {
                length += more;
                let points = hung(span.ends, length, gravity);
                line.corners.extend(points.map(|(along, at)| (way + along, at)));
            }
            line.spans.push(way..way + length);
            way += length;
            line.corners.push((way, span.ends[1]));
        }
        line
    }

    fn length(&self) -> f64 {
        self.spans.last().map_or(0.0, |span| span.end)
    }

    /// The point at an arc length.
    fn at(&self, way: f64) -> DVec3 {
        let behind = self.corners.partition_point(|c| c.0 <= way);
        let (a, b) = match behind {
            0 => (self.corners[0], self.corners[1]),
            k if k == self.corners.len() => (self.corners[k - 2], self.corners[k - 1]),
            k => (self.corners[k - 1], self.corners[k]),
        };
        let along = (b.1 - a.1) / (b.0 - a.0).max(1e-12);
        a.1 + along * (way - a.0)
    }
}

/// Points of a line of some length hanging between two points, with their arc lengths.
fn hung([from, to]: [DVec3; 2], length: f64, gravity: DVec3) -> impl Iterator<Item = (f64, DVec3)> {
    let up = (-gravity).try_normalize().unwrap_or(DVec3::Z);
    let rise = up.dot(to - from);
    let level = (to - from) - up * rise;
    // for vertically aligned ends it hangs in any plane
    let along = level.try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
    let pieces = [Piece { length, weight: 1.0, give: 0.0 }];
    let hangs = catenary::hang(&pieces, level.length(), rise, None);
    (1..SAG_PARTS).map(move |part| {
        let way = length * part as f64 / SAG_PARTS as f64;
        let at = hangs.at(&pieces, way);
        (way, from + along * at.x + up * at.z)
    })
}
