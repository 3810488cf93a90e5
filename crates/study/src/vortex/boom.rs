//! A crane's boom: four segments on hinges, each held up by a tie rod above its hinge, with a load on its tip.
//!
//! ```text
//!   ●───●   ●───●        tie rods, ARM above the hinges
//!  ─────o─────────o─────────o─────────o───────── ▣
//! ```
//!
//! It is statically determinate: the tie above a hinge bears (moment of what hangs beyond)/ARM, and the first hinge all
//! weight.

use crate::Trouble;
use crate::lab::{add, at, step};
use glam::DVec3;
use libm::fabs;
use windlass_engine::math;
use windlass_engine::prelude::*;

const SEGMENTS: usize = 4;
/// Length of a segment [m], and its mass [kg].
const PITCH: f64 = 3.0;
const SEGMENT: f64 = 200.0;
/// Height of the tie rods above the hinges [m], and how far from the hinge they grip.
const ARM: f64 = 0.6;
const GRIP: f64 = 1.0;
/// A hinge whose halves are this far apart has come off [m].
const BROKEN: f64 = 0.5;
const GRAVITY: f64 = 9.81;

/// Who solves it, and how hard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// Directly, to round-off.
    Direct,
    /// By a number of Gauss–Seidel iterations over the whole step.
    Sweeps(u32),
    /// By a number of Gauss–Seidel iterations, in eight substeps.
    Parts(u32),
}

impl Way {
    /// Sets a world to it.
    pub fn choose(self, world: &mut World) -> Result<(), Trouble> {
        let change = |s: &mut Settings| {
            let c = &mut s.contact;
            match self {
                Way::Direct => c.solver = Solver::Direct,
                Way::Sweeps(sweeps) => {
                    (c.solver, c.solver_iterations, c.substeps) = (Solver::Iterative, sweeps, 1)
                }
                Way::Parts(sweeps) => {
                    (c.solver, c.solver_iterations, c.substeps) = (Solver::Iterative, sweeps, 8)
                }
            }
        };
        world.set(change).map_err(Trouble::from)
    }
}

/// The boom.
pub struct Boom {
    /// Its world.
    pub world: World,
    tip: BodyId,
    hinges: Vec<[Anchor; 2]>,
    tie: JointId,
    load: f64,
}

/// How a boom fared.
#[derive(Clone, Copy, Debug)]
pub struct Fared {
    /// When a hinge came off [s].
    pub broke: Option<f64>,
    /// How far its tip has sunk at the end [m].
    pub sag: f64,
    /// The widest gap of a hinge within the run [m].
    pub gap: f64,
    /// Error of the force of the first tie rod at the end, in parts of it.
    pub force: f64,
    /// Root mean square of the change of the tip's velocity in a step over that step, in the last second [m/s²].
    pub shake: f64,
}

impl Boom {
    /// Level and at rest, with a load [kg].
    pub fn new(way: Way, load: f64) -> Result<Boom, Trouble> {
        let mut world = World::default();
        world.set(|s| s.gravity = DVec3::NEG_Z * GRAVITY).map_err(Trouble::from)?;
        way.choose(&mut world)?;
        let ground = add(&mut world, Body::fixed("tower"), DVec3::ZERO)?;
        // where the middle of a body is along the boom
        let mut last = (ground, 0.0);
        let (mut hinges, mut ties) = (Vec::new(), Vec::new());
        for k in 0..SEGMENTS {
            let foot = PITCH * k as f64;
            let middle = foot + 0.5 * PITCH;
            let shape = Shape::Box { half: DVec3::new(0.5 * PITCH, 0.15, 0.15) };
            let mass = Mass::of_total(&shape, SEGMENT).map_err(Trouble::from)?;
            let body = add(&mut world, Body::dynamic(format!("segment {k}"), mass), DVec3::X * middle)?;
            let next = (body, middle);
            let about = math::facing(DVec3::Y);
            let hinge = [last, next].map(|(body, from)| Anchor::frame(body, DVec3::X * (foot - from), about));
            join(&mut world, "hinge", Hinge { anchors: hinge, axis: Axis::free() })?;
            hinges.push(hinge);
            let above =
                |(body, from): (BodyId, f64), x: f64| Anchor::point(body, DVec3::new(x - from, 0.0, ARM));
            let tie = [above(last, foot - GRIP), above(next, foot + GRIP)];
            ties.push(join(&mut world, "tie", Distance::rod(tie, 2.0 * GRIP))?);
            last = next;
        }
        let shape = Shape::Box { half: DVec3::splat(0.5) };
        let mass = Mass::of_total(&shape, load).map_err(Trouble::from)?;
        let end = PITCH * SEGMENTS as f64;
        let tip = add(&mut world, Body::dynamic("load", mass), DVec3::new(end, 0.0, -1.0))?;
        let anchors = [Anchor::point(last.0, DVec3::X * (end - last.1)), Anchor::point(tip, DVec3::Z)];
        join(&mut world, "hook", Ball { anchors })?;
        Ok(Boom { world, tip, hinges, tie: ties[0], load })
    }

    /// The tension of the first tie rod [N].
    fn pull(&self) -> f64 {
        let reach = PITCH * SEGMENTS as f64;
        GRAVITY * reach * (self.load + 0.5 * SEGMENT * SEGMENTS as f64) / ARM
    }

    fn gap(&self) -> f64 {
        let apart = |pair: &[Anchor; 2]| {
            let [a, b] = pair.map(|anchor| self.world.model().frame(self.world.state(), &anchor).at);
            a.distance(b)
        };
        self.hinges.iter().map(apart).fold(0.0, f64::max)
    }

    /// How it fares in so many seconds, or until a hinge comes off.
    pub fn fare(mut self, seconds: f64) -> Fared {
        let dt = self.world.model().settings().dt;
        let steps = (seconds / dt) as usize;
        let (mut before, mut squares, mut count) = (DVec3::ZERO, 0.0, 0.0);
        let mut fared = Fared { broke: None, sag: 0.0, gap: 0.0, force: 0.0, shake: 0.0 };
        for k in 0..steps {
            let flew = step(&mut self.world).is_err();
            fared.gap = fared.gap.max(self.gap());
            if flew || fared.gap > BROKEN {
                fared.broke = Some(self.world.state().time);
                break;
            }
            let force = self.world.reaction(self.tie, 0).map_or(0.0, |wrench| wrench.force.length());
            fared.force = fabs(force / self.pull() - 1.0);
            let now = at(&self.world, self.tip).velocity;
            if k + 60 > steps {
                squares += (now - before).length_squared() / (dt * dt);
                count += 1.0;
            }
            before = now;
        }
        fared.sag = -1.0 - at(&self.world, self.tip).position.z;
        fared.shake = f64::sqrt(squares / f64::max(count, 1.0));
        fared
    }
}

fn join(world: &mut World, name: &str, kind: impl Into<JointKind>) -> Result<JointId, Trouble> {
    world.add_joint(Joint::new(name, kind)).map_err(Trouble::from)
}
