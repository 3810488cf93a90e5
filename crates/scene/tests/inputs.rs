//! Inputs of a scene: read, built, written again, changed while the world runs, moved by hand.

use windlass_engine::prelude::{Command, Edit, InputState};
use windlass_scene::control::operator::{Operator, Wander};
use windlass_scene::control::{Move, MoveError, find};
use windlass_scene::{Built, Override, Scene, parse, parse_with};

/// Two winches side by side, raised together and tilted against each other, and a servo.
const SCENE: &str = r#"
windlass = 2
[parameters]
fast = "2 rad/s"
[bodies.ground]
type = "static"
[bodies.left]
shape = { sphere = { radius = 0.1 } }
density = 1000
[bodies.right]
position = [1, 0, 0]
shape = { sphere = { radius = 0.1 } }
density = 1000
[bodies.cart]
position = [2, 0, 0]
shape = { sphere = { radius = 0.1 } }
density = 1000
[joints.left]
hinge = { bodies = ["ground", "left"], at = [0, 0, 0], axis = [0, 0, 1], motor = { speed = 0 } }
[joints.right]
hinge = { bodies = ["ground", "right"], at = [1, 0, 0], axis = [0, 0, 1], motor = { speed = 0 } }
[joints.cart]
slider = { bodies = ["ground", "cart"], axis = [1, 0, 0], servo = { target = 0, stiffness = 100, force = 5 } }

[inputs.raise]
label = "Raise"
range = ["= -fast", "= fast"]
rate = "30 deg/s^2"
keys = ["Up", "Down"]
gamepad = "left-y"
drives = [{ joint = "left" }, { joint = "right" }]
[inputs.tilt]
range = [-1, 1]
self_centering = false
drives = [{ joint = "left", factor = 0.5 }, { joint = "right", factor = -0.5 }]
[inputs.cart]
range = ["10 mm", "50 cm"]
drives = [{ joint = "cart" }]
[inputs.grip]
range = ["0 N", "1 kN"]
drives = [{ joint = "cart", quantity = "force" }]

[[script]]
at = "1 s"
set = { raise = "1 rad/s", tilt = 0.25 }
[[script]]
at = "2 s"
set = { raise = 0 }
duration = "4 s"
"#;

fn built(text: &str) -> (Scene, Built) {
    let scene = parse(text, "scene.toml").unwrap_or_else(|e| panic!("{e}"));
    let built = scene.build().unwrap_or_else(|e| panic!("{e}"));
    (scene, built)
}

#[test]
fn a_panel_knows_units_ranges_and_keys() {
    let (_, built) = built(SCENE);
    let [raise, tilt, cart, grip] = &built.controls[..] else { panic!("{:?}", built.controls) };
    assert_eq!((raise.label.as_str(), raise.unit.as_str()), ("Raise", "rad/s"));
    assert_eq!((raise.low, raise.high, raise.rest), (-2.0, 2.0, 0.0));
    assert!((raise.rate.unwrap() - 30.0_f64.to_radians()).abs() < 1e-15);
    assert_eq!(raise.keys, Some(["Up".to_string(), "Down".to_string()]));
    assert!(raise.returns && !tilt.returns && raise.scripted && !cart.scripted);
    assert_eq!((tilt.label.as_str(), tilt.rate), ("tilt", None));
    // rest is as near to 0 as its range allows
    assert_eq!((cart.unit.as_str(), cart.low, cart.rest), ("m", 0.01, 0.01));
    assert_eq!((grip.unit.as_str(), grip.high), ("N", 1000.0));
    let json = serde_json::to_value(raise).unwrap();
    assert_eq!(
        (&json["gamepad"], &json["keys"][1], &json["high"]),
        (&"left-y".into(), &"Down".into(), &2.0.into())
    );
    let input = built.world.model().inputs().get(tilt.id.unwrap()).unwrap();
    let factors: Vec<_> = input.bindings.iter().map(|b| (b.command, b.factor)).collect();
    assert_eq!(factors, [(Command::Speed, 0.5), (Command::Speed, -0.5)]);
    assert_eq!(
        raise.value("60 rpm").unwrap_err(),
        "6.283185307179586 is outside of its range: give -2 to 2 rad/s"
    );
    assert_eq!(find(&built.controls, "rais").unwrap_err(), "no input \"rais\": did you mean \"raise\"?");
}

#[test]
fn the_script_plays_by_itself_and_what_inputs_drive_adds_up() {
    let (_, mut built) = built(SCENE);
    let ids = ["raise", "tilt"].map(|name| built.world.model().input(name).unwrap());
    let mut seen = Vec::new();
    for step in 1..=241 {
        built.world.step();
        if [60, 61, 241].contains(&step) {
            seen.push(ids.map(|id| built.world.input(id).unwrap().target));
        }
    }
    // the step that begins at 1 s is the 61st; at 4 s half of the way down is gone, and the last step ends later
    assert_eq!(seen[..2], [[0.0, 0.0], [1.0, 0.25]]);
    let end = 0.5 - 1.0 / 60.0 / 4.0;
    assert!((seen[2][0] - end).abs() < 1e-12, "{seen:?}");
    let (left, right) = ("left", "right");
    let speed = |world: &mut windlass_engine::prelude::World, name: &str| {
        let joint = world.model().joint(name).unwrap();
        world.inspect().coordinate(joint, 0).unwrap().speed
    };
    let raise = built.world.input(ids[0]).unwrap().actual;
    let [a, b] = [left, right].map(|name| speed(&mut built.world, name));
    assert!((a - (raise + 0.125)).abs() < 1e-6 && (b - (raise - 0.125)).abs() < 1e-6, "{a} {b} {raise}");
}

#[test]
fn a_scene_with_inputs_is_written_as_it_was_read() {
    let (scene, _) = built(SCENE);
    let again = parse(&scene.to_toml(), "scene.toml").unwrap_or_else(|e| panic!("{e}\n{}", scene.to_toml()));
    assert_eq!(again, scene, "{}", scene.to_toml());
    assert_eq!(again.inputs.len(), 4);
}

#[test]
fn inputs_of_a_prefab_drive_its_own_joints() {
    let text = r#"
windlass = 2
[bodies.ground]
type = "static"
[prefabs.winch.parameters]
more = "Up"
less = "Down"
[prefabs.winch.bodies.drum]
shape = { sphere = { radius = 0.1 } }
density = 1000
[prefabs.winch.joints.axle]
hinge = { bodies = ["ground", "drum"], at = [0, 0, 0], axis = [0, 0, 1], motor = { speed = 0 } }
[prefabs.winch.inputs.hoist]
range = [-1, 1]
keys = ["{more}", "{less}"]
drives = [{ joint = "axle" }]
[instances.left]
prefab = "winch"
[instances.right]
prefab = "winch"
position = [2, 0, 0]
parameters = { more = "R", less = "F" }
[[script]]
at = 0
set = { "right.hoist" = 1 }
"#;
    let (scene, mut built) = built(text);
    let names: Vec<_> = built.controls.iter().map(|c| (c.name.as_str(), c.keys.clone().unwrap())).collect();
    assert_eq!(names[1], ("right.hoist", ["R".to_string(), "F".to_string()]));
    built.world.step();
    let spins: Vec<_> = [1, 2].map(|place| built.world.state().bodies[place].angular_velocity.z).to_vec();
    assert!(spins[0] == 0.0 && (spins[1] - 1.0).abs() < 1e-12, "{spins:?}");
    assert_eq!(parse(&scene.to_toml(), "scene.toml").unwrap(), scene);
}

#[test]
fn a_running_scene_keeps_its_levers_where_they_stand() {
    let (old, mut built) = built(SCENE);
    for _ in 0..90 {
        built.world.step();
    }
    let id = built.world.model().input("tilt").unwrap();
    built.world.set_input(id, Some(-0.75)).unwrap();
    let before = built.world.state().to_bytes();
    let changed = |text: &[&str]| {
        let set: Vec<Override> = text.iter().map(|t| t.parse().unwrap()).collect();
        parse_with(SCENE, "scene.toml", std::sync::Arc::new(windlass_scene::files::NoFolder), &set).unwrap()
    };
    // nothing but a label: nothing is edited
    let labelled = changed(&["inputs.tilt.label=Tilt"]);
    assert_eq!(built.change(&old, &labelled).unwrap().edits.len(), 0);
    assert_eq!(built.controls[1].label, "Tilt");
    assert_eq!(built.world.state().to_bytes(), before);
    let narrow = changed(&["inputs.tilt.label=Tilt", "inputs.tilt.range=[-0.5, 0.5]"]);
    let edits = built.change(&labelled, &narrow).unwrap().edits;
    assert!(matches!(&edits[..], [Edit::SetInput(changed, _)] if *changed == id), "{edits:?}");
    assert_eq!(
        built.world.input(id).unwrap(),
        &InputState { target: -0.5, actual: 0.25, held: true, ..InputState::default() }
    );
    assert_eq!(built.controls[1].low, -0.5);
}

#[test]
fn moves_are_text_and_back_to_the_bit() {
    let (_, mut built) = built(SCENE);
    for to in [Some(0.1 + 0.2), Some(-1.0 / 3.0), None] {
        let made = Move { input: "raise".to_string(), to };
        let read = Move::read("raise", &made.value()).unwrap();
        assert_eq!(read, made);
        read.make(&mut built.world).unwrap();
    }
    let refused = Move::read("raise", "fast").unwrap_err().to_string();
    assert_eq!(refused, "input \"raise\": \"fast\" is neither a number nor `let go`");
    let nobody = Move { input: "lower".to_string(), to: None }.make(&mut built.world);
    assert_eq!(nobody, Err(MoveError::NoInput("lower".to_string())));
}

#[test]
fn a_wanderer_is_obeyed_and_repeats_to_the_bit() {
    let run = |seed: u64| {
        let (_, mut built) = built(SCENE);
        let mut wander = Wander::new(&built.controls, seed);
        let mut moves = Vec::new();
        for _ in 0..600 {
            wander.act(built.world.state().time, 1.0 / 60.0, &mut moves);
            for m in moves.drain(..) {
                m.make(&mut built.world).unwrap();
            }
            assert!(built.world.step().fault.is_none());
        }
        built.world.state().hash()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// Runs the operated crane with another step; returns rope, cylinder and angle at the end.
fn operated(dt: &str) -> [f64; 3] {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/crane/operated.toml");
    let step = Override { key: "settings.dt".into(), value: dt.into() };
    let scene = windlass_scene::read_with(path, &[step]).unwrap_or_else(|e| panic!("{e}"));
    let mut built = scene.build().unwrap_or_else(|e| panic!("{e}"));
    while built.world.state().time < 40.0 - 1e-6 {
        let report = built.world.step();
        assert!(report.fault.is_none() && report.broken == 0, "{report:?}");
    }
    assert!(built.world.state().inputs.iter().all(|i| i.actual == 0.0), "{:?}", built.world.state().inputs);
    let joint = |name: &str| built.world.model().joint(name).unwrap();
    ["hoist", "luffing", "slewing"].map(|name| built.world.coordinate(joint(name), 0).unwrap())
}

#[test]
fn the_operated_crane_does_what_its_script_says() {
    // each ramp up is as long as its ramp down: speed times the time between the two cues
    let expected = [34.0 - 1.5 * 13.0, 7.5 + 0.1 * 15.0, std::f64::consts::PI / 3.0];
    let off = |dt: &str| -> Vec<f64> {
        operated(dt).iter().zip(expected).map(|(found, expected)| (found - expected).abs()).collect()
    };
    let (coarse, fine) = (off("1/60 s"), off("1/240 s"));
    // a motor keeps a speed and not a length: what swings with v across a rope of length l gains h v²/2l a second, 3 cm here
    assert!(coarse[0] < 0.04 && fine[0] < 0.3 * coarse[0], "{coarse:?} {fine:?}");
    // and so does the cylinder, which turns as it pushes: 4 mm
    assert!(coarse[1] < 0.005 && fine[1] < 0.3 * coarse[1], "{coarse:?} {fine:?}");
    // a hinge's angle is its speed's sum
    assert!(coarse[2] < 1e-9 && fine[2] < 1e-9, "{coarse:?} {fine:?}");
}
