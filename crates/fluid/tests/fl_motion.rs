//! FL07–FL13, FL19, FL20, FL23, FL28, FL29: drag and added mass of immersed bodies.

use crate::basin::*;
use crate::kit::*;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::current::{Current, CurrentProfile};
use windlass_fluid::schedule::TimeFactor;
use windlass_fluid::{AddedMass, Drag, HullShape};

fn ball(radius: f64, density: f64) -> Mass {
    solid(&Shape::Sphere { radius }, density)
}

/// C_a ½ of a sphere, as a matrix per density.
fn half(radius: f64) -> AddedMass {
    AddedMass::PerDensity(closed_form::sphere(radius, 1.0))
}

fn disc_area(radius: f64) -> f64 {
    PI * radius * radius
}

/// FL07.
fn sinking(dt: f64, integrator: Integrator) -> f64 {
    let case = Case::new("FL07", integrator, dt);
    let mut rig = Rig::new(dt, integrator);
    let body = rig.body("ball", ball(0.1, 2000.0), DVec3::ZERO);
    water(FRESH, None)
        .with(body, HullShape::Sphere(0.1))
        .drag(0.47 * disc_area(0.1))
        .set(|b| b.added_mass = half(0.1))
        .fill(&mut rig);
    let trace = rig.trace(6.0, |world| {
        let b = world.inspect().body(body).unwrap();
        (b.twist.velocity.z, b.center.z)
    });
    let at = |t: f64| trace.iter().find(|(time, _)| (time - t).abs() < 1e-9).unwrap().1;
    case.finds("terminal speed", -trace.last().unwrap().1.0);
    case.finds("speed at 0.2 s", -at(0.2).0);
    case.finds("depth at 1 s", -at(1.0).1);
    (-at(1.0).1 - 1.4260948).abs()
}

#[test]
fn fl07_sphere_that_sinks() {
    let errors = STEPS.map(|dt| sinking(dt, Integrator::Spook));
    assert!(errors[0] < 2e-3, "{errors:?}");
    // 1/60 → 1/120: of second order
    let depth = |dt: f64| {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let body = rig.body("ball", ball(0.1, 2000.0), DVec3::ZERO);
        let area = 0.47 * disc_area(0.1);
        let full = water(FRESH, None).with(body, HullShape::Sphere(0.1)).drag(area);
        full.set(|b| b.added_mass = half(0.1)).fill(&mut rig);
        let trace = rig.trace(1.0, |world| world.state().bodies[body.index()].position.z);
        (trace.last().unwrap().1 + 1.4260948).abs()
    };
    let errors = [30.0, 60.0, 120.0].map(|rate| depth(1.0 / rate));
    errors.windows(2).for_each(|e| assert!(e[0] > 3.5 * e[1], "{errors:?}"));
}

#[test]
fn fl07_sphere_that_sinks_at_the_acceleration_level() {
    sinking(1e-3, Integrator::Projected);
}

#[test]
fn fl08_light_sphere_that_rises() {
    for (dt, integrator) in
        [(STEPS[0], Integrator::Spook), (STEPS[1], Integrator::Spook), (1e-3, Integrator::Projected)]
    {
        let mut rig = Rig::new(dt, integrator);
        let body = rig.body("ball", ball(0.1, 50.0), DVec3::ZERO);
        water(FRESH, None)
            .with(body, HullShape::Sphere(0.1))
            .set(|b| b.added_mass = half(0.1))
            .fill(&mut rig);
        let trace = rig.trace(0.1, |world| world.state().bodies[body.index()].position.z);
        Case::new("FL08", integrator, dt).finds("rise in 0.1 s", trace.last().unwrap().1);
    }
}

/// An ellipsoid of the density of water in unbounded water.
fn ellipsoid(rig: &mut Rig, axes: DVec3, pose: glam::DQuat) -> BodyId {
    let m = FRESH * 4.0 / 3.0 * PI * axes.x * axes.y * axes.z;
    let s = axes * axes;
    let moments = DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (m / 5.0);
    let mass = Mass::new(m, DVec3::ZERO, DMat3::from_diagonal(moments));
    let body = rig.turned("ellipsoid", mass, DVec3::ZERO, pose);
    let radius = libm::cbrt(axes.x * axes.y * axes.z);
    let matrix = closed_form::ellipsoid(axes, 1.0);
    let full = water(FRESH, None).with(body, HullShape::Sphere(radius));
    full.set(|b| b.added_mass = AddedMass::PerDensity(matrix)).fill(rig);
    body
}

#[test]
fn fl09_spheroid_that_swings_about_broadside() {
    for dt in STEPS {
        let case = Case::new("FL09", Integrator::Spook, dt);
        for (name, angle, speed) in
            [("period from 10°", 80.0_f64, 1.02169622), ("period from 80°", 10.0, 1.69782495)]
        {
            let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
            let pose = math::turn(DVec3::Z, angle.to_radians());
            let body = ellipsoid(&mut rig, DVec3::new(1.0, 0.25, 0.25), pose);
            rig.moving(body, DVec3::new(speed, 0.12304537, 0.0), DVec3::ZERO);
            let trace =
                rig.trace(20.0, |world| (world.state().bodies[body.index()].orientation * DVec3::X).x);
            case.finds(name, period(&trace));
        }
    }
}

/// Momentum of body and fluid, impulse about the origin, and energy.
fn impulse(world: &World, body: BodyId, twist: Twist) -> (DVec3, DVec3, f64) {
    let (state, model) = (&world.state().bodies[body.index()], world.model());
    let mass = model.bodies().get(body).unwrap().mass;
    let matrix = closed_form::ellipsoid(DVec3::new(0.6, 0.3, 0.2), FRESH);
    let all = SpatialMatrix::rigid(mass.mass, mass.inertia) + matrix;
    let all = all.rotated(&DMat3::from_quat(state.orientation));
    let (p, l) = all.apply(twist);
    (p, l + state.position.cross(p), all.energy(twist))
}

#[test]
fn fl10_ellipsoid_that_tumbles() {
    for dt in STEPS {
        let case = Case::new("FL10", Integrator::Spook, dt);
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let pose = math::exp(DVec3::new(0.3, -0.2, 0.5));
        let body = ellipsoid(&mut rig, DVec3::new(0.6, 0.3, 0.2), pose);
        rig.moving(body, DVec3::new(1.0, 0.2, -0.1), DVec3::new(0.5, 1.0, -0.3));
        let trace = rig.trace(60.0, |world| {
            let state = world.state().bodies[body.index()];
            let stored = Twist { velocity: state.velocity, angular_velocity: state.angular_velocity };
            let (p, l, _) = impulse(world, body, stored);
            let (x, energy) = (state.position, world.inspect().energy().total());
            (x, p, l, energy)
        });
        let (start, steps) = (trace[0].1, (5.0 / dt).round() as usize);
        case.finds("position at 5 s", trace[steps].1.0);
        case.stays(
            "largest change of energy in 60 s",
            trace.iter().map(|(_, (_, _, _, e))| (e / start.3 - 1.0).abs()),
        );
        let changed = |(_, (_, p, l, _)): &(f64, (DVec3, DVec3, DVec3, f64))| {
            let linear = (*p - start.1).length() / start.1.length();
            linear.max((*l - start.2).length() / start.2.length())
        };
        case.stays("change of linear and angular impulse", trace.iter().map(changed));
    }
}

#[test]
fn fl11_disc_released_at_a_slope() {
    let axes = DVec3::new(0.5, 0.5, 0.05);
    for dt in STEPS {
        let m = 2700.0 * 4.0 / 3.0 * PI * axes.x * axes.y * axes.z;
        let s = axes * axes;
        let moments = DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (m / 5.0);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let pose = math::turn(DVec3::Y, 30.0_f64.to_radians());
        let mass = Mass::new(m, DVec3::ZERO, DMat3::from_diagonal(moments));
        let body = rig.turned("disc", mass, DVec3::ZERO, pose);
        let full = water(FRESH, None).with(body, HullShape::Sphere(libm::cbrt(axes.x * axes.y * axes.z)));
        let matrix = closed_form::ellipsoid(axes, 1.0);
        full.set(|b| b.added_mass = AddedMass::PerDensity(matrix)).fill(&mut rig);
        let a = rig.world.inspect().body(body).unwrap().acceleration.velocity;
        Case::new("FL11", Integrator::Spook, dt).finds("acceleration (x, z)", [a.x, a.z]);
    }
}

#[test]
fn fl12_plate_that_slides_down() {
    for dt in STEPS {
        let size = DVec3::new(1.0, 1.0, 0.02);
        let mut rig = Rig::new(dt, Integrator::Spook);
        let pose = math::turn(DVec3::Y, 30.0_f64.to_radians());
        let plate = solid(&Shape::Box { half: size / 2.0 }, 2700.0);
        let body = rig.turned("plate", plate, DVec3::ZERO, pose);
        upright(&mut rig, body, DVec3::ZERO);
        let drag = Drag::Pressure { pressure: 1.2, suction: 0.0, friction: 0.02 };
        water(FRESH, None).with(body, cuboid(size)).set(|b| b.drag = drag).fill(&mut rig);
        let trace = rig.trace(20.0, |world| world.inspect().body(body).unwrap().twist.velocity);
        let v = trace.last().unwrap().1;
        let (across, along) = ((pose * DVec3::Z).dot(v).abs(), (pose * DVec3::X).dot(v).abs());
        let case = Case::new("FL12", Integrator::Spook, dt);
        case.finds("speed across the plate, along it", [across, along]);
        case.finds("slope of the path", libm::atan2(-v.z, v.x.abs()).to_degrees());
    }
}

#[test]
fn fl13_pendulum_under_water() {
    for dt in STEPS {
        let case = Case::new("FL13", Integrator::Spook, dt);
        for drag in [false, true] {
            let start = 30.0_f64.to_radians();
            let at = DVec3::new(libm::sin(start), 0.0, -libm::cos(start)) * 2.0;
            let mut rig = Rig::new(dt, Integrator::Spook);
            let body = rig.body("ball", ball(0.1, 7850.0), at);
            rig.hinge([rig.ground, body], DVec3::ZERO, DVec3::Y);
            let full = water(FRESH, None).with(body, HullShape::Sphere(0.1));
            let full = full.set(|b| b.added_mass = half(0.1));
            if drag { full.drag(0.47 * disc_area(0.1)) } else { full }.fill(&mut rig);
            let trace = rig.trace(18.0, |world| {
                let x = world.state().bodies[body.index()].position;
                libm::atan2(x.x, -x.z)
            });
            if drag {
                case.finds("fifth amplitude with drag", peaks(&trace)[4].1.to_degrees());
            } else {
                case.finds("period without drag", period(&trace));
            }
        }
    }
}

fn uniform(velocity: DVec3, factor: TimeFactor) -> Option<Current> {
    Some(Current::new(CurrentProfile::Uniform(velocity), factor).unwrap())
}

#[test]
fn fl19_body_in_a_current() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let body =
            rig.body("body", Mass::of_total(&Shape::Sphere { radius: 0.5 }, 500.0).unwrap(), DVec3::ZERO);
        let mut full = water(SEA, None).with(body, HullShape::Sphere(0.5)).drag(0.8).added(
            DVec3::splat(250.0),
            DVec3::ZERO,
            1.0,
        );
        full.fluids[0].current = uniform(DVec3::X * 1.5, TimeFactor::Constant(1.0));
        full.fill(&mut rig);
        let trace = rig.trace(20.0, |world| world.inspect().body(body).unwrap().twist.velocity.x);
        let at = |t: f64| trace[(t / dt).round() as usize].1;
        Case::new("FL19", Integrator::Spook, dt).finds("speed at 2 s, at 20 s", [at(2.0), at(20.0)]);
    }
}

#[test]
fn fl20_sphere_in_an_oscillating_stream() {
    for dt in STEPS {
        let amplitude = |density: f64| {
            let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
            let body = rig.body("ball", ball(0.05, density), DVec3::ZERO);
            let mut full = water(FRESH, None).with(body, HullShape::Sphere(0.05));
            full = full.set(|b| b.added_mass = half(0.05));
            let (mean, amplitude, phase) = (0.0, 1.0, 0.0);
            let factor = TimeFactor::Sine { mean, amplitude, frequency: 2.0 / (2.0 * PI), phase };
            full.fluids[0].current = uniform(DVec3::X * 0.2, factor);
            full.fill(&mut rig);
            let trace = rig.trace(10.0, |world| world.inspect().body(body).unwrap().twist.velocity.x);
            let (most, least) =
                trace.iter().fold((f64::MIN, f64::MAX), |(a, b), (_, v)| (a.max(*v), b.min(*v)));
            0.5 * (most - least) / 0.2
        };
        let found = [500.0, 7850.0].map(amplitude);
        Case::new("FL20", Integrator::Spook, dt).finds("speed over that of the stream", found);
    }
}

#[test]
fn fl23_plate_that_spins_down() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
        let size = DVec3::new(1.0, 0.4, 0.005);
        let moments = DVec3::new(0.5, 2.0, 2.2);
        let mass = Mass::new(20.0, DVec3::ZERO, DMat3::from_diagonal(moments));
        let body = rig.body("plate", mass, DVec3::ZERO);
        rig.hinge([rig.ground, body], DVec3::ZERO, DVec3::Y);
        rig.moving(body, DVec3::ZERO, DVec3::Y * 10.0);
        let drag = Drag::Pressure { pressure: 1.2, suction: 0.0, friction: 0.0 };
        water(FRESH, None).with(body, cuboid(size)).set(|b| b.drag = drag).fill(&mut rig);
        let trace = rig.trace(1.0, |world| world.inspect().body(body).unwrap().twist.angular_velocity.y);
        let at = |t: f64| trace[(t / dt).round() as usize].1;
        let case = Case::new("FL23", Integrator::Spook, dt);
        case.finds("angular velocity at 0.1 s, 1 s", [at(0.1), at(1.0)]);
    }
}

#[test]
fn fl28_sphere_through_the_surface() {
    for (dt, integrator) in
        [(STEPS[0], Integrator::Spook), (STEPS[1], Integrator::Spook), (1e-3, Integrator::Projected)]
    {
        let case = Case::new("FL28", integrator, dt);
        let through = |from: f64, speed: f64| {
            let mut rig = Rig::new(dt, integrator).under(DVec3::ZERO);
            let body = rig.body("ball", ball(0.5, 800.0), DVec3::Z * from);
            rig.moving(body, DVec3::Z * speed, DVec3::ZERO);
            let full = water(FRESH, Some(0.0)).with(body, HullShape::Sphere(0.5));
            full.set(|b| b.added_mass = half(0.5)).fill(&mut rig);
            let trace = rig.trace(2.0, |world| world.inspect().body(body).unwrap().twist.velocity.z);
            trace.last().unwrap().1 / speed
        };
        case.finds("speed under water over that before", through(2.0, -5.0));
        case.finds("speed after leaving over that under water", through(-2.0, 5.0));
    }
}

#[test]
fn fl29_light_plate_at_high_speed() {
    let dt = STEPS[0];
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let body = rig.body("plate", speck(1e-3), DVec3::ZERO);
    rig.moving(body, DVec3::X * 50.0, DVec3::ZERO);
    water(FRESH, None).with(body, HullShape::Sphere(0.01)).drag(0.011).fill(&mut rig);
    let trace = rig.trace(10.0 * dt, |world| world.state().bodies[body.index()].velocity.x);
    let case = Case::new("FL29", Integrator::Spook, dt);
    case.finds("speed after 1 step, 10 steps", [trace[1].1, trace[10].1]);
    assert!(trace.iter().all(|(_, v)| *v > 0.0));
}
