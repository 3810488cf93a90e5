//! Forces of joints → the fastest vibration of light bodies due to geometric stiffness.
//!
//! A joint with a tensile force F at an arm r exerts the restoring torque θ (r·F) − r (F·θ) on a body that rotates by
//! θ, and a rod under tension T restores its ends transversely with T/l:
//!
//!   K = Σ ( (r·F) 1 − ½ (r Fᵀ + F rᵀ) )  +  Σ T/l (1 − u uᵀ),       ω² = largest eigenvalue of P M⁻¹ K
//!
//! P projects onto the motions that joints allow. A step takes the direction of F from its start, so that it is stable
//! for h ω < 2. Each body by itself gives an upper bound of ω; only where that is too high, the eigenvalue is computed
//! by power iteration with the present factor. Forces count only as far as they were present in the last step: a jerk
//! is over after one step. Cable elements and bodies attached to cables are excluded: their stiffness is implicit
//! (`tension_stiffness`).

use super::problem::{Numbering, Problem};
use crate::joint::JointKind;
use crate::math;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use glam::{DMat3, DVec3};

/// Upper bound of h ω. The explicit limit is 2; ω is underestimated by some percent, and tension grows within a step.
pub const LIMIT: f64 = 1.5;

/// Margin with which twice a substep must fit to be taken: each change of the step of a fast motion costs (h Ω)²/6 of
/// its speed.
pub const ROOM: f64 = 4.0;

/// Power iterations. Seven find the fastest mode of a chain of twenty links to 5 % (`tests/substeps.rs`).
const ITERATIONS: u32 = 7;

/// An attachment of a joint to a body.
#[derive(Clone, Debug)]
struct Arm {
    /// Group of rows, its first local row, the frame among the group's and the local body.
    group: u32,
    first: u32,
    frame: u32,
    body: u32,
    /// The frame at the other end of a rod, and the local body there if it is dynamic.
    far: Option<(u32, Option<u32>)>,
}

/// Geometric stiffness of the joints of an island.
#[derive(Debug, Default)]
pub struct Vibration {
    arms: Vec<Arm>,
    /// K of each body about its centre of mass [N·m],
    turning: Vec<DMat3>,
    /// and of rods transverse to their direction: index in `arms`, T/l [N/m], direction.
    rods: Vec<(u32, f64, DVec3)>,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Vibration {
    /// Finds the joints of an island, except cables and the bodies attached to them.
    pub(super) fn new(model: &Model, rows: &Rows, numbering: &Numbering, held: &[bool]) -> Vibration {
        let (mut arms, mut first) = (Vec::new(), 0u32);
        for number in &numbering.groups {
            let group = &rows.groups[*number as usize];
            let own = first;
            first += group.rows().len() as u32;
            let Some(joint) = group.joint().and_then(|place| model.joints.at(place)) else { break };
            if matches!(joint.kind, JointKind::Link(_) | JointKind::Rope(_)) {
                continue;
            }
            let frames = &rows.frames[group.frames()];
            let is_rod = matches!(joint.kind, JointKind::Distance(_));
            let local = |k: usize| {
                let found = numbering.bodies.binary_search(&frames[k].body).ok();
                found.filter(|_| frames[k].free).map(|body| body as u32)
            };
            for k in 0..frames.len() {
                let Some(body) = local(k).filter(|body| !held[*body as usize]) else { continue };
                let far = is_rod.then(|| (1 - k as u32, local(1 - k)));
                arms.push(Arm { group: *number, first: own, frame: k as u32, body, far });
            }
        }
        Vibration { arms, ..Vibration::default() }
    }

    /// The fastest ω [rad/s] and the index of a body that takes part; only an upper bound if that is below `enough`.
    pub(super) fn fastest(
        &mut self,
        problem: &Problem,
        rows: &Rows,
        (state, kick): (&State, f64),
        enough: f64,
    ) -> Option<(f64, u32)> {
        if self.arms.is_empty() {
            return None;
        }
        self.sum(problem, rows, (state, kick));
        let (square, body) = self.bound(problem);
        if square <= enough * enough {
            return Some((square.sqrt(), problem.numbering.bodies[body]));
        }
        self.iterate(problem, rows).map(|(square, body)| (square.sqrt(), problem.numbering.bodies[body]))
    }

    /// K from the present forces.
    fn sum(&mut self, problem: &Problem, rows: &Rows, (state, kick): (&State, f64)) {
        self.turning.clear();
        self.turning.resize(problem.numbering.bodies.len(), DMat3::ZERO);
        self.rods.clear();
        for (k, arm) in self.arms.iter().enumerate() {
            let group = &rows.groups[arm.group as usize];
            let frames = &rows.frames[group.frames()];
            let frame = &frames[arm.frame as usize];
            let impulses = &problem.active.multipliers[arm.first as usize..][..group.rows().len()];
            let mut force = DVec3::ZERO;
            for (row, impulse) in group.rows().zip(impulses) {
                let own = rows.blocks(row).iter().filter(|b| b.body == frame.body);
                own.for_each(|b| force += b.linear * (impulse / kick));
            }
            let known = group.joint().map_or(&[][..], |place| &state.joints[place].forces);
            let [now, before] = [
                impulses.iter().map(|l| l * l).sum::<f64>() / (kick * kick),
                if known.len() == impulses.len() { known.iter().map(|f| f * f).sum::<f64>() } else { 0.0 },
            ];
            if now == 0.0 || before == 0.0 {
                continue;
            }
            force *= (before / now).sqrt().min(1.0);
            let r = frame.at - frame.center;
            let mixed = math::outer(r, force);
            self.turning[arm.body as usize] +=
                DMat3::from_diagonal(DVec3::splat(r.dot(force))) - (mixed + mixed.transpose()) * 0.5;
            if let Some((far, _)) = arm.far {
                let d = frames[far as usize].at - frame.at;
                let u = d.normalize_or_zero();
                // pulled towards the far end: tension
                self.rods.push((k as u32, force.dot(u) / d.length().max(1e-9), u));
            }
        }
    }

    /// The largest bound of ω² by single bodies, and its body.
    fn bound(&self, problem: &Problem) -> (f64, usize) {
        let (mut most, mut at) = (0.0, 0);
        for (body, (k, block)) in self.turning.iter().zip(problem.bodies.rigid()).enumerate() {
            if *k == DMat3::ZERO {
                continue;
            }
            // Frobenius norm of I^-½ K I^-½, squared: tr (I⁻¹K I⁻¹K)
            let b = block.inertia.inverse() * *k;
            let square = trace(b * b);
            if square > most * most {
                (most, at) = (square.sqrt(), body);
            }
        }
        // both ends of all rods of a body
        let mut rods = 0.0;
        for (arm, stiffness, _) in &self.rods {
            let body = self.arms[*arm as usize].body as usize;
            let square = 4.0 * stiffness.abs() / problem.bodies.rigid()[body].mass;
            if square > rods {
                rods = square;
                if square > most {
                    at = body;
                }
            }
        }
        (most + rods, at)
    }

    /// y ← K x, x six numbers per body.
    fn apply(&mut self, rows: &Rows) {
        let Vibration { arms, turning, rods, x, y } = self;
        y.fill(0.0);
        for (body, k) in turning.iter().enumerate() {
            let turned = *k * DVec3::from_slice(&x[6 * body + 3..]);
            turned.write_to_slice(&mut y[6 * body + 3..]);
        }
        // each end separately: the far one is another arm, or fixed
        for (arm, stiffness, u) in rods.iter() {
            let Arm { group, frame, body, far, .. } = &arms[*arm as usize];
            let frames = &rows.frames[rows.groups[*group as usize].frames()];
            let point = |body: usize, r: DVec3| {
                DVec3::from_slice(&x[6 * body..]) + DVec3::from_slice(&x[6 * body + 3..]).cross(r)
            };
            let near = &frames[*frame as usize];
            let r = near.at - near.center;
            let mut moved = point(*body as usize, r);
            if let Some((far, Some(other))) = far {
                let end = &frames[*far as usize];
                moved -= point(*other as usize, end.at - end.center);
            }
            let push = (moved - *u * u.dot(moved)) * *stiffness;
            let own = &mut y[6 * *body as usize..6 * *body as usize + 6];
            (DVec3::from_slice(own) + push).write_to_slice(own);
            (DVec3::from_slice(&own[3..]) + r.cross(push)).write_to_slice(&mut own[3..]);
        }
    }

    /// The largest eigenvalue of P M⁻¹ K by power iteration, and the body that rotates most in its mode.
    fn iterate(&mut self, problem: &Problem, rows: &Rows) -> Option<(f64, usize)> {
        let (bodies, size) = (self.turning.len(), problem.kkt.x.len());
        self.x.clear();
        self.x.resize(size, 0.0);
        self.y.clear();
        self.y.resize(size, 0.0);
        // neighbours in opposite directions, about a generic axis
        for body in 0..bodies {
            let sign = if body % 2 == 0 { 1.0 } else { -1.0 };
            for (k, part) in [0.3, 0.2, -0.25, 1.0, 0.8, 0.6].into_iter().enumerate() {
                self.x[6 * body + k] = sign * part;
            }
        }
        let mut square = 0.0;
        for _ in 0..ITERATIONS {
            self.apply(rows);
            self.x.copy_from_slice(&self.y);
            problem.kkt.respond(&mut self.x);
            // uᵀ M u = uᵀ K x, since u satisfies the joints
            let size: f64 = self.x[..6 * bodies].iter().zip(&self.y).map(|(u, y)| u * y).sum();
            if !(size > 0.0) {
                return None;
            }
            square = size.sqrt();
            let scale = 1.0 / square;
            self.x.iter_mut().for_each(|u| *u *= scale);
        }
        let turns = |body: usize| DVec3::from_slice(&self.x[6 * body + 3..]).length_squared();
        let at = (0..bodies).fold(0, |most, body| if turns(body) > turns(most) { body } else { most });
        Some((square, at))
    }
}

fn trace(a: DMat3) -> f64 {
    a.x_axis.x + a.y_axis.y + a.z_axis.z
}
