//! Errors of recordings, each with its remedy.

use crate::stage::BoxedError;
use std::path::PathBuf;
use thiserror::Error as ThisError;
use windlass_engine::prelude::EditError;

/// Where and why a recording cannot be read further.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("damaged at byte {offset}: {why}")]
pub struct Damage {
    /// First byte that is not usable.
    pub offset: u64,
    /// The error there.
    pub why: String,
}

/// Why a recording could not be written, read or played.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// An error of the operating system.
    #[error("{name}: {source}")]
    File {
        /// The file.
        name: String,
        /// The message of the operating system.
        source: std::io::Error,
    },
    /// The file exists.
    #[error("{} already exists: give another name, or delete it first", .0.display())]
    Exists(PathBuf),
    /// Another run is recording to it.
    #[error("{} is being recorded by another run: wait until that ends, or give another name", .0.display())]
    Busy(PathBuf),
    /// A folder, a pipe, a device.
    #[error("{0} is not a file: give the name of a recording (.wlr)")]
    NotAFile(String),
    /// The file is not a recording.
    #[error("{0} is not a Windlass recording (it does not begin with \"WLRECORD\")")]
    NotARecording(String),
    /// The file has a later format.
    #[error("{name} has recording format {version}, this build reads {known}: use a newer Windlass")]
    Newer {
        /// The file.
        name: String,
        /// Its format.
        version: u32,
        /// The format of this build.
        known: u32,
    },
    /// Damaged bytes.
    #[error("{name}: {damage}")]
    Damaged {
        /// The file.
        name: String,
        /// Where and why.
        damage: Damage,
    },
    /// A frame that was not recorded.
    #[error("step {step} is not in the recording: {held}")]
    NoSuchStep {
        /// The requested step.
        step: u64,
        /// The recorded steps.
        held: String,
    },
    /// A keyframe in the format of another version.
    #[error(
        "the state at step {step} was written by another version of Windlass, as \"{format}\" (recorded by \
         {build}, this is {this}): the recording can be watched, but restarted and verified by that version only"
    )]
    OtherState {
        /// Of the state.
        step: u64,
        /// The name of its format, with which its bytes begin.
        format: String,
        /// The build that wrote it.
        build: String,
        /// This build.
        this: String,
    },
    /// Something too large to be recorded.
    #[error("{what}: {size}, but a recording may have at most {most}")]
    Limit {
        /// What it is.
        what: String,
        /// How large.
        size: u64,
        /// How large it may be.
        most: u64,
    },
    /// A grid out of range.
    #[error("the grid of poses is {0}: give a value from 1e-8 to 1")]
    Grid(f64),
    /// A step was skipped or repeated.
    #[error("step {got} was recorded after step {last}: record every step; to go back, start a branch")]
    Order {
        /// The last one recorded.
        last: u64,
        /// The one given.
        got: u64,
    },
    /// The header declares other channels.
    #[error("{got} channel values are given for {expected} channels of the header")]
    Channels {
        /// Of the header.
        expected: usize,
        /// Given.
        got: usize,
    },
    /// A world that differs from the recorded one.
    #[error(
        "the world differs from the recording at step {step}: branch from a frame set by the player; record an edit \
         before it is made"
    )]
    NotAtFrame {
        /// The frame at which it should be.
        step: u64,
    },
    /// More edits were made while the recorder was stopped than it could keep.
    #[error(
        "edits made while recording was stopped are lost, so it cannot be resumed: start a new recording"
    )]
    EditsLost,
    /// The stage could not build its world.
    #[error("the scene of the recording cannot be built: {0}")]
    Rebuild(#[source] BoxedError),
    /// A recorded edit was rejected.
    #[error("the edit \"{key}\" recorded at step {step} was rejected: {source}")]
    Edit {
        /// When it was made.
        step: u64,
        /// Its key.
        key: String,
        /// The error of the stage.
        source: BoxedError,
    },
    /// A keyframe does not match the world.
    #[error("the state at step {step} does not match the world of the scene: {source}")]
    Unfit {
        /// Of the state.
        step: u64,
        /// The error of the engine.
        source: EditError,
    },
    /// The engine rejected a step that it had taken when recording.
    #[error("this build does not reproduce the recording: the step after {step} was rejected: {what}")]
    Fault {
        /// The last valid one.
        step: u64,
        /// The error of the engine.
        what: String,
    },
    /// The simulated world differs from the recorded one.
    #[error(
        "this build does not reproduce the recording: step {step} has hash {found:016x}, recorded \
         {recorded:016x} by {build}"
    )]
    Diverged {
        /// The first step at which it was found.
        step: u64,
        /// As recorded.
        recorded: u64,
        /// As simulated.
        found: u64,
        /// The build that recorded.
        build: String,
    },
}
