//! CB08–CB12: vibration and buckling of cables, against closed forms.

mod kit;

use glam::{DQuat, DVec3};
use kit::*;
use std::f64::consts::PI;
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
        let along = rig.world.state().bodies[body.index()].attitude * DVec3::Z;
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
    for (dt, within, ratio) in [(1.0 / 240.0, 0.02, f64::INFINITY), (1e-3, 0.005, 0.01)] {
        let found: Vec<f64> = [1.0, 2.0]
            .map(|number| {
                let mut rig = Rig::new(dt, Stepper::Spook).under(DVec3::ZERO);
                // stiff enough that 5 mm of a mode do not change the tension
                let ea = 1e6;
                let to = DVec3::X * 5.0;
                let ends = [DVec3::ZERO, to].map(|p| End::Ball(Anchor::point(rig.ground, p)));
                let length = Some(5.0 / (1.0 + 500.0 / ea));
                let string = section(0.2 * (1.0 + 500.0 / ea), ea, 0.0, 0.0);
                let laying = Laying { ends, length, ..Laying::new("string", string, [DVec3::ZERO, to]) };
                let cable = rig.world.add_cable(laying).unwrap();
                let shape = move |x: f64| libm::sin(number * PI * x);
                set_waving(&mut rig, cable, DVec3::Z, |x| 0.05 * shape(x));
                frequency(&mode(&mut rig, cable, 2.0, DVec3::Z, shape))
            })
            .to_vec();
        let label = |what: &str| tag("CB08", Stepper::Spook, dt) + what;
        near_part(&label("f₁"), found[0], 5.0, within);
        if ratio.is_finite() {
            near_part(&label("f₂/f₁"), found[1] / found[0], 2.0, ratio);
        }
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
    let modes = [
        (2.404825557695773, 0.42383149, [0.01, 0.002]),
        (5.520078110286311, 0.97287012, [0.02, 0.005]),
        (8.653727912911013, 1.5251511, [f64::INFINITY, 0.015]),
    ];
    for (column, dt) in [1.0 / 60.0, 1e-3].into_iter().enumerate() {
        for (number, (root, want, within)) in modes.into_iter().enumerate() {
            let mut rig = Rig::new(dt, Stepper::Spook);
            let ends = [End::Ball(Anchor::point(rig.ground, DVec3::ZERO)), End::Free];
            let path = [DVec3::ZERO, DVec3::NEG_Z * 2.0];
            let laying = Laying { ends, ..Laying::new("chain", section(1.0, 1e6, 0.0, 0.0), path) };
            let cable = rig.world.add_cable(laying).unwrap();
            let shape = move |x: f64| j0(root * (1.0 - x).max(0.0).sqrt());
            set_waving(&mut rig, cable, DVec3::X, |x| 0.01 * shape(x));
            let trace = mode(&mut rig, cable, 10.0, DVec3::X, shape);
            let label = tag("CB09", Stepper::Spook, dt) + &format!("f{}", number + 1);
            if within[column].is_finite() {
                near_part(&label, frequency(&trace), want, within[column]);
            }
        }
    }
}

/// CB10: a cantilever beam; its modes by their shapes.
#[test]
fn cb10_beam() {
    for (root, want, within) in [(1.8751040687, 1.7695828, 0.01), (4.6940911330, 11.089786, 0.02)] {
        let dt = 1e-3;
        let mut rig = Rig::new(dt, Stepper::Spook).under(DVec3::ZERO);
        let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
        let ends = [End::Clamp(Anchor::frame(rig.ground, DVec3::ZERO, turn)), End::Free];
        let beam = section(1.0, 1e6, 10.0, 10.0);
        let laying = Laying { ends, ..Laying::new("beam", beam, [DVec3::ZERO, DVec3::X]) };
        let cable = rig.world.add_cable(laying).unwrap();
        let b: f64 = root;
        let ratio = (libm::sinh(b) - libm::sin(b)) / (libm::cosh(b) + libm::cos(b));
        let shape = move |x: f64| {
            let (sin, cos) = libm::sincos(b * x);
            libm::cosh(b * x) - cos - ratio * (libm::sinh(b * x) - sin)
        };
        set_waving(&mut rig, cable, DVec3::Z, |x| 0.01 * shape(x));
        let trace = mode(&mut rig, cable, 3.0, DVec3::Z, shape);
        near_part(&(tag("CB10", Stepper::Spook, dt) + "f"), frequency(&trace), want, within);
    }
}

/// CB11: an upright column stands just below Greenhill's length and falls just above it.
#[test]
fn cb11_self_weight_buckling() {
    for dt in [1.0 / 60.0, 1e-3] {
        for (part, stands) in [(0.95, true), (1.05, false)] {
            let mut rig = Rig::new(dt, Stepper::Spook);
            let ends = [End::Clamp(Anchor::point(rig.ground, DVec3::ZERO)), End::Free];
            // q L³/EI = part · 7.8373 with L = 1 and EI = 1
            let column = section(part * 7.8373474 / G, 1e6, 1.0, 1.0);
            let laying = Laying { ends, ..Laying::new("column", column, [DVec3::ZERO, DVec3::Z]) };
            let cable = rig.world.add_cable(laying).unwrap();
            let top = *elements(&rig.world, cable).last().unwrap();
            rig.moving(top, DVec3::X * 1e-3, DVec3::ZERO);
            let trace = rig.trace(20.0, |world| world.state().bodies[top.index()].position.x);
            let largest = trace.iter().fold(0.0, |m: f64, (_, x)| m.max(x.abs()));
            println!("{part}: largest {largest:.2e}, at the end {:.2e}", trace.last().unwrap().1);
            assert_eq!(largest < 0.02, stands, "dt {dt}, {part} of the load: {largest}");
        }
    }
}

/// CB12: a rod twisted by end moments along its line buckles at M L/EI = 2π between ball ends, at 8.99 between clamps. Its far
/// end may come nearer; GJ = EI = L = 1.
#[test]
fn cb12_torsional_buckling() {
    for (clamped, critical) in [(false, 2.0 * PI), (true, 8.9868189)] {
        for (part, straight) in [(0.9, true), (1.1, false)] {
            let dt = 1e-3;
            let mut rig = Rig::new(dt, Stepper::Spook).under(DVec3::ZERO);
            let head =
                rig.body("head", Mass::of_total(&Shape::Sphere { radius: 0.1 }, 0.1).unwrap(), DVec3::X);
            let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
            let anchors = rig.grips([rig.ground, head], DVec3::X, turn);
            let slowly = Motion::Smooth { from: 0.0, to: part * critical, start: 0.0, end: 4.0 };
            let turned = if clamped { slowly } else { Motion::Constant(0.0) };
            rig.joint(Cylinder { anchors, axes: [Axis::driven(Drive::Follow(turned)), Axis::free()] });
            let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(head, DVec3::ZERO)];
            let ends = ends.map(if clamped { End::Fast } else { End::Ball });
            let rod = section(0.1, 1e5, 1.0, 1.0);
            let laying = Laying { ends, ..Laying::new("rod", rod, [DVec3::ZERO, DVec3::X]) };
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
            assert_eq!(largest < 0.02, straight, "clamped {clamped}, {part} of the torque: {largest}");
        }
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
