//! A machine → a static equilibrium near its present state.
//!
//!   c̈(q, u) = 0 at v = 0       Newton: (q, u) ← (q, u) − K⁺ c̈,  K = ∂c̈/∂(q, u)
//!
//! c are the coordinates of `tangent.rs`, u the inputs that are free to move. K by central differences; K⁺ is the
//! pseudo-inverse, so that coordinates that nothing opposes stay where they are. Steps are limited and halved until the
//! accelerations decrease. Where they do not, the machine settles for a while: it runs, and is stopped whenever its
//! kinetic energy falls (kinetic damping), then Newton's iteration continues. It settles as well where a long step goes
//! against the forces, towards an unstable equilibrium; one nearby is found. Modes tell whether one is stable.

use crate::base::Base;
use crate::coordinate::Coordinate;
use crate::error::{AnalysisError, Stop, proceed};
use crate::linearize::chosen_input;
use nalgebra::{DMatrix, DVector};
use windlass_engine::prelude::{BodyId, InputId, State, World};
use windlass_host::Machine;

/// Accelerations below this are an equilibrium [m/s², rad/s²]: round-off of 10 m/s² times a thousand.
const RESTS: f64 = 1e-9;

/// Accelerations below this that no displacement reduces are an equilibrium too [m/s², rad/s²]: the rows of drives that
/// hold a load by their speed are regularized, so that the load creeps.
const CREEP: f64 = 1e-6;

/// Rounds of Newton's iteration and settling at most.
const ROUNDS: usize = 60;

/// Step of the differences [m, rad].
const STEP: f64 = 1e-5;

/// Longest change in an iteration [m, rad].
const LONGEST: f64 = 0.3;

/// Singular values of K below this part of the largest are motions that nothing opposes. Differences of accelerations
/// have errors of 1e-9.
const NOTHING: f64 = 1e-8;

/// Shorter steps of Newton's iteration may lead to an unstable equilibrium: the state is near it [m, rad].
const NEAR: f64 = 0.1;

/// Steps of settling per round.
const SETTLING: usize = 400;

/// An equilibrium.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// The state: at rest, inputs held.
    pub state: State,
    /// Largest acceleration left [m/s² or rad/s²].
    pub residual: f64,
    /// Whether it is an equilibrium.
    pub converged: bool,
    /// The coordinates with their values.
    pub coordinates: Vec<(Coordinate, f64)>,
    /// Values of the free inputs.
    pub inputs: Vec<(String, f64)>,
    /// Names of the coordinates that nothing holds where they are.
    pub indifferent: Vec<String>,
    /// Iterations.
    pub iterations: usize,
    /// Rounds of settling.
    pub settlings: usize,
}

/// Finds an equilibrium near the present state of a machine, by moving coordinates and the free inputs. The machine
/// does not change.
///
/// # Errors
/// Inputs that do not exist, nothing that moves, a step that fails.
pub fn equilibrium(machine: &Machine, free_inputs: &[&str]) -> Result<Equilibrium, AnalysisError> {
    equilibrium_until(machine, free_inputs, &|| false)
}

/// The same; `stop` is asked before each displaced state and each step.
///
/// # Errors
/// Also `stop`.
pub fn equilibrium_until(
    machine: &Machine,
    free_inputs: &[&str],
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Equilibrium, AnalysisError> {
    let chosen = free_inputs.iter().map(|name| chosen_input(machine, name)).collect::<Result<Vec<_>, _>>()?;
    let mut search = Search { world: machine.world().fork(), inputs: chosen, stop };
    let mut base = Base::still(&search.world)?;
    search.world = base.world();
    let (mut iterations, mut settlings) = (0, 0);
    let mut left = search.residual(&base, &mut base.world());
    let mut creeps = false;
    while !(size(&left) <= RESTS) && iterations < ROUNDS {
        iterations += 1;
        match search.newton(&base, &left)? {
            Some(world) => base = Base::still(&world)?,
            None if size(&left) <= CREEP => {
                creeps = true;
                break;
            }
            None => {
                settlings += 1;
                base = Base::still(&settled(base.world(), stop)?)?;
            }
        }
        // contacts that open or close change the number of coordinates
        left = search.residual(&base, &mut base.world());
    }
    let world = base.world();
    let stiffness = search.stiffness(&base)?;
    let inputs = free_inputs.iter().zip(&search.inputs);
    let actual = |id: InputId| world.state().inputs[id.index()].actual;
    let inputs = inputs.map(|(name, (id, _))| (name.to_string(), actual(*id))).collect();
    Ok(Equilibrium {
        residual: size(&left),
        converged: creeps || size(&left) <= RESTS,
        coordinates: base.coordinates().iter().map(|c| (c.clone(), c.value(&world, &base.state))).collect(),
        inputs,
        indifferent: indifferent(&base, &stiffness),
        iterations,
        settlings,
        state: world.state().clone(),
    })
}

fn size(residual: &DVector<f64>) -> f64 {
    residual.iter().fold(0.0, |most: f64, x| if x.is_nan() { f64::INFINITY } else { most.max(x.abs()) })
}

/// The search for an equilibrium.
struct Search<'a> {
    world: World,
    inputs: Vec<(InputId, f64)>,
    stop: Stop<'a>,
}

impl Search<'_> {
    /// Accelerations of the coordinates of a state at rest.
    fn residual(&self, base: &Base, world: &mut World) -> DVector<f64> {
        let ids: Vec<Option<BodyId>> =
            base.tangent.places.iter().map(|place| world.model().bodies().id(*place)).collect();
        let now = world.inspect();
        let of_body: Vec<_> =
            ids.iter().map(|id| id.and_then(|id| now.body(id)).map(|b| b.acceleration)).collect();
        drop(now);
        let rows = &world.stages().rows;
        let of = |coordinate: &Coordinate| -> f64 {
            let Some(blocks) = coordinate.gradient(rows) else { return f64::NAN };
            let part = |(body, linear, angular): &(usize, glam::DVec3, glam::DVec3)| {
                let k = base.tangent.places.iter().position(|place| place == body);
                let a = k.and_then(|k| of_body[k]);
                a.map_or(0.0, |a| linear.dot(a.velocity) + angular.dot(a.angular_velocity))
            };
            blocks.iter().map(part).sum()
        };
        DVector::from_iterator(base.freedom(), base.coordinates().iter().map(of))
    }

    /// A world with coordinates and inputs moved.
    fn moved(&self, base: &Base, by: &[f64]) -> Result<World, AnalysisError> {
        proceed(self.stop)?;
        let mut world = base.world();
        let (dq, du) = by.split_at(base.freedom());
        base.place(&mut world, dq, &[])?;
        if du.iter().any(|x| *x != 0.0) {
            let mut state = world.state().clone();
            for ((id, _), by) in self.inputs.iter().zip(du) {
                let limits = world.model().inputs().get(*id).map(|input| (input.low, input.high));
                let input = &mut state.inputs[id.index()];
                let (low, high) = limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
                input.actual = (input.actual + by).clamp(low, high);
                input.target = input.actual;
            }
            world.restore(state)?;
        }
        Ok(world)
    }

    /// ∂c̈/∂(q, u), inputs in parts of their ranges.
    fn stiffness(&self, base: &Base) -> Result<DMatrix<f64>, AnalysisError> {
        let n = base.freedom() + self.inputs.len();
        let mut columns = Vec::with_capacity(n);
        for k in 0..n {
            let scale = k.checked_sub(base.freedom()).map_or(1.0, |input| self.inputs[input].1);
            let at = |by: f64| -> Result<DVector<f64>, AnalysisError> {
                let mut step = vec![0.0; n];
                step[k] = by * scale;
                Ok(self.residual(base, &mut self.moved(base, &step)?))
            };
            columns.push((at(STEP)? - at(-STEP)?) / (2.0 * STEP));
        }
        Ok(DMatrix::from_columns(&columns))
    }

    /// A step of Newton's iteration that reduces the accelerations.
    fn newton(&self, base: &Base, left: &DVector<f64>) -> Result<Option<World>, AnalysisError> {
        let stiffness = self.stiffness(base)?;
        if !stiffness.iter().all(|x| x.is_finite()) {
            return Ok(None);
        }
        let svd = stiffness.svd(true, true);
        let least = NOTHING * svd.singular_values.max();
        let Ok(mut step) = svd.solve(&-left, least) else { return Ok(None) };
        let longest = step.amax();
        if longest > LONGEST {
            step *= LONGEST / longest;
        }
        // far from an equilibrium, towards a stable one
        if step.rows(0, base.freedom()).amax() > NEAR && power(base, left, &step) < 0.0 {
            return Ok(None);
        }
        for (k, (_, width)) in self.inputs.iter().enumerate() {
            step[base.freedom() + k] *= width;
        }
        for _ in 0..12 {
            proceed(self.stop)?;
            if let Ok(mut world) = self.moved(base, step.as_slice())
                && self.residual(base, &mut world).norm() < 0.999 * left.norm()
            {
                return Ok(Some(world));
            }
            step *= 0.5;
        }
        Ok(None)
    }
}

/// Work of the forces, as accelerations in the mass metric, along a step of the coordinates.
fn power(base: &Base, accelerations: &DVector<f64>, step: &DVector<f64>) -> f64 {
    let world = base.world();
    let of = |(k, place): (usize, &usize)| {
        let mass = world.model().bodies().at(*place).map(|body| body.mass)?;
        let own = world.state().bodies[*place].orientation.inverse();
        let (a, b) = base.tangent.of_body(k, accelerations.as_slice());
        let (x, r) = base.tangent.of_body(k, &step.as_slice()[..base.freedom()]);
        Some(mass.mass * a.dot(x) + (own * b).dot(mass.inertia * (own * r)))
    };
    base.tangent.places.iter().enumerate().filter_map(of).sum()
}

/// Runs a world for a while and stops it whenever its kinetic energy falls.
fn settled(mut world: World, halt: Stop<'_>) -> Result<World, AnalysisError> {
    let mut before = 0.0;
    for _ in 0..SETTLING {
        proceed(halt)?;
        let report = world.step();
        if let Some(fault) = report.fault {
            return Err(AnalysisError::Fault(fault));
        }
        let now = world.energy().kinetic;
        if now < before {
            let mut state = world.state().clone();
            stop(&mut state);
            world.restore(state)?;
            before = 0.0;
        } else {
            before = now;
        }
    }
    let mut state = world.state().clone();
    stop(&mut state);
    world.restore(state)?;
    Ok(world)
}

/// Stops all bodies; velocities do not lag then.
pub(crate) fn stop(state: &mut State) {
    for body in &mut state.bodies {
        (body.velocity, body.angular_velocity) = (glam::DVec3::ZERO, glam::DVec3::ZERO);
    }
    state.velocity_lag = 0.0;
}

/// The coordinates that move most in the motions that nothing opposes.
fn indifferent(base: &Base, stiffness: &DMatrix<f64>) -> Vec<String> {
    let own = stiffness.columns(0, base.freedom()).into_owned();
    let svd = own.svd(false, true);
    let Some(v) = svd.v_t else { return Vec::new() };
    let least = NOTHING * svd.singular_values.max();
    let mut names: Vec<String> = Vec::new();
    for (k, size) in svd.singular_values.iter().enumerate() {
        if *size <= least {
            let row: Vec<f64> = v.row(k).iter().map(|x| x.abs()).collect();
            let most = row.iter().copied().fold(0.0, f64::max);
            let moving = base.coordinates().iter().zip(&row).filter(|(_, x)| **x > 0.5 * most);
            for (coordinate, _) in moving {
                if !names.contains(&coordinate.name) {
                    names.push(coordinate.name.clone());
                }
            }
        }
    }
    names
}
