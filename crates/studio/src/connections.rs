//! Connections by address: how many may be open without having sent a whole request.
//!
//! A connection waits until the head of a request has arrived, and again after each answer has been sent. Of one address at most
//! [`MOST_WAITING`] wait; one more closes the oldest of them. Half requests, sent slowly or not at all, therefore neither
//! fill the server nor keep out those who come later from the same address.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::sync::Notify;

/// Largest number of connections of an address that wait for a request.
pub const MOST_WAITING: usize = 64;
/// Largest piece of an answer [bytes]. Few of them are buffered, so that the last is taken when nearly all is sent.
const PIECE: usize = 16 << 10;

type Waiting = BTreeMap<IpAddr, VecDeque<(u64, Arc<Notify>)>>;

/// The connections that wait for a request, the oldest first.
#[derive(Debug, Default)]
pub struct Connections {
    waiting: Mutex<(u64, Waiting)>,
}

/// A connection.
#[derive(Debug)]
pub struct Door {
    doors: Arc<Connections>,
    address: IpAddr,
    id: u64,
    closed: Arc<Notify>,
}

impl Connections {
    /// A new connection, which waits.
    pub fn enter(self: &Arc<Connections>, address: IpAddr) -> Door {
        let id = {
            let mut all = self.all();
            all.0 += 1;
            all.0
        };
        let door = Door { doors: self.clone(), address, id, closed: Arc::default() };
        door.waits();
        door
    }

    fn all(&self) -> MutexGuard<'_, (u64, Waiting)> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Door {
    /// It waits for a request; the oldest that waits makes room if there are too many.
    pub fn waits(&self) {
        let mut all = self.doors.all();
        let queue = all.1.entry(self.address).or_default();
        queue.push_back((self.id, self.closed.clone()));
        if queue.len() > MOST_WAITING
            && let Some((_, oldest)) = queue.pop_front()
        {
            oldest.notify_one();
        }
    }

    /// A request has arrived.
    pub fn serves(&self) {
        let mut all = self.doors.all();
        if let Some(queue) = all.1.get_mut(&self.address) {
            queue.retain(|(id, _)| *id != self.id);
            if queue.is_empty() {
                all.1.remove(&self.address);
            }
        }
    }

    /// Ends when the connection has to make room.
    pub async fn closed(&self) {
        self.closed.notified().await;
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.serves();
    }
}

/// The body of an answer, after which the connection waits again.
#[derive(Debug)]
pub struct Answer {
    body: Body,
    /// The part of the body that was read, but not sent.
    rest: Bytes,
    door: Arc<Door>,
}

impl Answer {
    /// The body of an answer on a connection.
    pub fn new(body: Body, door: Arc<Door>) -> Answer {
        Answer { body, rest: Bytes::new(), door }
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(context)).map(|read| read.map(Frame::into_data))
            {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(other))) => return Poll::Ready(Some(Ok(other))),
                Some(Err(e)) => return Poll::Ready(Some(Err(e))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, mut hint) = (self.rest.len() as u64, self.body.size_hint());
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.door.waits();
    }
}

/// What counts as one address: an IPv6 network of 64 bits belongs to one user.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX))),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn address(text: &str) -> IpAddr {
        network(text.parse().expect("an address"))
    }

    #[test]
    fn the_oldest_that_waits_makes_room() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let doors = Arc::new(Connections::default());
            let other = doors.enter(address("127.0.0.2"));
            let all: Vec<Door> = (0..MOST_WAITING).map(|_| doors.enter(address("127.0.0.1"))).collect();
            let is_closed = async |door: &Door| {
                tokio::time::timeout(Duration::from_millis(1), door.closed()).await.is_ok()
            };
            all[0].serves();
            let one = doors.enter(address("127.0.0.1"));
            assert!(
                !is_closed(&all[0]).await && !is_closed(&all[1]).await,
                "one was served, so there is room"
            );
            let more = doors.enter(address("127.0.0.1"));
            assert!(is_closed(&all[1]).await && !is_closed(&all[0]).await && !is_closed(&all[2]).await);
            all[0].waits();
            assert!(is_closed(&all[2]).await, "it waits again");
            assert!(!is_closed(&other).await, "another address");
            drop((all, other, one, more));
            assert!(doors.all().1.is_empty(), "nothing is left behind");
        });
    }

    #[test]
    fn a_connection_waits_when_its_answer_was_sent() {
        let doors = Arc::new(Connections::default());
        let door = Arc::new(doors.enter(address("127.0.0.1")));
        door.serves();
        let bytes: Vec<u8> = (0..PIECE * 5 / 2).map(|k| k as u8).collect();
        let mut answer = Answer::new(Body::from(bytes.clone()), door.clone());
        let (mut sent, mut context) = (Vec::new(), Context::from_waker(std::task::Waker::noop()));
        while !answer.is_end_stream() {
            assert_eq!(answer.size_hint().exact(), Some((bytes.len() - sent.len()) as u64));
            let piece = Pin::new(&mut answer).poll_frame(&mut context);
            let Poll::Ready(Some(Ok(piece))) = piece else { panic!("there is more") };
            let piece = piece.into_data().expect("there are no trailers");
            assert!(piece.len() <= PIECE && doors.all().1.is_empty());
            sent.extend(piece);
        }
        assert_eq!(sent, bytes);
        drop(answer);
        assert_eq!(doors.all().1.len(), 1, "it waits");
    }

    #[test]
    fn a_network_is_one_address() {
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:2"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
    }
}
