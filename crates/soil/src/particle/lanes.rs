//! Four numbers at once: a kernel written for `Lanes` works on four contacts in the time of little more than one.
//!
//! Every operation acts on each lane alone and is one of IEEE 754, without fused multiplication. The baseline (`wide`,
//! for any processor) and AVX2 (`pulp`, where the processor has it) therefore have equal bits, which a test compares.
//! Kernels have no closures: these would be compiled for the baseline, and its calls cost three times the work.

use std::ops::{Add, Mul, Sub};
use wide::f64x4;

/// Lanes of a kernel.
pub(super) const LANES: usize = 4;

/// A number per lane.
pub(super) type Four = [f64; LANES];

/// Numbers in lanes. A mask is what `above` returns.
pub(super) trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    fn array(self) -> Four;
    fn over(self, divisor: Self) -> Self;
    fn sqrt(self) -> Self;
    /// Mask of the lanes that are greater than those of another.
    fn above(self, other: Self) -> Self;
    /// Of a mask: the first where it is set, the second elsewhere.
    fn select(self, yes: Self, no: Self) -> Self;
    /// Of a mask: whether it is set anywhere.
    fn any(self) -> bool;
    /// Rows for columns.
    fn transposed(rows: [Self; LANES]) -> [Self; LANES];
}

/// What fills lanes: a set of instructions.
pub(super) trait Machine: Copy + Send + Sync {
    type Lanes: Lanes;
    fn lanes(self, values: Four) -> Self::Lanes;
    fn splat(self, value: f64) -> Self::Lanes;
}

/// Instructions that every processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Baseline;

impl Machine for Baseline {
    type Lanes = f64x4;

    #[inline(always)]
    fn lanes(self, values: Four) -> f64x4 {
        f64x4::new(values)
    }

    #[inline(always)]
    fn splat(self, value: f64) -> f64x4 {
        f64x4::splat(value)
    }
}

impl Lanes for f64x4 {
    #[inline(always)]
    fn array(self) -> Four {
        self.to_array()
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self / divisor
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64x4::sqrt(self)
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        self.simd_gt(other)
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        self.bitselect(yes, no)
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.to_bitmask() != 0
    }

    #[inline(always)]
    fn transposed(rows: [Self; LANES]) -> [Self; LANES] {
        f64x4::transpose(rows)
    }
}

/// Work that is compiled for a set of instructions.
pub(super) trait Kernel {
    fn run(self, machine: impl Machine);
}

/// The instructions that this processor has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instructions {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx::V3),
}

impl Default for Instructions {
    fn default() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        if let Some(v3) = avx::V3::try_new() {
            return Instructions::Avx2(v3);
        }
        Instructions::Baseline
    }
}

impl Instructions {
    /// Runs a kernel.
    #[inline]
    pub fn run(self, kernel: impl Kernel) {
        match self {
            Instructions::Baseline => kernel.run(Baseline),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(v3) => avx::run(v3, kernel),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{Four, Kernel, LANES, Lanes, Machine};
    use pulp::bytemuck::cast;
    pub(in super::super) use pulp::x86::V3;
    use std::arch::x86_64::__m256d;
    use std::ops::{Add, Mul, Sub};

    /// A register; the token proves that the processor has it.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Register(V3, __m256d);

    /// Compiles the kernel with AVX2.
    #[inline]
    pub(in super::super) fn run(v3: V3, kernel: impl Kernel) {
        v3.vectorize(
            #[inline(always)]
            || kernel.run(v3),
        );
    }

    impl Machine for V3 {
        type Lanes = Register;

        #[inline(always)]
        fn lanes(self, values: Four) -> Register {
            Register(self, cast(values))
        }

        #[inline(always)]
        fn splat(self, value: f64) -> Register {
            Register(self, self.avx._mm256_set1_pd(value))
        }
    }

    impl Add for Register {
        type Output = Register;
        #[inline(always)]
        fn add(self, other: Register) -> Register {
            Register(self.0, self.0.avx._mm256_add_pd(self.1, other.1))
        }
    }

    impl Sub for Register {
        type Output = Register;
        #[inline(always)]
        fn sub(self, other: Register) -> Register {
            Register(self.0, self.0.avx._mm256_sub_pd(self.1, other.1))
        }
    }

    impl Mul for Register {
        type Output = Register;
        #[inline(always)]
        fn mul(self, other: Register) -> Register {
            Register(self.0, self.0.avx._mm256_mul_pd(self.1, other.1))
        }
    }

    impl Lanes for Register {
        #[inline(always)]
        fn array(self) -> Four {
            cast(self.1)
        }

        #[inline(always)]
        fn over(self, divisor: Register) -> Register {
            Register(self.0, self.0.avx._mm256_div_pd(self.1, divisor.1))
        }

        #[inline(always)]
        fn sqrt(self) -> Register {
            Register(self.0, self.0.avx._mm256_sqrt_pd(self.1))
        }

        #[inline(always)]
        fn above(self, other: Register) -> Register {
            const GREATER: i32 = std::arch::x86_64::_CMP_GT_OQ;
            Register(self.0, self.0.avx._mm256_cmp_pd::<GREATER>(self.1, other.1))
        }

        #[inline(always)]
        fn select(self, yes: Register, no: Register) -> Register {
            Register(self.0, self.0.avx._mm256_blendv_pd(no.1, yes.1, self.1))
        }

        #[inline(always)]
        fn any(self) -> bool {
            self.0.avx._mm256_movemask_pd(self.1) != 0
        }

        #[inline(always)]
        fn transposed(rows: [Register; LANES]) -> [Register; LANES] {
            let [Register(_, a), Register(_, b), Register(_, c), Register(_, d)] = rows;
            let (v3, avx) = (rows[0].0, rows[0].0.avx);
            let (low, high) = (avx._mm256_unpacklo_pd(a, b), avx._mm256_unpackhi_pd(a, b));
            let (next, last) = (avx._mm256_unpacklo_pd(c, d), avx._mm256_unpackhi_pd(c, d));
            [
                Register(v3, avx._mm256_permute2f128_pd::<0x20>(low, next)),
                Register(v3, avx._mm256_permute2f128_pd::<0x20>(high, last)),
                Register(v3, avx._mm256_permute2f128_pd::<0x31>(low, next)),
                Register(v3, avx._mm256_permute2f128_pd::<0x31>(high, last)),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations on numbers of all sizes.
    struct Chain<'a>(&'a mut Vec<u64>);

    impl Kernel for Chain<'_> {
        fn run(self, machine: impl Machine) {
            let mut x = machine.lanes([0.1, -3.0e8, 7.0e-12, f64::INFINITY]);
            let mut y = machine.lanes([2.5, 1.0e-3, -0.0, f64::NAN]);
            for k in 0..200 {
                let z = (x * y + machine.splat(0.37 * f64::from(k))).over(x - y * y);
                let root = (z * z).sqrt();
                let mask = z.above(machine.splat(0.5));
                (x, y) = (mask.select(root, x + z), mask.select(y - z, z * x));
                let turned = M::turned(machine, x, y);
                (x, y) = (turned.0, turned.1);
                // payloads of NaN are not specified
                let word = |v: f64| if v.is_nan() { u64::MAX } else { v.to_bits() };
                self.0.extend(x.array().into_iter().chain(y.array()).map(word));
                self.0.push(u64::from(mask.any()));
            }
        }
    }

    struct M;

    impl M {
        fn turned<T: Machine>(machine: T, x: T::Lanes, y: T::Lanes) -> (T::Lanes, T::Lanes) {
            let [a, b, ..] = T::Lanes::transposed([x, y, machine.splat(1.25), x * y]);
            (a, b)
        }
    }

    #[test]
    fn instruction_sets_have_equal_bits() {
        let (mut best, mut baseline) = (Vec::new(), Vec::new());
        Instructions::default().run(Chain(&mut best));
        Instructions::Baseline.run(Chain(&mut baseline));
        assert_eq!(best, baseline);
        assert!(baseline.len() == 200 * 9);
    }
}
