//! CB08–CB12: vibration and buckling of cables, against closed forms.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::*;
use std::f64::consts::{PI, TAU};
use windlass_engine::prelude::*;

fn elements(world: &World, cable: CableId) -> Vec<BodyId> {
    world.model().cables().get(cable).unwrap().elements.clone()
}

/// Sets the elements of a cable moving across it with a speed that depends on the place along it, 0 to 1; each turns as its
/// neighbours move.
fn set_waving(rig: &mut Rig, cable: CableId, across: DVec3, speed: impl Fn(f64) -> f64) {
    let list = elements(&rig.world, cable);
    let n = list.len() as f64;
    let length = rig.world.model().cables().get(cable).unwrap().length();
    for (k, body) in list.iter().enumerate() {
        let at = |x: f64| speed(x / n);
        let along = rig.world.state().bodies[body.index()].orientation * DVec3::Z;
        let slope = (at(k as f64 + 1.0) - at(k as f64)) * n / length;
        rig.moving(*body, across * at(k as f64 + 0.5), along.cross(across) * slope);
    }
}

/// The part of a motion that has a shape, over time.
fn mode(
    rig: &mut Rig,
    cable: CableId,
    seconds: f64,
    across: DVec3,
    shape: impl Fn(f64) -> f64,
) -> Vec<(f64, f64)> {
    let list = elements(&rig.world, cable);
    let start: Vec<DVec3> = list.iter().map(|b| rig.world.state().bodies[b.index()].position).collect();
    let n = list.len() as f64;
    rig.trace(seconds, |world| {
        let moved = |k: usize| (world.state().bodies[list[k].index()].position - start[k]).dot(across);
        (0..list.len()).map(|k| moved(k) * shape((k as f64 + 0.5) / n)).sum::<f64>()
    })
}

/// A frequency by the periods of a trace.
fn frequency(trace: &[(f64, f64)]) -> f64 {
    1.0 / period(trace)
}

/// CB08: a taut string; its first two modes.
#[test]
fn cb08_taut_string() {
    for dt in [1.0 / 240.0, 1e-3] {
        let found: Vec<f64> = [1.0, 2.0]
            .map(|number| {
                let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
                // stiff enough that 5 mm of a mode do not change the tension
                let ea = 1e6;
                let to = DVec3::X * 5.0;
                let ends = [DVec3::ZERO, to].map(|p| End::Ball(Anchor::point(rig.ground, p)));
                let length = Some(5.0 / (1.0 + 500.0 / ea));
                let string = section(0.2 * (1.0 + 500.0 / ea), ea, 0.0, 0.0);
                let laying =
                    CableSpec { ends, length, ..CableSpec::new("string", string, [DVec3::ZERO, to]) };
                let cable = rig.world.add_cable(laying).unwrap();
                let shape = move |x: f64| libm::sin(number * PI * x);
                set_waving(&mut rig, cable, DVec3::Z, |x| 0.05 * shape(x));
                frequency(&mode(&mut rig, cable, 2.0, DVec3::Z, shape))
            })
            .to_vec();
        let case = Case::new("CB08", Integrator::Spook, dt);
        case.finds("f₁", found[0]);
        case.finds("f₂ / f₁", found[1] / found[0]);
    }
}

/// Bessel's J₀ by its series; good for the arguments here.
fn j0(x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..60 {
        term *= -0.25 * x * x / (k * k) as f64;
        sum += term;
    }
    sum
}

/// CB09: a hanging chain; its first modes have the shape J₀(jₙ √(1 − x)), x from the top.
#[test]
fn cb09_hanging_chain() {
    let modes = [("f₁", 2.404825557695773), ("f₂", 5.520078110286311), ("f₃", 8.653727912911013)];
    for dt in [1.0 / 60.0, 1e-3] {
        for (name, root) in modes {
            let mut rig = Rig::new(dt, Integrator::Spook);
            let ends = [End::Ball(Anchor::point(rig.ground, DVec3::ZERO)), End::Free];
            let path = [DVec3::ZERO, DVec3::NEG_Z * 2.0];
            let laying = CableSpec { ends, ..CableSpec::new("chain", section(1.0, 1e6, 0.0, 0.0), path) };
            let cable = rig.world.add_cable(laying).unwrap();
            let shape = move |x: f64| j0(root * (1.0 - x).max(0.0).sqrt());
            set_waving(&mut rig, cable, DVec3::X, |x| 0.01 * shape(x));
            let trace = mode(&mut rig, cable, 10.0, DVec3::X, shape);
            Case::new("CB09", Integrator::Spook, dt).finds(name, frequency(&trace));
        }
    }
}

/// CB10: a cantilever beam; its modes by their shapes.
#[test]
fn cb10_beam() {
    for (name, root) in [("f₁", 1.8751040687), ("f₂", 4.6940911330)] {
        let dt = 1e-3;
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
        let ends = [End::Clamp(Anchor::frame(rig.ground, DVec3::ZERO, turn)), End::Free];
        let beam = section(1.0, 1e6, 10.0, 10.0);
        let laying = CableSpec { ends, ..CableSpec::new("beam", beam, [DVec3::ZERO, DVec3::X]) };
        let cable = rig.world.add_cable(laying).unwrap();
        let b: f64 = root;
        let ratio = (libm::sinh(b) - libm::sin(b)) / (libm::cosh(b) + libm::cos(b));
        let shape = move |x: f64| {
            let (sin, cos) = libm::sincos(b * x);
            libm::cosh(b * x) - cos - ratio * (libm::sinh(b * x) - sin)
        };
        set_waving(&mut rig, cable, DVec3::Z, |x| 0.01 * shape(x));
        let trace = mode(&mut rig, cable, 3.0, DVec3::Z, shape);
        Case::new("CB10", Integrator::Spook, dt).finds(name, frequency(&trace));
    }
}

/// CB11: an upright column stands just below Greenhill's length and falls just above it.
#[test]
fn cb11_self_weight_buckling() {
    for dt in [1.0 / 60.0, 1e-3] {
        for (part, stands, name) in [(0.95, true, "stands at 0.95 of"), (1.05, false, "falls at 1.05 of")] {
            let mut rig = Rig::new(dt, Integrator::Spook);
            let ends = [End::Clamp(Anchor::point(rig.ground, DVec3::ZERO)), End::Free];
            // q L³/EI = part · 7.8373 with L = 1 and EI = 1
            let column = section(part * 7.8373474 / G, 1e6, 1.0, 1.0);
            let laying = CableSpec { ends, ..CableSpec::new("column", column, [DVec3::ZERO, DVec3::Z]) };
            let cable = rig.world.add_cable(laying).unwrap();
            let top = *elements(&rig.world, cable).last().unwrap();
            rig.moving(top, DVec3::X * 1e-3, DVec3::ZERO);
            let trace = rig.trace(20.0, |world| world.state().bodies[top.index()].position.x);
            let largest = trace.iter().fold(0.0, |m: f64, (_, x)| m.max(x.abs()));
            println!("{part}: largest {largest:.2e}, at the end {:.2e}", trace.last().unwrap().1);
            Case::new("CB11", Integrator::Spook, dt).does(name, (largest < 0.02) == stands);
        }
    }
}

/// CB12: a rod twisted by end moments along its line buckles at M L/EI = 2π between ball ends, at 8.99 between clamps. Its far
/// end may come nearer; GJ = EI = L = 1.
#[test]
fn cb12_torsional_buckling() {
    let dt = 1e-3;
    for (clamped, critical, name) in [(false, 2.0 * PI, "ball ends"), (true, 8.9868189, "clamped ends")] {
        let leaves = [0.9, 1.1].map(|part| {
            let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
            let head =
                rig.body("head", Mass::of_total(&Shape::Sphere { radius: 0.1 }, 0.1).unwrap(), DVec3::X);
            let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
            let anchors = rig.grips([rig.ground, head], DVec3::X, turn);
            let slowly = Motion::Smooth { from: 0.0, to: part * critical, start: 0.0, end: 4.0 };
            let turned = if clamped { slowly } else { Motion::Constant(0.0) };
            rig.joint(Cylinder { anchors, axes: [Axis::driven(Drive::Prescribed(turned)), Axis::free()] });
            let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(head, DVec3::ZERO)];
            let ends = ends.map(if clamped { End::Fast } else { End::Ball });
            let rod = section(0.1, 1e5, 1.0, 1.0);
            let laying = CableSpec { ends, ..CableSpec::new("rod", rod, [DVec3::ZERO, DVec3::X]) };
            let cable = rig.world.add_cable(laying).unwrap();
            if !clamped {
                wring(&mut rig, cable, part * critical);
            }
            let middle = elements(&rig.world, cable)[12];
            rig.moving(middle, DVec3::Z * 1e-3, DVec3::ZERO);
            let trace = rig.trace(8.0, |world| {
                let p = world.state().bodies[middle.index()].position;
                libm::hypot(p.y, p.z)
            });
            let largest = trace.iter().fold(0.0, |m: f64, (_, x)| m.max(*x));
            println!("clamped {clamped}, {part}: largest {largest:.2e}");
            largest > 0.02
        });
        Case::new("CB12", Integrator::Spook, dt).does(name, leaves == [false, true]);
    }
}

/// Moments at both ends that keep their direction, raised in forty stages over four seconds.
fn wring(rig: &mut Rig, cable: CableId, moment: f64) {
    let list = elements(&rig.world, cable);
    for stage in 0..40 {
        let (from, share) = (0.1 * f64::from(stage), moment / 40.0);
        for (body, sign) in [(list[0], -1.0), (list[23], 1.0)] {
            let torque = Applied::torque(body, Direction::World(DVec3::X * (sign * share)));
            rig.world.add_force(Force::Applied(torque.during(from, f64::INFINITY))).unwrap();
        }
    }
}

/// A straight rod of 1 m closed to a ring, EI = GJ = 1, its ends in two clasps that a hinge turns against each other to a twist in
/// four seconds. How far it leaves its plane in six, as a saddle: its part like cos 2φ or sin 2φ [m].
fn twisted_ring(dt: f64, twist: f64) -> f64 {
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let radius = 1.0 / TAU;
    let at = |part: f64| {
        let (sin, cos) = libm::sincos(TAU * part);
        DVec3::new(radius * cos, radius * sin, 0.0)
    };
    let clasp = || Mass::of_total(&Shape::Sphere { radius: 0.01 }, 2e-3).unwrap();
    let [start, end] = ["start", "end"].map(|name| rig.body(name, clasp(), at(0.0)));
    let slowly = Motion::Smooth { from: 0.0, to: twist, start: 0.0, end: 4.0 };
    rig.driven_hinge([start, end], at(0.0), DVec3::Y, Axis::driven(Drive::Prescribed(slowly)));
    let along = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
    let ends = [start, end].map(|b| End::Clamp(rig.grip(b, at(0.0), along)));
    let path: Vec<DVec3> = (0..=480).map(|k| at(f64::from(k) / 480.0)).collect();
    let rod = section(0.1, 1e5, 1.0, 1.0);
    let laying = CableSpec { ends, length: Some(1.0), ..CableSpec::new("ring", rod, path) };
    let cable = rig.world.add_cable(laying).unwrap();
    let list = elements(&rig.world, cable);
    let saddle = |k: usize| libm::sincos(2.0 * TAU * (k as f64 + 0.5) / 24.0);
    for (k, body) in list.iter().enumerate() {
        rig.moving(*body, DVec3::Z * (1e-3 * saddle(k).1), DVec3::ZERO);
    }
    let mut largest = 0.0_f64;
    for _ in 0..(6.0 / dt) as usize {
        assert!(rig.world.step().fault.is_none());
        let sum = list.iter().enumerate().fold((0.0, 0.0), |m, (k, body)| {
            let (z, (sin, cos)) = (rig.world.state().bodies[body.index()].position.z, saddle(k));
            (m.0 + z * sin / 12.0, m.1 + z * cos / 12.0)
        });
        largest = largest.max(libm::hypot(sum.0, sum.1));
    }
    println!("ring twisted by {twist:.3}: off its plane by {largest:.2e} m");
    largest
}

/// CB12: a ring twisted by more than 2π√3 EI/GJ leaves its plane (Michell).
#[test]
fn cb12_twisted_ring() {
    let dt = 1e-3;
    let leaves = [0.9, 1.1].map(|part| twisted_ring(dt, part * 10.882796) > 0.02);
    Case::new("CB12", Integrator::Spook, dt).does("ring, EI = GJ", leaves == [false, true]);
}
