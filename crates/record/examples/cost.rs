//! spike
use glam::{DQuat, DVec3};
use std::time::Instant;
use windlass_engine::prelude::*;
fn chain(links: usize, dt: f64, twist: f64) -> World {
    let mut world = World::default();
    world.set(|s| s.dt = dt).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Cylinder { radius: 0.01, half_length: 0.05 }, 0.25).unwrap();
    let (mut last, mut end) = (ground, DVec3::ZERO);
    let along = DVec3::new(0.5, 0.0, -libm::sqrt(0.75));
    let turn = DQuat::from_rotation_arc(DVec3::Z, along);
    for i in 0..links {
        let at = along * (0.1 * i as f64 + 0.05);
        let b = world.add_body(Body::free(format!("link {i}"), mass), at, turn).unwrap();
        world
            .add_joint(Joint::new(
                format!("eye {i}"),
                Ball { anchors: [Anchor::point(last, end), Anchor::point(b, -0.05 * DVec3::Z)] },
            ))
            .unwrap();
        world.set_velocity(b, DVec3::new(0.0, twist * i as f64 * 0.05, 0.0), DVec3::ZERO).unwrap();
        (last, end) = (b, 0.05 * DVec3::Z);
    }
    world
}
fn main() {
    for (dt, tw) in [(1.0 / 60.0, 0.0), (1.0 / 60.0, 1.0), (1.0 / 240.0, 1.0)] {
        let mut w = chain(100, dt, tw);
        for _ in 0..120 {
            w.step();
        }
        let n = 1200;
        let mut ts = vec![];
        let mut tb = vec![];
        let mut th = vec![];
        let mut buf = vec![];
        let mut x = 0;
        for _ in 0..n {
            let t = Instant::now();
            w.step();
            ts.push(t.elapsed().as_nanos());
            let t = Instant::now();
            buf.clear();
            w.state().write_bytes(&mut buf);
            tb.push(t.elapsed().as_nanos());
            let t = Instant::now();
            x ^= windlass_engine::world::snapshot::hash(&buf);
            th.push(t.elapsed().as_nanos());
        }
        for v in [&mut ts, &mut tb, &mut th] {
            v.sort();
        }
        println!(
            "dt {dt} step {} bytes {} hash {} ns; size {} zstd1 {} zstd3 {} {x}",
            ts[n / 20],
            tb[n / 20],
            th[n / 20],
            buf.len(),
            zstd::bulk::compress(&buf, 1).unwrap().len(),
            zstd::bulk::compress(&buf, 3).unwrap().len()
        );
    }
}
