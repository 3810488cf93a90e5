//! The interface by which a player builds scenes and applies edits: this crate interprets neither.

use windlass_engine::prelude::{Fault, World};

/// Any error.
pub type BoxedError = Box<dyn std::error::Error + Send + Sync>;

/// Builds the world of a recording and applies the recorded edits to it.
pub trait Stage {
    /// The world from the sources and overrides of the header, before any edit.
    fn rebuild(&mut self) -> Result<World, BoxedError>;

    /// Applies an edit as when it was recorded. The world is in the state that it had then, bit for bit.
    fn apply(&mut self, world: &mut World, key: &str, value: &str) -> Result<(), BoxedError>;

    /// Applies a command as when it was recorded. It changes only the state and is idempotent: applying it twice in a
    /// row has the effect of applying it once.
    fn command(&mut self, _world: &mut World, key: &str, _value: &str) -> Result<(), BoxedError> {
        Err(format!("the command \"{key}\" is not supported here").into())
    }

    /// Prepares a step, as it was prepared when it was recorded: evaluates controllers.
    fn before_step(&mut self, _world: &mut World) -> Result<(), Box<Fault>> {
        Ok(())
    }
}
