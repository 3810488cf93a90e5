//! Contact: piles against Rapier, the direct solver against the number of contacts, a machine on its feet.
//!
//! A pile is a block of boxes or spheres with small gaps, each layer shifted, let fall into a pit of five planes. Both
//! engines run as shipped (ours: `auto`, which sweeps a pile; Rapier: 4 iterations) at 1/60 s without sleep, a frame of
//! one after a frame of the other. Depths are measured from the poses with the same code: spheres exactly, boxes by
//! parry's manifolds, planes exactly.

use crate::judge::FRAME;
use crate::measure::{Samples, exponent, timed};
use crate::row;
use crate::table::Table;
use glam::{DQuat, DVec3};
use rapier3d_f64::parry;
use rapier3d_f64::prelude as r;
use windlass_engine::prelude::*;

/// Half of a box, radius of a sphere [m].
const SIZE: f64 = 0.1;
/// [kg/m³]
const DENSITY: f64 = 1000.0;

/// What a pile is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stone {
    Box,
    Sphere,
}

impl Stone {
    fn shape(self) -> Shape {
        match self {
            Stone::Box => Shape::Box { half: DVec3::splat(SIZE) },
            Stone::Sphere => Shape::Sphere { radius: SIZE },
        }
    }

    fn collider(self) -> r::ColliderBuilder {
        match self {
            Stone::Box => r::ColliderBuilder::cuboid(SIZE, SIZE, SIZE),
            Stone::Sphere => r::ColliderBuilder::ball(SIZE),
        }
        .density(DENSITY)
        .friction(0.5)
    }
}

/// Where the stones of a pile start, and half the width of its pit.
fn start(count: usize) -> (Vec<DVec3>, f64) {
    let side = (count as f64).cbrt().ceil() as usize;
    let pitch = 2.2 * SIZE;
    let half = 0.5 * pitch * side as f64 + 2.0 * SIZE;
    let place = |k: usize| {
        let (i, j, l) = (k % side, k / side % side, k / side / side);
        // layers stand a little beside each other, or they would be towers
        let shift = 0.3 * SIZE * if l % 2 == 0 { 1.0 } else { -1.0 };
        let across = |n: usize| pitch * (n as f64 - 0.5 * (side as f64 - 1.0)) + shift;
        DVec3::new(across(i), across(j), SIZE + 0.02 + pitch * l as f64)
    };
    ((0..count).map(place).collect(), half)
}

/// Planes of a pit: a point and the normal of each.
fn pit(half: f64) -> [(DVec3, DVec3); 5] {
    let wall = |n: DVec3| (-half * n, n);
    [(DVec3::ZERO, DVec3::Z), wall(DVec3::X), wall(-DVec3::X), wall(DVec3::Y), wall(-DVec3::Y)]
}

fn ours(stone: Stone, places: &[DVec3], half: f64) -> (World, Vec<BodyId>) {
    let mut world = World::default();
    for (at, n) in pit(half) {
        let plane = Body::fixed("plane").with_collider(Collider::of(Geometry::HalfSpace));
        world.add_body(plane, at, DQuat::from_rotation_arc(DVec3::Z, n)).expect("a plane");
    }
    let mass = Mass::of(&stone.shape(), DENSITY).expect("a stone has mass");
    let add = |at: &DVec3| {
        let body = Body::dynamic("stone", mass).with_collider(Collider::new(stone.shape()));
        world.add_body(body, *at, DQuat::IDENTITY).expect("a stone")
    };
    let stones = places.iter().map(add).collect();
    (world, stones)
}

fn theirs(stone: Stone, places: &[DVec3], half: f64) -> (r::PhysicsWorld, Vec<r::RigidBodyHandle>) {
    let mut world = r::PhysicsWorld::new();
    world.gravity = -9.81 * DVec3::Z;
    world.integration_parameters.dt = FRAME;
    for (at, n) in pit(half) {
        let ground = world.insert_body(r::RigidBodyBuilder::fixed().translation(at));
        let plane = r::ColliderBuilder::new(r::SharedShape::halfspace(n)).friction(0.5);
        world.insert_collider(plane, Some(ground));
    }
    let add = |at: &DVec3| {
        let body = world.insert_body(r::RigidBodyBuilder::dynamic().translation(*at).can_sleep(false));
        world.insert_collider(stone.collider(), Some(body));
        body
    };
    let stones = places.iter().map(add).collect();
    (world, stones)
}

/// How deep stones are in each other and in the pit [m]: the deepest, and the mean over all that overlap.
fn depths(stone: Stone, half: f64, poses: &[(DVec3, DQuat)]) -> (f64, f64) {
    let mut found = Vec::new();
    let reach = match stone {
        Stone::Box => SIZE * 3f64.sqrt(),
        Stone::Sphere => SIZE,
    };
    let cuboid = parry::shape::Cuboid::new(DVec3::splat(SIZE));
    // a grid of cells as wide as a stone can reach
    let cell = |p: DVec3| (p / (2.0 * reach)).floor().as_i64vec3();
    let mut cells = std::collections::BTreeMap::<[i64; 3], Vec<usize>>::new();
    for (k, (p, _)) in poses.iter().enumerate() {
        cells.entry(cell(*p).to_array()).or_default().push(k);
    }
    for (k, (p, q)) in poses.iter().enumerate() {
        for (at, n) in pit(half) {
            let height = n.dot(*p - at);
            let below = match stone {
                Stone::Sphere => SIZE - height,
                Stone::Box => SIZE * (q.inverse() * n).abs().element_sum() - height,
            };
            found.push(below);
        }
        let c = cell(*p).to_array();
        for i in 0..27 {
            let near = [c[0] + i % 3 - 1, c[1] + i / 3 % 3 - 1, c[2] + i / 9 - 1];
            for other in cells.get(&near).into_iter().flatten().filter(|other| **other > k) {
                let (p2, q2) = poses[*other];
                let below = match stone {
                    Stone::Sphere => 2.0 * SIZE - (p2 - *p).length(),
                    Stone::Box => {
                        let [a, b] = [(*p, *q), (p2, q2)].map(|(p, q)| parry::math::Pose::from_parts(p, q));
                        let contact = parry::query::contact(&a, &cuboid, &b, &cuboid, 0.0);
                        contact.ok().flatten().map_or(0.0, |c| -c.dist)
                    }
                };
                found.push(below);
            }
        }
    }
    let deep: Vec<f64> = found.into_iter().filter(|d| *d > 0.0).collect();
    let mean = deep.iter().sum::<f64>() / deep.len().max(1) as f64;
    (deep.iter().copied().fold(0.0, f64::max), mean)
}

/// Piles against Rapier.
fn piles(quick: bool) -> Table {
    let mut table = Table::new(
        "contact: a pile falls into a pit and settles, per step of 1/60 s [ms], CPU time; depths [mm] at the end",
        &[
            "stones",
            "of",
            "ours",
            "Rapier",
            "ours/Rapier",
            "our depth",
            "their depth",
            "our mean",
            "their mean",
            "points",
        ],
    );
    let counts: &[usize] = if quick { &[100] } else { &[100, 500, 1000, 2000, 5000] };
    let steps = if quick { 30 } else { 240 };
    for stone in [Stone::Box, Stone::Sphere] {
        for count in counts {
            let (places, half) = start(*count);
            let (mut world, stones) = ours(stone, &places, half);
            let (mut rapier, handles) = theirs(stone, &places, half);
            let (mut a, mut b) = (Samples::default(), Samples::default());
            let mut points = 0;
            for _ in 0..steps {
                let mut report = None;
                a.push(timed(|| report = Some(world.step())));
                points = report.map_or(0, |r| r.contacts);
                b.push(timed(|| rapier.step()));
            }
            let mine: Vec<_> = stones
                .iter()
                .map(|s| &world.state().bodies[s.index()])
                .map(|s| (s.position, s.orientation))
                .collect();
            let other: Vec<_> = handles
                .iter()
                .map(|h| &rapier.bodies[*h])
                .map(|s| (s.translation(), *s.rotation()))
                .collect();
            let ((d1, m1), (d2, m2)) = (depths(stone, half, &mine), depths(stone, half, &other));
            let of = if stone == Stone::Box { "boxes" } else { "spheres" };
            let (ours, theirs) = (a.median() / 1e3, b.median() / 1e3);
            table.push(row![
                *count,
                of,
                ours,
                theirs,
                ours / theirs,
                1e3 * d1,
                1e3 * d2,
                1e3 * m1,
                1e3 * m2,
                points
            ]);
        }
    }
    table.note(format!("Median over {steps} steps, fall and rest together; CPU time of all threads."));
    table
}

/// Towers solved directly.
fn towers(quick: bool) -> Table {
    let mut table = Table::new(
        "contact: a tower of boxes at rest, solved directly, per step [µs], CPU time",
        &["boxes", "points", "rows", "step", "solve", "factors"],
    );
    let counts: &[usize] = if quick { &[2, 10] } else { &[2, 5, 10, 20, 50, 100, 200] };
    let mut costs = Vec::new();
    for count in counts {
        let mut world = World::default();
        world.set(|s| s.contact.solver = Solver::Direct).expect("a setting");
        let ground = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
        world.add_body(ground, DVec3::ZERO, DQuat::IDENTITY).expect("a floor");
        let mass = Mass::of(&Stone::Box.shape(), DENSITY).expect("a box");
        for k in 0..*count {
            let body = Body::dynamic("box", mass).with_collider(Collider::new(Stone::Box.shape()));
            let z = SIZE * (2.0 * k as f64 + 1.0);
            world.add_body(body, z * DVec3::Z, DQuat::IDENTITY).expect("a box");
        }
        (0..60).for_each(|_| drop(world.step()));
        let (mut step, mut solve) = (Samples::default(), Samples::default());
        let mut last = Report::default();
        for _ in 0..if quick { 10 } else { 200 } {
            step.push(timed(|| last = world.step()));
            solve.push(last.timing.solve.as_secs_f64() * 1e6);
        }
        costs.push((*count as f64, step.median()));
        let factors = last.factors as usize;
        table.push(row![*count, last.contacts, last.rows, step.median(), solve.median(), factors]);
    }
    table.note(format!("Exponent over all sizes: {:.2}.", exponent(&costs)));
    table
}

/// A walking machine of 20 bodies on its feet: a deck, six legs of three links, a mast.
fn machine(quick: bool) -> Table {
    let mut world = World::default();
    let ground = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
    world.add_body(ground, DVec3::ZERO, DQuat::IDENTITY).expect("a floor");
    let add = |world: &mut World, half: DVec3, at: DVec3| {
        let shape = Shape::Box { half };
        let mass = Mass::of(&shape, DENSITY).expect("a link");
        world.add_body(Body::dynamic("link", mass).with_collider(Collider::new(shape)), at, DQuat::IDENTITY)
    };
    let hold = |world: &mut World, a: BodyId, b: BodyId, at: DVec3| {
        let anchors = [a, b].map(|body| {
            let origin = world.state().bodies[body.index()].position;
            Anchor::point(body, at - origin)
        });
        let spring = Spring::new(2e4, 400.0);
        let axis = Axis::driven(Drive::Position { target: 0.0, spring, force: 1e4 });
        world.add_joint(Joint::new("joint", Hinge { anchors, axis })).expect("a joint");
    };
    let deck = add(&mut world, DVec3::new(1.0, 0.4, 0.1), 0.85 * DVec3::Z).expect("a deck");
    for side in [-1.0, 1.0] {
        for x in [-0.8, 0.0, 0.8] {
            let y = 0.55 * side;
            let [hip, thigh, foot] = [(0.08, 0.80), (0.3, 0.42), (0.06, 0.06)].map(|(half, z)| {
                add(&mut world, DVec3::new(0.1, 0.1, half), DVec3::new(x, y, z)).expect("a link")
            });
            hold(&mut world, deck, hip, DVec3::new(x, 0.42 * side, 0.85));
            hold(&mut world, hip, thigh, DVec3::new(x, y, 0.72));
            hold(&mut world, thigh, foot, DVec3::new(x, y, 0.12));
        }
    }
    let mast = add(&mut world, DVec3::new(0.05, 0.05, 0.5), 1.46 * DVec3::Z).expect("a mast");
    hold(&mut world, deck, mast, 0.95 * DVec3::Z);
    (0..120).for_each(|_| drop(world.step()));
    let mut step = Samples::default();
    let mut last = Report::default();
    for _ in 0..if quick { 20 } else { 600 } {
        step.push(timed(|| last = world.step()));
    }
    let mut table = Table::new(
        "contact: a machine of 20 bodies on six feet, direct, one thread",
        &["bodies", "rows", "points", "step [µs]", "times real time"],
    );
    table.push(row![20usize, last.rows, last.contacts, step.median(), FRAME * 1e6 / step.median()]);
    table
}

pub fn run(quick: bool) -> Vec<Table> {
    vec![piles(quick), towers(quick), machine(quick)]
}
