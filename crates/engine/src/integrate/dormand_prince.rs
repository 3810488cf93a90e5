//! Dormand–Prince 5(4) with error control, as AERO §4.2 (RK5(4)7FM), then the same correction as `projected`.
//!
//!   δ = ‖y − ŷ‖,   h⁺ = 0.9 h (ε/δ)^⅕,   shortest ≤ h ≤ longest
//!
//! A frame of length dt is covered by as many internal steps as the tolerance requires. The last is shortened to end
//! with it, and one with an impact to end there. Dense output (Hairer, Nørsett & Wanner, *Solving ODEs
//! I*, II.6) gives poses of order 4 inside the last step.

use super::correct::{Residual, correct};
use super::runge_kutta::{Flow, RungeKuttaWork, Tableau, combined, stages};
use crate::body::BodyState;
use crate::model::Model;
use crate::model::state::State;
use crate::settings::Adaptive;
use crate::stages::Stages;

/// Dormand & Prince 1980, RK5(4)7FM.
pub const DORMAND_PRINCE: Tableau = Tableau {
    c: &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0],
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
};

/// Weights of order 5 less those of order 4: the error estimate.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Weights of the dense output's last term.
const DENSE: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// The last internal step, for interpolation.
#[derive(Clone, Debug, Default)]
pub struct Dense {
    /// Start time [s].
    pub start: f64,
    /// Length [s].
    pub length: f64,
    before: Vec<BodyState>,
    after: Vec<BodyState>,
    stages: Vec<Vec<Flow>>,
}

impl Dense {
    /// A body's state at a fraction 0…1 of the step, without force evaluations.
    pub fn at(&self, place: usize, fraction: f64) -> Option<BodyState> {
        let (s, h) = (fraction, self.length);
        let before = self.before.get(place)?;
        let (y0, y1) = (before.numbers(), self.after.get(place)?.numbers());
        let (first, last) = (&self.stages[0][place], &self.stages[6][place]);
        let r = combined([0.0; 13], h, &self.stages, &DENSE, place);
        // y(s) = y₀ + s (d + (1−s) (b + s (e + (1−s) r))),  d = y₁−y₀, b = h k₁ − d, e = d − h k₇ − b
        let mut y = y0;
        for i in 0..y.len() {
            let d = y1[i] - y0[i];
            let b = h * first[i] - d;
            let e = d - h * last[i] - b;
            y[i] += s * (d + (1.0 - s) * (b + s * (e + (1.0 - s) * r[i])));
        }
        let mut body = *before;
        body.set_numbers(&y);
        Some(body)
    }

    /// The state after a fraction of the step that began with `now`, into `out`.
    fn pose(&self, model: &Model, now: &State, part: f64, out: &mut State) {
        out.clone_from(now);
        out.time = now.time + part * self.length;
        for (place, body) in out.bodies.iter_mut().enumerate() {
            *body = self.at(place, part).unwrap_or(*body);
        }
        model.prescribe(out);
    }

    fn remember(&mut self, now: &State, next: &State, h: f64, flows: &[Vec<Flow>]) {
        (self.start, self.length) = (now.time, h);
        self.before.clone_from(&now.bodies);
        self.after.clone_from(&next.bodies);
        self.stages.resize_with(7, Vec::new);
        self.stages.iter_mut().zip(flows).for_each(|(to, from)| to.clone_from(from));
    }
}

/// Result of an adaptive frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AdaptiveReport {
    /// Remaining violation after the corrections.
    pub left: Residual,
    /// Internal steps at the minimum length although the error was too large.
    pub forced: usize,
}

/// Advances a state by dt into `next`; `now` is consumed.
pub fn advance(
    model: &Model,
    (now, next): (&mut State, &mut State),
    rule: Adaptive,
    s: &mut Stages,
    (w, dense): (&mut RungeKuttaWork, &mut Dense),
) -> AdaptiveReport {
    let end = now.time + model.settings.dt;
    let mut outcome = AdaptiveReport::default();
    let mut pace = if now.next_internal_step > 0.0 {
        now.next_internal_step
    } else {
        model.settings.dt.min(rule.max_step)
    };
    w.evaluation.contacts.begin(model, now, s);
    while end - now.time > 1e-12 * end.abs().max(1.0) {
        // end with the frame, without a tiny last step
        let rest = end - now.time;
        let h = if pace >= 0.999 * rest { rest } else { pace.min(0.5 * rest) };
        let shortest = w.evaluation.contacts.shortest(rule.min_step).min(rule.max_step);
        // not below a thousandth of the frame: closer impacts are found after the step
        let h = h.min(w.evaluation.contacts.soonest().max(1e-3 * model.settings.dt));
        let error = attempt(model, (now, next), (h, rule.tolerance), s, w);
        let grow = if error > 0.0 { 0.9 * libm::pow(error, -0.2) } else { 5.0 };
        let wanted = (h * grow.clamp(0.2, 5.0)).clamp(shortest, rule.max_step);
        // repeat while that shortens the step
        if error > 1.0 && wanted < 0.999 * h {
            pace = wanted;
            continue;
        }
        outcome.forced += (error > 1.0) as usize;
        // a step shortened to fit the frame is no measure of the step size
        pace = if h < pace { pace.max(wanted) } else { wanted };
        dense.remember(now, next, h, &w.flows);
        let pose = |part: f64, probe: &mut State| dense.pose(model, now, part, probe);
        if let Some(part) = w.evaluation.first_impact(model, next, s, pose) {
            attempt(model, (now, next), (part * h, rule.tolerance), s, w);
            dense.remember(now, next, part * h, &w.flows);
        }
        let left = correct(model, next, model.settings.bounce_speed, s, &mut w.evaluation.wanted);
        outcome.left.gap = outcome.left.gap.max(left.gap);
        outcome.left.rate = outcome.left.rate.max(left.rate);
        w.evaluation.contacts.arrive(model, next, s);
        if !next.bodies.iter().all(BodyState::is_finite) {
            break;
        }
        std::mem::swap(now, next);
    }
    outcome.forced += usize::from(w.evaluation.contacts.is_overloaded());
    if next.bodies.iter().all(BodyState::is_finite) {
        now.time = end;
        now.next_internal_step = pace;
        next.clone_from(now);
    }
    outcome
}

/// One internal step into `next`; returns its error relative to the tolerance.
fn attempt(
    model: &Model,
    (now, next): (&State, &mut State),
    (h, tolerance): (f64, f64),
    s: &mut Stages,
    w: &mut RungeKuttaWork,
) -> f64 {
    stages(&DORMAND_PRINCE, (model, now), h, s, w);
    next.clone_from(now);
    let mut worst: f64 = 0.0;
    for (place, b) in next.bodies.iter_mut().enumerate() {
        let y = combined(b.numbers(), h, &w.flows, DORMAND_PRINCE.b, place);
        let e = combined([0.0; 13], h, &w.flows, &ERROR, place);
        let relative = e.iter().zip(&y).map(|(e, y)| e.abs() / (1.0 + y.abs()));
        // `max` would ignore a NaN
        worst = relative.fold(worst, |m, r| if r <= m { m } else { r });
        b.set_numbers(&y);
    }
    next.time += h;
    model.prescribe(next);
    if worst.is_finite() { worst / tolerance } else { f64::INFINITY }
}
