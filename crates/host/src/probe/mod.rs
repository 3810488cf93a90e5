//! Probes: text → outputs, compiled once → numbers of a world, all of one instant.
//!
//! ```text
//!  probe     = [label "="] source
//!  source    = "time"
//!            | "energy" "." ("total" | "kinetic" | "potential" | "elastic")
//!            | "step" "." "wall_time"
//!            | "solver" "." ("residual" | "factorizations" | "equations" | "redundant" | "islands" | "not_converged")
//!            | "contacts" "." ("points" | "penetration" | "started")
//!            | "bodies" "." name "." quantity ["." component]
//!            | "joints" "." name ["." number] "." quantity ["." component]
//!            | "cables" "." name "." (quantity "(" metres ")" | quantity ["." number])
//!            | "winches" "." name "." quantity
//!            | "inputs" "." name ["." ("target" | "actual")]
//!            | "grounds" "." name "." ("height" | "compaction") "(" metres "," metres ")"
//!            | key of a subsystem "." name "." quantity
//!            | "rules" "." name "." ("active" | "enabled")
//!            | "distance(" "bodies" "." name "," "bodies" "." name ")"
//!            | "contact(" "bodies" "." name "," "bodies" "." name ")" "." quantity ["." component]
//!  name      = text without . , ( ) = " '     where * matches any characters
//!            | "text" | 'text'                as it stands
//! ```
//!
//! A probe may end with its unit, as column heads do: `bodies.load.speed [m/s]`. A vector without a component yields
//! several columns, a name with `*` one column per match. A column is named by its label, or by the probe written in
//! full. A number that does not exist at an instant (the force of a broken joint, the residual of the solver before the
//! first step) is NaN here and an empty cell in tables.
//!
//! [`Outputs`] solve for the instant if they need accelerations or reactions. `state.rs` has the set
//! of a scene that live plots show.

mod cable;
mod catalogue;
mod column;
mod contact;
mod control;
mod coordinate;
mod error;
mod fluid;
mod ground;
mod indeterminate;
mod outputs;
mod parse;
mod rope;
mod source;
mod state;

pub use cable::{line_length, lines};
pub use catalogue::{catalogue, of_items};
pub use column::{Column, parts_of_head};
pub use control::Reading;
pub use coordinate::is_rotation;
pub use error::{ProbeError, suggestion};
pub use indeterminate::{Indeterminate, REMARK, Reaction, ReactionMarks};
pub use outputs::{OutputReader, Outputs, contacts_started, scene_probes};
pub use parse::{fits, quoted};
pub use state::StateProbe;
