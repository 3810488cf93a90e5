//! What the tests of contact share: one collider of every form, two-body worlds, random poses.
use glam::{DQuat, DVec3, dvec3};
use windlass_engine::collide::{CollisionWork, collide};
use windlass_engine::contact::{Contact, Contacts};
use windlass_engine::prelude::*;

/// Plain random numbers (xorshift), the same on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Between −1 and 1.
    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        dvec3(self.number(), self.number(), self.number())
    }

    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length() < 1.0 && v.length() > 0.1 {
                return v.normalize();
            }
        }
    }

    pub fn turn(&mut self) -> DQuat {
        loop {
            let q = DQuat::from_xyzw(self.number(), self.number(), self.number(), self.number());
            if q.length() < 1.0 && q.length() > 0.1 {
                return q.normalize();
            }
        }
    }
}

/// Corners and triangles of a box, outward.
pub fn box_mesh(half: DVec3, at: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let sign = |k: u32, bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let vertices = (0..8).map(|k| at + half * dvec3(sign(k, 0), sign(k, 1), sign(k, 2))).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    (vertices, triangles)
}

/// Twelve points on no simple solid.
pub fn cloud() -> Vec<DVec3> {
    let mut dice = Dice::new(7);
    (0..12).map(|_| dice.direction() * dvec3(0.5, 0.4, 0.3)).collect()
}

/// A hill of heights on a grid of n × n points over 4 m × 4 m.
pub fn hill(n: usize) -> Geometry {
    let s = 4.0 / (n as f64 - 1.0);
    let height = |i: usize, j: usize| {
        let (x, y) = (i as f64 * s - 2.0, j as f64 * s - 2.0);
        0.3 * libm::sin(1.3 * x) * libm::cos(0.9 * y)
    };
    let heights = (0..n * n).map(|k| height(k % n, k / n)).collect();
    Geometry::HeightField { heights, columns: n, spacing: [s, s] }
}

/// The same as triangles.
pub fn hill_surface(n: usize) -> Geometry {
    let Geometry::HeightField { heights, columns, spacing } = hill(n) else { unreachable!() };
    grid_surface(&heights, columns, spacing[0])
}

/// Heights on a square grid as triangles.
pub fn grid_surface(heights: &[f64], n: usize, s: f64) -> Geometry {
    let half = 0.5 * (n as f64 - 1.0);
    let vertices = (0..n * n)
        .map(|k| dvec3(((k % n) as f64 - half) * s, ((k / n) as f64 - half) * s, heights[k]))
        .collect();
    let mut triangles = Vec::new();
    for j in 0..n - 1 {
        for i in 0..n - 1 {
            let a = (i + j * n) as u32;
            let n = n as u32;
            triangles.extend([[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]);
        }
    }
    Geometry::Surface { vertices, triangles }
}

pub const KINDS: [&str; 11] =
    ["sphere", "box", "cylinder", "cone", "capsule", "plane", "hull", "mesh", "surface", "field", "compound"];

/// One collider of every form, none larger than a metre but for grounds.
pub fn geometry(kind: &str) -> Geometry {
    let (vertices, triangles) = box_mesh(dvec3(0.35, 0.25, 0.2), dvec3(0.05, 0.0, 0.0));
    let bar = Shape::Box { half: dvec3(0.4, 0.1, 0.1) };
    let ball = Shape::Sphere { radius: 0.2 };
    match kind {
        "sphere" => Geometry::Solid(Shape::Sphere { radius: 0.3 }),
        "box" => Geometry::Solid(Shape::Box { half: dvec3(0.3, 0.2, 0.4) }),
        "cylinder" => Geometry::Solid(Shape::Cylinder { radius: 0.25, half_length: 0.3 }),
        "cone" => Geometry::Solid(Shape::Cone { radius: 0.3, half_height: 0.3 }),
        "capsule" => Geometry::Solid(Shape::Capsule { radius: 0.15, half_length: 0.3 }),
        "plane" => Geometry::HalfSpace,
        "hull" => Geometry::Solid(Shape::Convex { points: cloud() }),
        "mesh" => Geometry::Solid(Shape::Mesh { vertices, triangles }),
        "surface" => hill_surface(9),
        "field" => hill(9),
        "compound" => Geometry::Solid(Shape::Compound {
            parts: vec![(DVec3::ZERO, DQuat::IDENTITY, bar), (dvec3(0.4, 0.0, 0.1), DQuat::IDENTITY, ball)],
        }),
        _ => unreachable!("{kind}"),
    }
}

/// Forms that are ground: of no depth, or without end.
pub fn is_ground(kind: &str) -> bool {
    matches!(kind, "plane" | "surface" | "field")
}

pub fn mass() -> Mass {
    Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap()
}

/// Free bodies at poses, at rest, without gravity.
pub fn bodies(all: &[(Collider, DVec3, DQuat)]) -> World {
    let mut world = World::default();
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    for (collider, at, turn) in all {
        world.add_body(Body::dynamic("b", mass()).with_collider(collider.clone()), *at, *turn).unwrap();
    }
    world
}

pub fn contacts(world: &World) -> Contacts {
    let mut out = Contacts::default();
    collide(world.model(), world.state(), &mut CollisionWork::default(), &mut out);
    out
}

/// The contacts of two bodies.
pub fn between(a: (Collider, DVec3, DQuat), b: (Collider, DVec3, DQuat)) -> Vec<Contact> {
    contacts(&bodies(&[a, b])).list
}

/// The smallest gap.
pub fn least(list: &[Contact]) -> Option<f64> {
    list.iter().map(|c| c.gap).min_by(f64::total_cmp)
}
