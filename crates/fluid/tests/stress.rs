//! Hard cases at 1/60 s: none may fault or gain energy.

use crate::basin::*;
use crate::cable_water::fill;
use crate::fl_cables::{Line, current, wetted};
use crate::kit::*;
use glam::DVec3;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::mesh::ClosedMesh;
use windlass_fluid::waves::{Amplitudes, Order, RegularWave, Sea, Spectrum, Water, Waves};
use windlass_fluid::{AddedMass, Drag, Fluid, HullShape};

const DT: f64 = 1.0 / 60.0;
const PRESSURE: Drag = Drag::Pressure { pressure: 1.0, suction: 0.0, friction: 0.003 };
const DEEP: Water = Water { depth: f64::INFINITY, gravity: G };

/// Steps a world; its kinetic energy grows by no more than potential energy and fluids supply.
fn runs(rig: &mut Rig, steps: usize) {
    let mut last: Option<Energy> = None;
    for step in 0..steps {
        let report = rig.world.step();
        assert!(report.fault.is_none(), "step {step}: {:?}", report.fault);
        let energy = report.energy;
        let before = *last.get_or_insert(energy);
        // the errors of long steps are of the size of the exchange
        let exchanged = 2.0 * (energy.potential - before.potential).abs();
        let bound = 1.05 * before.kinetic + exchanged + report.work.unwrap().subsystems.max(0.0) + 1e-3;
        assert!(energy.kinetic < bound, "step {step}: {} J of {bound} J", energy.kinetic);
        last = Some(energy);
    }
}

#[test]
fn light_balls_thrown_into_the_sea() {
    for (radius, density, speed) in
        [(0.05, 1.0, 30.0), (0.3, 1.0, 30.0), (1.0, 2.0, 50.0), (0.05, 20.0, 50.0)]
    {
        let mut rig = Rig::new(DT, Integrator::Spook);
        let at = DVec3::Z * (1.03 + radius);
        let body = rig.body("ball", solid(&Shape::Sphere { radius }, density), at);
        rig.moving(body, DVec3::Z * -speed, DVec3::ZERO);
        let added = AddedMass::PerDensity(closed_form::sphere(radius, 1.0));
        let full = water(SEA, Some(0.0)).with(body, HullShape::Sphere(radius));
        full.set(|b| (b.drag, b.added_mass) = (PRESSURE, added)).fill(&mut rig);
        runs(&mut rig, 120);
        let height = rig.world.state().bodies[body.index()].position.z;
        // it may come up from the depth of a step, and jump
        assert!(height.abs() < 1.0 + 2.0 * radius, "it does not float: {height} m");
    }
}

#[test]
fn a_hull_of_ten_thousand_triangles_capsizes_in_a_storm() {
    let size = DVec3::new(30.0, 8.0, 6.0);
    let mesh = ClosedMesh::cuboid(size).refined(0.95);
    assert!(mesh.triangles().len() >= 10_000, "{}", mesh.triangles().len());
    let mut rig = Rig::new(DT, Integrator::Spook);
    // on its beam ends, with its centre of mass far above that of buoyancy
    let hull = solid(&Shape::Box { half: size / 2.0 }, 400.0);
    let body = rig.turned("hull", hull, DVec3::Z * 0.5, math::turn(DVec3::X, 1.2));
    let added = AddedMass::PerDensity(closed_form::cuboid(size / 2.0, 1.0));
    let full = water(SEA, Some(0.0)).with(body, HullShape::Mesh(mesh)).at(DVec3::Z * -1.5);
    let mut full = full.set(|b| (b.drag, b.added_mass) = (PRESSURE, added));
    let sea = Sea {
        spectrum: Spectrum::Jonswap { gamma: None },
        height: 8.0,
        period: 11.0,
        direction: 1.0,
        spreading: Some(8.0),
        components: 60,
        seed: 3,
        amplitudes: Amplitudes::Equal,
    };
    full.fluids[0].waves = Some(Waves::sea(&sea, DEEP).unwrap());
    full.fill(&mut rig);
    for step in 0..240 {
        let report = rig.world.step();
        assert!(report.fault.is_none(), "step {step}: {:?}", report.fault);
    }
    let state = rig.world.state().bodies[body.index()];
    assert!((state.orientation * DVec3::Z).z < 0.3 && state.velocity.length() < 15.0, "{state:?}");
}

#[test]
fn a_thousand_light_elements_hold_fifty_tonnes_in_a_current() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let end = DVec3::Z * -100.0;
    let load = rig.body("load", Mass::of_total(&Shape::Sphere { radius: 1.0 }, 50e3).unwrap(), end);
    let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
    let section = Section { diameter: 0.01, ..section(1e-3, 5e8, 0.0, 0.0) };
    let path = vec![DVec3::ZERO, end];
    let length = 100.0 / (1.0 + 50e3 * G / 5e8);
    let cable = Line { section, ends, path, length, elements: 1000, surface: None };
    let cable = cable.lay(&mut rig.world);
    let wet = wetted(&rig.world, cable, 0.01);
    fill(&mut rig, Fluid { current: current(DVec3::X * 3.0), ..Fluid::still("sea", SEA, None) }, wet);
    for _ in 0..120 {
        let report = rig.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
    }
    let at = rig.world.state().bodies[load.index()].position;
    assert!((at - end).length() < 0.5, "{at}");
    // ½ρ C_n D L U² bends the line by q L²/8T
    let middle = rig.world.cable_readings(cable)[500].point.x;
    let bow = 0.5 * SEA * 1.2 * 0.01 * 9.0 * 100.0 * 100.0 / (8.0 * 50e3 * G);
    assert!((middle - 0.5 * at.x) / bow > 0.8 && (middle - 0.5 * at.x) / bow < 1.3, "{middle} {bow}");
}

#[test]
fn foam_floats_in_waves() {
    for drag in [Drag::None, PRESSURE] {
        let size = DVec3::new(2.0, 2.0, 0.02);
        let mut rig = Rig::new(DT, Integrator::Spook);
        let body = rig.body("foam", solid(&Shape::Box { half: size / 2.0 }, 25.0), DVec3::Z * 0.5);
        let mut full = water(FRESH, Some(0.0)).with(body, cuboid(size)).set(|b| b.drag = drag);
        let wave = RegularWave { height: 1.0, period: 5.0, direction: 0.4, phase: 0.0, order: Order::Airy };
        full.fluids[0].waves = Some(Waves::regular(&wave, DEEP).unwrap());
        full.fill(&mut rig);
        for step in 0..600 {
            let report = rig.world.step();
            assert!(report.fault.is_none(), "step {step}: {:?}", report.fault);
        }
        let state = rig.world.state().bodies[body.index()];
        assert!(state.position.z.abs() < 2.0 && state.velocity.length() < 10.0, "{drag:?}: {state:?}");
    }
}

/// The water rises above a moving body and falls below it in turn.
#[test]
fn a_body_that_enters_and_leaves_each_step_gains_no_energy() {
    let mut rig = Rig::new(DT, Integrator::Spook).under(DVec3::ZERO);
    let size = DVec3::new(1.0, 0.6, 0.3);
    let body = rig.body("box", solid(&Shape::Box { half: size / 2.0 }, 100.0), DVec3::ZERO);
    rig.moving(body, DVec3::new(3.0, -2.0, 5.0), DVec3::new(2.0, 1.0, -3.0));
    let added = AddedMass::PerDensity(closed_form::cuboid(size / 2.0, 1.0));
    let mut last = f64::INFINITY;
    for step in 0..200 {
        let level = if step % 2 == 0 { 50.0 } else { -50.0 };
        let full = water(SEA, Some(level)).with(body, cuboid(size));
        full.set(|b| (b.drag, b.added_mass) = (PRESSURE, added.clone())).fill(&mut rig);
        let report = rig.world.step();
        assert!(report.fault.is_none(), "step {step}: {:?}", report.fault);
        let (state, mass) = (rig.world.state().bodies[body.index()], 100.0 * size.element_product());
        let speed = state.velocity.length_squared();
        assert!(0.5 * mass * speed < last * (1.0 + 1e-12), "step {step}: {state:?}");
        last = 0.5 * mass * speed;
    }
}
