//! Figure 15: a torque converter at stall, under load, and over the ratio of speeds.
//!
//! ```text
//!  ν = ω_t/ω_p     T_p = (ω_p/K(ν))²     T_t = μ(ν) T_p     torque on the housing T_t − T_p
//!  as printed      T ∝ (ω_p − ω_t)², the same on both shafts; fitted at stall  T = (1 − ν)² (ω_p/K(0))²
//! ```

use super::bench::{Bench, RPM, engine, torque_table};
use super::engine::POINTS;
use crate::vortex::steps::{STEPS, Within, at_steps, root, steps_row, steps_table};
use crate::{StudyContext, Table as Report, Trouble, Verdict, number};
use libm::fabs;
use windlass_plot::{Curve, Figure, Measure};
use windlass_vehicle::Table;
use windlass_vehicle::driveline::{Component, Converter};

/// Capacity factors K [rad/s/√(N·m)] and torque ratios over the ratio of speeds: Project Chrono, data of the HMMWV,
/// and a factor that grows without a jump to 1.
const CAPACITY: [(f64, f64); 6] =
    [(0.0, 15.0), (0.25, 15.0), (0.5, 15.0), (0.75, 16.0), (0.9, 18.0), (1.0, 35.0)];
const RATIO: [(f64, f64); 5] = [(0.0, 2.0), (0.25, 1.8), (0.5, 1.5), (0.75, 1.15), (1.0, 1.0)];
/// Torque that brakes the turbine under load [N·m].
const LOAD: f64 = 300.0;
/// Speed of the pump over which the ratio is varied [rad/s].
const PUMP: f64 = 200.0;

fn table(points: &[(f64, f64)]) -> Result<Table, Trouble> {
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    Table::new(&xs, &ys).map_err(Trouble::from)
}

fn converter([pump, turbine]: [usize; 2]) -> Result<Component, Trouble> {
    let (capacity, ratio) = (table(&CAPACITY)?, table(&RATIO)?);
    Ok(Component::Converter(Converter { pump, turbine, capacity, ratio, lock_up: None }))
}

/// Engine speed [rpm], ratio of speeds, torques of pump and turbine [N·m], with a torque that brakes the turbine.
fn driven(dt: f64, load: f64) -> Result<[f64; 4], Trouble> {
    let mut bench = Bench::new(dt)?;
    let shafts = [bench.shaft(0.15, 2000.0 * RPM)?, bench.shaft(0.05, 0.0)?];
    bench.mount("engine", engine(shafts[0], torque_table(&POINTS)?, 6000.0 * RPM));
    bench.mount("converter", converter(shafts)?);
    bench.load(shafts[1], load);
    bench.run(8.0)?;
    let [crank, turbine] = shafts.map(|shaft| bench.speed(shaft));
    let pump = fabs(bench.memory("converter")?.torque[0]);
    Ok([crank / RPM, turbine / crank, pump, bench.load_torque(shafts[1])?])
}

/// The same in closed form: the engine's torque at a speed is the pump's.
fn balanced(load: Option<f64>) -> Result<[f64; 4], Trouble> {
    let (full, capacity, ratio) = (torque_table(&POINTS)?, table(&CAPACITY)?, table(&RATIO)?);
    let speed = |nu: f64| {
        let taken = |w: f64| w * w / (capacity.at(nu) * capacity.at(nu));
        let w = root(1000.0 * RPM, 6000.0 * RPM, |w| taken(w) - full.at(w));
        (w, taken(w))
    };
    let nu = load.map_or(0.0, |load| root(0.0, 0.99, |nu| load - ratio.at(nu) * speed(nu).1));
    let (w, pump) = speed(nu);
    Ok([w / RPM, nu, pump, ratio.at(nu) * pump])
}

/// Stall and load.
pub fn stall(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "The engine of Figure 14 drives a torque converter (Figure 15), with its turbine held and braked with 300 N·m; as \
                   printed: a gear row with one torque on both shafts";
    let mut report = steps_table(caption, "closed form");
    let held = at_steps(|dt| driven(dt, 1e5))?;
    let [speed, _, pump, turbine] = balanced(None)?;
    let within = Within::Part([1e-3; 2]);
    steps_row(&mut report, "held: engine speed [rpm]", held.map(|f| f[0]), (speed, within), "");
    let same = number(pump);
    steps_row(&mut report, "held: turbine torque [N·m]", held.map(|f| f[3]), (turbine, within), &same);
    let housing = held.map(|f| f[3] - f[2]);
    steps_row(&mut report, "held: torque on the housing [N·m]", housing, (turbine - pump, within), "0");
    let loaded = at_steps(|dt| driven(dt, LOAD))?;
    let [speed, nu, ..] = balanced(Some(LOAD))?;
    steps_row(&mut report, "braked: engine speed [rpm]", loaded.map(|f| f[0]), (speed, within), "");
    steps_row(&mut report, "braked: ratio of speeds", loaded.map(|f| f[1]), (nu, within), "");
    context.table(report);
    Ok(())
}

/// Capacity over the ratio of speeds.
pub fn capacity(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Torques of the converter with its pump at 200 rad/s, at 1/60 s [N·m]; as printed: proportional to the square of the \
                   difference of speeds, fitted at stall; within 1e-4";
    let heads =
        ["speed ratio", "pump", "closed form", "turbine", "closed form", "pump and turbine as printed"];
    let mut report = Report::new(caption, &heads);
    let (factor, ratio) = (table(&CAPACITY)?, table(&RATIO)?);
    let exact = |nu: f64| (PUMP / factor.at(nu)) * (PUMP / factor.at(nu));
    let printed = |nu: f64| (1.0 - nu) * (1.0 - nu) * exact(0.0);
    let mut dots = Vec::new();
    for nu in [0.0, 0.25, 0.5, 0.8, 0.95] {
        let mut bench = Bench::new(STEPS[0])?;
        let shafts = [bench.shaft(1.0, PUMP)?, bench.shaft(1.0, nu * PUMP)?];
        bench.hold(shafts[0], PUMP);
        bench.hold(shafts[1], nu * PUMP);
        bench.mount("converter", converter(shafts)?);
        bench.run(1.0)?;
        let pump = fabs(bench.memory("converter")?.torque[0]);
        // the brake of the holder less its motor
        let motor = bench.memory(&format!("motor {}", shafts[1]))?.torque[0];
        let turbine = bench.load_torque(shafts[1])? - motor;
        let wanted = [exact(nu), ratio.at(nu) * exact(nu)];
        let is_near = |ours: f64, wanted: f64| fabs(ours / wanted - 1.0) < 1e-4;
        let cells = [nu, pump, wanted[0], turbine, wanted[1], printed(nu)].map(number);
        report.row(cells, Verdict::of(is_near(pump, wanted[0]) && is_near(turbine, wanted[1])));
        dots.push((nu, pump));
    }
    context.table(report);
    let line =
        |law: &dyn Fn(f64) -> f64| (0..=50).map(|k| 0.02 * f64::from(k)).map(|nu| (nu, law(nu))).collect();
    let curves = vec![
        Curve::line("(ω_p/K(ν))²", "N·m", line(&exact)),
        Curve::dots("simulated", "N·m", dots),
        Curve::line("as printed", "N·m", line(&printed)),
    ];
    let x = Measure::new("ratio of speeds ω_t/ω_p", "");
    let figure = Figure { x, y: Some("pump torque at 200 rad/s".to_string()), curves, ..Figure::default() };
    context.figure("Pump torque of a converter by the ratio of speeds (Figure 15)", &figure);
    Ok(())
}
