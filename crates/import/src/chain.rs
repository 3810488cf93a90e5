//! Machine → Draft: the coordinates of each link become one joint where possible (see fit.rs).
//!
//! Coordinates that fit no joint are split into the longest groups that do, with a small body between two joints. Its
//! mass is a ten-thousandth of the link's, subtracted from it, so that the total mass at zero is unchanged.

use crate::error::Place;
use crate::fit::{Fit, fit, keys};
use crate::machine::{
    Acts, Coordinate, Drive, Link, LinkFrame, LoopConstraint, LoopKind, Machine, Motion, Pose, Solid,
};
use crate::merge::SHARE;
use crate::names::Names;
use crate::notes::{NoteKind, Notes};
use crate::{Armature, Source};
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;
use windlass_engine::math;
use windlass_engine::prelude::Mass;

/// Speed ratio of a rotor to its joint. Its momentum relative to the base is wrong by a tenth of the armature, which
/// has no base in MJCF. A faster rotor would rotate by more than half a revolution per step, which its angle cannot
/// follow.
const ROTOR_RATIO: f64 = 10.0;

/// The contents of the scene.
#[derive(Debug, Default)]
pub struct Draft {
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub sources: Vec<Source>,
}

/// A body of the scene.
#[derive(Debug)]
pub struct Body {
    pub name: String,
    pub fixed: bool,
    /// Initial pose in the world.
    pub pose: Pose,
    pub mass: Option<Mass>,
    pub mass_of_solids: bool,
    pub solids: Vec<Solid>,
    pub gravity: bool,
}

/// A joint of the scene.
#[derive(Debug)]
pub struct Joint {
    pub name: String,
    pub kind: Kind,
}

/// The kind of a joint.
#[derive(Debug)]
pub enum Kind {
    /// Between two bodies.
    Pair(Pair),
    /// The first rotates `ratio` times as fast as the second.
    Gear { joints: [String; 2], ratio: f64 },
    /// The displacement of the slider is `radius` times the rotation of the pinion.
    Rack { pinion: String, slider: String, radius: f64 },
    /// The sum of factor · coordinate stays constant.
    Couple([Term; 2]),
}

/// A term of a sum of coordinates.
#[derive(Debug)]
pub struct Term {
    pub joint: String,
    /// Index of the coordinate, from 0.
    pub slot: usize,
    pub factor: f64,
}

/// A joint between two bodies.
#[derive(Debug)]
pub struct Pair {
    /// Its key in the scene.
    pub key: &'static str,
    pub bodies: [usize; 2],
    /// The joint's frame in the axes of each body.
    pub frames: [Pose; 2],
    /// Whether the frames coincide at the start: then the joint can be placed in the world.
    pub closed: bool,
    /// The options of each coordinate, in the order of the scene; those without a key are on the joint itself.
    pub axes: Vec<(&'static str, Acts)>,
    /// Angular stiffness and damping in place of rigid constraint equations.
    pub soft: Option<(f64, f64)>,
    /// Keys of a distance: minimum, maximum, rest length.
    pub lengths: [Option<f64>; 3],
}

/// The coordinate of the scene for a coordinate of the file.
#[derive(Clone, Copy)]
struct Went {
    joint: usize,
    slot: usize,
    reversed: bool,
}

struct Drafter<'a> {
    draft: Draft,
    body_names: Names,
    joint_names: Names,
    went: BTreeMap<String, Went>,
    notes: &'a mut Notes,
    armature: Armature,
}

/// Drafts the scene.
pub fn draft(machine: &Machine, armature: Armature, notes: &mut Notes) -> Draft {
    let starts = machine.at_start();
    let mut drafter = Drafter {
        draft: Draft::default(),
        body_names: Names::default(),
        joint_names: Names::default(),
        went: BTreeMap::new(),
        notes,
        armature,
    };
    // bodies of the file first, so that they keep their names and their order
    for (link, &pose) in machine.links.iter().zip(&starts) {
        drafter.body(link, pose);
    }
    for (index, link) in machine.links.iter().enumerate() {
        if let Some(parent) = link.parent {
            drafter.link(index, link, parent, starts[parent] * link.pose);
        }
    }
    for tie in &machine.ties {
        drafter.tie(tie, &starts);
    }
    drafter.draft
}

impl Drafter<'_> {
    fn body(&mut self, link: &Link, pose: Pose) {
        let name = self.body_names.unique(&link.name);
        if name != link.name {
            self.notes.add(
                NoteKind::Info,
                &link.place,
                format!("body \"{}\" is renamed \"{name}\"", link.name),
            );
        }
        self.draft.bodies.push(Body {
            name,
            fixed: link.fixed,
            pose,
            mass: link.mass,
            mass_of_solids: link.mass_of_solids,
            solids: link.solids.clone(),
            gravity: link.gravity,
        });
    }

    /// The joints of a link; `stand` is its pose in the world before its own coordinates move it.
    fn link(&mut self, body: usize, link: &Link, parent: usize, mut stand: Pose) {
        if link.coordinates.is_empty() {
            let base = self.draft.bodies[parent].pose.inverse() * stand;
            let pair = Pair::new("weld", [parent, body], [base, Pose::ZERO]);
            self.push(&format!("{} weld", link.name), &link.place, Kind::Pair(pair));
            return;
        }
        let mut base = parent;
        let mut rest = &link.coordinates[..];
        while !rest.is_empty() {
            let longest = (1..=rest.len()).rev().find_map(|n| Some((n, fit(&rest[..n])?)));
            let Some((taken, fit)) = longest else { return };
            let (piece, others) = rest.split_at(taken);
            let moved = piece.iter().fold(stand, |pose, c| pose * c.started());
            let child =
                if others.is_empty() { body } else { self.between(body, link, moved, &piece[0].place) };
            let of_base = self.draft.bodies[base].pose.inverse() * stand;
            self.joint(link, [base, child], [of_base * fit.frame, fit.frame], piece, &fit);
            (base, rest, stand) = (child, others, moved);
        }
    }

    /// A small body between two joints of a link.
    fn between(&mut self, body: usize, link: &Link, pose: Pose, place: &Place) -> usize {
        let name = self.body_names.unique(&format!("{}_between", link.name));
        let whole = &mut self.draft.bodies[body];
        let share = whole.mass.as_mut().map(|mass| {
            let share = Mass { mass: mass.mass * SHARE, inertia: mass.inertia * SHARE, ..*mass };
            (mass.mass, mass.inertia) = (mass.mass * (1.0 - SHARE), mass.inertia * (1.0 - SHARE));
            share
        });
        whole.mass_of_solids = false;
        let what = format!(
            "no joint type has all coordinates of \"{}\": two joints, with a ten-thousandth of its mass between as body \"{name}\"",
            link.name
        );
        self.notes.add(NoteKind::Approximated, place, what);
        let gravity = link.gravity;
        let solids = Vec::new();
        self.draft.bodies.push(Body {
            name,
            fixed: false,
            pose,
            mass: share,
            mass_of_solids: false,
            solids,
            gravity,
        });
        self.draft.bodies.len() - 1
    }

    fn joint(&mut self, link: &Link, bodies: [usize; 2], frames: [Pose; 2], piece: &[Coordinate], fit: &Fit) {
        for c in piece.iter().filter(|c| matches!(c.motion, Motion::Ball(_) | Motion::Free(_))) {
            self.untold(c, fit.key);
        }
        if fit.key == "free" {
            self.draft.sources.push(Source::free(&piece[0].name, &self.draft.bodies[bodies[1]].name));
            return;
        }
        let mut pair = Pair::new(fit.key, bodies, frames);
        pair.closed = piece.iter().all(|c| !c.is_started());
        let keys = keys(fit.key);
        // coordinates that the file does not free are locked; a ball frees all rotations
        let has_ball = piece.iter().any(|c| matches!(c.motion, Motion::Ball(_)));
        pair.axes = keys
            .iter()
            .enumerate()
            .map(|(slot, &key)| {
                let held = Acts { drive: Some(Drive::Lock(0.0)), ..Acts::default() };
                let acts = fit.order.iter().find(|o| o.0 == slot).map(|&(_, index, reversed)| {
                    let acts = &piece[index].acts;
                    if reversed { acts.reversed() } else { acts.clone() }
                });
                let free = has_ball && slot >= 3;
                (key, acts.unwrap_or(if free { Acts::default() } else { held }))
            })
            .collect();
        if let ("ball", Some((k, _))) = (fit.key, piece[0].acts.spring) {
            (pair.key, pair.soft) = ("weld", Some((k, piece[0].acts.viscosity)));
        }
        let name = match piece {
            [one] => one.name.clone(),
            _ => {
                let names: Vec<_> = piece.iter().map(|c| c.name.as_str()).collect();
                let all = names.join("_");
                if all.len() <= 40 { all } else { link.name.clone() }
            }
        };
        let name = self.push(&name, &piece[0].place, Kind::Pair(pair));
        let joint = self.draft.joints.len() - 1;
        self.sources(piece, fit, joint, &name);
    }

    /// Adds notes on each coordinate, and creates the rotors.
    fn sources(&mut self, piece: &[Coordinate], fit: &Fit, joint: usize, name: &str) {
        let mut told = Vec::new();
        for &(slot, index, reversed) in &fit.order {
            let c = &piece[index];
            self.went.insert(c.name.clone(), Went { joint, slot, reversed });
            self.draft.sources.push(Source {
                name: c.name.clone(),
                joint: Some(name.to_string()),
                body: None,
                coordinate: slot,
                reversed,
                zero: c.zero,
            });
            let sign = if reversed { "−" } else { "" };
            told.push(format!("{} = {sign}{}", keys(fit.key)[slot], c.name));
            if c.zero != 0.0 {
                let what = format!("coordinate {} of the scene is 0 at {} of the file", c.name, c.zero);
                self.notes.add(NoteKind::Info, &c.place, what);
            }
        }
        for c in piece.iter().filter(|c| matches!(c.motion, Motion::Ball(_))) {
            self.draft.sources.push(Source::ball(&c.name, name));
        }
        if piece.len() > 1 {
            let singular = if fit.key == "six_dof" && fit.order.iter().any(|o| o.0 == 4) {
                ", singular at ry = ±90°"
            } else {
                ""
            };
            let what = format!(
                "{} joints become one `{}` \"{name}\": {}{singular}",
                piece.len(),
                fit.key,
                told.join(", ")
            );
            self.notes.add(NoteKind::Info, &piece[0].place, what);
        }
        for &(slot, index, _) in &fit.order {
            if piece[index].acts.armature > 0.0 {
                self.rotor(&piece[index], joint, slot, name);
            }
        }
    }

    /// Adds notes on options of a ball or a free coordinate that scenes do not have.
    fn untold(&mut self, c: &Coordinate, key: &str) {
        let acts = &c.acts;
        let sprung = key == "ball" && acts.spring.is_some();
        if sprung {
            let what = format!(
                "spring of ball joint \"{}\": becomes a weld with angular compliance, equivalent for small rotations",
                c.name
            );
            self.notes.add(NoteKind::Approximated, &c.place, what);
        }
        let mut lost = Vec::new();
        if acts.spring.is_some() && !sprung {
            lost.push("spring");
        }
        if acts.viscosity > 0.0 && !sprung {
            lost.push("damping");
        }
        if acts.friction > 0.0 {
            lost.push("friction");
        }
        if acts.low.is_some() || acts.high.is_some() {
            lost.push("range");
        }
        if acts.armature > 0.0 {
            lost.push("armature");
        }
        if !lost.is_empty() {
            let what =
                format!("{} of joint \"{}\": not supported for this joint type", lost.join(", "), c.name);
            self.notes.add(NoteKind::Ignored, &c.place, what);
        }
    }

    /// Armature: a small rotor geared to the joint, J = armature / ratio².
    fn rotor(&mut self, c: &Coordinate, joint: usize, slot: usize, name: &str) {
        let Kind::Pair(pair) = &self.draft.joints[joint].kind else { return };
        let measure = measure(pair.key, slot).filter(|_| self.armature == Armature::Rotors);
        let Some(measure) = measure else {
            let help = if self.armature == Armature::Ignore { ": import with rotors to keep it" } else { "" };
            let what = format!("`armature` of joints{help}");
            self.notes.count(NoteKind::Ignored, &c.place, what);
            return;
        };
        let base = pair.bodies[0];
        let frame = self.draft.bodies[base].pose * pair.frames[0];
        // a disc of radius 10 m on the base, light for its inertia, with its axis along that of the joint
        let spin = c.acts.armature / (ROTOR_RATIO * ROTOR_RATIO);
        let mass = Mass::new(
            0.02 * spin,
            DVec3::ZERO,
            DMat3::from_diagonal(DVec3::new(0.5 * spin, 0.5 * spin, spin)),
        );
        let rotor = self.draft.bodies.len();
        let body = self.body_names.unique(&format!("{name}_rotor"));
        let what =
            format!("`armature` of \"{}\" becomes rotor \"{body}\" at {ROTOR_RATIO} times its speed", c.name);
        self.notes.add(NoteKind::Approximated, &c.place, what);
        self.draft.bodies.push(Body {
            name: body,
            fixed: false,
            pose: frame,
            mass: Some(mass),
            mass_of_solids: false,
            solids: Vec::new(),
            gravity: false,
        });
        let frames = [self.draft.bodies[base].pose.inverse() * frame, Pose::ZERO];
        let mut bearing = Pair::new("hinge", [base, rotor], frames);
        bearing.axes = vec![("", Acts::default())];
        let bearing = self.push(&format!("{name}_bearing"), &c.place, Kind::Pair(bearing));
        let kind = match measure {
            Measure::Rotation => Kind::Gear { joints: [bearing, name.to_string()], ratio: ROTOR_RATIO },
            Measure::Displacement => {
                Kind::Rack { pinion: bearing, slider: name.to_string(), radius: 1.0 / ROTOR_RATIO }
            }
        };
        self.push(&format!("{name}_gear"), &c.place, kind);
    }

    fn tie(&mut self, tie: &LoopConstraint, starts: &[Pose]) {
        let pair = |key, spots: &[LinkFrame; 2]| Pair::new(key, spots.map(|s| s.link), spots.map(|s| s.pose));
        match &tie.kind {
            LoopKind::Ball([a, b]) | LoopKind::Weld([a, b]) | LoopKind::Distance { ends: [a, b], .. }
                if a.link == b.link =>
            {
                let what = format!("\"{}\" connects a body to itself", tie.name);
                self.notes.add(NoteKind::Ignored, &tie.place, what);
            }
            LoopKind::Ball(spots) | LoopKind::Weld(spots) => {
                let key = if matches!(tie.kind, LoopKind::Ball(_)) { "ball" } else { "weld" };
                let mut pair = pair(key, spots);
                let [a, b] = spots.map(|s| starts[s.link] * s.pose);
                pair.closed = (a.at - b.at).length() < 1e-12
                    && (key == "ball" || math::log(a.turn.inverse() * b.turn).length() < 1e-12);
                self.push(&tie.name, &tie.place, Kind::Pair(pair));
            }
            LoopKind::Distance { ends, low, high, .. } if is_far_open(ends, *low, *high, starts) => {
                let what = format!("\"{}\" is omitted: its initial distance is outside its range", tie.name);
                self.notes.add(NoteKind::Ignored, &tie.place, what);
            }
            LoopKind::Distance { ends, low, high, spring, friction } => {
                let mut pair = pair("distance", ends);
                let rest = spring.and_then(|s| s.2);
                pair.lengths = [*low, *high, rest];
                let acts = Acts {
                    spring: spring.map(|(k, ..)| (k, 0.0)),
                    viscosity: spring.map_or(0.0, |s| s.1),
                    friction: *friction,
                    ..Acts::default()
                };
                pair.axes = vec![("", acts)];
                self.push(&tie.name, &tie.place, Kind::Pair(pair));
            }
            LoopKind::Gear { names, ratio } => self.gear(tie, names, *ratio),
        }
    }

    fn gear(&mut self, tie: &LoopConstraint, names: &[String; 2], ratio: f64) {
        let found = names.each_ref().map(|name| {
            let went = *self.went.get(name)?;
            let joint = &self.draft.joints[went.joint];
            let Kind::Pair(pair) = &joint.kind else { return None };
            let is_tied = measure(pair.key, went.slot).is_some() || is_summed(pair.key, went.slot);
            is_tied.then(|| (joint.name.clone(), pair.key, went))
        });
        let [Some((a, key_a, of_a)), Some((b, key_b, of_b))] = found else {
            let what = format!(
                "\"{}\" follows \"{}\" by {ratio}: angles of joints with several rotation axes cannot be coupled",
                names[0], names[1]
            );
            self.notes.add(NoteKind::Ignored, &tie.place, what);
            return;
        };
        if (of_a.joint, of_a.slot) == (of_b.joint, of_b.slot) {
            let what = format!("\"{}\" couples \"{}\" to itself", tie.name, names[0]);
            self.notes.add(NoteKind::Ignored, &tie.place, what);
            return;
        }
        let ratio = if of_a.reversed == of_b.reversed { ratio } else { -ratio };
        let kind = match (measure(key_a, of_a.slot), measure(key_b, of_b.slot)) {
            (Some(Measure::Rotation), Some(Measure::Rotation)) => Kind::Gear { joints: [a, b], ratio },
            (Some(Measure::Displacement), Some(Measure::Rotation)) if ratio > 0.0 => {
                Kind::Rack { pinion: b, slider: a, radius: ratio }
            }
            (Some(Measure::Rotation), Some(Measure::Displacement)) if ratio > 0.0 => {
                Kind::Rack { pinion: a, slider: b, radius: 1.0 / ratio }
            }
            _ => Kind::Couple([
                Term { joint: a, slot: of_a.slot, factor: 1.0 },
                Term { joint: b, slot: of_b.slot, factor: -ratio },
            ]),
        };
        self.push(&tie.name, &tie.place, kind);
    }

    /// Adds a joint; returns its final name.
    fn push(&mut self, wanted: &str, place: &Place, kind: Kind) -> String {
        let name = self.joint_names.unique(wanted);
        if name != wanted {
            self.notes.add(NoteKind::Info, place, format!("joint \"{wanted}\" is renamed \"{name}\""));
        }
        self.draft.joints.push(Joint { name: name.clone(), kind });
        name
    }
}

impl Pair {
    fn new(key: &'static str, bodies: [usize; 2], frames: [Pose; 2]) -> Pair {
        Pair { key, bodies, frames, closed: true, axes: Vec::new(), soft: None, lengths: [None; 3] }
    }
}

/// Whether the initial distance is outside its range by more than a quarter: a scene rejects that.
fn is_far_open(ends: &[LinkFrame; 2], low: Option<f64>, high: Option<f64>, starts: &[Pose]) -> bool {
    let [a, b] = ends.map(|spot| (starts[spot.link] * spot.pose).at);
    let standing = (a - b).length();
    let out = high.map_or(0.0, |high| standing - high).max(low.map_or(0.0, |low| low - standing));
    out > standing / 4.0
}

/// What a gear can use of a joint.
#[derive(Clone, Copy)]
enum Measure {
    Rotation,
    Displacement,
}

/// Whether a linear coupling can use a coordinate that a gear or a rack cannot.
fn is_summed(kind: &str, slot: usize) -> bool {
    kind == "planar" || (kind == "six_dof" && slot < 3)
}

fn measure(kind: &str, slot: usize) -> Option<Measure> {
    match (kind, slot) {
        ("hinge", _) | ("cylindrical", 0) => Some(Measure::Rotation),
        ("slider", _) | ("cylindrical", 1) => Some(Measure::Displacement),
        _ => None,
    }
}
