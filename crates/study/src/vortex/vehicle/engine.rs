//! Figure 14: an engine that speeds up by its torque table.
//!
//! ```text
//!  t = ∫ I dω/T(ω),  for T linear between two points  t = I (ω₁ − ω₀)/(T₁ − T₀) ln(T₁/T₀)
//!  torque limit of the last step's speed               ω⁺ = ω + h T(ω)/I,  T = 0 above the limit
//! ```

use super::bench::{Bench, RPM, engine, torque_table};
use crate::lab::step;
use crate::vortex::steps::{STEPS, Within, at_steps, steps_row, steps_table};
use crate::{StudyContext, Trouble, number};
use libm::log;
use windlass_plot::{Curve, Figure, Measure};
use windlass_vehicle::Table;

/// Torque over speed [rpm, N·m], in the shape of the figure: 320 N·m at most, 6000 rpm at most.
pub const POINTS: [(f64, f64); 6] =
    [(1000.0, 190.0), (2000.0, 260.0), (3000.0, 305.0), (4000.0, 320.0), (5000.0, 300.0), (6000.0, 240.0)];
/// Moment of inertia [kg·m²].
const INERTIA: f64 = 0.15;
/// Speed at the start, at which time is taken, and of the limiter [rpm].
const SPEEDS: [f64; 3] = [1000.0, 5000.0, 6000.0];

/// Time at which the engine passes the second speed [s], and its highest speed [rpm].
fn run(dt: f64) -> Result<(f64, f64), Trouble> {
    let mut bench = Bench::new(dt)?;
    let shaft = bench.shaft(INERTIA, SPEEDS[0] * RPM)?;
    bench.mount("engine", engine(shaft, torque_table(&POINTS)?, SPEEDS[2] * RPM));
    bench.start()?;
    let (mut before, mut passed, mut highest) = (SPEEDS[0], None, 0.0f64);
    while bench.world.state().time < 1.0 {
        step(&mut bench.world)?;
        let speed = bench.speed(shaft) / RPM;
        if passed.is_none() && speed >= SPEEDS[1] {
            // velocities belong to the middle of a step
            let part = (SPEEDS[1] - before) / (speed - before);
            passed = Some(bench.world.state().time - dt * (1.5 - part));
        }
        highest = highest.max(speed);
        before = speed;
    }
    let passed = passed.ok_or_else(|| Trouble::Failed("the engine does not reach the speed".to_string()))?;
    Ok((passed, highest))
}

/// The highest speed where the torque limit is that of the last step's speed [rpm].
fn overshoot(table: &Table, dt: f64) -> f64 {
    let (mut speed, mut highest) = (SPEEDS[0] * RPM, 0.0f64);
    while speed < SPEEDS[2] * RPM {
        speed += dt * table.at(speed) / INERTIA;
        highest = highest.max(speed);
    }
    highest / RPM
}

/// The torque table.
pub fn table(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "An engine of 0.15 kg·m² with a torque table of 320 N·m and 6000 rpm at most (Figure 14) speeds up without load; as \
                   printed: the torque limit of each step is that of the last step's speed";
    let mut table = steps_table(caption, "closed form");
    let found = at_steps(run)?;
    let segment = |pair: &[(f64, f64)]| {
        let [(n0, t0), (n1, t1)] = [pair[0], pair[1]];
        INERTIA * (n1 - n0) * RPM / (t1 - t0) * log(t1 / t0)
    };
    let time: f64 = POINTS[..5].windows(2).map(segment).sum();
    let reference = (time, Within::Apart([0.02, 1e-3]));
    steps_row(&mut table, "time to 5000 rpm [s]", found.map(|f| f.0), reference, "");
    let curve = torque_table(&POINTS)?;
    let [coarse, fine] = STEPS.map(|dt| number(overshoot(&curve, dt)));
    let reference = (SPEEDS[2], Within::Apart([1e-3; 2]));
    let printed = format!("{coarse} and {fine}");
    steps_row(&mut table, "highest speed [rpm]", found.map(|f| f.1), reference, &printed);
    context.table(table);
    let line = (0..=60).map(|k| 100.0 * f64::from(k)).filter(|n| *n >= 1000.0);
    let curves = vec![
        Curve::line("torque at full throttle", "N·m", line.map(|n| (n, curve.at(n * RPM))).collect()),
        Curve::dots("table", "N·m", POINTS.to_vec()),
    ];
    let figure = Figure { x: Measure::new("speed", "rpm"), curves, ..Figure::default() };
    context.figure("Torque table of the engine (Figure 14)", &figure);
    Ok(())
}
