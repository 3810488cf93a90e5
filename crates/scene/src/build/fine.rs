//! Minimum element length of a cable that collides.
//!
//! Elements closer to each other than π r along the cable, with r its radius, do not collide; each such pair is listed
//! before the run. Elements much shorter than the radius overlap many neighbours without a better shape, so the length
//! is bounded: ℓ ≥ r/4, at most 13 neighbours on each side.

use super::Builder;
use crate::number::Number;
use crate::suggestion::digits;
use crate::text::Entry;
use crate::text::cable::Cable;

/// The minimum element length of a cable that collides, in radii.
const SHORTEST: f64 = 0.25;

impl Builder {
    /// Whether the elements of a cable that collides are long enough; none if not, which is reported.
    pub(super) fn long_enough(
        &mut self,
        entry: &Entry<Cable>,
        long: f64,
        radius: f64,
        elements: usize,
    ) -> Option<()> {
        let length = long / elements as f64;
        if length >= SHORTEST * radius * (1.0 - 1e-9) {
            return Some(());
        }
        let span = entry.value.elements.as_ref().map_or(entry.span.clone(), Number::span);
        let [length, radius_shown] = [length, radius].map(digits);
        let message = format!(
            "{elements} elements of {length} m are too short for collision in a cable of radius {radius_shown} m: \
             each would overlap its neighbours"
        );
        let most = (long / (SHORTEST * radius)).floor().max(1.0);
        self.problems.advise(span, message, format!("give at most {most} `elements`, or collide = false"));
        None
    }
}
