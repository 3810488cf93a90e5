//! The same problem by Gauss–Seidel: row after row, each solved for its own multiplier with all others as they are.
//!
//!   Λᵢ ← clamp(Λᵢ − (Jᵢ u + ΣᵢΛᵢ − rᵢ) / (Jᵢ M⁻¹ Jᵢᵀ + Σᵢ)),   u ← u + M⁻¹ Jᵢᵀ ΔΛᵢ
//!
//! The two rows of a cone move together and are drawn back radially to its bound, which each normal force sets anew. A sweep
//! costs as much as there are rows, its error falls with the number of sweeps: fast for piles of like bodies, slow for
//! heavy on light. It starts from the forces of the last step. Every iterate is inside all bounds.

use super::direct::Effort;
use super::problem::{Place, Problem};
use super::soften::Softened;
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

/// A row of a contact: two bodies, pushed apart along one direction. All that sweeps read of it stands together, in three lines
/// of the cache, since they do little but read.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Line {
    bodies: [u32; 2],
    /// Its number among the rows that keep gaps, if small steps follow them; [`Line::NONE`] otherwise.
    pub(super) keeper: u32,
    /// Along which the second is pushed, and the first the other way.
    push: DVec3,
    /// Torques about the two centres of mass.
    spins: [DVec3; 2],
    /// I⁻¹ times those.
    turns: [DVec3; 2],
    /// 1 / (J M⁻¹ Jᵀ + Σ); the rows of a cone have one number, so that they move together along the slip.
    inverse: f64,
    pub(super) softened: Softened,
    pub(super) lambda: f64,
    /// Sum of the multipliers over the parts of a step that are done.
    pub(super) total: f64,
}

/// Friction of one or two lines.
#[derive(Clone, Copy, Debug)]
struct Rub {
    /// Line of the normal force.
    normal: u32,
    /// First line bounded by it, and how many.
    first: u32,
    count: u32,
    friction: f64,
    base: f64,
}

/// A body while it is swept. Bodies that are not free are one that nothing moves.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Swept {
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
    /// 1/mass.
    ease: f64,
}

/// A step of a sweep over contacts.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// A line by itself.
    Line(u32),
    /// The lines of a cone, by the number of its rub.
    Rub(u32),
}

/// Work space of sweeps.
#[derive(Debug, Default)]
pub struct Sweeper {
    pub(super) bodies: Vec<Swept>,
    /// I⁻¹ of the bodies.
    easy: Vec<DMat3>,
    entries: Vec<Entry>,
    /// Where each joint row's entries end.
    ends: Vec<u32>,
    /// 1 / (J M⁻¹ Jᵀ + Σ), by joint row.
    inverse: Vec<f64>,
    /// Rows of contacts.
    pub(super) lines: Vec<Line>,
    rubs: Vec<Rub>,
    turns: Vec<Turn>,
    /// Multipliers before a sweep, and the direction in which sweeps have moved them.
    before: Vec<f64>,
    along: Vec<f64>,
    /// Work space of small steps.
    pub(super) track: Track,
}

/// Sweeps from the multipliers the problem has.
pub fn solve(problem: &mut Problem, rows: &Rows, sweeps: u32) -> Effort {
    let mut work = std::mem::take(&mut problem.sweeper);
    problem.stiffen_cones();
    work.compile(problem, rows);
    work.begin(problem);
    work.clamp_all(problem);
    let mut bodies = std::mem::take(&mut work.bodies);
    work.push_all(problem, &mut bodies);
    work.bodies = bodies;
    for _ in 0..sweeps {
        work.sweep(problem, |_| ());
    }
    work.hand_over(problem);
    name_grips(problem);
    let residual = work.residual(problem);
    problem.sweeper = work;
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
    name_grips(problem);
    work.take_over(problem);
    effort.residual = work.residual(problem);
    problem.sweeper = work;
    effort
}

/// Friction that moves by less than this part of the largest impulse has settled.
const SETTLED: f64 = 1e-9;

impl Sweeper {
    /// Sweeps friction alone at the velocities found; returns the largest change over the largest impulse. Velocities are
    /// left as friction made them: the next direct solve finds them anew.
    fn rub(&mut self, problem: &mut Problem) -> f64 {
        let push = problem.lambda.iter().fold(1e-300, |m: f64, l| m.max(l.abs()));
        self.rubs.iter().for_each(|rub| rub.turn(&mut self.lines, &mut self.bodies));
        let mut moved: f64 = 0.0;
        for (line, lambda) in self.lines.iter().zip(&mut problem.lambda[problem.first_contact..]) {
            moved = moved.max((line.lambda - *lambda).abs());
            *lambda = line.lambda;
        }
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
        self.compile_contacts(problem, rows);
        self.compile_friction(problem);
        self.turns.clear();
        let mut rubs = self.rubs.iter().enumerate().peekable();
        let mut line = 0;
        let pairs = problem.groups.iter().map(|g| &rows.groups[*g as usize]).filter(|g| g.pair().is_some());
        for group in pairs {
            let end = line + group.rows.len();
            let normals = (line..end).filter(|k| !problem.rubs[problem.first_contact + k]);
            self.turns.extend(normals.map(|k| Turn::Line(k as u32)));
            while let Some((number, _)) = rubs.next_if(|(_, rub)| (rub.first as usize) < end) {
                self.turns.push(Turn::Rub(number as u32));
            }
            line = end;
        }
    }

    fn compile_friction(&mut self, problem: &Problem) {
        self.rubs.clear();
        for cone in problem.cones.iter().filter(|c| !c.belt) {
            let [normal, first] = [cone.normal, cone.first].map(|l| (l - problem.first_contact) as u32);
            let (count, friction, base) = (cone.count as u32, cone.friction, cone.base);
            self.rubs.push(Rub { normal, first, count, friction, base });
            if count < 2 {
                continue;
            }
            let [e, f] = [first, first + 1].map(|k| &self.lines[k as usize]);
            let (a, c) = (1.0 / e.inverse, 1.0 / f.inverse);
            let ease = e.bodies.map(|body| self.bodies[body as usize].ease);
            let b = e.push.dot(f.push) * (ease[0] + ease[1])
                + e.spins[0].dot(f.turns[0])
                + e.spins[1].dot(f.turns[1]);
            // the largest eigenvalue of the two rows' mobility
            let inverse = 2.0 / (a + c + ((a - c) * (a - c) + 4.0 * b * b).sqrt());
            self.lines[first as usize..][..2].iter_mut().for_each(|line| line.inverse = inverse);
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

    fn compile_contacts(&mut self, problem: &Problem, rows: &Rows) {
        self.lines.clear();
        self.lines.reserve(problem.rows.len() - problem.first_contact);
        let nobody = self.bodies.len() as u32 - 1;
        for local in problem.first_contact..problem.rows.len() {
            let (places, blocks) = (problem.places_of(local), problem.blocks(rows, local));
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
            let inverse = if mobility > 0.0 { 1.0 / mobility } else { 0.0 };
            let (softened, lambda, keeper) = (*s, problem.lambda[local], Line::NONE);
            let line = Line { bodies, keeper, push, spins, turns, inverse, softened, lambda, total: 0.0 };
            self.lines.push(line);
        }
    }

    /// Puts the multipliers inside their bounds.
    pub(super) fn clamp_all(&mut self, problem: &mut Problem) {
        for (s, lambda) in problem.softened[..problem.first_contact].iter().zip(&mut problem.lambda) {
            *lambda = lambda.max(s.lo).min(s.hi);
        }
        for turn in &self.turns {
            match *turn {
                Turn::Line(k) => {
                    let line = &mut self.lines[k as usize];
                    line.lambda = line.lambda.max(line.softened.lo).min(line.softened.hi);
                }
                Turn::Rub(number) => {
                    let rub = self.rubs[number as usize];
                    let bound = rub.bound(&self.lines);
                    let lines = rub.own(&mut self.lines);
                    let drawn = draw_back([lines[0].lambda, lines.get(1).map_or(0.0, |l| l.lambda)], bound);
                    lines.iter_mut().zip(drawn).for_each(|(line, lambda)| line.lambda = lambda);
                }
            }
        }
    }

    /// Velocities from the problem's momenta.
    pub(super) fn begin(&mut self, problem: &Problem) {
        for (i, p) in problem.momentum.chunks_exact(6).enumerate() {
            self.bodies[i].velocity = DVec3::from_slice(p) * self.bodies[i].ease;
            self.bodies[i].spin = self.easy[i] * DVec3::from_slice(&p[3..]);
        }
    }

    /// Gives a body an impulse.
    #[inline]
    pub(super) fn kick(&mut self, body: usize, impulse: DVec3, twist: DVec3) {
        let swept = &mut self.bodies[body];
        swept.velocity += impulse * swept.ease;
        swept.spin += self.easy[body] * twist;
    }

    /// Adds what all multipliers do, M⁻¹ Jᵀ Λ, to velocities.
    pub(super) fn push_all(&self, problem: &Problem, bodies: &mut [Swept]) {
        for local in 0..problem.first_contact {
            self.push_joint(bodies, local, problem.lambda[local]);
        }
        for line in self.lines.iter().filter(|line| line.lambda != 0.0) {
            line.push(bodies, line.lambda);
        }
    }

    /// Velocities from the problem's solution.
    fn take_over(&mut self, problem: &Problem) {
        for (i, body) in self.bodies[..problem.masses.len()].iter_mut().enumerate() {
            let Twist { velocity, spin } = problem.twist(i);
            (body.velocity, body.spin) = (velocity, spin);
        }
        for (line, lambda) in self.lines.iter_mut().zip(&problem.lambda[problem.first_contact..]) {
            line.lambda = *lambda;
        }
    }

    /// Velocities and multipliers into the problem's solution.
    pub(super) fn hand_over(&self, problem: &mut Problem) {
        for (body, x) in self.bodies.iter().zip(problem.x[..problem.momentum.len()].chunks_exact_mut(6)) {
            body.velocity.write_to_slice(x);
            body.spin.write_to_slice(&mut x[3..]);
        }
        for (line, lambda) in self.lines.iter().zip(&mut problem.lambda[problem.first_contact..]) {
            *lambda = line.lambda;
        }
    }

    /// J u of a joint's row, for velocities of the bodies that are swept or others.
    #[inline]
    pub(super) fn joint_rate(&self, bodies: &[Swept], local: usize) -> f64 {
        entries(&self.entries, &self.ends, local).iter().fold(0.0, |rate, e| {
            let body = &bodies[e.body as usize];
            rate + e.j.velocity.dot(body.velocity) + e.j.spin.dot(body.spin)
        })
    }

    /// Adds M⁻¹ Jᵀ Λ of a joint's row to such velocities.
    #[inline]
    pub(super) fn push_joint(&self, bodies: &mut [Swept], local: usize, lambda: f64) {
        push_entries(bodies, entries(&self.entries, &self.ends, local), lambda);
    }

    /// 1 / (J M⁻¹ Jᵀ + Σ) of a joint's row.
    pub(super) fn joint_inverse(&self, local: usize) -> f64 {
        self.inverse[local]
    }

    /// How far the rows are from their conditions, as speed relative to the largest in the island: for each row, by how
    /// much its rate would change if it alone took the multiplier it asks for.
    pub(super) fn residual(&self, problem: &Problem) -> f64 {
        let violation = |local: usize| match local.checked_sub(problem.first_contact) {
            Some(k) => self.lines[k].violation(&self.bodies),
            None => {
                let s = &problem.softened[local];
                self.joint_rate(&self.bodies, local) + s.sigma * problem.lambda[local] - s.rhs
            }
        };
        let mut worst: f64 = 0.0;
        for local in (0..problem.rows.len()).filter(|l| !problem.rubs[*l]) {
            let (s, w) = (&problem.softened[local], violation(local));
            let bad = match problem.lambda[local] {
                l if l <= s.lo => (-w).max(0.0),
                l if l >= s.hi => w.max(0.0),
                _ => w.abs(),
            };
            worst = worst.max(bad);
        }
        for cone in problem.cones.iter().filter(|c| c.grip == Grip::Stick) {
            let own = cone.first..cone.first + cone.count;
            worst = own.fold(worst, |worst, local| worst.max(violation(local).abs()));
        }
        worst / problem.scale()
    }

    /// Goes over all rows several times. After each sweep but the last all multipliers go on along the direction of those before,
    /// as far as the sweeps grow smaller: conjugate gradients without a smooth problem (Silcowitz, Niebe & Erleben 2010).
    /// The first sweep shows each line of a contact before its turn.
    pub(super) fn sweep_on(&mut self, problem: &mut Problem, sweeps: u32, mut show: impl FnMut(&mut Line)) {
        self.along.clear();
        let mut last = 0.0;
        for round in 1..=sweeps {
            if round < sweeps {
                self.along.resize(problem.rows.len(), 0.0);
                self.before.clear();
                self.before.extend_from_slice(&problem.lambda[..problem.first_contact]);
                self.before.extend(self.lines.iter().map(|line| line.lambda));
            }
            match round {
                1 => self.sweep(problem, &mut show),
                _ => self.sweep(problem, |_| ()),
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
        let joints = problem.lambda.iter().zip(&self.inverse);
        let contacts = self.lines.iter().map(|line| (&line.lambda, &line.inverse));
        let each = joints.take(problem.first_contact).chain(contacts).zip(&self.before);
        each.filter(|((_, inverse), _)| **inverse > 0.0).fold(0.0, |sum, ((lambda, inverse), before)| {
            sum + (lambda - before) * (lambda - before) / inverse
        })
    }

    /// Takes a part of the direction along, and adds what the last sweep did to it.
    fn go_on(&mut self, problem: &mut Problem, keep: f64) {
        let first = problem.first_contact;
        for (local, (along, before)) in self.along.iter_mut().zip(&self.before).enumerate() {
            let far = keep * *along;
            let lambda = match local.checked_sub(first) {
                Some(k) => &mut self.lines[k].lambda,
                None => &mut problem.lambda[local],
            };
            *along = far + *lambda - before;
            if far == 0.0 {
                continue;
            }
            *lambda += far;
            match local.checked_sub(first) {
                Some(k) => self.lines[k].push(&mut self.bodies, far),
                None => push_entries(&mut self.bodies, entries(&self.entries, &self.ends, local), far),
            }
        }
    }

    /// Goes over all rows once; shows each line of a contact before its turn.
    fn sweep(&mut self, problem: &mut Problem, mut show: impl FnMut(&mut Line)) {
        let Sweeper { bodies, entries: all, ends, inverse, lines, rubs, turns, .. } = self;
        for local in 0..problem.first_contact {
            let (s, lambda) = (&problem.softened[local], &mut problem.lambda[local]);
            let own = entries(all, ends, local);
            let rate = own.iter().fold(0.0, |rate, e| {
                let body = &bodies[e.body as usize];
                rate + e.j.velocity.dot(body.velocity) + e.j.spin.dot(body.spin)
            });
            let wish = (s.rhs - rate - s.sigma * *lambda) * inverse[local];
            let wanted = (*lambda + wish).max(s.lo).min(s.hi);
            push_entries(bodies, own, wanted - *lambda);
            *lambda = wanted;
        }
        for turn in turns.iter() {
            match *turn {
                Turn::Line(k) => {
                    let line = &mut lines[k as usize];
                    show(line);
                    let wanted = line.wanted(bodies).max(line.softened.lo).min(line.softened.hi);
                    line.give(bodies, wanted);
                }
                Turn::Rub(number) => {
                    let rub = &rubs[number as usize];
                    for line in rub.own(lines) {
                        show(line);
                    }
                    rub.turn(lines, bodies);
                }
            }
        }
    }
}

/// The entries of a joint's row.
#[inline]
fn entries<'a>(all: &'a [Entry], ends: &[u32], local: usize) -> &'a [Entry] {
    let start = if local == 0 { 0 } else { ends[local - 1] as usize };
    &all[start..ends[local] as usize]
}

/// u ← u + M⁻¹ Jᵀ Λ of a joint's row.
#[inline]
fn push_entries(bodies: &mut [Swept], entries: &[Entry], lambda: f64) {
    for e in entries {
        let body = &mut bodies[e.body as usize];
        body.velocity += e.mj.velocity * lambda;
        body.spin += e.mj.spin * lambda;
    }
}

impl Swept {
    /// The same body without its motion.
    pub(super) fn at_rest(&self) -> Swept {
        Swept { ease: self.ease, ..Swept::default() }
    }
}

impl Line {
    /// No keeper.
    pub(super) const NONE: u32 = u32::MAX;

    /// J u.
    #[inline(always)]
    pub(super) fn rate(&self, bodies: &[Swept]) -> f64 {
        let [a, b] = self.bodies.map(|body| &bodies[body as usize]);
        self.push.dot(b.velocity - a.velocity) + (self.spins[0].dot(a.spin) + self.spins[1].dot(b.spin))
    }

    /// J u + ΣΛ − r.
    #[inline(always)]
    fn violation(&self, bodies: &[Swept]) -> f64 {
        self.rate(bodies) + self.softened.sigma * self.lambda - self.softened.rhs
    }

    /// The multiplier it would like to have.
    #[inline(always)]
    fn wanted(&self, bodies: &[Swept]) -> f64 {
        let s = &self.softened;
        self.lambda + (s.rhs - self.rate(bodies) - s.sigma * self.lambda) * self.inverse
    }

    /// By how much a multiplier would change a rate that is off by so much.
    #[inline(always)]
    pub(super) fn mend(&self, off: f64) -> f64 {
        off * self.inverse
    }

    /// u ← u + M⁻¹ Jᵀ Λ.
    #[inline(always)]
    pub(super) fn push(&self, bodies: &mut [Swept], lambda: f64) {
        let [a, b] = self.bodies;
        let first = &mut bodies[a as usize];
        first.velocity -= self.push * (lambda * first.ease);
        first.spin += self.turns[0] * lambda;
        let second = &mut bodies[b as usize];
        second.velocity += self.push * (lambda * second.ease);
        second.spin += self.turns[1] * lambda;
    }

    /// Takes another multiplier.
    #[inline(always)]
    fn give(&mut self, bodies: &mut [Swept], lambda: f64) {
        let change = lambda - self.lambda;
        if change != 0.0 {
            self.lambda = lambda;
            self.push(bodies, change);
        }
    }
}

impl Rub {
    /// The largest friction.
    #[inline(always)]
    fn bound(&self, lines: &[Line]) -> f64 {
        self.friction * (lines[self.normal as usize].lambda + self.base).max(0.0)
    }

    /// The lines it bounds.
    #[inline(always)]
    fn own<'a>(&self, lines: &'a mut [Line]) -> &'a mut [Line] {
        &mut lines[self.first as usize..][..self.count as usize]
    }

    /// Moves the lines of a cone together and draws them back to its bound.
    #[inline(always)]
    fn turn(&self, lines: &mut [Line], bodies: &mut [Swept]) {
        let bound = self.bound(lines);
        match self.own(lines) {
            [e, f] => {
                if bound == 0.0 && e.lambda == 0.0 && f.lambda == 0.0 {
                    return;
                }
                let [a, b] = draw_back([e.wanted(bodies), f.wanted(bodies)], bound);
                e.give(bodies, a);
                f.give(bodies, b);
            }
            lines => lines.iter_mut().for_each(|line| {
                let wanted = line.wanted(bodies).max(-bound).min(bound);
                line.give(bodies, wanted);
            }),
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
#[inline(always)]
fn draw_back([x, y]: [f64; 2], bound: f64) -> [f64; 2] {
    let square = x * x + y * y;
    if square > bound * bound {
        let part = bound / square.sqrt();
        return [x * part, y * part];
    }
    [x, y]
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
        let pressed = cone.pressing(&problem.lambda);
        let held = length(&problem.lambda[cone.first..cone.first + cone.count]);
        cone.grip = match pressed > 0.0 {
            false => Grip::Open,
            true if held < cone.friction * pressed * (1.0 - 1e-9) => Grip::Stick,
            true => Grip::Slip,
        };
    }
}
