//! Readable quantities of grounds, tools, bins, wheels and tracks.

use super::bin::{BinModel, BinState};
use super::cut_soil;
use super::model::{Earthworks, GroundModel};
use super::state::{EarthState, GroundState, ToolState};
use super::track_state::TrackState;
use super::wheel_state::WheelState;
use crate::ground::quanta::Mass;
use windlass_engine::prelude::Quantity;

type Named = (&'static str, &'static str, &'static str);
/// Takes a quantity and its value, which is computed where it is asked for.
type Each<'a> = dyn FnMut(Named, &dyn Fn() -> f64) + 'a;
/// The same of an item: its section and its name.
type EachOfItem<'a> = dyn FnMut([&str; 2], Named, &dyn Fn() -> f64) + 'a;

/// Calls with each quantity and its value, in a fixed order; values only with a state.
fn visit(works: &Earthworks, state: Option<&EarthState>, each: &mut EachOfItem<'_>) {
    for (k, ground) in works.grounds.iter().enumerate() {
        let own = state.and_then(|state| state.grounds.get(k));
        let held = || state.map_or(Mass::ZERO, |state| held(works, state, k));
        ground_values((ground, own), &held, &mut |named, value| {
            each(["grounds", &ground.name], named, value)
        });
    }
    for (k, tool) in works.tools.iter().enumerate() {
        let tool_state = state.and_then(|state| state.tools.get(k));
        let load = || state.map_or(0.0, |state| state.carried(tool.body));
        let ground = &works.grounds[tool.ground];
        let fill = || tool_state.map_or(f64::NAN, |state| cut_soil::fill((tool, ground), state));
        tool_values(tool_state, [&load, &fill], &mut |named, value| {
            each(["tools", &tool.name], named, value)
        });
    }
    for (k, bin) in works.bins.iter().enumerate() {
        let ground = &works.grounds[bin.ground];
        let state = state.and_then(|state| state.bins.get(k));
        bin_values((bin, ground), state, &mut |named, value| each(["bins", &bin.name], named, value));
    }
    for (k, wheel) in works.wheels.iter().enumerate() {
        let state = state.and_then(|state| state.wheels.get(k));
        wheel_values(state, &mut |named, value| each(["wheels", &wheel.name], named, value));
    }
    for (k, track) in works.tracks.iter().enumerate() {
        let state = state.and_then(|state| state.tracks.get(k));
        track_values(state, &mut |named, value| each(["tracks", &track.name], named, value));
    }
}

/// What tools and bins hold of the soil of a ground, dry.
fn held(works: &Earthworks, state: &EarthState, ground: usize) -> Mass {
    let tools = works.tools.iter().zip(&state.tools).filter(|(tool, _)| tool.ground == ground);
    let bins = works.bins.iter().zip(&state.bins).filter(|(bin, _)| bin.ground == ground);
    tools.map(|(_, state)| state.cut()).chain(bins.map(|(_, state)| state.mass())).sum()
}

fn wheel_values(state: Option<&WheelState>, each: &mut Each<'_>) {
    let mut put = |named: Named, value: &dyn Fn(&WheelState) -> f64| {
        each(named, &|| state.map_or(f64::NAN, value));
    };
    put(("sinkage", "m", "depth of its lowest point below the surface before any wheel came"), &|s| {
        s.sinkage
    });
    put(("slip", "", "slip: 1 − v/rω while driving, rω/v − 1 while braking"), &|s| s.slip);
    put(("load", "N", "force of soft ground away from it"), &|s| s.load);
    let pull = "force of soft ground in the direction of travel: thrust less resistance";
    put(("drawbar_pull", "N", pull), &|s| s.drawbar);
    put(("rolling_resistance", "N", "resistance of the pressure of soft ground"), &|s| s.resistance);
    put(("side_force", "N", "force of soft ground along its axle, to the left"), &|s| s.side);
    put(("torque", "N*m", "torque of soft ground against its drive"), &|s| s.torque);
}

/// Quantities of a crawler track.
fn track_values(state: Option<&TrackState>, each: &mut Each<'_>) {
    let mut put = |named: Named, value: &dyn Fn(&TrackState) -> f64| {
        each(named, &|| state.map_or(f64::NAN, value));
    };
    put(("speed", "m/s", "speed of the belt over its frame"), &|s| s.reading.speed);
    let slip = "speed of the belt less that over the ground, over the larger of both";
    put(("slip", "", slip), &|s| s.reading.slip);
    let thrust = "force of the ground on the belt ahead, from shear and friction";
    put(("thrust", "N", thrust), &|s| s.reading.thrust);
    put(("load", "N", "force of the ground on the belt upwards"), &|s| s.reading.load);
    let sinkage = "greatest sinkage of the belt below the surface before it was pressed";
    put(("sinkage", "m", sinkage), &|s| s.reading.sinkage);
    let resistance = "force of the pressure of the ground against the direction ahead";
    put(("resistance", "N", resistance), &|s| s.reading.resistance);
}

fn ground_values(
    (model, state): (&GroundModel, Option<&GroundState>),
    held: &dyn Fn() -> Mass,
    each: &mut Each<'_>,
) {
    let terrain = &model.terrain;
    let mut put = |named: Named, value: &dyn Fn(&GroundState) -> f64| {
        each(named, &|| state.map_or(f64::NAN, value));
    };
    let mass = "dry mass of the ground, of its loose soil, and of what its tools and bins hold";
    put(("mass", "kg", mass), &|s| (s.terrain.mass(terrain) + s.particles.mass() + held()).kilograms());
    let cut = "volume below the surface of the start that is gone";
    put(("cut", "m^3", cut), &|s| s.terrain.volumes(terrain).cut);
    put(("fill", "m^3", "volume above the surface of the start"), &|s| s.terrain.volumes(terrain).fill);
    put(("particles", "", "number of particles of loose soil"), &|s| s.particles.len() as f64);
    put(("loose", "kg", "mass of the particles, with their water"), &|s| {
        s.particles.iter().map(|p| model.moist(p.mass, p.soil as u8)).sum()
    });
    let outside = "dry mass that fell past the border, or was held by a tool or bin that was removed";
    put(("outside", "kg", outside), &|s| s.outside.kilograms());
    let edited = "dry mass that edits have added, less what they have taken away";
    put(("edited_mass", "kg", edited), &|s| s.terrain.account.edited.kilograms());
}

fn bin_values((model, ground): (&BinModel, &GroundModel), state: Option<&BinState>, each: &mut Each<'_>) {
    let soils = ground.terrain.soils();
    let mut put = |named: Named, value: &dyn Fn(&BinState) -> f64| {
        each(named, &|| state.map_or(f64::NAN, value));
    };
    let moist = |(k, mass): (usize, &Mass)| ground.moist(*mass, (k % soils.len()) as u8);
    put(("mass", "kg", "mass of the soil at rest in it, with its water"), &|s| {
        s.cells.iter().enumerate().map(moist).sum::<f64>() + s.over.iter().enumerate().map(moist).sum::<f64>()
    });
    put(("volume", "m^3", "volume of the soil at rest in it"), &|s| model.volume(s, soils));
    let fill = "the same over its volume up to the lowest rim; an open side counts as high as its walls";
    put(("fill", "", fill), &|s| model.volume(s, soils) / model.capacity());
}

fn tool_values(state: Option<&ToolState>, [load, fill]: [&dyn Fn() -> f64; 2], each: &mut Each<'_>) {
    let mut put = |named: Named, value: &dyn Fn(&ToolState) -> f64| {
        each(named, &|| state.map_or(f64::NAN, value));
    };
    let draft = "horizontal force that cutting needs, against the direction of cutting";
    put(("draft", "N", draft), &|s| -s.force.dot(s.forward));
    put(("vertical_force", "N", "force of the ground on the tool, positive downwards"), &|s| -s.force.z);
    put(("depth", "m", "greatest depth of the edge below the surface"), &|s| s.depth);
    let mass = "mass of the loose soil that its body carries; of soil that also leans on ground, what weighs on the body";
    put(("load", "kg", mass), &|_| load());
    let filled =
        "volume of the soil in it over that between its face and its end plates; 0 without end plates";
    put(("fill", "", filled), &|_| fill());
}

/// All quantities. An item is named with its section, `tools.bucket`: a tool and a bin may have the same name.
pub(super) fn quantities(works: &Earthworks) -> Vec<Quantity> {
    let mut all = Vec::new();
    visit(works, None, &mut |item, (name, unit, doc), _| {
        all.push(Quantity { item: item.join("."), name, unit, doc });
    });
    all
}

/// The value of a quantity.
pub(super) fn read(works: &Earthworks, state: &EarthState, number: usize) -> f64 {
    let (mut left, mut found) = (number, f64::NAN);
    visit(works, Some(state), &mut |_, _, value| {
        if left == 0 {
            found = value();
        }
        left = left.wrapping_sub(1);
    });
    found
}
