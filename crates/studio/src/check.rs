//! Contacts of a part along its path, and its clearance.
//!
//! ```text
//!  state of a step           → pairs in contact: names, the point of the largest force, |Σ force|
//!  contacts of the step      → penetration depth
//!  poses, every 0.05 s       → clearance  d = min |p − q|,  p on the part, q on a body it is not joined to;  d < 0 is a penetration
//! ```
//!
//! Contacts that exist at the start do not count until they have been open for a quarter of a second. The start is the
//! moment at which a handle first takes hold of something, or that of the check if none does. Distances are
//! those of the collision shapes, by parry's algorithms; meshes and height fields count as their surface. A cable is
//! its drawn line, with its thickness. Mass-point cables report no contact forces: they are in contact where they come
//! nearer than their margin.

use crate::checked::{Checked, Clearance, Least, Moment, TouchingPair, Verdict, Who};
use crate::line::Line;
use glam::{DQuat, DVec3};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::Pose;
use parry3d_f64::query::{ClosestPoints, closest_points, contact};
use parry3d_f64::shape::SharedShape;
use std::collections::{BTreeMap, BTreeSet};
use windlass_engine::prelude::{BodyId, Geometry, Shape};
use windlass_host::pose::pose;
use windlass_scene::Built;

/// Time between two evaluations of the clearance [s].
const LOOK: f64 = 0.05;
/// A pair in contact at the start counts once it has been apart for this time [s].
const LEFT: f64 = 0.25;
/// Largest number of reported pairs.
const MOST_PAIRS: usize = 32;
/// Largest number of pieces of a line for distances.
const MOST_PIECES: usize = 400;
/// Largest number of distance queries per evaluation: the nearest boxes come first, so omitted pairs are far apart.
const MOST_TESTS: usize = 4000;
/// Larger than any scene [m].
const FAR: f64 = 1e6;

/// A body or a line, as the page numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// Index among the bodies.
    Body(usize),
    /// Number of the line.
    Line(u32),
    /// A body that is not in the file, by its index in the model.
    Other(usize),
}

/// A solid of a body, in its axes.
struct Solid {
    pose: Pose,
    form: SharedShape,
    groups: [u32; 2],
}

/// A solid at its present pose.
struct Placed<'a> {
    pose: Pose,
    form: &'a SharedShape,
    bounds: Aabb,
    groups: [u32; 2],
}

/// All solids of a world for distance queries, by the index of their body.
pub struct Yard(Vec<Vec<Solid>>);

impl Yard {
    /// The solids of a world.
    pub fn of(built: &Built) -> Yard {
        let bodies = built.world.model().bodies();
        let mut yard: Vec<Vec<Solid>> = (0..bodies.places()).map(|_| Vec::new()).collect();
        for (place, body) in bodies.iter() {
            for collider in body.colliders.iter().filter(|c| !c.trigger) {
                let at = Pose::from_parts(collider.at, collider.turn);
                let groups = [collider.groups, collider.mask];
                let mut add = |pose: Pose, form: SharedShape| yard[place].push(Solid { pose, form, groups });
                match &*collider.geometry {
                    Geometry::Solid(shape) => forms(shape, at, &mut add),
                    Geometry::HalfSpace => add(at, SharedShape::halfspace(DVec3::Z)),
                    Geometry::Surface { vertices, triangles } => surface(vertices, triangles, at, &mut add),
                    Geometry::HeightField { heights, columns, spacing } => {
                        let (vertices, triangles) = ground(heights, *columns, *spacing);
                        surface(&vertices, &triangles, at, &mut add);
                    }
                    // what stands on ground that changes is not looked at
                    Geometry::Ground { .. } => {}
                }
            }
        }
        Yard(yard)
    }

    /// The solids of a body at its present pose.
    fn placed<'a>(&'a self, built: &Built, id: BodyId) -> impl Iterator<Item = Placed<'a>> {
        let (at, turn) = pose(built, id);
        let body = Pose::from_parts(at, turn);
        self.0.get(id.index()).into_iter().flatten().map(move |solid| {
            let pose = body * solid.pose;
            Placed { pose, form: &solid.form, bounds: solid.form.compute_aabb(&pose), groups: solid.groups }
        })
    }
}

/// Adds the primitives of a shape, those of a compound one by one. Parry's axis is y where ours is z.
fn forms(shape: &Shape, at: Pose, add: &mut impl FnMut(Pose, SharedShape)) {
    let upright = || at * Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_arc(DVec3::Y, DVec3::Z));
    match shape {
        Shape::Sphere { radius } => add(at, SharedShape::ball(*radius)),
        Shape::Box { half } => add(at, SharedShape::cuboid(half.x, half.y, half.z)),
        Shape::Cylinder { radius, half_length } => {
            add(upright(), SharedShape::cylinder(*half_length, *radius))
        }
        Shape::Capsule { radius, half_length } => add(at, SharedShape::capsule_z(*half_length, *radius)),
        Shape::Cone { radius, half_height } => add(upright(), SharedShape::cone(*half_height, *radius)),
        // without a solid there is no contact
        Shape::Convex { points } => {
            if let Some(hull) = SharedShape::convex_hull(points) {
                add(at, hull);
            }
        }
        Shape::Mesh { vertices, triangles } => surface(vertices, triangles, at, add),
        Shape::Compound { parts } => {
            for (place, turn, part) in parts {
                forms(part, at * Pose::from_parts(*place, *turn), add);
            }
        }
    }
}

fn surface(corners: &[DVec3], triangles: &[[u32; 3]], at: Pose, add: &mut impl FnMut(Pose, SharedShape)) {
    if let Ok(mesh) = SharedShape::trimesh(corners.to_vec(), triangles.to_vec()) {
        add(at, mesh);
    }
}

/// A height field as triangles.
fn ground(heights: &[f64], columns: usize, spacing: [f64; 2]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let rows = heights.len() / columns.max(1);
    let middle = |n: usize| 0.5 * (n.max(1) - 1) as f64;
    let corner = |(k, z): (usize, &f64)| {
        let [i, j] = [k % columns, k / columns];
        let [x, y] = [i as f64 - middle(columns), j as f64 - middle(rows)];
        DVec3::new(x * spacing[0], y * spacing[1], *z)
    };
    let cells = (0..rows.saturating_sub(1)).flat_map(|j| (0..columns - 1).map(move |i| i + j * columns));
    let halves = cells.flat_map(|k| {
        let [a, b, c, d] = [k, k + 1, k + columns + 1, k + columns].map(|corner| corner as u32);
        [[a, b, c], [a, c, d]]
    });
    (heights.iter().enumerate().map(corner).collect(), halves.collect())
}

/// The entity that every body of a model belongs to, by index.
pub fn things(built: &Built, lines: &[Line]) -> Vec<Thing> {
    let mut things: Vec<Thing> = (0..built.world.model().bodies().places()).map(Thing::Other).collect();
    for line in lines {
        for id in line.elements(&built.world) {
            things[id.index()] = Thing::Line(line.look.id);
        }
    }
    for (k, id) in built.bodies.iter().enumerate() {
        things[id.index()] = Thing::Body(k);
    }
    things
}

/// An entity for reports.
pub fn who(built: &Built, lines: &[Line], thing: Thing) -> Who {
    let bodies = built.world.model().bodies();
    let name = |place: usize| bodies.at(place).map_or_else(String::new, |body| body.name.clone());
    match thing {
        Thing::Body(k) => {
            let place = built.bodies.get(k).map_or(usize::MAX, |id| id.index());
            Who { kind: "body", id: k, name: name(place) }
        }
        Thing::Line(id) => {
            let line = lines.iter().find(|line| line.look.id == id);
            Who {
                kind: "line",
                id: id as usize,
                name: line.map_or_else(String::new, |l| l.look.name.clone()),
            }
        }
        Thing::Other(place) => Who { kind: "other", id: place, name: name(place) },
    }
}

/// A check of a part, since a moment.
pub struct Check {
    /// The part.
    pub part: Thing,
    yard: Yard,
    /// Indices of the bodies excluded from the clearance: its own, and those it is joined to.
    own: BTreeSet<usize>,
    /// Pairs in contact at the start, and when they were last in contact [s].
    resting: BTreeMap<Thing, f64>,
    /// Whether present contacts count as those of the start.
    fresh: bool,
    /// Whether contacts count yet.
    armed: bool,
    /// Whether a handle took hold of something since the check began.
    taken: bool,
    last: u64,
    looked: f64,
    first: Option<Moment>,
    largest: Option<Moment>,
    deepest: f64,
    least: Option<Least>,
}

impl Check {
    /// A check of a part from now on; contacts count once it is armed.
    pub fn new(built: &Built, lines: &[Line], part: Thing, armed: bool) -> Check {
        Check {
            part,
            yard: Yard::of(built),
            own: own(built, lines, part),
            resting: BTreeMap::new(),
            fresh: true,
            armed,
            taken: false,
            last: built.world.state().step,
            looked: f64::NEG_INFINITY,
            first: None,
            largest: None,
            deepest: 0.0,
            least: None,
        }
    }

    /// A handle takes hold of something. The first time, the check starts again: what the part has settled on by now are
    /// its supports.
    pub fn take(&mut self) {
        if !self.taken {
            (self.taken, self.armed) = (true, true);
            self.again(self.last);
        }
    }

    /// Resets the check: time starts again.
    fn again(&mut self, step: u64) {
        (self.fresh, self.last, self.looked, self.deepest) = (true, step, f64::NEG_INFINITY, 0.0);
        (self.first, self.largest, self.least) = (None, None, None);
        self.resting.clear();
    }

    /// Evaluates a step that was just taken.
    pub fn look(&mut self, built: &Built, lines: &[Line]) {
        let state = built.world.state();
        if state.step <= self.last {
            self.again(state.step);
            self.taken = false;
        }
        self.last = state.step;
        let (all, time) = (things(built, lines), state.time);
        let mut touching = self.touching(built, lines, &all);
        let due = self.armed && time - self.looked >= LOOK - 1e-9;
        if due {
            self.looked = time;
            touching.extend(self.within_margin(built, lines, &all));
        }
        let lies = self.fresh || !self.armed;
        self.fresh = !self.armed;
        self.resting.retain(|_, at| time - *at < LEFT);
        for (other, touch) in touching {
            if lies || self.resting.contains_key(&other) {
                self.resting.insert(other, time);
                continue;
            }
            let moment = Moment { time, step: state.step, touch };
            if self.largest.as_ref().is_none_or(|l| l.touch.force < moment.touch.force) {
                self.largest = Some(moment.clone());
            }
            self.first.get_or_insert(moment);
        }
        if self.armed {
            self.deepest = self.deepest.max(self.overlap(built, &all));
        }
        if due {
            self.note_least(built, lines, &all);
        }
    }

    /// Updates the clearance of the part to entities it does not rest on.
    fn note_least(&mut self, built: &Built, lines: &[Line], all: &[Thing]) {
        let away = |thing: Thing| !self.resting.contains_key(&thing);
        let Some((_, clearance)) = self.nearest(built, lines, all, away) else { return };
        if self.least.as_ref().is_none_or(|least| clearance.distance < least.clearance.distance) {
            self.least = Some(Least { time: built.world.state().time, clearance });
        }
    }

    /// The entities that repel a mass-point cable.
    fn within_margin(&self, built: &Built, lines: &[Line], all: &[Thing]) -> Option<(Thing, TouchingPair)> {
        let Thing::Line(id) = self.part else { return None };
        let margin = lines.iter().find(|l| l.look.id == id)?.margin(&built.world)?;
        let (other, clearance) = self.nearest(built, lines, all, |_| true)?;
        let a = who(built, lines, self.part);
        let touch =
            TouchingPair { a, b: clearance.other, point: clearance.points[1], force: None, resting: false };
        (clearance.distance <= margin).then_some((other, touch))
    }

    /// Penetration of the part in the last step [m].
    fn overlap(&self, built: &Built, all: &[Thing]) -> f64 {
        let contacts = &built.world.stages().contacts;
        let is_part = |place: u32| all.get(place as usize) == Some(&self.part);
        let pairs = contacts.pairs.iter().filter(|pair| pair.parts.iter().any(|part| is_part(part.body)));
        let points = pairs.filter_map(|pair| contacts.list.get(pair.points.clone())).flatten();
        points.fold(0.0, |deepest, point| f64::max(deepest, -point.gap))
    }

    /// The present report.
    pub fn told(&self, built: &Built, lines: &[Line], path: Option<u32>) -> Checked {
        let all = things(built, lines);
        let touching = self.touching(built, lines, &all);
        Checked {
            part: who(built, lines, self.part),
            path,
            touching: touching.into_iter().map(|(_, touch)| touch).collect(),
            first: self.first.clone(),
            largest: self.largest.clone(),
            deepest: self.deepest,
            clearance: self.nearest(built, lines, &all, |_| true).map(|(_, clearance)| clearance),
            least: self.least.clone(),
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        let text = match (&self.first, &self.least) {
            (Some(first), _) => {
                let hard =
                    |m: &Moment| m.touch.force.map_or(String::new(), |f| format!(", F = {}", newtons(f)));
                let worst = self.largest.as_ref().filter(|l| l.step != first.step);
                let worst = worst
                    .and_then(|l| l.touch.force)
                    .map_or(String::new(), |f| format!(", at most {}", newtons(f)));
                format!(
                    "contact with {} at t = {:.2} s{}{worst}",
                    first.touch.b.name,
                    first.time,
                    hard(first)
                )
            }
            (None, Some(least)) => {
                let gap = 1e3 * least.clearance.distance;
                format!("no contact, clearance {gap:.1} mm to {}", least.clearance.other.name)
            }
            (None, None) => "no contact".to_string(),
        };
        Verdict { free: self.first.is_none(), text, first: self.first.clone(), least: self.least.clone() }
    }

    /// The present contacts of the part, the largest force first; joined entities do not count.
    fn touching(&self, built: &Built, lines: &[Line], all: &[Thing]) -> Vec<(Thing, TouchingPair)> {
        // the sum of the forces on the other, the largest of them and its point
        let mut pairs: BTreeMap<Thing, (DVec3, f64, DVec3)> = BTreeMap::new();
        for contact in built.world.state().contacts.iter().filter(|c| c.force != DVec3::ZERO) {
            let [a, b] = contact.parts.map(|part| part.body as usize);
            let (other, force) = match [a, b].map(|place| all.get(place) == Some(&self.part)) {
                [true, false] => (b, contact.force),
                [false, true] => (a, -contact.force),
                _ => continue,
            };
            let Some(thing) = all.get(other).filter(|_| !self.own.contains(&other)) else { continue };
            let pair = pairs.entry(*thing).or_insert((DVec3::ZERO, 0.0, contact.point));
            pair.0 += force;
            if force.length() > pair.1 {
                (pair.1, pair.2) = (force.length(), contact.point);
            }
        }
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_by(|a, b| b.1.0.length().total_cmp(&a.1.0.length()).then(a.0.cmp(&b.0)));
        let told = |(other, (force, _, point)): (Thing, (DVec3, f64, DVec3))| {
            let [a, b] = [self.part, other].map(|thing| who(built, lines, thing));
            let resting = self.resting.contains_key(&other);
            (other, TouchingPair { a, b, point: point.to_array(), force: Some(force.length()), resting })
        };
        pairs.into_iter().take(MOST_PAIRS).map(told).collect()
    }

    /// The nearest of some entities to the part, and its distance.
    fn nearest(
        &self,
        built: &Built,
        lines: &[Line],
        all: &[Thing],
        counts: impl Fn(Thing) -> bool,
    ) -> Option<(Thing, Clearance)> {
        let capsules = line_pieces(built, lines, self.part);
        let own: Vec<Placed<'_>> = match self.part {
            Thing::Body(k) => self.yard.placed(built, *built.bodies.get(k)?).collect(),
            _ => capsules
                .iter()
                .map(|(form, bounds)| Placed {
                    pose: Pose::IDENTITY,
                    form,
                    bounds: *bounds,
                    groups: [u32::MAX; 2],
                })
                .collect(),
        };
        let whole = own.iter().map(|p| p.bounds).reduce(|a, b| a.merged(&b))?;
        let mut others = self.others(built, &whole);
        others.retain(|(_, place, _)| all.get(*place).is_some_and(|thing| counts(*thing)));
        others.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut best, mut tests): (Option<(usize, f64, [DVec3; 2])>, usize) = (None, 0);
        for (bound, place, other) in &others {
            let reach = best.map_or(FAR, |b| b.1);
            if *bound > reach.max(0.0) || tests > MOST_TESTS {
                break;
            }
            for part in own.iter().filter(|p| meets(p, other)) {
                let reach = best.map_or(FAR, |b| b.1);
                if apart(&part.bounds, &other.bounds) > reach.max(0.0) {
                    continue;
                }
                tests += 1;
                if let Some((distance, points)) = distance(part, other).filter(|(d, _)| *d < reach) {
                    best = Some((*place, distance, points));
                }
            }
        }
        let (place, distance, points) = best?;
        let thing = *all.get(place)?;
        let points = points.map(|p| p.to_array());
        Some((thing, Clearance { distance, other: who(built, lines, thing), points }))
    }

    /// All solids except its own and those it is joined to: distance of their boxes, and owner.
    fn others<'a>(&'a self, built: &Built, whole: &Aabb) -> Vec<(f64, usize, Placed<'a>)> {
        let bodies = built.world.model().bodies();
        let absent = |place: usize| built.world.state().bodies.get(place).is_none_or(|b| b.inactive);
        let places = (0..bodies.places()).filter(|place| !self.own.contains(place) && !absent(*place));
        let solids = places.filter_map(|place| Some((place, bodies.id(place)?)));
        let solids =
            solids.flat_map(|(place, id)| self.yard.placed(built, id).map(move |solid| (place, solid)));
        solids.map(|(place, solid)| (apart(whole, &solid.bounds), place, solid)).collect()
    }
}

fn newtons(force: f64) -> String {
    if force < 1e3 { format!("{force:.1} N") } else { format!("{:.2} kN", force / 1e3) }
}

/// Whether two solids can collide, by the rules of the engine.
fn meets(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    a.groups[0] & b.groups[1] != 0 && b.groups[0] & a.groups[1] != 0
}

/// Distance of two boxes.
fn apart(a: &Aabb, b: &Aabb) -> f64 {
    (a.mins - b.maxs).max(b.mins - a.maxs).max(DVec3::ZERO).length()
}

/// Distance of two solids and its points; below 0 they penetrate.
fn distance(a: &Placed<'_>, b: &Placed<'_>) -> Option<(f64, [DVec3; 2])> {
    match closest_points(&a.pose, &**a.form, &b.pose, &**b.form, FAR).ok()? {
        ClosestPoints::WithinMargin(p, q) => Some((p.distance(q), [p, q])),
        ClosestPoints::Intersecting => {
            let deep = contact(&a.pose, &**a.form, &b.pose, &**b.form, 0.0).ok()??;
            Some((deep.dist.min(0.0), [deep.point1, deep.point2]))
        }
        ClosestPoints::Disjoint => None,
    }
}

/// A line as capsules, with their boxes; nothing for other entities.
fn line_pieces(built: &Built, lines: &[Line], part: Thing) -> Vec<(SharedShape, Aabb)> {
    let Thing::Line(id) = part else { return Vec::new() };
    let Some(line) = lines.iter().find(|line| line.look.id == id) else { return Vec::new() };
    let pieces = line.pieces(&built.world);
    let count: usize = pieces.iter().map(Vec::len).sum();
    let stride = count.div_ceil(MOST_PIECES).max(1);
    let mut out = Vec::new();
    for piece in pieces {
        let mut from = piece.first().map(|place| place.0);
        for (k, (to, _)) in piece.iter().enumerate().skip(1) {
            if k % stride == 0 || k + 1 == piece.len() {
                let capsule = SharedShape::capsule(from.unwrap_or(*to), *to, line.look.radius);
                let bounds = capsule.compute_aabb(&Pose::IDENTITY);
                out.push((capsule, bounds));
                from = Some(*to);
            }
        }
    }
    out
}

/// Indices of the bodies of a part, and of those it is joined to, with the cables attached there.
fn own(built: &Built, lines: &[Line], part: Thing) -> BTreeSet<usize> {
    let world = &built.world;
    let model = world.model();
    let mut own: BTreeSet<usize> = match part {
        Thing::Body(k) => built.bodies.get(k).map(|id| id.index()).into_iter().collect(),
        Thing::Other(place) => [place].into(),
        Thing::Line(id) => {
            let line = lines.iter().filter(|line| line.look.id == id);
            return line
                .flat_map(|l| l.elements(world).into_iter().chain(l.holders(world)))
                .map(|id| id.index())
                .collect();
        }
    };
    let mine = own.clone();
    for (place, joint) in model.joints().iter().filter(|(_, joint)| !joint.allows_contact()) {
        let broken = world.state().joints.get(place).is_some_and(|j| j.broken);
        let anchors = joint.constraint().anchors();
        if !broken && anchors.iter().any(|a| mine.contains(&a.body.index())) {
            own.extend(anchors.iter().map(|a| a.body.index()));
        }
    }
    for line in lines {
        let elements: Vec<usize> = line.elements(world).into_iter().map(|id| id.index()).collect();
        if elements.iter().any(|place| own.contains(place)) {
            own.extend(elements);
        }
    }
    own
}
