//! Gravity with a small random deviation for every body and step (AERO §3.9), which ends unstable equilibria.
//!
//! The random number is a hash of the step, the body and the axis: it is reproducible, also from a restored state.

use crate::math::split_mix_64;
use crate::model::Model;
use glam::DVec3;

/// The gravity of the body at an index in a step [m/s²].
pub(super) fn gravity(model: &Model, step: u64, place: usize) -> DVec3 {
    let (g, part) = (model.settings.gravity, model.settings.contact.penalty.gravity_noise);
    if part == 0.0 {
        return g;
    }
    let axis = |k: u64| draw(step ^ split_mix_64(3 * place as u64 + k));
    g + DVec3::new(axis(0), axis(1), axis(2)) * (part * g.length())
}

/// A number in −1…1.
fn draw(counter: u64) -> f64 {
    (split_mix_64(counter) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
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
