//! Assembly of a configuration that satisfies its constraints; and the number of degrees of freedom.
//!
//! Newton's iteration with a new factorisation each time. Corrections are orthogonal to the constraints in the mass
//! metric, so heavy parts move little and light ones move to them.

use crate::integrate::acceleration::accelerate;
use crate::integrate::correct::{Residual, positions, velocities};
use crate::row::RowLaw;
use crate::row::rows::Group;
use crate::workspace::Workspace;
use crate::world::World;

/// Result of an assembly.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// Largest constraint violation and rate left.
    pub left: Residual,
    /// Name of the joint with the largest violation, if it does not close.
    pub open: Option<String>,
}

/// Violations below this count as closed [m or rad].
const CLOSED: f64 = 1e-9;

/// Larger violations are not due to the rounding of numbers in a text [m or rad].
const OPEN: f64 = 1e-6;

impl World {
    /// Assembles a world whose rigid joints are violated by more than a micrometre or a microradian; none if none is. A
    /// world that cannot be assembled is not changed.
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

    /// Moves dynamic bodies until the rigid rows of all joints are closed, then corrects velocities.
    pub fn assemble(&mut self) -> Assembly {
        let mut gap = f64::INFINITY;
        let World { model, state, workspace } = self;
        workspace.solved = false;
        let Workspace { stages: s, frame, .. } = workspace;
        let w = &mut frame.internal.evaluation;
        s.inputs.set(model, state);
        w.contacts.begin(model, state, s);
        // distant starts take a few iterations before Newton converges; once closed, continue while it still improves
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

    /// Name of the joint with the largest violation in a holding row.
    fn widest(&self) -> Option<String> {
        let rows = &self.workspace.stages.rows;
        let gap = |g: &Group| rows.widest(g.rows());
        let group = rows.groups.iter().max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        Some(self.model.joints.at(group.joint()?)?.name.clone())
    }

    /// Degrees of freedom of the world: 6 per dynamic body less the independent rigid bilateral rows.
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
