//! Fallback where pivoting cycles, with friction or along slack cables: Newton's method with line search on the energy
//! of velocities.
//!
//!   F(u) = ½ uᵀ M u − pᵀ u + Σ ψ(J u − r),   ψ′(s) = −Λ(s),   Λ(s) = −s/Σ between its bounds, |Λ| ≤ b for a cone
//!
//! Two contact points of one body can be loaded against each other along the line between them. The motions that both
//! allow are nearly the same, so that with both sticking their forces are thousands of times the friction limit, and
//! with both sliding under those forces they separate. Pivoting never comes near the solution in between, where both
//! slip a little. With fixed friction bounds F is convex, and the linear system at the modes of u is its Newton system,
//! so that a line search along its solution cannot cycle. Contact rows have a large compliance in the first stage,
//! which smooths F, and less in each later stage. The active set found is then checked by pivoting.

use super::active_set::judge;
use super::friction::{ConeChanges, update_cones};
use crate::model::state::ContactMode;
use crate::row::rows::Rows;
use crate::solve::problem::Problem;
use crate::solve::stats::SolveStats;
use glam::DVec2;

/// Compliance of contact rows in each stage, relative to their mobility; their own in the last stage.
const STAGES: [f64; 4] = [1e-2, 1e-4, 1e-6, 0.0];

/// Newton steps per stage.
const STEPS: u32 = 40;

/// Bisections of the line search: to 10⁻¹² of the step.
const HALVINGS: u32 = 40;

/// Workspace of the descent.
#[derive(Debug, Default)]
pub struct Descent {
    /// Velocities at the start of a Newton step, and the step.
    from: Vec<f64>,
    step: Vec<f64>,
    /// J u − r of each row at the start of the step, and J times the step.
    slips: Vec<f64>,
    rates: Vec<f64>,
    /// Own Σ of contact rows, and their mobility.
    own: Vec<f64>,
    mobility: Vec<f64>,
}

/// Finds the active set for the present friction bounds, starting from the velocities of the last stored solution, if
/// any.
pub fn descend(problem: &mut Problem, work: &mut Descent, rows: &Rows, mut stats: SolveStats) -> SolveStats {
    work.begin(problem, rows);
    let has_contacts = problem.numbering.first_contact < problem.numbering.rows.len();
    for stage in STAGES.into_iter().filter(|stage| has_contacts || *stage == 0.0) {
        work.set_compliance(problem, stage);
        stats.stalled = !work.newton(problem, rows, &mut stats.factors);
        if stats.stalled {
            break;
        }
    }
    if stats.stalled {
        work.set_compliance(problem, 0.0);
    }
    stats
}

impl Descent {
    /// Loads the initial velocities and the compliance of contact rows.
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
            // compliance is the same along both axes
            let most = self.mobility[own.clone()].iter().fold(0.0, |m: f64, x| m.max(*x));
            self.mobility[own.clone()].fill(most);
            self.own[own].fill(cone.sigma);
        }
    }

    /// Sets the compliance of contact rows to this fraction of their mobility, or to their own if larger.
    fn set_compliance(&self, problem: &mut Problem, part: f64) {
        let rows = problem.rows[problem.numbering.first_contact..].iter_mut();
        for (s, (own, mobility)) in rows.zip(self.own.iter().zip(&self.mobility)) {
            s.sigma = own.max(part * mobility);
        }
        for cone in problem.friction.cones.iter_mut().filter(|c| !c.belt) {
            cone.sigma = problem.rows[cone.first].sigma;
        }
    }

    /// Newton steps until a full step satisfies the conditions of all rows and cones.
    fn newton(&mut self, problem: &mut Problem, rows: &Rows, factors: &mut u32) -> bool {
        for _ in 0..STEPS {
            self.take_sides(problem, rows);
            problem.solve(rows);
            *factors += 1;
            let part = self.part(problem, rows);
            if part == 1.0 {
                let wrong = judge(problem, rows).0;
                if wrong == 0 && update_cones(problem, rows, false) == ConeChanges::default() {
                    self.from.copy_from_slice(&problem.kkt.x[..self.step.len()]);
                    return true;
                }
            }
            self.from.iter_mut().zip(&self.step).for_each(|(u, d)| *u += part * d);
        }
        false
    }

    /// Sets the modes of rows and cones at the present velocities.
    fn take_sides(&mut self, problem: &mut Problem, rows: &Rows) {
        for k in 0..problem.active.bounded.len() {
            let local = problem.active.bounded[k];
            if !problem.friction.is_friction[local] {
                let rate = problem.rate_at(rows, local, &self.from);
                problem.active.modes[local] = problem.mode_at(local, rate);
            }
        }
        for number in 0..problem.friction.cones.len() {
            let cone = problem.friction.cones[number];
            let bound = cone.friction * cone.pressed;
            if cone.grip == ContactMode::Open || bound <= 0.0 {
                continue;
            }
            let slip = |local: usize| problem.rate_at(rows, local, &self.from) - problem.rows[local].rhs;
            let along =
                DVec2::new(slip(cone.first), if cone.count == 2 { slip(cone.first + 1) } else { 0.0 });
            let grip =
                if along.length() > bound * cone.sigma { ContactMode::Slip } else { ContactMode::Stick };
            // opposed to the slip
            for (k, s) in along.to_array()[..cone.count].iter().enumerate() {
                problem.active.multipliers[cone.first + k] = -s;
            }
            problem.set_grip(number, grip);
            problem.friction.cones[number].rest = cone.rest;
            if grip == ContactMode::Slip && cone.count == 2 {
                problem.rows[cone.first + 1].sigma = along.length() / bound;
            }
        }
    }

    /// Step length towards the solution: to the minimum of F along it, at most 1.
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

/// Power of all multipliers along a step, at a fraction of it.
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
    for (local, stop) in &problem.active.stops {
        let (s, rate) = (&problem.rows[*local], rates[*local]);
        let beyond = stop - (slips[*local] + s.rhs + t * rate);
        sum += (beyond / s.sigma).max(0.0) * rate;
    }
    for cone in problem.friction.cones.iter().filter(|c| c.grip != ContactMode::Open) {
        let (a, b) = (cone.first, cone.first + cone.count - 1);
        let second = if cone.count == 2 { 1.0 } else { 0.0 };
        let rate = DVec2::new(rates[a], second * rates[b]);
        let slip = DVec2::new(slips[a], second * slips[b]) + t * rate;
        let (bound, size) = (cone.friction * cone.pressed, slip.length());
        let gain = match size > bound * cone.sigma {
            true => bound / size,
            // no power without slip
            false if cone.sigma == 0.0 => 0.0,
            false => 1.0 / cone.sigma,
        };
        sum -= gain * slip.dot(rate);
    }
    sum
}
