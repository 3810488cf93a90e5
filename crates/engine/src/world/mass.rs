//! Mass, centre of mass and inertia of solids of uniform density ρ.
//!
//! ```text
//! sphere    m = ⁴⁄₃πρr³         J = ⅖ m r²
//! box       m = 8ρ hx hy hz     Jx = ⅓ m (hy² + hz²), and so on round
//! cylinder  m = 2πρ r² l        Jx = Jy = m (¼ r² + ⅓ l²)         Jz = ½ m r²
//! capsule   cylinder + sphere   Jx = Jy += m_sphere (⅖ r² + l² + ¾ r l)
//! cone      m = ⅔πρ r² h        Jx = Jy = m (3⁄20 r² + 3⁄20 h²)   Jz = 3⁄10 m r²   centre z = −½ h
//! ```
//!
//! with l and h the half length and half height. A closed surface is cut into tetrahedra from an
//! origin o near it to each triangle; with a, b, c from o, s = a + b + c and v = ⅙ a · (b × c):
//!
//! ```text
//! V  = Σ v                   ∫x = Σ ¼ v s             ∫xxᵀ = Σ ¹⁄₂₀ v (aaᵀ + bbᵀ + ccᵀ + ssᵀ)
//! m  = ρV                    centre = o + ∫x / V
//! J  = tr(C) 1 − C           C = ρ (∫xxᵀ − V x̄x̄ᵀ),   x̄ = ∫x / V
//! ```
//!
//! Moving, turning and joining:
//!
//! ```text
//! turned by R, then moved by p:   centre → p + R centre      J → R J Rᵀ
//! about another point, d off:     J → J + m (d·d 1 − ddᵀ)
//! joined:                         m = Σ mᵢ    centre = Σ mᵢ cᵢ / m    J = Σ Jᵢ about centre
//! ```

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

use super::shape::{Shape, ShapeError, hull};

/// Slack of the triangle inequality, relative to the largest principal moment.
const TRIANGLE_SLACK: f64 = 1e-6;
/// Largest difference of mirrored entries, relative to the largest entry.
const SYMMETRY_SLACK: f64 = 1e-9;
/// The smallest principal moment must exceed this share of the largest: rounding reaches 10⁻¹⁵.
const DEFINITE: f64 = 1e-14;
/// Jacobi sweeps at most; each squares the off-diagonal rest, six suffice for any tensor.
const SWEEPS: usize = 16;

/// How much matter a body has, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass in the body's own frame (m).
    pub center: DVec3,
    /// Inertia about the centre of mass in the body's axes (kg·m²), symmetric.
    pub inertia: DMat3,
}

/// Why no rigid body has such a mass, and what to do about it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MassError {
    /// The density is zero, negative or not a number.
    #[error("`density` is {0}: give a positive, finite density in kg/m³")]
    Density(f64),
    /// The mass is zero, negative or not a number.
    #[error("`mass` is {0}: give a positive, finite mass in kg")]
    Mass(f64),
    /// The centre of mass is infinite or not a number.
    #[error("`center` is {0}: give finite coordinates in metres")]
    Center(DVec3),
    /// The inertia is infinite or not a number.
    #[error("`inertia` has an entry that is not finite: give all entries in kg·m²")]
    NotFinite,
    /// Mirrored entries differ.
    #[error(
        "`inertia` is not symmetric: entry ({row}, {column}) is {upper}, \
         ({column}, {row}) is {lower}; make them equal"
    )]
    Asymmetric {
        /// Row of the upper entry, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
        /// The upper entry (kg·m²).
        upper: f64,
        /// The lower entry (kg·m²).
        lower: f64,
    },
    /// A principal moment is zero or negative.
    #[error(
        "`inertia` has principal moments {0} kg·m²: all must be positive; \
         give the body an extent, or check the signs of the products of inertia"
    )]
    Indefinite(DVec3),
    /// One principal moment exceeds the sum of the others.
    #[error(
        "`inertia` has principal moments {0} kg·m²: no solid has one above the sum of the others; \
         check units and that the inertia is about the centre of mass"
    )]
    Triangle(DVec3),
    /// The shape is no solid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl Mass {
    /// A solid of uniform density (kg/m³).
    ///
    /// # Errors
    /// The shape is no solid, the density is not positive, or the result leaves the range of f64.
    pub fn of(shape: &Shape, density: f64) -> Result<Mass, MassError> {
        if !(density.is_finite() && density > 0.0) {
            return Err(MassError::Density(density));
        }
        shape.check()?;
        let solid = solid(shape)?.scaled(density);
        solid.check()?;
        Ok(solid)
    }

    /// A solid of uniform density and the given mass (kg).
    ///
    /// # Errors
    /// The shape is no solid, or the mass is not positive.
    pub fn of_total(shape: &Shape, mass: f64) -> Result<Mass, MassError> {
        check_mass(mass)?;
        let unit = Mass::of(shape, 1.0)?;
        Ok(Mass { mass, ..unit.scaled(mass / unit.mass) })
    }

    /// A mass (kg) at the origin without extent: a part to join to others, no body by itself.
    #[must_use]
    pub fn point(mass: f64) -> Mass {
        Mass::new(mass, DVec3::ZERO, DMat3::ZERO)
    }

    /// Mass (kg), centre of mass (m) and inertia about it in the body's axes (kg·m²), unchecked.
    #[must_use]
    pub fn new(mass: f64, center: DVec3, inertia: DMat3) -> Mass {
        Mass { mass, center, inertia }
    }

    /// As [`Mass::new`], from principal moments (kg·m²) along x, y and z of a frame whose
    /// attitude in the body is `axes`.
    #[must_use]
    pub fn principal(mass: f64, center: DVec3, moments: DVec3, axes: DQuat) -> Mass {
        Mass { mass, center, inertia: turned(DMat3::from_diagonal(moments), axes) }
    }

    /// Parts joined rigidly, each with the origin (m) and attitude of its frame in the whole.
    /// A negative mass and inertia cuts a hole; without any mass the centre is the origin.
    #[must_use]
    pub fn combine(parts: &[(DVec3, DQuat, Mass)]) -> Mass {
        let placed = || parts.iter().map(|&(at, turn, part)| part.moved(at, turn));
        let mass: f64 = placed().map(|part| part.mass).sum();
        let first: DVec3 = placed().map(|part| part.mass * part.center).sum();
        let center = if mass == 0.0 { DVec3::ZERO } else { first / mass };
        let inertia = placed().map(|part| part.about(center)).fold(DMat3::ZERO, |sum, part| sum + part);
        Mass { mass, center, inertia }
    }

    /// The same matter in a frame where its own has origin `at` (m) and attitude `turn`.
    #[must_use]
    pub fn moved(self, at: DVec3, turn: DQuat) -> Mass {
        Mass { center: at + turn * self.center, inertia: turned(self.inertia, turn), ..self }
    }

    /// Inertia (kg·m²) about a point (m) of the body's frame, in the body's axes.
    #[must_use]
    pub fn about(&self, point: DVec3) -> DMat3 {
        let offset = self.center - point;
        self.inertia + inertia_of(outer(offset) * self.mass)
    }

    /// Principal moments (kg·m²) in ascending order, and the attitude in the body of the
    /// right-handed frame whose x, y and z they belong to: J = R diag(moments) Rᵀ.
    #[must_use]
    pub fn principal_axes(&self) -> (DVec3, DQuat) {
        let (moments, axes) = eigen(self.inertia);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
        let [x, y] = [axes.col(order[0]), axes.col(order[1])];
        let frame = DMat3::from_cols(x, y, x.cross(y));
        (DVec3::from_array(order.map(|i| moments[i])), DQuat::from_mat3(&frame).normalize())
    }

    /// Whether a rigid body can have this mass: mass positive, inertia symmetric and positive
    /// definite, no principal moment above the sum of the others (slack 10⁻⁶).
    ///
    /// # Errors
    /// Names what is wrong and what to do.
    pub fn check(&self) -> Result<(), MassError> {
        check_mass(self.mass)?;
        if !self.center.is_finite() {
            return Err(MassError::Center(self.center));
        }
        if !self.inertia.is_finite() {
            return Err(MassError::NotFinite);
        }
        check_symmetry(self.inertia)?;
        let (moments, _) = self.principal_axes();
        if moments.x <= DEFINITE * moments.z {
            return Err(MassError::Indefinite(moments));
        }
        if moments.z > (moments.x + moments.y) + TRIANGLE_SLACK * moments.z {
            return Err(MassError::Triangle(moments));
        }
        Ok(())
    }

    fn scaled(self, factor: f64) -> Mass {
        Mass { mass: self.mass * factor, inertia: self.inertia * factor, ..self }
    }
}

fn check_mass(mass: f64) -> Result<(), MassError> {
    if mass.is_finite() && mass > 0.0 { Ok(()) } else { Err(MassError::Mass(mass)) }
}

fn check_symmetry(inertia: DMat3) -> Result<(), MassError> {
    let entry = |row: usize, column: usize| inertia.col(column)[row];
    let largest =
        inertia.to_cols_array().into_iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    for (row, column) in [(0, 1), (0, 2), (1, 2)] {
        let (upper, lower) = (entry(row, column), entry(column, row));
        if (upper - lower).abs() > SYMMETRY_SLACK * largest {
            return Err(MassError::Asymmetric { row, column, upper, lower });
        }
    }
    Ok(())
}

/// A checked shape at density 1.
fn solid(shape: &Shape) -> Result<Mass, ShapeError> {
    Ok(match shape {
        Shape::Sphere { radius } => sphere(*radius),
        Shape::Box { half } => cuboid(*half),
        Shape::Cylinder { radius, half_length } => cylinder(*radius, *half_length),
        Shape::Capsule { radius, half_length } => capsule(*radius, *half_length),
        Shape::Cone { radius, half_height } => cone(*radius, *half_height),
        Shape::Convex { points } => {
            let (vertices, triangles) = hull(points)?;
            polyhedron(&vertices, &triangles)
        }
        Shape::Mesh { vertices, triangles } => polyhedron(vertices, triangles),
        Shape::Compound { parts } => {
            let solids: Result<Vec<_>, ShapeError> =
                parts.iter().map(|(at, turn, part)| Ok((*at, *turn, solid(part)?))).collect();
            Mass::combine(&solids?)
        }
    })
}

fn sphere(radius: f64) -> Mass {
    let mass = 4.0 / 3.0 * PI * radius * radius * radius;
    Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(0.4 * mass * radius * radius)))
}

fn cuboid(half: DVec3) -> Mass {
    let mass = 8.0 * half.x * half.y * half.z;
    let square = half * half;
    let sums = DVec3::splat(square.element_sum()) - square;
    Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(sums * (mass / 3.0)))
}

fn cylinder(radius: f64, half_length: f64) -> Mass {
    let (r2, l2) = (radius * radius, half_length * half_length);
    let mass = 2.0 * PI * r2 * half_length;
    Mass::new(mass, DVec3::ZERO, about_z(mass * (r2 / 4.0 + l2 / 3.0), mass * r2 / 2.0))
}

fn capsule(radius: f64, half_length: f64) -> Mass {
    let straight = cylinder(radius, half_length);
    let ends = sphere(radius);
    let shift = half_length * (half_length + 0.75 * radius);
    let apart = about_z(ends.mass * shift, 0.0);
    Mass::new(straight.mass + ends.mass, DVec3::ZERO, straight.inertia + ends.inertia + apart)
}

fn cone(radius: f64, half_height: f64) -> Mass {
    let (r2, h2) = (radius * radius, half_height * half_height);
    let mass = 2.0 / 3.0 * PI * r2 * half_height;
    let inertia = about_z(0.15 * mass * (r2 + h2), 0.3 * mass * r2);
    Mass::new(mass, DVec3::new(0.0, 0.0, -half_height / 2.0), inertia)
}

/// A tensor symmetric about z.
fn about_z(across: f64, along: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::new(across, across, along))
}

/// The inside of a closed surface at density 1.
fn polyhedron(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Mass {
    let origin = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| vertices[index as usize] - origin);
        let part = a.dot(b.cross(c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (part / 4.0);
        second += (outer(a) + outer(b) + outer(c) + outer(sum)) * (part / 20.0);
    }
    let mean = first / volume;
    Mass::new(volume, origin + mean, inertia_of(second - outer(mean) * volume))
}

/// vvᵀ.
fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// tr(C) 1 − C: inertia from the second moment C = ∫xxᵀ dm.
fn inertia_of(second: DMat3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(second.diagonal().element_sum())) - second
}

/// R J Rᵀ, symmetric to the last bit.
fn turned(inertia: DMat3, turn: DQuat) -> DMat3 {
    let turn = DMat3::from_quat(turn);
    let product = turn * inertia * turn.transpose();
    (product + product.transpose()) * 0.5
}

/// Eigenvalues and eigenvectors (as columns) of a symmetric matrix, by cyclic Jacobi rotations:
/// each turns the plane of axes p and q so that entry (p, q) becomes zero.
fn eigen(matrix: DMat3) -> (DVec3, DMat3) {
    let (mut rest, mut axes) = (matrix, DMat3::IDENTITY);
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = rest.col(q)[p];
            if off == 0.0 {
                continue;
            }
            let turn = plane_turn(p, q, rest.col(p)[p], rest.col(q)[q], off);
            rest = turn.transpose() * rest * turn;
            rest.col_mut(p)[q] = 0.0;
            rest.col_mut(q)[p] = 0.0;
            axes *= turn;
        }
    }
    (rest.diagonal(), axes)
}

/// The rotation by the smaller angle φ with cot 2φ = (J_qq − J_pp) / 2J_pq.
fn plane_turn(p: usize, q: usize, first: f64, second: f64, off: f64) -> DMat3 {
    let cot = (second - first) / (2.0 * off);
    let tan = 1.0_f64.copysign(cot) / (cot.abs() + libm::hypot(cot, 1.0));
    let cos = 1.0 / libm::hypot(tan, 1.0);
    let mut turn = DMat3::IDENTITY;
    turn.col_mut(p)[p] = cos;
    turn.col_mut(q)[q] = cos;
    turn.col_mut(q)[p] = tan * cos;
    turn.col_mut(p)[q] = -tan * cos;
    turn
}

#[cfg(test)]
mod tests {
    use glam::dvec3;
    use parry3d_f64::mass_properties::MassProperties;
    use proptest::prelude::*;

    use super::*;

    const DENSITY: f64 = 7850.0;

    fn assert_close(found: Mass, expected: Mass, relative: f64) {
        let size = expected.inertia.diagonal().max_element();
        let length = (size / expected.mass).sqrt() + expected.center.length();
        assert!((found.mass / expected.mass - 1.0).abs() <= relative, "{found:?}\n{expected:?}");
        assert!((found.center - expected.center).length() <= relative * length, "{found:?}\n{expected:?}");
        assert!(found.inertia.abs_diff_eq(expected.inertia, relative * size), "{found:?}\n{expected:?}");
    }

    fn of(shape: &Shape) -> Mass {
        Mass::of(shape, DENSITY).unwrap()
    }

    /// Parry's properties; its axis of symmetry is y, ours z.
    fn of_parry(properties: MassProperties, turn: DQuat) -> Mass {
        let mass =
            Mass::new(properties.mass(), properties.local_com, properties.reconstruct_inertia_matrix());
        mass.moved(DVec3::ZERO, turn)
    }

    fn box_mesh(half: DVec3) -> Shape {
        let vertices = (0..8)
            .map(|i| half * dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64) * 2.0 - half)
            .collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Shape::Mesh { vertices, triangles }
    }

    /// A ball as an octahedron with each triangle split `splits` times.
    fn ball_mesh(splits: usize) -> Shape {
        let mut vertices = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        let mut triangles: Vec<[u32; 3]> =
            vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
        for _ in 0..splits {
            let mut middles = std::collections::BTreeMap::new();
            let mut middle = |a: u32, b: u32| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                    vertices.len() as u32 - 1
                })
            };
            triangles = triangles
                .iter()
                .flat_map(|&[a, b, c]| {
                    let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
                    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
                })
                .collect();
        }
        Shape::Mesh { vertices, triangles }
    }

    fn shape_of(kind: usize, a: f64, b: f64, c: f64) -> Shape {
        match kind {
            0 => Shape::Sphere { radius: a },
            1 => Shape::Box { half: dvec3(a, b, c) },
            2 => Shape::Cylinder { radius: a, half_length: b },
            3 => Shape::Capsule { radius: a, half_length: b },
            4 => Shape::Cone { radius: a, half_height: b },
            _ => box_mesh(dvec3(a, b, c)),
        }
    }

    fn turn_of(x: f64, y: f64, z: f64) -> DQuat {
        DQuat::from_xyzw(x, y, z, 1.0).normalize()
    }

    #[test]
    fn primitives_agree_with_parry() {
        let upright = DQuat::from_mat3(&DMat3::from_cols(DVec3::X, DVec3::Z, -DVec3::Y));
        let (r, l) = (0.3, 0.7);
        let half = dvec3(0.2, 0.5, 1.1);
        let ends = [dvec3(0.0, 0.0, -l), dvec3(0.0, 0.0, l)];
        let cases = [
            (shape_of(0, r, 0.0, 0.0), MassProperties::from_ball(DENSITY, r), DQuat::IDENTITY),
            (
                shape_of(1, half.x, half.y, half.z),
                MassProperties::from_cuboid(DENSITY, half),
                DQuat::IDENTITY,
            ),
            (shape_of(2, r, l, 0.0), MassProperties::from_cylinder(DENSITY, l, r), upright),
            (
                shape_of(3, r, l, 0.0),
                MassProperties::from_capsule(DENSITY, ends[0], ends[1], r),
                DQuat::IDENTITY,
            ),
            (shape_of(4, r, l, 0.0), MassProperties::from_cone(DENSITY, l, r), upright),
        ];
        for (shape, properties, turn) in cases {
            assert_close(of(&shape), of_parry(properties, turn), 1e-10);
        }
    }

    #[test]
    fn mesh_and_hull_of_a_box_are_the_box() {
        let half = dvec3(0.2, 0.5, 1.1);
        let expected = of(&Shape::Box { half });
        let mesh = box_mesh(half);
        assert_close(of(&mesh), expected, 1e-14);
        let Shape::Mesh { vertices, .. } = mesh else { unreachable!() };
        assert_close(of(&Shape::Convex { points: vertices }), expected, 1e-14);
    }

    #[test]
    fn a_box_mesh_far_away_keeps_its_inertia() {
        let half = dvec3(0.2, 0.5, 1.1);
        let at = dvec3(1e4, -2e4, 3e4);
        let Shape::Mesh { mut vertices, triangles } = box_mesh(half) else { unreachable!() };
        vertices.iter_mut().for_each(|vertex| *vertex += at);
        let found = of(&Shape::Mesh { vertices, triangles });
        let near = Mass { center: found.center - at, ..found };
        assert_close(near, of(&Shape::Box { half }), 1e-10);
    }

    #[test]
    fn a_cavity_takes_mass_away() {
        let (outer, inner) = (dvec3(1.0, 2.0, 3.0), dvec3(0.5, 0.5, 0.5));
        let Shape::Mesh { mut vertices, mut triangles } = box_mesh(outer) else { unreachable!() };
        let Shape::Mesh { vertices: hole, triangles: inward } = box_mesh(inner) else { unreachable!() };
        vertices.extend(hole);
        triangles.extend(inward.iter().map(|&[a, b, c]| [a + 8, c + 8, b + 8]));
        let cut = of(&Shape::Box { half: inner }).scaled(-1.0);
        let expected = Mass::combine(&[
            (DVec3::ZERO, DQuat::IDENTITY, of(&Shape::Box { half: outer })),
            (DVec3::ZERO, DQuat::IDENTITY, cut),
        ]);
        assert_close(of(&Shape::Mesh { vertices, triangles }), expected, 1e-14);
    }

    #[test]
    fn meshes_of_a_ball_converge_with_order_two() {
        let exact = of(&Shape::Sphere { radius: 1.0 });
        let errors: Vec<[f64; 2]> = (3..6)
            .map(|splits| {
                let found = of(&ball_mesh(splits));
                [exact.mass - found.mass, (exact.inertia - found.inertia).x_axis.x]
            })
            .collect();
        for pair in errors.windows(2) {
            for quantity in 0..2 {
                let order = libm::log2(pair[0][quantity] / pair[1][quantity]);
                assert!((order - 2.0).abs() < 0.05, "order {order}");
            }
        }
        assert!(errors[2][0] / exact.mass < 2e-3);
    }

    #[test]
    fn corner_tetrahedron() {
        // x, y, z ≥ 0, x + y + z ≤ a: m = ρa³/6, centre a/4, J = m a² (3/40 diagonal, 1/80 off).
        let a = 1.7;
        let points = vec![DVec3::ZERO, DVec3::X * a, DVec3::Y * a, DVec3::Z * a];
        let mass = DENSITY * a * a * a / 6.0;
        let off = DMat3::from_cols_array(&[0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
        let inertia = (DMat3::IDENTITY * (3.0 / 40.0) + off * (1.0 / 80.0)) * (mass * a * a);
        assert_close(of(&Shape::Convex { points }), Mass::new(mass, DVec3::splat(a / 4.0), inertia), 1e-14);
    }

    #[test]
    fn halves_of_a_turned_box_make_the_box() {
        let (half, at, turn) = (dvec3(0.4, 0.3, 0.2), dvec3(1.0, -2.0, 0.5), turn_of(0.3, -0.4, 0.8));
        let side = Shape::Box { half: dvec3(0.2, 0.3, 0.2) };
        let place = |x: f64| at + turn * dvec3(x, 0.0, 0.0);
        let flip = turn * DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
        let parts = vec![(place(-0.2), turn, side.clone()), (place(0.2), flip, side)];
        let direct = of(&Shape::Box { half }).moved(at, turn);
        assert_close(of(&Shape::Compound { parts }), direct, 1e-13);
        let whole = Shape::Compound { parts: vec![(at, turn, Shape::Box { half })] };
        assert_close(of(&whole), direct, 1e-14);
    }

    #[test]
    fn of_total_keeps_the_mass_exactly() {
        let shape = Shape::Cone { radius: 0.3, half_height: 0.2 };
        let found = Mass::of_total(&shape, 12.3).unwrap();
        assert_eq!(found.mass, 12.3);
        assert_close(found, Mass::of(&shape, 12.3 / Mass::of(&shape, 1.0).unwrap().mass).unwrap(), 1e-14);
        assert_eq!(Mass::of_total(&shape, -1.0), Err(MassError::Mass(-1.0)));
    }

    #[test]
    fn points_on_a_stick_make_a_dumbbell() {
        let ends = [
            (DVec3::X * 2.0, DQuat::IDENTITY, Mass::point(1.0)),
            (-DVec3::X, DQuat::IDENTITY, Mass::point(2.0)),
        ];
        let found = Mass::combine(&ends);
        assert_eq!(found, Mass::new(3.0, DVec3::ZERO, DMat3::from_diagonal(dvec3(0.0, 6.0, 6.0))));
        assert!(matches!(found.check(), Err(MassError::Indefinite(_))));
        assert_eq!(Mass::combine(&[]), Mass::point(0.0));
    }

    #[test]
    fn principal_axes_of_special_tensors() {
        let sorted = Mass::new(1.0, DVec3::ZERO, DMat3::from_diagonal(dvec3(2.0, 3.0, 4.0)));
        assert_eq!(sorted.principal_axes(), (dvec3(2.0, 3.0, 4.0), DQuat::IDENTITY));
        let ball = Mass::new(1.0, DVec3::ZERO, DMat3::IDENTITY);
        assert_eq!(ball.principal_axes(), (DVec3::ONE, DQuat::IDENTITY));
        let lost = Mass::new(1.0, DVec3::ZERO, DMat3::IDENTITY * f64::NAN);
        assert!(lost.principal_axes().0.is_nan());
    }

    #[test]
    fn impossible_masses_are_named() {
        let good = of(&Shape::Box { half: dvec3(1.0, 2.0, 3.0) });
        assert_eq!(good.check(), Ok(()));
        for bad in [0.0, -1.0, f64::INFINITY] {
            assert_eq!(Mass { mass: bad, ..good }.check(), Err(MassError::Mass(bad)));
            assert_eq!(Mass::of(&Shape::Sphere { radius: 1.0 }, bad), Err(MassError::Density(bad)));
        }
        assert!(matches!(Mass { mass: f64::NAN, ..good }.check(), Err(MassError::Mass(_))));
        assert!(matches!(Mass { center: DVec3::NAN, ..good }.check(), Err(MassError::Center(_))));
        let with = |inertia| Mass { inertia, ..good }.check();
        let diagonal = |x, y, z| DMat3::from_diagonal(dvec3(x, y, z));
        assert_eq!(with(DMat3::IDENTITY * f64::NAN), Err(MassError::NotFinite));
        let mut skew = diagonal(1.0, 1.0, 1.0);
        skew.y_axis.x = 0.1;
        assert_eq!(with(skew), Err(MassError::Asymmetric { row: 0, column: 1, upper: 0.1, lower: 0.0 }));
        assert!(matches!(with(diagonal(1.0, -1.0, 1.0)), Err(MassError::Indefinite(_))));
        assert!(matches!(with(DMat3::ZERO), Err(MassError::Indefinite(_))));
        assert!(matches!(with(diagonal(1.0, 1.0, 2.1)), Err(MassError::Triangle(_))));
        assert_eq!(with(diagonal(1.0, 1.0, 2.0 + 1e-6)), Ok(()));
    }

    #[test]
    fn degenerate_shapes_are_errors() {
        let shapes = [
            Shape::Sphere { radius: 1e-200 },
            Shape::Sphere { radius: 1e200 },
            Shape::Sphere { radius: f64::NAN },
            Shape::Convex { points: vec![DVec3::ONE; 5] },
            Shape::Mesh { vertices: vec![], triangles: vec![] },
            Shape::Compound { parts: vec![] },
        ];
        for shape in shapes {
            assert!(Mass::of(&shape, 1.0).is_err(), "{shape:?}");
            assert!(Mass::of_total(&shape, 1.0).is_err(), "{shape:?}");
        }
    }

    prop_compose! {
        fn any_turn()(x in -3.0..3.0, y in -3.0..3.0, z in -3.0..3.0) -> DQuat { turn_of(x, y, z) }
    }
    prop_compose! {
        fn any_point()(x in -5.0..5.0, y in -5.0..5.0, z in -5.0..5.0) -> DVec3 { dvec3(x, y, z) }
    }
    prop_compose! {
        fn any_shape()(kind in 0..6_usize, a in 0.01..2.0, b in 0.01..2.0, c in 0.01..2.0) -> Shape {
            shape_of(kind, a, b, c)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn compounds_obey_steiner(
            parts in prop::collection::vec((any_point(), any_turn(), any_shape()), 1..5),
            point in any_point(),
        ) {
            let whole = of(&Shape::Compound { parts: parts.clone() });
            let sum = parts.iter().fold(DMat3::ZERO, |sum, (at, turn, part)| {
                let (part, turn) = (of(part), DMat3::from_quat(*turn));
                let offset = *at + turn * part.center - point;
                let shifted = DMat3::IDENTITY * offset.length_squared() - outer(offset);
                sum + turn * part.inertia * turn.transpose() + shifted * part.mass
            });
            let size = sum.diagonal().max_element();
            prop_assert!(whole.about(point).abs_diff_eq(sum, 1e-13 * size));
            prop_assert!(whole.check().is_ok());
        }

        #[test]
        fn principal_axes_rebuild_the_tensor(
            x in 0.001..1.0_f64,
            y in 0.001..1.0_f64,
            z in 0.001..1.0_f64,
            axes in any_turn(),
            center in any_point(),
        ) {
            let built = Mass::principal(1.0, center, dvec3(x, y, z), axes);
            let (moments, frame) = built.principal_axes();
            let mut sorted = [x, y, z];
            sorted.sort_by(f64::total_cmp);
            prop_assert!(moments.abs_diff_eq(DVec3::from_array(sorted), 4e-15));
            prop_assert!(frame.is_normalized());
            let again = Mass::principal(1.0, center, moments, frame);
            prop_assert!(again.inertia.abs_diff_eq(built.inertia, 1e-14));
        }

        #[test]
        fn a_turned_mesh_is_a_turned_mass(shape in any_shape(), at in any_point(), turn in any_turn()) {
            let mass = of(&shape);
            let (back, inverse) = (turn.inverse() * -at, turn.inverse());
            assert_close(mass.moved(at, turn).moved(back, inverse), mass, 1e-13);
            if let Shape::Mesh { vertices, triangles } = shape {
                let vertices = vertices.iter().map(|&vertex| at + turn * vertex).collect();
                assert_close(of(&Shape::Mesh { vertices, triangles }), mass.moved(at, turn), 1e-11);
            }
        }
    }
}
