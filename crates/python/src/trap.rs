//! A force that panics, in development builds: tests show with it that no panic crosses into Python.

use std::sync::Arc;
use windlass_engine::prelude::{Bodies, BodyId, Force, ForceLaw, Loads};
use windlass_host::Machine;

/// Panics once a body is faster than a limit.
#[derive(Debug)]
struct Trap {
    body: BodyId,
    speed: f64,
}

impl ForceLaw for Trap {
    fn apply(&self, bodies: &Bodies<'_>, _: &mut Loads) {
        assert!(bodies.body(self.body).velocity.length() <= self.speed, "the trap was sprung");
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }
}

/// Adds the force to a machine: it panics once a body is faster than a limit [m/s].
pub fn set(machine: &mut Machine, body: &str, speed: f64) -> Result<(), String> {
    let found = machine.world().model().body(body);
    let body = found.ok_or_else(|| format!("no body \"{body}\""))?;
    let force = Force::Custom(Arc::new(Trap { body, speed }));
    machine.world_mut().add_force(force).map(drop).map_err(|e| e.to_string())
}
