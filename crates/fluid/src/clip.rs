//! Closed mesh and water surface → immersed volume, pressure force, wet and dry facets.
//!
//! The depth of a vertex is δ = η(x, y) − z, positive under water, and is taken as linear over a triangle. A corner
//! with δ ≥ 0 is wet; an edge between a wet and a dry corner is cut at δ = 0, always computed from the end with the
//! lower index, so that both of its triangles have bitwise the same point and the clipped surface stays closed.
//! The lid at the surface is never built. With o a point of a plane surface, its tetrahedra vanish:
//!
//! ```text
//! plane:      v = ⅙ a·(b × c) from o,    V = Σ v,    c_B = o + Σ ¼ v (a + b + c) / V
//! any other:  V = −∫ δ n_z dA,    ∫ (x, y) dV = −∫ (x, y) δ n_z dA,    ∫ z dV = −∫ (z + ½ δ) δ n_z dA
//! force:      F = −∫ p n dA,    M = −∫ p (x − x_c) × n dA,    ∫_T p x dA = A/12 (Σp Σx + Σ p x)
//! ```
//!
//! The last line holds for p linear over the triangle T. The edges of the water line give the moments of the water plane.

mod sums;

use glam::DVec3;

use crate::immersion::Immersion;
use crate::mesh::bounds_of;
use sums::{Corner, PlaneSums, PressureSums};

/// A closed mesh at its present position, with the depths of its vertices.
#[derive(Clone, Copy, Debug)]
pub struct Hull<'a> {
    /// Positions of the vertices [m].
    pub positions: &'a [DVec3],
    /// Depths of the vertices below the surface, finite, positive under water [m].
    pub depths: &'a [f64],
    /// Triangles, counterclockwise seen from outside.
    pub triangles: &'a [[u32; 3]],
}

/// A plane piece of a mesh on one side of the water surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facet {
    /// Centroid [m].
    pub center: DVec3,
    /// Outward unit normal.
    pub normal: DVec3,
    /// Area [m²].
    pub area: f64,
    /// Whether it is under water.
    pub wet: bool,
    /// Number of the triangle it is a piece of.
    pub triangle: u32,
}

/// Resultant of the water pressure on a hull.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressureLoad {
    /// Force [N].
    pub force: DVec3,
    /// Torque about the given point [N m].
    pub torque: DVec3,
    /// Immersed part by integrals over the wet surface.
    pub immersion: Immersion,
}

/// Writes the depths of positions below a horizontal plane to `out` [m].
pub fn depths_below(positions: &[DVec3], level: f64, out: &mut Vec<f64>) {
    out.clear();
    out.extend(positions.iter().map(|p| level - p.z));
}

/// Immersed part of a hull under the horizontal plane z = `level` [m]; moments of the water plane are about `about` [m].
///
/// The depths of the hull must be those below the same plane.
pub fn immersed_under_plane(hull: &Hull, level: f64, about: DVec3) -> Immersion {
    let draft = hull.draft();
    if !(draft >= 0.0) {
        return Immersion::default();
    }
    let (low, high) = bounds_of(hull.positions.iter().copied());
    let o = (0.5 * (low + high)).with_z(level);
    let mut sum = PlaneSums { origin: o, ..PlaneSums::default() };
    for &t in hull.triangles {
        match hull.wet_corners(t) {
            0 => {}
            7 => {
                let [a, b, c] = t.map(|i| hull.positions[i as usize]);
                sum.add(a, b, c);
            }
            wet => {
                let cut = hull.cut(t, wet);
                sum.add_cut(&cut, hull.positions);
                sum.water_plane.add_edge((cut.to - about).truncate(), (cut.from - about).truncate());
            }
        }
    }
    let volume = (sum.six_volume / 6.0).max(0.0);
    let center = if volume > 0.0 { o + sum.moment / (24.0 * volume) } else { o };
    Immersion {
        volume,
        // rounding must not move the centre of next to nothing out of the body
        center: center.clamp(low.with_z(level - draft), high.with_z(level)),
        draft,
        wet_area: 0.5 * sum.double_area,
        water_plane: sum.water_plane,
    }
}

/// Force of pressures given at the vertices [Pa], with its torque about `about`, and the immersed part under any surface.
///
/// The pressure is linear over each wet piece and zero on the water line; pressures of dry vertices are not used.
pub fn pressure_force(hull: &Hull, pressures: &[f64], about: DVec3) -> PressureLoad {
    let draft = hull.draft();
    if !(draft >= 0.0) {
        return PressureLoad::default();
    }
    let mut sum = PressureSums::default();
    let corner = |i: u32| Corner {
        position: hull.positions[i as usize] - about,
        depth: hull.depths[i as usize],
        pressure: pressures[i as usize],
    };
    let surface = |p: DVec3| Corner { position: p - about, depth: 0.0, pressure: 0.0 };
    for &t in hull.triangles {
        match hull.wet_corners(t) {
            0 => {}
            7 => sum.add(&corner(t[0]), &corner(t[1]), &corner(t[2])),
            wet => {
                let cut = hull.cut(t, wet);
                let (p, q) = (surface(cut.from), surface(cut.to));
                if cut.lone_is_wet {
                    sum.add(&corner(cut.lone), &p, &q);
                } else {
                    let (b, c) = (corner(cut.next), corner(cut.last));
                    sum.add(&q, &b, &c);
                    sum.add(&q, &c, &p);
                }
                sum.water_plane.add_edge(q.position.truncate(), p.position.truncate());
            }
        }
    }
    let volume = (-sum.volume / 6.0).max(0.0);
    let (low, high) = bounds_of(hull.positions.iter().copied());
    let center = if volume > 0.0 { about - sum.moment / (24.0 * volume) } else { about };
    PressureLoad {
        force: -sum.force / 6.0,
        torque: -sum.torque / 24.0,
        immersion: Immersion {
            volume,
            center: center.clamp(low, high),
            draft,
            wet_area: 0.5 * sum.double_area,
            water_plane: sum.water_plane,
        },
    }
}

/// Visits the wet and dry pieces of a hull in the order of its triangles; pieces without area are left out.
pub fn each_part(hull: &Hull, mut visit: impl FnMut(Facet)) {
    each_piece(hull, |[a, b, c], wet, triangle| {
        if let Some((normal, area)) = normal_and_area(a, b, c) {
            visit(Facet { center: (a + b + c) / 3.0, normal, area, wet, triangle });
        }
    });
}

/// The same with every piece as three facets, whose centres and areas integrate quadratic functions over it to
/// round-off.
pub fn each_part_thrice(hull: &Hull, mut visit: impl FnMut(Facet)) {
    each_piece(hull, |[a, b, c], wet, triangle| {
        if let Some((normal, area)) = normal_and_area(a, b, c) {
            let sum = (a + b + c) / 6.0;
            for corner in [a, b, c] {
                visit(Facet { center: sum + 0.5 * corner, normal, area: area / 3.0, wet, triangle });
            }
        }
    });
}

/// Outward normal and area of a triangle; none without area.
#[inline]
fn normal_and_area(a: DVec3, b: DVec3, c: DVec3) -> Option<(DVec3, f64)> {
    let cross = (b - a).cross(c - a);
    let double = cross.length();
    (double > 0.0).then(|| (cross / double, 0.5 * double))
}

/// Visits the corners of all wet and dry pieces.
fn each_piece(hull: &Hull, mut piece: impl FnMut([DVec3; 3], bool, u32)) {
    for (number, &t) in hull.triangles.iter().enumerate() {
        let number = number as u32;
        let wet = hull.wet_corners(t);
        if wet == 0 || wet == 7 {
            piece(t.map(|i| hull.positions[i as usize]), wet == 7, number);
        } else {
            let cut = hull.cut(t, wet);
            let [a, b, c] = [cut.lone, cut.next, cut.last].map(|i| hull.positions[i as usize]);
            let (p, q) = if cut.lone_is_wet { (cut.from, cut.to) } else { (cut.to, cut.from) };
            piece([a, p, q], cut.lone_is_wet, number);
            piece([p, b, c], !cut.lone_is_wet, number);
            piece([p, c, q], !cut.lone_is_wet, number);
        }
    }
}

/// A triangle with corners on both sides of the surface, turned so that the first corner is alone on its side.
struct Cut {
    lone: u32,
    next: u32,
    last: u32,
    lone_is_wet: bool,
    /// The edge of the water line along the wet piece, counterclockwise about its normal.
    from: DVec3,
    to: DVec3,
}

impl Hull<'_> {
    /// Largest depth of a vertex; −∞ without vertices.
    fn draft(&self) -> f64 {
        self.depths.iter().fold(f64::NEG_INFINITY, |m, &d| m.max(d))
    }

    /// Bit k is set if corner k is wet.
    #[inline]
    fn wet_corners(&self, t: [u32; 3]) -> u32 {
        let wet = |k: usize| u32::from(self.depths[t[k] as usize] >= 0.0) << k;
        wet(0) | wet(1) | wet(2)
    }

    #[inline]
    fn cut(&self, t: [u32; 3], wet: u32) -> Cut {
        let lone_is_wet = wet.count_ones() == 1;
        let k = (if lone_is_wet { wet } else { 7 ^ wet }).trailing_zeros() as usize;
        let (lone, next, last) = (t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
        let (p, q) = (self.crossing(lone, next), self.crossing(lone, last));
        let (from, to) = if lone_is_wet { (p, q) } else { (q, p) };
        Cut { lone, next, last, lone_is_wet, from, to }
    }

    /// Where the surface meets an edge.
    #[inline]
    fn crossing(&self, i: u32, j: u32) -> DVec3 {
        let (i, j) = (i.min(j) as usize, i.max(j) as usize);
        let (a, b) = (self.positions[i], self.positions[j]);
        let (da, db) = (self.depths[i], self.depths[j]);
        a + da / (da - db) * (b - a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::immersion::WaterPlane;
    use crate::mesh::ClosedMesh;
    use glam::DMat3;
    use proptest::prelude::*;

    const WEIGHT: f64 = 9810.0;

    /// A mesh placed in the world, with depths below a surface.
    struct Placed {
        positions: Vec<DVec3>,
        depths: Vec<f64>,
        triangles: Vec<[u32; 3]>,
    }

    impl Placed {
        fn new(mesh: &ClosedMesh, turn: DVec3, at: DVec3, surface: impl Fn(DVec3) -> f64) -> Self {
            let angle = turn.length();
            let axis = if angle > 0.0 { turn / angle } else { DVec3::Z };
            let mut positions = Vec::new();
            mesh.place(&DMat3::from_axis_angle(axis, angle), at, &mut positions);
            let depths = positions.iter().map(|&p| surface(p) - p.z).collect();
            Self { positions, depths, triangles: mesh.triangles().to_vec() }
        }

        fn hull(&self) -> Hull<'_> {
            Hull { positions: &self.positions, depths: &self.depths, triangles: &self.triangles }
        }

        fn hydrostatic(&self) -> Vec<f64> {
            self.depths.iter().map(|d| WEIGHT * d).collect()
        }
    }

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn same_plane(a: &WaterPlane, b: &WaterPlane, tolerance: f64) {
        near(a.area, b.area, tolerance);
        assert!(a.first.distance(b.first) < tolerance, "{a:?} {b:?}");
        [(a.xx, b.xx), (a.xy, b.xy), (a.yy, b.yy)].iter().for_each(|&(x, y)| near(x, y, tolerance));
    }

    #[test]
    fn fl01_tilted_box() {
        let cube = ClosedMesh::cuboid(DVec3::new(2.0, 1.0, 0.5));
        let body = Placed::new(&cube, DVec3::new(0.4, -0.3, 0.7), DVec3::new(0.1, -0.2, 0.05), |_| 0.0);
        let wet = immersed_under_plane(&body.hull(), 0.0, DVec3::ZERO);
        near(wet.volume, 0.43685625, 5e-9);
        assert!((wet.center - DVec3::new(-0.20410025, -0.48990037, -0.2041715)).length() < 1e-8);
        // inclusion and exclusion of the corners of the box
        let turn = DVec3::new(0.4, -0.3, 0.7);
        let n = DMat3::from_axis_angle(turn.normalize(), turn.length()).transpose().col(2).abs();
        let mut exact = 0.0;
        for i in 0..8 {
            let sign = |bit: i32| if i & bit == 0 { -1.0 } else { 1.0 };
            let s = DVec3::new(sign(1), sign(2), sign(4));
            let depth: f64 = -0.05 - n.dot(s * DVec3::new(1.0, 0.5, 0.25));
            exact -= s.x * s.y * s.z * depth.max(0.0).powi(3) / (6.0 * n.x * n.y * n.z);
        }
        near(wet.volume / exact, 1.0, 1e-12);
        // the pressure makes the same force, through the centre of buoyancy
        let load = pressure_force(&body.hull(), &body.hydrostatic(), DVec3::ZERO);
        let buoyancy = WEIGHT * wet.volume * DVec3::Z;
        assert!((load.force - buoyancy).length() < 1e-12 * buoyancy.z);
        assert!((load.torque - wet.center.cross(buoyancy)).length() < 1e-12 * buoyancy.z);
    }

    #[test]
    fn upright_box_has_the_textbook_water_plane() {
        let cube = ClosedMesh::cuboid(DVec3::new(4.0, 2.0, 1.0));
        let body = Placed::new(&cube, DVec3::ZERO, DVec3::new(5.0, -3.0, 7.2), |_| 7.0);
        let wet = immersed_under_plane(&body.hull(), 7.0, DVec3::new(4.0, -3.0, 0.0));
        near(wet.volume, 8.0 * 0.3, 1e-14);
        assert!((wet.center - DVec3::new(5.0, -3.0, 6.85)).length() < 1e-14);
        near(wet.draft, 0.3, 1e-15);
        near(wet.wet_area, 8.0 + 12.0 * 0.3, 1e-14);
        let plane = wet.water_plane;
        near(plane.area, 8.0, 1e-14);
        near(plane.first.x, 8.0, 1e-14);
        near(plane.xx, 2.0 * 64.0 / 12.0 + 8.0, 1e-13);
        near(plane.yy, 4.0 * 8.0 / 12.0, 1e-13);
        near(plane.xy, 0.0, 1e-13);
    }

    #[test]
    fn faces_in_the_surface_count_as_wet() {
        let cube = ClosedMesh::cuboid(DVec3::ONE);
        let at = |z: f64| {
            let body = Placed::new(&cube, DVec3::ZERO, z * DVec3::Z, |_| 0.0);
            immersed_under_plane(&body.hull(), 0.0, DVec3::ZERO)
        };
        let (afloat, sunk, dry) = (at(0.5), at(-0.5), at(0.6));
        assert_eq!((afloat.volume, afloat.water_plane.area, afloat.wet_area), (0.0, 1.0, 1.0));
        assert_eq!((sunk.water_plane.area, sunk.wet_area, sunk.draft), (0.0, 6.0, 1.0));
        near(sunk.volume, 1.0, 1e-15);
        assert_eq!(dry, Immersion::default());
    }

    #[test]
    fn far_from_the_origin_nothing_is_lost() {
        let mesh = ClosedMesh::icosphere(0.5, 2);
        let turn = DVec3::new(0.3, 0.2, -0.9);
        let here = Placed::new(&mesh, turn, DVec3::ZERO, |_| 0.125);
        let far = Placed::new(&mesh, turn, DVec3::new(65536.0, -32768.0, 1024.0), |_| 1024.125);
        let a = immersed_under_plane(&here.hull(), 0.125, DVec3::ZERO);
        let b = immersed_under_plane(&far.hull(), 1024.125, DVec3::new(65536.0, -32768.0, 1024.0));
        near(b.volume / a.volume, 1.0, 1e-10); // positions are rounded to 1e-11 there
        same_plane(&a.water_plane, &b.water_plane, 1e-10);
    }

    #[test]
    fn wavy_surface_on_a_wall_sided_box() {
        let (a, k) = (0.2, 1.1);
        let eta = |p: DVec3| a * libm::cos(k * p.x + 0.4);
        let mesh = ClosedMesh::cuboid(DVec3::new(4.0, 2.0, 2.0)).refined(0.1);
        let body = Placed::new(&mesh, DVec3::ZERO, DVec3::ZERO, eta);
        let wet = pressure_force(&body.hull(), &body.hydrostatic(), DVec3::ZERO).immersion;
        // ∫ 2 (η + 1) dx, ∫ 2 x (η + 1) dx, ∫ (η² − 1) dx by the midpoint rule
        let n = 4000;
        let (mut v, mut x, mut z) = (0.0, 0.0, 0.0);
        for i in 0..n {
            let s = -2.0 + 4.0 * (f64::from(i) + 0.5) / f64::from(n);
            let (e, dx) = (eta(DVec3::new(s, 0.0, 0.0)), 4.0 / f64::from(n));
            v += 2.0 * (e + 1.0) * dx;
            x += 2.0 * s * (e + 1.0) * dx;
            z += (e * e - 1.0) * dx;
        }
        near(wet.volume, v, 1e-3 * v);
        near(wet.center.x, x / v, 1e-3 * (x / v).abs());
        near(wet.center.z, z / v, 1e-3 * (z / v).abs());
        near(wet.water_plane.area, 8.0, 1e-12);
    }

    #[test]
    fn water_line_is_closed_bit_for_bit() {
        let mesh = ClosedMesh::icosphere(1.0, 3);
        let body = Placed::new(&mesh, DVec3::new(0.1, 0.7, 0.2), DVec3::new(3.0, 1.0, 0.37), |p| 0.1 * p.x);
        let hull = body.hull();
        let bits = |p: DVec3| p.to_array().map(f64::to_bits);
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for &t in hull.triangles {
            let wet = hull.wet_corners(t);
            if wet != 0 && wet != 7 {
                let cut = hull.cut(t, wet);
                from.push(bits(cut.from));
                to.push(bits(cut.to));
            }
        }
        from.sort_unstable();
        to.sort_unstable();
        assert!(from.len() > 50);
        assert_eq!(from, to);
    }

    fn vector(range: f64) -> impl Strategy<Value = DVec3> {
        [-range..range, -range..range, -range..range].prop_map(DVec3::from_array)
    }

    proptest! {
        #[test]
        fn three_ways_to_integrate_agree(turn in vector(3.0), at in vector(0.6), about in vector(1.0)) {
            for mesh in [ClosedMesh::cuboid(DVec3::new(2.0, 1.0, 0.5)), ClosedMesh::cylinder(0.4, 0.6, 9)] {
                let body = Placed::new(&mesh, turn, at, |_| 0.1);
                let wet = immersed_under_plane(&body.hull(), 0.1, about);
                let load = pressure_force(&body.hull(), &body.hydrostatic(), about);
                near(load.immersion.volume, wet.volume, 1e-13);
                near(load.immersion.wet_area, wet.wet_area, 1e-13);
                assert!((load.immersion.center - wet.center).length() * wet.volume < 1e-13);
                same_plane(&load.immersion.water_plane, &wet.water_plane, 1e-13);
                let buoyancy = WEIGHT * wet.volume * DVec3::Z;
                assert!((load.force - buoyancy).length() < 1e-9);
                assert!((load.torque - (wet.center - about).cross(buoyancy)).length() < 1e-9);

                // facets: areas add up, the wet ones close over the water plane
                let (mut wet_area, mut dry_area, mut closed) = (0.0, 0.0, wet.water_plane.area * DVec3::Z);
                each_part(&body.hull(), |f| {
                    assert!(f.wet == (f.center.z < 0.1));
                    if f.wet {
                        wet_area += f.area;
                        closed += f.area * f.normal;
                    } else {
                        dry_area += f.area;
                    }
                });
                near(wet_area, wet.wet_area, 1e-13);
                let deep = Placed::new(&mesh, turn, at, |_| 9.0);
                near(wet_area + dry_area, immersed_under_plane(&deep.hull(), 9.0, about).wet_area, 1e-12);
                assert!(closed.length() < 1e-13);
            }
        }
    }

    /// Prints the time per triangle: `cargo test --release -- --ignored --nocapture time_per_triangle`.
    #[test]
    #[ignore = "measures time"]
    fn time_per_triangle() {
        let mesh = ClosedMesh::icosphere(1.0, 5);
        let n = mesh.triangles().len();
        let body = Placed::new(&mesh, DVec3::new(0.1, 0.7, 0.2), DVec3::new(3.0, 1.0, -0.9), |_| 0.0);
        let pressures = body.hydrostatic();
        let time = |name: &str, run: &mut dyn FnMut() -> f64| {
            let (mut best, mut sum) = (f64::INFINITY, 0.0);
            for _ in 0..50 {
                let start = std::time::Instant::now();
                sum += run();
                best = best.min(start.elapsed().as_secs_f64());
            }
            println!("{name}: {:.1} ns per triangle of {n} ({sum:.3})", 1e9 * best / n as f64);
        };
        let (mut positions, mut depths) = (Vec::new(), Vec::new());
        time("place, depths", &mut || {
            mesh.place(&DMat3::IDENTITY, DVec3::Z, &mut positions);
            depths_below(&positions, 0.0, &mut depths);
            depths[0]
        });
        time("immersed_under_plane", &mut || immersed_under_plane(&body.hull(), 0.0, DVec3::ZERO).volume);
        time("pressure_force", &mut || pressure_force(&body.hull(), &pressures, DVec3::ZERO).force.z);
        time("each_part", &mut || {
            let mut area = 0.0;
            each_part(&body.hull(), |f| area += f.area * f.normal.z * f.center.x);
            area
        });
    }
}
