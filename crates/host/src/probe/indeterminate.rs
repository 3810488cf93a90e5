//! Statically indeterminate reactions among the columns of outputs, followed along a run.
//!
//! Whether rigid bodies determine a reaction depends on the equations and on the bounds that are active: a stop that is
//! reached, a rope that becomes taut or a joint that breaks changes it. The reactions are therefore found anew whenever
//! the layout of the islands, the redundant rows or the active set differ from those of the last reading.

use std::ops::RangeInclusive;
use windlass_engine::inspect::instant::Inspection;
use windlass_engine::prelude::JointId;
use windlass_engine::row::BoundMode;

/// What follows the name and the unit of a column with such a reaction.
pub const REMARK: &str = " (indeterminate)";

/// A reaction: that of a joint, or the effort of the drive of one of its coordinates.
pub type Reaction = (JointId, Option<usize>);

/// A reaction that was statically indeterminate when it was read.
#[derive(Clone, Debug)]
pub struct Indeterminate {
    /// Which one.
    pub reaction: Reaction,
    /// The first and the last instant at which it was [s]. It may have been determined in between.
    pub instants: RangeInclusive<f64>,
    /// Whether it was at the last reading.
    pub is_present: bool,
}

/// The statically indeterminate reactions of all readings so far.
#[derive(Clone, Debug, Default)]
pub struct ReactionMarks {
    found: Vec<Indeterminate>,
    /// What the present ones follow from: revision of the islands, redundant rows, active set.
    revision: u64,
    dropped: Vec<usize>,
    modes: Vec<BoundMode>,
}

impl ReactionMarks {
    /// Those found, in the order of their first instants.
    pub fn found(&self) -> &[Indeterminate] {
        &self.found
    }

    /// Whether a reaction was indeterminate at a reading.
    pub fn has(&self, reaction: Reaction) -> bool {
        self.found.iter().any(|found| found.reaction == reaction)
    }

    /// Whether a reaction was indeterminate at the last reading.
    pub fn is_present(&self, reaction: Reaction) -> bool {
        self.found.iter().any(|found| found.is_present && found.reaction == reaction)
    }

    /// Takes the reactions of an instant. `is_read` selects those that are columns.
    pub fn follow(&mut self, now: &Inspection<'_>, time: f64, is_read: impl Fn(Reaction) -> bool) {
        if self.differs(now) {
            self.found.iter_mut().for_each(|found| found.is_present = false);
            let joints = now.indeterminate().into_iter().map(|joint| (joint, None));
            let drives = now.indeterminate_drives().into_iter().map(|(joint, k)| (joint, Some(k)));
            for reaction in joints.chain(drives).filter(|reaction| is_read(*reaction)) {
                match self.found.iter_mut().find(|found| found.reaction == reaction) {
                    Some(found) => found.is_present = true,
                    None => {
                        let instants = time..=time;
                        self.found.push(Indeterminate { reaction, instants, is_present: true });
                    }
                }
            }
        }
        for found in self.found.iter_mut().filter(|found| found.is_present) {
            found.instants = *found.instants.start()..=time;
        }
    }

    /// Whether the present reactions may differ from those of the last reading; stores what they follow from.
    fn differs(&mut self, now: &Inspection<'_>) -> bool {
        let stages = now.stages();
        let (revision, modes) = (stages.islands.revision, &stages.solution.modes);
        let same = self.revision == revision && self.dropped.iter().copied().eq(stages.solution.dropped());
        if same && self.modes == *modes {
            return false;
        }
        self.revision = revision;
        self.dropped.clear();
        self.dropped.extend(stages.solution.dropped());
        self.modes.clone_from(modes);
        true
    }
}
