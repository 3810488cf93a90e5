//! Figure 27: shape, immersed part and relative velocity → generalised forces → acceleration.
//!
//! A box that reaches through the surface moves and rotates. Buoyancy is its closed form; drag (51) and lift (52) are
//! summed over small cells of the exposed wet surface; with the weight and the gyroscopic torque of (4) they give
//!
//! ```text
//!  m v̇ = Σ F,   I ω̇ = Σ τ − ω × I ω
//! ```

use super::solids;
use super::tank::{GRAVITY, Immersed, WATER};
use crate::vortex::steps::STEPS;
use crate::{StudyContext, Table, Trouble, Verdict, number};
use glam::{DMat3, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::Drag;

const SIZE: DVec3 = DVec3::new(1.2, 0.8, 0.5);
const DENSITY: f64 = 600.0;
const TURN: DVec3 = DVec3::new(0.4, -0.3, 0.7);
const POSITION: DVec3 = DVec3::new(0.1, -0.2, 0.05);
const VELOCITY: DVec3 = DVec3::new(0.8, -0.5, -0.3);
const SPIN: DVec3 = DVec3::new(0.6, -0.4, 0.9);
const DRAG: f64 = 1.0;
const LIFT: f64 = 0.5;
/// Cells along each edge of a face: their centres resolve the water line to a part in 1e4 of the force.
const CELLS: u32 = 300;

/// Drag and lift on the cells.
fn drag(axes: &DMat3) -> Wrench {
    let mut sum = Wrench::default();
    for face in 0..6 {
        let (normal, side) = (face % 3, if face < 3 { 1.0 } else { -1.0 });
        let (j, k) = ((normal + 1) % 3, (normal + 2) % 3);
        let n = axes.col(normal) * side;
        let area = SIZE[j] * SIZE[k] / f64::from(CELLS * CELLS);
        for cell in 0..CELLS * CELLS {
            let place = |c: u32| (f64::from(c) + 0.5) / f64::from(CELLS) - 0.5;
            let arm = n * (0.5 * SIZE[normal])
                + axes.col(j) * (SIZE[j] * place(cell % CELLS))
                + axes.col(k) * (SIZE[k] * place(cell / CELLS));
            let w = VELOCITY + SPIN.cross(arm);
            let c = n.dot(w);
            if (POSITION + arm).z < 0.0 && c > 0.0 {
                let speed = w.length();
                let force = DRAG * w * c + LIFT * c * speed * (n - w * (c / (speed * speed)));
                let force = force * (-0.5 * WATER * area);
                sum.force += force;
                sum.torque += arm.cross(force);
            }
        }
    }
    sum
}

fn vector(v: DVec3) -> String {
    v.to_array().map(number).join(" ")
}

/// Forces and accelerations at an instant.
pub fn forces(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let body = Immersed::cuboid(SIZE, DENSITY)?.with(|b| {
        (b.position, b.orientation, b.level) = (POSITION, math::exp(TURN), Some(0.0));
        (b.velocity, b.angular_velocity) = (VELOCITY, SPIN);
        b.drag = Drag::Projected { drag: DRAG, lift: LIFT };
    });
    let axes = DMat3::from_quat(body.orientation);
    let part = solids::cuboid(SIZE, &axes, POSITION.z);
    let lift = DVec3::Z * (WATER * GRAVITY * part.volume);
    let buoyancy = Wrench { force: lift, torque: part.center.cross(lift) };
    let drag = drag(&axes);
    let inertia = body.mass.inertia;
    let spin = axes * (inertia * (axes.transpose() * SPIN));
    let torque = buoyancy.torque + drag.torque - SPIN.cross(spin);
    let angular = axes * (inertia.inverse() * (axes.transpose() * torque));
    let linear = (buoyancy.force + drag.force) / body.mass.mass - DVec3::Z * GRAVITY;
    let heads = ["quantity", "simulated", "closed form", "difference over its length", "asked"];
    let caption = "A box that reaches through the surface, moves and rotates: from its pose and velocity to its acceleration (Figure 27)";
    let mut table = Table::new(caption, &heads);
    let mut row = |quantity: &str, ours: DVec3, wanted: DVec3, within: f64| {
        let error = (ours - wanted).length() / wanted.length();
        let cells = [quantity.to_string(), vector(ours), vector(wanted), number(error), number(within)];
        table.row(cells, Verdict::of(error <= within));
    };
    let action = body.build(STEPS[0])?.action()?;
    row("buoyancy [N]", action.buoyancy.force, buoyancy.force, 1e-9);
    row("its torque about the centre of mass [N·m]", action.buoyancy.torque, buoyancy.torque, 1e-9);
    row("drag and lift [N]", action.drag.force, drag.force, 2e-3);
    row("their torque [N·m]", action.drag.torque, drag.torque, 5e-3);
    for (name, dt, within) in [("1/60 s", STEPS[0], 0.05), ("1 ms", STEPS[1], 5e-3)] {
        // drag acts with the velocity that the step solves for
        let found = body.build(dt)?.now()?.acceleration;
        row(&format!("acceleration at {name} [m/s²]"), found.velocity, linear, within);
        row(&format!("angular acceleration at {name} [rad/s²]"), found.angular_velocity, angular, within);
    }
    context.table(table);
    context.remark(
        "Accelerations are those of the first half step. Drag is implicit: it acts with the velocity at the end of it, which the closed form \
         does not.",
    );
    Ok(())
}
