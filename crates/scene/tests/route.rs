//! Routes with flexible segments, layers on drums, brakes under levers: what the text says becomes what the engine does.

use crate::play;

use play::{G, run_on};
use std::f64::consts::TAU;
use windlass_engine::prelude::{Edit, RopeReading};
use windlass_scene::{Built, CableRef, Scene, parse};

/// A load of 500 kg under a pulley at 10 m, on a winch with 20 m of rope on it.
fn text(winch: &str, rope: &str, first: &str) -> String {
    format!(
        r#"windlass = 2
        [settings]
        dt = "1/60 s"
        collide = false
        [sections.wire]
        construction = "6x36 IWRC"
        diameter = "16 mm"
        [bodies.tower]
        type = "static"
        [bodies.load]
        position = [2, 0, 2]
        mass = 500
        inertia = [50, 50, 50]
        [winches.hoist]
        on = "tower"
        at = [0, 0, 1]
        axis = [0, -1, 0]
        radius = 0.2
        mass = 80
        {winch}
        [cables.rope]
        section = "wire"
        tension = "4905 N"
        {rope}
        route = [
          {{ winch = "hoist"{first} }},
          {{ pulley = "tower", at = [1.8, 0, 10], axis = [0, 1, 0], radius = 0.2 }},
          {{ attach = "load", at = [2, 0, 2] }},
        ]
        [inputs.hoist]
        range = ["-6 rad/s", "6 rad/s"]
        rate = "6 rad/s^2"
        drives = [{{ joint = "hoist" }}]
        "#
    )
}

const MOTOR: &str = "wound_length = 20\nmotor = { torque = 5000 }";

fn scene(text: &str) -> Scene {
    parse(text, "route.toml").unwrap_or_else(|e| panic!("{e}"))
}

fn built(text: &str) -> Built {
    scene(text).build().unwrap_or_else(|e| panic!("{e}"))
}

fn height(built: &Built) -> f64 {
    let id = built.world.model().body("load").expect("a load");
    built.world.state().bodies[id.index()].position.z
}

fn route(built: &Built) -> RopeReading {
    built.world.route(built.ropes[0].cable.expect("elements")).expect("a route")
}

fn lever(built: &mut Built, value: Option<f64>) {
    let hoist = built.world.model().input("hoist").expect("a lever");
    built.world.set_input(hoist, value).expect("a value");
}

fn turned(built: &Built) -> f64 {
    let place = built
        .joints
        .iter()
        .find(|id| built.world.model().joints().get(**id).is_some_and(|joint| joint.name == "hoist"));
    built.world.coordinate(*place.expect("a winch"), 0).expect("a turn")
}

/// The load goes up by what is wound in; elements go over the pulley and onto the drum, and come back.
#[test]
fn flexible_segments_are_wound_up_and_let_out() {
    for (rope, first) in [
        ("segments = \"flexible\"\nelement = 0.25", ""),
        ("segments = \"flexible\"\nelement = 0.25", ", segment = \"massless\""),
        ("element = 0.25", ", segment = \"flexible\""),
    ] {
        let mut built = built(&text(MOTOR, rope, first));
        let start = route(&built);
        let segments = start.tensions.len();
        assert_eq!((segments, start.wraps.len()), (2, 3));
        run_on(&mut built, 2.0);
        let (rest, angle, there) = (height(&built), turned(&built), route(&built).elements);
        lever(&mut built, Some(5.0));
        run_on(&mut built, 4.0);
        lever(&mut built, None);
        run_on(&mut built, 3.0);
        let up = 0.2 * (turned(&built) - angle);
        assert!(up > 3.0, "{up}");
        assert!((height(&built) - rest - up).abs() < 0.02, "{first}: {} {up}", height(&built) - rest);
        let now = route(&built);
        if first.is_empty() || first.contains("massless") {
            // the segment behind the pulley is shorter by so many elements
            assert!(there - now.elements + 1 >= (up / 0.25) as usize, "{there} {}", now.elements);
        }
        // the pull behind the pulley bears the load and what hangs there of 8 m
        let hangs = built.world.model().cables().iter().next().expect("one").1.section.mass_per_length
            * (10.0 - height(&built));
        let bears = (500.0 + if first.contains("flexible") { 0.0 } else { hangs }) * G;
        assert!((now.tensions[1] / bears - 1.0).abs() < 2e-3, "{:?} {bears}", now.tensions);
        assert!((start.lengths[0] + start.slack[0] - up - now.lengths[0] - now.slack[0]).abs() < 0.01);
        lever(&mut built, Some(-5.0));
        run_on(&mut built, 4.0);
        lever(&mut built, None);
        run_on(&mut built, 3.0);
        assert!((height(&built) - rest - 0.2 * (turned(&built) - angle)).abs() < 0.02);
        assert!(route(&built).elements.abs_diff(there) <= 2, "{there} {}", route(&built).elements);
    }
}

/// What is drawn ends where it leaves drum and pulley: no element that is not there, nothing between the pieces but ropes.
#[test]
fn only_what_is_there_is_drawn() {
    let mut built = built(&text(MOTOR, "segments = \"flexible\"\nelement = 0.25", ""));
    lever(&mut built, Some(5.0));
    run_on(&mut built, 4.0);
    let CableRef::Elements(id) = built.cables[0].id else { panic!("it is of elements") };
    let lie = built.world.cable_lie(id).expect("it");
    let there: usize = lie.pieces().iter().map(|piece| piece.len()).sum();
    assert_eq!((lie.pieces().len(), there), (2, route(&built).elements));
    let curve = built.world.cable_curve(id, windlass_engine::prelude::Sampling::PerElement(2));
    let mut line = Vec::new();
    let mut pieces = curve.iter();
    // drum, piece, pulley, piece: each begins where the one before ends
    for rope in &built.ropes[0].ropes {
        line.push(built.world.rope_line(*rope));
        line.extend(pieces.next().map(|piece| piece.iter().map(|p| p.point).collect::<Vec<_>>()));
    }
    assert_eq!(line.len(), 4);
    for pair in line.windows(2) {
        let gap = pair[0].last().expect("a point").distance(pair[1][0]);
        assert!(gap < 0.01, "{gap}");
    }
    // on the drum, and round the pulley at its radius
    assert!((line[0][0].distance(glam::DVec3::Z) - 0.2).abs() < 1e-9);
    let off = |p: &glam::DVec3| (p.distance(glam::DVec3::new(1.8, 0.0, 10.0)) - 0.2).abs();
    assert!(line[2].iter().filter(|p| off(p) < 1e-9).count() > 10);
    let lowest = line.iter().flatten().map(|p| p.z).fold(f64::INFINITY, f64::min);
    assert!(lowest > 0.7, "{lowest}");
}

/// Elements can be counted, or as long as they are by themselves; both ends of a route may be fast.
#[test]
fn elements_by_number_and_by_themselves() {
    let few = built(&text(MOTOR, "segments = \"flexible\"\nelements = 60", ""));
    assert!((56..=60).contains(&route(&few).elements), "{}", route(&few).elements);
    let usual = built(&text(MOTOR, "segments = \"flexible\"", ""));
    // 17.2 m at 20 diameters of 16 mm
    assert!((50..=54).contains(&route(&usual).elements), "{}", route(&usual).elements);
    let both = text(MOTOR, "segments = \"flexible\"", "")
        .replace("{ winch = \"hoist\" }", "{ attach = \"tower\", at = [1.6, 0, 1] }");
    let mut both = built(&both);
    run_on(&mut both, 1.0);
    assert!((route(&both).ends[1] / (500.0 * G) - 1.0).abs() < 0.05, "{:?}", route(&both).ends);
}

/// A drum that is a plain body on a hinge of its own lets out what its point says is wound on it.
#[test]
fn a_drum_that_is_a_body_has_a_stock() {
    let drum = |wound: &str| {
        let winch = "[bodies.drum]\nposition = [0, 0, 1]\nmass = 80\ninertia = [2, 2, 2]\n[joints.hoist]\n\
            hinge = { bodies = [\"tower\", \"drum\"], at = [0, 0, 1], axis = [0, -1, 0], motor = { speed = 0, force = 5000 } }";
        let text = text(
            "",
            "segments = \"flexible\"\nelement = 0.25",
            &format!(", at = [0, 0, 1], axis = [0, -1, 0], radius = 0.2{wound}"),
        );
        let (before, rest) = text.split_once("[winches.hoist]").expect("a winch");
        let rest = rest.split_once("[cables.rope]").expect("a rope").1;
        format!("{before}{winch}\n[cables.rope]{rest}").replace("winch = \"hoist\"", "winch = \"drum\"")
    };
    let mut built = built(&drum(", wound_length = 6"));
    run_on(&mut built, 1.0);
    let (rest, start, angle) = (height(&built), route(&built).elements, turned(&built));
    // 5 m down, of which a massless rope would have none
    lever(&mut built, Some(-2.5));
    run_on(&mut built, 10.0);
    lever(&mut built, None);
    run_on(&mut built, 4.0);
    let down = 0.2 * (angle - turned(&built));
    assert!((4.5..5.6).contains(&down), "{down}");
    assert!((rest - height(&built) - down).abs() < 0.02, "{} {down}", rest - height(&built));
    let more = route(&built).elements - start;
    assert!((down / 0.25 - more as f64).abs() < 2.0, "{more} for {down} m");
    let told = scene(&drum("")).build().expect_err("nothing wound").to_string();
    assert!(told.contains("winch \"drum\" has no `wound_length`"), "{told}");
}

/// On a drum whose layers have 4 turns, a steady speed hauls faster with each layer: v = ω (r + n d).
#[test]
fn layers_change_the_speed_of_a_hoist() {
    let winch =
        "wound_length = 4\nwidth = 0.08\nlayers = { rope_diameter = 0.02 }\nmotor = { torque = 20000 }";
    for (rope, first) in [("", ""), ("element = 0.1\nsegments = \"flexible\"", ", segment = \"massless\"")] {
        let mut built = built(&text(winch, rope, first));
        let wound = |turns: f64| {
            // 3 turns and a climb in each layer
            let whole = (turns / 4.0).floor();
            let rest = turns - 4.0 * whole;
            let climb = (rest - 3.0).max(0.0);
            let below: f64 = (0..whole as usize).map(|k| 4.0 * k as f64 + 0.5).sum();
            TAU * (0.2 * turns + 0.02 * (below + whole * rest + 0.5 * climb * climb))
        };
        // 4 m are 3.18 turns: in the climb to the second layer
        let mut at = 3.0;
        while wound(at) < 4.0 {
            at += 1e-6;
        }
        run_on(&mut built, 1.0);
        let (rest, first) = (height(&built), turned(&built) / TAU);
        lever(&mut built, Some(2.0));
        let mut fastest = Vec::new();
        while turned(&built) / TAU - first < 3.5 {
            run_on(&mut built, 0.5);
            let id = built.world.model().body("load").expect("a load");
            let speed = built.world.state().bodies[id.index()].velocity.z;
            let turns = at + turned(&built) / TAU;
            // within a layer, not on the climb
            if turns.rem_euclid(4.0) > 0.2 && turns.rem_euclid(4.0) < 2.8 && turned(&built) > 0.8 * TAU {
                fastest.push((speed, 2.0 * (0.2 + 0.02 * (turns / 4.0).floor())));
            }
        }
        assert!(fastest.len() >= 5);
        for (speed, expected) in fastest {
            assert!((speed / expected - 1.0).abs() < 0.02, "{speed} {expected}");
        }
        lever(&mut built, None);
        run_on(&mut built, 3.0);
        let turns = at + turned(&built) / TAU;
        let hauled = wound(turns) - wound(at + first);
        assert!((height(&built) - rest - hauled).abs() < 0.02, "{} {hauled}", height(&built) - rest);
        // down until the drum is empty: 4 m below where it began
        lever(&mut built, Some(-6.0));
        run_on(&mut built, 9.0);
        let empty = turned(&built) + TAU * at;
        assert!(empty.abs() < 0.02, "{empty}");
    }
}

/// With the lever let go the brake holds, whatever the motor could; above its torque it slips; and a lever that is moved drives
/// with the motor's torque.
#[test]
fn a_brake_holds_while_the_lever_rests() {
    let weight = 500.0 * G * 0.2;
    for (motor, brake, holds) in [(3.0, 1.05, true), (3.0, 0.9, false), (1.3, 5.0, true)] {
        let winch = format!(
            "wound_length = 20\nmotor = {{ torque = {} }}\nbrake = {}",
            motor * weight,
            brake * weight
        );
        let mut built = built(&text(&winch, "", ""));
        run_on(&mut built, 1.0);
        let sunk = 2.0 - height(&built);
        assert_eq!(sunk < 0.01, holds, "{brake}: {sunk}");
        let before = height(&built);
        lever(&mut built, Some(1.0));
        run_on(&mut built, 3.0);
        let up = height(&built) - before;
        assert!(up > 0.3, "{motor} {brake}: {up}");
        lever(&mut built, None);
        run_on(&mut built, 0.5);
        let stopped = height(&built);
        run_on(&mut built, 2.0);
        assert_eq!((height(&built) - stopped).abs() < 0.01, holds, "{brake}");
    }
    // a motor that is too weak for the load does not hold it while its lever is moved a little, its brake does
    let winch =
        format!("wound_length = 20\nmotor = {{ torque = {} }}\nbrake = {}", 0.8 * weight, 2.0 * weight);
    let mut built = built(&text(&winch, "", ""));
    run_on(&mut built, 1.0);
    assert!(2.0 - height(&built) < 0.01);
    lever(&mut built, Some(0.5));
    run_on(&mut built, 1.0);
    assert!(2.0 - height(&built) > 0.3, "{}", height(&built));
    lever(&mut built, None);
    run_on(&mut built, 2.0);
    let caught = height(&built);
    run_on(&mut built, 1.0);
    assert!((height(&built) - caught).abs() < 0.01);
}

/// An edit of something else leaves the elements alone; another length of elements lays them anew, as the machine stands then.
#[test]
fn routes_change_with_their_scene() {
    let of = |element: f64, mass: f64| {
        let rope = format!("segments = \"flexible\"\nelement = {element}");
        scene(&text(MOTOR, &rope, "").replace("mass = 500", &format!("mass = {mass}")))
    };
    let (fine, heavy, coarse) = (of(0.25, 500.0), of(0.25, 600.0), of(0.5, 600.0));
    let mut built = fine.build().unwrap_or_else(|e| panic!("{e}"));
    lever(&mut built, Some(5.0));
    run_on(&mut built, 3.0);
    lever(&mut built, None);
    run_on(&mut built, 1.0);
    let (cable, there) = (built.ropes[0].cable, route(&built).elements);
    let edits = built.change(&fine, &heavy).unwrap_or_else(|e| panic!("{e}")).edits;
    assert!(matches!(edits[..], [Edit::SetBody(..)]), "{edits:?}");
    assert_eq!((built.ropes[0].cable, route(&built).elements), (cable, there));
    let hangs = height(&built);
    built.change(&heavy, &coarse).unwrap_or_else(|e| panic!("{e}"));
    assert!(built.ropes[0].cable != cable && built.cables.len() == 1);
    assert!((there / 2).abs_diff(route(&built).elements) <= 2, "{there} {}", route(&built).elements);
    assert_eq!(built.world.model().cables().count(), 1);
    run_on(&mut built, 2.0);
    assert!((height(&built) - hangs).abs() < 0.05, "{} {hangs}", height(&built));
    // massless, and back: nothing is left over
    let massless = scene(&text(MOTOR, "", ""));
    built.change(&coarse, &massless).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((built.world.model().cables().count(), built.world.ropes().count()), (0, 1));
    built.change(&massless, &fine).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((built.world.model().cables().count(), built.world.ropes().count()), (1, 2));
    run_on(&mut built, 0.5);
}

#[test]
fn routes_survive_writing() {
    let winch = "wound_length = 20\nwidth = 0.3\nlayers = { rope_diameter = \"16 mm\", turns = 12, rise = 0.014 }\nmotor = { torque = 5000 }\nbrake = 9000";
    let rope = "segments = \"flexible\"\nelement = 0.25\ncollide = true\nsurface = \"oak\"";
    let scene = scene(&text(winch, rope, ", segment = \"massless\""));
    let written = scene.to_toml();
    let again = parse(&written, "again.toml").unwrap_or_else(|e| panic!("{e}\n{written}"));
    assert_eq!(again, scene);
    assert!(written.contains("segment = \"massless\""), "{written}");
    let [a, b] = [&scene, &again].map(|s| s.build().unwrap_or_else(|e| panic!("{e}")).world.state().hash());
    assert_eq!(a, b);
}

/// A winch that winds 20 m/s from the first step on, which is up to 2.7 elements per step: they are taken in, and the load rises.
#[test]
fn a_fast_winch_takes_in_several_elements_per_step() {
    for (step, speed) in [(30, 50), (30, 100), (60, 100), (60, 400), (240, 100)] {
        let mut built = built(&format!(
            r#"
            windlass = 2
            [settings]
            dt = "1/{step} s"
            [bodies]
            tower = {{ type = "static" }}
            load = {{ position = [2, 0, -30], shape = {{ box = {{ size = [1, 1, 1] }} }}, mass = "1 t", collide = false }}
            [winches.hoist]
            on = "tower"
            at = [0, 0, 1]
            axis = [0, -1, 0]
            radius = "200 mm"
            mass = "80 kg"
            motor = {{ speed = "{speed} rad/s", torque = "1e6 N*m" }}
            wound_length = "3 m"
            capacity = "36 m"
            [cables.rope]
            section = {{ construction = "6x36 IWRC", diameter = "20 mm", breaking_load = "1e12 N" }}
            tension = "9810 N"
            segments = "flexible"
            element = "250 mm"
            route = [
              {{ winch = "hoist", segment = "massless" }},
              {{ pulley = "tower", at = [1.8, 0, 8], axis = [0, 1, 0], radius = "200 mm" }},
              {{ attach = "load", at = [2, 0, -29.5] }},
            ]
            "#
        ));
        let load = built.bodies[1].index();
        // half a metre of slack is left when it flies by itself
        let (winds, seconds) = (0.2 * f64::from(speed), if speed > 100 { 0.25 } else { 0.75 });
        for _ in 0..(seconds * f64::from(step)) as usize {
            let report = built.world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
        }
        let rises = built.world.state().bodies[load].position.z + 30.0;
        let least = 0.8 * (winds * seconds - 1.0);
        assert!(rises > least, "1/{step} s, {winds} m/s: rises by {rises} m, not by {least} m");
        // thrown by an elastic rope it may be twice as fast as the winch
        let fastest = 2.2 * winds;
        for body in built.world.state().bodies.iter().filter(|body| !body.inactive) {
            let velocity = body.velocity.length();
            assert!(velocity < fastest, "1/{step} s, {winds} m/s: {velocity} m/s");
        }
    }
}

/// A carriage that rolls along its cable at 8 m/s stops two elements before the post and rolls back: it neither leaves its cable nor gains
/// energy.
#[test]
fn a_carriage_stops_at_the_end_of_its_cable() {
    for step in [60, 240, 1000] {
        let mut built = built(&format!(
            r#"
            windlass = 2
            [settings]
            dt = "1/{step} s"
            collide = false
            [bodies]
            posts = {{ type = "static" }}
            carriage = {{ position = [4, 0, 0], mass = "90 kg", shape = {{ box = {{ size = [0.4, 0.4, 0.4] }} }}, velocity = [8, 0, 0] }}
            [cables.line]
            section = {{ construction = "6x19 IWRC", diameter = "12 mm" }}
            segments = "flexible"
            elements = 40
            route = [
              {{ attach = "posts", at = [0, 0, 1] }},
              {{ pulley = "carriage", at = [4, 0, 0], axis = [0, 1, 0], radius = "40 mm" }},
              {{ attach = "posts", at = [8, 0, 1] }},
            ]
            "#
        ));
        let carriage = built.bodies[1].index();
        let energy = |built: &mut Built| {
            let energy = built.world.inspect().energy();
            energy.kinetic + energy.potential
        };
        let start = energy(&mut built);
        let [mut low, mut high] = [4.0f64; 2];
        for _ in 0..4 * step {
            let report = built.world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
            let x = built.world.state().bodies[carriage].position.x;
            (low, high) = (low.min(x), high.max(x));
            let now = energy(&mut built);
            assert!(now < start + 1.0, "1/{step} s: {now} J from {start} J at {} s", report.time);
        }
        assert!(high > 7.0 && high < 8.2 && low > -0.2 && low < 4.0, "1/{step} s: from {low} m to {high} m");
    }
}

/// A rider on a sagging line of 62.6 m between posts that are 60 m apart and differ by 2 m in height comes to rest where both sides have
/// the same slope: cos θ = 60/62.6, and x₁ − x₂ = 2 m/tan θ.
#[test]
fn a_rider_on_a_sagging_line_comes_to_rest_where_both_sides_pull_alike() {
    let mut built = built(
        r#"
        windlass = 2
        [settings]
        dt = "1/60 s"
        collide = false
        [bodies.posts]
        type = "static"
        [bodies.load]
        position = [8, 0, 13]
        shape = { box = { size = [0.4, 0.4, 1] } }
        mass = "90 kg"
        linear_damping = "0.6 1/s"
        angular_damping = "2 1/s"
        [cables.line]
        section = { diameter = 0.01, mass_per_length = 0.05, axial_stiffness = 1e7, bending_stiffness = 0.1, torsional_stiffness = 0.1 }
        length = 62.6
        segments = "flexible"
        element = 1
        route = [
          { attach = "posts", at = [0, 0, 20] },
          { pulley = "load", at = [8, 0, 13.7], axis = [0, 1, 0], radius = 0.05 },
          { attach = "posts", at = [60, 0, 18] },
        ]
        "#,
    );
    assert!((route(&built).lengths[0] - 62.6).abs() < 0.02, "{:?}", route(&built).lengths);
    run_on(&mut built, 50.0);
    let tangent = (62.6f64 * 62.6 - 60.0 * 60.0).sqrt() / 60.0;
    let x = 0.5 * (60.0 + 2.0 / tangent);
    let id = built.world.model().body("load").unwrap();
    let at = built.world.state().bodies[id.index()].position;
    // the pulley is 0.7 m above the middle of the rider
    assert!((at.x - x).abs() < 0.3 && (at.z + 0.7 - (20.0 - x * tangent)).abs() < 0.1, "{at}, {x}");
}
