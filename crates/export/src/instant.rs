//! Where bodies and cables are at an instant, and instants at an even rate.

use glam::{DQuat, DVec3};
use std::borrow::Cow;
use std::ops::Range;

/// Origin [m] and attitude of a body's axes in the world.
pub type Pose = (DVec3, DQuat);

/// Where the bodies are at one time.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Time [s].
    pub time: f64,
    /// A pose for each body.
    pub poses: &'a [Pose],
    /// The links of each cable; empty if all are whole and hardly twisted.
    pub ties: &'a [Ties],
}

impl Instant<'_> {
    /// The links of a cable; none if all are whole and hardly twisted.
    pub(crate) fn ties(&self, cord: usize) -> Cow<'_, Ties> {
        self.ties.get(cord).map_or_else(Cow::default, Cow::Borrowed)
    }
}

/// What a cable is at an instant beside the poses of its elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ties {
    /// Its links from start to end, both ends included: none where it is parted, else the twist with its turns counted [rad]. An
    /// empty list is a whole cable with less than half a turn of twist at any link.
    pub links: Vec<Option<f64>>,
    /// Elements that are not there, since they are on a drum or a pulley: from the first to before the second, in order.
    pub absent: Vec<Range<usize>>,
}

/// Instants at an even rate, read by their number.
pub trait Instants {
    /// Frames per second.
    fn rate(&self) -> f64;

    /// How many there are.
    fn count(&self) -> usize;

    /// One of them; `frame` is less than `count`. The same frame is the same instant each time.
    ///
    /// # Errors
    /// What the source has to say, as when a recording cannot be read.
    fn at(&mut self, frame: usize) -> Result<Instant<'_>, Box<dyn std::error::Error + Send + Sync>>;
}
