//! The connected clients, and which of them has the controls.
//!
//! ```text
//!  first client            → driver; the others are viewers
//!  viewer asks, no driver  → drives at once
//!  viewer asks, a driver   → the driver is asked: it hands over, declines, or says nothing for ANSWER_TIME and loses them
//!  driver leaves           → the viewer that has asked drives; else nobody does, until one asks or connects
//! ```

use crate::message::{RequestLook, Role};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Largest number of clients.
pub const MOST_CLIENTS: usize = 128;
/// Largest number of clients of one address: no address takes all places.
pub const MOST_PER_ADDRESS: usize = 96;
/// A driver that does not answer a request for this time loses the controls.
pub const ANSWER_TIME: Duration = Duration::from_secs(15);
/// A viewer whose request was declined may ask again after this time.
const AGAIN: Duration = Duration::from_secs(15);

/// Id of a client.
pub type ClientId = u64;

/// A viewer asks for the controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request {
    client: ClientId,
    /// When the controls pass without an answer.
    until: Instant,
}

/// The connected clients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clients {
    /// Each with its address.
    clients: Vec<(ClientId, IpAddr)>,
    driver: Option<ClientId>,
    request: Option<Request>,
    /// Whose request was declined, and until when it may not ask again.
    declined: Vec<(ClientId, Instant)>,
    next: ClientId,
}

impl Clients {
    /// Their number.
    pub fn count(&self) -> usize {
        self.clients.len()
    }

    /// The client that has the controls.
    pub fn driver(&self) -> Option<ClientId> {
        self.driver
    }

    /// The role of a client.
    pub fn role(&self, client: ClientId) -> Role {
        if self.driver == Some(client) { Role::Driver } else { Role::Viewer }
    }

    /// The request that waits for an answer.
    pub fn request(&self, now: Instant) -> Option<RequestLook> {
        let look = |request: Request| RequestLook {
            client: request.client,
            seconds: request.until.saturating_duration_since(now).as_secs_f64(),
        };
        self.request.map(look)
    }

    /// When the controls pass to the client that has asked.
    pub fn deadline(&self) -> Option<Instant> {
        self.request.map(|request| request.until)
    }

    /// Seconds until a client whose request was declined may ask again.
    pub fn again(&self, client: ClientId, now: Instant) -> Option<f64> {
        let found = self.declined.iter().find(|(id, until)| *id == client && *until > now);
        found.map(|(_, until)| (*until - now).as_secs_f64())
    }

    /// Admits a client; none if there are too many.
    pub fn join(&mut self, address: IpAddr) -> Option<ClientId> {
        let near = self.clients.iter().filter(|(_, other)| *other == address).count();
        if self.clients.len() >= MOST_CLIENTS || near >= MOST_PER_ADDRESS {
            return None;
        }
        self.next += 1;
        self.clients.push((self.next, address));
        self.driver.get_or_insert(self.next);
        Some(self.next)
    }

    /// A client leaves.
    pub fn leave(&mut self, client: ClientId) {
        self.clients.retain(|(id, _)| *id != client);
        self.declined.retain(|(id, _)| *id != client);
        self.request = self.request.filter(|request| request.client != client);
        if self.driver == Some(client) {
            self.driver = self.request.take().map(|request| request.client);
        }
    }

    /// A client asks for the controls.
    pub fn ask(&mut self, client: ClientId, now: Instant) -> Result<(), String> {
        if self.driver.is_none() {
            (self.driver, self.request) = (Some(client), None);
        }
        if self.driver == Some(client) {
            return Ok(());
        }
        if let Some(seconds) = self.again(client, now) {
            return Err(format!("your request was declined: ask again in {} s", seconds.ceil()));
        }
        match self.request {
            Some(request) if request.client == client => Ok(()),
            Some(_) => Err("another viewer has asked already: wait for the answer".to_string()),
            None => {
                self.request = Some(Request { client, until: now + ANSWER_TIME });
                Ok(())
            }
        }
    }

    /// A client no longer asks.
    pub fn withdraw(&mut self, client: ClientId) {
        self.request = self.request.filter(|request| request.client != client);
    }

    /// The driver answers the request.
    pub fn reply(&mut self, client: ClientId, yes: bool, now: Instant) -> Result<(), &'static str> {
        if self.driver != Some(client) {
            return Err("viewers have no controls to hand over");
        }
        let request = self.request.take().ok_or("nobody has asked for the controls")?;
        if yes {
            self.driver = Some(request.client);
        } else {
            self.declined.retain(|(id, until)| *id != request.client && *until > now);
            self.declined.push((request.client, now + AGAIN));
        }
        Ok(())
    }

    /// The controls pass if the driver has not answered in time.
    pub fn settle(&mut self, now: Instant) {
        if let Some(request) = self.request.filter(|request| request.until <= now) {
            (self.driver, self.request) = (Some(request.client), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn no_address_takes_all_places() {
        let mut crew = Clients::default();
        assert!((0..MOST_PER_ADDRESS).all(|_| crew.join(HERE).is_some()) && crew.join(HERE).is_none());
        let there = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
        assert!((MOST_PER_ADDRESS..MOST_CLIENTS).all(|_| crew.join(there).is_some()));
        assert!(crew.join(there).is_none(), "all places are taken");
    }

    /// Three clients, of which the first drives.
    fn three() -> (Clients, [ClientId; 3], Instant) {
        let mut crew = Clients::default();
        let ids = [(); 3].map(|()| crew.join(HERE).expect("there is room"));
        (crew, ids, Instant::now())
    }

    #[test]
    fn the_first_drives_and_hands_over_by_leaving() {
        let (mut crew, [a, b, _], now) = three();
        assert_eq!((crew.role(a), crew.role(b)), (Role::Driver, Role::Viewer));
        crew.leave(a);
        assert_eq!(crew.driver(), None, "nobody is made to drive");
        assert!(crew.ask(b, now).is_ok() && crew.role(b) == Role::Driver);
        crew.leave(a);
        assert_eq!(crew.driver(), Some(b), "the first has left already");
    }

    #[test]
    fn a_request_is_granted_or_declined() {
        let (mut crew, [a, b, c], now) = three();
        assert!(crew.ask(b, now).is_ok() && crew.role(b) == Role::Viewer);
        assert!(crew.request(now).is_some_and(|r| r.client == b && r.seconds == ANSWER_TIME.as_secs_f64()));
        assert!(crew.ask(c, now).is_err_and(|why| why.contains("already")));
        assert!(crew.reply(c, true, now).is_err(), "only the driver answers");
        assert!(crew.reply(a, false, now).is_ok() && crew.role(a) == Role::Driver);
        assert!(crew.request(now).is_none() && crew.again(b, now).is_some());
        assert!(crew.ask(b, now).is_err_and(|why| why.contains("declined")));
        assert!(crew.ask(b, now + AGAIN).is_ok());
        assert!(crew.reply(a, true, now).is_ok() && crew.role(b) == Role::Driver);
        assert!(crew.reply(b, true, now).is_err(), "nobody asks");
    }

    #[test]
    fn silence_hands_over() {
        let (mut crew, [a, b, _], now) = three();
        assert!(crew.ask(b, now).is_ok());
        crew.settle(now + ANSWER_TIME / 2);
        assert_eq!(crew.driver(), Some(a));
        crew.settle(now + ANSWER_TIME);
        assert_eq!((crew.driver(), crew.deadline()), (Some(b), None));
    }

    #[test]
    fn a_request_ends_with_either_of_the_two() {
        let (mut crew, [a, b, c], now) = three();
        assert!(crew.ask(b, now).is_ok());
        crew.leave(b);
        assert_eq!((crew.driver(), crew.deadline()), (Some(a), None));
        assert!(crew.ask(c, now).is_ok());
        crew.withdraw(c);
        assert_eq!(crew.deadline(), None);
        assert!(crew.ask(c, now).is_ok());
        crew.leave(a);
        assert_eq!((crew.driver(), crew.deadline()), (Some(c), None), "it has asked, so it drives");
    }
}
