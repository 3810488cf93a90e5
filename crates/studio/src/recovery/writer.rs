//! The thread that writes drafts, so that the simulation never waits for the disk.

use super::folder::Orphan;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::{fs, io};
use windlass_scene::save::{Older, save};

/// Why drafts cannot be written, if they cannot.
pub type Problem = Arc<Mutex<Option<String>>>;

/// Work for the thread that writes.
pub enum Job {
    /// Writes a file.
    Write(PathBuf, Vec<u8>),
    /// Removes a file, and gives up its session, if it is not this one.
    Remove(PathBuf, Option<Arc<Orphan>>),
}

/// The thread that writes; ends when it is dropped, after the last job.
pub struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts it.
    pub fn start(problem: Problem) -> Writer {
        let (jobs, waiting) = channel();
        let thread = std::thread::Builder::new().name("recovery".to_string());
        let thread = thread.spawn(move || work(&waiting, &problem)).ok();
        Writer { jobs: Some(jobs), thread }
    }

    /// Adds a job.
    pub fn add(&self, job: Job) {
        // a thread that has ended has told why
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

fn work(jobs: &Receiver<Job>, problem: &Mutex<Option<String>>) {
    while let Ok(first) = jobs.recv() {
        // of several versions of a file only the newest is written
        let mut newest = BTreeMap::new();
        for job in std::iter::once(first).chain(jobs.try_iter()) {
            let (Job::Write(path, _) | Job::Remove(path, _)) = &job;
            newest.insert(path.clone(), job);
        }
        // what was restored is written before its older copy is removed
        let (writes, removals): (Vec<Job>, Vec<Job>) =
            newest.into_values().partition(|job| matches!(job, Job::Write(..)));
        for job in writes.into_iter().chain(removals) {
            match job {
                Job::Write(path, bytes) => {
                    let told = save(&path, &bytes, Older::Replaced);
                    let why =
                        |e: io::Error| format!("cannot keep unsaved changes in {}: {e}", path.display());
                    note(problem, told.map_err(why).err());
                }
                Job::Remove(path, _orphan) => drop(fs::remove_file(path)),
            }
        }
    }
}

/// Notes why drafts cannot be written, or that they can.
pub fn note(problem: &Mutex<Option<String>>, why: Option<String>) {
    if let Ok(mut problem) = problem.lock() {
        *problem = why;
    }
}
