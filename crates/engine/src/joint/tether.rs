//! A tether: a spring pulls a point of a body to a target with a bounded force, as a hand or a mouse would.
//!
//!   g = e_a · (p_b − p_a), e the axes of a                       3 rows with spring and damper, |force| ≤ F
//!   g = 2 vec(q_a* q_b), if the orientation is held              3 more, |torque| ≤ T
//!
//! The bounds are a box inside the ball of radius F: along each axis F √w, with weights w that sum to 1.
//! Far from the target the corner of the box lies along the displacement d, w = d²/|d|², so that the full force F acts.
//! Within r, a tenth of the spring's elongation at F, the box becomes a cube: w = (d² + r²)/(|d|² + 3r²).
//!
//! Defaults follow from the mass of the body when the tether is added: critical damping at 3 Hz, and ten times its
//! weight.

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

/// Default force per mass: ten times gravity [m/s²].
const PULL: f64 = 98.1;

/// A compliant, bounded attraction of a point of a body to a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Tether {
    /// The target, on the ground or any other body, and the point that is pulled.
    pub anchors: [Anchor; 2],
    /// Spring of the position; none for the default from the body's mass.
    pub spring: Option<Spring>,
    /// Force limit [N]; none for ten times the body's weight.
    pub force: Option<f64>,
    /// Whether the orientation of the target is held too.
    pub orientation: bool,
    /// Spring of the orientation; none for the default from the body's inertia.
    pub angular: Option<Spring>,
    /// Torque limit [N·m]; none for the force limit times the body's radius of gyration.
    pub torque: Option<f64>,
}

impl Tether {
    /// A tether with default parameters and free orientation.
    pub fn new(anchors: [Anchor; 2]) -> Tether {
        Tether { anchors, spring: None, force: None, orientation: false, angular: None, torque: None }
    }

    /// Sets unspecified parameters from the mass of the attached body.
    pub(super) fn settle(&mut self, body: &Mass) {
        let pace = TAU * FREQUENCY;
        let critical = |inertia: f64| Spring::new(inertia * pace * pace, 2.0 * inertia * pace);
        let inertia = (body.inertia.x_axis.x + body.inertia.y_axis.y + body.inertia.z_axis.z) / 3.0;
        self.spring.get_or_insert(critical(body.mass));
        let force = *self.force.get_or_insert(PULL * body.mass);
        self.angular.get_or_insert(critical(inertia));
        self.torque.get_or_insert(force * (inertia / body.mass).sqrt());
    }

    /// Describes an invalid parameter, if any.
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
        bad.map(|f| format!("its force or torque limit is {f}: give a finite number, 0 or more"))
    }

    /// The bounds along the axes of a, for the displacement from the target to the point in these axes.
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
        if self.orientation {
            self.turn(a, b, out);
        }
    }
}

impl Tether {
    /// The rows of the orientation: those of `align`, bounded by a cube inside the ball of the torque limit.
    fn turn(&self, a: &Frame, b: &Frame, out: &mut Rows) {
        let first = out.rows.len();
        out.align(a, b);
        let bound = self.torque.unwrap_or(0.0) / 3f64.sqrt();
        for row in &mut out.rows[first..] {
            *row = Row { lo: -bound, hi: bound, ..*row }.soft(self.angular);
        }
    }
}
