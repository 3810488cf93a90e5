//! Wedges before a blade in a conical pile, by polygons of their own: slices across the width, trial planes in each.
//!
//! ```text
//!  P(β) = W sin(β + φ)/sin(α + δ + β + φ),  least over β       W weight between face, failure plane and surface
//! ```

use super::GRAVITY;
use libm::{hypot, sin, tan};

/// Height of the summit [m], slope of the pile [degrees], and least height of the ground [m].
pub const PILE: [f64; 3] = [1.5, 30.0, 0.1];
/// α, φ, δ [degrees], and density [kg/m³].
pub const BLADE: [f64; 4] = [60.0, 35.0, 22.0, 1600.0];

/// Slices of a blade, and steps along a section [m].
const SLICES: usize = 40;
const ALONG: f64 = 0.005;

/// Height of the pile.
pub fn height(x: f64, y: f64) -> f64 {
    let [top, slope, least] = PILE;
    (top - tan(slope.to_radians()) * hypot(x, y)).max(least)
}

/// Least force of the wedges of a slice per metre [N/m]; the edge at a point.
fn slice([x, y, z]: [f64; 3]) -> f64 {
    let [alpha, phi, delta, density] = BLADE;
    let [alpha, phi, delta] = [alpha, phi, delta].map(f64::to_radians);
    // area over a line that rises from the edge at an angle, up to where it meets the surface
    let area = |rise: f64, sign: f64| {
        let (mut area, mut s) = (0.0, 0.5 * ALONG);
        loop {
            let above = height(x + sign * s, y) - z - s * rise;
            if above <= 0.0 || s > 20.0 {
                return area;
            }
            area += above * ALONG;
            s += ALONG;
        }
    };
    let behind = area(tan(alpha), -1.0);
    let force = |beta: f64| {
        let weight = density * GRAVITY * (behind + area(tan(beta), 1.0));
        weight * sin(beta + phi) / sin(alpha + delta + beta + phi)
    };
    let trials = (10..=120).map(|k| 0.5 * f64::from(k));
    trials.map(|beta| force(beta.to_radians())).fold(f64::INFINITY, f64::min)
}

/// Draft [N] and moment about the upright axis through the middle [N·m] of a blade, its edge at a height.
pub fn wedges(width: f64, [x, y, z]: [f64; 3]) -> [f64; 2] {
    let [alpha, _, delta, _] = BLADE;
    let ahead = sin((alpha + delta).to_radians());
    let part = width / SLICES as f64;
    let mut sum = [0.0; 2];
    for k in 0..SLICES {
        let arm = (k as f64 + 0.5) * part - 0.5 * width;
        let draft = part * ahead * slice([x, y + arm, z]);
        sum = [sum[0] + draft, sum[1] + arm * draft];
    }
    sum
}
