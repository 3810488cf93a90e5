//! Crawler tracks of scenes: the scene of `scenes/earthwork` does what its head says, and errors name the place.

use crate::play;

use play::{at, run, until};
use windlass_engine::prelude::World;
use windlass_scene::{parse, parse_with};

/// A quantity of a track or a ground.
fn quantity(world: &World, item: &str, name: &str) -> f64 {
    let all = world.quantities();
    let found = all.iter().find(|(kind, _, q)| {
        *kind == "soil" && q.item.split_once('.').is_some_and(|(_, own)| own == item) && q.name == name
    });
    world.read_quantity(found.unwrap_or_else(|| panic!("{item} has no {name}")).1)
}

fn heading(world: &World, body: &str) -> f64 {
    let ahead = world.state().bodies[world.model().body(body).unwrap().index()].orientation * glam::DVec3::X;
    libm::atan2(ahead.y, ahead.x)
}

#[test]
fn a_crawler_drives_turns_and_pivots_on_clay() {
    let mut scene = play::changed("earthwork/crawler_on_clay", &[]);
    let mass = quantity(&scene.world, "site", "mass");
    run(&mut scene, 3.0);
    // means: the frame rocks on its tracks by a millimetre, and the thrust of an instant with it
    let (mut straight, mut slip, mut count) = (0.0, 0.0, 0.0);
    until(&mut scene, 5.9, |world| {
        straight += quantity(world, "base.left", "thrust");
        slip += quantity(world, "base.left", "slip");
        count += 1.0;
    });
    let (straight, slip) = (straight / count, slip / count);
    let world = &scene.world;
    let place = at(world, "base.frame");
    println!("drove to {place}, heading {}, thrust {straight}", heading(world, "base.frame"));
    assert!((place.y + 4.0).abs() < 0.02 && heading(world, "base.frame").abs() < 0.01, "{place}");
    // the clay bears 45 kPa at 1 to 2 cm, so that little thrust and slip are needed
    assert!(slip > 0.0 && slip < 0.02 && straight > 0.0 && straight < 10e3, "{slip}, {straight} N");
    // 3 rad/s on 0.38 m from 1 s on, of which 0.75 s of acceleration: at most 5.16 m
    assert!(place.x > -1.0 && place.x < -0.84, "{place}");
    let load = quantity(world, "base.left", "load") + quantity(world, "base.right", "load");
    assert!((load / (19e3 * 9.81) - 1.0).abs() < 0.03, "{load} N");
    run(&mut scene, 9.5);
    let world = &scene.world;
    let (left, right) = (quantity(world, "base.left", "thrust"), quantity(world, "base.right", "thrust"));
    println!("turns with {left} and {right} N, heading {}", heading(world, "base.frame"));
    assert!(right > 3.0 * straight && left < 0.0, "{left}, {right} N");
    assert!(heading(world, "base.frame") > 0.1);
    run(&mut scene, 12.5);
    let (place, before) = (at(&scene.world, "base.frame"), heading(&scene.world, "base.frame"));
    run(&mut scene, 16.5);
    let world = &scene.world;
    let turned = (heading(world, "base.frame") - before).rem_euclid(std::f64::consts::TAU);
    println!("pivots by {turned}, from {place} to {}", at(world, "base.frame"));
    assert!(turned > 0.8 && turned < 2.1, "{turned} rad");
    assert!(at(world, "base.frame").distance(place) < 0.5);
    assert!(quantity(world, "site", "cut") > 0.05);
    assert_eq!(quantity(world, "site", "mass"), mass);
}

/// On hard ground, up a kerb: the rise of the belt at the idler climbs it.
#[test]
fn a_crawler_climbs_a_kerb() {
    let text = "windlass = 2\ninclude = [\"windlass:crawler.toml\"]\n\
        [bodies.yard]\ntype = \"static\"\nshape = { plane = { size = [100, 100] } }\n\
        [bodies.kerb]\ntype = \"static\"\nposition = [10, 0, 0]\nshape = { box = { size = [12, 8, 0.4] } }\n\
        [instances.base]\nprefab = \"crawler\"\n[instances.driver]\nprefab = \"crawler_driver\"\n\
        [[script]]\nat = 0.5\nset = { \"driver.travel\" = \"2 rad/s\" }\n";
    let files = std::sync::Arc::new(windlass_scene::files::NoFolder);
    let mut scene =
        parse_with(text, "kerb.toml", files, &[]).and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
    run(&mut scene, 12.5);
    let place = at(&scene.world, "base.frame");
    println!("on the kerb at {place}");
    assert!(place.x > 7.0 && (place.z - 0.75).abs() < 0.02, "{place}");
}

#[test]
fn wrong_tracks_are_rejected() {
    let bodies =
        "[bodies.frame]\nmass = 1\ninertia = [1, 1, 1]\n[bodies.sprocket]\nmass = 1\ninertia = [1, 1, 1]\n";
    let track = "[tracks.left]\nframe = \"frame\"\nsprocket = \"sprocket\"\nradius = 0.3\nwidth = 0.4\n\
        line = [[-1, 0, 0], [1, 0, 0]]\n";
    let cases = [
        (track.replace("sprocket = \"sprocket\"", "sprocket = \"wheel\""), "wheel", "sprocket"),
        (
            track.replace("sprocket = \"sprocket\"", "sprocket = \"frame\""),
            "its sprocket is its frame",
            "two bodies",
        ),
        (track.replace("[1, 0, 0]]", "[-1, 0, 0]]"), "fewer than two", "from rear to front"),
        (format!("{track}axle = [1, 0, 0]\n"), "points along its line", "to the left"),
        (format!("{track}elements = 50\n"), "elements", "40"),
        (track.replace("width = 0.4", "width = 0"), "width", "more than 0"),
        (format!("{track}friction = [0.7]\n"), "friction", "two"),
    ];
    for (text, what, remedy) in cases {
        let text = format!("windlass = 2\n{bodies}{text}");
        let error = match parse(&text, "test.toml").and_then(|scene| scene.build().map(|_| ())) {
            Ok(()) => panic!("accepted:\n{text}"),
            Err(errors) => errors.to_string(),
        };
        assert!(error.contains(what) && error.contains(remedy), "{text}\n{error}");
    }
}
