//! What can go wrong with a recording, each with its remedy.

use crate::stage::BoxedError;
use std::path::PathBuf;
use thiserror::Error as ThisError;
use windlass_engine::prelude::EditError;

/// Where and why a recording cannot be read on.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("damaged at byte {offset}: {why}")]
pub struct Damage {
    /// First byte that is not usable.
    pub offset: u64,
    /// What is wrong there.
    pub why: String,
}

/// Why a recording could not be written, read or played.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The system refused.
    #[error("{name}: {source}")]
    File {
        /// The file.
        name: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The name is taken.
    #[error("{} exists already: give another name, or replace it on purpose", .0.display())]
    Exists(PathBuf),
    /// Somebody else records to it.
    #[error("{} is being recorded by another run: wait until that ends, or give another name", .0.display())]
    Busy(PathBuf),
    /// A folder, a pipe, a device.
    #[error("{0} is not a file: give the name of a recording (.wlr)")]
    NotAFile(String),
    /// The file is not one of ours.
    #[error("{0} is not a Windlass recording (it does not begin with \"WLRECORD\")")]
    NotARecording(String),
    /// The file is of a later format.
    #[error("{name} has recording format {version}, this build reads {known}: use a newer Windlass")]
    Newer {
        /// The file.
        name: String,
        /// Its format.
        version: u32,
        /// Ours.
        known: u32,
    },
    /// Bytes are not what was written.
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
        /// Asked for.
        step: u64,
        /// What there is.
        held: String,
    },
    /// Key states in the format of another version.
    #[error(
        "the state at step {step} was written by another version of Windlass, as \"{format}\" (recorded by \
         {build}, this is {this}): the recording can be watched, but restarted and verified by that version only"
    )]
    OtherState {
        /// Of the state.
        step: u64,
        /// What its bytes begin with: the name of their format.
        format: String,
        /// Who wrote it.
        build: String,
        /// Who reads it.
        this: String,
    },
    /// Something too large to be recorded.
    #[error("{what}: {size}, but a recording takes at most {most}")]
    Limit {
        /// What it is.
        what: String,
        /// How large.
        size: u64,
        /// How large it may be.
        most: u64,
    },
    /// A grid that is of no use.
    #[error("the grid of poses is {0}: give 1e-8 to 1")]
    Grid(f64),
    /// A step was left out or taken back.
    #[error(
        "the recorder was shown step {got} after step {last}: show it every step; to go back, start a branch"
    )]
    Order {
        /// The last one recorded.
        last: u64,
        /// The one shown.
        got: u64,
    },
    /// The header announces other channels.
    #[error("{got} channel values for {expected} channels of the header")]
    Channels {
        /// Of the header.
        expected: usize,
        /// Given.
        got: usize,
    },
    /// A world that is not as it was recorded.
    #[error(
        "the world is not as recorded at step {step}: branch from a frame the player went to; record an edit \
         before it is made"
    )]
    NotAtFrame {
        /// The frame it should be at.
        step: u64,
    },
    /// While the recorder was stopped more was edited than it could keep.
    #[error("edits made while recording was stopped are lost, the recording cannot go on: start a new one")]
    EditsLost,
    /// The stage could not build its world.
    #[error("the scene of the recording cannot be built: {0}")]
    Rebuild(#[source] BoxedError),
    /// A recorded edit was refused.
    #[error("the edit \"{key}\" recorded at step {step} was refused: {source}")]
    Edit {
        /// When it was made.
        step: u64,
        /// Its key.
        key: String,
        /// What the stage said.
        source: BoxedError,
    },
    /// A key state does not fit the world.
    #[error("the state at step {step} does not fit the world of the scene: {source}")]
    Unfit {
        /// Of the state.
        step: u64,
        /// What the engine said.
        source: EditError,
    },
    /// The engine refused a step it took when recording.
    #[error("this build does not repeat the recording: the step after {step} was refused: {what}")]
    Fault {
        /// The last good one.
        step: u64,
        /// What the engine said.
        what: String,
    },
    /// The world did not go the recorded way.
    #[error(
        "this build does not repeat the recording: step {step} has hash {found:016x}, recorded \
         {recorded:016x} by {build}"
    )]
    Diverged {
        /// Where it was noticed.
        step: u64,
        /// As recorded.
        recorded: u64,
        /// As simulated.
        found: u64,
        /// Who recorded.
        build: String,
    },
}
