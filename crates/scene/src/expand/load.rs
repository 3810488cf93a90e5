//! A scene's file and all it includes → texts, each once, in the order in which they count.
//!
//! Paths are relative to the including file; `files.rs` sees to it that none leads out of the scene's folder. Depth and
//! total size are bounded before anything is read.

use crate::error::{Problems, Sources};
use crate::files::{self, FileError, Files};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// Longest file that is read [bytes].
pub const LONGEST_FILE: usize = 16 << 20;
/// Most files that include each other in a row.
const DEEPEST: usize = 8;

/// Why a file was not loaded.
struct Refusal {
    /// What is wrong.
    message: String,
    /// What to do about it.
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
        let wanted = self.files.known_as(&files::beside(&from, path)?);
        self.is_no_circle(&wanted)?;
        if self.trail.len() > DEEPEST {
            return refuse(
                format!("includes are more than {DEEPEST} deep"),
                "include it from the scene itself",
            );
        }
        if !self.seen.insert(wanted.clone()) {
            return Ok(());
        }
        let text = match self.files.read(&wanted, self.left as u64) {
            Ok(bytes) => text_of(bytes)?,
            Err(FileError::Size { .. }) => return too_much(),
            Err(e) => return Err(e.into()),
        };
        self.left = self.left.saturating_sub(text.len());
        let name = self.folder.join(&wanted).display().to_string();
        let number = self.sources.add(name, Some(wanted.clone()), text.into());
        self.trail.push(wanted);
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
