//! Play, pause, and wall clock → the simulated time that is due, and the achieved real-time factor.
//!
//!   due = sim₀ + speed · (now − wall₀)
//!
//! If the simulation falls more than 0.1 s behind, the backlog is dropped (the two origins are reset): simulated time
//! slows down, but no step is skipped. The real-time factor of the last second is reported.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Backlog above which it is dropped [s of wall time]: hardly noticeable.
const DEBT: f64 = 0.1;
/// Time over which the real-time factor is measured.
const WINDOW: Duration = Duration::from_secs(1);
/// Weight of the newest step in the mean cost of steps: a memory of about twenty steps.
const FRESH: f64 = 0.05;

/// Slowest and fastest speed.
pub const SPEEDS: [f64; 2] = [0.001, 1000.0];

/// The pace of a simulation.
#[derive(Debug)]
pub struct Pace {
    /// Requested simulated seconds per second.
    pub speed: f64,
    playing: bool,
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
    /// Plays in real time.
    pub fn new(now: Instant, time: f64) -> Pace {
        Pace {
            speed: 1.0,
            playing: true,
            origin: (now, time),
            reached: VecDeque::new(),
            stepped: 0.0,
            cost: 0.0,
        }
    }

    /// Whether time runs.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Plays from a simulated time on.
    pub fn play(&mut self, now: Instant, time: f64) {
        self.playing = true;
        self.set(now, time);
    }

    /// Pauses, and resets the achieved factor.
    pub fn pause(&mut self) {
        self.playing = false;
        self.reached.clear();
    }

    /// Restarts counting: after a jump or a change of speed.
    pub fn set(&mut self, now: Instant, time: f64) {
        self.origin = (now, time);
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

    /// Drops the backlog of a simulation.
    pub fn forgive(&mut self, now: Instant, time: f64) {
        if self.due(now) - time > DEBT * self.speed {
            self.set(now, time);
        }
    }

    /// Takes a step and its wall time into account.
    pub fn stepped(&mut self, dt: f64, took: Duration) {
        self.stepped += dt;
        let took = took.as_secs_f64();
        self.cost += (took - self.cost) * if self.cost > 0.0 { FRESH } else { 1.0 };
    }

    /// Updates the achieved factor.
    pub fn look(&mut self, now: Instant) {
        self.reached.push_back((now, self.stepped));
        while self.reached.len() > 2 && now - self.reached[1].0 >= WINDOW {
            self.reached.pop_front();
        }
    }

    /// Simulated seconds per second over the last second; 0 during a pause.
    pub fn factor(&self) -> f64 {
        match (self.reached.front(), self.reached.back()) {
            (Some(first), Some(last)) if last.0 > first.0 => {
                (last.1 - first.1) / (last.0 - first.0).as_secs_f64()
            }
            _ => 0.0,
        }
    }

    /// Achievable real-time factor for a step length.
    pub fn headroom(&self, dt: f64) -> f64 {
        if self.cost > 0.0 { dt / self.cost } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step that takes twice as long as it lasts: half of real time is achieved, and no backlog builds up.
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
