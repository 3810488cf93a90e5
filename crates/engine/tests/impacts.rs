//! Oblique hits of bodies that meet within a step, against closed forms: two spheres whose centres pass at a distance b meet with
//! sin α = b/(r₁ + r₂) between the line of centres and the velocity, whatever the step.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::touch::{add, add_turned, center, cuboid, empty, speed};
use windlass_engine::prelude::*;

const DT: f64 = 1.0 / 60.0;

fn touch(restitution: f64, friction: f64) -> ContactParameters {
    ContactParameters { restitution, ..ContactParameters::rough(friction) }
}

fn weightless(touch: ContactParameters) -> World {
    let mut world = empty(DT, touch);
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    world
}

/// A ball thrown at another: radii and masses, speed, b, restitution, and where in a step they meet.
struct Shot {
    radii: [f64; 2],
    masses: [f64; 2],
    speed: f64,
    offset: f64,
    restitution: f64,
    phase: f64,
}

impl Shot {
    /// Where the thrown ball starts: it meets the other after four steps and a part of one.
    fn start(&self) -> DVec3 {
        let way = self.speed * DT * (4.0 + self.phase);
        let reach = self.radii[0] + self.radii[1];
        let along = (reach * reach - self.offset * self.offset).max(0.0).sqrt();
        DVec3::new(-way - along, -self.offset, 0.0)
    }

    /// The world and the two balls, the thrown one first in it or not.
    fn world(&self, friction: f64, first: bool) -> (World, [BodyId; 2]) {
        let mut world = weightless(touch(self.restitution, friction));
        let at = [self.start(), DVec3::ZERO];
        let put = |world: &mut World, k: usize| {
            add(world, "ball", Shape::Sphere { radius: self.radii[k] }, self.masses[k], at[k])
        };
        let balls = if first {
            [put(&mut world, 0), put(&mut world, 1)]
        } else {
            let other = put(&mut world, 1);
            [put(&mut world, 0), other]
        };
        world.set_velocity(balls[0], DVec3::X * self.speed, DVec3::ZERO).unwrap();
        (world, balls)
    }

    /// Velocities after the blow.
    fn leaves(&self) -> [DVec3; 2] {
        let sin = self.offset / (self.radii[0] + self.radii[1]);
        let normal = DVec3::new((1.0 - sin * sin).sqrt(), sin, 0.0);
        let [m, n] = self.masses;
        let impulse = normal * ((1.0 + self.restitution) * m * n / (m + n) * self.speed * normal.x);
        [DVec3::X * self.speed - impulse / m, impulse / n]
    }
}

fn shots() -> Vec<Shot> {
    let mut shots = Vec::new();
    for (radii, masses) in
        [([0.1, 0.1], [1.0, 1.0]), ([0.05, 0.2], [0.3, 2.0]), ([0.005, 0.005], [0.01, 0.01])]
    {
        for speed in [1.0, 10.0, 100.0] {
            for part in [0.0, 0.3, 0.7, 0.95, 0.999] {
                for (k, phase) in [0.02, 0.21, 0.5, 0.77, 0.999].into_iter().enumerate() {
                    let offset = part * (radii[0] + radii[1]);
                    let restitution = [1.0, 0.5, 1.0, 0.0, 0.9][k];
                    shots.push(Shot { radii, masses, speed, offset, restitution, phase });
                }
            }
        }
    }
    shots
}

/// Momentum, angular momentum about the origin and kinetic energy.
fn kept(world: &World) -> (DVec3, DVec3, f64) {
    let (mut linear, mut angular, mut energy) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (place, body) in world.model().bodies().iter().filter(|(_, b)| b.is_dynamic()) {
        let s = &world.state().bodies[place];
        let (p, spin) = (body.mass.mass * s.velocity, s.orientation.inverse() * s.angular_velocity);
        linear += p;
        angular += s.position.cross(p) + s.orientation * (body.mass.inertia * spin);
        energy += 0.5 * (p.dot(s.velocity) + spin.dot(body.mass.inertia * spin));
    }
    (linear, angular, energy)
}

/// Two spheres leave as the closed form has it, are where it has them, and do not spin.
#[test]
fn balls_leave_along_the_line_of_centres_of_their_meeting() {
    let mut worst = [0.0f64; 2];
    for shot in shots() {
        for first in [true, false] {
            let (mut world, balls) = shot.world(0.0, first);
            (0..8).for_each(|_| drop(world.step()));
            let after = DT * (4.0 - shot.phase);
            let met = [shot.start() + DVec3::X * (shot.speed * DT * (4.0 + shot.phase)), DVec3::ZERO];
            for k in 0..2 {
                let off = (speed(&world, balls[k]) - shot.leaves()[k]).length() / shot.speed;
                // what rebounds too slowly stays
                let gap = (center(&world, balls[k]) - met[k] - shot.leaves()[k] * after).length();
                worst = [worst[0].max(off), worst[1].max(gap / (shot.speed * DT))];
                let spin = world.state().bodies[balls[k].index()].angular_velocity.length();
                assert!(spin * shot.radii[k] < 1e-12 * shot.speed, "{spin} rad/s");
            }
        }
    }
    println!("velocity {:.1e} of the speed, place {:.1e} of a step's way", worst[0], worst[1]);
    assert!(worst[0] < 1e-7, "velocity off by {} of the speed", worst[0]);
    assert!(worst[1] < 1e-6, "place off by {} of a step's way", worst[1]);
}

/// With friction the balls spin. What has no friction with e = 1 keeps its energy, all keep their momenta.
#[test]
fn blows_keep_momenta_and_elastic_ones_energy() {
    for friction in [0.0, 0.3] {
        for shot in shots() {
            let (mut world, _) = shot.world(friction, true);
            let (linear, angular, energy) = kept(&world);
            (0..8).for_each(|_| drop(world.step()));
            let now = kept(&world);
            let lever = shot.masses[0] * shot.speed * (shot.radii[0] + shot.radii[1]);
            assert!((now.0 - linear).length() < 1e-12 * linear.length());
            assert!((now.1 - angular).length() < 1e-9 * lever, "{} of {lever}", (now.1 - angular).length());
            if friction == 0.0 && shot.restitution == 1.0 {
                assert!((now.2 / energy - 1.0).abs() < 1e-7, "energy {:e}", now.2 / energy - 1.0);
            }
            assert!(now.2 < energy * (1.0 + 1e-7));
        }
    }
}

/// A pair whose centres pass at more than the sum of the radii never touches, however near.
#[test]
fn balls_that_pass_do_not_touch() {
    for shot in shots() {
        let offset = 1.000_1 * (shot.radii[0] + shot.radii[1]);
        let shot = Shot { offset, ..shot };
        let (mut world, balls) = shot.world(0.3, true);
        (0..8).for_each(|_| drop(world.step()));
        assert_eq!(speed(&world, balls[0]), DVec3::X * shot.speed);
        assert_eq!(speed(&world, balls[1]), DVec3::ZERO);
    }
}

/// What a ball does on a round body that is fixed: v − (1 + e) (v·n) n, n from the axis to the centre where they meet.
#[test]
fn balls_rebound_from_fixed_round_bodies_as_they_meet_them() {
    let shapes = [
        Shape::Sphere { radius: 0.2 },
        Shape::Cylinder { radius: 0.2, half_length: 1.0 },
        Shape::Capsule { radius: 0.2, half_length: 1.0 },
    ];
    for shape in shapes {
        for (v, sin, phase) in [(1.0, 0.5, 0.3), (10.0, 0.9, 0.6), (100.0, -0.7, 0.1), (30.0, 0.2, 0.95)] {
            for first in [true, false] {
                let mut world = weightless(touch(0.8, 0.0));
                let post = |world: &mut World| {
                    let body = Body::fixed("post").with_collider(Collider::new(shape.clone()));
                    world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).unwrap();
                };
                if first {
                    post(&mut world);
                }
                let normal = DVec3::new(-(1.0f64 - sin * sin).sqrt(), sin, 0.0);
                let at = 0.25 * normal - DVec3::X * (v * DT * (3.0 + phase));
                let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.05 }, 1.0, at);
                if !first {
                    post(&mut world);
                }
                world.set_velocity(ball, DVec3::X * v, DVec3::ZERO).unwrap();
                (0..6).for_each(|_| drop(world.step()));
                let leaves = DVec3::X * v - 1.8 * v * normal.x * normal;
                let off = (speed(&world, ball) - leaves).length() / v;
                assert!(off < 1e-6, "{shape:?} at {v} m/s: {off}");
                let place = 0.25 * normal + leaves * (DT * (3.0 - phase));
                assert!((center(&world, ball) - place).length() < 1e-5 * v * DT, "{shape:?} at {v} m/s");
            }
        }
    }
}

/// The edge of a box turns a ball away along the line from the edge to the centre.
#[test]
fn a_ball_rebounds_from_the_edge_of_a_box() {
    for (v, angle, phase) in [(2.0, 0.6, 0.2), (20.0, 0.4, 0.7), (80.0, 1.0, 0.45)] {
        let mut world = weightless(touch(1.0, 0.0));
        let body = Body::fixed("box").with_collider(Collider::new(cuboid(0.5, 0.5, 0.5)));
        world.add_body(body, DVec3::new(0.5, -0.5, 0.0), DQuat::IDENTITY).unwrap();
        let normal = DVec3::new(-libm::cos(angle), libm::sin(angle), 0.0);
        let at = 0.1 * normal - DVec3::X * (v * DT * (3.0 + phase));
        let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, at);
        world.set_velocity(ball, DVec3::X * v, DVec3::ZERO).unwrap();
        (0..6).for_each(|_| drop(world.step()));
        let leaves = DVec3::X * v - 2.0 * v * normal.x * normal;
        assert!((speed(&world, ball) - leaves).length() < 1e-6 * v, "{}", speed(&world, ball));
    }
}

/// Capsules that cross and boxes that meet with their edges spin after the blow, and keep momenta and energy.
#[test]
fn crossing_bodies_keep_momenta_and_energy() {
    let capsule = Shape::Capsule { radius: 0.05, half_length: 0.3 };
    for (shape, within) in [(capsule, 1e-6), (cuboid(0.05, 0.05, 0.3), 1e-6)] {
        for v in [1.0, 7.0, 60.0] {
            for phase in [0.1, 0.4, 0.8] {
                let mut world = weightless(touch(1.0, 0.0));
                let way = v * DT * (3.0 + phase);
                let across = DQuat::from_rotation_y(1.2) * DQuat::from_rotation_z(0.5);
                let at = DVec3::new(0.1, -0.1 - way, 0.12);
                let a = add_turned(&mut world, "thrown", shape.clone(), 1.0, at, across);
                add_turned(&mut world, "other", shape.clone(), 2.0, DVec3::ZERO, DQuat::from_rotation_z(0.3));
                world.set_velocity(a, DVec3::Y * v, DVec3::ZERO).unwrap();
                let (linear, angular, energy) = kept(&world);
                (0..4).for_each(|_| drop(world.step()));
                let now = kept(&world);
                assert!(now.0 != linear || world.state().bodies[1].angular_velocity != DVec3::ZERO, "no hit");
                assert!((now.0 - linear).length() < 1e-12 * v);
                assert!((now.1 - angular).length() < 1e-9 * v, "{}", now.1 - angular);
                assert!((now.2 / energy - 1.0).abs() < within, "energy {:e} at {v}", now.2 / energy - 1.0);
            }
        }
    }
}

/// A ball that falls on a fixed sphere beside its top, under gravity: where it is later, from the parabolas before and after the meeting.
#[test]
fn a_ball_that_falls_on_a_dome_flies_on_along_its_parabola() {
    let mut worst = 0.0f64;
    for (height, beside) in [(1.0, 0.05), (0.6, 0.1), (2.3, 0.02), (1.7, -0.08)] {
        let mut world = empty(DT, touch(1.0, 0.0));
        let dome = Body::fixed("dome").with_collider(Collider::new(Shape::Sphere { radius: 0.3 }));
        world.add_body(dome, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let at = DVec3::new(beside, 0.0, height);
        let ball = add(&mut world, "ball", Shape::Sphere { radius: 0.1 }, 1.0, at);
        let z = f64::sqrt(0.16 - beside * beside);
        let (t, n) = ((2.0 * (height - z) / 9.81).sqrt(), DVec3::new(beside, 0.0, z) / 0.4);
        let falls = DVec3::Z * (-9.81 * t);
        let leaves = falls - 2.0 * falls.dot(n) * n;
        while world.state().time < t + 0.15 {
            world.step();
        }
        let rest = world.state().time - t;
        let place = 0.4 * n + leaves * rest - DVec3::Z * (0.5 * 9.81 * rest * rest);
        worst = worst.max((center(&world, ball) - place).length());
    }
    println!("place off by {worst:.1e} m");
    assert!(worst < 1e-6, "{worst}");
}
