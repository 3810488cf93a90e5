//! Contact law under the acceleration-level integrators: spring and damper, and their dependence on the pair.
//!
//! The stiffness k follows from the two bodies of a pair alone. A light foot may carry a thousand times its weight, on
//! which k δ would let it sink a thousand times as deep. Beyond a depth δ* that bodies do not reach under their own
//! weight and slow approaches, the spring therefore hardens:
//!
//! ```text
//! F = k δ                                  δ ≤ δ*
//! F = k δ* (1 + (x⁸ − 1)/8),   x = δ/δ*    δ* < δ ≤ 6 δ*,   then along the tangent
//! ```
//!
//! F and its slope k x⁷ are continuous, and F has a potential: it depends on the depth alone, whatever the structure
//! above, be it welded, jointed, stacked or pressed by an actuator. Under R times the weight of the pair a point sinks
//! to δ* (1 + 8 (R/r − 1))^⅛ with r = k δ*/(m g), about 2.6: 4.5 times as deep as under its own weight at R = 25, 11
//! times at R = 25 000. Dampers have √x⁷ᐟ² = (slope/k)^¼ times their value, so that at these loads neither the spring
//! nor the damper of a light body is much faster than the other.

use crate::body::collider::ColliderRef;
use crate::constrain::contact::bedding;
use crate::contact::surface::ContactParameters;
use crate::contact::{Contact, ContactPair, Contacts};
use crate::model::Model;
use crate::settings::{ImpactLaw, PenaltySettings};
use glam::DVec3;
use std::f64::consts::TAU;

/// Exponent of the hardening spring: a tenth of the depth costs 10⁸ times the load. Higher ones are hardly stiffer.
const POWER: i32 = 8;

/// Weights of its bodies that a point carries before its spring hardens, besides the slowest impacts: more than one
/// body under its own weight puts on a point, also where it swings in.
const OWN_WEIGHTS: f64 = 2.0;

/// The same for impacts on springs [m/s]: the depth of an impact at this speed does not count as sinking.
const FASTEST: f64 = 10.0;

/// Depth from which the spring hardens no further, in units of that from which it hardens. Its slope is 2.8e5 k there,
/// and its force 2.1e5 k δ*: a slope without bound would need steps without bound.
const STEEPEST: f64 = 6.0;

/// Contact law of a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law {
    /// k [N/m].
    stiffness: f64,
    /// Depth from which the spring hardens [m].
    hardening: f64,
    /// dF/dδ at the depth of the contact [N/m].
    pub slope: f64,
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
        let hardening = match own {
            Some(_) => f64::INFINITY,
            // without weight there is no measure of a large load
            None if model.settings.gravity == DVec3::ZERO => f64::INFINITY,
            None => {
                let omega = TAU * aero.frequency;
                let usual = if aero.collision == ImpactLaw::Spring { FASTEST } else { slow };
                (OWN_WEIGHTS * model.settings.gravity.length() / omega + usual) / omega
            }
        };
        let steep = (-contact.gap / hardening).clamp(1.0, STEEPEST).powi(POWER - 1);
        let damping = damping * steep.sqrt().sqrt();
        let (rebound, fastest) = (1.0, f64::INFINITY);
        let slope = stiffness * steep;
        let law =
            Law { stiffness, hardening, slope, damping, drag: damping, rebound, shallow, slow, fastest };
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
            true => (0.0, touch.stick * self.spring(depth.max(0.0)) / creep),
            false => (self.slope, self.drag),
        }
    }

    /// The force of the spring at a penetration [N].
    fn spring(&self, depth: f64) -> f64 {
        if depth <= self.hardening {
            return self.stiffness * depth;
        }
        let x = depth / self.hardening;
        let last = x.min(STEEPEST);
        let curved = 1.0 + (last.powi(POWER) - 1.0) / f64::from(POWER);
        self.stiffness * self.hardening * (curved + (x - last) * last.powi(POWER - 1))
    }

    /// Angular frequency of the two masses on the spring at the depth of the contact [rad/s].
    pub fn swing(&self) -> f64 {
        self.slow / self.shallow * (self.slope / self.stiffness).sqrt()
    }

    /// Whether a penetration is beyond the range in which the spring hardens.
    pub fn is_overloaded(&self, depth: f64) -> bool {
        depth > STEEPEST * self.hardening
    }

    /// The normal force at a penetration and an approach speed.
    pub fn normal(&self, depth: f64, approach: f64) -> f64 {
        let x = (0.5 - 0.5 * approach / self.slow).clamp(0.0, 1.0);
        let branch = 1.0 - (1.0 - self.rebound) * x * x * (3.0 - 2.0 * x);
        let damped = self.damping * approach.min(self.fastest) * (depth / self.shallow).min(1.0);
        (branch * self.spring(depth) + damped).max(0.0)
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
