//! Texts of measures → numbers of a run.
//!
//! ```text
//!  measure  = [label "="] (function "(" probe ")" | "first(" probe comparison number ")" | probe)
//!  function = end, start, min, max, mean, rms, range, integral, time_of_min, time_of_max
//! ```
//!
//! A probe alone is its `end`. A probe of several columns is measured column by column. Probes that are needed at the
//! start and end alone are not read at every step, since some of them require a solve.

use crate::error::{SweepError, SweepErrors};
use crate::table::Column;
use crate::time_series::{Condition, Function, TimeSeries};
use crate::value::outside;
use std::io;
use windlass_engine::prelude::World;
use windlass_host::{Machine, Observer, OutputReader, Outputs, ProbeError, Step, violation};
use windlass_scene::units::{self, Dimension};

/// A measure as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    text: String,
    label: Option<String>,
    function: Function,
    probe: String,
    /// The comparison of `first` and its threshold.
    condition: Option<(&'static str, String)>,
}

impl Measure {
    /// Reads the text of a measure.
    pub fn parse(text: &str) -> Result<Measure, SweepError> {
        let text = text.trim();
        // comparisons stand inside parentheses
        let sign = outside(text).find(|(_, c)| *c == '=').map(|(at, _)| at);
        let label = sign.map(|at| text[..at].trim().to_string());
        if label.as_deref() == Some("") {
            return Err(SweepError::within(
                text,
                "no label before =",
                "write label=measure, or the measure alone",
            ));
        }
        let rest = text[sign.map_or(0, |at| at + 1)..].trim();
        let call =
            rest.split_once('(').and_then(|(name, inside)| Some((name.trim(), inside.strip_suffix(')')?)));
        let named = call.and_then(|(name, inside)| {
            let function = Function::NAMED.iter().find(|(known, _)| *known == name)?.1;
            Some((function, inside.trim()))
        });
        if let (None, Some((name, _))) = (named, call) {
            check_name(text, name)?;
        }
        let (function, inside) = named.unwrap_or((Function::End, rest));
        let (probe, condition) = match function {
            Function::First => compared(text, inside)?,
            _ => (inside.to_string(), None),
        };
        if probe.is_empty() {
            return Err(SweepError::within(
                text,
                "it names no probe",
                "write for example max(bodies.load.speed)",
            ));
        }
        Ok(Measure { text: text.to_string(), label, function, probe, condition })
    }

    /// The probe with the label of the measure.
    fn labelled(&self) -> String {
        match &self.label {
            Some(label) => format!("{label}={}", self.probe),
            None => self.probe.clone(),
        }
    }

    /// The name of the measure of a column.
    fn name(&self, column: &str) -> String {
        let function = Function::NAMED.iter().find(|(_, f)| *f == self.function).map_or("", |(name, _)| name);
        match (&self.label, &self.condition) {
            (Some(_), _) => column.to_string(),
            (None, Some((sign, limit))) => format!("{function}({column} {sign} {limit})"),
            (None, None) => format!("{function}({column})"),
        }
    }

    /// The condition of `first`, in the unit of its probe.
    fn limit(&self, unit: &str) -> Result<Option<Condition>, SweepError> {
        let Some((sign, limit)) = &self.condition else { return Ok(None) };
        let dimension = match unit {
            "" => Dimension::default(),
            unit => units::quantity(&format!("1 {unit}")).ok().and_then(|(_, d)| d).unwrap_or_default(),
        };
        let limit = units::parse(limit, dimension).map_err(|e| {
            let help = e.help().unwrap_or_else(|| format!("give the threshold in {unit}"));
            SweepError::within(&self.text, e, help)
        })?;
        Ok(Some(match *sign {
            ">" => Condition::Above(limit),
            ">=" => Condition::AtLeast(limit),
            "<" => Condition::Below(limit),
            _ => Condition::AtMost(limit),
        }))
    }
}

/// Rejects the name of a function that is neither a measure nor the beginning of a probe.
fn check_name(text: &str, name: &str) -> Result<(), SweepError> {
    let known = Function::NAMED.iter().map(|(name, _)| *name);
    // distance(…), contact(…), cables.NAME.tension(2 m)
    if ["distance", "contact"].contains(&name) || name.contains('.') {
        return Ok(());
    }
    let list: Vec<_> = known.clone().collect();
    let near = windlass_scene::suggestion::nearest(name, known).map(|near| format!("did you mean {near}? "));
    let help = format!("{}the measures are {}", near.unwrap_or_default(), list.join(", "));
    Err(SweepError::within(text, format!("no measure {name}(…)"), help))
}

type Compared = (String, Option<(&'static str, String)>);

/// The parts of `probe > threshold`.
fn compared(text: &str, inside: &str) -> Result<Compared, SweepError> {
    let found = outside(inside).find(|(_, c)| matches!(c, '<' | '>')).map(|(at, _)| at);
    let Some(at) = found else {
        let help = "write for example first(bodies.load.speed > 0.5 m/s)";
        return Err(SweepError::within(text, "first needs a condition with <, <=, > or >=", help));
    };
    let signs = [">=", "<=", ">", "<"];
    let sign = signs.into_iter().find(|sign| inside[at..].starts_with(sign)).unwrap_or(">");
    let (probe, limit) = (&inside[..at], &inside[at + sign.len()..]);
    if limit.trim().is_empty() {
        return Err(SweepError::within(
            text,
            "the condition has no threshold",
            "write a number after it, with a unit",
        ));
    }
    Ok((probe.trim().to_string(), Some((sign, limit.trim().to_string()))))
}

/// Where the number of a column comes from.
#[derive(Clone, Copy, Debug)]
struct Slot {
    function: Function,
    /// Its place among the outputs of every step, or among those of the ends.
    place: usize,
    condition: Option<Condition>,
}

/// Measures compiled for a machine.
#[derive(Debug)]
pub struct Compiled {
    columns: Vec<Column>,
    slots: Vec<Slot>,
    every: Outputs,
    ends: Outputs,
}

impl Compiled {
    /// Compiles measures. All errors are returned at once.
    pub fn new(measures: &[Measure], machine: &Machine) -> Result<Compiled, SweepErrors> {
        let (mut wrong, mut errors): (Vec<ProbeError>, Vec<SweepError>) = Default::default();
        let mut parsed = Vec::new();
        for measure in measures {
            let bare = machine.outputs(&[measure.probe.as_str()]);
            match bare.and_then(|bare| Ok((bare, machine.outputs(&[measure.labelled().as_str()])?))) {
                Ok((bare, labelled)) => parsed.push((measure, bare, labelled)),
                Err(errors) => wrong.extend(errors),
            }
        }
        if !wrong.is_empty() {
            return Err(SweepErrors::Probes(wrong));
        }
        let group = |every: bool| -> Result<Outputs, SweepErrors> {
            let texts = measures.iter().filter(|m| m.function.needs_every_step() == every);
            let texts: Vec<_> = texts.map(|m| m.probe.as_str()).collect();
            machine.outputs(&texts).map_err(SweepErrors::Probes)
        };
        let (every, ends) = (group(true)?, group(false)?);
        let (mut columns, mut slots): (Vec<Column>, Vec<Slot>) = Default::default();
        for (measure, bare, labelled) in parsed {
            let group = if measure.function.needs_every_step() { &every } else { &ends };
            for (column, shown) in bare.columns().iter().zip(labelled.columns()) {
                if column.name == "step.wall_time" {
                    let help = "a table of a sweep repeats bitwise: measure wall times with windlass bench";
                    errors.push(SweepError::within(&measure.text, "wall times do not repeat", help));
                }
                let condition = measure.limit(column.unit).unwrap_or_else(|e| {
                    errors.push(e);
                    None
                });
                let place = group.columns().iter().position(|c| c.name == column.name).unwrap_or_default();
                slots.push(Slot { function: measure.function, place, condition });
                let unit = measure.function.unit(column.unit);
                columns.push(Column { name: measure.name(&shown.name), unit });
            }
        }
        match errors.is_empty() {
            true => Ok(Compiled { columns, slots, every, ends }),
            false => Err(SweepErrors::Entries(errors)),
        }
    }

    /// The columns of the measures.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The names of the joints among the measures whose reactions are statically indeterminate at the present state.
    pub fn indeterminate(&mut self, machine: &mut Machine) -> Vec<String> {
        let mut names = Vec::new();
        for outputs in [&mut self.every, &mut self.ends] {
            outputs.mark(machine.world_mut());
            let joints = outputs.indeterminate().iter().map(|found| found.reaction.0.index());
            names.extend(joints.map(|place| violation::joint_name(machine.world(), place)));
        }
        names.sort();
        names.dedup();
        names
    }

    /// The measures of a machine at its start.
    pub fn begin(self, machine: &mut Machine) -> Measuring {
        let courses = self.slots.iter().map(|slot| TimeSeries::new(slot.condition)).collect();
        let mut start = vec![f64::NAN; self.ends.len()];
        machine.read(&self.ends, &mut start);
        Measuring { slots: self.slots, courses, start, ends: self.ends, every: OutputReader::new(self.every) }
    }
}

/// Measures of a run, fed by its steps.
#[derive(Debug)]
pub struct Measuring {
    slots: Vec<Slot>,
    courses: Vec<TimeSeries>,
    /// The outputs of the ends before the first step.
    start: Vec<f64>,
    ends: Outputs,
    every: OutputReader,
}

impl Measuring {
    fn add(&mut self, world: &mut World, step: Option<&Step<'_>>) {
        if self.every.outputs().is_empty() {
            return;
        }
        let time = world.state().time;
        let numbers = self.every.read(world, step);
        for (slot, course) in self.slots.iter().zip(&mut self.courses) {
            if slot.function.needs_every_step() {
                course.add(time, numbers[slot.place]);
            }
        }
    }

    /// The measures after the last step.
    pub fn end(self, machine: &mut Machine) -> Vec<f64> {
        let mut end = vec![f64::NAN; self.ends.len()];
        machine.read(&self.ends, &mut end);
        let number = |(slot, course): (&Slot, &TimeSeries)| match slot.function {
            Function::Start => self.start[slot.place],
            Function::End => end[slot.place],
            function => course.measure(function),
        };
        self.slots.iter().zip(&self.courses).map(number).collect()
    }
}

impl Observer for Measuring {
    fn name(&self) -> String {
        "the measures".to_string()
    }

    fn start(&mut self, world: &mut World) -> io::Result<()> {
        self.add(world, None);
        Ok(())
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        self.every.count(world);
        self.add(world, Some(step));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_read() {
        let parsed = |text: &str| {
            let m = Measure::parse(text).unwrap_or_else(|e| panic!("{e}"));
            (m.label, m.function, m.probe, m.condition)
        };
        let bare = |probe: &str| (None, Function::End, probe.to_string(), None);
        assert_eq!(parsed("bodies.load.speed"), bare("bodies.load.speed"));
        assert_eq!(parsed("distance(bodies.a, bodies.b)"), bare("distance(bodies.a, bodies.b)"));
        assert_eq!(parsed("cables.c.tension(2 m)"), bare("cables.c.tension(2 m)"));
        let (label, function, probe, _) = parsed("peak = max( cables.\"a=b\".max_tension )");
        assert_eq!(
            (label.as_deref(), function, probe.as_str()),
            (Some("peak"), Function::Max, "cables.\"a=b\".max_tension")
        );
        let (label, function, probe, condition) = parsed("first(distance(bodies.a, bodies.b) >= 5 cm)");
        assert_eq!(
            (label, function, probe.as_str()),
            (None, Function::First, "distance(bodies.a, bodies.b)")
        );
        assert_eq!(condition, Some((">=", "5 cm".to_string())));
    }

    #[test]
    fn what_is_wrong_is_named_with_a_remedy() {
        for (text, words, help) in [
            ("maximum(bodies.a.speed)", "no measure maximum", "max"),
            ("first(bodies.a.speed)", "needs a condition", "first(bodies.load.speed >"),
            ("first(bodies.a.speed >)", "no threshold", "number"),
            ("max()", "names no probe", "max(bodies"),
            ("=max(time)", "no label", "label=measure"),
        ] {
            let told = Measure::parse(text).expect_err(text);
            assert!(told.message.contains(words) && told.help.contains(help), "{told}");
        }
    }
}
