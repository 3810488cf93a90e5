//! The thread that claims the folder of this session and writes and removes drafts, so that the simulation does not wait
//! for the disk.
//!
//! What cannot be written waits and is tried again with the next job, or after some seconds.

use super::Draft;
use super::folder::{Orphan, claim, clear};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use windlass_scene::save::{Older, save};

/// Time after which a write that failed is tried again.
const AGAIN: Duration = Duration::from_secs(5);

/// Why drafts cannot be written, if they cannot.
pub type Problem = Arc<Mutex<Option<String>>>;

/// A draft on disk.
pub enum DraftFile {
    /// Of a run of this session.
    Own(u32),
    /// Of a session that has ended.
    Recovered {
        /// Where it is.
        path: PathBuf,
        /// The session, which is given up with its last draft.
        _orphan: Arc<Orphan>,
    },
}

impl DraftFile {
    /// Whether it is that of a run.
    fn is_of(&self, run: u32) -> bool {
        matches!(self, DraftFile::Own(own) if *own == run)
    }
}

/// Work for the thread that writes.
pub enum Job {
    /// Writes the draft of a run.
    Write(u32, Arc<Draft>),
    /// Removes a draft. If a run takes its place, the draft of that run is written first.
    Remove(DraftFile, Option<u32>),
}

/// The thread that writes; ends when it is dropped, after the last job.
pub struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts it; sessions have their folders in `root`.
    pub fn start(root: PathBuf, problem: Problem) -> Writer {
        let (jobs, waiting) = channel();
        let desk = Desk { root, own: None, writes: BTreeMap::new(), removals: Vec::new() };
        let thread = std::thread::Builder::new().name("recovery".to_string());
        let noted = problem.clone();
        let thread = thread.spawn(move || work(desk, &waiting, &problem));
        let thread = thread.map_err(|e| note(&noted, Some(format!("cannot keep unsaved changes: {e}")))).ok();
        Writer { jobs: Some(jobs), thread }
    }

    /// Adds a job.
    pub fn add(&self, job: Job) {
        // without a thread nothing is written or removed; the reason was noted when it could not be started
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(mut desk: Desk, jobs: &Receiver<Job>, problem: &Mutex<Option<String>>) {
    loop {
        let first = match desk.writes.is_empty() {
            true => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => jobs.recv_timeout(AGAIN),
        };
        let ends = matches!(first, Err(RecvTimeoutError::Disconnected));
        first.into_iter().chain(jobs.try_iter()).for_each(|job| desk.take(job));
        note(problem, desk.work().err());
        if ends {
            return;
        }
    }
}

/// Notes why drafts cannot be written, or that they can.
fn note(problem: &Mutex<Option<String>>, why: Option<String>) {
    if let Ok(mut problem) = problem.lock() {
        *problem = why;
    }
}

/// The drafts that are to be written and removed.
struct Desk {
    /// Where sessions have their folders.
    root: PathBuf,
    /// The folder of this session, and its lock, once there is a draft.
    own: Option<(PathBuf, File)>,
    /// By run; only the newest of each.
    writes: BTreeMap<u32, Arc<Draft>>,
    removals: Vec<(DraftFile, Option<u32>)>,
}

impl Desk {
    /// Takes a job.
    fn take(&mut self, job: Job) {
        match job {
            Job::Write(run, draft) => {
                self.removals.retain(|(file, _)| !file.is_of(run));
                self.writes.insert(run, draft);
            }
            Job::Remove(file, after) => {
                self.writes.retain(|run, _| !file.is_of(*run));
                // what this draft was to replace is replaced by its successor
                let waiting = self.removals.iter_mut().map(|(_, waits_for)| waits_for);
                waiting.filter(|run| run.is_some_and(|run| file.is_of(run))).for_each(|run| *run = after);
                self.removals.push((file, after));
            }
        }
    }

    /// Writes and removes what can be; the error is that of a write that failed.
    fn work(&mut self) -> Result<(), String> {
        let mut problem = Ok(());
        for (run, draft) in std::mem::take(&mut self.writes) {
            if let Err(why) = self.write(run, &draft) {
                self.writes.insert(run, draft);
                problem = Err(why);
            }
        }
        for (file, after) in std::mem::take(&mut self.removals) {
            if after.is_some_and(|run| self.writes.contains_key(&run)) {
                self.removals.push((file, after));
                continue;
            }
            // a file that cannot be removed is offered once more
            let _ = match (&file, &self.own) {
                (DraftFile::Own(run), Some((folder, _))) => fs::remove_file(file_of(folder, *run)),
                (DraftFile::Own(_), None) => Ok(()),
                (DraftFile::Recovered { path, .. }, _) => fs::remove_file(path),
            };
        }
        problem
    }

    fn write(&mut self, run: u32, draft: &Draft) -> Result<(), String> {
        let why = |at: &Path, e: io::Error| format!("cannot keep unsaved changes in {}: {e}", at.display());
        let folder = match &self.own {
            Some((folder, _)) => folder,
            None => &self.own.insert(claim(&self.root).map_err(|e| why(&self.root, e))?).0,
        };
        let path = file_of(folder, run);
        // a path that is not UTF-8 cannot be serialized
        let bytes = serde_json::to_vec(draft).map_err(|e| why(&path, e.into()))?;
        save(&path, &bytes, Older::Replaced).map_err(|e| why(&path, e))
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if let Some((folder, _lock)) = self.own.take() {
            clear(&folder);
        }
    }
}

/// The file of the draft of a run.
fn file_of(folder: &Path, run: u32) -> PathBuf {
    folder.join(format!("{run}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str) -> Arc<Draft> {
        let (folder, id, title, saved) = (PathBuf::new(), String::new(), String::new(), String::new());
        Arc::new(Draft { version: 1, folder, id, title, file: None, saved, text: text.to_string(), time: 0 })
    }

    /// The disk is full for one draft: others that are written do not hide that, and it is tried again.
    #[test]
    fn a_write_that_fails_is_told_and_tried_again() {
        let root = tempfile::tempdir().expect("a folder");
        let mut desk = Desk {
            root: root.path().to_path_buf(),
            own: None,
            writes: BTreeMap::new(),
            removals: Vec::new(),
        };
        desk.take(Job::Write(1, draft("a")));
        assert_eq!(desk.work(), Ok(()));
        let folder = desk.own.as_ref().map(|(folder, _)| folder.clone()).expect("it was claimed");
        let exists = |run: u32| file_of(&folder, run).is_file();
        // a file cannot take the place of a folder
        fs::create_dir(file_of(&folder, 2)).expect("a folder");
        desk.take(Job::Write(2, draft("b")));
        desk.take(Job::Remove(DraftFile::Own(1), Some(2)));
        assert!(desk.work().is_err() && exists(1), "the older copy stays");
        desk.take(Job::Write(3, draft("c")));
        assert!(desk.work().is_err() && exists(3), "the second is not on disk yet");
        fs::create_dir(file_of(&folder, 5)).expect("a folder");
        desk.take(Job::Write(5, draft("b")));
        desk.take(Job::Remove(DraftFile::Own(2), Some(5)));
        assert!(desk.work().is_err() && exists(1), "nor is what takes its place");
        fs::remove_dir(file_of(&folder, 5)).expect("it is empty");
        assert_eq!(desk.work(), Ok(()));
        assert!(exists(5) && !exists(1), "it takes the place of the first");
        // what is dropped is not written later
        desk.take(Job::Write(4, draft("d")));
        desk.take(Job::Remove(DraftFile::Own(4), None));
        desk.take(Job::Remove(DraftFile::Own(3), None));
        desk.take(Job::Write(3, draft("e")));
        assert_eq!(desk.work(), Ok(()));
        assert!(!exists(4) && exists(3));
    }

    #[test]
    fn what_an_interrupted_write_has_left_is_removed_with_the_folder() {
        let root = tempfile::tempdir().expect("a folder");
        let (folder, lock) = claim(root.path()).expect("a folder of a session");
        fs::write(folder.join(".windlass-x1y2z3"), "half").expect("a file");
        drop(lock);
        clear(&folder);
        assert!(!folder.exists());
    }
}
