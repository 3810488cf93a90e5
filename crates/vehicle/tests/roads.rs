//! Tyres on every kind of road, and what every feature must keep: energy account, snapshots, allocations.

use crate::kit::counting::allocated;
use crate::road::*;
use glam::{DQuat, DVec2, DVec3};
use windlass_engine::prelude::*;
use windlass_vehicle::Vehicles;
use windlass_vehicle::tire::{Brush, TireModel};

fn brush() -> TireModel {
    TireModel::Brush(Brush::new(DVec2::new(90e3, 70e3), 0.9, 0.08, DVec2::new(0.3, 0.4)))
}

fn sedan() -> Spec {
    Spec {
        vertical: [250e3, 500.0],
        suspension: Some([40e3, 3500.0]),
        ..Spec::four(1500.0, 1.2, 1.5, 1.5, brush())
    }
}

/// Replaces the road of a car by another, which reaches 200 m ahead.
fn on(car: &mut Car, road: Body, at: DVec3, orientation: DQuat) -> BodyId {
    let old = car.rig.world.model().bodies().iter().find(|(_, body)| body.name == "road").unwrap().0;
    let old = car.rig.world.model().bodies().id(old).unwrap();
    car.rig.world.edit(Edit::RemoveBody(old)).unwrap();
    car.rig.world.add_body(road, at, orientation).unwrap()
}

/// A level road as a grid of triangles.
fn triangles() -> Geometry {
    let (nx, ny) = (60, 9);
    let vertex = |k: usize| DVec3::new(-20.0 + 2.0 * (k % nx) as f64, -8.0 + 2.0 * (k / nx) as f64, 0.0);
    let vertices: Vec<DVec3> = (0..nx * ny).map(vertex).collect();
    let mut triangles = Vec::new();
    for j in 0..ny - 1 {
        for i in 0..nx - 1 {
            let [a, b, c, d] =
                [j * nx + i, j * nx + i + 1, (j + 1) * nx + i + 1, (j + 1) * nx + i].map(|k| k as u32);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Geometry::Surface { vertices, triangles }
}

/// The same drive over a half-space, a box, triangles and a height field: they differ by the precision of collision.
#[test]
fn roads_of_every_shape_are_the_same_road() {
    let drive = |geometry: Option<Geometry>, height: f64| {
        let mut car = Car::new(1.0 / 60.0, &sedan(), 8.0);
        if let Some(geometry) = geometry {
            on(
                &mut car,
                Body::fixed("ground").with_collider(Collider::of(geometry)),
                DVec3::Z * height,
                DQuat::IDENTITY,
            );
        }
        for wheel in 2..4 {
            car.motor(wheel, 150.0);
        }
        car.start();
        car.rig.run(3.0, |_, _| {});
        let body = &car.rig.world.state().bodies[car.chassis.index()];
        (body.position, body.velocity)
    };
    let (position, velocity) = drive(None, 0.0);
    assert!(position.x > 25.0 && velocity.x > 8.5, "{position} {velocity}");
    let solid = Geometry::Solid(Shape::Box { half: DVec3::new(100.0, 20.0, 1.0) });
    let heights = Geometry::HeightField { heights: vec![0.0; 41 * 11], columns: 41, spacing: [5.0, 4.0] };
    for (name, geometry, height) in
        [("box", solid, -1.0), ("triangles", triangles(), 0.0), ("heights", heights, 0.0)]
    {
        let (p, v) = drive(Some(geometry), height);
        assert!(
            p.distance(position) < 1e-4 && v.distance(velocity) < 1e-4,
            "{name}: {p} {v} for {position} {velocity}"
        );
    }
}

/// A car that brakes on the deck of a ferry stays where it is on it, while the deck surges, sways and turns.
#[test]
fn a_parked_car_moves_with_its_deck() {
    let mut car = Car::new(1.0 / 60.0, &sedan(), 0.0);
    let sine = |amplitude: f64, period: f64| Motion::Sine {
        mean: 0.0,
        amplitude,
        frequency: 1.0 / period,
        phase: 0.0,
    };
    let path = Path {
        position: [sine(1.0, 9.0), sine(0.5, 7.0), Motion::Sum(vec![Motion::Constant(-1.0), sine(0.6, 8.0)])],
        rotations: vec![PathRotation { axis: DVec3::Z, angle: sine(0.1, 11.0) }],
        orientation: DQuat::IDENTITY,
    };
    let deck = Collider::of(Geometry::Solid(Shape::Box { half: DVec3::new(20.0, 8.0, 1.0) }));
    let deck =
        on(&mut car, Body::kinematic("deck", path).with_collider(deck), DVec3::Z * -1.0, DQuat::IDENTITY);
    (0..4).for_each(|wheel| car.brake(wheel, 3000.0));
    car.start();
    let chassis = car.chassis;
    let trace = car.rig.trace(30.0, |world| {
        let [deck, car] = [deck, chassis].map(|body| world.state().bodies[body.index()]);
        deck.orientation.inverse() * (car.position - deck.position)
    });
    let settled = trace.iter().find(|(t, _)| *t > 5.0).unwrap().1;
    let farthest = trace.iter().filter(|(t, _)| *t > 5.0).map(|(_, at)| (*at - settled).truncate().length());
    let farthest = farthest.fold(0.0, f64::max);
    // it rocks on its springs and tyres
    assert!(farthest < 0.03, "{farthest}");
    let drift = (trace.last().unwrap().1 - settled).truncate().length();
    assert!(drift < 0.02, "{drift}");
}

/// Kinetic, potential and elastic energy change by the work that is accounted for: motors, brakes, tyres, dampers.
#[test]
fn the_account_of_energies_closes() {
    for (dt, tolerance) in [(1.0 / 60.0, 2e-3), (1e-3, 2e-4)] {
        let spec = Spec { steered: Some((vec![0, 1], 0.03)), ..sedan() };
        let mut car = Car::new(dt, &spec, 12.0);
        for wheel in 2..4 {
            car.motor(wheel, 300.0);
        }
        car.signal(windlass_vehicle::Signal::Steer, 1.0);
        car.vehicle.steering.as_mut().unwrap().rate = 2.0;
        car.start();
        let (mut energies, mut work, mut turnover) = (Vec::new(), 0.0, 0.0);
        for _ in 0..(4.0 / dt) as usize {
            let report = car.rig.world.step();
            assert!(report.fault.is_none());
            energies.push(report.energy.total());
            let done = report.work.expect("vehicles account for their work");
            if energies.len() > 1 {
                work += done.total();
                turnover += done.drives.abs() + done.friction.abs();
            }
        }
        let change = energies.last().unwrap() - energies[0];
        let missing = (change - work).abs() / turnover;
        assert!(
            turnover > 1e4 && missing < tolerance,
            "{dt}: change {change}, work {work}, missing {missing}"
        );
    }
}

/// A snapshot in the middle of a drive continues bit for bit, in a world of its own.
#[test]
fn a_restored_drive_continues_bit_for_bit() {
    let build = || {
        let spec = Spec { steered: Some((vec![0, 1], 0.05)), ..sedan() };
        let mut car = Car::new(1.0 / 60.0, &spec, 5.0);
        for wheel in 2..4 {
            car.motor(wheel, 800.0);
        }
        car.signal(windlass_vehicle::Signal::Steer, 0.7);
        car.start();
        car
    };
    let mut car = build();
    (0..90).for_each(|_| drop(car.rig.world.step()));
    let words = car.rig.world.state().to_bytes();
    (0..200).for_each(|_| drop(car.rig.world.step()));
    let mut other = build();
    let state = State::from_bytes(&words).unwrap();
    other.rig.world.restore(state).unwrap();
    (0..200).for_each(|_| drop(other.rig.world.step()));
    assert_eq!(other.rig.world.state().hash(), car.rig.world.state().hash());
}

/// Removing a wheel removes its vehicle; undoing that restores it bit for bit.
#[test]
fn a_removed_wheel_takes_its_vehicle_along_and_undo_brings_it_back() {
    let mut car = Car::new(1.0 / 60.0, &sedan(), 5.0);
    car.start();
    (0..30).for_each(|_| drop(car.rig.world.step()));
    let before = car.rig.world.state().hash();
    let undo = car.rig.world.edit(Edit::RemoveBody(car.wheels[2])).unwrap();
    assert!(Vehicles::of(&car.rig.world).unwrap().0.list.is_empty());
    assert!(car.rig.world.step().fault.is_none());
    let mut car = Car::new(1.0 / 60.0, &sedan(), 5.0);
    car.start();
    (0..30).for_each(|_| drop(car.rig.world.step()));
    assert_eq!(car.rig.world.state().hash(), before);
    let undo = car.rig.world.edit(Edit::RemoveBody(car.wheels[2])).map(|_| undo).unwrap();
    car.rig.world.edit(undo).unwrap();
    assert_eq!(car.rig.world.state().hash(), before);
}

/// Vehicles are solved by `spook` alone: the others are refused with the reason.
#[test]
fn other_integrators_are_refused() {
    let mut car = Car::new(1.0 / 60.0, &sedan(), 5.0);
    car.start();
    let error = car.rig.world.set(|s| s.integrator = Integrator::Projected).unwrap_err();
    assert!(error.to_string().contains("spook"), "{error}");
    let mut other = Car::new(1.0 / 60.0, &sedan(), 5.0);
    other.rig.world.set(|s| s.integrator = Integrator::Projected).unwrap();
    let edit = Vehicles::set(vec![other.vehicle.clone()]);
    let error = other.rig.world.edit_subsystem::<Vehicles>(edit).unwrap_err();
    assert!(error.to_string().contains("integrator"), "{error}");
}

/// A warm step of a car that drives through a bend allocates nothing.
#[test]
fn a_warm_step_does_not_allocate() {
    let spec = Spec { steered: Some((vec![0, 1], 0.03)), ..sedan() };
    let mut car = Car::new(1.0 / 60.0, &spec, 10.0);
    for wheel in 2..4 {
        car.motor(wheel, 200.0);
    }
    car.signal(windlass_vehicle::Signal::Steer, 0.5);
    car.start();
    (0..120).for_each(|_| drop(car.rig.world.step()));
    let before = allocated();
    (0..60).for_each(|_| drop(car.rig.world.step()));
    assert_eq!(allocated(), before);
}

/// A heavy box that floats freely.
fn floating(name: &str, half: DVec3) -> Body {
    let mass = 1e7;
    let moments = mass / 3.0 * (half.length_squared() - half * half);
    let mass = Mass::principal(mass, DVec3::ZERO, moments, DQuat::IDENTITY);
    let collider = Collider::of(Geometry::Solid(Shape::Box { half }));
    Body { gravity: false, ..Body::dynamic(name, mass) }.with_collider(collider)
}

/// The loads of a car that is dropped on a deck explain its motion: ∫ΣF_z dt = mΔv + mgT. No part of the landing is a
/// rigid impact, also at the speeds at which two free bodies collide within a step.
#[test]
fn a_dropped_car_lands_on_its_tires() {
    for (dt, height) in [(1.0 / 30.0, 1.0), (1.0 / 60.0, 1.0), (1e-3, 1.0)] {
        let spec = sedan();
        let mut car = Car::new(dt, &spec, 0.0);
        let deck = floating("deck", DVec3::new(10.0, 5.0, 1.0));
        let deck = on(&mut car, deck, DVec3::Z * (-1.0 - height), DQuat::IDENTITY);
        car.start();
        let momentum = |world: &World| -> f64 {
            let bodies = world.model().bodies();
            let own = bodies.iter().filter(|(k, _)| *k != deck.index());
            own.map(|(k, body)| body.mass.mass * world.state().bodies[k].velocity.z).sum()
        };
        let (mut impulse, mut largest) = (0.0, 0.0_f64);
        let (start, steps) = (momentum(&car.rig.world), (1.5 / dt) as usize);
        for _ in 0..steps {
            assert!(car.rig.world.step().fault.is_none());
            let load: f64 = wheels(&car.rig.world).iter().map(|wheel| wheel.load).sum();
            (impulse, largest) = (impulse + load * dt, largest.max(load));
        }
        let weight = spec.mass * crate::kit::G;
        // velocities belong to the middles of steps: in the first one gravity acts for half of it
        let time = (steps as f64 - 0.5) * dt;
        let missing = impulse - weight * time - (momentum(&car.rig.world) - start);
        assert!(largest > 2.0 * weight, "{dt}: it lands, {largest}");
        assert!(missing.abs() < 1e-3 * impulse, "{dt}: {missing} of {impulse}");
    }
}

/// A wall is no road: at 40 m/s, up to 1.3 m per step, a wheel does not pass a wall of 2 cm that floats.
#[test]
fn a_car_does_not_pass_a_thin_wall() {
    for dt in [1.0 / 30.0, 1.0 / 60.0] {
        let mut car = Car::new(dt, &sedan(), 40.0);
        let wall = floating("wall", DVec3::new(0.01, 5.0, 2.0));
        let wall = car.rig.world.add_body(wall, DVec3::new(10.0, 0.0, 2.1), DQuat::IDENTITY).unwrap();
        car.start();
        for _ in 0..(2.0 / dt) as usize {
            assert!(car.rig.world.step().fault.is_none());
            let x = |body: &BodyId| car.rig.world.state().bodies[body.index()].position.x;
            let front = car.wheels.iter().map(x).fold(0.0, f64::max);
            assert!(front < x(&wall), "{dt}: it passes the wall");
        }
    }
}

/// A collision shape of the chassis that reaches into a wheel has no effect on it, as in all vehicles whose axles are drawn
/// inside their outlines.
#[test]
fn wheels_do_not_touch_their_own_vehicle() {
    let run = |shape: bool| {
        let mut car = Car::new(1.0 / 60.0, &sedan(), 5.0);
        if shape {
            let bar = Shape::Box { half: DVec3::new(2.0, 1.2, 0.1) };
            // joined through a body between them, so that the joint does not exclude the pair
            let plate = Body::dynamic("plate", Mass::of(&bar, 100.0).unwrap());
            let plate = plate.with_collider(Collider { groups: 1, mask: 3, ..Collider::new(bar) });
            let at = position(&car.rig.world, car.chassis);
            let plate = car.rig.world.add_body(plate, at, DQuat::IDENTITY).unwrap();
            car.rig.moving(plate, DVec3::X * 5.0, DVec3::ZERO);
            car.rig.joint(Weld { anchors: car.rig.grips([car.chassis, plate], at, DQuat::IDENTITY) });
            let [body, housing] = [plate, car.chassis];
            car.vehicle.shafts.push(windlass_vehicle::Shaft {
                name: "plate".into(),
                body,
                axis: DVec3::Z,
                housing,
            });
        }
        car.start();
        car.steps(2.0);
        assert_eq!(car.rig.world.state().contacts.len(), 0);
        velocity(&car.rig.world, car.chassis).x
    };
    assert!((run(true) - run(false)).abs() < 0.01);
}
