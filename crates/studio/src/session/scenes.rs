//! Scenes: open, load, restore; what was left can be undone, and is kept as a draft.
//!
//! ```text
//!  open, new, load, restore → another scene; the one that is left is parked with its run, its sync points and branches
//!  undo of that             → the parked scene as it was left; built again from its text if it was dropped meanwhile
//!  text ≠ its file          → a draft on disk (`recovery/`), which is removed when they agree
//! ```
//!
//! A scene is built before the present one is left: one with errors is reported with its text, and the present one runs
//! on.

use super::assembly::Assembly;
use super::points::SyncPoint;
use super::{Branch, Session, troubles};
use crate::gallery::Item;
use crate::message::{ServerMessage, Source, Trip};
use crate::recovery::Unsaved;
use crate::undo::{Past, Place};
use std::collections::VecDeque;
use std::mem::replace;
use std::sync::Arc;
use std::time::Instant;
use windlass_host::History;
use windlass_host::machine::{Keyframe, Machine};
use windlass_scene::{Errors, Scene};

/// Largest number of scenes that are parked.
const MOST: usize = 3;

/// A scene that was left, with its run.
pub(super) struct Parked {
    /// Counts the scenes of this session.
    run: u32,
    item: Item,
    saved: String,
    machine: Machine,
    pub history: History,
    end: Option<Arc<Keyframe>>,
    pub branches: Vec<Branch>,
    pub points: Vec<SyncPoint>,
    fault: Option<Trip>,
    assembly: Assembly,
}

impl Parked {
    /// A scene at its start.
    fn new(run: u32, item: Item, saved: String, machine: Machine) -> Parked {
        let history = History::new(&machine);
        Parked {
            run,
            item,
            saved,
            machine,
            history,
            end: None,
            branches: Vec::new(),
            points: Vec::new(),
            fault: None,
            assembly: Assembly::default(),
        }
    }
}

impl Session {
    pub(super) fn open(&mut self, id: &str, discard: bool) -> Result<(), ServerMessage> {
        let item = self.gallery.find(id);
        let item =
            item.ok_or_else(|| ServerMessage::refused("no such scene: `hello` lists what can be opened"))?;
        let built =
            item.open().map_err(|errors| broken(&item.file_name(), Some(id), &item.content(), &errors))?;
        self.take_up(item, None, built, discard)?;
        self.play(true);
        Ok(())
    }

    /// An empty scene, at its start.
    pub(super) fn empty(&mut self, discard: bool) -> Result<(), ServerMessage> {
        let item = Item::empty();
        let built = item.open().map_err(|errors| troubles(&errors))?;
        self.take_up(item, None, built, discard)?;
        self.play(false);
        Ok(())
    }

    /// A text that the client has: of a file of its own, or of a scene of the gallery. If it is in no file, it is unsaved.
    pub(super) fn load(
        &mut self,
        id: Option<&str>,
        name: &str,
        toml: &str,
        unsaved: bool,
        discard: bool,
    ) -> Result<(), ServerMessage> {
        let item = id.and_then(|id| self.gallery.find(id));
        let saved = match &item {
            Some(item) => item.content(),
            None if unsaved || id.is_some() => String::new(),
            None => toml.to_string(),
        };
        let id = item.as_ref().map(|item| item.offer.id.clone());
        let item = item.unwrap_or_else(|| Item::unnamed(name, toml));
        let machine = build(item.parse(toml)).map_err(|errors| broken(name, id.as_deref(), toml, &errors))?;
        self.take_up(item, Some(saved), machine, discard)?;
        self.play(false);
        Ok(())
    }

    /// Takes up a draft.
    pub(super) fn restore(&mut self, id: u32, discard: bool) -> Result<(), ServerMessage> {
        let draft = self.recovery.find(id).filter(|_| id != self.run).cloned();
        let draft = draft.ok_or_else(|| ServerMessage::refused("this draft is no longer there"))?;
        let item = match &draft.file {
            Some(file) => Item::at(&draft.id, &draft.title, file, &draft.text),
            None => {
                let found = self.gallery.find(&draft.id).filter(|item| item.file.is_none());
                found.unwrap_or_else(|| Item::unnamed(&draft.title, &draft.text))
            }
        };
        // a scene that was left in this session goes on in its own run
        if self.parked.iter().any(|parked| parked.run == id && parked.machine.text() == draft.text) {
            let place = Place { item, saved: draft.saved, run: id };
            self.leave_for(&format!("Restore {}", draft.title), discard)?;
            return self.return_to(&place, &draft.text);
        }
        let machine = build(item.parse(&draft.text));
        let machine = machine.map_err(|errors| broken(&item.file_name(), None, &draft.text, &errors))?;
        self.take_up(item, Some(draft.saved), machine, discard)?;
        self.play(false);
        // it is the draft of the present scene by now
        self.recovery.replace(id, self.run);
        Ok(())
    }

    /// Discards a draft.
    pub(super) fn discard(&mut self, id: u32) -> Result<(), ServerMessage> {
        if id == self.run || !self.recovery.forget(id) {
            return Err(ServerMessage::refused("this draft is no longer there"));
        }
        Ok(())
    }

    /// Goes to another scene. `saved` is the text of its file, if that is another one.
    fn take_up(
        &mut self,
        item: Item,
        saved: Option<String>,
        machine: Machine,
        discard: bool,
    ) -> Result<(), ServerMessage> {
        self.leave_for(&format!("Open {}", item.offer.title), discard)?;
        let run = self.recovery.number();
        let saved = saved.unwrap_or_else(|| machine.text().to_string());
        self.swap(Parked::new(run, item, saved, machine));
        Ok(())
    }

    /// Before another scene is opened: drops what clients drag, and records how to come back.
    fn leave_for(&mut self, label: &str, discard: bool) -> Result<(), ServerMessage> {
        let text = self.machine.text().to_string();
        if !discard && self.saved != text && !self.recovery.has_room() {
            return Err(ServerMessage::refused(
                "too many scenes have unsaved changes: save or discard one first",
            ));
        }
        self.hands_off();
        self.end_ghost();
        if discard {
            self.recovery.forget(self.run);
        }
        self.undo.done(Past { label: label.to_string(), text, scene: Some(self.place()) });
        Ok(())
    }

    /// The present scene, for the undo list.
    pub(super) fn place(&self) -> Place {
        Place { item: self.item.clone(), saved: self.saved.clone(), run: self.run }
    }

    /// Back to a scene that was left, as it was.
    pub(super) fn return_to(&mut self, place: &Place, text: &str) -> Result<(), ServerMessage> {
        let parked = self.parked.iter().position(|parked| parked.run == place.run);
        let parked = parked.filter(|k| self.parked[*k].machine.text() == text);
        let other = match parked.and_then(|k| self.parked.remove(k)) {
            Some(parked) => parked,
            None => {
                let machine = build(place.item.parse(text)).map_err(|errors| troubles(&errors))?;
                Parked::new(place.run, place.item.clone(), place.saved.clone(), machine)
            }
        };
        self.hands_off();
        self.end_ghost();
        self.swap(other);
        self.play(false);
        Ok(())
    }

    /// Shows another scene and parks the present one.
    fn swap(&mut self, other: Parked) {
        let left = Parked {
            run: replace(&mut self.run, other.run),
            item: replace(&mut self.item, other.item),
            saved: replace(&mut self.saved, other.saved),
            machine: replace(&mut self.machine, other.machine),
            history: replace(&mut self.history, other.history),
            end: replace(&mut self.end, other.end),
            branches: replace(&mut self.branches, other.branches),
            points: replace(&mut self.points, other.points),
            fault: replace(&mut self.fault, other.fault),
            assembly: replace(&mut self.assembly, other.assembly),
        };
        self.parked.retain(|parked| parked.run != left.run);
        self.parked.push_back(left);
        if self.parked.len() > MOST {
            self.parked.pop_front();
        }
        self.pace.set(Instant::now(), self.machine.time());
        self.show_scene();
        self.save_memory();
    }

    /// Keeps the text as a draft as long as it differs from its file.
    pub(super) fn guard_work(&mut self) {
        let text = self.machine.text();
        if self.saved == text {
            self.recovery.forget(self.run);
            return;
        }
        let offer = &self.item.offer;
        let title = self.machine.scene().title.as_deref().unwrap_or(&offer.title);
        let file = self.item.file.as_deref();
        self.recovery.keep(self.run, &Unsaved { id: &offer.id, title, file, saved: &self.saved, text });
    }
}

/// The scenes that were left, the oldest first.
pub(super) type Parking = VecDeque<Parked>;

fn build(scene: Result<Scene, Errors>) -> Result<Machine, Errors> {
    Machine::interactive(scene?)
}

/// The errors of a scene that is not shown, with its text.
fn broken(file: &str, id: Option<&str>, text: &str, errors: &Errors) -> ServerMessage {
    let mut told = troubles(errors);
    if let ServerMessage::Errors { source, .. } = &mut told {
        let file = Source { id: id.map(String::from), file: file.to_string(), text: text.to_string() };
        *source = Some(Box::new(file));
    }
    told
}
