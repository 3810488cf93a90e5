//! Machine → Draft: the coordinates of each link become one joint, where one has them (see fit.rs).
//!
//! What fits no joint is cut into the longest pieces that do, with a small body between two pieces: a
//! ten-thousandth of the link's mass, taken from it, so that at zero the whole is as heavy as before.

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

/// Turns of a rotor per turn of its joint. Its momentum against its base is wrong by a tenth of the
/// armature, which has no base; a faster rotor would turn by more than half a turn in a step, and lose
/// count.
const ROTOR_RATIO: f64 = 10.0;

/// What the scene says.
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
    /// At the start, in the world.
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

/// What a joint is.
#[derive(Debug)]
pub enum Kind {
    /// Between two bodies.
    Pair(Pair),
    /// The first turns `ratio` times as fast as the second.
    Gear { joints: [String; 2], ratio: f64 },
    /// The way of the slider is `radius` times the turn of the pinion.
    Rack { pinion: String, slider: String, radius: f64 },
    /// The sum of factor · coordinate stays as it is.
    Couple([Term; 2]),
}

/// A coordinate in a sum.
#[derive(Debug)]
pub struct Term {
    pub joint: String,
    /// Number of the coordinate, from 0.
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
    /// What acts along each coordinate, in the order of the scene; one without a key stands beside the rest.
    pub axes: Vec<(&'static str, Acts)>,
    /// Angular stiffness and damping in place of rigid rows.
    pub soft: Option<(f64, f64)>,
    /// Rules of a distance: least, greatest, rest length.
    pub lengths: [Option<f64>; 3],
}

/// Where a coordinate of the file went.
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
                format!("body \"{}\" is named \"{name}\"", link.name),
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
            "no joint has all coordinates of \"{}\": a ten-thousandth of it is between two, body \"{name}\"",
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
        // what the file does not free is held; a ball frees all turns
        let has_ball = piece.iter().any(|c| matches!(c.motion, Motion::Ball(_)));
        pair.axes = keys
            .iter()
            .enumerate()
            .map(|(slot, &key)| {
                let held = Acts { drive: Some(Drive::Hold(0.0)), ..Acts::default() };
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

    /// Tells what becomes of each coordinate, and makes the rotors.
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
                let what = format!("coordinate {} of the scene counts from {} of the file", c.name, c.zero);
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
                "{} joints are one `{}` \"{name}\": {}{singular}",
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

    /// What a ball or a free coordinate has that a scene's has not.
    fn untold(&mut self, c: &Coordinate, key: &str) {
        let acts = &c.acts;
        let sprung = key == "ball" && acts.spring.is_some();
        if sprung {
            let what = format!(
                "spring of ball joint \"{}\": a weld with angular compliance, alike for small turns",
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
            let what = format!("{} of joint \"{}\": a scene's has none", lost.join(", "), c.name);
            self.notes.add(NoteKind::Ignored, &c.place, what);
        }
    }

    /// Armature: a small rotor geared to the joint, J = armature / ratio².
    fn rotor(&mut self, c: &Coordinate, joint: usize, slot: usize, name: &str) {
        let Kind::Pair(pair) = &self.draft.joints[joint].kind else { return };
        let measure = measure(pair.key, slot).filter(|_| self.armature == Armature::Rotors);
        let Some(measure) = measure else {
            let help = if self.armature == Armature::Ignore { ": ask for rotors to keep it" } else { "" };
            let what = format!("`armature` of joints{help}");
            self.notes.count(NoteKind::Ignored, &c.place, what);
            return;
        };
        let base = pair.bodies[0];
        let frame = self.draft.bodies[base].pose * pair.frames[0];
        // a disc of radius 10 m on the base, light for its inertia, its axis along that of the joint
        let spin = c.acts.armature / (ROTOR_RATIO * ROTOR_RATIO);
        let mass = Mass::new(
            0.02 * spin,
            DVec3::ZERO,
            DMat3::from_diagonal(DVec3::new(0.5 * spin, 0.5 * spin, spin)),
        );
        let rotor = self.draft.bodies.len();
        let body = self.body_names.unique(&format!("{name}_rotor"));
        let what =
            format!("`armature` of \"{}\" is rotor \"{body}\" at {ROTOR_RATIO} times its speed", c.name);
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
            Measure::Turn => Kind::Gear { joints: [bearing, name.to_string()], ratio: ROTOR_RATIO },
            Measure::Way => {
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
                let what = format!("\"{}\" ties a body to itself", tie.name);
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
                let what =
                    format!("\"{}\" is left out: at the start its ends are not within its range", tie.name);
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
                "\"{}\" follows \"{}\" by {ratio}: a scene ties no turns of joints that turn about several axes",
                names[0], names[1]
            );
            self.notes.add(NoteKind::Ignored, &tie.place, what);
            return;
        };
        if (of_a.joint, of_a.slot) == (of_b.joint, of_b.slot) {
            let what = format!("\"{}\" ties \"{}\" to itself", tie.name, names[0]);
            self.notes.add(NoteKind::Ignored, &tie.place, what);
            return;
        }
        let ratio = if of_a.reversed == of_b.reversed { ratio } else { -ratio };
        let kind = match (measure(key_a, of_a.slot), measure(key_b, of_b.slot)) {
            (Some(Measure::Turn), Some(Measure::Turn)) => Kind::Gear { joints: [a, b], ratio },
            (Some(Measure::Way), Some(Measure::Turn)) if ratio > 0.0 => {
                Kind::Rack { pinion: b, slider: a, radius: ratio }
            }
            (Some(Measure::Turn), Some(Measure::Way)) if ratio > 0.0 => {
                Kind::Rack { pinion: a, slider: b, radius: 1.0 / ratio }
            }
            _ => Kind::Couple([
                Term { joint: a, slot: of_a.slot, factor: 1.0 },
                Term { joint: b, slot: of_b.slot, factor: -ratio },
            ]),
        };
        self.push(&tie.name, &tie.place, kind);
    }

    /// Adds a joint; returns the name it got.
    fn push(&mut self, wanted: &str, place: &Place, kind: Kind) -> String {
        let name = self.joint_names.unique(wanted);
        if name != wanted {
            self.notes.add(NoteKind::Info, place, format!("joint \"{wanted}\" is named \"{name}\""));
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

/// Whether a distance starts out of its range by more than a quarter: a scene refuses to pull that together.
fn is_far_open(ends: &[LinkFrame; 2], low: Option<f64>, high: Option<f64>, starts: &[Pose]) -> bool {
    let [a, b] = ends.map(|spot| (starts[spot.link] * spot.pose).at);
    let standing = (a - b).length();
    let out = high.map_or(0.0, |high| standing - high).max(low.map_or(0.0, |low| low - standing));
    out > standing / 4.0
}

/// What a gear can take of a joint.
#[derive(Clone, Copy)]
enum Measure {
    Turn,
    Way,
}

/// Whether a sum takes a coordinate that a gear or a rack does not.
fn is_summed(kind: &str, slot: usize) -> bool {
    kind == "planar" || (kind == "six_dof" && slot < 3)
}

fn measure(kind: &str, slot: usize) -> Option<Measure> {
    match (kind, slot) {
        ("hinge", _) | ("cylindrical", 0) => Some(Measure::Turn),
        ("slider", _) | ("cylindrical", 1) => Some(Measure::Way),
        _ => None,
    }
}
