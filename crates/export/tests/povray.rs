//! Images by the real povray and videos by the real ffmpeg, checked pixel by pixel.
//!
//! These tests fail where the programs are missing, and say what to install; set `WINDLASS_SKIP_POVRAY=1` to
//! leave them out.

use glam::{DQuat, DVec2, DVec3, dvec3};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use windlass_engine::body::shape::Shape;
use windlass_engine::math::turn;
use windlass_export::film::{Film, Pairing, Quality};
use windlass_export::{
    Background, Camera, Figure, Ground, Instant, Light, Line, Mount, Pattern, Picture, Pose, Reel, Solid,
    Stereo,
};

const RED: [f64; 3] = [1.0, 0.0, 0.0];
const GREEN: [f64; 3] = [0.0, 1.0, 0.0];
const BLUE: [f64; 3] = [0.0, 0.0, 1.0];
const HOME: Pose = (DVec3::ZERO, DQuat::IDENTITY);

/// Whether to go on; says what to install if a program is missing.
pub fn programs() -> bool {
    if std::env::var_os("WINDLASS_SKIP_POVRAY").is_some_and(|value| value == "1") {
        return false;
    }
    for (program, argument) in [("povray", "--version"), ("ffmpeg", "-version"), ("ffprobe", "-version")] {
        let found = Command::new(program).arg(argument).output().is_ok();
        assert!(found, "{program} is missing: apt install povray ffmpeg, or set WINDLASS_SKIP_POVRAY=1");
    }
    true
}

struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<[f64; 3]>,
}

fn read(path: &Path) -> Pixels {
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let rgb =
        bytes.chunks(info.color_type.samples()).map(|p| [p[0], p[1], p[2]].map(|c| f64::from(c) / 255.0));
    Pixels { width: info.width as usize, height: info.height as usize, rgb: rgb.collect() }
}

impl Pixels {
    /// Pixels in which one channel outshines the others: their middle, leftmost and rightmost, uppermost and
    /// lowest, counted from the upper left corner of the image to middles of pixels.
    fn spot(&self, channel: usize) -> (DVec2, DVec2, DVec2) {
        let lit = |c: &[f64; 3]| (0..3).all(|i| i == channel || c[channel] > 1.6 * c[i] + 0.08);
        let place = |i: usize| DVec2::new((i % self.width) as f64 + 0.5, (i / self.width) as f64 + 0.5);
        let spots: Vec<DVec2> = (0..self.rgb.len()).filter(|&i| lit(&self.rgb[i])).map(place).collect();
        assert!(!spots.is_empty(), "channel {channel} is nowhere");
        let low = spots.iter().fold(spots[0], |a, b| a.min(*b));
        let high = spots.iter().fold(spots[0], |a, b| a.max(*b));
        (spots.iter().sum::<DVec2>() / spots.len() as f64, low, high)
    }

    fn at(&self, x: usize, y: usize) -> [f64; 3] {
        self.rgb[y * self.width + x]
    }
}

fn solid(shape: Shape, at: DVec3, color: [f64; 3]) -> Solid {
    Solid { shape, at, color: Some(color), roughness: Some(1.0), metalness: Some(0.0), ..Solid::default() }
}

fn figure(name: &str, solids: Vec<Solid>) -> Figure {
    Figure { name: name.into(), solids }
}

/// Balls on the three axes, the one on y twice as far, against black.
fn axes() -> Picture {
    let ball = |at: DVec3, color| solid(Shape::Sphere { radius: 0.3 }, at, color);
    let solids = vec![ball(DVec3::X, RED), ball(DVec3::Y * 2.0, GREEN), ball(DVec3::Z, BLUE)];
    let position = dvec3(7.0, -5.0, 4.0);
    Picture {
        bodies: vec![figure("axes", solids)],
        background: Background::Plain([0.0; 3]),
        camera: Camera { position, target: dvec3(0.3, 0.2, 0.1), angle: 0.6, ..Camera::default() },
        ..Picture::default()
    }
}

fn draw(picture: &Picture, poses: &[Pose], size: [u32; 2]) -> Pixels {
    let folder = tempfile::tempdir().unwrap();
    let film = Film { size, quality: Quality::Draft, ..Film::new(picture, folder.path().join("work")) };
    let output = folder.path().join("out.png");
    film.still(&Instant { time: 0.0, poses, ties: &[], reliefs: &[] }, &output).unwrap();
    read(&output)
}

/// The camera equation, written once more from a camera in world axes: pixels from the upper left corner.
fn pixel(camera: &Camera, point: DVec3, size: [u32; 2]) -> DVec2 {
    let forward = (camera.target - camera.position).normalize();
    let right = forward.cross(camera.up).normalize();
    let up = right.cross(forward);
    let d = point - camera.position;
    let focal = 0.5 * f64::from(size[1]) / libm::tan(camera.angle / 2.0);
    let middle = DVec2::new(f64::from(size[0]), f64::from(size[1])) / 2.0;
    middle + DVec2::new(d.dot(right), -d.dot(up)) * (focal / d.dot(forward))
}

#[test]
fn balls_on_the_axes_are_where_the_camera_equation_says() {
    if !programs() {
        return;
    }
    let (picture, size) = (axes(), [160, 120]);
    let image = draw(&picture, &[HOME], size);
    let places = [DVec3::X, DVec3::Y * 2.0, DVec3::Z];
    for (channel, place) in places.into_iter().enumerate() {
        let (middle, low, high) = image.spot(channel);
        let expected = pixel(&picture.camera, place, size);
        assert!((middle - expected).length() < 1.5, "{channel}: {middle} against {expected}");
        // and of the right size: radius times focal length over depth
        let depth = (place - picture.camera.position).length();
        let width = 2.0 * 0.3 * 60.0 / libm::tan(0.3) / depth;
        assert!((high.x - low.x + 1.0 - width).abs() < 2.0, "{} against {width}", high.x - low.x + 1.0);
    }
    // seen from there x and y both point to the right: in a mirrored world they would point to the left
    let [x, y, z] = [0, 1, 2].map(|channel| image.spot(channel).0);
    assert!(z.x < x.x && x.x < y.x && z.y < y.y && y.y < x.y, "{x} {y} {z}");
}

#[test]
fn a_turned_body_appears_turned_the_right_way() {
    if !programs() {
        return;
    }
    let (picture, size) = (axes(), [160, 120]);
    let pose = (dvec3(0.4, -0.3, 0.2), turn(dvec3(0.6, 0.0, 0.8), 0.5));
    let image = draw(&picture, &[pose], size);
    for (channel, place) in [DVec3::X, DVec3::Y * 2.0, DVec3::Z].into_iter().enumerate() {
        let expected = pixel(&picture.camera, pose.0 + pose.1 * place, size);
        let middle = image.spot(channel).0;
        assert!((middle - expected).length() < 1.5, "{channel}: {middle} against {expected}");
    }
}

#[test]
fn a_mounted_camera_sees_its_own_body_at_rest_and_a_following_one_does_not() {
    if !programs() {
        return;
    }
    let size = [160, 120];
    let pose = (dvec3(30.0, -3.0, 2.0), turn(DVec3::Z, 1.2));
    let mut picture = axes();
    let still = draw(&picture, &[HOME], size).spot(0).0;
    picture.camera.mount = Mount::On(0);
    let on = draw(&picture, &[pose], size).spot(0).0;
    assert!((on - still).length() < 0.5, "{on} against {still}");
    picture.camera.mount = Mount::Follow(0);
    let follow = draw(&picture, &[pose], size).spot(0).0;
    let expected = pixel(&picture.camera, pose.1 * DVec3::X, size);
    assert!((follow - expected).length() < 1.5, "{follow} against {expected}");
}

/// Every shape side by side: each must cover its own part of the image.
#[test]
fn every_shape_is_drawn_where_it_is() {
    if !programs() {
        return;
    }
    let half = 0.4;
    let corners: Vec<DVec3> = (0..8)
        .map(|i| dvec3(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 * half - half)
        .collect();
    let (vertices, triangles) = windlass_engine::body::hull::hull(&corners).unwrap();
    let shapes = [
        Shape::Box { half: DVec3::splat(half) },
        Shape::Sphere { radius: half },
        Shape::Cylinder { radius: half, half_length: half },
        Shape::Capsule { radius: 0.2, half_length: 0.2 },
        Shape::Cone { radius: half, half_height: half },
        Shape::Convex { points: corners },
        Shape::Mesh { vertices, triangles },
        Shape::Compound {
            parts: vec![
                (DVec3::X * 0.2, turn(DVec3::Y, 1.0), Shape::Sphere { radius: 0.2 }),
                (-DVec3::X * 0.2, DQuat::IDENTITY, Shape::Box { half: DVec3::splat(0.2) }),
            ],
        },
    ];
    // silhouettes seen from far along y, by the area of their outlines
    let areas = [0.64, 0.5027, 0.64, 0.16 + 0.1257, 0.32, 0.64, 0.64, 0.1257 + 0.16];
    for (index, (shape, area)) in shapes.into_iter().zip(areas).enumerate() {
        let picture = Picture {
            bodies: vec![figure("it", vec![solid(shape, DVec3::ZERO, RED)])],
            background: Background::Plain([0.0; 3]),
            camera: Camera {
                position: dvec3(0.0, -100.0, 0.0),
                target: DVec3::ZERO,
                angle: 2.0 * libm::atan(0.6 / 100.0),
                ..Camera::default()
            },
            ..Picture::default()
        };
        let image = draw(&picture, &[HOME], [120, 120]);
        let lit = image.rgb.iter().filter(|c| c[0] > 0.1).count() as f64;
        let found = lit * 1.2 * 1.2 / 120.0 / 120.0;
        assert!((found - area).abs() < 0.03, "shape {index}: {found} m² against {area} m²");
    }
}

#[test]
fn lines_ground_light_and_every_material_are_drawn() {
    if !programs() {
        return;
    }
    let names = "stainless;cast iron;steel;rubber;oak;concrete;glass;water;ice;oil;unknown stuff;copper";
    let ball = |(i, name): (usize, &str)| Solid {
        material: name.into(),
        at: dvec3(i as f64 - 5.5, 0.0, 0.5),
        shape: Shape::Sphere { radius: 0.45 },
        ..Solid::default()
    };
    let solids = names.split(';').enumerate().map(ball).collect();
    let points = vec![(0, dvec3(-5.0, 0.0, 2.0)), (0, dvec3(0.0, 0.0, 2.0)), (0, dvec3(5.0, 0.0, 2.0))];
    let picture = Picture {
        bodies: vec![figure("balls", solids)],
        lines: vec![Line { points, radius: 0.2, color: RED }],
        ground: Some(Ground { height: 0.0, pattern: Pattern::Plain { color: GREEN } }),
        lights: vec![
            Light::default(),
            Light { softness: 0.0, power: 0.2, from: DVec3::Z, ..Light::default() },
        ],
        camera: Camera {
            position: dvec3(0.0, -20.0, 1.5),
            target: dvec3(0.0, 0.0, 1.5),
            angle: 0.5,
            ..Camera::default()
        },
        ..Picture::default()
    };
    let size = [320, 120];
    let image = draw(&picture, &[HOME], size);
    // the red line is as long as from one end to the other
    let (_, low, high) = image.spot(0);
    let ends = [-5.2, 5.2].map(|x| pixel(&picture.camera, dvec3(x, 0.0, 2.0), size).x);
    assert!((low.x - ends[0]).abs() < 2.0 && (high.x - ends[1]).abs() < 2.0, "{low} {high} {ends:?}");
    let ground = image.at(5, 115);
    assert!(ground[1] > 0.3 && ground[1] > 2.0 * ground[0], "{ground:?}");
    let sky = image.at(5, 3);
    assert!(sky[2] > sky[0] && sky[0] > 0.3, "{sky:?}");
    // rubber is dark, stainless steel is not
    let face = |x: f64| {
        let p = pixel(&picture.camera, dvec3(x, 0.0, 0.6), size);
        image.at(p.x as usize, p.y as usize).iter().sum::<f64>()
    };
    assert!(face(-2.5) < 0.6 * face(-5.5), "{} {}", face(-2.5), face(-5.5));
}

/// Two balls, one before and one behind the convergence: their disparity is e (1/z − 1/c) × focal length.
#[test]
fn the_eyes_see_the_disparity_of_the_formula() {
    if !programs() {
        return;
    }
    let (near, far, convergence, eyes) = (4.0, 16.0, 8.0, 0.6);
    let ball = |y: f64, x: f64, color| solid(Shape::Sphere { radius: 0.05 * y }, dvec3(x, y, 0.0), color);
    let picture = Picture {
        bodies: vec![figure(
            "balls",
            vec![ball(near, -0.6, RED), ball(far, 4.0, GREEN), ball(convergence, 0.0, BLUE)],
        )],
        background: Background::Plain([0.0; 3]),
        camera: Camera {
            position: DVec3::ZERO,
            target: DVec3::Y,
            angle: 0.8,
            stereo: Some(Stereo { eyes, convergence }),
            ..Camera::default()
        },
        ..Picture::default()
    };
    let size = [160, 120];
    let folder = tempfile::tempdir().unwrap();
    let film = Film { size, quality: Quality::Draft, ..Film::new(&picture, folder.path().join("work")) };
    let instant = Instant { time: 0.0, poses: &[HOME], ties: &[], reliefs: &[] };
    let output = folder.path().join("pair.png");
    film.still(&instant, &output).unwrap();
    let [left, right] =
        ["left", "right"].map(|eye| read(&folder.path().join(format!("work/frame_000000_{eye}.png"))));
    let focal = 60.0 / libm::tan(0.4);
    for (channel, depth) in [near, far, convergence].into_iter().enumerate() {
        let [l, r] = [&left, &right].map(|image| image.spot(channel).0);
        let expected = eyes * (1.0 / depth - 1.0 / convergence) * focal;
        assert!((l.x - r.x - expected).abs() < 1.0, "{channel}: {} against {expected}", l.x - r.x);
        assert!((l.y - r.y).abs() < 0.5);
    }
    // the pair has the left image on the left
    let pair = read(&output);
    assert_eq!((pair.width, pair.height), (320, 120));
    assert!(
        (0..120).all(
            |y| (0..160).all(|x| pair.at(x, y) == left.at(x, y) && pair.at(x + 160, y) == right.at(x, y))
        )
    );
    // the other pairing reuses both images
    let drawn = fs::metadata(folder.path().join("work/frame_000000_left.png")).unwrap().modified().unwrap();
    Film { pairing: Pairing::RedCyan, ..film }.still(&instant, &output).unwrap();
    assert_eq!(
        fs::metadata(folder.path().join("work/frame_000000_left.png")).unwrap().modified().unwrap(),
        drawn
    );
    let glasses = read(&output);
    let [l, r] = [left.spot(1).0, right.spot(1).0].map(|p| (p.x as usize, p.y as usize));
    // green of the right eye shows in cyan where the right eye sees it, and the left one in red
    assert!(glasses.at(r.0, r.1)[1] > 0.3 && glasses.at(l.0, l.1)[0] > 0.2);
    assert_eq!(glasses.at(r.0, r.1)[1], right.at(r.0, r.1)[1]);
}

#[test]
fn a_film_is_made_kept_and_made_again_when_the_picture_changes() {
    if !programs() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("a film.mp4");
    let mut picture = axes();
    let frames = (0..5).map(|i| vec![(DVec3::X * 0.1 * f64::from(i), DQuat::IDENTITY)]).collect();
    let mut reel = Reel { rate: 10.0, start: 0.0, frames, ties: vec![], reliefs: vec![] };
    let make = |picture: &Picture, reel: &mut Reel| {
        let film = Film {
            size: [160, 120],
            quality: Quality::Draft,
            output: Some(output.clone()),
            ..Film::new(picture, folder.path().join("work"))
        };
        film.make(reel, &mut |_| ControlFlow::Continue(())).unwrap()
    };
    let first = make(&picture, &mut reel);
    assert_eq!((first.done, first.kept, first.total), (5, 0, 5));
    let probe = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v", "-of", "csv=p=0", "-show_entries"])
        .arg("stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames")
        .arg(&output)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&probe.stdout).trim(), "h264,160,120,yuv420p,10/1,5");
    // the index stands before the images, so that the video starts while it loads
    let bytes = fs::read(&output).unwrap();
    let place = |tag: &[u8]| bytes.windows(4).position(|w| w == tag).unwrap();
    assert!(place(b"moov") < place(b"mdat"));

    // a lost frame is drawn again, the others stay
    fs::remove_file(folder.path().join("work/frame_000002.png")).unwrap();
    let cut = folder.path().join("work/frame_000003.png");
    let (whole, drawn) = (fs::read(&cut).unwrap(), read(&cut).rgb);
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let second = make(&picture, &mut reel);
    assert_eq!((second.done, second.kept), (5, 3));
    assert!(read(&cut).rgb == drawn);
    // one moved pose is one new frame
    reel.frames[4][0].0 = DVec3::Z;
    assert_eq!(make(&picture, &mut reel).kept, 4);
    // another colour is another film
    picture.bodies[0].solids[0].color = Some(BLUE);
    assert_eq!(make(&picture, &mut reel).kept, 0);
}
