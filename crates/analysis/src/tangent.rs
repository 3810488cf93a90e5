//! The motions that the constraints of a state admit, and coordinates that describe them.
//!
//!   J v = w      rows that hold: rigid joints, closed stops, contacts that bear
//!   v = T ẋ + v₀      x: as many coordinates as there are degrees of freedom,  J T = 0,  ∇x T = 1
//!
//! Coordinates of joints come first, in the order of the model, each accepted if it is independent of those before.
//! The rest are displacements and rotations of bodies, the most independent one first. Independence is measured in
//! the kinetic metric, y = M^½ v, by Gram–Schmidt on the gradients; the projection of velocities on the constraints is
//! orthogonal in the same metric, as an impulse of the constraints is.

use crate::coordinate::{self, Coordinate};
use crate::error::AnalysisError;
use glam::{DMat3, DVec3};
use nalgebra::{DMatrix, DVector};
use windlass_engine::prelude::{BoundMode, Role, RowLaw, Rows, State, World};

/// A row or coordinate whose gradient has less than this part outside of the span of those before it depends on them.
/// Redundant rows of closed loops are at round-off of about 1e-12; mechanisms near a dead centre at 1e-3.
const DEPENDENT: f64 = 1e-7;

/// The same for coordinates of joints: a coordinate that hardly moves is a bad description of the motion. A sphere of
/// 1 mm on an arm of 1.5 m, a point mass for its hinge, is at 4e-4.
const WEAK: f64 = 1e-4;

/// The admissible motions of a state.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// The coordinates, one per degree of freedom.
    pub coordinates: Vec<Coordinate>,
    /// T: six numbers per free body (displacement, rotation), a column per coordinate.
    pub motion: DMatrix<f64>,
    /// Indices of the free bodies.
    pub places: Vec<usize>,
    /// Joints with a closed stop, and whether contacts bear: such rows count as constraints.
    pub closed: Vec<Closed>,
    constraints: Constraints,
}

/// The rows that hold at a state, and the metric in which velocities are projected on them.
#[derive(Clone, Debug)]
pub struct Constraints {
    places: Vec<usize>,
    metric: Metric,
    held: Held,
}

/// One-sided rows that hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// A stop of the joint at an index in the model.
    Joint(usize),
    /// Contacts.
    Contacts,
}

/// The rows that hold, in the kinetic metric.
#[derive(Clone, Debug)]
struct Held {
    /// Orthonormal basis of their gradients, as columns.
    basis: Vec<DVector<f64>>,
    /// The rates that they demand along it.
    demanded: Vec<f64>,
}

/// M^½ of every free body.
#[derive(Clone, Debug)]
struct Metric {
    /// By position in `places`: √m, and C with I = C Cᵀ.
    roots: Vec<(f64, DMat3)>,
    /// Position of a body in `places`, by index.
    position: Vec<Option<usize>>,
}

impl Metric {
    fn of(world: &World, places: &[usize]) -> Metric {
        let (model, state) = (world.model(), world.state());
        let mut position = vec![None; state.bodies.len()];
        let mut roots = Vec::new();
        for (k, place) in places.iter().enumerate() {
            position[*place] = Some(k);
            let mass = model.bodies().at(*place).map(|body| body.mass).expect("a free body exists");
            let turn = DMat3::from_quat(state.bodies[*place].orientation);
            let inertia = turn * mass.inertia * turn.transpose();
            roots.push((mass.mass.sqrt(), cholesky(inertia)));
        }
        Metric { roots, position }
    }

    /// A gradient in y: M^−½ ∇.
    fn gradient(&self, blocks: &[(usize, DVec3, DVec3)]) -> DVector<f64> {
        let mut y = DVector::zeros(6 * self.roots.len());
        for (body, linear, angular) in blocks {
            let Some(k) = self.position[*body] else { continue };
            let (root, c) = &self.roots[k];
            let turned = c.inverse() * *angular;
            for axis in 0..3 {
                y[6 * k + axis] += linear[axis] / root;
                y[6 * k + 3 + axis] += turned[axis];
            }
        }
        y
    }

    /// v = M^−½ y.
    fn velocity(&self, y: &DVector<f64>, k: usize) -> (DVec3, DVec3) {
        let (root, c) = &self.roots[k];
        let part = |from: usize| DVec3::new(y[from], y[from + 1], y[from + 2]);
        (part(6 * k) / *root, c.transpose().inverse() * part(6 * k + 3))
    }

    /// y = M^½ v of the velocities of a state.
    fn momentum(&self, state: &State, places: &[usize]) -> DVector<f64> {
        let mut y = DVector::zeros(6 * places.len());
        for (k, place) in places.iter().enumerate() {
            let (root, c) = &self.roots[k];
            let body = &state.bodies[*place];
            let turned = c.transpose() * body.angular_velocity;
            for axis in 0..3 {
                y[6 * k + axis] = root * body.velocity[axis];
                y[6 * k + 3 + axis] = turned[axis];
            }
        }
        y
    }
}

/// The lower triangular C of a symmetric positive definite tensor C Cᵀ. Moments at round-off level, such as those of a
/// thin rod about its axis, are raised to 1e-12 of the largest.
fn cholesky(a: DMat3) -> DMat3 {
    let least = 1e-12 * a.x_axis.x.max(a.y_axis.y).max(a.z_axis.z);
    let xx = a.x_axis.x.max(least).sqrt();
    let (yx, zx) = (a.x_axis.y / xx, a.x_axis.z / xx);
    let yy = (a.y_axis.y - yx * yx).max(least).sqrt();
    let zy = (a.y_axis.z - zx * yx) / yy;
    let zz = (a.z_axis.z - zx * zx - zy * zy).max(least).sqrt();
    DMat3::from_cols(DVec3::new(xx, yx, zx), DVec3::new(0.0, yy, zy), DVec3::new(0.0, 0.0, zz))
}

/// Takes the parts along an orthonormal basis out of a vector, twice for round-off. Returns the parts.
fn orthogonalise(y: &mut DVector<f64>, basis: &[DVector<f64>]) -> Vec<f64> {
    let mut parts = vec![0.0; basis.len()];
    for _ in 0..2 {
        for (part, direction) in parts.iter_mut().zip(basis) {
            let along = direction.dot(y);
            y.axpy(-along, direction, 1.0);
            *part += along;
        }
    }
    parts
}

/// Whether a row of the last solve must hold for small motions, and what one-sided row it is.
fn holding(rows: &Rows, row: usize, mode: BoundMode, owner: Option<usize>) -> Option<Option<Closed>> {
    let item = &rows.rows[row];
    if !matches!(item.law, RowLaw::Rigid) || item.role == Role::Friction {
        return None;
    }
    match (item.is_bounded(), mode.holds()) {
        (false, _) => Some(None),
        (true, true) => Some(Some(owner.map_or(Closed::Contacts, Closed::Joint))),
        (true, false) => None,
    }
}

impl Held {
    fn of(world: &World, metric: &Metric, closed: &mut Vec<Closed>) -> Held {
        let stages = world.stages();
        let (rows, modes) = (&stages.rows, &stages.solution.modes);
        let mut held = Held { basis: Vec::new(), demanded: Vec::new() };
        for group in &rows.groups {
            for row in group.rows() {
                let mode = modes.get(row).copied().unwrap_or_default();
                let Some(one_sided) = holding(rows, row, mode, group.joint()) else { continue };
                closed.extend(one_sided.filter(|one| !closed.contains(one)));
                let blocks: Vec<_> =
                    rows.blocks(row).iter().map(|b| (b.body as usize, b.linear, b.angular)).collect();
                // what bodies that are not free contribute to the rate is demanded of the others
                let state = world.state();
                let carried: f64 = blocks
                    .iter()
                    .filter(|(body, ..)| metric.position[*body].is_none())
                    .map(|(body, linear, angular)| {
                        let twist = state.twist(*body);
                        linear.dot(twist.velocity) + angular.dot(twist.angular_velocity)
                    })
                    .sum();
                held.add(metric.gradient(&blocks), rows.rows[row].speed - carried);
            }
        }
        held
    }

    fn add(&mut self, mut gradient: DVector<f64>, rate: f64) {
        let whole = gradient.norm();
        let parts = orthogonalise(&mut gradient, &self.basis);
        let left = gradient.norm();
        if left <= DEPENDENT * whole {
            return;
        }
        let known: f64 = parts.iter().zip(&self.demanded).map(|(part, rate)| part * rate).sum();
        self.demanded.push((rate - known) / left);
        self.basis.push(gradient / left);
    }
}

/// Bodies that are integrated at a state.
fn free_bodies(world: &World) -> Vec<usize> {
    let state = world.state();
    let free = |place: usize| !state.bodies[place].inactive;
    let bodies = world.model().bodies().iter();
    bodies.filter(|(place, body)| body.is_dynamic() && free(*place)).map(|(place, _)| place).collect()
}

impl Tangent {
    /// The admissible motions at the present state of a world, which is inspected.
    pub fn at(world: &mut World) -> Result<Tangent, AnalysisError> {
        world.inspect();
        let places = free_bodies(world);
        let mut closed = Vec::new();
        let constraints = Constraints::of(world, places.clone(), &mut closed);
        let Constraints { metric, held, .. } = &constraints;
        let freedom = (6 * places.len()).saturating_sub(held.basis.len());
        if freedom == 0 {
            return Err(AnalysisError::NothingMoves);
        }
        let mut choice = Choice { held, directions: Vec::new(), gradients: Vec::new(), freedom };
        let mut coordinates = choice.of_joints(world, metric);
        coordinates.extend(choice.of_bodies(world, metric, &places));
        let motion = choice.motion(metric);
        Ok(Tangent { coordinates, motion, places, closed, constraints })
    }

    /// Degrees of freedom.
    pub fn freedom(&self) -> usize {
        self.coordinates.len()
    }

    /// Whether positions are constrained at all.
    pub fn is_constrained(&self) -> bool {
        !self.constraints.held.basis.is_empty()
    }

    /// Displacement and rotation of a body for a motion of the coordinates.
    pub fn of_body(&self, k: usize, x: &[f64]) -> (DVec3, DVec3) {
        let mut twist = [0.0; 6];
        for (column, x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            for (axis, number) in twist.iter_mut().enumerate() {
                *number += self.motion[(6 * k + axis, column)] * x;
            }
        }
        (DVec3::from_slice(&twist[..3]), DVec3::from_slice(&twist[3..]))
    }

    /// Projects the velocities of a state on the constraints found.
    pub fn project(&self, state: &mut State) {
        self.constraints.project(state);
    }
}

impl Constraints {
    /// The constraints of the present positions of a world, which is inspected.
    pub fn at(world: &mut World) -> Constraints {
        world.inspect();
        Constraints::of(world, free_bodies(world), &mut Vec::new())
    }

    /// From the rows of the last solve.
    fn of(world: &World, places: Vec<usize>, closed: &mut Vec<Closed>) -> Constraints {
        let metric = Metric::of(world, &places);
        let held = Held::of(world, &metric, closed);
        Constraints { places, metric, held }
    }

    /// Projects the velocities of a state on the constraints, orthogonally in the kinetic metric.
    pub fn project(&self, state: &mut State) {
        if self.held.basis.is_empty() {
            return;
        }
        let mut y = self.metric.momentum(state, &self.places);
        for (direction, wanted) in self.held.basis.iter().zip(&self.held.demanded) {
            let off = wanted - direction.dot(&y);
            y.axpy(off, direction, 1.0);
        }
        for (k, place) in self.places.iter().enumerate() {
            let (velocity, spin) = self.metric.velocity(&y, k);
            (state.bodies[*place].velocity, state.bodies[*place].angular_velocity) = (velocity, spin);
        }
    }
}

/// The choice of coordinates: an orthonormal basis of the motions, and the gradients of the chosen ones in it.
struct Choice<'a> {
    held: &'a Held,
    directions: Vec<DVector<f64>>,
    gradients: Vec<Vec<f64>>,
    freedom: usize,
}

impl Choice<'_> {
    /// The part of a gradient that constraints and chosen coordinates leave, its size before, and its parts along the
    /// directions.
    fn left(&self, mut gradient: DVector<f64>) -> (DVector<f64>, f64, Vec<f64>) {
        let whole = gradient.norm();
        orthogonalise(&mut gradient, &self.held.basis);
        let parts = orthogonalise(&mut gradient, &self.directions);
        (gradient, whole, parts)
    }

    fn accept(&mut self, left: DVector<f64>, mut parts: Vec<f64>) {
        let size = left.norm();
        parts.push(size);
        self.gradients.push(parts);
        self.directions.push(left / size);
    }

    fn of_joints(&mut self, world: &World, metric: &Metric) -> Vec<Coordinate> {
        let mut chosen = Vec::new();
        for coordinate in coordinate::of_joints(world) {
            if self.directions.len() == self.freedom {
                break;
            }
            let Some(blocks) = coordinate.gradient(&world.stages().rows) else { continue };
            let (left, whole, parts) = self.left(metric.gradient(&blocks));
            if left.norm() > WEAK * whole {
                self.accept(left, parts);
                chosen.push(coordinate);
            }
        }
        chosen
    }

    fn of_bodies(&mut self, world: &World, metric: &Metric, places: &[usize]) -> Vec<Coordinate> {
        let mut open: Vec<Option<(Coordinate, DVector<f64>, f64)>> = Vec::new();
        if self.directions.len() < self.freedom {
            for coordinate in places.iter().flat_map(|place| coordinate::of_body(world, *place)) {
                let Some(blocks) = coordinate.gradient(&world.stages().rows) else { continue };
                let gradient = metric.gradient(&blocks);
                let (left, whole, _) = self.left(gradient);
                open.push(Some((coordinate, left, whole)));
            }
        }
        let mut chosen = Vec::new();
        while self.directions.len() < self.freedom {
            // of candidates that are equal up to a hundredth, the first
            let mut best: Option<(usize, f64)> = None;
            for (k, candidate) in open.iter().enumerate() {
                let Some((_, left, whole)) = candidate else { continue };
                let part = left.norm() / whole;
                if best.is_none_or(|(_, most)| part > 1.01 * most) {
                    best = Some((k, part));
                }
            }
            let Some((coordinate, ..)) = best.and_then(|(k, _)| open[k].take()) else { break };
            let Some(blocks) = coordinate.gradient(&world.stages().rows) else { continue };
            let (left, _, parts) = self.left(metric.gradient(&blocks));
            self.accept(left, parts);
            chosen.push(coordinate);
            if let Some(direction) = self.directions.last() {
                for (_, left, _) in open.iter_mut().flatten() {
                    let along = direction.dot(left);
                    left.axpy(-along, direction, 1.0);
                }
            }
        }
        chosen
    }

    /// T = M^−½ S L⁻¹, with the directions as columns of S and the gradients L Sᵀ.
    fn motion(&self, metric: &Metric) -> DMatrix<f64> {
        let n = self.directions.len();
        let l = DMatrix::from_fn(n, n, |i, k| self.gradients[i].get(k).copied().unwrap_or(0.0));
        let rows = 6 * metric.roots.len();
        let s = DMatrix::from_fn(rows, n, |i, k| self.directions[k][i]);
        // Tᵀ = L⁻ᵀ Sᵀ
        let solved = l.transpose().solve_upper_triangular(&s.transpose());
        let y = solved.map_or_else(|| s.clone(), |t| t.transpose());
        let mut motion = DMatrix::zeros(rows, n);
        for column in 0..n {
            let of = y.column(column).into_owned();
            for k in 0..metric.roots.len() {
                let (v, w) = metric.velocity(&of, k);
                for axis in 0..3 {
                    motion[(6 * k + axis, column)] = v[axis];
                    motion[(6 * k + 3 + axis, column)] = w[axis];
                }
            }
        }
        motion
    }
}
