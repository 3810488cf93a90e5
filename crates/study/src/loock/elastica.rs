//! The heavy elastica: a clamped cable under its own weight, by shooting.
//!
//!   EI θ″ = −w (L − s) cos θ,   θ(0) = 0,  θ′(L) = 0      L = 1 m, w = 9.81 N/kg · mass of a metre, θ downwards

use libm::{cos, sin};
use std::f64::consts::FRAC_PI_2;

const STEPS: usize = 2000;

/// Points x and z along a metre of cable, from the clamp to the end, for EI and the mass of a metre.
pub fn curve(bend: f64, mass: f64) -> Vec<(f64, f64)> {
    let load = 9.81 * mass / bend;
    // the unknown is the first bend; the cable does not pass the vertical
    let (mut low, mut high) = (0.0, load);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if is_too_little(load, middle) { low = middle } else { high = middle }
    }
    points(load, low)
}

/// How far the end hangs below the clamp [m].
pub fn droop(bend: f64, mass: f64) -> f64 {
    curve(bend, mass).last().map_or(0.0, |end| -end.1)
}

/// Whether a cable with this first bend curls up before its end: θ′ < 0. One that passes the vertical was bent too
/// much.
fn is_too_little(load: f64, first: f64) -> bool {
    let mut y = [0.0, first, 0.0, 0.0];
    for k in 0..STEPS {
        y = ahead(load, k, y);
        if y[1] < 0.0 || y[0] > FRAC_PI_2 {
            return y[1] < 0.0;
        }
    }
    false
}

/// The points of a cable with this first bend.
fn points(load: f64, first: f64) -> Vec<(f64, f64)> {
    let mut y = [0.0, first, 0.0, 0.0];
    let mut points = vec![(0.0, 0.0)];
    for k in 0..STEPS {
        y = ahead(load, k, y);
        points.push((y[2], -y[3]));
    }
    points
}

/// θ downwards, θ′, x and depth one step farther, by a classical Runge–Kutta.
fn ahead(load: f64, k: usize, y: [f64; 4]) -> [f64; 4] {
    let h = 1.0 / STEPS as f64;
    let s = k as f64 * h;
    let rate = |s: f64, y: [f64; 4]| [y[1], -load * (1.0 - s) * cos(y[0]), cos(y[0]), sin(y[0])];
    let on = |d: [f64; 4], f: f64| [0, 1, 2, 3].map(|i| y[i] + f * h * d[i]);
    let a = rate(s, y);
    let b = rate(s + 0.5 * h, on(a, 0.5));
    let c = rate(s + 0.5 * h, on(b, 0.5));
    let d = rate(s + h, on(c, 1.0));
    [0, 1, 2, 3].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stiff cable hangs by wL⁴/8EI.
    #[test]
    fn a_stiff_cable_is_a_beam() {
        let beam = 9.81 / (8.0 * 1000.0);
        assert!((droop(1000.0, 1.0) / beam - 1.0).abs() < 1e-4);
    }

    /// A limp one hangs down by nearly all of its length.
    #[test]
    fn a_limp_cable_hangs() {
        let droop = droop(0.01, 1.0);
        assert!(droop > 0.9 && droop < 1.0, "{droop}");
    }
}
