//! Rows of a tool in the ground.
//!
//! ```text
//!  group of slices   along the force F of its wedges:   J u + (v_c/|F|) λ = 0,   −pull ≤ λ ≤ |F|
//!  edge              along the face:                    J u + (v_c/Q) λ = 0,     −back ≤ λ ≤ Q + back
//!  end plates        along two axes:                    |λ| ≤ their friction
//! ```
//!
//! Within its bounds a row holds the tool; it creeps by v_c at most. At its bound the soil fails and the tool moves.

use super::ground_view::GroundView;
use super::model::ToolModel;
use super::state::{TOOL_ROWS, ToolState};
use crate::cutting::{Pose, Work};
use glam::{DMat3, DVec3};
use windlass_engine::prelude::{
    BodyState, JacobianBlock, Role, Row, RowLaw, SolvedRows, SubsystemRows, Twist, View, Wrench,
};

/// Rate at the bound of a row, v_c [m/s]: it holds to 20 µm per second, and rows that depend on each other share.
const CREEP: f64 = 2e-5;
/// Forces below this are none [N].
const NOTHING: f64 = 1e-6;

/// The cut of a tool in a step, and its rows.
#[derive(Debug, Default)]
pub(super) struct ToolWork {
    pub cut: Work,
    /// Rows: their numbers, and forces of a unit multiplier.
    rows: Vec<(usize, DVec3)>,
}

/// Position and motion of a tool's axes.
pub(super) fn pose(model: &ToolModel, view: &View<'_>, state: &BodyState) -> Option<Pose> {
    let body = view.bodies.list.get(model.body)?;
    let arm = state.orientation * -body.mass.center;
    let velocity = state.velocity + state.angular_velocity.cross(arm);
    Some(Pose {
        position: state.position + arm,
        axes: DMat3::from_quat(state.orientation),
        motion: Twist { velocity, angular_velocity: state.angular_velocity },
        fill: None,
    })
}

impl ToolWork {
    /// Writes the rows of a tool at the start of a step.
    pub fn write(
        &mut self,
        model: &ToolModel,
        (view, ground): (&View<'_>, &GroundView<'_>),
        state: &ToolState,
        out: &mut SubsystemRows<'_>,
    ) {
        self.rows.clear();
        self.cut.groups.clear();
        let body = view.bodies.body(model.body);
        let Some(pose) = pose(model, view, body) else { return };
        // a full bucket cuts with its load
        let fill = model.tool.opening().filter(|_| state.full).map(|opening| pose.axes * opening);
        let pose = Pose { fill, ..pose };
        model.tool.cut(&pose, ground, -view.settings.gravity.z, &mut self.cut);
        let place = model.body.index();
        let block = |wrench: &Wrench, size: f64| JacobianBlock {
            body: place as u32,
            linear: wrench.force / size,
            angular: (wrench.torque + (pose.position - body.position).cross(wrench.force)) / size,
        };
        let rows = &mut self.rows;
        let mut push = |block: JacobianBlock, [lo, hi]: [f64; 2]| {
            if rows.len() < TOOL_ROWS && hi - lo > NOTHING {
                let law = RowLaw::Velocity { loss: CREEP / hi.max(-lo) };
                let row = Row { lo, hi, law, role: Role::Medium, ..Row::drive(0.0, 0.0) };
                rows.push((out.push(row, &[block], state.modes[rows.len()]), block.linear));
            }
        };
        for group in &self.cut.groups {
            let size = group.cutting.force.length();
            if size > NOTHING {
                push(block(&group.cutting, size), [-group.pull, size]);
            }
            let size = group.bearing.force.length();
            if size > NOTHING {
                push(block(&group.bearing, size), [-group.back, size + group.back]);
            }
        }
        let plates = self.cut.end_plates.iter().filter(|plate| plate.bound > NOTHING);
        let sum = plates.fold((0.0, DVec3::ZERO), |(bound, at), plate| {
            (bound + plate.bound, at + plate.point * plate.bound)
        });
        if sum.0 > NOTHING {
            let (bound, at) = (sum.0, sum.1 / sum.0);
            let velocity = pose.velocity(at);
            let ahead = self.cut.slices.first().map_or(DVec3::X, |slice| slice.forward);
            for axis in [ahead, DVec3::Z] {
                // the friction is against the sliding: less across it
                let part = (velocity.dot(axis).abs() / velocity.length().max(CREEP)).clamp(0.1, 1.0);
                let wrench = Wrench { force: axis, torque: (at - pose.position).cross(axis) };
                push(block(&wrench, 1.0), [-bound * part, bound * part]);
            }
        }
    }

    /// Stores what the solved rows say.
    pub fn remember(&self, solved: &SolvedRows<'_>, state: &mut ToolState) {
        state.modes = Default::default();
        state.force = DVec3::ZERO;
        for ((row, along), mode) in self.rows.iter().zip(&mut state.modes) {
            *mode = solved.mode(*row);
            state.force += *along * solved.force(*row);
        }
        let slices = &self.cut.slices;
        state.depth = slices.iter().fold(0.0, |most: f64, slice| most.max(slice.depth));
        state.forward = slices.first().map_or(DVec3::ZERO, |slice| slice.forward);
    }
}
