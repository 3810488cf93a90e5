//! What page and server say to each other over the WebSocket `/live`, version 2.
//!
//! ```text
//!  server → page   text    Told, tagged by `type`: hello, scene, status, sample, names, errors, saved, ghost, path, refused
//!                  binary  where everything is (`frame.rs`)
//!  page → server   text    Command, tagged by `do`
//! ```
//!
//! `hello` comes again whenever the crew changes, `scene` whenever the scene does; frames that follow are of that scene.

use crate::checked::{Checked, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use windlass_scene::Control;
use windlass_scene::edit::Change;

/// Version of the protocol.
pub const VERSION: u32 = 2;

/// What a page asks for.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Time goes on.
    Play,
    /// Time stands.
    Pause,
    /// So many steps, at once; below 0 back.
    Step {
        /// One unless given.
        #[serde(default = "one")]
        count: i64,
    },
    /// Back to the start of the scene.
    Reset,
    /// How fast time goes.
    Speed {
        /// Simulated seconds per second.
        value: f64,
    },
    /// A hand on an input.
    Input {
        /// Its name.
        name: String,
        /// What is wanted; none lets go.
        value: Option<f64>,
    },
    /// Another scene.
    Open {
        /// One of those of `hello`.
        id: String,
    },
    /// The scene as it should be.
    Text {
        /// The whole text.
        toml: String,
    },
    /// Changes in the text of the scene.
    Edit {
        /// What to call it when it is undone.
        label: String,
        /// In this order, all or none.
        changes: Vec<Change>,
    },
    /// The text before the last change,
    Undo,
    /// and after it again.
    Redo,
    /// An empty scene.
    New,
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
    /// Makes a file of the moment shown, or of a part of the recording.
    Export {
        /// Which kind.
        format: Format,
        /// From when on [s]; the moment shown unless given,
        from: Option<f64>,
        /// and until when [s].
        to: Option<f64>,
        /// Frames a second; 25 unless given.
        fps: Option<f64>,
        /// Where it is seen from; the scene's first camera unless given.
        camera: Option<Viewpoint>,
    },
    /// Gives up a file on its way.
    Cancel {
        /// One of `exports` of `status`.
        id: u32,
    },
    /// Takes hold of a body.
    Grab {
        /// With which hand: 0, or 1 for the other.
        #[serde(default)]
        hand: usize,
        /// Its place in `bodies` of `scene`.
        body: usize,
        /// Where, in its axes [m].
        at: [f64; 3],
        /// Where to, in the world [m].
        to: [f64; 3],
    },
    /// Takes hold of a cable.
    Pull {
        /// With which hand.
        #[serde(default)]
        hand: usize,
        /// One of `lines` of `scene`.
        line: u32,
        /// Where, along it [m].
        along: f64,
        /// Where to, in the world [m].
        to: [f64; 3],
    },
    /// Pulls what is held somewhere else.
    Drag {
        /// By which hand.
        #[serde(default)]
        hand: usize,
        /// In the world [m].
        to: [f64; 3],
    },
    /// Lets go of what is held.
    Release {
        /// By which hand.
        #[serde(default)]
        hand: usize,
    },
    /// What the hand did, to be done again.
    Path(PathAction),
    /// Looks at the contacts and the clearance of a body or a line; of neither ends it.
    Check {
        /// Its place in `bodies` of `scene`.
        body: Option<usize>,
        /// One of `lines` of `scene`.
        line: Option<u32>,
    },
    /// Shows a past moment.
    Seek {
        /// [s]
        time: f64,
    },
    /// Goes on from the moment shown.
    Resume,
    /// Remembers the moment shown.
    Mark {
        /// What it is called.
        name: String,
    },
    /// Shows a remembered moment, or takes up a branch.
    Jump {
        /// One of `points` of `status`.
        id: u32,
    },
    /// Which numbers to sample.
    Probe {
        /// Some of those of `names`.
        names: Vec<String>,
    },
    /// Asks to drive.
    Drive,
}

/// What to do with hand paths.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum PathAction {
    /// Notes what the hand does from now on.
    Record,
    /// Keeps it.
    Stop {
        /// What it is called.
        #[serde(default)]
        name: String,
    },
    /// Does it again, from the start of the scene.
    Play {
        /// One of `paths` of `status`.
        id: u32,
    },
    /// Forgets it.
    Remove {
        /// One of `paths` of `status`.
        id: u32,
    },
    /// Asks for it as a file: `path` is the answer.
    Export {
        /// One of `paths` of `status`.
        id: u32,
    },
    /// Takes one from a file.
    Import {
        /// The whole file.
        text: String,
    },
}

fn one() -> i64 {
    1
}

impl Command {
    /// Whether a viewer may say it.
    pub fn only_looks(&self) -> bool {
        matches!(self, Command::Probe { .. } | Command::Drive)
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
    /// A table of all that can be plotted.
    Csv,
}

/// Where something is seen from, in the world.
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

/// What the server tells.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Told {
    /// Who a client is.
    Hello {
        /// [`VERSION`].
        version: u32,
        /// What it may do.
        role: Role,
        /// How many are connected.
        clients: usize,
        /// What can be opened.
        scenes: Vec<Offer>,
    },
    /// What there is to see.
    Scene(Box<Stage>),
    /// How it goes, about ten times a second.
    Status(Box<Status>),
    /// Numbers that were asked for.
    Sample {
        /// [s]
        time: f64,
        /// By name; null for one that has none now.
        values: BTreeMap<String, f64>,
    },
    /// What can be sampled.
    Names {
        /// Their names.
        probes: Vec<String>,
    },
    /// A text is no scene.
    Errors {
        /// All of it as lines of text.
        text: String,
        /// One by one.
        problems: Vec<Trouble>,
    },
    /// The text is in its file.
    Saved {
        /// Which, in the folder of the studio.
        file: String,
    },
    /// What is shown beside the run; frames of it follow, with a mark of their own.
    Ghost {
        /// The sync point or branch; none when it has ended.
        id: Option<u32>,
        /// What it is called.
        name: String,
        /// What there is to see of it.
        scene: Option<Box<Stage>>,
    },
    /// A hand path as a file.
    Path {
        /// One of `paths` of `status`.
        id: u32,
        /// What it is called.
        name: String,
        /// The whole file.
        text: String,
    },
    /// A command was not followed.
    Refused {
        /// Why, and what to do.
        why: String,
    },
}

impl Told {
    /// As it goes over the wire.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("what is told has string keys only")
    }

    /// A refusal.
    pub fn refused(why: impl ToString) -> Told {
        Told::Refused { why: why.to_string() }
    }
}

/// What a client may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Everything.
    Driver,
    /// Look.
    Viewer,
}

/// A scene that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// What names it.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What it shows, in a line.
    pub about: String,
}

/// A scene as it is seen.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// What names it.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Its file, as errors call it.
    pub file: String,
    /// Its text.
    pub text: String,
    /// What the text says, with numbers as they are written: what is in it can be edited here, all else comes from elsewhere.
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
    /// A box around everything as it starts, planes left out.
    pub bounds: Bounds,
}

/// A body as it is seen.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its place in the list.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// "free", "fixed" or "driven".
    pub kind: &'static str,
    /// [kg]
    pub mass: f64,
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
    /// Its attitude there: w x y z.
    pub turn: [f64; 4],
    /// Red, green and blue, 0 to 1, as screens have them.
    pub color: [f64; 3],
    /// What it is made of.
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
    /// x y z of the corners, three corners a triangle.
    Mesh {
        positions: Vec<f32>,
        triangles: Vec<u32>,
    },
}

/// A cable or rope as it is seen.
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
    /// Its place in the list.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// As scene files call it.
    pub kind: &'static str,
    /// Places of its bodies; elements of cables are not among them.
    pub bodies: Vec<usize>,
    /// Where it is in the axes of the first of these [m],
    pub at: Option<[f64; 3]>,
    /// and its axis there, of length one, if it has one.
    pub axis: Option<[f64; 3]>,
}

/// Where to look from.
#[derive(Clone, Debug, Serialize)]
pub struct Camera {
    /// Its name.
    pub name: String,
    /// "world"; "on" a body, everything in its axes; "follow": it stands, and its target is in the body's axes.
    pub mount: &'static str,
    /// The body's place.
    pub body: Option<usize>,
    /// [m]
    pub position: [f64; 3],
    /// [m]
    pub target: [f64; 3],
    /// Of length one.
    pub up: [f64; 3],
    /// Vertical field of view [rad].
    pub angle: f64,
}

/// A box along the world's axes [m].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "its corners")]
pub struct Bounds {
    pub low: [f64; 3],
    pub high: [f64; 3],
}

/// How it goes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Status {
    /// Whether time goes on.
    pub playing: bool,
    /// [s]
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// Simulated seconds per second, as asked for,
    pub speed: f64,
    /// and as achieved over the last second.
    pub rtf: f64,
    /// How many times faster than real time it could run.
    pub headroom: f64,
    /// Why it stands, if it does.
    pub fault: Option<Trip>,
    /// The recording begins here [s],
    pub from: f64,
    /// and ends here [s].
    pub to: f64,
    /// Moments and branches that can be jumped to.
    pub points: Vec<Point>,
    /// Wanted and actual value of each lever.
    pub inputs: BTreeMap<String, [f64; 2]>,
    /// [J]
    pub energy: Energies,
    /// Wall time of the last step's stages [µs].
    pub stages: Stages,
    /// Points of contact.
    pub contacts: usize,
    /// Islands solved.
    pub islands: usize,
    /// False while a past moment is shown.
    pub live: bool,
    /// Whether time stands at the start, where bodies are as the text says.
    pub editing: bool,
    /// What `undo` takes back,
    pub undo: Option<String>,
    /// and what `redo` makes again.
    pub redo: Option<String>,
    /// Whether the text differs from its file.
    pub dirty: bool,
    /// Whether what the hand does is noted.
    pub recording: bool,
    /// Hand paths.
    pub paths: Vec<PathLook>,
    /// The part that is looked at.
    pub check: Option<Checked>,
    /// Files that were asked for, the oldest first: a part of how it goes, so that whoever was slow or away learns of their end.
    pub exports: Vec<ExportLook>,
}

/// How a file comes along.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExportLook {
    /// What names it.
    pub id: u32,
    /// Which kind.
    pub format: Format,
    /// From 0 to 1.
    pub done: f64,
    /// Where to get it, once it is there.
    pub file: Option<String>,
    /// Why there is none.
    pub error: Option<String>,
}

/// A hand path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathLook {
    /// What names it.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// The name of what the hand leads, or of what was looked at.
    pub part: String,
    /// How long it lasts [s].
    pub seconds: f64,
    /// Moves of the hand.
    pub points: usize,
    /// How it went the last time it was played to its end.
    pub verdict: Option<Verdict>,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trip {
    /// What happened, and what to do.
    pub text: String,
    /// Time of the last good state [s].
    pub time: f64,
}

/// Something to jump to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// What names it.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// [s]
    pub time: f64,
    /// "mark", or "branch" for a future that was left.
    pub kind: &'static str,
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

/// Something wrong with a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trouble {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}
