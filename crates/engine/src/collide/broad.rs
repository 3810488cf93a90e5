//! Broad phase: pairs of colliders whose bounding boxes intersect, in order.
//!
//! The box of each collider is enlarged by the margin and by the largest displacement of its body in the step,
//!
//! ```text
//! h (|v| + h |g|) + h |ω| r        r the largest distance of a point of the collider from the centre of mass
//! ```
//!
//! so colliders with disjoint boxes cannot meet. A dynamic tree finds the intersecting boxes; the result depends
//! on the boxes alone, not on the structure the tree has grown into. Half-spaces are handled separately.

use super::bounds::{Bounds, Pose};
use super::geometry::Form;
use super::neighbours;
use crate::body::BodyState;
use crate::body::collider::ColliderRef;
use crate::body::collider::{Collider, Geometry};
use crate::body::{Body, MotionType};
use crate::model::Model;
use crate::model::state::State;
use crate::slots::BodyId;
use glam::{DMat3, DVec3};
use parry3d_f64::partitioning::{Bvh, BvhWorkspace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A collider at its present pose.
#[derive(Debug)]
pub(crate) struct Entry {
    pub part: ColliderRef,
    geometry: Arc<Geometry>,
    pub form: Arc<Form>,
    /// Bounding box in its own frame.
    local: Bounds,
    /// Longest side of that box [m].
    pub size: f64,
    pub pose: Pose,
    /// Enlarged bounding box in the world.
    pub bounds: Bounds,
    /// Largest distance from the centre of mass [m].
    pub radius: f64,
    /// Whether its body is absent.
    pub absent: bool,
    /// Whether its body is an element of a cable.
    pub element: bool,
}

/// All colliders at their present poses.
#[derive(Default)]
pub(crate) struct Broad {
    pub entries: Vec<Entry>,
    /// Prepared forms by the address of their source, which the entry keeps alive.
    forms: BTreeMap<usize, (Arc<Geometry>, Arc<Form>)>,
    planes: Vec<usize>,
    tree: Bvh,
    space: BvhWorkspace,
    joined: Vec<(u32, u32)>,
    /// Revision of the model for which the entries were made.
    placed: Option<u64>,
    /// Revision for which the joined pairs were listed, with the joints broken at that time.
    noted: Option<u64>,
    broken: Vec<u32>,
    /// Indices of entries, the lower first, in order.
    pub pairs: Vec<(u32, u32)>,
}

impl std::fmt::Debug for Broad {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Broad")
            .field("entries", &self.entries)
            .field("pairs", &self.pairs)
            .finish_non_exhaustive()
    }
}

fn colliders(model: &Model) -> impl Iterator<Item = (ColliderRef, &Body, &Collider)> {
    model.bodies.iter().flat_map(|(place, body)| {
        let part = move |k: usize| ColliderRef { body: place as u32, collider: k as u32 };
        body.colliders.iter().enumerate().map(move |(k, c)| (part(k), body, c))
    })
}

impl Broad {
    /// Updates the pose of every collider and its box for the coming step.
    pub fn place(&mut self, model: &Model, bodies: &[BodyState]) {
        if self.placed != Some(model.revision) {
            self.placed = Some(model.revision);
            let colliders = colliders(model).map(|(part, _, c)| (part, &c.geometry));
            if !colliders.eq_by_place(&self.entries) {
                self.rebuild(model);
            }
        }
        if self.entries.is_empty() {
            return;
        }
        let (h, margin) = (model.settings.dt, model.settings.contact.margin);
        for (entry, (_, body, collider)) in self.entries.iter_mut().zip(colliders(model)) {
            let s = &bodies[entry.part.body as usize];
            entry.absent = s.inactive;
            if entry.absent {
                continue;
            }
            let turn = DMat3::from_quat(s.orientation * collider.turn);
            let center = s.position;
            entry.pose = Pose { at: center + s.orientation * (collider.at - body.mass.center), turn };
            let bounds = entry.local.moved(&entry.pose);
            entry.radius = entry.local.reach_from(entry.pose.inward(center - entry.pose.at));
            entry.bounds = bounds.grown(margin + motion(model, body, s, entry.radius) * h);
        }
    }

    /// Reduces boxes to the present poses, without the displacement of a step.
    pub fn tighten(&mut self) {
        self.entries.iter_mut().for_each(|e| e.bounds = e.local.moved(&e.pose));
    }

    fn rebuild(&mut self, model: &Model) {
        let mut known = std::mem::take(&mut self.forms);
        self.entries.clear();
        self.planes.clear();
        self.tree = Bvh::new();
        let mut elements: Vec<u32> =
            model.cables.iter().flat_map(|(_, cable)| cable.bodies()).map(|b| b.index).collect();
        elements.sort_unstable();
        for (part, _, collider) in colliders(model) {
            let key = Arc::as_ptr(&collider.geometry) as usize;
            let found = self.forms.get(&key).cloned().or_else(|| known.remove(&key));
            let (geometry, form) =
                found.unwrap_or_else(|| (collider.geometry.clone(), Arc::new(Form::of(&collider.geometry))));
            // ground that changes has a window of its own
            if !matches!(*geometry, Geometry::Ground { .. }) {
                self.forms.insert(key, (geometry.clone(), form.clone()));
            }
            if let Form::Plane = *form {
                self.planes.push(self.entries.len());
            }
            let local = form.bounds();
            let size = (local.high - local.low).max_element();
            let (pose, bounds) = (Pose::IDENTITY, local);
            self.entries.push(Entry {
                part,
                geometry,
                form,
                local,
                size,
                pose,
                bounds,
                radius: 0.0,
                absent: false,
                element: elements.binary_search(&part.body).is_ok(),
            });
        }
    }

    /// Finds the pairs that may collide and whose boxes intersect.
    pub fn pair(&mut self, model: &Model, state: &State) {
        self.pairs.clear();
        if self.entries.len() < 2 {
            return;
        }
        self.join(model, state);
        for (k, e) in self.entries.iter().enumerate().filter(|(_, e)| !matches!(*e.form, Form::Plane)) {
            if e.absent {
                self.tree.remove(k as u32);
            } else {
                self.tree.insert_or_update_partially(e.bounds.to_parry(), k as u32, 0.0);
            }
        }
        self.tree.refit(&mut self.space);
        self.tree.optimize_incremental(&mut self.space);
        let (entries, joined, pairs) = (&self.entries, &self.joined, &mut self.pairs);
        let mut take = |a: u32, b: u32| {
            let (a, b) = (a.min(b), a.max(b));
            let [e, f] = [a, b].map(|k| &entries[k as usize]);
            if may_touch(model, joined, e.part, f.part) {
                pairs.push((a, b));
            }
        };
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.space, &mut take);
        let solid = |e: &Entry| !e.absent && !matches!(*e.form, Form::Plane);
        for p in self.planes.iter().filter(|p| !entries[**p].absent) {
            let plane = &entries[*p];
            for (k, e) in entries.iter().enumerate().filter(|(_, e)| solid(e)) {
                if over(&e.bounds, &plane.pose) <= 0.0 {
                    take(k as u32, *p as u32);
                }
            }
        }
        self.pairs.sort_unstable();
    }

    /// Gives ground that changes the heights in a box, if an entry is such ground.
    pub fn look(&mut self, ground: usize, bounds: &Bounds, (model, state): (&Model, &State)) {
        let entry = &mut self.entries[ground];
        let Some(Form::Field(field)) = Arc::get_mut(&mut entry.form) else { return };
        if matches!(*entry.geometry, Geometry::Ground { .. }) {
            let body = entry.part.body;
            field.look(&bounds.moved(&entry.pose.inverse()), |first, size, out| {
                for (kind, part) in model.subsystems.iter().zip(&state.parts) {
                    kind.heights(part, body, [first, size], out);
                }
            });
        }
    }

    /// The same for both entries of a pair: in the box of the other.
    pub fn look_between(&mut self, [a, b]: [usize; 2], at: (&Model, &State)) {
        let bounds = [a, b].map(|k| self.entries[k].bounds);
        self.look(a, &bounds[1], at);
        self.look(b, &bounds[0], at);
    }

    /// Whether two bodies are listed as joined.
    pub fn joins(&self, a: u32, b: u32) -> bool {
        self.joined.binary_search(&(a.min(b), a.max(b))).is_ok()
    }

    /// Whether a body is listed as joined to any other.
    pub fn has_joint(&self, body: u32) -> bool {
        self.joined.iter().any(|(a, b)| *a == body || *b == body)
    }

    /// Lists the bodies that are joined, or close to each other by construction.
    pub fn join(&mut self, model: &Model, state: &State) {
        let broken = state.joints.iter().enumerate().filter(|(_, joint)| joint.broken);
        let broken = broken.map(|(place, _)| place as u32);
        if self.noted == Some(model.revision) && broken.clone().eq(self.broken.iter().copied()) {
            return;
        }
        self.noted = Some(model.revision);
        self.broken.clear();
        self.broken.extend(broken);
        self.joined.clear();
        for (place, joint) in model.joints.iter() {
            if joint.allows_contact() || state.joints.get(place).is_some_and(|j| j.broken) {
                continue;
            }
            let anchors = joint.constraint().anchors();
            for (k, a) in anchors.iter().enumerate() {
                for b in &anchors[..k] {
                    let (a, b) = (a.body.index() as u32, b.body.index() as u32);
                    self.joined.push((a.min(b), a.max(b)));
                }
            }
        }
        // a catenary is attached to bodies without a joint
        for (_, cable) in model.cables.iter().filter(|(_, cable)| cable.hang.is_some()) {
            for anchor in cable.ends.iter().filter_map(|end| end.anchor()) {
                let pair = |b: &BodyId| {
                    let (a, b) = (anchor.body.index() as u32, b.index() as u32);
                    (a.min(b), a.max(b))
                };
                self.joined.extend(cable.elements.iter().map(pair));
            }
        }
        neighbours::add(model, state, &mut self.joined);
        self.joined.sort_unstable();
        self.joined.dedup();
    }
}

/// Bound on the speed of points of a body in a step [m/s].
pub(crate) fn motion(model: &Model, body: &Body, s: &BodyState, radius: f64) -> f64 {
    let fall = if body.is_dynamic() && body.gravity { model.settings.gravity.length() } else { 0.0 };
    s.velocity.length()
        + model.settings.dt * fall
        + if radius.is_finite() { s.angular_velocity.length() * radius } else { 0.0 }
}

/// Height of the lowest corner of a box above a plane.
fn over(bounds: &Bounds, plane: &Pose) -> f64 {
    let up = plane.turn.z_axis;
    let pick = |n: f64, low: f64, high: f64| n * if n > 0.0 { low } else { high };
    let (l, h) = (bounds.low, bounds.high);
    let lowest = pick(up.x, l.x, h.x) + pick(up.y, l.y, h.y) + pick(up.z, l.z, h.z);
    lowest - up.dot(plane.at)
}

/// Whether two colliders may collide at all.
fn may_touch(model: &Model, joined: &[(u32, u32)], a: ColliderRef, b: ColliderRef) -> bool {
    let of = |p: ColliderRef| {
        let body = model.bodies.at(p.body as usize)?;
        Some((body, body.colliders.get(p.collider as usize)?))
    };
    let (Some((ba, ca)), Some((bb, cb))) = (of(a), of(b)) else { return false };
    let moved = matches!(ba.kind, MotionType::Dynamic) || matches!(bb.kind, MotionType::Dynamic);
    let key = (a.body.min(b.body), a.body.max(b.body));
    a.body != b.body && moved && ca.meets(cb) && joined.binary_search(&key).is_err()
}

/// Comparison of the present geometry with the prepared one.
trait EqByPlace {
    fn eq_by_place(self, entries: &[Entry]) -> bool;
}

impl<'a, I: Iterator<Item = (ColliderRef, &'a Arc<Geometry>)>> EqByPlace for I {
    fn eq_by_place(self, entries: &[Entry]) -> bool {
        let mut rest = entries.iter();
        let all = self.fold(true, |same, (part, geometry)| {
            same && rest.next().is_some_and(|e| e.part == part && Arc::ptr_eq(&e.geometry, geometry))
        });
        all && rest.next().is_none()
    }
}

/// Velocity of a body's centre of mass at the end of a step without constraints.
pub(crate) fn free_velocity(model: &Model, body: &Body, s: &BodyState) -> DVec3 {
    let falls = body.is_dynamic() && body.gravity && !s.asleep;
    s.velocity + if falls { model.settings.gravity * model.settings.dt } else { DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use glam::DQuat;

    /// Bodies are added, removed and moved at random: the tree finds the same pairs as brute force.
    #[test]
    fn the_tree_finds_every_pair_of_what_is_there() {
        let mut dice = 1u64;
        let mut random = || {
            dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (dice >> 11) as f64 / (1u64 << 53) as f64
        };
        let shape = Shape::Sphere { radius: 0.1 };
        let mass = Mass::of_total(&shape, 1.0).unwrap();
        let mut world = World::default();
        for _ in 0..60 {
            let body = Body::dynamic("ball", mass).with_collider(Collider::new(shape.clone()));
            world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        }
        let mut broad = Broad::default();
        let mut found = 0;
        for round in 0..400 {
            // all of them, none of them, and everything between
            let share = 0.5 - 0.6 * libm::cos(0.1 * f64::from(round));
            for body in &mut world.state.bodies {
                body.inactive = if random() < 0.3 { random() > share } else { body.inactive };
                if random() < 0.3 {
                    body.position = DVec3::new(random(), random(), random());
                }
            }
            broad.place(&world.model, &world.state.bodies);
            broad.pair(&world.model, &world.state);
            let there = |k: u32| !world.state.bodies[broad.entries[k as usize].part.body as usize].inactive;
            let meet =
                |a: u32, b: u32| broad.entries[a as usize].bounds.meets(&broad.entries[b as usize].bounds);
            let each = (0..60u32).flat_map(|a| (a + 1..60).map(move |b| (a, b)));
            let all: Vec<_> = each.filter(|(a, b)| there(*a) && there(*b) && meet(*a, *b)).collect();
            assert_eq!(broad.pairs, all, "round {round}");
            found += all.len();
        }
        assert!(found > 10_000, "{found}");
    }
}
