//! What is reported of an instant is what acts: in every scene, joint reactions, contacts and explicit loads on a body add up to
//! the rate of its momentum, to round-off.

use crate::play::scenes;
use glam::DVec3;
use rayon::prelude::*;
use std::path::Path;
use windlass_engine::prelude::{BodyId, World, Wrench};
use windlass_scene::{parse, read};

/// Steps of each scene, and how often it is looked at.
const STEPS: usize = 120;
const EVERY: usize = 12;

/// What sums may be off by, relative to the largest force on the body. The solver's residual is relative to the largest force of
/// the island: most scenes stay below 1e-11, the rope that parts in `cable/breaking.toml` reaches 1.1e-10.
const ROUND_OFF: f64 = 1e-9;

/// The worst imbalance of any free body, with its name: Σ forces − m a over the largest force on it, Σ torques − dL/dt over the
/// largest torque.
fn imbalance(world: &mut World) -> (f64, String) {
    let model = world.model().clone();
    let ids: Vec<BodyId> = model.bodies().iter().filter_map(|(place, _)| model.bodies().id(place)).collect();
    let state = world.state().clone();
    let now = world.inspect();
    let mut sums = vec![Wrench::default(); model.bodies().places()];
    let mut sizes = vec![[0.0f64; 2]; model.bodies().places()];
    let mut add = |body: BodyId, force: DVec3, torque: DVec3| {
        let place = body.index();
        sums[place].force += force;
        sums[place].torque += torque;
        sizes[place][0] = sizes[place][0].max(force.length());
        sizes[place][1] = sizes[place][1].max(torque.length());
    };
    for (place, _) in model.joints().iter() {
        let id = model.joints().id(place).unwrap();
        let mut seen = Vec::new();
        for k in 0.. {
            let (Some(Wrench { force, torque }), Some((body, at))) = (now.reaction(id, k), now.anchor(id, k))
            else {
                break;
            };
            // a body that a joint holds twice has one reaction
            if !seen.contains(&body) {
                seen.push(body);
                add(body, force, torque + (at - state.bodies[body.index()].position).cross(force));
            }
        }
    }
    for id in &ids {
        let Wrench { force, torque } = now.contact_load(*id);
        add(*id, force, torque);
        let Wrench { force, torque } = now.load(*id).unwrap();
        add(*id, force, torque);
        add(*id, DVec3::ZERO, now.tension_torque(*id));
    }
    let mut worst = (0.0, String::new());
    for id in ids {
        let (body, s) = (model.bodies().get(id).unwrap(), &state.bodies[id.index()]);
        if !body.is_dynamic() || s.asleep || s.inactive {
            continue;
        }
        let instant = now.body(id).unwrap();
        let (sum, [force, torque]) = (sums[id.index()], sizes[id.index()]);
        let off = (sum.force - instant.acceleration.velocity * body.mass.mass).length() / force.max(1.0);
        let back = s.orientation.inverse();
        let (spin, rate) =
            (back * instant.twist.angular_velocity, back * instant.acceleration.angular_velocity);
        let change = body.mass.inertia * rate + spin.cross(body.mass.inertia * spin);
        let turned = (back * sum.torque - change).length() / torque.max(force).max(1.0);
        if !(off.max(turned) <= worst.0) {
            worst = (off.max(turned), format!("{} (forces {off:.1e}, torques {turned:.1e})", body.name));
        }
    }
    worst
}

fn check(path: &Path) -> Result<(), String> {
    let mut built = read(path).and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
    for step in 0..STEPS {
        if step % EVERY == 0 {
            let (off, body) = imbalance(&mut built.world);
            if !(off <= ROUND_OFF) {
                return Err(format!("{}: step {step}, body {body}", path.display()));
            }
        }
        if let Some(fault) = built.world.step().fault {
            return Err(format!("{}: step {step}: {fault}", path.display()));
        }
    }
    Ok(())
}

#[test]
fn reactions_contacts_and_loads_are_the_rate_of_momentum() {
    let wrong: Vec<String> = scenes().par_iter().filter_map(|path| check(path).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bodies that are damped, held by joints, driven, and lying on each other: damping is one of the loads.
#[test]
fn damping_is_among_the_loads() {
    for stepper in ["spook", "projected"] {
        let text = format!(
            r#"
            windlass = 2
            settings = {{ dt = 0.01, integrator = "{stepper}", collide = false }}
            [bodies]
            post = {{ type = "static" }}
            arm = {{ position = [1, 0, 0], shape = {{ box = {{ size = [2, 0.2, 0.1] }} }}, mass = 4, linear_damping = 2, angular_damping = 30 }}
            rod = {{ position = [2, 0, -1], shape = {{ box = {{ size = [0.1, 0.1, 2] }} }}, mass = 3, angular_velocity = [1, 2, 3], angular_damping = 5 }}
            bob = {{ position = [2, 0, -2], shape = {{ sphere = {{ radius = 0.2 }} }}, mass = 1, linear_damping = 900 }}
            [joints]
            shoulder = {{ hinge = {{ bodies = ["post", "arm"], at = [0, 0, 0], axis = [0, 1, 0], motor = {{ speed = 1, force = 30 }} }} }}
            elbow = {{ ball = {{ bodies = ["arm", "rod"], at = [2, 0, 0] }} }}
            wrist = {{ universal = {{ bodies = ["rod", "bob"], at = [2, 0, -2], axes = [[1, 0, 0], [0, 1, 0]] }} }}
            "#
        );
        let mut built = parse(&text, "damped").and_then(|s| s.build()).unwrap_or_else(|e| panic!("{e}"));
        for step in 0..60 {
            let (off, body) = imbalance(&mut built.world);
            assert!(off <= ROUND_OFF, "{stepper}, step {step}, body {body}");
            assert!(built.world.step().fault.is_none(), "{stepper}, step {step}");
        }
    }
}
