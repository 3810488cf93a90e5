//! Layout of a rope's history: time and window of elements, then tension, direction and mean rotation rate of each span,
//! then what was wound onto drums and sheaves (`wound.rs`).

use glam::DVec3;

/// Length of its head: time and window.
const HEAD: usize = 3;

/// Length of the part of a span.
const SPAN: usize = 7;

/// The part of a span.
pub(super) fn of_span(history: &[f64], span: usize) -> Option<&[f64]> {
    history.get(HEAD + SPAN * span..HEAD + SPAN * (span + 1))
}

/// The part that follows those of the spans.
pub(super) fn of_wound(history: &[f64], spans: usize) -> &[f64] {
    history.get(HEAD + SPAN * spans..).unwrap_or_default()
}

/// The tension of a span at the last step [N].
pub(super) fn tension(history: &[f64], span: usize) -> f64 {
    of_span(history, span).map_or(0.0, |kept| kept[0])
}

/// The mean rate of change of a span's direction [1/s].
pub(crate) fn turning(history: &[f64], span: usize) -> DVec3 {
    of_span(history, span).map_or(DVec3::ZERO, |kept| DVec3::from_slice(&kept[4..]))
}
