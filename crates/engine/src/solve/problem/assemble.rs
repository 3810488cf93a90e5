//! Builds, factors and solves the system of an island.

use super::layout::{Layout, Place};
use super::{Problem, blocks_from, blocks_of};
use crate::constrain::rows::Rows;
use crate::solve::regularize::Softened;
use crate::world::frame::Block;
use crate::world::state::Mode;
use crate::world::twist::Twist;
use glam::DVec3;
use windlass_sparse::NodeIx;

impl Problem {
    /// Makes the factor if there is none yet.
    fn lay_out(&mut self, rows: &Rows) {
        if self.laid {
            return;
        }
        let Layout { factor, duals, edges, places, starts, entry } =
            Layout::new((&self.bodies, &self.groups), rows, self.first_contact);
        let size = factor.dimension().max(self.x.len());
        self.x.resize(size, 0.0);
        self.residue.resize(size, 0.0);
        (self.factor, self.duals, self.edges) = (factor, duals, edges);
        (self.places, self.starts, self.entry) = (places, starts, entry);
        self.laid = true;
    }
    /// Builds and factors the system for the present modes.
    pub fn factorise(&mut self, rows: &Rows) {
        self.lay_out(rows);
        self.factor.clear_fill();
        for node in 0..self.bodies.len() + self.duals.len() {
            self.write_node(NodeIx(node as u32), rows);
        }
        self.factor.factor();
    }

    /// Builds, factors and solves for (u, Λ) at the present modes. Nodes are written where elimination comes to them, so that
    /// the numbers of a long chain pass through the cache once.
    pub fn solve(&mut self, rows: &Rows) {
        self.lay_out(rows);
        self.load_right_side(rows);
        self.factor.clear_fill();
        self.factor.begin();
        for stretch in 0..self.factor.stretches() {
            for k in 0..self.factor.opens(stretch).len() {
                self.write_node(self.factor.opens(stretch)[k], rows);
            }
            self.factor.advance(stretch, &mut self.x);
        }
        self.factor.finish(&mut self.x);
        self.unload();
    }

    /// Writes a body's or a joint's blocks of the system for the present modes.
    fn write_node(&mut self, node: NodeIx, rows: &Rows) {
        match (node.0 as usize).checked_sub(self.bodies.len()) {
            None => self.write_body(node),
            Some(dual) => self.write_dual(dual, rows),
        }
    }

    fn write_body(&mut self, node: NodeIx) {
        let (mass, inertia) = &self.masses[node.0 as usize];
        let d: &mut [[f64; 6]; 6] = square(self.factor.diagonal_mut(node));
        for k in 0..3 {
            let [x, y, z] = inertia.col(k).to_array();
            d[k] = [0.0; 6];
            d[k][k] = *mass;
            d[k + 3] = [0.0, 0.0, 0.0, x, y, z];
        }
    }

    /// Rows at a bound are taken out.
    fn write_dual(&mut self, number: usize, rows: &Rows) {
        let dual = self.duals[number];
        let own = dual.first..dual.first + dual.count;
        let (modes, softened) = (&self.modes[own.clone()], &self.softened[own.clone()]);
        let all = dual.count == dual.width && modes.iter().all(|mode| *mode == Mode::Between);
        let d = self.factor.diagonal_mut(dual.node);
        match dual.width {
            1 => write_diagonal::<1>(d, modes, softened),
            3 => write_diagonal::<3>(d, modes, softened),
            5 => write_diagonal::<5>(d, modes, softened),
            _ => write_diagonal::<6>(d, modes, softened),
        }
        if dual.loops {
            for (row, (mode, s)) in modes.iter().zip(softened).enumerate() {
                let softness = if *mode == Mode::Between { s.sigma } else { 0.0 };
                self.factor.soften(dual.node, row, softness);
            }
        }
        // all numbers of its edges at once
        if let Some(ends) = dual.ends.filter(|_| all) {
            let first = self.rows[dual.first];
            let blocks = blocks_from(&self.owned, self.first_contact, rows, first, dual.first);
            let values = self.factor.values_mut();
            return match dual.width {
                1 => write_edges::<1>(values, ends, blocks),
                3 => write_edges::<3>(values, ends, blocks),
                5 => write_edges::<5>(values, ends, blocks),
                _ => write_edges::<6>(values, ends, blocks),
            };
        }
        let start = number.checked_sub(1).map_or(0, |before| self.duals[before].edges);
        for edge in &self.edges[start..dual.edges] {
            self.factor.coupling_mut(*edge).0.fill(0.0);
        }
        let values = self.factor.values_mut();
        for local in own.filter(|local| self.modes[*local] == Mode::Between) {
            let blocks = blocks_of(&self.owned, self.first_contact, rows, self.rows[local], local);
            for (block, place) in blocks.iter().zip(&self.places[self.starts[local]..]) {
                if let Place::Unknown { first, stride, .. } = place {
                    let slice = &mut values[*first as usize..];
                    for (k, value) in block.numbers().into_iter().enumerate() {
                        slice[k * *stride as usize] += value;
                    }
                }
            }
        }
    }

    /// Solves for (u, Λ) with the present factor: p and r in, x and lambda out.
    pub fn back_solve(&mut self, rows: &Rows) {
        self.load_right_side(rows);
        self.factor.solve(&mut self.x);
        self.unload();
    }

    /// x ← (p, r), rows at a bound pushing with it.
    fn load_right_side(&mut self, rows: &Rows) {
        let (bodies, rest) = self.x.split_at_mut(self.momentum.len());
        bodies.copy_from_slice(&self.momentum);
        rest.fill(0.0);
        for local in self.bounded.iter().copied() {
            let bound = match self.modes[local] {
                Mode::Between => continue,
                Mode::Low => self.bounds[local].lo,
                Mode::High => self.bounds[local].hi,
            };
            self.lambda[local] = bound;
            if bound != 0.0 {
                let blocks = blocks_of(&self.owned, self.first_contact, rows, self.rows[local], local);
                add_push(&mut self.x, blocks, &self.places[self.starts[local]..], bound);
            }
        }
        for (local, entry) in self.entry.iter().enumerate() {
            if self.modes[local] == Mode::Between {
                self.x[*entry] = self.softened[local].rhs;
            }
        }
    }

    /// lambda ← the multipliers in x.
    fn unload(&mut self) {
        for (local, entry) in self.entry.iter().enumerate() {
            if self.modes[local] == Mode::Between {
                self.lambda[local] = -self.x[*entry];
            }
        }
    }

    /// One step of iterative refinement: solves for the residual of the whole system and adds.
    pub fn refine(&mut self, rows: &Rows) {
        let mut residue = std::mem::take(&mut self.residue);
        residue[self.momentum.len()..].fill(0.0);
        // bodies: p − M u + JᵀΛ
        for (i, (mass, inertia)) in self.masses.iter().enumerate() {
            let Twist { velocity, spin } = self.twist(i);
            let r = &mut residue[6 * i..6 * i + 6];
            (DVec3::from_slice(&self.momentum[6 * i..]) - velocity * *mass).write_to_slice(r);
            (DVec3::from_slice(&self.momentum[6 * i + 3..]) - *inertia * spin).write_to_slice(&mut r[3..]);
        }
        for local in 0..self.rows.len() {
            let (blocks, places) = (self.blocks(rows, local), &self.places[self.starts[local]..]);
            add_push(&mut residue, blocks, places, self.lambda[local]);
            if self.modes[local] == Mode::Between {
                let s = &self.softened[local];
                residue[self.entry[local]] =
                    s.rhs - rate(&self.x, blocks, places) - s.sigma * self.lambda[local];
            }
        }
        self.factor.solve(&mut residue);
        for (x, d) in self.x.iter_mut().zip(&residue) {
            *x += d;
        }
        for (local, entry) in self.entry.iter().enumerate() {
            if self.modes[local] == Mode::Between {
                self.lambda[local] -= residue[*entry];
            }
        }
        self.residue = residue;
    }
}

/// The diagonal block of a node as its columns.
#[inline]
fn square<const W: usize>(d: &mut [f64]) -> &mut [[f64; W]; W] {
    d.as_chunks_mut().0.first_chunk_mut().expect("a block has the width of its node")
}

/// −Σ of the rows of a node; −1 for rows at a bound and for places without a row.
#[inline]
fn write_diagonal<const W: usize>(d: &mut [f64], modes: &[Mode], softened: &[Softened]) {
    let d = square::<W>(d);
    for (row, column) in d.iter_mut().enumerate() {
        let on = modes.get(row) == Some(&Mode::Between);
        *column = [0.0; W];
        column[row] = if on { -softened[row].sigma } else { -1.0 };
    }
}

/// Writes the edges of a node to its two bodies, all rows of it being there.
#[inline]
fn write_edges<const W: usize>(values: &mut [f64], ends: [Place; 2], blocks: &[[Block; 2]]) {
    let blocks: &[[Block; 2]; W] = blocks.first_chunk().expect("two blocks a row");
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
pub(super) fn add_push(x: &mut [f64], blocks: &[Block], places: &[Place], lambda: f64) {
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
pub(super) fn rate(x: &[f64], blocks: &[Block], places: &[Place]) -> f64 {
    blocks.iter().zip(places).fold(0.0, |sum, (block, place)| sum + dot(block, &place.of(x)))
}

/// What a block says of the six speeds of its body.
#[inline(always)]
pub(super) fn dot(block: &Block, x: &[f64; 6]) -> f64 {
    let Block { linear: l, angular: a, .. } = block;
    (l.x * x[0] + l.y * x[1] + l.z * x[2]) + (a.x * x[3] + a.y * x[4] + a.z * x[5])
}
