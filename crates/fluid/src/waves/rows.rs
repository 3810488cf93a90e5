//! Components in groups, as the sums over components need them.
//!
//! With e = e^{kz′} and q = e^{−2kd}, both at most 1, the depth functions are
//!
//! ```text
//! C/sinh kd = (e + q/e)/(1 − q)     S/sinh kd = (e − q/e)/(1 − q)     C/cosh kd = (e + q/e)/(1 + q)
//! ```
//!
//! Groups are in order of increasing wave number. Where e < 1e-4 in a whole group, it and those after it are left out.
//! Groups with kd > 23 in all lanes have q/e < 1e-16 wherever they count, and are summed without q.

use super::Component;
use crate::lanes::{Lanes, WIDTH};

/// Value of ln e below which a group is left out: e = 1e-4.
const NEGLIGIBLE: f64 = -9.210_340_371_976_182;

/// Value of kd above which the sea bed has no influence.
const DEEP: f64 = 23.0;

/// Phase and amplitude of a group of components.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PhaseRow {
    /// Wave number along x and y [rad/m].
    pub wave: [Lanes; 2],
    /// Angular frequency [rad/s].
    pub frequency: Lanes,
    /// Phase [rad].
    pub phase: Lanes,
    /// Amplitude [m].
    pub amplitude: Lanes,
}

/// Velocity and pressure of a group of components.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DepthRow {
    /// Wave number [rad/m].
    pub wavenumber: Lanes,
    /// Angular frequency [rad/s].
    pub frequency: Lanes,
    /// Unit vector of propagation.
    pub direction: [Lanes; 2],
    /// b/(1 − q) [m/s].
    pub speed: Lanes,
    /// a/(1 + q) [m].
    pub head: Lanes,
    /// q = e^{−2kd}.
    pub reflection: Lanes,
}

/// All components.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rows {
    pub phases: Vec<PhaseRow>,
    pub depths: Vec<DepthRow>,
    /// Smallest wave number of each group [rad/m].
    smallest: Vec<f64>,
    /// Number of groups before those that the sea bed has no influence on.
    pub finite: usize,
}

impl Rows {
    /// Groups of components, which have velocity amplitudes b [m/s], at a depth [m].
    pub fn new(components: &[Component], speeds: &[f64], depth: f64) -> Rows {
        let groups = components.len().div_ceil(WIDTH);
        let last = components.len() - 1;
        // lanes beyond the last component repeat it without amplitude
        let lanes = |group: usize, value: &dyn Fn(usize) -> f64| -> Lanes {
            std::array::from_fn(|lane| value((WIDTH * group + lane).min(last)))
        };
        let scaled = |group: usize, value: &dyn Fn(usize) -> f64| -> Lanes {
            std::array::from_fn(|lane| {
                let i = WIDTH * group + lane;
                if i <= last { value(i) } else { 0.0 }
            })
        };
        let c = |i: usize| components[i];
        let k = |i: usize| c(i).wavenumber;
        let phases = (0..groups).map(|g| PhaseRow {
            wave: [lanes(g, &|i| k(i) * c(i).direction.x), lanes(g, &|i| k(i) * c(i).direction.y)],
            frequency: lanes(g, &|i| c(i).frequency),
            phase: lanes(g, &|i| c(i).phase),
            amplitude: scaled(g, &|i| c(i).amplitude),
        });
        let q = |i: usize| libm::exp(-2.0 * k(i) * depth);
        let depths = (0..groups).map(|g| DepthRow {
            wavenumber: lanes(g, &k),
            frequency: lanes(g, &|i| c(i).frequency),
            direction: [lanes(g, &|i| c(i).direction.x), lanes(g, &|i| c(i).direction.y)],
            speed: scaled(g, &|i| -speeds[i] / libm::expm1(-2.0 * k(i) * depth)),
            head: scaled(g, &|i| c(i).amplitude / (1.0 + q(i))),
            reflection: lanes(g, &q),
        });
        let smallest: Vec<f64> = (0..groups).map(|g| k(WIDTH * g)).collect();
        let finite = smallest.partition_point(|k| !(k * depth > DEEP));
        Rows { phases: phases.collect(), depths: depths.collect(), smallest, finite }
    }

    /// Number of groups that are not negligible at a stretched height z′ ≤ 0 [m].
    pub fn relevant(&self, z: f64) -> usize {
        self.smallest.partition_point(|k| k * z > NEGLIGIBLE)
    }
}
