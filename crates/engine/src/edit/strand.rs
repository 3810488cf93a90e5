//! Edits of strands.

use super::check::{sound, there};
use super::{Edit, EditError, gone};
use crate::model::Model;
use crate::model::state::State;
use crate::slots::BodyId;
use crate::strand::{Strand, StrandState};

impl Edit {
    pub(super) fn apply_strand(self, model: &mut Model, state: &mut State) -> Result<Edit, EditError> {
        match self {
            Edit::AddStrand(strand) => {
                check_strand(model, &strand)?;
                check_grips(model, state, &strand)?;
                strand.holds.iter().try_for_each(|h| there(model, state, h.anchor.body))?;
                let memory = StrandState::of(&strand);
                let id = model.strands.insert(*strand);
                state.strands.resize(model.strands.places(), StrandState::default());
                state.strands[id.index()] = memory;
                Ok(Edit::RemoveStrand(id))
            }
            Edit::RemoveStrand(id) => {
                let strand = model.strands.remove(id).ok_or_else(|| gone("strand", id))?;
                let memory = std::mem::take(&mut state.strands[id.index()]);
                Ok(Edit::RestoreStrand(id, Box::new((strand, memory))))
            }
            Edit::RestoreStrand(id, kept) => {
                check_strand(model, &kept.0)?;
                if !model.strands.restore(id, kept.0) {
                    return Err(EditError::Taken { id: format!("strand {id:?}") });
                }
                state.strands[id.index()] = kept.1;
                Ok(Edit::RemoveStrand(id))
            }
            Edit::ReplaceStrand(id, kept) => {
                check_strand(model, &kept.0)?;
                let slot = model.strands.get_mut(id).ok_or_else(|| gone("strand", id))?;
                let strand = std::mem::replace(slot, kept.0);
                let memory = std::mem::replace(&mut state.strands[id.index()], kept.1);
                Ok(Edit::ReplaceStrand(id, Box::new((strand, memory))))
            }
            Edit::MoveStrandTarget { strand: id, lead, target } => {
                let strand = model.strands.get_mut(id).ok_or_else(|| gone("strand", id))?;
                sound(&format!("a target of strand \"{}\"", strand.name), &target.to_array())?;
                let (name, count) = (&strand.name, strand.leads.len());
                let Some(led) = strand.leads.get_mut(lead) else {
                    let problem = format!("it has {count} leads, so there is no number {lead}");
                    return Err(EditError::Strand { name: name.clone(), problem });
                };
                let target = std::mem::replace(&mut led.target, target);
                Ok(Edit::MoveStrandTarget { strand: id, lead, target })
            }
            Edit::SetStrandLeads(id, leads) => {
                let strand = model.strands.get_mut(id).ok_or_else(|| gone("strand", id))?;
                let count = strand.points.len();
                if let Some(problem) = leads.iter().find_map(|l| l.problem(count)) {
                    return Err(EditError::Strand { name: strand.name.clone(), problem });
                }
                Ok(Edit::SetStrandLeads(id, std::mem::replace(&mut strand.leads, leads)))
            }
            _ => unreachable!("all other edits are in apply_one and apply_joint"),
        }
    }
}

fn check_strand(model: &Model, strand: &Strand) -> Result<(), EditError> {
    if let Some(problem) = strand.problem() {
        return Err(EditError::Strand { name: strand.name.clone(), problem });
    }
    for hold in &strand.holds {
        model.bodies.get(hold.anchor.body).ok_or_else(|| gone("body", hold.anchor.body))?;
        sound(&format!("a hold of strand \"{}\"", strand.name), &hold.anchor.at.to_array())?;
    }
    Ok(())
}

/// Points that are held must be where they are held, or the first step would tear at them.
fn check_grips(model: &Model, state: &State, strand: &Strand) -> Result<(), EditError> {
    for hold in &strand.holds {
        let away = model.frame(state, &hold.anchor).at.distance(strand.points[hold.point]);
        if !(away <= 1e-3 * strand.pitch()) {
            let problem = format!("point {} is {away} m from where it is held: lay it there", hold.point);
            return Err(EditError::Strand { name: strand.name.clone(), problem });
        }
    }
    Ok(())
}

/// Takes a body out of all strands: what it held is loose. Returns what puts it back.
pub(super) fn let_go(model: &mut Model, state: &mut State, body: BodyId) -> Vec<Edit> {
    let mut undo = Vec::new();
    for place in 0..model.strands.places() {
        let Some(id) = model.strands.id(place) else { continue };
        let (Some(strand), s) = (model.strands.get_mut(id), &mut state.strands[place]) else { continue };
        let pulled = s.pulls.iter().any(|p| p.body as usize == body.index());
        if !pulled && strand.holds.iter().all(|h| h.anchor.body != body) {
            continue;
        }
        undo.push(Edit::ReplaceStrand(id, Box::new((strand.clone(), s.clone()))));
        let stays: Vec<bool> = strand.holds.iter().map(|h| h.anchor.body != body).collect();
        let mut kept = stays.iter();
        strand.holds.retain(|_| *kept.next().expect("one for each hold"));
        let mut kept = stays.iter();
        s.forces.retain(|_| *kept.next().expect("one for each hold"));
        s.pulls.retain(|p| p.body as usize != body.index());
    }
    undo
}
