//! Accelerations, velocities, reactions, coordinates and energies of a state, all at one instant.
//!
//! Under `spook` this is the solve of the step without its commit: the logged forces are those that act. Velocities and
//! accelerations of the instant follow from the same multipliers (`report/instant.rs`), and the step that follows
//! commits the same solution. The acceleration-level integrators are evaluated at the present state.

use super::subsystems;
use crate::body::twist::Twist;
use crate::body::twist::Wrench;
use crate::constrain;
use crate::constrain::inputs::{InputRamps, command};
use crate::integrate::synchronize::bring_up;
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::State;
use crate::report::instant::{Solved, motion};
use crate::report::work::{self, Interval};
use crate::report::{Energy, Fault, FaultKind, Work, fault, reaction};
use crate::row::rows::{Group, Rows};
use crate::row::{Role, rate};
use crate::settings::Integrator;
use crate::slots::{BodyId, JointId};
use crate::stages::Stages;
use crate::step;
use crate::workspace::Workspace;
use crate::world::World;
use glam::{DQuat, DVec3};

/// One body at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyInstant {
    /// Origin of its frame [m].
    pub at: DVec3,
    /// Centre of mass [m].
    pub center: DVec3,
    /// Orientation.
    pub orientation: DQuat,
    /// Velocity and angular velocity [m/s, rad/s].
    pub twist: Twist,
    /// Linear and angular acceleration [m/s², rad/s²].
    pub acceleration: Twist,
}

/// One coordinate of a joint at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinateInstant {
    /// Value, including full turns [m or rad].
    pub value: f64,
    /// Its rate.
    pub speed: f64,
    /// Force of its drive [N or N·m].
    pub effort: f64,
}

/// The world at an instant.
#[derive(Debug)]
pub struct Inspection<'a> {
    model: &'a Model,
    state: &'a State,
    /// The state from which the step was solved: its length may be less than that of the state.
    start: &'a State,
    stages: &'a Stages,
    twists: Vec<Twist>,
    accelerations: Vec<Twist>,
}

impl World {
    /// The present instant: velocities, accelerations and reactions of the next step. The state does not change.
    pub fn inspect(&mut self) -> Inspection<'_> {
        let World { model, state, workspace } = self;
        let (twists, accelerations) = match model.settings.integrator {
            Integrator::Spook => {
                if !workspace.solved {
                    step::solve(model, state, workspace);
                }
                let Stages { free, rows, islands, solution, .. } = &workspace.stages;
                motion(model, workspace.start.of(state), Solved { free, rows, islands, solution })
            }
            Integrator::Projected | Integrator::DormandPrince(_) => {
                let mut now = state.clone();
                let Workspace { stages, frame, .. } = workspace;
                stages.begin(model, &now);
                bring_up(model, &mut now, stages, &mut frame.internal.evaluation);
                let twists = (0..now.bodies.len()).map(|place| now.twist(place)).collect();
                (twists, stages.solution.twists.clone())
            }
        };
        let start = match model.settings.integrator {
            Integrator::Spook => workspace.start.of(state),
            Integrator::Projected | Integrator::DormandPrince(_) => state,
        };
        Inspection { model, state, start, stages: &workspace.stages, twists, accelerations }
    }

    /// Energies at the present state [J]. Velocities are those stored: half a step behind under `spook`.
    pub fn energy(&mut self) -> Energy {
        let (model, state) = (&self.model, &self.state);
        Energy::of(model, state, &self.rows_of_joints()).plus(subsystems::energy(model, state))
    }

    /// The rows of all joints at the present state, including inputs.
    pub(super) fn rows_of_joints(&self) -> Rows {
        let (model, state, mut rows) = (&self.model, &self.state, Rows::default());
        let mut inputs = InputRamps::default();
        constrain::constrain(model, state, &mut rows);
        inputs.set(model, state);
        command(model, &inputs, state.time, &mut rows);
        rows
    }

    /// Value of coordinate number k of a joint, including full turns [m or rad].
    pub fn coordinate(&self, joint: JointId, k: usize) -> Option<f64> {
        let j = self.model.joints.get(joint)?;
        let memory = &self.state.joints[joint.index()];
        let frames = self.model.frames(&self.state, joint.index(), j);
        let view = memory.view(&frames, self.state.time);
        let rows = Rows::of(j.constraint(), j.compliance, &view);
        rows.coordinates.get(k).copied()
    }

    /// Force and torque on anchor number k of a joint in the last solve: those of the instant at which the last step
    /// began, or of the last `inspect`. None for a removed or broken joint, or after an edit.
    pub fn reaction(&self, joint: JointId, k: usize) -> Option<Wrench> {
        reaction_of(&self.model, &self.state, &self.workspace.stages, joint, k)
    }

    /// A fault found by a program, for the body with the most kinetic energy and the joint that loads it most.
    pub fn fault_of_fastest(&self, kind: FaultKind) -> Box<Fault> {
        let Stages { rows, solution, .. } = &self.workspace.stages;
        fault::of_fastest(&self.model, &self.state, rows, &solution.forces, kind)
    }

    /// A fault of a joint whose points are further apart than the size of its bodies, by the rows of the last solve.
    pub fn fault_of_parted_joint(&self) -> Option<Box<Fault>> {
        fault::parted(&self.model, &self.state, &self.workspace.stages.rows)
    }

    /// The joints with redundant rows in the last solve, with the number of rows each.
    pub fn redundant(&self) -> Vec<(JointId, usize)> {
        let rows = &self.workspace.stages.rows;
        let mut list: Vec<(JointId, usize)> = Vec::new();
        for row in &self.workspace.stages.solution.redundant {
            let group = rows.groups.iter().find(|g| g.rows().contains(row));
            let Some(id) = group.and_then(|g| self.model.joints.id(g.joint()?)) else { continue };
            match list.iter_mut().find(|(j, _)| *j == id) {
                Some((_, count)) => *count += 1,
                None => list.push((id, 1)),
            }
        }
        list
    }
}

/// The rows of a joint in the last solve, unless the joint was removed or broken or the model has changed since.
fn group_of<'a>(model: &Model, state: &State, s: &'a Stages, joint: JointId) -> Option<&'a Group> {
    model.joints.get(joint)?;
    if state.joints[joint.index()].broken || s.rows.revision != model.revision {
        return None;
    }
    s.rows.groups.iter().find(|g| g.joint() == Some(joint.index()))
}

fn reaction_of(model: &Model, state: &State, s: &Stages, joint: JointId, k: usize) -> Option<Wrench> {
    let group = group_of(model, state, s, joint)?;
    let frame = s.rows.frames[group.frames()].get(k)?;
    Some(reaction::on(frame, &s.rows, &s.solution.forces, group))
}

impl Inspection<'_> {
    /// A body.
    pub fn body(&self, id: BodyId) -> Option<BodyInstant> {
        let body = self.model.bodies.get(id)?;
        let s = &self.state.bodies[id.index()];
        Some(BodyInstant {
            at: s.position - s.orientation * body.mass.center,
            center: s.position,
            orientation: s.orientation,
            twist: self.twists[id.index()],
            acceleration: self.accelerations[id.index()],
        })
    }

    /// Force on anchor number k of a joint, and torque about its origin, world axes [N, N·m].
    pub fn reaction(&self, joint: JointId, k: usize) -> Option<Wrench> {
        reaction_of(self.model, self.state, self.stages, joint, k)
    }

    /// The joints whose reactions are statically indeterminate: rigid bodies do not determine how the load is
    /// distributed among them, so that individual reactions are one of many solutions. Their sums are determined.
    pub fn indeterminate(&self) -> Vec<JointId> {
        let rows = self.stages.solution.indeterminate(&self.stages.rows).reactions;
        let groups = self.stages.rows.groups.iter();
        let shares = |group: &&Group| rows.iter().any(|row| group.rows().contains(row));
        groups.filter(shares).filter_map(|group| self.model.joints.id(group.joint()?)).collect()
    }

    /// The drives whose efforts are statically indeterminate, as joint and number of the coordinate: two motors on one
    /// degree of freedom. Efforts of the other drives are determined, also where reactions of their joints are not.
    pub fn indeterminate_drives(&self) -> Vec<(JointId, usize)> {
        let mut drives = Vec::new();
        for row in self.stages.solution.indeterminate(&self.stages.rows).multipliers {
            let Role::Drive(k) = self.stages.rows.rows[row].role else { continue };
            let group = self.stages.rows.groups.iter().find(|group| group.rows().contains(&row));
            let joint = group.and_then(|group| self.model.joints.id(group.joint()?));
            drives.extend(joint.map(|joint| (joint, usize::from(k))));
        }
        drives
    }

    /// The data between the stages of the solve of this instant.
    pub fn stages(&self) -> &Stages {
        self.stages
    }

    /// Force of all contacts on a body, and their torque about its centre of mass [N, N·m]. Under `spook` only: the
    /// acceleration-level integrators have contacts among their loads.
    pub fn contact_load(&self, body: BodyId) -> Wrench {
        self.row_load(body, self.stages.rows.touching().iter())
    }

    /// Force of the rows of some groups on a body, and their torque about its centre of mass [N, N·m].
    fn row_load<'g>(&self, body: BodyId, groups: impl Iterator<Item = &'g Group>) -> Wrench {
        let (rows, forces) = (&self.stages.rows, &self.stages.solution.forces);
        let mut load = Wrench::default();
        for index in groups.flat_map(Group::rows) {
            for block in rows.blocks(index).iter().filter(|b| b.body as usize == body.index()) {
                load.force += block.linear * forces[index];
                load.torque += block.angular * forces[index];
            }
        }
        load
    }

    /// Force of the loads on a body, including gravity, its damping and the rows of subsystems such as tyres and drive
    /// trains, and their torque about its centre of mass [N, N·m].
    pub fn load(&self, body: BodyId) -> Option<Wrench> {
        let explicit = self.stages.free.load(body.index())?;
        let rows = self.row_load(body, self.stages.rows.groups.iter().filter(|group| group.is_subsystem()));
        Some(Wrench { force: explicit.force + rows.force, torque: explicit.torque + rows.torque })
    }

    /// Torque on a body from the tension stiffness of the cables and ropes attached to it [N·m]: tension that rotates
    /// with the body within the step. It is the rate of angular momentum less reactions, contacts and loads. Zero
    /// except under `spook`: the acceleration-level integrators have no such term.
    pub fn tension_torque(&self, body: BodyId) -> DVec3 {
        if self.model.settings.integrator != Integrator::Spook {
            return DVec3::ZERO;
        }
        self.stages.solution.tension_torque(self.start, body.index(), self.model.kick(self.start))
    }

    /// The body of anchor number k of a joint, and the point at which its reaction acts [m]. A rope that feeds a
    /// cable is attached to the element at its end, which changes as it runs.
    pub fn anchor(&self, joint: JointId, k: usize) -> Option<(BodyId, DVec3)> {
        let group = group_of(self.model, self.state, self.stages, joint)?;
        let frame = self.stages.rows.frames[group.frames()].get(k)?;
        Some((self.model.bodies.id(frame.body as usize)?, frame.at))
    }

    /// Coordinate number k of a joint.
    pub fn coordinate(&self, joint: JointId, k: usize) -> Option<CoordinateInstant> {
        let s = self.stages;
        let group = group_of(self.model, self.state, s, joint)?;
        let index = group.coordinates().nth(k)?;
        let value = s.rows.coordinates[index];
        let effort = reaction::drive(&s.rows, &s.solution.forces, group, k);
        let speed = rate(&s.rows.rates[index], |place| self.twists[place]);
        Some(CoordinateInstant { value, speed, effort })
    }

    /// Energies [J].
    pub fn energy(&self) -> Energy {
        let mut state = self.state.clone();
        for (b, t) in state.bodies.iter_mut().zip(&self.twists) {
            (b.velocity, b.angular_velocity) = (t.velocity, t.angular_velocity);
        }
        for term in self.stages.free.solved_terms.iter().filter(|term| term.joined != term.instant) {
            let b = &mut state.bodies[term.place as usize];
            (b.velocity, b.angular_velocity) = (term.joined.velocity, term.joined.angular_velocity);
        }
        let mut energy = Energy::of(self.model, &state, &self.stages.rows);
        if self.model.settings.integrator == Integrator::Spook {
            energy.elastic = self.stages.rows.elastic_under(&self.stages.solution.forces);
        }
        energy.plus(subsystems::energy(self.model, &state))
    }

    /// Work done since the instant of the state's velocities, half a step earlier; the reports of the steps taken
    /// contain the work until then. None under the acceleration-level integrators, and with subsystems
    /// that do not account for their work.
    pub fn work(&self) -> Option<Work> {
        if self.model.settings.integrator != Integrator::Spook {
            return None;
        }
        let Stages { free, rows, solution, subsystems: buffers, .. } = self.stages;
        let (model, start, before) = (self.model, self.start, Interval::before(self.model, self.start));
        let subsystems = work::of_subsystems(model, start, before, (free, solution), buffers)?;
        let done = work::done(model, start, before, (free, rows, solution), &mut Loads::default());
        Some(Work { subsystems: done.subsystems + subsystems, ..done })
    }
}
