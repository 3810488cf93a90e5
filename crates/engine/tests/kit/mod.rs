//! Kit of the validation tests: build a world, run it under the standing conditions, measure.
//!
//! Standing conditions, held at every step of every case (validation.md, head): numbers finite, quaternions unit to
//! 1e-12, joint gaps below 1e-2 m (1e-4 m at steps of 1 ms and less), multipliers inside their bounds, residual below
//! 1e-8, and a second run from the same state ends in the same bytes.

#![allow(dead_code, unused_imports, reason = "each test file takes what it needs")]

pub mod case;
pub mod catalogue;
pub mod counting;
pub mod touch;

pub use case::Case;

use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_engine::row::{BoundMode, RowLaw};

/// Gravity of the catalogue [m/s²].
pub const G: f64 = 9.81;

/// A world with its ground.
pub struct Rig {
    /// The world.
    pub world: World,
    /// A fixed body at the origin.
    pub ground: BodyId,
    /// The joint gap allowed [m].
    pub widest: f64,
}

impl Rig {
    /// An empty world with gravity along −z.
    pub fn new(dt: f64, stepper: Integrator) -> Rig {
        let mut world = World::default();
        world.set(|s| (s.dt, s.integrator) = (dt, stepper)).unwrap();
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        Rig { world, ground, widest: if dt <= 1e-3 { 1e-4 } else { 1e-2 } }
    }

    /// The same under another gravity.
    pub fn under(mut self, gravity: DVec3) -> Rig {
        self.world.set(|s| s.gravity = gravity).unwrap();
        self
    }

    /// A free body, its frame along the world's axes.
    pub fn body(&mut self, name: &str, mass: Mass, at: DVec3) -> BodyId {
        self.turned(name, mass, at, DQuat::IDENTITY)
    }

    /// A free body with an orientation.
    pub fn turned(&mut self, name: &str, mass: Mass, at: DVec3, orientation: DQuat) -> BodyId {
        self.world.add_body(Body::dynamic(name, mass), at, orientation).unwrap()
    }

    /// A bar of square section between two points; its frame is in its middle, along the world's axes.
    pub fn bar(&mut self, name: &str, mass: f64, ends: [DVec3; 2], width: f64) -> BodyId {
        let along = ends[1] - ends[0];
        let across = mass * (along.length_squared() + width * width) / 12.0;
        let moments = DVec3::new(across, across, mass * width * width / 6.0);
        let mass = Mass::principal(mass, DVec3::ZERO, moments, math::facing(along));
        self.body(name, mass, 0.5 * (ends[0] + ends[1]))
    }

    /// Sets a body moving.
    pub fn moving(&mut self, body: BodyId, velocity: DVec3, spin: DVec3) {
        self.world.set_velocity(body, velocity, spin).unwrap();
    }

    /// An anchor given by its place and orientation in the world as it stands.
    pub fn grip(&self, body: BodyId, at: DVec3, turn: DQuat) -> Anchor {
        let s = &self.world.state().bodies[body.index()];
        let center = self.world.model().bodies().get(body).unwrap().mass.center;
        let back = s.orientation.inverse();
        Anchor::frame(body, back * (at - s.position) + center, back * turn)
    }

    /// Both anchors of a joint at one place of the world.
    pub fn grips(&self, bodies: [BodyId; 2], at: DVec3, turn: DQuat) -> [Anchor; 2] {
        bodies.map(|b| self.grip(b, at, turn))
    }

    /// Any joint.
    pub fn joint(&mut self, kind: impl Into<JointKind>) -> JointId {
        let name = format!("joint {}", self.world.model().joints().places());
        self.world.add_joint(Joint::new(name, kind)).unwrap()
    }

    /// A hinge about an axis of the world.
    pub fn hinge(&mut self, bodies: [BodyId; 2], at: DVec3, about: DVec3) -> JointId {
        self.driven_hinge(bodies, at, about, Axis::free())
    }

    /// A hinge with something along its turn.
    pub fn driven_hinge(&mut self, bodies: [BodyId; 2], at: DVec3, about: DVec3, axis: Axis) -> JointId {
        let anchors = self.grips(bodies, at, math::facing(about));
        self.joint(Hinge { anchors, axis })
    }

    /// A ball joint.
    pub fn ball(&mut self, bodies: [BodyId; 2], at: DVec3) -> JointId {
        let anchors = self.grips(bodies, at, DQuat::IDENTITY);
        self.joint(Ball { anchors })
    }

    /// Runs under the standing conditions, shows the world at the start and after every step with its time, and
    /// runs the same again unseen: looking must change nothing.
    pub fn run(&mut self, seconds: f64, mut look: impl FnMut(&mut World, f64)) {
        let start = self.world.state().clone();
        let dt = self.world.model().settings().dt;
        let steps = (seconds / dt).round() as usize;
        look(&mut self.world, start.time);
        for k in 1..=steps {
            let report = self.world.step();
            stands(&self.world, &report, self.widest);
            look(&mut self.world, start.time + k as f64 * dt);
        }
        let seen = self.world.state().hash();
        self.world.restore(start).unwrap();
        for _ in 0..steps {
            self.world.step();
        }
        assert_eq!(self.world.state().hash(), seen, "a second run ended in other bytes");
    }

    /// As `run`, keeping a value of each instant.
    pub fn trace<T>(&mut self, seconds: f64, mut value: impl FnMut(&mut World) -> T) -> Vec<(f64, T)> {
        let mut trace = Vec::new();
        self.run(seconds, |world, t| trace.push((t, value(world))));
        trace
    }
}

/// A mass without extent, as far as a body can be: 1e-6 m² of radius of gyration squared.
pub fn speck(mass: f64) -> Mass {
    Mass::principal(mass, DVec3::ZERO, DVec3::splat(1e-6 * mass), DQuat::IDENTITY)
}

/// The standing conditions after a step. Rows and gaps are those the step began with (`spook`) or ended with.
fn stands(world: &World, report: &Report, widest: f64) {
    let t = report.time;
    if let Some(fault) = &report.fault {
        panic!("{fault}");
    }
    for (place, b) in world.state().bodies.iter().enumerate() {
        assert!(b.is_finite(), "body {place} at {t} s: {b:?}");
        assert!((b.orientation.length() - 1.0).abs() < 1e-12, "body {place} at {t} s: {:?}", b.orientation);
    }
    assert!(report.residual < 1e-8 && report.stalled == 0, "residual {} at {t} s", report.residual);
    assert!(gap(world) < widest, "gap {} at {t} s, allowed {widest}", gap(world));
    let s = world.stages();
    let bounded = |row: &Row| row.role != Role::Friction;
    let largest = s.solution.forces.iter().fold(0.0, |m: f64, force| m.max(force.abs()));
    let forces = s.rows.rows.iter().zip(&s.solution.forces).zip(&s.solution.modes);
    // a stop pushes beyond its row's bound
    let forces = forces.filter(|((row, _), mode)| bounded(row) && **mode != BoundMode::Stop);
    for ((row, force), _) in forces {
        // links of slack cables are compared with less, `solve/direct/active_set.rs`
        let slack = if row.is_link() { 1e-5 * (1.0 + largest) } else { 1e-9 * (1.0 + force.abs()) };
        assert!(*force >= row.lo - slack && *force <= row.hi + slack, "{force} N at {t} s of {row:?}");
    }
}

/// The largest gap of a rigid two-sided row [m or rad] in the rows of the last solve.
pub fn gap(world: &World) -> f64 {
    let rigid = |r: &&Row| r.law == RowLaw::Rigid && !r.is_bounded();
    world.stages().rows.rows.iter().filter(rigid).fold(0.0, |m, r| m.max(r.gap.abs()))
}

/// Where a point of a body is, given in the body's axes from its centre of mass.
pub fn point(world: &World, body: BodyId, from_center: DVec3) -> DVec3 {
    let b = &world.state().bodies[body.index()];
    b.position + b.orientation * from_center
}

/// Asserts |value − reference| ≤ within, and prints how far it was.
#[track_caller]
pub fn near(what: &str, value: f64, reference: f64, within: f64) {
    told(what, value, (value - reference).abs(), within);
}

/// Asserts |value/reference − 1| ≤ within.
#[track_caller]
pub fn near_part(what: &str, value: f64, reference: f64, within: f64) {
    told(what, value, (value / reference - 1.0).abs(), within);
}

/// Asserts that two points are at most so far apart.
#[track_caller]
pub fn near_point(what: &str, value: DVec3, reference: DVec3, within: f64) {
    told(what, value, (value - reference).length(), within);
}

/// Asserts an error against its limit, and prints both (seen with --nocapture). An infinite limit asks nothing.
#[track_caller]
pub fn told(what: &str, value: impl std::fmt::Debug, error: f64, within: f64) {
    println!("{what:<56} {error:9.2e} of {within:9.2e}   value {value:?}");
    assert!(error <= within, "{what}: {value:?} is off by {error:.3e}, allowed {within:.3e}");
}

/// Times at which a trace passes zero upwards, between samples by a straight line.
pub fn rises(trace: &[(f64, f64)]) -> Vec<f64> {
    let cross = |w: &[(f64, f64)]| {
        let ((t0, x0), (t1, x1)) = (w[0], w[1]);
        (x0 < 0.0 && x1 >= 0.0).then(|| t0 + (t1 - t0) * x0 / (x0 - x1))
    };
    trace.windows(2).filter_map(cross).collect()
}

/// Mean time between passes upwards through zero.
#[track_caller]
pub fn period(trace: &[(f64, f64)]) -> f64 {
    let times = rises(trace);
    assert!(times.len() > 1, "{} passes make no period", times.len());
    (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64
}

/// Heights of the local maxima of a trace, each by a parabola through three samples.
pub fn peaks(trace: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let peak = |w: &[(f64, f64)]| {
        let [(t0, a), (t1, b), (_, c)] = [w[0], w[1], w[2]];
        let (slope, bend) = (0.5 * (c - a), a - 2.0 * b + c);
        (b > a && b >= c).then(|| (t1 - (t1 - t0) * slope / bend, b - 0.5 * slope * slope / bend))
    };
    trace.windows(3).filter_map(peak).collect()
}

/// The value of a trace at a time that is one of its samples.
#[track_caller]
pub fn at<T: Copy>(trace: &[(f64, T)], time: f64) -> T {
    let nearest = trace.iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs())).unwrap();
    assert!((nearest.0 - time).abs() < 1e-9, "{time} s is no sample; the nearest is {} s", nearest.0);
    nearest.1
}

/// The value of a trace between its samples, by a straight line.
#[track_caller]
pub fn between(trace: &[(f64, f64)], time: f64) -> f64 {
    let k = trace.windows(2).position(|w| w[0].0 <= time && time <= w[1].0).expect("inside the trace");
    let ((t0, x0), (t1, x1)) = (trace[k], trace[k + 1]);
    x0 + (x1 - x0) * (time - t0) / (t1 - t0)
}

/// Asserts that an error falls by 1.8 or more each time the step is halved.
#[track_caller]
pub fn falls(what: &str, errors: [f64; 3]) {
    let [a, b, c] = errors;
    println!("{what}: errors {a:.2e} {b:.2e} {c:.2e}, ratios {:.2} and {:.2}", a / b, b / c);
    assert!(a >= 1.8 * b && b >= 1.8 * c, "{what}: errors {errors:?} do not fall by 1.8 per halving");
}

/// Lets a world come to rest by kinetic damping: whenever its motion has passed its fastest, all stands still. Ends when
/// nothing has moved faster than 1e-5 m/s (or rad/s) for half a second.
pub fn settle(rig: &mut Rig, longest: f64) {
    let dt = rig.world.model().settings().dt;
    let (mut fastest, mut calm) = (0.0, 0.0);
    for _ in 0..(longest / dt) as usize {
        let report = rig.world.step();
        stands(&rig.world, &report, rig.widest);
        let free = |p: &usize| rig.world.model().bodies().at(*p).is_some_and(Body::is_dynamic);
        let moving: Vec<usize> = (0..rig.world.state().bodies.len()).filter(free).collect();
        let speed = |p: &usize| {
            let b = &rig.world.state().bodies[*p];
            b.velocity.length().max(b.angular_velocity.length())
        };
        let speed = moving.iter().map(speed).fold(0.0, f64::max);
        calm = if speed < 1e-5 { calm + dt } else { 0.0 };
        if calm > 0.5 {
            return;
        }
        if report.energy.kinetic < fastest {
            // trailing velocities too: near rest nothing accelerates
            let mut state = rig.world.state().clone();
            for place in moving {
                (state.bodies[place].velocity, state.bodies[place].angular_velocity) =
                    (DVec3::ZERO, DVec3::ZERO);
            }
            rig.world.restore(state).unwrap();
            fastest = 0.0;
        } else {
            fastest = report.energy.kinetic;
        }
    }
    panic!("it does not come to rest in {longest} s");
}

/// A cable's section by its numbers, 10 mm thick.
pub fn section(mass_per_length: f64, stretch: f64, bend: f64, twist: f64) -> Section {
    Section {
        diameter: 0.01,
        mass_per_length,
        stretch,
        bend,
        twist,
        damping: [0.0; 3],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    }
}
