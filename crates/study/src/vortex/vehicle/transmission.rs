//! (43) to (47): hydrostatic transmissions and differentials.

use super::bench::{Bench, RPM};
use crate::vortex::steps::{Within, at_steps, steps_row, steps_table};
use crate::{StudyContext, Trouble, number};
use libm::fabs;
use std::f64::consts::TAU;
use windlass_vehicle::Signal;
use windlass_vehicle::driveline::{Component, Differential, Hydrostatic, HydrostaticUnit, Lock};

/// Displacements of the pump and of each motor [m³], speed of the pump [rpm], load [N·m].
const PUMP: f64 = 71e-6;
const MOTOR: f64 = 165e-6;
const SPEED: f64 = 2000.0;
const LOAD: f64 = 300.0;
/// Speed at which one of two motors is held [rpm].
const HELD: f64 = 300.0;
/// Bound of the row that limits the slip of a differential [N·m]; torque of the output on ice [N·m].
const SLIP: f64 = 150.0;
const ICE: f64 = 64.0;

/// Speed of a loaded motor [rpm] and pressure [bar]: with the stroke of the pump, and beside a motor that is held.
fn circuit(dt: f64, stroke: f64, beside: bool) -> Result<[f64; 2], Trouble> {
    let mut bench = Bench::new(dt)?;
    let pump = bench.shaft(0.1, SPEED * RPM)?;
    bench.hold(pump, SPEED * RPM);
    let motor = bench.shaft(0.1, 0.0)?;
    let mut motors = vec![motor];
    if beside {
        let held = bench.shaft(0.1, HELD * RPM)?;
        bench.hold(held, HELD * RPM);
        motors.push(held);
    }
    let unit = |shaft: usize, displacement: f64| HydrostaticUnit { shaft, displacement, stroke: 1.0 };
    let hydrostatic = Hydrostatic {
        pumps: vec![unit(pump, PUMP)],
        motors: motors.into_iter().map(|shaft| unit(shaft, MOTOR)).collect(),
        relief: 350e5,
        leakage: 0.0,
        steer: 0.0,
    };
    bench.mount("circuit", Component::Hydrostatic(hydrostatic.clone()));
    bench.load(motor, LOAD);
    bench.signal(Signal::Stroke, stroke);
    bench.run(1.0)?;
    let pressure = hydrostatic.pressure(&bench.memory("circuit")?);
    Ok([bench.speed(motor) / RPM, pressure / 1e5])
}

/// Hydrostatic transmission.
pub fn hydrostatic(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Hydrostatic transmission (44) to (46): a pump of 71 cm³ at 2000 rpm and motors of 165 cm³, one loaded with 300 N·m; as \
                   printed: a gear row of ratio V_out/V_in per output";
    let mut table = steps_table(caption, "closed form");
    let whole = SPEED * PUMP / MOTOR;
    let pressure = TAU * LOAD / MOTOR / 1e5;
    let one = at_steps(|dt| circuit(dt, 1.0, false))?;
    let (exact, small) = (Within::Part([1e-6; 2]), Within::Apart([1e-6; 2]));
    steps_row(&mut table, "one motor: speed [rpm]", one.map(|f| f[0]), (whole, exact), &number(whole));
    steps_row(&mut table, "one motor: pressure [bar]", one.map(|f| f[1]), (pressure, exact), "");
    let two = at_steps(|dt| circuit(dt, 1.0, true))?;
    let name = "beside a motor held at 300 rpm: speed [rpm]";
    let locked = format!("{0} for both", number(whole));
    steps_row(&mut table, name, two.map(|f| f[0]), (whole - HELD, exact), &locked);
    let none = at_steps(|dt| circuit(dt, 0.0, false))?;
    steps_row(&mut table, "zero stroke: speed [rpm]", none.map(|f| f[0]), (0.0, small), "r = ∞");
    context.table(table);
    Ok(())
}

/// Input and outputs of a differential of ratio 1, on a bench.
fn axle(dt: f64, lock: Lock, spins: [f64; 3]) -> Result<(Bench, [usize; 3]), Trouble> {
    let mut bench = Bench::new(dt)?;
    let [a, b, c] = spins;
    let shafts = [bench.shaft(0.1, a)?, bench.shaft(1.0, b)?, bench.shaft(1.0, c)?];
    let [input, left, right] = shafts;
    let differential = Differential { input, outputs: [left, right], ratio: 1.0, split: 0.5, lock };
    bench.mount("differential", Component::Differential(differential));
    Ok((bench, shafts))
}

/// Differentials.
pub fn differential(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Differentials (47): outputs held at 10 and 30 rad/s; an output on ice with 64 N·m beside one that stands, with a row \
                   of 150 N·m between them; locked outputs under 64 and 500 N·m";
    let mut table = steps_table(caption, "closed form");
    // bounded rows that hold a shaft yield by their regularisation
    let near = Within::Part([1e-5; 2]);
    let open = at_steps(|dt| {
        let (mut bench, [input, left, right]) = axle(dt, Lock::Open, [20.0, 10.0, 30.0])?;
        bench.hold(left, 10.0);
        bench.hold(right, 30.0);
        bench.run(0.5)?;
        Ok(bench.speed(input))
    })?;
    steps_row(&mut table, "open: input speed [rad/s]", open, (20.0, near), "-20");
    let limited = at_steps(|dt| {
        let lock = Lock::LimitedSlip { preload: SLIP, share: 0.0 };
        let (mut bench, [input, left, right]) = axle(dt, lock, [20.0, 40.0, 0.0])?;
        bench.hold(input, 20.0);
        bench.load(left, ICE);
        bench.load(right, 1e5);
        bench.run(0.5)?;
        Ok((bench.load_torque(right)? - ICE, bench.speed(left)))
    })?;
    let name = "limited slip: difference of torques [N·m]";
    steps_row(&mut table, name, limited.map(|f| f.0), (2.0 * SLIP, near), &number(SLIP));
    steps_row(&mut table, "limited slip: speed on ice [rad/s]", limited.map(|f| f.1), (40.0, near), "");
    let locked = at_steps(|dt| {
        let (mut bench, [input, left, right]) = axle(dt, Lock::Locked, [0.0; 3])?;
        bench.hold(input, 20.0);
        bench.load(left, ICE);
        bench.load(right, 500.0);
        bench.run(0.5)?;
        Ok((bench.speed(left), fabs(bench.speed(left) - bench.speed(right))))
    })?;
    steps_row(&mut table, "locked: speed of an output [rad/s]", locked.map(|f| f.0), (20.0, near), "0");
    let name = "locked: difference of the outputs [rad/s]";
    // (43) with r = −1 leaves speeds of opposite sign, whose mean is that of the input
    steps_row(&mut table, name, locked.map(|f| f.1), (0.0, Within::Apart([1e-6; 2])), "ω₁ = −ω₂");
    context.table(table);
    Ok(())
}
