//! Scenes with loose soil and bins do what their heads say; errors of bins and of boxes of loose soil name the place.

use crate::play;

use play::{G, changed, run, until};
use windlass_engine::prelude::World;
use windlass_scene::parse;

/// A quantity of a ground, tool or bin.
fn quantity(world: &World, item: &str, name: &str) -> f64 {
    let all = world.quantities();
    let found = all.iter().find(|(kind, _, q)| {
        *kind == "soil" && q.item.split_once('.').is_some_and(|(_, own)| own == item) && q.name == name
    });
    world.read_quantity(found.unwrap_or_else(|| panic!("{item} has no {name}")).1)
}

/// Velocity of a body.
fn velocity(world: &World, body: &str) -> glam::DVec3 {
    let id = world.model().body(body).unwrap();
    world.state().bodies[id.index()].velocity
}

/// Sand from a hopper fills a bin; the scale bears it, without kicks once it lies.
#[test]
fn sand_from_a_hopper_fills_a_bin() {
    let mut scene = changed("earthwork/hopper", &[]);
    let start = quantity(&scene.world, "yard", "loose");
    assert!(start > 1500.0, "{start} kg");
    run(&mut scene, 13.0);
    let (filled, loose) = (quantity(&scene.world, "bin", "mass"), quantity(&scene.world, "yard", "loose"));
    println!("{start} kg: {filled} in the bin, {loose} loose");
    assert!(filled > 0.9 * start, "{filled} of {start} kg");
    assert!(quantity(&scene.world, "bin", "fill") > 0.2);
    // the spring of the scale: 2 MN/m
    let mut sum = 0.0;
    let mut count = 0.0;
    until(&mut scene, 14.0, |world| {
        assert!(velocity(world, "bin").length() < 0.02);
        sum -= 2e6 * play::at(world, "bin").z - 2e6 * 0.4;
        count += 1.0;
    });
    let borne = sum / count / G;
    println!("the scale bears {borne} kg");
    // loose soil loads the scale where it lies on what is in the bin, not in the hopper or beside the bin
    let least = 400.0 + quantity(&scene.world, "bin", "mass");
    let most = least + quantity(&scene.world, "yard", "loose");
    assert!(
        borne > least * (1.0 - 1e-3) && borne < most * (1.0 + 1e-3),
        "{borne} kg of {least} to {most} kg"
    );
}

/// A bed takes its load, tips and dumps it; no quantum is lost.
#[test]
fn a_tipper_dumps_its_load() {
    let mut scene = changed("earthwork/tipper", &[]);
    let mass = soil(&scene.world);
    run(&mut scene, 4.0);
    let filled = quantity(&scene.world, "bed", "mass");
    assert!(filled > 2500.0, "{filled} kg");
    // the bed is open at the back: 4 m by 2.2 m by 1 m to the top of its sides
    let (volume, fill) = (quantity(&scene.world, "bed", "volume"), quantity(&scene.world, "bed", "fill"));
    assert!(volume > 1.0 && (fill - volume / 8.8).abs() < 1e-12, "{volume} m³, {fill}");
    until(&mut scene, 17.0, |world| assert_eq!(soil(world), mass));
    let left = quantity(&scene.world, "bed", "mass");
    println!("{left} of {filled} kg left");
    assert!(left < 0.05 * filled, "{left} of {filled} kg");
}

/// Mass of all soil.
fn soil(world: &World) -> windlass_soil::Mass {
    let (works, state) = world.subsystem::<windlass_soil::Earthworks>().unwrap();
    state.mass(works)
}

#[test]
fn backfill_is_softer_than_the_bank() {
    let mut scene = changed("earthwork/trench_backfill", &[]);
    let mut drafts = [(0.0, 0.0); 2];
    let mut swollen: f64 = 0.0;
    until(&mut scene, 33.0, |world| {
        let (time, x) = (world.state().time, play::at(world, "carriage").x);
        swollen = swollen.max(quantity(world, "site", "fill") - quantity(world, "site", "cut"));
        let pass = if time < 8.5 { 0 } else { 1 };
        if !(8.5..25.4).contains(&time) && (-2.5..-1.5).contains(&x) {
            drafts[pass].0 += quantity(world, "front", "draft");
            drafts[pass].1 += 1.0;
        }
    });
    let [bank, backfill] = drafts.map(|(sum, count)| sum / count);
    println!("bank {bank} N, backfill {backfill} N, {swollen} m³ more");
    // dug soil takes more room than in the bank; most of it falls back into the cut, so that `cut` itself stays small
    assert!(swollen > 0.3, "{swollen} m³");
    assert!(backfill < 0.7 * bank, "{bank} N, {backfill} N");
}

/// Errors name the place and the remedy.
#[test]
fn wrong_bins_and_boxes_are_rejected() {
    let ground = "[grounds.site]\nsize = [4, 4]\nspacing = 0.5\nsoil = \"dry_sand\"\n";
    let body = "[bodies.bed]\nmass = 1\ninertia = [1, 1, 1]\n";
    let bin = "[bins.bed]\nbody = \"bed\"\nsize = [2, 1]\nheight = 0.5\n";
    let cases = [
        (format!("{body}{bin}"), "needs a `ground`", "[grounds.NAME]"),
        (format!("{ground}{bin}"), "bed", "bod"),
        (format!("{ground}{body}{}", bin.replace("[2, 1]", "[2, -1]")), "size", "more than 0"),
        (format!("{ground}{body}{}", bin.replace("0.5", "0")), "height", "more than 0"),
        (format!("{ground}{body}{bin}spacing = 1.5\n"), "cells of 1.5 m", "at most its size"),
        (format!("{ground}{body}{bin}spacing = 0.001\n"), "2000 cells", "at most 200"),
        (format!("{ground}{body}{bin}rims = {{ back = -1 }}\n"), "a rim of -1 m", "0 or more"),
        (format!("{ground}{body}{bin}ground = \"field\"\n"), "no ground \"field\"", "[grounds.NAME]"),
        (
            format!("{ground}loose = [{{ position = [0, 0, 1], size = [1, 1, 1], soil = \"clay\" }}]\n"),
            "no soil \"clay\"",
            "dry_sand",
        ),
        (
            format!("{ground}loose = [{{ position = [0, 0, 1], size = [900, 900, 900] }}]\n"),
            "particles",
            "smaller box",
        ),
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
