//! Instruction-set dispatch: the passes of `eliminate.rs` compiled for the baseline target and for AVX2.
//!
//! Rust neither fuses a multiplication with an addition nor reorders a sum, and AVX2 is enabled without FMA, so both
//! are bitwise identical (`tests/parity.rs`). The choice is made once per factor, not per block.
//!
//! `benches/ldlt.rs` on a Xeon (Sapphire Rapids), baseline → AVX2: 100 links with 6-wide joints factor in
//! 34 → 28 µs, 6-wide loops and springs in a quarter less time; 3-wide joints the same within noise, being bound by
//! the latency of the pivots; solutions up to 10 % less.

use crate::eliminate;
use crate::numeric::Numeric;
use crate::symbolic::{Stretch, Symbolic};

/// Instruction set the passes run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Machine {
    Baseline,
    /// Constructed only by [`Machine::detect`].
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Machine {
    pub fn detect() -> Machine {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            return Machine::Avx2;
        }
        Machine::Baseline
    }

    pub fn factor(self, symbolic: &Symbolic, stretch: &Stretch, numeric: &mut Numeric) {
        match self {
            Machine::Baseline => eliminate::factor::<false>(symbolic, stretch, numeric, &mut []),
            // SAFETY: `Avx2` is constructed only after the processor reported AVX2.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Machine::Avx2 => unsafe { factor_avx2(symbolic, stretch, numeric) },
        }
    }

    pub fn factor_and_carry(
        self,
        symbolic: &Symbolic,
        stretch: &Stretch,
        numeric: &mut Numeric,
        x: &mut [f64],
    ) {
        match self {
            Machine::Baseline => eliminate::factor::<true>(symbolic, stretch, numeric, x),
            // SAFETY: `Avx2` is constructed only after the processor reported AVX2.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Machine::Avx2 => unsafe { factor_and_carry_avx2(symbolic, stretch, numeric, x) },
        }
    }

    pub fn back(self, symbolic: &Symbolic, numeric: &Numeric, x: &mut [f64]) {
        match self {
            Machine::Baseline => eliminate::back(symbolic, numeric, x),
            // SAFETY: `Avx2` is constructed only after the processor reported AVX2.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Machine::Avx2 => unsafe { back_avx2(symbolic, numeric, x) },
        }
    }

    pub fn solve(self, symbolic: &Symbolic, numeric: &Numeric, x: &mut [f64]) {
        match self {
            Machine::Baseline => eliminate::solve(symbolic, numeric, x),
            // SAFETY: `Avx2` is constructed only after the processor reported AVX2.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Machine::Avx2 => unsafe { solve_avx2(symbolic, numeric, x) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn factor_avx2(symbolic: &Symbolic, stretch: &Stretch, numeric: &mut Numeric) {
    eliminate::factor::<false>(symbolic, stretch, numeric, &mut []);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn factor_and_carry_avx2(symbolic: &Symbolic, stretch: &Stretch, numeric: &mut Numeric, x: &mut [f64]) {
    eliminate::factor::<true>(symbolic, stretch, numeric, x);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn back_avx2(symbolic: &Symbolic, numeric: &Numeric, x: &mut [f64]) {
    eliminate::back(symbolic, numeric, x);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn solve_avx2(symbolic: &Symbolic, numeric: &Numeric, x: &mut [f64]) {
    eliminate::solve(symbolic, numeric, x);
}
