//! What scenes do under integrators other than the usual one, and with position iterations.

use crate::play::at;
use windlass_scene::{Built, parse};

const INTEGRATORS: [&str; 3] = ["spook", "projected", "dormand-prince"];

fn build(text: &str) -> Built {
    parse(text, "integrators").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

fn run(built: &mut Built, steps: usize) {
    for _ in 0..steps {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
    }
}

/// A motor without a force limit runs from the first instant on: 1 rad after 1 s at 1 rad/s.
#[test]
fn a_motor_from_rest_loses_no_step() {
    for integrator in INTEGRATORS {
        let mut built = build(&format!(
            r#"
            windlass = 2
            [settings]
            integrator = "{integrator}"
            dt = "1/60 s"
            [bodies]
            ground = {{ type = "static" }}
            wheel = {{ mass = 1, inertia = [1, 1, 1] }}
            [joints.motor.hinge]
            bodies = ["ground", "wheel"]
            at = [0, 0, 0]
            axis = [0, 0, 1]
            motor = {{ speed = 1 }}
            "#
        ));
        run(&mut built, 60);
        let id = built.world.model().joint("motor").unwrap();
        let angle = built.world.coordinate(id, 0).unwrap();
        assert!((angle - 1.0).abs() < 1e-9, "{integrator}: {angle} rad");
    }
}

/// A crate that is set down a little above the floor stays there, however little that is.
#[test]
fn a_crate_that_is_set_down_does_not_hop() {
    for integrator in INTEGRATORS {
        for above in [0.0, 1e-9, 1e-6, 1e-4, 1e-3] {
            let mut built = build(&format!(
                r#"
                windlass = 2
                [settings]
                integrator = "{integrator}"
                dt = "1/60 s"
                [bodies]
                ground = {{ type = "static", shape = {{ plane = {{}} }}, material = "concrete" }}
                crate = {{ position = [0, 0, {}], shape = {{ box = {{ size = [1, 1, 1] }} }}, material = "pine" }}
                "#,
                0.5 + above
            ));
            for _ in 0..60 {
                run(&mut built, 1);
                let height = at(&built.world, "crate").z;
                assert!(
                    (0.4999..=0.5 + above + 1e-6).contains(&height),
                    "{integrator}, {above} m: {height} m"
                );
            }
        }
    }
}

/// Gears do not slip a tooth where a shaft turns more than half a turn per step, with position iterations as without:
/// α = T/(I_a + I_b/16) = 242.42 rad/s², so 8 rad per step after 2 s.
#[test]
fn gears_count_turns_with_position_iterations() {
    for rounds in [0, 12] {
        let mut built = build(&format!(
            r#"
            windlass = 2
            [settings]
            dt = "1/60 s"
            collide = false
            position_iterations = {rounds}
            [bodies]
            ground = {{ type = "static" }}
            a = {{ mass = 1, inertia = [0.01, 0.01, 0.01] }}
            b = {{ position = [1, 0, 0], mass = 1, inertia = [0.5, 0.5, 0.5] }}
            [joints]
            a = {{ hinge = {{ bodies = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1] }} }}
            b = {{ hinge = {{ bodies = ["ground", "b"], at = [1, 0, 0], axis = [0, 0, 1] }} }}
            teeth = {{ gear = {{ joints = ["a", "b"], ratio = 4 }} }}
            [forces.drive]
            applied = {{ body = "a", torque = [0, 0, 10] }}
            "#
        ));
        run(&mut built, 120);
        let angle = |name: &str| {
            let id = built.world.model().joint(name).unwrap();
            built.world.coordinate(id, 0).unwrap()
        };
        let (a, b) = (angle("a"), angle("b"));
        assert!((a - 4.0 * b).abs() < 1e-6, "position_iterations = {rounds}: {a} rad and {b} rad");
        assert!((a - 484.85).abs() < 0.01 * 484.85, "position_iterations = {rounds}: {a} rad");
    }
}

fn hoist(integrator: &str, dt: &str) -> String {
    format!(
        r#"
        windlass = 2
        [settings]
        dt = "{dt}"
        integrator = "{integrator}"
        [bodies]
        ground = {{ type = "static" }}
        load = {{ position = [0, 5, -8.66], mass = 1000, inertia = [25, 25, 25] }}
        [cables.rope]
        section = {{ diameter = 0.1, mass_per_length = 2, axial_stiffness = 3.4e6, bending_stiffness = 0, torsional_stiffness = 0 }}
        start = {{ body = "ground", at = [0, 0, 0] }}
        end = {{ body = "load", at = [0, 5, -8.66] }}
        elements = 20
        collide = false
        "#
    )
}

/// Explicit springs are stable up to ω h = 2.8: a cable whose stretch is faster is refused, with the step that would do.
#[test]
fn a_cable_that_an_explicit_step_cannot_follow_is_refused() {
    let refusal =
        parse(&hoist("projected", "1/60 s"), "hoist").and_then(|s| s.build()).unwrap_err().to_string();
    assert!(refusal.contains("cannot resolve the axial vibration of a cable"), "{refusal}");
    assert!(refusal.contains("integrator = \"spook\", or a step of 3.1e-4 s at most"), "{refusal}");
    // that step does
    let mut built = build(&hoist("projected", "0.3 ms"));
    let start = built.world.inspect().energy().total();
    run(&mut built, 1000);
    let end = built.world.inspect().energy().total();
    assert!((end - start).abs() < 1e-3, "{end} J from {start} J");
    // and an adaptive one finds it by itself
    build(&hoist("dormand-prince", "1/60 s"));
}
