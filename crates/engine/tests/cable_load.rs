//! What a load does to a cable beside stretching it, where it is asked for: stiffness that grows with the tension, and damping in
//! proportion to it.

use crate::kit;

use glam::DVec3;
use kit::*;
use std::f64::consts::PI;
use windlass_engine::prelude::*;

/// EA [N] and T₀ [N].
const STRETCH: f64 = 1e5;
const LOAD: f64 = 2000.0;

fn stiffening(most: f64) -> UnderLoad {
    UnderLoad { stiffening: Some(Stiffening { load: LOAD, most }), damping: 0.0 }
}

/// A weight on a cable of 10 m; returns the cable and the weight.
fn hung(rig: &mut Rig, weight: f64, under_load: UnderLoad) -> (CableId, BodyId) {
    hung_on(rig, weight, 1e-4, under_load)
}

/// The same on a cable with a mass of a metre.
fn hung_on(rig: &mut Rig, weight: f64, mass: f64, under_load: UnderLoad) -> (CableId, BodyId) {
    let load = rig.body("load", speck(weight / 9.81), DVec3::Z * -10.0);
    let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
    let cable = section(mass, STRETCH, 1.0, 0.0);
    let line = [DVec3::ZERO, DVec3::Z * -10.0];
    let laying = CableSpec { ends, elements: 10, under_load, ..CableSpec::new("rope", cable, line) };
    (rig.world.add_cable(laying).unwrap(), load)
}

/// Strain T₀/EA ln(1 + T/T₀), and beyond the bound on with n EA.
#[test]
fn stretch_follows_the_law() {
    let bent = |weight: f64| LOAD / STRETCH * libm::log(1.0 + weight / LOAD);
    let straight = |weight: f64| LOAD / STRETCH * libm::log(2.0) + (weight - LOAD) / (2.0 * STRETCH);
    let cases = [(500.0, 10.0, bent(500.0)), (6000.0, 10.0, bent(6000.0)), (6000.0, 2.0, straight(6000.0))];
    for (weight, most, strain) in cases {
        for dt in [1.0 / 60.0, 1e-3] {
            let mut rig = Rig::new(dt, Integrator::Spook);
            let (cable, load) = hung(&mut rig, weight, stiffening(most));
            settle(&mut rig, 60.0);
            let stretched = -point(&rig.world, load, DVec3::ZERO).z / 10.0 - 1.0;
            near_part(&format!("strain under {weight} N"), stretched, strain, 1e-4);
            near_part("tension", rig.world.cable_readings(cable)[5].tension, weight, 1e-4);
        }
    }
    // without it the strain is T/EA, to the bit what it was
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let (_, load) = hung(&mut rig, 500.0, UnderLoad::default());
    settle(&mut rig, 60.0);
    near_part("plain strain", -point(&rig.world, load, DVec3::ZERO).z / 10.0 - 1.0, 500.0 / STRETCH, 1e-4);
}

/// A weight that bounces on such a cable keeps its energy, so what is reported as stored is the integral of the force.
#[test]
fn a_bouncing_weight_keeps_its_energy() {
    let mut rig = Rig::new(1e-4, Integrator::Projected);
    let (_, load) = hung_on(&mut rig, 3000.0, 1.0, stiffening(3.0));
    let start = rig.world.inspect().energy().total();
    let mut deepest: f64 = 0.0;
    let mut worst: f64 = 0.0;
    for _ in 0..3000 {
        let report = rig.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        deepest = deepest.min(point(&rig.world, load, DVec3::ZERO).z + 10.0);
        worst = worst.max((rig.world.inspect().energy().total() - start).abs());
    }
    // some 20 cm deep, 600 J; it passes the edge of the law at 3 times the stiffness
    assert!(deepest < -LOAD / STRETCH * libm::log(3.0_f64) * 10.0, "{deepest}");
    assert!(worst < 1e-3 * 3000.0 * -deepest, "{worst} J");
}

/// Bending stiffness grows by the same factor: moment over curvature is EI (1 + T/T₀).
#[test]
fn bending_stiffens_too() {
    let mut rig = Rig::new(1e-3, Integrator::Spook);
    let (cable, _) = hung(&mut rig, 3000.0, stiffening(10.0));
    let element = rig.world.model().cables().get(cable).unwrap().elements[4];
    let aside = Applied::force(Anchor::point(element, DVec3::ZERO), Direction::World(DVec3::X * 300.0));
    rig.world.add_force(Force::Applied(aside)).unwrap();
    settle(&mut rig, 60.0);
    let reading = rig.world.cable_readings(cable)[5];
    assert!(reading.curvature > 0.01, "{reading:?}");
    near_part("EI", reading.moment.length() / reading.curvature, 1.0 + reading.tension / LOAD, 1e-3);
}

/// Damping ratio of the first sideways mode of a taut cable of 10 m and 10 elements, by the decay of ten swings.
fn ratio(tension: f64, damping: f64) -> f64 {
    let mut rig = Rig::new(1.0 / 2000.0, Integrator::Spook).under(DVec3::ZERO);
    let (length, elements) = (10.0, 10);
    let line = [DVec3::ZERO, DVec3::X * length];
    let ends = line.map(|at| End::Ball(Anchor::point(rig.ground, at)));
    let laying = CableSpec {
        ends,
        elements,
        length: Some(length / (1.0 + tension / 1e7)),
        under_load: UnderLoad { stiffening: None, damping },
        ..CableSpec::new("string", section(1.0, 1e7, 0.01, 0.0), line)
    };
    let cable = rig.world.add_cable(laying).unwrap();
    let bodies = rig.world.model().cables().get(cable).unwrap().elements.clone();
    for body in &bodies {
        let at = rig.world.state().bodies[body.index()].position;
        rig.moving(*body, DVec3::Z * (0.1 * libm::sin(PI * at.x / length)), DVec3::ZERO);
    }
    let middle = bodies[elements / 2];
    let period = 2.0 * length / tension.sqrt();
    let trace = rig.trace(11.0 * period, |world| world.state().bodies[middle.index()].position.z);
    let peaks = peaks(&trace);
    let (first, last) = (peaks[0].1, peaks[10].1);
    libm::log(first / last) / (10.0 * 2.0 * PI)
}

/// ζ = ½ τ ω (2 sin(kℓ/2))², k = π/L: it grows with the root of the tension, since ω does. Without it there is next to none.
#[test]
fn tension_damps_a_plucked_cable() {
    let law = |tension: f64, damping: f64| {
        let chord = 2.0 * libm::sin(0.5 * PI / 10.0);
        0.5 * damping * PI / 10.0 * tension.sqrt() * chord * chord
    };
    for (tension, damping) in [(1e4, 0.0125), (4e4, 0.0125), (1e4, 0.025)] {
        let plain = ratio(tension, 0.0);
        assert!(plain.abs() < 5e-4, "{plain} without it");
        near_part("damping ratio", ratio(tension, damping) - plain, law(tension, damping), 0.03);
    }
}

/// The swing of a load is not damped by it: no link bends. Largest excursions in the first and the last swing of 20 s.
#[test]
fn tension_does_not_damp_the_swing_of_a_load() {
    for damping in [0.0, 0.1] {
        let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
        let (angle, length) = (0.2_f64, 10.0);
        let at = DVec3::new(length * libm::sin(angle), 0.0, -length * libm::cos(angle));
        let load = rig.body("load", speck(2000.0), at);
        let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
        let under_load = UnderLoad { stiffening: None, damping };
        let rope = Section { damping: [1e-3, 0.0, 0.0], ..section(1.0, 1e7, 1.0, 0.0) };
        let laying =
            CableSpec { ends, elements: 10, under_load, ..CableSpec::new("rope", rope, [DVec3::ZERO, at]) };
        rig.world.add_cable(laying).unwrap();
        let trace = rig.trace(20.0, |world| point(world, load, DVec3::ZERO).x);
        let peaks: Vec<_> = peaks(&trace).into_iter().map(|(_, x)| x).collect();
        let (first, last) = (peaks[0], peaks[peaks.len() - 1]);
        assert!(peaks.len() >= 3 && first > 1.9, "{peaks:?}");
        assert!((last / first - 1.0).abs() < 2e-3, "{damping} s: from {first} m to {last} m, {peaks:?}");
    }
}

#[test]
fn bad_numbers_are_told() {
    let laid = |under_load: UnderLoad, bend: f64| {
        let mut rig = Rig::new(0.01, Integrator::Spook);
        let line = [DVec3::ZERO, DVec3::X];
        let laying = CableSpec { under_load, ..CableSpec::new("c", section(1.0, 1e5, bend, 0.0), line) };
        rig.world.add_cable(laying).map_err(|e| e.to_string())
    };
    let told = laid(stiffening(0.5), 1.0).unwrap_err();
    assert!(told.contains("0.5 times: give"), "{told}");
    let damped = UnderLoad { stiffening: None, damping: 0.1 };
    let told = laid(damped, 0.0).unwrap_err();
    assert!(told.contains("bending stiffness: give"), "{told}");
    assert!(laid(damped, 1.0).is_ok());
}

/// Links that slide into each other at the compression P that buckles them have stored P (|g| − P/2k) each, and give it back:
/// a body that a squeezed cable pushes away has as much energy as the cable had.
#[test]
fn a_squeezed_cable_reports_what_it_stores() {
    let (length, slack, elements) = (2.0, 0.1, 4);
    let mut rig = Rig::new(1e-3, Integrator::Spook).under(DVec3::ZERO);
    let load = rig.body("load", speck(1000.0), DVec3::Z * length);
    let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
    let cable = section(0.1, STRETCH, 3.0, 1.0);
    let line = [DVec3::ZERO, DVec3::Z * length];
    let spec =
        CableSpec { ends, elements, length: Some(length + slack), ..CableSpec::new("rope", cable, line) };
    rig.world.add_cable(spec).unwrap();
    // EI (π/2l)² with elements of l = 2.1 m/4; the links hold EA/L as a whole
    let element = (length + slack) / elements as f64;
    let most = 3.0 * (0.5 * PI / element) * (0.5 * PI / element);
    let stored = most * (slack - 0.5 * most * (length + slack) / STRETCH);
    let start = rig.world.inspect().energy();
    near_part("elastic energy", start.elastic, stored, 1e-9);
    for _ in 0..200 {
        assert!(rig.world.step().fault.is_none());
        let energy = rig.world.inspect().energy();
        near_part("energy", energy.total(), start.total(), 1e-3);
    }
}
