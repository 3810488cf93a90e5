//! Soil in a world: grounds, tools and loose soil as a subsystem.
//!
//! ```text
//!  heights   ground → collider                             contacts of bodies with the ground are the engine's
//!  rows      slices of tools → bounded rows                −pull ≤ λ ≤ P, wanted rate 0: it holds, or fails at P
//!            loose soil on a body → a row                  J u + (κ/m) λ = J v + (κ/m) B
//!            wheels on soft ground → five rows             `contact_rows.rs`
//!  advance   swept columns → cut soil → particles;  particles among walls;  at rest → columns;  slips
//! ```
//!
//! | file | content |
//! |---|---|
//! | `earthworks.rs` | the subsystem |
//! | `model.rs`, `state.rs` | grounds and tools; their state and its serialisation |
//! | `ground_view.rs` | a ground as tools and particles see it |
//! | `tool_rows.rs`, `soil_load.rs` | rows of tools, and of loose soil that lies on bodies |
//! | `dig.rs`, `loose.rs`, `walls.rs`, `free_space.rs` | from columns to particles and back; bodies as walls; room for new particles |
//! | `bin.rs`, `bins.rs`, `bin_flow.rs`, `bin_exchange.rs` | soil in the axes of bodies: its slopes, particles that come and go |
//! | `attached_soil.rs`, `cut_soil.rs` | mass of soil that moves with a body; of soil that is cut and no particle yet |
//! | `shaping.rs` | ground shaped by edits |
//! | `wheel_model.rs`, `wheel_state.rs` | wheels, rollers and plates on soft ground; their state |
//! | `contact_rows.rs`, `wheel_step.rs`, `wheels.rs` | rows of a soft contact; a wheel, and all of them over a step |
//! | `ruts.rs`, `rut_deposit.rs` | deepest press of the nodes of a ground; what a wheel leaves behind |
//! | `track_model.rs`, `track_state.rs` | crawler tracks and their state |
//! | `track_rows.rs`, `track_step.rs` | their rows, and the end of their step |
//! | `presses.rs` | ruts: what nodes were pressed with |
//! | `sinkage_law.rs` | pressure–sinkage law of a soil under wheels and tracks |
//! | `face_walls.rs` | faces of tools hold the columns before them |
//! | `readings.rs` | readable quantities |

mod attached_soil;
mod bin;
mod bin_exchange;
mod bin_flow;
mod bins;
pub mod contact_rows;
mod cut_soil;
mod dig;
mod earthworks;
mod face_walls;
mod free_space;
mod ground_view;
mod loose;
mod model;
mod presses;
mod readings;
mod replacement;
mod rut_deposit;
mod ruts;
mod shaping;
mod sinkage_law;
mod soil_load;
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

pub use attached_soil::AttachedSoil;
pub use bin::{BinError, BinModel, BinState};
pub use earthworks::EarthEdit;
pub use ground_view::GroundView;
pub use model::{Earthworks, GroundModel, LooseBox, ToolModel};
pub use presses::{Press, Presses};
pub use ruts::Ruts;
pub use shaping::Shaping;
pub use state::{CutSoil, EarthState, GroundState, SoilLoad, ToolState};
pub use track_model::{MOST_ELEMENTS, TrackModel};
pub use track_state::{Element, Road, TrackReading, TrackState};
pub use wheel_model::{ContactSurface, LOOSE_PEAK, WheelModel, WheelShape};
pub use wheel_state::WheelState;
