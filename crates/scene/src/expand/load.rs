//! A scene's file and all it includes → texts, each once, in the order in which they count.
//!
//! Paths are relative to the including file and stay inside the folder of the scene, after all links are followed.
//! Nothing but plain files is opened. Depth and total size are bounded before anything is read.

use crate::error::{Problems, Sources};
use crate::near;
use crate::text::LONGEST_FILE;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// Most files that include each other in a row.
const DEEPEST: usize = 8;

/// Where included files come from.
pub trait Loader {
    /// The text of a file and the path it is known by. The path asked for is relative to the scene's folder, with
    /// `/` between its parts and without `.` and `..`. At most `most` bytes are wanted.
    ///
    /// # Errors
    /// What is wrong, and what to do about it.
    fn load(&self, path: &str, most: usize) -> Result<Loaded, Refusal>;
}

/// A file that was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Where it really is, relative to the scene's folder: two paths that lead to one file give the same.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Why a file was not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

fn refuse<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { message: message.into(), help: help.into() })
}

/// Refuses all files: for a scene that is text alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, path: &str, _: usize) -> Result<Loaded, Refusal> {
        let help = "save the scene as a file and read it from there, or put the text in its place";
        refuse(format!("\"{}\" cannot be included: this scene has no folder", near::shortened(path)), help)
    }
}

/// Files from memory, by their path relative to the scene's folder.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub BTreeMap<String, String>);

impl Loader for Memory {
    fn load(&self, path: &str, most: usize) -> Result<Loaded, Refusal> {
        match self.0.get(path) {
            Some(text) if text.len() <= most => Ok(Loaded { path: path.to_string(), text: text.clone() }),
            Some(_) => too_much(),
            None => {
                let help = near::nearest(path, self.0.keys().map(String::as_str))
                    .map_or_else(|| "it was not given".to_string(), |n| format!("did you mean \"{n}\"?"));
                refuse(format!("no file \"{}\"", near::shortened(path)), help)
            }
        }
    }
}

/// Files of a folder; none outside it, whatever links say.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder of a scene's file.
    pub fn of(scene: &Path) -> Folder {
        let parent = scene.parent().filter(|p| !p.as_os_str().is_empty());
        Folder { root: parent.unwrap_or(Path::new(".")).to_path_buf() }
    }
}

impl Loader for Folder {
    fn load(&self, path: &str, most: usize) -> Result<Loaded, Refusal> {
        let shown = near::shortened(path);
        let root = match fs::canonicalize(&self.root) {
            Ok(root) => root,
            Err(e) => return refuse(format!("the scene's folder: {e}"), "check your permission to read it"),
        };
        let place = match fs::canonicalize(root.join(path)) {
            Ok(place) => place,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let help = "paths are relative to the file that includes them";
                return refuse(format!("there is no file \"{shown}\" in the scene's folder"), help);
            }
            Err(e) => return refuse(format!("\"{shown}\": {e}"), "check your permission to read it"),
        };
        let Ok(inside) = place.strip_prefix(&root) else {
            let help = "files of a scene stay in its folder: put a copy there instead of a link";
            return refuse(format!("\"{shown}\" leads out of the scene's folder"), help);
        };
        // asked before opening: opening a pipe would wait for its other end
        if !fs::metadata(&place).is_ok_and(|m| m.is_file()) {
            return refuse(format!("\"{shown}\" is not a file"), "give the path of a scene file");
        }
        let path = inside.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        match bytes_of(&place, most) {
            Ok(bytes) if bytes.len() > most => too_much(),
            Ok(bytes) => Ok(Loaded { path, text: text_of(bytes)? }),
            Err(e) => refuse(format!("\"{shown}\": {e}"), "check your permission to read it"),
        }
    }
}

/// The bytes of a plain file, one more than allowed at most.
pub fn bytes_of(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Bytes as text.
pub fn text_of(bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).or_else(|e| {
        let at = e.utf8_error().valid_up_to();
        refuse(format!("byte {at} is no UTF-8 text"), "save the file as UTF-8")
    })
}

fn too_much<T>() -> Result<T, Refusal> {
    refuse(
        format!("the scene and its files have more than {LONGEST_FILE} bytes"),
        "leave large meshes out of them",
    )
}

/// Follows the includes of the scene's file, which is the first source. Returns the numbers of the sources in the
/// order in which they count: what is included comes before what includes it.
pub fn gather(sources: &mut Sources, loader: &dyn Loader, problems: &mut Problems) -> Vec<usize> {
    let top = sources.at(0);
    let folder = Path::new(&top.name).parent().map(Path::to_path_buf).unwrap_or_default();
    let path = top.path.clone().unwrap_or_default();
    let left = LONGEST_FILE.saturating_sub(top.text.len());
    let mut gathering = Gathering {
        sources,
        loader,
        problems,
        folder,
        left,
        trail: vec![path.clone()],
        seen: BTreeSet::from([path]),
        order: Vec::new(),
    };
    gathering.visit(0);
    gathering.order
}

struct Gathering<'a> {
    sources: &'a mut Sources,
    loader: &'a dyn Loader,
    problems: &'a mut Problems,
    /// The scene's folder as errors show it.
    folder: PathBuf,
    /// Bytes that may still be read.
    left: usize,
    /// Paths from the scene to the file at hand.
    trail: Vec<String>,
    seen: BTreeSet<String>,
    order: Vec<usize>,
}

impl Gathering<'_> {
    fn visit(&mut self, number: usize) {
        for (path, span) in self.includes(number) {
            if let Err(Refusal { message, help }) = self.include(&path) {
                self.problems.advise(span, message, help);
            }
        }
        self.order.push(number);
    }

    /// The paths a text includes, and where they stand.
    fn includes(&mut self, number: usize) -> Vec<(String, Range<usize>)> {
        let (text, start) = (self.sources.at(number).text.clone(), self.sources.at(number).start());
        // most texts include nothing; an escape may hide the word
        if !text.contains("include") && !text.contains('\\') {
            return Vec::new();
        }
        // what is wrong with the text is told when it is read for good
        let (table, _) = DeTable::parse_recoverable(&text);
        let Some(value) = table.get_ref().get("include") else { return Vec::new() };
        let moved = |span: Range<usize>| span.start + start..span.end + start;
        let mut paths = Vec::new();
        let mut wrong = Vec::new();
        match value.get_ref() {
            DeValue::Array(list) => {
                for item in list.iter() {
                    match item.get_ref() {
                        DeValue::String(path) => paths.push((path.to_string(), moved(item.span()))),
                        _ => wrong.push(moved(item.span())),
                    }
                }
            }
            _ => wrong.push(moved(value.span())),
        }
        for span in wrong {
            let help = "write include = [\"lib/hook.toml\"]";
            self.problems.advise(span, "`include` is a list of paths", help);
        }
        paths
    }

    fn include(&mut self, path: &str) -> Result<(), Refusal> {
        let from = self.trail.last().cloned().unwrap_or_default();
        let wanted = resolved(&from, path)?;
        self.is_no_circle(&wanted)?;
        if self.trail.len() > DEEPEST {
            return refuse(
                format!("includes are more than {DEEPEST} deep"),
                "include it from the scene itself",
            );
        }
        // the loader refuses what would be too much in all
        let loaded = self.loader.load(&wanted, self.left)?;
        self.is_no_circle(&loaded.path)?;
        if !self.seen.insert(loaded.path.clone()) {
            return Ok(());
        }
        self.left = self.left.saturating_sub(loaded.text.len());
        let name = self.folder.join(&loaded.path).display().to_string();
        let number = self.sources.add(name, Some(loaded.path.clone()), loaded.text.into());
        self.trail.push(loaded.path);
        self.visit(number);
        self.trail.pop();
        Ok(())
    }

    fn is_no_circle(&self, path: &str) -> Result<(), Refusal> {
        let Some(at) = self.trail.iter().position(|p| p == path) else { return Ok(()) };
        let way: Vec<_> = self.trail[at..].iter().map(String::as_str).chain([path]).collect();
        refuse(format!("files include each other in a circle: {}", way.join(" → ")), "take one of them out")
    }
}

/// The path of an included file, relative to the scene's folder.
fn resolved(from: &str, path: &str) -> Result<String, Refusal> {
    let shown = near::shortened(path);
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    let mut named = false;
    for part in Path::new(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if parts.pop().is_some() => {}
            Component::Normal(part) => {
                parts.extend(part.to_str());
                named = true;
            }
            Component::ParentDir => {
                let help = "files of a scene stay in its folder or below it";
                return refuse(format!("\"{shown}\" leads out of the scene's folder"), help);
            }
            Component::RootDir | Component::Prefix(_) => {
                let help = "give a path relative to this file";
                return refuse(format!("\"{shown}\" is an absolute path"), help);
            }
        }
    }
    if !named || path.contains('\0') {
        return refuse(format!("\"{shown}\" is no path of a file"), "write such as \"lib/hook.toml\"");
    }
    Ok(parts.join("/"))
}
