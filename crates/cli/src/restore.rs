//! Checks that a saved state continues bit for bit: every step is taken twice, the second time from the bytes
//! of the state before it.

use crate::show;
use std::io;
use windlass_engine::prelude::{State, World};
use windlass_host::{Logic, Observer, Step};
use windlass_scene::Move;

/// Repeats every step. It leaves the state unchanged, unless the results differ.
#[derive(Debug, Default)]
pub struct Restore {
    logic: Logic,
    before: State,
    /// Number of steps that differ.
    pub differing: u64,
}

impl Observer for Restore {
    fn name(&self) -> String {
        "the check of restoring".to_string()
    }

    fn start(&mut self, world: &mut World) -> io::Result<()> {
        // a scene that runs has valid controllers
        self.logic = Logic::of(world).unwrap_or_default();
        self.before.clone_from(world.state());
        Ok(())
    }

    fn input_moved(&mut self, world: &World, _moved: &Move) -> io::Result<()> {
        self.before.clone_from(world.state());
        Ok(())
    }

    fn step(&mut self, world: &mut World, step: &Step<'_>) -> io::Result<()> {
        let after = world.state().clone();
        let saved = State::from_bytes(&self.before.to_bytes()).map_err(io::Error::other)?;
        world.restore(saved).map_err(io::Error::other)?;
        let again = self.logic.step(world);
        if again.fault.is_some() || world.state().to_bytes() != after.to_bytes() {
            self.differing += 1;
            if self.differing == 1 {
                show::tell(&format!("restore: step {} differs after a restore", step.number));
            }
            world.restore(after.clone()).map_err(io::Error::other)?;
        }
        self.before = after;
        Ok(())
    }
}
