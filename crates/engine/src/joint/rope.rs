//! A massless rope that runs over pulleys and through rings, from end to end.
//!
//!   L = Σ spans + Σ r φ,   g = S + paid(t) − L ≥ 0,   T ≥ 0                 1 row per run, k = EA/S'
//!   slip over a surface = Σ spans behind it,   |ΔT| ≤ κ ½(T + T')    1 row per point with friction, κ = 2 tanh(μφ/2)
//!
//! A rope is **attached** at its ends and at points that specify it: there its material moves with the surface, which
//! is a drum, a clamp or a sheave without slip. Between two attached points is a *run* with a length of its own, of
//! which S' is off the drums. At its other points the rope slides. Without friction the tension is the same on both
//! sides. With friction the bound above is Eytelwein's law in closed form, e^(−μφ) ≤ T'/T ≤ e^(μφ), since
//! κ/2 = (e^(μφ) − 1)/(e^(μφ) + 1). It has the form of dry friction with the mean tension as normal force. A massless
//! sheave on a bearing has the bound of its bearing instead, with c = μ r_pin/r: the pin carries R,
//! R² = 4N² sin²(φ/2) + ΔT² cos²(φ/2), so κ = 2 c sin(φ/2)/√(1 − c² cos²(φ/2)).
//!
//! On a drum the length is measured from a mark, by the unwrapped angle from the drum's x axis to the point where the
//! rope leaves. A sheave without slip between two runs has two such angles, where the rope arrives and where it leaves;
//! they differ by the wrap angle. Rope on a drum counts with its length as wound: the stretch it had at that time is
//! kept (`wound.rs`).
//!
//! **Light bodies held by a rope against a heavy load** (hook blocks) have the same transverse vibration as cables
//! (`solve/tension_stiffness/mod.rs`). For each span two transverse rows account for the rotation of its tension
//! (`RowLaw::Transverse`), relative to the mean rotation rate of the span over the last steps, so that a swing is not
//! damped.

use super::constraint::ConstraintView;
use super::rope_history;
use super::winding::Winding;
use super::wound::WoundRope;
use super::wrap::{Circle, Span};
use crate::body::frame::{Anchor, Frame, JacobianBlock};
use crate::body::motion::Motion;
use crate::slots::CableId;
use glam::DVec3;
use smallvec::SmallVec;
use std::f64::consts::TAU;
use std::ops::Range;

/// How a rope is held at a route point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RopeAttachment {
    /// Attached: it moves with the surface of a clamp, a drum or a sheave without slip.
    Fixed,
    /// It slides without friction.
    #[default]
    Smooth,
    /// It slides on the surface with friction.
    Rough {
        /// Coefficient of static friction μ.
        stick: f64,
        /// Coefficient of sliding friction μ.
        slide: f64,
    },
    /// It rotates a massless sheave on a pin with friction.
    Bearing {
        /// μ of the pin times the radius of the pin over that of the sheave.
        share: f64,
    },
}

/// A route point of a rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoutePoint {
    /// Radius to the rope's centreline [m]; 0 for a ring or a clamp. The circle is perpendicular to the anchor's z.
    pub radius: f64,
    /// Sense of travel about z: 1 counterclockwise, −1 clockwise; 0 for the one with the smaller wrap angle, found when
    /// the rope is added.
    pub side: f64,
    /// Additional whole turns beyond those of the route.
    pub turns: u32,
    /// How the rope is held.
    pub attachment: RopeAttachment,
    /// Layers of a drum at an end; none for a drum of constant radius.
    pub winding: Option<Winding>,
}

impl RoutePoint {
    /// A clamp at an end of a rope.
    pub fn attached() -> RoutePoint {
        RoutePoint { radius: 0.0, side: 1.0, turns: 0, attachment: RopeAttachment::Fixed, winding: None }
    }

    /// A ring that the rope slides through.
    pub fn ring() -> RoutePoint {
        RoutePoint { attachment: RopeAttachment::Smooth, ..RoutePoint::attached() }
    }

    /// A drum, or a sheave that is a body and does not slip.
    pub fn drum(radius: f64, side: f64) -> RoutePoint {
        RoutePoint { radius, side, ..RoutePoint::attached() }
    }

    /// A massless, frictionless sheave.
    pub fn pulley(radius: f64, side: f64) -> RoutePoint {
        RoutePoint { radius, side, ..RoutePoint::ring() }
    }

    /// The same point with another attachment.
    pub fn held(self, seat: RopeAttachment) -> RoutePoint {
        RoutePoint { attachment: seat, ..self }
    }

    /// Radius at which rope runs onto the drum at a winding angle x [m].
    pub fn radius_at(&self, x: f64) -> f64 {
        self.radius + self.winding.map_or(0.0, |w| w.rise * w.layer(w.wound + x / TAU))
    }

    /// Its circle; for a drum, that at a winding angle x.
    fn circle(&self, frame: &Frame, x: f64) -> Circle {
        Circle { center: frame.at, axis: frame.z(), radius: self.radius_at(x), side: self.side }
    }

    /// Rope length from its mark to a winding angle x, ∫ r dx [m].
    pub fn arc(&self, x: f64) -> f64 {
        let layers = |w: Winding| w.rise * TAU * (w.layers(w.wound + x / TAU) - w.layers(w.wound));
        self.radius * x + self.winding.map_or(0.0, layers)
    }

    /// Turns on a drum at a winding angle.
    pub fn wound(&self, x: f64) -> f64 {
        self.winding.map_or(0.0, |w| w.wound) + x / TAU
    }

    pub(crate) fn is_fast(&self) -> bool {
        self.attachment == RopeAttachment::Fixed
    }

    /// κ at a wrap angle φ, sticking and sliding.
    pub(super) fn friction(&self, wrap: f64) -> Option<[f64; 2]> {
        let wrap = wrap.max(0.0);
        match self.attachment {
            RopeAttachment::Fixed | RopeAttachment::Smooth => None,
            RopeAttachment::Rough { stick, slide } => {
                Some([stick, slide].map(|mu| 2.0 * libm::tanh(0.5 * mu * wrap)))
            }
            RopeAttachment::Bearing { share } => {
                let (s, c) = (libm::sin(0.5 * wrap), libm::cos(0.5 * wrap));
                Some([2.0 * share * s.abs() / (1.0 - share * share * c * c).sqrt(); 2])
            }
        }
    }
}

/// Exchange of elements between a rope and a cable.
///
/// Elements of the cable inside the window are inactive: the rope represents them and is longer by their length. The
/// rope takes in an element that comes too near, and releases one when its end is too far from its last point
/// (`cable/feed.rs`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feed {
    /// The cable.
    pub cable: CableId,
    /// Unstretched length of its elements [m].
    pub element: f64,
    /// Whether the rope begins at an element, and ends at one.
    pub sides: [bool; 2],
    /// The initial window: elements from the first number to before the second.
    pub window: [u32; 2],
    /// Where the window has to stop on a side at which the cable ends at a body: one element remains there.
    pub ends: [Option<u32>; 2],
    /// Whether the carrier of the rope holds it against twisting.
    pub twist: bool,
}

/// A massless rope.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Its points in order; z is the axis of drums and pulleys.
    pub anchors: Vec<Anchor>,
    /// The type of each. The first and the last are attached.
    pub vias: Vec<RoutePoint>,
    /// EA [N]; infinite for an inextensible rope.
    pub stiffness: f64,
    /// Damping time of its axial strain [s].
    pub damping: f64,
    /// The unstretched length of each run [m]; none for the length of its path when the rope is added.
    pub lengths: Vec<Option<f64>>,
    /// Rope paid out at the first end in addition to that of a drum [m].
    pub paid: Motion,
    /// S of each run, measured from the marks of its drums [m]; computed from `lengths` when the rope is added, if
    /// empty.
    pub material: Vec<f64>,
    /// The cable with which it exchanges elements at its ends, if any.
    pub feed: Option<Feed>,
}

/// Inline capacity that suffices for most ropes.
pub(crate) type Anchors<T> = SmallVec<[T; 8]>;

/// Geometry of a rope in its present configuration.
#[derive(Debug, Default)]
pub struct RopeGeometry {
    /// Its spans.
    pub spans: Anchors<Span>,
    /// Wrap angle at each point [rad]; 0 for a drum at an end.
    pub wraps: Anchors<f64>,
    /// The points of each run, both ends included.
    pub runs: Anchors<Range<usize>>,
    /// Path length of each run between its attached points [m].
    pub free: Anchors<f64>,
    /// The same measured from the marks of its drums [m].
    pub way: Anchors<f64>,
    /// Length of rope that represents elements taken in, at the first run and at the last [m].
    fed: [f64; 2],
    /// Length on the surfaces at both ends of each run, from their marks [m].
    pub(super) marks: Anchors<[f64; 2]>,
    /// What rope on drums and sheaves has kept of its stretch.
    pub(crate) wound: WoundRope,
    /// Its coordinates and their Jacobian blocks.
    pub(super) angles: Anchors<(f64, JacobianBlock)>,
}

impl Rope {
    /// An inextensible rope over points, as long as its path.
    pub fn new(points: &[(Anchor, RoutePoint)]) -> Rope {
        let (anchors, mut vias): (Vec<_>, Vec<_>) = points.iter().copied().unzip();
        if let [first, .., last] = &mut vias[..] {
            (first.attachment, last.attachment) = (RopeAttachment::Fixed, RopeAttachment::Fixed);
        }
        let runs = vias.iter().filter(|v| v.is_fast()).count().saturating_sub(1);
        Rope {
            anchors,
            vias,
            stiffness: f64::INFINITY,
            damping: 0.0,
            lengths: vec![None; runs],
            paid: Motion::Constant(0.0),
            material: Vec::new(),
            feed: None,
        }
    }

    /// The same with EA [N] and a damping time [s].
    pub fn elastic(self, stiffness: f64, damping: f64) -> Rope {
        Rope { stiffness, damping, ..self }
    }

    /// The same, with one run of a given length [m].
    pub fn long(self, length: f64) -> Rope {
        Rope { lengths: vec![Some(length); self.lengths.len()], ..self }
    }

    /// Describes an invalid parameter, if any.
    pub(crate) fn problem(&self) -> Option<String> {
        let n = self.vias.len();
        let ends = [0, n.saturating_sub(1)];
        for (k, winding) in self.vias.iter().enumerate().filter_map(|(k, v)| Some((k, v.winding?))) {
            let finite = [winding.turns, winding.rise, winding.wound].iter().all(|x| x.is_finite());
            let sound = finite && winding.turns >= 1.0 && winding.rise >= 0.0;
            if !sound || !ends.contains(&k) {
                return Some(format!(
                    "its point {k} has the winding {winding:?}: give a drum at an end, 1 or more turns per layer and a rise of 0 or more"
                ));
            }
        }
        let bad = |via: &RoutePoint| {
            let shares = match via.attachment {
                RopeAttachment::Rough { stick, slide } => stick >= slide && slide >= 0.0 && stick.is_finite(),
                RopeAttachment::Bearing { share } => (0.0..1.0).contains(&share),
                RopeAttachment::Fixed | RopeAttachment::Smooth => true,
            };
            !(via.radius >= 0.0 && via.radius.is_finite() && [-1.0, 0.0, 1.0].contains(&via.side) && shares)
        };
        if n < 2 || self.anchors.len() != n {
            return Some(format!(
                "it has {n} points and {} anchors: give two or more of each",
                self.anchors.len()
            ));
        }
        if !self.vias[0].is_fast() || !self.vias[n - 1].is_fast() {
            return Some("its ends must be attached: give a clamp or a drum".to_string());
        }
        if let Some(k) = self.vias.iter().position(bad) {
            let rule = "a radius of 0 or more, a side of 1, -1 or 0, friction with stick ≥ slide ≥ 0, a share below 1";
            return Some(format!("its point {k} is {:?}: give {rule}", self.vias[k]));
        }
        if !(self.stiffness > 0.0 && self.damping >= 0.0 && self.damping.is_finite()) {
            return Some(format!(
                "EA of {} with a damping time of {}: give an EA above 0 and a time of 0 or more",
                self.stiffness, self.damping
            ));
        }
        let runs = self.vias.iter().filter(|v| v.is_fast()).count() - 1;
        if self.lengths.len() != runs {
            return Some(format!("it has {runs} runs and {} lengths", self.lengths.len()));
        }
        let short = self.lengths.iter().flatten().find(|l| !(**l > 0.0 && l.is_finite()));
        short.map(|l| format!("a length of {l}: give one above 0"))
    }

    /// Whether its coordinates are those of another rope: the same angles at the same types of points.
    pub(crate) fn counts_as(&self, other: &Rope) -> bool {
        let alike = |(own, other): (&RoutePoint, &RoutePoint)| {
            let round = [own, other].map(|via| (via.radius > 0.0, via.is_fast(), via.turns));
            // an unspecified side is found again
            round[0] == round[1] && (!round[0].0 || own.side == other.side || own.side == 0.0)
        };
        self.vias.len() == other.vias.len() && self.vias.iter().zip(&other.vias).all(alike)
    }

    /// Determines unspecified sides and the length of rope in each run.
    pub(crate) fn settle(&mut self, view: &ConstraintView<'_>) {
        for k in 0..self.vias.len() {
            if self.vias[k].side == 0.0 {
                let at = |k: usize| view.frames[k].at;
                let before = if k > 0 { at(k) - at(k - 1) } else { DVec3::ZERO };
                let after = if k + 1 < self.vias.len() { at(k + 1) - at(k) } else { DVec3::ZERO };
                // a drum has one neighbour: the rope leaves it on the far side of its x axis, counterclockwise
                let turn = before.cross(after).dot(view.frames[k].z());
                self.vias[k].side = if turn < 0.0 { -1.0 } else { 1.0 };
            }
        }
        let first = self.geometry(view);
        let angles: Anchors<f64> = first.angles.iter().map(|(angle, _)| *angle).collect();
        if self.material.is_empty() {
            self.mark_windings(&angles);
        }
        // the present layer of a drum follows from its angle
        let wound = self.vias.iter().any(|via| via.winding.is_some()) && view.last.is_empty();
        let geometry = if wound { self.geometry(&ConstraintView { last: &angles, ..*view }) } else { first };
        let paid = self.paid.at(view.time).value;
        let run = |k: usize| {
            let (free, way) = (geometry.free[k], geometry.way[k]);
            way - free + self.lengths[k].unwrap_or(free) - if k == 0 { paid } else { 0.0 }
        };
        if self.material.is_empty() {
            self.material = (0..geometry.runs.len()).map(run).collect();
        }
    }

    /// Counts the turns on drums from their marks.
    fn mark_windings(&mut self, angles: &[f64]) {
        for k in [0, self.vias.len() - 1] {
            let x = self.winding_angle(k, angles);
            if let Some(winding) = &mut self.vias[k].winding {
                winding.wound -= x / TAU;
            }
        }
    }

    /// Its geometry in the present configuration.
    pub fn geometry(&self, view: &ConstraintView<'_>) -> RopeGeometry {
        let circle = |k: usize| self.vias[k].circle(&view.frames[k], self.winding_angle(k, view.last));
        let spans = (1..self.vias.len()).map(|k| Span::between(&circle(k - 1), &circle(k))).collect();
        let wraps = SmallVec::from_elem(0.0, self.vias.len());
        let mut geometry =
            RopeGeometry { spans, wraps, fed: self.fed(view.history), ..RopeGeometry::default() };
        let (mut start, mut free, mut marked) = (0, 0.0, 0.0);
        for (k, (via, frame)) in self.vias.iter().zip(view.frames).enumerate() {
            let angle = |normal: DVec3| libm::atan2(normal.dot(frame.y()), normal.dot(frame.x()));
            let meets = k.checked_sub(1).map(|before| angle(geometry.spans[before].normals[1]));
            let leaves = geometry.spans.get(k).map(|span| angle(span.normals[0]));
            let round = via.radius > 0.0;
            if via.is_fast() {
                let mut mark = |angle: Option<f64>| {
                    let Some(angle) = angle.filter(|_| round) else { return 0.0 };
                    let counted = view.unwound(geometry.angles.len(), angle);
                    geometry.angles.push((counted, frame.spin(-frame.z())));
                    counted
                };
                let met = mark(meets);
                // initially the leaving angle is the arrival angle plus the wrap; from then on both are unwrapped
                let leaves = match (meets, leaves) {
                    (Some(meets), Some(leaves)) if view.last.is_empty() => {
                        Some(met + via.side * (self.first_wrap(k, leaves - meets)))
                    }
                    _ => leaves,
                };
                let left = mark(leaves);
                if meets.is_some() && leaves.is_some() && round {
                    geometry.wraps[k] = via.side * (left - met);
                }
                if k > 0 {
                    geometry.runs.push(start..k + 1);
                    geometry.free.push(free);
                    let marks = [marked, via.arc(-via.side * met)];
                    geometry.way.push(free + marks[0] + marks[1]);
                    geometry.marks.push(marks);
                }
                (start, free, marked) = (k, 0.0, via.arc(via.side * left));
            } else if let (Some(meets), Some(leaves)) = (meets, leaves) {
                let span = &geometry.spans[k - 1];
                let next = &geometry.spans[k];
                if round {
                    let number = geometry.angles.len();
                    let wrap = match view.last.get(number) {
                        Some(_) => view.unwound(number, (via.side * (leaves - meets)).rem_euclid(TAU)),
                        None => self.first_wrap(k, leaves - meets),
                    };
                    geometry.wraps[k] = wrap;
                    geometry.angles.push((wrap, frame.spin(DVec3::ZERO)));
                    free += via.radius * wrap;
                } else {
                    let (s, c) = (span.along.cross(next.along).length(), span.along.dot(next.along));
                    geometry.wraps[k] = libm::atan2(s, c) + TAU * f64::from(via.turns);
                }
            }
            free += geometry.spans.get(k).map_or(0.0, |span| span.length);
        }
        if self.is_wound() {
            let first = |run: usize| {
                let slack = self.gap(run, &geometry, view.time);
                -slack / (geometry.free[run] + slack).max(SHORTEST)
            };
            let strain = |run: usize| match view.history {
                [] => first(run).max(0.0),
                kept => rope_history::tension(kept, geometry.runs[run].start).max(0.0) / self.stiffness,
            };
            let strains: Anchors<f64> = (0..geometry.runs.len()).map(strain).collect();
            let before = rope_history::of_wound(view.history, geometry.spans.len());
            geometry.wound = WoundRope::wind(self.stiffness, before, &geometry.marks, &strains);
        }
        geometry
    }

    /// Whether it is elastic and runs onto a drum, or a sheave without slip, that keeps its stretch.
    pub(crate) fn is_wound(&self) -> bool {
        self.stiffness.is_finite() && self.vias.iter().any(|via| via.is_fast() && via.radius > 0.0)
    }

    /// The initial wrap angle on a pulley, from the angle between arrival and departure modulo whole turns [rad].
    fn first_wrap(&self, k: usize, turned: f64) -> f64 {
        let via = &self.vias[k];
        let angle = (via.side * turned).rem_euclid(TAU);
        // a rope that just touches has no full wrap
        let angle = if angle > TAU - TOUCHES { angle - TAU } else { angle };
        angle + TAU * f64::from(via.turns)
    }

    /// Length of rope on the sheaves without slip between its runs [m].
    pub fn on_sheaves(&self, geometry: &RopeGeometry) -> f64 {
        let inner = 1..self.vias.len() - 1;
        let sheaves = inner.filter(|k| self.vias[*k].is_fast());
        sheaves.map(|k| self.vias[k].radius * geometry.wraps[k]).sum()
    }

    /// The last winding angle of a drum at an end, from its mark [rad]; 0 for all other points.
    pub(crate) fn winding_angle(&self, k: usize, last: &[f64]) -> f64 {
        let via = &self.vias[k];
        let angle = match k {
            0 => last.first().map(|angle| via.side * angle),
            _ if k + 1 == self.vias.len() => last.last().map(|angle| -via.side * angle),
            _ => None,
        };
        angle.filter(|_| via.radius > 0.0 && via.is_fast()).unwrap_or(0.0)
    }

    /// The tension of each span, from the forces of the rope's rows [N].
    pub fn tensions(&self, forces: &[f64]) -> SmallVec<[f64; 8]> {
        let sum = |rows: Range<usize>| forces.get(rows).map_or(0.0, |own| own.iter().sum());
        self.tension_rows().into_iter().map(sum).collect()
    }

    /// For each span, the rows of the rope whose forces sum to its tension.
    pub(crate) fn tension_rows(&self) -> Anchors<Range<usize>> {
        let mut rows = 0..0;
        let spans = self.vias[..self.vias.len() - 1].iter().map(|via| {
            if via.is_fast() {
                rows = rows.end..rows.end + 1;
            } else if via.friction(0.0).is_some() {
                rows.end += 1;
            }
            rows.clone()
        });
        spans.collect()
    }

    /// Slack of a run: rope length beyond its path [m].
    pub fn gap(&self, run: usize, geometry: &RopeGeometry, time: f64) -> f64 {
        let paid = if run == 0 { self.paid.at(time).value } else { 0.0 };
        let mut rope = self.material.get(run).copied().unwrap_or(0.0) + paid + geometry.wound.longer(run);
        if run == 0 {
            rope += geometry.fed[0];
        }
        if run + 1 == geometry.runs.len() {
            rope += geometry.fed[1];
        }
        rope - geometry.way[run]
    }

    /// The elements it represents, from the first to before the second.
    pub fn window(&self, history: &[f64]) -> Option<[usize; 2]> {
        let feed = self.feed?;
        Some(match history {
            [_, from, to, ..] => [*from as usize, *to as usize],
            _ => feed.window.map(|k| k as usize),
        })
    }

    /// By how much it is longer at its ends than initially [m].
    fn fed(&self, history: &[f64]) -> [f64; 2] {
        let (Some(feed), Some(now)) = (self.feed, self.window(history)) else { return [0.0; 2] };
        let more = |k: usize| feed.element * (now[k] as f64 - f64::from(feed.window[k]));
        [-more(0), more(1)]
    }
}

/// Lower bound of a run's length in its stiffness [m].
pub(super) const SHORTEST: f64 = 1e-3;

/// Angular distance from a whole turn within which a rope counts as not wrapped round a pulley [rad].
const TOUCHES: f64 = 1e-6;
