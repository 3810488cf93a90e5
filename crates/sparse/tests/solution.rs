//! The sparse solution is the dense one.

use crate::common;

use common::{Rng, System, chain, grid, ladder, ring, tree};
use proptest::prelude::*;
use windlass_sparse::{Factor, Half, NodeIx, Orientation, Pattern};

const BOUND: f64 = 1e-9;

#[test]
fn chains_trees_rings_ladders_and_grids_match_dense_lu() {
    for seed in 0..8 {
        let rng = &mut Rng(seed);
        for n in [1, 2, 3, 7, 20] {
            for (name, system) in [
                ("chain", chain(rng, n)),
                ("tree", tree(rng, n)),
                ("ring", ring(rng, n + 2)),
                ("ladder", ladder(rng, n)),
                ("grid", grid(rng, n.min(6))),
            ] {
                let difference = system.difference(rng);
                assert!(difference < BOUND, "{name} of {n}, seed {seed}: {difference:e}");
            }
        }
    }
}

#[test]
fn primal_coupling_and_dual_coupling() {
    let rng = &mut Rng(5);
    let mut system = ring(rng, 9);
    // A spring between opposite bodies: −G off the diagonal, G added on it.
    for (a, b) in [(0u32, 4u32), (2, 7), (3, 8)] {
        for k in [a, b] {
            for r in 0..6 {
                system.diagonals[k as usize][7 * r] += 3.0;
            }
        }
        let mut spring = vec![0.0; 36];
        (0..6).for_each(|r| spring[7 * r] = -3.0);
        system.edge(NodeIx(a), NodeIx(b), spring);
    }
    // Two compliant duals whose Σ is coupled.
    let j = system.joint(rng, 3, 1.0, &[NodeIx(0)]);
    let k = system.joint(rng, 3, 1.0, &[NodeIx(5)]);
    system.edge(j, k, vec![-0.2; 9]);
    let difference = system.difference(rng);
    assert!(difference < BOUND, "{difference:e}");
}

#[test]
fn several_right_sides_equal_one_by_one() {
    let rng = &mut Rng(6);
    let factor = ring(rng, 12).factored();
    let n = factor.dimension();
    let mut many = rng.vector(3 * n);
    let mut single = many.clone();
    factor.solve_many(&mut many, 3);
    single.chunks_exact_mut(n).for_each(|x| factor.solve(x));
    assert_eq!(many, single);
}

#[test]
fn empty_and_isolated() {
    let factor = System::default().factored();
    factor.solve(&mut []);
    factor.solve_many(&mut [], 0);

    // A dual without neighbours: −Σ alone, or nothing at all.
    let mut system = System::default();
    system.constraint(3, 2.0);
    system.constraint(1, 0.0);
    let factor = system.factored();
    assert_eq!(factor.dropped().len(), 1);
    let mut x = [2.0, 4.0, 6.0, 1.0];
    factor.solve(&mut x);
    assert_eq!(x, [-1.0, -2.0, -3.0, 0.0]);
}

#[test]
fn repetition_gives_the_same_bits() {
    let rng = &mut Rng(7);
    let system = grid(rng, 7);
    let b = rng.vector(system.factored().dimension());
    let run = |factor: &mut windlass_sparse::Factor| -> Vec<u64> {
        system.write(factor);
        factor.factor();
        let mut x = b.clone();
        factor.solve(&mut x);
        x.iter().map(|x| x.to_bits()).collect()
    };
    let mut factor = system.factored();
    let first = run(&mut factor);
    assert_eq!(first, run(&mut factor));
    assert_eq!(first, run(&mut system.factored()));
}

/// A tree of welds with compliant welds across it: a clamped neighbour would make any of them look redundant.
#[test]
fn welds_are_never_taken_for_redundant() {
    for seed in 0..40 {
        let rng = &mut Rng(seed);
        let mut system = System::default();
        let n = 6;
        let bodies: Vec<NodeIx> = (0..n).map(|_| system.body(rng, 6)).collect();
        let identity =
            |sign: f64| (0..36).map(|at| if at % 7 == 0 { sign } else { 0.0 }).collect::<Vec<f64>>();
        let weld = |system: &mut System, a: NodeIx, b: NodeIx, sigma: f64| {
            let j = system.constraint(6, sigma);
            system.edge(j, a, identity(1.0));
            system.edge(j, b, identity(-1.0));
        };
        for k in 1..n {
            let parent = bodies[rng.below(k)];
            weld(&mut system, parent, bodies[k], 0.0);
        }
        for _ in 0..rng.below(5) {
            let (a, b) = (rng.below(n), rng.below(n));
            if a != b {
                weld(&mut system, bodies[a], bodies[b], 0.5);
            }
        }
        let difference = system.difference(rng);
        assert!(difference < BOUND, "seed {seed}: {difference:e}");
    }
}

/// A block of `rows` rows on a body that is well away from rank deficiency, the assumption of `order.rs`:
/// ± distinct unit vectors; if `generic`, any of the six and disturbed. If not, blocks of different joints are often
/// equal, so that what can be singular is.
fn full_rank(rng: &mut Rng, rows: usize, generic: bool) -> Vec<f64> {
    let disturbance = if generic { 0.2 } else { 0.0 };
    let mut values: Vec<f64> = rng.vector(6 * rows).iter().map(|x| disturbance * x).collect();
    let shift = if generic { rng.below(6) } else { 0 };
    let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
    for r in 0..rows {
        values[(r + shift) % 6 * rows + r] += sign;
    }
    values
}

/// Any graph: bodies, constraints of some widths on up to four of them, stiffness between some.
fn any_system(seed: u64, [bodies, joints, springs]: [usize; 3], widths: &[usize]) -> System {
    let rng = &mut Rng(seed);
    let generic = seed.is_multiple_of(2);
    let mut system = System::default();
    let mut order: Vec<bool> = (0..bodies + joints).map(|k| k < bodies).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, rng.below(k + 1));
    }
    for body in order {
        let width = widths[rng.below(widths.len())];
        if body {
            let node = system.body(rng, 6);
            (0..6).for_each(|r| system.diagonals[node.0 as usize][7 * r] += 6.0);
        } else {
            system.constraint(width, if rng.below(2) == 0 { 0.3 } else { 0.0 });
        }
    }
    let of = |system: &System, part: Half| -> Vec<NodeIx> {
        let nodes = system.pattern.nodes().iter().enumerate();
        nodes.filter(|node| node.1.0 == part).map(|node| NodeIx(node.0 as u32)).collect()
    };
    let (primal, dual) = (of(&system, Half::Primal), of(&system, Half::Dual));
    for &j in &dual {
        let mut ends: Vec<NodeIx> = (0..1 + rng.below(4)).map(|_| primal[rng.below(bodies)]).collect();
        ends.sort_unstable();
        ends.dedup();
        for b in ends {
            let values = full_rank(rng, system.width(j), generic);
            system.edge(j, b, values);
        }
    }
    let mut pairs = Vec::new();
    for _ in 0..springs {
        let (a, b) = (rng.below(bodies), rng.below(bodies));
        if a != b && !pairs.contains(&(a.min(b), a.max(b))) && pairs.len() < 5 {
            pairs.push((a.min(b), a.max(b)));
            let values = rng.vector(36).iter().map(|x| 0.15 * x).collect();
            system.edge(primal[a], primal[b], values);
        }
    }
    system
}

/// Regular systems in which a laxer rule drops rows. The first: a dual goes once its *own* bodies are gone, whoever
/// is clamped (rule a of `order.rs`); the second: a body supports duals through blocks that are mixed (rule b).
#[test]
fn laxer_rules_would_fail_here() {
    for (seed, bodies, joints, springs) in
        [(11_733_467_191_085_510_260, 4, 12, 3), (10_323_308_831_399_029_519, 4, 6, 0)]
    {
        let difference = any_system(seed, [bodies, joints, springs], &[1, 3, 6]).difference(&mut Rng(seed));
        assert!(difference < 1e-11, "seed {seed}: {difference:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_graphs_match_dense_lu(
        seed in any::<u64>(), bodies in 1usize..14, joints in 0usize..14, springs in 0usize..6,
    ) {
        let system = any_system(seed, [bodies, joints, springs], &[1, 3, 5, 6]);
        // Systems that are themselves singular or nearly so are another test's matter.
        let values = system.dense().symmetric_eigenvalues();
        let smallest = values.iter().fold(f64::INFINITY, |m, x| m.min(x.abs()));
        prop_assume!(smallest > 1e-3);
        let difference = system.difference(&mut Rng(seed));
        prop_assert!(difference < 1e-11, "{:e}, smallest eigenvalue {:e}", difference, smallest);
    }
}

/// A number written at its element lands where the block of its edge has it, whichever way round the block is held.
#[test]
fn elements_are_the_numbers_of_their_block() {
    let mut pattern = Pattern::default();
    let bodies = [6, 6].map(|width| pattern.node(Half::Primal, width));
    let joint = pattern.node(Half::Dual, 3);
    let edges = bodies.map(|body| pattern.edge(joint, body));
    let mut factor = Factor::new(&pattern);
    let mut seen = [false; 2];
    for edge in edges {
        for (r, c) in (0..3).flat_map(|r| (0..6).map(move |c| (r, c))) {
            factor.clear();
            let at = factor.element(edge, r, c);
            factor.values_mut()[at] = 1.0;
            let (block, orientation) = factor.coupling_mut(edge);
            let transposed = orientation == Orientation::Transposed;
            seen[transposed as usize] = true;
            assert_eq!(block[if transposed { c + 6 * r } else { r + 3 * c }], 1.0);
        }
    }
    assert_eq!(seen, [true, true], "the chain should hold one block each way");
}
