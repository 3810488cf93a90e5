//! Exchange between the session thread and its clients: slots with the latest value and bounded queues.
//!
//! ```text
//!  session ──watch──▶ scene, status, frame …   each client takes the newest when it can; no client delays another
//!          ──mpsc───▶ one client               answers and samples, at most 64; a client that does not read loses the rest
//!  client  ──mpsc───▶ session                  orders, at most 256; more are rejected
//! ```
//!
//! Roles: the first client is the driver, others are viewers. When the driver leaves, the next client that requests
//! control or connects drives.

use crate::message::{Command, Offer, Role, Told};
use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use tokio::sync::{mpsc, watch};

/// Capacity of the queue of orders.
pub const ORDERS: usize = 256;
/// Capacity of the queue of answers to a client.
pub const ANSWERS: usize = 64;
/// Largest number of clients.
pub const MOST_CLIENTS: usize = 128;

/// Id of a client.
pub type ClientId = u64;

/// Orders to the session.
#[derive(Debug)]
pub enum Order {
    /// A client connected; answers go here.
    Joined(ClientId, mpsc::Sender<Utf8Bytes>),
    /// A client left; whether it drove.
    Left(ClientId, bool),
    /// A command of a client.
    Do(ClientId, Command),
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

/// The connected clients.
#[derive(Clone, Debug, Default)]
pub struct Crew {
    clients: Vec<ClientId>,
    driver: Option<ClientId>,
    next: ClientId,
}

impl Crew {
    /// Their number.
    pub fn count(&self) -> usize {
        self.clients.len()
    }

    /// The role of a client.
    pub fn role(&self, client: ClientId) -> Role {
        if self.driver == Some(client) { Role::Driver } else { Role::Viewer }
    }

    fn join(&mut self) -> Option<ClientId> {
        if self.clients.len() >= MOST_CLIENTS {
            return None;
        }
        self.next += 1;
        self.clients.push(self.next);
        self.driver.get_or_insert(self.next);
        Some(self.next)
    }

    fn leave(&mut self, client: ClientId) -> bool {
        self.clients.retain(|c| *c != client);
        let drove = self.driver == Some(client);
        self.driver = self.driver.filter(|d| *d != client);
        drove
    }

    fn drive(&mut self, client: ClientId) -> bool {
        *self.driver.get_or_insert(client) == client
    }
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
    pub frame: watch::Sender<Latest<Bytes>>,
    /// The run shown for comparison, as text.
    pub ghost: watch::Sender<Latest<Utf8Bytes>>,
    /// Its frame, as bytes.
    pub ghost_frame: watch::Sender<Latest<Bytes>>,
    /// The scenes that can be opened, once they have changed.
    pub scenes: watch::Sender<Arc<Vec<Offer>>>,
    /// The connected clients.
    pub crew: watch::Sender<Crew>,
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

    /// Admits a client; none if there are too many.
    pub fn join(&self, answers: mpsc::Sender<Utf8Bytes>) -> Option<ClientId> {
        let mut joined = None;
        self.crew.send_modify(|crew| joined = crew.join());
        let client = joined?;
        // a busy session has orders waiting: the client gets no individual messages until its order is handled
        if self.orders.try_send(Order::Joined(client, answers)).is_err() {
            self.crew.send_modify(|crew| {
                crew.leave(client);
            });
            return None;
        }
        Some(client)
    }

    /// A client disconnected.
    pub fn leave(&self, client: ClientId) {
        let mut drove = false;
        self.crew.send_modify(|crew| drove = crew.leave(client));
        // the handles of the driver must be released, so this waits if the queue is full; the session always empties it
        // soon
        let _ = self.orders.send(Order::Left(client, drove));
    }

    /// Passes a command on; returns an immediate answer, if any.
    pub fn command(&self, client: ClientId, command: Command) -> Option<Told> {
        if command == Command::Drive {
            let mut drives = false;
            self.crew.send_modify(|crew| drives = crew.drive(client));
            let why = "another client has control: try again when it has left";
            return (!drives).then(|| Told::refused(why));
        }
        if !command.only_looks() && self.crew.borrow().role(client) == Role::Viewer {
            return Some(Told::refused("viewers cannot send this: request control with `drive` first"));
        }
        match self.orders.try_send(Order::Do(client, command)) {
            Ok(()) => None,
            Err(TrySendError::Full(_)) => {
                Some(Told::refused("the simulation is busy: try again in a moment"))
            }
            Err(TrySendError::Disconnected(_)) => Some(Told::refused("the simulation has ended")),
        }
    }

    /// Ends the session.
    pub fn stop(&self) {
        // a session that has ended needs no order
        let _ = self.orders.send(Order::Stop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_drives_and_hands_over_by_leaving() {
        let mut crew = Crew::default();
        let [a, b] = [crew.join(), crew.join()].map(|id| id.expect("there is room"));
        assert_eq!((crew.role(a), crew.role(b)), (Role::Driver, Role::Viewer));
        assert!(!crew.drive(b), "somebody else does");
        assert!(crew.leave(a) && crew.role(b) == Role::Viewer, "nobody is made to drive");
        assert!(crew.drive(b) && crew.role(b) == Role::Driver);
        assert!(!crew.leave(a), "it has left already");
    }
}
