//! Springs and dampers of joints and forces → the rate that an explicit step has to follow.
//!
//! ```text
//! K = Σ k Jᵀ J,   D = Σ c Jᵀ J,    |λ| ≤ max(√κ, δ),    κ, δ the largest eigenvalues of P M⁻¹ K and P M⁻¹ D
//! ```
//!
//! P projects onto the motions that rigid rows of joints allow. Any root of λ² + d λ + k = 0 with k ≤ κ and d ≤ δ has at
//! most that size. For bodies without joints κ ≤ max Σ k w over the rows on a body, w the mobility of a row: with
//! weights s = wₐ/w that sum to one over the bodies of a row, |Σ k Jᵀ J x|² ≤ max(Σ k w) Σ s |…|² by Cauchy and Schwarz.
//! Joints only reduce it. Where that bound is too high, the eigenvalues are computed by power iteration.
//!
//! Stops count whether they are reached or not, and tables with their stiffest slope, as a step may go on to it. Elements
//! of cables are left out: a scene whose step they do not suit is rejected. So are forces of subsystems and hooks.

use super::acceleration::{AccelerationWork, accelerate};
use crate::body::frame::JacobianBlock;
use crate::force::FreeMotion;
use crate::joint::JointKind;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::{Group, Rows};
use crate::row::{BoundMode, Role, RowLaw, RowSource, rate};
use crate::solve::problem::Problem;
use crate::solve::regularize::RegularizedRow;
use crate::stages::Stages;
use glam::DVec3;

/// Power iterations. They find κ from below; eight are within some percent, for which the step has a margin
/// (`projected.rs`).
const ITERATIONS: usize = 8;

/// Part of a step per rate, relative to that of smooth laws, where the stiffness jumps inside a step that is divided
/// anyway: a part that is just stable on either side may gain a third of the energy in between, one a fourth as long
/// a twentieth (`crates/scene/tests/stiff_springs.rs`).
const SHORTER: f64 = 0.25;

/// Rates up to this part of the one that matters are left out: together the square root of the sum of squares counts.
const SLIGHT: f64 = 0.5;

/// A linearised spring and damper along one direction of motion.
#[derive(Clone, Copy, Debug)]
struct Line {
    source: RowSource,
    /// Where its blocks end; they begin where those of the line before end.
    end: usize,
    /// k [N/m or N·m/rad] and c.
    values: [f64; 2],
    /// Whether its stiffness jumps: at a stop, between pieces of a table, at a largest force.
    jumps: bool,
}

/// The fastest spring or damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fastest {
    /// Its joint or force.
    pub source: RowSource,
    /// Whether it is the damper.
    pub is_damper: bool,
    /// λ [1/s].
    pub rate: f64,
}

/// Workspace.
#[derive(Debug, Default)]
pub(crate) struct Stiffness {
    lines: Vec<Line>,
    blocks: Vec<JacobianBlock>,
    /// The model's revision for which there are no lines at all.
    none: Option<u64>,
    forces: Rows,
    /// Σ k w and Σ c w by body.
    sums: Vec<[f64; 2]>,
    /// Velocities and forces in the power iteration, six per body, and those of one island.
    x: Vec<f64>,
    y: Vec<f64>,
    local: Vec<f64>,
}

impl Stiffness {
    /// The fastest spring or damper at a state, if a step of `within` would have to follow it with more than `part` of its
    /// rate.
    pub(crate) fn fastest(
        &mut self,
        (model, state): (&Model, &State),
        (within, part): (f64, f64),
        s: &mut Stages,
        w: &mut AccelerationWork,
    ) -> Option<Fastest> {
        if self.none == Some(model.revision) && s.hooks.is_empty() {
            return None;
        }
        s.free.refresh(model, state);
        s.constrain_joints(model, state);
        self.collect(model, state, &s.rows, within);
        if self.lines.is_empty() {
            self.none = Some(model.revision);
            return None;
        }
        let bound = self.bound(state, &s.free)?;
        if bound.rate * within <= SLIGHT * part {
            return None;
        }
        if bound.rate * within <= part {
            return Some(bound);
        }
        if s.rows.holds {
            accelerate(model, state, within, s, w);
            let awake = s.solution.islands.iter_mut().filter(|island| !island.is_asleep(state));
            awake.for_each(|island| release(&mut island.problem, &s.rows));
        }
        let found = self.held(bound, state, s);
        if found.rate * within <= part || !self.lines.iter().any(|line| line.jumps) {
            return Some(found);
        }
        for line in self.lines.iter_mut().filter(|line| line.jumps) {
            line.values[0] /= SHORTER * SHORTER;
        }
        let bound = self.bound(state, &s.free)?;
        Some(self.held(bound, state, s))
    }

    /// The fastest with the joints, given that of free bodies.
    fn held(&mut self, bound: Fastest, state: &State, s: &Stages) -> Fastest {
        if !s.rows.holds {
            return bound;
        }
        let [spring, damper] = [0, 1].map(|which| self.iterate(which, state, s));
        let (spring, damper) = ((spring.0.sqrt(), spring.1), damper);
        let is_damper = damper.0 > spring.0;
        let (rate, line) = if is_damper { damper } else { spring };
        Fastest { source: self.lines[line].source, is_damper, rate: rate.min(bound.rate) }
    }

    /// Lists the springs and dampers at a state.
    fn collect(&mut self, model: &Model, state: &State, rows: &Rows, within: f64) {
        self.lines.clear();
        self.blocks.clear();
        for group in &rows.groups {
            let Some(place) = group.joint() else { continue };
            if model.joints.at(place).is_some_and(|joint| matches!(joint.kind, JointKind::Link(_))) {
                continue;
            }
            for row in group.rows() {
                let steepest = steepest(model, state, (rows, group, row), within);
                let values = match rows.rows[row].law {
                    RowLaw::Spring(spring) => [spring.stiffness.max(steepest), spring.damping],
                    RowLaw::Velocity { loss } if loss > 0.0 => [0.0, 1.0 / loss],
                    RowLaw::Maxwell { compliance, .. } => [0.0, 1.0 / compliance],
                    _ => continue,
                };
                self.add(
                    group.owner,
                    (values, rows.rows[row].is_bounded() || steepest > 0.0),
                    rows.blocks(row),
                );
            }
        }
        let mut forces = std::mem::take(&mut self.forces);
        let bodies = model.bodies_at(state);
        for (place, force) in model.forces.iter() {
            forces.clear();
            force.law().tangent(&bodies, &mut forces);
            for row in 0..forces.rows.len() {
                if let RowLaw::Spring(spring) = forces.rows[row].law {
                    let values = [spring.stiffness, spring.damping];
                    self.add(RowSource::Force(place as u32), (values, false), forces.blocks(row));
                }
            }
        }
        self.forces = forces;
    }

    fn add(&mut self, source: RowSource, (values, jumps): ([f64; 2], bool), blocks: &[JacobianBlock]) {
        let values = values.map(|value| value.max(0.0));
        if values != [0.0; 2] {
            self.blocks.extend_from_slice(blocks);
            self.lines.push(Line { source, end: self.blocks.len(), values, jumps });
        }
    }

    fn blocks(&self, line: usize) -> &[JacobianBlock] {
        let start = if line == 0 { 0 } else { self.lines[line - 1].end };
        &self.blocks[start..self.lines[line].end]
    }

    /// The bound by bodies, and the line with most of it.
    fn bound(&mut self, state: &State, free: &FreeMotion) -> Option<Fastest> {
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        sums.resize(state.bodies.len(), [0.0; 2]);
        let mut most: Option<(f64, usize, bool)> = None;
        for line in 0..self.lines.len() {
            let blocks = self.blocks(line);
            let w = mobility(blocks, state, free);
            let values = self.lines[line].values.map(|value| value * w);
            for (i, block) in blocks.iter().enumerate() {
                let is_first = blocks[..i].iter().all(|other| other.body != block.body);
                if is_first && free.inertial[block.body as usize].free {
                    let sum = &mut sums[block.body as usize];
                    *sum = [sum[0] + values[0], sum[1] + values[1]];
                }
            }
            let rates = [values[0].sqrt(), values[1]];
            let rate = rates[0].max(rates[1]);
            if most.is_none_or(|(last, ..)| rate > last) {
                most = Some((rate, line, rates[1] > rates[0]));
            }
        }
        let rate = sums.iter().map(|[k, c]| k.sqrt().max(*c)).fold(0.0, f64::max);
        self.sums = sums;
        most.map(|(_, line, is_damper)| Fastest { source: self.lines[line].source, is_damper, rate })
    }

    /// The largest eigenvalue of P M⁻¹ K (0) or P M⁻¹ D (1), and the line with most of the energy of its mode.
    fn iterate(&mut self, which: usize, state: &State, s: &Stages) -> (f64, usize) {
        let [mut x, mut y] = [&mut self.x, &mut self.y].map(std::mem::take);
        x.clear();
        x.resize(6 * state.bodies.len(), 0.0);
        y.resize(x.len(), 0.0);
        // neighbours in opposite directions, about a generic axis
        for (k, x) in x.iter_mut().enumerate() {
            let sign = if k / 6 % 2 == 0 { 1.0 } else { -1.0 };
            *x = sign * [0.3, 0.2, -0.25, 1.0, 0.8, 0.6][k % 6];
        }
        let along = |blocks: &[JacobianBlock], x: &[f64]| {
            let of = |b: &JacobianBlock| {
                let at = 6 * b.body as usize;
                b.linear.dot(DVec3::from_slice(&x[at..])) + b.angular.dot(DVec3::from_slice(&x[at + 3..]))
            };
            blocks.iter().map(of).sum::<f64>()
        };
        let (mut value, mut local) = (0.0f64, std::mem::take(&mut self.local));
        for _ in 0..ITERATIONS {
            y.fill(0.0);
            for (line, Line { values, .. }) in self.lines.iter().enumerate() {
                let force = values[which] * along(self.blocks(line), &x);
                for b in self.blocks(line) {
                    let at = 6 * b.body as usize;
                    let sums = y[at..at + 6].iter_mut();
                    let parts = b.linear.to_array().into_iter().chain(b.angular.to_array());
                    sums.zip(parts).for_each(|(sum, part)| *sum += force * part);
                }
            }
            x.fill(0.0);
            for island in s.solution.islands.iter().filter(|island| !island.is_asleep(state)) {
                let problem = &island.problem;
                local.clear();
                local.resize(problem.kkt.x.len(), 0.0);
                let places = || problem.numbering.bodies.iter().map(|body| 6 * *body as usize).enumerate();
                places().for_each(|(i, at)| local[6 * i..6 * i + 6].copy_from_slice(&y[at..at + 6]));
                problem.kkt.respond(&mut local);
                places().for_each(|(i, at)| x[at..at + 6].copy_from_slice(&local[6 * i..6 * i + 6]));
            }
            // |u|² in the metric of the masses is uᵀ K x, since u satisfies the joints
            let square: f64 = x.iter().zip(&y).map(|(u, y)| u * y).sum();
            if !(square > 0.0) {
                break;
            }
            // x had the length one, except at first
            value = square.sqrt();
            x.iter_mut().for_each(|u| *u /= value);
        }
        let share = |line: usize| {
            let rate = along(self.blocks(line), &x);
            self.lines[line].values[which] * rate * rate
        };
        let most =
            (0..self.lines.len()).fold(0, |best, line| if share(line) > share(best) { line } else { best });
        (self.x, self.y, self.local) = (x, y, local);
        (value, most)
    }
}

/// The stiffest slope of the law of a row that a step may reach; 0 unless it has a curved one.
fn steepest(model: &Model, state: &State, (rows, group, row): (&Rows, &Group, usize), within: f64) -> f64 {
    let Role::Resist(k) = rows.rows[row].role else { return 0.0 };
    let joint = group.joint().and_then(|place| model.joints.at(place));
    let curve = joint.and_then(|joint| joint.constraint().axes().get(k as usize)?.curve.as_ref());
    let Some(curve) = curve.filter(|_| !rows.rows[row].is_bounded()) else { return 0.0 };
    let at = group.coordinates().start + k as usize;
    let reach = 2.0 * within * rate(&rows.rates[at], |place| state.twist(place)).abs();
    curve.steepest([rows.coordinates[at] - reach, rows.coordinates[at] + reach])
}

/// Frees what yields: stops, and rows with a largest force.
fn release(problem: &mut Problem, rows: &Rows) {
    problem.active.release_bounds();
    problem.rows.fill(RegularizedRow::default());
    for local in 0..problem.numbering.rows.len() {
        if rows.rows[problem.numbering.rows[local]].is_bounded() {
            problem.active.modes[local] = BoundMode::Low;
        }
    }
    problem.factorise(rows);
}

/// J M⁻¹ Jᵀ of free rigid bodies; what flows with them only adds to their mass.
fn mobility(blocks: &[JacobianBlock], state: &State, free: &FreeMotion) -> f64 {
    let mut sum = 0.0;
    for (i, block) in blocks.iter().enumerate() {
        let inertial = &free.inertial[block.body as usize];
        if !inertial.free || blocks[..i].iter().any(|other| other.body == block.body) {
            continue;
        }
        let same = blocks.iter().filter(|other| other.body == block.body);
        let [linear, angular] =
            same.fold([DVec3::ZERO; 2], |[l, a], other| [l + other.linear, a + other.angular]);
        let spin = inertial.spin(state.bodies[block.body as usize].orientation, angular);
        sum += linear.length_squared() / inertial.own_mass() + angular.dot(spin);
    }
    sum
}
