//! Figures 12 and 13: engine → torque converter → automatic gearbox → differential → front wheels, and its energy.
//!
//! ```text
//!  work of the engine = kinetic energy gained + heat of the converter + losses of the gear changes + rolling
//!                       resistance + slip of the tyres
//! ```

use super::bench::{RPM, engine, memory, torque_table};
use super::car::{Car, Plan, four, linear};
use super::engine::POINTS;
use crate::lab::{at, step};
use crate::vortex::steps::{STEPS, Within, steps_row, steps_table};
use crate::{StudyContext, Trouble};
use libm::{fabs, fmax};
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};
use windlass_vehicle::driveline::{Component, Converter, GearPhase, Gearbox, ShiftMap};
use windlass_vehicle::{Signal, Table, Vehicles};

const RADIUS: f64 = 0.31;
const ROLLING: f64 = 0.012;
const RATIOS: [f64; 4] = [3.6, 2.1, 1.4, 1.0];
const FINAL: f64 = 3.9;
/// Speed of the input at which it changes up [rpm].
const SHIFT: f64 = 5000.0;

fn build(dt: f64) -> Result<Car, Trouble> {
    let plan = Plan {
        wheel: [RADIUS, 10.0, 1.0],
        rolling_resistance: ROLLING,
        ..Plan::new(1400.0, &four(1.1, 1.5, 1.5), linear(3e5, None, 0.3))
    };
    let mut car = Car::new(dt, &plan, 0.0)?;
    let crank = car.rotor("crankshaft", 0.15, 1000.0 * RPM)?;
    let turbine = car.rotor("turbine", 0.02, 0.0)?;
    let axle = car.axle([0, 1], FINAL)?;
    car.mount("engine", engine(crank, torque_table(&POINTS)?, 6000.0 * RPM));
    let curve = |xs: &[f64], ys: &[f64]| Table::new(xs, ys).map_err(Trouble::from);
    let converter = Converter {
        pump: crank,
        turbine,
        capacity: curve(&[0.0, 0.5, 0.75, 0.9, 1.0], &[20.0, 20.0, 22.0, 26.0, 60.0])?,
        ratio: curve(&[0.0, 0.85, 1.0], &[2.0, 1.0, 1.0])?,
        lock_up: None,
    };
    car.mount("converter", Component::Converter(converter));
    let gearbox = Gearbox {
        input: turbine,
        output: axle,
        ratios: RATIOS.to_vec(),
        reverse: 3.2,
        synchronizer: 200.0,
        shift_time: 0.2,
        rev_match: 400.0,
        automatic: Some(ShiftMap { up: [SHIFT * RPM; 2], down: [1200.0 * RPM; 2], hold: 0.5 }),
        gear: 1,
        is_range: false,
    };
    car.mount("gearbox", Component::Gearbox(gearbox));
    car.signal(Signal::Throttle, 1.0);
    car.signal(Signal::Gear, 1.0);
    car.start()?;
    Ok(car)
}

/// Kinetic energy of all bodies [J].
fn kinetic(world: &World) -> f64 {
    let energy = |(place, body): (usize, &Body)| {
        let state = &world.state().bodies[place];
        let spin = state.orientation.inverse() * state.angular_velocity;
        0.5 * (body.mass.mass * state.velocity.length_squared() + spin.dot(body.mass.inertia * spin))
    };
    world.model().bodies().iter().filter(|(_, body)| body.is_dynamic()).map(energy).sum()
}

/// Power of rolling resistance and of the slip of the tyres [W].
fn resisted(car: &Car) -> f64 {
    let Some((_, state)) = Vehicles::of(&car.world) else { return 0.0 };
    let wheels = car.wheels.iter().zip(&state.0[0].wheels);
    let power = wheels.map(|(body, wheel)| {
        let body = at(&car.world, *body);
        let slip = body.angular_velocity.y * RADIUS - body.velocity.x;
        let rolling = ROLLING * wheel.load * (RADIUS - wheel.deflection) * body.angular_velocity.y;
        rolling + wheel.force.x * slip
    });
    power.sum()
}

/// A run: speed [m/s], speeds of engine and turbine [rpm] and gear over time.
type Sample = (f64, [f64; 4]);

/// What a run has found: speed of the wheels at the first change of gear [rad/s], largest difference of the
/// differential's speeds from their ratio [rad/s], missing energy over the engine's work.
struct End {
    change: f64,
    unequal: f64,
    missing: f64,
}

fn run(dt: f64, seconds: f64) -> Result<(Vec<Sample>, End), Trouble> {
    let mut car = build(dt)?;
    let start = kinetic(&car.world);
    let (mut samples, mut lost, mut unequal, mut change) = (Vec::new(), 0.0, 0.0f64, None);
    for _ in 0..libm::round(seconds / dt) as usize {
        step(&mut car.world)?;
        lost += resisted(&car) * dt;
        let [crank, turbine, axle, left, right] = [0, 1, 2, 3, 4].map(|shaft| car.spin(shaft));
        unequal = fmax(unequal, fabs(axle - FINAL * 0.5 * (left + right)));
        let speed = at(&car.world, car.chassis).velocity.x;
        let gearbox = memory(&car.world, "gearbox")?;
        let is_engaged = GearPhase::of(&gearbox) == GearPhase::Engaged;
        if change.is_none() && !is_engaged {
            change = Some(0.5 * (left + right));
        }
        samples.push((car.world.state().time, [speed, crank / RPM, turbine / RPM, gearbox.setting]));
        // the logic layer: no throttle while no gear is engaged
        car.signal(Signal::Throttle, if is_engaged { 1.0 } else { 0.0 });
        car.start()?;
    }
    let total = |name: &str| memory(&car.world, name).map(|memory| memory.total);
    let [work, heat, changes] = [total("engine")?, total("converter")?, total("gearbox")?];
    let gained = kinetic(&car.world) - start;
    let missing = (work - gained - heat - changes - lost) / work;
    let change = change.ok_or_else(|| Trouble::Failed("the gearbox does not change".to_string()))?;
    Ok((samples, End { change, unequal, missing }))
}

/// The car accelerates.
pub fn drive(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = context.pick(12.0, 8.0);
    let caption = "A car with front-wheel drive (Figures 12 and 13) accelerates from rest at full throttle: engine, torque converter, \
                   automatic gearbox, differential, wheels";
    let mut table = steps_table(caption, "closed form");
    let [(samples, coarse), (_, fine)] = [run(STEPS[0], seconds)?, run(STEPS[1], seconds)?];
    let both = |value: fn(&End) -> f64| [value(&coarse), value(&fine)];
    let small = Within::Apart([1e-6; 2]);
    let name = "largest ω_in − i (ω₁ + ω₂)/2 of the differential [rad/s]";
    steps_row(&mut table, name, both(|end| end.unequal), (0.0, small), "");
    let within = Within::Apart([0.01, 1e-3]);
    steps_row(&mut table, "energy missing, of the engine's work", both(|end| end.missing), (0.0, within), "");
    // by the speed at the start of a step: the change is one step of the acceleration late
    let name = "speed of the wheels at the first change of gear [rad/s]";
    let reference = (SHIFT * RPM / RATIOS[0] / FINAL, Within::Part([0.02, 2e-3]));
    steps_row(&mut table, name, both(|end| end.change), reference, "");
    context.table(table);
    let curve = |name: &str, unit: &str, k: usize, scale: f64| {
        Curve::line(name, unit, samples.iter().step_by(3).map(|(t, s)| (*t, s[k] * scale)).collect())
    };
    let curves = vec![
        curve("speed", "km/h", 0, 3.6),
        curve("engine", "rpm", 1, 1.0),
        curve("turbine", "rpm", 2, 1.0),
        curve("gear", "", 3, 1.0),
    ];
    let figure = Figure { x: Measure::new("time", "s"), curves, ..Figure::default() };
    context.figure("A car with front-wheel drive at full throttle, at 1/60 s (Figures 12, 13)", &figure);
    Ok(())
}
