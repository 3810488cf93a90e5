//! Machine → Machine in which all moving links have mass: welded links are merged, massless ones are resolved.
//!
//! ```text
//!  welded to its parent        merged: m = Σ mᵢ, centre and inertia by the parallel axis theorem
//!  massless, without children  omitted, with its joint
//!  massless, one child         its coordinates precede those of the child
//!  massless, else              gets a ten-thousandth of the heaviest child
//!  static, with joints         its collision shapes go to a static body of their own
//! ```
//!
//! The total mass and, at zero, the total inertia are conserved in all cases.

use crate::Fixed;
use crate::error::ImportError;
use crate::machine::{Coordinate, Link, LinkFrame, LoopKind, Machine, Motion, Pose};
use crate::notes::{NoteKind, Notes};
use glam::{DQuat, DVec3};
use windlass_engine::prelude::Mass;
use windlass_scene::suggestion;

/// Fraction of the mass of its heaviest child that a massless link gets.
pub const SHARE: f64 = 1e-4;
/// Maximum number of coordinates gathered on one link: more need a body of their own anyway.
const MOST_COORDINATES: usize = 6;
/// Radius of the sphere whose inertia a body without inertia gets [m].
const LEAST_RADIUS: f64 = 0.01;

/// Merges welded links and removes massless ones.
pub fn merge(machine: &mut Machine, fixed: Fixed, notes: &mut Notes) -> Result<(), ImportError> {
    join_welded(machine, fixed, notes);
    for link in machine.links.iter_mut().filter(|l| l.fixed) {
        link.mass = None;
    }
    support_massless(machine, notes);
    for link in machine.links.iter_mut().filter(|l| !l.fixed) {
        make_sound(link, notes)?;
    }
    if !machine.apart {
        part_ground(machine, notes);
    }
    Ok(())
}

/// Gives the collision shapes of static links that carry joints a static link of their own. In MuJoCo a body collides with
/// the world that it is jointed to; bodies of a scene that a joint connects do not collide.
fn part_ground(machine: &mut Machine, notes: &mut Notes) {
    for index in 0..machine.links.len() {
        let is_jointed = |c: &Coordinate| !matches!(c.motion, Motion::Free(_));
        let is_base = |l: &Link| l.parent == Some(index) && l.coordinates.iter().any(is_jointed);
        if !machine.links[index].fixed || !machine.links.iter().any(is_base) {
            continue;
        }
        let link = &mut machine.links[index];
        let (solids, others) = std::mem::take(&mut link.solids).into_iter().partition(|s| s.touch.is_some());
        link.solids = others;
        let mut ground = Link { parent: None, coordinates: Vec::new(), solids, ..link.clone() };
        if ground.solids.is_empty() {
            continue;
        }
        let taken = |name: &str| machine.links.iter().any(|l| l.name == name);
        let numbered = (2..).map(|n| format!("ground{n}"));
        let free = std::iter::once("ground".to_string()).chain(numbered).find(|name| !taken(name));
        ground.name = free.unwrap_or_default();
        let what = format!(
            "the shapes of \"{}\" are on body \"{}\", so that what is jointed to \"{}\" collides with them",
            machine.links[index].name, ground.name, machine.links[index].name
        );
        notes.add(NoteKind::Info, &ground.place, what);
        machine.links.push(ground);
    }
}

/// The frames of a constraint.
fn spots(kind: &mut LoopKind) -> &mut [LinkFrame] {
    match kind {
        LoopKind::Ball(spots) | LoopKind::Weld(spots) | LoopKind::Distance { ends: spots, .. } => spots,
        LoopKind::Gear { .. } => &mut [],
    }
}

fn join_welded(machine: &mut Machine, fixed: Fixed, notes: &mut Notes) {
    let links = std::mem::take(&mut machine.links);
    // the link into which each link was merged, and its pose there
    let mut hosts: Vec<(usize, Pose)> = Vec::with_capacity(links.len());
    for mut link in links {
        let parent = link.parent.map(|p| hosts[p]);
        let welded = link.coordinates.is_empty();
        let keeps = fixed == Fixed::Keep && link.mass.is_some();
        match parent {
            Some((host, offset)) if welded && !keeps => {
                let pose = offset * link.pose;
                hosts.push((host, pose));
                if link.name != machine.links[host].name {
                    let what =
                        format!("\"{}\" is merged into body \"{}\"", link.name, machine.links[host].name);
                    notes.add(NoteKind::Info, &link.place, what);
                }
                absorb(&mut machine.links[host], link, pose, notes);
            }
            _ => {
                if let Some((host, offset)) = parent {
                    link.parent = Some(host);
                    link.pose = offset * link.pose;
                }
                hosts.push((machine.links.len(), Pose::ZERO));
                machine.links.push(link);
            }
        }
    }
    for spot in machine.ties.iter_mut().flat_map(|tie| spots(&mut tie.kind)) {
        let (host, offset) = hosts[spot.link];
        *spot = LinkFrame { link: host, pose: offset * spot.pose };
    }
}

/// Merges `link` into `host`, in whose axes its pose is `pose`.
fn absorb(host: &mut Link, link: Link, pose: Pose, notes: &mut Notes) {
    if !host.fixed && link.gravity != host.gravity && link.mass.is_some() {
        let what = format!("gravity acts on \"{}\" as on \"{}\"", link.name, host.name);
        notes.add(NoteKind::Approximated, &link.place, what);
    }
    host.mass_of_solids = match (&host.mass, &link.mass) {
        (None, _) => link.mass_of_solids,
        (Some(_), None) => host.mass_of_solids,
        (Some(_), Some(_)) => host.mass_of_solids && link.mass_of_solids,
    };
    host.mass = match (host.mass, link.mass) {
        (Some(a), Some(b)) => {
            Some(Mass::combine(&[(DVec3::ZERO, DQuat::IDENTITY, a), (pose.at, pose.turn, b)]))
        }
        (None, Some(b)) => Some(b.moved(pose.at, pose.turn)),
        (a, None) => a,
    };
    host.solids.extend(link.solids.into_iter().map(|mut solid| {
        solid.pose = pose * solid.pose;
        solid
    }));
}

fn support_massless(machine: &mut Machine, notes: &mut Notes) {
    let count = machine.links.len();
    let mut tied = vec![false; count];
    for spot in machine.ties.iter_mut().flat_map(|tie| spots(&mut tie.kind)) {
        tied[spot.link] = true;
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, link) in machine.links.iter().enumerate() {
        if let Some(parent) = link.parent {
            children[parent].push(index);
        }
    }
    let mut gone = vec![false; count];
    // from the leaves to the root: the children of a link are resolved before it
    for index in (0..count).rev() {
        let link = &machine.links[index];
        if link.fixed || link.mass.is_some() {
            continue;
        }
        let carried: Vec<usize> = children[index].iter().copied().filter(|&c| !gone[c]).collect();
        let heavy = carried.iter().copied().max_by(|&a, &b| {
            let mass = |i: usize| machine.links[i].mass.map_or(0.0, |m| m.mass);
            mass(a).total_cmp(&mass(b)).then(b.cmp(&a))
        });
        match (heavy, &carried[..]) {
            (None, _) if !tied[index] => {
                let what =
                    format!("\"{}\" has no mass and no children: it is omitted, with its joint", link.name);
                notes.add(NoteKind::Ignored, &link.place, what);
                gone[index] = true;
            }
            (Some(child), [_]) if !tied[index] && can_pass(machine, index, child) => {
                pass_on(machine, index, child, notes);
                // the child now belongs to the parent of the link
                if let Some(parent) = machine.links[index].parent {
                    children[parent].push(child);
                }
                gone[index] = true;
            }
            _ => weigh(machine, index, heavy, notes),
        }
    }
    forget(machine, &gone);
}

/// Whether the coordinates of a massless link can be moved to its child.
fn can_pass(machine: &Machine, link: usize, child: usize) -> bool {
    let (link, child) = (&machine.links[link], &machine.links[child]);
    link.parent.is_some() && link.coordinates.len() + child.coordinates.len() <= MOST_COORDINATES
}

fn pass_on(machine: &mut Machine, index: usize, child: usize, notes: &mut Notes) {
    let link = machine.links[index].clone();
    let moved = &mut machine.links[child];
    let pose = moved.pose;
    let mut coordinates: Vec<_> = link.coordinates.into_iter().map(|c| c.seen_from(pose)).collect();
    coordinates.append(&mut moved.coordinates);
    moved.coordinates = coordinates;
    moved.pose = link.pose * pose;
    moved.parent = link.parent;
    let shapes = if link.solids.is_empty() { "" } else { ", without its shapes" };
    let what = format!(
        "\"{}\" has no mass: its joint is combined with that of \"{}\"{shapes}",
        link.name, moved.name
    );
    notes.add(NoteKind::Info, &link.place, what);
}

/// Gives a massless link a fraction of the mass of its children, or one gram if that is unknown.
fn weigh(machine: &mut Machine, index: usize, heavy: Option<usize>, notes: &mut Notes) {
    let taken = heavy.and_then(|child| {
        let pose = machine.links[child].pose;
        let mass = machine.links[child].mass.as_mut()?;
        let share = Mass { mass: mass.mass * SHARE, inertia: mass.inertia * SHARE, ..*mass };
        (mass.mass, mass.inertia) = (mass.mass * (1.0 - SHARE), mass.inertia * (1.0 - SHARE));
        machine.links[child].mass_of_solids = false;
        Some(share.moved(pose.at, pose.turn))
    });
    let link = &mut machine.links[index];
    let what = match taken {
        Some(share) => {
            format!("\"{}\" has no mass: it gets {:.3e} kg of its children's", link.name, share.mass)
        }
        None => format!("\"{}\" has no mass: it gets 1 g", link.name),
    };
    notes.add(NoteKind::Approximated, &link.place, what);
    link.mass = Some(taken.unwrap_or_else(|| Mass::point(1e-3)));
    link.mass_of_solids = false;
}

/// Removes links; the order of parents before children is kept.
fn forget(machine: &mut Machine, gone: &[bool]) {
    let mut places = Vec::with_capacity(gone.len());
    let mut next = 0;
    for &gone in gone {
        places.push(next);
        next += usize::from(!gone);
    }
    let mut index = 0;
    machine.links.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
    for link in &mut machine.links {
        link.parent = link.parent.map(|p| places[p]);
    }
    for spot in machine.ties.iter_mut().flat_map(|tie| spots(&mut tie.kind)) {
        spot.link = places[spot.link];
    }
}

/// Corrects moments of inertia that no solid can have.
fn make_sound(link: &mut Link, notes: &mut Notes) -> Result<(), ImportError> {
    let Some(mass) = link.mass else { return Ok(()) };
    if mass.check().is_ok() {
        return Ok(());
    }
    if !(mass.mass > 0.0 && mass.mass < 1e15 && mass.center.is_finite() && mass.inertia.is_finite()) {
        let mass = suggestion::exact(mass.mass);
        let message = format!("the mass of \"{}\" is {mass} kg, or its inertia is not finite", link.name);
        return Err(ImportError::at(&link.place, message, "give a mass above 0 and a finite inertia"));
    }
    let symmetric = Mass { inertia: (mass.inertia + mass.inertia.transpose()) * 0.5, ..mass };
    let (moments, axes) = symmetric.principal_axes();
    let least = 0.4 * mass.mass * LEAST_RADIUS * LEAST_RADIUS;
    let floor = (moments.z * 1e-9).max(if moments.z > 0.0 { 0.0 } else { least });
    let balanced = balanced(moments.max(DVec3::splat(floor)));
    link.mass = Some(Mass::principal(mass.mass, mass.center, balanced, axes));
    link.mass_of_solids = false;
    let what = format!(
        "the moments of inertia of \"{}\", {:.3e}, {:.3e}, {:.3e} kg·m², are impossible: replaced by {:.3e}, {:.3e}, {:.3e}",
        link.name, moments.x, moments.y, moments.z, balanced.x, balanced.y, balanced.z
    );
    notes.add(NoteKind::Approximated, &link.place, what);
    Ok(())
}

/// Moments that satisfy the triangle inequality: all become the mean if they did not.
pub fn balanced(moments: DVec3) -> DVec3 {
    let sum = moments.element_sum();
    if moments.max_element() * 2.0 <= sum { moments } else { DVec3::splat(sum / 3.0) }
}
