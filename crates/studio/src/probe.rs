//! Names → numbers of the present state, for plots: those of `StateProbe`, and the tension of drawn lines.
//!
//! ```text
//!  cables.NAME.tension                                       the largest along it; also of ropes and rods
//! ```

use crate::line::Line;
use std::collections::BTreeMap;
use windlass_engine::inspect::instant::Inspection;
use windlass_engine::prelude::Energy;
use windlass_host::probe::{Reaction, StateProbe, quoted};
use windlass_scene::Built;

/// Largest number of names listed.
const MOST_NAMES: usize = 20_000;
/// Largest number of probes of a client.
pub const MOST: usize = 64;

/// The source of a number.
#[derive(Clone, Debug)]
enum Source {
    State(StateProbe),
    /// Of the lines of a name: the sections of a rope.
    Tension(Vec<u32>),
}

/// A number that can be plotted.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Its name.
    pub name: String,
    /// In ASCII, as scene files have it: "m/s".
    pub unit: &'static str,
    source: Source,
}

/// All numbers of a scene that can be plotted.
pub fn catalogue(built: &Built, lines: &[Line]) -> Vec<Probe> {
    let of_state = |probe: StateProbe| Probe {
        name: probe.name.clone(),
        unit: probe.unit,
        source: Source::State(probe),
    };
    let mut sections: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for line in lines {
        sections.entry(&line.look.name).or_default().push(line.look.id);
    }
    // where the first section of each is
    let of_line = |line: &Line| {
        let sections = sections.remove(line.look.name.as_str())?;
        let name = format!("cables.{}.tension", quoted(&line.look.name));
        Some(Probe { name, unit: "N", source: Source::Tension(sections) })
    };
    let whole = StateProbe::of_whole(built).into_iter().map(of_state);
    let parts = StateProbe::of_parts(built).into_iter().map(of_state);
    whole.chain(lines.iter().filter_map(of_line)).chain(parts).take(MOST_NAMES).collect()
}

impl Probe {
    /// The reaction of which it is a part, if any.
    pub fn reaction(&self) -> Option<Reaction> {
        match &self.source {
            Source::State(probe) => probe.reaction(),
            Source::Tension(_) => None,
        }
    }

    /// Its number in the solve of an instant, whose energies are given; none if it does not need the solve.
    pub fn inspected(&self, now: &Inspection<'_>, energy: &Energy) -> Option<f64> {
        match &self.source {
            Source::State(probe) => probe.inspected(now, energy),
            Source::Tension(_) => None,
        }
    }

    /// Its number in the state; NaN if there is none, or if it needs a solve.
    pub fn read(&self, built: &Built, lines: &[Line]) -> f64 {
        let read = match &self.source {
            Source::State(probe) => probe.read(built),
            Source::Tension(ids) => {
                let lines = ids.iter().filter_map(|id| lines.get(*id as usize));
                let points = lines.flat_map(|line| line.pieces(&built.world)).flatten();
                points.map(|p| p.1).reduce(f64::max)
            }
        };
        read.unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::lines;

    /// A rope of several sections is listed once, and read as a whole.
    #[test]
    fn a_name_is_listed_once() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/crane/mobile_crane_flexible.toml");
        let mut built = windlass_scene::read(path).and_then(|scene| scene.build()).expect("a scene");
        assert!(built.world.step().fault.is_none());
        let lines = lines(&built, 1.0);
        let probes = catalogue(&built, &lines);
        let mut names: Vec<&str> = probes.iter().map(|probe| probe.name.as_str()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        let several = |name: &str| lines.iter().filter(|line| line.look.name == name).count() > 1;
        let line = lines.iter().find(|line| several(&line.look.name)).expect("a rope of several sections");
        let name = format!("cables.{}.tension", line.look.name);
        let probe = probes.iter().find(|probe| probe.name == name).expect("it is listed");
        let own = lines.iter().filter(|other| other.look.name == line.look.name);
        let points = own.flat_map(|line| line.pieces(&built.world)).flatten();
        let largest = points.map(|point| point.1).fold(0.0, f64::max);
        assert_eq!(probe.read(&built, &lines), largest);
    }
}
