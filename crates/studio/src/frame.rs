//! Frames: poses, lines, contacts and forces as bytes. Little-endian:
//!
//! ```text
//!  u32 0x31464C57 ("WLF1"), or 0x31474C57 ("WLG1") of the run shown for comparison, f64 time
//!  u32 bodies,   of each 7 f32: origin x y z [m], orientation w x y z
//!  u32 pieces,   of each u32 line, u32 points, of each point 4 f32: x y z [m], tension [N]
//!  u32 contacts, of each 6 f32: point x y z [m], force on the second body x y z [N]
//!  u32 forces,   of each 6 f32: point x y z [m], force on the body there x y z [N]: applied, and of springs
//!  u32 torques,  of each 6 f32: centre of the body x y z [m], torque x y z [N·m]
//! ```
//!
//! A cut line consists of several pieces with the same number; a line that no longer exists has none. Blocks for overlays
//! follow if a client asks for them (`overlay.rs`).

use crate::line::Line;
use crate::push::{Acting, Arrow, acting};
use glam::DVec3;
use windlass_host::pose::pose;
use windlass_scene::Built;

/// Magic number of a frame.
pub const MAGIC: u32 = 0x3146_4C57;
/// Magic number of a frame of a ghost.
pub const GHOST: u32 = 0x3147_4C57;
/// Largest number of arrows of a kind.
const MOST_ARROWS: usize = 4096;

/// The frame of the present state.
pub fn frame(magic: u32, built: &Built, lines: &[Line]) -> Vec<u8> {
    let state = built.world.state();
    let mut out = Vec::with_capacity(64 + 28 * built.bodies.len() + 24 * state.contacts.len());
    out.extend(magic.to_le_bytes());
    out.extend(state.time.to_le_bytes());
    count(&mut out, built.bodies.len());
    for id in &built.bodies {
        let (at, turn) = pose(built, *id);
        vector(&mut out, at);
        [turn.w, turn.x, turn.y, turn.z].iter().for_each(|x| number(&mut out, *x));
    }
    let pieces = lines
        .iter()
        .flat_map(|line| line.pieces(&built.world).into_iter().map(|piece| (line.look.id, piece)));
    let pieces: Vec<_> = pieces.collect();
    count(&mut out, pieces.len());
    for (id, piece) in pieces {
        out.extend(id.to_le_bytes());
        count(&mut out, piece.len());
        for (point, tension) in piece {
            vector(&mut out, point);
            number(&mut out, tension);
        }
    }
    let pressing = state.contacts.iter().filter(|c| c.force != DVec3::ZERO);
    arrows(&mut out, pressing.map(|c| (c.point, c.force)));
    let Acting { forces, torques } = acting(built);
    arrows(&mut out, forces.into_iter());
    arrows(&mut out, torques.into_iter());
    out
}

fn arrows(out: &mut Vec<u8>, arrows: impl Iterator<Item = Arrow>) {
    let arrows: Vec<Arrow> = arrows.take(MOST_ARROWS).collect();
    count(out, arrows.len());
    for (point, force) in arrows {
        vector(out, point);
        vector(out, force);
    }
}

fn count(out: &mut Vec<u8>, n: usize) {
    out.extend((n as u32).to_le_bytes());
}

/// A number of a frame.
pub fn number(out: &mut Vec<u8>, x: f64) {
    out.extend((x as f32).to_le_bytes());
}

/// A vector of a frame.
pub fn vector(out: &mut Vec<u8>, v: DVec3) {
    v.to_array().iter().for_each(|x| number(out, *x));
}
