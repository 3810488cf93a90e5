//! Keys of fluids: those without effect are rejected with a remedy; the others have one.

use windlass_fluid::Fluids;
use windlass_scene::{Built, Problem, parse};

fn build(text: &str) -> Built {
    parse(text, "fluids").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// A fluid with one of its keys, and a ball.
fn with(key: &str) -> String {
    format!(
        "windlass = 2\n[fluids.sea]\nmaterial = \"seawater\"\nsurface = 0\ndepth = 50\n{key}\n[fluids.air]\nmaterial = \"air\"\n\
         [bodies.ball]\nshape = {{ sphere = {{ radius = 1 }} }}\ndensity = 500\n"
    )
}

fn wind(keys: &str) -> String {
    with("").replace("\"air\"", &format!("\"air\"\nwind = {{ speed = 10, {keys} }}"))
}

fn cable(keys: &str) -> String {
    let section = "section = { material = \"steel\", diameter = \"20 mm\" }";
    let ends = "start = { at = [0, 0, 5] }\nend = { at = [9, 0, 5] }\nlength = 11";
    format!("{}[cables.line]\n{section}\n{ends}\n{keys}\n", with(""))
}

#[test]
fn keys_without_effect_are_rejected() {
    let sea = "height = 2, period = 8, spectrum";
    let cases = [
        (with(&format!("waves = {{ {sea} = \"jonswap\", phase = 1 }}")), "a sea has no `phase`", "leave"),
        (with(&format!("waves = {{ {sea} = \"jonswap\", order = 2 }}")), "a sea has no `order`", "leave"),
        (
            with(&format!("waves = {{ {sea} = \"pierson-moskowitz\", peak_enhancement = 3 }}")),
            "has no `peak_enhancement`",
            "jonswap",
        ),
        (with("waves = { height = 2, period = 8, seed = 4 }"), "a regular wave has no `seed`", "spectrum"),
        (
            with("waves = { height = 2, period = 8, peak_enhancement = 4 }"),
            "a regular wave has no `peak_enhancement`",
            "spectrum",
        ),
        (with("current = { velocity = [1, 0, 0], exponent = 0.2 }"), "has no `exponent`", "\"power\""),
        (
            with("current = { velocity = [1, 0, 0], ramp = 5, sine = { frequency = 1 } }"),
            "changes with time in two ways",
            "one of",
        ),
        (
            with("current = { depths = [0, 9], velocities = [[1, 0, 0], [0, 0, 0]], profile = \"power\" }"),
            "given twice",
            "`velocity` and `profile`",
        ),
        (wind("profile = \"uniform\", exponent = 0.2"), "has no `exponent`", "\"power\""),
        (wind("profile = \"uniform\", roughness = 0.2"), "has no `roughness`", "\"logarithmic\""),
        (wind("roughness = 0.2"), "has no `roughness`", "\"logarithmic\""),
        (
            format!("{}fluid = {{ added_mass = {{ model = \"shape\", complete_at = 0.3 }} }}\n", with("")),
            "`complete_at` belongs to a given added mass",
            "`diagonal`",
        ),
        (
            cable("model = \"catenary\"\nfluid = { normal_drag = 2 }"),
            "do not act on cable \"line\"",
            "leave `model`",
        ),
        (
            cable("model = \"mass-points\"\nfluid = { normal_drag = 2 }"),
            "do not act on cable \"line\"",
            "leave `model`",
        ),
    ];
    for (text, message, help) in cases {
        let found = parse(&text, "fluids").and_then(|scene| scene.build()).map(|_| ()).expect_err(message);
        let told =
            |p: &Problem| p.message.contains(message) && p.help.as_ref().is_some_and(|h| h.contains(help));
        assert!(found.problems.iter().any(told), "{message}: {:?}", found.problems);
    }
}

/// FL20: a tide.
#[test]
fn a_current_oscillates() {
    let text = with(
        "current = { velocity = [0, 2, 0], sine = { mean = 0.5, frequency = 0.25, phase = \"90 deg\" } }",
    );
    let built = build(&text);
    let current = Fluids::of(&built.world).unwrap().layers.all()[0].current.clone().unwrap();
    for (time, speed) in [(0.0, 3.0), (1.0, 1.0), (2.0, -1.0)] {
        let velocity = current.velocity(-1.0, 0.0, 50.0, time).0;
        assert!((velocity.y - speed).abs() < 1e-12 && velocity.x == 0.0, "{velocity} at {time} s");
    }
}

/// Elements of an adaptive cable that are merged and split keep the volume of the line.
#[test]
fn an_adaptive_cable_is_in_the_water() {
    let keys = "elements = 32\nadaptive = { levels = 2 }";
    let text = cable(keys).replace("surface = 0", "surface = 20");
    let mut built = build(&text);
    let volume = |built: &Built| -> f64 {
        let cable = &Fluids::of(&built.world).unwrap().cables[0];
        let actions = cable.elements.iter().filter_map(|(id, _)| Fluids::action(&built.world, *id));
        actions.map(|action| action.volume).sum()
    };
    let expected = std::f64::consts::FRAC_PI_4 * 0.02 * 0.02 * 11.0;
    for _ in 0..60 {
        assert!((volume(&built) / expected - 1.0).abs() < 1e-9, "{} of {expected} m³", volume(&built));
        assert!(built.world.step().fault.is_none());
    }
}
