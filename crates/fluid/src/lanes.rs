//! Sine with cosine, and exponential, in plain arithmetic: the same bits on every machine, alone and vectorised.
//!
//! ```text
//! sin x = (−1)ⁿ sin r    cos x = (−1)ⁿ cos r    n = round(x/π),    r = x − nπ in −π/2…π/2
//! eˣ = 2ⁿ eʳ                                    n = round(x/ln 2), r = x − n ln 2
//! ```
//!
//! The functions of r are polynomials, fitted in Chebyshev nodes with an error below 4e-17. π and ln 2 are subtracted
//! in two parts, the first short enough that its product with n has no rounding error up to |x| = 1e7. Beyond, the
//! error grows as that of x itself.
//!
//! There are no branches and no tables, so that the compiler vectorises loops over [`Lanes`]. It neither fuses nor
//! reorders operations.

/// Numbers in one [`Lanes`].
pub(crate) const WIDTH: usize = 8;

/// Numbers that a loop treats alike.
pub(crate) type Lanes = [f64; WIDTH];

/// Adding this number rounds to the nearest integer and leaves that integer in the low bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// Argument below which [`exp`] is constant, far below every exponential of use.
const LEAST_EXPONENT: f64 = -700.0;

const PI_HIGH: f64 = 3.141_592_653_468_251_2;
const PI_LOW: f64 = 1.215_420_101_301_238_4e-10;
const LN_2_HIGH: f64 = 6.931_471_805_592_082e-1;
const LN_2_LOW: f64 = 7.371_002_565_167_799e-13;

/// Coefficients of (sin r/r − 1)/r² in powers of r², highest first.
const SINE: [f64; 8] = [
    2.731_436_876_937_989_3e-15,
    -7.643_969_663_988_074e-13,
    1.605_897_729_264_274_3e-10,
    -2.505_210_761_669_045e-8,
    2.755_731_921_916_083_3e-6,
    -1.984_126_984_125_496_6e-4,
    8.333_333_333_333_316e-3,
    -1.666_666_666_666_666_6e-1,
];

/// Coefficients of (cos r − 1)/r² in powers of r², highest first.
const COSINE: [f64; 8] = [
    4.627_661_038_005_169_3e-14,
    -1.146_468_868_690_101_2e-11,
    2.087_663_082_987_22e-9,
    -2.755_731_776_674_132e-7,
    2.480_158_729_244_166_3e-5,
    -1.388_888_888_886_069_4e-3,
    4.166_666_666_666_634e-2,
    -0.5,
];

/// Coefficients of (eʳ − 1 − r)/r² in powers of r, highest first.
const EXPONENTIAL: [f64; 10] = [
    2.510_038_549_551_032e-8,
    2.762_008_844_540_974_6e-7,
    2.755_726_845_999_706_4e-6,
    2.480_152_129_595_437_6e-5,
    1.984_126_986_305_361_8e-4,
    1.388_888_891_721_371_7e-3,
    8.333_333_333_330_062e-3,
    4.166_666_666_662_413e-2,
    1.666_666_666_666_666_9e-1,
    5.000_000_000_000_001e-1,
];

/// Sum of the lanes, in pairs.
#[inline(always)]
pub(crate) fn sum(lanes: &Lanes) -> f64 {
    let mut lanes = *lanes;
    let mut half = WIDTH / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] += lanes[i + half];
        }
        half /= 2;
    }
    lanes[0]
}

/// Sine and cosine of an angle [rad].
#[inline(always)]
pub(crate) fn sin_cos(x: f64) -> (f64, f64) {
    let (r, sign) = reduced(x);
    let square = r * r;
    let sin = r + r * (square * polynomial(&SINE, square));
    let cos = 1.0 + square * polynomial(&COSINE, square);
    (signed(sin, sign), signed(cos, sign))
}

/// Cosine of an angle [rad], with the bits of [`sin_cos`].
#[inline(always)]
pub(crate) fn cos(x: f64) -> f64 {
    let (r, sign) = reduced(x);
    let square = r * r;
    signed(1.0 + square * polynomial(&COSINE, square), sign)
}

/// Exponential of a number up to 700; that of −700 for smaller numbers.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let x = if x > LEAST_EXPONENT { x } else { LEAST_EXPONENT };
    let rounded = x * std::f64::consts::LOG2_E + ROUNDING;
    let n = rounded - ROUNDING;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    let power = 1.0 + (r + r * r * polynomial(&EXPONENTIAL, r));
    power * f64::from_bits((rounded.to_bits() << 52).wrapping_add(1.0f64.to_bits()))
}

/// The angle less n π, and the sign (−1)ⁿ in the highest bit.
#[inline(always)]
fn reduced(x: f64) -> (f64, u64) {
    let rounded = x * std::f64::consts::FRAC_1_PI + ROUNDING;
    let n = rounded - ROUNDING;
    ((x - n * PI_HIGH) - n * PI_LOW, rounded.to_bits() << 63)
}

/// The number with its sign changed if the highest bit of `sign` is set.
#[inline(always)]
fn signed(x: f64, sign: u64) -> f64 {
    f64::from_bits(x.to_bits() ^ sign)
}

/// Horner's scheme.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut value = coefficients[0];
    for &c in &coefficients[1..] {
        value = value * x + c;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, cos, exp, sin_cos, sum};

    #[test]
    fn sine_and_cosine_agree_with_libm() {
        let mut worst: f64 = 0.0;
        for i in 0..200_000 {
            let x = (i as f64 - 1e5) * 0.037_1;
            let (s, c) = sin_cos(x);
            worst = worst.max((s - libm::sin(x)).abs()).max((c - libm::cos(x)).abs());
            assert_eq!(cos(x), c);
        }
        assert!(worst < 4e-16, "{worst:e}");
        let (s, c) = sin_cos(1e7);
        assert!((s - libm::sin(1e7)).abs() < 1e-15 && (c - libm::cos(1e7)).abs() < 1e-15);
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
    }

    #[test]
    fn exponential_agrees_with_libm() {
        let mut worst: f64 = 0.0;
        for i in 0..200_000 {
            let x = -690.0 + 0.0035 * i as f64;
            worst = worst.max((exp(x) / libm::exp(x) - 1.0).abs());
        }
        assert!(worst < 4e-16, "{worst:e}");
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f64::NEG_INFINITY), exp(-700.0));
    }

    #[test]
    fn sum_has_all_lanes() {
        assert_eq!(sum(&std::array::from_fn(|i| i as f64)), (WIDTH * (WIDTH - 1) / 2) as f64);
    }
}
