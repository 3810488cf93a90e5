//! Exchange between the session thread and its clients: slots with the latest value and bounded queues.
//!
//! ```text
//!  session ──watch──▶ scene, status, frame …   each client takes the newest when it can; no client delays another
//!          ──mpsc───▶ one client               answers and samples, at most 64; a client that does not read loses the rest
//!  client  ──mpsc───▶ session                  orders, at most 256; more are rejected
//! ```
//!
//! Which client has the controls is decided here as well, by `clients.rs`.

pub use crate::clients::ClientId;

use crate::clients::Clients;
use crate::earth::tiles::Tiles;
use crate::message::{Command, Offer, Role, ServerMessage};
use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Instant;
use tokio::sync::{mpsc, watch};

/// Capacity of the queue of orders.
pub const ORDERS: usize = 256;
/// Capacity of the queue of answers to a client.
pub const ANSWERS: usize = 64;

/// Orders to the session.
#[derive(Debug)]
pub enum Order {
    /// A client connected; answers go here.
    Joined(ClientId, mpsc::Sender<Utf8Bytes>),
    /// A client left.
    Left(ClientId),
    /// A command of a client, and the number that the client gave it.
    Do(ClientId, Option<u32>, Command),
    /// Ends the session.
    Stop,
}

/// The newest message of a kind, and the scene it belongs to.
#[derive(Clone, Debug, Default)]
pub struct Latest<T> {
    /// Counts scenes.
    pub epoch: u64,
    /// As it goes over the wire.
    pub content: T,
}

/// A frame, and the surfaces of grounds at its time.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The frame, as bytes.
    pub frame: Bytes,
    /// All tiles of the grounds; none if no client asks for them.
    pub sheet: Arc<Tiles>,
}

/// State shared by session and clients.
#[derive(Debug)]
pub struct Hub {
    orders: SyncSender<Order>,
    /// The scene, as text.
    pub scene: watch::Sender<Latest<Utf8Bytes>>,
    /// The status, as text.
    pub status: watch::Sender<Latest<Utf8Bytes>>,
    /// The frame, as bytes.
    pub frame: watch::Sender<Latest<Picture>>,
    /// The run shown for comparison, as text.
    pub ghost: watch::Sender<Latest<Utf8Bytes>>,
    /// Its frame, as bytes.
    pub ghost_frame: watch::Sender<Latest<Picture>>,
    /// The scenes that can be opened, once they have changed.
    pub scenes: watch::Sender<Arc<Vec<Offer>>>,
    /// The connected clients.
    pub crew: watch::Sender<Clients>,
}

impl Hub {
    /// A hub that sends orders to a session.
    pub fn new(orders: SyncSender<Order>) -> Hub {
        Hub {
            orders,
            scene: watch::Sender::default(),
            status: watch::Sender::default(),
            frame: watch::Sender::default(),
            ghost: watch::Sender::default(),
            ghost_frame: watch::Sender::default(),
            scenes: watch::Sender::default(),
            crew: watch::Sender::default(),
        }
    }

    /// Admits a client; none if there are too many, or if the session is busy.
    pub fn join(&self, answers: mpsc::Sender<Utf8Bytes>, peer: IpAddr) -> Option<ClientId> {
        let client = self.change(|crew| crew.join(peer))?;
        // a busy session has orders waiting: the client gets no individual messages until its order is handled
        if self.orders.try_send(Order::Joined(client, answers)).is_err() {
            self.change(|crew| crew.leave(client));
            return None;
        }
        Some(client)
    }

    /// A client disconnected.
    pub fn leave(&self, client: ClientId) {
        self.change(|crew| crew.leave(client));
        // the session must learn of it, so this waits if the queue is full; the session always empties it soon
        let _ = self.orders.send(Order::Left(client));
    }

    /// Passes a command on; returns an immediate answer, if any.
    pub fn command(&self, client: ClientId, number: Option<u32>, command: Command) -> Option<ServerMessage> {
        if let Some(answer) = self.roles(client, &command) {
            return answer.err().map(ServerMessage::refused);
        }
        if !command.only_looks() && self.crew.borrow().role(client) == Role::Viewer {
            return Some(ServerMessage::viewer_refused());
        }
        match self.orders.try_send(Order::Do(client, number, command)) {
            Ok(()) => None,
            Err(TrySendError::Full(_)) => {
                Some(ServerMessage::refused("the simulation is busy: try again in a moment"))
            }
            Err(TrySendError::Disconnected(_)) => Some(ServerMessage::refused("the simulation has ended")),
        }
    }

    /// Commands for the controls; none for all others.
    fn roles(&self, client: ClientId, command: &Command) -> Option<Result<(), String>> {
        let now = Instant::now();
        match command {
            Command::Drive => Some(self.change(|crew| crew.ask(client, now))),
            Command::HandOver | Command::Decline => {
                let yes = *command == Command::HandOver;
                Some(self.change(|crew| crew.reply(client, yes, now)).map_err(String::from))
            }
            Command::Withdraw => {
                self.change(|crew| crew.withdraw(client));
                Some(Ok(()))
            }
            _ => None,
        }
    }

    /// Changes the set of clients or their roles; clients are notified only if something has changed.
    fn change<T>(&self, change: impl FnOnce(&mut Clients) -> T) -> T {
        let mut result = None;
        self.crew.send_if_modified(|crew| {
            let before = crew.clone();
            result = Some(change(crew));
            *crew != before
        });
        result.expect("the change was made")
    }

    /// Passes the controls on when a driver has not answered a request in time; never ends.
    pub async fn keep_time(self: Arc<Hub>) {
        let mut crew = self.crew.subscribe();
        loop {
            let deadline = crew.borrow_and_update().deadline();
            let changed = crew.changed();
            match deadline {
                Some(until) => tokio::select! {
                    () = tokio::time::sleep_until(until.into()) => {
                        self.change(|crew| crew.settle(Instant::now()));
                    }
                    _ = changed => {}
                },
                None => {
                    let _ = changed.await;
                }
            }
        }
    }

    /// Ends the session.
    pub fn stop(&self) {
        // a session that has ended needs no order
        let _ = self.orders.send(Order::Stop);
    }
}
