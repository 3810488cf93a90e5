//! The engine's sparse solve against a dense LDLᵀ of the same system.
//!
//!   [ M  Jᵀ ] [ u  ]   [ p ]
//!   [ J  0  ] [ −Λ ] = [ r ]        bodies first: then no pivot vanishes and none need be sought
//!
//! The dense one is plain: right-looking, row by row, no blocking. Its rate in Gflop/s is printed, so that one can see
//! what a better one would take away from the ratio.

use crate::judge::FRAME;
use crate::measure::{self, Samples, timed};
use crate::ours::Ours;
use crate::row;
use crate::scenes;
use crate::table::Table;
use std::hint::black_box;
use windlass_engine::prelude::World;

/// A system, row-major, and its right side.
struct System {
    n: usize,
    a: Vec<f64>,
    b: Vec<f64>,
}

impl System {
    /// That of the last step of a world of rigid joints, bodies in the order of their places.
    fn of(world: &World) -> System {
        let s = world.stages();
        let mut count = 0;
        let entry: Vec<Option<usize>> = s
            .free
            .inertial
            .iter()
            .map(|i| {
                count += i.free as usize;
                i.free.then(|| 6 * (count - 1))
            })
            .collect();
        let n = 6 * count + s.rows.rows.len();
        let (mut a, mut b) = (vec![0.0; n * n], vec![0.0; n]);
        for (place, at) in entry.iter().enumerate().filter_map(|(p, at)| Some((p, (*at)?))) {
            for i in 0..3 {
                a[(at + i) * n + at + i] = s.free.inertial[place].mass;
                for j in 0..3 {
                    a[(at + 3 + i) * n + at + 3 + j] = s.free.inertia[place].col(j)[i];
                }
                b[at + i] = s.free.linear[place][i];
                b[at + 3 + i] = s.free.angular[place][i];
            }
        }
        for (index, row) in s.rows.rows.iter().enumerate() {
            let at = 6 * count + index;
            b[at] = -row.gap / world.model().settings().dt;
            for (block, to) in s.rows.blocks(index).iter().filter_map(|b| Some((b, entry[b.body as usize]?)))
            {
                for k in 0..3 {
                    for (place, value) in [(to + k, block.linear[k]), (to + 3 + k, block.angular[k])] {
                        a[at * n + place] = value;
                        a[place * n + at] = value;
                    }
                }
            }
        }
        System { n, a, b }
    }
}

/// A → L D Lᵀ in place (the upper triangle holds D Lᵀ), b → x.
#[inline(always)]
fn eliminate(n: usize, a: &mut [f64], x: &mut [f64]) {
    for k in 0..n {
        let (done, rest) = a.split_at_mut((k + 1) * n);
        let pivot = &done[k * n..];
        let inverse = 1.0 / pivot[k];
        for (i, row) in rest.chunks_exact_mut(n).enumerate().map(|(i, row)| (k + 1 + i, row)) {
            let l = pivot[i] * inverse;
            for (r, p) in row[i..].iter_mut().zip(&pivot[i..]) {
                *r -= l * p;
            }
            x[i] -= l * x[k];
        }
    }
    for k in (0..n).rev() {
        let row = &a[k * n..(k + 1) * n];
        let sum: f64 = row[k + 1..].iter().zip(&x[k + 1..]).map(|(a, x)| a * x).sum();
        x[k] = (x[k] - sum) / row[k];
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn eliminate_avx2(n: usize, a: &mut [f64], x: &mut [f64]) {
    eliminate(n, a, x);
}

/// The same instructions as the engine's sparse factor uses.
fn solve(n: usize, a: &mut [f64], x: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just reported AVX2.
        return unsafe { eliminate_avx2(n, a, x) };
    }
    eliminate(n, a, x);
}

/// One size: a chain in motion beside its dense system.
struct Case {
    ours: Ours,
    system: System,
    work: Vec<f64>,
    x: Vec<f64>,
    sparse: Samples,
    dense: Samples,
    /// Largest difference of a velocity between the two solutions.
    apart: f64,
}

impl Case {
    fn new(links: usize) -> Case {
        let mut ours = Ours::new(&scenes::chain(links), FRAME, 1);
        for _ in 0..30 {
            ours.step();
        }
        let system = System::of(&ours.world);
        let (mut work, mut x) = (system.a.clone(), system.b.clone());
        solve(system.n, &mut work, &mut x);
        // the ground is the first place, the links follow
        let twists = &ours.world.stages().solution.twists[1..];
        let apart = twists.iter().zip(x.chunks_exact(6)).fold(0.0, |m: f64, (t, x)| {
            let theirs = [t.velocity.to_array(), t.angular_velocity.to_array()].concat();
            theirs.iter().zip(x).fold(m, |m, (a, b)| m.max((a - b).abs()))
        });
        Case { ours, system, work, x, sparse: Samples::default(), dense: Samples::default(), apart }
    }

    fn sparse(&mut self, steps: usize) {
        for _ in 0..steps {
            self.sparse.push(self.ours.step().timing.solve.as_secs_f64() * 1e6);
        }
    }

    fn dense(&mut self) {
        let Case { system, work, x, .. } = self;
        let mut once = || {
            work.copy_from_slice(&system.a);
            x.copy_from_slice(&system.b);
            solve(system.n, black_box(work), black_box(x));
        };
        let repeat = measure::batch(&mut once);
        let time = timed(|| (0..repeat).for_each(|_| once()));
        self.dense.push(time / repeat as f64);
    }
}

pub fn run(quick: bool) -> Vec<Table> {
    let links: &[usize] = if quick { &[2, 11, 22] } else { &[2, 6, 11, 22, 44, 89] };
    let mut cases: Vec<Case> = links.iter().map(|n| Case::new(*n)).collect();
    for _ in 0..if quick { 5 } else { 40 } {
        for case in &mut cases {
            case.sparse(20);
            case.dense();
        }
    }
    let mut table = Table::new(
        "dense: one solve of the step's linear system [µs], minima and medians",
        &[
            "variables",
            "links",
            "sparse",
            "sparse median",
            "dense",
            "dense median",
            "dense/sparse",
            "dense Gflop/s",
            "apart",
        ],
    );
    for case in &cases {
        let n = case.system.n as f64;
        let (sparse, dense) = (case.sparse.min(), case.dense.min());
        let rate = n * n * n / 3.0 / dense * 1e-3;
        let medians = (case.sparse.median(), case.dense.median());
        let ratio = dense / sparse;
        table.push(row![
            case.system.n,
            case.system.n / 9,
            sparse,
            medians.0,
            dense,
            medians.1,
            ratio,
            rate,
            case.apart
        ]);
    }
    table.note("Sparse: the whole solve stage (Report.timing.solve): writing the matrix, factor, solve, check of the residual.");
    table.note("Dense: copying the matrix, factor, solve. Apart: largest difference between the two velocities [m/s, rad/s].");
    table.note("Tasora 2001 reports 2–3 times at about 100 variables and 20 times at 200, against full Gauss elimination.");
    vec![table]
}
