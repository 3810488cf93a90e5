//! Between the session's thread and its clients: slots that hold the latest and no queues that grow.
//!
//! ```text
//!  session ──watch──▶ scene, status, frame …   each client takes the newest when it can; nobody waits for anybody
//!          ──mpsc───▶ one client               answers and samples, at most 64; a client that does not read loses the rest
//!  client  ──mpsc───▶ session                  orders, at most 256; more are refused
//! ```
//!
//! The crew: the first client drives, others look. When the driver leaves, the next who asks or comes drives.

use crate::message::{Command, Offer, Role, Told};
use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use tokio::sync::{mpsc, watch};

/// Orders that may wait.
pub const ORDERS: usize = 256;
/// Answers that may wait for a client.
pub const ANSWERS: usize = 64;
/// Clients at most.
pub const MOST_CLIENTS: usize = 128;

/// Names a client.
pub type ClientId = u64;

/// What the session is asked.
#[derive(Debug)]
pub enum Order {
    /// A client came; answers go here.
    Joined(ClientId, mpsc::Sender<Utf8Bytes>),
    /// A client left; whether it drove.
    Left(ClientId, bool),
    /// A client commands.
    Do(ClientId, Command),
    /// The end.
    Stop,
}

/// The newest of a kind, and which scene it belongs to.
#[derive(Clone, Debug, Default)]
pub struct Latest<T> {
    /// Counts scenes.
    pub epoch: u64,
    /// As it goes over the wire.
    pub content: T,
}

/// Who is there.
#[derive(Clone, Debug, Default)]
pub struct Crew {
    clients: Vec<ClientId>,
    driver: Option<ClientId>,
    next: ClientId,
}

impl Crew {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.clients.len()
    }

    /// What a client may do.
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

/// What session and clients share.
#[derive(Debug)]
pub struct Hub {
    orders: SyncSender<Order>,
    /// The scene, as text.
    pub scene: watch::Sender<Latest<Utf8Bytes>>,
    /// How it goes, as text.
    pub status: watch::Sender<Latest<Utf8Bytes>>,
    /// Where everything is, as bytes.
    pub frame: watch::Sender<Latest<Bytes>>,
    /// What is shown beside the run, as text,
    pub ghost: watch::Sender<Latest<Utf8Bytes>>,
    /// and where everything of it is, as bytes.
    pub ghost_frame: watch::Sender<Latest<Bytes>>,
    /// What can be opened, once that has changed.
    pub scenes: watch::Sender<Arc<Vec<Offer>>>,
    /// Who is there.
    pub crew: watch::Sender<Crew>,
}

impl Hub {
    /// One that sends orders to a session.
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

    /// Lets a client in; none if there are too many.
    pub fn join(&self, answers: mpsc::Sender<Utf8Bytes>) -> Option<ClientId> {
        let mut joined = None;
        self.crew.send_modify(|crew| joined = crew.join());
        let client = joined?;
        // a session too busy to hear of it has orders waiting: the client is told nothing personal until it is heard
        if self.orders.try_send(Order::Joined(client, answers)).is_err() {
            self.crew.send_modify(|crew| {
                crew.leave(client);
            });
            return None;
        }
        Some(client)
    }

    /// A client is gone.
    pub fn leave(&self, client: ClientId) {
        let mut drove = false;
        self.crew.send_modify(|crew| drove = crew.leave(client));
        // a full queue would forget the hands of the driver; waiting is short, for the session always empties it
        let _ = self.orders.send(Order::Left(client, drove));
    }

    /// Passes a command on; what there is to answer at once.
    pub fn command(&self, client: ClientId, command: Command) -> Option<Told> {
        if command == Command::Drive {
            let mut drives = false;
            self.crew.send_modify(|crew| drives = crew.drive(client));
            let why = "somebody else drives: ask again when they have left";
            return (!drives).then(|| Told::refused(why));
        }
        if !command.only_looks() && self.crew.borrow().role(client) == Role::Viewer {
            return Some(Told::refused("you are a viewer: ask to `drive` first"));
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
        // one that has ended already needs no order
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
