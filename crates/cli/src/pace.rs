//! Waits before steps, so that simulated time keeps pace with the wall clock.
//!
//! Step n is due n · dt / factor after the start. A run that falls behind, because a step was slow, the
//! machine busy or the process stopped, catches up by at most four steps and drops the rest of its delay:
//! simulated time slows down, but no step is skipped, so results do not depend on the clock. Dropped delays
//! are counted and reported.

use crate::interrupt::Interrupt;
use crate::show;
use std::time::{Duration, Instant};
use windlass_host::text::digits;

/// Largest number of steps taken at once to catch up.
const CATCH_UP: f64 = 4.0;
/// Smallest delay that is reported [s]; the summary includes every delay.
const NOTED: f64 = 0.1;
/// Longest single sleep: an interrupt is noticed after it.
const NAP: Duration = Duration::from_millis(50);

/// Keeps a run with the wall clock.
#[derive(Debug)]
pub struct Pace {
    begun: Option<Instant>,
    schedule: Schedule,
    quiet: bool,
}

impl Pace {
    /// A pace for steps of `dt` [s], `factor` times as fast as the clock. It begins with the first step.
    pub fn new(dt: f64, factor: f64, quiet: bool) -> Pace {
        Pace { begun: None, schedule: Schedule::new(dt / factor), quiet }
    }

    /// Waits until a step is due, or until an interrupt.
    pub fn wait(&mut self, number: u64, interrupt: &Interrupt) {
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let before = self.schedule.given_up;
        let due = self.schedule.due(number, begun.elapsed().as_secs_f64());
        let behind = self.schedule.given_up;
        if before < NOTED && behind >= NOTED && !self.quiet {
            show::tell(&format!("note: {} s behind the clock; this delay is not recovered", digits(behind)));
        }
        loop {
            let left = due - begun.elapsed().as_secs_f64();
            if left <= 0.0 || interrupt.came() {
                return;
            }
            std::thread::sleep(Duration::from_secs_f64(left.min(NAP.as_secs_f64())));
        }
    }

    /// Total delay that was not recovered [s], and how often that happened.
    pub fn given_up(&self) -> (f64, u64) {
        (self.schedule.given_up, self.schedule.delays)
    }
}

/// Due times of steps by a given clock [s].
#[derive(Debug)]
struct Schedule {
    /// Wall time of a step.
    interval: f64,
    /// When step 0 would have been due.
    origin: f64,
    given_up: f64,
    delays: u64,
}

impl Schedule {
    fn new(interval: f64) -> Schedule {
        Schedule { interval, origin: 0.0, given_up: 0.0, delays: 0 }
    }

    /// When a step is due, at a present time.
    fn due(&mut self, number: u64, now: f64) -> f64 {
        let due = self.origin + number as f64 * self.interval;
        let excess = now - due - CATCH_UP * self.interval;
        if excess > 0.0 {
            self.origin += excess;
            self.given_up += excess;
            self.delays += 1;
        }
        due + excess.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs steps by a clock of its own: waiting and stepping are all that takes time.
    fn run(schedule: &mut Schedule, clock: &mut f64, numbers: std::ops::Range<u64>, cost: f64) -> usize {
        let mut at_once = 0;
        for number in numbers {
            let due = schedule.due(number, *clock);
            at_once += usize::from(due <= *clock);
            *clock = clock.max(due) + cost;
        }
        at_once
    }

    #[test]
    fn after_a_stop_four_steps_catch_up_and_the_rest_is_given_up() {
        let mut schedule = Schedule::new(0.01);
        let mut clock = 0.0;
        assert_eq!(run(&mut schedule, &mut clock, 1..101, 0.001), 0);
        assert!((clock - 1.001).abs() < 1e-9);
        // stopped for a minute
        clock += 60.0;
        let at_once = run(&mut schedule, &mut clock, 101..201, 0.001);
        assert!((4..=6).contains(&at_once), "{at_once}");
        assert_eq!(schedule.delays, 1);
        assert!((schedule.given_up - 59.951).abs() < 1e-9, "{}", schedule.given_up);
        assert!((clock - 2.001 - schedule.given_up).abs() < 1e-9, "from then on it is on time");
    }

    #[test]
    fn steps_that_are_too_slow_stretch_time() {
        let mut schedule = Schedule::new(0.01);
        let mut clock = 0.0;
        run(&mut schedule, &mut clock, 1..1001, 0.02);
        // the first step waits until it is due; later steps do not wait and are late by at most four
        // steps
        assert!((clock - 20.01).abs() < 1e-9, "{clock}");
        assert!((clock - 0.02 - 10.0 - schedule.given_up - 0.04).abs() < 0.011, "{}", schedule.given_up);
    }
}
