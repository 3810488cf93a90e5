//! Kinetic, potential and elastic energy of a state.

use crate::body::Body;
use crate::body::twist::Twist;
use crate::energy::Energy;
use crate::force::free_motion::FreeMotion;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::solve::Solution;

impl Energy {
    /// The energy of a state whose rows are given.
    pub(crate) fn of(model: &Model, state: &State, rows: &Rows) -> Energy {
        let mut energy = Energy::stored(model, state, rows.elastic());
        energy.kinetic = Energy::kinetic(model, state);
        for (place, body) in model.free_bodies(state) {
            energy.potential += body.potential_energy(model.settings.gravity, &state.bodies[place]);
        }
        energy
    }

    /// ½ m v² + ½ ω·Iω of the dynamic bodies.
    pub(crate) fn kinetic(model: &Model, state: &State) -> f64 {
        let of = |(place, body): (usize, &Body)| body.kinetic_energy(&state.bodies[place]);
        model.free_bodies(state).map(of).sum()
    }

    /// The energy at the instant a step of `spook` began. Positions were `state`'s then, while velocities went from
    /// `lag` before it to half a step after it. The velocity of the instant is interpolated between them, to second
    /// order.
    pub(crate) fn at_start(
        model: &Model,
        state: &State,
        kick: f64,
        nouns: (&FreeMotion, &Rows, &Solution),
    ) -> Energy {
        let (free, rows, solution) = nouns;
        let mut energy = Energy::stored(model, state, rows.elastic_under(&solution.forces));
        let part = state.velocity_lag / kick;
        for place in free.movable.iter().chain(&free.elements).map(|place| *place as usize) {
            let (s, u, inertial) = (&state.bodies[place], &solution.twists[place], &free.inertial[place]);
            if inertial.gravity {
                energy.potential -= inertial.own_mass() * model.settings.gravity.dot(s.position);
            }
            // a sleeping body is at rest
            if s.asleep {
                continue;
            }
            if let Some(term) = free.solved_term(place) {
                let Twist { velocity, angular_velocity: spin } = term.joined;
                let turning = inertial.inertia(s.orientation) * spin;
                energy.kinetic += 0.5 * inertial.own_mass() * velocity.length_squared();
                energy.kinetic += 0.5 * spin.dot(turning);
                continue;
            }
            let velocity = s.velocity + (u.velocity - s.velocity) * part;
            // the step changes angular momenta, not angular velocities; in principal axes
            let back = (s.orientation * inertial.axes).inverse();
            let (before, after) = (
                back * s.angular_velocity,
                back * (free.inertia[place] * u.angular_velocity / inertial.growth[1]) * inertial.inverse,
            );
            let spin = before + (after - before) * part;
            energy.kinetic += 0.5 * inertial.own_mass() * velocity.length_squared();
            energy.kinetic += 0.5 * spin.dot(inertial.moments * spin);
        }
        energy
    }

    /// Energy stored by forces and soft rows.
    fn stored(model: &Model, state: &State, elastic: f64) -> Energy {
        let bodies = model.bodies_at(state);
        let potential = model.forces.iter().map(|(_, f)| f.law().potential(&bodies)).sum();
        Energy { kinetic: 0.0, potential, elastic }
    }
}
