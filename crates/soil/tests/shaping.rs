//! Ground shaped by edits: heights, the account of mass, undo; and grounds that keep their state when soils change.

use glam::{DQuat, DVec2, DVec3};
use windlass_engine::body::collider::Geometry;
use windlass_engine::prelude::*;
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{Ground, Heights, Soil, Stratum, Terrain, TerrainSpec};
use windlass_soil::world::Shaping;
use windlass_soil::{EarthEdit, Earthworks, GroundModel, Mass as Quanta};

fn model(world: &mut World, soil: Soil) -> GroundModel {
    let nodes = [81, 61];
    let spacing = 0.1;
    let collider = Collider::of(Geometry::Ground { nodes, spacing });
    let body = world.model().bodies().iter().next().and_then(|(place, _)| world.model().bodies().id(place));
    let body = body.unwrap_or_else(|| {
        let body = Body::fixed("ground").with_collider(collider);
        world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).unwrap()
    });
    let spec = TerrainSpec {
        origin: [-4.0, -3.0],
        spacing,
        nodes,
        heights: Heights::Flat(0.0),
        strata: vec![Stratum::new(0, 3.0)],
        soils: vec![soil],
        gravity: 9.81,
    };
    GroundModel::new("site", body, Terrain::new(spec).unwrap())
}

fn world(soil: Soil) -> World {
    let mut world = World::default();
    world.set(|settings| settings.gravity = -9.81 * DVec3::Z).unwrap();
    let grounds = vec![model(&mut world, soil)];
    world
        .edit_subsystem::<Earthworks>(EarthEdit::Set(Earthworks { grounds, ..Earthworks::default() }, None))
        .unwrap();
    world
}

fn clay() -> Soil {
    Soil::named("clay").unwrap()
}

fn height(world: &World, x: f64, y: f64) -> f64 {
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    Ground::new(&works.grounds[0].terrain, &state.grounds[0].terrain).surface(x, y).height
}

/// Mass of the ground and of soil outside, less what edits added.
fn balance(world: &World) -> Quanta {
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let (model, ground) = (&works.grounds[0], &state.grounds[0]);
    let account = ground.terrain.account;
    ground.terrain.mass(&model.terrain) + ground.loose() + account.outside - account.edited
}

fn square(side: f64) -> Vec<DVec2> {
    let half = 0.5 * side;
    [[-half, -half], [half, -half], [half, half], [-half, half]].map(DVec2::from).to_vec()
}

#[test]
fn a_graded_area_has_its_height_and_the_account_has_its_mass() {
    let mut world = world(clay());
    let (start, before) = (world.state().clone(), balance(&world));
    let grade = |height| EarthEdit::Shape(0, Shaping::Grade { outline: square(2.02), height });
    let undo = world.edit_subsystem::<Earthworks>(grade(-0.4)).unwrap();
    assert!((height(&world, 0.0, 0.0) + 0.4).abs() < 1e-6 && height(&world, 1.5, 0.0) == 0.0);
    // 21 × 21 columns of 0.01 m²
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let soil = &works.grounds[0].terrain.soils()[0];
    let taken = 21.0 * 21.0 * 0.01 * 0.4 * soil.dry_density(soil.void_ratio.bank);
    let booked = state.grounds[0].terrain.account.edited.kilograms();
    assert!((booked + taken).abs() < 1e-3, "{booked} for {taken}");
    assert_eq!(balance(&world), before);
    // filled up again, and above the start
    world.edit_subsystem::<Earthworks>(grade(0.25)).unwrap();
    assert!((height(&world, 0.0, 0.0) - 0.25).abs() < 1e-6);
    assert_eq!(balance(&world), before);
    // undo is bitwise: the inverse of the first restores the start whatever came after
    world.edit_subsystem::<Earthworks>(undo).unwrap();
    assert_eq!(world.state().to_bytes(), start.to_bytes());
}

/// Ground that was worked over and rests is not copied with each step; what changes again is.
#[test]
fn worked_ground_at_rest_is_common_to_the_states_of_all_steps() {
    let mut world = world(Soil::named("dry_sand").unwrap());
    let outline =
        vec![[-3.9, -2.9], [3.9, -2.9], [3.9, 2.9], [-3.9, 2.9]].into_iter().map(DVec2::from).collect();
    world
        .edit_subsystem::<Earthworks>(EarthEdit::Shape(0, Shaping::Grade { outline, height: -0.1 }))
        .unwrap();
    (0..600).for_each(|_| drop(world.step()));
    let terrain = |world: &World| world.subsystem::<Earthworks>().unwrap().1.grounds[0].terrain.clone();
    let before = terrain(&world);
    (0..3).for_each(|_| drop(world.step()));
    let after = terrain(&world);
    assert_eq!((before.tiles(), before.tiles_in_common(&after)), (6, 6));
    // a spadeful in one corner changes one tile, and not that of the copy
    let fill = Shaping::Fill { at: DVec2::new(-3.0, -2.0), radius: 0.1, mass: 5.0, soil: 0 };
    let undo = world.edit_subsystem::<Earthworks>(EarthEdit::Shape(0, fill)).unwrap();
    (0..3).for_each(|_| drop(world.step()));
    let common = after.tiles_in_common(&terrain(&world));
    assert!((1..6).contains(&common), "{common} tiles");
    world.edit_subsystem::<Earthworks>(undo).unwrap();
    assert!(terrain(&world) == after);
}

#[test]
fn a_fill_is_whole_quanta_and_becomes_a_heap() {
    let mut world = world(Soil::named("dry_sand").unwrap());
    let before = balance(&world);
    let fill = |mass, radius| Shaping::Fill { at: DVec2::new(0.03, 0.02), radius, mass, soil: 0 };
    world.edit_subsystem::<Earthworks>(EarthEdit::Shape(0, fill(777.7, 0.5))).unwrap();
    let booked = |world: &World| world.subsystem::<Earthworks>().unwrap().1.grounds[0].terrain.account.edited;
    assert_eq!(booked(&world), Quanta::from_kilograms(777.7));
    let peak = height(&world, 0.0, 0.0);
    (0..360).for_each(|_| drop(world.step()));
    assert!(height(&world, 0.0, 0.0) < peak && height(&world, 0.9, 0.0) > 0.0);
    assert_eq!((balance(&world), booked(&world)), (before, Quanta::from_kilograms(777.7)));
}

#[test]
fn shapes_that_do_not_fit_are_refused_and_change_nothing() {
    let mut world = world(clay());
    let before = world.state().to_bytes();
    let far = DVec2::new(50.0, 0.0);
    let cases = [
        (1, Shaping::Grade { outline: square(1.0), height: 0.0 }, "counted from 0"),
        (0, Shaping::Grade { outline: square(1.0)[..2].to_vec(), height: 0.0 }, "three or more"),
        (
            0,
            Shaping::Grade { outline: square(0.05).iter().map(|p| *p + far).collect(), height: 0.0 },
            "no node",
        ),
        (0, Shaping::Grade { outline: square(1.0), height: f64::NAN }, "height"),
        (0, Shaping::Fill { at: far, radius: 0.1, mass: 1.0, soil: 0 }, "beside"),
        (0, Shaping::Fill { at: DVec2::ZERO, radius: 0.1, mass: -1.0, soil: 0 }, "above 0"),
        (0, Shaping::Fill { at: DVec2::ZERO, radius: 0.1, mass: 1.0, soil: 3 }, "soil 3"),
    ];
    for (ground, shaping, what) in cases {
        let error = world.edit_subsystem::<Earthworks>(EarthEdit::Shape(ground, shaping)).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
        assert_eq!(world.state().to_bytes(), before);
    }
}

/// Strength may change while the world runs: what was dug stays, and slopes that are too steep by now fail. A ground of
/// other columns begins anew.
#[test]
fn a_ground_keeps_its_state_when_the_strength_of_its_soil_changes() {
    let mut world = world(clay());
    let grade = Shaping::Grade { outline: square(2.02), height: -1.0 };
    world.edit_subsystem::<Earthworks>(EarthEdit::Shape(0, grade)).unwrap();
    (0..120).for_each(|_| drop(world.step()));
    assert!((height(&world, 0.85, 0.0) + 1.0).abs() < 0.01, "clay stands");
    let with = |world: &mut World, soil: Soil| {
        let grounds = vec![model(world, soil)];
        world
            .edit_subsystem::<Earthworks>(EarthEdit::Set(
                Earthworks { grounds, ..Earthworks::default() },
                None,
            ))
            .unwrap()
    };
    let weak = Soil { strength: StrengthLaw::Constant(Strength::new(20.0, 0.0)), ..clay() };
    let before = balance(&world);
    let undo = with(&mut world, weak);
    assert_eq!(balance(&world), before);
    assert!((height(&world, 0.0, 0.0) + 1.0).abs() < 1e-6, "the pit is kept");
    (0..240).for_each(|_| drop(world.step()));
    assert!(height(&world, 0.85, 0.0) > -0.9, "its walls fail: {}", height(&world, 0.85, 0.0));
    assert_eq!(balance(&world), before);
    world.edit_subsystem::<Earthworks>(undo).unwrap();
    assert!((height(&world, 0.85, 0.0) + 1.0).abs() < 0.01, "undone, it stands again");
    let heavy = Soil { grain_density: 3000.0, ..clay() };
    with(&mut world, heavy);
    assert_eq!(height(&world, 0.0, 0.0), 0.0);
}
