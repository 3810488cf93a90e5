//! §6.4: added mass of bodies that are released, that float, and that enter the water.
//!
//! ```text
//!  (53), (54)      (m + m_a) a = (ρ_b − ρ) V g          sphere: m_a = ½ ρ V
//!  as a force      m a_k = (ρ_b − ρ) V g − m_a a_k−1    a_k diverges as (−m_a/m)^k where m_a > m
//!  heave           T = 2π √((m + a₃₃) / (ρ g A_w))
//!  entry           (m + m_a) v⁺ = m v                   momentum is kept while K_F grows
//!  exit            v⁺ = v                               the water keeps its velocity, as the body does
//! ```

use super::tank::{GRAVITY, Immersed, Support, WATER};
use crate::vortex::steps::{STEPS, Within, at_steps, steps_row, steps_table};
use crate::{StudyContext, Table, Trouble, Verdict, number};
use glam::{DMat3, DVec3};
use libm::{cos, fabs, pow, sin, sqrt};
use std::f64::consts::PI;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::{AddedMass, HullShape};

/// Steps after which the added mass as a force is shown.
const EXPLICIT: usize = 6;

/// Spheres released under water.
pub fn release(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let heads = [
        "density [kg/m³]",
        "1/60 s",
        "1 ms",
        "closed form",
        "asked",
        "M instead of K",
        "as a force: 6th step",
    ];
    let caption = "Upward acceleration of a sphere released under water [m/s²], from its rise in 0.1 s (§6.4, equation (54))";
    let mut table = Table::new(caption, &heads);
    for density in [50.0, 250.0, 800.0, 2000.0, 7850.0] {
        let found = at_steps(|dt| {
            let mut tank = ball(density)?.build(dt)?;
            tank.run(0.1)?;
            Ok(2.0 * tank.now()?.center.z / 0.01)
        })?;
        let (pull, added) = ((WATER - density) * GRAVITY, 0.5 * WATER);
        let wanted = pull / (density + added);
        let forced = (0..EXPLICIT).fold(0.0, |last, _| (pull - added * last) / density);
        let good = found.iter().all(|found| fabs(found / wanted - 1.0) < 1e-9);
        let cells = [density, found[0], found[1], wanted].map(number).into_iter();
        let more = [number(pull / density), number(forced)];
        table.row(cells.chain(["± 1e-7 %".to_string()]).chain(more), Verdict::of(good));
    }
    context.table(table);
    Ok(())
}

const RADIUS: f64 = 0.1;

fn ball(density: f64) -> Result<Immersed, Trouble> {
    let added = AddedMass::PerDensity(closed_form::sphere(RADIUS, 1.0));
    Ok(Immersed::sphere(RADIUS, density)?.with(|b| b.added_mass = added))
}

/// Radius [m], density [kg/m³] and speed [m/s] of a sphere that passes the surface.
const FLOAT: f64 = 0.5;
const FLOAT_DENSITY: f64 = 800.0;
const FLOAT_SPEED: f64 = 5.0;

/// The sphere on its way in (−1) or out (1), without gravity.
pub fn passing(direction: f64) -> Result<Immersed, Trouble> {
    let added = AddedMass::PerDensity(closed_form::sphere(FLOAT, 1.0));
    Ok(Immersed::sphere(FLOAT, FLOAT_DENSITY)?.with(|b| {
        (b.added_mass, b.gravity, b.level) = (added, 0.0, Some(0.0));
        b.position = DVec3::NEG_Z * (1.2 * FLOAT * direction);
        b.velocity = DVec3::Z * (FLOAT_SPEED * direction);
    }))
}

/// Energy lost by the entry of that sphere [J].
pub fn entry_loss() -> f64 {
    let mass = FLOAT_DENSITY * 4.0 / 3.0 * PI * FLOAT * FLOAT * FLOAT;
    0.5 * mass * FLOAT_SPEED * FLOAT_SPEED * (1.0 - entry_ratio())
}

/// Energy of the water that stays behind when it leaves [J].
pub fn exit_loss() -> f64 {
    let added = WATER * 2.0 / 3.0 * PI * FLOAT * FLOAT * FLOAT;
    0.5 * added * FLOAT_SPEED * FLOAT_SPEED
}

fn entry_ratio() -> f64 {
    FLOAT_DENSITY / (FLOAT_DENSITY + 0.5 * WATER)
}

/// A disc, nearly: half axes of an oblate spheroid [m], density [kg/m³], and its lean [rad].
const DISC: DVec3 = DVec3::new(0.5, 0.5, 0.05);
const DISC_DENSITY: f64 = 2700.0;
const LEAN: f64 = PI / 6.0;

/// Lamb's α of an oblate spheroid, along its axis and across it.
fn oblate(axes: DVec3) -> [f64; 2] {
    let ratio = axes.z / axes.x;
    let e = sqrt(1.0 - ratio * ratio);
    let cube = e * e * e;
    let arc = libm::asin(e);
    [2.0 / (e * e) - 2.0 * ratio / cube * arc, ratio / cube * arc - ratio * ratio / (e * e)]
}

/// Acceleration of the disc at its release [m/s²], x and z.
fn disc_acceleration() -> [f64; 2] {
    let [along, across] = oblate(DISC).map(|alpha| DISC_DENSITY + WATER * alpha / (2.0 - alpha));
    let pull = (DISC_DENSITY - WATER) * GRAVITY;
    let (s, c) = (sin(LEAN), cos(LEAN));
    // down, resolved along the axis (s, c) and across it (c, −s)
    let (a, b) = (-pull * c / along, pull * s / across);
    [a * s + b * c, a * c - b * s]
}

fn disc() -> Immersed {
    let mass = DISC_DENSITY * 4.0 / 3.0 * PI * DISC.x * DISC.y * DISC.z;
    let mass = Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(ellipsoid_moments(DISC, mass)));
    // a sphere of its volume displaces what it displaces
    let shape = HullShape::Sphere(libm::cbrt(DISC.x * DISC.y * DISC.z));
    Immersed::new(mass, shape).with(|b| {
        b.added_mass = AddedMass::PerDensity(closed_form::ellipsoid(DISC, 1.0));
        b.orientation = math::turn(DVec3::Y, LEAN);
    })
}

/// Moments of inertia of a solid ellipsoid.
pub fn ellipsoid_moments(axes: DVec3, mass: f64) -> DVec3 {
    let s = axes * axes;
    DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 5.0)
}

/// A barge [m, kg] with its added mass in heave [kg].
const BARGE: DVec3 = DVec3::new(20.0, 8.0, 3.0);
const BARGE_MASS: f64 = 240e3;
const HEAVE: f64 = 530e3;

/// Period of heave of the barge, 0.1 m above its rest [s].
fn heave(added: f64, dt: f64) -> Result<f64, Trouble> {
    let mass = Mass::of_total(&Shape::Box { half: 0.5 * BARGE }, BARGE_MASS).map_err(Trouble::from)?;
    let draft = BARGE_MASS / (WATER * BARGE.x * BARGE.y);
    let rest = 0.5 * BARGE.z - draft;
    let matrix = SpatialMatrix::from_diagonal(DVec3::Z * added, DVec3::ZERO);
    let body = Immersed::new(mass, HullShape::Cuboid(BARGE)).with(|b| {
        (b.level, b.position, b.support) = (Some(0.0), DVec3::Z * (rest + 0.1), Support::Translating);
        // complete from a quarter of the volume on, and it keeps half of it immersed
        b.added_mass = AddedMass::Given(matrix, 0.25);
    });
    let trace = body.build(dt)?.trace(15.0, |now| now.center.z - rest)?;
    Ok(period(&trace))
}

/// Mean time between upward passes of zero.
pub fn period(trace: &[(f64, f64)]) -> f64 {
    let pass = |w: &[(f64, f64)]| {
        let ((t0, x0), (t1, x1)) = (w[0], w[1]);
        (x0 < 0.0 && x1 >= 0.0).then(|| t0 + (t1 - t0) * x0 / (x0 - x1))
    };
    let times: Vec<f64> = trace.windows(2).filter_map(pass).collect();
    match times.as_slice() {
        [first, .., last] => (last - first) / (times.len() - 1) as f64,
        _ => f64::NAN,
    }
}

/// Heave, entry, exit, and a body with different added masses along its axes.
pub fn others(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Added mass of other bodies; as printed: no rule for the momentum of a K_F that changes, so velocity is kept";
    let mut table = steps_table(caption, "closed form");
    let stiffness = WATER * GRAVITY * BARGE.x * BARGE.y;
    for (name, added) in
        [("heave of a barge without added mass [s]", 0.0), ("the same with 530 t [s]", HEAVE)]
    {
        let found = at_steps(|dt| heave(added, dt))?;
        let wanted = 2.0 * PI * sqrt((BARGE_MASS + added) / stiffness);
        // (ωh)²/24 and the interpolation between samples
        steps_row(&mut table, name, found, (wanted, Within::Part([3e-4, 2e-6])), "");
    }
    let ratio = |direction: f64| {
        at_steps(|dt| {
            let mut tank = passing(direction)?.build(dt)?;
            tank.run(1.0)?;
            Ok(tank.now()?.twist.velocity.z / (FLOAT_SPEED * direction))
        })
    };
    let within = Within::Part([1e-9; 2]);
    let entry = (entry_ratio(), within);
    steps_row(&mut table, "sphere of 800 kg/m³ that enters: speed kept", ratio(-1.0)?, entry, "1");
    steps_row(&mut table, "the same that leaves: speed kept", ratio(1.0)?, (1.0, within), "");
    let found = STEPS.map(|dt| disc().build(dt)?.now());
    let [coarse, fine] = found;
    let found = [coarse?, fine?].map(|now| now.acceleration.velocity);
    let [x, z] = disc_acceleration();
    steps_row(&mut table, "disc at 30°: acceleration x [m/s²]", found.map(|a| a.x), (x, within), "");
    steps_row(&mut table, "disc at 30°: acceleration z [m/s²]", found.map(|a| a.z), (z, within), "");
    context.table(table);
    context.remark(&format!(
        "Without added mass the disc would fall straight down at {} m/s²: K couples the directions, as the guide says of (56). Taken as an \
         explicit force, added mass multiplies the error of the acceleration by −m_a/m in each step, whatever its length: by {} in six \
         steps at 50 kg/m³. This is the instability that §6.4 describes, and (54) removes it.",
        number(GRAVITY * (1.0 - WATER / DISC_DENSITY)),
        number(pow(-10.0, EXPLICIT as f64)),
    ));
    Ok(())
}
