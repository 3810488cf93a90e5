//! A grab: a point of a body is pulled to a target, gently and with a bounded force, as by a hand or a mouse.
//!
//!   g = e_a · (p_b − p_a), e the axes of a                       3 rows, sprung and damped, |force| ≤ F
//!   g = 2 vec(q_a* q_b), if the attitude is held                 3 more, |torque| ≤ T
//!
//! The bounds are a box inside the ball of radius F: along each axis F √w, with the weights w adding up to 1.
//! Far from the target its corner points along the pull d, w = d²/|d|², so that the whole F pulls; within a
//! tenth of what F stretches the spring by, r, it becomes a cube: w = (d² + r²)/(|d|² + 3r²).
//!
//! What is left open is made for the body's mass when it is added: critically damped at 3 Hz, and ten times its weight.

use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::{Anchor, Frame};
use crate::body::mass::Mass;
use crate::row::equations::offset;
use crate::row::rows::Rows;
use crate::row::{Row, Spring};
use glam::DVec3;
use std::f64::consts::TAU;

/// Frequency of the default springs [Hz].
const FREQUENCY: f64 = 3.0;

/// Default force over mass: ten times what the earth pulls with [m/s²].
const PULL: f64 = 98.1;

/// A compliant pull of a body's point to a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Tether {
    /// The target, on the ground or any other body, and the point that is grabbed.
    pub anchors: [Anchor; 2],
    /// The spring of the pull; none for one made for the body's mass.
    pub spring: Option<Spring>,
    /// Its largest force [N]; none for ten times the body's weight.
    pub force: Option<f64>,
    /// Whether the target's attitude is held too.
    pub attitude: bool,
    /// The spring that holds it; none for one made for the body's inertia.
    pub angular: Option<Spring>,
    /// Its largest torque [N·m]; none for the force at the body's radius of gyration.
    pub torque: Option<f64>,
}

impl Tether {
    /// A grab made for the body's mass, attitude free.
    pub fn new(anchors: [Anchor; 2]) -> Tether {
        Tether { anchors, spring: None, force: None, attitude: false, angular: None, torque: None }
    }

    /// Fixes what was left open, for the mass of the grabbed body.
    pub(super) fn settle(&mut self, body: &Mass) {
        let pace = TAU * FREQUENCY;
        let critical = |inertia: f64| Spring::new(inertia * pace * pace, 2.0 * inertia * pace);
        let inertia = (body.inertia.x_axis.x + body.inertia.y_axis.y + body.inertia.z_axis.z) / 3.0;
        self.spring.get_or_insert(critical(body.mass));
        let force = *self.force.get_or_insert(PULL * body.mass);
        self.angular.get_or_insert(critical(inertia));
        self.torque.get_or_insert(force * (inertia / body.mass).sqrt());
    }

    /// What is wrong with its numbers, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        let springs = [self.spring, self.angular].into_iter().flatten();
        let fits = |s: &Spring| {
            s.acts() && s.stiffness >= 0.0 && s.damping >= 0.0 && (s.stiffness + s.damping).is_finite()
        };
        if let Some(s) = springs.into_iter().find(|s| !fits(s)) {
            let (k, c) = (s.stiffness, s.damping);
            return Some(format!("stiffness {k} and damping {c}: give numbers above 0, or none"));
        }
        let bad = [self.force, self.torque].into_iter().flatten().find(|f| !(*f >= 0.0 && f.is_finite()));
        bad.map(|f| format!("its largest force or torque is {f}: give a finite number, 0 or more"))
    }

    /// The bounds along the axes of a, for a way from the target to the point in these axes.
    fn bounds(&self, way: DVec3) -> DVec3 {
        let force = self.force.unwrap_or(0.0);
        let stiffness = self.spring.map_or(0.0, |s| s.stiffness);
        let reach = if stiffness > 0.0 { 0.1 * force / stiffness } else { f64::INFINITY };
        let (most, squares) = (reach.max(1e-9), way * way);
        if !most.is_finite() {
            return DVec3::splat(force / 3f64.sqrt());
        }
        let weights = (squares + most * most) / (squares.element_sum() + 3.0 * most * most);
        DVec3::new(weights.x.sqrt(), weights.y.sqrt(), weights.z.sqrt()) * force
    }
}

impl Constraint for Tether {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let pulls = [a.x(), a.y(), a.z()].map(|axis| offset(a, axis, b));
        let bounds = self.bounds(DVec3::from_array(pulls.map(|(gap, _)| gap)));
        for ((gap, blocks), bound) in pulls.into_iter().zip(bounds.to_array()) {
            out.push(Row { lo: -bound, hi: bound, ..Row::hold(gap) }.soft(self.spring), &blocks);
        }
        if self.attitude {
            self.turn(a, b, out);
        }
    }
}

impl Tether {
    /// The rows of the attitude: those of `align`, bounded by a cube inside the ball of the torque.
    fn turn(&self, a: &Frame, b: &Frame, out: &mut Rows) {
        let first = out.rows.len();
        out.align(a, b);
        let bound = self.torque.unwrap_or(0.0) / 3f64.sqrt();
        for row in &mut out.rows[first..] {
            *row = Row { lo: -bound, hi: bound, ..*row }.soft(self.angular);
        }
    }
}
