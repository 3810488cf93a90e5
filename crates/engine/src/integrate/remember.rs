//! Memory of joints and contacts for the next step: warm starts, turn counts, breaks, contact points with their forces.

use crate::body::collider::ColliderRef;
use crate::body::frame::Frame;
use crate::body::twist::Wrench;
use crate::constrain::contact::rows_of;
use crate::contact::relative;
use crate::contact::surface::is_hard;
use crate::contact::{Contact, ContactPair, Contacts};
use crate::joint::JointKind;
use crate::model::Model;
use crate::model::cable::Cable;
use crate::model::state::{BLOW_PARTS, ContactMode, ContactState, State};
use crate::partition::Islands;
use crate::report::reaction;
use crate::row::rate;
use crate::row::rows::{Group, Rows};
use crate::solve::Solution;
use glam::DVec3;

/// The coordinates of a joint after the step, so that full turns are counted correctly at any shaft speed.
pub(super) fn coordinates_ahead(
    rows: &Rows,
    solution: &Solution,
    group: &Group,
    drift: f64,
    out: &mut Vec<f64>,
) {
    let ahead = |k: usize| rows.coordinates[k] + drift * rate(&rows.rates[k], |place| solution.twists[place]);
    out.clear();
    out.extend(group.coordinates().map(ahead));
}

/// Stores multipliers, modes and coordinates of the joints, the latter advanced by `drift`; breaks overloaded
/// ones. Returns how many broke.
pub fn joints(model: &Model, rows: &Rows, solution: &Solution, drift: f64, state: &mut State) -> usize {
    let (mut broken, mut torn) = (0, Vec::new());
    for group in &rows.groups {
        let Some(place) = group.joint() else { break };
        let joint = model.joints.at(place).expect("rows come from joints");
        let memory = &mut state.joints[place];
        memory.forces.clear();
        memory.forces.extend_from_slice(&solution.forces[group.rows()]);
        memory.modes.clear();
        memory.modes.extend_from_slice(&solution.modes[group.rows()]);
        let frames = &rows.frames[group.frames()];
        let mut history = std::mem::take(&mut memory.history);
        joint.constraint().remember(&memory.view(frames, state.time), &memory.forces, &mut history);
        memory.history = history;
        coordinates_ahead(rows, solution, group, drift, &mut memory.coordinates);
        for (k, axis) in joint.constraint().axes().iter().enumerate() {
            if let Some(curve) = &axis.curve {
                let values = [rows.coordinates[group.coordinates().start + k], memory.coordinates[k]];
                curve.follow(k, values, &mut memory.history);
            }
        }
        if let Some(strength) = joint.strength
            && let Some(frame) = rows.frames[group.frames()].last()
        {
            if let JointKind::Link(link) = &joint.kind {
                // only under tension
                let tension = link.tension(&memory.forces);
                let mut share = tension / strength.force;
                if let Some(most) = link.breaking_strain {
                    // Stretched after the step, with the tension of that stretch: where a wave is too fast for the
                    // step, a link keeps its gap for some steps after its tension has vanished.
                    let first = group.rows().start;
                    let more =
                        [0, 1, 2].map(|k| drift * rate(rows.blocks(first + k), |b| solution.twists[b]));
                    let strained = link.strain(frames, link.axes(frames) * DVec3::from(more)) / most;
                    share = share.max(strained.min(tension / link.pull_at(most)));
                }
                if share > 1.0 {
                    torn.push((place, share));
                }
                continue;
            }
            if let JointKind::Rope(rope) = &joint.kind {
                // by its most loaded span: the load of a clamp or a block may be higher or lower
                let most = rope.tensions(&memory.forces).into_iter().fold(0.0, f64::max);
                memory.broken = most > strength.force;
                broken += usize::from(memory.broken);
                continue;
            }
            let Wrench { force, torque } = reaction::on(frame, rows, &solution.forces, group);
            if force.length() > strength.force || torque.length() > strength.torque {
                state.joints[place].broken = true;
                broken += 1;
            }
        }
    }
    broken + tear(model, &torn, state)
}

/// Breaks each cable at its most loaded link, which relieves the others. Links outside of cables break individually.
/// `torn` holds indices of links and their tension relative to their strength.
fn tear(model: &Model, torn: &[(usize, f64)], state: &mut State) -> usize {
    if torn.is_empty() {
        return 0;
    }
    let alone = |place: usize| !model.cables.iter().any(|(_, cable)| cable.has_link(place));
    let most = |cable: &Cable| {
        let own = torn.iter().filter(|(place, _)| cable.has_link(*place));
        own.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(place, _)| *place)
    };
    let cables = model.cables.iter().filter_map(|(_, cable)| most(cable));
    let broken: Vec<usize> =
        torn.iter().map(|(place, _)| *place).filter(|p| alone(*p)).chain(cables).collect();
    broken.iter().for_each(|place| state.joints[*place].broken = true);
    broken.len()
}

/// Contacts that slip no faster than this stick [m/s], even if their force is at the friction bound. The validation
/// cases use the same bound for rest.
const CREEP: f64 = 1e-5;

/// Slip speed of a point, given the first of its two friction rows.
fn slip(rows: &Rows, solution: &Solution, first: usize) -> f64 {
    let along = |row: usize| rate(rows.blocks(row), |place| solution.twists[place]) - rows.rows[row].speed;
    let [t, u] = [along(first), along(first + 1)];
    (t * t + u * u).sqrt()
}

/// Contact points for the memory of the next step, into `next`: sorted, those of sleeping bodies unchanged. Overlaps of
/// triggers are kept as points without force. `places` maps the number of each point to its index in it.
pub fn contacts(
    contacts: &Contacts,
    rows: &Rows,
    solution: &Solution,
    state: &State,
    (next, places): (&mut Vec<ContactState>, &mut Vec<u32>),
) {
    next.clear();
    places.clear();
    places.resize(contacts.list.len(), 0);
    let mut triggers = contacts.triggers.iter().peekable();
    let mut overlaps_before = |parts: Option<&[ColliderRef; 2]>, next: &mut Vec<ContactState>| {
        while let Some(parts) = triggers.next_if(|t| parts.is_none_or(|p| *t < p)) {
            next.push(ContactState { parts: *parts, feature: u32::MAX, ..ContactState::default() });
        }
    };
    let groups = rows.touching().iter().filter_map(|g| Some((g, &contacts.pairs[g.pair()?])));
    for (group, pair) in groups {
        overlaps_before(Some(&pair.parts), next);
        let sleeps = pair.parts.iter().any(|part| state.bodies[part.body as usize].asleep);
        let each = rows_of(&pair.touch);
        for (k, point) in pair.points.clone().enumerate() {
            let contact = &contacts.list[point];
            places[point] = next.len() as u32;
            let known =
                solution.memory.recalled[point].checked_sub(1).map(|place| state.contacts[place as usize]);
            if let Some(known) = known.filter(|_| sleeps) {
                next.push(known);
                continue;
            }
            let own = group.rows().start + k * each..group.rows().start + (k + 1) * each;
            let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
            for row in own.clone() {
                let block = &rows.blocks(row)[1];
                force += block.linear * solution.forces[row];
                torque += block.angular * solution.forces[row];
            }
            let (at, center) =
                (place(contact, &rows.frames[group.frames()]), rows.frames[group.frames().start + 1].center);
            let pressed = solution.forces[own.start] != 0.0;
            let found = match pair.touch.stick > 0.0 {
                _ if !pressed => ContactMode::Open,
                true => solution.grips[own.start + 1],
                false => ContactMode::Slip,
            };
            let brink = found == ContactMode::Slip
                && pair.touch.stick > 0.0
                && slip(rows, solution, own.start + 1) < CREEP;
            let grip = if brink { ContactMode::Stick } else { found };
            next.push(ContactState {
                parts: pair.parts,
                feature: contact.feature,
                grip,
                point: at,
                force,
                torque: torque - (at - center).cross(force),
                brink,
                blow: 0.0,
            });
        }
    }
    overlaps_before(None, next);
}

/// Position of contact now or at the end of the step: the dynamic body moves to the other.
fn place(contact: &Contact, frames: &[Frame]) -> DVec3 {
    let to_go = contact.normal * contact.gap.max(0.0);
    match (frames[0].free, frames[1].free) {
        (true, false) => contact.point + to_go,
        (false, true) => contact.point - to_go,
        _ => contact.point,
    }
}

/// Finds the islands in which rigid surfaces collided faster than `slow`, and marks for their points in `next` the
/// fraction of the force due to the impact: all beyond the force of the step before. Quantities computed from present
/// forces, such as velocities of the present instant (`inspect/instant.rs`), must not treat an impact as a load.
pub fn blows(
    contacts: &Contacts,
    (rows, islands, solution): (&Rows, &Islands, &Solution),
    state: &State,
    slow: f64,
    (next, places): (&mut [ContactState], &[u32]),
) {
    for island in &islands.list {
        let pairs = rows.touching_among(&island.groups).filter_map(|g| Some(&contacts.pairs[g.pair()?]));
        let points = || pairs.clone().flat_map(|pair| pair.points.clone().map(move |point| (pair, point)));
        let meets = |(pair, point): (&ContactPair, usize)| {
            let contact = &contacts.list[point];
            let fast = -contact.normal.dot(relative(&state.bodies, pair, contact.point)) > slow;
            fast && is_hard(&pair.touch) && next[places[point] as usize].grip != ContactMode::Open
        };
        if !points().any(meets) {
            continue;
        }
        for (_, point) in points() {
            let known =
                solution.memory.recalled[point].checked_sub(1).map(|place| &state.contacts[place as usize]);
            let bore = known.map_or(0.0, |k| (1.0 - k.blow) * k.force.length());
            let kept = &mut next[places[point] as usize];
            kept.blow = part_beyond(bore, kept.force.length());
        }
    }
}

/// The fraction of a force beyond another, in the resolution of a snapshot.
pub(super) fn part_beyond(bore: f64, bears: f64) -> f64 {
    let part = if bears > bore { 1.0 - bore / bears } else { 0.0 };
    (part * BLOW_PARTS).round() / BLOW_PARTS
}
