//! Friction whose pivoting goes round in circles: Newton's method on the energy of the velocities, as far as that falls.
//!
//!   F(u) = ½ uᵀ M u − pᵀ u + Σ ψ(J u − r),   ψ′(s) = −Λ(s),   Λ(s) = −s/Σ between its bounds, |Λ| ≤ b for a cone
//!
//! Two points of one body bear against each other along the line between them: the motions that both allow differ by a hair, so
//! that with both held their forces are thousands of times what friction can bear, and with both let go along those forces
//! they fly apart. Pivoting then never comes near what is between, where both slip by that hair. With the bounds of
//! friction held still F is convex, and the linear system at the modes of u is Newton's for it. So a step along it that
//! ends where F is least cannot cycle. Rows give much at first, which rounds the corners of F off, and less from
//! stage to stage. The answer is one of pivoting too, and is judged as such.

use super::active_set::judge;
use super::friction::{Moved, settle_cones};
use crate::constrain::rows::Rows;
use crate::solve::problem::Problem;
use crate::solve::stats::Effort;
use crate::world::state::{Grip, Mode};
use glam::DVec2;

/// What rows of contacts give in each stage, in parts of their mobility; in the last what they must.
const STAGES: [f64; 4] = [1e-2, 1e-4, 1e-6, 0.0];

/// Newton steps of a stage.
const STEPS: u32 = 40;

/// Halvings that find where F is least along a step: a part in 10¹².
const HALVINGS: u32 = 40;

/// Work space.
#[derive(Debug, Default)]
pub struct Descent {
    /// Velocities a step begins with, and the step.
    from: Vec<f64>,
    step: Vec<f64>,
    /// J u − r of each row where the step begins, and J times the step.
    slips: Vec<f64>,
    rates: Vec<f64>,
    /// Σ of rows of contacts as they are, and what they give in a stage.
    own: Vec<f64>,
    mobility: Vec<f64>,
}

/// Finds modes and grips for the present bounds of friction, from the velocities of the last answer kept if there is one.
pub fn descend(problem: &mut Problem, work: &mut Descent, rows: &Rows, mut effort: Effort) -> Effort {
    work.begin(problem, rows);
    for stage in STAGES {
        work.ease(problem, stage);
        effort.stalled = !work.settle(problem, rows, &mut effort.factors);
        if effort.stalled {
            break;
        }
    }
    if effort.stalled {
        work.ease(problem, 0.0);
    }
    effort
}

impl Descent {
    /// Takes over where to begin, and what rows of contacts give.
    fn begin(&mut self, problem: &mut Problem, rows: &Rows) {
        let bodies = problem.bodies.momentum.len();
        self.from.clear();
        match problem.friction.kept_velocities() {
            Some(x) => self.from.extend_from_slice(&x[..bodies]),
            None => self.from.extend_from_slice(&problem.kkt.x[..bodies]),
        }
        self.own.clear();
        self.own.extend(problem.rows[problem.numbering.first_contact..].iter().map(|s| s.sigma));
        self.mobility.clear();
        self.mobility.extend(
            (problem.numbering.first_contact..problem.numbering.rows.len())
                .map(|l| problem.mobility(rows, l)),
        );
        for cone in problem.friction.cones.iter().filter(|c| !c.belt) {
            let own = cone.first - problem.numbering.first_contact
                ..cone.first - problem.numbering.first_contact + cone.count;
            // what gives is the same along both axes
            let most = self.mobility[own.clone()].iter().fold(0.0, |m: f64, x| m.max(*x));
            self.mobility[own.clone()].fill(most);
            self.own[own].fill(cone.sigma);
        }
    }

    /// Lets rows of contacts give such a part of their mobility.
    fn ease(&self, problem: &mut Problem, part: f64) {
        let rows = problem.rows[problem.numbering.first_contact..].iter_mut();
        for (s, (own, mobility)) in rows.zip(self.own.iter().zip(&self.mobility)) {
            s.sigma = own.max(part * mobility);
        }
        for cone in problem.friction.cones.iter_mut().filter(|c| !c.belt) {
            cone.sigma = problem.rows[cone.first].sigma;
        }
    }

    /// Goes downhill until a whole step finds all rows and cones on their right side.
    fn settle(&mut self, problem: &mut Problem, rows: &Rows, factors: &mut u32) -> bool {
        for _ in 0..STEPS {
            self.take_sides(problem, rows);
            problem.solve(rows);
            *factors += 1;
            let part = self.part(problem, rows);
            if part == 1.0 {
                let wrong = judge(problem, rows).0;
                if wrong == 0 && settle_cones(problem, rows, false) == Moved::default() {
                    self.from.copy_from_slice(&problem.kkt.x[..self.step.len()]);
                    return true;
                }
            }
            self.from.iter_mut().zip(&self.step).for_each(|(u, d)| *u += part * d);
        }
        false
    }

    /// Puts rows and cones where the velocities have them.
    fn take_sides(&mut self, problem: &mut Problem, rows: &Rows) {
        for k in 0..problem.active.bounded.len() {
            let local = problem.active.bounded[k];
            let (s, bounds) = (problem.rows[local], problem.active.bounds[local]);
            if problem.friction.is_friction[local] {
                continue;
            }
            let wanted = (s.rhs - problem.rate_at(rows, local, &self.from)) / s.sigma;
            problem.active.modes[local] = match wanted {
                w if w < bounds.lo => Mode::Low,
                w if w > bounds.hi => Mode::High,
                _ => Mode::Between,
            };
        }
        for number in 0..problem.friction.cones.len() {
            let cone = problem.friction.cones[number];
            let bound = cone.friction * cone.pressed;
            if cone.grip == Grip::Open || bound <= 0.0 {
                continue;
            }
            let slip = |local: usize| problem.rate_at(rows, local, &self.from) - problem.rows[local].rhs;
            let along =
                DVec2::new(slip(cone.first), if cone.count == 2 { slip(cone.first + 1) } else { 0.0 });
            let grip = if along.length() > bound * cone.sigma { Grip::Slip } else { Grip::Stick };
            // against the slip
            for (k, s) in along.to_array()[..cone.count].iter().enumerate() {
                problem.active.multipliers[cone.first + k] = -s;
            }
            problem.set_grip(number, grip);
            problem.friction.cones[number].rest = cone.rest;
            if grip == Grip::Slip && cone.count == 2 {
                problem.rows[cone.first + 1].sigma = along.length() / bound;
            }
        }
    }

    /// What part of the step to the solution to go: to where F is least, if that comes before its end.
    fn part(&mut self, problem: &Problem, rows: &Rows) -> f64 {
        let Descent { from, step, slips, rates, .. } = self;
        step.clear();
        step.extend(problem.kkt.x.iter().zip(&*from).map(|(x, u)| x - u));
        slips.clear();
        rates.clear();
        for local in 0..problem.numbering.rows.len() {
            slips.push(problem.rate_at(rows, local, from) - problem.rows[local].rhs);
            rates.push(problem.rate_at(rows, local, step));
        }
        let [first, second] = problem.bodies.slope(from, step);
        let slope = |t: f64| first + t * second - push(problem, slips, rates, t);
        if slope(1.0) <= 0.0 || slope(0.0) >= 0.0 {
            return 1.0;
        }
        let (mut near, mut far) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + far);
            *(if slope(middle) < 0.0 { &mut near } else { &mut far }) = middle;
        }
        far
    }
}

/// Power of all multipliers along a step, after a part of it.
fn push(problem: &Problem, slips: &[f64], rates: &[f64], t: f64) -> f64 {
    let mut sum = 0.0;
    for (local, s) in problem.rows.iter().enumerate() {
        let bounds = problem.active.bounds[local];
        if problem.friction.is_friction[local] || s.sigma == 0.0 {
            continue;
        }
        let lambda = (-(slips[local] + t * rates[local]) / s.sigma).max(bounds.lo).min(bounds.hi);
        sum += lambda * rates[local];
    }
    for cone in problem.friction.cones.iter().filter(|c| c.grip != Grip::Open) {
        let (a, b) = (cone.first, cone.first + cone.count - 1);
        let second = if cone.count == 2 { 1.0 } else { 0.0 };
        let rate = DVec2::new(rates[a], second * rates[b]);
        let slip = DVec2::new(slips[a], second * slips[b]) + t * rate;
        let (bound, size) = (cone.friction * cone.pressed, slip.length());
        let gain = match size > bound * cone.sigma {
            true => bound / size,
            // what nothing moves does nothing
            false if cone.sigma == 0.0 => 0.0,
            false => 1.0 / cone.sigma,
        };
        sum -= gain * slip.dot(rate);
    }
    sum
}
