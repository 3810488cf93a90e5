//! Smooth centreline and tube of a cable for rendering, from the poses of its elements, with a stripe that shows its
//! twist.
//!
//! ```text
//!  knots       P_k = midpoint of the ends of two elements at their link; at an end, the anchor or the element's tip
//!  tangents    T_k = (u_a + u_b)/|…|, shared by both elements; at a clamp its own; else of a circle through the knots
//!  curve       cubic Hermite over each element, dP/ds = T_k c/l 2/(1 + cos α): the speed nearest to a circle
//!  stripe      arc(u → T(t)) ∘ rot(u, φ(t)) x,    φ = −τ_k/2 at its start, 0 in its middle, τ_{k+1}/2 at its end
//! ```
//!
//! u, x and l are the axis, side axis and length of an element, c the chord between its knots, α the angle between
//! chord and tangent, τ the twist of a link including full turns. The shortest arc carries no twist, and half the swing
//! and half the twist of a link lead to the same frame from both its sides. So the stripe is continuous, and has the
//! orientation of the element in its middle and that of clamps. A cut or broken link ends one piece of line and begins
//! another. No step reads any of this.

use crate::joint::JointKind;
use crate::math;
use crate::model::Configuration;
use crate::slots::CableId;
use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::{PI, TAU};
use std::ops::Range;

/// Sampling density of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// Chord error of at most this [m], and fine enough for the rotation of the stripe.
    Chord(f64),
    /// A constant number of points per element, whatever its shape: the same arc lengths at all times.
    PerElement(usize),
}

/// A point of a cable's centreline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Unstretched arc length from the cable's start [m].
    pub at: f64,
    /// Position in the world [m].
    pub point: DVec3,
    /// Unit vector towards the cable's end.
    pub tangent: DVec3,
    /// Unit normal towards the stripe.
    pub side: DVec3,
    /// Length of the centreline per unstretched length.
    pub stretch: f64,
}

/// Attachment of an end of a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fixing {
    /// Position [m].
    pub at: DVec3,
    /// The orientation of a clamp, z from the cable's start to its end, and the twist of the first element relative to
    /// it, or of it relative to the last element, including full turns [rad]; none where the cable can rotate freely.
    pub clamp: Option<(DQuat, f64)>,
}

/// Configuration of a cable: all that its centreline depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CableGeometry {
    /// Unstretched length of an element [m].
    pub element: f64,
    /// Midpoints and orientations of the elements, z along the cable.
    pub poses: Vec<(DVec3, DQuat)>,
    /// The links between the elements: none where it is parted, else the twist including full turns [rad]. Only the
    /// full turns are used; a missing link counts as intact with none.
    pub ties: Vec<Option<f64>>,
    /// Attachments of its start and end.
    pub holds: [Option<Fixing>; 2],
    /// Elements that are absent because a rope represents them: half-open ranges, in order.
    pub absent: Vec<Range<usize>>,
}

/// A closed surface around a cable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tube {
    /// Vertices [m]; those at the start of the stripe and at the rims of the caps are duplicated.
    pub positions: Vec<DVec3>,
    /// Unit normals, outward.
    pub normals: Vec<DVec3>,
    /// Unstretched arc length [m], and angle around from the stripe in revolutions.
    pub uvs: Vec<DVec2>,
    /// Counterclockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Points of a centreline at most: about a gigabyte.
const MOST: usize = 10_000_000;

/// Points per element at most: below the resolution of a screen.
const FINEST: usize = 1000;

/// Rotation of the stripe or of the tangent between two points at most [rad]; above it, a tube shows facets.
const TURN: f64 = PI / 8.0;

/// A knot of a piece: a point of the line, its tangent, and the rotation of the stripe before and after it.
#[derive(Clone, Copy, Debug)]
struct Knot {
    at: DVec3,
    /// None until computed from its neighbours.
    tangent: Option<DVec3>,
    /// φ at the end of the element before, and at the start of the one after [rad].
    turns: [f64; 2],
}

/// The curve over an element.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// End points, and derivatives there with respect to t from 0 to 1.
    ends: [DVec3; 2],
    rates: [DVec3; 2],
    orientation: DQuat,
    turns: [f64; 2],
}

impl CableGeometry {
    /// Its pieces from start to end, each as sampled points.
    pub fn curve(&self, sampling: Sampling) -> Vec<Vec<CurvePoint>> {
        self.pieces().into_iter().map(|own| self.piece(own.start, own.end, sampling)).collect()
    }

    /// The elements of each piece: those that are present and connected.
    pub fn pieces(&self) -> Vec<Range<usize>> {
        let is_absent = |k: usize| self.absent.iter().any(|gone| gone.contains(&k));
        let mut pieces = Vec::new();
        let mut first = 0;
        for k in 0..self.poses.len() {
            if is_absent(k) {
                first = k + 1;
            } else if k + 1 == self.poses.len() || self.tie(k).is_none() || is_absent(k + 1) {
                pieces.push(first..k + 1);
                first = k + 1;
            }
        }
        pieces
    }

    /// The twist of the link after an element, if it is intact.
    fn tie(&self, k: usize) -> Option<f64> {
        self.ties.get(k).copied().unwrap_or(Some(0.0))
    }

    fn axis(&self, k: usize) -> DVec3 {
        self.poses[k].1 * DVec3::Z
    }

    /// The end of an element: −1 its start, 1 its end.
    fn tip(&self, k: usize, side: f64) -> DVec3 {
        self.poses[k].0 + self.axis(k) * (0.5 * side * self.element)
    }

    fn piece(&self, from: usize, to: usize, sampling: Sampling) -> Vec<CurvePoint> {
        let spans = self.spans(from, to);
        let most = (MOST / self.poses.len().max(1)).clamp(1, FINEST);
        let mut points = Vec::new();
        for (k, span) in spans.iter().enumerate() {
            let count = match sampling {
                Sampling::Chord(error) => span.parts(error),
                Sampling::PerElement(count) => count,
            };
            let count = count.clamp(1, most);
            // the end of one span is the start of the next
            let last = if k + 1 == spans.len() { count } else { count - 1 };
            points.extend((0..=last).map(|i| {
                let t = i as f64 / count as f64;
                CurvePoint { at: ((from + k) as f64 + t) * self.element, ..span.point(t, self.element) }
            }));
        }
        points
    }

    fn spans(&self, from: usize, to: usize) -> Vec<Span> {
        let knots = self.knots(from, to);
        let chord = |k: usize| knots[k + 1].at - knots[k].at;
        // c · 2/(1 + cos α); a chord opposite to its tangent is a fold, which no circle fits
        let speed = |k: usize, tangent: DVec3| {
            let length = chord(k).length();
            let cos = chord(k).normalize_or_zero().dot(tangent).max(0.0);
            2.0 * length / (1.0 + cos)
        };
        let last = knots.len() - 1;
        let rate = |k: usize| {
            let tangent = knots[k].tangent.unwrap_or_else(|| {
                // the other end's tangent, reflected in the chord: that of a circle
                let (near, span) = if k == 0 { (1, 0) } else { (last - 1, last - 1) };
                let axis = self.axis(from + span);
                let along = chord(span).normalize_or(axis);
                let other = knots[near].tangent.unwrap_or(along);
                (along * (2.0 * along.dot(other)) - other).normalize_or(axis)
            });
            let beside = [k.checked_sub(1), (k < last).then_some(k)];
            let count = beside.iter().flatten().count() as f64;
            tangent * (beside.iter().flatten().map(|span| speed(*span, tangent)).sum::<f64>() / count)
        };
        let span = |k: usize| Span {
            ends: [knots[k].at, knots[k + 1].at],
            rates: [rate(k), rate(k + 1)],
            orientation: self.poses[from + k].1,
            turns: [knots[k].turns[1], knots[k + 1].turns[0]],
        };
        (0..to - from).map(span).collect()
    }

    /// The knots of the piece over a half-open range of elements.
    fn knots(&self, from: usize, to: usize) -> Vec<Knot> {
        let mut knots = Vec::with_capacity(to - from + 1);
        let free = |at: DVec3| Knot { at, tangent: None, turns: [0.0; 2] };
        let start = self.holds[0].filter(|_| from == 0);
        knots.push(start.map_or(free(self.tip(from, -1.0)), |hold| self.held(&hold, from, 0)));
        for k in from..to - 1 {
            let tangent = (self.axis(k) + self.axis(k + 1)).try_normalize();
            let twist = twist([self.poses[k].1, self.poses[k + 1].1], self.tie(k).unwrap_or(0.0));
            knots.push(Knot {
                at: 0.5 * (self.tip(k, 1.0) + self.tip(k + 1, -1.0)),
                // folded back on itself, the line bends to an arbitrary side
                tangent: Some(tangent.unwrap_or_else(|| math::across(self.axis(k)).0)),
                turns: [0.5 * twist, -0.5 * twist],
            });
        }
        let end = self.holds[1].filter(|_| to == self.poses.len());
        knots.push(end.map_or(free(self.tip(to - 1, 1.0)), |hold| self.held(&hold, to - 1, 1)));
        knots
    }

    /// The knot at an element whose start (0) or end (1) is attached.
    fn held(&self, hold: &Fixing, k: usize, end: usize) -> Knot {
        let Some((frame, near)) = hold.clamp else {
            return Knot { at: hold.at, tangent: None, turns: [0.0; 2] };
        };
        let element = self.poses[k].1;
        let turns = match end {
            0 => [0.0, -twist([frame, element], near)],
            _ => [twist([element, frame], near), 0.0],
        };
        Knot { at: hold.at, tangent: Some(frame * DVec3::Z), turns }
    }
}

/// The twist of b relative to a about z that is nearest to a known one.
fn twist([a, b]: [DQuat; 2], near: f64) -> f64 {
    let q = a.inverse() * b;
    let angle = 2.0 * libm::atan2(q.z, q.w);
    angle + TAU * ((near - angle) / TAU).round()
}

impl Span {
    /// Number of parts for a chord error of at most `error`.
    fn parts(&self, error: f64) -> usize {
        let [a, b] = [0.0, 1.0].map(|t| self.bend(t));
        // a chord over Δt is off by |P″| Δt²/8 at most, and P″ is largest at an end
        let straight = (a.length().max(b.length()) / (8.0 * error.max(1e-12))).sqrt();
        let [from, to] = self.rates.map(|rate| rate.normalize_or(self.orientation * DVec3::Z));
        // each half has its own bend and twist
        let bent = libm::acos(from.dot(to).clamp(-1.0, 1.0)) / TURN;
        let turned = 2.0 * self.turns[0].abs().max(self.turns[1].abs()) / TURN;
        let parts = straight.max(bent).max(turned).ceil();
        // even, so that the midpoint is sampled: there the rate of the stripe may jump
        let even = if self.turns == [0.0; 2] { parts } else { 2.0 * (0.5 * parts).ceil() };
        even.min(1e6) as usize
    }

    /// d²P/dt².
    fn bend(&self, t: f64) -> DVec3 {
        let ([p, q], [u, v]) = (self.ends, self.rates);
        (q - p) * (6.0 - 12.0 * t) + u * (6.0 * t - 4.0) + v * (6.0 * t - 2.0)
    }

    fn point(&self, t: f64, length: f64) -> CurvePoint {
        let ([p, q], [u, v]) = (self.ends, self.rates);
        let s = 1.0 - t;
        let point =
            p * (s * s * (1.0 + 2.0 * t)) + q * (t * t * (3.0 - 2.0 * t)) + u * (t * s * s) - v * (t * t * s);
        let rate = (q - p) * (6.0 * t * s) + u * (s * (1.0 - 3.0 * t)) + v * (t * (3.0 * t - 2.0));
        let axis = self.orientation * DVec3::Z;
        // where the derivative vanishes, the tangent of the nearer end
        let nearer = if t < 0.5 { u } else { v };
        let tangent = rate.try_normalize().or(nearer.try_normalize()).unwrap_or(axis);
        let turn = if t < 0.5 { self.turns[0] * (1.0 - 2.0 * t) } else { self.turns[1] * (2.0 * t - 1.0) };
        let painted = self.orientation * (math::turn(DVec3::Z, turn) * DVec3::X);
        let side = DQuat::from_rotation_arc(axis, tangent) * painted;
        let side = (side - tangent * side.dot(tangent)).normalize_or(math::across(tangent).0);
        CurvePoint { at: 0.0, point, tangent, side, stretch: rate.length() / length }
    }
}

impl Tube {
    /// A tube with this many sides (at least 3) around pieces of line, with a cap at every end.
    pub fn around(pieces: &[Vec<CurvePoint>], radius: f64, sides: usize) -> Tube {
        let mut tube = Tube::default();
        let spokes = spokes(sides);
        for piece in pieces.iter().filter(|piece| piece.len() > 1) {
            let first = tube.positions.len() as u32;
            piece.iter().for_each(|point| tube.ring(point, radius, &spokes));
            tube.walls(first, piece.len() as u32, spokes.len() as u32);
            tube.lid(&piece[0], radius, &spokes, -1.0);
            tube.lid(&piece[piece.len() - 1], radius, &spokes, 1.0);
        }
        tube
    }

    /// Vertices around a point; the first is repeated as the last, with another v.
    fn ring(&mut self, point: &CurvePoint, radius: f64, spokes: &[DVec2]) {
        let up = point.tangent.cross(point.side);
        let count = spokes.len();
        for j in 0..=count {
            let spoke = spokes[j % count];
            let normal = point.side * spoke.x + up * spoke.y;
            self.positions.push(point.point + normal * radius);
            self.normals.push(normal);
            self.uvs.push(DVec2::new(point.at, j as f64 / count as f64));
        }
    }

    /// Triangles between rings.
    fn walls(&mut self, first: u32, rings: u32, sides: u32) {
        for ring in 0..rings - 1 {
            for j in 0..sides {
                let a = first + ring * (sides + 1) + j;
                let b = a + sides + 1;
                self.triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
            }
        }
    }

    /// A cap at an end, facing along the tangent × `way`.
    fn lid(&mut self, point: &CurvePoint, radius: f64, spokes: &[DVec2], way: f64) {
        let first = self.positions.len() as u32;
        let up = point.tangent.cross(point.side);
        for spoke in spokes {
            self.positions.push(point.point + (point.side * spoke.x + up * spoke.y) * radius);
            self.normals.push(point.tangent * way);
            self.uvs.push(DVec2::new(point.at, 0.5));
        }
        for j in 1..spokes.len() as u32 - 1 {
            let [b, c] = if way > 0.0 { [j, j + 1] } else { [j + 1, j] };
            self.triangles.push([first, first + b, first + c]);
        }
    }
}

/// Unit vectors around a circle, starting at the stripe.
fn spokes(sides: usize) -> Vec<DVec2> {
    let n = sides.clamp(3, 1024);
    let spoke = |j: usize| {
        let (sin, cos) = libm::sincos(TAU * (j as f64 / n as f64));
        DVec2::new(cos, sin)
    };
    (0..n).map(spoke).collect()
}

impl Configuration<'_> {
    /// Configuration of a cable; none for a removed cable.
    pub fn cable_lie(&self, cable: CableId) -> Option<CableGeometry> {
        let cable = self.model.cables.get(cable)?;
        let pose = |id: &crate::slots::BodyId| {
            let body = self.state.bodies.get(id.index())?;
            Some((body.position, body.orientation))
        };
        let poses: Option<Vec<_>> = cable.elements.iter().map(pose).collect();
        let count = cable.elements.len();
        // longer elements have no twist inside, nor has a catenary
        let whole = cable.pool.is_some() || cable.hang.is_some();
        let mut lie = CableGeometry {
            element: cable.element,
            poses: poses?,
            ties: vec![whole.then_some(0.0); count.saturating_sub(1)],
            holds: [None; 2],
            absent: cable.gaps(self.state),
        };
        for (at, id) in cable.links_now(self.state) {
            let Some(JointKind::Link(link)) = self.model.joints.get(id).map(|j| &j.kind) else { continue };
            let memory = &self.state.joints[id.index()];
            let after = (at / cable.element).round() as usize;
            if memory.broken {
                if let Some(tie) = after.checked_sub(1).and_then(|k| lie.ties.get_mut(k)) {
                    *tie = None;
                }
                continue;
            }
            let frames = link.anchors.map(|a| self.model.frame(self.state, &a));
            let (twist, _) = link.turned(&frames, memory.coordinates.as_slice());
            let turns = link.twist.is_some() || link.bend.is_some();
            let held = |frame: &crate::body::frame::Frame| {
                Some(Fixing { at: frame.at, clamp: turns.then_some((frame.orientation, twist)) })
            };
            match link.elements {
                [false, _] => lie.holds[0] = held(&frames[0]),
                [_, false] => lie.holds[1] = held(&frames[1]),
                _ => {
                    if let Some(tie) = after.checked_sub(1).and_then(|k| lie.ties.get_mut(k)) {
                        *tie = Some(twist);
                    }
                }
            }
        }
        Some(lie)
    }

    /// The centreline of a cable: one list of points per unbroken piece, from start to end; empty for a removed cable.
    pub fn cable_curve(&self, cable: CableId, sampling: Sampling) -> Vec<Vec<CurvePoint>> {
        self.cable_lie(cable).map_or_else(Vec::new, |lie| lie.curve(sampling))
    }

    /// The surface of a cable for rendering, with this many sides.
    pub fn cable_tube(&self, cable: CableId, sampling: Sampling, sides: usize) -> Tube {
        let Some(radius) = self.model.cables.get(cable).map(|c| 0.5 * c.section.diameter) else {
            return Tube::default();
        };
        Tube::around(&self.cable_curve(cable, sampling), radius, sides)
    }
}
