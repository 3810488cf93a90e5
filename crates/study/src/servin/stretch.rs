//! Fig. 10: a cable is pulled: f/YA = ΔL/L.

use super::square_cable::{AREA, ELEMENTS, LENGTH, MATERIALS, section, weightless};
use crate::lab::settle;
use crate::{Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::{DQuat, DVec3};
use libm::fabs;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "servin/figure-10",
    paper: Paper::Servin,
    title: "A cable is pulled",
    place: "§VII-A, Fig. 10",
    about: "A cable of rubber, nylon or steel, cut into 3 to 24 elements, is pulled at its ends with up to 1e7 N, or as much \
            as stretches it by half, and comes to rest. Theory is f/YA = ΔL/L; the paper saw it met, whatever the number of \
            elements.",
    timed: false,
    run,
};

/// The largest tension of the paper [N], and the largest strain.
const MOST: f64 = 1e7;
const WIDEST: f64 = 0.5;
/// Tolerance of the theory: the line width of the figure.
const WITHIN: f64 = 1e-3;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let parts: &[f64] = context.pick(&[0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 1.0], &[0.1, 1.0]);
    context.parameter("length, area", format!("{LENGTH} m, {AREA} m²"));
    context.parameter("pull at most", format!("{MOST:.0e} N, or what stretches by {} %", 100.0 * WIDEST));
    let heads = [
        "material",
        "elements",
        "largest pull [N]",
        "its ΔL/L",
        "f/YA",
        "largest error of all pulls",
        "asked",
    ];
    let mut table = Table::new("Pulled cables at rest (Fig. 10)", &heads);
    let mut curves = ELEMENTS.map(|n| Curve::dots(&format!("{n} elements"), "N", Vec::new())).to_vec();
    for (i, (material, young)) in MATERIALS.into_iter().enumerate() {
        let rigidity = young * AREA;
        let most = MOST.min(WIDEST * rigidity);
        for (k, elements) in ELEMENTS.into_iter().enumerate() {
            let (mut worst, mut last) = (0.0_f64, 0.0);
            for part in parts {
                let done = (i as f64 + k as f64 / ELEMENTS.len() as f64) / MATERIALS.len() as f64;
                let pull = part * most;
                last = strain(context, young, elements, pull, done)?;
                worst = worst.max(fabs(last * rigidity / pull - 1.0));
                curves[k].points.push((last, pull));
            }
            let cells = [
                material.to_string(),
                elements.to_string(),
                number(most),
                number(last),
                number(most / rigidity),
                number(worst),
                format!("≤ {WITHIN}"),
            ];
            table.row(cells, Verdict::of(worst <= WITHIN));
        }
        let line = parts.iter().map(|part| (part * most / rigidity, part * most)).collect();
        curves.push(Curve::line(&format!("YA ΔL/L of {material}"), "N", line));
    }
    let figure = Figure {
        size: Some((720, 420)),
        x: Measure::new("ΔL/L", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("pull".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Pull over strain: dots by number of elements, lines the theory, as in Fig. 10", &figure);
    context.table(table);
    context.remark(
        "The ends are held by half links, so that all links together represent the whole length. Without them, and with \
         the lengths L(a), L(b) of equations (35) to (37) taken for whole elements, a chain would be twice too soft.",
    );
    Ok(())
}

/// ΔL/L at rest under a tension.
fn strain(
    context: &StudyContext<'_>,
    young: f64,
    elements: usize,
    pull: f64,
    done: f64,
) -> Result<f64, Trouble> {
    let (mut world, ground) = weightless()?;
    let end = DVec3::X * LENGTH;
    // as heavy as to settle soon; at rest it has no part
    let block = Mass::principal(1e4, DVec3::ZERO, DVec3::splat(1e2), DQuat::IDENTITY);
    let block = world.add_body(Body::dynamic("block", block), end, DQuat::IDENTITY).map_err(Trouble::from)?;
    let ends = [ground, block].map(|body| End::Fast(Anchor::point(body, DVec3::ZERO)));
    let laying = CableSpec { ends, elements, ..CableSpec::new("cable", section(young), [DVec3::ZERO, end]) };
    world.add_cable(laying).map_err(Trouble::from)?;
    let force = Applied::force(Anchor::point(block, DVec3::ZERO), Direction::World(DVec3::X * pull));
    world.add_force(Force::Applied(force)).map_err(Trouble::from)?;
    settle(&mut world, || context.progress(done))?;
    Ok(world.state().bodies[block.index()].position.x / LENGTH - 1.0)
}
