//! A spring and damper between two points as a force.
//!
//!   F = −k (l − rest) − c l̇  along the line
//!
//! The spring is explicit: stable only while √(k/m) h < 2. For stiff springs use `Distance::spring`, a regularised
//! constraint. Under `spook` the damper is a row, and stable for any step; `projected` divides its step.

use super::{Bodies, ForceLaw, Loads, not_finite};
use crate::body::frame::Anchor;
use crate::row::rows::Rows;
use crate::row::{Row, Spring};
use crate::slots::BodyId;
use glam::DVec3;

/// A spring-damper as a force.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceSpring {
    /// Its two ends.
    pub ends: [Anchor; 2],
    /// k [N/m].
    pub stiffness: f64,
    /// c [N·s/m].
    pub damping: f64,
    /// Rest length [m].
    pub rest: f64,
}

impl ForceSpring {
    /// Adds its forces, with a damping c [N·s/m].
    fn pull(&self, bodies: &Bodies<'_>, c: f64, out: &mut Loads) {
        let [a, b] = self.ends.each_ref().map(|end| bodies.frame(end));
        let d = b.at - a.at;
        let along = d.normalize_or_zero();
        let rate = along.dot(bodies.velocity(&b) - bodies.velocity(&a));
        let pull = self.stiffness * (d.length() - self.rest) + c * rate;
        out.push(&a, along * pull);
        out.push(&b, along * -pull);
    }
}

impl ForceLaw for ForceSpring {
    fn apply(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        self.pull(bodies, self.damping, out);
    }

    fn explicit(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        // negative damping drives, and is no damper
        self.pull(bodies, self.damping.min(0.0), out);
    }

    fn dampers(&self, bodies: &Bodies<'_>, out: &mut Rows) {
        if self.damping <= 0.0 {
            return;
        }
        let [a, b] = self.ends.each_ref().map(|end| bodies.frame(end));
        let along = (b.at - a.at).normalize_or_zero();
        let row = Row::hold(0.0).with_spring(&Spring::new(0.0, self.damping));
        out.push(row, &[a.push(-along), b.push(along)]);
    }

    fn tangent(&self, bodies: &Bodies<'_>, out: &mut Rows) {
        let [a, b] = self.ends.each_ref().map(|end| bodies.frame(end));
        let d = b.at - a.at;
        let along = d.try_normalize().unwrap_or(DVec3::X);
        let (across, other) = along.any_orthonormal_pair();
        // a stretched spring also pulls its ends back into line
        let turned = self.stiffness * (1.0 - self.rest / d.length().max(1e-300));
        let turned = turned.clamp(0.0, self.stiffness.max(0.0));
        for (axis, spring) in [
            (along, Spring::new(self.stiffness, self.damping)),
            (across, Spring::new(turned, 0.0)),
            (other, Spring::new(turned, 0.0)),
        ] {
            out.push(Row::hold(0.0).with_spring(&spring), &[a.push(-axis), b.push(axis)]);
        }
    }

    fn potential(&self, bodies: &Bodies<'_>) -> f64 {
        let [a, b] = self.ends.each_ref().map(|end| bodies.frame(end).at);
        let stretch = (b - a).length() - self.rest;
        0.5 * self.stiffness * stretch * stretch
    }

    fn conservative(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        self.pull(bodies, 0.0, out);
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.ends.iter().map(|e| e.body).collect()
    }

    fn problem(&self) -> Option<String> {
        let points = self.ends.iter().find_map(|e| not_finite("an end of a spring", &e.at.to_array()));
        points.or(not_finite("a parameter of a spring", &[self.stiffness, self.damping, self.rest]))
    }
}
