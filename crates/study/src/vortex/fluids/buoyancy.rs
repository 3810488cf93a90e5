//! Figure 28: buoyancy of solids that reach through the surface, and how they float.

use super::solids::{self, Part};
use super::tank::{GRAVITY, Immersed, WATER};
use crate::lab::{at, settle};
use crate::vortex::steps::{Within, at_steps, root, steps_row, steps_table};
use crate::{StudyContext, Table, Trouble, Verdict, number};
use glam::{DMat3, DQuat, DVec3};
use libm::{cos, fabs, sin};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::mesh::ClosedMesh;
use windlass_fluid::{Fluids, HullShape};
use windlass_plot::{Curve, Figure, Measure};

/// The solids: edges of a box, radius of a sphere, radius and half length of a cylinder [m].
const BOX: DVec3 = DVec3::new(2.0, 1.0, 0.5);
const SPHERE: f64 = 0.5;
const CYLINDER: (f64, f64) = (0.3, 1.0);
/// Lean of the cylinder [rad].
const LEAN: f64 = PI / 6.0;
/// Rotation vector of the box [rad].
const TURN: DVec3 = DVec3::new(0.4, -0.3, 0.7);
/// Density of all three [kg/m³].
const DENSITY: f64 = 600.0;

/// A solid at a height, and its closed form.
type Solid = (&'static str, fn(f64) -> Result<Immersed, Trouble>, fn(f64) -> Part);

const SOLIDS: [Solid; 3] = [
    (
        "box",
        |z| Ok(placed(Immersed::cuboid(BOX, DENSITY)?, z, math::exp(TURN))),
        |z| solids::cuboid(BOX, &DMat3::from_quat(math::exp(TURN)), z),
    ),
    (
        "sphere",
        |z| Ok(placed(Immersed::sphere(SPHERE, DENSITY)?, z, DQuat::IDENTITY)),
        |z| solids::sphere(SPHERE, z),
    ),
    (
        "cylinder",
        |z| Ok(placed(rod(CYLINDER, DENSITY)?, z, math::turn(DVec3::Y, LEAN))),
        |z| solids::cylinder(CYLINDER, (sin(LEAN), cos(LEAN)), z),
    ),
];

fn rod((radius, half): (f64, f64), density: f64) -> Result<Immersed, Trouble> {
    let mass = Mass::of(&Shape::Cylinder { radius, half_length: half }, density).map_err(Trouble::from)?;
    Ok(Immersed::new(mass, HullShape::Cylinder(radius, half)))
}

fn placed(body: Immersed, height: f64, orientation: DQuat) -> Immersed {
    body.with(|b| (b.position, b.orientation, b.level) = (DVec3::Z * height, orientation, Some(0.0)))
}

/// Volumes, centres and forces of solids at rest.
pub fn forces(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Buoyancy of solids of 600 kg/m³ that reach through the surface (Figure 28, equation (50)); \
                   forces are those that accelerate the body";
    let mut table = steps_table(caption, "closed form");
    for ((name, make, closed), height) in SOLIDS.iter().zip([0.05, 0.1, 0.2]) {
        let body = make(height)?;
        let found = at_steps(|dt| {
            let mut tank = body.build(dt)?;
            let (action, now) = (tank.action()?, tank.now()?);
            let force = body.mass.mass * (now.acceleration.velocity.z + GRAVITY);
            Ok((action.volume, action.center, force))
        })?;
        let part = closed(height);
        let center = DVec3::Z * height + part.center;
        // the sums of a closed form and of a clipped mesh round differently; moments of the cylinder are quadratures
        let within = |part: f64| Within::Part([part; 2]);
        let volumes = found.map(|f| f.0);
        steps_row(
            &mut table,
            &format!("{name}: immersed volume [m³]"),
            volumes,
            (part.volume, within(1e-9)),
            "",
        );
        for (axis, unit) in [("x", DVec3::X), ("z", DVec3::Z)] {
            let ours = found.map(|f| f.1.dot(unit));
            let reference = (center.dot(unit), Within::Apart([1e-8; 2]));
            if *name != "sphere" || axis == "z" {
                steps_row(
                    &mut table,
                    &format!("{name}: centre of buoyancy, {axis} [m]"),
                    ours,
                    reference,
                    "",
                );
            }
        }
        let force = WATER * GRAVITY * part.volume;
        let literal = format!("{} kg·N", number(force * body.mass.mass));
        let reference = (force, within(1e-9));
        steps_row(&mut table, &format!("{name}: buoyancy [N]"), found.map(|f| f.2), reference, &literal);
    }
    context.table(table);
    sweep(context)
}

/// Immersed volumes by height.
fn sweep(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let mut curves = Vec::new();
    for (name, make, closed) in SOLIDS {
        let hull = make(0.0)?.build(1e-3)?;
        let whole = Fluids::of(&hull.world).map_or(f64::NAN, |fluids| fluids.bodies[0].hull.volume());
        let heights = |count: i32| (0..=count).map(move |k| 1.1 - 2.2 * f64::from(k) / f64::from(count));
        let line = heights(100).map(|z| (z, closed(z).volume / whole)).collect();
        curves.push(Curve::line(&format!("{name}, closed form"), "", line));
        let mut dots = Vec::new();
        for z in heights(context.pick(22, 11)) {
            dots.push((z, make(z)?.build(1e-3)?.action()?.volume / whole));
        }
        curves.push(Curve::dots(name, "", dots));
    }
    let figure = Figure {
        x: Measure::new("height of the centre above the surface", "m"),
        y: Some("immersed part of the volume".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Immersed volume of the three solids by their height (Figure 28)", &figure);
    Ok(())
}

/// A sphere with the buoyancy of a mesh inscribed in it: it has the density of water and sinks.
pub fn meshes(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let heads = ["hull", "missing volume [%]", "acceleration [m/s²]", "g ΔV/V [m/s²]", "asked"];
    let caption =
        "A sphere of the density of water, released under water: the guide advises a mesh for best results";
    let mut table = Table::new(caption, &heads);
    let volume = 4.0 / 3.0 * PI * SPHERE * SPHERE * SPHERE;
    for divisions in [None, Some(2), Some(3), Some(4)] {
        let mut body = Immersed::sphere(SPHERE, WATER)?;
        let (name, missing) = match divisions {
            None => ("closed form".to_string(), 0.0),
            Some(divisions) => {
                let mesh = ClosedMesh::icosphere(SPHERE, divisions);
                let corner = |k: u32| mesh.vertices()[k as usize];
                let sixth = |t: &[u32; 3]| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0;
                let missing = 1.0 - mesh.triangles().iter().map(sixth).sum::<f64>() / volume;
                let name = format!("inscribed mesh of {} triangles", mesh.triangles().len());
                body.shape = HullShape::Mesh(mesh);
                (name, missing)
            }
        };
        let ours = 0.0 - body.build(1e-3)?.now()?.acceleration.velocity.z;
        let wanted = GRAVITY * missing;
        let cells = [name, number(100.0 * missing), number(ours), number(wanted), "± 1e-9".to_string()];
        table.row(cells, Verdict::of(fabs(ours - wanted) < 1e-9));
    }
    context.table(table);
    Ok(())
}

/// Drafts at which bodies float.
pub fn drafts(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let mut table = steps_table("Drafts of floating bodies [m], settled by kinetic damping", "closed form");
    let ball = root(0.0, 2.0 * SPHERE, |h| {
        solids::sphere(SPHERE, SPHERE - h).volume - 0.3 * 4.0 / 3.0 * PI * SPHERE * SPHERE * SPHERE
    });
    let cases = [
        ("raft 2 × 1 × 0.5 m, 400 kg/m³", Immersed::cuboid(BOX, 400.0)?, 0.4 * BOX.z),
        ("sphere of radius 0.5 m, 300 kg/m³", Immersed::sphere(SPHERE, 300.0)?, ball),
        ("upright cylinder, radius 0.5 m, height 0.4 m, 250 kg/m³", rod((0.5, 0.2), 250.0)?, 0.1),
    ];
    for (name, body, draft) in cases {
        let found = at_steps(|dt| {
            let mut tank = placed(body.clone(), 0.05, DQuat::IDENTITY).build(dt)?;
            settle(&mut tank.world, || context.progress(0.15))?;
            Ok(tank.action()?.draft)
        })?;
        // what is settled moves at less than 1e-5 m/s, at some 3 rad/s about its rest
        let reference = (draft, Within::Apart([1e-5; 2]));
        let literal = if name.starts_with("sphere") { String::new() } else { number(draft / body.mass.mass) };
        steps_row(&mut table, name, found, reference, &literal);
    }
    context.table(table);
    Ok(())
}

/// The angle between the surface and the nearest side of a floating log of square section [rad].
fn rest_angle(context: &StudyContext<'_>, density: f64, dt: f64) -> Result<f64, Trouble> {
    let log = Immersed::cuboid(DVec3::new(4.0, 1.0, 1.0), density)?;
    // away from all equilibria but the upright one
    let start = if solids::log_angle(density / WATER) < 0.1 { 0.3 } else { 0.1 };
    let mut tank = placed(log, 0.5 - density / WATER, math::turn(DVec3::X, start)).build(dt)?;
    settle(&mut tank.world, || context.progress(0.2))?;
    let side = at(&tank.world, tank.body).orientation * DVec3::Y;
    let angle = fabs(libm::atan2(side.z, side.y)) % FRAC_PI_2;
    Ok(if angle > FRAC_PI_4 + 0.1 { FRAC_PI_2 - angle } else { angle })
}

/// Logs of square section by their density.
pub fn logs(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Logs 1 × 1 × 4 m: angle between the surface and a side at rest [deg]";
    let mut table = steps_table(caption, "closed form");
    let mut dots = Vec::new();
    let densities = context.pick(
        vec![150.0, 220.0, 230.0, 240.0, 255.0, 265.0, 275.0, 300.0, 400.0, 500.0],
        vec![150.0, 230.0, 265.0, 500.0],
    );
    for density in densities {
        let found = at_steps(|dt| Ok(rest_angle(context, density, dt)?.to_degrees()))?;
        let wanted = solids::log_angle(density / WATER).to_degrees();
        let reference = (wanted, Within::Apart([0.01; 2]));
        steps_row(&mut table, &format!("{density} kg/m³"), found, reference, "");
        dots.push((density, found[0]));
    }
    context.table(table);
    let line =
        (0..=400).map(|k| 100.0 + f64::from(k)).map(|d| (d, solids::log_angle(d / WATER).to_degrees()));
    let curves =
        vec![Curve::line("closed form", "°", line.collect()), Curve::dots("settled at 1/60 s", "°", dots)];
    let figure = Figure {
        x: Measure::new("density", "kg/m³"),
        y: Some("angle of a side to the surface".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Logs of square section float on a side, on an edge, or between", &figure);
    Ok(())
}
