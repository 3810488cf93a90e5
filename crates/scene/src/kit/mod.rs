//! Ready-made 3D models of machine parts: dimensions → closed triangle meshes, by finish.
//!
//! ```text
//!  model = { lattice_boom = { length = 30, width = 1.2 } }  →  [(own, chords and struts), (steel, pins)]
//! ```
//!
//! They are only drawn: they have no mass and do not collide. As they are ordinary solids, pictures, glTF, USD, POV-Ray
//! and the studio show the same. `own` is in the colour of the visual; all other finishes have their own.

pub(crate) mod lattice;
pub(crate) mod rigging;
pub(crate) mod rotating;
pub(crate) mod transport;
mod trimesh;

pub(crate) use trimesh::Trimesh;

/// The finish of a piece of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Finish {
    /// Material and colour of the visual.
    Own,
    Steel,
    Dark,
    Rubber,
    Glass,
    Vest,
    Skin,
}

impl Finish {
    /// Name of its material and its colour, red, green and blue; none if both are those of the visual.
    pub fn material(self) -> Option<(&'static str, [f64; 3])> {
        Some(match self {
            Finish::Own => return None,
            Finish::Steel => ("steel", [0.50, 0.53, 0.56]),
            Finish::Dark => ("rubber", [0.16, 0.17, 0.19]),
            Finish::Rubber => ("rubber", [0.10, 0.10, 0.11]),
            Finish::Glass => ("glass", [0.62, 0.76, 0.80]),
            Finish::Vest => ("nylon", [0.93, 0.42, 0.08]),
            Finish::Skin => ("nylon", [0.80, 0.60, 0.47]),
        })
    }
}

/// Meshes with their finishes.
pub(crate) type Pieces = Vec<(Finish, Trimesh)>;

/// Pieces of the same finish as one.
fn merged(pieces: Pieces) -> Pieces {
    let mut out: Pieces = Vec::new();
    for (finish, mesh) in pieces {
        match out.iter_mut().find(|(other, _)| *other == finish) {
            Some((_, whole)) => whole.add(&mesh, glam::DVec3::ZERO, glam::DQuat::IDENTITY),
            None => out.push((finish, mesh)),
        }
    }
    out
}
