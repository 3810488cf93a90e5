//! Hooks: code of the user's that runs between the stages of a step.
//!
//! A hook may read everything and change the noun just written: add a force, move a row's bounds (0..0 vetoes it),
//! change its target. `spook` calls it once a step, and `rows` again in every round that closes joints; the acceleration-level
//! steppers and `World::inspect` call `forces`, `contacts` and `rows` at every evaluation, so these should depend on what
//! they are given alone.

use crate::collide;
use crate::constrain;
use crate::constrain::inputs::command;
use crate::contact::Contacts;
use crate::force;
use crate::load::Wrenches;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::solve::Solution;
use crate::workspace::Scratch;

/// Explicit forces, with what hooks add.
pub(crate) fn forces(model: &Model, state: &State, s: &mut Scratch) {
    force::wrenches(model, state, &mut s.free.wrenches);
    s.hooks.iter_mut().for_each(|h| h.forces(model, state, &mut s.free.wrenches));
}

/// Contacts, with what hooks change or drop.
pub(crate) fn contacts(model: &Model, state: &State, s: &mut Scratch) {
    collide::collide(model, state, &mut s.collision, &mut s.contacts);
    s.hooks.iter_mut().for_each(|h| h.contacts(model, state, &mut s.contacts));
}

/// Rows of joints, with what inputs command and hooks change.
pub(crate) fn rows(model: &Model, state: &State, s: &mut Scratch) {
    constrain::constrain(model, state, &mut s.rows);
    command(model, &s.courses, state.time, &mut s.rows);
    change_rows(model, state, s);
}

/// Rows of joints and contacts, with what inputs command and hooks change.
pub(crate) fn all_rows(model: &Model, state: &State, s: &mut Scratch) {
    constrain::constrain(model, state, &mut s.rows);
    command(model, &s.courses, state.time, &mut s.rows);
    constrain::contact::contacts(model, state, &s.contacts, &mut s.rows);
    change_rows(model, state, s);
}

fn change_rows(model: &Model, state: &State, s: &mut Scratch) {
    for hook in &mut s.hooks {
        hook.rows(model, state, &mut s.rows);
        // it may have made a row soft, or rigid
        (s.rows.changed, s.rows.holds) = (true, true);
        s.rows.widest = s.rows.widest(0..s.rows.rows.len());
    }
}

/// Code that runs between stages. Every method does nothing unless written.
pub trait Hook: std::fmt::Debug + Send + Sync {
    /// After the explicit forces are summed.
    fn forces(&mut self, _model: &Model, _state: &State, _forces: &mut Wrenches) {}

    /// After contacts are found. Points may be changed or dropped (by shortening a pair's range), the touch
    /// of a pair too; pairs stay in order and points in the order of their features.
    fn contacts(&mut self, _model: &Model, _state: &State, _contacts: &mut Contacts) {}

    /// After the rows are written. The number of rows and their bodies must stay.
    fn rows(&mut self, _model: &Model, _state: &State, _rows: &mut Rows) {}

    /// After the solve, before the state changes.
    fn solved(&mut self, _model: &Model, _state: &State, _rows: &Rows, _solution: &Solution) {}
}
