//! Dependent, disabled and poisoned rows.

use crate::common;

use common::{Rng, System, chain, ring};
use windlass_sparse::{Dropped, Factor, NodeIx, Orientation, Outcome};

/// A chain of five with ball joints, and the number of its joint between bodies 1 and 2.
fn ball_chain(rng: &mut Rng) -> (System, Vec<NodeIx>, NodeIx) {
    let mut system = System::default();
    let bodies: Vec<NodeIx> = (0..5).map(|_| system.body(rng, 6)).collect();
    system.joint(rng, 3, 0.0, &bodies[..1]);
    let mut middle = NodeIx(0);
    for k in 1..5 {
        let joint = system.joint(rng, 3, 0.0, &bodies[k - 1..=k]);
        if k == 2 {
            middle = joint;
        }
    }
    (system, bodies, middle)
}

/// Adds a dual with the same rows as `joint`.
fn duplicate(system: &mut System, joint: NodeIx) -> NodeIx {
    let copy = system.constraint(system.width(joint), 0.0);
    for e in 0..system.pattern.edges().len() {
        let (i, j) = system.pattern.edges()[e];
        let values = system.couplings[e].clone();
        if i == joint {
            system.edge(copy, j, values);
        } else if j == joint {
            system.edge(i, copy, values);
        }
    }
    copy
}

fn close(x: &[f64], y: &[f64]) -> bool {
    x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-10 * (1.0 + y.abs()))
}

#[test]
fn duplicate_rows_are_dropped_and_named() {
    for seed in 0..10 {
        let rng = &mut Rng(seed);
        let (system, bodies, joint) = ball_chain(rng);
        let plain = system.factored();
        let b = rng.vector(plain.dimension());
        let mut reference = b.clone();
        plain.solve(&mut reference);

        let mut twice = system.clone();
        let copy = duplicate(&mut twice, joint);
        let factor = twice.factored();
        let node = factor.dropped()[0].node;
        assert!(node == joint || node == copy);
        assert_eq!(factor.dropped(), [0, 1, 2].map(|row| Dropped { node, row }));

        // Consistent right side: same motion, the multipliers add up.
        let (at, from) = (factor.offset(copy), factor.offset(joint));
        let mut x = b.clone();
        x.extend_from_slice(&b[from..from + 3]);
        factor.solve(&mut x);
        assert!(close(&x[..6 * bodies.len()], &reference[..6 * bodies.len()]), "seed {seed}");
        let sum: Vec<f64> = (0..3).map(|r| x[from + r] + x[at + r]).collect();
        assert!(close(&sum, &reference[from..from + 3]), "seed {seed}");

        // Contradiction: finite, and the motion obeys the row that was kept.
        let mut x = b.clone();
        x.extend_from_slice(&[7.0, -3.0, 2.0]);
        let kept = if node == copy { b[from..from + 3].to_vec() } else { vec![7.0, -3.0, 2.0] };
        factor.solve(&mut x);
        let mut obeying = b.clone();
        obeying[from..from + 3].copy_from_slice(&kept);
        plain.solve(&mut obeying);
        assert!(close(&x[..6 * bodies.len()], &obeying[..6 * bodies.len()]), "seed {seed}");
    }
}

/// Two like rows that both give a little share the load between them, as long as what they give is more than rounding.
#[test]
fn soft_rows_that_are_told_share_their_load() {
    for (sigma, told, shares) in [(1e-12, true, true), (1e-12, false, false), (1e-18, true, false)] {
        for seed in 0..10 {
            let rng = &mut Rng(seed);
            let (mut system, bodies, joint) = ball_chain(rng);
            let reference = system.factored();
            let b = rng.vector(reference.dimension());
            let mut once = b.clone();
            reference.solve(&mut once);

            let copy = duplicate(&mut system, joint);
            for node in [joint, copy] {
                (0..3).for_each(|r| system.diagonals[node.0 as usize][4 * r] = -sigma);
            }
            let mut factor = Factor::new(&system.pattern);
            system.write(&mut factor);
            assert_ne!(factor.closes_loop(joint), factor.closes_loop(copy));
            for node in [joint, copy].into_iter().filter(|_| told) {
                (0..3).for_each(|row| factor.soften(node, row, sigma));
            }
            assert_eq!(factor.factor().dropped, if shares { 0 } else { 3 }, "Σ = {sigma:e}, seed {seed}");

            let (at, from) = (factor.offset(copy), factor.offset(joint));
            let mut x = b.clone();
            x.extend_from_slice(&b[from..from + 3]);
            factor.solve(&mut x);
            assert!(close(&x[..6 * bodies.len()], &once[..6 * bodies.len()]), "seed {seed}");
            for r in 0..3 {
                let (one, other, all) = (x[from + r], x[at + r], once[from + r]);
                assert!((one + other - all).abs() < 1e-9 * (1.0 + all.abs()), "seed {seed}");
                // rounding over Σ
                let even = (one - other).abs() < 0.01 * (1.0 + all.abs());
                assert_eq!(even, shares, "Σ = {sigma:e}, seed {seed}: {one} and {other}");
            }
        }
    }
}

#[test]
fn dependence_within_one_node() {
    let rng = &mut Rng(3);
    let mut system = System::default();
    let body = system.body(rng, 6);
    let joint = system.constraint(3, 0.0);
    let (mut rows, first) = (rng.vector(18), rng.vector(6));
    for c in 0..6 {
        rows[3 * c] = first[c];
        rows[3 * c + 2] = rows[3 * c] - 2.0 * rows[3 * c + 1];
    }
    system.edge(joint, body, rows);
    let factor = system.factored();
    assert_eq!(factor.dropped(), [Dropped { node: joint, row: 2 }]);
}

#[test]
fn a_welded_ring_loses_exactly_one_weld() {
    let identity = |sign: f64| (0..36).map(|at| if at % 7 == 0 { sign } else { 0.0 }).collect::<Vec<f64>>();
    for n in [2, 3, 8, 40] {
        let rng = &mut Rng(n as u64);
        let mut system = System::default();
        let bodies: Vec<NodeIx> = (0..n).map(|_| system.body(rng, 6)).collect();
        for k in 0..n {
            let weld = system.constraint(6, 0.0);
            system.edge(weld, bodies[k], identity(1.0));
            system.edge(weld, bodies[(k + 1) % n], identity(-1.0));
        }
        let mut factor = Factor::new(&system.pattern);
        system.write(&mut factor);
        assert_eq!(factor.factor(), Outcome { dropped: 6, lost_primal: 0 }, "ring of {n}");
        // One rigid body: every body moves as the sum of forces over the sum of masses says.
        let mut x = vec![0.0; factor.dimension()];
        x[..6].fill(1.0);
        factor.solve(&mut x);
        for k in 1..n {
            assert!(close(&x[6 * k..6 * k + 6], &x[..6]), "ring of {n}");
        }
    }
}

#[test]
fn a_disabled_row_does_nothing() {
    let rng = &mut Rng(4);
    let (mut system, _, joint) = ball_chain(rng);
    // Row 1 of the joint: J = 0, −1 on the diagonal.
    for e in 0..system.pattern.edges().len() {
        let (i, j) = system.pattern.edges()[e];
        let rows = system.width(i);
        for (at, value) in system.couplings[e].iter_mut().enumerate() {
            if (i == joint && at % rows == 1) || (j == joint && at / rows == 1) {
                *value = 0.0;
            }
        }
    }
    system.diagonals[joint.0 as usize][4] = -1.0;
    assert!(system.difference(rng) < 1e-12);
    let factor = system.factored();
    let mut x = rng.vector(factor.dimension());
    let at = factor.offset(joint) + 1;
    x[at] = 0.0;
    factor.solve(&mut x);
    assert_eq!(x[at], 0.0);
}

#[test]
fn lost_primal_pivots_are_counted() {
    let rng = &mut Rng(5);
    let mut system = chain(rng, 4);
    system.diagonals[6] = vec![0.0; 36]; // the leaf: nothing stiffens it
    let mut factor = Factor::new(&system.pattern);
    system.write(&mut factor);
    assert!(factor.factor().lost_primal > 0);
}

#[test]
fn nan_and_infinity_neither_panic_nor_hang() {
    for poison in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let rng = &mut Rng(6);
        let system = ring(rng, 6);
        let mut factor = Factor::new(&system.pattern);
        for edge in 0..system.couplings.len() {
            system.write(&mut factor);
            let (slot, orientation) = factor.coupling_mut(windlass_sparse::EdgeIx(edge as u32));
            assert!(matches!(orientation, Orientation::AsGiven | Orientation::Transposed));
            slot[0] = poison;
            factor.factor();
            factor.solve(&mut rng.vector(factor.dimension()));
        }
        for node in 0..system.diagonals.len() {
            system.write(&mut factor);
            factor.diagonal_mut(NodeIx(node as u32))[0] = poison;
            let outcome = factor.factor();
            assert!(outcome.dropped + outcome.lost_primal > 0);
            factor.solve(&mut rng.vector(factor.dimension()));
        }
        // The next clean step is clean.
        system.write(&mut factor);
        assert_eq!(factor.factor(), Outcome::default());
    }
}
