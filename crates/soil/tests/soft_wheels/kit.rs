//! Worlds with a ground and machines of sliders and hinges on it.

use glam::{DMat3, DQuat, DVec3, dvec3};
use std::f64::consts::FRAC_PI_2;
use windlass_engine::body::collider::Geometry;
use windlass_engine::prelude::*;
use windlass_soil::ground::soil::Sinkage;
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{Heights, Soil, Stratum, Terrain, TerrainSpec};
use windlass_soil::wheel::Strength as ContactStrength;
use windlass_soil::world::{ContactSurface, WheelState};
use windlass_soil::{EarthEdit, Earthworks, GroundModel, Mass as Quanta, WheelModel};

pub const G: f64 = 9.81;
pub const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// Dry sand (Wong) of given strength [deg, Pa], A_u = 500 MN/m⁴.
pub fn sand(friction: f64, cohesion: f64) -> Soil {
    let mut soil = Soil::named("dry_sand").unwrap();
    soil.strength = StrengthLaw::Constant(Strength::new(friction, cohesion));
    soil.steel.friction = 0.0;
    soil.remoulded_cohesion = cohesion;
    soil.unloading = Some([0.0, 500e6]);
    soil
}

/// The same with other constants of Bekker: n, k_c, k_φ.
pub fn bekker(exponent: f64, cohesive: f64, frictional: f64) -> Soil {
    // walls of ruts stand
    let mut soil = sand(28.0, 50e3);
    soil.sinkage = Some(Sinkage::Bekker { exponent, cohesive, frictional });
    soil
}

/// No shear: pressure alone.
pub const SMOOTH: ContactSurface =
    ContactSurface::Given(ContactStrength { cohesion: 0.0, tan_friction: 0.0 });

/// A world with a ground of some size and given heights along x.
pub fn world(
    soil: Soil,
    (size, spacing): ([f64; 2], f64),
    dt: f64,
    height: impl Fn(f64) -> f64,
) -> (World, GroundModel) {
    let mut world = World::default();
    world.set(|settings| (settings.dt, settings.gravity) = (dt, -G * DVec3::Z)).unwrap();
    let nodes = size.map(|side| (side / spacing).round() as usize + 1);
    let geometry = Geometry::Ground { nodes, spacing };
    let body = Body::fixed("ground").with_collider(Collider::of(geometry));
    let body = world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let origin = size.map(|side| -0.5 * side);
    let at = |k: usize| height((k % nodes[0]) as f64 * spacing + origin[0]);
    let values = (0..nodes[0] * nodes[1]).map(at).collect();
    let heights = Heights::Grid { origin, spacing: [spacing; 2], nodes, values };
    let strata = vec![Stratum::new(0, 5.0)];
    let spec = TerrainSpec { origin, spacing, nodes, heights, strata, soils: vec![soil], gravity: G };
    (world, GroundModel::new("site", body, Terrain::new(spec).unwrap()))
}

pub fn set(world: &mut World, ground: GroundModel, wheels: Vec<WheelModel>) {
    let works = Earthworks { grounds: vec![ground], wheels, ..Earthworks::default() };
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, None)).unwrap();
}

/// A machine of one wheel: a carriage on a rail along x, a fork that moves up and down on it, and a wheel in the fork.
pub struct Rig {
    pub wheel: BodyId,
}

/// How a rig moves.
pub struct Drives {
    /// Along the rail.
    pub rail: Drive,
    /// About the axle.
    pub axle: Drive,
}

impl Drives {
    /// Towed at a speed, free to roll.
    pub fn towed(speed: f64) -> Drives {
        Drives { rail: Drive::motor(speed, f64::INFINITY), axle: Drive::Free }
    }

    /// Driven at a speed and a slip.
    pub fn slipping(speed: f64, slip: f64, radius: f64) -> Drives {
        let spin = speed / radius / (1.0 - slip);
        Drives { rail: Drive::motor(speed, f64::INFINITY), axle: Drive::motor(spin, f64::INFINITY) }
    }
}

const CARRIAGE: f64 = 10.0;
const WHEEL: f64 = 50.0;

/// A wheel of a radius under a load, its centre at a position.
pub fn rig(world: &mut World, (radius, load): (f64, f64), at: DVec3, drives: Drives) -> Rig {
    let ground = world.model().body("ground").unwrap();
    let solid =
        |mass: f64, inertia: f64| Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(inertia)));
    let mut body = |name: &str, mass: f64, inertia: f64| {
        world.add_body(Body::dynamic(name, solid(mass, inertia)), at, DQuat::IDENTITY).unwrap()
    };
    let carriage = body("carriage", CARRIAGE, 1.0);
    let fork = body("fork", load / G - WHEEL, 10.0);
    let wheel = body("wheel", WHEEL, 0.5 * WHEEL * radius * radius);
    let along_x = DQuat::from_rotation_y(FRAC_PI_2);
    let anchors = [Anchor::frame(ground, at, along_x), Anchor::frame(carriage, DVec3::ZERO, along_x)];
    let rail = Slider { anchors, axis: Axis::driven(drives.rail) };
    world.add_joint(Joint::new("rail", rail)).unwrap();
    let anchors = [carriage, fork].map(|body| Anchor::point(body, DVec3::ZERO));
    world.add_joint(Joint::new("guide", Slider { anchors, axis: Axis::free() })).unwrap();
    let along_y = DQuat::from_rotation_x(-FRAC_PI_2);
    let anchors = [fork, wheel].map(|body| Anchor::frame(body, DVec3::ZERO, along_y));
    let axle = Hinge { anchors, axis: Axis::driven(drives.axle) };
    world.add_joint(Joint::new("axle", axle)).unwrap();
    Rig { wheel }
}

/// A wheel of rubber or steel with its greatest pressure at the lowest point.
pub fn wheel(body: BodyId, size: [f64; 2]) -> WheelModel {
    WheelModel { peak: [0.0; 2], ..WheelModel::wheel("wheel", body, 0, size) }
}

/// A plate on a guide, with the mass that gives a load under gravity.
pub fn plate(world: &mut World, load: f64) -> BodyId {
    let ground = world.model().body("ground").unwrap();
    let mass = Mass::new(load / G, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(50.0)));
    let body = world.add_body(Body::dynamic("plate", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let anchors = [ground, body].map(|body| Anchor::point(body, DVec3::ZERO));
    world.add_joint(Joint::new("guide", Slider { anchors, axis: Axis::free() })).unwrap();
    body
}

pub fn run(world: &mut World, time: f64, mut each: impl FnMut(&World)) {
    let steps = (time / world.model().settings().dt).round() as usize;
    for _ in 0..steps {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        each(world);
    }
}

/// Changes gravity evenly over a time.
pub fn ramp(world: &mut World, [from, to]: [f64; 2], time: f64) {
    let steps = (time / world.model().settings().dt).round() as usize;
    for k in 0..steps {
        let part = (k + 1) as f64 / steps as f64;
        let gravity = -(from + part * (to - from)) * DVec3::Z;
        world.set(|settings| settings.gravity = gravity).unwrap();
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
    }
}

pub fn states(world: &World) -> &[WheelState] {
    &world.subsystem::<Earthworks>().unwrap().1.wheels
}

/// Mean of a reading of the wheels over a time.
pub fn mean<const N: usize>(world: &mut World, time: f64, read: impl Fn(&World) -> [f64; N]) -> [f64; N] {
    let (mut sum, mut count) = ([0.0; N], 0.0);
    run(world, time, |world| {
        sum.iter_mut().zip(read(world)).for_each(|(sum, value)| *sum += value);
        count += 1.0;
    });
    sum.map(|sum| sum / count)
}

pub fn mass(world: &World) -> Quanta {
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let grounds = works.grounds.iter().zip(&state.grounds);
    grounds.map(|(model, state)| state.terrain.mass(&model.terrain) + state.loose()).sum()
}

pub fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    println!("{what}: {found} ({expected}), {:.3} %", 100.0 * (found / expected - 1.0));
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{what}: {found}, expected {expected}");
}

/// The centre of a wheel that touches a level ground.
pub fn touching(x: f64, radius: f64) -> DVec3 {
    dvec3(x, 0.0, radius)
}
