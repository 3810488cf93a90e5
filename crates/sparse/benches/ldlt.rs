//! µs per factorisation and solution, on one core: `cargo bench -p windlass-sparse`.
//!
//! Minimum over repetitions; the exponent is fitted between chains of 100 and 5000 links. The dense LDLᵀ is plain
//! column-oriented code on the same matrix in the same order of elimination, which needs no pivoting either.

use std::hint::black_box;
use std::time::Instant;

use windlass_sparse::{EdgeIx, Factor, Half, NodeIx, Orientation, Pattern};

/// Smallest time of `run` in µs, over about 0.3 s.
fn microseconds(mut run: impl FnMut()) -> f64 {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    while begin.elapsed().as_secs_f64() < 0.3 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e6
}

/// Bodies, and joints between the pairs `joints`; the first body is also tied to the ground.
fn pattern(bodies: usize, joints: &[(usize, usize)], rows: usize) -> Pattern {
    let mut pattern = Pattern::default();
    let bodies: Vec<NodeIx> = (0..bodies).map(|_| pattern.node(Half::Primal, 6)).collect();
    let anchor = pattern.node(Half::Dual, rows);
    pattern.edge(anchor, bodies[0]);
    for &(a, b) in joints {
        let joint = pattern.node(Half::Dual, rows);
        pattern.edge(joint, bodies[a]);
        pattern.edge(joint, bodies[b]);
    }
    pattern
}

fn chain(n: usize, rows: usize) -> Pattern {
    pattern(n, &(1..n).map(|k| (k - 1, k)).collect::<Vec<_>>(), rows)
}

fn tree(n: usize) -> Pattern {
    pattern(n, &(1..n).map(|k| ((k - 1) / 3, k)).collect::<Vec<_>>(), 3)
}

fn ring(n: usize) -> Pattern {
    pattern(n, &(0..n).map(|k| (k, (k + 1) % n)).collect::<Vec<_>>(), 3)
}

fn grid(n: usize) -> Pattern {
    let right = (0..n * n).filter(|k| k % n + 1 < n).map(|k| (k, k + 1));
    let down = (0..n * n - n).map(|k| (k, k + n));
    pattern(n * n, &right.chain(down).collect::<Vec<_>>(), 3)
}

/// The block of an edge: [1, −[r]×; 0, 1] with a lever arm that differs from edge to edge.
fn jacobian(edge: usize, row: usize, column: usize) -> f64 {
    let spread = |prime: usize| (edge * prime % 17) as f64 / 17.0 - 0.5;
    let r = [spread(5), spread(7), spread(11)];
    let sign = if edge.is_multiple_of(2) { 1.0 } else { -1.0 };
    let value = match (row, column) {
        (r, c) if r == c => 1.0,
        (0, 4) => r[2],
        (0, 5) => -r[1],
        (1, 3) => -r[2],
        (1, 5) => r[0],
        (2, 3) => r[1],
        (2, 4) => -r[0],
        _ => 0.0,
    };
    sign * value
}

fn write(factor: &mut Factor, pattern: &Pattern) {
    factor.clear();
    for (k, &(part, width)) in pattern.nodes().iter().enumerate() {
        if part == Half::Primal {
            let block = factor.diagonal_mut(NodeIx(k as u32));
            for r in 0..width {
                block[(width + 1) * r] = if r < 3 { 1.0 } else { 0.2 };
            }
        }
    }
    for e in 0..pattern.edges().len() {
        let rows = pattern.nodes()[pattern.edges()[e].0.0 as usize].1;
        let (block, orientation) = factor.coupling_mut(EdgeIx(e as u32));
        for (at, value) in block.iter_mut().enumerate() {
            *value = match orientation {
                Orientation::AsGiven => jacobian(e, at % rows, at / rows),
                Orientation::Transposed => jacobian(e, at / 6, at % 6),
            };
        }
    }
}

/// Prints the times of analysis, factorisation (time to write the values subtracted) and solution.
fn measure(name: &str, pattern: &Pattern, baseline: bool) -> (f64, f64) {
    let analyse = microseconds(|| drop(black_box(Factor::new(pattern))));
    let mut factor = Factor::new(pattern);
    if baseline {
        factor.force_baseline();
    }
    let writing = microseconds(|| write(&mut factor, pattern));
    let both = microseconds(|| {
        write(&mut factor, pattern);
        black_box(factor.factor());
    });
    let b: Vec<f64> = (0..factor.dimension()).map(|k| (k % 11) as f64 - 5.0).collect();
    let mut x = b.clone();
    let solve = microseconds(|| {
        x.copy_from_slice(&b);
        factor.solve(black_box(&mut x));
    });
    let factoring = both - writing;
    println!(
        "{name:<16} {:>8} {:>7} {analyse:>11.1} {factoring:>9.2} {solve:>9.2} {:>9.2}",
        factor.dimension(),
        factor.fill(),
        factoring + solve
    );
    assert_eq!(factor.dropped().len(), 0);
    (factoring, solve)
}

/// The matrix of the pattern in its order of elimination, row-major, dense.
fn dense(pattern: &Pattern) -> (usize, Vec<f64>) {
    let factor = Factor::new(pattern);
    let n = factor.dimension();
    let mut places = vec![0; pattern.nodes().len()];
    let mut next = 0;
    for node in factor.order() {
        places[node.0 as usize] = next;
        next += pattern.nodes()[node.0 as usize].1;
    }
    let mut a = vec![0.0; n * n];
    for (k, &(part, width)) in pattern.nodes().iter().enumerate() {
        for r in (0..width).filter(|_| part == Half::Primal) {
            a[(places[k] + r) * (n + 1)] = if r < 3 { 1.0 } else { 0.2 };
        }
    }
    for (e, &(i, j)) in pattern.edges().iter().enumerate() {
        for r in 0..3 {
            for c in 0..6 {
                let (p, q) = (places[i.0 as usize] + r, places[j.0 as usize] + c);
                a[p * n + q] = jacobian(e, r, c);
                a[q * n + p] = jacobian(e, r, c);
            }
        }
    }
    (n, a)
}

/// Dense LDLᵀ in place (upper triangle, row k becomes D_k Lᵀ) and solution of one right side.
fn dense_solve(n: usize, a: &mut [f64], x: &mut [f64]) {
    for k in 0..n {
        let (above, below) = a.split_at_mut((k + 1) * n);
        let pivot = &above[k * n..];
        for i in k + 1..n {
            let l = pivot[i] / pivot[k];
            let row = &mut below[(i - k - 1) * n..(i - k) * n];
            for c in i..n {
                row[c] -= l * pivot[c];
            }
            x[i] -= l * x[k];
        }
    }
    for k in (0..n).rev() {
        let row = &a[k * n..(k + 1) * n];
        let sum: f64 = (k + 1..n).map(|c| row[c] * x[c]).sum();
        x[k] = (x[k] - sum) / row[k];
    }
}

fn main() {
    println!(
        "{:<16} {:>8} {:>7} {:>11} {:>9} {:>9} {:>9}   (µs)",
        "", "unknowns", "fill", "analyse", "factor", "solve", "sum"
    );
    for baseline in [true, false] {
        println!("{}", if baseline { "baseline" } else { "detected" });
        let short = measure("chain 100", &chain(100, 3), baseline);
        measure("chain 1000", &chain(1000, 3), baseline);
        let long = measure("chain 5000", &chain(5000, 3), baseline);
        measure("cable 100", &chain(100, 6), baseline);
        measure("tree 1000", &tree(1000), baseline);
        measure("ring 1000", &ring(1000), baseline);
        measure("grid 10x10", &grid(10), baseline);
        let exponent = |short: f64, long: f64| (long / short).log10() / 50f64.log10();
        println!(
            "chain exponent: factor {:.3}, solve {:.3}",
            exponent(short.0, long.0),
            exponent(short.1, long.1)
        );
    }
    println!("dense LDLᵀ against sparse, factor + solve");
    for links in [10, 20, 40] {
        let pattern = chain(links, 3);
        let (n, a) = dense(&pattern);
        let (mut scratch, mut x) = (a.clone(), vec![1.0; n]);
        let time = microseconds(|| {
            scratch.copy_from_slice(&a);
            x.fill(1.0);
            dense_solve(n, &mut scratch, black_box(&mut x));
        });
        let sparse = measure(&format!("chain {links}"), &pattern, false);
        println!("{:<16} dense {time:.1} µs, ratio {:.1}", "", time / (sparse.0 + sparse.1));
    }
}
