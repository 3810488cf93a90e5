//! Kit of the recording tests: a machine with edits, recorded.

#![allow(dead_code, reason = "each test file takes what it needs")]

#[path = "../../../scene/tests/kit/mod.rs"]
mod damage;

#[allow(unused_imports, reason = "each test file takes what it needs")]
pub use damage::Dice;
use glam::{DQuat, DVec3};
use std::io::{self, Cursor};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use windlass_engine::prelude::{
    Anchor, Axis, Body, Distance, Drive, Edit, Hinge, Joint, Limits, Mass, Shape, World,
};
use windlass_record::{BoxedError, Error, Header, Medium, Recorder, Recording, Source, Stage};

/// A chain of links on hinges with motors, limits and friction, its end on a rope that breaks.
pub fn machine(links: usize) -> World {
    let mut world = World::default();
    world.set(|s| s.dt = 0.01).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.25, 0.05, 0.05) }, 1.0).unwrap();
    let turn = windlass_engine::math::facing(DVec3::Y);
    let (mut last, mut end) = (ground, DVec3::ZERO);
    for i in 0..links {
        let at = DVec3::X * (0.5 * i as f64 + 0.25);
        let link = world.add_body(Body::dynamic(format!("link {i}"), mass), at, DQuat::IDENTITY).unwrap();
        let anchors = [Anchor::frame(last, end, turn), Anchor::frame(link, -0.25 * DVec3::X, turn)];
        let axis = Axis {
            drive: if i == 1 { Drive::motor(2.0, 3.0) } else { Drive::Free },
            limits: Some(Limits { restitution: 0.5, ..Limits::hard(-1.0, 1.0) }),
            friction: 0.1,
            ..Axis::default()
        };
        world.add_joint(Joint::new(format!("hinge {i}"), Hinge { anchors, axis })).unwrap();
        (last, end) = (link, 0.25 * DVec3::X);
    }
    world
}

/// Builds the machine and knows its edits.
#[derive(Debug)]
pub struct Shop {
    pub links: usize,
    /// How often a world was built.
    pub built: usize,
}

impl Shop {
    pub fn of(links: usize) -> Shop {
        Shop { links, built: 0 }
    }
}

impl Stage for Shop {
    fn rebuild(&mut self) -> Result<World, BoxedError> {
        self.built += 1;
        Ok(machine(self.links))
    }

    fn apply(&mut self, world: &mut World, key: &str, value: &str) -> Result<(), BoxedError> {
        apply(world, key, value)
    }
}

/// The edits the tests make. Some change the model, some the state, some both, and `rope` depends on the
/// state it meets.
pub fn apply(world: &mut World, key: &str, value: &str) -> Result<(), BoxedError> {
    match key {
        "gravity" => {
            let g: f64 = value.parse()?;
            world.set(|s| s.gravity = DVec3::new(0.0, 0.0, -g))?;
        }
        "push" => {
            let body = world.model().body(value).ok_or("no such body")?;
            world.set_velocity(body, DVec3::new(0.0, 0.0, 3.0), DVec3::ZERO)?;
        }
        "add" => {
            let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 2.0)?;
            let at = world.state().bodies.last().ok_or("no bodies")?.position;
            world.add_body(Body::dynamic(value, mass), at, DQuat::IDENTITY)?;
        }
        "remove" => {
            let body = world.model().body(value).ok_or("no such body")?;
            world.edit(Edit::RemoveBody(body))?;
        }
        "rope" => {
            let (ground, body) = (world.model().body("ground").unwrap(), world.model().body(value).unwrap());
            let length = world.state().bodies[body.index()].position.length();
            let ends = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
            world.add_joint(Joint::new("rope", Distance::between(ends, 0.0, length)))?;
        }
        _ => return Err(format!("unknown key {key}").into()),
    }
    Ok(())
}

/// The header the tests use.
pub fn header() -> Header {
    Header {
        sources: vec![Source { name: "machine.toml".into(), bytes: b"windlass = 2\n".repeat(20) }],
        overrides: vec![("dt".into(), "10 ms".into())],
        notes: [("operator".to_string(), "none".to_string())].into(),
        channels: vec!["height".into(), "noise".into()],
        ..Header::default()
    }
}

/// What happened in a run: the truth that recordings are held against.
#[derive(Debug, Default)]
pub struct Truth {
    pub hashes: Vec<u64>,
    pub origins: Vec<Vec<DVec3>>,
    pub channels: Vec<[f64; 2]>,
}

impl Truth {
    pub fn note(&mut self, world: &World, channels: [f64; 2]) {
        self.hashes.push(world.state().hash());
        self.channels.push(channels);
        let origin = |(i, body): (usize, &Body)| {
            let b = &world.state().bodies[i];
            b.position - b.orientation * body.mass.center
        };
        self.origins.push(world.model().bodies().iter().map(origin).collect());
    }
}

/// Edits at steps, for a run.
pub type Script<'a> = &'a [(u64, &'a str, &'a str)];

/// Runs a world for some steps with edits, and records it.
pub fn run(world: &mut World, recorder: &mut Recorder, steps: u64, script: Script<'_>) -> Truth {
    let mut truth = Truth::default();
    truth.note(world, [f64::NAN; 2]);
    let start = world.state().step;
    for step in start..start + steps {
        for (_, key, value) in script.iter().filter(|(at, ..)| *at == step) {
            recorder.edit(world, key, value).unwrap();
            apply(world, key, value).unwrap();
        }
        if step % 50 == 20 {
            recorder.mark(&format!("mark {step}")).unwrap();
        }
        assert!(world.step().fault.is_none());
        let channels = [world.state().bodies[1].position.z, 1.0 / (step as f64 - 30.0)];
        recorder.step_logged(world, &channels).unwrap();
        truth.note(world, channels);
    }
    truth
}

/// Bytes in memory in place of a file; may be full.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub bytes: Arc<Mutex<Vec<u8>>>,
    /// Most bytes it takes.
    pub room: Arc<Mutex<Option<u64>>>,
    /// Whether a torn tail can be cut off.
    pub stubborn: bool,
}

impl Memory {
    pub fn content(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    pub fn set_room(&self, room: Option<u64>) {
        *self.room.lock().unwrap() = room;
    }
}

impl Medium for Memory {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut all = self.bytes.lock().unwrap();
        let room = self.room.lock().unwrap().unwrap_or(u64::MAX);
        let fit = bytes.len().min(room.saturating_sub(offset) as usize);
        all.truncate(offset as usize);
        all.extend_from_slice(&bytes[..fit]);
        if fit < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        if self.stubborn {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.bytes.lock().unwrap().truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Watches without ending anything.
pub fn on(_step: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Opens bytes.
pub fn open(bytes: Vec<u8>) -> Result<Recording, Error> {
    Recording::read(Box::new(Cursor::new(bytes)), "test.wlr")
}

/// A script with edits of every sort; some fall on the start of a chunk (every 100 steps), some share a step.
pub const EDITS: Script<'static> = &[
    (0, "gravity", "5"),
    (30, "push", "link 1"),
    (99, "rope", "link 2"),
    (100, "gravity", "9.81"),
    (100, "push", "link 0"),
    (150, "add", "ball"),
    (230, "remove", "ball"),
    (310, "push", "link 2"),
];

/// A finished recording of the machine in memory, and the truth.
pub fn recorded(links: usize, steps: u64, script: Script<'_>) -> (Vec<u8>, Truth) {
    let memory = Memory::default();
    let mut world = machine(links);
    let mut recorder = Recorder::begin(Box::new(memory.clone()), "test.wlr", &header(), &world).unwrap();
    let truth = run(&mut world, &mut recorder, steps, script);
    recorder.finish().unwrap();
    (memory.content(), truth)
}

/// Everything a recording returns is what happened; returns how many frames it had.
pub fn agrees(recording: &mut Recording, truth: &Truth, start: u64) -> u64 {
    let mut frames = 0;
    for span in recording.spans() {
        for step in span {
            let i = (step - start) as usize;
            let Ok(hash) = recording.hash(step) else { continue };
            assert_eq!(hash, truth.hashes[i], "hash of step {step}");
            let poses = recording.poses(step).unwrap();
            let names = recording.names(step).bodies.clone();
            assert_eq!(poses.len(), names.len());
            let there = poses.iter().zip(&names).filter(|(_, name)| !name.is_empty());
            let origins: Vec<DVec3> = there.map(|(pose, _)| pose.at).collect();
            assert_eq!(origins.len(), truth.origins[i].len());
            for (a, b) in origins.iter().zip(&truth.origins[i]) {
                // half a grid in each direction
                assert!((*a - *b).abs().max_element() <= 0.5001e-5, "step {step}: {a} instead of {b}");
            }
            let channels = recording.channels(step).unwrap();
            assert!(channels.iter().zip(&truth.channels[i]).all(|(a, b)| a.to_bits() == b.to_bits()));
            frames += 1;
        }
    }
    frames
}

/// A file of bytes.
pub fn save(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}
