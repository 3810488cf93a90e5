//! MB08–MB11, MB14, MB15: turning in space. Tops under gravity, free bodies, free flight, a free linkage.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::*;
use windlass_engine::math;
use windlass_engine::prelude::*;

/// Spin of a body along its own axes.
fn own_spin(world: &mut World, body: BodyId) -> DVec3 {
    let b = world.inspect().body(body).unwrap();
    b.orientation.inverse() * b.twist.angular_velocity
}

/// The angle by which a direction goes round an axis over a trace, turns counted [rad].
fn gone_round(trace: &[(f64, DVec3)], axis: DVec3) -> f64 {
    let flat = |v: DVec3| v - axis * v.dot(axis);
    let step = |w: &[(f64, DVec3)]| {
        let (a, b) = (flat(w[0].1), flat(w[1].1));
        libm::atan2(a.cross(b).dot(axis), a.dot(b))
    };
    trace.windows(2).map(step).sum()
}

/// MB08: a disc on a ball joint in steady slow precession, I₁ cos θ Ω² − I₃ ω₃ Ω + m g l = 0.
fn disc_top(dt: f64, stepper: Integrator) {
    let tilt = 30.0_f64.to_radians();
    let rate = 1.720604092;
    let axis = DVec3::new(libm::sin(tilt), 0.0, libm::cos(tilt));
    let mut rig = Rig::new(dt, stepper);
    let disc = Mass::of_total(&Shape::Cylinder { radius: 0.2, half_length: 0.01 }, 1.0).unwrap();
    let top = rig.turned("top", disc, axis * 0.1, math::turn(DVec3::Y, tilt));
    let spin = DVec3::Z * rate + axis * (30.0 - rate * axis.z);
    rig.moving(top, spin.cross(axis * 0.1), spin);
    rig.ball([rig.ground, top], DVec3::ZERO);
    let trace = rig.trace(5.0, |world| {
        let axis = world.state().bodies[top.index()].orientation * DVec3::Z;
        (axis, own_spin(world, top).z)
    });
    let case = Case::new("MB08", stepper, dt);
    let axes: Vec<_> = trace.iter().map(|(t, s)| (*t, s.0)).collect();
    case.finds("mean precession rate", gone_round(&axes, DVec3::Z) / 5.0);
    case.stays("tilt stays at 30°", axes.iter().map(|(_, a)| libm::acos(a.z).to_degrees()));
    case.stays("ω₃ stays at 30", trace.iter().map(|(_, s)| s.1));
}

/// MB08 at its three steps. The usual estimate m g l/(I₃ ω₃) = 1.635 is 5 % off and would fail.
#[test]
fn mb08_heavy_top() {
    // half a radian a step
    disc_top(1.0 / 60.0, Integrator::Spook);
    disc_top(1.0 / 240.0, Integrator::Spook);
    disc_top(1e-3, Integrator::Spook);
}

/// MB08 with the projected stepper, ten times tighter.
#[test]
fn mb08_heavy_top_exactly() {
    disc_top(1e-3, Integrator::Projected);
}

/// MB09: the fast top of Terze and Müller, 150 rad/s; its centre at 0.2 s. Reference: RK4 as published, DOP853.
///
/// A velocity-level row moves the pivot along a tangent while the body turns along an arc, so it opens by
/// ½ h² |ω × (ω × r)| = ½ h² · 150 · 4.6 a step: 3.5e-4 m at 1 ms, above the 1e-4 m asked of slower mechanisms.
fn fast_top(dt: f64, stepper: Integrator) {
    let mut rig = Rig::new(dt, stepper);
    let moments = DVec3::new(0.234375, 0.46875, 0.234375);
    let top = rig.body("top", Mass::principal(15.0, DVec3::ZERO, moments, DQuat::IDENTITY), DVec3::Y);
    let spin = DVec3::new(0.0, 150.0, -4.61538);
    rig.moving(top, spin.cross(DVec3::Y), spin);
    rig.ball([rig.ground, top], DVec3::ZERO);
    if stepper == Integrator::Spook {
        rig.widest = 0.5 * dt * dt * 150.0 * 5.0;
    }
    rig.run(0.2, |_, _| {});
    Case::new("MB09", stepper, dt).finds("centre (x, y, z) at 0.2 s", point(&rig.world, top, DVec3::ZERO));
}

/// MB09 at both steps.
#[test]
fn mb09_fast_top() {
    fast_top(1e-3, Integrator::Spook);
    fast_top(1e-4, Integrator::Spook);
}

/// MB09 with the acceleration-level steppers, ten times tighter.
#[test]
fn mb09_fast_top_exactly() {
    fast_top(2e-4, Integrator::Projected);
    fast_top(1e-3, Integrator::DormandPrince(Adaptive::default()));
}

/// A free body without gravity, spinning as told in its own axes.
fn spinner(dt: f64, stepper: Integrator, moments: DVec3, spin: DVec3) -> (Rig, BodyId) {
    let mut rig = Rig::new(dt, stepper).under(DVec3::ZERO);
    let mass = Mass::principal(1.0, DVec3::ZERO, moments, DQuat::IDENTITY);
    let body = rig.body("body", mass, DVec3::ZERO);
    rig.moving(body, DVec3::ZERO, spin);
    (rig, body)
}

/// MB10: I = (1, 2, 3), ω₀ = (0.5, 5, 0): flips by Jacobi's functions.
fn flipper(dt: f64, stepper: Integrator) {
    let moments = DVec3::new(1.0, 2.0, 3.0);
    let (mut rig, body) = spinner(dt, stepper, moments, DVec3::new(0.5, 5.0, 0.0));
    let trace = rig.trace(30.0, |world| own_spin(world, body));
    let case = Case::new("MB10", stepper, dt);
    // down and up again: every pass of ω₂ through zero
    let down = rises(&trace.iter().map(|(t, w)| (*t, -w.y)).collect::<Vec<_>>());
    let up = rises(&trace.iter().map(|(t, w)| (*t, w.y)).collect::<Vec<_>>());
    case.finds("first flip", down[0]);
    let (last, flips) = (down[down.len() - 1].max(up[up.len() - 1]), down.len() + up.len() - 1);
    case.finds("flip interval", (last - down[0]) / flips as f64);
    let energy = |w: &DVec3| (moments * *w).dot(*w) / 50.25 - 1.0;
    let momentum = |w: &DVec3| (moments * *w).length() / 100.25_f64.sqrt() - 1.0;
    case.stays("energy gain over 30 s", trace.iter().map(|(_, w)| energy(w)));
    case.stays("change of angular momentum magnitude over 30 s", trace.iter().map(|(_, w)| momentum(w)));
}

/// MB10 at both steps, at the goals (energy 1 % and 0.1 %, momentum 1e-9).
#[test]
fn mb10_intermediate_axis() {
    flipper(1.0 / 60.0, Integrator::Spook);
    flipper(1e-3, Integrator::Spook);
}

/// MB10 with the projected stepper, ten times tighter.
#[test]
fn mb10_intermediate_axis_exactly() {
    flipper(2e-3, Integrator::Projected);
}

/// MB11: I = (1, 1, 2), ω₀ = (0.5, 0, 4): the axis circles L at |L|/I₁ on a cone.
fn precession(dt: f64, stepper: Integrator) {
    let (mut rig, body) = spinner(dt, stepper, DVec3::new(1.0, 1.0, 2.0), DVec3::new(0.5, 0.0, 4.0));
    let along = DVec3::new(0.5, 0.0, 8.0).normalize();
    let trace = rig.trace(10.0, |world| world.state().bodies[body.index()].orientation * DVec3::Z);
    let case = Case::new("MB11", stepper, dt);
    case.finds("axis rate about L", gone_round(&trace, along) / 10.0);
    let cone = |a: &DVec3| libm::atan2(a.cross(along).length(), a.dot(along)).to_degrees();
    case.stays("half-angle of the axis cone", trace.iter().map(|(_, a)| cone(a)));
}

/// MB11 at both steps; the cone at its goal.
#[test]
fn mb11_torque_free_precession() {
    precession(1.0 / 60.0, Integrator::Spook);
    precession(1e-3, Integrator::Spook);
}

/// MB11 with the projected stepper, ten times tighter.
#[test]
fn mb11_torque_free_precession_exactly() {
    precession(2e-3, Integrator::Projected);
}

/// MB14: free flight is exact, z = v₀ t − ½ g t² to round-off (the second-order formula), and so is spin about each
/// principal axis.
#[test]
fn mb14_free_flight() {
    let oblique = math::exp(DVec3::new(0.3, -0.5, 0.8));
    for dt in [1.0 / 60.0, 1e-3] {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z].map(|a| oblique * a) {
            let mut rig = Rig::new(dt, Integrator::Spook);
            let moments = DVec3::new(0.1, 0.2, 0.25);
            let mass = Mass::principal(1.0, DVec3::ZERO, moments, DQuat::IDENTITY);
            let body = rig.turned("body", mass, DVec3::ZERO, oblique);
            rig.moving(body, DVec3::new(3.0, 0.0, 10.0), axis * 3.0);
            rig.run(2.0, |_, _| {});
            let b = rig.world.state().bodies[body.index()];
            let formula = 20.0 - 2.0 * G;
            let case = Case::new("MB14", Integrator::Spook, dt);
            case.finds("z(2 s) against the scheme's formula", b.position.z - formula);
            near_point("MB14 place at 2 s", b.position, DVec3::new(6.0, 0.0, formula), 1e-10);
            let off = math::log((math::turn(axis, 6.0) * oblique).inverse() * b.orientation).length();
            told("MB14 orientation after 6 rad", off, off, 1e-10);
        }
    }
}

/// MB14, slender: rods of 1 m turning end over end once a second keep their energy at 60 Hz, however thin.
#[test]
fn mb14_slender_rods() {
    let along = DVec3::new(0.3, -0.5, 0.8).normalize();
    for width in [0.1, 0.01, 0.001] {
        let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
        let rod = rig.bar("rod", 1.0, [along * -0.5, along * 0.5], width);
        rig.moving(rod, DVec3::ZERO, math::across(along).1 * 6.0);
        let energy = rig.trace(10.0, |world| world.inspect().energy().total());
        let worst = energy.iter().fold(0.0, |m: f64, (_, e)| m.max((e / energy[0].1 - 1.0).abs()));
        told(&format!("MB14 spook 1/60 energy of a rod of {width} m"), worst, worst, 1e-6);
    }
}

/// Linear momentum and angular momentum about the origin of some bodies.
fn momenta(world: &mut World, bodies: &[BodyId]) -> (DVec3, DVec3) {
    let masses: Vec<Mass> = bodies.iter().map(|b| world.model().bodies().get(*b).unwrap().mass).collect();
    let seen = world.inspect();
    bodies.iter().zip(masses).fold((DVec3::ZERO, DVec3::ZERO), |(p, l), (id, m)| {
        let b = seen.body(*id).unwrap();
        let push = b.twist.velocity * m.mass;
        let own = b.orientation * (m.inertia * (b.orientation.inverse() * b.twist.angular_velocity));
        (p + push, l + b.center.cross(push) + own)
    })
}

/// MB15: three rods on two hinges of different axis and a ball joint to a box, spun at random, no gravity, 20 s.
fn linkage(dt: f64) {
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let corners = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, 1.0, 1.0)];
    let mut bodies: Vec<_> =
        (0..3).map(|k| rig.bar("rod", 1.0, [corners[k], corners[k + 1]], 0.05)).collect();
    let cube = Mass::of_total(&Shape::Box { half: DVec3::splat(0.15) }, 5.0).unwrap();
    bodies.push(rig.body("box", cube, corners[3] + DVec3::Z * 0.15));
    rig.hinge([bodies[0], bodies[1]], corners[1], DVec3::Z);
    rig.hinge([bodies[1], bodies[2]], corners[2], DVec3::new(1.0, 1.0, 0.0));
    rig.ball([bodies[2], bodies[3]], corners[3]);
    // a fixed chaotic sequence in −1…1
    let mut seed = 0.4;
    let mut random = || {
        seed = 1.0 - 1.9 * seed * seed;
        seed
    };
    for body in bodies.clone() {
        let mut vector = || DVec3::new(random(), random(), random());
        rig.moving(body, vector(), vector() * 2.0);
    }
    assert!(rig.world.assemble().left.rate < 1e-9);
    let trace = rig.trace(20.0, |world| momenta(world, &bodies));
    let case = Case::new("MB15", Integrator::Spook, dt);
    let (p, l) = trace[0].1;
    case.stays("change of linear momentum", trace.iter().map(|(_, s)| (s.0 - p).length() / p.length()));
    case.stays("change of angular momentum", trace.iter().map(|(_, s)| (s.1 - l).length() / l.length()));
}

/// MB15 at both steps, angular momentum at its goals.
#[test]
fn mb15_free_linkage() {
    linkage(1.0 / 60.0);
    linkage(1e-3);
}
