//! Controllers and rules: built after the inputs that they act on.

use super::Builder;
use crate::control::Control;
use crate::subsystem::controllers;
use crate::text::Scene;
use std::collections::BTreeMap;
use toml::Spanned;

impl Builder {
    /// Gives the world the controllers and rules of the scene. Returns the probes that they read.
    pub fn controllers(&mut self, scene: &Scene, controls: &[Control]) -> Vec<Spanned<String>> {
        // an input that is wrong has been reported
        let id =
            |name: &str| controls.iter().find(|control| control.name == name).and_then(|control| control.id);
        let inputs: BTreeMap<_, _> =
            scene.inputs.iter().map(|entry| (entry.name.as_str(), id(&entry.name))).collect();
        self.problems.instance = None;
        let dt = self.world.model().settings().dt;
        let Some(planned) = controllers::plan::plan(scene, &inputs, dt, &mut self.problems) else {
            return Vec::new();
        };
        if let Err(e) = self.world.edit(controllers::edit(planned.controllers)) {
            self.problems.push(0..0, e.to_string(), None);
        }
        planned.probes
    }
}
