//! Bodies in fluids whose velocity changes with place and time: the force of the added mass has DU/Dt.

use crate::basin::*;
use crate::kit::*;
use glam::DVec3;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::current::{Current, CurrentProfile};
use windlass_fluid::schedule::TimeFactor;
use windlass_fluid::waves::{Order, RegularWave, Water, Waves};
use windlass_fluid::{AddedMass, HullShape};

const ALL: [Integrator; 3] = [
    Integrator::Spook,
    Integrator::Projected,
    Integrator::DormandPrince(Adaptive { tolerance: 1e-10, min_step: 1e-7, max_step: 0.05 }),
];

fn waves(height: f64, period: f64) -> Waves {
    let wave = RegularWave { height, period, direction: 0.0, phase: 0.0, order: Order::Airy };
    Waves::regular(&wave, Water { depth: f64::INFINITY, gravity: G }).unwrap()
}

/// A sphere of a density with C_a ½ in a basin, without drag.
fn sphere(rig: &mut Rig, radius: f64, density: f64, at: DVec3, level: Option<f64>) -> (BodyId, Basin) {
    let body = rig.body("ball", solid(&Shape::Sphere { radius }, density), at);
    let added = AddedMass::PerDensity(closed_form::sphere(radius, 1.0));
    (body, water(FRESH, level).with(body, HullShape::Sphere(radius)).set(|b| b.added_mass = added))
}

/// Velocity falls from 2 m/s at the surface to 0 at 20 m.
fn sheared() -> Option<Current> {
    let profile = CurrentProfile::Table(vec![(0.0, DVec3::X * 2.0), (20.0, DVec3::ZERO)]);
    Some(Current::new(profile, TimeFactor::Constant(1.0)).unwrap())
}

#[test]
fn integrators_agree_in_waves_to_second_order() {
    let arrival = |dt: f64, integrator: Integrator| {
        let mut rig = Rig::new(dt, integrator);
        let (body, mut full) = sphere(&mut rig, 0.3, FRESH, DVec3::Z * -6.0, Some(0.0));
        full.fluids[0].waves = Some(waves(4.0, 6.0));
        full.fill(&mut rig);
        rig.moving(body, DVec3::X * 3.0, DVec3::ZERO);
        for _ in 0..(6.0 / dt).round() as usize {
            assert!(rig.world.step().fault.is_none());
        }
        rig.world.state().bodies[body.index()].position
    };
    let reference = arrival(1.0 / 480.0, ALL[2]);
    for integrator in ALL {
        let errors = [30.0, 60.0, 120.0].map(|rate| (arrival(1.0 / rate, integrator) - reference).length());
        assert!(errors[1] < 2e-3, "{integrator:?}: {errors:?}");
        assert!(errors.windows(2).all(|e| e[1] < 1e-6 || e[0] > 3.5 * e[1]), "{integrator:?}: {errors:?}");
    }
}

/// The particles of a steady sheared current are not accelerated, so that a body which sinks through it feels no force.
#[test]
fn a_sphere_that_sinks_through_a_sheared_current_falls_straight() {
    for integrator in ALL {
        let mut rig = Rig::new(1.0 / 60.0, integrator);
        let (body, mut full) = sphere(&mut rig, 0.2, 1500.0, DVec3::Z * -2.0, Some(0.0));
        full.fluids[0].current = sheared();
        full.fill(&mut rig);
        for _ in 0..180 {
            assert!(rig.world.step().fault.is_none());
        }
        let state = rig.world.state().bodies[body.index()];
        assert!(state.velocity.x.abs() < 1e-9 && state.position.z < -8.0, "{integrator:?}: {state:?}");
    }
}

/// A current that rises far below waves of 1 mm takes a neutral sphere with it.
#[test]
fn a_changing_current_accelerates_bodies_under_waves() {
    for integrator in ALL {
        for height in [None, Some(0.001)] {
            let mut rig = Rig::new(1.0 / 60.0, integrator);
            let (body, mut full) = sphere(&mut rig, 0.5, FRESH, DVec3::Z * -60.0, Some(0.0));
            let factor = TimeFactor::Ramp { from: 0.0, to: 1.0, start: 0.0, end: 4.0 };
            let profile = CurrentProfile::Uniform(DVec3::X);
            full.fluids[0].current = Some(Current::new(profile, factor).unwrap());
            full.fluids[0].waves = height.map(|height| waves(height, 2.0));
            full.fill(&mut rig);
            for _ in 0..300 {
                assert!(rig.world.step().fault.is_none());
            }
            let speed = rig.world.state().bodies[body.index()].velocity.x;
            assert!((speed - 1.0).abs() < 2e-3, "{integrator:?}, waves {height:?}: {speed} m/s");
        }
    }
}
