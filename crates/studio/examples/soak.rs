//! How the studio bears many clients, and how soon a lever is seen to move: measured, not judged.
//!
//! ```sh
//! cargo run --release -p windlass-studio --example soak -- 600
//! ```
//!
//! 1. Six clients read everything, one never reads, one comes and goes every second, for so many seconds: the rate of the simulation
//!    and the memory of the process, which has the clients in it.
//! 2. A lever is moved; time until a frame comes in which the machine has moved.
//! 3. A thousand bodies in free fall, without and with a client: what streaming them takes of a core.

use futures_util::{SinkExt, StreamExt};
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use windlass_studio::{Options, Studio};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let seconds = std::env::args().nth(1).map_or(Ok(60), |text| text.parse())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        many_clients(seconds).await?;
        a_lever().await?;
        a_thousand_bodies().await
    })
}

fn studio(scene: Option<&str>) -> Outcome<(Studio, Option<tempfile::TempDir>)> {
    let folder = scene.map(|_| tempfile::tempdir()).transpose()?;
    let path = folder.as_ref().map(|folder| folder.path().join("scene.toml"));
    if let (Some(path), Some(text)) = (&path, scene) {
        fs::write(path, text)?;
    }
    Ok((Studio::start(&Options { port: Some(0), scene: path, ..Options::default() })?, folder))
}

async fn client(studio: &Studio) -> Outcome<Socket> {
    let port = studio.address().port();
    let mut request = format!("ws://127.0.0.1:{port}/live").into_client_request()?;
    request.headers_mut().insert("origin", format!("http://127.0.0.1:{port}").parse()?);
    Ok(connect_async(request).await?.0)
}

/// Memory of the process [MB].
fn memory() -> Outcome<f64> {
    let pages: f64 =
        fs::read_to_string("/proc/self/statm")?.split(' ').nth(1).ok_or("no such field")?.parse()?;
    Ok(pages * 4096.0 / 1e6)
}

/// What the process has taken of the processor [s].
fn processor() -> Outcome<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let behind = stat.rsplit_once(") ").ok_or("no such field")?.1;
    let ticks: Vec<f64> = behind.split(' ').skip(11).take(2).filter_map(|t| t.parse().ok()).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}

/// Time and achieved rate of a status.
fn status(message: &Message) -> Option<(f64, f64)> {
    let Message::Text(text) = message else { return None };
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    (value["type"] == "status").then(|| Some((value["time"].as_f64()?, value["rtf"].as_f64()?)))?
}

async fn many_clients(seconds: u64) -> Outcome<()> {
    let (studio, _) = studio(None)?;
    let begin = Instant::now();
    let [half, end] = [begin + Duration::from_secs(seconds) / 2, begin + Duration::from_secs(seconds)];
    let mut readers = Vec::new();
    for _ in 0..6 {
        let mut socket = client(&studio).await?;
        readers.push(tokio::spawn(async move {
            let (mut messages, mut simulated, mut slowest) = (0, 0.0, [f64::INFINITY; 2]);
            while Instant::now() < end {
                let Some(Ok(message)) = socket.next().await else { break };
                messages += 1;
                // the first second has no rate yet
                if let Some((time, rtf)) = status(&message).filter(|(time, _)| *time > 2.0) {
                    let part = &mut slowest[usize::from(Instant::now() > half)];
                    (simulated, *part) = (time, part.min(rtf));
                }
            }
            (messages, simulated, slowest)
        }));
    }
    let _stalled = client(&studio).await?;
    let (mut first, mut most, mut visits) = (None, 0.0_f64, 0);
    while Instant::now() < end {
        let visitor = client(&studio).await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        drop(visitor);
        visits += 1;
        // after ten seconds everything has been allocated once
        if visits == 10 {
            first = Some(memory()?);
        }
        most = most.max(memory()?);
    }
    println!("{seconds} s, 6 readers, 1 stalled, {visits} visits");
    for reader in readers {
        let (messages, time, [first, second]) = reader.await?;
        println!(
            "  a reader: {messages} messages, simulated {time:.2} s, slowest real-time factor {first:.3} in the first half, \
             {second:.3} in the second"
        );
    }
    println!(
        "  memory: {:.1} MB after 10 s, {:.1} MB at the end, at most {most:.1} MB",
        first.unwrap_or(f64::NAN),
        memory()?
    );
    Ok(())
}

/// Place and orientation of all bodies, if it is a frame.
fn bodies(message: &Message) -> Option<Vec<u8>> {
    let Message::Binary(bytes) = message else { return None };
    let count = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    Some(bytes.get(16..16 + 28 * count)?.to_vec())
}

async fn a_lever() -> Outcome<()> {
    let (studio, _) = studio(Some(
        "windlass = 2\n[bodies.ground]\nkind = \"fixed\"\n[bodies.arm]\nposition = [1, 0, 0]\nmass = 5\n\
         shape = { box = { size = [2, 0.1, 0.1] } }\n[joints.hub.hinge]\nbodies = [\"ground\", \"arm\"]\nat = [0, 0, 0]\n\
         axis = [0, 0, 1]\nmotor = { speed = 0, force = \"10 kN*m\" }\n[inputs.turn]\nrange = [-1, 1]\n\
         drives = [{ joint = \"hub\" }]\n",
    ))?;
    let mut socket = client(&studio).await?;
    let mut delays = Vec::new();
    for trial in 0..100 {
        let value = if trial % 2 == 0 { 1.0 } else { 0.0 };
        let before = next_bodies(&mut socket).await?;
        // anywhere between two frames
        tokio::time::sleep(Duration::from_micros(300 * trial)).await;
        let said = Instant::now();
        let command = format!(r#"{{"do":"input","name":"turn","value":{value}}}"#);
        socket.send(Message::text(command)).await?;
        if value == 1.0 {
            while next_bodies(&mut socket).await? == before {}
            delays.push(said.elapsed().as_secs_f64() * 1e3);
        }
        // what follows until it stands again is not looked at
        let rest = Instant::now() + Duration::from_millis(150);
        while Instant::now() < rest {
            next_bodies(&mut socket).await?;
        }
    }
    delays.sort_by(f64::total_cmp);
    let at = |part: f64| delays[((delays.len() - 1) as f64 * part) as usize];
    println!(
        "a lever is seen after {:.1} ms (middle), {:.1} ms (nine in ten), {:.1} ms (longest)",
        at(0.5),
        at(0.9),
        at(1.0)
    );
    Ok(())
}

async fn next_bodies(socket: &mut Socket) -> Outcome<Vec<u8>> {
    loop {
        let message = socket.next().await.ok_or("the server has left")??;
        if let Some(bodies) = bodies(&message) {
            return Ok(bodies);
        }
    }
}

async fn a_thousand_bodies() -> Outcome<()> {
    let mut text = String::from("windlass = 2\n[settings]\ncollide = false\n");
    for k in 0..1000 {
        text += &format!(
            "[bodies.b{k}]\nposition = [{}, {}, 0]\nshape = {{ sphere = {{ radius = 0.1 }} }}\nmass = 1\n",
            k % 40,
            k / 40
        );
    }
    let (studio, _folder) = studio(Some(&text))?;
    let span = Duration::from_secs(10);
    let alone = processor()?;
    tokio::time::sleep(span).await;
    let alone = processor()? - alone;
    let mut socket = client(&studio).await?;
    let (begin, mut bytes, mut frames) = (processor()?, 0, 0);
    let end = Instant::now() + span;
    while Instant::now() < end {
        let message = socket.next().await.ok_or("the server has left")??;
        bytes += message.len();
        frames += usize::from(message.is_binary());
    }
    let streamed = processor()? - begin;
    let per = |cpu: f64| 100.0 * cpu / span.as_secs_f64();
    println!(
        "1000 bodies: {:.1} % of a core without a client, {:.1} % with one (its reading counted), {frames} frames, {:.1} MB/s",
        per(alone),
        per(streamed),
        bytes as f64 / span.as_secs_f64() / 1e6
    );
    Ok(())
}
