//! Figure 5: time per step by the number of segments.

use super::cables::{PRINTED, Printed, REBUILDS, STEP};
use crate::lab::step;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use std::time::Instant;
use windlass_mass_point_cable::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "loock/figure-5",
    paper: Paper::Loock,
    title: "Time per step of the three cables",
    place: "§5.3, Figure 5",
    about: "The three cables of Figure 5 are timed while they fall: with as many builds as they need, and with ten in every step as in the \
            figure. Times are reported. The target is that those of ten builds grow with the segments no faster than the paper's.",
    timed: true,
    run,
};

/// Wall time of a step [s] over the first second of the fall, and the mean of builds. All runs do the same work, so
/// each step counts with its best time: other work on the machine only adds.
fn time(printed: &Printed, effort: IterationLimits, runs: usize) -> Result<(f64, f64), Trouble> {
    let steps = (1.0 / STEP) as usize;
    let (mut best, mut builds) = (vec![f64::INFINITY; steps], 0.0);
    for _ in 0..runs {
        let (mut world, _) = printed.released(printed.segments, effort)?;
        builds = 0.0;
        for best in &mut best {
            let begun = Instant::now();
            step(&mut world)?;
            *best = best.min(begun.elapsed().as_secs_f64());
            builds += f64::from(world.subsystem_work::<MassPointCables>().unwrap().builds) / steps as f64;
        }
    }
    Ok((best.iter().sum::<f64>() / steps as f64, builds))
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let runs = context.pick(30, 3);
    context.parameter("step", format!("{STEP} s"));
    context.parameter("paper's machine", "MIPS R10000, 150 MHz");
    let heads = ["segments", "as needed [ms]", "builds", "ten builds [ms]", "builds", "paper [ms]"];
    let mut table = Table::new("Time per step (Figure 5)", &heads);
    let (mut needed, mut tens, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for (i, printed) in PRINTED.iter().enumerate() {
        context.progress(i as f64 / 3.0)?;
        let (own, few) = time(printed, IterationLimits::default(), runs)?;
        // a tolerance that is never met
        let effort = IterationLimits { rebuilds: REBUILDS, tolerance: 1e-300, ..IterationLimits::default() };
        let (ten, many) = time(printed, effort, runs)?;
        let cells = [
            printed.segments.to_string(),
            number(1e3 * own),
            number(few),
            number(1e3 * ten),
            number(many),
            number(printed.took),
        ];
        table.row(cells, Verdict::Told);
        let n = printed.segments as f64;
        needed.push((n, 1e3 * own));
        tens.push((n, 1e3 * ten));
        theirs.push((n, printed.took));
    }
    context.table(table);
    let mut table = Table::comparison("How the time of a step grows from 12 segments", "paper");
    for (k, name) in [(1, "to 20"), (2, "to 42")] {
        table.compare(
            &format!("{name}, as needed"),
            needed[k].1 / needed[0].1,
            theirs[k].1 / theirs[0].1,
            Ask::Nothing,
        );
        table.compare(
            &format!("{name}, ten builds"),
            tens[k].1 / tens[0].1,
            theirs[k].1 / theirs[0].1,
            Ask::AtMost,
        );
    }
    context.table(table);
    let figure = Figure {
        x: Measure::new("segments", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("time of a step".to_string()),
        curves: vec![
            Curve::dotted_line("engine, as many builds as needed", "ms", needed),
            Curve::dotted_line("engine, ten builds", "ms", tens),
            Curve::dots("paper", "ms", theirs),
        ],
        ..Figure::default()
    };
    context.figure("Time per step by segments (Figure 5)", &figure);
    Ok(())
}
