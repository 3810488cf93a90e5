//! EW42: the same bits for any number of threads and from a saved state; ground at rest costs nothing.

use super::*;
use crate::world::{mass, soil, world};
use glam::DQuat;
use std::time::Instant;
use windlass_engine::body::collider::Geometry;
use windlass_soil::ground::{Heights, Stratum, Terrain, TerrainSpec};

/// A blade with a plate that digs and pushes what it has dug.
fn digging() -> World {
    let (mut world, mut ground) = world(soil(35.0, 0.0, 22.0, 1650.0), [12.0, 4.0], 0.2, STEP);
    ground.particle = 0.05;
    ground.budget = 1000;
    let plate = Collider::new(Shape::Box { half: dvec3(0.02, 0.75, 0.3) });
    let plate = Collider { mask: 0, ..plate.placed(dvec3(-0.2, 0.0, 0.3), DQuat::from_rotation_y(-0.5)) };
    let at = edge(-4.5, 0.15);
    let (body, _, tool) = blade(&mut world, (1.5, 0.6, 60.0), (at, at_speed(0.8)), vec![plate]);
    set(&mut world, vec![ground], vec![ToolModel { name: "blade".into(), body, ground: 0, tool }]);
    world
}

/// The state after 600 steps on a number of threads, restored into another world at step 300 if asked.
fn hash(threads: usize, restores: bool) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut world = digging();
        let before = mass(&world);
        let mut most = 0;
        let mut count = |world: &World| {
            most = most.max(world.subsystem::<Earthworks>().unwrap().1.grounds[0].particles.len());
        };
        run(&mut world, 5.0, &mut count);
        if restores {
            let saved = world.state().clone();
            world = digging();
            world.restore(saved).unwrap();
        }
        run(&mut world, 5.0, &mut count);
        assert_eq!(mass(&world), before);
        assert!(most > 600, "sweeps are split from 600 particles on: {most}");
        world.state().hash()
    })
}

#[test]
fn ew42_digging_has_the_same_bits() {
    let one = hash(1, false);
    let others = [(2, false), (3, false), (8, false), (2, true)];
    let same = others.into_iter().all(|(threads, restores)| hash(threads, restores) == one);
    in_world("EW42").does("state after 600 steps", same);
}

#[test]
fn ew42_a_square_kilometre_at_rest_costs_nothing() {
    let (nodes, spacing) = ([5001, 5001], 0.2);
    let spec = TerrainSpec {
        origin: [-500.0; 2],
        spacing,
        nodes,
        heights: Heights::Flat(0.0),
        strata: vec![Stratum::new(0, 5.0)],
        soils: vec![soil(33.0, 0.0, 22.0, 1650.0)],
        gravity: 9.81,
    };
    let mut world = World::default();
    world.set(|settings| settings.dt = STEP).unwrap();
    let collider = Collider::of(Geometry::Ground { nodes, spacing });
    let body = Body::fixed("ground").with_collider(collider);
    let body = world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).unwrap();
    set(&mut world, vec![GroundModel::new("site", body, Terrain::new(spec).unwrap())], vec![]);
    run(&mut world, 1.0, |_| {});
    // the least of many: others use the machine
    let step = |world: &mut World| {
        let start = Instant::now();
        world.step();
        start.elapsed().as_secs_f64() * 1e3
    };
    let least = (0..2000).map(|_| step(&mut world)).fold(f64::INFINITY, f64::min);
    in_world("EW42").finds("cost of a step of 1 km² at rest", least);
}
