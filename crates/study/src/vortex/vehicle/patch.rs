//! Tyres as rows: jitter of a driven wheel, and parking on a slope.
//!
//! ```text
//!  driven wheel     m v̇ = F,  I ω̇ = T − R F      F = D sin(C atan(B κ − E (B κ − atan B κ)))
//!  bound            a row without slip, |λ| ≤ F(κ of the last step)
//!  explicit force   λ = F(κ of the last step)
//!  floor of speed   κ = v_s/max(|v|, v₀) leaves a creep of F v₀/C on a slope
//! ```

use super::GRAVITY;
use super::car::{Car, Plan, four, linear};
use crate::lab::{at, step};
use crate::vortex::steps::{STEPS, Within, at_steps, steps_row, steps_table};
use crate::{Ask, StudyContext, Table, Trouble, number};
use glam::DVec2;
use libm::{atan, fabs, sin, sqrt};
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};
use windlass_vehicle::tire::{Contact, Friction, ShapeCurve, Slip, Tire, TireModel};

/// Mass [kg], torque [N·m], speed at the start [m/s], radius [m], moment of inertia of the wheel [kg·m²].
const MASS: f64 = 400.0;
const TORQUE: f64 = 600.0;
const SPEED: f64 = 10.0;
const RADIUS: f64 = 0.32;
const INERTIA: f64 = 1.2;
/// Duration of the run, and from when on the force is looked at [s].
const TIMES: [f64; 2] = [2.0, 1.0];
/// The parked vehicle: mass [kg], slope, tyre stiffness [N], floor of speed [m/s].
const PARKED: f64 = 1500.0;
const SLOPE: f64 = 0.2;
const STIFFNESS: f64 = 100e3;
const FLOOR: f64 = 1e-3;

fn tire() -> ShapeCurve {
    ShapeCurve {
        stiffness: DVec2::splat(100e3),
        friction: Friction::constant(1.0),
        shape: 1.6,
        curvature: 0.5,
        relaxation: DVec2::splat(0.3),
    }
}

/// Steady force of the tyre at the velocities of wheel and vehicle [N].
fn steady(v: f64, spin: f64) -> f64 {
    let slip = Slip { kappa: (spin * RADIUS - v) / fabs(v), tan_alpha: 0.0 };
    tire().force(slip, &Contact::upright(MASS * GRAVITY, v)).fx
}

/// Forces of a driven wheel by a rule: velocities at the start of the step and the step → force.
fn by_rule(dt: f64, rule: fn(f64, f64, f64) -> f64) -> Vec<(f64, f64)> {
    let (mut v, mut spin, mut forces) = (SPEED, SPEED / RADIUS, Vec::new());
    for k in 0..libm::round(TIMES[0] / dt) as usize {
        let force = rule(v, spin, dt);
        v += dt * force / MASS;
        spin += dt * (TORQUE - RADIUS * force) / INERTIA;
        forces.push(((k + 1) as f64 * dt, force));
    }
    forces
}

/// The force that leaves no slip, within the tyre's force at the last slip.
fn bounded(v: f64, spin: f64, dt: f64) -> f64 {
    let mobility = 1.0 / MASS + RADIUS * RADIUS / INERTIA;
    let holds = (RADIUS * (spin + dt * TORQUE / INERTIA) - v) / (dt * mobility);
    let bound = fabs(steady(v, spin));
    holds.clamp(-bound, bound)
}

/// Forces of the driven wheel as simulated, and the speed at the end.
fn driven(dt: f64) -> Result<(Vec<(f64, f64)>, f64), Trouble> {
    let plan = Plan { height: 0.5, ..Plan::new(MASS, &[DVec2::ZERO], TireModel::ShapeCurve(tire())) };
    let mut car = Car::new(dt, &plan, SPEED)?;
    car.guide([(0, Axis::free()), (2, Axis::free())])?;
    let shaft = car.shaft(0);
    car.motor(shaft, TORQUE, 1e6);
    car.start()?;
    let mut forces = Vec::new();
    for k in 0..libm::round(TIMES[0] / dt) as usize {
        step(&mut car.world)?;
        forces.push(((k + 1) as f64 * dt, car.tires()[0].force.x));
    }
    Ok((forces, at(&car.world, car.chassis).velocity.x))
}

/// Mean and standard deviation of the force of the last second [N].
fn spread(forces: &[(f64, f64)]) -> [f64; 2] {
    let late: Vec<f64> = forces.iter().filter(|(t, _)| *t > TIMES[1]).map(|(_, force)| *force).collect();
    let mean = late.iter().sum::<f64>() / late.len() as f64;
    let square = late.iter().map(|f| (f - mean) * (f - mean)).sum::<f64>() / late.len() as f64;
    [mean, sqrt(square)]
}

/// Rows of the patch.
pub fn rows(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "A wheel under 400 kg is driven with 600 N·m from 10 m/s: force of the last second [N], as a row of the tyre's patch, as \
                   a row without slip bounded by the force at the slip of the last step, and as an explicit force of that slip";
    let heads = [
        "step",
        "closed form",
        "patch: mean",
        "deviation",
        "bounded: mean",
        "deviation",
        "explicit: mean",
        "deviation",
    ];
    let mut table = Table::new(caption, &heads);
    // steady slip: the wheel speeds up as the vehicle does
    let exact = TORQUE / RADIUS * MASS / (MASS + INERTIA / (RADIUS * RADIUS));
    for dt in STEPS {
        let (patch, _) = driven(dt)?;
        let row = by_rule(dt, bounded);
        let explicit = by_rule(dt, |v, spin, _| steady(v, spin));
        let found = [&patch, &row, &explicit].map(|forces| spread(forces));
        let cells = [number(dt), number(exact)].into_iter().chain(found.into_iter().flatten().map(number));
        let is_near = Ask::Part(2e-3).judge(found[0][0], exact);
        let is_calm = Ask::Apart(1.0).judge(found[0][1], 0.0);
        table.row(cells, if is_calm == crate::Verdict::Met { is_near } else { is_calm });
        if dt == STEPS[0] {
            figure(context, [patch, row, explicit]);
        }
    }
    context.table(table);
    parked(context)
}

fn figure(context: &mut StudyContext<'_>, forces: [Vec<(f64, f64)>; 3]) {
    let names = ["patch", "bounded row without slip", "explicit force"];
    let start = |forces: Vec<(f64, f64)>| forces.into_iter().filter(|(t, _)| *t < 0.5).collect();
    let curves = names.into_iter().zip(forces).map(|(name, f)| Curve::dotted_line(name, "N", start(f)));
    let x = Measure::new("time", "s");
    let figure =
        Figure { x, y: Some("force of the tyre".to_string()), curves: curves.collect(), ..Figure::default() };
    context.figure("Force of a driven wheel at 1/60 s (§4.3.1.1)", &figure);
}

/// A braked vehicle on a slope.
fn parked(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "1500 kg with its brakes on, released on a slope of 20 %; as printed: a slip with a floor of speed of 1 mm/s";
    let mut table = steps_table(caption, "closed form");
    let times = context.pick([10.0, 20.0], [10.0, 5.0]);
    let found = at_steps(|dt| {
        let plan = Plan {
            slope: atan(SLOPE),
            ..Plan::new(PARKED, &four(1.2, 1.5, 1.5), linear(STIFFNESS, Some(0.9), 0.3))
        };
        let mut car = Car::new(dt, &plan, 0.0)?;
        for wheel in 0..4 {
            let shaft = car.shaft(wheel);
            car.brake(shaft, 2000.0);
        }
        car.start()?;
        car.run(times[0])?;
        let place = at(&car.world, car.chassis).position;
        car.run(times[1])?;
        let drift = (at(&car.world, car.chassis).position - place).length();
        let sum: f64 = car.tires().iter().map(|tire| tire.force.x).sum();
        Ok((sum, drift / times[1]))
    })?;
    let weight = PARKED * GRAVITY * sin(atan(SLOPE));
    let within = Within::Part([1e-6; 2]);
    steps_row(&mut table, "sum of the forces along the slope [N]", found.map(|f| f.0), (weight, within), "");
    let creep = number(0.25 * weight * FLOOR / STIFFNESS);
    let name = "speed downhill after 10 s [m/s]";
    steps_row(&mut table, name, found.map(|f| f.1), (0.0, Within::Apart([1e-7; 2])), &creep);
    context.table(table);
    Ok(())
}
