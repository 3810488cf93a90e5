//! Grounds, tools and bodies of a built scene → errors that need all of them: grounds that overlap, tools finer than what
//! they cut, bodies that start under the ground.

use super::clearance::clearances;
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
            if high < 0.0 {
                let message = format!(
                    "body \"{}\" is placed under the ground \"{}\": its top is {} m below the surface",
                    entry.name,
                    ground.name,
                    digits(-high)
                );
                let span = entry.value.position.as_ref().map_or(entry.span.clone(), |at| at.span());
                let help = format!("raise it by {} m, or set collide = false", digits(-low));
                found.push((span, message, help));
            }
        }
    }
    found
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
