//! Speed of the particles on one thread, and the angles of discharge by friction.
//!
//! `cargo run --release -p windlass-soil --example particles -- speed`, or `angles` for the table in `friction.rs`.

#[path = "../tests/particles/discharge.rs"]
mod discharge;

use discharge::{Discharge, STEP};
use std::time::Instant;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("angles") => angles(),
        _ => speed(),
    }
}

/// Angle of discharge by μ and μ_r: mean and standard deviation of packings.
fn angles() {
    for friction in [0.2, 0.3, 0.5, 0.8] {
        for rolling in
            [0.0, 0.05, 0.1, 0.2, 0.3, 0.4].into_iter().filter(|r| friction == 0.5 || [0.0, 0.1].contains(r))
        {
            let count = if friction == 0.5 { 4 } else { 2 };
            let angles: Vec<f64> =
                (0..count).map(|seed| Discharge::new([friction, rolling], 40 + seed, 1.0).run(6.0)).collect();
            let mean = angles.iter().sum::<f64>() / count as f64;
            let variance = angles.iter().map(|a| (a - mean) * (a - mean)).sum::<f64>() / (count - 1) as f64;
            println!(
                "mu {friction} rolling {rolling}: {mean:.1} deg, deviation {:.1} of {count}",
                variance.sqrt()
            );
        }
    }
}

fn speed() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    pool.install(|| {
        let mut case = Discharge::new([0.5, 0.1], 1, 1.0);
        (0..120).for_each(|_| case.step());
        println!("settled: unrest {:.1e}", case.unrest());
        measure("at rest", &mut case);
        case.open();
        measure("discharge", &mut case);
        measure("discharge", &mut case);
    });
}

/// Particles per millisecond over one second.
fn measure(name: &str, case: &mut Discharge) {
    let (start, mut count, mut pairs) = (Instant::now(), 0, 0);
    for _ in 0..(1.0 / STEP) as usize {
        count += case.particles.len();
        case.step();
        pairs += case.work.candidates();
    }
    let time = start.elapsed().as_secs_f64() * 1e3;
    println!(
        "{name}: {:.0} particles/ms, {:.2} candidate pairs per particle",
        count as f64 / time,
        pairs as f64 / count as f64
    );
}
