//! Grounds and tools of a valid scene → what is probably not meant, with its position in the text and a remedy.

use super::clearance::{clearances, of_track, of_wheel};
use super::placement::span_of_wheel;
use crate::suggestion::digits;
use crate::text::Scene;
use glam::{DQuat, DVec2, DVec3};
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::Range;
use windlass_engine::inspect::query::QueryView;
use windlass_engine::prelude::{Anchor, World};
use windlass_soil::{BinModel, Earthworks, GroundModel, ToolModel};

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

/// Distance of the floor of a bin from the collision shapes of its body over the diameter of a particle: one that rests
/// on them counts as resting in the bin up to 0.6 radii above its floor, and the smallest have 0.8 of the mean radius.
const OFF_FLOOR: f64 = 0.24;

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
        for (number, ground) in works.grounds.iter().enumerate() {
            let is_cut = works.tools.iter().any(|tool| tool.ground == number);
            found.ground(ground, is_cut);
        }
        found.keys_without_effect();
        found.shear_under_tracks(works);
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
                let span = entry.value.position.as_ref().map_or(entry.span.clone(), |at| at.span());
                found.sunk(span, format!("bodies.{}", body.name), (ground, [low, high]));
            }
        }
        for track in &works.tracks {
            let Some(entry) = scene.tracks.iter().find(|entry| entry.name == track.name) else { continue };
            for ground in works.grounds.iter().zip(&state.grounds) {
                let Some(heights) = of_track(world, track, ground) else { continue };
                found.sunk(entry.span.clone(), format!("tracks.{}", track.name), (ground.0, heights));
            }
        }
        for wheel in &works.wheels {
            let ground = (&works.grounds[wheel.ground], &state.grounds[wheel.ground]);
            let Some(heights) = of_wheel(world, wheel, ground) else { continue };
            let span = span_of_wheel(scene, &wheel.name);
            found.sunk(span, format!("wheels.{}", wheel.name), (ground.0, heights));
        }
        if !works.bins.is_empty() {
            let view = world.view();
            works.bins.iter().for_each(|bin| found.bin((world, &view), bin, &works.grounds[bin.ground]));
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

    /// Keys of a law of compression that nothing in a run follows.
    fn keys_without_effect(&mut self) {
        let scene = self.scene;
        for entry in &scene.soils {
            let Some(compaction) = &entry.value.compaction else { continue };
            let keys = [("lambda", &compaction.lambda), ("kappa", &compaction.kappa)];
            for (name, number) in keys {
                let Some(number) = number else { continue };
                let warning = "has no effect: wheels and tracks compact soil by their sinkage, down to its \
                               `min_void_ratio`; leave it out, and give the sinkage as `wheels` of the soil";
                let key = format!("soils.{}.compaction.{name}", entry.name);
                self.add(number.span(), key, warning.to_string());
            }
        }
        for entry in &scene.grounds {
            let text = &entry.value;
            let layers = text.layers.iter().flat_map(|layers| layers.get_ref());
            let all = layers.map(|layer| &layer.preconsolidation_stress);
            for number in all.chain([&text.preconsolidation_stress]).flatten() {
                let warning = "has no effect on what presses, cuts or slips; leave it out, and give a `void_ratio` \
                               for ground that is denser than the bank, or a soil with stiffer `wheels`";
                let key = format!("grounds.{}.preconsolidation_stress", entry.name);
                self.add(number.span(), key, warning.to_string());
            }
        }
    }

    /// Laws of shear that tracks do not have.
    fn shear_under_tracks(&mut self, works: &Earthworks) {
        let scene = self.scene;
        let Some(track) = scene.tracks.first().filter(|_| !works.tracks.is_empty()) else { return };
        let soils = works.grounds.iter().flat_map(|ground| {
            let spec = ground.terrain.spec();
            spec.strata.iter().filter_map(|stratum| spec.soils.get(stratum.soil))
        });
        let mut named: Vec<&str> = Vec::new();
        for soil in soils.filter(|soil| soil.shear.is_some()) {
            if named.contains(&soil.name.as_str()) {
                continue;
            }
            named.push(&soil.name);
            let warning = format!(
                "the shear strength of \"{}\" has a peak under wheels only: tracks have 1 − e^(−j/K) of it at a \
                 displacement j, with K = {} m; give ground for tracks a soil with `shear` in its \
                 `wheels`",
                soil.name,
                digits(soil.shear_displacement)
            );
            self.add(track.span.clone(), format!("tracks.{}", track.name), warning);
        }
    }

    fn ground(&mut self, ground: &GroundModel, is_cut: bool) {
        let Some(entry) = self.scene.grounds.iter().find(|entry| entry.name == ground.name) else { return };
        let text = &entry.value;
        let key = |name: &str| format!("grounds.{}.{name}", ground.name);
        if let Some(budget) = text.particles.as_ref().filter(|_| ground.budget == 0 && is_cut) {
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

    /// Something that starts in the ground, by the heights of its lowest and its highest point above it [m].
    fn sunk(&mut self, span: Range<usize>, key: String, (ground, [low, high]): (&GroundModel, [f64; 2])) {
        if -low > SUNK.max(SUNK_PART * (high - low)) {
            let warning = format!(
                "it starts {} m deep in the ground \"{}\" and will be pushed out: raise it",
                digits(-low),
                ground.name
            );
            self.add(span, key, warning);
        }
    }

    /// A bin whose floor is not where soil comes to rest on its body.
    fn bin(&mut self, (world, view): (&World, &QueryView<'_>), bin: &BinModel, ground: &GroundModel) {
        let Some(entry) = self.scene.bins.iter().find(|entry| entry.name == bin.name) else { return };
        let frame =
            world.model().frame(world.state(), &Anchor::frame(bin.body, DVec3::ZERO, DQuat::IDENTITY));
        let down = frame.orientation * -DVec3::Z;
        // height of the collision shapes above the floor at a point of it
        let rise = |part: DVec2| {
            let from = bin.middle + (part * bin.size).extend(bin.height);
            let hits =
                view.cast_ray_all(frame.at + frame.orientation * from, down, 2.0 * bin.height, u32::MAX);
            let own = hits.into_iter().find(|hit| hit.body == bin.body)?;
            Some(bin.height - own.distance)
        };
        let places = [[0.0, 0.0], [-0.25, -0.25], [0.25, -0.25], [-0.25, 0.25], [0.25, 0.25]];
        let rises = places.into_iter().filter_map(|part| rise(DVec2::from(part)));
        let Some(nearest) = rises.min_by(|a, b| a.abs().total_cmp(&b.abs())) else {
            let warning = "no collision shape of its body is its floor: soil falls through, and none comes to rest in \
                           it; give the body one";
            self.add(entry.span.clone(), format!("bins.{}", bin.name), warning.to_string());
            return;
        };
        if nearest.abs() > OFF_FLOOR * ground.particle {
            let side = if nearest > 0.0 { "below" } else { "above" };
            let height = digits(bin.middle.z + nearest);
            let warning = format!(
                "its floor is {} m {side} the collision shapes of its body: soil that rests on them is not taken in as \
                 it should; give at = [{}, {}, {height}]",
                digits(nearest.abs()),
                digits(bin.middle.x),
                digits(bin.middle.y)
            );
            self.add(entry.span.clone(), format!("bins.{}.at", bin.name), warning);
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
