//! Figures 29 and 30 with a velocity that turns: bodies thrown across the vertical, beside their equations of motion.
//!
//! ```text
//!  (m + m_a) v̇ = (ρV − m) g ẑ + F(v)
//!  one coefficient   F = −½ρ C A |v| v
//!  pressure          F = −½ρ C Σ Aᵢ |vᵢ| vᵢ eᵢ                                     over the axes of a box
//!  (51), (52)        F = −½ρ Σ Aᵢ |vᵢ| (d v + l (|v| nᵢ − |vᵢ|/|v| v)),   nᵢ = eᵢ sign vᵢ
//! ```
//!
//! They are integrated here by the classical Runge–Kutta method in steps of 0.1 ms.

use super::tank::{GRAVITY, Immersed, Support, WATER};
use crate::vortex::steps::STEPS;
use crate::{StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use libm::log;
use std::f64::consts::PI;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::{AddedMass, Drag};

/// Edges of the box [m], density of the bodies [kg/m³], radius of the sphere [m].
const BOX: DVec3 = DVec3::new(0.2, 0.15, 0.1);
const DENSITY: f64 = 2500.0;
const RADIUS: f64 = 0.1;
/// Velocity of the throw [m/s], and the time at which the position is compared [s].
const THROW: DVec3 = DVec3::new(3.0, 0.0, 0.5);
const TIME: f64 = 0.5;
/// Step of the reference [s].
const FINE: f64 = 1e-4;

/// Force over ½ρ [N·m³/kg] on a body with a volume [m³] and an added mass [kg].
struct Law<'a> {
    force: &'a dyn Fn(DVec3) -> DVec3,
    mass: f64,
    volume: f64,
    added: f64,
}

impl Law<'_> {
    fn acceleration(&self, v: DVec3) -> DVec3 {
        let weight = DVec3::Z * ((WATER * self.volume - self.mass) * GRAVITY);
        (weight + (self.force)(v) * (0.5 * WATER)) / (self.mass + self.added)
    }

    /// Position at the time of the comparison.
    fn position(&self) -> DVec3 {
        let (mut x, mut v) = (DVec3::ZERO, THROW);
        for _ in 0..libm::round(TIME / FINE) as usize {
            let a = self.acceleration(v);
            let b = self.acceleration(v + a * (0.5 * FINE));
            let c = self.acceleration(v + b * (0.5 * FINE));
            let d = self.acceleration(v + c * FINE);
            x += v * FINE + (a + b + c) * (FINE * FINE / 6.0);
            v += (a + 2.0 * b + 2.0 * c + d) * (FINE / 6.0);
        }
        x
    }
}

/// Faces of the box across each axis [m²].
fn faces() -> DVec3 {
    DVec3::new(BOX.y * BOX.z, BOX.z * BOX.x, BOX.x * BOX.y)
}

fn projected(v: DVec3, drag: f64, lift: f64) -> DVec3 {
    let speed = v.length();
    let flux = faces() * v.abs();
    let across = speed * flux * v.signum() - v * (flux.dot(v.abs()) / speed);
    -(v * (drag * flux.element_sum()) + lift * across)
}

/// Positions of thrown bodies.
pub fn positions(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let area = 0.47 * PI * RADIUS * RADIUS;
    let ball = Immersed::sphere(RADIUS, DENSITY)?.with(|b| {
        b.drag = Drag::Quadratic { area };
        b.added_mass = AddedMass::PerDensity(closed_form::sphere(RADIUS, 1.0));
    });
    let brick = |drag: Drag| {
        Ok::<_, Trouble>(
            Immersed::cuboid(BOX, DENSITY)?.with(|b| (b.drag, b.support) = (drag, Support::Translating)),
        )
    };
    let sphere = |v: DVec3| -v * (area * v.length());
    let pressure = |v: DVec3| -1.05 * faces() * v.abs() * v;
    let [plain, lift, both] =
        [[1.05, 0.0], [0.0, 0.5], [1.05, 0.5]].map(|[drag, lift]| move |v: DVec3| projected(v, drag, lift));
    let third = 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
    type Case<'a> = (&'a str, Immersed, &'a dyn Fn(DVec3) -> DVec3, f64, [f64; 2]);
    let cases: [Case<'_>; 5] = [
        ("sphere, one coefficient", ball, &sphere, 0.5 * WATER * third, [5e-4, 3e-6]),
        (
            "box, pressure law",
            brick(Drag::Pressure { pressure: 1.05, suction: 0.0, friction: 0.0 })?,
            &pressure,
            0.0,
            [5e-4, 3e-6],
        ),
        // these are of first order: their matrices take all of the change of velocity, or none of it
        ("box, (51)", brick(Drag::Projected { drag: 1.05, lift: 0.0 })?, &plain, 0.0, [1e-2, 1e-3]),
        ("box, (52)", brick(Drag::Projected { drag: 0.0, lift: 0.5 })?, &lift, 0.0, [1e-2, 1e-3]),
        ("box, (51) and (52)", brick(Drag::Projected { drag: 1.05, lift: 0.5 })?, &both, 0.0, [1e-2, 1e-3]),
    ];
    let heads = ["body", "reference x, z [m]", "off at 1/60 s [m]", "off at 1 ms [m]", "order", "asked"];
    let caption = "Bodies thrown across the vertical: distance from the solution of their equations of motion after 0.5 s";
    let mut table = Table::new(caption, &heads);
    for (name, body, force, added, within) in cases {
        let mass = body.mass.mass;
        let wanted = Law { force, mass, volume: mass / DENSITY, added }.position();
        let start = body.with(|b| b.velocity = THROW);
        let mut off = [0.0; 2];
        for (off, dt) in off.iter_mut().zip(STEPS) {
            let mut tank = start.build(dt)?;
            tank.run(TIME)?;
            *off = (tank.now()?.center - wanted).length();
        }
        let order = log(off[0] / off[1]) / log(STEPS[0] / STEPS[1]);
        let cells = [
            name.to_string(),
            format!("{}, {}", number(wanted.x), number(wanted.z)),
            number(off[0]),
            number(off[1]),
            format!("{order:.2}"),
            format!("{}, {}", number(within[0]), number(within[1])),
        ];
        table.row(cells, Verdict::of(off[0] <= within[0] && off[1] <= within[1]));
    }
    context.table(table);
    context.remark(
        "Where the velocity turns, drag by one coefficient and by the pressure law are of second order in the step. (51) and (52) per \
         triangle are of first order: drag across the velocity is taken with the velocity after the step, lift with the one before. \
         Terminal speeds do not depend on it.",
    );
    Ok(())
}
