//! A rope on a winch: the distance of two points stays below a length that is a function of time.
//!
//!   g = L(t) − |p_b − p_a| ≥ 0,   λ ≥ 0: it pulls and never pushes          1 row, 1 coordinate
//!
//! Written against the engine's public constraint trait; the mass and bending of the rope are left out.

use glam::DVec3;
use windlass_engine::prelude::{Anchor, Constraint, Motion, Role, Row, Rows, Sight, Spring};

/// A massless rope whose length is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Its two ends.
    pub anchors: [Anchor; 2],
    /// Its length as a function of time [m].
    pub length: Motion,
    /// How it stretches; none for not at all.
    pub spring: Option<Spring>,
}

impl Constraint for Rope {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, sight: &Sight<'_>, out: &mut Rows) {
        let (a, b) = (&sight.frames[0], &sight.frames[1]);
        let (d, rope) = (b.at - a.at, self.length.at(sight.time));
        let distance = d.length();
        // two points in one place have no direction: any will part them
        let u = if distance > 1e-12 { d / distance } else { DVec3::Z };
        // the blocks have the rate −l̇ of the distance, so −L̇ is what is wanted of them
        let row = Row {
            speed: -rope.speed,
            acceleration: -rope.acceleration,
            role: Role::Drive(0),
            ..Row::push(rope.value - distance)
        };
        out.coordinate(distance, [a.push(-u), b.push(u)]);
        out.push(row.soft(self.spring), &[a.push(u), b.push(-u)]);
    }

    fn is_restless(&self) -> bool {
        !matches!(self.length, Motion::Constant(_))
    }
}
