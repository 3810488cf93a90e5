//! A description → a sweep, prepared once → its rows by index.
//!
//! A row reads and builds the scene with its values as overrides, runs it, and measures it. That is the run that
//! `windlass run --set …` makes with the same values.

use crate::description::{Description, KeptFiles};
use crate::error::{SweepError, SweepErrors};
use crate::measure::{Compiled, Measure};
use crate::space::Space;
use crate::table::{AFTER, BEFORE, Column, Header, Row, Status};
use crate::value::Setting;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use windlass_host::probe::scene_probes;
use windlass_host::run::step_count;
use windlass_host::{Ending, Machine, Plan, Supervisor, replay};
use windlass_scene::files::Files;
use windlass_scene::{Errors, Override};

/// Longest text of a message in a row [bytes]: the first problems of a scene.
const LONGEST_MESSAGE: usize = 500;

/// A sweep whose description is valid.
#[derive(Debug)]
pub struct Sweep {
    description: Description,
    files: Arc<dyn Files>,
    space: Space,
    columns: Vec<Column>,
    indeterminate: Vec<String>,
    digest: u64,
}

impl Sweep {
    /// Checks a description and prepares its rows.
    ///
    /// # Errors
    /// The scene is invalid without the varied values, or in the first, the middle and the last row; an entry is invalid;
    /// a probe of a measure does not exist.
    pub fn new(mut description: Description) -> Result<Sweep, SweepErrors> {
        check(&description)?;
        let Description { vary, samples, method, seed, .. } = &description;
        let space = Space::new(vary.clone(), *samples, *method, *seed).map_err(SweepErrors::Entries)?;
        let scene = description.parse(&description.scene.files, &description.overrides)?;
        // as a recording of the scene has them: its text, then everything it includes
        let header = replay::header(&scene, &description.overrides)
            .map_err(|e| SweepError::new(e.to_string(), "check the files that the scene names"))?;
        let kept: Vec<_> = header.sources.into_iter().map(|source| (source.name, source.bytes)).collect();
        let files: Arc<dyn Files> =
            Arc::new(KeptFiles::new(kept.get(1..).unwrap_or_default(), description.scene.files.clone()));
        let mut machine = first_valid(&description, &space, &files)?;
        if description.measures.is_empty() {
            description.measures = own_probes(&machine)?;
        }
        let mut compiled = Compiled::new(&description.measures, &machine)?;
        let indeterminate = compiled.indeterminate(&mut machine);
        let varied = space.varies().iter().map(|v| Column { name: v.key.clone(), unit: v.unit.clone() });
        let columns: Vec<_> = varied.chain(compiled.columns().iter().cloned()).collect();
        for (place, column) in columns.iter().enumerate() {
            let is_of_table = column.name == BEFORE || AFTER.contains(&column.name.as_str());
            if is_of_table || columns[..place].iter().any(|other| other.name == column.name) {
                let message = format!("two columns are called \"{}\"", column.name);
                return Err(SweepError::new(message, "give a measure another label: label=measure").into());
            }
        }
        let digest = description.digest(&kept);
        Ok(Sweep { description, files, space, columns, indeterminate, digest })
    }

    /// Number of rows; at least one.
    #[expect(clippy::len_without_is_empty, reason = "a sweep has a row")]
    pub fn len(&self) -> u64 {
        self.space.len()
    }

    /// The columns of values, one per varied key, and of measures.
    pub fn columns(&self) -> (&[Column], &[Column]) {
        self.columns.split_at(self.space.varies().len())
    }

    /// The names of the joints whose measured reactions are statically indeterminate at the start of a row: the first,
    /// or the next that is valid.
    pub fn indeterminate(&self) -> &[String] {
        &self.indeterminate
    }

    /// What the rows belong to, and the heads of all columns.
    pub fn header(&self) -> Header {
        let heads = self.columns.iter().map(Column::head);
        let after = AFTER.iter().map(|name| name.to_string());
        let columns = std::iter::once(BEFORE.to_string()).chain(heads).chain(after).collect();
        let sampled = self.space.varies().iter().enumerate().filter(|(_, vary)| vary.is_sampled());
        let sampled = sampled.map(|(place, _)| place + 1).collect();
        Header { digest: self.digest, rows: self.len(), varied: self.space.varies().len(), sampled, columns }
    }

    /// The overrides of a row: those of the description, then its values.
    pub fn overrides(&self, index: u64) -> Vec<Override> {
        overrides(&self.description, &self.space, self.space.settings(index))
    }

    /// A row by its index, below `len`.
    pub fn row(&self, index: u64) -> Row {
        self.stoppable_row(index, &|| false)
            .unwrap_or_else(|| self.failed(index, Status::Error, "interrupted".into()))
    }

    /// A row, unless it is stopped before its end.
    pub(crate) fn stoppable_row(&self, index: u64, stop: &dyn Fn() -> bool) -> Option<Row> {
        // a panic is a bug; it must not take the other rows with it
        let result = catch_unwind(AssertUnwindSafe(|| self.run(index, stop)));
        let told = "internal error in the engine (a bug in Windlass)";
        result.unwrap_or_else(|_| Some(self.failed(index, Status::Error, told.to_string())))
    }

    fn run(&self, index: u64, stop: &dyn Fn() -> bool) -> Option<Row> {
        let opened = self
            .description
            .parse(&self.files, &self.overrides(index))
            .and_then(|scene| Machine::from_scene(scene, &[]));
        let mut machine = match opened {
            Ok(machine) => machine,
            Err(errors) => return Some(self.failed(index, Status::Error, errors.to_string())),
        };
        let compiled = match Compiled::new(&self.description.measures, &machine) {
            Ok(compiled) => compiled,
            Err(errors) => return Some(self.failed(index, Status::Error, errors.to_string())),
        };
        if compiled.columns() != self.columns().1 {
            let told = "the measures have other columns than in the first row: name one item per measure";
            return Some(self.failed(index, Status::Error, told.to_string()));
        }
        let seconds = self.description.duration.unwrap_or(machine.seconds());
        let steps = step_count(seconds, machine.dt());
        let mut measuring = compiled.begin(&mut machine);
        let result = machine.run(Plan::steps(steps), &mut Stop(stop), &mut [&mut measuring]);
        let hash = Some(machine.world().state().hash());
        match result.ending {
            Ending::Interrupted => None,
            Ending::Fault(fault) => {
                Some(Row { hash, ..self.failed(index, Status::Fault, fault.to_string()) })
            }
            Ending::Complete => {
                let measures = measuring.end(&mut machine);
                Some(Row { measures, hash, ..self.failed(index, Status::Ok, String::new()) })
            }
        }
    }

    /// A row without measures.
    fn failed(&self, index: u64, status: Status, message: String) -> Row {
        let values = self.space.settings(index).into_iter().map(|setting| setting.cell).collect();
        let measures = vec![f64::NAN; self.columns().1.len()];
        let end = (0..=LONGEST_MESSAGE.min(message.len())).rev().find(|at| message.is_char_boundary(*at));
        let message = message[..end.unwrap_or(0)].replace('\n', "; ");
        Row { index, values, measures, status, message, hash: None }
    }
}

/// Errors that need no scene.
fn check(description: &Description) -> Result<(), SweepErrors> {
    let mut errors = Vec::new();
    for vary in &description.vary {
        if description.overrides.iter().any(|set| set.key == vary.key) {
            let message = format!("{} is overridden and varied", vary.key);
            errors.push(SweepError::new(message, "leave one of them out"));
        }
    }
    if description.vary.is_empty() {
        errors.push(SweepError::new("nothing is varied", "give a key and its values, as in KEY=a..b:n"));
    }
    if description.duration.is_some_and(|seconds| !(seconds > 0.0 && seconds < 1e10)) {
        errors.push(SweepError::new("the duration is not above 0 s and below 1e10 s", "give another"));
    }
    if errors.is_empty() { Ok(()) } else { Err(SweepErrors::Entries(errors)) }
}

fn overrides(description: &Description, space: &Space, settings: Vec<Setting>) -> Vec<Override> {
    let set = |(vary, setting): (&crate::vary::Vary, Setting)| Override {
        key: vary.key.clone(),
        value: setting.text,
    };
    description.overrides.iter().cloned().chain(space.varies().iter().zip(settings).map(set)).collect()
}

/// The machine of the first of three rows that is valid; a key that is wrong makes all of them invalid.
fn first_valid(description: &Description, space: &Space, files: &Arc<dyn Files>) -> Result<Machine, Errors> {
    let open = |index: u64| {
        let overrides = overrides(description, space, space.settings(index));
        description.parse(files, &overrides).and_then(|scene| Machine::from_scene(scene, &overrides))
    };
    let first = open(0);
    let (middle, last) = (space.len() / 2, space.len() - 1);
    match first {
        Ok(machine) => Ok(machine),
        Err(errors) => open(middle).or_else(|_| open(last)).map_err(|_| errors),
    }
}

/// The scene's own probes at the end of the run.
fn own_probes(machine: &Machine) -> Result<Vec<Measure>, SweepErrors> {
    let own = scene_probes(machine.built());
    if own.is_empty() {
        let help = "give a measure, such as max(bodies.load.speed), or add [probes] to the scene";
        return Err(SweepError::new("nothing is measured", help).into());
    }
    Ok(own.iter().map(|text| Measure::parse(text)).collect::<Result<_, _>>()?)
}

/// Ends a run when the caller asks for it.
struct Stop<'a>(&'a dyn Fn() -> bool);

impl Supervisor for Stop<'_> {
    fn before_step(&mut self, _number: u64) -> ControlFlow<()> {
        if (self.0)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
