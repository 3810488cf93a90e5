//! Loock and Schömer: *A Virtual Environment for Interactive Assembly Simulation*.

mod cables;
mod elastica;
mod figure_four;
mod rebuilds;
mod springs;
mod timing;

use crate::Study;

pub(crate) const STUDIES: &[&Study] =
    &[&springs::STUDY, &figure_four::STUDY, &rebuilds::STUDY, &timing::STUDY];
