//! Figure 30: lift and drag of a plate by its angle of attack, and a plate that glides.
//!
//! ```text
//!  faces that meet the flow    A with n·v̂ = sin α,  leading edge E with n·v̂ = cos α
//!  (51), (52)                  D = ½ρ d v² (A sin α + E cos α)        L = ½ρ l v² (A − E) sin α cos α
//!  pressure law                D = ½ρ C v² (A sin³α + E cos³α)        L = ½ρ C v² (A sin²α cos α − E cos²α sin α)
//!  gliding at a slope γ        tan γ = D/L,   (m − ρV) g = D sin γ + L cos γ,   α = γ − θ for a plate held at θ
//! ```

use super::drag::summed;
use super::tank::{GRAVITY, Immersed, Support, WATER};
use crate::vortex::steps::{Within, at_steps, root, steps_row, steps_table};
use crate::{StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use libm::{cos, fabs, sin, sqrt};
use std::f64::consts::FRAC_PI_2;
use windlass_engine::math;
use windlass_fluid::Drag;
use windlass_fluid::mesh::ClosedMesh;
use windlass_plot::{Curve, Figure, Measure};

/// The plate [m, kg/m³]: a face of 1 m².
const PLATE: DVec3 = DVec3::new(1.0, 1.0, 0.01);
const DENSITY: f64 = 2700.0;
/// Coefficients of drag and lift, and of the pressure law: a flat plate across has 1.2.
const COEFFICIENTS: [f64; 2] = [1.2, 1.2];
const PRESSURE: f64 = 1.2;
/// Speed of the stream [m/s].
const SPEED: f64 = 2.0;
/// Angle at which the gliding plate is held [rad].
const HELD: f64 = FRAC_PI_2 / 3.0;

const PROJECTED: Drag = Drag::Projected { drag: COEFFICIENTS[0], lift: COEFFICIENTS[1] };

/// Drag and lift over ½ρ v² [m²], by (51) and (52) on exposed faces.
fn projected(angle: f64) -> [f64; 2] {
    let (s, c) = (sin(angle), cos(angle));
    let (face, edge) = (PLATE.x * PLATE.y, PLATE.y * PLATE.z);
    [COEFFICIENTS[0] * (face * s + edge * c), COEFFICIENTS[1] * (face - edge) * s * c]
}

/// The same by the pressure law.
fn pressure(angle: f64) -> [f64; 2] {
    let (s, c) = (sin(angle), cos(angle));
    let (face, edge) = (PLATE.x * PLATE.y, PLATE.y * PLATE.z);
    [PRESSURE * (face * s * s * s + edge * c * c * c), PRESSURE * (face * s * s * c - edge * c * c * s)]
}

/// Direction of motion at an angle of attack, and that of lift: across it, away from the exposed face.
fn directions(angle: f64) -> [DVec3; 2] {
    let (s, c) = (sin(angle), cos(angle));
    [DVec3::new(c, 0.0, s), DVec3::new(s, 0.0, -c)]
}

/// Drag and lift over ½ρ v² as simulated [m²].
fn simulated(drag: Drag, angle: f64) -> Result<[f64; 2], Trouble> {
    let [along, up] = directions(angle);
    let body = Immersed::cuboid(PLATE, DENSITY)?
        .with(|b| (b.drag, b.velocity, b.gravity) = (drag, along * SPEED, 0.0));
    let force = body.build(1e-3)?.action()?.drag.force / (0.5 * WATER * SPEED * SPEED);
    Ok([-force.dot(along), force.dot(up)])
}

/// Forces by the angle of attack.
pub fn attack(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let heads = [
        "angle [deg]",
        "drag (51)",
        "closed form",
        "lift (52)",
        "closed form",
        "drag, pressure",
        "closed form",
        "lift, pressure",
        "closed form",
        "every triangle: drag",
        "lift",
        "signed: drag",
        "lift",
    ];
    let caption = "Drag and lift of a plate 1 × 1 × 0.01 m over ½ρ v² [m²] by angle of attack (Figure 30, equations (51), (52)); \
                   all coefficients 1.2; within 1e-9";
    let mut table = Table::new(caption, &heads);
    let mesh = ClosedMesh::cuboid(PLATE);
    let laws = [PROJECTED, Drag::Pressure { pressure: PRESSURE, suction: 0.0, friction: 0.0 }];
    let stride = context.pick(1, 3);
    let mut dots = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for degrees in (0..=18).step_by(stride).map(|k| 5.0 * f64::from(k)) {
        let angle = degrees.to_radians();
        let exact = [projected(angle), pressure(angle)];
        let ours = [simulated(laws[0], angle)?, simulated(laws[1], angle)?];
        let [along, up] = directions(angle);
        let read = |reading: fn(f64) -> f64| {
            let force = summed(&mesh, along, COEFFICIENTS, reading) / (0.5 * WATER);
            // without the noise of sums that cancel
            [-force.dot(along), force.dot(up)].map(|f| if fabs(f) < 1e-12 { 0.0 } else { f })
        };
        let pairs = (0..2).flat_map(|law| (0..2).map(move |kind| (law, kind)));
        let mut good = true;
        let mut cells = vec![number(degrees)];
        for ((law, kind), dots) in pairs.zip(&mut dots) {
            let (found, wanted) = (ours[law][kind], exact[law][kind]);
            good &= fabs(found - wanted) < 1e-9;
            cells.extend([format!("{found:.5}"), format!("{wanted:.5}")]);
            dots.push((degrees, found));
        }
        cells.extend(read(fabs).into_iter().chain(read(|a| a)).map(|f| format!("{f:.5}")));
        table.row(cells, Verdict::of(good));
    }
    context.table(table);
    let line = |law: fn(f64) -> [f64; 2], kind: usize| {
        (0..=90).map(|k| (f64::from(k), law(f64::from(k).to_radians())[kind])).collect()
    };
    let [a, b, c, d] = dots;
    let curves = vec![
        Curve::line("drag (51)", "m²", line(projected, 0)),
        Curve::dots("simulated", "m²", a),
        Curve::line("lift (52)", "m²", line(projected, 1)),
        Curve::dots("simulated", "m²", b),
        Curve::line("drag, pressure law", "m²", line(pressure, 0)),
        Curve::dots("simulated", "m²", c),
        Curve::line("lift, pressure law", "m²", line(pressure, 1)),
        Curve::dots("simulated", "m²", d),
    ];
    let figure = Figure {
        x: Measure::new("angle of attack", "°"),
        y: Some("force over ½ρv²".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Drag and lift of a plate by angle of attack, coefficients 1.2 (Figure 30)", &figure);
    Ok(())
}

/// Slope of the path [rad] and speed [m/s] of the plate that glides.
pub fn glide() -> (f64, f64) {
    let slope = root(HELD, FRAC_PI_2, |slope| {
        let [drag, lift] = projected(slope - HELD);
        lift * sin(slope) - drag * cos(slope)
    });
    let [drag, lift] = projected(slope - HELD);
    (slope, speed_under(drag * sin(slope) + lift * cos(slope)))
}

/// Speed at which the weight of the plate under water is balanced [m/s], by the force over ½ρ v² [m²].
fn speed_under(area: f64) -> f64 {
    let weight = (DENSITY - WATER) * PLATE.x * PLATE.y * PLATE.z * GRAVITY;
    sqrt(weight / (0.5 * WATER * area))
}

/// The plate that glides.
pub fn glider() -> Result<Immersed, Trouble> {
    let body = Immersed::cuboid(PLATE, DENSITY)?;
    Ok(body.with(|b| {
        (b.drag, b.support) = (PROJECTED, Support::Translating);
        b.orientation = math::turn(DVec3::Y, HELD);
    }))
}

/// A plate that sinks without rotation, and sideways by its lift.
pub fn gliding(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "A plate held at 30° sinks from rest by (51) and (52) for 10 s; as printed: every triangle counts, which \
                   cancels lift";
    let mut table = steps_table(caption, "closed form");
    let found = at_steps(|dt| {
        let mut tank = glider()?.build(dt)?;
        tank.run(10.0)?;
        let v = tank.now()?.twist.velocity;
        Ok((libm::atan2(-v.z, v.x).to_degrees(), v.length()))
    })?;
    let (slope, speed) = glide();
    // both sides of the plate, met at 60°
    let straight = speed_under(2.0 * projected(FRAC_PI_2 - HELD)[0]);
    let within = Within::Part([1e-9; 2]);
    let reference = (slope.to_degrees(), within);
    steps_row(&mut table, "slope of the path [deg]", found.map(|f| f.0), reference, "90");
    steps_row(&mut table, "speed [m/s]", found.map(|f| f.1), (speed, within), &number(straight));
    context.table(table);
    Ok(())
}
