//! Figure 1: torsion springs against springs from every point to the next but one.

use crate::{Ask, Paper, Study, StudyContext, Table, Trouble};
use glam::DVec3;
use libm::{cos, log, sin};
use std::f64::consts::FRAC_PI_2;
use windlass_mass_point_cable::bending::measure;
use windlass_mass_point_cable::stretching::Stretch;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "loock/springs",
    paper: Paper::Loock,
    title: "Torsion springs against flexion springs",
    place: "§5.1, Figure 1",
    about: "Two segments of length 1 are bent at their joint. The moment with which they straighten is taken from the engine's torsion \
            spring and from its linear spring of rest length 2 between the outer points, Provot's flexion spring, both as strong \
            at a right angle. The paper finds the latter too weak at small angles.",
    timed: false,
    run,
};

/// Moments of both springs at an angle, over that at a right angle.
fn moments(angle: f64) -> Option<[f64; 2]> {
    let raw = |angle: f64| {
        let (b, a) = (DVec3::X, DVec3::new(cos(angle), sin(angle), 0.0));
        let turning = DVec3::new(-sin(angle), cos(angle), 0.0);
        let torsion = measure(a, b, DVec3::ZERO)?.gradient[0].dot(turning);
        let flexion = Stretch { stiffness: 1.0, rest: 2.0 }.gradient(a + b).dot(turning);
        Some([torsion, flexion])
    };
    let (here, right) = (raw(angle)?, raw(FRAC_PI_2)?);
    Some([here[0] / right[0], here[1] / right[1]])
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let at = |angle: f64| moments(angle).ok_or(Trouble::Failed("no angle between the segments".to_string()));
    context.parameter("segments", "two of length 1, bent by 0.5° to 90°");
    // k (2 − 2 cos φ/2) pushes the outer points apart, which rotates a segment with lever arm sin φ/2
    let closed = |angle: f64| {
        let law = |angle: f64| (1.0 - cos(0.5 * angle)) * sin(0.5 * angle);
        law(angle) / law(FRAC_PI_2)
    };
    let mut table = Table::comparison("Moment over that at a right angle (Figure 1)", "closed form");
    for degrees in [1.0f64, 5.0, 15.0, 45.0, 90.0] {
        context.progress(degrees / 90.0)?;
        let angle = degrees.to_radians();
        let [torsion, flexion] = at(angle)?;
        table.compare(&format!("torsion spring at {degrees}°"), torsion, angle / FRAC_PI_2, Ask::Part(1e-9));
        table.compare(&format!("flexion spring at {degrees}°"), flexion, closed(angle), Ask::Part(1e-6));
    }
    // slope of the logarithms between 1° and 2°
    let [one, two] = [at(1f64.to_radians())?, at(2f64.to_radians())?];
    let power = |k: usize| log(two[k] / one[k]) / log(2.0);
    table.compare("power of the angle, torsion", power(0), 1.0, Ask::Apart(1e-3));
    table.compare("power of the angle, flexion", power(1), 3.0, Ask::Apart(1e-2));
    context.table(table);
    let mut lines = [Vec::new(), Vec::new()];
    for k in 1..=180 {
        let degrees = 0.5 * f64::from(k);
        let found = at(degrees.to_radians())?;
        (0..2).for_each(|i| lines[i].push((degrees, found[i])));
    }
    let [torsion, flexion] = lines;
    let figure = Figure {
        x: Measure::new("angle", "°"),
        scales: [Scale::Logarithmic; 2],
        y: Some("moment over that at 90°".to_string()),
        curves: vec![Curve::line("torsion spring", "", torsion), Curve::line("flexion spring", "", flexion)],
        ..Figure::default()
    };
    context.figure("Moment of two springs that bend alike at a right angle", &figure);
    context.remark(
        "At 1° the flexion spring has less than a thousandth of the torsion spring's moment: a cable of such springs is limp while it is \
         nearly straight, as the paper says.",
    );
    Ok(())
}
