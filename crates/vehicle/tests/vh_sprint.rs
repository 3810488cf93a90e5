//! VH13 and VH43: a sprint through a clutch, a gearbox and a differential, and its energies.

use crate::kit::*;
use crate::road::*;
use crate::train::{STEPS, engine, memory, petrol, rpm};
use glam::DVec2;
use windlass_engine::prelude::*;
use windlass_vehicle::Signal;
use windlass_vehicle::driveline::{
    Clutch, ClutchControl, Component, Engine, Fuel, GearPhase, Gearbox, ShiftMap,
};
use windlass_vehicle::tire::{Linear, TireModel};

/// Radius of the wheels [m], mass with wheels and rotors [kg].
const RADIUS: f64 = 0.31;
const MASS: f64 = 1400.0;
const ROLLING: f64 = 0.012;
/// ½ ρ C_d A [kg/m].
const DRAG: f64 = 0.5 * 1.225 * 0.65;
/// Torque at which the clutch slips, and what it transmits with the pedal released [N·m].
const SLIPS: f64 = 190.0;
const CLUTCH: f64 = 400.0;
/// Moments of inertia of crankshaft and gearbox input [kg·m²]; that of the input is not in the reference.
const CRANK: f64 = 0.15;
const INPUT: f64 = 1e-3;

/// The car, with its rear axle driven.
fn car(dt: f64) -> Car {
    // tyres that hardly slip: the reference has none
    let tire = Linear { stiffness: DVec2::splat(2e7), friction: None, relaxation: DVec2::splat(0.3) };
    let rotors = (CRANK + 2.0 * INPUT) / 0.01;
    let spec = Spec {
        wheel: [RADIUS, 10.0, 1.0],
        rolling_resistance: Some(ROLLING),
        ..Spec::four(MASS - rotors, 1.35, 1.35, 1.5, TireModel::Linear(tire))
    };
    let mut car = Car::new(dt, &spec, 0.0);
    let drag = Drag { body: car.chassis, factor: 1.0, area: 0.65, density: Some(1.225) };
    car.rig.world.add_force(Force::Drag(drag)).unwrap();
    let crank = car.rotor("crankshaft", CRANK, rpm(3000.0));
    let input = car.rotor("gearbox input", INPUT, 0.0);
    let output = car.axle([2, 3], 3.9);
    // a fuel of 1 kg/J counts the work
    let fuel = Fuel { specific: 1.0, idle: 0.0 };
    let gearbox = Gearbox {
        input,
        output,
        ratios: vec![3.6, 2.1, 1.45, 1.1, 0.85],
        reverse: 0.0,
        synchronizer: 100.0,
        shift_time: 0.25,
        rev_match: 500.0,
        automatic: Some(ShiftMap { up: [rpm(6000.0); 2], down: [rpm(1500.0); 2], hold: 0.5 }),
        gear: 1,
        is_range: false,
    };
    let clutch = Clutch { shafts: [crank, input], torque: CLUTCH, control: ClutchControl::Pedal([0.0, 1.0]) };
    let engine = Engine { fuel, ..engine(crank, petrol(), rpm(6500.0)) };
    let parts = [
        ("engine", Component::Engine(engine)),
        ("clutch", Component::Clutch(clutch)),
        ("gearbox", Component::Gearbox(gearbox)),
    ];
    car.vehicle.components.extend(parts.map(|(name, part)| (name.to_string(), part)));
    car.signal(Signal::Throttle, 1.0);
    car.signal(Signal::Gear, 1.0);
    car.signal(Signal::Clutch, 1.0 - (SLIPS / CLUTCH).sqrt());
    car.start();
    car
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

/// Work against air and rolling resistance in a step [J].
fn resistance(car: &Car, dt: f64) -> f64 {
    let world = &car.rig.world;
    let v = velocity(world, car.chassis).x;
    let spins = car.wheels.iter().map(|wheel| world.state().bodies[wheel.index()].angular_velocity.y);
    let rolling = spins
        .zip(wheels(world))
        .map(|(spin, wheel)| ROLLING * wheel.load * (RADIUS - wheel.deflection) * spin);
    (DRAG * v * v * v + rolling.sum::<f64>()) * dt
}

/// The driver releases the clutch pedal once the clutch has locked, and lifts the throttle while no gear is engaged.
fn drive(car: &mut Car) {
    let is_engaged = GearPhase::of(&memory(&car.rig.world, "gearbox")) == GearPhase::Engaged;
    car.signal(Signal::Throttle, if is_engaged { 1.0 } else { 0.0 });
    car.start();
}

#[test]
fn vh13_sprint_and_vh43_its_energy() {
    for dt in STEPS {
        let [sprint, books] = ["VH13", "VH43"].map(|id| Case::new(id, Integrator::Spook, dt));
        let mut car = car(dt);
        let start = kinetic(&car.rig.world);
        let (mut locked, mut shifted, mut resisted, mut before) = (None, None, 0.0, 0.0);
        let end = loop {
            let report = car.rig.world.step();
            assert!(report.fault.is_none() && report.time < 12.0, "{:?} at {} s", report.fault, report.time);
            let v = velocity(&car.rig.world, car.chassis).x;
            resisted += resistance(&car, dt);
            // velocities belong to the middle of a step
            let time = report.time - 0.5 * dt;
            let phase = GearPhase::of(&memory(&car.rig.world, "gearbox"));
            if locked.is_none() && memory(&car.rig.world, "clutch").slip.abs() < 0.01 {
                locked = Some((time, v));
                car.signal(Signal::Clutch, 0.0);
            }
            if shifted.is_none() && phase == GearPhase::Released {
                shifted = Some((time, v));
            }
            let goal = 100.0 / 3.6;
            if v >= goal {
                break time - dt * (v - goal) / (v - before);
            }
            before = v;
            drive(&mut car);
        };
        let ((locked, v_locked), (shifted, v_shifted)) = (locked.unwrap(), shifted.unwrap());
        sprint.finds("clutch locks at", locked);
        sprint.finds("speed then", v_locked);
        sprint.finds("first shift at", shifted);
        sprint.finds("speed at the shift out of 1st", v_shifted);
        sprint.finds("0 to 100 km/h", end);
        let [work, heat, matched] =
            ["engine", "clutch", "gearbox"].map(|name| memory(&car.rig.world, name).total);
        let gained = kinetic(&car.rig.world) - start;
        assert!(heat > 1e4 && matched > 1e4 && resisted > 1e4, "{heat} {matched} {resisted}");
        let missing = work - gained - heat - matched - resisted;
        books.finds("what is missing, of the engine's work", missing / work);
    }
}
