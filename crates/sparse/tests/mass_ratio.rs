//! A heavy load on a light taut chain: accuracy does not fall with the mass ratio.
//!
//! The system is that of one implicit step of a swinging cable of 24 links under tension, as the formulation has
//! it: geometric stiffness on the links (tension × length, transverse), joints of finite stiffness or rigid.
//! x is chosen, b = A x is formed in double-double, and the error of the solution is the forward error.

use crate::common;

use common::{Rng, System};
use nalgebra::{DMatrix, DVector, Matrix3, Rotation3, Vector3};
use windlass_sparse::{Half, NodeIx};

const LINKS: usize = 24;
const LENGTH: f64 = 10.0 / LINKS as f64;
const STEP: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 10.0;

/// Kind of joint between the links.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Joint {
    /// Three rigid rows.
    Ball,
    /// Three stretching and three bending rows, stiff in proportion to the load.
    Cable,
}

/// The chain; the last body is the load.
struct Chain {
    system: System,
    bodies: Vec<NodeIx>,
    joints: Vec<NodeIx>,
    axis: Vector3<f64>,
}

/// sign · [1, −[r]×; 0, Rᵀ], the first `rows` rows, column-major: velocity of point r, rotation in the link's frame.
fn jacobian(rows: usize, sign: f64, r: Vector3<f64>, turn: &Rotation3<f64>) -> Vec<f64> {
    let mut j = DMatrix::zeros(6, 6);
    j.view_mut((0, 0), (3, 3)).copy_from(&Matrix3::identity());
    j.view_mut((0, 3), (3, 3)).copy_from(&-r.cross_matrix());
    j.view_mut((3, 3), (3, 3)).copy_from(turn.inverse().matrix());
    (sign * j.rows(0, rows)).as_slice().to_vec()
}

fn hanging(load: f64, tilt: f64, kind: Joint) -> Chain {
    let mut system = System::default();
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    let turn = Rotation3::from_euler_angles(tilt, 0.7 * tilt, 0.3 * tilt);
    let axis = turn * Vector3::z();
    let half = 0.5 * LENGTH * axis;
    let transverse = Matrix3::identity() - axis * axis.transpose();
    let geometric = transverse * (load * GRAVITY * LENGTH * STEP * STEP);
    let rod = turn * Matrix3::from_diagonal(&Vector3::new(0.0152, 0.0152, 0.0017)) * turn.inverse();

    for k in 0..LINKS {
        let (mass, stiffness) = if k + 1 == LINKS { (load, Matrix3::zeros()) } else { (1.0, geometric) };
        let mut h = DMatrix::from_diagonal_element(6, 6, mass);
        h.view_mut((3, 3), (3, 3)).copy_from(&(mass * rod + stiffness));
        let body = system.node(Half::Primal, 6, h.as_slice().to_vec());

        let rows = if kind == Joint::Ball { 3 } else { 6 };
        let joint = if kind == Joint::Ball {
            system.constraint(3, 0.0)
        } else {
            // Stretch of one part in a thousand under the load; bending 7.5·10⁻⁷ m² times that.
            let stretch = 1e-3 * 0.5 * LENGTH / (load * GRAVITY * STEP * STEP);
            let bend = stretch / 7.5e-7;
            let sigma = [stretch, stretch, stretch, bend, bend, 2.6 * bend];
            let diagonal = DMatrix::from_diagonal(&DVector::from_iterator(6, sigma.iter().map(|s| -s)));
            system.node(Half::Dual, 6, diagonal.as_slice().to_vec())
        };
        if let Some(&above) = bodies.last() {
            system.edge(joint, above, jacobian(rows, -1.0, -half, &turn));
        }
        system.edge(joint, body, jacobian(rows, 1.0, half, &turn));
        bodies.push(body);
        joints.push(joint);
    }
    Chain { system, bodies, joints, axis }
}

impl Chain {
    /// Velocities of order one; multipliers: the load's weight over one step along the axis, and order one.
    fn chosen(&self, load: f64) -> Vec<f64> {
        let offsets = self.system.offsets();
        let last = self.system.pattern.nodes().last().expect("a chain").1;
        let mut x = Rng(11).vector(offsets[offsets.len() - 1] + last);
        for &joint in &self.joints {
            for r in 0..3 {
                x[offsets[joint.0 as usize] + r] += load * GRAVITY * STEP * self.axis[r];
            }
        }
        x
    }

    /// Relative errors in the largest norm: of the joint forces, and of the light bodies' velocities.
    fn errors(&self, x: &[f64], solution: &[f64]) -> (f64, f64) {
        let offsets = self.system.offsets();
        let relative = |nodes: &[NodeIx], rows: usize| {
            let entries = nodes.iter().flat_map(|node| (0..rows).map(|r| offsets[node.0 as usize] + r));
            let (mut error, mut size) = (0.0_f64, 0.0_f64);
            for at in entries {
                error = error.max((x[at] - solution[at]).abs());
                size = size.max(x[at].abs());
            }
            error / size
        };
        (relative(&self.joints, 3), relative(&self.bodies[..LINKS - 1], 6))
    }
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

fn split(a: f64) -> (f64, f64) {
    let t = 134_217_729.0 * a;
    let high = t - (t - a);
    (high, a - high)
}

fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// A x, each entry rounded once.
fn product(a: &DMatrix<f64>, x: &[f64]) -> Vec<f64> {
    let row = |r: usize| {
        let (mut high, mut low) = (0.0, 0.0);
        for c in 0..x.len() {
            let (p, e) = two_product(a[(r, c)], x[c]);
            let (s, f) = two_sum(high, p);
            (high, low) = (s, low + (e + f));
        }
        high + low
    };
    (0..a.nrows()).map(row).collect()
}

/// Errors (force, velocity) of this crate and of dense LU with pivoting.
fn compare(load: f64, tilt: f64, kind: Joint) -> ((f64, f64), (f64, f64)) {
    let chain = hanging(load, tilt, kind);
    let a = chain.system.dense();
    let x = chain.chosen(load);
    let b = product(&a, &x);
    let factor = chain.system.factored();
    assert_eq!(factor.dropped(), []);
    let mut sparse = b.clone();
    factor.solve(&mut sparse);
    let dense = a.lu().solve(&DVector::from_vec(b)).expect("regular");
    let result = (chain.errors(&x, &sparse), chain.errors(&x, dense.as_slice()));
    println!("{kind:?} tilt {tilt} load {load:e}: sparse {:?} dense {:?}", result.0, result.1);
    result
}

#[test]
fn cable_joints_keep_forces_and_velocities() {
    for tilt in [0.0, 0.5] {
        for load in [1e3, 1e6, 1e9, 1e12] {
            let ((force, velocity), dense) = compare(load, tilt, Joint::Cable);
            assert!(force < 1e-12, "force {force:e} at {load:e}");
            assert!(velocity < 1e-10, "velocity {velocity:e} at {load:e}");
            if load == 1e9 && tilt > 0.0 {
                assert!(dense.0 > 100.0 * force && dense.1 > 100.0 * velocity, "dense {dense:?} is no worse");
            }
        }
    }
}

/// Straight down, rows do not mix heavy and light: everything is exact. Tilted, the forces are; the twist of a link
/// about its own axis, which nothing but its small inertia holds, drowns in M/m · 10⁻¹⁶, as it does in dense LU.
#[test]
fn ball_joints_keep_forces() {
    for load in [1e3, 1e6, 1e9, 1e12] {
        let ((force, velocity), _) = compare(load, 0.0, Joint::Ball);
        assert!(force < 1e-12 && velocity < 1e-10, "straight: {force:e}, {velocity:e} at {load:e}");
        let ((force, _), dense) = compare(load, 0.5, Joint::Ball);
        assert!(force < 5e-12, "tilted: force {force:e} at {load:e}");
        assert!(load != 1e9 || dense.0 > 100.0 * force, "dense {dense:?} is no worse");
    }
}
