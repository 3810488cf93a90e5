//! Mass-point cables in the world: held by bodies, edited, undone, saved, and refused when they make no sense.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_mass_point_cable::*;

fn cable() -> CableProperties {
    CableProperties { stretch: 2e4, bend: 5e-3, mass: 0.1, diameter: 0.008 }
}

fn edit(edit: MassPointEdit) -> Edit {
    Edit::Subsystem(SubsystemEdit::of::<MassPointCables>(edit))
}

fn step(world: &mut World) -> Report {
    let report = world.step();
    assert!(report.fault.is_none(), "{}", report.fault.unwrap());
    report
}

fn steppers() -> [Integrator; 3] {
    let rule = Adaptive { tolerance: 1e-6, ..Adaptive::default() };
    [Integrator::Spook, Integrator::Projected, Integrator::DormandPrince(rule)]
}

/// A plug of 20 g in a clamp at the end of a cable of 100 g, hung from the ground, swinging; and a table the cable falls on.
fn plug(stepper: Integrator) -> (World, BodyId, MassPointCableId) {
    let mut world = World::default();
    world.set(|s| s.integrator = stepper).unwrap();
    let table = Collider::of(Geometry::HalfSpace).placed(DVec3::Z * -1.5, DQuat::IDENTITY);
    let ground = Body::fixed("ground").with_collider(table);
    let ground = world.add_body(ground, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let half = DVec3::new(0.02, 0.01, 0.01);
    let mass = Mass::of_total(&Shape::Box { half }, 0.02).unwrap();
    let body =
        world.add_body(Body::dynamic("plug", mass), DVec3::new(1.02, 0.0, 0.0), DQuat::IDENTITY).unwrap();
    let l = 1.0 / 25.0;
    let mut hose = MassPointCable::along("cable", &[DVec3::ZERO, DVec3::X], 25, cable())
        .held(0, Anchor::point(ground, DVec3::ZERO))
        .held(24, Anchor::point(body, DVec3::X * (-0.02 - l)))
        .held(25, Anchor::point(body, DVec3::X * -0.02));
    hose.damping = Damping { stretch: 1e-3, bend: 0.02, air: 0.1 };
    let id = MassPointCables::add(&mut world, hose).unwrap();
    (world, body, id)
}

/// A light plug on a heavy, stiff cable, whose springs are a hundred times too stiff for explicit forces at this step, swings
/// without shaking loose, and at rest the ground bears the weight of both.
#[test]
fn a_light_plug_hangs_on_a_heavy_cable() {
    for stepper in steppers() {
        let (mut world, body, id) = plug(stepper);
        let mut gap: f64 = 0.0;
        let mut lowest: f64 = 0.0;
        for _ in 0..900 {
            step(&mut world);
            let (b, s) = (&world.state().bodies[body.index()], MassPointCables::state(&world, id).unwrap());
            gap = gap.max(s.positions[25].distance(b.position + b.orientation * (DVec3::X * -0.02)));
            lowest = lowest.min(b.position.z);
        }
        let (b, s) = (&world.state().bodies[body.index()], MassPointCables::state(&world, id).unwrap());
        let weight = 9.81 * (0.02 + 0.1);
        println!("{stepper:?}: gap {gap:.1e}, lowest {lowest}, force {}, at {}", s.forces[0], b.position);
        assert!(gap < 5e-3, "{stepper:?}: the plug was {gap} m off");
        assert!(lowest < -1.0 && lowest > -1.03);
        assert!((s.forces[0].z + weight).abs() < 0.02 * weight, "{}", s.forces[0]);
        assert!((b.position - DVec3::Z * -1.02).length() < 0.03, "{}", b.position);
    }
}

/// A heavy body on a joint feels the cable that pulls it: a lever hangs where moments balance. In each step it is moved out of
/// its joint by ½ W F h² and put back, and its bearing feels that as a speed of ½ W F h: the error falls with the step.
#[test]
fn a_cable_pulls_a_lever() {
    let [coarse, fine] = [1.0 / 60.0, 1.0 / 240.0].map(lever);
    println!("force off by {coarse:.1e} and {fine:.1e}");
    assert!(coarse < 0.004 && fine < 0.3 * coarse);
}

fn lever(dt: f64) -> f64 {
    let mut world = World::default();
    world.set(|s| s.dt = dt).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.25, 0.02, 0.02) }, 1.0).unwrap();
    let lever = world.add_body(Body::dynamic("lever", mass), DVec3::X * 0.25, DQuat::IDENTITY).unwrap();
    let turn = windlass_engine::math::facing(DVec3::Y);
    let anchors = [Anchor::frame(ground, DVec3::ZERO, turn), Anchor::frame(lever, DVec3::X * -0.25, turn)];
    let axis = Axis { viscosity: 0.01, ..Axis::default() };
    world.add_joint(Joint::new("hinge", Hinge { anchors, axis })).unwrap();
    // straight up from the lever's end: the cable bears half its weight
    let ends = [DVec3::new(0.5, 0.0, 0.6), DVec3::X * 0.5];
    let mut hose = MassPointCable::along("cable", &ends, 12, cable())
        .held(0, Anchor::point(ground, ends[0]))
        .held(12, Anchor::point(lever, DVec3::X * 0.25));
    hose.damping = Damping { stretch: 1e-2, bend: 0.02, air: 0.1 };
    let id = MassPointCables::add(&mut world, hose).unwrap();
    for _ in 0..(10.0 / dt) as usize {
        step(&mut world);
    }
    let s = MassPointCables::state(&world, id).unwrap();
    // what hangs between the two ends is the cable
    assert!((s.forces[0].z + s.forces[1].z + 0.06 * 9.81).abs() < 1e-6, "{:?}", s.forces);
    (s.forces[1].z / (0.5 * 9.81) - 1.0).abs()
}

/// What the cable takes from a body the body has lost: a plug thrown with its cable keeps their momentum.
#[test]
fn plug_and_cable_keep_their_momentum() {
    let mut world = World::default();
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    let mass = Mass::of_total(&Shape::Box { half: DVec3::splat(0.02) }, 0.3).unwrap();
    let body = world.add_body(Body::dynamic("plug", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let hose = MassPointCable::along("cable", &[DVec3::X * 0.02, DVec3::X * 0.5], 12, cable());
    let at = [0, 1].map(|k| Anchor::point(body, hose.points[k]));
    let id = MassPointCables::add(&mut world, hose.held(0, at[0]).held(1, at[1])).unwrap();
    world.set_velocity(body, DVec3::new(0.5, 1.0, 2.0), DVec3::new(3.0, 5.0, -4.0)).unwrap();
    let momentum = |world: &World| {
        let (hose, s) =
            (MassPointCables::get(world, id).unwrap(), MassPointCables::state(world, id).unwrap());
        let cable: DVec3 = s.velocities.iter().enumerate().map(|(i, v)| *v * hose.mass(i)).sum();
        world.state().bodies[body.index()].velocity * 0.3 + cable
    };
    // after the first step, in which forces act for half of it
    step(&mut world);
    let start = momentum(&world);
    for n in 0..120 {
        step(&mut world);
        let lost = (momentum(&world) - start).length();
        assert!(lost < 1e-9, "step {n}: {lost}");
    }
    assert!(
        MassPointCables::state(&world, id).unwrap().velocities[12].length() > 0.5,
        "the cable came along"
    );
}

/// In the middle of everything the bytes of the state go on to the bit, in another world too, under every stepper.
#[test]
fn a_state_goes_on_to_the_bit() {
    for stepper in steppers() {
        let (mut world, _, id) = plug(stepper);
        world
            .edit_subsystem::<MassPointCables>(MassPointEdit::SetTethers(
                id,
                vec![PointTether::rigid(12, DVec3::new(0.3, 0.2, -1.6), 5.0)],
            ))
            .unwrap();
        for _ in 0..40 {
            step(&mut world);
        }
        let bytes = world.state().to_bytes();
        let (mut other, _, _) = plug(stepper);
        other
            .edit_subsystem::<MassPointCables>(MassPointEdit::SetTethers(
                id,
                vec![PointTether::rigid(12, DVec3::new(0.3, 0.2, -1.6), 5.0)],
            ))
            .unwrap();
        let read = State::from_bytes(&bytes).unwrap();
        assert_eq!(&read, world.state());
        assert_eq!(read.hash(), xxhash_rust::xxh64::xxh64(&bytes, 0));
        other.restore(read).unwrap();
        for n in 0..100 {
            step(&mut world);
            step(&mut other);
            assert_eq!(world.state().hash(), other.state().hash(), "{stepper:?}, step {n}");
        }
        // cut off anywhere it is refused
        for cut in (8..bytes.len()).step_by(97) {
            assert!(State::from_bytes(&bytes[..cut]).is_err());
        }
    }
}

/// Edits are undone exactly, alone and in the reverse order of their making.
#[test]
fn edits_are_undone_exactly() {
    let (mut world, body, id) = plug(Integrator::Spook);
    for _ in 0..20 {
        step(&mut world);
    }
    let before = world.state().clone();
    let hose = MassPointCables::get(&world, id).unwrap().clone();
    let edits = [
        edit(MassPointEdit::SetTethers(id, vec![PointTether::rigid(3, DVec3::X, 2.0)])),
        edit(MassPointEdit::MoveTarget { cable: id, tether: 0, target: DVec3::Y }),
        Edit::RemoveBody(body),
        edit(MassPointEdit::Remove(id)),
    ];
    let mut undo = Vec::new();
    for edit in edits {
        undo.push(world.edit(edit).unwrap());
    }
    assert!(MassPointCables::get(&world, id).is_none() && MassPointCables::state(&world, id).is_none());
    while let Some(edit) = undo.pop() {
        world.edit(edit).unwrap();
    }
    assert_eq!(world.state(), &before);
    assert_eq!(MassPointCables::get(&world, id).unwrap(), &hose);
    // a body that goes lets go of its points
    world.edit(Edit::RemoveBody(body)).unwrap();
    let held = MassPointCables::get(&world, id).unwrap();
    assert_eq!((held.attachments.len(), MassPointCables::state(&world, id).unwrap().forces.len()), (1, 1));
    step(&mut world);
}

#[test]
fn nonsense_is_refused_with_its_remedy() {
    let (mut world, body, id) = plug(Integrator::Spook);
    let good = || MassPointCable::along("new", &[DVec3::Z, DVec3::ONE], 5, cable());
    let with = |change: &dyn Fn(&mut MassPointCable)| {
        let mut hose = good();
        change(&mut hose);
        hose
    };
    let cases: [(MassPointCable, &str); 12] = [
        (with(&|s| s.points.truncate(1)), "give 2 to"),
        (with(&|s| s.points[2].x = f64::NAN), "point 2"),
        (with(&|s| s.points[2] = s.points[3]), "points 2 and 3 coincide"),
        (with(&|s| s.properties.stretch = 0.0), "EA is 0"),
        (with(&|s| s.properties.bend = -1.0), "EI is -1"),
        (with(&|s| s.damping.air = f64::INFINITY), "air damping"),
        (with(&|s| s.limits.rebuilds = 0), "rebuild"),
        (
            with(&|s| s.yields = Some(Yield { moment: 1.0, hardening: -1.0 })),
            "yields at 1 N·m with a hardening of -1",
        ),
        (good().held(9, Anchor::point(body, DVec3::ZERO)), "point 9 is attached"),
        (good().held(0, Anchor::point(body, DVec3::ZERO)), "place it there"),
        (good().led(PointTether::rigid(9, DVec3::ZERO, 1.0)), "point 9 has a tether"),
        (good().led(PointTether { reach: 0.0, ..PointTether::rigid(1, DVec3::ZERO, 1.0) }), "reach"),
    ];
    let before = world.state().clone();
    for (hose, expected) in cases {
        let refusal = MassPointCables::add(&mut world, hose).unwrap_err().to_string();
        assert!(refusal.contains(expected), "\"{refusal}\" does not say \"{expected}\"");
    }
    assert!(MassPointCable::along("none", &[], 5, cable()).problem().is_some());
    assert!(MassPointCable::along("point", &[DVec3::X, DVec3::X], 5, cable()).problem().is_some());
    let mut short = before.clone();
    short.part_mut::<MassPointCables>().unwrap().0[id.index()].positions.pop();
    assert!(world.restore(short).unwrap_err().to_string().contains("mass_points"));
    let lead = world
        .edit_subsystem::<MassPointCables>(MassPointEdit::MoveTarget {
            cable: id,
            tether: 0,
            target: DVec3::X,
        })
        .unwrap_err();
    assert!(lead.to_string().contains("it has 0 tethers"), "{lead}");
    world.edit_subsystem::<MassPointCables>(MassPointEdit::Remove(id)).unwrap();
    assert!(
        world
            .edit_subsystem::<MassPointCables>(MassPointEdit::Remove(id))
            .unwrap_err()
            .to_string()
            .contains("no such mass-point cable")
    );
}

/// What cannot be computed is a fault that names the hose and the point, and the state stays.
#[test]
fn a_fault_names_the_cable_and_the_point() {
    for stepper in steppers() {
        let (mut world, _, _) = plug(stepper);
        let id = MassPointCables::add(
            &mut world,
            MassPointCable::along("thrown", &[DVec3::Z, DVec3::ONE], 5, cable()),
        )
        .unwrap();
        let mut state = world.state().clone();
        let s = &mut state.part_mut::<MassPointCables>().unwrap().0[id.index()];
        s.velocities.fill(DVec3::X * 9e9);
        s.positions.iter_mut().for_each(|x| x.x += 9e9);
        world.restore(state).unwrap();
        world.set(|s| s.dt = 0.2).unwrap();
        let before = world.state().clone();
        let fault = world.step().fault.expect("it would pass 1e10 m");
        let text = fault.to_string();
        assert_eq!(fault.part.as_deref(), Some("point 0 of cable \"thrown\""));
        assert!(text.starts_with("point 0 of cable \"thrown\" would pass 1e10"), "{text}");
        assert_eq!(world.state(), &before);
    }
}

/// The three cables of Figure 5 (k_L/m, k_B/m, damping and segments as printed, m taken as the mass of the whole, since k_L then
/// belongs to one EA), one metre long, one end fixed in a clamp, released under gravity: of the figure itself only its caption is
/// known here. Stiffer ones hang less, and each ends where a shooting solution of the heavy elastica does.
#[test]
fn three_materials_hang_as_stiff_as_they_are() {
    // segments, k_L/m, k_D/m, k_B/m
    let table = [(12, 6e3, 6.0, 3e3), (20, 1e4, 12.0, 1.25e3), (42, 2.1e4, 21.0, 2.625e2)];
    let mut droops = Vec::new();
    for (segments, stretch, damp, bend) in table {
        let mut world = World::default();
        world.set(|s| s.dt = 0.01).unwrap();
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let l = 1.0 / segments as f64;
        // k = EA/l and EI/l of a cable of 1 kg
        let cord = CableProperties { stretch: stretch * l, bend: bend * l, mass: 1.0, diameter: 0.01 };
        let mut hose = MassPointCable::along("cable", &[DVec3::X * -l, DVec3::X], segments + 1, cord)
            .held(0, Anchor::point(ground, DVec3::X * -l))
            .held(1, Anchor::point(ground, DVec3::ZERO));
        hose.damping = Damping { stretch: damp / stretch, bend: 0.05, air: 1.0 };
        let id = MassPointCables::add(&mut world, hose).unwrap();
        let mut builds = 0;
        for _ in 0..1500 {
            step(&mut world);
            builds = builds.max(world.subsystem_work::<MassPointCables>().unwrap().builds);
        }
        let s = MassPointCables::state(&world, id).unwrap();
        let still = s.velocities.iter().fold(0.0, |m: f64, v| m.max(v.length()));
        let droop = -s.positions[segments + 1].z;
        let exact = heavy_elastica(cord);
        println!(
            "{segments} segments: end {droop:.5} m down, elastica {exact:.5} m, {builds} builds at most, {still:.0e} m/s"
        );
        // stretch of EA = 500 N under 10 N and the lumping of 12 segments are of this size
        assert!((droop / exact - 1.0).abs() < 0.03, "{droop} {exact}");
        droops.push(droop);
    }
    assert!(droops[0] < 0.5 * droops[1] && droops[1] < 0.5 * droops[2], "{droops:?}");
}

/// How far the end of a metre of cable in a clamp hangs down under its own weight: EI θ″ = −w (L − s) cos θ, θ(0) = 0, θ′(L) = 0, by
/// shooting with a classical Runge–Kutta.
fn heavy_elastica(cord: CableProperties) -> f64 {
    let load = cord.mass * 9.81 / cord.bend;
    let shoot = |bend: f64| {
        let n = 2000;
        let h = 1.0 / n as f64;
        let rate = |s: f64, y: [f64; 3]| [y[1], -load * (1.0 - s) * libm::cos(y[0]), libm::sin(y[0])];
        let mut y = [0.0, bend, 0.0];
        for k in 0..n {
            let s = k as f64 * h;
            let at = |y: [f64; 3], d: [f64; 3], f: f64| [0, 1, 2].map(|i| y[i] + f * h * d[i]);
            let a = rate(s, y);
            let b = rate(s + 0.5 * h, at(y, a, 0.5));
            let c = rate(s + 0.5 * h, at(y, b, 0.5));
            let d = rate(s + h, at(y, c, 1.0));
            y = [0, 1, 2].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        }
        y
    };
    // with a larger first bend the end is bent less
    let (mut low, mut high) = (0.0, load);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] < 0.0 { low = middle } else { high = middle }
    }
    shoot(low)[2]
}
