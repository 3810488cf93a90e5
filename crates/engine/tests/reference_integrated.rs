//! One body on springs and rods that have no table of a reference: the same system is integrated here from Newton's and
//! Euler's equations with the constraints' second derivatives, by classical Runge–Kutta with steps of 0.2 ms, and compared with
//! `spook` at its step of 1 ms. Quantities and limits are those of `reference_curves.rs`.
//!
//! 1 kg with moments 0.04, 0.1, 0.1 kg·m² under 9.80665 m/s², for 5 s, compared every 0.01 s.

use crate::kit;
use crate::reference_curves::{QUANTITIES, Sample, apart, sample, wide};

use glam::{DMat3, DQuat, DVec3, DVec4};
use kit::Rig;
use windlass_engine::joint::spring_curve::{CurvedSpring, ForceCurve};
use windlass_engine::math;
use windlass_engine::prelude::*;

const MASS: f64 = 1.0;
const MOMENTS: DVec3 = DVec3::new(0.04, 0.1, 0.1);
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.80665);

/// Steps of the reference between two samples.
const FINE: usize = 50;

/// Pose and velocities of the body.
#[derive(Clone, Copy)]
struct Motion {
    at: DVec3,
    turn: DQuat,
    velocity: DVec3,
    spin: DVec3,
}

/// A scalar condition on accelerations: linear·a + angular·α = value.
#[derive(Clone)]
struct Condition {
    linear: DVec3,
    angular: DVec3,
    value: f64,
}

/// What holds the body to the ground at the origin.
#[derive(Clone, Copy, PartialEq)]
enum Hold {
    /// A spring and damper to the body's point.
    Spring(Law),
    /// A hinge about y through the origin, with a spring and damper about it.
    Turn(Law),
    /// A rod to the body's point.
    Rod,
    /// A rod to the body's point that turns about y at the origin.
    TurningRod,
}

/// F = k₁ x + k₃ x³ + c₁ ẋ + c₂ ẋ |ẋ| with x the stretch beyond rest.
#[derive(Clone, Copy, PartialEq)]
struct Law {
    stiffness: [f64; 2],
    damping: [f64; 2],
    rest: f64,
}

impl Law {
    fn force(&self, value: f64, rate: f64) -> f64 {
        let (x, [k1, k3], [c1, c2]) = (value - self.rest, self.stiffness, self.damping);
        x * (k1 + k3 * x * x) + rate * (c1 + c2 * rate.abs())
    }

    fn energy(&self, value: f64) -> f64 {
        let (x, [k1, k3]) = (value - self.rest, self.stiffness);
        x * x * (0.5 * k1 + 0.25 * k3 * x * x)
    }

    fn axis(&self) -> Axis {
        let ([k1, k3], [c1, c2]) = (self.stiffness, self.damping);
        if [k3, c2] == [0.0; 2] {
            return Axis::with_spring(k1, c1, self.rest);
        }
        let curve = CurvedSpring {
            force: ForceCurve::Polynomial([k1, 0.0, k3]),
            damping: c1,
            quadratic_damping: c2,
            damper: None,
            rest: self.rest,
            hysteresis: Vec::new(),
        };
        Axis { curve: Some(Box::new(curve)), ..Axis::free() }
    }
}

/// A case: how it is held, the body's point in its own axes, and how it starts.
struct Held {
    hold: Hold,
    point: DVec3,
    start: Motion,
}

impl Held {
    fn inertia(motion: &Motion) -> DMat3 {
        let r = DMat3::from_quat(motion.turn);
        r * DMat3::from_diagonal(MOMENTS) * r.transpose()
    }

    /// The angle about y since the start.
    fn angle(&self, motion: &Motion) -> f64 {
        let q = motion.turn * self.start.turn.inverse();
        2.0 * libm::atan2(q.y, q.w)
    }

    /// Acceleration and angular acceleration.
    fn accelerations(&self, m: &Motion) -> (DVec3, DVec3) {
        let (r, inertia) = (m.turn * self.point, Held::inertia(m));
        let (p, rate) = (m.at + r, m.velocity + m.spin.cross(r));
        let centripetal = m.spin.cross(m.spin.cross(r));
        // n·p̈ = value
        let along = |n: DVec3, value: f64| Condition {
            linear: n,
            angular: r.cross(n),
            value: value - n.dot(centripetal),
        };
        let turned = |n: DVec3| Condition { linear: DVec3::ZERO, angular: n, value: 0.0 };
        let (mut force, mut torque) = (GRAVITY * MASS, -m.spin.cross(inertia * m.spin));
        let conditions = match self.hold {
            Hold::Spring(law) => {
                let length = p.length();
                let pull = p / length * -law.force(length, rate.dot(p) / length);
                force += pull;
                torque += r.cross(pull);
                vec![]
            }
            Hold::Turn(law) => {
                torque -= DVec3::Y * law.force(self.angle(m), m.spin.y);
                let mut all = DVec3::AXES.map(|n| along(n, 0.0)).to_vec();
                all.extend([turned(DVec3::X), turned(DVec3::Z)]);
                all
            }
            Hold::Rod => vec![along(p, -rate.length_squared())],
            Hold::TurningRod => vec![along(p, -rate.length_squared()), along(DVec3::Y, 0.0)],
        };
        let inverse = inertia.inverse();
        let (free, turning) = (force / MASS, inverse * torque);
        let matrix = |i: usize, j: usize| {
            let (a, b): (&Condition, &Condition) = (&conditions[i], &conditions[j]);
            a.linear.dot(b.linear) / MASS + a.angular.dot(inverse * b.angular)
        };
        let wanted = |c: &Condition| c.value - c.linear.dot(free) - c.angular.dot(turning);
        let multipliers = solve(conditions.len(), matrix, conditions.iter().map(wanted).collect());
        let (mut a, mut alpha) = (free, turning);
        for (c, l) in conditions.iter().zip(multipliers) {
            a += c.linear * (l / MASS);
            alpha += inverse * c.angular * l;
        }
        (a, alpha)
    }

    /// A step of Runge–Kutta; orientations as quaternions, made unit again.
    fn advance(&self, m: &Motion, h: f64) -> Motion {
        type Rate = (DVec3, DVec4, DVec3, DVec3);
        let rate = |m: &Motion| -> Rate {
            let (a, alpha) = self.accelerations(m);
            let w = DQuat::from_xyzw(m.spin.x, m.spin.y, m.spin.z, 0.0);
            (m.velocity, DVec4::from(w * m.turn) * 0.5, a, alpha)
        };
        let after = |k: &Rate, h: f64| Motion {
            at: m.at + k.0 * h,
            turn: DQuat::from_vec4(DVec4::from(m.turn) + k.1 * h),
            velocity: m.velocity + k.2 * h,
            spin: m.spin + k.3 * h,
        };
        let k1 = rate(m);
        let k2 = rate(&after(&k1, 0.5 * h));
        let k3 = rate(&after(&k2, 0.5 * h));
        let k4 = rate(&after(&k3, h));
        let mean = (
            (k1.0 + (k2.0 + k3.0) * 2.0 + k4.0) / 6.0,
            (k1.1 + (k2.1 + k3.1) * 2.0 + k4.1) / 6.0,
            (k1.2 + (k2.2 + k3.2) * 2.0 + k4.2) / 6.0,
            (k1.3 + (k2.3 + k3.3) * 2.0 + k4.3) / 6.0,
        );
        let end = after(&mean, h);
        Motion { turn: end.turn.normalize(), ..end }
    }

    fn energy(&self, m: &Motion) -> f64 {
        let stored = match self.hold {
            Hold::Spring(law) => law.energy((m.at + m.turn * self.point).length()),
            Hold::Turn(law) => law.energy(self.angle(m)),
            Hold::Rod | Hold::TurningRod => 0.0,
        };
        0.5 * MASS * m.velocity.length_squared() + 0.5 * m.spin.dot(Held::inertia(m) * m.spin)
            - MASS * GRAVITY.dot(m.at)
            + stored
    }

    /// All quantities; the reaction on the ground, at the origin, is what the body's momenta leave of its weight.
    fn sample(&self, m: &Motion) -> Sample {
        let ((a, alpha), inertia) = (self.accelerations(m), Held::inertia(m));
        let force = (a - GRAVITY) * MASS;
        let torque = inertia * alpha + m.spin.cross(inertia * m.spin) + m.at.cross(force);
        [
            wide(m.at),
            wide(m.velocity),
            wide(a),
            DVec4::new(m.turn.w, m.turn.x, m.turn.y, m.turn.z),
            wide(m.spin),
            wide(alpha),
            wide(-force),
            wide(-torque),
            DVec4::ZERO,
            DVec4::X * (self.energy(m) - self.energy(&self.start)),
        ]
    }

    fn reference(&self) -> Vec<Sample> {
        let mut motion = self.start;
        let mut samples = vec![self.sample(&motion)];
        for _ in 0..500 {
            for _ in 0..FINE {
                motion = self.advance(&motion, 0.01 / FINE as f64);
            }
            samples.push(self.sample(&motion));
        }
        samples
    }

    fn simulate(&self, dt: f64) -> Vec<Sample> {
        let mut rig = Rig::new(dt, Integrator::Spook).under(GRAVITY);
        let mass = Mass::principal(MASS, DVec3::ZERO, MOMENTS, DQuat::IDENTITY);
        let Motion { at, turn, velocity, spin } = self.start;
        let body = rig.turned("body", mass, at, turn);
        rig.moving(body, velocity, spin);
        let ground = rig.ground;
        let ends = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, self.point)];
        let length = (at + turn * self.point).length();
        let joints = match self.hold {
            Hold::Spring(law) => vec![rig.joint(Distance { anchors: ends, axis: law.axis() })],
            Hold::Turn(law) => vec![rig.driven_hinge([ground, body], DVec3::ZERO, DVec3::Y, law.axis())],
            Hold::Rod => vec![rig.joint(Distance::rod(ends, length))],
            Hold::TurningRod => {
                let plane = Anchor::frame(ground, DVec3::ZERO, math::facing(DVec3::Y));
                let rod = rig.joint(Distance::rod(ends, length));
                vec![rod, rig.joint(PointOnPlane { anchors: [plane, ends[1]] })]
            }
        };
        let every = (0.01 / dt).round() as usize;
        let (mut samples, mut k, mut start) = (Vec::new(), 0, None);
        rig.run(5.0, |world, _| {
            if k % every == 0 {
                samples.push(sample(world, body, &joints, &mut start));
            }
            k += 1;
        });
        samples
    }

    /// Simulates, prints, and holds the root mean square to the limits.
    fn check(&self, name: &str, dt: f64) {
        let (ours, wanted) = (self.simulate(dt), self.reference());
        assert_eq!(ours.len(), wanted.len());
        println!("{name} dt = {dt}");
        let mut missed = Vec::new();
        for (q, (what, limit, _)) in QUANTITIES.into_iter().enumerate() {
            let theirs: Vec<DVec4> = wanted.iter().map(|s| s[q]).collect();
            let (rms, _) = apart(&signed(&ours, &theirs, q), &theirs);
            let (size, _) = apart(&theirs, &vec![DVec4::ZERO; theirs.len()]);
            println!("  {what:<22} rms {rms:9.2e} of {limit:7.0e}   size {size:9.2e}");
            if !(rms <= limit) {
                missed.push(format!("{what} {rms:.3e} (allowed {limit:.0e})"));
            }
        }
        assert!(missed.is_empty(), "{name}: {}", missed.join(", "));
    }
}

/// A quantity of all samples; q and −q are one orientation, here the one that is nearer.
fn signed(samples: &[Sample], to: &[DVec4], q: usize) -> Vec<DVec4> {
    let nearer = |(s, d): (&Sample, &DVec4)| if q == 3 && s[q].dot(*d) < 0.0 { -s[q] } else { s[q] };
    samples.iter().zip(to).map(nearer).collect()
}

/// Gauss's elimination for a small, definite matrix.
fn solve(n: usize, matrix: impl Fn(usize, usize) -> f64, mut x: Vec<f64>) -> Vec<f64> {
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| matrix(i, j)).collect()).collect();
    for i in 0..n {
        for j in i + 1..n {
            let part = a[j][i] / a[i][i];
            for k in i..n {
                a[j][k] -= part * a[i][k];
            }
            x[j] -= part * x[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| a[i][k] * x[k]).sum();
        x[i] = (x[i] - known) / a[i][i];
    }
    x
}

/// At rest, its point somewhere.
fn resting(at: DVec3, turn: DQuat) -> Motion {
    Motion { at, turn, velocity: DVec3::ZERO, spin: DVec3::ZERO }
}

fn spring() -> Held {
    let law = Law { stiffness: [60.0, 0.0], damping: [1.5, 0.0], rest: 1.0 };
    let start = resting(DVec3::new(0.8, 0.3, -0.6), math::turn(DVec3::X, 0.4));
    Held { hold: Hold::Spring(law), point: DVec3::new(0.1, 0.05, 0.1), start }
}

fn curved_spring() -> Held {
    let law = Law { stiffness: [40.0, 200.0], damping: [0.5, 0.8], rest: 1.0 };
    Held { hold: Hold::Spring(law), ..spring() }
}

fn turning_spring() -> Held {
    let law = Law { stiffness: [25.0, 0.0], damping: [1.2, 0.0], rest: 0.0 };
    let start = resting(DVec3::X * 1.5, DQuat::IDENTITY);
    Held { hold: Hold::Turn(law), point: DVec3::X * -1.5, start }
}

fn rod() -> Held {
    let start = resting(DVec3::new(1.9, 0.4, -0.2), DQuat::IDENTITY);
    Held { hold: Hold::Rod, point: DVec3::new(-0.1, 0.05, 0.02), start }
}

fn turning_rod() -> Held {
    let point = DVec3::new(-0.1, 0.05, 0.02);
    let start = resting(DVec3::new(1.9, 0.0, -0.3) - point, DQuat::IDENTITY);
    Held { hold: Hold::TurningRod, point, start }
}

/// The same, its body spinning about the point, which is at rest.
fn spinning(held: Held) -> Held {
    let (point, spin) = (DVec3::new(-0.1, 0.05, 0.1), DVec3::new(0.5, -0.8, 1.0));
    let at = held.start.at + held.point - point;
    Held { point, start: Motion { at, velocity: -spin.cross(point), spin, ..held.start }, ..held }
}

/// A test of each case.
macro_rules! cases {
    ($($case:ident),*) => {$(
        mod $case {
            #[test]
            fn at_a_millisecond() {
                super::$case().check(stringify!($case), 1e-3);
            }
        }
    )*};
}
cases!(spring, curved_spring, turning_spring, rod, turning_rod);

/// Half the step leaves a quarter of the errors of poses, velocities and energy, for bodies that tumble too: a damper acts on a mean
/// of the spins before and after, and both must be those of their instants.
#[test]
fn all_are_second_order() {
    let spun = [spinning(rod()), spinning(turning_rod())];
    for (k, held) in [spring(), curved_spring(), turning_spring()].into_iter().chain(spun).enumerate() {
        let wanted = held.reference();
        let runs = [1e-3, 5e-4].map(|dt| held.simulate(dt));
        for (q, (what, ..)) in QUANTITIES.into_iter().enumerate().filter(|(q, _)| [0, 1, 3, 4, 9].contains(q))
        {
            let theirs: Vec<DVec4> = wanted.iter().map(|s| s[q]).collect();
            let [coarse, fine] = runs.each_ref().map(|run| apart(&signed(run, &theirs, q), &theirs).0);
            println!("case {k} {what}: {coarse:.2e} {fine:.2e}, ratio {:.2}", coarse / fine);
            assert!(coarse > 3.5 * fine, "case {k} {what}: {coarse:e} {fine:e}");
        }
    }
}

/// The reference itself is exact enough: with half as many steps it differs by less than 1e-7 of anything.
#[test]
fn the_reference_has_converged() {
    for held in [spring(), curved_spring(), turning_spring(), rod(), turning_rod()] {
        let mut motion = held.start;
        for (k, fine) in held.reference().iter().enumerate() {
            let coarse = held.sample(&motion);
            for (a, b) in fine.iter().zip(&coarse) {
                assert!((*a - *b).length() < 1e-7, "sample {k}: {a} {b}");
            }
            for _ in 0..FINE / 2 {
                motion = held.advance(&motion, 0.02 / FINE as f64);
            }
        }
    }
}
