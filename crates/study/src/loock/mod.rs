//! Loock and Schömer: *From Rigid Bodies to Deformable Cables*.

use crate::Study;

pub(crate) const STUDIES: &[&Study] = &[];
