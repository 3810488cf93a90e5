//! A machine at a state → the linear map of its step,
//!
//!   x⁺ = A x + B u      y = C x + D u      x = (δq, δv), u, y deviations from the state
//!
//! by central differences of the step itself, so that it holds for every joint, force and integrator. q are the
//! coordinates of `tangent.rs`, v their rates as the integrator stores them: under `spook` those of half a step before
//! the positions. y is read at the instant of the positions, with u acting, as in logs.
//!
//! Each column is a fourth-order difference, (4 D(ε/2) − D(ε))/3 of D(ε) = (f(ε) − f(−ε))/2ε, from ε and from ε/2;
//! their difference estimates the error. ε begins at 1e-3 m or rad (1e-2 per s for rates, 1e-3 of the range of an
//! input): truncation is then ε⁴ ≈ 1e-12 and round-off of the step 1e-14/ε ≈ 1e-11. Where stiff or one-sided parts
//! make that too coarse, ε is reduced tenfold as long as the estimate improves.

use crate::base::Base;
use crate::coordinate::Coordinate;
use crate::error::{AnalysisError, Stop, proceed};
use crate::warnings;
use glam::DMat3;
use nalgebra::DMatrix;
use rayon::prelude::*;
use std::collections::BTreeSet;
use windlass_engine::prelude::{InputId, World};
use windlass_host::{Machine, OutputReader, Outputs};

/// First step of the differences [m, rad].
const FIRST: f64 = 1e-3;

/// Ratio of the steps of rates and of coordinates [1/s].
const RATES: f64 = 10.0;

/// Reductions of the step by ten at most: 1e-8 is the square root of round-off.
const REDUCTIONS: usize = 5;

/// An estimate of the error below this is not improved.
const FINE: f64 = 1e-10;

/// Choices of a linearisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// First step of the differences [m, rad].
    pub step: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { step: FIRST }
    }
}

/// A name with its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Name of an input, or probe.
    pub name: String,
    /// Its unit, empty for plain numbers.
    pub unit: String,
}

/// The linear map of one step.
#[derive(Clone, Debug)]
pub struct Linearization {
    /// A, in the order of `coordinates`: values, then rates.
    pub a: DMatrix<f64>,
    /// B.
    pub b: DMatrix<f64>,
    /// C.
    pub c: DMatrix<f64>,
    /// D.
    pub d: DMatrix<f64>,
    /// Length of the step [s].
    pub dt: f64,
    /// By how much rates of x lag behind its values [s]; 0 except under `spook`.
    pub lag: f64,
    /// The coordinates; x has their values, then their rates.
    pub coordinates: Vec<Coordinate>,
    /// The inputs.
    pub inputs: Vec<Named>,
    /// The outputs.
    pub outputs: Vec<Named>,
    /// Values of the outputs at the state.
    pub at_state: Vec<f64>,
    /// x⁺ − x of the state itself; 0 at an equilibrium.
    pub drift: Vec<f64>,
    /// Estimate of the largest error of an element of A and B, rates times dt.
    pub error: f64,
    /// Steps taken.
    pub steps: usize,
    /// What limits the result.
    pub warnings: Vec<String>,
    /// Rates at the instant of the values: R x + S u, the rows of A and B for them.
    pub(crate) instant: [DMatrix<f64>; 2],
    /// T by bodies, for shapes.
    pub(crate) shapes: Shapes,
}

/// Bodies and the motion T of each for the coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    /// Names of the free bodies.
    pub bodies: Vec<String>,
    /// Six rows per body.
    pub motion: DMatrix<f64>,
    /// Mass and inertia in world axes of each.
    pub inertias: Vec<(f64, DMat3)>,
}

/// One perturbed quantity.
#[derive(Clone, Copy, Debug)]
enum Column {
    Value(usize),
    Rate(usize),
    Input(InputId, f64),
}

/// A column of differences.
struct Difference {
    numbers: Vec<f64>,
    error: f64,
    switches: BTreeSet<String>,
    steps: usize,
}

/// Linearises the step of a machine about its present state. The machine does not change.
///
/// # Errors
/// Inputs or outputs that do not exist; nothing that moves; a step that fails.
pub fn linearize(
    machine: &Machine,
    inputs: &[&str],
    outputs: &[&str],
    options: &Options,
) -> Result<Linearization, AnalysisError> {
    linearize_until(machine, inputs, outputs, options, &|| false)
}

/// The same; `stop` is asked before each step of the machine.
///
/// # Errors
/// Also `stop`.
pub fn linearize_until(
    machine: &Machine,
    inputs: &[&str],
    outputs: &[&str],
    options: &Options,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Linearization, AnalysisError> {
    if !(options.step > 0.0 && options.step < 1.0) {
        return Err(AnalysisError::StepSize(options.step));
    }
    let chosen = inputs.iter().map(|name| chosen_input(machine, name)).collect::<Result<Vec<_>, _>>()?;
    let outputs = machine.outputs(outputs).map_err(AnalysisError::Outputs)?;
    let base = Base::of(machine.world())?;
    let dt = base.next.time - base.state.time;
    let task = Task { base: &base, outputs: &outputs, step: options.step, dt, stop };
    let freedom = base.freedom();
    let columns: Vec<Column> = (0..freedom)
        .map(Column::Value)
        .chain((0..freedom).map(Column::Rate))
        .chain(chosen.iter().map(|(id, width)| Column::Input(*id, *width)))
        .collect();
    let run = |column: &Column| task.column(*column);
    let found: Vec<Difference> = columns.par_iter().map(run).collect::<Result<_, _>>()?;

    for (k, row) in (0..2 * freedom).map(|row| (row % freedom, row)) {
        if !found.iter().all(|column| column.numbers[row].is_finite()) {
            return Err(AnalysisError::NotFinite(base.coordinates()[k].name.clone()));
        }
    }
    let (drift, at_state) = task.at_base()?;
    let (n, m) = (2 * freedom, chosen.len());
    let part = |rows: std::ops::Range<usize>, columns: std::ops::Range<usize>| {
        DMatrix::from_fn(rows.len(), columns.len(), |i, k| found[columns.start + k].numbers[rows.start + i])
    };
    let all = n + freedom + outputs.len();
    let error = found.iter().map(|column| column.error).fold(0.0, f64::max);
    let switches = found.iter().flat_map(|column| column.switches.iter().cloned()).collect();
    let findings = warnings::Findings { drift: &drift, dt, error, switches: &switches };
    Ok(Linearization {
        warnings: warnings::of(machine, &base, &findings),
        a: part(0..n, 0..n),
        b: part(0..n, n..n + m),
        c: part(n + freedom..all, 0..n),
        d: part(n + freedom..all, n..n + m),
        dt,
        lag: base.state.velocity_lag,
        coordinates: base.coordinates().to_vec(),
        inputs: inputs.iter().map(|name| named_input(machine, name)).collect(),
        outputs: outputs.columns().iter().map(named_output).collect(),
        at_state,
        drift,
        error,
        steps: found.iter().map(|column| column.steps).sum(),
        instant: [part(n..n + freedom, 0..n), part(n..n + freedom, n..n + m)],
        shapes: Shapes::of(machine.world(), &base),
    })
}

impl Linearization {
    /// The names of x: values of the coordinates, then their rates.
    pub fn states(&self) -> Vec<Named> {
        let value = |c: &Coordinate| Named { name: c.name.clone(), unit: c.unit.to_string() };
        let rate = |c: &Coordinate| Named { name: c.rate.clone(), unit: format!("{}/s", c.unit) };
        self.coordinates.iter().map(value).chain(self.coordinates.iter().map(rate)).collect()
    }
}

impl Shapes {
    fn of(world: &World, base: &Base) -> Shapes {
        let (list, places) = (world.model().bodies(), &base.tangent.places);
        let name = |place: &usize| list.at(*place).map_or_else(String::new, |body| body.name.clone());
        let inertia = |place: &usize| {
            let mass = list.at(*place).map(|body| body.mass).expect("a free body exists");
            let turn = DMat3::from_quat(base.state.bodies[*place].orientation);
            (mass.mass, turn * mass.inertia * turn.transpose())
        };
        Shapes {
            bodies: places.iter().map(name).collect(),
            motion: base.tangent.motion.clone(),
            inertias: places.iter().map(inertia).collect(),
        }
    }
}

/// The input of a name, and the width of its range, or 1.
pub(crate) fn chosen_input(machine: &Machine, name: &str) -> Result<(InputId, f64), AnalysisError> {
    let bare = name.strip_prefix("inputs.").unwrap_or(name);
    let model = machine.world().model();
    let found = model.input(bare).and_then(|id| Some((id, model.inputs().get(id)?)));
    let Some((id, input)) = found else {
        let names = machine.inputs().iter().map(|control| control.name.as_str());
        let help = windlass_host::probe::suggestion(bare, "inputs", names);
        return Err(AnalysisError::NoInput { name: bare.to_string(), help });
    };
    let width = input.high - input.low;
    Ok((id, if width.is_finite() && width > 0.0 { width } else { 1.0 }))
}

fn named_input(machine: &Machine, name: &str) -> Named {
    let bare = name.strip_prefix("inputs.").unwrap_or(name);
    let probe = format!("inputs.{}", windlass_host::probe::quoted(bare));
    let unit = machine.outputs(&[&probe]).ok().and_then(|o| Some(o.columns().first()?.unit.to_string()));
    Named { name: bare.to_string(), unit: unit.unwrap_or_default() }
}

fn named_output(column: &windlass_host::probe::Column) -> Named {
    Named { name: column.name.clone(), unit: column.unit.to_string() }
}

/// The differences of one machine.
struct Task<'a> {
    base: &'a Base,
    outputs: &'a Outputs,
    step: f64,
    dt: f64,
    stop: Stop<'a>,
}

impl Task<'_> {
    /// x⁺ − x of the state itself, and its outputs.
    fn at_base(&self) -> Result<(Vec<f64>, Vec<f64>), AnalysisError> {
        let base = self.base;
        let mut world = base.world();
        base.place(&mut world, &[], &[])?;
        let values = base.coordinates().iter().map(|c| c.value(&world, &base.next));
        let rates = base.coordinates().iter().map(|c| c.rate_of(&world));
        let before: Vec<f64> = values.chain(rates).collect();
        let outputs = self.read(&mut world);
        let (after, _) = base.image(&mut world)?;
        Ok((after.iter().zip(&before).map(|(after, before)| after - before).collect(), outputs))
    }

    /// A column, with the step size of the smallest error.
    fn column(&self, column: Column) -> Result<Difference, AnalysisError> {
        let mut best: Option<Difference> = None;
        let (mut step, mut steps) = (self.step, 0);
        for _ in 0..REDUCTIONS {
            let found = self.richardson(column, step)?;
            steps += found.steps;
            let improves = best.as_ref().is_none_or(|best| found.error < best.error);
            let fine = found.error <= FINE;
            if improves {
                best = Some(found);
            }
            if fine || !improves {
                break;
            }
            step *= 0.1;
        }
        let best = best.expect("the first step size improves on none");
        Ok(Difference { steps, ..best })
    }

    /// Fourth-order differences from ε, ε/2 and ε/4.
    fn richardson(&self, column: Column, step: f64) -> Result<Difference, AnalysisError> {
        let mut world = self.base.world();
        let mut switches = BTreeSet::new();
        let mut central = |step: f64| -> Result<Vec<f64>, AnalysisError> {
            let (step, _) = self.amounts(column, step);
            let up = self.evaluate(&mut world, column, step, &mut switches)?;
            let down = self.evaluate(&mut world, column, -step, &mut switches)?;
            Ok(up.iter().zip(&down).map(|(up, down)| (up - down) / (2.0 * step)).collect())
        };
        let [d0, d1, d2] = [central(step)?, central(0.5 * step)?, central(0.25 * step)?];
        let better = |coarse: &[f64], fine: &[f64]| -> Vec<f64> {
            coarse.iter().zip(fine).map(|(coarse, fine)| fine + (fine - coarse) / 3.0).collect()
        };
        let (first, second) = (better(&d0, &d1), better(&d1, &d2));
        let (_, scale) = self.amounts(column, step);
        let n = 2 * self.base.freedom();
        let size = |row: usize| if row < n / 2 { 1.0 } else { self.dt };
        let off = |row: usize| (first[row] - second[row]).abs() * size(row) / scale;
        let error = (0..n).map(off).fold(0.0, f64::max);
        Ok(Difference { numbers: second, error, switches, steps: 6 })
    }

    /// The step of a quantity, and the factor by which its column is scaled for the estimate of the error.
    fn amounts(&self, column: Column, step: f64) -> (f64, f64) {
        match column {
            Column::Value(_) => (step, 1.0),
            Column::Rate(_) => (RATES * step, self.dt),
            Column::Input(_, width) => (width * step, 1.0 / width),
        }
    }

    /// x⁺, rates of the instant, and outputs of a perturbed state.
    fn evaluate(
        &self,
        world: &mut World,
        column: Column,
        amount: f64,
        switches: &mut BTreeSet<String>,
    ) -> Result<Vec<f64>, AnalysisError> {
        proceed(self.stop)?;
        let base = self.base;
        let (mut dq, mut dv) = (vec![0.0; base.freedom()], vec![0.0; base.freedom()]);
        match column {
            Column::Value(k) => dq[k] = amount,
            Column::Rate(k) => dv[k] = amount,
            Column::Input(..) => {}
        }
        base.place(world, &dq, &dv)?;
        if let Column::Input(id, _) = column {
            let mut state = world.state().clone();
            let input = &mut state.inputs[id.index()];
            input.actual += amount;
            input.target = input.actual;
            world.restore(state)?;
        }
        let (rates, outputs) = (base.instant_rates(world), self.read(world));
        let (x, after) = base.image(world)?;
        warnings::switches(world, &base.next, &after, switches);
        Ok([x, rates, outputs].concat())
    }

    /// The outputs at the present state.
    fn read(&self, world: &mut World) -> Vec<f64> {
        if self.outputs.is_empty() {
            return Vec::new();
        }
        OutputReader::new(self.outputs.clone()).read(world, None).to_vec()
    }
}
