//! The camera with which the studio shows a scene of the gallery first keeps what moves in its picture.

use crate::client::{Client, run, studio};
use glam::{DVec2, DVec3};
use std::path::Path;
use windlass_engine::prelude::{BodyId, World};
use windlass_export::Surface;
use windlass_host::pose::pose;
use windlass_scene::visual::{Camera, Mount, View};
use windlass_scene::{Built, read};

/// Width per height of the picture.
const ASPECT: f64 = 16.0 / 9.0;
/// Largest distance from the centre of the picture, in halves of its width and height: of centres of bodies, and of any
/// point of their surfaces.
const INSIDE: [f64; 2] = [0.9, 1.0];
/// Faces around what is round.
const SEGMENTS: usize = 12;

/// Where a point is in the picture, from −1 to 1 in both directions; none behind the camera.
fn seen(camera: &Camera, world: &World, point: DVec3) -> Option<[f64; 2]> {
    let View { position: eye, target, up } = camera.view(world);
    let forward = (target - eye).normalize();
    let right = forward.cross(up).normalize();
    let (away, depth) = (point - eye, forward.dot(point - eye));
    let edge = DVec2::from_angle(camera.angle / 2.0);
    let half = edge.y / edge.x * depth;
    (depth > 0.0).then(|| [away.dot(right) / (half * ASPECT), away.dot(right.cross(forward)) / half])
}

/// Points of the surface of a body as it is drawn.
fn surface(built: &Built, body: BodyId) -> Vec<DVec3> {
    let at = built.bodies.iter().position(|id| *id == body).expect("it is listed");
    let (origin, orientation) = pose(built, body);
    let drawn = built.looks[at].solids.iter().filter_map(|solid| {
        let surface = Surface::of(&solid.shape, SEGMENTS).ok()?;
        Some(surface.moved(solid.at, solid.orientation).moved(origin, orientation).positions)
    });
    drawn.flatten().collect()
}

/// Moving bodies at the start, in the middle and at the end.
fn lost(built: &mut Built, seconds: f64) -> Vec<String> {
    let dt = built.world.model().settings().dt;
    let steps = (seconds / dt).round() as u64;
    // as the page does: the first that is fixed in the world
    // or one that moves with a vehicle
    let first = |c: &&Camera| matches!(c.mount, Mount::World | Mount::Heading(_)) && c.name != "default";
    let camera = built.cameras.iter().find(first);
    let Some(camera) = camera.cloned() else { return vec!["no fixed camera".to_string()] };
    let bodies: Vec<BodyId> = {
        let model = built.world.model();
        let moves = |id: &BodyId| model.bodies().get(*id).is_some_and(|body| body.is_dynamic());
        built.bodies.iter().copied().filter(moves).collect()
    };
    let mut lost = Vec::new();
    for moment in 0..3 {
        while moment > 0 && built.world.state().step < moment * steps / 2 {
            let report = built.world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
        }
        let far = |point: DVec3| match seen(&camera, &built.world, point) {
            Some([x, y]) => x.abs().max(y.abs()),
            None => f64::INFINITY,
        };
        for body in &bodies {
            let centre = far(built.world.state().bodies[body.index()].position);
            let edge = surface(built, *body).into_iter().map(far).fold(0.0, f64::max);
            if !(centre < INSIDE[0] && edge < INSIDE[1]) {
                let name = &built.world.model().bodies().get(*body).expect("it exists").name;
                let time = built.world.state().time;
                lost.push(format!("{name} at t = {time:.2} s: centre {centre:.2}, edge {edge:.2}"));
            }
        }
    }
    lost
}

#[test]
fn what_moves_stays_in_the_picture() {
    run(async {
        let studio = studio();
        let mut client = Client::of(&studio).await;
        let hello = client.told("hello", |_| true).await;
        let mut bad = Vec::new();
        for offer in hello["scenes"].as_array().expect("a list") {
            let id = offer["id"].as_str().expect("an id");
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{id}.toml"));
            let scene = read(&path).unwrap_or_else(|e| panic!("{id}: {e}"));
            let mut built = scene.build().unwrap_or_else(|e| panic!("{id}: {e}"));
            let seconds = built.seconds;
            bad.extend(lost(&mut built, seconds).into_iter().map(|line| format!("{id}: {line}")));
        }
        assert!(bad.is_empty(), "not in the picture:\n{}", bad.join("\n"));
    });
}
