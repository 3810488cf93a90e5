//! A probability → the quantile of the standard normal distribution, by rational approximations.
//!
//! M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Appl. Statist. 37 (1988)
//! 477–484, routine PPND16, relative error about 1e-16:
//!
//! ```text
//!  |q| ≤ 0.425, q = p − ½:   z = q A(0.180625 − q²)/B(0.180625 − q²)
//!  else r = √(−ln min(p, 1 − p)):   |z| = C(r − 1.6)/D(r − 1.6) up to r = 5,   E(r − 5)/F(r − 5) beyond
//! ```

const A: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const B: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_545,
];
const C: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    0.241_780_725_177_450_6,
    0.022_723_844_989_269_184,
    7.745_450_142_783_414e-4,
];
const D: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    0.689_767_334_985_1,
    0.148_103_976_427_480_08,
    0.015_198_666_563_616_457,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const E: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    0.296_560_571_828_504_87,
    0.026_532_189_526_576_124,
    0.001_242_660_947_388_078_4,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const F: [f64; 8] = [
    1.0,
    0.599_832_206_555_888,
    0.136_929_880_922_735_8,
    0.014_875_361_290_850_615,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];

/// The quantile of a probability above 0 and below 1.
pub fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * polynomial(&A, r) / polynomial(&B, r);
    }
    let r = libm::sqrt(-libm::log(p.min(1.0 - p)));
    let z = match r <= 5.0 {
        true => polynomial(&C, r - 1.6) / polynomial(&D, r - 1.6),
        false => polynomial(&E, r - 5.0) / polynomial(&F, r - 5.0),
    };
    if q < 0.0 { -z } else { z }
}

/// Horner's rule; the constant comes first.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distribution function by another path: Φ(z) = ½ erfc(−z/√2).
    #[test]
    fn it_inverts_the_complementary_error_function() {
        for k in 1..2000 {
            // down to 1e-15, where r is above 5
            let p = libm::pow(10.0, -f64::from(k) / 130.0) * 0.5;
            let z = quantile(p);
            let back = 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
            // a relative error of z changes p by z² times it: 1e-16 of the algorithm and 4 roundings each of two
            // polynomials, and 2 of −z/√2, are below 1e-15; erfc itself has some 1e-15
            assert!((back / p - 1.0).abs() < 1e-15 * (2.0 + z * z), "{p}: {z}, {back}");
            if p > 1e-3 {
                assert!((quantile(1.0 - p) + z).abs() < 1e-12, "{p} is symmetric");
            }
        }
    }

    /// Values printed with the algorithm.
    #[test]
    fn it_gives_the_published_values() {
        assert!((quantile(0.25) - -0.674_489_750_196_081_7).abs() < 1e-15);
        assert!((quantile(0.001) - -3.090_232_306_167_813).abs() < 1e-14);
        assert!((quantile(1e-20) - -9.262_340_089_798_408).abs() < 1e-13);
    }
}
