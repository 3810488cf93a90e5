//! Container, truck, cabin and operator. x is forward, z is up.

use super::rotating::wheel;
use super::trimesh::Trimesh;
use super::{Finish, Pieces, merged};
use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::FRAC_PI_2;

/// A freight container, centred on the origin: corrugated walls, corner castings, doors at −x. Castings are
/// 178 × 162 × 118 mm (ISO 1161).
pub fn container(size: DVec3) -> Pieces {
    let half = 0.5 * size;
    let (post, wall) = (0.16f64.min(0.2 * half.y), 0.03f64.min(0.05 * half.y));
    let (mut own, mut steel) = (Trimesh::default(), Trimesh::default());
    let casting = DVec3::new(0.178, 0.162, 0.118).min(half);
    for corner in 0..8u32 {
        let sign = |bit: u32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let sign = DVec3::new(sign(0), sign(1), sign(2));
        steel.block(sign * (half - 0.5 * casting), casting);
    }
    for (y, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let at = DVec3::new(0.0, y * (half.y - 0.35 * post), z * (half.z - 0.35 * post));
        own.block(at, DVec3::new(size.x - 2.0 * casting.x, 0.7 * post, 0.7 * post));
    }
    for x in [-1.0, 1.0] {
        for y in [-1.0, 1.0] {
            let at = DVec3::new(x * (half.x - 0.5 * post), y * (half.y - 0.5 * post), 0.0);
            own.block(at, DVec3::new(post, post, size.z - 2.0 * casting.z));
        }
        for z in [-1.0, 1.0] {
            let at = DVec3::new(x * (half.x - 0.4 * post), 0.0, z * (half.z - 0.4 * post));
            own.block(at, DVec3::new(0.8 * post, size.y - 2.0 * casting.y, 0.8 * post));
        }
    }
    // walls: a plate, and ribs of the corrugation
    let inner = size - DVec3::splat(2.0 * wall + 0.05);
    own.block(DVec3::ZERO, inner);
    let ribs = (size.x / 0.28).round().clamp(4.0, 80.0) as usize;
    for k in 0..ribs {
        let x = (size.x - 2.0 * post) * ((k as f64 + 0.5) / ribs as f64 - 0.5);
        let wide = 0.5 * (size.x - 2.0 * post) / ribs as f64;
        for y in [-1.0, 1.0] {
            own.block(
                DVec3::new(x, y * (half.y - wall), 0.0),
                DVec3::new(wide, 1.6 * wall, size.z - 1.4 * post),
            );
        }
        own.block(DVec3::new(x, 0.0, half.z - wall), DVec3::new(wide, size.y - 1.4 * post, 1.2 * wall));
    }
    let ribs = (size.y / 0.28).round().clamp(2.0, 20.0) as usize;
    for k in 0..ribs {
        let y = (size.y - 2.0 * post) * ((k as f64 + 0.5) / ribs as f64 - 0.5);
        let wide = 0.5 * (size.y - 2.0 * post) / ribs as f64;
        own.block(DVec3::new(half.x - wall, y, 0.0), DVec3::new(1.6 * wall, wide, size.z - 1.4 * post));
    }
    // doors with locking bars
    for y in [-0.5, 0.5] {
        let at = DVec3::new(-half.x + 1.6 * wall, y * (half.y - post), 0.0);
        own.block(at, DVec3::new(2.0 * wall, 0.96 * (half.y - post), size.z - 1.8 * post));
        for bar in [-0.22, 0.22] {
            let at = at + DVec3::new(-wall, bar * size.y * 0.5, 0.0);
            let up = DVec3::Z * (half.z - post);
            steel.bar(at - up, at + up, 0.017f64.min(0.6 * wall), 8);
        }
    }
    vec![(Finish::Own, own), (Finish::Steel, steel)]
}

/// A cabin, centred on the origin: roof, floor, pillars and windows, seat and lever console; it looks along +x.
pub fn cabin(size: DVec3) -> Pieces {
    let half = 0.5 * size;
    let (mut own, mut glass, mut dark) = (Trimesh::default(), Trimesh::default(), Trimesh::default());
    let pillar = 0.05 * size.min_element();
    let sill = 0.34 * size.z;
    // floor, roof, back wall and panels below the windows at the sides
    own.block(DVec3::Z * -(half.z - 0.03 * size.z), DVec3::new(size.x, size.y, 0.06 * size.z));
    own.block(DVec3::Z * (half.z - 0.03 * size.z), DVec3::new(1.04 * size.x, 1.04 * size.y, 0.06 * size.z));
    own.block(DVec3::X * -(half.x - 0.5 * pillar), DVec3::new(pillar, size.y, 0.9 * size.z));
    for y in [-1.0, 1.0] {
        let side = y * (half.y - 0.5 * pillar);
        own.block(
            DVec3::new(-0.15 * size.x, side, -half.z + 0.5 * sill),
            DVec3::new(0.7 * size.x, pillar, sill),
        );
        for x in [0.5 - 0.5 * pillar / size.x, -0.08] {
            own.block(DVec3::new(x * size.x, side, 0.0), DVec3::new(pillar, pillar, 0.9 * size.z));
        }
        glass.block(
            DVec3::new(0.02 * size.x, side, 0.5 * sill),
            DVec3::new(0.94 * size.x, 0.2 * pillar, 0.88 * size.z - sill),
        );
    }
    glass.block(
        DVec3::X * (half.x - 0.5 * pillar),
        DVec3::new(0.2 * pillar, size.y - 2.0 * pillar, 0.88 * size.z),
    );
    // seat and consoles
    let seat = DVec3::new(-0.18 * size.x, 0.0, -half.z + 0.3 * size.z);
    dark.block(seat, DVec3::new(0.3 * size.x, 0.34 * size.y, 0.08 * size.z));
    dark.block(
        seat + DVec3::new(-0.16 * size.x, 0.0, 0.22 * size.z),
        DVec3::new(0.06 * size.x, 0.34 * size.y, 0.4 * size.z),
    );
    dark.block(seat - DVec3::Z * 0.14 * size.z, DVec3::new(0.14 * size.x, 0.14 * size.y, 0.2 * size.z));
    for y in [-0.26, 0.26] {
        let console = seat + DVec3::new(0.1 * size.x, y * size.y, 0.08 * size.z);
        dark.block(console, DVec3::new(0.34 * size.x, 0.1 * size.y, 0.1 * size.z));
        let lever = console + DVec3::new(0.1 * size.x, 0.0, 0.04 * size.z);
        dark.bar(lever, lever + DVec3::new(0.02 * size.x, 0.0, 0.1 * size.z), 0.012 * size.z, 8);
    }
    vec![(Finish::Own, own), (Finish::Glass, glass), (Finish::Dark, dark)]
}

/// A person in a hard hat and a high-visibility vest, standing on the origin and facing +x; sitting, the origin is
/// below the seat. Proportions of the segments after Winter, Biomechanics (lengths as parts of the height).
pub fn operator(height: f64, sitting: bool) -> Pieces {
    let (mut vest, mut dark) = (Trimesh::default(), Trimesh::default());
    let (mut face, mut hat) = (Trimesh::default(), Trimesh::default());
    let limb = |mesh: &mut Trimesh, points: &[DVec3], radius: f64| {
        let path: Vec<_> = points.iter().map(|p| (*p, radius * height)).collect();
        mesh.sweep(&path, 10);
        points.iter().for_each(|p| ball(mesh, *p, radius * height));
    };
    let h = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) * height;
    // thigh 0.245, shank 0.246, foot height 0.039; hip to shoulder 0.288; upper arm 0.186, forearm 0.146
    let hip = if sitting { 0.285 } else { 0.53 };
    for y in [-0.055, 0.055] {
        let knee = if sitting { h(0.245, y, hip) } else { h(0.01, y, 0.285) };
        let ankle = DVec3::new(knee.x, knee.y, 0.04 * height);
        limb(&mut dark, &[h(0.0, y, hip), knee, ankle], 0.036);
        dark.block(ankle + h(0.035, 0.0, -0.02), h(0.15, 0.06, 0.04));
    }
    let chest = hip + 0.288;
    let torso =
        [(h(0.0, 0.0, hip - 0.03), 0.075), (h(0.0, 0.0, hip + 0.1), 0.085), (h(0.0, 0.0, chest), 0.08)];
    let path: Vec<_> = torso.iter().map(|(at, radius)| (*at, radius * height)).collect();
    vest.sweep(&path, 14);
    // wider than deep
    vest.vertices.iter_mut().for_each(|v| v.y *= 1.35);
    for y in [-0.125, 0.125] {
        let shoulder = h(0.0, y, chest - 0.02);
        let elbow = shoulder + if sitting { h(0.06, 0.0, -0.17) } else { h(0.0, 0.02 * y.signum(), -0.186) };
        let hand = elbow + if sitting { h(0.14, 0.0, 0.01) } else { h(0.04, 0.0, -0.146) };
        limb(&mut vest, &[shoulder, elbow], 0.028);
        limb(&mut face, &[elbow, hand], 0.022);
    }
    let head = h(0.0, 0.0, chest + 0.115);
    face.bar(h(0.0, 0.0, chest), head, 0.03 * height, 10);
    ball(&mut face, head, 0.062 * height);
    hat.ring(&dome(0.075 * height), 24);
    hat.place_from(0, head + h(0.0, 0.0, 0.02), DQuat::IDENTITY);
    vec![(Finish::Vest, vest), (Finish::Dark, dark), (Finish::Skin, face), (Finish::Own, hat)]
}

/// A hat: a hollow dome with a brim.
fn dome(radius: f64) -> Vec<[f64; 2]> {
    let mut outline = vec![[1e-3 * radius, 0.85 * radius], [0.85 * radius, 0.0], [1.2 * radius, 0.0]];
    for k in 1..=6 {
        let (sin, cos) = libm::sincos(FRAC_PI_2 * f64::from(k) / 6.0);
        outline.push([(radius * cos).max(1e-3 * radius), 0.08 * radius + radius * sin]);
    }
    outline
}

fn ball(mesh: &mut Trimesh, at: DVec3, radius: f64) {
    let path: Vec<_> = (0..=6)
        .map(|k| {
            let (sin, cos) = libm::sincos(std::f64::consts::PI * f64::from(k) / 6.0);
            (at + DVec3::Z * radius * cos, (radius * sin).max(1e-3 * radius))
        })
        .collect();
    mesh.sweep(&path, 10);
}

/// A side view, points [x, z] counterclockwise and seen completely from `center`, extruded across a width.
fn extruded(mesh: &mut Trimesh, outline: &[[f64; 2]], center: [f64; 2], width: f64) {
    let first = mesh.vertices();
    let center = DVec2::from_array(center);
    let points: Vec<DVec2> = outline.iter().map(|p| DVec2::from_array(*p) - center).collect();
    mesh.prism(&points, [-0.5 * width, 0.5 * width]);
    mesh.place_from(first, DVec3::new(center.x, 0.0, center.y), DQuat::from_rotation_x(FRAC_PI_2));
}

/// The body of a car without wheels, whose arches are at a wheelbase; its origin is on the ground below the middle of
/// its length.
pub fn car_body(size: DVec3, wheelbase: f64, wheel: f64) -> Pieces {
    let DVec3 { x: length, y: width, z: height } = size;
    let (mut own, mut glass, mut dark) = (Trimesh::default(), Trimesh::default(), Trimesh::default());
    let (front, rear, half) = (0.5 * length, -0.5 * length, 0.5 * wheelbase);
    let (sill, arch, belt) = (0.14 * height, 2.15 * wheel, 0.62 * height);
    // above the arches, from the bonnet to the boot
    let upper = [
        [rear, arch],
        [front, arch],
        [front - 0.01 * length, 0.52 * height],
        [0.17 * length, belt],
        [-0.33 * length, belt],
        [rear + 0.01 * length, 0.58 * height],
    ];
    extruded(&mut own, &upper, [0.0, arch + 0.02 * height], width);
    // below them, between the wheels and at both ends
    let gap = 1.12 * wheel;
    for [a, b] in [[half + gap, front], [-half + gap, half - gap], [rear, -half - gap]] {
        let (middle, span) = (0.5 * (a + b), b - a);
        let raised = if middle.abs() > half { 0.06 * height } else { 0.0 };
        let (low, high) = (sill + raised, arch);
        own.block(DVec3::new(middle, 0.0, 0.5 * (low + high)), DVec3::new(span, width, high - low));
    }
    dark.block(DVec3::Z * 0.5 * (sill + arch), DVec3::new(0.97 * length, 0.72 * width, arch - sill));
    // cabin: windows, pillars and roof
    let roof = [[-0.22 * length, 0.97 * height], [0.02 * length, 0.97 * height]];
    let cabin = [[-0.34 * length, belt], [0.18 * length, belt], roof[1], roof[0]];
    extruded(&mut glass, &cabin, [-0.1 * length, 0.8 * height], 0.84 * width);
    for y in [-0.42, 0.42] {
        let at = |[x, z]: [f64; 2]| DVec3::new(x, y * width, z);
        for [low, high] in [
            [cabin[0], cabin[3]],
            [cabin[1], cabin[2]],
            [[-0.08 * length, belt], [-0.1 * length, 0.97 * height]],
        ] {
            own.square_bar(at(low), at(high), 0.035 * height);
        }
    }
    let middle = 0.5 * (roof[0][0] + roof[1][0]);
    own.block(
        DVec3::new(middle, 0.0, 0.98 * height),
        DVec3::new(roof[1][0] - roof[0][0] + 0.03 * length, 0.88 * width, 0.04 * height),
    );
    for y in [-0.36, 0.36] {
        let lamp = DVec3::new(0.012 * length, 0.2 * width, 0.07 * height);
        glass.block(DVec3::new(front, y * width, 0.47 * height), lamp);
        dark.block(DVec3::new(rear, y * width, 0.5 * height), lamp);
    }
    vec![(Finish::Own, own), (Finish::Glass, glass), (Finish::Dark, dark)]
}

/// A truck with three axles and a flat bed, its origin on the ground below the middle of its length.
pub fn truck(length: f64, width: f64) -> Pieces {
    let radius = 0.21 * width;
    let cab = DVec3::new(0.24 * length, width, 0.72 * width).min(DVec3::splat(2.6));
    let (mut own, mut glass, mut dark) = (Trimesh::default(), Trimesh::default(), Trimesh::default());
    let deck = 2.2 * radius;
    for y in [-0.18, 0.18] {
        dark.block(DVec3::new(0.0, y * width, 0.85 * deck), DVec3::new(length, 0.05 * width, 0.3 * deck));
    }
    dark.block(DVec3::new(-0.5 * cab.x, 0.0, 1.06 * deck), DVec3::new(length - cab.x, width, 0.12 * deck));
    let front = 0.5 * length - 0.5 * cab.x;
    own.block(DVec3::new(front, 0.0, 0.75 * deck + 0.25 * cab.z), DVec3::new(cab.x, cab.y, 0.5 * cab.z));
    own.block(DVec3::new(front, 0.0, 0.75 * deck + 0.97 * cab.z), DVec3::new(cab.x, cab.y, 0.06 * cab.z));
    own.block(
        DVec3::new(front - 0.48 * cab.x, 0.0, 0.75 * deck + 0.72 * cab.z),
        DVec3::new(0.04 * cab.x, cab.y, 0.5 * cab.z),
    );
    glass.block(
        DVec3::new(front, 0.0, 0.75 * deck + 0.72 * cab.z),
        DVec3::new(0.92 * cab.x, 0.96 * cab.y, 0.46 * cab.z),
    );
    for y in [-1.0, 1.0] {
        for x in [-0.46, 0.46] {
            let at = DVec3::new(front + x * cab.x, y * 0.47 * cab.y, 0.75 * deck + 0.72 * cab.z);
            own.block(at, DVec3::new(0.06 * cab.x, 0.06 * cab.y, 0.46 * cab.z));
        }
    }
    let bumper = 0.08 * cab.x;
    dark.block(DVec3::new(0.5 * (length - bumper), 0.0, 0.5 * deck), DVec3::new(bumper, width, 0.35 * deck));
    let mut pieces = vec![(Finish::Own, own), (Finish::Glass, glass), (Finish::Dark, dark)];
    for x in [front, -0.2 * length, -0.2 * length - 2.2 * radius] {
        for y in [-1.0, 1.0] {
            let turn = DQuat::from_rotation_x(-FRAC_PI_2 * y);
            for (finish, mesh) in wheel(radius, 0.13 * width, None) {
                let mut placed = Trimesh::default();
                placed.add(&mesh, DVec3::new(x, y * 0.42 * width, radius), turn);
                // rims are not of the colour of the cab
                pieces.push((if finish == Finish::Own { Finish::Steel } else { finish }, placed));
            }
        }
    }
    merged(pieces)
}
