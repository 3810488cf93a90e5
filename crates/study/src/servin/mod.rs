//! Servin and Lacoursière: *Rigid Body Cable for Virtual Environments*.

pub mod particle_chain;
pub(crate) mod table_one;

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[&table_one::STUDY];
