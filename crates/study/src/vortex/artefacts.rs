//! §2.6: what too few iterations do to a machine, and that the direct solver does not.

use super::boom::{Boom, Fared, Way};
use crate::lab::{add, at, step};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use libm::{cos, sin};
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "vortex/artefacts",
    paper: Paper::Vortex,
    title: "Direct against iterative: the artefacts of too few iterations",
    place: "§2.6, Solving the MLCP",
    about: "The guide lists what an iterative solver with too few iterations does: contacts are too soft, friction is too low, hinges \
            leave their sockets, bodies jitter. Each is provoked and measured by the number of iterations of a projected Gauss–Seidel \
            solver, and for the direct one: on a crane's boom of four segments of 200 kg with loads on its tip, and on a box of 1 kg \
            under one of 1 t, on level ground and on a slope.",
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

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("step", "1/60 s");
    context.parameter("boom", "4 segments of 3 m and 200 kg, on its tip 100 kg, 2 t or 20 t");
    context
        .parameter("boxes", format!("{LIGHT} kg under {HEAVY} kg, friction {FRICTION}, slope of {SLOPE}°"));
    boom(context)?;
    boxes(context)?;
    context.remark(
        "The direct solver gives the same machine at any mass ratio, in one solve. Sweeps over a whole step pass a load on by a joint or so \
         each; the residual feeds the correction of gaps, and with fewer than thousands of them the boom separates, at every \
         load. In eight substeps with corrections separate from the velocities, as in the engine by default, it holds, but sags and \
         vibrates: more under a heavier load, less with more iterations. Gauss–Seidel is used for piles of similar bodies; the engine chooses by \
         itself. Each step starts from the forces of the last.",
    );
    Ok(())
}

/// Loads on the boom [kg].
const LOADS: [f64; 3] = [100.0, 2000.0, 20_000.0];

/// Text of a table cell: gap, sag and vibration.
fn told(fared: &Fared) -> String {
    match fared.broke {
        Some(time) => format!("comes off at {time:.2} s"),
        None => format!("{:.1e} / {:.1e} / {:.1e}", fared.gap, fared.sag, fared.shake),
    }
}

/// The boom, by iterations and by load.
fn boom(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = context.pick(3.0, 1.0);
    let (powers, parts) = context.pick((2..=11, 6..=11), (2..=5, 6..=7));
    let caption = format!(
        "Boom within {seconds} s: widest gap of a hinge [m] / how far its tip sinks [m] / how it shakes [m/s²]"
    );
    let mut table = Table::new(&caption, &["solver", "100 kg", "2 t", "20 t"]);
    let fare = |way: Way| -> Result<Vec<Fared>, Trouble> {
        LOADS.iter().map(|load| Ok(Boom::new(way, *load)?.fare(seconds))).collect()
    };
    let direct = fare(Way::Direct)?;
    let sound =
        |f: &Fared| f.broke.is_none() && f.sag < 1e-6 && f.gap < 1e-6 && f.force < 1e-6 && f.shake < 1e-4;
    table.row(
        ["direct".to_string()].into_iter().chain(direct.iter().map(told)),
        Verdict::of(direct.iter().all(sound)),
    );
    let (mut gaps, mut few, mut needed) = ([(); 3].map(|()| Vec::new()), None, [f64::INFINITY; 3]);
    for power in powers.clone() {
        context.progress(0.3 * f64::from(power) / 12.0)?;
        let fared = fare(Way::Sweeps(1 << power))?;
        few.get_or_insert(fared[2]);
        table
            .row([format!("{} sweeps", 1 << power)].into_iter().chain(fared.iter().map(told)), Verdict::Told);
    }
    // a substep has at least eight iterations
    for power in parts {
        context.progress(0.3 + 0.3 * f64::from(power) / 12.0)?;
        let sweeps = 1u32 << power;
        let fared = fare(Way::Parts(sweeps))?;
        table.row(
            [format!("{sweeps}, in eight parts")].into_iter().chain(fared.iter().map(told)),
            Verdict::Told,
        );
        for (k, f) in fared.iter().enumerate().filter(|(_, f)| f.broke.is_none()) {
            gaps[k].push((f64::from(sweeps), f.gap));
            if f.gap < 1e-4 {
                needed[k] = needed[k].min(f64::from(sweeps));
            }
        }
    }
    context.table(table);
    let mut table = Table::comparison(
        "What the guide says of it: hinges leave their sockets, more so with a higher mass ratio",
        "bound",
    );
    if let Some(few) = few {
        table.compare("widest gap with the fewest sweeps, 20 t [m]", few.gap, 1e-3, Ask::AtLeast);
    }
    table.compare(
        "sweeps in eight parts for gaps below 0.1 mm: 2 t, and 100 kg",
        needed[1],
        needed[0],
        Ask::AtLeast,
    );
    table.compare("the same: 20 t, and 2 t", needed[2], needed[1], Ask::AtLeast);
    context.table(table);
    let named = ["100 kg", "2 t", "20 t"].into_iter().zip(gaps).filter(|(_, points)| !points.is_empty());
    let mut curves: Vec<Curve> = named.map(|(name, points)| Curve::dotted_line(name, "m", points)).collect();
    let exact = direct.iter().map(|f| f.gap).fold(1e-12, f64::max);
    curves.push(Curve::line(
        "direct, at most",
        "m",
        (6..=11).map(|p| (f64::from(1u32 << p), exact)).collect(),
    ));
    let figure = Figure {
        x: Measure::new("sweeps in a step", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("widest gap of a hinge".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Gaps of a boom's hinges by the number of sweeps, the step in eight parts", &figure);
    Ok(())
}

/// The two boxes after two seconds: their penetration, and the displacement of the upper one down the slope.
fn stacked(way: Way, slope: f64) -> Result<(f64, f64), Trouble> {
    let mut world = World::default();
    let angle = slope.to_radians();
    world.set(|s| s.gravity = GRAVITY * DVec3::new(sin(angle), 0.0, -cos(angle))).map_err(Trouble::from)?;
    way.choose(&mut world)?;
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, ContactParameters::rough(FRICTION));
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).map_err(Trouble::from)?;
    add(&mut world, Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace)), DVec3::ZERO)?;
    let (mut height, mut upper) = (0.0, None);
    // so flat that they do not tip on the slope
    for (name, mass, half) in [("light", LIGHT, 0.05), ("heavy", HEAVY, 0.15)] {
        let shape = Shape::Box { half: DVec3::new(0.25, 0.25, half) };
        let total = Mass::of_total(&shape, mass).map_err(Trouble::from)?;
        height += half;
        let body = Body::dynamic(name, total).with_collider(Collider::new(shape));
        upper = Some(add(&mut world, body, DVec3::Z * height)?);
        height += half;
    }
    let upper = upper.ok_or(Trouble::Failed("no box".to_string()))?;
    let mut deepest = 0.0f64;
    for _ in 0..120 {
        deepest = deepest.max(step(&mut world)?.penetration);
    }
    Ok((deepest, at(&world, upper).position.with_z(0.0).length()))
}

/// Contacts that are too soft, and friction that is too low.
fn boxes(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let powers = context.pick(2..=11, 2..=4);
    let heads = ["solver", "overlap on the level [mm]", "way down the slope [mm]"];
    let mut table = Table::new("A box of 1 kg under one of 1 t, after 2 s", &heads);
    let both = |way: Way| -> Result<[f64; 2], Trouble> {
        Ok([1e3 * stacked(way, 0.0)?.0, 1e3 * stacked(way, SLOPE)?.1])
    };
    let direct = both(Way::Direct)?;
    let sound = direct[0] < 1e-2 && direct[1] < 0.1;
    table.row(["direct".to_string()].into_iter().chain(direct.map(number)), Verdict::of(sound));
    let (mut soft, mut loose) = (Vec::new(), Vec::new());
    for power in powers {
        context.progress(0.6 + 0.4 * f64::from(power) / 12.0)?;
        let sweeps = 1u32 << power;
        let found = both(Way::Sweeps(sweeps))?;
        table.row([format!("{sweeps} sweeps")].into_iter().chain(found.map(number)), Verdict::Told);
        soft.push((f64::from(sweeps), found[0]));
        loose.push((f64::from(sweeps), found[1]));
    }
    context.table(table);
    let mut table = Table::comparison("What the guide says of it", "direct, or a bound");
    table.compare(
        "overlap with the fewest sweeps [mm]",
        soft[0].1,
        100.0 * direct[0].max(1e-3),
        Ask::AtLeast,
    );
    table.compare("way with the fewest sweeps [mm]", loose[0].1, 100.0 * direct[1].max(1e-3), Ask::AtLeast);
    context.table(table);
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
    context.figure("A box of 1 kg under one of 1 t by the number of sweeps", &figure);
    Ok(())
}
