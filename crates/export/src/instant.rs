//! Poses of bodies and cables at an instant, and instants at a constant rate.

use crate::terrain::Relief;
use glam::{DQuat, DVec3};
use std::borrow::Cow;
use std::ops::Range;

/// Origin [m] and orientation of a body's axes in the world.
pub type Pose = (DVec3, DQuat);

/// The poses of the bodies at one time.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Time [s].
    pub time: f64,
    /// A pose for each body.
    pub poses: &'a [Pose],
    /// The links of each cable; empty if all are intact and almost untwisted.
    pub ties: &'a [Ties],
    /// The grounds of soil; empty if the picture has none.
    pub reliefs: &'a [Relief],
}

impl Instant<'_> {
    /// The links of a cable; none if all are intact and almost untwisted.
    pub(crate) fn ties(&self, cord: usize) -> Cow<'_, Ties> {
        self.ties.get(cord).map_or_else(Cow::default, Cow::Borrowed)
    }
}

/// State of a cable at an instant, besides the poses of its elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ties {
    /// Its links from start to end, both ends included: none where it is broken, else the twist with counted
    /// revolutions [rad]. An empty list is an intact cable with less than 180° of twist at any link.
    pub links: Vec<Option<f64>>,
    /// Inactive elements on a drum or a pulley: half-open ranges, in order.
    pub absent: Vec<Range<usize>>,
}

/// Instants at a constant rate, read by their number.
pub trait Instants {
    /// Frames per second.
    fn rate(&self) -> f64;

    /// How many there are.
    fn count(&self) -> usize;

    /// One of them; `frame` is less than `count`. The same frame is the same instant each time.
    ///
    /// # Errors
    /// Errors of the source, for example if a recording cannot be read.
    fn at(&mut self, frame: usize) -> Result<Instant<'_>, Box<dyn std::error::Error + Send + Sync>>;
}
