//! The same problem by Gauss–Seidel: row after row, each solved for its own multiplier with all others as they are.
//!
//!   Λᵢ ← clamp(Λᵢ − (Jᵢ u + ΣᵢΛᵢ − rᵢ) / (Jᵢ M⁻¹ Jᵢᵀ + Σᵢ)),   u ← u + M⁻¹ Jᵢᵀ ΔΛᵢ
//!
//! The two rows of a cone move together and are drawn back radially to its bound, which each normal force sets anew. A sweep
//! costs as much as there are rows, its error falls with the number of sweeps: fast for piles of like bodies, slow for
//! heavy on light. It starts from the forces of the last step. Every iterate is inside all bounds.

use super::direct::Effort;
use super::problem::{Place, Problem};
use super::substep::Track;
use crate::constrain::rows::Rows;
use crate::world::state::{Grip, Mode};
use crate::world::twist::Twist;
use glam::{DMat3, DVec3};

/// One body's part in a row of a joint.
#[derive(Clone, Copy, Debug)]
struct Entry {
    body: u32,
    /// J.
    j: Twist,
    /// M⁻¹ Jᵀ.
    mj: Twist,
}

/// A row of a contact: two bodies, pushed apart along one direction. Compact, since sweeps do little but read them.
#[derive(Clone, Copy, Debug)]
struct Line {
    bodies: [u32; 2],
    /// Along which the second is pushed, and the first the other way.
    push: DVec3,
    /// Torques about the two centres of mass.
    spins: [DVec3; 2],
    /// I⁻¹ times those.
    turns: [DVec3; 2],
    rhs: f64,
    sigma: f64,
}

/// A body while it is swept. Bodies that are not free are one that nothing moves.
#[derive(Clone, Copy, Debug, Default)]
struct Swept {
    velocity: DVec3,
    spin: DVec3,
    /// 1/mass.
    ease: f64,
}

/// A step of a sweep: rows in order.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// A row by itself.
    Row(u32),
    /// The rows of a cone, by its number.
    Cone(u32),
}

/// Work space of sweeps.
#[derive(Debug, Default)]
pub struct Sweeper {
    bodies: Vec<Swept>,
    /// I⁻¹ of the bodies.
    easy: Vec<DMat3>,
    entries: Vec<Entry>,
    /// Where each joint row's entries end.
    ends: Vec<u32>,
    /// Rows of contacts.
    lines: Vec<Line>,
    /// 1 / (J M⁻¹ Jᵀ + Σ), by row; the rows of a cone have one number, so that they move together along the slip.
    inverse: Vec<f64>,
    turns: Vec<Turn>,
    /// Work space of small steps.
    pub(super) track: Track,
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
    work.hand_over(problem);
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
        work.take_over(problem);
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
    fn rub(&mut self, problem: &mut Problem) -> f64 {
        let push = problem.lambda.iter().fold(1e-300, |m: f64, l| m.max(l.abs()));
        let before = problem.lambda.clone();
        for number in 0..problem.cones.len() {
            self.turn_cone(problem, number);
        }
        let moved = problem.lambda.iter().zip(&before).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        moved / push
    }

    /// Takes over rows and masses.
    pub(super) fn compile(&mut self, problem: &Problem, rows: &Rows) {
        self.easy.clear();
        self.easy.extend(problem.masses.iter().map(|(_, inertia)| inertia.inverse()));
        self.bodies.clear();
        self.bodies
            .extend(problem.masses.iter().map(|(mass, _)| Swept { ease: 1.0 / mass, ..Swept::default() }));
        // those that are not free
        self.easy.push(DMat3::ZERO);
        self.bodies.push(Swept::default());
        self.inverse.clear();
        self.compile_joints(problem, rows);
        self.compile_contacts(problem);
        for cone in problem.cones.iter().filter(|c| c.count == 2) {
            let (first, second) = (cone.first, cone.first + 1);
            let [a, c] = [first, second].map(|l| 1.0 / self.inverse[l]);
            let [e, f] = [first, second].map(|l| &self.lines[l - problem.first_contact]);
            let ease = e.bodies.map(|body| self.bodies[body as usize].ease);
            let b = e.push.dot(f.push) * (ease[0] + ease[1])
                + e.spins[0].dot(f.turns[0])
                + e.spins[1].dot(f.turns[1]);
            // the largest eigenvalue of the two rows' mobility
            let inverse = 2.0 / (a + c + libm::hypot(a - c, 2.0 * b));
            (self.inverse[first], self.inverse[second]) = (inverse, inverse);
        }
        self.turns.clear();
        self.turns.extend((0..problem.first_contact as u32).map(Turn::Row));
        let mut cones = problem.cones.iter().enumerate().peekable();
        let mut local = problem.first_contact;
        let pairs = problem.groups.iter().map(|g| &rows.groups[*g as usize]).filter(|g| g.pair().is_some());
        for group in pairs {
            let end = local + group.rows.len();
            let normals = (local..end).filter(|l| !problem.rubs[*l]);
            self.turns.extend(normals.map(|l| Turn::Row(l as u32)));
            while let Some((number, _)) = cones.next_if(|(_, cone)| cone.first < end) {
                self.turns.push(Turn::Cone(number as u32));
            }
            local = end;
        }
    }

    fn compile_joints(&mut self, problem: &Problem, rows: &Rows) {
        self.entries.clear();
        self.ends.clear();
        for local in 0..problem.first_contact {
            let first = self.entries.len();
            let mut mobility = problem.softened[local].sigma;
            for (block, place) in problem.blocks(rows, local).iter().zip(problem.places_of(local)) {
                let Place::Unknown { body, .. } = place else { continue };
                let body = body / 6;
                let j = Twist { velocity: block.linear, spin: block.angular };
                let spin = self.easy[body as usize] * block.angular;
                let mj = Twist { velocity: block.linear * self.bodies[body as usize].ease, spin };
                mobility += dot(&j, &mj);
                self.entries.push(Entry { body, j, mj });
            }
            // a body that stands in a row twice couples with itself
            for i in first..self.entries.len() {
                for k in first..i {
                    if self.entries[i].body == self.entries[k].body {
                        mobility += 2.0 * dot(&self.entries[i].j, &self.entries[k].mj);
                    }
                }
            }
            self.ends.push(self.entries.len() as u32);
            self.inverse.push(if mobility > 0.0 { 1.0 / mobility } else { 0.0 });
        }
    }

    fn compile_contacts(&mut self, problem: &Problem) {
        self.lines.clear();
        let nobody = self.bodies.len() as u32 - 1;
        for (local, blocks) in (problem.first_contact..).zip(problem.owned.chunks_exact(2)) {
            let places = problem.places_of(local);
            let bodies = [0, 1].map(|k| match places[k] {
                Place::Unknown { body, .. } => body / 6,
                Place::Known => nobody,
            });
            let spins = [blocks[0].angular, blocks[1].angular];
            let turns = [0, 1].map(|k| self.easy[bodies[k] as usize] * spins[k]);
            let ease = bodies.map(|body| self.bodies[body as usize].ease);
            let (push, s) = (blocks[1].linear, &problem.softened[local]);
            let mobility = push.length_squared() * (ease[0] + ease[1])
                + spins[0].dot(turns[0])
                + spins[1].dot(turns[1])
                + s.sigma;
            self.inverse.push(if mobility > 0.0 { 1.0 / mobility } else { 0.0 });
            self.lines.push(Line { bodies, push, spins, turns, rhs: s.rhs, sigma: s.sigma });
        }
    }

    fn entries(&self, local: usize) -> &[Entry] {
        let start = if local == 0 { 0 } else { self.ends[local - 1] as usize };
        &self.entries[start..self.ends[local] as usize]
    }

    /// u = M⁻¹ (p + Jᵀ Λ) with Λ inside its bounds.
    fn push_all(&mut self, problem: &mut Problem) {
        self.begin(problem);
        for local in 0..problem.rows.len() {
            if !problem.rubs[local] {
                let s = &problem.softened[local];
                problem.lambda[local] = problem.lambda[local].max(s.lo).min(s.hi);
            }
        }
        for cone in &problem.cones {
            let bound = cone.friction * (problem.lambda[cone.normal] + cone.base).max(0.0);
            draw_back(&mut problem.lambda[cone.first..cone.first + cone.count], bound);
        }
        self.push_again(problem);
    }

    /// Velocities from the problem's momenta.
    pub(super) fn begin(&mut self, problem: &Problem) {
        for (i, p) in problem.momentum.chunks_exact(6).enumerate() {
            self.bodies[i].velocity = DVec3::from_slice(p) * self.bodies[i].ease;
            self.bodies[i].spin = self.easy[i] * DVec3::from_slice(&p[3..]);
        }
    }

    /// Gives a body an impulse.
    pub(super) fn kick(&mut self, body: usize, impulse: DVec3, twist: DVec3) {
        let swept = &mut self.bodies[body];
        swept.velocity += impulse * swept.ease;
        swept.spin += self.easy[body] * twist;
    }

    /// Takes over what rows want.
    pub(super) fn reload(&mut self, problem: &Problem) {
        for (line, s) in self.lines.iter_mut().zip(&problem.softened[problem.first_contact..]) {
            (line.rhs, line.sigma) = (s.rhs, s.sigma);
        }
    }

    /// Gives all rows the multipliers they have once more.
    pub(super) fn push_again(&mut self, problem: &mut Problem) {
        for local in 0..problem.rows.len() {
            let lambda = std::mem::take(&mut problem.lambda[local]);
            self.give(problem, local, lambda);
        }
    }

    /// Moves bodies on for a time.
    pub(super) fn travel(&self, time: f64, ways: &mut [f64]) {
        for (body, way) in self.bodies.iter().zip(ways.chunks_exact_mut(6)) {
            (DVec3::from_slice(way) + body.velocity * time).write_to_slice(way);
            (DVec3::from_slice(&way[3..]) + body.spin * time).write_to_slice(&mut way[3..]);
        }
    }

    /// Velocities from the problem's solution.
    fn take_over(&mut self, problem: &Problem) {
        for (i, body) in self.bodies[..problem.masses.len()].iter_mut().enumerate() {
            let Twist { velocity, spin } = problem.twist(i);
            (body.velocity, body.spin) = (velocity, spin);
        }
    }

    /// Velocities into the problem's solution.
    pub(super) fn hand_over(&self, problem: &mut Problem) {
        for (body, x) in self.bodies.iter().zip(problem.x[..problem.momentum.len()].chunks_exact_mut(6)) {
            body.velocity.write_to_slice(x);
            body.spin.write_to_slice(&mut x[3..]);
        }
    }

    /// J u of a row.
    #[inline(always)]
    pub(super) fn rate(&self, problem: &Problem, local: usize) -> f64 {
        match local.checked_sub(problem.first_contact) {
            Some(k) => {
                let line = &self.lines[k];
                let [a, b] = line.bodies.map(|body| &self.bodies[body as usize]);
                line.push.dot(b.velocity - a.velocity) + line.spins[0].dot(a.spin) + line.spins[1].dot(b.spin)
            }
            None => self.entries(local).iter().fold(0.0, |rate, e| {
                let body = &self.bodies[e.body as usize];
                rate + e.j.velocity.dot(body.velocity) + e.j.spin.dot(body.spin)
            }),
        }
    }

    /// What a row would like its multiplier to change by.
    #[inline(always)]
    fn wish(&self, problem: &Problem, local: usize) -> f64 {
        let (rhs, sigma) = match local.checked_sub(problem.first_contact) {
            Some(k) => (self.lines[k].rhs, self.lines[k].sigma),
            None => (problem.softened[local].rhs, problem.softened[local].sigma),
        };
        (rhs - self.rate(problem, local) - sigma * problem.lambda[local]) * self.inverse[local]
    }

    /// Gives a row its multiplier.
    #[inline(always)]
    fn give(&mut self, problem: &mut Problem, local: usize, lambda: f64) {
        let change = lambda - problem.lambda[local];
        if change == 0.0 {
            return;
        }
        problem.lambda[local] = lambda;
        match local.checked_sub(problem.first_contact) {
            Some(k) => {
                let line = &self.lines[k];
                for (k, along) in [-change, change].into_iter().enumerate() {
                    let body = &mut self.bodies[line.bodies[k] as usize];
                    body.velocity += line.push * (along * body.ease);
                    body.spin += line.turns[k] * change;
                }
            }
            None => {
                let start = if local == 0 { 0 } else { self.ends[local - 1] as usize };
                for e in &self.entries[start..self.ends[local] as usize] {
                    let body = &mut self.bodies[e.body as usize];
                    body.velocity += e.mj.velocity * change;
                    body.spin += e.mj.spin * change;
                }
            }
        }
    }

    /// Moves the rows of a cone together and draws them back to its bound.
    #[inline]
    fn turn_cone(&mut self, problem: &mut Problem, number: usize) {
        let cone = problem.cones[number];
        let bound = cone.friction * (problem.lambda[cone.normal] + cone.base).max(0.0);
        let rows = cone.first..cone.first + cone.count;
        if bound == 0.0 && problem.lambda[rows.clone()].iter().all(|l| *l == 0.0) {
            return;
        }
        let mut wanted = [0.0; 2];
        for (wanted, local) in wanted.iter_mut().zip(rows) {
            *wanted = problem.lambda[local] + self.wish(problem, local);
        }
        draw_back(&mut wanted[..cone.count], bound);
        for (k, lambda) in wanted[..cone.count].iter().enumerate() {
            self.give(problem, cone.first + k, *lambda);
        }
    }

    pub(super) fn sweep(&mut self, problem: &mut Problem) {
        for k in 0..self.turns.len() {
            match self.turns[k] {
                Turn::Row(local) => {
                    let local = local as usize;
                    let (lo, hi) = (problem.softened[local].lo, problem.softened[local].hi);
                    let wanted = problem.lambda[local] + self.wish(problem, local);
                    self.give(problem, local, wanted.max(lo).min(hi));
                }
                Turn::Cone(number) => self.turn_cone(problem, number as usize),
            }
        }
    }
}

#[inline]
fn dot(a: &Twist, b: &Twist) -> f64 {
    a.velocity.dot(b.velocity) + a.spin.dot(b.spin)
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
pub(super) fn name_grips(problem: &mut Problem) {
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
    pub(super) fn swept_residual(&self, rows: &Rows) -> f64 {
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
