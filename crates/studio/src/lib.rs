//! The studio: a simulation that runs in its own thread, and a page that shows and controls it.
//!
//! ```text
//!  browser ──HTTP──▶ access ──▶ page                                     files of the page
//!          ◀──WebSocket──▶ access ──▶ live ◀──▶ hub ◀──▶ session         one client, slots of the newest, one thread
//!                                                         └ a machine and its history (windlass-host), pace
//! ```
//!
//! The session owns the machine and never waits for a client (`hub.rs`). Its past can be shown bit for bit. The
//! protocol is `message` and `frame.rs`. Nothing here changes how a world steps: a run in the studio is identical to
//! that of `windlass run`, as long as no user acts on it.

mod access;
mod check;
mod checked;
mod clients;
mod connections;
mod earth;
mod export;
mod frame;
mod gallery;
mod ghost;
mod hub;
mod line;
mod live;
mod message;
mod overlay;
mod pace;
mod page;
mod path;
mod probe;
mod push;
mod recovery;
mod server;
mod session;
mod stage;
mod undo;
mod vehicle;

pub use access::{SHORTEST_TOKEN, is_token, new_token};
pub use server::{Error, Options, Studio};
