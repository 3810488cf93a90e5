//! Grounds and tools of a valid scene → what is probably not meant, with its position in the text and a remedy.

use super::clearance::clearances;
use crate::suggestion::digits;
use crate::text::Scene;
use glam::{DQuat, DVec3};
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::Range;
use windlass_engine::prelude::{Anchor, World};
use windlass_soil::{Earthworks, GroundModel, ToolModel};

/// Cells along an edge from which on its slices cost more than they resolve.
const MOST_CELLS: f64 = 40.0;
/// Least size of a tool over the diameter of a particle at which particles still flow around it.
const PER_TOOL: f64 = 3.0;
/// Ratio of the distances between heights along x and y from which on a grid looks transposed.
const STRETCHED: f64 = 1.25;
/// Depth of a body in the ground at the start that is not meant as contact [m].
const SUNK: f64 = 0.1;
/// The same over the height of the body.
const SUNK_PART: f64 = 0.25;

/// A warning about a ground, a tool or a body in the ground.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct SoilWarning {
    /// File, line and column of the key: "site.toml:12:5".
    pub place: String,
    /// The key: "grounds.site.particles".
    pub key: String,
    /// The problem and its remedy.
    pub warning: String,
}

impl SoilWarning {
    /// The warnings about a scene and the world that was built of it.
    pub fn all(scene: &Scene, world: &World) -> Vec<SoilWarning> {
        let Some((works, state)) = world.subsystem::<Earthworks>() else { return Vec::new() };
        let mut found = Found { scene, list: Vec::new() };
        for ground in &works.grounds {
            found.ground(ground);
        }
        for tool in &works.tools {
            if let Some(ground) = works.grounds.get(tool.ground) {
                found.tool(world, tool, ground);
            }
        }
        let bodies = world.model().bodies();
        for (place, body) in bodies.iter().filter(|(_, body)| body.is_dynamic()) {
            let Some(id) = bodies.id(place) else { continue };
            let is_tool = works.tools.iter().any(|tool| tool.body == id);
            let entry = scene.bodies.iter().find(|entry| entry.name == body.name);
            let Some(entry) = entry.filter(|_| !is_tool) else { continue };
            for (ground, state) in works.grounds.iter().zip(&state.grounds) {
                let Some([low, high]) = clearances(world, (id, body), (ground, state)) else { continue };
                if -low > SUNK.max(SUNK_PART * (high - low)) {
                    let span = entry.value.position.as_ref().map_or(entry.span.clone(), |at| at.span());
                    let warning = format!(
                        "it starts {} m deep in the ground \"{}\" and will be pushed out: raise it",
                        digits(-low),
                        ground.name
                    );
                    found.add(span, format!("bodies.{}", body.name), warning);
                }
            }
        }
        found.list
    }
}

struct Found<'a> {
    scene: &'a Scene,
    list: Vec<SoilWarning>,
}

impl Found<'_> {
    fn add(&mut self, span: Range<usize>, key: String, warning: String) {
        self.list.push(SoilWarning { place: self.scene.sources.shown(&span), key, warning });
    }

    fn ground(&mut self, ground: &GroundModel) {
        let Some(entry) = self.scene.grounds.iter().find(|entry| entry.name == ground.name) else { return };
        let text = &entry.value;
        let key = |name: &str| format!("grounds.{}.{name}", ground.name);
        if let Some(budget) = text.particles.as_ref().filter(|_| ground.budget == 0) {
            let warning = "no particles: what tools cut stays in them and never returns to the ground; give at \
                           least a few hundred";
            self.add(budget.span(), key("particles"), warning.to_string());
        }
        let spec = ground.terrain.spec();
        let windlass_soil::ground::Heights::Grid { nodes, spacing, .. } = &spec.heights else { return };
        let Some(heights) = text.heights.as_ref().filter(|h| h.get_ref().expression.is_none()) else {
            return;
        };
        // how far the distances are from equal, as given and with rows and columns exchanged; a profile of two long rows is meant
        let [columns, rows] = nodes.map(|count| (count - 1) as f64);
        let stretched = |x: f64, y: f64| (x / y).max(y / x);
        let given = stretched(spacing[0], spacing[1]);
        let exchanged = stretched(spacing[0] * columns * columns, spacing[1] * rows * rows);
        if text.piles.is_none() && given > STRETCHED && exchanged < given {
            let warning = format!(
                "its {} × {} heights are {} m apart along x and {} m along y: exchange rows and columns, or correct \
                 `size`",
                nodes[0],
                nodes[1],
                digits(spacing[0]),
                digits(spacing[1])
            );
            self.add(heights.span(), key("heights"), warning);
        }
    }

    fn tool(&mut self, world: &World, tool: &ToolModel, ground: &GroundModel) {
        let Some(entry) = self.scene.tools.iter().find(|entry| entry.name == tool.name) else { return };
        let span = entry.value.edge.span();
        let key = format!("tools.{}.edge", tool.name);
        let (length, height, spacing) = (tool.tool.length(), tool.tool.height, ground.terrain.spacing());
        if length > MOST_CELLS * spacing {
            let warning = format!(
                "it is {:.0} cells long: forces of more than {MOST_CELLS:.0} slices cost much and gain nothing; give \
                 ground \"{}\" a `spacing` of {} m",
                length / spacing,
                ground.name,
                digits(length / MOST_CELLS)
            );
            self.add(span.clone(), key.clone(), warning);
        }
        let least = length.min(height);
        // the particle that the remedy names is not too large by rounding
        if PER_TOOL * ground.particle > least * (1.0 + 1e-9) {
            let warning = format!(
                "particles of {} m are large beside a tool of {} m by {} m, and do not flow into it: give ground \
                 \"{}\" particle = \"{} m\" or less",
                digits(ground.particle),
                digits(length),
                digits(height),
                ground.name,
                digits(least / PER_TOOL)
            );
            self.add(span.clone(), key.clone(), warning);
        }
        if 2.0 * spacing > height {
            let warning = format!(
                "cells of {} m do not resolve a face {} m high: give ground \"{}\" a `spacing` of at most {} m",
                digits(spacing),
                digits(height),
                ground.name,
                digits(0.5 * height)
            );
            self.add(entry.value.height.span(), format!("tools.{}.height", tool.name), warning);
        }
        let frame =
            world.model().frame(world.state(), &Anchor::frame(tool.body, DVec3::ZERO, DQuat::IDENTITY));
        let spec = ground.terrain.spec();
        let last = |k: usize| spec.origin[k] + (spec.nodes[k] - 1) as f64 * spec.spacing;
        let outside = |p: &DVec3| {
            let p = frame.at + frame.orientation * *p;
            (0..2).any(|k| p[k] < spec.origin[k] || p[k] > last(k))
        };
        if tool.tool.edge.iter().all(outside) {
            let warning = format!(
                "it starts beside its ground \"{}\", which is at x = {} to {} m and y = {} to {} m: move the body or \
                 enlarge the ground",
                ground.name,
                digits(spec.origin[0]),
                digits(last(0)),
                digits(spec.origin[1]),
                digits(last(1))
            );
            self.add(span, key, warning);
        }
    }
}
