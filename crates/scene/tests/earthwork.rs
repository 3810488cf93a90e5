//! The scenes of `scenes/earthwork` do what their heads say, and errors of grounds and tools name the place.

use crate::play;

use play::{run, until};
use windlass_engine::prelude::World;
use windlass_scene::{Built, GroundReading, parse};

fn build(name: &str) -> Built {
    play::changed(&format!("earthwork/{name}"), &[])
}

/// A quantity of a ground or a tool.
fn quantity(world: &World, item: &str, name: &str) -> f64 {
    let all = world.quantities();
    let found = all.iter().find(|(kind, _, q)| {
        *kind == "soil" && q.item.split_once('.').is_some_and(|(_, own)| own == item) && q.name == name
    });
    world.read_quantity(found.unwrap_or_else(|| panic!("{item} has no {name}")).1)
}

fn height(world: &World, ground: &str, x: f64, y: f64) -> f64 {
    let all = GroundReading::all(world);
    let ground = all.iter().find(|g| g.name == ground).expect("a ground");
    let node = [x - ground.origin[0], y - ground.origin[1]].map(|at| (at / ground.spacing).round() as usize);
    ground.height(node)
}

#[test]
fn sand_slides_to_its_angle_and_clay_stands() {
    let mut scene = build("repose_pile");
    let mass = quantity(&scene.world, "sand", "mass");
    run(&mut scene, 8.0);
    let world = &scene.world;
    assert_eq!(quantity(world, "sand", "mass"), mass);
    // along x, between 1 m and 1.6 m of the summit
    let slope = (height(world, "sand", -6.0, 0.0) - height(world, "sand", -5.4, 0.0)) / 0.6;
    let angle = libm::atan(slope).to_degrees();
    assert!((angle - 33.0).abs() < 2.0, "{angle} degrees");
    // a cone of the 22.4 m³ of the block, swollen by 1.12, is 2.16 m high
    assert!(height(world, "sand", -7.0, 0.0) < 2.25);
    assert!((height(world, "clay", 3.0, 0.0) - 2.4).abs() < 1e-6);
    assert!(quantity(world, "clay", "cut") < 1e-9);
}

#[test]
fn a_blade_pushes_what_it_cuts() {
    let mut scene = build("blade");
    let mass = quantity(&scene.world, "site", "mass");
    let mut most: f64 = 0.0;
    until(&mut scene, 6.0, |world| most = most.max(quantity(world, "blade", "draft")));
    let world = &scene.world;
    assert!(quantity(world, "site", "loose") > 200.0);
    assert!(most > 2000.0 && most < 20e3, "{most} N");
    let sum = quantity(world, "site", "mass") + quantity(world, "site", "outside");
    assert!((sum - mass).abs() < 1e-6, "{sum} of {mass} kg");
}

#[test]
fn a_loader_fills_its_bucket() {
    let mut scene = build("loader_pile");
    run(&mut scene, 11.0);
    let stands = play::at(&scene.world, "loader.rear").z;
    assert!((stands - 1.15).abs() < 0.05, "{stands} m");
    let load = quantity(&scene.world, "loader.bucket", "load");
    assert!(load > 500.0, "{load} kg");
}

/// A ground with a material carries bodies, with the friction of that material.
#[test]
fn a_ground_has_the_friction_of_its_material() {
    let text = |material: &str| {
        format!(
            "windlass = 2\n[grounds.site]\nsize = [8, 4]\nspacing = 0.5\nsoil = \"clay\"\nmaterial = \"{material}\"\n\
             [bodies.crate]\nposition = [-2, 0, 0.5]\nvelocity = [2, 0, 0]\nmaterial = \"rubber\"\n\
             shape = {{ box = {{ size = [1, 1, 1] }} }}\n"
        )
    };
    let [rough, smooth] = ["asphalt", "ice"].map(|material| {
        let mut scene = parse(&text(material), "test.toml").and_then(|scene| scene.build()).expect("a scene");
        run(&mut scene, 0.5);
        let at = play::at(&scene.world, "crate");
        assert!((at.z - 0.5).abs() < 0.05, "on {material} the crate is at {at}");
        at.x
    });
    assert!(smooth > rough + 0.1, "{smooth} m on ice, {rough} m on asphalt");
}

/// Errors name the place and the remedy.
#[test]
fn wrong_grounds_and_tools_are_rejected() {
    let ground = "[grounds.site]\nsize = [4, 4]\nspacing = 0.5\nsoil = \"dry_sand\"\n";
    let body = "[bodies.blade]\nmass = 1\ninertia = [1, 1, 1]\n";
    let tool =
        "[tools.blade]\nbody = \"blade\"\nedge = [[0, 1, 0], [0, -1, 0]]\nface = [0, 0, 1]\nheight = 1\n";
    let cases = [
        (ground.replace("dry_sand", "sand"), "known", "soil"),
        (ground.replace("0.5", "0.3"), "spacing", "whole number"),
        (ground.replace("soil = \"dry_sand\"", "layers = []"), "layers", "at least one"),
        (format!("{ground}particle = 5\n"), "particles of 5 m", "three times"),
        (format!("{body}{tool}"), "needs a `ground`", "[grounds.NAME]"),
        (format!("{ground}{body}{tool}ground = \"field\"\n"), "no ground \"field\"", "[grounds.NAME]"),
        (format!("{ground}{body}{}", tool.replace("[0, -1, 0]", "[0, 1, 0]")), "edge", "two or more points"),
        (format!("{ground}{body}{}", tool.replace("height = 1", "height = 0")), "height", "more than 0"),
        (
            format!("{ground}[soils.dry_sand]\nsteel = {{ friction = \"50 deg\" }}\n"),
            "steel",
            "lower the first or raise the second",
        ),
        (format!("{ground}[bodies.site]\ntype = \"static\"\n"), "same name", "rename one"),
        (format!("{ground}heights = {{ rows = [[0, 1]] }}\n"), "rows", "at least two"),
    ];
    for (text, what, remedy) in cases {
        let text = format!("windlass = 2\n{text}");
        let error = match parse(&text, "test.toml").and_then(|scene| scene.build().map(|_| ())) {
            Ok(()) => panic!("accepted:\n{text}"),
            Err(errors) => errors.to_string(),
        };
        assert!(error.contains(what) && error.contains(remedy), "{text}\n{error}");
    }
}
