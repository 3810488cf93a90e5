//! One client of the WebSocket: its commands become orders, the newest data become messages.
//!
//! Reading and writing are concurrent, so that a client that does not read can still pause. A message is sent when the
//! previous one has left; intermediate data are dropped, and no other client waits. A client that does not take a
//! message for twenty seconds, does not answer pings for a minute, or violates the protocol of the socket is
//! disconnected.

use crate::clients::Clients;
use crate::earth::tiles;
use crate::gallery::Gallery;
use crate::hub::{ANSWERS, ClientId, Hub, Latest, Picture};
use crate::message::{Command, Offer, PathAction, ServerMessage, VERSION};
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use std::future::pending;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, interval, sleep, timeout};

/// Longest message of any other kind [bytes].
pub const LONGEST: usize = 64 << 10;
/// Largest rate of commands per second: four times that of a lever at 60 Hz. More are read later.
const RATE: f64 = 240.0;
/// Largest burst of commands.
const BURST: f64 = 480.0;
/// A client that does not take a message for this time is disconnected.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time between pings.
const PING: Duration = Duration::from_secs(20);
/// A client that sends nothing for this time, not even a pong, is disconnected.
const SILENCE: Duration = Duration::from_secs(60);

/// Reasons for disconnecting a client.
struct Gone(Option<CloseFrame>);

/// Serves a client until it leaves.
pub async fn serve(socket: WebSocket, hub: Arc<Hub>, gallery: Arc<Gallery>, peer: IpAddr) {
    let (mut sink, stream) = socket.split();
    let (answers, waiting) = mpsc::channel(ANSWERS);
    let Some(client) = hub.join(answers.clone(), peer) else {
        let why = "too many clients, or the simulation is busy";
        let _ = timeout(PATIENCE, sink.send(closing(close_code::AGAIN, why))).await;
        return;
    };
    let scenes =
        tokio::task::spawn_blocking(move || gallery.list().into_iter().map(|item| item.offer).collect());
    let scenes: Vec<Offer> = scenes.await.unwrap_or_default();
    let gone = tokio::select! {
        gone = listen(stream, client, &hub, answers) => gone,
        gone = tell(&mut sink, client, &hub, scenes, waiting) => gone,
    };
    // this may wait for space in the queue of orders
    let _ = tokio::task::spawn_blocking(move || hub.leave(client)).await;
    if let Gone(Some(frame)) = gone {
        let _ = timeout(Duration::from_secs(1), sink.send(Message::Close(Some(frame)))).await;
    }
}

fn closing(code: u16, why: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: why.into() }))
}

fn gone(code: u16, why: &'static str) -> Gone {
    Gone(Some(CloseFrame { code, reason: why.into() }))
}

/// The remaining burst of a client.
struct Allowance {
    left: f64,
    at: Instant,
}

impl Allowance {
    /// Takes one, and waits for it if none is left.
    async fn take(&mut self) {
        let now = Instant::now();
        self.left = (self.left + RATE * (now - self.at).as_secs_f64()).min(BURST) - 1.0;
        self.at = now;
        if self.left < 0.0 {
            sleep(Duration::from_secs_f64(-self.left / RATE)).await;
        }
    }
}

/// Commands of a client → orders.
async fn listen(
    mut stream: SplitStream<WebSocket>,
    client: ClientId,
    hub: &Hub,
    answers: mpsc::Sender<Utf8Bytes>,
) -> Gone {
    let mut allowance = Allowance { left: BURST, at: Instant::now() };
    loop {
        let text = match timeout(SILENCE, stream.next()).await {
            Ok(Some(Ok(Message::Text(text)))) => text,
            Ok(Some(Ok(Message::Binary(_)))) => return gone(close_code::UNSUPPORTED, "commands are text"),
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {
                allowance.take().await;
                continue;
            }
            Ok(Some(Ok(Message::Close(_))) | None) => return Gone(None),
            Ok(Some(Err(_))) => return gone(close_code::PROTOCOL, "no message"),
            Err(_) => return gone(close_code::AWAY, "silent for too long"),
        };
        allowance.take().await;
        let number = number(&text);
        let answer = match command(&text) {
            Ok(command) => hub.command(client, number, command),
            Err(why) => Some(ServerMessage::refused(why)),
        };
        if let Some(told) = answer
            && answers.try_send(told.answering(number).json().into()).is_err()
        {
            // it keeps sending without reading
            return gone(close_code::POLICY, "answers are not read");
        }
    }
}

/// Text → the number that the client gave its command, to be repeated in the answer.
fn number(text: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Numbered {
        req: Option<u32>,
    }
    serde_json::from_str::<Numbered>(text).ok()?.req
}

/// Text → command.
fn command(text: &str) -> Result<Command, String> {
    let command = serde_json::from_str(text).map_err(|e| {
        let why: String = e.to_string().chars().take(200).collect();
        format!("no command: {why}")
    })?;
    match command {
        Command::Text { .. }
        | Command::Validate { .. }
        | Command::Edit { .. }
        | Command::Load { .. }
        | Command::Path(PathAction::Import { .. }) => Ok(command),
        _ if text.len() > LONGEST => Err(format!("a command has at most {LONGEST} bytes")),
        _ => Ok(command),
    }
}

/// Newest data → messages.
async fn tell(
    sink: &mut SplitSink<WebSocket, Message>,
    client: ClientId,
    hub: &Hub,
    mut offers: Vec<Offer>,
    mut waiting: mpsc::Receiver<Utf8Bytes>,
) -> Gone {
    let (mut scene, mut status) = (hub.scene.subscribe(), hub.status.subscribe());
    let (mut frame, mut crew) = (hub.frame.subscribe(), hub.crew.subscribe());
    let (mut ghost, mut ghost_frame) = (hub.ghost.subscribe(), hub.ghost_frame.subscribe());
    let mut scenes = hub.scenes.subscribe();
    // existing data are new to this client
    scene.mark_changed();
    crew.mark_changed();
    // a paused run may have published its last frame before this client subscribed
    if !frame.borrow().content.frame.is_empty() {
        frame.mark_changed();
    }
    if !ghost.borrow().content.is_empty() {
        ghost.mark_changed();
        ghost_frame.mark_changed();
    }
    let mut ping = interval(PING);
    let (mut shown, mut compared, mut known, mut others_turn) = (0, 0, None, false);
    // versions of the tiles of grounds that were sent, of the run and of the one shown for comparison
    let mut seen = [0, 0];
    loop {
        // in this order: hello, scene, status; frames, which always keep coming, last
        let mut before = None;
        let message = tokio::select! {
            biased;
            Ok(()) = crew.changed() => {
                let told = greeting(&crew.borrow_and_update(), client, &offers);
                if known.as_ref() == Some(&told) { continue }
                known = Some(told.clone());
                Message::Text(told.into())
            }
            Ok(()) = scenes.changed() => {
                offers = scenes.borrow_and_update().to_vec();
                crew.mark_changed();
                continue;
            }
            Ok(()) = scene.changed() => {
                let latest = scene.borrow_and_update().clone();
                shown = latest.epoch;
                seen[0] = 0;
                Message::Text(latest.content)
            }
            Some(answer) = waiting.recv() => Message::Text(answer),
            Ok(()) = status.changed() => {
                let latest = status.borrow_and_update().clone();
                if latest.epoch != shown { continue }
                Message::Text(latest.content)
            }
            Ok(()) = ghost.changed() => {
                let latest = ghost.borrow_and_update().clone();
                compared = latest.epoch;
                seen[1] = 0;
                Message::Text(latest.content)
            }
            _ = ping.tick() => Message::Ping(Bytes::new()),
            // the run and the one shown for comparison alternate, so that a slow client sees both move
            (latest, of_run) = newest(&mut frame, &mut ghost_frame, others_turn) => {
                others_turn = of_run;
                // the frame belongs to another scene than this client has; the scene must come first
                if latest.epoch != if of_run { shown } else { compared } { continue }
                let Picture { frame, sheet } = latest.content;
                let (magic, seen) = if of_run { (tiles::MAGIC, &mut seen[0]) } else { (tiles::GHOST, &mut seen[1]) };
                before = sheet.since(magic, *seen);
                *seen = sheet.version();
                Message::Binary(frame)
            }
            else => return gone(close_code::AWAY, "the simulation has ended"),
        };
        // the ground before what stands on it
        for message in before.map(Message::Binary).into_iter().chain([message]) {
            match timeout(PATIENCE, sink.send(message)).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return Gone(None),
            }
        }
    }
}

/// The newest frame of the run or of the one shown for comparison, and whether it is the run's. If both have one,
/// `others_turn` selects the other's.
async fn newest(
    run: &mut watch::Receiver<Latest<Picture>>,
    other: &mut watch::Receiver<Latest<Picture>>,
    others_turn: bool,
) -> (Latest<Picture>, bool) {
    if others_turn && other.has_changed().unwrap_or(false) {
        return (other.borrow_and_update().clone(), false);
    }
    tokio::select! {
        biased;
        Ok(()) = run.changed() => (run.borrow_and_update().clone(), true),
        Ok(()) = other.changed() => (other.borrow_and_update().clone(), false),
        else => pending().await,
    }
}

fn greeting(crew: &Clients, client: ClientId, scenes: &[Offer]) -> String {
    let now = std::time::Instant::now();
    let told = ServerMessage::Hello {
        version: VERSION,
        role: crew.role(client),
        clients: crew.count(),
        you: client,
        driver: crew.driver(),
        request: crew.request(now),
        again: crew.again(client, now),
        scenes: scenes.to_vec(),
    };
    told.json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_junk_is_refused() {
        assert_eq!(command(r#"{"do":"step"}"#), Ok(Command::Step { count: 1 }));
        assert_eq!(
            command(r#"{"do":"input","name":"hoist","value":null}"#),
            Ok(Command::Input { name: "hoist".into(), value: None })
        );
        assert_eq!(
            command(r#"{"do":"path","action":"play","id":3}"#),
            Ok(Command::Path(PathAction::Play { id: 3 }))
        );
        assert_eq!(command(r#"{"do":"check","line":2}"#), Ok(Command::Check { body: None, line: Some(2) }));
        assert_eq!(command(r#"{"do":"play","req":7}"#), Ok(Command::Play));
        assert_eq!(number(r#"{"do":"play","req":7}"#), Some(7));
        assert_eq!(number(r#"{"req":9,"do":"fly"}"#), Some(9), "also of a command that does not exist");
        for none in [r#"{"do":"play"}"#, r#"{"req":-1}"#, r#"{"req":4294967296}"#, "[", "7"] {
            assert_eq!(number(none), None, "{none}");
        }
        let deep = "[".repeat(100_000);
        for junk in [
            "",
            "null",
            "{",
            r#"{"do":"fly"}"#,
            r#"{"do":"speed","value":1e999}"#,
            r#"{"do":"jump","id":-1}"#,
            r#"{"do":"path"}"#,
            r#"{"do":"path","action":"fly"}"#,
            r#"{"do":"pull","line":0,"along":"x","to":[0,0,0]}"#,
            &deep,
        ] {
            assert!(command(junk).is_err_and(|why| why.len() < 300), "{junk:.20}");
        }
        let long = format!(r#"{{"do":"mark","name":"{}"}}"#, "x".repeat(LONGEST));
        assert!(command(&long).is_err());
        let scene = format!(r#"{{"do":"text","toml":"{}"}}"#, "x".repeat(LONGEST));
        assert!(command(&scene).is_ok());
    }
}
