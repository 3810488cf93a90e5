//! Solution method of an island: the rule of `auto`.
//!
//! Islands without contacts and islands with up to 600 contact rows are solved directly, larger ones by Gauss–Seidel in
//! substeps. An island without joints and with more than 60 contact rows leaves the direct solver for one step
//!
//!   * if more than a quarter of its points, not counting those without force, are new or slid in the last step:
//!     a collapsing heap, in which every step is a different problem, or
//!   * if it has not converged after twelve factorisations.
//!
//! If all its points are new, the direct search is run to its own limit. If its bodies are also at rest and
//! do not penetrate, as in a structure at the start of a scene, it keeps the direct solver with all its fallbacks:
//! friction that just suffices to hold an arch is found then or never.
//! Islands with cable links are never solved by Gauss–Seidel as a whole: links are stiff and elements light compared
//! with their loads, so that the iterations do not converge and gain energy. Instead their joints and normals are
//! solved directly and friction by iteration (`split`), under `auto` as under `iterative`.
//!
//! Islands in which a body has a general 6 × 6 mass matrix (`solve/problem/body_blocks.rs`) are solved directly,
//! whatever was requested: Gauss–Seidel supports rigid blocks only.
//!
//! All of this follows from State and the contacts found, so that a restored world makes the same choice.

use super::input::SolveInput;
use crate::joint::JointKind;
use crate::model::Model;
use crate::model::state::{ContactMode, State};
use crate::partition::Island;
use crate::row::rows::{Group, Rows};
use crate::settings::Solver;
use glam::DVec3;

/// Maximum number of contact rows of an island that is solved directly: a stack of 50 boxes. Beyond that, fill-in makes
/// the cost of the factor more than linear, and a pile does not need a solution to round-off.
const DIRECT_ROWS: usize = 600;

/// Factorisations after which `auto` leaves the direct solver: ordinary steps take one to five.
const LEAVE: u32 = 12;

/// Number of contact rows up to which an island always keeps the direct solver: five boxes.
const KEPT_ROWS: usize = 60;

/// Penetration up to which surfaces count as touching [m]: structures are modelled to a tenth of a millimetre, random
/// heaps are not.
const INSIDE: f64 = 1e-4;

/// Solution method of an island.
#[derive(Clone, Copy, Debug, Default)]
pub struct Method {
    /// The solver of the present step.
    pub solver: Solver,
    /// The solver of islands without general mass matrices.
    usual: Solver,
    /// Whether it may leave the direct solver for Gauss–Seidel.
    pub may_leave: bool,
}

/// Choice of `auto` for an island in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodChoice {
    /// Gauss–Seidel.
    Sweep,
    /// The direct search for a number of factorisations, then Gauss–Seidel.
    Try(u32),
    /// The direct solver with all its fallbacks.
    Keep,
}

impl Method {
    /// The most accurate solver that a body of the island requests, otherwise that of the settings.
    pub fn of(model: &Model, rows: &Rows, island: &Island) -> Method {
        let accuracy = |s: &Solver| match s {
            Solver::Direct => 3,
            Solver::Split => 2,
            Solver::Iterative => 1,
            Solver::Auto => 0,
        };
        let asked =
            island.bodies.iter().filter_map(|b| model.bodies.at(*b as usize)?.solver).max_by_key(accuracy);
        let groups = rows.touching_among(&island.groups);
        let has_links = || island.groups.iter().any(|g| is_link(model, &rows.groups[*g as usize]));
        match asked.unwrap_or(model.settings.contact.solver) {
            Solver::Iterative if has_links() => Method::new(Solver::Split, false),
            Solver::Auto => {
                let loose = island.cluster == 0 && groups.clone().count() == island.groups.len();
                let touching: usize = groups.map(|g| g.rows().len()).sum();
                let direct = touching <= DIRECT_ROWS;
                let may_leave =
                    direct && loose && touching > KEPT_ROWS && model.settings.contact.substeps > 1;
                let solver = match direct {
                    true => Solver::Direct,
                    false if has_links() => Solver::Split,
                    false => Solver::Iterative,
                };
                Method::new(solver, may_leave)
            }
            solver => Method::new(solver, false),
        }
    }

    fn new(solver: Solver, may_leave: bool) -> Method {
        Method { solver, usual: solver, may_leave }
    }

    /// Whether Gauss–Seidel solves it.
    pub fn is_iterative(&self) -> bool {
        self.solver == Solver::Iterative
    }

    /// Chooses the solver of this step.
    pub fn choose(
        &mut self,
        (bodies, groups): (&[u32], &[u32]),
        input: &SolveInput<'_>,
        state: &State,
        recalled: &[u32],
    ) -> MethodChoice {
        self.solver = self.usual;
        if bodies.iter().any(|body| input.free.general(*body as usize).is_some()) {
            self.solver = Solver::Direct;
            return MethodChoice::Keep;
        }
        if !self.may_leave {
            return MethodChoice::Keep;
        }
        let choice = choice_of(groups, input, state, recalled);
        self.solver = if choice == MethodChoice::Sweep { Solver::Iterative } else { Solver::Direct };
        choice
    }
}

fn is_link(model: &Model, group: &Group) -> bool {
    let joint = group.joint().and_then(|place| model.joints.at(place));
    joint.is_some_and(|joint| matches!(joint.kind, JointKind::Link(_)))
}

/// The choice for an island that may leave the direct solver.
fn choice_of(groups: &[u32], input: &SolveInput<'_>, state: &State, recalled: &[u32]) -> MethodChoice {
    let (mut all, mut moving, mut known, mut at_rest) = (0, 0, false, true);
    let still = |body: u32| {
        let body = &state.bodies[body as usize];
        body.velocity == DVec3::ZERO && body.angular_velocity == DVec3::ZERO
    };
    let pairs = groups.iter().filter_map(|g| input.rows.groups[*g as usize].pair());
    for pair in pairs.map(|number| &input.contacts.pairs[number]) {
        let touches = input.contacts.list[pair.points.clone()].iter().all(|point| point.gap > -INSIDE);
        at_rest = at_rest && touches && pair.parts.iter().all(|part| still(part.body));
        for place in &recalled[pair.points.clone()] {
            let grip = place.checked_sub(1).map(|place| state.contacts[place as usize].grip);
            known |= grip.is_some();
            all += usize::from(grip != Some(ContactMode::Open));
            moving +=
                usize::from(grip.is_none() || (grip == Some(ContactMode::Slip) && pair.touch.stick > 0.0));
        }
    }
    match known {
        false if at_rest => MethodChoice::Keep,
        false => MethodChoice::Try(u32::MAX),
        true if 4 * moving > all => MethodChoice::Sweep,
        true => MethodChoice::Try(LEAVE),
    }
}
