//! Messages of the server.

use super::stage::Stage;
use super::status::Status;
use serde::Serialize;
use std::collections::BTreeMap;

/// Messages of the server.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The role of a client.
    Hello {
        /// [`VERSION`](super::VERSION).
        version: u32,
        /// Its role.
        role: Role,
        /// Number of connected clients.
        clients: usize,
        /// The number of this client.
        you: u64,
        /// The client that has the controls.
        driver: Option<u64>,
        /// A viewer that requests them.
        request: Option<RequestLook>,
        /// The driver declined the request of this client, which may ask again after so many seconds.
        again: Option<f64>,
        /// The scenes that can be opened.
        scenes: Vec<Offer>,
    },
    /// The scene to draw.
    Scene(Box<Stage>),
    /// The status, about ten times per second.
    Status(Box<Status>),
    /// Sampled numbers.
    Sample {
        /// [s]
        time: f64,
        /// False while a past moment is shown.
        live: bool,
        /// By name; null for a number that does not exist now.
        values: BTreeMap<String, f64>,
        /// Those whose reactions are statically indeterminate now.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        indeterminate: Vec<String>,
    },
    /// The numbers that can be sampled.
    Names {
        /// Their names.
        probes: Vec<String>,
        /// The units that occur, in ASCII: "m/s".
        units: Vec<&'static str>,
        /// The unit of each name, as an index in `units`.
        unit: Vec<u8>,
    },
    /// A text is not a valid scene; or the errors of a text that was checked, which may have none.
    Errors {
        /// All errors as lines of text.
        text: String,
        /// The errors one by one.
        problems: Vec<Trouble>,
        /// The scene they are in, if it is not the one that is shown: of `open`, `load` or `restore`.
        source: Option<Box<Source>>,
        /// The command that is answered.
        req: Option<u32>,
    },
    /// The text was saved.
    Saved {
        /// The file, in the folder of the studio.
        file: String,
        /// The command that is answered.
        req: Option<u32>,
    },
    /// The run shown for comparison; its frames follow, with a mark of their own.
    Ghost {
        /// The sync point or branch; none when it has ended.
        id: Option<u32>,
        /// Its title.
        name: String,
        /// Its scene to draw.
        scene: Option<Box<Stage>>,
    },
    /// A drag path as a file.
    Path {
        /// One of `paths` of `status`.
        id: u32,
        /// Its title.
        name: String,
        /// The whole file.
        text: String,
    },
    /// A command was rejected.
    Refused {
        /// The reason and the remedy.
        why: String,
        /// The command that is answered, by the number that the client gave it.
        req: Option<u32>,
    },
}

impl ServerMessage {
    /// The serialized message.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("messages have string keys only")
    }

    /// A rejection.
    pub fn refused(why: impl ToString) -> ServerMessage {
        ServerMessage::Refused { why: why.to_string(), req: None }
    }

    /// A text without errors.
    pub fn valid() -> ServerMessage {
        ServerMessage::Errors { text: String::new(), problems: Vec::new(), source: None, req: None }
    }

    /// The rejection of a command that only the driver may send.
    pub fn viewer_refused() -> ServerMessage {
        ServerMessage::refused("viewers cannot send this: request control with `drive` first")
    }

    /// The same as the answer to a command with this number.
    pub fn answering(mut self, number: Option<u32>) -> ServerMessage {
        if let ServerMessage::Refused { req, .. }
        | ServerMessage::Errors { req, .. }
        | ServerMessage::Saved { req, .. } = &mut self
        {
            *req = number;
        }
        self
    }
}

/// A viewer requests the controls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RequestLook {
    /// The viewer.
    pub client: u64,
    /// Time after which the controls pass if the driver does not answer [s].
    pub seconds: f64,
}

/// A scene file that is not valid, as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Its id, if it is one of `hello`.
    pub id: Option<String>,
    /// Its name.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// Roles of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// May do everything.
    Driver,
    /// May only watch.
    Viewer,
}

/// A scene that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it shows, in one line.
    pub about: String,
}

/// An error in a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trouble {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The error.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}
