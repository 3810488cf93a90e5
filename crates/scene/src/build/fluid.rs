//! Fluids: the dynamic bodies with their solids, and the fluids of the scene, become the subsystem.

use super::Builder;
use super::Built;
use crate::material::Materials;
use crate::subsystem::fluids::{self, FluidBody, FluidCable, FluidSurface, FluidWarning};
use crate::text::Scene;
use crate::text::body::Path as PathText;
use crate::text::cable::CableModel;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::{Path, Shape, World};

/// Solids of a body in its axes: origin, orientation, shape.
pub type Solids = Vec<(DVec3, DQuat, Shape)>;

/// Colours of fluids with a material, by name.
pub fn colors(scene: &Scene, materials: &Materials) -> Vec<(String, [f64; 3])> {
    let color = |name: &str| materials.get(name).map(|material| material.color);
    let entries = scene.fluids.iter();
    entries
        .filter_map(|entry| Some((entry.name.clone(), color(entry.value.material.as_ref()?.get_ref())?)))
        .collect()
}

impl Built {
    /// What is probably not meant about its fluids, with remedies.
    pub fn fluid_warnings(&self) -> Vec<FluidWarning> {
        let ropes = self.ropes.iter().map(|rope| (rope.name.as_str(), &rope.ropes[..], rope.diameter));
        FluidWarning::all(&self.world, &ropes.collect::<Vec<_>>())
    }

    /// The surfaces of its liquids, from the lowest to the highest.
    pub fn surfaces(&self) -> Vec<FluidSurface> {
        self.surfaces_in(&self.world)
    }

    /// The same in a world that the scene has become.
    pub fn surfaces_in(&self, world: &World) -> Vec<FluidSurface> {
        let mut surfaces = FluidSurface::all(world);
        for surface in &mut surfaces {
            let known = self.fluid_colors.iter().find(|(name, _)| *name == surface.name);
            surface.color = known.map_or(surface.color, |(_, color)| *color);
        }
        surfaces
    }
}

impl Builder {
    /// The path of a kinematic body with its motion in waves, if it has one.
    pub fn in_waves(&mut self, path: Path, text: &PathText, mean: (DVec3, DQuat)) -> Option<Path> {
        match &text.rao {
            Some(rao) => fluids::rao::moved(path, rao, &self.waves, mean, &mut self.problems),
            None => Some(path),
        }
    }

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
        let cables = self.fluid_cables(scene);
        let parts = (bodies.as_slice(), cables.as_slice());
        let edit = fluids::plan(&scene.fluids, parts, &self.world, &self.materials, &mut self.problems);
        if let Some(edit) = edit
            && let Err(e) = self.world.edit(edit)
        {
            self.problems.push(scene.fluids[0].span.clone(), e.to_string(), None);
        }
    }

    /// The cables of rigid elements.
    fn fluid_cables<'a>(&mut self, scene: &'a Scene) -> Vec<FluidCable<'a>> {
        for entry in &scene.cables {
            let model = entry.value.model.unwrap_or_default();
            let Some(fluid) = entry.value.fluid.as_ref().filter(|_| model != CableModel::Elements) else {
                continue;
            };
            let help = "leave `fluid` out, or leave `model` out for a cable of rigid elements";
            let message = format!("fluids do not act on cable \"{}\": it has no rigid elements", entry.name);
            self.problems.advise(fluid.span(), message, help);
        }
        let model = self.world.model();
        let cables = model.cables().iter().filter(|(_, cable)| cable.hang.is_none());
        cables
            .map(|(_, cable)| {
                let entry = scene.cables.iter().find(|entry| entry.name == cable.name);
                let text = entry.and_then(|entry| entry.value.fluid.as_ref());
                let elements = fluids::cable_elements(cable);
                FluidCable { text, elements, diameter: cable.section.diameter }
            })
            .collect()
    }

    /// Without fluids their keys have no effect.
    fn refuse_fluid_keys(&mut self, scene: &Scene) {
        let bodies = scene.bodies.iter().filter_map(|entry| Some(entry.value.fluid.as_ref()?.span()));
        let cables = scene.cables.iter().filter_map(|entry| Some(entry.value.fluid.as_ref()?.span()));
        for span in bodies.chain(cables) {
            let help = "add [fluids.water] with material = \"water\" and surface = 0, or leave `fluid` out";
            self.problems.advise(span, "the scene has no fluids", help);
        }
    }
}
