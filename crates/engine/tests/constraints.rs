//! One check for every constraint, at random closed poses: the Jacobian is the gradient of the gap, force pairs
//! cancel, and a joint between free bodies neither does work nor changes momentum.

use glam::{DQuat, DVec3};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_engine::row::RowLaw;

/// Uniform in −1…1.
fn number(rng: &mut TestRng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn vector(rng: &mut TestRng) -> DVec3 {
    DVec3::new(number(rng), number(rng), number(rng))
}

fn orientation(rng: &mut TestRng) -> DQuat {
    math::exp(3.0 * vector(rng))
}

/// Four free bodies of different, skew inertia at random places.
fn bodies(rng: &mut TestRng) -> (World, [BodyId; 4]) {
    let mut world = World::default();
    world.set(|s| (s.gravity, s.dt) = (DVec3::ZERO, 1e-3)).unwrap();
    let ids = std::array::from_fn(|i| {
        let moments = DVec3::new(0.4, 0.5, 0.7) * (1.0 + i as f64);
        let mass = Mass::principal(1.0 + i as f64, 0.2 * vector(rng), moments, orientation(rng));
        // near one orientation: atan2 angles are then away from their cut
        let near = math::exp(0.4 * vector(rng));
        world.add_body(Body::dynamic(format!("body {i}"), mass), vector(rng), near).unwrap()
    });
    (world, ids)
}

/// A joint of every kind, with every option that adds a row.
fn all_constraints(rng: &mut TestRng, ids: [BodyId; 4]) -> Vec<Joint> {
    let [p, q, r, s] = ids;
    let turn = orientation(rng);
    let mut frame = |body| Anchor::frame(body, 0.5 * vector(rng), turn);
    let pair = [frame(p), frame(q)];
    let busy = Axis {
        drive: Drive::motor(0.3, 5.0),
        spring: Some((Spring::new(10.0, 0.1), 0.2)),
        limits: Some(Limits::hard(-9.0, 9.0)),
        friction: 0.1,
        viscosity: 0.2,
        ..Axis::default()
    };
    let axis = || busy.clone();
    let kinds: Vec<JointKind> = vec![
        Ball { anchors: pair }.into(),
        Hinge { anchors: pair, axis: axis() }.into(),
        Slider { anchors: pair, axis: axis() }.into(),
        Cylinder { anchors: pair, axes: [axis(), axis()] }.into(),
        Universal { anchors: pair, axes: [axis(), axis()] }.into(),
        ConstantVelocity { anchors: pair }.into(),
        Weld { anchors: pair }.into(),
        Distance { anchors: pair, axis: axis() }.into(),
        Distance::rod(pair, 0.7).into(),
        Tether { orientation: true, ..Tether::new(pair) }.into(),
        PointOnLine { anchors: pair, axis: axis() }.into(),
        PointOnPlane { anchors: pair }.into(),
        Planar { anchors: pair, axes: [axis(), axis(), axis()] }.into(),
        Screw { anchors: pair, lead: 0.3, phase: Some(0.1), axis: axis() }.into(),
        LinearCoupling::gear(pair, [frame(r), frame(s)], -1.7).into(),
        LinearCoupling::rack(pair, [frame(p), frame(r)], 0.3).into(),
        LinearCoupling::differential(pair, [[frame(p), frame(r)], [frame(p), frame(s)]]).into(),
        SixDof { anchors: pair, axes: std::array::from_fn(|_| axis()) }.into(),
        SixDof::held(pair).into(),
        rope([frame(p), frame(q), frame(r), frame(s)], RoutePoint::drum).into(),
        rope([frame(p), frame(q), frame(r), frame(s)], |_, _| RoutePoint::attached()).into(),
        link(pair, Turning::SwingTwist).into(),
        link(pair, Turning::Angles { alternative: false, guard: 1e-6 }).into(),
        link(pair, Turning::Angles { alternative: true, guard: 1e-6 }).into(),
    ];
    kinds.into_iter().map(|kind| Joint::new(name(&kind), kind)).collect()
}

/// Those that came later, in a list of its own so that the random poses of the others stay.
fn later_constraints(rng: &mut TestRng, [p, q, ..]: [BodyId; 4]) -> Vec<Joint> {
    let turn = orientation(rng);
    let mut frame = |body| Anchor::frame(body, 0.5 * vector(rng), turn);
    let anchors = [frame(p), frame(q)];
    let axis = || Axis {
        drive: Drive::motor(0.3, 5.0),
        spring: Some((Spring::new(10.0, 0.1), 0.2)),
        limits: Some(Limits::hard(-9.0, 9.0)),
        friction: 0.1,
        viscosity: 0.2,
        ..Axis::default()
    };
    let travel = DVec3::new(0.9, 0.1, 0.3).normalize();
    let wheel = CarWheel { anchors, travel, inclination: 0.2, axes: std::array::from_fn(|_| axis()) };
    [wheel.into()].map(|kind| Joint::new(name(&kind), kind)).into()
}

/// A rope from end to end over a pulley and through a ring, its circles in planes of their own.
fn rope([a, b, c, d]: [Anchor; 4], end: fn(f64, f64) -> RoutePoint) -> Rope {
    let tilted = |anchor: Anchor, tilt: DVec3| Anchor { turn: math::exp(tilt) * anchor.turn, ..anchor };
    let points = [
        (a, end(0.06, 1.0)),
        (tilted(b, DVec3::new(0.5, -0.2, 0.1)), RoutePoint::pulley(0.08, -1.0)),
        (c, RoutePoint::ring().held(RopeAttachment::Rough { stick: 0.2, slide: 0.1 })),
        (tilted(d, DVec3::new(-0.3, 0.4, 0.2)), end(0.07, -1.0)),
    ];
    Rope::new(&points)
}

/// A link of a cable with all its rows.
fn link(anchors: [Anchor; 2], turning: Turning) -> Link {
    let spring = Spring::new(10.0, 0.1);
    let (twist, bend) = (Some(spring), Some(spring));
    Link {
        anchors,
        elements: [true, true],
        length: 1.0,
        stretch: spring,
        buckling: 0.3,
        twist,
        bend,
        turning,
        yielding: None,
        fatigue: None,
        under_load: UnderLoad::default(),
        breaking_strain: None,
    }
}

/// A new kind of joint does not compile until it is named here, and does not pass until it is in the list above.
fn name(kind: &JointKind) -> &'static str {
    match kind {
        JointKind::Ball(_) => "ball",
        JointKind::Hinge(_) => "hinge",
        JointKind::Slider(_) => "slider",
        JointKind::Cylinder(_) => "cylinder",
        JointKind::Universal(_) => "universal",
        JointKind::ConstantVelocity(_) => "constant velocity",
        JointKind::Weld(_) => "weld",
        JointKind::Distance(_) => "distance",
        JointKind::Tether(_) => "grab",
        JointKind::PointOnLine(_) => "point on line",
        JointKind::PointOnPlane(_) => "point on plane",
        JointKind::Planar(_) => "planar",
        JointKind::Screw(_) => "screw",
        JointKind::LinearCoupling(_) => "coupling",
        JointKind::SixDof(_) => "six",
        JointKind::CarWheel(_) => "car wheel",
        JointKind::Link(_) => "link",
        JointKind::Rope(_) => "rope",
        JointKind::Custom(_) => "custom",
    }
}

/// Kinds a user cannot add from outside.
const KINDS: usize = 18;

#[test]
fn every_kind_is_checked() {
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let (_, ids) = bodies(&mut rng);
    let all = all_constraints(&mut rng, ids).into_iter().chain(later_constraints(&mut rng, ids));
    let mut names: Vec<_> = all.map(|j| name(&j.kind)).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), KINDS, "{names:?}");
}

/// The rows of a joint at a state.
fn rows(world: &World, state: &State, joint: &Joint) -> Rows {
    let frames: Vec<_> = joint.constraint().anchors().iter().map(|a| world.model().frame(state, a)).collect();
    let last = &state.joints[0].coordinates;
    Rows::of(
        joint.constraint(),
        joint.compliance,
        &ConstraintView { frames: &frames, last, history: &[], time: 0.0 },
    )
}

/// What makes one joint of each kind between some bodies.
type JointList = fn(&mut TestRng, [BodyId; 4]) -> Vec<Joint>;

/// Runs a check on every joint, closed, at 20 random poses.
fn on_every_joint(check: impl Fn(&mut World, JointId, &str)) {
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let lists: [JointList; 2] = [all_constraints, later_constraints];
    for (list, round) in lists.into_iter().flat_map(|list| (0..20).map(move |round| (list, round))) {
        let (_, ids) = bodies(&mut rng);
        let count = list(&mut rng, ids).len();
        for which in 0..count {
            let (mut world, ids) = bodies(&mut rng);
            let joint = list(&mut rng, ids).swap_remove(which);
            let label = format!("{} (no. {which}), round {round}", joint.name);
            // what gives is not closed by assembling: a ball at the same anchors does it
            let closing = match &joint.kind {
                JointKind::Link(link) => Some(Ball { anchors: link.anchors }),
                _ => None,
            };
            let closing = closing.map(|ball| world.add_joint(Joint::new("closing", ball)).unwrap());
            let assembly = world.assemble();
            if let Some(ball) = closing {
                world.edit(Edit::RemoveJoint(ball)).unwrap();
            }
            let id = world.add_joint(joint).unwrap();
            let assembly = if closing.is_some() { assembly } else { world.assemble() };
            assert!(assembly.left.gap < 1e-9, "{label} does not assemble: {assembly:?}");
            check(&mut world, id, &label);
        }
    }
}

/// Whether a rope comes in along the axis of a circle, where it has no tangent.
fn is_steep(world: &World, joint: &Joint) -> bool {
    let JointKind::Rope(rope) = &joint.kind else { return false };
    let frames: Vec<Frame> = rope.anchors.iter().map(|a| world.model().frame(world.state(), a)).collect();
    let near = |a: &Frame, b: &Frame, radius: f64| {
        let way = b.at - a.at;
        (way - a.z() * a.z().dot(way)).length() < 3.0 * radius
    };
    let round = frames.windows(2).zip(rope.vias.windows(2));
    round.into_iter().any(|(f, v)| near(&f[0], &f[1], v[0].radius) || near(&f[1], &f[0], v[1].radius))
}

#[test]
fn the_jacobian_is_the_gradient_of_the_gap() {
    on_every_joint(|world, id, label| {
        let joint = world.model().joints().get(id).unwrap();
        if is_steep(world, joint) {
            return;
        }
        let here = rows(world, world.state(), joint);
        let delta = 1e-6;
        for body in 0..4 {
            for k in 0..6 {
                let moved = |side: f64| {
                    let mut state = world.state().clone();
                    let b = &mut state.bodies[body];
                    let step = DVec3::AXES[k % 3] * (side * delta);
                    if k < 3 {
                        b.position += step;
                    } else {
                        b.orientation = math::exp(step) * b.orientation;
                    }
                    rows(world, &state, joint)
                };
                let (plus, minus) = (moved(1.0), moved(-1.0));
                for row in 0..here.rows.len() {
                    // a speed row has no gap; its blocks are those of the axis's other rows
                    if matches!(here.rows[row].law, RowLaw::Velocity { .. } | RowLaw::Transverse { .. }) {
                        continue;
                    }
                    let slope = (plus.rows[row].gap - minus.rows[row].gap) / (2.0 * delta);
                    let sum: DVec3 = (here.blocks(row).iter())
                        .filter(|b| b.body == body as u32)
                        .map(|b| if k < 3 { b.linear } else { b.angular })
                        .sum();
                    let block = sum[k % 3];
                    assert!(
                        (slope - block).abs() < 2e-8,
                        "{label}: row {row}, body {body}, direction {k}: slope {slope}, block {block}"
                    );
                }
            }
        }
    });
}

#[test]
fn forces_and_moments_of_a_row_cancel() {
    on_every_joint(|world, id, label| {
        let here = rows(world, world.state(), world.model().joints().get(id).unwrap());
        // a link pushes at its two anchors: its rows cancel as far as it is closed
        let open = if label.starts_with("link") {
            here.rows[..3].iter().fold(0.0, |m: f64, r| m.max(2.0 * r.gap.abs()))
        } else {
            0.0
        };
        for row in 0..here.rows.len() {
            // counts in what a pull will be when its line has turned: of the order of the step, not in balance before
            if matches!(here.rows[row].law, RowLaw::Transverse { .. }) {
                continue;
            }
            let (mut force, mut moment) = (DVec3::ZERO, DVec3::ZERO);
            for b in here.blocks(row) {
                force += b.linear;
                moment += b.angular + world.state().bodies[b.body as usize].position.cross(b.linear);
            }
            assert!(
                force.length() < 1e-13 && moment.length() < 1e-12 + open,
                "{label}: row {row}: {force} {moment}"
            );
        }
    });
}

/// What a joint's drives and springs do is taken away; what holds must then keep energy and momentum.
#[test]
fn holding_does_no_work_and_keeps_momentum() {
    on_every_joint(|world, id, label| {
        let mut joint = world.model().joints().get(id).unwrap().clone();
        if !label.starts_with("distance") && !label.starts_with("six") {
            strip(&mut joint);
        }
        if joint.constraint().axes().iter().any(|a| a.friction > 0.0) {
            return;
        }
        world.edit(Edit::SetJoint(id, Box::new(joint))).unwrap();
        for (i, body) in (0..4).filter_map(|i| world.model().bodies().id(i)).enumerate().collect::<Vec<_>>() {
            let x = i as f64 + 1.0;
            world.set_velocity(body, DVec3::new(x, 1.0, -x) * 0.3, DVec3::new(0.5, x, -1.0) * 0.4).unwrap();
        }
        world.assemble();
        world.set(|s| s.integrator = Integrator::Projected).unwrap();
        let (energy, momentum) = (world.energy().total(), momentum(world));
        for _ in 0..50 {
            let report = world.step();
            assert!(report.fault.is_none() && report.gap < 1e-10, "{label}: {report:?}");
        }
        let drift = (world.energy().total() - energy).abs() / energy;
        let change = (momentum[0] - self::momentum(world)[0]).length()
            + (momentum[1] - self::momentum(world)[1]).length();
        // rope that goes on a drum takes the stretch it has with it
        let winds = matches!(&world.model().joints().get(id).unwrap().kind, JointKind::Rope(r) if r.vias[0].radius > 0.0);
        // the force of a link has a corner where it goes slack
        let limit = if label.starts_with("link") { 1e-7 } else { 1e-9 };
        assert!(drift < limit || winds, "{label}: energy changes by {drift:e}");
        assert!(change < 1e-9, "{label}: momentum changes by {change:e}");
    });
}

fn strip(joint: &mut Joint) {
    let free = Axis::free;
    match &mut joint.kind {
        JointKind::Hinge(j) => j.axis = free(),
        JointKind::Slider(j) => j.axis = free(),
        JointKind::PointOnLine(j) => j.axis = free(),
        JointKind::Screw(j) => j.axis = free(),
        JointKind::Cylinder(j) => j.axes = [free(), free()],
        JointKind::Universal(j) => j.axes = [free(), free()],
        JointKind::Planar(j) => j.axes = [free(), free(), free()],
        JointKind::Tether(j) => (j.force, j.torque) = (Some(0.0), Some(0.0)),
        // one that snaps taut and does not stretch loses energy, and one that rubs
        JointKind::Rope(j) => {
            j.stiffness = 10.0;
            let sliding = j.vias.iter_mut().filter(|via| via.attachment != RopeAttachment::Fixed);
            sliding.for_each(|via| via.attachment = RopeAttachment::Smooth);
        }
        JointKind::Link(j) => {
            // springs alone keep energy
            let spring = Some(Spring::new(10.0, 0.0));
            (j.stretch, j.twist, j.bend) = (Spring::new(10.0, 0.0), spring, spring);
        }
        _ => {}
    }
}

fn momentum(world: &World) -> [DVec3; 2] {
    let mut sum = [DVec3::ZERO; 2];
    for (place, body) in world.model().bodies().iter() {
        let s = &world.state().bodies[place];
        let turned = s.orientation * (body.mass.inertia * (s.orientation.inverse() * s.angular_velocity));
        sum[0] += body.mass.mass * s.velocity;
        sum[1] += turned + body.mass.mass * s.position.cross(s.velocity);
    }
    sum
}
