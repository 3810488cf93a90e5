//! Penetrations of bodies with joints: corrected by moving positions only.
//!
//! A penetration requests a speed r at which it opens (`regularize.rs`). Applying that speed adds momentum, and where
//! joints do not allow bodies to separate the force has no bound: two arms whose links start with 35 mm of penetration
//! exerted 1e9 N and flew off. In islands with joints the step therefore has two parts:
//!
//!   velocities   J u + Σ Λ ≥ 0 for penetrations: they neither open nor deepen;   J u = 0 for joints, closed or not
//!   positions    move by u + d,   J d ≥ r for penetrations, J d = r for joints,
//!                J d ≥ −max(0, w) for all other rows,   w = J u + Σ Λ − r
//!
//! where d is the least such velocity in the mass metric, without friction and bounded by `recovery`. Rows of
//! penetrations are compliant in the second part, so that one close to a hinge does not cause an unbounded rotation.
//! What joints do not allow remains. The impulses of the second part are discarded: it does no work, and no force is
//! read from it. Deep penetrations have no friction in the first part either: their points and normals are unreliable,
//! and jam.

use super::problem::Problem;
use super::regularize::{ImpulseBounds, RegularizedRow, StepTimes, closing_speed, is_overlapping};
use crate::model::state::ContactMode;
use crate::row::RowLaw;
use crate::row::rows::Rows;
use glam::DVec3;

/// Penetrations that would open more slowly than this are ignored [m/s].
const STILL: f64 = 1e-6;

/// Penetrations that open at more than this fraction of the recovery speed are deep.
const DEEP: f64 = 0.1;

/// Compliance of the rows of penetrations in the second part, relative to their mobility.
const SOFT: f64 = 0.1;

/// Largest rotation of a body by the correction [rad per step]: its joints open by 1.3e-3 of their arms.
const TURN: f64 = 0.05;

/// The penetrations of an island, and the parts of its problem that are restored after the correction.
#[derive(Debug, Default)]
pub struct Overlaps {
    /// Local rows of their normals and of rigid joints, and the speeds at which they should open or close [m/s or
    /// rad/s].
    opening: Vec<(usize, f64)>,
    rows: Vec<RegularizedRow>,
    bounds: Vec<ImpulseBounds>,
    momentum: Vec<f64>,
}

impl Overlaps {
    /// Whether there is none to correct.
    pub fn is_empty(&self) -> bool {
        self.opening.is_empty()
    }

    /// Clears the list.
    pub fn clear(&mut self) {
        self.opening.clear();
    }

    /// Finds the penetrations of a problem that is ready, and removes their opening speeds from it, and the closing
    /// speeds of joints. Restitution of penetrating contacts is kept.
    pub fn hold(&mut self, problem: &mut Problem, rows: &Rows, times: &StepTimes) {
        let numbering = &problem.numbering;
        let row = |local: usize| &rows.rows[numbering.rows[local]];
        for local in numbering.first_contact..numbering.rows.len() {
            let speed = if is_overlapping(row(local)) { closing_speed(row(local), times) } else { continue };
            if speed > STILL && problem.rows[local].rhs <= speed {
                self.opening.push((local, speed));
            }
        }
        if self.is_empty() {
            return;
        }
        let rigid = |local: &usize| row(*local).law == RowLaw::Rigid && !row(*local).is_bounded();
        let joints = (0..numbering.first_contact).filter(rigid);
        self.opening.extend(joints.map(|local| (local, closing_speed(row(local), times))));
        for (local, speed) in &self.opening {
            problem.rows[*local].rhs -= speed;
        }
        let deep =
            |normal| self.opening.iter().any(|(l, speed)| *l == normal && *speed > DEEP * times.recovery);
        for number in 0..problem.friction.cones.len() {
            let cone = &mut problem.friction.cones[number];
            if !cone.belt && deep(cone.normal) {
                (cone.friction, cone.base) = (0.0, 0.0);
                problem.set_grip(number, ContactMode::Open);
            }
        }
    }

    /// Turns a solved problem into that of d.
    pub fn begin(&mut self, problem: &mut Problem, rows: &Rows) {
        problem.keep_answer();
        self.rows.clone_from(&problem.rows);
        self.bounds.clone_from(&problem.active.bounds);
        self.momentum.clone_from(&problem.bodies.momentum);
        let own = &mut self.rows;
        problem.each_residual(rows, |local, _, w| own[local].rhs = -w.max(0.0));
        for (local, speed) in &self.opening {
            own[*local].rhs += speed;
            if *local >= problem.numbering.first_contact {
                own[*local].sigma = SOFT * problem.mobility(rows, *local);
            }
        }
        std::mem::swap(own, &mut problem.rows);
        problem.active.multipliers.fill(0.0);
        problem.freeze_friction();
        problem.bodies.momentum.fill(0.0);
    }

    /// Computes u + d, and restores the problem.
    pub fn end(&mut self, problem: &mut Problem, times: &StepTimes, out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(&problem.kkt.x[..self.momentum.len()]);
        let most = [times.recovery, TURN / times.drift];
        let fastest = out
            .chunks_exact(3)
            .enumerate()
            .fold(1.0, |m: f64, (k, three)| m.max(DVec3::from_slice(three).length() / most[k % 2]));
        std::mem::swap(&mut self.rows, &mut problem.rows);
        problem.active.bounds.clone_from(&self.bounds);
        problem.bodies.momentum.clone_from(&self.momentum);
        problem.take_answer();
        for (out, u) in out.iter_mut().zip(&problem.kkt.x) {
            *out = u + *out / fastest;
        }
    }
}
