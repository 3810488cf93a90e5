//! Wheels on soft ground, after vehicles: their tyres sink too.

use super::Builder;
use super::soil::is_idle;
use crate::subsystem::soft_wheel;
use crate::subsystem::soil::Earthworks;
use crate::subsystem::soil::placement::judged_wheels;
use crate::text::soft_wheel::Wheel;
use crate::text::{Entry, Scene};

impl Builder {
    /// Gives the world the wheels of the scene that stand on its grounds.
    pub fn soft_wheels(&mut self, scene: &Scene) {
        let works = self.world.subsystem::<Earthworks>();
        let grounds = works.map(|(works, _)| works.grounds.clone()).unwrap_or_default();
        let mut wheels = Vec::new();
        let idle = |entry: &&Entry<Wheel>| grounds.is_empty() && is_idle(entry, &entry.value.ground);
        let mut asked = 0;
        for entry in scene.wheels.iter().filter(|entry| !idle(entry)) {
            asked += 1;
            self.enter(entry);
            let Some(body) = self.find(&entry.value.body) else { continue };
            let wheel = soft_wheel::wheel(entry, (body.id, glam::DVec3::ZERO), &grounds, &mut self.problems);
            wheels.extend(wheel);
        }
        self.problems.instance = None;
        if wheels.len() < asked {
            return;
        }
        wheels.extend(soft_wheel::tires(&self.world, &grounds));
        let Some(edit) = soft_wheel::edit(&self.world, wheels) else { return };
        if let Err(error) = self.world.edit(edit) {
            let span = scene.wheels.first().map_or(0..0, |entry| entry.span.clone());
            self.problems.push(span, error.to_string(), None);
        }
        for (span, message, help) in judged_wheels(scene, &self.world) {
            self.problems.advise(span, message, help);
        }
    }
}
