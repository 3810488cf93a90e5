//! The same problem by Gauss–Seidel: row after row, each solved for its own multiplier with all others as they are.
//!
//!   Λᵢ ← clamp(Λᵢ − (Jᵢ u + ΣᵢΛᵢ − rᵢ) / (Jᵢ M⁻¹ Jᵢᵀ + Σᵢ)),   u ← u + M⁻¹ Jᵢᵀ ΔΛᵢ
//!
//! The two rows of a cone move together and are drawn back radially to its bound, which each normal force sets anew. A sweep
//! costs as much as there are rows, its error falls with the number of sweeps: fast for piles of like bodies, slow for
//! heavy on light. It starts from the forces of the last step. Every iterate is inside all bounds.
//!
//! Spins are counted so that every inertia is one: I = C Cᵀ, and with Cᵀ ω for ω and C⁻¹ τ for τ a row's rate and its push are
//! the same numbers. The rows of a contact follow each other: their two bodies are fetched once for all of them.

mod friction;
mod lanes;
mod row;
pub(super) mod substeps;

use super::problem::{Place, Problem};
use super::regularize::Impulses;
use super::stats::Effort;
use crate::constrain::rows::Rows;
use crate::math;
use crate::world::state::Grip;
use crate::world::twist::Twist;
use friction::{Rub, draw_back, name_grips};
use glam::DVec3;
use lanes::Columns;
use row::{Entry, Line, Pair, Swept, entries, push_entries, rate_of, within};
/// Says what lines want. (A closure would not be compiled for the machine that calls it.)
trait Guide {
    /// Before the turn of a pair; has all lines.
    fn aim(&mut self, pair: &Pair, lines: &mut [Line]);
}

/// They want what they wanted.
impl Guide for () {
    #[inline(always)]
    fn aim(&mut self, _: &Pair, _: &mut [Line]) {}
}

/// Work space of sweeps.
#[derive(Debug, Default)]
pub struct Sweeper {
    bodies: Vec<Swept>,
    /// C⁻¹ of the bodies.
    roots: Vec<Columns>,
    entries: Vec<Entry>,
    /// Where each joint row's entries end.
    ends: Vec<u32>,
    /// 1 / (J M⁻¹ Jᵀ + Σ), by joint row.
    inverse: Vec<f64>,
    /// Rows of contacts.
    lines: Vec<Line>,
    rubs: Vec<Rub>,
    pairs: Vec<Pair>,
    /// Multipliers before a sweep, and the direction in which sweeps have moved them.
    before: Vec<f64>,
    along: Vec<f64>,
}

/// Sweeps from the multipliers the problem has.
pub fn solve(problem: &mut Problem, work: &mut Sweeper, rows: &Rows, sweeps: u32) -> Effort {
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
    work.hand_over(problem);
    name_grips(problem);
    Effort { factors: 0, stalled: false, residual: work.residual(problem) }
}

impl Sweeper {
    /// Sweeps friction alone at the velocities that the problem has; returns the largest change over the largest impulse.
    pub fn sweep_friction(&mut self, problem: &mut Problem) -> f64 {
        self.take_over(problem);
        let push = problem.active.largest(1e-300);
        for pair in &self.pairs {
            let mut both = pair.both(&self.bodies);
            self.rubs[pair.rubs.clone()].iter().for_each(|rub| rub.turn(&mut self.lines, &mut both));
            pair.put(both, &mut self.bodies);
        }
        let mut moved: f64 = 0.0;
        let contacts = &mut problem.active.multipliers[problem.numbering.first_contact..];
        for (line, lambda) in self.lines.iter().zip(contacts) {
            moved = moved.max((line.lambda - *lambda).abs());
            *lambda = line.lambda;
        }
        moved / push
    }

    /// Names the state of rows and cones at the velocities and multipliers that the problem has, and judges them.
    pub fn judge(&mut self, problem: &mut Problem) -> f64 {
        name_grips(problem);
        self.take_over(problem);
        self.residual(problem)
    }

    /// Takes over rows and masses.
    pub fn compile(&mut self, problem: &Problem, rows: &Rows) {
        self.roots.clear();
        self.roots
            .extend(problem.bodies.rigid().iter().map(|b| Columns::from(math::inverse_root(&b.inertia))));
        // those that are not free
        self.roots.push(Columns::default());
        self.bodies.clear();
        self.bodies.resize(self.roots.len(), Swept::default());
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
                let ease = 1.0 / problem.bodies.rigid()[body as usize].mass;
                let entry = Entry { push: block.linear.into(), spin, body, ease };
                mobility += entry.mobility(&entry);
                self.entries.push(entry);
            }
            // a body that stands in a row twice couples with itself
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
        self.lines.clear();
        self.lines.reserve(problem.numbering.rows.len() - problem.numbering.first_contact);
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
            let ease = [a, b].map(|body| problem.bodies.rigid().get(body).map_or(0.0, |b| 1.0 / b.mass));
            let roots = [self.roots[a], self.roots[b]];
            let first = self.lines.len();
            for (local, [p, q]) in own.clone().zip(problem.blocks_from(rows, own.start)) {
                let spins = [roots[0].times(p.angular), roots[1].times(q.angular)];
                let (push, softened, bounds) =
                    (q.linear.into(), problem.rows[local], problem.active.bounds[local]);
                let lambda = problem.active.multipliers[local];
                let mut line = Line { push, spins, inverse: 0.0, softened, bounds, lambda, total: 0.0 };
                let mobility = line.mobility(&line, ease) + softened.sigma;
                line.inverse = if mobility > 0.0 { 1.0 / mobility } else { 0.0 };
                self.lines.push(line);
            }
            let normals = problem.friction.is_friction[own.clone()].iter().filter(|rubs| !**rubs).count();
            self.pairs.push(Pair {
                bodies: [a as u32, b as u32],
                ease,
                lines: first..self.lines.len(),
                each: own.len() / normals,
                points: points..points + normals,
                rubs: 0..0,
            });
            points += normals;
        }
    }

    fn compile_friction(&mut self, problem: &Problem) {
        self.rubs.clear();
        let mut cones = problem.friction.cones.iter().filter(|c| !c.belt).peekable();
        for pair in &mut self.pairs {
            let first_rub = self.rubs.len();
            let end = problem.numbering.first_contact + pair.lines.end;
            while let Some(cone) = cones.next_if(|cone| cone.first < end) {
                let [normal, first] =
                    [cone.normal, cone.first].map(|l| (l - problem.numbering.first_contact) as u32);
                let (count, friction, base) = (cone.count as u32, cone.friction, cone.base);
                self.rubs.push(Rub { normal, first, count, friction, base });
                if let [e, f] = &mut self.lines[first as usize..][..cone.count] {
                    let (a, b, c) = (1.0 / e.inverse, e.mobility(f, pair.ease), 1.0 / f.inverse);
                    // the largest eigenvalue of the two rows' mobility
                    let inverse = 2.0 / (a + c + ((a - c) * (a - c) + 4.0 * b * b).sqrt());
                    (e.inverse, f.inverse) = (inverse, inverse);
                }
            }
            pair.rubs = first_rub..self.rubs.len();
        }
    }

    /// Puts the multipliers inside their bounds.
    fn clamp_all(&mut self, problem: &mut Problem) {
        for (bounds, lambda) in problem.active.bounds[..problem.numbering.first_contact]
            .iter()
            .zip(&mut problem.active.multipliers)
        {
            *lambda = within(*lambda, bounds.lo, bounds.hi);
        }
        for pair in &self.pairs {
            for k in (0..pair.points.len()).map(pair.normals()) {
                let line = &mut self.lines[k];
                line.lambda = within(line.lambda, line.bounds.lo, line.bounds.hi);
            }
            for rub in &self.rubs[pair.rubs.clone()] {
                let bound = rub.bound(&self.lines);
                let lines = rub.own(&mut self.lines);
                let drawn = draw_back([lines[0].lambda, lines.get(1).map_or(0.0, |l| l.lambda)], bound);
                lines.iter_mut().zip(drawn).for_each(|(line, lambda)| line.lambda = lambda);
            }
        }
    }

    /// What an impulse does to a body.
    fn kicked(&self, problem: &Problem, body: usize, impulse: DVec3, twist: DVec3) -> Swept {
        let mass = problem.bodies.rigid()[body].mass;
        Swept { velocity: (impulse / mass).into(), spin: self.roots[body].times(twist) }
    }

    /// Velocities from the problem's momenta.
    fn begin(&mut self, problem: &Problem) {
        for (i, p) in problem.bodies.momentum.chunks_exact(6).enumerate() {
            self.bodies[i] = self.kicked(problem, i, DVec3::from_slice(p), DVec3::from_slice(&p[3..]));
        }
    }

    /// Adds what all multipliers do, M⁻¹ Jᵀ Λ, to velocities.
    fn push_all(&self, problem: &Problem, bodies: &mut [Swept]) {
        for local in 0..problem.numbering.first_contact {
            self.push_joint(bodies, local, problem.active.multipliers[local]);
        }
        for pair in &self.pairs {
            let mut both = pair.both(bodies);
            for line in self.lines[pair.lines.clone()].iter().filter(|line| line.lambda != 0.0) {
                line.push(&mut both, line.lambda);
            }
            pair.put(both, bodies);
        }
    }

    /// Velocities from the problem's solution.
    fn take_over(&mut self, problem: &Problem) {
        for i in 0..problem.numbering.bodies.len() {
            let twist = problem.twist(i);
            let (velocity, spin) = (twist.velocity, self.roots[i].times(problem.bodies.apply(i, twist).1));
            self.bodies[i] = Swept { velocity: velocity.into(), spin };
        }
        for (line, lambda) in
            self.lines.iter_mut().zip(&problem.active.multipliers[problem.numbering.first_contact..])
        {
            line.lambda = *lambda;
        }
    }

    /// Velocities and multipliers into the problem's solution.
    fn hand_over(&self, problem: &mut Problem) {
        for (i, x) in problem.kkt.x[..problem.bodies.momentum.len()].chunks_exact_mut(6).enumerate() {
            let Twist { velocity, spin } = self.twist(&self.bodies, i);
            velocity.write_to_slice(x);
            spin.write_to_slice(&mut x[3..]);
        }
        for (line, lambda) in
            self.lines.iter().zip(&mut problem.active.multipliers[problem.numbering.first_contact..])
        {
            *lambda = line.lambda;
        }
    }

    /// What one of such bodies does.
    fn twist(&self, bodies: &[Swept], body: usize) -> Twist {
        let Swept { velocity, spin } = bodies[body];
        Twist { velocity: velocity.xyz(), spin: self.roots[body].transposed_times(spin) }
    }

    /// J u of a joint's row, for velocities of the bodies that are swept or others.
    #[inline(always)]
    fn joint_rate(&self, bodies: &[Swept], local: usize) -> f64 {
        rate_of(bodies, entries(&self.entries, &self.ends, local))
    }

    /// Adds M⁻¹ Jᵀ Λ of a joint's row to such velocities.
    #[inline(always)]
    fn push_joint(&self, bodies: &mut [Swept], local: usize, lambda: f64) {
        push_entries(bodies, entries(&self.entries, &self.ends, local), lambda);
    }

    /// 1 / (J M⁻¹ Jᵀ + Σ) of a joint's row.
    fn joint_inverse(&self, local: usize) -> f64 {
        self.inverse[local]
    }

    /// How far the rows are from their conditions, as speed relative to the largest in the island: for each row, by how
    /// much its rate would change if it alone took the multiplier it asks for.
    fn residual(&self, problem: &Problem) -> f64 {
        let mut worst: f64 = 0.0;
        let bad = |bounds: &Impulses, lambda: f64, off: f64| match lambda {
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
        // those of ropes come first, the others are in the order of their rubs
        let (ropes, cones) = problem.friction.cones.split_at(problem.friction.cones.len() - self.rubs.len());
        for rope in ropes.iter().filter(|c| c.grip == Grip::Stick) {
            worst = worst.max(joint(rope.first).abs());
        }
        for pair in &self.pairs {
            let both = pair.both(&self.bodies);
            for line in (0..pair.points.len()).map(pair.normals()).map(|k| &self.lines[k]) {
                worst = worst.max(bad(&line.bounds, line.lambda, line.violation(&both)));
            }
            for (cone, rub) in cones[pair.rubs.clone()].iter().zip(&self.rubs[pair.rubs.clone()]) {
                let own = &self.lines[cone.first - problem.numbering.first_contact..][..cone.count];
                let off = own.iter().zip(rub.wanted(&self.lines, &both, rub.bound(&self.lines))).map(
                    |(line, wanted)| match cone.grip {
                        Grip::Open => 0.0,
                        Grip::Stick => line.violation(&both).abs(),
                        // the force turns with the slip
                        Grip::Slip if line.inverse > 0.0 => (wanted - line.lambda).abs() / line.inverse,
                        Grip::Slip => 0.0,
                    },
                );
                worst = off.fold(worst, f64::max);
            }
        }
        worst / problem.scale()
    }

    /// Goes over all rows several times. After each sweep but the last all multipliers go on along the direction of those before,
    /// as far as the sweeps grow smaller: conjugate gradients without a smooth problem (Silcowitz, Niebe & Erleben 2010).
    /// In the first sweep a guide aims each pair's lines before their turn.
    #[inline(always)]
    fn sweep_on(&mut self, problem: &mut Problem, sweeps: u32, guide: &mut impl Guide) {
        self.along.clear();
        let mut last = 0.0;
        for round in 1..=sweeps {
            if round < sweeps {
                self.along.resize(problem.numbering.rows.len(), 0.0);
                self.before.clear();
                self.before.extend_from_slice(&problem.active.multipliers[..problem.numbering.first_contact]);
                self.before.extend(self.lines.iter().map(|line| line.lambda));
            }
            match round {
                1 => self.sweep(problem, guide),
                _ => self.sweep(problem, &mut ()),
            }
            if round == sweeps {
                return;
            }
            let size = self.moved(problem);
            let keep = if size < last { size / last } else { 0.0 };
            last = size;
            self.go_on(problem, keep);
        }
    }

    /// How far the last sweep moved the multipliers: Σ ΔΛ² (J M⁻¹ Jᵀ + Σ).
    fn moved(&self, problem: &Problem) -> f64 {
        let joints = problem.active.multipliers.iter().zip(&self.inverse);
        let contacts = self.lines.iter().map(|line| (&line.lambda, &line.inverse));
        let each = joints.take(problem.numbering.first_contact).chain(contacts).zip(&self.before);
        each.filter(|((_, inverse), _)| **inverse > 0.0).fold(0.0, |sum, ((lambda, inverse), before)| {
            sum + (lambda - before) * (lambda - before) / inverse
        })
    }

    /// Takes a part of the direction along, and adds what the last sweep did to it.
    #[inline(always)]
    fn go_on(&mut self, problem: &mut Problem, keep: f64) {
        let Sweeper { bodies, entries: all, ends, lines, pairs, along, before, .. } = self;
        // how far a multiplier goes on
        let on = |along: &mut f64, lambda: &mut f64, before: f64| {
            let far = keep * *along;
            *along = far + *lambda - before;
            *lambda += far;
            far
        };
        let (along, touching) = along.split_at_mut(problem.numbering.first_contact);
        let (before, touched) = before.split_at(problem.numbering.first_contact);
        for (local, lambda) in
            problem.active.multipliers[..problem.numbering.first_contact].iter_mut().enumerate()
        {
            let far = on(&mut along[local], lambda, before[local]);
            push_entries(bodies, entries(all, ends, local), far);
        }
        for pair in pairs {
            let mut both = pair.both(bodies);
            for k in pair.lines.clone() {
                let line = &mut lines[k];
                let far = on(&mut touching[k], &mut line.lambda, touched[k]);
                if far != 0.0 {
                    line.push(&mut both, far);
                }
            }
            pair.put(both, bodies);
        }
    }

    /// Goes over all rows once; the guide aims each pair's lines before their turn.
    #[inline(always)]
    fn sweep(&mut self, problem: &mut Problem, guide: &mut impl Guide) {
        let Sweeper { bodies, entries: all, ends, inverse, lines, rubs, pairs, .. } = self;
        for local in 0..problem.numbering.first_contact {
            let (s, lambda) = (&problem.rows[local], &mut problem.active.multipliers[local]);
            let Impulses { lo, hi } = problem.active.bounds[local];
            let own = entries(all, ends, local);
            let wish = (s.rhs - rate_of(bodies, own) - s.sigma * *lambda) * inverse[local];
            let wanted = within(*lambda + wish, lo, hi);
            push_entries(bodies, own, wanted - *lambda);
            *lambda = wanted;
        }
        for pair in pairs.iter() {
            guide.aim(pair, lines);
            let mut both = pair.both(bodies);
            let normal = pair.normals();
            for point in 0..pair.points.len() {
                lines[normal(point)].turn(&mut both);
            }
            for rub in &rubs[pair.rubs.clone()] {
                rub.turn(lines, &mut both);
            }
            pair.put(both, bodies);
        }
    }
}
