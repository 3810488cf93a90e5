//! What one step of each integrator costs on the closed chains of a paper of 2001.
//!
//! Tasora, *An optimized Lagrangian-multiplier approach for interactive multibody simulation*, Table 2: closed kinematic
//! chains of 20 and 40 pieces, 180 and 360 variables (three rows a joint), 15 and 42 ms a step at 700 MHz.

use crate::judge::FRAME;
use crate::measure::{Samples, timed};
use crate::ours::Ours;
use crate::row;
use crate::scenes;
use crate::table::Table;
use windlass_engine::prelude::{Adaptive, Integrator};

/// Pieces and what the paper needed [µs].
const PAPER: [(usize, f64); 2] = [(20, 15_000.0), (40, 42_000.0)];

struct Case {
    pieces: usize,
    variables: usize,
    paper: f64,
    name: &'static str,
    ours: Ours,
    step: Samples,
}

pub fn run(quick: bool) -> Vec<Table> {
    let control = |tolerance| Integrator::DormandPrince(Adaptive { tolerance, ..Adaptive::default() });
    let integrators = [
        ("spook", Integrator::Spook),
        ("projected", Integrator::Projected),
        ("dormand-prince, one internal step", control(0.1)),
        ("dormand-prince, 1e-8", control(1e-8)),
    ];
    let mut cases = Vec::new();
    for (pieces, paper) in PAPER {
        let scene = scenes::necklace(pieces);
        for (name, integrator) in integrators {
            let mut ours = Ours::with(&scene, FRAME, 1, integrator);
            // both acceleration-level integrators start from joints that fit
            ours.world.assemble();
            (0..10).for_each(|_| drop(ours.step()));
            let (variables, step) = (scene.variables(), Samples::default());
            cases.push(Case { pieces, variables, paper, name, ours, step });
        }
    }
    for _ in 0..if quick { 20 } else { 300 } {
        for case in &mut cases {
            case.step.push(timed(|| case.ours.step()));
        }
    }
    let mut table = Table::new(
        "integrators: one step of 1/60 s of a closed chain on ball joints [µs], CPU time",
        &["pieces", "variables", "integrator", "min", "median", "paper", "paper/ours"],
    );
    for c in &cases {
        let (min, median) = (c.step.min(), c.step.median());
        table.push(row![c.pieces, c.variables, c.name, min, median, c.paper, c.paper / median]);
    }
    table.note("Paper: Tasora 2001, Table 2, on a 700 MHz processor: a clock of about a quarter of today's.");
    table.note(
        "Projected makes 4 evaluations a step, dormand-prince 7 an internal step, each then a correction.",
    );
    vec![table]
}
