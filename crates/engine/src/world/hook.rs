//! Hooks: code of the user's that runs between the stages of a step.
//!
//! A hook may read everything and change the noun just written: add a force, move a row's bounds (0..0 vetoes it),
//! change its target. Hooks run in the velocity-level step (`spook`); the acceleration-level steppers evaluate the
//! stages several times a step and do not call them: there, write a force or a constraint instead.

use super::model::Model;
use super::state::State;
use crate::constrain::rows::Rows;
use crate::force::Wrenches;
use crate::solve::Solution;

/// Code that runs between stages. Every method does nothing unless written.
pub trait Hook: std::fmt::Debug + Send {
    /// After the explicit forces are summed.
    fn forces(&mut self, _model: &Model, _state: &State, _forces: &mut Wrenches) {}

    /// After the rows are written. The number of rows and their bodies must stay.
    fn rows(&mut self, _model: &Model, _state: &State, _rows: &mut Rows) {}

    /// After the solve, before the state changes.
    fn solved(&mut self, _model: &Model, _state: &State, _rows: &Rows, _solution: &Solution) {}
}
