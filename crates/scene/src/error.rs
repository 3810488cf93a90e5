//! What is wrong with a scene file: each problem has its place in the text, a message and a remedy.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the text it is about; empty at 0 if it is about the whole file.
    pub span: Range<usize>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Where the trouble lies: callers choose their exit code by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The file could not be read.
    File,
    /// The text is at fault.
    Text,
}

/// Everything found wrong with a scene file, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    /// Name of the file.
    pub file: String,
    /// Its text; empty if it could not be read.
    pub text: Arc<str>,
    /// Where the trouble lies.
    pub cause: Cause,
    /// At least one.
    pub problems: Vec<Problem>,
}

impl Errors {
    /// Line and column, from 1, at which a problem begins; columns count characters.
    pub fn place(&self, problem: &Problem) -> (usize, usize) {
        let mut start = problem.span.start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &self.text[..start];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
    }
}

impl fmt::Display for Errors {
    /// One problem a line: `file:line:column: message (help)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            let (line, column) = self.place(problem);
            write!(f, "{end}{}:{line}:{column}: {}", self.file, problem.message)?;
            if let Some(help) = &problem.help {
                write!(f, " ({help})")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

/// Problems shown at most: who has more has one cause.
const MOST: usize = 50;

/// Collects problems while the work goes on.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<Problem>,
    left_out: usize,
}

impl Problems {
    /// Adds one.
    pub fn push(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<String>) {
        if self.list.len() < MOST {
            self.list.push(Problem { span, message: message.into(), help });
        } else {
            self.left_out += 1;
        }
    }

    /// Adds one with a remedy.
    pub fn advise(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.push(span, message, Some(help.into()));
    }

    /// Fails with all of them; does nothing if there are none.
    pub fn finish(self, file: &str, text: &Arc<str>) -> Result<(), Errors> {
        if self.list.is_empty() { Ok(()) } else { Err(self.into_errors(file, text)) }
    }

    /// All of them, in the order of the text.
    pub fn into_errors(mut self, file: &str, text: &Arc<str>) -> Errors {
        self.list.sort_by_key(|p| p.span.start);
        if self.left_out > 0 {
            let message = format!("{} more problems are not shown", self.left_out);
            let span = self.list.last().map_or(0..0, |p| p.span.clone());
            self.list.push(Problem { span, message, help: None });
        }
        Errors { file: file.to_string(), text: text.clone(), cause: Cause::Text, problems: self.list }
    }
}
