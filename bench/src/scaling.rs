//! Cost of a step against the number of links, whole and by stage.

use crate::judge::FRAME;
use crate::measure::{Samples, cpu, exponent};
use crate::ours::Ours;
use crate::row;
use crate::scenes::{self, Scene};
use crate::table::{Cell, Table};
use windlass_engine::report::Timing;

const STAGES: [&str; 5] = ["force", "constrain", "partition", "solve", "integrate"];

/// Largest exponent that still counts as linear.
const LINEAR: f64 = 1.05;

/// Most a step of the 100-link chain may cost [µs].
const CHAIN_100: f64 = 60.0;

fn stages(t: &Timing) -> [f64; 5] {
    [t.force, t.constrain, t.partition, t.solve, t.integrate].map(|d| d.as_secs_f64() * 1e6)
}

/// Makes a scene of so many links.
type Make = fn(usize) -> Scene;

struct Case {
    shape: &'static str,
    links: usize,
    ours: Ours,
    step: Samples,
    stages: [Samples; 5],
    /// Steps one reading of the clock covers.
    batch: usize,
}

impl Case {
    fn new(shape: &'static str, links: usize, scene: &Scene) -> Case {
        let mut ours = Ours::new(scene, FRAME, 1);
        // the first steps lay out the system and settle the stirring
        for _ in 0..20 {
            ours.step();
        }
        let batch = (300 / links).max(1);
        Case { shape, links, ours, step: Samples::default(), stages: Default::default(), batch }
    }

    fn round(&mut self, readings: usize) {
        for _ in 0..readings {
            let start = cpu();
            let mut last = Timing::default();
            for _ in 0..self.batch {
                last = self.ours.step().timing;
            }
            self.step.push((cpu() - start) / self.batch as f64);
            for (samples, time) in self.stages.iter_mut().zip(stages(&last)) {
                samples.push(time);
            }
        }
    }
}

pub fn run(quick: bool) -> Vec<Table> {
    let sizes: &[usize] = if quick { &[50, 100, 200, 500] } else { &[50, 100, 200, 500, 1000, 2000, 5000] };
    let shapes: [(&str, Make); 3] =
        [("chain", scenes::chain), ("tree", scenes::tree), ("ring", scenes::stirred_ring)];
    let mut cases = Vec::new();
    for (shape, make) in shapes {
        cases.extend(sizes.iter().map(|n| Case::new(shape, *n, &make(*n))));
    }
    for _ in 0..if quick { 3 } else { 12 } {
        for case in &mut cases {
            // about the same time on every size
            case.round((4000 / case.links).clamp(4, 30));
        }
    }
    vec![costs(&cases), exponents(&cases, shapes.map(|(shape, _)| shape))]
}

fn costs(cases: &[Case]) -> Table {
    let mut table = Table::new(
        "scaling: one step of 1/60 s [µs]; CPU time, stages by the engine's own clock, medians",
        &[
            "shape",
            "links",
            "min",
            "median",
            "ns/link",
            "force",
            "constrain",
            "partition",
            "solve",
            "integrate",
        ],
    );
    for case in cases {
        let min = case.step.min();
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|k| case.stages[k].median());
        let per_link = Cell::Number((1e3 * min / case.links as f64).round(), 17);
        table.push(row![case.shape, case.links, min, case.step.median(), per_link, a, b, c, d, e]);
    }
    table.note("Chains and trees on ball joints, links of 1 m; rings on hinges, links of 0.5 m; all moving, no gravity.");
    if let Some(case) = cases.iter().find(|c| c.shape == "chain" && c.links == 100) {
        let min = case.step.min();
        let told = if min < CHAIN_100 { "met" } else { "MISSED" };
        table.note(format!("Target: chain of 100 below {CHAIN_100} µs: {min:.1} µs, {told}."));
    }
    table
}

fn exponents(cases: &[Case], shapes: [&'static str; 3]) -> Table {
    let mut columns = vec!["shape", "step", "target", "up to 500"];
    columns.extend(STAGES);
    let title = "scaling: exponent k of cost = c·linksᵏ, least squares over all sizes, minima";
    let mut table = Table::new(title, &columns);
    for shape in shapes {
        let of = |most: usize, samples: &dyn Fn(&Case) -> f64| {
            let chosen = cases.iter().filter(|c| c.shape == shape && c.links <= most);
            exponent(&chosen.map(|c| (c.links as f64, samples(c))).collect::<Vec<_>>())
        };
        let whole = of(usize::MAX, &|c| c.step.min());
        let told = if whole <= LINEAR { "met" } else { "MISSED" };
        let mut cells = row![shape, whole, format!("≤ {LINEAR}: {told}"), of(500, &|c| c.step.min())];
        cells.extend((0..5).map(|k| Cell::from(of(usize::MAX, &|c| c.stages[k].min()))));
        table.push(cells);
    }
    table.note("Up to 500: the same for the step over the smaller sizes alone, which stay in the second-level cache.");
    table
}
