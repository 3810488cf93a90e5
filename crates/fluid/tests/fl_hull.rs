//! FL01, FL02, FL34, FL35: volumes, facets and panels.

use crate::kit::*;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::panels::{self, Boundaries};
use windlass_fluid::clip::{self, Facet};
use windlass_fluid::hull::{ClipBuffers, Pose};
use windlass_fluid::mesh::ClosedMesh;
use windlass_fluid::resistance::{Motion, ProjectedLaw, Resistance};
use windlass_fluid::{Hull, HullPart, HullShape};

fn hull(shape: HullShape) -> Hull {
    Hull::new(vec![HullPart { position: DVec3::ZERO, orientation: DQuat::IDENTITY, shape }]).unwrap()
}

fn case(id: &str) -> Case {
    Case::new(id, Integrator::Spook, 1e-3)
}

#[test]
fn fl01_immersed_part_of_a_box() {
    let case = case("FL01");
    let box_of = hull(HullShape::Cuboid(DVec3::new(2.0, 1.0, 0.5)));
    let axes = DMat3::from_quat(math::exp(DVec3::new(0.4, -0.3, 0.7)));
    let pose = Pose { center: DVec3::new(0.1, -0.2, 0.05), axes };
    let mut buffers = ClipBuffers::default();
    let found = box_of.under_plane(pose, 0.0, &mut buffers);
    let load = box_of.under_pressure(pose, &mut buffers, |_, b| {
        clip::depths_below(&b.positions, 0.0, &mut b.depths);
        b.pressures.clone_from(&b.depths);
    });
    case.finds("immersed volume", found.volume);
    case.finds("centre of buoyancy", found.center);
    let level = (load.force.x * load.force.x + load.force.y * load.force.y).sqrt();
    case.finds("horizontal force over displaced weight", level / found.volume);
    near_part("weight of the displaced water", load.force.z, found.volume, 1e-12);
}

#[test]
fn fl02_immersed_parts_of_round_solids() {
    let case = case("FL02");
    let mut buffers = ClipBuffers::default();
    let mut tilted = |shape: HullShape, tilt: f64, z: f64| {
        let turn = math::turn(DVec3::Y, tilt.to_radians());
        let pose = Pose { center: DVec3::Z * z, axes: DMat3::from_quat(turn) };
        let found = hull(shape).under_plane(pose, 0.0, &mut buffers);
        (found.volume, turn.inverse() * (found.center - pose.center), found.center)
    };
    let (volume, center, _) = tilted(HullShape::Cylinder(0.3, 1.0), 30.0, 0.2);
    case.finds("cylinder: volume", volume);
    case.finds("cylinder: centre along the axis, across it", [center.z, center.x]);
    let (volume, _, center) = tilted(HullShape::Sphere(0.5), 0.0, 0.1);
    case.finds("sphere: volume", volume);
    case.finds("sphere: height of the centre", center.z);
    case.finds("capsule: volume", tilted(HullShape::Capsule(0.3, 0.5), 50.0, -0.1).0);
}

/// The facets of a mesh in an unbounded fluid.
fn facets(mesh: &ClosedMesh) -> Vec<Facet> {
    let depths = vec![1.0; mesh.vertices().len()];
    let hull = clip::Hull { positions: mesh.vertices(), depths: &depths, triangles: mesh.triangles() };
    let mut all = Vec::new();
    clip::each_part(&hull, |facet| all.push(facet));
    all
}

#[test]
fn fl34_facets_in_a_stream() {
    let case = case("FL34");
    // oblique: along an axis of the icosphere the errors of its facets cancel by symmetry
    let along = DVec3::new(1.0, 0.3, 0.2).normalize();
    let sphere = ClosedMesh::icosphere(1.0, 3);
    let area: f64 = facets(&sphere).iter().map(|f| f.area * f.normal.dot(along).max(0.0)).sum();
    case.finds("projected area", area);
    let pushed = |mesh: &ClosedMesh, law: ProjectedLaw, velocity: DVec3| {
        let motion = Motion { center: DVec3::ZERO, velocity, spin: DVec3::ZERO };
        let mut sum = Resistance::ZERO;
        facets(mesh).iter().for_each(|f| sum.add_projected(&motion, f, &law, DVec3::ZERO));
        sum.wrench_at(velocity, DVec3::ZERO).0
    };
    let small = ClosedMesh::icosphere(0.1, 3);
    let law = ProjectedLaw { density: 1000.0, drag: 0.47, lift: 0.0 };
    let drag = -pushed(&small, law, along * 2.0).dot(along);
    case.finds("drag of the sphere", drag);
    let lifted = pushed(&small, ProjectedLaw { lift: 1.0, ..law }, along * 2.0);
    case.finds("lift of the sphere over its drag", (lifted - along * lifted.dot(along)).length() / drag);
    // a thin plate at 30° to the stream
    let angle = 30.0_f64.to_radians();
    let plate = ClosedMesh::cuboid(DVec3::new(1.0, 1.0, 1e-6));
    let v = DVec3::new(libm::cos(angle), 0.0, libm::sin(angle));
    let force = pushed(&plate, ProjectedLaw { drag: 0.0, lift: 1.0, ..law }, v);
    case.finds("lift of the plate", force.length());
}

#[test]
fn fl35_panels() {
    let case = case("FL35");
    let found = |mesh: &ClosedMesh, volume: f64| {
        let bounds = Boundaries::default();
        let found = panels::added_mass(mesh.vertices(), mesh.triangles(), DVec3::ZERO, 1.0, &bounds).unwrap();
        found.scaled_to(volume).diagonal()
    };
    let ball = ClosedMesh::icosphere(1.0, 3);
    case.finds("sphere", found(&ball, 4.0 / 3.0 * PI).0.x);
    let axes = DVec3::new(3.0, 2.0, 1.0);
    let stretched: Vec<DVec3> = ball.vertices().iter().map(|v| *v * axes).collect();
    let (linear, angular) = found(&ClosedMesh::new(&stretched, ball.triangles()).unwrap(), 8.0 * PI);
    case.finds("ellipsoid along its axes", linear);
    case.finds("ellipsoid about its axes", angular);
    let cube = ClosedMesh::cuboid(DVec3::ONE).refined(0.21);
    case.finds("cube", found(&cube, 1.0).0.x);
}
