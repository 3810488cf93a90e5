//! Torques of components on their shafts, from the multipliers of the last step:
//!
//! ```text
//! τᵢ = Σₖ fᵢₖ λₖ        fᵢₖ: factor of shaft i in row k, for the present gear, spins and stroke
//! ```
//!
//! The power that a component gives to a shaft is τᵢ ωᵢ.

use super::{Component, Memory};

impl Component {
    /// Torques on its shafts in the last step, in the order of [`Component::shafts`] [N·m], for the present `spins` of
    /// all shafts of the vehicle [rad/s] and the stroke signal.
    pub fn torques(&self, memory: &Memory, spins: &[f64], stroke: f64) -> Vec<f64> {
        let [first, second] = memory.torque;
        match self {
            Component::Engine(_) => vec![second],
            Component::Motor(_) | Component::Brake(_) | Component::Retarder(_) => vec![first],
            Component::Clutch(_) => vec![first, -first],
            Component::Converter(c) => {
                let (ratio, _) = c.law(spins[c.pump], spins[c.turbine]);
                vec![first + second, -(ratio * first + second)]
            }
            Component::Gearbox(c) => {
                let ratio = c.ratio(memory.setting as i64).unwrap_or(0.0);
                vec![first, -ratio * first]
            }
            Component::Gear(c) => vec![first, -c.ratio * first],
            Component::Differential(c) => {
                let [left, right] = [c.split, 1.0 - c.split].map(|share| -c.ratio * share * first);
                vec![first, left + second, right - second]
            }
            Component::Hydrostatic(c) => c.factors(stroke).map(|(_, factor)| factor * first).collect(),
        }
    }
}
