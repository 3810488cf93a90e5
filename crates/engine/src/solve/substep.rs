//! A pile by small steps: the step is cut into parts, each with its share of the forces and a sweep or more.
//!
//!   δ = h/n:   u ← u + M⁻¹ p/n + M⁻¹ Jᵀ λ,   sweep to J u ≥ r(g, λ),   g ← g + δ J (u + s)
//!
//! Sweeps of a whole step pass a load on by a body or so each, and what is left over shakes a stack; in parts the same
//! sweeps see gaps grow and close again while they work (Macklin et al. 2019). Directions stay those of the step's beginning.
//! Positions move by the mean of the parts' velocities. The multipliers add up.
//!
//! **Gaps of rows that bear are no business of their velocities.** Few sweeps solve a slow mode of a stack, its swaying, by a
//! part α ≪ 1 only. Its multiplier is carried on from part to part, so it is a spring, λ = −α (∫u + β ∫∫u) if the right side
//! closes gaps at the rate β, and
//!
//!   x‴ + (α/δ) x″ + (α/δ²) x′ + (αβ/δ²) x = 0
//!
//! is stable for α > β δ alone (Routh). The α of a stack's swaying falls steeply with its height: in eight parts of 1/60 s, β =
//! 3/s let five boxes come to rest and shook six, 12/s let three and shook four. Hence a row that bears (λ > 0), or overlaps, wants no approach; and bodies are shifted beside their velocities,
//!
//!   s = M⁻¹ Jᵀ μ,   J s ≥ −β g,   λ + μ ≥ 0
//!
//! by one sweep that starts from nothing in every part. This has no memory, so it cannot sway. A row that does not bear may
//! close its gap in the part and no more.

use super::direct::Effort;
use super::problem::Problem;
use super::soften::{self, Beat, Softened};
use super::sweep::{Line, Sweeper, Swept, name_grips};
use crate::constrain::rows::{Law, Rows};
use crate::force::free::Free;
use glam::DVec3;

/// A row that keeps a gap.
#[derive(Clone, Copy, Debug)]
struct Keeper {
    gap: f64,
    /// The speed it wants beside that of its gap, less what bodies that are not free do.
    wanted: f64,
    /// Its rate by what those do.
    carried: f64,
    /// The speed with which it leaves if it is hit within the step; −∞ if it does not rebound.
    back: f64,
    kind: Kind,
    /// Its local row.
    local: u32,
}

/// How it keeps it.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Hard, both ways.
    Holds,
    /// Hard, one way.
    Stops,
    /// By a spring, with a speed of so many gaps a second: k/(δ k + c).
    Gives(f64),
}

/// What is followed from part to part.
#[derive(Debug, Default)]
pub(super) struct Track {
    /// Those of joints come first.
    keepers: Vec<Keeper>,
    /// How far bodies have moved, six numbers each.
    ways: Vec<f64>,
    /// How bodies are shifted beside their velocities.
    shifts: Vec<Swept>,
    /// Between parts what the multipliers do, M⁻¹ Jᵀ λ; within one the velocities without that.
    without: Vec<Swept>,
    /// Sums of the multipliers of joints.
    total: Vec<f64>,
}

/// Times and speeds of a part.
#[derive(Clone, Copy, Debug)]
struct Pace {
    part: Beat,
    /// β.
    closing: f64,
    /// A row that bears with a gap wider than this has lost its surface: it may fall onto it.
    lost: f64,
}

/// The part of a gap of rows that bear that is closed in a step. Of 0.05, 0.2, 0.5 and 1, tried on stacks: the first leaves overlaps
/// of 0.02 mm after 15 s, the last lets leaning stacks fall sooner.
const CLOSE: f64 = 0.2;

/// Rows that may be swept over in a part whatever was asked for: islands with fewer get more sweeps, (A guess, not a measurement.)
const CHEAP: usize = 1500;

/// up to this many a part. With one a stack of ten boxes still sways after 15 s, with ten it rests.
const MOST: u32 = 10;

/// Solves a problem in so many parts, each with so many sweeps or more.
pub(super) fn solve(
    problem: &mut Problem,
    (rows, free): (&Rows, &Free),
    beat: &Beat,
    (parts, sweeps): (u32, u32),
) -> Effort {
    let share = 1.0 / f64::from(parts);
    let part = Beat { drift: beat.drift * share, kick: beat.kick * share, ..*beat };
    let pace = Pace { part, closing: CLOSE / beat.drift, lost: beat.recovery * part.drift };
    let sweeps = sweeps.max(MOST.min((CHEAP / problem.rows.len().max(1)) as u32));
    let mut work = std::mem::take(&mut problem.sweeper);
    let mut track = std::mem::take(&mut work.track);
    problem.stiffen_cones();
    // multipliers and bounds of a part; a speed's loss is per force
    for (s, lambda) in problem.softened.iter_mut().zip(&mut problem.lambda) {
        (s.lo, s.hi, s.sigma) = (s.lo * share, s.hi * share, s.sigma / share);
        *lambda *= share;
    }
    problem.cones.iter_mut().for_each(|cone| cone.base *= share);
    track.follow(problem, (rows, free), beat, &pace);
    work.compile(problem, rows);
    track.begin(problem, &mut work);

    // velocities before the step; each part then gets its share of the forces
    kick_all(problem, free, -beat.kick);
    work.begin(problem);
    for _ in 0..parts {
        track.kick(problem, &mut work, free, part.kick);
        track.aim_joints(problem, &work, &pace);
        work.sweep_on(problem, sweeps, |line| track.aim(line, &pace));
        track.shift(problem, &work, &pace);
        track.travel(&work, part.drift);
        track.total.iter_mut().zip(&problem.lambda).for_each(|(sum, l)| *sum += l);
    }
    work.hand_over(problem);
    name_grips(problem);
    let residual = work.residual(problem);
    track.hand_over(problem, &work, beat.drift);
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
    /// Takes over the rows that keep gaps, and says of all others what they want in every part.
    fn follow(&mut self, problem: &mut Problem, (rows, free): (&Rows, &Free), beat: &Beat, pace: &Pace) {
        self.keepers.clear();
        for (local, index) in problem.rows.iter().enumerate() {
            let row = &rows.rows[*index];
            let carried = match free.carrying {
                true => super::rate(rows.blocks(*index), |place| free.carried[place]),
                false => 0.0,
            };
            let wanted = row.wanted(beat.drift) - carried;
            let Softened { rhs, sigma, .. } = &mut problem.softened[local];
            let kind = match row.law {
                Law::Speed { .. } | Law::Turning { .. } => {
                    *rhs = wanted;
                    continue;
                }
                Law::Soft(spring) => {
                    let both = pace.part.drift * spring.stiffness + spring.damping;
                    *sigma = 1.0 / (pace.part.kick * both);
                    Kind::Gives(spring.stiffness / both)
                }
                Law::Rigid if row.is_bounded() => Kind::Stops,
                Law::Rigid => Kind::Holds,
            };
            // what a hard row wants beyond closing its gap is a rebound
            let rebounds = row.restitution > 0.0 && *rhs > wanted + soften::closing(row, beat);
            let back = if rebounds { *rhs } else { f64::NEG_INFINITY };
            self.keepers.push(Keeper { gap: row.gap, wanted, carried, back, kind, local: local as u32 });
        }
    }

    /// Tells lines their keepers; nothing has moved yet.
    fn begin(&mut self, problem: &Problem, work: &mut Sweeper) {
        let Track { keepers, ways, shifts, without, total } = self;
        for (number, keeper) in keepers.iter().enumerate() {
            if let Some(k) = (keeper.local as usize).checked_sub(problem.first_contact) {
                work.lines[k].keeper = number as u32;
            }
        }
        // a part counts what the last one left: the first would count what was before the step
        work.lines.iter_mut().for_each(|line| line.total = -line.lambda);
        ways.clear();
        ways.resize(problem.momentum.len(), 0.0);
        shifts.clear();
        shifts.extend(work.bodies.iter().map(Swept::at_rest));
        without.clone_from(shifts);
        work.push_all(problem, without);
        total.clear();
        total.resize(problem.first_contact, 0.0);
    }

    /// Gives bodies a part of the forces, and all rows the multipliers they have once more.
    fn kick(&mut self, problem: &Problem, work: &mut Sweeper, free: &Free, time: f64) {
        for (i, (body, without)) in problem.bodies.iter().zip(&mut self.without).enumerate() {
            let wrench = free.wrenches.all()[*body as usize];
            work.kick(i, wrench.force * time, wrench.torque * time);
            let swept = &mut work.bodies[i];
            let pushed = std::mem::replace(without, *swept);
            swept.velocity += pushed.velocity;
            swept.spin += pushed.spin;
        }
    }

    /// What rows of joints want in a part, at the gaps they have come to.
    fn aim_joints(&mut self, problem: &mut Problem, work: &Sweeper, pace: &Pace) {
        let own =
            self.keepers.iter_mut().take_while(|keeper| (keeper.local as usize) < problem.first_contact);
        for keeper in own {
            let local = keeper.local as usize;
            keeper.gap += pace.part.drift * work.joint_rate(&self.shifts, local);
            let rate = || work.joint_rate(&self.without, local);
            problem.softened[local].rhs = keeper.aim(pace, problem.lambda[local], rate);
        }
    }

    /// The same for a line, which also counts what it did in the last part.
    #[inline(always)]
    fn aim(&mut self, line: &mut Line, pace: &Pace) {
        line.total += line.lambda;
        if let Some(keeper) = self.keepers.get_mut(line.keeper as usize) {
            keeper.gap += pace.part.drift * line.rate(&self.shifts);
            line.softened.rhs = keeper.aim(pace, line.lambda, || line.rate(&self.without));
        }
    }

    /// Lets gaps follow the velocities of a part, and finds the shifts that mend them.
    fn shift(&mut self, problem: &Problem, work: &Sweeper, pace: &Pace) {
        let Track { keepers, shifts, .. } = self;
        shifts.iter_mut().zip(&work.bodies).for_each(|(shift, body)| *shift = body.at_rest());
        for keeper in keepers {
            let local = keeper.local as usize;
            match local.checked_sub(problem.first_contact) {
                Some(k) => {
                    let line = &work.lines[k];
                    keeper.gap += pace.part.drift * (line.rate(&work.bodies) + keeper.carried);
                    let Some(speed) = keeper.mending(pace, line.lambda) else { continue };
                    let s = &line.softened;
                    let push = line.mend(speed - line.rate(shifts));
                    let push = push.max(s.lo - line.lambda).min(s.hi - line.lambda);
                    if push != 0.0 {
                        line.push(shifts, push);
                    }
                }
                None => {
                    let (s, lambda) = (&problem.softened[local], problem.lambda[local]);
                    keeper.gap += pace.part.drift * (work.joint_rate(&work.bodies, local) + keeper.carried);
                    let Some(speed) = keeper.mending(pace, lambda) else { continue };
                    let push = work.joint_inverse(local) * (speed - work.joint_rate(shifts, local));
                    work.push_joint(shifts, local, push.max(s.lo - lambda).min(s.hi - lambda));
                }
            }
        }
    }

    /// Moves bodies on for a time, and takes from their velocities what the multipliers did.
    fn travel(&mut self, work: &Sweeper, time: f64) {
        let moving = work.bodies.iter().zip(&self.shifts).zip(&mut self.without);
        for (((body, shift), without), way) in moving.zip(self.ways.chunks_exact_mut(6)) {
            (DVec3::from_slice(way) + (body.velocity + shift.velocity) * time).write_to_slice(way);
            (DVec3::from_slice(&way[3..]) + (body.spin + shift.spin) * time).write_to_slice(&mut way[3..]);
            without.velocity = body.velocity - without.velocity;
            without.spin = body.spin - without.spin;
        }
    }

    /// Sums of multipliers and the mean of the motion into the problem's solution.
    fn hand_over(&self, problem: &mut Problem, work: &Sweeper, time: f64) {
        let (joints, contacts) = problem.lambda.split_at_mut(problem.first_contact);
        joints.copy_from_slice(&self.total);
        contacts.iter_mut().zip(&work.lines).for_each(|(lambda, line)| *lambda = line.total + line.lambda);
        problem.carry.clear();
        problem.carry.extend(self.ways.iter().map(|way| way / time));
        problem.carries = true;
    }
}

impl Keeper {
    /// Right side of the row in a part; its rate is that without its own push.
    #[inline(always)]
    fn aim(&self, pace: &Pace, lambda: f64, rate: impl Fn() -> f64) -> f64 {
        let drift = pace.part.drift;
        if let Kind::Gives(closing) = self.kind {
            return self.wanted - closing * self.gap;
        }
        let approach = if self.bears(pace, lambda) { 0.0 } else { -self.gap / drift };
        let hit = self.back > f64::NEG_INFINITY && self.gap + drift * (rate() + self.carried) < 0.0;
        let back = if hit { self.back } else { f64::NEG_INFINITY };
        (self.wanted + approach).max(back)
    }

    /// Whether the gap is left to shifts.
    #[inline(always)]
    fn bears(&self, pace: &Pace, lambda: f64) -> bool {
        matches!(self.kind, Kind::Holds) || self.gap < 0.0 || (lambda != 0.0 && self.gap < pace.lost)
    }

    /// With what speed shifts are to mend the gap; none if that is not for them.
    #[inline(always)]
    fn mending(&self, pace: &Pace, lambda: f64) -> Option<f64> {
        match self.kind {
            Kind::Gives(_) => None,
            _ if self.bears(pace, lambda) => Some((-pace.closing * self.gap).min(pace.part.recovery)),
            _ => Some(-self.gap / pace.part.drift),
        }
    }
}
