//! Things that turn about z: drum, pulley, wheel, gear.

use super::trimesh::Trimesh;
use super::{Finish, Pieces};
use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Sides of large circles.
const SIDES: u32 = 48;

/// A winch drum: barrel with rope grooves, two flanges, hub and axle. `radius` is that of the barrel to the bottom of
/// the grooves.
pub fn drum(radius: f64, length: f64, flange: Option<f64>, rope: Option<f64>) -> Pieces {
    let (flange, rope) = (flange.unwrap_or(1.35 * radius), rope.unwrap_or(0.05 * radius));
    let (thick, hub) = (0.06 * radius, 0.22 * radius);
    let inside = length - 2.0 * thick;
    let grooves = (inside / (1.1 * rope)).floor().clamp(1.0, 80.0) as usize;
    let mut barrel = vec![[hub, 0.5 * inside], [hub, -0.5 * inside]];
    for k in 0..grooves {
        let z = |part: f64| inside * ((k as f64 + part) / grooves as f64 - 0.5);
        let ridge = radius + 0.3 * rope.min(inside / grooves as f64);
        barrel.extend([[ridge, z(0.0)], [radius, z(0.3)], [radius, z(0.7)]]);
    }
    barrel.push([radius + 0.3 * rope.min(inside / grooves as f64), 0.5 * inside]);
    let (mut steel, mut own) = (Trimesh::default(), Trimesh::default());
    steel.ring(&barrel, SIDES);
    for sign in [-1.0, 1.0] {
        let (inner, outer) = (sign * 0.5 * inside, sign * 0.5 * length);
        own.ring(&[[hub, inner], [flange, inner], [flange, outer], [hub, outer]], SIDES);
        // bolts make the rotation visible
        for bolt in 0..6 {
            let at = DVec2::from_angle(TAU * f64::from(bolt) / 6.0) * 0.6 * radius;
            steel.bar(at.extend(outer), at.extend(outer + sign * 0.4 * thick), 0.06 * radius, 6);
        }
    }
    let half = DVec3::Z * (0.5 * length + 0.15 * radius);
    steel.bar(-half, half, hub, 24);
    vec![(Finish::Own, own), (Finish::Steel, steel)]
}

/// A pulley with a groove for a rope: `radius` is that of the bottom of the groove. Groove and rim as on rope sheaves:
/// a groove radius of 0.53 rope diameters, flanges one and a half rope diameters high (DIN 15061).
pub fn pulley(radius: f64, rope: Option<f64>, width: Option<f64>) -> Pieces {
    let rope = rope.unwrap_or(0.08 * radius);
    let round = 0.53 * rope;
    let half = 0.5 * width.unwrap_or(2.4 * rope);
    let rim = radius + 1.5 * rope;
    let inner = 0.86 * radius;
    let mut outline = vec![[inner, half], [inner, -half], [rim, -half], [rim, -half.min(1.05 * round)]];
    // the groove, a half circle
    for k in 0..=8 {
        let (sin, cos) = libm::sincos(PI * f64::from(k) / 8.0);
        outline.push([radius + round * (1.0 - sin), -round * cos]);
    }
    outline.extend([[rim, half.min(1.05 * round)], [rim, half]]);
    let (mut own, mut steel) = (Trimesh::default(), Trimesh::default());
    own.ring(&outline, SIDES);
    let hub = 0.24 * radius;
    steel.bar(DVec3::Z * -1.15 * half, DVec3::Z * 1.15 * half, hub, 24);
    // web with six spokes: the rotation is seen
    for k in 0..6 {
        let turn = DQuat::from_rotation_z(TAU * f64::from(k) / 6.0);
        let first = own.vertices.len();
        own.block(DVec3::X * 0.5 * (hub + inner), DVec3::new(inner - hub, 0.16 * radius, 0.7 * half));
        own.place_from(first, DVec3::ZERO, turn);
    }
    vec![(Finish::Own, own), (Finish::Steel, steel)]
}

/// A wheel with a tyre: tread blocks, side walls, rim, spokes, bolts.
pub fn wheel(radius: f64, width: f64, rim: Option<f64>) -> Pieces {
    let rim = rim.unwrap_or(0.58 * radius);
    let (half, wall) = (0.5 * width, 0.16 * (radius - rim));
    let (mut tyre, mut own, mut steel) = (Trimesh::default(), Trimesh::default(), Trimesh::default());
    let shoulder = radius - 0.22 * (radius - rim);
    tyre.ring(
        &[
            [rim, -0.8 * half],
            [rim + wall, -0.95 * half],
            [0.5 * (rim + radius), -half],
            [shoulder, -0.97 * half],
            [radius - 0.02 * radius, -0.75 * half],
            [radius - 0.02 * radius, 0.75 * half],
            [shoulder, 0.97 * half],
            [0.5 * (rim + radius), half],
            [rim + wall, 0.95 * half],
            [rim, 0.8 * half],
        ],
        SIDES,
    );
    let blocks = 36;
    for k in 0..blocks {
        for (side, shift) in [(-1.0, 0.0), (1.0, 0.5)] {
            let first = tyre.vertices.len();
            let size = DVec3::new(0.05 * radius, 0.6 * TAU * radius / f64::from(blocks), 0.62 * half);
            tyre.block(DVec3::new(0.975 * radius, 0.0, side * 0.4 * half), size);
            tyre.place_from(
                first,
                DVec3::ZERO,
                DQuat::from_rotation_z(TAU * (f64::from(k) + shift) / f64::from(blocks)),
            );
        }
    }
    let lip = 0.9 * rim;
    own.ring(
        &[[lip, -0.82 * half], [1.03 * rim, -0.82 * half], [1.03 * rim, 0.82 * half], [lip, 0.82 * half]],
        SIDES,
    );
    own.ring(
        &[[0.2 * rim, 0.3 * half], [lip, 0.05 * half], [lip, 0.15 * half], [0.2 * rim, 0.42 * half]],
        SIDES,
    );
    // seen from both sides: the rotation is visible
    for k in 0..5 {
        let first = steel.vertices.len();
        let length = lip - 0.2 * rim;
        steel.block(DVec3::X * (0.2 * rim + 0.5 * length), DVec3::new(length, 0.2 * rim, 1.1 * half));
        let turn = DQuat::from_rotation_z(TAU * f64::from(k) / 5.0);
        steel.place_from(first, DVec3::ZERO, turn);
    }
    steel.bar(DVec3::Z * -0.6 * half, DVec3::Z * 0.6 * half, 0.22 * rim, 24);
    for k in 0..8 {
        let at = DVec2::from_angle(TAU * f64::from(k) / 8.0) * 0.45 * rim;
        steel.bar(at.extend(0.2 * half), at.extend(0.42 * half), 0.04 * rim, 6);
    }
    vec![(Finish::Rubber, tyre), (Finish::Own, own), (Finish::Steel, steel)]
}

/// Pressure angle of involute gears (ISO 53) [rad].
const PRESSURE: f64 = 20.0 * PI / 180.0;

/// A spur gear with involute teeth by ISO 53: pitch radius m z/2, addendum m, dedendum 1.25 m. A tooth is centred on x.
pub fn gear(teeth: u32, module: f64, width: f64, bore: Option<f64>) -> Pieces {
    let pitch = 0.5 * module * f64::from(teeth);
    let (tip, root) = (pitch + module, pitch - 1.25 * module);
    let base = pitch * libm::cos(PRESSURE);
    let involute = |angle: f64| libm::tan(angle) - angle;
    // half the angle of a tooth at a radius: s/2r = π/2z + inv α − inv α(r)
    let half_angle = |radius: f64| {
        let angle = libm::acos((base / radius).min(1.0));
        FRAC_PI_2 / f64::from(teeth) + involute(PRESSURE) - involute(angle)
    };
    let start = root.max(base);
    let flank: Vec<f64> = (0..=5).map(|k| start + (tip - start) * f64::from(k) / 5.0).collect();
    let mut outline = Vec::new();
    for tooth in 0..teeth {
        let middle = TAU * f64::from(tooth) / f64::from(teeth);
        let at = |radius: f64, angle: f64| DVec2::from_angle(middle + angle) * radius;
        outline.push(at(root, -half_angle(start)));
        outline.extend(flank.iter().map(|r| at(*r, -half_angle(*r).max(0.0))));
        outline.extend(flank.iter().rev().map(|r| at(*r, half_angle(*r).max(0.0))));
        outline.push(at(root, half_angle(start)));
    }
    let (mut own, mut steel) = (Trimesh::default(), Trimesh::default());
    own.prism(&outline, [-0.5 * width, 0.5 * width]);
    let hub = bore.unwrap_or(0.25 * pitch);
    steel.bar(DVec3::Z * -0.62 * width, DVec3::Z * 0.62 * width, hub, 24);
    vec![(Finish::Own, own), (Finish::Steel, steel)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two gears in mesh: on the pitch circle a tooth is as wide as a gap.
    #[test]
    fn teeth_and_gaps_have_the_same_width_on_the_pitch_circle() {
        let pieces = gear(24, 0.01, 0.02, None);
        let (_, mesh) = &pieces[0];
        let (pitch, low) = (0.12, -0.01);
        // points of the first tooth's upper flank about the pitch circle
        let mut flank: Vec<DVec2> =
            mesh.vertices.iter().filter(|v| v.z == low).map(|v| v.truncate()).collect();
        flank.retain(|p| p.y > 0.0 && p.to_angle() < TAU / 48.0 && p.length() > 0.1);
        flank.sort_by(|a, b| a.length().total_cmp(&b.length()));
        let above = flank.iter().position(|p| p.length() > pitch).expect("a point outside");
        let (a, b) = (flank[above - 1], flank[above]);
        let share = (pitch - a.length()) / (b.length() - a.length());
        let angle = a.to_angle() + share * (b.to_angle() - a.to_angle());
        assert!((angle - TAU / 96.0).abs() < 2e-3 * TAU / 96.0, "{angle} {}", TAU / 96.0);
    }
}
