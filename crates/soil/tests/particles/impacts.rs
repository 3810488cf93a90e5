//! Impacts of one and two particles, slopes, and conservation in collisions of many.

use super::discharge::{GRAVITY, Random, STEP, plane, sphere};
use crate::cases::{self, case};
use glam::{DVec3, dvec3};
use windlass_soil::Mass;
use windlass_soil::particle::{LooseSoil, Particle, Particles, Surroundings, Wall, Work};

pub fn soil(friction: f64, rolling: f64, restitution: f64) -> LooseSoil {
    LooseSoil { friction, rolling, adhesion: 0.0, restitution, steel: None, ground: None }
}

pub fn around<'a>(walls: &'a [Wall], soils: &'a [LooseSoil], gravity: DVec3) -> Surroundings<'a> {
    Surroundings { walls, ground: None, ground_friction: 0.0, soils, gravity }
}

pub fn run(particles: &mut Particles, around: &Surroundings<'_>, dt: f64, steps: usize) {
    let mut work = Work::default();
    for _ in 0..steps {
        assert_eq!(particles.step(around, dt, &mut work).fault, None);
    }
}

#[test]
fn ew27_equal_spheres_rebound_with_their_restitution() {
    for (restitution, gap) in [(0.5, 0.031), (0.3, 0.2), (0.9, 0.0), (0.0, 0.01)] {
        let mut particles = Particles::default();
        particles.add(sphere(DVec3::ZERO, DVec3::X, 0.05));
        particles.add(sphere(DVec3::X * (0.1 + gap), DVec3::ZERO, 0.05));
        let soils = [soil(0.5, 0.1, restitution)];
        run(&mut particles, &around(&[], &soils, DVec3::ZERO), STEP, 60);
        let speeds: Vec<f64> = particles.iter().map(|p| p.velocity.x).collect();
        if restitution == 0.5 {
            case("EW27").finds("speeds after the impact", [speeds[0], speeds[1]]);
        }
        assert!((speeds[0] - 0.5 * (1.0 - restitution)).abs() < 1e-9, "{restitution}: {speeds:?}");
        assert!((speeds[1] - 0.5 * (1.0 + restitution)).abs() < 1e-9, "{restitution}: {speeds:?}");
    }
}

/// Velocity along the plane and spin times radius after an oblique impact without restitution (closed form).
fn oblique(speed: f64, angle: f64, friction: f64) -> [f64; 2] {
    let (normal, along) = (speed * libm::cos(angle), speed * libm::sin(angle));
    let push = (friction * normal).min(2.0 / 7.0 * along);
    [along - push, 2.5 * push]
}

#[test]
fn ew28_an_oblique_impact_slides_or_grips() {
    // at 1/60 s friction begins up to v δ before the surfaces meet, on an arm that is longer by that gap
    for (friction, dt, tolerance) in
        [(0.2, 1e-3, 5e-3), (0.9, 1e-3, 5e-3), (0.5, 1e-3, 5e-3), (0.2, STEP, 0.03)]
    {
        let angle = 60_f64.to_radians();
        let velocity = dvec3(2.0 * libm::sin(angle), 0.0, -2.0 * libm::cos(angle));
        let mut particles = Particles::default();
        particles.add(sphere(dvec3(0.0, 0.0, 0.0513), velocity, 0.05));
        let (walls, soils) = ([plane(0, DVec3::ZERO, DVec3::Z, friction)], [soil(friction, 0.0, 0.0)]);
        run(&mut particles, &around(&walls, &soils, DVec3::ZERO), dt, 30);
        let (particle, [along, spin]) = (particles.iter().next().unwrap(), oblique(2.0, angle, friction));
        assert!(
            (particle.velocity.x / along - 1.0).abs() < tolerance,
            "{friction}: {particle:?}, not {along}"
        );
        assert!(
            (particle.spin.y * 0.05 / spin - 1.0).abs() < tolerance,
            "{friction}: {particle:?}, not {spin}"
        );
        assert!(particle.velocity.z.abs() < 1e-3, "{particle:?}");
        if dt == 1e-3 && friction != 0.5 {
            let case = cases::at("EW28", dt);
            case.finds(&format!("speed along, μ {friction}"), particle.velocity.x);
            if friction == 0.2 {
                case.finds("spin times radius, μ 0.2", particle.spin.y * 0.05);
            }
        }
    }
}

/// Speed of a sphere down a slope after 1 s from rest.
fn speed_down(slope: f64, rolling: f64) -> f64 {
    let (normal, down) =
        (dvec3(libm::sin(slope), 0.0, libm::cos(slope)), dvec3(libm::cos(slope), 0.0, -libm::sin(slope)));
    let mut particles = Particles::default();
    particles.add(sphere(normal * 0.05, DVec3::ZERO, 0.05));
    let (walls, soils) = ([plane(0, DVec3::ZERO, normal, 0.8)], [soil(0.8, rolling, 0.0)]);
    run(&mut particles, &around(&walls, &soils, GRAVITY), STEP, 60);
    let particle = particles.iter().next().unwrap();
    assert!((particle.position.dot(normal) - 0.05).abs() < 1e-3);
    particle.velocity.dot(down)
}

#[test]
fn ew29_a_sphere_rolls_down_a_slope() {
    let slope = 20_f64.to_radians();
    for rolling in [0.0, 0.1, 0.25] {
        let expected = 5.0 / 7.0 * 9.81 * (libm::sin(slope) - rolling * libm::cos(slope));
        let found = speed_down(slope, rolling);
        assert!((found / expected - 1.0).abs() < 5e-3, "{rolling}: {found}, not {expected}");
        if rolling < 0.2 {
            case("EW29").finds(&format!("acceleration, rolling friction {rolling}"), found);
        }
    }
}

#[test]
fn ew29_rolling_friction_holds_below_its_angle() {
    // halved between a slope on which it stays and one on which it rolls
    let (mut stays, mut rolls) = (4.0_f64, 8.0_f64);
    assert!(speed_down(stays.to_radians(), 0.1).abs() < 1e-6);
    while rolls - stays > 0.01 {
        let middle = 0.5 * (stays + rolls);
        let moves = speed_down(middle.to_radians(), 0.1).abs() > 1e-6;
        (stays, rolls) = if moves { (stays, middle) } else { (middle, rolls) };
    }
    case("EW29").finds("angle at which rolling friction 0.1 lets go", rolls);
}

/// Momentum, angular momentum about the origin, and the sums of their sizes.
fn momenta(particles: &Particles) -> (DVec3, DVec3, f64, f64) {
    let mut sums = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
    for p in particles.iter() {
        let push = p.velocity * p.mass.kilograms();
        let turn = p.spin * (0.4 * p.mass.kilograms() * p.radius * p.radius);
        sums.0 += push;
        sums.1 += p.position.cross(push) + turn;
        sums.2 += push.length();
        sums.3 += p.position.length() * push.length();
    }
    sums
}

#[test]
fn ew30_collisions_conserve_momentum_and_angular_momentum() {
    let mut random = Random(3);
    let mut particles = Particles::default();
    let mut tries: Vec<Particle> = Vec::new();
    while tries.len() < 500 {
        let at = DVec3::from_array([0; 3].map(|_| random.within(-0.8, 0.8)));
        let radius = 0.05 * random.within(0.8, 1.2);
        if at.length() < 0.8 && tries.iter().all(|p| (p.position - at).length() > p.radius + radius) {
            let direction = DVec3::from_array([0; 3].map(|_| random.within(-0.5, 0.5)));
            let mut particle = sphere(at, (direction - at).normalize(), radius);
            particle.spin = direction * 10.0;
            tries.push(particle);
        }
    }
    for particle in tries {
        particles.add(particle);
    }
    let (momentum, angular, size, moment) = momenta(&particles);
    let soils = [soil(0.5, 0.1, 0.0)];
    run(&mut particles, &around(&[], &soils, DVec3::ZERO), STEP, 300);
    let (after, angular_after, less, _) = momenta(&particles);
    assert!(less < 0.5 * size, "no collisions: {less} of {size}");
    let case = case("EW30");
    case.finds("change of momentum over Σ|m v|", (after - momentum).length() / size);
    let error = (angular_after - angular).length() / moment;
    case.finds("change of angular momentum over Σ|r||m v|", error);
    assert!(error < 1e-7, "f32 constants of contacts: {error:e}");
}

#[test]
fn particles_without_contacts_follow_their_parabola() {
    let mut particles = Particles::default();
    particles.add(Particle {
        mass: Mass(1000),
        radius: 0.05,
        velocity: dvec3(1.0, 0.0, 2.0),
        ..Particle::default()
    });
    run(&mut particles, &around(&[], &[], GRAVITY), STEP, 60);
    let particle = particles.iter().next().unwrap();
    assert!((particle.position - dvec3(1.0, 0.0, 2.0 - 0.5 * 9.81)).length() < 1e-12, "{particle:?}");
}

#[test]
fn adhesion_bears_its_tension() {
    // a sphere that sticks to the ceiling, and one that hangs on it: it stays while its weight is below a pi r^2
    for (adhesion, holds) in [(1.05, true), (0.95, false)] {
        let weight = sphere(DVec3::ZERO, DVec3::ZERO, 0.05).mass.kilograms() * 9.81;
        let area = std::f64::consts::PI * 0.05 * 0.05;
        let mut particles = Particles::default();
        particles.add(sphere(DVec3::Z * -0.05, DVec3::ZERO, 0.05));
        particles.add(sphere(DVec3::Z * -0.15, DVec3::ZERO, 0.05));
        let soils = [LooseSoil { adhesion: adhesion * weight / area, ..soil(0.5, 0.1, 0.0) }];
        let mut ceiling = plane(0, DVec3::ZERO, DVec3::NEG_Z, 0.5);
        ceiling.adhesion = 10.0 * weight / area;
        run(&mut particles, &around(&[ceiling], &soils, GRAVITY), STEP, 120);
        let fall = -0.15 - particles.get(1).unwrap().position.z;
        assert_eq!(fall < 0.01, holds, "adhesion {adhesion}: fell by {fall}");
        assert!(particles.get(0).unwrap().position.z > -0.06);
    }
}
