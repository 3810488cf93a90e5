//! The solve of the state shown → energies, sampled numbers, and which of them are statically indeterminate.

use crate::probe::Probe;
use std::collections::BTreeMap;
use windlass_engine::prelude::{Energy, World};
use windlass_host::probe::ReactionMarks;

/// Readings of one instant.
#[derive(Debug, Default)]
pub(super) struct Readings {
    /// Energies [J].
    pub energy: Energy,
    /// The numbers of probes that need the solve, by name.
    pub numbers: BTreeMap<String, f64>,
    /// Statically indeterminate reactions.
    pub marks: ReactionMarks,
}

impl Readings {
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
    pub fn is_indeterminate(&self, probe: &Probe) -> bool {
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
