//! Scene ⇄ header of a recording; and the world at any of its frames.
//!
//! A recording holds every file of its scene, the overrides of its start and the edits of its run, all as text. It can
//! therefore be replayed without any other file, and an edit is an override that comes later: the scene is read again
//! with it, and the differences are edited in the running world. A change of an input is a command, for which no scene
//! is read.

use crate::logic::{self, Logic};
use std::ops::RangeInclusive;
use std::sync::Arc;
use windlass_engine::prelude::{Fault, InputId, World};
use windlass_record::{BoxedError, Error, Header, Player, Recording, Source, Stage};
use windlass_scene::files::{Files, Memory};
use windlass_scene::{Built, Move, Override, Scene, parse_with};

/// Size limit for scene files stored in a recording [bytes].
const LONGEST: u64 = 64 << 20;

/// The header of a recording of a scene that was read with these overrides.
pub fn header(scene: &Scene, overrides: &[Override]) -> Result<Header, Error> {
    let texts = scene.sources.iter().filter_map(|s| Some((s.path.clone()?, s.text.as_bytes().to_vec())));
    let mut sources: Vec<_> = texts.map(|(name, bytes)| Source { name, bytes }).collect();
    for path in scene.assets() {
        let bytes = scene.files.read(path, LONGEST).map_err(|e| Error::Rebuild(e.into()))?;
        sources.push(Source { name: path.to_string(), bytes });
    }
    let overrides = overrides.iter().map(|o| (o.key.clone(), o.value.clone())).collect();
    Ok(Header { sources, overrides, ..Header::default() })
}

/// The player of a recording of a scene.
pub fn player(recording: Recording) -> Result<Player<SceneStage>, Error> {
    let stage = SceneStage::new(recording.header()).map_err(Error::Rebuild)?;
    Player::new(recording, stage)
}

/// Replays steps and passes on the target values of inputs: the time at the start of a step, then a value per input,
/// whenever a value changed.
pub fn input_changes(
    player: &mut Player<SceneStage>,
    steps: &RangeInclusive<u64>,
    inputs: &[Option<InputId>],
    each: &mut dyn FnMut(&[f64]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut last = Vec::new();
    for _ in *steps.start()..*steps.end() {
        // after a step its inputs have the targets from its start
        let time = player.world().state().time;
        player.advance()?;
        let world = player.world();
        let wanted = inputs.iter().map(|id| id.and_then(|id| world.input(id)).map_or(f64::NAN, |i| i.target));
        let line: Vec<f64> = [time].into_iter().chain(wanted).collect();
        if last.get(1..) != line.get(1..) {
            each(&line)?;
            last = line;
        }
    }
    Ok(())
}

/// The scene of a recording with the edits so far.
#[derive(Debug)]
pub struct SceneStage {
    name: String,
    text: String,
    files: Arc<dyn Files>,
    /// Overrides of the start.
    first: Vec<Override>,
    /// Overrides of the start and of all edits since.
    overrides: Vec<Override>,
    /// The scene with the edits so far.
    pub scene: Scene,
    /// `rebuild` takes its world.
    pub built: Built,
    /// The readings of the controllers of the present model.
    pub logic: Logic,
    /// What the edits mean for running ropes and cables, where that is not only what their text says.
    pub notes: Vec<String>,
}

impl SceneStage {
    /// The scene of a recording.
    pub fn new(header: &Header) -> Result<SceneStage, BoxedError> {
        let main = header.sources.first().ok_or("the recording has no scene")?;
        let (name, text) = (main.name.clone(), String::from_utf8(main.bytes.clone())?);
        let files = header.sources.iter().skip(1);
        let files = files.fold(Memory::new(), |files, s| files.with(&s.name, s.bytes.clone()));
        let files: Arc<dyn Files> = Arc::new(files);
        let set = |(key, value): &(String, String)| Override { key: key.clone(), value: value.clone() };
        let first: Vec<_> = header.overrides.iter().map(set).collect();
        let scene = parse_with(&text, &name, files.clone(), &first)?;
        let built = scene.build()?;
        let logic = Logic::of_scene(&scene, &built)?;
        let (overrides, notes) = (first.clone(), Vec::new());
        Ok(SceneStage { name, text, files, overrides, first, scene, built, logic, notes })
    }
}

impl Stage for SceneStage {
    fn rebuild(&mut self) -> Result<World, BoxedError> {
        (self.overrides, self.notes) = (self.first.clone(), Vec::new());
        self.scene = parse_with(&self.text, &self.name, self.files.clone(), &self.overrides)?;
        self.built = self.scene.build()?;
        self.logic = Logic::of_scene(&self.scene, &self.built)?;
        Ok(std::mem::take(&mut self.built.world))
    }

    fn apply(&mut self, world: &mut World, key: &str, value: &str) -> Result<(), BoxedError> {
        let mut overrides = self.overrides.clone();
        overrides.push(Override { key: key.to_string(), value: value.to_string() });
        let scene = parse_with(&self.text, &self.name, self.files.clone(), &overrides)?;
        std::mem::swap(&mut self.built.world, world);
        let changed = self.built.change(&self.scene, &scene);
        let logic = changed.and_then(|change| {
            self.notes.extend(change.notes);
            Logic::of_scene(&scene, &self.built)
        });
        std::mem::swap(&mut self.built.world, world);
        self.logic = logic?;
        (self.scene, self.overrides) = (scene, overrides);
        Ok(())
    }

    fn command(&mut self, world: &mut World, key: &str, value: &str) -> Result<(), BoxedError> {
        if logic::switch(world, key, value)? {
            return Ok(());
        }
        Ok(Move::read(key, value)?.make(world)?)
    }

    fn before_step(&mut self, world: &mut World) -> Result<(), Box<Fault>> {
        self.logic.act(world)
    }
}
