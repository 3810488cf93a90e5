//! The environment of a study: its findings, the receiver of its progress, and the request to stop.

use crate::findings::{Findings, Item, Table};
use std::fmt::Display;
use windlass_plot::Figure;

/// Observes studies while they run.
pub trait Watch: Sync {
    /// Hears how much of a study is done, 0 to 1.
    fn progress(&self, study: &str, done: f64);

    /// Whether all is to stop.
    fn stops(&self) -> bool;
}

/// Why a study has no findings, or not all.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Trouble {
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// It could not continue.
    #[error("{0}")]
    Failed(String),
}

impl Trouble {
    /// Of an error of the engine or of a scene.
    pub fn from(error: impl Display) -> Trouble {
        Trouble::Failed(error.to_string())
    }
}

/// The environment of a study.
pub struct StudyContext<'a> {
    name: &'static str,
    watch: &'a dyn Watch,
    quick: bool,
    pub(crate) findings: Findings,
}

impl<'a> StudyContext<'a> {
    pub(crate) fn new(name: &'static str, watch: &'a dyn Watch, quick: bool) -> StudyContext<'a> {
        StudyContext { name, watch, quick, findings: Findings::default() }
    }

    /// The whole of a grid or of a time, or less of it where only a look is asked for.
    pub fn pick<T>(&self, whole: T, quick: T) -> T {
        if self.quick { quick } else { whole }
    }

    /// Tells how much is done, 0 to 1.
    ///
    /// # Errors
    /// When the study is to stop.
    pub fn progress(&self, done: f64) -> Result<(), Trouble> {
        self.watch.progress(self.name, done.clamp(0.0, 1.0));
        if self.watch.stops() { Err(Trouble::Stopped) } else { Ok(()) }
    }

    /// Adds a parameter: a name and a value with its unit.
    pub fn parameter(&mut self, name: &str, value: impl Display) {
        self.findings.parameters.push((name.to_string(), value.to_string()));
    }

    /// Lays down a table.
    pub fn table(&mut self, table: Table) {
        self.findings.items.push(Item::Table(table));
    }

    /// Lays down a figure.
    pub fn figure(&mut self, caption: &str, figure: &Figure) {
        self.findings.figure(caption, figure);
    }

    /// Lays down a remark.
    pub fn remark(&mut self, text: &str) {
        self.findings.items.push(Item::Remark(text.to_string()));
    }
}
