//! Tasora: *An Optimized Lagrangian-Multiplier Approach for Interactive Multibody Simulation*.

mod bicycle;
mod correction;
mod fig_six;
mod ride;
mod system;
mod table_one;
mod table_two;

use crate::Study;

pub(crate) const STUDIES: &[&Study] =
    &[&table_one::STUDY, &table_two::STUDY, &fig_six::STUDY, &bicycle::STUDY, &correction::STUDY];
