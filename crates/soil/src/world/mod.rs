//! Soil in a world: grounds, tools and loose soil as a subsystem.
//!
//! ```text
//!  heights   ground → collider                             contacts of bodies with the ground are the engine's
//!  rows      slices of tools → bounded rows                −pull ≤ λ ≤ P, wanted rate 0: it holds, or fails at P
//!            loose soil on a body → a row                  J u + (κ/m) λ = J v + (κ/m) B
//!            wheels on soft ground → five rows             `contact_rows.rs`
//!  advance   swept columns → pots → particles;  particles among walls;  at rest → columns;  slips
//! ```
//!
//! | file | content |
//! |---|---|
//! | `earthworks.rs` | the subsystem |
//! | `model.rs`, `state.rs` | grounds and tools; their state and its serialisation |
//! | `sight.rs` | a ground as tools and particles see it |
//! | `tool_rows.rs`, `burden.rs` | rows of tools, and of loose soil that lies on bodies |
//! | `dig.rs`, `loose.rs`, `walls.rs`, `room.rs` | from columns to particles and back; bodies as walls; room for new particles |
//! | `bin.rs`, `bins.rs`, `bin_flow.rs`, `bin_exchange.rs` | soil in the axes of bodies: its slopes, particles that come and go |
//! | `carried.rs`, `pots.rs` | mass of soil that moves with a body; of soil that is cut and no particle yet |
//! | `by_hand.rs` | ground shaped by edits |
//! | `wheel_model.rs`, `wheel_state.rs` | wheels, rollers and plates on soft ground; their state |
//! | `contact_rows.rs`, `wheel_step.rs`, `wheels.rs` | rows of a soft contact; a wheel, and all of them over a step |
//! | `ruts.rs`, `rut_deposit.rs` | deepest press of the nodes of a ground; what a wheel leaves behind |
//! | `track_model.rs`, `track_state.rs` | crawler tracks and their state |
//! | `track_rows.rs`, `track_step.rs` | their rows, and the end of their step |
//! | `presses.rs` | ruts: what nodes were pressed with |
//! | `hold.rs` | faces of tools hold the columns before them |
//! | `readings.rs` | readable quantities |

mod bin;
mod bin_exchange;
mod bin_flow;
mod bins;
mod burden;
mod by_hand;
mod carried;
pub mod contact_rows;
mod dig;
mod earthworks;
mod hold;
mod kept;
mod loose;
mod model;
mod pots;
mod presses;
mod readings;
mod room;
mod rut_deposit;
mod ruts;
mod sight;
mod state;
mod tool_rows;
mod track_model;
mod track_rows;
mod track_state;
mod track_step;
mod walls;
mod wheel_model;
mod wheel_state;
mod wheel_step;
mod wheels;

pub use bin::{BinError, BinModel, BinState};
pub use by_hand::Shaping;
pub use carried::Carried;
pub use earthworks::EarthEdit;
pub use model::{Earthworks, GroundModel, LooseBox, ToolModel};
pub use presses::{Press, Presses};
pub use ruts::Ruts;
pub use sight::SightOf;
pub use state::{Burden, EarthState, GroundState, Pot, ToolState};
pub use track_model::{MOST_ELEMENTS, TrackModel};
pub use track_state::{Element, Road, TrackReading, TrackState};
pub use wheel_model::{ContactSurface, LOOSE_PEAK, WheelModel, WheelShape};
pub use wheel_state::WheelState;
