//! Each error text, as it is shown: place, message, remedy.

use windlass_scene::{Errors, parse};

/// A ground, a ball and what the test adds.
fn scene(more: &str) -> String {
    format!(
        r#"windlass = 2
[bodies.ground]
type = "static"
[bodies.ball]
position = [1, 0, 0]
shape = {{ sphere = {{ radius = 0.1 }} }}
density = 1000
{more}"#
    )
}

/// All problems of a text, a line each.
fn told(text: &str) -> String {
    let result = parse(text, "s.toml").and_then(|scene| scene.build().map(drop));
    result.expect_err("the text is wrong").to_string()
}

#[track_caller]
fn tells(more: &str, wanted: &str) {
    assert_eq!(told(&scene(more)), wanted);
}

#[test]
fn keys_and_names_are_found_by_their_spelling() {
    tells("[bodys.x]", "s.toml:8:2: unknown section `bodys` (did you mean `bodies`?)");
    tells("[bodies.x]\nmas = 1", "s.toml:9:1: unknown key `mas` (did you mean `mass`?)");
    tells(
        "[bodies.x]\ntype = \"fixt\"",
        "s.toml:9:8: `fixt` is not known here (known here: `dynamic`, `static`, `kinematic`)",
    );
    tells(
        "[settings]\nintegrator = \"rk4\"",
        "s.toml:9:14: `rk4` is not known here (known here: `spook`, `projected`, `dormand-prince`)",
    );
    // words of version 1
    tells("[bodies.x]\nkind = \"static\"", "s.toml:9:1: unknown key `kind` (here it is called `type`)");
    tells(
        "[bodies.x]\ntype = \"fixed\"",
        "s.toml:9:8: `fixed` is not known here (here it is called `static`)",
    );
    tells("[joints.j]\nhindge = {}", "s.toml:9:1: unknown key `hindge` (did you mean `hinge`?)");
    tells(
        "[joints.j]\nball = { bodies = [\"grond\", \"ball\"], at = [0, 0, 0] }",
        "s.toml:9:20: no body \"grond\" (did you mean \"ground\"?)",
    );
    tells(
        "[joints.j]\nball = { bodies = [\"wall\", \"ball\"], at = [0, 0, 0], axis = [0, 0, 1] }",
        "s.toml:9:53: unknown key `axis` (known here: `bodies`, `at`, `frames`)",
    );
    tells(
        "[forces.f]\ndrag = { body = \"moon\", factor = 1, area = 1 }",
        "s.toml:9:17: no body \"moon\" (the bodies are \"ball\", \"ground\")",
    );
    tells(
        "[joints.j]\nhinge = { bodies = [\"ground\", \"ball\"], at = [0, 0, 0], axis = [0, 0, 1], moter = { speed = 1 } }",
        "s.toml:9:74: unknown key `moter` (did you mean `motor`?)",
    );
}

#[test]
fn several_problems_are_told_at_once() {
    let text = "[joints.a]\nball = { bodies = [\"x1\", \"x2\"], at = [0, 0] }\n\
                [joints.b]\nball = { bodies = [\"ground\", \"x3\"], at = [0, 0, nan] }";
    let errors = parse(&scene(text), "s.toml").and_then(|s| s.build().map(drop)).expect_err("bad");
    let lines: Vec<_> = errors.problems.iter().map(|p| p.message.as_str()).collect();
    let wanted = ["no body \"x1\"", "no body \"x2\"", "`at` has 2 numbers", "no body \"x3\"", "`at` is NaN"];
    assert_eq!(lines, wanted);
}

#[test]
fn numbers_are_judged_where_they_stand() {
    let body = |line: &str| format!("[bodies.x]\nshape = {{ sphere = {{ radius = 1 }} }}\n{line}");
    tells(&body("mass = -1"), "s.toml:10:8: `mass` is -1 (give more than 0 kg)");
    tells(&body("mass = inf"), "s.toml:10:8: `mass` is inf (give a finite number)");
    tells(&body("mass = 1e20"), "s.toml:10:8: `mass` is 1e20 (give at most 1e15 kg)");
    tells(
        &body("mass = \"5 m\""),
        "s.toml:10:8: `mass`: \"5 m\" is a length, not a mass (give a number in kg, or text with such a unit)",
    );
    tells(&body("mass = \"5 kgs\""), "s.toml:10:8: `mass`: no unit \"kgs\" (did you mean \"kg\"?)");
    tells(
        &body("mass = true"),
        "s.toml:10:8: this is the word `true` (give a number, or text with a unit such as \"25 mm\")",
    );
    tells(
        &body("mass = 1\nposition = [1, 2]"),
        "s.toml:11:12: `position` has 2 numbers (give three: [x, y, z])",
    );
    tells(
        &body("mass = 1\norientation = [0, 0, 0, 0]"),
        "s.toml:11:15: `orientation` has length 0 ([1, 0, 0, 0] is the identity)",
    );
    tells(
        &body("mass = 1\nrotation = { axis = [0, 0, 0], angle = 1 }"),
        "s.toml:11:21: `axis` has no direction (give a vector that is not 0)",
    );
    tells("[settings]\ndt = 0.5", "s.toml:9:6: setting dt = 0.5: give a step between 1e-7 and 0.2 s");
    tells(
        "[settings]\ntolerance = 1e-6",
        "s.toml:9:13: `tolerance` needs integrator = \"dormand-prince\" (only that integrator controls its error: \
         leave it out, or set `integrator`)",
    );
}

#[test]
fn bodies_that_cannot_be_are_told() {
    tells(
        "[bodies.x]",
        "s.toml:8:9: body \"x\" has no mass (give a `shape` with `density` or `mass`, or `mass` with `inertia`, \
         or type = \"static\")",
    );
    tells(
        "[bodies.x]\nmass = 1\ndensity = 2\nshape = { sphere = { radius = 1 } }",
        "s.toml:9:8: both `density` and `mass` are given (leave one of them out)",
    );
    tells(
        "[bodies.x]\nmass = 1\ninertia = [1, 2]",
        "s.toml:10:11: `inertia` has 2 entries (give three moments [Ixx, Iyy, Izz], or three rows of three)",
    );
    tells(
        "[bodies.x]\ntype = \"kinematic\"",
        "s.toml:8:9: body \"x\" is kinematic but has no `path` (give path = { x = { … } }, or set type = \"static\")",
    );
    tells(
        "[bodies.x]\ntype = \"static\"\nvelocity = [1, 0, 0]",
        "s.toml:10:12: only a dynamic body has an initial velocity (leave it out; the velocity of a kinematic body follows from its `path`)",
    );
    tells(
        "[bodies.x]\nmass = 1\nshape = { box = { size = [1, 1, 0] } }",
        "s.toml:10:33: `size` is 0 (give more than 0 m)",
    );
    tells(
        "[bodies.x]\nmass = 1\nshape = { box = { size = [1, 1, 1] }, sphere = { radius = 1 } }",
        "s.toml:10:9: exactly one type is expected here (write { KIND = { … } })",
    );
    let flat = "[bodies.x]\nmass = 1\nshape = { convex = { points = [[0,0,0],[1,0,0],[0,1,0],[1,1,0]] } }";
    tells(flat, "s.toml:10:31: `points` enclose no volume: give them thickness, or use a thin box instead");
}

#[test]
fn joints_that_cannot_be_are_told() {
    let joint = |text: &str| format!("[joints.j]\n{text}");
    tells(
        &joint("hinge = { bodies = [\"ground\", \"ball\"] }"),
        "s.toml:8:9: the joint has no `at` (give a point in the world, `at = [x, y, z]`, or `frames`)",
    );
    tells(&joint("hinge = { at = [0, 0, 0] }"), "s.toml:9:9: `bodies` is missing (add `bodies = …` here)");
    tells(
        &joint("ball = { bodies = [\"ball\", \"ball\"], at = [0, 0, 0] }"),
        "s.toml:9:28: the joint connects body \"ball\" to itself (name two different bodies)",
    );
    let both = "ball = { bodies = [\"ground\", \"ball\"], at = [0, 0, 0] }\nweld = { bodies = [\"ground\", \"ball\"] }";
    tells(
        &joint(both),
        "s.toml:8:9: joint \"j\" has several types: `ball`, `weld` (keep one, and define the others as joints of their own)",
    );
    let hinge = |more: &str| {
        joint(&format!(
            "[joints.j.hinge]\nbodies = [\"ground\", \"ball\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n{more}"
        ))
    };
    tells(
        &hinge("limits = { low = 1, high = 0 }"),
        "s.toml:13:28: the limits 1 to 0 are not in ascending order (give low < high)",
    );
    tells(
        &hinge("motor = { speed = 1 }\nservo = { target = 1, stiffness = 1 }"),
        "s.toml:8:9: `motor` and `servo` are given together (a coordinate has at most one drive: keep one of them)",
    );
    tells(
        &hinge("prescribed = { smooth = { from = 0, to = 1, start = 2, end = 1 } }"),
        "s.toml:13:62: `end` is 1 s but `start` is 2 s: give a later `end`",
    );
    tells(
        &hinge("[joints.g]\ngear = { joints = [\"j\", \"g\"], ratio = 2 }"),
        "s.toml:14:25: joint \"g\" has no rotation to couple (name a hinge, a cylindrical or a screw)",
    );
    tells(
        &joint(
            "universal = { bodies = [\"ground\", \"ball\"], at = [0, 0, 0], axes = [[1, 0, 0], [1, 1, 0]] }",
        ),
        "s.toml:9:67: the angle between the two axes is 45.000° (the axes of a universal joint must be perpendicular)",
    );
}

#[test]
fn files_that_are_no_scenes_are_told() {
    assert_eq!(
        told(""),
        "s.toml:1:1: the file has no version: `windlass = 2` is missing (add it as the first line)"
    );
    assert_eq!(
        told("windlass = 3"),
        "s.toml:1:12: the file has an unknown format version (this program reads version 2: write `windlass = 2`)"
    );
    assert_eq!(
        told("windlass = 1"),
        "s.toml:1:12: the file has format version 1 (run `windlass upgrade FILE`, which renames keys and keeps comments)"
    );
    assert!(told("windlass = 2\n[bodies.a").starts_with("s.toml:2:10: unclosed table"));
    assert_eq!(told("windlass = 2\nbodies = 3"), "s.toml:2:10: a body needs a name (write [bodies.NAME])");
    assert!(told("windlass = 2\n[bodies]\na = 3").starts_with("s.toml:3:5: this is the number `3`"));
    // a name can hold anything but control characters
    assert!(told("windlass = 2\n[bodies.\"a\\nb\"]\ntype = \"static\"").contains("cannot have this name"));
}

#[test]
fn what_is_too_large_is_refused_at_once() {
    let long = " ".repeat(windlass_scene::text::LONGEST_FILE + 1);
    assert!(told(&long).contains("a scene may have 16777216"));
    let mut many = String::from("windlass = 2\n[bodies]\n");
    for i in 0..=windlass_scene::text::MOST_ENTRIES {
        many += &format!("b{i}={{type=\"static\"}}\n");
    }
    assert!(told(&many).contains("100001 entries in one section (a scene may have 100000)"));
    for deep in ["[", "{a=", "[{a="] {
        let errors: Errors =
            parse(&format!("windlass = 2\nx = {}", deep.repeat(100_000)), "s.toml").expect_err("deep");
        assert!(!errors.problems.is_empty());
    }
}

#[test]
fn a_path_that_is_no_file_is_told() {
    let folder = windlass_scene::read("src").expect_err("a folder");
    assert_eq!(folder.problems[0].message, "src is not a file");
    assert!(
        windlass_scene::read("nowhere.toml").expect_err("none").problems[0].message.contains("nowhere.toml")
    );
}
