//! Added mass: the kinetic energy ½ uᵀ K_F u of the fluid around a moving body, from the body's shape.
//!
//! | file | content |
//! |---|---|
//! | `definite.rs` | definiteness of 6 × 6 matrices |
//! | `closed_form.rs`, `tables.rs` | sphere, ellipsoid, disc, cylinder, capsule, box |
//! | `shapes.rs` | parts of a hull, deep in the fluid and afloat |
//! | `growth.rs`, `of_body.rs` | added mass over the immersion of a body |
//! | `panels.rs`, `boundaries.rs`, `panel_mesh.rs`, `panel_influence.rs` | closed triangle meshes, by sources on their triangles |

mod boundaries;
pub mod closed_form;
pub mod definite;
pub mod growth;
pub mod of_body;
mod panel_influence;
mod panel_mesh;
pub mod panels;
pub mod shapes;
mod tables;
#[cfg(test)]
pub(crate) mod test_meshes;
