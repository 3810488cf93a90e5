//! What was recorded comes back: frames, exact states, edits, branches.

use crate::kit;

use kit::*;
use windlass_engine::prelude::State;
use windlass_record::*;

fn player(bytes: Vec<u8>, links: usize) -> Player<Shop> {
    Player::new(open(bytes).unwrap(), Shop::of(links)).unwrap()
}

#[test]
fn everything_comes_back() {
    let (bytes, truth) = recorded(3, 350, EDITS);
    let mut recording = open(bytes).unwrap();
    assert!(recording.is_finished() && recording.damage().is_none());
    assert_eq!(recording.check().unwrap(), None);
    assert_eq!(recording.steps(), Some(0..=350));
    assert_eq!(agrees(&mut recording, &truth, 0), 351);

    let expected = Header { names: recording.header().names.clone(), ..header() };
    let expected = Header { build: this_build(), dt: 0.01, ..expected };
    assert_eq!(*recording.header(), expected);
    let edits: Vec<_> = recording.edits().iter().map(|e| (e.step, &*e.key, &*e.value)).collect();
    assert_eq!(edits, EDITS);
    let marks: Vec<_> = recording.marks().iter().map(|m| (m.step, m.name.clone())).collect();
    let expected: Vec<_> = (0..7).map(|k| (20 + 50 * k, format!("mark {}", 20 + 50 * k))).collect();
    assert_eq!(marks, expected);
    // the ball comes, goes, and leaves an empty place
    assert_eq!(recording.names(150).bodies, ["ground", "link 0", "link 1", "link 2"]);
    assert_eq!(recording.names(151).bodies[4], "ball");
    assert_eq!(recording.names(231).bodies[4], "");
    assert_eq!(recording.names(350).joints[3], "rope");
    assert!((recording.time(123).unwrap() - 1.23).abs() < 1e-9);
    assert!(matches!(recording.poses(351), Err(Error::NoSuchStep { step: 351, .. })));
}

#[test]
fn a_file_without_an_index_is_as_good() {
    let memory = Memory::default();
    let mut world = machine(3);
    let mut recorder = Recorder::begin(Box::new(memory.clone()), "test.wlr", &header(), &world).unwrap();
    let truth = run(&mut world, &mut recorder, 350, EDITS);
    let before = memory.content();
    let mut scanned = open(before.clone()).unwrap();
    assert!(!scanned.is_finished() && scanned.damage().is_none());
    // chunks of 100 frames, and one more wherever bodies or joints came and went
    let end = *scanned.steps().unwrap().end();
    assert!((300..350).contains(&end), "{end}");
    assert_eq!(agrees(&mut scanned, &truth, 0), end + 1);
    recorder.finish().unwrap();
    let by_index = open(memory.content()).unwrap();
    assert!(by_index.is_finished());
    assert_eq!(by_index.edits(), open(memory.content()).unwrap().edits());
    let mut player = player(before, 3);
    assert!(player.verify(Verify::Through, on).unwrap().is_good());
}

#[test]
fn a_hundred_random_seeks_equal_the_unbroken_run() {
    let (bytes, truth) = recorded(3, 350, EDITS);
    let mut player = player(bytes, 3);
    let mut dice = Dice(7);
    for _ in 0..100 {
        let step = dice.below(351) as u64;
        let world = player.seek(step).unwrap();
        assert_eq!(world.state().step, step);
        assert_eq!(world.state().hash(), truth.hashes[step as usize]);
        // and it goes on, through the edits to come
        for ahead in 1..=dice.below(20).min(350 - step as usize) {
            player.advance().unwrap();
            assert_eq!(player.world().state().hash(), truth.hashes[step as usize + ahead]);
        }
    }
}

#[test]
fn going_forward_builds_no_new_world() {
    let (bytes, _) = recorded(3, 350, EDITS);
    let mut player = player(bytes, 3);
    for step in [0, 10, 120, 250, 350] {
        player.seek(step).unwrap();
    }
    // back, but over no edit
    player.seek(340).unwrap();
    let (.., shop, _) = player.into_parts();
    assert_eq!(shop.built, 1);
}

#[test]
fn a_recording_verifies_itself() {
    let (bytes, _) = recorded(3, 350, EDITS);
    let mut player = player(bytes, 3);
    let through = player.verify(Verify::Through, on).unwrap();
    assert_eq!((through.frames, through.starts, through.is_good()), (351, 1, true));
    let from_keys = player.verify(Verify::FromKeys, on).unwrap();
    let keys = player.recording().keys().len() as u64;
    assert_eq!((from_keys.frames, from_keys.starts, from_keys.is_good()), (351, keys, true));
    assert!(keys > 8, "{keys}");
}

/// A stage whose physics went another way: gravity jumps at some steps, as a changed engine's might.
struct Changed {
    shop: Shop,
}

impl Stage for Changed {
    fn rebuild(&mut self) -> Result<windlass_engine::prelude::World, BoxedError> {
        self.shop.rebuild()
    }

    fn apply(
        &mut self,
        world: &mut windlass_engine::prelude::World,
        key: &str,
        value: &str,
    ) -> Result<(), BoxedError> {
        // a nudge is recorded as one thing and played as another
        let value = if key == "push" && value == "link 2" { "link 1" } else { value };
        self.shop.apply(world, key, value)
    }
}

#[test]
fn the_first_differing_step_is_named() {
    let script: Script<'_> = &[(55, "push", "link 2"), (130, "push", "link 1"), (245, "push", "link 2")];
    let (bytes, _) = recorded(3, 350, script);
    let changed = Changed { shop: Shop::of(3) };
    let mut player = Player::new(open(bytes).unwrap(), changed).unwrap();
    let through = player.verify(Verify::Through, on).unwrap();
    assert_eq!(through.differences.len(), 1);
    assert_eq!(through.differences[0].step, 56);
    // from exact states the late one is found beside the early one
    let from_keys = player.verify(Verify::FromKeys, on).unwrap();
    let steps: Vec<u64> = from_keys.differences.iter().map(|d| d.step).collect();
    assert_eq!(steps, [56, 246]);
    // a seek into the changed part does not pass for the recording
    player.seek(40).unwrap();
    assert!(matches!(player.seek(80), Err(Error::Diverged { step: 80, .. })));
    player.seek(220).unwrap();
}

#[test]
fn a_refused_edit_is_told_and_the_player_lives() {
    let (bytes, truth) = recorded(3, 120, &[(50, "push", "link 1")]);
    struct Picky(Shop, bool);
    impl Stage for Picky {
        fn rebuild(&mut self) -> Result<windlass_engine::prelude::World, BoxedError> {
            self.0.rebuild()
        }
        fn apply(
            &mut self,
            world: &mut windlass_engine::prelude::World,
            key: &str,
            value: &str,
        ) -> Result<(), BoxedError> {
            if std::mem::take(&mut self.1) {
                Err("not today".into())
            } else {
                self.0.apply(world, key, value)
            }
        }
    }
    let mut player = Player::new(open(bytes).unwrap(), Picky(Shop::of(3), true)).unwrap();
    let error = player.seek(60).unwrap_err().to_string();
    assert!(
        error.contains("\"push\"") && error.contains("step 50") && error.contains("not today"),
        "{error}"
    );
    assert_eq!(player.seek(60).unwrap().state().hash(), truth.hashes[60]);
}

#[test]
fn a_branch_plays_alone_and_leaves_its_parent() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, truth) = recorded(3, 350, EDITS);
    let parent = folder.path().join("parent.wlr");
    save(&parent, &bytes);
    // from the middle of a chunk, from its start, from a frame with edits, from the first and the last frame
    for at in [0, 100, 150, 175, 350] {
        let path = folder.path().join(format!("branch {at}.wlr"));
        let mut player = Player::new(Recording::open(&parent).unwrap(), Shop::of(3)).unwrap();
        player.seek(at).unwrap();
        let (recording, world) = player.parts();
        let mut recorder = Recorder::branch(&path, recording, world).unwrap();
        let (.., mut world) = player.into_parts();
        let script: Script<'_> = &[(at, "push", "link 0"), (at + 40, "gravity", "20")];
        let branched = run(&mut world, &mut recorder, 150, script);
        recorder.finish().unwrap();

        assert_eq!(branched.hashes[0], truth.hashes[at as usize]);
        if at < 350 {
            assert_ne!(branched.hashes[1], truth.hashes[at as usize + 1], "the edit changed nothing");
        }
        assert_eq!(std::fs::read(&parent).unwrap(), bytes, "the parent was touched");
        let mut branch = Recording::open(&path).unwrap();
        assert_eq!(agrees(&mut branch, &branched, at), 151);
        let origin = branch.header().parent.clone().unwrap();
        let id = Recording::open(&parent).unwrap().id();
        let hash = truth.hashes[at as usize];
        assert_eq!(origin, Parent { file: "parent.wlr".into(), id, step: at, hash });
        let inherited = EDITS.iter().filter(|(step, ..)| *step < at).count();
        assert_eq!(branch.edits().len(), inherited + 2);
        let mut alone = Player::new(branch, Shop::of(3)).unwrap();
        assert!(alone.verify(Verify::Through, on).unwrap().is_good());
        assert!(alone.verify(Verify::FromKeys, on).unwrap().is_good());
        // a branch of the branch
        alone.seek(at + 60).unwrap();
        let second = folder.path().join(format!("second {at}.wlr"));
        let (recording, world) = alone.parts();
        let mut recorder = Recorder::branch(&second, recording, world).unwrap();
        let (.., mut world) = alone.into_parts();
        run(&mut world, &mut recorder, 30, &[]);
        recorder.finish().unwrap();
        let mut second = Player::new(Recording::open(&second).unwrap(), Shop::of(3)).unwrap();
        assert!(second.verify(Verify::Through, on).unwrap().is_good());
    }
}

#[test]
fn a_branch_needs_the_world_of_the_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, _) = recorded(3, 50, &[]);
    let mut world = machine(3);
    kit::apply(&mut world, "gravity", "3").unwrap();
    world.step();
    let refused = Recorder::branch(folder.path().join("b.wlr"), &mut open(bytes).unwrap(), &world);
    assert!(matches!(refused, Err(Error::NotAtFrame { step: 1 })));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn existing_files_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wlr");
    let world = machine(1);
    Recorder::create(&path, &header(), &world).unwrap().finish().unwrap();
    let before = std::fs::read(&path).unwrap();
    let refused = Recorder::create(&path, &header(), &world).unwrap_err();
    assert!(refused.to_string().contains("already exists"), "{refused}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // a recording may be replaced on purpose, a scene may not
    Recorder::replace(&path, &Header::default(), &world).unwrap().finish().unwrap();
    assert!(Recording::open(&path).unwrap().header().sources.is_empty());
    let scene = folder.path().join("scene.toml");
    save(&scene, b"windlass = 2\n# not a recording");
    assert!(matches!(Recorder::replace(&scene, &header(), &world), Err(Error::NotARecording(_))));
    assert!(scene.exists());
    assert!(matches!(Recorder::replace(folder.path(), &header(), &world), Err(Error::NotAFile(_))));
    assert!(matches!(Recording::open(folder.path()), Err(Error::NotAFile(_))));
    Recorder::replace(folder.path().join("new.wlr"), &header(), &world).unwrap();
}

#[cfg(unix)]
#[test]
fn a_recording_in_the_making_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wlr");
    let world = machine(1);
    let first = Recorder::replace(&path, &header(), &world).unwrap();
    let second = Recorder::replace(&path, &header(), &world);
    assert!(matches!(second, Err(Error::Busy(_))), "{second:?}");
    // it can be read meanwhile, and replaced afterwards
    assert!(Recording::open(&path).is_ok());
    first.finish().unwrap();
    Recorder::replace(&path, &header(), &world).unwrap();
}

#[test]
fn steps_must_be_shown_in_order() {
    let mut world = machine(1);
    let memory = Memory::default();
    let mut recorder = Recorder::begin(Box::new(memory.clone()), "test.wlr", &header(), &world).unwrap();
    world.step();
    recorder.step(&world).unwrap();
    // a step refused with a fault leaves the world where it was
    recorder.step(&world).unwrap();
    world.step();
    world.step();
    assert!(matches!(recorder.step(&world), Err(Error::Order { last: 1, got: 3 })));
    let wrong = recorder.step_logged(&machine(1), &[1.0]);
    assert!(matches!(wrong, Err(Error::Order { last: 1, got: 0 })));
    assert_eq!(recorder.finish().unwrap().frames, 2);
    let mut recording = open(memory.content()).unwrap();
    assert_eq!(recording.steps(), Some(0..=1));
    assert!(recording.channels(1).unwrap().iter().all(|x| x.is_nan()));
}

#[test]
fn an_edit_is_recorded_before_it_is_made() {
    let mut world = machine(2);
    let memory = Memory::default();
    let mut recorder = Recorder::begin(Box::new(memory.clone()), "test.wlr", &header(), &world).unwrap();
    world.step();
    recorder.step(&world).unwrap();
    kit::apply(&mut world, "push", "link 1").unwrap();
    assert!(matches!(recorder.edit(&world, "push", "link 1"), Err(Error::NotAtFrame { step: 1 })));
    // several at one frame, even when a chunk ends between them
    let mut world = machine(2);
    let memory = Memory::default();
    let mut recorder = Recorder::begin(Box::new(memory.clone()), "test.wlr", &header(), &world).unwrap();
    for (key, value) in [("push", "link 1"), ("gravity", "3"), ("push", "link 0")] {
        recorder.edit(&world, key, value).unwrap();
        kit::apply(&mut world, key, value).unwrap();
        recorder.flush().unwrap();
    }
    run(&mut world, &mut recorder, 30, &[]);
    recorder.finish().unwrap();
    for bytes in [memory.content(), memory.content()[..memory.content().len() - 1].to_vec()] {
        let recording = open(bytes).unwrap();
        assert_eq!(recording.edits().len(), 3);
        let mut player = Player::new(recording, Shop::of(2)).unwrap();
        assert_eq!(player.verify(Verify::FromKeys, on).unwrap().frames, 31);
        player.seek(30).unwrap();
        player.seek(0).unwrap();
    }
}

#[test]
fn a_growing_file_can_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.wlr");
    let mut world = machine(3);
    let mut recorder = Recorder::create(&path, &header(), &world).unwrap();
    let mut live = Recording::open(&path).unwrap();
    assert_eq!(live.steps(), None);
    let mut truth = run(&mut world, &mut recorder, 120, &[(20, "push", "link 1")]);
    assert!(live.refresh().unwrap());
    assert_eq!(live.steps(), Some(0..=99));
    assert!(!live.refresh().unwrap());
    let more = run(&mut world, &mut recorder, 200, &[(150, "gravity", "3"), (200, "rope", "link 2")]);
    truth.hashes.extend(&more.hashes[1..]);
    truth.origins.extend_from_slice(&more.origins[1..]);
    truth.channels.extend_from_slice(&more.channels[1..]);
    recorder.finish().unwrap();
    assert!(live.refresh().unwrap());
    assert!(live.is_finished() && live.damage().is_none());
    assert_eq!(agrees(&mut live, &truth, 0), 321);
    assert_eq!(live.edits(), Recording::open(&path).unwrap().edits());
    assert_eq!(live.marks(), Recording::open(&path).unwrap().marks());
    assert_eq!(live.names(300), Recording::open(&path).unwrap().names(300));
}

#[test]
fn exact_states_are_exact() {
    let (bytes, truth) = recorded(3, 350, EDITS);
    let mut recording = open(bytes).unwrap();
    let keys = recording.keys();
    for step in 0..=350 {
        let (key, state) = recording.key_at_or_before(step).unwrap();
        assert_eq!(key, *keys.iter().rfind(|k| **k <= step).unwrap());
        assert_eq!(state.hash(), truth.hashes[key as usize]);
        assert_eq!(State::from_bytes(&state.to_bytes()).unwrap(), state);
    }
}

#[test]
fn a_pace_bounds_chunks() {
    let chunks = |pace: Pace| {
        let memory = Memory::default();
        let mut world = machine(3);
        let mut recorder =
            Recorder::begin(Box::new(memory.clone()), "test.wlr", &header(), &world).unwrap().at_pace(pace);
        run(&mut world, &mut recorder, 200, &[]);
        recorder.finish().unwrap();
        open(memory.content()).unwrap().keys().len()
    };
    assert_eq!(chunks(Pace::default()), 3);
    assert_eq!(chunks(Pace { seconds: 0.1, sync: true, ..Pace::default() }), 21);
    assert_eq!(chunks(Pace { frames: 50, ..Pace::default() }), 5);
    // 4 bodies with 7 numbers, time and two channels: 248 bytes a frame, and the state
    let small = chunks(Pace { bytes: 8000, ..Pace::default() });
    assert!((7..12).contains(&small), "{small}");
}
