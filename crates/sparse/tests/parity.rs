//! Baseline and AVX2 give the same bits, and so does solving on the way.

mod common;

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
