//! Figures 4 and 5: three materials, clamped at one end and released.

use super::cables::{PRINTED, Printed, REBUILDS, STEP, points};
use super::elastica::{curve, droop};
use crate::lab::{Damper, build, step};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use libm::fabs;
use windlass_engine::prelude::*;
use windlass_mass_point_cable::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "loock/figure-4",
    paper: Paper::Loock,
    title: "Three materials released under gravity",
    place: "§5.3, Figures 4 and 5",
    about: "The three cables of Figure 5, with its segments, stiffnesses and damping, are clamped horizontally and released. Their rest \
            positions are compared with the heavy elastica, the builds per step with the paper's ten. The same is done \
            with rubber, nylon and steel, as mass points and as the engine's other cables.",
    timed: false,
    run,
};

/// How a cable fell.
struct Fallen {
    shape: Vec<DVec3>,
    /// Height of its end by time.
    path: Vec<(f64, f64)>,
    /// Builds per step: mean and maximum; iterations of conjugate gradients per build.
    builds: [f64; 2],
    rounds: f64,
    /// Speed at the end [m/s].
    speed: f64,
}

fn fall(printed: &Printed, segments: usize, seconds: f64) -> Result<Fallen, Trouble> {
    let (mut world, id) = printed.released(segments, IterationLimits::default())?;
    let mut path = vec![(0.0, 0.0)];
    let (mut sum, mut most, mut rounds) = (0.0, 0.0f64, 0.0);
    let steps = (seconds / STEP) as usize;
    for _ in 0..steps {
        let report = step(&mut world)?;
        let work = world.subsystem_work::<MassPointCables>().unwrap();
        sum += f64::from(work.builds);
        most = most.max(f64::from(work.builds));
        rounds += f64::from(work.rounds);
        path.push((report.time, points(&world, id).last().map_or(0.0, |end| end.z)));
    }
    let speeds = MassPointCables::state(&world, id).unwrap().velocities.iter().map(|v| v.length());
    Ok(Fallen {
        shape: points(&world, id)[1..].to_vec(),
        path,
        builds: [sum / steps as f64, most],
        rounds: rounds / sum,
        speed: speeds.fold(0.0, f64::max),
    })
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let seconds = context.pick(15.0, 8.0);
    context.parameter("step", format!("{STEP} s"));
    context.parameter("cable", "1 m, 1 kg (m of Figure 5 read as the mass of the whole)");
    context.parameter("time", format!("{seconds} s"));
    context.table(readings());
    let heads = [
        "segments",
        "EI/m",
        "end hangs [m]",
        "elastica [m]",
        "asked",
        "builds of a step, mean",
        "most",
        "paper",
        "rounds of a build",
    ];
    let mut table =
        Table::new("Where the three cables come to rest (Figure 4), and the work of it (Figure 5)", &heads);
    let (mut shapes, mut exact, mut paths, mut hangs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (i, printed) in PRINTED.iter().enumerate() {
        context.progress(0.5 * i as f64 / 3.0)?;
        let fallen = fall(printed, printed.segments, seconds)?;
        let cord = printed.properties();
        let line = curve(cord.bend, cord.mass);
        let wanted = line.last().map_or(0.0, |end| -end.1);
        let hang = fallen.shape.last().map_or(0.0, |end| -end.z);
        hangs.push(hang);
        // EA = 500 N stretches by 1 % under 10 N, and 12 segments are few
        let good = fabs(hang / wanted - 1.0) < 0.03
            && fallen.builds[1] <= f64::from(REBUILDS)
            && fallen.speed < 1e-3;
        let cells = [
            printed.segments.to_string(),
            number(cord.bend),
            number(hang),
            number(wanted),
            "± 3 %".to_string(),
            number(fallen.builds[0]),
            number(fallen.builds[1]),
            REBUILDS.to_string(),
            number(fallen.rounds),
        ];
        table.row(cells, Verdict::of(good));
        let name = format!("{} segments", printed.segments);
        shapes.push(Curve::dotted_line(&name, "m", fallen.shape.iter().map(|p| (p.x, p.z)).collect()));
        exact.push(Curve::line(&format!("elastica, EI/m = {}", number(cord.bend)), "m", line));
        paths.push(Curve::line(&name, "m", fallen.path));
    }
    context.table(table);
    let mut order = Table::comparison("Stiffer ones hang less (Figure 4)", "half of the next");
    order.compare("12 segments [m]", hangs[0], 0.5 * hangs[1], Ask::AtMost);
    order.compare("20 segments [m]", hangs[1], 0.5 * hangs[2], Ask::AtMost);
    context.table(order);
    shapes.extend(exact);
    let figure =
        |x: Measure, curves: Vec<Curve>| Figure { x, y: Some("z".to_string()), curves, ..Figure::default() };
    context.figure(
        "The three cables at rest (Figure 4)",
        &Figure { size: Some((720, 560)), ..figure(Measure::new("x", "m"), shapes) },
    );
    context.figure("Their ends as they fall", &figure(Measure::new("time", "s"), paths));
    finer(context, seconds)?;
    materials(context)?;
    context.remark(
        "Of Figure 4 the text has only the caption, so shapes are compared with a closed form, not with the picture. The paper's clamp and \
         the length of its cables are not told. Damping of bends and by air is ours; Figure 5 damps stretching alone.",
    );
    Ok(())
}

/// Figure 5 implies one EA and three EI, if m is the mass of the whole.
fn readings() -> Table {
    let mut table = Table::new(
        "Figure 5 read as one cable in three materials",
        &["segments", "EA/m = k_L/m/N", "EI/m = k_B/m/N"],
    );
    let first = PRINTED[0].properties().stretch;
    for printed in &PRINTED {
        let cord = printed.properties();
        let same = fabs(cord.stretch / first - 1.0) < 1e-12;
        table.row([printed.segments.to_string(), number(cord.stretch), number(cord.bend)], Verdict::of(same));
    }
    table
}

/// The second cable, cut finer: it tends to the elastica.
fn finer(context: &mut StudyContext<'_>, seconds: f64) -> Result<(), Trouble> {
    let limp = &PRINTED[1];
    let cord = limp.properties();
    let exact = droop(cord.bend, cord.mass);
    let counts = context.pick(vec![5, 10, 20, 40, 80], vec![5, 10]);
    let mut points = Vec::new();
    for (i, count) in counts.iter().enumerate() {
        context.progress(0.5 + 0.3 * i as f64 / counts.len() as f64)?;
        let fallen = fall(limp, *count, seconds)?;
        let hang = fallen.shape.last().map_or(0.0, |end| -end.z);
        points.push((*count as f64, fabs(hang / exact - 1.0)));
    }
    let mut table =
        Table::comparison("Error of where the cable of EI/m = 62.5 hangs, by segments", "1/N² + 0.1 %");
    for (count, error) in &points {
        // rotations of joints are the trapezoidal rule for ∫ M (L − s)/EI ds, which is off by 1/N² for a beam's own
        // weight; the rest is the stretch of EA = 500 N, which the elastica has not
        table.compare(&format!("{count} segments"), *error, 1.0 / (count * count) + 1e-3, Ask::AtMost);
    }
    context.table(table);
    let figure = Figure {
        x: Measure::new("segments", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("error of the droop".to_string()),
        curves: vec![Curve::dotted_line("EI/m = 62.5", "", points)],
        ..Figure::default()
    };
    context.figure("Error against the heavy elastica", &figure);
    Ok(())
}

/// Rubber, nylon and steel of 8 mm: mass points, the engine's other cables, and the elastica.
fn materials(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.progress(0.8)?;
    let seconds = context.pick(20.0, 3.0);
    let mut built = [
        build(include_str!("../../../../scenes/cable/points.toml"), &[])?,
        build(include_str!("../../../../scenes/cable/materials.toml"), &[])?,
    ];
    for scene in &mut built {
        // rubber would swing for minutes otherwise
        let mut damper = Damper::default();
        while scene.world.state().time < seconds {
            damper.step(&mut scene.world)?;
        }
    }
    let [masses, links] = built.map(|scene| scene.world);
    let heads =
        ["material", "EI [N·m²]", "mass points [mm]", "rigid elements [mm]", "elastica [mm]", "asked"];
    let caption =
        "How far the ends of three cables of 8 mm and 1 m hang at rest, by both models of the engine";
    let mut table = Table::new(caption, &heads);
    for (id, points) in MassPointCables::all(&masses) {
        let model = links.model();
        let Some(cable) = model.cable(&points.name).and_then(|id| model.cables().get(id)) else { continue };
        let Some(last) = cable.elements.last() else { continue };
        let tip = Anchor::point(*last, DVec3::Z * (0.5 * cable.element));
        let hangs = [
            1.5 - MassPointCables::state(&masses, id).and_then(|s| s.positions.last()).map_or(0.0, |p| p.z),
            1.5 - model.frame(links.state(), &tip).at.z,
        ];
        let wanted = droop(points.properties.bend, points.properties.mass);
        // 20 segments: 1/N² of a stiff cable, and rubber stretches by some thousandths
        let good = hangs.iter().all(|hang| fabs(hang / wanted - 1.0) < 0.02);
        let cells = [
            cable.name.clone(),
            number(points.properties.bend),
            number(1e3 * hangs[0]),
            number(1e3 * hangs[1]),
            number(1e3 * wanted),
            "± 2 %".to_string(),
        ];
        table.row(cells, if seconds < 20.0 { Verdict::Told } else { Verdict::of(good) });
    }
    context.table(table);
    Ok(())
}
