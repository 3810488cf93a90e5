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
//! which holds their lock meanwhile, so that no two offer the same. A draft that is restored is removed when its text is
//! on disk as a draft of the restored scene.

mod folder;
mod writer;

use self::folder::Orphan;
use self::writer::{DraftFile, Job, Problem, Writer};
use crate::message::DraftLook;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use windlass_scene::text::LONGEST_FILE;

/// Version of the files.
const VERSION: u32 = 1;
/// Largest number of drafts of ended sessions that are offered, and number of drafts of this session beyond which no
/// scene with unsaved changes is left.
const MOST: usize = 32;
/// Largest file that is read as a draft: two texts of a scene, in which JSON doubles quotes and line ends, and the rest
/// [bytes].
const LARGEST: u64 = 4 * LONGEST_FILE as u64 + (1 << 20);

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
    draft: Arc<Draft>,
    /// That of its text.
    hash: i32,
    file: DraftFile,
}

impl Offered {
    fn new(draft: Draft, file: DraftFile) -> Offered {
        Offered { hash: hash(&draft.text), draft: Arc::new(draft), file }
    }

    fn is_recovered(&self) -> bool {
        matches!(self.file, DraftFile::Recovered { .. })
    }
}

/// Drafts of this session and of those that have ended.
pub struct Recovery {
    /// Where sessions have their folders; nothing is written if none.
    root: Option<PathBuf>,
    /// The folder in which the studio was started.
    folder: PathBuf,
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
                    let file = DraftFile::Recovered { path, _orphan: orphan.clone() };
                    found.push(Offered::new(draft, file));
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
        let offered = Offered::new(draft, DraftFile::Own(run));
        self.add(Job::Write(run, offered.draft.clone()));
        self.drafts.insert(run, offered);
    }

    /// Whether a scene with unsaved changes can be left: it remains as a draft.
    pub fn has_room(&self) -> bool {
        self.drafts.values().filter(|offered| !offered.is_recovered()).count() < MOST
    }

    /// Removes a draft: it was saved or discarded. Returns whether it existed.
    pub fn forget(&mut self, id: u32) -> bool {
        self.remove(id, None)
    }

    /// Removes a draft that was restored as a run: its file, when the draft of that run has been written.
    pub fn replace(&mut self, id: u32, run: u32) {
        self.remove(id, Some(run));
    }

    fn remove(&mut self, id: u32, after: Option<u32>) -> bool {
        let Some(offered) = self.drafts.remove(&id) else { return false };
        self.add(Job::Remove(offered.file, after));
        true
    }

    /// A draft.
    pub fn find(&self, id: u32) -> Option<&Draft> {
        self.drafts.get(&id).map(|offered| &*offered.draft)
    }

    /// The drafts for the status, except that of the present run; the newest first.
    pub fn looks(&self, run: u32) -> Vec<DraftLook> {
        let others = self.drafts.iter().filter(|(id, _)| **id != run);
        let mut looks: Vec<DraftLook> = others
            .map(|(id, offered)| {
                let Draft { title, file, time, .. } = &*offered.draft;
                DraftLook {
                    id: *id,
                    title: title.clone(),
                    file: file.as_ref().map_or_else(String::new, |file| file.display().to_string()),
                    time: *time,
                    recovered: offered.is_recovered(),
                    hash: offered.hash,
                }
            })
            .collect();
        looks.sort_by_key(|look| std::cmp::Reverse((look.time, look.id)));
        looks
    }

    /// Why drafts cannot be written, if they cannot.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().map_or(None, |problem| problem.clone())
    }

    /// Passes a job on, if drafts are written at all.
    fn add(&mut self, job: Job) {
        let Some(root) = &self.root else { return };
        self.writer.get_or_insert_with(|| Writer::start(root.clone(), self.problem.clone())).add(job);
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
        drop(first);

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
        drop(recovery);
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
        recovery.writer = None;
        assert!(recovery.problem().is_some_and(|why| why.contains("cannot keep unsaved changes")));
        assert!(recovery.find(run).is_some(), "it is kept in memory");
    }

    /// Nothing can be written any more: a draft that is restored stays on disk, and is offered again.
    #[test]
    fn a_restored_draft_stays_until_it_is_written_again() {
        let state = tempfile::tempdir().expect("a folder");
        let open = || Recovery::open(Some(state.path()), Some(state.path()));
        let mut first = open();
        keep(&mut first, "new");
        drop(first);
        let no_folder = tempfile::NamedTempFile::new().expect("a file");
        for written in [false, true] {
            let mut next = open();
            let [look] = &next.looks(0)[..] else { panic!("one draft") };
            let root = next.root.clone();
            if !written {
                next.root = Some(no_folder.path().to_path_buf());
            }
            let run = keep(&mut next, "new");
            next.replace(look.id, run);
            assert_eq!(next.looks(run), []);
            next.writer = None;
            assert_eq!(next.problem().is_none(), written);
            drop(next);
            assert_eq!(root.map(|root| count(&root)), Some(1), "one copy, the older or the newer");
        }
        let last = open();
        let looks = last.looks(0);
        assert_eq!(looks.len(), 1);
        assert_eq!(last.find(looks[0].id).map(|draft| draft.text.as_str()), Some("new"));
    }

    /// A scene of the largest size is offered again.
    #[test]
    fn large_drafts_are_read() {
        let state = tempfile::tempdir().expect("a folder");
        let open = || Recovery::open(Some(state.path()), Some(state.path()));
        let mut first = open();
        keep(&mut first, &"\n".repeat(LONGEST_FILE));
        drop(first);
        assert_eq!(open().looks(0).len(), 1);
    }

    #[test]
    fn drafts_of_a_session_are_limited() {
        let mut recovery = Recovery::open(None, None);
        for k in 0..MOST {
            assert!(recovery.has_room());
            keep(&mut recovery, &k.to_string());
        }
        assert!(!recovery.has_room());
    }

    #[test]
    fn texts_are_told_apart_as_on_the_page() {
        assert_eq!((hash(""), hash("a"), hash("ab"), hash("ä𝄞")), (0, 97, 3105, 1_991_502));
    }
}
