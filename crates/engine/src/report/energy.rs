//! Kinetic, potential and elastic energy of a state.

use crate::constrain::rows::{Law, Rows};
use crate::force::Scene;
use crate::world::model::Model;
use crate::world::state::State;

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// ½ m v² + ½ ω·Iω of free bodies.
    pub kinetic: f64,
    /// −m g·x of free bodies, from the world's origin, and what forces say of themselves.
    pub potential: f64,
    /// ½ k g² of soft rows, as far as they push.
    pub elastic: f64,
}

impl Energy {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }

    /// Of a state whose rows are given.
    pub(crate) fn of(model: &Model, state: &State, rows: &Rows) -> Energy {
        let mut energy = Energy::default();
        for (place, body) in model.bodies.iter().filter(|(_, b)| b.is_free()) {
            let s = &state.bodies[place];
            let spin = s.attitude.inverse() * s.spin;
            energy.kinetic += 0.5 * body.mass.mass * s.velocity.length_squared();
            energy.kinetic += 0.5 * spin.dot(body.mass.inertia * spin);
            if body.gravity {
                energy.potential -= body.mass.mass * model.settings.gravity.dot(s.position);
            }
        }
        let scene = Scene { model, state };
        energy.potential += model.forces.iter().map(|(_, f)| f.law().potential(&scene)).sum::<f64>();
        for row in &rows.rows {
            if let Law::Soft(spring) = row.law {
                // an open one-sided spring stores nothing
                let open = row.lo == 0.0 && row.gap > 0.0;
                energy.elastic += if open { 0.0 } else { 0.5 * spring.stiffness * row.gap * row.gap };
            }
        }
        energy
    }
}
