//! Commands: edits of the state alone. They are repeated to the bit, and cost no exact states and no new worlds.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{Dice, Memory, on, open};
use windlass_engine::prelude::*;
use windlass_record::{BoxedError, Edit as Made, Header, Player, Recorder, Stage, Verify};

/// A sled on a rail, with a lever for its motor that takes a second from end to end.
fn sled() -> World {
    let mut world = World::default();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 2.0).unwrap();
    let rail = world.add_body(Body::fixed("rail"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let sled = world.add_body(Body::dynamic("sled", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let turn = windlass_engine::math::facing(DVec3::X);
    let anchors = [rail, sled].map(|b| Anchor::frame(b, DVec3::ZERO, turn));
    let axis = Axis::driven(Drive::motor(0.0, 3.0));
    let joint = world.add_joint(Joint::new("motor", Slider { anchors, axis })).unwrap();
    let bindings = vec![Binding { joint, coordinate: 0, command: Command::Speed, factor: 1.0 }];
    let (low, high, rest, rate) = (-1.0, 1.0, 0.0, 2.0);
    let (script, name) = (Script::default(), "lever".to_string());
    world
        .add_input(Input { name, low, high, rest, rate, stop_rate: rate, returns: true, bindings, script })
        .unwrap();
    world
}

#[derive(Debug, Default)]
struct Yard {
    built: usize,
}

impl Stage for Yard {
    fn rebuild(&mut self) -> Result<World, BoxedError> {
        self.built += 1;
        Ok(sled())
    }

    fn apply(&mut self, world: &mut World, key: &str, value: &str) -> Result<(), BoxedError> {
        assert_eq!(key, "gravity");
        let g: f64 = value.parse()?;
        Ok(world.set(|s| s.gravity = DVec3::X * g)?)
    }

    fn command(&mut self, world: &mut World, key: &str, value: &str) -> Result<(), BoxedError> {
        let input = world.model().input(key).ok_or("no such input")?;
        Ok(world.set_input(input, value.parse().ok())?)
    }
}

/// Moves the lever at every third step; at some of these the model is edited, too, before or after.
fn recorded(with_edits: bool) -> (Vec<u8>, Vec<u64>) {
    let memory = Memory::default();
    let (mut world, mut yard) = (sled(), Yard::default());
    let mut recorder =
        Recorder::begin(Box::new(memory.clone()), "sled.wlr", &Header::default(), &world).unwrap();
    let mut hashes = vec![world.state().hash()];
    let mut dice = Dice(3);
    for step in 0..300 {
        if with_edits && step % 60 == 0 {
            recorder.edit(&world, "gravity", &format!("{}", step / 60)).unwrap();
            yard.apply(&mut world, "gravity", &format!("{}", step / 60)).unwrap();
        }
        if step % 3 == 0 {
            let wanted = dice.below(2001) as f64 / 1000.0 - 1.0;
            let value = if dice.below(5) == 0 { "let go".to_string() } else { format!("{wanted:?}") };
            recorder.command("lever", &value).unwrap();
            yard.command(&mut world, "lever", &value).unwrap();
        }
        if with_edits && step % 90 == 30 {
            recorder.edit(&world, "gravity", "-1").unwrap();
            yard.apply(&mut world, "gravity", "-1").unwrap();
        }
        world.step();
        recorder.step(&world).unwrap();
        hashes.push(world.state().hash());
    }
    recorder.finish().unwrap();
    (memory.content(), hashes)
}

#[test]
fn commands_are_repeated_to_the_bit_from_anywhere() {
    for with_edits in [false, true] {
        let (bytes, hashes) = recorded(with_edits);
        let mut player = Player::new(open(bytes).unwrap(), Yard::default()).unwrap();
        assert!(player.verify(Verify::Through, on).unwrap().is_good());
        assert!(player.verify(Verify::FromKeys, on).unwrap().is_good());
        let mut dice = Dice(9);
        for _ in 0..100 {
            let step = dice.below(301) as u64;
            assert_eq!(player.seek(step).unwrap().state().hash(), hashes[step as usize]);
        }
    }
}

#[test]
fn commands_need_neither_states_nor_new_worlds() {
    let (bytes, _) = recorded(false);
    let recording = open(bytes).unwrap();
    assert_eq!(recording.edits().iter().filter(|e| e.is_command()).count(), 100);
    assert_eq!(recording.edits()[0].command(), Some("lever"));
    // one a second
    assert_eq!(recording.keys().len(), 6);
    let mut player = Player::new(recording, Yard::default()).unwrap();
    for step in [250, 10, 120, 3] {
        player.seek(step).unwrap();
    }
    assert_eq!(player.stage().built, 1);
}

#[test]
fn a_branch_has_the_commands_before_it_and_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("branch.wlr");
    let (bytes, _) = recorded(true);
    let mut player = Player::new(open(bytes).unwrap(), Yard::default()).unwrap();
    player.seek(100).unwrap();
    let (recording, world) = player.parts();
    let mut recorder = Recorder::branch(&path, recording, world).unwrap();
    let (_, mut yard, mut world) = player.into_parts();
    recorder.command("lever", "0.25").unwrap();
    yard.command(&mut world, "lever", "0.25").unwrap();
    for _ in 0..50 {
        world.step();
        recorder.step(&world).unwrap();
    }
    recorder.finish().unwrap();
    let branch = windlass_record::Recording::open(&path).unwrap();
    let commands = branch.edits().iter().filter(|e| e.is_command()).count();
    assert_eq!((commands, branch.edits().last().map(|e: &Made| e.step)), (35, Some(100)));
    let mut player = Player::new(branch, Yard::default()).unwrap();
    assert!(player.verify(Verify::Through, on).unwrap().is_good());
    assert_eq!(player.world().state().hash(), world.state().hash());
}
