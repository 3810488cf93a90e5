//! Samples of a decaying motion → its poles, by Prony's method.
//!
//! A sum of n exponentials at equal intervals Δ satisfies x_{k+n} = Σ c_j x_{k+j}. The c_j by least squares, the roots z of
//! zⁿ = Σ c_j z^j by Durand and Kerner's iteration, s = ln z/Δ.

/// A pole as its natural frequency [rad/s], and its damping ratio.
pub type Pole = (f64, f64);

/// The poles of a motion about 0, sampled at an interval, with positive imaginary parts, the slowest first.
pub fn poles(samples: &[f64], order: usize, interval: f64) -> Vec<Pole> {
    let mut matrix = vec![vec![0.0; order + 1]; order];
    for window in samples.windows(order + 1) {
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry += window[i] * window[j];
            }
        }
    }
    let coefficients = solve(matrix);
    let mut found: Vec<Pole> = roots(&coefficients)
        .into_iter()
        .filter(|z| z.1 > 1e-9)
        .map(|(re, im)| {
            let (decay, frequency) =
                (libm::log(libm::hypot(re, im)) / interval, libm::atan2(im, re) / interval);
            let natural = libm::hypot(decay, frequency);
            (natural, -decay / natural)
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Natural frequency and damping ratio of a motion of two states: x_{k+1} = Φ x_k + c by least squares, the roots of
/// z² − tr Φ z + det Φ.
pub fn mode(states: &[[f64; 2]], interval: f64) -> Pole {
    let row = |i: usize| {
        let mut matrix = vec![vec![0.0; 4]; 3];
        for pair in states.windows(2) {
            let all = [pair[0][0], pair[0][1], 1.0, pair[1][i]];
            for (own, row) in all.iter().zip(&mut matrix) {
                all.iter().zip(row).for_each(|(x, entry)| *entry += own * x);
            }
        }
        solve(matrix)
    };
    let (first, second) = (row(0), row(1));
    let (trace, determinant) = (first[0] + second[1], first[0] * second[1] - first[1] * second[0]);
    let frequency = libm::atan2((determinant - 0.25 * trace * trace).sqrt(), 0.5 * trace) / interval;
    let decay = 0.5 * libm::log(determinant) / interval;
    let natural = libm::hypot(decay, frequency);
    (natural, -decay / natural)
}

/// Gaussian elimination with pivoting; the last column is the right side.
fn solve(mut m: Vec<Vec<f64>>) -> Vec<f64> {
    let n = m.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| m[*a][k].abs().total_cmp(&m[*b][k].abs())).unwrap();
        m.swap(k, pivot);
        for i in 0..n {
            if i != k {
                let factor = m[i][k] / m[k][k];
                (k..=n).for_each(|j| m[i][j] -= factor * m[k][j]);
            }
        }
    }
    (0..n).map(|k| m[k][n] / m[k][k]).collect()
}

/// Roots of zⁿ − Σ c_j z^j as real and imaginary parts.
fn roots(c: &[f64]) -> Vec<(f64, f64)> {
    let times = |a: (f64, f64), b: (f64, f64)| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let over = |a: (f64, f64), b: (f64, f64)| {
        let square = b.0 * b.0 + b.1 * b.1;
        let p = times(a, (b.0, -b.1));
        (p.0 / square, p.1 / square)
    };
    let value = |z: (f64, f64)| {
        let lower = c.iter().rev().fold((0.0, 0.0), |sum, c| {
            let p = times(sum, z);
            (p.0 + c, p.1)
        });
        let power = (0..c.len()).fold((1.0, 0.0), |power, _| times(power, z));
        (power.0 - lower.0, power.1 - lower.1)
    };
    let mut z: Vec<(f64, f64)> = Vec::new();
    let mut next = (1.0, 0.0);
    for _ in 0..c.len() {
        next = times(next, (0.4, 0.9));
        z.push(next);
    }
    for _ in 0..500 {
        for k in 0..z.len() {
            let others = (0..z.len())
                .filter(|j| *j != k)
                .fold((1.0, 0.0), |product, j| times(product, (z[k].0 - z[j].0, z[k].1 - z[j].1)));
            let step = over(value(z[k]), others);
            z[k] = (z[k].0 - step.0, z[k].1 - step.1);
        }
    }
    z
}

#[test]
fn poles_of_two_known_modes() {
    let mode = |t: f64, w: f64, zeta: f64, phase: f64| {
        libm::exp(-zeta * w * t) * libm::cos(w * (1.0 - zeta * zeta).sqrt() * t + phase)
    };
    let sample = |k: usize| {
        let t = 0.01 * k as f64;
        mode(t, 6.0, 0.2, 0.3) + 0.4 * mode(t, 70.0, 0.25, 1.0)
    };
    let samples: Vec<f64> = (0..80).map(sample).collect();
    let found = poles(&samples, 4, 0.01);
    let near = |(a, b): Pole, (c, d): Pole| (a / c - 1.0).abs() < 1e-6 && (b / d - 1.0).abs() < 1e-5;
    assert!(near(found[0], (6.0, 0.2)) && near(found[1], (70.0, 0.25)), "{found:?}");
}
