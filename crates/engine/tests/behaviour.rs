//! What joints and worlds do beyond holding: break, sleep, count turns, refuse to diverge, take hooks.

use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use windlass_engine::prelude::*;

fn ground_and(world: &mut World, mass: Mass, at: DVec3) -> (BodyId, BodyId) {
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let body = world.add_body(Body::dynamic("body", mass), at, DQuat::IDENTITY).unwrap();
    (ground, body)
}

fn ball(mass: f64) -> Mass {
    Mass::of_total(&Shape::Sphere { radius: 0.1 }, mass).unwrap()
}

/// A weld bears up to its strength: 10 N of 9.81 holds, 9.8 N breaks in the first step, and the body falls.
#[test]
fn a_joint_breaks_above_its_strength_and_not_below() {
    for (force, breaks) in [(10.0, false), (9.8, true)] {
        let mut world = World::default();
        let (ground, body) = ground_and(&mut world, ball(1.0), DVec3::ZERO);
        let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
        let strength = Some(Strength { force, torque: f64::INFINITY });
        let id = world.add_joint(Joint { strength, ..Joint::new("weld", Weld { anchors }) }).unwrap();
        let broken: usize = (0..60).map(|_| world.step().broken).sum();
        assert_eq!(broken, usize::from(breaks));
        assert_eq!(world.state().joints[id.index()].broken, breaks);
        assert_eq!(world.state().bodies[body.index()].position.z < -1.0, breaks);
    }
}

/// The same about a horizontal axis: a weight on an arm of 1 m loads its weld with 9.81 N·m.
#[test]
fn a_joint_breaks_above_its_torque_and_not_below() {
    for (torque, breaks) in [(9.9, false), (9.8, true)] {
        let mut world = World::default();
        let (ground, body) = ground_and(&mut world, ball(1.0), DVec3::X);
        let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, -DVec3::X)];
        let strength = Some(Strength { force: f64::INFINITY, torque });
        let id = world.add_joint(Joint { strength, ..Joint::new("weld", Weld { anchors }) }).unwrap();
        let broken: usize = (0..60).map(|_| world.step().broken).sum();
        assert_eq!(
            (broken, world.state().joints[id.index()].broken),
            (usize::from(breaks), breaks),
            "{torque} N·m"
        );
    }
}

/// An island at rest sleeps, costs nothing, and wakes for an edit and for a force that begins later.
#[test]
fn islands_sleep_and_wake() {
    let mut world = World::default();
    world.set(|s| s.sleep = Some(Sleep::default())).unwrap();
    let (ground, body) = ground_and(&mut world, ball(1.0), -DVec3::Z);
    let rope = Distance::rod([Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)], 1.0);
    world.add_joint(Joint::new("rope", rope)).unwrap();
    let push = Applied::force(Anchor::point(body, DVec3::ZERO), Direction::World(DVec3::X));
    world.add_force(Force::Applied(push.during(2.0, 3.0))).unwrap();
    let asleep = |world: &World| world.state().bodies[body.index()].asleep;
    let run = |world: &mut World, until: f64| {
        while world.state().time < until - 1e-9 {
            world.step();
        }
    };
    run(&mut world, 1.0);
    assert!(asleep(&world));
    run(&mut world, 1.9);
    assert!(asleep(&world));
    run(&mut world, 2.1);
    assert!(!asleep(&world) && world.state().bodies[body.index()].velocity.x > 0.01);

    let mut world = World::default();
    world.set(|s| s.sleep = Some(Sleep::default())).unwrap();
    let (ground, body) = ground_and(&mut world, ball(1.0), DVec3::ZERO);
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
    let hinge = world.add_joint(Joint::new("hinge", Hinge { anchors, axis: Axis::free() })).unwrap();
    run(&mut world, 1.0);
    assert!(world.state().bodies[body.index()].asleep);
    world.edit(Edit::SetDrive { joint: hinge, coordinate: 0, drive: Drive::motor(1.0, 10.0) }).unwrap();
    run(&mut world, 2.0);
    let spin = world.state().bodies[body.index()].angular_velocity.z;
    assert!((spin - 1.0).abs() < 1e-9, "a running motor does not fall asleep: {spin}");
}

/// Ten turns are ten turns, both ways, in every stepper.
#[test]
fn turns_are_counted() {
    for stepper in [Integrator::Spook, Integrator::Projected, Integrator::DormandPrince(Adaptive::default())]
    {
        for speed in [TAU, -TAU] {
            let mut world = World::default();
            world.set(|s| (s.integrator, s.dt) = (stepper, 0.01)).unwrap();
            let (ground, body) = ground_and(&mut world, ball(1.0), DVec3::ZERO);
            let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
            let axis = Axis::driven(Drive::Prescribed(Motion::Ramp { start: 0.0, speed }));
            let hinge = world.add_joint(Joint::new("hinge", Hinge { anchors, axis })).unwrap();
            world.set_velocity(body, DVec3::ZERO, DVec3::Z * speed).unwrap();
            (0..1000).for_each(|_| drop(world.step()));
            let angle = world.coordinate(hinge, 0).unwrap();
            assert!((angle - 10.0 * speed).abs() < 1e-8, "{stepper:?}: {angle}");
            let seen = world.inspect().coordinate(hinge, 0).unwrap();
            assert!((seen.value - angle).abs() < 1e-12 && (seen.speed - speed).abs() < 1e-7);
        }
    }
}

/// A force of 1e300 N is reported with body, joint and time; the last good state stays and the world goes on.
#[test]
fn a_diverging_step_is_not_taken() {
    for (force, kind) in [(1e300, FaultKind::Diverged), (f64::MAX, FaultKind::NotFinite)] {
        let mut world = World::default();
        let (ground, body) = ground_and(&mut world, ball(1e-3), DVec3::X);
        let rope = Distance::spring(
            [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)],
            1.0,
            0.0,
            1.0,
        );
        world.add_joint(Joint::new("spring", rope)).unwrap();
        (0..5).for_each(|_| drop(world.step()));
        let good = world.state().clone();
        let at = Anchor::point(body, DVec3::ZERO);
        let undo = world
            .edit(Edit::AddForce(Box::new(Force::Applied(Applied::force(
                at,
                Direction::World(DVec3::X * force),
            )))))
            .unwrap();
        for _ in 0..3 {
            let fault = world.step().fault.expect("a fault");
            assert_eq!((fault.body.as_str(), fault.joint.as_deref()), ("body", Some("spring")));
            assert_eq!((fault.step, fault.kind), (5, kind), "{fault}");
            assert_eq!(world.state().to_bytes(), good.to_bytes());
        }
        world.edit(undo).unwrap();
        assert!(world.step().fault.is_none());
    }
}

/// Gravity off, a force in body axes, a torque, a force toward a point, each against Newton's law in free flight.
#[test]
fn applied_forces_act_where_and_when_they_are_told() {
    let mut world = World::default();
    world.set(|s| s.dt = 1e-3).unwrap();
    let mass = Mass::principal(2.0, DVec3::ZERO, DVec3::new(0.4, 0.5, 0.6), DQuat::IDENTITY);
    let mut body = Body::dynamic("body", mass);
    body.gravity = false;
    let turned = windlass_engine::math::turn(DVec3::Z, TAU / 4.0);
    let id = world.add_body(body, DVec3::ZERO, turned).unwrap();
    let star = world.add_body(Body::fixed("star"), DVec3::new(0.0, 0.0, 5e6), DQuat::IDENTITY).unwrap();
    let center = Anchor::point(id, DVec3::ZERO);
    let forces = [
        Applied::force(center, Direction::Body(DVec3::X * 4.0)).during(0.0, 0.5),
        Applied::force(center, Direction::Toward(Anchor::point(star, DVec3::ZERO), 3.0)),
        Applied::torque(id, Direction::World(DVec3::Z * 0.6)).during(0.5, 1.0),
    ];
    for force in forces {
        world.add_force(Force::Applied(force)).unwrap();
    }
    (0..1000).for_each(|_| drop(world.step()));
    let inspection = world.inspect();
    let twist = inspection.body(id).unwrap().twist;
    // body x is world y: 4 N for 0.5 s on 2 kg, its end met to half a step (1e-3 m/s); 3 N up for 1 s, to a star so far that its direction stays
    assert!((twist.velocity.y - 1.0).abs() < 1.1e-3, "{twist:?}");
    assert!((twist.velocity.z - 1.5).abs() < 1e-3, "{twist:?}");
    assert!((twist.angular_velocity - DVec3::Z * 0.5).length() < 1e-3, "{twist:?}");
}

/// Drag balances gravity at v = √(m g / c_w A).
#[test]
fn drag_ends_at_the_terminal_speed() {
    let mut world = World::default();
    let (_, body) = ground_and(&mut world, ball(1.0), DVec3::ZERO);
    world.add_force(Force::Drag(Drag { body, factor: 0.5, area: 0.2, density: None })).unwrap();
    (0..1200).for_each(|_| drop(world.step()));
    let speed = -world.state().bodies[body.index()].velocity.z;
    assert!((speed - (9.81f64 / 0.1).sqrt()).abs() < 1e-6, "{speed}");
}

/// The spring as explicit force and as regularised constraint swing alike when resolved.
#[test]
fn the_two_springs_agree() {
    let swing = |constraint: bool, dt: f64| {
        let mut world = World::default();
        world.set(|s| s.dt = dt).unwrap();
        let (ground, body) = ground_and(&mut world, ball(2.0), DVec3::new(0.0, 0.0, -1.3));
        let ends = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
        if constraint {
            world.add_joint(Joint::new("spring", Distance::spring(ends, 300.0, 2.0, 1.0))).unwrap();
        } else {
            let spring = ForceSpring { ends, stiffness: 300.0, damping: 2.0, rest: 1.0 };
            world.add_force(Force::Spring(spring)).unwrap();
        }
        (0..(1.0 / dt).round() as usize).for_each(|_| drop(world.step()));
        world.state().bodies[body.index()].position.z
    };
    // one takes the stretch at an instant, the other its mean over three: they part by the square of the step
    let [coarse, fine] = [1e-3, 5e-4].map(|dt| (swing(true, dt) - swing(false, dt)).abs());
    assert!(coarse < 3e-5 && fine < 0.3 * coarse, "{coarse:e} {fine:e}");
}

#[derive(Debug)]
struct Meddler;

impl Hook for Meddler {
    fn forces(&mut self, _: &Model, state: &State, forces: &mut Loads) {
        assert_eq!(forces.all().len(), state.bodies.len());
    }

    fn rows(&mut self, _: &Model, state: &State, rows: &mut Rows) {
        // veto the weld after half a second
        if state.time > 0.5 {
            rows.rows.iter_mut().for_each(|r| (r.lo, r.hi) = (0.0, 0.0));
        }
    }
}

#[test]
fn a_hook_can_veto_rows() {
    let mut world = World::default();
    let (ground, body) = ground_and(&mut world, ball(1.0), DVec3::ZERO);
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
    world.add_joint(Joint::new("weld", Weld { anchors })).unwrap();
    world.add_hook(Meddler);
    (0..30).for_each(|_| drop(world.step()));
    assert!(world.state().bodies[body.index()].position.z.abs() < 1e-6);
    (0..30).for_each(|_| drop(world.step()));
    let z = world.state().bodies[body.index()].position.z;
    assert!((z + 0.5 * 9.81 * 0.25).abs() < 0.1, "{z}");
}

/// A ball joint bears no torque, however fast the body swings, and says so after every step.
#[test]
fn a_ball_joint_reports_no_torque() {
    let mut world = World::default();
    let (ground, body) = ground_and(&mut world, ball(1.0), DVec3::X);
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, -DVec3::X)];
    let strength = Some(Strength { force: 1e9, torque: 0.01 });
    let joint = world.add_joint(Joint { strength, ..Joint::new("pivot", Ball { anchors }) }).unwrap();
    world.set_velocity(body, DVec3::Z * 10.0, DVec3::Y * -10.0).unwrap();
    for _ in 0..60 {
        assert_eq!(world.step().broken, 0);
        let torque = world.reaction(joint, 1).unwrap().torque;
        assert!(torque.length() < 1e-9, "{torque}");
    }
}

/// A sleeping island goes on to the bit after a restore into a fresh world, and its joints still bear their load.
#[test]
fn sleep_survives_a_snapshot() {
    let build = || {
        let mut world = World::default();
        world.set(|s| s.sleep = Some(Sleep::default())).unwrap();
        let (ground, body) = ground_and(&mut world, ball(1.0), -DVec3::Z);
        let ends = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
        let rope = world.add_joint(Joint::new("rope", Distance::rod(ends, 1.0))).unwrap();
        let push = Applied::force(Anchor::point(body, DVec3::ZERO), Direction::World(DVec3::X));
        world.add_force(Force::Applied(push.during(2.0, 9.0))).unwrap();
        (world, body, rope)
    };
    let (mut world, body, rope) = build();
    (0..119).for_each(|_| drop(world.step()));
    assert!(world.state().bodies[body.index()].asleep);
    assert!((world.reaction(rope, 1).unwrap().force.z - 9.81).abs() < 1e-9);
    assert!((world.inspect().reaction(rope, 1).unwrap().force.z - 9.81).abs() < 1e-9);
    let (mut fresh, ..) = build();
    fresh.restore(world.state().clone()).unwrap();
    for _ in 0..60 {
        world.step();
        fresh.step();
        assert_eq!(world.state().hash(), fresh.state().hash());
    }
    // 1 N against 9.81 N: it swings out to 0.2 m in half a period, which is a second
    assert!(world.state().bodies[body.index()].position.x > 0.15);
}

/// What has broken bears nothing, from the step on in which it broke.
#[test]
fn a_broken_joint_reports_nothing() {
    let mut world = World::default();
    let (ground, body) = ground_and(&mut world, ball(1.0), DVec3::ZERO);
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
    let strength = Some(Strength { force: 5.0, torque: f64::INFINITY });
    let weld = world.add_joint(Joint { strength, ..Joint::new("weld", Weld { anchors }) }).unwrap();
    assert_eq!(world.step().broken, 1);
    assert!(world.reaction(weld, 0).is_none());
}
