//! Public interface of the crate: memory from a pattern, factorisation L D Lᵀ, solution.

use crate::dispatch::Machine;
use crate::eliminate;
use crate::numeric::Numeric;
use crate::order;
use crate::pattern::{EdgeIx, Half, NodeIx, Pattern};
use crate::pivot::{Dropped, Outcome, Tolerance};
use crate::symbolic::Symbolic;

/// Storage of a coupling block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Orientation {
    /// The slice holds A_ij column-major: d_i rows.
    AsGiven,
    /// The slice holds A_ji = A_ijᵀ column-major: d_j rows.
    Transposed,
}

/// A block-sparse LDLᵀ: order, layout and values.
///
/// Each step: [`clear`](Factor::clear), write the blocks, [`factor`](Factor::factor),
/// [`solve`](Factor::solve). Only [`Factor::new`] allocates.
pub struct Factor {
    symbolic: Symbolic,
    numeric: Numeric,
    machine: Machine,
}

impl Default for Factor {
    /// An empty factor.
    fn default() -> Factor {
        Factor::new(&Pattern::default())
    }
}

impl Factor {
    /// Orders the nodes, lays out L and allocates all memory.
    ///
    /// # Panics
    /// If the pattern couples a pair of nodes twice.
    pub fn new(pattern: &Pattern) -> Factor {
        let symbolic = Symbolic::new(pattern, order::eliminate(pattern));
        let dual_rows = pattern.nodes().iter().filter(|node| node.0 == Half::Dual).map(|node| node.1).sum();
        let numeric = Numeric {
            values: vec![0.0; symbolic.len],
            inverse: vec![0.0; symbolic.dimension],
            taken: vec![0.0; symbolic.dimension],
            softness: vec![0.0; symbolic.dimension],
            combination: vec![0.0; symbolic.dimension],
            dropped: Vec::with_capacity(dual_rows),
            outcome: Outcome::default(),
            tolerance: Tolerance::default(),
        };
        Factor { symbolic, numeric, machine: Machine::detect() }
    }

    /// Number of unknowns: the sum of all widths.
    pub fn dimension(&self) -> usize {
        self.symbolic.dimension
    }

    /// Index of the node's first entry in a vector: the sum of the widths of all nodes before it.
    pub fn offset(&self, node: NodeIx) -> usize {
        self.symbolic.entries[node.0 as usize] as usize
    }

    /// Number of blocks below the diagonal of L that are not edges of A.
    pub fn fill(&self) -> usize {
        self.symbolic.fill.len()
    }

    /// The nodes in order of elimination.
    pub fn order(&self) -> impl Iterator<Item = NodeIx> + '_ {
        self.symbolic.columns.iter().map(|column| column.node)
    }

    /// Sets the threshold for dependent dual rows, from the next [`factor`](Factor::factor) on.
    pub fn set_tolerance(&mut self, tolerance: Tolerance) {
        self.numeric.tolerance = tolerance;
    }

    /// Declares that dual nodes have diagonals which alone keep them definite: none of their rows counts as dependent,
    /// and none is checked twice.
    pub fn trust(&mut self, is_sure: impl Fn(NodeIx) -> bool) {
        self.symbolic.columns.iter_mut().for_each(|column| column.sure = is_sure(column.node));
    }

    /// Whether a dual node closes a loop: rows of other nodes take mobility from its own, which may leave none.
    pub fn closes_loop(&self, node: NodeIx) -> bool {
        self.symbolic.loops[node.0 as usize]
    }

    /// Sets the diagonal Σ ≥ 0 of a row of a dual node that closes a loop, in addition to writing it. Such a row keeps
    /// at least this mobility, so it is not dropped where Σ exceeds round-off. Without it rows count as rigid.
    pub fn soften(&mut self, node: NodeIx, row: usize, softness: f64) {
        self.numeric.softness[self.symbolic.entries[node.0 as usize] as usize + row] = softness;
    }

    /// Uses baseline instructions from now on, whatever the processor supports. Results are bitwise identical.
    pub fn force_baseline(&mut self) {
        self.machine = Machine::Baseline;
    }

    /// Zeroes all values, fill included.
    pub fn clear(&mut self) {
        self.numeric.values.fill(0.0);
    }

    /// Zeroes the fill only: enough for a caller that rewrites every diagonal block and every edge.
    pub fn clear_fill(&mut self) {
        for &(start, end) in &self.symbolic.fill {
            self.numeric.values[start as usize..end as usize].fill(0.0);
        }
    }

    /// The diagonal block of a node, d × d column-major; only its lower triangle is read.
    pub fn diagonal_mut(&mut self, node: NodeIx) -> &mut [f64] {
        let width = self.symbolic.widths[node.0 as usize] as usize;
        let start = self.symbolic.diagonals[node.0 as usize] as usize;
        &mut self.numeric.values[start..start + width * width]
    }

    /// The block of an edge, column-major, and its orientation.
    pub fn coupling_mut(&mut self, edge: EdgeIx) -> (&mut [f64], Orientation) {
        let place = self.symbolic.edges[edge.0 as usize];
        let orientation = if place.transposed { Orientation::Transposed } else { Orientation::AsGiven };
        let start = place.start as usize;
        (&mut self.numeric.values[start..start + place.len as usize], orientation)
    }

    /// Index of element (r, c) of an edge's block A_ij in [`values_mut`](Factor::values_mut). It is constant, so that a
    /// caller may write the block's values without further lookups.
    pub fn element(&self, edge: EdgeIx, r: usize, c: usize) -> usize {
        let place = self.symbolic.edges[edge.0 as usize];
        let (height, width) = (place.height as usize, (place.len / place.height) as usize);
        place.start as usize + if place.transposed { c + r * width } else { r + c * height }
    }

    /// All values of the matrix, to be written at the indices of [`element`](Factor::element).
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.numeric.values
    }

    /// A → L D Lᵀ in place. Never fails: dependent rows are dropped, see [`Tolerance`].
    pub fn factor(&mut self) -> Outcome {
        self.begin();
        for stretch in &self.symbolic.stretches {
            self.machine.factor(&self.symbolic, stretch, &mut self.numeric);
        }
        self.ended()
    }

    /// Factors, and solves A x = b in place in the same pass: bitwise identical to [`factor`](Factor::factor) and
    /// [`solve`](Factor::solve), with one pass over L less.
    ///
    /// # Panics
    /// If `x` does not have [`dimension`](Factor::dimension) entries.
    pub fn factor_and_solve(&mut self, x: &mut [f64]) -> Outcome {
        self.begin();
        (0..self.stretches()).for_each(|stretch| self.advance(stretch, x));
        self.finish(x)
    }

    /// Begins an interleaved [`factor_and_solve`](Factor::factor_and_solve), for a caller that writes the matrix
    /// between stretches, so that its values are still in cache when they are used: for each of the
    /// [`stretches`](Factor::stretches) in turn the blocks of the nodes it [`opens`](Factor::opens), then
    /// [`advance`](Factor::advance); at the end [`finish`](Factor::finish).
    pub fn begin(&mut self) {
        eliminate::begin(&self.symbolic, &mut self.numeric);
    }

    /// Number of stretches of the elimination.
    pub fn stretches(&self) -> usize {
        self.symbolic.stretches.len()
    }

    /// The nodes whose diagonal blocks must have been written before a stretch, with all edges to nodes opened before.
    pub fn opens(&self, stretch: usize) -> &[NodeIx] {
        let (start, end) = self.symbolic.stretches[stretch].opens;
        &self.symbolic.opened[start as usize..end as usize]
    }

    /// Eliminates the nodes of a stretch, also in `x`.
    ///
    /// # Panics
    /// If `x` does not have [`dimension`](Factor::dimension) entries, or there is no such stretch.
    pub fn advance(&mut self, stretch: usize, x: &mut [f64]) {
        assert_eq!(x.len(), self.symbolic.dimension, "length of the right-hand side");
        let stretch = &self.symbolic.stretches[stretch];
        self.machine.factor_and_carry(&self.symbolic, stretch, &mut self.numeric, x);
    }

    /// Completes the solution in `x`.
    ///
    /// # Panics
    /// If `x` does not have [`dimension`](Factor::dimension) entries.
    pub fn finish(&mut self, x: &mut [f64]) -> Outcome {
        assert_eq!(x.len(), self.symbolic.dimension, "length of the right-hand side");
        self.machine.back(&self.symbolic, &self.numeric, x);
        self.ended()
    }

    fn ended(&mut self) -> Outcome {
        self.numeric.outcome.dropped = self.numeric.dropped.len();
        self.numeric.outcome
    }

    /// The dual rows dropped by the last [`factor`](Factor::factor), in order of elimination.
    pub fn dropped(&self) -> &[Dropped] {
        &self.numeric.dropped
    }

    /// b → x with A x = b, in place. Multipliers of dropped rows are 0.
    ///
    /// # Panics
    /// If `x` does not have [`dimension`](Factor::dimension) entries.
    pub fn solve(&self, x: &mut [f64]) {
        assert_eq!(x.len(), self.symbolic.dimension, "length of the right-hand side");
        self.machine.solve(&self.symbolic, &self.numeric, x);
    }

    /// Solves for `count` right-hand sides stored consecutively in `x`.
    ///
    /// # Panics
    /// If `x` does not have `count` times [`dimension`](Factor::dimension) entries.
    pub fn solve_many(&self, x: &mut [f64], count: usize) {
        assert_eq!(x.len(), count * self.symbolic.dimension, "length of the right-hand sides");
        for x in x.chunks_exact_mut(self.symbolic.dimension.max(1)) {
            self.solve(x);
        }
    }
}

impl std::fmt::Debug for Factor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Factor").field("dimension", &self.dimension()).field("fill", &self.fill()).finish()
    }
}
