//! The three cables of Figure 5.
//!
//! The figure gives stiffnesses over a mass m and no length. k_L/m over the number of segments is 500 in every row, and
//! k_B/m over it 250, 62.5 and 6.25: with m the mass of the whole cable these are EA and EI of one cable in three
//! materials, cut into more or fewer segments, k_L = EA/l and k_B = EI/l. So it is read here, for a cable of 1 kg and 1
//! m.

use crate::Trouble;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_mass_point_cable::*;

/// A row of Figure 5.
#[derive(Clone, Copy, Debug)]
pub struct Printed {
    /// Its number of segments.
    pub segments: usize,
    /// k_L/m [1/s²].
    pub stretch: f64,
    /// k_D/m [1/s].
    pub damping: f64,
    /// k_B/m [m²/s²].
    pub bend: f64,
    /// Time per step on a MIPS R10000 at 150 MHz [ms].
    pub took: f64,
}

/// Figure 5. Ten rebuilds per step in each row, h = 0.01 s.
pub const PRINTED: [Printed; 3] = [
    Printed { segments: 12, stretch: 6e3, damping: 6.0, bend: 3e3, took: 3.0 },
    Printed { segments: 20, stretch: 1e4, damping: 12.0, bend: 1.25e3, took: 5.5 },
    Printed { segments: 42, stretch: 2.1e4, damping: 21.0, bend: 2.625e2, took: 17.0 },
];
/// The step of Figure 5 [s].
pub const STEP: f64 = 0.01;
/// The rebuilds of Figure 5.
pub const REBUILDS: u32 = 10;

impl Printed {
    /// EA, EI and mass of the cable so read.
    pub fn properties(&self) -> CableProperties {
        let segments = self.segments as f64;
        CableProperties {
            stretch: self.stretch / segments,
            bend: self.bend / segments,
            mass: 1.0,
            diameter: 0.01,
        }
    }

    /// The cable, clamped horizontally at its start and released, with a number of segments.
    pub fn released(
        &self,
        segments: usize,
        effort: IterationLimits,
    ) -> Result<(World, MassPointCableId), Trouble> {
        let mut world = World::default();
        world.set(|s| s.dt = STEP).map_err(Trouble::from)?;
        let ground =
            world.add_body(Body::fixed("clamp"), DVec3::ZERO, DQuat::IDENTITY).map_err(Trouble::from)?;
        // the segment in the clamp is one more
        let pitch = 1.0 / segments as f64;
        let mut cable =
            MassPointCable::along("cable", &[DVec3::X * -pitch, DVec3::X], segments + 1, self.properties())
                .held(0, Anchor::point(ground, DVec3::X * -pitch))
                .held(1, Anchor::point(ground, DVec3::ZERO));
        // the figure damps stretching alone; bends and air are ours, so that it comes to rest
        cable.damping = Damping { stretch: self.damping / self.stretch, bend: 0.05, air: 1.0 };
        cable.limits = effort;
        let id = MassPointCables::add(&mut world, cable).map_err(Trouble::from)?;
        Ok((world, id))
    }
}

/// Where its points are.
pub fn points(world: &World, cable: MassPointCableId) -> &[DVec3] {
    MassPointCables::state(world, cable).map_or(&[], |s| &s.positions)
}
