//! Grounds and tools: their bodies, and the subsystem.

use super::Builder;
use super::form::Form;
use crate::subsystem::bin;
use crate::subsystem::soil::{self, Earthworks, Extent, GroundPlan, Soils, edits, placement};
use crate::text::body::Body;
use crate::text::{Entry, Scene};
use glam::{DQuat, DVec3};
use toml::Spanned;
use windlass_engine::prelude::Collider;

/// Whether a tool, a bin or a wheel belongs to an instance and does not name its ground: it does nothing in a scene
/// without grounds, where machines work on hard floors.
pub(super) fn is_idle<T>(entry: &Entry<T>, ground: &Option<Spanned<String>>) -> bool {
    !entry.group.name.is_empty() && ground.as_ref().is_none_or(|name| name.get_ref().is_empty())
}

impl Builder {
    /// The extents of grounds, by name: their bodies have colliders.
    pub fn extents(&mut self, scene: &Scene) {
        for entry in &scene.grounds {
            self.enter(entry);
            if let Some(extent) = Extent::read(&entry.value, &mut self.problems) {
                self.extents.insert(entry.name.clone(), extent);
            }
        }
    }

    /// The collider of a body that is a ground.
    pub fn ground_collider(&mut self, entry: &Entry<Body>) -> Vec<Collider> {
        let Some(extent) = self.extents.get(&entry.name) else { return Vec::new() };
        let form = Form::of(extent.geometry());
        self.collider(&form, DVec3::ZERO, DQuat::IDENTITY, entry.value.skin()).unwrap_or_default()
    }

    /// Gives the world the grounds and tools of the scene.
    pub fn earthworks(&mut self, scene: &Scene) {
        let hard = scene.grounds.is_empty();
        let is_empty = hard
            && scene.tools.iter().all(|tool| is_idle(tool, &tool.value.ground))
            && scene.bins.iter().all(|bin| is_idle(bin, &bin.value.ground))
            && scene.tracks.is_empty();
        if is_empty {
            return;
        }
        let gravity = self.world.model().settings().gravity;
        let is_down = gravity.z < 0.0 && gravity.truncate() == glam::DVec2::ZERO;
        if !(scene.grounds.is_empty() || is_down) {
            let help = "set gravity = [0, 0, -9.81]";
            self.problems.advise(soil::span(&scene.grounds), "grounds need gravity along −z", help);
            return;
        }
        let soils = Soils(&scene.soils);
        let mut grounds = Vec::new();
        for entry in &scene.grounds {
            self.enter(entry);
            let extent = self.extents.get(&entry.name).copied();
            let placed = self.placed.get(&entry.name).copied().flatten();
            let heights = extent.and_then(|extent| self.heights(entry, &extent));
            let (Some(extent), Some(placed), Some((heights, flat))) = (extent, placed, heights) else {
                continue;
            };
            let plan = GroundPlan { entry, extent, heights, flat, body: placed.id, gravity: -gravity.z };
            grounds.extend(soil::ground(plan, &soils, &mut self.problems));
        }
        if grounds.len() < scene.grounds.len() {
            return;
        }
        let mut tools = Vec::new();
        for entry in scene.tools.iter().filter(|tool| !(hard && is_idle(tool, &tool.value.ground))) {
            self.enter(entry);
            if let Some(body) = self.find(&entry.value.body) {
                tools.extend(soil::tool(entry, body.id, &grounds, &mut self.problems));
            }
        }
        let mut shapings = Vec::new();
        for (number, model) in grounds.iter().enumerate() {
            let Some(entry) = scene.grounds.iter().find(|entry| entry.name == model.name) else { continue };
            let all = edits::shapings(entry, model, &mut self.problems).unwrap_or_default();
            shapings.extend(all.into_iter().map(|(span, shaping)| (span, edits::edit(number, shaping))));
        }
        let mut bins = Vec::new();
        for entry in scene.bins.iter().filter(|bin| !(hard && is_idle(bin, &bin.value.ground))) {
            self.enter(entry);
            if let Some(body) = self.find(&entry.value.body) {
                bins.extend(bin::bin(entry, body.id, &grounds, &mut self.problems));
            }
        }
        let Some(tracks) = self.tracks(scene) else { return };
        let works = Earthworks { grounds, tools, bins, tracks, ..Earthworks::default() };
        if let Err(e) = self.world.edit(soil::edit(works)) {
            self.problems.push(soil::span(&scene.grounds), e.to_string(), None);
        }
        for (span, edit) in shapings {
            if let Err(e) = self.world.edit(edit) {
                self.problems.push(span, e.to_string(), None);
            }
        }
        let body = |name: &str| self.placed.get(name).copied().flatten().map(|placed| placed.id);
        for (span, message, help) in placement::judged(scene, &self.world, body) {
            self.problems.advise(span, message, help);
        }
    }
}
