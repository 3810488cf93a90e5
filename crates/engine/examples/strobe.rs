//! Draws the picture of the README: a load of 200 kg on a chain of 24 one-kilogram links, let go at 70°.
//!
//! Run: `cargo run --release --example strobe > docs/images/swing.svg`.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

const LINKS: usize = 24;
const LENGTH: f64 = 0.25;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::default();
    // the fastest sideways mode of the taut chain, √(12 T/(m l)), wants about 3 ms
    world.set(|s| s.dt = 1.0 / 480.0)?;
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY)?;
    let lean = windlass_engine::math::turn(DVec3::Y, -70f64.to_radians());
    let down = lean * -DVec3::Z;
    let shape = Shape::Cylinder { radius: 0.02, half_length: 0.5 * LENGTH };
    let mut last = Anchor::point(ground, DVec3::ZERO);
    let mut joints = Vec::new();
    for i in 0..LINKS {
        let at = down * (LENGTH * (i as f64 + 0.5));
        let link = world.add_body(Body::dynamic("link", Mass::of_total(&shape, 1.0)?), at, lean)?;
        let anchors = [last, Anchor::point(link, 0.5 * LENGTH * DVec3::Z)];
        joints.push(world.add_joint(Joint::new("joint", Ball { anchors }))?);
        last = Anchor::point(link, -0.5 * LENGTH * DVec3::Z);
    }
    let load = Mass::of_total(&Shape::Box { half: DVec3::splat(0.35) }, 200.0)?;
    let load = world.add_body(Body::dynamic("load", load), down * (LENGTH * LINKS as f64 + 0.35), lean)?;
    world.add_joint(Joint::new("hook", Ball { anchors: [last, Anchor::point(load, 0.35 * DVec3::Z)] }))?;

    println!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-7.2 -0.7 14.4 7.8" width="960" height="520">"#
    );
    println!(r##"<rect x="-7.2" y="-0.7" width="14.4" height="7.8" fill="#f7f5f0"/>"##);
    println!(r##"<rect x="-1.2" y="-0.35" width="2.4" height="0.35" fill="#3b3f46"/>"##);
    let frames = 17;
    for frame in 0..frames {
        let shade = 0.15 + 0.85 * frame as f64 / (frames - 1) as f64;
        draw(&world, load, shade);
        for _ in 0..60 {
            if let Some(fault) = world.step().fault {
                return Err(fault.to_string().into());
            }
        }
    }
    println!("</svg>");
    let top = world.inspect().reaction(joints[0], 0).ok_or("the chain is whole")?.force.length();
    eprintln!("t = {:.2} s, pull on the anchor {top:.0} N", world.state().time);
    Ok(())
}

/// The chain as a line and the load as a square; older ones paler.
fn draw(world: &World, load: BodyId, shade: f64) {
    let points: Vec<String> = (1..=LINKS + 1)
        .map(|place| &world.state().bodies[place])
        .map(|b| format!("{:.3},{:.3}", b.position.x, -b.position.z))
        .collect();
    println!(
        r##"<polyline points="0,0 {}" fill="none" stroke="#2f6f9f" stroke-width="0.035" opacity="{shade:.2}"/>"##,
        points.join(" ")
    );
    let b = &world.state().bodies[load.index()];
    let x = b.orientation * DVec3::X;
    let degrees = libm::atan2(-x.z, x.x).to_degrees();
    println!(
        r##"<rect x="-0.35" y="-0.35" width="0.7" height="0.7" rx="0.05" fill="#d9822b" opacity="{shade:.2}" transform="translate({:.3} {:.3}) rotate({degrees:.1})"/>"##,
        b.position.x, -b.position.z
    );
}
