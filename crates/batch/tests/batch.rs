//! A batch against machines that are stepped one by one.

use std::sync::Arc;
use windlass_batch::{Batch, BatchError};
use windlass_engine::prelude::{Bodies, BodyId, Force, ForceLaw, Loads};
use windlass_host::machine::StepFailure;
use windlass_host::{Machine, SceneSource};
use windlass_scene::Override;

/// Nobody asks to stop.
const GO_ON: &(dyn Fn() -> bool + Sync) = &|| false;

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
    batch.reset(None, GO_ON).unwrap();
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
    let error = batch.reset(None, GO_ON).unwrap_err();
    assert!(matches!(error, BatchError::Scene(1, _)), "{error}");
}

#[test]
fn selected_members_alone_are_stepped_and_reset() {
    let mut batch = Batch::new(&machine(CRANE), 3, 2).unwrap();
    batch.step(5, Some(&[true, false, true])).unwrap();
    assert_eq!(batch.states().iter().map(|s| s.step).collect::<Vec<_>>(), [5, 0, 5]);
    batch.reset(Some(&[true, false, false]), GO_ON).unwrap();
    assert_eq!(batch.states().iter().map(|s| s.step).collect::<Vec<_>>(), [0, 0, 5]);
}

#[test]
fn a_fault_stops_one_world_and_not_the_batch() {
    let mut batch = Batch::new(&machine(BROKEN), 3, 2).unwrap();
    batch.expand("parameters.pull", vec![None, Some("1e15".to_string()), None]).unwrap();
    batch.reset(None, GO_ON).unwrap();
    batch.step(20, None).unwrap();
    assert_eq!(batch.states().iter().map(|s| s.step).collect::<Vec<_>>(), [20, 0, 20]);
    let fault = batch.fault(1).unwrap();
    assert_eq!((fault.body.as_str(), fault.step), ("stone", 0));
    assert!(batch.fault(0).is_none());
    batch.expand("parameters.pull", vec![None; 3]).unwrap();
    batch.reset(Some(&[false, true, false]), GO_ON).unwrap();
    batch.step(20, None).unwrap();
    assert_eq!(batch.states().iter().map(|s| s.step).collect::<Vec<_>>(), [40, 20, 40]);
}

#[test]
fn wrong_numbers_are_rejected() {
    let mut batch = Batch::new(&machine(CRANE), 2, 1).unwrap();
    assert!(matches!(batch.set_inputs(&[1.0]), Err(BatchError::Shape { wanted: 2, got: 1, .. })));
    assert!(batch.step(1, Some(&[true])).is_err());
    assert!(batch.bind(&["bodies.lod.position"]).unwrap_err().to_string().contains("load"));
    assert!(Batch::new(&machine(CRANE), 0, 1).is_err());
    assert!(batch.member(2).is_err());
}

/// A row of balls whose number is a parameter, then a ball far above it, whose velocity is another.
const ROW: &str = r#"
windlass = 2
settings = { gravity = [0, 0, 0], collide = false }
[parameters]
n = 3
v = 1
[bodies.rail]
type = "static"
[patterns.row]
count = "= n"
[patterns.row.bodies."a{i}"]
mass = 1
position = ["= i", 0, 0]
shape = { sphere = { radius = 0.1 } }
[patterns.last]
count = 1
[patterns.last.bodies."b{i}"]
mass = 1
position = [0, 0, 100]
velocity = ["= v", 0, 0]
shape = { sphere = { radius = 0.1 } }
[patterns.push]
count = "= n - 2"
[patterns.push.joints."push{i}"]
slider = { bodies = ["rail", "a{i}"], at = [0, 0, 0], axis = [1, 0, 0], motor = { speed = 0, force = 1 } }
[patterns.push.inputs."push{i}"]
range = [-1, 1]
drives = [{ joint = "push{i}" }]
"#;

fn own<const N: usize>(values: [Option<&str>; N]) -> Vec<Option<String>> {
    values.iter().map(|value| value.map(String::from)).collect()
}

fn set(key: &str, value: &str) -> [Override; 1] {
    [Override { key: key.to_string(), value: value.to_string() }]
}

fn readings(batch: &Batch, binding: &windlass_batch::Binding) -> Vec<f64> {
    let mut numbers = vec![0.0; batch.len() * binding.width()];
    batch.read(binding, &mut numbers).unwrap();
    numbers
}

/// The probes were compiled for the scene alone: a world of five balls was read at the place of a world of three.
#[test]
fn probes_are_read_at_their_places_in_worlds_with_other_parts() {
    let text = ROW.replace("n - 2", "1");
    let mut batch = Batch::new(&machine(&text), 2, 2).unwrap();
    let height = batch.bind(&["bodies.b0.position.z"]).unwrap();
    batch.expand("parameters.n", own([None, Some("5")])).unwrap();
    batch.reset(None, GO_ON).unwrap();
    assert_eq!(readings(&batch, &height), [100.0, 100.0]);
    let later = batch.bind(&["bodies.b0.velocity.x"]).unwrap();
    batch.step(3, None).unwrap();
    assert_eq!((readings(&batch, &height), readings(&batch, &later)), (vec![100.0; 2], vec![1.0; 2]));
    assert_eq!(batch.rollout(&[0.0; 2], 1, 1).unwrap().rows, vec![vec![100.0, 1.0]; 2]);
    // columns that the other world does not have, bound before and after
    let error = batch.bind(&["bodies.a*.position.x"]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("world 1: with its own values the column \"bodies.a3.position.x\" is added")
    );
    assert_eq!(readings(&batch, &height), [100.0, 100.0]);
    batch.expand("parameters.n", own([Some("2"), None])).unwrap();
    batch.reset(None, GO_ON).unwrap();
    let error = batch.bind(&["bodies.a2.position.x"]).unwrap_err();
    assert!(matches!(error, BatchError::Columns(0, _)), "{error}");
}

#[test]
fn momentum_has_the_mass_of_its_world() {
    let mut batch = Batch::new(&machine(ROW), 2, 1).unwrap();
    let momentum = batch.bind(&["bodies.b0.momentum.x"]).unwrap();
    batch.expand("patterns.last.bodies.\"b{i}\".mass", own([None, Some("7")])).unwrap();
    batch.reset(None, GO_ON).unwrap();
    assert_eq!(readings(&batch, &momentum), [1.0, 7.0]);
}

#[test]
fn worlds_have_the_same_inputs_and_fit_the_state_at_which_they_start() {
    let mut machine = machine(ROW);
    let mut batch = Batch::new(&machine, 2, 1).unwrap();
    batch.expand("parameters.n", own([None, Some("4")])).unwrap();
    assert!(matches!(batch.reset(None, GO_ON), Err(BatchError::Inputs(1))));
    machine.step().unwrap();
    let mut batch = Batch::new(&machine, 2, 1).unwrap();
    // as many bodies, of which one has another name
    batch.expand("patterns.row.count", own([None, Some("2")])).unwrap();
    batch.expand("patterns.last.count", own([None, Some("2")])).unwrap();
    let error = batch.reset(None, GO_ON).unwrap_err();
    assert!(matches!(error, BatchError::Parts(1, _)), "{error}");
}

/// A member with values of its own was built without what had been edited or moved in the machine.
#[test]
fn worlds_with_values_of_their_own_keep_edits_and_inputs_of_the_start() {
    let mut one = machine(ROW);
    one.step().unwrap();
    one.edit(&set("patterns.last.bodies.\"b{i}\".mass", "5")).unwrap();
    let mut batch = Batch::new(&one, 2, 1).unwrap();
    let momentum = batch.bind(&["bodies.b0.momentum.x"]).unwrap();
    batch.expand("parameters.v", own([Some("3"), None])).unwrap();
    batch.reset(None, GO_ON).unwrap();
    assert_eq!(readings(&batch, &momentum), [5.0, 5.0], "the state is that of the start");

    let mut one = machine(CRANE);
    one.set_input(0, Some(1.5)).unwrap();
    let mut batch = Batch::new(&one, 2, 1).unwrap();
    let target = batch.bind(&["inputs.travel"]).unwrap();
    batch.expand("bodies.load.mass", own([None, Some("500")])).unwrap();
    batch.reset(None, GO_ON).unwrap();
    assert_eq!(readings(&batch, &target), [1.5, 1.5]);
}

#[test]
fn a_reset_that_builds_scenes_can_be_stopped() {
    let mut batch = Batch::new(&machine(CRANE), 2, 1).unwrap();
    let before = batch.states();
    batch.step(2, None).unwrap();
    batch.expand("bodies.load.mass", own([Some("500"), Some("700")])).unwrap();
    assert!(matches!(batch.reset(None, &|| true), Err(BatchError::Interrupted)));
    assert_eq!(batch.states()[0].step, 2, "no member is reset");
    batch.reset(None, GO_ON).unwrap();
    assert_eq!(batch.states()[0].hash(), before[0].hash());
}

/// Panics above a speed.
#[derive(Debug)]
struct Trap {
    body: BodyId,
    speed: f64,
}

impl ForceLaw for Trap {
    fn apply(&self, bodies: &Bodies<'_>, _: &mut Loads) {
        assert!(bodies.body(self.body).velocity.length() < self.speed, "the trap was sprung");
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }
}

#[test]
fn a_panic_stops_one_world_and_not_the_batch() {
    let mut machine = machine(CRANE);
    let body = machine.world().model().body("trolley").unwrap();
    machine.world_mut().add_force(Force::Custom(Arc::new(Trap { body, speed: 0.5 }))).unwrap();
    let start = machine.save();
    let mut batch = Batch::new(&machine, 3, 2).unwrap();
    let place = batch.bind(&["bodies.load.position"]).unwrap();
    batch.set_inputs(&[0.1, 2.0, -0.2]).unwrap();
    batch.step(60, None).unwrap();
    assert!(matches!(batch.failure(1), Some(StepFailure::Panic)) && batch.fault(1).is_none());
    assert!(batch.failure(0).is_none() && batch.failure(2).is_none());
    assert_eq!([0, 2].map(|k| batch.states()[k].step), [60, 60]);
    let numbers = readings(&batch, &place);
    assert!(numbers[3..6].iter().all(|x| x.is_nan()) && numbers[..3].iter().all(|x| x.is_finite()));
    // it is left out until it is reset, or a state is set
    batch.step(1, None).unwrap();
    assert!(batch.failure(1).is_some());
    batch.restore(1, &start).unwrap();
    assert!(batch.failure(1).is_none() && readings(&batch, &place)[3..6].iter().all(|x| x.is_finite()));
    batch.set_inputs(&[0.1, 0.1, -0.2]).unwrap();
    batch.step(60, None).unwrap();
    assert!((0..3).all(|k| batch.failure(k).is_none()));
}
