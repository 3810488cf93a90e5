//! The rope in each run of a route, from its `length` or its `tension`.
//!
//! ```text
//!  tension T     way/(1 + T/EA) in each run
//!  length L      L in one run; over sheaves without slip, on which r φ lie, way (L − Σ r φ)/Σ way in each
//! ```

use super::Builder;
use super::route::{CheckedPoint, course};
use crate::number::Number;
use crate::suggestion;
use crate::text::route::Rope as RopeText;
use windlass_engine::prelude::{Rope, RopeAttachment};

impl Builder {
    /// The rope in each run: what is given, what has the pull that is given, or none for as much as its way takes. Tells a rope that
    /// would break at once.
    pub(super) fn lengths(
        &mut self,
        rope: &Rope,
        spots: &[CheckedPoint],
        text: &RopeText,
        breaking: Option<f64>,
    ) -> Option<Vec<Option<f64>>> {
        let p = &mut self.problems;
        let (length, pull) =
            (p.number_given("length", &text.length), p.number_given("tension", &text.tension));
        let (length, pull) = (length?, pull?);
        let Some(span) = text.length.as_ref().map(Number::span).or(text.tension.as_ref().map(Number::span))
        else {
            return Some(rope.lengths.clone());
        };
        if length.is_some() && pull.is_some() {
            p.advise(
                span,
                "`length` and `tension` are given together",
                "one follows from the other: keep one",
            );
            return None;
        }
        let course = course(rope, spots);
        let (ways, laid) = (&course.free, rope.on_sheaves(&course));
        let whole: f64 = ways.iter().sum();
        let clamped =
            |spot: &CheckedPoint| spot.via.radius == 0.0 && spot.via.attachment == RopeAttachment::Fixed;
        if length.is_some() && spots[1..spots.len() - 1].iter().any(clamped) {
            let help = "leave it out: each run is as long as its way is at the start";
            p.advise(span, format!("one `length` for {} runs between points that hold it", ways.len()), help);
            return None;
        }
        if length.is_some_and(|length| length <= laid) {
            let message = format!("of the rope, {} m lie on sheaves without slip", suggestion::digits(laid));
            p.advise(span, message, "give a longer `length`");
            return None;
        }
        // runs over sheaves without slip have one strain
        let share = |way: f64, length: f64| match ways.len() {
            1 => length,
            _ => way * ((length - laid) / whole),
        };
        let long = |way: &f64| match length {
            Some(length) => Some(share(*way, length)),
            None => Some(way / (1.0 + pull? / rope.stiffness)),
        };
        let lengths: Vec<_> = ways.iter().map(long).collect();
        let pulled = |(way, long): (&f64, &Option<f64>)| Some((way / (*long)? - 1.0) * rope.stiffness);
        let pull = ways.iter().zip(&lengths).filter_map(pulled).fold(0.0, f64::max);
        if let Some(breaking) = breaking.filter(|breaking| pull > *breaking) {
            let (pull, breaking) = (suggestion::digits(pull), suggestion::digits(breaking));
            let way = suggestion::digits(whole + laid);
            let message = format!(
                "its way is {way} m long: it would be pulled with {pull} N and breaks at {breaking} N"
            );
            let help = if length.is_some() { "give a longer `length`" } else { "give less `tension`" };
            p.advise(span, message, help);
            return None;
        }
        Some(lengths)
    }
}
