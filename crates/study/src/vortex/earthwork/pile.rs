//! Figure 26: a blade on a straight path into a conical pile, short and long, in the middle and beside it.

use super::cone::{self, BLADE, wedges};
use super::site::{self, Rig};
use crate::{Ask, StudyContext, Table, Trouble, number};
use glam::dvec3;
use libm::fabs;
use windlass_plot::{Curve, Figure, Measure};
use windlass_soil::ground::Stratum;

/// Height of the edge [m] and speed [m/s].
const EDGE: f64 = 0.1;
const SPEED: f64 = 0.2;
/// Time of a reading [s]: within it the edge passes no node, so the pile is as it was piled.
const READING: f64 = 4.0 / 60.0;

/// Draft and moment of a blade at a place in the pile.
fn found(width: f64, x: f64, y: f64) -> Result<[f64; 2], Trouble> {
    let [rake, phi, delta, density] = BLADE;
    let soil = site::soil([phi, delta], 0.0, density)?;
    // nodes beside x = −1, in cells of 0.1 m
    let terrain = site::terrain(soil, ([80, 80], 0.1), vec![Stratum::new(0, 5.0)], cone::height)?;
    let mut rig = Rig::new(terrain, (width, rake), dvec3(x, y, EDGE), SPEED)?;
    rig.mean(super::STEP)?;
    rig.mean(READING)
}

/// Blades of three lengths.
pub fn blades(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "A blade in a conical pile 1.5 m high at 30°, with its edge 0.1 m up (Figure 26): simulated, and by wedges on the cone";
    let mut table = Table::comparison(caption, "wedges on the cone");
    let count = context.pick(27, 7);
    let mut curves = Vec::new();
    let mut greatest = Vec::new();
    for width in [1.0, 2.0, 3.0] {
        let [draft, moment] = found(width, -1.0, 0.0)?;
        let [wedge, _] = wedges(width, [-1.0, 0.0, EDGE]);
        table.compare(&format!("{width} m: draft at x = −1 [N]"), draft, wedge, Ask::Part(0.05));
        let even = fabs(moment) / (draft * width);
        table.compare(
            &format!("{width} m: moment in the middle over draft and width"),
            even,
            1e-6,
            Ask::AtMost,
        );
        let mut way = Vec::new();
        for k in 0..count {
            let x = -2.2 + 2.6 * f64::from(k) / f64::from(count - 1);
            way.push((x, found(width, x, 0.0)?[0]));
        }
        greatest.push(way.iter().map(|(_, draft)| *draft).fold(0.0, f64::max));
        curves.push(Curve::line(&format!("blade of {width} m"), "N", way));
        let wedge =
            (0..=26).map(|k| -2.2 + 0.1 * f64::from(k)).map(|x| (x, wedges(width, [x, 0.0, EDGE])[0]));
        curves.push(Curve::dots(&format!("wedges, {width} m"), "N", wedge.collect()));
    }
    // the pile falls off sideways: longer blades need more, but less than in proportion
    let names = ["2 m over 1 m", "3 m over 1 m"];
    for (k, (name, width)) in names.into_iter().zip([2.0, 3.0]).enumerate() {
        let ratio = greatest[k + 1] / greatest[0];
        table.compare(&format!("greatest draft, {name}: above 1"), ratio, 1.0, Ask::AtLeast);
        table.compare(
            &format!("greatest draft, {name}: below the ratio of lengths"),
            ratio,
            width,
            Ask::AtMost,
        );
    }
    context.table(table);
    let x = Measure::new("place of the edge", "m");
    let figure = Figure { x, y: Some("draft".to_string()), curves, ..Figure::default() };
    context.figure("Draft of a blade on its way through a conical pile (Figure 26, right)", &figure);
    aside(context)
}

/// Beside the middle.
fn aside(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "The same beside the middle, at x = −1: the side in the pile is held back, so that the blade is turned towards the \
                   summit (Figure 26, left). Moment of the soil about the middle of the blade, upright axis [N·m]";
    let mut table = Table::comparison(caption, "wedges on the cone");
    for (width, y) in [(1.0, 0.5), (1.0, -0.5), (2.0, 0.5), (3.0, 0.5)] {
        let [draft, moment] = found(width, -1.0, y)?;
        let [wedge, turn] = wedges(width, [-1.0, y, EDGE]);
        let name = format!("{width} m, {} m aside", number(y));
        table.compare(&format!("{name}: draft [N]"), draft, wedge, Ask::Part(0.05));
        table.compare(&format!("{name}: moment"), moment, turn, Ask::Part(0.1));
    }
    context.table(table);
    Ok(())
}
