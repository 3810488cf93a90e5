//! Figure 18: car wheel joint and double hinge joint.
//!
//! ```text
//!  car wheel joint   travel m g/k, tyre (m + m_u) g/k_t;  body on spring and tyre in series: two-mass system
//!  double hinge      k (θ₀ − θ) = W l cos θ,  rate at the wheel (k − W l sin θ)/(l cos θ)²
//! ```

use super::GRAVITY;
use super::car::{Car, Plan, linear};
use crate::lab::{add, at, step};
use crate::vortex::steps::{Within, at_steps, root, steps_row, steps_table};
use crate::{StudyContext, Trouble};
use glam::{DQuat, DVec2, DVec3};
use libm::{asin, cos, sin};
use windlass_engine::math;
use windlass_engine::prelude::*;

/// Sprung and unsprung mass [kg], spring [N/m], damper [N·s/m], tyre [N/m].
const SPRUNG: f64 = 400.0;
const UNSPRUNG: f64 = 40.0;
const SPRING: f64 = 20e3;
const DAMPER: f64 = 1500.0;
const TIRE: f64 = 200e3;
/// Arm [m], its free angle below the horizontal [deg], torsion spring [N·m/rad], load [N].
const ARM: f64 = 0.32;
const FREE: f64 = 40.0;
const TORSION: f64 = 25e3;
const LOAD: f64 = 10e3;

/// Travel of the suspension and deflection of the tyre at rest [m].
fn car_wheel(dt: f64) -> Result<[f64; 2], Trouble> {
    let plan = Plan {
        height: 0.5,
        wheel: [0.32, UNSPRUNG, 1.2],
        vertical: [TIRE, 0.0],
        suspension: Some([SPRING, DAMPER]),
        ..Plan::new(SPRUNG + UNSPRUNG, &[DVec2::ZERO], linear(1e5, Some(1.0), 0.3))
    };
    let mut car = Car::new(dt, &plan, 0.0)?;
    car.guide([(2, Axis::free())])?;
    car.start()?;
    let apart = |car: &Car| at(&car.world, car.chassis).position.z - at(&car.world, car.wheels[0]).position.z;
    let built = apart(&car);
    car.run(15.0)?;
    Ok([built - apart(&car), car.tires()[0].deflection])
}

/// Angle of the arm below the horizontal under a load [rad].
fn double_hinge(dt: f64, load: f64) -> Result<f64, Trouble> {
    let mut world = World::default();
    world.set(|s| (s.dt, s.gravity) = (dt, DVec3::ZERO)).map_err(Trouble::from)?;
    let chassis = add(&mut world, Body::fixed("chassis"), DVec3::ZERO)?;
    let end = DQuat::from_rotation_y(FREE.to_radians()) * DVec3::X * ARM;
    let mass = Mass::principal(10.0, DVec3::ZERO, DVec3::splat(0.1), DQuat::IDENTITY);
    let arm = add(&mut world, Body::dynamic("arm", mass), end)?;
    let turn = math::facing(DVec3::Y);
    let anchors = [Anchor::frame(chassis, DVec3::ZERO, turn), Anchor::frame(arm, -end, turn)];
    let hinge = Hinge { anchors, axis: Axis::with_spring(TORSION, 500.0, 0.0) };
    world.add_joint(Joint::new("torsion bar", hinge)).map_err(Trouble::from)?;
    let lift = Applied::force(Anchor::point(arm, DVec3::ZERO), Direction::World(DVec3::Z * load));
    world.add_force(Force::Applied(lift)).map_err(Trouble::from)?;
    for _ in 0..libm::round(5.0 / dt) as usize {
        step(&mut world)?;
    }
    Ok(asin(-at(&world, arm).position.z / ARM))
}

/// Both joints under load.
pub fn joints(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Suspension joints at rest (Figure 18): 400 kg on a spring of 20 kN/m, a wheel of 40 kg and a tyre of 200 kN/m; an arm of \
                   0.32 m on a torsion bar of 25 kN·m/rad, free 40° below the horizontal, under 10 kN";
    let mut table = steps_table(caption, "closed form");
    let wheel = at_steps(car_wheel)?;
    let small = Within::Part([1e-6; 2]);
    let travel = SPRUNG * GRAVITY / SPRING;
    steps_row(&mut table, "car wheel joint: travel [m]", wheel.map(|f| f[0]), (travel, small), "");
    let tire = (SPRUNG + UNSPRUNG) * GRAVITY / TIRE;
    steps_row(&mut table, "car wheel joint: tyre [m]", wheel.map(|f| f[1]), (tire, small), "");
    let free = FREE.to_radians();
    let angle = root(0.0, free, |angle| LOAD * ARM * cos(angle) - TORSION * (free - angle));
    let hinge = at_steps(|dt| double_hinge(dt, LOAD).map(f64::to_degrees))?;
    steps_row(&mut table, "double hinge: angle [deg]", hinge, (angle.to_degrees(), small), "");
    let rate = at_steps(|dt| {
        let [less, more] = [double_hinge(dt, 0.99 * LOAD)?, double_hinge(dt, 1.01 * LOAD)?];
        Ok(0.02 * LOAD / (ARM * (sin(less) - sin(more))))
    })?;
    let exact = (TORSION - LOAD * ARM * sin(angle)) / (ARM * cos(angle) * ARM * cos(angle));
    // a difference of 2 % of the load
    let within = Within::Part([1e-4; 2]);
    steps_row(&mut table, "double hinge: rate at the wheel [N/m]", rate, (exact, within), "");
    context.table(table);
    Ok(())
}
