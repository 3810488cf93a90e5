//! MB04: Andrews' squeezing mechanism (IFToMM A03, IVP test set): seven planar bodies in three loops, no gravity, a
//! constant torque on the crank. Reference: minimal coordinates, in agreement with the IVP test set's digits.

use crate::kit;

use glam::DVec3;
use kit::*;
use windlass_engine::math;
use windlass_engine::prelude::*;

const TORQUE: f64 = 0.033;
const START: f64 = -0.0617138900142765;

/// A point of the plane, given by steps of (length along, length square to) an angle.
fn walk(from: (f64, f64), steps: &[(f64, f64, f64)]) -> DVec3 {
    steps.iter().fold(DVec3::new(from.0, from.1, 0.0), |p, (along, square, angle)| {
        let (s, c) = libm::sincos(*angle);
        p + DVec3::new(along * c - square * s, along * s + square * c, 0.0)
    })
}

/// The mechanism; its crank's hinge and the spring come first.
fn squeezer(dt: f64, stepper: Integrator) -> (Rig, JointId) {
    let (theta, gamma, phi) = (0.0, 0.4552798191630704, 0.2226683901658859);
    let (delta, omega, epsilon) = (0.4873649795438426, -phi, 1.2305474445498212);
    let (a, b, c) = ((-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072));
    let (arm, lever, claw) = (START + theta, phi + delta, omega + epsilon);
    // joints of the mechanism
    let f = walk((0.0, 0.0), &[(0.007, 0.0, START)]);
    let e = walk((0.0, 0.0), &[(0.007, 0.0, START), (-0.028, 0.0, arm)]);
    let (g, h) = (walk(a, &[(0.04, 0.0, delta)]), walk(a, &[(0.0, -0.04, epsilon)]));
    // mass, inertia, centre and angle of the bodies
    let parts = [
        (0.04325, 2.194e-6, walk((0.0, 0.0), &[(0.00092, 0.0, START)]), START),
        (0.00365, 4.410e-7, walk((0.0, 0.0), &[(0.007, 0.0, START), (-0.0115, 0.0, arm)]), arm),
        (0.02373, 5.255e-6, walk(b, &[(0.01043, -0.01874, gamma)]), gamma),
        (0.00706, 5.667e-7, walk(a, &[(0.04, 0.0, delta), (0.0, 0.01421 - 0.02, lever)]), lever),
        (0.07050, 1.169e-5, walk(a, &[(0.02308, 0.00916, delta)]), delta),
        (0.00706, 5.667e-7, walk(a, &[(0.0, -0.04, epsilon), (0.02 - 0.01421, 0.0, claw)]), claw),
        (0.05498, 1.912e-5, walk(a, &[(-0.00449, -0.01228, epsilon)]), epsilon),
    ];
    let mut rig = Rig::new(dt, stepper).under(DVec3::ZERO);
    let k = parts.map(|(mass, inertia, at, angle)| {
        let mass = Mass::principal(mass, DVec3::ZERO, DVec3::splat(inertia), glam::DQuat::IDENTITY);
        rig.turned("part", mass, at, math::turn(DVec3::Z, angle))
    });
    let ground = rig.ground;
    let crank = rig.hinge([ground, k[0]], DVec3::ZERO, DVec3::Z);
    for (bodies, at) in [
        ([k[0], k[1]], f),
        ([k[1], k[2]], e),
        ([k[1], k[3]], e),
        ([k[1], k[5]], e),
        ([ground, k[2]], walk(b, &[])),
        ([ground, k[4]], walk(a, &[])),
        ([ground, k[6]], walk(a, &[])),
        ([k[4], k[3]], g),
        ([k[6], k[5]], h),
    ] {
        rig.hinge(bodies, at, DVec3::Z);
    }
    let turn = glam::DQuat::IDENTITY;
    let d = rig.grip(k[2], walk(b, &[(0.02, -0.018, gamma)]), turn);
    rig.joint(Distance::spring([rig.grip(ground, walk(c, &[]), turn), d], 4530.0, 0.0, 0.07785));
    let drive = Applied::torque(k[0], Direction::World(DVec3::Z * TORQUE));
    rig.world.add_force(Force::Applied(drive)).unwrap();
    (rig, crank)
}

/// MB04: the crank's angle β, and E − E₀ = τ (β − β₀).
fn squeeze(stepper: Integrator) {
    let dt = 5e-5;
    let (mut rig, crank) = squeezer(dt, stepper);
    let trace = rig.trace(0.05, |world| {
        let seen = world.inspect();
        let turn = seen.coordinate(crank, 0).unwrap();
        (turn.value, turn.speed, seen.energy().total())
    });
    let part = if stepper == Integrator::Spook { 1.0 } else { 0.1 };
    let case = Case::new("MB04", stepper, dt).within(part, dt);
    // the hinge counts from where it was made
    let beta = |time: f64| START + at(&trace, time).0;
    case.finds("β at 0.03 s", beta(0.03));
    case.finds("β̇ at 0.03 s", at(&trace, 0.03).1);
    case.finds("β at 0.05 s", beta(0.05));
    case.stays("energy balance", trace.iter().map(|(_, s)| s.2 - trace[0].1.2 - TORQUE * s.0));
}

/// MB04 at the catalogue's step.
#[test]
fn mb04_squeezer() {
    squeeze(Integrator::Spook);
}

/// MB04 with the projected stepper, ten times tighter.
#[test]
fn mb04_squeezer_exactly() {
    squeeze(Integrator::Projected);
}
