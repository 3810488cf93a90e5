//! Hand paths, contacts and clearance over real sockets.

use crate::client;

use client::{Client, options, run, scene};
use serde_json::{Value, json};
use windlass_studio::{Options, Studio};

/// A box that slides on rails of no friction in x, and a wall of 20 cm whose face is 1 m from the box's.
const WALL: &str = r#"
windlass = 2
[settings]
dt = "1/100 s"
gravity = [0, 0, 0]
[bodies.box]
shape = { box = { size = [0.2, 0.2, 0.2] } }
mass = 2
[bodies.wall]
type = "static"
position = [1.2, 0, 0]
shape = { box = { size = [0.2, 2, 2] } }
[bodies.post]
type = "static"
position = [0, 3, 0]
shape = { sphere = { radius = 0.5 } }
"#;

/// A cable hangs from a hook, and a strand of mass points from another.
const CABLES: &str = r#"
windlass = 2
[settings]
dt = "1/100 s"
[bodies.hook]
type = "static"
position = [0, 0, 2]
shape = { sphere = { radius = 0.02 } }
[bodies.other]
type = "static"
position = [3, 0, 2]
shape = { sphere = { radius = 0.02 } }
[cables.wire]
section = { material = "rubber", diameter = "10 mm", damping = { ratio = 0.3, frequency = "3 Hz" } }
start = { body = "hook", at = [0, 0, 2] }
path = [[0, 0, 2], [0, 0, 1]]
elements = 20
[cables.string]
model = "mass-points"
section = { material = "rubber", diameter = "10 mm", damping = { ratio = 0.3, frequency = "3 Hz" } }
start = { body = "other", at = [3, 0, 2] }
path = [[3, 0, 2], [3, 1, 2]]
elements = 20
"#;

async fn still(text: &str) -> (tempfile::TempDir, Studio, Client) {
    let (folder, path) = scene(text);
    let studio = Studio::start(&Options { scene: Some(path), ..options() }).expect("a good scene");
    let mut client = Client::of(&studio).await;
    client.say(json!({"do": "pause"})).await;
    client.say(json!({"do": "reset"})).await;
    client.frame().await;
    client.told("status", |s| s["step"] == 0 && s["playing"] == false).await;
    (folder, studio, client)
}

/// Where a body is, with all digits.
async fn place(client: &mut Client, body: &str, step: u64) -> Vec<Value> {
    let axes = ["x", "y", "z"].map(|axis| format!("bodies.{body}.position.{axis}"));
    client.say(json!({"do": "probe", "names": axes})).await;
    let sample =
        client.told("sample", |s| (s["time"].as_f64().unwrap_or(-1.0) * 100.0).round() == step as f64).await;
    axes.iter().map(|name| sample["values"][name].clone()).collect()
}

/// The frame of a step, once it is shown.
async fn seen(client: &mut Client, step: u64) -> client::Frame {
    let is_it = |frame: &client::Frame| (frame.time * 100.0).round() == step as f64;
    while !is_it(&client.shown()) {
        // whatever comes, the last frame is kept
        let _ = client.next().await;
    }
    client.shown()
}

/// Takes steps and moves the hand between them.
async fn steps(client: &mut Client, count: i64) {
    client.say(json!({"do": "step", "count": count})).await;
}

#[test]
fn a_path_that_is_played_again_ends_in_the_same_state() {
    run(async {
        let (_folder, _studio, mut client) = still(WALL).await;
        client.say(json!({"do": "path", "action": "stop", "name": "x"})).await;
        client.told("refused", |_| true).await;
        client.say(json!({"do": "path", "action": "record"})).await;
        client.told("status", |s| s["recording"] == true).await;
        steps(&mut client, 7).await;
        client.say(json!({"do": "grab", "body": 0, "at": [0.1, 0.03, 0], "to": [0.1, 0.03, 0]})).await;
        for k in 1..40 {
            client.say(json!({"do": "drag", "to": [0.1, 0.03 + 0.011 * k as f64, 0.007 * k as f64]})).await;
            steps(&mut client, 2).await;
        }
        client.say(json!({"do": "release"})).await;
        steps(&mut client, 20).await;
        client.say(json!({"do": "path", "action": "stop", "name": "  up and over "})).await;
        let status = client.told("status", |s| s["paths"].as_array().is_some_and(|p| p.len() == 1)).await;
        let path = &status["paths"][0];
        assert_eq!(
            (&path["name"], &path["part"], &path["points"]),
            (&json!("up and over"), &json!("box"), &json!(41))
        );
        assert!((path["seconds"].as_f64().expect("a time") - 1.05).abs() < 1e-9, "{path}");
        assert_eq!(status["recording"], false);
        let first = place(&mut client, "box", 105).await;
        let hand = seen(&mut client, 105).await.bodies[0];
        client.say(json!({"do": "path", "action": "play", "id": path["id"]})).await;
        let status = client.told("status", |s| !s["paths"][0]["verdict"].is_null()).await;
        assert_eq!(
            (&status["step"], &status["playing"]),
            (&json!(105), &json!(false)),
            "time stands at its end"
        );
        let verdict = &status["paths"][0]["verdict"];
        assert_eq!(verdict["free"], true, "{verdict}");
        assert_eq!(place(&mut client, "box", 105).await, first, "to the last bit");
        assert_eq!(seen(&mut client, 105).await.bodies[0], hand);
        // as a file, and back
        client.say(json!({"do": "path", "action": "export", "id": path["id"]})).await;
        let file = client.told("path", |_| true).await;
        client.say(json!({"do": "path", "action": "remove", "id": path["id"]})).await;
        client.told("status", |s| s["paths"].as_array().is_some_and(Vec::is_empty)).await;
        client.say(json!({"do": "path", "action": "import", "text": file["text"]})).await;
        let status = client.told("status", |s| s["paths"].as_array().is_some_and(|p| p.len() == 1)).await;
        assert_eq!(status["paths"][0]["name"], "up and over");
        client.say(json!({"do": "path", "action": "import", "text": "{}"})).await;
        let refused = client.told("refused", |_| true).await;
        assert!(refused["why"].as_str().is_some_and(|why| why.contains("not a drag path")), "{refused}");
        client.say(json!({"do": "path", "action": "play", "id": 77})).await;
        client.told("refused", |_| true).await;
    });
}

/// A box is pushed into a wall: the first contact is told at the step at which its state has it, and with a wall that is moved
/// the same path is free.
#[test]
fn the_first_contact_is_found_where_it_is() {
    run(async {
        let (_folder, _studio, mut client) = still(WALL).await;
        client.say(json!({"do": "path", "action": "record"})).await;
        client.say(json!({"do": "grab", "body": 0, "at": [0, 0, 0], "to": [1.4, 0, 0]})).await;
        // step by step, until the state has a contact
        let mut found = None;
        for step in 1..200 {
            steps(&mut client, 1).await;
            let status = client.told("status", |s| s["step"] == step).await;
            if status["contacts"].as_u64() > Some(0) && client.shown().bodies[0][0] > 0.99 {
                found = Some(step);
                break;
            }
        }
        let step = found.expect("it reaches the wall");
        steps(&mut client, 50).await;
        client.say(json!({"do": "path", "action": "stop", "name": "into the wall"})).await;
        client.told("status", |s| s["paths"].as_array().is_some_and(|p| p.len() == 1)).await;
        client.say(json!({"do": "path", "action": "play", "id": 1})).await;
        let status = client.told("status", |s| !s["paths"][0]["verdict"].is_null()).await;
        let verdict = &status["paths"][0]["verdict"];
        assert_eq!(verdict["free"], false);
        assert!(
            verdict["text"].as_str().is_some_and(|t| t.starts_with("contact with wall at t = ")),
            "{verdict}"
        );
        let first = &status["check"]["first"];
        assert_eq!((&first["b"]["name"], &first["a"]["name"]), (&json!("wall"), &json!("box")));
        let at = first["step"].as_i64().expect("a step");
        // contacts that are near without force count as such, but do not press
        assert!((at - step).abs() <= 1, "{at} and {step}");
        let x = first["point"][0].as_f64().expect("x");
        assert!(first["force"].as_f64() > Some(1.0) && (x - 1.1).abs() < 1e-3, "{first}");
        // the hand presses with k (1.4 − 1.0) = 2 (2π·3)² 0.4 = 284 N, but not more than ten times the weight, 196 N
        let touching = &status["check"]["touching"][0];
        let force = touching["force"].as_f64().expect("it presses");
        assert!((force - 196.2).abs() < 2.0, "{touching}");
        assert!(status["check"]["largest"]["force"].as_f64() >= Some(force));
        client.say(json!({"do": "text", "toml": WALL.replace("[1.2, 0, 0]", "[4, 0, 0]")})).await;
        client.told("scene", |_| true).await;
        client.say(json!({"do": "path", "action": "play", "id": 1})).await;
        let status = client.told("status", |s| s["paths"][0]["verdict"]["free"] == true).await;
        let text = status["paths"][0]["verdict"]["text"].as_str().expect("words").to_string();
        assert!(text.starts_with("no contact, "), "{text}");
    });
}

/// A box that settles on a bench and is then dragged along it and into the wall: the bench is a support, the wall is the
/// first contact.
#[test]
fn a_support_is_no_first_contact() {
    run(async {
        let bench = "[bodies.bench]\ntype = \"static\"\nposition = [0, 0, -0.203]\n\
                     shape = { box = { size = [4, 4, 0.2] } }\n";
        let text = WALL.replace("gravity = [0, 0, 0]", "gravity = [0, 0, -9.81]") + bench;
        let (_folder, _studio, mut client) = still(&text).await;
        client.say(json!({"do": "check", "body": 0})).await;
        steps(&mut client, 50).await;
        let status = client.told("status", |s| s["step"] == 50).await;
        assert_eq!(status["check"]["first"]["b"]["name"], "bench", "it fell on the bench by itself");
        client.say(json!({"do": "grab", "body": 0, "at": [0, 0, 0], "to": [0.3, 0, -0.003]})).await;
        steps(&mut client, 50).await;
        let status = client.told("status", |s| s["step"] == 100).await;
        let check = &status["check"];
        assert!(check["first"].is_null(), "{check}");
        assert_eq!(
            (&check["touching"][0]["b"]["name"], &check["touching"][0]["resting"]),
            (&json!("bench"), &json!(true))
        );
        client.say(json!({"do": "drag", "to": [1.4, 0, -0.003]})).await;
        steps(&mut client, 200).await;
        let status = client.told("status", |s| s["step"] == 300).await;
        assert_eq!(status["check"]["first"]["b"]["name"], "wall", "{}", status["check"]);
    });
}

/// A scene that is saved while a path is played: its verdict is about the whole path.
#[test]
fn saving_does_not_end_a_check() {
    run(async {
        let (_folder, _studio, mut client) = still(WALL).await;
        client.say(json!({"do": "path", "action": "record"})).await;
        client.say(json!({"do": "grab", "body": 0, "at": [0, 0, 0], "to": [1.4, 0, 0]})).await;
        steps(&mut client, 150).await;
        client.say(json!({"do": "drag", "to": [0, 0, 0]})).await;
        steps(&mut client, 150).await;
        client.say(json!({"do": "path", "action": "stop"})).await;
        client.told("status", |s| s["paths"].as_array().is_some_and(|p| p.len() == 1)).await;
        client.say(json!({"do": "path", "action": "play", "id": 1})).await;
        client.told("status", |s| !s["check"]["first"].is_null() && s["playing"] == true).await;
        client.say(json!({"do": "save"})).await;
        client.told("saved", |_| true).await;
        let status = client.told("status", |s| s["playing"] == false).await;
        assert_eq!(status["paths"][0]["verdict"]["free"], false, "{status}");
    });
}

/// A path is left by going back in time while it holds the part: the part is free from there on.
#[test]
fn a_path_that_is_left_releases_the_part() {
    run(async {
        let (_folder, _studio, mut client) = still(WALL).await;
        client.say(json!({"do": "path", "action": "record"})).await;
        client.say(json!({"do": "grab", "body": 0, "at": [0, 0, 0], "to": [0.5, 0, 0]})).await;
        steps(&mut client, 300).await;
        client.say(json!({"do": "path", "action": "stop"})).await;
        client.told("status", |s| s["paths"].as_array().is_some_and(|p| p.len() == 1)).await;
        client.say(json!({"do": "path", "action": "play", "id": 1})).await;
        client.told("status", |s| s["check"]["path"] == 1 && s["step"].as_u64() > Some(40)).await;
        client.say(json!({"do": "seek", "time": 0.1})).await;
        client.told("status", |s| s["step"] == 10).await;
        client.say(json!({"do": "resume"})).await;
        client.told("status", |s| s["live"] == true && s["check"]["path"].is_null()).await;
        let far = async { while client.frame().await.bodies[0][0] < 0.7 {} };
        tokio::time::timeout(client::PATIENCE, far).await.expect("nothing stops it at 0.5 m");
    });
}

/// The clearance is the closed-form distance: of a box's corner and a ball, of two faces, and of an overlap.
#[test]
fn the_clearance_is_the_distance() {
    run(async {
        let (_folder, _studio, mut client) = still(WALL).await;
        client.say(json!({"do": "check", "body": 0})).await;
        let status = client.told("status", |s| !s["check"].is_null()).await;
        let clearance = &status["check"]["clearance"];
        assert_eq!(clearance["other"]["name"], "wall");
        assert!((clearance["distance"].as_f64().expect("a distance") - 1.0).abs() < 1e-9, "{clearance}");
        let ball = WALL
            .replace("position = [1.2, 0, 0]", "position = [9, 0, 0]")
            .replace("[0, 3, 0]", "[0.4, 0.5, 0.6]");
        for (text, radius) in [(ball.clone(), 0.5), (ball.replace("radius = 0.5", "radius = 0.1"), 0.1)] {
            client.say(json!({"do": "text", "toml": text})).await;
            let status = client.told("status", |s| s["check"]["clearance"]["other"]["name"] == "post").await;
            let told = status["check"]["clearance"]["distance"].as_f64().expect("a distance");
            // from the corner (0.1, 0.1, 0.1) to the middle
            let exact = (0.09f64 + 0.16 + 0.25).sqrt() - radius;
            assert!((told - exact).abs() < 1e-6, "{told} and {exact}");
        }
        let spheres = WALL.replace("box = { size = [0.2, 0.2, 0.2] }", "sphere = { radius = 0.3 }");
        let deep = spheres
            .replace("position = [1.2, 0, 0]", "position = [9, 0, 0]")
            .replace("[0, 3, 0]", "[0, 0.7, 0]");
        for (text, exact) in [(spheres, 0.8), (deep, -0.1)] {
            client.say(json!({"do": "text", "toml": text})).await;
            let near = |s: &Value| {
                (s["check"]["clearance"]["distance"].as_f64().unwrap_or(9.0) - exact).abs() < 1e-6
            };
            client.told("status", near).await;
        }
        client.say(json!({"do": "check"})).await;
        client.told("status", |s| s["check"].is_null()).await;
        for junk in [
            json!({"do": "check", "body": 9}),
            json!({"do": "check", "line": 0}),
            json!({"do": "check", "body": 0, "line": 0}),
        ] {
            client.say(junk).await;
            client.told("refused", |_| true).await;
        }
    });
}

/// A path of something that is no more is not played, and says so; joints tell where they are.
#[test]
fn what_is_gone_is_told() {
    run(async {
        let hinged = WALL.to_string()
            + "[joints.pin]\nhinge = { bodies = [\"post\", \"box\"], at = [0, 2, 0], axis = [0, 3, 0] }\n";
        let (_folder, _studio, mut client) = still(&hinged).await;
        client.say(json!({"do": "text", "toml": format!("{hinged}\n")})).await;
        let scene = client.told("scene", |s| s["text"].as_str().is_some_and(|t| t.ends_with("\n\n"))).await;
        let joint = &scene["joints"][0];
        assert_eq!(joint["bodies"], json!([2, 0]));
        let near = |told: &Value, exact: [f64; 3]| {
            (0..3).all(|k| (told[k].as_f64().unwrap_or(9.0) - exact[k]).abs() < 1e-12)
        };
        assert!(near(&joint["at"], [0.0, -1.0, 0.0]) && near(&joint["axis"], [0.0, 1.0, 0.0]), "{joint}");
        client.say(json!({"do": "check", "body": 0})).await;
        // the post is joined to it, and does not count
        let status = client.told("status", |s| !s["check"].is_null()).await;
        assert_eq!(status["check"]["clearance"]["other"]["name"], "wall");
        client.say(json!({"do": "check"})).await;
        client.say(json!({"do": "path", "action": "record"})).await;
        client.say(json!({"do": "grab", "body": 0, "at": [0, 0, 0], "to": [0.2, 0, 0]})).await;
        steps(&mut client, 10).await;
        client.say(json!({"do": "path", "action": "stop"})).await;
        let status = client.told("status", |s| s["paths"].as_array().is_some_and(|p| p.len() == 1)).await;
        assert_eq!(
            (&status["paths"][0]["name"], &status["check"]["part"]["name"]),
            (&json!("path 1"), &json!("box"))
        );
        client.say(json!({"do": "text", "toml": WALL.replace("bodies.box", "bodies.crate")})).await;
        client.told("scene", |s| s["bodies"][0]["name"] == "crate").await;
        client.say(json!({"do": "path", "action": "play", "id": 1})).await;
        let refused = client.told("refused", |_| true).await;
        assert!(
            refused["why"].as_str().is_some_and(|why| why.contains("no longer contains \"box\"")),
            "{refused}"
        );
    });
}

/// The ends of a cable and of a strand follow the hand, and what was done can be shown again.
#[test]
fn cables_are_pulled_by_hand() {
    run(async {
        let (_folder, _studio, mut client) = still(CABLES).await;
        for (line, to) in [(0u32, [0.3, 0.0, 1.2]), (1, [3.0, 0.4, 1.6])] {
            client.say(json!({"do": "reset"})).await;
            client.say(json!({"do": "pull", "line": line, "along": 1.0, "to": to})).await;
            steps(&mut client, 300).await;
            let end = |frame: client::Frame| *frame.lines[line as usize].1.last().expect("points");
            let held = end(seen(&mut client, 300).await);
            let away = (0..3).map(|k| (f64::from(held[k]) - to[k]).powi(2)).sum::<f64>().sqrt();
            // it sags by the part of the weight that it bears over k = m (2π·3)²: at most g/(2π·3)² = 28 mm
            assert!(away < 0.03, "{held:?} {to:?}");
            client.say(json!({"do": "seek", "time": 1.0})).await;
            seen(&mut client, 100).await;
            client.say(json!({"do": "seek", "time": 3.0})).await;
            assert_eq!(end(seen(&mut client, 300).await), held, "what was held is held again");
            client.say(json!({"do": "release"})).await;
            steps(&mut client, 100).await;
            let free = end(seen(&mut client, 400).await);
            assert!(
                (free[2] - held[2]).abs() + (free[0] - held[0]).abs() + (free[1] - held[1]).abs() > 0.05,
                "{free:?}"
            );
        }
        for junk in [
            json!({"do": "pull", "line": 9, "along": 0.5, "to": [0, 0, 0]}),
            json!({"do": "pull", "line": 0, "along": -1, "to": [0, 0, 0]}),
        ] {
            client.say(junk).await;
            client.told("refused", |_| true).await;
        }
    });
}
