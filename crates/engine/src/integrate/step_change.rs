//! Changes of the length of the step keep the energy of mechanisms.
//!
//!   Ẽ = ½ v·M v + V + h² G,     G = a·M a/24 − Ṗ/12,     P = f·v the power of explicit forces
//!
//! Leapfrog does not keep the energy of synchronised velocities v, but this modified one, to fourth order (Hairer, Lubich
//! & Wanner, Geometric Numerical Integration, IX.3: G = vᵀ V″ v/12 − V′ᵀ M⁻¹ V′/24; rigid joints add λ g″ to V″, so
//! that −(V″ + λ g″) v is M v̇̇ but for multiples of Jᵀ, which do no work, and v·M v̇̇ = Ṗ − a·M a). For a point that
//! rotates by φ in a step, h² G is φ²/12 of its kinetic energy. The energy therefore swings by h² G and comes back;
//! if the step changes from h₁ to h₂ in a fast motion and back in a slow one, it does not. So velocities are scaled at
//! the change,
//!
//!   ½ (s² − 1) v·M v = (h₁² − h₂²) G
//!
//! Mechanisms that are attached to static bodies by rigid joints are treated like this, if nothing but gravity acts on
//! them: Ṗ = Σ m g·a then. A mechanism that is not attached must keep its momenta, which a scaling of velocities
//! changes; with other forces Ṗ is not known. Of angular accelerations only the parts along the angular velocities
//! count: rotations at constant rate are followed to round-off.

use crate::body::twist::Twist;
use crate::model::Model;
use crate::model::state::State;
use crate::row::{Row, RowLaw};
use crate::solve::IslandSolver;
use crate::solve::shake_rows::ShakeStage;
use crate::stages::Stages;
use glam::DVec3;

/// Largest change of the kinetic energy by a scaling: φ²/12 at half a radian, the largest rotation per step
/// (`substeps.rs`). At rest, where G is no longer small against it, velocities are left alone.
const MOST: f64 = 0.02;

/// h ω of vibrations up to which terms of h⁴ are small against h² G, (h ω)²/10 of it: links that vibrate under a load
/// have their energy in faster motions.
const RESOLVED: f64 = 0.5;

/// The changes of velocities, by index of body, at the start of a solved step of another length than the last one.
pub(super) fn changes(model: &Model, from: &State, s: &Stages) -> Vec<(usize, Twist)> {
    let mut changes = Vec::new();
    let (lag, h, kick) = (from.velocity_lag, model.dt(from), model.kick(from));
    if lag == 0.0 || h == 2.0 * lag || s.free.carrying {
        return changes;
    }
    let motion = |place: usize| {
        let (before, after) = (s.free.before(from, h, place), s.solution.twists[place]);
        let acceleration = Twist {
            velocity: (after.velocity - before.velocity) / kick,
            angular_velocity: (after.angular_velocity - before.angular_velocity) / kick,
        };
        (before.lerp(after, lag / kick), acceleration)
    };
    let longer = h.max(2.0 * lag);
    for (island, stats) in s.solution.islands.iter().zip(&s.solution.stats) {
        let vibrates = stats.fastest.is_some_and(|(rate, _)| rate * longer > RESOLVED);
        if stats.stalled || vibrates || !is_mechanism(model, from, s, island) {
            continue;
        }
        let (mut inertial, mut power, mut energy) = (0.0, 0.0, 0.0);
        let places = || island.problem.numbering.bodies.iter().map(|body| *body as usize);
        for place in places() {
            let (v, a) = motion(place);
            let (mass, inertia) = (s.free.inertial[place].mass, s.free.inertia[place]);
            let axis = v.angular_velocity.normalize_or_zero();
            let turning = axis.dot(a.angular_velocity);
            inertial += mass * a.velocity.length_squared() + turning * turning * axis.dot(inertia * axis);
            power += s.free.wrenches.sums[place].force.dot(a.velocity);
            energy += mass * v.velocity.length_squared();
            energy += v.angular_velocity.dot(inertia * v.angular_velocity);
        }
        let more = (4.0 * lag * lag - h * h) * (inertial / 24.0 - power / 12.0) / (0.5 * energy);
        if more.abs() <= MOST {
            let factor = (1.0 + more).sqrt() - 1.0;
            changes.extend(places().map(|place| (place, Twist::default().lerp(motion(place).0, factor))));
        }
    }
    changes
}

/// Whether an island is a mechanism as in the module head, whose joints were closed in this step.
fn is_mechanism(model: &Model, from: &State, s: &Stages, island: &IslandSolver) -> bool {
    let numbering = &island.problem.numbering;
    if !island.shake.takes_part || island.shake.stage == ShakeStage::Failed {
        return false;
    }
    let is_plain = |row: &Row| {
        row.law == RowLaw::Rigid && !row.is_bounded() && row.speed == 0.0 && row.acceleration == 0.0
    };
    let mut groups = numbering.groups.iter().map(|group| &s.rows.groups[*group as usize]);
    let has_only_gravity = |place: usize| {
        let inertial = &s.free.inertial[place];
        let gravity = if inertial.gravity { model.settings.gravity } else { DVec3::ZERO };
        let (weight, load) = (gravity * inertial.own_mass(), s.free.wrenches.sums[place]);
        let is_rotor = inertial.axle != DVec3::ZERO;
        let is_damped = s.free.damped.iter().any(|damped| damped.place as usize == place);
        let is_plain =
            !is_rotor && !is_damped && s.free.general(place).is_none() && !from.bodies[place].asleep;
        is_plain && load.torque == DVec3::ZERO && (load.force - weight).length() <= 1e-12 * weight.length()
    };
    groups.clone().any(|group| s.rows.frames[group.frames()].iter().any(|frame| !frame.free))
        && groups.all(|group| group.joint().is_some() && s.rows.rows[group.rows()].iter().all(is_plain))
        && numbering.bodies.iter().all(|body| has_only_gravity(*body as usize))
}
