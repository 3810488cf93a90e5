//! Figure 21: angle of loose soil, by the discharge of a box whose front is taken away.
//!
//! ```text
//!  tan θ = (H₀ − d)²/(2 f L H₀)      f part of the mass that left, H₀ height and L length of the fill, d diameter
//! ```

use super::{GRAVITY, STEP};
use crate::{Ask, StudyContext, Table, Trouble};
use glam::{DQuat, DVec3, dvec3};
use libm::atan;
use std::f64::consts::PI;
use windlass_soil::Mass;
use windlass_soil::particle::{LooseSoil, Particle, Particles, Surroundings, Wall, WallShape, Work};

/// Diameter of particles [m].
const DIAMETER: f64 = 0.1;
/// Length, width and height of the settled fill, in diameters.
const FILL: [f64; 3] = [36.7, 8.2, 10.5];

/// Fractional parts of multiples of the golden ratio: even, and the same on every machine.
struct Scatter(f64);

impl Scatter {
    fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = (self.0 + 0.618_033_988_749_895) % 1.0;
        low + (high - low) * self.0
    }
}

fn plane(id: u64, point: DVec3, normal: DVec3, friction: f64) -> Wall {
    Wall::fixed(id, WallShape::Plane, (point, DQuat::from_rotation_arc(DVec3::Z, normal)), friction)
}

/// Angle of discharge of a soil [degrees].
fn angle(soil: LooseSoil, start: f64) -> Result<f64, Trouble> {
    let [length, width, _] = FILL.map(|side| side * DIAMETER);
    let (mut particles, mut scatter) = (Particles::default(), Scatter(start));
    for (k, j, i) in (0..12).flat_map(|k| (0..8).flat_map(move |j| (0..36).map(move |i| (k, j, i)))) {
        let radius = 0.5 * DIAMETER * scatter.within(0.8, 1.2);
        let mut place = |n: u32, count: f64, size: f64| {
            let space = size / count;
            let free = (space - 2.0 * radius).max(0.0);
            (f64::from(n) + 0.5) * space + free * scatter.within(-0.1, 0.1)
        };
        let position =
            dvec3(place(i, 36.0, length), place(j, 8.0, width), (f64::from(k) * 1.21 + 0.61) * DIAMETER);
        let mass = Mass::from_kilograms(2600.0 * 4.0 / 3.0 * PI * radius * radius * radius);
        particles.add(Particle { position, radius, mass, ..Particle::default() });
    }
    let all = particles.mass().kilograms();
    let rough = soil.friction;
    let floor = WallShape::Box(dvec3(0.5 * length + DIAMETER, width, 0.5));
    let middle = dvec3(0.5 * length - DIAMETER, 0.5 * width, -0.5);
    let mut walls = vec![
        Wall::fixed(0, floor, (middle, DQuat::IDENTITY), rough),
        plane(1, DVec3::ZERO, DVec3::X, rough),
        plane(2, DVec3::ZERO, DVec3::Y, 0.0),
        plane(3, DVec3::Y * width, DVec3::NEG_Y, 0.0),
        plane(4, DVec3::X * length, DVec3::NEG_X, rough),
    ];
    let (soils, mut work) = ([soil], Work::default());
    // two seconds to settle, five to flow
    for step in 0..420 {
        if step == 120 {
            walls.truncate(4);
        }
        let around = Surroundings {
            walls: &walls,
            ground: None,
            ground_friction: 0.0,
            soils: &soils,
            gravity: DVec3::NEG_Z * GRAVITY,
        };
        if let Some(fault) = particles.step(&around, STEP, &mut work).fault {
            return Err(Trouble::Failed(format!("particles: {fault:?}")));
        }
        particles.remove(|p| p.position.z < -3.0 * DIAMETER);
    }
    let left = 1.0 - particles.mass().kilograms() / all;
    let fall = FILL[2] - 1.0;
    Ok(atan(fall * fall / (2.0 * left * FILL[0] * FILL[2])).to_degrees())
}

/// Angles of soils by their friction angle.
pub fn angles(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "3456 spheres flow out of a box: angle of what stays [°], for loose soils of given friction angles (Figure 21). Packings scatter by \
                   1.1° (one standard deviation)";
    let mut table = Table::comparison(caption, "friction angle of the soil");
    let chosen = context.pick(vec![22.0_f64, 26.0, 30.0, 34.0], vec![30.0]);
    let packings = context.pick(3, 1);
    let count = chosen.len();
    for (k, degrees) in chosen.into_iter().enumerate() {
        let soil = LooseSoil::with_angle(degrees.to_radians());
        let mut sum = 0.0;
        for packing in 0..packings {
            sum += angle(soil, 0.1 * f64::from(packing))?;
            context.progress(0.42 + 0.48 * k as f64 / count as f64)?;
        }
        // three standard deviations of one packing
        let ask = Ask::Apart(if packings > 1 { 2.0 } else { 3.3 });
        table.compare(&format!("{degrees}°"), sum / f64::from(packings), degrees, ask);
    }
    context.table(table);
    Ok(())
}
