//! Contacts under the adaptive stepper, by AERO's methods: collision by springs and by serial impulses, penalty forces,
//! friction, random gravity; with the scenes of its Figs. 19, 23, 29 and 30.

use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;

const G: f64 = 9.81;
const BOTH: [ImpactLaw; 2] = [ImpactLaw::Impulse, ImpactLaw::Spring];

fn world(collision: ImpactLaw, touch: ContactParameters) -> World {
    let mut world = World::default();
    world
        .set(|s| {
            s.integrator = Integrator::DormandPrince(Adaptive { tolerance: 1e-7, ..Adaptive::default() });
            s.contact.penalty.collision = collision;
        })
        .unwrap();
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, touch);
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
    world
}

/// A floor that leans by an angle about y.
fn floor(world: &mut World, lean: f64) -> BodyId {
    let ground = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
    world.add_body(ground, DVec3::ZERO, math::turn(DVec3::Y, lean)).unwrap()
}

fn add(world: &mut World, name: &str, shape: Shape, mass: f64, at: DVec3) -> BodyId {
    let body = Body::dynamic(name, Mass::of_total(&shape, mass).unwrap()).with_collider(Collider::new(shape));
    world.add_body(body, at, DQuat::IDENTITY).unwrap()
}

fn ball(world: &mut World, name: &str, radius: f64, at: DVec3) -> BodyId {
    add(world, name, Shape::Sphere { radius }, 1.0, at)
}

fn at(world: &World, body: BodyId) -> BodyState {
    world.state().bodies[body.index()]
}

fn step(world: &mut World) -> Report {
    let report = world.step();
    assert!(report.fault.is_none(), "{:?}", report.fault);
    report
}

fn run(world: &mut World, seconds: f64) {
    let steps = (seconds / world.model().settings().dt).round() as usize;
    (0..steps).for_each(|_| drop(step(world)));
}

/// Fig. 19: a sphere of 5 cm falls from 5 cm, and each rebound is ε² as high as the one before.
#[test]
fn a_sphere_rebounds_to_the_square_of_restitution() {
    for (collision, close) in [(ImpactLaw::Impulse, 1e-3), (ImpactLaw::Spring, 0.03)] {
        let mut world =
            world(collision, ContactParameters { restitution: 0.81, ..ContactParameters::default() });
        world.set(|s| (s.dt, s.contact.penalty.frequency) = (1e-3, 1000.0)).unwrap();
        floor(&mut world, 0.0);
        let ball = ball(&mut world, "ball", 0.05, 0.1 * DVec3::Z);
        let (mut peaks, mut last, mut deepest) = (Vec::new(), at(&world, ball), 0.0f64);
        while peaks.len() < 5 {
            let report = step(&mut world);
            deepest = deepest.max(report.penetration);
            let now = at(&world, ball);
            if last.velocity.z > 0.0 && now.velocity.z <= 0.0 {
                // the apex lies v/g after the last frame
                let rise = 0.5 * last.velocity.z * last.velocity.z / G;
                peaks.push(last.position.z - 0.05 + rise);
            }
            last = now;
            assert!(world.state().time < 2.0, "{collision:?}: {peaks:?}");
        }
        // a spring of 1000 Hz is pressed in by v/2πf
        assert!(deepest < 1.6e-4, "{collision:?}: {deepest}");
        for (k, peak) in peaks.iter().enumerate() {
            let wanted = 0.05 * 0.81f64.powi(2 * (k as i32 + 1));
            assert!((peak / wanted - 1.0).abs() < close, "{collision:?}: {k}: {peak} for {wanted}");
        }
    }
}

/// Fig. 23: an iron sphere settles in the plane; penalty forces do it at once, springs swing for long.
#[test]
fn a_sphere_settles_and_then_stands_still() {
    let mut settled = Vec::new();
    for collision in BOTH {
        let mut world =
            world(collision, ContactParameters { restitution: 0.8, ..ContactParameters::default() });
        world.set(|s| s.dt = 1e-3).unwrap();
        floor(&mut world, 0.0);
        let ball = add(&mut world, "iron", Shape::Sphere { radius: 0.1 }, 32.9, 0.1 * DVec3::Z);
        let rest = |z: f64| (z - 0.1).abs();
        let mut path = Vec::new();
        for _ in 0..1500 {
            step(&mut world);
            path.push(at(&world, ball).position.z);
        }
        let end = *path.last().unwrap();
        // within a tenth of how far it sinks
        let moving = path.iter().rposition(|z| (z - end).abs() > 0.1 * rest(end)).unwrap_or(0);
        settled.push(moving);
        assert!(rest(end) < 5e-5, "{collision:?} sinks {}", rest(end));
        assert!(at(&world, ball).velocity.length() < 1e-6, "{collision:?}");
        let load = world.contact_load(ball).force;
        assert!((load - DVec3::Z * (32.9 * G)).length() < 0.05, "{collision:?}: {load}");
        let [event] = world.events() else { panic!("{:?}", world.events()) };
        assert!(event.phase == Phase::Stay && (event.impulse.z - 1e-3 * 32.9 * G).abs() < 1e-4, "{event:?}");
        let from = at(&world, ball).position;
        run(&mut world, 1.0);
        assert!((at(&world, ball).position - from).length() < 1e-7, "{collision:?}: it creeps");
    }
    assert!(settled[0] < 30 && settled[0] < settled[1], "{settled:?}");
}

/// Five balls of 1 kg on rods of 0.5 m, touching, the first lifted by an angle.
fn cradle(world: &mut World, lift: f64) -> [BodyId; 5] {
    let beam = world.add_body(Body::fixed("beam"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    std::array::from_fn(|k| {
        let pivot = DVec3::X * (0.1 * k as f64);
        let (sin, cos) = libm::sincos(if k == 0 { lift } else { 0.0 });
        let at = pivot - 0.5 * DVec3::new(sin, 0.0, cos);
        let ball = ball(world, &format!("ball {k}"), 0.05, at);
        let anchors = [Anchor::point(beam, pivot), Anchor::point(ball, DVec3::ZERO)];
        world.add_joint(Joint::new(format!("rod {k}"), Distance::rod(anchors, 0.5))).unwrap();
        ball
    })
}

fn speeds(world: &World, balls: &[BodyId; 5]) -> [f64; 5] {
    balls.map(|b| at(world, b).velocity.x)
}

/// Fig. 29: the first ball hits four that touch, and the last one leaves with its speed.
#[test]
fn the_last_ball_of_a_cradle_leaves() {
    let mut world =
        world(ImpactLaw::Impulse, ContactParameters { restitution: 1.0, ..ContactParameters::rough(0.0) });
    world.set(|s| s.dt = 1e-3).unwrap();
    let balls = cradle(&mut world, 0.5);
    let hit = (2.0 * G * 0.5 * (1.0 - libm::cos(0.5))).sqrt();
    let energy = world.energy().total();
    let mut struck = 0;
    while speeds(&world, &balls)[4] < 0.5 * hit {
        step(&mut world);
        struck += world.events().iter().filter(|e| e.impulse.length() > 0.5 * hit).count();
        assert!(world.state().time < 1.0);
    }
    let v = speeds(&world, &balls);
    assert!((v[4] - hit).abs() < 2e-3 * hit, "{v:?} for {hit}");
    assert!(v[..4].iter().all(|v| v.abs() < 1e-3 * hit), "{v:?}");
    assert_eq!(struck, 4, "one touch of every two neighbours");
    // it swings out, comes back, and the first leaves
    while speeds(&world, &balls)[0] > -0.5 * hit {
        step(&mut world);
        assert!(world.state().time < 3.0);
    }
    let v = speeds(&world, &balls);
    assert!((v[0] + hit).abs() < 0.01 * hit && v[1..].iter().all(|v| v.abs() < 0.02 * hit), "{v:?}");
    assert!((world.energy().total() - energy).abs() < 1e-3 * energy.abs());
}

/// The same in real time: at once all would move, one after another the last leaves.
#[test]
fn the_last_ball_of_a_cradle_leaves_under_spook_too() {
    let hit = (2.0 * G * 0.5 * (1.0 - libm::cos(0.5))).sqrt();
    let after = |serial: bool| {
        let mut world = world(
            ImpactLaw::Impulse,
            ContactParameters { restitution: 1.0, ..ContactParameters::rough(0.0) },
        );
        world
            .set(|s| (s.dt, s.integrator, s.contact.serial) = (1.0 / 240.0, Integrator::Spook, serial))
            .unwrap();
        let balls = cradle(&mut world, 0.5);
        let mut impulse = 0.0;
        while speeds(&world, &balls)[4] < 0.1 * hit {
            step(&mut world);
            impulse = world.events().iter().fold(impulse, |m: f64, e| m.max(e.impulse.length()));
            assert!(world.state().time < 1.0);
        }
        (speeds(&world, &balls), impulse)
    };
    let ((serial, impulse), (at_once, _)) = (after(true), after(false));
    println!("hit {hit}: serial {serial:?}, impulse {impulse}; at once {at_once:?}");
    assert!((serial[4] - hit).abs() < 0.02 * hit, "{serial:?} for {hit}");
    assert!(serial[..4].iter().all(|v| v.abs() < 0.02 * hit), "{serial:?}");
    assert!((impulse - hit).abs() < 0.02 * hit, "events tell {impulse} N·s");
    assert!(at_once[3] > 0.1 * hit, "{at_once:?}");
}

/// Fig. 30: six cans and a ball.
fn can_toss(collision: ImpactLaw) -> (World, Vec<BodyId>) {
    let mut world = world(collision, ContactParameters { restitution: 0.3, ..ContactParameters::rough(0.4) });
    let rule = Adaptive { tolerance: 1e-5, ..Adaptive::default() };
    world.set(|s| s.integrator = Integrator::DormandPrince(rule)).unwrap();
    floor(&mut world, 0.0);
    let can = Shape::Cylinder { radius: 0.033, half_length: 0.06 };
    let mut bodies = Vec::new();
    for (row, count) in [3, 2, 1].into_iter().enumerate() {
        for k in 0..count {
            let y = 0.07 * (k as f64 - 0.5 * (count - 1) as f64);
            let at = DVec3::new(0.0, y, 0.06 + 0.12 * row as f64);
            bodies.push(add(&mut world, &format!("can {row} {k}"), can.clone(), 0.1, at));
        }
    }
    let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.04 }, 0.2, DVec3::new(-0.6, 0.005, 0.15));
    world.set_velocity(ball, DVec3::new(6.0, 0.0, 0.5), DVec3::ZERO).unwrap();
    bodies.push(ball);
    (world, bodies)
}

#[test]
fn cans_fly_and_energy_never_grows() {
    for collision in BOTH {
        let (mut world, bodies) = can_toss(collision);
        let (mut energy, start) = (world.energy().total(), world.energy().total());
        for _ in 0..72 {
            let report = step(&mut world);
            let now = report.energy.total();
            assert!(now < energy + 2e-3 * start, "{collision:?}: {energy} to {now} at {}", report.time);
            energy = energy.min(now);
        }
        let away = |b: &&BodyId| {
            let p = at(&world, **b).position;
            p.truncate().length() > 0.15
        };
        let flown = bodies[..6].iter().filter(away).count();
        assert!(flown >= 3, "{collision:?}: {flown} of 6 cans fly");
        assert!(
            bodies.iter().all(|b| at(&world, *b).position.z > 0.02),
            "{collision:?}: one is in the ground"
        );
    }
}

#[test]
fn a_box_on_a_slope_holds_below_and_slides_above_the_angle_of_friction() {
    let mu: f64 = 0.5;
    for collision in BOTH {
        for (factor, slides) in [(0.95, false), (1.05, true)] {
            let lean = libm::atan(factor * mu);
            let mut world = world(collision, ContactParameters::rough(mu));
            floor(&mut world, lean);
            let shape = Shape::Box { half: DVec3::splat(0.1) };
            let turn = math::turn(DVec3::Y, lean);
            let body = Body::dynamic("box", Mass::of_total(&shape, 2.0).unwrap());
            let body = body.with_collider(Collider::new(shape));
            let id = world.add_body(body, turn * (0.1 * DVec3::Z), turn).unwrap();
            // what settling takes
            run(&mut world, 0.25);
            let from = at(&world, id);
            run(&mut world, 1.0);
            let to = at(&world, id);
            let (way, down) = ((to.position - from.position).length(), turn * DVec3::X);
            if slides {
                let wanted = G * (libm::sin(lean) - mu * libm::cos(lean));
                let found = (to.velocity - from.velocity).dot(down);
                assert!((found / wanted - 1.0).abs() < 0.01, "{collision:?}: {found} for {wanted}");
            } else {
                assert!(way < 1e-5 && to.velocity.length() < 1e-5, "{collision:?}: creeps {way}");
            }
        }
    }
}

/// AERO's own static friction gives way at a speed in proportion to what it bears.
#[test]
fn with_creep_a_box_on_a_slope_creeps() {
    let mut world = world(ImpactLaw::Impulse, ContactParameters::rough(0.5));
    world.set(|s| s.contact.penalty.creep = 0.01).unwrap();
    let lean = libm::atan(0.25);
    floor(&mut world, lean);
    let turn = math::turn(DVec3::Y, lean);
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    let body = Body::dynamic("box", Mass::of_total(&shape, 2.0).unwrap()).with_collider(Collider::new(shape));
    let id = world.add_body(body, turn * (0.1 * DVec3::Z), turn).unwrap();
    run(&mut world, 0.5);
    let speed = at(&world, id).velocity.length();
    assert!((speed - 0.005).abs() < 1e-4, "{speed}");
}

#[test]
fn the_same_run_is_the_same_to_the_bit_also_from_its_middle() {
    for collision in BOTH {
        let play = |from: Option<&State>| {
            let (mut world, _) = can_toss(collision);
            world.set(|s| s.contact.penalty.gravity_noise = 0.01).unwrap();
            let mut hashes = Vec::new();
            if let Some(state) = from {
                world.restore(State::from_bytes(&state.to_bytes()).unwrap()).unwrap();
            }
            let mut middle = State::default();
            while world.state().step < 10 {
                step(&mut world);
                hashes.push(world.state().hash());
                let events = world.events();
                assert!(events.is_sorted_by(|a, b| a.parts < b.parts), "{events:?}");
                if world.state().step == 7 {
                    middle = world.state().clone();
                    // looking does not change what comes
                    world.inspect();
                }
            }
            (hashes, middle)
        };
        let (first, middle) = play(None);
        assert_eq!(first, play(None).0);
        assert_eq!(first[7..], play(Some(&middle)).0, "{collision:?}");
    }
}

#[test]
fn events_tell_impulses_and_when_surfaces_part() {
    let mut world =
        world(ImpactLaw::Impulse, ContactParameters { restitution: 0.5, ..ContactParameters::default() });
    floor(&mut world, 0.0);
    let ball = ball(&mut world, "ball", 0.1, DVec3::Z * 0.6);
    let hit = (2.0 * G * 0.5f64).sqrt();
    let mut seen = Vec::new();
    for _ in 0..30 {
        step(&mut world);
        seen.extend(world.events().iter().map(|e| (e.phase, e.impulse.z)));
    }
    assert_eq!(seen.iter().map(|e| e.0).collect::<Vec<_>>(), [Phase::Begin, Phase::End]);
    assert!((seen[0].1 - 1.5 * hit).abs() < 1e-3, "{seen:?}");
    assert_eq!(world.contact_load(ball).force, DVec3::ZERO);
}

/// AERO §3.9: a ball upon a ball stands for ever, unless gravity is a little random.
#[test]
fn random_gravity_ends_unstable_balance() {
    for (noise, stands) in [(0.0, true), (0.02, false)] {
        let mut world = world(ImpactLaw::Impulse, ContactParameters::default());
        world.set(|s| s.contact.penalty.gravity_noise = noise).unwrap();
        floor(&mut world, 0.0);
        ball(&mut world, "lower", 0.1, 0.1 * DVec3::Z);
        let upper = ball(&mut world, "upper", 0.1, 0.3 * DVec3::Z);
        run(&mut world, 1.5);
        let height = at(&world, upper).position.z;
        assert_eq!(height > 0.29, stands, "{noise}: {height}");
    }
}

/// A fast ball does not pass a thin plate, whatever the frame.
#[test]
fn nothing_tunnels() {
    for collision in BOTH {
        let mut world =
            world(collision, ContactParameters { restitution: 0.5, ..ContactParameters::rough(0.0) });
        world.set(|s| s.contact.penalty.frequency = 2000.0).unwrap();
        let half = DVec3::new(1.0, 1.0, 0.005);
        let plate = Body::fixed("plate").with_collider(Collider::new(Shape::Box { half }));
        world.add_body(plate, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let ball = ball(&mut world, "ball", 0.02, DVec3::Z);
        world.set_velocity(ball, -40.0 * DVec3::Z, DVec3::ZERO).unwrap();
        run(&mut world, 0.05);
        let v = at(&world, ball).velocity.z;
        assert!((v - 20.0).abs() < 0.5, "{collision:?}: {v}");
    }
}

/// A joint passes an impulse on: a rod on a pivot struck at its centre of percussion.
#[test]
fn joints_pass_impulses_on() {
    let mut world =
        world(ImpactLaw::Impulse, ContactParameters { restitution: 1.0, ..ContactParameters::rough(0.0) });
    world.set(|s| (s.gravity, s.dt) = (DVec3::ZERO, 1e-3)).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let rod = add(&mut world, "rod", Shape::Box { half: DVec3::new(0.01, 0.01, 0.5) }, 3.0, -0.5 * DVec3::Z);
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(rod, 0.5 * DVec3::Z)];
    let about_y = math::facing(DVec3::Y);
    let anchors = anchors.map(|a| Anchor { turn: about_y, ..a });
    world.add_joint(Joint::new("pivot", Hinge { anchors, axis: Axis::free() })).unwrap();
    // its end is as heavy as a third of it (and a little, for its thickness): a ball of that mass stops dead
    let inertia = 3.0 * (1.0 + 0.02 * 0.02) / 12.0 + 3.0 * 0.25;
    let ball =
        add(&mut world, "ball", Shape::Sphere { radius: 0.02 }, inertia / 0.81, DVec3::new(-0.1, 0.0, -0.9));
    world.set_velocity(ball, DVec3::X, DVec3::ZERO).unwrap();
    run(&mut world, 0.12);
    let v = at(&world, ball).velocity.length();
    let spin = at(&world, rod).angular_velocity.length();
    assert!(v < 1e-6 && (spin - 1.0 / 0.9).abs() < 1e-6, "{v} {spin}");
}

#[test]
fn bad_settings_are_refused() {
    let mut world = World::default();
    let refused = |e: Result<(), EditError>| assert!(matches!(e, Err(EditError::Setting { .. })), "{e:?}");
    refused(world.set(|s| s.contact.penalty.frequency = 0.0));
    refused(world.set(|s| s.contact.penalty.damping = -1.0));
    refused(world.set(|s| s.contact.penalty.creep = f64::NAN));
    refused(world.set(|s| s.contact.penalty.gravity_noise = 1.5));
}

/// Fig. 22: serial impulses turn a box that falls flat; springs do not.
#[test]
fn a_box_that_falls_flat_is_turned_by_serial_impulses_alone() {
    for collision in BOTH {
        let mut world =
            world(collision, ContactParameters { restitution: 0.5, ..ContactParameters::default() });
        floor(&mut world, 0.0);
        let shape = Shape::Box { half: DVec3::new(0.2, 0.1, 0.05) };
        let id = add(&mut world, "box", shape, 1.0, 0.25 * DVec3::Z);
        let energy = world.energy().total();
        let mut spin = 0.0f64;
        for _ in 0..120 {
            let report = step(&mut world);
            spin = spin.max(at(&world, id).angular_velocity.length());
            assert!(report.energy.total() < energy * (1.0 + 1e-6), "{collision:?}: {report:?}");
        }
        assert_eq!(spin > 0.1, collision == ImpactLaw::Impulse, "{collision:?}: {spin}");
        assert!(at(&world, id).velocity.length() < 1e-3, "{collision:?} does not come to rest");
    }
}

/// Whoever solves contacts under `spook`, accelerations are solved directly.
#[test]
fn the_solver_of_contacts_does_not_matter_to_joints() {
    for solver in [Solver::Direct, Solver::Split, Solver::Iterative] {
        let mut world = world(ImpactLaw::Impulse, ContactParameters::default());
        world.set(|s| s.contact.solver = solver).unwrap();
        cradle(&mut world, 0.5);
        let report = step(&mut world);
        assert!(report.gap < 1e-9 && report.residual < 1e-8, "{solver:?}: {report:?}");
        world.set(|s| s.integrator = Integrator::Spook).unwrap();
        step(&mut world);
        let ball = world.model().body("ball 4").unwrap();
        let fall = world.inspect().body(ball).unwrap().acceleration.velocity;
        assert!(fall.length() < 1e-6, "{solver:?}: {fall}");
    }
}

/// A box of 2 kg that lies on a floor leaning by an angle.
fn box_on_slope(world: &mut World, lean: f64, belt: DVec3) -> BodyId {
    let belted = Collider { belt, ..Collider::of(Geometry::HalfSpace) };
    let turn = math::turn(DVec3::Y, lean);
    world.add_body(Body::fixed("slope").with_collider(belted), DVec3::ZERO, turn).unwrap();
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    let body = Body::dynamic("box", Mass::of_total(&shape, 2.0).unwrap()).with_collider(Collider::new(shape));
    world.add_body(body, turn * (0.1 * DVec3::Z), turn).unwrap()
}

#[test]
fn what_slides_is_held_less_than_what_sticks() {
    let lean = libm::atan(0.45);
    let touch = ContactParameters { stick: 0.6, slide: 0.3, ..ContactParameters::default() };
    for push in [0.0, 0.5] {
        let mut world = world(ImpactLaw::Impulse, touch);
        let id = box_on_slope(&mut world, lean, DVec3::ZERO);
        run(&mut world, 0.2);
        let down = math::turn(DVec3::Y, lean) * DVec3::X;
        world.set_velocity(id, down * push, DVec3::ZERO).unwrap();
        run(&mut world, 0.5);
        let speed = at(&world, id).velocity.dot(down);
        let wanted =
            if push > 0.0 { push + 0.5 * G * (libm::sin(lean) - 0.3 * libm::cos(lean)) } else { 0.0 };
        assert!((speed - wanted).abs() < 0.01, "{speed} for {wanted}");
        let grip = world.state().contacts[0].grip;
        assert_eq!(grip, if push > 0.0 { ContactMode::Slip } else { ContactMode::Stick });
    }
}

#[test]
fn a_belt_carries_and_a_soft_floor_gives() {
    let mut world = world(ImpactLaw::Impulse, ContactParameters::rough(0.4));
    let id = box_on_slope(&mut world, 0.0, 0.5 * DVec3::X);
    run(&mut world, 1.0);
    assert!((at(&world, id).velocity - 0.5 * DVec3::X).length() < 1e-5, "{:?}", at(&world, id));

    let soft = ContactParameters { spring: Some(Spring::new(1e4, 50.0)), ..ContactParameters::default() };
    for collision in BOTH {
        let mut world = self::world(collision, soft);
        floor(&mut world, 0.0);
        let ball = ball(&mut world, "ball", 0.1, 0.2 * DVec3::Z);
        run(&mut world, 2.0);
        let sunk = 0.1 - at(&world, ball).position.z;
        assert!((sunk - G / 1e4).abs() < 1e-7, "{collision:?}: {sunk}");
    }
}

/// The fixed step of `projected` has the same contacts.
#[test]
fn projected_has_contacts_too() {
    for collision in BOTH {
        let mut world =
            world(collision, ContactParameters { restitution: 0.5, ..ContactParameters::default() });
        world
            .set(|s| (s.integrator, s.dt, s.contact.penalty.frequency) = (Integrator::Projected, 2e-4, 200.0))
            .unwrap();
        floor(&mut world, 0.0);
        let ball = ball(&mut world, "ball", 0.1, 0.3 * DVec3::Z);
        let mut highest = 0.0f64;
        for _ in 0..10000 {
            step(&mut world);
            if world.state().time > 0.25 {
                highest = highest.max(at(&world, ball).position.z - 0.1);
            }
        }
        assert!((highest - 0.05).abs() < 4e-3, "{collision:?}: {highest}");
        assert!(at(&world, ball).velocity.length() < 1e-3, "{collision:?}: {:?}", at(&world, ball));
    }
}

/// Steps of 60 Hz are ten times too long for contacts of 100 Hz, so they are cut: boxes on a slope stand or slide as they
/// should, and nothing is thrown up.
#[test]
fn projected_is_stable_with_long_steps() {
    for dt in [1.0 / 60.0, 1e-3] {
        for (degrees, wanted) in [(20f64, 0.0), (35.0, 0.80442203)] {
            let mut world = world(ImpactLaw::Impulse, ContactParameters::rough(0.5));
            world.set(|s| (s.integrator, s.dt) = (Integrator::Projected, dt)).unwrap();
            floor(&mut world, 0.0);
            let shape = Shape::Box { half: DVec3::new(0.2, 0.2, 0.1) };
            let block = add(&mut world, "block", shape, 10.0, 0.1 * DVec3::Z);
            let (s, c) = libm::sincos(degrees.to_radians());
            world.set(|settings| settings.gravity = G * DVec3::new(s, 0.0, -c)).unwrap();
            let mut highest = 0.0f64;
            for _ in 0..(1.0 / dt).round() as usize {
                assert_eq!(step(&mut world).forced, 0);
                highest = highest.max(at(&world, block).position.z);
            }
            let way = at(&world, block).position.x;
            assert!((way - wanted).abs() < 1e-3, "{way} m, not {wanted}, at {degrees}° and {dt}");
            assert!(highest < 0.1001, "thrown up to {highest} m at {degrees}° and {dt}");
        }
    }
}

/// Parts of a step end where surfaces meet: rebounds have their height at any step.
#[test]
fn projected_rebounds_to_the_square_of_restitution() {
    for dt in [1.0 / 60.0, 1e-3, 1e-4] {
        let mut world = world(
            ImpactLaw::Impulse,
            ContactParameters { restitution: 0.81, ..ContactParameters::default() },
        );
        world.set(|s| (s.integrator, s.dt) = (Integrator::Projected, dt)).unwrap();
        floor(&mut world, 0.0);
        let ball = ball(&mut world, "ball", 0.05, 0.1 * DVec3::Z);
        let start = step(&mut world).energy.total() - 0.05 * G;
        let mut hit = false;
        while !hit {
            step(&mut world);
            hit = world.events().iter().any(|e| e.phase == Phase::Begin);
        }
        let b = at(&world, ball);
        let left = G * (b.position.z - 0.05) + 0.5 * b.velocity.length_squared();
        assert!((left / start - 0.6561).abs() < 1e-3, "{} of the height at {dt}", left / start);
    }
}

/// What is asked to be hard without measure does not stop the clock, and is told.
#[test]
fn projected_tells_what_is_too_stiff() {
    let mut world = world(ImpactLaw::Impulse, ContactParameters::default());
    world.set(|s| (s.integrator, s.contact.penalty.frequency) = (Integrator::Projected, 1e5)).unwrap();
    floor(&mut world, 0.0);
    ball(&mut world, "ball", 0.1, 0.099999 * DVec3::Z);
    assert!(step(&mut world).forced > 0);
}

#[test]
fn triggers_tell_who_is_in_them() {
    let mut world = world(ImpactLaw::Impulse, ContactParameters::default());
    let shape = Shape::Box { half: DVec3::splat(0.2) };
    let zone = Collider { trigger: true, ..Collider::new(shape) };
    world.add_body(Body::fixed("zone").with_collider(zone), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let ball = ball(&mut world, "ball", 0.05, 0.5 * DVec3::Z);
    let mut phases = Vec::new();
    for _ in 0..40 {
        step(&mut world);
        phases.extend(world.events().iter().filter(|e| e.trigger).map(|e| e.phase));
    }
    phases.dedup();
    assert_eq!(phases, [Phase::Begin, Phase::Stay, Phase::End]);
    let t = world.state().time;
    assert!((at(&world, ball).velocity.z + G * t).abs() < 1e-9, "a trigger does not push");
}

/// Serial impacts keep what `spook` promises: heights of rebounds, and energy where much hits at once.
#[test]
fn serial_impacts_of_spook_bounce_and_do_not_feed() {
    let mut world =
        world(ImpactLaw::Impulse, ContactParameters { restitution: 0.8, ..ContactParameters::default() });
    world.set(|s| (s.integrator, s.contact.serial) = (Integrator::Spook, true)).unwrap();
    floor(&mut world, 0.0);
    let ball = ball(&mut world, "ball", 0.1, 1.1 * DVec3::Z);
    let (mut peak, mut hit) = (0.0f64, false);
    for _ in 0..60 {
        step(&mut world);
        hit |= world.events().iter().any(|e| e.phase == Phase::Begin);
        peak = if hit { peak.max(at(&world, ball).position.z - 0.1) } else { 0.0 };
    }
    assert!((peak - 0.64).abs() < 0.02, "{peak}");

    let (mut world, bodies) = can_toss(ImpactLaw::Impulse);
    world.set(|s| (s.integrator, s.contact.serial) = (Integrator::Spook, true)).unwrap();
    let start = world.energy().total();
    let mut least = f64::INFINITY;
    for _ in 0..120 {
        let energy = step(&mut world).energy.total();
        assert!(energy < least + 0.02 * start, "{least} to {energy} of {start}");
        least = least.min(energy);
    }
    assert!(bodies.iter().all(|b| at(&world, *b).position.z > 0.02));
}
