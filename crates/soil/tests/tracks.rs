//! Crawler tracks in worlds: EW25, VH36, VH40 through their rows, slopes, turning, ruts, restored states.

use glam::{DMat3, DQuat, DVec3, dvec3};
use std::f64::consts::FRAC_PI_2;
use windlass_engine::body::collider::Geometry;
use windlass_engine::prelude::*;
use windlass_soil::ground::soil::Sinkage;
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{Ground, Heights, Soil, Stratum, Terrain, TerrainSpec};
use windlass_soil::world::TrackReading;
use windlass_soil::{EarthEdit, Earthworks, GroundModel, Mass as Quanta, TrackModel};

const G: f64 = 9.81;
const RADIUS: f64 = 0.245;
const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// n, k_c, k_φ, c, φ in degrees (Wong, Theory of Ground Vehicles).
pub fn soil([exponent, cohesive, frictional, cohesion, friction]: [f64; 5]) -> Soil {
    let mut soil = Soil::named("loam").unwrap();
    soil.strength = StrengthLaw::Constant(Strength::new(friction, cohesion));
    soil.steel.friction = soil.steel.friction.min(friction.to_radians());
    soil.sinkage = Some(Sinkage::Bekker { exponent, cohesive, frictional });
    soil.shear_displacement = 0.025;
    soil
}

pub const SANDY_LOAM: [f64; 5] = [0.7, 5.27e3, 1515.04e3, 1720.0, 29.0];

/// A world with a ground, level or sloping up along x.
pub fn site(soil: Soil, size: [f64; 2], dt: f64, slope: f64) -> (World, GroundModel) {
    let spacing = 0.1;
    let mut world = World::default();
    world.set(|settings| (settings.dt, settings.gravity) = (dt, -G * DVec3::Z)).unwrap();
    let nodes = size.map(|side| (side / spacing).round() as usize + 1);
    let collider = Collider::of(Geometry::Ground { nodes, spacing });
    let body =
        world.add_body(Body::fixed("ground").with_collider(collider), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let origin = size.map(|side| -0.5 * side);
    let values = (0..nodes[0] * nodes[1]).map(|k| slope * (origin[0] + (k % nodes[0]) as f64 * spacing));
    let heights = Heights::Grid { origin, spacing: [spacing; 2], nodes, values: values.collect() };
    let strata = vec![Stratum::new(0, 5.0)];
    let spec = TerrainSpec { origin, spacing, nodes, heights, strata, soils: vec![soil], gravity: G };
    (world, GroundModel::new("site", body, Terrain::new(spec).unwrap()))
}

/// A world with a hard plane; gravity is inclined by a slope along x.
fn road(dt: f64, slope: f64) -> World {
    let mut world = World::default();
    let gravity = G * dvec3(-libm::sin(slope), 0.0, -libm::cos(slope));
    world.set(|settings| (settings.dt, settings.gravity) = (dt, gravity)).unwrap();
    let plane = Body::fixed("road").with_collider(Collider::of(Geometry::HalfSpace));
    world.add_body(plane, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    world
}

/// A machine.
pub struct Machine {
    frame: BodyId,
    motors: Vec<JointId>,
    pub tracks: Vec<TrackModel>,
}

/// Size of a machine with a track at each offset to the left.
pub struct Size<'a> {
    pub weight: f64,
    pub length: f64,
    pub width: f64,
    pub sides: &'a [f64],
}

/// A frame, sprockets with motors, and tracks; its origin is on the ground below its middle.
pub fn machine(world: &mut World, size: &Size<'_>, (at, turn): (DVec3, DQuat)) -> Machine {
    let sprocket_mass = 20.0;
    let mass = size.weight / G - sprocket_mass * size.sides.len() as f64;
    let inertia = DVec3::new(1.0, size.length, size.length) * mass / 4.0;
    let mass = Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(inertia));
    let frame = world.add_body(Body::dynamic("frame", mass), at, turn).unwrap();
    let mut machine = Machine { frame, motors: Vec::new(), tracks: Vec::new() };
    for (k, side) in size.sides.iter().enumerate() {
        let mass = Mass::new(sprocket_mass, DVec3::ZERO, DMat3::from_diagonal(DVec3::new(2.0, 4.0, 2.0)));
        let place = dvec3(0.0, *side, RADIUS);
        let name = format!("sprocket {k}");
        let sprocket = world.add_body(Body::dynamic(&name, mass), at + turn * place, turn).unwrap();
        let axle = DQuat::from_rotation_x(-FRAC_PI_2);
        let anchors = [Anchor::frame(frame, place, axle), Anchor::frame(sprocket, DVec3::ZERO, axle)];
        let axis = Axis::driven(Drive::motor(0.0, f64::INFINITY));
        machine
            .motors
            .push(world.add_joint(Joint::new(format!("drive {k}"), Hinge { anchors, axis })).unwrap());
        machine.tracks.push(TrackModel {
            name: format!("track {k}"),
            frame,
            sprocket,
            axle: DVec3::Y,
            radius: RADIUS,
            line: vec![dvec3(-0.5 * size.length, *side, 0.0), dvec3(0.5 * size.length, *side, 0.0)],
            width: size.width,
            elements: 20,
            friction: None,
            rolling_resistance: 0.0,
            stiffness: 5e7,
        });
    }
    machine
}

pub fn set(world: &mut World, grounds: Vec<GroundModel>, tracks: Vec<TrackModel>) {
    let works = Earthworks { grounds, tracks, ..Earthworks::default() };
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, None)).unwrap();
}

/// Sets the speed of a belt.
pub fn drive(world: &mut World, machine: &Machine, speeds: &[f64]) {
    for (motor, speed) in machine.motors.iter().zip(speeds) {
        let drive = Drive::motor(speed / RADIUS, f64::INFINITY);
        world.edit(Edit::SetDrive { joint: *motor, coordinate: 0, drive }).unwrap();
    }
}

fn run(world: &mut World, time: f64, mut each: impl FnMut(&World)) {
    let steps = (time / world.model().settings().dt).round() as usize;
    for _ in 0..steps {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        each(world);
    }
}

fn reading(world: &World, track: usize) -> TrackReading {
    world.subsystem::<Earthworks>().unwrap().1.tracks[track].reading
}

fn mass(world: &World) -> Quanta {
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    works.grounds.iter().zip(&state.grounds).map(|(model, state)| state.terrain.mass(&model.terrain)).sum()
}

fn near(what: &str, value: f64, expected: f64, tolerance: f64) {
    println!("{what}: {value} ({expected})");
    assert!((value / expected - 1.0).abs() <= tolerance, "{what} is {value}, not {expected}");
}

/// A track that slides up and down on a carriage with a prescribed speed, so that its pressure is even. Its weight is
/// raised before it moves, since ground does not forget an overshoot.
fn pulled(size: &Size<'_>, soil: Soil, dt: f64, slip: f64) -> TrackReading {
    let (mut world, machine, rail) = settled(size, soil, dt);
    let belt = 1.0;
    drive(&mut world, &machine, &[belt]);
    let drive = Drive::motor(belt * (1.0 - slip), f64::INFINITY);
    world.edit(Edit::SetDrive { joint: rail, coordinate: 0, drive }).unwrap();
    let before = mass(&world);
    run(&mut world, 4.0, |_| {});
    assert_eq!(mass(&world), before);
    reading(&world, 0)
}

/// The same at rest, with its rail.
fn settled(size: &Size<'_>, soil: Soil, dt: f64) -> (World, Machine, JointId) {
    let (mut world, ground) = site(soil, [16.0, 3.0], dt, 0.0);
    let at = dvec3(-5.0, 0.02, 0.0);
    let machine = machine(&mut world, size, (at, DQuat::IDENTITY));
    let mass_of_carriage = Mass::new(100.0, DVec3::ZERO, DMat3::IDENTITY);
    let carriage = Body { gravity: false, ..Body::dynamic("carriage", mass_of_carriage) };
    let carriage = world.add_body(carriage, at, DQuat::IDENTITY).unwrap();
    let along_x = DQuat::from_rotation_y(FRAC_PI_2);
    let anchors = [Anchor::frame(ground.body, at, along_x), Anchor::frame(carriage, DVec3::ZERO, along_x)];
    let axis = Axis::driven(Drive::motor(0.0, f64::INFINITY));
    let rail = world.add_joint(Joint::new("rail", Slider { anchors, axis })).unwrap();
    let anchors = [Anchor::point(carriage, DVec3::ZERO), Anchor::point(machine.frame, DVec3::ZERO)];
    world.add_joint(Joint::new("guide", Slider { anchors, axis: Axis::default() })).unwrap();
    set(&mut world, vec![ground], machine.tracks.clone());
    let before = mass(&world);
    let steps = (3.0 / dt).round();
    for k in 0..steps as usize {
        let left = 1.0 - (k + 1) as f64 / steps;
        world.set(|settings| settings.gravity = DVec3::Z * (-G * (1.0 - left * left * left))).unwrap();
        run(&mut world, dt, |_| {});
    }
    assert_eq!(mass(&world), before);
    (world, machine, rail)
}

/// Reece's law under a track has the cohesion and the unit weight of the bank, z = b (p/(c k_c + γ b k_φ))^(1/n), though
/// the track compacts the soil below it.
#[test]
fn a_track_sinks_after_reece_in_the_soil_of_the_bank() {
    let size = Size { weight: 50e3, length: 2.67, width: 0.38, sides: &[0.0] };
    let mut soil = soil(SANDY_LOAM);
    let [exponent, cohesive, frictional] = [0.8, 5.0, 25.0];
    soil.sinkage = Some(Sinkage::Reece { exponent, cohesive, frictional });
    let unit_weight = soil.density(soil.void_ratio.bank) * G;
    let modulus = SANDY_LOAM[3] * cohesive + unit_weight * size.width * frictional;
    let pressure = size.weight / (size.length * size.width);
    let expected = size.width * libm::pow(pressure / modulus, 1.0 / exponent);
    assert!(expected > 0.05, "{expected} m compacts the soil");
    // as VH36
    for (dt, tolerance) in STEPS.into_iter().zip([0.01, 0.005]) {
        let (world, ..) = settled(&size, soil.clone(), dt);
        let (works, state) = world.subsystem::<Earthworks>().unwrap();
        let ground = Ground::new(&works.grounds[0].terrain, &state.grounds[0].terrain);
        let node = works.grounds[0].terrain.nearest(-5.0, 0.0).unwrap();
        assert!(ground.top(node).unwrap().void_ratio < soil.void_ratio.bank - 0.01);
        near("sinkage", reading(&world, 0).sinkage, expected, tolerance);
    }
}

/// The measured stiffness of unloading acts under a track: with half its weight it rises by p/2 over k_u.
#[test]
fn a_track_rises_by_the_measured_unloading() {
    let size = Size { weight: 50e3, length: 2.67, width: 0.38, sides: &[0.0] };
    let mut soil = soil(SANDY_LOAM);
    let stiffness = 2e7;
    soil.unloading = Some([stiffness, 0.0]);
    let pressure = size.weight / (size.length * size.width);
    for dt in STEPS {
        let (mut world, ..) = settled(&size, soil.clone(), dt);
        let before = reading(&world, 0).sinkage;
        // over 1 s, so that it does not bounce
        for k in 0..(1.0 / dt).round() as usize {
            let gravity = -G * (1.0 - 0.5 * ((k + 1) as f64 * dt).min(1.0));
            world.set(|settings| settings.gravity = DVec3::Z * gravity).unwrap();
            run(&mut world, dt, |_| {});
        }
        run(&mut world, 1.0, |_| {});
        // up to a cell of 0.1 m along the ends and sides was not pressed as deep: a tenth of the area; a tenth of the
        // sinkage, which comes back unless measured, would be 0.3 of this rise
        near("rise", before - reading(&world, 0).sinkage, 0.5 * pressure / stiffness, 0.15);
    }
}

#[test]
fn ew25_thrust_of_a_track_of_even_pressure() {
    let size = Size { weight: 50e3, length: 2.5, width: 0.5, sides: &[0.0] };
    let constants = [0.5, 13.19e3, 692.15e3, 4e3, 25.0];
    for (slip, force) in [(0.1, 25483.973), (0.3, 27371.537)] {
        let found = pulled(&size, soil(constants), 1.0 / 60.0, slip);
        near("EW25 load", found.load, 50e3, 1e-3);
        near("EW25 slip", found.slip, slip, 1e-3);
        near("EW25 thrust", found.thrust, force, 0.02);
    }
}

#[test]
fn vh36_a_track_in_loam() {
    let size = Size { weight: 50e3, length: 2.67, width: 0.38, sides: &[0.0] };
    for (dt, [depth, resistance, thrust]) in
        STEPS.into_iter().zip([[0.01, 0.02, 0.015], [0.005, 0.01, 0.005]])
    {
        for (slip, force) in [(0.05, 47940.127), (0.2, 56162.649), (0.5, 57817.737)] {
            let found = pulled(&size, soil(SANDY_LOAM), dt, slip);
            near("VH36 sinkage", found.sinkage, 0.0073958988, depth);
            near("VH36 resistance", 2.0 * found.resistance, 162.94115, resistance);
            near("VH36 thrust", 2.0 * found.thrust, force, thrust);
        }
    }
}

/// VH40: two tracks on hard ground that slips sideways with 0.7; along it grips.
#[test]
fn vh40_moment_of_resistance_of_a_turn() {
    let size = Size { weight: 100e3, length: 2.7, width: 0.4, sides: &[1.08, -1.08] };
    for (dt, tolerance) in STEPS.into_iter().zip([0.02, 0.01]) {
        for (speeds, outer) in [([-0.4, 0.4], 24375.0), ([0.4, 0.8], 24375.0)] {
            let mut world = road(dt, 0.0);
            let mut machine = machine(&mut world, &size, (-1e-3 * DVec3::Z, DQuat::IDENTITY));
            for track in &mut machine.tracks {
                track.friction = Some([10.0, 0.7]);
                track.rolling_resistance = 0.05;
            }
            drive(&mut world, &machine, &speeds);
            set(&mut world, vec![], machine.tracks.clone());
            run(&mut world, 6.0, |_| {});
            let [left, right] = [0, 1].map(|k| reading(&world, k));
            let moment = 0.5 * (right.thrust - left.thrust) * 2.16;
            near("VH40 moment of resistance", moment, 47250.0, tolerance);
            let torque = |k: usize| {
                let wrench = world.reaction(machine.motors[k], 1).unwrap();
                wrench.torque.dot(world.state().bodies[machine.frame.index()].orientation * DVec3::Y)
            };
            let inner = if speeds[0] > 0.0 { -19375.0 } else { -24375.0 };
            near("VH40 outer track", torque(1) / RADIUS, outer, tolerance);
            near("VH40 inner track", torque(0) / RADIUS, inner, tolerance);
            if speeds[0] < 0.0 {
                near("VH40 torque of a sprocket", torque(1), 5971.875, tolerance);
            }
        }
    }
}

/// A parked machine does not creep, on steel and on clay.
#[test]
fn a_parked_machine_stands_on_a_slope() {
    let size = Size { weight: 100e3, length: 2.7, width: 0.5, sides: &[1.08, -1.08] };
    for dt in [1.0 / 60.0, 1.0 / 30.0] {
        let mut world = road(dt, 0.3);
        let hard = machine(&mut world, &size, (-1e-3 * DVec3::Z, DQuat::IDENTITY));
        set(&mut world, vec![], hard.tracks.clone());
        let (mut clay, ground) = site(Soil::named("clay").unwrap(), [10.0, 6.0], dt, 0.2);
        let turn = DQuat::from_rotation_y(-libm::atan(0.2));
        let soft = machine(&mut clay, &size, (-2e-3 * DVec3::Z, turn));
        set(&mut clay, vec![ground], soft.tracks.clone());
        for (what, mut world, frame) in [("road", world, hard.frame), ("clay", clay, soft.frame)] {
            run(&mut world, 5.0, |_| {});
            let before = world.state().bodies[frame.index()].position;
            run(&mut world, 20.0, |_| {});
            let drift = world.state().bodies[frame.index()].position.distance(before);
            println!("{what}, {dt}: drift {drift}");
            assert!(drift < 1e-6, "{what}: {drift} m in 20 s");
        }
    }
}

/// On a slope steeper than its friction a machine slides with the rest of the weight, without chatter.
#[test]
fn a_braked_machine_slides_down_a_steep_slope() {
    let size = Size { weight: 100e3, length: 2.7, width: 0.5, sides: &[1.08, -1.08] };
    let slope: f64 = 0.6;
    for dt in [1.0 / 60.0, 1.0 / 30.0] {
        let mut world = road(dt, slope);
        let machine = machine(&mut world, &size, (-1e-3 * DVec3::Z, DQuat::IDENTITY));
        set(&mut world, vec![], machine.tracks.clone());
        run(&mut world, 1.0, |_| {});
        let speed = |world: &World| world.state().bodies[machine.frame.index()].velocity.x;
        let (start, mut forces) = (speed(&world), Vec::new());
        run(&mut world, 1.0, |world| forces.push(reading(world, 0).thrust + reading(world, 1).thrust));
        // surface friction of the default pair is 0.5
        let friction = 0.5 * 100e3 * libm::cos(slope);
        near("acceleration", speed(&world) - start, -G * (libm::sin(slope) - 0.5 * libm::cos(slope)), 0.01);
        for force in forces {
            near("friction", force, friction, 0.01);
        }
    }
}

#[test]
fn a_machine_drives_straight_turns_and_pivots() {
    let size = Size { weight: 100e3, length: 2.7, width: 0.5, sides: &[1.08, -1.08] };
    for dt in [1.0 / 60.0, 1.0 / 30.0] {
        for clay in [false, true] {
            let start = dvec3(-3.0, 0.0, -2e-3);
            let (mut world, grounds) = match clay {
                true => {
                    let (world, ground) = site(Soil::named("clay").unwrap(), [14.0, 10.0], dt, 0.0);
                    (world, vec![ground])
                }
                false => (road(dt, 0.0), vec![]),
            };
            let machine = machine(&mut world, &size, (start, DQuat::IDENTITY));
            set(&mut world, grounds, machine.tracks.clone());
            let before = mass(&world);
            drive(&mut world, &machine, &[1.0, 1.0]);
            run(&mut world, 4.0, |_| {});
            let place = |world: &World| {
                let body = &world.state().bodies[machine.frame.index()];
                (body.position, body.orientation * DVec3::X)
            };
            let (at, ahead) = place(&world);
            println!("clay {clay}, {dt}: after 4 s at {at}, ahead {ahead}, {:?}", reading(&world, 0));
            assert!(at.x > 0.7 && at.x < 1.01 && at.y.abs() < 1e-3, "{at}");
            assert!(ahead.y.abs() < 1e-3);
            // a pivot turn to the left: without slip the rate would be 2 v/B
            drive(&mut world, &machine, &[-0.5, 0.5]);
            run(&mut world, 3.0, |_| {});
            let spin = world.state().bodies[machine.frame.index()].angular_velocity.z;
            let (turned, _) = place(&world);
            println!("  pivots with {spin} of {} rad/s, {:?}", 1.0 / 2.16, reading(&world, 1));
            assert!(spin > 0.6 / 2.16 && spin < 1.0 / 2.16, "{spin} rad/s");
            assert!(turned.truncate().distance(at.truncate()) < 0.6, "moved to {turned}");
            assert_eq!(mass(&world), before);
            if clay {
                let (works, state) = world.subsystem::<Earthworks>().unwrap();
                let terrain = &works.grounds[0].terrain;
                let node = terrain.nearest(-1.0, 1.08).unwrap();
                let rut = -state.grounds[0].terrain.height(terrain, node);
                assert!(rut > 1e-3 && rut < 0.05, "a rut of {rut} m");
            }
        }
    }
}

#[test]
fn a_restored_world_goes_on_alike() {
    let size = Size { weight: 100e3, length: 2.7, width: 0.5, sides: &[1.08, -1.08] };
    let (mut world, ground) = site(Soil::named("clay").unwrap(), [14.0, 10.0], 1.0 / 60.0, 0.0);
    // a plate to drive over
    let plate = Collider::new(Shape::Box { half: dvec3(0.5, 3.0, 0.04) });
    world.add_body(Body::fixed("plate").with_collider(plate), dvec3(2.0, 0.0, 0.0), DQuat::IDENTITY).unwrap();
    let machine = machine(&mut world, &size, (dvec3(-2.0, 0.0, 0.0), DQuat::IDENTITY));
    set(&mut world, vec![ground], machine.tracks.clone());
    drive(&mut world, &machine, &[0.8, 1.0]);
    run(&mut world, 3.0, |_| {});
    let words = world.state().to_bytes();
    run(&mut world, 2.0, |_| {});
    let hash = world.state().hash();
    world.restore(State::from_bytes(&words).unwrap()).unwrap();
    run(&mut world, 2.0, |_| {});
    assert_eq!(world.state().hash(), hash);
    let (_, state) = world.subsystem::<Earthworks>().unwrap();
    assert!(state.tracks[0].reading.load > 1e4);
}
