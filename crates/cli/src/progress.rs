//! A progress bar on standard error, if it is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};
use windlass_engine::prelude::World;
use windlass_host::text::digits;
use windlass_host::{Observer, Step};

/// Time between two updates.
const REFRESH: Duration = Duration::from_millis(100);

/// Progress and speed of a run.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: Instant,
}

impl Progress {
    /// A bar for a number of steps; hidden if standard error is not a terminal.
    pub fn new(steps: u64, quiet: bool) -> Progress {
        Progress { bar: bar(steps, quiet), begun: Instant::now(), shown: Instant::now() }
    }
}

/// A bar for a number of steps or rows; hidden if standard error is not a terminal.
pub fn bar(length: u64, quiet: bool) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  {eta} left")
        .expect("the template is a constant")
        .progress_chars("━╸─");
    match quiet || !io::stderr().is_terminal() {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(length).with_style(style),
    }
}

impl Observer for Progress {
    fn name(&self) -> String {
        "the progress bar".to_string()
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        if !self.bar.is_hidden() && self.shown.elapsed() > REFRESH {
            self.shown = Instant::now();
            let factor = world.state().time / self.begun.elapsed().as_secs_f64();
            self.bar.set_message(format!("{} × real time", digits(factor)));
            self.bar.set_position(step.number);
        }
        Ok(())
    }

    fn end(&mut self, _world: &mut World) -> io::Result<()> {
        self.bar.finish_and_clear();
        Ok(())
    }
}
