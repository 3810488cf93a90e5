//! The parent of elements.

use crate::machine::Pose;

/// The parent of an element: a link, a frame of it, and the `childclass` that applies.
#[derive(Clone, Copy)]
pub struct Parent {
    pub link: usize,
    pub frame: Pose,
    pub class: usize,
}
