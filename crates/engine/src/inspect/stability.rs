//! Whether an integrator can follow the springs and dampers of a world.
//!
//! `spook` treats those that its step does not resolve implicitly. `projected` divides its step, and `dormand-prince`
//! shortens its own, both within limits that this tells in advance.

use crate::integrate::acceleration::AccelerationWork;
use crate::integrate::projected::{PARTS, STABLE};
use crate::integrate::stiffness::{Fastest, Stiffness};
use crate::row::RowSource;
use crate::settings::Integrator;
use crate::slots::{ForceId, JointId};
use crate::stages::Stages;
use crate::world::World;

/// A spring or damper that an integrator cannot follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooStiff {
    /// Its joint,
    pub joint: Option<JointId>,
    /// or force.
    pub force: Option<ForceId>,
    /// Whether it is a damper.
    pub is_damper: bool,
    /// Its angular frequency or decay rate on its bodies [1/s].
    pub rate: f64,
    /// The step, or shortest internal step of `dormand-prince`, that is just short enough [s].
    pub longest: f64,
}

impl World {
    /// The fastest spring or damper of joints and forces at the present state, if the integrator cannot follow it.
    pub fn too_stiff(&self) -> Option<TooStiff> {
        let settings = &self.model.settings;
        let (step, most) = match settings.integrator {
            Integrator::Spook => return None,
            Integrator::Projected => (settings.dt, STABLE * PARTS),
            Integrator::DormandPrince(rule) => (rule.min_step, STABLE),
        };
        let (mut stages, mut work) = (Stages::default(), AccelerationWork::default());
        stages.begin(&self.model, &self.state);
        let found =
            Stiffness::default().fastest((&self.model, &self.state), (step, most), &mut stages, &mut work);
        let Fastest { source, is_damper, rate } = found.filter(|found| found.rate * step > most)?;
        let (joint, force) = match source {
            RowSource::Joint(place) => (self.model.joints.id(place as usize), None),
            RowSource::Force(place) => (None, self.model.forces.id(place as usize)),
            _ => (None, None),
        };
        Some(TooStiff { joint, force, is_damper, rate, longest: most / rate })
    }
}
