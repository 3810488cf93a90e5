//! Queries of contacts of the last step.

use crate::body::twist::Wrench;
use crate::report::Event;
use crate::slots::BodyId;
use crate::world::World;
use glam::DVec3;

impl World {
    /// Contacts that started, persisted and ended in the last step, in order of the colliders.
    pub fn events(&self) -> &[Event] {
        &self.workspace.commit.events
    }

    /// Force of all contacts on a body in the last step, and their torque about its centre of mass [N, N·m].
    pub fn contact_load(&self, body: BodyId) -> Wrench {
        self.configuration().contact_load(body)
    }

    /// Force of the contacts between two bodies on the second in the last step [N].
    pub fn contact_force(&self, first: BodyId, second: BodyId) -> DVec3 {
        self.configuration().contact_force(first, second)
    }
}
