//! Recordings: a running world → a file that survives what happens to it → the world at any frame, exact to
//! the bit.
//!
//! ```text
//!  World ──Recorder──▶ scene.wlr ──Recording──▶ poses, times, channels, edits, marks   to watch
//!                                   └─Player──▶ World at any frame                     to go on, to verify
//! ```
//!
//! A frame has the hash of its state and poses for viewing, rounded to a grid; an exact state stands about
//! every second and wherever the world was edited. Everything between is simulated again, and must come out
//! with the recorded hash. A branch goes on from any frame in a file of its own. This crate knows neither
//! scenes nor what edits mean: the header carries the scene's files as bytes, edits are texts, and a
//! [`Stage`] of the caller's turns both into a world.
//!
//! The format is described in `format.rs` to the byte.

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
