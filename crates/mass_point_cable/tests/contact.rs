//! Mass-point cables among colliders: they drape and slide, and pass through nothing.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_mass_point_cable::*;

const DIAMETER: f64 = 0.005;

fn cable() -> CableProperties {
    CableProperties { stretch: 2e4, bend: 5e-4, mass: 0.05, diameter: DIAMETER }
}

fn boxed(name: &str, half: DVec3) -> Body {
    Body::fixed(name).with_collider(Collider::new(Shape::Box { half }))
}

/// The least distance of a hose's skin from any collider, sampled five times in each segment.
fn clearance(world: &World, id: MassPointCableId) -> f64 {
    let view = world.view();
    let x = &MassPointCables::state(world, id).unwrap().positions;
    let mut least = f64::INFINITY;
    for w in x.windows(2) {
        for k in 0..5 {
            let p = w[0].lerp(w[1], k as f64 / 5.0);
            if let Some(near) = view.closest_point(p, 0.05, u32::MAX) {
                least = least.min(near.distance - 0.5 * DIAMETER);
            }
        }
    }
    least
}

fn step(world: &mut World) -> Report {
    let report = world.step();
    assert!(report.fault.is_none(), "{}", report.fault.unwrap());
    report
}

fn fastest(world: &World, id: MassPointCableId) -> f64 {
    MassPointCables::state(world, id).unwrap().velocities.iter().fold(0.0, |m: f64, v| m.max(v.length()))
}

/// Falls across a box, drapes over both its edges and comes to rest.
#[test]
fn a_cable_drapes_over_a_box() {
    for dt in [1.0 / 60.0, 1.0 / 120.0] {
        let mut world = World::default();
        world.set(|s| s.dt = dt).unwrap();
        let half = DVec3::new(0.1, 0.2, 0.1);
        world.add_body(boxed("box", half), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let corners = [DVec3::new(-0.3, 0.0, 0.25), DVec3::new(0.32, 0.05, 0.3)];
        let mut hose = MassPointCable::along("cable", &corners, 31, cable());
        hose.damping = Damping { stretch: 1e-3, bend: 0.02, air: 0.05 };
        let id = MassPointCables::add(&mut world, hose).unwrap();
        let mut least = f64::INFINITY;
        for _ in 0..(5.0 / dt) as usize {
            step(&mut world);
            least = least.min(clearance(&world, id));
        }
        let x = &MassPointCables::state(&world, id).unwrap().positions;
        println!("{dt:.1e}: least clearance {least:.1e} m, speed {:.1e} m/s", fastest(&world, id));
        assert!(least > 0.0, "it overlapped by {least}");
        assert!(fastest(&world, id) < 1e-3, "{}", fastest(&world, id));
        // it lies on the top, and both ends hang beside the box
        let top = half.z + 0.5 * DIAMETER;
        println!("middle {} over {top}", x[15]);
        assert!(x[15].z > top && x[15].z < top + 0.02, "{}", x[15]);
        assert!(x[0].z < half.z - 0.05 && x[31].z < half.z - 0.05, "{} {}", x[0], x[31]);
    }
}

/// A plate of a millimetre stops it, fallen on from up to ten metres (14 m/s, 23 cm a step), however the hose lies.
#[test]
fn nothing_passes_a_thin_plate() {
    for height in [0.02, 0.3, 1.0, 3.0, 10.0] {
        for lean in [0.0, 0.3, 1.2] {
            let mut world = World::default();
            world
                .add_body(boxed("plate", DVec3::new(1.0, 1.0, 0.0005)), DVec3::ZERO, DQuat::IDENTITY)
                .unwrap();
            let along = DVec3::new(libm::cos(lean), 0.1, libm::sin(lean)) * 0.3;
            let from = DVec3::Z * height - along * DVec3::new(0.5, 0.5, 0.0);
            let mut hose = MassPointCable::along("cable", &[from, from + along], 15, cable());
            hose.damping = Damping { stretch: 1e-3, bend: 0.01, air: 0.0 };
            let id = MassPointCables::add(&mut world, hose).unwrap();
            for n in 0..150 {
                step(&mut world);
                let x = &MassPointCables::state(&world, id).unwrap().positions;
                let lowest = x.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
                assert!(lowest > 0.0005 + 0.4 * DIAMETER, "{height} {lean} step {n}: {lowest}");
            }
        }
    }
}

/// A hand that pulls it down onto the plate with 50 N does not get through either.
#[test]
fn a_hand_cannot_pull_it_through_a_plate() {
    let mut world = World::default();
    world.add_body(boxed("plate", DVec3::new(0.3, 0.3, 0.0005)), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let corners = [DVec3::new(-0.2, 0.0, 0.05), DVec3::new(0.2, 0.0, 0.05)];
    let hose = MassPointCable::along("cable", &corners, 20, cable()).led(PointTether::rigid(
        10,
        DVec3::Z * 0.05,
        50.0,
    ));
    let id = MassPointCables::add(&mut world, hose).unwrap();
    for n in 0..240 {
        let target = DVec3::Z * (0.05 - 0.005 * n as f64).max(-0.3);
        world
            .edit_subsystem::<MassPointCables>(MassPointEdit::MoveTarget { cable: id, tether: 0, target })
            .unwrap();
        step(&mut world);
        let x = &MassPointCables::state(&world, id).unwrap().positions;
        let lowest = x.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.0005 + 0.4 * DIAMETER, "step {n}: {lowest}");
    }
}

/// A hand leads the end of a cable through a window of 4 × 4 cm in a wall and pulls it after.
#[test]
fn a_hand_leads_a_cable_through_a_frame() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let (open, thick, wide) = (0.02, 0.002, 0.2);
    for (at, half) in [
        (DVec3::Z * (open + wide), DVec3::new(thick, open + 2.0 * wide, wide)),
        (DVec3::Z * -(open + wide), DVec3::new(thick, open + 2.0 * wide, wide)),
        (DVec3::Y * (open + wide), DVec3::new(thick, wide, open)),
        (DVec3::Y * -(open + wide), DVec3::new(thick, wide, open)),
    ] {
        world.add_body(boxed("frame", half), at, DQuat::IDENTITY).unwrap();
    }
    let start = [DVec3::new(-0.3, 0.1, 0.1), DVec3::new(-0.1, 0.15, 0.3), DVec3::new(-0.05, 0.0, 0.1)];
    let mut hose = MassPointCable::along("cable", &start, 40, cable())
        .held(0, Anchor::point(ground, start[0]))
        .led(PointTether::rigid(40, start[2], 20.0));
    hose.damping = Damping { stretch: 1e-3, bend: 0.02, air: 0.02 };
    let id = MassPointCables::add(&mut world, hose).unwrap();
    // before the window, through it, up and away; the last target is out of reach, so that in the end it is taut
    let way = [
        start[2],
        DVec3::new(-0.05, 0.0, 0.0),
        DVec3::new(0.05, 0.0, 0.0),
        DVec3::new(0.1, 0.1, 0.15),
        DVec3::new(0.4, 0.3, 0.4),
    ];
    let mut least = f64::INFINITY;
    for leg in way.windows(2) {
        for k in 1..=90 {
            let target = leg[0].lerp(leg[1], k as f64 / 90.0);
            world
                .edit_subsystem::<MassPointCables>(MassPointEdit::MoveTarget { cable: id, tether: 0, target })
                .unwrap();
            step(&mut world);
            least = least.min(clearance(&world, id));
        }
    }
    for _ in 0..120 {
        step(&mut world);
        least = least.min(clearance(&world, id));
    }
    let x = &MassPointCables::state(&world, id).unwrap().positions;
    let force = MassPointCables::state(&world, id).unwrap().forces[0].length();
    println!("least clearance {least:.1e} m, end at {}, pull on the other end {force:.1} N", x[40]);
    assert!(least > 0.0, "it overlapped by {least}");
    assert!(x[40].x > 0.03);
    // what crosses the wall does so inside of the window
    for w in x.windows(2).filter(|w| w[0].x <= 0.0 && w[1].x > 0.0) {
        let p = w[0].lerp(w[1], -w[0].x / (w[1].x - w[0].x));
        assert!(p.y.abs() < open && p.z.abs() < open, "{p}");
    }
    // the hand pulls with its 20 N and no more; friction at the edges takes its share
    assert!(force > 5.0 && force < 20.5, "{force}");
}

/// On a slope it sticks if friction is above its tangent, and slides with g (sin − μ cos) if below.
#[test]
fn friction_holds_and_slides() {
    let slope: f64 = 0.3;
    for friction in [0.5, 0.2, 0.0] {
        let mut world = World::default();
        let mut surfaces = Surfaces::default();
        surfaces.set(0, 0, ContactParameters::rough(friction));
        world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
        let turn = windlass_engine::math::turn(DVec3::Y, slope);
        let ground = Body::fixed("slope").with_collider(Collider::of(Geometry::HalfSpace));
        world.add_body(ground, DVec3::ZERO, turn).unwrap();
        let lift = turn * DVec3::Z * (0.5 * DIAMETER + 0.1 * DIAMETER);
        let corners = [DVec3::Y * -0.2 + lift, DVec3::Y * 0.2 + lift];
        let id =
            MassPointCables::add(&mut world, MassPointCable::along("cable", &corners, 10, cable())).unwrap();
        for _ in 0..60 {
            step(&mut world);
        }
        let s = MassPointCables::state(&world, id).unwrap();
        let down = turn * DVec3::X;
        let gone: Vec<f64> = s.positions.iter().map(|p| (*p - lift).dot(down)).collect();
        let exact = 0.5 * 9.81 * (libm::sin(slope) - friction * libm::cos(slope)).max(0.0);
        for way in gone {
            // creep is 1e-4 m/s at most
            assert!((way - exact).abs() < 1.1e-4 + 0.01 * exact, "μ = {friction}: {way} instead of {exact}");
        }
    }
}

/// A thin plate that is driven up at 3 m/s, 5 cm in a step, takes the cable along.
#[test]
fn a_driven_plate_does_not_pass_a_cable() {
    let mut world = World::default();
    let path = Path {
        position: [Motion::Constant(0.0), Motion::Constant(0.0), Motion::Ramp { start: -0.5, speed: 3.0 }],
        rotations: Vec::new(),
        orientation: DQuat::IDENTITY,
    };
    let half = DVec3::new(1.0, 1.0, 0.0005);
    let plate = Body::kinematic("plate", path).with_collider(Collider::new(Shape::Box { half }));
    let plate = world.add_body(plate, DVec3::Z * -0.5, DQuat::IDENTITY).unwrap();
    let ends = [DVec3::new(-0.2, 0.1, 0.0), DVec3::new(0.2, 0.0, 0.07)];
    let id = MassPointCables::add(&mut world, MassPointCable::along("cable", &ends, 16, cable())).unwrap();
    for n in 0..60 {
        step(&mut world);
        let top = world.state().bodies[plate.index()].position.z + half.z;
        let x = &MassPointCables::state(&world, id).unwrap().positions;
        let lowest = x.iter().map(|p| p.z - top).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.4 * DIAMETER, "step {n}: {lowest}");
    }
    assert!(MassPointCables::state(&world, id).unwrap().velocities[8].z > 2.0);
}

/// A rigid box falls on a cable between two posts: the cable bears it, and they part again when it is light.
#[test]
fn a_free_body_rests_on_a_taut_cable() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.03 }, 0.1).unwrap();
    let ball = Body::dynamic("ball", mass).with_collider(Collider::new(Shape::Sphere { radius: 0.03 }));
    let ball = world.add_body(ball, DVec3::new(0.0, 0.0, 0.06), DQuat::IDENTITY).unwrap();
    let ends = [DVec3::X * -0.2, DVec3::X * 0.2];
    let mut hose = MassPointCable::along("rope", &ends, 20, cable())
        .held(0, Anchor::point(ground, ends[0]))
        .held(20, Anchor::point(ground, ends[1]));
    hose.damping = Damping { stretch: 1e-2, bend: 0.02, air: 0.2 };
    let id = MassPointCables::add(&mut world, hose).unwrap();
    for _ in 0..90 {
        step(&mut world);
    }
    // it balances on the cable for a while, which bears its weight and its own
    let mut mean = 0.0;
    for _ in 0..30 {
        step(&mut world);
        mean -= MassPointCables::state(&world, id).unwrap().forces.iter().map(|f| f.z).sum::<f64>() / 30.0;
    }
    let weight = 9.81 * (0.1 + 0.05 * 0.4);
    let z = world.state().bodies[ball.index()].position.z;
    println!("the posts bear {mean} N of {weight} N, the ball is at {z}");
    assert!((mean / weight - 1.0).abs() < 0.02 && z > 0.02);
}

/// A hose and a cable of elements that hang on one point swing into each other and come to rest side by side. What pushed them out
/// of the hook would do so for ever, and an element moved behind the back of its links is thrown by them: this had 1e6 J.
#[test]
fn a_cable_and_a_cable_share_a_hook() {
    let mut world = World::default();
    let hook = world.add_body(Body::fixed("hook"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let held = Anchor::point(hook, DVec3::ZERO);
    let section = Section {
        diameter: 0.008,
        mass_per_length: 0.06,
        stretch: 1e5,
        bend: 0.4,
        twist: 0.3,
        damping: [0.01; 3],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    };
    let laying = CableSpec {
        ends: [End::Ball(held), End::Free],
        elements: 20,
        surface: Some(0),
        ..CableSpec::new("elements", section, [DVec3::ZERO, DVec3::X])
    };
    let elements = world.add_cable(laying).unwrap();
    let away = DVec3::new(0.7, 0.7, 0.0);
    let hose = MassPointCable::along("points", &[DVec3::ZERO, away], 20, cable()).held(0, held);
    let points = MassPointCables::add(&mut world, hose).unwrap();
    // what falls by a metre has 4.5 m/s, and the tip of a whip some times that
    for _ in 0..300 {
        step(&mut world);
        let bodies = &world.model().cables().get(elements).unwrap().elements;
        let speeds = bodies.iter().map(|b| world.state().bodies[b.index()].velocity.length());
        let most = speeds.fold(fastest(&world, points), f64::max);
        assert!(most < 20.0, "{most} m/s at {} s", world.state().time);
    }
}
