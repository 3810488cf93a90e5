//! A picture and its instants → a USD stage as text (`.usda`), for film and design programs.
//!
//! Bodies are Xforms with time samples of their poses. Solids are USD's own primitives or meshes. Lines are
//! linear curves whose points move. Cables are meshes whose vertices move. Surfaces of liquids are meshes
//! whose points move with the waves. Grounds of soil are meshes whose points move, and lumps are point instances. The stage is in metres with z up, one time code per frame. A stereo
//! camera becomes two cameras whose apertures are shifted, as [`crate::View`] has it.

mod terrain;
mod water;

use crate::Error;
use crate::instant::{Instants, Pose, Ties};
use crate::material::{Look, Looks, linear};
use crate::name::{comment, list, number, plain, triple};
use crate::picture::{self, Background, Ground, Light, Line, Mount, Pattern, Picture, Solid};
use crate::surface::Surface;
use crate::terrain::Relief;
use crate::tube::{CableTube, RINGS, SIDES, tube};
use crate::view::{Eye, View};
use glam::{DMat3, DQuat, DVec2, DVec3};
use std::fmt::Write as _;
use windlass_engine::body::shape::Shape;
use windlass_engine::math::facing;
use windlass_engine::prelude::Tube;

/// Largest number of samples: bodies and line points times frames (about 500 MB of text).
const MOST: usize = 4_000_000;
/// Largest number of squares along a side of a checkered ground.
const SQUARES: f64 = 64.0;
/// Height of the cameras' film [mm].
const FILM: f64 = 24.0;

/// The text of a stage.
///
/// # Errors
/// If something cannot be drawn or read, or there are too many samples for a text.
pub fn usda(picture: &Picture, instants: &mut dyn Instants) -> Result<String, Error> {
    picture.check()?;
    let points: usize = picture.lines.iter().map(|line| line.points.len()).sum();
    let corners: usize = picture.tubes.iter().map(|cord| 2 * SIDES * RINGS * cord.elements.len()).sum();
    let waves = water::samples(picture, instants.count());
    picture::check_instants(instants, MOST / (picture.bodies.len() + points + corners + waves).max(1))?;
    let mut times = Vec::with_capacity(instants.count());
    let mut frames = Vec::with_capacity(instants.count());
    let mut ties = Vec::with_capacity(instants.count());
    let mut reliefs = Vec::with_capacity(instants.count());
    for frame in 0..instants.count() {
        let instant = picture::instant(picture, instants, frame)?;
        times.push(instant.time);
        frames.push(instant.poses.to_vec());
        ties.push(instant.ties.to_vec());
        reliefs.push(instant.reliefs.to_vec());
    }
    let mut stage = Stage { text: String::new(), depth: 0, looks: Looks::default() };
    terrain::check(picture, &reliefs)?;
    stage.write(picture, (&frames, &ties, &times), &reliefs, instants.rate());
    Ok(stage.text)
}

/// The text so far, and how deep its end is nested.
struct Stage {
    text: String,
    depth: usize,
    looks: Looks,
}

impl Stage {
    fn write(
        &mut self,
        picture: &Picture,
        (frames, ties, times): (&[Vec<Pose>], &[Vec<Ties>], &[f64]),
        reliefs: &[Vec<Relief>],
        rate: f64,
    ) {
        let _ = write!(
            self.text,
            "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"Made by Windlass\"\n    \
             endTimeCode = {}\n    framesPerSecond = {rate}\n    metersPerUnit = 1\n    \
             startTimeCode = 0\n    timeCodesPerSecond = {rate}\n    upAxis = \"Z\"\n)\n\n",
            frames.len() - 1,
            rate = number(rate),
        );
        self.open("Xform", "World", "type = \"component\"");
        for (index, body) in picture.bodies.iter().enumerate() {
            // no quote or backslash is left to break the string
            let label = comment(&body.name).replace('"', "'");
            let name = body_name(picture, index);
            self.open("Xform", &name, &format!("displayName = \"{label}\""));
            let (at, turn): (Vec<DVec3>, Vec<DQuat>) = frames.iter().map(|poses| poses[index]).unzip();
            self.pose(&at, turn, None);
            for (part, solid) in body.solids.iter().enumerate() {
                self.solid(part, solid);
            }
            if picture.camera.mount == Mount::On(index) {
                self.cameras(picture, frames);
            }
            self.close();
        }
        for (index, line) in picture.lines.iter().enumerate() {
            self.line(index, line, frames);
        }
        for (index, cord) in picture.tubes.iter().enumerate() {
            let own = |ties: &Vec<Ties>| ties.get(index).cloned().unwrap_or_default();
            self.cord(index, cord, frames, &ties.iter().map(own).collect::<Vec<_>>());
        }
        if let Some(ground) = &picture.ground {
            self.ground(ground, picture, frames);
        }
        self.waters(picture, frames, times);
        for (index, ground) in picture.terrains.iter().enumerate() {
            let frames: Vec<&Relief> = reliefs.iter().map(|frame| &frame[index]).collect();
            self.terrain(index, ground, &frames);
        }
        if !matches!(picture.camera.mount, Mount::On(_)) {
            self.cameras(picture, frames);
        }
        self.lights(picture);
        self.materials();
        self.close();
    }

    fn say(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n("    ", self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn open(&mut self, kind: &str, name: &str, about: &str) {
        match about.is_empty() {
            true => self.say(&format!("def {kind} \"{name}\"")),
            false => self.say(&format!("def {kind} \"{name}\" ({about})")),
        }
        self.say("{");
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.say("}");
    }

    /// An attribute that may change: one value if it does not.
    fn samples(&mut self, declaration: &str, values: &[String]) {
        let Some(first) = values.first() else { return };
        if values.iter().all(|value| value == first) {
            return self.say(&format!("{declaration} = {first}"));
        }
        let rows: Vec<String> = values.iter().enumerate().map(|(i, v)| format!("{i}: {v}")).collect();
        self.say(&format!("{declaration}.timeSamples = {{ {} }}", rows.join(", ")));
    }

    /// Position and orientation over the frames, and a size.
    fn pose(&mut self, at: &[DVec3], mut turn: Vec<DQuat>, scale: Option<DVec3>) {
        crate::keys::continuous(&mut turn);
        let places: Vec<String> = at.iter().map(|p| format!("({})", triple(*p))).collect();
        self.samples("double3 xformOp:translate", &places);
        let turns: Vec<String> = turn.iter().map(|q| format!("({})", list([q.w, q.x, q.y, q.z]))).collect();
        self.samples("quatd xformOp:orient", &turns);
        let mut order = String::from("\"xformOp:translate\", \"xformOp:orient\"");
        if let Some(scale) = scale {
            self.say(&format!("double3 xformOp:scale = ({})", triple(scale)));
            order.push_str(", \"xformOp:scale\"");
        }
        self.say(&format!("uniform token[] xformOpOrder = [{order}]"));
    }

    fn solid(&mut self, part: usize, solid: &Solid) {
        let look = solid.look();
        let number = self.looks.number(look);
        self.shape(&format!("Solid_{part}"), &solid.shape, (solid.at, solid.orientation), number);
    }

    fn shape(&mut self, name: &str, shape: &Shape, place: Pose, look: usize) {
        if let Shape::Compound { parts } = shape {
            self.open("Xform", name, "");
            self.pose(&[place.0], vec![place.1], None);
            for (index, (at, turn, part)) in parts.iter().enumerate() {
                self.shape(&format!("Part_{index}"), part, (*at, *turn), look);
            }
            return self.close();
        }
        let kind = match shape {
            Shape::Sphere { .. } => "Sphere",
            Shape::Box { .. } => "Cube",
            Shape::Cylinder { .. } => "Cylinder",
            Shape::Capsule { .. } => "Capsule",
            Shape::Cone { .. } => "Cone",
            Shape::Convex { .. } | Shape::Mesh { .. } | Shape::Compound { .. } => "Mesh",
        };
        self.open(kind, name, "prepend apiSchemas = [\"MaterialBindingAPI\"]");
        let mut scale = None;
        match shape {
            Shape::Sphere { radius } => {
                self.say(&format!("double radius = {}", number(*radius)));
                self.extent(-DVec3::splat(*radius), DVec3::splat(*radius));
            }
            Shape::Box { half } => {
                self.say("double size = 2");
                self.extent(-DVec3::ONE, DVec3::ONE);
                scale = Some(*half);
            }
            Shape::Cylinder { radius, half_length } => {
                self.round(*radius, 2.0 * half_length);
                let reach = DVec3::new(*radius, *radius, *half_length);
                self.extent(-reach, reach);
            }
            Shape::Capsule { radius, half_length } => {
                self.round(*radius, 2.0 * half_length);
                let reach = DVec3::new(*radius, *radius, half_length + radius);
                self.extent(-reach, reach);
            }
            Shape::Cone { radius, half_height } => {
                self.round(*radius, 2.0 * half_height);
                let reach = DVec3::new(*radius, *radius, *half_height);
                self.extent(-reach, reach);
            }
            Shape::Convex { .. } | Shape::Mesh { .. } | Shape::Compound { .. } => {
                // the check of the picture has ruled errors out
                self.mesh(&Surface::of(shape, 8).unwrap_or_default());
            }
        }
        self.pose(&[place.0], vec![place.1], scale);
        self.painted(look);
        self.close();
    }

    fn round(&mut self, radius: f64, height: f64) {
        self.say("uniform token axis = \"Z\"");
        self.say(&format!("double radius = {}", number(radius)));
        self.say(&format!("double height = {}", number(height)));
    }

    fn extent(&mut self, low: DVec3, high: DVec3) {
        self.say(&format!("float3[] extent = [({}), ({})]", triple(low), triple(high)));
    }

    /// The attributes of a mesh.
    fn mesh(&mut self, surface: &Surface) {
        let counts: Vec<String> = surface.faces.iter().map(|face| face.len().to_string()).collect();
        let corners: Vec<String> = surface.faces.iter().flatten().map(u32::to_string).collect();
        let vectors =
            |rows: &[DVec3]| rows.iter().map(|v| format!("({})", triple(*v))).collect::<Vec<_>>().join(", ");
        let first = surface.positions.first().copied().unwrap_or(DVec3::ZERO);
        let (low, high) = surface.positions.iter().fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
        self.extent(low, high);
        self.say(&format!("int[] faceVertexCounts = [{}]", counts.join(", ")));
        self.say(&format!("int[] faceVertexIndices = [{}]", corners.join(", ")));
        self.say(&format!("point3f[] points = [{}]", vectors(&surface.positions)));
        self.say(&format!(
            "normal3f[] normals = [{}] (interpolation = \"vertex\")",
            vectors(&surface.normals)
        ));
        self.say("uniform token subdivisionScheme = \"none\"");
    }

    fn painted(&mut self, look: usize) {
        let color = list(linear(self.looks.list[look].color));
        self.say(&format!("color3f[] primvars:displayColor = [({color})]"));
        self.say(&format!("rel material:binding = </World/Looks/Look_{look}>"));
    }

    fn line(&mut self, index: usize, line: &Line, frames: &[Vec<Pose>]) {
        let look = self.looks.number(Look::painted(line.color));
        self.open("BasisCurves", &format!("Line_{index}"), "prepend apiSchemas = [\"MaterialBindingAPI\"]");
        self.say("uniform token type = \"linear\"");
        self.say(&format!("int[] curveVertexCounts = [{}]", line.points.len()));
        self.say(&format!("float[] widths = [{}] (interpolation = \"constant\")", number(2.0 * line.radius)));
        let (mut points, mut extents) = (Vec::new(), Vec::new());
        for poses in frames {
            let places: Vec<DVec3> = line.places(poses).collect();
            let (low, high) = places.iter().fold((places[0], places[0]), |(l, h), &p| (l.min(p), h.max(p)));
            let rows: Vec<String> = places.iter().map(|p| format!("({})", triple(*p))).collect();
            points.push(format!("[{}]", rows.join(", ")));
            extents.push(format!("[({}), ({})]", triple(low - line.radius), triple(high + line.radius)));
        }
        self.samples("point3f[] points", &points);
        self.samples("float3[] extent", &extents);
        self.painted(look);
        self.close();
    }

    /// A mesh whose corners move, in one part for each look.
    fn cord(&mut self, index: usize, cord: &CableTube, frames: &[Vec<Pose>], ties: &[Ties]) {
        let runs = cord.lasting(ties);
        let tube = |(poses, ties): (&Vec<Pose>, &Ties)| tube(&cord.steady(&runs, poses, ties), cord.radius);
        let tubes: Vec<Tube> = frames.iter().zip(ties).map(tube).collect();
        let Some(first) = tubes.first() else { return };
        let rows = |list: &[DVec3]| {
            let rows: Vec<String> = list.iter().map(|p| format!("({})", triple(*p))).collect();
            format!("[{}]", rows.join(", "))
        };
        let label = comment(&cord.name).replace('"', "'");
        self.open("Xform", &format!("Cord_{index}"), &format!("displayName = \"{label}\""));
        for (part, (look, triangles)) in cord.parts(first, SIDES).into_iter().enumerate() {
            let look = self.looks.number(look);
            self.open("Mesh", &format!("Part_{part}"), "prepend apiSchemas = [\"MaterialBindingAPI\"]");
            let corners: Vec<String> = triangles.iter().flatten().map(u32::to_string).collect();
            self.say(&format!("int[] faceVertexCounts = [{}]", vec!["3"; triangles.len()].join(", ")));
            self.say(&format!("int[] faceVertexIndices = [{}]", corners.join(", ")));
            let points: Vec<String> = tubes.iter().map(|tube| rows(&tube.positions)).collect();
            self.samples("point3f[] points", &points);
            let normals: Vec<String> = tubes.iter().map(|tube| rows(&tube.normals)).collect();
            self.samples("normal3f[] primvars:normals", &normals);
            self.say("uniform token primvars:normals:interpolation = \"vertex\"");
            let bounds = |tube: &Tube| {
                let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                let (low, high) = tube.positions.iter().fold(start, |(l, h), p| (l.min(*p), h.max(*p)));
                rows(&[low, high])
            };
            self.samples("float3[] extent", &tubes.iter().map(bounds).collect::<Vec<_>>());
            self.say("uniform token subdivisionScheme = \"none\"");
            self.painted(look);
            self.close();
        }
        self.close();
    }

    fn ground(&mut self, ground: &Ground, picture: &Picture, frames: &[Vec<Pose>]) {
        let (middle, half) = reach(picture, frames);
        let (side, colors) = match &ground.pattern {
            Pattern::Plain { color } => (2.0 * half, vec![linear(*color)]),
            // squares too small to be written one by one are replaced by their mean
            Pattern::Checker { colors: [a, b], side } if 2.0 * half / side > SQUARES => {
                let [a, b] = [linear(*a), linear(*b)];
                (2.0 * half, vec![[0, 1, 2].map(|i| 0.5 * (a[i] + b[i]))])
            }
            Pattern::Checker { colors, side } => (*side, colors.map(linear).to_vec()),
        };
        let n = (2.0 * half / side).ceil() as usize;
        // corners of squares lie on multiples of the side
        let origin = |m: f64| ((m - half) / side).floor();
        let (x0, y0) = if colors.len() == 1 {
            ((middle.x - half) / side, (middle.y - half) / side)
        } else {
            (origin(middle.x), origin(middle.y))
        };
        let mut surface = Surface::default();
        let mut tints = Vec::new();
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let first = surface.positions.len() as u32;
            for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                let corner = DVec3::new(x0 + i as f64 + u, y0 + j as f64 + v, 0.0) * side;
                surface.positions.push(corner.with_z(ground.height));
                surface.normals.push(DVec3::Z);
            }
            surface.faces.push((first..first + 4).collect());
            let odd = (x0 + y0 + (i + j) as f64).rem_euclid(2.0) as usize;
            tints.push(format!("({})", list(colors[odd % colors.len()])));
        }
        self.open("Mesh", "Ground", "");
        self.mesh(&surface);
        let tints = tints.join(", ");
        self.say(&format!("color3f[] primvars:displayColor = [{tints}] (interpolation = \"uniform\")"));
        self.close();
    }

    fn cameras(&mut self, picture: &Picture, frames: &[Vec<Pose>]) {
        let camera = &picture.camera;
        let views: Vec<View> = match camera.mount {
            // relative to its mount
            Mount::World | Mount::On(_) => {
                vec![picture::Camera { mount: Mount::World, ..camera.clone() }.view(&[])]
            }
            Mount::Follow(_) | Mount::Toward(_) | Mount::Heading(_) => {
                frames.iter().map(|poses| camera.view(poses)).collect()
            }
        };
        match camera.stereo {
            None => self.camera("Camera", "mono", &views),
            Some(stereo) => {
                let of = |eye| views.iter().map(|view| view.seen_by(eye, stereo)).collect::<Vec<_>>();
                self.camera("Camera_left", "left", &of(Eye::Left));
                self.camera("Camera_right", "right", &of(Eye::Right));
            }
        }
    }

    /// A camera by its views, one in total or one per frame. USD measures the lens in tenths of the stage's unit.
    fn camera(&mut self, name: &str, role: &str, views: &[View]) {
        let Some(view) = views.first() else { return };
        let focal = 0.5 * FILM / view.tangent;
        self.open("Camera", name, "");
        self.say(&format!("float focalLength = {}", number(focal)));
        self.say(&format!("float verticalAperture = {}", number(FILM)));
        self.say(&format!("float horizontalAperture = {}", number(FILM * 16.0 / 9.0)));
        self.say(&format!("float horizontalApertureOffset = {}", number(view.shift * focal)));
        self.say("float2 clippingRange = (0.01, 1000000)");
        self.say(&format!("uniform token stereoRole = \"{role}\""));
        let turned = |v: &View| DQuat::from_mat3(&DMat3::from_cols(v.right, v.up, -v.forward));
        let at: Vec<DVec3> = views.iter().map(|view| view.eye).collect();
        self.pose(&at, views.iter().map(turned).collect(), None);
        self.close();
    }

    fn lights(&mut self, picture: &Picture) {
        for (index, light) in picture.lights.iter().enumerate() {
            self.sun(index, light);
        }
        let sky = match &picture.background {
            Background::Plain(color) => *color,
            Background::Sky { horizon, .. } => *horizon,
        };
        self.open("DomeLight", "Sky", "");
        self.say(&format!("color3f inputs:color = ({})", list(linear(sky))));
        self.say("float inputs:intensity = 0.4");
        self.close();
    }

    /// A distant light shines along its −z axis.
    fn sun(&mut self, index: usize, light: &Light) {
        self.open("DistantLight", &format!("Light_{index}"), "");
        self.say(&format!("float inputs:angle = {}", number(2.0 * light.softness.to_degrees())));
        self.say(&format!("color3f inputs:color = ({})", list(linear(light.color))));
        self.say(&format!("float inputs:intensity = {}", number(2.0 * light.power)));
        self.pose(&[DVec3::ZERO], vec![facing(light.from)], None);
        self.close();
    }

    fn materials(&mut self) {
        let looks = std::mem::take(&mut self.looks.list);
        self.open("Scope", "Looks", "");
        for (index, look) in looks.iter().enumerate() {
            self.open("Material", &format!("Look_{index}"), "");
            self.say(&format!(
                "token outputs:surface.connect = </World/Looks/Look_{index}/Surface.outputs:surface>"
            ));
            self.open("Shader", "Surface", "");
            self.say("uniform token info:id = \"UsdPreviewSurface\"");
            self.say(&format!("color3f inputs:diffuseColor = ({})", list(linear(look.color))));
            self.say(&format!("float inputs:roughness = {}", number(look.roughness)));
            self.say(&format!("float inputs:metallic = {}", number(look.metalness)));
            self.say(&format!("float inputs:opacity = {}", opacity(look)));
            self.say(&format!("float inputs:ior = {}", number(look.refraction)));
            self.say("token outputs:surface");
            self.close();
            self.close();
        }
        self.close();
    }
}

/// The part of the light that a look holds back.
fn opacity(look: &Look) -> String {
    number(1.0 - 0.85 * look.clearness)
}

/// Middle and half width of the ground and of calm liquids: around the first frame and the paths of all bodies [m].
fn reach(picture: &Picture, frames: &[Vec<Pose>]) -> (DVec2, f64) {
    let (low, high) = picture.bounds(&frames[0]).unwrap_or((-DVec3::ONE, DVec3::ONE));
    let origins = frames.iter().flatten().map(|pose| pose.0);
    let (low, high) = origins.fold((low, high), |(l, h), p| (l.min(p), h.max(p)));
    ((0.5 * (low + high)).truncate(), 3.0 * (high - low).length() + 1.0)
}

/// A body's name on the stage: its number keeps it apart from others.
fn body_name(picture: &Picture, index: usize) -> String {
    format!("Body_{index}_{}", plain(&picture.bodies[index].name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Figure, Reel};

    fn stage(names: [&str; 2]) -> String {
        let bodies = names.map(|name| Figure { name: name.into(), solids: vec![Solid::default()] }).to_vec();
        let line = Line { points: vec![(0, DVec3::X), (1, DVec3::Z)], radius: 0.1, color: [0.5; 3] };
        let picture = Picture { bodies, lines: vec![line], ..Picture::default() };
        let poses = |x: f64| vec![(DVec3::ZERO, DQuat::IDENTITY), (DVec3::X * x, DQuat::IDENTITY)];
        let mut reel = Reel {
            rate: 25.0,
            start: 0.0,
            frames: vec![poses(0.0), poses(1.5)],
            ties: vec![],
            reliefs: vec![],
        };
        usda(&picture, &mut reel).unwrap()
    }

    #[test]
    fn what_moves_has_samples_and_what_stands_has_a_value() {
        let text = stage(["tower", "crab"]);
        assert!(text.contains("double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 1: (1.5, 0, 0) }"));
        assert!(text.contains(
            "point3f[] points.timeSamples = { 0: [(1, 0, 0), (0, 0, 1)], 1: [(1, 0, 0), (1.5, 0, 1)] }"
        ));
        let tower = text.split("Body_0_tower").nth(1).unwrap();
        assert!(tower.trim_start_matches(|c| c != '{').contains("double3 xformOp:translate = (0, 0, 0)"));
        assert!(text.contains("metersPerUnit = 1") && text.contains("timeCodesPerSecond = 25"));
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn hostile_names_stay_in_their_strings() {
        let text = stage(["a\") {\n} def X \"b", "a\\"]);
        assert!(
            text.contains("def Xform \"Body_0_a_______def_X__b\" (displayName = \"a') { } def X 'b\")"),
            "{text}"
        );
        assert!(text.contains("(displayName = \"a \")"));
    }
}
