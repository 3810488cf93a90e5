//! Servin and Lacoursière: *Rigid Body Cable for Virtual Environments*.

mod bend;
mod distribution;
mod free_swing;
pub mod particle_chain;
mod return_map;
mod rod;
mod rounds;
mod scaling;
mod slack;
mod spectrum;
mod square_cable;
mod stretch;
pub(crate) mod table_one;
mod table_two;
mod twist;

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[
    &table_one::STUDY,
    &distribution::STUDY,
    &return_map::STUDY,
    &spectrum::STUDY,
    &stretch::STUDY,
    &twist::STUDY,
    &bend::STUDY,
    &table_two::STUDY,
    &rounds::STUDY,
    &scaling::STUDY,
    &slack::STUDY,
    &free_swing::STUDY,
];
