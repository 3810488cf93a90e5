//! A flexible cable → one tube through its elements, instead of a solid for each.
//!
//! ```text
//!  elements' poses + twists of its links ─▶ CableGeometry ─▶ smooth line ─▶ tube, in two colours if it has a stripe
//! ```
//!
//! The elements are bodies without solids. In a still picture the line has as many points as its bends require. In an
//! animation it has the same points along the cable in all frames, and is divided where it is broken in any of them:
//! the tube thus keeps its faces while its vertices move. Elements that are activated and deactivated on drums and
//! pulleys are not drawn while inactive; in an animation each of them is a part by itself, which is then shrunk to a
//! point.

use crate::instant::{Instant, Pose, Ties};
use crate::material::Look;
use crate::surface::Surface;
use glam::{DQuat, DVec3};
use std::ops::Range;
use windlass_engine::prelude::{BodyId, CableGeometry, CableId, CurvePoint, Fixing, Sampling, Tube, World};

/// Points of an animated line per element.
pub(crate) const RINGS: usize = 4;
/// Sides of a tube in stills and animations.
pub(crate) const SIDES: usize = 16;
/// Half width of a stripe in revolutions; at least one side of the tube.
const STRIPE: f64 = 1.0 / 16.0;
/// Error of the line relative to its radius.
const ROUGHNESS: f64 = 0.03;

/// A flexible cable, drawn as one tube.
#[derive(Clone, Debug, PartialEq)]
pub struct CableTube {
    /// Its name, any text.
    pub name: String,
    /// Its elements from start to end: indices of bodies whose origin is in their middle, with z along the cable.
    pub elements: Vec<usize>,
    /// Unstretched length of an element [m].
    pub element: f64,
    /// What holds its start and end.
    pub ends: [Option<Fastening>; 2],
    /// Radius [m].
    pub radius: f64,
    /// Colour.
    pub color: [f64; 3],
    /// Colour of a stripe along it that shows how it is twisted, if any.
    pub stripe: Option<[f64; 3]>,
}

/// Attachment of a cable to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fastening {
    /// Index of the body.
    pub body: usize,
    /// Point in its axes [m].
    pub at: DVec3,
    /// The orientation of a clamp in its axes, z from the cable's start to its end; none where the cable rotates
    /// freely.
    pub turn: Option<DQuat>,
}

/// A part of an animated line at an instant.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub points: Vec<CurvePoint>,
    /// Whether it is visible; else its points coincide.
    pub is_there: bool,
}

impl CableTube {
    /// A cable of a world as it is drawn: `place` returns the index of a body. None if it no longer exists or one of
    /// its bodies has no index.
    pub fn of(world: &World, cable: CableId, place: impl Fn(BodyId) -> Option<usize>) -> Option<CableTube> {
        let model = world.model();
        let cable = model.cables().get(cable)?;
        let end = |number: usize| {
            let anchor = cable.ends[number].anchor()?;
            let link = if number == 0 { cable.links.first() } else { cable.links.last() };
            let joint = link.and_then(|id| model.joints().get(*id))?;
            let windlass_engine::prelude::JointKind::Link(link) = &joint.kind else { return None };
            let clamped = link.twist.is_some() || link.bend.is_some();
            let turn = link.anchors[number].turn;
            Some(Fastening { body: place(anchor.body)?, at: anchor.at, turn: clamped.then_some(turn) })
        };
        Some(CableTube {
            name: cable.name.clone(),
            elements: cable.elements.iter().map(|id| place(*id)).collect::<Option<_>>()?,
            element: cable.element,
            ends: [end(0), end(1)],
            radius: 0.5 * cable.section.diameter,
            color: [0.23, 0.24, 0.26],
            stripe: None,
        })
    }

    /// The present links of a cable of a world; empty if it no longer exists.
    pub fn ties(world: &World, cable: CableId) -> Ties {
        let Some(lie) = world.cable_lie(cable) else { return Ties::default() };
        let end = |hold: Option<Fixing>| hold.map(|hold| hold.clamp.map_or(0.0, |clamp| clamp.1));
        let mut links = vec![end(lie.holds[0])];
        links.extend(&lie.ties);
        links.push(end(lie.holds[1]));
        Ties { links, absent: lie.absent }
    }

    /// Its geometry at an instant.
    fn lie(&self, poses: &[Pose], ties: &Ties) -> CableGeometry {
        let count = self.elements.len();
        let tie = |k: usize| ties.links.get(k).copied().unwrap_or(Some(0.0));
        let hold = |end: usize| {
            let (fast, twist) = (self.ends[end]?, tie(end * count)?);
            let (at, orientation) = poses[fast.body];
            let clamp = fast.turn.map(|turn| (orientation * turn, twist));
            Some(Fixing { at: at + orientation * fast.at, clamp })
        };
        CableGeometry {
            element: self.element,
            poses: self.elements.iter().map(|body| poses[*body]).collect(),
            ties: (1..count).map(tie).collect(),
            holds: [hold(0), hold(1)],
            absent: ties.absent.clone(),
        }
    }

    /// The body in the middle of the active elements.
    pub(crate) fn middle(&self, ties: &Ties) -> usize {
        let is_there = |k: &usize| !ties.absent.iter().any(|gone| gone.contains(k));
        let there: Vec<_> = (0..self.elements.len()).filter(is_there).collect();
        self.elements[there.get(there.len() / 2).copied().unwrap_or(0)]
    }

    /// Its line at an instant, one list per piece, within an error [m].
    pub(crate) fn line(&self, number: usize, instant: &Instant, error: f64) -> Vec<Vec<CurvePoint>> {
        self.lie(instant.poses, &instant.ties(number)).curve(Sampling::Chord(error))
    }

    /// Its surfaces at an instant with their appearances, fine enough for close views.
    pub(crate) fn surfaces(&self, number: usize, instant: &Instant) -> Vec<(Look, Surface)> {
        let line = self.line(number, instant, ROUGHNESS * self.radius);
        self.painted(&Tube::around(&line, self.radius, SIDES), SIDES)
    }

    /// A tube around it as surfaces with their looks.
    pub(crate) fn painted(&self, tube: &Tube, sides: usize) -> Vec<(Look, Surface)> {
        let surface = |triangles: Vec<[u32; 3]>| Surface {
            positions: tube.positions.clone(),
            normals: tube.normals.clone(),
            faces: triangles.iter().map(|t| t.to_vec()).collect(),
        };
        let parts = self.parts(tube, sides).into_iter();
        parts.map(|(look, triangles)| (look, surface(triangles))).collect()
    }

    /// The triangles of a tube by their looks.
    pub(crate) fn parts(&self, tube: &Tube, sides: usize) -> Vec<(Look, Vec<[u32; 3]>)> {
        let Some(stripe) = self.stripe else {
            return vec![(Look::painted(self.color), tube.triangles.clone())];
        };
        let reach = STRIPE.max(1.0 / sides as f64);
        let is_stripe = |t: &[u32; 3]| {
            let around = t.iter().map(|i| tube.uvs[*i as usize].y).sum::<f64>() / 3.0;
            around.min(1.0 - around) < reach
        };
        let (on, off): (Vec<_>, Vec<_>) = tube.triangles.iter().copied().partition(is_stripe);
        vec![(Look::painted(self.color), off), (Look::painted(stripe), on)]
    }

    /// Runs of elements that hold together and are there in all frames, and those that are not there in some, one by
    /// one.
    pub(crate) fn lasting(&self, frames: &[Ties]) -> Vec<Range<usize>> {
        let count = self.elements.len();
        let mut gone = vec![false; count + 1];
        let absent = frames.iter().flat_map(|ties| ties.absent.iter().cloned()).flatten();
        absent.filter(|k| *k < count).for_each(|k| gone[k] = true);
        let mut parted: Vec<_> = (0..count).map(|k| k > 0 && (gone[k - 1] || gone[k])).collect();
        for ties in frames {
            for k in 1..count {
                let apart = ties.links.get(k).is_some_and(Option::is_none);
                // where an element is not there, there is no link
                parted[k] |= apart && !gone[k - 1] && !gone[k];
            }
        }
        let mut runs = Vec::new();
        let mut from = 0;
        for k in 1..=count {
            if k == count || parted[k] {
                runs.push(from..k);
                from = k;
            }
        }
        runs
    }

    /// The line of each run at an instant, with the same points along the cable at all instants.
    pub(crate) fn steady(&self, runs: &[Range<usize>], poses: &[Pose], ties: &Ties) -> Vec<Part> {
        let lie = self.lie(poses, ties);
        let pieces: Vec<_> = lie.pieces().into_iter().zip(lie.curve(Sampling::PerElement(RINGS))).collect();
        let mut next = 0;
        let mut run_of = |run: &Range<usize>| {
            while pieces.get(next).is_some_and(|(own, _)| own.end <= run.start) {
                next += 1;
            }
            match pieces.get(next) {
                Some((own, line)) if own.start <= run.start => {
                    let points =
                        line[(run.start - own.start) * RINGS..=(run.end - own.start) * RINGS].to_vec();
                    Part { points, is_there: true }
                }
                // at the end of what is there beside it
                after => {
                    let before = next.checked_sub(1).and_then(|k| pieces[k].1.last());
                    let at = before.or(after.and_then(|(_, line)| line.first()));
                    let at = at.copied().unwrap_or_else(|| upright(lie.poses[run.start].0));
                    Part { points: vec![at; run.len() * RINGS + 1], is_there: false }
                }
            }
        };
        runs.iter().map(&mut run_of).collect()
    }

    /// Points it is between [m].
    pub(crate) fn reach(&self, poses: &[Pose]) -> impl Iterator<Item = DVec3> {
        let ends = |body: &usize| {
            let (at, orientation) = *poses.get(*body)?;
            let half = orientation * DVec3::Z * (0.5 * self.element);
            let thick = DVec3::splat(self.radius);
            Some([at - half - thick, at - half + thick, at + half - thick, at + half + thick])
        };
        self.elements.iter().filter_map(ends).flatten().collect::<Vec<_>>().into_iter()
    }

    /// Its error in a picture with a number of bodies, if any.
    pub(crate) fn problem(&self, bodies: usize) -> Option<String> {
        let is_missing = |body: &usize| *body >= bodies;
        if self.elements.is_empty() {
            return Some("no elements: give at least one".into());
        }
        let ends = self.ends.iter().flatten().map(|end| &end.body);
        if let Some(body) = self.elements.iter().chain(ends).find(|body| is_missing(body)) {
            return Some(format!("body {body} of {bodies}: count from 0"));
        }
        let fits = |x: f64| x > 0.0 && x <= 1e10;
        if !fits(self.radius) || !fits(self.element) {
            return Some(format!(
                "radius {} m, elements of {} m: give positive, finite lengths",
                self.radius, self.element
            ));
        }
        let colors = std::iter::once(&self.color).chain(&self.stripe);
        let is_color = |c: &[f64; 3]| c.iter().all(|part| (0.0..=1.0).contains(part));
        if let Some(color) = colors.into_iter().find(|c| !is_color(c)) {
            return Some(format!("color is {color:?}: give three numbers from 0 to 1"));
        }
        let turns = self.ends.iter().flatten().filter_map(|end| end.turn);
        let is_sound = |q: DQuat| (q.length() - 1.0).abs() < 1e-6;
        let points = self.ends.iter().flatten().all(|end| end.at.abs().max_element() <= 1e10);
        (!points || !turns.into_iter().all(is_sound))
            .then(|| "an end is not a valid frame: give finite points and unit quaternions".into())
    }
}

/// A point of a line that is not seen.
fn upright(point: DVec3) -> CurvePoint {
    CurvePoint { at: 0.0, point, tangent: DVec3::Z, side: DVec3::X, stretch: 1.0 }
}

/// Number of vertices of a tube for a part with a number of points.
fn corners(points: usize) -> usize {
    points * (SIDES + 1) + 2 * SIDES
}

/// The tube around parts, inactive ones shrunk to a point.
pub(crate) fn tube(parts: &[Part], radius: f64) -> Tube {
    let lines: Vec<_> = parts.iter().map(|part| part.points.clone()).collect();
    let mut tube = Tube::around(&lines, radius, SIDES);
    let mut first = 0;
    for part in parts {
        let own = first..first + corners(part.points.len());
        if !part.is_there {
            tube.positions[own.clone()].fill(part.points[0].point);
        }
        first = own.end;
    }
    tube
}
