//! The block of soil behind a frame, in the order of `grounds`, `tools` and `cylinders` of `scene`. Little-endian:
//!
//! ```text
//!  u32              bytes that follow
//!  each ground      u32 particles, 3 f32 lowest corner [m], f32 unit of positions [m], f32 unit of radii [m]
//!   each particle   3 u16 position, u8 radius, u8 soil, u16 lowest bits of its number
//!  each tool        4 f32 draft [N], force of the ground downwards [N], depth [m], load [kg]
//!  each cylinder    f32 pressure of each side [Pa]
//! ```
//!
//! Particles are followed by the soil in bins as lumps. Positions are above the lowest corner of the box around the particles of the ground, whose longest side is 65 535 units:
//! of a box of 50 m the unit is 0.8 mm.

use super::looks::Pressures;
use crate::frame::{number, vector};
use glam::DVec3;
use windlass_engine::prelude::World;
use windlass_scene::{BinReading, GroundSurface, LooseParticle, Parcel, ToolReading};

/// Bytes of a particle.
pub const PARTICLE: usize = 10;

/// Appends the block of the present state, without its mark.
pub fn append(out: &mut Vec<u8>, world: &World, pressures: &Pressures) {
    let from = out.len();
    out.extend([0; 4]);
    let bins = BinReading::all(world);
    for (number, surface) in GroundSurface::all(world).iter().enumerate() {
        let held = bins.iter().filter(|bin| bin.ground == number).flat_map(BinReading::parcels);
        let held: Vec<LooseParticle> = held.map(as_particle).collect();
        let loose = surface.particles();
        let count = loose.len() + held.len();
        particles(out, count, loose.chain(held));
    }
    for tool in ToolReading::all(world) {
        [tool.draft, tool.vertical_force, tool.depth, tool.load].iter().for_each(|x| number(out, *x));
    }
    pressures.read(world).for_each(|pressure| number(out, pressure));
    let length = (out.len() - from - 4) as u32;
    out[from..from + 4].copy_from_slice(&length.to_le_bytes());
}

/// A lump of soil in a bin is drawn as a particle.
fn as_particle(parcel: Parcel) -> LooseParticle {
    let Parcel { id, at, radius, soil } = parcel;
    LooseParticle { id, position: at, radius, soil: u16::from(soil) }
}

fn particles(out: &mut Vec<u8>, count: usize, all: impl Iterator<Item = LooseParticle> + Clone) {
    let (mut low, mut high, mut largest) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0_f64);
    for particle in all.clone() {
        (low, high) = (low.min(particle.position), high.max(particle.position));
        largest = largest.max(particle.radius);
    }
    if count == 0 {
        (low, high) = (DVec3::ZERO, DVec3::ZERO);
    }
    // the corner as it is sent, or all particles would be shifted by its round-off
    let corner = low.as_vec3().as_dvec3();
    let unit = f64::from(((high - corner).max_element().max(1e-6) / f64::from(u16::MAX)) as f32);
    let of_radius = f64::from((largest.max(1e-6) / f64::from(u8::MAX)) as f32);
    out.reserve(24 + PARTICLE * count);
    out.extend((count as u32).to_le_bytes());
    vector(out, corner);
    number(out, unit);
    number(out, of_radius);
    for particle in all {
        for x in ((particle.position - corner) / unit).to_array() {
            // a cast saturates
            out.extend((x.round() as u16).to_le_bytes());
        }
        out.push((particle.radius / of_radius).round() as u8);
        out.push(particle.soil as u8);
        out.extend((particle.id as u16).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(bytes: &[u8]) -> f64 {
        f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Particles keep their places to half a unit of the box, and cost ten bytes each.
    #[test]
    fn particles_are_packed() {
        let made = |k: u64| LooseParticle {
            id: 70_000 + k,
            position: DVec3::new(-3.0 + 0.013 * k as f64, 2.0, 0.1 * (k % 7) as f64),
            radius: 0.05 + 0.001 * (k % 40) as f64,
            soil: (k % 3) as u16,
        };
        let all: Vec<LooseParticle> = (0..500).map(made).collect();
        let mut out = Vec::new();
        particles(&mut out, all.len(), all.iter().copied());
        assert_eq!(out.len(), 24 + PARTICLE * 500);
        let (unit, of_radius) = (float(&out[16..]), float(&out[20..]));
        let corner = DVec3::new(float(&out[4..]), float(&out[8..]), float(&out[12..]));
        for (bytes, particle) in out[24..].chunks_exact(PARTICLE).zip(&all) {
            let word = |k: usize| f64::from(u16::from_le_bytes([bytes[k], bytes[k + 1]]));
            let at = corner + unit * DVec3::new(word(0), word(2), word(4));
            assert!((at - particle.position).abs().max_element() < 0.51 * unit, "{at} {}", particle.position);
            assert!((of_radius * f64::from(bytes[6]) - particle.radius).abs() < 0.51 * of_radius);
            assert_eq!((bytes[7], word(8)), (particle.soil as u8, (particle.id % 65_536) as f64));
        }
        assert!(unit < 1.01 * 6.5 / 65_535.0, "{unit}");
    }

    /// Sand that has come to rest in a bin has left the particles, and is still sent.
    #[test]
    fn soil_in_a_bin_is_sent_as_lumps() {
        let text = "windlass = 2\n[grounds.yard]\nsize = [4, 4]\nspacing = 0.2\nsoil = \"dry_sand\"\n\
                    loose = [{ position = [0, 0, 1], size = [1, 1, 0.6] }]\n\
                    [bodies.bed]\nposition = [0, 0, 0.2]\nmass = 500\ninertia = [100, 100, 100]\n\
                    collision = [{ shape = { box = { size = [2, 2, 0.2] } }, at = [0, 0, -0.1] }]\n\
                    [bins.bed]\nbody = \"bed\"\nsize = [2, 2]\nheight = 0.5\n";
        let mut built = windlass_scene::parse(text, "test").and_then(|scene| scene.build()).expect("a scene");
        (0..180).for_each(|_| assert!(built.world.step().fault.is_none()));
        let loose = GroundSurface::all(&built.world)[0].particles().len();
        let lumps: Vec<Parcel> = BinReading::all(&built.world)[0].parcels().collect();
        assert!(lumps.len() > 10 && loose < 20, "{} lumps, {loose} particles", lumps.len());
        // between the floor and the surface of the soil in it
        assert!(lumps.iter().all(|lump| lump.at.z - lump.radius > 0.15 && lump.at.z + lump.radius < 0.9));
        assert!(lumps.windows(2).all(|pair| pair[0].id < pair[1].id));
        let mut out = Vec::new();
        append(&mut out, &built.world, &Pressures::default());
        assert_eq!(out[4..8], ((loose + lumps.len()) as u32).to_le_bytes());
    }

    #[test]
    fn none_are_a_head_alone() {
        let mut out = Vec::new();
        particles(&mut out, 0, std::iter::empty());
        assert_eq!((out.len(), &out[..4]), (24, &[0; 4][..]));
    }
}
