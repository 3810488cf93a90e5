//! Ground of soil and lumps in all formats.

use glam::{DQuat, DVec3, dvec3};
use serde_json::Value;
use std::sync::Arc;
use windlass_engine::body::shape::Shape;
use windlass_export::gltf::{Options, glb};
use windlass_export::svg::{Sheet, svg};
use windlass_export::{
    Figure, Instant, Instants, Lump, Patch, Picture, Pose, Reel, Relief, Solid, Terrain, pov, usda,
};

/// Two patches along x, of 32 cells and of 8, of half a metre.
fn terrain() -> Terrain {
    let line = |n: usize| (0..n).map(|i| 0.5 * i as f64).collect::<Vec<_>>();
    let colors = vec![[0.76, 0.66, 0.47], [0.68, 0.6, 0.42], [0.4, 0.4, 0.4], [0.5, 0.42, 0.3]];
    Terrain { name: "site".into(), lines: [line(41), line(11)], bottom: -1.5, colors }
}

/// At frame f the second patch has a pit of depth f/10; the first does not change. A lump moves and one appears.
fn relief(f: usize) -> Relief {
    let flat = Patch { heights: vec![0.0; 33 * 11], tints: vec![0; 33 * 11] };
    let pit =
        |k: usize| if (3..6).contains(&(k % 9)) && (3..8).contains(&(k / 9)) { -0.1 * f as f32 } else { 0.0 };
    let tint = |k: usize| u8::from(pit(k) != 0.0);
    let dug = Patch { heights: (0..99).map(pit).collect(), tints: (0..99).map(tint).collect() };
    let lump = |id: u64, x: f64| Lump { id, at: dvec3(x, 2.0, 0.3), radius: 0.2, tint: 1 };
    let mut lumps = vec![lump(7, 5.0 + 0.1 * f as f64)];
    lumps.extend((f >= 2).then(|| lump(9, 8.0)));
    Relief { patches: vec![Arc::new(flat), Arc::new(dug)], lumps }
}

fn picture() -> Picture {
    let solid = Solid { shape: Shape::Box { half: dvec3(1.0, 1.0, 0.5) }, ..Solid::default() };
    Picture {
        bodies: vec![Figure { name: "blade".into(), solids: vec![solid] }],
        terrains: vec![terrain()],
        ..Picture::default()
    }
}

fn reel() -> Reel {
    let pose: Vec<Pose> = vec![(dvec3(4.0, 2.0, 1.0), DQuat::IDENTITY)];
    let reliefs = (0..4).map(|f| vec![relief(f)]).collect();
    Reel { rate: 10.0, start: 0.0, frames: vec![pose; 4], ties: vec![], reliefs }
}

fn json(file: &[u8]) -> Value {
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&file[20..20 + length]).unwrap()
}

#[test]
fn gltf_has_targets_for_what_is_dug_and_nodes_for_lumps() {
    let json = json(&glb(&picture(), &mut reel(), &Options::default()).unwrap());
    let node = |name: &str| {
        let nodes = json["nodes"].as_array().unwrap();
        nodes.iter().position(|node| node["name"] == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let mesh = |name: &str| &json["meshes"][json["nodes"][node(name)]["mesh"].as_u64().unwrap() as usize];
    // the second patch changes at each of three frames; the first is part of the rest, two triangles
    let targets = mesh("site 1")["primitives"][0]["targets"].as_array().unwrap();
    assert_eq!((targets.len(), mesh("site 1")["weights"].as_array().unwrap().len()), (3, 3));
    let accessor = |number: &Value| &json["accessors"][number.as_u64().unwrap() as usize];
    assert_eq!(accessor(&targets[2]["POSITION"])["min"][2].as_f64().unwrap() as f32, -0.3);
    assert_eq!(accessor(&targets[0]["POSITION"])["count"], 99);
    let rest = &mesh("site")["primitives"][0];
    assert!(rest["targets"].is_null());
    // two triangles of the level patch, and 4 level sides
    assert_eq!(accessor(&rest["indices"])["count"], 3 * (2 + 4 * 2));
    assert_eq!(accessor(&rest["attributes"]["COLOR_0"])["type"], "VEC3");
    let lumps = json["nodes"].as_array().unwrap().iter().filter(|node| node["name"] == "site lump").count();
    assert_eq!(lumps, 2);
    let channels = json["animations"][0]["channels"].as_array().unwrap();
    let paths: Vec<&str> = channels.iter().map(|c| c["target"]["path"].as_str().unwrap()).collect();
    assert_eq!(paths.iter().filter(|path| **path == "weights").count(), 1);
    // the second lump appears: its size has keys, the first one's has none
    assert_eq!(paths.iter().filter(|path| **path == "scale").count(), 1);
}

/// The file grows with what is dug, not with the ground or the number of frames.
#[test]
fn what_does_not_change_is_stored_once() {
    let size = |frames: usize, dug: bool| {
        let reliefs =
            (0..frames).map(|f| vec![Relief { lumps: vec![], ..relief(if dug { f.min(3) } else { 0 }) }]);
        let frames = vec![vec![(DVec3::ZERO, DQuat::IDENTITY)]; frames];
        let mut reel = Reel { frames, reliefs: reliefs.collect(), ..reel() };
        let (glb, usda) =
            (glb(&picture(), &mut reel, &Options::default()), usda::usda(&picture(), &mut reel));
        [glb.unwrap().len(), usda.unwrap().len()]
    };
    let (short, long) = (size(2, false), size(200, false));
    assert!(long[0] <= short[0] + 2000 && long[1] <= short[1] + 2000, "{short:?} {long:?}");
    let (short, long) = (size(5, true), size(200, true));
    assert!(long[0] <= short[0] + 2000 && long[1] <= short[1] + 2000, "{short:?} {long:?}");
}

#[test]
fn usd_has_samples_for_patches_that_change_and_instances() {
    let text = usda::usda(&picture(), &mut reel()).unwrap();
    assert_eq!(text.matches('{').count(), text.matches('}').count());
    let patch = text.split("def Mesh \"Patch_1\"").nth(1).unwrap();
    assert!(patch.contains("point3f[] points.timeSamples = { 0: [(16, 0, 0)"), "{}", &patch[..400]);
    assert!(text.contains("def PointInstancer \"Lumps\"") && !text.contains("Patch_0"));
    assert!(text.contains("int64[] ids.timeSamples = { 0: [7], 1: [7], 2: [7, 9], 3: [7, 9] }"));
    assert_eq!(text.matches("def Mesh \"Lump_").count(), 8);
}

#[test]
fn pov_and_svg_draw_the_frame() {
    let (picture, mut reel) = (picture(), reel());
    let scene = pov::scene(&picture).unwrap();
    assert_eq!(scene.matches("#declare Soil_0_").count(), 4);
    assert_eq!(scene.matches("#declare Lump_").count(), 8);
    let frame = |f: usize, reel: &mut Reel| pov::frame(&picture, &reel.at(f).unwrap()).unwrap();
    assert_eq!(frame(0, &mut reel).matches("object { Lump_").count(), 1);
    let dug = frame(3, &mut reel);
    assert_eq!(dug.matches("object { Lump_").count(), 2);
    assert!(dug.contains(",-0.3>") && dug.matches("mesh2").count() == 2);
    let draw = |instant: &Instant| svg(&picture, instant, &Sheet::default()).unwrap();
    let (level, pit) = (draw(&reel.at(0).unwrap()), draw(&reel.at(3).unwrap()));
    assert_ne!(level, pit);
    assert!(level.contains("<path") && pit.contains("<path"));
}

#[test]
fn instants_that_do_not_fit_are_refused() {
    let (picture, mut reel) = (picture(), reel());
    reel.reliefs[2].clear();
    let told = usda::usda(&picture, &mut reel).unwrap_err().to_string();
    assert!(told.contains("0 reliefs for 1 terrains"), "{told}");
    reel.reliefs[2] = vec![Relief { patches: relief(0).patches[..1].to_vec(), lumps: vec![] }];
    let told = usda::usda(&picture, &mut reel).unwrap_err().to_string();
    assert!(told.contains("terrains[0]: 1 patches for 2 × 1"), "{told}");
}
