//! Gauss–Seidel in substeps: the step is divided into parts, each with its share of the forces and one or more
//! iterations.
//!
//!   δ = h/n:   u ← u + M⁻¹ p/n + M⁻¹ Jᵀ λ,   iterate to J u ≥ r(g, λ),   g ← g + δ J (u + s)
//!
//! Iterations over a whole step propagate a load by about one body each, and the remaining error shakes a stack; in
//! substeps the same number of iterations sees gaps open and close meanwhile (Macklin et al. 2019). Directions stay
//! those at the start of the step. Positions move with the mean velocity of the substeps, or with the last one for
//! bodies without row forces, as in all other methods. Multipliers are summed.
//!
//! **Gaps of loaded rows are corrected separately from the velocities.** A few iterations solve a slow mode of a stack,
//! its swaying, only by a fraction α ≪ 1. Its multiplier is kept from substep to substep and acts as a spring,
//! λ = −α (∫u + β ∫∫u) if the right-hand side closes gaps at the rate β, and
//!
//!   x‴ + (α/δ) x″ + (α/δ²) x′ + (αβ/δ²) x = 0
//!
//! is stable only for α > β δ (Routh). The α of a stack's swaying decreases steeply with its height: with eight
//! substeps of 1/60 s, five boxes came to rest and six shook at β = 3/s, three came to rest and four shook at 12/s. The
//! right-hand side of a row that is loaded (λ > 0) or penetrates therefore has no closing speed; instead bodies are
//! shifted,
//!
//!   s = M⁻¹ Jᵀ μ,   J s ≥ −β g,   λ + μ ≥ 0
//!
//! by one iteration that starts from zero in every substep. Without memory it cannot sway. An unloaded row may close
//! its gap within the substep and no more.

use super::friction::name_modes;
use super::gap_row::{GapLaw, GapRow, SubstepTimes};
use super::row::{SweepRow, SweptBody, SweptPair, within};
use super::{GaussSeidel, RowTargets};
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::row::RowLaw;
use crate::row::rate;
use crate::row::rows::Rows;
use crate::solve::problem::Problem;
use crate::solve::regularize::{self, ImpulseBounds, RegularizedRow, StepTimes};
use crate::solve::stats::SolveStats;
use glam::DVec3;

/// Data tracked from substep to substep.
#[derive(Debug, Default)]
pub(in crate::solve) struct SubstepTrack {
    /// Rows of joints with gaps, and their indices.
    joints: Vec<(u32, GapRow)>,
    /// Normals, by point.
    points: Vec<GapRow>,
    /// Change of velocity by the forces of a substep, by body.
    kicks: Vec<SweptBody>,
    /// Displacement since the step began, by body.
    displacements: Vec<SweptBody>,
    /// Shifts s separate from the velocities, by body.
    shifts: Vec<SweptBody>,
    /// Between substeps M⁻¹ Jᵀ λ; within one the velocities without it.
    without: Vec<SweptBody>,
    /// Sums of the multipliers of joints over the substeps.
    total: Vec<f64>,
    /// Whether a row has exerted a force on a body.
    is_pushed: Vec<bool>,
}

/// Fraction of the gap of a loaded row that is closed per step. Of 0.05, 0.2, 0.5 and 1, tested with stacks, the first
/// leaves penetrations of 0.02 mm after 15 s and with the last leaning stacks fall sooner.
const CLOSE: f64 = 0.2;

/// Row visits per substep that cost little: islands with fewer rows get more iterations than set (an estimate, not
/// measured),
const CHEAP: usize = 1500;

/// up to this many per substep. With one, a stack of ten boxes still sways after 15 s; with ten it is at rest.
const MOST: u32 = 10;

/// Solves a problem in a number of substeps with at least a number of iterations each. `part_of` is the part of its
/// rebound that a row keeps. Writes the velocities by which positions move into `positions`, six numbers per body.
pub(in crate::solve) fn solve(
    problem: &mut Problem,
    (work, track, positions): (&mut GaussSeidel, &mut SubstepTrack, &mut Vec<f64>),
    (rows, free, part_of): (&Rows, &FreeMotion, &dyn Fn(usize) -> f64),
    times: &StepTimes,
    (parts, sweeps): (u32, u32),
    set: InstructionSet,
) -> SolveStats {
    let share = 1.0 / f64::from(parts);
    let (drift, kick) = (times.drift * share, times.kick * share);
    let part = StepTimes { drift, kick, closing: drift, ..*times };
    let (at_once, closing) = (1.0 / part.drift, CLOSE / times.drift);
    let substep = SubstepTimes { part, at_once, closing, lost: times.recovery * part.drift };
    let sweeps = sweeps.max(MOST.min((CHEAP / problem.numbering.rows.len().max(1)) as u32));
    problem.stiffen_friction();
    // multipliers and bounds per substep; Σ of a velocity row is per force
    for (s, lambda) in problem.rows.iter_mut().zip(&mut problem.active.multipliers) {
        s.sigma /= share;
        *lambda *= share;
    }
    for local in &problem.active.bounded {
        let ImpulseBounds { lo, hi } = problem.active.bounds[*local];
        problem.active.bounds[*local] = ImpulseBounds { lo: lo * share, hi: hi * share };
    }
    problem.friction.cones.iter_mut().for_each(|cone| cone.base *= share);
    track.follow(problem, (rows, free, part_of), times, &substep);
    work.compile(problem, rows);
    track.begin(problem, work, free, (parts, part.kick));

    // velocities before the step; each substep then adds its share of the forces
    kick_all(problem, free, -times.kick);
    work.begin(problem);
    set.run(problem, (work, track), &substep, (parts, sweeps));
    work.write_solution(problem);
    name_modes(problem);
    let residual = work.residual(problem);
    track.write_solution(problem, work, times.drift, positions);
    SolveStats { residual, ..SolveStats::default() }
}

/// Runs the substeps.
#[inline(always)]
fn run(
    problem: &mut Problem,
    (work, track): (&mut GaussSeidel, &mut SubstepTrack),
    substep: &SubstepTimes,
    (parts, sweeps): (u32, u32),
) {
    for _ in 0..parts {
        track.kick(work);
        track.aim_joints(problem, work, substep);
        work.sweep_repeatedly(problem, sweeps, &mut GapTarget { track, substep });
        track.shift(problem, work, substep);
        track.travel(work, substep.part.drift);
        track.total.iter_mut().zip(&problem.active.multipliers).for_each(|(sum, l)| *sum += l);
    }
}

/// Instruction set of the substeps. One source compiled twice; Rust neither fuses nor reorders, so that both are
/// bitwise identical.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) enum InstructionSet {
    Baseline,
    /// Only created by [`InstructionSet::detect`].
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl InstructionSet {
    pub(in crate::solve) fn detect() -> InstructionSet {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            return InstructionSet::Avx2;
        }
        InstructionSet::Baseline
    }

    fn run(
        self,
        problem: &mut Problem,
        work: (&mut GaussSeidel, &mut SubstepTrack),
        substep: &SubstepTimes,
        counts: (u32, u32),
    ) {
        match self {
            InstructionSet::Baseline => run(problem, work, substep, counts),
            // SAFETY: `Avx2` is only created after the processor reported AVX2.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            InstructionSet::Avx2 => unsafe { run_avx2(problem, work, substep, counts) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(
    problem: &mut Problem,
    work: (&mut GaussSeidel, &mut SubstepTrack),
    substep: &SubstepTimes,
    counts: (u32, u32),
) {
    run(problem, work, substep, counts);
}

/// Momenta += explicit forces · time.
fn kick_all(problem: &mut Problem, free: &FreeMotion, time: f64) {
    for (p, body) in problem.bodies.momentum.chunks_exact_mut(6).zip(&problem.numbering.bodies) {
        let wrench = free.wrenches.all()[*body as usize];
        (DVec3::from_slice(p) + wrench.force * time).write_to_slice(p);
        (DVec3::from_slice(&p[3..]) + wrench.torque * time).write_to_slice(&mut p[3..]);
    }
}

impl SubstepTrack {
    /// Lists the rows with gaps; sets the right-hand sides of all others, which are the same in every substep.
    fn follow(
        &mut self,
        problem: &mut Problem,
        (rows, free, part_of): (&Rows, &FreeMotion, &dyn Fn(usize) -> f64),
        times: &StepTimes,
        substep: &SubstepTimes,
    ) {
        self.joints.clear();
        self.points.clear();
        for (local, index) in problem.numbering.rows.iter().enumerate() {
            let row = &rows.rows[*index];
            let carried = match free.carrying {
                true => rate(rows.blocks(*index), |place| free.carried[place]),
                false => 0.0,
            };
            let wanted = row.wanted(times.drift) - carried;
            let RegularizedRow { rhs, sigma } = &mut problem.rows[local];
            let kind = match row.law {
                // implicit in each substep
                RowLaw::Maxwell { compliance, offset, .. } => {
                    (*rhs, *sigma) = (wanted + offset, compliance / substep.part.kick);
                    continue;
                }
                RowLaw::Velocity { .. } | RowLaw::Transverse { .. } => {
                    *rhs = wanted;
                    if local < problem.numbering.first_contact || problem.friction.is_friction[local] {
                        continue;
                    }
                    GapLaw::Spring(0.0)
                }
                RowLaw::Spring(spring) => {
                    let both = substep.part.drift * spring.stiffness + spring.damping;
                    *sigma = 1.0 / (substep.part.kick * both);
                    let closing = spring.stiffness / both;
                    if row.lo == 0.0 { GapLaw::SpringStop(closing) } else { GapLaw::Spring(closing) }
                }
                RowLaw::Rigid if row.is_bounded() => GapLaw::Stop,
                RowLaw::Rigid => GapLaw::Rigid,
            };
            // a rigid row with more than its closing speed rebounds
            let rebounds = row.restitution > 0.0 && *rhs > wanted + regularize::closing_speed(row, times);
            let restitution = if rebounds { row.restitution * part_of(local) } else { 0.0 };
            let gap_row = GapRow { gap: row.gap, wanted, carried, restitution, lag_rate: 0.0, kind };
            // one per point, whatever law a hook gave it
            match local < problem.numbering.first_contact {
                true => self.joints.push((local as u32, gap_row)),
                false if !problem.friction.is_friction[local] => self.points.push(gap_row),
                false => {}
            }
        }
    }

    /// Prepares the first of a number of substeps of a duration.
    fn begin(
        &mut self,
        problem: &Problem,
        work: &mut GaussSeidel,
        free: &FreeMotion,
        (parts, time): (u32, f64),
    ) {
        let SubstepTrack { joints, points, kicks, displacements, shifts, without, total, is_pushed } = self;
        kicks.clear();
        kicks.extend(problem.numbering.bodies.iter().enumerate().map(|(i, body)| {
            let wrench = free.wrenches.all()[*body as usize];
            work.kick_of(problem, i, wrench.force * time, wrench.torque * time)
        }));
        // one entry for all bodies that are not dynamic
        kicks.push(SweptBody::default());
        let half = 0.5 * f64::from(parts);
        for (local, gap_row) in joints.iter_mut().filter(|(_, gap_row)| gap_row.restitution > 0.0) {
            gap_row.lag_rate = half * work.joint_rate(kicks, *local as usize);
        }
        for pair in &work.pairs {
            let (both, normal) = (pair.both(kicks), pair.normals());
            for (point, gap_row) in points[pair.points.clone()].iter_mut().enumerate() {
                if gap_row.restitution > 0.0 {
                    gap_row.lag_rate = half * work.contact_rows[normal(point)].rate(&both);
                }
            }
        }
        // a substep adds the result of the last one; the first would add that before the step
        work.contact_rows.iter_mut().for_each(|row| row.total = -row.lambda);
        shifts.clear();
        shifts.resize(work.bodies.len(), SweptBody::default());
        displacements.clone_from(shifts);
        without.clone_from(shifts);
        work.push_all(problem, without);
        total.clear();
        total.resize(problem.numbering.first_contact, 0.0);
        is_pushed.clear();
        is_pushed.resize(work.bodies.len(), false);
    }

    /// Applies a substep's share of the forces, and all multipliers once more.
    #[inline(always)]
    fn kick(&mut self, work: &mut GaussSeidel) {
        for ((body, without), kick) in work.bodies.iter_mut().zip(&mut self.without).zip(&self.kicks) {
            *body = *body + *kick;
            let pushed = std::mem::replace(without, *body);
            *body = *body + pushed;
        }
    }

    /// Sets the right-hand sides of joint rows from their present gaps.
    #[inline(always)]
    fn aim_joints(&mut self, problem: &mut Problem, work: &GaussSeidel, substep: &SubstepTimes) {
        for (local, gap_row) in &mut self.joints {
            let local = *local as usize;
            gap_row.gap += substep.part.drift * work.joint_rate(&self.shifts, local);
            let rate = || work.joint_rate(&self.without, local);
            problem.rows[local].rhs = gap_row.aim(substep, problem.active.multipliers[local], rate);
        }
    }

    /// Integrates the gaps over a substep, and finds the shifts that correct them.
    #[inline(always)]
    fn shift(&mut self, problem: &Problem, work: &GaussSeidel, substep: &SubstepTimes) {
        let SubstepTrack { joints, points, shifts, .. } = self;
        shifts.fill(SweptBody::default());
        for (local, gap_row) in joints {
            let local = *local as usize;
            let (ImpulseBounds { lo, hi }, lambda) =
                (problem.active.bounds[local], problem.active.multipliers[local]);
            gap_row.gap += substep.part.drift * (work.joint_rate(&work.bodies, local) + gap_row.carried);
            let Some(speed) = gap_row.correction(substep, lambda) else { continue };
            let push = work.joint_inverse(local) * (speed - work.joint_rate(shifts, local));
            work.push_joint(shifts, local, within(push, lo - lambda, hi - lambda));
        }
        for pair in &work.pairs {
            let (both, mut shifted) = (pair.both(&work.bodies), pair.both(shifts));
            let (own, normal) = (&mut points[pair.points.clone()], pair.normals());
            for (point, gap_row) in own.iter_mut().enumerate() {
                let rate = work.contact_rows[normal(point)].rate(&both);
                gap_row.gap += substep.part.drift * (rate + gap_row.carried);
            }
            for (point, gap_row) in own.iter().enumerate() {
                let row = &work.contact_rows[normal(point)];
                let Some(speed) = gap_row.correction(substep, row.lambda) else { continue };
                let push = row.correction(speed, &shifted);
                if push != 0.0 {
                    row.push(&mut shifted, push);
                }
            }
            pair.put(shifted, shifts);
        }
    }

    /// Integrates the displacements over a substep, and separates M⁻¹ Jᵀ λ from the velocities.
    #[inline(always)]
    fn travel(&mut self, work: &GaussSeidel, time: f64) {
        let moving = work.bodies.iter().zip(&self.shifts).zip(&mut self.without);
        for ((((body, shift), without), displacement), is_pushed) in
            moving.zip(&mut self.displacements).zip(&mut self.is_pushed)
        {
            *displacement = *displacement + (*body + *shift) * time;
            *without = *body - *without;
            *is_pushed |= *without != SweptBody::default() || *shift != SweptBody::default();
        }
    }

    /// The problem's solution ← sums of multipliers; `positions` ← mean velocities.
    fn write_solution(&self, problem: &mut Problem, work: &GaussSeidel, time: f64, positions: &mut Vec<f64>) {
        let (joints, contacts) = problem.active.multipliers.split_at_mut(problem.numbering.first_contact);
        joints.copy_from_slice(&self.total);
        contacts
            .iter_mut()
            .zip(&work.contact_rows)
            .for_each(|(lambda, row)| *lambda = row.total + row.lambda);
        positions.clear();
        for body in 0..problem.numbering.bodies.len() {
            // a dynamic body without row forces moves with the velocity after the forces, as in all other methods
            let (moved, time) =
                if self.is_pushed[body] { (&self.displacements, time) } else { (&work.bodies, 1.0) };
            let Twist { velocity, angular_velocity: spin } = work.twist(moved, body);
            positions.extend((velocity / time).to_array());
            positions.extend((spin / time).to_array());
        }
    }
}

/// Right-hand sides of contact rows in a substep.
struct GapTarget<'a> {
    track: &'a mut SubstepTrack,
    substep: &'a SubstepTimes,
}

impl RowTargets for GapTarget<'_> {
    /// Sets the right-hand sides of a pair's normals from their present gaps; its rows sum the multipliers of the last
    /// substep.
    #[inline(always)]
    fn aim(&mut self, pair: &SweptPair, contact_rows: &mut [SweepRow]) {
        let (SubstepTrack { points, shifts, without, .. }, substep) = (&mut *self.track, self.substep);
        for row in pair.own_mut(contact_rows) {
            row.total += row.lambda;
        }
        let shifts = pair.both(shifts);
        let (own, normal) = (&mut points[pair.points.clone()], pair.normals());
        for (point, gap_row) in own.iter_mut().enumerate() {
            gap_row.gap += substep.part.drift * contact_rows[normal(point)].rate(&shifts);
        }
        for (point, gap_row) in own.iter().enumerate() {
            let row = &mut contact_rows[normal(point)];
            let rate = || row.rate(&pair.both(without));
            row.regularized.rhs = gap_row.aim(substep, row.lambda, rate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use glam::DQuat;

    /// Layers of boxes on top of each other, two of them joined.
    fn heap() -> World {
        let mut world = World::default();
        world.set(|s| s.contact.solver = Solver::Iterative).unwrap();
        let floor = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
        world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let shape = Shape::Box { half: DVec3::new(0.1, 0.12, 0.08) };
        let mass = Mass::of_total(&shape, 1.0).unwrap();
        let all: Vec<_> = (0..24)
            .map(|k| {
                let (i, j, layer) = (k % 2, k / 2 % 2, k / 4);
                let shift = 0.05 * (layer % 2) as f64;
                let at = DVec3::new(0.21 * i as f64 + shift, 0.25 * j as f64, 0.09 + 0.17 * layer as f64);
                let body = Body::dynamic("box", mass).with_collider(Collider::new(shape.clone()));
                world.add_body(body, at, DQuat::IDENTITY).unwrap()
            })
            .collect();
        let anchors = [Anchor::point(all[0], 0.105 * DVec3::X), Anchor::point(all[1], -0.105 * DVec3::X)];
        world.add_joint(Joint::new("pin", Ball { anchors })).unwrap();
        for _ in 0..60 {
            world.step();
        }
        world
    }

    /// Bits of the multipliers and velocities that an instruction set computes for the island with the joint.
    fn solved(world: &mut World, set: InstructionSet) -> Vec<u64> {
        let settings = *world.model().settings();
        let stages = &mut world.workspace.stages;
        let times = StepTimes {
            drift: settings.dt,
            kick: settings.dt,
            closing: settings.dt,
            bounce_speed: settings.bounce_speed,
            recovery: settings.contact.recovery,
        };
        let all = &mut stages.solution.islands;
        let island = all.iter_mut().find(|island| island.problem.numbering.first_contact > 0).unwrap();
        let problem = &mut island.problem;
        assert!(problem.numbering.rows.len() > 200);
        let before =
            (problem.rows.clone(), problem.active.multipliers.clone(), problem.friction.cones.clone());
        let (bounds, momentum) = (problem.active.bounds.clone(), problem.bodies.momentum.clone());
        let (mut sweeper, mut track, mut positions) =
            (GaussSeidel::default(), SubstepTrack::default(), Vec::new());
        let work = (&mut sweeper, &mut track, &mut positions);
        solve(problem, work, (&stages.rows, &stages.free, &|_| 1.0), &times, (8, 2), set);
        let found = problem.active.multipliers.iter().chain(&problem.kkt.x).chain(&positions);
        let bits = found.map(|x| x.to_bits()).collect();
        (problem.rows, problem.active.multipliers, problem.friction.cones) = before;
        (problem.active.bounds, problem.bodies.momentum) = (bounds, momentum);
        bits
    }

    #[test]
    fn baseline_and_detected_instruction_set_give_the_same_bits() {
        let mut world = heap();
        let baseline = solved(&mut world, InstructionSet::Baseline);
        assert_eq!(solved(&mut world, InstructionSet::detect()), baseline);
    }
}
