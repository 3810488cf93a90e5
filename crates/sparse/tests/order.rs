//! Order and fill.

use crate::common;

use common::{Rng, chain, grid, ladder, ring, tree};
use windlass_sparse::{Factor, Half, NodeIx, Pattern};

#[test]
fn chain_goes_from_the_free_leaf_to_the_anchor_without_fill() {
    let factor = Factor::new(&chain(&mut Rng(1), 50).pattern);
    assert_eq!(factor.fill(), 0);
    // Nodes alternate body, joint towards the ground: 2k is a body, 2k + 1 its joint to the body before.
    let expected: Vec<NodeIx> = (0..50).rev().flat_map(|k| [NodeIx(2 * k), NodeIx(2 * k + 1)]).collect();
    assert_eq!(factor.order().collect::<Vec<_>>(), expected);
}

#[test]
fn tree_does_not_fill() {
    for seed in 0..20 {
        assert_eq!(Factor::new(&tree(&mut Rng(seed), 200).pattern).fill(), 0, "seed {seed}");
    }
}

/// A tree that was built outwards goes backwards, branch or not: memory is read in one direction.
#[test]
fn tree_goes_backwards() {
    for seed in 0..20 {
        let rng = &mut Rng(seed);
        let mut pattern = Pattern::default();
        for k in 0..100u32 {
            let (body, joint) = (pattern.node(Half::Primal, 6), pattern.node(Half::Dual, 3));
            pattern.edge(joint, body);
            if k > 0 {
                pattern.edge(joint, NodeIx(2 * rng.below(k as usize) as u32));
            }
        }
        let expected: Vec<NodeIx> = (0..100).rev().flat_map(|k| [NodeIx(2 * k), NodeIx(2 * k + 1)]).collect();
        assert_eq!(Factor::new(&pattern).order().collect::<Vec<_>>(), expected, "seed {seed}");
    }
}

/// Bars that are held at both ends close a loop through the ground, which is no node: what may be redundant is the joint that was
/// written last.
#[test]
fn the_last_joint_closes_the_loop() {
    for bars in [1, 3, 10] {
        let mut pattern = Pattern::default();
        let bodies: Vec<NodeIx> = (0..bars).map(|_| pattern.node(Half::Primal, 6)).collect();
        let joints: Vec<NodeIx> = (0..=bars).map(|_| pattern.node(Half::Dual, 5)).collect();
        for (k, body) in bodies.iter().enumerate() {
            pattern.edge(joints[k], *body);
            pattern.edge(joints[k + 1], *body);
        }
        let factor = Factor::new(&pattern);
        let order: Vec<NodeIx> = factor.order().collect();
        assert_eq!(order.last(), joints.last(), "{bars} bars");
        assert!(factor.closes_loop(joints[bars]) && !factor.closes_loop(joints[0]), "{bars} bars");
    }
}

#[test]
fn ring_fills_one_block_per_node() {
    for n in [3, 10, 100, 1000] {
        let fill = Factor::new(&ring(&mut Rng(2), n).pattern).fill();
        assert!(fill <= 2 * n, "ring of {n}: {fill}");
    }
}

#[test]
fn ladder_fills_linearly() {
    let fill = |n| Factor::new(&ladder(&mut Rng(3), n).pattern).fill();
    let per_rung = fill(400) as f64 / 400.0;
    assert!(per_rung < 40.0, "{per_rung} blocks per rung");
    assert!((fill(800) as f64 / 800.0 / per_rung - 1.0).abs() < 0.05);
}

/// An ordering of quadratic cost would not come to an end here.
#[test]
fn a_long_chain_is_ordered() {
    assert_eq!(Factor::new(&chain(&mut Rng(4), 200_000).pattern).fill(), 0);
}

#[test]
fn hub_with_many_spokes() {
    let mut pattern = Pattern::default();
    let hub = pattern.node(Half::Primal, 6);
    for _ in 0..3000 {
        let (spoke, joint) = (pattern.node(Half::Primal, 6), pattern.node(Half::Dual, 3));
        pattern.edge(joint, hub);
        pattern.edge(joint, spoke);
    }
    let factor = Factor::new(&pattern);
    assert_eq!(factor.fill(), 0);
}

#[test]
fn same_pattern_same_order() {
    let pattern = grid(&mut Rng(5), 12).pattern;
    let order = |pattern| Factor::new(pattern).order().collect::<Vec<_>>();
    assert_eq!(order(&pattern), order(&pattern.clone()));
}

#[test]
#[should_panic(expected = "coupled twice")]
fn a_pair_is_coupled_once() {
    let mut pattern = Pattern::default();
    let (a, b) = (pattern.node(Half::Primal, 6), pattern.node(Half::Dual, 3));
    pattern.edge(a, b);
    pattern.edge(b, a);
    Factor::new(&pattern);
}
