//! Inputs: what an operator wants reaches the drives as closed forms say, adds up, survives a snapshot to the bit, and costs
//! no topology and no memory.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::counting::allocated;
use windlass_engine::prelude::*;

const H: f64 = 1.0 / 64.0;

fn steppers() -> [Integrator; 3] {
    let adaptive = Adaptive { tolerance: 1e-9, min_step: 1e-5, max_step: H };
    [Integrator::Spook, Integrator::Projected, Integrator::DormandPrince(adaptive)]
}

/// Two blocks of 2 kg on sliders along x with the same drive, no gravity.
fn sliders(stepper: Integrator, drive: &Drive) -> (World, [JointId; 2]) {
    let mut world = World::default();
    world.set(|s| (s.gravity, s.dt, s.integrator) = (DVec3::ZERO, H, stepper)).unwrap();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 2.0).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let turn = windlass_engine::math::facing(DVec3::X);
    let joints = ["left", "right"].map(|name| {
        let block = world.add_body(Body::dynamic(name, mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let anchors = [ground, block].map(|b| Anchor::frame(b, DVec3::ZERO, turn));
        let axis = Axis::driven(drive.clone());
        world.add_joint(Joint::new(name, Slider { anchors, axis })).unwrap()
    });
    (world, joints)
}

fn lever(name: &str, rate: f64, bindings: &[(JointId, Command, f64)]) -> Input {
    let bind = |(joint, command, factor): &(JointId, Command, f64)| Binding {
        joint: *joint,
        coordinate: 0,
        command: *command,
        factor: *factor,
    };
    Input {
        name: name.into(),
        low: -2.0,
        high: 2.0,
        rest: 0.0,
        rate,
        stop_rate: rate,
        returns: true,
        bindings: bindings.iter().map(bind).collect(),
        script: Script::default(),
    }
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        let report = world.step();
        assert!(report.fault.is_none(), "{report:?}");
    }
}

fn places(world: &World) -> [f64; 2] {
    [1, 2].map(|place| world.state().bodies[place].position.x)
}

#[test]
fn a_ramp_of_a_motor_is_a_parabola_and_its_force_is_mass_times_rate() {
    for stepper in steppers() {
        let (mut world, [left, _]) = sliders(stepper, &Drive::motor(0.0, f64::INFINITY));
        let lift = world.add_input(lever("lift", 0.5, &[(left, Command::Speed, 1.0)])).unwrap();
        world.set_input(lift, Some(1.0)).unwrap();
        // up to 1 m/s within 2 s: x = ½ · 0.5 t², and the motor pushes with 2 kg · 0.5 m/s²
        run(&mut world, 64);
        assert!((places(&world)[0] - 0.25).abs() < 1e-9, "{stepper:?}: {:?}", places(&world));
        let now = world.inspect().coordinate(left, 0).unwrap();
        assert!((now.speed - 0.5).abs() < 1e-9 && (now.effort - 1.0).abs() < 1e-6, "{stepper:?}: {now:?}");
        // then 1 m/s: 1 m by the ramp, 1 m after it
        run(&mut world, 128);
        assert!((places(&world)[0] - 2.0).abs() < 1e-9, "{stepper:?}: {:?}", places(&world));
        assert_eq!(world.input(lift).unwrap().actual, 1.0);
        // the hand lets go: it returns to rest by the same ramp
        world.set_input(lift, None).unwrap();
        run(&mut world, 192);
        assert!((places(&world)[0] - 3.0).abs() < 1e-9, "{stepper:?}: {:?}", places(&world));
        assert_eq!(*world.input(lift).unwrap(), InputState::default());
    }
}

#[test]
fn several_inputs_add_up_on_one_drive() {
    for stepper in steppers() {
        // the drives' own 0.1 m/s, raise both, tilt them against each other
        let (mut world, [left, right]) = sliders(stepper, &Drive::motor(0.1, f64::INFINITY));
        let speed = Command::Speed;
        let raise = lever("raise", f64::INFINITY, &[(left, speed, 1.0), (right, speed, 1.0)]);
        let tilt = lever("tilt", f64::INFINITY, &[(left, speed, 0.5), (right, speed, -0.5)]);
        let (raise, tilt) = (world.add_input(raise).unwrap(), world.add_input(tilt).unwrap());
        // from the first step on, so that no stepper has to change a speed at once
        world.set_input(raise, Some(1.0)).unwrap();
        world.set_input(tilt, Some(0.6)).unwrap();
        world.assemble();
        run(&mut world, 64);
        let [a, b] = places(&world);
        assert!((a - 1.4).abs() < 1e-9 && (b - 0.8).abs() < 1e-9, "{stepper:?}: {a} {b}");
    }
}

#[test]
fn a_servo_follows_its_lever_and_its_force_is_a_lever_too() {
    for stepper in steppers() {
        let spring = Spring::new(800.0, 80.0);
        let servo = Drive::Position { target: 0.25, spring, force: 0.0 };
        let (mut world, [left, right]) = sliders(stepper, &servo);
        let place = lever("place", 0.5, &[(left, Command::Position, 1.0), (right, Command::Position, 1.0)]);
        let force = lever("force", f64::INFINITY, &[(left, Command::Force, 100.0)]);
        let (place, force) = (world.add_input(place).unwrap(), world.add_input(force).unwrap());
        world.set_input(place, Some(0.5)).unwrap();
        run(&mut world, 16);
        assert_eq!(places(&world), [0.0, 0.0], "{stepper:?}: a servo without force does not move");
        world.set_input(force, Some(2.0)).unwrap();
        run(&mut world, 256);
        let [a, b] = places(&world);
        assert!((a - 0.75).abs() < 1e-6 && b == 0.0, "{stepper:?}: {a} {b}");
        // a force below 0 is none
        world.set_input(force, Some(-1.0)).unwrap();
        world.set_input(place, Some(-1.0)).unwrap();
        run(&mut world, 64);
        assert!((places(&world)[0] - 0.75).abs() < 1e-5, "{stepper:?}: {:?}", places(&world));
    }
}

/// A lever of each kind, with a script on the first.
fn scripted(stepper: Integrator) -> (World, [InputId; 2]) {
    let (mut world, [left, right]) = sliders(stepper, &Drive::motor(0.0, 50.0));
    let mut first = lever("first", 0.7, &[(left, Command::Speed, 1.0)]);
    first.script.go(0.25, 1.5, 0.0, 0.0);
    first.script.go(1.0, -1.0, 1.5, 0.0);
    let second = lever("second", 3.0, &[(left, Command::Speed, 0.3), (right, Command::Speed, -1.0)]);
    let ids = [world.add_input(first).unwrap(), world.add_input(second).unwrap()];
    (world, ids)
}

#[test]
fn a_snapshot_in_the_middle_of_a_ramp_goes_on_to_the_bit() {
    for stepper in steppers() {
        let (mut world, [_, second]) = scripted(stepper);
        let (mut twin, _) = scripted(stepper);
        for step in 0..200 {
            if step == 30 {
                world.set_input(second, Some(1.7)).unwrap();
            }
            if step == 90 {
                world.set_input(second, None).unwrap();
            }
            let saved = State::from_bytes(&world.state().to_bytes()).unwrap();
            assert_eq!(saved, *world.state());
            twin.restore(saved).unwrap();
            world.step();
            twin.step();
            assert_eq!(twin.state().to_bytes(), world.state().to_bytes(), "{stepper:?}, step {step}");
        }
        assert!(places(&world)[1] < -0.5, "the second lever was moved: {:?}", places(&world));
    }
}

#[test]
fn a_script_moves_its_input_until_a_hand_does() {
    let (mut world, [first, _]) = scripted(Integrator::Spook);
    run(&mut world, 16);
    assert_eq!(world.input(first).unwrap().target, 0.0, "t = 0.25 s begins the next step");
    run(&mut world, 1);
    assert_eq!(world.input(first).unwrap().target, 1.5);
    run(&mut world, 47);
    world.set_input(first, Some(0.25)).unwrap();
    run(&mut world, 64);
    assert_eq!(
        world.input(first).unwrap(),
        &InputState { target: 0.25, actual: 0.25, held: true, ..InputState::default() }
    );
    // the script has gone on meanwhile: 1.5 − 2.5 · (t − 1)/1.5 at the end of the step, t = 2 s + 1/64 s
    world.set_input(first, None).unwrap();
    run(&mut world, 1);
    let wanted = world.input(first).unwrap().target;
    assert!((wanted - (1.5 - 2.5 * (1.0 + 1.0 / 64.0) / 1.5)).abs() < 1e-12, "{wanted}");
}

#[test]
fn neither_a_lever_nor_a_drives_number_rebuilds_or_allocates() {
    let (mut world, [first, second]) = scripted(Integrator::Spook);
    run(&mut world, 40);
    let joint = world.model().joint("left").unwrap();
    let islands = world.stages().islands.revision;
    let before = allocated();
    for step in 0..100 {
        world.set_input(second, Some(f64::from(step) / 100.0)).unwrap();
        let motor = Drive::Speed { speed: f64::from(step), force: 50.0, droop: 0.0, brake: None };
        let forces = world.state().joints[joint.index()].forces.clone();
        world.edit(Edit::SetDrive { joint, coordinate: 0, drive: motor }).unwrap();
        assert_eq!(world.state().joints[joint.index()].forces, forces, "warm starts stay");
        world.step();
    }
    // the lists of forces that this test copies, and the names that edits of drives look at
    assert!(allocated() - before <= 300, "{}", allocated() - before);
    assert_eq!(world.stages().islands.revision, islands);
    let before = allocated();
    for _ in 0..100 {
        world.set_input(first, Some(1.0)).unwrap();
        world.set_input(first, None).unwrap();
        world.step();
    }
    assert_eq!(allocated() - before, 0);
    // another kind of drive has other rows
    world.edit(Edit::SetDrive { joint, coordinate: 0, drive: Drive::Free }).unwrap();
    world.step();
    assert!(world.stages().islands.revision > islands);
}

#[test]
fn edits_of_inputs_are_undone_exactly_and_refused_with_a_remedy() {
    let (mut world, [first, _]) = scripted(Integrator::Spook);
    run(&mut world, 30);
    let state = world.state().to_bytes();
    let model = format!("{:?}", world.model().inputs());
    let mut narrow = world.model().inputs().get(first).unwrap().clone();
    (narrow.low, narrow.high, narrow.script) = (-0.1, 0.1, Script::default());
    let edits = [
        Edit::SetInputValue { input: first, value: Some(1.0) },
        Edit::SetInput(first, Box::new(narrow.clone())),
        Edit::RemoveInput(first),
    ];
    for edit in edits {
        let undo = world.edit(edit).unwrap();
        assert_ne!(world.state().to_bytes(), state);
        world.edit(undo).unwrap();
        assert_eq!(world.state().to_bytes(), state);
        // the list of free places is not what is compared
        assert_eq!(format!("{:?}", world.model().inputs()), model);
    }
    let joint = world.model().joint("left").unwrap();
    let refused = |world: &mut World, change: &dyn Fn(&mut Input)| {
        let mut input = lever("lever", 1.0, &[(joint, Command::Speed, 1.0)]);
        change(&mut input);
        world.add_input(input).unwrap_err().to_string()
    };
    let told = [
        refused(&mut world, &|i| (i.low, i.high) = (1.0, -1.0)),
        refused(&mut world, &|i| i.rest = 3.0),
        refused(&mut world, &|i| i.rate = 0.0),
        refused(&mut world, &|i| i.bindings[0].coordinate = 1),
        refused(&mut world, &|i| i.bindings[0].command = Command::Position),
        refused(&mut world, &|i| i.bindings[0].factor = f64::NAN),
        refused(&mut world, &|i| i.script.go(1.0, 9.0, 0.0, 0.0)),
        world.set_input(first, Some(f64::NAN)).unwrap_err().to_string(),
    ];
    let remedies = ["higher", "-2 to 2", "more than 0", "has 1", "no servo", "finite", "-2 to 2", "-2 to 2"];
    for (told, remedy) in told.iter().zip(remedies) {
        assert!(told.starts_with("input \"") && told.contains(remedy), "{told}");
    }
    // what a hand wants beyond the range is the end of the range
    world.set_input(first, Some(99.0)).unwrap();
    assert_eq!(world.input(first).unwrap().target, 2.0);
    assert_eq!(world.state().inputs.len(), 2);
}

#[test]
fn a_lever_wakes_what_sleeps() {
    let (mut world, [left, _]) = sliders(Integrator::Spook, &Drive::motor(0.0, f64::INFINITY));
    world.set(|s| s.sleep = Some(Sleep::default())).unwrap();
    let mut input = lever("lever", 1.0, &[(left, Command::Speed, 1.0)]);
    input.script.go(2.0, 0.5, 0.0, 0.0);
    world.add_input(input).unwrap();
    run(&mut world, 127);
    assert!(world.state().bodies[1].asleep && world.state().bodies[2].asleep);
    run(&mut world, 160);
    assert!(!world.state().bodies[1].asleep && world.state().bodies[2].asleep);
    // 0.5 m/s after 0.5 s of ramp, 2.5 s in all but for two steps
    let expected = 0.5 * (2.5 - H - 0.25);
    assert!((places(&world)[0] - expected).abs() < 1e-6, "{} {expected}", places(&world)[0]);
}

/// A load on a rope that an input pays out: it goes down by what the lever says, at its rate, and hangs as it did.
#[test]
fn an_input_pays_out_rope() {
    for stepper in steppers() {
        let mut world = World::default();
        world.set(|s| (s.dt, s.integrator) = (H, stepper)).unwrap();
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 10.0).unwrap();
        let load = world.add_body(Body::dynamic("load", mass), -5.0 * DVec3::Z, DQuat::IDENTITY).unwrap();
        let points = [ground, load].map(|body| (Anchor::point(body, DVec3::ZERO), RoutePoint::attached()));
        // as long as it is stretched by its load
        let (ea, weight) = (1e5, 10.0 * 9.81);
        let rope = Rope::new(&points).elastic(ea, 0.01).long(5.0 / (1.0 + weight / ea));
        let rope = world.add_joint(Joint::new("rope", rope)).unwrap();
        let input = world.add_input(lever("pay", 0.25, &[(rope, Command::PaidOut, 0.5)])).unwrap();
        world.set_input(input, Some(2.0)).unwrap();
        for k in 1..=640 {
            assert!(world.step().fault.is_none());
            let paid = (0.125 * k as f64 * H).min(1.0);
            let z = world.state().bodies[load.index()].position.z;
            assert!((z + 5.0 + paid).abs() < 0.01, "{stepper:?} at {k}: {z} for {paid}");
        }
        let z = world.state().bodies[load.index()].position.z;
        // a metre more of rope stretches as the rest does
        assert!((z + 6.0 + weight / ea).abs() < 1e-3, "{stepper:?}: {z}");
        let rope = world.rope(rope).unwrap();
        assert!((rope.tensions[0] / weight - 1.0).abs() < 1e-3, "{:?}", rope.tensions);
        assert!((rope.slack[0] + 6.0 * weight / ea).abs() < 1e-3, "{:?}", rope.slack);
    }
    let (mut world, [left, _]) = sliders(Integrator::Spook, &Drive::motor(0.0, 100.0));
    let told = world.add_input(lever("pay", 0.25, &[(left, Command::PaidOut, 1.0)])).unwrap_err().to_string();
    assert!(told.contains("joint \"left\" is not a massless rope"), "{told}");
}
