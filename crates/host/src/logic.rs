//! Controllers and rules before each step: probes of the state → actions on inputs, then the step.
//!
//! All steps of a scene that may have controllers are taken by [`Logic::step`]. What controllers remember is part of
//! State, and they read nothing else, so a restored, replayed or forked run continues bit for bit. A step is evaluated
//! once, however often it is tried.

use crate::probe::{ProbeError, Reading};
use windlass_engine::prelude::{Fault, Report, World};
use windlass_scene::{Built, Cause, Errors, LogicItem, LogicStep, Problem, Scene};

/// The readings of the controllers of a world, compiled. It must be compiled again after an edit of the model.
#[derive(Clone, Debug, Default)]
pub struct Logic {
    readings: Vec<Reading>,
    values: Vec<f64>,
    step: LogicStep,
}

impl Logic {
    /// Compiles the readings of a world.
    ///
    /// # Errors
    /// All probes that are wrong, by their numbers.
    pub fn of(world: &World) -> Result<Logic, Vec<(usize, ProbeError)>> {
        let (mut readings, mut errors) = (Vec::new(), Vec::new());
        for (number, text) in LogicStep::probes(world).iter().enumerate() {
            match Reading::parse(text, world) {
                Ok(reading) => readings.push(reading),
                Err(error) => errors.push((number, error)),
            }
        }
        let values = vec![f64::NAN; readings.len()];
        if errors.is_empty() {
            Ok(Logic { readings, values, step: LogicStep::default() })
        } else {
            Err(errors)
        }
    }

    /// The same for a scene that has been built, with errors at their positions in its text.
    pub fn of_scene(scene: &Scene, built: &Built) -> Result<Logic, Errors> {
        Logic::of(&built.world).map_err(|errors| {
            let problem = |(number, error): &(usize, ProbeError)| {
                let [text, message, help] = error.parts();
                let span = built.controller_probes.get(*number).map_or(0..0, |probe| probe.span());
                let quoted = if help.contains("names with dots") {
                    "; in an expression, put the probe in backquotes"
                } else {
                    ""
                };
                let help = Some(format!("{help}{quoted}"));
                Problem { span, message: format!("probe `{text}`: {message}"), help }
            };
            let mut problems: Vec<_> = errors.iter().map(problem).collect();
            problems.sort_by_key(|problem| problem.span.start);
            let (file, sources) = (scene.file.clone(), scene.sources.clone());
            Errors { file, sources, cause: Cause::Text, problems }
        })
    }

    /// Evaluates the controllers for the next step, unless that has been done, and acts on the inputs.
    ///
    /// # Errors
    /// A controller whose value is not finite; the state is unchanged.
    pub fn act(&mut self, world: &mut World) -> Result<(), Box<Fault>> {
        if !LogicStep::is_due(world) {
            return Ok(());
        }
        for (value, reading) in self.values.iter_mut().zip(&self.readings) {
            *value = reading.read(world);
        }
        self.step.advance(world, &self.values)
    }

    /// Evaluates the controllers and takes a step.
    pub fn step(&mut self, world: &mut World) -> Report {
        match self.act(world) {
            Ok(()) => world.step(),
            Err(fault) => Report { fault: Some(fault), ..Report::default() },
        }
    }
}

/// Text of a switch that is on, and of one that is off, in recordings.
const SWITCHED: [&str; 2] = ["on", "off"];

/// The text of a switch.
pub fn switch_text(on: bool) -> &'static str {
    SWITCHED[usize::from(!on)]
}

/// Switches a controller or rule of a name, if the text is that of a switch; returns whether it is.
pub fn switch(world: &mut World, name: &str, text: &str) -> Result<bool, String> {
    let Some(place) = SWITCHED.iter().position(|word| *word == text) else { return Ok(false) };
    let number = LogicItem::find(world, name).ok_or_else(|| format!("no controller or rule \"{name}\""))?;
    LogicItem::switch(world, number, place == 0).map_err(|e| e.to_string())?;
    Ok(true)
}
