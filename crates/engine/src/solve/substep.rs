//! A pile by small steps: the step is cut into parts, each with its share of the forces and a sweep or two.
//!
//!   δ = h/n:   u ← u + M⁻¹ p/n + M⁻¹ Jᵀ λ,   sweep with r(g),   g ← g + δ J u,   sweep without parting
//!
//! Sweeps of a whole step pass a load on by a body or so each, and what is left over shakes a stack; in parts the same
//! sweeps see gaps grow and close again while they work (Macklin et al. 2019, Catto's soft step). Directions stay those of the
//! step's beginning. Positions move by the mean of the parts' velocities. The multipliers add up.

use super::direct::Effort;
use super::problem::Problem;
use super::soften::{self, Beat, is_pressed_in};
use super::sweep::{Sweeper, name_grips};
use crate::constrain::rows::{Law, Row, Rows};
use crate::force::free::Free;
use glam::DVec3;

/// What is followed from part to part, by local row but for the last.
#[derive(Debug, Default)]
pub(super) struct Track {
    gaps: Vec<f64>,
    /// Rates of the rows by what bodies that are not free do.
    carried: Vec<f64>,
    /// Speeds with which rows that are hit within the step leave; −∞ for all others.
    back: Vec<f64>,
    /// Sums of the multipliers.
    total: Vec<f64>,
    /// How far bodies have moved, six numbers each.
    ways: Vec<f64>,
}

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
    let mut track = std::mem::take(&mut work.track);
    track.begin(problem, (rows, free), beat);
    // multipliers and bounds of a part; a speed's loss is per force
    for (s, lambda) in problem.softened.iter_mut().zip(&mut problem.lambda) {
        (s.lo, s.hi, s.sigma) = (s.lo * share, s.hi * share, s.sigma / share);
        *lambda *= share;
    }
    problem.cones.iter_mut().for_each(|cone| cone.base *= share);
    work.compile(problem, rows);

    // velocities before the step; each part then gets its share of the forces
    kick_all(problem, free, -beat.kick);
    work.begin(problem);
    for _ in 0..parts {
        for (i, body) in problem.bodies.iter().enumerate() {
            let wrench = free.wrenches.all()[*body as usize];
            work.kick(i, wrench.force * small.kick, wrench.torque * small.kick);
        }
        track.aim(problem, &work, rows, (&small, beat));
        work.reload(problem);
        work.push_again(problem);
        (0..sweeps).for_each(|_| work.sweep(problem));
        work.travel(small.drift, &mut track.ways);
        track.follow(problem, &work, small.drift);
        track.forget_parting(problem, rows, beat.drift);
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

/// Adds what explicit forces do in a time to the momenta.
fn kick_all(problem: &mut Problem, free: &Free, time: f64) {
    for (p, body) in problem.momentum.chunks_exact_mut(6).zip(&problem.bodies) {
        let wrench = free.wrenches.all()[*body as usize];
        (DVec3::from_slice(p) + wrench.force * time).write_to_slice(p);
        (DVec3::from_slice(&p[3..]) + wrench.torque * time).write_to_slice(&mut p[3..]);
    }
}

impl Track {
    fn begin(&mut self, problem: &Problem, (rows, free): (&Rows, &Free), beat: &Beat) {
        let Track { gaps, carried, back, total, ways } = self;
        [&mut *gaps, carried, back, total, ways].into_iter().for_each(Vec::clear);
        for (local, index) in problem.rows.iter().enumerate() {
            let row = &rows.rows[*index];
            gaps.push(row.gap);
            carried.push(if free.carrying {
                super::rate(rows.blocks(*index), |place| free.carried[place])
            } else {
                0.0
            });
            // what a hard row wants beyond closing its gap is a rebound
            let plain = row.wanted(beat.drift) + soften::closing(row, beat) - carried[local];
            let rebounds = row.restitution > 0.0 && problem.softened[local].rhs > plain;
            back.push(if rebounds { problem.softened[local].rhs } else { f64::NEG_INFINITY });
        }
        total.resize(problem.rows.len(), 0.0);
        ways.resize(problem.momentum.len(), 0.0);
    }

    /// What rows want in a part, at the gaps they have come to.
    fn aim(&self, problem: &mut Problem, work: &Sweeper, rows: &Rows, (part, whole): (&Beat, &Beat)) {
        for local in 0..problem.rows.len() {
            let row = &Row { gap: self.gaps[local], ..rows.rows[problem.rows[local]] };
            let wanted = row.wanted(whole.drift) - self.carried[local];
            problem.softened[local].rhs = match row.law {
                Law::Speed { .. } => wanted,
                Law::Rigid => {
                    let rate = work.rate(problem, local) + self.carried[local];
                    let hit = row.gap + part.drift * rate < 0.0;
                    let back = if hit { self.back[local] } else { f64::NEG_INFINITY };
                    (wanted + closing(row, part, whole)).max(back)
                }
                Law::Soft(spring) => {
                    let both = part.drift * spring.stiffness + spring.damping;
                    problem.softened[local].sigma = 1.0 / (part.kick * both);
                    wanted - spring.stiffness * row.gap / both
                }
            };
        }
    }

    /// Where gaps are after a part.
    fn follow(&mut self, problem: &Problem, work: &Sweeper, time: f64) {
        for (local, gap) in self.gaps.iter_mut().enumerate() {
            *gap += time * (work.rate(problem, local) + self.carried[local]);
        }
    }

    /// Overlaps have been parted: their speed goes, but for that of a rebound.
    fn forget_parting(&self, problem: &mut Problem, rows: &Rows, h: f64) {
        for local in problem.first_contact..problem.rows.len() {
            let row = &rows.rows[problem.rows[local]];
            if row.gap < 0.0 && row.law == Law::Rigid && self.back[local] == f64::NEG_INFINITY {
                let s = &mut problem.softened[local];
                s.rhs = s.rhs.min(row.wanted(h) - self.carried[local]);
            }
        }
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
