//! VH14–VH22 and VH42: drive trains.

use crate::kit::*;
use crate::train::*;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_vehicle::driveline::{
    Clutch, ClutchControl, Component, Converter, Differential, ElectricMotor, Engine, EngineMode, Fuel, Gear,
    Governor, Hydrostatic, HydrostaticUnit, Lock,
};
use windlass_vehicle::{Shaft, Signal, Source, Table, Vehicle, Vehicles};

fn case(id: &str, dt: f64) -> Case {
    Case::new(id, Integrator::Spook, dt)
}

/// A shaft that turns at a speed whatever acts on it: a motor with ample torque.
fn held(bench: &mut Bench, shaft: usize, speed: f64) {
    let motor =
        ElectricMotor { shaft, torque: 1e6, power: 1e12, limit: speed, steer: 0.0, traction_control: None };
    bench.mount(&format!("motor {shaft}"), Component::Motor(motor));
}

/// Full-load map of the diesel engine of a 4×4: figures of Project Chrono's `HMMWV_EngineShafts.json`.
fn diesel() -> Table {
    let torques = [
        382.0, 490.0, 579.0, 650.0, 706.0, 746.0, 774.0, 789.0, 793.0, 788.0, 774.0, 754.0, 728.0, 697.0,
        664.0, 628.0, 593.0, 558.0, -400.0,
    ];
    let speed = |k: usize| if k == 18 { 2700.0 } else { 800.0 + 100.0 * k as f64 };
    let speeds: Vec<f64> = (0..torques.len()).map(|k| rpm(speed(k))).collect();
    Table::new(&speeds, &torques).unwrap()
}

#[test]
fn vh16_engine_alone() {
    for dt in STEPS {
        let mut bench = Bench::new(dt);
        let shaft = bench.shaft(0.15, rpm(1000.0));
        bench.mount("engine", Component::Engine(engine(shaft, petrol(), rpm(6500.0))));
        bench.signal(Signal::Throttle, 1.0);
        bench.start();
        let body = bench.vehicle.shafts[shaft].body;
        let trace = bench.rig.trace(1.0, |world| to_rpm(spin(world, body)));
        let after = trace.iter().position(|(_, speed)| *speed >= 6000.0).unwrap();
        let ((t0, a), (t1, b)) = (trace[after - 1], trace[after]);
        // velocities belong to the middle of a step
        let time = t0 + (t1 - t0) * (6000.0 - a) / (b - a) - 0.5 * dt;
        let case = case("VH16", dt);
        case.finds("time to 6000 rpm", time);
        let highest = trace.iter().fold(0.0, |most: f64, (_, speed)| most.max(speed - 6500.0));
        case.finds("highest speed above the limiter", highest);
    }
}

#[test]
fn vh17_clutch_that_locks() {
    for dt in STEPS {
        let mut bench = Bench::new(dt);
        let [a, b] = [bench.shaft(0.3, 300.0), bench.shaft(1.2, 0.0)];
        let clutch = Clutch { shafts: [a, b], torque: 200.0, control: ClutchControl::Pedal([0.0, 1.0]) };
        bench.mount("clutch", Component::Clutch(clutch));
        bench.start();
        let bodies = [a, b].map(|shaft| bench.vehicle.shafts[shaft].body);
        let trace = bench.rig.trace(0.6, |world| bodies.map(|body| spin(world, body)));
        let locked = trace.iter().find(|(_, [a, b])| (a - b).abs() < 1e-6).unwrap();
        let case = case("VH17", dt);
        // velocities belong to the middle of a step
        case.finds("time to lock", locked.0 - 0.5 * dt);
        case.finds("common speed", trace.last().unwrap().1[0]);
        case.finds("heat", memory(&bench.rig.world, "clutch").total);
    }
}

#[test]
fn vh18_engine_that_stalls() {
    for dt in STEPS {
        let mut bench = Bench::new(dt);
        let [crank, out] = [bench.shaft(0.15, rpm(800.0)), bench.shaft(1.0, 0.0)];
        let curve = Table::constant(140.0);
        let stalls = Engine { idle: rpm(800.0), stall: rpm(400.0), ..engine(crank, curve, rpm(6500.0)) };
        bench.mount("engine", Component::Engine(stalls));
        bench.mount(
            "clutch",
            Component::Clutch(Clutch {
                shafts: [crank, out],
                torque: 300.0,
                control: ClutchControl::Pedal([0.0, 1.0]),
            }),
        );
        bench.load(out, 1e6);
        bench.start();
        let trace =
            bench.rig.trace(0.5, |world| (memory(world, "engine"), EngineMode::of(&memory(world, "engine"))));
        let stalled = trace.iter().find(|(_, (_, mode))| *mode == EngineMode::Stalled).unwrap();
        let case = case("VH18", dt);
        case.finds("time to stall", stalled.0);
        case.finds("engine torque afterwards", trace.last().unwrap().1.0.torque[0]);
    }
}

/// A differential of ratio 4.1 with 400 N·m at its input: the bench, and its input and outputs.
fn differential(dt: f64, lock: Lock) -> (Bench, [usize; 3]) {
    let mut bench = Bench::new(dt);
    let shafts = [bench.shaft(0.1, 0.0), bench.shaft(1.0, 0.0), bench.shaft(1.0, 0.0)];
    let [input, left, right] = shafts;
    bench.mount(
        "motor",
        Component::Motor(ElectricMotor {
            shaft: input,
            torque: 400.0,
            power: 1e12,
            limit: 1e6,
            steer: 0.0,
            traction_control: None,
        }),
    );
    let outputs = [left, right];
    let differential = Differential { input, outputs, ratio: 4.1, split: 0.5, lock };
    bench.mount("differential", Component::Differential(differential));
    bench.signal(Signal::Throttle, 1.0);
    (bench, shafts)
}

#[test]
fn vh19_open_differential() {
    for dt in STEPS {
        let case = case("VH19", dt);
        let (mut bench, [_, left, right]) = differential(dt, Lock::Open);
        bench.load(left, 1e5);
        bench.load(right, 1e5);
        bench.start();
        bench.rig.run(0.2, |_, _| {});
        let torque =
            |bench: &Bench, shaft: usize| memory(&bench.rig.world, &format!("load {shaft}")).torque[0].abs();
        case.finds("(a) torque of each output", torque(&bench, left));
        assert!((torque(&bench, right) - 820.0).abs() < 1e-6);
        // one output on ice, the other held: the input is braked so that it turns steadily at 41 rad/s
        let (mut bench, [input, left, right]) = differential(dt, Lock::Open);
        bench.vehicle.components.remove(0);
        held(&mut bench, input, 41.0);
        bench.load(left, 64.0);
        bench.load(right, 1e5);
        bench.start();
        bench.rig.run(0.5, |_, _| {});
        case.finds("(b) torque that reaches the right wheel", torque(&bench, right));
        case.finds("(b) left speed with ω_in = 41 rad/s, right at rest", bench.speed(left));
    }
}

#[test]
fn vh20_limited_slip_and_bias() {
    for dt in STEPS {
        let case = case("VH20", dt);
        let right_torque = |lock: Lock| {
            let (mut bench, [input, left, right]) = differential(dt, lock);
            bench.vehicle.components.remove(0);
            held(&mut bench, input, 41.0);
            bench.load(left, 64.0);
            bench.load(right, 1e5);
            bench.start();
            bench.rig.run(0.5, |_, _| {});
            memory(&bench.rig.world, &format!("load {right}")).torque[0].abs()
        };
        let limited = Lock::LimitedSlip { preload: 150.0, share: 0.0 };
        case.finds("(a) torque of the right wheel while the left spins", right_torque(limited));
        case.finds("(b) torque of the right wheel", right_torque(Lock::TorqueBias(3.0)));
        let (mut bench, [_, left, right]) = differential(dt, Lock::Locked);
        bench.load(left, 64.0);
        bench.load(right, 500.0);
        bench.start();
        bench.rig.run(0.5, |_, _| {});
        assert!(bench.speed(left) > 1.0, "it turns");
        case.finds("(c) difference of speeds", bench.speed(left) - bench.speed(right));
    }
}

/// Engine, converter and a load on the turbine; run to a steady state.
fn converter(dt: f64, load: f64) -> (Bench, [usize; 2]) {
    let mut bench = Bench::new(dt);
    let [crank, turbine] = [bench.shaft(1.1, rpm(1500.0)), bench.shaft(0.05, 0.0)];
    bench.mount("engine", Component::Engine(engine(crank, diesel(), rpm(3000.0))));
    let capacity =
        Table::new(&[0.0, 0.25, 0.5, 0.75, 0.9, 1.0], &[15.0, 15.0, 15.0, 16.0, 18.0, 35.0]).unwrap();
    let ratio = Table::new(&[0.0, 0.25, 0.5, 0.75, 1.0], &[2.0, 1.8, 1.5, 1.15, 1.0]).unwrap();
    let converter = Converter { pump: crank, turbine, capacity, ratio, lock_up: None };
    bench.mount("converter", Component::Converter(converter));
    bench.load(turbine, load);
    bench.signal(Signal::Throttle, 1.0);
    bench.start();
    bench.rig.run(10.0, |_, _| {});
    (bench, [crank, turbine])
}

#[test]
fn vh14_converter_at_stall() {
    for dt in STEPS {
        let (bench, [crank, turbine]) = converter(dt, 1e5);
        let case = case("VH14", dt);
        case.finds("stall speed of the engine", to_rpm(bench.speed(crank)));
        let pump = memory(&bench.rig.world, "converter").torque[0].abs();
        let load = memory(&bench.rig.world, &format!("load {turbine}")).torque[0].abs();
        case.finds("pump torque", pump);
        case.finds("turbine torque", load);
        case.finds("torque on the housing", load - pump);
    }
}

#[test]
fn vh15_converter_under_load() {
    for dt in STEPS {
        let (bench, [crank, turbine]) = converter(dt, 450.0);
        let case = case("VH15", dt);
        let ratio = bench.speed(turbine) / bench.speed(crank);
        case.finds("speed ratio", ratio);
        case.finds("engine speed", to_rpm(bench.speed(crank)));
        let pump = memory(&bench.rig.world, "converter").torque[0].abs();
        case.finds("efficiency μν", 450.0 / pump * ratio);
    }
}

fn hydrostatic(dt: f64, load: f64, leakage: f64, stroke: f64) -> (Bench, [usize; 2]) {
    let mut bench = Bench::new(dt);
    let [pump, motor] = [bench.shaft(0.1, rpm(2000.0)), bench.shaft(0.1, 0.0)];
    held(&mut bench, pump, rpm(2000.0));
    let unit = |shaft: usize, cubic_centimetres: f64| HydrostaticUnit {
        shaft,
        displacement: cubic_centimetres * 1e-6,
        stroke: 1.0,
    };
    let circuit = Hydrostatic {
        pumps: vec![unit(pump, 71.0)],
        motors: vec![unit(motor, 165.0)],
        relief: 350e5,
        leakage,
        steer: 0.0,
    };
    bench.mount("circuit", Component::Hydrostatic(circuit));
    bench.load(motor, load);
    bench.signal(Signal::Stroke, stroke);
    bench.signal(Signal::Throttle, 1.0);
    bench.start();
    bench.rig.run(1.0, |_, _| {});
    (bench, [pump, motor])
}

#[test]
fn vh21_hydrostatic_drive() {
    for dt in STEPS {
        let case = case("VH21", dt);
        let (bench, [pump, motor]) = hydrostatic(dt, 300.0, 0.0, 1.0);
        case.finds("(a) motor speed", to_rpm(bench.speed(motor)));
        let (vehicles, state) = Vehicles::of(&bench.rig.world).unwrap();
        let Component::Hydrostatic(circuit) = &vehicles.list[0].components[1].1 else { unreachable!() };
        case.finds("pressure", circuit.pressure(&state.0[0].components[1]) / 1e5);
        case.finds("pump torque", memory(&bench.rig.world, &format!("motor {pump}")).torque[0]);
        let (bench, [_, motor]) = hydrostatic(dt, 300.0, 2e-12, 1.0);
        case.finds("(b) motor speed with leak", to_rpm(bench.speed(motor)));
        let (bench, [_, motor]) = hydrostatic(dt, 1e5, 0.0, 1.0);
        let load = memory(&bench.rig.world, &format!("load {motor}")).torque[0];
        case.finds("largest motor torque at the relief", load.abs());
        let (bench, [_, motor]) = hydrostatic(dt, 0.0, 0.0, 0.0);
        case.finds("motor speed with the pump at zero stroke", to_rpm(bench.speed(motor)));
    }
}

/// Two motors in parallel are a hydraulic differential: they share the flow, Σ V ω = V_p ω_p, and have one pressure. The one
/// with the larger load stands until the other is as loaded; with equal loads for their displacements both turn.
#[test]
fn two_motors_of_a_circuit_share_flow_and_pressure() {
    let [small, large] = [80.0, 160.0];
    for dt in STEPS {
        for (loads, stands) in [([40.0, 160.0], true), ([60.0, 120.0], false)] {
            let mut bench = Bench::new(dt);
            let pump = bench.shaft(0.1, rpm(1500.0));
            let motors = [bench.shaft(0.1, 0.0), bench.shaft(0.2, 0.0)];
            held(&mut bench, pump, rpm(1500.0));
            let unit = |shaft: usize, cubic_centimetres: f64| HydrostaticUnit {
                shaft,
                displacement: cubic_centimetres * 1e-6,
                stroke: 1.0,
            };
            let circuit = Hydrostatic {
                pumps: vec![unit(pump, 71.0)],
                motors: vec![unit(motors[0], small), unit(motors[1], large)],
                relief: 350e5,
                leakage: 0.0,
                steer: 0.0,
            };
            bench.mount("circuit", Component::Hydrostatic(circuit.clone()));
            for (motor, load) in motors.iter().zip(loads) {
                bench.load(*motor, load);
            }
            bench.signal(Signal::Stroke, 0.5);
            bench.signal(Signal::Throttle, 1.0);
            bench.start();
            bench.rig.run(3.0, |_, _| {});
            let [first, second] = motors.map(|motor| bench.speed(motor));
            let flow = small * first + large * second;
            let pumped = 0.5 * 71.0 * rpm(1500.0);
            assert!((flow / pumped - 1.0).abs() < 1e-6, "{flow} for {pumped}");
            // the pressure is that of the motor that turns
            let pressure = circuit.pressure(&memory(&bench.rig.world, "circuit"));
            let needed = loads[0] * std::f64::consts::TAU / (small * 1e-6);
            assert!((pressure / needed - 1.0).abs() < 1e-4, "{pressure} for {needed}");
            assert!(first > 1.0 && (second.abs() < 1e-6) == stands, "{first} {second}");
        }
    }
}

#[test]
fn vh22_governed_diesel() {
    for dt in STEPS {
        let case = case("VH22", dt);
        let run = |load: f64| {
            let mut bench = Bench::new(dt);
            let shaft = bench.shaft(2.0, rpm(2000.0));
            let governor = Some(Governor { speed: rpm(2160.0), droop: rpm(160.0) });
            let engine =
                Engine { governor, stall: rpm(600.0), ..engine(shaft, Table::constant(800.0), rpm(2500.0)) };
            bench.mount("engine", Component::Engine(engine));
            bench.load(shaft, load);
            bench.signal(Signal::Throttle, 1.0);
            bench.start();
            bench.rig.run(10.0, |_, _| {});
            to_rpm(bench.speed(shaft))
        };
        case.finds("speed", run(400.0));
        // it needs 5.6 s from 2000 rpm to the stall
        case.does("speed when the PTO takes 850 N·m", run(850.0).abs() < 1e-6);
    }
}

#[test]
fn vh42_fuel() {
    for dt in STEPS {
        let mut bench = Bench::new(dt);
        let shaft = bench.shaft(0.15, 250.0);
        let fuel = Fuel { specific: 250.0 / 3.6e9, idle: 0.0 };
        let engine = Engine { fuel, ..engine(shaft, Table::constant(200.0), 1000.0) };
        bench.mount("engine", Component::Engine(engine));
        bench.load(shaft, 200.0);
        bench.signal(Signal::Throttle, 1.0);
        bench.start();
        bench.rig.run(10.0, |_, _| {});
        case("VH42", dt).finds("fuel", memory(&bench.rig.world, "engine").total * 1e3);
    }
}

/// Twelve shafts in a chain of gears at 6000 rpm keep their ratios for an hour of steps of 1/60 s.
#[test]
fn gears_do_not_drift() {
    let mut bench = Bench::new(1.0 / 60.0);
    let speed = rpm(6000.0);
    let shafts: Vec<usize> = (0..12).map(|_| bench.shaft(0.02, speed)).collect();
    held(&mut bench, 0, speed);
    for pair in shafts.windows(2) {
        let gear = Gear { input: pair[0], output: pair[1], ratio: 1.0 };
        bench.mount(&format!("gear {}", pair[0]), Component::Gear(gear));
    }
    bench.signal(Signal::Throttle, 1.0);
    bench.start();
    for _ in 0..60 * 60 * 60 {
        let report = bench.rig.world.step();
        assert!(report.fault.is_none() && report.gap < 1e-9, "{:?}", report.gap);
    }
    for shaft in shafts {
        assert!((bench.speed(shaft) / speed - 1.0).abs() < 1e-9, "{}", bench.speed(shaft));
    }
}

/// A revved engine turns its housing against its crankshaft: by T_e/K on a spring K, and by the drag alone at its limit.
#[test]
fn a_revved_engine_rolls_its_housing() {
    const TORQUE: f64 = 300.0;
    const STIFFNESS: f64 = 20e3;
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let solid = |inertia: f64| Mass::principal(1e3, DVec3::ZERO, DVec3::splat(inertia), DQuat::IDENTITY);
        let housing = rig.body("housing", solid(400.0), DVec3::ZERO);
        let axis = Axis::with_spring(STIFFNESS, 2.0 * (STIFFNESS * 400.0_f64).sqrt(), 0.0);
        rig.driven_hinge([rig.ground, housing], DVec3::ZERO, DVec3::X, axis);
        let rotor = Mass::principal(1e3, DVec3::ZERO, DVec3::new(20.0, 12.0, 12.0), DQuat::IDENTITY);
        let crank = rig.body("crank", rotor, DVec3::ZERO);
        rig.hinge([housing, crank], DVec3::ZERO, DVec3::X);
        let engine = Engine { drag: Table::constant(30.0), ..engine(0, Table::constant(TORQUE), 60.0) };
        let vehicle = Vehicle {
            name: "bench".into(),
            chassis: housing,
            ahead: DVec3::X,
            shafts: vec![Shaft { name: "crank".into(), body: crank, axis: DVec3::X, housing }],
            components: vec![("engine".into(), Component::Engine(engine))],
            circuits: Vec::new(),
            wheels: Vec::new(),
            steering: None,
            controls: vec![(Signal::Throttle, Source::Constant(1.0))],
            own_controls: Vec::new(),
        };
        rig.world.edit_subsystem::<Vehicles>(Vehicles::set(vec![vehicle])).unwrap();
        let trace = rig.trace(8.0, |world| {
            let [housing, crank] = [housing, crank].map(|body| world.state().bodies[body.index()]);
            (2.0 * libm::asin(housing.orientation.x), crank.angular_velocity.x)
        });
        let at = |time: f64| trace[(time / dt).round() as usize].1;
        // 300 N·m accelerate 20 kg·m² to 60 rad/s within 4 s
        assert!(at(3.0).1 > 40.0 && at(8.0).1 > 59.0);
        let angle = -TORQUE / STIFFNESS;
        assert!((at(3.0).0 / angle - 1.0).abs() < 2e-3, "{} for {angle}", at(3.0).0);
        assert!(at(8.0).0.abs() < 1e-3 * angle.abs(), "{}", at(8.0).0);
    }
}

/// The heat of a clutch is the energy lost, also where position iterations write rows again: in a housing that rotates.
#[test]
fn heat_is_the_energy_lost_in_a_rotating_housing() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
    let heavy = Mass::principal(1e6, DVec3::ZERO, DVec3::splat(1e6), DQuat::IDENTITY);
    let housing = rig.body("housing", heavy, DVec3::ZERO);
    rig.moving(housing, DVec3::ZERO, DVec3::X * 2.0);
    let mut shafts = Vec::new();
    for (k, (inertia, spin)) in [(0.3, 30.0), (1.2, 0.0)].into_iter().enumerate() {
        let (name, at) = (format!("shaft {k}"), DVec3::new(0.0, 0.5 + k as f64, 0.0));
        let moments = DVec3::new(0.6, 0.6, 1.0) * inertia;
        let body =
            rig.body(&name, Mass::principal(inertia / 0.01, DVec3::ZERO, moments, DQuat::IDENTITY), at);
        rig.hinge([housing, body], at, DVec3::Z);
        rig.moving(body, DVec3::new(0.0, 0.0, 2.0 * at.y), DVec3::new(2.0, 0.0, spin));
        shafts.push(Shaft { name, body, axis: DVec3::Z, housing });
    }
    let clutch = Clutch { shafts: [0, 1], torque: 20.0, control: ClutchControl::Pedal([0.0, 1.0]) };
    let vehicle = Vehicle {
        name: "bench".into(),
        chassis: housing,
        ahead: DVec3::X,
        shafts,
        components: vec![("clutch".into(), Component::Clutch(clutch))],
        circuits: Vec::new(),
        wheels: Vec::new(),
        steering: None,
        controls: Vec::new(),
        own_controls: Vec::new(),
    };
    rig.world.edit_subsystem::<Vehicles>(Vehicles::set(vec![vehicle])).unwrap();
    for _ in 0..60 {
        assert!(rig.world.step().fault.is_none());
    }
    // ½ I₁I₂/(I₁ + I₂) Δω²
    let heat = memory(&rig.world, "clutch").total;
    assert!((heat / 108.0 - 1.0).abs() < 5e-3, "{heat}");
}
