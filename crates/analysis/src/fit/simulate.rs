//! A scene with values of its parameters → the measured quantities at the times of the data.
//!
//! The scene runs from its start with the inputs of the data, each held over a step at its value at
//! the end, as logs have it.
//! Quantities at times between two steps are interpolated linearly.

use super::{Experiment, FitError};
use windlass_host::Machine;

/// The quantities of a run at the times of the data, by measure.
pub(crate) fn simulate(
    experiment: &Experiment,
    mut machine: Machine,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Vec<f64>>, FitError> {
    let probes: Vec<&str> = experiment.measures.iter().map(|m| m.probe.as_str()).collect();
    let outputs = machine.outputs(&probes).map_err(FitError::Probes)?;
    if outputs.len() != probes.len() {
        return Err(FitError::NotOneNumber);
    }
    let mut inputs = Vec::new();
    for drive in &experiment.drives {
        let number = machine.input(&drive.input);
        inputs.push(number.ok_or_else(|| FitError::NoInput(drive.input.clone()))?);
    }
    let mut found = vec![Vec::with_capacity(experiment.times.len()); probes.len()];
    let (mut before, mut now) = (vec![f64::NAN; probes.len()], vec![f64::NAN; probes.len()]);
    machine.read(&outputs, &mut now);
    let dt = machine.dt();
    let (mut last, mut time) = (machine.time(), machine.time());
    for wanted in &experiment.times {
        // round-off of the sum of steps
        while time < wanted - 1e-9 {
            if stop() {
                return Err(FitError::Stopped);
            }
            for (drive, number) in experiment.drives.iter().zip(&inputs) {
                let value = interpolated(&experiment.times, &drive.values, time + dt);
                machine.set_input(*number, value).map_err(|e| FitError::Input(e.to_string()))?;
            }
            machine.step().map_err(FitError::Fault)?;
            std::mem::swap(&mut before, &mut now);
            (last, time) = (time, machine.time());
            machine.read(&outputs, &mut now);
        }
        let part = if time > last { ((wanted - last) / (time - last)).clamp(0.0, 1.0) } else { 1.0 };
        for (k, list) in found.iter_mut().enumerate() {
            let value = if part < 1.0 { before[k] + part * (now[k] - before[k]) } else { now[k] };
            list.push(value);
        }
    }
    Ok(found)
}

/// The value of a column at a time, none where it has none.
fn interpolated(times: &[f64], values: &[f64], time: f64) -> Option<f64> {
    let after = times.partition_point(|t| *t <= time + 1e-9);
    let first = values.get(after.saturating_sub(1)).copied().filter(|v| v.is_finite())?;
    let (Some(next), true) = (values.get(after).copied().filter(|v| v.is_finite()), after > 0) else {
        return Some(first);
    };
    let (t0, t1) = (times[after - 1], times[after]);
    Some(first + (next - first) * ((time - t0) / (t1 - t0)).clamp(0.0, 1.0))
}
