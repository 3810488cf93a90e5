//! Automatic substeps: a step of `spook` that exceeds its stability bounds is divided into 2, 4, 8, … substeps.
//!
//!   h = dt/n:    h ω ≤ LIMIT,    h |Ω × r| ≤ TURN |r|
//!
//! ω is the fastest vibration of light bodies due to loaded joints (`solve/vibration.rs`), which the step treats
//! explicitly. Ω is the angular velocity of a body and r the lever arm of a joint on it. Rows hold along tangents, so a
//! body that rotates by φ in a step opens its joints by ½ φ² r. Where position iterations do not converge, the step is
//! halved as well.
//!
//! A solve that exceeds a bound is discarded and repeated with h halved. Substeps are doubled again, once per step of
//! `dt`, if twice the length would fit with a margin, so that h does not chatter. Substeps are complete steps of all
//! stages and of the whole world; n follows from State alone. `settings.max_substeps` bounds n; 1 disables this.

use super::shake::Shake;
use super::start::StartState;
use crate::model::Model;
use crate::model::state::State;
use crate::report::{Event, Report, StepLimit, event};
use crate::solve::vibration::{LIMIT, ROOM};
use crate::stages::Stages;

/// Rotation of the lever arm of a joint in a step at most [rad]: the joint opens by an eighth of the arm.
const TURN: f64 = 0.5;

/// The same where position iterations close the joints: those of a ring of 20 links converge up to 0.3 rad, and its
/// energy is accurate to 1 % at half of that.
const TURN_CLOSED: f64 = 0.15;

/// A step that the direct solver did not solve is not divided into more than this: many contacts with friction stall at
/// any step length.
const STALLED: f64 = 8.0;

/// A step of `dt` in substeps.
#[derive(Debug)]
pub struct Substeps {
    /// The state before the first of several substeps.
    before: State,
    /// The bound of the last solved substep, and the shortest such bound in the step.
    limit: StepLimit,
    shortest: StepLimit,
    /// Remainder of the step, in units of the shortest substep allowed; 0 between steps.
    left: u32,
    /// Start time of the step.
    began: f64,
    /// Sum of the substeps taken so far.
    sum: Report,
    events: Vec<Event>,
}

impl Default for Substeps {
    fn default() -> Substeps {
        let (limit, shortest) = (StepLimit::NONE, StepLimit::NONE);
        let (before, sum, events) = (State::default(), Report::default(), Vec::new());
        Substeps { before, limit, shortest, left: 0, began: 0.0, sum, events }
    }
}

impl Substeps {
    /// Checks a solve. Returns false if it must be repeated: with half the step, if it exceeds a bound and may be halved;
    /// with other velocities, if its length differs from that of the last step (`step_change.rs`).
    pub(crate) fn fits(
        &mut self,
        model: &Model,
        state: &State,
        start: &mut StartState,
        (s, shake): (&Stages, &Shake),
    ) -> bool {
        let most = model.settings.max_substeps;
        self.limit = StepLimit::NONE;
        if most < 2 {
            return true;
        }
        let h = model.dt(start.of(state));
        for (island, stats) in s.solution.islands.iter().zip(&s.solution.stats) {
            let turn = if island.shake.takes_part { TURN_CLOSED } else { TURN };
            let turning = stats.turning.body.map(|body| (stats.turning.across, body));
            for (most, found) in [(LIMIT, stats.fastest), (turn, turning)] {
                if let Some((rate, body)) = found.filter(|(rate, _)| most < rate * self.limit.longest) {
                    self.limit = StepLimit { longest: most / rate, body: Some(body as usize) };
                }
            }
        }
        let stalled = s.solution.stats.iter().any(|stats| stats.stalled) && h * STALLED > model.settings.dt;
        if (shake.failed > 0 || stalled) && self.limit.longest >= h {
            self.limit = StepLimit { longest: 0.5 * h, body: None };
        }
        if self.limit.longest >= h || h * f64::from(most) < 2.0 * model.settings.dt {
            return !start.match_step(model, state, s);
        }
        start.shorten(state, 0.5 * h);
        false
    }

    /// Begins a substep that is to be committed, and the step if it is the first; returns its length.
    pub(crate) fn begin(&mut self, model: &Model, state: &State, start: &StartState) -> f64 {
        let h = model.dt(start.of(state));
        if self.left == 0 {
            (self.left, self.began, self.shortest) = (units(model), state.time, StepLimit::NONE);
            if h < model.settings.dt {
                self.before.clone_from(state);
            }
        }
        if self.limit.longest < self.shortest.longest {
            self.shortest = self.limit;
        }
        h
    }

    /// Continues after a substep of length h was committed. Returns the report of the whole step once it is complete.
    pub(crate) fn advance(
        &mut self,
        model: &Model,
        state: &mut State,
        (h, mut part): (f64, Report),
        events: &mut Vec<Event>,
    ) -> Option<Report> {
        let (dt, most) = (model.settings.dt, units(model));
        let is_first = self.left == most;
        if let Some(fault) = &mut part.fault {
            if !is_first {
                std::mem::swap(state, &mut self.before);
                fault.time = state.time;
            }
            self.left = 0;
            return Some(part);
        }
        self.left -= (h / dt * f64::from(most)) as u32;
        state.next_internal_step = if h < dt { h } else { 0.0 };
        if self.left > 0 || !is_first {
            self.add(part, events, is_first);
        } else {
            self.sum = part;
        }
        if self.left > 0 {
            return None;
        }
        (state.time, state.step) = (self.began + dt, state.step + 1);
        let StepLimit { longest, .. } = self.shortest;
        if 2.0 * h <= dt && 2.0 * ROOM * h <= longest {
            state.next_internal_step = if 4.0 * h <= dt { 2.0 * h } else { 0.0 };
        }
        let too_long = (longest < h).then_some(self.shortest);
        let sum = std::mem::take(&mut self.sum);
        Some(Report { time: state.time, step: state.step, substeps: sum.substeps.max(1), too_long, ..sum })
    }

    /// Adds a substep to the report of the step: energies are those at its start.
    fn add(&mut self, part: Report, events: &mut Vec<Event>, is_first: bool) {
        if is_first {
            self.sum = Report { substeps: 1, ..part };
        } else {
            let sum = &mut self.sum;
            sum.work = sum.work.zip(part.work).map(|(a, b)| a.plus(b));
            sum.resolution.add(&part.resolution);
            sum.timing.add(&part.timing);
            sum.factors = sum.factors.max(part.factors);
            sum.residual = sum.residual.max(part.residual);
            sum.stalled = sum.stalled.max(part.stalled);
            sum.forced += part.forced;
            sum.broken += part.broken;
            sum.gap = sum.gap.max(part.gap);
            sum.penetration = sum.penetration.max(part.penetration);
            (sum.islands, sum.rows, sum.redundant) = (part.islands, part.rows, part.redundant);
            (sum.contacts, sum.substeps) = (part.contacts, sum.substeps + 1);
        }
        if is_first {
            self.events.clear();
        }
        event::append(&mut self.events, events);
        if self.left == 0 {
            std::mem::swap(&mut self.events, events);
        }
    }
}

/// Number of the shortest substeps allowed per step.
fn units(model: &Model) -> u32 {
    1 << model.settings.max_substeps.ilog2()
}
