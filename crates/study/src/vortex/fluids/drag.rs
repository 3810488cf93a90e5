//! Figure 29: drag per triangle, and the speeds that come of it.
//!
//! ```text
//!  (51) for a triangle        −½ ρ d A |v| v,  A "the cross section perpendicular to v"
//!  exposed, here              A = (n·v̂)₊ dA      Σ A = frontal area of a convex body
//!  every triangle             A = |n·v̂| dA       Σ A = twice the frontal area
//!  signed                     A = n·v̂ dA         Σ A = 0
//!  terminal speed             v_t = √(2 (m − ρV) g / (ρ d A_f))
//!  from rest                  v = v_t tanh(t/τ),   x = v_t τ ln cosh(t/τ),   τ = (m + m_a) v_t / ((m − ρV) g)
//! ```

use super::tank::{GRAVITY, Immersed, Support, WATER};
use crate::vortex::steps::{STEPS, Within, at_steps, steps_row, steps_table};
use crate::{StudyContext, Table, Trouble, Verdict, number};
use glam::{DMat3, DVec3};
use libm::{cosh, fabs, log, sqrt, tanh};
use std::f64::consts::PI;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::mesh::ClosedMesh;
use windlass_fluid::{AddedMass, Drag, HullShape};
use windlass_plot::{Curve, Figure, Measure};

/// Force of (51) and (52) on all triangles of a mesh that translates, by a reading of A: of n·v̂ dA. Coefficients are
/// those of drag and lift.
pub fn summed(
    mesh: &ClosedMesh,
    velocity: DVec3,
    coefficients: [f64; 2],
    reading: impl Fn(f64) -> f64,
) -> DVec3 {
    let square = velocity.length_squared();
    let along = velocity / sqrt(square);
    let corner = |k: u32| mesh.vertices()[k as usize];
    let force = |t: &[u32; 3]| {
        let [a, b, c] = t.map(corner);
        let twice = (b - a).cross(c - a);
        let normal = twice.normalize_or_zero();
        let area = reading(0.5 * twice.dot(along));
        let across = along.cross(normal.cross(along));
        -0.5 * WATER * square * area * (coefficients[0] * along + coefficients[1] * across)
    };
    mesh.triangles().iter().map(force).sum()
}

/// Drag of closed meshes by the readings of A.
pub fn readings(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let speed = 2.0;
    let cube = DVec3::splat(0.2);
    let diagonal = DVec3::ONE.normalize();
    let cases = [
        ("sphere", ClosedMesh::icosphere(0.1, 3), DVec3::new(0.36, 0.48, 0.8), PI * 0.01),
        ("cube, face first", ClosedMesh::cuboid(cube), DVec3::X, 0.04),
        // a regular hexagon of side a √(2/3)
        ("cube, corner first", ClosedMesh::cuboid(cube), diagonal, sqrt(3.0) * 0.04),
        ("plate 1 × 1 × 0.001 m across", ClosedMesh::cuboid(DVec3::new(1.0, 1.0, 1e-3)), DVec3::Z, 1.0),
    ];
    let heads = ["closed mesh", "simulated", "closed form", "asked", "every triangle, |n·v̂|", "signed, n·v̂"];
    let caption = "Drag of closed meshes over ½ρ d A_f v² (Figure 29, equation (51)), by the meaning of A";
    let mut table = Table::new(caption, &heads);
    for (name, mesh, along, area) in cases {
        let unit = 0.5 * WATER * area * speed * speed;
        let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 10.0).map_err(Trouble::from)?;
        let body = Immersed::new(mass, HullShape::Mesh(mesh.clone())).with(|b| {
            b.velocity = along * speed;
            b.drag = Drag::Projected { drag: 1.0, lift: 0.0 };
        });
        let ours = -body.build(1e-3)?.action()?.drag.force.dot(along) / unit;
        let read =
            |reading: fn(f64) -> f64| -summed(&mesh, along * speed, [1.0, 0.0], reading).dot(along) / unit;
        // an inscribed mesh of 1280 triangles lacks 0.4 % of the frontal area
        let asked = if name == "sphere" { 5e-3 } else { 1e-9 };
        let cells = [
            name.to_string(),
            number(ours),
            "1".to_string(),
            format!("± {}", number(asked)),
            number(read(fabs)),
            format!("{:.4}", fabs(read(|a| a))),
        ];
        table.row(cells, Verdict::of(fabs(ours - 1.0) <= asked));
    }
    context.table(table);
    Ok(())
}

/// A body that sinks from rest.
#[derive(Clone, Debug)]
pub struct Sinking {
    pub body: Immersed,
    /// d A_f [m²], volume [m³], added mass [kg].
    area: f64,
    volume: f64,
    added: f64,
}

impl Sinking {
    /// A sphere of 2000 kg/m³ and radius 0.1 m with its added mass.
    pub fn sphere(drag: Option<Drag>) -> Result<Sinking, Trouble> {
        let (radius, factor) = (0.1, 0.47);
        let area = factor * PI * radius * radius;
        let body = Immersed::sphere(radius, 2000.0)?.with(|b| {
            b.drag = drag.unwrap_or(Drag::Quadratic { area });
            b.added_mass = AddedMass::PerDensity(closed_form::sphere(radius, 1.0));
        });
        let added = 2.0 / 3.0 * PI * WATER * radius * radius * radius;
        Ok(Sinking { body, area, volume: 4.0 / 3.0 * PI * radius * radius * radius, added })
    }

    fn cuboid(size: DVec3, density: f64, drag: Drag, factor: f64) -> Result<Sinking, Trouble> {
        let body =
            Immersed::cuboid(size, density)?.with(|b| (b.drag, b.support) = (drag, Support::Translating));
        let area = factor * size.x * size.y;
        Ok(Sinking { body, area, volume: size.x * size.y * size.z, added: 0.0 })
    }

    /// Weight less buoyancy [N].
    fn weight(&self) -> f64 {
        (self.body.mass.mass - WATER * self.volume) * GRAVITY
    }

    pub fn terminal(&self) -> f64 {
        sqrt(2.0 * self.weight() / (WATER * self.area))
    }

    fn time(&self) -> f64 {
        (self.body.mass.mass + self.added) * self.terminal() / self.weight()
    }

    /// Speed [m/s] and depth [m] at a time [s].
    pub fn at(&self, time: f64) -> (f64, f64) {
        let (v, tau) = (self.terminal(), self.time());
        (v * tanh(time / tau), v * tau * log(cosh(time / tau)))
    }

    /// Energy that drag takes up to a time [J].
    pub fn lost(&self, time: f64) -> f64 {
        let (speed, depth) = self.at(time);
        self.weight() * depth - 0.5 * (self.body.mass.mass + self.added) * speed * speed
    }
}

/// Speeds of sinking bodies.
pub fn sinking(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption =
        "Sinking from rest (Figure 29); as printed: equation (51) with every triangle of a closed mesh";
    let mut table = steps_table(caption, "closed form");
    let sphere = Sinking::sphere(None)?;
    let traces =
        STEPS.map(|dt| sphere.body.build(dt)?.trace(1.0, |now| (-now.twist.velocity.z, -now.center.z)));
    let [coarse, fine] = traces;
    let (coarse, fine) = (coarse?, fine?);
    let doubled = Sinking { area: 2.0 * sphere.area, ..sphere.clone() };
    let sample = |trace: &[(f64, (f64, f64))], time: f64| {
        trace.iter().find(|(t, _)| fabs(t - time) < 1e-9).map_or((f64::NAN, f64::NAN), |(_, found)| *found)
    };
    // (h/τ)²/3 at 1/60 s, and its 278th part at 1 ms
    let within = Within::Part([1e-3, 4e-6]);
    let found = [&coarse, &fine].map(|trace| sample(trace, 0.2).0);
    let printed = number(doubled.at(0.2).0);
    steps_row(&mut table, "sphere: speed at 0.2 s [m/s]", found, (sphere.at(0.2).0, within), &printed);
    let found = [&coarse, &fine].map(|trace| sample(trace, 1.0).1);
    let printed = number(doubled.at(1.0).1);
    steps_row(&mut table, "sphere: depth at 1 s [m]", found, (sphere.at(1.0).1, within), &printed);
    let projected = Drag::Projected { drag: 0.47, lift: 0.0 };
    let pressure = Drag::Pressure { pressure: 1.2, suction: 0.0, friction: 0.0 };
    let cube = Drag::Projected { drag: 1.05, lift: 0.0 };
    let cases = [
        ("sphere, one coefficient: terminal speed [m/s]", sphere.clone(), 1e-6),
        // 320 triangles of the volume of the sphere
        ("sphere, (51) per triangle: terminal speed [m/s]", Sinking::sphere(Some(projected))?, 5e-3),
        (
            "cube, (51) per triangle: terminal speed [m/s]",
            Sinking::cuboid(DVec3::splat(0.2), 2500.0, cube, 1.05)?,
            1e-6,
        ),
        (
            "plate across, pressure: terminal speed [m/s]",
            Sinking::cuboid(DVec3::new(1.0, 1.0, 0.02), 2700.0, pressure, 1.2)?,
            1e-6,
        ),
    ];
    for (name, case, within) in cases {
        let found = at_steps(|dt| {
            let mut tank = case.body.build(dt)?;
            // 2 exp(−24) is left of the difference, and less of a speed approached more slowly
            tank.run(12.0 * case.time())?;
            Ok(-tank.now()?.twist.velocity.z)
        })?;
        let printed = number(case.terminal() / sqrt(2.0));
        steps_row(&mut table, name, found, (case.terminal(), Within::Part([within; 2])), &printed);
    }
    context.table(table);
    let exact =
        |case: &Sinking| (0..=100).map(|k| (0.01 * f64::from(k), case.at(0.01 * f64::from(k)).0)).collect();
    let dots = coarse.iter().step_by(2).map(|(t, (v, _))| (*t, *v)).collect();
    let curves = vec![
        Curve::line("closed form", "m/s", exact(&sphere)),
        Curve::dots("simulated at 1/60 s", "m/s", dots),
        Curve::line("(51), every triangle", "m/s", exact(&doubled)),
    ];
    let figure =
        Figure { x: Measure::new("time", "s"), y: Some("speed".to_string()), curves, ..Figure::default() };
    context.figure("A sphere of 2000 kg/m³ sinks from rest (Figure 29)", &figure);
    Ok(())
}

/// A plate spins down about its middle axis: I ω̇ = −¼ ρ C b a⁴ ω².
pub fn spinning(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "A plate 1 × 0.4 m of 2 kg·m² spins down from 10 rad/s: the angular velocity counts at each triangle [rad/s]";
    let mut table = steps_table(caption, "closed form");
    let (inertia, factor, width, half, start) = (2.0, 1.2, 0.4, 0.5, 10.0);
    let slope = 0.25 * WATER * factor * width * half * half * half * half / inertia;
    let exact = |time: f64, times: f64| 1.0 / (1.0 / start + times * slope * time);
    let laws = [
        ("pressure", Drag::Pressure { pressure: factor, suction: 0.0, friction: 0.0 }),
        ("(51)", Drag::Projected { drag: factor, lift: 0.0 }),
    ];
    for (name, drag) in laws {
        let moments = DMat3::from_diagonal(DVec3::new(0.5, inertia, 2.2));
        let mass = Mass::new(20.0, DVec3::ZERO, moments);
        let body = Immersed::new(mass, HullShape::Cuboid(DVec3::new(2.0 * half, width, 1e-3))).with(|b| {
            (b.drag, b.gravity, b.support) = (drag, 0.0, Support::Hinged(DVec3::Y));
            b.angular_velocity = DVec3::Y * start;
        });
        for time in [0.1, 1.0] {
            let found = at_steps(|dt| {
                let mut tank = body.build(dt)?;
                tank.run(time)?;
                Ok(tank.now()?.twist.angular_velocity.y)
            })?;
            // between two velocities h apart the mean is larger than the hyperbola by (h ω̇/ω)²/4, 0.43 % at 1/60 s
            let reference = (exact(time, 1.0), Within::Part([6e-3, 5e-5]));
            let quantity = format!("{name}: after {time} s");
            steps_row(&mut table, &quantity, found, reference, &number(exact(time, 2.0)));
        }
    }
    context.table(table);
    Ok(())
}
