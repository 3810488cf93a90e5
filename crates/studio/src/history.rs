//! What was changed in the text, to be taken back and made again.

/// Changes that can be taken back.
const MOST: usize = 500;
/// Bytes of all their texts together.
const MEMORY: usize = 32 << 20;

/// A text as it was before a change, and what the change is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// What it is called.
    pub label: String,
    /// The text before it, or after it where it was taken back.
    pub text: String,
}

/// Changes done and changes taken back, the newest last.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Past>,
    undone: Vec<Past>,
}

impl History {
    /// Remembers a change: what was taken back before it is gone.
    pub fn done(&mut self, past: Past) {
        self.undone.clear();
        self.done.push(past);
        let size = |list: &[Past]| list.iter().map(|past| past.text.len()).sum::<usize>();
        while self.done.len() > MOST || (self.done.len() > 1 && size(&self.done) > MEMORY) {
            self.done.remove(0);
        }
    }

    /// The change that can be taken back.
    pub fn undo(&self) -> Option<&Past> {
        self.done.last()
    }

    /// The change that can be made again.
    pub fn redo(&self) -> Option<&Past> {
        self.undone.last()
    }

    /// The last change was taken back; `text` is what it had made.
    pub fn undone(&mut self, text: String) {
        if let Some(Past { label, .. }) = self.done.pop() {
            self.undone.push(Past { label, text });
        }
    }

    /// The last change that was taken back was made again; `text` is what was there before.
    pub fn redone(&mut self, text: String) {
        if let Some(Past { label, .. }) = self.undone.pop() {
            self.done.push(Past { label, text });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(label: &str, text: &str) -> Past {
        Past { label: label.to_string(), text: text.to_string() }
    }

    #[test]
    fn changes_are_taken_back_and_made_again() {
        let mut history = History::default();
        history.done(past("first", "a"));
        history.done(past("second", "b"));
        assert_eq!(history.undo(), Some(&past("second", "b")));
        history.undone("c".to_string());
        assert_eq!((history.undo(), history.redo()), (Some(&past("first", "a")), Some(&past("second", "c"))));
        history.redone("b".to_string());
        assert_eq!((history.undo(), history.redo()), (Some(&past("second", "b")), None));
        history.undone("c".to_string());
        history.done(past("third", "b"));
        assert_eq!(history.redo(), None, "another way was taken");
    }

    #[test]
    fn memory_is_bounded() {
        let mut history = History::default();
        let long = "x".repeat(MEMORY / 4);
        (0..9).for_each(|k| history.done(past(&k.to_string(), &long)));
        assert_eq!((history.done.len(), history.done[0].label.as_str()), (4, "5"));
    }
}
