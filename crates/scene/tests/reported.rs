//! Reactions, velocities and efforts that a run reports are those that act, however stiff or damped a joint is.

use windlass_engine::prelude::{Integrator, Wrench};
use windlass_scene::{Built, parse};

fn build(text: &str) -> Built {
    parse(text, "reported").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// Force and torque on the second body of a joint.
fn reaction(built: &mut Built, joint: &str) -> Wrench {
    let id = built.world.model().joint(joint).expect("it is there");
    built.world.inspect().reaction(id, 1).expect("it is whole")
}

fn run(built: &mut Built, steps: usize) {
    for _ in 0..steps {
        assert!(built.world.step().fault.is_none());
    }
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} ± {tolerance}");
}

/// Two masts on welds, tied by a spring of 1 MN/m that is stretched by 1 mm: 1 kN, and 2 kN·m at the feet. No step of 1/60 s
/// resolves that spring.
#[test]
fn a_stiff_spring_loads_what_it_is_tied_to() {
    let mut built = build(
        r#"
        windlass = 2
        [settings]
        collide = false
        [bodies]
        ground = { type = "static" }
        left = { position = [0, 0, 1], shape = { box = { size = [0.1, 0.1, 2] } }, mass = 10 }
        right = { position = [2, 0, 1], shape = { box = { size = [0.1, 0.1, 2] } }, mass = 10 }
        [joints]
        foot1 = { weld = { bodies = ["ground", "left"], at = [0, 0, 0] } }
        foot2 = { weld = { bodies = ["ground", "right"], at = [2, 0, 0] } }
        [joints.tie.distance]
        bodies = ["left", "right"]
        points = [[0, 0, 2], [2, 0, 2]]
        spring = { stiffness = "1 MN/m", rest = 1.999 }
        "#,
    );
    for steps in [0, 1, 59] {
        run(&mut built, steps);
        near(reaction(&mut built, "tie").force.x, -1000.0, 1e-6);
        near(reaction(&mut built, "foot1").force.x, -1000.0, 1e-6);
        near(reaction(&mut built, "foot1").torque.y, -2000.0, 1e-5);
        near(reaction(&mut built, "foot2").torque.y, 2000.0, 1e-5);
    }
}

/// Supports of 1, 1 and 2 MN/m share 981 N as their stiffness.
#[test]
fn soft_supports_share_a_load_by_stiffness() {
    let support = |name: &str, x: f64, stiffness: u32| {
        format!(
            "[joints.{name}]\ncompliance = {{ linear = {{ stiffness = \"{stiffness} MN/m\", damping = \"20 kN*s/m\" }} }}\n\
             ball = {{ bodies = [\"ground\", \"plate\"], at = [{x}, 0, 1] }}\n"
        )
    };
    let text = "windlass = 2\n[settings]\ncollide = false\n[bodies.ground]\ntype = \"static\"\n[bodies.plate]\nposition = [0, 0, 1]\n\
         mass = 100\ninertia = [10, 10, 10]\n[joints.rail.slider]\nbodies = [\"ground\", \"plate\"]\naxis = [0, 0, 1]\n"
        .to_owned()
        + &support("one", -0.2, 1)
        + &support("two", 0.2, 1)
        + &support("three", 0.0, 2);
    let mut built = build(&text);
    run(&mut built, 300);
    for (joint, share) in [("one", 245.25), ("two", 245.25), ("three", 490.5)] {
        near(reaction(&mut built, joint).force.z, share, 0.01);
    }
}

/// A damped hinge spring under an arm that falls: angular speed and torque at 0.1 s agree with those of an integrator of order 4.
#[test]
fn a_damped_hinge_reports_its_speed_and_torque() {
    let found = |stepper: Integrator| {
        let mut built = build(
            r#"
            windlass = 2
            [settings]
            dt = "1 ms"
            collide = false
            [bodies.ground]
            type = "static"
            [bodies.arm]
            position = [2, 0, 0]
            mass = 1
            inertia = [0.04, 0.1, 0.1]
            [joints.j.hinge]
            bodies = ["ground", "arm"]
            at = [0, 0, 0]
            axis = [0, 1, 0]
            spring = { stiffness = 200, damping = 10 }
            "#,
        );
        built.world.set(|settings| settings.integrator = stepper).unwrap();
        run(&mut built, 100);
        let arm = built.world.model().body("arm").unwrap();
        let spin = built.world.inspect().body(arm).unwrap().twist.angular_velocity.y;
        (spin, reaction(&mut built, "j").torque.y)
    };
    let ((spin, torque), (true_spin, true_torque)) = (found(Integrator::Spook), found(Integrator::Projected));
    near(true_torque, -8.2, 0.1);
    // first order in the step where a row has the implicit form
    near(spin, true_spin, 0.01 * true_spin.abs());
    near(torque, true_torque, 0.02 * true_torque.abs());
}

/// A ball that hits the floor within the coming step has not felt it yet: its speed is that of its fall.
#[test]
fn the_velocity_before_an_impact_is_that_of_the_fall() {
    let mut built = build(
        r#"
        windlass = 2
        [settings]
        dt = "1/240 s"
        [bodies.floor]
        type = "static"
        shape = { plane = { size = [6, 4] } }
        [bodies.ball]
        position = [0, 0, 1.1]
        shape = { sphere = { radius = 0.1 } }
        mass = 1
        "#,
    );
    let ball = built.world.model().body("ball").unwrap();
    let mut fell = 0;
    for _ in 0..120 {
        let state = built.world.state();
        let (time, above) = (state.time, state.bodies[ball.index()].position.z - 0.1);
        // until its centre is where the surfaces meet, v² = 2 g (1 − above)
        if above < 1e-9 {
            break;
        }
        let velocity = built.world.inspect().body(ball).unwrap().twist.velocity.z;
        near(velocity, -9.81 * time, 1e-9);
        fell += 1;
        built.world.step();
    }
    // √(2/g) = 0.4515 s
    assert_eq!(fell, 109);
}

/// A rope of 20 m between two points 18 m apart, 5.9 m up a mast: at rest its horizontal pull is 113 N by the catenary of its weight,
/// and the foot of the mast bears it with 666 N·m. No step resolves the stretch of steel rope.
#[test]
fn the_foot_of_a_mast_bears_the_rope_that_hangs_from_it() {
    for dt in ["1/60 s", "1/240 s"] {
        let mut built = build(&format!(
            r#"
            windlass = 2
            [settings]
            dt = "{dt}"
            collide = false
            [bodies]
            ground = {{ type = "static" }}
            mast = {{ position = [9, 0, 3], shape = {{ box = {{ size = [0.2, 0.2, 6] }} }}, material = "steel" }}
            [joints.foot.weld]
            bodies = ["ground", "mast"]
            at = [9, 0, 0]
            [cables.line]
            section = {{ construction = "6x19 IWRC", diameter = "16 mm", damping = {{ bend = "30 s" }} }}
            start = {{ body = "ground", at = [-9, 0, 5.9] }}
            end = {{ body = "mast", at = [9, 0, 5.9] }}
            length = "20 m"
            elements = 40
            "#
        ));
        while built.world.state().time < 20.0 {
            run(&mut built, 1);
        }
        let Wrench { force, torque } = reaction(&mut built, "foot");
        near(force.x.abs(), 113.0, 1.5);
        near(torque.y.abs(), 666.0, 9.0);
    }
}
