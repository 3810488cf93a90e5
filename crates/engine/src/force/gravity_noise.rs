//! Gravity with a small random deviation for every body and step (AERO §3.9), which ends unstable equilibria.
//!
//! The random number is a hash of the step, the body and the axis: it is reproducible, also from a restored state.

use crate::model::Model;
use glam::DVec3;

/// The gravity of the body at an index in a step [m/s²].
pub(super) fn gravity(model: &Model, step: u64, place: usize) -> DVec3 {
    let (g, part) = (model.settings.gravity, model.settings.contact.penalty.gravity_noise);
    if part == 0.0 {
        return g;
    }
    let axis = |k: u64| draw(step ^ mixed(3 * place as u64 + k));
    g + DVec3::new(axis(0), axis(1), axis(2)) * (part * g.length())
}

/// A number in −1…1.
fn draw(counter: u64) -> f64 {
    (mixed(counter) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// SplitMix64: a bijection in which every bit of the result depends on every bit of the counter.
fn mixed(counter: u64) -> u64 {
    let z = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use crate::force::gravity_noise::draw;

    #[test]
    fn numbers_are_uniform() {
        let (n, mut mean, mut square) = (100_000, 0.0, 0.0);
        for x in (0..n).map(draw) {
            assert!((-1.0..=1.0).contains(&x));
            (mean, square) = (mean + x / n as f64, square + x * x / n as f64);
        }
        assert!(mean.abs() < 0.01 && (square - 1.0 / 3.0).abs() < 0.01, "{mean} {square}");
    }
}
