//! Response amplitude operators of a vessel and the waves of a fluid → its motion as sums of sines.
//!
//! Component i of the waves, a cos(k·x − ω t + ε), moves degree of freedom j by
//!
//! ```text
//!  r(t) a R_j(ω) cos(ω t − k·x₀ − ε − φ_j(ω))
//! ```
//!
//! with x₀ the mean position, R_j and φ_j interpolated linearly over ω, and r the ramp of the waves.

use crate::error::Problems;
use crate::material::Materials;
use crate::number::{Numbers, Quantity};
use crate::text::Entry;
use crate::text::fluid::{Fluid as FluidText, Rao};
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::math;
use windlass_engine::prelude::{Motion, Path, PathRotation};
use windlass_fluid::waves::{Component, Waves, wavenumber};

/// The waves of a scene by the names of their fluids.
#[derive(Debug, Default)]
pub(crate) struct SceneWaves(Vec<(String, Waves)>);

impl SceneWaves {
    /// Builds them. Problems are reported by `plan` as well, once.
    pub fn new(
        texts: &[Entry<FluidText>],
        gravity: f64,
        materials: &Materials,
        p: &mut Problems,
    ) -> SceneWaves {
        let with_waves = texts.iter().filter(|entry| entry.value.waves.is_some());
        let built = with_waves.filter_map(|entry| super::flow::fluid(entry, gravity, materials, p));
        SceneWaves(built.filter_map(|fluid| Some((fluid.name, fluid.waves?))).collect())
    }
}

/// Adds the motion of a vessel to a path, about its mean pose.
pub(crate) fn moved(
    path: Path,
    text: &Spanned<Rao>,
    waves: &SceneWaves,
    (at, orientation): (DVec3, DQuat),
    p: &mut Problems,
) -> Option<Path> {
    let (rao, span) = (text.get_ref(), text.span());
    let waves = chosen(rao, &span, &waves.0, p)?;
    let frequencies = frequencies(rao, p)?;
    let linear =
        [("surge", &rao.surge), ("sway", &rao.sway), ("heave", &rao.heave)].map(|(key, response)| {
            let response = response.as_ref().map(|r| (&r.amplitude, r.phase.as_ref()));
            table(key, response, (&frequencies, &span), p)
        });
    let angular = [("yaw", &rao.yaw), ("pitch", &rao.pitch), ("roll", &rao.roll)].map(|(key, response)| {
        let response = response.as_ref().map(|r| (&r.amplitude, r.phase.as_ref()));
        table(key, response, (&frequencies, &span), p)
    });
    let [surge, sway, heave] = linear;
    let along = [surge?, sway?, heave?].map(|table| motion(&table, waves, at));
    let [yaw, pitch, roll] = angular;
    let about = [yaw?, pitch?, roll?].map(|table| motion(&table, waves, at));
    let Path { position, mut rotations, orientation: start } = path;
    let mut axis = 0;
    let position = position.map(|mean| {
        let parts = along.iter().zip(DVec3::AXES).map(|(part, own)| part.scaled((orientation * own)[axis]));
        let sum = std::iter::once(mean).chain(parts).collect();
        axis += 1;
        Motion::Sum(sum)
    });
    let axes = [DVec3::Z, DVec3::Y, DVec3::X].map(|own| (math::unit(orientation) * own).normalize());
    rotations.extend(axes.into_iter().zip(about).map(|(axis, angle)| PathRotation { axis, angle }));
    Some(Path { position, rotations, orientation: start })
}

/// The waves that a vessel follows.
fn chosen<'a>(
    rao: &Rao,
    span: &Range<usize>,
    waves: &'a [(String, Waves)],
    p: &mut Problems,
) -> Option<&'a Waves> {
    let found = match (&rao.fluid, waves) {
        (Some(name), _) => waves.iter().find(|(other, _)| other == name.get_ref()),
        (None, [one]) => Some(one),
        (None, _) => None,
    };
    let Some((name, found)) = found else {
        let message = match &rao.fluid {
            Some(name) => format!("no fluid \"{}\" with waves", name.get_ref()),
            None => format!("{} fluids have waves, not one", waves.len()),
        };
        p.advise(span.clone(), message, "name a fluid with waves: rao = { fluid = \"sea\", … }");
        return None;
    };
    let first = found.components()[0].direction;
    if found.components().iter().any(|c| c.direction.distance(first) > 1e-9) {
        let message = format!("the waves of \"{name}\" come from several directions");
        let help = "leave `spreading` out: response amplitude operators hold for one direction";
        p.advise(span.clone(), message, help);
        return None;
    }
    Some(found)
}

/// Frequencies of the table [rad/s], decreasing.
fn frequencies(rao: &Rao, p: &mut Problems) -> Option<Vec<f64>> {
    let periods = p.numbers("periods", &rao.periods)?;
    if periods.is_empty() || periods.windows(2).any(|pair| pair[1] <= pair[0]) {
        p.advise(
            rao.periods.span(),
            "`periods` do not increase",
            "give at least one, each longer than the last",
        );
        return None;
    }
    Some(periods.into_iter().map(|period| TAU / period).collect())
}

/// A response by frequency, from the lowest: (ω, amplitude, phase). Empty if it is not given.
fn table<A: Quantity, B: Quantity>(
    key: &str,
    response: Option<(&Numbers<A>, Option<&Numbers<B>>)>,
    (frequencies, span): (&[f64], &Range<usize>),
    p: &mut Problems,
) -> Option<Vec<(f64, f64, f64)>> {
    let Some((amplitude, phase)) = response else { return Some(Vec::new()) };
    let amplitudes = p.numbers("amplitude", amplitude)?;
    let phases = match phase {
        Some(numbers) => p.numbers("phase", numbers)?,
        None => vec![0.0; frequencies.len()],
    };
    let count = frequencies.len();
    if amplitudes.len() != count || phases.len() != count {
        let (a, b) = (amplitudes.len(), phases.len());
        let message = format!("`{key}` has {a} amplitudes and {b} phases for {count} periods");
        p.advise(span.clone(), message, "give one of each per period");
        return None;
    }
    let rows = frequencies.iter().zip(amplitudes).zip(phases);
    let mut rows: Vec<_> =
        rows.map(|((frequency, amplitude), phase)| (*frequency, amplitude, phase)).collect();
    rows.reverse();
    // neighbouring phases differ by half a turn at most
    for k in 1..rows.len() {
        let turns = ((rows[k].2 - rows[k - 1].2) / TAU).round();
        rows[k].2 -= turns * TAU;
    }
    Some(rows)
}

/// Amplitude and phase at a frequency.
fn interpolated(table: &[(f64, f64, f64)], frequency: f64) -> (f64, f64) {
    let after = table.partition_point(|row| row.0 <= frequency);
    let (a, b) = (table[after.saturating_sub(1)], table[after.min(table.len() - 1)]);
    let part = if b.0 > a.0 { ((frequency - a.0) / (b.0 - a.0)).clamp(0.0, 1.0) } else { 0.0 };
    (a.1 + (b.1 - a.1) * part, a.2 + (b.2 - a.2) * part)
}

/// The motion of one degree of freedom.
fn motion(table: &[(f64, f64, f64)], waves: &Waves, at: DVec3) -> Motion {
    if table.is_empty() {
        return Motion::Constant(0.0);
    }
    let water = waves.water();
    // bound harmonics are no waves of their own
    let is_free = |c: &&Component| {
        let k = wavenumber(c.frequency, water.depth, water.gravity);
        (k - c.wavenumber).abs() < 1e-6 * k
    };
    let sines = waves.components().iter().filter(is_free).map(|c| {
        let (response, lag) = interpolated(table, c.frequency);
        let crest = c.wavenumber * c.direction.dot(at.truncate()) + c.phase;
        Motion::Sine {
            mean: 0.0,
            amplitude: c.amplitude * response,
            frequency: c.frequency / TAU,
            phase: (FRAC_PI_2 - crest - lag).rem_euclid(TAU),
        }
    });
    let sum = Motion::Sum(sines.collect());
    match waves.ramp() > 0.0 {
        false => sum,
        true => {
            let ramp = Motion::Smooth { from: 0.0, to: 1.0, start: 0.0, end: waves.ramp() };
            Motion::Product(vec![sum, ramp])
        }
    }
}
