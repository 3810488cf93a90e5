//! Figure 19: a sphere falls from 5 cm and bounces.

use super::play::{GRAVITY, Way, body, peaks};
use crate::lab::{at, build, step};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use libm::{fabs, pow, sqrt};
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "aero/sphere-drop",
    paper: Paper::Aero,
    title: "A sphere falls to the ground",
    place: "§3.6, Figure 19",
    about: "A sphere is dropped from 5 cm with ε = 0.81, by each of the engine's integrators and by both of AERO's collision methods. Each \
            rebound should be ε² as high as the one before.",
    timed: false,
    run,
};

const SCENE: &str = include_str!("../../../../scenes/aero/sphere-drop.toml");
const HEIGHT: f64 = 0.05;
const RADIUS: f64 = 0.02;
const EPSILON: f64 = 0.81;
const WAYS: [(Way, f64); 4] = [
    // each rebound is off by what a step of 1 ms leaves open about its instant, 1 % of the 0.1 s of the fall at most
    (Way::Spook, 0.005),
    (Way::Projected, 0.002),
    (Way::Impulses, 0.002),
    // a spring goes from one branch to the other over the bounce speed of 5 mm/s
    (Way::Springs(1000.0), 0.03),
];

/// Height of the sphere above the ground by time.
fn path(way: Way, seconds: f64) -> Result<Vec<(f64, f64)>, Trouble> {
    let mut world = build(SCENE, &[])?.world;
    way.choose(&mut world)?;
    let sphere = body(&world, "sphere")?;
    let mut path = vec![(0.0, HEIGHT)];
    while world.state().time < seconds {
        let report = step(&mut world)?;
        path.push((report.time, at(&world, sphere).position.z - RADIUS));
    }
    Ok(path)
}

/// The height in closed form.
fn exact(time: f64) -> f64 {
    let (mut speed, mut left) = (sqrt(2.0 * GRAVITY * HEIGHT), time);
    let first = speed / GRAVITY;
    if left < first {
        return HEIGHT - 0.5 * GRAVITY * left * left;
    }
    left -= first;
    loop {
        speed *= EPSILON;
        let flight = 2.0 * speed / GRAVITY;
        if flight < 1e-4 {
            return 0.0;
        }
        if left < flight {
            return speed * left - 0.5 * GRAVITY * left * left;
        }
        left -= flight;
    }
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = context.pick(1.2, 0.6);
    let count = context.pick(6, 2);
    context.parameter("height, ε", format!("{HEIGHT} m, {EPSILON}"));
    context.parameter("step", "1 ms");
    context.parameter("springs of the spring method", "1000 Hz");
    let mut heads = vec!["rebound", "ε²ᵏ h [mm]"];
    heads.extend(WAYS.iter().map(|(way, _)| way.name()));
    let mut table = Table::new("Heights of rebounds [mm] (Figure 19)", &heads);
    let mut paths = Vec::new();
    for (i, (way, _)) in WAYS.iter().enumerate() {
        context.progress(i as f64 / 4.0)?;
        paths.push(path(*way, seconds)?);
    }
    let heights: Vec<Vec<f64>> = paths.iter().map(|path| peaks(path)).collect();
    for k in 0..count {
        let wanted = HEIGHT * pow(EPSILON, 2.0 * (k + 1) as f64);
        let found: Vec<f64> = heights.iter().map(|h| h.get(k).copied().unwrap_or(f64::NAN)).collect();
        let close = |(found, (way, within)): (&f64, &(Way, f64))| {
            let within = if *way == Way::Spook { within * (k + 1) as f64 } else { *within };
            fabs(found / wanted - 1.0) <= within
        };
        let good = found.iter().zip(&WAYS).all(close);
        let cells = [(k + 1).to_string(), number(1e3 * wanted)].into_iter();
        table.row(cells.chain(found.iter().map(|h| number(1e3 * h))), Verdict::of(good));
    }
    context.table(table);
    let mut table =
        Table::comparison("Farthest from the closed form within the first half second [mm]", "exact");
    for (path, (way, _)) in paths.iter().zip(&WAYS) {
        let early = path.iter().filter(|(time, _)| *time <= 0.5);
        let off = early.map(|(time, height)| fabs(height - exact(*time))).fold(0.0, f64::max);
        // at 1 m/s each of three impacts leaves 1 mm open in a step of 1 ms
        let within = if *way == Way::Spook { 3.0 } else { 1.0 };
        table.compare(way.name(), 1e3 * off, 0.0, Ask::Apart(within));
    }
    context.table(table);
    let fine = (0..=2400).map(|k| f64::from(k) * 5e-4).filter(|t| *t <= seconds);
    let mut curves = vec![Curve::line("closed form", "mm", fine.map(|t| (t, 1e3 * exact(t))).collect())];
    for (path, (way, _)) in paths.iter().zip(&WAYS) {
        let every = path.iter().step_by(15).map(|(t, z)| (*t, 1e3 * z)).collect();
        curves.push(Curve::dots(way.name(), "mm", every));
    }
    let figure =
        Figure { x: Measure::new("time", "s"), y: Some("height".to_string()), curves, ..Figure::default() };
    context.figure("Path of a sphere falling to the ground with ε = 0.81 (Figure 19)", &figure);
    context.remark(
        "Heights are asked within 0.5 % for each rebound under spook, 0.2 % under impulses and 3 % under springs. AERO's spring is ε times as stiff while surfaces \
         part, which makes √ε the ratio of speeds; here ε is the ratio of speeds everywhere, so the spring is ε² times as stiff.",
    );
    Ok(())
}
