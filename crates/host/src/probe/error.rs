//! Errors in probes: message, the text underlined, and a remedy.

use std::fmt;
use std::ops::Range;

/// Largest number of names listed in a message.
const LISTED: usize = 16;

/// A text that is not a probe of this scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeError {
    text: String,
    /// The bytes of the text that are underlined.
    span: Range<usize>,
    message: String,
    help: String,
}

impl ProbeError {
    /// An error in a part of a text.
    pub fn new(
        text: &str,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> ProbeError {
        ProbeError { text: text.to_string(), span, message: message.into(), help: help.into() }
    }

    /// An error that concerns the whole text.
    pub fn whole(text: &str, message: impl Into<String>, help: impl Into<String>) -> ProbeError {
        ProbeError::new(text, 0..text.len(), message, help)
    }
}

impl ProbeError {
    /// The text, the error, and the remedy.
    pub fn parts(&self) -> [&str; 3] {
        [&self.text, &self.message, &self.help]
    }
}

impl fmt::Display for ProbeError {
    /// Message, text, underline and help, one line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |range: Range<usize>| self.text.get(range).map_or(0, |t| t.chars().count());
        let (before, under) = (count(0..self.span.start), count(self.span.clone()).max(1));
        let shown: String = self.text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        writeln!(f, "error: {}", self.message)?;
        writeln!(f, "    {shown}")?;
        writeln!(f, "    {}{}", " ".repeat(before), "^".repeat(under))?;
        write!(f, "  help: {}", self.help)
    }
}

impl std::error::Error for ProbeError {}

/// "did you mean "load"? the bodies are tower, load".
pub fn suggestion<'a>(word: &str, what: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = windlass_scene::suggestion::nearest(word, known.clone());
    let meant = near.map(|near| format!("did you mean \"{near}\"? ")).unwrap_or_default();
    let mut list: Vec<_> = known.clone().take(LISTED).collect();
    if list.is_empty() {
        return format!("the scene has no {what}");
    }
    if known.count() > LISTED {
        list.push("…");
    }
    format!("{meant}the {what} are {}", list.join(", "))
}
