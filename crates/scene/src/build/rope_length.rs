//! The unstretched rope length in each run of a route, from its `length` or its `tension`.
//!
//! ```text
//!  tension T     path/(1 + T/EA) in each run
//!  length L      L in one run; over sheaves without slip, with r φ on each, path (L − Σ r φ)/Σ path in each
//! ```

use super::Builder;
use super::route::{CheckedPoint, course};
use crate::number::Number;
use crate::suggestion;
use crate::text::route::Rope as RopeText;
use windlass_engine::prelude::{Rope, RopeAttachment};

impl Builder {
    /// The rope in each run: from the given length or tension; none where it equals the length of the path. Reports a
    /// rope that would break at once.
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
                "both `length` and `tension` are given",
                "one follows from the other: keep one of them",
            );
            return None;
        }
        let course = course(rope, spots);
        let (ways, laid) = (&course.free, rope.on_sheaves(&course));
        let whole: f64 = ways.iter().sum();
        let clamped =
            |spot: &CheckedPoint| spot.via.radius == 0.0 && spot.via.attachment == RopeAttachment::Fixed;
        if length.is_some() && spots[1..spots.len() - 1].iter().any(clamped) {
            let help = "leave it out: each run then has the length of its path at the start";
            p.advise(
                span,
                format!("one `length` for {} runs between points to which the rope is attached", ways.len()),
                help,
            );
            return None;
        }
        if length.is_some_and(|length| length <= laid) {
            let message =
                format!("the sheaves without slip alone take {} m of the rope", suggestion::digits(laid));
            p.advise(span, message, "give a longer `length`");
            return None;
        }
        // runs over sheaves without slip have equal strain
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
                "its path is {way} m long: the tension would be {pull} N, and the rope breaks at {breaking} N"
            );
            let help = if length.is_some() { "give a longer `length`" } else { "give less `tension`" };
            p.advise(span, message, help);
            return None;
        }
        Some(lengths)
    }
}
