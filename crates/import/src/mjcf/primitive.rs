//! Fits a sphere, capsule, cylinder, ellipsoid or box to a mesh.
//!
//! A `<geom>` of such a type, or of none, that names a mesh is fitted to it. The box with the same moments of inertia
//! has the half sizes bₖ = ½ √(6 (Iᵢ + Iⱼ − Iₖ)/m), at the mesh's centre of mass in its principal axes, z along the
//! longest. A box and ellipsoid have the half sizes of this box, a sphere their mean as radius, a capsule and a
//! cylinder the mean of the first two. `fitscale` enlarges the result. With `fitaabb` MuJoCo takes the box around all
//! points instead; a note reports it.

use super::Reader;
use super::defaults::View;
use crate::error::ImportError;
use crate::machine::{Form, Pose};
use crate::notes::NoteKind;
use crate::xml::{Attribute, Element};
use glam::{DMat3, DQuat, DVec3};
use windlass_engine::prelude::Mass;

impl<'a> Reader<'a> {
    /// The shape of a type fitted to a mesh, and its pose in the axes of the geom; none, with a note, if the mesh has
    /// no volume or cannot be read.
    pub fn fitted(
        &mut self,
        element: &'a Element,
        view: &View<'a>,
        kind: &str,
        mesh: &Attribute,
    ) -> Result<Option<(Form, Pose)>, ImportError> {
        let scale = view.get("fitscale").map_or(Ok(1.0), Attribute::not_negative)?;
        // the mesh overrides a given size
        view.get("size");
        let Some((_, solid)) = self.mesh_form(element, Some(mesh))? else { return Ok(None) };
        let Some(solid) = solid else {
            element.excuse();
            let what = format!("a {kind} fitted to a mesh without volume: give it a `size`");
            self.notes.count(NoteKind::Ignored, &element.place, what);
            return Ok(None);
        };
        if self.compiler.fit_bounds {
            let what = "`fitaabb`: shapes are fitted to moments of inertia of their meshes, not to boxes around them";
            self.notes.count(NoteKind::Approximated, &element.place, what);
        }
        let (half, turn) = box_of(&solid);
        let half = half * scale;
        let radius = (half.x + half.y) / 2.0;
        let form = match kind {
            "capsule" => Form::Capsule(radius, 2.0 * (half.z - radius / 2.0).max(0.0)),
            "cylinder" => Form::Cylinder(radius, 2.0 * half.z),
            "box" => Form::Box(half * 2.0),
            "ellipsoid" => Form::Ellipsoid(half),
            _ => Form::Sphere(half.element_sum() / 3.0),
        };
        Ok(Some((form, Pose::new(solid.center, turn))))
    }
}

/// Half sizes of the box with the moments of a mass, and its axes: z is the longest.
fn box_of(mass: &Mass) -> (DVec3, DQuat) {
    // from the least moment to the greatest
    let (moments, axes) = mass.principal_axes();
    let axes = DMat3::from_quat(axes);
    let sum = moments.element_sum();
    let half = |moment: f64| 0.5 * libm::sqrt((6.0 * (sum - 2.0 * moment) / mass.mass).max(0.0));
    let frame = DMat3::from_cols(-axes.z_axis, axes.y_axis, axes.x_axis);
    (DVec3::new(half(moments.z), half(moments.y), half(moments.x)), DQuat::from_mat3(&frame).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_engine::prelude::Shape;

    #[test]
    fn the_box_of_a_box_is_itself() {
        let mass = Mass::of(&Shape::Box { half: DVec3::new(0.3, 0.1, 0.2) }, 7.0).expect("a box");
        let (half, turn) = box_of(&mass);
        assert!((half - DVec3::new(0.1, 0.2, 0.3)).length() < 1e-12, "{half}");
        assert!((turn * DVec3::Z).abs().abs_diff_eq(DVec3::X, 1e-12), "{turn}");
        assert!((turn.length() - 1.0).abs() < 1e-12);
    }
}
