//! Scenes that start off their constraints are assembled: joints are closed, velocities fit, and nothing gains energy by it.

use windlass_scene::{Built, parse};

/// A pendulum whose pin stands open by 2 cm and whose velocity is not across its arm.
fn pendulum(settings: &str) -> Built {
    let text = format!(
        "windlass = 2\n[settings]\n{settings}\n[bodies.ground]\ntype = \"static\"\n[bodies.bob]\nmass = 2\n\
         inertia = [0.1, 0.1, 0.1]\nposition = [1.02, 0, 0]\nvelocity = [1, 0, -2]\n[joints.pin]\n\
         ball = {{ bodies = [\"ground\", \"bob\"], frames = [{{ at = [0, 0, 0] }}, {{ at = [-1, 0, 0] }}] }}\n"
    );
    parse(&text, "open").and_then(|scene| scene.build()).expect("a scene")
}

#[test]
fn an_open_joint_is_closed_before_the_start() {
    let mut built = pendulum("dt = 0.01");
    let bob = built.bodies[1];
    let now = built.world.inspect().body(bob).expect("the bob");
    assert!((now.at.x - 1.0).abs() < 1e-9 && now.at.z.abs() < 1e-9, "{now:?}");
    // the pin holds the end of the arm: v = ω × r
    let held = now.twist.velocity - now.twist.angular_velocity.cross(now.at);
    assert!(held.length() < 1e-6, "{held}");
    assert!(built.assembly.as_ref().is_some_and(|a| a.open.is_none() && a.left.gap < 1e-9));
}

#[test]
fn an_inexact_start_gains_no_energy() {
    for stepper in ["spook", "projected", "dormand-prince"] {
        for dt in [1.0 / 30.0, 1.0 / 60.0, 1e-3] {
            let mut built = pendulum(&format!("dt = {dt}\nintegrator = \"{stepper}\""));
            let start = built.world.inspect().energy();
            for _ in 0..(2.0 / dt) as usize {
                assert!(built.world.step().fault.is_none());
                let now = built.world.inspect().energy();
                // ½ m v² of the swing is 20 J
                assert!(
                    now.total() - start.total() < 0.1 * dt * 20.0,
                    "{stepper} at {dt} s: {start:?} {now:?}"
                );
            }
        }
    }
}

#[test]
fn assembly_can_be_turned_off_and_leaves_closed_scenes_alone() {
    let mut built = pendulum("assemble = false");
    let bob = built.bodies[1];
    assert!(built.assembly.is_none());
    assert_eq!(built.world.inspect().body(bob).expect("the bob").at.x, 1.02);
}
