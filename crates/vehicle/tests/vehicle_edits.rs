//! Edits of vehicles: signals from inputs, refusals, undo, and states that do not fit.

use crate::road::*;
use crate::train::{Bench, STEPS, engine, memory};
use glam::{DVec2, DVec3};
use windlass_engine::prelude::*;
use windlass_vehicle::driveline::{
    Brake, Clutch, ClutchControl, Component, Converter, Differential, ElectricMotor, Engine, Gear, Gearbox,
    Governor, Hydrostatic, HydrostaticUnit, Lock, Retarder, ShiftMap, Starter,
};
use windlass_vehicle::tire::{Brush, TireModel};
use windlass_vehicle::{Signal, Source, Table, Vehicle, VehicleEdit, VehicleState, Vehicles, VehiclesState};

/// Torque of the motor on the bench [N·m].
const TORQUE: f64 = 50.0;

/// A pedal without a limit of its rate.
fn pedal(name: &str) -> Input {
    Input {
        name: name.into(),
        low: 0.0,
        high: 1.0,
        rest: 0.0,
        rate: f64::INFINITY,
        stop_rate: f64::INFINITY,
        returns: true,
        bindings: Vec::new(),
        script: Script::default(),
    }
}

/// A motor on a bench whose throttle has the given sources.
fn driven(dt: f64, sources: &[Source]) -> Bench {
    let mut bench = Bench::new(dt);
    let shaft = bench.shaft(1.0, 0.0);
    let motor =
        ElectricMotor { shaft, torque: TORQUE, power: 1e12, limit: 1e6, steer: 0.0, traction_control: None };
    bench.mount("motor", Component::Motor(motor));
    bench.vehicle.controls = sources.iter().map(|source| (Signal::Throttle, *source)).collect();
    bench
}

/// The throttle of the next step, read from the torque of the motor.
fn throttle(bench: &mut Bench) -> f64 {
    let report = bench.rig.world.step();
    assert!(report.fault.is_none(), "{:?}", report.fault);
    memory(&bench.rig.world, "motor").torque[0] / TORQUE
}

#[track_caller]
fn near(value: f64, reference: f64) {
    assert!((value - reference).abs() < 1e-12, "{value} for {reference}");
}

/// A signal is its input times the factor, in the step after the input was set; its mean over the step while it moves.
#[test]
fn a_component_follows_its_input() {
    for dt in STEPS {
        let mut bench = driven(dt, &[]);
        let input = bench.rig.world.add_input(pedal("pedal")).unwrap();
        bench.vehicle.controls = vec![(Signal::Throttle, Source::Input(input, 0.5))];
        bench.start();
        near(throttle(&mut bench), 0.0);
        for value in [0.8, 0.3, 1.0, 0.0] {
            bench.rig.world.set_input(input, Some(value)).unwrap();
            near(throttle(&mut bench), 0.5 * value);
        }
        let slow = Input { rate: 0.6, ..pedal("pedal") };
        bench.rig.world.edit(Edit::SetInput(input, Box::new(slow))).unwrap();
        bench.rig.world.set_input(input, Some(1.0)).unwrap();
        for k in 0..(1.0 / dt) as usize {
            near(throttle(&mut bench), 0.5 * 0.6 * (k as f64 + 0.5) * dt);
        }
    }
}

/// Constants and inputs of one signal add up, and the component limits the sum.
#[test]
fn sources_of_a_signal_add_up() {
    let mut bench = driven(1.0 / 60.0, &[]);
    let [a, b] = ["a", "b"].map(|name| bench.rig.world.add_input(pedal(name)).unwrap());
    let sources = [Source::Constant(0.1), Source::Input(a, 0.5), Source::Input(b, -0.25)];
    bench.vehicle.controls = sources.map(|source| (Signal::Throttle, source)).to_vec();
    bench.start();
    near(throttle(&mut bench), 0.1);
    for (first, second) in [(1.0, 0.0), (0.4, 1.0), (0.0, 1.0), (1.0, 1.0)] {
        bench.rig.world.set_input(a, Some(first)).unwrap();
        bench.rig.world.set_input(b, Some(second)).unwrap();
        near(throttle(&mut bench), 0.1 + 0.5 * first - 0.25 * second);
    }
    bench.vehicle.controls.push((Signal::Throttle, Source::Constant(3.0)));
    bench.apply();
    near(throttle(&mut bench), 1.0);
}

/// A removed input is no source any more; another one in its place is not taken for it, and undo brings it back.
#[test]
fn a_removed_input_is_without_effect_also_when_its_place_is_taken() {
    let mut bench = driven(1.0 / 60.0, &[]);
    let input = bench.rig.world.add_input(pedal("pedal")).unwrap();
    let sources = [Source::Constant(0.1), Source::Input(input, 0.5)];
    bench.vehicle.controls = sources.map(|source| (Signal::Throttle, source)).to_vec();
    bench.start();
    bench.rig.world.set_input(input, Some(1.0)).unwrap();
    near(throttle(&mut bench), 0.6);
    let undo = bench.rig.world.edit(Edit::RemoveInput(input)).unwrap();
    near(throttle(&mut bench), 0.1);
    let other = bench.rig.world.add_input(pedal("other")).unwrap();
    assert_eq!(other.index(), input.index());
    bench.rig.world.set_input(other, Some(1.0)).unwrap();
    near(throttle(&mut bench), 0.1);
    bench.rig.world.edit(Edit::RemoveInput(other)).unwrap();
    bench.rig.world.edit(undo).unwrap();
    near(throttle(&mut bench), 0.6);
}

/// Signals whose only input is removed are as those that have none: the ignition is on, the gearbox in its first gear.
#[test]
fn a_signal_that_lost_its_input_is_at_rest() {
    let mut bench = Bench::new(1.0 / 60.0);
    let [crank, output] = [bench.shaft(0.2, 100.0), bench.shaft(5.0, 50.0)];
    bench.mount("engine", Component::Engine(engine(crank, Table::constant(100.0), 600.0)));
    let gearbox = Gearbox { shift_time: 0.1, gear: 1, ..gearbox([crank, output], None) };
    bench.mount("gearbox", Component::Gearbox(gearbox));
    let [key, lever] = ["key", "lever"].map(|name| {
        let input = Input { high: 2.0, ..pedal(name) };
        bench.rig.world.add_input(input).unwrap()
    });
    bench.vehicle.controls =
        vec![(Signal::Ignition, Source::Input(key, 1.0)), (Signal::Gear, Source::Input(lever, 1.0))];
    bench.rig.world.set_input(key, Some(1.0)).unwrap();
    bench.rig.world.set_input(lever, Some(2.0)).unwrap();
    bench.start();
    bench.rig.run(1.0, |_, _| {});
    assert_eq!(memory(&bench.rig.world, "gearbox").setting, 2.0);
    for input in [key, lever] {
        bench.rig.world.edit(Edit::RemoveInput(input)).unwrap();
    }
    bench.rig.run(1.0, |_, _| {});
    assert_eq!(memory(&bench.rig.world, "gearbox").setting, 1.0);
    // running
    assert_eq!(memory(&bench.rig.world, "engine").phase, 2.0);
}

fn gearbox([input, output]: [usize; 2], automatic: Option<ShiftMap>) -> Gearbox {
    Gearbox {
        input,
        output,
        ratios: vec![2.0, 1.0],
        reverse: 2.0,
        synchronizer: 20.0,
        shift_time: 0.3,
        rev_match: 0.0,
        automatic,
        gear: 0,
        is_range: false,
    }
}

/// A car with two driven wheels and a steering.
fn car(speed: f64) -> Car {
    let tire = TireModel::Brush(Brush::new(DVec2::new(90e3, 70e3), 0.9, 0.08, DVec2::new(0.3, 0.4)));
    let spec = Spec {
        vertical: [250e3, 500.0],
        suspension: Some([40e3, 3500.0]),
        steered: Some((vec![0, 1], 0.05)),
        ..Spec::four(1500.0, 1.2, 1.5, 1.5, tire)
    };
    let mut car = Car::new(1.0 / 60.0, &spec, speed);
    for wheel in [2, 3] {
        car.motor(wheel, 100.0);
    }
    car
}

/// A vehicle that is refused, and parts of the message.
type Refused = (Vehicle, Vec<&'static str>);

/// A plain brake on a shaft.
fn brake(shaft: usize) -> Component {
    let (torque, parking, drag, lag) = (100.0, 0.0, 0.0, 0.0);
    Component::Brake(Brake { shaft, torque, parking, drag, lag, anti_lock: None, disc: None })
}

/// A vehicle with one more component, named "part".
fn with_part(good: &Vehicle, component: Component, parts: &[&'static str]) -> Refused {
    let mut vehicle = good.clone();
    vehicle.components.push(("part".into(), component));
    (vehicle, [&["component \"part\""], parts].concat())
}

/// Vehicles with one wrong component on shafts 0 and 1.
fn wrong_components(good: &Vehicle) -> Vec<Refused> {
    let with = |component: Component, parts: &[&'static str]| with_part(good, component, parts);
    let gear = |ratio: f64| Component::Gear(Gear { input: 0, output: 1, ratio });
    let motor = |torque: f64, power: f64| {
        Component::Motor(ElectricMotor {
            shaft: 0,
            torque,
            power,
            limit: 100.0,
            steer: 0.0,
            traction_control: None,
        })
    };
    let converter = |capacity: [f64; 2], ratio: [f64; 2]| {
        let table = |values: [f64; 2]| Table::new(&[0.0, 0.8], &values).unwrap();
        let (capacity, ratio) = (table(capacity), table(ratio));
        Component::Converter(Converter { pump: 0, turbine: 1, capacity, ratio, lock_up: None })
    };
    let clutch = |bite: [f64; 2]| {
        Component::Clutch(Clutch { shafts: [0, 1], torque: 100.0, control: ClutchControl::Pedal(bite) })
    };
    let differential = |ratio: f64| {
        let lock = Lock::Open;
        Component::Differential(Differential { input: 0, outputs: [0, 1], ratio, split: 0.5, lock })
    };
    let circuit = |displacement: f64| {
        let unit = |displacement: f64| HydrostaticUnit { shaft: 0, displacement, stroke: 1.0 };
        let (pumps, motors) = (vec![unit(1e-4)], vec![unit(displacement)]);
        Component::Hydrostatic(Hydrostatic { pumps, motors, relief: 3e7, leakage: 0.0, steer: 0.0 })
    };
    let automatic = |up: [f64; 2], down: [f64; 2]| {
        Component::Gearbox(gearbox([0, 1], Some(ShiftMap { up, down, hold: 1.0 })))
    };
    let ratios = Gearbox { ratios: vec![2.0, 0.0], ..gearbox([0, 1], None) };
    let rising = Gearbox { ratios: vec![2.0, 1.0, 1.5], ..gearbox([0, 1], None) };
    let positive = "give a positive number";
    let other = "give a number other than 0";
    vec![
        with(brake(7), &["shaft 7", "there are 2", "give a shaft of the vehicle"]),
        with(gear(0.0), &["its ratio is 0", other]),
        with(gear(f64::NAN), &["its ratio is NaN", other]),
        with(differential(f64::INFINITY), &["its ratio is inf", other]),
        with(Component::Gearbox(ratios), &["its ratio is 0", other]),
        with(clutch([0.75, 0.25]), &["width of the bite is -0.5", positive]),
        with(clutch([0.5, 0.5]), &["width of the bite is 0", positive]),
        with(converter([15.0, 0.0], [2.0, 1.0]), &["capacity factor at the speed ratio 0.8 is 0", positive]),
        with(
            converter([15.0, 20.0], [2.0, 1.5]),
            &["efficiency", "0.8 is 120.0 %", "give a smaller torque ratio"],
        ),
        with(
            Component::Retarder(Retarder { shaft: 0, torque: 100.0, speed: 0.0 }),
            &["its speed is 0", positive],
        ),
        with(circuit(-1e-4), &["its displacement is -0.0001", positive]),
        with(motor(0.0, 1e3), &["its torque is 0", positive]),
        with(motor(10.0, f64::NAN), &["its power is NaN", positive]),
        with(
            Component::Gearbox(rising),
            &["gear 3 has the ratio 1.5", "not below 1 of gear 2", "from the first gear"],
        ),
        with(
            automatic([200.0, 400.0], [100.0, 150.0]),
            &["hunts between gears 1 and 2 without throttle", "at 100.0 rad/s", "raise `up` or lower `down`"],
        ),
        with(
            automatic([200.0, 400.0], [90.0, 210.0]),
            &["hunts between gears 1 and 2 with full throttle", "at 200.0 rad/s", "below 210.0"],
        ),
    ]
}

/// Vehicles with a wrong engine.
fn wrong_engines(good: &Vehicle) -> Vec<Refused> {
    let with = |engine: Engine, parts: &[&'static str]| with_part(good, Component::Engine(engine), parts);
    let slow_starter = Engine {
        starter: Starter { torque: 50.0, speed: 20.0 },
        idle: 80.0,
        stall: 30.0,
        ..engine(0, Table::constant(100.0), 600.0)
    };
    let governor = Some(Governor { speed: 70.0, droop: 5.0 });
    let slow_governor = Engine { governor, idle: 80.0, ..engine(0, Table::constant(100.0), 600.0) };
    vec![
        with(
            engine(0, Table::constant(-5.0), 100.0),
            &["its largest torque is -5", "give a positive number"],
        ),
        with(slow_starter, &["starter turns it at 20.0 rad/s", "stalls below 30.0", "a lower `stall`"]),
        with(slow_governor, &["governor holds 70.0 rad/s", "idles at 80.0", "above `idle`"]),
    ]
}

/// Vehicles with wrong shafts, wheels, steering and bodies.
fn wrong_vehicles(good: &Vehicle, missing: BodyId) -> Vec<Refused> {
    let changed = |change: &dyn Fn(&mut Vehicle), parts: &[&'static str]| {
        let mut vehicle = good.clone();
        change(&mut vehicle);
        (vehicle, parts.to_vec())
    };
    let unit = ["is no unit vector", "normalise it"];
    let body = ["one of its bodies does not exist", "add bodies before vehicles"];
    vec![
        changed(&|v| v.shafts[1].axis *= 2.0, &[&["shaft \"wheel 3\""][..], &unit].concat()),
        changed(&|v| v.shafts[0].axis = DVec3::NAN, &[&["shaft \"wheel 2\""][..], &unit].concat()),
        changed(&|v| v.wheels[1].axis = DVec3::ZERO, &[&["wheel \"wheel 1\""][..], &unit].concat()),
        changed(
            &|v| v.wheels[2].collider = 3,
            &["wheel \"wheel 2\"", "collider 3", "its body has 1", "give that of its tyre"],
        ),
        changed(
            &|v| v.steering.as_mut().unwrap().wheels[0].0 = 9,
            &["the steering has wheel 9", "there are 4", "give a wheel of it"],
        ),
        changed(
            &|v| v.own_controls.push((77, Signal::Brake, Source::Constant(1.0))),
            &["a source of component 77", "give the index of a component"],
        ),
        changed(
            &|v| {
                v.components.push(("box".into(), Component::Gearbox(gearbox([0, 1], None))));
                v.own_controls.push((v.components.len() - 1, Signal::Lock, Source::Constant(1.0)));
            },
            &["component \"box\" has no command `lock`", "give it to the vehicle"],
        ),
        changed(&|v| v.chassis = missing, &body),
        changed(&|v| v.shafts[0].housing = missing, &body),
        changed(&|v| v.wheels[0].body = missing, &body),
        changed(&|v| v.steering.as_mut().unwrap().chassis = missing, &body),
    ]
}

/// Two motors: the one with a source of its own leaves the throttle of the vehicle to the other.
#[test]
fn a_component_with_a_source_of_its_own_leaves_that_of_the_vehicle_to_the_others() {
    for dt in STEPS {
        let mut bench = driven(dt, &[Source::Constant(0.5)]);
        let shaft = bench.shaft(1.0, 0.0);
        let Component::Motor(first) = bench.vehicle.components[0].1.clone() else { unreachable!() };
        bench.mount("second", Component::Motor(ElectricMotor { shaft, ..first }));
        let input = bench.rig.world.add_input(Input { low: -1.0, ..pedal("lever") }).unwrap();
        let own = [Source::Input(input, 0.25), Source::Constant(-0.5)];
        bench.vehicle.own_controls = own.map(|source| (1, Signal::Throttle, source)).to_vec();
        bench.start();
        bench.rig.world.set_input(input, Some(1.0)).unwrap();
        near(throttle(&mut bench), 0.5);
        near(memory(&bench.rig.world, "second").torque[0] / TORQUE, -0.25);
    }
}

/// Each message names the vehicle, the component and the remedy. The world is as before, with the vehicle that it had.
#[test]
fn refusals_name_the_item_and_the_remedy_and_change_nothing() {
    let (mut car, mut twin) = (car(5.0), car(5.0));
    for car in [&mut car, &mut twin] {
        car.start();
        car.steps(0.5);
    }
    let world = &mut car.rig.world;
    let missing = world.add_body(Body::fixed("gone"), DVec3::ZERO, glam::DQuat::IDENTITY).unwrap();
    world.edit(Edit::RemoveBody(missing)).unwrap();
    let good = Vehicle { name: "truck".into(), ..car.vehicle.clone() };
    let all =
        wrong_components(&good).into_iter().chain(wrong_engines(&good)).chain(wrong_vehicles(&good, missing));
    let seen = |world: &World| (world.state().hash(), format!("{:?}", Vehicles::of(world)));
    let before = seen(world);
    for (wrong, parts) in all {
        // the first of the list is sound
        let edit = Vehicles::set(vec![car.vehicle.clone(), wrong]);
        let message = world.edit_subsystem::<Vehicles>(edit).unwrap_err().to_string();
        assert!(message.starts_with("vehicle \"truck\": "), "{message}");
        for part in parts {
            assert!(message.contains(part), "\"{part}\" is missing: {message}");
        }
        assert_eq!(seen(world), before, "{message}");
    }
    for car in [&mut car, &mut twin] {
        car.steps(0.5);
    }
    assert_eq!(state(&car.rig.world), state(&twin.rig.world));
}

/// A world without vehicles has none after a refusal, and may be solved by any integrator.
#[test]
fn a_refused_first_vehicle_leaves_no_trace() {
    let mut car = car(5.0);
    car.vehicle.shafts[0].axis = DVec3::ONE;
    let before = car.rig.world.state().hash();
    let edit = Vehicles::set(vec![car.vehicle.clone()]);
    car.rig.world.edit_subsystem::<Vehicles>(edit).unwrap_err();
    assert!(Vehicles::of(&car.rig.world).is_none());
    assert_eq!(car.rig.world.state().hash(), before);
    car.rig.world.set(|s| s.integrator = Integrator::Projected).unwrap();
}

/// Removing the road lets the car fall; undoing that restores the state bit for bit, and the car stands on.
#[test]
fn undo_puts_the_road_back_under_a_standing_car() {
    let mut car = car(0.0);
    (0..2).for_each(|wheel| car.brake(wheel, 2000.0));
    car.start();
    car.steps(2.0);
    let bodies = car.rig.world.model().bodies();
    let road = bodies.iter().find(|(_, body)| body.name == "road").and_then(|(k, _)| bodies.id(k)).unwrap();
    let before = car.rig.world.state().hash();
    let mut twin = car.rig.world.fork();
    assert!(wheels(&car.rig.world).iter().all(|wheel| wheel.road == Some(road.index() as u32)));
    let undo = car.rig.world.edit(Edit::RemoveBody(road)).unwrap();
    assert!(wheels(&car.rig.world).iter().all(|wheel| wheel.road.is_none() && wheel.load == 0.0));
    let mut falling = car.rig.world.fork();
    (0..30).for_each(|_| assert!(falling.step().fault.is_none()));
    assert!(velocity(&falling, car.chassis).z < -4.0);
    car.rig.world.edit(undo).unwrap();
    assert_eq!(car.rig.world.state().hash(), before);
    for _ in 0..60 {
        assert!(car.rig.world.step().fault.is_none() && twin.step().fault.is_none());
    }
    assert_eq!(car.rig.world.state().hash(), twin.state().hash());
}

/// States that do not fit a list are not used: vehicles that the world has keep theirs, others start at the beginning.
#[test]
fn states_that_do_not_fit_are_not_used() {
    let mut car = car(5.0);
    car.start();
    car.steps(1.0);
    let known = state(&car.rig.world).clone();
    let start = VehicleState::new(&car.vehicle);
    assert_ne!(known, start);
    let other = Vehicle { name: "other".into(), ..car.vehicle.clone() };
    let fewer = VehiclesState(vec![known.clone()]);
    let short = VehicleState { wheels: Vec::new(), ..known.clone() };
    for states in [fewer, VehiclesState(vec![known.clone(), short]), VehiclesState::default()] {
        let mut world = car.rig.world.fork();
        let list = vec![car.vehicle.clone(), other.clone()];
        world.edit_subsystem::<Vehicles>(VehicleEdit::Set(list, Some(states))).unwrap();
        assert_eq!(Vehicles::of(&world).unwrap().1.0, [known.clone(), start.clone()]);
        let mut world = car.rig.world.fork();
        let edit = VehicleEdit::Set(vec![other.clone()], Some(VehiclesState(vec![known.clone(); 2])));
        let undo = world.edit_subsystem::<Vehicles>(edit).unwrap();
        assert_eq!(Vehicles::of(&world).unwrap().1.0, std::slice::from_ref(&start));
        world.edit_subsystem::<Vehicles>(undo).unwrap();
        assert_eq!(world.state().hash(), car.rig.world.state().hash());
    }
    // those that fit are used
    let driven = VehicleState { odometer: 1e3, ..start };
    let states = VehiclesState(vec![driven.clone(), known.clone()]);
    let edit = VehicleEdit::Set(vec![car.vehicle.clone(), other], Some(states));
    car.rig.world.edit_subsystem::<Vehicles>(edit).unwrap();
    assert_eq!(Vehicles::of(&car.rig.world).unwrap().1.0, [driven, known]);
}
