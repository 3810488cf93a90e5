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

mod eyepiece;
mod ground;
mod order;
mod piece;
mod polygon;
mod shadow;
mod terrain;
mod water;

pub(crate) use eyepiece::Eyepiece;

use crate::Error;
use crate::instant::Instant;
use crate::material::{encoded, linear};
use crate::name::{rounded, xml};
use crate::picture::Picture;
use crate::surface::Surface;
use glam::{DVec2, DVec3};
use piece::Piece;
use polygon::{Polygon, cut};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Objects thinner than this [px] have pale edges, which would otherwise dominate.
const THIN: f64 = 3.0;

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

/// The colour of a polygon and of its edges.
struct Paint {
    fill: String,
    edge: String,
    opacity: f64,
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

/// A point as a key: equal for equal numbers.
fn bits(p: DVec3) -> [u64; 3] {
    // −0 and 0 are one point
    p.to_array().map(|x| (x + 0.0).to_bits())
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
    use crate::material::Look;
    use crate::picture::{Camera, Figure, Ground, Light, Solid};
    use glam::DQuat;
    use windlass_engine::body::shape::Shape;

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
    fn a_sheet_of_no_size_is_refused() {
        let sheet = Sheet { width: f64::NAN, ..Sheet::default() };
        assert!(
            svg(&Picture::default(), &Instant { time: 0.0, poses: &[], ties: &[], reliefs: &[] }, &sheet)
                .is_err()
        );
    }
}
