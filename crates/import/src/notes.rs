//! Notes on what was ignored, approximated or decided during an import, each with its position in the file.

use crate::error::Place;
use crate::xml::{Element, quote};
use std::collections::BTreeMap;
use std::fmt;

/// The kind of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// Not in the scene.
    Ignored,
    /// Approximated in the scene.
    Approximated,
    /// In the scene, in another form.
    Info,
}

/// A note on an import for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Name of the file.
    pub file: String,
    /// Line from 1.
    pub line: u32,
    /// The note, in one sentence.
    pub what: String,
    /// Its kind.
    pub kind: NoteKind,
}

impl fmt::Display for Note {
    /// `file:line: kind: what`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            NoteKind::Ignored => "ignored",
            NoteKind::Approximated => "approximated",
            NoteKind::Info => "info",
        };
        write!(f, "{}:{}: {kind}: {}", self.file, self.line, self.what)
    }
}

/// Collects notes. Equal ones are counted and reported once, at the first position.
#[derive(Debug, Default)]
pub struct Notes {
    list: Vec<(Note, usize)>,
    sorts: BTreeMap<String, usize>,
}

impl Notes {
    /// Adds one.
    pub fn add(&mut self, kind: NoteKind, place: &Place, what: impl Into<String>) {
        let note = Note { file: place.file.to_string(), line: place.line, what: what.into(), kind };
        self.list.push((note, 1));
    }

    /// Adds a note that may occur often: equal texts are reported once, with their count.
    pub fn count(&mut self, kind: NoteKind, place: &Place, what: impl Into<String>) {
        let what = what.into();
        if let Some(&index) = self.sorts.get(&what) {
            self.list[index].1 += 1;
        } else {
            self.sorts.insert(what.clone(), self.list.len());
            self.add(kind, place, what);
        }
    }

    /// All of them, in the order of positions in each file.
    pub fn finish(self) -> Vec<Note> {
        let mut list: Vec<Note> = self
            .list
            .into_iter()
            .map(|(mut note, times)| {
                if times > 1 {
                    note.what = format!("{} ({times} times)", note.what);
                }
                note
            })
            .collect();
        list.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        list
    }
}

/// Adds notes for every element and attribute below `element` that was not read.
pub fn leftovers(element: &Element, notes: &mut Notes) {
    for attribute in element.attributes.iter().filter(|a| !a.seen.get()) {
        let what = format!(
            "`{}` of <{}>: {}",
            quote(&attribute.name),
            quote(&element.tag),
            why(&element.tag, &attribute.name)
        );
        notes.count(NoteKind::Ignored, &attribute.place, what);
    }
    for child in &element.children {
        if child.seen.get() {
            leftovers(child, notes);
        } else {
            let what = format!(
                "<{}> in <{}>: {}",
                quote(&child.tag),
                quote(&element.tag),
                why(&element.tag, &child.tag)
            );
            notes.count(NoteKind::Ignored, &child.place, what);
        }
    }
}

/// Why something in an element has no counterpart in a scene.
fn why(tag: &str, name: &str) -> &'static str {
    match name {
        "pair" | "margin" | "gap" | "solmix" | "priority" => "use `[[contacts]]` of the scene instead",
        "solref" | "solimp" if tag == "geom" => "contacts of a scene are rigid by default",
        "solref" | "solimp" | "solreflimit" | "solimplimit" | "solreffriction" | "solimpfriction"
        | "solreffix" | "solimpfix" => "joints and limits of a scene are rigid by default",
        "sensor" | "sensors" | "user" | "nuser_geom" | "nuser_sensor" => "a scene has no sensors",
        "visual" | "statistic" | "texture" | "material" | "camera" | "light" | "group" | "rgba" | "mode"
        | "skin" | "color" => "it only affects the appearance",
        "integrator" | "solver" | "iterations" | "tolerance" | "cone" | "jacobian" | "impratio"
        | "ls_iterations" | "noslip_iterations" | "flag" | "size" | "memory" | "njmax" | "nconmax" => {
            "Windlass has its own integrators and solvers"
        }
        "transmission" => "give the joint a `motor` or a `servo` instead",
        "gazebo" => "it is for another simulator",
        "wind" | "density" | "viscosity" => "add a fluid to the scene: [fluids.NAME]",
        "fluidshape" | "fluidcoef" => "give the body `fluid.drag` and `fluid.added_mass`",
        "ctrl" => "set `target` of servos and `speed` of motors",
        "dampratio" => "give the servo a `damping`",
        "effort" | "velocity" => "a scene limits the force of a `motor` or `servo`, not of a joint",
        "keyframe" | "key" => "select one as the initial configuration by its name",
        _ => "it has no counterpart in a scene",
    }
}
