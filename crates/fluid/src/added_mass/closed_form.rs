//! Added mass of simple shapes deep in a fluid, about their centre and along their axes.
//!
//! Ellipsoids with half axes a, b, c are exact (Lamb, Hydrodynamics, §§ 114–115); a sphere and a disc are limits of them:
//!
//! ```text
//! α_i = ⅔ abc R_D(a_j², a_k²; a_i²),   α_1 + α_2 + α_3 = 2          A_i = ρ V α_i/(α_j + α_k)
//! D_i = (ρ V/5) (a_j² − a_k²)² (α_k − α_j)/(α_i (a_j² − a_k²) + 2 (a_j² α_j − a_k² α_k))
//! ```
//!
//! with Carlson's integral R_D. Cylinders and boxes have no closed form. They are a plate or a strip, whose added mass
//! is known, times a factor in a table; the tables have the right limits for thin and for long bodies. C_a across a
//! cylinder and of thin plates are those of DNV-RP-C205; all other entries were computed with [`super::panels`] and
//! extrapolated to infinitely many triangles. Tests compare them with panels: translations are within 5 % (boxes 2 %),
//! rotations within 8 %. The ellipsoid of equal volume and side ratios would be up to 50 % off for boxes, and gives no
//! added moment of inertia to a cube.
//!
//! Axis z is that of discs, cylinders and capsules.

use super::tables::{
    CAPSULE_ALONG, CAPSULE_ROTATION, CYLINDER_ACROSS, CYLINDER_ALONG, CYLINDER_ROTATION, CYLINDER_STRIPS,
    PLATE, along, prism_factor, rotation_factor,
};
use glam::DVec3;
use std::f64::consts::PI;
use windlass_engine::body::spatial::SpatialMatrix;

/// A sphere of `radius` [m]: half of the displaced mass along all axes [kg].
pub fn sphere(radius: f64, density: f64) -> SpatialMatrix {
    let mass = 2.0 / 3.0 * PI * density * radius * radius * radius;
    SpatialMatrix::from_diagonal(DVec3::splat(mass), DVec3::ZERO)
}

/// An ellipsoid of these half axes [m] along x, y and z; one of them may be zero.
pub fn ellipsoid(half_axes: DVec3, density: f64) -> SpatialMatrix {
    let a = half_axes;
    let least = if a.x < a.y.min(a.z) { 0 } else { 1 + usize::from(a.z <= a.y) };
    let product = 2.0 / 3.0 * a.element_product();
    // integrals R_D, α, and a² R_D; those of the least axis from the sum of α: it stays accurate for a thin disc
    let (mut integral, mut alpha, mut moment) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    for i in (0..3).filter(|&i| i != least) {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        integral[i] = carlson_rd(a[j] * a[j], a[k] * a[k], a[i] * a[i]);
        alpha[i] = product * integral[i];
        moment[i] = a[i] * a[i] * integral[i];
    }
    let (j, k) = ((least + 1) % 3, (least + 2) % 3);
    if !(a[j] > 0.0 && a[k] > 0.0) {
        return SpatialMatrix::ZERO;
    }
    alpha[least] = 2.0 - (alpha[j] + alpha[k]);
    integral[least] = alpha[least] / product;
    moment[least] = 1.5 * a[least] * alpha[least] / (a[j] * a[k]);

    // ρ V R_D is 2 π ρ α
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        linear[i] = 2.0 * PI * density * alpha[i] / (integral[j] + integral[k]);
        let squares = a[j] * a[j] - a[k] * a[k];
        if squares != 0.0 {
            let below = integral[i] * squares + 2.0 * (moment[j] - moment[k]);
            angular[i] = 0.4 * PI * density * squares * squares * (alpha[k] - alpha[j]) / below;
        }
    }
    SpatialMatrix::from_diagonal(linear, angular)
}

/// A thin disc of `radius` [m] across z: 8/3 ρ r³ along z, 16/45 ρ r⁵ about its diameters.
pub fn disc(radius: f64, density: f64) -> SpatialMatrix {
    let cube = density * radius * radius * radius;
    let angular = 16.0 / 45.0 * cube * radius * radius;
    SpatialMatrix::from_diagonal(DVec3::Z * (8.0 / 3.0 * cube), DVec3::new(angular, angular, 0.0))
}

/// A cylinder of `radius` and `half_length` [m] along z.
///
/// Across: C_a of DNV-RP-C205 by length over diameter, from panels below 1.2. Along: 8/3 ρ r³ of a disc when short, 4.1 ρ r³
/// when long, a limit that the ellipsoid of equal volume does not have, because it has no flat ends. About a diameter:
/// strips of a long cylinder with a factor for the flow around the ends, or a thick disc.
pub fn cylinder(radius: f64, half_length: f64, density: f64) -> SpatialMatrix {
    if !(radius > 0.0) {
        return SpatialMatrix::ZERO;
    }
    let cube = density * radius * radius * radius;
    let ratio = half_length / radius;
    let at = half_length / (half_length + radius);
    let across = 2.0 * PI * cube * ratio * along(&CYLINDER_ACROSS, at);
    let rotation = match ratio < 1.0 {
        true => along(&CYLINDER_ROTATION, at),
        false => 2.0 / 3.0 * PI * ratio * ratio * ratio * along(&CYLINDER_STRIPS, at),
    } * (cube * radius * radius);
    let linear = DVec3::new(across, across, cube * along(&CYLINDER_ALONG, at));
    SpatialMatrix::from_diagonal(linear, DVec3::new(rotation, rotation, 0.0))
}

/// A capsule of `radius` and `half_length` [m] of its straight part along z.
///
/// Across and about a diameter: the spheroid of its volume and aspect ratio, with up to 27 % more about a diameter when
/// long. Along: ⅔ π ρ r³ of a sphere when short, 2.7 ρ r³ when long.
pub fn capsule(radius: f64, half_length: f64, density: f64) -> SpatialMatrix {
    let end = half_length + radius;
    if !(end > 0.0) {
        return SpatialMatrix::ZERO;
    }
    let scale = libm::cbrt((1.5 * half_length + radius) / end);
    let (linear, angular) = ellipsoid(DVec3::new(radius, radius, end) * scale, density).diagonal();
    let at = half_length / end;
    let axial = density * radius * radius * radius * along(&CAPSULE_ALONG, at);
    SpatialMatrix::from_diagonal(linear.with_z(axial), angular * along(&CAPSULE_ROTATION, at))
}

/// A box of these half sides [m] along x, y and z.
///
/// Along an axis: a thin plate ¼ π ρ a² b κ(b/a) of the sides a ≤ b across it, times a factor for its thickness. About an
/// axis: a plate of the longer side across it, times a factor for the other two.
pub fn cuboid(half: DVec3, density: f64) -> SpatialMatrix {
    let sides = 2.0 * half;
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for i in 0..3 {
        let (depth, p, q) = (sides[i], sides[(i + 1) % 3], sides[(i + 2) % 3]);
        let (narrow, wide) = (p.min(q), p.max(q));
        if narrow > 0.0 {
            let plate = 0.25 * PI * density * narrow * narrow * wide * along(&PLATE, narrow / wide);
            linear[i] = plate * prism_factor(depth / (narrow + depth), narrow / wide);
        }
        if wide > 0.0 && depth > 0.0 {
            // a strip that rotates about its middle line, π/128 ρ a⁴ per metre; shorter ones as strips across it
            let strip =
                PI / 128.0 * density * wide * wide * wide * wide * depth / (1.0 + 0.375 * wide / depth);
            angular[i] = strip * rotation_factor(narrow / wide, depth / (wide + depth));
        }
    }
    SpatialMatrix::from_diagonal(linear, angular)
}

/// Carlson's R_D(x, y; z) = 3/2 ∫₀^∞ dt/(√((t+x)(t+y)) (t+z)^{3/2}) by duplication; at most one of x and y is zero, z is not.
pub fn carlson_rd(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    let (mut sum, mut factor) = (0.0, 1.0);
    // deviations fall by 4 per round; 300 rounds are beyond all ratios of finite numbers
    for _ in 0..300 {
        let (rx, ry, rz) = (x.sqrt(), y.sqrt(), z.sqrt());
        let lambda = rx * ry + ry * rz + rz * rx;
        sum += factor / (rz * (z + lambda));
        factor *= 0.25;
        (x, y, z) = (0.25 * (x + lambda), 0.25 * (y + lambda), 0.25 * (z + lambda));
        let mean = (x + y + 3.0 * z) / 5.0;
        if ((mean - x).abs().max((mean - y).abs()).max((mean - z).abs())) < 1e-3 * mean {
            break;
        }
    }
    // Taylor series about the mean, error below 3e-18
    let mean = (x + y + 3.0 * z) / 5.0;
    let (dx, dy, dz) = ((mean - x) / mean, (mean - y) / mean, (mean - z) / mean);
    let (xy, zz) = (dx * dy, dz * dz);
    let e2 = xy - 6.0 * zz;
    let e3 = (3.0 * xy - 8.0 * zz) * dz;
    let e4 = 3.0 * (xy - zz) * zz;
    let e5 = xy * zz * dz;
    let series =
        1.0 - 3.0 / 14.0 * e2 + e3 / 6.0 + 9.0 / 88.0 * e2 * e2 - 3.0 / 22.0 * e4 - 9.0 / 52.0 * e2 * e3
            + 3.0 / 26.0 * e5;
    3.0 * sum + factor * series / (mean * mean.sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::panels::{self, Boundaries};
    use super::super::test_meshes::{self, Mesh, graded_box, revolution};
    use super::*;

    fn by_panels((vertices, triangles): &Mesh) -> (DVec3, DVec3) {
        let found = panels::added_mass(vertices, triangles, DVec3::ZERO, 1.0, &Boundaries::default());
        found.expect("a good mesh").added_mass.diagonal()
    }

    /// Compares where the expected value is not zero.
    fn near(name: &str, found: DVec3, expected: DVec3, share: f64) {
        for i in 0..3 {
            let off = (found[i] - expected[i]).abs();
            assert!(off <= share * expected[i].abs().max(1e-12), "{name}, axis {i}: {found} {expected}");
        }
    }

    #[test]
    fn integral_of_carlson() {
        // R_D(0, 2, 1) and R_D(2, 3, 4) of Carlson, Numerical Algorithms 10 (1995)
        assert!((carlson_rd(0.0, 2.0, 1.0) - 1.797_210_352_103_388_3).abs() < 1e-15);
        assert!((carlson_rd(2.0, 3.0, 4.0) - 0.165_105_272_942_610_53).abs() < 1e-16);
        assert!((carlson_rd(4.0, 4.0, 4.0) - 0.125).abs() < 1e-16);
    }

    #[test]
    fn fl35_ellipsoid_of_lamb() {
        let (linear, angular) = ellipsoid(DVec3::new(3.0, 2.0, 1.0), 1.0).diagonal();
        near("along", linear, DVec3::new(4.6560013, 9.1619709, 34.218918), 2e-8);
        near("about", angular, DVec3::new(9.6325576, 35.599831, 3.9141915), 2e-8);
        // axes in another order
        let (linear, angular) = ellipsoid(DVec3::new(1.0, 3.0, 2.0), 1.0).diagonal();
        near("along", linear, DVec3::new(34.218918, 4.6560013, 9.1619709), 2e-8);
        near("about", angular, DVec3::new(3.9141915, 9.6325576, 35.599831), 2e-8);
    }

    #[test]
    fn limits_of_the_ellipsoid() {
        let (linear, angular) = ellipsoid(DVec3::splat(0.7), 1000.0).diagonal();
        near("sphere", linear, sphere(0.7, 1000.0).diagonal().0, 1e-14);
        assert_eq!(angular, DVec3::ZERO);
        for thickness in [0.0, 1e-12, 1e-6] {
            let (linear, angular) = ellipsoid(DVec3::new(2.0, 2.0, 2.0 * thickness), 3.0).diagonal();
            let (across, about) = disc(2.0, 3.0).diagonal();
            assert!((linear.z / across.z - 1.0).abs() < 2.0 * thickness + 1e-14, "{thickness}: {linear}");
            assert!((angular.x / about.x - 1.0).abs() < 4.0 * thickness + 1e-14, "{thickness}: {angular}");
            assert!((angular.y / about.y - 1.0).abs() < 4.0 * thickness + 1e-14);
            assert!(linear.x.max(linear.y) < 10.0 * thickness * across.z + 1e-300 && angular.z == 0.0);
        }
        // a long spheroid: 1 across, strips about a diameter, (ln 2a/b − 1) b²/a² along
        let (a, b) = (1000.0, 1.0);
        let (linear, angular) = ellipsoid(DVec3::new(a, b, b), 1.0).diagonal();
        let volume = 4.0 / 3.0 * PI * a * b * b;
        assert!((linear.y / volume - 1.0).abs() < 2e-5 && (linear.x / volume / 6.6e-6 - 1.0).abs() < 1e-3);
        assert!((angular.z / (volume / 5.0 * a * a) - 1.0).abs() < 1e-4 && angular.x == 0.0);
        assert_eq!(ellipsoid(DVec3::new(1.0, 0.0, 0.0), 1.0), SpatialMatrix::ZERO);
    }

    #[test]
    fn cylinders_against_panels() {
        let dnv = [(1.2, 0.62), (2.5, 0.78), (5.0, 0.90), (9.0, 0.96)];
        for (ratio, coefficient) in dnv {
            let found = cylinder(1.0, ratio, 1.0).diagonal().0.x / (2.0 * PI * ratio);
            assert!((found - coefficient).abs() < 1e-12, "{ratio}: {found}");
        }
        // circumference of equal area
        let (around, angle) = (16, 2.0 * PI / 16.0);
        let radius = (angle / libm::sin(angle)).sqrt();
        for ratio in [0.3, 0.8, 1.5, 4.0, 8.0] {
            let k = by_panels(&test_meshes::cylinder(radius, ratio, [5, 10, around]));
            let (linear, angular) = cylinder(1.0, ratio, 1.0).diagonal();
            near(&format!("cylinder {ratio}"), linear, k.0, 0.05);
            near(&format!("cylinder {ratio}"), angular.with_z(k.1.z), k.1, 0.05);
        }
        let (linear, angular) = cylinder(2.0, 0.0, 3.0).diagonal();
        near("disc", linear, disc(2.0, 3.0).diagonal().0, 1e-14);
        near("disc", angular, disc(2.0, 3.0).diagonal().1, 1e-14);
        let long = cylinder(0.1, 500.0, 1.0).diagonal().0.x / (PI * 10.0);
        assert!((long - 1.0).abs() < 1e-3, "{long}");
    }

    #[test]
    fn capsules_against_panels() {
        let ball = capsule(0.7, 0.0, 1.0).diagonal();
        near("sphere", ball.0, sphere(0.7, 1.0).diagonal().0, 1e-14);
        assert_eq!(ball.1, DVec3::ZERO);
        for half in [0.5, 1.5, 3.0, 6.0] {
            let arc = |i: usize| (libm::sin(PI / 12.0 * i as f64), -libm::cos(PI / 12.0 * i as f64));
            let mut profile: Vec<_> = (0..=6).map(|i| (arc(i).0, arc(i).1 - half)).collect();
            profile.extend((1..9).map(|i| (1.0, half * (i as f64 / 4.5 - 1.0))));
            profile.extend((6..=12).map(|i| (arc(i).0.max(0.0), arc(i).1 + half)));
            let k = by_panels(&revolution(&profile, 20));
            let (linear, angular) = capsule(1.0, half, 1.0).diagonal();
            near(&format!("capsule {half}"), linear, k.0, 0.05);
            near(&format!("capsule {half}"), angular.with_z(k.1.z), k.1, 0.06);
        }
    }

    #[test]
    fn boxes_against_panels() {
        let cube = cuboid(DVec3::splat(0.5), 1.0).diagonal();
        assert!((cube.0.x - 0.638).abs() < 2e-4 && cube.0.x == cube.0.z, "{}", cube.0);
        let plate = cuboid(DVec3::new(1.0, 0.5, 0.0), 1.0).diagonal().0;
        near("plate 2 × 1", plate, DVec3::Z * (0.757 * 0.25 * PI * 2.0), 1e-12);
        // DNV's square prisms are 5 to 9 % above panels, as its cube is
        for (ratio, coefficient) in [(2.0, 0.36), (3.0, 0.24), (4.0, 0.19), (5.0, 0.15)] {
            let found = cuboid(DVec3::new(0.5, 0.5, 0.5 * ratio), 1.0).diagonal().0.z / ratio;
            assert!((found / coefficient - 0.93).abs() < 0.03, "prism {ratio}: {found}");
        }
        for sides in [
            [1.0, 1.0, 0.15],
            [1.0, 1.5, 0.3],
            [1.0, 1.0, 3.0],
            [1.0, 2.5, 5.0],
            [20.0, 8.0, 3.0],
            [3.0, 2.2, 1.9],
        ] {
            let sides = DVec3::from(sides);
            let mean = libm::cbrt(sides.element_product());
            let cells = [0, 1, 2].map(|i| (8.0 * (sides[i] / mean).sqrt() + 0.5) as usize);
            let k = by_panels(&graded_box(sides, cells));
            let (linear, angular) = cuboid(0.5 * sides, 1.0).diagonal();
            near(&format!("along {sides}"), linear, k.0, 0.05);
            near(&format!("about {sides}"), angular, k.1, 0.08);
        }
    }
}
