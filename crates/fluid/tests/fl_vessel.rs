//! FL25, FL27, FL32, FL37: vessels, a buoy in a swell, a subsea lift.

use crate::basin::*;
use crate::fl_float::{boxed, damp, heel_and_trim};
use crate::kit::*;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;
use windlass_engine::body::motion::Motion;
use windlass_engine::body::path::Path;
use windlass_engine::prelude::*;
use windlass_fluid::HullShape;
use windlass_fluid::waves::{Order, RegularWave, Water, Waves};

#[test]
fn fl25_crane_barge() {
    for dt in STEPS {
        let case = Case::new("FL25", Integrator::Spook, dt);
        for (name, slew) in [
            ("heel, trim, load abeam", 90.0_f64),
            ("heel, trim, load at 45°", 45.0),
            ("heel, trim, load ahead", 0.0),
        ] {
            let size = DVec3::new(40.0, 15.0, 4.0);
            let angle = slew.to_radians();
            let tip = DVec3::new(18.0 * libm::cos(angle), 18.0 * libm::sin(angle), 23.0);
            let mut rig = Rig::new(dt, Integrator::Spook);
            let center = DVec3::Z * 1.0;
            // the middle of the box is about 0.96 m above the sea
            let middle = DVec3::Z * 0.96;
            let barge = rig.body("barge", boxed(size, 600e3), middle + center);
            damp(&mut rig, barge, 0.6);
            let load = rig.body("load", speck(40e3), middle + tip - DVec3::Z * 10.0);
            damp(&mut rig, load, 0.6);
            let anchors = [Anchor::point(barge, tip - center), Anchor::point(load, DVec3::ZERO)];
            rig.joint(Distance::rod(anchors, 10.0));
            water(SEA, Some(0.0)).with(barge, cuboid(size)).at(-center).fill(&mut rig);
            let trace =
                rig.trace(90.0, |world| heel_and_trim(world.state().bodies[barge.index()].orientation));
            case.finds(name, trace.last().unwrap().1);
        }
    }
}

#[test]
fn fl27_spar_buoy_in_a_swell() {
    for dt in STEPS {
        let mass = FRESH * PI * 6.0;
        let inertia = DMat3::from_diagonal(DVec3::new(mass, mass, mass) * 4.0);
        let mut rig = Rig::new(dt, Integrator::Spook);
        // draft 6 of 8 m: the middle is 2 m below the level
        let start = -2.0 + 0.12357;
        let body = rig.body("spar", Mass::new(mass, DVec3::ZERO, inertia), DVec3::Z * start);
        guide(&mut rig, body, DVec3::Z * start, DVec3::Z);
        let mut full = water(FRESH, Some(0.0)).with(body, HullShape::Cylinder(1.0, 4.0));
        full = full.added(DVec3::new(0.0, 0.0, 4.0 / 3.0 * FRESH), DVec3::ZERO, 0.25);
        let wave = RegularWave { height: 0.2, period: 7.0, direction: 0.0, phase: 0.0, order: Order::Airy };
        let waves = Waves::regular(&wave, Water { depth: f64::INFINITY, gravity: G }).unwrap();
        full.fluids[0].waves = Some(waves);
        full.fill(&mut rig);
        let trace = rig.trace(35.0, |world| world.state().bodies[body.index()].position.z + 2.0);
        let (most, least) = trace.iter().fold((f64::MIN, f64::MAX), |(a, b), (_, z)| (a.max(*z), b.min(*z)));
        let case = Case::new("FL27", Integrator::Spook, dt);
        case.finds("heave over wave amplitude", 0.5 * (most - least) / 0.1);
    }
}

#[test]
fn fl32_subsea_lift_near_resonance() {
    for dt in STEPS {
        let (mass, volume, stiffness, length) = (20e3, 5.0, 8e7 / 1500.0, 1500.0);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let moving = Motion::Sine { amplitude: 0.5, frequency: 1.0 / 8.0, phase: 0.5 * PI, mean: 0.0 };
        let still = || Motion::Constant(0.0);
        let path = Path {
            position: [still(), still(), moving],
            rotations: Vec::new(),
            orientation: DQuat::IDENTITY,
        };
        let tip = rig.world.add_body(Body::kinematic("tip", path), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let stretch = (mass - SEA * volume) * G / stiffness;
        let start = -length - stretch + 0.84007;
        let load = rig.body("load", speck(mass), DVec3::Z * start);
        guide(&mut rig, load, DVec3::Z * start, DVec3::Z);
        let anchors = [Anchor::point(tip, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)];
        let spring = Spring { stiffness, damping: 0.0, form: Form::Auto };
        let wire = rig.joint(Distance {
            anchors,
            axis: Axis::driven(Drive::Position { target: length, spring, force: f64::INFINITY }),
        });
        let radius = libm::cbrt(volume * 0.75 / PI);
        water(SEA, Some(0.0))
            .with(load, HullShape::Sphere(radius))
            .added(DVec3::splat(15e3), DVec3::ZERO, 1.0)
            .fill(&mut rig);
        let trace = rig.trace(40.0, |world| {
            let z = world.state().bodies[load.index()].position.z;
            (z, world.inspect().coordinate(wire, 0).unwrap().effort)
        });
        let range = |of: &dyn Fn(&(f64, f64)) -> f64| {
            let all = trace.iter().map(|(_, v)| of(v));
            all.fold((f64::MIN, f64::MAX), |(a, b), z| (a.max(z), b.min(z)))
        };
        let (z, pull) = (range(&|v| v.0), range(&|v| v.1.abs()));
        let case = Case::new("FL32", Integrator::Spook, dt);
        case.finds("amplitude of the load over that of the tip", 0.5 * (z.0 - z.1) / 0.5);
        case.finds("tension: mean, amplitude", [0.5 * (pull.0 + pull.1), 0.5 * (pull.0 - pull.1)]);
    }
}

#[test]
fn fl37_tug_and_barge() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let tug =
            rig.body("tug", Mass::of_total(&Shape::Sphere { radius: 3.0 }, 300e3).unwrap(), DVec3::X * 200.0);
        let barge =
            rig.body("barge", Mass::of_total(&Shape::Sphere { radius: 4.0 }, 600e3).unwrap(), DVec3::ZERO);
        rig.moving(tug, DVec3::X * 3.0, DVec3::ZERO);
        rig.moving(barge, DVec3::X * 3.0, DVec3::ZERO);
        let anchors = [Anchor::point(barge, DVec3::ZERO), Anchor::point(tug, DVec3::ZERO)];
        let line = rig.joint(Distance::rod(anchors, 200.0));
        let thrust = Applied::force(Anchor::point(tug, DVec3::ZERO), Direction::World(DVec3::X * 150e3));
        rig.world.add_force(Force::Applied(thrust)).unwrap();
        water(SEA, None)
            .with(tug, HullShape::Sphere(3.0))
            .drag(4.0)
            .with(barge, HullShape::Sphere(4.0))
            .drag(12.0)
            .fill(&mut rig);
        let trace = rig.trace(300.0, |world| {
            let v = world.inspect().body(tug).unwrap().twist.velocity.x;
            (v, world.inspect().reaction(line, 1).unwrap().force.length())
        });
        let (speed, tension) = trace.last().unwrap().1;
        let case = Case::new("FL37", Integrator::Spook, dt);
        case.finds("speed", speed);
        case.finds("tension", tension);
    }
}
