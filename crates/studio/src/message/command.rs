//! Commands of a page.

use serde::{Deserialize, Serialize};
use windlass_scene::edit::Change;

/// Commands of a page.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Play.
    Play,
    /// Pause.
    Pause,
    /// A number of steps at once; below 0 backwards.
    Step {
        /// Default: 1.
        #[serde(default = "one")]
        count: i64,
    },
    /// Back to the start of the scene.
    Reset,
    /// Speed of time.
    Speed {
        /// Simulated seconds per second.
        value: f64,
    },
    /// Sets an input.
    Input {
        /// Its name.
        name: String,
        /// The target; none releases it.
        value: Option<f64>,
    },
    /// Switches a controller or a rule on or off.
    Switch {
        /// Its name.
        name: String,
        /// Whether it is to be on.
        on: bool,
    },
    /// Opens another scene.
    Open {
        /// One of those of `hello`.
        id: String,
        /// Whether the unsaved text of the present scene is not kept as a draft; undo restores it nevertheless.
        #[serde(default)]
        discard: bool,
    },
    /// Replaces the text of the scene.
    Text {
        /// The whole text.
        toml: String,
    },
    /// Checks a text without using it. The answer is `errors` with all of them, or with none.
    Validate {
        /// The file it belongs to, one of those of `hello`; that of the scene if there is none.
        id: Option<String>,
        /// The whole text.
        toml: String,
    },
    /// Changes in the text of the scene.
    Edit {
        /// Its name in the undo list.
        label: String,
        /// In this order, all or none.
        changes: Vec<Change>,
    },
    /// Undoes the last change.
    Undo,
    /// Redoes it.
    Redo,
    /// An empty scene.
    New {
        /// As of `open`.
        #[serde(default)]
        discard: bool,
    },
    /// Opens a text as another scene.
    Load {
        /// The scene of `hello` whose text it is to become; none for a file of the client.
        id: Option<String>,
        /// The name of the file.
        name: String,
        /// The whole text.
        toml: String,
        /// Whether no file contains the text.
        #[serde(default)]
        unsaved: bool,
        /// As of `open`.
        #[serde(default)]
        discard: bool,
    },
    /// Opens a draft.
    Restore {
        /// One of `drafts` of `status`.
        id: u32,
        /// As of `open`.
        #[serde(default)]
        discard: bool,
    },
    /// Deletes a draft.
    Discard {
        /// One of `drafts` of `status`.
        id: u32,
    },
    /// Writes the text to its file.
    Save {
        /// A new file in the folder of the studio; the scene's own if none.
        name: Option<String>,
    },
    /// Shows another run beside this one.
    Compare {
        /// One of `points` of `status`; none ends it.
        id: Option<u32>,
    },
    /// Exports the moment shown, or a part of the recording, to a file.
    Export {
        /// Which kind.
        format: Format,
        /// Start [s]; default: the moment shown.
        from: Option<f64>,
        /// End [s].
        to: Option<f64>,
        /// Frames per second; default: 25.
        fps: Option<f64>,
        /// The camera; default: the scene's first.
        camera: Option<Viewpoint>,
    },
    /// Cancels an export.
    Cancel {
        /// One of `exports` of `status`.
        id: u32,
    },
    /// Attaches a drag handle to a body.
    Grab {
        /// Which handle: 0 or 1.
        #[serde(default)]
        hand: usize,
        /// Its index in `bodies` of `scene`.
        body: usize,
        /// Point in its axes [m].
        at: [f64; 3],
        /// Target in the world [m].
        to: [f64; 3],
    },
    /// Attaches a drag handle to a cable.
    Pull {
        /// Which handle.
        #[serde(default)]
        hand: usize,
        /// One of `lines` of `scene`.
        line: u32,
        /// Position along it [m].
        along: f64,
        /// Target in the world [m].
        to: [f64; 3],
    },
    /// Moves the target of a handle.
    Drag {
        /// Which handle.
        #[serde(default)]
        hand: usize,
        /// In the world [m].
        to: [f64; 3],
    },
    /// Releases a handle.
    Release {
        /// Which handle.
        #[serde(default)]
        hand: usize,
    },
    /// Recorded drag paths.
    Path(PathAction),
    /// Checks the contacts and the clearance of a body or a line; neither ends the check.
    Check {
        /// Its index in `bodies` of `scene`.
        body: Option<usize>,
        /// One of `lines` of `scene`.
        line: Option<u32>,
    },
    /// Shows a past moment.
    Seek {
        /// [s]
        time: f64,
    },
    /// Continues from the moment shown.
    Resume,
    /// Marks the moment shown.
    Mark {
        /// Its title.
        name: String,
    },
    /// Removes a sync point.
    Unmark {
        /// One of `points` of `status`.
        id: u32,
    },
    /// Shows a marked moment, or continues a branch.
    Jump {
        /// One of `points` of `status`.
        id: u32,
    },
    /// Selects the numbers to sample.
    Probe {
        /// Some of those of `names`.
        names: Vec<String>,
    },
    /// Selects the blocks behind frames (`overlay.rs`).
    Overlay(Overlays),
    /// Requests control.
    Drive,
    /// No longer requests control.
    Withdraw,
    /// Hands the controls to the client that requests them.
    HandOver,
    /// Declines the request.
    Decline,
}

/// Blocks behind frames that a client asks for; none by default.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub struct Overlays {
    /// Velocities of the bodies.
    pub motion: bool,
    /// Islands of the bodies, and which sleep.
    pub islands: bool,
    /// Curvature along the lines.
    pub bending: bool,
    /// Drive trains and tyres of vehicles.
    pub vehicles: bool,
    /// Grounds, loose soil, tools and hydraulic pressures.
    pub soil: bool,
}

/// Commands for drag paths.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum PathAction {
    /// Starts recording.
    Record,
    /// Ends recording and keeps the path.
    Stop {
        /// Its title.
        #[serde(default)]
        name: String,
    },
    /// Plays a path from the start of the scene.
    Play {
        /// One of `paths` of `status`.
        id: u32,
    },
    /// Deletes a path.
    Remove {
        /// One of `paths` of `status`.
        id: u32,
    },
    /// Requests a path as a file: `path` is the answer.
    Export {
        /// One of `paths` of `status`.
        id: u32,
    },
    /// Reads a path from a file.
    Import {
        /// The whole file.
        text: String,
    },
}

fn one() -> i64 {
    1
}

impl Command {
    /// Whether a viewer may send it.
    pub fn only_looks(&self) -> bool {
        matches!(self, Command::Probe { .. } | Command::Overlay(_) | Command::Drive | Command::Withdraw)
    }
}

/// Kinds of files.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A scene of POV-Ray, with all frames.
    Pov,
    /// An image by POV-Ray.
    Png,
    /// A film by POV-Ray and ffmpeg.
    Mp4,
    /// A drawing.
    Svg,
    /// glTF with an animation.
    Glb,
    /// A table of all quantities that can be plotted.
    Csv,
}

/// A camera in the world.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
pub struct Viewpoint {
    /// [m]
    pub position: [f64; 3],
    /// [m]
    pub target: [f64; 3],
    /// Of any length.
    pub up: [f64; 3],
    /// Vertical field of view [rad].
    pub angle: f64,
}
