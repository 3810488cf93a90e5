//! The account of energies in fluids: what is neither potential, kinetic energy nor booked work is the error of the step.

use crate::basin::{FRESH, SEA, cuboid, water};
use crate::fl_cables::{Line, current, wetted};
use crate::kit::{G, Rig, section};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::added_mass::growth::AfloatAddedMass;
use windlass_fluid::added_mass::shapes::{self, Method};
use windlass_fluid::current::{Current, CurrentProfile};
use windlass_fluid::hull::Pose;
use windlass_fluid::schedule::TimeFactor;
use windlass_fluid::waves::{Order, RegularWave, Water, Waves};
use windlass_fluid::{AddedMass, Drag, HullPart, HullShape};

/// Runs a world for a time. Returns the numerical error and the sum of the work of fluids in each step, both [J].
fn run(world: &mut World, time: f64) -> (f64, f64) {
    let steps = (time / world.model().settings().dt).round() as usize;
    let (start, mut work) = (world.inspect().energy().total(), Work::default());
    for _ in 0..steps {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        work = work.plus(report.work.expect("fluids account for their work"));
    }
    let end = world.inspect();
    work = work.plus(end.work().expect("fluids account for their work"));
    (end.energy().total() - start - work.total(), work.subsystems)
}

/// Checks that the error is a small part of the work of the fluid, and that it falls to a fraction with a quarter of the
/// step.
fn closes(name: &str, time: f64, (most, fall): (f64, f64), make: impl Fn(f64) -> Rig) {
    let found = [1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0].map(|dt| run(&mut make(dt).world, time));
    let errors = found.map(|(error, work)| error.abs() / work.abs());
    println!("{name}: work {:.4} J, errors {errors:?}", found[2].1);
    assert!(found[2].1.abs() > 1e-3, "{name}: fluids do no work");
    assert!(errors[0] < most, "{name}: {errors:?}");
    assert!(errors[2] < fall * errors[0], "{name}: {errors:?}");
}

fn ball(rig: &mut Rig, radius: f64, density: f64, at: DVec3) -> BodyId {
    let mass = Mass::of(&Shape::Sphere { radius }, density).unwrap();
    rig.body("ball", mass, at)
}

fn half(radius: f64) -> AddedMass {
    let mass = 2.0 / 3.0 * PI * radius * radius * radius;
    AddedMass::PerDensity(SpatialMatrix::from_diagonal(DVec3::splat(mass), DVec3::ZERO))
}

#[test]
fn drag_of_a_sinking_sphere() {
    closes("sinking", 3.0, (1e-4, 0.07), |dt| {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let body = ball(&mut rig, 0.1, 7850.0, DVec3::ZERO);
        let full = water(FRESH, None).with(body, HullShape::Sphere(0.1)).drag(0.01);
        full.set(|b| b.added_mass = half(0.1)).fill(&mut rig);
        rig
    });
}

#[test]
fn entry_and_exit_of_a_light_sphere() {
    // without other forces the losses are those of the step itself
    for speed in [-3.0_f64, 3.0] {
        for dt in [1.0 / 60.0, 1.0 / 240.0] {
            let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
            let body = ball(&mut rig, 0.5, 800.0, DVec3::Z * -0.6 * speed.signum());
            rig.moving(body, DVec3::Z * speed, DVec3::ZERO);
            let full = water(FRESH, Some(0.0)).with(body, HullShape::Sphere(0.5));
            full.set(|b| (b.added_mass, b.buoyancy) = (half(0.5), false)).fill(&mut rig);
            let (error, work) = run(&mut rig.world, 0.6);
            assert!(work < -100.0 && error.abs() < 1e-9, "{speed} m/s at {dt} s: {error} of {work} J");
        }
    }
}

/// Added mass of a box that floats with a part of its volume immersed.
fn afloat(size: DVec3, part: f64) -> AddedMass {
    let one = HullPart { position: DVec3::ZERO, orientation: glam::DQuat::IDENTITY, shape: cuboid(size) };
    let pose = Pose { center: DVec3::Z * (0.5 - part) * size.z, axes: DMat3::IDENTITY };
    let afloat = shapes::afloat(&one, pose, Method::Shape).unwrap();
    let deep = shapes::deep(&one, Method::Shape).unwrap();
    AddedMass::Afloat(Box::new(AfloatAddedMass::new([afloat, deep], [part * SEA, SEA], size.x)))
}

/// A box that floats goes under, or comes out: what joins it slows it down, what leaves it keeps its velocity, and the account
/// closes. Deep in the fluid its roll has less added mass than afloat.
#[test]
fn entry_and_exit_of_a_floating_box() {
    let size = DVec3::new(1.5, 1.0, 1.0);
    let AddedMass::Afloat(of) = afloat(size, 0.8) else { panic!("it floats") };
    assert!(of.afloat().diagonal().1.x > 1.2 * of.at(SEA).diagonal().1.x, "{of:?}");
    for (speed, spin) in [(-3.0, 0.0), (3.0, 0.0), (-3.0, 1.0), (3.0, 1.0)] {
        let found = [1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0].map(|dt| {
            let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
            let mass = Mass::of(&Shape::Box { half: 0.5 * size }, 800.0).unwrap();
            let body = rig.body("box", mass, DVec3::Z * -0.8 * f64::signum(speed));
            rig.moving(body, DVec3::new(0.0, 0.0, speed), DVec3::X * spin);
            let full = water(SEA, Some(0.0)).with(body, cuboid(size));
            full.set(|b| (b.added_mass, b.buoyancy) = (afloat(size, 0.8), false)).fill(&mut rig);
            run(&mut rig.world, 0.8)
        });
        println!("{speed} m/s, {spin} rad/s: {found:?}");
        for (error, work) in found {
            // without spin no other forces act
            let most = if spin == 0.0 { 1e-9 } else { 3e-3 * -work };
            assert!(work < -100.0 && error.abs() < most, "{speed} m/s, {spin} rad/s: {found:?}");
        }
        assert!(spin == 0.0 || found[2].0.abs() < 0.3 * found[0].0.abs(), "{speed} m/s: {found:?}");
    }
}

/// Nothing supplies energy to a light body that is thrown into a liquid: the reported energies never exceed the first, and
/// the account closes at each instant, also while the body enters.
fn enters(rig: &mut Rig, name: &str) {
    let start = rig.world.inspect().energy().total();
    let (mut done, mut lost) = (0.0, 0.0_f64);
    for step in 0..40 {
        let now = rig.world.inspect();
        let error = now.energy().total() - start - done - now.work().unwrap().total();
        assert!(error.abs() < 1e-9 * start, "{name}, step {step}: {error} of {start} J");
        let report = rig.world.step();
        assert!(report.energy.total() < start * (1.0 + 1e-9), "{name}, step {step}: {:?}", report.energy);
        done += report.work.unwrap().total();
        lost = lost.min(done);
    }
    assert!(lost < -0.5 * start, "{name}: it lost {lost} of {start} J");
}

#[test]
fn light_bodies_thrown_into_water_gain_no_energy() {
    for dt in [1.0 / 60.0, 1.0 / 240.0] {
        for density in [1.0, 20.0] {
            let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
            let body = ball(&mut rig, 0.3, density, DVec3::Z * 1.33);
            rig.moving(body, DVec3::Z * -30.0, DVec3::ZERO);
            let full = water(SEA, Some(0.0)).with(body, HullShape::Sphere(0.3));
            full.set(|b| (b.added_mass, b.buoyancy) = (half(0.3), false)).fill(&mut rig);
            enters(&mut rig, &format!("density {density} at {dt} s"));
            let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
            let size = DVec3::new(0.8, 0.5, 0.4);
            let mass = Mass::of(&Shape::Box { half: 0.5 * size }, density).unwrap();
            let body = rig.body("box", mass, DVec3::Z * 1.21);
            rig.moving(body, DVec3::Z * -30.0, DVec3::ZERO);
            let full = water(SEA, Some(0.0)).with(body, cuboid(size));
            let added = afloat(size, density / SEA);
            full.set(|b| (b.added_mass, b.buoyancy) = (added, false)).fill(&mut rig);
            enters(&mut rig, &format!("box of density {density} at {dt} s"));
        }
    }
}

#[test]
fn entry_into_a_current() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
    let body = ball(&mut rig, 0.5, 800.0, DVec3::Z * 0.6);
    rig.moving(body, DVec3::Z * -3.0, DVec3::ZERO);
    let full = water(FRESH, Some(0.0)).with(body, HullShape::Sphere(0.5));
    let mut full = full.set(|b| (b.added_mass, b.buoyancy) = (half(0.5), false));
    full.fluids[0].current = current(DVec3::new(1.0, 0.5, 0.0));
    full.fill(&mut rig);
    let (error, work) = run(&mut rig.world, 0.6);
    assert!(work.abs() > 100.0 && error.abs() < 1e-8, "{error} of {work} J");
}

/// A level line of 0.1 kg/m that displaces 2 kg/m.
#[test]
fn a_light_line_thrown_into_water_gains_no_energy() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
    let section = Section { diameter: 0.05, ..section(0.1, 1e6, 0.0, 0.0) };
    let path = vec![DVec3::new(-1.0, 0.0, 0.53), DVec3::new(1.0, 0.0, 0.53)];
    let line = Line { section, ends: [End::Free, End::Free], path, length: 2.0, elements: 4, surface: None };
    let cable = line.lay(&mut rig.world);
    let mut wet = wetted(&rig.world, cable, 0.05);
    (wet.normal, wet.tangential) = (0.0, 0.0);
    wet.elements.iter().for_each(|(id, _)| rig.moving(*id, DVec3::Z * -10.0, DVec3::ZERO));
    let mut full = water(FRESH, Some(0.0));
    full.cables.push(wet);
    full.fill(&mut rig);
    enters(&mut rig, "line");
}

/// A sphere that sinks and drifts through a current which changes with the depth.
#[test]
fn sphere_in_a_sheared_current() {
    closes("sheared", 3.0, (1e-3, 0.07), |dt| {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let body = ball(&mut rig, 0.2, 1500.0, DVec3::Z * -2.0);
        rig.moving(body, DVec3::new(1.0, 0.5, 0.0), DVec3::ZERO);
        let mut full = water(FRESH, Some(0.0)).with(body, HullShape::Sphere(0.2));
        full = full.set(|b| b.added_mass = half(0.2));
        let profile = CurrentProfile::Table(vec![(0.0, DVec3::X * 2.0), (40.0, DVec3::Y)]);
        full.fluids[0].current = Some(Current::new(profile, TimeFactor::Constant(1.0)).unwrap());
        full.fill(&mut rig);
        rig
    });
}

#[test]
fn tumbling_ellipsoid_in_a_current() {
    closes("tumbling", 4.0, (1e-3, 0.07), |dt| {
        let axes = DVec3::new(0.6, 0.3, 0.2);
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let mass = Mass::new(150.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::new(4.0, 12.0, 14.0)));
        let body = rig.body("ellipsoid", mass, DVec3::ZERO);
        rig.moving(body, DVec3::new(0.5, 0.3, -0.2), DVec3::new(1.0, 2.0, 0.5));
        let added = closed_form::ellipsoid(axes, FRESH);
        let full = water(FRESH, None).with(body, HullShape::Sphere(0.33)).drag(0.3);
        let mut full = full.set(|b| b.added_mass = AddedMass::Given(added, 1.0));
        full.fluids[0].current = current(DVec3::new(1.0, 0.5, 0.0));
        full.fill(&mut rig);
        rig
    });
}

#[test]
fn sphere_in_an_oscillating_stream() {
    closes("oscillating", 5.3, (1e-3, 0.07), |dt| {
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let body = ball(&mut rig, 0.2, 3000.0, DVec3::ZERO);
        let full = water(FRESH, None).with(body, HullShape::Sphere(0.2)).drag(0.05);
        let mut full = full.set(|b| b.added_mass = half(0.2));
        let factor = TimeFactor::Sine { mean: 0.4, amplitude: 1.0, frequency: 0.4, phase: 0.3 };
        full.fluids[0].current = Some(Current::new(CurrentProfile::Uniform(DVec3::X * 1.2), factor).unwrap());
        full.fill(&mut rig);
        rig
    });
}

#[test]
fn box_in_waves() {
    // added mass comes and goes with the immersion: of first order
    closes("waves", 6.0, (5e-3, 0.3), |dt| {
        let size = DVec3::new(2.0, 1.0, 0.6);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let mass = Mass::of(&Shape::Box { half: 0.5 * size }, 500.0).unwrap();
        let body = rig.body("box", mass, DVec3::Z * 0.05);
        let drag = Drag::Pressure { pressure: 1.0, suction: 0.5, friction: 0.01 };
        let added = SpatialMatrix::from_diagonal(DVec3::new(0.1, 0.3, 1.2), DVec3::new(0.05, 0.2, 0.05));
        let full = water(SEA, Some(0.0)).with(body, cuboid(size));
        let mut full = full.set(|b| (b.drag, b.added_mass) = (drag, AddedMass::PerDensity(added)));
        let deep = Water { depth: f64::INFINITY, gravity: G };
        let (height, period) = (0.4, 3.0);
        let wave = RegularWave { height, period, direction: 0.4, phase: 0.0, order: Order::Airy };
        full.fluids[0].waves = Some(Waves::regular(&wave, deep).unwrap());
        full.fill(&mut rig);
        rig
    });
}

#[test]
fn cable_that_swings_in_a_current() {
    // the axial damping of elements is part of the error
    closes("cable", 3.0, (5e-4, 0.3), |dt| {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let section = Section { diameter: 0.05, ..section(3.0, 1e6, 0.0, 0.0) };
        let path = vec![DVec3::ZERO, DVec3::new(6.0, 0.0, -2.0)];
        let length = path[0].distance(path[1]);
        let ends = [End::Ball(Anchor::point(rig.ground, path[0])), End::Free];
        let line = Line { section, ends, path, length, elements: 12, surface: None };
        let cable = line.lay(&mut rig.world);
        let mut full = water(SEA, None);
        full.cables.push(wetted(&rig.world, cable, 0.05));
        full.fluids[0].current = current(DVec3::new(0.3, 0.6, 0.0));
        full.fill(&mut rig);
        rig
    });
}

#[test]
fn box_at_rest_keeps_its_account() {
    // nothing moves: no work, no error
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let mass = Mass::of(&Shape::Box { half: DVec3::splat(0.5) }, 500.0).unwrap();
    let body = rig.body("box", mass, DVec3::ZERO);
    water(FRESH, Some(0.0)).with(body, cuboid(DVec3::ONE)).drag(1.0).fill(&mut rig);
    let (error, work) = run(&mut rig.world, 2.0);
    assert!(error.abs() < 1e-9 && work.abs() < 1e-9, "{error} {work}");
}
