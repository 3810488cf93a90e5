//! A machine's numbers → a world, its bodies and joints added in a given order.

use super::plan::{Bond, Line, Part, Plan, Tie};
use crate::kit::Rig;
use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;

/// Groups of colliders: cables are in the first and touch the floor alone.
const BODIES: u32 = 2;
const FLOOR: u32 = 4;

/// The world of a machine. Of the joints the one beyond the last is the cable.
pub fn world(plan: &Plan, bodies: &[usize], joints: &[usize]) -> World {
    let mut rig = Rig::new(plan.dt, Integrator::Spook);
    if let Some(touch) = plan.touch {
        lay_floor(&mut rig.world, touch);
    }
    let mut ids = vec![rig.ground; plan.parts.len()];
    for &k in bodies {
        ids[k] = add(&mut rig.world, k, &plan.parts[k], plan.touch.is_some());
    }
    for &k in joints {
        match plan.bonds.get(k) {
            Some(bond) => join(&mut rig, k, bond, &ids),
            None => plan.line.iter().for_each(|line| lay(&mut rig, line, &ids, plan.touch.is_some())),
        }
    }
    rig.world
}

fn lay_floor(world: &mut World, touch: ContactParameters) {
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, touch);
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
    let collider = Collider { groups: FLOOR, ..Collider::of(Geometry::HalfSpace) };
    world.add_body(Body::fixed("floor").with_collider(collider), DVec3::ZERO, DQuat::IDENTITY).unwrap();
}

fn add(world: &mut World, k: usize, part: &Part, touches: bool) -> BodyId {
    let mass = Mass { center: part.center, ..Mass::of_total(&part.shape, part.mass).unwrap() };
    let mut body = Body::dynamic(format!("body {k}"), mass);
    if touches {
        let collider = Collider::new(part.shape.clone());
        body = body.with_collider(Collider { groups: BODIES, mask: BODIES | FLOOR, ..collider });
    }
    let id = world.add_body(body, part.at, part.turn).unwrap();
    world.set_velocity(id, part.velocity, part.spin).unwrap();
    id
}

fn join(rig: &mut Rig, k: usize, bond: &Bond, ids: &[BodyId]) {
    let held = bond.parts.map(|p| p.map_or(rig.ground, |p| ids[p]));
    let anchors = [0, 1].map(|e| rig.grip(held[e], bond.at[e], bond.turn));
    let way = bond.at[0].distance(bond.at[1]);
    let kind: JointKind = match bond.tie.clone() {
        Tie::Ball => Ball { anchors }.into(),
        Tie::Hinge(axis) => Hinge { anchors, axis }.into(),
        Tie::Slider(axis) => Slider { anchors, axis }.into(),
        Tie::Cylinder(axes) => Cylinder { anchors, axes }.into(),
        Tie::Universal(axes) => Universal { anchors, axes }.into(),
        Tie::Weld => Weld { anchors }.into(),
        Tie::Rod => Distance::rod(anchors, way).into(),
        Tie::Rope(more) => Distance::between(anchors, 0.0, way + more).into(),
        Tie::Spring(axis) => Distance { anchors, axis }.into(),
    };
    rig.world.add_joint(Joint::new(format!("joint {k}"), kind)).unwrap();
}

fn lay(rig: &mut Rig, line: &Line, ids: &[BodyId], touches: bool) {
    let held = line.parts.map(|p| p.map_or(rig.ground, |p| ids[p]));
    let along = math::facing(line.at[1] - line.at[0]);
    let ends = [0, 1].map(|e| {
        let anchor = rig.grip(held[e], line.at[e], along);
        if line.clamped[e] { End::Fast(anchor) } else { End::Ball(anchor) }
    });
    let spec = CableSpec {
        ends,
        length: Some(line.slack * line.at[0].distance(line.at[1])),
        elements: line.elements,
        surface: touches.then_some(0),
        ..CableSpec::new("cable", line.section, line.at)
    };
    rig.world.add_cable(spec).unwrap();
}
