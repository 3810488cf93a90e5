//! Estimates the memory of a scene before it is built.
//!
//! Measured with scenes of 50 000 bodies, 50 000 hinges and 100 000 cable elements during the build; a run takes up to
//! twice as much. Meshes and the text itself are already in memory and are not counted.

use crate::error::Problems;
use crate::text::Scene;

/// Memory per body, per joint and per cable element with its link [bytes].
const BODY: u64 = 5_000;
const JOINT: u64 = 5_000;
const ELEMENT: u64 = 8_000;

/// The contents of a scene that take memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Bodies of the text.
    pub bodies: usize,
    /// Joints of the text.
    pub joints: usize,
    /// Elements specified for its cables.
    pub elements: u64,
}

impl Size {
    /// Minimum memory for building it [bytes].
    pub fn bytes(&self) -> u64 {
        self.bodies as u64 * BODY + self.joints as u64 * JOINT + self.elements * ELEMENT
    }
}

impl Scene {
    /// The contents of the scene that take memory.
    pub fn size(&self) -> Size {
        // invalid numbers are reported when the scene is built
        let mut unheard = Problems::default();
        let given = self.cables.iter().filter_map(|cable| cable.value.elements.as_ref());
        let elements = given.filter_map(|n| unheard.number("elements", n)).map(|n| n as u64).sum();
        Size { bodies: self.bodies.len(), joints: self.joints.len(), elements }
    }
}
