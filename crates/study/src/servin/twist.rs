//! Fig. 11: a cable is twisted: τ = c_t Ω, c_t = Y I_A / 2(1 + σ) L.

use super::square_cable::{ELEMENTS, LENGTH, MATERIALS, POISSON, second_moment, section, weightless};
use crate::lab::{settle, step};
use crate::{Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::{DQuat, DVec3};
use libm::fabs;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "servin/figure-11",
    paper: Paper::Servin,
    title: "A cable is twisted by tens of turns",
    place: "§VII-A, Fig. 11",
    about: "One end of a cable of rubber, nylon or steel, cut into 3 to 24 elements, is rotated by up to 233 rad (37 revolutions) and \
            the torque in the cable is read when it has come to rest. Theory is τ = c_t Ω. The paper's steel cable broke \
            down at 15 rad with 24 elements and at 96 rad with 12.",
    timed: false,
    run,
};

/// The largest twist of the paper [rad].
const MOST: f64 = 233.0;
/// Tolerance of the theory.
const WITHIN: f64 = 1e-3;
/// The strain under which it is twisted: T > τ²/4EI, below which a twisted rod leaves its line (Greenhill).
const STRAIN: f64 = 0.1;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let parts: &[f64] = context.pick(&[0.01, 0.0644, 0.2, 0.412, 0.7, 1.0], &[0.0644, 1.0]);
    context.parameter("length", format!("{LENGTH} m, pulled straight by {} %", 100.0 * STRAIN));
    context.parameter("twist at most", format!("{MOST} rad"));
    context.parameter("c_t of steel", format!("{} N·m/rad", number(stiffness(2e11))));
    let heads = [
        "material",
        "elements",
        "paper went to [rad]",
        "ours [rad]",
        "torque there [N·m]",
        "c_t Ω",
        "largest error",
        "asked",
    ];
    let mut table = Table::new("Twisted cables at rest (Fig. 11)", &heads);
    let mut curves = ELEMENTS.map(|n| Curve::dots(&format!("{n} elements"), "N·m", Vec::new())).to_vec();
    for (i, (material, young)) in MATERIALS.into_iter().enumerate() {
        for (k, elements) in ELEMENTS.into_iter().enumerate() {
            let (mut worst, mut last) = (0.0_f64, 0.0);
            for part in parts {
                let done = (i as f64 + k as f64 / ELEMENTS.len() as f64) / MATERIALS.len() as f64;
                let angle = part * MOST;
                let torques = torques(context, young, elements, angle, done)?;
                let want = stiffness(young) * angle;
                let error = |most: f64, torque: &f64| most.max(fabs(torque / want - 1.0));
                worst = torques.iter().fold(worst, error);
                last = torques[torques.len() / 2];
                curves[k].points.push((angle, last));
            }
            let cells = [
                material.to_string(),
                elements.to_string(),
                number(of_the_paper(material, elements)),
                number(MOST),
                number(last),
                number(stiffness(young) * MOST),
                number(worst),
                format!("≤ {WITHIN}"),
            ];
            table.row(cells, Verdict::of(worst <= WITHIN));
        }
        let line = parts.iter().map(|part| (part * MOST, stiffness(young) * part * MOST)).collect();
        curves.push(Curve::line(&format!("c_t Ω of {material}"), "N·m", line));
    }
    let figure = Figure {
        size: Some((720, 420)),
        x: Measure::new("twist", "rad"),
        scales: [Scale::Logarithmic; 2],
        y: Some("torque".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Torque over twist: dots by number of elements, lines the theory, as in Fig. 11", &figure);
    context.table(table);
    context.remark(
        "The cable is stretched by a tenth of its length, and its end is rotated rather than loaded by a torque. A free one leaves its \
         straight line beyond some 16 to 24 rad, as a rod of any material does (Greenhill: 2π EI/GI_A = 16.3 rad between balls); \
         the paper's break-down of steel at 15 rad lies there and is likely to be that. The paper's c_t has the bending moment \
         of area I_A; the true torsion constant of a square is 1.69 times as large, and the engine's `rectangle` takes that one.",
    );
    Ok(())
}

/// c_t of the whole cable [N·m/rad].
fn stiffness(young: f64) -> f64 {
    young * second_moment() / (2.0 * (1.0 + POISSON) * LENGTH)
}

/// How far the paper's cables were twisted [rad].
fn of_the_paper(material: &str, elements: usize) -> f64 {
    match (material, elements) {
        ("steel", 24) => 15.0,
        ("steel", 12) => 96.0,
        _ => MOST,
    }
}

/// Torques in all links at rest, with one end rotated by an angle.
fn torques(
    context: &StudyContext<'_>,
    young: f64,
    elements: usize,
    angle: f64,
    done: f64,
) -> Result<Vec<f64>, Trouble> {
    let (mut world, ground) = weightless()?;
    let far = LENGTH * (1.0 + STRAIN);
    // at most twelve radians per second
    let end = 1.0 + angle / 6.0;
    let path = Path {
        position: [far, 0.0, 0.0].map(Motion::Constant),
        rotations: vec![PathRotation {
            axis: DVec3::X,
            angle: Motion::Smooth { from: 0.0, to: angle, start: 0.0, end },
        }],
        orientation: DQuat::IDENTITY,
    };
    let head =
        world.add_body(Body::kinematic("head", path), DVec3::ZERO, DQuat::IDENTITY).map_err(Trouble::from)?;
    let ends = [ground, head].map(|body| End::Fast(Anchor::point(body, DVec3::ZERO)));
    let line = [DVec3::ZERO, DVec3::X * far];
    let laying =
        CableSpec { ends, elements, length: Some(LENGTH), ..CableSpec::new("cable", section(young), line) };
    let cable = world.add_cable(laying).map_err(Trouble::from)?;
    while world.state().time < end {
        step(&mut world)?;
    }
    settle(&mut world, || context.progress(done))?;
    Ok(world.cable_readings(cable).iter().map(|reading| reading.torque).collect())
}
