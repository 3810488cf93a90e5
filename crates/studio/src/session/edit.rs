//! Scenes and their texts: open, change, take back, save.
//!
//! A change is made to what is shown. At the start, before any step, the scene is built anew; later its text is worked into the
//! running world. What was run with the old text stays as a branch.

use super::{Session, troubles};
use crate::history::Past;
use crate::machine::{Changed, Machine};
use crate::message::Told;
use crate::shelf::Item;
use crate::tape::Tape;
use std::sync::Arc;
use std::time::Instant;
use windlass_scene::edit::{Change, edit};

/// Letters of what a change is called.
const LONGEST_LABEL: usize = 60;

impl Session {
    pub(super) fn open(&mut self, id: &str) -> Result<(), Told> {
        let item = self.shelf.find(id);
        let item = item.ok_or_else(|| Told::refused("no such scene: `hello` lists what can be opened"))?;
        self.take_up(item)?;
        self.play(true);
        Ok(())
    }

    /// An empty scene, at its start.
    pub(super) fn empty(&mut self) -> Result<(), Told> {
        self.take_up(Item::empty())?;
        self.play(false);
        Ok(())
    }

    fn take_up(&mut self, item: Item) -> Result<(), Told> {
        self.machine = Machine::new(item).map_err(|errors| troubles(&errors))?;
        self.history = Default::default();
        self.saved = self.machine.text().to_string();
        self.branches.clear();
        self.assembly = Default::default();
        self.end_ghost();
        self.begin();
        self.show_scene();
        Ok(())
    }

    /// The whole text anew.
    pub(super) fn text(&mut self, toml: &str) -> Result<(), Told> {
        self.change(toml, "Text")
    }

    /// Changes in the text.
    pub(super) fn edit(&mut self, label: &str, changes: &[Change]) -> Result<(), Told> {
        let new = edit(self.machine.text(), changes).map_err(|why| Told::refused(why.to_string()))?;
        self.change(&new, label)
    }

    /// Brings the scene to another text, which can be taken back.
    fn change(&mut self, toml: &str, label: &str) -> Result<(), Told> {
        let text = self.machine.text().to_string();
        let label: String = label.chars().take(LONGEST_LABEL).collect();
        self.apply(toml, &label)?;
        if text != toml {
            self.history.done(Past { label, text });
        }
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Result<(), Told> {
        let past = self.history.undo().cloned();
        let Past { label, text } = past.ok_or_else(|| Told::refused("there is nothing to undo"))?;
        let now = self.machine.text().to_string();
        self.apply(&text, &format!("undo {label}"))?;
        self.history.undone(now);
        Ok(())
    }

    pub(super) fn redo(&mut self) -> Result<(), Told> {
        let past = self.history.redo().cloned();
        let Past { label, text } = past.ok_or_else(|| Told::refused("there is nothing to redo"))?;
        let now = self.machine.text().to_string();
        self.apply(&text, &label)?;
        self.history.redone(now);
        Ok(())
    }

    /// Brings the scene to another text; what ran before stays as a branch.
    fn apply(&mut self, toml: &str, label: &str) -> Result<(), Told> {
        let new = self.machine.read(toml).map_err(|errors| troubles(&errors))?;
        // what cannot be built is told before anything is given up
        new.build().map_err(|errors| troubles(&errors))?;
        if !self.machine.can_change() {
            return Err(Told::refused("this run has taken up very many texts: `reset` first"));
        }
        self.end_path();
        self.release_all()?;
        let here = self.machine.key();
        let end = self.end.clone().unwrap_or_else(|| Arc::new(self.machine.key()));
        let mut left = self.as_branch(end);
        left.name = format!("before “{label}”");
        let ran = left.end.step > self.tape.start().step;
        // hands that a past moment shows are no part of the scene
        self.machine.let_go().map_err(|why| Told::refused(why.to_string()))?;
        match self.machine.change(new).map_err(|errors| troubles(&errors))? {
            Changed::Nothing => self.machine.recall(&here).map_err(Told::refused)?,
            Changed::Model | Changed::Anew => {
                if ran {
                    self.keep_branch(left);
                }
                self.begin();
            }
        }
        self.show_scene();
        Ok(())
    }

    /// The machine is another one: its tape begins now.
    pub(super) fn begin(&mut self) {
        (self.tape, self.end, self.fault) = (Tape::new(&self.machine), None, None);
        self.pace.set(Instant::now(), self.machine.time());
        self.moved = true;
    }

    /// Writes the text to a file; returns what to tell who asked.
    pub(super) fn save(&mut self, name: Option<&str>) -> Result<Told, Told> {
        let text = self.machine.text().to_string();
        let saved = match name {
            Some(name) => self.shelf.save_new(name, &text),
            None => self.shelf.save(&self.machine.item, &self.saved, &text),
        };
        let item = saved.map_err(Told::refused)?;
        let file = item.offer.id.clone();
        (self.machine.item, self.saved) = (item, text);
        let offers = self.shelf.list().into_iter().map(|item| item.offer).collect();
        self.hub.scenes.send_replace(Arc::new(offers));
        self.show_scene();
        Ok(Told::Saved { file })
    }
}
