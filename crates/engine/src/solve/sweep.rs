//! The same problem by Gauss–Seidel: row after row, each solved for its own multiplier with all others as they are.
//!
//!   Λᵢ ← clamp(Λᵢ − (Jᵢ u + ΣᵢΛᵢ − rᵢ) / (Jᵢ M⁻¹ Jᵢᵀ + Σᵢ)),   u ← u + M⁻¹ Jᵢᵀ ΔΛᵢ
//!
//! The two rows of a cone move together and are drawn back radially to its bound, which each normal force sets anew. A sweep
//! costs as much as there are rows, its error falls with the number of sweeps: fast for piles of like bodies, slow for
//! heavy on light. It starts from the forces of the last step. Every iterate is inside all bounds.

use super::direct::Effort;
use super::problem::{Place, Problem};
use crate::constrain::rows::Rows;
use crate::world::state::{Grip, Mode};
use glam::DVec3;

/// One body's part in a row.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// First of its six speeds.
    at: u32,
    /// J.
    j: [f64; 6],
    /// M⁻¹ Jᵀ.
    mj: [f64; 6],
}

/// A step of a sweep: rows in order.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// A row by itself.
    Row(usize),
    /// The rows of a cone, by its number.
    Cone(usize),
}

/// Work space of sweeps.
#[derive(Debug, Default)]
pub struct Sweeper {
    entries: Vec<Entry>,
    /// Where each row's entries end.
    ends: Vec<u32>,
    /// 1 / (J M⁻¹ Jᵀ + Σ), by row; the rows of a cone have one number, so that they move together along the slip.
    inverse: Vec<f64>,
    turns: Vec<Turn>,
    /// I⁻¹ of the bodies.
    easy: Vec<glam::DMat3>,
}

/// Sweeps from the multipliers the problem has.
pub fn solve(problem: &mut Problem, rows: &Rows, sweeps: u32) -> Effort {
    let mut work = std::mem::take(&mut problem.sweeper);
    problem.stiffen_cones();
    work.compile(problem, rows);
    work.push_all(problem);
    for _ in 0..sweeps {
        work.sweep(problem);
    }
    problem.sweeper = work;
    name_grips(problem);
    let residual = problem.swept_residual(rows);
    Effort { factors: 0, stalled: false, residual }
}

/// Joints and normals directly, friction by sweeps between, until it moves no more or for so many rounds.
pub fn split(problem: &mut Problem, rows: &Rows, sweeps: u32) -> Effort {
    let mut work = std::mem::take(&mut problem.sweeper);
    work.compile(problem, rows);
    let mut effort = Effort::default();
    for _ in 0..sweeps.max(2) {
        problem.freeze_cones();
        let part = super::direct::solve(problem, rows, None);
        effort = Effort { factors: effort.factors + part.factors, ..part };
        if work.rub(problem) <= SETTLED {
            break;
        }
    }
    problem.sweeper = work;
    name_grips(problem);
    effort.residual = problem.swept_residual(rows);
    effort
}

/// Friction that moves by less than this part of the largest impulse has settled.
const SETTLED: f64 = 1e-9;

impl Sweeper {
    /// Sweeps friction alone at the velocities found; returns the largest change over the largest impulse. Velocities are
    /// left as friction made them: the next direct solve finds them anew.
    fn rub(&self, problem: &mut Problem) -> f64 {
        let push = problem.lambda.iter().fold(1e-300, |m: f64, l| m.max(l.abs()));
        let before: Vec<f64> = problem.lambda.clone();
        for turn in &self.turns {
            if let Turn::Cone(number) = *turn {
                self.turn_cone(problem, number);
            }
        }
        let moved = problem.lambda.iter().zip(&before).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        moved / push
    }

    /// Takes over rows and masses.
    fn compile(&mut self, problem: &Problem, rows: &Rows) {
        self.entries.clear();
        self.ends.clear();
        self.inverse.clear();
        self.turns.clear();
        self.easy.clear();
        self.easy.extend(problem.masses.iter().map(|(_, inertia)| inertia.inverse()));
        for local in 0..problem.rows.len() {
            let first = self.entries.len();
            let mut mobility = problem.softened[local].sigma;
            let blocks = problem.blocks(rows, local);
            for (block, place) in blocks.iter().zip(problem.places_of(local)) {
                let Place::Unknown { body, .. } = place else { continue };
                let (mass, easy) = (problem.masses[*body as usize / 6].0, &self.easy[*body as usize / 6]);
                let (l, a) = (block.linear / mass, *easy * block.angular);
                let mj = [l.x, l.y, l.z, a.x, a.y, a.z];
                let j = block.numbers();
                mobility += dot(&j, &mj);
                self.entries.push(Entry { at: *body, j, mj });
            }
            // a body that stands in a row twice couples with itself
            for i in first..self.entries.len() {
                for k in first..i {
                    if self.entries[i].at == self.entries[k].at {
                        mobility += 2.0 * dot(&self.entries[i].j, &self.entries[k].mj);
                    }
                }
            }
            self.ends.push(self.entries.len() as u32);
            self.inverse.push(if mobility > 0.0 { 1.0 / mobility } else { 0.0 });
        }
        for cone in problem.cones.iter().filter(|c| c.count == 2) {
            let (first, second) = (cone.first, cone.first + 1);
            let [a, c] = [first, second].map(|l| 1.0 / self.inverse[l]);
            let b: f64 =
                self.entries(first).iter().zip(self.entries(second)).map(|(e, f)| dot(&e.j, &f.mj)).sum();
            // the largest eigenvalue of the two rows' mobility
            let inverse = 2.0 / (a + c + libm::hypot(a - c, 2.0 * b));
            (self.inverse[first], self.inverse[second]) = (inverse, inverse);
        }
        let mut cones = problem.cones.iter().enumerate().peekable();
        let mut local = 0;
        while local < problem.rows.len() {
            match cones.next_if(|(_, cone)| cone.first == local) {
                Some((number, cone)) => {
                    self.turns.push(Turn::Cone(number));
                    local += cone.count;
                }
                None => {
                    self.turns.push(Turn::Row(local));
                    local += 1;
                }
            }
        }
    }

    fn entries(&self, local: usize) -> &[Entry] {
        let start = if local == 0 { 0 } else { self.ends[local - 1] as usize };
        &self.entries[start..self.ends[local] as usize]
    }

    /// u = M⁻¹ (p + Jᵀ Λ) with Λ inside its bounds.
    fn push_all(&self, problem: &mut Problem) {
        for (i, (mass, _)) in problem.masses.iter().enumerate() {
            let p = &problem.momentum[6 * i..6 * i + 6];
            let v = DVec3::from_slice(p) / *mass;
            let w = self.easy[i] * DVec3::from_slice(&p[3..]);
            v.write_to_slice(&mut problem.x[6 * i..]);
            w.write_to_slice(&mut problem.x[6 * i + 3..]);
        }
        for local in 0..problem.rows.len() {
            if !problem.rubs[local] {
                let s = &problem.softened[local];
                problem.lambda[local] = problem.lambda[local].max(s.lo).min(s.hi);
            }
        }
        for number in 0..problem.cones.len() {
            let cone = problem.cones[number];
            let bound = cone.friction * (problem.lambda[cone.normal] + cone.base).max(0.0);
            draw_back(&mut problem.lambda[cone.first..cone.first + cone.count], bound);
        }
        for local in 0..problem.rows.len() {
            let lambda = problem.lambda[local];
            if lambda != 0.0 {
                self.entries(local).iter().for_each(|e| add(&mut problem.x, e, lambda));
            }
        }
    }

    /// What a row would like its multiplier to change by.
    #[inline]
    fn wish(&self, problem: &Problem, local: usize) -> f64 {
        let s = &problem.softened[local];
        let mut rate = s.sigma * problem.lambda[local] - s.rhs;
        for e in self.entries(local) {
            rate += dot(&e.j, &problem.x[e.at as usize..e.at as usize + 6]);
        }
        -rate * self.inverse[local]
    }

    /// Gives a row its multiplier.
    #[inline]
    fn give(&self, problem: &mut Problem, local: usize, lambda: f64) {
        let change = lambda - problem.lambda[local];
        problem.lambda[local] = lambda;
        if change != 0.0 {
            self.entries(local).iter().for_each(|e| add(&mut problem.x, e, change));
        }
    }

    /// Moves the rows of a cone together and draws them back to its bound.
    fn turn_cone(&self, problem: &mut Problem, number: usize) {
        let cone = problem.cones[number];
        let pressed = (problem.lambda[cone.normal] + cone.base).max(0.0);
        let mut wanted = [0.0; 2];
        for k in 0..cone.count {
            let local = cone.first + k;
            wanted[k] = problem.lambda[local] + self.wish(problem, local);
        }
        let wanted = &mut wanted[..cone.count];
        draw_back(wanted, cone.friction * pressed);
        for (k, lambda) in wanted.iter().enumerate() {
            self.give(problem, cone.first + k, *lambda);
        }
    }

    fn sweep(&self, problem: &mut Problem) {
        for turn in &self.turns {
            match *turn {
                Turn::Row(local) => {
                    let s = problem.softened[local];
                    let wanted = problem.lambda[local] + self.wish(problem, local);
                    self.give(problem, local, wanted.max(s.lo).min(s.hi));
                }
                Turn::Cone(number) => self.turn_cone(problem, number),
            }
        }
    }
}

#[inline]
fn dot(a: &[f64; 6], b: &[f64]) -> f64 {
    (0..6).map(|k| a[k] * b[k]).sum()
}

#[inline]
fn add(x: &mut [f64], e: &Entry, lambda: f64) {
    let x = &mut x[e.at as usize..e.at as usize + 6];
    for k in 0..6 {
        x[k] += e.mj[k] * lambda;
    }
}

fn length(of: &[f64]) -> f64 {
    of.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Shortens a vector to a length if it is longer.
fn draw_back(vector: &mut [f64], bound: f64) {
    let size = length(vector);
    if size > bound {
        vector.iter_mut().for_each(|x| *x *= bound / size);
    }
}

/// Says of each row and cone where it stands.
fn name_grips(problem: &mut Problem) {
    for local in &problem.bounded {
        let (s, lambda) = (&problem.softened[*local], problem.lambda[*local]);
        problem.modes[*local] = match lambda {
            l if l <= s.lo => Mode::Low,
            l if l >= s.hi => Mode::High,
            _ => Mode::Between,
        };
    }
    for cone in &mut problem.cones {
        let pressed = (problem.lambda[cone.normal] + cone.base).max(0.0);
        let held = length(&problem.lambda[cone.first..cone.first + cone.count]);
        cone.grip = match pressed > 0.0 {
            false => Grip::Open,
            true if held < cone.friction * pressed * (1.0 - 1e-9) => Grip::Stick,
            true => Grip::Slip,
        };
    }
}

impl Problem {
    /// How far the rows are from their conditions, as speed relative to the largest in the island: for each row, by how
    /// much its rate would change if it alone took the multiplier it asks for.
    fn swept_residual(&self, rows: &Rows) -> f64 {
        let mut worst: f64 = 0.0;
        for local in (0..self.rows.len()).filter(|l| !self.rubs[*l]) {
            let s = &self.softened[local];
            let w = self.rate_of(rows, local) + s.sigma * self.lambda[local] - s.rhs;
            let bad = match self.lambda[local] {
                l if l <= s.lo => (-w).max(0.0),
                l if l >= s.hi => w.max(0.0),
                _ => w.abs(),
            };
            worst = worst.max(bad);
        }
        for cone in self.cones.iter().filter(|c| c.grip == Grip::Stick) {
            for local in cone.first..cone.first + cone.count {
                let s = &self.softened[local];
                worst = worst.max((self.rate_of(rows, local) + s.sigma * self.lambda[local] - s.rhs).abs());
            }
        }
        worst / self.scale()
    }
}
