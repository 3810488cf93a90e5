//! Unsaved work on disk, so that a program that is killed loses nothing.
//!
//! ```text
//!  STATE/recovery/SESSION/lock      locked as long as its studio runs
//!                        /N.json    a draft: the text of a scene that differs from its file
//! ```
//!
//! A draft is written after every change of the text and removed when the text is saved. A thread of its own writes, each
//! file completely or not at all; of several drafts of a scene that wait, only the newest is written. Drafts of sessions
//! whose lock is free are those of studios that have ended: they are offered by the next studio in the same folder,
//! which holds their lock meanwhile, so that no two offer the same.

mod folder;
mod writer;

use self::folder::{Orphan, claim, clear};
use self::writer::{Job, Problem, Writer, note};
use crate::message::DraftLook;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Version of the files.
const VERSION: u32 = 1;
/// Largest number of drafts offered.
const MOST: usize = 32;
/// Largest file that is read as a draft: two texts of a scene of 1 MB, escaped [bytes].
const LARGEST: u64 = 8 << 20;

/// The text of a scene that differs from its file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Draft {
    #[serde(rename = "windlass_draft")]
    version: u32,
    /// The folder in which the studio was started.
    folder: PathBuf,
    /// Id of the scene in the gallery.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
    /// The text of the file.
    pub saved: String,
    /// The text.
    pub text: String,
    /// Seconds since 1970.
    time: u64,
}

/// The text of a scene that is to be kept.
pub struct Unsaved<'a> {
    /// Id of the scene in the gallery.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its file, if it has one.
    pub file: Option<&'a Path>,
    /// The text of the file.
    pub saved: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A draft that is offered.
struct Offered {
    draft: Draft,
    path: Option<PathBuf>,
    /// The session that wrote it, if it is not this one.
    orphan: Option<Arc<Orphan>>,
}

/// Drafts of this session and of those that have ended.
pub struct Recovery {
    /// Where sessions have their folders; nothing is written if none.
    root: Option<PathBuf>,
    /// The folder in which the studio was started.
    folder: PathBuf,
    /// The folder of this session, and its lock, once there is a draft.
    own: Option<(PathBuf, File)>,
    /// By number; those of scenes of this session have the number of their run.
    drafts: BTreeMap<u32, Offered>,
    next: u32,
    writer: Option<Writer>,
    problem: Problem,
}

impl Recovery {
    /// The drafts of sessions in a folder that have ended. `state` is the folder of the user for such files; if none,
    /// drafts are kept in memory only.
    pub fn open(state: Option<&Path>, folder: Option<&Path>) -> Recovery {
        let folder = folder.and_then(|folder| folder.canonicalize().ok()).unwrap_or_default();
        let root = state.map(|state| state.join("recovery"));
        let mut recovery = Recovery {
            root,
            folder,
            own: None,
            drafts: BTreeMap::new(),
            next: 0,
            writer: None,
            problem: Arc::default(),
        };
        recovery.adopt();
        recovery
    }

    /// A number for a run of this session, under which its draft is kept.
    pub fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Takes over what ended sessions in this folder left.
    fn adopt(&mut self) {
        let Some(root) = self.root.clone() else { return };
        let sessions = fs::read_dir(root).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let mut found = Vec::new();
        for session in sessions {
            let Some(orphan) = Orphan::adopt(&session).map(Arc::new) else { continue };
            let files = fs::read_dir(&session).into_iter().flatten();
            for path in files.filter_map(|entry| Some(entry.ok()?.path())) {
                if let Some(draft) = read(&path).filter(|draft| draft.folder == self.folder) {
                    found.push(Offered { draft, path: Some(path), orphan: Some(orphan.clone()) });
                }
            }
        }
        found.sort_by_key(|offered| std::cmp::Reverse(offered.draft.time));
        for offered in found.into_iter().take(MOST) {
            let id = self.number();
            self.drafts.insert(id, offered);
        }
    }

    /// Keeps the unsaved text of a run.
    pub fn keep(&mut self, run: u32, unsaved: &Unsaved) {
        let Unsaved { id, title, file, saved, text } = *unsaved;
        if self.drafts.get(&run).is_some_and(|kept| kept.draft.text == text && kept.draft.saved == saved) {
            return;
        }
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let file = file.map(|file| file.canonicalize().unwrap_or_else(|_| file.to_path_buf()));
        let draft = Draft {
            version: VERSION,
            folder: self.folder.clone(),
            id: id.to_string(),
            title: title.to_string(),
            file,
            saved: saved.to_string(),
            text: text.to_string(),
            time,
        };
        let path = self.own_folder().map(|folder| folder.join(format!("{run}.json")));
        if let Some(path) = &path {
            match serde_json::to_vec(&draft) {
                Ok(bytes) => self.write(Job::Write(path.clone(), bytes)),
                // a path that is not UTF-8
                Err(e) => note(&self.problem, Some(format!("cannot keep unsaved changes of {title}: {e}"))),
            }
        }
        self.drafts.insert(run, Offered { draft, path, orphan: None });
    }

    /// Removes a draft: it was saved, restored or discarded. Returns whether it existed.
    pub fn forget(&mut self, id: u32) -> bool {
        let Some(Offered { path, orphan, .. }) = self.drafts.remove(&id) else { return false };
        if let Some(path) = path {
            self.write(Job::Remove(path, orphan));
        }
        true
    }

    /// A draft.
    pub fn find(&self, id: u32) -> Option<&Draft> {
        self.drafts.get(&id).map(|offered| &offered.draft)
    }

    /// The drafts for the status, except that of the present run; the newest first.
    pub fn looks(&self, run: u32) -> Vec<DraftLook> {
        let others = self.drafts.iter().filter(|(id, _)| **id != run);
        let mut looks: Vec<DraftLook> = others
            .map(|(id, Offered { draft, orphan, .. })| DraftLook {
                id: *id,
                title: draft.title.clone(),
                file: draft.file.as_ref().map_or_else(String::new, |file| file.display().to_string()),
                time: draft.time,
                recovered: orphan.is_some(),
                hash: hash(&draft.text),
            })
            .collect();
        looks.sort_by_key(|look| std::cmp::Reverse((look.time, look.id)));
        looks
    }

    /// Why drafts cannot be written, if they cannot.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().map_or(None, |problem| problem.clone())
    }

    /// The folder of this session.
    fn own_folder(&mut self) -> Option<PathBuf> {
        if self.own.is_none() {
            let root = self.root.as_ref()?;
            self.own = match claim(root) {
                Ok(own) => Some(own),
                Err(e) => {
                    let why = format!("cannot keep unsaved changes in {}: {e}", root.display());
                    note(&self.problem, Some(why));
                    None
                }
            };
        }
        self.own.as_ref().map(|(folder, _)| folder.clone())
    }

    fn write(&mut self, job: Job) {
        let problem = self.problem.clone();
        self.writer.get_or_insert_with(|| Writer::start(problem)).add(job);
    }
}

impl Drop for Recovery {
    fn drop(&mut self) {
        // the last drafts are written first
        self.writer = None;
        self.drafts.clear();
        if let Some((folder, _lock)) = self.own.take() {
            clear(&folder);
        }
    }
}

/// Reads a draft; none if it is none.
fn read(path: &Path) -> Option<Draft> {
    let about = fs::metadata(path).ok()?;
    if path.extension()? != "json" || !about.is_file() || about.len() > LARGEST {
        return None;
    }
    let draft: Draft = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    (draft.version == VERSION && draft.text != draft.saved).then_some(draft)
}

/// A number that differs for texts that do, nearly always; the page computes the same.
fn hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |sum, unit| sum.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(recovery: &mut Recovery, text: &str) -> u32 {
        let run = recovery.number();
        let file = Some(Path::new("crane.toml"));
        recovery.keep(run, &Unsaved { id: "crane.toml", title: "Crane", file, saved: "old", text });
        run
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).map_or(0, Iterator::count)
    }

    /// As if the program had been killed: the lock is released, and nothing else happens.
    fn kill(mut recovery: Recovery) {
        recovery.writer = None;
        drop(recovery.own.take());
    }

    #[test]
    fn drafts_of_a_killed_session_are_offered_once() {
        let state = tempfile::tempdir().expect("a folder");
        let [here, there] =
            [tempfile::tempdir(), tempfile::tempdir()].map(|folder| folder.expect("a folder"));
        let mut first = Recovery::open(Some(state.path()), Some(here.path()));
        assert_eq!(count(state.path()), 0, "nothing is written before there is something to keep");
        keep(&mut first, "new");
        let second = Recovery::open(Some(state.path()), Some(here.path()));
        assert_eq!(second.looks(0), [], "its studio still runs");
        kill(first);

        assert_eq!(Recovery::open(Some(state.path()), Some(there.path())).looks(0), [], "of another folder");
        let mut third = Recovery::open(Some(state.path()), Some(here.path()));
        let looks = third.looks(0);
        assert_eq!((looks.len(), looks[0].title.as_str(), looks[0].recovered), (1, "Crane", true));
        assert_eq!(third.find(looks[0].id).map(|draft| draft.text.as_str()), Some("new"));
        assert_eq!(Recovery::open(Some(state.path()), Some(here.path())).looks(0), [], "the third offers it");
        assert!(third.forget(looks[0].id) && !third.forget(looks[0].id));
        drop(third);
        assert_eq!(count(&state.path().join("recovery")), 0, "nothing is left behind");
    }

    #[test]
    fn the_newest_text_is_kept_until_it_is_saved() {
        let state = tempfile::tempdir().expect("a folder");
        let mut recovery = Recovery::open(Some(state.path()), Some(state.path()));
        let run = recovery.number();
        for text in ["a", "b", "c"] {
            recovery.keep(run, &Unsaved { id: "untitled", title: "Untitled", file: None, saved: "", text });
        }
        assert_eq!(recovery.looks(run), [], "it is the present one");
        let other = keep(&mut recovery, "x");
        assert!(recovery.forget(other));
        kill(recovery);
        let mut again = Recovery::open(Some(state.path()), Some(state.path()));
        let looks = again.looks(0);
        assert_eq!(looks.len(), 1);
        assert_eq!(again.find(looks[0].id).map(|draft| draft.text.as_str()), Some("c"));
        assert!(again.forget(looks[0].id));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_told() {
        let state = tempfile::NamedTempFile::new().expect("a file");
        let mut recovery = Recovery::open(Some(state.path()), None);
        let run = keep(&mut recovery, "new");
        assert!(recovery.problem().is_some_and(|why| why.contains("cannot keep unsaved changes")));
        assert!(recovery.find(run).is_some(), "it is kept in memory");
    }

    #[test]
    fn texts_are_told_apart_as_on_the_page() {
        assert_eq!((hash(""), hash("a"), hash("ab"), hash("ä𝄞")), (0, 97, 3105, 1_991_502));
    }
}
