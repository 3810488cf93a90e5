//! Points of a route: their kinds, positions and attachments, checked.

use super::CheckedPoint;
use crate::build::Builder;
use crate::material::{Friction, judged};
use crate::number::{Coefficient, Number};
use crate::suggestion;
use crate::text::material::FrictionSpec;
use crate::text::route::{Point, WrapDirection};
use glam::DVec3;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{RopeAttachment, RoutePoint, Winding};

/// Maximum number of points of a route.
const MOST_POINTS: usize = 1000;

/// Maximum number of additional whole turns about a pulley.
const MOST_TURNS: u32 = 1000;

/// If the path from centre to centre bends by less than this at a pulley, the wrap direction is undecided [rad].
const STRAIGHT: f64 = 1e-6;

impl Builder {
    /// The enabled points of a route.
    pub(super) fn spots(&mut self, route: &Spanned<Vec<Spanned<Point>>>) -> Option<Vec<CheckedPoint>> {
        let count = route.get_ref().len();
        if count > MOST_POINTS {
            self.problems.advise(route.span(), format!("`route` has {count} points"), "give at most 1000");
            return None;
        }
        let mut there = Vec::new();
        for point in route.get_ref() {
            if self.problems.number_or("enabled", &point.get_ref().only, 1.0)? > 0.0 {
                there.push(point);
            }
        }
        if there.len() < 2 {
            let help = "give at least a start and an end: [{ winch = … }, { attach = …, at = … }]";
            self.problems.advise(route.span(), format!("`route` has {} points", there.len()), help);
            return None;
        }
        let last = there.len() - 1;
        let spots: Vec<_> =
            there.iter().enumerate().map(|(k, point)| self.spot(point, k == 0, k == last)).collect();
        spots.into_iter().collect()
    }

    /// One point.
    fn spot(&mut self, point: &Spanned<Point>, first: bool, last: bool) -> Option<CheckedPoint> {
        let (text, span) = (point.get_ref(), point.span());
        let kinds = [
            ("winch", &text.winch),
            ("pulley", &text.pulley),
            ("ring", &text.ring),
            ("attach", &text.attach),
        ];
        let mut given = kinds.into_iter().filter_map(|(what, name)| Some((what, name.as_ref()?)));
        let (Some((what, name)), None) = (given.next(), given.next()) else {
            let help = "give one of `winch`, `pulley`, `ring` and `attach` = \"body\"";
            self.problems.advise(span, "a route point needs exactly one kind", help);
            return None;
        };
        let body = self.find(name);
        self.fits_kind(text, what)?;
        let drum =
            self.outward(name.get_ref(), |name| self.drums.get(name).copied()).filter(|_| what == "winch");
        let at = text.at.as_ref().map(|n| self.problems.vector("at", n));
        let at = at.map_or(Some(None), |a| a.map(Some))?.map(|p| self.group.point(p));
        let Some(at) = at.or(drum.map(|d| d.at)) else {
            self.problems.advise(
                span,
                format!("a {what} without a position"),
                "give `at = [x, y, z]` in the world",
            );
            return None;
        };
        let round = matches!(what, "winch" | "pulley");
        let axis = text.axis.as_ref().map(|n| self.problems.direction("axis", n));
        let axis =
            axis.map_or(Some(None), |a| a.map(Some))?.map(|v| self.group.vector(v)).or(drum.map(|d| d.axis));
        let radius = self.problems.number_given("radius", &text.radius)?.or(drum.map(|d| d.radius));
        let (axis, radius) = match (axis, radius) {
            (Some(axis), Some(radius)) => (axis, radius),
            _ if !round => (DVec3::Z, 0.0),
            (None, _) => {
                self.problems.advise(span, format!("a {what} without an axis"), "give `axis = [x, y, z]`");
                return None;
            }
            (_, None) => {
                self.problems.advise(span, format!("a {what} without a radius"), "give `radius`");
                return None;
            }
        };
        let along = self.problems.number_or("axial_offset", &text.axial_offset, 0.0)?;
        let turns = self.turns(&text.turns)?;
        let seat = self.seat(text, what, radius)?;
        if let Some(given) = text.turns.as_ref().filter(|_| first || last) {
            let help = "leave it out: the wound rope is counted from where it leaves the pulley";
            self.problems.advise(given.span(), "`turns` at a pulley on which the rope ends", help);
            return None;
        }
        if (first || last) && seat != RopeAttachment::Fixed {
            let help = "end it on a winch, with { attach = …, at = … }, or on a pulley with slip = false";
            let end = if first { "begins" } else { "ends" };
            self.problems.advise(
                span,
                format!("the rope {end} on a {what}, to which it is not attached"),
                help,
            );
            return None;
        }
        let side = match text.wrap_direction.as_ref().map(|s| *s.get_ref()) {
            Some(WrapDirection::Ccw) => 1.0,
            Some(WrapDirection::Cw) => -1.0,
            None if first => -1.0,
            None if last => 1.0,
            None => 0.0,
        };
        let wound = self
            .problems
            .number_given("wound_length", &text.wound_length)?
            .or(drum.and_then(|drum| drum.wound));
        let winding = drum.and_then(|drum| drum.winding);
        let winding =
            winding.map(|w| Winding { wound: wound.map_or(w.wound, |wound| w.turns_of(radius, wound)), ..w });
        let via = RoutePoint { radius, side, turns, attachment: seat, winding };
        let room = (what == "winch").then(|| room(drum.map_or(2.0 * radius, |drum| drum.width), along));
        let (name, segment, at) = (name.get_ref().clone(), text.segment.clone(), at + axis * along);
        Some(CheckedPoint { what, name, body: body?, at, axis, via, wound, room, segment, span })
    }

    /// Whole turns about a pulley.
    fn turns(&mut self, text: &Option<Number<Coefficient>>) -> Option<u32> {
        let Some(number) = text else { return Some(0) };
        let turns = self.problems.number("turns", number)?;
        if turns.fract() != 0.0 || turns > f64::from(MOST_TURNS) {
            let help = format!("give a whole number up to {MOST_TURNS}");
            self.problems.advise(number.span(), format!("`turns` is {}", suggestion::digits(turns)), help);
            return None;
        }
        Some(turns as u32)
    }

    /// Reports keys that do not apply to a point of a kind.
    fn fits_kind(&mut self, text: &Point, what: &str) -> Option<()> {
        /// A key, its span, and the kinds of points that have it.
        type Key<'a> = (&'a str, Option<Range<usize>>, &'a [&'a str]);
        let rub = match &text.friction {
            Some(FrictionSpec::One(number)) => Some(number.span()),
            Some(FrictionSpec::Two(both)) => Some(both.at_rest.span()),
            None => None,
        };
        let keys: [Key<'_>; 9] = [
            ("axis", text.axis.as_ref().map(|n| n.span()), &["winch", "pulley"]),
            ("radius", text.radius.as_ref().map(Number::span), &["winch", "pulley"]),
            ("wrap_direction", text.wrap_direction.as_ref().map(|s| s.span()), &["winch", "pulley"]),
            ("turns", text.turns.as_ref().map(Number::span), &["pulley"]),
            ("axial_offset", text.axial_offset.as_ref().map(Number::span), &["winch"]),
            ("wound_length", text.wound_length.as_ref().map(Number::span), &["winch"]),
            ("friction", rub, &["pulley", "ring"]),
            ("bearing", text.bearing.as_ref().map(|b| b.friction.span()), &["pulley"]),
            ("slip", text.slip.as_ref().map(|s| s.span()), &["pulley"]),
        ];
        let mut sound = Some(());
        for (key, span, kinds) in keys {
            if let Some(span) = span.filter(|_| !kinds.contains(&what)) {
                let article = if what == "attach" { "an" } else { "a" };
                let message = format!("`{key}` does not apply to {article} `{what}`");
                self.problems.advise(
                    span,
                    message,
                    format!("leave it out; it applies to `{}`", kinds.join("` and `")),
                );
                sound = None;
            }
        }
        sound
    }

    /// How the rope is attached at a point.
    fn seat(&mut self, text: &Point, what: &str, radius: f64) -> Option<RopeAttachment> {
        let slips = text.slip.as_ref().is_none_or(|s| *s.get_ref());
        let p = &mut self.problems;
        match (&text.friction, &text.bearing) {
            _ if matches!(what, "winch" | "attach") => Some(RopeAttachment::Fixed),
            (None, None) if !slips => Some(RopeAttachment::Fixed),
            (None, None) => Some(RopeAttachment::Smooth),
            (Some(_), Some(bearing)) => {
                let help = "keep `friction` for a pulley that does not turn, or `bearing` for one that does";
                p.advise(bearing.friction.span(), "both `friction` and `bearing` are given", help);
                None
            }
            _ if !slips => {
                let span = text.slip.as_ref().map_or(0..0, |s| s.span());
                let help =
                    "leave it out, or leave out `slip`; axle friction belongs to the hinge of the pulley";
                p.advise(span, "friction of a rope that does not slip", help);
                None
            }
            (Some(rub), None) => {
                let Friction { at_rest: stick, sliding: slide } = judged(rub, p)?;
                Some(RopeAttachment::Rough { stick, slide })
            }
            (None, Some(bearing)) => {
                let (mu, pin) = (p.number("friction", &bearing.friction), p.number("pin", &bearing.pin));
                let share = mu? * pin? / radius;
                if share >= 1.0 {
                    let message = format!(
                        "friction times pin radius is {} of the pulley's radius",
                        suggestion::digits(share)
                    );
                    p.advise(
                        bearing.pin.span(),
                        message,
                        "it must be below 1 for the pulley to turn: give a smaller pin or less friction",
                    );
                    return None;
                }
                Some(RopeAttachment::Bearing { share })
            }
        }
    }

    /// Reports neighbours between which the rope cannot reach a pulley.
    pub(super) fn has_room(
        &mut self,
        spots: &[CheckedPoint],
        route: &Spanned<Vec<Spanned<Point>>>,
    ) -> Option<()> {
        for (k, pair) in spots.windows(2).enumerate() {
            let inside = |round: &CheckedPoint, other: &CheckedPoint| {
                let way = other.at - round.at;
                let off = (way - round.axis * round.axis.dot(way)).length();
                off < (round.via.radius - other.via.radius).max(0.0) * (1.0 - 1e-9)
            };
            let apart = pair[0].at.distance(pair[1].at);
            if inside(&pair[0], &pair[1]) || inside(&pair[1], &pair[0]) || !(apart > 0.0) {
                let (a, b) = (k + 1, k + 2);
                let message = format!(
                    "points {a} and {b} of the route, {} and {}, leave no space for a rope",
                    pair[0].name, pair[1].name
                );
                let help = "one is inside the pulley of the other: check `at` and `radius`";
                self.problems.advise(route.span(), message, help);
                return None;
            }
        }
        Some(())
    }

    /// Chooses the wrap direction of the smaller wrap angle where the text gives none. Reports pulleys where neither is
    /// smaller.
    pub(super) fn choose_sides(&mut self, spots: &mut [CheckedPoint]) -> Option<()> {
        let mut sound = Some(());
        for k in 1..spots.len().saturating_sub(1) {
            if spots[k].via.side != 0.0 {
                continue;
            }
            let (before, after) = (spots[k].at - spots[k - 1].at, spots[k + 1].at - spots[k].at);
            let turn = before.cross(after).dot(spots[k].axis) / (before.length() * after.length());
            spots[k].via.side = if turn < 0.0 { -1.0 } else { 1.0 };
            if spots[k].via.radius > 0.0 && turn.abs() < STRAIGHT {
                let (name, number) = (&spots[k].name, k + 1);
                let message = format!(
                    "point {number} of the route, a pulley on \"{name}\", is in line with the points before and after it"
                );
                let help = "set the direction about its axis: `wrap_direction = \"ccw\"`, counterclockwise, or `wrap_direction = \"cw\"`";
                self.problems.advise(spots[k].span.clone(), message, help);
                sound = None;
            }
        }
        sound
    }
}

/// Length along the axis of a drum that a rope may take: to both sides of its plane, up to the nearer flange [m].
fn room(width: f64, offset: f64) -> f64 {
    (width - 2.0 * offset.abs()).max(0.1 * width)
}
