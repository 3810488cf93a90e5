//! A full disk stops the recorder, not the run; the file stays good, and recording goes on when there is room
//! again.

use crate::kit;

use kit::*;
use std::fs::OpenOptions;
use std::path::Path;
use std::process::Command;
use windlass_engine::prelude::World;
use windlass_record::{Error, Header, Pace, Player, Recorder, Recording, Verify};

/// Steps and records; edits on the way; returns the errors told and notes the truth.
fn run_on(world: &mut World, recorder: &mut Recorder, steps: u64, truth: &mut Truth) -> Vec<Error> {
    let mut told = Vec::new();
    for _ in 0..steps {
        let step = world.state().step;
        if step % 23 == 7 {
            let gravity = (step % 7 + 4).to_string();
            recorder.edit(world, "gravity", &gravity).unwrap();
            apply(world, "gravity", &gravity).unwrap();
        }
        assert!(world.step().fault.is_none());
        told.extend(recorder.step(world).err());
        truth.note(world, [f64::NAN; 2]);
    }
    told
}

fn started(memory: &Memory) -> (World, Recorder, Truth) {
    let world = machine(2);
    let mut truth = Truth::default();
    truth.note(&world, [f64::NAN; 2]);
    let pace = Pace { seconds: 0.2, ..Pace::default() };
    let recorder = Recorder::begin(Box::new(memory.clone()), "test.wlr", &header(), &world).unwrap();
    (world, recorder.at_pace(pace), truth)
}

/// Good to its end, and it verifies; returns the spans of frames.
fn good(bytes: Vec<u8>, truth: &Truth, torn: bool) -> Vec<std::ops::Range<u64>> {
    let mut recording = open(bytes).unwrap();
    assert!(torn || recording.damage().is_none(), "{:?}", recording.damage());
    agrees(&mut recording, truth, 0);
    let spans = recording.spans();
    if !spans.is_empty() {
        let mut player = Player::new(recording, Shop::of(2)).unwrap();
        for how in [Verify::Through, Verify::FromKeys] {
            let verdict = player.verify(how, on).unwrap();
            assert!(verdict.is_good(), "{verdict:?}");
        }
        // seek into every span, over the edits of the gaps
        for span in spans.iter().rev() {
            player.seek(span.end - 1).unwrap();
        }
    }
    spans
}

#[test]
fn the_disk_may_be_full_at_any_byte() {
    // how long the file is after each chunk
    let memory = Memory::default();
    let (mut world, mut recorder, mut truth) = started(&memory);
    run_on(&mut world, &mut recorder, 60, &mut truth);
    let bytes = memory.content();
    let whole = |n: &usize| open(bytes[..*n].to_vec()).is_ok_and(|r| r.damage().is_none());
    let ends: Vec<u64> = (0..=bytes.len()).filter(whole).map(|n| n as u64).collect();
    assert_eq!(open(bytes.clone()).unwrap().spans(), vec![0..60]);
    // every byte of the second chunk and its edits and some more, on media whose torn tail can be cut off,
    // and cannot
    assert_eq!(ends.len(), 7, "header, and three times edits and frames");
    for full in ends[2]..ends[4] + 64 {
        let stubborn = full % 2 == 1;
        let memory = Memory { stubborn, ..Memory::default() };
        memory.set_room(Some(full));
        let (mut world, mut recorder, mut truth) = started(&memory);
        let told = run_on(&mut world, &mut recorder, 70, &mut truth);
        assert_eq!(told.len(), 1, "told once, room for {full}");
        assert!(matches!(told[0], Error::File { .. }));
        assert!(recorder.stopped().is_some());
        let frames = recorder.tally().frames;
        assert_eq!(frames + recorder.tally().lost, 71);
        if full % 16 == 0 || full % 16 == 1 {
            let spans = good(memory.content(), &truth, stubborn);
            assert_eq!(spans.iter().map(|s| s.end - s.start).sum::<u64>(), frames);
        }
        // finishing a stopped recorder is no error either
        let before = memory.content();
        recorder.finish().unwrap();
        assert_eq!(memory.content(), before);
    }
}

#[test]
fn recording_goes_on_when_there_is_room_again() {
    let memory = Memory::default();
    let (mut world, mut recorder, mut truth) = started(&memory);
    assert!(run_on(&mut world, &mut recorder, 75, &mut truth).is_empty());
    let full = memory.content().len() as u64 + 100;
    memory.set_room(Some(full));
    assert_eq!(run_on(&mut world, &mut recorder, 80, &mut truth).len(), 1);
    // too early: stays stopped, says so again because it was asked to
    assert!(recorder.resume().is_err());
    assert!(recorder.stopped().is_some());
    memory.set_room(None);
    recorder.resume().unwrap();
    assert!(recorder.stopped().is_none());
    assert!(run_on(&mut world, &mut recorder, 100, &mut truth).is_empty());
    let tally = recorder.finish().unwrap();
    let spans = good(memory.content(), &truth, false);
    // chunks of 20 frames: 60 were in the file, the next failed; it went on with the step after the second
    // attempt
    assert_eq!(spans, vec![0..60, 156..256]);
    assert_eq!((tally.frames, tally.lost), (160, 96));
    // no edit was lost
    let edits: Vec<u64> = open(memory.content()).unwrap().edits().iter().map(|e| e.step).collect();
    assert_eq!(edits, (0..255).filter(|s| s % 23 == 7).collect::<Vec<_>>());
    assert!(matches!(open(memory.content()).unwrap().hash(100), Err(Error::NoSuchStep { .. })));
}

#[test]
fn a_device_that_takes_nothing_is_told_at_once() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
        println!("skipped: there is no /dev/full here");
        return;
    };
    let told = Recorder::begin(Box::new(full), "/dev/full", &Header::default(), &machine(1)).unwrap_err();
    assert!(matches!(told, Error::File { .. }), "{told}");
    assert!(told.to_string().contains("/dev/full"), "{told}");
    // and as a path it is refused, not removed
    assert!(matches!(Recorder::create("/dev/full", &Header::default(), &machine(1)), Err(Error::Exists(_))));
    assert!(Recorder::replace("/dev/full", &Header::default(), &machine(1)).is_err());
    assert!(Path::new("/dev/full").exists());
}

/// A small disk of its own; unmounted when it goes.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|o| o.status.success());
        mounted.then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[test]
fn a_real_full_disk() {
    let Some(disk) = SmallDisk::mount() else {
        println!("skipped: mounting a small disk needs root");
        return;
    };
    let (path, pad) = (disk.0.path().join("r.wlr"), disk.0.path().join("pad"));
    std::fs::write(&pad, vec![0; 64 << 10]).unwrap();
    let mut world = machine(2);
    let mut truth = Truth::default();
    truth.note(&world, [f64::NAN; 2]);
    let mut recorder = Recorder::create(&path, &header(), &world).unwrap();
    let told = run_on(&mut world, &mut recorder, 2000, &mut truth);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].to_string().contains("r.wlr"), "{}", told[0]);
    let mut recording = Recording::open(&path).unwrap();
    assert!(recording.damage().is_none());
    assert!(agrees(&mut recording, &truth, 0) >= 100);
    // room returns
    std::fs::remove_file(&pad).unwrap();
    recorder.resume().unwrap();
    assert!(run_on(&mut world, &mut recorder, 300, &mut truth).is_empty());
    recorder.finish().unwrap();
    let spans = good(std::fs::read(&path).unwrap(), &truth, false);
    assert_eq!((spans.len(), spans[1].clone()), (2, 2001..2301));
}
