//! Sync points over real sockets: they outlive a resume, an edit, a reset and the loss of their branch.

use crate::client::Client;
use crate::edit::{is_step, seen, set, standing};
use serde_json::{Value, json};

fn point(status: &Value, name: &str) -> Value {
    let points = status["points"].as_array().cloned().unwrap_or_default();
    points.into_iter().find(|point| point["name"] == name).unwrap_or(Value::Null)
}

/// Takes steps and sets a sync point there.
async fn mark_at(client: &mut Client, step: u32, name: &str) -> Value {
    client.say(json!({ "do": "seek", "time": 1e6 })).await;
    let now = client.told("status", |s| s["live"] == true).await["step"].as_u64().unwrap_or(0);
    client.say(json!({ "do": "step", "count": u64::from(step) - now })).await;
    client.told("status", |s| s["step"] == step).await;
    client.say(json!({ "do": "mark", "name": name })).await;
    point(&client.told("status", |s| !point(s, name).is_null()).await, name)
}

#[test]
fn sync_points_outlive_a_resume_and_a_reset() {
    crate::client::run(async {
        let (_studio, mut client, _folder) = standing().await;
        mark_at(&mut client, 10, "early").await;
        let late = mark_at(&mut client, 40, "late").await;
        let there = seen(&mut client, is_step(40)).await.bodies;
        client.say(json!({ "do": "seek", "time": 20.0 / 60.0 })).await;
        client.told("status", |s| s["step"] == 20).await;
        client.say(json!({ "do": "resume" })).await;
        client.say(json!({ "do": "pause" })).await;
        let status = client.told("status", |s| s["live"] == true && s["playing"] == false).await;
        assert_eq!(point(&status, "early")["elsewhere"], false);
        assert_eq!(point(&status, "late")["elsewhere"], true, "it is on the branch: {status}");
        client.say(json!({ "do": "reset" })).await;
        let status = client.told("status", |s| s["step"] == 0).await;
        assert!(point(&status, "early")["elsewhere"] == true && !point(&status, "late").is_null());

        // its branch is taken up, and the moment is shown bit for bit
        client.say(json!({ "do": "jump", "id": late["id"] })).await;
        let status = client.told("status", |s| s["step"] == 40).await;
        assert_eq!(point(&status, "late")["elsewhere"], false);
        assert_eq!(seen(&mut client, is_step(40)).await.bodies, there);
    });
}

#[test]
fn sync_points_outlive_an_edit_and_bring_their_text_back() {
    crate::client::run(async {
        let (_studio, mut client, _folder) = standing().await;
        let before = mark_at(&mut client, 20, "light").await;
        client.say(set(&["bodies", "stone", "mass"], json!(7))).await;
        client.told("scene", |s| s["bodies"][0]["mass"] == 7.0).await;
        let status = client.told("status", |s| point(s, "light")["elsewhere"] == true).await;
        assert_eq!(point(&status, "light")["time"], before["time"]);
        client.say(json!({ "do": "jump", "id": before["id"] })).await;
        client.told("scene", |s| s["bodies"][0]["mass"] == 2.0).await;
        client
            .told("status", |s| s["step"] == 20 && s["undo"] == "Jump to before “Set bodies stone mass”")
            .await;
        // the text that was left by the jump is not lost either
        client.say(json!({ "do": "undo" })).await;
        client.told("scene", |s| s["bodies"][0]["mass"] == 7.0).await;
    });
}

/// Nine edits drop the oldest of eight branches; its sync point still has its state.
#[test]
fn a_sync_point_outlives_its_branch() {
    crate::client::run(async {
        let (_studio, mut client, _folder) = standing().await;
        let mark = mark_at(&mut client, 30, "kept").await;
        let there = seen(&mut client, is_step(30)).await.bodies;
        for k in 3..13 {
            client.say(set(&["bodies", "stone", "mass"], json!(k))).await;
            client.say(json!({ "do": "step", "count": 1 })).await;
            client.told("status", |s| s["step"] == 28 + k && s["undo"].is_string()).await;
        }
        client.say(json!({ "do": "jump", "id": mark["id"] })).await;
        let scene = client.told("scene", |s| s["bodies"][0]["mass"] == 2.0).await;
        assert_eq!(scene["bodies"][0]["name"], "stone");
        let status = client.told("status", |s| s["step"] == 30).await;
        assert_eq!((&point(&status, "kept")["elsewhere"], &status["from"]), (&json!(false), &mark["time"]));
        assert_eq!(seen(&mut client, is_step(30)).await.bodies, there);

        client.say(json!({ "do": "unmark", "id": mark["id"] })).await;
        client.told("status", |s| point(s, "kept").is_null()).await;
        client.say(json!({ "do": "unmark", "id": mark["id"] })).await;
        client.told("refused", |_| true).await;
    });
}

/// Runs without steps, which begin at sync points whose branches are gone, do not drop the branches that are left.
#[test]
fn runs_without_steps_are_not_kept() {
    crate::client::run(async {
        let (_studio, mut client, _folder) = standing().await;
        let marks = [mark_at(&mut client, 10, "a").await, mark_at(&mut client, 20, "b").await];
        for k in 3..13 {
            client.say(set(&["bodies", "stone", "mass"], json!(k))).await;
            client.say(json!({ "do": "step", "count": 1 })).await;
            client.told("status", |s| s["step"] == 18 + k && s["undo"].is_string()).await;
        }
        let branches = |status: &Value| {
            let points = status["points"].as_array().cloned().unwrap_or_default();
            points.into_iter().filter(|point| point["kind"] == "branch").collect::<Vec<_>>()
        };
        client.say(json!({ "do": "jump", "id": marks[0]["id"] })).await;
        let before = branches(&client.told("status", |s| s["step"] == 10).await);
        assert_eq!(before.len(), 8);
        for k in 1..6 {
            client.say(json!({ "do": "jump", "id": marks[k % 2]["id"] })).await;
            let status = client.told("status", |s| s["step"] == if k % 2 == 0 { 10 } else { 20 }).await;
            assert_eq!(branches(&status), before);
        }
    });
}
