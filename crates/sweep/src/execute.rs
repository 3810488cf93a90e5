//! Indices → rows, on several threads, delivered in the order of the indices.
//!
//! A row runs on one thread from its start to its end: each worker has a pool of one thread, so that the islands of a
//! step wait for no other row. Workers take the next index when they are free; rows that are finished early wait.

use crate::error::{SweepError, SweepErrors};
use crate::sweep::Sweep;
use crate::table::Row;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use thiserror::Error;

/// Stack of a worker [bytes], as the main thread of a program has it: values may nest deeply.
const STACK: usize = 8 << 20;

/// Why rows were not delivered.
#[derive(Debug, Error)]
pub enum Halt {
    /// The caller asked to stop. The rows delivered so far are complete.
    #[error("interrupted")]
    Stopped,
    /// A row could not be passed on.
    #[error(transparent)]
    Sink(#[from] io::Error),
    /// The rows cannot be computed.
    #[error(transparent)]
    Sweep(#[from] SweepErrors),
}

/// A pool of one thread.
fn alone() -> Result<ThreadPool, Halt> {
    ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build().map_err(|e| {
        let error = SweepError::new(format!("no thread can be started: {e}"), "use fewer jobs");
        Halt::Sweep(error.into())
    })
}

impl Sweep {
    /// Passes rows to a sink in the order of their indices, computed by `jobs` threads. Rows are the same for any number.
    ///
    /// # Errors
    /// `stop` became true, which is asked before every step; the sink failed; no thread could be started.
    pub fn rows(
        &self,
        indices: Range<u64>,
        jobs: usize,
        stop: &(dyn Fn() -> bool + Sync),
        sink: &mut dyn FnMut(Row) -> io::Result<()>,
    ) -> Result<(), Halt> {
        let indices = indices.start..indices.end.min(self.len());
        let count = indices.end.saturating_sub(indices.start);
        let jobs = jobs.clamp(1, usize::try_from(count).unwrap_or(usize::MAX).max(1));
        let pools = (0..jobs).map(|_| alone()).collect::<Result<Vec<_>, _>>()?;
        let (next, ended) = (AtomicU64::new(indices.start), AtomicBool::new(false));
        let stopped = || ended.load(Ordering::Relaxed) || stop();
        let work = |rows: mpsc::Sender<Row>| {
            while !stopped() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let row = (index < indices.end).then(|| self.stoppable_row(index, &stopped)).flatten();
                let Some(row) = row else { return };
                if rows.send(row).is_err() {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            for pool in &pools {
                let (send, work) = (send.clone(), &work);
                scope.spawn(move || pool.install(|| work(send)));
            }
            drop(send);
            let delivered = deliver(receive, indices.start, sink);
            // a sink that failed ends the workers
            ended.store(true, Ordering::Relaxed);
            match delivered? {
                place if place == indices.end => Ok(()),
                _ => Err(Halt::Stopped),
            }
        })
    }
}

/// Passes rows on in the order of their indices; returns the first index that did not come.
fn deliver(
    rows: mpsc::Receiver<Row>,
    first: u64,
    sink: &mut dyn FnMut(Row) -> io::Result<()>,
) -> io::Result<u64> {
    let (mut place, mut early) = (first, BTreeMap::new());
    for row in rows {
        early.insert(row.index, row);
        while let Some(row) = early.remove(&place) {
            sink(row)?;
            place += 1;
        }
    }
    Ok(place)
}
