//! The studio: a simulation that runs in its own thread, and a page that shows and steers it.
//!
//! ```text
//!  browser ──HTTP──▶ gate ──▶ page                                     files of the page
//!          ◀──WebSocket──▶ gate ──▶ live ◀──▶ hub ◀──▶ session         one client, slots of the newest, one thread
//!                                                        └ machine, tape, pace
//! ```
//!
//! The session owns the world and never waits for a client (`hub.rs`); its past can be shown to the bit (`tape.rs`). The
//! protocol is `message.rs` and `frame.rs`. Nothing here changes how a world steps: a run in the studio is the run of
//! `windlass run`, if nobody touches it.

mod check;
mod export;
mod frame;
mod gate;
mod ghost;
mod hands;
mod history;
mod hub;
mod line;
mod live;
mod machine;
mod message;
mod pace;
mod page;
mod path;
mod probe;
mod push;
mod server;
mod session;
mod shelf;
mod stage;
mod tape;

pub use gate::{SHORTEST_TOKEN, is_token};
pub use server::{Error, Options, Studio};
