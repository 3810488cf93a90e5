//! Flexible segments of a route: their elements, length and tension.

use super::CheckedPoint;
use crate::build::Builder;
use crate::build::cable::{DIAMETERS, MOST_ELEMENTS, USUAL_ELEMENTS};
use crate::number::Number;
use crate::section::CableSection;
use crate::suggestion;
use crate::text::Entry;
use crate::text::route::{Rope as RopeText, Segments};
use glam::DVec3;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{Anchor, Integrator, RopeGeometry, Route, RoutePoint};

/// Minimum number of elements for which a flexible segment must have room: two that are always there and one lead at
/// each end.
const LEAST_ELEMENTS: f64 = 4.0;

impl Builder {
    /// Which segments of a route are flexible. Reports keys that do not apply if none is.
    pub(super) fn flexible(&mut self, spots: &[CheckedPoint], text: &RopeText) -> Option<Vec<bool>> {
        let (last, before) = spots.split_last()?;
        if let Some(segment) = &last.segment {
            let help = "`segment` describes the segment after a point: move it to the point before";
            self.problems.advise(segment.span(), "no segment follows the last point", help);
            return None;
        }
        let rest = text.segments.as_ref().map_or(Segments::default(), |s| *s.get_ref());
        let is_flexible =
            |spot: &CheckedPoint| spot.segment.as_ref().map_or(rest, |s| *s.get_ref()) == Segments::Flexible;
        let flexible: Vec<bool> = before.iter().map(is_flexible).collect();
        if flexible.contains(&true) {
            return Some(flexible);
        }
        let idle = [
            ("elements", text.elements.as_ref().map(Number::span)),
            ("element", text.element.as_ref().map(Number::span)),
            ("collide", text.collide.as_ref().map(Spanned::span)),
            ("surface", text.surface.as_ref().map(Spanned::span)),
        ];
        let mut sound = Some(flexible);
        for (key, span) in idle.into_iter().filter_map(|(key, span)| Some((key, span?))) {
            let help = "leave it out, or set segments = \"flexible\"";
            self.problems.advise(span, format!("`{key}` does not apply to a massless rope"), help);
            sound = None;
        }
        sound
    }

    /// A rope with at least one flexible segment.
    pub(super) fn route(
        &mut self,
        entry: &Entry<RopeText>,
        stuff: &CableSection,
        (spots, points): (&[CheckedPoint], &[(Anchor, RoutePoint)]),
        (flexible, course, way): (Vec<bool>, &RopeGeometry, f64),
    ) -> Option<Route> {
        let text = &entry.value;
        let mut tension = self.problems.number_or("tension", &text.tension, 0.0)?;
        let mut slack = 0.0;
        if let Some(length) = self.problems.number_given("length", &text.length)? {
            // a rope shorter than its path is stretched to it
            (slack, tension) =
                ((length - way).max(0.0), stuff.section.stretch * (way / length - 1.0).max(0.0));
        }
        if slack > 0.0 && self.world.model().settings().gravity == DVec3::ZERO {
            let span = text.length.as_ref().map_or(entry.span.clone(), Number::span);
            let message = format!(
                "`length` exceeds the path by {} m, and there is no gravity for it to sag in",
                suggestion::digits(slack)
            );
            self.problems.advise(span, message, "leave it out, or give `gravity`");
            return None;
        }
        let lengths = course.spans.iter().zip(&flexible).map(|(span, is)| is.then_some(span.length));
        let element = self.element_of(entry, stuff, &lengths.collect::<Vec<_>>())?;
        let stock = [0, spots.len() - 1].map(|k| spots[k].wound.unwrap_or(0.0));
        let count = (way + slack + stock[0] + stock[1]) / element;
        if !(count < f64::from(MOST_ELEMENTS)) {
            let key = text.element.as_ref().map(Number::span).or(text.elements.as_ref().map(Number::span));
            let (count, element) = (suggestion::digits(count), suggestion::digits(element));
            let message = format!("the rope has {count} elements of {element} m, including those on winches");
            let help = format!("a cable may have up to {MOST_ELEMENTS}: give longer elements");
            self.problems.advise(key.unwrap_or(entry.span.clone()), message, help);
            return None;
        }
        let touched = text.collide.as_ref().is_some_and(|touch| *touch.get_ref());
        let name = text.surface.as_ref().map_or(stuff.surface.as_str(), |n| n.get_ref().as_str());
        // an unknown one has been reported
        let surface = if touched { Some(self.contacts.number(name)?) } else { None };
        let route = Route::new(entry.name.clone(), stuff.section, points.to_vec());
        Some(Route {
            flexible,
            element,
            stock,
            tension,
            slack,
            under_load: stuff.under_load,
            surface,
            ..route
        })
    }

    /// Reports keys that cannot be combined with flexible segments.
    pub(super) fn fits_flexible(
        &mut self,
        entry: &Entry<RopeText>,
        spots: &[CheckedPoint],
        stuff: &CableSection,
    ) -> Option<()> {
        let text = &entry.value;
        let mut sound = Some(());
        let mut wrong = |builder: &mut Builder, span: Range<usize>, message: &str, help: &str| {
            builder.problems.advise(span, message, help);
            sound = None;
        };
        if let Some(paid) = &text.paid_out {
            let help = "use a winch, whose rotation may be `prescribed`, or make the rope massless";
            wrong(self, paid.span(), "`paid_out` of a rope with flexible segments", help);
        }
        if let (Some(_), Some(element)) = (&text.elements, &text.element) {
            let help = "one follows from the other: keep one";
            wrong(self, element.span(), "both `elements` and `element` are given", help);
        }
        if let Some(surface) =
            text.surface.as_ref().filter(|_| !text.collide.as_ref().is_some_and(|t| *t.get_ref()))
        {
            let help = "leave it out, or set collide = true";
            wrong(self, surface.span(), "`surface` of a rope that does not collide", help);
        }
        if stuff.under_load.stiffening.is_some() {
            let help = "leave `stiffening` out of the section, or make the rope massless";
            wrong(self, entry.span.clone(), "flexible segments of a section with `stiffening`", help);
        }
        if self.world.model().settings().integrator != Integrator::Spook {
            let help =
                "only integrator = \"spook\" can pay out elements: choose it, or make the rope massless";
            wrong(self, entry.span.clone(), "flexible segments with another integrator than \"spook\"", help);
        }
        for spot in [&spots[0], &spots[spots.len() - 1]] {
            if spot.what == "winch" && spot.wound.is_none() {
                let message = format!("winch \"{}\" has no `wound_length`", spot.name);
                let help =
                    "set `wound_length = \"30 m\"` of the winch or of this point: the length it can pay out";
                wrong(self, spot.span.clone(), &message, help);
            }
        }
        sound
    }

    /// The element length of flexible segments with given lengths.
    fn element_of(
        &mut self,
        entry: &Entry<RopeText>,
        stuff: &CableSection,
        segments: &[Option<f64>],
    ) -> Option<f64> {
        let text = &entry.value;
        let whole: f64 = segments.iter().flatten().sum();
        let shortest = segments.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let given = self.problems.number_given("element", &text.element)?;
        let (element, span) = match (given, &text.elements) {
            (Some(element), _) => (element, text.element.as_ref().map(Number::span)),
            (None, Some(number)) => {
                let count = self.problems.whole_or("elements", &text.elements, 1..=MOST_ELEMENTS, 1)?;
                (whole / f64::from(count), Some(number.span()))
            }
            (None, None) => {
                let [few, many] = USUAL_ELEMENTS;
                let count = (whole / (DIAMETERS * stuff.section.diameter)).ceil().clamp(few, many);
                ((whole / count).min(shortest / LEAST_ELEMENTS), None)
            }
        };
        let most = shortest / LEAST_ELEMENTS * (1.0 + 1e-9);
        if let Some(span) = span.filter(|_| !(element <= most)) {
            let number = segments.iter().position(|s| *s == Some(shortest)).unwrap_or(0) + 1;
            let (long, element) = (suggestion::digits(shortest), suggestion::digits(element));
            let message = format!(
                "segment {number} of the route is {long} m long, too short for four elements of {element} m"
            );
            let count = (LEAST_ELEMENTS * whole / shortest).ceil();
            let help = format!("give {count} `elements` or more, or set segment = \"massless\" at its point");
            self.problems.advise(span, message, help);
            return None;
        }
        Some(element)
    }
}
