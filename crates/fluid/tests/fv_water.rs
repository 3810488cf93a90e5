//! FV02, FV03: a floating box, and a sphere that rises.

use crate::basin::*;
use crate::fl_float::heel_and_trim;
use crate::kit::*;
use glam::DVec3;
use std::f64::consts::PI;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::{AddedMass, Fluids, HullShape};

#[test]
fn fv02_floating_box() {
    for dt in STEPS {
        let case = Case::new("FV02", Integrator::Spook, dt);
        let size = DVec3::new(2.0, 1.0, 0.5);
        let mass = solid(&Shape::Box { half: size / 2.0 }, 600.0);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let body = rig.body("box", mass, DVec3::Z * (0.25 - 0.32));
        water(FRESH, Some(0.0)).with(body, cuboid(size)).fill(&mut rig);
        let trace = rig.trace(10.0, |world| world.state().bodies[body.index()].position.z + 0.05);
        case.finds("heave period", period(&trace));
        let mean = trace.iter().map(|(_, z)| z).sum::<f64>() / trace.len() as f64;
        case.finds("draft", 0.25 - (mean - 0.05));

        let mut rig = Rig::new(dt, Integrator::Spook);
        let pose = math::turn(DVec3::X, 2.0_f64.to_radians());
        let body = rig.turned("box", mass, DVec3::Z * -0.05, pose);
        water(FRESH, Some(0.0)).with(body, cuboid(size)).fill(&mut rig);
        let trace = rig.trace(10.0, |world| heel_and_trim(world.state().bodies[body.index()].orientation)[0]);
        case.finds("roll period about the long axis (2°)", period(&trace));
        case.does("GM", trace.iter().all(|(_, heel)| heel.abs() < 2.1));
        assert!((Fluids::action(&rig.world, body).unwrap().draft - 0.3).abs() < 0.05);
    }
}

#[test]
fn fv03_added_mass_of_a_sphere() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let body = rig.body("ball", solid(&Shape::Sphere { radius: 0.1 }, 500.0), DVec3::ZERO);
        let added = AddedMass::PerDensity(closed_form::sphere(0.1, 1.0));
        let full = water(FRESH, None).with(body, HullShape::Sphere(0.1)).drag(0.47 * PI * 0.01);
        full.set(|b| b.added_mass = added).fill(&mut rig);
        let case = Case::new("FV03", Integrator::Spook, dt);
        case.finds("first acceleration", rig.world.inspect().body(body).unwrap().acceleration.velocity.z);
        let trace = rig.trace(5.0, |world| world.inspect().body(body).unwrap().twist.velocity.z);
        case.finds("terminal rise speed", trace.last().unwrap().1);
    }
}
