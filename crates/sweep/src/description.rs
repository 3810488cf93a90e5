//! The description of a sweep, a plain value; and the files of its scene, read once.

use crate::measure::Measure;
use crate::space::Method;
use crate::vary::Vary;
use std::path::Path;
use std::sync::Arc;
use windlass_scene::files::{FileError, Files, Memory, NoFolder};
use windlass_scene::{Errors, Override, Scene, parse_with, read_with};
use xxhash_rust::xxh3::xxh3_64;

/// The text of a scene, its name in messages, and the files it names.
#[derive(Clone, Debug)]
pub struct SceneText {
    /// Its name in messages.
    pub name: String,
    /// The text.
    pub text: String,
    /// The files it names.
    pub files: Arc<dyn Files>,
}

impl SceneText {
    /// A text that names no other files.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SceneText {
        SceneText { name: name.into(), text: text.into(), files: Arc::new(NoFolder) }
    }

    /// A scene file and the files beside it.
    ///
    /// # Errors
    /// The file cannot be read, or the scene is invalid with these overrides.
    pub fn read(path: &Path, overrides: &[Override]) -> Result<SceneText, Errors> {
        let scene = read_with(path, overrides)?;
        let text = scene.sources.iter().next().map(|source| source.text.to_string()).unwrap_or_default();
        Ok(SceneText { name: scene.file.clone(), text, files: scene.files.clone() })
    }
}

/// What is varied, how it is run, and what is measured.
#[derive(Clone, Debug)]
pub struct Description {
    /// The scene.
    pub scene: SceneText,
    /// Overrides that hold in every row.
    pub overrides: Vec<Override>,
    /// The varied keys.
    pub vary: Vec<Vary>,
    /// Number of samples, if keys are sampled.
    pub samples: Option<u64>,
    /// How samples are taken.
    pub method: Method,
    /// Selects the samples.
    pub seed: u64,
    /// The measures; if there are none, the scene's own probes at the end.
    pub measures: Vec<Measure>,
    /// Duration of a run [s], instead of the scene's.
    pub duration: Option<f64>,
}

impl Description {
    /// A scene of which nothing is varied yet.
    pub fn new(scene: SceneText) -> Description {
        Description {
            scene,
            overrides: Vec::new(),
            vary: Vec::new(),
            samples: None,
            method: Method::default(),
            seed: 0,
            measures: Vec::new(),
            duration: None,
        }
    }

    /// Reads the scene with these overrides.
    pub(crate) fn parse(&self, files: &Arc<dyn Files>, overrides: &[Override]) -> Result<Scene, Errors> {
        parse_with(&self.scene.text, &self.scene.name, files.clone(), overrides)
    }

    /// The digest of everything that determines the rows: the program, all texts and files of the scene, and the other
    /// entries.
    pub(crate) fn digest(&self, files: &[(String, Vec<u8>)]) -> u64 {
        let mut bytes = Vec::new();
        let mut add = |part: &[u8]| {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        };
        add(env!("CARGO_PKG_VERSION").as_bytes());
        for (name, content) in files {
            add(name.as_bytes());
            add(content);
        }
        let Description { scene: _, overrides, vary, samples, method, seed, measures, duration } = self;
        // derived formats of plain values: numbers in them have all their digits
        add(format!("{overrides:?} {vary:?} {measures:?}").as_bytes());
        add(format!("{samples:?} {method} {seed} {duration:?}").as_bytes());
        xxh3_64(&bytes)
    }
}

/// Files that were read once, before those of a folder: all rows see the same, also if a file changes meanwhile.
#[derive(Debug)]
pub struct KeptFiles {
    kept: Memory,
    others: Arc<dyn Files>,
}

impl KeptFiles {
    /// Keeps these files.
    pub fn new(files: &[(String, Vec<u8>)], others: Arc<dyn Files>) -> KeptFiles {
        let kept = files.iter().fold(Memory::new(), |all, (name, bytes)| all.with(name, bytes.clone()));
        KeptFiles { kept, others }
    }
}

impl Files for KeptFiles {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        match self.kept.read(path, most) {
            Err(FileError::Missing { .. }) => self.others.read(path, most),
            read => read,
        }
    }

    fn known_as(&self, path: &str) -> String {
        self.others.known_as(path)
    }
}
