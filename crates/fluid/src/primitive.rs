//! Sphere, cylinder or capsule and a horizontal water surface → immersion in closed form.
//!
//! Meshes inscribed in round shapes lack about one percent of the volume, enough to sink a neutrally buoyant body.
//! With h = clamp(r − z, 0, 2r) and z the height of the centre, a sphere has
//!
//! ```text
//! V = ⅓π h² (3r − h)      A_w = π h (2r − h)      c_z = z − ¾ (2r − h)² / (3r − h)
//! ```
//!
//! A cylinder is integrated over its slices (`cylinder.rs`), the round ends of a capsule over horizontal slices
//! (`cap.rs`). All results are continuous where the shapes become upright, level, dry or fully immersed, except for
//! the water plane where a flat end lies in the surface.

mod cap;
mod cylinder;
mod segment;

pub(crate) use segment::gauss;

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use crate::immersion::{Immersion, WaterPlane};

/// A cylinder, or the cylindrical part of a capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Middle [m].
    pub center: DVec3,
    /// Direction of its axis, of any length.
    pub axis: DVec3,
    /// Radius [m].
    pub radius: f64,
    /// Half of its length, without round ends [m].
    pub half_length: f64,
}

/// Immersed part of a sphere under z = `level` [m]; moments of the water plane are about `about` [m].
pub fn sphere(center: DVec3, radius: f64, level: f64, about: DVec3) -> Immersion {
    let (r, z) = (radius, center.z - level);
    let h = (r - z).clamp(0.0, 2.0 * r);
    if !(h > 0.0) {
        return Immersion::default();
    }
    let area = PI * h * (2.0 * r - h);
    let quarter = 0.25 * area * h * (2.0 * r - h); // ¼ π ρ⁴ of a disc of radius ρ
    let local = PlaneMoments { area, along: 0.0, along_along: quarter, across_across: quarter };
    let mut water_plane = WaterPlane::default();
    local.add_to(&mut water_plane, center.truncate() - about.truncate(), DVec2::X);
    Immersion {
        volume: PI / 3.0 * h * h * (3.0 * r - h),
        center: center - 0.75 * (2.0 * r - h) * (2.0 * r - h) / (3.0 * r - h) * DVec3::Z,
        draft: r - z,
        wet_area: 2.0 * PI * r * h,
        water_plane,
    }
}

/// Immersed part of a cylinder under z = `level` [m]; moments of the water plane are about `about` [m].
pub fn cylinder(rod: &Rod, level: f64, about: DVec3) -> Immersion {
    let tilt = Tilt::new(rod, level);
    let (r, l) = (rod.radius, rod.half_length);
    let draft = l * tilt.rise + r * tilt.level - tilt.height;
    if !(draft > 0.0) {
        return Immersion::default();
    }
    let mut sums = Sums::default();
    cylinder::add_side(&tilt, r, l, &mut sums);
    cylinder::add_ends(&tilt, r, l, &mut sums);
    sums.immersion(rod, &tilt, l, draft, about)
}

/// Immersed part of a capsule under z = `level` [m]; moments of the water plane are about `about` [m].
pub fn capsule(rod: &Rod, level: f64, about: DVec3) -> Immersion {
    let tilt = Tilt::new(rod, level);
    let (r, l) = (rod.radius, rod.half_length);
    let draft = l * tilt.rise + r - tilt.height;
    if !(draft > 0.0) {
        return Immersion::default();
    }
    let mut sums = Sums::default();
    cylinder::add_side(&tilt, r, l, &mut sums);
    cap::add_cap(&tilt, r, l, &mut sums);
    cap::add_cap(&tilt, r, -l, &mut sums);
    sums.immersion(rod, &tilt, l + r, draft, about)
}

/// How a rod lies in the water: t = level · forward + rise · up with rise ≥ 0.
struct Tilt {
    /// Axis, pointing upward.
    axis: DVec3,
    /// Horizontal unit vector under the axis.
    forward: DVec3,
    /// Vertical part of the axis, 0 to 1.
    rise: f64,
    /// Horizontal part of the axis, never 0.
    level: f64,
    /// Height of the middle above the surface.
    height: f64,
}

impl Tilt {
    fn new(rod: &Rod, level: f64) -> Self {
        let axis = rod.axis.normalize_or(DVec3::Z);
        let axis = if axis.z < 0.0 { -axis } else { axis };
        let flat = libm::hypot(axis.x, axis.y);
        let forward = if flat > 0.0 { DVec3::new(axis.x / flat, axis.y / flat, 0.0) } else { DVec3::X };
        // below 1e-15 a tilt moves nothing by more than a rounding error
        Self { axis, forward, rise: axis.z, level: flat.max(1e-15), height: rod.center.z - level }
    }
}

/// Area and moments of a piece of the water plane that is symmetric to the vertical plane of the axis.
#[derive(Clone, Copy, Default)]
struct PlaneMoments {
    area: f64,
    along: f64,
    along_along: f64,
    across_across: f64,
}

impl PlaneMoments {
    /// Adds the piece to a water plane; `offset` is its origin and `forward` its axis of symmetry.
    fn add_to(&self, plane: &mut WaterPlane, offset: DVec2, forward: DVec2) {
        let (o, g, f) = (offset, forward, forward.perp());
        let (a, x) = (self.area, self.along);
        let (p, q) = (self.along_along, self.across_across);
        plane.area += a;
        plane.first += a * o + x * g;
        plane.xx += a * o.x * o.x + 2.0 * x * o.x * g.x + p * g.x * g.x + q * f.x * f.x;
        plane.xy += a * o.x * o.y + x * (o.x * g.y + o.y * g.x) + p * g.x * g.y + q * f.x * f.y;
        plane.yy += a * o.y * o.y + 2.0 * x * o.y * g.y + p * g.y * g.y + q * f.y * f.y;
    }

    /// Adds a piece whose origin lies `shift` ahead along the axis of symmetry.
    fn add(&mut self, piece: &Self, shift: f64) {
        self.area += piece.area;
        self.along += piece.along + shift * piece.area;
        self.along_along += piece.along_along + shift * (2.0 * piece.along + shift * piece.area);
        self.across_across += piece.across_across;
    }
}

/// Integrals over the immersed part, about the middle of the rod.
#[derive(Default)]
struct Sums {
    volume: f64,
    moment: DVec3,
    wet_area: f64,
    plane: PlaneMoments,
}

impl Sums {
    /// Result for a rod that reaches `reach` along its axis.
    fn immersion(&self, rod: &Rod, tilt: &Tilt, reach: f64, draft: f64, about: DVec3) -> Immersion {
        let volume = self.volume.max(0.0);
        // rounding must not move the centre of next to nothing out of the body
        let side = reach * tilt.axis.abs() + DVec3::splat(rod.radius);
        let (top, bottom) = (side.z.min(-tilt.height), -tilt.height - draft);
        let center = if volume > 0.0 { self.moment / volume } else { bottom * DVec3::Z };
        let center = center.clamp((-side).with_z(bottom), side.with_z(top.max(bottom)));
        let mut water_plane = WaterPlane::default();
        self.plane.add_to(&mut water_plane, (rod.center - about).truncate(), tilt.forward.truncate());
        Immersion { volume, center: rod.center + center, draft, wet_area: self.wet_area, water_plane }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Hull, depths_below, immersed_under_plane};
    use crate::mesh::ClosedMesh;
    use glam::{DMat3, DQuat};
    use proptest::prelude::*;

    type Shape = fn(&Rod, f64, DVec3) -> Immersion;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn rod(angle: f64, z: f64, radius: f64, half_length: f64) -> Rod {
        let (s, c) = libm::sincos(angle);
        Rod { center: DVec3::new(0.0, 0.0, z), axis: DVec3::new(s, 0.0, c), radius, half_length }
    }

    /// All numbers, scaled by powers of the size so that they are of order 1.
    fn list(i: &Immersion, size: f64) -> [f64; 12] {
        let (c, p) = (i.center * i.volume / size.powi(4), &i.water_plane);
        let [v, a, d] = [i.volume / size.powi(3), i.wet_area / size.powi(2), i.draft / size];
        let plane = [p.area / size.powi(2), p.first.x / size.powi(3), p.first.y / size.powi(3)];
        let [xx, xy, yy] = [p.xx, p.xy, p.yy].map(|x| x / size.powi(4));
        [v, c.x, c.y, c.z, a, d, plane[0], plane[1], plane[2], xx, xy, yy]
    }

    fn assert_close(a: &Immersion, b: &Immersion, size: f64, tolerance: f64) {
        let (p, q) = (list(a, size), list(b, size));
        for i in 0..12 {
            assert!((p[i] - q[i]).abs() <= tolerance, "number {i}: {} is not {}", p[i], q[i]);
        }
    }

    #[test]
    fn fl02_reference_values() {
        let tilted = rod(30f64.to_radians(), 0.2, 0.3, 1.0);
        let wet = cylinder(&tilted, 0.0, DVec3::ZERO);
        near(wet.volume, 0.21744656, 5e-9);
        let from = wet.center - tilted.center;
        let low_side = tilted.axis.cross(DVec3::Z).cross(tilted.axis).normalize();
        near(from.dot(tilted.axis), -0.61059397, 1e-8);
        near(-from.dot(low_side), 0.016891248, 1e-8);
        let ball = sphere(DVec3::new(0.0, 0.0, 0.1), 0.5, 0.0, DVec3::ZERO);
        near(ball.volume, 0.18430677, 5e-9);
        near(ball.center.z, -0.14545455, 5e-9);
        near(capsule(&rod(50f64.to_radians(), -0.1, 0.3, 0.5), 0.0, DVec3::ZERO).volume, 0.2419073, 5e-8);
    }

    fn direction() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0f64, 0.0..2.0 * PI).prop_map(|(z, angle)| {
            let (s, c) = libm::sincos(angle);
            let n = (1.0 - z * z).sqrt();
            DVec3::new(n * c, n * s, z)
        })
    }

    fn clipped(mesh: &ClosedMesh, rod: &Rod, level: f64, about: DVec3) -> Immersion {
        let turn = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Z, rod.axis));
        let (mut positions, mut depths) = (Vec::new(), Vec::new());
        mesh.place(&turn, rod.center, &mut positions);
        depths_below(&positions, level, &mut depths);
        let hull = Hull { positions: &positions, depths: &depths, triangles: mesh.triangles() };
        immersed_under_plane(&hull, level, about)
    }

    /// The volume and its moments change with the level by the water plane and its moments.
    fn check_slopes(shape: Shape, rod: &Rod, level: f64, about: DVec3) {
        let e = 1e-5;
        let [a, m, b] = [level - e, level, level + e].map(|x| shape(rod, x, about));
        let slope = |f: &dyn Fn(&Immersion) -> f64| (f(&b) - f(&a)) / (2.0 * e);
        near(slope(&|i| i.volume), m.water_plane.area, 1e-4);
        let moment = |i: &Immersion| (i.center - about) * i.volume;
        near(slope(&|i| moment(i).x), m.water_plane.first.x, 1e-4);
        near(slope(&|i| moment(i).y), m.water_plane.first.y, 1e-4);
        near(slope(&|i| moment(i).z), m.water_plane.area * (level - about.z), 1e-4);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn fine_meshes_agree(axis in direction(), z in -1.4..1.4f64, l in 0.05..1.0f64) {
            let (r, level) = (0.4, 3.0);
            let rod = Rod { center: DVec3::new(2.0, -1.0, level + z), axis, radius: r, half_length: l };
            let about = DVec3::new(1.7, -0.9, 0.0);
            // inscribed meshes, grown to the volume of the shape
            let grow = |v: f64, mesh: ClosedMesh| libm::cbrt(v / mesh.volume());
            let (vc, vb) = (2.0 * PI * r * r * l, 4.0 / 3.0 * PI * r * r * r);
            let g = grow(vc, ClosedMesh::cylinder(r, l, 192));
            assert_close(&cylinder(&rod, level, about), &clipped(&ClosedMesh::cylinder(g * r, g * l, 192), &rod, level, about), 1.0, 3e-3);
            let g = grow(vc + vb, ClosedMesh::capsule(r, l, 128));
            assert_close(&capsule(&rod, level, about), &clipped(&ClosedMesh::capsule(g * r, g * l, 128), &rod, level, about), 1.0, 2e-3);
        }
    }

    proptest! {
        #[test]
        fn level_changes_the_volume_by_the_water_plane(axis in direction(), z in -1.2..1.2f64, l in 0.01..1.0f64) {
            prop_assume!(axis.z.abs() < 0.999);
            let rod = Rod { center: DVec3::new(0.2, -0.1, z), axis, radius: 0.4, half_length: l };
            check_slopes(cylinder, &rod, 0.0, DVec3::new(0.1, 0.0, 0.3));
            check_slopes(capsule, &rod, 0.0, DVec3::new(0.1, 0.0, 0.3));
        }

        #[test]
        fn capsule_without_a_cylinder_is_a_sphere(axis in direction(), z in -0.5..0.5f64) {
            let rod = Rod { center: DVec3::new(0.2, -0.1, z), axis, radius: 0.45, half_length: 0.0 };
            let about = DVec3::new(0.1, 0.3, 0.0);
            assert_close(&capsule(&rod, 0.0, about), &sphere(rod.center, 0.45, 0.0, about), 0.45, 1e-13);
        }

        #[test]
        fn dry_and_wet_parts_make_the_whole(axis in direction(), z in -1.2..1.2f64, l in 0.01..1.0f64) {
            // turned upside down, what was dry is wet
            let (r, up) = (0.4, DVec3::new(1.0, 1.0, -1.0));
            let rod = Rod { center: DVec3::new(0.0, 0.0, z), axis, radius: r, half_length: l };
            let mirror = Rod { center: -z * DVec3::Z, axis: axis * up, ..rod };
            for (shape, volume) in [(cylinder as Shape, 2.0 * PI * r * r * l),
                                    (capsule as Shape, PI * r * r * (2.0 * l + 4.0 / 3.0 * r))] {
                let (a, b) = (shape(&rod, 0.0, DVec3::ZERO), shape(&mirror, 0.0, DVec3::ZERO));
                near(a.volume + b.volume, volume, 1e-13);
                let moment = a.volume * a.center + b.volume * (b.center * up);
                assert!((moment - volume * rod.center).length() < 1e-13);
                near(a.water_plane.xx, b.water_plane.xx, 1e-12 * (1.0 + a.water_plane.xx));
                near(a.water_plane.xy, b.water_plane.xy, 1e-12 * (1.0 + a.water_plane.xx));
            }
        }

        #[test]
        fn results_are_continuous(angle in 0.05..0.5 * PI, z in -1.5..1.5f64) {
            // volume, moments, wet area and draft; the water plane of a flat end may change quickly
            for (shape, l) in [(cylinder as Shape, 1.0), (cylinder as Shape, 0.1), (capsule as Shape, 1.0)] {
                let a = rod(angle, z, 0.4, l);
                let b = Rod { axis: a.axis + DVec3::new(1e-11, 0.0, -1e-11), ..a };
                let (p, q) = (list(&shape(&a, 0.0, DVec3::ZERO), 1.0), list(&shape(&b, 0.0, DVec3::ZERO), 1.0));
                for i in 0..6 {
                    prop_assert!((p[i] - q[i]).abs() < 1e-9, "number {i}: {} {}", p[i], q[i]);
                }
            }
        }
    }

    #[test]
    fn no_jump_where_formulas_change() {
        let (r, l) = (0.4, 1.0);
        for z in [-0.35, -0.1, 0.0, 0.2, 0.39] {
            // slope at which the closed form of the cylinder takes over
            let tan = 0.125 * r / l;
            let at = |tan: f64| Rod { axis: DVec3::new(1.0, 0.0, tan), ..rod(0.0, z, r, l) };
            for (shape, reach) in [(cylinder as Shape, l), (capsule as Shape, l + r)] {
                let (a, b) = (at(tan * (1.0 - 1e-14)), at(tan * (1.0 + 1e-14)));
                assert_close(&shape(&a, 0.0, DVec3::ZERO), &shape(&b, 0.0, DVec3::ZERO), reach, 1e-12);
                // level and almost level
                let (a, b) = (at(0.0), at(1e-14));
                assert_close(&shape(&a, 0.0, DVec3::ZERO), &shape(&b, 0.0, DVec3::ZERO), reach, 1e-12);
                // upright and almost upright
                let upright = Rod { axis: DVec3::Z, ..at(0.0) };
                for tilt in [1e-300, 1e-16, 1e-15, 1e-14, 1e-12] {
                    let leaning = Rod { axis: DVec3::new(tilt, 0.0, -1.0), ..upright };
                    let (a, b) = (shape(&upright, 0.0, DVec3::ZERO), shape(&leaning, 0.0, DVec3::ZERO));
                    assert_close(&a, &b, reach, 1e-11);
                }
            }
        }
    }

    #[test]
    fn upright_and_level_cylinders_have_textbook_values() {
        let (r, l, about) = (0.4, 1.0, DVec3::new(0.5, 0.0, 0.0));
        let wet = cylinder(&rod(0.0, 0.3, r, l), 0.0, about);
        near(wet.volume, PI * r * r * 0.7, 1e-14);
        near(wet.center.z, -0.35, 1e-14);
        near(wet.wet_area, PI * r * r + 2.0 * PI * r * 0.7, 1e-14);
        near(wet.water_plane.area, PI * r * r, 1e-14);
        near(wet.water_plane.xx, 0.25 * PI * r.powi(4) + 0.25 * PI * r * r, 1e-14);
        near(wet.water_plane.yy, 0.25 * PI * r.powi(4), 1e-14);
        let level = cylinder(&Rod { axis: DVec3::X, ..rod(0.0, 0.0, r, l) }, 0.0, DVec3::ZERO);
        near(level.volume, PI * r * r * l, 1e-14);
        near(level.center.z, -4.0 * r / (3.0 * PI), 1e-14);
        near(level.water_plane.xx, 2.0 * r * (2.0 * l).powi(3) / 12.0, 1e-14);
        near(level.water_plane.yy, 2.0 * l * (2.0 * r).powi(3) / 12.0, 1e-14);
        near(level.wet_area, PI * r * r + 2.0 * PI * r * l, 1e-14);
    }

    #[test]
    fn touching_the_surface_stays_in_the_body() {
        let (r, l) = (0.4, 1.0);
        for (shape, round) in [(cylinder as Shape, false), (capsule as Shape, true)] {
            for angle in [0.0, 1e-9, 0.3, 1.0, 0.5 * PI - 1e-9, 0.5 * PI] {
                let (s, c) = libm::sincos(angle);
                let lowest = shape(&rod(angle, 0.0, r, l), 9.0, DVec3::ZERO).draft - 9.0;
                near(lowest, l * c + if round { r } else { r * s }, 1e-14);
                for depth in [1e-15, 1e-12, 1e-9, 1e-6, 1e-3] {
                    let a = rod(angle, lowest - depth, r, l);
                    let wet = shape(&a, 0.0, DVec3::ZERO);
                    assert!(wet.volume >= 0.0 && wet.volume < 4.0 * depth, "{angle} {depth} {wet:?}");
                    assert!(
                        wet.center.z <= 0.0 && wet.center.z >= -2.0 * depth - 1e-15,
                        "{angle} {depth} {wet:?}"
                    );
                    assert!(wet.center.x.abs() < l + r && wet.center.y.abs() < 1e-9);
                }
                let dry = rod(angle, lowest + 1e-12, r, l);
                assert_eq!(shape(&dry, 0.0, DVec3::ZERO), Immersion::default());
            }
        }
    }

    /// Prints the time per body: `cargo test --release -- --ignored --nocapture time_per_body`.
    #[test]
    #[ignore = "measures time"]
    fn time_per_body() {
        for (name, shape, angle) in [
            ("cylinder", cylinder as Shape, 1.0),
            ("level cylinder", cylinder as Shape, 1.56),
            ("capsule", capsule as Shape, 1.0),
            ("level capsule", capsule as Shape, 1.56),
        ] {
            let (start, mut sum) = (std::time::Instant::now(), 0.0);
            for i in 0..100_000 {
                sum += shape(&rod(angle, 1e-6 * f64::from(i), 0.4, 1.0), 0.0, DVec3::ZERO).volume;
            }
            println!("{name}: {:.0} ns ({sum:.1})", start.elapsed().as_secs_f64() * 1e4);
        }
    }
}
