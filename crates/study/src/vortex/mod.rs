//! *Theory Guide: Vortex Software's Multibody Dynamics Engine*.

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[];
