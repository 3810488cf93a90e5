//! Forces: applied, spring, drag.

use super::Builder;
use crate::number::Numbers;
use crate::suggestion;
use crate::text::Entry;
use crate::text::force as text;
use windlass_engine::prelude::{Anchor, Applied, Direction, Drag, Force, ForceSpring};

impl Builder {
    /// The force of an entry.
    pub fn force(&mut self, entry: &Entry<text::Force>) -> Option<Force> {
        self.enter(entry);
        match &entry.value {
            text::Force::Applied(f) => self.applied(entry, f).map(Force::Applied),
            text::Force::Spring(f) => self.spring_force(f).map(Force::Spring),
            text::Force::Drag(f) => self.drag(f).map(Force::Drag),
        }
    }

    fn applied(&mut self, entry: &Entry<text::Force>, f: &text::Applied) -> Option<Applied> {
        let body = self.find(&f.body);
        let other = f.toward.as_ref().map(|t| self.find(&t.body));
        let p = &mut self.problems;
        let force = f.force.as_ref().map(|n| p.vector("force", n));
        let torque = f.torque.as_ref().map(|n| p.vector("torque", n));
        let size = f.toward.as_ref().map(|t| p.number("force", &t.force));
        let from = p.number_or("from", &f.from, f64::NEG_INFINITY);
        let until = p.number_or("until", &f.until, f64::INFINITY);
        if force.is_none() && torque.is_none() && size.is_none() {
            let message = format!("force \"{}\" specifies no force", entry.name);
            p.advise(entry.span.clone(), message, "give `force`, `torque` or `toward`");
            return None;
        }
        if let (Some(toward), Some(force)) = (&f.toward, &f.force) {
            let help = format!(
                "`toward` has its own `force`: leave this one out, or leave out `toward = {{ body = \"{}\" }}`",
                toward.body.get_ref()
            );
            p.advise(force.span(), "both `force` and `toward` are given", help);
            return None;
        }
        let (from, until) = (from?, until?);
        if !(from < until) {
            let span = f.until.as_ref().or(f.from.as_ref()).map_or(entry.span.clone(), |n| n.span());
            let (from, until) = (suggestion::exact(from), suggestion::exact(until));
            p.advise(
                span,
                format!("the force ends at {until} s but begins at {from} s"),
                "give from < until",
            );
            return None;
        }
        let body = body?;
        let at = match &f.at {
            Some(at) => self.point(body, "at", at)?,
            None => Anchor::point(body.id, body.center),
        };
        let group = self.group.clone();
        let along = |v| match f.axes.unwrap_or_default() {
            text::Axes::World => Direction::World(group.vector(v)),
            text::Axes::Body => Direction::Body(v),
        };
        let force = match (force, &f.toward, other, size) {
            (Some(v), ..) => Some(along(v?)),
            (None, Some(toward), Some(other), Some(size)) => {
                let other = other?;
                let target = match &toward.at {
                    Some(at) => self.point(other, "at", at)?,
                    None => Anchor::point(other.id, glam::DVec3::ZERO),
                };
                Some(Direction::Toward(target, size?))
            }
            _ => None,
        };
        let torque = match torque {
            Some(v) => Some(along(v?)),
            None => None,
        };
        Some(Applied { at, force, torque, from, until })
    }

    fn spring_force(&mut self, f: &text::SpringForce) -> Option<ForceSpring> {
        let bodies = self.pair(&f.bodies);
        let p = &mut self.problems;
        let stiffness = p.number("stiffness", &f.stiffness);
        let damping = p.number_or("damping", &f.damping, 0.0);
        let [a, b] = f.points.each_ref().map(|n: &Numbers<_>| p.vector("points", n));
        let rest = match (&f.rest, a, b) {
            (Some(rest), ..) => p.number("rest", rest),
            (None, Some(a), Some(b)) => Some((b - a).length()),
            _ => None,
        };
        let bodies = bodies?;
        let ends =
            [self.point(bodies[0], "points", &f.points[0])?, self.point(bodies[1], "points", &f.points[1])?];
        Some(ForceSpring { ends, stiffness: stiffness?, damping: damping?, rest: rest? })
    }

    fn drag(&mut self, f: &text::Drag) -> Option<Drag> {
        let body = self.find(&f.body);
        let p = &mut self.problems;
        let (factor, area) = (p.number("factor", &f.factor), p.number("area", &f.area));
        let density = f.density.as_ref().map(|n| p.number("density", n));
        let density = density.map_or(Some(None), |inner| inner.map(Some));
        Some(Drag { body: body?.id, factor: factor?, area: area?, density: density? })
    }
}
