//! The text of the scene: edit, undo, save.
//!
//! An edit applies to the moment shown. At the start, before any step, the scene is built again; later its text is
//! applied to the running world. The run with the old text is kept as a branch.

use super::{Session, troubles};
use crate::message::ServerMessage;
use crate::undo::{Past, Place};
use std::sync::Arc;
use std::time::Instant;
use windlass_host::machine::Changed;
use windlass_scene::edit::{Change, edit};

/// Largest number of characters of the name of a change.
const LONGEST_LABEL: usize = 60;

impl Session {
    /// Replaces the whole text.
    pub(super) fn text(&mut self, toml: &str) -> Result<(), ServerMessage> {
        self.change(toml, "Text")
    }

    /// Changes in the text.
    pub(super) fn edit(&mut self, label: &str, changes: &[Change]) -> Result<(), ServerMessage> {
        let new = edit(self.shown.machine.text(), changes)
            .map_err(|why| ServerMessage::refused(why.to_string()))?;
        self.change(&new, label)
    }

    /// Brings the scene to another text; this can be undone.
    fn change(&mut self, toml: &str, label: &str) -> Result<(), ServerMessage> {
        let text = self.shown.machine.text().to_string();
        let label: String = label.chars().take(LONGEST_LABEL).collect();
        self.apply(toml, &label)?;
        if text != toml {
            self.undo.done(Past { label, text, scene: None });
        }
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Result<(), ServerMessage> {
        let past = self.undo.undo().cloned().ok_or_else(|| ServerMessage::refused("nothing to undo"))?;
        let (text, scene) = self.go_to(&past, &format!("undo {}", past.label))?;
        self.undo.undone(text, scene);
        Ok(())
    }

    pub(super) fn redo(&mut self) -> Result<(), ServerMessage> {
        let past = self.undo.redo().cloned().ok_or_else(|| ServerMessage::refused("nothing to redo"))?;
        let (text, scene) = self.go_to(&past, &past.label)?;
        self.undo.redone(text, scene);
        Ok(())
    }

    /// Goes to a text of the undo list, in its own scene; returns those that were left.
    fn go_to(&mut self, past: &Past, label: &str) -> Result<(String, Option<Place>), ServerMessage> {
        let text = self.shown.machine.text().to_string();
        match &past.scene {
            None => self.apply(&past.text, label).map(|()| (text, None)),
            Some(place) => {
                let here = self.shown.place();
                self.return_to(place, &past.text).map(|()| (text, Some(here)))
            }
        }
    }

    /// Brings the scene to another text; the previous run is kept as a branch.
    fn apply(&mut self, toml: &str, label: &str) -> Result<(), ServerMessage> {
        let new = self.shown.item.parse(toml).map_err(|errors| troubles(&errors))?;
        // errors of the text are reported before anything is discarded
        new.build().map_err(|errors| troubles(&errors))?;
        if !self.shown.machine.can_change() {
            return Err(ServerMessage::refused("this run has been edited too many times: `reset` first"));
        }
        let run = &mut self.shown;
        run.end_path();
        run.release_all()?;
        let here = run.machine.keyframe();
        let mut left = run.timeline.as_branch(&run.machine);
        left.name = format!("before “{label}”");
        // handles of a past moment are not part of the scene
        run.machine.release_all().map_err(|why| ServerMessage::refused(why.to_string()))?;
        match run.machine.change(new).map_err(|errors| troubles(&errors))? {
            Changed::Nothing => run.machine.recall(&here).map_err(ServerMessage::refused)?,
            Changed::Model | Changed::Restarted => {
                run.timeline.keep(left);
                run.begin();
                self.pace.set(Instant::now(), run.machine.time());
            }
        }
        self.show_scene();
        Ok(())
    }

    /// Writes the text to a file; returns the answer to the client.
    pub(super) fn save(&mut self, name: Option<&str>) -> Result<ServerMessage, ServerMessage> {
        let text = self.shown.machine.text().to_string();
        let saved = match name {
            Some(name) => self.gallery.save_new(name, &text),
            None => self.gallery.save(&self.shown.item, &self.shown.saved, &text),
        };
        let item = saved.map_err(ServerMessage::refused)?;
        let file = item.offer.id.clone();
        (self.shown.item, self.shown.saved) = (item, text);
        let offers = self.gallery.list().into_iter().map(|item| item.offer).collect();
        self.hub.scenes.send_replace(Arc::new(offers));
        self.undo.saved(&self.shown.place());
        self.tell_scene();
        Ok(ServerMessage::Saved { file, req: None })
    }
}
