//! Figures 21, 22 and 25: a row of spheres, a box that falls flat, a ball that slides.

use super::play::{GRAVITY, Way, solid, touching};
use crate::lab::{at, step};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "aero/impacts",
    paper: Paper::Aero,
    title: "Impacts one after another, and friction that spins",
    place: "§3.6 to §3.8, Figures 21, 22 and 25",
    about: "Three touching spheres are hit by the first of them; a cuboid falls flat onto a plane; a ball slides until it rolls. AERO makes \
            simultaneous impacts one after another, which passes an impact through a row of spheres but rotates a cuboid that falls \
            flat; its springs do not.",
    timed: false,
    run,
};

/// Speeds of three equal spheres, the last two touching, after the first has hit with 1 m/s.
fn row(way: Way) -> Result<[f64; 3], Trouble> {
    let mut world =
        touching(way, ContactParameters { restitution: 1.0, ..ContactParameters::rough(0.0) }, false)?;
    world.set(|s| (s.gravity, s.dt) = (DVec3::ZERO, 1e-3)).map_err(Trouble::from)?;
    let shape = Shape::Sphere { radius: 0.05 };
    let mut balls = Vec::new();
    for x in [-0.15, 0.0, 0.1] {
        balls.push(solid(&mut world, shape.clone(), 1.0, DVec3::X * x)?);
    }
    world.set_velocity(balls[0], DVec3::X, DVec3::ZERO).map_err(Trouble::from)?;
    for _ in 0..100 {
        step(&mut world)?;
    }
    Ok([0, 1, 2].map(|k| at(&world, balls[k]).velocity.x))
}

/// The largest angular velocity of a cuboid that falls flat from 20 cm, within a second [rad/s].
fn flat(way: Way) -> Result<f64, Trouble> {
    let mut world =
        touching(way, ContactParameters { restitution: 0.5, ..ContactParameters::default() }, true)?;
    let shape = Shape::Box { half: DVec3::new(0.2, 0.1, 0.05) };
    let cuboid = solid(&mut world, shape, 1.0, DVec3::Z * 0.25)?;
    let mut spin = 0.0f64;
    for _ in 0..60 {
        step(&mut world)?;
        spin = spin.max(at(&world, cuboid).angular_velocity.length());
    }
    Ok(spin)
}

/// Speed and circumferential speed by time of a ball that slides with 5 m/s.
fn slide(way: Way) -> Result<Vec<(f64, f64, f64)>, Trouble> {
    let mut world = touching(way, ContactParameters::rough(FRICTION), true)?;
    world.set(|s| s.dt = 1e-3).map_err(Trouble::from)?;
    let ball = solid(&mut world, Shape::Sphere { radius: RADIUS }, 5.0, DVec3::Z * RADIUS)?;
    world.set_velocity(ball, DVec3::X * SPEED, DVec3::ZERO).map_err(Trouble::from)?;
    let mut path = vec![(0.0, SPEED, 0.0)];
    for _ in 0..1000 {
        let report = step(&mut world)?;
        let b = at(&world, ball);
        path.push((report.time, b.velocity.x, RADIUS * b.angular_velocity.y));
    }
    Ok(path)
}

const FRICTION: f64 = 0.2;
const SPEED: f64 = 5.0;
const RADIUS: f64 = 0.1;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("spheres", "1 kg, ε = 1, the first with 1 m/s");
    context.parameter("cuboid", "40 × 20 × 10 cm, 1 kg, from 20 cm, ε = 0.5");
    context.parameter("ball", format!("radius {RADIUS} m, {SPEED} m/s, friction {FRICTION}"));
    let mut table = Table::new(
        "Speeds of three spheres after the impact [m/s] (Figure 21)",
        &["way", "first", "second", "third"],
    );
    for (way, serial) in [(Way::Impulses, true), (Way::SpookSerial, true), (Way::Spook, false)] {
        let v = row(way)?;
        let passed = v[0].abs() < 1e-3 && v[1].abs() < 1e-3 && (v[2] - 1.0).abs() < 1e-3;
        let verdict = if serial { Verdict::of(passed) } else { Verdict::Told };
        table.row([way.name().to_string()].into_iter().chain(v.map(number)), verdict);
    }
    context.table(table);
    context.progress(0.3)?;
    let mut table =
        Table::comparison("Largest spin of a cuboid that falls flat [rad/s] (Figure 22)", "bound");
    table.compare("impulses one after another turn it", flat(Way::Impulses)?, 0.1, Ask::AtLeast);
    table.compare("springs do not", flat(Way::Springs(100.0))?, 1e-3, Ask::AtMost);
    table.compare("nor do impacts at once (spook)", flat(Way::Spook)?, 1e-3, Ask::AtMost);
    context.table(table);
    context.progress(0.6)?;
    let mut table = Table::comparison("A ball that slides until it rolls (Figure 25)", "closed form");
    let mut curves = Vec::new();
    for way in [Way::Spook, Way::Impulses] {
        let path = slide(way)?;
        let rolls = path.iter().find(|(_, v, rim)| v - rim < 1e-3).map_or(f64::NAN, |p| p.0);
        let last = path.last().map_or(f64::NAN, |p| p.1);
        table.compare(
            &format!("{}: speed at last, 5v/7 [m/s]", way.name()),
            last,
            5.0 / 7.0 * SPEED,
            Ask::Part(2e-3),
        );
        let wanted = 2.0 * SPEED / (7.0 * FRICTION * GRAVITY);
        table.compare(&format!("{}: rolls after 2v/7μg [s]", way.name()), rolls, wanted, Ask::Part(5e-3));
        if way == Way::Impulses {
            curves.push(Curve::line("speed", "m/s", path.iter().map(|p| (p.0, p.1)).collect()));
            curves.push(Curve::line("radius times spin", "m/s", path.iter().map(|p| (p.0, p.2)).collect()));
        }
    }
    context.table(table);
    let figure =
        Figure { x: Measure::new("time", "s"), y: Some("speed".to_string()), curves, ..Figure::default() };
    context.figure("Dynamic friction induces rotation in a sliding sphere (Figure 25)", &figure);
    context.remark(
        "All at once, as spook solves impacts unless asked, the last two spheres of the row leave together.",
    );
    Ok(())
}
