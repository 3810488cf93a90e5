//! Operators that are not a person: they return the moves before each step, from its time alone, with ascending times.
//!
//! [`Steady`] holds values, [`Timeline`] follows a table, [`Wander`] moves at random. All are deterministic.

use super::{Control, Move, find};

/// An operator of the inputs.
pub trait Operator: std::fmt::Debug {
    /// Appends its moves before the step of length h that begins at `time`. Times ascend from call to call.
    fn act(&mut self, time: f64, h: f64, out: &mut Vec<Move>);
}

/// Holds inputs at values from the first step on.
#[derive(Clone, Debug, PartialEq)]
pub struct Steady(pub Vec<Move>);

impl Operator for Steady {
    fn act(&mut self, _time: f64, _h: f64, out: &mut Vec<Move>) {
        out.append(&mut self.0);
    }
}

/// Interpolation of a table between its lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Values are constant from one line to the next.
    #[default]
    Steps,
    /// Linear interpolation.
    Linear,
}

/// Follows a table: times, and a column of values per input. NaN marks a missing value.
#[derive(Clone, Debug)]
pub struct Timeline {
    columns: Vec<Column>,
    join: Join,
}

/// The values of one input.
#[derive(Clone, Debug)]
struct Column {
    input: String,
    /// Times and values.
    points: Vec<(f64, f64)>,
    /// Number of points whose time has passed.
    come: usize,
    /// Part of a step after which the input has the value that it is set to: the whole step with a rate limit. Without, it
    /// keeps that value over the step, whose mean is that of the middle.
    reached: f64,
    wanted: Option<f64>,
}

/// Tolerance of times [s]: times of steps are sums and have round-off.
const EARLY: f64 = 1e-9;

impl Timeline {
    /// A table for these inputs. Rejected if a name is unknown, a value is outside of its range, or times do not
    /// ascend.
    pub fn new(
        controls: &[Control],
        times: &[f64],
        columns: Vec<(String, Vec<f64>)>,
        join: Join,
    ) -> Result<Timeline, String> {
        if times.is_empty() {
            return Err("the table has no lines".to_string());
        }
        if let Some(at) = times.iter().position(|t| !t.is_finite()) {
            return Err(format!("line {}: the time is missing", at + 2));
        }
        if let Some(at) = times.windows(2).position(|t| !(t[0] < t[1])) {
            return Err(format!("line {}: its time is not after that of the line before", at + 3));
        }
        let mut taken: Vec<Column> = Vec::new();
        for (name, values) in columns {
            let control = find(controls, &name)?;
            for (line, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
                let told = |e: String| format!("line {}, column \"{name}\": {e}", line + 2);
                control.inside(*value).map_err(told)?;
            }
            if values.len() != times.len() {
                return Err(format!(
                    "column \"{name}\" has {} values for {} times",
                    values.len(),
                    times.len()
                ));
            }
            if taken.iter().any(|column| column.input == name) {
                return Err(format!("column \"{name}\" appears twice: omit one"));
            }
            let points = times.iter().copied().zip(values).filter(|(_, value)| !value.is_nan()).collect();
            let reached = if control.rate.is_some() { 1.0 } else { 0.5 };
            taken.push(Column { input: name, points, come: 0, reached, wanted: None });
        }
        Ok(Timeline { columns: taken, join })
    }

    /// Names of the inputs it moves.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.input.as_str())
    }
}

impl Column {
    /// The target some time after a time, at which there must be a value: `None` before the first.
    fn at(&mut self, time: f64, ahead: f64, join: Join) -> Option<f64> {
        if self.points.first()?.0 > time + EARLY {
            return None;
        }
        let time = time + ahead;
        while self.points.get(self.come).is_some_and(|point| point.0 <= time + EARLY) {
            self.come += 1;
        }
        let (from, value) = self.points[self.come.checked_sub(1)?];
        let next = self.points.get(self.come).filter(|_| join == Join::Linear);
        let Some((to, then)) = next else { return Some(value) };
        let share = ((time - from) / (to - from)).clamp(0.0, 1.0);
        Some(value + (then - value) * share)
    }
}

impl Operator for Timeline {
    fn act(&mut self, time: f64, h: f64, out: &mut Vec<Move>) {
        for column in &mut self.columns {
            let ahead = if self.join == Join::Linear { column.reached * h } else { 0.0 };
            let wanted = column.at(time, ahead, self.join);
            if wanted.is_some() && wanted != column.wanted {
                column.wanted = wanted;
                out.push(Move { input: column.input.clone(), to: wanted });
            }
        }
    }
}

/// Random operator, from the first step on: each input is set to a random value of its range, an end of it, rest or the
/// mirrored value, and held there for a while; sometimes it is released. The same seed with the same inputs gives the
/// same moves.
#[derive(Clone, Debug)]
pub struct Wander {
    levers: Vec<Lever>,
}

#[derive(Clone, Debug)]
struct Lever {
    input: String,
    low: f64,
    high: f64,
    rest: f64,
    wanted: f64,
    /// Time of its next move [s].
    next: f64,
    chance: Chance,
}

/// Range of the time for which an input is held [s]: from shorter than most ramps of machines to long enough for loads
/// to swing out.
const HOLDS: [f64; 2] = [0.2, 4.0];

impl Wander {
    /// A random operator of all these inputs.
    pub fn new(controls: &[Control], seed: u64) -> Wander {
        let lever = |(place, c): (usize, &Control)| {
            let chance = Chance(seed ^ (place as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
            let next = 0.0;
            let (low, high, rest) = (c.low, c.high, c.rest);
            Lever { input: c.name.clone(), low, high, rest, wanted: rest, next, chance }
        };
        Wander { levers: controls.iter().enumerate().map(lever).collect() }
    }
}

impl Lever {
    fn choose(&mut self) -> Option<f64> {
        let (low, high) = (self.low, self.high);
        let anywhere = self.chance.between(low, high);
        let to = match self.chance.below(10) {
            0..=3 => anywhere,
            4 => low,
            5 => high,
            // the mirrored value: a reversal
            6..=7 => (low + high - self.wanted).clamp(low, high),
            8 => self.rest,
            _ => {
                self.wanted = self.rest;
                return None;
            }
        };
        self.wanted = to;
        Some(to)
    }
}

impl Operator for Wander {
    fn act(&mut self, time: f64, _h: f64, out: &mut Vec<Move>) {
        for lever in &mut self.levers {
            if lever.next <= time + EARLY {
                lever.next = time + lever.chance.between(HOLDS[0], HOLDS[1]);
                let to = lever.choose();
                out.push(Move { input: lever.input.clone(), to });
            }
        }
    }
}

/// Random numbers: SplitMix64 (Steele, Lea & Flood 2014), which has no bad seeds.
#[derive(Clone, Debug)]
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniformly distributed from low to high.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (low + (high - low) * share).clamp(low, high)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(name: &str, low: f64, high: f64) -> Control {
        Control {
            name: name.into(),
            label: name.into(),
            unit: "m/s".into(),
            low,
            high,
            rest: 0.0,
            rate: None,
            stop_rate: None,
            returns: true,
            keys: None,
            gamepad: None,
            scripted: false,
            id: None,
            dimension: Default::default(),
        }
    }

    /// Targets of an input after each of the times, NaN if it is released or not set yet.
    fn wants(operator: &mut dyn Operator, times: &[f64], input: &str) -> Vec<f64> {
        let mut now = f64::NAN;
        let each = |time: &f64| {
            let mut moves = Vec::new();
            operator.act(*time, 0.0, &mut moves);
            for m in moves.iter().filter(|m| m.input == input) {
                now = m.to.unwrap_or(f64::NAN);
            }
            now
        };
        times.iter().map(each).collect()
    }

    #[test]
    fn a_table_holds_or_joins_its_lines() {
        let controls = [control("hoist", -1.0, 1.0), control("slew", -1.0, 1.0)];
        let nan = f64::NAN;
        let table = |join| {
            let columns = vec![("hoist".into(), vec![0.0, nan, 1.0]), ("slew".into(), vec![nan, 0.5, -0.5])];
            Timeline::new(&controls, &[1.0, 2.0, 3.0], columns, join).unwrap()
        };
        let times = [0.0, 1.0, 2.0, 2.5, 3.0, 9.0];
        let same = |a: Vec<f64>, b: [f64; 6]| assert_eq!(format!("{a:?}"), format!("{b:?}"));
        same(wants(&mut table(Join::Steps), &times, "hoist"), [nan, 0.0, 0.0, 0.0, 1.0, 1.0]);
        same(wants(&mut table(Join::Linear), &times, "hoist"), [nan, 0.0, 0.5, 0.75, 1.0, 1.0]);
        same(wants(&mut table(Join::Steps), &times, "slew"), [nan, nan, 0.5, 0.5, -0.5, -0.5]);
        same(wants(&mut table(Join::Linear), &times, "slew"), [nan, nan, 0.5, 0.0, -0.5, -0.5]);
        // unchanged values are not repeated
        let mut moves = Vec::new();
        let mut steps = table(Join::Steps);
        times.iter().for_each(|t| steps.act(*t, 0.1, &mut moves));
        assert_eq!(moves.len(), 4);
    }

    /// Between lines, a linear table sets what the input should have at the end of the step, or in its middle if the input
    /// jumps there.
    #[test]
    fn a_linear_table_does_not_lag() {
        let limited = Control { rate: Some(2.0), ..control("hoist", -1.0, 1.0) };
        for (control, ahead) in [(control("hoist", -1.0, 1.0), 0.05), (limited, 0.1)] {
            let columns = vec![("hoist".into(), vec![0.0, 1.0])];
            let mut table = Timeline::new(&[control], &[1.0, 2.0], columns, Join::Linear).unwrap();
            let mut moves = Vec::new();
            for (time, wanted) in
                [(0.9, None), (1.0, Some(ahead)), (1.5, Some(0.5 + ahead)), (2.0, Some(1.0))]
            {
                moves.clear();
                table.act(time, 0.1, &mut moves);
                let to = moves.first().and_then(|m| m.to);
                assert!(
                    to.zip(wanted).map_or(to == wanted, |(a, b)| (a - b).abs() < 1e-12),
                    "{time}: {to:?}"
                );
            }
        }
    }

    #[test]
    fn a_bad_table_is_reported_with_its_line() {
        let controls = [control("hoist", -1.0, 1.0)];
        let told = |times: &[f64], name: &str, values: &[f64]| {
            let columns = vec![(name.to_string(), values.to_vec())];
            Timeline::new(&controls, times, columns, Join::Steps).unwrap_err()
        };
        assert_eq!(told(&[0.0], "hoits", &[0.0]), "no input \"hoits\": did you mean \"hoist\"?");
        let outside = "line 3, column \"hoist\": 2 is outside of its range: give -1 to 1 m/s";
        assert_eq!(told(&[0.0, 1.0], "hoist", &[0.0, 2.0]), outside);
        let order = "line 3: its time is not after that of the line before";
        assert_eq!(told(&[1.0, 1.0], "hoist", &[0.0, 1.0]), order);
        assert_eq!(told(&[], "hoist", &[]), "the table has no lines");
    }

    #[test]
    fn a_wanderer_reaches_everything_in_its_range_and_nothing_else_and_does_so_again() {
        let controls = [control("hoist", -1.0, 2.0), control("slew", -0.1, 0.1)];
        let times: Vec<f64> = (0..54_000).map(|step| f64::from(step) / 60.0).collect();
        let moves = |seed: u64| {
            let mut wander = Wander::new(&controls, seed);
            let mut out = Vec::new();
            times.iter().for_each(|time| wander.act(*time, 0.1, &mut out));
            out
        };
        let first = moves(7);
        assert_eq!(first, moves(7));
        assert_ne!(first, moves(8));
        let hoist: Vec<_> = first.iter().filter(|m| m.input == "hoist").collect();
        // 15 minutes of holds of 2.1 s on average
        assert!((380..480).contains(&hoist.len()), "{}", hoist.len());
        let wanted: Vec<f64> = hoist.iter().filter_map(|m| m.to).collect();
        assert!(wanted.iter().all(|w| (-1.0..=2.0).contains(w)));
        assert!(wanted.contains(&-1.0) && wanted.contains(&2.0) && wanted.len() < hoist.len());
        assert!(wanted.iter().any(|w| (0.9..1.1).contains(w)));
    }
}
