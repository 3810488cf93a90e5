//! Lifting gear: hook, hook block, shackle, chain. All hang along −z from the origin.

use super::rotating::pulley;
use super::trimesh::Trimesh;
use super::{Finish, Pieces, merged};
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

const SIDES: u32 = 14;

/// A point hook, `height` from the origin to its lowest point; the opening is to +x, 0.29 of the height wide, and
/// the hook 0.24 of the height thick at the saddle.
fn hook_mesh(height: f64) -> Trimesh {
    let mut mesh = Trimesh::default();
    let inner = 0.145 * height;
    let thick = |part: f64| 0.5 * height * (0.15 + 0.09 * libm::sin(PI * part.clamp(0.0, 1.0)));
    let saddle = DVec3::Z * -(height - inner - thick(0.5) * 2.0);
    let mut path = vec![(DVec3::ZERO, 0.07 * height), (DVec3::Z * -0.22 * height, 0.07 * height)];
    path.push((DVec3::new(-0.04 * height, 0.0, -0.34 * height), 0.075 * height));
    // from the back of the hook round the saddle to the point
    for k in 0..=20 {
        let part = f64::from(k) / 20.0;
        let angle = PI * (0.86 + 1.24 * part);
        let radius = if part > 0.85 { thick(0.85) * (1.15 - part) / 0.3 } else { thick(part) };
        let (sin, cos) = libm::sincos(angle);
        path.push((saddle + DVec3::new(cos, 0.0, sin) * (inner + thick(part)), radius));
    }
    mesh.sweep(&path, SIDES);
    // safety latch
    let tip = path[path.len() - 1].0;
    mesh.square_bar(
        DVec3::new(0.02 * height, 0.0, -0.3 * height),
        tip + DVec3::Z * 0.01 * height,
        0.03 * height,
    );
    mesh
}

/// A hook with shank and nut.
pub fn hook(height: f64) -> Pieces {
    vec![(Finish::Steel, hook_mesh(height))]
}

/// A hook block: sheaves of a radius in a housing, and a hook below. The axis of the sheaves is y through the origin.
pub fn hook_block(sheaves: u32, radius: f64, rope: Option<f64>) -> Pieces {
    let rope = rope.unwrap_or(0.08 * radius);
    let pitch = 3.2 * rope;
    let (rim, half) = (radius + 1.5 * rope, 0.5 * pitch * f64::from(sheaves));
    let across = DQuat::from_rotation_x(FRAC_PI_2);
    let mut steel = Trimesh::default();
    for k in 0..sheaves {
        let y = pitch * (f64::from(k) + 0.5) - half;
        for (_, mesh) in pulley(radius, Some(rope), None) {
            steel.add(&mesh, DVec3::Y * y, across);
        }
    }
    let mut own = Trimesh::default();
    let plate = 0.07 * radius;
    for sign in [-1.0, 1.0] {
        // cheek plates, and the weights that keep an empty block down
        let y = sign * (half + 0.5 * plate);
        own.block(DVec3::new(0.0, y, -0.35 * rim), DVec3::new(1.5 * rim, plate, 1.9 * rim));
        let bulge = y + sign * 2.0 * plate;
        own.block(DVec3::new(0.0, bulge, -0.5 * rim), DVec3::new(1.1 * rim, 3.0 * plate, 1.1 * rim));
        steel.bar(DVec3::Y * y, DVec3::Y * (y + sign * 4.5 * plate), 0.2 * radius, 24);
    }
    let low = -1.45 * rim;
    own.block(DVec3::Z * low, DVec3::new(0.5 * rim, 2.0 * half + 4.0 * plate, 0.3 * rim));
    steel.add(&hook_mesh(2.2 * radius), DVec3::Z * (low - 0.05 * rim), DQuat::IDENTITY);
    vec![(Finish::Own, own), (Finish::Steel, steel)]
}

/// A bow shackle: `pin` is the diameter of its pin, along y through the origin; the bow hangs below. Inside, the
/// bow is two and a half pins wide and four high.
pub fn shackle(pin: f64) -> Pieces {
    let bar = 0.43 * pin;
    let (gap, bow, high) = (0.8 * pin, 1.25 * pin, 4.2 * pin);
    let mut path = vec![(DVec3::new(0.0, -(gap + bar), 0.0), bar)];
    let center = DVec3::Z * -(high - bow);
    for k in 0..=16 {
        let angle = PI * (0.92 + 1.16 * f64::from(k) / 16.0);
        let (sin, cos) = libm::sincos(angle);
        path.push((center + DVec3::new(0.0, cos, sin) * (bow + bar), bar));
    }
    path.push((DVec3::new(0.0, gap + bar, 0.0), bar));
    let mut mesh = Trimesh::default();
    mesh.sweep(&path, SIDES);
    let half = DVec3::Y * (gap + 2.9 * bar);
    mesh.bar(-half, half, 0.5 * pin, 20);
    for sign in [-1.0, 1.0] {
        let y = DVec3::Y * sign;
        mesh.bar(y * gap, y * (gap + 2.0 * bar), pin, 20);
    }
    mesh.bar(half, half + DVec3::Y * 0.45 * pin, 0.85 * pin, 6);
    vec![(Finish::Steel, mesh)]
}

/// A round-link chain of a length, from bar of a diameter d: pitch 3 d, inside width 1.3 d (DIN 5684).
pub fn chain(length: f64, bar: f64) -> Pieces {
    let pitch = 3.0 * bar;
    let links = (length / pitch).round().clamp(1.0, 2000.0);
    let step = length / links;
    let (across, along) = (0.5 * (1.3 * bar + bar), 0.5 * step - 0.15 * bar);
    let mut link = Trimesh::default();
    let turns = 6;
    let mut outline = Vec::new();
    for end in [0.0, PI] {
        for k in 0..=turns {
            let (sin, cos) = libm::sincos(end + PI * f64::from(k) / f64::from(turns));
            let straight = if end == 0.0 { along - 0.5 * bar } else { 0.5 * bar - along };
            outline.push(DVec3::new(across * cos, 0.0, straight + across * sin));
        }
    }
    outline.push(outline[0]);
    let path: Vec<_> = outline.into_iter().map(|p| (p, 0.5 * bar)).collect();
    link.sweep(&path, 8);
    let mut mesh = Trimesh::default();
    for k in 0..links as usize {
        let turn = DQuat::from_rotation_z(if k % 2 == 0 { 0.0 } else { FRAC_PI_2 });
        mesh.add(&link, DVec3::Z * -(k as f64 + 0.5) * step, turn);
    }
    vec![(Finish::Steel, mesh)]
}

/// A row of sheaves on one axle along y, as at the head of a boom.
pub fn sheaves(count: u32, radius: f64, rope: Option<f64>) -> Pieces {
    let rope = rope.unwrap_or(0.08 * radius);
    let pitch = 3.2 * rope;
    let across = DQuat::from_rotation_x(FRAC_PI_2);
    let mut pieces = Vec::new();
    for k in 0..count {
        let y = pitch * (f64::from(k) + 0.5 - 0.5 * f64::from(count));
        for (finish, mesh) in pulley(radius, Some(rope), None) {
            let mut placed = Trimesh::default();
            placed.add(&mesh, DVec3::Y * y, across);
            pieces.push((finish, placed));
        }
    }
    let half = DVec3::Y * (0.5 * pitch * f64::from(count) + 0.1 * radius);
    let mut axle = Trimesh::default();
    axle.bar(-half, half, 0.12 * radius, 24);
    pieces.push((Finish::Steel, axle));
    merged(pieces)
}
