//! Random edits and steps in any order: nothing panics, nothing hangs, and the state stays sound whatever is built.

use glam::DVec3;
use proptest::prelude::*;
use windlass_engine::math;
use windlass_engine::prelude::*;

#[derive(Clone, Debug)]
enum Act {
    Add { mass: f64, at: [f64; 3], fixed: bool },
    Join { kind: u8, bodies: [u8; 2], at: [[f64; 3]; 2], option: u8 },
    Push { body: u8, force: [f64; 3] },
    RemoveBody(u8),
    RemoveJoint(u8),
    Throw { body: u8, velocity: [f64; 3] },
    Drive { joint: u8, speed: f64 },
    Undo,
    Stepper(u8),
    Step(u8),
}

fn vector() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-2.0..2.0f64)
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (-2.0..4.0f64, vector(), prop::bool::weighted(0.2))
            .prop_map(|(power, at, fixed)| Act::Add { mass: libm::pow(10.0, power), at, fixed }),
        4 => (0u8..14, any::<[u8; 2]>(), [vector(), vector()], any::<u8>())
            .prop_map(|(kind, bodies, at, option)| Act::Join { kind, bodies, at, option }),
        1 => (any::<u8>(), vector()).prop_map(|(body, force)| Act::Push { body, force }),
        1 => any::<u8>().prop_map(Act::RemoveBody),
        1 => any::<u8>().prop_map(Act::RemoveJoint),
        1 => (any::<u8>(), vector()).prop_map(|(body, velocity)| Act::Throw { body, velocity }),
        1 => (any::<u8>(), -9.0..9.0f64).prop_map(|(joint, speed)| Act::Drive { joint, speed }),
        1 => Just(Act::Undo),
        1 => (0u8..3).prop_map(Act::Stepper),
        4 => (1u8..6).prop_map(Act::Step),
    ]
}

fn axis(option: u8) -> Axis {
    Axis {
        drive: match option % 4 {
            0 => Drive::motor(2.0, 30.0),
            1 => Drive::Position { target: 0.3, spring: Spring::new(1e4, 10.0), force: 50.0 },
            2 => Drive::Prescribed(Motion::Sine { mean: 0.0, amplitude: 0.2, frequency: 1.0, phase: 0.0 }),
            _ => Drive::Free,
        },
        limits: (option & 4 > 0).then(|| Limits { restitution: 0.5, ..Limits::hard(-0.5, 0.5) }),
        friction: if option & 8 > 0 { 3.0 } else { 0.0 },
        spring: (option & 16 > 0).then(|| (Spring::new(1e7, 1e3), 0.1)),
        viscosity: if option & 32 > 0 { 2.0 } else { 0.0 },
        ..Axis::default()
    }
}

fn joint(kind: u8, anchors: [Anchor; 2], option: u8) -> JointKind {
    let axis = || axis(option);
    match kind {
        0 => Ball { anchors }.into(),
        1 => Hinge { anchors, axis: axis() }.into(),
        2 => Slider { anchors, axis: axis() }.into(),
        3 => Cylinder { anchors, axes: [axis(), Axis::free()] }.into(),
        4 => Universal { anchors, axes: [axis(), Axis::free()] }.into(),
        5 => ConstantVelocity { anchors }.into(),
        6 => Weld { anchors }.into(),
        7 => Distance { anchors, axis: axis() }.into(),
        8 => PointOnLine { anchors, axis: axis() }.into(),
        9 => PointOnPlane { anchors }.into(),
        10 => Planar { anchors, axes: [axis(), Axis::free(), Axis::free()] }.into(),
        11 => Screw { anchors, lead: 0.1, phase: None, axis: axis() }.into(),
        12 => LinearCoupling::gear(anchors, anchors, 2.0).into(),
        _ => {
            SixDof { anchors, axes: std::array::from_fn(|k| if k % 2 == 0 { axis() } else { Axis::free() }) }
                .into()
        }
    }
}

/// The k-th body or joint there is, if any.
fn body(world: &World, k: u8) -> Option<BodyId> {
    let places: Vec<usize> = world.model().bodies().iter().map(|(place, _)| place).collect();
    world.model().bodies().id(*places.get(k as usize % places.len().max(1))?)
}

fn joint_id(world: &World, k: u8) -> Option<JointId> {
    let places: Vec<usize> = world.model().joints().iter().map(|(place, _)| place).collect();
    world.model().joints().id(*places.get(k as usize % places.len().max(1))?)
}

fn edit(world: &World, act: &Act) -> Option<Edit> {
    Some(match act {
        Act::Add { mass, at, fixed } => {
            let half = DVec3::new(0.1, 0.2, 0.3);
            let mass = Mass::of_total(&Shape::Box { half }, *mass).unwrap();
            let body = if *fixed { Body::fixed("ground") } else { Body::dynamic("body", mass) };
            let at = DVec3::from_array(*at);
            Edit::AddBody { body: Box::new(body), at, orientation: math::exp(at) }
        }
        Act::Join { kind, bodies, at, option } => {
            let [a, b] = [body(world, bodies[0])?, body(world, bodies[1])?];
            let turn = math::exp(DVec3::from_array(at[0]));
            let anchors = [
                Anchor::frame(a, DVec3::from_array(at[0]), turn),
                Anchor::point(b, DVec3::from_array(at[1])),
            ];
            Edit::AddJoint(Box::new(Joint::new("joint", joint(*kind, anchors, *option))))
        }
        Act::Push { body: k, force } => {
            let at = Anchor::point(body(world, *k)?, DVec3::X * 0.1);
            let force = Applied::force(at, Direction::Body(DVec3::from_array(*force) * 100.0));
            Edit::AddForce(Box::new(Force::Applied(force)))
        }
        Act::RemoveBody(k) => Edit::RemoveBody(body(world, *k)?),
        Act::RemoveJoint(k) => Edit::RemoveJoint(joint_id(world, *k)?),
        Act::Throw { body: k, velocity } => {
            let velocity = DVec3::from_array(*velocity) * 5.0;
            Edit::SetVelocity { body: body(world, *k)?, velocity, angular_velocity: velocity }
        }
        Act::Drive { joint, speed } => Edit::SetDrive {
            joint: joint_id(world, *joint)?,
            coordinate: 0,
            drive: Drive::motor(*speed, 1e3),
        },
        Act::Stepper(kind) => {
            let rule = Adaptive { tolerance: 1e-3, min_step: 5e-3, max_step: 0.05 };
            let stepper =
                [Integrator::Spook, Integrator::Projected, Integrator::DormandPrince(rule)][*kind as usize];
            Edit::SetSettings(Settings { integrator: stepper, ..*world.model().settings() })
        }
        Act::Undo | Act::Step(_) => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2000, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn any_order_of_edits_and_steps_stays_sound(acts in prop::collection::vec(act(), 1..40)) {
        let mut world = World::default();
        let mut undos: Vec<Edit> = Vec::new();
        for act in &acts {
            match act {
                Act::Step(count) => {
                    for _ in 0..*count {
                        let report = world.step();
                        prop_assert!(report.fault.is_some() || report.residual.is_finite());
                    }
                    if !world.state().bodies.is_empty() {
                        world.inspect().energy();
                    }
                }
                Act::Undo => {
                    // in order or not: it is done or refused
                    if let Some(undo) = undos.pop() {
                        let _ = world.edit(undo);
                    }
                }
                act => {
                    if let Some(edit) = edit(&world, act) && let Ok(undo) = world.edit(edit) {
                        undos.push(undo);
                    }
                }
            }
            for b in &world.state().bodies {
                prop_assert!(b.is_finite(), "{b:?}");
                prop_assert!((b.orientation.length() - 1.0).abs() < 1e-12);
            }
        }
        let bytes = world.state().to_bytes();
        prop_assert_eq!(&State::from_bytes(&bytes).unwrap(), world.state());
    }
}
