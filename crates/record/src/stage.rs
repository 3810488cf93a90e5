//! What a player must be told of the scene: this crate knows neither scenes nor what edits mean.

use windlass_engine::prelude::World;

/// Any error.
pub type BoxedError = Box<dyn std::error::Error + Send + Sync>;

/// Builds the world of a recording and makes the recorded edits to it.
pub trait Stage {
    /// The world as the sources and overrides of the header have it, before any edit.
    fn rebuild(&mut self) -> Result<World, BoxedError>;

    /// Makes an edit as it was made when it was recorded. The world is in the exact state it was made to
    /// then.
    fn apply(&mut self, world: &mut World, key: &str, value: &str) -> Result<(), BoxedError>;

    /// Makes a command as it was made when it was recorded. It changes the state alone; made twice in a row it does what
    /// it does once.
    fn command(&mut self, _world: &mut World, key: &str, _value: &str) -> Result<(), BoxedError> {
        Err(format!("nobody here takes the command \"{key}\"").into())
    }
}
