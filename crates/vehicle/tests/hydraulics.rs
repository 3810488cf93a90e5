//! Open circuits on a bench: a mass on a vertical guide over a cylinder, motors on shafts, an engine at the pump.

use crate::kit::counting::allocated;
use crate::kit::*;
use crate::train::{Bench, STEPS, engine, memory, rpm, to_rpm};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use windlass_engine::prelude::*;
use windlass_vehicle::driveline::{Component, Engine, Governor};
use windlass_vehicle::hydraulics::{
    Accumulator, Actuator, Circuit, Cylinder, Pump, PumpState, Section, SectionState, Valve,
};
use windlass_vehicle::{Signal, Source, Table, Vehicles};

const GRAVITY: f64 = 9.81;
/// Mass on a guide [kg].
const MASS: f64 = 5000.0;
/// Rated flow of a valve [m³/s]: 60 L/min.
const FLOW: f64 = 1e-3;
/// Relief pressures of the pump and of the ports [Pa].
const RELIEF: [f64; 2] = [200e5, 230e5];
/// Length of a cylinder at the start, and its limits [m].
const LENGTH: f64 = 1.0;
const STROKE: [f64; 2] = [0.7, 1.5];

fn areas() -> [f64; 2] {
    Cylinder::areas(0.1, 0.06)
}

/// A valve whose spool follows at once.
fn valve(command: f64) -> Valve {
    Valve { flow: FLOW, deadband: 0.0, rate: 1e6, command: vec![Source::Constant(command)] }
}

fn section(name: &str, actuator: Actuator, command: f64) -> Section {
    Section {
        name: name.into(),
        actuator,
        valve: valve(command),
        port_relief: RELIEF[1],
        friction: 0.0,
        leakage: 0.0,
        bulk_modulus: None,
        accumulator: None,
    }
}

/// A bench with gravity and a circuit, whose pump delivers enough for all.
fn bench(dt: f64) -> Bench {
    let mut bench = Bench::new(dt);
    bench.rig.world.set(|s| s.gravity = DVec3::Z * -GRAVITY).unwrap();
    let circuit = Circuit {
        name: "work".into(),
        pump: Pump::Flow(10.0 * FLOW),
        relief: RELIEF[0],
        margin: 0.0,
        sections: Vec::new(),
    };
    bench.vehicle.circuits.push(circuit);
    bench
}

/// Adds a mass on a vertical guide over a cylinder.
fn lift(bench: &mut Bench, mass: f64, command: f64) -> BodyId {
    let number = bench.vehicle.circuits[0].sections.len();
    let (rig, name) = (&mut bench.rig, format!("lift {number}"));
    let at = DVec3::new(0.0, 2.0 * (1 + number) as f64, LENGTH);
    let body = rig.body(&name, Mass::principal(mass, DVec3::ZERO, DVec3::splat(mass), DQuat::IDENTITY), at);
    let anchors = rig.grips([rig.ground, body], at, windlass_engine::math::facing(DVec3::Z));
    rig.joint(Slider { anchors, axis: Axis::free() });
    let foot = rig.grip(rig.ground, at - DVec3::Z * LENGTH, DQuat::IDENTITY);
    let head = rig.grip(body, at, DQuat::IDENTITY);
    let cylinder = Cylinder { anchors: [foot, head], areas: areas(), stroke: STROKE, cushion: 0.0 };
    let section = section(&name, Actuator::Cylinder(cylinder), command);
    bench.vehicle.circuits[0].sections.push(section);
    body
}

fn command(bench: &mut Bench, number: usize, value: f64) {
    bench.vehicle.circuits[0].sections[number].valve.command = vec![Source::Constant(value)];
    bench.apply();
}

fn height(world: &World, body: BodyId) -> f64 {
    world.state().bodies[body.index()].position.z
}

fn climb(world: &World, body: BodyId) -> f64 {
    world.state().bodies[body.index()].velocity.z
}

fn state(world: &World, number: usize) -> SectionState {
    Vehicles::of(world).unwrap().1.0[0].sections[number]
}

fn pump(world: &World) -> PumpState {
    Vehicles::of(world).unwrap().1.0[0].pumps[0]
}

/// Both directions, against and with the load: q/A_A up, q/A_B down. Force m g.
#[test]
fn a_cylinder_moves_at_flow_over_area() {
    for dt in STEPS {
        let [a, b] = areas();
        for (opening, speed) in [(1.0, FLOW / a), (0.3, 0.3 * FLOW / a), (-1.0, -FLOW / b)] {
            let mut bench = bench(dt);
            let body = lift(&mut bench, MASS, opening);
            bench.start();
            // a start within 1 ms exceeds the relief pressure
            let trace = bench.rig.trace(1.0, |world| height(world, body));
            let world = &bench.rig.world;
            near_part("speed", climb(world, body), speed, 1e-7);
            near_part("path", height(world, body) - at(&trace, 0.5), 0.5 * speed, 1e-8);
            near_part("force", state(world, 0).force(), MASS * GRAVITY, 1e-6);
            near_part("flow", state(world, 0).flow, opening * FLOW, 1e-7);
        }
    }
}

/// 600 s with the valve closed, after a lift.
#[test]
fn a_held_load_does_not_creep() {
    let mut bench = bench(1.0 / 60.0);
    let body = lift(&mut bench, MASS, 1.0);
    bench.start();
    bench.rig.run(1.0, |_, _| {});
    command(&mut bench, 0, 0.0);
    bench.rig.run(1.0, |_, _| {});
    let before = height(&bench.rig.world, body);
    for _ in 0..36_000 {
        assert!(bench.rig.world.step().fault.is_none());
    }
    near("drift", height(&bench.rig.world, body), before, 1e-9);
}

/// A load beyond the relief pressure of the pump is not lifted, and the check valve holds it. A load beyond the relief
/// pressure of the port sinks with the acceleration g − p A/m.
#[test]
fn an_overloaded_cylinder_yields_at_its_relief_pressure() {
    for dt in STEPS {
        let [area, _] = areas();
        let liftable = RELIEF[0] * area / GRAVITY;
        let mut lifted = bench(dt);
        let body = lift(&mut lifted, 1.05 * liftable, 1.0);
        lifted.start();
        lifted.rig.run(2.0, |_, _| {});
        let world = &lifted.rig.world;
        near("height", height(world, body), LENGTH, 1e-7);
        near_part("pump", state(world, 0).metered, RELIEF[0] * area, 1e-9);
        near_part("check valve", state(world, 0).checked, 0.05 * RELIEF[0] * area, 1e-5);
        near_part("pump pressure", pump(world).pressure, RELIEF[0], 1e-12);

        let mut held = bench(dt);
        let mass = 1.3 * RELIEF[1] * area / GRAVITY;
        let body = lift(&mut held, mass, 0.0);
        held.start();
        held.rig.run(0.2, |_, _| {});
        let world = &held.rig.world;
        near_part("force", state(world, 0).force(), RELIEF[1] * area, 1e-9);
        // velocities belong to the middle of a step
        let fall = (GRAVITY - RELIEF[1] * area / mass) * (0.2 - 0.5 * dt);
        near_part("speed", climb(world, body), -fall, 1e-6);
        // the same while the pump pushes
        command(&mut held, 0, 1.0);
        held.rig.run(0.1, |_, _| {});
        near_part("force", state(&held.rig.world, 0).force(), RELIEF[1] * area, 1e-9);
    }
}

/// At rest against the relief valve, and stopped in motion, the force does not alternate.
#[test]
fn a_stalled_cylinder_does_not_chatter() {
    for dt in STEPS {
        let mut bench = bench(dt);
        let heavy = 1.05 * RELIEF[0] * areas()[0] / GRAVITY;
        lift(&mut bench, heavy, 1.0);
        bench.start();
        let trace = bench.rig.trace(1.0, |world| state(world, 0).force());
        let late = trace.iter().filter(|(t, _)| *t > 0.2).map(|(_, force)| *force);
        let (low, high) = late.fold((f64::MAX, f64::MIN), |(l, h), f| (l.min(f), h.max(f)));
        near("band of the force", high - low, 0.0, 1e-3);
    }
}

/// Two sections ask for 1.5 times the flow of the pump: both get two thirds, whatever their loads.
#[test]
fn sections_share_the_flow_of_the_pump() {
    for dt in STEPS {
        let mut bench = bench(dt);
        let heavy = lift(&mut bench, MASS, 1.0);
        let light = lift(&mut bench, 0.1 * MASS, 0.5);
        bench.vehicle.circuits[0].pump = Pump::Flow(FLOW);
        bench.start();
        bench.rig.run(1.0, |_, _| {});
        let world = &bench.rig.world;
        let full = FLOW / areas()[0];
        near_part("heavy", climb(world, heavy), 2.0 / 3.0 * full, 1e-6);
        near_part("light", climb(world, light), 1.0 / 3.0 * full, 1e-6);
        near_part("pump", pump(world).flow, FLOW, 1e-6);
        near_part("pressure", pump(world).pressure, MASS * GRAVITY / areas()[0], 1e-6);
    }
}

/// A diesel engine with droop at the pump of some lifts, given by their masses and openings.
fn diesel(dt: f64, masses: &[(f64, f64)], displacement: f64, margin: f64) -> (Bench, usize) {
    let mut bench = bench(dt);
    let shaft = bench.shaft(2.0, rpm(2160.0));
    let governor = Some(Governor { speed: rpm(2160.0), droop: rpm(160.0) });
    let engine = Engine { governor, stall: rpm(600.0), ..engine(shaft, Table::constant(200.0), rpm(2500.0)) };
    bench.mount("engine", Component::Engine(engine));
    bench.signal(Signal::Throttle, 1.0);
    for (mass, opening) in masses {
        lift(&mut bench, *mass, *opening);
    }
    bench.vehicle.circuits[0].pump = Pump::Shaft { shaft, displacement, flow: f64::INFINITY };
    bench.vehicle.circuits[0].margin = margin;
    (bench, shaft)
}

/// The engine's power is (p + margin) q, and its speed is on the droop line.
#[test]
fn the_pump_loads_its_engine() {
    for dt in STEPS {
        // 28 cm³ at 2160 rpm is 1.008e-3 m³/s: the pump is not at its largest flow, but nearly
        let (mut bench, shaft) = diesel(dt, &[(10_000.0, 1.0)], 28e-6, 20e5);
        // closed at first
        let valve = &mut bench.vehicle.circuits[0].sections[0].valve;
        (valve.rate, valve.deadband, valve.flow) = (2.0, 0.5, 0.9 * FLOW);
        bench.start();
        bench.rig.run(3.0, |_, _| {});
        let world = &bench.rig.world;
        let pressure = 10_000.0 * GRAVITY / areas()[0] + 20e5;
        let power = memory(world, "engine").torque[1] * bench.speed(shaft);
        near_part("power", power, pressure * 0.9 * FLOW, 0.002);
        // droop line: 200 N·m at 2000 rpm
        let torque = memory(world, "engine").torque[1];
        near_part("speed", to_rpm(bench.speed(shaft)), 2160.0 - 160.0 * torque / 200.0, 1e-6);
        near_part("pump torque", pump(world).torque, torque, 1e-3);
    }
}

/// At its largest displacement the pump is a transmission: the load follows the speed of the engine, and the power balance
/// holds for two sections with unlike loads. The lighter one wastes the difference of pressures.
#[test]
fn a_saturated_pump_shares_flow_and_power() {
    for dt in STEPS {
        let (mut bench, shaft) = diesel(dt, &[(10_000.0, 1.0), (2_000.0, 1.0)], 28e-6, 20e5);
        bench.start();
        bench.rig.run(3.0, |_, _| {});
        let world = &bench.rig.world;
        let flow = 28e-6 * bench.speed(shaft) / TAU;
        near_part("pump flow", pump(world).flow, flow, 1e-3);
        near_part("first", state(world, 0).flow, 0.5 * flow, 1e-3);
        near_part("second", state(world, 1).flow, 0.5 * flow, 1e-3);
        let power = memory(world, "engine").torque[1] * bench.speed(shaft);
        near_part("power", power, (10_000.0 * GRAVITY / areas()[0] + 20e5) * flow, 0.01);
    }
}

/// A load of 400 times the inertia of the engine, seen at the shaft, starts without vibration.
#[test]
fn a_heavy_load_on_a_light_engine_is_stable() {
    for dt in STEPS {
        let (mut bench, shaft) = diesel(dt, &[(15_000.0, 1.0)], 28e-6, 20e5);
        // m (V/2πA)² = 0.0048 kg·m²
        let light = Mass::principal(1.0, DVec3::ZERO, DVec3::splat(12e-6), DQuat::IDENTITY);
        let body = bench.body(shaft);
        let old = bench.rig.world.model().bodies().get(body).unwrap().clone();
        bench.rig.world.edit(Edit::SetBody(body, Box::new(Body { mass: light, ..old }))).unwrap();
        bench.start();
        let trace = bench.rig.trace(2.0, |world| (bench_speed(world, body), state(world, 0).metered));
        let late: Vec<_> = trace.iter().filter(|(t, _)| *t > 1.0).map(|(_, seen)| *seen).collect();
        for pair in late.windows(2) {
            near_part("speed", pair[1].0, pair[0].0, 1e-3);
            near_part("force", pair[1].1, pair[0].1, 1e-2);
        }
    }
}

fn bench_speed(world: &World, body: BodyId) -> f64 {
    crate::train::spin(world, body)
}

/// A lowered load does not drive the engine, which delivers the standby pressure only.
#[test]
fn a_lowered_load_does_not_drive_the_engine() {
    for dt in STEPS {
        let (mut bench, shaft) = diesel(dt, &[(10_000.0, -0.4)], 28e-6, 20e5);
        bench.start();
        bench.rig.run(3.0, |_, _| {});
        let world = &bench.rig.world;
        near_part("flow", state(world, 0).flow, -0.4 * FLOW, 1e-3);
        let power = memory(world, "engine").torque[1] * bench.speed(shaft);
        near_part("power", power, 20e5 * 0.4 * FLOW, 0.01);
    }
}

/// A pump whose engine is too weak stalls it; the check valve holds the load.
#[test]
fn a_load_stalls_a_weak_engine_and_is_held() {
    for dt in STEPS {
        let (mut bench, shaft) = diesel(dt, &[(14_000.0, 1.0)], 112e-6, 20e5);
        bench.vehicle.circuits[0].sections[0].valve.flow = 5.0 * FLOW;
        bench.start();
        bench.rig.run(6.0, |_, _| {});
        let world = &bench.rig.world;
        near("speed", bench.speed(shaft), 0.0, 1e-3);
        let before = height(world, bench_body(&bench));
        bench.rig.run(5.0, |_, _| {});
        near("height", height(&bench.rig.world, bench_body(&bench)), before, 1e-6);
    }
}

fn bench_body(bench: &Bench) -> BodyId {
    match &bench.vehicle.circuits[0].sections[0].actuator {
        Actuator::Cylinder(cylinder) => cylinder.anchors[1].body,
        Actuator::Motor { .. } => unreachable!("the bench has cylinders only"),
    }
}

/// A hydraulic motor turns at q/V and holds its load with the valve closed.
#[test]
fn a_motor_turns_at_flow_over_displacement() {
    for dt in STEPS {
        let mut bench = bench(dt);
        let shaft = bench.shaft(3.0, 0.0);
        let displacement = 500e-6;
        let motor = Actuator::Motor { shaft, displacement };
        bench.vehicle.circuits[0].sections.push(section("slew", motor, 0.5));
        bench.load(shaft, 600.0);
        bench.start();
        bench.rig.run(1.0, |_, _| {});
        near_part("speed", bench.speed(shaft), TAU * 0.5 * FLOW / displacement, 1e-6);
        near_part("torque", state(&bench.rig.world, 0).metered, 600.0, 1e-6);
        command(&mut bench, 0, 0.0);
        bench.rig.run(1.0, |_, _| {});
        near("speed", bench.speed(shaft), 0.0, 1e-6);
    }
}

/// A mass that bounces on an accumulator: p Vⁿ stays constant, the period is that of the gas spring, and the energy
/// taken in while it is compressed comes back.
#[test]
fn an_accumulator_follows_the_gas_law() {
    for dt in STEPS {
        let mut bench = bench(dt);
        let body = lift(&mut bench, MASS, 0.0);
        let area = areas()[0];
        let level = MASS * GRAVITY / area;
        let gas = Accumulator { volume: 4e-3, precharge: 0.7 * level, exponent: 1.4, start: 1.05 * level };
        bench.vehicle.circuits[0].sections[0].accumulator = Some(gas);
        bench.start();
        let oil = gas.oil(gas.start);
        near_part(
            "gas law",
            gas.pressure(oil) * libm::pow(gas.volume - oil, 1.4),
            gas.precharge * libm::pow(gas.volume, 1.4),
            1e-12,
        );
        let trace = bench.rig.trace(8.0, |world| {
            let state = state(world, 0);
            (height(world, body), climb(world, body), state.lag, state.metered)
        });
        for (t, (height, _, lag, _)) in &trace {
            // the oil that left the cylinder is in the accumulator
            near("oil", area * lag, oil + area * (LENGTH - height), 1e-12);
            assert!(*lag > 0.0, "empty at {t} s");
        }
        let still = gas.oil(level);
        let stiffness = area * area * gas.slope(still);
        let rate = (stiffness / MASS).sqrt();
        let moves: Vec<_> = trace.iter().map(|(t, (_, speed, ..))| (*t, *speed)).collect();
        near_part("period", period(&moves), TAU / rate, 0.01);
        // energy of gas and load at the highest points of the first and last swings
        let tops = peaks(&trace.iter().map(|(t, (height, ..))| (*t, *height)).collect::<Vec<_>>());
        let (first, last) = (tops[0].1, tops[tops.len() - 1].1);
        near_part("swing", last - LENGTH, first - LENGTH, if dt > 0.01 { 0.02 } else { 1e-3 });
    }
}

/// The account of energies of the world closes while one cylinder lifts its load and another lowers one on gas.
#[test]
fn the_account_of_energies_closes() {
    for dt in STEPS {
        let mut bench = bench(dt);
        let body = lift(&mut bench, MASS, 0.5);
        lift(&mut bench, MASS, -0.3);
        let level = MASS * GRAVITY / areas()[0];
        let gas = Accumulator { volume: 4e-3, precharge: 0.7 * level, exponent: 1.4, start: level };
        bench.vehicle.circuits[0].sections[1].accumulator = Some(gas);
        bench.start();
        let mut energy = Vec::new();
        let mut work = Work::default();
        for _ in 0..(1.5 / dt) as usize {
            let report = bench.rig.world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
            energy.push(report.energy.total());
            work = work.plus(report.work.unwrap());
        }
        let raised = MASS * GRAVITY * (height(&bench.rig.world, body) - LENGTH);
        let change = energy[energy.len() - 1] - energy[0];
        println!("{work:?} {change} {raised}");
        assert!(raised > 1000.0);
        near("account", change, work.total(), 0.02 * raised);
    }
}

/// A piston runs into its cushion: it slows down within it, reaches the end, and never moves back.
#[test]
fn a_cushion_stops_without_rebound() {
    for dt in STEPS {
        for opening in [1.0, -1.0] {
            let mut bench = bench(dt);
            let body = lift(&mut bench, MASS, opening);
            let Actuator::Cylinder(cylinder) = &mut bench.vehicle.circuits[0].sections[0].actuator else {
                unreachable!()
            };
            cylinder.cushion = 0.05;
            bench.start();
            let trace = bench.rig.trace(6.0, |world| (height(world, body), climb(world, body)));
            let end = if opening > 0.0 { STROKE[1] } else { STROKE[0] };
            for (_, (height, speed)) in &trace {
                assert!(speed * opening > -1e-7, "moves back at {speed} m/s");
                assert!((end - height) * opening > -1e-6, "beyond the end: {height} m");
            }
            near("end", trace[trace.len() - 1].1.0, end, 1e-6);
            let fast = FLOW / areas()[if opening > 0.0 { 0 } else { 1 }];
            for (_, (height, speed)) in trace.windows(2).map(|pair| (0, (pair[0].1.0, pair[1].1.1))) {
                let left = (end - height) * opening;
                if left < 0.05 && left > 0.0 {
                    let limit = fast * (left / 0.05).sqrt();
                    assert!(speed.abs() <= limit * (1.0 + 1e-6) + 1e-7, "{speed} m/s at {left} m");
                }
            }
        }
    }
}

/// Friction of the seals takes its share of the force, whichever way it moves; a leak lets a load sink by C p/A.
#[test]
fn friction_and_leakage() {
    for dt in STEPS {
        let [area, _] = areas();
        let mut rubbed = bench(dt);
        lift(&mut rubbed, MASS, 0.5);
        rubbed.vehicle.circuits[0].sections[0].friction = 2e3;
        rubbed.start();
        rubbed.rig.run(0.5, |_, _| {});
        near_part("force", state(&rubbed.rig.world, 0).force(), MASS * GRAVITY + 2e3, 1e-6);
        let mut leaky = bench(dt);
        let body = lift(&mut leaky, MASS, 0.0);
        leaky.vehicle.circuits[0].sections[0].leakage = 1e-12;
        leaky.start();
        leaky.rig.run(1.0, |_, _| {});
        let sinks = 1e-12 * MASS * GRAVITY / (area * area);
        near_part("sinks", climb(&leaky.rig.world, body), -sinks, 1e-3);
    }
}

/// Compressible oil: the load sinks by F/k when the valve has closed, k = β Σ A²/V.
#[test]
fn oil_is_a_spring() {
    let modulus = 1.4e9;
    let mut bench = bench(1e-3);
    let body = lift(&mut bench, MASS, 0.0);
    bench.vehicle.circuits[0].sections[0].bulk_modulus = Some(modulus);
    bench.start();
    let trace = bench.rig.trace(1.0, |world| height(world, body));
    let mean = trace.iter().map(|(_, height)| height).sum::<f64>() / trace.len() as f64;
    let [a, b] = areas();
    let (stroke, dead) = (STROKE[1] - STROKE[0], 0.05 * (STROKE[1] - STROKE[0]));
    let x = LENGTH - STROKE[0];
    let stiffness = modulus * (a / (x + dead) + b / (stroke - x + dead));
    near_part("sinks", LENGTH - mean, MASS * GRAVITY / stiffness, 0.02);
}

/// Compressible oil lifts at q/A in the mean. It is not pumped beyond the relief pressure: a load that is too heavy ends
/// up at that pressure without vibration.
#[test]
fn compressible_oil_lifts_and_stalls() {
    for dt in STEPS {
        let [area, _] = areas();
        let oil = |mass: f64| {
            let mut bench = bench(dt);
            let body = lift(&mut bench, mass, 0.5);
            bench.vehicle.circuits[0].sections[0].bulk_modulus = Some(1.4e9);
            bench.vehicle.circuits[0].sections[0].friction = 1e3;
            bench.start();
            let trace = bench.rig.trace(2.0, |world| (height(world, body), state(world, 0)));
            trace.into_iter().map(|(_, seen)| seen).collect::<Vec<_>>()
        };
        let lifted = oil(MASS);
        let half = lifted.len() / 2;
        let path = lifted[lifted.len() - 1].0 - lifted[half].0;
        // it vibrates by F/k = 1.1 mm at both ends of the path
        near("path", path, 0.5 * FLOW / area * (lifted.len() - 1 - half) as f64 * dt, 2.2e-3);
        let heavy = oil(1.1 * RELIEF[0] * area / GRAVITY);
        let [before, last] = [heavy[heavy.len() - 2], heavy[heavy.len() - 1]];
        near("stalled", last.0, before.0, 1e-5);
        near_part("force", last.1.force(), before.1.force(), 1e-3);
        assert!(last.1.force() < RELIEF[1] * area && last.0 < LENGTH, "{last:?}");
    }
}

/// The spool moves at its rate, and opens beyond its deadband.
#[test]
fn a_spool_has_a_rate_and_a_deadband() {
    let dt = 1.0 / 60.0;
    let mut bench = bench(dt);
    let body = lift(&mut bench, MASS, 1.0);
    let valve = &mut bench.vehicle.circuits[0].sections[0].valve;
    (valve.rate, valve.deadband) = (2.0, 0.2);
    bench.start();
    let trace = bench.rig.trace(0.6, |world| (state(world, 0).spool, climb(world, body)));
    for (t, (spool, speed)) in trace.into_iter().skip(1) {
        near("spool", spool, (2.0 * t).min(1.0), 1e-12);
        let open = ((spool - 0.2) / 0.8).max(0.0);
        near("speed", speed, open * FLOW / areas()[0], 1e-6);
    }
}

/// A state stored in the middle of a run, as bytes, goes on with the same bits.
#[test]
fn a_restored_state_goes_on_bitwise() {
    let (mut bench, _) = diesel(1.0 / 60.0, &[(10_000.0, 1.0), (2_000.0, -0.5)], 28e-6, 20e5);
    let gas = Accumulator { volume: 4e-3, precharge: 20e5, exponent: 1.4, start: 30e5 };
    bench.vehicle.circuits[0].sections[1].accumulator = Some(gas);
    bench.start();
    let world = &mut bench.rig.world;
    (0..40).for_each(|_| drop(world.step()));
    let bytes = world.state().to_bytes();
    (0..40).for_each(|_| drop(world.step()));
    let end = world.state().hash();
    let mut again = world.fork();
    again.restore(State::from_bytes(&bytes).unwrap()).unwrap();
    (0..40).for_each(|_| drop(again.step()));
    assert_eq!(again.state().hash(), end);
}

#[test]
fn a_warm_step_does_not_allocate() {
    let (mut bench, _) = diesel(1.0 / 60.0, &[(10_000.0, 1.0), (2_000.0, -0.5)], 28e-6, 20e5);
    bench.start();
    let world = &mut bench.rig.world;
    (0..30).for_each(|_| drop(world.step()));
    let before = allocated();
    (0..60).for_each(|_| drop(world.step()));
    assert_eq!(allocated() - before, 0);
}

/// Circuits that cannot work are refused with a remedy.
#[test]
fn impossible_circuits_are_refused() {
    let refused = |change: &dyn Fn(&mut Circuit), words: &str| {
        let mut bench = bench(1.0 / 60.0);
        lift(&mut bench, MASS, 0.0);
        change(&mut bench.vehicle.circuits[0]);
        let edit = Vehicles::set(vec![bench.vehicle.clone()]);
        let error = bench.rig.world.edit_subsystem::<Vehicles>(edit).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(&|c| c.sections.clear(), "it has no sections: give one");
    refused(&|c| c.pump = Pump::Flow(0.0), "its flow is 0: give a positive number");
    refused(&|c| c.sections[0].valve.deadband = 1.0, "its deadband is 1: give 0 to less than 1");
    refused(&|c| c.sections[0].port_relief = -1.0, "its port relief pressure is -1");
    refused(
        &|c| c.pump = Pump::Shaft { shaft: 3, displacement: 1e-5, flow: 1.0 },
        "circuit \"work\" has shaft 3, but there are 0",
    );
}
