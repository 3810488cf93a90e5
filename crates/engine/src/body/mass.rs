//! Mass, centre of mass and inertia of solids of uniform density ρ.
//!
//! ```text
//! sphere    m = ⁴⁄₃πρr³         J = ⅖ m r²
//! box       m = 8ρ hx hy hz     Jx = ⅓ m (hy² + hz²), and cyclically
//! cylinder  m = 2πρ r² l        Jx = Jy = m (¼ r² + ⅓ l²)         Jz = ½ m r²
//! capsule   cylinder + sphere   Jx = Jy += m_sphere (⅖ r² + l² + ¾ r l)
//! cone      m = ⅔πρ r² h        Jx = Jy = m (3⁄20 r² + 3⁄20 h²)   Jz = 3⁄10 m r²   centre z = −½ h
//! ```
//!
//! with l and h the half length and half height. A closed surface is divided into tetrahedra from an
//! origin o near it to each triangle; with a, b, c from o, s = a + b + c and v = ⅙ a · (b × c):
//!
//! ```text
//! V  = Σ v                   ∫x = Σ ¼ v s             ∫xxᵀ = Σ ¹⁄₂₀ v (aaᵀ + bbᵀ + ccᵀ + ssᵀ)
//! m  = ρV                    centre = o + ∫x / V
//! J  = tr(C) 1 − C           C = ρ (∫xxᵀ − V x̄x̄ᵀ),   x̄ = ∫x / V
//! ```
//!
//! Translation, rotation and combination:
//!
//! ```text
//! rotated by R, then moved by p:  centre → p + R centre      J → R J Rᵀ
//! about a point at offset d:      J → J + m (d·d 1 − ddᵀ)
//! combined:                       m = Σ mᵢ    centre = Σ mᵢ cᵢ / m    J = Σ Jᵢ about centre
//! ```

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

use super::hull::hull;
use super::points::ShapeError;
use super::shape::Shape;
use crate::math::outer;

/// Tolerance of the triangle inequality, relative to the largest principal moment.
const TRIANGLE_SLACK: f64 = 1e-6;
/// Largest difference of symmetric entries, relative to the largest entry.
const SYMMETRY_SLACK: f64 = 1e-9;
/// The smallest principal moment must exceed this fraction of the largest: round-off reaches 10⁻¹⁵.
const DEFINITE: f64 = 1e-14;
/// Jacobi sweeps at most; each squares the off-diagonal remainder, six suffice for any tensor.
const SWEEPS: usize = 16;

/// Mass properties of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass in the body's own frame (m).
    pub center: DVec3,
    /// Inertia about the centre of mass in the body's axes (kg·m²), symmetric.
    pub inertia: DMat3,
}

/// Why a rigid body cannot have these mass properties, and how to correct them.
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
    /// Symmetric entries differ.
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
    /// The shape is not a solid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl Mass {
    /// Root mean square distance of its mass from the centre of mass [m].
    pub fn radius_of_gyration(&self) -> f64 {
        let DMat3 { x_axis, y_axis, z_axis } = self.inertia;
        (0.5 * (x_axis.x + y_axis.y + z_axis.z) / self.mass).sqrt()
    }

    /// A solid of uniform density (kg/m³).
    ///
    /// # Errors
    /// The shape is not a solid, the density is not positive, or the result leaves the range of f64.
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
    /// The shape is not a solid, or the mass is not positive.
    pub fn of_total(shape: &Shape, mass: f64) -> Result<Mass, MassError> {
        check_mass(mass)?;
        let unit = Mass::of(shape, 1.0)?;
        Ok(Mass { mass, ..unit.scaled(mass / unit.mass) })
    }

    /// A point mass (kg) at the origin: a part to combine with others, not a body by itself.
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
    /// orientation in the body is `axes`.
    #[must_use]
    pub fn principal(mass: f64, center: DVec3, moments: DVec3, axes: DQuat) -> Mass {
        Mass { mass, center, inertia: turned(DMat3::from_diagonal(moments), axes) }
    }

    /// Parts combined rigidly, each with the origin (m) and orientation of its frame in the whole.
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

    /// The same mass in a frame where its own has origin `at` (m) and orientation `turn`.
    #[must_use]
    pub fn moved(self, at: DVec3, turn: DQuat) -> Mass {
        Mass { center: at + turn * self.center, inertia: turned(self.inertia, turn), ..self }
    }

    /// Inertia (kg·m²) about a point (m) of the body's frame, in the body's axes.
    #[must_use]
    pub fn about(&self, point: DVec3) -> DMat3 {
        let offset = self.center - point;
        self.inertia + inertia_of(outer(offset, offset) * self.mass)
    }

    /// Principal moments (kg·m²) in ascending order, and the orientation in the body of the
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
    /// definite, no principal moment above the sum of the others (tolerance 10⁻⁶).
    ///
    /// # Errors
    /// States what is wrong and how to correct it.
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

/// A tensor that is axisymmetric about z.
fn about_z(across: f64, along: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::new(across, across, along))
}

/// The interior of a closed surface at density 1.
fn polyhedron(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Mass {
    let origin = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| vertices[index as usize] - origin);
        let part = a.dot(b.cross(c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (part / 4.0);
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (part / 20.0);
    }
    let mean = first / volume;
    Mass::new(volume, origin + mean, inertia_of(second - outer(mean, mean) * volume))
}

/// tr(C) 1 − C: inertia from the second moment C = ∫xxᵀ dm.
fn inertia_of(second: DMat3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(second.diagonal().element_sum())) - second
}

/// R J Rᵀ, bitwise symmetric.
fn turned(inertia: DMat3, turn: DQuat) -> DMat3 {
    let turn = DMat3::from_quat(turn);
    let product = turn * inertia * turn.transpose();
    (product + product.transpose()) * 0.5
}

/// Eigenvalues and eigenvectors (as columns) of a symmetric matrix, by cyclic Jacobi rotations:
/// each rotates the plane of axes p and q so that entry (p, q) becomes zero.
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
