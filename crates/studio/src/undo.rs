//! Edits of the scene's text, and changes to another scene, to be undone and redone.

use crate::gallery::Item;

/// Largest number of edits that can be undone.
const MOST: usize = 500;
/// Bytes of all their texts together.
const MEMORY: usize = 32 << 20;

/// The scene that a text belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its entry in the gallery.
    pub item: Item,
    /// The text of its file.
    pub saved: String,
    /// The number of its run.
    pub run: u32,
}

/// The text before an edit, and the name of the edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// Name of the edit.
    pub label: String,
    /// The text before it, or after it once it was undone.
    pub text: String,
    /// The scene of that text, if it is another one.
    pub scene: Option<Place>,
}

impl Past {
    fn size(&self) -> usize {
        self.text.len() + self.scene.as_ref().map_or(0, |place| place.saved.len())
    }
}

/// Edits that were done and edits that were undone, the newest last.
#[derive(Clone, Debug, Default)]
pub struct UndoStack {
    done: Vec<Past>,
    undone: Vec<Past>,
}

impl UndoStack {
    /// Adds an edit: what was undone before it is dropped.
    pub fn done(&mut self, past: Past) {
        self.undone.clear();
        self.done.push(past);
        let size = |list: &[Past]| list.iter().map(Past::size).sum::<usize>();
        while self.done.len() > MOST || (self.done.len() > 1 && size(&self.done) > MEMORY) {
            self.done.remove(0);
        }
    }

    /// The scene of a run was saved to a file; returning to it finds it there.
    pub fn saved(&mut self, now: &Place) {
        let places = self.done.iter_mut().chain(&mut self.undone).filter_map(|past| past.scene.as_mut());
        places.filter(|place| place.run == now.run).for_each(|place| *place = now.clone());
    }

    /// The edit that can be undone.
    pub fn undo(&self) -> Option<&Past> {
        self.done.last()
    }

    /// The edit that can be redone.
    pub fn redo(&self) -> Option<&Past> {
        self.undone.last()
    }

    /// The last edit was undone; `text` is that after it, in `scene` if the edit had changed the scene.
    pub fn undone(&mut self, text: String, scene: Option<Place>) {
        if let Some(Past { label, .. }) = self.done.pop() {
            self.undone.push(Past { label, text, scene });
        }
    }

    /// The last edit that was undone was redone; `text` is that before it, in `scene` if the edit has changed the scene.
    pub fn redone(&mut self, text: String, scene: Option<Place>) {
        if let Some(Past { label, .. }) = self.undone.pop() {
            self.done.push(Past { label, text, scene });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(label: &str, text: &str) -> Past {
        Past { label: label.to_string(), text: text.to_string(), scene: None }
    }

    #[test]
    fn edits_are_undone_and_redone() {
        let mut stack = UndoStack::default();
        stack.done(past("first", "a"));
        stack.done(past("second", "b"));
        assert_eq!(stack.undo(), Some(&past("second", "b")));
        stack.undone("c".to_string(), None);
        assert_eq!((stack.undo(), stack.redo()), (Some(&past("first", "a")), Some(&past("second", "c"))));
        stack.redone("b".to_string(), None);
        assert_eq!((stack.undo(), stack.redo()), (Some(&past("second", "b")), None));
        stack.undone("c".to_string(), None);
        stack.done(past("third", "b"));
        assert_eq!(stack.redo(), None, "another way was taken");
    }

    #[test]
    fn memory_is_bounded() {
        let mut stack = UndoStack::default();
        let long = "x".repeat(MEMORY / 4);
        (0..9).for_each(|k| stack.done(past(&k.to_string(), &long)));
        assert_eq!((stack.done.len(), stack.done[0].label.as_str()), (4, "5"));
    }
}
