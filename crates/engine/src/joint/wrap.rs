//! The path of a taut rope between circles: the tangent points where it leaves one and meets the next.
//!
//!   L(α, β) = σ_a r_a α + |t_b − t_a| − σ_b r_b β,      t = c + r n(angle), σ = ±1 the sense of travel about the axis
//!
//! A rope leaves a circle where its line, projected along the circle's axis, is tangent:
//!
//!   f_a = n_a·(t_b − c_a) − r_a = 0,      f_b = n_b·(t_a − c_b) − r_b = 0
//!
//! These two equations for two angles are solved by Newton's method. In one plane ∂L/∂α = 0 at the solution, and the
//! length changes like the distance between the two material points. A rope that arrives at a fleet angle is bent into
//! the groove by the flange: ∂L/∂α = σ r (1 − u·τ) ≠ 0, and the flange bears the remainder of the gradient:
//!
//!   L̇ = u·(v_b(t_b) − v_a(t_a)) − γ_a n_a·(v_b(t_b) − v_a(t_b)) − γ_b n_b·(v_a(t_a) − v_b(t_a)),   Kᵀ γ = ∂L/∂(α, β)
//!
//! Tension is thus the same on both sides of a flange, the torque on a drum is r T at any fleet angle, and energy is
//! conserved. Angles are measured in body axes: t_a and t_b are material points. A circle of radius 0 is a point.

use crate::body::frame::{Frame, JacobianBlock};
use crate::math;
use glam::DVec3;

/// A circle that a rope runs over, or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its centre [m].
    pub center: DVec3,
    /// Its axis, unit.
    pub axis: DVec3,
    /// Its radius [m]; 0 for a point.
    pub radius: f64,
    /// Sense of travel about the axis: 1 counterclockwise, −1 clockwise.
    pub side: f64,
}

impl Circle {
    /// The vector from the centre to the tangent point of a rope that leaves for a point (`way` = 1) or arrives from it
    /// (−1).
    fn tangent(&self, point: DVec3, way: f64) -> DVec3 {
        let p = point - self.center;
        let p = p - self.axis * self.axis.dot(p);
        let square = p.length_squared();
        // a point inside the circle has no tangent: use the nearest point that has one
        let straight = (square - self.radius * self.radius).max(0.0).sqrt();
        let n = p * self.radius - self.axis.cross(p) * (way * self.side * straight);
        if square > 0.0 { n.normalize_or(math::across(self.axis).0) } else { math::across(self.axis).0 }
    }

    fn at(&self, normal: DVec3) -> DVec3 {
        self.center + normal * self.radius
    }
}

/// A straight span of rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The tangent points where it leaves one circle and meets the next [m].
    pub ends: [DVec3; 2],
    /// Unit vectors from the centres to the tangent points.
    pub normals: [DVec3; 2],
    /// Unit vector from end to end.
    pub along: DVec3,
    /// [m]
    pub length: f64,
    /// Flange forces per tension, γ.
    guides: [f64; 2],
}

/// Maximum number of Newton iterations: starting from the tangents to the other centre, three to six suffice.
const STEPS: usize = 30;

/// Maximum flange force per tension: a rope that arrives along the axis has no tangent, and nothing would hold it
/// in its groove.
const STEEPEST: f64 = 1.0;

impl Span {
    /// The span from a circle to the next.
    pub fn between(a: &Circle, b: &Circle) -> Span {
        let mut normals = [a.tangent(b.center, 1.0), b.tangent(a.center, -1.0)];
        let round = [a.radius > 0.0, b.radius > 0.0];
        if round == [true, true] {
            settle([a, b], &mut normals);
        }
        let ends = [a.at(normals[0]), b.at(normals[1])];
        let way = ends[1] - ends[0];
        let length = way.length();
        let along = if length > 1e-12 { way / length } else { a.axis.any_orthonormal_vector() };
        let turn = [a.axis.cross(normals[0]), b.axis.cross(normals[1])];
        let steep = [
            a.radius * (a.side - along.dot(turn[0])) * f64::from(round[0]),
            -b.radius * (b.side - along.dot(turn[1])) * f64::from(round[1]),
        ];
        // Kᵀ γ = steep
        let k = slopes([a, b], &normals);
        let guides = match round {
            [false, false] => [0.0; 2],
            [true, false] => [divide(steep[0], k[0][0]), 0.0],
            [false, true] => [0.0, divide(steep[1], k[1][1])],
            [true, true] => solve2([[k[0][0], k[1][0]], [k[0][1], k[1][1]]], steep),
        };
        Span { ends, normals, along, length, guides: guides.map(|g| g.clamp(-STEEPEST, STEEPEST)) }
    }

    /// Jacobian of the path length with respect to the motion of the bodies that carry the circles.
    pub fn rate(&self, a: &Frame, b: &Frame) -> [JacobianBlock; 2] {
        let ([from, to], [n_a, n_b], [g_a, g_b]) = (self.ends, self.normals, self.guides);
        let pushes = |frame: &Frame, sign: f64, own: DVec3| {
            // each end by the tension, and both ends by the flange forces
            sum(&[
                frame.push_at(own, self.along * sign),
                frame.push_at(to, n_a * (-sign * g_a)),
                frame.push_at(from, n_b * (sign * g_b)),
            ])
        };
        [pushes(a, -1.0, from), pushes(b, 1.0, to)]
    }
}

fn sum(blocks: &[JacobianBlock]) -> JacobianBlock {
    let zero = JacobianBlock { body: blocks[0].body, linear: DVec3::ZERO, angular: DVec3::ZERO };
    blocks.iter().fold(zero, |s, b| JacobianBlock {
        linear: s.linear + b.linear,
        angular: s.angular + b.angular,
        ..s
    })
}

/// ∂(f_a, f_b)/∂(α, β).
fn slopes([a, b]: [&Circle; 2], normals: &[DVec3; 2]) -> [[f64; 2]; 2] {
    let turn = [a.axis.cross(normals[0]), b.axis.cross(normals[1])];
    let (to, from) = (b.at(normals[1]) - a.center, a.at(normals[0]) - b.center);
    [
        [turn[0].dot(to), b.radius * normals[0].dot(turn[1])],
        [a.radius * normals[1].dot(turn[0]), turn[1].dot(from)],
    ]
}

/// Rotates both normals until the line between the ends is tangent to both circles.
fn settle([a, b]: [&Circle; 2], normals: &mut [DVec3; 2]) {
    let size = a.radius.max(b.radius);
    for _ in 0..STEPS {
        let off = [
            normals[0].dot(b.at(normals[1]) - a.center) - a.radius,
            normals[1].dot(a.at(normals[0]) - b.center) - b.radius,
        ];
        if off[0].abs().max(off[1].abs()) < 4.0 * f64::EPSILON * size {
            return;
        }
        let turn = solve2(slopes([a, b], normals), off);
        for (k, circle) in [a, b].into_iter().enumerate() {
            // far from the solution a full step could rotate past the far side
            let angle = -turn[k].clamp(-0.5, 0.5);
            let side = circle.axis.cross(normals[k]);
            normals[k] = (normals[k] * libm::cos(angle) + side * libm::sin(angle)).normalize();
        }
    }
}

/// The solution of two linear equations; zero if singular.
fn solve2(k: [[f64; 2]; 2], r: [f64; 2]) -> [f64; 2] {
    let det = k[0][0] * k[1][1] - k[0][1] * k[1][0];
    [divide(r[0] * k[1][1] - r[1] * k[0][1], det), divide(k[0][0] * r[1] - k[1][0] * r[0], det)]
}

fn divide(a: f64, b: f64) -> f64 {
    if b.abs() > 1e-12 { a / b } else { 0.0 }
}
