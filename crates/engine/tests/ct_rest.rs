//! Contacts at rest and impacts against closed forms: CT06–CT08, CT10, CT11, CT13–CT15 of the catalogue, and more stacks.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::touch::{add, center, cuboid, empty, fastest, floor, run};
use kit::{Case, G, near_part, told};
use windlass_engine::prelude::*;

/// The two steps of most of these cases.
const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

fn case(id: &str, dt: f64) -> Case {
    Case::new(id, Integrator::Spook, dt)
}

fn cube() -> Shape {
    cuboid(0.1, 0.1, 0.1)
}

#[test]
fn ct06_bouncing_ball() {
    for dt in STEPS {
        let touch = ContactParameters { restitution: 0.8, ..ContactParameters::default() };
        let (mut world, _) = floor(dt, touch);
        let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, 1.1 * DVec3::Z);
        let (mut peaks, mut hits) = (Vec::new(), Vec::new());
        let mut last = world.state().bodies[ball.index()];
        for _ in 0..(3.0 / dt) as usize {
            run(&mut world, dt);
            let now = world.state().bodies[ball.index()];
            if last.velocity.z < 0.0 && now.velocity.z > 0.0 {
                hits.push(world.state().time);
            }
            if last.velocity.z > 0.0 && now.velocity.z <= 0.0 {
                peaks.push(last.position.z.max(now.position.z) - 0.1);
            }
            last = now;
        }
        case("CT06", dt).finds("peak 1", peaks[0]);
        case("CT06", dt).finds("peak 3", peaks[2]);
        case("CT06", dt).finds("third impact", hits[2]);
    }
}

#[test]
fn ct06_a_dead_ball_stays_down() {
    for dt in STEPS {
        let (mut world, _) = floor(dt, ContactParameters::default());
        let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, 1.1 * DVec3::Z);
        run(&mut world, 0.5);
        let mut highest = 0.0_f64;
        for _ in 0..(0.5 / dt) as usize {
            run(&mut world, dt);
            highest = highest.max(center(&world, ball).z - 0.1);
        }
        case("CT06", dt).finds("e=0: rebound", highest);
    }
}

/// A ball that keeps its energy retraces its path: the leapfrog is turned round exactly.
#[test]
fn ct06_elastic_bounces_keep_energy() {
    for dt in STEPS {
        let (mut world, _) =
            floor(dt, ContactParameters { restitution: 1.0, ..ContactParameters::default() });
        add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, 1.1 * DVec3::Z);
        let start = world.step().energy.total();
        let mut end = start;
        for _ in 0..(9.5 / dt) as usize {
            end = run(&mut world, dt).energy.total();
        }
        // the ball's zero of height is its radius
        let (start, end) = (start - 0.1 * G, end - 0.1 * G);
        case("CT06", dt).finds("e=1: energy after 10 bounces", end / start);
    }
}

#[test]
fn ct07_stacks_stand() {
    for count in [10, 30] {
        let (mut world, ground) = floor(1.0 / 60.0, ContactParameters::default());
        let cubes: Vec<BodyId> = (0..count)
            .map(|k| {
                let z = 0.1 + 0.2 * f64::from(k);
                add(&mut world, &format!("cube {k}"), cube(), 1.0, z * DVec3::Z)
            })
            .collect();
        run(&mut world, 10.0);
        let (top, start) = (*cubes.last().unwrap(), center(&world, *cubes.last().unwrap()));
        let mut fast = 0.0_f64;
        for _ in 0..1200 {
            run(&mut world, 1.0 / 60.0);
            fast = fast.max(fastest(&world));
        }
        let force = world.contact_force(ground, cubes[0]).z;
        let rest = DVec3::new(0.0, 0.0, 0.2 * f64::from(count) - 0.1);
        let off = (center(&world, top) - rest).length();
        if count == 10 {
            case("CT07", 1.0 / 60.0).finds("floor force", force);
            case("CT07", 1.0 / 60.0).finds("drift of the top cube", off);
            case("CT07", 1.0 / 60.0).finds("largest speed after 10 s", fast);
        }
        told(&format!("CT07 {count} cubes: fastest"), fast, fast, 1e-9);
        near_part(&format!("CT07 {count} cubes: force"), force, f64::from(count) * G, 1e-3);
        told(&format!("CT07 {count} cubes: top"), off, off, 1e-3);
        let creep = (center(&world, top) - start).length() / 20.0;
        told(&format!("CT07 {count} cubes: creep"), creep, creep, 1e-9);
    }
}

#[test]
fn ct08_heavy_on_light() {
    for masses in [vec![1.0, 1000.0], vec![1.0, 10.0, 100.0, 1000.0], vec![1.0, 1e6]] {
        let (mut world, ground) = floor(1.0 / 60.0, ContactParameters::default());
        let mut cubes = Vec::new();
        for (k, mass) in masses.iter().enumerate() {
            let z = 0.1 + 0.2 * k as f64;
            cubes.push(add(&mut world, &format!("cube {k}"), cube(), *mass, z * DVec3::Z));
        }
        let report = run(&mut world, 10.0);
        let weight = masses.iter().sum::<f64>() * G;
        let force = world.contact_force(ground, cubes[0]).z;
        let names: Vec<String> = masses.iter().map(|m| format!("{m}")).collect();
        if masses == [1.0, 1000.0] {
            case("CT08", 1.0 / 60.0).finds("floor force (1 + 1000)", force);
        }
        let case = case("CT08", 1.0 / 60.0).variant(names.join(", ") + " kg");
        near_part(&format!("CT08 {masses:?}: force"), force, weight, 1e-3);
        let sinks = cubes.iter().enumerate().map(|(k, c)| 0.1 + 0.2 * k as f64 - center(&world, *c).z);
        case.stays("sink of the heavy cube", sinks);
        case.finds("largest speed", fastest(&world));
        assert!(report.penetration < 1e-4);
    }
}

#[test]
fn ct10_cradle_with_gaps() {
    let mut world = empty(1e-3, ContactParameters { restitution: 1.0, ..ContactParameters::rough(0.0) });
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    let ball = Shape::Sphere { radius: 0.05 };
    let balls: Vec<BodyId> = (0..5)
        .map(|k| add(&mut world, &format!("ball {k}"), ball.clone(), 1.0, 0.11 * f64::from(k) * DVec3::X))
        .collect();
    world.set_velocity(balls[0], DVec3::X, DVec3::ZERO).unwrap();
    run(&mut world, 0.2);
    let speeds: Vec<DVec3> = balls.iter().map(|b| world.state().bodies[b.index()].velocity).collect();
    case("CT10", 1e-3).finds("last ball", speeds[4].x);
    case("CT10", 1e-3).stays("the other four", speeds[..4].iter().map(|v| v.length()));
    assert!(speeds[4].y == 0.0 && speeds[4].z == 0.0, "it leaves along the line: {}", speeds[4]);
}

#[test]
fn ct14_sphere_in_a_groove() {
    for dt in STEPS {
        let mut world = empty(dt, ContactParameters::rough(0.0));
        let mut sides = Vec::new();
        for (name, turn) in [("left", 45f64), ("right", -45.0)] {
            let plane = Body::fixed(name).with_collider(Collider::of(Geometry::HalfSpace));
            let turn = DQuat::from_axis_angle(DVec3::Y, turn.to_radians());
            sides.push(world.add_body(plane, DVec3::ZERO, turn).unwrap());
        }
        let ball = add(
            &mut world,
            "ball",
            Shape::Sphere { radius: 0.1 },
            2.0,
            DVec3::Z * 0.1 * std::f64::consts::SQRT_2,
        );
        run(&mut world, 2.0);
        let forces = sides.into_iter().map(|side| world.contact_force(side, ball).length());
        case("CT14", dt).stays("each normal force", forces);
    }
}

#[test]
fn ct15_beam_on_two_supports() {
    for dt in STEPS {
        let mut world = empty(dt, ContactParameters::default());
        let mut supports = Vec::new();
        for (name, x) in [("left", -2.0), ("right", 2.0)] {
            let edge = Shape::Sphere { radius: 0.1 };
            let body = Body::fixed(name).with_collider(Collider::new(edge));
            supports.push(world.add_body(body, DVec3::new(x, 0.0, -0.1), DQuat::IDENTITY).unwrap());
        }
        let plank = Shape::Box { half: DVec3::new(2.1, 0.5, 0.05) };
        // held against rolling over sideways by a second pair of supports
        for (name, x) in [("left too", -2.0), ("right too", 2.0)] {
            let body = Body::fixed(name).with_collider(Collider::new(Shape::Sphere { radius: 0.1 }));
            supports.push(world.add_body(body, DVec3::new(x, 0.3, -0.1), DQuat::IDENTITY).unwrap());
        }
        let plank = add(&mut world, "plank", plank, 10.0, DVec3::new(0.0, 0.15, 0.05));
        let block = cuboid(0.1, 0.1, 0.1);
        add(&mut world, "block", block, 20.0, DVec3::new(-1.0, 0.15, 0.2));
        run(&mut world, 3.0);
        let on = |k: usize| world.contact_force(supports[k], plank).z;
        case("CT15", dt).finds("left reaction", on(0) + on(2));
        case("CT15", dt).finds("right reaction", on(1) + on(3));
    }
}

/// The wedges of a half-circle arch, the two springers fixed.
fn arch(dt: f64, thickness: f64, friction: f64) -> (World, Vec<BodyId>) {
    let mut world = empty(dt, ContactParameters::rough(friction));
    let count = 9;
    let corner = |angle: f64, radius: f64, y: f64| {
        let (s, c) = libm::sincos(angle);
        DVec3::new(radius * c, y, radius * s)
    };
    let mut blocks = Vec::new();
    let step = std::f64::consts::PI / f64::from(count);
    for k in -1..=count {
        let (from, to) = (step * f64::from(k), step * f64::from(k + 1));
        let mut points = Vec::new();
        for angle in [from, to] {
            for radius in [1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness] {
                for y in [-0.1, 0.1] {
                    points.push(corner(angle, radius, y));
                }
            }
        }
        let shape = Shape::Convex { points };
        let fixed = k == -1 || k == count;
        let name = format!("block {k}");
        let body =
            if fixed { Body::fixed(name) } else { Body::dynamic(name, Mass::of(&shape, 2000.0).unwrap()) };
        let id =
            world.add_body(body.with_collider(Collider::new(shape)), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        blocks.push(id);
    }
    (world, blocks)
}

/// How far the crown has moved after some seconds, and whether the arch still stands.
fn crown(thickness: f64, friction: f64, dt: f64, seconds: f64) -> f64 {
    let (mut world, blocks) = arch(dt, thickness, friction);
    let start = center(&world, blocks[5]);
    for _ in 0..(seconds / dt) as usize {
        let report = world.step();
        assert!(report.fault.is_none());
        let moved = (center(&world, blocks[5]) - start).length();
        if moved > 0.1 {
            return moved;
        }
    }
    (center(&world, blocks[5]) - start).length()
}

#[test]
fn ct11_arch_stands_or_falls() {
    let case = case("CT11", 1e-3);
    let (thick, thin) = (crown(0.115, 0.7, 1e-3, 1.0), crown(0.090, 0.7, 1e-3, 3.0));
    case.does("critical t/R, 9 blocks", thick < 5e-4 && thin > 0.05);
    let (rough, smooth) = (crown(0.15, 0.40, 1e-3, 1.0), crown(0.15, 0.28, 1e-3, 3.0));
    case.does("least μ at t/R = 0.15", rough < 5e-4 && smooth > 0.05);
}

/// CT11 close to its limits, t/R = 0.1021 and μ = 0.3335: friction that just suffices is found, under `auto` from the first step on.
#[test]
fn ct11_arch_stands_close_to_its_limits() {
    for (dt, seconds) in [(1.0 / 60.0, 2.0), (1.0 / 240.0, 0.5)] {
        for (thickness, friction) in [(0.15, 0.34), (0.15, 0.35), (0.15, 0.37), (0.103, 0.7)] {
            for solver in [Solver::Auto, Solver::Direct] {
                let (mut world, blocks) = arch(dt, thickness, friction);
                world.set(|s| s.contact.solver = solver).unwrap();
                let start = center(&world, blocks[5]);
                for _ in 0..(seconds / dt) as usize {
                    let report = world.step();
                    assert!(report.fault.is_none() && report.stalled == 0 && report.residual < 1e-6);
                }
                let moved = (center(&world, blocks[5]) - start).length();
                assert!(moved < 1e-7, "t/R {thickness}, μ {friction}, {solver:?}: crown moved {moved} m");
            }
        }
    }
}

/// CT11: ten seconds of standing.
#[test]
fn ct11_arch_does_not_creep() {
    for dt in STEPS {
        case("CT11", dt).finds("crown drift at t/R = 0.15, μ = 0.7, 10 s", crown(0.15, 0.7, dt, 10.0));
    }
}

#[test]
fn ct13_painleve_rod_stays_finite() {
    for dt in STEPS {
        for friction in [1.0, 1.33, 1.5, 2.0] {
            // the lower end slides towards the lean that jams, and away from it
            [3.0, -3.0].into_iter().for_each(|speed| rod_stays_finite(dt, friction, speed));
        }
    }
}

/// A thin capsule, its lower tip on the floor, leaning 63.4° from it over −x.
fn rod_stays_finite(dt: f64, friction: f64, speed: f64) {
    let (mut world, _) = floor(dt, ContactParameters::rough(friction));
    let (radius, half) = (0.005, 0.495);
    let shape = Shape::Capsule { radius, half_length: half };
    let (s, c) = libm::sincos(63.4f64.to_radians());
    let axis = DVec3::new(-c, 0.0, s);
    let body = Body::dynamic("rod", Mass::of_total(&shape, 1.0).unwrap()).with_collider(Collider::new(shape));
    let turn = DQuat::from_rotation_arc(DVec3::Z, axis);
    let rod = world.add_body(body, axis * half + radius * DVec3::Z, turn).unwrap();
    world.set_velocity(rod, speed * DVec3::X, DVec3::ZERO).unwrap();
    let start = world.step().energy.total();
    let (mut gain, mut overlap) = (f64::NEG_INFINITY, 0.0f64);
    for _ in 0..(0.5 / dt) as usize {
        let report = world.step();
        // pushed, it jams; dragged, its own friction all but lifts it off
        assert!(report.fault.is_none() && report.stalled == 0, "solved in part at {} s", report.time);
        (gain, overlap) = (gain.max(report.energy.total() - start), overlap.max(report.penetration));
        for c in &world.state().contacts {
            let across = libm::hypot(c.force.x, c.force.y);
            assert!(across <= friction * c.force.z * (1.0 + 1e-6) + 1e-9, "outside its cone");
        }
    }
    case("CT13", dt).finds("energy gain", gain.max(0.0) / start.abs());
    told(&format!("CT13 μ = {friction} at {dt:.2e}: overlap"), overlap, overlap, 5e-3);
}
