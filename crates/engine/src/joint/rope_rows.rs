//! Rows of a rope: the length of each run, friction at sliding points, and the rotation of spans.
//!
//! ```text
//!  run    rope length beyond its path, one row; tension only
//!  belt   friction on a sliding pulley: bounded by the mean of the tensions on both sides (Eytelwein)
//!  end    a pulley that runs along the cable stops before its end
//!  span   two transverse rows: the tension rotates with the span within the step
//! ```

use super::constraint::{Constraint, ConstraintView};
use super::rope::{Anchors, Feed, Rope, RopeGeometry, SHORTEST};
use super::rope_history;
use super::wrap::Span;
use crate::body::frame::{Anchor, Frame, JacobianBlock};
use crate::body::motion::Motion;
use crate::math;
use crate::row::rows::Rows;
use crate::row::{Form, FrictionBound, Role, Row, RowLaw, Spring};
use glam::DVec3;
use std::ops::Range;

/// Weight of the newest rotation rate of a span in its running mean: a memory of eight steps, so that a swing of a
/// second is followed and jitter is not.
const FRESH: f64 = 0.125;

impl Rope {
    /// Mean rate of change of a span's direction over the last steps [1/s].
    fn turning(&self, k: usize, span: &Span, view: &ConstraintView<'_>) -> DVec3 {
        let Some(kept) = rope_history::of_span(view.history, k) else { return DVec3::ZERO };
        let (was, rate) = (DVec3::from_slice(&kept[1..]), DVec3::from_slice(&kept[4..]));
        let passed = view.time - view.history[0];
        if passed > 0.0 { rate + ((span.along - was) / passed - rate) * FRESH } else { rate }
    }

    /// The carrier holds elements at the ends against rotation about the first span and the last.
    fn hold_twist(&self, k: usize, span: &Span, frames: &[Frame], out: &mut Rows) {
        let Some(Feed { sides, twist: true, .. }) = self.feed else { return };
        let last = self.vias.len() - 1;
        let ends = [(sides[0] && k == 0, [0, 1]), (sides[1] && k + 1 == last, [last, last - 1])];
        for (_, [end, carrier]) in ends.into_iter().filter(|(held, _)| *held) {
            let spin = [frames[end].spin(span.along), frames[carrier].spin(-span.along)];
            out.push(Row { law: RowLaw::Velocity { loss: 0.0 }, ..Row::hold(0.0) }, &spin);
        }
    }

    /// The carrier stops before the end of its cable: the remaining travel is g = lead − 1.2 l + what may still be
    /// taken in.
    fn stop_at_ends(
        &self,
        geometry: &RopeGeometry,
        rates: &[[JacobianBlock; 2]],
        view: &ConstraintView<'_>,
        out: &mut Rows,
    ) {
        let (Some(feed), Some(window)) = (self.feed, self.window(view.history)) else { return };
        let last = geometry.spans.len() - 1;
        let left = [
            feed.ends[0].map(|end| (0, window[0] as f64 - f64::from(end))),
            feed.ends[1].map(|end| (last, f64::from(end) - window[1] as f64)),
        ];
        for (span, elements) in left.into_iter().flatten() {
            let way = geometry.spans[span].length + (elements - STOP) * feed.element;
            out.push(Row { role: Role::Resist(0), ..Row::push(way) }, &rates[span]);
        }
    }

    /// The row of a run's length, and the tension due to its stretch.
    fn length_row(&self, run: usize, geometry: &RopeGeometry, time: f64) -> (Row, f64) {
        let gap = self.gap(run, geometry, time);
        let mut row = Row::push(gap);
        if run == 0 {
            let paid = self.paid.at(time);
            (row.speed, row.acceleration) = (-paid.speed, -paid.acceleration);
        }
        match self.spring(geometry.free[run] + gap, gap) {
            Some(spring) => (row.soft(Some(spring)), (-gap * spring.stiffness).max(0.0)),
            None => (row, 0.0),
        }
    }

    /// Spring of rope of an unstretched length; none if inextensible.
    fn spring(&self, length: f64, gap: f64) -> Option<Spring> {
        let stiffness = self.stiffness / length.max(SHORTEST);
        // slack rope closes by as much as it is slack, to round-off
        let form = if gap > 0.0 { Form::Implicit } else { Form::Auto };
        stiffness.is_finite().then_some(Spring { stiffness, damping: self.damping * stiffness, form })
    }

    /// The row of its first run after `more` rope was paid out, at a rate [m, m/s].
    pub(crate) fn pay(&self, row: &mut Row, [more, rate]: [f64; 2]) {
        row.gap += more;
        row.speed -= rate;
        if let RowLaw::Spring(spring) = row.law {
            *row = row.soft(self.spring(self.stiffness / spring.stiffness + more, row.gap));
        }
    }
}

/// Lead that remains at the end of the cable, in elements. With a quarter, at which the next would be taken in, the
/// last element is thrown round the pulley, and at 1 ms a carriage of 90 kg at 8 m/s returned with more energy than it
/// had; with 1.2 this does not occur down to 1 ms.
const STOP: f64 = 1.2;

impl Constraint for Rope {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let geometry = self.geometry(view);
        let frames = view.frames;
        for (value, rate) in &geometry.angles {
            out.coordinate(*value, [*rate, frames[0].spin(DVec3::ZERO)]);
        }
        let rates: Anchors<[JacobianBlock; 2]> =
            geometry.spans.iter().enumerate().map(|(k, s)| s.rate(&frames[k], &frames[k + 1])).collect();
        // tension shortens
        let pull = |spans: Range<usize>, out: &mut Rows| {
            out.blocks.extend(rates[spans].iter().flatten().map(|b| b.scaled(-1.0)));
        };
        let mut stretched = Anchors::new();
        for (run, points) in geometry.runs.iter().enumerate() {
            let (row, tension) = self.length_row(run, &geometry, view.time);
            let (first, last) = (points.start, points.end - 1);
            let normal = out.rows.len();
            pull(first..last, out);
            out.push(row, &[]);
            stretched.extend((first..last).map(|_| tension));
            for k in first + 1..last {
                let Some([stick, slide]) = self.vias[k].friction(geometry.wraps[k]) else { continue };
                let first = out.rows.len();
                pull(k..last, out);
                out.push(Row { role: Role::Friction, ..Row::drive(0.0, 0.0) }, &[]);
                out.cones.push(FrictionBound {
                    normal,
                    first,
                    count: 1,
                    stick,
                    slide,
                    base: 0.0,
                    belt: true,
                });
            }
        }
        for (k, span) in geometry.spans.iter().enumerate() {
            self.hold_twist(k, span, frames, out);
        }
        self.stop_at_ends(&geometry, &rates, view, out);
        for (k, span) in geometry.spans.iter().enumerate() {
            let known = rope_history::tension(view.history, k);
            let stiffness = known.max(stretched[k]) / span.length.max(SHORTEST);
            let turning = self.turning(k, span, view) * span.length;
            let (x, y) = math::across(span.along);
            for axis in [x, y] {
                let row =
                    Row { speed: turning.dot(axis), law: RowLaw::Transverse { stiffness }, ..Row::hold(0.0) };
                let [a, b] = [&frames[k], &frames[k + 1]];
                out.push(row, &[a.push_at(span.ends[0], -axis), b.push_at(span.ends[1], axis)]);
            }
        }
    }

    fn remember(&self, view: &ConstraintView<'_>, forces: &[f64], history: &mut Vec<f64>) {
        let before = ConstraintView { history, ..*view };
        let geometry = self.geometry(&before);
        let turning: Anchors<DVec3> =
            geometry.spans.iter().enumerate().map(|(k, span)| self.turning(k, span, &before)).collect();
        let window = self.window(before.history).unwrap_or_default();
        history.clear();
        history.extend([view.time, window[0] as f64, window[1] as f64]);
        for ((span, w), tension) in geometry.spans.iter().zip(turning).zip(self.tensions(forces)) {
            let u = span.along;
            history.extend([tension, u.x, u.y, u.z, w.x, w.y, w.z]);
        }
        geometry.wound.keep(history);
    }

    fn is_moving(&self) -> bool {
        !matches!(self.paid, Motion::Constant(_))
    }
}
