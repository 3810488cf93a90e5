//! A batch against machines that are stepped one by one.

use windlass_batch::{Batch, BatchError};
use windlass_host::{Machine, SceneSource};

/// A trolley on a rail with a load below it, moved by an input; the pendulum swings.
const CRANE: &str = r#"
windlass = 2
[bodies.rail]
type = "static"
[bodies.trolley]
mass = 800
shape = { box = { size = [1, 1, 0.4] } }
[bodies.load]
mass = 2000
position = [0, 0, -8]
shape = { sphere = { radius = 0.5 } }
[joints.travel]
slider = { bodies = ["rail", "trolley"], at = [0, 0, 0], axis = [1, 0, 0], motor = { speed = 0, force = 20e3 } }
[joints.rope]
ball = { bodies = ["trolley", "load"], at = [0, 0, 0] }
[inputs.travel]
range = ["-2 m/s", "2 m/s"]
rate = "1 m/s^2"
drives = [{ joint = "travel" }]
"#;

/// Flies apart at once.
const BROKEN: &str = r#"
windlass = 2
[parameters]
pull = 1
[bodies.stone]
mass = 1
shape = { sphere = { radius = 0.1 } }
[forces.pull]
applied = { body = "stone", force = ["=pull", 0, 0] }
"#;

fn machine(text: &str) -> Machine {
    Machine::open(SceneSource::text(text, "scene.toml"), &[]).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn members_have_the_bits_of_machines_that_are_stepped_alone() {
    let machine = machine(CRANE);
    let inputs = [0.5, -1.5, f64::NAN, 2.0, 9.0];
    let alone: Vec<u64> = inputs
        .iter()
        .map(|speed| {
            let mut one = machine.fork();
            if !speed.is_nan() {
                one.set_input(0, Some(*speed)).unwrap();
            }
            (0..120).for_each(|_| drop(one.step().unwrap()));
            one.world().state().hash()
        })
        .collect();
    for threads in [1, 2, 3] {
        let mut batch = Batch::new(&machine, inputs.len(), threads).unwrap();
        batch.set_inputs(&inputs).unwrap();
        // readings between steps change nothing
        batch.bind(&["joints.rope.force", "bodies.load.velocity"]).unwrap();
        (0..40).for_each(|_| batch.step(3, None).unwrap());
        let together: Vec<u64> = batch.states().iter().map(|state| state.hash()).collect();
        assert_eq!(together, alone, "{threads} threads");
    }
}

#[test]
fn a_rollout_is_the_same_as_its_steps() {
    let machine = machine(CRANE);
    let targets: Vec<f64> = (0..3 * 50).map(|k| f64::from(k % 7) / 3.0 - 1.0).collect();
    let mut rolled = Batch::new(&machine, 3, 2).unwrap();
    let binding = rolled.bind(&["bodies.load.position.x", "joints.travel.value"]).unwrap();
    let rollout = rolled.rollout(&targets, 50, 2).unwrap();
    let mut stepped = Batch::new(&machine, 3, 1).unwrap();
    stepped.bind(&["bodies.load.position.x", "joints.travel.value"]).unwrap();
    let mut readings = [0.0; 6];
    for time in 0..50 {
        let row: Vec<f64> = (0..3).map(|member| targets[member * 50 + time]).collect();
        stepped.set_inputs(&row).unwrap();
        stepped.step(2, None).unwrap();
        stepped.read(&binding, &mut readings).unwrap();
        for member in 0..3 {
            assert_eq!(rollout.rows[member][2 * time..2 * time + 2], readings[2 * member..2 * member + 2]);
        }
    }
    let last = rolled.states().iter().map(|s| s.hash()).collect::<Vec<_>>();
    assert_eq!(last, stepped.states().iter().map(|s| s.hash()).collect::<Vec<_>>());
}

#[test]
fn members_with_values_of_their_own_are_the_scenes_with_them() {
    let machine = machine(CRANE);
    let mut batch = Batch::new(&machine, 3, 2).unwrap();
    let masses = [Some("500 kg".to_string()), None, Some("4 t".to_string())];
    batch.expand("bodies.load.mass", masses.to_vec()).unwrap();
    let before = batch.states();
    batch.step(10, None).unwrap();
    batch.reset(None).unwrap();
    assert_eq!(batch.states()[1].hash(), before[1].hash(), "back at its start");
    batch.set_inputs(&[1.0; 3]).unwrap();
    batch.step(60, None).unwrap();
    for (number, mass) in masses.iter().enumerate() {
        let set = mass.iter().map(|m| format!("bodies.load.mass={m}").parse().unwrap()).collect::<Vec<_>>();
        let mut one = Machine::open(SceneSource::text(CRANE, "scene.toml"), &set).unwrap();
        one.set_input(0, Some(1.0)).unwrap();
        (0..60).for_each(|_| drop(one.step().unwrap()));
        assert_eq!(batch.states()[number].hash(), one.world().state().hash(), "{mass:?}");
    }
    batch.expand("bodies.load.mass", vec![None, Some("-1".to_string()), None]).unwrap();
    let error = batch.reset(None).unwrap_err();
    assert!(matches!(error, BatchError::Scene(1, _)), "{error}");
}

#[test]
fn selected_members_alone_are_stepped_and_reset() {
    let mut batch = Batch::new(&machine(CRANE), 3, 2).unwrap();
    batch.step(5, Some(&[true, false, true])).unwrap();
    assert_eq!(batch.states().iter().map(|s| s.step).collect::<Vec<_>>(), [5, 0, 5]);
    batch.reset(Some(&[true, false, false])).unwrap();
    assert_eq!(batch.states().iter().map(|s| s.step).collect::<Vec<_>>(), [0, 0, 5]);
}

#[test]
fn a_fault_stops_one_world_and_not_the_batch() {
    let mut batch = Batch::new(&machine(BROKEN), 3, 2).unwrap();
    batch.expand("parameters.pull", vec![None, Some("1e15".to_string()), None]).unwrap();
    batch.reset(None).unwrap();
    batch.step(20, None).unwrap();
    assert_eq!(batch.states().iter().map(|s| s.step).collect::<Vec<_>>(), [20, 0, 20]);
    let fault = batch.fault(1).unwrap();
    assert_eq!((fault.body.as_str(), fault.step), ("stone", 0));
    assert!(batch.fault(0).is_none());
    batch.expand("parameters.pull", vec![None; 3]).unwrap();
    batch.reset(Some(&[false, true, false])).unwrap();
    batch.step(20, None).unwrap();
    assert_eq!(batch.states().iter().map(|s| s.step).collect::<Vec<_>>(), [40, 20, 40]);
}

#[test]
fn wrong_numbers_are_rejected() {
    let mut batch = Batch::new(&machine(CRANE), 2, 1).unwrap();
    assert!(matches!(batch.set_inputs(&[1.0]), Err(BatchError::Shape { wanted: 2, got: 1, .. })));
    assert!(batch.step(1, Some(&[true])).is_err());
    assert!(batch.bind(&["bodies.lod.position"]).unwrap_err()[0].to_string().contains("load"));
    assert!(Batch::new(&machine(CRANE), 0, 1).is_err());
    assert!(batch.member(2).is_err());
}
