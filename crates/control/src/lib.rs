//! Controllers and rules of Windlass worlds, as a subsystem of the engine.
//!
//! ```text
//!  readings of the instant ──▶ expressions ──▶ PID, filter, table, state machine, rule ──▶ actions on inputs
//!                                               memories in State
//! ```
//!
//! The owner of a world reads its probes before each step and calls [`Controllers::advance`], which evaluates all items
//! in the order of their dependencies and writes their memories and the actions on inputs. There are no forces and no
//! constraint equations. The same state and readings give the same bits.
//!
//! | file | content |
//! |---|---|
//! | `expression.rs` | arithmetic and logic over readings and items |
//! | `pid.rs`, `filter.rs`, `table.rs`, `machine.rs`, `rule.rs` | the kinds of items, each with its law over a step |
//! | `item.rs`, `order.rs` | an item and its outputs, the order of evaluation |
//! | `state.rs`, `controllers.rs` | memories, and the subsystem |

pub mod controllers;
pub mod expression;
pub mod filter;
pub mod item;
pub mod machine;
mod order;
pub mod pid;
pub mod rule;
pub mod state;
pub mod table;

pub use controllers::{BadValue, ControllerEdit, Controllers, Instant};
pub use expression::{Binary, Expression, Unary};
pub use filter::Filter;
pub use item::{Action, Item, Kind, Output};
pub use machine::{Machine, Transition};
pub use pid::Pid;
pub use rule::Rule;
pub use state::{ControllersState, ItemQuantity, ItemState};
pub use table::{Table, TableProblem};
