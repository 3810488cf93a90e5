//! Unsaved work over real sockets: the undo list goes across scenes, drafts outlive the studio, broken files change nothing.

use crate::client::{Client, FALL, is_dropped, options, run};
use crate::edit::set;
use serde_json::{Value, json};
use std::path::Path;
use windlass_studio::{Options, Studio};

/// A studio in a folder with a scene and one with an error, whose drafts go to another folder.
async fn begun(folder: &Path, state: &Path) -> (Studio, Client) {
    let options = Options {
        scene: Some(folder.join("stone.toml")),
        folder: Some(folder.to_path_buf()),
        state: Some(state.to_path_buf()),
        ..options()
    };
    let studio = Studio::start(&options).expect("a free port and a good scene");
    let client = Client::of(&studio).await;
    (studio, client)
}

fn folders() -> [tempfile::TempDir; 2] {
    let [folder, state] = [tempfile::tempdir(), tempfile::tempdir()].map(|folder| folder.expect("a folder"));
    std::fs::write(folder.path().join("stone.toml"), FALL).expect("a file");
    std::fs::write(folder.path().join("broken.toml"), FALL.replace("mass = 2", "mass = heavy"))
        .expect("a file");
    [folder, state]
}

fn drafts(status: &Value) -> usize {
    status["drafts"].as_array().map_or(0, Vec::len)
}

async fn heavy(client: &mut Client, mass: u32) {
    client.say(set(&["bodies", "stone", "mass"], json!(mass))).await;
    client.told("scene", |s| s["bodies"][0]["mass"] == f64::from(mass)).await;
}

/// Another scene is opened and undone: the first is back with its change, its moment, its sync point and its branch.
#[test]
fn the_undo_list_goes_across_scenes() {
    run(async {
        let [folder, state] = folders();
        let (_studio, mut client) = begun(folder.path(), state.path()).await;
        heavy(&mut client, 7).await;
        client.say(json!({ "do": "pause" })).await;
        client.say(json!({ "do": "mark", "name": "here" })).await;
        let before =
            client.told("status", |s| s["playing"] == false && s["points"][0]["name"] == "here").await;
        client.say(json!({ "do": "open", "id": "contact/dominoes" })).await;
        client.told("scene", |s| s["id"] == "contact/dominoes").await;
        let status = client.told("status", |s| drafts(s) == 1).await;
        assert_eq!((&status["undo"], &status["dirty"]), (&json!("Open Dominoes"), &json!(false)));
        assert_eq!(status["drafts"][0]["recovered"], false);
        assert_eq!(status["points"], json!([]), "they belong to the other scene");

        client.say(json!({ "do": "undo" })).await;
        let scene = client.told("scene", |s| s["bodies"][0]["mass"] == 7.0).await;
        assert!(scene["id"].as_str().is_some_and(|id| id.ends_with("stone.toml")));
        let status = client.told("status", |s| s["dirty"] == true).await;
        assert_eq!((&status["step"], &status["points"]), (&before["step"], &before["points"]));
        assert_eq!((drafts(&status), &status["redo"]), (0, &json!("Open Dominoes")));
        client.say(json!({ "do": "redo" })).await;
        client.told("scene", |s| s["id"] == "contact/dominoes").await;

        // far more scenes than are parked: the text is still there
        for id in ["crane/gantry", "cable/slack", "cable/hoist", "contact/dominoes", "mechanism/gear_train"] {
            client.say(json!({ "do": "open", "id": id })).await;
            client.told("scene", |s| s["id"] == id).await;
        }
        for _ in 0..6 {
            client.say(json!({ "do": "undo" })).await;
        }
        client.told("scene", |s| s["bodies"][0]["mass"] == 7.0).await;
        client.say(json!({ "do": "undo" })).await;
        client.told("scene", |s| s["text"] == FALL).await;
        client.told("status", |s| s["dirty"] == false && drafts(s) == 0).await;
    });
}

#[test]
fn unsaved_work_outlives_the_studio() {
    run(async {
        let [folder, state] = folders();
        let (studio, mut client) = begun(folder.path(), state.path()).await;
        heavy(&mut client, 7).await;
        client.told("status", |s| s["dirty"] == true && s["unsafe_work"].is_null()).await;
        drop(client);
        drop(studio);

        let (studio, mut client) = begun(folder.path(), state.path()).await;
        let status = client.told("status", |s| drafts(s) == 1).await;
        let draft = &status["drafts"][0];
        assert_eq!((&draft["recovered"], &draft["title"]), (&json!(true), &json!("Stone")));
        client.say(json!({ "do": "restore", "id": draft["id"] })).await;
        client.told("scene", |s| s["bodies"][0]["mass"] == 7.0).await;
        client.told("status", |s| s["dirty"] == true && drafts(s) == 0 && s["playing"] == false).await;
        client.say(json!({ "do": "save" })).await;
        client.told("saved", |_| true).await;
        client.told("status", |s| s["dirty"] == false).await;
        drop(client);
        drop(studio);
        let text = std::fs::read_to_string(folder.path().join("stone.toml")).expect("it was saved");
        assert!(text.contains("mass = 7"));
        assert!(is_dropped(&state.path().join("recovery")), "nothing is left of it");
        let (_studio, mut client) = begun(folder.path(), state.path()).await;
        assert_eq!(drafts(&client.told("status", |_| true).await), 0);
    });
}

/// A draft whose file was changed by another program meanwhile is restored, but does not replace what that wrote.
#[test]
fn a_draft_does_not_replace_a_newer_file() {
    run(async {
        let [folder, state] = folders();
        let (studio, mut client) = begun(folder.path(), state.path()).await;
        heavy(&mut client, 7).await;
        drop((client, studio));
        std::fs::write(folder.path().join("stone.toml"), FALL.replace("mass = 2", "mass = 3"))
            .expect("a file");
        let (_studio, mut client) = begun(folder.path(), state.path()).await;
        let draft = client.told("status", |s| drafts(s) == 1).await["drafts"][0]["id"].clone();
        client.say(json!({ "do": "restore", "id": draft })).await;
        client.told("scene", |s| s["bodies"][0]["mass"] == 7.0).await;
        client.say(json!({ "do": "save", "req": 5 })).await;
        let refused = client.told("refused", |r| r["req"] == 5).await;
        assert!(refused["why"].as_str().is_some_and(|why| why.contains("another program")), "{refused}");
        client.say(json!({ "do": "discard", "id": draft })).await;
        client.told("refused", |_| true).await;
    });
}

/// A broken file is told with its text and the lines of its errors; the present scene runs on.
#[test]
fn a_broken_file_changes_nothing() {
    run(async {
        let [folder, state] = folders();
        let (_studio, mut client) = begun(folder.path(), state.path()).await;
        heavy(&mut client, 7).await;
        let broken = FALL.replace("mass = 2", "mass = heavy");
        client.say(json!({ "do": "open", "id": "broken.toml", "discard": true, "req": 3 })).await;
        let errors = client.told("errors", |_| true).await;
        assert_eq!((&errors["req"], &errors["problems"][0]["line"]), (&json!(3), &json!(4)));
        assert_eq!(
            (&errors["source"]["id"], &errors["source"]["text"]),
            (&json!("broken.toml"), &json!(broken))
        );
        client.say(json!({ "do": "load", "id": null, "name": "mine.toml", "toml": broken })).await;
        let errors = client.told("errors", |_| true).await;
        assert_eq!(errors["source"], json!({ "id": null, "file": "mine.toml", "text": broken }));
        let status = client.told("status", |_| true).await;
        assert_eq!((&status["dirty"], &status["undo"]), (&json!(true), &json!("Set bodies stone mass")));

        // corrected, it is opened as what it is: a scene of the gallery whose text differs from its file
        client.say(json!({ "do": "load", "id": "broken.toml", "name": "broken.toml", "toml": FALL })).await;
        client.told("scene", |s| s["id"] == "broken.toml" && s["text"] == FALL).await;
        client.told("status", |s| s["dirty"] == true && drafts(s) == 1).await;
        client
            .say(json!({ "do": "load", "id": null, "name": "my ball.toml", "toml": FALL, "discard": true }))
            .await;
        client.told("scene", |s| s["id"] == "untitled" && s["title"] == "My ball").await;
        client.told("status", |s| s["dirty"] == false && drafts(s) == 1).await;
    });
}

/// A text that is in no file is unsaved: one that the client says to be so, and one of a file that is gone.
#[test]
fn a_text_in_no_file_is_unsaved() {
    run(async {
        let [folder, state] = folders();
        let (_studio, mut client) = begun(folder.path(), state.path()).await;
        let load = |id: Value, name: &str, unsaved: bool| json!({ "do": "load", "id": id, "name": name, "toml": FALL, "unsaved": unsaved });
        client.say(load(Value::Null, "mine.toml", true)).await;
        client.told("scene", |s| s["title"] == "Mine").await;
        client.told("status", |s| s["dirty"] == true && drafts(s) == 0).await;
        std::fs::remove_file(folder.path().join("broken.toml")).expect("it is there");
        client.say(load(json!("broken.toml"), "broken.toml", false)).await;
        client.told("scene", |s| s["id"] == "untitled" && s["title"] == "Broken").await;
        client.told("status", |s| s["dirty"] == true && drafts(s) == 1).await;
        client.say(load(json!("stone.toml"), "stone.toml", true)).await;
        client.told("status", |s| drafts(s) == 2).await;
    });
}

/// A scene that is saved under a name after it was restored is found there by undo as well.
#[test]
fn undo_returns_to_the_file_that_was_saved_meanwhile() {
    run(async {
        let [folder, state] = folders();
        let (_studio, mut client) = begun(folder.path(), state.path()).await;
        client.say(json!({ "do": "new" })).await;
        client.told("scene", |s| s["id"] == "untitled").await;
        client
            .say(set(&["bodies", "ball"], json!({ "shape": { "sphere": { "radius": 1 } }, "mass": 1 })))
            .await;
        client.told("status", |s| s["dirty"] == true).await;
        for dropped in [false, true] {
            client.say(json!({ "do": "open", "id": "contact/dominoes" })).await;
            let status = client.told("status", |s| drafts(s) == 1).await;
            client.say(json!({ "do": "restore", "id": status["drafts"][0]["id"] })).await;
            client.told("scene", |s| s["id"] == if dropped { "foo.toml" } else { "untitled" }).await;
            if dropped {
                client.say(json!({ "do": "save" })).await;
            } else {
                client.say(json!({ "do": "save", "name": "foo" })).await;
            }
            client.told("saved", |s| s["file"] == "foo.toml").await;
            if dropped {
                // more scenes than are parked
                for id in ["crane/gantry", "cable/slack", "cable/hoist", "mechanism/gear_train"] {
                    client.say(json!({ "do": "open", "id": id })).await;
                    client.told("scene", |s| s["id"] == id).await;
                }
                for id in ["cable/hoist", "cable/slack", "crane/gantry", "foo.toml"] {
                    client.say(json!({ "do": "undo" })).await;
                    client.told("scene", |s| s["id"] == id).await;
                }
            }
            client.say(json!({ "do": "undo" })).await;
            client.told("scene", |s| s["id"] == "contact/dominoes").await;
            client.say(json!({ "do": "undo" })).await;
            client.told("scene", |s| s["id"] == "foo.toml").await;
            client.told("status", |s| s["dirty"] == false && drafts(s) == 0).await;
            client.say(set(&["bodies", "ball", "mass"], json!(if dropped { 2 } else { 3 }))).await;
            client.told("status", |s| s["dirty"] == true).await;
        }
        client.say(json!({ "do": "save", "req": 8 })).await;
        client.told("saved", |s| s["req"] == 8).await;
    });
}
