//! Damping of bodies against closed forms: v₀ e^(−αt), the speed g/α of a fall, the force α m v of who pulls; at any step, under all
//! integrators, and with forces that add up.

use glam::DVec3;
use windlass_engine::prelude::Integrator;
use windlass_scene::{Built, parse};

const INTEGRATORS: [&str; 3] = ["spook", "projected", "dormand-prince"];

fn build(text: &str) -> Built {
    parse(text, "damping").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

fn run(built: &mut Built, steps: usize) {
    for _ in 0..steps {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
    }
}

/// A body without weight that flies and tumbles.
fn flying(stepper: &str, dt: f64, [linear, angular]: [f64; 2]) -> Built {
    build(&format!(
        "windlass = 2\n[settings]\nintegrator = \"{stepper}\"\ndt = {dt}\ngravity = [0, 0, 0]\n[bodies.top]\n\
         mass = 3\ninertia = [0.2, 0.5, 0.6]\nvelocity = [2, -1, 0.5]\nangular_velocity = [1, 4, -2]\n\
         linear_damping = {linear}\nangular_damping = \"{angular} 1/s\"\n"
    ))
}

/// Velocity and angular momentum of the only body, as the state has them.
fn momenta(built: &Built) -> [DVec3; 2] {
    let (_, body) = built.world.model().bodies().iter().next().expect("a body");
    let s = &built.world.state().bodies[0];
    let spin = s.orientation * (body.mass.inertia * (s.orientation.inverse() * s.angular_velocity));
    [s.velocity, spin]
}

/// However short or long the step: at half steps, where `spook` has its velocities, the decay is exact to round-off.
#[test]
fn a_free_body_slows_down_exponentially_at_any_step() {
    for (dt, rates) in [(0.01, [0.5, 2.0]), (0.01, [30.0, 0.0]), (0.1, [0.0, 50.0]), (0.2, [400.0, 1e6])] {
        let mut built = flying("spook", dt, rates);
        let start = momenta(&built);
        for step in 1..=20 {
            run(&mut built, 1);
            let time = (f64::from(step) - 0.5) * dt;
            for (k, now) in momenta(&built).into_iter().enumerate() {
                let wanted = start[k] * libm::exp(-rates[k] * time);
                let off = (now - wanted).length() / start[k].length();
                assert!(off < 1e-13, "part {k}, {rates:?} at {time} s: off by {off}");
            }
        }
    }
}

/// The others resolve it: their error is that of their order, and shrinks with it.
#[test]
fn accelerations_know_of_damping() {
    for (stepper, allowed) in [("projected", 2e-8), ("dormand-prince", 1e-7)] {
        let rates = [3.0, 5.0];
        let mut built = flying(stepper, 0.01, rates);
        let start = momenta(&built);
        run(&mut built, 50);
        for (k, now) in momenta(&built).into_iter().enumerate() {
            let off = (now - start[k] * libm::exp(-rates[k] * 0.5)).length() / start[k].length();
            assert!(off < allowed, "{stepper}, part {k}: off by {off}");
        }
    }
}

/// What is damped within a thousandth of a step stands still, and nothing blows up.
#[test]
fn strong_damping_is_stable_under_all_integrators() {
    for stepper in INTEGRATORS {
        let mut built = flying(stepper, 0.02, [2e4, 5e4]);
        run(&mut built, 5);
        for now in momenta(&built) {
            assert!(now.length() < 1e-6, "{stepper}: {now}");
        }
    }
}

/// A parachutist falls at g/α in the end, whatever the step.
#[test]
fn a_fall_reaches_its_steady_speed() {
    for (stepper, dt) in INTEGRATORS.into_iter().flat_map(|s| [(s, 0.2), (s, 0.01)]) {
        let mut built = build(&format!(
            "windlass = 2\n[settings]\nintegrator = \"{stepper}\"\ndt = {dt}\n[bodies.man]\nmass = 80\n\
             inertia = [10, 10, 3]\nlinear_damping = 2\n"
        ));
        run(&mut built, (20.0 / dt) as usize);
        let speed = -built.world.state().bodies[0].velocity.z;
        assert!((speed / (9.81 / 2.0) - 1.0).abs() < 1e-7, "{stepper} at {dt} s: {speed} m/s");
    }
}

/// A cart of 5 kg that a motor pulls at 3 m/s needs α m v, and one that stands on its hook bears its whole weight.
#[test]
fn drives_feel_damping_and_scales_do_not() {
    for stepper in INTEGRATORS {
        let mut built = build(&format!(
            "windlass = 2\n[settings]\nintegrator = \"{stepper}\"\ndt = 0.02\n[bodies]\nrail = {{ type = \"static\" }}\n\
             cart = {{ mass = 5, inertia = [1, 1, 1], linear_damping = 4, angular_damping = 7 }}\n\
             lamp = {{ mass = 2, inertia = [1, 1, 1], linear_damping = 4, angular_damping = 7 }}\n\
             [joints.pull]\nslider = {{ bodies = [\"rail\", \"cart\"], axis = [1, 0, 0], motor = {{ speed = 3 }} }}\n\
             [joints.hook]\nweld = {{ bodies = [\"rail\", \"lamp\"] }}\n"
        ));
        run(&mut built, 40);
        let [pull, hook] = ["pull", "hook"].map(|name| built.world.model().joint(name).expect("a joint"));
        let now = built.world.inspect();
        let effort = now.coordinate(pull, 0).expect("a way").effort;
        assert!((effort - 4.0 * 5.0 * 3.0).abs() < 1e-6, "{stepper}: {effort} N");
        let weight = now.reaction(hook, 1).expect("a force").force.z;
        assert!((weight - 2.0 * 9.81).abs() < 1e-9, "{stepper}: {weight} N");
    }
}

/// m ẍ + α m ẋ + k x = 0 and its twin that turns: x = x₀ e^(−αt/2) (cos ω t + α/2ω sin ω t), ω² = k/m − α²/4.
#[test]
fn an_oscillator_dies_away_as_it_should() {
    for (stepper, allowed) in [("spook", 2e-4), ("projected", 1e-8), ("dormand-prince", 1e-6)] {
        let mut built = build(&format!(
            "windlass = 2\n[settings]\nintegrator = \"{stepper}\"\ndt = 2e-3\ngravity = [0, 0, 0]\n[bodies]\n\
             wall = {{ type = \"static\" }}\n\
             block = {{ mass = 2, inertia = [1, 1, 1], linear_damping = 1.5 }}\n\
             wheel = {{ mass = 1, inertia = [2, 2, 2], angular_damping = 1.5 }}\n\
             [joints]\nspring = {{ slider = {{ bodies = [\"wall\", \"block\"], axis = [1, 0, 0], \
             spring = {{ stiffness = 50, rest = -0.1 }} }} }}\n\
             coil = {{ hinge = {{ bodies = [\"wall\", \"wheel\"], at = [0, 0, 0], axis = [0, 1, 0], \
             spring = {{ stiffness = 50, rest = -0.1 }} }} }}\n"
        ));
        let (alpha, square) = (1.5f64, 25.0f64);
        let omega = (square - 0.25 * alpha * alpha).sqrt();
        for _ in 0..20 {
            run(&mut built, 50);
            let t = built.world.state().time;
            let swing = libm::cos(omega * t) + 0.5 * alpha / omega * libm::sin(omega * t);
            let wanted = 0.1 * libm::exp(-0.5 * alpha * t) * swing - 0.1;
            for name in ["spring", "coil"] {
                let id = built.world.model().joint(name).expect("a joint");
                let x = built.world.coordinate(id, 0).expect("a coordinate");
                assert!((x - wanted).abs() < 0.1 * allowed, "{stepper}, {name} at {t} s: {x}, not {wanted}");
            }
        }
    }
}

/// What a step says was done from outside is what the kinetic energy lost.
#[test]
fn the_work_of_damping_is_accounted_for() {
    let mut built = flying("spook", 0.01, [3.0, 0.0]);
    assert_eq!(built.world.model().settings().integrator, Integrator::Spook);
    run(&mut built, 3);
    let kinetic = |built: &Built| 0.5 * 3.0 * built.world.state().bodies[0].velocity.length_squared();
    let before = kinetic(&built);
    let work = built.world.step().work.expect("no subsystems").total();
    assert!((kinetic(&built) - before - work).abs() < 1e-12 * before, "{work} J");
    assert!(work < 0.0);
}

#[test]
fn damping_that_is_none_is_refused() {
    let refused = |body: &str| {
        let text = format!("windlass = 2\n[bodies.b]\n{body}\n");
        parse(&text, "bad").and_then(|scene| scene.build()).expect_err(body).to_string()
    };
    let told = refused("type = \"static\"\nlinear_damping = 1");
    assert!(told.contains("only a dynamic body has damping"), "{told}");
    let told = refused("mass = 1\ninertia = [1, 1, 1]\nangular_damping = -1");
    assert!(told.contains("`angular_damping` is -1"), "{told}");
    let told = refused("mass = 1\ninertia = [1, 1, 1]\nlinear_damping = \"3 N*s/m\"");
    assert!(told.contains("is a damping, not a rate of decay"), "{told}");
}
