//! Long thin bodies at 1/60 s: their spin about their own axis is as easily had as it is out of hand.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{Rig, section, speck, touch};
use windlass_engine::math;
use windlass_engine::prelude::*;

const FRAME: f64 = 1.0 / 60.0;

/// A rod on a ball joint, moments across and along as 1e5 to one, swings and goes sideways a little: it keeps its energy and does not
/// start to spin about itself. (The spin grew to 870 rad/s in two seconds.)
#[test]
fn a_thin_rod_on_a_ball_swings() {
    let mut rig = Rig::new(FRAME, Integrator::Spook);
    let along = DVec3::new(libm::sin(0.5), 0.0, -libm::cos(0.5));
    let mass = Mass::principal(20.0, DVec3::ZERO, DVec3::new(167.0, 167.0, 1e-3), math::facing(along));
    let rod = rig.body("rod", mass, 5.0 * along);
    rig.ball([rig.ground, rod], DVec3::ZERO);
    rig.moving(rod, DVec3::Y * 0.5, DVec3::Y.cross(along) * -0.1);
    let (axis, mut start) = (math::facing(along) * DVec3::Z, None);
    for _ in 0..1200 {
        let energy = rig.world.step().energy.total();
        let start = *start.get_or_insert(energy);
        assert!((energy - start).abs() < 0.01 * 20.0 * 9.81 * 5.0, "{energy} J of {start} J");
        let s = &rig.world.state().bodies[rod.index()];
        let spin = s.angular_velocity.dot(s.orientation * axis);
        assert!(spin.abs() < 1e-6, "{spin} rad/s about itself at {} s", rig.world.state().time);
    }
}

/// A wire rope of long elements on which a load swings out of its plane: no element spins up, however few there are. (Of one to ten
/// elements all broke the rope within half a minute.)
#[test]
fn elements_of_a_hoist_rope_do_not_spin_up() {
    for elements in [1, 2, 5, 10] {
        let mut rig = Rig::new(FRAME, Integrator::Spook);
        let at = 10.0 * DVec3::new(libm::sin(0.5), 0.0, -libm::cos(0.5));
        let load = rig.body("load", speck(1000.0), at);
        rig.moving(load, DVec3::Y * 0.3, DVec3::ZERO);
        let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
        let rope = section(2.0, 1e7, 5.0, 5.0);
        let laying = CableSpec { elements, ends, ..CableSpec::new("rope", rope, [DVec3::ZERO, at]) };
        let cable = rig.world.add_cable(laying).unwrap();
        let mut start = None;
        for _ in 0..3600 {
            let energy = rig.world.step().energy.total();
            let start = *start.get_or_insert(energy);
            assert!(energy < start + 0.01 * 1000.0 * 9.81 * 10.0, "{elements}: {energy} J of {start} J");
        }
        for body in rig.world.cable_elements(cable) {
            let s = &rig.world.state().bodies[body.index()];
            let spin = s.angular_velocity.dot(s.orientation * DVec3::Z);
            assert!(spin.abs() < 5.0, "{elements}: {spin} rad/s");
        }
    }
}

/// A stick that is thrown on the ground bounces and tumbles, however fast, with no more energy than it had. (It had a hundredfold.)
#[test]
fn thrown_sticks_gain_no_energy() {
    for throw in 0..12 {
        let rule = ContactParameters { restitution: 0.5, ..ContactParameters::rough(0.5) };
        let (mut world, _) = touch::floor(FRAME, rule);
        let stick = touch::cuboid(0.25, 0.015, 0.015);
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.7, -0.2) * f64::from(throw));
        let body = touch::add_turned(&mut world, "stick", stick, 1.0, DVec3::Z * 1.3, turn);
        let spin = DVec3::new(3.0, -2.0, 1.0) * libm::sin(f64::from(throw));
        world.set_velocity(body, DVec3::new(1.0, 0.5, -2.0), spin).unwrap();
        let mut start = None;
        for _ in 0..180 {
            let report = world.step();
            // that of the step's beginning, which a blow does not blur
            let energy = if report.contacts == 0 { report.energy.total() } else { 0.0 };
            let start = *start.get_or_insert(energy);
            assert!(energy <= 1.02 * start, "throw {throw}: {energy} J of {start} J");
        }
    }
}

/// Turned freely, a slender body keeps momentum and energy to round-off at half a turn a step.
#[test]
fn a_rod_tumbles_freely() {
    let mut rig = Rig::new(FRAME, Integrator::Spook).under(DVec3::ZERO);
    let rod = rig.body("rod", Mass::of_total(&touch::cuboid(0.5, 0.02, 0.02), 1.0).unwrap(), DVec3::ZERO);
    rig.moving(rod, DVec3::ZERO, DVec3::new(150.0, 20.0, -30.0));
    let energies: Vec<f64> = (0..600).map(|_| rig.world.step().energy.kinetic).collect();
    let first = energies[1];
    assert!(energies[1..].iter().all(|e| (e - first).abs() < 1e-9 * first), "{first} {energies:?}");
}
