//! The heavy elastica: a clamped cable under its own weight, by shooting.
//!
//!   EI θ″ = −w (L − s) cos θ,   θ(0) = 0,  θ′(L) = 0      L = 1 m, w = 9.81 N/kg · mass of a metre, θ downwards

use libm::{cos, sin};

const STEPS: usize = 2000;

/// Points x and z along a metre of cable, from the clamp to the end, for EI and the mass of a metre.
pub fn curve(bend: f64, mass: f64) -> Vec<(f64, f64)> {
    let load = 9.81 * mass / bend;
    // with a larger first bend the end is bent less
    let (mut low, mut high) = (0.0, load);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if shoot(load, middle, None)[1] < 0.0 { low = middle } else { high = middle }
    }
    let mut points = Vec::with_capacity(STEPS + 1);
    shoot(load, low, Some(&mut points));
    points
}

/// How far the end hangs below the clamp [m].
pub fn droop(bend: f64, mass: f64) -> f64 {
    curve(bend, mass).last().map_or(0.0, |end| -end.1)
}

/// From the clamp to the end by a classical Runge–Kutta: θ downwards, θ′, x, depth.
fn shoot(load: f64, first: f64, mut points: Option<&mut Vec<(f64, f64)>>) -> [f64; 4] {
    let h = 1.0 / STEPS as f64;
    let rate = |s: f64, y: [f64; 4]| [y[1], -load * (1.0 - s) * cos(y[0]), cos(y[0]), sin(y[0])];
    let mut y = [0.0, first, 0.0, 0.0];
    for k in 0..=STEPS {
        if let Some(points) = &mut points {
            points.push((y[2], -y[3]));
        }
        if k == STEPS {
            break;
        }
        let s = k as f64 * h;
        let ahead = |d: [f64; 4], f: f64| [0, 1, 2, 3].map(|i| y[i] + f * h * d[i]);
        let a = rate(s, y);
        let b = rate(s + 0.5 * h, ahead(a, 0.5));
        let c = rate(s + 0.5 * h, ahead(b, 0.5));
        let d = rate(s + h, ahead(c, 1.0));
        y = [0, 1, 2, 3].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y
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
        assert!(droop(1e-3, 1.0) > 0.9);
    }
}
