//! Figure 29: five balls on rods.

use super::play::{GRAVITY, Way, body};
use crate::lab::{at, build, step};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use libm::{atan2, fabs, pow, sqrt};
use windlass_engine::prelude::BodyId;
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "aero/cradle",
    paper: Paper::Aero,
    title: "Five balls on rods",
    place: "§5.1, Figures 28 and 29",
    about: "Five rubber balls hang on rods and touch; an outer one is released from the horizontal. Each impact transfers (1 + ε)/2 of the \
            speed, so that the last ball leaves with the fourth power of that. Run by the engine's integrators and by both of AERO's \
            ways of colliding.",
    timed: false,
    run,
};

const SCENE: &str = include_str!("../../../../scenes/aero/cradle.toml");
const EPSILON: f64 = 0.9;
const LENGTH: f64 = 1.0;
const BALLS: usize = 5;
const WAYS: [Way; 4] = [Way::Projected, Way::Impulses, Way::SpookSerial, Way::Springs(100.0)];

/// How the cradle swings.
struct Swung {
    /// Rise of the last ball after the first impact [m].
    rise: f64,
    /// Speed of the first before it, and of all after it [m/s].
    hit: f64,
    after: [f64; BALLS],
    /// Angles of the first and the last rod [deg] by time.
    angles: [Vec<(f64, f64)>; 2],
    /// Energy at the end over that at the start, both from the lowest state.
    energy: f64,
}

fn swing(way: Way, seconds: f64) -> Result<Swung, Trouble> {
    let mut world = build(SCENE, &[])?.world;
    way.choose(&mut world)?;
    let mut balls: Vec<BodyId> = Vec::new();
    for k in 0..BALLS {
        balls.push(body(&world, &format!("ball{k}"))?);
    }
    let pivots: Vec<f64> = (0..BALLS).map(|k| 0.1 * (2.0 * k as f64 - 4.0)).collect();
    let mut swung =
        Swung { rise: 0.0, hit: 0.0, after: [0.0; BALLS], angles: [Vec::new(), Vec::new()], energy: 0.0 };
    let mass = world.model().bodies().get(balls[0]).map_or(1.0, |b| b.mass.mass);
    while world.state().time < seconds {
        let report = step(&mut world)?;
        let all: [_; BALLS] = std::array::from_fn(|k| *at(&world, balls[k]));
        if swung.after[4] < 0.1 {
            swung.hit = swung.hit.max(all[0].velocity.length());
        }
        if report.time < 1.2 && all[4].velocity.x > swung.after[4] {
            swung.after = all.map(|b| b.velocity.x);
        }
        // the second impact comes after 1.4 s
        if report.time < 1.2 {
            swung.rise = swung.rise.max(all[4].position.z + LENGTH);
        }
        for (k, ball) in [0, BALLS - 1].into_iter().enumerate() {
            let (x, z) = (all[ball].position.x - pivots[ball], all[ball].position.z);
            swung.angles[k].push((report.time, atan2(x, -z).to_degrees()));
        }
        let heights =
            all.iter().map(|b| GRAVITY * (b.position.z + LENGTH) + 0.5 * b.velocity.length_squared());
        swung.energy = heights.sum::<f64>() * mass / (mass * GRAVITY * LENGTH);
    }
    Ok(swung)
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = context.pick(6.0, 1.2);
    context.parameter("balls", format!("{BALLS} of rubber, radius 10 cm, ε = {EPSILON}"));
    context.parameter("rods", format!("{LENGTH} m, the first from the horizontal"));
    context.parameter("step", "0.5 ms");
    let handed = pow(0.5 * (1.0 + EPSILON), 4.0);
    let speed = sqrt(2.0 * GRAVITY * LENGTH);
    let heads = [
        "way",
        "hit [m/s]",
        "last leaves [m/s]",
        "rises [m]",
        "sum of speeds over the hit",
        "energy at the end",
    ];
    let caption = "After the first blow: the last ball leaves with ((1 + ε)/2)⁴ of √2gL and rises by the square of that";
    let mut table = Table::new(caption, &heads);
    let exact =
        [number(speed), number(handed * speed), number(handed * handed * LENGTH), "1".into(), "–".into()];
    table.row(["closed form".to_string()].into_iter().chain(exact), Verdict::Told);
    let mut curves = Vec::new();
    for (i, way) in WAYS.into_iter().enumerate() {
        context.progress(i as f64 / 4.0)?;
        let swung = swing(way, seconds)?;
        let sum = swung.after.iter().sum::<f64>() / swung.hit;
        let good = fabs(swung.rise / (handed * handed * LENGTH) - 1.0) < 0.01 && fabs(sum - 1.0) < 0.01;
        // springs of neighbours act at the same time: no sequence of impacts
        let verdict = if matches!(way, Way::Springs(_)) { Verdict::Told } else { Verdict::of(good) };
        let cells = [
            way.name().to_string(),
            number(swung.hit),
            number(swung.after[4]),
            number(swung.rise),
            number(sum),
            number(swung.energy),
        ];
        table.row(cells, verdict);
        if way == Way::Impulses {
            let [first, last] = swung.angles;
            curves = vec![Curve::line("first ball", "°", first), Curve::line("last ball", "°", last)];
        }
    }
    context.table(table);
    let figure = Figure {
        x: Measure::new("time", "s"),
        y: Some("angle of the rod".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("The outer balls of the cradle, by impulses (Figure 29)", &figure);
    let mut table = Table::comparison(
        "What Figure 29 shows: the last ball swings out while the others nearly rest",
        "bound",
    );
    let swung = swing(Way::Impulses, 0.7)?;
    let rest = swung.after[..4].iter().map(|v| fabs(*v)).fold(0.0, f64::max);
    table.compare("fastest of the other four over the last", rest / swung.after[4], 0.1, Ask::AtMost);
    context.table(table);
    context.remark(
        "The paper's ε is not given; 0.9 is ours. Its rods are springs with dampers, which it makes ten times stiffer for this scene; ours \
         are rigid. The impact conserves momentum since the rods hang straight down then.",
    );
    Ok(())
}
