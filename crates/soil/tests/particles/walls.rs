//! Walls: distances of all shapes, thin plates, motion, and the balance of what they receive.

use super::discharge::{GRAVITY, Random, STEP, plane, sphere};
use super::impacts::{around, run, soil};
use crate::cases::case;
use glam::{DQuat, DVec3, dvec3};
use std::sync::Arc;
use windlass_soil::particle::{
    Heights, Hull, Mesh, MeshError, Particles, Surroundings, Wall, WallShape, Work,
};

const RADIUS: f64 = 0.05;

/// Vertices of a cuboid, and triangles with their fronts outward.
fn cuboid(half: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let sign = |k: u32, bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let vertices = (0..8).map(|k| half * dvec3(sign(k, 0), sign(k, 1), sign(k, 2))).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (vertices, quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

/// Distance from a cuboid, positive outside (closed form).
fn from_cuboid(q: DVec3, half: DVec3) -> f64 {
    let d = q.abs() - half;
    d.max(DVec3::ZERO).length() + d.max_element().min(0.0)
}

type Distance = Box<dyn Fn(DVec3) -> f64>;

/// Shapes with their distances as independent formulas.
fn shapes() -> Vec<(WallShape, Distance)> {
    let half = dvec3(0.3, 0.2, 0.4);
    let (vertices, triangles) = cuboid(half);
    let flat = |q: DVec3| libm::hypot(q.x, q.y);
    let cylinder = move |q: DVec3| {
        let d = [flat(q) - 0.3, q.z.abs() - 0.2];
        libm::hypot(d[0].max(0.0), d[1].max(0.0)) + d[0].max(d[1]).min(0.0)
    };
    vec![
        (WallShape::Plane, Box::new(|q: DVec3| q.z)),
        (WallShape::Sphere(0.4), Box::new(|q: DVec3| q.length() - 0.4)),
        (WallShape::Box(half), Box::new(move |q| from_cuboid(q, half))),
        (
            WallShape::Capsule { radius: 0.2, half_length: 0.3 },
            Box::new(move |q| (q - DVec3::Z * q.z.clamp(-0.3, 0.3)).length() - 0.2),
        ),
        (WallShape::Cylinder { radius: 0.3, half_length: 0.2 }, Box::new(cylinder)),
        (WallShape::Hull(Arc::new(Hull::new(&vertices).unwrap())), Box::new(move |q| from_cuboid(q, half))),
        (
            WallShape::Mesh(Arc::new(Mesh::new(&vertices, &triangles).unwrap())),
            Box::new(move |q| from_cuboid(q, half)),
        ),
    ]
}

#[test]
fn a_sphere_that_overlaps_a_shape_leaves_along_its_normal() {
    let mut random = Random(1);
    let (position, rotation) =
        (dvec3(1.0, -2.0, 0.5), DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -0.8, 1.9));
    for (number, (shape, distance)) in shapes().into_iter().enumerate() {
        let mut cases = 0;
        while cases < 60 {
            let q = DVec3::from_array([0; 3].map(|_| random.within(-0.55, 0.55)));
            let away = distance(q);
            // just outside nothing happens; inside by at most half a radius it is pushed out
            if !(0.5 * RADIUS..RADIUS + 0.02).contains(&away) {
                continue;
            }
            cases += 1;
            let mut particles = Particles::default();
            particles.add(sphere(position + rotation * q, DVec3::ZERO, RADIUS));
            let wall = Wall::fixed(0, shape.clone(), (position, rotation), 0.0);
            run(&mut particles, &around(&[wall], &[soil(0.5, 0.0, 0.0)], DVec3::ZERO), STEP, 1);
            let moved = rotation.inverse() * (particles.get(0).unwrap().position - position) - q;
            if away > RADIUS {
                assert_eq!(moved.length().max(1e-12), 1e-12, "shape {number} at {q}: moved {moved}");
                continue;
            }
            let slope = |axis: DVec3| (distance(q + axis * 1e-6) - distance(q - axis * 1e-6)) / 2e-6;
            let normal = dvec3(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
            let wanted = (RADIUS - away).min(0.5 * STEP);
            assert!(
                moved.normalize().dot(normal) > 0.999 || wanted < 1e-4,
                "shape {number} at {q}: {moved}, {normal}"
            );
            assert!(moved.length() < RADIUS - away + 1e-9, "shape {number}: {}", moved.length());
        }
    }
}

/// A box whose walls are sheets of triangles with fronts on both sides, 1 cm apart, open on top.
fn bucket(half: DVec3) -> Vec<WallShape> {
    let plates = [
        (dvec3(0.0, 0.0, -half.z), dvec3(half.x, half.y, 0.005)),
        (dvec3(-half.x, 0.0, 0.0), dvec3(0.005, half.y, half.z)),
        (dvec3(half.x, 0.0, 0.0), dvec3(0.005, half.y, half.z)),
        (dvec3(0.0, -half.y, 0.0), dvec3(half.x, 0.005, half.z)),
        (dvec3(0.0, half.y, 0.0), dvec3(half.x, 0.005, half.z)),
    ];
    let shape = |(centre, half): (DVec3, DVec3)| {
        let (vertices, triangles) = cuboid(half);
        let vertices: Vec<DVec3> = vertices.into_iter().map(|v| v + centre).collect();
        WallShape::Mesh(Arc::new(Mesh::new(&vertices, &triangles).unwrap()))
    };
    plates.into_iter().map(shape).collect()
}

fn walls_of(shapes: Vec<WallShape>, owner: u32) -> Vec<Wall> {
    let wall = |(id, shape)| Wall {
        is_steel: false,
        owner: Some(owner),
        ..Wall::fixed(id as u64, shape, (DVec3::ZERO, DQuat::IDENTITY), 0.4)
    };
    shapes.into_iter().enumerate().map(wall).collect()
}

fn fill(particles: &mut Particles, half: DVec3, count: usize) {
    let mut random = Random(9);
    let (nx, ny) = ((2.0 * half.x / 0.125) as usize, (2.0 * half.y / 0.125) as usize);
    for k in 0..count {
        let mut at = |n: usize, of: usize, half: f64| {
            (n as f64 + 0.5) / of as f64 * 2.0 * half - half + random.within(-0.003, 0.003)
        };
        let (x, y) = (at(k % nx, nx, half.x * 0.95), at(k / nx % ny, ny, half.y * 0.95));
        let z = 0.07 - half.z + 0.12 * (k / (nx * ny)) as f64;
        particles.add(sphere(dvec3(x, y, z), DVec3::ZERO, 0.05 * random.within(0.8, 1.2)));
    }
}

#[test]
fn ew37_a_bucket_weighs_its_load_and_thin_plates_hold_it() {
    let half = dvec3(0.5, 0.4, 0.5);
    let (walls, soils) = (walls_of(bucket(half), 7), [soil(0.5, 0.1, 0.0)]);
    let mut particles = Particles::default();
    fill(&mut particles, half, 300);
    let around = around(&walls, &soils, GRAVITY);
    run(&mut particles, &around, STEP, 180);
    let (mut work, mut force) = (Work::default(), DVec3::ZERO);
    for _ in 0..60 {
        let outcome = particles.step(&around, STEP, &mut work);
        let given = outcome.impulses.iter().find(|impulse| impulse.owner == Some(7)).unwrap();
        force += given.impulse / (60.0 * STEP);
    }
    let weight = particles.mass().kilograms() * 9.81;
    case("EW37").finds("force of the contacts over their weight", -force.z / weight);
    assert!(force.truncate().length() < 0.01 * weight, "{force}");
    // none went through the plates, those above the rim apart
    let outside =
        |p: &glam::DVec3| p.x.abs() > half.x - 0.03 || p.y.abs() > half.y - 0.03 || p.z < 0.03 - half.z;
    let lost = particles.iter().filter(|p| outside(&p.position) && p.position.z < half.z).count();
    assert_eq!(lost, 0);
}

#[test]
fn thin_plates_hold_in_a_shaken_bucket() {
    let half = dvec3(0.4, 0.3, 0.4);
    let (mut walls, soils) = (walls_of(bucket(half), 7), [soil(0.5, 0.1, 0.0)]);
    let mut particles = Particles::default();
    fill(&mut particles, half, 90);
    let mut work = Work::default();
    for step in 1..240 {
        // 5 cm at 3 Hz: 1 m/s and 2 g
        let at = |step: f64| DVec3::X * 0.05 * libm::sin(18.8 * step * STEP);
        let (before, now) = (at(f64::from(step) - 1.0), at(f64::from(step)));
        for wall in &mut walls {
            (wall.position, wall.origin, wall.velocity) = (now, now, (now - before) / STEP);
        }
        particles.step(&around(&walls, &soils, GRAVITY), STEP, &mut work);
        for p in particles.iter() {
            let q = p.position - now;
            let inside = q.x.abs() < half.x && q.y.abs() < half.y && q.z > -half.z;
            assert!(inside, "step {step}: {p:?}");
        }
    }
}

#[test]
fn a_fast_particle_does_not_pass_a_thin_plate() {
    let (vertices, triangles) = cuboid(dvec3(0.5, 0.5, 0.002));
    let mesh = WallShape::Mesh(Arc::new(Mesh::new(&vertices, &triangles).unwrap()));
    for shape in [mesh, WallShape::Box(dvec3(0.5, 0.5, 0.002))] {
        for speed in [1.0, 5.0, 20.0, 100.0] {
            let mut particles = Particles::default();
            particles.add(sphere(dvec3(0.11, 0.07, 0.6), DVec3::NEG_Z * speed, RADIUS));
            let wall = Wall::fixed(0, shape.clone(), (DVec3::ZERO, DQuat::IDENTITY), 0.5);
            run(&mut particles, &around(&[wall], &[soil(0.5, 0.0, 0.0)], DVec3::ZERO), STEP, 60);
            let height = particles.get(0).unwrap().position.z;
            assert!(height > 0.8 * RADIUS, "{speed} m/s: {height}");
        }
    }
}

#[test]
fn what_walls_receive_is_what_particles_lose() {
    let half = dvec3(0.5, 0.4, 0.5);
    let (mut walls, soils) = (walls_of(bucket(half), 2), [soil(0.5, 0.1, 0.3)]);
    let mut particles = Particles::default();
    fill(&mut particles, half, 150);
    // the owner turns about a point beside it
    let (pivot, spin, mut work) = (dvec3(0.3, 0.0, -0.2), dvec3(0.2, 0.5, -0.1), Work::default());
    let sums = |particles: &Particles, about: DVec3| {
        let add = |(p, l): (DVec3, DVec3), x: &windlass_soil::particle::Particle| {
            let push = x.velocity * x.mass.kilograms();
            let turn = x.spin * (0.4 * x.mass.kilograms() * x.radius * x.radius);
            (p + push, l + (x.position - about).cross(push) + turn)
        };
        particles.iter().fold((DVec3::ZERO, DVec3::ZERO), add)
    };
    for step in 1..40 {
        let rotation = DQuat::from_scaled_axis(spin * STEP * f64::from(step));
        for wall in &mut walls {
            (wall.rotation, wall.position) = (rotation, pivot - rotation * pivot);
            (wall.origin, wall.spin) = (pivot, spin);
        }
        let (before, weight) = (sums(&particles, pivot), particles.mass().kilograms() * 9.81);
        let centre = |p: &Particles| p.iter().map(|x| x.position * x.mass.kilograms()).sum::<DVec3>();
        let centre_before = centre(&particles);
        let outcome = particles.step(&around(&walls, &soils, GRAVITY), STEP, &mut work);
        let given = outcome.impulses.iter().find(|impulse| impulse.owner == Some(2)).copied().unwrap();
        let after = sums(&particles, pivot);
        let error = after.0 - before.0 - GRAVITY * particles.mass().kilograms() * STEP + given.impulse;
        assert!(error.length() < 1e-9 * weight * STEP, "{error}");
        // gravity acts at the beginning of each substep: its moment is known to the motion within the step
        let moment = (0.5 * (centre_before + centre(&particles)) - pivot * particles.mass().kilograms())
            .cross(GRAVITY);
        let slack = (centre(&particles) - centre_before).length() * 9.81 * STEP;
        let error = after.1 - before.1 - moment * STEP + given.moment;
        assert!(error.length() < slack + 1e-9 * weight * STEP, "{error} over {slack}");
    }
}

#[test]
fn a_moving_wall_takes_particles_along() {
    let mut particles = Particles::default();
    particles.add(sphere(dvec3(0.06, 0.0, 0.0), DVec3::ZERO, RADIUS));
    let mut work = Work::default();
    for step in 1..=30 {
        let mut wall = plane(0, DVec3::X * 2.0 * STEP * f64::from(step), DVec3::X, 0.5);
        (wall.origin, wall.velocity) = (wall.position, DVec3::X * 2.0);
        particles.step(&around(&[wall], &[soil(0.5, 0.1, 0.0)], DVec3::ZERO), STEP, &mut work);
    }
    let particle = particles.get(0).unwrap();
    assert!(
        (particle.velocity.x - 2.0).abs() < 1e-9 && (particle.position.x - 1.05).abs() < 1e-3,
        "{particle:?}"
    );
}

#[test]
fn spheres_roll_over_the_edges_between_triangles() {
    // a flat sheet of many triangles: no bump at the seams
    let n = 12;
    let vertices: Vec<DVec3> =
        (0..=n).flat_map(|j| (0..=n).map(move |i| dvec3(f64::from(i), f64::from(j), 0.0) * 0.1)).collect();
    let at = |i: u32, j: u32| i + j * (n + 1);
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let triangles: Vec<[u32; 3]> = cells
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect();
    let mesh = WallShape::Mesh(Arc::new(Mesh::new(&vertices, &triangles).unwrap()));
    let walls = [Wall::fixed(0, mesh, (DVec3::ZERO, DQuat::IDENTITY), 0.5)];
    let mut particles = Particles::default();
    let mut roller = sphere(dvec3(0.1, 0.13, RADIUS), dvec3(1.0, 0.7, 0.0), RADIUS);
    roller.spin = dvec3(-0.7, 1.0, 0.0) / RADIUS;
    particles.add(roller);
    run(&mut particles, &around(&walls, &[soil(0.5, 0.0, 0.0)], GRAVITY), STEP, 60);
    let end = particles.get(0).unwrap();
    assert!((end.position - dvec3(1.1, 0.83, RADIUS)).length() < 1e-3, "{end:?}");
}

/// Ground with a step of a face of 80 degrees along y.
struct Trench;

impl Heights for Trench {
    fn height(&self, x: f64, _: f64) -> f64 {
        (x * libm::tan(80_f64.to_radians())).clamp(0.0, 0.5)
    }
    fn normal(&self, x: f64, y: f64) -> DVec3 {
        let flat = self.height(x, y) <= 0.0 || self.height(x, y) >= 0.5;
        let slope = 80_f64.to_radians();
        if flat { DVec3::Z } else { dvec3(-libm::sin(slope), 0.0, libm::cos(slope)) }
    }
}

#[test]
fn the_face_of_a_trench_stops_particles() {
    let mut particles = Particles::default();
    particles.add(sphere(dvec3(-0.5, 0.0, RADIUS), DVec3::X, RADIUS));
    let ground = Trench;
    let soils = [soil(0.0, 0.0, 0.0)];
    let around = Surroundings { ground: Some(&ground), ..around(&[], &soils, GRAVITY) };
    let mut work = Work::default();
    for _ in 0..60 {
        particles.step(&around, STEP, &mut work);
        let p = particles.get(0).unwrap().position;
        assert!(p.x < -0.5 * RADIUS && p.z > 0.8 * RADIUS, "{p}");
    }
}

#[test]
fn surfaces_that_are_not_valid_are_rejected() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    assert_eq!(Mesh::new(&corners, &[]), Err(MeshError::Empty));
    assert_eq!(Mesh::new(&corners, &[[0, 1, 3]]), Err(MeshError::Vertex { triangle: 0, vertices: 3 }));
    assert_eq!(Mesh::new(&corners, &[[0, 1, 2], [0, 1, 1]]), Err(MeshError::Area { triangle: 1 }));
    assert!(Hull::new(&corners).is_err());
}
