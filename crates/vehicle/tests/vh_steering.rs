//! VH23, VH24 and VH31: steering geometry and vehicles that are driven by it, and a trailing arm.

use crate::kit::*;
use crate::road::*;
use crate::train::STEPS;
use glam::{DQuat, DVec2, DVec3};
use windlass_engine::prelude::*;
use windlass_vehicle::Signal;
use windlass_vehicle::driveline::{Component, ElectricMotor};
use windlass_vehicle::steering::{PlanarMotion, ackermann, curvature};
use windlass_vehicle::tire::{Friction, Linear, TireModel};

fn case(id: &str, dt: f64) -> Case {
    Case::new(id, Integrator::Spook, dt)
}

fn linear(stiffness: f64, friction: f64) -> TireModel {
    TireModel::Linear(Linear {
        stiffness: DVec2::splat(stiffness),
        friction: Some(Friction::constant(friction)),
        relaxation: DVec2::splat(0.3),
    })
}

/// Axles of the 8×8, the same with its fixed axles on the turning line, and this line, ahead of axle 1; half its track
/// [m].
const AXLES: [f64; 4] = [0.0, -1.93, -5.6, -7.0];
const WITHOUT_SCRUB: [f64; 4] = [0.0, -1.93, LINE, LINE];
const LINE: f64 = -6.3;
const HALF_TRACK: f64 = 1.03;
/// Centre of mass [m ahead of axle 1].
const CENTER: f64 = -3.6;

/// The 8×8 at 1 m/s, steered by 20° within 2 s and then driven for 8 s: steering angles of the first four wheels [deg]
/// and the radius of the path of the middle of the turning line [m].
fn eight_by_eight(dt: f64, axles: [f64; 4]) -> ([f64; 4], f64) {
    let wheels = axles.iter().flat_map(|x| [HALF_TRACK, -HALF_TRACK].map(|y| DVec2::new(x - CENTER, y)));
    let spec = Spec {
        wheels: wheels.collect(),
        height: 1.2,
        inertia: DVec3::new(5200.0, 43e3, 44e3),
        wheel: [0.629, 104.0, 20.0],
        vertical: [1e6, 5e3],
        steered: Some((vec![0, 1, 2, 3], curvature(20.0_f64.to_radians(), axles[0] - LINE))),
        ..Spec::four(11_600.0, 0.0, 0.0, 0.0, linear(150e3, 0.8))
    };
    let mut car = Car::new(dt, &spec, 1.0);
    let steering = car.vehicle.steering.as_mut().unwrap();
    steering.rate = 0.5;
    steering.wheels.iter_mut().for_each(|(k, at)| at.x = axles[*k / 2] - LINE);
    let shaft = car.axle([6, 7], 1.0);
    let limit = 1.0 / spec.wheel[0];
    let motor = ElectricMotor { shaft, torque: 1e5, power: 1e12, limit, steer: 0.0, traction_control: None };
    car.vehicle.components.push(("motor".into(), Component::Motor(motor)));
    car.signal(Signal::Throttle, 1.0);
    car.signal(Signal::Steer, 1.0);
    car.start();
    car.steps(10.0);
    let state = |body: BodyId| &car.rig.world.state().bodies[body.index()];
    let chassis = state(car.chassis);
    let angles = [0, 1, 2, 3].map(|k| {
        let axle = chassis.orientation.inverse() * (state(car.wheels[k]).orientation * DVec3::Y);
        libm::atan2(-axle.x, axle.y).to_degrees()
    });
    let arm = chassis.orientation * DVec3::X * (LINE - CENTER);
    let velocity = chassis.velocity + chassis.angular_velocity.cross(arm);
    (angles, velocity.truncate().length() / chassis.angular_velocity.z)
}

#[test]
fn vh23_steering_of_an_8x8() {
    for dt in STEPS {
        let case = case("VH23", dt);
        let (angles, radius) = eight_by_eight(dt, AXLES);
        case.finds("radius with the fixed axles 1.4 m apart", radius);
        let names = ["axle 1 left", "axle 1 right", "axle 2 left", "axle 2 right"];
        for (name, angle) in names.into_iter().zip(angles) {
            case.finds(name, angle);
        }
        let (_, radius) = eight_by_eight(dt, WITHOUT_SCRUB);
        case.finds("radius of the middle of the line", radius);
    }
}

/// The front wheels are steered within 2 s, and the rear ones drive for 8 s: the wheels' angles, and the radius of the path
/// of the middle of the rear axle.
#[test]
fn fv04_ackermann_circle() {
    for dt in STEPS {
        let spec = Spec {
            steered: Some((vec![0, 1], curvature(20.0_f64.to_radians(), 2.7))),
            ..Spec::four(1500.0, 1.2, 1.5, 1.5, linear(150e3, 0.8))
        };
        let mut car = Car::new(dt, &spec, 1.0);
        car.vehicle.steering.as_mut().unwrap().rate = 0.5;
        let shaft = car.axle([2, 3], 1.0);
        let limit = 1.0 / spec.wheel[0];
        let motor =
            ElectricMotor { shaft, torque: 1e5, power: 1e12, limit, steer: 0.0, traction_control: None };
        car.vehicle.components.push(("motor".into(), Component::Motor(motor)));
        car.signal(Signal::Throttle, 1.0);
        car.signal(Signal::Steer, 1.0);
        car.start();
        car.steps(10.0);
        let state = |body: BodyId| &car.rig.world.state().bodies[body.index()];
        let chassis = state(car.chassis);
        let angle = |wheel: usize| {
            let axle = chassis.orientation.inverse() * (state(car.wheels[wheel]).orientation * DVec3::Y);
            libm::atan2(-axle.x, axle.y).to_degrees()
        };
        let velocity =
            chassis.velocity + chassis.angular_velocity.cross(chassis.orientation * DVec3::X * -1.5);
        let case = case("FV04", dt);
        // those of the law; the wheels themselves follow to the compliance of their rows
        let law =
            [0.75, -0.75].map(|y| ackermann(curvature(20.0_f64.to_radians(), 2.7), DVec2::new(2.7, y), 1.0));
        for (wheel, (name, wanted)) in ["inner wheel", "outer wheel"].into_iter().zip(law).enumerate() {
            case.finds(name, wanted.to_degrees());
            assert!((angle(wheel) - wanted.to_degrees()).abs() < 1e-4, "{name}: {}", angle(wheel));
        }
        case.finds("rear-axle radius", velocity.truncate().length() / chassis.angular_velocity.z);
    }
}

/// Path angle of a vehicle whose wheels are all steered by 15° [deg].
fn crab(dt: f64) -> f64 {
    let all = vec![0, 1, 2, 3];
    let spec = Spec {
        steered: Some((all, libm::tan(15.0_f64.to_radians()))),
        ..Spec::four(1500.0, 1.4, 1.4, 1.6, linear(80e3, 0.9))
    };
    let mut car = Car::new(dt, &spec, 1.0);
    let steering = car.vehicle.steering.as_mut().unwrap();
    steering.rate = 0.5;
    // the same distance from the turning line for all wheels: the same angle
    steering.wheels.iter_mut().for_each(|(_, at)| *at = DVec2::X);
    car.signal(Signal::Steer, 1.0);
    car.start();
    car.rig.run(10.0, |_, _| {});
    let chassis = &car.rig.world.state().bodies[car.chassis.index()];
    let v = chassis.orientation.inverse() * chassis.velocity;
    assert!(v.x > 0.5, "it rolls");
    libm::atan2(v.y, v.x).to_degrees()
}

/// Radii of the paths of front and rear axle of a vehicle that is bent by 35° and rolls at 1 m/s [m].
fn articulated(dt: f64) -> [f64; 2] {
    let half = |x: f64| Spec {
        wheels: [0.8, -0.8].map(|y| DVec2::new(x, y)).to_vec(),
        ..Spec::four(3000.0, 0.0, 0.0, 0.0, linear(80e3, 0.9))
    };
    let mut car = Car::new(dt, &half(0.0), 1.0);
    let angle = 35.0_f64.to_radians();
    let rear = car.coupled(&half(0.0), DVec3::X * -3.3);
    // the waist turns by a servo from straight
    let waist = DVec3::new(-1.5, 0.0, position(&car.rig.world, car.chassis).z);
    let servo = Drive::Position { target: angle, spring: Spring::new(1e6, 5e5), force: 1e6 };
    car.rig.driven_hinge([rear, car.chassis], waist, DVec3::Z, Axis::driven(servo));
    car.start();
    car.rig.run(12.0, |_, _| {});
    [car.chassis, rear].map(|body| {
        let body = &car.rig.world.state().bodies[body.index()];
        body.velocity.truncate().length() / body.angular_velocity.z
    })
}

#[test]
fn vh24_pivot_crab_articulated() {
    for dt in STEPS {
        let case = case("VH24", dt);
        let pivot = PlanarMotion::pivot().wheel(DVec2::new(1.4, 0.8));
        case.finds("pivot angle of the front left wheel", pivot.angle.to_degrees());
        let other = PlanarMotion::pivot().wheel(DVec2::X);
        case.finds(
            "speed of its rim over that of a wheel at distance 1 m",
            (pivot.speed / other.speed).abs(),
        );
        case.finds("path angle in crab", crab(dt));
        let [front, rear] = articulated(dt);
        case.finds("articulated: radius of the front axle", front);
        case.finds("articulated: radius of the rear axle", rear);
    }
}

/// Angle below the horizontal [rad] of a trailing arm with a torsion spring under a load at its end [N].
fn arm(dt: f64, load: f64) -> f64 {
    let (length, free) = (0.32, 40.0_f64.to_radians());
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let end = DQuat::from_rotation_y(free) * DVec3::X * length;
    let mass = Mass::principal(10.0, DVec3::ZERO, DVec3::splat(0.1), DQuat::IDENTITY);
    let wheel = rig.body("arm", mass, end);
    rig.driven_hinge([rig.ground, wheel], DVec3::ZERO, DVec3::Y, Axis::with_spring(25e3, 500.0, 0.0));
    let lift = Applied::force(Anchor::point(wheel, DVec3::ZERO), Direction::World(DVec3::Z * load));
    rig.world.add_force(Force::Applied(lift)).unwrap();
    rig.run(5.0, |_, _| {});
    let at = position(&rig.world, wheel);
    libm::atan2(-at.z, at.x)
}

#[test]
fn vh31_torsion_bar_arm() {
    for dt in STEPS {
        let case = case("VH31", dt);
        case.finds("angle below the horizontal", arm(dt, 10e3).to_degrees());
        let [low, high] = [9.9e3, 10.1e3].map(|load| 0.32 * libm::sin(arm(dt, load)));
        case.finds("rate at the wheel", 200.0 / (low - high));
    }
}
