//! Edits and marks, with the keyframe to which each edit was applied. A command is an edit that changes only the state.

use crate::bytes::{Packer, Parsed, Part, Take, put_text, put_u32, put_u64};

/// A change made to the world while it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The frame at which it was made: after this step, before the next.
    pub step: u64,
    /// What was changed.
    pub key: String,
    /// The new value.
    pub value: String,
}

/// First character of the key of a command.
const COMMAND: &str = ">";

impl Edit {
    /// A command: an edit that changes only the state, and so needs no keyframe to be applied to.
    pub(crate) fn of_command(step: u64, key: &str, value: &str) -> Edit {
        Edit { step, key: format!("{COMMAND}{key}"), value: value.to_string() }
    }

    /// The key of a command without its mark; none for other edits.
    pub fn command(&self) -> Option<&str> {
        self.key.strip_prefix(COMMAND)
    }

    /// Whether it is a command.
    pub fn is_command(&self) -> bool {
        self.command().is_some()
    }
}

/// A named frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The frame.
    pub step: u64,
    /// Its name.
    pub name: String,
}

/// Events to be written.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub edits: Vec<Edit>,
    pub marks: Vec<Mark>,
    /// One for each step with edits other than commands.
    pub states: Vec<(u64, Vec<u8>)>,
    size: usize,
}

impl Events {
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.marks.is_empty()
    }

    /// Memory they take.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Adds the keyframe to which edits are applied.
    pub fn state(&mut self, step: u64, state: Vec<u8>) {
        self.size += state.len();
        self.states.push((step, state));
    }

    /// Adds an edit; its keyframe must have been added.
    pub fn edit(&mut self, edit: Edit) {
        self.size += edit.key.len() + edit.value.len() + 64;
        self.edits.push(edit);
    }

    pub fn mark(&mut self, mark: Mark) {
        self.size += mark.name.len() + 64;
        self.marks.push(mark);
    }

    pub fn write(&self, packer: &mut Packer) -> std::io::Result<Vec<u8>> {
        let mut out = Vec::new();
        put_u32(&mut out, self.edits.len());
        for edit in &self.edits {
            put_u64(&mut out, edit.step);
            put_text(&mut out, &edit.key);
            put_text(&mut out, &edit.value);
        }
        put_marks(&mut out, &self.marks);
        put_u32(&mut out, self.states.len());
        for (step, state) in &self.states {
            put_u64(&mut out, *step);
            packer.put(&mut out, state)?;
        }
        Ok(out)
    }
}

pub(crate) fn put_marks(out: &mut Vec<u8>, marks: &[Mark]) {
    put_u32(out, marks.len());
    for mark in marks {
        put_u64(out, mark.step);
        put_text(out, &mark.name);
    }
}

pub(crate) fn take_marks(take: &mut Take<'_>) -> Parsed<Vec<Mark>> {
    (0..take.count(12)?).map(|_| Ok(Mark { step: take.u64()?, name: take.text()? })).collect()
}

pub(crate) fn take_edit(take: &mut Take<'_>) -> Parsed<Edit> {
    Ok(Edit { step: take.u64()?, key: take.text()?, value: take.text()? })
}

/// Events read from a file, with keyframes still compressed.
#[derive(Debug)]
pub(crate) struct ReadEvents<'a> {
    pub edits: Vec<Edit>,
    pub marks: Vec<Mark>,
    pub states: Vec<(u64, Part<'a>)>,
}

impl<'a> ReadEvents<'a> {
    pub fn read(body: &'a [u8]) -> Parsed<ReadEvents<'a>> {
        let mut take = Take::new(body);
        let edits: Vec<Edit> = (0..take.count(16)?).map(|_| take_edit(&mut take)).collect::<Parsed<_>>()?;
        let marks = take_marks(&mut take)?;
        let states: Vec<(u64, Part<'a>)> =
            (0..take.count(16)?).map(|_| Ok((take.u64()?, take.part()?))).collect::<Parsed<_>>()?;
        take.end()?;
        if !edits.is_sorted_by_key(|e| e.step) {
            return take.bad("edits are out of order");
        }
        Ok(ReadEvents { edits, marks, states })
    }

    /// A step whose edits, other than commands, have no keyframe here. For the step of the last edit before, it may be
    /// stored with that one.
    pub fn without_state(&self, before: Option<u64>) -> Option<u64> {
        let edits = self.edits.iter().filter(|e| !e.is_command());
        let steps = edits.map(|e| e.step).filter(|step| Some(*step) != before);
        let mut lacking = steps.filter(|step| self.states.iter().all(|(at, _)| at != step));
        lacking.next()
    }
}
