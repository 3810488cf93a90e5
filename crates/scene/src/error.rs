//! Errors of a scene: each problem has a position in the text, a message and a remedy.
//!
//! A scene may come from several texts: its file, the files it includes, overrides. All texts are concatenated to one
//! range of bytes, so that a span of bytes also identifies the text.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A text that a scene was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name in errors.
    pub name: String,
    /// Its path relative to the scene's folder, with `/`; none for an override.
    pub path: Option<String>,
    /// The text; empty if it could not be read.
    pub text: Arc<str>,
    /// Its first byte in the concatenated texts.
    start: usize,
}

impl Source {
    /// Its first byte in the concatenated texts: spans in it count from here.
    pub fn start(&self) -> usize {
        self.start
    }
}

/// The texts of a scene in the order in which they were found; the scene's own file is the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// Appends a text; returns its index.
    pub(crate) fn add(&mut self, name: impl Into<String>, path: Option<String>, text: Arc<str>) -> usize {
        // one unused byte between two texts, so that the end of one is not the start of the next
        let start = self.0.last().map_or(0, |s| s.start + s.text.len() + 1);
        self.0.push(Source { name: name.into(), path, text, start });
        self.0.len() - 1
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.0.iter()
    }

    /// The text of an index.
    pub(crate) fn at(&self, number: usize) -> &Source {
        &self.0[number]
    }

    /// The text that contains a span, and the span in that text's own bytes.
    pub fn of(&self, span: &Range<usize>) -> Option<(&Source, Range<usize>)> {
        let source = self.0.iter().rev().find(|s| s.start <= span.start)?;
        let inside = |at: usize| at.saturating_sub(source.start).min(source.text.len());
        Some((source, inside(span.start)..inside(span.end)))
    }

    /// `file:line:column` of a span.
    pub fn shown(&self, span: &Range<usize>) -> String {
        match self.of(span) {
            Some((source, span)) => {
                let (line, column) = line_and_column(&source.text, span.start);
                format!("{}:{line}:{column}", source.name)
            }
            None => String::new(),
        }
    }
}

/// Line and column of a byte, from 1; columns count characters.
fn line_and_column(text: &str, mut at: usize) -> (usize, usize) {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its bytes in the concatenated texts; empty at the start of a text if it concerns the whole file.
    pub span: Range<usize>,
    /// The error, in one sentence.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}

/// The source of the errors, by which callers choose their exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The file could not be read.
    File,
    /// The text has errors.
    Text,
}

/// All errors of a scene, in the order of the texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    /// Name of the scene's file.
    pub file: String,
    /// The texts of the problems.
    pub sources: Sources,
    /// The source of the errors.
    pub cause: Cause,
    /// At least one.
    pub problems: Vec<Problem>,
}

impl Errors {
    /// Line and column, from 1, at which a problem begins in its text; columns count characters.
    pub fn place(&self, problem: &Problem) -> (usize, usize) {
        match self.source(problem) {
            Some((source, span)) => line_and_column(&source.text, span.start),
            None => (1, 1),
        }
    }

    /// The text of a problem, and its span in that text's own bytes.
    pub fn source(&self, problem: &Problem) -> Option<(&Source, Range<usize>)> {
        self.sources.of(&problem.span)
    }
}

impl fmt::Display for Errors {
    /// One problem per line: `file:line:column: message (help)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{}: {}", self.sources.shown(&problem.span), problem.message)?;
            if let Some(help) = &problem.help {
                write!(f, " ({help})")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

/// Maximum number of problems shown: more of them usually have one cause.
const MOST: usize = 50;
/// Maximum number of problems shown at one position: a pattern repeats its errors.
const MOST_AT_ONE_PLACE: usize = 3;

/// Collects problems; the caller continues.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<Problem>,
    left_out: usize,
    /// The current instance, named in messages.
    pub instance: Option<String>,
}

impl Problems {
    /// Adds one.
    pub fn push(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<String>) {
        let mut message = message.into();
        // an error in the text of a pattern or a prefab is reported once
        if self.list.iter().any(|p| p.span == span && p.message.starts_with(&message)) {
            return;
        }
        if !self.wants(&span) {
            self.left_out += 1;
            return;
        }
        if let Some(instance) = &self.instance {
            message = format!("{message}, in instance \"{instance}\"");
        }
        self.list.push(Problem { span, message, help });
    }

    /// Adds one with a remedy.
    pub fn advise(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.push(span, message, Some(help.into()));
    }

    /// Whether one more problem at this position would be shown: else an expensive remedy need not be computed.
    pub fn wants(&self, span: &Range<usize>) -> bool {
        let here = self.list.iter().filter(|p| p.span == *span).count();
        self.list.len() < MOST && here < MOST_AT_ONE_PLACE
    }

    /// Counts a problem that would not be shown.
    pub fn skip(&mut self) {
        self.left_out += 1;
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Fails with all of them; does nothing if there are none.
    pub fn finish(self, file: &str, sources: &Sources) -> Result<(), Errors> {
        if self.list.is_empty() { Ok(()) } else { Err(self.into_errors(file, sources)) }
    }

    /// All of them, in the order of the texts.
    pub fn into_errors(mut self, file: &str, sources: &Sources) -> Errors {
        self.list.sort_by_key(|p| p.span.start);
        if self.left_out > 0 {
            let message = match self.left_out {
                1 => "1 more problem is not shown".to_string(),
                n => format!("{n} more problems are not shown"),
            };
            let span = self.list.last().map_or(0..0, |p| p.span.clone());
            self.list.push(Problem { span, message, help: None });
        }
        Errors { file: file.to_string(), sources: sources.clone(), cause: Cause::Text, problems: self.list }
    }
}
