//! Rotors: bodies of revolution that a joint lets spin about their axis, while they turn far in a step.
//!
//! The axis a of a rotor moves with ω_⊥, the angular velocity across it, which is that of the body it is mounted in,
//! however fast it spins. Both the drift by exp(h ω) and an inertia half a step ahead would move the axis about the
//! resultant of ω_⊥ and the spin Ω instead: from two radians per step on, a flywheel on a slewing base lost its speed. So
//! while Ω h is large,
//!
//! ```text
//! Ĩ = R I Rᵀ,      R⁺ = exp(h ω_⊥) exp(h Ω a) R,      ΔL = I_a Ω (a⁺ − a)
//! ```
//!
//! The joint turns the angular momentum with the axis. Its reaction, the gyroscopic moment, is an impulse −ΔL on the
//! mounting body, explicit in ω_⊥. This is stable if the mounting body is heavy enough; otherwise, and for slower spins,
//! the rotor is treated as any other body. A wheel on a `car_wheel` joint is treated as a rotor at any speed: steered
//! while it rolls, it would otherwise violate its joint by ½ (Ω h) (ω_⊥ h) in each step.

use crate::body::frame::FAST_SPIN;
use crate::joint::JointKind;
use crate::model::Model;
use glam::{DQuat, DVec3};

/// Largest gyroscopic moment of a step over the momentum of the mounting body, per rate of rotation.
pub(super) const LIGHT: f64 = 0.2;
/// Largest relative difference of transverse moments, and sine of the angle between joint and principal axis.
const ROUND: f64 = 1e-6;

/// A body of revolution on a joint that lets it spin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rotor {
    /// Index of the body.
    pub place: u32,
    /// Index of the body in which it is mounted.
    pub mount: u32,
    /// Its axis, in its own axes.
    pub axle: DVec3,
    /// Moment of inertia about it [kg·m²].
    pub moment: f64,
    /// Rotation in a step from which on it is treated as a rotor [rad].
    pub least: f64,
}

/// The rotors of a model, by index of the body. `principal` are the moments and axes of the bodies.
pub(super) fn find(model: &Model, principal: &[(DVec3, DQuat)], out: &mut Vec<Rotor>) {
    out.clear();
    for (_, joint) in model.joints.iter() {
        // the axis is z of both anchors; other joints spin about that of the second
        let (anchors, both, least) = match &joint.kind {
            JointKind::Hinge(hinge) => (hinge.anchors, true, FAST_SPIN),
            JointKind::SixDof(joint) => (joint.anchors, false, FAST_SPIN),
            JointKind::CarWheel(joint) => (joint.anchors, false, 0.0),
            _ => continue,
        };
        for (own, other) in [(1, 0), (0, 1)] {
            let place = anchors[own].body.index();
            if (own == 0 && !both) || !model.bodies.at(place).is_some_and(|body| body.is_dynamic()) {
                continue;
            }
            let axle = anchors[own].turn * DVec3::Z;
            if let Some(moment) = moment_about(principal[place], axle) {
                let mount = anchors[other].body.index() as u32;
                out.push(Rotor { place: place as u32, mount, axle, moment, least });
            }
        }
    }
    out.sort_by_key(|rotor| rotor.place);
    // a body on two joints belongs to the first
    out.dedup_by_key(|rotor| rotor.place);
}

/// Moment of inertia about an axis of symmetry; none if it is no such axis.
fn moment_about((moments, axes): (DVec3, DQuat), axle: DVec3) -> Option<f64> {
    let own = axes.inverse() * axle;
    let alike = |a: f64, b: f64| (a - b).abs() <= ROUND * a.max(b);
    let [x, y, z] = moments.to_array();
    let symmetric = [(y, z), (z, x), (x, y)];
    let along = (0..3).find(|k| own[*k].abs() > 1.0 - 0.5 * ROUND * ROUND)?;
    let (a, b) = symmetric[along];
    alike(a, b).then(|| moments[along])
}
