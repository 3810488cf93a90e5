//! AERO: *Virtual Mechanics: Simulation and Animation of Rigid Body Systems*.

mod can_toss;
mod cradle;
mod impacts;
mod play;
mod settling;
mod sphere_drop;
mod vehicle;

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[
    &sphere_drop::STUDY,
    &impacts::STUDY,
    &settling::STUDY,
    &cradle::STUDY,
    &can_toss::STUDY,
    &vehicle::STUDY,
];
