//! Joints that differ only in what an operator could set: drives, and the target of a drag spring.

use super::same;
use std::slice;
use windlass_engine::prelude::{Anchor, Axis, Joint, JointKind};

/// The coordinates whose drives differ, if nothing else does.
pub(super) fn drives<'j>(old: &Joint, new: &'j Joint) -> Option<Vec<(usize, &'j Axis)>> {
    let mut driven = old.clone();
    let wanted = new.constraint().axes();
    let mut changed = Vec::new();
    for (number, (axis, wanted)) in axes_mut(&mut driven.kind).iter_mut().zip(wanted).enumerate() {
        if axis.drive != wanted.drive {
            axis.drive = wanted.drive.clone();
            changed.push((number, wanted));
        }
    }
    (!changed.is_empty() && same(&driven, new)).then_some(changed)
}

/// The target of a drag spring, if nothing else has changed.
pub(super) fn target<'j>(old: &Joint, new: &'j Joint) -> Option<&'j Anchor> {
    let mut moved = old.clone();
    let (JointKind::Tether(grab), JointKind::Tether(wanted)) = (&mut moved.kind, &new.kind) else {
        return None;
    };
    let target = &wanted.anchors[0];
    (grab.anchors[0].at, grab.anchors[0].turn) = (target.at, target.turn);
    same(&moved, new).then_some(target)
}

/// The axes of a joint's coordinates.
fn axes_mut(kind: &mut JointKind) -> &mut [Axis] {
    match kind {
        JointKind::Hinge(j) => slice::from_mut(&mut j.axis),
        JointKind::Slider(j) => slice::from_mut(&mut j.axis),
        JointKind::Distance(j) => slice::from_mut(&mut j.axis),
        JointKind::PointOnLine(j) => slice::from_mut(&mut j.axis),
        JointKind::Screw(j) => slice::from_mut(&mut j.axis),
        JointKind::Cylinder(j) => &mut j.axes,
        JointKind::Universal(j) => &mut j.axes,
        JointKind::Planar(j) => &mut j.axes,
        JointKind::SixDof(j) => &mut j.axes,
        JointKind::CarWheel(j) => &mut j.axes,
        _ => &mut [],
    }
}
