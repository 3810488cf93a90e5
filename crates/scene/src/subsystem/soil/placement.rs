//! Grounds, tools and bodies of a built scene → errors that need all of them: grounds that overlap, tools finer than what
//! they cut, bodies, tracks and wheels that start under the ground.

use super::clearance::{clearances, of_track, of_wheel};
use crate::suggestion::digits;
use crate::text::Scene;
use std::ops::Range;
use windlass_engine::prelude::{BodyId, World};
use windlass_soil::{Earthworks, GroundModel};

/// Overlap of two grounds along an axis that is round-off [m].
const TOUCHING: f64 = 1e-6;

/// An error: its position, the message, the remedy.
pub(crate) type Judged = (Range<usize>, String, String);

/// The errors of the earthworks of a world, with the ids of its bodies by name.
pub(crate) fn judged(scene: &Scene, world: &World, body: impl Fn(&str) -> Option<BodyId>) -> Vec<Judged> {
    let Some((works, state)) = world.subsystem::<Earthworks>() else { return Vec::new() };
    let mut found = Vec::new();
    for (k, ground) in works.grounds.iter().enumerate() {
        let Some(entry) = scene.grounds.iter().find(|entry| entry.name == ground.name) else { continue };
        for other in works.grounds[..k].iter().filter(|other| overlap(ground, other)) {
            let span = entry.value.position.as_ref().map_or(entry.value.size.span(), |at| at.span());
            let message = format!("the grounds \"{}\" and \"{}\" overlap", other.name, ground.name);
            let help = format!("move one of them with `position`: {}", extent(other));
            found.push((span, message, help));
        }
    }
    for tool in &works.tools {
        let Some(entry) = scene.tools.iter().find(|entry| entry.name == tool.name) else { continue };
        let ground = &works.grounds[tool.ground];
        let (spacing, particle) = (ground.terrain.spacing(), ground.particle);
        let (length, height) = (tool.tool.length(), tool.tool.height);
        let span = entry.value.edge.span();
        if length < spacing {
            let message = format!(
                "the edge of tool \"{}\" is {} m long, less than a cell of ground \"{}\", {} m",
                tool.name,
                digits(length),
                ground.name,
                digits(spacing)
            );
            let help = format!("give the ground a `spacing` of at most {} m", digits(0.5 * length));
            found.push((span, message, help));
        } else if particle > length.min(height) {
            let message = format!(
                "tool \"{}\", {} m by {} m, is smaller than a particle of ground \"{}\", {} m",
                tool.name,
                digits(length),
                digits(height),
                ground.name,
                digits(particle)
            );
            let most = digits(length.min(height) / 3.0);
            found.push((span, message, format!("give the ground particle = \"{most} m\" or less")));
        }
    }
    let model = world.model();
    let grounds = || works.grounds.iter().zip(&state.grounds);
    for entry in &scene.bodies {
        let Some(id) = body(&entry.name) else { continue };
        let Some(solid) = model.bodies().get(id).filter(|body| body.is_dynamic()) else { continue };
        for (ground, state) in grounds() {
            let Some([low, high]) = clearances(world, (id, solid), (ground, state)) else { continue };
            let span = entry.value.position.as_ref().map_or(entry.span.clone(), |at| at.span());
            let buried = buried(("body", &entry.name), ground, [low, high]);
            let help = |help| format!("{help}, or set collide = false");
            found.extend(buried.map(|(message, remedy)| (span, message, help(remedy))));
        }
    }
    for track in &works.tracks {
        let Some(entry) = scene.tracks.iter().find(|entry| entry.name == track.name) else { continue };
        for (ground, state) in grounds() {
            let Some(heights) = of_track(world, track, (ground, state)) else { continue };
            let buried = buried(("track", &entry.name), ground, heights);
            found.extend(buried.map(|(message, help)| (entry.span.clone(), message, help)));
        }
    }
    found
}

/// The errors of the wheels of a world, which come after its vehicles.
pub(crate) fn judged_wheels(scene: &Scene, world: &World) -> Vec<Judged> {
    let Some((works, state)) = world.subsystem::<Earthworks>() else { return Vec::new() };
    let mut found = Vec::new();
    for wheel in &works.wheels {
        let ground = (&works.grounds[wheel.ground], &state.grounds[wheel.ground]);
        let Some(heights) = of_wheel(world, wheel, ground) else { continue };
        let buried = buried(("wheel", &wheel.name), ground.0, heights);
        let span = span_of_wheel(scene, &wheel.name);
        found.extend(buried.map(|(message, help)| (span, message, help)));
    }
    found
}

/// Position of a wheel in the text: its entry, or that of its vehicle.
pub(crate) fn span_of_wheel(scene: &Scene, name: &str) -> Range<usize> {
    let own = scene.wheels.iter().find(|entry| entry.name == name).map(|entry| &entry.span);
    let holds = |vehicle: &str| name.strip_prefix(vehicle).is_some_and(|rest| rest.starts_with('.'));
    let vehicle = || scene.vehicles.iter().find(|entry| holds(&entry.name)).map(|entry| &entry.span);
    own.or_else(vehicle).cloned().unwrap_or_default()
}

/// The message and the remedy if something is under the ground, by the heights of its lowest and its highest point above
/// it [m].
fn buried(
    (what, name): (&str, &str),
    ground: &GroundModel,
    [low, high]: [f64; 2],
) -> Option<(String, String)> {
    let message = format!(
        "{what} \"{name}\" is placed under the ground \"{}\": its top is {} m below the surface",
        ground.name,
        digits(-high)
    );
    (high < 0.0).then(|| (message, format!("raise it by {} m", digits(-low))))
}

fn overlap(a: &GroundModel, b: &GroundModel) -> bool {
    let range = |ground: &GroundModel, k: usize| {
        let spec = ground.terrain.spec();
        [spec.origin[k], spec.origin[k] + (spec.nodes[k] - 1) as f64 * spec.spacing]
    };
    (0..2).all(|k| {
        let ([low, high], [from, to]) = (range(a, k), range(b, k));
        high.min(to) - low.max(from) > TOUCHING
    })
}

fn extent(ground: &GroundModel) -> String {
    let spec = ground.terrain.spec();
    let last = |k: usize| digits(spec.origin[k] + (spec.nodes[k] - 1) as f64 * spec.spacing);
    let [x, y] = [0, 1].map(|k| format!("{} to {} m", digits(spec.origin[k]), last(k)));
    format!("\"{}\" is at x = {x} and y = {y}", ground.name)
}
