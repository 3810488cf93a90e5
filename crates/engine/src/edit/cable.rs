//! Edits of cables: bodies and joints that are added and removed together.

use super::check::there;
use super::{Edit, EditError, body, gone, joint, take_back};
use crate::body::frame::Anchor;
use crate::body::{Body, MotionType};
use crate::cable;
use crate::cable::{CableSpec, Side};
use crate::joint::link::DamageState;
use crate::joint::{JointKind, Link};
use crate::model::Model;
use crate::model::cable::{Cable, End};
use crate::model::cable::{Pool, PoolLink};
use crate::model::state::State;
use crate::section::{Section, UnderLoad};
use crate::slots::{BodyId, CableId, JointId};
use glam::{DQuat, DVec3};

/// Adds a cable: all of it, or nothing.
pub(super) fn add(model: &mut Model, state: &mut State, laying: &CableSpec) -> Result<Edit, EditError> {
    let refused = |problem: String| EditError::Cable { name: laying.name.clone(), problem };
    if let Some(problem) = laying.problem() {
        return Err(refused(problem));
    }
    for anchor in laying.ends.iter().filter_map(|end| end.anchor()) {
        there(model, state, anchor.body)?;
    }
    // its pose follows from that of its end bodies, which must not depend on its own
    let hung =
        |anchor: &Anchor| model.bodies.get(anchor.body).is_some_and(|b| b.kind == MotionType::Catenary);
    if laying.hang.is_some() && laying.ends.iter().filter_map(|end| end.anchor()).any(hung) {
        return Err(refused("a catenary cannot be attached to another catenary: use another body".into()));
    }
    let mut undo = Vec::new();
    match lay_cable(model, state, laying, &mut undo) {
        Ok(cable) => Ok(Edit::RemoveCable(model.cables.insert(cable))),
        Err(refusal) => {
            take_back(model, state, undo);
            Err(refusal)
        }
    }
}

/// Adds the elements and links of a cable at all levels, and collects the undo of each.
fn lay_cable(
    model: &mut Model,
    state: &mut State,
    laying: &CableSpec,
    undo: &mut Vec<Edit>,
) -> Result<Cable, EditError> {
    let refused = || EditError::Cable { name: laying.name.clone(), problem: "its line has no length".into() };
    let n = laying.elements;
    let (deepest, shown) =
        laying.adaptive.map_or((0, 0), |rule| (rule.levels as usize, rule.initial_level(n)));
    // the elements present at first are placed; those of other levels are inactive
    let l = laying.lay(n >> shown).ok_or_else(refused)?.element / (1 << shown) as f64;
    let mut elements = Vec::with_capacity(deepest + 1);
    let mut lies = [DQuat::IDENTITY; 2];
    for level in 0..=deepest {
        let laid = laying.lay(n >> level).ok_or_else(refused)?;
        let length = l * (1 << level) as f64;
        if level == shown {
            lies = [laid.poses[0].1, laid.poses[laid.poses.len() - 1].1];
        }
        let mut own = Vec::with_capacity(laid.poses.len());
        for (number, (at, orientation)) in laid.poses.into_iter().enumerate() {
            let name = match level {
                0 => format!("{}[{number}]", laying.name),
                _ => format!("{}[{}..{}]", laying.name, number << level, (number + 1) << level),
            };
            let back = body::add(model, state, laying.element(name, length), at, orientation)?;
            let Edit::RemoveBody(id) = back else { unreachable!("adding a body is undone by removing it") };
            own.push(id);
            undo.push(back);
        }
        elements.push(own);
    }
    if laying.hang.is_some() {
        let elements = elements.swap_remove(0);
        return Ok(laid(laying, l, elements, Vec::new(), None));
    }
    let grips = [0, 1].map(|k| cable::end_frame(model, state, &laying.ends[k], lies[k]));
    let mut ties = vec![Vec::new(); n + 1];
    // pairs of one level, and of one with the next
    let pairs = (0..=deepest).map(|j| [j, j]);
    let mixed = (1..=deepest).flat_map(|j| [[j - 1, j], [j, j - 1]]);
    for levels in pairs.chain(mixed) {
        for boundary in (0..=n).step_by(1 << levels[0].max(levels[1])) {
            let place = Place { boundary, levels, shown, element: l };
            if let Some(link) = tie(model, state, laying, (&elements, &grips), place, undo)? {
                ties[boundary].push(PoolLink { levels: levels.map(|j| j as u32), link });
            }
        }
    }
    for (level, own) in elements.iter().enumerate().filter(|(level, _)| *level != shown) {
        debug_assert_eq!(own.len(), n >> level);
        own.iter().for_each(|b| state.bodies[b.index()].inactive = true);
    }
    for number in laying.absent.iter().flat_map(|range| range[0]..range[1]) {
        state.bodies[elements[0][number].index()].inactive = true;
    }
    let links = ties.iter().flat_map(|t| t.iter().filter(|t| t.levels == [0, 0])).map(|t| t.link).collect();
    let pool = laying.adaptive.map(|rule| Pool { rule, elements: elements.clone(), ties });
    Ok(laid(laying, l, elements.swap_remove(0), links, pool))
}

/// The record of a cable.
fn laid(
    laying: &CableSpec,
    element: f64,
    elements: Vec<BodyId>,
    links: Vec<JointId>,
    pool: Option<Pool>,
) -> Cable {
    let (name, section, ends, hang) = (laying.name.clone(), laying.section, laying.ends, laying.hang.clone());
    Cable { name, section, ends, element, elements, links, pool, hang }
}

/// Position of a link.
struct Place {
    boundary: usize,
    levels: [usize; 2],
    /// The level present at first.
    shown: usize,
    /// Length of the finest element [m].
    element: f64,
}

/// Adds the link of two levels at a boundary of a cable; none at a free end, or for two levels at an end.
fn tie(
    model: &mut Model,
    state: &mut State,
    laying: &CableSpec,
    (elements, grips): (&[Vec<BodyId>], &[Option<Anchor>; 2]),
    place: Place,
    undo: &mut Vec<Edit>,
) -> Result<Option<JointId>, EditError> {
    let Place { boundary, levels, .. } = place;
    let half = levels.map(|j| 0.5 * place.element * (1 << j) as f64);
    let before = |j: usize| Anchor::point(elements[j][(boundary >> j) - 1], DVec3::Z * half[0]);
    let after = |j: usize| Anchor::point(elements[j][boundary >> j], DVec3::Z * -half[1]);
    let at_end = boundary == 0 || boundary == laying.elements;
    let (anchors, length, side) = match (at_end, boundary, grips) {
        (false, ..) => ([before(levels[0]), after(levels[1])], half[0] + half[1], Side::Within),
        (true, ..) if levels[0] != levels[1] => return Ok(None),
        (true, 0, [Some(grip), _]) => ([*grip, after(levels[1])], half[1], Side::Start),
        (true, 1.., [_, Some(grip)]) => ([before(levels[0]), *grip], half[0], Side::End),
        _ => return Ok(None),
    };
    let name = match levels {
        [0, 0] => {
            let number = boundary - usize::from(laying.ends[0] == End::Free);
            format!("{}.link[{number}]", laying.name)
        }
        [a, b] => format!("{}.link[{boundary}:{a},{b}]", laying.name),
    };
    let joint = laying.link(name, anchors, length, side);
    let back = joint::add(model, state, joint)?;
    let Edit::RemoveJoint(id) = back else { unreachable!("adding a joint is undone by removing it") };
    undo.push(back);
    if laying.shaped
        && levels == [place.shown; 2]
        && let Some(JointKind::Link(link)) = model.joints.get(id).map(|j| &j.kind)
    {
        let frames = link.anchors.map(|a| model.frame(state, &a));
        state.joints[id.index()].history =
            DamageState::shaped(link.turned(&frames, &[]).1).numbers().to_vec();
    }
    Ok(Some(id))
}

pub(super) fn remove(model: &mut Model, state: &mut State, id: CableId) -> Result<Edit, EditError> {
    let cable = model.cables.remove(id).ok_or_else(|| gone("cable", id))?;
    let mut undo = vec![Edit::RestoreCable(id, Box::new(cable.clone()))];
    // other joints on it are removed too; the last first, so that indices are freed in reverse order
    for element in cable.bodies().rev() {
        if model.bodies.get(element).is_some() {
            undo.push(body::remove(model, state, element)?);
        }
    }
    undo.reverse();
    Ok(Edit::All(undo))
}

pub(super) fn restore(model: &mut Model, id: CableId, kept: Cable) -> Result<Edit, EditError> {
    match model.cables.restore(id, kept) {
        true => Ok(Edit::RemoveCable(id)),
        false => Err(EditError::Taken { id: format!("cable {id:?}") }),
    }
}

pub(super) fn replace(model: &mut Model, id: CableId, kept: Cable) -> Result<Edit, EditError> {
    let slot = model.cables.get_mut(id).ok_or_else(|| gone("cable", id))?;
    Ok(Edit::ReplaceCable(id, Box::new(std::mem::replace(slot, kept))))
}

/// Gives elements and links of all levels the mass, size and springs of another section; all of them, or none.
pub(super) fn set_section(
    model: &mut Model,
    state: &mut State,
    id: CableId,
    section: Section,
    under_load: UnderLoad,
) -> Result<Edit, EditError> {
    let cable = model.cables.get(id).ok_or_else(|| gone("cable", id))?.clone();
    let refused = |problem: String| EditError::Cable { name: cable.name.clone(), problem };
    if cable.hang.is_some() {
        return Err(refused("the section of a catenary is that of its segments: add it anew".into()));
    }
    // as it would be laid: its elements and links are made in the same way
    let link = |model: &Model, id: &JointId| match &model.joints.get(*id)?.kind {
        JointKind::Link(link) => Some(link.clone()),
        _ => None,
    };
    let collider = |id: &BodyId| model.bodies.get(*id)?.colliders.first().map(|c| c.surface);
    let laying = CableSpec {
        ends: cable.ends,
        length: Some(cable.length()),
        elements: cable.elements.len(),
        adaptive: cable.pool.as_ref().map(|pool| pool.rule),
        turning: cable
            .links
            .iter()
            .find_map(|id| link(model, id))
            .map_or_else(Default::default, |l| l.turning),
        under_load,
        surface: cable.elements.iter().find_map(collider),
        ..CableSpec::new(cable.name.clone(), section, [DVec3::ZERO, DVec3::Z])
    };
    if let Some(problem) = laying.problem() {
        return Err(refused(problem));
    }
    let mut undo = Vec::new();
    let done = refit(model, state, (&cable, &laying), &mut undo);
    let done = done.and_then(|()| {
        undo.push(replace(model, id, Cable { section, ..cable })?);
        Ok(())
    });
    if let Err(refusal) = done {
        take_back(model, state, undo);
        return Err(refusal);
    }
    undo.reverse();
    Ok(Edit::All(undo))
}

/// Makes the elements and links of a cable those of a specification, and collects the undo of each.
fn refit(
    model: &mut Model,
    state: &mut State,
    (cable, laying): (&Cable, &CableSpec),
    undo: &mut Vec<Edit>,
) -> Result<(), EditError> {
    let finest = std::slice::from_ref(&cable.elements);
    for (level, own) in cable.pool.as_ref().map_or(finest, |pool| &pool.elements[..]).iter().enumerate() {
        for id in own {
            let Some(old) = model.bodies.get(*id) else { continue };
            let made = laying.element(old.name.clone(), cable.element * (1 << level) as f64);
            let body = Body { mass: made.mass, colliders: made.colliders, ..old.clone() };
            undo.push(body::set(model, state, *id, body)?);
        }
    }
    let ties = cable.pool.iter().flat_map(|pool| pool.ties.iter().flatten().map(|tie| tie.link));
    let finest = cable.links.iter().copied().filter(|_| cable.pool.is_none());
    for id in finest.chain(ties) {
        let Some(joint) = model.joints.get(id) else { continue };
        let JointKind::Link(old) = &joint.kind else { continue };
        let side = match old.elements {
            [false, _] => Side::Start,
            [_, false] => Side::End,
            _ => Side::Within,
        };
        let made = laying.link(joint.name.clone(), old.anchors, old.length, side);
        let mut memory = state.joints[id.index()].clone();
        if let JointKind::Link(new) = &made.kind
            && rows_of(old) != rows_of(new)
        {
            // forces of other rows are no start values
            (memory.forces, memory.modes) = (Vec::new(), Vec::new());
        }
        undo.push(joint::replace(model, state, id, (made, memory))?);
    }
    Ok(())
}

/// Which rows a link has besides those of its stretch.
fn rows_of(link: &Link) -> [bool; 2] {
    [link.twist.is_some(), link.bend.is_some()]
}

/// Cuts a link or joins its ends again. If a link of another level represents it, that one is cut; inside an element
/// the cut is recorded, and the next step splits the element there.
pub(super) fn cut_link(
    model: &mut Model,
    state: &mut State,
    id: JointId,
    cut: bool,
) -> Result<Edit, EditError> {
    let id = model.link_now(state, id);
    let joint = model.joints.get(id).ok_or_else(|| gone("joint", id))?;
    let refused = |problem: String| EditError::Joint { name: joint.name.clone(), problem };
    let JointKind::Link(link) = &joint.kind else {
        return Err(refused("it is not a link of a cable, so it cannot be cut".to_string()));
    };
    let there = !link.anchors.iter().any(|a| state.bodies[a.body.index()].inactive);
    if !cut && there && state.joints[id.index()].broken {
        let [a, b] = link.anchors.map(|anchor| model.frame(state, &anchor).at);
        let (gap, most) = (a.distance(b), 0.5 * model.finest(id).unwrap_or(link.length));
        if gap > most {
            let remedy = "bring them closer, with a drag spring for example";
            return Err(refused(format!(
                "its ends are {gap:.3} m apart, and can be spliced up to {most:.3} m: {remedy}"
            )));
        }
    }
    let memory = &mut state.joints[id.index()];
    let was = std::mem::replace(&mut memory.broken, cut);
    Ok(Edit::Cut { link: id, cut: was })
}
