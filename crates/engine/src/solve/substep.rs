//! A pile by small steps: the step is cut into parts, each with its share of the forces and a sweep or two.
//!
//!   δ = h/n:   u ← u + M⁻¹ p/n + M⁻¹ Jᵀ λ,   sweep with r(g),   g ← g + δ J u,   sweep without parting
//!
//! Sweeps of a whole step pass a load on by a body or so each, and what is left over shakes a stack; in parts the same
//! sweeps see gaps grow and close again while they work (Macklin et al. 2019, Catto's soft step). Directions stay those of the
//! step's beginning. Positions move by the mean of the parts' velocities. The multipliers add up.

use super::direct::Effort;
use super::problem::Problem;
use super::soften::{Beat, is_pressed_in, parting};
use super::sweep::name_grips;
use crate::constrain::rows::{Law, Row, Rows};
use crate::force::free::Free;
use glam::DVec3;

/// Solves a problem in so many parts, each with so many sweeps.
pub(super) fn solve(
    problem: &mut Problem,
    (rows, free): (&Rows, &Free),
    beat: &Beat,
    (parts, sweeps): (u32, u32),
) -> Effort {
    let share = 1.0 / f64::from(parts);
    let small = Beat { drift: beat.drift * share, kick: beat.kick * share, ..*beat };
    let mut work = std::mem::take(&mut problem.sweeper);
    // multipliers and bounds of a part; a speed's loss is per force
    for local in 0..problem.rows.len() {
        let s = &mut problem.softened[local];
        (s.lo, s.hi, s.sigma) = (s.lo * share, s.hi * share, s.sigma / share);
        problem.lambda[local] *= share;
    }
    problem.cones.iter_mut().for_each(|cone| cone.base *= share);
    problem.stiffen_cones_by(1.0 / share);
    work.compile(problem, rows);
    let mut track = std::mem::take(&mut work.track);
    track.begin(problem, rows);

    // velocities before the step, and the share of the forces
    for (i, body) in problem.bodies.iter().enumerate() {
        let wrench = free.wrenches.all()[*body as usize];
        let p = &mut problem.momentum[6 * i..6 * i + 6];
        let (force, torque) = (wrench.force * beat.kick, wrench.torque * beat.kick);
        (DVec3::from_slice(p) - force).write_to_slice(p);
        (DVec3::from_slice(&p[3..]) - torque).write_to_slice(&mut p[3..]);
    }
    work.begin(problem);
    for _ in 0..parts {
        for (i, body) in problem.bodies.iter().enumerate() {
            let wrench = free.wrenches.all()[*body as usize];
            work.kick(i, wrench.force * small.kick, wrench.torque * small.kick);
        }
        for local in 0..problem.rows.len() {
            let row = &rows.rows[problem.rows[local]];
            let rhs = match row.law {
                Law::Speed { .. } => track.first[local],
                // beside closing its gap it may want a speed, or a rebound, and its other body may be carried
                Law::Rigid => {
                    let closed = if is_pressed_in(row) { parting(row, beat) } else { -row.gap / beat.drift };
                    track.first[local] - closed
                        + closing(&Row { gap: track.gaps[local], ..*row }, &small, beat)
                }
                Law::Soft(spring) => {
                    let both = small.drift * spring.stiffness + spring.damping;
                    problem.softened[local].sigma = 1.0 / (small.kick * both);
                    row.speed - spring.stiffness * track.gaps[local] / both
                }
            };
            problem.softened[local].rhs = rhs;
        }
        work.reload(problem);
        work.push_again(problem);
        (0..sweeps).for_each(|_| work.sweep(problem));
        work.travel(problem, small.drift, &mut track.gaps, &mut track.ways);
        // overlaps have been parted: their speed goes
        for local in problem.first_contact..problem.rows.len() {
            let row = &rows.rows[problem.rows[local]];
            if row.law == Law::Rigid && is_pressed_in(row) {
                let s = &mut problem.softened[local];
                s.rhs = s.rhs.min(row.speed);
            }
        }
        work.reload(problem);
        work.sweep(problem);
        track.total.iter_mut().zip(&problem.lambda).for_each(|(sum, l)| *sum += l);
    }
    work.hand_over(problem);
    name_grips(problem);
    let residual = problem.swept_residual(rows);
    problem.lambda.copy_from_slice(&track.total);
    problem.carry.clear();
    problem.carry.extend(track.ways.iter().map(|way| way / beat.drift));
    problem.carries = true;
    work.track = track;
    problem.sweeper = work;
    Effort { residual, ..Effort::default() }
}

/// What is followed from part to part.
#[derive(Debug, Default)]
pub(super) struct Track {
    gaps: Vec<f64>,
    /// What rows wanted of the whole step.
    first: Vec<f64>,
    /// Sums of the multipliers.
    total: Vec<f64>,
    /// How far bodies have moved, six numbers each.
    ways: Vec<f64>,
}

impl Track {
    fn begin(&mut self, problem: &Problem, rows: &Rows) {
        self.gaps.clear();
        self.gaps.extend(problem.rows.iter().map(|row| rows.rows[*row].gap));
        self.first.clear();
        self.first.extend(problem.softened.iter().map(|s| s.rhs));
        self.total.clear();
        self.total.resize(problem.rows.len(), 0.0);
        self.ways.clear();
        self.ways.resize(problem.momentum.len(), 0.0);
    }
}

/// The part of an overlap that is closed in a step. Sweeps leave overlaps of their own making; to lift them out again costs
/// no work, so it pumps energy: 0.2 shakes a stack of five boxes down, 0.05 lets it come to rest.
const CLOSE: f64 = 0.05;

/// The speed with which a hard row closes its gap in a part of the step.
fn closing(row: &Row, part: &Beat, whole: &Beat) -> f64 {
    match is_pressed_in(row) {
        true => (-CLOSE * row.gap / whole.drift).min(whole.recovery),
        false => -row.gap / part.drift,
    }
}
