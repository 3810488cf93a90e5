//! Which method solves an island: the rule of `auto`.
//!
//! **Who solves an island under `auto`.** Joints and no contact: the direct solver, always. With up to 600 rows of contacts:
//! the direct solver, and beyond that sweeps in small steps. An island without joints and with more than 60 rows of contacts
//! leaves the direct solver for a step
//!
//!   * if more than a quarter of its points are new or slid in the last step, those that bore nothing not counted: a heap that
//!     falls together, whose every step is another problem, or
//!   * if twelve factorisations have not settled it.
//!
//! If all its points are new, as when a scene begins, it is tried directly for as long as the direct solver searches at all.
//! Both follow from State and the contacts found, so a restored world decides the same.

use super::input::Nouns;
use crate::constrain::rows::Rows;
use crate::partition::Island;
use crate::world::model::{Model, Solver};
use crate::world::state::{Grip, State};

/// Rows of contacts up to which an island is solved directly: a stack of 50 boxes. Beyond that fill makes the factor cost
/// more than linear, and a pile has no use for round-off.
const DIRECT_ROWS: usize = 600;

/// Factorisations after which `auto` leaves the direct solver: ordinary steps take one to five.
pub const LEAVE: u32 = 12;

/// Rows of contacts up to which an island stays with the direct solver, come what may: five boxes.
const KEPT_ROWS: usize = 60;

/// How an island is solved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Method {
    /// Who solves it; under `auto`, who does in this step.
    pub solver: Solver,
    /// Whether it may leave the direct solver for Gauss–Seidel.
    pub may_leave: bool,
}

/// Whether `auto` sweeps an island, tries it directly for a while, or as long as the direct solver itself would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodChoice {
    /// Gauss–Seidel.
    Sweep,
    /// The direct solver, for [`LEAVE`] factorisations.
    Try,
    /// The direct solver.
    Keep,
}

impl Method {
    /// Who solves an island: the most exact its bodies ask for, else the world's setting.
    pub fn of(model: &Model, rows: &Rows, island: &Island) -> Method {
        let exactness = |s: &Solver| match s {
            Solver::Direct => 3,
            Solver::Split => 2,
            Solver::Iterative => 1,
            Solver::Auto => 0,
        };
        let asked =
            island.bodies.iter().filter_map(|b| model.bodies.at(*b as usize)?.solver).max_by_key(exactness);
        match asked.unwrap_or(model.settings.contact.solver) {
            Solver::Auto => {
                let groups = rows.touching_among(&island.groups);
                let loose = island.cluster == 0 && groups.clone().count() == island.groups.len();
                let touching: usize = groups.map(|g| g.rows().len()).sum();
                let direct = touching <= DIRECT_ROWS;
                let may_leave =
                    direct && loose && touching > KEPT_ROWS && model.settings.contact.substeps > 1;
                Method { solver: if direct { Solver::Direct } else { Solver::Iterative }, may_leave }
            }
            solver => Method { solver, may_leave: false },
        }
    }

    /// Whether Gauss–Seidel solves it.
    pub fn is_iterative(&self) -> bool {
        self.solver == Solver::Iterative
    }

    /// Chooses the solver of this step for an island that may leave the direct one; others keep theirs.
    pub fn choose(
        &mut self,
        groups: &[u32],
        nouns: &Nouns<'_>,
        state: &State,
        recalled: &[u32],
    ) -> MethodChoice {
        if !self.may_leave {
            return MethodChoice::Keep;
        }
        let choice = choice_of(groups, nouns, state, recalled);
        self.solver = if choice == MethodChoice::Sweep { Solver::Iterative } else { Solver::Direct };
        choice
    }
}

/// The choice for an island that may leave the direct solver.
fn choice_of(groups: &[u32], nouns: &Nouns<'_>, state: &State, recalled: &[u32]) -> MethodChoice {
    let (mut all, mut restless, mut known) = (0, 0, false);
    let pairs = groups.iter().filter_map(|g| nouns.rows.groups[*g as usize].pair());
    for pair in pairs.map(|number| &nouns.contacts.pairs[number]) {
        for place in &recalled[pair.points.clone()] {
            let grip = place.checked_sub(1).map(|place| state.contacts[place as usize].grip);
            known |= grip.is_some();
            all += usize::from(grip != Some(Grip::Open));
            restless += usize::from(grip.is_none() || (grip == Some(Grip::Slip) && pair.touch.stick > 0.0));
        }
    }
    match known {
        false => MethodChoice::Keep,
        true if 4 * restless > all => MethodChoice::Sweep,
        true => MethodChoice::Try,
    }
}
