//! Index and dimension → a coordinate of the Sobol sequence, in 32 bits.
//!
//! Direction numbers v_k = m_k 2^(32−k) of a primitive polynomial of degree s with inner coefficients a:
//!
//! ```text
//!  m_k = 2 a_1 m_(k−1) ⊕ 4 a_2 m_(k−2) ⊕ … ⊕ 2^(s−1) a_(s−1) m_(k−s+1) ⊕ 2^s m_(k−s) ⊕ m_(k−s)
//!  x_i = ⊕ v_k over the bits k of the Gray code i ⊕ ⌊i/2⌋
//! ```
//!
//! The initial numbers m_1 … m_s are those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better
//! two-dimensional projections", SIAM J. Sci. Comput. 30 (2008) 2635–2654, file new-joe-kuo-6, dimensions 2 to 32,
//! © 2008 Frances Y. Kuo and Stephen Joe, BSD licence.

/// Number of dimensions.
pub const DIMENSIONS: usize = 32;

/// Of each dimension from the second on: degree, coefficients, initial numbers.
const JOE_KUO: [(u32, u32, &[u32]); DIMENSIONS - 1] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, 7, &[1, 1, 3, 13, 7, 35, 63]),
    (7, 8, &[1, 3, 5, 9, 1, 25, 53]),
    (7, 14, &[1, 3, 1, 13, 9, 35, 107]),
    (7, 19, &[1, 3, 1, 5, 27, 61, 31]),
    (7, 21, &[1, 1, 5, 11, 19, 41, 61]),
    (7, 28, &[1, 3, 5, 3, 3, 13, 69]),
    (7, 31, &[1, 1, 7, 13, 1, 19, 1]),
    (7, 32, &[1, 3, 7, 5, 13, 19, 59]),
    (7, 37, &[1, 1, 3, 9, 25, 29, 41]),
    (7, 41, &[1, 3, 5, 13, 23, 1, 55]),
    (7, 42, &[1, 3, 7, 3, 13, 59, 17]),
];

/// The 32 direction numbers of a dimension below [`DIMENSIONS`].
pub fn directions(dimension: usize) -> [u32; 32] {
    let mut v = [0u32; 32];
    let Some((degree, coefficients, initial)) = dimension.checked_sub(1).map(|d| JOE_KUO[d]) else {
        // van der Corput: m_k = 1
        for (k, v) in v.iter_mut().enumerate() {
            *v = 1 << (31 - k);
        }
        return v;
    };
    let s = degree as usize;
    for k in 0..32 {
        v[k] = match initial.get(k) {
            Some(m) => m << (31 - k),
            None => {
                let mut next = v[k - s] ^ (v[k - s] >> s);
                for j in 1..s {
                    if coefficients >> (s - 1 - j) & 1 == 1 {
                        next ^= v[k - j];
                    }
                }
                next
            }
        };
    }
    v
}

/// A coordinate of a point: the numerator of a fraction of 2³².
pub fn coordinate(directions: &[u32; 32], index: u64) -> u32 {
    let mut gray = (index ^ (index >> 1)) as u32;
    let mut x = 0;
    while gray != 0 {
        x ^= directions[gray.trailing_zeros() as usize];
        gray &= gray - 1;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(dimension: usize, n: u64) -> Vec<f64> {
        let v = directions(dimension);
        (0..n).map(|i| f64::from(coordinate(&v, i)) / 4_294_967_296.0).collect()
    }

    /// The first ten points in three dimensions that Joe and Kuo print with their program `sobol.cc`.
    #[test]
    fn the_first_points_are_those_published() {
        let published = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
            [0.1875, 0.3125, 0.9375],
            [0.6875, 0.8125, 0.4375],
        ];
        for d in 0..3 {
            assert_eq!(points(d, 10), published.map(|p| p[d]), "dimension {}", d + 1);
        }
    }

    /// Every initial number is odd and below 2^k, as the construction requires, and each projection onto one dimension
    /// has one point in every interval of 2^-k (a (0, 1)-sequence).
    #[test]
    fn every_dimension_is_a_sequence_of_its_kind() {
        for (degree, _, initial) in JOE_KUO {
            assert_eq!(initial.len(), degree as usize);
            assert!(initial.iter().enumerate().all(|(k, m)| m % 2 == 1 && *m < 2 << k));
        }
        for d in 0..DIMENSIONS {
            let mut cells: Vec<_> = points(d, 1024).iter().map(|x| (x * 1024.0) as usize).collect();
            cells.sort_unstable();
            assert!(cells.iter().enumerate().all(|(i, cell)| i == *cell), "dimension {}", d + 1);
        }
    }

    /// A different way to the same numbers: the recurrence of the paper on m_k, and bits in natural order.
    #[test]
    fn the_recurrence_of_the_paper_gives_the_same_set() {
        for d in 1..DIMENSIONS {
            let (s, a, initial) = (JOE_KUO[d - 1].0 as usize, JOE_KUO[d - 1].1, JOE_KUO[d - 1].2);
            let mut m: Vec<u64> = initial.iter().map(|m| u64::from(*m)).collect();
            for k in s..16 {
                let mut next = m[k - s] << s ^ m[k - s];
                for j in 1..s {
                    next ^= (u64::from((a >> (s - 1 - j)) & 1) * m[k - j]) << j;
                }
                m.push(next);
            }
            let natural = |i: u64| {
                let bits = (0..16).filter(|k| i >> k & 1 == 1);
                bits.fold(0u64, |x, k| x ^ m[k] << (31 - k))
            };
            let mut ours: Vec<u64> = (0..256).map(|i| u64::from(coordinate(&directions(d), i))).collect();
            let mut theirs: Vec<u64> = (0..256).map(natural).collect();
            ours.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "dimension {}", d + 1);
        }
    }
}
