//! Shapes: numbers of the text, or a mesh file, become a checked solid.

use super::Builder;
use crate::error::Problems;
use crate::mesh::{MeshError, Surface};
use crate::number::{Factor, Length, Number, Numbers};
use crate::suggestion;
use crate::text::body::{Shape as ShapeText, Up};
use glam::DVec3;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::body::hull::hull;
use windlass_engine::body::points::ShapeError;
use windlass_engine::prelude::{Geometry, Shape};

/// Maximum number of vertices of a mesh file of which a convex hull is taken.
const MOST_HULL_CORNERS: usize = 100_000;

/// A mesh file and its import options, as specified in the text.
struct Source<'a> {
    file: &'a Spanned<String>,
    scale: &'a Option<Number<Factor>>,
    up: Option<Up>,
    flip: bool,
}

impl Builder {
    /// A checked solid. `span` is the location of errors that no key of the shape causes.
    pub fn shape(&mut self, text: &ShapeText, span: Range<usize>) -> Option<Shape> {
        let p = &mut self.problems;
        let (shape, span) = match text {
            ShapeText::Box { size } => (Shape::Box { half: p.vector("size", size)? / 2.0 }, size.span()),
            ShapeText::Sphere { radius } => {
                (Shape::Sphere { radius: p.number("radius", radius)? }, radius.span())
            }
            ShapeText::Cylinder { radius, length } => {
                let (r, l) = (p.number("radius", radius), p.number("length", length));
                (Shape::Cylinder { radius: r?, half_length: l? / 2.0 }, radius.span())
            }
            ShapeText::Capsule { radius, length } => {
                let (r, l) = (p.number("radius", radius), p.number("length", length));
                (Shape::Capsule { radius: r?, half_length: l? / 2.0 }, radius.span())
            }
            ShapeText::Cone { radius, height } => {
                let (r, h) = (p.number("radius", radius), p.number("height", height));
                (Shape::Cone { radius: r?, half_height: h? / 2.0 }, radius.span())
            }
            ShapeText::Convex { points: Some(list), file: None, scale: None, up: None } => {
                (Shape::Convex { points: points("points", list, p)? }, list.span())
            }
            ShapeText::Convex { points: None, file: Some(file), scale, up } => {
                return self.hull_of(&Source { file, scale, up: *up, flip: false });
            }
            ShapeText::Convex { .. } => {
                p.advise(
                    span,
                    "a convex shape needs either `points` or a `file`",
                    "give `points`, or `file` with `scale` and `up`",
                );
                return None;
            }
            ShapeText::Mesh {
                vertices: Some(v),
                triangles: Some(t),
                file: None,
                scale: None,
                up: None,
                flip: None,
                open: None | Some(false),
            } => (
                Shape::Mesh { vertices: points("vertices", v, p)?, triangles: t.get_ref().clone() },
                t.span(),
            ),
            ShapeText::Mesh {
                vertices: None, triangles: None, file: Some(file), scale, up, flip, ..
            } => {
                return self.mesh_of(&Source { file, scale, up: *up, flip: flip.unwrap_or(false) });
            }
            ShapeText::Mesh { .. } => {
                self.twice_given(span);
                return None;
            }
            ShapeText::Pipe { .. } | ShapeText::Plane { .. } | ShapeText::Terrain { .. } => {
                unreachable!("forms that are more or less than a solid are made in `form`")
            }
        };
        shape.check().map_err(|e| p.push(span, e.to_string(), None)).ok()?;
        Some(shape)
    }

    /// Reports that a mesh is given by vertices and by a file, or by neither.
    pub fn twice_given(&mut self, span: Range<usize>) {
        let help = "give `vertices` and `triangles`, or `file` with `scale`, `up` and `flip`";
        self.problems.advise(span, "a mesh needs either `vertices` or a `file`", help);
    }

    /// The surface of a file, which may be open.
    pub fn open_file(
        &mut self,
        file: &Spanned<String>,
        scale: &Option<Number<Factor>>,
        up: Option<Up>,
        flip: bool,
    ) -> Option<Surface> {
        self.surface(&Source { file, scale, up, flip })
    }

    /// A surface given in the text, which may be open.
    pub fn open_inline(
        &mut self,
        vertices: &Spanned<Vec<Numbers<Length>>>,
        triangles: &Spanned<Vec<[u32; 3]>>,
    ) -> Option<Surface> {
        let p = &mut self.problems;
        let (vertices, corners) = (points("vertices", vertices, p)?, triangles.get_ref().clone());
        let geometry = Geometry::Surface { vertices, triangles: corners };
        if let Some(problem) = geometry.problem() {
            p.push(triangles.span(), problem, None);
            return None;
        }
        match geometry {
            Geometry::Surface { vertices, triangles } => Some(Surface { vertices, triangles }),
            _ => None,
        }
    }

    /// The closed surface of a file.
    fn mesh_of(&mut self, source: &Source<'_>) -> Option<Shape> {
        let Surface { vertices, triangles } = self.surface(source)?;
        let shape = Shape::Mesh { vertices, triangles };
        if let Err(e) = shape.check() {
            let (message, help) = told(&e, &shape, source.file.get_ref());
            self.problems.advise(source.file.span(), message, help);
            return None;
        }
        Some(shape)
    }

    /// The convex hull of the vertices of a file.
    fn hull_of(&mut self, source: &Source<'_>) -> Option<Shape> {
        let surface = self.surface(source)?;
        let p = &mut self.problems;
        if surface.vertices.len() > MOST_HULL_CORNERS {
            let message = format!("the mesh has {} vertices", surface.vertices.len());
            let help = format!("a convex hull is limited to {MOST_HULL_CORNERS} vertices: simplify the mesh");
            p.advise(source.file.span(), message, help);
            return None;
        }
        // vertices inside the hull are not needed further
        match hull(&surface.vertices) {
            Ok((points, _)) => Some(Shape::Convex { points }),
            Err(e) => {
                p.push(source.file.span(), format!("\"{}\": {e}", source.file.get_ref()), None);
                None
            }
        }
    }

    /// The surface of a file, scaled, with z up and normals outward.
    fn surface(&mut self, source: &Source<'_>) -> Option<Surface> {
        let scale = self.problems.number_or("scale", source.scale, 1.0)?;
        let path = source.file.get_ref();
        let surface = match self.meshes.take(path) {
            Ok(surface) => surface,
            Err(e) => {
                let message = match &e {
                    MeshError::File(_) | MeshError::Ending(_) => e.to_string(),
                    _ => format!("\"{path}\": {e}"),
                };
                self.problems.advise(source.file.span(), message, e.help());
                return None;
            }
        };
        let is_gltf =
            path.to_ascii_lowercase().ends_with(".gltf") || path.to_ascii_lowercase().ends_with(".glb");
        let up = source.up.unwrap_or(if is_gltf { Up::Y } else { Up::Z });
        let place = |v: &DVec3| match up {
            Up::Y => DVec3::new(v.x, -v.z, v.y) * scale,
            Up::Z => *v * scale,
        };
        let vertices: Vec<DVec3> = surface.vertices.iter().map(place).collect();
        if let Some(far) = vertices.iter().find(|v| !(v.abs().max_element() <= LARGEST)) {
            let message = format!("\"{path}\" has a vertex at {}", corner(*far));
            let help = format!("vertices must be within {LARGEST:e} m of the origin: give a smaller `scale`");
            self.problems.advise(source.file.span(), message, help);
            return None;
        }
        let mut triangles = surface.triangles.clone();
        if source.flip {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Some(Surface { vertices, triangles })
    }
}

/// Largest coordinate, as for numbers in the text [m].
const LARGEST: f64 = 1e10;

/// A vertex as shown in messages [m].
fn corner(v: DVec3) -> String {
    let [x, y, z] = v.to_array().map(suggestion::exact);
    format!("({x}, {y}, {z})")
}

/// Why the surface of a file is no solid, and the remedy in terms of a modelling program.
fn told(error: &ShapeError, shape: &Shape, path: &str) -> (String, String) {
    let place = |index: u32| match shape {
        Shape::Mesh { vertices, .. } => vertices.get(index as usize).map_or_else(String::new, |v| corner(*v)),
        _ => String::new(),
    };
    let hull = format!("or use its convex hull: shape = {{ convex = {{ file = \"{path}\" }} }}");
    match error {
        ShapeError::Open { from, to } => (
            format!(
                "\"{path}\" is not closed: it has a boundary edge from {} to {} m",
                place(*from),
                place(*to)
            ),
            format!("close the surface and merge nearby vertices, {hull}; for ground set `open = true`"),
        ),
        ShapeError::Shared { from, to } => (
            format!(
                "in \"{path}\" more than two faces share the edge from {} to {} m",
                place(*from),
                place(*to)
            ),
            format!("remove duplicate and internal faces, {hull}"),
        ),
        ShapeError::InsideOut { .. } => {
            (format!("\"{path}\" has inward normals"), "set `flip = true` beside `file`".to_string())
        }
        ShapeError::Flat { .. } => (
            format!("\"{path}\" encloses no volume"),
            "give it a thickness, or use a thin box instead".to_string(),
        ),
        other => (format!("\"{path}\": {other}"), format!("repair the mesh, {hull}")),
    }
}

fn points(key: &str, list: &Spanned<Vec<Numbers<Length>>>, p: &mut Problems) -> Option<Vec<DVec3>> {
    let points: Vec<_> = list.get_ref().iter().map(|n| p.vector(key, n)).collect();
    points.into_iter().collect()
}
