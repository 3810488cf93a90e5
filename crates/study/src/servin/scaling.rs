//! Fig. 13: time per step by the number of elements and by stage.

use super::square_cable::{STEP, under};
use crate::lab::step;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::{DQuat, DVec3};
use libm::log;
use std::time::Duration;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "servin/figure-13",
    paper: Paper::Servin,
    title: "Time per step by the number of elements",
    place: "§VII-C, Fig. 13",
    about: "A cable from the world to a load of a hundred elements' mass swings from 30°. The time of a step is taken for 10 to \
            400 elements, as a whole and by stages. The paper's grows about linearly, with the Schur complement worst, and has more \
            than 100 elements in 1/60 s on a Pentium M of 1.7 GHz.",
    timed: true,
    run,
};

const ELEMENTS: [usize; 6] = [10, 25, 50, 100, 200, 400];
const RATIO: f64 = 100.0;
const LENGTH: f64 = 10.0;
/// The growth of time with the number of elements n^p counts as linear up to this p. (The paper: "roughly linearly".)
const LINEAR: f64 = 1.15;

/// Times of the stages of a step, medians of many [s].
#[derive(Clone, Copy)]
struct Stages {
    constrain: f64,
    partition: f64,
    solve: f64,
    integrate: f64,
    total: f64,
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let steps = context.pick(400, 60);
    context.parameter("mass ratio M/m", RATIO);
    context.parameter("steps timed", format!("{steps}, three times; the least of the medians"));
    let heads = [
        "elements",
        "constraints [µs]",
        "groups [µs]",
        "solve [µs]",
        "integrate [µs]",
        "whole step [µs]",
        "an element [µs]",
    ];
    let mut table = Table::new("Time per step (Fig. 13)", &heads);
    let mut all = Vec::new();
    for (k, elements) in ELEMENTS.into_iter().enumerate() {
        context.progress(k as f64 / ELEMENTS.len() as f64)?;
        let best = (0..3).map(|_| timed(elements, steps)).collect::<Result<Vec<_>, _>>()?;
        let stages = best.into_iter().min_by(|a, b| a.total.total_cmp(&b.total)).expect("three were timed");
        let micro = |seconds: f64| number(1e6 * seconds);
        let Stages { constrain, partition, solve, integrate, total } = stages;
        let cells = [elements.to_string()].into_iter();
        let each = total / elements as f64;
        table.row(
            cells.chain([constrain, partition, solve, integrate, total, each].map(micro)),
            Verdict::Told,
        );
        all.push((elements as f64, stages));
    }
    let curve = |name: &str, stage: fn(&Stages) -> f64| {
        Curve::dotted_line(name, "ms", all.iter().map(|(n, stages)| (*n, 1e3 * stage(stages))).collect())
    };
    let figure = Figure {
        x: Measure::new("elements", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("time of a step".to_string()),
        curves: vec![
            curve("whole step", |s| s.total),
            curve("constraints", |s| s.constrain),
            curve("groups", |s| s.partition),
            curve("solve", |s| s.solve),
            curve("integrate", |s| s.integrate),
        ],
        ..Figure::default()
    };
    context.figure("Time per step and per stage, as in Fig. 13", &figure);
    context.table(table);

    let mut growth = Table::comparison("Growth with the number of elements", "asked for");
    let power = |stage: fn(&Stages) -> f64| slope(&all[1..], stage);
    let name = |stage: &str| format!("power of n of {stage}, 25 to 400 elements: linear");
    growth.compare(&name("the whole step"), power(|s| s.total), LINEAR, Ask::AtMost);
    growth.compare(&name("the solve"), power(|s| s.solve), LINEAR, Ask::AtMost);
    let hundred = all.iter().find(|(n, _)| *n == 100.0).map_or(f64::NAN, |(_, stages)| stages.total);
    growth.compare(
        "elements whose step takes 1/60 s (the paper: more than 100)",
        100.0 * STEP / hundred,
        100.0,
        Ask::Nothing,
    );
    context.table(growth);
    context.remark(
        "The paper's stages are the Schur complement, the preconditioning solve and the iterations. The engine forms no Schur \
         complement: velocities and forces are solved together, the whole cable at once, so that there are no iterations either. \
         Times are of this machine and of the load on it; only their growth is judged.",
    );
    Ok(())
}

/// The power p of a time that grows as nᵖ: the slope of its logarithms by least squares.
fn slope(all: &[(f64, Stages)], stage: fn(&Stages) -> f64) -> f64 {
    let points: Vec<(f64, f64)> = all.iter().map(|(n, stages)| (log(*n), log(stage(stages)))).collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let (top, bottom) =
        points.iter().fold((0.0, 0.0), |(t, b), p| (t + (p.0 - x) * (p.1 - y), b + (p.0 - x) * (p.0 - x)));
    top / bottom
}

fn timed(elements: usize, steps: usize) -> Result<Stages, Trouble> {
    let mut world = swinging(elements)?;
    for _ in 0..60 {
        step(&mut world)?;
    }
    let timings = (0..steps).map(|_| Ok(step(&mut world)?.timing)).collect::<Result<Vec<_>, Trouble>>()?;
    let median = |stage: &dyn Fn(usize) -> Duration| {
        let mut times: Vec<f64> = (0..steps).map(|k| stage(k).as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        times[steps / 2]
    };
    Ok(Stages {
        constrain: median(&|k| timings[k].constrain),
        partition: median(&|k| timings[k].partition),
        solve: median(&|k| timings[k].solve),
        integrate: median(&|k| timings[k].integrate),
        total: median(&|k| timings[k].total()),
    })
}

/// Released at 30°, stretched by a thousandth at rest.
fn swinging(elements: usize) -> Result<World, Trouble> {
    let (mut world, ground) = under(DVec3::NEG_Z * 10.0)?;
    let weight = (RATIO + elements as f64) * 10.0;
    let bend = 7.5e-4 * weight;
    let section = Section {
        diameter: 0.1,
        mass_per_length: elements as f64 / LENGTH,
        stretch: 1e3 * weight,
        bend,
        twist: bend / 2.6,
        damping: [0.0; 3],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    };
    let tilt = std::f64::consts::FRAC_PI_6;
    let end = DVec3::new(libm::sin(tilt), 0.0, -libm::cos(tilt)) * (1.001 * LENGTH);
    let ball = Mass::of_total(&Shape::Sphere { radius: 0.25 }, RATIO).map_err(Trouble::from)?;
    let load = world.add_body(Body::dynamic("load", ball), end, DQuat::IDENTITY).map_err(Trouble::from)?;
    let ends = [ground, load].map(|body| End::Ball(Anchor::point(body, DVec3::ZERO)));
    let laying = CableSpec {
        ends,
        elements,
        length: Some(LENGTH),
        ..CableSpec::new("rope", section, [DVec3::ZERO, end])
    };
    world.add_cable(laying).map_err(Trouble::from)?;
    Ok(world)
}
