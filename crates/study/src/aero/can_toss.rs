//! Figure 30: six cans and a ball.

use super::play::{GRAVITY, Way, body};
use crate::lab::{at, build, step};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "aero/can-toss",
    paper: Paper::Aero,
    title: "Can toss",
    place: "§5.2, Figure 30",
    about: "Six cans stand in a pyramid on a table, and a ball is thrown at them. The paper shows how the impulse of the ball is transferred to \
            the cans; here it is added up: momentum of ball and cans against weights and what table and floor push, energy, and \
            where the cans end.",
    timed: false,
    run,
};

const SCENE: &str = include_str!("../../../../scenes/aero/can-toss.toml");
const CANS: [&str; 6] =
    ["bottom0.can", "bottom1.can", "bottom2.can", "middle0.can", "middle1.can", "top.can"];
/// Height of the table [m].
const TABLE: f64 = 0.9;

/// How a throw went.
struct Thrown {
    /// How far a can had moved before the ball came [m].
    early: f64,
    /// Speed of the ball a tenth of a second after the impact [m/s].
    ball: f64,
    /// Momentum of all that flies, less what was pushed, over the ball's at first.
    lost: f64,
    /// By how much energy grew over its least so far, over the energy of the ball at first.
    gain: f64,
    /// Cans that fell off the table, and cans that no longer stand.
    off: usize,
    down: usize,
    /// Paths of the cans and of the ball: along the throw, and height [m].
    paths: Vec<Vec<(f64, f64)>>,
}

fn throw(way: Way, seconds: f64) -> Result<Thrown, Trouble> {
    let mut world = build(SCENE, &[])?.world;
    way.choose(&mut world)?;
    let dt = world.model().settings().dt;
    let mut flying = Vec::new();
    for name in CANS.iter().chain(&["ball"]) {
        flying.push(body(&world, name)?);
    }
    let fixed = [body(&world, "table")?, body(&world, "floor")?];
    let mass = |world: &World, id: BodyId| world.model().bodies().get(id).map_or(0.0, |b| b.mass.mass);
    let total: f64 = flying.iter().map(|id| mass(&world, *id)).sum();
    let momentum =
        |world: &World| flying.iter().map(|id| at(world, *id).velocity * mass(world, *id)).sum::<DVec3>();
    let (start, first) = (momentum(&world), *at(&world, flying[6]));
    let stood: Vec<DVec3> = flying.iter().map(|id| at(&world, *id).position).collect();
    let kick = 0.5 * mass(&world, flying[6]) * first.velocity.length_squared();
    let mut out =
        Thrown { early: 0.0, ball: 0.0, lost: 0.0, gain: 0.0, off: 0, down: 0, paths: vec![Vec::new(); 7] };
    let (mut pushed, mut least) = (DVec3::ZERO, f64::INFINITY);
    while world.state().time < seconds {
        let report = step(&mut world)?;
        pushed -= dt * fixed.iter().map(|id| world.contact_load(*id).force).sum::<DVec3>();
        // the ball touches the first can after 0.24 s
        if report.time < 0.23 {
            let moved = (0..6).map(|k| at(&world, flying[k]).position.distance(stood[k]));
            out.early = moved.fold(out.early, f64::max);
        }
        if report.time < 0.36 {
            out.ball = at(&world, flying[6]).velocity.length();
        }
        let energy = report.energy.total();
        least = least.min(energy);
        out.gain = out.gain.max((energy - least) / kick);
        if report.step % 5 == 0 {
            for (path, id) in out.paths.iter_mut().zip(&flying) {
                path.push((at(&world, *id).position.y, at(&world, *id).position.z));
            }
        }
    }
    // velocities lag by half a step
    let time = world.state().time - world.state().velocity_lag;
    let weight = DVec3::NEG_Z * (GRAVITY * total * time);
    out.lost = (momentum(&world) - start - weight - pushed).length() / start.length();
    let cans = || flying[..6].iter().map(|id| at(&world, *id));
    out.off = cans().filter(|b| b.position.z < TABLE).count();
    out.down = cans().filter(|b| b.position.z < TABLE || (b.orientation * DVec3::Z).z < 0.9).count();
    Ok(out)
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = context.pick(3.0, 0.6);
    context.parameter("cans", "six of 60 g, 12 cm high, on a table of 90 cm");
    context.parameter("ball", "250 g, 12 m/s");
    context.parameter("step, time", format!("1 ms, {seconds} s"));
    let heads = [
        "way",
        "cans move before [mm]",
        "ball after [m/s]",
        "momentum unexplained",
        "energy gained",
        "off the table",
        "not standing",
    ];
    let mut table =
        Table::new("The throw (Figure 30); momentum over the ball's, energy over the ball's", &heads);
    let mut curves = Vec::new();
    let mut hit = Vec::new();
    for (i, way) in [Way::Spook, Way::SpookSerial].into_iter().enumerate() {
        context.progress(0.5 * i as f64)?;
        let thrown = throw(way, seconds)?;
        let good = thrown.early < 1e-4 && thrown.lost < 0.01 && thrown.gain < 0.01 && thrown.down >= 1;
        let cells = [
            way.name().to_string(),
            number(1e3 * thrown.early),
            number(thrown.ball),
            number(thrown.lost),
            number(thrown.gain),
            thrown.off.to_string(),
            thrown.down.to_string(),
        ];
        table.row(cells, Verdict::of(good));
        hit.push(thrown.ball);
        if way == Way::Spook {
            let names = ["bottom 0", "bottom 1", "bottom 2", "middle 0", "middle 1", "top", "ball"];
            let drawn = names.iter().zip(thrown.paths);
            curves = drawn.map(|(name, path)| Curve::line(name, "m", path)).collect();
        }
    }
    context.table(table);
    let mut table = Table::comparison("Speed of the ball after the impact [m/s]", "before");
    for ball in &hit {
        table.compare("it has given some away, and goes on", *ball, 12.0, Ask::AtMost);
    }
    context.table(table);
    let figure = Figure {
        size: Some((720, 420)),
        x: Measure::new("along the throw", "m"),
        y: Some("height".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Paths of the ball and the cans, seen from the side (Figure 30)", &figure);
    context.remark(
        "The paper has no numbers of its throw. Momentum is asked to be explained within a hundredth of the ball's by weights and \
         contacts, energy never to grow by more than a hundredth of the ball's, and cans to stand still until the ball comes.",
    );
    Ok(())
}
