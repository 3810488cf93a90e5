//! Projected Gauss–Seidel: one row after another is solved for its own multiplier with all others fixed.
//!
//!   Λᵢ ← clamp(Λᵢ − (Jᵢ u + ΣᵢΛᵢ − rᵢ) / (Jᵢ M⁻¹ Jᵢᵀ + Σᵢ)),   u ← u + M⁻¹ Jᵢᵀ ΔΛᵢ
//!
//! The two rows of a friction cone are relaxed together and projected radially onto its bound, which follows the normal
//! force at every visit. An iteration costs O(rows). The error decreases with the number of iterations: fast for piles
//! of similar bodies, slowly where heavy bodies rest on light ones. It starts from the forces of the last step. Every
//! iterate satisfies all bounds.
//!
//! Angular velocities are scaled such that every inertia is the identity: with I = C Cᵀ, Cᵀ ω for ω and C⁻¹ τ for τ,
//! the rate of a row and its impulse have the same coefficients. The rows of a contact are adjacent, so that their two
//! bodies are loaded once.

mod friction;
mod gap_row;
mod lanes;
mod row;
pub(super) mod substeps;

use super::problem::{Place, Problem};
use super::regularize::ImpulseBounds;
use super::stats::SolveStats;
use crate::body::twist::Twist;
use crate::math;
use crate::model::state::ContactMode;
use crate::row::rows::Rows;
use friction::{SweepFriction, name_grips, name_modes, project_radially};
use glam::DVec3;
use lanes::Columns;
use row::{JointEntry, SweepRow, SweptBody, SweptPair, entries, push_entries, rate_of, within};

/// Sets the right-hand sides of contact rows. (A closure would not be compiled for the instruction set of its caller.)
trait RowTargets {
    /// Called before the rows of a pair are relaxed, with all contact rows.
    fn aim(&mut self, pair: &SweptPair, contact_rows: &mut [SweepRow]);
}

/// Leaves them unchanged.
impl RowTargets for () {
    #[inline(always)]
    fn aim(&mut self, _: &SweptPair, _: &mut [SweepRow]) {}
}

/// Workspace of Gauss–Seidel.
#[derive(Debug, Default)]
pub struct GaussSeidel {
    bodies: Vec<SweptBody>,
    /// C⁻¹ of the bodies.
    roots: Vec<Columns>,
    entries: Vec<JointEntry>,
    /// Where each joint row's entries end.
    ends: Vec<u32>,
    /// 1 / (J M⁻¹ Jᵀ + Σ), by joint row.
    inverse: Vec<f64>,
    /// Rows of contacts.
    contact_rows: Vec<SweepRow>,
    frictions: Vec<SweepFriction>,
    pairs: Vec<SweptPair>,
    /// Multipliers before an iteration, and the search direction of the iterations.
    before: Vec<f64>,
    along: Vec<f64>,
}

/// Solves a problem iteratively from its present multipliers.
pub fn solve(problem: &mut Problem, work: &mut GaussSeidel, rows: &Rows, sweeps: u32) -> SolveStats {
    problem.stiffen_friction();
    work.compile(problem, rows);
    work.begin(problem);
    work.clamp_all(problem);
    let mut bodies = std::mem::take(&mut work.bodies);
    work.push_all(problem, &mut bodies);
    work.bodies = bodies;
    for _ in 0..sweeps {
        work.sweep(problem, &mut ());
    }
    work.write_solution(problem);
    name_modes(problem);
    SolveStats { residual: work.residual(problem), ..SolveStats::default() }
}

impl GaussSeidel {
    /// Iterates on friction alone at the velocities of the problem; returns the largest change relative to the largest
    /// impulse.
    pub fn sweep_friction(&mut self, problem: &mut Problem) -> f64 {
        self.read_solution(problem);
        let push = problem.active.largest(1e-300);
        for pair in &self.pairs {
            let mut both = pair.both(&self.bodies);
            self.frictions[pair.frictions.clone()]
                .iter()
                .for_each(|friction| friction.relax(&mut self.contact_rows, &mut both));
            pair.put(both, &mut self.bodies);
        }
        let mut moved: f64 = 0.0;
        let contacts = &mut problem.active.multipliers[problem.numbering.first_contact..];
        for (row, lambda) in self.contact_rows.iter().zip(contacts) {
            moved = moved.max((row.lambda - *lambda).abs());
            *lambda = row.lambda;
        }
        name_grips(problem);
        moved / push
    }

    /// The residual at the present velocities.
    pub fn judge(&mut self, problem: &mut Problem) -> f64 {
        self.read_solution(problem);
        self.residual(problem)
    }

    /// Converts rows and masses into the form that the iterations read.
    pub fn compile(&mut self, problem: &Problem, rows: &Rows) {
        self.roots.clear();
        self.roots
            .extend(problem.bodies.rigid().iter().map(|b| Columns::from(math::inverse_root(&b.inertia))));
        // one entry for all bodies that are not dynamic
        self.roots.push(Columns::default());
        self.bodies.clear();
        self.bodies.resize(self.roots.len(), SweptBody::default());
        self.compile_joints(problem, rows);
        self.compile_contacts(problem, rows);
        self.compile_friction(problem);
    }

    fn compile_joints(&mut self, problem: &Problem, rows: &Rows) {
        self.entries.clear();
        self.ends.clear();
        self.inverse.clear();
        for local in 0..problem.numbering.first_contact {
            let first = self.entries.len();
            let mut mobility = problem.rows[local].sigma;
            for (block, place) in problem.blocks(rows, local).iter().zip(problem.places_of(local)) {
                let Place::Unknown { body, .. } = place else { continue };
                let body = body / 6;
                let spin = self.roots[body as usize].times(block.angular);
                let inverse_mass = 1.0 / problem.bodies.rigid()[body as usize].mass;
                let entry = JointEntry { push: block.linear.into(), spin, body, inverse_mass };
                mobility += entry.mobility(&entry);
                self.entries.push(entry);
            }
            // a body that occurs twice in a row couples with itself
            for i in first..self.entries.len() {
                for k in first..i {
                    if self.entries[i].body == self.entries[k].body {
                        mobility += 2.0 * self.entries[i].mobility(&self.entries[k]);
                    }
                }
            }
            self.ends.push(self.entries.len() as u32);
            self.inverse.push(if mobility > 0.0 { 1.0 / mobility } else { 0.0 });
        }
    }

    fn compile_contacts(&mut self, problem: &Problem, rows: &Rows) {
        self.contact_rows.clear();
        self.contact_rows.reserve(problem.numbering.rows.len() - problem.numbering.first_contact);
        self.pairs.clear();
        let nobody = problem.bodies.rigid().len();
        let (mut local, mut points) = (problem.numbering.first_contact, 0);
        for group in rows.touching_among(&problem.numbering.groups) {
            let own = local..local + group.rows().len();
            local = own.end;
            let places = problem.places_of(own.start);
            let body = |place: Place| match place {
                Place::Unknown { body, .. } => body as usize / 6,
                Place::Known => nobody,
            };
            let (a, b) = (body(places[0]), body(places[1]));
            debug_assert!(a != b, "a body does not touch itself");
            let inverse_mass =
                [a, b].map(|body| problem.bodies.rigid().get(body).map_or(0.0, |b| 1.0 / b.mass));
            let roots = [self.roots[a], self.roots[b]];
            let first = self.contact_rows.len();
            for (local, [p, q]) in own.clone().zip(problem.blocks_from(rows, own.start)) {
                let spins = [roots[0].times(p.angular), roots[1].times(q.angular)];
                let (push, regularized, bounds) =
                    (q.linear.into(), problem.rows[local], problem.active.bounds[local]);
                let lambda = problem.active.multipliers[local];
                let mut row = SweepRow { push, spins, inverse: 0.0, regularized, bounds, lambda, total: 0.0 };
                let mobility = row.mobility(&row, inverse_mass) + regularized.sigma;
                row.inverse = if mobility > 0.0 { 1.0 / mobility } else { 0.0 };
                self.contact_rows.push(row);
            }
            let normals =
                problem.friction.is_friction[own.clone()].iter().filter(|frictions| !**frictions).count();
            self.pairs.push(SweptPair {
                bodies: [a as u32, b as u32],
                inverse_mass,
                rows: first..self.contact_rows.len(),
                each: own.len() / normals,
                points: points..points + normals,
                frictions: 0..0,
            });
            points += normals;
        }
    }

    fn compile_friction(&mut self, problem: &Problem) {
        self.frictions.clear();
        let mut cones = problem.friction.cones.iter().filter(|c| !c.belt).peekable();
        for pair in &mut self.pairs {
            let first_rub = self.frictions.len();
            let end = problem.numbering.first_contact + pair.rows.end;
            while let Some(cone) = cones.next_if(|cone| cone.first < end) {
                let [normal, first] =
                    [cone.normal, cone.first].map(|l| (l - problem.numbering.first_contact) as u32);
                let (count, friction, base) = (cone.count as u32, cone.friction, cone.base);
                self.frictions.push(SweepFriction { normal, first, count, friction, base });
                if let [e, f] = &mut self.contact_rows[first as usize..][..cone.count] {
                    let (a, b, c) = (1.0 / e.inverse, e.mobility(f, pair.inverse_mass), 1.0 / f.inverse);
                    // the largest eigenvalue of the two rows' mobility
                    let inverse = 2.0 / (a + c + ((a - c) * (a - c) + 4.0 * b * b).sqrt());
                    (e.inverse, f.inverse) = (inverse, inverse);
                }
            }
            pair.frictions = first_rub..self.frictions.len();
        }
    }

    /// Clamps the multipliers to their bounds.
    fn clamp_all(&mut self, problem: &mut Problem) {
        for (bounds, lambda) in problem.active.bounds[..problem.numbering.first_contact]
            .iter()
            .zip(&mut problem.active.multipliers)
        {
            *lambda = within(*lambda, bounds.lo, bounds.hi);
        }
        for pair in &self.pairs {
            for k in (0..pair.points.len()).map(pair.normals()) {
                let row = &mut self.contact_rows[k];
                row.lambda = within(row.lambda, row.bounds.lo, row.bounds.hi);
            }
            for friction in &self.frictions[pair.frictions.clone()] {
                let bound = friction.bound(&self.contact_rows);
                let contact_rows = friction.own(&mut self.contact_rows);
                let drawn = project_radially(
                    [contact_rows[0].lambda, contact_rows.get(1).map_or(0.0, |l| l.lambda)],
                    bound,
                );
                contact_rows.iter_mut().zip(drawn).for_each(|(row, lambda)| row.lambda = lambda);
            }
        }
    }

    /// Change of velocity of a body by an impulse.
    fn kick_of(&self, problem: &Problem, body: usize, impulse: DVec3, twist: DVec3) -> SweptBody {
        let mass = problem.bodies.rigid()[body].mass;
        SweptBody { velocity: (impulse / mass).into(), spin: self.roots[body].times(twist) }
    }

    /// Velocities ← M⁻¹ p of the problem's momenta.
    fn begin(&mut self, problem: &Problem) {
        for (i, p) in problem.bodies.momentum.chunks_exact(6).enumerate() {
            self.bodies[i] = self.kick_of(problem, i, DVec3::from_slice(p), DVec3::from_slice(&p[3..]));
        }
    }

    /// Velocities += M⁻¹ Jᵀ Λ of all multipliers.
    fn push_all(&self, problem: &Problem, bodies: &mut [SweptBody]) {
        for local in 0..problem.numbering.first_contact {
            self.push_joint(bodies, local, problem.active.multipliers[local]);
        }
        for pair in &self.pairs {
            let mut both = pair.both(bodies);
            for row in self.contact_rows[pair.rows.clone()].iter().filter(|row| row.lambda != 0.0) {
                row.push(&mut both, row.lambda);
            }
            pair.put(both, bodies);
        }
    }

    /// Velocities and multipliers ← the problem's solution.
    fn read_solution(&mut self, problem: &Problem) {
        for i in 0..problem.numbering.bodies.len() {
            let twist = problem.twist(i);
            let (velocity, spin) = (twist.velocity, self.roots[i].times(problem.bodies.apply(i, twist).1));
            self.bodies[i] = SweptBody { velocity: velocity.into(), spin };
        }
        for (row, lambda) in
            self.contact_rows.iter_mut().zip(&problem.active.multipliers[problem.numbering.first_contact..])
        {
            row.lambda = *lambda;
        }
    }

    /// The problem's solution ← velocities and multipliers.
    fn write_solution(&self, problem: &mut Problem) {
        for (i, x) in problem.kkt.x[..problem.bodies.momentum.len()].chunks_exact_mut(6).enumerate() {
            let Twist { velocity, angular_velocity: spin } = self.twist(&self.bodies, i);
            velocity.write_to_slice(x);
            spin.write_to_slice(&mut x[3..]);
        }
        for (row, lambda) in
            self.contact_rows.iter().zip(&mut problem.active.multipliers[problem.numbering.first_contact..])
        {
            *lambda = row.lambda;
        }
    }

    /// Velocity and angular velocity of a body.
    fn twist(&self, bodies: &[SweptBody], body: usize) -> Twist {
        let SweptBody { velocity, spin } = bodies[body];
        Twist { velocity: velocity.xyz(), angular_velocity: self.roots[body].transposed_times(spin) }
    }

    /// J u of a joint's row at given velocities.
    #[inline(always)]
    fn joint_rate(&self, bodies: &[SweptBody], local: usize) -> f64 {
        rate_of(bodies, entries(&self.entries, &self.ends, local))
    }

    /// Velocities += M⁻¹ Jᵀ Λ of a joint's row.
    #[inline(always)]
    fn push_joint(&self, bodies: &mut [SweptBody], local: usize, lambda: f64) {
        push_entries(bodies, entries(&self.entries, &self.ends, local), lambda);
    }

    /// 1 / (J M⁻¹ Jᵀ + Σ) of a joint's row.
    fn joint_inverse(&self, local: usize) -> f64 {
        self.inverse[local]
    }

    /// Violation of the rows' conditions, as a speed relative to the largest in the island: for each row, the change of
    /// its rate if it alone were solved.
    fn residual(&self, problem: &Problem) -> f64 {
        let mut worst: f64 = 0.0;
        let bad = |bounds: &ImpulseBounds, lambda: f64, off: f64| match lambda {
            l if l <= bounds.lo => -off,
            l if l >= bounds.hi => off,
            _ => off.abs(),
        };
        let joint = |local: usize| {
            let s = &problem.rows[local];
            self.joint_rate(&self.bodies, local) + s.sigma * problem.active.multipliers[local] - s.rhs
        };
        for local in (0..problem.numbering.first_contact).filter(|l| !problem.friction.is_friction[*l]) {
            worst = worst.max(bad(
                &problem.active.bounds[local],
                problem.active.multipliers[local],
                joint(local),
            ));
        }
        // cones of ropes come first, the others in the order of `frictions`
        let (ropes, cones) =
            problem.friction.cones.split_at(problem.friction.cones.len() - self.frictions.len());
        for rope in ropes.iter().filter(|c| c.grip == ContactMode::Stick) {
            worst = worst.max(joint(rope.first).abs());
        }
        for pair in &self.pairs {
            let both = pair.both(&self.bodies);
            for row in (0..pair.points.len()).map(pair.normals()).map(|k| &self.contact_rows[k]) {
                worst = worst.max(bad(&row.bounds, row.lambda, row.violation(&both)));
            }
            for (cone, friction) in
                cones[pair.frictions.clone()].iter().zip(&self.frictions[pair.frictions.clone()])
            {
                let own = &self.contact_rows[cone.first - problem.numbering.first_contact..][..cone.count];
                let off = own
                    .iter()
                    .zip(friction.wanted(&self.contact_rows, &both, friction.bound(&self.contact_rows)))
                    .map(|(row, wanted)| match cone.grip {
                        ContactMode::Open => 0.0,
                        ContactMode::Stick => row.violation(&both).abs(),
                        // the direction of the force follows the slip
                        ContactMode::Slip if row.inverse > 0.0 => (wanted - row.lambda).abs() / row.inverse,
                        ContactMode::Slip => 0.0,
                    });
                worst = off.fold(worst, f64::max);
            }
        }
        worst / problem.scale()
    }

    /// Several iterations. After each but the last, all multipliers are extrapolated along the direction of the
    /// previous iterations, as long as changes decrease: nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe &
    /// Erleben 2010). `targets` sets right-hand sides in the first iteration.
    #[inline(always)]
    fn sweep_repeatedly(&mut self, problem: &mut Problem, sweeps: u32, targets: &mut impl RowTargets) {
        self.along.clear();
        let mut last = 0.0;
        for round in 1..=sweeps {
            if round < sweeps {
                self.along.resize(problem.numbering.rows.len(), 0.0);
                self.before.clear();
                self.before.extend_from_slice(&problem.active.multipliers[..problem.numbering.first_contact]);
                self.before.extend(self.contact_rows.iter().map(|row| row.lambda));
            }
            match round {
                1 => self.sweep(problem, targets),
                _ => self.sweep(problem, &mut ()),
            }
            if round == sweeps {
                return;
            }
            let size = self.moved(problem);
            let keep = if size < last { size / last } else { 0.0 };
            last = size;
            self.extrapolate(problem, keep);
        }
    }

    /// Magnitude of the last iteration's change: Σ ΔΛ² (J M⁻¹ Jᵀ + Σ).
    fn moved(&self, problem: &Problem) -> f64 {
        let joints = problem.active.multipliers.iter().zip(&self.inverse);
        let contacts = self.contact_rows.iter().map(|row| (&row.lambda, &row.inverse));
        let each = joints.take(problem.numbering.first_contact).chain(contacts).zip(&self.before);
        each.filter(|((_, inverse), _)| **inverse > 0.0).fold(0.0, |sum, ((lambda, inverse), before)| {
            sum + (lambda - before) * (lambda - before) / inverse
        })
    }

    /// Extrapolates by a fraction of the direction, and adds the last iteration's change to it.
    #[inline(always)]
    fn extrapolate(&mut self, problem: &mut Problem, keep: f64) {
        let GaussSeidel { bodies, entries: all, ends, contact_rows, pairs, along, before, .. } = self;
        // extrapolation of one multiplier
        let on = |along: &mut f64, lambda: &mut f64, before: f64| {
            let far = keep * *along;
            *along = far + *lambda - before;
            *lambda += far;
            far
        };
        let (along, touching) = along.split_at_mut(problem.numbering.first_contact);
        let (before, is_pushed) = before.split_at(problem.numbering.first_contact);
        for (local, lambda) in
            problem.active.multipliers[..problem.numbering.first_contact].iter_mut().enumerate()
        {
            let far = on(&mut along[local], lambda, before[local]);
            push_entries(bodies, entries(all, ends, local), far);
        }
        for pair in pairs {
            let mut both = pair.both(bodies);
            for k in pair.rows.clone() {
                let row = &mut contact_rows[k];
                let far = on(&mut touching[k], &mut row.lambda, is_pushed[k]);
                if far != 0.0 {
                    row.push(&mut both, far);
                }
            }
            pair.put(both, bodies);
        }
    }

    /// One iteration: relaxes every row once. `targets` sets the right-hand sides of a pair before its rows are
    /// relaxed.
    #[inline(always)]
    fn sweep(&mut self, problem: &mut Problem, targets: &mut impl RowTargets) {
        let GaussSeidel { bodies, entries: all, ends, inverse, contact_rows, frictions, pairs, .. } = self;
        for local in 0..problem.numbering.first_contact {
            let (s, lambda) = (&problem.rows[local], &mut problem.active.multipliers[local]);
            let ImpulseBounds { lo, hi } = problem.active.bounds[local];
            let own = entries(all, ends, local);
            let step = (s.rhs - rate_of(bodies, own) - s.sigma * *lambda) * inverse[local];
            let wanted = within(*lambda + step, lo, hi);
            push_entries(bodies, own, wanted - *lambda);
            *lambda = wanted;
        }
        for pair in pairs.iter() {
            targets.aim(pair, contact_rows);
            let mut both = pair.both(bodies);
            let normal = pair.normals();
            for point in 0..pair.points.len() {
                contact_rows[normal(point)].relax(&mut both);
            }
            for friction in &frictions[pair.frictions.clone()] {
                friction.relax(contact_rows, &mut both);
            }
            pair.put(both, bodies);
        }
    }
}
