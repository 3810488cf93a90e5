//! Edits: every one can be undone exactly, a refused one changes nothing, ids die with what they name.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

fn pendulum() -> (World, BodyId, BodyId, JointId) {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of(&Shape::Sphere { radius: 0.1 }, 7850.0).unwrap();
    let bob = world.add_body(Body::dynamic("bob", mass), DVec3::X, DQuat::IDENTITY).unwrap();
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(bob, -DVec3::X)];
    let hinge = Hinge { anchors, axis: Axis::free() };
    let joint = world.add_joint(Joint::new("pivot", hinge)).unwrap();
    (world, ground, bob, joint)
}

/// After some steps, doing and undoing leaves a world that goes on as if nothing had happened.
#[test]
fn every_edit_is_undone_to_the_bit() {
    let mass = Mass::of(&Shape::Sphere { radius: 0.2 }, 1000.0).unwrap();
    let edits: Vec<fn(BodyId, JointId, Mass) -> Edit> = vec![
        |_, _, mass| Edit::AddBody {
            body: Box::new(Body::dynamic("new", mass)),
            at: DVec3::Z,
            orientation: DQuat::IDENTITY,
        },
        |bob, _, _| Edit::RemoveBody(bob),
        |bob, _, mass| Edit::SetBody(bob, Box::new(Body::dynamic("heavier", mass))),
        |bob, _, _| Edit::SetPose { body: bob, at: DVec3::new(1.0, 2.0, 3.0), orientation: DQuat::IDENTITY },
        |bob, _, _| Edit::SetVelocity { body: bob, velocity: DVec3::X, angular_velocity: DVec3::Y },
        |_, joint, _| Edit::RemoveJoint(joint),
        |bob, joint, _| Edit::All(vec![Edit::RemoveJoint(joint), Edit::RemoveBody(bob)]),
        |_, joint, _| Edit::SetDrive { joint, coordinate: 0, drive: Drive::motor(1.0, 10.0) },
        |bob, _, _| {
            Edit::AddForce(Box::new(Force::Drag(Drag { body: bob, factor: 1.0, area: 1.0, density: None })))
        },
        |_, _, _| Edit::SetSettings(Settings { dt: 1e-3, ..Settings::default() }),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        let (mut touched, _, bob, joint) = pendulum();
        let (mut untouched, ..) = pendulum();
        for world in [&mut touched, &mut untouched] {
            (0..7).for_each(|_| drop(world.step()));
        }
        let undo = touched.edit(edit(bob, joint, mass)).unwrap();
        let redo = touched.edit(undo).unwrap();
        let undo = touched.edit(redo).unwrap();
        touched.edit(undo).unwrap();
        // a place a new body had stays, empty: compare what is there
        let dead = touched.state().bodies.len() - untouched.state().bodies.len();
        for world in [&mut touched, &mut untouched] {
            (0..20).for_each(|_| drop(world.step()));
        }
        let (a, b) = (touched.state(), untouched.state());
        assert_eq!(a.bodies[..b.bodies.len()], b.bodies[..], "edit {number} ({dead} dead places)");
        assert_eq!(a.joints, b.joints, "edit {number}");
    }
}

#[test]
fn a_removed_body_takes_its_joints_and_forces_and_brings_them_back() {
    let (mut world, _, bob, joint) = pendulum();
    let drag = Drag { body: bob, factor: 1.0, area: 1.0, density: None };
    let force = world.add_force(Force::Drag(drag)).unwrap();
    let undo = world.edit(Edit::RemoveBody(bob)).unwrap();
    assert!(world.model().joints().get(joint).is_none() && world.model().forces().get(force).is_none());
    assert!(world.step().fault.is_none());
    world.edit(undo).unwrap();
    assert!(world.model().joints().get(joint).is_some() && world.model().forces().get(force).is_some());
}

/// Settings with something changed about contacts.
fn contacting(change: impl Fn(&mut ContactSettings)) -> Edit {
    let mut settings = Settings::default();
    change(&mut settings.contact);
    Edit::SetSettings(settings)
}

#[test]
fn counts_of_sweeps_and_parts_have_bounds() {
    let mut world = World::default();
    let cases = [
        (contacting(|c| c.solver_iterations = 0), "setting contact.solver_iterations = 0: give 1 to 100000"),
        (
            contacting(|c| c.solver_iterations = u32::MAX),
            "setting contact.solver_iterations = 4294967295: give 1 to 100000",
        ),
        (contacting(|c| c.substeps = 0), "setting contact.substeps = 0: give 1 to 1000"),
        (contacting(|c| c.substeps = 1001), "setting contact.substeps = 1001: give 1 to 1000"),
    ];
    for (edit, part) in cases {
        let refusal = world.edit(edit).expect_err(part).to_string();
        assert!(refusal.contains(part), "{refusal}");
    }
}

/// Each bad edit, and a part of what it must say.
#[test]
fn refused_edits_say_why_and_change_nothing() {
    let (mut world, ground, bob, joint) = pendulum();
    let before = world.state().clone();
    let heavy = |mass: Mass| Edit::AddBody {
        body: Box::new(Body::dynamic("b", mass)),
        at: DVec3::ZERO,
        orientation: DQuat::IDENTITY,
    };
    let pose = |at, orientation| Edit::SetPose { body: bob, at, orientation };
    let thrown = |body, velocity| Edit::SetVelocity { body, velocity, angular_velocity: DVec3::ZERO };
    let pair = [Anchor::point(ground, DVec3::ZERO), Anchor::point(bob, DVec3::ZERO)];
    let hinge = |axis: Axis| Edit::AddJoint(Box::new(Joint::new("h", Hinge { anchors: pair, axis })));
    let dead = {
        let (mut other, _, bob, _) = pendulum();
        other.edit(Edit::RemoveBody(bob)).unwrap();
        other.add_body(Body::fixed("x"), DVec3::ZERO, DQuat::IDENTITY).unwrap()
    };
    let drag = Drag { body: bob, factor: f64::NAN, area: 1.0, density: None };
    let lopsided = Mass::principal(1.0, DVec3::ZERO, DVec3::new(1.0, 1.0, 3.0), DQuat::IDENTITY);
    let cases: Vec<(Edit, &str)> = vec![
        (heavy(Mass::point(0.0)), "mass"),
        (heavy(Mass::point(f64::NAN)), "mass"),
        (heavy(lopsided), "sum of the others"),
        (pose(DVec3::splat(f64::INFINITY), DQuat::IDENTITY), "finite"),
        (pose(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), "quaternion"),
        (thrown(bob, DVec3::splat(1e11)), "1e10"),
        (Edit::RemoveBody(dead), "no such body"),
        (hinge(Axis::limited(Limits::hard(1.0, -1.0))), "not ascending"),
        (hinge(Axis::with_spring(-1.0, 0.0, 0.0)), "stiffness"),
        (hinge(Axis::driven(Drive::motor(f64::NAN, 1.0))), "speed"),
        (hinge(Axis { friction: -1.0, ..Axis::free() }), "force"),
        (Edit::AddJoint(Box::new(Joint::new("w", Weld { anchors: [pair[0], pair[0]] }))), "same body"),
        (Edit::SetDrive { joint, coordinate: 3, drive: Drive::Free }, "no number 3"),
        (thrown(ground, DVec3::X), "not dynamic"),
        (
            hinge(Axis::limited(Limits { spring: Some(Spring::new(0.0, 0.0)), ..Limits::hard(0.0, 1.0) })),
            "has no effect",
        ),
        (
            hinge(Axis::limited(Limits {
                spring: Some(Spring::new(1.0, 0.0)),
                restitution: 0.5,
                ..Limits::hard(0.0, 1.0)
            })),
            "rebounds by its spring",
        ),
        (
            Edit::AddJoint(Box::new(Joint {
                compliance: Compliance { linear: Some(Spring::new(-5.0, 0.0)), angular: None },
                ..Joint::new("soft", Weld { anchors: pair })
            })),
            "compliance",
        ),
        (
            Edit::AddJoint(Box::new(Joint::new(
                "gear",
                LinearCoupling {
                    anchors: pair.to_vec(),
                    terms: vec![(Measure::Rotation, 1.0); 2],
                    phase: None,
                },
            ))),
            "two anchors",
        ),
        (Edit::AddForce(Box::new(Force::Drag(drag))), "finite"),
        (Edit::SetSettings(Settings { dt: 0.0, ..Settings::default() }), "dt"),
        (Edit::SetSettings(Settings { dt: f64::NAN, ..Settings::default() }), "dt"),
        (Edit::All(vec![Edit::RemoveJoint(joint), Edit::RemoveBody(dead)]), "no such body"),
    ];
    for (edit, part) in cases {
        let text = format!("{edit:?}");
        let refusal = world.edit(edit).expect_err(&text).to_string();
        assert!(refusal.contains(part), "{text}: {refusal}");
        assert_eq!(world.state(), &before, "{text}");
        assert!(world.model().joints().get(joint).is_some());
    }
}

/// An undo that comes too late, when what it grips is gone, is refused instead of breaking the next step.
#[test]
fn a_late_undo_is_refused() {
    let (mut world, _, bob, joint) = pendulum();
    let drag = Drag { body: bob, factor: 1.0, area: 1.0, density: None };
    let force = world.add_force(Force::Drag(drag)).unwrap();
    let undo_joint = world.edit(Edit::RemoveJoint(joint)).unwrap();
    let undo_force = world.edit(Edit::RemoveForce(force)).unwrap();
    world.edit(Edit::RemoveBody(bob)).unwrap();
    for undo in [undo_joint, undo_force] {
        assert!(world.edit(undo).unwrap_err().to_string().contains("no such body"));
    }
    assert!(world.step().fault.is_none());
}

/// A body that gets another centre of mass keeps its frame, so its joints stay closed; undone, it is as before.
#[test]
fn a_new_centre_of_mass_leaves_joints_closed() {
    let (mut world, _, bob, _) = pendulum();
    (0..5).for_each(|_| drop(world.step()));
    let before = world.state().clone();
    let mass =
        Mass::of(&Shape::Sphere { radius: 0.1 }, 7850.0).unwrap().moved(DVec3::X * 0.3, DQuat::IDENTITY);
    let undo = world.edit(Edit::SetBody(bob, Box::new(Body::dynamic("bob", mass)))).unwrap();
    let mut probe = World::default();
    std::mem::swap(&mut probe, &mut world);
    assert!(probe.step().gap < 1e-3, "the joint must not be torn open");
    std::mem::swap(&mut probe, &mut world);
    world.restore(before.clone()).unwrap();
    world.edit(undo).unwrap();
    assert_eq!(world.state().bodies, before.bodies);
}

/// Counted turns survive the replacement of a joint: a screw ten turns in stays where it is.
#[test]
fn a_replaced_screw_keeps_its_turns() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of(&Shape::Sphere { radius: 0.1 }, 7850.0).unwrap();
    let nut = world.add_body(Body::dynamic("nut", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(nut, DVec3::ZERO)];
    let axis = Axis::driven(Drive::motor(20.0, 1e4));
    let screw =
        world.add_joint(Joint::new("screw", Screw { anchors, lead: 0.1, phase: None, axis })).unwrap();
    (0..120).for_each(|_| drop(world.step()));
    let (turn, z) = (world.coordinate(screw, 0).unwrap(), world.state().bodies[nut.index()].position.z);
    let same = world.model().joints().get(screw).unwrap().clone();
    world.edit(Edit::SetJoint(screw, Box::new(same))).unwrap();
    assert!(turn > 30.0 && (world.coordinate(screw, 0).unwrap() - turn).abs() < 1e-9);
    world.step();
    let moved = world.state().bodies[nut.index()].position.z - z;
    assert!((moved - 20.0 / 60.0 * 0.1 / std::f64::consts::TAU).abs() < 1e-4, "{moved}");
}

/// A body thrown in while the world runs flies as one thrown at the start: z = v t − ½ g t² to round-off.
#[test]
fn a_late_body_flies_exactly() {
    let (mut world, ..) = pendulum();
    (0..10).for_each(|_| drop(world.step()));
    let mass = Mass::of(&Shape::Sphere { radius: 0.1 }, 1000.0).unwrap();
    let late = world.add_body(Body::dynamic("late", mass), DVec3::Y * 5.0, DQuat::IDENTITY).unwrap();
    assert!(world.inspect().body(late).unwrap().twist.velocity.length() < 1e-15);
    world.set_velocity(late, DVec3::Z * 3.0, DVec3::ZERO).unwrap();
    (0..60).for_each(|_| drop(world.step()));
    let z = world.state().bodies[late.index()].position.z;
    assert!((z - (3.0 - 0.5 * 9.81)).abs() < 1e-12, "{z}");
}

/// A new centre of mass changes what the body weighs, not how its frame moves; and undoing puts everything back.
#[test]
fn a_body_goes_on_as_it_went_when_its_centre_of_mass_moves() {
    let mut world = World::default();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.5 }, 2.0).unwrap();
    let id = world.add_body(Body::dynamic("wheel", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    world.set_velocity(id, DVec3::X, 3.0 * DVec3::Y).unwrap();
    let before = world.state().clone();
    let heavy = Body::dynamic("wheel", Mass { center: DVec3::new(0.5, 0.0, 0.2), ..mass });
    let undo = world.edit(Edit::SetBody(id, Box::new(heavy))).unwrap();
    let b = &world.state().bodies[id.index()];
    // velocity of the frame's origin, from that of the centre: v − ω × r
    let origin = b.velocity - b.angular_velocity.cross(b.orientation * DVec3::new(0.5, 0.0, 0.2));
    assert!((origin - DVec3::X).length() < 1e-15 && b.angular_velocity == 3.0 * DVec3::Y, "{origin}");
    world.edit(undo).unwrap();
    assert_eq!(*world.state(), before);
}
