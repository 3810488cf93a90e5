//! Power take-off, temperature of brakes, consumption, and changes of direction on the bench, against closed forms.

use crate::train::*;
use windlass_vehicle::driveline::{
    Brake, Clutch, ClutchControl, Component, Differential, Disc, Engine, Fuel, Gearbox, Lock, Memory,
    ShiftMap,
};
use windlass_vehicle::{Signal, Source, Table, Vehicles};

/// A brake that drags two shafts of 2 kg m² with 50 N·m: the heat in its disc and its temperature, for a time [s].
fn braked(dt: f64, disc: Disc, seconds: f64) -> Memory {
    let mut bench = Bench::new(dt);
    let shaft = bench.shaft(2.0, 400.0);
    let brake =
        Brake { shaft, torque: 50.0, parking: 0.0, drag: 0.0, lag: 0.0, anti_lock: None, disc: Some(disc) };
    bench.mount("brake", Component::Brake(brake));
    bench.signal(Signal::Brake, 1.0);
    bench.start();
    bench.rig.trace(seconds, |_| ());
    memory(&bench.rig.world, "brake")
}

/// Until it stands after I ω/T = 16 s the power falls linearly, P = T (ω − T t/I):
/// m c T⁺ = τ (P₀ − s (t − τ)) − τ (P₀ + s τ) e^(−t/τ) with s = T²/I.
#[test]
fn the_disc_of_a_brake_heats_and_cools() {
    let disc = Disc { capacity: 5000.0, cooling: 8.0 };
    let closed = |t: f64| {
        let (power, slope, tau) = (50.0 * 400.0, 50.0 * 50.0 / 2.0, disc.cooling);
        let stop = 16.0f64.min(t);
        let heated =
            tau * (power - slope * (stop - tau)) - tau * (power + slope * tau) * libm::exp(-stop / tau);
        heated / disc.capacity * libm::exp(-(t - stop) / tau)
    };
    for dt in STEPS {
        for seconds in [4.0, 12.0, 30.0] {
            let memory = braked(dt, disc, seconds);
            let wanted = closed(seconds);
            // P is known to h/2
            assert!((memory.timer / wanted - 1.0).abs() < 2.0 * dt, "{} K for {wanted} K", memory.timer);
        }
        let all = braked(dt, disc, 30.0).total;
        assert!((all / (0.5 * 2.0 * 400.0 * 400.0) - 1.0).abs() < 1e-6, "all of its energy: {all} J");
        let held = braked(dt, Disc { cooling: 1e12, ..disc }, 30.0);
        assert!((held.timer * disc.capacity / held.total - 1.0).abs() < 1e-9, "all heat stays in it");
    }
}

/// An engine with a pump of 60 N·m behind the clutch of its power take-off.
fn pumping(dt: f64, signal: Option<f64>) -> (Bench, [usize; 2]) {
    let mut bench = Bench::new(dt);
    let [crank, pump] = [bench.shaft(0.3, rpm(1500.0)), bench.shaft(0.05, 0.0)];
    let fuel = Fuel { specific: 70e-9, idle: 2e-4 };
    bench.mount(
        "engine",
        Component::Engine(Engine {
            idle: rpm(1500.0),
            fuel,
            ..engine(crank, Table::constant(200.0), rpm(2500.0))
        }),
    );
    let clutch = Clutch { shafts: [crank, pump], torque: 120.0, control: ClutchControl::PowerTakeOff };
    bench.mount("take-off", Component::Clutch(clutch));
    bench.load(pump, 60.0);
    bench.vehicle.controls.extend(signal.map(|s| (Signal::PowerTakeOff, Source::Constant(s))));
    bench.start();
    (bench, [crank, pump])
}

/// Without its command it is open; at a third it slips with 40 N·m below the load; closed it carries the load, and the
/// consumption is that of the power.
#[test]
fn a_power_take_off_closes_by_its_command() {
    for dt in STEPS {
        for (signal, turns) in
            [(None, false), (Some(0.0), false), (Some(1.0 / 3.0), false), (Some(1.0), true)]
        {
            let (mut bench, [crank, pump]) = pumping(dt, signal);
            bench.rig.trace(2.0, |_| ());
            let [engine, driven] = [crank, pump].map(|shaft| bench.speed(shaft));
            assert!((engine / rpm(1500.0) - 1.0).abs() < 1e-5, "{dt} {signal:?}: {engine}");
            let wanted = if turns { engine } else { 0.0 };
            assert!((driven - wanted).abs() < 1e-3, "{dt} {signal:?}: {driven} for {wanted}");
            let carried = if turns { 60.0 } else { 120.0 * signal.unwrap_or(0.0) };
            let torque = -memory(&bench.rig.world, "take-off").torque[0];
            assert!((torque - carried).abs() < 1e-3, "{torque} for {carried}");
            if carried > 0.0 {
                let rate = memory(&bench.rig.world, "engine").wanted;
                let wanted = 70e-9 * carried * rpm(1500.0);
                assert!((rate / wanted - 1.0).abs() < 1e-4, "{rate} kg/s for {wanted}");
            }
        }
    }
}

/// The integral of the consumption is the fuel.
#[test]
fn the_consumption_is_the_rate_of_the_fuel() {
    let dt = STEPS[0];
    let (mut bench, _) = pumping(dt, Some(1.0));
    let trace = bench.rig.trace(3.0, |world| memory(world, "engine"));
    // forces act for half a step in the first one
    let sum: f64 = trace[2..].iter().map(|(_, memory)| memory.wanted * dt).sum();
    let used = trace.last().unwrap().1.total - trace[1].1.total;
    assert!((sum / used - 1.0).abs() < 1e-9, "{sum} kg for {used} kg");
}

#[test]
fn a_bias_ratio_below_one_is_refused() {
    let mut bench = Bench::new(STEPS[0]);
    let [input, left, right] = [bench.shaft(0.1, 0.0), bench.shaft(1.0, 0.0), bench.shaft(1.0, 0.0)];
    let lock = Lock::TorqueBias(0.5);
    let axle = Differential { input, outputs: [left, right], ratio: 1.0, split: 0.5, lock };
    bench.mount("axle", Component::Differential(axle));
    let edit = Vehicles::set(vec![bench.vehicle.clone()]);
    let refused = bench.rig.world.edit_subsystem::<Vehicles>(edit).expect_err("it is no ratio").to_string();
    assert!(refused.contains("axle") && refused.contains("give 1 or more"), "{refused}");
}

/// With the lever in reverse a vehicle that moves ahead coasts in neutral, braked by its load alone, until the input would
/// turn with less than the 90 rad/s of the map; then the clutches of the box engage. The other way about likewise.
#[test]
fn an_automatic_does_not_engage_against_a_fast_motion() {
    for dt in STEPS {
        for (direction, lever, ratio) in [(1.0, -1.0, 3.0), (-1.0, 1.0, 3.5)] {
            let mut bench = Bench::new(dt);
            let [input, output] = [bench.shaft(0.02, 0.0), bench.shaft(5.0, 100.0 * direction)];
            let map = ShiftMap { up: [200.0, 400.0], down: [90.0, 150.0], hold: 0.5 };
            bench.mount(
                "gearbox",
                Component::Gearbox(Gearbox {
                    input,
                    output,
                    ratios: vec![3.5, 2.0],
                    reverse: 3.0,
                    synchronizer: 50.0,
                    shift_time: 0.2,
                    rev_match: 0.0,
                    automatic: Some(map),
                    gear: if direction > 0.0 { 2 } else { -1 },
                    is_range: false,
                }),
            );
            bench.load(output, 50.0);
            bench.signal(Signal::Gear, lever);
            bench.start();
            let trace = bench.watch(9.0, "gearbox", [input, output]);
            let engaged = trace.iter().position(|(memory, _)| memory.setting == lever).expect("it engages");
            // after the time of the change; the load decelerates by 10 rad/s²
            let speed = trace[engaged].1[1].abs();
            let wanted = 90.0 / ratio - 10.0 * 0.2;
            assert!((speed - wanted).abs() < 25.0 * dt, "{dt}: {speed} rad/s for {wanted}");
            assert!(
                trace[..engaged].iter().skip((0.3 / dt) as usize).all(|(memory, _)| memory.setting == 0.0)
            );
        }
    }
}
