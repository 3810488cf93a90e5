//! Scratch: what each step rebuilds, one noun per stage. Never saved, never read across steps.

use crate::body::BodyState;
use crate::cable::remesh::Remeshing;
use crate::collide::CollisionWork;
use crate::constrain::inputs::Courses;
use crate::contact::Contacts;
use crate::force::free_motion::Free;
use crate::integrate::dormand_prince::Dense;
use crate::integrate::penalty::contact_loop::Touching;
use crate::integrate::runge_kutta::Flow;
use crate::model::state::{ContactState, State};
use crate::partition::Islands;
use crate::report::Event;
use crate::row::rows::Rows;
use crate::solve::Solution;
use crate::stages::Hook;
use crate::strand::StrandState;
use crate::strand::step::Work;

/// The nouns between the stages, and work space.
#[derive(Debug, Default)]
pub struct Scratch {
    /// How the inputs go over the step; set as it begins.
    pub courses: Courses,
    /// Written by `force`.
    pub free: Free,
    /// Written by `collide`.
    pub contacts: Contacts,
    /// Written by `constrain`.
    pub rows: Rows,
    /// Written by `partition`.
    pub islands: Islands,
    /// Written by `solve`.
    pub solution: Solution,
    /// What touched in the last step. Written by `integrate`.
    pub events: Vec<Event>,
    /// The last internal step of the adaptive stepper. Written by `integrate`.
    pub dense: Dense,

    /// What kind of system `islands` and `solution` are of,
    level: Level,
    /// and those of the other kind: who looks after every step need not lay out both anew each time.
    other: (Islands, Solution),

    /// What the user runs between the stages; not rebuilt, but not part of any state either.
    pub(crate) hooks: Vec<Box<dyn Hook>>,

    // work space of collide
    pub(crate) collision: CollisionWork,

    // work space of integrate
    pub(crate) next: Vec<BodyState>,
    pub(crate) next_contacts: Vec<ContactState>,
    pub(crate) next_places: Vec<u32>,
    pub(crate) struck: Vec<ContactState>,
    pub(crate) start: State,
    pub(crate) ahead: State,
    pub(crate) trial: State,
    pub(crate) stage: State,
    pub(crate) moved: Rows,
    pub(crate) bias: Vec<f64>,
    pub(crate) rubbed: Vec<f64>,
    pub(crate) stages: Vec<Vec<Flow>>,
    pub(crate) touching: Touching,
    pub(crate) remeshing: Remeshing,
    pub(crate) strands: Work,
    pub(crate) next_strands: Vec<StrandState>,
}

/// What a system is solved for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Level {
    #[default]
    Velocities,
    Accelerations,
}

impl Scratch {
    /// Turns to the islands and the solution of one kind of system.
    pub(crate) fn turn_to(&mut self, level: Level) {
        if self.level != level {
            self.level = level;
            std::mem::swap(&mut self.islands, &mut self.other.0);
            std::mem::swap(&mut self.solution, &mut self.other.1);
        }
    }

    /// How hard the strands were worked at in the last step.
    pub fn strands(&self) -> &Work {
        &self.strands
    }
}
