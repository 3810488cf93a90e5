//! §2.6: the cost of solving a machine directly, and by as many Gauss–Seidel iterations as would be needed.

use super::boom::{Boom, Way};
use crate::lab::step;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use std::time::Instant;

pub static STUDY: Study = Study {
    name: "vortex/solver-cost",
    paper: Paper::Vortex,
    title: "Direct against iterative: the price of accuracy",
    place: "§2.6, Solving the MLCP",
    about: "The crane's boom of the study of artefacts is timed, solved directly and by Gauss–Seidel. The guide states that direct solvers are \
            more efficient where approximate solutions are not acceptable: iterations are increased until no hinge opens by 1 mm within \
            3 s, and the time of a step is compared.",
    timed: true,
    run,
};

/// The load on the boom [kg].
const LOAD: f64 = 100.0;

/// Wall time per step [s]. All batches do the same work, so each step counts with its best time: other work on the
/// machine only adds.
fn time(way: Way, steps: usize, batches: usize) -> Result<f64, Trouble> {
    let mut best = vec![f64::INFINITY; steps];
    for _ in 0..batches {
        let mut boom = Boom::new(way, LOAD)?;
        // the first step lays out the system
        step(&mut boom.world)?;
        for best in &mut best {
            let begun = Instant::now();
            step(&mut boom.world)?;
            *best = best.min(begun.elapsed().as_secs_f64());
        }
    }
    Ok(best.iter().sum::<f64>() / steps as f64)
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let (steps, batches) = context.pick((20, 20), (10, 3));
    let most: u32 = context.pick(12, 6);
    context.parameter("boom", format!("4 segments of 3 m and 200 kg, {LOAD} kg on its tip"));
    let direct = time(Way::Direct, steps, batches)?;
    let heads = ["solver", "time per step [µs]", "over direct", "widest gap within 3 s [m]"];
    let mut table = Table::new("Time per step of the boom", &heads);
    let gap = |way: Way| -> Result<f64, Trouble> { Ok(Boom::new(way, LOAD)?.fare(3.0).gap) };
    table.row(
        ["direct".to_string(), number(1e6 * direct), "1".to_string(), number(gap(Way::Direct)?)],
        Verdict::Told,
    );
    let mut enough = None;
    for power in (2..=most).step_by(2) {
        context.progress(f64::from(power) / f64::from(most))?;
        let way = Way::Sweeps(1 << power);
        let (took, widest) = (time(way, steps, 3)?, gap(way)?);
        let cells =
            [format!("{} sweeps", 1 << power), number(1e6 * took), number(took / direct), number(widest)];
        table.row(cells, Verdict::Told);
        if enough.is_none() && widest < 1e-3 {
            enough = Some((1 << power, took));
        }
    }
    context.table(table);
    let mut table = Table::comparison("Price of the same machine, in times of the direct solver", "bound");
    match enough {
        Some((sweeps, took)) => table.compare(&format!("{sweeps} sweeps"), took / direct, 1.0, Ask::AtLeast),
        // so many were not enough, and cost more already
        None => {
            let took = time(Way::Sweeps(1 << most), steps, 3)?;
            table.compare(
                &format!("{} sweeps, which are not enough", 1 << most),
                took / direct,
                1.0,
                Ask::AtLeast,
            );
        }
    }
    context.table(table);
    Ok(())
}
