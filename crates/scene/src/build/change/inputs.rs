//! Inputs that a change removes, changes and adds.

use super::{Change, Refused, places};
use crate::build::Builder;
use crate::build::input::{Drives, Lever, valves};
use crate::control::Control;
use crate::text::Scene;
use windlass_engine::prelude::{Edit, JointId};

impl Change<'_> {
    /// Removes, changes and adds inputs; returns all of the new scene.
    pub(super) fn inputs(
        &mut self,
        new: &Scene,
        joints: &[JointId],
        known: &[Control],
    ) -> Result<Vec<Control>, Refused> {
        let kept = places(&new.inputs);
        for control in known.iter().filter(|c| !kept.contains_key(c.name.as_str())) {
            if let Some(id) = control.id.filter(|id| self.world.model().inputs().get(*id).is_some()) {
                self.edit(&(0..0), Edit::RemoveInput(id))?;
            }
        }
        let ids = new.joints.iter().zip(joints).map(|(entry, id)| (entry.name.as_str(), Some(*id)));
        let vehicles = valves(new);
        let drives = Drives { joints: ids.collect(), vehicles, model: self.world.model() };
        let levers = Builder::new(new).inputs(&new.inputs, &new.script, &drives);
        let mut all = Vec::new();
        // the scene has been built once, so none is missing here
        for (entry, lever) in new.inputs.iter().zip(levers) {
            let Some(Lever { input, mut control, .. }) = lever else { continue };
            let old = known.iter().find(|c| c.name == control.name).and_then(|c| c.id);
            let standing = old.and_then(|id| Some((id, self.world.model().inputs().get(id)?)));
            control.id = Some(match standing {
                Some((id, standing)) if *standing == input => id,
                Some((id, _)) => {
                    self.edit(&entry.span, Edit::SetInput(id, Box::new(input)))?;
                    id
                }
                None => match self.edit(&entry.span, Edit::AddInput(Box::new(input)))? {
                    Edit::RemoveInput(id) => id,
                    _ => unreachable!("adding an input is undone by removing it"),
                },
            });
            all.push(control);
        }
        Ok(all)
    }
}
