//! Keller, Stolz, Ziegler, Bräunl: *Virtual Mechanics* (AERO).

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[];
