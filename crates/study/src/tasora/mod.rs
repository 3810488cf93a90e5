//! Tasora: *An Optimized Lagrangian-Multiplier Approach for Interactive Multibody Simulation*.

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[];
