//! The camera with which the studio shows a scene of the gallery first keeps what moves in its picture.

use crate::client::{Client, run, studio};
use glam::{DVec2, DVec3};
use std::path::Path;
use windlass_engine::prelude::{BodyId, World};
use windlass_scene::visual::{Camera, Mount, View};
use windlass_scene::{Built, read};

/// Width per height of the picture.
const ASPECT: f64 = 16.0 / 9.0;
/// Largest distance from the centre of the picture, in halves of its width and height.
const INSIDE: f64 = 0.9;

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
        for body in &bodies {
            let at = built.world.state().bodies[body.index()].position;
            let place = seen(&camera, &built.world, at);
            if !place.is_some_and(|[x, y]| x.abs() < INSIDE && y.abs() < INSIDE) {
                let name = &built.world.model().bodies().get(*body).expect("it exists").name;
                lost.push(format!("{name} at t = {:.2} s: {place:.2?}", built.world.state().time));
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
