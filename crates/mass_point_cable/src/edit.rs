//! Edits of mass-point cables. Each returns the edit that undoes it.

use crate::cable::{MassPointCable, MassPointCableId};
use crate::state::MassPointState;
use crate::tether::PointTether;
use glam::DVec3;
use windlass_engine::slots::{BodyId, Slots};
use windlass_engine::subsystem::{Refusal, View};

/// A change of the mass-point cables of a world.
#[derive(Clone, Debug)]
pub enum MassPointEdit {
    /// Adds a cable at rest.
    Add(Box<MassPointCable>),
    /// Removes a cable.
    Remove(MassPointCableId),
    /// Moves the target of a tether.
    MoveTarget {
        /// The cable.
        cable: MassPointCableId,
        /// Index of the tether.
        tether: usize,
        /// New position [m].
        target: DVec3,
    },
    /// Replaces the tethers of a cable.
    SetTethers(MassPointCableId, Vec<PointTether>),
    /// Restores a removed cable.
    Restore(MassPointCableId, Box<(MassPointCable, MassPointState)>),
    /// Restores a cable and its state.
    Replace(MassPointCableId, Box<(MassPointCable, MassPointState)>),
}

/// Applies an edit to the cables and their states.
pub(crate) fn apply(
    edit: MassPointEdit,
    cables: &mut Slots<MassPointCable>,
    states: &mut Vec<MassPointState>,
    view: &View<'_>,
) -> Result<MassPointEdit, Refusal> {
    match edit {
        MassPointEdit::Add(cable) => {
            check_cable(view, &cable)?;
            check_attachments(view, &cable)?;
            let state = MassPointState::of(&cable);
            let id = cables.insert(*cable);
            states.resize(cables.places(), MassPointState::default());
            states[id.index()] = state;
            Ok(MassPointEdit::Remove(id))
        }
        MassPointEdit::Remove(id) => {
            let cable = cables.remove(id).ok_or_else(|| gone(id))?;
            let state = std::mem::take(&mut states[id.index()]);
            Ok(MassPointEdit::Restore(id, Box::new((cable, state))))
        }
        MassPointEdit::Restore(id, kept) => {
            check_cable(view, &kept.0)?;
            let name = kept.0.name.clone();
            if !cables.restore(id, kept.0) {
                let problem = "its slot is in use: undo edits in reverse order";
                return Err(refused(&name, problem.to_owned()));
            }
            states[id.index()] = kept.1;
            Ok(MassPointEdit::Remove(id))
        }
        MassPointEdit::Replace(id, kept) => {
            check_cable(view, &kept.0)?;
            let slot = cables.get_mut(id).ok_or_else(|| gone(id))?;
            let cable = std::mem::replace(slot, kept.0);
            let state = std::mem::replace(&mut states[id.index()], kept.1);
            Ok(MassPointEdit::Replace(id, Box::new((cable, state))))
        }
        MassPointEdit::MoveTarget { cable: id, tether, target } => {
            let cable = cables.get_mut(id).ok_or_else(|| gone(id))?;
            let count = cable.tethers.len();
            let Some(led) = cable.tethers.get_mut(tether) else {
                let problem = format!("it has {count} tethers: there is no tether {tether}");
                return Err(refused(&cable.name, problem));
            };
            let moved = PointTether { target, ..*led };
            if let Some(problem) = moved.problem(cable.points.len()) {
                return Err(refused(&cable.name, problem));
            }
            let target = std::mem::replace(led, moved).target;
            Ok(MassPointEdit::MoveTarget { cable: id, tether, target })
        }
        MassPointEdit::SetTethers(id, tethers) => {
            let cable = cables.get_mut(id).ok_or_else(|| gone(id))?;
            let count = cable.points.len();
            if let Some(problem) = tethers.iter().find_map(|tether| tether.problem(count)) {
                return Err(refused(&cable.name, problem));
            }
            Ok(MassPointEdit::SetTethers(id, std::mem::replace(&mut cable.tethers, tethers)))
        }
    }
}

fn refused(name: &str, problem: String) -> Refusal {
    Refusal { what: format!("cable \"{name}\""), problem }
}

fn gone(id: MassPointCableId) -> Refusal {
    let problem = "it was removed, or belongs to another world".to_owned();
    Refusal { what: format!("no such mass-point cable ({id:?})"), problem }
}

fn check_cable(view: &View<'_>, cable: &MassPointCable) -> Result<(), Refusal> {
    if let Some(problem) = cable.problem() {
        return Err(refused(&cable.name, problem));
    }
    for hold in &cable.attachments {
        if view.bodies.list.get(hold.anchor.body).is_none() {
            let problem = format!(
                "the body that point {} is attached to was removed: attach it to another",
                hold.point
            );
            return Err(refused(&cable.name, problem));
        }
        if !hold.anchor.at.abs().cmplt(DVec3::splat(1e10)).all() {
            let problem = format!("it is attached at {}: give metres below 1e10", hold.anchor.at);
            return Err(refused(&cable.name, problem));
        }
    }
    Ok(())
}

/// Attached points must coincide with their anchors, otherwise the first step would pull violently.
fn check_attachments(view: &View<'_>, cable: &MassPointCable) -> Result<(), Refusal> {
    for hold in &cable.attachments {
        if view.bodies.body(hold.anchor.body).inactive {
            let problem = format!(
                "the body that point {} is attached to is inactive at present: others represent it, listed by `World::cable_elements`",
                hold.point
            );
            return Err(refused(&cable.name, problem));
        }
        let away = view.bodies.frame(&hold.anchor).at.distance(cable.points[hold.point]);
        if !(away <= 1e-3 * cable.pitch()) {
            let problem = format!("point {} is {away} m from its anchor: place it there", hold.point);
            return Err(refused(&cable.name, problem));
        }
    }
    Ok(())
}

/// Removes a body from all cables: its attachments are released. Returns the edits that restore them.
pub(crate) fn let_go(
    body: BodyId,
    cables: &mut Slots<MassPointCable>,
    states: &mut [MassPointState],
) -> Vec<MassPointEdit> {
    let mut undo = Vec::new();
    for (place, s) in states.iter_mut().enumerate() {
        let Some(id) = cables.id(place) else { continue };
        let Some(cable) = cables.get_mut(id) else { continue };
        let pulled = s.loads.iter().any(|p| p.body as usize == body.index());
        if !pulled && cable.attachments.iter().all(|h| h.anchor.body != body) {
            continue;
        }
        undo.push(MassPointEdit::Replace(id, Box::new((cable.clone(), s.clone()))));
        let stays: Vec<bool> = cable.attachments.iter().map(|h| h.anchor.body != body).collect();
        let mut kept = stays.iter();
        cable.attachments.retain(|_| *kept.next().expect("one for each hold"));
        let mut kept = stays.iter();
        s.forces.retain(|_| *kept.next().expect("one for each hold"));
        s.loads.retain(|p| p.body as usize != body.index());
    }
    undo
}
