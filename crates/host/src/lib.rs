//! One running machine: a scene, its world, inputs, outputs, a recorder and a history behind one interface.
//!
//! ```text
//!  scene text, overrides ──Machine::open──▶ Machine ──step──▶ Report, or Fault
//!                                            ├ inputs, set_input          operator.rs: tables, random and held inputs
//!                                            ├ outputs, read              probe: text → numbers, compiled once, read often
//!                                            ├ run                        run.rs: the loop with observers; record.rs is one of them
//!                                            ├ save, restore, fork        states, bitwise reproducible
//!                                            └ apply, keyframe, recall    drag.rs, history.rs: interactive runs and their past
//!  recording ──replay──▶ the world at any of its frames
//! ```
//!
//! The command line and the studio are both built on it. It prints nothing, has no clock and no
//! sockets, and knows no exit codes: results are returned as values, and decisions of the caller come in through
//! [`run::Supervisor`] and [`run::Observer`].
//!
//! ```
//! use windlass_host::{Machine, SceneSource};
//!
//! let text = r#"
//!     windlass = 2
//!     [bodies.post]
//!     type = "static"
//!     [bodies.bob]
//!     position = [1, 0, 0]
//!     mass = 2
//!     shape = { sphere = { radius = 0.1 } }
//!     [joints.pivot]
//!     hinge = { bodies = ["post", "bob"], at = [0, 0, 0], axis = [0, 1, 0] }
//! "#;
//! let mut machine = Machine::open(SceneSource::text(text, "pendulum.toml"), &["bodies.bob.mass=3 kg".parse()?])?;
//! let outputs = machine.outputs(&["bodies.bob.position.z", "joints.pivot.value"]).expect("both exist");
//! let mut numbers = [0.0; 2];
//! for _ in 0..30 {
//!     machine.step().map_err(|fault| fault.to_string())?;
//!     machine.read(&outputs, &mut numbers);
//! }
//! assert!(numbers[0] < -0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod drag;
pub mod history;
pub mod logic;
pub mod machine;
pub mod operator;
pub mod pose;
pub mod probe;
pub mod record;
pub mod replay;
pub mod run;
mod step;
pub mod text;
pub mod violation;
mod watch;

pub use history::History;
pub use logic::Logic;
pub use machine::{Command, Machine, SceneSource};
pub use probe::{OutputReader, Outputs, ProbeError};
pub use run::{Ending, Observer, Plan, RunResult, Supervisor};
pub use step::Step;

/// The Rust blocks of the book and of the README are compiled and run as documentation tests.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/programming/rust.md")]
    struct RustGuide;
    #[doc = include_str!("../../../docs/programming/extending.md")]
    struct Extending;
}
