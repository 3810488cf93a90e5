//! Geometry prepared for the narrow phase: vertices, faces and edges of convex pieces, and trees of triangles.
//!
//! A convex piece is a core enlarged by a rounding `radius`. The core is a point (sphere), a
//! segment (capsule), a polyhedron (box, hull, triangle) or the hull of two discs (cylinder, cone), so one set of
//! routines serves all pairs.

use super::bounds::{Bounds, Pose, normal_of, sides};
use super::mesh::{Field, Soup};
use crate::body::collider::Geometry;
use crate::body::hull::hull;
use crate::body::shape::Shape;
use glam::DVec3;
use parry3d_f64::shape::SupportMap;
use std::collections::BTreeMap;

/// The core of a convex piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Core {
    Point,
    /// From −half to half along z.
    Segment(f64),
    Box(DVec3),
    Polyhedron,
    /// The hull of two discs about z: radii at −half and at +half, and half.
    Discs([f64; 2], f64),
}

/// A face of a polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    /// Outward.
    pub normal: DVec3,
    /// Its vertices in `Convex::loops`, counterclockwise seen from outside.
    pub from: u32,
    pub to: u32,
}

/// A convex piece in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Convex {
    pub core: Core,
    /// Rounding radius about the core [m].
    pub radius: f64,
    pub vertices: Vec<DVec3>,
    pub faces: Vec<Face>,
    pub loops: Vec<u32>,
    /// Names of a triangle's vertices; those of other pieces are named by their indices.
    pub names: Option<[u32; 3]>,
    /// A characteristic length of the piece, for tolerances [m].
    pub size: f64,
}

impl SupportMap for Convex {
    fn local_support_point(&self, dir: DVec3) -> DVec3 {
        self.support(dir)
    }
}

impl Convex {
    /// A point at the origin.
    pub const POINT: Convex = Convex {
        core: Core::Point,
        radius: 0.0,
        vertices: Vec::new(),
        faces: Vec::new(),
        loops: Vec::new(),
        names: None,
        size: 0.0,
    };

    fn bare(core: Core, radius: f64, vertices: Vec<DVec3>) -> Convex {
        let (faces, loops) = (Vec::new(), Vec::new());
        let mut c = Convex { core, radius, vertices, faces, loops, names: None, size: 0.0 };
        c.size = c.bounds().reach_from(DVec3::ZERO);
        c
    }

    pub fn sphere(radius: f64) -> Convex {
        Convex::bare(Core::Point, radius, vec![DVec3::ZERO])
    }

    pub fn capsule(radius: f64, half: f64) -> Convex {
        Convex::bare(Core::Segment(half), radius, vec![DVec3::Z * -half, DVec3::Z * half])
    }

    pub fn discs(radii: [f64; 2], half: f64) -> Convex {
        Convex::bare(Core::Discs(radii, half), 0.0, Vec::new())
    }

    /// The signs of corner k are the bits of k, x the lowest.
    pub fn cuboid(half: DVec3) -> Convex {
        let sign = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |k: usize| half * DVec3::new(sign(k, 0), sign(k, 1), sign(k, 2));
        let mut c = Convex::bare(Core::Box(half), 0.0, (0..8).map(corner).collect());
        c.loops = vec![0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6];
        let normals = [-DVec3::X, DVec3::X, -DVec3::Y, DVec3::Y, -DVec3::Z, DVec3::Z];
        let face = |(i, normal)| Face { normal, from: 4 * i as u32, to: 4 * i as u32 + 4 };
        c.faces = normals.into_iter().enumerate().map(face).collect();
        c
    }

    /// A single triangle, which collides on the side from which its vertices run counterclockwise.
    pub fn triangle() -> Convex {
        let mut c = Convex::bare(Core::Polyhedron, 0.0, vec![DVec3::ZERO; 3]);
        c.loops = vec![0, 1, 2];
        c.faces = vec![Face { normal: DVec3::Z, from: 0, to: 3 }];
        c
    }

    /// Replaces the vertices of a triangle.
    pub fn set_triangle(&mut self, corners: [DVec3; 3], normal: DVec3, names: [u32; 3]) {
        self.names = Some(names);
        self.vertices.copy_from_slice(&corners);
        self.faces[0].normal = normal;
        self.size = (corners[1] - corners[0]).length().max((corners[2] - corners[0]).length());
    }

    /// A polyhedron of triangles; coplanar ones are merged into one face.
    pub fn polyhedron(vertices: Vec<DVec3>, triangles: &[[u32; 3]]) -> Convex {
        let mut c = Convex::bare(Core::Polyhedron, 0.0, vertices);
        let normals: Vec<DVec3> = triangles.iter().map(|t| normal_of(&c.vertices, *t)).collect();
        let beside: BTreeMap<(u32, u32), usize> =
            (0..triangles.len()).flat_map(|k| sides(triangles[k]).map(|side| (side, k))).collect();
        let mut face_of = vec![usize::MAX; triangles.len()];
        for k in 0..triangles.len() {
            if face_of[k] != usize::MAX {
                continue;
            }
            // flood over coplanar neighbours, then walk around the flooded region
            let (mut members, mut next) = (vec![k], 0);
            face_of[k] = k;
            while next < members.len() {
                for (a, b) in sides(triangles[members[next]]) {
                    let Some(&n) = beside.get(&(b, a)) else { continue };
                    if face_of[n] == usize::MAX && normals[n].distance(normals[k]) < 1e-9 {
                        face_of[n] = k;
                        members.push(n);
                    }
                }
                next += 1;
            }
            let outline: BTreeMap<u32, u32> = members
                .iter()
                .flat_map(|m| sides(triangles[*m]))
                .filter(|(a, b)| beside.get(&(*b, *a)).is_none_or(|n| face_of[*n] != k))
                .collect();
            c.add_face(&outline, &members.iter().map(|m| (normals[*m], triangles[*m])).collect::<Vec<_>>());
        }
        c
    }

    /// Adds the face with an outline (vertex → next vertex); its normal is that of its largest triangle.
    fn add_face(&mut self, outline: &BTreeMap<u32, u32>, members: &[(DVec3, [u32; 3])]) {
        let v = |i: u32| self.vertices[i as usize];
        let area = |t: &[u32; 3]| (v(t[1]) - v(t[0])).cross(v(t[2]) - v(t[0])).length_squared();
        let largest = members.iter().max_by(|a, b| area(&a.1).total_cmp(&area(&b.1)));
        let (Some((normal, _)), Some((&start, _))) = (largest, outline.first_key_value()) else { return };
        let normal = *normal;
        let from = self.loops.len() as u32;
        let mut at = start;
        for _ in 0..outline.len() {
            self.loops.push(at);
            at = outline.get(&at).copied().unwrap_or(start);
            if at == start {
                break;
            }
        }
        self.faces.push(Face { normal, from, to: self.loops.len() as u32 });
    }

    /// The vertices of a face.
    pub fn corners(&self, face: &Face) -> &[u32] {
        &self.loops[face.from as usize..face.to as usize]
    }

    /// Support point: the farthest point of the core in a direction.
    #[inline]
    pub fn support(&self, d: DVec3) -> DVec3 {
        match self.core {
            Core::Point => DVec3::ZERO,
            Core::Segment(half) => DVec3::new(0.0, 0.0, half.copysign(d.z)),
            Core::Box(half) => DVec3::new(half.x.copysign(d.x), half.y.copysign(d.y), half.z.copysign(d.z)),
            Core::Discs(radii, half) => {
                let across = (d.x * d.x + d.y * d.y).sqrt();
                let (x, y) = if across > 0.0 { (d.x / across, d.y / across) } else { (0.0, 0.0) };
                let top = radii[1] * across + half * d.z >= radii[0] * across - half * d.z;
                let (r, z) = if top { (radii[1], half) } else { (radii[0], -half) };
                DVec3::new(r * x, r * y, z)
            }
            Core::Polyhedron => {
                let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
                for v in &self.vertices {
                    let far = v.dot(d);
                    if far > best.0 {
                        best = (far, *v);
                    }
                }
                best.1
            }
        }
    }

    /// The face whose normal is closest to a direction, if it has faces.
    pub fn face_towards(&self, d: DVec3) -> Option<&Face> {
        if let Core::Box(_) = self.core {
            let a = d.abs();
            let axis = if a.x >= a.y && a.x >= a.z {
                0
            } else if a.y >= a.z {
                1
            } else {
                2
            };
            return Some(&self.faces[2 * axis + usize::from(d[axis] > 0.0)]);
        }
        let mut best: (f64, Option<&Face>) = (f64::NEG_INFINITY, None);
        for f in &self.faces {
            let along = f.normal.dot(d);
            if along > best.0 {
                best = (along, Some(f));
            }
        }
        best.1
    }

    /// Its bounding box, including the rounding.
    pub fn bounds(&self) -> Bounds {
        match self.core {
            Core::Discs(radii, half) => {
                let r = radii[0].max(radii[1]);
                Bounds { low: DVec3::new(-r, -r, -half), high: DVec3::new(r, r, half) }
            }
            _ => Bounds::of(self.vertices.iter().copied()).grown(self.radius),
        }
    }
}

/// A collider's geometry, prepared.
#[derive(Debug)]
pub(crate) enum Form {
    /// Everything below z = 0.
    Plane,
    Convex(Convex),
    /// Pieces and their poses; nested compounds are flattened.
    Pieces(Vec<(Pose, Form)>),
    /// Triangles with their neighbours.
    Soup(Soup),
    Field(Field),
}

impl Form {
    pub fn of(geometry: &Geometry) -> Form {
        match geometry {
            Geometry::Solid(shape) => Form::of_shape(shape),
            Geometry::HalfSpace => Form::Plane,
            Geometry::Surface { vertices, triangles } => Form::Soup(Soup::new(vertices, triangles)),
            Geometry::HeightField { heights, columns, spacing } => {
                Form::Field(Field::new(heights.clone(), *columns, *spacing))
            }
            Geometry::Ground { nodes, spacing } => Form::Field(Field::changing(*nodes, *spacing)),
        }
    }

    pub fn of_shape(shape: &Shape) -> Form {
        match shape {
            Shape::Sphere { radius } => Form::Convex(Convex::sphere(*radius)),
            Shape::Box { half } => Form::Convex(Convex::cuboid(*half)),
            Shape::Capsule { radius, half_length } => Form::Convex(Convex::capsule(*radius, *half_length)),
            Shape::Cylinder { radius, half_length } => {
                Form::Convex(Convex::discs([*radius; 2], *half_length))
            }
            Shape::Cone { radius, half_height } => Form::Convex(Convex::discs([*radius, 0.0], *half_height)),
            Shape::Convex { points } => {
                // checked when the body was added; a shape that bypassed the check becomes a point
                let (vertices, triangles) = hull(points).unwrap_or_default();
                match vertices.is_empty() {
                    true => Form::Pieces(Vec::new()),
                    false => Form::Convex(Convex::polyhedron(vertices, &triangles)),
                }
            }
            Shape::Mesh { vertices, triangles } => Form::Soup(Soup::new(vertices, triangles)),
            Shape::Compound { parts } => {
                let mut pieces = Vec::new();
                for (at, turn, part) in parts {
                    let pose = Pose::new(*at, *turn);
                    match Form::of_shape(part) {
                        Form::Pieces(inner) => {
                            pieces.extend(inner.into_iter().map(|(p, form)| (p.within(&pose), form)));
                        }
                        form => pieces.push((pose, form)),
                    }
                }
                Form::Pieces(pieces)
            }
        }
    }

    /// The bounding box in its own frame; infinite for a half-space.
    pub fn bounds(&self) -> Bounds {
        match self {
            Form::Plane => {
                let inf = f64::INFINITY;
                Bounds { low: DVec3::splat(-inf), high: DVec3::new(inf, inf, 0.0) }
            }
            Form::Convex(c) => c.bounds(),
            Form::Pieces(pieces) => {
                let none = Bounds::of([]);
                pieces.iter().fold(none, |b, (pose, form)| b.joined(&form.bounds().moved(pose)))
            }
            Form::Soup(soup) => soup.bounds(),
            Form::Field(field) => field.bounds(),
        }
    }
}
