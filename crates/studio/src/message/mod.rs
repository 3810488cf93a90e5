//! Messages between page and server over the WebSocket `/live`, version 2.
//!
//! ```text
//!  server → page   text    ServerMessage, tagged by `type`: hello, scene, status, sample, names, errors, saved, ghost, path, refused
//!                  binary  poses of everything (`frame.rs`)
//!  page → server   text    Command, tagged by `do`, with an optional number `req`
//! ```
//!
//! The answers refused, errors and saved repeat the number `req` of their command.
//!
//! `hello` is sent again whenever the clients, their roles, a request for control or the list of scenes changes, `scene`
//! whenever the scene does; later frames are of that scene.

mod command;
mod server_message;
mod stage;
mod status;

pub use command::{Command, Format, Overlays, PathAction, Viewpoint};
pub use server_message::{Offer, RequestLook, Role, ServerMessage, Source, Trouble};
pub use stage::{
    Bounds, Camera, CylinderLook, Figure, Fluid, Form, GroundLook, Jointed, LineLook, SoilLook, Solid, Stage,
    ToolLook, Waves,
};
pub use status::{DraftLook, Energies, ExportLook, LogicLook, PathLook, Point, Stages, Status, Trip};

/// Version of the protocol.
pub const VERSION: u32 = 2;
/// Longest message, the text of a scene [bytes].
pub const LONGEST_TEXT: usize = 1 << 20;
