//! Fluids: the dynamic bodies with their solids, and the fluids of the scene, become the subsystem.

use super::Builder;
use crate::subsystem::fluids::{self, FluidBody};
use crate::text::Scene;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::Shape;

/// Solids of a body in its axes: origin, orientation, shape.
pub type Solids = Vec<(DVec3, DQuat, Shape)>;

impl Builder {
    /// Gives the world the fluids of the scene.
    pub fn fluids(&mut self, scene: &Scene) {
        if scene.fluids.is_empty() {
            self.refuse_fluid_keys(scene);
            return;
        }
        let mut bodies = Vec::new();
        for entry in &scene.bodies {
            let Some(placed) = self.placed.get(&entry.name).copied().flatten() else { continue };
            let is_dynamic = self.world.model().bodies().get(placed.id).is_some_and(|b| b.is_dynamic());
            let text = entry.value.fluid.as_ref();
            if !is_dynamic {
                if let Some(text) = text {
                    let help = "leave `fluid` out, or set type = \"dynamic\"";
                    self.problems.advise(text.span(), "fluids act on dynamic bodies only", help);
                }
                continue;
            }
            let solids = match text.and_then(|text| text.get_ref().hull.as_ref()) {
                Some(hull) => {
                    let shape = self.form(hull, entry.span.clone()).and_then(|form| form.solid().cloned());
                    shape.into_iter().map(|shape| (DVec3::ZERO, DQuat::IDENTITY, shape)).collect()
                }
                None => self.solids.remove(&entry.name).unwrap_or_default(),
            };
            let state = &self.world.state().bodies[placed.id.index()];
            bodies.push(FluidBody {
                id: placed.id,
                name: &entry.name,
                span: entry.span.clone(),
                text,
                solids,
                center: placed.center,
                position: state.position,
                orientation: state.orientation,
            });
        }
        let gravity = self.world.model().settings().gravity;
        let edit = fluids::plan(&scene.fluids, &bodies, gravity, &self.materials, &mut self.problems);
        if let Some(edit) = edit
            && let Err(e) = self.world.edit(edit)
        {
            self.problems.push(scene.fluids[0].span.clone(), e.to_string(), None);
        }
    }

    /// Without fluids their keys have no effect.
    fn refuse_fluid_keys(&mut self, scene: &Scene) {
        for text in scene.bodies.iter().filter_map(|entry| entry.value.fluid.as_ref()) {
            let help = "add [fluids.water] with material = \"water\" and surface = 0, or leave `fluid` out";
            self.problems.advise(text.span(), "the scene has no fluids", help);
        }
    }
}
