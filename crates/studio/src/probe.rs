//! Names → numbers of the present state, for plots: those of `StateProbe`, and the tension of drawn lines.
//!
//! ```text
//!  cables.NAME.tension                                       the largest along it; also of ropes and rods
//! ```

use crate::line::Line;
use windlass_engine::prelude::Energy;
use windlass_host::probe::StateProbe;
use windlass_scene::Built;

/// Largest number of names listed.
const MOST_NAMES: usize = 20_000;
/// Largest number of probes of a client.
pub const MOST: usize = 64;

/// The source of a number.
#[derive(Clone, Debug)]
enum Source {
    State(StateProbe),
    Tension(u32),
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
    let of_line = |line: &Line| Probe {
        name: format!("cables.{}.tension", line.look.name),
        unit: "N",
        source: Source::Tension(line.look.id),
    };
    let whole = StateProbe::of_whole(built).into_iter().map(of_state);
    let parts = StateProbe::of_parts(built).into_iter().map(of_state);
    whole.chain(lines.iter().map(of_line)).chain(parts).take(MOST_NAMES).collect()
}

impl Probe {
    /// Its present value; NaN if there is none.
    pub fn read(&self, built: &Built, lines: &[Line], energy: &Energy) -> f64 {
        let read = match &self.source {
            Source::State(probe) => probe.read(built, energy),
            Source::Tension(id) => lines.get(*id as usize).and_then(|line| {
                let tensions = line.pieces(&built.world).into_iter().flatten().map(|p| p.1);
                tensions.reduce(f64::max)
            }),
        };
        read.unwrap_or(f64::NAN)
    }
}
