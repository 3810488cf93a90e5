//! Figure 23: an iron sphere settles into a plane, by springs and by penalty forces.
//!
//! Of a sphere put onto the plane at rest, with δ = mg/k:
//!
//! ```text
//!  penalty   x = δ (1 − e^{−ζωt} (cos ω′t + ζω/ω′ sin ω′t)),   ω′ = ω √(1 − ζ²)
//!  spring    reverses at 2δ, 2δ/e² − 2δ, …: k x while approaching, e² k x while separating; each swing is 2δ (1/e² − 1) less deep
//! ```

use super::play::{GRAVITY, Way, body, peaks, solid, touching};
use crate::lab::{at, build, step};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, number};
use glam::DVec3;
use libm::{cos, exp, fabs, sin, sqrt};
use std::f64::consts::TAU;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "aero/settling",
    paper: Paper::Aero,
    title: "An iron sphere settles: springs against penalty forces",
    place: "§3.7, Figure 23; §4.4",
    about: "A sphere of 32.9 kg is placed on a plane and released, once under AERO's spring method, once under its penalty method with the same \
            elasticity. The paper finds that penalty forces come to rest quickly and that springs swing for long; both have \
            closed forms.",
    timed: false,
    run,
};

const MASS: f64 = 32.9;
const RADIUS: f64 = 0.1;
/// Of the sphere on its spring [Hz]: it sinks by 2.5 mm.
const FREQUENCY: f64 = 10.0;
const EPSILON: f64 = 0.95;
const RATIO: f64 = 0.7;

/// Overlap of sphere and plane by time.
fn depth(way: Way, touch: ContactParameters, seconds: f64) -> Result<Vec<(f64, f64)>, Trouble> {
    let mut world = touching(way, touch, true)?;
    // so slow that the spring's two branches are met sharply
    world.set(|s| (s.dt, s.bounce_speed) = (1e-3, 5e-4)).map_err(Trouble::from)?;
    let sphere = solid(&mut world, Shape::Sphere { radius: RADIUS }, MASS, DVec3::Z * RADIUS)?;
    let mut path = vec![(0.0, 0.0)];
    while world.state().time < seconds {
        let report = step(&mut world)?;
        path.push((report.time, RADIUS - at(&world, sphere).position.z));
    }
    Ok(path)
}

/// When a path has come within a tenth of its end and stays there.
fn rests(path: &[(f64, f64)]) -> f64 {
    let end = path.last().map_or(0.0, |p| p.1);
    path.iter().rfind(|(_, x)| fabs(x - end) > 0.1 * end).map_or(0.0, |p| p.0)
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = context.pick(2.0, 0.5);
    let omega = TAU * FREQUENCY;
    let (stiffness, sunk) = (MASS * omega * omega, GRAVITY / (omega * omega));
    context.parameter("sphere", format!("{MASS} kg, radius {RADIUS} m"));
    context.parameter(
        "elasticity",
        format!("{} N/m: {FREQUENCY} Hz, sinks by {} mm", number(stiffness), number(1e3 * sunk)),
    );
    context.parameter("penalty", format!("damping ratio {RATIO}"));
    context.parameter("spring", format!("ε = {EPSILON}"));
    let damping = 2.0 * RATIO * MASS * omega;
    let soft =
        ContactParameters { spring: Some(Spring::new(stiffness, damping)), ..ContactParameters::default() };
    let penalty = depth(Way::Impulses, soft, seconds)?;
    context.progress(0.3)?;
    let springy = ContactParameters { restitution: EPSILON, ..ContactParameters::default() };
    let spring = depth(Way::Springs(FREQUENCY), springy, seconds)?;
    context.progress(0.6)?;
    let root = sqrt(1.0 - RATIO * RATIO);
    let exact = |t: f64| {
        let phase = omega * root * t;
        sunk * (1.0 - exp(-RATIO * omega * t) * (cos(phase) + RATIO / root * sin(phase)))
    };
    let mut table = Table::comparison("Depth [mm] (Figure 23)", "closed form");
    let off = penalty.iter().map(|(t, x)| fabs(x - exact(*t))).fold(0.0, f64::max);
    table.compare("penalty: farthest from the closed form", 1e3 * off, 0.0, Ask::Apart(0.02 * 1e3 * sunk));
    table.compare("penalty: at rest", 1e3 * penalty.last().map_or(0.0, |p| p.1), 1e3 * sunk, Ask::Part(1e-3));
    let mut turn = 2.0 * sunk;
    let turns = peaks(&spring);
    for (k, found) in turns.iter().take(context.pick(4, 2)).enumerate() {
        table.compare(
            &format!("spring: swing {} is deep by", k + 1),
            1e3 * found,
            1e3 * turn,
            Ask::Part(0.02),
        );
        turn -= 2.0 * sunk * (1.0 / (EPSILON * EPSILON) - 1.0);
    }
    context.table(table);
    let mut table = Table::comparison("Time until it stays within a tenth of its depth [s]", "bound");
    let (quick, slow) = (rests(&penalty), rests(&spring));
    table.compare("penalty", quick, 1.0 / FREQUENCY, Ask::AtMost);
    table.compare("spring over penalty", slow / quick, 3.0, Ask::AtLeast);
    context.table(table);
    let shown =
        |path: &[(f64, f64)]| path.iter().map(|(t, x)| (*t, -1e3 * x)).filter(|(t, _)| *t < 1.0).collect();
    let figure = Figure {
        x: Measure::new("time", "s"),
        y: Some("height of the lowest point".to_string()),
        curves: vec![
            Curve::line("spring method", "mm", shown(&spring)),
            Curve::line("penalty method", "mm", shown(&penalty)),
            Curve::dots(
                "penalty, closed form",
                "mm",
                (0..25).map(|k| 0.01 * f64::from(k)).map(|t| (t, -1e3 * exact(t))).collect(),
            ),
        ],
        ..Figure::default()
    };
    context.figure("Settling of an iron sphere (Figure 23)", &figure);
    scene(context)?;
    context.remark(
        "The paper does not give the sphere's size or elasticity, nor numbers for its figure: the sphere is of 20 cm, and \
         soft enough for its swing to be seen. Springs stop a swing by a fixed step of depth, as dry friction does, and not by \
         a factor.",
    );
    Ok(())
}

/// The same in real time: contacts as soft rows, with much damping and with little.
fn scene(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let mut world = build(include_str!("../../../../scenes/aero/settling.toml"), &[])?.world;
    let spheres = [body(&world, "damped")?, body(&world, "springy")?];
    let mut deepest = [0.0f64; 2];
    let mut last = [0.0; 2];
    while world.state().time < 1.0 {
        step(&mut world)?;
        for k in 0..2 {
            last[k] = 0.05 - at(&world, spheres[k]).position.z;
            deepest[k] = deepest[k].max(last[k]);
        }
    }
    let sunk = 3.75 * GRAVITY / 10e3;
    // half a swing of ζ = 0.05 overshoots by exp(−πζ/√(1−ζ²))
    let over = 1.0 + exp(-0.5 * TAU * 0.05 / sqrt(1.0 - 0.05 * 0.05));
    let mut table = Table::comparison("The scene aero/settling under spook: depth [mm]", "closed form");
    table.compare("ζ = 1, at rest", 1e3 * last[0], 1e3 * sunk, Ask::Part(1e-3));
    table.compare("ζ = 1, deepest", 1e3 * deepest[0], 1e3 * sunk, Ask::Part(1e-3));
    table.compare("ζ = 0.05, deepest", 1e3 * deepest[1], 1e3 * over * sunk, Ask::Part(0.01));
    context.table(table);
    Ok(())
}
