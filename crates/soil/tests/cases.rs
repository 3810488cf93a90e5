//! Cases of the validation catalogue at the steps of this crate.

pub use crate::kit::Case;
use crate::kit::case::Found;
use windlass_engine::prelude::Integrator;

/// Steps at which cases of wheels and tracks are asked for [s].
const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// A case at 1/60 s.
pub fn case(id: &str) -> Case {
    at(id, STEPS[0])
}

/// A case at a step [s].
pub fn at(id: &str, dt: f64) -> Case {
    Case::new(id, Integrator::Spook, dt)
}

/// A case whose formulas have no step in them: it counts at all steps.
pub struct Formulas([Case; 2]);

/// The formulas of a case.
pub fn formulas(id: &str) -> Formulas {
    Formulas(STEPS.map(|dt| at(id, dt).variant("formula")))
}

impl Formulas {
    /// A value against its reference, at all steps.
    #[track_caller]
    pub fn finds(&self, quantity: &str, value: impl Into<Found> + Clone) {
        self.0.iter().for_each(|case| case.finds(quantity, value.clone()));
    }
}
