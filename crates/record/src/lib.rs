//! Recordings: a running world is recorded to a crash-safe file, from which the world can be restored at any frame,
//! bit for bit.
//!
//! ```text
//!  World ──Recorder──▶ scene.wlr ──Recording──▶ poses, times, channels, edits, marks   to view
//!                                   └─Player──▶ World at any frame                     to resume, to verify
//! ```
//!
//! A frame has the hash of its state, and poses for viewing, rounded to a grid. A keyframe, the complete state, is
//! stored about once per second and wherever the world was edited. Everything between is simulated again and must give
//! the recorded hash. A branch continues from any frame in a file of its own. This crate does not interpret scenes or
//! edits: the header has the scene's files as bytes, edits are texts, and a [`Stage`] of the caller turns both into a
//! world.
//!
//! The format is specified to the byte in `format.rs`.

mod bytes;
mod catalogue;
mod chunk;
mod columns;
mod error;
mod events;
mod format;
mod header;
mod medium;
mod player;
mod poses;
mod recorder;
mod recording;
mod stage;

pub use error::{Damage, Error};
pub use events::{Edit, Mark};
pub use header::{Grid, Header, Names, Parent, Source, this_build};
pub use medium::Medium;
pub use player::{Difference, Player, Verdict, Verify};
pub use poses::Pose;
pub use recorder::{Pace, Recorder, Tally};
pub use recording::{Origin, Recording};
pub use stage::{BoxedError, Stage};
