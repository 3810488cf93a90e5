//! What a scene says is what stands in the world.

use glam::DVec3;
use windlass_engine::prelude::*;
use windlass_scene::{Built, parse};

#[track_caller]
fn build(text: &str) -> Built {
    match parse(text, "s.toml").and_then(|s| s.build()) {
        Ok(built) => built,
        Err(errors) => panic!("{errors}"),
    }
}

/// A ground and a free cube of 1 kg at (1, 0, 0).
fn world(more: &str) -> Built {
    build(&format!(
        "windlass = 2\n[bodies]\nground = {{ type = \"static\" }}\n\
         cube = {{ position = [1, 0, 0], shape = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}, mass = 1 }}\n{more}"
    ))
}

#[track_caller]
fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[test]
fn units_order_and_settings_come_through() {
    let built = build(
        r#"windlass = 2
        [settings]
        dt = "2 ms"
        duration = "1 min"
        gravity = [0, 0, "-1.62 m/s^2"]
        integrator = "dormand-prince"
        tolerance = 1e-9
        sleep = { after = 2 }
        [bodies.zeta]
        type = "static"
        [bodies.alpha]
        position = ["25 mm", 0, "1 ft"]
        rotation = { axis = [0, 0, 2], angle = "90 deg" }
        velocity = ["36 km/h", 0, 0]
        angular_velocity = [0, 0, "60 rpm"]
        mass = "10 t"
        inertia = [[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]]
        center_of_mass = [0, 0, 0.5]
        gravity = false"#,
    );
    let (model, state) = (built.world.model(), built.world.state());
    let names: Vec<_> = model.bodies().iter().map(|(_, b)| b.name.as_str()).collect();
    assert_eq!(names, ["zeta", "alpha"], "the order of the file is kept");
    assert_eq!((model.settings().dt, built.seconds), (2e-3, 60.0));
    assert_eq!(model.settings().gravity, DVec3::new(0.0, 0.0, -1.62));
    assert!(matches!(model.settings().integrator, Integrator::DormandPrince(a) if a.tolerance == 1e-9));
    assert_eq!(model.settings().sleep, Some(Sleep { after: 2.0, ..Sleep::default() }));
    let (body, now) = (model.bodies().get(built.bodies[1]).expect("it is there"), &state.bodies[1]);
    assert_eq!((body.mass.mass, body.gravity), (1e4, false));
    assert_eq!(body.mass.inertia.row(0), DVec3::new(2.0, 0.1, 0.0));
    assert!((now.position - DVec3::new(0.025, 0.0, 0.8048)).length() < 1e-12, "centre of mass");
    assert!((now.orientation * DVec3::X - DVec3::Y).length() < 1e-12);
    near(now.velocity.x, 10.0, 1e-12);
    near(now.angular_velocity.z, std::f64::consts::TAU, 1e-12);
}

#[test]
fn rounds_come_through() {
    assert_eq!(world("").world.model().settings().position_iterations, None);
    assert_eq!(
        world("[settings]\nposition_iterations = 12").world.model().settings().position_iterations,
        Some(12)
    );
}

#[test]
fn parts_make_one_body() {
    let built = build(
        "windlass = 2\n[bodies.dumbbell]\nparts = [{ mass = 3, at = [1, 0, 0] }, { mass = 1, at = [-1, 0, 0] },\
         { shape = { sphere = { radius = 0.1 } }, mass = 1, at = [0, 1, 0] }]",
    );
    let mass = built.world.model().bodies().get(built.bodies[0]).expect("there").mass;
    near(mass.mass, 5.0, 1e-12);
    assert!((mass.center - DVec3::new(0.4, 0.2, 0.0)).length() < 1e-12);
    let [solid] = &built.looks[0].solids[..] else { panic!("one solid") };
    assert_eq!((solid.at, &solid.shape), (DVec3::Y, &Shape::Sphere { radius: 0.1 }));
}

/// Every kind of joint: closed at the start, and of the freedom it should have.
#[test]
fn every_joint_is_closed_where_it_is_placed() {
    let joints = [
        ("ball", "at = [0.5, 1, 0]", 3),
        ("hinge", "at = [0.5, 1, 0], axis = [1, 1, 0]", 1),
        ("slider", "axis = [1, 1, 0]", 1),
        ("cylindrical", "at = [0.5, 1, 0], axis = [1, 1, 0]", 2),
        ("universal", "at = [0.5, 1, 0], axes = [[1, 1, 0], [0, 0, 1]]", 2),
        ("constant_velocity", "at = [0.5, 1, 0], axes = [[1, 1, 0], [1, 0, 0.5]]", 2),
        ("weld", "at = [0.5, 1, 0]", 0),
        ("weld", "", 0),
        ("distance", "points = [[0, 0, 2], [1, 0, 0.05]]", 5),
        ("distance", "points = [[0, 0, 2], [1, 0, 0.05]], max = 10", 6),
        ("distance", "points = [[0, 0, 2], [1, 0, 0.05]], max_length = { constant = 10 }", 6),
        ("distance", "points = [[0, 0, 2], [1, 0, 0.05]], spring = { stiffness = 10 }", 6),
        ("point_on_line", "at = [0.5, 1, 0], axis = [1, 1, 0]", 4),
        ("point_on_plane", "at = [0.5, 1, 0], axis = [1, 1, 0]", 5),
        ("planar", "at = [0.5, 1, 0], axis = [1, 1, 0], x_axis = [0, 0, 1]", 3),
        ("screw", "at = [0.5, 1, 0], axis = [1, 1, 0], lead = \"5 mm\"", 1),
        ("six_dof", "at = [0.5, 1, 0], axis = [1, 1, 0], x = { lock = 0 }, ry = { lock = 0 }", 4),
        ("hinge", "frames = [{ at = [0.5, 1, 0] }, { at = [-0.5, 1, 0] }]", 1),
    ];
    for (kind, place, freedom) in joints {
        let text = format!("[joints.j]\n{kind} = {{ bodies = [\"ground\", \"cube\"], {place} }}");
        let mut built = world(&text.replace(", }", " }"));
        assert_eq!(built.world.degrees_of_freedom(), freedom, "{kind} {place}");
        let gaps = built.world.stages().rows.rows.iter().filter(|r| !r.is_bounded() && r.law == law());
        assert!(gaps.clone().all(|r| r.gap.abs() < 1e-12), "{kind} {place}: {:?}", gaps.collect::<Vec<_>>());
        assert!(built.world.step().fault.is_none());
    }
}

fn law() -> windlass_engine::row::RowLaw {
    windlass_engine::row::RowLaw::Rigid
}

#[test]
fn options_reach_the_axis() {
    let built = world(
        r#"[joints.j.hinge]
        bodies = ["ground", "cube"]
        at = [0, 0, 0]
        axis = [0, 1, 0]
        motor = { speed = "60 rpm", force = "2 kN*m", droop = 1e-3 }
        spring = { stiffness = "3 N*m/rad", damping = 1, rest = "30 deg" }
        limits = { low = "-90 deg", high = "90 deg", stiffness = 100, damping = 2 }
        friction = 4
        damping = 5
        [joints.j]
        compliance = { linear = { stiffness = 1e6, damping = 10 } }
        strength = { force = "5 kN" }"#,
    );
    let joint = built.world.model().joints().get(built.joints[0]).expect("there");
    let JointKind::Hinge(hinge) = &joint.kind else { panic!("a hinge") };
    let axis = &hinge.axis;
    assert!(matches!(axis.drive, Drive::Speed { force: 2000.0, droop: 1e-3, .. }));
    assert_eq!(axis.spring.map(|s| (s.0.stiffness, s.0.damping)), Some((3.0, 1.0)));
    near(axis.spring.expect("given").1, std::f64::consts::PI / 6.0, 1e-15);
    let limits = axis.limits.expect("given");
    assert_eq!((limits.restitution, limits.spring.map(|s| s.stiffness)), (0.0, Some(100.0)));
    assert_eq!((axis.friction, axis.viscosity), (4.0, 5.0));
    assert_eq!(joint.compliance.linear.map(|s| s.stiffness), Some(1e6));
    assert_eq!(joint.strength, Some(Strength { force: 5000.0, torque: f64::INFINITY }));
}

#[test]
fn a_rope_pulls_and_does_not_push() {
    let rope = |length: &str| {
        format!(
            "[joints.r]\ndistance = {{ bodies = [\"ground\", \"cube\"], points = [[1, 0, 2], [1, 0, 0]], {length} }}"
        )
    };
    // slack for the first 0.5 m of the fall, then taut
    let mut built = world(&rope("max_length = { constant = 2.5 }"));
    for _ in 0..120 {
        assert!(built.world.step().fault.is_none());
    }
    near(built.world.rope(built.joints[0]).expect("a rope").lengths[0], 2.5, 1e-6);
    // wound in by 1 m, the load comes up by 1 m
    let mut built = world(&rope("max_length = { smooth = { from = 2, to = 1, end = 2 } }"));
    for _ in 0..180 {
        assert!(built.world.step().fault.is_none());
    }
    near(built.world.rope(built.joints[0]).expect("a rope").lengths[0], 1.0, 1e-3);
}

#[test]
fn gears_tie_what_they_name_in_any_order() {
    let mut built = build(
        r#"windlass = 2
        [settings]
        gravity = [0, 0, 0]
        [joints]
        teeth = { gear = { joints = ["first", "second"], ratio = -2 } }
        first = { hinge = { bodies = ["g", "a"], at = [0, 0, 0], axis = [0, 0, 1], motor = { speed = 4 } } }
        second = { hinge = { bodies = ["g", "b"], at = [1, 0, 0], axis = [0, 0, 1] } }
        [bodies]
        g = { type = "static" }
        a = { mass = 1, inertia = [1, 1, 1] }
        b = { mass = 1, inertia = [1, 1, 1], position = [1, 0, 0] }"#,
    );
    let kinds: Vec<_> = built.world.model().joints().iter().map(|(_, j)| j.name.clone()).collect();
    assert_eq!(kinds, ["teeth", "first", "second"]);
    for _ in 0..60 {
        built.world.step();
    }
    near(built.world.state().bodies[1].angular_velocity.z, 4.0, 1e-9);
    near(built.world.state().bodies[2].angular_velocity.z, -2.0, 1e-9);
}

/// Two weights on rails move oppositely, as over a pulley: a = g (m − n) / (m + n).
#[test]
fn a_couple_ties_two_sliders() {
    let mut built = build(
        r#"windlass = 2
        [settings]
        integrator = "projected"
        gravity = [0, 0, -9]
        [joints]
        pulley = { linear_coupling = { terms = [{ joint = "left", coordinate = 1, factor = 1 }, { joint = "right" }] } }
        left = { slider = { bodies = ["g", "a"], axis = [0, 0, 1] } }
        right = { slider = { bodies = ["g", "b"], axis = [0, 0, 1] } }
        [bodies]
        g = { type = "static" }
        a = { mass = 2, inertia = [1, 1, 1] }
        b = { mass = 1, inertia = [1, 1, 1], position = [1, 0, 0] }"#,
    );
    assert_eq!(built.world.degrees_of_freedom(), 1);
    for _ in 0..120 {
        assert!(built.world.step().fault.is_none());
    }
    let time = built.world.state().time;
    let way = |joint: usize| built.world.coordinate(built.joints[joint], 0).expect("a way");
    near(way(1), -1.5 * time * time, 1e-9);
    near(way(2), 1.5 * time * time, 1e-9);
    let [a, b] = [1, 2].map(|i| &built.world.state().bodies[i]);
    let energy = |m: f64, velocity: DVec3, height: f64| m * (velocity.length_squared() / 2.0 + 9.0 * height);
    near(energy(2.0, a.velocity, a.position.z) + energy(1.0, b.velocity, b.position.z), 0.0, 1e-9);
}

/// Ways along any axis and turns add up: of a cylinder, a planar, a six, a hinge, from where frames put them.
#[test]
fn a_couple_ties_sums_of_many() {
    let text = r#"windlass = 2
        [settings]
        integrator = "projected"
        assemble = false
        [joints]
        hinge = { hinge = { bodies = ["g", "a"], frames = [{}, { rotation = { axis = [0, 0, 1], angle = -0.25 } }] } }
        cylinder = { cylindrical = { bodies = ["g", "b"], at = [1, 0, 0], axis = [1, 0, 1], rotation = { damping = 1 } } }
        planar = { planar = { bodies = ["g", "c"], at = [2, 0, 0], axis = [0, 1, 0], x_axis = [0, 0, 1] } }
        six = { six_dof = { bodies = ["c", "d"], frames = [{ at = [1, 0.5, 0.5] }, {}], z = { spring = { stiffness = 3 } }, rx = { lock = 0 }, ry = { lock = 0 }, rz = { lock = 0 } } }
        sum = { linear_coupling = { OFFSET terms = [
            { joint = "hinge", factor = 0.5 }, { joint = "cylinder", factor = -2 },
            { joint = "cylinder", coordinate = 2, factor = 3 }, { joint = "planar", factor = -1 },
            { joint = "planar", coordinate = 2, factor = 2 }, { joint = "planar", coordinate = 3, factor = -0.5 },
            { joint = "six", factor = 2 }, { joint = "six", coordinate = 2 }, { joint = "six", coordinate = 3, factor = -1.5 },
        ] } }
        [bodies]
        g = { type = "static" }
        a = { mass = 1, inertia = [1, 1, 1], rotation = { axis = [0, 0, 1], angle = 0.125 }, angular_velocity = [0, 0, 1] }
        b = { mass = 1, inertia = [1, 1, 1], position = [1, 0, 0] }
        c = { mass = 1, inertia = [1, 1, 1], position = [2, 0, 0] }
        d = { mass = 1, inertia = [1, 1, 1], position = [3.25, 0.5, 0.25] }"#;
    for offset in ["", "offset = 1,"] {
        let mut built = build(&text.replace("OFFSET", offset));
        let sum = |built: &Built| {
            let value =
                |joint: usize, k: usize| built.world.coordinate(built.joints[joint], k).expect("a value");
            0.5 * value(0, 0) - 2.0 * value(1, 0) + 3.0 * value(1, 1) - value(2, 0) + 2.0 * value(2, 1)
                - 0.5 * value(2, 2)
                + 2.0 * value(3, 0)
                + value(3, 1)
                - 1.5 * value(3, 2)
        };
        let start = sum(&built);
        // hinge at −0.125, six at (0.25, 0, −0.25)
        near(start, -0.0625 + 0.5 + 0.375, 1e-12);
        for _ in 0..60 {
            assert!(built.world.step().fault.is_none());
        }
        let wanted = if offset.is_empty() { start } else { 1.0 };
        near(sum(&built), wanted, 1e-8);
        // all of them moved
        let moved = [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)];
        for (joint, k) in moved {
            let value = built.world.coordinate(built.joints[joint], k).expect("a value");
            assert!(value.abs() > 1e-4, "coordinate {k} of joint {joint} is {value}");
        }
    }
}

/// A rack of negative radius runs against the turn.
#[test]
fn a_rack_may_run_backwards() {
    let mut built = build(
        r#"windlass = 2
        [settings]
        gravity = [0, 0, 0]
        [joints]
        wheel = { hinge = { bodies = ["g", "a"], at = [0, 0, 0], axis = [0, 0, 1], motor = { speed = 4 } } }
        way = { slider = { bodies = ["g", "b"], axis = [1, 0, 0] } }
        teeth = { rack = { pinion = "wheel", slider = "way", radius = "-5 cm" } }
        [bodies]
        g = { type = "static" }
        a = { mass = 1, inertia = [1, 1, 1] }
        b = { mass = 1, inertia = [1, 1, 1] }"#,
    );
    for _ in 0..60 {
        built.world.step();
    }
    near(built.world.state().bodies[2].velocity.x, -0.2, 1e-9);
}

#[test]
fn a_driven_body_follows_its_path_and_forces_act() {
    let mut built = build(
        r#"windlass = 2
        [settings]
        gravity = [0, 0, 0]
        [bodies.cart]
        type = "kinematic"
        position = [5, 0, 1]
        path = { x = { ramp = { start = 5, speed = 2 } }, angle = { sine = { amplitude = "10 deg", frequency = 1 } } }
        [bodies.ball]
        shape = { sphere = { radius = 0.1 } }
        mass = 2
        [forces.push]
        applied = { body = "ball", force = [0, 6, 0], from = 0, until = "0.5 s" }
        [forces.pull]
        applied = { body = "ball", toward = { body = "cart", force = 0 }, torque = [0, 0, 0], in = "body" }"#,
    );
    for _ in 0..60 {
        assert!(built.world.step().fault.is_none());
    }
    let now = built.world.inspect();
    let cart = now.body(built.bodies[0]).expect("there");
    assert!((cart.at - DVec3::new(7.0, 0.0, 1.0)).length() < 1e-9);
    near(now.body(built.bodies[1]).expect("there").twist.velocity.y, 1.5, 0.06);
}
