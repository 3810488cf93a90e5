//! Exports of a picture without water are those of before water was drawn, byte for byte.

use glam::{DQuat, DVec3, dvec3};
use windlass_engine::body::shape::Shape;
use windlass_engine::math::turn;
use windlass_export::gltf::{Options, glb};
use windlass_export::svg::{Sheet, svg};
use windlass_export::{Figure, Ground, Instant, Line, Pattern, Picture, Pose, Reel, Solid, pov, usda};

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

fn picture(pattern: Pattern) -> Picture {
    let solid = |material: &str, shape| Solid { shape, material: material.into(), ..Solid::default() };
    let figure = |name: &str, solids| Figure { name: name.into(), solids };
    let points = vec![(0, DVec3::Z * 2.0), (1, DVec3::X * 0.5)];
    Picture {
        bodies: vec![
            figure("mast", vec![solid("steel", Shape::Box { half: dvec3(0.1, 0.2, 2.0) })]),
            figure("drop", vec![solid("water", Shape::Sphere { radius: 0.5 })]),
        ],
        lines: vec![Line { points, radius: 0.02, color: [0.1, 0.1, 0.1] }],
        ground: Some(Ground { height: -2.0, pattern }),
        ..Picture::default()
    }
}

fn reel() -> Reel {
    let pose = |i: i32| -> Vec<Pose> {
        let t = f64::from(i) / 8.0;
        vec![(DVec3::ZERO, DQuat::IDENTITY), (dvec3(1.0, t, -t), turn(DVec3::Z, t))]
    };
    Reel { rate: 8.0, start: 1.0, frames: (0..4).map(pose).collect(), ties: vec![], reliefs: vec![] }
}

#[test]
fn pictures_without_water_are_unchanged() {
    let (mut reel, Pattern::Checker { colors, side }) = (reel(), Ground::default().pattern) else { panic!() };
    let checker = picture(Pattern::Checker { colors, side });
    // without the image of the squares, whose bytes depend on the encoder
    let plain = picture(Pattern::Plain { color: colors[0] });
    let still = Instant { time: 1.0, poses: &reel.frames[1].clone(), ties: &[], reliefs: &[] };
    let found = [
        hash(pov::whole(&checker, &mut reel).unwrap().as_bytes()),
        hash(usda::usda(&checker, &mut reel).unwrap().as_bytes()),
        hash(svg(&checker, &still, &Sheet::default()).unwrap().as_bytes()),
        hash(&glb(&plain, &mut reel, &Options::default()).unwrap()),
    ];
    let before = [0xa013_6277_3ad9_6244, 0x7ff0_112e_8bcd_0c18, 0x90cb_5c6a_0291_6632, 0x5d3e_ea95_57c8_3827];
    assert_eq!(found, before, "{found:#x?}");
}
