//! Assembly, degrees of freedom and inverse dynamics.

use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;

const Y: fn() -> DQuat = || math::facing(-DVec3::Y);

fn rod(mass: f64, length: f64) -> Mass {
    Mass::of_total(&Shape::Box { half: DVec3::new(0.5 * length, 0.02, 0.02) }, mass).unwrap()
}

/// Crank 0.3, coupler 0.8, rocker 0.7, ground 1.0 in the xz plane; full hinges about y. Placed by hand, roughly.
fn four_bar() -> (World, [BodyId; 3], Vec<JointId>) {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mut bar = |name: &str, length: f64, x: f64, z: f64, angle: f64| {
        let turn = math::turn(DVec3::Y, -angle);
        world.add_body(Body::dynamic(name, rod(1.0, length)), DVec3::new(x, 0.0, z), turn).unwrap()
    };
    let crank = bar("crank", 0.3, 0.05, 0.17, 1.5);
    let coupler = bar("coupler", 0.8, 0.4, 0.5, 0.4);
    let rocker = bar("rocker", 0.7, 0.9, 0.3, 1.6);
    let end = |body, x: f64| Anchor::frame(body, DVec3::new(x, 0.0, 0.0), Y());
    let pairs = [
        ("A", [end(ground, 0.0), end(crank, -0.15)]),
        ("B", [end(crank, 0.15), end(coupler, -0.4)]),
        ("C", [end(coupler, 0.4), end(rocker, 0.35)]),
        ("D", [end(ground, 1.0), end(rocker, -0.35)]),
    ];
    let joints = pairs
        .into_iter()
        .map(|(name, anchors)| {
            world.add_joint(Joint::new(name, Hinge { anchors, axis: Axis::free() })).unwrap()
        })
        .collect();
    (world, [crank, coupler, rocker], joints)
}

#[test]
fn a_rough_four_bar_is_put_together() {
    let (mut world, ..) = four_bar();
    let assembly = world.assemble();
    assert!(assembly.left.gap < 1e-12 && assembly.open.is_none(), "{assembly:?}");
    // seen again from outside: the hinge points of crank and rocker are a coupler's length apart
    let tip = |name: &str, x: f64| {
        let body = world.model().body(name).unwrap();
        world.model().frame(world.state(), &Anchor::point(body, DVec3::X * x)).at
    };
    assert!(((tip("crank", 0.15) - tip("rocker", 0.35)).length() - 0.8).abs() < 1e-11);
}

#[test]
fn what_cannot_close_is_named() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let body = world.add_body(Body::dynamic("bar", rod(1.0, 1.0)), DVec3::X, DQuat::IDENTITY).unwrap();
    let pin = |at: f64, on: f64| [Anchor::point(ground, DVec3::X * at), Anchor::point(body, DVec3::X * on)];
    world.add_joint(Joint::new("near", Ball { anchors: pin(0.5, -0.5) })).unwrap();
    world.add_joint(Joint::new("far", Ball { anchors: pin(3.5, 0.5) })).unwrap();
    let assembly = world.assemble();
    assert!(assembly.left.gap > 0.1, "{assembly:?}");
    assert!(assembly.open.is_some());
    assert!(world.state().bodies.iter().all(BodyState::is_finite));
}

/// Grübler's count is wrong for both closed chains (−2 and 0); the rank is right.
#[test]
fn degrees_of_freedom_are_counted_by_rank() {
    let (mut world, ..) = four_bar();
    world.assemble();
    assert_eq!(world.degrees_of_freedom(), 1);
    let redundant: usize = world.redundant().iter().map(|(_, rows)| rows).sum();
    assert_eq!(redundant, 3);

    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mut last = Anchor::point(ground, DVec3::ZERO);
    for i in 0..5 {
        let at = DVec3::X * (i as f64 + 0.5);
        let body = world.add_body(Body::dynamic("link", rod(1.0, 1.0)), at, DQuat::IDENTITY).unwrap();
        let anchors = [last, Anchor::point(body, -0.5 * DVec3::X)];
        world.add_joint(Joint::new("ball", Ball { anchors })).unwrap();
        last = Anchor::point(body, 0.5 * DVec3::X);
    }
    assert_eq!(world.degrees_of_freedom(), 15);
    let anchors = [last, Anchor::point(ground, DVec3::X * 5.0)];
    world.add_joint(Joint::new("close", Ball { anchors })).unwrap();
    // stretched out straight, the closing joint's pull along the chain says nothing new: 12 + 1
    assert_eq!(world.degrees_of_freedom(), 13);
}

/// Motor torques of a two-link arm that follows given angles, against its equations of motion.
#[test]
fn inverse_dynamics_of_a_two_link_arm() {
    let (m, l, g) = (2.0, 0.8, 9.81);
    let inertia = rod(m, l).inertia.col(1).y;
    let motion = [
        Motion::Sine { mean: 0.3, amplitude: 0.5, frequency: 0.4, phase: 0.2 },
        Motion::Sine { mean: -0.5, amplitude: 0.7, frequency: 0.7, phase: 1.0 },
    ];
    let mut world = World::default();
    world.set(|s| (s.integrator, s.dt) = (Integrator::Projected, 2e-3)).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mut last = Anchor::frame(ground, DVec3::ZERO, Y());
    let mut hinges = Vec::new();
    for (i, motion) in motion.iter().enumerate() {
        let at = DVec3::X * (l * (i as f64 + 0.5));
        let link = world.add_body(Body::dynamic("link", rod(m, l)), at, DQuat::IDENTITY).unwrap();
        let anchors = [last, Anchor::frame(link, -0.5 * l * DVec3::X, Y())];
        let axis = Axis::driven(Drive::Prescribed(motion.clone()));
        hinges.push(world.add_joint(Joint::new("hinge", Hinge { anchors, axis })).unwrap());
        last = Anchor::frame(link, 0.5 * l * DVec3::X, Y());
    }
    assert!(world.assemble().left.gap < 1e-12);
    for step in 1..=500 {
        assert!(world.step().fault.is_none());
        let [a, b] = motion.each_ref().map(|f| f.at(step as f64 * 2e-3));
        let now = world.inspect();
        let [first, second] = [0, 1].map(|i| now.coordinate(hinges[i], 0).unwrap());
        // Lagrange's equations for angles a and a + b against the horizontal, upward positive
        let (w, s) = (l * 0.5, a.value + b.value);
        let (sin, cos) = (libm::sin(b.value), libm::cos(b.value));
        let m22 = inertia + m * w * w;
        let m12 = m22 + m * l * w * cos;
        let m11 = m12 + inertia + m * w * w + m * l * l + m * l * w * cos;
        let coriolis = m * l * w * sin;
        let weight2 = m * g * w * libm::cos(s);
        let weight1 = m * g * (w + l) * libm::cos(a.value) + weight2;
        let torque1 = m11 * a.acceleration + m12 * b.acceleration
            - coriolis * (2.0 * a.speed * b.speed + b.speed * b.speed)
            + weight1;
        let torque2 = m12 * a.acceleration + m22 * b.acceleration + coriolis * a.speed * a.speed + weight2;
        assert!((first.effort - torque1).abs() < 1e-6, "step {step}: {} {torque1}", first.effort);
        assert!((second.effort - torque2).abs() < 1e-6, "step {step}: {} {torque2}", second.effort);
        assert!((first.value - a.value).abs() < 1e-10 && (first.speed - a.speed).abs() < 1e-7);
    }
}

/// Friction of the last step must not be met in the system that counts: it has no contacts.
#[test]
fn degrees_of_freedom_are_counted_of_what_stands_on_the_ground() {
    let mut world = World::default();
    let floor = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
    world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let shape = Shape::Box { half: DVec3::splat(0.5) };
    let mut block = |name: &str, x: f64| {
        let body = Body::dynamic(name, Mass::of_total(&shape, 1.0).unwrap())
            .with_collider(Collider::new(shape.clone()));
        world.add_body(body, DVec3::new(x, 0.0, 0.5), DQuat::IDENTITY).unwrap()
    };
    let (left, right) = (block("left", -1.0), block("right", 1.0));
    let anchors = [Anchor::frame(left, DVec3::X, Y()), Anchor::frame(right, -DVec3::X, Y())];
    world.add_joint(Joint::new("hinge", Hinge { anchors, axis: Axis::free() })).unwrap();
    let before = world.degrees_of_freedom();
    for _ in 0..10 {
        world.step();
    }
    assert!(!world.state().contacts.is_empty());
    assert_eq!((before, world.degrees_of_freedom()), (7, 7));
}
