//! Explicit Runge–Kutta over the bodies' poses and velocities, for any tableau.
//!
//!   yᵢ = y + h Σ aᵢⱼ kⱼ,   y⁺ = y + h Σ bᵢ kᵢ,   ẏ = (v, ½ ω q, a, α)

use super::acceleration::{AccelerationWork, accelerate};
use super::stiffness::Stiffness;
use crate::body::BodyState;
use crate::body::twist::Twist;
use crate::model::Model;
use crate::model::state::State;
use crate::stages::Stages;
use glam::DQuat;

/// A Butcher tableau.
#[derive(Debug)]
pub struct Tableau {
    /// Instants of the stages.
    pub c: &'static [f64],
    /// Row i: weights of the stages before it.
    pub a: &'static [&'static [f64]],
    /// Weights of the result.
    pub b: &'static [f64],
}

/// The classical method of order 4.
pub const CLASSICAL: Tableau = Tableau {
    c: &[0.0, 0.5, 0.5, 1.0],
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
};

/// Rate of change of one body's numbers (`BodyState::numbers`): ẋ, q̇, v̇, ω̇.
pub type Flow = [f64; 13];

/// y + h Σ wⱼ kⱼ of one body.
pub fn combined(start: Flow, h: f64, stages: &[Vec<Flow>], weights: &[f64], place: usize) -> Flow {
    let mut sum = start;
    for (stage, w) in stages.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
        for (s, k) in sum.iter_mut().zip(&stage[place]) {
            *s += h * w * k;
        }
    }
    sum
}

/// Workspace of internal steps.
#[derive(Debug, Default)]
pub struct RungeKuttaWork {
    /// Rates of all bodies, by stage.
    pub(super) flows: Vec<Vec<Flow>>,
    /// The state of a stage.
    stage: State,
    /// Springs and dampers that the step has to follow.
    pub(crate) stiffness: Stiffness,
    /// Workspace of each evaluation.
    pub(crate) evaluation: AccelerationWork,
}

/// Evaluates all stages over [t, t + h] from a state, into `w.flows`; the factorisation of the last stage is kept.
pub fn stages(
    tableau: &Tableau,
    (model, state): (&Model, &State),
    h: f64,
    s: &mut Stages,
    w: &mut RungeKuttaWork,
) {
    let count = tableau.c.len();
    let RungeKuttaWork { flows, stage, evaluation, .. } = w;
    flows.resize_with(flows.len().max(count), Vec::new);
    for i in 0..count {
        stage.clone_from(state);
        stage.time = state.time + tableau.c[i] * h;
        if i > 0 {
            for (place, b) in stage.bodies.iter_mut().enumerate() {
                b.set_numbers(&combined(b.numbers(), h, &flows[..i], tableau.a[i], place));
            }
        }
        model.prescribe(stage);
        accelerate(model, stage, h, s, evaluation);
        let flow = stage.bodies.iter().zip(&s.solution.twists).map(|(b, a)| flow(b, a));
        flows[i].clear();
        flows[i].extend(flow);
    }
}

fn flow(b: &BodyState, a: &Twist) -> Flow {
    let w = DQuat::from_xyzw(b.angular_velocity.x, b.angular_velocity.y, b.angular_velocity.z, 0.0);
    let turning = w * b.orientation * 0.5;
    BodyState {
        position: b.velocity,
        orientation: turning,
        velocity: a.velocity,
        angular_velocity: a.angular_velocity,
        ..*b
    }
    .numbers()
}
