//! What can be read of a run: the report of its last step, and of the solve of the state shown the energies, the sampled
//! numbers, and which of them are statically indeterminate.

use super::run::{LONGEST_NAME, Run};
use crate::message::ServerMessage;
use crate::probe::{self, Probe};
use std::collections::BTreeMap;
use windlass_engine::prelude::{Energy, Report, World};
use windlass_host::probe::ReactionMarks;

/// Readings of a run.
#[derive(Debug, Default)]
pub struct Readings {
    /// All numbers that can be plotted.
    pub catalogue: Vec<Probe>,
    /// Of the last step.
    pub report: Report,
    /// Energies [J].
    pub energy: Energy,
    /// The numbers of probes that need the solve, by name.
    numbers: BTreeMap<String, f64>,
    /// Statically indeterminate reactions.
    marks: ReactionMarks,
}

impl Readings {
    /// The machine has another model.
    pub fn begin(&mut self, run: &Run) {
        self.catalogue = probe::catalogue(run.machine.built(), &run.lines);
        (self.report, self.marks) = (Report::default(), ReactionMarks::default());
    }

    /// Of these names, the probes, and the last name that is none.
    pub fn find(&self, names: &[String]) -> (Vec<Probe>, Option<String>) {
        let (mut probes, mut unknown) = (Vec::new(), None);
        for name in names {
            match self.catalogue.iter().find(|probe| probe.name == *name) {
                Some(probe) => probes.push(probe.clone()),
                None => unknown = Some(name.chars().take(LONGEST_NAME).collect()),
            }
        }
        (probes, unknown)
    }

    /// The catalogue as a message.
    pub fn names(&self) -> ServerMessage {
        let mut units: Vec<&'static str> = Vec::new();
        let mut index = |unit: &'static str| {
            let known = units.iter().position(|u| *u == unit);
            known.unwrap_or_else(|| {
                units.push(unit);
                units.len() - 1
            }) as u8
        };
        let unit = self.catalogue.iter().map(|probe| index(probe.unit)).collect();
        let probes = self.catalogue.iter().map(|probe| probe.name.clone()).collect();
        ServerMessage::Names { probes, units, unit }
    }

    /// The numbers of the state shown.
    pub fn sample(&self, run: &Run, probes: &[Probe]) -> ServerMessage {
        let read = |probe: &Probe| {
            let solved = self.numbers.get(&probe.name).copied();
            solved.unwrap_or_else(|| probe.read(run.machine.built(), &run.lines))
        };
        let values = probes.iter().map(|probe| (probe.name.clone(), read(probe))).collect();
        let shared = probes.iter().filter(|probe| self.is_indeterminate(probe));
        let indeterminate = shared.map(|probe| probe.name.clone()).collect();
        ServerMessage::Sample { time: run.machine.time(), live: run.is_live(), values, indeterminate }
    }

    /// Forgets the numbers of the last solve.
    pub fn clear(&mut self) {
        self.numbers.clear();
    }

    /// Solves the instant and reads it.
    pub fn read<'p>(&mut self, world: &mut World, probes: impl Iterator<Item = &'p Probe>) {
        let time = world.state().time;
        let now = world.inspect();
        self.energy = now.energy();
        let mut has_reactions = false;
        for probe in probes {
            has_reactions |= probe.reaction().is_some();
            if let Some(number) = probe.inspected(&now, &self.energy) {
                self.numbers.insert(probe.name.clone(), number);
            }
        }
        if has_reactions {
            self.marks.follow(&now, time, |_| true);
        }
    }

    /// Whether a probe is part of a statically indeterminate reaction.
    fn is_indeterminate(&self, probe: &Probe) -> bool {
        probe.reaction().is_some_and(|reaction| self.marks.is_present(reaction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::catalogue;

    /// A load on two ropes that become taut after 0.2 m: from then on nobody can say which of them holds it.
    #[test]
    fn reactions_are_marked_while_they_are_indeterminate() {
        let rope =
            "distance = { bodies = [\"ceiling\", \"load\"], points = [[0, 0, 0], [0, 0, -1]], max = 1.2 }";
        let text = format!(
            "windlass = 2\n[bodies.ceiling]\ntype = \"static\"\n[bodies.load]\nposition = [0, 0, -1]\nmass = 10\n\
             shape = {{ sphere = {{ radius = 0.1 }} }}\n[joints.one]\n{rope}\n[joints.two]\n{rope}\n"
        );
        let mut built =
            windlass_scene::parse(&text, "test").and_then(|scene| scene.build()).expect("a scene");
        let probes: Vec<Probe> = catalogue(&built, &[]);
        let force = probes.iter().find(|probe| probe.name == "joints.one.force.z").expect("it is listed");
        let place = probes.iter().find(|probe| probe.name == "bodies.load.position.z").expect("it is listed");
        let mut readings = Readings::default();
        readings.read(&mut built.world, [force, place].into_iter());
        assert!(!readings.is_indeterminate(force) && readings.numbers["joints.one.force.z"] == 0.0);
        assert!(!readings.numbers.contains_key("bodies.load.position.z"), "it needs no solve");
        for _ in 0..60 {
            assert!(built.world.step().fault.is_none());
        }
        readings.read(&mut built.world, [force, place].into_iter());
        assert!(readings.is_indeterminate(force) && !readings.is_indeterminate(place));
    }
}
