//! The solids of a body that displace fluid, and how much of them lies under a surface.
//!
//! Spheres, cylinders and capsules are evaluated in closed form under a plane surface. Every part has a closed mesh of
//! the same volume as well: it is clipped under waves, and its facets carry drag. Parts that overlap count twice, as
//! they do for the mass.

use crate::clip::{self, Facet, PressureLoad};
use crate::immersion::Immersion;
use crate::mesh::{ClosedMesh, bounds_of};
use crate::primitive::{self, Rod};
use crate::waves::Kinematics;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;

/// Sides of a round part's mesh.
const SIDES: u32 = 32;
/// Subdivisions of the icosahedron that stands for a sphere: 320 triangles.
const SUBDIVISIONS: u32 = 2;
/// Longest edge of a facet that carries drag, relative to the size of the body.
const LONGEST_EDGE: f64 = 0.5;
/// Facets of a part at most, where waves are to be resolved.
const MOST_FACETS: usize = 20_000;
/// Triangles from which on facets are small enough to be evaluated at one point instead of three.
const MANY: usize = 1000;

/// Shape of a part, in axes of its own, about its centre.
#[derive(Clone, Debug, PartialEq)]
pub enum HullShape {
    /// A sphere of a radius [m].
    Sphere(f64),
    /// A cylinder along z: radius, half of its length [m].
    Cylinder(f64, f64),
    /// A capsule along z: radius, half of its straight part [m].
    Capsule(f64, f64),
    /// A box with edges along the axes, of these lengths [m].
    Cuboid(DVec3),
    /// The interior of a closed mesh.
    Mesh(ClosedMesh),
}

/// A part of a hull.
#[derive(Clone, Debug, PartialEq)]
pub struct HullPart {
    /// Origin of its axes in the axes of the body, from the centre of mass [m].
    pub position: DVec3,
    /// Orientation of its axes in those of the body.
    pub orientation: DQuat,
    /// Its shape.
    pub shape: HullShape,
}

/// Size of the box that encloses some meshes [m].
fn extent(meshes: &[ClosedMesh]) -> DVec3 {
    let (low, high) = bounds_of(meshes.iter().flat_map(|mesh| mesh.vertices().iter().copied()));
    high - low
}

impl HullPart {
    /// Its volume [m³].
    pub fn volume(&self) -> f64 {
        match &self.shape {
            HullShape::Sphere(r) => 4.0 / 3.0 * PI * r * r * r,
            HullShape::Cylinder(r, half) => 2.0 * PI * r * r * half,
            HullShape::Capsule(r, half) => PI * r * r * (2.0 * half + 4.0 / 3.0 * r),
            HullShape::Cuboid(size) => size.x * size.y * size.z,
            HullShape::Mesh(mesh) => mesh.volume(),
        }
    }

    /// A closed mesh of its volume, in its own axes.
    pub fn mesh(&self) -> ClosedMesh {
        match &self.shape {
            HullShape::Sphere(r) => ClosedMesh::icosphere(*r, SUBDIVISIONS),
            HullShape::Cylinder(r, half) => ClosedMesh::cylinder(of_area(*r), *half, SIDES),
            HullShape::Capsule(r, half) => ClosedMesh::capsule(of_area(*r), *half, SIDES),
            HullShape::Cuboid(size) => ClosedMesh::cuboid(*size),
            HullShape::Mesh(mesh) => mesh.clone(),
        }
        .of_volume(self.volume())
    }
}

/// Radius of the corners of a regular polygon with the area of a circle.
fn of_area(radius: f64) -> f64 {
    let corner = 2.0 * PI / f64::from(SIDES);
    radius * (corner / libm::sin(corner)).sqrt()
}

/// The solids of a body that displace fluid.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    parts: Vec<HullPart>,
    /// Of each part, in axes of the body about the centre of mass.
    meshes: Vec<ClosedMesh>,
    /// The same with short edges.
    refined: Vec<ClosedMesh>,
    volume: f64,
    centroid: DVec3,
}

/// Buffers of the clipping.
#[derive(Debug, Default)]
pub struct ClipBuffers {
    /// Positions of the vertices [m].
    pub positions: Vec<DVec3>,
    /// Their depths [m].
    pub depths: Vec<f64>,
    /// Their pressures [Pa].
    pub pressures: Vec<f64>,
    /// Velocities of the fluid at the vertices [m/s]; empty for a fluid at rest.
    pub flows: Vec<DVec3>,
    /// Waves at the vertices of each mesh.
    pub kinematics: Vec<Vec<Kinematics>>,
    /// Immersed volume below the surface of each fluid [m³].
    pub volumes: Vec<f64>,
}

/// A pose of a body: centre of mass, and axes as columns.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Centre of mass [m].
    pub center: DVec3,
    /// Axes.
    pub axes: DMat3,
}

impl Hull {
    /// The hull of some parts; none without volume.
    pub fn new(parts: Vec<HullPart>) -> Option<Hull> {
        let placed = |part: &HullPart| part.mesh().moved(part.orientation, part.position);
        let meshes: Vec<ClosedMesh> = parts.iter().map(placed).collect();
        let volume: f64 = parts.iter().map(HullPart::volume).sum();
        let moment: DVec3 = meshes.iter().map(|mesh| mesh.centroid() * mesh.volume()).sum();
        let edge = LONGEST_EDGE * extent(&meshes).max_element();
        let refined = meshes.iter().map(|mesh| mesh.refined(edge)).collect();
        (volume > 0.0).then(|| Hull { parts, meshes, refined, volume, centroid: moment / volume })
    }

    /// Its volume [m³].
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Its centroid from the centre of mass, body axes [m].
    pub fn centroid(&self) -> DVec3 {
        self.centroid
    }

    /// Its parts.
    pub fn parts(&self) -> &[HullPart] {
        &self.parts
    }

    /// Heights of its lowest and highest points [m].
    pub fn reach(&self, pose: Pose) -> [f64; 2] {
        let parts = self.parts.iter().zip(&self.meshes).map(|(part, mesh)| part.reach(mesh, pose));
        parts.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], [c, d]| [a.min(c), b.max(d)])
    }

    /// Splits the facets that carry drag and the pressure of waves until their edges are no longer than this [m], or
    /// there are too many.
    pub fn resolve(&mut self, longest_edge: f64) {
        for mesh in &mut self.refined {
            let finer = mesh.refined(longest_edge);
            if finer.triangles().len() <= MOST_FACETS {
                *mesh = finer;
            }
        }
    }

    /// Areas of the faces of its bounding box across x, y and z, body axes [m²].
    pub fn faces(&self) -> DVec3 {
        let size = extent(&self.meshes);
        DVec3::new(size.y * size.z, size.z * size.x, size.x * size.y)
    }

    /// Length of the longest edge of a facet [m].
    pub fn longest_edge(&self) -> f64 {
        let edges = self.refined.iter().flat_map(|mesh| {
            let at = |k: u32| mesh.vertices()[k as usize];
            mesh.triangles().iter().map(move |t| {
                let [a, b, c] = t.map(at);
                (b - a).length().max((c - b).length()).max((a - c).length())
            })
        });
        edges.fold(0.0, f64::max)
    }

    /// Its immersion when all of it is under the surface.
    pub fn immersed(&self, pose: Pose) -> Immersion {
        let center = pose.center + pose.axes * self.centroid;
        Immersion { volume: self.volume, center, ..Immersion::default() }
    }

    /// The part of it under a plane. Moments of the water plane are about the centre of mass.
    pub fn under_plane(&self, pose: Pose, level: f64, buffers: &mut ClipBuffers) -> Immersion {
        let mut sum = Immersion::default();
        let mut moment = DVec3::ZERO;
        for (part, mesh) in self.parts.iter().zip(&self.meshes) {
            let one = part.under_plane(mesh, pose, level, buffers);
            sum.volume += one.volume;
            moment += (one.center - pose.center) * one.volume;
            sum.draft = sum.draft.max(one.draft);
            sum.wet_area += one.wet_area;
            sum.water_plane.add(&one.water_plane);
        }
        sum.center = match sum.volume > 0.0 {
            true => pose.center + moment / sum.volume,
            false => pose.center,
        };
        sum
    }

    /// Force and torque of the pressure below a surface, and the part of the hull under it. `at` writes depths and
    /// pressures of vertices.
    pub fn under_pressure(
        &self,
        pose: Pose,
        buffers: &mut ClipBuffers,
        mut at: impl FnMut(usize, &mut ClipBuffers),
    ) -> PressureLoad {
        let mut sum = PressureLoad::default();
        let mut moment = DVec3::ZERO;
        for (number, mesh) in self.refined.iter().enumerate() {
            mesh.place(&pose.axes, pose.center, &mut buffers.positions);
            at(number, buffers);
            let (positions, depths, triangles) = (&buffers.positions, &buffers.depths, mesh.triangles());
            let hull = clip::Hull { positions, depths, triangles };
            let one = clip::pressure_force(&hull, &buffers.pressures, pose.center);
            sum.force += one.force;
            sum.torque += one.torque;
            let (all, part) = (&mut sum.immersion, one.immersion);
            all.volume += part.volume;
            moment += (part.center - pose.center) * part.volume;
            all.draft = all.draft.max(part.draft);
            all.wet_area += part.wet_area;
            all.water_plane.add(&part.water_plane);
        }
        let all = &mut sum.immersion;
        all.center = if all.volume > 0.0 { pose.center + moment / all.volume } else { pose.center };
        sum
    }

    /// Visits the facets of its surface with the velocity of the fluid there. `at` writes the depths below the surface
    /// that cuts them, and the velocities of the fluid at the vertices of a mesh, by its number.
    pub fn facets(
        &self,
        pose: Pose,
        buffers: &mut ClipBuffers,
        mut at: impl FnMut(usize, &mut ClipBuffers),
        mut visit: impl FnMut(&Facet, DVec3),
    ) {
        for (number, mesh) in self.refined.iter().enumerate() {
            mesh.place(&pose.axes, pose.center, &mut buffers.positions);
            at(number, buffers);
            let ClipBuffers { positions, depths, flows, .. } = &*buffers;
            let triangles = mesh.triangles();
            let visit = |facet: Facet| {
                let flow = match flows.is_empty() {
                    true => DVec3::ZERO,
                    false => {
                        interpolated(triangles[facet.triangle as usize], facet.center, (positions, flows))
                    }
                };
                visit(&facet, flow);
            };
            let hull = clip::Hull { positions, depths, triangles };
            if triangles.len() < MANY {
                clip::each_part_thrice(&hull, visit);
            } else {
                clip::each_part(&hull, visit);
            }
        }
    }
}

/// A vector given at the corners of a triangle, at a point in it.
fn interpolated(triangle: [u32; 3], at: DVec3, (positions, values): (&[DVec3], &[DVec3])) -> DVec3 {
    let [a, b, c] = triangle.map(|i| positions[i as usize]);
    let [u, v, w] = triangle.map(|i| values[i as usize]);
    let (ab, ac, ap) = (b - a, c - a, at - a);
    let normal = ab.cross(ac);
    let square = normal.length_squared();
    if !(square > 0.0) {
        return u;
    }
    let s = ap.cross(ac).dot(normal) / square;
    let t = ab.cross(ap).dot(normal) / square;
    u * (1.0 - s - t) + v * s + w * t
}

impl HullPart {
    /// Heights of its lowest and highest points [m]; `mesh` is its mesh in body axes.
    fn reach(&self, mesh: &ClosedMesh, pose: Pose) -> [f64; 2] {
        let z = (pose.center + pose.axes * self.position).z;
        // the vertical in its own axes
        let up = (self.orientation.inverse() * (pose.axes.transpose() * DVec3::Z)).abs();
        let half = match &self.shape {
            HullShape::Sphere(r) => *r,
            HullShape::Cylinder(r, half) => half * up.z + r * (1.0 - up.z * up.z).max(0.0).sqrt(),
            HullShape::Capsule(r, half) => half * up.z + r,
            HullShape::Cuboid(size) => 0.5 * size.dot(up),
            HullShape::Mesh(_) => {
                let row = pose.axes.row(2);
                let heights = mesh.vertices().iter().map(|v| pose.center.z + row.dot(*v));
                let range =
                    heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), z| (a.min(z), b.max(z)));
                return [range.0, range.1];
            }
        };
        [z - half, z + half]
    }

    fn under_plane(&self, mesh: &ClosedMesh, pose: Pose, level: f64, buffers: &mut ClipBuffers) -> Immersion {
        let center = pose.center + pose.axes * self.position;
        let rod = |radius: f64, half_length: f64| {
            let axis = pose.axes * (self.orientation * DVec3::Z);
            Rod { center, axis, radius, half_length }
        };
        match &self.shape {
            HullShape::Sphere(r) => primitive::sphere(center, *r, level, pose.center),
            HullShape::Cylinder(r, half) => primitive::cylinder(&rod(*r, *half), level, pose.center),
            HullShape::Capsule(r, half) => primitive::capsule(&rod(*r, *half), level, pose.center),
            HullShape::Cuboid(_) | HullShape::Mesh(_) => {
                mesh.place(&pose.axes, pose.center, &mut buffers.positions);
                clip::depths_below(&buffers.positions, level, &mut buffers.depths);
                let (positions, depths) = (&buffers.positions, &buffers.depths);
                let hull = clip::Hull { positions, depths, triangles: mesh.triangles() };
                clip::immersed_under_plane(&hull, level, pose.center)
            }
        }
    }
}
