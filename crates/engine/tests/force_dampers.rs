//! Forces that resist motion, drag and the dampers of spring forces, under `spook`: second order against closed forms, stable
//! where the step resolves nothing of them, and in the accounts of energy and loads.

use crate::kit;

use glam::DVec3;
use kit::*;
use windlass_engine::prelude::*;

/// 2 kg [kg].
const M: f64 = 2.0;

/// A small body under a gravity, moving.
fn stone(dt: f64, gravity: f64, velocity: DVec3) -> (Rig, BodyId) {
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::Z * -gravity);
    let body = rig.body("stone", speck(M), DVec3::ZERO);
    rig.moving(body, velocity, DVec3::ZERO);
    (rig, body)
}

/// Spring and damper along z from a point so far above that the line does not turn.
fn tied(rig: &mut Rig, body: BodyId, [stiffness, damping]: [f64; 2]) {
    let ends = [Anchor::point(rig.ground, DVec3::Z), Anchor::point(body, DVec3::ZERO)];
    rig.world.add_force(Force::Spring(ForceSpring { ends, stiffness, damping, rest: 1.0 })).unwrap();
}

/// Drag of c |v| v.
fn drag(rig: &mut Rig, body: BodyId, c: f64) {
    rig.world.add_force(Force::Drag(Drag { body, factor: c, area: 1.0, density: None })).unwrap();
}

/// The largest difference of the velocities at instants from those wanted.
fn off(rig: &mut Rig, body: BodyId, seconds: f64, wanted: impl Fn(f64) -> DVec3) -> f64 {
    let mut worst = 0.0f64;
    rig.run(seconds, |world, t| {
        let v = world.inspect().body(body).unwrap().twist.velocity;
        worst = worst.max((v - wanted(t)).length());
    });
    worst
}

/// Asserts that an error falls by 3.6 or more each time the step is halved, and starts below a limit.
#[track_caller]
fn is_second_order(what: &str, error: impl Fn(f64) -> f64, coarse: f64, limit: f64) {
    let [a, b, c] = [1.0, 0.5, 0.25].map(|part| error(coarse * part));
    println!("{what}: {a:.2e} {b:.2e} {c:.2e}, ratios {:.2} {:.2}", a / b, b / c);
    assert!(a < limit && a > 3.6 * b && b > 3.6 * c, "{what}: {a:e} {b:e} {c:e}");
}

/// v = −(m g/c) (1 − e^(−c t/m)).
#[test]
fn a_damper_under_a_load_is_second_order() {
    let error = |dt: f64| {
        let (mut rig, body) = stone(dt, G, DVec3::ZERO);
        let c = 6.0;
        tied(&mut rig, body, [0.0, c]);
        off(&mut rig, body, 0.25, |t| DVec3::Z * (M * G / c * libm::expm1(-c / M * t)))
    };
    is_second_order("linear damper", error, 1e-2, 1e-3);
}

/// Alone it decays by e^(−c t/m) to rounding, whatever the step resolves of it: c h/m from 0.03 to 2000.
#[test]
fn a_damper_alone_is_exact() {
    for c in [6.0, 600.0, 4e5] {
        let (mut rig, body) = stone(1e-2, 0.0, DVec3::Z * 3.0);
        tied(&mut rig, body, [0.0, c]);
        for step in 1..=20 {
            rig.world.step();
            // velocities trail by half a step
            let wanted = 3.0 * libm::exp(-c / M * 1e-2 * (f64::from(step) - 0.5));
            let v = rig.world.state().bodies[body.index()].velocity.z;
            assert!((v - wanted).abs() < 1e-12, "c {c}, step {step}: {v}, not {wanted}");
        }
    }
}

/// m ẍ + c ẋ + k x = 0 from 0.1 m, below and above critical damping.
#[test]
fn spring_forces_with_dampers_are_second_order() {
    for (k, c, coarse) in [(200.0, 4.0, 1e-2), (200.0, 60.0, 4e-3)] {
        let error = |dt: f64| {
            let (mut rig, body) = stone(dt, 0.0, DVec3::ZERO);
            let ends = [Anchor::point(rig.ground, DVec3::Z), Anchor::point(body, DVec3::ZERO)];
            let spring = ForceSpring { ends, stiffness: k, damping: c, rest: 0.9 };
            rig.world.add_force(Force::Spring(spring)).unwrap();
            let (decay, square) = (0.5 * c / M, k / M - 0.25 * c * c / (M * M));
            let omega = square.abs().sqrt();
            off(&mut rig, body, 1.0, |t| {
                let sine = if square < 0.0 { libm::sinh(omega * t) } else { libm::sin(omega * t) };
                // ẋ = −(ω² + δ²)/ω x₀ e^(−δ t) sin ω t about the place of rest 0.1 m above
                DVec3::Z * (k / M / omega * 0.1 * libm::exp(-decay * t) * sine)
            })
        };
        is_second_order(&format!("oscillator k {k} c {c}"), error, coarse, 2e-3);
    }
}

/// c h/m = 2000: the mass creeps with k/c to where the spring is at rest, and comes near it from one side.
#[test]
fn a_damper_that_the_step_does_not_resolve_creeps() {
    let (mut rig, body) = stone(1e-2, 0.0, DVec3::ZERO);
    let ends = [Anchor::point(rig.ground, DVec3::Z), Anchor::point(body, DVec3::ZERO)];
    let spring = ForceSpring { ends, stiffness: 2e4, damping: 4e5, rest: 0.9 };
    rig.world.add_force(Force::Spring(spring)).unwrap();
    let trace = rig.trace(10.0, |world| world.state().bodies[body.index()].position.z);
    // within half a step of the way that it makes at first
    let worst = trace.iter().map(|(t, z)| (z + 0.1 * libm::expm1(-0.05 * t)).abs()).fold(0.0, f64::max);
    near("creep", worst, 0.0, 0.5e-2 * 0.1 * 0.05);
}

/// v = −v_t tanh(g t/v_t), v_t = √(m g/c).
#[test]
fn drag_under_gravity_is_second_order() {
    let c = 0.5;
    let terminal = (M * G / c).sqrt();
    let error = |dt: f64| {
        let (mut rig, body) = stone(dt, G, DVec3::ZERO);
        drag(&mut rig, body, c);
        off(&mut rig, body, 2.0, |t| DVec3::Z * (-terminal * libm::tanh(G * t / terminal)))
    };
    is_second_order("quadratic drag", error, 2e-2, 1e-2);
}

/// Alone 1/v grows by c t/m, to rounding; under gravity the terminal speed comes, however short the time in which it would:
/// c h v/m is 15 with c = 1e3, and explicit drag runs away.
#[test]
fn drag_bears_any_step() {
    for c in [0.5, 50.0, 5e4] {
        let (mut rig, body) = stone(1e-2, 0.0, DVec3::new(1.0, 2.0, -2.0));
        drag(&mut rig, body, c);
        for step in 1..=50 {
            rig.world.step();
            let wanted = 1.0 / (1.0 / 3.0 + c / M * 1e-2 * (f64::from(step) - 0.5));
            let v = rig.world.state().bodies[body.index()].velocity;
            assert!((v.length() / wanted - 1.0).abs() < 1e-11, "c {c}, step {step}: {v}, not {wanted}");
        }
        let (mut rig, body) = stone(1e-2, G, DVec3::Z * -30.0);
        drag(&mut rig, body, c);
        let speeds = rig.trace(10.0, |world| -world.state().bodies[body.index()].velocity.z);
        near("terminal speed over its closed form", speeds[1000].1 / (M * G / c).sqrt(), 1.0, 1e-9);
    }
}

/// A throw: drag turns with the velocity, so its part across must be centred as well. Against Runge–Kutta with steps of 1e-4 s.
#[test]
fn drag_on_a_throw_is_second_order() {
    let (c, start) = (0.5, DVec3::new(8.0, 0.0, 6.0));
    let rate = |v: DVec3| v * (-c / M * v.length()) - DVec3::Z * G;
    let mut fine = vec![start];
    for _ in 0..10_000 {
        let (v, h) = (fine[fine.len() - 1], 1e-4);
        let a = rate(v);
        let b = rate(v + a * (0.5 * h));
        let d = rate(v + b * (0.5 * h));
        let e = rate(v + d * h);
        fine.push(v + (a + (b + d) * 2.0 + e) * (h / 6.0));
    }
    let error = |dt: f64| {
        let (mut rig, body) = stone(dt, G, start);
        drag(&mut rig, body, c);
        off(&mut rig, body, 1.0, |t| fine[(t * 1e4).round() as usize])
    };
    is_second_order("throw", error, 2e-2, 2e-2);
}

/// Two bodies on a damped spring off their centres, one with drag: energy is accounted for to second order, drag and damper as
/// damping; without drag their momentum stays.
#[test]
fn dampers_of_forces_are_in_the_accounts() {
    let pair = |dt: f64, c: f64| {
        let (mut rig, a) = stone(dt, 0.0, DVec3::new(0.0, 2.0, 1.0));
        let b = rig.bar("bar", 3.0, [DVec3::new(1.0, 0.0, -0.5), DVec3::new(1.0, 0.0, 0.5)], 0.1);
        let ends = [Anchor::point(a, DVec3::ZERO), Anchor::point(b, DVec3::Z * 0.4)];
        let spring = ForceSpring { ends, stiffness: 50.0, damping: 3.0, rest: 0.8 };
        rig.world.add_force(Force::Spring(spring)).unwrap();
        drag(&mut rig, a, c);
        (rig, a, b)
    };
    let error = |dt: f64| {
        let (mut rig, ..) = pair(dt, 0.5);
        let before = rig.world.inspect().energy().total();
        let mut work = Work::default();
        for _ in 0..(1.0 / dt).round() as usize {
            work = work.plus(rig.world.step().work.unwrap());
        }
        let end = rig.world.inspect();
        work = work.plus(end.work().unwrap());
        assert!(work.loads.abs() < 1e-12 && work.damping < -1.0, "{work:?}");
        (end.energy().total() - before - work.total()).abs()
    };
    let [coarse, fine] = [error(1e-2), error(1e-3)];
    println!("energy not accounted for: {coarse:.2e} J, {fine:.2e} J");
    assert!(coarse < 0.05 && fine < 0.02 * coarse, "{coarse:e} J, {fine:e} J");

    let (mut rig, a, b) = pair(1e-2, 0.0);
    for _ in 0..100 {
        rig.world.step();
        let [a, b] = [a, b].map(|body| rig.world.state().bodies[body.index()].velocity);
        assert!((a * M + b * 3.0 - DVec3::new(0.0, 2.0, 1.0) * M).length() < 1e-12);
    }
}

/// What is reported as the load of a body has its dampers in it: it is the rate of its momentum.
#[test]
fn dampers_are_among_the_loads() {
    let (mut rig, body) = stone(1e-2, G, DVec3::new(1.0, 2.0, 3.0));
    drag(&mut rig, body, 0.5);
    tied(&mut rig, body, [30.0, 5.0]);
    for _ in 0..50 {
        rig.world.step();
        let seen = rig.world.inspect();
        let (load, rate) =
            (seen.load(body).unwrap().force, seen.body(body).unwrap().acceleration.velocity * M);
        assert!((load - rate).length() < 1e-10, "{load} N is not {rate} N");
    }
}
