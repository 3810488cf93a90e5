//! Messages between page and server over the WebSocket `/live`, version 2.
//!
//! ```text
//!  server → page   text    Told, tagged by `type`: hello, scene, status, sample, names, errors, saved, ghost, path, refused
//!                  binary  poses of everything (`frame.rs`)
//!  page → server   text    Command, tagged by `do`, with an optional number `req`
//! ```
//!
//! The answers refused, errors and saved repeat the number `req` of their command.
//!
//! `hello` is sent again whenever the set of clients changes, `scene` whenever the scene does; later frames are of that
//! scene.

use crate::checked::{Checked, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use windlass_scene::Control;
use windlass_scene::edit::Change;

/// Version of the protocol.
pub const VERSION: u32 = 2;
/// Longest message, the text of a scene [bytes].
pub const LONGEST_TEXT: usize = 1 << 20;

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

/// Messages of the server.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Told {
    /// The role of a client.
    Hello {
        /// [`VERSION`].
        version: u32,
        /// Its role.
        role: Role,
        /// Number of connected clients.
        clients: usize,
        /// The number of this client.
        you: u64,
        /// The client that has the controls.
        driver: Option<u64>,
        /// A viewer that requests them.
        request: Option<RequestLook>,
        /// The driver declined the request of this client, which may ask again after so many seconds.
        again: Option<f64>,
        /// The scenes that can be opened.
        scenes: Vec<Offer>,
    },
    /// The scene to draw.
    Scene(Box<Stage>),
    /// The status, about ten times per second.
    Status(Box<Status>),
    /// Sampled numbers.
    Sample {
        /// [s]
        time: f64,
        /// False while a past moment is shown.
        live: bool,
        /// By name; null for a number that does not exist now.
        values: BTreeMap<String, f64>,
    },
    /// The numbers that can be sampled.
    Names {
        /// Their names.
        probes: Vec<String>,
        /// The units that occur, in ASCII: "m/s".
        units: Vec<&'static str>,
        /// The unit of each name, as an index in `units`.
        unit: Vec<u8>,
    },
    /// A text is not a valid scene.
    Errors {
        /// All errors as lines of text.
        text: String,
        /// The errors one by one.
        problems: Vec<Trouble>,
        /// The text they are in, if it is not one that the client sent.
        source: Option<Box<Source>>,
        /// The command that is answered.
        req: Option<u32>,
    },
    /// The text was saved.
    Saved {
        /// The file, in the folder of the studio.
        file: String,
        /// The command that is answered.
        req: Option<u32>,
    },
    /// The run shown for comparison; its frames follow, with a mark of their own.
    Ghost {
        /// The sync point or branch; none when it has ended.
        id: Option<u32>,
        /// Its title.
        name: String,
        /// Its scene to draw.
        scene: Option<Box<Stage>>,
    },
    /// A drag path as a file.
    Path {
        /// One of `paths` of `status`.
        id: u32,
        /// Its title.
        name: String,
        /// The whole file.
        text: String,
    },
    /// A command was rejected.
    Refused {
        /// The reason and the remedy.
        why: String,
        /// The command that is answered, by the number that the client gave it.
        req: Option<u32>,
    },
}

impl Told {
    /// The serialized message.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("messages have string keys only")
    }

    /// A rejection.
    pub fn refused(why: impl ToString) -> Told {
        Told::Refused { why: why.to_string(), req: None }
    }

    /// The rejection of a command that only the driver may send.
    pub fn viewer_refused() -> Told {
        Told::refused("viewers cannot send this: request control with `drive` first")
    }

    /// The same as the answer to a command with this number.
    pub fn answering(mut self, number: Option<u32>) -> Told {
        if let Told::Refused { req, .. } | Told::Errors { req, .. } | Told::Saved { req, .. } = &mut self {
            *req = number;
        }
        self
    }
}

/// A viewer requests the controls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RequestLook {
    /// The viewer.
    pub client: u64,
    /// Time after which the controls pass if the driver does not answer [s].
    pub seconds: f64,
}

/// A scene file that is not valid, as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Its id, if it is one of `hello`.
    pub id: Option<String>,
    /// Its name.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// Roles of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// May do everything.
    Driver,
    /// May only watch.
    Viewer,
}

/// A scene that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it shows, in one line.
    pub about: String,
}

/// A scene to draw.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its file, as named in errors.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The contents of the text, with numbers as they are written: these can be edited here, all else comes from other
    /// files.
    pub tree: serde_json::Value,
    /// Step [s].
    pub dt: f64,
    /// [m/s²]
    pub gravity: [f64; 3],
    /// In the order of the file, which is that of frames.
    pub bodies: Vec<Figure>,
    /// Cables, ropes and rods.
    pub lines: Vec<LineLook>,
    /// In the order of the file.
    pub joints: Vec<Jointed>,
    /// The levers.
    pub inputs: Vec<Control>,
    /// At least one.
    pub cameras: Vec<Camera>,
    /// Bounding box of everything at the start, without planes.
    pub bounds: Bounds,
}

/// A body to draw.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its index in the list.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// "free", "fixed" or "driven".
    pub kind: &'static str,
    /// [kg]
    pub mass: f64,
    /// Centre of mass in its axes [m], of a dynamic body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub center: Option<[f64; 3]>,
    /// Inertia about the centre of mass in its axes, of a dynamic body: xx, yy, zz, xy, xz, yz [kg·m²].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[f64; 6]>,
    /// Its solids.
    pub shapes: Vec<Solid>,
}

/// A solid of a body.
#[derive(Clone, Debug, Serialize)]
pub struct Solid {
    /// In its own frame.
    #[serde(flatten)]
    pub form: Form,
    /// Origin of that frame in the body's axes [m].
    pub at: [f64; 3],
    /// Its orientation there: w x y z.
    pub turn: [f64; 4],
    /// Red, green and blue, 0 to 1, in sRGB.
    pub color: [f64; 3],
    /// Its material.
    pub material: Option<String>,
}

/// A form in its own frame; z is the axis of those that have one.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
#[allow(missing_docs, reason = "lengths in metres, named as in scene files")]
pub enum Form {
    Box {
        size: [f64; 3],
    },
    Sphere {
        radius: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// `length` is that of the straight part.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// Apex up, the origin at half height.
    Cone {
        radius: f64,
        length: f64,
    },
    /// z = 0, seen from above.
    Plane,
    /// x y z of the vertices, three vertices per triangle.
    Mesh {
        positions: Vec<f32>,
        triangles: Vec<u32>,
    },
}

/// A cable or rope to draw.
#[derive(Clone, Debug, Serialize)]
pub struct LineLook {
    /// What names it in frames.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// "cable", "mass-point cable", "rope", "rod" or "drawing".
    pub kind: &'static str,
    /// [m]
    pub radius: f64,
    /// Red, green and blue, 0 to 1.
    pub color: [f64; 3],
}

/// A joint.
#[derive(Clone, Debug, Serialize)]
pub struct Jointed {
    /// Its index in the list.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// Its type, as in scene files.
    pub kind: &'static str,
    /// Indices of its bodies, without elements of cables.
    pub bodies: Vec<usize>,
    /// Its position in the axes of the first of these [m].
    pub at: Option<[f64; 3]>,
    /// Its axis there, a unit vector, if it has one.
    pub axis: Option<[f64; 3]>,
}

/// A camera.
#[derive(Clone, Debug, Serialize)]
pub struct Camera {
    /// Its name.
    pub name: String,
    /// "world"; "on" a body, all values in its axes; "follow": fixed position, with the target in the body's axes.
    pub mount: &'static str,
    /// Index of the body.
    pub body: Option<usize>,
    /// [m]
    pub position: [f64; 3],
    /// [m]
    pub target: [f64; 3],
    /// Unit vector.
    pub up: [f64; 3],
    /// Vertical field of view [rad].
    pub angle: f64,
}

/// An axis-aligned box in the world [m].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "its corners")]
pub struct Bounds {
    pub low: [f64; 3],
    pub high: [f64; 3],
}

/// The status of the simulation.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Status {
    /// Whether it is playing.
    pub playing: bool,
    /// [s]
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// Requested simulated seconds per second.
    pub speed: f64,
    /// Achieved over the last second.
    pub rtf: f64,
    /// Achievable real-time factor.
    pub headroom: f64,
    /// The fault that stopped it, if any.
    pub fault: Option<Trip>,
    /// Start of the recording [s].
    pub from: f64,
    /// End of the recording [s].
    pub to: f64,
    /// Moments and branches that can be jumped to.
    pub points: Vec<Point>,
    /// Target and actual value of each lever.
    pub inputs: BTreeMap<String, [f64; 2]>,
    /// [J]
    pub energy: Energies,
    /// Wall time of the last step's stages [µs].
    pub stages: Stages,
    /// Number of contact points.
    pub contacts: usize,
    /// Islands solved.
    pub islands: usize,
    /// False while a past moment is shown.
    pub live: bool,
    /// Whether the scene is at its start, where the bodies have the poses of the text.
    pub editing: bool,
    /// The change that `undo` undoes.
    pub undo: Option<String>,
    /// The change that `redo` redoes.
    pub redo: Option<String>,
    /// Whether the text differs from its file.
    pub dirty: bool,
    /// Unsaved texts of other scenes, the newest first.
    pub drafts: Vec<DraftLook>,
    /// Why unsaved texts cannot be kept on disk.
    pub unsafe_work: Option<String>,
    /// Whether a drag path is being recorded.
    pub recording: bool,
    /// Drag paths.
    pub paths: Vec<PathLook>,
    /// The part that is checked.
    pub check: Option<Checked>,
    /// Exports, the oldest first. They are part of the status, so that slow or reconnected clients also learn of their
    /// end.
    pub exports: Vec<ExportLook>,
}

/// An unsaved text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DraftLook {
    /// Its id.
    pub id: u32,
    /// The title of its scene.
    pub title: String,
    /// The file of its scene; empty if it has none.
    pub file: String,
    /// Seconds since 1970.
    pub time: u64,
    /// Whether it is of a studio that has ended.
    pub recovered: bool,
    /// Differs for texts that do, nearly always.
    pub hash: i32,
}

/// Progress of an export.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExportLook {
    /// Its id.
    pub id: u32,
    /// Which kind.
    pub format: Format,
    /// From 0 to 1.
    pub done: f64,
    /// Its address, once it is complete.
    pub file: Option<String>,
    /// The reason for a failure.
    pub error: Option<String>,
}

/// A drag path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathLook {
    /// Its id.
    pub id: u32,
    /// Its title.
    pub name: String,
    /// The name of the dragged or checked part.
    pub part: String,
    /// Duration [s].
    pub seconds: f64,
    /// Number of moves.
    pub points: usize,
    /// The verdict of the last complete playback.
    pub verdict: Option<Verdict>,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trip {
    /// The fault and the remedy.
    pub text: String,
    /// Time of the last valid state [s].
    pub time: f64,
    /// Whether the engine panicked. Nothing is solved then until the run continues.
    #[serde(skip)]
    pub panicked: bool,
}

/// A moment or branch to jump to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Its id.
    pub id: u32,
    /// Its title.
    pub name: String,
    /// [s]
    pub time: f64,
    /// "mark", or "branch" for a continuation that was left.
    pub kind: &'static str,
    /// Whether it is not part of the run shown, but of a branch or an earlier edition of the scene.
    pub elsewhere: bool,
}

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "as the engine has them")]
pub struct Energies {
    pub kinetic: f64,
    pub potential: f64,
    pub elastic: f64,
}

/// Wall time of the stages [µs].
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "as the engine has them")]
pub struct Stages {
    pub force: f64,
    pub collide: f64,
    pub constrain: f64,
    pub partition: f64,
    pub solve: f64,
    pub integrate: f64,
}

/// An error in a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trouble {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The error.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}
