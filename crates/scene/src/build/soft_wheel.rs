//! Wheels on soft ground, after vehicles: their tyres sink too.

use super::Builder;
use crate::subsystem::soft_wheel;
use crate::subsystem::soil::Earthworks;
use crate::text::Scene;

impl Builder {
    /// Gives the world the wheels of the scene that stand on its grounds.
    pub fn soft_wheels(&mut self, scene: &Scene) {
        let works = self.world.subsystem::<Earthworks>();
        let grounds = works.map(|(works, _)| works.grounds.clone()).unwrap_or_default();
        let mut wheels = Vec::new();
        for entry in &scene.wheels {
            self.enter(entry);
            let Some(body) = self.find(&entry.value.body) else { continue };
            let wheel = soft_wheel::wheel(entry, (body.id, glam::DVec3::ZERO), &grounds, &mut self.problems);
            wheels.extend(wheel);
        }
        self.problems.instance = None;
        if wheels.len() < scene.wheels.len() {
            return;
        }
        wheels.extend(soft_wheel::tires(&self.world, &grounds));
        let Some(edit) = soft_wheel::edit(&self.world, wheels) else { return };
        if let Err(error) = self.world.edit(edit) {
            let span = scene.wheels.first().map_or(0..0, |entry| entry.span.clone());
            self.problems.push(span, error.to_string(), None);
        }
    }
}
