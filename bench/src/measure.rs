//! A clock that does not see the neighbours, and what is made of its readings.

use std::time::Instant;

/// CPU time of all threads [µs], so that work handed to others counts; wall time where the system has no such clock.
pub fn cpu() -> f64 {
    #[cfg(unix)]
    {
        let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the pointer is to a timespec of ours, which the call only writes.
        if unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) } == 0 {
            return t.tv_sec as f64 * 1e6 + t.tv_nsec as f64 * 1e-3;
        }
    }
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e6
}

/// CPU time of something [µs].
pub fn timed<T>(run: impl FnOnce() -> T) -> f64 {
    let start = cpu();
    std::hint::black_box(run());
    cpu() - start
}

/// What one reading of the clock costs [µs].
pub fn reading() -> f64 {
    (0..1000).map(|_| timed(|| ())).fold(f64::INFINITY, f64::min)
}

/// Readings of one quantity.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    pub fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    pub fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// Repetitions of something short that one reading should cover, so that the clock itself does not show.
pub fn batch(mut run: impl FnMut()) -> usize {
    run();
    let once = timed(&mut run).max(0.1);
    (100.0 / once).ceil() as usize
}

/// k of y = c·xᵏ, by least squares over the logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (libm::log(*x), libm::log(*y))).collect();
    let n = logs.len() as f64;
    let (mx, my) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (xy, xx) = logs.iter().fold((0.0, 0.0), |(xy, xx), (x, y)| {
        let dx = x - mx;
        (xy + dx * (y - my), xx + dx * dx)
    });
    xy / xx
}

/// Stops what takes too long in the time of the wall.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    start: Instant,
    seconds: f64,
}

impl Budget {
    pub fn new(seconds: f64) -> Budget {
        Budget { start: Instant::now(), seconds }
    }

    pub fn is_spent(&self) -> bool {
        self.start.elapsed().as_secs_f64() > self.seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_found_again() {
        let points: Vec<(f64, f64)> = (1..9).map(|k| (k as f64, 3.0 * libm::pow(k as f64, 1.7))).collect();
        assert!((exponent(&points) - 1.7).abs() < 1e-12);
    }

    #[test]
    fn the_clock_runs() {
        let work = timed(|| drop(std::hint::black_box((0..100_000).map(|k| k as f64).collect::<Vec<_>>())));
        assert!(work > 0.0 && reading() < work);
    }
}
