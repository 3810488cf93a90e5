//! Impacts with restitution and friction: Newton's rule n·u = −e n·v may then require more energy than the impact has (Kane's
//! paradox). Sticks thrown at a floor, against the two equations of a planar impact.

use crate::kit;

use glam::{DQuat, DVec2, DVec3};
use kit::touch::{add_turned, cuboid, floor};
use windlass_engine::prelude::*;

const STEPS: [f64; 3] = [1.0 / 30.0, 1.0 / 60.0, 1e-3];
const RADIUS: f64 = 0.01;
const HALF: f64 = 0.5;
const MASS: f64 = 2.0;

/// A stick in the xz-plane whose lower end touches the floor.
#[derive(Clone, Copy, Debug)]
struct Throw {
    /// Angle to the floor.
    degrees: f64,
    friction: f64,
    restitution: f64,
    /// Velocity of the centre in x and z, and spin about y.
    velocity: DVec2,
    spin: f64,
}

/// What Newton's rule and Coulomb's law give together.
struct Newton {
    /// Change of energy.
    gain: f64,
    /// Whether both laws have this one solution.
    is_unique: bool,
}

impl Throw {
    fn shape() -> Shape {
        Shape::Capsule { radius: RADIUS, half_length: HALF }
    }

    /// Inertia about y of the stick.
    fn inertia() -> f64 {
        let inertia = Mass::of_total(&Throw::shape(), MASS).unwrap().inertia;
        inertia.x_axis.x
    }

    /// From the centre to the point that touches the floor.
    fn arm(&self) -> DVec2 {
        let (sin, cos) = (libm::sin(self.degrees.to_radians()), libm::cos(self.degrees.to_radians()));
        DVec2::new(HALF * cos, -HALF * sin - RADIUS)
    }

    /// Velocity of that point.
    fn rate(&self, velocity: DVec2, spin: f64) -> DVec2 {
        let r = self.arm();
        velocity + spin * DVec2::new(r.y, -r.x)
    }

    fn energy(velocity: DVec2, spin: f64) -> f64 {
        0.5 * (MASS * velocity.length_squared() + Throw::inertia() * spin * spin)
    }

    /// The two equations of the impact, K p = u − v at the point, with n·u = −e n·v and stick or slip.
    fn newton(&self) -> Newton {
        let (r, i) = (self.arm(), Throw::inertia());
        let (xx, xz, zz) = (1.0 / MASS + r.y * r.y / i, -r.x * r.y / i, 1.0 / MASS + r.x * r.x / i);
        let v = self.rate(self.velocity, self.spin);
        let (slip, rise) = (-v.x, -(1.0 + self.restitution) * v.y);
        let determinant = xx * zz - xz * xz;
        let stick = DVec2::new(slip * zz - xz * rise, xx * rise - xz * slip) / determinant;
        let mut found = Vec::new();
        if stick.x.abs() <= self.friction * stick.y {
            found.push(stick);
        }
        for side in [-1.0, 1.0] {
            let normal = rise / (zz + side * self.friction * xz);
            let u = v.x + (side * self.friction * xx + xz) * normal;
            if normal > 0.0 && side * u < 0.0 {
                found.push(DVec2::new(side * self.friction * normal, normal));
            }
        }
        let p = found.first().copied().unwrap_or_default();
        let change = DVec2::new(xx * p.x + xz * p.y, xz * p.x + zz * p.y);
        Newton { gain: p.dot(v + 0.5 * change), is_unique: found.len() == 1 }
    }

    /// The world, before the step with the impact.
    fn world(&self, dt: f64) -> World {
        let touch =
            ContactParameters { restitution: self.restitution, ..ContactParameters::rough(self.friction) };
        let (mut world, _) = floor(dt, touch);
        world.set(|s| s.gravity = DVec3::ZERO).unwrap();
        let tilt = std::f64::consts::FRAC_PI_2 - self.degrees.to_radians();
        let at = DVec3::Z * (-self.arm().y + 1e-12);
        // the axis of a capsule is z
        let stick = add_turned(&mut world, "stick", Throw::shape(), MASS, at, DQuat::from_rotation_y(-tilt));
        let velocity = DVec3::new(self.velocity.x, 0.0, self.velocity.y);
        world.set_velocity(stick, velocity, DVec3::Y * self.spin).unwrap();
        world
    }
}

fn throws() -> Vec<Throw> {
    let mut throws = Vec::new();
    for degrees in [10.0, 20.0, 30.0, 45.0, 60.0, 80.0] {
        for friction in [0.0, 0.1, 0.3, 0.8, 1.2] {
            for restitution in [0.0, 0.3, 0.6, 0.9, 1.0] {
                for (x, spin) in [(0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.5, 4.0), (-0.5, -4.0), (6.0, 1.0)] {
                    let velocity = DVec2::new(x, -3.0);
                    throws.push(Throw { degrees, friction, restitution, velocity, spin });
                }
            }
        }
    }
    throws
}

/// No impact gains energy; the account of the step has its loss, as work of friction and of contact, neither of which is positive.
/// With the direct solver, impacts that gain nothing by Newton's rule follow it to round-off; others lose nothing.
#[test]
#[ignore = "its tolerances under Gauss–Seidel were changed and not run since"]
fn sticks_that_hit_the_floor_gain_no_energy() {
    let mut gaining = 0;
    for dt in STEPS {
        for throw in throws() {
            for solver in [Solver::Direct, Solver::Iterative] {
                if throw.rate(throw.velocity, throw.spin).y > -1.0 {
                    continue;
                }
                let mut world = throw.world(dt);
                world.set(|s| s.contact.solver = solver).unwrap();
                let report = world.step();
                let s = &world.state().bodies[1];
                let (u, spin) = (DVec2::new(s.velocity.x, s.velocity.z), s.angular_velocity.y);
                let before = Throw::energy(throw.velocity, throw.spin);
                let gain = Throw::energy(u, spin) - before;
                let what = format!("{throw:?}, {solver:?}, {dt} s");
                // what Gauss–Seidel leaves unsolved is booked with the contacts: 2e-4 at 10°, e = 1
                let slack = if solver == Solver::Direct { 1e-9 } else { 1e-2 } * before;
                assert!(gain < slack, "{what}: gains {:e}", gain / before);
                let work = report.work.unwrap();
                assert!(
                    (work.contact + work.friction - gain).abs() < 1e-9 * before,
                    "{what}: {work:?} {gain}"
                );
                assert!(work.contact < slack && work.friction < slack, "{what}: {work:?}");
                let newton = throw.newton();
                let loaded = world.state().contacts.iter().filter(|c| c.force != DVec3::ZERO).count();
                // in a long step the other end may come down as well
                if !newton.is_unique || loaded > 1 {
                    continue;
                }
                let [v, leaves] = [(throw.velocity, throw.spin), (u, spin)].map(|(v, w)| throw.rate(v, w).y);
                let within = if solver == Solver::Direct { 1e-6 } else { 2e-2 };
                let most = -throw.restitution * v + within;
                assert!(leaves > -within && leaves < most, "{what}: leaves at {leaves}");
                if solver == Solver::Iterative {
                    continue;
                }
                if newton.gain < 1e-7 * before {
                    assert!((leaves + throw.restitution * v).abs() < 2e-7, "{what}: {leaves} after {v}");
                    assert!((gain - newton.gain).abs() < 1e-6 * before, "{what}: {gain} of {}", newton.gain);
                }
                if newton.gain > 1e-3 * before {
                    gaining += 1;
                    assert!(gain > -1e-5 * before, "{what}: loses {:e}", gain / before);
                }
            }
        }
    }
    assert!(gaining > 100, "{gaining} impacts would gain");
}

/// The stick of 30° with μ = 0.8 and e = 1, turning as it falls: Newton's rule gives it a fifth of its energy.
#[test]
fn a_stick_at_30_degrees_keeps_its_energy() {
    let velocity = DVec2::new(-0.75, -3.0);
    let throw = Throw { degrees: 30.0, friction: 0.8, restitution: 1.0, velocity, spin: 2.0 };
    let before = Throw::energy(throw.velocity, throw.spin);
    for dt in STEPS {
        let mut world = throw.world(dt);
        world.step();
        let s = &world.state().bodies[1];
        let after = Throw::energy(DVec2::new(s.velocity.x, s.velocity.z), s.angular_velocity.y);
        assert!((after / before - 1.0).abs() < 1e-9, "{dt}: {:+.3e}", after / before - 1.0);
    }
    assert!(throw.newton().gain > 0.1 * before);
}

/// A number in −1..1 made of a counter.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn kinetic(world: &World) -> f64 {
    let bodies = world.model().bodies().iter().filter(|(_, body)| body.is_dynamic());
    bodies.map(|(place, body)| body.kinetic_energy(&world.state().bodies[place])).sum()
}

/// Sticks and cubes thrown at random, whose energy does not depend on how they lie.
#[test]
fn no_thrown_body_gains_energy() {
    let (mut seed, mut wrong) = (7, Vec::new());
    for k in 0..432 {
        let shapes = [cuboid(0.3, 0.02, 0.02), Throw::shape(), cuboid(0.15, 0.15, 0.15)];
        let dt = STEPS[k / 3 % 3];
        let mut touch = ContactParameters::rough(0.6 + 0.6 * random(&mut seed));
        touch.restitution = [0.3, 0.7, 1.0][k / 9 % 3];
        let (mut world, _) = floor(dt, touch);
        world.set(|s| s.gravity = DVec3::ZERO).unwrap();
        let (solver, serial) = ([Solver::Direct, Solver::Iterative][k / 27 % 2], k / 54 % 4 == 3);
        world.set(|s| (s.contact.solver, s.contact.serial) = (solver, serial)).unwrap();
        let mut vector = || DVec3::from_array([(); 3].map(|()| random(&mut seed)));
        let turn = DQuat::from_scaled_axis(3.0 * vector());
        let body = add_turned(&mut world, "body", shapes[k % 3].clone(), 1.0, 0.8 * DVec3::Z, turn);
        let (velocity, spin) = (4.0 * vector() - 4.0 * DVec3::Z, 5.0 * vector());
        world.set_velocity(body, velocity, spin).unwrap();
        let (start, mut energy) = (kinetic(&world), kinetic(&world));
        let within = if solver == Solver::Direct { 1e-8 } else { 1e-5 } * start;
        for _ in 0..(0.4 / dt) as usize {
            let report = world.step();
            let (now, work) = (kinetic(&world), report.work.unwrap());
            let gain = now - energy;
            if work.contact + work.friction > within || work.friction > within || gain > 100.0 * within {
                let what = ["bar", "stick", "cube"][k % 3];
                let (mu, e) = (touch.stick, touch.restitution);
                wrong.push(format!(
                    "{k}: {what}, {dt:.4} s, {solver:?}, {serial}, μ {mu:.2}, e {e}, at {:.3} s: {:.2e}, work {:.2e} {:.2e}",
                    report.time,
                    gain / start,
                    work.contact / start,
                    work.friction / start
                ));
            }
            energy = now;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The integrators of accelerations have impulses of their own.
#[test]
fn impulses_of_the_other_integrators_gain_no_energy() {
    for integrator in [Integrator::Projected, Integrator::DormandPrince(Adaptive::default())] {
        let mut gaining = 0;
        for throw in throws().into_iter().filter(|throw| throw.restitution > 0.5) {
            if throw.rate(throw.velocity, throw.spin).y > -1.0 {
                continue;
            }
            let mut world = throw.world(1.0 / 60.0);
            world.set(|s| s.integrator = integrator).unwrap();
            world.step();
            let (before, after) = (Throw::energy(throw.velocity, throw.spin), kinetic(&world));
            assert!(after < before * (1.0 + 1e-6), "{throw:?}: gains {:e}", after / before - 1.0);
            gaining += usize::from(throw.newton().gain > 1e-3 * before);
        }
        assert!(gaining > 10, "{gaining} impacts would gain");
    }
}
