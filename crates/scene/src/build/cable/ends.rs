//! Ends and path of a cable: checked, and the line from one end to the other.

use super::MOST_STRAIN;
use crate::build::place::Pose;
use crate::build::{Builder, Placed};
use crate::section::CableSection;
use crate::suggestion;
use crate::text::Entry;
use crate::text::cable::{Attachment, Cable as CableText, CableEnd};
use glam::{DQuat, DVec3};
use std::ops::Range;
use windlass_engine::prelude::{End, chords, sagging};

/// Maximum number of points of a path.
const MOST_POINTS: usize = 100_000;
/// Maximum distance between an end and the end of its path [m].
const TOGETHER: f64 = 1e-6;
/// Maximum ratio of the length of a cable to that of its given path: the excess would have no position.
const LONGER: f64 = 1.01;
/// Cosine of the angle to gravity above which a chord is vertical.
const UPRIGHT: f64 = 0.9;

impl Builder {
    /// The points of a path in the world; the inner none if there is no path.
    pub(super) fn path(&mut self, text: &CableText) -> Option<Option<Vec<DVec3>>> {
        let Some(path) = &text.path else { return Some(None) };
        let count = path.get_ref().len();
        if !(2..=MOST_POINTS).contains(&count) {
            let help = format!("give 2 to {MOST_POINTS}: [[x, y, z], [x, y, z]]");
            self.problems.advise(path.span(), format!("`path` has {count} points"), help);
            return None;
        }
        let points: Vec<_> = path.get_ref().iter().map(|n| self.problems.vector("path", n)).collect();
        let points: Option<Vec<_>> = points.into_iter().collect();
        let points: Vec<_> = points?.into_iter().map(|p| self.group.point(p)).collect();
        if points.windows(2).all(|p| p[0] == p[1]) {
            self.problems.advise(path.span(), "`path` has no length", "give different points");
            return None;
        }
        Some(Some(points))
    }

    /// An end as specified in the text: body, position and attachment.
    pub(super) fn end<'t>(
        &mut self,
        hold: &'t Option<CableEnd>,
        key: &'static str,
        entry: &Entry<CableText>,
    ) -> Option<Held<'t>> {
        let Some(text) = hold else { return Some(Held { key, ..Held::default() }) };
        let body = text.body.as_ref().map(|name| self.find(name));
        let at = text.at.as_ref().map(|n| self.problems.vector("at", n));
        let along = text.direction.as_ref().map(|n| self.problems.direction("direction", n));
        let grip = text.attachment.as_ref().map(|g| *g.get_ref()).unwrap_or_default();
        let p = &mut self.problems;
        if let (None, Some(hold)) = (&text.body, &text.attachment) {
            p.advise(
                hold.span(),
                "`attachment` of a loose end",
                "name a body, body = \"…\", or leave it out",
            );
            return None;
        }
        match (grip, &text.direction) {
            (Attachment::Clamp, None) => {
                let span = text.attachment.as_ref().map_or(entry.span.clone(), |h| h.span());
                let help = "give `direction = [x, y, z]`, or set attachment = \"fixed\" to keep its initial direction";
                p.advise(span, "a clamp without a direction", help);
                return None;
            }
            (Attachment::Ball | Attachment::Fixed, Some(along)) => {
                let help = "leave it out, or set attachment = \"clamp\"";
                p.advise(along.span(), "only a clamp has a `direction`", help);
                return None;
            }
            _ => {}
        }
        let (body, at) = (body.map_or(Some(None), |b| b.map(Some))?, at.map_or(Some(None), |a| a.map(Some))?);
        let along = along.map_or(Some(None), |a| a.map(Some))?;
        let (at, along) = (at.map(|p| self.group.point(p)), along.map(|v| self.group.vector(v)));
        Some(Held { key, text: Some(text), body, at, along, grip })
    }

    /// The position of an end: its own or that of its path; both must agree.
    pub(super) fn met(
        &mut self,
        end: &Held<'_>,
        path: Option<DVec3>,
        verb: &str,
        entry: &Entry<CableText>,
    ) -> Option<DVec3> {
        match (end.at, path) {
            (Some(at), Some(point)) if at.distance(point) > TOGETHER => {
                let gap = suggestion::digits(at.distance(point));
                let key = end.key;
                let span = end.text.and_then(|t| t.at.as_ref()).map_or(entry.span.clone(), |n| n.span());
                let message = format!("`path` {verb} {gap} m from the `at` of its `{key}`");
                self.problems.advise(span, message, "make them coincide, or leave `at` out");
                None
            }
            (Some(at), _) => Some(at),
            (None, Some(point)) => Some(point),
            (None, None) => {
                let message = format!("cable \"{}\" does not specify where it {verb}", entry.name);
                let help = format!("give `{} = {{ body = …, at = [x, y, z] }}`, or a `path`", end.key);
                self.problems.advise(entry.span.clone(), message, help);
                None
            }
        }
    }

    /// Whether a cable of a given length fits its path.
    pub(super) fn fits(
        &mut self,
        way: f64,
        length: Option<f64>,
        has_path: bool,
        stuff: &CableSection,
        span: Range<usize>,
    ) -> Option<()> {
        let p = &mut self.problems;
        if !(way > 0.0) {
            p.advise(
                span,
                "the cable begins and ends at the same point",
                "give a `path`, or another position of one end",
            );
            return None;
        }
        let length = length.unwrap_or(way);
        let (shown, long) = (suggestion::digits(way), suggestion::digits(length));
        if has_path && length > LONGER * way {
            let message = format!("the path is {shown} m long, but the cable is {long} m long");
            p.advise(
                span,
                message,
                "leave `length` out, or give a longer path, or leave `path` out to let it sag",
            );
            return None;
        }
        let strain = way / length - 1.0;
        let tension = stuff.under_load.tension(stuff.section.stretch * strain);
        let pulled = format!("the distance is {shown} m, but the cable is only {long} m long");
        match stuff.section.bears(&stuff.under_load) {
            Some(breaking) if tension > breaking => {
                let message = format!(
                    "{pulled}: the tension would be {} N, and it breaks at {} N",
                    suggestion::digits(tension),
                    suggestion::digits(breaking)
                );
                p.advise(span, message, "give a longer `length`");
                None
            }
            None if strain > MOST_STRAIN => {
                p.advise(
                    span,
                    format!("{pulled}: it would be stretched to more than twice its length"),
                    "give a longer `length`",
                );
                None
            }
            _ => Some(()),
        }
    }

    /// A polyline that sags along gravity and whose chords have a given total length.
    pub(super) fn sag(&self, from: DVec3, to: DVec3, length: f64, elements: usize) -> Vec<DVec3> {
        let gravity = self.world.model().settings().gravity;
        let down = gravity.try_normalize().unwrap_or(-DVec3::Z);
        let way = (to - from).normalize_or_zero();
        // along the chord itself it would fold, so there it bows to the side
        let down = if way.dot(down).abs() < UPRIGHT { down } else { way.any_orthonormal_vector() };
        let points = (4 * elements).clamp(64, 4096);
        let mut arc = length;
        let mut line = sagging(from, to, arc, down, points);
        // chords are shorter than their arc, so the arc is longer
        for _ in 0..8 {
            let Some(nodes) = chords(&line, elements) else { break };
            let sum = nodes[0].distance(nodes[1]) * elements as f64;
            if !(sum > 0.0) || (sum / length - 1.0).abs() < 1e-12 {
                break;
            }
            arc *= length / sum;
            line = sagging(from, to, arc, down, points);
        }
        line
    }
}

/// A checked end of the text.
#[derive(Clone, Copy, Default)]
pub(super) struct Held<'t> {
    pub(super) key: &'static str,
    pub(super) text: Option<&'t CableEnd>,
    pub(super) body: Option<Placed>,
    pub(super) at: Option<DVec3>,
    pub(super) along: Option<DVec3>,
    pub(super) grip: Attachment,
}

impl Held<'_> {
    /// As the engine has it, at a position.
    pub(super) fn on(self, at: DVec3) -> End {
        let Some(body) = self.body else { return End::Free };
        let pose = match self.along {
            Some(along) => Pose::along(at, along, None),
            None => Pose { at, orientation: DQuat::IDENTITY },
        };
        match self.grip {
            Attachment::Ball => End::Ball(pose.on(&body)),
            Attachment::Fixed => End::Fast(pose.on(&body)),
            Attachment::Clamp => End::Clamp(pose.on(&body)),
        }
    }
}
