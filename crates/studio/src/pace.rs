//! Wall clock → how far the simulation should be, and what it reached.
//!
//!   due = sim₀ + speed · (now − wall₀)
//!
//! A machine that cannot keep up falls behind honestly: when more than a tenth of a second is owed, the debt is forgiven (the two
//! origins are set anew) and time is stretched. What was achieved is told as the real-time factor of the last second.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Debt that is forgiven [s of wall time]: what a person hardly notices.
const DEBT: f64 = 0.1;
/// What the real-time factor is measured over.
const WINDOW: Duration = Duration::from_secs(1);
/// How much the newest step counts in the mean cost of steps: a memory of about twenty.
const FRESH: f64 = 0.05;

/// Slowest and fastest speed that can be asked for.
pub const SPEEDS: [f64; 2] = [0.001, 1000.0];

/// How time goes.
#[derive(Debug)]
pub struct Pace {
    /// Simulated seconds per second, as asked for.
    pub speed: f64,
    /// Wall and simulated time from which they are counted.
    origin: (Instant, f64),
    /// Wall time, and simulated seconds stepped until then.
    reached: VecDeque<(Instant, f64)>,
    /// Simulated seconds stepped while playing.
    stepped: f64,
    /// Mean wall time of a step [s].
    cost: f64,
}

impl Pace {
    /// Real time.
    pub fn new(now: Instant, time: f64) -> Pace {
        Pace { speed: 1.0, origin: (now, time), reached: VecDeque::new(), stepped: 0.0, cost: 0.0 }
    }

    /// Counts from here on: after a pause, a jump, a change of speed.
    pub fn set(&mut self, now: Instant, time: f64) {
        self.origin = (now, time);
    }

    /// Forgets what was achieved: time stands.
    pub fn stand(&mut self) {
        self.reached.clear();
    }

    /// The simulated time that should be reached by now [s].
    pub fn due(&self, now: Instant) -> f64 {
        self.origin.1 + self.speed * (now - self.origin.0).as_secs_f64()
    }

    /// When a simulated time is due.
    pub fn when(&self, time: f64) -> Instant {
        let wait = ((time - self.origin.1) / self.speed).clamp(0.0, 3600.0);
        self.origin.0 + Duration::from_secs_f64(wait)
    }

    /// Forgives the debt of a simulation that is at a time.
    pub fn forgive(&mut self, now: Instant, time: f64) {
        if self.due(now) - time > DEBT * self.speed {
            self.set(now, time);
        }
    }

    /// Notes a step of a length that took a while.
    pub fn stepped(&mut self, dt: f64, took: Duration) {
        self.stepped += dt;
        let took = took.as_secs_f64();
        self.cost += (took - self.cost) * if self.cost > 0.0 { FRESH } else { 1.0 };
    }

    /// Notes what is reached by now.
    pub fn look(&mut self, now: Instant) {
        self.reached.push_back((now, self.stepped));
        while self.reached.len() > 2 && now - self.reached[1].0 >= WINDOW {
            self.reached.pop_front();
        }
    }

    /// Simulated seconds per second over the last second; 0 while time stands.
    pub fn factor(&self) -> f64 {
        match (self.reached.front(), self.reached.back()) {
            (Some(first), Some(last)) if last.0 > first.0 => {
                (last.1 - first.1) / (last.0 - first.0).as_secs_f64()
            }
            _ => 0.0,
        }
    }

    /// How many times faster than real time steps of a length could be taken.
    pub fn headroom(&self, dt: f64) -> f64 {
        if self.cost > 0.0 { dt / self.cost } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step that takes twice as long as it lasts: half of real time is reached, and no debt grows.
    #[test]
    fn one_that_is_too_slow_falls_behind_and_says_so() {
        let start = Instant::now();
        let mut pace = Pace::new(start, 0.0);
        let (dt, took) = (0.01, Duration::from_millis(20));
        let (mut now, mut time) = (start, 0.0);
        for _ in 0..200 {
            pace.look(now);
            assert!(pace.due(now) - time <= DEBT + took.as_secs_f64() + 1e-9);
            now += took;
            time += dt;
            pace.stepped(dt, took);
            pace.forgive(now, time);
        }
        pace.look(now);
        assert!((pace.factor() - 0.5).abs() < 1e-6, "{}", pace.factor());
        assert!((pace.headroom(dt) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn what_is_due_follows_the_speed() {
        let start = Instant::now();
        let mut pace = Pace::new(start, 5.0);
        pace.speed = 0.25;
        assert!((pace.due(start + Duration::from_secs(8)) - 7.0).abs() < 1e-12);
        assert_eq!(pace.when(7.0), start + Duration::from_secs(8));
    }
}
