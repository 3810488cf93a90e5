//! A picture and the motion of its bodies → images, films and files for other programs.
//!
//! ```text
//!             ┌─ pov   text of POV-Ray scenes ──▶ film   frames by povray, video by ffmpeg
//!  Picture ───┼─ gltf  binary glTF 2.0 with an animation
//!  + Instants ├─ usda  USD text with time samples
//!             └─ svg   a shaded line drawing of one instant, without other programs
//! ```
//!
//! A [`Picture`] describes the appearance of the bodies in their own axes; [`Instants`] give their poses. Both are
//! plain data, which [`built`] makes from a scene; the writers of files know neither scenes nor recordings. Lengths are
//! in metres, angles in radians, the frame is right-handed with z up. Colours are sRGB from 0 to 1: #ff8000 is
//! `[1.0, 0.5, 0.0]`.

pub mod built;
mod error;
pub mod film;
pub mod gltf;
mod instant;
mod keys;
mod material;
mod name;
mod picture;
pub mod pov;
mod program;
mod surface;
pub mod svg;
pub mod terrain;
mod tube;
pub mod usda;
mod view;
mod water;

pub use error::Error;
pub use instant::{Instant, Instants, Pose, Ties};
pub use material::{Grain, Look};
pub use picture::{
    Background, Camera, Figure, Ground, Light, Line, Mount, Pattern, Picture, Reel, Solid, Stereo,
};
pub use surface::Surface;
pub use terrain::{Lump, Patch, Relief, Terrain};
pub use tube::{CableTube, Fastening};
pub use view::{Eye, View};
pub use water::Water;
