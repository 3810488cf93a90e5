//! One island as a mixed linear complementarity problem, in local numbering. Data and their algebra; no algorithms.
//!
//!   [ M̃  −Jᵀ ] [ u ]   [ p ]
//!   [ J   Σ  ] [ Λ ] = [ r ]        lo ≤ Λ ≤ hi, complementary to w = J u + ΣΛ − r

mod active_set;
mod assemble;
mod body_blocks;
mod cones;
mod indeterminate;
mod layout;
mod numbering;
mod reuse;

pub use active_set::ActiveSet;
pub use assemble::KktSystem;
pub(super) use body_blocks::twist_of;
pub use body_blocks::{BodyBlocks, RigidBlock};
pub use cones::{ConeState, FrictionCones, STILL};
pub use indeterminate::Indeterminate;
pub(super) use layout::Place;
pub use numbering::Numbering;

use super::regularize::{ImpulseBounds, RegularizedRow};
use crate::body::frame::JacobianBlock;
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::model::state::ContactMode;
use crate::partition::Island;
use crate::row::BoundMode;
use crate::row::rows::Rows;
use assemble::Terms;
use reuse::refilled;

/// The problem of one island.
#[derive(Debug, Default)]
pub struct Problem {
    /// Its bodies and rows.
    pub numbering: Numbering,
    /// The linear system and its solution.
    pub kkt: KktSystem,
    /// Masses and momenta.
    pub bodies: BodyBlocks,
    /// Discretised rows, by local row.
    pub rows: Vec<RegularizedRow>,
    /// Multipliers and their bounds.
    pub active: ActiveSet,
    /// Friction.
    pub friction: FrictionCones,
}

impl Problem {
    /// Lays out an island, reusing the memory of an old problem; with a factor at once, or on demand.
    pub(super) fn new(island: &Island, rows: &Rows, later: bool, old: Problem) -> Problem {
        let numbering = Numbering::new(island, rows, old.numbering);
        let (n, m) = (numbering.bodies.len(), numbering.rows.len());
        Problem {
            kkt: KktSystem::new(&numbering, rows, later, old.kkt),
            numbering,
            bodies: BodyBlocks::new(n, old.bodies),
            rows: refilled(old.rows, m, RegularizedRow::default()),
            active: ActiveSet::new(m, old.active),
            friction: FrictionCones::new(m, old.friction),
        }
    }

    /// Loads masses and momenta.
    pub fn load(&mut self, free: &FreeMotion) {
        self.bodies.load(&self.numbering.bodies, free);
    }

    /// Removes friction, and loads the blocks of contact rows if their axes may be rotated.
    pub fn load_contacts(&mut self, rows: &Rows, rotates: bool) {
        self.friction.clear(&self.numbering, rows, rotates);
    }

    /// Loads a discretised row. Rows come in order.
    #[inline]
    pub fn load_row(&mut self, local: usize, row: RegularizedRow, bounds: ImpulseBounds) {
        self.active.load_bounds(local, bounds);
        self.rows[local] = row;
    }

    /// Gives the row loaded last a stop beyond its upper bound, with the rate of the stop.
    pub fn load_stop(&mut self, local: usize, rate: f64) {
        self.active.stops.push((local, rate));
    }

    /// Builds and factorises the system for the present modes.
    pub fn factorise(&mut self, rows: &Rows) {
        let (kkt, terms, active) = self.parts(rows);
        kkt.factorise(&terms, active);
    }

    /// Builds, factorises and solves for (u, Λ) at the present modes.
    pub fn solve(&mut self, rows: &Rows) {
        let (kkt, terms, active) = self.parts(rows);
        kkt.solve(&terms, active);
    }

    /// Solves for (u, Λ) with the present factor.
    pub fn back_solve(&mut self, rows: &Rows) {
        let (kkt, terms, active) = self.parts(rows);
        kkt.back_solve(&terms, active);
    }

    /// One step of iterative refinement.
    pub fn refine(&mut self, rows: &Rows) {
        let (kkt, terms, active) = self.parts(rows);
        kkt.refine(&terms, active);
    }

    /// The system, its terms, and the multipliers that it reads and writes.
    fn parts<'a>(&'a mut self, rows: &'a Rows) -> (&'a mut KktSystem, Terms<'a>, &'a mut ActiveSet) {
        let Problem { numbering, kkt, bodies, rows: regularized, active, friction } = self;
        (kkt, Terms { rows, numbering, bodies, regularized, friction }, active)
    }

    fn terms<'a>(&'a self, rows: &'a Rows) -> Terms<'a> {
        let Problem { numbering, bodies, rows: regularized, friction, .. } = self;
        Terms { rows, numbering, bodies, regularized, friction }
    }

    /// The blocks of a local row.
    #[inline]
    pub fn blocks<'a>(&'a self, rows: &'a Rows, local: usize) -> &'a [JacobianBlock] {
        self.friction.blocks(&self.numbering, rows, local)
    }

    /// The blocks of rows that have two each, from a local row on.
    pub(super) fn blocks_from<'a>(&'a self, rows: &'a Rows, local: usize) -> &'a [[JacobianBlock; 2]] {
        self.friction.blocks_from(&self.numbering, rows, local)
    }

    /// Destinations of a local row's blocks.
    pub(super) fn places_of(&self, local: usize) -> &[Place] {
        self.kkt.layout.places(local)
    }

    /// J u of a local row at the present solution.
    #[inline]
    pub fn rate_of(&self, rows: &Rows, local: usize) -> f64 {
        self.kkt.rate_at(&self.terms(rows), local, &self.kkt.x)
    }

    /// The same at other velocities.
    pub fn rate_at(&self, rows: &Rows, local: usize, velocities: &[f64]) -> f64 {
        self.kkt.rate_at(&self.terms(rows), local, velocities)
    }

    /// J M⁻¹ Jᵀ of a local row whose bodies are all different.
    pub fn mobility(&self, rows: &Rows, local: usize) -> f64 {
        let parts = self.blocks(rows, local).iter().zip(self.places_of(local));
        parts.fold(0.0, |sum, (block, place)| {
            let Some(body) = place.body() else { return sum };
            self.bodies.mobility(body / 6, block, sum)
        })
    }

    /// w = J u + ΣΛ − r of a local row at the present solution, r that of its mode.
    pub fn violation(&self, rows: &Rows, local: usize) -> f64 {
        let s = &self.rows[local];
        let pushed = self.rate_of(rows, local) + s.sigma * self.active.multipliers[local];
        pushed - self.active.right_side(local, s)
    }

    /// Sets all cable links to taut; false if there are none.
    pub fn tighten_links(&mut self) -> bool {
        let ActiveSet { bounded, links, modes, .. } = &mut self.active;
        let links = bounded.iter().filter(|local| links[**local]);
        links.fold(false, |_, local| {
            modes[*local] = BoundMode::Between;
            true
        })
    }

    /// The mode of a row with Σ > 0 at a rate J u.
    pub fn mode_at(&self, local: usize, rate: f64) -> BoundMode {
        let (s, bounds) = (&self.rows[local], &self.active.bounds[local]);
        match (s.rhs - rate) / s.sigma {
            wanted if wanted < bounds.lo => BoundMode::Low,
            wanted if wanted <= bounds.hi => BoundMode::Between,
            _ if self.active.stop(local).is_some_and(|stop| rate < stop) => BoundMode::Stop,
            _ => BoundMode::High,
        }
    }

    /// Calls `see` with every local row and its w = J u + ΣΛ − r at the present solution.
    #[inline]
    pub fn each_residual(&self, rows: &Rows, see: impl FnMut(usize, &RegularizedRow, f64)) {
        self.kkt.each_residual(&self.terms(rows), &self.active, see);
    }

    /// J u − r of a row at the present solution.
    pub fn slip(&self, rows: &Rows, local: usize) -> f64 {
        self.rate_of(rows, local) - self.rows[local].rhs
    }

    /// out ← Jᵀ Λ, six numbers per body.
    pub fn pushes(&self, rows: &Rows, out: &mut Vec<f64>) {
        self.kkt.pushes(&self.terms(rows), &self.active.multipliers, out);
    }

    /// The largest speed in the solution or before it.
    pub fn scale(&self) -> f64 {
        let bodies = &self.kkt.x[..self.bodies.momentum.len()];
        bodies.iter().fold(self.bodies.speed_scale, |m, x| m.max(x.abs()))
    }

    /// Velocities of a body in the solution.
    pub fn twist(&self, local: usize) -> Twist {
        twist_of(&self.kkt.x[6 * local..6 * local + 6])
    }

    /// Sets the state of a cone. A sliding one slips in the direction opposite to the impulse of its rows.
    pub fn set_grip(&mut self, number: usize, grip: ContactMode) {
        let Problem { numbering, rows, active, friction, .. } = self;
        friction.set_grip(number, grip, (active, rows), numbering.first_contact);
    }

    /// Rotates the two axes of a cone so that the first points along (c, s) of the old ones.
    pub fn turn_axes(&mut self, number: usize, c: f64, s: f64) {
        let Problem { numbering, rows, active, friction, .. } = self;
        friction.turn_axes(number, (c, s), (active, rows), numbering.first_contact);
    }

    /// Sets the bound of a sliding cone.
    pub fn press(&mut self, number: usize, normal: f64) {
        self.friction.press(number, normal, &mut self.active);
    }

    /// Fixes friction at its present value, clamped to its bounds.
    pub fn freeze_friction(&mut self) {
        self.friction.freeze(&mut self.active);
    }

    /// Sets the compliance of the cones' rows to the minimum.
    pub fn stiffen_friction(&mut self) {
        self.friction.stiffen(&mut self.active, &mut self.rows);
    }

    /// Sets the states of the cones from their impulses after Gauss–Seidel.
    pub fn adopt_friction(&mut self) {
        for number in 0..self.friction.cones.len() {
            let cone = self.friction.cones[number];
            self.friction.cones[number].pressed = cone.pressing(&self.active.multipliers);
            self.set_grip(number, cone.grip);
        }
    }

    /// Stores a solution at which pivoting had converged.
    pub fn keep_answer(&mut self) {
        let Problem { kkt, active, friction, .. } = self;
        friction.kept.multipliers.clone_from(&active.multipliers);
        friction.kept.x.clone_from(&kkt.x);
        friction.kept.cones.clone_from(&friction.cones);
        friction.kept.modes.clone_from(&active.modes);
    }

    /// Returns to the stored solution, if any.
    pub fn take_answer(&mut self) -> bool {
        if self.friction.kept_velocities().is_none() {
            return false;
        }
        for number in 0..self.friction.cones.len() {
            let (cone, kept) = (&self.friction.cones[number], &self.friction.kept.cones[number]);
            let ((c, s), (to_c, to_s)) = (cone.turned, kept.turned);
            if cone.count == 2 {
                self.turn_axes(number, to_c * c + to_s * s, to_s * c - to_c * s);
            }
        }
        let Problem { kkt, active, friction, .. } = self;
        active.multipliers.copy_from_slice(&friction.kept.multipliers);
        kkt.x.copy_from_slice(&friction.kept.x);
        friction.cones.clone_from(&friction.kept.cones);
        active.modes.clone_from(&friction.kept.modes);
        true
    }
}
