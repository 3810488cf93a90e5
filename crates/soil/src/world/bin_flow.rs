//! Slopes of the soil in a bin that fail: over the edges between cells, and over its rims.
//!
//! Gravity less acceleration, g' in the body's axes, tilts by ψ = atan(g'·d / −g'_z) along a direction d. An edge of
//! length L along d is too steep if
//!
//! ```text
//!  Δh > L tan(φ − ψ)
//! ```
//!
//! A tenth of the excess flows per sweep (eight neighbours share a cell), in whole quanta rounded down, so that it ends.
//! Beyond a rim there is nothing: it counts as soil of its height. A bin that lies on its side or is turned over empties
//! through its top. Heights are those before the sweep, so that the order of the cells does not matter.

use super::bin::{BinModel, BinState, OUTWARD, SIDES, TOP};
use crate::ground::Soil;
use crate::ground::quanta::Mass;
use glam::{DVec2, DVec3};
use std::f64::consts::FRAC_PI_2;

/// Sweeps per step, at most.
const SWEEPS: usize = 4;
/// Part of an excess that flows in a sweep: no edge turns over when all neighbours take theirs.
const PART: f64 = 0.1;
/// Length of a step with that part [s]; in shorter steps less flows.
const STEP: f64 = 1.0 / 60.0;
/// Angles are at most this from the horizontal.
const STEEPEST: f64 = 80.0 / 180.0 * std::f64::consts::PI;
/// Time over which the pull is averaged [s].
const AVERAGED: f64 = 0.1;

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct FlowWork {
    heights: Vec<f64>,
    next: Vec<Mass>,
    left: Vec<i64>,
}

impl BinState {
    /// Takes the pull of a step into the average.
    pub(super) fn tilt(&mut self, pull: DVec3, time: f64) {
        let part = if self.pull == DVec3::ZERO { 1.0 } else { (time / AVERAGED).min(1.0) };
        self.pull += (pull - self.pull) * part;
    }

    /// Lets the soil flow over a step. Each rim takes up to a mass of soil that is not a particle yet.
    pub(super) fn flow(
        &mut self,
        model: &BinModel,
        soils: &[Soil],
        room: Mass,
        time: f64,
        work: &mut FlowWork,
    ) {
        if self.cells.is_empty() || self.pull == DVec3::ZERO {
            return;
        }
        let part = PART * (time / STEP).min(1.0);
        for _ in 0..SWEEPS {
            if !self.sweep(model, soils, (room, part), work) {
                return;
            }
        }
    }

    fn sweep(
        &mut self,
        model: &BinModel,
        soils: &[Soil],
        (room, part): (Mass, f64),
        work: &mut FlowWork,
    ) -> bool {
        work.heights.clear();
        work.heights.extend((0..model.count()).map(|at| model.height(self, soils, at)));
        work.next.clone_from(&self.cells);
        let [nx, ny] = model.cells.map(|n| n as isize);
        let tilt = |d: DVec2| libm::atan2(self.pull.truncate().dot(d), -self.pull.z);
        let overturned = libm::atan2(self.pull.truncate().length(), -self.pull.z) > FRAC_PI_2;
        let mut moved = false;
        for at in 0..model.count() {
            let own = at * soils.len()..(at + 1) * soils.len();
            let total: i64 = self.cells[own.clone()].iter().map(|mass| mass.0).sum();
            if total == 0 {
                continue;
            }
            work.left.clear();
            work.left.extend(self.cells[own.clone()].iter().map(|mass| mass.0));
            let friction = self.friction(soils, at, total);
            let height = work.heights[at];
            let per_height = total as f64 / height;
            // rise that is stable along a direction, over a length
            let stable =
                |d: DVec2, length: f64| length * libm::tan((friction - tilt(d)).clamp(-STEEPEST, STEEPEST));
            let (i, j) = (at as isize % nx, at as isize / nx);
            for (di, dj) in NEIGHBOURS {
                let (x, y) = (i + di, j + dj);
                if !((0..nx).contains(&x) && (0..ny).contains(&y)) {
                    continue;
                }
                let other = (x + y * nx) as usize;
                let away = DVec2::new(di as f64, dj as f64) * model.cell();
                let length = away.length();
                let excess = height - work.heights[other] - stable(away / length, length);
                let quanta = (excess.max(0.0) * part * per_height) as i64;
                let to = other * soils.len();
                moved |= give(quanta, &mut work.left, (&mut work.next, own.start), |next, soil, mass| {
                    next[to + soil] += mass;
                });
            }
            for (side, [dx, dy]) in OUTWARD.into_iter().enumerate() {
                let last = [i + 1 == nx, i == 0, j + 1 == ny, j == 0, overturned][side];
                if !last || (side != TOP && overturned) {
                    continue;
                }
                let d = DVec2::new(dx, dy);
                let excess = match side {
                    TOP => height,
                    _ => height - model.rims[side] - stable(d, 0.5 * (d * model.cell()).length()),
                };
                let over = &mut self.over[side * soils.len()..(side + 1) * soils.len()];
                let held: Mass = over.iter().copied().sum();
                let quanta = ((excess.max(0.0) * part * per_height) as i64).min((room - held).0.max(0));
                moved |= give(quanta, &mut work.left, (&mut work.next, own.start), |_, soil, mass| {
                    over[soil] += mass;
                });
            }
        }
        std::mem::swap(&mut self.cells, &mut work.next);
        moved
    }

    /// Friction angle of the mixture in a cell.
    fn friction(&self, soils: &[Soil], at: usize, total: i64) -> f64 {
        let own = self.cells[at * soils.len()..].iter().zip(soils);
        let sum: f64 = own
            .filter(|(mass, _)| mass.0 > 0)
            .map(|(mass, soil)| mass.0 as f64 * soil.strength(soil.void_ratio.loose, 0.0, true).friction)
            .sum();
        sum / total as f64
    }
}

/// Steps to the eight neighbours.
const NEIGHBOURS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// Takes quanta, at most all, from what is left of a cell, in proportion to its soils, and gives them away.
fn give(
    quanta: i64,
    left: &mut [i64],
    (next, from): (&mut Vec<Mass>, usize),
    mut to: impl FnMut(&mut Vec<Mass>, usize, Mass),
) -> bool {
    let total: i64 = left.iter().sum();
    let quanta = quanta.min(total);
    if quanta <= 0 {
        return false;
    }
    let (mut sum, mut given) = (0_i128, 0_i128);
    for (soil, own) in left.iter_mut().enumerate() {
        sum += i128::from(*own);
        let upto = sum * i128::from(quanta) / i128::from(total);
        let mass = (upto - given) as i64;
        given = upto;
        *own -= mass;
        next[from + soil] -= Mass(mass);
        to(next, soil, Mass(mass));
    }
    true
}

const _: () = assert!(SIDES == TOP + 1);
