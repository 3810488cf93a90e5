//! Loose soil on bodies: what particles push a body with becomes three rows of the next step.
//!
//! The particles of a step follow the bodies and report a wrench W on each. Soil of mass m that the body carries has its
//! inertia in W; the rest, B, is weight and friction. With n = W/|W| and two directions t across it at the centre of m:
//!
//! ```text
//!  B = W·n + m ṙ        r = J v, rate of the body along n (the wrench), or along t at the centre
//!  λ = B − m (r' − r)/κ      ⇔      J u + (κ/m) λ = r + (κ/m) B,   along n: λ ≥ 0,   along t: |λ| ≤ μ |W|
//! ```
//!
//! The mass is in the system of equations, so two tonnes in a bucket of 0.8 t are as stable as a rigid body of 2.8 t.
//! A wrench that is applied a step late would diverge from a mass ratio of 1 on. m is the mass of the particles that the
//! body carries (`particle/carriers.rs`): a particle that hits a light body shares its momentum with it, no more. Of soil
//! that leans on ground, m is the mass with the weight |W|, at least that of the particles that touch the body.

use super::state::SoilLoad;
use crate::particle::WallImpulse;
use glam::DVec3;
use windlass_engine::prelude::{BodyState, BoundMode, JacobianBlock, Role, Row, RowLaw, SubsystemRows, View};

/// Forces below this are none [N].
const NOTHING: f64 = 1e-3;
/// μ across the wrench: friction of soil on steel, about tan 22°.
const GRIP: f64 = 0.4;

/// Mass of loose soil that a body carries, with its water.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    pub body: u32,
    /// [kg]
    pub mass: f64,
    /// Volume as loose soil [m³].
    pub volume: f64,
    /// Sum of mass times position [kg m].
    pub moment: DVec3,
    /// Mass of the particles that touch the body [kg].
    pub direct: f64,
    /// Whether the soil also leans on ground: a part of it may stay where it is.
    pub leans: bool,
}

impl Share {
    /// The mass that the body carries if soil weighs on it like a mass [kg]: of soil that leans on ground, what it bears.
    fn carried(&self, weighed: f64) -> f64 {
        if self.leans { weighed.clamp(0.0, self.mass) } else { self.mass }
    }

    /// The mass that moves with the body if its weight would be that of a mass [kg].
    fn moving(&self, weighed: f64) -> f64 {
        if self.leans { weighed.clamp(self.direct.min(self.mass), self.mass) } else { self.mass }
    }
}

impl SoilLoad {
    /// That of the impulses of a step on a body, up to the most that the soil can push with [N]; they are those of dry
    /// soil.
    pub(super) fn of(
        impulse: &WallImpulse,
        moisture: f64,
        [before, after]: [&BodyState; 2],
        (time, gravity): (f64, f64),
        (share, most): (Option<&Share>, f64),
    ) -> Option<SoilLoad> {
        let pushed = impulse.impulse.length() * moisture / time;
        let per_time = moisture / time * if pushed > most { most / pushed } else { 1.0 };
        let (force, torque) = (impulse.impulse * per_time, impulse.moment * per_time);
        let size = force.length();
        if !(size > NOTHING && size.is_finite() && torque.is_finite()) {
            return None;
        }
        // soil that has bounced off within the step is carried by nothing
        let weighed = (size / gravity, force.cross(torque) / force.length_squared());
        let carried = share.filter(|share| share.mass > 0.0);
        let (mass, arm) = carried.map_or(weighed, |share| {
            (share.moving(size / gravity), share.moment / share.mass - after.position)
        });
        Some(SoilLoad {
            body: impulse.owner?,
            force,
            torque,
            mass,
            carried: carried.map_or(0.0, |share| share.carried(-force.z / gravity)),
            arm,
            acceleration: (after.velocity - before.velocity) / time,
            spin_up: (after.angular_velocity - before.angular_velocity) / time,
        })
    }

    /// Whether its numbers are finite, and its mass is above 0.
    pub(super) fn is_sound(&self) -> bool {
        let vectors = [self.force, self.torque, self.arm, self.acceleration, self.spin_up];
        let masses = self.mass > 0.0 && self.mass.is_finite() && self.carried.is_finite();
        masses && vectors.iter().all(|v| v.is_finite())
    }

    /// Writes its rows.
    pub(super) fn rows(&self, view: &View<'_>, out: &mut SubsystemRows<'_>) {
        let moves = view.bodies.list.at(self.body as usize).is_some_and(|body| body.is_dynamic());
        let (Some(state), true) = (view.bodies.states.get(self.body as usize), moves) else { return };
        let size = self.force.length();
        let normal = self.force / size;
        let (t, s) = normal.any_orthonormal_pair();
        let grip = GRIP * size;
        let along = [
            (normal, self.torque / size, size, [0.0, f64::INFINITY]),
            (t, self.arm.cross(t), 0.0, [-grip, grip]),
            (s, self.arm.cross(s), 0.0, [-grip, grip]),
        ];
        for (linear, angular, force, [lo, hi]) in along {
            let rate = linear.dot(state.velocity) + angular.dot(state.angular_velocity);
            let inertia = self.mass * (linear.dot(self.acceleration) + angular.dot(self.spin_up));
            let base = if lo == 0.0 { (force + inertia).max(0.0) } else { inertia };
            let loss = view.kick / self.mass;
            let law = RowLaw::Velocity { loss };
            let row = Row { speed: rate + loss * base, lo, hi, law, role: Role::Medium, ..Row::hold(0.0) };
            out.push(row, &[JacobianBlock { body: self.body, linear, angular }], BoundMode::Between);
        }
    }
}

/// Sorts by bodies, and joins those of a body that is laden by the soils of several grounds.
pub(super) fn merge(soil_loads: &mut Vec<SoilLoad>) {
    // a stable sort would allocate
    soil_loads.sort_unstable_by_key(|soil_load| soil_load.body);
    soil_loads.dedup_by(|next, sum| {
        let same = next.body == sum.body;
        if same {
            let part = next.mass / (next.mass + sum.mass);
            sum.arm += (next.arm - sum.arm) * part;
            sum.force += next.force;
            sum.torque += next.torque;
            sum.mass += next.mass;
            sum.carried += next.carried;
        }
        same && sum.force.length() > NOTHING
    });
    soil_loads.retain(|soil_load| soil_load.force.length() > NOTHING);
}
