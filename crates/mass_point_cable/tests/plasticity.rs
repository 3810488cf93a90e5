//! Bends that stay, and natural bends.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_mass_point_cable::bending::bend;
use windlass_mass_point_cable::*;

const SEGMENTS: usize = 20;
const STIFF: f64 = 0.05;
const YIELD: Yield = Yield { moment: 0.05, hardening: 0.006 };

/// A wire of half a metre in a clamp, weightless.
fn wire() -> (World, MassPointCableId) {
    let mut world = World::default();
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let l = 0.5 / SEGMENTS as f64;
    let cord = CableProperties { stretch: 1e5, bend: STIFF, mass: 0.02, diameter: 0.002 };
    let mut hose = MassPointCable::along("wire", &[DVec3::X * -l, DVec3::X * 0.5], SEGMENTS + 1, cord)
        .held(0, Anchor::point(ground, DVec3::X * -l))
        .held(1, Anchor::point(ground, DVec3::ZERO));
    // slow enough not to swing
    hose.damping.air = 1.0;
    hose.yields = Some(YIELD);
    let id = MassPointCables::add(&mut world, hose).unwrap();
    (world, id)
}

/// Bends it slowly, so that it does not swing beyond its rest.
fn load(world: &mut World, id: MassPointCableId, force: f64) {
    for step in 1..=1200 {
        let lead = PointTether::rigid(SEGMENTS + 1, DVec3::new(0.5, 0.0, 1e7), force * step as f64 / 1200.0);
        world.edit_subsystem::<MassPointCables>(MassPointEdit::SetTethers(id, vec![lead])).unwrap();
        assert!(world.step().fault.is_none());
    }
}

fn rest(world: &mut World, id: MassPointCableId) -> Vec<DVec3> {
    for _ in 0..600 {
        let report = world.step();
        assert!(report.fault.is_none());
    }
    let s = MassPointCables::state(world, id).unwrap();
    assert!(s.velocities.iter().all(|v| v.length() < 1e-7), "it still moves");
    s.positions.clone()
}

fn bends(x: &[DVec3]) -> Vec<DVec3> {
    x.windows(3).map(|w| bend(w[2] - w[1], w[1] - w[0])).collect()
}

#[test]
fn a_wire_bent_past_yield_springs_back_by_its_elastic_part() {
    let force = 0.18;
    let (mut world, id) = wire();
    load(&mut world, id, force);
    let loaded = rest(&mut world, id);
    world.edit_subsystem::<MassPointCables>(MassPointEdit::SetTethers(id, Vec::new())).unwrap();
    let free = rest(&mut world, id);
    let hose = MassPointCables::get(&world, id).unwrap();
    let (before, after) = (bends(&loaded), bends(&free));
    let mut kept = 0;
    for joint in 0..before.len() {
        let point = joint + 1;
        // the moment of the load at the joint, by statics
        let moment = force * (loaded[SEGMENTS + 1].x - loaded[point].x);
        let spring = before[joint] - after[joint];
        let exact = DVec3::Y * -(moment / hose.bending(point));
        assert!((spring - exact).length() < 1e-6, "joint {joint}: {spring} instead of {exact}");
        // what is beyond yield is kept, by the plastic curvature of hardening; below nothing is
        let length = STIFF / hose.bending(point);
        let plastic = (moment - YIELD.moment).max(0.0) / YIELD.hardening * length;
        let exact = moment / hose.bending(point) + plastic;
        assert!(
            (before[joint].length() - exact).abs() < 1e-6,
            "joint {joint}: {} {exact}",
            before[joint].length()
        );
        if moment < YIELD.moment {
            assert!(after[joint].length() < 1e-9, "joint {joint} keeps {}", after[joint]);
        }
        kept += usize::from(after[joint].length() > 1e-3);
    }
    assert!(kept > 3 && kept < before.len() - 3, "{kept} joints of {} keep a bend", before.len());
    assert!(free[SEGMENTS + 1].z > 0.05, "its end stays up: {}", free[SEGMENTS + 1]);
}

#[test]
fn a_wire_below_yield_returns_fully() {
    let (mut world, id) = wire();
    load(&mut world, id, 0.09);
    let loaded = rest(&mut world, id);
    assert!(loaded[SEGMENTS + 1].z > 0.05);
    world.edit_subsystem::<MassPointCables>(MassPointEdit::SetTethers(id, Vec::new())).unwrap();
    let free = rest(&mut world, id);
    assert!((free[SEGMENTS + 1] - DVec3::X * 0.5).length() < 1e-7, "{}", free[SEGMENTS + 1]);
    assert!(MassPointCables::state(&world, id).unwrap().bends.iter().all(|s| s.spent == 0.0));
}

/// A hook of three straight parts in three directions.
fn hook() -> MassPointCable {
    let cord = CableProperties { stretch: 1e5, bend: STIFF, mass: 0.05, diameter: 0.002 };
    let corners = [DVec3::X * -0.02, DVec3::X * 0.2, DVec3::new(0.3, 0.0, 0.2), DVec3::new(0.3, 0.15, 0.3)];
    MassPointCable { formed: true, ..MassPointCable::along("hook", &corners, 30, cord) }
}

/// A natural shape is kept without force, and goes along when its clamp turns, about an axis on which none of its parts lie.
#[test]
fn a_formed_cable_keeps_its_shape_when_its_clamp_turns() {
    let mut world = World::default();
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
    let path = Path {
        position: [Motion::Constant(0.0), Motion::Constant(0.0), Motion::Constant(0.0)],
        rotations: vec![PathRotation {
            axis,
            angle: Motion::Smooth { from: 0.0, to: 2.0, start: 0.0, end: 2.0 },
        }],
        orientation: DQuat::IDENTITY,
    };
    let clamp = world.add_body(Body::kinematic("clamp", path), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mut hose = hook();
    let start = hose.points.clone();
    hose = hose.held(0, Anchor::point(clamp, start[0])).held(1, Anchor::point(clamp, start[1]));
    hose.damping.air = 0.2;
    let id = MassPointCables::add(&mut world, hose).unwrap();
    for _ in 0..300 {
        assert!(world.step().fault.is_none());
    }
    let turn = windlass_engine::math::turn(axis, 2.0);
    let far = |(x, from): (&DVec3, &DVec3)| (*x - turn * *from).length();
    let worst =
        MassPointCables::state(&world, id).unwrap().positions.iter().zip(&start).map(far).fold(0.0, f64::max);
    println!("off by {worst}");
    assert!(worst < 2e-3, "off by {worst}");
}

/// Thrown with a spin it tumbles as a rigid body does: its bends neither strain nor slow it.
#[test]
fn a_formed_cable_tumbles_freely() {
    let mut world = World::default();
    world.set(|s| (s.gravity, s.dt) = (DVec3::ZERO, 1e-3)).unwrap();
    let id = MassPointCables::add(&mut world, hook()).unwrap();
    let mut state = world.state().clone();
    let spin = DVec3::new(1.0, 2.0, -0.5);
    let s = &mut state.part_mut::<MassPointCables>().unwrap().0[id.index()];
    for (x, v) in s.positions.iter().zip(&mut s.velocities) {
        *v = spin.cross(*x);
    }
    world.restore(state).unwrap();
    let momentum = |world: &World| {
        let (hose, s) =
            (MassPointCables::get(world, id).unwrap(), MassPointCables::state(world, id).unwrap());
        let all = s.positions.iter().zip(&s.velocities).enumerate();
        all.map(|(i, (x, v))| x.cross(*v) * hose.mass(i)).sum::<DVec3>()
    };
    let start = momentum(&world);
    let mut elastic: f64 = 0.0;
    for _ in 0..1000 {
        let report = world.step();
        assert!(report.fault.is_none());
        elastic = elastic.max(report.energy.elastic / report.energy.kinetic);
    }
    let lost = (momentum(&world) - start).length() / start.length();
    println!("lost {lost:.1e} of its angular momentum; elastic part of its energy {elastic:.1e}");
    // implicit Euler keeps angular momentum to first order in the step; elastic energy is what centrifugal forces strain
    assert!(lost < 0.02 && elastic < 0.02);
}
