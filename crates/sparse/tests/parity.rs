//! Baseline and AVX2 give the same bits, and so does solving on the way.

use crate::common;

use common::{Rng, System, chain, grid, ladder, ring};
use windlass_sparse::Factor;

#[test]
fn baseline_and_avx2_give_the_same_bits() {
    let rng = &mut Rng(1);
    let systems: [System; 4] = [chain(rng, 30), ring(rng, 30), ladder(rng, 30), grid(rng, 8)];
    for system in systems {
        let b = rng.vector(Factor::new(&system.pattern).dimension());
        let run = |baseline: bool, on_the_way: bool| -> Vec<u64> {
            let mut factor = Factor::new(&system.pattern);
            if baseline {
                factor.force_baseline();
            }
            system.write(&mut factor);
            let mut x = b.clone();
            if on_the_way {
                factor.factor_and_solve(&mut x);
            } else {
                factor.factor();
                factor.solve(&mut x);
            }
            x.iter().map(|x| x.to_bits()).collect()
        };
        let bits = run(true, false);
        for (baseline, on_the_way) in [(false, false), (true, true), (false, true)] {
            assert_eq!(run(baseline, on_the_way), bits);
        }
    }
}

/// Every block is there in time when a node is written only as its stretch is opened, and its edges with it.
#[test]
fn a_matrix_written_on_the_way_gives_the_same_bits() {
    let rng = &mut Rng(2);
    for system in [chain(rng, 100), ring(rng, 70), ladder(rng, 50), grid(rng, 9)] {
        let mut factor = Factor::new(&system.pattern);
        let b = rng.vector(factor.dimension());
        system.write(&mut factor);
        let (mut at_once, mut on_the_way) = (b.clone(), b);
        factor.factor_and_solve(&mut at_once);

        // what is not written yet is no number
        factor.values_mut().fill(f64::NAN);
        factor.clear_fill();
        factor.begin();
        let mut open = vec![false; system.pattern.nodes().len()];
        for stretch in 0..factor.stretches() {
            for node in factor.opens(stretch).to_vec() {
                open[node.0 as usize] = true;
                system.write_diagonal(node.0 as usize, &mut factor);
                for (e, (i, j)) in system.pattern.edges().iter().enumerate() {
                    if (*i == node && open[j.0 as usize]) || (*j == node && open[i.0 as usize]) {
                        system.write_coupling(e, &mut factor);
                    }
                }
            }
            factor.advance(stretch, &mut on_the_way);
        }
        factor.finish(&mut on_the_way);
        assert!(factor.stretches() > 1 && at_once.iter().all(|x| x.is_finite()));
        assert_eq!(on_the_way, at_once);
    }
}
