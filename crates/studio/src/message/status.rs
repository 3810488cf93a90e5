//! The status of the simulation.

use super::command::Format;
use crate::checked::{Checked, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use windlass_scene::LogicItem;

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
    /// Controllers and rules, in the order of their names.
    pub logic: Vec<LogicLook>,
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

/// A controller or a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogicLook {
    /// Its name.
    pub name: String,
    /// "pid", "filter", "table", "expression", "state machine" or "rule".
    pub kind: &'static str,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Whether it runs; of a rule whether it is active.
    pub active: bool,
    /// Its value; of a rule 1 while it is active.
    pub value: f64,
    /// The state of a state machine.
    pub state: Option<String>,
    /// The message of a rule.
    pub message: Option<String>,
    /// Activations of a rule.
    pub count: u64,
    /// Time of its last activation [s].
    pub last: Option<f64>,
}

impl From<LogicItem> for LogicLook {
    fn from(item: LogicItem) -> LogicLook {
        let LogicItem { name, kind, enabled, active, value, state, message, activations } = item;
        let (count, [_, last]) = activations;
        let last = (count > 0).then_some(last);
        LogicLook { name, kind, enabled, active, value, state, message, count, last }
    }
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
