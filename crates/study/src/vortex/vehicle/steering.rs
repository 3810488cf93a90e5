//! Figures 16 and 17: Ackermann, pivot and crab steering.
//!
//! ```text
//!  one centre      tan δ = l κ/(1 − w κ),  κ = tan α/L         l from the line of the centre, w to the left
//!  (49) as printed δ = atan(l/(W + w)),  W = l/tan α            l of the wheel itself, w to the right
//!  pivot           δ = atan2(l, −w) folded to ±90°             as printed atan(l/w)
//! ```

use super::car::{Car, Plan, four, linear};
use super::scrub::{Steered, turn};
use crate::lab::at;
use crate::vortex::steps::{Within, at_steps, steps_row, steps_table};
use crate::{StudyContext, Table, Trouble, Verdict, number};
use glam::{DVec2, DVec3};
use libm::{atan, atan2, fabs, hypot, tan};
use windlass_vehicle::Signal;
use windlass_vehicle::steering::{PlanarMotion, ackermann, curvature};

/// Axles of an 8×8 from its turning line, the first two steered, and half its track [m]: Project Chrono, data of the
/// MAN 10t.
const AXLES: [f64; 4] = [6.3, 4.37, 0.7, -0.7];
const HALF_TRACK: f64 = 1.03;
/// Angle of axle 1 [deg], angle of crab steering [deg].
const ANGLE: f64 = 20.0;
const CRAB: f64 = 15.0;
/// Cornering stiffness of a tyre [N]; mass [kg], centre of mass ahead of the line [m].
const STIFFNESS: f64 = 150e3;
const MASS: f64 = 11_600.0;
const CENTER: f64 = 2.7;
/// Speed [m/s]: a tyre that rolls faster than 1 m/s does not resist turning on the spot.
const SPEED: f64 = 2.0;
/// Wheels that pivot [m].
const PIVOT: DVec2 = DVec2::new(1.4, 0.8);

/// Positions of the wheels from the middle of the turning line.
fn places() -> impl Iterator<Item = DVec2> {
    AXLES.into_iter().flat_map(|x| [HALF_TRACK, -HALF_TRACK].map(|y| DVec2::new(x, y)))
}

/// The position for which one centre gives the printed angle of axle 1 and 2: (49) is tan α/(1 − w tan α/l).
fn printed_place(at: DVec2) -> DVec2 {
    DVec2::new(AXLES[0], at.y * AXLES[0] / at.x)
}

/// Angles of the wheels.
pub fn angles(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Steering angles [deg] (Figures 16, 17): an 8×8 by its axles, mean angle of axle 1 20° to the left, axle 3 as if it steered; wheels at (±1.4, \
                   ±0.8) m that turn on the spot, with their rolling speed [m/s] at 1 rad/s; within 1e-9";
    let mut table = Table::new(caption, &["wheel", "ours", "closed form", "as printed"]);
    let (alpha, mut names) = (ANGLE.to_radians(), ["left", "right"].into_iter().cycle());
    let k = curvature(alpha, AXLES[0]);
    for (n, place) in places().enumerate().take(6) {
        let ours = ackermann(k, place, 1.0).to_degrees();
        let exact = atan(place.x / (1.0 / k - place.y)).to_degrees();
        let printed = atan(place.x / (place.x / tan(alpha) - place.y)).to_degrees();
        let side = names.next().unwrap_or_default();
        let cells = [format!("axle {} {side}", n / 2 + 1), number(ours), number(exact), number(printed)];
        table.row(cells, Verdict::of(fabs(ours - exact) < 1e-9));
    }
    for (name, place) in [("front left", PIVOT), ("rear right", -PIVOT), ("in the middle", DVec2::Y * 0.8)] {
        let ours = PlanarMotion::pivot().wheel(place);
        // ahead of and behind the centre, to its left and right: the same line, rolled in opposite directions
        let exact = (-atan(place.x / place.y).to_degrees(), -hypot(place.x, place.y) * place.y.signum());
        let is_same = fabs(ours.angle.to_degrees() - exact.0) < 1e-9 && fabs(ours.speed - exact.1) < 1e-9;
        let both = |(angle, speed): (f64, f64)| format!("{}, {}", number(angle), number(speed));
        let printed = number(atan(place.x / place.y).to_degrees());
        let ours = both((ours.angle.to_degrees(), ours.speed));
        table.row([format!("pivot, {name}"), ours, both(exact), printed], Verdict::of(is_same));
    }
    context.table(table);
    Ok(())
}

/// From the position of a wheel to that by which it is steered.
type Steering = fn(DVec2) -> DVec2;

/// Radius of the path of the line's middle [m] and drive force [N] of the 8×8 with steered wheels at given positions.
fn eight_by_eight(dt: f64, place: Steering) -> Result<[f64; 2], Trouble> {
    let wheels: Vec<DVec2> = places().map(|at| at - DVec2::X * CENTER).collect();
    let plan = Plan {
        height: 1.2,
        inertia: DVec3::new(5200.0, 43e3, 44e3),
        wheel: [0.629, 104.0, 20.0],
        vertical: [1e6, 5e3],
        steered: places().take(4).map(place).enumerate().collect(),
        curvature: curvature(ANGLE.to_radians(), AXLES[0]),
        ..Plan::new(MASS, &wheels, linear(STIFFNESS, None, 0.3))
    };
    let mut car = Car::new(dt, &plan, SPEED)?;
    let shaft = car.axle([6, 7], 1.0)?;
    car.motor(shaft, 1e5, SPEED / plan.wheel[0]);
    car.signal(Signal::Steer, 1.0);
    car.start()?;
    car.run(8.0)?;
    let chassis = at(&car.world, car.chassis);
    let arm = chassis.orientation * DVec3::X * -CENTER;
    let velocity = chassis.velocity + chassis.angular_velocity.cross(arm);
    let drive: f64 = car.tires().iter().map(|tire| tire.force.x).sum();
    Ok([velocity.truncate().length() / chassis.angular_velocity.z, drive])
}

/// The 8×8 drives with one turning centre and with the printed angles.
pub fn turning(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "The 8×8 drives at 2 m/s, tyres of 150 kN/rad without a limit. Its fixed axles are 1.4 m apart and scrub. Reference: \
                   equilibrium of the tyre forces";
    let mut table = steps_table(caption, "equilibrium");
    let alpha = ANGLE.to_radians();
    let k = curvature(alpha, AXLES[0]);
    let cases: [(&str, Steering); 2] = [("one centre", |at| at), ("angles as printed", printed_place)];
    for (name, place) in cases {
        let angle = |n: usize, at: DVec2| if n < 4 { ackermann(k, place(at), 1.0) } else { 0.0 };
        let wheels: Vec<Steered> = places().enumerate().map(|(n, at)| (at, angle(n, at))).collect();
        let [radius, force] = turn(&wheels, STIFFNESS, [CENTER, MASS * SPEED * SPEED]);
        let found = at_steps(|dt| eight_by_eight(dt, place))?;
        let within = Within::Part([0.01, 5e-3]);
        let row = format!("{name}: radius of the path on the line [m]");
        steps_row(&mut table, &row, found.map(|f| f[0]), (radius, within), "");
        let within = Within::Part([0.03, 0.02]);
        steps_row(&mut table, &format!("{name}: drive force [N]"), found.map(|f| f[1]), (force, within), "");
    }
    context.table(table);
    Ok(())
}

/// Crab steering.
pub fn crab(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "All wheels of a vehicle that rolls are steered by 15° (Figure 17, right)";
    let mut table = steps_table(caption, "closed form");
    let found = at_steps(|dt| {
        // the same position for all wheels gives the same angle
        let plan = Plan {
            steered: (0..4).map(|wheel| (wheel, DVec2::X)).collect(),
            curvature: tan(CRAB.to_radians()),
            ..Plan::new(1500.0, &four(1.4, 1.4, 1.6), linear(80e3, Some(0.9), 0.3))
        };
        let mut car = Car::new(dt, &plan, SPEED)?;
        car.signal(Signal::Steer, 1.0);
        car.start()?;
        car.run(5.0)?;
        let chassis = at(&car.world, car.chassis);
        let v = chassis.orientation.inverse() * chassis.velocity;
        Ok((atan2(v.y, v.x).to_degrees(), chassis.angular_velocity.z.to_degrees()))
    })?;
    let small = Within::Apart([1e-6; 2]);
    steps_row(&mut table, "path angle [deg]", found.map(|f| f.0), (CRAB, small), "");
    steps_row(&mut table, "yaw rate [deg/s]", found.map(|f| f.1), (0.0, small), "");
    context.table(table);
    Ok(())
}
