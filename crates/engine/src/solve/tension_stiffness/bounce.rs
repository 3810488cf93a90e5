//! Axial damping of cables relative to the mean strain rate of a line instead of rest.
//!
//! Axial waves that a step cannot resolve are damped with τ ≥ h (`Form::Stabilised`). A load that bounces on its cable
//! stretches it uniformly, and the step may well resolve that motion:
//!
//!   T = k [ g + ¼ h (ġ⁺ − ġ) + τ_c ġ⁺ + (τ − τ_c) (ġ⁺ − ℓ w) ],     w = (1 − f) Σ ġ⁺ / Σ ℓ
//!
//! with τ_c the cable's own damping time. The right-hand side of a row then has the additional term γ (4/h) (τ − τ_c) ℓ
//! w. The first solve has w = 0. Where it leaves a run taut, the solution is linear in w, so that two more
//! back-substitutions with the same factor find the w that is consistent with the rates. The response of the mean rate
//! to w gives the frequency of the bounce: b = x/(1 + 1.25 x), x = (ωh)², at τ = h.
//!
//! A run that was taut and contracts is slack in the solution for w = 0 up to a step too early, and its stored energy
//! would be lost. With the stretch G = Σ g and its change h V in the step, the w is tried that makes T = (EA/L) G
//! min(1, G/2hV), whose work equals the stored energy, and is kept if the run stays taut. Going slack thus gains no
//! energy; becoming taut within a step loses up to ¼ (ωh)².
//!
//! A line is a run of elements between two bodies, or several that ropes over pulleys and from drums feed: the same
//! tension acts in all of it, so that it has one w. The row of such a rope, whose rate is −ġ, has the implicit form where
//! it holds light elements,
//!
//!   T = k [ g + τ_c ġ⁺ + h (ġ⁺ − ℓ w) ],     ℓ = EA/k
//!
//! f = ωh/16π keeps a little damping, a quarter of what would compensate a gain of ¼ (ωh)² in half a period: with it
//! the hoist tests (`tests/cb_hoist.rs`) gain no energy. Motion that the step does not resolve stays damped.

use super::GeometricStiffness;
use super::members::Stretch;
use crate::force::free_motion::FreeMotion;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::row::{BoundMode, RowLaw, Spring, rate};
use crate::solve::problem::Problem;
use crate::solve::regularize::{STABILISED, StepTimes, blend};
use std::f64::consts::PI;

/// Range of ωh in which the damping of the bounce is blended in.
const RESOLVED: [f64; 2] = [0.4, 0.8];

/// Tension due to damping, relative to the tension, below which nothing is changed.
const COUNTS: f64 = 1e-3;

/// The same, above which a contracting run is not assumed to go slack: its rates are those of scattered elements.
const LEAVES: f64 = 8.0;

/// Largest admissible b: that of a bounce with ωh = 8.
const STEEPEST: f64 = 0.79;

/// Strain rate of a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineRate {
    /// Whether all of it is taut.
    taut: bool,
    /// Whether its damping matters.
    counts: bool,
    /// Σ ℓ [m].
    length: f64,
    /// Σ ġ⁺ of the first solve [m/s].
    rate: f64,
    /// Σ g [m].
    stretch: f64,
    /// w of the velocities before the step, if it may be going slack [1/s].
    leaving: f64,
    /// w [1/s].
    w: f64,
}

/// What a stretch is like in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StretchRate {
    /// ℓ [m].
    length: f64,
    /// Its rate by bodies with prescribed motion and by what is paid out [m/s].
    carried: f64,
}

impl Stretch {
    /// The sign of the rate of its row when it stretches.
    fn sign(&self) -> f64 {
        if self.rope.is_some() { -1.0 } else { 1.0 }
    }
}

impl GeometricStiffness {
    /// Finds the lines that were taut and contract.
    pub(in crate::solve) fn start_rates(
        &mut self,
        (rows, free): (&Rows, &FreeMotion),
        state: &State,
        times: &StepTimes,
    ) {
        self.rates.clear();
        self.rates.resize(self.found.runs.len(), LineRate { taut: true, ..LineRate::default() });
        self.stretches.clear();
        self.stretches.resize(self.found.stretches.len(), StretchRate::default());
        for (stretch, now) in self.found.stretches.iter().zip(&mut self.stretches) {
            let line = &mut self.rates[stretch.line as usize];
            let group = &rows.groups[stretch.group as usize];
            let (index, memory) = (group.rows().start, group.joint().map(|place| &state.joints[place]));
            let (row, sign) = (&rows.rows[index], stretch.sign());
            let RowLaw::Spring(Spring { stiffness, .. }) = row.law else { continue };
            now.length = stretch.rope.map_or(stretch.length, |rope| rope / stiffness);
            now.carried = -sign * row.wanted(times.drift);
            let stretching = sign * rate(rows.blocks(index), |place| state.twist(place)) + now.carried;
            if free.carrying {
                now.carried += sign * rate(rows.blocks(index), |place| free.carried[place]);
            }
            line.length += now.length;
            line.leaving += stretching;
            line.stretch += sign * row.gap;
            line.taut &= memory.is_some_and(|memory| {
                let taut = memory.modes.first() == Some(&BoundMode::Between);
                taut && stiffness * times.drift * stretching.abs() < -LEAVES * sign * memory.forces[0]
            });
        }
        for run in &mut self.rates {
            let way = -times.drift * run.leaving;
            run.leaving = match run.taut && way > 0.0 && run.stretch > 0.0 {
                true => {
                    let pull = f64::min(1.0, 0.5 * run.stretch / way);
                    ((1.0 - pull) * run.stretch - way).min(0.0) / (times.drift * run.length)
                }
                false => 0.0,
            };
        }
    }

    /// Reads the strain rates of the solution for the first w and sets a second; false if no damping matters.
    pub(in crate::solve) fn second_rates(
        &mut self,
        problem: &mut Problem,
        rows: &Rows,
        times: &StepTimes,
    ) -> bool {
        self.read_taut(problem);
        for (stretch, now) in self.found.stretches.iter().zip(&self.stretches) {
            let (line, sign) = (&mut self.rates[stretch.line as usize], stretch.sign());
            let rate = sign * problem.rate_of(rows, stretch.local) + now.carried;
            line.rate += rate;
            if let Some((_, stiffness)) = damping_of(stretch, problem, rows, times) {
                let pull = -sign * problem.active.multipliers[stretch.local];
                line.counts |= times.kick * times.drift * stiffness * rate.abs() > COUNTS * pull;
            }
        }
        for run in self.rates.iter_mut().filter(|run| run.counts) {
            run.w = if run.taut { run.rate / run.length } else { run.leaving };
        }
        self.put_in(problem, rows, times, 1.0);
        self.rates.iter().any(|run| run.w != 0.0)
    }

    /// Sets the w that are consistent with the rates; false if they are set already.
    pub(in crate::solve) fn last_rates(
        &mut self,
        problem: &mut Problem,
        rows: &Rows,
        times: &StepTimes,
    ) -> bool {
        self.put_in(problem, rows, times, -1.0);
        self.read_taut(problem);
        let mut changed = false;
        for number in 0..self.rates.len() {
            let own = self.found.stretches.iter().zip(&self.stretches);
            let own = own.filter(|(stretch, _)| stretch.line == number as u32);
            let rate = |(stretch, now): (&Stretch, &StretchRate)| {
                stretch.sign() * problem.rate_of(rows, stretch.local) + now.carried
            };
            let now: f64 = own.map(rate).sum();
            let run = &mut self.rates[number];
            let is_leaving = run.w == run.leaving;
            if run.w == 0.0 || (is_leaving && run.taut) {
                continue;
            }
            changed = true;
            let slope = ((now - run.rate) / (run.length * run.w)).clamp(0.0, STEEPEST);
            let resolution = (slope / (1.0 - 1.25 * slope)).sqrt();
            let f = f64::max(resolution / (16.0 * PI), blend(resolution, RESOLVED)).min(1.0);
            let part = if is_leaving { 0.0 } else { 1.0 - f };
            run.w = part * run.rate / (run.length * (1.0 - slope * part));
        }
        self.put_in(problem, rows, times, 1.0);
        changed
    }

    /// Removes the added terms.
    pub(in crate::solve) fn forget_rates(&mut self, problem: &mut Problem, rows: &Rows, times: &StepTimes) {
        self.put_in(problem, rows, times, -1.0);
    }

    /// Determines which lines are taut in the present solution.
    fn read_taut(&mut self, problem: &Problem) {
        self.rates.iter_mut().for_each(|line| line.taut = true);
        for stretch in &self.found.stretches {
            let pulls = stretch.sign() * problem.active.multipliers[stretch.local] < 0.0;
            let line = &mut self.rates[stretch.line as usize];
            line.taut &= pulls && problem.active.modes[stretch.local] == BoundMode::Between;
        }
    }

    fn put_in(&self, problem: &mut Problem, rows: &Rows, times: &StepTimes, sign: f64) {
        for (stretch, now) in self.found.stretches.iter().zip(&self.stretches) {
            let line = self.rates[stretch.line as usize];
            if line.w == 0.0 {
                continue;
            }
            if let Some((part, _)) = damping_of(stretch, problem, rows, times) {
                problem.rows[stretch.local].rhs += sign * stretch.sign() * part * now.length * line.w;
            }
        }
    }
}

/// By how much the right-hand side of a row changes with ℓ w, and its stiffness; none if it has no other damping than
/// its own.
fn damping_of(stretch: &Stretch, problem: &Problem, rows: &Rows, times: &StepTimes) -> Option<(f64, f64)> {
    let RowLaw::Spring(Spring { stiffness, damping, .. }) =
        rows.rows[problem.numbering.rows[stretch.local]].law
    else {
        return None;
    };
    if stretch.rope.is_some() {
        // only the implicit form has so small a compliance
        let all = times.drift * stiffness + damping;
        let is_implicit = times.kick * all * problem.rows[stretch.local].sigma < 1.0 + 1e-9;
        return is_implicit.then(|| (times.drift * stiffness / all, stiffness));
    }
    let least = STABILISED * times.drift * stiffness;
    (damping < least).then(|| (4.0 * (least - damping) / (times.drift * stiffness + 4.0 * least), stiffness))
}
