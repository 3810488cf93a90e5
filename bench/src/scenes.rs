//! Scenes that belong to no engine: bodies, joints and where they start. z is up; swings are in the y–z plane.

use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// A rigid body, its frame in its centre of mass along its principal axes.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// [kg]
    pub mass: f64,
    /// Principal moments [kg·m²].
    pub moments: DVec3,
    pub at: DVec3,
    pub orientation: DQuat,
    pub velocity: DVec3,
    pub spin: DVec3,
    /// Half of its edges, where bodies touch [m].
    pub half: DVec3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Ball,
    Hinge,
}

/// A joint at a place of the world as it stands at the start.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    pub form: Form,
    /// Base and moved part; none is the ground.
    pub bodies: [Option<usize>; 2],
    pub at: DVec3,
    /// Of a hinge.
    pub axis: DVec3,
}

/// When the joints of a run count as whole.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// The sum of all gaps at any instant [m].
    Stretch(f64),
    /// Each gap [m].
    Gap(f64),
}

#[derive(Clone, Debug)]
pub struct Scene {
    pub name: String,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub gravity: DVec3,
    pub limit: Limit,
    /// The energy that percentages refer to [J].
    pub drop: f64,
    /// Whether bodies are boxes that touch each other and the floor z = 0.
    pub touching: bool,
}

const GRAVITY: f64 = 10.0;

fn bar_moments(mass: f64, half: DVec3) -> DVec3 {
    let s = half * half;
    DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 3.0)
}

/// The turn about x that takes z to (0, −sin, cos).
fn about_x(angle: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(sin, 0.0, 0.0, cos)
}

/// The orientation whose z axis is a unit vector.
fn along(z: DVec3) -> DQuat {
    let seed = if z.x.abs() < 0.7 { DVec3::X } else { DVec3::Y };
    let x = seed.reject_from(z).normalize();
    DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
}

impl Scene {
    /// Nothing, under gravity.
    pub fn new(name: String) -> Scene {
        let (bodies, joints) = (Vec::new(), Vec::new());
        let gravity = -GRAVITY * DVec3::Z;
        Scene { name, bodies, joints, gravity, limit: Limit::Gap(0.05), drop: 1.0, touching: false }
    }

    fn body(&mut self, mass: f64, moments: DVec3, at: DVec3, orientation: DQuat) -> usize {
        let (velocity, spin, half) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        self.bodies.push(Body { mass, moments, at, orientation, velocity, spin, half });
        self.bodies.len() - 1
    }

    fn ball(&mut self, bodies: [Option<usize>; 2], at: DVec3) {
        self.joints.push(Joint { form: Form::Ball, bodies, at, axis: DVec3::X });
    }

    fn hinge(&mut self, bodies: [Option<usize>; 2], at: DVec3) {
        self.joints.push(Joint { form: Form::Hinge, bodies, at, axis: DVec3::X });
    }

    /// 6 per body and the rows of its joints.
    pub fn variables(&self) -> usize {
        let rows = |j: &Joint| if j.form == Form::Ball { 3 } else { 5 };
        6 * self.bodies.len() + self.joints.iter().map(rows).sum::<usize>()
    }

    /// No weight, a random push to everything: moves in every way it can, under tensions that do not grow with its
    /// size. The first step makes the velocities fit the joints. A planar ring is pushed less: as a hoop it is stiff,
    /// and at 1 m/s its tension passes what a step of 1/60 s can follow.
    fn stirred(mut self, dice: &mut Dice, planar: bool) -> Scene {
        self.gravity = DVec3::ZERO;
        let keep =
            if planar { (DVec3::new(0.0, 0.3, 0.3), DVec3::X * 0.3) } else { (DVec3::ONE, DVec3::ONE) };
        for body in &mut self.bodies {
            body.velocity = dice.direction() * keep.0;
            body.spin = dice.direction() * keep.1;
        }
        self
    }
}

/// A cable of n cylinders of 1 kg, 10 m long in all, leaning by 30°, with a load of so many kg at its end.
pub fn hoist(n: usize, load: f64) -> Scene {
    let mut scene = Scene::new(format!("hoist N={n} R={load}"));
    let (length, radius, lean) = (10.0, 0.05, PI / 6.0);
    let (down, orientation) = (DVec3::new(0.0, libm::sin(lean), -libm::cos(lean)), about_x(lean));
    let link = length / n as f64;
    let across = (3.0 * radius * radius + link * link) / 12.0;
    let moments = DVec3::new(across, across, 0.5 * radius * radius);
    let mut last = None;
    for i in 0..n {
        let body = scene.body(1.0, moments, down * ((i as f64 + 0.5) * link), orientation);
        scene.ball([last, Some(body)], down * (i as f64 * link));
        last = Some(body);
    }
    let end = down * length;
    let body = scene.body(load, DVec3::splat(0.4 * load * 0.25 * 0.25), end, orientation);
    scene.ball([last, Some(body)], end);
    scene.limit = Limit::Stretch(0.01 * length);
    // from here to hanging straight down
    scene.drop = scene.bodies.iter().map(|b| b.mass * GRAVITY * (b.at.z + b.at.length())).sum();
    scene
}

/// A regular polygon of hinged links that falls together; its top link is the ground.
pub fn ring(n: usize) -> Scene {
    let mut scene = Scene::new(format!("ring n={n}"));
    let (link, half) = (0.5, DVec3::new(0.05, 0.25, 0.05));
    let radius = link / (2.0 * libm::sin(PI / n as f64));
    let corner = |k: usize| {
        let (sin, cos) = libm::sincos(TAU * (k as f64 - 0.5) / n as f64);
        radius * DVec3::new(0.0, sin, cos)
    };
    let mut last = None;
    for k in 1..n {
        let (from, to) = (corner(k), corner(k + 1));
        let turn = about_x(libm::atan2(to.z - from.z, to.y - from.y));
        let body = scene.body(1.0, bar_moments(1.0, half), 0.5 * (from + to), turn);
        scene.hinge([last, Some(body)], from);
        last = Some(body);
    }
    scene.hinge([last, None], corner(n));
    // half of what it would give by falling two radii below its middle
    scene.drop = 0.5 * scene.bodies.iter().map(|b| GRAVITY * (b.at.z + 2.0 * radius)).sum::<f64>();
    scene
}

/// Two links of 1 m on hinges, released straight out.
pub fn double_pendulum() -> Scene {
    let mut scene = Scene::new("double pendulum".to_string());
    let moments = bar_moments(1.0, DVec3::new(0.05, 0.5, 0.05));
    let mut last = None;
    for k in 0..2 {
        let from = f64::from(k) * DVec3::Y;
        let body = scene.body(1.0, moments, from + 0.5 * DVec3::Y, DQuat::IDENTITY);
        scene.hinge([last, Some(body)], from);
        last = Some(body);
    }
    // from here to hanging straight down
    scene.drop = GRAVITY * (0.5 + 1.5);
    scene
}

/// The same ring, stirred in its plane.
pub fn stirred_ring(n: usize) -> Scene {
    ring(n).stirred(&mut Dice(n as u64), true)
}

/// Links of 1 m on ball joints, each from the far end of its parent.
fn branching(name: String, n: usize, mut parent: impl FnMut(&mut Dice, usize) -> usize, stiff: f64) -> Scene {
    let mut scene = Scene::new(name);
    let (mut dice, moments) = (Dice(n as u64), bar_moments(1.0, DVec3::new(0.05, 0.05, 0.5)));
    let mut ends: Vec<(DVec3, DVec3)> = Vec::new();
    for k in 0..n {
        let parent = (k > 0).then(|| parent(&mut dice, k));
        let (start, course) = parent.map_or((DVec3::ZERO, DVec3::Y), |p| ends[p]);
        let course = (stiff * course + dice.direction()).normalize_or(DVec3::Y);
        let body = scene.body(1.0, moments, start + 0.5 * course, along(course));
        scene.ball([parent, Some(body)], start);
        ends.push((start + course, course));
    }
    scene.stirred(&mut dice, false)
}

/// A chain on ball joints along a wandering line, stirred.
pub fn chain(n: usize) -> Scene {
    branching(format!("chain n={n}"), n, |_, k| k - 1, 2.0)
}

/// A tree on ball joints, each link on a random earlier one, stirred.
pub fn tree(n: usize) -> Scene {
    branching(format!("tree n={n}"), n, |dice, k| dice.below(k), 0.0)
}

/// A necklace of n pieces and n ball joints that hangs on nothing, stirred: 9 n variables, as the closed kinematic
/// chains of Tasora 2001, Table 2.
pub fn necklace(n: usize) -> Scene {
    let mut scene = Scene::new(format!("necklace n={n}"));
    let radius = 0.5 / libm::sin(PI / n as f64);
    let corner = |k: usize| {
        let (sin, cos) = libm::sincos(TAU * k as f64 / n as f64);
        // out of the plane, that all its joints may turn
        DVec3::new(radius * cos, radius * sin, if k.is_multiple_of(2) { 0.2 } else { -0.2 })
    };
    let moments = bar_moments(1.0, DVec3::new(0.05, 0.05, 0.5));
    for k in 0..n {
        let (from, to) = (corner(k), corner((k + 1) % n));
        scene.body(1.0, moments, 0.5 * (from + to), along((to - from).normalize()));
    }
    for k in 0..n {
        scene.ball([Some((k + n - 1) % n), Some(k)], corner(k));
    }
    scene.stirred(&mut Dice(n as u64), false)
}

/// The same throws on every run (splitmix64, Steele, Lea & Flood 2014).
struct Dice(u64);

impl Dice {
    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In −1 … 1.
    fn number(&mut self) -> f64 {
        (self.throw() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.throw() % count as u64) as usize
    }

    /// A unit vector.
    fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.number(), self.number(), self.number());
            if (0.01..=1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_join_what_they_should() {
        assert_eq!((chain(7).joints.len(), tree(7).joints.len(), ring(7).joints.len()), (7, 7, 7));
        assert_eq!((necklace(20).variables(), necklace(40).variables()), (180, 360));
        for scene in [hoist(5, 10.0), double_pendulum(), ring(9), chain(9), tree(9), necklace(9)] {
            // every joint is half a link away from the centres it joins, or in the load's
            for joint in &scene.joints {
                for body in joint.bodies.iter().flatten() {
                    let arm = scene.bodies[*body].orientation.inverse() * (joint.at - scene.bodies[*body].at);
                    let across = arm.abs().to_array().iter().filter(|x| **x > 1e-9).count();
                    assert!(across <= 1, "{}: {arm}", scene.name);
                }
            }
        }
    }
}
