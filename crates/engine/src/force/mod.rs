//! State → explicit forces → free momenta.
//!
//! Gravity and the model's forces are summed into one wrench per body. `free_motion.rs` converts wrenches to the
//! momentum each body would have without constraints. Reads Model and State, writes FreeMotion.

mod damping;
pub mod free_motion;
pub mod general_mass;
mod gravity_noise;
mod midpoint;
pub(crate) mod rotor;

pub use free_motion::FreeMotion;

use crate::load::Loads;
use crate::model::Model;
use crate::model::state::State;
use crate::settings::Integrator;

/// Sums gravity and all forces at a state. The damping of bodies and the dampers of forces are included except under
/// `spook`, where they depend on the result of the step (`damping.rs`, `ForceLaw::dampers`).
pub fn wrenches(model: &Model, state: &State, out: &mut Loads) {
    out.clear(model.bodies.places());
    for (place, body) in model.bodies.iter() {
        if body.gravity && body.is_dynamic() {
            out.sums[place].force = gravity_noise::gravity(model, state.step, place) * body.mass.mass;
        }
    }
    let bodies = model.bodies_at(state);
    if model.settings.integrator == Integrator::Spook {
        model.forces.iter().for_each(|(_, force)| force.law().explicit(&bodies, out));
    } else {
        damping::explicit(model, state, out);
        model.forces.iter().for_each(|(_, force)| force.law().apply(&bodies, out));
    }
}
