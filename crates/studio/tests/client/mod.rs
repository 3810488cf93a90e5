//! A client of the studio over a real socket, for the tests.

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use windlass_studio::{Options, Studio};

/// Nothing here takes that long, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A box that falls onto nothing.
pub const FALL: &str =
    "windlass = 2\n[bodies.stone]\nshape = { box = { size = [1, 1, 1] } }\nmass = 2\nposition = [0, 0, 5]\n";

pub fn options() -> Options {
    Options { port: Some(0), ..Options::default() }
}

pub fn studio() -> Studio {
    Studio::start(&options()).expect("a free port and a good scene")
}

/// A client, and the last frame that it got.
pub struct Client(pub WebSocketStream<MaybeTlsStream<TcpStream>>, Vec<u8>);

impl Client {
    pub async fn of(studio: &Studio) -> Client {
        let port = studio.address().port();
        Client(
            open(port, Some(format!("http://127.0.0.1:{port}")), None).await.expect("a socket"),
            Vec::new(),
        )
    }

    pub async fn say(&mut self, command: Value) {
        self.0.send(Message::text(command.to_string())).await.expect("it is open");
    }

    /// The next message; text as JSON, a frame as its bytes.
    pub async fn next(&mut self) -> Result<Value, Vec<u8>> {
        loop {
            match timeout(PATIENCE, self.0.next()).await.expect("it is not silent").expect("it is open") {
                Ok(Message::Text(text)) => return Ok(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Binary(bytes)) => {
                    self.1 = bytes.to_vec();
                    return Err(self.1.clone());
                }
                Ok(_) => {}
                Err(e) => panic!("{e}"),
            }
        }
    }

    /// The next text of a type for which something holds.
    pub async fn told(&mut self, kind: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let found = async {
            loop {
                if let Ok(value) = self.next().await
                    && value["type"] == kind
                    && holds(&value)
                {
                    return value;
                }
            }
        };
        timeout(PATIENCE, found).await.unwrap_or_else(|_| panic!("no such {kind}"))
    }

    /// The next frame.
    pub async fn frame(&mut self) -> Frame {
        let found = async {
            loop {
                if let Err(bytes) = self.next().await {
                    return Frame::read(&bytes);
                }
            }
        };
        timeout(PATIENCE, found).await.expect("a frame")
    }

    /// The last frame that came.
    pub fn shown(&self) -> Frame {
        Frame::read(&self.1)
    }
}

pub async fn open(
    port: u16,
    origin: Option<String>,
    host: Option<&str>,
) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, SocketError> {
    let mut request = format!("ws://127.0.0.1:{port}/live").into_client_request().expect("an address");
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().expect("a value"));
    }
    if let Some(host) = host {
        request.headers_mut().insert("host", host.parse().expect("a value"));
    }
    connect_async(request).await.map(|(socket, _)| socket)
}

/// What frames of the run begin with,
pub const RUN: u32 = 0x3146_4C57;
/// and those of a ghost.
pub const GHOST: u32 = 0x3147_4C57;

/// A frame as the protocol has it.
pub struct Frame {
    pub mark: u32,
    pub time: f64,
    pub bodies: Vec<[f32; 7]>,
    pub lines: Vec<(u32, Vec<[f32; 4]>)>,
}

impl Frame {
    pub fn read(bytes: &[u8]) -> Frame {
        let mut rest = bytes;
        let mut take = |n: usize| {
            let (head, tail) = rest.split_at(n);
            rest = tail;
            head.to_vec()
        };
        let word = |bytes: Vec<u8>| u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
        let float = |bytes: Vec<u8>| f32::from_le_bytes(bytes.try_into().expect("4 bytes"));
        let mark = word(take(4));
        assert!([RUN, GHOST].contains(&mark), "{mark:x}");
        let time = f64::from_le_bytes(take(8).try_into().expect("8 bytes"));
        let bodies = (0..word(take(4))).map(|_| std::array::from_fn(|_| float(take(4)))).collect();
        let mut lines = Vec::new();
        for _ in 0..word(take(4)) {
            let (id, points) = (word(take(4)), word(take(4)));
            lines.push((id, (0..points).map(|_| std::array::from_fn(|_| float(take(4)))).collect()));
        }
        for _ in ["contacts", "forces", "torques"] {
            let arrows = word(take(4)) as usize;
            take(24 * arrows);
        }
        assert!(rest.is_empty(), "{} bytes behind the frame", rest.len());
        Frame { mark, time, bodies, lines }
    }
}

/// Sends bytes, returns what comes until the other side closes.
pub async fn raw(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("it listens");
    stream.write_all(request.as_bytes()).await.expect("it takes them");
    let mut answer = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it answers");
    String::from_utf8_lossy(&answer).into_owned()
}

pub fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(test);
}

/// A scene file in a folder that is gone afterwards.
pub fn scene(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).expect("a file");
    (folder, path)
}

/// Whether a folder is empty or does not exist, after what has to be written was written.
pub fn is_dropped(folder: &std::path::Path) -> bool {
    std::fs::read_dir(folder).map_or(0, Iterator::count) == 0
}
