//! FL03–FL06, FL30, FL31: floating bodies in still water.

use crate::basin::*;
use crate::kit::*;
use glam::{DMat3, DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::hydrostatics::FloatingBody;
use windlass_fluid::{Drag, Fluids};

const BARGE: DVec3 = DVec3::new(20.0, 8.0, 3.0);

/// A solid box of a mass.
pub fn boxed(size: DVec3, mass: f64) -> Mass {
    Mass::of_total(&Shape::Box { half: size / 2.0 }, mass).unwrap()
}

/// Heel and trim of an orientation R = R_y(trim) R_x(heel) [deg].
pub fn heel_and_trim(orientation: DQuat) -> [f64; 2] {
    let r = DMat3::from_quat(orientation);
    // R e_y = (…, cos heel, …) and R e_x = (cos trim, 0, −sin trim)
    let heel = libm::atan2(r.y_axis.z, (r.y_axis.x * r.y_axis.x + r.y_axis.y * r.y_axis.y).sqrt());
    let trim = libm::atan2(-r.x_axis.z, r.x_axis.x);
    [heel.to_degrees(), trim.to_degrees()]
}

/// Lets a world come to rest with damped bodies.
pub fn damp(rig: &mut Rig, body: BodyId, rate: f64) {
    let mut changed = rig.world.model().bodies().get(body).unwrap().clone();
    (changed.damping.linear, changed.damping.angular) = (rate, rate);
    rig.world.edit(Edit::SetBody(body, Box::new(changed))).unwrap();
}

#[test]
fn fl03_barge_with_a_load_off_centre() {
    for dt in STEPS {
        let load = DVec3::new(2.0, 1.5, 2.5);
        let parts =
            [(DVec3::ZERO, DQuat::IDENTITY, boxed(BARGE, 180e3)), (load, DQuat::IDENTITY, Mass::point(20e3))];
        let mass = Mass::combine(&parts);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let body = rig.body("barge", mass, DVec3::Z * 0.3);
        damp(&mut rig, body, 0.6);
        water(SEA, Some(0.0)).with(body, cuboid(BARGE)).at(-mass.center).fill(&mut rig);
        let trace = rig.trace(60.0, |world| {
            let s = world.state().bodies[body.index()];
            (s.position - s.orientation * mass.center, s.orientation)
        });
        let (at, orientation) = trace.last().unwrap().1;
        let case = Case::new("FL03", Integrator::Spook, dt);
        case.finds("height of the middle", at.z);
        case.finds("heel, trim", heel_and_trim(orientation));
    }
}

#[test]
fn fl04_heave_of_a_barge() {
    for dt in STEPS {
        let case = Case::new("FL04", Integrator::Spook, dt);
        for added in [true, false] {
            let mut rig = Rig::new(dt, Integrator::Spook);
            let body = rig.body("barge", boxed(BARGE, 246e3), DVec3::Z * -0.1);
            guide(&mut rig, body, DVec3::ZERO, DVec3::Z);
            let full = water(SEA, Some(0.0)).with(body, cuboid(BARGE));
            let heave = DVec3::new(0.0, 0.0, 5.3e5);
            if added { full.added(heave, DVec3::ZERO, 0.25) } else { full }.fill(&mut rig);
            let trace = rig.trace(20.0, |world| world.state().bodies[body.index()].position.z);
            case.finds(if added { "period with added mass" } else { "period without" }, period(&trace));
        }
    }
}

#[test]
fn fl05_roll_of_a_barge() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let pose = math::turn(DVec3::X, 1.0_f64.to_radians());
        let body = rig.turned("barge", boxed(BARGE, 246e3), DVec3::ZERO, pose);
        let inertia = DVec3::new(1.15e6, 0.0, 0.0);
        let full = water(SEA, Some(0.0)).with(body, cuboid(BARGE));
        full.added(DVec3::ZERO, inertia, 0.25).fill(&mut rig);
        let trace = rig.trace(20.0, |world| heel_and_trim(world.state().bodies[body.index()].orientation)[0]);
        let case = Case::new("FL05", Integrator::Spook, dt);
        case.finds("period", period(&trace));
        if dt == 1e-3 {
            case.finds("GM", metacentric_height(&rig.world));
        }
    }
}

/// GM of the first body in a fluid, upright.
fn metacentric_height(world: &World) -> f64 {
    let hull = &Fluids::of(world).unwrap().bodies[0].hull;
    let floating = FloatingBody {
        hull,
        axes: DMat3::IDENTITY,
        density: SEA,
        gravity: 9.81,
        mass: 246e3,
        center_of_gravity: DVec3::ZERO,
        inertia: DMat3::IDENTITY,
        added_mass: SpatialMatrix::ZERO,
    };
    floating.hydrostatics(floating.floating_height().unwrap()).unwrap().gm_transverse
}

#[test]
fn fl06_floating_logs() {
    for dt in STEPS {
        let case = Case::new("FL06", Integrator::Spook, dt);
        for (density, name) in [(230.0, "angle at rest, 230 kg/m³"), (500.0, "angle at rest, 500 kg/m³")] {
            let size = DVec3::new(4.0, 1.0, 1.0);
            let mut rig = Rig::new(dt, Integrator::Spook);
            let pose = math::turn(DVec3::X, 1.0_f64.to_radians());
            let log = solid(&Shape::Box { half: size / 2.0 }, density);
            let body = rig.turned("log", log, DVec3::Z * (0.5 - density / FRESH), pose);
            damp(&mut rig, body, 0.3);
            let drag = Drag::Pressure { pressure: 1.0, suction: 0.0, friction: 0.003 };
            water(FRESH, Some(0.0)).with(body, cuboid(size)).set(|b| b.drag = drag).fill(&mut rig);
            let trace = rig.trace(40.0, |world| {
                let up = world.state().bodies[body.index()].orientation * DVec3::Z;
                libm::acos(up.z.abs()).to_degrees()
            });
            case.finds(name, trace.last().unwrap().1);
        }
    }
}

#[test]
fn fl30_foam_sheet() {
    for dt in STEPS {
        let size = DVec3::new(2.0, 2.0, 0.02);
        let draft = 0.02 * 25.0 / FRESH;
        let mut rig = Rig::new(dt, Integrator::Spook);
        let at = DVec3::Z * (0.01 - 0.8 * draft);
        let body = rig.body("foam", solid(&Shape::Box { half: size / 2.0 }, 25.0), at);
        water(FRESH, Some(0.0)).with(body, cuboid(size)).fill(&mut rig);
        let rest = 0.01 - draft;
        let off = |world: &mut World| (world.state().bodies[body.index()].position.z - rest).abs() / draft;
        let trace = rig.trace(5.0, off);
        let most = trace.iter().map(|(_, off)| *off).fold(0.0, f64::max);
        Case::new("FL30", Integrator::Spook, dt).finds("largest distance from rest over the draft", most);
    }
}

#[test]
fn fl31_load_lowered_into_the_sea() {
    for dt in STEPS {
        let size = DVec3::new(2.0, 2.0, 1.0);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let body = rig.body("load", boxed(size, 10e3), DVec3::Z * 1.0);
        let anchors = rig.grips([rig.ground, body], DVec3::Z, DQuat::IDENTITY);
        let axis = Axis::driven(Drive::motor(-0.1, f64::INFINITY));
        let joint = rig.joint(Slider { anchors, axis });
        rig.moving(body, DVec3::Z * -0.1, DVec3::ZERO);
        water(SEA, Some(0.0)).with(body, cuboid(size)).fill(&mut rig);
        // its bottom is at 0.5 m, half of it under water 10 s later
        let trace = rig.trace(16.0, |world| world.inspect().coordinate(joint, 0).unwrap().effort);
        let at = |t: f64| trace[(t / dt).round() as usize].1;
        let found = [at(4.0), at(10.0), at(15.5)];
        Case::new("FL31", Integrator::Spook, dt).finds("hook load in air, half immersed, just under", found);
    }
}
