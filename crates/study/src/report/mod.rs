//! Findings of studies → a page for a browser ([`html`]), pages for a book ([`markdown`]), lines for a terminal
//! ([`text`]).

mod html;
mod markdown;
mod text;

pub use html::html;
pub use markdown::{Pages, markdown};
pub use text::text;

use crate::run::Done;

/// On what, by what and when studies were run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Version of the program.
    pub version: String,
    /// Processor and number of threads.
    pub machine: String,
    /// Day, as 2026-11-15.
    pub date: String,
    /// Whether grids were small and times short.
    pub quick: bool,
}

/// Rows met and rows missed of some studies.
fn counts<'a>(all: impl Iterator<Item = &'a Done>) -> [usize; 2] {
    all.map(|done| done.findings.counts()).fold([0, 0], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
}

/// "12 met", "12 met, 1 missed", "nothing asked", or why it failed.
fn summary(done: &Done) -> String {
    match (&done.trouble, done.findings.counts()) {
        (Some(trouble), _) => format!("failed: {trouble}"),
        (None, [0, 0]) => "told".to_string(),
        (None, [met, 0]) => format!("{met} met"),
        (None, [met, missed]) => format!("{met} met, {missed} missed"),
    }
}
