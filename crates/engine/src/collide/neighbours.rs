//! Pairs of cable elements that are close to each other by construction, and never collide.
//!
//! Two elements of one cable whose nearest ends are an arc s apart cannot be pressed together if s < π r: the tightest
//! loop in which a cable of radius r touches itself is a semicircle of that radius. The same holds across a point at
//! which two cables meet, or the two ends of one: both ends on one body a distance d apart, an end or a joint on an
//! element. There the arc is measured through the point,
//!
//! ```text
//! s = s_a + d + s_b < ½ π (r_a + r_b)
//! ```
//!
//! Elements at a common point have s = 0. Without this rule their colliders would overlap permanently and repel each
//! other.

use crate::body::frame::Anchor;
use crate::joint::JointKind;
use crate::model::Model;
use crate::model::cable::Cable;
use crate::model::state::State;
use crate::slots::JointId;
use glam::DVec3;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// A cable as an arc.
struct Arc {
    radius: f64,
    /// Index of the body, start and end along the cable [m], of all levels; by start.
    elements: Vec<(u32, f64, f64)>,
    /// Arc lengths of its cuts [m].
    cuts: Vec<f64>,
}

/// A point of a cable: its number and its arc length [m].
#[derive(Clone, Copy)]
struct ArcPoint {
    cable: usize,
    at: f64,
}

impl Arc {
    fn of(cable: &Cable, state: &State) -> Arc {
        let mut elements: Vec<(u32, f64, f64)> = Vec::new();
        let finest = std::slice::from_ref(&cable.elements);
        for (level, list) in cable.pool.as_ref().map_or(finest, |pool| &pool.elements).iter().enumerate() {
            let length = cable.element * (1u64 << level) as f64;
            let along = |k: usize| k as f64 * length;
            elements.extend(list.iter().enumerate().map(|(k, id)| (id.index, along(k), along(k + 1))));
        }
        elements.sort_by(|a, b| a.1.total_cmp(&b.1));
        let broken = |id: &JointId| state.joints.get(id.index()).is_some_and(|joint| joint.broken);
        let links = cable.links.iter().enumerate().filter(|(_, id)| broken(id));
        let cuts = links.map(|(k, _)| cable.after(k) as f64 * cable.element).collect();
        Arc { radius: 0.5 * cable.section.diameter, elements, cuts }
    }

    fn is_whole(&self, from: f64, to: f64) -> bool {
        !self.cuts.iter().any(|cut| (from.min(to)..=from.max(to)).contains(cut))
    }

    /// The elements within an arc of a point, each with its distance.
    fn near(&self, point: f64, reach: f64) -> impl Iterator<Item = (u32, f64)> {
        self.elements.iter().filter_map(move |(place, from, to)| {
            let nearest = point.clamp(*from, *to);
            let distance = (nearest - point).abs();
            // a cut at the point itself interrupts no path
            (distance < reach && (distance == 0.0 || self.is_whole(point, nearest)))
                .then_some((*place, distance))
        })
    }
}

/// Adds the pairs of bodies, by index, the lower first.
pub(super) fn add(model: &Model, state: &State, pairs: &mut Vec<(u32, u32)>) {
    if model.cables.iter().next().is_none() {
        return;
    }
    let cables: Vec<(usize, &Cable)> = model.cables.iter().collect();
    let arcs: Vec<Arc> = cables.iter().map(|(_, cable)| Arc::of(cable, state)).collect();
    arcs.iter().for_each(|arc| along(arc, pairs));
    let meetings = ends(&cables, state).into_iter().chain(joints(model, state, &arcs));
    for (a, b, distance) in meetings {
        across([&arcs[a.cable], &arcs[b.cable]], [a.at, b.at], distance, pairs);
    }
}

fn push(pairs: &mut Vec<(u32, u32)>, a: u32, b: u32) {
    if a != b {
        pairs.push((a.min(b), a.max(b)));
    }
}

/// Elements of one cable.
fn along(arc: &Arc, pairs: &mut Vec<(u32, u32)>) {
    let reach = PI * arc.radius;
    for (a, _, end) in &arc.elements {
        let first = arc.elements.partition_point(|(_, start, _)| start < end);
        for (b, start, _) in arc.elements[first..].iter().take_while(|(_, start, _)| start - end < reach) {
            if arc.is_whole(*end, *start) {
                push(pairs, *a, *b);
            }
        }
    }
}

/// Elements on the two sides of a point at which two cables meet, or the ends of one.
fn across(arcs: [&Arc; 2], at: [f64; 2], distance: f64, pairs: &mut Vec<(u32, u32)>) {
    let reach = 0.5 * PI * (arcs[0].radius + arcs[1].radius) - distance;
    for (a, first) in arcs[0].near(at[0], reach) {
        for (b, second) in arcs[1].near(at[1], reach) {
            if first + second < reach {
                push(pairs, a, b);
            }
        }
    }
}

/// Pairs of ends attached to one body, each with the distance of their anchors.
fn ends(cables: &[(usize, &Cable)], state: &State) -> Vec<(ArcPoint, ArcPoint, f64)> {
    let mut held: BTreeMap<u32, Vec<(ArcPoint, DVec3)>> = BTreeMap::new();
    for (number, (_, cable)) in cables.iter().enumerate() {
        let links = [cable.links.first(), cable.links.last()];
        for (k, end) in cable.ends.iter().enumerate() {
            let whole = links[k].is_none_or(|id| !state.joints[id.index()].broken);
            if let Some(anchor) = end.anchor().filter(|_| whole) {
                let point = ArcPoint { cable: number, at: if k == 0 { 0.0 } else { cable.length() } };
                held.entry(anchor.body.index).or_default().push((point, anchor.at));
            }
        }
    }
    let mut found = Vec::new();
    for list in held.values() {
        for (k, (a, first)) in list.iter().enumerate() {
            found.extend(list[..k].iter().map(|(b, second)| (*a, *b, first.distance(*second))));
        }
    }
    found
}

/// Joints between elements, and ends of cables on elements of others.
fn joints(model: &Model, state: &State, arcs: &[Arc]) -> Vec<(ArcPoint, ArcPoint, f64)> {
    let mut of: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
    for (cable, arc) in arcs.iter().enumerate() {
        of.extend(arc.elements.iter().map(|(place, from, to)| (*place, (cable, 0.5 * (from + to)))));
    }
    let point = |anchor: &Anchor| {
        let (cable, middle) = *of.get(&anchor.body.index)?;
        Some(ArcPoint { cable, at: middle + anchor.at.z })
    };
    let mut found = Vec::new();
    for (place, joint) in model.joints.iter() {
        let broken = state.joints.get(place).is_some_and(|j| j.broken);
        let inner = |link: &crate::joint::link::Link| link.elements == [true; 2];
        if broken || joint.allows_contact() || matches!(&joint.kind, JointKind::Link(link) if inner(link)) {
            continue;
        }
        if let [a, b] = joint.constraint().anchors()
            && let (Some(a), Some(b)) = (point(a), point(b))
        {
            found.push((a, b, 0.0));
        }
    }
    found
}
