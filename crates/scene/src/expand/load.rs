//! Loads the file of a scene and all files it includes, each once, in order of precedence.
//!
//! Paths are relative to the including file; `files.rs` rejects paths outside the scene's folder. Depth and total size
//! are bounded before anything is read.

use crate::error::{Problems, Sources};
use crate::files::{self, FileError, Files};
use crate::library;
use crate::suggestion;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// Maximum length of a file [bytes].
pub const LONGEST_FILE: usize = 16 << 20;
/// Maximum nesting of includes.
const DEEPEST: usize = 8;

/// Why a file was not loaded.
struct Refusal {
    /// The error.
    message: String,
    /// The remedy.
    help: String,
}

impl From<FileError> for Refusal {
    fn from(e: FileError) -> Refusal {
        Refusal { message: e.to_string(), help: e.help().to_string() }
    }
}

fn refuse<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { message: message.into(), help: help.into() })
}

/// Bytes as text.
fn text_of(bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).or_else(|e| {
        let at = e.utf8_error().valid_up_to();
        refuse(format!("byte {at} is not valid UTF-8"), "save the file as UTF-8")
    })
}

fn unknown<T>(path: &str) -> Result<T, Refusal> {
    let known: Vec<String> = library::paths().collect();
    let help = match suggestion::nearest(path, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("the files of the library are {}", known.join(", ")),
    };
    refuse(format!("no file \"{path}\" in the library"), help)
}

fn too_much<T>() -> Result<T, Refusal> {
    refuse(
        format!("the scene and its included files have more than {LONGEST_FILE} bytes"),
        "move large meshes to mesh files",
    )
}

/// Follows the includes of the scene's file, which is the first source. Returns the indices of the sources in order of
/// precedence: an included file comes before the including one.
pub fn gather(sources: &mut Sources, files: &dyn Files, problems: &mut Problems) -> Vec<usize> {
    let top = sources.at(0);
    let folder = Path::new(&top.name).parent().map(Path::to_path_buf).unwrap_or_default();
    let path = top.path.clone().unwrap_or_default();
    let left = LONGEST_FILE.saturating_sub(top.text.len());
    let mut gathering = Gathering {
        sources,
        files,
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
    files: &'a dyn Files,
    problems: &'a mut Problems,
    /// The scene's folder as shown in errors.
    folder: PathBuf,
    /// Bytes that may still be read.
    left: usize,
    /// Paths from the scene to the current file.
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

    /// The paths that a text includes, and their positions in it.
    fn includes(&mut self, number: usize) -> Vec<(String, Range<usize>)> {
        let (text, start) = (self.sources.at(number).text.clone(), self.sources.at(number).start());
        // most texts include nothing; an escape may hide the word
        if !text.contains("include") && !text.contains('\\') {
            return Vec::new();
        }
        // errors of the text are reported when it is read completely
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
            self.problems.advise(span, "`include` must be a list of paths", help);
        }
        paths
    }

    fn include(&mut self, path: &str) -> Result<(), Refusal> {
        let from = self.trail.last().cloned().unwrap_or_default();
        let is_library = path.starts_with(library::PREFIX);
        let wanted = match is_library {
            true => path.to_string(),
            false => self.files.known_as(&files::beside(&from, path)?),
        };
        self.is_no_circle(&wanted)?;
        if self.trail.len() > DEEPEST {
            return refuse(
                format!("includes are nested more than {DEEPEST} deep"),
                "include it from the scene itself",
            );
        }
        if !self.seen.insert(wanted.clone()) {
            return Ok(());
        }
        let text = match self.files.read(&wanted, self.left as u64) {
            Ok(bytes) => text_of(bytes)?,
            // a recording has the file of its own version
            Err(_) if is_library => match library::text(path) {
                Some(text) => text.to_string(),
                None => return unknown(path),
            },
            Err(FileError::Size { .. }) => return too_much(),
            Err(e) => return Err(e.into()),
        };
        self.left = self.left.saturating_sub(text.len());
        let name = match is_library {
            true => wanted.clone(),
            false => self.folder.join(&wanted).display().to_string(),
        };
        let number = self.sources.add(name, Some(wanted.clone()), text.into());
        self.trail.push(wanted);
        self.visit(number);
        self.trail.pop();
        Ok(())
    }

    fn is_no_circle(&self, path: &str) -> Result<(), Refusal> {
        let Some(at) = self.trail.iter().position(|p| p == path) else { return Ok(()) };
        let way: Vec<_> = self.trail[at..].iter().map(String::as_str).chain([path]).collect();
        refuse(
            format!("files include each other in a cycle: {}", way.join(" → ")),
            "remove one of the includes",
        )
    }
}
