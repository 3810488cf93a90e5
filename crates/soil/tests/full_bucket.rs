//! A bucket cuts with its load once it is full.

use super::world::{G, blade, run, set, soil, world};
use glam::{DMat3, DQuat, DVec3, dvec3};
use windlass_engine::prelude::*;
use windlass_soil::cutting::wedge::LevelCut;
use windlass_soil::cutting::{CuttingSoil, Tool};
use windlass_soil::world::LooseBox;
use windlass_soil::{EarthEdit, Earthworks, Mass as Quanta, ToolModel};

/// Step [s].
const STEP: f64 = 1.0 / 60.0;
/// Depth of the edge, width, height and rake of the face, and length of the end plates [m, degrees].
const DEPTH: f64 = 0.2;
const WIDTH: f64 = 1.2;
const HEIGHT: f64 = 0.8;
const RAKE: f64 = 40.0;
const PLATES: f64 = 0.6;
/// The ground: friction and friction on steel [degrees], cohesion [Pa], density [kg/m³].
const FRICTION: f64 = 33.0;
const STEEL: f64 = 20.0;
const COHESION: f64 = 2e3;
const DENSITY: f64 = 1700.0;

/// A bucket that a drive moves slowly through ground whose particles are taken away, with a load of a part of its
/// capacity that is no particle.
fn loaded(part: f64) -> World {
    let (mut world, mut ground) = world(soil(FRICTION, COHESION, STEEL, DENSITY), [8.0, 6.0], 0.1, STEP);
    ground.budget = 0;
    let drive = Drive::motor(1e-3, f64::INFINITY);
    let at = dvec3(-1.0, 0.0, -DEPTH);
    let (body, _, tool) = blade(&mut world, (WIDTH, HEIGHT, RAKE), (at, drive), vec![]);
    let tool = Tool { end_plates: Some(PLATES), ..tool };
    set(&mut world, vec![ground], vec![ToolModel { name: "bucket".into(), body, ground: 0, tool }]);
    load(&mut world, part);
    world
}

/// Gives the bucket a load of a part of its capacity.
fn load(world: &mut World, part: f64) {
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let (works, mut state) = (works.clone(), state.clone());
    let soil = &works.grounds[0].terrain.soils()[0];
    let mass = part * WIDTH * HEIGHT * PLATES * soil.dry_density(soil.void_ratio.loose);
    state.tools[0].cut_soils.clear();
    if part > 0.0 {
        state.tools[0]
            .cut_soils
            .push(windlass_soil::world::CutSoil { soil: 0, mass: Quanta::from_kilograms(mass) });
    }
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, Some(Box::new(state)))).unwrap();
}

/// Force of the ground against the motion over some steps, after those in which the state becomes full or empty.
fn draft(world: &mut World) -> f64 {
    run(world, 2.0 * STEP, |_| {});
    let (mut sum, mut count) = (0.0, 0.0);
    run(world, 6.0 * STEP, |world| {
        let (_, state) = world.subsystem::<Earthworks>().unwrap();
        (sum, count) = (sum - state.tools[0].force.x, count + 1.0);
    });
    sum / count
}

/// Draft of a plane at a rake through level ground. The end plates are beside nodes that the edge has cut.
fn closed_form(rake: f64, rough: bool) -> f64 {
    let steel = CuttingSoil {
        density: DENSITY,
        friction: FRICTION.to_radians(),
        cohesion: COHESION,
        tool_friction: STEEL.to_radians(),
        adhesion: 0.0,
    };
    let soil = if rough { steel.on_soil() } else { steel };
    let cut = LevelCut { rake, depth: DEPTH, gravity: G, ..LevelCut::default() };
    WIDTH * cut.failure(&soil).unwrap().draft
}

/// Below its capacity a bucket cuts with its face; from then on with the plane to the far corner of its end plates, soil
/// on soil, until it has lost a tenth.
#[test]
fn a_full_bucket_cuts_with_its_load() {
    let face = closed_form(RAKE.to_radians(), false);
    let load_plane = closed_form(RAKE.to_radians() + libm::atan(PLATES / HEIGHT), true);
    assert!(load_plane > 1.3 * face, "{load_plane} N, {face} N");
    // the failure plane is found to 1e-3 rad, at which its force is 1e-3 above the least at most
    let near = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 2e-3, "{found} N, closed form {expected} N");
    };
    let mut world = loaded(0.0);
    let fill = |world: &World| {
        let quantities = world.quantities();
        let fill = quantities.iter().find(|(_, _, q)| q.item == "tools.bucket" && q.name == "fill");
        world.read_quantity(fill.unwrap().1)
    };
    // the first step cuts the nodes under the edge; then none until the edge has moved by a cell
    near(draft(&mut world), face);
    // what does not fit weighs on the wedge: 1e-4 of the capacity is less than 1 N
    for (part, expected) in
        [(0.0, face), (0.99, face), (1.0001, load_plane), (0.95, load_plane), (0.85, face), (0.95, face)]
    {
        load(&mut world, part);
        near(draft(&mut world), expected);
        assert!((fill(&world) - part).abs() < 1e-6, "{}", fill(&world));
    }
}

/// The load of a bucket in the ground weighs on the bucket, not on the wedge before it: the joint that holds it upright
/// bears it.
#[test]
fn the_load_of_a_bucket_in_the_ground_weighs_on_the_bucket() {
    let held = |part: f64| {
        let mut world = loaded(part);
        let joint = world.model().joint("slider").unwrap();
        run(&mut world, 3.0 * STEP, |_| {});
        let vertical = world.subsystem::<Earthworks>().unwrap().1.tools[0].force.z;
        // of the slider on the bucket, against its own weight and the force of the wedge
        let force = world.reaction(joint, 1).unwrap().force.z;
        force + vertical
    };
    let (empty, loaded) = (held(0.0), held(0.5));
    let soil = soil(FRICTION, COHESION, STEEL, DENSITY);
    let weight = G * 0.5 * WIDTH * HEIGHT * PLATES * soil.dry_density(soil.void_ratio.loose);
    // soil that was swept in three steps: 0.6 kg
    assert!(((loaded - empty) / weight - 1.0).abs() < 0.02, "{} N of {weight} N", loaded - empty);
}

/// Particles that a bucket carries fill it: their loose volume over its capacity.
#[test]
fn particles_fill_a_bucket() {
    let at = dvec3(0.0, 0.0, 1.0);
    let (mut world, mut ground) = world(soil(FRICTION, 0.0, STEEL, DENSITY), [6.0, 6.0], 0.2, STEP);
    ground.particle = 0.12;
    ground.start = vec![LooseBox { middle: at + dvec3(0.0, 0.0, 0.5), size: dvec3(0.9, 0.9, 0.7), soil: 0 }];
    let plate = |half: DVec3, at: DVec3| Collider {
        mask: 0,
        ..Collider::new(Shape::Box { half }).placed(at, DQuat::IDENTITY)
    };
    let mut colliders = vec![plate(dvec3(0.56, 0.56, 0.03), dvec3(0.0, 0.0, -0.03))];
    for side in [-0.53, 0.53] {
        colliders.push(plate(dvec3(0.03, 0.56, 0.4), dvec3(side, 0.0, 0.4)));
        colliders.push(plate(dvec3(0.56, 0.03, 0.4), dvec3(0.0, side, 0.4)));
    }
    let mass = Mass::new(200.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(60.0)));
    let bucket = Body { colliders, ..Body::dynamic("bucket", mass) };
    let body = world.add_body(bucket, at, DQuat::IDENTITY).unwrap();
    let base = world.model().body("ground").unwrap();
    world
        .add_joint(Joint::new(
            "weld",
            Weld { anchors: [Anchor::point(base, at), Anchor::point(body, DVec3::ZERO)] },
        ))
        .unwrap();
    let edge = vec![dvec3(0.5, -0.5, 0.0), dvec3(0.5, 0.5, 0.0)];
    let tool = Tool { end_plates: Some(0.4), ..Tool::blade(edge, -DVec3::X, 1.0, 0.0) };
    set(&mut world, vec![ground], vec![ToolModel { name: "bucket".into(), body, ground: 0, tool }]);
    run(&mut world, 3.0, |_| {});
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let soil = &works.grounds[0].terrain.soils()[0];
    let mass: f64 = state.grounds[0].particles.iter().map(|p| p.mass.kilograms()).sum();
    let expected = mass / soil.dry_density(soil.void_ratio.loose);
    // all of them are in it; what they weigh in a step is their weight within a tenth (EW37)
    assert!(
        (state.tools[0].carried / expected - 1.0).abs() < 0.1,
        "{} m³ of {expected}",
        state.tools[0].carried
    );
    assert!(state.tools[0].full == (expected > 0.4));
}
