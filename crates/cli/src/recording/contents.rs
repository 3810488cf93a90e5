//! Contents of a recording, for `windlass info`.

use super::failed;
use crate::outcome::Outcome;
use crate::show;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use windlass_host::text::{count, digits};
use windlass_record::{Error, Recording};

/// Contents of a recording.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Contents {
    /// Path of the recording.
    recording: String,
    /// Version of the program that wrote it.
    build: String,
    /// Name of its scene.
    scene: Option<String>,
    /// Key and value of each override.
    overrides: Vec<(String, String)>,
    /// First and last step.
    steps: Option<(u64, u64)>,
    /// First and last time [s].
    time: Option<(f64, f64)>,
    /// Step [s].
    dt: f64,
    /// Number of bodies.
    bodies: usize,
    /// Number of joints.
    joints: usize,
    /// Number of keyframes, from which it can be restarted.
    keyframes: usize,
    /// Step, key, value.
    edits: Vec<(u64, String, String)>,
    /// How often each input was changed.
    input_changes: BTreeMap<String, usize>,
    /// Step and text of each mark.
    marks: Vec<(u64, String)>,
    /// File and step of the recording this is a branch of.
    parent: Option<(String, u64)>,
    /// Whether it is complete.
    finished: bool,
    /// The first damage; frames before it are usable.
    damage: Option<String>,
    /// Whether the damage is inside the file, not at its end.
    damage_inside: bool,
    /// Size of the file [bytes].
    bytes: u64,
}

/// Prints the contents of a recording.
pub fn print(file: &Path, json: bool) -> Outcome {
    read(file, json).unwrap_or_else(|e| failed(&e))
}

/// Reads every byte: opening by the index would miss later damage.
fn read(file: &Path, json: bool) -> Result<Outcome, Error> {
    let mut recording = Recording::open(file)?;
    // an incomplete file was already read from the front, and may still be growing
    let inside = if recording.is_finished() { recording.check()? } else { None };
    let steps = recording.steps();
    let time = match &steps {
        // a first or last frame in a damaged block has no time; the damage is reported below
        Some(steps) => match (recording.time(*steps.start()), recording.time(*steps.end())) {
            (Ok(first), Ok(last)) => Some((first, last)),
            (Err(Error::Damaged { .. }), _) | (_, Err(Error::Damaged { .. })) => None,
            (Err(e), _) | (_, Err(e)) => return Err(e),
        },
        None => None,
    };
    let mut input_changes = BTreeMap::new();
    for input in recording.edits().iter().filter_map(|e| e.command()) {
        *input_changes.entry(input.to_string()).or_default() += 1;
    }
    let edits = recording.edits().iter().filter(|e| !e.is_command());
    let header = recording.header();
    let contents = Contents {
        recording: file.display().to_string(),
        build: header.build.clone(),
        scene: header.sources.first().map(|s| s.name.clone()),
        overrides: header.overrides.clone(),
        steps: steps.map(|s| (*s.start(), *s.end())),
        time,
        dt: header.dt,
        bodies: header.names.bodies.len(),
        joints: header.names.joints.len(),
        keyframes: recording.keys().len(),
        edits: edits.map(|e| (e.step, e.key.clone(), e.value.clone())).collect(),
        input_changes,
        marks: recording.marks().iter().map(|m| (m.step, m.name.clone())).collect(),
        parent: header.parent.as_ref().map(|p| (p.file.clone(), p.step)),
        finished: recording.is_finished(),
        damage: inside.as_ref().or(recording.damage()).map(ToString::to_string),
        damage_inside: inside.is_some(),
        bytes: std::fs::metadata(file).map_or(0, |m| m.len()),
    };
    let shown = if json { show::print_json(&contents) } else { show::print(&contents.table()) };
    Ok(shown.max(if inside.is_some() { Outcome::Input } else { Outcome::Well }))
}

impl Contents {
    fn table(&self) -> String {
        let mut out = String::new();
        let mut line = |name: &str, text: String| out += &format!("{name:<12}{text}\n");
        line("recording", format!("{}, {} kB", self.recording, digits(self.bytes as f64 / 1000.0)));
        line("scene", self.scene.clone().unwrap_or_else(|| "none".to_string()));
        for (key, value) in &self.overrides {
            line("override", format!("{key} = {value}"));
        }
        line("build", self.build.clone());
        if let Some((file, step)) = &self.parent {
            line("branch of", format!("{file}, step {step}"));
        }
        match (self.steps, self.time) {
            (Some((first, last)), Some((from, to))) => {
                line("steps", format!("{first} to {last}, t = {} s to {} s", digits(from), digits(to)));
            }
            (Some((first, last)), None) => line("steps", format!("{first} to {last}")),
            (None, _) => line("steps", "none".to_string()),
        }
        let (bodies, joints) = (count(self.bodies, "body"), count(self.joints, "joint"));
        line("contents", format!("{bodies}, {joints}, {}", count(self.keyframes, "keyframe")));
        for (step, key, value) in &self.edits {
            line("edit", format!("step {step}: {key} = {value}"));
        }
        for (input, times) in &self.input_changes {
            line("input", format!("{input}, changed {}", count(*times, "time")));
        }
        for (step, name) in &self.marks {
            line("mark", format!("step {step}: {name}"));
        }
        if let (Some(damage), true) = (&self.damage, self.damage_inside) {
            let rest = "frames of that block are lost, the others are usable: restore the file from a backup if there is one";
            line("damage", format!("{damage}; {rest}"));
        }
        let end = match (&self.damage, self.finished) {
            (Some(damage), _) if !self.damage_inside => format!("{damage}; frames before it are usable"),
            (_, true) => "complete".to_string(),
            (_, false) => "incomplete: all complete chunks are usable".to_string(),
        };
        line("state", end);
        out
    }
}
