//! Changes to the text of a scene: they do what they say, and comments stay.

use serde_json::json;
use windlass_scene::edit::{Change, edit, tree};

const PENDULUM: &str = r#"# A pendulum.
windlass = 2

[bodies.ground] # it stands
type = "static"

# what swings
[bodies.bob]
position = [1, 0, 0] # to the right
shape = { sphere = { radius = "10 cm" } }
density = 7850

[joints.pivot]
ball = { bodies = ["ground", "bob"], at = [0, 0, 0] }

[probes]
height = "bodies.bob.position.z"
"#;

fn change(text: &str, changes: serde_json::Value) -> Result<String, String> {
    let changes: Vec<Change> = serde_json::from_value(changes).map_err(|e| e.to_string())?;
    edit(text, &changes).map_err(|e| e.to_string())
}

/// What is changed is changed, and every other byte stays.
#[test]
fn a_value_is_set_and_nothing_else() {
    let new = change(
        PENDULUM,
        json!([
            { "set": ["bodies", "bob", "position"], "value": [2, 0.5, 0] },
            { "set": ["bodies", "bob", "shape", "sphere", "radius"], "value": "20 cm" },
            { "set": ["joints", "pivot", "ball", "at", "2"], "value": 0.25 },
        ]),
    );
    let hand = PENDULUM
        .replace("[1, 0, 0]", "[2, 0.5, 0]")
        .replace("10 cm", "20 cm")
        .replace("at = [0, 0, 0]", "at = [0, 0, 0.25]");
    assert_eq!(new.as_deref(), Ok(hand.as_str()));
}

/// An entry that is added stands behind the others of its section, with a header, and the scene builds.
#[test]
fn entries_are_added_replaced_and_removed() {
    let ball = json!({ "position": [3, 0, 0], "shape": { "sphere": { "radius": 0.1 } }, "density": 1000 });
    let rod = json!({ "distance": { "bodies": ["bob", "ball 2"], "points": [[1, 0, 0], [3, 0, 0]] } });
    let new = change(
        PENDULUM,
        json!([
            { "set": ["bodies", "ball 2"], "value": ball },
            { "set": ["joints", "rod"], "value": rod },
            { "set": ["settings", "dt"], "value": "1 ms" },
        ]),
    )
    .expect("all can be set");
    let at = |part: &str| new.find(part).unwrap_or_else(|| panic!("{part} is not in\n{new}"));
    assert!(
        at("[bodies.bob]") < at("[bodies.\"ball 2\"]") && at("[bodies.\"ball 2\"]") < at("[joints.pivot]")
    );
    assert!(at("[joints.pivot]") < at("[joints.rod]") && new.contains("[settings]\ndt = \"1 ms\""));
    let built = windlass_scene::parse(&new, "x.toml").and_then(|scene| scene.build()).expect("it is a scene");
    assert_eq!((built.bodies.len(), built.joints.len()), (3, 2));

    let lighter =
        change(&new, json!([{ "set": ["bodies", "bob"], "value": { "position": [2, 0, 0], "mass": 3 } }]));
    let lighter = lighter.expect("an entry can be set as a whole");
    assert!(lighter.contains("# what swings\n[bodies.bob]\nposition = [2, 0, 0] # to the right\nmass = 3\n"));

    let back = change(
        &new,
        json!([{ "remove": ["bodies", "ball 2"] }, { "remove": ["joints", "rod"] }, { "remove": ["settings"] }]),
    );
    assert_eq!(back.as_deref(), Ok(PENDULUM));
}

/// A name is changed wherever it is said, and only there.
#[test]
fn a_name_is_changed_everywhere() {
    let new = change(PENDULUM, json!([{ "rename": ["bodies", "bob"], "to": "lead ball" }]));
    let hand = PENDULUM
        .replace("[bodies.bob]", "[bodies.\"lead ball\"]")
        .replace("\"bob\"", "\"lead ball\"")
        .replace("bodies.bob.position", "bodies.lead ball.position");
    assert_eq!(new.as_deref(), Ok(hand.as_str()));
    // a word that is no name stays
    let fixed =
        change(PENDULUM, json!([{ "rename": ["bodies", "ground"], "to": "earth" }])).expect("it is there");
    let again =
        change(&fixed, json!([{ "rename": ["bodies", "earth"], "to": "fixed" }])).expect("it is there");
    assert!(again.contains("type = \"static\"") && again.contains("[\"fixed\", \"bob\"]"));
    let kept = change(&again, json!([{ "rename": ["bodies", "fixed"], "to": "ground" }]));
    assert_eq!(kept.as_deref(), Ok(PENDULUM));
}

/// Elements of a cable and the joint of a winch are names, too.
#[test]
fn elements_of_cables_go_with_their_cable() {
    let text = "[cables.rope]\nlength = 3\n[joints.hook]\nweld = { bodies = [\"rope[3]\", \"ropes\"] }\n";
    let new = change(text, json!([{ "rename": ["cables", "rope"], "to": "line" }])).expect("it is there");
    assert!(new.contains("[cables.line]") && new.contains("[\"line[3]\", \"ropes\"]"));
}

/// A script says the names of inputs as keys; a joint that is called as an input is another thing.
#[test]
fn inputs_are_renamed_in_the_script() {
    let text = "[inputs.lift]\nrange = [0, 1]\n[joints.d]\ndifferential = { input = \"lift\" }\n\
        [[script]]\nat = 1\nset = { lift = 1 }\n[probes]\nlever = \"inputs.lift.actual\"\n";
    let new = change(text, json!([{ "rename": ["inputs", "lift"], "to": "hoist" }])).expect("it is there");
    let parts = ["[inputs.hoist]", "input = \"lift\"", "hoist = 1", "\"inputs.hoist.actual\""];
    assert!(parts.iter().all(|part| new.contains(part)), "{new}");
    let winch = "[winches.w]\non = \"mast\"\n[joints.g]\ngear = { joints = [\"w\", \"x\"] }\n[joints.h]\nball = { bodies = [\"w\", \"x\"] }\n";
    let new = change(winch, json!([{ "rename": ["winches", "w"], "to": "hoist" }])).expect("it is there");
    assert_eq!(new.matches("[\"hoist\", \"x\"]").count(), 2, "{new}");
}

/// A new entry may have a comment; a list of tables has a line for each; the script has headers.
#[test]
fn tools_write_comments_routes_and_scripts() {
    let route = json!([{ "attach": "a" }, { "pulley": "b", "radius": 0.2 }]);
    let rope = json!({ "section": "wire", "route": route });
    let script = json!([{ "at": 1, "set": { "lift": 2 } }, { "at": 3, "set": { "lift": 0 } }]);
    let new = change(
        PENDULUM,
        json!([
            { "set": ["cables", "rope"], "value": rope, "comment": "two\nlines" },
            { "set": ["bodies", "bob"], "value": { "mass": 3 }, "comment": "it has one already" },
            { "set": ["script"], "value": script },
        ]),
    )
    .expect("all can be set");
    let wanted = "\n# two\n# lines\n[cables.rope]\nsection = \"wire\"\nroute = [\n  { attach = \"a\" },\n  \
        { pulley = \"b\", radius = 0.2 },\n]\n";
    assert!(new.contains(wanted), "{new}");
    assert!(new.contains("# what swings\n[bodies.bob]\n") && !new.contains("already"), "{new}");
    let steps = "\n[[script]]\nat = 1\nset = { lift = 2 }\n\n[[script]]\nat = 3\nset = { lift = 0 }\n";
    assert!(new.contains(steps), "{new}");
    // a step that stays keeps its comment, one that is left out goes
    let told = new.replace("\n[[script]]\nat = 1", "\n# up\n[[script]]\nat = 1");
    let fewer = change(&told, json!([{ "set": ["script"], "value": [{ "at": 2, "set": { "lift": 2 } }] }]));
    let fewer = fewer.expect("it can be set again");
    assert!(
        fewer.contains("# up\n[[script]]\nat = 2\n") && fewer.matches("[[script]]").count() == 1,
        "{fewer}"
    );
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_done() {
    let cases = [
        (json!([{ "remove": ["bodies", "bop"] }]), "`bodies.bop` is not in this text"),
        (json!([{ "remove": [] }]), "1 to 32 keys"),
        (
            json!([{ "set": ["bodies", "bob", "density", "x"], "value": 1 }]),
            "`bodies.bob.density` is a single value",
        ),
        (json!([{ "set": ["bodies", "bob", "mass"], "value": null }]), "cannot be null"),
        (json!([{ "set": ["joints", "pivot", "ball", "at", "7"], "value": 1 }]), "is not in this text"),
        (json!([{ "rename": ["bodies", "bob"], "to": "ground" }]), "there is a `bodies.ground` already"),
        (json!([{ "rename": ["bodies"], "to": "x" }]), "only entries of a section"),
        (json!([{ "set": ["x"], "remove": ["x"] }]), "did not match"),
    ];
    for (changes, why) in cases {
        let refused = change(PENDULUM, changes.clone()).expect_err("it cannot be done");
        assert!(refused.contains(why), "{changes}: {refused}");
    }
    let broken = change("a = = 1", json!([{ "set": ["a"], "value": 1 }])).expect_err("it is no TOML");
    assert!(broken.contains("correct it first"), "{broken}");
}

#[test]
fn the_tree_says_what_is_written() {
    let tree = tree(PENDULUM).expect("it is TOML");
    assert_eq!(tree["bodies"]["bob"]["shape"]["sphere"]["radius"], "10 cm");
    assert_eq!(tree["joints"]["pivot"]["ball"]["bodies"][1], "bob");
}
