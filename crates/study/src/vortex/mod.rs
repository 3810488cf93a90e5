//! *Theory Guide: Vortex Software's Multibody Dynamics Engine*.

mod artefacts;
mod boom;
mod cable_stiffness;
mod earthwork;
mod fluids;
mod friction_box;
mod heavy_load;
mod solver_cost;
mod steps;
mod vehicle;

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[
    &cable_stiffness::STUDY,
    &heavy_load::STUDY,
    &friction_box::STUDY,
    &artefacts::STUDY,
    &solver_cost::STUDY,
    &fluids::STUDY,
    &vehicle::STUDY,
    &earthwork::STUDY,
];
