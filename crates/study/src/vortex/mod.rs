//! *Theory Guide: Vortex Software's Multibody Dynamics Engine*.

mod artefacts;
mod boom;
mod cable_stiffness;
mod fluids;
mod friction_box;
mod heavy_load;
mod solver_cost;

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[
    &cable_stiffness::STUDY,
    &heavy_load::STUDY,
    &friction_box::STUDY,
    &artefacts::STUDY,
    &solver_cost::STUDY,
    &fluids::STUDY,
];
