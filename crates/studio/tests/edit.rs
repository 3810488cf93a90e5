//! The editor over real sockets: changes of the text, taken back, saved, branched and compared.

use crate::client;

use client::{Client, FALL, Frame, GHOST, RUN, options, raw, run, scene};
use serde_json::{Value, json};
use windlass_studio::{Options, Studio};

/// A studio that stands at the start of a falling stone.
pub async fn standing() -> (Studio, Client, tempfile::TempDir) {
    let (folder, path) = scene(FALL);
    let options = Options { scene: Some(path), folder: Some(folder.path().to_path_buf()), ..options() };
    let studio = Studio::start(&options).expect("a free port and a good scene");
    let mut client = Client::of(&studio).await;
    // in this order: what is reset while it plays goes on
    client.say(json!({ "do": "pause" })).await;
    client.say(json!({ "do": "reset" })).await;
    client.told("status", |s| s["editing"] == true && s["step"] == 0).await;
    (studio, client, folder)
}

pub fn set(path: &[&str], value: Value) -> Value {
    json!({ "do": "edit", "label": format!("Set {}", path.join(" ")), "changes": [{ "set": path, "value": value }] })
}

/// A frame of the run for which something holds, which may have come already.
pub async fn seen(client: &mut Client, holds: impl Fn(&Frame) -> bool) -> Frame {
    loop {
        let shown = client.shown();
        if shown.mark == RUN && holds(&shown) {
            return shown;
        }
        client.frame().await;
    }
}

pub fn is_step(step: u32) -> impl Fn(&Frame) -> bool {
    move |frame| (frame.time - f64::from(step) / 60.0).abs() < 1e-9
}

/// A body is added, moved, and both are taken back and made again; the text and the picture follow.
#[test]
fn edits_are_made_taken_back_and_made_again() {
    run(async {
        let (_studio, mut client, _folder) = standing().await;
        let ball = json!({ "shape": { "sphere": { "radius": 0.5 } }, "mass": 1, "position": [3, 0, 1] });
        client.say(set(&["bodies", "ball"], ball)).await;
        let scene = client.told("scene", |s| s["bodies"].as_array().map(Vec::len) == Some(2)).await;
        assert_eq!(scene["tree"]["bodies"]["ball"]["position"], json!([3, 0, 1]));
        client.say(set(&["bodies", "ball", "position"], json!([4, 0, 1]))).await;
        client.told("scene", |s| s["tree"]["bodies"]["ball"]["position"] == json!([4, 0, 1])).await;
        let status = client.told("status", |s| s["undo"] == "Set bodies ball position").await;
        assert_eq!(
            (&status["redo"], &status["dirty"], &status["editing"]),
            (&Value::Null, &json!(true), &json!(true))
        );
        seen(&mut client, |frame| frame.bodies.get(1).is_some_and(|ball| ball[0] == 4.0)).await;

        client.say(json!({ "do": "undo" })).await;
        client.told("scene", |s| s["tree"]["bodies"]["ball"]["position"] == json!([3, 0, 1])).await;
        client.say(json!({ "do": "undo" })).await;
        let back = client.told("scene", |s| s["bodies"].as_array().map(Vec::len) == Some(1)).await;
        assert_eq!(back["text"], FALL, "to the letter");
        let status = client.told("status", |s| s["redo"] == "Set bodies ball").await;
        assert_eq!((&status["undo"], &status["dirty"]), (&Value::Null, &json!(false)));
        client.say(json!({ "do": "undo" })).await;
        client
            .told("refused", |r| r["why"].as_str().is_some_and(|why| why.contains("nothing to undo")))
            .await;
        client.say(json!({ "do": "redo" })).await;
        client.told("scene", |s| s["tree"]["bodies"]["ball"]["position"] == json!([3, 0, 1])).await;
    });
}

/// A body in water is removed and comes back with its `fluid`, and the water lifts it again.
#[test]
fn a_body_in_water_comes_back_into_it() {
    run(async {
        let (_studio, mut client, _folder) = standing().await;
        client.say(set(&["fluids", "lake"], json!({ "material": "water", "surface": 0 }))).await;
        client.told("scene", |s| s["fluids"].as_array().map(Vec::len) == Some(1)).await;
        let fluid = json!({ "damping": [0, 0, 20, 0, 0, 0] });
        let shape = json!({ "sphere": { "radius": 0.2 } });
        let buoy = json!({ "shape": shape, "mass": 10, "position": [3, 0, -2], "fluid": fluid });
        client.say(set(&["bodies", "buoy"], buoy)).await;
        let scene = client.told("scene", |s| s["bodies"].as_array().map(Vec::len) == Some(2)).await;
        let place = |scene: &Value| {
            let bodies = scene["bodies"].as_array().expect("a list");
            bodies.iter().position(|body| body["name"] == "buoy").expect("a buoy")
        };
        // so that the water has a memory of it
        client.say(json!({ "do": "step", "count": 10 })).await;
        client.told("status", |s| s["step"] == 10).await;
        let at = place(&scene);
        let before = seen(&mut client, is_step(10)).await.bodies[at];
        assert!(before[2] > -2.0, "the water lifts it: {before:?}");

        let remove =
            json!({ "do": "edit", "label": "Delete buoy", "changes": [{ "remove": ["bodies", "buoy"] }] });
        client.say(remove).await;
        let without = client.told("scene", |s| s["bodies"].as_array().map(Vec::len) == Some(1)).await;
        assert_eq!(without["tree"]["fluids"]["lake"]["surface"], 0, "the water stays");
        client.say(json!({ "do": "undo" })).await;
        let back = client.told("scene", |s| s["bodies"].as_array().map(Vec::len) == Some(2)).await;
        assert_eq!((&back["text"], &back["tree"]["bodies"]["buoy"]["fluid"]), (&scene["text"], &fluid));
        client.told("status", |s| s["redo"] == "Delete buoy").await;

        client.say(json!({ "do": "reset" })).await;
        client.told("status", |s| s["step"] == 0).await;
        client.say(json!({ "do": "step", "count": 10 })).await;
        client.told("status", |s| s["step"] == 10).await;
        assert_eq!(seen(&mut client, is_step(10)).await.bodies[place(&back)], before);
    });
}

/// What is wrong is told, and nothing has changed.
#[test]
fn wrong_edits_change_nothing() {
    run(async {
        let (_studio, mut client, _folder) = standing().await;
        client.say(set(&["bodies", "stone", "mass"], json!("2 m"))).await;
        let errors = client.told("errors", |_| true).await;
        assert_eq!(errors["problems"][0]["line"], 4, "{errors}");
        client.say(json!({ "do": "edit", "label": "", "changes": [{ "remove": ["bodies", "sand"] }] })).await;
        client.told("refused", |r| r["why"].as_str().is_some_and(|why| why.contains("bodies.sand"))).await;
        client
            .say(json!({ "do": "edit", "label": "", "changes": [{ "rename": ["bodies", "stone"] }] }))
            .await;
        client.told("refused", |r| r["why"].as_str().is_some_and(|why| why.contains("no command"))).await;
        let status = client.told("status", |_| true).await;
        assert_eq!((&status["undo"], &status["dirty"]), (&Value::Null, &json!(false)));
    });
}

/// A scene that is changed as it runs leaves its run as a branch, which comes back to the bit, with its text.
#[test]
fn a_change_in_the_middle_leaves_a_branch() {
    run(async {
        let (_studio, mut client, _folder) = standing().await;
        client.say(json!({ "do": "step", "count": 30 })).await;
        let status = client.told("status", |s| s["step"] == 30).await;
        let points = |status: &Value| status["points"].as_array().map_or(0, Vec::len);
        // the steps before the reset, if there were any, are a branch
        let left = points(&status);
        let before = seen(&mut client, is_step(30)).await;
        client.say(set(&["bodies", "stone", "mass"], json!(7))).await;
        let heavy = client.told("scene", |s| s["bodies"][0]["mass"] == 7.0).await;
        assert!(heavy["text"].as_str().is_some_and(|text| text.contains("mass = 7")));
        let status = client.told("status", |s| points(s) == left + 1).await;
        let branch = &status["points"][left];
        assert_eq!(
            (&branch["kind"], &branch["name"]),
            (&json!("branch"), &json!("before “Set bodies stone mass”"))
        );
        assert_eq!((&status["step"], &status["from"]), (&json!(30), &branch["time"]), "the stone falls on");
        client.say(json!({ "do": "step", "count": 10 })).await;
        client.told("status", |s| s["step"] == 40).await;

        // and once more, so that there are two editions behind
        client.say(set(&["bodies", "stone", "mass"], json!(9))).await;
        client.told("scene", |s| s["bodies"][0]["mass"] == 9.0).await;
        client.say(json!({ "do": "jump", "id": branch["id"] })).await;
        let light = client.told("scene", |s| s["bodies"][0]["mass"] == 2.0).await;
        assert_eq!(light["text"], FALL);
        let status = client.told("status", |s| s["step"] == 30 && s["live"] == true).await;
        assert_eq!(points(&status), left + 1, "the run that was left; that of the last edit has no steps");
        assert_eq!(seen(&mut client, is_step(30)).await.bodies, before.bodies);
        client.say(json!({ "do": "jump", "id": status["points"][left]["id"] })).await;
        client.told("scene", |s| s["bodies"][0]["mass"] == 7.0).await;
        client.told("status", |s| s["step"] == 40).await;
    });
}

/// A cable that was changed and a body that was added as the scene ran: the scene that is reset has them under other numbers,
/// in its frames and in its plots.
#[test]
fn a_reset_after_an_edit_shows_the_scene_that_was_built_again() {
    let text = |diameter: u32, extra: &str| {
        format!(
            "windlass = 2\n[bodies.hook]\ntype = \"static\"\nposition = [0, 0, 2]\n\
             shape = {{ sphere = {{ radius = 0.02 }} }}\n{extra}\
             [bodies.stone]\nshape = {{ box = {{ size = [1, 1, 1] }} }}\nmass = 2\nposition = [3, 0, 5]\n\
             [cables.wire]\nsection = {{ material = \"rubber\", diameter = \"{diameter} mm\" }}\n\
             start = {{ body = \"hook\", at = [0, 0, 2] }}\npath = [[0, 0, 2], [0, 0, 1]]\nelements = 8\n"
        )
    };
    let extra = "[bodies.extra]\ntype = \"static\"\nposition = [7, 0, 5]\n";
    run(async {
        let (_folder, path) = scene(&text(10, ""));
        let studio = Studio::start(&Options { scene: Some(path), ..options() }).expect("a good scene");
        let mut client = Client::of(&studio).await;
        client.say(json!({ "do": "pause" })).await;
        client.say(json!({ "do": "reset" })).await;
        client.say(json!({ "do": "step", "count": 5 })).await;
        client.told("status", |s| s["step"] == 5).await;
        client.say(json!({ "do": "text", "toml": text(12, extra) })).await;
        client.told("scene", |s| s["bodies"].as_array().map(Vec::len) == Some(3)).await;
        let names = ["bodies.stone.position.x", "cables.wire.length"];
        client.say(json!({ "do": "probe", "names": names })).await;
        client.say(json!({ "do": "step", "count": 5 })).await;
        let right = |sample: &Value| sample["values"][names[0]] == 3.0 && sample["values"][names[1]].is_f64();
        assert!(right(&client.told("sample", |s| s["time"].as_f64() > Some(0.16)).await));
        seen(&mut client, is_step(10)).await;
        client.say(json!({ "do": "reset" })).await;
        let sample = client.told("sample", |s| s["time"] == 0.0).await;
        assert!(right(&sample), "{sample}");
        let frame = seen(&mut client, is_step(0)).await;
        assert_eq!(frame.bodies.iter().map(|body| body[0]).collect::<Vec<_>>(), [0.0, 7.0, 3.0]);
        assert_eq!(frame.lines.len(), 1, "the cable");
    });
}

/// A run that was left goes along beside the present one, and a sync point stands.
#[test]
fn runs_are_compared() {
    run(async {
        let (_studio, mut client, _folder) = standing().await;
        client.say(json!({ "do": "step", "count": 20 })).await;
        client.say(json!({ "do": "mark", "name": "here" })).await;
        client.say(json!({ "do": "step", "count": 20 })).await;
        let status = client.told("status", |s| s["step"] == 40).await;
        let mark = status["points"].as_array().and_then(|p| p.iter().find(|p| p["kind"] == "mark"));
        let mark = mark.expect("it was set")["id"].clone();
        let z = |frame: &Frame| f64::from(frame.bodies[0][2]);
        client.say(json!({ "do": "compare", "id": mark })).await;
        let told = client.told("ghost", |_| true).await;
        assert_eq!((&told["name"], &told["scene"]["bodies"][0]["name"]), (&json!("here"), &json!("stone")));
        let moment = loop {
            let frame = client.frame().await;
            if frame.mark == GHOST {
                break frame;
            }
        };
        assert!((moment.time - 20.0 / 60.0).abs() < 1e-9 && z(&moment) < 5.0);

        // the other run starts higher up; the one that was left goes along below it
        client.say(json!({ "do": "reset" })).await;
        client.say(json!({ "do": "pause" })).await;
        client.told("status", |s| s["step"] == 0).await;
        client.say(set(&["bodies", "stone", "position"], json!([0, 0, 9]))).await;
        let status = client.told("status", |s| s["undo"].is_string() && s["step"] == 0).await;
        let left = status["points"].as_array().and_then(|p| p.iter().rev().find(|p| p["kind"] == "branch"));
        let left = left.expect("the run before the reset")["id"].clone();
        client.say(json!({ "do": "compare", "id": left })).await;
        client.told("ghost", |_| true).await;
        client.say(json!({ "do": "step", "count": 25 })).await;
        let (mut run, mut ghost) = (None, None);
        while run.is_none() || ghost.is_none() {
            let frame = client.frame().await;
            if (frame.time - 25.0 / 60.0).abs() < 1e-9 {
                let side = if frame.mark == GHOST { &mut ghost } else { &mut run };
                *side = Some(z(&frame));
            }
        }
        let (run, ghost) = run.zip(ghost).expect("both came");
        assert!((run - ghost - 4.0).abs() < 1e-5, "{run} {ghost}");
        client.say(json!({ "do": "compare", "id": null })).await;
        client.told("ghost", |g| g["id"].is_null() && g["scene"].is_null()).await;
        client.say(json!({ "do": "compare", "id": 4711 })).await;
        client.told("refused", |r| r["why"].as_str().is_some_and(|why| why.contains("no such"))).await;
    });
}

/// A new scene is built, saved under a name, and can be opened from then on.
#[test]
fn a_new_scene_is_saved_and_offered() {
    run(async {
        let (_studio, mut client, folder) = standing().await;
        client.say(json!({ "do": "new" })).await;
        let empty = client.told("scene", |s| s["id"] == "untitled").await;
        assert_eq!(empty["bodies"].as_array().map(Vec::len), Some(1), "the ground");
        client.told("status", |s| s["editing"] == true && s["dirty"] == false).await;
        let ball = json!({ "shape": { "sphere": { "radius": 0.5 } }, "mass": 1, "position": [0, 0, 3] });
        client.say(set(&["bodies", "ball"], ball)).await;
        client.told("status", |s| s["dirty"] == true).await;
        client.say(json!({ "do": "save" })).await;
        client.told("refused", |r| r["why"].as_str().is_some_and(|why| why.contains("give it a name"))).await;
        client.say(json!({ "do": "save", "name": "One ball" })).await;
        let offered = |hello: &Value| {
            hello["scenes"].as_array().is_some_and(|list| list.iter().any(|s| s["id"] == "one_ball.toml"))
        };
        client.told("hello", offered).await;
        let saved = client.told("saved", |_| true).await;
        assert_eq!(saved["file"], "one_ball.toml");
        let text = std::fs::read_to_string(folder.path().join("one_ball.toml")).expect("it was written");
        assert!(text.contains("[bodies.ball]"), "{text}");
        client.told("status", |s| s["dirty"] == false).await;
        client.say(json!({ "do": "open", "id": "one_ball.toml" })).await;
        client.told("scene", |s| s["bodies"].as_array().map(Vec::len) == Some(2)).await;
        client.say(set(&["bodies", "ball", "mass"], json!(2))).await;
        client.told("status", |s| s["dirty"] == true).await;
        client.say(json!({ "do": "save" })).await;
        client.told("saved", |s| s["file"] == "one_ball.toml").await;
    });
}

#[test]
fn the_schema_is_served() {
    run(async {
        let (studio, _client, _folder) = standing().await;
        let port = studio.address().port();
        let request =
            format!("GET /schema.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
        let answer = raw(port, &request).await;
        let body = answer.split("\r\n\r\n").nth(1).expect("a body");
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("application/json"));
        let schema: Value = serde_json::from_str(body).expect("JSON");
        assert!(schema["properties"]["bodies"].is_object());
    });
}

/// Files are made of the moment and of the recording, fetched by their address, and nothing else can be.
#[test]
fn files_are_made_of_the_recording() {
    run(async {
        let (studio, mut client, _folder) = standing().await;
        // reads nothing until everything is over
        let mut slow = Client::of(&studio).await;
        client.say(json!({ "do": "step", "count": 60 })).await;
        client.told("status", |s| s["step"] == 60).await;
        let port = studio.address().port();
        let get = |path: String| async move {
            raw(port, &format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"))
                .await
        };
        let camera = json!({ "position": [8, -8, 5], "target": [0, 0, 3], "up": [0, 0, 1], "angle": 0.7 });
        client.say(json!({ "do": "export", "format": "pov", "camera": camera })).await;
        let told = exported(&mut client, 1).await;
        assert_eq!((&told["done"], &told["file"]), (&json!(1.0), &json!("/export/1/scene.pov")), "{told}");
        let pov = get("/export/1/scene.pov".to_string()).await;
        assert!(pov.starts_with("HTTP/1.1 200") && pov.contains("content-disposition: attachment"));
        assert!(pov.contains("#declare Body_0") && pov.contains("#case (0)") && !pov.contains("#case (1)"));
        assert!(pov.contains("location <8, -8, 5>"), "the camera that was asked for");

        client.say(json!({ "do": "export", "format": "csv", "from": 0, "to": 1, "fps": 10 })).await;
        let told = exported(&mut client, 2).await;
        let csv = get(told["file"].as_str().expect("a file").to_string()).await;
        let table: Vec<Vec<&str>> = csv
            .split("\r\n\r\n")
            .nth(1)
            .expect("a body")
            .lines()
            .map(|line| line.split(',').collect())
            .collect();
        let column = |name: &str| table[0].iter().position(|c| *c == name).expect("a column");
        assert_eq!(table.len(), 12, "a head and eleven lines");
        let last = |name: &str| table[11][column(name)].parse::<f64>().expect("a number");
        assert!((last("time [s]") - 1.0).abs() < 1e-9);
        // free fall: z = 5 − g/2, and what is lost in height is gained in speed
        assert!((last("bodies.stone.position.z [m]") - (5.0 - 0.5 * 9.81)).abs() < 1e-6);
        let total = |line: usize| table[line][column("energy.total [J]")].parse::<f64>().expect("a number");
        assert!((total(11) - total(1)).abs() < 1e-6 * total(1).abs());

        client.say(json!({ "do": "export", "format": "glb", "from": 0, "to": 1 })).await;
        let told = exported(&mut client, 3).await;
        assert!(get(told["file"].as_str().expect("a file").to_string()).await.contains("glTF"));
        for nowhere in
            ["/export/9/scene.pov", "/export/1/scene.csv", "/export/1/..%2f", "/export/1", "/export/"]
        {
            assert!(get(nowhere.to_string()).await.starts_with("HTTP/1.1 404"), "{nowhere}");
        }
        client.say(json!({ "do": "export", "format": "svg", "fps": -1 })).await;
        client.told("refused", |r| r["why"].as_str().is_some_and(|why| why.contains("fps"))).await;
        client.say(json!({ "do": "export", "format": "mp4", "from": 0, "to": 1, "fps": 1000 })).await;
        client.told("status", |s| s["exports"][3]["id"] == 4).await;
        client.say(json!({ "do": "cancel", "id": 4 })).await;
        assert!(exported(&mut client, 4).await["error"].is_string());
        // who comes later learns of all of them, and so does who was too slow to see one before the next began
        let ended = |job: &Value| job["file"].is_string() || job["error"].is_string();
        let all = |status: &Value| {
            status["exports"].as_array().is_some_and(|jobs| jobs.len() == 4 && jobs.iter().all(ended))
        };
        let mut late = Client::of(&studio).await;
        let status = late.told("status", |_| true).await;
        assert!(all(&status), "{}", status["exports"]);
        slow.told("status", all).await;
    });
}

/// A file that was asked for, once it is there or has failed: a part of every status from then on.
async fn exported(client: &mut Client, id: u32) -> Value {
    let job = |status: &Value| {
        let jobs = status["exports"].as_array().cloned().unwrap_or_default();
        jobs.into_iter().find(|job| job["id"] == id && (job["file"].is_string() || job["error"].is_string()))
    };
    let status = client.told("status", |status| job(status).is_some()).await;
    job(&status).expect("it is there")
}

/// A text is checked without being used: all its errors at once, and none if it is valid.
#[test]
fn a_text_is_checked_while_it_is_typed() {
    run(async {
        let (_studio, mut client, _folder) = standing().await;
        let wrong = FALL.replace("mass", "mas").replace("gravity", "gravty");
        assert_ne!(wrong, FALL);
        client.say(json!({ "do": "validate", "toml": wrong, "req": 7 })).await;
        let errors = client.told("errors", |e| e["req"] == 7).await;
        assert!(errors["problems"].as_array().is_some_and(|p| !p.is_empty()), "{errors}");
        client.say(json!({ "do": "validate", "toml": FALL, "req": 8 })).await;
        let errors = client.told("errors", |e| e["req"] == 8).await;
        assert_eq!(errors["problems"], json!([]));
        // nothing has changed
        let status = client.told("status", |s| s["step"] == 0).await;
        assert_eq!((&status["undo"], &status["dirty"]), (&Value::Null, &json!(false)));
    });
}
