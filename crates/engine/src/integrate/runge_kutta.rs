//! Explicit Runge–Kutta over the bodies' poses and velocities, for any tableau.
//!
//!   yᵢ = y + h Σ aᵢⱼ kⱼ,   y⁺ = y + h Σ bᵢ kᵢ,   ẏ = (v, ½ ω q, a, α)

use super::acceleration::{Manner, accelerate};
use crate::body::BodyState;
use crate::body::twist::Twist;
use crate::model::Model;
use crate::model::state::State;
use crate::workspace::Scratch;
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

/// Evaluates all stages over [t, t + h] from a state, into `s.stages`; the last stage's factor stays in place.
pub fn stages(tableau: &Tableau, model: &Model, state: &State, h: f64, manner: Manner, s: &mut Scratch) {
    let count = tableau.c.len();
    s.stages.resize_with(s.stages.len().max(count), Vec::new);
    let mut stage = std::mem::take(&mut s.stage);
    for i in 0..count {
        stage.clone_from(state);
        stage.time = state.time + tableau.c[i] * h;
        if i > 0 {
            for (place, b) in stage.bodies.iter_mut().enumerate() {
                b.set_numbers(&combined(b.numbers(), h, &s.stages[..i], tableau.a[i], place));
            }
        }
        model.carry(&mut stage);
        accelerate(model, &stage, manner, s);
        let flow = stage.bodies.iter().zip(&s.solution.twists).map(|(b, a)| flow(b, a));
        s.stages[i].clear();
        s.stages[i].extend(flow);
    }
    s.stage = stage;
}

fn flow(b: &BodyState, a: &Twist) -> Flow {
    let w = DQuat::from_xyzw(b.spin.x, b.spin.y, b.spin.z, 0.0);
    let turning = w * b.attitude * 0.5;
    BodyState { position: b.velocity, attitude: turning, velocity: a.velocity, spin: a.spin, ..*b }.numbers()
}
