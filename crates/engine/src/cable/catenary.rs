//! Catenary of a line made of segments, hung between two points of a vertical plane, in closed form.
//!
//! ```text
//!  V(s) = V₀ + ∫ w ds      T = √(H² + V²)      dx/ds = H/T + H c,  dz/ds = V/T + V c        c = 1/EA
//!  over a piece            x = (H/w) (asinh(V₂/H) − asinh(V₁/H)) + H c s
//!                          z = (T₂ − T₁)/w + c s (V₁ + V₂)/2
//! ```
//!
//! H is the horizontal tension, constant along the line, V the vertical one, w the submerged weight per length; it is
//! negative for buoyant segments. (x, z) of the whole line is the gradient of the convex ∫ (T + c T²/2) ds in (H, V₀),
//! so the solution is unique. Newton's method finds it; if round-off spoils its matrix, nested bisection does.
//!
//! A line that would hang below a floor lies on it without friction. Both hanging parts meet the floor tangentially,
//! V = 0, in one stretch whose segments all have positive weight. Both touch-down points follow from H, and H from the
//! given span. A line that would meet the floor in two stretches is reported as `Sunk`, not solved.

use crate::model::cable::Piece;
use std::ops::Range;

/// Regime of a catenary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatenaryShape {
    /// Suspended from end to end.
    Free,
    /// Partly on the floor.
    Grounded,
    /// On the floor with a horizontal tension below the resolvable minimum: the grounded part is heaped.
    Heaped,
    /// Straight, because it is inextensible and no longer than the distance of its ends; its tension is infinite.
    Taut,
    /// Below the floor somewhere: it would have to lie on it in two stretches.
    Sunk,
}

/// Solution of a catenary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CatenaryState {
    /// H: horizontal tension [N].
    pub pull: f64,
    /// V₀: vertical tension at the start, positive if the line rises from there [N].
    pub lift: f64,
    /// Arc lengths between which it lies on the floor [m].
    pub lying: [f64; 2],
    /// Regime.
    pub posture: CatenaryShape,
    /// Span per length of the grounded part.
    pack: f64,
    /// Span and rise from start to end [m].
    way: [f64; 2],
}

/// A point of a line in its plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanarPoint {
    /// From the start, along the floor [m].
    pub x: f64,
    /// From the start, up [m].
    pub z: f64,
    /// Tension [N].
    pub tension: f64,
    /// Angle of the line above the horizontal, from start to end [rad].
    pub angle: f64,
}

/// Spans below this fraction of the length are raised to it, so that a vertical line has a finite horizontal tension.
const UPRIGHT: f64 = 1e-7;
/// Ends coincide within this fraction of the length: some hundred units of round-off.
const MEETS: f64 = 1e-13;
/// An inextensible line counts as taut below this slack, relative to its length; there its tension is known to 1e-6.
const TAUT: f64 = 1e-10;
/// Newton iterations at most; 5 to 10 are usual.
const ROUNDS: usize = 60;
/// Range of the horizontal tensions searched, relative to the line's weight. At the lower bound the bend of a line of
/// 100 m is narrower than an atom.
const PULLS: [f64; 2] = [1e-12, 1e8];

/// A part of a line: its span and rise, and their derivatives with respect to the forces.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    x: f64,
    z: f64,
    /// V at its end.
    lift: f64,
    /// ∂x/∂H, ∂x/∂V = ∂z/∂H, ∂z/∂V.
    gradient: [f64; 3],
}

/// Integrates one segment from the horizontal and vertical tension at its start.
fn piece(pull: f64, lift: f64, weight: f64, length: f64, give: f64) -> Run {
    let (v, w) = (lift, lift + weight * length);
    let (tv, tw) = (libm::hypot(pull, v), libm::hypot(pull, w));
    // asinh b − asinh a = asinh u, with u = weight · k written without cancellation
    let k = if v * w >= 0.0 {
        let sum = w * tv + v * tw;
        if sum == 0.0 { length / pull } else { length * (v + w) / sum }
    } else {
        (w * tv - v * tw) / (pull * pull * weight)
    };
    let u = weight * k;
    // asinh u = u − u³/6 …
    let arc = if u.abs() < 1e-6 { k } else { libm::asinh(u) / weight };
    let (x, z) = (pull * arc, length * (v + w) / (tv + tw));
    let upward = pull * pull * k / (tv * tw);
    Run {
        x: x + pull * give * length,
        z: z + give * length * 0.5 * (v + w),
        lift: w,
        gradient: [(arc - upward).max(0.0) + give * length, -pull * z / (tv * tw), upward + give * length],
    }
}

/// Integrates the part of a line between two arc lengths from the forces at its start.
fn run(pieces: &[Piece], part: Range<f64>, pull: f64, lift: f64) -> Run {
    let (mut all, mut from) = (Run { lift, ..Run::default() }, 0.0);
    for p in pieces {
        let to = from + p.length;
        let length = part.end.min(to) - part.start.max(from);
        if length > 0.0 {
            let one = piece(pull, all.lift, p.weight, length, p.give);
            all.gradient = std::array::from_fn(|k| all.gradient[k] + one.gradient[k]);
            (all.x, all.z, all.lift) = (all.x + one.x, all.z + one.z, one.lift);
        }
        from = to;
    }
    all
}

/// Unstretched length [m].
pub fn length(pieces: &[Piece]) -> f64 {
    pieces.iter().map(|p| p.length).sum()
}

/// Weight of the line up to an arc length [N].
fn weight(pieces: &[Piece], to: f64) -> f64 {
    let mut from = 0.0;
    pieces.iter().fold(0.0, |sum, p| {
        let length = (to - from).clamp(0.0, p.length);
        from += p.length;
        sum + p.weight * length
    })
}

/// Sum of |weight| and |buoyancy| of all segments [N]: the scale of forces.
fn heft(pieces: &[Piece]) -> f64 {
    pieces.iter().map(|p| p.weight.abs() * p.length).sum()
}

/// Root of an increasing function in an interval, or the nearer bound if there is none. Regula falsi with a bisection
/// every third iteration, so that it always terminates.
fn zero(within: Range<f64>, close: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (within.start, within.end);
    let (mut below, mut above) = (f(low), f(high));
    if !(below < 0.0) {
        return low;
    }
    if !(above > 0.0) {
        return high;
    }
    let mut last = 0;
    for round in 0..200 {
        let width = high - low;
        let straight = low - below * width / (above - below);
        let inside = straight > low && straight < high && round % 3 != 2;
        let guess = if inside { straight } else { 0.5 * (low + high) };
        if guess <= low || guess >= high {
            break;
        }
        let value = f(guess);
        if value.abs() <= close {
            return guess;
        }
        // Illinois: an end that stays twice gets half its weight
        if value < 0.0 {
            (low, below) = (guess, value);
            above *= if last < 0 { 0.5 } else { 1.0 };
            last = -1;
        } else {
            (high, above) = (guess, value);
            below *= if last > 0 { 0.5 } else { 1.0 };
            last = 1;
        }
    }
    0.5 * (low + high)
}

/// Solves a line from (0, 0) to (span, rise), over an optional floor at a height. Its segments must pass [`problem`].
pub fn hang(pieces: &[Piece], span: f64, rise: f64, floor: Option<f64>) -> CatenaryState {
    let length = length(pieces);
    let way = [span.max(UPRIGHT * length), rise];
    let free = hang_free(pieces, way, length);
    // an end below the floor lowers the floor
    let Some(floor) = floor.map(|f| f.min(0.0).min(rise)) else { return free };
    let Some((lowest, depth)) = lowest(pieces, 0.0..length, free.pull, free.lift) else { return free };
    if free.posture == CatenaryShape::Taut || depth >= floor - 1e-9 * length {
        return free;
    }
    hang_grounded(pieces, &free, lowest, floor)
        .unwrap_or(CatenaryState { posture: CatenaryShape::Sunk, ..free })
}

/// The line without a floor.
fn hang_free(pieces: &[Piece], way: [f64; 2], length: f64) -> CatenaryState {
    let (all, chord) = (0.0..length, libm::hypot(way[0], way[1]));
    let give = pieces.iter().map(|p| p.give * p.length).sum::<f64>() / length;
    let stiff = pieces.iter().any(|p| p.give == 0.0);
    let hung = |pull: f64, lift: f64, posture: CatenaryShape| CatenaryState {
        pull,
        lift,
        lying: [0.0; 2],
        posture,
        pack: 1.0,
        way,
    };
    if stiff && give == 0.0 && chord >= length * (1.0 - TAUT) {
        return hung(f64::INFINITY, 0.0, CatenaryShape::Taut);
    }
    // initial guess: sag and tension of a parabola of that length; for a stretched line, its strain
    let heft = heft(pieces);
    let excess = (length * length - way[1] * way[1]) / (way[0] * way[0]) - 1.0;
    let slack = (3.0 * excess.max(1e-9)).sqrt();
    let strained = if give > 0.0 { (chord / length - 1.0).max(0.0) / give } else { 0.0 };
    let mut pull = (0.5 * heft * way[0] / length / slack).max(PULLS[0] * heft) + strained * way[0] / chord;
    let mut lift = 0.5 * heft * way[1] / length - 0.5 * weight(pieces, length) + strained * way[1] / chord;
    let residual = |pull: f64, lift: f64| {
        let r = run(pieces, all.clone(), pull, lift);
        ([r.x - way[0], r.z - way[1]], r.gradient)
    };
    let (mut off, mut gradient) = residual(pull, lift);
    for _ in 0..ROUNDS {
        if off[0].abs().max(off[1].abs()) <= MEETS * length {
            return hung(pull, lift, CatenaryShape::Free);
        }
        let [xx, xz, zz] = gradient;
        let determinant = xx * zz - xz * xz;
        let step = [(xz * off[1] - zz * off[0]) / determinant, (xz * off[0] - xx * off[1]) / determinant];
        let downhill = off[0] * step[0] + off[1] * step[1];
        if !(determinant > 0.0 && downhill < 0.0 && step[0].is_finite() && step[1].is_finite()) {
            break;
        }
        // H stays positive, and no step overshoots by more than it came down
        let mut part: f64 = if pull + step[0] < 0.1 * pull { -0.9 * pull / step[0] } else { 1.0 };
        loop {
            let (p, l) = (pull + part * step[0], lift + part * step[1]);
            let next = residual(p, l);
            let along = next.0[0] * step[0] + next.0[1] * step[1];
            if along <= -0.5 * downhill || part < 1e-6 {
                (pull, lift, (off, gradient)) = (p, l, next);
                break;
            }
            part *= 0.5;
        }
    }
    if off[0].abs().max(off[1].abs()) <= 1e3 * MEETS * length {
        return hung(pull, lift, CatenaryShape::Free);
    }
    let (pull, lift) = bisected(pieces, way, heft + strained);
    hung(pull, lift, CatenaryShape::Free)
}

/// The same by bisection: an inner one finds V₀ from the rise, an outer one H from the span.
fn bisected(pieces: &[Piece], way: [f64; 2], force: f64) -> (f64, f64) {
    let length = length(pieces);
    let close = MEETS * length;
    let lift = |pull: f64| {
        let most = PULLS[1] * force;
        zero(-most..most, close, |lift| run(pieces, 0.0..length, pull, lift).z - way[1])
    };
    let pull = |log: f64| force * libm::exp(log);
    let log = zero(libm::log(PULLS[0])..libm::log(PULLS[1]), close, |log| {
        run(pieces, 0.0..length, pull(log), lift(pull(log))).x - way[0]
    });
    (pull(log), lift(pull(log)))
}

/// The lowest point inside a part of a line: its arc length, and its height above the start of the part.
fn lowest(pieces: &[Piece], part: Range<f64>, pull: f64, start: f64) -> Option<(f64, f64)> {
    let (mut from, mut lift, mut found) = (0.0, start, None::<(f64, f64)>);
    for p in pieces {
        let to = from + p.length;
        let [low, high] = [from, to].map(|s| s.clamp(part.start, part.end));
        let after = lift + p.weight * (high - low);
        if lift < 0.0 && after >= 0.0 {
            let at = low - lift / p.weight;
            let z = run(pieces, part.start..at, pull, start).z;
            if found.is_none_or(|(_, least)| z < least) {
                found = Some((at, z));
            }
        }
        (from, lift) = (to, after);
    }
    found
}

/// The line on a floor, which it meets in the stretch with positive weight around its lowest point.
fn hang_grounded(pieces: &[Piece], free: &CatenaryState, low_at: f64, floor: f64) -> Option<CatenaryState> {
    let (length, heft, [span, rise]) = (length(pieces), heft(pieces), free.way);
    let stretch = heavy(pieces, low_at);
    let (down, up, close) = (-floor, rise - floor, MEETS * length);
    // arc lengths at which the line leaves the floor towards its start and its end
    let leaves = |pull: f64| {
        let to_start = |s: f64| -run(pieces, 0.0..s, pull, -weight(pieces, s)).z - down;
        let to_end = |s: f64| up - run(pieces, s..length, pull, 0.0).z;
        [zero(stretch.clone(), close, to_start), zero(stretch.clone(), close, to_end)]
    };
    // spans of the part hanging before, of the grounded part, and of the part hanging behind
    let spans = |pull: f64, [a, b]: [f64; 2]| {
        let give = |s: f64| flat(pieces, s, pull);
        let before = run(pieces, 0.0..a, pull, -weight(pieces, a)).x;
        [before, give(b) - give(a), run(pieces, b..length, pull, 0.0).x]
    };
    let pull = |log: f64| heft * libm::exp(log);
    let log = zero(libm::log(PULLS[0])..libm::log(PULLS[1]), close, |log| {
        spans(pull(log), leaves(pull(log))).iter().sum::<f64>() - span
    });
    let pull = pull(log);
    let lying = leaves(pull);
    let [before, between, behind] = spans(pull, lying);
    let hung = CatenaryState {
        pull,
        lift: -weight(pieces, lying[0]),
        lying,
        posture: CatenaryShape::Grounded,
        pack: 1.0,
        way: free.way,
    };
    // both ends must be met, and the grounded part must not be empty
    let near = 1e-6 * length;
    let low = run(pieces, 0.0..lying[0], pull, hung.lift).z;
    let high = run(pieces, lying[1]..length, pull, 0.0).z;
    if lying[1] < lying[0] || (low + down).abs() > near || (high - up).abs() > near {
        return None;
    }
    // nor may the hanging parts reach the floor again
    let beneath = |part: Range<f64>, start: f64, over: f64| {
        lowest(pieces, part, pull, start).is_some_and(|(_, z)| z < over - near)
    };
    if beneath(0.0..lying[0], hung.lift, floor) || beneath(lying[1]..length, 0.0, 0.0) {
        return None;
    }
    let off = before + between + behind - span;
    match off.abs() <= near {
        true => Some(hung),
        false if off > 0.0 && between > 0.0 => {
            let pack = ((span - before - behind) / between).max(0.0);
            Some(CatenaryState { posture: CatenaryShape::Heaped, pack, ..hung })
        }
        false => None,
    }
}

/// Span of the line on the floor from its start up to an arc length [m].
fn flat(pieces: &[Piece], to: f64, pull: f64) -> f64 {
    let mut from = 0.0;
    pieces.iter().fold(0.0, |sum, p| {
        let length = (to - from).clamp(0.0, p.length);
        from += p.length;
        sum + length * (1.0 + pull * p.give)
    })
}

/// Range of arc length of the segments with positive weight around a point.
fn heavy(pieces: &[Piece], about: f64) -> Range<f64> {
    let (mut start, mut from) = (0.0, 0.0);
    for p in pieces {
        let to = from + p.length;
        if p.weight <= 0.0 {
            if from >= about {
                return start..from;
            }
            start = to;
        }
        from = to;
    }
    start..from
}

impl CatenaryState {
    /// The point at an unstretched arc length from the start.
    pub fn at(&self, pieces: &[Piece], along: f64) -> PlanarPoint {
        let [span, rise] = self.way;
        let ([a, b], length) = (self.lying, length(pieces));
        if self.posture == CatenaryShape::Taut {
            let part = along / length;
            let angle = libm::atan2(rise, span);
            return PlanarPoint { x: span * part, z: rise * part, tension: f64::INFINITY, angle };
        }
        let spot = |x: f64, z: f64, lift: f64| PlanarPoint {
            x,
            z,
            tension: libm::hypot(self.pull, lift),
            angle: libm::atan2(lift, self.pull),
        };
        let grounded = b > a;
        let first = run(pieces, 0.0..if grounded { along.min(a) } else { along }, self.pull, self.lift);
        if !grounded || along <= a {
            return spot(first.x, first.z, first.lift);
        }
        let lies = self.pack * (flat(pieces, along.min(b), self.pull) - flat(pieces, a, self.pull));
        let rest = run(pieces, b..along.max(b), self.pull, 0.0);
        spot(first.x + lies + rest.x, first.z + rest.z, rest.lift)
    }
}

/// What is wrong with the segments of a line, if anything.
pub fn problem(pieces: &[Piece]) -> Option<String> {
    if !(1..=MOST).contains(&pieces.len()) {
        return Some(format!("it has {} segments: give 1 to {MOST}", pieces.len()));
    }
    for (k, p) in pieces.iter().enumerate() {
        if !(p.length > 0.0 && p.length < 1e7) {
            return Some(format!("its segment {k} is {} m long: give more than 0", p.length));
        }
        if !(p.weight.abs() < 1e10 && p.give >= 0.0 && p.give.is_finite()) {
            return Some(format!("its segment {k} weighs {} N/m: give a finite number", p.weight));
        }
    }
    if !(heft(pieces) > 0.0) {
        return Some(
            "it weighs nothing, so its shape is undefined: give at least one segment a weight".to_owned(),
        );
    }
    // a slack segment without weight has no unique shape
    let least = LIGHTEST * pieces.iter().fold(0.0, |most: f64, p| most.max(p.weight.abs()));
    let light = pieces.iter().position(|p| p.weight.abs() < least)?;
    let weight = pieces[light].weight;
    Some(format!(
        "its segment {light} weighs {weight} N/m, and the shape of a slack weightless segment is undefined: give {least} or more, or {} or less",
        -least
    ))
}

/// Minimum weight per length, as a fraction of the heaviest segment's.
const LIGHTEST: f64 = 1e-4;

/// Segments at most: all are evaluated for every element.
pub const MOST: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    /// The fallback for Newton's method finds the same forces.
    #[test]
    fn bisection_agrees_with_newton() {
        let piece = |length: f64, weight: f64, give: f64| Piece { length, weight, give };
        let wave = [piece(60.0, 50.0, 0.0), piece(20.0, -80.0, 1e-7), piece(60.0, 50.0, 0.0)];
        for way in [[90.0, 10.0], [20.0, -70.0], [1.0, 130.0]] {
            let newton = hang_free(&wave, way, 140.0);
            let (pull, lift) = bisected(&wave, way, heft(&wave));
            assert!((pull / newton.pull - 1.0).abs() < 1e-9, "{pull} {newton:?}");
            assert!((lift / newton.lift - 1.0).abs() < 1e-9, "{lift} {newton:?}");
        }
    }
}
