//! Questions about strands at the present state.

use crate::cable::curve::Lie;
use crate::cable::reading::Reading;
use crate::strand::StrandId;
use crate::world::World;

impl World {
    /// What is inside a strand at each of its points, from start to end; nothing for one that is gone.
    pub fn strand_readings(&self, id: StrandId) -> Vec<Reading> {
        self.configuration().strand_readings(id)
    }

    /// A strand as it lies, with segments for elements, turned without twist; nothing for one that is gone.
    pub fn strand_lie(&self, id: StrandId) -> Option<Lie> {
        self.configuration().strand_lie(id)
    }

    /// Length of a strand as it is stretched, from where it leaves its clamps [m].
    pub fn strand_length(&self, id: StrandId) -> Option<f64> {
        self.configuration().strand_length(id)
    }
}
