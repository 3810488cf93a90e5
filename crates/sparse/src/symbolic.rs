//! Symbolic factorisation: columns of L, the position of every block, and the list of updates, from the order of
//! elimination.
//!
//! Column k of L is stored as ⟨A_kk, A_ik, A_i′k, …⟩, its blocks column-major and its rows i < i′ < … in order of
//! elimination; columns follow each other in the same order. All updates A_pq −= L_pk D_k L_qkᵀ of column k thus
//! are stored behind it, and their targets are listed once, in the order in which the factorisation needs them.

use crate::order::Elimination;
use crate::pattern::{Half, NodeIx, Pattern};

/// One eliminated node: a block column of L.
pub(crate) struct Column {
    /// Its diagonal alone keeps it definite: its rows are never checked for dependence.
    pub sure: bool,
    pub width: u8,
    pub part: Half,
    pub node: NodeIx,
    /// Index of the node's entries in a vector.
    pub entry: u32,
    /// Values of the column: diagonal block, then the blocks below.
    pub values: (u32, u32),
    /// Its blocks below the diagonal, in [`Symbolic::rows`].
    pub rows: (u32, u32),
}

/// Columns that are eliminated one after another while they are in the first-level cache.
pub(crate) struct Stretch {
    pub columns: (u32, u32),
    /// Start of their updates in [`Symbolic::targets`].
    pub targets: u32,
    /// The nodes whose columns are accessed here for the first time, in [`Symbolic::opened`].
    pub opens: (u32, u32),
}

/// Columns in a stretch: 32 of 6 by 6 with a row below are 18 kB, and their source data as much again.
const STRETCH: usize = 32;

/// One block below the diagonal.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub width: u8,
    pub part: Half,
    /// Index of the row node's entries in a vector.
    pub entry: u32,
}

/// A coupling's index in the values, and whether it is stored as A_ji.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub start: u32,
    pub len: u32,
    /// d_i of the block A_ij as given.
    pub height: u32,
    pub transposed: bool,
}

/// Everything about L that does not depend on values.
pub(crate) struct Symbolic {
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// Per column, for its rows p and then q ≤ p: the index of block (p, q).
    pub targets: Vec<u32>,
    pub stretches: Vec<Stretch>,
    /// All nodes in the order in which elimination first accesses their columns.
    pub opened: Vec<NodeIx>,
    /// Per node: index of its diagonal block, and of its entries in a vector.
    pub diagonals: Vec<u32>,
    pub entries: Vec<u32>,
    pub widths: Vec<u8>,
    /// Per node: whether it is dual and dual columns before it take mobility from it.
    pub loops: Vec<bool>,
    pub edges: Vec<Place>,
    /// Start and end of the blocks below the diagonal that are not edges.
    pub fill: Vec<(u32, u32)>,
    pub dimension: usize,
    /// Number of values in L.
    pub len: usize,
}

impl Symbolic {
    pub fn new(pattern: &Pattern, elimination: Elimination) -> Symbolic {
        let Elimination { order, mut cliques } = elimination;
        let nodes = pattern.nodes();
        let mut position = vec![0u32; nodes.len()];
        for (at, &k) in order.iter().enumerate() {
            position[k as usize] = at as u32;
        }
        for clique in &mut cliques {
            clique.sort_unstable_by_key(|&i| position[i as usize]);
        }

        // Entries of a vector: the caller's order of nodes.
        let mut dimension = 0;
        let entries: Vec<u32> = nodes
            .iter()
            .map(|&(_, width)| {
                dimension += width;
                (dimension - width) as u32
            })
            .collect();

        let mut symbolic = Symbolic {
            columns: Vec::with_capacity(order.len()),
            rows: Vec::with_capacity(cliques.iter().map(Vec::len).sum()),
            targets: Vec::new(),
            stretches: Vec::new(),
            opened: Vec::new(),
            diagonals: vec![0; nodes.len()],
            entries,
            widths: nodes.iter().map(|&(_, width)| width as u8).collect(),
            loops: vec![false; nodes.len()],
            edges: Vec::with_capacity(pattern.edges().len()),
            fill: Vec::new(),
            dimension,
            len: 0,
        };
        let starts = symbolic.place_columns(nodes, &order, &cliques);
        let find = |i: u32, k: u32| -> u32 {
            let at = position[k as usize] as usize;
            let row = cliques[at].binary_search_by_key(&position[i as usize], |&j| position[j as usize]);
            starts[symbolic.columns[at].rows.0 as usize + row.expect("the clique couples all its nodes")]
        };

        let mut targets = Vec::new();
        for clique in &cliques {
            for (at, &p) in clique.iter().enumerate() {
                targets.extend(clique[..at].iter().map(|&q| find(p, q)));
                targets.push(symbolic.diagonals[p as usize]);
            }
        }
        let place = |&(i, j): &(NodeIx, NodeIx)| {
            let len = nodes[i.0 as usize].1 * nodes[j.0 as usize].1;
            let transposed = position[i.0 as usize] < position[j.0 as usize];
            let start = if transposed { find(j.0, i.0) } else { find(i.0, j.0) };
            Place { start, len: len as u32, height: nodes[i.0 as usize].1 as u32, transposed }
        };
        let edges: Vec<Place> = pattern.edges().iter().map(place).collect();
        let mut given: Vec<u32> = edges.iter().map(|e| e.start).collect();
        given.sort_unstable();
        for column in &symbolic.columns {
            for row in column.rows.0..column.rows.1 {
                let start = starts[row as usize];
                let len = u32::from(column.width) * u32::from(symbolic.rows[row as usize].width);
                if given.binary_search(&start).is_err() {
                    symbolic.fill.push((start, start + len));
                }
            }
        }
        let is_dual = |node: u32| nodes[node as usize].0 == Half::Dual;
        for (_, clique) in order.iter().zip(&cliques).filter(|(k, _)| is_dual(**k)) {
            clique.iter().filter(|i| is_dual(**i)).for_each(|i| symbolic.loops[*i as usize] = true);
        }
        symbolic.targets = targets;
        symbolic.edges = edges;
        symbolic.cut(&order, &cliques);
        symbolic
    }

    /// Divides the columns into stretches.
    fn cut(&mut self, order: &[u32], cliques: &[Vec<u32>]) {
        let mut known = vec![false; order.len()];
        let mut targets = 0;
        for (n, (order, cliques)) in order.chunks(STRETCH).zip(cliques.chunks(STRETCH)).enumerate() {
            let (start, before) = (n * STRETCH, self.opened.len());
            let first_target = targets;
            for (k, clique) in order.iter().zip(cliques) {
                targets += clique.len() * (clique.len() + 1) / 2;
                for node in std::iter::once(k).chain(clique) {
                    if !std::mem::replace(&mut known[*node as usize], true) {
                        self.opened.push(NodeIx(*node));
                    }
                }
            }
            self.stretches.push(Stretch {
                columns: (start as u32, (start + order.len()) as u32),
                targets: first_target as u32,
                opens: (before as u32, self.opened.len() as u32),
            });
        }
    }

    /// Lays out the columns consecutively; returns the index of every block below a diagonal.
    fn place_columns(&mut self, nodes: &[(Half, usize)], order: &[u32], cliques: &[Vec<u32>]) -> Vec<u32> {
        let mut starts = Vec::new();
        let mut len = 0;
        for (&k, clique) in order.iter().zip(cliques) {
            let (part, width) = nodes[k as usize];
            let (first_value, first_row) = (len, self.rows.len());
            self.diagonals[k as usize] = len as u32;
            len += width * width;
            for &i in clique {
                let (part, height) = nodes[i as usize];
                self.rows.push(Row { width: height as u8, part, entry: self.entries[i as usize] });
                starts.push(len as u32);
                len += height * width;
            }
            self.columns.push(Column {
                sure: false,
                width: width as u8,
                part,
                node: NodeIx(k),
                entry: self.entries[k as usize],
                values: (first_value as u32, len as u32),
                rows: (first_row as u32, self.rows.len() as u32),
            });
        }
        assert!(u32::try_from(len).is_ok(), "{len} values do not fit 32-bit places");
        self.len = len;
        starts
    }
}
