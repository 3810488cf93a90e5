//! §2.6: what too few iterations do to a machine, and that the direct solver does not.

use super::boom::{Boom, Fared, LOAD, Way};
use super::rig::{add, at, set, step};
use crate::{Ask, Desk, Paper, Study, Table, Trouble, Verdict, number};
use glam::DVec3;
use libm::{cos, fabs, sin};
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "vortex/artefacts",
    paper: Paper::Vortex,
    title: "Direct against iterative: the artefacts of too few iterations",
    place: "§2.6, Solving the MLCP",
    about: "The guide lists what an iterative solver with too few iterations does: contacts are too soft, friction is too low, hinges \
            leave their sockets, bodies jitter. Each is provoked and measured by the number of sweeps of a projected Gauss–Seidel \
            solver, and for the direct one: on a crane's boom of four segments of 200 kg with 20 t on its tip, and on a box of \
            1 kg under one of 1 t, on level ground and on a slope.",
    timed: false,
    run,
};

/// Masses of the two boxes [kg].
const LIGHT: f64 = 1.0;
const HEAVY: f64 = 1000.0;
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.5;
/// Of the slope [deg]; boxes slide from 26.6° on.
const SLOPE: f64 = 15.0;

fn run(desk: &mut Desk<'_>) -> Result<(), Trouble> {
    desk.parameter("step", "1/60 s");
    desk.parameter("boom", format!("4 segments of 3 m and 200 kg, {} t on its tip", 1e-3 * LOAD));
    desk.parameter("boxes", format!("{LIGHT} kg under {HEAVY} kg, friction {FRICTION}, slope of {SLOPE}°"));
    boom(desk)?;
    boxes(desk)?;
    desk.remark(
        "The direct solver gives the same machine at any mass ratio, in one solve. Sweeps pass a load on by a joint or so each: what is \
         missing is a gap that opens, a boom that sinks, a force that is too small. They are kept for piles of like bodies, where \
         they do well; the engine chooses by itself. Starting each step from the forces of the last, as here, is the best that can be \
         done for them.",
    );
    Ok(())
}

/// The boom, by sweeps.
fn boom(desk: &mut Desk<'_>) -> Result<(), Trouble> {
    let seconds = desk.pick(3.0, 1.0);
    let powers = desk.pick(2..=13, 2..=5);
    let direct = Boom::new(Way::Direct)?.fare(seconds)?.ok_or(Trouble::Failed("the boom flies apart".into()))?;
    let caption = format!("Boom after {seconds} s: how far its tip has sunk, gaps of its hinges, force of its first tie, shaking");
    let heads = ["solver", "sag [m]", "widest gap [m]", "error of the tie's force", "shake [m/s²]"];
    let mut table = Table::new(&caption, &heads);
    let row = |table: &mut Table, name: String, fared: &Option<Fared>, verdict: Verdict| {
        let cells = match fared {
            Some(f) => [f.sag, f.gap, f.force, f.shake].map(number),
            None => ["flies apart".to_string(), "–".to_string(), "–".to_string(), "–".to_string()],
        };
        table.row([name].into_iter().chain(cells), verdict);
    };
    let sound = direct.sag < 1e-6 && direct.gap < 1e-6 && direct.force < 1e-6 && direct.shake < 1e-4;
    row(&mut table, "direct".to_string(), &Some(direct), Verdict::of(sound));
    let (mut sags, mut gaps) = (Vec::new(), Vec::new());
    let mut parts = Vec::new();
    for power in powers.clone() {
        desk.progress(0.6 * f64::from(power) / 14.0)?;
        let sweeps = 1u32 << power;
        let fared = Boom::new(Way::Sweeps(sweeps))?.fare(seconds)?;
        row(&mut table, format!("{sweeps} sweeps"), &fared, Verdict::Told);
        if let Some(f) = fared {
            sags.push((f64::from(sweeps), fabs(f.sag)));
            gaps.push((f64::from(sweeps), f.gap));
        }
        if let Some(f) = Boom::new(Way::Parts(sweeps))?.fare(seconds)? {
            parts.push((f64::from(sweeps), fabs(f.sag)));
        }
    }
    desk.table(table);
    let mut table = Table::comparison("What the guide says of it", "direct, or a bound");
    if let (Some(few), Some(many)) = (sags.first(), sags.last()) {
        table.compare("sag with the fewest sweeps [m]", few.1, 1e3 * fabs(direct.sag).max(1e-6), Ask::AtLeast);
        table.compare("sag with the most over that with the fewest", many.1 / few.1, 0.1, Ask::AtMost);
    }
    if let (Some(few), Some(many)) = (gaps.first(), gaps.last()) {
        table.compare("gap with the fewest sweeps [m]", few.1, 1e3 * direct.gap.max(1e-6), Ask::AtLeast);
        table.compare("gap with the most over that with the fewest", many.1 / few.1, 0.1, Ask::AtMost);
    }
    desk.table(table);
    let level = |height: f64| powers.clone().map(|p| (f64::from(1u32 << p), height)).collect();
    let figure = Figure {
        x: Measure::new("sweeps in a step", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("sag and gap".to_string()),
        curves: vec![
            Curve::dotted_line("sag of the tip", "m", sags),
            Curve::dotted_line("sag, step in eight parts", "m", parts),
            Curve::dotted_line("widest gap of a hinge", "m", gaps),
            Curve::line("widest gap, direct", "m", level(direct.gap.max(1e-15))),
        ],
        ..Figure::default()
    };
    desk.figure("A boom with 20 t on its tip by the number of sweeps", &figure);
    Ok(())
}

/// The two boxes after two seconds: how deep they overlap, and how far the upper one went down the slope.
fn stacked(way: Way, slope: f64) -> Result<(f64, f64), Trouble> {
    let mut world = World::default();
    let angle = slope.to_radians();
    set(&mut world, |s| s.gravity = GRAVITY * DVec3::new(sin(angle), 0.0, -cos(angle)))?;
    way.choose(&mut world)?;
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, Touch::rough(FRICTION));
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).map_err(Trouble::from)?;
    add(&mut world, Body::fixed("floor").touchable(Collider::of(Geometry::HalfSpace)), DVec3::ZERO)?;
    let (mut height, mut upper) = (0.0, None);
    for (name, mass, half) in [("light", LIGHT, 0.1), ("heavy", HEAVY, 0.25)] {
        let shape = Shape::Box { half: DVec3::new(half, half, half) };
        let total = Mass::of_total(&shape, mass).map_err(Trouble::from)?;
        height += half;
        let body = Body::free(name, total).touchable(Collider::new(shape));
        upper = Some(add(&mut world, body, DVec3::Z * height)?);
        height += half;
    }
    let upper = upper.ok_or(Trouble::Failed("no box".to_string()))?;
    let mut deepest = 0.0f64;
    for _ in 0..120 {
        deepest = deepest.max(step(&mut world)?.overlap);
    }
    Ok((deepest, at(&world, upper).position.with_z(0.0).length()))
}

/// Contacts that are too soft, and friction that is too low.
fn boxes(desk: &mut Desk<'_>) -> Result<(), Trouble> {
    let powers = desk.pick(2..=11, 2..=4);
    let heads = ["solver", "overlap on the level [mm]", "way down the slope [mm]"];
    let mut table = Table::new("A box of 1 kg under one of 1 t, after 2 s", &heads);
    let both = |way: Way| -> Result<[f64; 2], Trouble> { Ok([1e3 * stacked(way, 0.0)?.0, 1e3 * stacked(way, SLOPE)?.1]) };
    let direct = both(Way::Direct)?;
    let sound = direct[0] < 1e-2 && direct[1] < 0.1;
    table.row(["direct".to_string()].into_iter().chain(direct.map(number)), Verdict::of(sound));
    let (mut soft, mut loose) = (Vec::new(), Vec::new());
    for power in powers {
        desk.progress(0.6 + 0.4 * f64::from(power) / 12.0)?;
        let sweeps = 1u32 << power;
        let found = both(Way::Sweeps(sweeps))?;
        table.row([format!("{sweeps} sweeps")].into_iter().chain(found.map(number)), Verdict::Told);
        soft.push((f64::from(sweeps), found[0]));
        loose.push((f64::from(sweeps), found[1]));
    }
    desk.table(table);
    let mut table = Table::comparison("What the guide says of it", "direct, or a bound");
    table.compare("overlap with the fewest sweeps [mm]", soft[0].1, 100.0 * direct[0].max(1e-3), Ask::AtLeast);
    table.compare("way with the fewest sweeps [mm]", loose[0].1, 100.0 * direct[1].max(1e-3), Ask::AtLeast);
    desk.table(table);
    let figure = Figure {
        x: Measure::new("sweeps in a step", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("overlap and way".to_string()),
        curves: vec![
            Curve::dotted_line("overlap on the level", "mm", soft),
            Curve::dotted_line("way down a slope on which it should stand", "mm", loose),
        ],
        ..Figure::default()
    };
    desk.figure("A box of 1 kg under one of 1 t by the number of sweeps", &figure);
    Ok(())
}
