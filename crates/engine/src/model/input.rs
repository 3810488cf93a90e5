//! Inputs: the levers of a machine. Target values set by an operator → commands to drives.
//!
//! An input has a target value, set by a user (`Edit::SetInputValue`) or by its script, and an actual value that
//! follows it with a limited rate. Over a step from t to t + h
//!
//!   a(τ) = a + ȧ (τ − t),   ȧ = clamp((w − a)/h, −rate, rate)
//!
//! where w is the target at the end of the step. Without a rate limit a jumps to the target at the beginning of the step
//! and follows it along a linear transition of the script. A jump of the script within the step is made at the beginning
//! of the next one. Toward rest there is a separate rate limit. Where that differs, an input whose target is on the other side of rest comes to rest first, and continues from there in
//! the next step. Each binding commands factor · a; commands of several inputs to one drive are summed
//! (`constrain/inputs.rs`).
//!
//! A controller may act on an input between two steps (`InputAction`): w is then clamp(s + c, low, high), with the value
//! s that it sets, or the target of the operator, and a correction c. The target of the operator is kept, and the input
//! returns to it when the action ends.
//!
//! Range, rate, bindings and script are Model; target, actual value, user control and action are State. A snapshot thus
//! contains the positions of the levers, a restored run continues bit for bit, and only user actions are edits.

use crate::slots::JointId;

/// Bound on the numbers of inputs, as on all others of the engine.
pub(crate) const LARGEST: f64 = 1e15;

/// The quantity of a drive that an input commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Target speed of a velocity drive (`Drive::Speed`) [m/s or rad/s].
    Speed,
    /// Target of a position drive (`Drive::Position`) [m or rad].
    Position,
    /// Force limit of either [N or N·m]; not below 0.
    Force,
    /// Rope paid out at the first end of a rope, in addition to its own [m].
    PaidOut,
}

/// A drive that an input acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binding {
    /// The joint. The binding has no effect once the joint is removed.
    pub joint: JointId,
    /// Index of its coordinate.
    pub coordinate: usize,
    /// The commanded quantity.
    pub command: Command,
    /// Command per unit of the input.
    pub factor: f64,
}

/// Target value of an input over time, piecewise linear. Two points at the same time are a jump.
/// No target before the first point; the value of the last point after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    points: Vec<(f64, f64)>,
}

/// Tolerance by which a jump may come early [s]: times are sums of steps, and sixty sixtieths do not sum to 1 in
/// floating point.
const EARLY: f64 = 1e-9;

impl Script {
    /// From points (time [s], value) sorted by time.
    pub fn new(points: Vec<(f64, f64)>) -> Script {
        Script { points }
    }

    /// From a time on, a linear ramp to a value over a duration, starting from the value at that time (`rest` if none).
    /// All later points are discarded.
    pub fn go(&mut self, at: f64, to: f64, over: f64, rest: f64) {
        let from = self.at(at).unwrap_or(rest);
        self.points.truncate(self.points.partition_point(|(time, _)| *time < at));
        self.points.push((at, from));
        self.points.push((at + over, to));
    }

    /// The points.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Its value at a time.
    pub fn at(&self, time: f64) -> Option<f64> {
        let next = self.points.partition_point(|(at, _)| *at <= time + EARLY);
        let (t0, a) = *self.points.get(next.checked_sub(1)?)?;
        let Some((t1, b)) = self.points.get(next) else { return Some(a) };
        Some(a + (b - a) * ((time - t0) / (t1 - t0)).max(0.0))
    }

    /// Its values at a time and a time h later, the latter without jumps after the former.
    pub fn over(&self, time: f64, h: f64) -> Option<[f64; 2]> {
        let first = self.at(time)?;
        let later = &self.points[self.points.partition_point(|(at, _)| *at <= time + EARLY)..];
        let jump = later.windows(2).find(|pair| pair[1].0 <= pair[0].0);
        let last = match jump {
            Some([before, _]) if before.0 <= time + h + EARLY => before.1,
            _ => self.at(time + h)?,
        };
        Some([first, last])
    }
}

/// A lever, pedal or button.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Initial and neutral value.
    pub rest: f64,
    /// Rate limit of the actual value [per s]; infinite for none.
    pub rate: f64,
    /// The same toward rest.
    pub stop_rate: f64,
    /// Whether it is self-centering: it returns to rest when released.
    pub returns: bool,
    /// The drives it commands.
    pub bindings: Vec<Binding>,
    /// Its target over time while no user holds it.
    pub script: Script,
}

/// State of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputState {
    /// Target value.
    pub target: f64,
    /// Actual value.
    pub actual: f64,
    /// Whether a user holds it: the script is then ignored.
    pub held: bool,
    /// The action of controllers on it.
    pub action: InputAction,
}

/// The action of controllers on an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputAction {
    /// Value in place of the operator's target.
    pub set: Option<f64>,
    /// Correction added to it.
    pub add: f64,
    /// Lower limit of the result.
    pub low: f64,
    /// Upper limit of the result.
    pub high: f64,
}

impl Default for InputAction {
    /// None.
    fn default() -> InputAction {
        InputAction { set: None, add: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY }
    }
}

impl InputAction {
    /// The commanded value of an input for the target of its operator. Limits that exclude each other command its
    /// value at rest.
    fn command(&self, input: &Input, target: f64) -> f64 {
        if *self == InputAction::default() {
            return target;
        }
        let free = self.set.unwrap_or(target) + self.add;
        let limited = if self.low <= self.high { free.clamp(self.low, self.high) } else { input.rest };
        limited.clamp(input.low, input.high)
    }

    /// Whether its numbers are valid; limits may be infinite.
    fn is_valid(&self) -> bool {
        let limits = self.low < f64::INFINITY && self.high > f64::NEG_INFINITY;
        limits && self.add.is_finite() && self.set.is_none_or(f64::is_finite)
    }
}

/// Actual value of an input over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputRamp {
    /// Target of the operator at the end of the step.
    pub target: f64,
    /// Actual value at the beginning of the step.
    pub start: f64,
    /// Rate of change [per s].
    pub rate: f64,
    /// The value at the end of the step, bit for bit, if the target is reached.
    pub arrives: Option<f64>,
}

impl Input {
    /// At rest, not held.
    pub fn at_rest(&self) -> InputState {
        InputState { target: self.rest, actual: self.rest, ..InputState::default() }
    }

    /// Its ramp from a state over a step of length h.
    pub fn ramp(&self, s: &InputState, time: f64, h: f64) -> InputRamp {
        let scripted = if s.held { None } else { self.script.over(time, h) };
        let [first, operator] = scripted.unwrap_or([s.target; 2]);
        let wanted = s.action.command(self, operator);
        let stops = (s.actual - self.rest) * (wanted - s.actual) < 0.0;
        let crosses = stops && (s.actual - self.rest) * (wanted - self.rest) < 0.0;
        let target = if crosses && self.stop_rate != self.rate { self.rest } else { wanted };
        let limit = if stops { self.stop_rate } else { self.rate };
        if limit == f64::INFINITY {
            let start = if target == wanted { s.action.command(self, first) } else { target };
            return InputRamp { target: operator, start, rate: (target - start) / h, arrives: Some(target) };
        }
        let rate = (target - s.actual) / h;
        let arrives = (rate.abs() <= limit).then_some(target);
        InputRamp { target: operator, start: s.actual, rate: rate.clamp(-limit, limit), arrives }
    }
}

impl InputState {
    /// Whether its numbers are finite and within bounds.
    pub fn is_finite(&self) -> bool {
        self.target.abs() < LARGEST && self.actual.abs() < LARGEST && self.action.is_valid()
    }
}

impl InputRamp {
    /// The actual value after a time h.
    pub(crate) fn end(&self, h: f64) -> f64 {
        self.arrives.unwrap_or(self.start + self.rate * h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_jumps_ramps_and_is_cut_short_by_the_next_cue() {
        let mut script = Script::default();
        assert_eq!(script.at(3.0), None);
        script.go(1.0, 4.0, 0.0, 0.0);
        script.go(2.0, 0.0, 4.0, 0.0);
        // half way down it rises again
        script.go(4.0, 3.0, 1.0, 0.0);
        let at = |time: f64| script.at(time);
        assert_eq!([at(0.9), at(1.0), at(1.5), at(3.0)], [None, Some(4.0), Some(4.0), Some(3.0)]);
        assert_eq!([at(4.0), at(4.5), at(5.0), at(99.0)], [Some(2.0), Some(2.5), Some(3.0), Some(3.0)]);
        // a sum of steps that is short of the jump by round-off reaches it
        assert_eq!(at((0..60).fold(0.0, |t, _| t + 1.0 / 60.0)), Some(4.0));
    }

    /// Along transitions, actual values at the ends of steps are those of the script, and their means over steps sum to its
    /// integral, with and without a rate limit; jumps are made where a step begins.
    #[test]
    fn transitions_are_followed_without_a_lag() {
        for (rate, h) in [(f64::INFINITY, 0.1), (4.0, 0.1), (f64::INFINITY, 0.05)] {
            let mut input = lever(rate, rate);
            input.script.go(0.2, 0.8, 0.4, 0.0);
            input.script.go(0.6, -0.2, 0.5, 0.0);
            let mut state = input.at_rest();
            let (mut time, mut sum) = (0.0, 0.0);
            for _ in 0..15 * (0.1f64 / h).round() as usize {
                let ramp = input.ramp(&state, time, h);
                (state.target, state.actual) = (ramp.target, ramp.end(h));
                sum += 0.5 * h * (ramp.start + state.actual);
                time += h;
                let wanted = input.script.at(time).unwrap_or(0.0);
                assert!((state.actual - wanted).abs() < 1e-12, "{rate} {time}: {} of {wanted}", state.actual);
            }
            // two trapezoids and a constant
            let area = 0.4 * 0.4 + 0.5 * 0.3 - 0.2 * 0.4;
            assert!((sum - area).abs() < 1e-12, "{rate}: {sum} of {area}");
        }
        let mut input = lever(f64::INFINITY, f64::INFINITY);
        input.script.go(0.25, 1.0, 0.0, 0.0);
        let at = |time: f64| input.ramp(&input.at_rest(), time, 0.1);
        assert_eq!([at(0.2).end(0.1), at(0.25).start, at(0.3).start], [0.0, 1.0, 1.0]);
    }

    fn lever(rate: f64, stop_rate: f64) -> Input {
        Input {
            name: "lever".into(),
            low: -1.0,
            high: 1.0,
            rest: 0.0,
            rate,
            stop_rate,
            returns: true,
            bindings: Vec::new(),
            script: Script::default(),
        }
    }

    /// Reversed from full speed: it stops in 0.2 s, then starts again in 1 s; without a stop rate it stops at once.
    #[test]
    fn stopping_has_a_ramp_of_its_own() {
        let (mut state, h) =
            (InputState { target: -1.0, actual: 1.0, held: true, ..InputState::default() }, 0.1);
        let mut seen = Vec::new();
        for _ in 0..4 {
            state.actual = lever(1.0, 5.0).ramp(&state, 0.0, h).end(h);
            seen.push(state.actual);
        }
        assert_eq!(seen, [0.5, 0.0, -0.1, -0.2]);
        // less speed in the same direction is stopping as well; more is starting
        for (wanted, ended) in [(0.1, 0.1), (0.3, 0.3), (0.9, 0.7), (0.0, 0.1), (-0.4, 0.1)] {
            let state = InputState { target: wanted, actual: 0.6, held: true, ..InputState::default() };
            let end = lever(1.0, 5.0).ramp(&state, 0.0, h).end(h);
            assert!((end - ended).abs() < 1e-15, "{wanted}: {end}");
        }
        let state = InputState { target: -1.0, actual: 1.0, held: true, ..InputState::default() };
        let ramp = lever(1.0, f64::INFINITY).ramp(&state, 0.0, h);
        assert_eq!((ramp.start, ramp.rate, ramp.end(h)), (0.0, 0.0, 0.0));
        // with the same rate for both, zero is passed without a stop
        let state = InputState { target: -1.0, actual: 0.05, held: true, ..InputState::default() };
        assert!((lever(1.0, 1.0).ramp(&state, 0.0, h).end(h) + 0.05).abs() < 1e-15);
    }

    /// The operator holds 0.6 of a lever from −1 to 1.
    #[test]
    fn actions_set_add_and_limit_within_the_range_and_keep_the_target() {
        let none = InputAction::default();
        let nowhere = InputAction { low: 0.5, high: -0.5, ..none };
        for (action, ended) in [
            (none, 0.6),
            (InputAction { set: Some(-0.3), ..none }, -0.3),
            (InputAction { add: 0.1, ..none }, 0.7),
            (InputAction { add: 9.0, ..none }, 1.0),
            (InputAction { set: Some(0.5), add: -0.25, ..none }, 0.25),
            (InputAction { low: f64::NEG_INFINITY, high: 0.0, ..none }, 0.0),
            (InputAction { set: Some(0.5), low: 0.8, ..none }, 0.8),
            (nowhere, 0.0),
        ] {
            let state = InputState { target: 0.6, actual: 0.6, held: true, action };
            let ramp = lever(f64::INFINITY, f64::INFINITY).ramp(&state, 0.0, 0.1);
            assert!((ramp.end(0.1) - ended).abs() < 1e-15, "{action:?}: {}", ramp.end(0.1));
            assert_eq!(ramp.target, 0.6);
            // the rate limits the result
            let slow = lever(1.0, 1.0).ramp(&state, 0.0, 0.1);
            assert!((slow.end(0.1) - 0.6).abs() <= 0.1 + 1e-15);
        }
    }

    #[test]
    fn the_actual_value_follows_no_faster_than_its_rate_and_arrives_to_the_bit() {
        let input = lever(0.7, 0.7);
        let (mut state, h) =
            (InputState { target: 0.3, actual: 0.0, held: true, ..InputState::default() }, 0.1);
        let mut seen = Vec::new();
        for _ in 0..6 {
            let ramp = input.ramp(&state, 0.0, h);
            assert!(ramp.rate.abs() <= 0.7);
            state.actual = ramp.end(h);
            seen.push(state.actual);
        }
        assert!((seen[2] - 0.21).abs() < 1e-15, "{seen:?}");
        assert_eq!(seen[4..], [0.3, 0.3]);
        // and back to rest bit for bit
        state.target = 0.0;
        for _ in 0..5 {
            state.actual = input.ramp(&state, 0.0, h).end(h);
        }
        assert_eq!(state.actual, 0.0);
    }
}
