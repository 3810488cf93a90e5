//! A pile by small steps: the step is cut into parts, each with its share of the forces and a sweep or more.
//!
//!   δ = h/n:   u ← u + M⁻¹ p/n + M⁻¹ Jᵀ λ,   sweep to J u ≥ r(g, λ),   g ← g + δ J (u + s)
//!
//! Sweeps of a whole step pass a load on by a body or so each, and what is left over shakes a stack; in parts the same
//! sweeps see gaps grow and close again while they work (Macklin et al. 2019). Directions stay those of the step's beginning.
//! Positions move by the mean of the parts' velocities; of what nothing pushes, with the last, as in any other step. The multipliers
//! add up.
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

use super::friction::name_grips;
use super::row::{Line, Pair, Swept, within};
use super::{Guide, Sweeper};
use crate::constrain::rows::{Law, Rows};
use crate::force::free::Free;
use crate::solve::jacobian::rate;
use crate::solve::problem::Problem;
use crate::solve::regularize::{self, Beat, Impulses, Softened};
use crate::solve::stats::Effort;
use crate::world::twist::Twist;
use glam::DVec3;

/// A row that keeps a gap.
#[derive(Clone, Copy, Debug)]
struct Keeper {
    gap: f64,
    /// The speed it wants beside that of its gap, less what bodies that are not free do.
    wanted: f64,
    /// Its rate by what those do.
    carried: f64,
    /// What part of the speed with which it is hit within the step it leaves with; 0 if it does not rebound.
    restitution: f64,
    /// What forces do to its rate in half a step: by so much velocities trail.
    trails: f64,
    kind: Kind,
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
    /// By a spring that is not stretched before the gap is closed.
    Catches(f64),
}

/// What is followed from part to part.
#[derive(Debug, Default)]
pub(in crate::solve) struct Track {
    /// Rows of joints that keep gaps, and their numbers.
    joints: Vec<(u32, Keeper)>,
    /// Normals, by point.
    points: Vec<Keeper>,
    /// What a part of the forces does to bodies.
    kicks: Vec<Swept>,
    /// How far bodies have moved.
    ways: Vec<Swept>,
    /// How bodies are shifted beside their velocities.
    shifts: Vec<Swept>,
    /// Between parts what the multipliers do, M⁻¹ Jᵀ λ; within one the velocities without that.
    without: Vec<Swept>,
    /// Sums of the multipliers of joints.
    total: Vec<f64>,
    /// Whether anything pushed a body.
    touched: Vec<bool>,
}

/// Times and speeds of a part.
#[derive(Clone, Copy, Debug)]
struct Pace {
    part: Beat,
    /// 1/δ,
    at_once: f64,
    /// and β.
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

/// Solves a problem in so many parts, each with so many sweeps or more. Positions move with the velocities in `positions`, six
/// numbers per body.
pub(in crate::solve) fn solve(
    problem: &mut Problem,
    (work, track, positions): (&mut Sweeper, &mut Track, &mut Vec<f64>),
    (rows, free): (&Rows, &Free),
    beat: &Beat,
    (parts, sweeps): (u32, u32),
    machine: Machine,
) -> Effort {
    let share = 1.0 / f64::from(parts);
    let part = Beat { drift: beat.drift * share, kick: beat.kick * share, ..*beat };
    let (at_once, closing) = (1.0 / part.drift, CLOSE / beat.drift);
    let pace = Pace { part, at_once, closing, lost: beat.recovery * part.drift };
    let sweeps = sweeps.max(MOST.min((CHEAP / problem.numbering.rows.len().max(1)) as u32));
    problem.stiffen_friction();
    // multipliers and bounds of a part; a speed's loss is per force
    for (s, lambda) in problem.rows.iter_mut().zip(&mut problem.active.multipliers) {
        s.sigma /= share;
        *lambda *= share;
    }
    for local in &problem.active.bounded {
        let Impulses { lo, hi } = problem.active.bounds[*local];
        problem.active.bounds[*local] = Impulses { lo: lo * share, hi: hi * share };
    }
    problem.friction.cones.iter_mut().for_each(|cone| cone.base *= share);
    track.follow(problem, (rows, free), beat, &pace);
    work.compile(problem, rows);
    track.begin(problem, work, free, (parts, part.kick));

    // velocities before the step; each part then gets its share of the forces
    kick_all(problem, free, -beat.kick);
    work.begin(problem);
    machine.run(problem, (work, track), &pace, (parts, sweeps));
    work.hand_over(problem);
    name_grips(problem);
    let residual = work.residual(problem);
    track.hand_over(problem, work, beat.drift, positions);
    Effort { residual, ..Effort::default() }
}

/// Sweeps part after part.
#[inline(always)]
fn run(
    problem: &mut Problem,
    (work, track): (&mut Sweeper, &mut Track),
    pace: &Pace,
    (parts, sweeps): (u32, u32),
) {
    for _ in 0..parts {
        track.kick(work);
        track.aim_joints(problem, work, pace);
        work.sweep_on(problem, sweeps, &mut Aim { track, pace });
        track.shift(problem, work, pace);
        track.travel(work, pace.part.drift);
        track.total.iter_mut().zip(&problem.active.multipliers).for_each(|(sum, l)| *sum += l);
    }
}

/// Instruction set the parts run on. One source, two machines: Rust neither fuses nor reorders, so both give the same bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) enum Machine {
    Baseline,
    /// Only made by [`Machine::detect`].
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Machine {
    pub(in crate::solve) fn detect() -> Machine {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            return Machine::Avx2;
        }
        Machine::Baseline
    }

    fn run(self, problem: &mut Problem, work: (&mut Sweeper, &mut Track), pace: &Pace, counts: (u32, u32)) {
        match self {
            Machine::Baseline => run(problem, work, pace, counts),
            // SAFETY: `Avx2` is only made after the processor reported AVX2.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Machine::Avx2 => unsafe { run_avx2(problem, work, pace, counts) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(problem: &mut Problem, work: (&mut Sweeper, &mut Track), pace: &Pace, counts: (u32, u32)) {
    run(problem, work, pace, counts);
}

/// Adds what explicit forces do in a time to the momenta.
fn kick_all(problem: &mut Problem, free: &Free, time: f64) {
    for (p, body) in problem.bodies.momentum.chunks_exact_mut(6).zip(&problem.numbering.bodies) {
        let wrench = free.wrenches.all()[*body as usize];
        (DVec3::from_slice(p) + wrench.force * time).write_to_slice(p);
        (DVec3::from_slice(&p[3..]) + wrench.torque * time).write_to_slice(&mut p[3..]);
    }
}

impl Track {
    /// Takes over the rows that keep gaps, and says of all others what they want in every part.
    fn follow(&mut self, problem: &mut Problem, (rows, free): (&Rows, &Free), beat: &Beat, pace: &Pace) {
        self.joints.clear();
        self.points.clear();
        for (local, index) in problem.numbering.rows.iter().enumerate() {
            let row = &rows.rows[*index];
            let carried = match free.carrying {
                true => rate(rows.blocks(*index), |place| free.carried[place]),
                false => 0.0,
            };
            let wanted = row.wanted(beat.drift) - carried;
            let Softened { rhs, sigma } = &mut problem.rows[local];
            let kind = match row.law {
                Law::Speed { .. } | Law::Turning { .. } => {
                    *rhs = wanted;
                    if local < problem.numbering.first_contact || problem.friction.is_friction[local] {
                        continue;
                    }
                    Kind::Gives(0.0)
                }
                Law::Soft(spring) => {
                    let both = pace.part.drift * spring.stiffness + spring.damping;
                    *sigma = 1.0 / (pace.part.kick * both);
                    let closing = spring.stiffness / both;
                    if row.lo == 0.0 { Kind::Catches(closing) } else { Kind::Gives(closing) }
                }
                Law::Rigid if row.is_bounded() => Kind::Stops,
                Law::Rigid => Kind::Holds,
            };
            // what a hard row wants beyond closing its gap is a rebound
            let rebounds = row.restitution > 0.0 && *rhs > wanted + regularize::closing(row, beat);
            let restitution = if rebounds { row.restitution } else { 0.0 };
            let keeper = Keeper { gap: row.gap, wanted, carried, restitution, trails: 0.0, kind };
            // one a point, whatever law a hook gave it
            match local < problem.numbering.first_contact {
                true => self.joints.push((local as u32, keeper)),
                false if !problem.friction.is_friction[local] => self.points.push(keeper),
                false => {}
            }
        }
    }

    /// Nothing has moved yet; a part of the forces lasts for a time.
    fn begin(&mut self, problem: &Problem, work: &mut Sweeper, free: &Free, (parts, time): (u32, f64)) {
        let Track { joints, points, kicks, ways, shifts, without, total, touched } = self;
        kicks.clear();
        kicks.extend(problem.numbering.bodies.iter().enumerate().map(|(i, body)| {
            let wrench = free.wrenches.all()[*body as usize];
            work.kicked(problem, i, wrench.force * time, wrench.torque * time)
        }));
        // those that are not free
        kicks.push(Swept::default());
        let half = 0.5 * f64::from(parts);
        for (local, keeper) in joints.iter_mut().filter(|(_, keeper)| keeper.restitution > 0.0) {
            keeper.trails = half * work.joint_rate(kicks, *local as usize);
        }
        for pair in &work.pairs {
            let (both, normal) = (pair.both(kicks), pair.normals());
            for (point, keeper) in points[pair.points.clone()].iter_mut().enumerate() {
                if keeper.restitution > 0.0 {
                    keeper.trails = half * work.lines[normal(point)].rate(&both);
                }
            }
        }
        // a part counts what the last one left: the first would count what was before the step
        work.lines.iter_mut().for_each(|line| line.total = -line.lambda);
        shifts.clear();
        shifts.resize(work.bodies.len(), Swept::default());
        ways.clone_from(shifts);
        without.clone_from(shifts);
        work.push_all(problem, without);
        total.clear();
        total.resize(problem.numbering.first_contact, 0.0);
        touched.clear();
        touched.resize(work.bodies.len(), false);
    }

    /// Gives bodies a part of the forces, and all rows the multipliers they have once more.
    #[inline(always)]
    fn kick(&mut self, work: &mut Sweeper) {
        for ((body, without), kick) in work.bodies.iter_mut().zip(&mut self.without).zip(&self.kicks) {
            *body = *body + *kick;
            let pushed = std::mem::replace(without, *body);
            *body = *body + pushed;
        }
    }

    /// What rows of joints want in a part, at the gaps they have come to.
    #[inline(always)]
    fn aim_joints(&mut self, problem: &mut Problem, work: &Sweeper, pace: &Pace) {
        for (local, keeper) in &mut self.joints {
            let local = *local as usize;
            keeper.gap += pace.part.drift * work.joint_rate(&self.shifts, local);
            let rate = || work.joint_rate(&self.without, local);
            problem.rows[local].rhs = keeper.aim(pace, problem.active.multipliers[local], rate);
        }
    }

    /// Lets gaps follow the velocities of a part, and finds the shifts that mend them.
    #[inline(always)]
    fn shift(&mut self, problem: &Problem, work: &Sweeper, pace: &Pace) {
        let Track { joints, points, shifts, .. } = self;
        shifts.fill(Swept::default());
        for (local, keeper) in joints {
            let local = *local as usize;
            let (Impulses { lo, hi }, lambda) =
                (problem.active.bounds[local], problem.active.multipliers[local]);
            keeper.gap += pace.part.drift * (work.joint_rate(&work.bodies, local) + keeper.carried);
            let Some(speed) = keeper.mending(pace, lambda) else { continue };
            let push = work.joint_inverse(local) * (speed - work.joint_rate(shifts, local));
            work.push_joint(shifts, local, within(push, lo - lambda, hi - lambda));
        }
        for pair in &work.pairs {
            let (both, mut shifted) = (pair.both(&work.bodies), pair.both(shifts));
            let (own, normal) = (&mut points[pair.points.clone()], pair.normals());
            for (point, keeper) in own.iter_mut().enumerate() {
                let rate = work.lines[normal(point)].rate(&both);
                keeper.gap += pace.part.drift * (rate + keeper.carried);
            }
            for (point, keeper) in own.iter().enumerate() {
                let line = &work.lines[normal(point)];
                let Some(speed) = keeper.mending(pace, line.lambda) else { continue };
                let push = line.mending(speed, &shifted);
                if push != 0.0 {
                    line.push(&mut shifted, push);
                }
            }
            pair.put(shifted, shifts);
        }
    }

    /// Moves bodies on for a time, and takes from their velocities what the multipliers did.
    #[inline(always)]
    fn travel(&mut self, work: &Sweeper, time: f64) {
        let moving = work.bodies.iter().zip(&self.shifts).zip(&mut self.without);
        for ((((body, shift), without), way), touched) in moving.zip(&mut self.ways).zip(&mut self.touched) {
            *way = *way + (*body + *shift) * time;
            *without = *body - *without;
            *touched |= *without != Swept::default() || *shift != Swept::default();
        }
    }

    /// Sums of multipliers and the mean of the motion into the problem's solution.
    fn hand_over(&self, problem: &mut Problem, work: &Sweeper, time: f64, positions: &mut Vec<f64>) {
        let (joints, contacts) = problem.active.multipliers.split_at_mut(problem.numbering.first_contact);
        joints.copy_from_slice(&self.total);
        contacts.iter_mut().zip(&work.lines).for_each(|(lambda, line)| *lambda = line.total + line.lambda);
        positions.clear();
        for body in 0..problem.numbering.bodies.len() {
            // what falls freely moves as everywhere, with the velocity after the forces
            let (moved, time) = if self.touched[body] { (&self.ways, time) } else { (&work.bodies, 1.0) };
            let Twist { velocity, spin } = work.twist(moved, body);
            positions.extend((velocity / time).to_array());
            positions.extend((spin / time).to_array());
        }
    }
}

/// What rows of contacts want in a part.
struct Aim<'a> {
    track: &'a mut Track,
    pace: &'a Pace,
}

impl Guide for Aim<'_> {
    /// Aims the normals of a pair at the gaps they have come to; all its lines count what they did in the last part.
    #[inline(always)]
    fn aim(&mut self, pair: &Pair, lines: &mut [Line]) {
        let (Track { points, shifts, without, .. }, pace) = (&mut *self.track, self.pace);
        for line in pair.own_mut(lines) {
            line.total += line.lambda;
        }
        let shifts = pair.both(shifts);
        let (own, normal) = (&mut points[pair.points.clone()], pair.normals());
        for (point, keeper) in own.iter_mut().enumerate() {
            keeper.gap += pace.part.drift * lines[normal(point)].rate(&shifts);
        }
        for (point, keeper) in own.iter().enumerate() {
            let line = &mut lines[normal(point)];
            let rate = || line.rate(&pair.both(without));
            line.softened.rhs = keeper.aim(pace, line.lambda, rate);
        }
    }
}

impl Keeper {
    /// Right side of the row in a part; its rate is that without its own push.
    #[inline(always)]
    fn aim(&self, pace: &Pace, lambda: f64, rate: impl Fn() -> f64) -> f64 {
        match self.kind {
            Kind::Catches(_) if self.gap > 0.0 => return self.wanted - self.gap * pace.at_once,
            Kind::Gives(closing) | Kind::Catches(closing) => return self.wanted - closing * self.gap,
            Kind::Holds | Kind::Stops => {}
        }
        let approach = if self.bears(pace, lambda) { 0.0 } else { -self.gap * pace.at_once };
        let aim = self.wanted + approach;
        if self.restitution == 0.0 {
            return aim;
        }
        let rate = rate() + self.carried;
        let hits = self.gap + pace.part.drift * rate < 0.0;
        // it leaves by what it is hit with at that instant
        let back = -self.restitution * (rate + self.trails) - self.trails - self.carried;
        if hits && back > aim { back } else { aim }
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
            Kind::Gives(_) | Kind::Catches(_) => None,
            _ if self.bears(pace, lambda) => {
                Some(within(-pace.closing * self.gap, f64::NEG_INFINITY, pace.part.recovery))
            }
            _ => Some(-self.gap * pace.at_once),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use glam::DQuat;

    /// Layers of boxes that bear on each other, two of them joined.
    fn heap() -> World {
        let mut world = World::default();
        world.set(|s| s.contact.solver = Solver::Iterative).unwrap();
        let floor = Body::fixed("floor").touchable(Collider::of(Geometry::HalfSpace));
        world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let shape = Shape::Box { half: DVec3::new(0.1, 0.12, 0.08) };
        let mass = Mass::of_total(&shape, 1.0).unwrap();
        let all: Vec<_> = (0..24)
            .map(|k| {
                let (i, j, layer) = (k % 2, k / 2 % 2, k / 4);
                let shift = 0.05 * (layer % 2) as f64;
                let at = DVec3::new(0.21 * i as f64 + shift, 0.25 * j as f64, 0.09 + 0.17 * layer as f64);
                let body = Body::free("box", mass).touchable(Collider::new(shape.clone()));
                world.add_body(body, at, DQuat::IDENTITY).unwrap()
            })
            .collect();
        let anchors = [Anchor::point(all[0], 0.105 * DVec3::X), Anchor::point(all[1], -0.105 * DVec3::X)];
        world.add_joint(Joint::new("pin", Ball { anchors })).unwrap();
        for _ in 0..60 {
            world.step();
        }
        world
    }

    /// Multipliers and velocities a machine finds for those that the joint is among, bit by bit.
    fn solved(world: &mut World, machine: Machine) -> Vec<u64> {
        let settings = *world.model().settings();
        let scratch = &mut world.scratch;
        let beat = Beat {
            drift: settings.dt,
            kick: settings.dt,
            bounce_speed: settings.bounce_speed,
            recovery: settings.contact.recovery,
        };
        let all = &mut scratch.solution.islands;
        let island = all.iter_mut().find(|island| island.problem.numbering.first_contact > 0).unwrap();
        let problem = &mut island.problem;
        assert!(problem.numbering.rows.len() > 200);
        let before =
            (problem.rows.clone(), problem.active.multipliers.clone(), problem.friction.cones.clone());
        let (bounds, momentum) = (problem.active.bounds.clone(), problem.bodies.momentum.clone());
        let (mut sweeper, mut track, mut positions) = (Sweeper::default(), Track::default(), Vec::new());
        let work = (&mut sweeper, &mut track, &mut positions);
        solve(problem, work, (&scratch.rows, &scratch.free), &beat, (8, 2), machine);
        let found = problem.active.multipliers.iter().chain(&problem.kkt.x).chain(&positions);
        let bits = found.map(|x| x.to_bits()).collect();
        (problem.rows, problem.active.multipliers, problem.friction.cones) = before;
        (problem.active.bounds, problem.bodies.momentum) = (bounds, momentum);
        bits
    }

    #[test]
    fn baseline_and_the_machine_at_hand_give_the_same_bits() {
        let mut world = heap();
        let baseline = solved(&mut world, Machine::Baseline);
        assert_eq!(solved(&mut world, Machine::detect()), baseline);
    }
}
