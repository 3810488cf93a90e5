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
use super::problem::Problem;
use crate::constrain::rows::Rows;
use crate::partition::Island;
use crate::world::model::{Model, Solver};
use crate::world::state::{Grip, State};

/// Rows of contacts up to which an island is solved directly: a stack of 50 boxes. Beyond that fill makes the factor cost
/// more than linear, and a pile has no use for round-off.
const DIRECT_ROWS: usize = 600;

/// Factorisations after which `auto` leaves the direct solver: ordinary steps take one to five.
pub(super) const LEAVE: u32 = 12;

/// Rows of contacts up to which an island stays with the direct solver, come what may: five boxes.
const KEPT_ROWS: usize = 60;

/// Who solves an island: the most exact its bodies ask for, else the world's setting; and whether it may leave the direct
/// solver. The rule is in the module's head.
pub(super) fn solver_of(model: &Model, rows: &Rows, island: &Island) -> (Solver, bool) {
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
            let leaves = direct && loose && touching > KEPT_ROWS && model.settings.contact.substeps > 1;
            (if direct { Solver::Direct } else { Solver::Iterative }, leaves)
        }
        given => (given, false),
    }
}

/// Whether `auto` sweeps an island, tries it directly for a while, or as long as the direct solver itself would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Sweep,
    Try,
    Keep,
}

/// Chooses the solver of an island that may leave the direct one.
pub(super) fn choose(problem: &mut Problem, nouns: &Nouns<'_>, state: &State, recalled: &[u32]) -> Way {
    if !problem.leaves {
        return Way::Keep;
    }
    let way = way_of(problem, nouns, state, recalled);
    problem.solver = if way == Way::Sweep { Solver::Iterative } else { Solver::Direct };
    way
}

/// The way for such an island.
fn way_of(problem: &Problem, nouns: &Nouns<'_>, state: &State, recalled: &[u32]) -> Way {
    let (mut all, mut restless, mut known) = (0, 0, false);
    let pairs = problem.numbering.groups.iter().filter_map(|g| nouns.rows.groups[*g as usize].pair());
    for pair in pairs.map(|number| &nouns.contacts.pairs[number]) {
        for place in &recalled[pair.points.clone()] {
            let grip = place.checked_sub(1).map(|place| state.contacts[place as usize].grip);
            known |= grip.is_some();
            all += usize::from(grip != Some(Grip::Open));
            restless += usize::from(grip.is_none() || (grip == Some(Grip::Slip) && pair.touch.stick > 0.0));
        }
    }
    match known {
        false => Way::Keep,
        true if 4 * restless > all => Way::Sweep,
        true => Way::Try,
    }
}
