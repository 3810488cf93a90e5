//! One island as a linear complementarity problem, in its own numbering.
//!
//!   [ M̃  −Jᵀ ] [ u ]   [ p ]
//!   [ J   Σ  ] [ Λ ] = [ r ]        lo ≤ Λ ≤ hi
//!
//! The factor holds the symmetric form with unknowns (u, −Λ). Bodies are its primal nodes; the rows of a joint on the same bodies go,
//! six at a time, into dual nodes of width 1, 3, 5 or 6. Which block of which row goes where is found once per
//! topology (`places`), so assembling is one pass over the blocks. Rows of contacts come last; the direct solver has copies of
//! their blocks (`owned`), since it turns the axes of friction.

mod assemble;
mod layout;

pub(super) use layout::Place;

use super::direct::energy_descent::Descent;
use super::direct::friction::Cone;
use super::gauss_seidel::Sweeper;
use super::regularize::{Beat, Impulses, Softened};
use super::shake_rows::Closing;
use super::tension_stiffness::Taut;
use crate::constrain::rows::Rows;
use crate::force::free::Free;
use crate::partition::{Island, Key};
use crate::world::frame::Block;
use crate::world::model::Solver;
use crate::world::state::Mode;
use crate::world::twist::Twist;
use assemble::{add_push, dot, rate};
use glam::{DMat3, DVec3};
use layout::{Dual, Layout, places_of, refilled};
use windlass_sparse::{EdgeIx, Factor};

/// One island's system.
#[derive(Debug, Default)]
pub struct Problem {
    /// Places of its bodies.
    pub bodies: Vec<u32>,
    /// Its groups' indices in Rows.
    pub groups: Vec<u32>,
    /// What they are to its layout.
    keys: Vec<Key>,
    /// Its rows' indices in Rows.
    pub rows: Vec<usize>,
    /// Discretised rows, by local row.
    pub softened: Vec<Softened>,
    /// Impulses of their multipliers; of those that are not listed in `bounded`, none.
    pub bounds: Vec<Impulses>,
    /// Where each multiplier stands against its bounds, by local row.
    pub modes: Vec<Mode>,
    /// Multipliers, by local row.
    pub lambda: Vec<f64>,
    /// Local rows with a finite bound, ascending.
    pub bounded: Vec<usize>,
    /// Masses and midpoint inertias, by local body.
    pub masses: Vec<(f64, DMat3)>,
    /// Largest speed the bodies would have without constraints: what rates are small against.
    pub pace: f64,
    /// Right side of the bodies, 6 per body.
    pub momentum: Vec<f64>,
    /// Solution: 6 per body, then the dual nodes.
    pub x: Vec<f64>,
    factor: Factor,
    duals: Vec<Dual>,
    edges: Vec<EdgeIx>,
    places: Vec<Place>,
    /// Where each local row's places begin.
    starts: Vec<usize>,
    /// Where each local row's entry is in x.
    entry: Vec<usize>,
    /// Work space of `refine`.
    pub(super) residue: Vec<f64>,
    /// Best multipliers seen by the active-set search.
    pub(super) best: Vec<f64>,
    /// An answer to go back to: multipliers and solution, cones, modes.
    pub(super) kept: Vec<f64>,
    pub(super) kept_cones: Vec<Cone>,
    pub(super) kept_modes: Vec<Mode>,
    /// Friction.
    pub cones: Vec<Cone>,
    /// The last relaxation of its bounds.
    pub(super) pace_last: f64,
    /// Whether a local row belongs to a cone.
    pub(super) rubs: Vec<bool>,
    /// The first local row of a contact.
    pub first_contact: usize,
    /// Copies of the blocks of the rows from there on, two each; none if sweeps have it, which read them where they are.
    pub(super) owned: Vec<Block>,
    /// The velocities that positions move with, six a body,
    pub(super) carry: Vec<f64>,
    /// if they are others than those of the solution.
    pub(super) carries: bool,
    /// The cluster of parts it belongs to; 0 for none.
    pub cluster: u32,
    /// Who solves it.
    pub solver: Solver,
    /// Whether it may go over to sweeps where the direct solver is slow.
    pub leaves: bool,
    /// Whether it has a factor.
    laid: bool,
    /// Work space of sweeps.
    pub(super) sweeper: Sweeper,
    /// Work space of the way down.
    pub(super) descent: Descent,
    /// Its cables.
    pub(super) taut: Taut,
    /// How far its joints are closed.
    pub(crate) closing: Closing,
}

/// The indices of an island's rows, in the memory of others.
fn rows_of(island: &Island, rows: &Rows, old: Vec<usize>) -> Vec<usize> {
    let mut all = refilled(old, 0, 0);
    island.groups.iter().for_each(|g| all.extend(rows.groups[*g as usize].rows()));
    all
}
impl Problem {
    /// Lays out an island for a solver, in the memory of a problem that is no more. One with contacts that sweeps, or may leave
    /// the direct solver, gets a factor when it is asked for; others at once.
    pub(super) fn new(
        island: &Island,
        rows: &Rows,
        (solver, leaves): (Solver, bool),
        taut: Taut,
        old: Problem,
    ) -> Problem {
        let groups = || island.groups.iter().map(|g| &rows.groups[*g as usize]);
        let of_contacts: usize = rows.touching_among(&island.groups).map(|g| g.rows().len()).sum();
        let local = rows_of(island, rows, old.rows);
        let (n, m) = (island.bodies.len(), local.len());
        let first_contact = m - of_contacts;
        let later = leaves || (solver == Solver::Iterative && of_contacts > 0);
        let parts = (&*island.bodies, &*island.groups);
        let layout = match later {
            true => Layout::flat(parts, rows, (old.places, old.starts)),
            false => Layout::new(parts, rows, first_contact),
        };
        let size = layout.factor.dimension().max(6 * n).max(m);
        Problem {
            bodies: island.bodies.clone(),
            groups: island.groups.clone(),
            keys: groups().map(|g| Key::of(rows, g)).collect(),
            rows: local,
            softened: refilled(old.softened, m, Softened::default()),
            bounds: refilled(old.bounds, m, Impulses::ANY),
            modes: refilled(old.modes, m, Mode::Between),
            lambda: refilled(old.lambda, m, 0.0),
            bounded: refilled(old.bounded, 0, 0),
            masses: refilled(old.masses, n, (0.0, DMat3::ZERO)),
            pace: 0.0,
            momentum: refilled(old.momentum, 6 * n, 0.0),
            x: refilled(old.x, size, 0.0),
            factor: layout.factor,
            duals: layout.duals,
            edges: layout.edges,
            places: layout.places,
            starts: layout.starts,
            entry: layout.entry,
            residue: refilled(old.residue, size, 0.0),
            best: refilled(old.best, m, 0.0),
            kept: Vec::new(),
            kept_cones: Vec::new(),
            kept_modes: Vec::new(),
            cones: old.cones,
            pace_last: 1.0,
            rubs: refilled(old.rubs, m, false),
            first_contact,
            owned: old.owned,
            carry: old.carry,
            carries: false,
            cluster: island.cluster,
            solver,
            leaves,
            laid: !later,
            sweeper: old.sweeper,
            descent: old.descent,
            taut,
            closing: Closing::default(),
        }
    }

    /// Whether it is laid out for such an island of the same model.
    pub(super) fn fits(&self, island: &Island, rows: &Rows) -> bool {
        let keys = island.groups.iter().map(|g| Key::of(rows, &rows.groups[*g as usize]));
        self.cluster == 0
            && island.cluster == 0
            && self.bodies == island.bodies
            && keys.eq(self.keys.iter().copied())
    }

    /// The same layout for the same island, whose rows have come to stand elsewhere among all. It keeps its solver.
    pub(super) fn moved_to(mut self, island: &Island, rows: &Rows, taut: Taut) -> Problem {
        let rows = rows_of(island, rows, std::mem::take(&mut self.rows));
        Problem { groups: island.groups.clone(), rows, taut, ..self }
    }
    /// Forgets friction, and takes over the blocks of the contacts' rows if it may turn them.
    pub fn load_contacts(&mut self, rows: &Rows) {
        self.cones.clear();
        self.rubs.fill(false);
        self.carries = false;
        self.pace_last = 1.0;
        self.owned.clear();
        if self.solver != Solver::Iterative {
            for row in &self.rows[self.first_contact..] {
                self.owned.extend_from_slice(rows.blocks(*row));
            }
        }
    }

    /// The blocks of a local row.
    #[inline]
    pub fn blocks<'a>(&'a self, rows: &'a Rows, local: usize) -> &'a [Block] {
        blocks_of(&self.owned, self.first_contact, rows, self.rows[local], local)
    }

    /// The blocks of rows that have two each, from a local row on.
    pub(super) fn blocks_from<'a>(&'a self, rows: &'a Rows, local: usize) -> &'a [[Block; 2]] {
        blocks_from(&self.owned, self.first_contact, rows, self.rows[local], local)
    }

    /// Where a local row's blocks belong.
    pub(super) fn places_of(&self, local: usize) -> &[Place] {
        places_of(&self.places, &self.starts, local)
    }

    /// J u of a local row at the present solution.
    #[inline]
    pub(super) fn rate_of(&self, rows: &Rows, local: usize) -> f64 {
        rate(&self.x, self.blocks(rows, local), &self.places[self.starts[local]..])
    }

    /// The same at other velocities.
    pub(super) fn rate_at(&self, rows: &Rows, local: usize, velocities: &[f64]) -> f64 {
        rate(velocities, self.blocks(rows, local), &self.places[self.starts[local]..])
    }

    /// J M⁻¹ Jᵀ of a local row whose bodies are different ones.
    pub(super) fn mobility(&self, rows: &Rows, local: usize) -> f64 {
        let parts = self.blocks(rows, local).iter().zip(self.places_of(local));
        parts.fold(0.0, |sum, (block, place)| {
            let Some(body) = place.body() else { return sum };
            let (mass, inertia) = &self.masses[body / 6];
            sum + block.linear.length_squared() / mass + block.angular.dot(inertia.inverse() * block.angular)
        })
    }

    /// dᵀ (M u − p) and dᵀ M d of velocities and a change of them.
    pub(super) fn inertial_slope(&self, u: &[f64], d: &[f64]) -> [f64; 2] {
        let mut slope = [0.0; 2];
        for (i, (mass, inertia)) in self.masses.iter().enumerate() {
            let (at, change) = (twist_of(&u[6 * i..]), twist_of(&d[6 * i..]));
            let momentum = |t: Twist| (t.velocity * *mass, *inertia * t.spin);
            let ((p, l), (dp, dl)) = (momentum(at), momentum(change));
            let p = p - DVec3::from_slice(&self.momentum[6 * i..]);
            let l = l - DVec3::from_slice(&self.momentum[6 * i + 3..]);
            slope[0] += change.velocity.dot(p) + change.spin.dot(l);
            slope[1] += change.velocity.dot(dp) + change.spin.dot(dl);
        }
        slope
    }

    /// Takes over a discretised row. Rows come in order; those with a finite bound are listed.
    #[inline]
    pub fn load_row(&mut self, local: usize, row: Softened, bounds: Impulses) {
        if local == 0 {
            self.bounded.drain(..).for_each(|local| self.bounds[local] = Impulses::ANY);
        }
        if bounds.is_bounded() {
            self.bounded.push(local);
            self.bounds[local] = bounds;
        } else {
            self.modes[local] = Mode::Between;
        }
        self.softened[local] = row;
    }

    /// What is at a bound pushes no more.
    pub fn release_bounds(&mut self) {
        self.bounded.iter().for_each(|local| self.bounds[*local] = Impulses::only(0.0));
    }

    /// Takes over masses and momenta.
    pub fn load(&mut self, free: &Free) {
        self.pace = 1e-300;
        for (i, body) in self.bodies.iter().enumerate() {
            let body = *body as usize;
            let inertial = &free.inertial[body];
            // for the spin the size of I is enough: a third of its trace
            let size = inertial.moments.element_sum();
            let speed = free.linear[body].abs().max_element() / inertial.mass;
            let spin = 3.0 * free.angular[body].abs().max_element() / size;
            self.pace = self.pace.max(speed).max(spin);
            self.masses[i] = (free.inertial[body].mass, free.inertia[body]);
            free.linear[body].write_to_slice(&mut self.momentum[6 * i..]);
            free.angular[body].write_to_slice(&mut self.momentum[6 * i + 3..]);
        }
    }

    /// Counts in how the pulls of cables turn.
    pub(super) fn stiffen(&mut self) {
        self.taut.stiffen(&mut self.masses, &mut self.momentum);
    }

    /// Whether its cables have become so much tauter that it should be solved again.
    pub(super) fn learn(&mut self, rows: &Rows, beat: &Beat) -> bool {
        !self.taut.is_empty() && self.taut.learn(rows, &self.lambda, beat, &self.masses)
    }
    /// out ← Jᵀ Λ, six numbers a body.
    pub(super) fn pushes(&self, rows: &Rows, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.momentum.len(), 0.0);
        for (local, lambda) in self.lambda.iter().enumerate() {
            add_push(out, self.blocks(rows, local), self.places_of(local), *lambda);
        }
    }

    /// Keeps the multipliers to start from again,
    pub(super) fn keep_start(&mut self) {
        self.best.copy_from_slice(&self.lambda);
    }

    /// and goes back to them.
    pub(super) fn start_again(&mut self) {
        self.lambda.copy_from_slice(&self.best);
    }

    /// w = J u + ΣΛ − r of a local row at the present solution.
    pub fn violation(&self, rows: &Rows, local: usize) -> f64 {
        let s = &self.softened[local];
        self.rate_of(rows, local) + s.sigma * self.lambda[local] - s.rhs
    }

    /// Calls back with every local row and its w = J u + ΣΛ − r at the present solution.
    #[inline]
    pub fn each_residual(&self, rows: &Rows, mut see: impl FnMut(usize, &Softened, f64)) {
        // what sweeps has no nodes
        if self.duals.is_empty() {
            for (local, s) in self.softened.iter().enumerate() {
                see(local, s, self.violation(rows, local));
            }
        }
        for dual in &self.duals {
            let own = dual.first..dual.first + dual.count;
            let pairs = dual.ends.map(|ends| {
                let index = self.rows[dual.first];
                let blocks = blocks_from(&self.owned, self.first_contact, rows, index, dual.first);
                (ends.map(|end| end.of(&self.x)), &blocks[..dual.count])
            });
            let (softened, lambda) = (&self.softened[own.clone()], &self.lambda[own]);
            for (k, (s, lambda)) in softened.iter().zip(lambda).enumerate() {
                let rate = match pairs {
                    Some(([a, b], blocks)) => dot(&blocks[k][0], &a) + dot(&blocks[k][1], &b),
                    None => self.rate_of(rows, dual.first + k),
                };
                see(dual.first + k, s, rate + s.sigma * lambda - s.rhs);
            }
        }
    }

    /// The largest speed in the solution or before it.
    pub fn scale(&self) -> f64 {
        self.x[..self.momentum.len()].iter().fold(self.pace, |m, x| m.max(x.abs()))
    }

    /// What a body does in the solution.
    pub fn twist(&self, local: usize) -> Twist {
        twist_of(&self.x[6 * local..6 * local + 6])
    }

    /// With what a body moves in the step.
    pub fn carried(&self, local: usize) -> Twist {
        if !self.carries { self.twist(local) } else { twist_of(&self.carry[6 * local..6 * local + 6]) }
    }

    /// Rows that the last factorisation found to depend on others, as local rows.
    pub fn dropped(&self) -> impl Iterator<Item = usize> + '_ {
        self.factor.dropped().iter().filter_map(|d| {
            let dual = self.duals.iter().find(|dual| dual.node == d.node)?;
            (d.row < dual.count).then_some(dual.first + d.row)
        })
    }
}

/// Blocks of rows that have two each, from a local row on: a contact's may be the problem's own.
#[inline]
fn blocks_from<'a>(
    owned: &'a [Block],
    first_contact: usize,
    rows: &'a Rows,
    index: usize,
    local: usize,
) -> &'a [[Block; 2]] {
    let blocks = if local < first_contact || owned.is_empty() {
        &rows.blocks[rows.range(index).start..]
    } else {
        &owned[2 * (local - first_contact)..]
    };
    blocks.as_chunks().0
}

/// The blocks of a local row: a contact's may be the problem's own.
#[inline]
fn blocks_of<'a>(
    owned: &'a [Block],
    first_contact: usize,
    rows: &'a Rows,
    index: usize,
    local: usize,
) -> &'a [Block] {
    if local < first_contact || owned.is_empty() {
        rows.blocks(index)
    } else {
        &owned[2 * (local - first_contact)..2 * (local - first_contact) + 2]
    }
}

fn twist_of(x: &[f64]) -> Twist {
    Twist { velocity: DVec3::from_slice(x), spin: DVec3::from_slice(&x[3..]) }
}
