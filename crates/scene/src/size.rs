//! How much memory a scene will take, before it is built.
//!
//! Measured of scenes of 50 000 bodies, 50 000 hinges and 100 000 elements of a cable while they are built; a run takes up to
//! twice as much. Meshes and what the text itself takes are in memory already, and are not counted.

use crate::error::Problems;
use crate::text::Scene;

/// Memory of a body, of a joint and of an element of a cable with its link [bytes].
const BODY: u64 = 5_000;
const JOINT: u64 = 5_000;
const ELEMENT: u64 = 8_000;

/// What takes memory in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Bodies and joints of the text.
    pub bodies: usize,
    /// Joints of the text.
    pub joints: usize,
    /// Elements that its cables are said to have.
    pub elements: u64,
}

impl Size {
    /// Memory that building it takes at least [bytes].
    pub fn bytes(&self) -> u64 {
        self.bodies as u64 * BODY + self.joints as u64 * JOINT + self.elements * ELEMENT
    }
}

impl Scene {
    /// What takes memory in it.
    pub fn size(&self) -> Size {
        // what is wrong with a number is told when the scene is built
        let mut unheard = Problems::default();
        let given = self.cables.iter().filter_map(|cable| cable.value.elements.as_ref());
        let elements = given.filter_map(|n| unheard.number("elements", n)).map(|n| n as u64).sum();
        Size { bodies: self.bodies.len(), joints: self.joints.len(), elements }
    }
}
