//! Bodies as walls that particles meet: their solid colliders, at the end of a step.

use super::model::GroundModel;
use crate::particle::{Hull, Mesh, Wall, WallShape};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use std::sync::Arc;
use windlass_engine::body::collider::Geometry;
use windlass_engine::prelude::{BodyState, Shape, View};

/// Corners of a cone's base as a hull.
const CORNERS: usize = 16;

/// Friction of soil without a law of its own on bodies, about tan 22°.
const STEEL: f64 = 0.4;

/// A solid of a body.
#[derive(Debug)]
struct Solid {
    body: u32,
    /// The collider's geometry, kept alive so that its address tells whether it is the same.
    geometry: Arc<Geometry>,
    /// Pieces, with their places in the body's frame.
    pieces: Vec<(DVec3, DQuat, WallShape)>,
}

/// The walls of a world.
#[derive(Debug, Default)]
pub(super) struct Walls {
    solids: Vec<Solid>,
    /// At the end of the step.
    pub list: Vec<Wall>,
}

impl Walls {
    /// Places all walls; their shapes are made again only if a collider has changed.
    pub fn place(&mut self, view: &View<'_>, bodies: &[BodyState], grounds: &[GroundModel]) {
        let is_ground = |body: usize| grounds.iter().any(|ground| ground.body.index() == body);
        let colliders = || {
            view.bodies.list.iter().filter(|(place, _)| !is_ground(*place)).flat_map(|(place, body)| {
                body.colliders.iter().filter(|c| !c.trigger && c.groups != 0).map(move |c| (place as u32, c))
            })
        };
        let same = |solid: &Solid, (body, collider): (u32, &_)| {
            let collider: &windlass_engine::prelude::Collider = collider;
            solid.body == body && Arc::ptr_eq(&solid.geometry, &collider.geometry)
        };
        let known = self.solids.len() == colliders().count()
            && self.solids.iter().zip(colliders()).all(|(solid, collider)| same(solid, collider));
        if !known {
            self.solids = colliders()
                .map(|(body, collider)| {
                    let mut pieces = Vec::new();
                    pieces_of(&collider.geometry, (collider.at, collider.turn), &mut pieces);
                    Solid { body, geometry: collider.geometry.clone(), pieces }
                })
                .collect();
        }
        self.list.clear();
        for (number, solid) in self.solids.iter().enumerate() {
            let (place, Some(body)) = (solid.body as usize, view.bodies.list.at(solid.body as usize)) else {
                continue;
            };
            let (before, after) = (&view.bodies.states[place], &bodies[place]);
            let velocity = (after.position - before.position) / view.dt;
            for (k, (at, turn, shape)) in solid.pieces.iter().enumerate() {
                self.list.push(Wall {
                    id: (number as u64) << 16 | k as u64,
                    shape: shape.clone(),
                    position: after.position + after.orientation * (*at - body.mass.center),
                    rotation: after.orientation * *turn,
                    owner: Some(solid.body),
                    origin: after.position,
                    velocity,
                    spin: after.angular_velocity,
                    // each soil has its own
                    friction: STEEL,
                    adhesion: 0.0,
                    is_steel: true,
                });
            }
        }
    }
}

/// The pieces of a geometry. Height fields and what particles cannot meet have none.
fn pieces_of(geometry: &Geometry, place: (DVec3, DQuat), out: &mut Vec<(DVec3, DQuat, WallShape)>) {
    match geometry {
        Geometry::Solid(shape) => solid(shape, place, out),
        Geometry::HalfSpace => out.push((place.0, place.1, WallShape::Plane)),
        Geometry::Surface { vertices, triangles } => mesh(vertices, triangles, place, out),
        Geometry::HeightField { .. } | Geometry::Ground { .. } => {}
    }
}

fn solid(shape: &Shape, (at, turn): (DVec3, DQuat), out: &mut Vec<(DVec3, DQuat, WallShape)>) {
    let mut hull = |points: &[DVec3]| {
        out.extend(Hull::new(points).ok().map(|hull| (at, turn, WallShape::Hull(Arc::new(hull)))));
    };
    let shape = match shape {
        Shape::Sphere { radius } => WallShape::Sphere(*radius),
        Shape::Box { half } => WallShape::Box(*half),
        Shape::Capsule { radius, half_length } => {
            WallShape::Capsule { radius: *radius, half_length: *half_length }
        }
        Shape::Cylinder { radius, half_length } => {
            WallShape::Cylinder { radius: *radius, half_length: *half_length }
        }
        Shape::Cone { radius, half_height } => {
            let corner = |k: usize| {
                let (sin, cos) = libm::sincos(TAU * k as f64 / CORNERS as f64);
                DVec3::new(radius * cos, radius * sin, -half_height)
            };
            let points: Vec<DVec3> = (0..CORNERS).map(corner).chain([DVec3::Z * *half_height]).collect();
            return hull(&points);
        }
        Shape::Convex { points } => return hull(points),
        Shape::Mesh { vertices, triangles } => return mesh(vertices, triangles, (at, turn), out),
        Shape::Compound { parts } => {
            for (inner, spin, part) in parts {
                solid(part, (at + turn * *inner, turn * *spin), out);
            }
            return;
        }
    };
    out.push((at, turn, shape));
}

fn mesh(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    (at, turn): (DVec3, DQuat),
    out: &mut Vec<(DVec3, DQuat, WallShape)>,
) {
    out.extend(Mesh::new(vertices, triangles).ok().map(|mesh| (at, turn, WallShape::Mesh(Arc::new(mesh)))));
}
