//! Machine → scene for the page: solids of bodies, lines, joints, inputs, cameras.
//!
//! Bodies are those of the file, in its order. Elements of cables are not among them: cables are lines.

use crate::earth::looks::{self, Pressures};
use crate::gallery::Item;
use crate::line::Line;
use crate::message::{Bounds, Camera, Figure, Fluid, Form, Jointed, LineLook, Solid, Stage, Waves};
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeMap;
use windlass_engine::prelude::{Body, BodyId, Geometry, JointKind, MotionType, Shape};
use windlass_export::{self as export, Picture, Surface};
use windlass_host::Machine;
use windlass_host::pose::pose;
use windlass_scene::visual::{self, Mount, Visual};
use windlass_scene::{Built, FluidSurface, VehicleLook};

/// Number of vertices of a circle of a tessellated shape.
const SEGMENTS: usize = 32;

/// The scene of a machine for the page.
pub fn stage(item: &Item, machine: &Machine, lines: &[Line]) -> Stage {
    let built = machine.built();
    let settings = built.world.model().settings();
    let places: BTreeMap<usize, usize> =
        built.bodies.iter().enumerate().map(|(k, id)| (id.index(), k)).collect();
    let place = |id: BodyId| places.get(&id.index()).copied();
    let seen = built.bodies.iter().zip(&built.looks).enumerate();
    let figures =
        seen.filter_map(|(k, (id, look))| Some(figure(k, built.world.model().bodies().get(*id)?, look)));
    let joints = built.joints.iter().enumerate().filter_map(|(k, id)| {
        let joint = built.world.model().joints().get(*id)?;
        let anchors = joint.constraint().anchors();
        let first = anchors.iter().find(|anchor| place(anchor.body).is_some());
        Some(Jointed {
            id: k,
            name: joint.name.clone(),
            kind: visual::joint_kind(&joint.kind),
            bodies: anchors.iter().filter_map(|anchor| place(anchor.body)).collect(),
            at: first.map(|anchor| anchor.at.to_array()),
            axis: first.filter(|_| has_axis(&joint.kind)).map(|anchor| (anchor.turn * DVec3::Z).to_array()),
        })
    });
    Stage {
        id: item.offer.id.clone(),
        title: machine.scene().title.clone().unwrap_or_else(|| item.offer.title.clone()),
        file: item.file_name(),
        text: machine.text().to_string(),
        tree: windlass_scene::edit::tree(machine.text()).unwrap_or_default(),
        dt: settings.dt,
        gravity: settings.gravity.to_array(),
        bodies: figures.collect(),
        lines: lines.iter().map(|line| line.look.clone()).collect::<Vec<LineLook>>(),
        joints: joints.collect(),
        inputs: built.controls.clone(),
        cameras: built.cameras.iter().map(|c| camera(c, place)).collect(),
        bounds: bounds(built, lines),
        vehicles: VehicleLook::all(&built.world, &built.bodies),
        fluids: built.surfaces().into_iter().map(fluid).collect(),
        grounds: looks::grounds(machine),
        tools: looks::tools(built),
        cylinders: Pressures::of(&built.world).looks(),
        notes: machine.notes().to_vec(),
    }
}

fn fluid(surface: FluidSurface) -> Fluid {
    let FluidSurface { name, level, depth, color, components, ramp } = surface;
    let waves = (!components.is_empty()).then_some(Waves { components, ramp });
    Fluid { name, level, depth: Some(depth).filter(|depth| depth.is_finite()), color, waves }
}

fn figure(id: usize, body: &Body, look: &Visual) -> Figure {
    let planes: Vec<_> = body.colliders.iter().filter(|c| *c.geometry == Geometry::HalfSpace).collect();
    // a plane is drawn as a wide, flat mesh behind all other solids of its body
    let solid_count = look.solids.len().saturating_sub(planes.len());
    let mut shapes = Vec::new();
    for solid in &look.solids[..solid_count] {
        add(&mut shapes, &solid.shape, (solid.at, solid.orientation), solid);
    }
    for (plane, solid) in planes.iter().zip(&look.solids[solid_count..]) {
        shapes.push(shown(Form::Plane, (plane.at, plane.turn), solid));
    }
    let kind = match body.kind {
        MotionType::Static => "static",
        MotionType::Kinematic(_) | MotionType::Catenary => "kinematic",
        MotionType::Dynamic => "dynamic",
    };
    let (center, inertia) = match body.is_dynamic() {
        true => (Some(body.mass.center.to_array()), Some(moments(&body.mass.inertia))),
        false => (None, None),
    };
    Figure { id, name: body.name.clone(), kind, mass: body.mass.mass, center, inertia, shapes }
}

/// The six entries of a symmetric matrix: xx, yy, zz, xy, xz, yz.
fn moments(inertia: &DMat3) -> [f64; 6] {
    let [x, y, z] = [inertia.x_axis, inertia.y_axis, inertia.z_axis];
    [x.x, y.y, z.z, y.x, z.x, z.y]
}

/// Adds the primitives of a shape, those of a compound one by one.
fn add(out: &mut Vec<Solid>, shape: &Shape, place: (DVec3, DQuat), look: &visual::Solid) {
    let form = match shape {
        Shape::Sphere { radius } => Form::Sphere { radius: *radius },
        Shape::Box { half } => Form::Box { size: (2.0 * *half).to_array() },
        Shape::Cylinder { radius, half_length } => {
            Form::Cylinder { radius: *radius, length: 2.0 * half_length }
        }
        Shape::Capsule { radius, half_length } => {
            Form::Capsule { radius: *radius, length: 2.0 * half_length }
        }
        Shape::Cone { radius, half_height } => Form::Cone { radius: *radius, length: 2.0 * half_height },
        Shape::Mesh { vertices, triangles } => mesh(vertices, triangles.iter().copied()),
        Shape::Convex { .. } => match Surface::of(shape, SEGMENTS) {
            Ok(surface) => mesh(&surface.positions, surface.triangles()),
            Err(_) => return,
        },
        Shape::Compound { parts } => {
            for (at, turn, part) in parts {
                add(out, part, (place.0 + place.1 * *at, place.1 * *turn), look);
            }
            return;
        }
    };
    out.push(shown(form, place, look));
}

fn mesh(corners: &[DVec3], triangles: impl Iterator<Item = [u32; 3]>) -> Form {
    let positions = corners.iter().flat_map(|p| p.as_vec3().to_array()).collect();
    Form::Mesh { positions, triangles: triangles.flatten().collect() }
}

fn shown(form: Form, (at, turn): (DVec3, DQuat), look: &visual::Solid) -> Solid {
    Solid {
        form,
        at: at.to_array(),
        turn: [turn.w, turn.x, turn.y, turn.z],
        color: look.color,
        material: Some(look.material.clone()).filter(|name| !name.is_empty()),
    }
}

fn camera(camera: &visual::Camera, place: impl Fn(BodyId) -> Option<usize>) -> Camera {
    let (mount, body) = match camera.mount {
        Mount::World => ("world", None),
        Mount::On(id) => ("on", place(id)),
        Mount::Follow(id) => ("follow", place(id)),
        Mount::Heading(id) => ("heading", place(id)),
    };
    Camera {
        name: camera.name.clone(),
        mount,
        body,
        position: camera.position.to_array(),
        target: camera.target.to_array(),
        up: camera.up.to_array(),
        angle: camera.angle,
    }
}

/// Bounding box of all solids, lines and grounds except planes; a cube of 2 m about the origin if there are none.
fn bounds(built: &Built, lines: &[Line]) -> Bounds {
    let is_plane = |id: BodyId| {
        let body = built.world.model().bodies().get(id);
        body.is_some_and(|b| b.colliders.iter().any(|c| *c.geometry == Geometry::HalfSpace))
    };
    let seen = built.bodies.iter().zip(&built.looks).filter(|(id, _)| !is_plane(**id));
    let (mut bodies, mut poses) = (Vec::new(), Vec::new());
    for (id, look) in seen {
        let solid = |s: &visual::Solid| export::Solid {
            shape: s.shape.clone(),
            at: s.at,
            orientation: s.orientation,
            ..export::Solid::default()
        };
        bodies.push(export::Figure { name: String::new(), solids: look.solids.iter().map(solid).collect() });
        poses.push(pose(built, *id));
    }
    let picture = Picture { bodies, ..Picture::default() };
    let points = lines.iter().flat_map(|line| line.pieces(&built.world)).flatten().map(|p| p.0);
    let solid = picture.bounds(&poses);
    let all =
        points.fold(solid, |seen, p| Some(seen.map_or((p, p), |(low, high)| (low.min(p), high.max(p)))));
    let (low, high) = looks::extended(all, &built.world).unwrap_or((DVec3::NEG_ONE, DVec3::ONE));
    Bounds { low: low.to_array(), high: high.to_array() }
}

/// Whether a type of joint rotates about or slides along the z axis of its frames.
fn has_axis(kind: &JointKind) -> bool {
    use JointKind::{Cylinder, Hinge, PointOnLine, Screw, Slider};
    matches!(kind, Hinge(_) | Slider(_) | Cylinder(_) | Screw(_) | PointOnLine(_))
}
