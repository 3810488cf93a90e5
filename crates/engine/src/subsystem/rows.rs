//! Rows of subsystems: written in groups, read back after the solve; and the inputs on which they may depend.

use crate::body::frame::JacobianBlock;
use crate::body::twist::Twist;
use crate::row::rows::Rows;
use crate::row::{BoundMode, Compliance, Row, RowSource, rate};
use crate::slots::InputId;

/// The inputs of a step: their mean values over it, in the order of their indices.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a>(pub(crate) &'a [(InputId, f64)]);

impl Inputs<'_> {
    /// Mean value of an input over the step; none for one that was removed.
    pub fn mean(&self, input: InputId) -> Option<f64> {
        let found = self.0.binary_search_by_key(&input.index(), |(id, _)| id.index()).ok()?;
        let (id, mean) = self.0[found];
        (id == input).then_some(mean)
    }
}

/// Where a subsystem writes its rows.
#[derive(Debug)]
pub struct SubsystemRows<'a> {
    rows: &'a mut Rows,
    kind: u16,
}

impl<'a> SubsystemRows<'a> {
    pub(crate) fn new(rows: &'a mut Rows, kind: u16) -> SubsystemRows<'a> {
        SubsystemRows { rows, kind }
    }

    /// Writes the group of an item. All bodies of a group belong to one island, so a group should be no larger than
    /// what is connected anyway.
    pub fn group(&mut self, item: u16, write: impl FnOnce(&mut SubsystemRows<'_>)) {
        let frames = self.rows.frames.len();
        let first = self.rows.rows.len();
        self.rows.open(RowSource::Subsystem(self.kind, item), Compliance::default(), frames..frames);
        write(self);
        self.rows.close();
        if self.rows.rows.len() == first {
            self.rows.groups.pop();
        }
    }

    /// Appends a row, which starts the search for a solution in a mode; returns its number.
    pub fn push(&mut self, row: Row, blocks: &[JacobianBlock], start: BoundMode) -> usize {
        let number = self.rows.rows.len();
        self.rows.push(row, blocks);
        self.rows.initial_modes.push((number as u32, start));
        number
    }

    /// Adds energy that its soft rows store beyond that of linear springs [J].
    pub fn store(&mut self, energy: f64) {
        self.rows.beyond += energy;
    }
}

/// The solved rows of a step.
#[derive(Clone, Copy, Debug)]
pub struct SolvedRows<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) forces: &'a [f64],
    pub(crate) modes: &'a [BoundMode],
    pub(crate) twists: &'a [Twist],
}

impl SolvedRows<'_> {
    /// Multiplier of a row [N or N·m].
    pub fn force(&self, row: usize) -> f64 {
        self.forces[row]
    }

    /// Its mode: between its bounds, or at one of them.
    pub fn mode(&self, row: usize) -> BoundMode {
        self.modes[row]
    }

    /// Its rate J v after the step [m/s or rad/s].
    pub fn rate(&self, row: usize) -> f64 {
        rate(self.rows.blocks(row), |place| self.twists[place])
    }
}
