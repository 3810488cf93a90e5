//! Kinetic, potential and elastic energy of a state.

use crate::constrain::rows::{Law, Rows};
use crate::force::{Free, Scene};
use crate::solve::Solution;
use crate::world::model::Model;
use crate::world::state::State;
use glam::DVec3;

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// ½ m v² + ½ ω·Iω of free bodies.
    pub kinetic: f64,
    /// −m g·x of free bodies, from the world's origin, and what forces say of themselves.
    pub potential: f64,
    /// What soft rows store: ½ k g², linear in g beyond the bound of their force.
    pub elastic: f64,
}

impl Energy {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }

    /// Of a state whose rows are given.
    pub(crate) fn of(model: &Model, state: &State, rows: &Rows) -> Energy {
        Energy::with(model, state, rows, |place| {
            let s = &state.bodies[place];
            (s.velocity, s.attitude.inverse() * s.spin)
        })
    }

    /// At the instant a step of `spook` began, when positions were `state`'s, while velocities went from `lag` before it
    /// to half a step after it: between them lies the velocity of the instant, to second order.
    pub(crate) fn at_start(
        model: &Model,
        state: &State,
        kick: f64,
        nouns: (&Free, &Rows, &Solution),
    ) -> Energy {
        let (free, rows, solution) = nouns;
        let part = state.lag / kick;
        Energy::with(model, state, rows, |place| {
            let (s, u, inertial) = (&state.bodies[place], &solution.twists[place], &free.inertial[place]);
            if s.asleep {
                return (s.velocity, s.spin);
            }
            // momenta, not spins, are what the step changes
            let after = s.attitude.inverse() * (free.inertia[place] * u.spin);
            let before = s.attitude.inverse() * s.spin;
            let spin = before + (inertial.inverse * after - before) * part;
            (s.velocity + (u.velocity - s.velocity) * part, spin)
        })
    }

    /// With velocities, and spins in body axes, as told by place.
    fn with(model: &Model, state: &State, rows: &Rows, twist: impl Fn(usize) -> (DVec3, DVec3)) -> Energy {
        let mut energy = Energy::default();
        for (place, body) in model.bodies.iter().filter(|(_, b)| b.is_free()) {
            let (velocity, spin) = twist(place);
            energy.kinetic += 0.5 * body.mass.mass * velocity.length_squared();
            energy.kinetic += 0.5 * spin.dot(body.mass.inertia * spin);
            if body.gravity {
                energy.potential -= body.mass.mass * model.settings.gravity.dot(state.bodies[place].position);
            }
        }
        let scene = Scene { model, state };
        energy.potential += model.forces.iter().map(|(_, f)| f.law().potential(&scene)).sum::<f64>();
        for row in &rows.rows {
            if let Law::Soft(spring) = row.law {
                // ∫ F dg with F = k|g| up to the bound on its side: an open one-sided spring stores nothing
                let (gap, bound) = (row.gap.abs(), if row.gap > 0.0 { -row.lo } else { row.hi });
                let force = (spring.stiffness * gap).min(bound);
                if force > 0.0 {
                    energy.elastic += force * gap - 0.5 * force * force / spring.stiffness;
                }
            }
        }
        energy
    }
}
