//! The hydraulic crane: what holds its load, the speeds of its cylinders, how they share the pump, and its energies.

use crate::play::{G, at, changed, run, until};
use glam::DVec3;
use std::f64::consts::{FRAC_PI_4, TAU};
use windlass_engine::prelude::{Work, World};
use windlass_vehicle::hydraulics::{Cylinder, PumpState, SectionState};
use windlass_vehicle::{VehicleState, Vehicles};

const LITRE_PER_MINUTE: f64 = 1e-3 / 60.0;

fn state(world: &World) -> &VehicleState {
    Vehicles::find(world, "crane").expect("the crane").1
}

/// Boom, jib and slewing motor.
fn sections(world: &World) -> [SectionState; 3] {
    state(world).sections[..].try_into().expect("three valves")
}

fn pump(world: &World) -> PumpState {
    state(world).pumps[0]
}

#[track_caller]
fn near(value: f64, reference: f64, part: f64) {
    assert!((value / reference - 1.0).abs() <= part, "{value} is not {reference}");
}

/// Weights right of the boom's foot against the force of the boom's cylinder, about the foot.
#[test]
fn the_boom_cylinder_holds_the_load() {
    let scene = &mut changed("vehicle/hydraulic_crane", &[]);
    let (boom, load) = (at(&scene.world, "boom"), at(&scene.world, "load"));
    let jib = at(&scene.world, "jib");
    let foot = DVec3::new(0.0, 0.0, 2.7);
    let moment: f64 = [(boom, 420.0), (jib, 220.0), (load, 1000.0)].iter().map(|(p, m)| m * G * p.x).sum();
    let (s, c) = libm::sincos(40.0_f64.to_radians());
    let (low, high) =
        (DVec3::new(0.35, 0.0, 1.5), foot + DVec3::new(1.4 * c + 0.2 * s, 0.0, 1.4 * s - 0.2 * c));
    let arm = (high - foot).cross((high - low).normalize()).y.abs();
    run(scene, 0.9);
    near(sections(&scene.world)[0].force(), moment / arm, 1e-4);
    // nothing creeps
    assert!(at(&scene.world, "load").distance(load) < 1e-7);
}

/// Alone the boom gets what its valve asks for: ẋ = q/A.
#[test]
fn the_boom_moves_at_flow_over_area() {
    let scene = &mut changed("vehicle/hydraulic_crane", &[]);
    run(scene, 4.5);
    let [boom, ..] = sections(&scene.world);
    let flow = (0.6 - 0.05) / 0.95 * 40.0 * LITRE_PER_MINUTE;
    near(boom.flow, flow, 1e-3);
    near(boom.rate, flow / (FRAC_PI_4 * 0.1 * 0.1), 1e-3);
}

/// Boom and jib ask for 80 l/min together; the pump delivers 28 cm³ per revolution, in equal parts as the valves are equally
/// open. The engine delivers p_pump Q.
#[test]
fn boom_and_jib_share_the_pump() {
    let scene = &mut changed("vehicle/hydraulic_crane", &[]);
    run(scene, 6.5);
    let world = &scene.world;
    let ([boom, jib, _], pump) = (sections(world), pump(world));
    let diesel = state(world).components[0];
    near(pump.flow, 28e-6 * diesel.slip / TAU, 1e-3);
    near(boom.flow, 0.5 * pump.flow, 1e-3);
    near(jib.flow, 0.5 * pump.flow, 1e-3);
    let [bore, _] = Cylinder::areas(0.1, 0.06);
    near(pump.pressure, boom.force() / bore + 20e5, 1e-3);
    near(diesel.torque[1] * diesel.slip, pump.pressure * pump.flow, 0.01);
    // below 1800 rpm by the droop
    near(diesel.slip, 1800.0 * TAU / 60.0 - 100.0 * TAU / 60.0 * diesel.torque[1] / 110.0, 1e-3);
}

/// The whole run: no force beyond a relief pressure, the account of energies closes, and the crane stands at its end.
#[test]
fn the_energies_of_a_lift_balance() {
    let scene = &mut changed("vehicle/hydraulic_crane", &[]);
    let start = scene.world.inspect().energy().total();
    let [bore, ring] = Cylinder::areas(0.1, 0.06);
    let mut work = Work::default();
    let mut reports = Vec::new();
    while scene.world.state().time < 25.0 - 1e-9 {
        let report = scene.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        let force = sections(&scene.world)[0].force();
        assert!((-288e5 * ring..=288e5 * bore).contains(&force), "{force} N");
        work = work.plus(report.work.expect("an account"));
        reports.push(report.energy.total());
    }
    let end = scene.world.inspect();
    let work = work.plus(end.work().expect("an account"));
    let (change, supplied) = (end.energy().total() - start, work.drives);
    assert!(supplied > 20e3, "{work:?}");
    assert!((change - work.total()).abs() < 0.01 * supplied, "{change} J of {work:?}");
    let before = at(&scene.world, "jib");
    until(scene, 30.0, |_| {});
    assert!(at(&scene.world, "jib").distance(before) < 1e-3, "it holds");
}
