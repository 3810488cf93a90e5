//! Many worlds of one scene, stepped side by side on threads.
//!
//! ```text
//!  Machine ──fork n times──▶ Batch ──step──▶ every member: inputs ▶ steps ▶ outputs
//!                             ├ bind      probes → numbers of every member after each step
//!                             ├ expand    a key of the scene with a value of its own in every member
//!                             └ reset     members back to their start, with their own values
//! ```
//!
//! Members share the model until they are given values of their own. A member has the same bits as a machine that is
//! stepped alone, for any number of threads. A member with a fault keeps its last valid state and is left out of steps
//! until it is reset; the others continue. The same holds for a member in which the engine panics, except that its state
//! is then unknown.

mod batch;
mod binding;
mod member;

pub use batch::{Batch, BatchError, Rollout};
pub use binding::Binding;
