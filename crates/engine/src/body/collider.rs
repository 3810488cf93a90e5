//! Collision geometry of a body: solids, half-spaces, surfaces, height fields and ground, and their surface properties.

use super::shape::Shape;
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// The geometry of a collider, in its own frame [m].
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A solid.
    Solid(Shape),
    /// Everything below z = 0.
    HalfSpace,
    /// Triangles that need not form a closed surface: each collides on the side from which its vertices run
    /// counterclockwise.
    Surface {
        /// Vertices [m].
        vertices: Vec<DVec3>,
        /// Vertex indices.
        triangles: Vec<[u32; 3]>,
    },
    /// Terrain: heights over a grid in x and y, centred on the origin; solid below.
    HeightField {
        /// Heights [m], x running fastest: `heights[i + j * columns]`.
        heights: Vec<f64>,
        /// Grid points along x; at least 2. Along y there are `heights.len() / columns`, at least 2.
        columns: usize,
        /// Distance of neighbouring grid points along x and along y [m].
        spacing: [f64; 2],
    },
    /// Ground that changes: the same, with the heights that a subsystem has in its state
    /// ([`crate::subsystem::Subsystem::heights`]). Its body has to be static and level.
    Ground {
        /// Grid points along x and along y; at least 2.
        nodes: [usize; 2],
        /// Distance of neighbouring grid points [m].
        spacing: f64,
    },
}

impl Geometry {
    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        match self {
            Geometry::Solid(shape) => shape.check().err().map(|e| e.to_string()),
            Geometry::HalfSpace => None,
            Geometry::Surface { vertices, triangles } => {
                let far = |t: &&[u32; 3]| t.iter().any(|v| *v as usize >= vertices.len());
                if let Some(t) = triangles.iter().find(far) {
                    Some(format!("triangle {t:?} names a vertex beyond the {} there are", vertices.len()))
                } else if triangles.is_empty() {
                    Some("a surface without triangles cannot collide: give at least one".to_owned())
                } else if !vertices.iter().all(|v| v.is_finite()) {
                    Some("a vertex is not finite: give coordinates in metres".to_owned())
                } else {
                    None
                }
            }
            Geometry::HeightField { heights, columns, spacing } => {
                let whole = *columns >= 2 && heights.len() % columns == 0 && heights.len() / columns >= 2;
                if !whole {
                    let n = heights.len();
                    Some(format!("{n} heights do not fill a grid of {columns} columns and at least 2 rows"))
                } else if !spacing.iter().all(|s| *s > 0.0 && s.is_finite()) {
                    Some(format!("the grid spacing is {spacing:?}: give two lengths above 0"))
                } else if !heights.iter().all(|h| h.is_finite()) {
                    Some("a height is not finite: give metres".to_owned())
                } else {
                    None
                }
            }
            Geometry::Ground { nodes, spacing } => {
                let whole = nodes.iter().all(|n| (2..=MOST_NODES).contains(n));
                if !whole {
                    Some(format!(
                        "a ground of {} by {} grid points: give 2 to {MOST_NODES}",
                        nodes[0], nodes[1]
                    ))
                } else if !(*spacing > 0.0 && spacing.is_finite()) {
                    Some(format!("the grid spacing is {spacing}: give a length above 0"))
                } else {
                    None
                }
            }
        }
    }
}

/// Largest number of grid points of a ground along an axis: their product has 32 bits.
const MOST_NODES: usize = 65_535;

/// A collision shape of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// Its geometry. Shared: cloning a body does not copy meshes.
    pub geometry: Arc<Geometry>,
    /// Origin of its frame in the body's [m].
    pub at: DVec3,
    /// Orientation of its frame in the body's.
    pub turn: DQuat,
    /// Its surface properties: index of a name in [`crate::contact::surface::Surfaces`].
    pub surface: u16,
    /// The groups it belongs to, one bit each.
    pub groups: u32,
    /// The groups it collides with. Two colliders collide if the mask of each contains a group of the other.
    pub mask: u32,
    /// A trigger reports what overlaps it and exerts no force.
    pub trigger: bool,
    /// Surface velocity in the body's axes [m/s], as of a conveyor belt.
    pub belt: DVec3,
    /// Grain direction in the body's axes, for anisotropic friction; zero for none.
    pub grain: DVec3,
}

impl Collider {
    /// A solid of surface 0 with its frame at the body's, in group 1, colliding with all groups.
    pub fn new(shape: Shape) -> Collider {
        Collider::of(Geometry::Solid(shape))
    }

    /// The same for any geometry.
    pub fn of(geometry: Geometry) -> Collider {
        Collider {
            geometry: Arc::new(geometry),
            at: DVec3::ZERO,
            turn: DQuat::IDENTITY,
            surface: 0,
            groups: 1,
            mask: u32::MAX,
            trigger: false,
            belt: DVec3::ZERO,
            grain: DVec3::ZERO,
        }
    }

    /// The same at a position and orientation in the body.
    pub fn placed(self, at: DVec3, turn: DQuat) -> Collider {
        Collider { at, turn, ..self }
    }

    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        let vectors = [("its position", self.at), ("its belt speed", self.belt), ("its grain", self.grain)];
        if let Some((what, _)) = vectors.iter().find(|(_, v)| !v.is_finite()) {
            return Some(format!("{what} is not finite: give numbers"));
        }
        if (self.turn.length() - 1.0).abs() > 1e-9 {
            return Some(format!(
                "its orientation has length {}: normalise the quaternion",
                self.turn.length()
            ));
        }
        self.geometry.problem()
    }

    /// Whether groups and masks allow two colliders to collide.
    pub fn meets(&self, other: &Collider) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}

/// A collider of the world: the index of its body and its index in the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColliderRef {
    /// Index of the body in the model.
    pub body: u32,
    /// Index of the collider in its body.
    pub collider: u32,
}
