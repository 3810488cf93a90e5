//! Anti-lock brakes, traction control, geometries of steering and skid steering.

use crate::road::{Car, Spec};
use crate::train::STEPS;
use glam::{DVec2, DVec3};
use windlass_vehicle::driveline::{AntiLock, Brake, Component, TractionControl};
use windlass_vehicle::steering::PlanarMotion;
use windlass_vehicle::tire::{Brush, Friction, ShapeCurve, TireModel};
use windlass_vehicle::{Signal, SteeringMode, Vehicles};

/// A tyre with a peak at a slip of about 0.1 and two thirds of it when it slides.
fn peaked() -> TireModel {
    TireModel::ShapeCurve(ShapeCurve {
        stiffness: DVec2::new(100e3, 80e3),
        friction: Friction::constant(1.0),
        shape: 1.55,
        curvature: 0.3,
        relaxation: DVec2::new(0.2, 0.3),
    })
}

fn brush() -> TireModel {
    TireModel::Brush(Brush::new(DVec2::new(100e3, 80e3), 1.0, 0.08, DVec2::new(0.2, 0.3)))
}

fn spec(tire: TireModel) -> Spec {
    Spec { vertical: [3e5, 3e3], ..Spec::four(1500.0, 1.2, 1.5, 1.5, tire) }
}

/// Brakes each wheel with a torque from 25 m/s, steering 1° from the first instant on: the distance until 2 m/s, the
/// largest slip above 8 m/s after half a second, and the yaw angle.
fn stop(dt: f64, anti_lock: Option<f64>) -> [f64; 3] {
    let mut car = Car::new(dt, &spec(peaked()), 25.0);
    for wheel in 0..4 {
        let brake = Brake {
            shaft: wheel,
            torque: 2500.0,
            parking: 0.0,
            drag: 0.0,
            lag: 0.04,
            anti_lock: anti_lock.map(|slip| AntiLock { wheel, slip }),
            disc: None,
        };
        let shaft = car.shaft(wheel);
        car.vehicle.components.push((format!("brake {wheel}"), Component::Brake(Brake { shaft, ..brake })));
    }
    car.signal(Signal::Brake, 1.0);
    car.start();
    let chassis = car.chassis;
    let trace = car.rig.trace(6.0, |world| {
        let body = world.state().bodies[chassis.index()];
        let slips = Vehicles::of(world).unwrap().1.0[0].wheels.clone();
        (body.position.x, body.velocity.x, slips.iter().fold(0.0, |most: f64, w| most.max(-w.slip.x)))
    });
    let end = trace.iter().find(|(_, (_, v, _))| *v < 2.0).expect("it stops").1.0 - trace[0].1.0;
    let fast = trace.iter().filter(|(t, (_, v, _))| *t > 0.5 && *v > 8.0);
    let locked =
        fast.clone().filter(|(_, (_, _, slip))| *slip > 0.8).count() as f64 / fast.clone().count() as f64;
    let mean = fast.clone().map(|(_, (_, _, slip))| *slip).sum::<f64>() / fast.count() as f64;
    [end, locked, mean]
}

/// Without control the wheels lock and slide at two thirds of the peak friction. With it they do not lock, and the
/// distance is shorter: at least that of braking at the peak, 25²/2g = 31.7 m to 2 m/s.
#[test]
fn anti_lock_brakes_keep_wheels_turning_and_stop_sooner() {
    for dt in STEPS {
        let [sliding, locked, _] = stop(dt, None);
        let [controlled, still_locked, mean] = stop(dt, Some(0.15));
        assert!(locked > 0.95, "{dt}: without control the wheels lock, {locked}");
        assert!(still_locked < 0.02 && (0.03..0.3).contains(&mean), "{dt}: {still_locked} {mean}");
        assert!((31.6..0.92 * sliding).contains(&controlled), "{dt}: {controlled} m against {sliding} m");
    }
}

/// Accelerates with more torque than the tyres can carry: speed after 3 s and the mean driving slip.
fn launch(dt: f64, control: Option<f64>) -> [f64; 2] {
    let mut car = Car::new(dt, &spec(peaked()), 1.0);
    for wheel in 2..4 {
        car.motor(wheel, 2500.0).traction_control = control.map(|slip| TractionControl { slip });
    }
    car.start();
    let chassis = car.chassis;
    let trace = car.rig.trace(3.0, |world| {
        let wheels = &Vehicles::of(world).unwrap().1.0[0].wheels;
        (world.state().bodies[chassis.index()].velocity.x, wheels[2].slip.x)
    });
    let slips = trace.iter().filter(|(t, _)| *t > 1.0).map(|(_, (_, slip))| *slip);
    [trace.last().unwrap().1.0, slips.clone().sum::<f64>() / slips.count() as f64]
}

#[test]
fn traction_control_keeps_the_slip_small_and_accelerates_more() {
    for dt in STEPS {
        let [free, spinning] = launch(dt, None);
        let [controlled, slip] = launch(dt, Some(0.15));
        assert!(spinning > 0.7, "{dt}: without control the wheels spin, {spinning}");
        assert!((0.03..0.3).contains(&slip), "{dt}: {slip}");
        assert!(controlled > 1.1 * free, "{dt}: {controlled} m/s against {free} m/s");
    }
}

/// In crab mode all wheels are at the same angle, and the vehicle moves along it without turning (VH24).
#[test]
fn crab_steering_moves_sideways() {
    for (dt, within) in [(STEPS[0], 0.1), (STEPS[1], 0.05)] {
        let spec = Spec { steered: Some(((0..4).collect(), 0.3)), ..spec(brush()) };
        let mut car = Car::new(dt, &spec, 1.0);
        let steering = car.vehicle.steering.as_mut().unwrap();
        (steering.mode, steering.max_angle, steering.rate) = (SteeringMode::Crab, 0.5, 0.5);
        let command = 15f64.to_radians() / steering.max_angle;
        car.signal(Signal::Steer, command);
        car.start();
        let chassis = car.chassis;
        let trace = car.rig.trace(6.0, |world| {
            let body = world.state().bodies[chassis.index()];
            (body.position, body.orientation * DVec3::X)
        });
        let (from, to) = (&trace[trace.len() / 2].1, &trace.last().unwrap().1);
        let way = to.0 - from.0;
        let heading = libm::atan2(to.1.y, to.1.x);
        let angle = (libm::atan2(way.y, way.x) - heading).to_degrees();
        assert!(way.length() > 1.0 && (angle - 15.0).abs() < within, "{dt}: {angle} after {way}");
        let turned = heading - libm::atan2(from.1.y, from.1.x);
        assert!(turned.abs() < 1e-3, "{dt}: it turned by {turned} rad");
    }
}

/// A vehicle that stands changes from Ackermann to pivot within a second, each wheel at its closed-form angle; motors
/// that take part in the steering then turn it on the spot.
#[test]
fn pivot_steering_turns_on_the_spot() {
    let mut spec = Spec { steered: Some(((0..4).collect(), 0.3)), ..spec(brush()) };
    spec.wheels =
        [(1.4, 0.8), (1.4, -0.8), (-1.4, 0.8), (-1.4, -0.8)].map(|(x, y)| DVec2::new(x, y)).to_vec();
    let mut car = Car::new(1.0 / 60.0, &spec, 0.0);
    let steering = car.vehicle.steering.as_mut().unwrap();
    steering.wheels = spec.wheels.iter().copied().enumerate().collect();
    for (wheel, side) in [(0, -1.0), (1, 1.0), (2, -1.0), (3, 1.0)] {
        let motor = car.motor(wheel, 400.0);
        (motor.steer, motor.limit) = (side, 2.0);
    }
    car.signal(Signal::Throttle, 0.0);
    car.signal(Signal::SteeringMode, 2.0);
    car.signal(Signal::Steer, 0.0);
    car.start();
    (0..90).for_each(|_| assert!(car.rig.world.step().fault.is_none()));
    for (wheel, at) in car.wheels.iter().zip(&spec.wheels) {
        let [wheel, chassis] = [*wheel, car.chassis].map(|body| car.rig.world.state().bodies[body.index()]);
        let axle = chassis.orientation.inverse() * (wheel.orientation * DVec3::Y);
        let angle = libm::atan2(-axle.x, axle.y);
        let wanted = PlanarMotion::pivot().wheel(*at).angle;
        assert!((angle - wanted).abs() < 1e-3, "{angle} for {wanted}");
    }
    car.signal(Signal::Steer, 1.0);
    car.start();
    let chassis = car.chassis;
    let start = car.rig.world.state().bodies[chassis.index()].position;
    let trace = car.rig.trace(4.0, |world| world.state().bodies[chassis.index()]);
    let end = trace.last().unwrap().1;
    assert!(end.angular_velocity.z > 0.2, "it turns to the left: {}", end.angular_velocity);
    assert!((end.position - start).length() < 0.05, "it stays where it is: {}", end.position - start);
}

/// A vehicle without steered wheels turns by different speeds of its sides: at most as fast as without slip, 2 v/b.
#[test]
fn skid_steering_turns_by_different_speeds() {
    let mut car = Car::new(1.0 / 60.0, &spec(brush()), 0.0);
    for (wheel, side) in [(0, -1.0), (1, 1.0), (2, -1.0), (3, 1.0)] {
        let motor = car.motor(wheel, 3000.0);
        (motor.steer, motor.limit) = (side, 3.0);
    }
    car.signal(Signal::Throttle, 0.0);
    car.signal(Signal::Steer, 1.0);
    car.start();
    let chassis = car.chassis;
    let trace = car.rig.trace(4.0, |world| world.state().bodies[chassis.index()]);
    let end = trace.last().unwrap().1;
    // tyres that are dragged sideways cost most of it
    let ideal = 2.0 * 3.0 * 0.32 / 1.5;
    assert!((0.15 * ideal..ideal).contains(&end.angular_velocity.z), "{} of {ideal}", end.angular_velocity.z);
    assert!(end.position.truncate().length() < 1.0, "{}", end.position);
}
