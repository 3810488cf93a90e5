//! Lattice structures: chords along the edges, struts and diagonals in bays that are about as long as they are wide.

use super::trimesh::Trimesh;
use super::{Finish, Pieces};
use glam::{DQuat, DVec3};

/// Sides of a tube.
const SIDES: u32 = 8;
/// Width of the ends of a tapered boom, relative to its middle.
const TIP: f64 = 0.4;
/// Length of a taper, in widths.
const TAPER: f64 = 2.5;
/// Diameter of a chord, relative to the width: 0.1 to 0.16 m for booms 1.2 to 2 m wide.
const CHORD: f64 = 0.085;
/// Diameter of struts and diagonals, relative to a chord.
const STRUT: f64 = 0.5;

/// Largest number of bays of a part: if it is longer and thinner, its bays are longer.
const MOST_BAYS: f64 = 400.0;

/// A lattice along x from −l/2 to l/2, with its width in y and height in z; `tapers` are the lengths of the tapered
/// ends.
fn lattice(length: f64, [width, height]: [f64; 2], tapers: [f64; 2], chord: f64) -> Trimesh {
    let mut mesh = Trimesh::default();
    let size = width.min(height);
    // stations: each taper in bays of their own, so that the corners are at stations
    let mut stations = vec![-0.5 * length];
    for part in [tapers[0], length - tapers[0] - tapers[1], tapers[1]] {
        let from = *stations.last().unwrap_or(&0.0);
        let bays = (part / (0.9 * size)).round().clamp(1.0, MOST_BAYS);
        if part > 1e-9 * length {
            stations.extend((1..=bays as usize).map(|k| from + part * k as f64 / bays));
        }
    }
    let share = |x: f64| {
        let end = |away: f64, taper: f64| if taper > 0.0 { (away / taper).min(1.0) } else { 1.0 };
        TIP + (1.0 - TIP) * end(x + 0.5 * length, tapers[0]).min(end(0.5 * length - x, tapers[1]))
    };
    let corner = |x: f64, k: usize| {
        let sign = |high: bool| if high { 0.5 } else { -0.5 };
        let (y, z) = (sign(k == 1 || k == 2), sign(k >= 2));
        DVec3::new(x, y * (width - chord) * share(x), z * (height - chord) * share(x))
    };
    for k in 0..4 {
        let path: Vec<_> = stations.iter().map(|x| (corner(*x, k), 0.5 * chord)).collect();
        mesh.sweep(&path, SIDES);
    }
    for (bay, ends) in stations.windows(2).enumerate() {
        for k in 0..4 {
            let next = (k + 1) % 4;
            // diagonals zigzag from bay to bay
            let [from, to] = if (bay + k) % 2 == 0 { [k, next] } else { [next, k] };
            mesh.bar(corner(ends[0], from), corner(ends[1], to), 0.5 * STRUT * chord, 6);
            mesh.bar(corner(ends[0], k), corner(ends[0], next), 0.5 * STRUT * chord, 6);
        }
    }
    let end = stations[stations.len() - 1];
    (0..4).for_each(|k| mesh.bar(corner(end, k), corner(end, (k + 1) % 4), 0.5 * STRUT * chord, 6));
    mesh
}

/// A boom along x, tapered towards both ends, with plates for the pins at its foot and its head.
pub fn boom(length: f64, [width, height]: [f64; 2]) -> Pieces {
    let size = width.min(height);
    let taper = (TAPER * size).min(0.3 * length);
    let chord = CHORD * size;
    let mut paint = lattice(length, [width, height], [taper; 2], chord);
    for x in [-0.5 * length, 0.5 * length] {
        for y in [-0.5, 0.5] {
            let at = DVec3::new(x, y * (TIP * width - chord), 0.0);
            paint.block(at, DVec3::new(0.5 * TIP * height, 0.6 * chord, TIP * height));
        }
    }
    let mut steel = Trimesh::default();
    for x in [-0.5 * length, 0.5 * length] {
        let half = DVec3::Y * 0.55 * TIP * width;
        steel.bar(DVec3::X * x - half, DVec3::X * x + half, 0.11 * TIP * height, 16);
    }
    vec![(Finish::Own, paint), (Finish::Steel, steel)]
}

/// A mast along z with a square section, and a ladder inside.
pub fn mast(height: f64, width: f64) -> Pieces {
    let chord = 1.2 * CHORD * width;
    let upright = DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_2);
    let mut paint = Trimesh::default();
    paint.add(&lattice(height, [width; 2], [0.0; 2], chord), DVec3::ZERO, upright);
    let mut steel = Trimesh::default();
    // 0.4 m wide with rungs every 0.28 m, as ladders are (ISO 14122-4), unless the mast is slimmer
    let (side, away) = ((0.2f64).min(0.25 * width), 0.5 * width - 1.5 * chord);
    for y in [-side, side] {
        steel.bar(DVec3::new(away, y, -0.5 * height), DVec3::new(away, y, 0.5 * height), 0.08 * side, 6);
    }
    let rungs = (height / 0.28).floor().min(400.0) as usize;
    for k in 1..=rungs {
        let z = -0.5 * height + height * k as f64 / (rungs + 1) as f64;
        steel.bar(DVec3::new(away, -side, z), DVec3::new(away, side, z), 0.06 * side, 5);
    }
    vec![(Finish::Own, paint), (Finish::Steel, steel)]
}

/// An I-beam along x with its web in the x-z plane. Without a width, the proportions of IPE 300 (EN 10365): 300 mm
/// high, 150 mm wide, web 7.1 mm, flange 10.7 mm.
pub fn i_beam(length: f64, height: f64, width: Option<f64>) -> Pieces {
    let width = width.unwrap_or(0.5 * height);
    let (web, flange) = (7.1 / 300.0 * height, 10.7 / 300.0 * height);
    let mut mesh = Trimesh::default();
    for sign in [-1.0, 1.0] {
        mesh.block(DVec3::Z * sign * 0.5 * (height - flange), DVec3::new(length, width, flange));
    }
    mesh.block(DVec3::ZERO, DVec3::new(length, web, height - 2.0 * flange));
    vec![(Finish::Own, mesh)]
}
