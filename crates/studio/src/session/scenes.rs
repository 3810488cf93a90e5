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

use super::run::Run;
use super::{Session, troubles};
use crate::gallery::Item;
use crate::message::{ServerMessage, Source};
use crate::recovery::Unsaved;
use crate::undo::{Past, Place};
use std::mem::replace;
use windlass_host::machine::Machine;
use windlass_scene::{Errors, Scene};

/// Largest number of scenes that are parked.
const MOST: usize = 3;

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
        let draft = self.recovery.find(id).filter(|_| id != self.shown.number).cloned();
        let draft = draft.ok_or_else(|| ServerMessage::refused("this draft is no longer there"))?;
        let item = match &draft.file {
            Some(file) => Item::at(&draft.id, &draft.title, file, &draft.text),
            None => {
                let found = self.gallery.find(&draft.id).filter(|item| item.file.is_none());
                found.unwrap_or_else(|| Item::unnamed(&draft.title, &draft.text))
            }
        };
        // a scene that was left in this session goes on in its own run
        if self.parked.iter().any(|parked| parked.number == id && parked.machine.text() == draft.text) {
            let place = Place { item, saved: draft.saved, run: id };
            self.leave_for(&format!("Restore {}", draft.title), discard)?;
            return self.return_to(&place, &draft.text);
        }
        let machine = build(item.parse(&draft.text));
        let machine = machine.map_err(|errors| broken(&item.file_name(), None, &draft.text, &errors))?;
        self.take_up(item, Some(draft.saved), machine, discard)?;
        self.play(false);
        // it is the draft of the present scene by now
        self.recovery.replace(id, self.shown.number);
        Ok(())
    }

    /// Discards a draft.
    pub(super) fn discard(&mut self, id: u32) -> Result<(), ServerMessage> {
        if id == self.shown.number || !self.recovery.forget(id) {
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
        let saved = saved.unwrap_or_else(|| machine.text().to_string());
        let number = self.recovery.number();
        self.swap(Run::new(number, item, saved, machine));
        Ok(())
    }

    /// Before another scene is opened: drops what clients drag, and records how to come back.
    fn leave_for(&mut self, label: &str, discard: bool) -> Result<(), ServerMessage> {
        if !discard && self.shown.is_dirty() && !self.recovery.has_room() {
            return Err(ServerMessage::refused(
                "too many scenes have unsaved changes: save or discard one first",
            ));
        }
        self.shown.hands_off();
        self.comparison.end();
        if discard {
            self.recovery.forget(self.shown.number);
        }
        let (label, text) = (label.to_string(), self.shown.machine.text().to_string());
        self.undo.done(Past { label, text, scene: Some(self.shown.place()) });
        Ok(())
    }

    /// Back to a scene that was left, as it was.
    pub(super) fn return_to(&mut self, place: &Place, text: &str) -> Result<(), ServerMessage> {
        let parked = self.parked.iter().position(|parked| parked.number == place.run);
        let parked = parked.filter(|k| self.parked[*k].machine.text() == text);
        let other = match parked.and_then(|k| self.parked.remove(k)) {
            Some(parked) => parked,
            None => {
                let machine = build(place.item.parse(text)).map_err(|errors| troubles(&errors))?;
                Run::new(place.run, place.item.clone(), place.saved.clone(), machine)
            }
        };
        self.shown.hands_off();
        self.comparison.end();
        self.swap(other);
        self.play(false);
        Ok(())
    }

    /// Shows another scene and parks the present one.
    fn swap(&mut self, mut other: Run) {
        other.timeline.number_after(&self.shown.timeline);
        let left = replace(&mut self.shown, other);
        self.parked.retain(|parked| parked.number != left.number);
        self.parked.push_back(left);
        if self.parked.len() > MOST {
            self.parked.pop_front();
        }
        self.show_scene();
        self.save_memory();
    }

    /// Keeps the text as a draft as long as it differs from its file.
    pub(super) fn guard_work(&mut self) {
        let Run { number, item, saved, machine, .. } = &self.shown;
        if !self.shown.is_dirty() {
            self.recovery.forget(*number);
            return;
        }
        let title = machine.scene().title.as_deref().unwrap_or(&item.offer.title);
        let file = item.file.as_deref();
        self.recovery
            .keep(*number, &Unsaved { id: &item.offer.id, title, file, saved, text: machine.text() });
    }
}

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
