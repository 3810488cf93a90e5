//! What stays when grounds, tools and bins are replaced or lose their bodies. No quantum of a ground that stays is lost:
//! what removed tools and bins held is booked outside its border.

use super::bin::BinState;
use super::model::{Earthworks, GroundModel};
use super::presses::Presses;
use super::state::{EarthState, GroundState, ToolState};
use super::track_model::TrackModel;
use super::track_state::TrackState;
use crate::ground::quanta::Mass;
use windlass_engine::prelude::BodyId;

/// The state of new grounds, tools and bins: those of the same name on the same ground keep theirs.
pub(super) fn state(old: &Earthworks, state: &EarthState, next: &Earthworks) -> EarthState {
    let kept_as = |model: &GroundModel| {
        let same = |other: &GroundModel| other.name == model.name && other.keeps_state_of(model);
        old.grounds.iter().position(same)
    };
    let origin: Vec<Option<usize>> = next.grounds.iter().map(kept_as).collect();
    let mut grounds: Vec<GroundState> = next
        .grounds
        .iter()
        .zip(&origin)
        .map(|(model, from)| match from {
            Some(from) => {
                let mut kept = state.grounds[*from].clone();
                if old.grounds[*from].terrain.soils() != model.terrain.soils() {
                    kept.terrain.wake_all(&model.terrain);
                    kept.terrain.wake_slopes(&model.terrain);
                }
                kept
            }
            None => GroundState::at_start(model),
        })
        .collect();
    let mut took = vec![false; old.tools.len() + old.bins.len()];
    let tools = next.tools.iter().map(|tool| {
        let from = origin[tool.ground];
        let found = old.tools.iter().position(|other| other.name == tool.name && Some(other.ground) == from);
        found.map_or_else(ToolState::default, |k| {
            took[k] = true;
            state.tools[k].clone()
        })
    });
    let tools = tools.collect();
    let bins = next.bins.iter().map(|bin| {
        let from = origin[bin.ground];
        let same = |other: &_| {
            let other: &super::bin::BinModel = other;
            other.name == bin.name && Some(other.ground) == from && other.cells == bin.cells
        };
        let found = old.bins.iter().position(same);
        found.map_or_else(BinState::default, |k| {
            took[old.tools.len() + k] = true;
            state.bins[k].clone()
        })
    });
    let bins = bins.collect();
    let held = held(old, state);
    for (took, (ground, mass)) in took.into_iter().zip(held) {
        if let Some(to) = origin.iter().position(|from| *from == Some(ground)).filter(|_| !took) {
            grounds[to].outside += mass;
        }
    }
    let wheels = next.wheels.iter().map(|wheel| old.kept_wheel(wheel, state)).collect();
    let presses = origin.iter().map(|from| from.map_or_else(Presses::default, |k| state.presses[k].clone()));
    let presses = presses.collect();
    let tracks = next.tracks.iter().map(|track| {
        let known = old.tracks.iter().zip(&state.tracks).find(|(old, _)| old.name == track.name);
        let fit = known.filter(|(_, state)| state.fits(track));
        fit.map_or_else(|| TrackState::new(track), |(_, state)| state.clone())
    });
    let tracks = tracks.collect();
    EarthState { grounds, tools, wheels, presses, tracks, soil_loads: Vec::new(), bins }
}

/// Ground and mass of what tools, then bins hold.
fn held(works: &Earthworks, state: &EarthState) -> Vec<(usize, Mass)> {
    let tools = works.tools.iter().zip(&state.tools).map(|(tool, state)| (tool.ground, state.cut()));
    let bins = works.bins.iter().zip(&state.bins).map(|(bin, state)| (bin.ground, state.mass()));
    tools.chain(bins).collect()
}

/// Removes what is attached to a body.
pub(super) fn release(works: &mut Earthworks, state: &mut EarthState, body: BodyId) {
    state.soil_loads.retain(|soil_load| soil_load.body as usize != body.index());
    let bodies = works.tools.iter().map(|tool| tool.body).chain(works.bins.iter().map(|bin| bin.body));
    for (_, (ground, mass)) in bodies.zip(held(works, state)).filter(|(own, _)| *own == body) {
        state.grounds[ground].outside += mass;
    }
    let gone = works.grounds.iter().position(|ground| ground.body == body);
    let stays = |own: BodyId, ground: usize| own != body && Some(ground) != gone;
    let flags: Vec<bool> = works.tools.iter().map(|tool| stays(tool.body, tool.ground)).collect();
    keep(&mut works.tools, &flags);
    keep(&mut state.tools, &flags);
    let flags: Vec<bool> = works.bins.iter().map(|bin| stays(bin.body, bin.ground)).collect();
    keep(&mut works.bins, &flags);
    keep(&mut state.bins, &flags);
    let flags: Vec<bool> = works.wheels.iter().map(|wheel| stays(wheel.body, wheel.ground)).collect();
    keep(&mut works.wheels, &flags);
    keep(&mut state.wheels, &flags);
    state.tracks.iter_mut().for_each(|track| track.leave(body.index() as u32));
    let has_body = |track: &TrackModel| track.frame == body || track.sprocket == body;
    let flags: Vec<bool> = works.tracks.iter().map(|track| !has_body(track)).collect();
    keep(&mut works.tracks, &flags);
    keep(&mut state.tracks, &flags);
    if let Some(gone) = gone {
        works.grounds.remove(gone);
        state.grounds.remove(gone);
        state.presses.remove(gone);
        let numbers = works.tools.iter_mut().map(|tool| &mut tool.ground);
        let numbers = numbers.chain(works.bins.iter_mut().map(|bin| &mut bin.ground));
        let numbers = numbers.chain(works.wheels.iter_mut().map(|wheel| &mut wheel.ground));
        numbers.filter(|number| **number > gone).for_each(|number| *number -= 1);
    }
}

/// Removes the entries whose flag is not set.
fn keep<T>(list: &mut Vec<T>, flags: &[bool]) {
    let mut flags = flags.iter();
    list.retain(|_| flags.next() == Some(&true));
}
