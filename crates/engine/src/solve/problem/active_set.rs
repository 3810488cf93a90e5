//! Multipliers of an island's rows, their bounds, and the active set.

use super::reuse::refilled;
use crate::row::BoundMode;
use crate::solve::regularize::{ImpulseBounds, RegularizedRow};

/// The multipliers of an island, by local row.
#[derive(Debug, Default)]
pub struct ActiveSet {
    /// Status of each multiplier with respect to its bounds.
    pub modes: Vec<BoundMode>,
    /// Local rows with a finite bound, ascending.
    pub bounded: Vec<usize>,
    /// Bounds of the multipliers; unbounded for rows that are not listed in `bounded`.
    pub bounds: Vec<ImpulseBounds>,
    /// Whether a row is the axial row of a cable link, by local row.
    pub links: Vec<bool>,
    /// Rates of the stops of rows, by local row and ascending (`Rows::stops`).
    pub stops: Vec<(usize, f64)>,
    /// Multipliers as impulses.
    pub multipliers: Vec<f64>,
    /// Multipliers to return to: those a search began with, or the best so far.
    pub best: Vec<f64>,
    /// Rows marked by a search.
    pub marked: Vec<bool>,
}

impl ActiveSet {
    /// For so many rows, reusing the memory of another set.
    pub(super) fn new(rows: usize, old: ActiveSet) -> ActiveSet {
        ActiveSet {
            modes: refilled(old.modes, rows, BoundMode::Between),
            bounded: refilled(old.bounded, 0, 0),
            bounds: refilled(old.bounds, rows, ImpulseBounds::ANY),
            links: refilled(old.links, rows, false),
            stops: refilled(old.stops, 0, (0, 0.0)),
            multipliers: refilled(old.multipliers, rows, 0.0),
            best: refilled(old.best, rows, 0.0),
            marked: refilled(old.marked, rows, false),
        }
    }

    /// Loads the bounds of a row. Rows come in order; those with a finite bound are listed.
    #[inline]
    pub(super) fn load_bounds(&mut self, local: usize, bounds: ImpulseBounds) {
        if local == 0 {
            self.bounded.drain(..).for_each(|local| self.bounds[local] = ImpulseBounds::ANY);
            self.stops.clear();
            self.links.fill(false);
        }
        if bounds.is_bounded() {
            self.bounded.push(local);
            self.bounds[local] = bounds;
        } else {
            self.modes[local] = BoundMode::Between;
        }
    }

    /// Whether a row is the axial row of a cable link in tension.
    #[inline]
    pub fn is_taut(&self, local: usize) -> bool {
        let pulls = self.modes[local] == BoundMode::Between;
        pulls && self.links[local] && self.multipliers[local] <= self.bounds[local].hi
    }

    /// The rate of the stop of a row, if it has one.
    pub fn stop(&self, local: usize) -> Option<f64> {
        let found = self.stops.binary_search_by_key(&local, |(row, _)| *row).ok()?;
        Some(self.stops[found].1)
    }

    /// r of the equation of the row's present mode: J u + Σ(Λ − hi) = rate at a stop.
    #[inline]
    pub fn right_side(&self, local: usize, row: &RegularizedRow) -> f64 {
        match self.modes[local] {
            BoundMode::Stop => {
                self.stop(local).map_or(row.rhs, |rate| rate + row.sigma * self.bounds[local].hi)
            }
            _ => row.rhs,
        }
    }

    /// Fixes the multipliers of all bounded rows at zero.
    pub fn release_bounds(&mut self) {
        self.bounded.iter().for_each(|local| self.bounds[*local] = ImpulseBounds::fixed(0.0));
    }

    /// Stores the multipliers to return to.
    pub fn keep(&mut self) {
        self.best.copy_from_slice(&self.multipliers);
    }

    /// Returns to the stored multipliers.
    pub fn recall(&mut self) {
        self.multipliers.copy_from_slice(&self.best);
    }

    /// The largest impulse, at least `least`.
    pub fn largest(&self, least: f64) -> f64 {
        self.multipliers.iter().fold(least, |m: f64, l| m.max(l.abs()))
    }
}
