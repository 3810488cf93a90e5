//! Springs and dampers that are too fast for the step of the acceleration-level integrators: `projected` divides it,
//! and what that does not resolve is refused.

use windlass_engine::prelude::World;
use windlass_scene::{Built, parse};

/// A cart of 1 kg on a line, with an entry of `[joints]` or `[forces]` that holds it: name, text with `K` for the
/// stiffness or damping. All leave it ω = √K or K/s.
const SPRINGS: [(&str, &str); 5] = [
    (
        "coordinate",
        "[joints.held.slider]\nbodies = [\"wall\", \"cart\"]\naxis = [1, 0, 0]\nspring = { stiffness = K }",
    ),
    (
        "compliance",
        "[joints.held]\nweld = { bodies = [\"wall\", \"cart\"] }\ncompliance = { linear = { stiffness = K }, angular = { stiffness = K } }",
    ),
    (
        "distance",
        "[joints.held.distance]\nbodies = [\"wall\", \"cart\"]\npoints = [[-1, 0, 0], [0, 0, 0]]\nspring = { stiffness = K }",
    ),
    (
        "table",
        "[joints.held.slider]\nbodies = [\"wall\", \"cart\"]\naxis = [1, 0, 0]\nspring = { table = { join = \"linear\", stretch = [-0.1, -0.01, 0.01, 0.1], force = [\"= -0.09 * K - 1\", -1, 1, \"= 0.09 * K + 1\"] } }",
    ),
    (
        "force",
        "[forces.held.spring]\nbodies = [\"wall\", \"cart\"]\npoints = [[-1, 0, 0], [0, 0, 0]]\nstiffness = K",
    ),
];

const DAMPERS: [(&str, &str); 2] = [
    (
        "coordinate",
        "[joints.held.slider]\nbodies = [\"wall\", \"cart\"]\naxis = [1, 0, 0]\nspring = { stiffness = 1, damping = K }",
    ),
    (
        "force",
        "[forces.held.spring]\nbodies = [\"wall\", \"cart\"]\npoints = [[-1, 0, 0], [0, 0, 0]]\nstiffness = 1\ndamping = K",
    ),
];

fn text(spring: &str, value: f64, settings: &str) -> String {
    format!(
        "windlass = 2\n[settings]\ngravity = [0, 0, 0]\n{settings}\n[bodies]\nwall = {{ type = \"static\" }}\n\
         cart = {{ velocity = [1, 0, 0], mass = 1, inertia = [1, 1, 1] }}\n{}\n",
        spring.replace('K', &format!("{value:e}"))
    )
}

fn built(text: &str) -> Built {
    parse(text, "spring").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn energy(world: &mut World) -> f64 {
    world.inspect().energy().total()
}

/// ω h from 3 to 100: no fault, and no energy from nowhere; but for a table, which is a
/// documented limit.
#[test]
fn projected_divides_its_step_for_springs() {
    for (name, spring) in SPRINGS {
        for turns in [3.0, 10.0, 100.0] {
            let stiffness = (turns / 0.01f64).powi(2);
            let mut built = built(&text(spring, stiffness, "integrator = \"projected\"\ndt = 0.01"));
            let start = energy(&mut built.world);
            for _ in 0..20 {
                let report = built.world.step();
                assert!(
                    report.fault.is_none() && report.forced == 0,
                    "{name} at {turns}: {:?}",
                    report.fault
                );
                let now = energy(&mut built.world);
                // a documented limit: a table whose stiffness jumps inside a part gains up to a third of its energy
                assert!(
                    name == "table" || now < start * (1.0 + 1e-9),
                    "{name} at {turns}: {now} J from {start} J"
                );
            }
        }
    }
}

/// Dampers that are too fast stop the cart, in the closed form v/c in place.
#[test]
fn projected_divides_its_step_for_dampers() {
    for (name, spring) in DAMPERS {
        for rate in [3e2, 1e4] {
            let mut built = built(&text(spring, rate, "integrator = \"projected\"\ndt = 0.01"));
            for _ in 0..20 {
                let report = built.world.step();
                assert!(report.fault.is_none() && report.forced == 0, "{name} at {rate}: {:?}", report.fault);
            }
            let x = built.world.state().bodies[1].position.x;
            assert!((x * rate - 1.0).abs() < 0.01, "{name} at {rate}: {x} m");
        }
    }
}

/// What more parts than a step may have would be needed for is refused, with the name, the key and a step; that step is
/// accepted, and runs.
#[test]
fn what_no_step_resolves_is_refused() {
    let cases = SPRINGS.iter().map(|(name, text)| (*name, *text, 1e14, "stiffness"));
    let dampers = DAMPERS.iter().map(|(name, text)| (*name, *text, 1e7, "damping"));
    for (name, spring, value, key) in cases.chain(dampers) {
        let refused = text(spring, value, "integrator = \"projected\"\ndt = 0.01");
        let said = parse(&refused, "spring").and_then(|scene| scene.build()).unwrap_err().to_string();
        for wanted in ["\"held\"", &format!("`{key}`"), "choose integrator = \"spook\"", "dt = "] {
            assert!(said.contains(wanted), "{name}: {said}");
        }
        let from = said.rfind("dt = ").unwrap() + 5;
        let step = said[from..].split(' ').next().unwrap();
        let mut built = built(&text(spring, value, &format!("integrator = \"projected\"\ndt = {step}")));
        let report = built.world.step();
        assert!(report.fault.is_none() && report.forced == 0, "{name} at {step}: {:?}", report.fault);
    }
}

/// `dormand-prince` shortens its steps down to `min_step`.
#[test]
fn what_min_step_does_not_resolve_is_refused() {
    let (_, spring) = SPRINGS[0];
    let with =
        |value: f64| text(spring, value, "integrator = \"dormand-prince\"\ndt = 0.01\nmin_step = 1e-4");
    let said = parse(&with(1e10), "spring").and_then(|scene| scene.build()).unwrap_err().to_string();
    assert!(said.contains("min_step = 1.9e-5 s at most"), "{said}");
    built(&with(1e6));
}

/// On a hinge the inertia of the jointed body counts, not that of the nearly point-like free one: the same steps, and the
/// same bits, as with a spring that needs no division.
#[test]
fn jointed_bodies_count_as_they_are_jointed() {
    let pendulum = |stiffness: f64| {
        format!(
            "windlass = 2\n[settings]\nintegrator = \"projected\"\ndt = 0.01\n[bodies]\nwall = {{ type = \"static\" }}\n\
             bob = {{ position = [1, 0, 0], mass = 1, inertia = [1e-6, 1e-6, 1e-6] }}\n[joints.pin.hinge]\n\
             bodies = [\"wall\", \"bob\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\nspring = {{ stiffness = {stiffness} }}\n"
        )
    };
    // ω = 10 rad/s on the jointed body, 1e4 rad/s on the free one: 20 steps per radian are one part each
    let mut world = built(&pendulum(100.0)).world;
    let start = energy(&mut world);
    for _ in 0..100 {
        assert_eq!(world.step().fault, None);
    }
    let change = (energy(&mut world) - start).abs();
    assert!(change < 1e-4, "{change} J: order four at ω h = 0.1");
    assert!(change > 1e-12, "{change} J: divided without need");
}

/// A run that is changed while it is under way is held to the same.
#[test]
fn changes_of_a_running_scene_are_held_to_it() {
    let (_, spring) = SPRINGS[0];
    let settings = "integrator = \"projected\"\ndt = 0.01";
    let old = parse(&text(spring, 1e4, settings), "spring").unwrap();
    let new = parse(&text(spring, 1e14, settings), "spring").unwrap();
    let mut built = old.build().unwrap();
    let said = built.change(&old, &new).unwrap_err().to_string();
    assert!(said.contains("cannot resolve"), "{said}");
    assert_eq!(built.world.step().fault, None);
}
