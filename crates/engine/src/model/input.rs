//! Inputs: the levers of a machine. What an operator wants → what the machine commands its drives.
//!
//! An input has a wanted value, set by a hand (`Edit::Want`) or by its script, and an actual one that follows it no faster than
//! its rate. Over a step from t to t + h
//!
//!   a(τ) = a + ȧ (τ − t),   ȧ = clamp((w − a)/h, −rate, rate)
//!
//! and without a rate a jumps to w as the step begins. Toward rest it has a rate of its own; where that differs, an input that is
//! wanted on the other side of rest comes to rest first, and starts from there in the next step. What each of its bindings commands is factor · a; what several
//! inputs command of one drive adds up (`constrain/inputs.rs`).
//!
//! Range, rate, bindings and script are Model; wanted, actual and whose hand it is are State. So a snapshot has the levers
//! where they stood, a restored run goes on to the bit, and only what the hand does is an edit.

use crate::slots::JointId;

/// What of a drive an input changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// The wanted speed of a motor (`Drive::Speed`) [m/s or rad/s].
    Speed,
    /// The target of a servo (`Drive::Place`) [m or rad].
    Place,
    /// The largest force of either [N or N·m]; it stays at 0 or above.
    Force,
    /// Rope that is paid out at the first end of a rope, beside what it says itself [m].
    Paid,
}

/// A drive that an input acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binding {
    /// The joint. Once it is gone the binding does nothing.
    pub joint: JointId,
    /// Number of its coordinate.
    pub coordinate: usize,
    /// What is commanded.
    pub command: Command,
    /// How much of it per unit of the input.
    pub factor: f64,
}

/// What an input is wanted to be over time: points joined by straight lines. Two points at one time are a jump.
/// Before the first point it says nothing; after the last that one holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    points: Vec<(f64, f64)>,
}

/// By how much a jump may come early [s]: times are sums of steps, and the sum of sixty sixtieths is not one.
const EARLY: f64 = 1e-9;

impl Script {
    /// Of points (time [s], value) in the order of their times.
    pub fn new(points: Vec<(f64, f64)>) -> Script {
        Script { points }
    }

    /// From a time on it goes to a value, in a straight line over some time, starting from what it was then (`rest` if nothing).
    /// Whatever it was to do after that time is given up.
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

    /// What it says at a time.
    pub fn at(&self, time: f64) -> Option<f64> {
        let next = self.points.partition_point(|(at, _)| *at <= time + EARLY);
        let (t0, a) = *self.points.get(next.checked_sub(1)?)?;
        let Some((t1, b)) = self.points.get(next) else { return Some(a) };
        Some(a + (b - a) * ((time - t0) / (t1 - t0)).max(0.0))
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
    /// Where it stands at the start.
    pub rest: f64,
    /// How fast the actual value may change [per s]; infinite for at once.
    pub rate: f64,
    /// The same while it goes toward rest.
    pub stop_rate: f64,
    /// Whether it goes back to rest when the hand lets go.
    pub returns: bool,
    /// What it drives.
    pub bindings: Vec<Binding>,
    /// What it does by itself while no hand is on it.
    pub script: Script,
}

/// Where an input stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputState {
    /// What the operator wants.
    pub wanted: f64,
    /// What the machine has made of it.
    pub actual: f64,
    /// Whether a hand is on it: then the script leaves it alone.
    pub held: bool,
}

/// How the actual value of an input goes over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputRamp {
    /// Wanted over the step.
    pub wanted: f64,
    /// Actual as the step begins.
    pub start: f64,
    /// How fast it changes [per s].
    pub rate: f64,
    /// What it is to the bit when the step ends, if it gets there.
    pub arrives: Option<f64>,
}

impl Input {
    /// At rest, without a hand on it.
    pub fn at_rest(&self) -> InputState {
        InputState { wanted: self.rest, actual: self.rest, held: false }
    }

    /// How it goes from a state over a step of length h.
    pub fn ramp(&self, s: &InputState, time: f64, h: f64) -> InputRamp {
        let scripted = if s.held { None } else { self.script.at(time) };
        let wanted = scripted.unwrap_or(s.wanted);
        let stops = (s.actual - self.rest) * (wanted - s.actual) < 0.0;
        let crosses = stops && (s.actual - self.rest) * (wanted - self.rest) < 0.0;
        let target = if crosses && self.stop_rate != self.rate { self.rest } else { wanted };
        let limit = if stops { self.stop_rate } else { self.rate };
        if limit == f64::INFINITY {
            return InputRamp { wanted, start: target, rate: 0.0, arrives: Some(target) };
        }
        let rate = (target - s.actual) / h;
        let arrives = (rate.abs() <= limit).then_some(target);
        InputRamp { wanted, start: s.actual, rate: rate.clamp(-limit, limit), arrives }
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
        // after half of the way down it goes up again
        script.go(4.0, 3.0, 1.0, 0.0);
        let at = |time: f64| script.at(time);
        assert_eq!([at(0.9), at(1.0), at(1.5), at(3.0)], [None, Some(4.0), Some(4.0), Some(3.0)]);
        assert_eq!([at(4.0), at(4.5), at(5.0), at(99.0)], [Some(2.0), Some(2.5), Some(3.0), Some(3.0)]);
        // a sum of steps that falls short of the jump by round-off is at it
        assert_eq!(at((0..60).fold(0.0, |t, _| t + 1.0 / 60.0)), Some(4.0));
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

    /// Reversed from full speed: braked to rest in 0.2 s, then started again in 1 s; stopped at once where nothing limits it.
    #[test]
    fn stopping_has_a_ramp_of_its_own() {
        let (mut state, h) = (InputState { wanted: -1.0, actual: 1.0, held: true }, 0.1);
        let mut seen = Vec::new();
        for _ in 0..4 {
            state.actual = lever(1.0, 5.0).ramp(&state, 0.0, h).end(h);
            seen.push(state.actual);
        }
        assert_eq!(seen, [0.5, 0.0, -0.1, -0.2]);
        // less speed in the same direction is stopping, too; more is starting
        for (wanted, ended) in [(0.1, 0.1), (0.3, 0.3), (0.9, 0.7), (0.0, 0.1), (-0.4, 0.1)] {
            let state = InputState { wanted, actual: 0.6, held: true };
            let end = lever(1.0, 5.0).ramp(&state, 0.0, h).end(h);
            assert!((end - ended).abs() < 1e-15, "{wanted}: {end}");
        }
        let state = InputState { wanted: -1.0, actual: 1.0, held: true };
        let ramp = lever(1.0, f64::INFINITY).ramp(&state, 0.0, h);
        assert_eq!((ramp.start, ramp.rate, ramp.end(h)), (0.0, 0.0, 0.0));
        // with one rate for both, zero is passed without a stop
        let state = InputState { wanted: -1.0, actual: 0.05, held: true };
        assert!((lever(1.0, 1.0).ramp(&state, 0.0, h).end(h) + 0.05).abs() < 1e-15);
    }

    #[test]
    fn the_actual_value_follows_no_faster_than_its_rate_and_arrives_to_the_bit() {
        let input = lever(0.7, 0.7);
        let (mut state, h) = (InputState { wanted: 0.3, actual: 0.0, held: true }, 0.1);
        let mut seen = Vec::new();
        for _ in 0..6 {
            let ramp = input.ramp(&state, 0.0, h);
            assert!(ramp.rate.abs() <= 0.7);
            state.actual = ramp.end(h);
            seen.push(state.actual);
        }
        assert!((seen[2] - 0.21).abs() < 1e-15, "{seen:?}");
        assert_eq!(seen[4..], [0.3, 0.3]);
        // and to the bit back to rest
        state.wanted = 0.0;
        for _ in 0..5 {
            state.actual = input.ramp(&state, 0.0, h).end(h);
        }
        assert_eq!(state.actual, 0.0);
    }
}
