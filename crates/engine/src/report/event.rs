//! Contacts of two steps → contact events (begin, stay, end); and contact loads on bodies.

use crate::body::collider::ColliderRef;
use crate::body::twist::Wrench;
use crate::model::Configuration;
use crate::model::state::ContactState;
use crate::slots::BodyId;
use glam::DVec3;

/// Phase of a contact between two colliders in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// In contact now, but not before.
    Begin,
    /// Still in contact.
    Stay,
    /// No longer in contact.
    End,
}

/// A contact of two colliders, or an intersection with a trigger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Its phase.
    pub phase: Phase,
    /// The colliders, the lower first.
    pub parts: [ColliderRef; 2],
    /// Whether one of them is a trigger: there is no contact force then.
    pub trigger: bool,
    /// Impulse on the second body in the step [N·s].
    pub impulse: DVec3,
    /// Mean of the contact points weighted by their forces [m].
    pub point: DVec3,
}

/// The contact of one pair, from the first of the contacts that exists, and how many of them belong to that pair.
fn touch(contacts: &[ContactState], kick: f64) -> Option<(Event, usize)> {
    let parts = contacts.first()?.parts;
    let count = contacts.iter().take_while(|c| c.parts == parts).count();
    let own = &contacts[..count];
    let trigger = own[0].feature == u32::MAX;
    let sum: f64 = own.iter().map(|c| c.force.length()).sum();
    let force: DVec3 = own.iter().map(|c| c.force).sum();
    let point = match sum > 0.0 {
        true => own.iter().map(|c| c.point * (c.force.length() / sum)).sum(),
        false => own[0].point,
    };
    Some((Event { phase: Phase::Stay, parts, trigger, impulse: force * kick, point }, count))
}

/// The pairs in contact, in order.
fn touches(mut contacts: &[ContactState], kick: f64) -> impl Iterator<Item = Event> + '_ {
    std::iter::from_fn(move || {
        let (event, count) = touch(contacts, kick)?;
        contacts = &contacts[count..];
        Some(event)
    })
    .filter(|e| e.trigger || e.impulse != DVec3::ZERO)
}

/// Compares the contacts of the last step with those of this one; `kick` converts forces into impulses.
pub(crate) fn compare(before: &[ContactState], after: &[ContactState], kick: f64, out: &mut Vec<Event>) {
    out.clear();
    let (mut old, new) = (touches(before, kick).peekable(), touches(after, kick));
    let end = |e: Event| Event { phase: Phase::End, impulse: DVec3::ZERO, ..e };
    for now in new {
        while let Some(gone) = old.next_if(|e| e.parts < now.parts) {
            out.push(end(gone));
        }
        let known = old.next_if(|e| e.parts == now.parts).is_some();
        out.push(Event { phase: if known { Phase::Stay } else { Phase::Begin }, ..now });
    }
    out.extend(old.map(end));
}

/// Adds the events of a substep to those of earlier substeps. Impulses of a pair are summed. A contact that begins and
/// ends within the step is reported as two events.
pub(crate) fn append(sum: &mut Vec<Event>, next: &[Event]) {
    for event in next {
        // the last event of the pair
        let at = sum.partition_point(|e| e.parts <= event.parts);
        let known = at.checked_sub(1).filter(|k| sum[*k].parts == event.parts);
        let Some(known) = known else {
            sum.insert(at, *event);
            continue;
        };
        let old = sum[known];
        let phase = match (old.phase, event.phase) {
            (Phase::End, Phase::Begin) => Phase::Stay,
            (Phase::Begin, Phase::End) => {
                sum.insert(at, *event);
                continue;
            }
            (Phase::Begin, _) => Phase::Begin,
            (_, phase) => phase,
        };
        let point = if event.impulse == DVec3::ZERO { old.point } else { event.point };
        sum[known] = Event { phase, point, impulse: old.impulse + event.impulse, ..*event };
    }
}

impl Configuration<'_> {
    /// Force of all contacts on a body in the last step, and their torque about its centre of mass [N, N·m].
    pub fn contact_load(&self, body: BodyId) -> Wrench {
        let center = self.state.bodies.get(body.index()).map_or(DVec3::ZERO, |b| b.position);
        let mut load = Wrench::default();
        for (contact, sign) in self.contacts_of(body) {
            load.force += sign * contact.force;
            load.torque += sign * (contact.torque + (contact.point - center).cross(contact.force));
        }
        load
    }

    /// Resultant force of the contacts between two bodies on the second in the last step [N].
    pub fn contact_force(&self, first: BodyId, second: BodyId) -> DVec3 {
        let between = |c: &&(&ContactState, f64)| c.0.parts.iter().any(|p| p.body as usize == first.index());
        let all: Vec<_> = self.contacts_of(second).collect();
        all.iter().filter(between).map(|(c, sign)| *sign * c.force).sum()
    }

    /// The contact points of a body, each with the sign of its force on the body.
    fn contacts_of(&self, body: BodyId) -> impl Iterator<Item = (&ContactState, f64)> {
        let place = body.index() as u32;
        self.state.contacts.iter().filter_map(move |c| match c.parts.map(|p| p.body) {
            [_, second] if second == place => Some((c, 1.0)),
            [first, _] if first == place => Some((c, -1.0)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_substeps_become_those_of_the_step() {
        let pair = |body: u32| [ColliderRef { body, collider: 0 }, ColliderRef { body: 9, collider: 0 }];
        let event = |phase: Phase, body: u32, impulse: f64| {
            let (parts, impulse) = (pair(body), DVec3::Z * impulse);
            Event { phase, parts, trigger: false, impulse, point: DVec3::ZERO }
        };
        let mut sum = Vec::new();
        append(
            &mut sum,
            &[event(Phase::Stay, 1, 1.0), event(Phase::Begin, 2, 1.0), event(Phase::End, 4, 0.0)],
        );
        append(
            &mut sum,
            &[event(Phase::End, 1, 0.0), event(Phase::Stay, 2, 2.0), event(Phase::Begin, 4, 3.0)],
        );
        append(
            &mut sum,
            &[event(Phase::End, 2, 0.0), event(Phase::Begin, 3, 5.0), event(Phase::Stay, 4, 4.0)],
        );
        let wanted = [
            // the impulse it had before it ended
            event(Phase::End, 1, 1.0),
            // began and ended within the step
            event(Phase::Begin, 2, 3.0),
            event(Phase::End, 2, 0.0),
            event(Phase::Begin, 3, 5.0),
            // ended and began again
            event(Phase::Stay, 4, 7.0),
        ];
        assert_eq!(sum, wanted);
    }
}
