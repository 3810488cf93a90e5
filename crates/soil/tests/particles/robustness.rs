//! Bitwise reproducibility, saved states, and input that is not valid.

use super::discharge::{Discharge, GRAVITY, STEP, plane, sphere};
use super::impacts::{around, soil};
use glam::{DVec3, dvec3};
use windlass_engine::prelude::StatePart;
use windlass_engine::words::{WordReader, WordWriter};
use windlass_soil::particle::{Fault, Particles, Surroundings, Work};

fn bytes(particles: &Particles) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut each = |words: &[u64]| words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    particles.write(&mut WordWriter::new(&mut each));
    bytes
}

fn read(bytes: &[u8]) -> Particles {
    let mut words = WordReader::new(bytes, 0);
    let read = Particles::read(&mut words).unwrap();
    assert_eq!(words.at(), bytes.len());
    read
}

#[test]
fn ew42_particles_are_the_same_for_any_number_of_threads_and_after_a_restore() {
    let run = |threads: usize, restore: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut case = Discharge::new([0.5, 0.1], 7, 0.5);
            for step in 0..60 {
                if step == 30 {
                    case.open();
                    if restore {
                        case.particles = read(&bytes(&case.particles));
                        case.work = Work::default();
                    }
                }
                case.step();
            }
            assert!(case.particles.len() > 600, "sweeps are split from 600 particles on");
            bytes(&case.particles)
        })
    };
    let one = run(1, false);
    for threads in [2, 3, 8] {
        assert!(run(threads, false) == one, "{threads} threads");
    }
    assert!(run(2, true) == one, "after a restore");
}

#[test]
fn a_state_survives_writing_and_clones_are_equal() {
    let mut case = Discharge::new([0.5, 0.1], 2, 0.125);
    (0..30).for_each(|_| case.step());
    let copy = read(&bytes(&case.particles));
    assert_eq!(copy, case.particles);
    let mut clone = Particles::default();
    clone.clone_from(&case.particles);
    assert_eq!(clone, case.particles);
    let words = bytes(&case.particles);
    for cut in [8, 32, 100, words.len() - 8] {
        assert!(Particles::read(&mut WordReader::new(&words[..cut], 0)).is_err(), "cut at {cut}");
    }
}

#[test]
fn a_particle_that_is_not_finite_is_named_and_harms_no_other() {
    let mut particles = Particles::default();
    for k in 0..5 {
        particles.add(sphere(dvec3(0.0, 0.0, 0.05 + 0.1 * f64::from(k)), DVec3::ZERO, 0.05));
    }
    particles.get_mut(2).unwrap().velocity.y = f64::NAN;
    let (mut walls, soils) = (vec![plane(9, DVec3::ZERO, DVec3::Z, 0.5)], [soil(0.5, 0.1, 0.0)]);
    let mut work = Work::default();
    for _ in 0..30 {
        let outcome = particles.step(&around(&walls, &soils, GRAVITY), STEP, &mut work);
        assert_eq!(outcome.fault, Some(Fault::Particle(2)));
    }
    assert!(particles.iter().filter(|p| p.id != 2).all(|p| p.velocity.is_finite() && p.position.z > 0.04));
    particles.remove(|p| p.id == 2);
    walls[0].velocity.x = f64::INFINITY;
    let outcome = particles.step(&around(&walls, &soils, GRAVITY), STEP, &mut work);
    assert_eq!(outcome.fault, Some(Fault::Wall(9)));
    assert!(particles.iter().all(|p| p.position.is_finite()));
}

#[test]
fn huge_numbers_do_not_become_nan() {
    let mut particles = Particles::default();
    particles.add(sphere(DVec3::ZERO, DVec3::splat(1e300), 0.05));
    particles.add(sphere(dvec3(0.0, 0.0, 0.0), DVec3::ZERO, 0.05));
    particles.add(sphere(dvec3(1e200, 0.0, 0.0), DVec3::ZERO, 0.05));
    particles.get_mut(1).unwrap().spin = DVec3::splat(1e250);
    let soils = [soil(f64::NAN, 1e300, 2.0)];
    let mut work = Work::default();
    let mut clamped = 0;
    for _ in 0..20 {
        clamped += particles.step(&around(&[], &soils, GRAVITY), STEP, &mut work).clamped;
    }
    assert!(clamped >= 2, "{clamped}");
    for p in particles.iter() {
        assert!(p.is_sound() && p.velocity.length() < 25.0, "{p:?}");
    }
}

#[test]
fn removal_keeps_the_impulses_of_the_others() {
    // a tower whose impulses are warm stays still when a particle elsewhere is removed
    let mut particles = Particles::default();
    particles.add(sphere(dvec3(1.0, 0.0, 0.05), DVec3::ZERO, 0.05));
    for k in 0..4 {
        particles.add(sphere(dvec3(0.0, 0.0, 0.05 + 0.1 * f64::from(k)), DVec3::ZERO, 0.05));
    }
    let (walls, soils) = ([plane(0, DVec3::ZERO, DVec3::Z, 0.5)], [soil(0.5, 0.1, 0.0)]);
    let mut work = Work::default();
    for _ in 0..200 {
        particles.step(&around(&walls, &soils, GRAVITY), STEP, &mut work);
    }
    let mut other = particles.clone();
    other.remove(|p| p.id == 0);
    assert_eq!(other.mass().0, particles.mass().0 - particles.get(0).unwrap().mass.0);
    particles.step(&around(&walls, &soils, GRAVITY), STEP, &mut work);
    other.step(&around(&walls, &soils, GRAVITY), STEP, &mut work);
    for id in 1..5 {
        assert_eq!(particles.get(id), other.get(id));
    }
}

#[test]
fn times_of_rest_and_touches_are_known() {
    let mut particles = Particles::default();
    particles.add(sphere(dvec3(0.0, 0.0, 0.05), DVec3::ZERO, 0.05));
    particles.add(sphere(dvec3(0.0, 0.0, 0.15), DVec3::ZERO, 0.05));
    particles.add(sphere(dvec3(2.0, 0.0, 3.0), DVec3::ZERO, 0.05));
    let mut tool = plane(1, dvec3(-0.05, 0.0, 0.0), DVec3::X, 0.5);
    tool.owner = Some(3);
    let soils = [soil(0.5, 0.1, 0.0)];
    let mut work = Work::default();
    let walls = [tool];
    let ground = Flat;
    let around =
        Surroundings { ground: Some(&ground), ground_friction: 0.5, ..around(&walls, &soils, GRAVITY) };
    for _ in 0..24 {
        particles.step(&around, STEP, &mut work);
    }
    let [lower, upper, flying] = [0, 1, 2].map(|id| *particles.get(id).unwrap());
    assert!(lower.touches.ground && lower.touches.supported && lower.touches.body, "{lower:?}");
    assert!(!upper.touches.ground && upper.touches.supported, "{upper:?}");
    assert!(!flying.touches.supported && flying.rest == 0.0, "{flying:?}");
    assert!((lower.rest - 0.4).abs() < 1e-9 && (upper.rest - 0.4).abs() < 1e-9);
}

struct Flat;

impl windlass_soil::particle::Heights for Flat {
    fn height(&self, _: f64, _: f64) -> f64 {
        0.0
    }
    fn normal(&self, _: f64, _: f64) -> DVec3 {
        DVec3::Z
    }
}
