//! Chains of particles that carry a load: which extra constraint lets them carry more?
//!
//! Table I of Servin & Lacoursière, *Rigid Body Cable for Virtual Environments*: N = 5 particles of 1 kg, the last one
//! a load M, in a horizontal line from a fixed anchor, are dropped. With d_i = x_{i+1} − x_i the constraints are
//!
//! ```text
//!  (a)  φ_i = |d_i| − d                                       i = 0 … N−1
//!  (b)  (a) and Σ|d_i| − L                                    a massless cable through all
//!  (c)  (a) and |x_N − x_0| − L                               a link from the anchor to the load
//!  (d)  (b) without the last of (a)
//!  (e)  (a) and φ_i = atan2(|d_i × d_{i+1}|, d_i·d_{i+1})     every bend
//! ```
//!
//! each with a compliance ε, and steps are (8)–(11) of the paper: M v⁺ − Jᵀ Λ = M v + h f, J v⁺ + ε/h² Λ = −φ/h,
//! x⁺ = x + h v⁺. Implicit rows of the engine (`Form::Implicit`, Σ = 1/(κ h k)) are these equations when a step's forces act
//! for κ = h, which they do from the first step on if velocities are set to lag by half a step (`State::velocity_lag`).
//!
//! The same steps are available by a dense solve of (11) without the engine ([`Steps::Paper`]). Both are equal to
//! round-off as long as what a row moves by is more than rounding: in (e) with loads below 10¹⁰ kg. Beyond, the engine
//! keeps the row by its own compliance (`crates/sparse/src/pivot.rs`) and refines the answer; the dense solve does not.
//!
//! A particle is a body loaded at its centre of mass: nothing rotates it, so its inertia affects no result.
//!
//! The gradient of the bend, with s = |d_× | = |a × b|, c = a·b, n = d_×/s:
//!
//! ```text
//!  ∂φ/∂a = (c b × n − s b)/(s² + c²)      ∂φ/∂b = (c n × a − s a)/(s² + c²)
//! ```
//!
//! The motion stays in a plane: there n is its normal and s has a sign, which is differentiable where the chain is
//! straight.

use crate::dense::gauss;
use glam::{DQuat, DVec3};
use std::sync::Arc;
use windlass_engine::prelude::*;

/// Which constraints a chain has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// (a): distances.
    Links,
    /// (b): distances and the length of all.
    Cable,
    /// (c): distances, and that of the load from the anchor.
    Enforced,
    /// (d): the length of all, and distances but the last.
    Truncated,
    /// (e): distances and bends.
    Bends,
}

impl Model {
    /// The paper's letter.
    pub fn letter(self) -> char {
        match self {
            Model::Links => 'a',
            Model::Cable => 'b',
            Model::Enforced => 'c',
            Model::Truncated => 'd',
            Model::Bends => 'e',
        }
    }
}

/// The distance of two points, kept.
#[derive(Debug)]
pub struct Apart {
    /// The two points.
    pub anchors: [Anchor; 2],
    /// How far they are to be apart [m].
    pub length: f64,
    /// How it gives.
    pub spring: Spring,
}

/// The length of a line through points, kept.
#[derive(Debug)]
pub struct Length {
    /// The points in order.
    pub anchors: Vec<Anchor>,
    /// How long it is to be [m].
    pub length: f64,
    /// How it gives.
    pub spring: Spring,
}

/// Three points, kept in a line.
#[derive(Debug)]
pub struct Straight {
    /// The points in order.
    pub anchors: [Anchor; 3],
    /// How the angle has its sign: by the normal of the plane of motion, or none in space.
    pub plane: Option<DVec3>,
    /// How it gives.
    pub spring: Spring,
}

/// A compliance ε as the spring of an implicit row.
fn compliant(compliance: f64) -> Spring {
    Spring { stiffness: 1.0 / compliance, damping: 0.0, form: Form::Implicit }
}

impl Constraint for Apart {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, sight: &ConstraintView<'_>, out: &mut Rows) {
        let [a, b] = [&sight.frames[0], &sight.frames[1]];
        let way = b.at - a.at;
        let along = way.normalize_or_zero();
        let row = Row::hold(way.length() - self.length).soft(Some(self.spring));
        out.push(row, &[a.push(-along), b.push(along)]);
    }
}

impl Constraint for Length {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, sight: &ConstraintView<'_>, out: &mut Rows) {
        let mut length = 0.0;
        let mut pulls = vec![DVec3::ZERO; sight.frames.len()];
        for (k, pair) in sight.frames.windows(2).enumerate() {
            let way = pair[1].at - pair[0].at;
            let along = way.normalize_or_zero();
            length += way.length();
            pulls[k] -= along;
            pulls[k + 1] += along;
        }
        let blocks: Vec<JacobianBlock> =
            sight.frames.iter().zip(pulls).map(|(frame, pull)| frame.push(pull)).collect();
        out.push(Row::hold(length - self.length).soft(Some(self.spring)), &blocks);
    }
}

impl Constraint for Straight {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, sight: &ConstraintView<'_>, out: &mut Rows) {
        let [p, q, r] = [&sight.frames[0], &sight.frames[1], &sight.frames[2]];
        let (a, b) = (q.at - p.at, r.at - q.at);
        let cross = a.cross(b);
        let (n, s) = match self.plane {
            Some(normal) => (normal, cross.dot(normal)),
            None => (cross.normalize_or_zero(), cross.length()),
        };
        let c = a.dot(b);
        let whole = (s * s + c * c).max(1e-300);
        let by_a = (b.cross(n) * c - b * s) / whole;
        let by_b = (n.cross(a) * c - a * s) / whole;
        let row = Row { role: Role::Resist(0), ..Row::hold(libm::atan2(s, c)) }.soft(Some(self.spring));
        out.push(row, &[p.push(-by_a), q.push(by_a - by_b), r.push(by_b)]);
    }
}

/// A chain to be dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// Its constraints.
    pub model: Model,
    /// Number of particles, the load among them.
    pub particles: usize,
    /// Mass of the load [kg]; all others have 1 kg.
    pub load: f64,
    /// ε of the distances [m/N].
    pub stretch: f64,
    /// ε of the extra constraints [m/N or rad/(N·m)].
    pub extra: f64,
    /// Whether bends have no sign, as the paper prints them.
    pub unsigned: bool,
}

/// The method of stepping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// The engine.
    Engine,
    /// (11) of the paper, by elimination.
    Paper,
}

/// Distance of neighbours [m].
pub const DISTANCE: f64 = 1.0;
/// [m/s²]
pub const GRAVITY: f64 = 10.0;
/// The step [s].
pub const STEP: f64 = 1.0 / 60.0;

/// Results of a chain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// Whether all steps were taken.
    pub whole: bool,
    /// φ of the distances at every step [m].
    pub stretches: Vec<Vec<f64>>,
    /// Bends at every step, signed in the plane of motion [rad].
    pub bends: Vec<Vec<f64>>,
    /// Kinetic and potential energy above that of the start, at every step [J].
    pub energy: Vec<f64>,
    /// Where the load is at every step [m].
    pub load: Vec<DVec3>,
}

impl Chain {
    /// The paper's chain of five.
    pub fn new(model: Model, load: f64, stretch: f64, extra: f64) -> Chain {
        Chain { model, particles: 5, load, stretch, extra, unsigned: false }
    }

    /// L [m].
    pub fn length(&self) -> f64 {
        self.particles as f64 * DISTANCE
    }

    fn mass(&self, particle: usize) -> f64 {
        if particle + 1 == self.particles { self.load } else { 1.0 }
    }

    /// The world before the drop, with the anchor and the particles in order.
    ///
    /// # Errors
    /// Errors of the engine, for example for a load without mass.
    pub fn build(&self) -> Result<(World, Vec<BodyId>), EditError> {
        let mut world = World::default();
        world.set(|s| (s.dt, s.gravity) = (STEP, DVec3::NEG_Z * GRAVITY))?;
        let anchor = world.add_body(Body::fixed("anchor"), DVec3::ZERO, DQuat::IDENTITY)?;
        let mut bodies = vec![anchor];
        for k in 0..self.particles {
            let mass =
                Mass::principal(self.mass(k), DVec3::ZERO, DVec3::splat(self.mass(k)), DQuat::IDENTITY);
            let at = DVec3::X * ((k + 1) as f64 * DISTANCE);
            bodies.push(world.add_body(
                Body::dynamic(format!("particle {}", k + 1), mass),
                at,
                DQuat::IDENTITY,
            )?);
        }
        for (k, constraint) in self.constraints(&bodies).into_iter().enumerate() {
            world.add_joint(Joint::new(format!("constraint {k}"), JointKind::Custom(constraint)))?;
        }
        // velocities lag by half a step: the first impulse is that of a whole step, as in (9)
        let mut state = world.state().clone();
        state.velocity_lag = 0.5 * STEP;
        world
            .restore(state)
            .map_err(|e| EditError::Joint { name: "state".into(), problem: e.to_string() })?;
        Ok((world, bodies))
    }

    /// Its constraints between bodies, the anchor first.
    pub fn constraints(&self, bodies: &[BodyId]) -> Vec<Arc<dyn Constraint>> {
        let points: Vec<Anchor> = bodies.iter().map(|body| Anchor::point(*body, DVec3::ZERO)).collect();
        let (stretch, extra) = (compliant(self.stretch), compliant(self.extra));
        let last = if self.model == Model::Truncated { self.particles - 1 } else { self.particles };
        let mut list: Vec<Arc<dyn Constraint>> = Vec::new();
        for k in 0..last {
            let anchors = [points[k], points[k + 1]];
            list.push(Arc::new(Apart { anchors, length: DISTANCE, spring: stretch }));
        }
        let length = self.length();
        match self.model {
            Model::Links => {}
            Model::Cable | Model::Truncated => {
                list.push(Arc::new(Length { anchors: points, length, spring: extra }));
            }
            Model::Enforced => {
                let anchors = [points[0], points[self.particles]];
                list.push(Arc::new(Apart { anchors, length, spring: extra }));
            }
            Model::Bends => {
                let plane = (!self.unsigned).then_some(DVec3::Y);
                for k in 0..self.particles - 1 {
                    let anchors = [points[k], points[k + 1], points[k + 2]];
                    list.push(Arc::new(Straight { anchors, plane, spring: extra }));
                }
            }
        }
        list
    }

    /// Drops it for some seconds.
    ///
    /// # Errors
    /// Errors of the engine.
    pub fn drop_for(&self, seconds: f64, steps: Steps) -> Result<Course, EditError> {
        let (mut world, bodies) = self.build()?;
        let constraints = self.constraints(&bodies);
        let places =
            |world: &World| bodies.iter().map(|b| world.state().bodies[b.index()].position).collect();
        let mut at: Vec<DVec3> = places(&world);
        let mut velocity = vec![DVec3::ZERO; at.len()];
        let mut course = Course { whole: true, ..Course::default() };
        for _ in 0..(seconds / STEP).round() as usize {
            match steps {
                Steps::Engine => {
                    course.whole = world.step().fault.is_none();
                    at = places(&world);
                    velocity = bodies.iter().map(|b| world.state().bodies[b.index()].velocity).collect();
                }
                Steps::Paper => {
                    velocity = self.faster(&bodies, &constraints, &at, &velocity);
                    at.iter_mut().zip(&velocity).for_each(|(x, v)| *x += *v * STEP);
                }
            }
            course.note(&at, self.energy(&at, &velocity));
            if !course.whole {
                break;
            }
        }
        Ok(course)
    }

    /// The gaps of constraints between bodies and their gradients, by body.
    pub fn gradients(
        bodies: &[BodyId],
        constraints: &[Arc<dyn Constraint>],
        at: &[DVec3],
    ) -> (Vec<f64>, Vec<Vec<DVec3>>) {
        let (mut gaps, mut gradients) = (Vec::new(), Vec::new());
        for constraint in constraints {
            let place = |body: BodyId| bodies.iter().position(|b| *b == body).unwrap_or(0);
            let frame = |anchor: &Anchor| {
                let k = place(anchor.body);
                Frame {
                    body: k as u32,
                    center: at[k],
                    at: at[k],
                    orientation: DQuat::IDENTITY,
                    free: k > 0,
                    spins: false,
                }
            };
            let frames: Vec<Frame> = constraint.anchors().iter().map(frame).collect();
            let sight = ConstraintView { frames: &frames, last: &[], history: &[], time: 0.0 };
            let rows = Rows::of(&**constraint, Compliance::default(), &sight);
            for (k, row) in rows.rows.iter().enumerate() {
                let mut gradient = vec![DVec3::ZERO; at.len()];
                rows.blocks(k).iter().for_each(|block| gradient[block.body as usize] += block.linear);
                gaps.push(row.gap);
                gradients.push(gradient);
            }
        }
        (gaps, gradients)
    }

    /// (11): velocities after a step.
    fn faster(
        &self,
        bodies: &[BodyId],
        constraints: &[Arc<dyn Constraint>],
        at: &[DVec3],
        velocity: &[DVec3],
    ) -> Vec<DVec3> {
        let (gaps, rows) = Chain::gradients(bodies, constraints, at);
        let n = gaps.len();
        let fall = DVec3::NEG_Z * (GRAVITY * STEP);
        let mut faster: Vec<DVec3> = velocity.iter().map(|v| *v + fall).collect();
        faster[0] = DVec3::ZERO;
        let distances = if self.model == Model::Truncated { self.particles - 1 } else { self.particles };
        let (mut matrix, mut impulses) = (vec![0.0; n * n], vec![0.0; n]);
        for i in 0..n {
            let along = |other: &[DVec3], mass: &dyn Fn(usize) -> f64| {
                (1..at.len()).map(|k| rows[i][k].dot(other[k]) / mass(k - 1)).sum::<f64>()
            };
            for j in 0..n {
                matrix[i * n + j] = along(&rows[j], &|k| self.mass(k));
            }
            matrix[i * n + i] += if i < distances { self.stretch } else { self.extra } / (STEP * STEP);
            impulses[i] = -gaps[i] / STEP - along(&faster, &|_| 1.0);
        }
        gauss(n, &mut matrix, &mut impulses);
        for k in 1..at.len() {
            let push: DVec3 = (0..n).map(|i| rows[i][k] * impulses[i]).sum();
            faster[k] += push / self.mass(k - 1);
        }
        faster
    }

    /// Energy without that of the compliances: φ has a floor of h²v²/2d from the step's own linearisation, and φ²/2ε of
    /// it would be astronomical.
    fn energy(&self, at: &[DVec3], velocity: &[DVec3]) -> f64 {
        let of = |k: usize| self.mass(k) * (0.5 * velocity[k + 1].length_squared() + GRAVITY * at[k + 1].z);
        (0..self.particles).map(of).sum()
    }

    /// Whether a course is that of a stable chain: no distance off by a tenth, no energy above that of the start by
    /// more than 2 % of M g L.
    pub fn is_stable(&self, course: &Course) -> bool {
        let widest = course.stretches.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        let highest = course.energy.iter().fold(f64::NEG_INFINITY, |m: f64, x| m.max(*x));
        let scale = self.load * GRAVITY * self.length();
        course.whole && widest < 0.1 * DISTANCE && highest < 0.02 * scale
    }
}

impl Course {
    /// Writes an instant down. A chain that is torn does not come back: its course ends.
    fn note(&mut self, at: &[DVec3], energy: f64) {
        let ways: Vec<DVec3> = at.windows(2).map(|p| p[1] - p[0]).collect();
        let stretches: Vec<f64> = ways.iter().map(|way| way.length() - DISTANCE).collect();
        self.whole &= stretches.iter().all(|x| x.abs() < 2.0 * DISTANCE);
        self.stretches.push(stretches);
        let bend = |w: &[DVec3]| libm::atan2(w[0].cross(w[1]).y, w[0].dot(w[1]));
        self.bends.push(ways.windows(2).map(bend).collect());
        self.energy.push(energy);
        self.load.extend(at.last());
    }
}

/// A largest stable mass ratio.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// Its decimal logarithm; none if no ratio of the grid was stable.
    pub power: Option<f64>,
    /// Whether all ratios of the grid were stable.
    pub open: bool,
}

/// A row of Table I.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Constraints.
    pub model: Model,
    /// ε of the distances [m/N].
    pub stretch: f64,
    /// ε of the extra constraints [m/N or rad/(N·m)].
    pub extra: f64,
    /// Decimal logarithm of the largest mass ratio that the paper has found stable.
    pub paper: f64,
    /// The same by an independent program in another language, with the same criterion.
    pub check: f64,
    /// The same by the paper's steps, run again.
    pub again: Limit,
    /// The same by the engine.
    pub ours: Limit,
}

/// The rows of Table I: model, ε of the distances and of the rest, the paper's limit, and that of an independent
/// program.
pub(crate) const ROWS: [(Model, f64, f64, f64, f64); 9] = [
    (Model::Links, 1e-8, 1.0, 2.0, 2.0),
    (Model::Cable, 1e-8, 1e-9, 2.0, 2.0),
    (Model::Enforced, 1e-8, 1e-9, 3.0, 5.5),
    (Model::Enforced, 1e-8, 1e-12, 7.0, 8.75),
    (Model::Enforced, 1e-18, 1e-22, 15.0, 17.0),
    (Model::Truncated, 1e-8, 1e-9, 2.0, 2.0),
    (Model::Bends, 1e-8, 1e-4, 3.0, 3.0),
    (Model::Bends, 1e-11, 1e-9, 7.0, 7.25),
    (Model::Bends, 1e-18, 1e-17, 15.0, 15.0),
];

/// How finely Table I is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Parts of a decade of the mass ratio; the table needs 4.
    pub parts: u32,
    /// Length of a run [s]; the paper has 30.
    pub seconds: f64,
    /// Largest ratio tried, as a decimal logarithm.
    pub most: f64,
}

impl Default for Grid {
    fn default() -> Grid {
        Grid { parts: 4, seconds: 30.0, most: 17.0 }
    }
}

/// Runs Table I: for every row the largest mass ratio, from 10 upwards, below which all are stable.
///
/// # Errors
/// Errors of the engine.
pub fn table_one(grid: &Grid) -> Result<Vec<Entry>, EditError> {
    ROWS.iter().map(|row| entry(row, grid)).collect()
}

/// Runs one row.
pub(crate) fn entry(
    &(model, stretch, extra, paper, check): &(Model, f64, f64, f64, f64),
    grid: &Grid,
) -> Result<Entry, EditError> {
    let limit = |steps: Steps| limit(|load| Chain::new(model, load, stretch, extra), grid, steps);
    let (again, ours) = (limit(Steps::Paper)?, limit(Steps::Engine)?);
    Ok(Entry { model, stretch, extra, paper, check, again, ours })
}

fn limit(chain: impl Fn(f64) -> Chain, grid: &Grid, steps: Steps) -> Result<Limit, EditError> {
    let mut limit = Limit { power: None, open: true };
    let count = ((grid.most - 1.0) * f64::from(grid.parts)).round() as u32;
    for k in 0..=count {
        let power = 1.0 + f64::from(k) / f64::from(grid.parts);
        let chain = chain(libm::exp10(power));
        if !chain.is_stable(&chain.drop_for(grid.seconds, steps)?) {
            limit.open = false;
            break;
        }
        limit.power = Some(power);
    }
    Ok(limit)
}
