//! The eigenvalues λ of the step → modes, s = ln λ / h:
//!
//!   damped frequency Im s/2π      damping ratio −Re s/|s|      rate of decay −Re s
//!
//! These are the frequencies and decays of the simulated motion, whatever the step size; they differ from those of the
//! equations of motion by the error of the integrator. The shape of a mode is the motion of every body, complex: the
//! displacement at time t is Re(shape · e^(st)).
//!
//! Rigid-body modes are the null space of A − 1: motions that nothing opposes or that friction holds anywhere. Their
//! eigenvalue 1 is double and defective if the machine coasts; round-off then splits it by the root of the error of A,
//! so eigenvalues that near to 1 belong to them and are not reported on their own.

use crate::eigen::{Eigen, eigen};
use crate::linearize::{Linearization, Shapes};
use glam::DVec3;
use nalgebra::{Complex, DMatrix, DVector};

/// What a mode does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModeKind {
    /// Nothing brings it back: it stays where it is, or coasts.
    RigidBody,
    /// It oscillates.
    Oscillating,
    /// It decays, or grows, without oscillation.
    Decaying,
    /// It changes sign in every step: the step is too long for it.
    Alternating,
    /// It ends within one step: a speed drive, or sticking friction.
    EndsWithinStep,
}

/// Motion of a body in a mode: real and imaginary part.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyShape {
    /// Its name.
    pub body: String,
    /// Displacement of the centre of mass.
    pub displacement: [DVec3; 2],
    /// Rotation vector.
    pub rotation: [DVec3; 2],
    /// Its part of the kinetic energy of the mode, 0 to 1.
    pub energy: f64,
}

/// A mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// What it does.
    pub kind: ModeKind,
    /// Damped frequency [Hz]; half the step rate if it alternates, 0 for the other kinds that do not oscillate.
    pub frequency: f64,
    /// −Re s/|s|: 0 undamped, 1 critical, negative where it grows.
    pub damping_ratio: f64,
    /// −Re s: the amplitude decays by e^(−decay t) [1/s].
    pub decay: f64,
    /// λ, real and imaginary part.
    pub eigenvalue: [f64; 2],
    /// Whether its shape repeats that of another mode of this eigenvalue (a defective eigenvalue, such as critical
    /// damping).
    pub repeated: bool,
    /// The motion of all free bodies; the largest displacement is 1 m, or the largest rotation 1 rad where nothing is
    /// displaced.
    pub shape: Vec<BodyShape>,
}

/// |λ| below this ends within a step: by 14 time constants.
const ENDS: f64 = 1e-6;

/// Eigenvalues closer than this, relative to 1, are equal: round-off of the differences is 1e-10.
const EQUAL: f64 = 1e-8;

/// An eigenvector of an equal eigenvalue with less than this outside of those before repeats them. Vectors of a
/// defective pair differ by the root of round-off.
const REPEATS: f64 = 1e-3;

/// |ln λ| above this, of a mode that does not end within a step, is not resolved: frequency and decay are then off by
/// (ω h)²/24 = 1 % and more.
const RESOLVED: f64 = 0.5;

/// A warning of the modes that a step does not resolve, if there are any.
pub fn unresolved(modes: &[Mode], dt: f64) -> Option<String> {
    let angle = |m: &Mode| Complex::new(m.eigenvalue[0], m.eigenvalue[1]).ln().norm();
    let fast = modes.iter().filter(|m| m.kind != ModeKind::EndsWithinStep && angle(m) > RESOLVED);
    let (count, least) = fast.fold((0, f64::INFINITY), |(n, least), m| (n + 1, least.min(angle(m) / dt)));
    (count > 0).then(|| {
        format!("the step does not resolve {count} of the modes, from |s| = {least:.3} 1/s up: shorten dt")
    })
}

impl Linearization {
    /// The modes: rigid-body modes, oscillating ones by frequency, decaying ones by rate, then those of the step. None
    /// if the eigenvalues cannot be found.
    pub fn modes(&self) -> Option<Vec<Mode>> {
        let n = self.a.nrows();
        let scale = |k: usize| if k < n / 2 { 1.0 } else { self.dt };
        let a = DMatrix::from_fn(n, n, |i, k| self.a[(i, k)] * scale(i) / scale(k));
        // where A − 1 vanishes up to the error of the differences
        let zero = (100.0 * self.error).clamp(1e-9, 1e-6);
        let split = 3.0 * zero.sqrt();
        let all = eigen(&a)?;
        let (near, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|e| (e.value - Complex::new(1.0, 0.0)).norm() < split);
        let mut modes = Vec::new();
        if !near.is_empty() {
            modes.extend(null_space(&a, zero, near.len()).iter().map(|v| self.rigid(v)));
        }
        let upper: Vec<Eigen> = others.into_iter().filter(|e| e.value.im > -ENDS * e.value.norm()).collect();
        for (mut one, repeated) in independent(upper) {
            one.value.im = if one.value.im.abs() < ENDS * one.value.norm() { 0.0 } else { one.value.im };
            modes.push(self.mode(&one, repeated));
        }
        modes.sort_by(|a, b| {
            let key = |m: &Mode| if m.kind == ModeKind::Oscillating { m.frequency } else { m.decay };
            a.kind.cmp(&b.kind).then(key(a).total_cmp(&key(b)))
        });
        Some(modes)
    }

    fn rigid(&self, vector: &DVector<f64>) -> Mode {
        let vector = vector.map(|x| Complex::new(x, 0.0));
        Mode {
            kind: ModeKind::RigidBody,
            frequency: 0.0,
            damping_ratio: 0.0,
            decay: 0.0,
            eigenvalue: [1.0, 0.0],
            repeated: false,
            shape: self.shapes.motion_of(&vector),
        }
    }

    fn mode(&self, one: &Eigen, repeated: bool) -> Mode {
        let value = one.value;
        let size = value.norm();
        let s = Complex::new(libm::log(size), libm::atan2(value.im, value.re)) / self.dt;
        let kind = match value {
            _ if size < ENDS => ModeKind::EndsWithinStep,
            v if v.im != 0.0 => ModeKind::Oscillating,
            v if v.re < 0.0 => ModeKind::Alternating,
            _ => ModeKind::Decaying,
        };
        let (frequency, damping_ratio) = match kind {
            ModeKind::Oscillating | ModeKind::Alternating => {
                (s.im / (2.0 * std::f64::consts::PI), -s.re / s.norm())
            }
            _ => (0.0, if s.re > 0.0 { -1.0 } else { 1.0 }),
        };
        Mode {
            kind,
            frequency,
            damping_ratio,
            decay: -s.re,
            eigenvalue: [value.re, value.im],
            repeated,
            shape: self.shapes.motion_of(&one.vector),
        }
    }
}

/// A basis of the vectors for which A − 1 vanishes, with as many entries 0 as possible: each moves one coordinate that
/// the others do not.
fn null_space(a: &DMatrix<f64>, zero: f64, most: usize) -> Vec<DVector<f64>> {
    let n = a.nrows();
    let svd = (a - DMatrix::<f64>::identity(n, n)).svd(false, true);
    let Some(v) = svd.v_t else { return Vec::new() };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, k| svd.singular_values[*i].total_cmp(&svd.singular_values[*k]));
    let null = order.into_iter().filter(|i| svd.singular_values[*i] < zero).take(most);
    let mut basis: Vec<DVector<f64>> = null.map(|i| v.row(i).transpose()).collect();
    // Gauss–Jordan with the largest pivot
    for k in 0..basis.len() {
        let pivot = basis[k].iamax();
        let size = basis[k][pivot];
        basis[k] /= size;
        let own = basis[k].clone();
        for (_, vector) in basis.iter_mut().enumerate().filter(|(other, _)| *other != k) {
            let part = vector[pivot];
            vector.axpy(-part, &own, 1.0);
        }
    }
    basis
}

/// Makes the vectors of equal eigenvalues orthogonal, and marks those that repeat others.
fn independent(mut list: Vec<Eigen>) -> Vec<(Eigen, bool)> {
    let mut done: Vec<(Eigen, bool)> = Vec::new();
    for one in list.drain(..) {
        let mut left = one.vector.clone();
        for (other, repeated) in &done {
            if !repeated && (other.value - one.value).norm() < EQUAL {
                let along = other.vector.dotc(&left);
                left -= &other.vector * along;
            }
        }
        let size = left.norm();
        match size < REPEATS {
            true => done.push((one, true)),
            false => {
                let vector = left / Complex::new(size, 0.0);
                done.push((Eigen { value: one.value, vector }, false));
            }
        }
    }
    done
}

impl Shapes {
    /// The motion of the bodies for the values in an eigenvector.
    fn motion_of(&self, vector: &DVector<Complex<f64>>) -> Vec<BodyShape> {
        let n = self.motion.ncols();
        let part = |f: &dyn Fn(&Complex<f64>) -> f64| -> DVector<f64> {
            &self.motion * DVector::from_iterator(n, vector.iter().take(n).map(f))
        };
        let parts = [part(&|z| z.re), part(&|z| z.im)];
        let at = |part: &DVector<f64>, from: usize| DVec3::new(part[from], part[from + 1], part[from + 2]);
        let mut shape: Vec<BodyShape> = (0..self.bodies.len())
            .map(|k| BodyShape {
                body: self.bodies[k].clone(),
                displacement: [at(&parts[0], 6 * k), at(&parts[1], 6 * k)],
                rotation: [at(&parts[0], 6 * k + 3), at(&parts[1], 6 * k + 3)],
                energy: 0.0,
            })
            .collect();
        self.share_energy(&mut shape);
        normalise(&mut shape);
        shape
    }

    fn share_energy(&self, shape: &mut [BodyShape]) {
        let of = |(body, (mass, inertia)): (&BodyShape, &(f64, glam::DMat3))| -> f64 {
            let moved: f64 = body.displacement.iter().map(|d| mass * d.length_squared()).sum();
            let turned: f64 = body.rotation.iter().map(|r| r.dot(*inertia * *r)).sum();
            moved + turned
        };
        let each: Vec<f64> = shape.iter().zip(&self.inertias).map(of).collect();
        let sum: f64 = each.iter().sum();
        for (body, energy) in shape.iter_mut().zip(each) {
            body.energy = if sum > 0.0 { energy / sum } else { 0.0 };
        }
    }
}

/// Divides a shape by its largest component, so that this is real and 1.
fn normalise(shape: &mut [BodyShape]) {
    let largest = |pick: &dyn Fn(&BodyShape) -> [DVec3; 2]| {
        let mut best = Complex::new(0.0, 0.0);
        for body in shape.iter() {
            let [re, im] = pick(body);
            for axis in 0..3 {
                let one = Complex::new(re[axis], im[axis]);
                // of components that are equal up to round-off, the first
                if one.norm() > (1.0 + 1e-9) * best.norm() {
                    best = one;
                }
            }
        }
        best
    };
    let (moved, turned) = (largest(&|b| b.displacement), largest(&|b| b.rotation));
    let by = if moved.norm() > 1e-9 * turned.norm() { moved } else { turned };
    if by.norm() == 0.0 {
        return;
    }
    let factor = Complex::new(1.0, 0.0) / by;
    for body in shape.iter_mut() {
        for pair in [&mut body.displacement, &mut body.rotation] {
            let [re, im] = *pair;
            *pair = [re * factor.re - im * factor.im, re * factor.im + im * factor.re];
        }
    }
}
