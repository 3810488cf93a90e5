//! Contact law under the acceleration-level integrators: spring and damper, and their dependence on the pair.

use crate::body::collider::ColliderRef;
use crate::constrain::contact::bedding;
use crate::contact::surface::ContactParameters;
use crate::contact::{Contact, ContactPair, Contacts};
use crate::model::Model;
use crate::settings::{ImpactLaw, PenaltySettings};
use std::f64::consts::TAU;

/// Contact law of a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law {
    /// k [N/m].
    pub stiffness: f64,
    /// d of the approach [N·s/m].
    pub damping: f64,
    /// d of sliding [N·s/m].
    pub drag: f64,
    /// Stiffness while separating over that while approaching.
    rebound: f64,
    /// Penetration at which damping is fully developed [m].
    pub shallow: f64,
    /// The speed over which the branches are blended [m/s].
    pub slow: f64,
    /// Upper bound of the approach speed seen by the damper [m/s]: faster approaches are handled by impulses.
    fastest: f64,
}

impl Law {
    pub fn of(model: &Model, pair: &ContactPair, contact: &Contact) -> Law {
        let slow = model.settings.bounce_speed.max(1e-6);
        let aero: &PenaltySettings = &model.settings.contact.penalty;
        let mass = mass_in_series(model, pair.parts);
        let own = pair.touch.spring.or_else(|| bedding(&pair.touch, contact));
        let stiffness = own.map_or(mass * (TAU * aero.frequency) * (TAU * aero.frequency), |s| s.stiffness);
        let damping = own.map_or(2.0 * aero.damping * (stiffness * mass).sqrt(), |s| s.damping);
        let e = pair.touch.restitution;
        let shallow = slow * (mass / stiffness).sqrt();
        let law =
            Law { stiffness, damping, drag: damping, rebound: 1.0, shallow, slow, fastest: f64::INFINITY };
        match aero.collision {
            _ if own.is_some() => law,
            ImpactLaw::Spring => Law { damping: 0.0, rebound: e * e, ..law },
            ImpactLaw::Impulse => Law { fastest: slow, ..law },
        }
    }

    /// Spring and damper of friction at a penetration [N/m, N·s/m].
    pub fn rubbing(&self, model: &Model, touch: &ContactParameters, depth: f64) -> (f64, f64) {
        let creep = model.settings.contact.penalty.creep;
        match creep > 0.0 {
            _ if touch.stick == 0.0 => (0.0, 0.0),
            true => (0.0, touch.stick * self.stiffness * depth.max(0.0) / creep),
            false => (self.stiffness, self.drag),
        }
    }

    /// The normal force at a penetration and an approach speed.
    pub fn normal(&self, depth: f64, approach: f64) -> f64 {
        let x = (0.5 - 0.5 * approach / self.slow).clamp(0.0, 1.0);
        let branch = 1.0 - (1.0 - self.rebound) * x * x * (3.0 - 2.0 * x);
        let damped = self.damping * approach.min(self.fastest) * (depth / self.shallow).min(1.0);
        (branch * self.stiffness * depth + damped).max(0.0)
    }
}

/// m₁ m₂ / (m₁ + m₂) of the two bodies; if only one is dynamic, its mass.
fn mass_in_series(model: &Model, parts: [ColliderRef; 2]) -> f64 {
    let mobility = |part: ColliderRef| {
        let body = model.bodies.at(part.body as usize).filter(|b| b.is_dynamic());
        body.map_or(0.0, |b| 1.0 / b.mass.mass)
    };
    1.0 / parts.map(mobility).iter().sum::<f64>().max(1e-300)
}

/// The points with their pairs, in order.
pub(crate) fn points(contacts: &Contacts) -> impl Iterator<Item = (&ContactPair, &Contact)> {
    contacts.pairs.iter().flat_map(|pair| contacts.list[pair.points.clone()].iter().map(move |c| (pair, c)))
}
