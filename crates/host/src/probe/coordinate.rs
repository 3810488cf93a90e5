//! Coordinates of joints: which are rotations, and those of a straight rope.

use windlass_engine::prelude::{Anchor, JointKind, Measure};

/// Whether coordinate `k`, counted from 0, is a rotation [rad]; else it is a displacement [m].
pub fn is_rotation(kind: &JointKind, k: usize) -> bool {
    match kind {
        JointKind::Hinge(_) | JointKind::Universal(_) | JointKind::Screw(_) | JointKind::Link(_) => true,
        JointKind::Rope(_) => true,
        JointKind::Cylinder(_) => k == 0,
        JointKind::Planar(_) => k == 2,
        JointKind::SixDof(_) => k >= 3,
        JointKind::CarWheel(_) => k >= 1,
        JointKind::LinearCoupling(c) => {
            c.terms.get(k).is_some_and(|(measure, _)| *measure == Measure::Rotation)
        }
        JointKind::Slider(_) | JointKind::Distance(_) | JointKind::PointOnLine(_) => false,
        JointKind::Ball(_) | JointKind::ConstantVelocity(_) | JointKind::Weld(_) | JointKind::Tether(_) => {
            false
        }
        JointKind::PointOnPlane(_) | JointKind::Custom(_) => false,
    }
}

/// The ends of a rope without points between them. Its one coordinate is their distance [m].
pub fn straight_rope(kind: &JointKind) -> Option<[Anchor; 2]> {
    let JointKind::Rope(rope) = kind else { return None };
    let is_bare = rope.vias.iter().all(|via| via.radius == 0.0);
    rope.anchors.as_slice().try_into().ok().filter(|_| is_bare)
}
