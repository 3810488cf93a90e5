//! Worlds with wet bodies: order of convergence, the same bits on any number of threads and after a restore.

use crate::basin::*;
use crate::fl_cables::{Line, wetted};
use crate::kit::*;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::waves::{Amplitudes, Sea, Spectrum, Water, Waves};
use windlass_fluid::{AddedMass, Drag, HullShape};

/// Errors of a result at 1/30, 1/60 and 1/120 s against that at 1/960 s fall with the square of the step.
fn is_of_second_order(name: &str, result: impl Fn(f64) -> DVec3) {
    let reference = result(1.0 / 960.0);
    let errors = [30.0, 60.0, 120.0].map(|rate| (result(1.0 / rate) - reference).length());
    println!("{name}: {errors:?}");
    assert!(errors.windows(2).all(|e| e[0] > 3.5 * e[1]), "{name}: {errors:?}");
}

fn after(mut rig: Rig, body: BodyId, time: f64) -> (DVec3, DQuat) {
    let dt = rig.world.model().settings().dt;
    for _ in 0..(time / dt).round() as usize {
        assert!(rig.world.step().fault.is_none());
    }
    let state = rig.world.state().bodies[body.index()];
    (state.position, state.orientation)
}

#[test]
fn fl09_is_of_second_order() {
    let axes = DVec3::new(1.0, 0.25, 0.25);
    is_of_second_order("FL09", |dt| {
        let mass = FRESH * 4.0 / 3.0 * PI * axes.element_product();
        let s = axes * axes;
        let moments = DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 5.0);
        let mass = Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(moments));
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let body = rig.turned("spheroid", mass, DVec3::ZERO, math::turn(DVec3::Z, 10.0_f64.to_radians()));
        rig.moving(body, DVec3::new(1.69782495, 0.12304537, 0.0), DVec3::ZERO);
        let full = water(FRESH, None).with(body, HullShape::Sphere(libm::cbrt(axes.element_product())));
        full.set(|b| b.added_mass = AddedMass::PerDensity(closed_form::ellipsoid(axes, 1.0))).fill(&mut rig);
        after(rig, body, 4.0).1 * DVec3::X
    });
}

#[test]
fn fl13_is_of_second_order() {
    for area in [0.0, 0.47 * PI * 0.01] {
        is_of_second_order("FL13", |dt| {
            let start = 30.0_f64.to_radians();
            let at = DVec3::new(libm::sin(start), 0.0, -libm::cos(start)) * 2.0;
            let mut rig = Rig::new(dt, Integrator::Spook);
            let body = rig.body("ball", solid(&Shape::Sphere { radius: 0.1 }, 7850.0), at);
            rig.hinge([rig.ground, body], DVec3::ZERO, DVec3::Y);
            // by default only where joints rotate by 0.01 rad per step: at some of the steps here
            rig.world.set(|s| s.position_iterations = Some(8)).unwrap();
            let full = water(FRESH, None).with(body, HullShape::Sphere(0.1)).drag(area);
            let added = AddedMass::PerDensity(closed_form::sphere(0.1, 1.0));
            full.set(|b| b.added_mass = added).fill(&mut rig);
            after(rig, body, 5.0).0
        });
    }
}

/// Boxes, a pendulum and a line in an irregular sea: many islands.
fn harbour(dt: f64, integrator: Integrator, boxes: usize) -> Rig {
    let mut rig = Rig::new(dt, integrator);
    let sea = Sea {
        spectrum: Spectrum::PiersonMoskowitz,
        height: 1.0,
        period: 5.0,
        direction: 0.3,
        spreading: None,
        components: 16,
        seed: 9,
        amplitudes: Amplitudes::Equal,
    };
    let mut full = water(SEA, Some(0.0));
    full.fluids[0].waves = Some(Waves::sea(&sea, Water { depth: 40.0, gravity: G }).unwrap());
    let size = DVec3::new(1.0, 0.8, 0.6);
    let mut last = None;
    for k in 0..boxes {
        let at = DVec3::new(3.0 * k as f64, 0.5 * (k % 3) as f64, 0.1);
        let body = rig.body("box", solid(&Shape::Box { half: size / 2.0 }, 400.0), at);
        let added = AddedMass::PerDensity(closed_form::cuboid(size / 2.0, 1.0));
        let drag = Drag::Pressure { pressure: 1.0, suction: 0.0, friction: 0.003 };
        full = full.with(body, cuboid(size)).set(|b| (b.added_mass, b.drag) = (added, drag));
        // every third is joined to the one before
        if let Some(other) = last.filter(|_| k % 3 == 2) {
            rig.ball([other, body], at - DVec3::X * 1.5);
        }
        last = Some(body);
    }
    let ball = rig.body("ball", solid(&Shape::Sphere { radius: 0.3 }, 3000.0), DVec3::new(-3.0, 0.0, -2.0));
    rig.ball([rig.ground, ball], DVec3::new(-3.0, 0.0, 1.0));
    let added = AddedMass::PerDensity(closed_form::sphere(0.3, 1.0));
    full = full.with(ball, HullShape::Sphere(0.3)).drag(0.1).set(|b| b.added_mass = added);
    let section = Section { diameter: 0.04, ..section(2.0, 1e5, 10.0, 10.0) };
    let path = vec![DVec3::new(-6.0, 0.0, 1.0), DVec3::new(-6.0, 2.0, -2.0)];
    let length = path[0].distance(path[1]);
    let ends = [End::Ball(Anchor::point(rig.ground, path[0])), End::Free];
    let cable = Line { section, ends, path, length, elements: 6, surface: None }.lay(&mut rig.world);
    full.cables.push(wetted(&rig.world, cable, 0.04));
    full.fill(&mut rig);
    rig
}

fn hashes(world: &mut World, steps: usize) -> Vec<u64> {
    let step = |_| {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        world.state().hash()
    };
    (0..steps).map(step).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = || hashes(&mut harbour(1.0 / 60.0, Integrator::Spook, 24).world, 60);
    let [one, four] = [1, 4]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run));
    assert_eq!(one, four);
}

#[test]
fn wet_bodies_go_on_to_the_bit_after_a_restore() {
    let adaptive = Integrator::DormandPrince(Adaptive { tolerance: 1e-6, ..Adaptive::default() });
    for (integrator, dt) in [(Integrator::Spook, 1.0 / 60.0), (Integrator::Projected, 1e-3), (adaptive, 1e-3)]
    {
        let mut rig = harbour(dt, integrator, 3);
        hashes(&mut rig.world, 17);
        let bytes = rig.world.state().to_bytes();
        let onward = hashes(&mut rig.world, 20);
        rig.world.restore(State::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(hashes(&mut rig.world, 20), onward, "{integrator:?}, same world");
        let mut fresh = harbour(dt, integrator, 3).world;
        fresh.restore(State::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(hashes(&mut fresh, 20), onward, "{integrator:?}, fresh world");
    }
}
