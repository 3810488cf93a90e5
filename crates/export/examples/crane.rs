//! A small harbour crane that slews with a swinging load, drawn in every format.
//!
//! Run: `cargo run -p windlass-export --example crane -- FOLDER [film] [stereo]`.
//!
//! Writes `crane.glb`, `crane.usda`, `crane.svg` and, where povray is installed, `crane.png` into FOLDER;
//! with `film` also `crane.mp4`, and with `stereo` all images for two eyes.

use glam::{DQuat, DVec3, dvec3};
use std::f64::consts::PI;
use std::ops::ControlFlow;
use std::path::Path;
use windlass_engine::body::shape::Shape;
use windlass_engine::math::{exp, facing, turn};
use windlass_export::film::{Film, Progress};
use windlass_export::{
    Camera, Error, Figure, Ground, Instant, Line, Mount, Pattern, Picture, Pose, Reel, Solid, Stereo,
};
use windlass_export::{gltf, svg, usda};

const YELLOW: [f64; 3] = [0.93, 0.69, 0.13];
const GREY: [f64; 3] = [0.27, 0.29, 0.32];
/// The top of the boom in the axes of the slewing part [m].
const TIP: DVec3 = DVec3::new(7.5, 0.0, 8.2);
/// The foot of the boom [m].
const FOOT: DVec3 = DVec3::new(0.6, 0.0, 2.3);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folder = words.first().ok_or("give a folder to write to")?;
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder)?;
    let asked = |word: &str| words.iter().any(|w| w == word);

    let mut picture = picture();
    if asked("stereo") {
        picture.camera.stereo = Some(Stereo { eyes: 0.35, convergence: 18.0 });
    }
    let mut reel = reel(30.0, 6.0);
    std::fs::write(folder.join("crane.glb"), gltf::glb(&picture, &mut reel, &gltf::Options::default())?)?;
    std::fs::write(folder.join("crane.usda"), usda::usda(&picture, &mut reel)?)?;
    let shown = poses(2.0, 6.0);
    let instant = Instant { time: 2.0, poses: &shown, ties: &[], reliefs: &[] };
    std::fs::write(folder.join("crane.svg"), svg::svg(&picture, &instant, &svg::Sheet::default())?)?;

    let film = Film {
        size: [640, 480],
        output: asked("film").then(|| folder.join("crane.mp4")),
        ..Film::new(&picture, folder.join("frames"))
    };
    let still = Film { folder: folder.join("still"), ..film.clone() };
    match still.still(&instant, &folder.join("crane.png")) {
        Err(Error::Missing { program, .. }) => eprintln!("no still: {program} is not installed"),
        end => end?,
    }
    if asked("film") {
        film.make(&mut reel, &mut |Progress { stage, done, total, .. }| {
            eprint!("\r{stage:?} {done} of {total} ");
            ControlFlow::Continue(())
        })?;
        eprintln!();
    }
    Ok(())
}

/// A solid between two points of a body.
fn strut(from: DVec3, to: DVec3, radius: f64, material: &str, color: [f64; 3]) -> Solid {
    let shape = Shape::Cylinder { radius, half_length: 0.5 * (to - from).length() };
    Solid { orientation: facing(to - from), ..part(shape, 0.5 * (from + to), material, Some(color)) }
}

fn part(shape: Shape, at: DVec3, material: &str, color: Option<[f64; 3]>) -> Solid {
    let painted = color.map(|_| 0.0);
    Solid { shape, at, material: material.into(), color, metalness: painted, ..Solid::default() }
}

fn cuboid(size: DVec3, at: DVec3, material: &str, color: Option<[f64; 3]>) -> Solid {
    part(Shape::Box { half: 0.5 * size }, at, material, color)
}

/// A boom of four chords with lacing.
fn boom() -> Vec<Solid> {
    let along = (TIP - FOOT).normalize();
    let (side, rise) = (DVec3::Y, along.cross(DVec3::Y).normalize());
    let corner = |share: f64, i: usize| {
        // thick in the middle, thin at both ends
        let width = 0.12 + 0.30 * (1.0 - (2.0 * share - 1.0).powi(2));
        let (a, b) = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)][i % 4];
        FOOT + (TIP - FOOT) * share + (side * a + rise * b) * width
    };
    let bays = 9;
    let mut solids = Vec::new();
    for bay in 0..bays {
        let [low, high] = [bay, bay + 1].map(|b| b as f64 / bays as f64);
        for i in 0..4 {
            solids.push(strut(corner(low, i), corner(high, i), 0.055, "steel", YELLOW));
            let (a, b) = if bay % 2 == 0 { (i, i + 1) } else { (i + 1, i) };
            solids.push(strut(corner(low, a), corner(high, b), 0.028, "steel", YELLOW));
            solids.push(strut(corner(high, i), corner(high, i + 1), 0.028, "steel", YELLOW));
        }
    }
    solids
}

fn picture() -> Picture {
    let base = vec![
        cuboid(dvec3(3.4, 3.4, 0.5), dvec3(0.0, 0.0, 0.25), "concrete", None),
        part(Shape::Cylinder { radius: 0.75, half_length: 0.55 }, dvec3(0.0, 0.0, 1.05), "steel", Some(GREY)),
    ];
    let mast_top = dvec3(-0.9, 0.0, 5.6);
    let mut house = vec![
        part(Shape::Cylinder { radius: 0.95, half_length: 0.12 }, dvec3(0.0, 0.0, 1.72), "steel", None),
        cuboid(dvec3(3.0, 1.7, 0.25), dvec3(-0.5, 0.0, 1.96), "steel", Some(GREY)),
        cuboid(dvec3(1.3, 1.5, 1.1), dvec3(-1.3, 0.0, 2.62), "steel", Some(YELLOW)),
        cuboid(dvec3(0.9, 1.7, 0.9), dvec3(-2.2, 0.0, 1.9), "concrete", None),
        cuboid(dvec3(0.95, 0.7, 1.2), dvec3(0.35, -1.15, 2.7), "glass", None),
        cuboid(dvec3(1.05, 0.8, 0.1), dvec3(0.35, -1.15, 3.35), "steel", Some(YELLOW)),
        cuboid(dvec3(1.05, 0.8, 0.1), dvec3(0.35, -1.15, 2.06), "steel", Some(GREY)),
        part(Shape::Sphere { radius: 0.17 }, TIP, "rubber", None),
    ];
    for y in [-0.5, 0.5] {
        let [front, back] = [0.3, -1.7].map(|x| dvec3(x, y, 2.1));
        house.push(strut(front, mast_top + DVec3::Y * y * 0.4, 0.09, "steel", GREY));
        house.push(strut(back, mast_top + DVec3::Y * y * 0.4, 0.09, "steel", GREY));
    }
    let drum = Shape::Cylinder { radius: 0.3, half_length: 0.45 };
    house.push(Solid {
        orientation: turn(DVec3::X, PI / 2.0),
        ..part(drum, dvec3(-0.2, 0.0, 2.5), "steel", None)
    });
    house.extend(boom());

    let hook = vec![
        part(
            Shape::Capsule { radius: 0.16, half_length: 0.14 },
            DVec3::ZERO,
            "cast iron",
            Some([0.75, 0.16, 0.1]),
        ),
        part(Shape::Cone { radius: 0.14, half_height: 0.12 }, dvec3(0.0, 0.0, 0.36), "steel", None),
    ];
    let load = vec![
        cuboid(dvec3(1.5, 1.1, 0.9), DVec3::ZERO, "wood", None),
        cuboid(dvec3(1.54, 0.12, 0.94), dvec3(0.0, 0.4, 0.0), "oak", None),
        cuboid(dvec3(1.54, 0.12, 0.94), dvec3(0.0, -0.4, 0.0), "oak", None),
    ];
    let dark = [0.16, 0.16, 0.18];
    let rope = |points: Vec<(usize, DVec3)>, radius| Line { points, radius, color: dark };
    let sling = |x: f64, y: f64| rope(vec![(2, dvec3(0.0, 0.0, -0.25)), (3, dvec3(x, y, 0.45))], 0.018);
    let lines = vec![
        rope(vec![(1, dvec3(-0.2, 0.0, 2.8)), (1, mast_top), (1, TIP), (2, dvec3(0.0, 0.0, 0.45))], 0.028),
        rope(vec![(1, mast_top + DVec3::Y * 0.2), (1, TIP + DVec3::Y * 0.15)], 0.03),
        rope(vec![(1, mast_top - DVec3::Y * 0.2), (1, TIP - DVec3::Y * 0.15)], 0.03),
        sling(0.6, 0.4),
        sling(-0.6, 0.4),
        sling(-0.6, -0.4),
        sling(0.6, -0.4),
    ];
    let names = ["base", "house", "hook", "load"];
    let solids = [base, house, hook, load];
    let bodies =
        names.iter().zip(solids).map(|(name, solids)| Figure { name: (*name).into(), solids }).collect();
    let colors = [[0.70, 0.70, 0.67], [0.62, 0.63, 0.61]];
    Picture {
        bodies,
        lines,
        ground: Some(Ground { height: 0.0, pattern: Pattern::Checker { colors, side: 1.0 } }),
        camera: Camera {
            position: dvec3(10.0, -15.0, 5.5),
            target: dvec3(2.6, 0.0, 3.9),
            angle: 32f64.to_radians(),
            mount: Mount::World,
            ..Camera::default()
        },
        ..Picture::default()
    }
}

/// The crane slews to and fro, the rope is drawn in a little, and the load swings.
fn reel(rate: f64, seconds: f64) -> Reel {
    let frames = (0..=(rate * seconds) as usize).map(|frame| poses(frame as f64 / rate, seconds)).collect();
    Reel { rate, start: 0.0, frames, ties: vec![], reliefs: vec![] }
}

fn poses(time: f64, seconds: f64) -> Vec<Pose> {
    let phase = 2.0 * PI * time / seconds;
    let slew = turn(DVec3::Z, 0.9 * libm::sin(phase) - 0.3);
    let tip = slew * TIP;
    let length = 4.6 + 0.7 * libm::cos(phase);
    let swing = exp(dvec3(0.16 * libm::sin(3.0 * phase), 0.12 * libm::cos(2.0 * phase), 0.0));
    let hook = tip - swing * DVec3::Z * length;
    let load = hook - swing * DVec3::Z * 1.5;
    vec![
        (DVec3::ZERO, DQuat::IDENTITY),
        (DVec3::ZERO, slew),
        (hook, swing),
        (load, swing * turn(DVec3::Z, 0.4 + 0.5 * libm::sin(phase))),
    ]
}
