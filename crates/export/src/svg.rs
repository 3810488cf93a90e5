//! A picture at an instant → a drawing in SVG, without any other program.
//!
//! ```text
//!  solids ─▶ faces towards the eye ─▶ cut at the ground ─▶ far to near ─▶ filled and outlined paths
//!                                  └▶ shadows on the ground
//! ```
//!
//! A face has one shade: the sky's light from above, and the first light's where it shines. Edges are drawn
//! where a surface is not smooth and along outlines. Shadows fall on the ground, and on a floor: a level face
//! wider than everything else. Surfaces of liquids are translucent levels.

mod order;
mod terrain;
mod water;

use crate::Error;
use crate::instant::{Instant, Pose};
use crate::material::{Look, encoded, linear};
use crate::name::{rounded, xml};
use crate::picture::{Background, Camera, Ground, Pattern, Picture};
use crate::surface::{Surface, rod};
use crate::view::View;
use glam::{DVec2, DVec3};
use order::{Polygon, cut};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use windlass_engine::body::shape::Shape;
use windlass_engine::math::facing;
use windlass_engine::prelude::Tube;

/// Objects thinner than this [px] have pale edges, which would otherwise dominate.
const THIN: f64 = 3.0;
/// Error of the line of a cable [px].
const FINE: f64 = 0.25;
/// Largest number of squares from the centre of a checkered ground to its rim.
const SQUARES: i64 = 40;

/// Projections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// Perspective of the camera.
    #[default]
    Perspective,
    /// Parallel along the camera's axis, at the scale of the camera at its target.
    Orthographic,
}

/// The sheet drawn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Width [px].
    pub width: f64,
    /// Height [px].
    pub height: f64,
    /// How points in space become points on paper.
    pub projection: Projection,
}

impl Default for Sheet {
    fn default() -> Sheet {
        Sheet { width: 960.0, height: 640.0, projection: Projection::Perspective }
    }
}

/// The text of an SVG file.
///
/// # Errors
/// If something cannot be drawn.
pub fn svg(picture: &Picture, instant: &Instant, sheet: &Sheet) -> Result<String, Error> {
    picture.check()?;
    picture.check_instant(instant)?;
    let fits = |x: f64| (16.0..=20_000.0).contains(&x);
    if !fits(sheet.width) || !fits(sheet.height) {
        let fault = format!("{} × {} px: give 16 to 20000 each", sheet.width, sheet.height);
        return Err(Error::input("sheet", fault));
    }
    let view = picture.camera.view(instant.poses);
    let eye = Eyepiece::new(&view, &picture.camera, sheet.projection, [sheet.width, sheet.height]);
    let mut drawing = Drawing { picture, eye, sheet, text: String::new(), paints: Vec::new() };
    drawing.draw(instant)?;
    Ok(drawing.text)
}

/// From points in space to points on the sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eyepiece {
    view: View,
    projection: Projection,
    /// Middle of the sheet [px].
    middle: DVec2,
    /// Pixels per radian at the axis; in parallel projection, pixels per metre.
    scale: f64,
    /// Nothing nearer than this is drawn [m].
    near: f64,
}

impl Eyepiece {
    pub fn new(view: &View, camera: &Camera, projection: Projection, [width, height]: [f64; 2]) -> Eyepiece {
        let distance = (camera.target - camera.position).length();
        let focal = 0.5 * height / view.tangent;
        let (scale, near) = match projection {
            Projection::Perspective => (focal, 1e-3 * distance),
            Projection::Orthographic => (focal / distance, 0.0),
        };
        Eyepiece { view: *view, projection, middle: DVec2::new(width, height) / 2.0, scale, near }
    }

    pub fn depth(&self, point: DVec3) -> f64 {
        self.view.depth(point)
    }

    /// Where a point that is not nearer than `near` comes to lie [px], y downward.
    fn place(&self, point: DVec3) -> DVec2 {
        let d = point - self.view.eye;
        let depth = match self.projection {
            Projection::Perspective => d.dot(self.view.forward),
            Projection::Orthographic => 1.0,
        };
        self.middle + DVec2::new(d.dot(self.view.right), -d.dot(self.view.up)) * (self.scale / depth)
    }

    /// The direction from a point to the eye.
    fn toward(&self, point: DVec3) -> DVec3 {
        match self.projection {
            Projection::Perspective => (self.view.eye - point).normalize_or_zero(),
            Projection::Orthographic => -self.view.forward,
        }
    }

    /// Whether the eye is on the front side of a polygon's plane.
    pub fn faces(&self, polygon: &Polygon) -> bool {
        self.toward(polygon.corners[0]).dot(polygon.normal) > 0.0
    }

    /// The part of a polygon in front of the eye and on the sheet, with a margin.
    fn sight(&self, polygon: &Polygon) -> Option<Polygon> {
        let reach = self.middle + 4.0;
        let View { eye, forward, right, up, .. } = self.view;
        let depth = |p: DVec3| match self.projection {
            Projection::Perspective => (p - eye).dot(forward),
            Projection::Orthographic => 1.0,
        };
        // on the sheet means |d·r| scale ≤ reach × depth
        let within = |p: DVec3, axis: DVec3, reach: f64| reach * depth(p) - (p - eye).dot(axis) * self.scale;
        let mut seen = cut(polygon, |p| depth(p) - self.near)?;
        for (axis, reach) in [(right, reach.x), (-right, reach.x), (up, reach.y), (-up, reach.y)] {
            seen = cut(&seen, |p| within(p, axis, reach))?;
        }
        Some(seen)
    }

    /// Pixels per metre at a point.
    fn pixels(&self, point: DVec3) -> f64 {
        match self.projection {
            Projection::Perspective => self.scale / self.depth(point).max(self.near),
            Projection::Orthographic => self.scale,
        }
    }
}

/// The colour of a polygon and of its edges.
struct Paint {
    fill: String,
    edge: String,
    opacity: f64,
}

/// A surface in the world.
struct Piece {
    surface: Surface,
    look: Look,
    /// Whether its shadow is the hull of its corners.
    convex: bool,
    /// Half of its least width on the sheet [px].
    width: f64,
}

/// A face of a piece.
struct Facet {
    corners: Vec<DVec3>,
    /// Normals at the corners.
    normals: Vec<DVec3>,
    /// Normal of the face.
    normal: DVec3,
}

struct Drawing<'a> {
    picture: &'a Picture,
    eye: Eyepiece,
    sheet: &'a Sheet,
    text: String,
    paints: Vec<Paint>,
}

impl Drawing<'_> {
    fn draw(&mut self, instant: &Instant) -> Result<(), Error> {
        let (width, height) = (rounded(self.sheet.width, 1), rounded(self.sheet.height, 1));
        let names: Vec<String> = self.picture.bodies.iter().take(30).map(|body| xml(&body.name)).collect();
        let _ = writeln!(
            self.text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>t = {} s</title>\n<desc>{}</desc>",
            rounded(instant.time, 4),
            names.join(", ")
        );
        let pieces = self.pieces(instant)?;
        self.sky();
        let mut polygons = self.polygons(&pieces);
        let height = self.picture.ground.as_ref().map(|ground| ground.height);
        if let (Some(ground), Some(height)) = (&self.picture.ground, height.filter(|h| self.is_above(*h))) {
            self.ground(ground);
            if self.picture.waters.is_empty() {
                self.shadows(&pieces, height);
            }
            // parts below the ground are hidden
            polygons = polygons.iter().filter_map(|polygon| cut(polygon, |p| p.z - height)).collect();
        }
        self.shadows_on_floor(&pieces, &mut polygons);
        let polygons: Vec<_> = polygons.iter().filter_map(|polygon| self.eye.sight(polygon)).collect();
        let flat = 1e-7 * (self.picture.camera.target - self.picture.camera.position).length();
        let _ = writeln!(
            self.text,
            "<style>.e{{fill:none;stroke-width:{}}}</style>\n<g fill=\"currentColor\" \
             stroke=\"currentColor\" stroke-width=\".5\" stroke-linejoin=\"round\" stroke-linecap=\"round\">",
            rounded(self.sheet.height / 700.0, 2)
        );
        self.layers(polygons, &pieces, flat);
        self.text.push_str("</g>\n</svg>\n");
        Ok(())
    }

    /// Whether the eye looks down on a level.
    fn is_above(&self, height: f64) -> bool {
        match self.eye.projection {
            Projection::Perspective => self.eye.view.eye.z > height,
            Projection::Orthographic => self.eye.view.forward.z < 0.0,
        }
    }

    /// All solids and lines as surfaces in the world.
    fn pieces(&self, instant: &Instant) -> Result<Vec<Piece>, Error> {
        let poses = instant.poses;
        let mut pieces = Vec::new();
        for (body, (at, turn)) in self.picture.bodies.iter().zip(poses) {
            for solid in &body.solids {
                let place = (*at + *turn * solid.at, *turn * solid.orientation);
                self.add_piece(&solid.shape, place, solid.look(), &mut pieces)?;
            }
        }
        for (terrain, relief) in self.picture.terrains.iter().zip(instant.reliefs) {
            self.terrain(terrain, relief, &mut pieces);
        }
        for line in &self.picture.lines {
            let places: Vec<DVec3> = line.places(poses).collect();
            for pair in places.windows(2) {
                let way = pair[1] - pair[0];
                let middle = 0.5 * (pair[0] + pair[1]);
                if way.length() > 1e-9 {
                    // thin lines stay visible
                    let width = (line.radius * self.eye.pixels(middle)).max(0.6);
                    let radius = width / self.eye.pixels(middle);
                    let surface = rod(radius, 0.5 * way.length(), segments(width)).moved(middle, facing(way));
                    pieces.push(Piece { surface, look: Look::painted(line.color), convex: true, width });
                }
            }
        }
        for (number, cord) in self.picture.tubes.iter().enumerate() {
            let pixels = self.eye.pixels(poses[cord.middle(&instant.ties(number))].0);
            let width = (cord.radius * pixels).max(0.6);
            let line = cord.line(number, instant, FINE / pixels);
            let tube = Tube::around(&line, width / pixels, segments(width));
            for (look, surface) in cord.painted(&tube, segments(width)) {
                pieces.push(Piece { surface, look, convex: false, width });
            }
        }
        Ok(pieces)
    }

    /// A shape with as many faces as its size on the sheet requires; compounds part by part.
    fn add_piece(
        &self,
        shape: &Shape,
        place: Pose,
        look: Look,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Error> {
        if let Shape::Compound { parts } = shape {
            for (at, turn, part) in parts {
                let place = (place.0 + place.1 * *at, place.1 * *turn);
                self.add_piece(part, place, look, pieces)?;
            }
            return Ok(());
        }
        let half = match shape {
            Shape::Sphere { radius } | Shape::Cylinder { radius, .. } => *radius,
            Shape::Capsule { radius, .. } | Shape::Cone { radius, .. } => *radius,
            Shape::Box { half } => half.min_element(),
            Shape::Convex { .. } | Shape::Mesh { .. } | Shape::Compound { .. } => f64::INFINITY,
        };
        let width = half * self.eye.pixels(place.0);
        let surface =
            Surface::of(shape, segments(width)).map_err(|e| Error::input("shape", e.to_string()))?;
        let convex = !matches!(shape, Shape::Mesh { .. });
        pieces.push(Piece { surface: surface.moved(place.0, place.1), look, convex, width });
        Ok(())
    }

    /// The faces that look at the eye, shaded, with the edges to draw.
    fn polygons(&mut self, pieces: &[Piece]) -> Vec<Polygon> {
        let mut polygons = Vec::new();
        for piece in pieces {
            let facets = facets(&piece.surface);
            let seen = |facet: &Facet| self.eye.toward(facet.corners[0]).dot(facet.normal) > 1e-9;
            // the face on the left of each directed side, and its normals at both ends
            let mut beside = BTreeMap::new();
            for (index, facet) in facets.iter().enumerate() {
                for (i, j) in sides(facet.corners.len()) {
                    let ends = (bits(facet.corners[i]), bits(facet.corners[j]));
                    beside.insert(ends, (index, facet.normals[i], facet.normals[j]));
                }
            }
            for facet in facets.iter().filter(|facet| seen(facet)) {
                let is_edge = |(i, j): (usize, usize)| {
                    let ends = (bits(facet.corners[j]), bits(facet.corners[i]));
                    beside.get(&ends).is_none_or(|&(other, from, to)| {
                        // normals that agree at one end are enough: at the tip of a cone they never do
                        let is_smooth = from.dot(facet.normals[j]).max(to.dot(facet.normals[i])) > 0.999;
                        !is_smooth || !seen(&facets[other])
                    })
                };
                let drawn = sides(facet.corners.len()).map(is_edge).collect();
                let shading = facet.normals.iter().sum::<DVec3>().normalize_or(facet.normal);
                let paint = self.paints.len();
                self.paints.push(self.shade(piece, shading, facet.corners[0]));
                polygons.push(Polygon { corners: facet.corners.clone(), drawn, normal: facet.normal, paint });
            }
        }
        polygons
    }

    /// The colour of a face in light of the sky and the first light.
    fn shade(&self, Piece { look, width, .. }: &Piece, normal: DVec3, at: DVec3) -> Paint {
        let base = linear(look.color);
        let sun = self.picture.lights.first();
        let from = sun.map_or(DVec3::Z, |light| light.from.normalize());
        let tint = sun.map_or([0.0; 3], |light| linear(light.color).map(|c| c * light.power.min(2.0)));
        let toward = self.eye.toward(at);
        let shine = normal.dot(from).max(0.0);
        // a highlight as wide as the surface is rough
        let half = (from + toward).normalize_or_zero().dot(normal).max(0.0);
        let sharpness = 2.0 + 60.0 * (1.0 - look.roughness) * (1.0 - look.roughness);
        let gloss = libm::pow(half, sharpness) * (0.03 + 0.30 * (1.0 - look.roughness)) * shine.sqrt();
        let sky = 0.30 + 0.14 * normal.z + 0.06 * normal.dot(toward);
        let light = [0, 1, 2].map(|i| {
            let highlight = gloss * (1.0 + look.metalness * (base[i] - 1.0)) * tint[i];
            base[i] * (sky + 0.72 * shine * tint[i]) + highlight
        });
        let dark = if *width < THIN { 0.5 } else { 0.2 };
        Paint {
            fill: hex(encoded(light)),
            edge: hex(encoded(light.map(|c| dark * c))),
            opacity: 1.0 - 0.75 * look.clearness,
        }
    }

    fn polygon(&mut self, polygon: &Polygon) {
        let places: Vec<DVec2> = polygon.corners.iter().map(|c| self.eye.place(*c)).collect();
        let Paint { fill, edge, opacity } = &self.paints[polygon.paint];
        let way = path(&places);
        let text = &mut self.text;
        // a rim of the same colour closes the seam to the next face
        let clear = if *opacity < 1.0 {
            format!(" stroke=\"none\" opacity=\"{}\"", rounded(*opacity, 2))
        } else {
            String::new()
        };
        let _ = writeln!(text, "<path d=\"{way}\" color=\"{fill}\"{clear}/>");
        let mut way = String::new();
        let mut last = None;
        for (i, _) in polygon.drawn.iter().enumerate().filter(|(_, drawn)| **drawn) {
            let next = (i + 1) % places.len();
            if last != Some(i) {
                let _ = write!(way, "M{}", point(places[i]));
            }
            let _ = write!(way, "L{}", point(places[next]));
            last = Some(next);
        }
        if !way.is_empty() {
            let _ = writeln!(text, "<path d=\"{way}\" color=\"{edge}\" class=\"e\"/>");
        }
    }

    /// Height of the horizon on the sheet [px] below the camera's axis; `None` if it is not seen.
    fn horizon(&self) -> Option<f64> {
        let level = self.eye.view.forward.with_z(0.0).try_normalize()?;
        let seen = self.eye.projection == Projection::Perspective;
        seen.then(|| self.eye.place(self.eye.view.eye + level * 1e6).y)
    }

    fn sky(&mut self) {
        let (horizon, zenith) = match &self.picture.background {
            Background::Plain(color) => (color, color),
            Background::Sky { horizon, zenith } => (horizon, zenith),
        };
        // from the horizon the sky darkens over one and a half heights of the sheet
        let low = self.horizon().unwrap_or(self.sheet.height);
        let _ = writeln!(
            self.text,
            "<defs><linearGradient id=\"sky\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" x2=\"0\" \
             y1=\"{}\" y2=\"{}\"><stop stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/>\
             </linearGradient></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"url(#sky)\"/>",
            rounded(low, 1),
            rounded(low - 1.5 * self.sheet.height, 1),
            hex(*horizon),
            hex(*zenith)
        );
    }

    /// A flat polygon on the ground as a path, if any of it is before the eye.
    fn flat(&self, corners: Vec<DVec3>) -> Option<String> {
        let drawn = vec![false; corners.len()];
        let seen = self.eye.sight(&Polygon { corners, drawn, normal: DVec3::Z, paint: 0 })?;
        let places: Vec<DVec2> = seen.corners.iter().map(|c| self.eye.place(*c)).collect();
        Some(path(&places))
    }

    /// The point of a level at what the camera looks at, and the distance of the latter [m].
    fn ahead(&self, height: f64) -> (DVec3, f64) {
        let camera = &self.picture.camera;
        let distance = (camera.target - camera.position).length();
        ((self.eye.view.eye + self.eye.view.forward * distance).with_z(height), distance)
    }

    /// Corners of a level as far as the horizon.
    fn square(&self, height: f64) -> Vec<DVec3> {
        let (middle, distance) = self.ahead(height);
        let corner = |x: f64, y: f64| middle + DVec3::new(x, y, 0.0) * 2e3 * distance;
        vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
    }

    /// The ground, which fades into the horizon; squares around what is looked at.
    fn ground(&mut self, ground: &Ground) {
        let (middle, distance) = self.ahead(ground.height);
        let Some(way) = self.flat(self.square(ground.height)) else { return };
        let (color, checker) = match &ground.pattern {
            Pattern::Plain { color } => (*color, None),
            Pattern::Checker { colors: [a, b], side } => (*a, Some((*b, *side))),
        };
        let fill = match self.horizon() {
            Some(horizon) => self.fading("ground", horizon, color),
            None => hex(color),
        };
        let _ = writeln!(self.text, "<path d=\"{way}\" fill=\"{fill}\"/>");
        if let Some((color, side)) = checker {
            self.checker(middle, ground.height, side, color, 1.6 * distance);
        }
    }

    /// Every other square around a point, paler towards the rim.
    fn checker(&mut self, middle: DVec3, height: f64, side: f64, color: [f64; 3], reach: f64) {
        let reach = reach.min(SQUARES as f64 * side);
        let count = (reach / side).ceil() as i64;
        let (i0, j0) = ((middle.x / side).floor() as i64, (middle.y / side).floor() as i64);
        let _ = writeln!(self.text, "<g fill=\"{}\">", hex(color));
        for (i, j) in (i0 - count..=i0 + count).flat_map(|i| (j0 - count..=j0 + count).map(move |j| (i, j))) {
            let corner = |u: i64, v: i64| DVec3::new((i + u) as f64 * side, (j + v) as f64 * side, height);
            let share = (corner(0, 0) + 0.5 * side - middle).with_z(0.0).length() / reach;
            let opacity = rounded((1.0 - share * share).max(0.0), 2);
            if (i + j).rem_euclid(2) == 0 || opacity == "0" {
                continue;
            }
            if let Some(way) = self.flat(vec![corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]) {
                let _ = writeln!(self.text, "<path d=\"{way}\" opacity=\"{opacity}\"/>");
            }
        }
        self.text.push_str("</g>\n");
    }

    /// Shadows of pieces on the ground.
    fn shadows(&mut self, pieces: &[Piece], height: f64) {
        // together, so that shadows which overlap are no darker
        self.text.push_str("<g opacity=\".36\" fill=\"#10161c\">\n");
        for piece in pieces {
            for shadow in self.fallen(piece, height) {
                if let Some(way) = self.flat(shadow) {
                    // glass casts faint shadows
                    let clear = if piece.look.clearness > 0.0 { " opacity=\".4\"" } else { "" };
                    let _ = writeln!(self.text, "<path d=\"{way}\"{clear}/>");
                }
            }
        }
        self.text.push_str("</g>\n");
    }

    /// Adds shadows to a floor, as patches that lie in it and are painted after it.
    fn shadows_on_floor(&mut self, pieces: &[Piece], polygons: &mut Vec<Polygon>) {
        let Some((place, floor)) = floor(pieces) else { return };
        if self.eye.toward(floor.corners[0]).z <= 0.0 {
            return;
        }
        let paint = self.paints.len();
        self.paints.push(self.dark(&pieces[place], floor.corners[0]));
        let others =
            pieces.iter().enumerate().filter(|(i, piece)| *i != place && piece.look.clearness == 0.0);
        for (_, piece) in others {
            for corners in self.fallen(piece, floor.corners[0].z) {
                let drawn = vec![false; corners.len()];
                let patch = Polygon { corners, drawn, normal: DVec3::Z, paint };
                let within = sides(floor.corners.len()).try_fold(patch, |patch, (i, j)| {
                    let inward = DVec3::Z.cross(floor.corners[j] - floor.corners[i]);
                    cut(&patch, |p| (p - floor.corners[i]).dot(inward))
                });
                polygons.extend(within);
            }
        }
    }

    /// The colour of a level face from which the first light is kept.
    fn dark(&self, piece: &Piece, at: DVec3) -> Paint {
        let sky = 0.44 + 0.06 * self.eye.toward(at).z;
        let fill = hex(encoded(linear(piece.look.color).map(|c| sky * c)));
        Paint { edge: fill.clone(), fill, opacity: 1.0 }
    }

    /// The shadows of a piece on a level, of the parts that are above it.
    fn fallen(&self, Piece { surface, convex, .. }: &Piece, height: f64) -> Vec<Vec<DVec3>> {
        let Some(from) = self.picture.lights.first().map(|light| light.from.normalize()) else {
            return Vec::new();
        };
        // a light at the horizon throws shadows out of all bounds
        if from.z < 0.05 {
            return Vec::new();
        }
        let fall = |p: &DVec3| (*p - from * ((p.z - height) / from.z)).with_z(height);
        let above: Vec<Vec<DVec3>> = match convex {
            true => vec![surface.positions.clone()],
            false => (facets(surface).into_iter())
                .filter(|facet| facet.normal.dot(from) > 0.0)
                .map(|facet| facet.corners)
                .collect(),
        };
        let is_below = |corners: &Vec<DVec3>| {
            corners.iter().any(|p| p.z < height - 1e-9) && corners.iter().all(|p| p.z <= height)
        };
        let shadow = |corners: Vec<DVec3>| {
            let level: Vec<DVec3> = corners.iter().map(|p| fall(&p.with_z(p.z.max(height)))).collect();
            outline(&level)
        };
        above.into_iter().filter(|corners| !is_below(corners)).map(shadow).collect()
    }
}

/// The level face that all else stands on or over, with the place of its piece: wider than the rest together.
fn floor(pieces: &[Piece]) -> Option<(usize, Facet)> {
    let area = |points: &[DVec3]| {
        let low = points.iter().copied().reduce(DVec3::min)?;
        let high = points.iter().copied().reduce(DVec3::max)?;
        Some((high.x - low.x) * (high.y - low.y))
    };
    let level = pieces.iter().enumerate().filter(|(_, piece)| piece.convex).flat_map(|(place, piece)| {
        let up = facets(&piece.surface).into_iter().filter(|f| f.normal.z > 1.0 - 1e-9);
        up.map(move |facet| (place, facet))
    });
    let size = |facet: &Facet| area(&facet.corners).unwrap_or(0.0);
    let (place, floor) = level.max_by(|a, b| size(&a.1).total_cmp(&size(&b.1)))?;
    let rest = pieces.iter().enumerate().filter(|(i, _)| *i != place);
    let rest: Vec<DVec3> = rest.flat_map(|(_, piece)| piece.surface.positions.iter().copied()).collect();
    (area(&floor.corners) > area(&rest)).then_some((place, floor))
}

/// Unit normal of a flat face.
fn normal(corners: &[DVec3]) -> DVec3 {
    let turns = (2..corners.len()).map(|i| (corners[i - 1] - corners[0]).cross(corners[i] - corners[0]));
    turns.sum::<DVec3>().normalize_or_zero()
}

/// Places of both ends of each side of a polygon.
fn sides(corners: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..corners).map(move |i| (i, (i + 1) % corners))
}

fn facets(surface: &Surface) -> Vec<Facet> {
    let pick = |face: &[u32], list: &[DVec3]| face.iter().map(|&i| list[i as usize]).collect::<Vec<_>>();
    let facet = |face: &Vec<u32>| {
        let corners = pick(face, &surface.positions);
        Facet { normal: normal(&corners), normals: pick(face, &surface.normals), corners }
    };
    surface.faces.iter().map(facet).collect()
}

/// Faces around something round of a half width [px].
fn segments(width: f64) -> usize {
    let fine = 4.0 * width.max(0.0).sqrt();
    2 * (fine.clamp(6.0, 48.0) / 2.0).ceil() as usize
}

/// A point as a key: equal for equal numbers.
fn bits(p: DVec3) -> [u64; 3] {
    // −0 and 0 are one point
    p.to_array().map(|x| (x + 0.0).to_bits())
}

/// The convex outline of points in a level plane, counterclockwise (Andrew's chains).
fn outline(points: &[DVec3]) -> Vec<DVec3> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<DVec3> = Vec::new();
    for pass in 0..2 {
        let start = hull.len();
        for &p in &sorted {
            let is_inside = |hull: &[DVec3]| {
                let [.., a, b] = hull else { return false };
                (*b - *a).cross(p - *b).z <= 0.0
            };
            while hull.len() >= start + 2 && is_inside(&hull) {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
        if pass == 0 {
            sorted.reverse();
        }
    }
    hull
}

fn hex(color: [f64; 3]) -> String {
    let [r, g, b] = color.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn point(p: DVec2) -> String {
    format!("{} {}", rounded(p.x, 1), rounded(p.y, 1))
}

fn path(places: &[DVec2]) -> String {
    let corners: Vec<String> = places.iter().map(|p| point(*p)).collect();
    format!("M{}Z", corners.join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Figure, Light, Solid};
    use glam::DQuat;

    fn ball(material: &str, at: DVec3) -> Solid {
        Solid {
            shape: Shape::Box { half: DVec3::splat(0.5) },
            at,
            material: material.into(),
            ..Solid::default()
        }
    }

    fn drawing(picture: &Picture, projection: Projection) -> String {
        let poses = vec![(DVec3::ZERO, DQuat::IDENTITY); picture.bodies.len()];
        let sheet = Sheet { width: 400.0, height: 300.0, projection };
        svg(picture, &Instant { time: 0.0, poses: &poses, ties: &[], reliefs: &[] }, &sheet).unwrap()
    }

    /// Corners of all opaque faces on the sheet, in the order of painting.
    fn faces(text: &str) -> Vec<Vec<DVec2>> {
        let numbers = |corner: &str| {
            let mut numbers = corner.split(' ').map(|n| n.parse().unwrap());
            DVec2::new(numbers.next().unwrap(), numbers.next().unwrap())
        };
        let solid = text
            .lines()
            .filter(|line| line.contains("color=\"#") && line.ends_with("\"/>") && !line.contains("class"));
        let ways = solid.map(|line| line.split('"').nth(1).unwrap().trim_matches(['M', 'Z']));
        ways.map(|way| way.split('L').map(numbers).collect()).collect()
    }

    #[test]
    fn a_cube_shows_three_faces_where_the_camera_sees_them() {
        let body = Figure { name: "<cube & co>".into(), solids: vec![ball("steel", DVec3::ZERO)] };
        let picture = Picture { bodies: vec![body], ..Picture::default() };
        let text = drawing(&picture, Projection::Perspective);
        assert!(text.contains("<desc>&lt;cube &amp; co&gt;</desc>"));
        let faces = faces(&text);
        assert_eq!(faces.len(), 3);
        // the corner nearest to the camera belongs to all three
        let view = picture.camera.view(&[]);
        let seen = view.project(DVec3::new(0.5, -0.5, 0.5), 400.0 / 300.0).unwrap();
        let expected = DVec2::new(200.0 * (1.0 + seen.x), 150.0 * (1.0 - seen.y));
        for face in faces {
            assert!(face.iter().any(|p| (*p - expected).length() < 0.08), "{face:?} {expected}");
        }
    }

    #[test]
    fn parallel_projection_keeps_sizes_and_parallels() {
        let solids = vec![ball("steel", DVec3::ZERO), ball("steel", DVec3::new(4.0, 14.0, 0.0))];
        let bodies = vec![Figure { name: "two".into(), solids }];
        let camera =
            Camera { position: DVec3::new(-9.0, -20.0, 9.0), target: DVec3::ZERO, ..Camera::default() };
        let picture = Picture { bodies, camera, ..Picture::default() };
        let width = |face: &[DVec2]| {
            let x = || face.iter().map(|p| p.x);
            x().fold(f64::NEG_INFINITY, f64::max) - x().fold(f64::INFINITY, f64::min)
        };
        let far_and_near = |projection| {
            let faces = faces(&drawing(&picture, projection));
            assert_eq!(faces.len(), 6);
            let sum = |faces: &[Vec<DVec2>]| faces.iter().map(|face| width(face)).sum::<f64>();
            sum(&faces[..3]) / sum(&faces[3..])
        };
        assert!((far_and_near(Projection::Orthographic) - 1.0).abs() < 1e-3);
        assert!(far_and_near(Projection::Perspective) < 0.7);
    }

    #[test]
    fn what_is_behind_the_camera_or_below_the_ground_is_left_out() {
        let at = |at| vec![Figure { name: "x".into(), solids: vec![ball("steel", at)] }];
        let behind = Picture { bodies: at(DVec3::new(20.0, -30.0, 12.0)), ..Picture::default() };
        assert!(faces(&drawing(&behind, Projection::Perspective)).is_empty());
        let below = Picture { bodies: at(-DVec3::Z), ground: Some(Ground::default()), ..Picture::default() };
        assert!(faces(&drawing(&below, Projection::Perspective)).is_empty());
        // half sunk: the sides end at the ground
        let half = Picture { bodies: at(DVec3::ZERO), ground: Some(Ground::default()), ..Picture::default() };
        let faces = faces(&drawing(&half, Projection::Orthographic));
        assert_eq!(faces.len(), 3);
        let height = |face: &[DVec2]| {
            let y = || face.iter().map(|p| p.y);
            y().fold(f64::NEG_INFINITY, f64::max) - y().fold(f64::INFINITY, f64::min)
        };
        let whole = Picture { bodies: at(DVec3::ZERO), ..Picture::default() };
        let all = super::tests::faces(&drawing(&whole, Projection::Orthographic));
        assert!(
            faces.iter().map(|f| height(f)).sum::<f64>() < all.iter().map(|f| height(f)).sum::<f64>() - 1.0
        );
    }

    #[test]
    fn faces_towards_the_light_are_brighter() {
        let body = Figure { name: "cube".into(), solids: vec![ball("concrete", DVec3::ZERO)] };
        let picture = Picture { bodies: vec![body], ..Picture::default() };
        let drawing = Drawing {
            eye: eye(&picture),
            picture: &picture,
            sheet: &Sheet::default(),
            text: String::new(),
            paints: Vec::new(),
        };
        let brightness = |normal| {
            let look = Look::of_material("concrete");
            let piece = Piece { surface: Surface::default(), look, convex: true, width: 9.0 };
            let fill = drawing.shade(&piece, normal, DVec3::ZERO).fill;
            u32::from_str_radix(&fill[1..3], 16).unwrap()
        };
        assert!(
            brightness(DVec3::Z) > brightness(-DVec3::Y) && brightness(-DVec3::Y) > brightness(DVec3::Y) + 20
        );
    }

    #[test]
    fn a_wide_floor_has_shadows_on_it_and_a_narrow_one_has_not() {
        let patches = |half: f64| {
            let slab = Solid {
                shape: Shape::Box { half: DVec3::new(half, half, 0.1) },
                at: DVec3::new(0.0, 0.0, -0.1),
                ..Solid::default()
            };
            let solids = vec![slab, ball("steel", DVec3::new(0.0, 0.0, 1.5))];
            let light = Light { from: DVec3::new(1.0, 0.0, 1.0), ..Light::default() };
            let bodies = vec![Figure { name: "scene".into(), solids }];
            let picture = Picture { bodies, lights: vec![light], ..Picture::default() };
            let mut drawing = Drawing {
                eye: eye(&picture),
                picture: &picture,
                sheet: &Sheet::default(),
                text: String::new(),
                paints: Vec::new(),
            };
            let poses = [(DVec3::ZERO, DQuat::IDENTITY)];
            let pieces =
                drawing.pieces(&Instant { time: 0.0, poses: &poses, ties: &[], reliefs: &[] }).unwrap();
            let mut polygons = Vec::new();
            drawing.shadows_on_floor(&pieces, &mut polygons);
            polygons
        };
        let range = |patch: &Polygon| {
            let (low, high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            patch.corners.iter().fold((low, high), |(low, high), p| (low.min(*p), high.max(*p)))
        };
        let near = |a: DVec3, b: DVec3| (a - b).length() < 1e-12;
        // from 1 to 2 m above the floor, with light from 45°
        let wide = patches(5.0);
        assert_eq!(wide.len(), 1);
        let (low, high) = range(&wide[0]);
        assert!(near(low, DVec3::new(-2.5, -0.5, 0.0)) && near(high, DVec3::new(-0.5, 0.5, 0.0)));
        // no farther than the floor goes
        let (low, _) = range(&patches(2.0)[0]);
        assert!(near(low, DVec3::new(-2.0, -0.5, 0.0)));
        assert!(patches(0.4).is_empty());
    }

    fn eye(picture: &Picture) -> Eyepiece {
        Eyepiece::new(&picture.camera.view(&[]), &picture.camera, Projection::Perspective, [400.0, 300.0])
    }

    #[test]
    fn the_outline_of_a_scatter_is_its_hull() {
        let points = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.5), (2.0, 2.0), (0.0, 2.0), (1.0, 1.9), (1.0, 0.0)];
        let hull = outline(&points.map(|(x, y)| DVec3::new(x, y, 7.0)));
        assert_eq!(hull.len(), 4);
        assert!(hull.iter().all(|p| p.z == 7.0));
    }

    #[test]
    fn a_sheet_of_no_size_is_refused() {
        let sheet = Sheet { width: f64::NAN, ..Sheet::default() };
        assert!(
            svg(&Picture::default(), &Instant { time: 0.0, poses: &[], ties: &[], reliefs: &[] }, &sheet)
                .is_err()
        );
    }
}
