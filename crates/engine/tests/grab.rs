//! The grab: it holds what it can, never pulls harder than it may, and is moved by an edit that is undone to the bit.

use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;

const G: f64 = 9.81;

/// A body of a mass at a height, grabbed at a point of it by the world.
fn held(mass: f64, grip: DVec3, change: impl Fn(&mut Tether)) -> (World, BodyId, JointId) {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    let mass = Mass::of_total(&shape, mass).unwrap();
    let body = world.add_body(Body::dynamic("load", mass), DVec3::Z, DQuat::IDENTITY).unwrap();
    let mut grab = Tether::new([Anchor::point(ground, DVec3::Z + grip), Anchor::point(body, grip)]);
    change(&mut grab);
    let joint = world.add_joint(Joint::new("hand", grab)).unwrap();
    (world, body, joint)
}

fn step(world: &mut World, joint: JointId) -> f64 {
    let report = world.step();
    assert!(report.fault.is_none(), "{:?}", report.fault);
    world.reaction(joint, 1).unwrap().force.length()
}

fn target(joint: JointId, at: DVec3) -> Edit {
    Edit::MoveTether { joint, at, turn: DQuat::IDENTITY }
}

#[test]
fn it_holds_a_weight() {
    for (mass, stepper) in
        [(0.01, Integrator::Spook), (50.0, Integrator::Spook), (50.0, Integrator::Projected)]
    {
        let (mut world, body, joint) = held(mass, DVec3::new(0.0, 0.0, 0.1), |_| {});
        world.set(|s| s.integrator = stepper).unwrap();
        let mut force = 0.0;
        for _ in 0..180 {
            force = step(&mut world, joint);
        }
        assert!((force / (mass * G) - 1.0).abs() < 1e-6, "{force} for {}", mass * G);
        // 3 Hz: the spring gives by g/(2π·3)², whatever the mass
        let sag = 1.0 - world.state().bodies[body.index()].position.z;
        assert!((sag - 0.0276).abs() < 1e-4, "{sag}");
    }
}

#[test]
fn it_never_pulls_harder_than_it_may() {
    for turn in [DQuat::IDENTITY, math::exp(DVec3::new(0.3, 0.5, -0.2))] {
        let (mut world, body, joint) = held(1000.0, DVec3::splat(0.1), |g| {
            g.force = Some(500.0);
            g.anchors[0].turn = turn;
        });
        let floor = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
        world.add_body(floor, DVec3::Z * 0.9, DQuat::IDENTITY).unwrap();
        let shape = Shape::Box { half: DVec3::splat(0.1) };
        let load = Body::dynamic("load", Mass::of_total(&shape, 1000.0).unwrap())
            .with_collider(Collider::new(shape));
        world.edit(Edit::SetBody(body, Box::new(load))).unwrap();
        let mut largest = 0.0f64;
        for k in 0..240 {
            let way = DVec3::new(3.0, 2.0 * libm::sin(0.2 * k as f64), 5.0);
            world.edit(Edit::MoveTether { joint, at: way, turn }).unwrap();
            largest = largest.max(step(&mut world, joint));
        }
        let end = world.state().bodies[body.index()];
        assert!(largest <= 500.0 * (1.0 + 1e-9), "{largest}");
        assert!(largest > 490.0, "the whole force pulls: {largest}");
        assert!((end.position.z - 1.0).abs() < 1e-3 && end.velocity.length() < 1e-2, "{end:?}");
    }
}

#[test]
fn a_jerked_target_does_not_explode() {
    let (mut world, body, joint) = held(2.0, DVec3::splat(0.1), |g| g.orientation = true);
    let mut fastest = 0.0f64;
    for k in 0..240 {
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        world.edit(target(joint, DVec3::new(side, -side, 1.0 + side))).unwrap();
        step(&mut world, joint);
        fastest = fastest.max(world.state().bodies[body.index()].velocity.length());
    }
    assert!(fastest < 10.0, "{fastest}");
    world.edit(target(joint, DVec3::new(0.0, 0.0, 2.0))).unwrap();
    for _ in 0..240 {
        step(&mut world, joint);
    }
    let end = world.state().bodies[body.index()];
    let grip = end.position + end.orientation * DVec3::splat(0.1);
    assert!((grip - DVec3::new(0.0, 0.0, 2.0 - 0.0276)).length() < 0.01, "{end:?}");
    // the weight hangs off the grip, and what holds the orientation gives by 3 Hz as well
    assert!(math::log(end.orientation).length() < 0.6 && end.velocity.length() < 1e-3, "{end:?}");
}

#[test]
fn a_box_is_pulled_out_of_a_stack() {
    let (mut world, body, joint) = held(2.0, DVec3::new(0.1, 0.0, 0.0), |g| g.force = Some(400.0));
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    let solid = |name: &str| {
        Body::dynamic(name, Mass::of_total(&shape, 2.0).unwrap()).with_collider(Collider::new(shape.clone()))
    };
    world.edit(Edit::SetBody(body, Box::new(solid("load")))).unwrap();
    let floor = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
    world.add_body(floor, DVec3::Z * 0.7, DQuat::IDENTITY).unwrap();
    let others =
        [0.8, 1.2, 1.4].map(|z| world.add_body(solid("other"), DVec3::Z * z, DQuat::IDENTITY).unwrap());
    (0..30).for_each(|_| {
        step(&mut world, joint);
    });
    for k in 0..180 {
        let way = DVec3::new(0.1 + 0.01 * k as f64, 0.0, 1.0);
        world.edit(target(joint, way)).unwrap();
        let force = step(&mut world, joint);
        assert!(force <= 400.0 * (1.0 + 1e-9), "{force}");
    }
    let place = |b: BodyId| world.state().bodies[b.index()].position;
    assert!(place(body).x > 1.2, "{}", place(body));
    assert!(
        others.iter().all(|b| place(*b).x < 0.8 && place(*b).z > 0.75),
        "the others stay: {:?}",
        others.map(place)
    );
}

#[test]
fn moving_the_target_is_undone_to_the_bit_and_refused_where_there_is_none() {
    let (mut touched, _, joint) = held(2.0, DVec3::splat(0.1), |_| {});
    let (mut untouched, body, _) = held(2.0, DVec3::splat(0.1), |_| {});
    for world in [&mut touched, &mut untouched] {
        (0..5).for_each(|_| drop(world.step()));
    }
    let undo = touched.edit(target(joint, DVec3::X)).unwrap();
    touched.edit(undo).unwrap();
    for world in [&mut touched, &mut untouched] {
        (0..5).for_each(|_| drop(world.step()));
    }
    assert_eq!(touched.state().hash(), untouched.state().hash());
    assert!(touched.edit(target(joint, DVec3::splat(f64::NAN))).is_err());
    let ground = untouched.model().body("ground").unwrap();
    let ball = Ball { anchors: [ground, body].map(|b| Anchor::point(b, DVec3::ZERO)) };
    let ball = untouched.add_joint(Joint::new("ball", ball)).unwrap();
    assert!(matches!(untouched.edit(target(ball, DVec3::X)), Err(EditError::Joint { .. })));
}

#[test]
fn impossible_numbers_are_refused() {
    let mut world = World::default();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap();
    let bodies =
        ["a", "b"].map(|n| world.add_body(Body::dynamic(n, mass), DVec3::ZERO, DQuat::IDENTITY).unwrap());
    let grab = Tether::new(bodies.map(|b| Anchor::point(b, DVec3::ZERO)));
    let wrong = [
        Tether { force: Some(-1.0), ..grab.clone() },
        Tether { torque: Some(f64::NAN), ..grab.clone() },
        Tether { spring: Some(Spring::new(0.0, 0.0)), ..grab },
    ];
    for grab in wrong {
        let refused = world.add_joint(Joint::new("hand", grab));
        assert!(matches!(refused, Err(EditError::Joint { .. })), "{refused:?}");
    }
}

/// The ground may grab what stands on it, and still bears it.
#[test]
fn a_grab_does_not_pull_through_the_ground() {
    let mut world = World::default();
    let floor = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
    let floor = world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let shape = Shape::Box { half: DVec3::splat(0.5) };
    let body =
        Body::dynamic("box", Mass::of_total(&shape, 10.0).unwrap()).with_collider(Collider::new(shape));
    let body = world.add_body(body, 0.5 * DVec3::Z, DQuat::IDENTITY).unwrap();
    let anchors = [Anchor::point(floor, DVec3::new(0.0, 0.0, -1.0)), Anchor::point(body, DVec3::ZERO)];
    world.add_joint(Joint::new("hand", Tether::new(anchors))).unwrap();
    (0..60).for_each(|_| drop(world.step()));
    let z = world.state().bodies[body.index()].position.z;
    assert!((z - 0.5).abs() < 1e-3, "{z}");
}
