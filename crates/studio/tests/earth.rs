//! Grounds over real sockets: tiles before the first frame, only what changes afterwards, all of it for a second client.

use crate::client;

use client::{Client, options, run};
use serde_json::json;
use windlass_studio::{Options, Studio};

/// A blade that starts to cut level sand after half a second, on 161 by 61 nodes: twelve tiles.
const BLADE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/earthwork/blade.toml");
const TILES: u32 = 0x3154_4C57;

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The number of tiles of the next message that has any.
async fn tiles(client: &mut Client, why: &str) -> u32 {
    let next = async {
        loop {
            if let Err(bytes) = client.next().await
                && word(&bytes, 0) == TILES
            {
                return word(&bytes, 4);
            }
        }
    };
    tokio::time::timeout(PATIENCE, next).await.unwrap_or_else(|_| panic!("no tiles {why}"))
}

/// Time within which tiles have to come.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

#[test]
fn tiles_come_to_those_who_ask_for_them() {
    run(async {
        let studio =
            Studio::start(&Options { scene: Some(BLADE.into()), ..options() }).expect("a good scene");
        let mut first = Client::of(&studio).await;
        let told = first.told("scene", |_| true).await;
        let ground = &told["grounds"][0];
        assert_eq!((&ground["name"], &ground["nodes"]), (&json!("site"), &json!([161, 61])));
        assert_eq!(
            (&ground["soils"][0]["name"], &told["tools"][0]["name"]),
            (&json!("dry_sand"), &json!("blade"))
        );
        assert!(told["bounds"]["low"][0].as_f64().is_some_and(|x| x <= -8.0), "{}", told["bounds"]);
        first.say(json!({"do": "pause"})).await;
        first.say(json!({"do": "reset"})).await;
        first.told("status", |s| s["step"] == 0 && s["playing"] == false).await;
        // nobody has asked yet, so this is a frame alone
        first.say(json!({"do": "seek", "time": 0})).await;
        first.frame().await;
        first.say(json!({"do": "overlay", "soil": true})).await;
        assert_eq!(tiles(&mut first, "after the overlay").await, 12);
        first.say(json!({"do": "step", "count": 75})).await;
        let changed = tiles(&mut first, "after a cut").await;
        assert!((1..24).contains(&changed), "{changed}");
        // a second client gets all, and the surface of the start where it has changed
        let mut second = Client::of(&studio).await;
        assert!(tiles(&mut second, "of a second client").await >= 12 + changed / 2);
        // after an edit of the text, all again
        let text = told["text"].as_str().expect("a text").replace("particles = 4000", "particles = 3000");
        first.say(json!({"do": "text", "toml": text})).await;
        first.told("scene", |s| s["text"].as_str().is_some_and(|text| text.contains("3000"))).await;
        assert!(tiles(&mut first, "after an edit").await >= 12);
    });
}
