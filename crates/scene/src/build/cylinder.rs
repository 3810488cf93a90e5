//! `cylinder` of distance joints → hydraulic cylinders that are drawn.

use super::Builder;
use crate::drawn::Cylinder;
use crate::text::Entry;
use crate::text::joint::{CylinderLook, Joint};
use windlass_engine::prelude::{JointId, JointKind};

/// Length of a barrel relative to the distance of its points at the start.
const BARREL: f64 = 0.6;
/// Colour of a barrel.
const GREY: [f64; 3] = [0.2, 0.21, 0.23];

impl Builder {
    /// The cylinders of all entries, whose joints are in the world.
    pub(super) fn cylinders(&mut self, entries: &[Entry<Joint>], ids: &[JointId]) -> Vec<Cylinder> {
        let mut cylinders = Vec::new();
        for (entry, &joint) in entries.iter().zip(ids) {
            if let Some(look) = entry.value.distance.as_ref().and_then(|d| d.cylinder.as_ref()) {
                self.enter(entry);
                cylinders.extend(self.cylinder(look, joint));
            }
        }
        cylinders
    }

    fn cylinder(&mut self, look: &CylinderLook, joint: JointId) -> Option<Cylinder> {
        let kind = self.world.model().joints().get(joint).map(|joint| &joint.kind);
        let Some(JointKind::Distance(distance)) = kind else { return None };
        let standing = self.between(&distance.anchors).length();
        let p = &mut self.problems;
        let diameter = p.number("diameter", &look.diameter);
        let rod = p.number_given("rod", &look.rod);
        let length = p.number_or("barrel", &look.barrel, BARREL * standing);
        let color = look.color.as_ref().map_or(Some(GREY), |color| p.color("color", color));
        let (diameter, rod) = (diameter?, rod?);
        if let (Some(rod), Some(given)) = (rod, &look.rod)
            && rod >= diameter
        {
            let message = format!("a rod of {rod} m in a barrel of {diameter} m");
            self.problems.advise(given.span(), message, "give a `rod` below `diameter`");
            return None;
        }
        let rod = rod.unwrap_or(0.5 * diameter);
        Some(Cylinder { joint, barrel: 0.5 * diameter, rod: 0.5 * rod, length: length?, color: color? })
    }
}
