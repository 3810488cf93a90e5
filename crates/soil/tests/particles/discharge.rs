//! Angle of discharge: a box of particles whose front wall is taken away; what falls over the edge is removed.
//!
//! With height H₀, length L and the part f of the mass that left, a slope from the full height at the back to one
//! diameter at the edge has tan θ = (H₀ − d)²/(2 f L H₀). The mass scatters less than fits of the surface do.

use glam::{DQuat, DVec3, dvec3};
use windlass_soil::Mass;
use windlass_soil::particle::{LooseSoil, Particle, Particles, Surroundings, Wall, WallShape, Work};

/// Mean diameter [m].
pub const DIAMETER: f64 = 0.1;
/// Step [s].
pub const STEP: f64 = 1.0 / 60.0;
/// Length and width of the box, and height of the settled particles, in diameters.
const BOX: [f64; 3] = [36.7, 8.2, 10.5];
/// Gravity [m/s²].
pub const GRAVITY: DVec3 = dvec3(0.0, 0.0, -9.81);

/// Numbers in 0…1 (Steele, Lea and Flood, SplitMix64).
#[derive(Clone, Copy)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A sphere of density 2600 kg/m³.
pub fn sphere(position: DVec3, velocity: DVec3, radius: f64) -> Particle {
    let mass = Mass::from_kilograms(2600.0 * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius);
    Particle { position, velocity, radius, mass, ..Particle::default() }
}

/// The plane through a point with a normal.
pub fn plane(id: u64, point: DVec3, normal: DVec3, friction: f64) -> Wall {
    Wall::fixed(id, WallShape::Plane, (point, DQuat::from_rotation_arc(DVec3::Z, normal)), friction)
}

/// The experiment.
pub struct Discharge {
    pub particles: Particles,
    pub soils: [LooseSoil; 1],
    walls: Vec<Wall>,
    pub clamped: usize,
    pub work: Work,
}

impl Discharge {
    /// Particles on a jittered lattice in the closed box. `part` of the width of the box is built.
    pub fn new([friction, rolling]: [f64; 2], seed: u64, part: f64) -> Discharge {
        let mut random = Random(seed);
        let rows = libm::rint(8.0 * part) as u32;
        let (length, width) = (BOX[0] * DIAMETER, BOX[1] * DIAMETER * f64::from(rows) / 8.0);
        let mut particles = Particles::default();
        for (k, j, i) in (0..12).flat_map(|k| (0..rows).flat_map(move |j| (0..36).map(move |i| (k, j, i)))) {
            let radius = 0.5 * DIAMETER * random.within(0.8, 1.2);
            let mut jitter = |n: u32, count: u32, size: f64| {
                let space = size / f64::from(count);
                (f64::from(n) + 0.5) * space + random.within(-0.1, 0.1) * (space - 2.0 * radius).max(0.0)
            };
            let (x, y) = (jitter(i, 36, length), jitter(j, rows, width));
            let z = (f64::from(k) * 1.21 + 0.61) * DIAMETER;
            particles.add(sphere(dvec3(x, y, z), DVec3::ZERO, radius));
        }
        let floor = WallShape::Box(dvec3(0.5 * length + DIAMETER, width, 0.5));
        let walls = vec![
            Wall::fixed(
                0,
                floor,
                (dvec3(0.5 * length - DIAMETER, 0.5 * width, -0.5), DQuat::IDENTITY),
                friction,
            ),
            plane(1, DVec3::ZERO, DVec3::X, friction),
            plane(2, DVec3::ZERO, DVec3::Y, 0.0),
            plane(3, DVec3::Y * width, DVec3::NEG_Y, 0.0),
            plane(4, DVec3::X * length, DVec3::NEG_X, friction),
        ];
        let soils =
            [LooseSoil { friction, rolling, adhesion: 0.0, restitution: 0.0, steel: None, ground: None }];
        Discharge { particles, soils, walls, clamped: 0, work: Work::default() }
    }

    /// Opens the front.
    pub fn open(&mut self) {
        self.walls.truncate(4);
    }

    pub fn step(&mut self) {
        let around = Surroundings {
            walls: &self.walls,
            ground: None,
            ground_friction: 0.0,
            soils: &self.soils,
            gravity: GRAVITY,
        };
        let outcome = self.particles.step(&around, STEP, &mut self.work);
        assert_eq!(outcome.fault, None);
        self.clamped += outcome.clamped;
        self.particles.remove(|p| p.position.z < -3.0 * DIAMETER);
    }

    /// Settles for 2 s, opens, and flows for some seconds; returns the angle [deg].
    pub fn run(&mut self, seconds: f64) -> f64 {
        let all = self.particles.mass().kilograms();
        (0..120).for_each(|_| self.step());
        self.open();
        (0..(seconds / STEP) as usize).for_each(|_| self.step());
        let fraction = 1.0 - self.particles.mass().kilograms() / all;
        let [length, _, height] = BOX;
        let fall = height - 1.0;
        libm::atan(fall * fall / (2.0 * fraction * length * height)).to_degrees()
    }

    /// Mean kinetic energy per particle, over m g d of the mean particle.
    pub fn unrest(&self) -> f64 {
        let energy = self.particles.iter().map(|p| {
            let mass = p.mass.kilograms();
            let spin = 0.4 * p.radius * p.radius * p.spin.length_squared();
            0.5 * mass * (p.velocity.length_squared() + spin) / (mass * 9.81 * DIAMETER)
        });
        energy.sum::<f64>() / self.particles.len() as f64
    }
}
