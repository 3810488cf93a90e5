//! A picture → text for POV-Ray 3.7: an include file with everything constant, and a small file per frame.
//!
//! `scene.inc` declares each body once, in its own axes, as `Body_0`, `Body_1` …; a frame file includes it,
//! places the bodies and sets the camera. Poses are matrices and the camera is given by its
//! three vectors, so nothing depends on the handedness of POV-Ray's own axes: all coordinates are those of
//! the scene, right-handed with z up, and images come out the right way round.
//!
//! The frame file works for all eyes and image sizes: `Declare=Eye=-1` on povray's command line looks from
//! the left eye, `1` from the right, and without it the camera itself looks. [`crate::View`] has the maths.

mod terrain;
mod water;

use crate::instant::{Instant, Instants, Pose};
use crate::material::{Grain, Look, Looks};
use crate::name::{comment, list, number, triple};
use crate::picture::{self, Background, Ground, Light, Line, Pattern, Picture, Solid};
use crate::surface::Surface;
use crate::view::View;
use crate::{CableTube, Error, Stereo};
use glam::{DMat3, DVec3};
use std::fmt::Write as _;
use windlass_engine::body::shape::Shape;

/// Name of the file that frames include.
pub const SCENE: &str = "scene.inc";
/// Smallest diameter of ropes and cables, as a part of the height of the image: a pixel of 600.
const THINNEST: f64 = 1.0 / 600.0;
/// Largest number of frames of one text.
const MOST: usize = 20_000;

/// The text of the include file.
///
/// # Errors
/// If the picture cannot be drawn.
pub fn scene(picture: &Picture) -> Result<String, Error> {
    picture.check()?;
    let mut looks = Looks::default();
    let mut bodies = String::new();
    for (index, body) in picture.bodies.iter().enumerate().filter(|(_, body)| !body.solids.is_empty()) {
        let _ = writeln!(bodies, "\n// {}\n#declare Body_{index} = union {{", comment(&body.name));
        for solid in &body.solids {
            bodies.push_str(&solid_text(solid, looks.number(solid.look())));
        }
        bodies.push_str("}\n");
    }
    let lines: Vec<usize> =
        picture.lines.iter().map(|line| looks.number(Look::painted(line.color))).collect();
    let cords: Vec<Vec<usize>> = (picture.tubes.iter())
        .map(|cord| {
            let colors = std::iter::once(cord.color).chain(cord.stripe);
            colors.map(|color| looks.number(Look::painted(color))).collect()
        })
        .collect();

    let mut text = String::from(
        "// Made by Windlass. Lengths are in metres; the axes are right-handed, with z up.\n\
         #version 3.7;\n\
         global_settings { assumed_gamma 1.0 max_trace_level 12 }\n",
    );
    // distances of lights and haze go by the size of what is looked at
    let reach = (picture.camera.target - picture.camera.position).length();
    text.push_str(&background(picture, reach));
    for light in &picture.lights {
        text.push_str(&light_text(light, reach));
    }
    text.push_str(&fill(picture, reach));
    if let Some(ground) = &picture.ground {
        text.push_str(&ground_text(ground));
    }
    for (index, liquid) in picture.waters.iter().enumerate() {
        text.push_str(&water::declared(index, liquid, reach));
    }
    text.push_str("\n// how materials look, for a solid one unit thick\n");
    for (index, look) in looks.list.iter().enumerate() {
        let _ = writeln!(text, "#declare Look_{index} = {}", material(look));
    }
    for (index, look) in lines.iter().enumerate() {
        let _ = writeln!(text, "#declare Line_{index} = material {{ Look_{look} }}");
    }
    for (index, looks) in cords.iter().enumerate() {
        for (part, look) in looks.iter().enumerate() {
            let _ = writeln!(text, "#declare Cord_{index}_{part} = material {{ Look_{look} }}");
        }
    }
    for (index, terrain) in picture.terrains.iter().enumerate() {
        text.push_str(&terrain::declared(index, terrain));
    }
    text.push_str(&bodies);
    Ok(text)
}

/// The text of a frame, which includes [`SCENE`].
///
/// # Errors
/// If the picture or the instant cannot be drawn.
pub fn frame(picture: &Picture, instant: &Instant) -> Result<String, Error> {
    let placed = placed(picture, instant)?;
    Ok(format!("// t = {} s\n#include \"{SCENE}\"\n\n{placed}", number(instant.time)))
}

/// One text with everything in it: `povray FILE` draws its first frame, `povray FILE +KFF99` frames 0 to 99.
///
/// # Errors
/// If the picture or an instant cannot be drawn.
pub fn whole(picture: &Picture, instants: &mut dyn Instants) -> Result<String, Error> {
    picture::check_instants(instants, MOST)?;
    let mut text = scene(picture)?;
    text.push_str("\n#switch (frame_number)\n");
    for frame in 0..instants.count() {
        let instant = picture::instant(picture, instants, frame)?;
        let placed = placed(picture, &instant)?;
        let _ = writeln!(text, "#case ({frame}) // t = {} s\n{placed}#break", number(instant.time));
    }
    text.push_str("#end\n");
    Ok(text)
}

/// The bodies in their places, and the camera.
fn placed(picture: &Picture, instant: &Instant) -> Result<String, Error> {
    picture.check_instant(instant)?;
    let mut text = String::new();
    for (index, (body, pose)) in picture.bodies.iter().zip(instant.poses).enumerate() {
        if !body.solids.is_empty() {
            let _ = writeln!(text, "object {{ Body_{index} {} }} // {}", matrix(*pose), comment(&body.name));
        }
    }
    let view = picture.camera.view(instant.poses);
    // what is thinner than a pixel would be drawn as dashes
    let least = |point: DVec3| THINNEST * view.tangent * view.forward.dot(point - view.eye).max(0.0);
    for (index, line) in picture.lines.iter().enumerate() {
        text.push_str(&line_text(index, line, &line.places(instant.poses).collect::<Vec<_>>(), least));
    }
    for (index, cord) in picture.tubes.iter().enumerate() {
        let _ = writeln!(text, "// {}", comment(&cord.name));
        let nearest =
            cord.elements.iter().map(|body| least(instant.poses[*body].0)).fold(f64::INFINITY, f64::min);
        let wide = CableTube {
            radius: cord.radius.max(if nearest.is_finite() { nearest } else { 0.0 }),
            ..cord.clone()
        };
        for (part, (_, surface)) in wide.surfaces(index, instant).iter().enumerate() {
            text.push_str(&mesh(surface, &format!("material {{ Cord_{index}_{part} }}")));
            text.push('\n');
        }
    }
    let reach = (picture.camera.target - picture.camera.position).length();
    for (index, liquid) in picture.waters.iter().enumerate() {
        text.push_str(&water::placed(index, liquid, (instant.time, &view, reach)));
    }
    for (index, (ground, relief)) in picture.terrains.iter().zip(instant.reliefs).enumerate() {
        text.push_str(&terrain::placed(index, ground, relief));
    }
    text.push_str(&camera(&view, picture.camera.stereo));
    Ok(text)
}

/// A pose as POV-Ray's rows: the images of the axes, then the origin.
fn matrix((at, orientation): Pose) -> String {
    let axes = DMat3::from_quat(orientation);
    let entries = [axes.x_axis, axes.y_axis, axes.z_axis, at].map(triple);
    format!("matrix <{}>", entries.join(", "))
}

/// A ray through the image goes along direction + x right + y up, x and y from −1/2 to 1/2.
fn camera(view: &View, stereo: Option<Stereo>) -> String {
    let Stereo { eyes, convergence } = stereo.unwrap_or(Stereo { eyes: 0.0, convergence: 1.0 });
    format!(
        "\n#ifndef (Eye) #declare Eye = 0; #end // -1 left, 0 middle, 1 right\n\
         #declare Right = <{right}>;\n\
         #declare Eyes = {eyes};\n\
         #declare Convergence = {convergence};\n\
         camera {{\n\
         \x20 perspective\n\
         \x20 location <{eye}> + Eye*Eyes/2*Right\n\
         \x20 direction <{forward}> - Eye*Eyes/(2*Convergence)*Right\n\
         \x20 right {width}*image_width/image_height*Right\n\
         \x20 up {width}*<{up}>\n\
         }}\n",
        right = triple(view.right),
        eyes = number(eyes),
        convergence = number(convergence),
        eye = triple(view.eye),
        forward = triple(view.forward),
        width = number(2.0 * view.tangent),
        up = triple(view.up),
    )
}

/// A solid in its body's axes with its material.
fn solid_text(solid: &Solid, look: usize) -> String {
    let (size, longest) = extent(&solid.shape);
    // the grain runs along z: rotate it to the longest side
    let along = ["rotate y*90 ", "rotate x*90 ", ""][longest];
    let look = format!("material {{ Look_{look} scale {} {along}}}", number(size));
    let place = matrix((solid.at, solid.orientation));
    format!("  {}\n", shape_text(&solid.shape, &format!("{look} {place}")))
}

/// Thickness of a shape [m] and the axis along which it is longest.
fn extent(shape: &Shape) -> (f64, usize) {
    let Ok(surface) = Surface::of(shape, 8) else { return (1.0, 2) };
    let first = surface.positions.first().copied().unwrap_or(DVec3::ZERO);
    let (low, high) = surface.positions.iter().fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
    let size = high - low;
    let longest = if size.z >= size.x.max(size.y) { 2 } else { usize::from(size.y > size.x) };
    (size.min_element().max(1e-6), longest)
}

/// A shape with modifiers behind it.
fn shape_text(shape: &Shape, modifiers: &str) -> String {
    let up = |z: f64| format!("<0, 0, {}>", number(z));
    match shape {
        Shape::Sphere { radius } => format!("sphere {{ 0, {} {modifiers} }}", number(*radius)),
        Shape::Box { half } => format!("box {{ <{}>, <{}> {modifiers} }}", triple(-*half), triple(*half)),
        Shape::Cylinder { radius, half_length } => {
            let (low, high) = (up(-half_length), up(*half_length));
            format!("cylinder {{ {low}, {high}, {} {modifiers} }}", number(*radius))
        }
        Shape::Capsule { radius, half_length } => {
            let (low, high, r) = (up(-half_length), up(*half_length), number(*radius));
            format!(
                "merge {{ cylinder {{ {low}, {high}, {r} }} sphere {{ {low}, {r} }} \
                 sphere {{ {high}, {r} }} {modifiers} }}"
            )
        }
        Shape::Cone { radius, half_height } => {
            let (low, high) = (up(-half_height), up(*half_height));
            format!("cone {{ {low}, {}, {high}, 0 {modifiers} }}", number(*radius))
        }
        Shape::Convex { .. } | Shape::Mesh { .. } => match Surface::of(shape, 8) {
            Ok(surface) => mesh(&surface, modifiers),
            // ruled out by the check of the picture
            Err(_) => String::new(),
        },
        Shape::Compound { parts } => {
            let mut text = String::from("union {\n");
            for (at, orientation, part) in parts {
                let _ = writeln!(text, "    {}", shape_text(part, &matrix((*at, *orientation))));
            }
            text + "    " + modifiers + " }"
        }
    }
}

fn mesh(surface: &Surface, modifiers: &str) -> String {
    let vectors = |points: &[DVec3]| {
        let rows: Vec<String> = points.iter().map(|p| format!("<{}>", triple(*p))).collect();
        format!("{},\n    {}", points.len(), rows.join(", "))
    };
    let triangles: Vec<String> = surface.triangles().map(|[a, b, c]| format!("<{a}, {b}, {c}>")).collect();
    let (count, corners) = (triangles.len(), triangles.join(", "));
    format!(
        "mesh2 {{\n    vertex_vectors {{ {} }}\n    normal_vectors {{ {} }}\n    \
         face_indices {{ {count},\n    {corners} }}\n    inside_vector z {modifiers} }}",
        vectors(&surface.positions),
        vectors(&surface.normals),
    )
}

/// A line as cylinders, with balls where it bends; at each point at least as thick as given.
fn line_text(index: usize, line: &Line, points: &[DVec3], least: impl Fn(DVec3) -> f64) -> String {
    let radius = |point: DVec3| number(line.radius.max(least(point)));
    let mut text = String::from("union {\n");
    for pair in points.windows(2) {
        // POV-Ray refuses cylinders without length
        if (pair[1] - pair[0]).length() > 1e-9 {
            let [a, b] = [triple(pair[0]), triple(pair[1])];
            let thick = radius(0.5 * (pair[0] + pair[1]));
            let _ = writeln!(text, "  cylinder {{ <{a}>, <{b}>, {thick} }}");
        }
    }
    for point in points {
        let _ = writeln!(text, "  sphere {{ <{}>, {} }}", triple(*point), radius(*point));
    }
    let _ = writeln!(text, "  material {{ Line_{index} }}\n}}");
    text
}

fn color(color: [f64; 3]) -> String {
    format!("srgb <{}>", list(color))
}

/// The colour times a factor, within what a screen shows.
fn tinted(base: [f64; 3], factor: f64) -> String {
    color(base.map(|part| (part * factor).min(1.0)))
}

/// Sky or backdrop, and haze that takes the far ground into the horizon.
fn background(picture: &Picture, reach: f64) -> String {
    let (horizon, zenith) = match &picture.background {
        Background::Plain(color) => (color, color),
        Background::Sky { horizon, zenith } => (horizon, zenith),
    };
    let mut text = format!(
        "sky_sphere {{ pigment {{ gradient z color_map {{ [0 {low}] [0.04 {low}] [0.6 {high}] }} }} }}\n",
        low = color(*horizon),
        high = color(*zenith),
    );
    // the sea mirrors the horizon, and has a fog of its own below its surface
    if let Some(ground) = picture.ground.as_ref().filter(|_| picture.waters.is_empty()) {
        let _ = writeln!(
            text,
            "fog {{ fog_type 2 distance {} color {} fog_offset {} fog_alt {} up z }}",
            number(14.0 * reach),
            color(*horizon),
            number(ground.height),
            number(0.15 * reach),
        );
    }
    text
}

/// A light as a far square of small lights, so that shadows are soft.
fn light_text(light: &Light, reach: f64) -> String {
    let away = 200.0 * reach.max(0.1);
    let toward = light.from.normalize();
    let at = triple(toward * away);
    let rays = format!("light_source {{ <{at}> color {}*{}", color(light.color), number(1.15 * light.power));
    if light.softness < 1e-4 {
        return rays + " parallel point_at 0 }\n";
    }
    let (u, v) = windlass_engine::math::across(toward);
    let side = 2.0 * away * libm::tan(light.softness);
    format!(
        "{rays}\n  area_light <{}>, <{}>, 5, 5 adaptive 1 circular orient }}\n",
        triple(u * side),
        triple(v * side)
    )
}

/// Light from the sky and the ground, without shadows, so that shaded sides are not black.
fn fill(picture: &Picture, reach: f64) -> String {
    let away = 200.0 * reach.max(0.1);
    let sky = match &picture.background {
        Background::Plain(color) => *color,
        Background::Sky { zenith, horizon } => [0, 1, 2].map(|i| 0.5 * (zenith[i] + horizon[i])),
    };
    let sun = picture.lights.first().map_or(DVec3::Z, |light| light.from.normalize());
    let rows = [
        (DVec3::new(0.1, 0.05, 1.0), sky, 0.30),
        (DVec3::new(-sun.x, -sun.y, 0.35), sky, 0.22),
        (DVec3::new(0.0, 0.0, -1.0), [0.85, 0.80, 0.72], 0.12),
    ];
    let light = |(from, tint, power): (DVec3, [f64; 3], f64)| {
        let at = triple(from.normalize_or(DVec3::Z) * away);
        format!(
            "light_source {{ <{at}> color {}*{} shadowless parallel point_at 0 }}\n",
            color(tint),
            number(power)
        )
    };
    rows.map(light).concat()
}

fn ground_text(ground: &Ground) -> String {
    let pigment = match &ground.pattern {
        Pattern::Plain { color: base } => format!(
            "bozo color_map {{ [0 {}] [1 {}] }} turbulence 0.6 scale 3",
            tinted(*base, 0.95),
            tinted(*base, 1.04)
        ),
        Pattern::Checker { colors, side } => {
            // slabs that are stained a little, in parts of their side
            let [a, b] = colors.map(|base| {
                let (dark, light) = (tinted(base, 0.94), tinted(base, 1.05));
                format!("pigment {{ bozo turbulence 0.7 scale 0.35 color_map {{ [0 {dark}] [1 {light}] }} }}")
            });
            format!("checker {a} {b} scale {}", number(*side))
        }
    };
    format!(
        "plane {{ z, {} pigment {{ {pigment} }}\n  \
         finish {{ ambient 0.05 diffuse 0.75 specular 0.04 roughness 0.1 }} }}\n",
        number(ground.height)
    )
}

/// What a look is in POV-Ray, for a solid of thickness 1 whose longest side is z.
fn material(look: &Look) -> String {
    let base = look.color;
    let map = |stops: &[(f64, f64)]| {
        let stops = stops.iter().map(|(at, factor)| format!("[{at} {}]", tinted(base, *factor)));
        stops.collect::<Vec<_>>().join(" ")
    };
    let pigment = match look.grain {
        _ if look.clearness > 0.0 => {
            let (filter, transmit) = (0.7 * look.clearness, 0.3 * look.clearness);
            format!("color srgbft <{}, {}, {}>", list(base), number(filter), number(transmit))
        }
        Grain::Brushed => {
            let stops = map(&[(0.0, 0.93), (0.5, 1.0), (1.0, 1.05)]);
            format!("bozo color_map {{ {stops} }} scale <0.03, 0.03, 1.5>")
        }
        Grain::Wood => {
            let stops = map(&[(0.0, 1.08), (0.45, 1.0), (0.8, 0.82), (0.92, 0.66), (1.0, 1.02)]);
            format!(
                "wood turbulence 0.06 octaves 3 color_map {{ {stops} }} scale 0.22 rotate x*4 translate x*0.4"
            )
        }
        Grain::Speckled => {
            let stops = map(&[(0.0, 0.80), (0.4, 0.97), (0.7, 1.03), (1.0, 1.12)]);
            format!("granite turbulence 0.3 color_map {{ {stops} }} scale 0.6")
        }
        Grain::Plain | Grain::Wavy => format!("color {}", color(base)),
    };
    let normal = if look.grain == Grain::Wavy { " normal { bumps 0.12 scale 0.2 }" } else { "" };
    let interior = match look.clearness > 0.0 {
        true => format!(" interior {{ ior {} }}", number(look.refraction)),
        false => String::new(),
    };
    format!(
        "material {{ texture {{ pigment {{ {pigment} }}{normal} finish {{ {} }} }}{interior} }}",
        finish(look)
    )
}

/// Gloss and mirror image: rough surfaces have a wide, weak highlight and hardly mirror.
fn finish(look: &Look) -> String {
    let gloss = (1.0 - look.roughness) * (1.0 - look.roughness);
    let metal = look.metalness;
    let diffuse = 0.78 - 0.33 * metal * (1.0 - 0.5 * look.roughness) - 0.6 * look.clearness;
    let specular = 0.08 + 0.5 * gloss + 0.35 * metal * (1.0 - look.roughness);
    let roughness = (0.3 * look.roughness * look.roughness).max(0.0015);
    // head-on and grazing
    let mirror = (0.02 + 0.35 * metal) * gloss + 0.06 * metal;
    let grazing = mirror + (0.18 + 0.2 * metal) * gloss;
    let tint = if metal > 0.5 { " metallic" } else { "" };
    format!(
        "ambient 0.06 diffuse {:.3} specular {:.3} roughness {:.4}{tint} \
         reflection {{ {:.3}, {:.3} falloff 3{tint} }}",
        diffuse.max(0.05),
        specular,
        roughness,
        mirror,
        grazing,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Camera, Figure};
    use glam::DQuat;

    const HOME: Pose = (DVec3::ZERO, DQuat::IDENTITY);

    #[test]
    fn hostile_names_stay_in_their_comments() {
        let name = "x\n} #declare Eye = 5; /* \"".to_string();
        let body = Figure { name, solids: vec![Solid::default()] };
        let picture = Picture { bodies: vec![body], ..Picture::default() };
        let text = scene(&picture).unwrap();
        assert!(text.contains("// x } #declare Eye = 5;    \"\n#declare Body_0 = union {\n"), "{text}");
        let frame = frame(&picture, &Instant { time: 0.0, poses: &[HOME], ties: &[], reliefs: &[] }).unwrap();
        assert!(frame.lines().all(|line| !line.starts_with("} #declare")));
    }

    /// A rope of 2 mm seen from 60 m: as wide as a pixel of 600.
    #[test]
    fn lines_are_at_least_a_pixel_wide() {
        let bodies = vec![Figure { name: "a".into(), solids: Vec::new() }];
        let line = Line { points: vec![(0, DVec3::ZERO), (0, DVec3::Z)], radius: 0.001, color: [0.5; 3] };
        let camera = Camera { position: DVec3::Y * -60.0, target: DVec3::ZERO, ..Camera::default() };
        let mut picture = Picture { bodies, lines: vec![line], camera, ..Picture::default() };
        let radius = |picture: &Picture| {
            let text =
                frame(picture, &Instant { time: 0.0, poses: &[HOME], ties: &[], reliefs: &[] }).unwrap();
            let line = text.lines().find(|line| line.contains("cylinder")).unwrap().to_string();
            line.rsplit(", ").next().unwrap().trim_end_matches(" }").parse::<f64>().unwrap()
        };
        let pixel = 2.0 * 60.0 * libm::tan(0.5 * picture.camera.angle) / 600.0;
        assert!((radius(&picture) - 0.5 * pixel).abs() < 1e-3 * pixel, "{}", radius(&picture));
        picture.lines[0].radius = 0.3;
        assert_eq!(radius(&picture), 0.3);
    }

    #[test]
    fn wrong_pictures_and_instants_are_refused_by_name() {
        let line = Line { points: vec![(0, DVec3::X), (3, DVec3::Y)], radius: 0.1, color: [0.5; 3] };
        let bodies = vec![Figure { name: "crab".into(), solids: vec![Solid::default()] }];
        let mut picture = Picture { bodies, lines: vec![line], ..Picture::default() };
        assert_eq!(scene(&picture).unwrap_err().to_string(), "lines[0]: body 3 of 1: count from 0");
        picture.lines.clear();
        picture.bodies[0].solids[0].shape = Shape::Sphere { radius: -1.0 };
        let told = scene(&picture).unwrap_err().to_string();
        assert!(told.starts_with("bodies[0] (\"crab\"), solids[0]: `radius` is -1"), "{told}");
        picture.bodies[0].solids.clear();
        let told = frame(&picture, &Instant { time: 2.0, poses: &[], ties: &[], reliefs: &[] })
            .unwrap_err()
            .to_string();
        assert_eq!(told, "instant at 2 s: 0 poses for 1 bodies");
        let wild = [(DVec3::NAN, DQuat::IDENTITY)];
        let told = frame(&picture, &Instant { time: 2.0, poses: &wild, ties: &[], reliefs: &[] })
            .unwrap_err()
            .to_string();
        assert!(told.contains("pose of body 0 (\"crab\"): position"), "{told}");
    }
}
