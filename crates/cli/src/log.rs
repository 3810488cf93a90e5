//! Outputs of a run → a table in a file.
//!
//! The first line is the start, the others are the selected steps. All numbers of a line are of the same
//! instant.
//!
//! The head marks reactions that are statically indeterminate at the start. Those that become so or are determined
//! later are reported at the end, as the head is written by then.

use crate::show;
use crate::table::{Destination, Table};
use std::fs;
use std::io;
use windlass_engine::prelude::{Settings, World};
use windlass_host::probe::{Indeterminate, Reaction};
use windlass_host::text::digits;
use windlass_host::{Observer, OutputReader, Outputs, Step, violation};

/// Selection of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// Every Nth.
    Every(u64),
    /// The first step at or after each sampling instant, given as instants per step.
    Rate(f64),
}

impl Sampling {
    /// A number of instants per second; steps of `dt` must be short enough for them.
    pub fn rate(hertz: f64, dt: f64) -> Result<Sampling, String> {
        let per_step = hertz * dt;
        // 60 Hz with steps of 1/60 s is one per step, whatever the last bit
        if per_step <= 1.0 + 1e-9 {
            return Ok(Sampling::Rate(per_step.min(1.0)));
        }
        let shorter = match Settings::DT.contains(&(1.0 / hertz)) {
            true => format!(", or simulate with a shorter step, --dt \"1/{} s\"", digits(hertz)),
            false => String::new(),
        };
        let [hertz, dt, most] = [hertz, dt, 1.0 / dt].map(digits);
        Err(format!(
            "{hertz} Hz exceeds the step rate: steps of {dt} s are {most} per second\n  \
             help: give at most {most} Hz{shorter}"
        ))
    }

    /// Whether a step, numbered from 1, is one of them.
    pub fn takes(self, number: u64) -> bool {
        match self {
            Sampling::Every(n) => number.is_multiple_of(n),
            Sampling::Rate(per_step) => {
                let instants = |number: u64| (number as f64 * per_step + 1e-9).floor();
                instants(number) > instants(number - 1)
            }
        }
    }
}

/// Explanation of indeterminate reactions.
pub const INDETERMINATE: &str =
    "the load distribution among these joints is not unique; only sums of their reactions are meaningful";

/// Names of joints, the first of them if there are many.
pub fn joint_list(names: &[String]) -> String {
    const MOST: usize = 8;
    let first = names.iter().take(MOST).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    match names.len() {
        0..=MOST => first,
        more => format!("{first} and {} more joints", more - MOST),
    }
}

/// A log that is being written.
pub struct Log {
    file: String,
    table: Box<dyn Table>,
    outputs: OutputReader,
    sampling: Sampling,
    /// Reactions that the head marks.
    marked: Vec<Reaction>,
}

impl Log {
    /// Creates the file.
    pub fn create(to: &Destination, outputs: Outputs, sampling: Sampling) -> io::Result<Log> {
        let (file, table) = (to.path.display().to_string(), to.create()?);
        Ok(Log { file, table, outputs: OutputReader::new(outputs), sampling, marked: Vec::new() })
    }
}

impl Log {
    /// Reports reactions whose marks in the head do not hold for the whole table.
    fn report_changes(&self, world: &World) {
        let is_marked = |found: &Indeterminate| self.marked.contains(&found.reaction);
        let all = self.outputs.outputs().indeterminate();
        let late: Vec<_> = all.iter().filter(|found| !is_marked(found)).collect();
        if let Some(first) = late.iter().map(|found| *found.instants.start()).reduce(f64::min) {
            show::tell(&format!(
                "{}: reactions of {} are statically indeterminate from {} s on, which the head does not mark: \
                 {INDETERMINATE}",
                self.file,
                joint_list(&joints_of(late, world)),
                digits(first)
            ));
        }
        let ended: Vec<_> = all.iter().filter(|found| is_marked(found) && !found.is_present).collect();
        if let Some(last) = ended.iter().map(|found| *found.instants.end()).reduce(f64::max) {
            show::tell(&format!(
                "{}: reactions of {} are statically indeterminate until {} s only",
                self.file,
                joint_list(&joints_of(ended, world)),
                digits(last)
            ));
        }
    }
}

/// The names of the joints of reactions, each once.
fn joints_of<'a>(found: impl IntoIterator<Item = &'a Indeterminate>, world: &World) -> Vec<String> {
    let mut names = Vec::new();
    for found in found {
        let name = violation::joint_name(world, found.reaction.0.index());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl Observer for Log {
    fn name(&self) -> String {
        self.file.clone()
    }

    fn start(&mut self, world: &mut World) -> io::Result<()> {
        self.outputs.mark(world);
        let shared = self.outputs.outputs().indeterminate();
        let names = joints_of(shared, world);
        self.marked = shared.iter().map(|found| found.reaction).collect();
        if !names.is_empty() {
            show::tell(&format!(
                "{}: reactions of {} are statically indeterminate: {INDETERMINATE}",
                self.file,
                joint_list(&names)
            ));
        }
        let begun = self.table.head(&self.outputs.outputs().heads());
        let begun = begun.and_then(|()| self.table.row(self.outputs.read(world, None)));
        // a table without a line is deleted; a device or a pipe stays
        if begun.is_err() && fs::symlink_metadata(&self.file).is_ok_and(|about| about.is_file()) {
            let _ = fs::remove_file(&self.file);
        }
        begun
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        self.outputs.count(world);
        if self.sampling.takes(step.number) {
            self.table.row(self.outputs.read(world, Some(step)))?;
        }
        Ok(())
    }

    fn end(&mut self, world: &mut World) -> io::Result<()> {
        self.report_changes(world);
        self.table.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_takes_as_many_steps_as_it_says() {
        for (hertz, dt) in [(60.0, 1.0 / 60.0), (100.0, 1e-3), (24.0, 1.0 / 60.0), (7.0, 1e-4), (0.5, 0.01)] {
            let sampling = Sampling::rate(hertz, dt).expect("steps are short enough");
            let steps = (10.0 / dt).round() as u64;
            let taken = (1..=steps).filter(|number| sampling.takes(*number)).count();
            assert_eq!(taken as f64, 10.0 * hertz, "{hertz} Hz of steps of {dt} s");
        }
        let refused = Sampling::rate(120.0, 1.0 / 60.0).expect_err("there are 60 steps per second");
        assert!(refused.contains("are 60 per second"), "{refused}");
        assert!(refused.contains("give at most 60 Hz") && refused.contains("--dt \"1/120 s\""), "{refused}");
    }
}
