//! Graph of A → order of elimination: minimum degree among the nodes whose pivot cannot be singular.
//!
//! Eliminating node k couples all its active neighbours (its *clique*), so the fewest neighbours first gives
//! little fill. But A is indefinite, and with Σ = 0 the diagonal of a dual node starts at zero: not every order
//! exists. A node is *eligible* when its pivot is regular for all values of the blocks, H ≻ 0, Σ ⪰ 0 and J_jb of
//! full row rank being the only assumptions.
//!
//! **Primal** nodes are always eligible: eliminated duals only add J ᵀ S⁻¹ J ⪰ 0 to H.
//!
//! A **dual** j has the pivot −(Σ_j + mobility of its rows), the mobility being that of the eliminated bodies
//! while all active bodies are clamped and all eliminated constraints hold. It is eligible if
//!
//! (a) no active primal is its neighbour, fill counted. Then every eliminated constraint connected with j
//!     has all its bodies eliminated too, nothing is clamped, and a zero pivot means that the row is a combination
//!     of earlier rows: true redundancy. (That j's *own* bodies are gone is not enough. Take c–k–b–j–b′–k′–c′,
//!     three joints: after b, b′, k, k′ the pivot of j is the mobility with c and c′ clamped, zero for welds
//!     and for straight ball-jointed links, although the chain is free. The fill j–c, j–c′ shows this.)
//!
//! (b) it is *supported* by an eliminated primal b with d_b ≥ d_j: when b was eliminated, the block A_jb was still the
//!     original J_jb (no node eliminated before was a neighbour of both), and no dual of b's clique was eliminated
//!     since. Order the eliminated rows and columns so that b comes last: j is the only row among them that meets
//!     column b with a block of its own, so rows stay independent, and the pivot is ⪰ J_jb M̂_b⁻¹ J_jbᵀ ≻ 0 on
//!     b's articulated mass M̂_b. Once a dual of the clique is eliminated, b has spent its mobility and supports none.
//!
//! On a tree no block is ever mixed and a leaf body supports its one joint: leaf, joint, next body, … towards the
//! anchor without fill, which is the articulated-body recursion. Some node is always eligible: a primal, or when
//! none is left any dual by (a).
//!
//! Degree counts blocks, not widths: with widths a body between two 1-wide rows would go before a leaf with a 6-wide
//! joint, and a tree would fill. Ties: dual before primal (the smaller active graph), then lower index, so that of
//! mutually dependent rows the first are kept. A tree has no dependent rows; there the higher index goes first: a tree
//! built from its anchor outwards is eliminated backwards, and memory is read in one direction.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::pattern::{Half, Pattern};

/// The order, and for each eliminated node its clique: the rows of its column of L.
pub(crate) struct Elimination {
    pub order: Vec<u32>,
    pub cliques: Vec<Vec<u32>>,
}

/// An active neighbour. `mixed`: the block has received fill, it is no longer the block of A alone.
#[derive(Clone, Copy)]
struct Link {
    node: u32,
    mixed: bool,
}

/// The active graph and the status of each node in it.
struct Graph<'a> {
    nodes: &'a [(Half, usize)],
    /// Active neighbours, sorted by node.
    links: Vec<Vec<Link>>,
    eliminated: Vec<bool>,
    /// Number of active primal neighbours, fill counted (used for duals only).
    clamps: Vec<u32>,
    /// Per dual: number of primals that support it.
    supports: Vec<u32>,
    /// Per eliminated primal: the duals it supports; empty once it has spent its mobility.
    supported: Vec<Vec<u32>>,
    /// Per dual: the eliminated primals whose clique it is in.
    cliques_of: Vec<Vec<u32>>,
    /// Whether the graph has no loops.
    forest: bool,
    /// Candidates by (degree, primal, rank among equals) and node; outdated entries are skipped when popped.
    queue: BinaryHeap<Reverse<(usize, bool, u32, u32)>>,
}

/// Orders the nodes of `pattern`.
pub(crate) fn eliminate(pattern: &Pattern) -> Elimination {
    let n = pattern.nodes().len();
    let mut graph = Graph::new(pattern);
    let mut result = Elimination { order: Vec::with_capacity(n), cliques: Vec::with_capacity(n) };
    while let Some(Reverse((degree, _, _, k))) = graph.queue.pop() {
        if !graph.eliminated[k as usize] && graph.eligible(k) && degree == graph.links[k as usize].len() {
            result.order.push(k);
            result.cliques.push(graph.eliminate(k));
        }
    }
    debug_assert_eq!(result.order.len(), n);
    result
}

/// Whether no edge closes a loop. A dual with a single primal connects it to the ground, which is not in the graph.
fn is_forest(pattern: &Pattern) -> bool {
    let ground = pattern.nodes().len() as u32;
    let mut edges_of = vec![0; pattern.nodes().len()];
    for (i, j) in pattern.edges() {
        edges_of[i.0 as usize] += 1;
        edges_of[j.0 as usize] += 1;
    }
    let holds = |k: &u32| pattern.nodes()[*k as usize].0 == Half::Dual && edges_of[*k as usize] == 1;
    let held = (0..ground).filter(holds).map(|k| (k, ground));

    let mut above: Vec<u32> = (0..=ground).collect();
    let root = |above: &mut [u32], mut k: u32| {
        while above[k as usize] != k {
            // path halving
            above[k as usize] = above[above[k as usize] as usize];
            k = above[k as usize];
        }
        k
    };
    pattern.edges().iter().map(|(i, j)| (i.0, j.0)).chain(held).all(|(i, j)| {
        let (i, j) = (root(&mut above, i), root(&mut above, j));
        above[i as usize] = j;
        i != j
    })
}

impl<'a> Graph<'a> {
    fn new(pattern: &'a Pattern) -> Self {
        let nodes = pattern.nodes();
        let n = nodes.len();
        let mut graph = Graph {
            nodes,
            links: vec![Vec::new(); n],
            eliminated: vec![false; n],
            clamps: vec![0; n],
            supports: vec![0; n],
            supported: vec![Vec::new(); n],
            cliques_of: vec![Vec::new(); n],
            forest: is_forest(pattern),
            queue: BinaryHeap::with_capacity(2 * n),
        };
        for &(i, j) in pattern.edges() {
            for (from, to) in [(i.0, j.0), (j.0, i.0)] {
                graph.links[from as usize].push(Link { node: to, mixed: false });
                graph.clamps[from as usize] += u32::from(graph.primal(to));
            }
        }
        for (k, links) in graph.links.iter_mut().enumerate() {
            links.sort_unstable_by_key(|link| link.node);
            let twice = links.windows(2).find(|pair| pair[0].node == pair[1].node);
            assert!(twice.is_none(), "nodes {k} and {} coupled twice", twice.map_or(0, |pair| pair[0].node));
        }
        for k in 0..n as u32 {
            graph.enqueue(k);
        }
        graph
    }

    fn primal(&self, node: u32) -> bool {
        self.nodes[node as usize].0 == Half::Primal
    }

    fn eligible(&self, node: u32) -> bool {
        self.primal(node) || self.clamps[node as usize] == 0 || self.supports[node as usize] > 0
    }

    fn enqueue(&mut self, node: u32) {
        if self.eligible(node) {
            let place = if self.forest { u32::MAX - node } else { node };
            self.queue.push(Reverse((self.links[node as usize].len(), self.primal(node), place, node)));
        }
    }

    /// Removes k from the graph, couples its neighbours with each other, and returns them.
    fn eliminate(&mut self, k: u32) -> Vec<u32> {
        let links = std::mem::take(&mut self.links[k as usize]);
        let clique: Vec<u32> = links.iter().map(|link| link.node).collect();
        self.eliminated[k as usize] = true;

        if self.primal(k) {
            // k no longer clamps its neighbours, and supports the duals it meets with their own block.
            for link in &links {
                let j = link.node as usize;
                self.clamps[j] -= 1;
                if !self.primal(link.node) {
                    self.cliques_of[j].push(k);
                    if !link.mixed && self.nodes[k as usize].1 >= self.nodes[j].1 {
                        self.supports[j] += 1;
                        self.supported[k as usize].push(link.node);
                    }
                }
            }
        } else {
            // The primals of all cliques around k have spent their mobility on it.
            for b in std::mem::take(&mut self.cliques_of[k as usize]) {
                for j in std::mem::take(&mut self.supported[b as usize]) {
                    self.supports[j as usize] -= 1;
                }
            }
        }

        // All nodes whose eligibility changed above are neighbours of k: they are requeued here.
        for &i in &clique {
            self.unlink(i, k);
            for &j in clique.iter().filter(|&&j| j != i) {
                self.mix(i, j);
            }
            self.enqueue(i);
        }
        clique
    }

    fn unlink(&mut self, i: u32, k: u32) {
        let links = &mut self.links[i as usize];
        if let Ok(at) = links.binary_search_by_key(&k, |link| link.node) {
            links.remove(at);
        }
    }

    /// Marks the block (i, j) as filled, creating it if need be.
    fn mix(&mut self, i: u32, j: u32) {
        let links = &mut self.links[i as usize];
        match links.binary_search_by_key(&j, |link| link.node) {
            Ok(at) => links[at].mixed = true,
            Err(at) => {
                links.insert(at, Link { node: j, mixed: true });
                self.clamps[i as usize] += u32::from(self.primal(j));
            }
        }
    }
}
