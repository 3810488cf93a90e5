//! Fig. 12: a cable is bent into an arc by couples at its ends: τ = Y I_A / R.
//!
//! Elements are the sides of a polygon with N − 1 corners, each bent by τ l/YI_A. The middles of its sides lie on a
//! circle of the curvature (2/l) tan(κl/2), its corners on one of (2/l) sin(κl/2), κ = τ/YI_A, l = L/N: one above, one
//! below κ.

use super::square_cable::{ELEMENTS, LENGTH, MATERIALS, second_moment, section, weightless};
use crate::lab::settle;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use libm::fabs;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "servin/figure-12",
    paper: Paper::Servin,
    title: "A cable is bent into an arc",
    place: "§VII-A, Fig. 12",
    about: "Couples at its ends bend a cable of 3 to 24 elements into an arc, whose radius is taken from the middles of its \
            elements, as the paper does. Theory is τ = YI_A/R. The paper was off by 10 % with 6 elements and 2.5 % with 24, \
            and by a considerable part with 3.",
    timed: false,
    run,
};

/// The sharpest bend [1/m]: an arc of 5 rad.
const SHARPEST: f64 = 0.5;

/// How a bent cable lies: curvature through the middles of its elements, through its links, and in the mean of its
/// links [1/m].
struct Arc {
    middles: f64,
    corners: f64,
    links: f64,
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let parts: &[f64] = context.pick(&[0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0], &[0.2, 1.0]);
    context.parameter("length", format!("{LENGTH} m"));
    context.parameter("sharpest bend", format!("1/R = {SHARPEST} 1/m, an arc of {} rad", SHARPEST * LENGTH));
    let heads = [
        "elements",
        "material",
        "1/R by middles",
        "by links",
        "mean of the links' own",
        "τ/YI_A",
        "off",
        "paper",
        "asked",
    ];
    let mut table = Table::new("Bent cables at the largest torque [1/m] (Fig. 12)", &heads);
    let mut curves = Vec::new();
    for (k, elements) in ELEMENTS.into_iter().enumerate() {
        // all torques for one material, the largest for all: at rest they are alike
        for (i, (material, young)) in MATERIALS.into_iter().enumerate() {
            let done = (k as f64 + i as f64 / MATERIALS.len() as f64) / ELEMENTS.len() as f64;
            if material == "steel" {
                let mut points = Vec::new();
                for part in parts {
                    let want = part * SHARPEST;
                    points.push((bent(context, young, elements, want, done)?.middles, want));
                }
                curves.push(Curve::dots(&format!("{elements} elements"), "", points));
            }
            let arc = bent(context, young, elements, SHARPEST, done)?;
            let off = fabs(arc.middles / SHARPEST - 1.0);
            let (paper, verdict) = match elements {
                6 => ("10 %", Verdict::of(off <= 0.10)),
                24 => ("2.5 %", Verdict::of(off <= 0.025)),
                12 => ("between", Verdict::of(off <= 0.10)),
                _ => ("considerable", Verdict::Told),
            };
            let asked = if verdict == Verdict::Told { "–" } else { "at most the paper's" };
            let cells = [
                elements.to_string(),
                material.to_string(),
                number(arc.middles),
                number(arc.corners),
                number(arc.links),
                number(SHARPEST),
                format!("{} %", number(100.0 * off)),
                paper.to_string(),
                asked.to_string(),
            ];
            table.row(cells, verdict);
        }
    }
    curves.push(Curve::line("theory", "", vec![(0.0, 0.0), (1.3 * SHARPEST, 1.3 * SHARPEST)]));
    let figure = Figure {
        x: Measure::new("1/R", "1/m"),
        y: Some("τ/τ₁, τ₁ = YI_A/1 m".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Torque over curvature of a steel cable, as in Fig. 12", &figure);
    context.table(table);

    let mut polygon = Table::comparison(
        "The polygon explains the deviation: curvature by middles [1/m]",
        "(2/l) tan(κl/2)",
    );
    for elements in ELEMENTS {
        let arc = bent(context, 2e11, elements, SHARPEST, 1.0)?;
        let side = LENGTH / elements as f64;
        let want = 2.0 / side * libm::tan(0.5 * SHARPEST * side);
        polygon.compare(&format!("{elements} elements of steel"), arc.middles, want, Ask::Part(1e-3));
    }
    context.table(polygon);
    context.remark(
        "The deviation is not one of stiffness: each link bends by τ l/YI_A exactly. A polygon with that bend at each corner has \
         the middles of its sides on a smaller circle and its corners on a larger one.",
    );
    Ok(())
}

/// Bends a free cable by couples that ask for a curvature.
fn bent(
    context: &StudyContext<'_>,
    young: f64,
    elements: usize,
    curvature: f64,
    done: f64,
) -> Result<Arc, Trouble> {
    let (mut world, _) = weightless()?;
    let line = [DVec3::ZERO, DVec3::X * LENGTH];
    let laying = CableSpec { elements, ..CableSpec::new("cable", section(young), line) };
    let cable = world.add_cable(laying).map_err(Trouble::from)?;
    let list = world.cable_elements(cable);
    let moment = young * second_moment() * curvature;
    for (body, sign) in [(list[0], 1.0), (list[elements - 1], -1.0)] {
        let torque = Applied::torque(body, Direction::World(DVec3::Y * (sign * moment)));
        world.add_force(Force::Applied(torque)).map_err(Trouble::from)?;
    }
    settle(&mut world, || context.progress(done))?;
    let middles: Vec<DVec3> = list.iter().map(|body| world.state().bodies[body.index()].position).collect();
    let readings = world.cable_readings(cable);
    // a link more beyond each end, on the line of the outer elements
    let half = |from: DVec3, by: DVec3| from + (from - by);
    let mut corners: Vec<DVec3> = readings.iter().map(|reading| reading.point).collect();
    let (first, last) = (corners[0], corners[corners.len() - 1]);
    corners.insert(0, half(middles[0], first));
    corners.push(half(middles[elements - 1], last));
    let links = readings.iter().map(|reading| reading.curvature).sum::<f64>() / readings.len() as f64;
    Ok(Arc { middles: circle(&middles), corners: circle(&corners), links })
}

/// Curvature of the circle through the first, the middle and the last of some points.
fn circle(points: &[DVec3]) -> f64 {
    let [a, b, c] = [0, points.len() / 2, points.len() - 1].map(|k| points[k]);
    let [p, q, r] = [b - a, c - a, c - b];
    2.0 * p.cross(q).length() / (p.length() * q.length() * r.length())
}
