//! VH07–VH12, VH25–VH30, VH44 and VH45: vehicles on a road.

use crate::kit::*;
use crate::poles::{mode, poles};
use crate::road::*;
use crate::train::STEPS;
use glam::{DVec2, DVec3};
use windlass_engine::prelude::*;
use windlass_vehicle::tire::{Brush, Friction, Linear, ShapeCurve, SlipMeasure, TireModel};
use windlass_vehicle::{Signal, SteeringState, VehicleEdit, VehicleState, Vehicles, VehiclesState};

fn case(id: &str, dt: f64) -> Case {
    Case::new(id, Integrator::Spook, dt)
}

fn linear(along: f64, across: f64, friction: Option<f64>, relaxation: f64) -> TireModel {
    let friction = friction.map(Friction::constant);
    TireModel::Linear(Linear {
        stiffness: DVec2::new(along, across),
        friction,
        relaxation: DVec2::splat(relaxation),
    })
}

/// The vehicle of VH08 and VH10.
fn sedan(friction: f64) -> Spec {
    Spec::four(1500.0, 1.2, 1.5, 1.5, linear(100e3, 100e3, Some(friction), 0.3))
}

/// Quarter of a vehicle: 400 kg on one wheel, guided so that it cannot rotate.
fn quarter(dt: f64, speed: f64) -> Car {
    let tire = ShapeCurve {
        stiffness: DVec2::splat(100e3),
        friction: Friction::constant(1.0),
        shape: 1.6,
        curvature: 0.5,
        relaxation: DVec2::splat(0.3),
    };
    let spec = Spec {
        wheels: vec![DVec2::ZERO],
        height: 0.5,
        ..Spec::four(400.0, 0.0, 0.0, 0.0, TireModel::ShapeCurve(tire))
    };
    let mut car = Car::new(dt, &spec, speed);
    car.guide(&[0, 2]);
    car
}

#[test]
fn vh44_wheel_spin_and_locking() {
    for dt in STEPS {
        let case = case("VH44", dt);
        let mut car = quarter(dt, 10.0);
        car.motor(0, 600.0);
        car.start();
        let chassis = car.chassis;
        let trace = car.rig.trace(2.0, |world| (velocity(world, chassis).x, wheels(world)[0].force.x));
        // velocities belong to the middle of the step
        let end = trace.len() - 1;
        case.finds("(a) speed", 1.5 * trace[end].1.0 - 0.5 * trace[end - 1].1.0);
        let late: Vec<f64> = trace.iter().filter(|(t, _)| *t > 1.0).map(|(_, (_, force))| *force).collect();
        let mean = late.iter().sum::<f64>() / late.len() as f64;
        let square = late.iter().map(|f| (f - mean) * (f - mean)).sum::<f64>() / late.len() as f64;
        case.finds("(a) jitter of the force, standard deviation over the last second", square.sqrt());

        let mut car = quarter(dt, 0.0);
        car.motor(0, 1800.0);
        car.start();
        let (chassis, wheel) = (car.chassis, car.wheels[0]);
        car.rig.run(2.0, |_, _| {});
        case.finds("(b) speed", velocity(&car.rig.world, chassis).x);
        let spin = car.rig.world.state().bodies[wheel.index()].angular_velocity.y;
        case.finds("(b) rim speed", 0.32 * spin);

        let mut car = quarter(dt, 20.0);
        car.brake(0, 2000.0);
        car.start();
        let chassis = car.chassis;
        let trace = car.rig.trace(4.0, |world| (position(world, chassis).x, velocity(world, chassis).x));
        let slow = trace.iter().position(|(_, (_, v))| *v < 2.0).unwrap();
        let ((_, (x0, v0)), (_, (x1, v1))) = (trace[slow - 1], trace[slow]);
        // the velocity at the instant of position k is the mean of those before and after
        let part = (v0 - 2.0) / (v0 - v1) - 0.5;
        case.finds("(c) way until 2 m/s", x0 + (x1 - x0) * part);
    }
}

#[test]
fn vh08_held_on_a_hill() {
    for dt in STEPS {
        let mut car = Car::new(dt, &Spec { gravity: uphill(libm::atan(0.2)), ..sedan(0.9) }, 0.0);
        (0..4).for_each(|wheel| car.brake(wheel, 2000.0));
        car.start();
        let chassis = car.chassis;
        let start = position(&car.rig.world, chassis).x;
        let case = case("VH08", dt);
        car.rig.run(10.0, |_, _| {});
        let stands = position(&car.rig.world, chassis);
        let sum: f64 = wheels(&car.rig.world).iter().map(|wheel| wheel.force.x).sum();
        case.finds("sum of tangential forces", sum);
        case.finds("way downhill until it stands", start - stands.x);
        car.rig.run(50.0, |_, _| {});
        let drift = (position(&car.rig.world, chassis) - stands).length();
        case.finds("drift from 10 s to 60 s", drift);
        assert!(drift * 3600.0 / 50.0 < 1e-6, "a parked car creeps by {drift} m in 50 s");
    }
}

#[test]
fn vh09_sliding_with_locked_wheels() {
    for dt in STEPS {
        let gravity = uphill(30.0_f64.to_radians());
        // a stiff carcass: the reference slides from the first instant on, without a deflection before
        let tire = linear(100e3, 100e3, Some(0.4), 0.005);
        let mut car = Car::new(dt, &Spec { gravity, tires: vec![tire], ..sedan(0.4) }, 0.0);
        (0..4).for_each(|wheel| car.brake(wheel, 1e5));
        car.start();
        let chassis = car.chassis;
        let trace = car.rig.trace(2.0, |world| -velocity(world, chassis).x);
        let case = case("VH09", dt);
        let (end, half) = (trace.len() - 1, trace.len() / 2);
        let acceleration = (trace[end].1 - trace[half].1) / (trace[end].0 - trace[half].0);
        case.finds("acceleration", acceleration);
        case.finds("speed after 2 s", trace[end].1 + 0.5 * dt * acceleration);
    }
}

#[test]
fn vh10_braking_without_locking() {
    for dt in STEPS {
        // the reference knows no limit of friction, which the rear wheels would exceed
        let tire = linear(100e3, 100e3, None, 0.3);
        let mut car = Car::new(dt, &Spec { tires: vec![tire], ..sedan(0.9) }, 20.0);
        (0..4).for_each(|wheel| car.brake(wheel, 900.0));
        car.start();
        let chassis = car.chassis;
        let trace = car.rig.trace(5.0, |world| {
            let loads: Vec<f64> = wheels(world).iter().map(|wheel| wheel.load).collect();
            (
                position(world, chassis).x,
                velocity(world, chassis).x,
                [loads[0] + loads[1], loads[2] + loads[3]],
            )
        });
        let case = case("VH10", dt);
        let at = |time: f64| trace[(time / dt).round() as usize].1;
        case.finds("deceleration", at(1.0).1 - at(2.0).1);
        case.finds("front axle load", at(1.5).2[0]);
        case.finds("rear axle load", at(1.5).2[1]);
        let farthest = trace.iter().fold(0.0, |most: f64, (_, (x, ..))| most.max(*x));
        case.finds("stopping distance", farthest);
        let back = trace.iter().fold(0.0, |most: f64, (_, (_, v, _))| most.max(-v));
        case.finds("largest backward speed after the stop", back);
    }
}

/// The single-track vehicle of VH25: two wheels per axle at a track of 1 cm, chassis on the ground's height so that it
/// does not roll.
fn single_track(dt: f64, steer: f64) -> Car {
    let front = linear(1e5, 40e3, None, 0.0);
    let rear = linear(1e5, 50e3, None, 0.0);
    let base = Spec::four(1500.0, 1.2, 1.5, 0.01, front.clone());
    let curvature = libm::tan(1.0_f64.to_radians()) / 2.7;
    let spec = Spec {
        height: 0.32,
        inertia: DVec3::new(1300.0, 1500.0, 2500.0 - 40.0 * 1.845 - 4.0 * 0.72),
        tires: vec![front.clone(), front, rear],
        steered: Some((vec![0, 1], curvature)),
        ..base
    };
    let mut car = Car::new(dt, &spec, 20.0);
    // a guide that keeps it upright
    car.guide(&[0, 1, 2, 5]);
    car.signal(Signal::Steer, steer);
    // the rear wheels hold the speed
    for wheel in [2, 3] {
        car.motor(wheel, 1e4).limit = 20.0 / 0.32;
    }
    // the steering is there from the first instant on
    let steering = car.vehicle.steering.clone().unwrap();
    let state = SteeringState { command: steer, ..SteeringState::default() };
    for (wheel, at) in &steering.wheels {
        let body = car.wheels[*wheel];
        let orientation = glam::DQuat::from_rotation_z(steering.angle(&state, *at));
        let position = position(&car.rig.world, body);
        car.rig.world.edit(Edit::SetPose { body, at: position, orientation }).unwrap();
        car.rig.moving(body, DVec3::X * 20.0, orientation * DVec3::Y * (20.0 / 0.32));
    }
    let state = VehiclesState(vec![VehicleState { steering: state, ..VehicleState::new(&car.vehicle) }]);
    let edit = VehicleEdit::Set(vec![car.vehicle.clone()], Some(state));
    car.rig.world.edit_subsystem::<Vehicles>(edit).unwrap();
    car
}

#[test]
fn vh25_steady_turn_and_vh26_step_of_the_steering() {
    for dt in STEPS {
        let mut car = single_track(dt, 1.0);
        let chassis = car.chassis;
        let trace = car.rig.trace(3.0, |world| {
            let body = &world.state().bodies[chassis.index()];
            let [ahead, left] = [DVec3::X, DVec3::Y].map(|axis| body.velocity.dot(body.orientation * axis));
            (body.angular_velocity.z, ahead, left)
        });
        let steady = trace.last().unwrap().1;
        let turn = case("VH25", dt);
        turn.finds("yaw rate", steady.0);
        turn.finds("lateral acceleration", steady.0 * steady.1);
        // the orientation is that at the end of the step, half a step after the velocity
        let slip_angle = libm::atan2(steady.2, steady.1) + 0.5 * dt * steady.0;
        turn.finds("slip angle at the centre of mass", slip_angle.to_degrees());
        let angle = 1.0_f64.to_radians();
        let k = (steady.1 * angle / steady.0 - 2.7) / (steady.1 * steady.1);
        turn.finds("understeer coefficient K", k);
        turn.finds("characteristic speed", (2.7 / k).sqrt());
        let step = case("VH26", dt);
        let at = |time: f64| {
            // velocities belong to the middle of a step
            let place = time / dt + 0.5;
            let (k, part) = (place.floor() as usize, place - place.floor());
            trace[k].1.0 + (trace[k + 1].1.0 - trace[k].1.0) * part
        };
        let every = (1.0 / 30.0 / dt).round() as usize;
        let states: Vec<[f64; 2]> =
            trace.iter().skip(2).step_by(every).take(16).map(|(_, (rate, _, left))| [*rate, *left]).collect();
        let (natural, ratio) = mode(&states, every as f64 * dt);
        step.finds("natural frequency", natural / std::f64::consts::TAU);
        step.finds("damping ratio", ratio);
        step.finds("yaw rate at 0.1 s", at(0.1));
        step.finds("yaw rate at 0.3 s", at(0.3));
        let peak = trace.iter().fold(0.0, |most: f64, (_, (rate, ..))| most.max(*rate));
        step.finds("peak yaw rate over the steady one", peak / steady.0);
    }
}

#[test]
fn vh29_quarter_vehicle() {
    for dt in STEPS {
        let tire = linear(1e5, 1e5, Some(1.0), 0.3);
        let spec = Spec {
            wheels: vec![DVec2::ZERO],
            height: 0.5,
            wheel: [0.32, 40.0, 1.2],
            vertical: [200e3, 0.0],
            suspension: Some([20e3, 1500.0]),
            ..Spec::four(440.0, 0.0, 0.0, 0.0, tire)
        };
        let mut car = Car::new(dt, &spec, 0.0);
        car.guide(&[2]);
        car.start();
        car.rig.widest = 1.0;
        let (chassis, wheel) = (car.chassis, car.wheels[0]);
        // the spring is relaxed as built: it sinks by its travel
        let apart = position(&car.rig.world, chassis).z - position(&car.rig.world, wheel).z;
        car.rig.run(30.0, |_, _| {});
        let case = case("VH29", dt);
        let world = &car.rig.world;
        let travel = apart - (position(world, chassis).z - position(world, wheel).z);
        case.finds("suspension travel at rest", travel);
        case.finds("tyre deflection at rest", wheels(world)[0].deflection);
        // lifted by 20 mm as a whole, and released
        let rest = position(world, chassis).z;
        for body in [chassis, wheel] {
            let state = &car.rig.world.state().bodies[body.index()];
            let (at, turn) = (state.position + DVec3::Z * 0.02, state.orientation);
            car.rig.world.edit(Edit::SetPose { body, at, orientation: turn }).unwrap();
        }
        let axle = position(&car.rig.world, wheel).z - 0.02;
        let trace =
            car.rig.trace(3.0, |world| [position(world, chassis).z - rest, position(world, wheel).z - axle]);
        if dt == 1e-3 {
            let samples: Vec<f64> = trace.iter().step_by(8).take(60).map(|(_, [_, wheel])| *wheel).collect();
            let found = poles(&samples, 4, 0.008);
            let (natural, ratio) = *found.last().unwrap();
            case.finds(
                "wheel hop: damped frequency",
                natural * (1.0 - ratio * ratio).sqrt() / std::f64::consts::TAU,
            );
            case.finds("wheel hop: damping ratio", ratio);
        }
        let trace: Vec<(f64, f64)> = trace.into_iter().map(|(t, [body, _])| (t, body)).collect();
        // maxima and minima of the body's motion after the wheel's has decayed
        let turning = |k: &usize| {
            let [a, b, c] = [trace[k - 1].1, trace[*k].1, trace[k + 1].1];
            (b - a) * (c - b) <= 0.0 && trace[*k].0 > 0.3
        };
        let peaks: Vec<(f64, f64)> =
            (1..trace.len() - 1).filter(turning).map(|k| vertex(&trace, k)).take(3).collect();
        let period = peaks[2].0 - peaks[0].0;
        case.finds("body: damped frequency", 1.0 / period);
        let decrement = libm::log((peaks[0].1 / peaks[2].1).abs());
        let tau = std::f64::consts::TAU;
        case.finds("body: damping ratio", decrement / (tau * tau + decrement * decrement).sqrt());
    }
}

/// Vertex of the parabola through three points.
fn vertex(trace: &[(f64, f64)], k: usize) -> (f64, f64) {
    let [a, b, c] = [trace[k - 1].1, trace[k].1, trace[k + 1].1];
    let h = trace[k].0 - trace[k - 1].0;
    let bend = a - 2.0 * b + c;
    let shift = if bend == 0.0 { 0.0 } else { 0.5 * (a - c) / bend };
    (trace[k].0 + shift * h, b - 0.25 * (a - c) * shift)
}

/// A brush tyre never transmits more than friction, whatever the wheel does.
#[test]
fn tyres_never_exceed_friction_for_long() {
    let tire = TireModel::Brush(Brush::new(DVec2::new(90e3, 60e3), 0.8, 0.08, DVec2::splat(0.3)));
    let mut car = Car::new(1.0 / 60.0, &Spec { tires: vec![tire], ..sedan(0.8) }, 15.0);
    let chassis = car.chassis;
    (0..4).for_each(|wheel| car.brake(wheel, 1e4));
    car.start();
    car.rig.moving(chassis, DVec3::new(15.0, 3.0, 0.0), DVec3::Z * 0.5);
    let trace = car.rig.trace(3.0, |world| {
        wheels(world).iter().map(|w| w.force.length() / (0.8 * w.load).max(100.0)).fold(0.0, f64::max)
    });
    let over = trace.iter().filter(|(t, share)| *t > 0.2 && *share > 1.05).count();
    assert!(over < 5, "{over} of {} steps", trace.len());
}

/// Rolling resistance and aerodynamic drag of VH11 and VH12.
fn coasting(dt: f64, speed: f64) -> Car {
    let tire = linear(2e6, 2e6, None, 0.3);
    let spec = Spec { rolling_resistance: Some(0.012), ..Spec::four(1500.0, 1.35, 1.35, 1.5, tire) };
    let mut car = Car::new(dt, &spec, speed);
    let drag = Drag { body: car.chassis, factor: 1.0, area: 0.65, density: Some(AIR) };
    car.rig.world.add_force(Force::Drag(drag)).unwrap();
    car
}

/// Density of the air in VH11 and VH12 [kg/m³].
const AIR: f64 = 1.225;

#[test]
fn vh11_coasting_down() {
    for dt in STEPS {
        let mut car = coasting(dt, 30.0);
        car.start();
        let (chassis, mut last) = (car.chassis, (0.0, 0.0, 30.0));
        let start = position(&car.rig.world, chassis).x;
        let case = case("VH11", dt);
        for step in 1.. {
            let report = car.rig.world.step();
            assert!(report.fault.is_none() && step < 200_000);
            let (x, v) = (position(&car.rig.world, chassis).x - start, velocity(&car.rig.world, chassis).x);
            // velocities belong to the middle of a step
            let now = (report.time - 0.5 * dt, x - 0.5 * dt * v, v);
            if v < 10.0 {
                let part = (last.2 - 10.0) / (last.2 - v);
                case.finds("time", last.0 + (now.0 - last.0) * part);
                case.finds("way", last.1 + (now.1 - last.1) * part);
                break;
            }
            last = now;
        }
    }
}

#[test]
fn vh12_top_speed() {
    for dt in STEPS {
        let mut car = coasting(dt, 60.0);
        for wheel in [2, 3] {
            car.motor(wheel, 1e6).power = 50e3;
        }
        car.start();
        car.steps(60.0);
        case("VH12", dt).finds("top speed", velocity(&car.rig.world, car.chassis).x);
    }
}

/// Gravity that tilts by a rate, instead of the road.
fn tilted(angle: f64) -> DVec3 {
    DVec3::new(0.0, -libm::sin(angle), -libm::cos(angle)) * G
}

#[test]
fn vh27_turning_over() {
    for dt in STEPS {
        let spec = Spec {
            height: 1.1,
            gravity: tilted(30.0_f64.to_radians()),
            ..Spec::four(1500.0, 1.35, 1.35, 1.8, linear(200e3, 200e3, Some(2.0), 0.1))
        };
        let mut car = Car::new(dt, &spec, 0.0);
        (0..4).for_each(|wheel| car.brake(wheel, 1e5));
        car.start();
        car.steps(3.0);
        let mut angle = 30.0;
        while wheels(&car.rig.world)[0].load + wheels(&car.rig.world)[2].load > 0.0 && angle < 45.0 {
            angle += dt;
            car.rig.world.set(|s| s.gravity = tilted(angle.to_radians())).unwrap();
            assert!(car.rig.world.step().fault.is_none());
        }
        let case = case("VH27", dt);
        case.finds("angle at which the upper wheels leave", angle);
        case.finds("static stability factor", libm::tan(angle.to_radians()));
    }
}

#[test]
fn vh30_roll() {
    for dt in STEPS {
        // almost all mass is sprung; the springs are relaxed as built
        let travel = 1496.0 * G / 100e3;
        let spec = Spec {
            height: 0.55 + travel,
            wheel: [0.32, 1.0, 0.05],
            vertical: [2e7, 2e4],
            suspension: Some([25e3, 3000.0]),
            ..Spec::four(1500.0, 1.35, 1.35, 1.5, linear(200e3, 200e3, Some(2.0), 0.05))
        };
        // it rolls: tyres that stand would hold the contact points together and resist the roll
        let mut car = Car::new(dt, &spec, 10.0);
        car.start();
        let chassis = car.chassis;
        car.rig.widest = 1.0;
        // it settles, then is pulled sideways
        car.rig.run(5.0, |_, _| {});
        let pull = Direction::World(DVec3::Y * 0.4 * 1500.0 * G);
        let pull = Applied::force(Anchor::point(chassis, DVec3::ZERO), pull);
        car.rig.world.add_force(Force::Applied(pull)).unwrap();
        car.rig.run(10.0, |_, _| {});
        let up = car.rig.world.state().bodies[chassis.index()].orientation * DVec3::Z;
        let case = case("VH30", dt);
        case.finds("roll angle", libm::acos(up.z).to_degrees());
        case.finds(
            "load of the inner front wheel if evenly split",
            wheels(&car.rig.world)[0].load.min(wheels(&car.rig.world)[1].load),
        );
    }
}

/// A wheel that is led along a straight line at 10 m/s, 1° off its heading.
#[test]
fn vh07_relaxation_length() {
    for dt in STEPS {
        let angle = 1.0_f64.to_radians();
        let tire = linear(60e3, 60e3, None, 0.5);
        let spec = Spec { wheels: vec![DVec2::ZERO], height: 0.5, ..Spec::four(400.0, 0.0, 0.0, 0.0, tire) };
        let mut car = Car::new(dt, &spec, 10.0);
        let led = |speed: f64| Axis::driven(Drive::Prescribed(Motion::Ramp { start: 0.0, speed }));
        let velocity = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0) * 10.0;
        car.guide_along([(0, led(velocity.x)), (1, led(velocity.y)), (2, Axis::free())]);
        for body in [car.chassis, car.wheels[0]] {
            let spin = car.rig.world.state().bodies[body.index()].angular_velocity;
            car.rig.moving(body, velocity, spin);
        }
        // the closed form is that of a spring without damper
        car.vehicle.wheels[0].carcass_damping = 0.0;
        car.start();
        car.rig.widest = f64::INFINITY;
        let trace = car.rig.trace(1.0, |world| wheels(world)[0].force.y.abs());
        let case = case("VH07", dt);
        let at = |time: f64| trace[(time / dt).round() as usize].1;
        case.finds("|F_y| at 0.05 s", at(0.05));
        case.finds("|F_y| at 0.1 s", at(0.1));
        case.finds("|F_y| in the end", at(1.0));
    }
}

/// Whether a vehicle whose driven wheels spin climbs a slope from rest.
fn climbs(dt: f64, driven: &[usize], slope: f64) -> bool {
    let mut car = Car::new(dt, &Spec { gravity: uphill(libm::atan(slope)), ..sedan(0.6) }, 0.0);
    driven.iter().for_each(|wheel| car.motor(*wheel, 1e5).limit = 20.0);
    car.start();
    let [half, end] = [0.5, 0.5].map(|time| {
        car.steps(time);
        velocity(&car.rig.world, car.chassis).x
    });
    end > half
}

#[test]
fn vh28_gradeability() {
    for dt in STEPS {
        let case = case("VH28", dt);
        let limit = |driven: &[usize]| {
            let (mut low, mut high) = (0.1, 1.0);
            for _ in 0..9 {
                let middle = 0.5 * (low + high);
                if climbs(dt, driven, middle) { low = middle } else { high = middle }
            }
            50.0 * (low + high)
        };
        case.finds("limit with rear driven", limit(&[2, 3]));
        case.finds("limit with front driven", limit(&[0, 1]));
        case.finds("limit with all four driven", limit(&[0, 1, 2, 3]));
    }
}

/// A single-track vehicle with brush tyres, steered by 3° and braked from the start; run for 4 s.
fn braked_in_a_bend(dt: f64, brakes: [f64; 2]) -> (DVec3, f64, f64) {
    let brush = |stiffness: f64| {
        TireModel::Brush(Brush {
            measure: SlipMeasure::Practical,
            // the reference has no aligning moment
            ..Brush::new(DVec2::splat(stiffness), 0.9, 1e-9, DVec2::splat(0.4))
        })
    };
    let spec = Spec {
        wheels: vec![DVec2::new(1.2, 0.0), DVec2::new(-1.5, 0.0)],
        height: 0.0,
        wheel: [0.32, 10.0, 2.4],
        inertia: DVec3::new(1300.0, 1500.0, 2500.0 - 10.0 * (1.44 + 2.25) - 2.0 * 1.44),
        tires: vec![brush(80e3), brush(100e3)],
        steered: Some((vec![0], libm::tan(3.0_f64.to_radians()) / 2.7)),
        ..Spec::four(1500.0, 1.2, 1.5, 1.0, brush(80e3))
    };
    let mut car = Car::new(dt, &spec, 25.0);
    let chassis = car.chassis;
    car.guide(&[0, 1, 2, 5]);
    // the guide holds the pitch: stiffnesses divide the weight as the distances of the axles do
    car.vehicle.wheels[1].vertical = vertical_spring(0.32, [5e6 * 1.2 / 1.5, 2e4]);
    // 500 N·s/m of both axles
    car.vehicle.wheels.iter_mut().for_each(|wheel| wheel.carcass_damping = 0.01937);
    (0..2).for_each(|wheel| car.brake(wheel, brakes[wheel]));
    car.signal(Signal::Steer, 1.0);
    car.start();
    let (mut heading, mut last) = (0.0, 0.0);
    for _ in 0..(4.0 / dt).round() as usize {
        assert!(car.rig.world.step().fault.is_none());
        let ahead = car.rig.world.state().bodies[chassis.index()].orientation * DVec3::X;
        let now = libm::atan2(ahead.y, ahead.x);
        let tau = std::f64::consts::TAU;
        heading += (now - last) - tau * ((now - last) / tau).round();
        last = now;
    }
    let body = &car.rig.world.state().bodies[chassis.index()];
    (body.position, heading, body.velocity.dot(body.orientation * DVec3::X))
}

#[test]
fn vh45_braking_in_a_bend() {
    for dt in STEPS {
        let case = case("VH45", dt);
        let (position, heading, speed) = braked_in_a_bend(dt, [900.0, 500.0]);
        case.finds("(a) x y after 4 s", [position.x, position.y]);
        case.finds("(a) heading", heading);
        case.finds("(a) speed ahead", speed);
        let (_, heading, _) = braked_in_a_bend(dt, [900.0, 6000.0]);
        case.finds("(b) heading", heading);
    }
}
