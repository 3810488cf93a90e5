//! Block pattern of A from the caller's nodes and edges.
//!
//! A node is a diagonal block A_ii (d_i × d_i), an edge a coupling A_ij (d_i × d_j). There are no values here;
//! two equal patterns give equal factors, so a caller keeps its [`crate::Factor`] while the pattern is unchanged.

/// Which half of the quasi-definite system a node belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// Positive definite: a block of H (a body).
    Primal,
    /// Negative semidefinite: a block of −Σ (a constraint).
    Dual,
}

/// Number of a node, in the order of [`Pattern::node`] calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NodeIx(pub u32);

/// Number of an edge, in the order of [`Pattern::edge`] calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EdgeIx(pub u32);

/// The block pattern of A.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Pattern {
    nodes: Vec<(Half, usize)>,
    edges: Vec<(NodeIx, NodeIx)>,
}

impl Pattern {
    /// Removes all nodes and edges; keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// Adds a node.
    ///
    /// # Panics
    /// If `width` is not 1, 3, 5 or 6.
    pub fn node(&mut self, part: Half, width: usize) -> NodeIx {
        assert!(matches!(width, 1 | 3 | 5 | 6), "node width {width} is not 1, 3, 5 or 6");
        self.nodes.push((part, width));
        NodeIx(self.nodes.len() as u32 - 1)
    }

    /// Adds the coupling block A_ij (d_i rows, d_j columns) and with it A_ji = A_ijᵀ.
    ///
    /// Each unordered pair may be given once; [`crate::Factor::new`] checks that.
    ///
    /// # Panics
    /// If i = j or a node does not exist.
    pub fn edge(&mut self, i: NodeIx, j: NodeIx) -> EdgeIx {
        assert!(i != j, "node {} coupled with itself", i.0);
        let known = self.nodes.len() as u32;
        assert!(i.0 < known && j.0 < known, "edge {}–{} among {known} nodes", i.0, j.0);
        self.edges.push((i, j));
        EdgeIx(self.edges.len() as u32 - 1)
    }

    /// Part and width of every node.
    pub fn nodes(&self) -> &[(Half, usize)] {
        &self.nodes
    }

    /// Ends (i, j) of every edge.
    pub fn edges(&self) -> &[(NodeIx, NodeIx)] {
        &self.edges
    }
}
