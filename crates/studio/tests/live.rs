//! The server over real sockets: what it streams, what it follows, what it refuses.

use crate::client;

use client::{Client, FALL, PATIENCE, open, options, raw, run, scene, studio};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use windlass_studio::{Error, Options, Studio};

#[test]
fn the_crane_plays_and_is_streamed() {
    run(async {
        let studio = studio();
        let mut client = Client::of(&studio).await;
        let hello = client.told("hello", |_| true).await;
        assert_eq!(
            (&hello["version"], &hello["role"], &hello["clients"]),
            (&json!(2), &json!("driver"), &json!(1))
        );
        assert!(hello["scenes"].as_array().is_some_and(|list| list.len() >= 8));
        let scene = client.told("scene", |_| true).await;
        assert_eq!(scene["id"], "crane/operated");
        assert!(scene["text"].as_str().is_some_and(|text| text.contains("[bodies.boom]")));
        let bodies = scene["bodies"].as_array().expect("a list");
        let load = bodies.iter().position(|body| body["name"] == "load").expect("the crane has a load");
        assert_eq!(
            (&bodies[load]["mass"], &bodies[load]["shapes"][0]["form"]),
            (&json!(2000.0), &json!("mesh"))
        );
        assert_eq!(scene["inputs"].as_array().map(Vec::len), Some(3));
        let first = client.frame().await;
        assert_eq!(first.bodies.len(), bodies.len());
        assert_eq!(first.lines.len(), scene["lines"].as_array().map_or(0, Vec::len), "a piece each");
        let orientation = &first.bodies[load][3..];
        assert!((orientation.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
        let mut last = first.time;
        for _ in 0..10 {
            let frame = client.frame().await;
            assert!(frame.time > last, "{} after {last}", frame.time);
            last = frame.time;
        }
        let status = client.told("status", |s| s["time"].as_f64() > Some(0.1)).await;
        assert_eq!(
            (&status["playing"], &status["live"], &status["fault"]),
            (&json!(true), &json!(true), &Value::Null)
        );
        assert!(status["headroom"].as_f64() > Some(0.0) && status["stages"]["solve"].as_f64() > Some(0.0));
    });
}

/// A rope's load hangs in its last point, and its tension is about the load's weight.
#[test]
fn lines_have_their_tension() {
    run(async {
        let studio = studio();
        let mut client = Client::of(&studio).await;
        client.told("status", |s| s["time"].as_f64() > Some(0.5)).await;
        let frame = client.frame().await;
        let pull = frame.lines.iter().flat_map(|(_, points)| points).map(|p| p[3]).fold(0.0, f32::max);
        assert!((1.0e4..1.0e5).contains(&pull), "2 t pull with about 20 kN: {pull}");
    });
}

/// A falling stone: the energies at the start are those of its pose, and their sum stays.
#[test]
fn energies_are_those_of_the_moment_shown() {
    run(async {
        let (_folder, path) = scene(FALL);
        let studio = Studio::start(&Options { scene: Some(path), ..options() }).expect("a good scene");
        let mut client = Client::of(&studio).await;
        client.say(json!({"do": "pause"})).await;
        client.say(json!({"do": "reset"})).await;
        let energy = |s: &Value, kind: &str| s["energy"][kind].as_f64().expect("a number");
        let total = |s: &Value| energy(s, "kinetic") + energy(s, "potential");
        let start = client.told("status", |s| s["step"] == 0 && s["playing"] == false).await;
        let speed = |s: &Value| 9.81 * s["time"].as_f64().expect("a time");
        assert!(energy(&start, "potential") > 0.0, "{start}");
        client.say(json!({"do": "step", "count": 20})).await;
        let later = client.told("status", |s| s["step"] == 20).await;
        let mass = 2.0 * energy(&later, "kinetic") / speed(&later).powi(2);
        assert!((mass - 2.0).abs() < 1e-9, "{mass}");
        assert!((total(&later) - total(&start)).abs() < 1e-9 * total(&start), "{start} {later}");
        // and of a past moment
        client.say(json!({"do": "seek", "time": 0})).await;
        let again = client.told("status", |s| s["step"] == 0).await;
        assert_eq!(again["energy"], start["energy"]);
    });
}

#[test]
fn levers_move_the_crane_and_are_let_go() {
    run(async {
        let studio = studio();
        let mut client = Client::of(&studio).await;
        client.say(json!({"do": "input", "name": "slew", "value": -0.05})).await;
        let slew = |s: &Value, k: usize| s["inputs"]["slew"][k].as_f64().unwrap_or(f64::NAN);
        let status = client.told("status", |s| slew(s, 1) <= -0.049).await;
        assert_eq!(slew(&status, 0), -0.05, "wanted");
        let turned = client.frame().await;
        assert!(turned.bodies.iter().any(|body| body[6].abs() > 1e-4), "the house turns about z");
        client.say(json!({"do": "input", "name": "slow", "value": 1})).await;
        let refused = client.told("refused", |_| true).await;
        assert!(refused["why"].as_str().is_some_and(|why| why.contains("slew")), "it is guessed: {refused}");
        // whoever goes away lets go of the levers
        let mut other = Client::of(&studio).await;
        drop(client);
        other.told("status", |s| slew(s, 0) != -0.05).await;
    });
}

/// A lever that is released while a past moment is shown is free when the run continues, at its end or from there.
#[test]
fn what_was_held_is_free_after_the_past() {
    run(async {
        let studio = studio();
        let mut client = Client::of(&studio).await;
        let slew = |s: &Value| s["inputs"]["slew"][0].as_f64().unwrap_or(f64::NAN);
        for back in [json!({"do": "seek", "time": 1e6}), json!({"do": "resume"})] {
            client.say(json!({"do": "input", "name": "slew", "value": -0.05})).await;
            let held = client.told("status", |s| slew(s) == -0.05).await["time"].as_f64().expect("a time");
            client.told("status", |s| s["time"].as_f64() > Some(held + 0.3)).await;
            client.say(json!({"do": "seek", "time": held + 0.2})).await;
            client.told("status", |s| s["live"] == false && slew(s) == -0.05).await;
            client.say(json!({"do": "input", "name": "slew", "value": null})).await;
            client.told("refused", |_| true).await;
            client.say(back).await;
            let status = client.told("status", |s| s["live"] == true).await;
            assert!(slew(&status) != -0.05, "{status}");
            client.say(json!({"do": "play"})).await;
        }
    });
}

/// The islands of a frame are those of its state, also of one that was restored and not solved since.
#[test]
fn islands_are_those_of_the_moment_shown() {
    let ball = |name: &str, z: f64| {
        format!(
            "[bodies.{name}]\nmass = 1\nposition = [0, 0, {z}]\nshape = {{ sphere = {{ radius = 0.5 }} }}\n"
        )
    };
    // apart at first, and on top of each other after a second
    let text = format!(
        "windlass = 2\n[bodies.ground]\ntype = \"static\"\nshape = {{ plane = {{}} }}\n{}{}",
        ball("low", 0.5),
        ball("high", 2.0)
    );
    run(async {
        let (_folder, path) = scene(&text);
        let studio = Studio::start(&Options { scene: Some(path), ..options() }).expect("a good scene");
        let mut client = Client::of(&studio).await;
        client.say(json!({"do": "overlay", "islands": true})).await;
        client.say(json!({"do": "pause"})).await;
        client.say(json!({"do": "reset"})).await;
        let islands = |bytes: &[u8]| {
            let words =
                bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            let [.., tag, _, low, high] = words.collect::<Vec<_>>()[..] else { panic!("three bodies") };
            assert_eq!(tag, 2);
            (low & 0xFFFF, high & 0xFFFF)
        };
        let mut at = async |step: u32, order: Value| {
            // right after a status, since one that is due with the frame would solve, too
            for _ in 0..3 {
                client.told("status", |s| s["playing"] == false).await;
            }
            client.say(order).await;
            loop {
                if let Err(bytes) = client.next().await
                    && (f64::from_le_bytes(bytes[4..12].try_into().expect("8 bytes")) * 60.0).round()
                        == f64::from(step)
                {
                    return islands(&bytes);
                }
            }
        };
        let (low, high) = at(60, json!({"do": "step", "count": 60})).await;
        assert!(low == high && low > 0, "they touch: {low} {high}");
        let (low, high) = at(0, json!({"do": "reset"})).await;
        assert!(low != high && low > 0 && high > 0, "they are apart: {low} {high}");
    });
}

#[test]
fn viewers_look_until_the_driver_leaves() {
    run(async {
        let studio = studio();
        let mut driver = Client::of(&studio).await;
        driver.told("hello", |h| h["role"] == "driver").await;
        let mut viewer = Client::of(&studio).await;
        viewer.told("hello", |h| h["role"] == "viewer" && h["clients"] == 2).await;
        for (req, what) in [(1, "pause"), (2, "hand_over"), (3, "decline"), (4, "undo")] {
            viewer.say(json!({"do": what, "req": req})).await;
            viewer.told("refused", |r| r["req"] == req).await;
        }
        viewer.say(json!({"do": "probe", "names": ["bodies.load.position.z"]})).await;
        viewer.told("sample", |s| s["values"]["bodies.load.position.z"].is_f64()).await;
        assert_eq!(driver.told("status", |_| true).await["playing"], true, "nobody paused it");
        drop(driver);
        viewer.told("hello", |h| h["clients"] == 1).await;
        viewer.say(json!({"do": "drive"})).await;
        viewer.told("hello", |h| h["role"] == "driver").await;
        viewer.say(json!({"do": "pause"})).await;
        viewer.told("status", |s| s["playing"] == false).await;
    });
}

/// A viewer asks: the driver declines, then hands over, and loses what it held.
#[test]
fn the_controls_are_asked_for() {
    run(async {
        let studio = studio();
        let mut driver = Client::of(&studio).await;
        let mut viewer = Client::of(&studio).await;
        let me = viewer.told("hello", |h| h["role"] == "viewer").await["you"].clone();
        driver.say(json!({"do": "input", "name": "slew", "value": -0.05})).await;
        viewer.say(json!({"do": "drive"})).await;
        let asked = driver.told("hello", |h| h["request"]["client"] == me).await;
        assert!(asked["request"]["seconds"].as_f64().is_some_and(|s| (10.0..=15.0).contains(&s)), "{asked}");
        driver.say(json!({"do": "decline"})).await;
        viewer.told("hello", |h| h["again"].is_f64() && h["request"].is_null()).await;
        viewer.say(json!({"do": "drive", "req": 9})).await;
        viewer.told("refused", |r| r["req"] == 9).await;

        let mut third = Client::of(&studio).await;
        third.told("hello", |h| h["role"] == "viewer").await;
        third.say(json!({"do": "drive"})).await;
        driver.told("hello", |h| h["request"]["client"].is_u64()).await;
        driver.say(json!({"do": "hand_over"})).await;
        third.told("hello", |h| h["role"] == "driver" && h["driver"] == h["you"]).await;
        driver.told("hello", |h| h["role"] == "viewer").await;
        driver.told("status", |s| s["inputs"]["slew"][0] != -0.05).await;
        third.say(json!({"do": "pause"})).await;
        viewer.told("status", |s| s["playing"] == false).await;

        // a driver whose socket is gone loses them to the one who has asked
        driver.say(json!({"do": "drive"})).await;
        third.told("hello", |h| h["request"]["client"].is_u64()).await;
        drop(third);
        driver.told("hello", |h| h["role"] == "driver").await;
    });
}

/// Half requests of an address close each other and keep nobody out.
#[test]
fn half_requests_make_room() {
    run(async {
        let studio = studio();
        let port = studio.address().port();
        let mut half = Vec::new();
        for _ in 0..200 {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("it listens");
            stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nX-").await.expect("it is taken");
            half.push(stream);
        }
        let get = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
        assert!(raw(port, &get).await.starts_with("HTTP/1.1 200"));
        let mut byte = [0];
        for stream in &mut half[..100] {
            let end = timeout(Duration::from_secs(5), stream.read(&mut byte)).await;
            assert!(!matches!(end, Err(_) | Ok(Ok(1))), "the oldest are closed long before their time");
        }
        assert!(
            timeout(Duration::from_millis(50), half[199].read(&mut byte)).await.is_err(),
            "the newest wait"
        );
    });
}

#[test]
fn the_past_is_shown_and_branched() {
    run(async {
        let studio = studio();
        let mut client = Client::of(&studio).await;
        client.told("status", |s| s["time"].as_f64() > Some(1.5)).await;
        client.say(json!({"do": "pause"})).await;
        let end = client.told("status", |s| s["playing"] == false).await["time"].clone();
        client.say(json!({"do": "mark", "name": "here"})).await;
        client.say(json!({"do": "seek", "time": 1.0})).await;
        let past = client.told("status", |s| s["live"] == false).await;
        assert!((past["time"].as_f64().unwrap_or(0.0) - 1.0).abs() < 1e-9 && past["to"] == end);
        assert!((client.shown().time - 1.0).abs() < 1e-9, "the frame of a moment comes before its status");
        client.say(json!({"do": "input", "name": "slew", "value": 0.01})).await;
        client.told("refused", |_| true).await;
        client.say(json!({"do": "step", "count": -6})).await;
        client.told("status", |s| (s["time"].as_f64().unwrap_or(0.0) - 0.9).abs() < 1e-9).await;
        client.say(json!({"do": "resume"})).await;
        let branched = client.told("status", |s| s["live"] == true).await;
        let points = branched["points"].as_array().expect("a list");
        assert_eq!(points.len(), 2, "the mark, and the branch: {points:?}");
        assert_eq!(
            (&points[0]["name"], &points[0]["elsewhere"]),
            (&json!("here"), &json!(true)),
            "the mark is on the branch now"
        );
        assert_eq!((&points[1]["kind"], &points[1]["time"]), (&json!("branch"), &end));
        client.say(json!({"do": "jump", "id": points[1]["id"]})).await;
        let back = client.told("status", |s| s["time"] == end).await;
        let here = |p: &Value| p["name"] == "here" && p["elsewhere"] == false;
        assert!(back["points"].as_array().is_some_and(|p| p.iter().any(here)), "{back}");
        client.say(json!({"do": "reset"})).await;
        client.told("status", |s| s["time"].as_f64() < Some(0.05) && s["live"] == true).await;
    });
}

#[test]
fn texts_change_the_scene_or_are_explained() {
    run(async {
        let (_folder, path) = scene(FALL);
        let studio = Studio::start(&Options { scene: Some(path), ..options() }).expect("a good scene");
        let mut client = Client::of(&studio).await;
        let scene = client.told("scene", |_| true).await;
        assert_eq!(scene["bodies"][0]["mass"], 2.0);
        client.told("status", |s| s["time"].as_f64() > Some(0.1)).await;
        client.say(json!({"do": "text", "toml": FALL.replace("mass = 2", "mass = heavy")})).await;
        let errors = client.told("errors", |_| true).await;
        assert_eq!(errors["problems"][0]["line"], 4, "{errors}");
        client.say(json!({"do": "text", "toml": FALL.replace("mass = 2", "mass = 3")})).await;
        let scene = client.told("scene", |_| true).await;
        assert_eq!(scene["bodies"][0]["mass"], 3.0);
        let status = client.told("status", |_| true).await;
        assert!(status["time"].as_f64() > Some(0.1), "it goes on: {status}");
        client.say(json!({"do": "open", "id": "contact/dominoes"})).await;
        client.told("scene", |s| s["id"] == "contact/dominoes").await;
        for id in ["../x.toml", "/etc/passwd", "crane"] {
            client.say(json!({"do": "open", "id": id})).await;
            client.told("refused", |_| true).await;
        }
    });
}

#[test]
fn a_hand_holds_a_falling_stone() {
    run(async {
        let (_folder, path) = scene(FALL);
        let studio = Studio::start(&Options { scene: Some(path), ..options() }).expect("a good scene");
        let mut client = Client::of(&studio).await;
        client.say(json!({"do": "reset"})).await;
        client.say(json!({"do": "grab", "body": 0, "at": [0, 0, 0], "to": [3, 0, 6]})).await;
        client.told("status", |s| s["time"].as_f64() > Some(3.0)).await;
        let held = client.frame().await.bodies[0];
        // a spring of 3 Hz under g sags by g/(2π·3)² = 28 mm
        assert!((held[0] - 3.0).abs() < 0.02 && (held[2] - 5.972).abs() < 0.02, "{held:?}");
        client.say(json!({"do": "release"})).await;
        let low = async { while client.frame().await.bodies[0][2] > 4.0 {} };
        timeout(PATIENCE, low).await.expect("it falls again");
        client.say(json!({"do": "grab", "body": 9, "at": [0, 0, 0], "to": [0, 0, 0]})).await;
        client.told("refused", |_| true).await;
    });
}

/// Two hands hold two stones at once, each its own; letting go with one leaves the other closed.
#[test]
fn two_hands_hold_two_stones() {
    run(async {
        let text = FALL.to_string()
            + "[bodies.other]\nshape = { box = { size = [1, 1, 1] } }\nmass = 3\nposition = [9, 0, 5]\n";
        let (_folder, path) = scene(&text);
        let studio = Studio::start(&Options { scene: Some(path), ..options() }).expect("a good scene");
        let mut client = Client::of(&studio).await;
        client.say(json!({"do": "reset"})).await;
        client.say(json!({"do": "grab", "hand": 1, "body": 1, "at": [0, 0, 0], "to": [9, 0, 6]})).await;
        client.say(json!({"do": "grab", "body": 0, "at": [0, 0, 0], "to": [0, 0, 7]})).await;
        client.told("status", |s| s["time"].as_f64() > Some(1.0)).await;
        client.say(json!({"do": "drag", "hand": 1, "to": [9, 0, 8]})).await;
        client.told("status", |s| s["time"].as_f64() > Some(3.0)).await;
        let held = client.frame().await.bodies;
        // both sag by g/(2π·3)² = 28 mm, whatever they weigh
        assert!((held[0][2] - 6.972).abs() < 0.02 && (held[1][2] - 7.972).abs() < 0.02, "{held:?}");
        client.say(json!({"do": "release"})).await;
        let low = async { while client.frame().await.bodies[0][2] > 4.0 {} };
        timeout(PATIENCE, low).await.expect("what the first hand held falls");
        assert!((client.shown().bodies[1][2] - 7.972).abs() < 0.02, "the other still holds");
        for wrong in [
            json!({"do": "drag", "to": [0, 0, 0]}),
            json!({"do": "grab", "hand": 2, "body": 0, "at": [0, 0, 0], "to": [0, 0, 0]}),
        ] {
            client.say(wrong).await;
            client.told("refused", |_| true).await;
        }
    });
}

/// A fault stops time, is told, and does not end the session.
#[test]
fn a_fault_pauses() {
    run(async {
        let text = FALL.to_string()
            + "[forces.blast]\napplied = { body = \"stone\", force = [1e15, 0, 0], from = 0.2 }\n";
        let (_folder, path) = scene(&text);
        let studio = Studio::start(&Options { scene: Some(path), ..options() }).expect("a good scene");
        let mut client = Client::of(&studio).await;
        let status = client.told("status", |s| !s["fault"].is_null()).await;
        assert_eq!(status["playing"], false);
        assert!(status["fault"]["text"].as_str().is_some_and(|text| text.contains("stone")), "{status}");
        client.say(json!({"do": "seek", "time": 0})).await;
        client.told("status", |s| s["fault"].is_null() && s["time"] == 0.0).await;
    });
}

#[test]
fn strangers_find_nothing() {
    run(async {
        let studio = studio();
        let port = studio.address().port();
        let own = || Some(format!("http://localhost:{port}"));
        assert!(open(port, own(), None).await.is_ok());
        for origin in ["http://evil.example", "null", &format!("http://evil.example:{port}")] {
            assert!(open(port, Some(origin.to_string()), None).await.is_err(), "{origin}");
        }
        assert!(open(port, None, None).await.is_err(), "no origin");
        assert!(open(port, own(), Some("evil.example")).await.is_err(), "another host");
        let get = |host: String, path: &str| {
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        };
        let page = raw(port, &get(format!("localhost:{port}"), "/")).await;
        assert!(
            page.starts_with("HTTP/1.1 200")
                && page.contains("nosniff")
                && page.contains("frame-ancestors 'none'")
        );
        assert!(!page.to_lowercase().contains("access-control-allow-origin"));
        assert!(raw(port, &get("evil.example".to_string(), "/")).await.starts_with("HTTP/1.1 421"));
        for path in ["/../Cargo.toml", "/..%2fCargo.toml", "//etc/passwd", "/nothing"] {
            assert!(
                raw(port, &get(format!("localhost:{port}"), path)).await.starts_with("HTTP/1.1 404"),
                "{path}"
            );
        }
        let post = format!(
            "POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        assert!(raw(port, &post).await.starts_with("HTTP/1.1 405"));
    });
}

#[test]
fn what_is_too_long_closes_its_client_only() {
    run(async {
        let studio = studio();
        let mut good = Client::of(&studio).await;
        for message in [Message::text("x".repeat(2 << 20)), Message::binary(vec![0; 100])] {
            let mut bad = Client::of(&studio).await;
            // the other side may have closed before all of it was sent
            let _ = bad.0.send(message).await;
            let closed =
                async { while !matches!(bad.0.next().await, None | Some(Err(_) | Ok(Message::Close(_)))) {} };
            timeout(PATIENCE, closed).await.expect("it is closed");
        }
        good.say(json!({"do": "fly"})).await;
        let refused = good.told("refused", |_| true).await;
        assert!(refused["why"].as_str().is_some_and(|why| why.contains("fly")), "{refused}");
        good.frame().await;
    });
}

/// Clients that never read hold up neither the simulation nor the others.
#[test]
fn a_stalled_client_slows_nobody() {
    run(async {
        let studio = studio();
        let mut good = Client::of(&studio).await;
        let mut stalled = Vec::new();
        for _ in 0..4 {
            stalled.push(Client::of(&studio).await);
        }
        let before = good.told("status", |_| true).await["time"].as_f64().expect("a time");
        // far more than sockets buffer would be needed for this to end if anybody waited
        let mut frames = 0;
        while good.frame().await.time < before + 2.0 {
            frames += 1;
        }
        assert!(frames > 20, "{frames} frames in two simulated seconds");
        assert_eq!(stalled.len(), 4);
    });
}

#[test]
fn wider_needs_a_token() {
    let host = Some("0.0.0.0".parse().expect("an address"));
    assert!(matches!(Studio::start(&Options { host, ..options() }), Err(Error::NoToken(_))));
    let short = Some("short".to_string());
    assert!(matches!(Studio::start(&Options { host, token: short, ..options() }), Err(Error::Token)));
    run(async {
        let token = "0123456789abcdef0123456789abcdef";
        let studio =
            Studio::start(&Options { token: Some(token.to_string()), ..options() }).expect("a free port");
        let port = studio.address().port();
        assert!(open(port, Some(format!("http://127.0.0.1:{port}")), None).await.is_err(), "no token");
        let get = format!(
            "GET /?token={token}&quality=low HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"
        );
        let moved = raw(port, &get).await.to_lowercase();
        assert!(
            moved.starts_with("http/1.1 303")
                && moved.contains("samesite=strict")
                && moved.contains("httponly")
                && moved.contains("location: /?quality=low\r\n")
        );
        // browsers do not send a strict cookie along a redirect that a link on another site began
        let linked = get.replace("Connection", "Sec-Fetch-Site: cross-site\r\nConnection");
        let linked = raw(port, &linked).await.to_lowercase();
        assert!(linked.starts_with("http/1.1 200") && linked.contains("samesite=strict"), "{linked}");
        assert!(
            linked.contains("content=\"0;url=/\"") && linked.contains("frame-ancestors 'none'"),
            "{linked}"
        );
    });
}

/// Who breaks off before, in or right after the handshake leaves neither a descriptor nor memory behind.
#[cfg(target_os = "linux")]
#[test]
fn aborted_handshakes_leave_nothing_behind() {
    let descriptors = || std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let memory = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok()).expect("Linux tells it")
    };
    run(async {
        let studio = studio();
        let port = studio.address().port();
        let upgrade = format!(
            "GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        let abort = async |count: usize| {
            for round in 0..count {
                let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("it listens");
                let length = [0, 20, upgrade.len() - 2, upgrade.len()][round % 4];
                stream.write_all(&upgrade.as_bytes()[..length]).await.expect("it is taken");
            }
        };
        let settled = async |most: usize| {
            for _ in 0..600 {
                if descriptors() <= most {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            panic!("{} descriptors, {most} before", descriptors());
        };
        let before = descriptors();
        abort(400).await;
        settled(before).await;
        let held = memory();
        abort(1600).await;
        settled(before).await;
        // what the allocator keeps for the next ones, 16 MB, is less than a client's buffers of 32 kB each
        assert!(memory() < held + (16 << 10), "{} kB, {held} kB before", memory());
        // and it still serves
        assert!(open(port, Some(format!("http://127.0.0.1:{port}")), None).await.is_ok());
    });
}

#[test]
fn a_port_that_is_taken_is_told() {
    let first = studio();
    let again = Studio::start(&Options { port: Some(first.address().port()), ..Options::default() });
    assert!(matches!(again, Err(Error::Listen { .. })));
}
