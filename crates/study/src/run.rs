//! Runs studies: several at a time, but those that measure time one after another, alone.

use crate::context::{StudyContext, Trouble, Watch};
use crate::experiment::Study;
use crate::findings::Findings;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A study that was run.
#[derive(Clone, Debug)]
pub struct Done {
    /// Which.
    pub study: &'static Study,
    /// Its findings, as far as it got.
    pub findings: Findings,
    /// Why it did not come to its end.
    pub trouble: Option<Trouble>,
    /// How long it took.
    pub took: Duration,
}

impl Done {
    /// Whether it came to its end and missed nothing.
    pub fn is_met(&self) -> bool {
        self.trouble.is_none() && self.findings.counts()[1] == 0
    }
}

/// Runs studies on a number of threads and returns their findings in the order in which they were named. `quick` uses
/// smaller grids and shorter times. Each finished study is passed to `told` at once.
pub fn run(
    studies: &[&'static Study],
    threads: usize,
    quick: bool,
    watch: &dyn Watch,
    told: &(dyn Fn(&Done) + Sync),
) -> Vec<Done> {
    let slots: Vec<Mutex<Option<Done>>> = studies.iter().map(|_| Mutex::new(None)).collect();
    let take = |place: usize| {
        if watch.stops() {
            return;
        }
        let done = run_one(studies[place], quick, watch);
        told(&done);
        *slots[place].lock().expect("no study panics with its slot in hand") = Some(done);
    };
    let [timed, others]: [Vec<usize>; 2] =
        [true, false].map(|timed| (0..studies.len()).filter(|i| studies[*i].timed == timed).collect());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, others.len().max(1)) {
            scope.spawn(|| {
                while let Some(place) = others.get(next.fetch_add(1, Ordering::Relaxed)) {
                    take(*place);
                }
            });
        }
    });
    timed.into_iter().for_each(take);
    let inner = |slot: Mutex<Option<Done>>| slot.into_inner().expect("all threads have ended");
    slots.into_iter().filter_map(inner).collect()
}

fn run_one(study: &'static Study, quick: bool, watch: &dyn Watch) -> Done {
    let begun = Instant::now();
    let mut context = StudyContext::new(study.name, watch, quick);
    let trouble = (study.run)(&mut context).err();
    Done { study, findings: context.findings, trouble, took: begun.elapsed() }
}
