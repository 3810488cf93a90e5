//! An inexact configuration → one that satisfies its constraints; and how many ways it can move.
//!
//! Newton's iteration with a fresh factor each round, corrections square to the constraints in the mass metric, so
//! heavy parts stay and light ones come to them.

use crate::integrate::acceleration::accelerate;
use crate::integrate::correct::{Residual, positions, velocities};
use crate::row::RowLaw;
use crate::row::rows::Group;
use crate::workspace::Workspace;
use crate::world::World;

/// How an assembly went.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// Largest gap and rate left.
    pub left: Residual,
    /// Name of the joint with the largest gap left, if it does not close.
    pub open: Option<String>,
}

/// Gaps below this count as closed [m or rad].
const CLOSED: f64 = 1e-9;

/// Wider gaps are not those of numbers rounded in a text [m or rad].
const OPEN: f64 = 1e-6;

impl World {
    /// Assembles a world whose rigid joints stand open by more than a micrometre or a microradian; none if none does. A world that
    /// cannot be assembled stays as it is.
    pub fn assemble_if_open(&mut self) -> Option<Assembly> {
        if self.rows_of_joints().widest <= OPEN {
            return None;
        }
        let before = self.state.clone();
        let assembly = self.assemble();
        if assembly.open.is_some() {
            self.state = before;
        }
        Some(assembly)
    }

    /// Moves free bodies until the rigid rows of all joints are closed, then corrects velocities.
    pub fn assemble(&mut self) -> Assembly {
        let mut gap = f64::INFINITY;
        let World { model, state, workspace } = self;
        workspace.solved = false;
        let Workspace { stages: s, frame, .. } = workspace;
        let w = &mut frame.internal.evaluation;
        s.inputs.set(model, state);
        w.contacts.begin(model, state, s);
        // far starts take a few rounds before Newton's iteration bites; once closed, on while it still gains
        for _ in 0..50 {
            accelerate(model, state, model.settings.dt, s, w);
            let now = positions(model, state, s);
            let gained = now < 0.5 * gap;
            gap = gap.min(now);
            if now < CLOSED && !gained {
                break;
            }
        }
        accelerate(model, state, model.settings.dt, s, w);
        let rate = velocities(state, f64::INFINITY, s, &mut w.wanted);
        let open = (gap >= CLOSED).then(|| self.widest()).flatten();
        Assembly { left: Residual { gap, rate }, open }
    }

    /// Name of the joint with the largest gap in a holding row.
    fn widest(&self) -> Option<String> {
        let rows = &self.workspace.stages.rows;
        let gap = |g: &Group| rows.widest(g.rows());
        let group = rows.groups.iter().max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        Some(self.model.joints.at(group.joint()?)?.name.clone())
    }

    /// Ways the world can move now: 6 per free body less the independent rigid two-sided rows.
    pub fn degrees_of_freedom(&mut self) -> usize {
        let World { model, state, workspace } = self;
        workspace.solved = false;
        let Workspace { stages: s, frame, .. } = workspace;
        let w = &mut frame.internal.evaluation;
        s.inputs.set(model, state);
        w.contacts.begin(model, state, s);
        accelerate(model, state, model.settings.dt, s, w);
        let free = s.free.inertial.iter().filter(|i| i.free).count();
        let held = |index: usize| {
            let row = &s.rows.rows[index];
            !row.is_bounded() && matches!(row.law, RowLaw::Rigid)
        };
        let rows = s.solution.problems().flat_map(|p| p.numbering.rows.iter()).filter(|r| held(**r)).count();
        let redundant = s.solution.redundant.iter().filter(|r| held(**r)).count();
        (6 * free + redundant).saturating_sub(rows)
    }
}
