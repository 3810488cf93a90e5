//! Builds, factorises and solves the linear system of an island at its present active set.
//!
//!   [ M̃  −Jᵀ ] [ u ]   [ p ]
//!   [ J   Σ  ] [ Λ ] = [ r ]        rows at a bound eliminated, their bound on the right-hand side
//!
//! The factor holds the symmetric form with unknowns (u, −Λ).

use super::active_set::ActiveSet;
use super::body_blocks::{BodyBlocks, twist_of};
use super::cones::FrictionCones;
use super::layout::{KktLayout, Place};
use super::numbering::Numbering;
use super::reuse::refilled;
use crate::body::frame::JacobianBlock;
use crate::row::BoundMode;
use crate::row::rows::Rows;
use crate::solve::regularize::RegularizedRow;
use glam::DVec3;
use windlass_sparse::{Factor, NodeIx};

/// Terms of the system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    pub(super) rows: &'a Rows,
    pub(super) numbering: &'a Numbering,
    pub(super) bodies: &'a BodyBlocks,
    /// Σ and r, by local row.
    pub(super) regularized: &'a [RegularizedRow],
    pub(super) friction: &'a FrictionCones,
}

/// The linear system of an island.
#[derive(Debug, Default)]
pub struct KktSystem {
    pub(super) layout: KktLayout,
    factor: Factor,
    /// Solution: 6 per body, then the dual nodes.
    pub x: Vec<f64>,
    /// Workspace of `refine`.
    residual: Vec<f64>,
    /// Whether it has a factor.
    has_factor: bool,
}

impl KktSystem {
    /// Lays out a system, reusing the memory of another; with a factor at once, or on demand.
    pub(super) fn new(numbering: &Numbering, rows: &Rows, later: bool, old: KktSystem) -> KktSystem {
        let (layout, factor) = match later {
            true => (KktLayout::flat(numbering, rows, old.layout), Factor::default()),
            false => KktLayout::new(numbering, rows),
        };
        let size = factor.dimension().max(6 * numbering.bodies.len());
        KktSystem {
            layout,
            factor,
            x: refilled(old.x, size, 0.0),
            residual: refilled(old.residual, size, 0.0),
            has_factor: !later,
        }
    }

    /// Creates the factor if there is none yet.
    fn lay_out(&mut self, numbering: &Numbering, rows: &Rows) {
        if self.has_factor {
            return;
        }
        (self.layout, self.factor) = KktLayout::new(numbering, rows);
        let size = self.factor.dimension().max(self.x.len());
        self.x.resize(size, 0.0);
        self.residual.resize(size, 0.0);
        self.has_factor = true;
    }

    /// Builds and factorises the system for the present modes.
    pub(super) fn factorise(&mut self, terms: &Terms<'_>, active: &ActiveSet) {
        self.lay_out(terms.numbering, terms.rows);
        self.factor.clear_fill();
        for node in 0..terms.numbering.bodies.len() + self.layout.duals.len() {
            self.write_node(NodeIx(node as u32), terms, active);
        }
        self.factor.factor();
    }

    /// Builds, factorises and solves for (u, Λ) at the present modes. Nodes are written when the elimination reaches
    /// them, so that the data of a long chain pass through the cache once.
    pub(super) fn solve(&mut self, terms: &Terms<'_>, active: &mut ActiveSet) {
        self.lay_out(terms.numbering, terms.rows);
        self.load_right_side(terms, active);
        self.factor.clear_fill();
        self.factor.begin();
        for stretch in 0..self.factor.stretches() {
            for k in 0..self.factor.opens(stretch).len() {
                self.write_node(self.factor.opens(stretch)[k], terms, active);
            }
            self.factor.advance(stretch, &mut self.x);
        }
        self.factor.finish(&mut self.x);
        self.unload(active);
    }

    /// Writes a body's or a joint's blocks of the system for the present modes.
    fn write_node(&mut self, node: NodeIx, terms: &Terms<'_>, active: &ActiveSet) {
        match (node.0 as usize).checked_sub(terms.numbering.bodies.len()) {
            None => terms.bodies.write(node.0 as usize, square(self.factor.diagonal_mut(node))),
            Some(dual) => self.write_dual(dual, terms, active),
        }
    }

    /// Rows at a bound are eliminated.
    fn write_dual(&mut self, number: usize, terms: &Terms<'_>, active: &ActiveSet) {
        let Terms { rows, numbering, friction, .. } = *terms;
        let dual = self.layout.duals[number];
        let own = dual.first..dual.first + dual.count;
        let (modes, regularized) = (&active.modes[own.clone()], &terms.regularized[own.clone()]);
        let all = dual.count == dual.width && modes.iter().all(|mode| mode.holds());
        let d = self.factor.diagonal_mut(dual.node);
        match dual.width {
            1 => write_diagonal::<1>(d, modes, regularized),
            3 => write_diagonal::<3>(d, modes, regularized),
            5 => write_diagonal::<5>(d, modes, regularized),
            _ => write_diagonal::<6>(d, modes, regularized),
        }
        if dual.loops {
            for (row, (mode, s)) in modes.iter().zip(regularized).enumerate() {
                let softness = if mode.holds() { s.sigma } else { 0.0 };
                self.factor.soften(dual.node, row, softness);
            }
        }
        // all entries of its edges at once
        if let Some(ends) = dual.ends.filter(|_| all) {
            let blocks = friction.blocks_from(numbering, rows, dual.first);
            let values = self.factor.values_mut();
            return match dual.width {
                1 => write_edges::<1>(values, ends, blocks),
                3 => write_edges::<3>(values, ends, blocks),
                5 => write_edges::<5>(values, ends, blocks),
                _ => write_edges::<6>(values, ends, blocks),
            };
        }
        let start = number.checked_sub(1).map_or(0, |before| self.layout.duals[before].edges);
        for edge in &self.layout.edges[start..dual.edges] {
            self.factor.coupling_mut(*edge).0.fill(0.0);
        }
        let values = self.factor.values_mut();
        for local in own.filter(|local| active.modes[*local].holds()) {
            let blocks = friction.blocks(numbering, rows, local);
            for (block, place) in blocks.iter().zip(self.layout.places_from(local)) {
                if let Place::Unknown { first, stride, .. } = place {
                    let slice = &mut values[*first as usize..];
                    for (k, value) in block.numbers().into_iter().enumerate() {
                        slice[k * *stride as usize] += value;
                    }
                }
            }
        }
    }

    /// Solves for (u, Λ) with the present factor: p and r in, x and multipliers out.
    pub(super) fn back_solve(&mut self, terms: &Terms<'_>, active: &mut ActiveSet) {
        self.load_right_side(terms, active);
        self.factor.solve(&mut self.x);
        self.unload(active);
    }

    /// The velocities due to impulses on the bodies, with the present factor: (p, 0) in, (u, −Λ) out.
    pub fn respond(&self, x: &mut [f64]) {
        self.factor.solve(x);
    }

    /// x ← (p, r), with the bounds of rows at a bound as loads.
    fn load_right_side(&mut self, terms: &Terms<'_>, active: &mut ActiveSet) {
        let Terms { rows, numbering, friction, .. } = *terms;
        let (bodies, rest) = self.x.split_at_mut(terms.bodies.momentum.len());
        bodies.copy_from_slice(&terms.bodies.momentum);
        rest.fill(0.0);
        for local in active.bounded.iter().copied() {
            let bound = match active.modes[local] {
                BoundMode::Between | BoundMode::Stop => continue,
                BoundMode::Low => active.bounds[local].lo,
                BoundMode::High => active.bounds[local].hi,
            };
            active.multipliers[local] = bound;
            if bound != 0.0 {
                let blocks = friction.blocks(numbering, rows, local);
                add_push(&mut self.x, blocks, self.layout.places_from(local), bound);
            }
        }
        for (local, entry) in self.layout.entries.iter().enumerate() {
            if active.modes[local].holds() {
                self.x[*entry] = active.right_side(local, &terms.regularized[local]);
            }
        }
    }

    /// Multipliers ← their entries in x.
    fn unload(&mut self, active: &mut ActiveSet) {
        for (local, entry) in self.layout.entries.iter().enumerate() {
            if active.modes[local].holds() {
                active.multipliers[local] = -self.x[*entry];
            }
        }
    }

    /// J u of a local row at velocities.
    #[inline]
    pub(super) fn rate_at(&self, terms: &Terms<'_>, local: usize, velocities: &[f64]) -> f64 {
        let blocks = terms.friction.blocks(terms.numbering, terms.rows, local);
        rate(velocities, blocks, self.layout.places_from(local))
    }

    /// out ← Jᵀ Λ, six numbers per body.
    pub(super) fn pushes(&self, terms: &Terms<'_>, multipliers: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(terms.bodies.momentum.len(), 0.0);
        for (local, lambda) in multipliers.iter().enumerate() {
            let blocks = terms.friction.blocks(terms.numbering, terms.rows, local);
            add_push(out, blocks, self.layout.places(local), *lambda);
        }
    }

    /// Calls `each` with every local row and its w = J u + ΣΛ − r at the present solution, r that of its mode.
    #[inline]
    pub(super) fn each_residual(
        &self,
        terms: &Terms<'_>,
        active: &ActiveSet,
        mut see: impl FnMut(usize, &RegularizedRow, f64),
    ) {
        let Terms { rows, numbering, friction, regularized, .. } = *terms;
        // without a factor there are no nodes
        if self.layout.duals.is_empty() {
            for (local, s) in regularized.iter().enumerate() {
                let pushed = self.rate_at(terms, local, &self.x) + s.sigma * active.multipliers[local];
                see(local, s, pushed - active.right_side(local, s));
            }
        }
        for dual in &self.layout.duals {
            let own = dual.first..dual.first + dual.count;
            let pairs = dual.ends.map(|ends| {
                let blocks = friction.blocks_from(numbering, rows, dual.first);
                (ends.map(|end| end.of(&self.x)), &blocks[..dual.count])
            });
            let (regularized, lambda) = (&regularized[own.clone()], &active.multipliers[own]);
            for (k, (s, lambda)) in regularized.iter().zip(lambda).enumerate() {
                let rate = match pairs {
                    Some(([a, b], blocks)) => dot(&blocks[k][0], &a) + dot(&blocks[k][1], &b),
                    None => self.rate_at(terms, dual.first + k, &self.x),
                };
                let local = dual.first + k;
                see(local, s, rate + s.sigma * lambda - active.right_side(local, s));
            }
        }
    }

    /// Local rows that the last factorisation found to be redundant.
    pub fn dropped(&self) -> impl Iterator<Item = usize> + '_ {
        self.factor.dropped().iter().filter_map(|d| {
            let dual = self.layout.duals.iter().find(|dual| dual.node == d.node)?;
            (d.row < dual.count).then_some(dual.first + d.row)
        })
    }

    /// The response of the multipliers to a load, by local row; rows at a bound have none. The load is in the unknowns of
    /// the factor, (u, −Λ).
    pub(super) fn responses(&self, mut load: Vec<f64>, active: &ActiveSet, out: &mut Vec<f64>) {
        load.resize(self.x.len(), 0.0);
        self.factor.solve(&mut load);
        let entries = self.layout.entries.iter().zip(&active.modes);
        out.clear();
        out.extend(entries.map(|(entry, mode)| if mode.holds() { -load[*entry] } else { 0.0 }));
    }

    /// The load along a local row.
    pub(super) fn load_along(&self, terms: &Terms<'_>, local: usize) -> Vec<f64> {
        let mut load = vec![0.0; self.x.len()];
        let blocks = terms.friction.blocks(terms.numbering, terms.rows, local);
        add_push(&mut load, blocks, self.layout.places_from(local), 1.0);
        load
    }

    /// The load on the equation of a local row by a right-hand side.
    pub(super) fn load_on(&self, local: usize, right_side: f64) -> Vec<f64> {
        let mut load = vec![0.0; self.x.len()];
        load[self.layout.entries[local]] = right_side;
        load
    }

    /// One step of iterative refinement: solves for the residual of the whole system and adds.
    pub(super) fn refine(&mut self, terms: &Terms<'_>, active: &mut ActiveSet) {
        let Terms { rows, numbering, bodies, regularized, friction } = *terms;
        let momentum = &bodies.momentum;
        let residual = &mut self.residual;
        residual[momentum.len()..].fill(0.0);
        // bodies: p − M u + JᵀΛ
        for i in 0..numbering.bodies.len() {
            let (linear, angular) = bodies.apply(i, twist_of(&self.x[6 * i..6 * i + 6]));
            let r = &mut residual[6 * i..6 * i + 6];
            (DVec3::from_slice(&momentum[6 * i..]) - linear).write_to_slice(r);
            (DVec3::from_slice(&momentum[6 * i + 3..]) - angular).write_to_slice(&mut r[3..]);
        }
        for local in 0..numbering.rows.len() {
            let (blocks, places) = (friction.blocks(numbering, rows, local), self.layout.places_from(local));
            add_push(residual, blocks, places, active.multipliers[local]);
            if active.modes[local].holds() {
                let s = &regularized[local];
                residual[self.layout.entries[local]] = active.right_side(local, s)
                    - rate(&self.x, blocks, places)
                    - s.sigma * active.multipliers[local];
            }
        }
        self.factor.solve(residual);
        for (x, d) in self.x.iter_mut().zip(&*residual) {
            *x += d;
        }
        for (local, entry) in self.layout.entries.iter().enumerate() {
            if active.modes[local].holds() {
                active.multipliers[local] -= residual[*entry];
            }
        }
    }
}

/// The diagonal block of a node as its columns.
#[inline]
fn square<const W: usize>(d: &mut [f64]) -> &mut [[f64; W]; W] {
    d.as_chunks_mut().0.first_chunk_mut().expect("a block has the width of its node")
}

/// −Σ of the rows of a node; −1 for rows at a bound and for entries without a row.
#[inline]
fn write_diagonal<const W: usize>(d: &mut [f64], modes: &[BoundMode], regularized: &[RegularizedRow]) {
    let d = square::<W>(d);
    for (row, column) in d.iter_mut().enumerate() {
        let on = modes.get(row).is_some_and(|mode| mode.holds());
        *column = [0.0; W];
        column[row] = if on { -regularized[row].sigma } else { -1.0 };
    }
}

/// Writes the edges of a node to its two bodies, if all its rows are present.
#[inline]
fn write_edges<const W: usize>(values: &mut [f64], ends: [Place; 2], blocks: &[[JacobianBlock; 2]]) {
    let blocks: &[[JacobianBlock; 2]; W] = blocks.first_chunk().expect("two blocks a row");
    for (side, end) in ends.into_iter().enumerate() {
        let Place::Unknown { first, stride, .. } = end else { continue };
        let values = &mut values[first as usize..first as usize + 6 * W];
        if stride == 1 {
            // row after row
            for (six, row) in values.as_chunks_mut().0.iter_mut().zip(blocks) {
                *six = row[side].numbers();
            }
        } else {
            let columns: &mut [[f64; W]; 6] =
                values.as_chunks_mut().0.first_chunk_mut().expect("six columns");
            for (r, row) in blocks.iter().enumerate() {
                let numbers = row[side].numbers();
                (0..6).for_each(|c| columns[c][r] = numbers[c]);
            }
        }
    }
}

/// x += Jᵀ Λ of one row.
#[inline]
fn add_push(x: &mut [f64], blocks: &[JacobianBlock], places: &[Place], lambda: f64) {
    for (block, place) in blocks.iter().zip(places) {
        if let Place::Unknown { body, .. } = place {
            let x = &mut x[*body as usize..*body as usize + 6];
            for k in 0..3 {
                x[k] += block.linear[k] * lambda;
                x[k + 3] += block.angular[k] * lambda;
            }
        }
    }
}

/// J u of one row over the unknown bodies.
fn rate(x: &[f64], blocks: &[JacobianBlock], places: &[Place]) -> f64 {
    blocks.iter().zip(places).fold(0.0, |sum, (block, place)| sum + dot(block, &place.of(x)))
}

/// Product of a block with the six velocities of its body.
#[inline(always)]
fn dot(block: &JacobianBlock, x: &[f64; 6]) -> f64 {
    let JacobianBlock { linear: l, angular: a, .. } = block;
    (l.x * x[0] + l.y * x[1] + l.z * x[2]) + (a.x * x[3] + a.y * x[4] + a.z * x[5])
}
