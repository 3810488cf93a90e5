//! The clients as the session knows them: where their answers go, what they want to see, and which of them drives.

use crate::hub::{ANSWERS, ClientId};
use crate::message::{Overlays, ServerMessage};
use crate::probe::Probe;
use axum::extract::ws::Utf8Bytes;
use std::collections::BTreeMap;
use tokio::sync::mpsc;

/// A client.
struct Client {
    answers: mpsc::Sender<Utf8Bytes>,
    probes: Vec<Probe>,
    overlays: Overlays,
}

/// The clients.
#[derive(Default)]
pub struct Audience {
    clients: BTreeMap<ClientId, Client>,
    /// The client that had the controls last.
    driver: Option<ClientId>,
}

impl Audience {
    pub fn join(&mut self, id: ClientId, answers: mpsc::Sender<Utf8Bytes>) {
        self.clients.insert(id, Client { answers, probes: Vec::new(), overlays: Overlays::default() });
    }

    pub fn leave(&mut self, id: ClientId) {
        self.clients.remove(&id);
    }

    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    pub fn is_driver(&self, id: ClientId) -> bool {
        self.driver == Some(id)
    }

    /// Notes who has the controls now. Returns whether somebody has lost them.
    pub fn note_driver(&mut self, driver: Option<ClientId>) -> bool {
        if driver.is_none() && self.driver.is_some_and(|id| self.clients.contains_key(&id)) {
            // the driver has disconnected: its last orders come before the one that says so
            return false;
        }
        let before = std::mem::replace(&mut self.driver, driver);
        before.is_some() && before != driver
    }

    /// Where the answers to a client go.
    pub fn answers_to(&self, id: ClientId) -> Option<mpsc::Sender<Utf8Bytes>> {
        self.clients.get(&id).map(|client| client.answers.clone())
    }

    /// Sends a message to one client; it is dropped if the client does not read.
    pub fn answer(&self, id: ClientId, told: &ServerMessage) {
        if let Some(client) = self.clients.get(&id) {
            let _ = client.answers.try_send(told.json().into());
        }
    }

    /// Sends a message to all clients.
    pub fn tell(&self, told: &ServerMessage) {
        self.clients.keys().for_each(|id| self.answer(*id, told));
    }

    /// The numbers that a client is sent from now on.
    pub fn set_probes(&mut self, id: ClientId, probes: Vec<Probe>) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.probes = probes;
        }
    }

    /// In a scene with other numbers: those of the same names.
    pub fn follow_probes(&mut self, catalogue: &[Probe]) {
        for client in self.clients.values_mut() {
            let known = |probe: &Probe| catalogue.iter().find(|p| p.name == probe.name).cloned();
            client.probes = client.probes.iter().filter_map(known).collect();
        }
    }

    /// All numbers that anybody is sent.
    pub fn probes(&self) -> impl Iterator<Item = &Probe> {
        self.clients.values().flat_map(|client| &client.probes)
    }

    pub fn set_overlays(&mut self, id: ClientId, wanted: Overlays) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.overlays = wanted;
        }
    }

    /// What any of them asks for.
    pub fn overlays(&self) -> Overlays {
        self.clients.values().fold(Overlays::default(), |all, client| all.or(client.overlays))
    }

    /// Sends each client its numbers.
    pub fn sample(&self, sample: impl Fn(&[Probe]) -> ServerMessage) {
        // half of the queue is left to answers
        let has_room = |client: &&Client| client.answers.capacity() > ANSWERS / 2;
        for client in self.clients.values().filter(|client| !client.probes.is_empty()).filter(has_room) {
            // a gap in a plot is better than a simulation that waits
            let _ = client.answers.try_send(sample(&client.probes).json().into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::Exports;
    use crate::gallery::Gallery;
    use crate::hub::{Hub, ORDERS, Order};
    use crate::message::Command as Asked;
    use crate::recovery::Recovery;
    use crate::session::Session;
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, sync_channel};

    /// The crane with two clients, of which the first drives.
    fn crane() -> (Session, Receiver<Order>, [ClientId; 2]) {
        let (sender, orders) = sync_channel(ORDERS);
        let hub = Arc::new(Hub::new(sender));
        let exports = Arc::new(Exports::new().expect("a folder"));
        let (gallery, recovery) = (Gallery::default(), Recovery::open(None, None));
        let session = Session::new(hub.clone(), gallery, exports, recovery).expect("the crane");
        let join = || hub.join(tokio::sync::mpsc::channel(ANSWERS).0, IpAddr::V4(Ipv4Addr::LOCALHOST));
        let clients = [(); 2].map(|()| join().expect("there is room"));
        (session, orders, clients)
    }

    /// What the thread of the session does with its orders.
    fn obey(session: &mut Session, orders: &Receiver<Order>) {
        orders.try_iter().for_each(|order| session.obey(order));
        session.watch_driver();
    }

    fn slew(session: &Session) -> bool {
        let id = session.shown.machine.world().model().input("slew").expect("a lever");
        session.shown.machine.world().input(id).expect("it exists").held
    }

    #[test]
    fn orders_are_obeyed_by_who_drives_when_they_are_carried_out() {
        let (mut session, orders, [first, second]) = crane();
        let hub = session.hub.clone();
        let lever = || Asked::Input { name: "slew".into(), value: Some(0.05) };
        obey(&mut session, &orders);
        assert!(hub.command(first, None, lever()).is_none(), "it waits");
        assert!(hub.command(second, None, Asked::Drive).is_none());
        assert!(hub.command(first, None, Asked::HandOver).is_none());
        obey(&mut session, &orders);
        assert!(!slew(&session), "the first no longer drives");

        assert!(hub.command(first, None, Asked::Drive).is_none());
        assert!(hub.command(second, None, Asked::HandOver).is_none());
        assert!(hub.command(first, None, lever()).is_none());
        obey(&mut session, &orders);
        assert!(slew(&session), "the new driver keeps what it has taken");
    }

    #[test]
    fn the_last_orders_of_a_driver_that_leaves_are_obeyed() {
        let (mut session, orders, [first, _]) = crane();
        let hub = session.hub.clone();
        obey(&mut session, &orders);
        assert!(hub.command(first, None, Asked::Mark { name: "last".into() }).is_none());
        assert!(hub.command(first, None, Asked::Input { name: "slew".into(), value: Some(0.05) }).is_none());
        let last: Vec<Order> = orders.try_iter().collect();
        hub.leave(first);
        obey(&mut session, &sync_channel(1).1);
        last.into_iter().for_each(|order| session.obey(order));
        assert!(slew(&session) && session.shown.timeline.looks().len() == 1);
        obey(&mut session, &orders);
        assert!(!slew(&session), "it has left");
    }
}
