//! CB01–CB07, CB18: cables at rest, against closed forms.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::*;
use std::f64::consts::TAU;
use windlass_engine::prelude::*;

const DOWN: DVec3 = DVec3::NEG_Z;
const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// A cable between two points of the ground, hinged at both.
fn between_points(rig: &mut Rig, section: Section, to: DVec3, length: f64, elements: usize) -> CableId {
    let path = if length > to.length() {
        sagging(DVec3::ZERO, to, length, DOWN, 400)
    } else {
        vec![DVec3::ZERO, to]
    };
    let ends = [DVec3::ZERO, to].map(|p| End::Ball(Anchor::point(rig.ground, p)));
    let laying = CableSpec { ends, length: Some(length), elements, ..CableSpec::new("cable", section, path) };
    rig.world.add_cable(laying).unwrap()
}

/// The last element of a cable, and where the cable ends in its axes.
fn tip(world: &World, cable: CableId) -> Anchor {
    let cable = world.model().cables().get(cable).unwrap();
    Anchor::point(*cable.elements.last().unwrap(), DVec3::Z * (0.5 * cable.element))
}

/// Where the cable ends.
fn end(world: &World, cable: CableId) -> DVec3 {
    world.model().frame(world.state(), &tip(world, cable)).at
}

/// Direction of an element.
fn along(world: &World, cable: CableId, element: usize) -> DVec3 {
    let body = world.model().cables().get(cable).unwrap().elements[element];
    world.state().bodies[body.index()].orientation * DVec3::Z
}

/// CB01: 12 m over a span of 10 m.
#[test]
fn cb01_catenary() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let cable = between_points(&mut rig, section(1.0, 1e7, 0.0, 0.0), DVec3::X * 10.0, 12.0, 24);
        settle(&mut rig, 60.0);
        let case = Case::new("CB01", Integrator::Spook, dt);
        let readings = rig.world.cable_readings(cable);
        let (first, middle) = (readings[0], readings[12]);
        let slope = along(&rig.world, cable, 0);
        case.finds("sag", -middle.point.z);
        case.finds("horizontal force", middle.tension);
        case.finds("end force", first.tension);
        case.finds("end slope", libm::atan2(-slope.z, slope.x).to_degrees());
    }
}

/// CB02: Irvine's elastic catenary.
#[test]
fn cb02_elastic_catenary() {
    for dt in STEPS {
        let case = Case::new("CB02", Integrator::Spook, dt);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let cable = between_points(&mut rig, section(2.0, 5e4, 0.0, 0.0), DVec3::X * 10.0, 10.0, 24);
        settle(&mut rig, 60.0);
        let readings = rig.world.cable_readings(cable);
        case.finds("(a) horizontal force", readings[12].tension);
        case.finds("(a) sag", -readings[12].point.z);
        case.finds("(a) end force", readings[0].tension);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let cable = between_points(&mut rig, section(2.0, 2e4, 0.0, 0.0), DVec3::X * 10.0, 12.0, 24);
        settle(&mut rig, 60.0);
        let readings = rig.world.cable_readings(cable);
        case.finds("(b) horizontal force", readings[12].tension);
        case.finds("(b) sag", -readings[12].point.z);
    }
}

/// CB03: a hanging cable stretched by its own weight and a load, the same for any number of elements.
#[test]
fn cb03_hanging_cable() {
    for (dt, elements) in [(1.0 / 60.0, 24), (1.0 / 60.0, 5), (1e-3, 24)] {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let load = rig.body("load", speck(1000.0), DOWN * 100.0);
        let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
        let rope = section(7850.0 * 5e-4, 1e11 * 5e-4, 0.0, 0.0);
        let laying =
            CableSpec { ends, elements, ..CableSpec::new("cable", rope, [DVec3::ZERO, DOWN * 100.0]) };
        let cable = rig.world.add_cable(laying).unwrap();
        settle(&mut rig, 60.0);
        let case = Case::new("CB03", Integrator::Spook, dt).variant(format!("N = {elements}"));
        case.finds("stretch", -rig.world.state().bodies[load.index()].position.z - 100.0);
        case.finds("tension at the top", rig.world.cable_readings(cable)[0].tension);
    }
}

/// A weightless cantilever of length 1 m along x, clamped at the origin, EI = 1 N·m².
fn cantilever(dt: f64, elements: usize, bend: f64, twist: f64) -> (Rig, CableId) {
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
    let clamp = End::Clamp(Anchor::frame(rig.ground, DVec3::ZERO, turn));
    let rod = section(0.1, 1e6, bend, twist);
    let laying = CableSpec {
        ends: [clamp, End::Free],
        elements,
        ..CableSpec::new("rod", rod, [DVec3::ZERO, DVec3::X])
    };
    let cable = rig.world.add_cable(laying).unwrap();
    (rig, cable)
}

/// Deflection, shortening and tip angle [deg] of a cantilever under a dead load.
fn elastica(dt: f64, elements: usize, load: f64) -> (f64, f64, f64) {
    let (mut rig, cable) = cantilever(dt, elements, 1.0, 1.0);
    let force = Applied::force(tip(&rig.world, cable), Direction::World(DOWN * load));
    rig.world.add_force(Force::Applied(force)).unwrap();
    settle(&mut rig, 60.0);
    let (end, last) = (end(&rig.world, cable), along(&rig.world, cable, elements - 1));
    // half an element beyond the last middle, the tip's angle is that of the last element to second order
    (-end.z, 1.0 - end.x, libm::atan2(-last.z, last.x).to_degrees())
}

/// CB04 and CB05: small and large deflection (Bisshopp & Drucker).
#[test]
fn cb05_elastica() {
    for dt in STEPS {
        Case::new("CB04", Integrator::Spook, dt).finds("tip deflection / L", elastica(dt, 24, 0.25).0);
        let case = Case::new("CB05", Integrator::Spook, dt);
        for load in [1.0, 2.0, 5.0, 10.0] {
            let (deflection, shortening, angle) = elastica(dt, 24, load);
            case.finds(&format!("δ/L at {load}"), deflection);
            if load == 10.0 {
                case.finds("tip angle at 10", angle);
                case.finds("shortening/L at 10", shortening);
            }
        }
    }
}

/// The half link at a clamp makes it second order: errors fall by four as elements double.
#[test]
fn a_clamp_is_of_second_order() {
    let error = |elements| (elastica(1.0 / 60.0, elements, 2.0).0 / 0.49345748 - 1.0).abs();
    let [coarse, middle, fine] = [6, 12, 24].map(error);
    println!("errors {coarse:.2e} {middle:.2e} {fine:.2e}");
    assert!(coarse / middle > 3.5 && middle / fine > 3.5, "{coarse} {middle} {fine}");
    assert!(fine < 1e-3, "{fine}");
}

/// CB06: bent by an end couple into a circle; measured on the links, which lie on the circle.
#[test]
fn cb06_circle() {
    for dt in STEPS {
        let (mut rig, cable) = cantilever(dt, 24, 1.0, 1.0);
        let last = tip(&rig.world, cable).body;
        let torque = Applied::torque(last, Direction::World(DVec3::Y * TAU));
        rig.world.add_force(Force::Applied(torque)).unwrap();
        settle(&mut rig, 60.0);
        let case = Case::new("CB06", Integrator::Spook, dt);
        let readings = rig.world.cable_readings(cable);
        // the circle through three links
        let [a, b, c] = [4, 12, 20].map(|k| readings[k].point);
        let (p, q) = (b - a, c - a);
        let radius = p.length() * q.length() * (b - c).length() / (2.0 * p.cross(q).length());
        case.finds("vertex-circle radius / L", radius);
        case.finds("gap between the ends / L", end(&rig.world, cable).length());
        // bends of all links, and what the last half element would bend by, which in a chain is straight
        let bends =
            readings.iter().enumerate().map(|(k, r)| r.curvature * if k == 0 { 0.5 } else { 1.0 } / 24.0);
        let slope = bends.sum::<f64>() + 0.5 / 24.0 * readings[23].curvature;
        case.finds("end slope", slope.to_degrees());
        near_part("CB06 moment", readings[10].moment.length(), TAU, 1e-3);
    }
}

/// CB07: twist of a steel rod by a torque, and three whole turns.
#[test]
fn cb07_twist() {
    let stuff = SectionMaterial { young: 2.08e11, poisson: 0.3, density: 7850.0 };
    for dt in STEPS {
        for torque in [100.0, 2368.7] {
            let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
            let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
            let clamp = End::Clamp(Anchor::frame(rig.ground, DVec3::ZERO, turn));
            let ends = [clamp, End::Free];
            let rod = Section::round(0.02, stuff);
            let laying = CableSpec { ends, ..CableSpec::new("rod", rod, [DVec3::ZERO, DVec3::X * 10.0]) };
            let cable = rig.world.add_cable(laying).unwrap();
            let last = tip(&rig.world, cable).body;
            rig.world
                .add_force(Force::Applied(Applied::torque(last, Direction::World(DVec3::X * torque))))
                .unwrap();
            settle(&mut rig, 60.0);
            let case = Case::new("CB07", Integrator::Spook, dt);
            let readings = rig.world.cable_readings(cable);
            // the last half element is free of torque in a chain: the angle is that of its middle, 23.5 elements on
            let lengths =
                readings.iter().enumerate().map(|(k, _)| if k == 0 { 0.5 } else { 1.0 } * 10.0 / 24.0);
            let twist = readings.iter().zip(lengths).map(|(r, l)| r.twist * l).sum::<f64>() * 24.0 / 23.5;
            near_part("CB07 torque", readings[7].torque, torque, 1e-6);
            if torque == 100.0 {
                case.finds("twist", twist);
            } else {
                case.finds("torque at 3 turns", readings[7].torque * 3.0 * TAU / twist);
            }
        }
    }
}

/// Servin & Lacoursière's square cable of 10 m.
fn square(young: f64) -> Section {
    Section::rectangle(0.1, 0.1, SectionMaterial { young, poisson: 0.3, density: 7800.0 })
}

/// CB18: pulled between two bodies held by compliant ends; the same for any number of elements.
#[test]
fn cb18_pull() {
    for dt in STEPS {
        let case = || Case::new("CB18", Integrator::Spook, dt);
        for (name, young, force) in [("steel", 2e11, 1e6), ("nylon", 2e9, 1e5), ("rubber", 2e7, 1e5)] {
            let stretches = [3, 6, 12, 24].map(|elements| {
                let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
                let block = rig.body("block", speck(1e4), DVec3::X * 10.0);
                let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(block, DVec3::ZERO)]
                    .map(End::Fast);
                let path = [DVec3::ZERO, DVec3::X * 10.0];
                let laying = CableSpec { ends, elements, ..CableSpec::new("cable", square(young), path) };
                rig.world.add_cable(laying).unwrap();
                let pull =
                    Applied::force(Anchor::point(block, DVec3::ZERO), Direction::World(DVec3::X * force));
                rig.world.add_force(Force::Applied(pull)).unwrap();
                settle(&mut rig, 60.0);
                let stretch = rig.world.state().bodies[block.index()].position.x - 10.0;
                near_part(
                    &format!("CB18 {name}, N {elements}"),
                    stretch,
                    10.0 * force / (young * 1e-2),
                    1e-3,
                );
                stretch
            });
            match name {
                "steel" => case().stays("steel, 1e6 N: ΔL", stretches),
                "rubber" => case().stays("rubber, 1e5 N: ΔL", stretches),
                _ => {}
            }
            let mean = stretches.iter().sum::<f64>() / 4.0;
            case().variant(name).stays("spread over N", stretches.map(|s| s / mean - 1.0));
        }
    }
}

/// Twisted by tens of turns: exact for every material and number of elements, where the paper's code broke at 2.4. The rod
/// is pulled straight by a tenth of its length: T > M²/4EI, below which a twisted rod leaves its line (Greenhill).
#[test]
fn twist_counts_tens_of_turns() {
    for young in [2e7, 2e9, 2e11] {
        for elements in [3, 6, 12, 24] {
            let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
            let path = Path {
                position: [10.0, 0.0, 0.0].map(Motion::Constant),
                rotations: vec![PathRotation {
                    axis: DVec3::X,
                    // 37 turns in 20 s, then at rest
                    angle: Motion::Smooth { from: 0.0, to: 37.0 * TAU, start: 0.0, end: 20.0 },
                }],
                orientation: DQuat::IDENTITY,
            };
            let head =
                rig.world.add_body(Body::kinematic("head", path), DVec3::ZERO, DQuat::IDENTITY).unwrap();
            let ends =
                [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(head, DVec3::ZERO)].map(End::Fast);
            let rod = square(young);
            let length = 10.0 / 1.1;
            let path = [DVec3::ZERO, DVec3::X * 10.0];
            let laying =
                CableSpec { ends, elements, length: Some(length), ..CableSpec::new("rod", rod, path) };
            let cable = rig.world.add_cable(laying).unwrap();
            for _ in 0..60 * 20 {
                assert!(rig.world.step().fault.is_none());
            }
            settle(&mut rig, 60.0);
            let want = rod.twist * 37.0 * TAU / length;
            let pull = 0.1 * rod.stretch;
            assert!(pull > want * want / (4.0 * rod.bend), "or it would buckle");
            for reading in rig.world.cable_readings(cable) {
                near_part(&format!("E {young:e}, N {elements}"), reading.torque, want, 1e-3);
            }
        }
    }
}

/// Bent by end couples, as in the paper's third experiment: curvature of the circle through the middles of the elements.
#[test]
fn bending_of_the_paper() {
    for (elements, within) in [(6, 0.10), (12, 0.04), (24, 0.01)] {
        for young in [2e7, 2e9, 2e11] {
            let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
            let rod = square(young);
            let path = [DVec3::ZERO, DVec3::X * 10.0];
            let laying = CableSpec { elements, ..CableSpec::new("rod", rod, path) };
            let cable = rig.world.add_cable(laying).unwrap();
            // to a quarter, half and a whole radian per 4 m: L/R = 5 at most
            let moment = rod.bend * 5.0 / 10.0;
            let list = rig.world.model().cables().get(cable).unwrap().elements.clone();
            for (body, sign) in [(list[0], 1.0), (list[elements - 1], -1.0)] {
                let torque = Applied::torque(body, Direction::World(DVec3::Y * (sign * moment)));
                rig.world.add_force(Force::Applied(torque)).unwrap();
            }
            settle(&mut rig, 120.0);
            let middle = |k: usize| rig.world.state().bodies[list[k].index()].position;
            let [a, b, c] = [0, elements / 2, elements - 1].map(middle);
            let curvature = 2.0 * (b - a).cross(c - a).length()
                / ((b - a).length() * (c - a).length() * (c - b).length());
            near_part(&format!("E {young:e}, N {elements}"), curvature, 0.5, within);
        }
    }
}
